/*
 * session.hpp - a chain, its keys and the driver's main, by the names that the APIs of OpenFHE and
 * of FIDESlib's version 2 share. Included behind the `using namespace` of one of them; the driver
 * has `struct session : keyed`, and the functions `primitives` and `bootstrap`.
 */
#ifndef OWN_CODE_SESSION_HPP
#define OWN_CODE_SESSION_HPP

enum { SHOWN = 8 }; /* numbers of a result that are looked at */

struct keyed {
    options o;
    CryptoContext<DCRTPoly> cc;
    KeyPair<DCRTPoly> keys;
    bool wrong = false; /* a result was */

    /* The chain of the options, with what `p` has besides. */
    void make_chain(CCParams<CryptoContextCKKSRNS> &p) {
        p.SetMultiplicativeDepth(o.limbs - 1);
        p.SetFirstModSize(o.bits + 1);
        p.SetScalingModSize(o.bits);
        p.SetSecurityLevel(HEStd_NotSet);
        p.SetRingDim(1u << o.logn);
        p.SetNumLargeDigits(o.dnum);
        p.SetScalingTechnique(FIXEDMANUAL);
        p.SetKeySwitchTechnique(HYBRID);
        p.SetSecretKeyDist(o.sparse ? SPARSE_TERNARY : UNIFORM_TERNARY);
        cc = GenCryptoContext(p);
        for (auto feature : {PKE, KEYSWITCH, LEVELEDSHE, ADVANCEDSHE, FHE})
            cc->Enable(feature);
    }

    /* For a product and a rotation. */
    void make_keys() {
        keys = cc->KeyGen();
        cc->EvalMultKeyGen(keys.secretKey);
        cc->EvalRotateKeyGen(keys.secretKey, {1});
    }

    void prepare_bootstrap() {
        cc->EvalBootstrapSetup(o.budget, {0, 0}, o.slots);
        cc->EvalBootstrapKeyGen(keys.secretKey, o.slots);
    }
};

struct session;
static void primitives(session &s);
static void bootstrap(session &s);

template <class Session> static int drive(int argc, char **argv) {
    Session s(parse(argc, argv));
    printf("N = 2^%d, %d limbs, %d of them dropped, dnum %d\n", s.o.logn, s.o.limbs, s.o.level,
           s.o.dnum);
    if (wants(s.o, "bootstrap"))
        bootstrap(s);
    if (s.o.ops != "bootstrap")
        primitives(s);
    return s.wrong;
}

#endif
