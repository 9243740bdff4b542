/*
 * primitives.cu - CKKS primitives and a bootstrap by FIDESlib (version 1, commit 873c577), each in
 * an NVTX range of its name, and what OpenFHE makes of them on the CPU: for `fhec cuda --ranges`.
 *
 *     primitives [--logn 16] [--limbs 11] [--bits 59] [--level 0] [--dnum 3] [--ops LIST]
 *                [--slots N] [--budget 3,3] [--secret uniform|sparse]
 *
 * --limbs: of the chain; --bits: of their primes, of which the first and the special ones have one
 * more; --level: limbs that the operands have dropped. LIST: names of primitives
 * with commas between them (the default has all but bootstrap). --slots, --budget and --secret are
 * the bootstrap's. Prints for each primitive whether its words are those of OpenFHE ("exact"), or
 * how far what they decrypt to is from what it should be. Status 1 if a result is wrong.
 */
#include "driver.hpp"

#include "CKKS/Bootstrap.cuh"
#include "CKKS/BootstrapPrecomputation.cuh"
#include "CKKS/Ciphertext.cuh"
#include "CKKS/Context.cuh"
#include "CKKS/KeySwitchingKey.cuh"
#include "CKKS/Plaintext.cuh"
#include "CKKS/openfhe-interface/RawCiphertext.cuh"

using namespace lbcrypto;
namespace gpu = FIDESlib::CKKS;

#include "session.hpp"

struct session : keyed {
    explicit session(const options &options_) : keyed{options_} {
        CCParams<CryptoContextCKKSRNS> p;
        make_chain(p);
        if (o.bits < WIDE_BITS)
            shrink_special_primes();
        make_keys();
    }

    /* To as many bits as the first prime has; OpenFHE takes 60 whatever the chain is. */
    void shrink_special_primes() {
        auto p = std::dynamic_pointer_cast<CryptoParametersRNS>(cc->GetCryptoParameters());
        p->PrecomputeCRTTables(p->GetKeySwitchTechnique(), p->GetScalingTechnique(),
                               p->GetEncryptionTechnique(), p->GetMultiplicationTechnique(),
                               p->GetNumPartQ(), o.bits + 1, p->GetExtraBits());
    }

    Plaintext encode(const std::vector<double> &x, int level, int slots = 0) {
        return cc->MakeCKKSPackedPlaintext(x, 1, level, nullptr, slots);
    }

    std::vector<double> decrypt(const Ciphertext<DCRTPoly> &c, size_t n) {
        Plaintext p;
        cc->Decrypt(keys.secretKey, c, &p);
        p->SetLength(n);
        return p->GetRealPackedValue();
    }

    /* `like`: of the same shape, to be filled. */
    Ciphertext<DCRTPoly> from_gpu(gpu::Context &context, gpu::Ciphertext &c,
                                  const Ciphertext<DCRTPoly> &like) {
        gpu::RawCipherText raw;
        c.store(context, raw);
        auto to = like->Clone();
        gpu::GetOpenFHECipherText(to, raw);
        return to;
    }

    /* Against the CPU's words (NULL: they are not known), and against the numbers. */
    void compare(const char *name, const Ciphertext<DCRTPoly> &got, const Ciphertext<DCRTPoly> &cpu,
                 const std::vector<double> &numbers, double bound) {
        const char *words = !cpu ? ""
                            : got->GetElements() == cpu->GetElements()
                                ? "exact, "
                                : "other words than the CPU, ";
        wrong |= !report(name, words, decrypt(got, SHOWN), numbers, bound);
    }
};

