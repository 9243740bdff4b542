/*
 * primitives2.cu - the same as primitives.cu, by the API of FIDESlib's version 2 (commit 786c760),
 * whose functions are called like OpenFHE's. Its results are compared with the numbers that they
 * stand for.
 *
 *     primitives2 [--logn 16] [--limbs 11] [--level 0] [--dnum 3] [--ops LIST] [--slots N]
 *                 [--budget 3,3] [--secret uniform|sparse]
 *
 * Without the primitives intt and ntt, which that API does not have.
 */
#include "driver.hpp"

#include <fideslib.hpp>

using namespace fideslib;

#include "session.hpp"

struct session : keyed {
    explicit session(const options &options_) : keyed{options_} {
        CCParams<CryptoContextCKKSRNS> p;
        p.SetDevices({0});
        p.SetPlaintextAutoload(true);
        if (o.bits != WIDE_BITS) {
            fprintf(stderr,
                    "--bits: primitives alone has it, the driver of FIDESlib's version 1\n");
            exit(2);
        }
        make_chain(p);
        make_keys();
        if (wants(o, "bootstrap"))
            prepare_bootstrap();
        cc->LoadContext(keys.publicKey);
    }

    Ciphertext<DCRTPoly> encrypt(const std::vector<double> &x, int level, int slots) {
        auto p = cc->MakeCKKSPackedPlaintext(x, 1, level, nullptr, slots);
        return cc->Encrypt(p, keys.publicKey);
    }

    void compare(const char *name, Ciphertext<DCRTPoly> &got, const std::vector<double> &numbers,
                 double bound) {
        Plaintext p;
        cc->Decrypt(got, keys.secretKey, &p);
        p->SetLength(SHOWN);
        wrong |= !report(name, "", p->GetRealPackedValue(), numbers, bound);
    }

    /* A primitive that makes a new ciphertext. */
    void run(const char *op, const char *name, const std::function<Ciphertext<DCRTPoly>()> &work,
             const std::vector<double> &numbers, double bound) {
        if (!wants(o, op))
            return;
        Ciphertext<DCRTPoly> got;
        in_range(name, [&] { got = work(); });
        compare(name, got, numbers, bound);
    }
};

static void primitives(session &s) {
    const size_t n = 1u << (s.o.logn - 1);
    const auto x = some_numbers(n, 1), y = some_numbers(n, 2);
    auto cx = s.encrypt(x, s.o.level, 0), cy = s.encrypt(y, s.o.level, 0);
    auto py = s.cc->MakeCKKSPackedPlaintext(y, 1, s.o.level);
    s.cc->LoadPlaintext(py);
    const auto product = each(x, y, [](double a, double b) { return a * b; });
    const auto square = each(x, x, [](double a, double b) { return a * b; });
    const auto sum = each(x, y, [](double a, double b) { return a + b; });
    const std::vector<double> turned(x.begin() + 1, x.end());
    s.run(
        "hemult", "HEMult", [&] { return s.cc->EvalMult(cx, cy); }, product, tolerance(s.o));
    s.run(
        "square", "Square", [&] { return s.cc->EvalSquare(cx); }, square, tolerance(s.o));
    s.run(
        "ptmult", "PtMult", [&] { return s.cc->EvalMult(cx, py); }, product, tolerance(s.o));
    s.run(
        "headd", "HEAdd", [&] { return s.cc->EvalAdd(cx, cy); }, sum, tolerance(s.o));
    s.run(
        "ptadd", "PtAdd", [&] { return s.cc->EvalAdd(cx, py); }, sum, tolerance(s.o));
    s.run(
        "rotate", "Rotate", [&] { return s.cc->EvalRotate(cx, 1); }, turned, tolerance(s.o));
    if (wants(s.o, "rescale")) { /* of a product with a plaintext, in its place */
        auto c = s.cc->EvalMult(cx, py);
        in_range("Rescale", [&] { s.cc->RescaleInPlace(c); });
        s.compare("Rescale", c, product, tolerance(s.o));
    }
}

static void bootstrap(session &s) {
    const auto x = some_numbers(s.o.slots, 3);
    auto c = s.encrypt(x, s.o.limbs - 2, s.o.slots);
    c->SetSlots(s.o.slots);
    in_range("Bootstrap", [&] { s.cc->EvalBootstrapInPlace(c); });
    s.compare("Bootstrap", c, x, 1e-2);
}

int main(int argc, char **argv) {
    return drive<session>(argc, argv);
}
