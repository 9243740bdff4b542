// Every operation of cuda/fhec.cuh: a 16x16x16 product with one modulus or one per column, and the
// instructions of lanes, in a struct's method, in a loop and with lanes apart.
#include "fhec.cuh"

extern "C" __global__ void tile(const uint32_t *a, const uint32_t *b, const uint32_t *c,
                                const fhec::modulus *m, uint32_t *d, int mixed) {
    fhec::fragment<fhec::matrix_a> fa;
    fhec::fragment<fhec::matrix_b> fb;
    fhec::fragment<fhec::accumulator> fc;
    fhec::load_matrix_sync(fa, a, 16);
    fhec::load_matrix_sync(fb, b, 16);
    fhec::load_matrix_sync(fc, c, 16);
    if (mixed)
        fhec::mma_sync(fc, fa, fb, fc, m);
    else
        fhec::mma_sync(fc, fa, fb, fc, fhec::make_modulus(m->q));
    fhec::store_matrix_sync(d, fc, 16);
}

struct residue {
    uint64_t value, q;
    __device__ residue times(residue other) const {
        return {fhec::modmul(value, other.value, q), q};
    }
};

// Of each lane's a, b, q: 15 results.
extern "C" __global__ void lanes(const uint64_t *in, uint64_t *out) {
    const unsigned t = threadIdx.x;
    const uint64_t a = in[3 * t], b = in[3 * t + 1], q = in[3 * t + 2];
    const uint32_t x = (uint32_t)a, y = (uint32_t)b, p = (uint32_t)q | 1;
    const residue u{a, q}, v{b, q};
    uint64_t *const o = out + 15 * t;
    o[0] = fhec::modred(a, q);
    o[1] = fhec::modadd(a, b, q);
    o[2] = fhec::modsub(a, b, q);
    o[3] = u.times(v).value;
    o[4] = fhec::modmad(a, b, a, q);
    o[5] = fhec::wmac_lo(a, b, q);
    o[6] = fhec::wmac_hi(a, b, q);
    o[7] = fhec::montmul(a, b, q | 1);
    o[8] = fhec::modred(x, p);
    o[9] = fhec::modadd(x, y, p);
    o[10] = fhec::modsub(x, y, p);
    o[11] = fhec::modmul(x, y, p);
    o[12] = fhec::modmad(x, y, x, p);
    o[13] = fhec::montmul(x, y, p);
    residue power{1, q};
    for (unsigned i = 0; i < t; i++)
        if (i & 1)
            power = u.times(power);
    o[14] = power.value;
}