static void primitives(session &s) {
    const auto x = some_numbers(1u << (s.o.logn - 1), 1), y = some_numbers(1u << (s.o.logn - 1), 2);
    auto px = s.encode(x, s.o.level), py = s.encode(y, s.o.level);
    auto cx = s.cc->Encrypt(s.keys.publicKey, px), cy = s.cc->Encrypt(s.keys.publicKey, py);

    gpu::RawParams raw_parameters = gpu::GetRawParams(s.cc);
    gpu::Parameters parameters;
    parameters.batch = 100;
    gpu::Context context{parameters.adaptTo(raw_parameters), {0}};
    auto raw_x = gpu::GetRawCipherText(s.cc, cx), raw_y = gpu::GetRawCipherText(s.cc, cy);
    auto raw_p = gpu::GetRawPlainText(s.cc, py);
    gpu::Ciphertext gx(context, raw_x), gy(context, raw_y);
    gpu::Plaintext gp(context, raw_p);
    gpu::KeySwitchingKey key(context), turn(context);
    auto raw_key = gpu::GetEvalKeySwitchKey(s.keys);
    key.Initialize(context, raw_key);
    auto raw_turn = gpu::GetRotationKeySwitchKey(s.keys, 1, s.cc);
    turn.Initialize(context, raw_turn);

    auto run =
        [&](const char *op, const char *name, const std::function<void(gpu::Ciphertext &)> &work,
            const Ciphertext<DCRTPoly> &cpu, const std::vector<double> &numbers, double bound) {
            if (!wants(s.o, op))
                return;
            gpu::Ciphertext c(context);
            c.copy(gx);
            in_range(name, [&] { work(c); });
            auto got = s.from_gpu(context, c, cx);
            s.compare(name, got, cpu, numbers, bound);
        };
    auto product = each(x, y, [](double a, double b) { return a * b; });
    auto sum = each(x, y, [](double a, double b) { return a + b; });
    std::vector<double> turned(x.begin() + 1, x.end());
    run(
        "hemult", "HEMult", [&](auto &c) { c.mult(gy, key, false); }, s.cc->EvalMult(cx, cy),
        product, tolerance(s.o));
    run(
        "square", "Square", [&](auto &c) { c.square(key, false); }, s.cc->EvalSquare(cx),
        each(x, x, [](double a, double b) { return a * b; }), tolerance(s.o));
    run(
        "ptmult", "PtMult", [&](auto &c) { c.multPt(gp, false); }, s.cc->EvalMult(cx, py), product,
        tolerance(s.o));
    run(
        "headd", "HEAdd", [&](auto &c) { c.add(gy); }, s.cc->EvalAdd(cx, cy), sum, tolerance(s.o));
    run(
        "ptadd", "PtAdd", [&](auto &c) { c.addPt(gp); }, s.cc->EvalAdd(cx, py), sum,
        tolerance(s.o));
    run(
        "rotate", "Rotate", [&](auto &c) { c.rotate(1, turn); }, s.cc->EvalRotate(cx, 1), turned,
        tolerance(s.o));
    if (wants(s.o, "rescale")) { /* of a product with a plaintext */
        gpu::Ciphertext c(context);
        c.copy(gx);
        c.multPt(gp, false);
        in_range("Rescale", [&] { c.rescale(); });
        auto got = s.from_gpu(context, c, cx);
        s.compare("Rescale", got, s.cc->Rescale(s.cc->EvalMult(cx, py)), product, tolerance(s.o));
    }
    if (wants(s.o, "intt") ||
        wants(s.o, "ntt")) { /* of all limbs of one polynomial, there and back */
        gpu::Ciphertext c(context);
        c.copy(gx);
        in_range("INTT", [&] { c.c0.INTT(context.batch); });
        in_range("NTT", [&] { c.c0.NTT(context.batch); });
        s.compare("NTT", s.from_gpu(context, c, cx), cx, x, tolerance(s.o));
    }
}

static void bootstrap(session &s) {
    s.prepare_bootstrap();
    const auto x = some_numbers(s.o.slots, 3);
    auto cx = s.cc->Encrypt(s.keys.publicKey, s.encode(x, s.o.limbs - 2, s.o.slots));
    cx->SetSlots(s.o.slots);

    gpu::RawParams raw_parameters = gpu::GetRawParams(s.cc);
    gpu::Parameters parameters;
    parameters.batch = 100;
    gpu::Context context{parameters.adaptTo(raw_parameters), {0}};
    {
        gpu::KeySwitchingKey key(context);
        auto raw = gpu::GetEvalKeySwitchKey(s.keys);
        key.Initialize(context, raw);
        context.AddEvalKey(std::move(key));
    }
    gpu::AddBootstrapPrecomputation(s.cc, s.keys, s.o.slots, context);
    auto raw_x = gpu::GetRawCipherText(s.cc, cx);
    gpu::Ciphertext c(context, raw_x);
    in_range("Bootstrap", [&] { gpu::Bootstrap(c, s.o.slots); });
    auto fresh = s.cc->Encrypt(s.keys.publicKey, s.encode(x, 0, s.o.slots));
    auto got = s.from_gpu(context, c, fresh);
    got->SetSlots(s.o.slots);
    s.compare("Bootstrap", got, nullptr, x, 1e-2);
}

int main(int argc, char **argv) {
    return drive<session>(argc, argv);
}
