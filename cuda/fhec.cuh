/*
 * fhec.cuh - the FHE instructions from CUDA C++, for sm_80: fragments and mma_sync (FHEC.16816),
 * modular arithmetic of lanes (MODRED, MODADD, MODSUB, MODMUL, MODMAD, WMAC) and MONTMUL.
 *
 * A source that includes it compiles with nvcc as it is, and computes in plain CUDA what the
 * instructions compute, for every operand. `fhec patch` puts the instructions in the place of the
 * calls of the functions that are named fhec_insn_...: see docs/cuda-fhec.md.
 *
 * How a call is found and where its operands are: the functions are not inlined, and they follow
 * the calling convention of the platform at every level of optimisation: 32-bit words of arguments
 * in R4 to R15, what is left on the stack from [R1] on, the result from R4 on. Two things make the
 * compilers keep to it, where they would else choose arguments and registers for each program:
 * - every function calls through a pointer that is always NULL, so not at all; ptxas does not know
 *   that, and code with such calls follows the convention;
 * - the addresses of the functions are in a table, so that the compiler before ptxas leaves out no
 *   argument and propagates no constants into them.
 */
#ifndef FHEC_CUH
#define FHEC_CUH

#include <stdint.h>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error "fhec.cuh is for sm_80: compile with -arch=sm_80"
#endif

#define FHEC_INSTRUCTION extern "C" __device__ __noinline__ inline

/* ---------------------------------------------------------------- the instructions, in CUDA */

namespace fhec {
namespace detail {

typedef unsigned __int128 wide;

/* Always NULL: see above. */
static __device__ void (*volatile nobody)();
static __device__ __forceinline__ void keep_convention() {
    if (nobody)
        nobody();
}

/* The instructions end the launch at a modulus of 0. */
template <class T> static __device__ __forceinline__ void need_modulus(T q) {
    if (q == 0)
        __trap();
}

/* One product of FHEC.16816: the 33-bit Barrett step, with whatever mu is there. */
static __device__ __forceinline__ uint32_t step(uint32_t r, uint32_t a, uint32_t b, uint32_t q,
                                                uint64_t mu) {
    uint64_t z = r + (uint64_t)a * b;
    uint64_t v = (z - __umul64hi(z, mu) * q) & 0x1ffffffffu;
    return (uint32_t)(v >= q ? v - q : v);
}

static __device__ __forceinline__ uint32_t lane() {
    uint32_t l;
    asm("mov.u32 %0, %%laneid;" : "=r"(l));
    return l;
}

static __device__ __forceinline__ uint32_t from_lane(uint32_t value, uint32_t source) {
    return __shfl_sync(0xffffffffu, value, (int)source);
}

/* Bit-serial Montgomery product; S holds twice the bits of T. */
template <class T, class S> static __device__ __forceinline__ T montgomery(T a, T b, T m) {
    S s = 0;
#pragma unroll 1
    for (unsigned i = 0; i < 8 * sizeof(T); i++) {
        s += (a >> i & 1) ? b : 0;
        s += (s & 1) ? m : 0;
        s >>= 1;
    }
    return (T)(s >= m ? s - m : s);
}

} // namespace detail
} // namespace fhec

/* D = (A*B + C) mod q, 16x16 by 16x8; a low: registers 0 to 3 of A. Lane l has the descriptor
 * {q, -, mu low, mu high} of column l/4. */
FHEC_INSTRUCTION uint4 fhec_insn_fhec_16816(uint4 a_low, uint4 a_high, uint4 b, uint4 c,
                                            uint4 modulus) {
    fhec::detail::keep_convention();
    using namespace fhec::detail;
    const uint32_t a[8] = {a_low.x,  a_low.y,  a_low.z,  a_low.w,
                           a_high.x, a_high.y, a_high.z, a_high.w};
    const uint32_t bs[4] = {b.x, b.y, b.z, b.w};
    uint32_t d[4] = {c.x, c.y, c.z, c.w};
    const uint32_t l = lane(), row = l & 28, t = l & 3;
    uint32_t q[2];
    uint64_t mu[2];
    for (uint32_t j = 0; j < 2; j++) {
        const uint32_t source = 4 * (2 * t + j);
        q[j] = from_lane(modulus.x, source);
        mu[j] = (uint64_t)from_lane(modulus.w, source) << 32 | from_lane(modulus.z, source);
        need_modulus(q[j]);
    }
#pragma unroll
    for (uint32_t k = 0; k < 16; k++) {
#pragma unroll
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t x = from_lane(a[(i >> 1) + 2 * (k >> 2)], row + (k & 3));
            const uint32_t y = from_lane(bs[k >> 2], 4 * (2 * t + (i & 1)) + (k & 3));
            d[i] = step(d[i], x, y, q[i & 1], mu[i & 1]);
        }
    }
    return make_uint4(d[0], d[1], d[2], d[3]);
}

FHEC_INSTRUCTION uint32_t fhec_insn_modred_u32(uint32_t a, uint32_t q) {
    fhec::detail::keep_convention();
    fhec::detail::need_modulus(q);
    return a % q;
}
FHEC_INSTRUCTION uint64_t fhec_insn_modred_u64(uint64_t a, uint64_t q) {
    fhec::detail::keep_convention();
    fhec::detail::need_modulus(q);
    return a % q;
}
FHEC_INSTRUCTION uint32_t fhec_insn_modadd_u32(uint32_t a, uint32_t b, uint32_t q) {
    fhec::detail::keep_convention();
    fhec::detail::need_modulus(q);
    return (uint32_t)(((uint64_t)a + b) % q);
}
FHEC_INSTRUCTION uint64_t fhec_insn_modadd_u64(uint64_t a, uint64_t b, uint64_t q) {
    fhec::detail::keep_convention();
    fhec::detail::need_modulus(q);
    return (uint64_t)(((fhec::detail::wide)a + b) % q);
}
FHEC_INSTRUCTION uint32_t fhec_insn_modsub_u32(uint32_t a, uint32_t b, uint32_t q) {
    fhec::detail::keep_convention();
    fhec::detail::need_modulus(q);
    const uint32_t x = a % q, y = b % q;
    return x >= y ? x - y : x + (q - y);
}
FHEC_INSTRUCTION uint64_t fhec_insn_modsub_u64(uint64_t a, uint64_t b, uint64_t q) {
    fhec::detail::keep_convention();
    fhec::detail::need_modulus(q);
    const uint64_t x = a % q, y = b % q;
    return x >= y ? x - y : x + (q - y);
}
FHEC_INSTRUCTION uint32_t fhec_insn_modmul_u32(uint32_t a, uint32_t b, uint32_t q) {
    fhec::detail::keep_convention();
    fhec::detail::need_modulus(q);
    return (uint32_t)((uint64_t)a * b % q);
}
FHEC_INSTRUCTION uint64_t fhec_insn_modmul_u64(uint64_t a, uint64_t b, uint64_t q) {
    fhec::detail::keep_convention();
    fhec::detail::need_modulus(q);
    return (uint64_t)((fhec::detail::wide)a * b % q);
}
FHEC_INSTRUCTION uint32_t fhec_insn_modmad_u32(uint32_t a, uint32_t b, uint32_t c, uint32_t q) {
    fhec::detail::keep_convention();
    fhec::detail::need_modulus(q);
    return (uint32_t)(((uint64_t)a * b + c) % q);
}
FHEC_INSTRUCTION uint64_t fhec_insn_modmad_u64(uint64_t a, uint64_t b, uint64_t c, uint64_t q) {
    fhec::detail::keep_convention();
    fhec::detail::need_modulus(q);
    return (uint64_t)(((fhec::detail::wide)a * b + c) % q);
}
FHEC_INSTRUCTION uint64_t fhec_insn_wmac_lo_u64(uint64_t a, uint64_t b, uint64_t c) {
    fhec::detail::keep_convention();
    return a * b + c;
}
FHEC_INSTRUCTION uint64_t fhec_insn_wmac_hi_u64(uint64_t a, uint64_t b, uint64_t c) {
    fhec::detail::keep_convention();
    return (uint64_t)(((fhec::detail::wide)a * b + c) >> 64);
}
FHEC_INSTRUCTION uint32_t fhec_insn_montmul_u32(uint32_t a, uint32_t b, uint32_t m) {
    fhec::detail::keep_convention();
    return fhec::detail::montgomery<uint32_t, uint64_t>(a, b, m);
}
FHEC_INSTRUCTION uint64_t fhec_insn_montmul_u64(uint64_t a, uint64_t b, uint64_t m) {
    fhec::detail::keep_convention();
    return fhec::detail::montgomery<uint64_t, fhec::detail::wide>(a, b, m);
}

#undef FHEC_INSTRUCTION

namespace fhec {

namespace detail {
/* Keeps the calling convention: see above. Nothing reads it. */
static __device__ __attribute__((used)) void *const addresses[] = {
    (void *)fhec_insn_fhec_16816,  (void *)fhec_insn_modred_u32,  (void *)fhec_insn_modred_u64,
    (void *)fhec_insn_modadd_u32,  (void *)fhec_insn_modadd_u64,  (void *)fhec_insn_modsub_u32,
    (void *)fhec_insn_modsub_u64,  (void *)fhec_insn_modmul_u32,  (void *)fhec_insn_modmul_u64,
    (void *)fhec_insn_modmad_u32,  (void *)fhec_insn_modmad_u64,  (void *)fhec_insn_wmac_lo_u64,
    (void *)fhec_insn_wmac_hi_u64, (void *)fhec_insn_montmul_u32, (void *)fhec_insn_montmul_u64,
};
} // namespace detail

/* ---------------------------------------------------------------- lanes, 32 and 64 bits */

/* Exact residues of exact integers, for every operand; a modulus of 0 ends the launch. The type of
 * the modulus says how wide the operation is. */
static __device__ __forceinline__ uint32_t modred(uint32_t a, uint32_t q) {
    return fhec_insn_modred_u32(a, q);
}
static __device__ __forceinline__ uint64_t modred(uint64_t a, uint64_t q) {
    return fhec_insn_modred_u64(a, q);
}
static __device__ __forceinline__ uint32_t modadd(uint32_t a, uint32_t b, uint32_t q) {
    return fhec_insn_modadd_u32(a, b, q);
}
static __device__ __forceinline__ uint64_t modadd(uint64_t a, uint64_t b, uint64_t q) {
    return fhec_insn_modadd_u64(a, b, q);
}
static __device__ __forceinline__ uint32_t modsub(uint32_t a, uint32_t b, uint32_t q) {
    return fhec_insn_modsub_u32(a, b, q);
}
static __device__ __forceinline__ uint64_t modsub(uint64_t a, uint64_t b, uint64_t q) {
    return fhec_insn_modsub_u64(a, b, q);
}
static __device__ __forceinline__ uint32_t modmul(uint32_t a, uint32_t b, uint32_t q) {
    return fhec_insn_modmul_u32(a, b, q);
}
static __device__ __forceinline__ uint64_t modmul(uint64_t a, uint64_t b, uint64_t q) {
    return fhec_insn_modmul_u64(a, b, q);
}
/* (a*b + c) mod q. */
static __device__ __forceinline__ uint32_t modmad(uint32_t a, uint32_t b, uint32_t c, uint32_t q) {
    return fhec_insn_modmad_u32(a, b, c, q);
}
static __device__ __forceinline__ uint64_t modmad(uint64_t a, uint64_t b, uint64_t c, uint64_t q) {
    return fhec_insn_modmad_u64(a, b, c, q);
}
/* The low and the high 64 bits of a*b + c. */
static __device__ __forceinline__ uint64_t wmac_lo(uint64_t a, uint64_t b, uint64_t c) {
    return fhec_insn_wmac_lo_u64(a, b, c);
}
static __device__ __forceinline__ uint64_t wmac_hi(uint64_t a, uint64_t b, uint64_t c) {
    return fhec_insn_wmac_hi_u64(a, b, c);
}
/* a * b * 2^-n mod m for odd m and operands below it; n is 32 or 64. */
static __device__ __forceinline__ uint32_t montmul(uint32_t a, uint32_t b, uint32_t m) {
    return fhec_insn_montmul_u32(a, b, m);
}
static __device__ __forceinline__ uint64_t montmul(uint64_t a, uint64_t b, uint64_t m) {
    return fhec_insn_montmul_u64(a, b, m);
}

/* ---------------------------------------------------------------- matrices, 16x16x16 */

/* The modulus descriptor of FHEC.16816; mu = floor(2^64 / q), for q >= 2. */
struct alignas(16) modulus {
    uint32_t q;
    uint32_t ignored;
    uint64_t mu;
};

static __host__ __device__ __forceinline__ modulus make_modulus(uint32_t q) {
    const uint64_t most = ~UINT64_C(0);
    return modulus{q, 0, most / q + (most % q == q - 1u)};
}

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;

/* What a lane holds of a 16x16 matrix: eight elements, those of `fhec layout`. Of B and of the
 * accumulator, elements 0 to 3 are columns 0 to 7, and 4 to 7 columns 8 to 15. */
template <class Use> struct fragment {
    static constexpr int num_elements = 8;
    uint32_t x[num_elements];
    /* Where the calling lane's element i is. */
    static __device__ __forceinline__ int row(int i);
    static __device__ __forceinline__ int column(int i);
};

template <> __device__ __forceinline__ int fragment<matrix_a>::row(int i) {
    return (int)(detail::lane() >> 2) + 8 * (i & 1);
}
template <> __device__ __forceinline__ int fragment<matrix_a>::column(int i) {
    return (int)(detail::lane() & 3) + 4 * (i >> 1);
}
template <> __device__ __forceinline__ int fragment<matrix_b>::row(int i) {
    return (int)(detail::lane() & 3) + 4 * (i & 3);
}
template <> __device__ __forceinline__ int fragment<matrix_b>::column(int i) {
    return (int)(detail::lane() >> 2) + 8 * (i >> 2);
}
template <> __device__ __forceinline__ int fragment<accumulator>::row(int i) {
    return (int)(detail::lane() >> 2) + 8 * (i >> 1 & 1);
}
template <> __device__ __forceinline__ int fragment<accumulator>::column(int i) {
    return 2 * (int)(detail::lane() & 3) + (i & 1) + 8 * (i >> 2);
}

namespace detail {
template <class Layout> struct index_of;
template <> struct index_of<row_major> {
    static __device__ __forceinline__ uint32_t at(int row, int column, unsigned stride) {
        return (uint32_t)row * stride + (uint32_t)column;
    }
};
template <> struct index_of<col_major> {
    static __device__ __forceinline__ uint32_t at(int row, int column, unsigned stride) {
        return (uint32_t)column * stride + (uint32_t)row;
    }
};
} // namespace detail

/* `stride` elements are between the beginnings of two rows, or columns of col_major matrices. */
template <class Layout = row_major, class Use>
__device__ __forceinline__ void load_matrix_sync(fragment<Use> &to, const uint32_t *from,
                                                 unsigned stride) {
#pragma unroll
    for (int i = 0; i < to.num_elements; i++)
        to.x[i] = from[detail::index_of<Layout>::at(to.row(i), to.column(i), stride)];
}
template <class Layout = row_major, class Use>
__device__ __forceinline__ void store_matrix_sync(uint32_t *to, const fragment<Use> &from,
                                                  unsigned stride) {
#pragma unroll
    for (int i = 0; i < from.num_elements; i++)
        to[detail::index_of<Layout>::at(from.row(i), from.column(i), stride)] = from.x[i];
}
template <class Use>
__device__ __forceinline__ void fill_fragment(fragment<Use> &to, uint32_t value) {
#pragma unroll
    for (int i = 0; i < to.num_elements; i++)
        to.x[i] = value;
}

namespace detail {
/* Columns 0 to 7 or, with half = 1, 8 to 15, of which the lane has the modulus of one. */
static __device__ __forceinline__ void half_product(fragment<accumulator> &d,
                                                    const fragment<matrix_a> &a,
                                                    const fragment<matrix_b> &b,
                                                    const fragment<accumulator> &c, int half,
                                                    const modulus &m) {
    const uint32_t *const bs = b.x + 4 * half, *const cs = c.x + 4 * half;
    const uint4 r = fhec_insn_fhec_16816(
        make_uint4(a.x[0], a.x[1], a.x[2], a.x[3]), make_uint4(a.x[4], a.x[5], a.x[6], a.x[7]),
        make_uint4(bs[0], bs[1], bs[2], bs[3]), make_uint4(cs[0], cs[1], cs[2], cs[3]),
        make_uint4(m.q, m.ignored, (uint32_t)m.mu, (uint32_t)(m.mu >> 32)));
    d.x[4 * half] = r.x;
    d.x[4 * half + 1] = r.y;
    d.x[4 * half + 2] = r.z;
    d.x[4 * half + 3] = r.w;
}
} // namespace detail

/* D = (A*B + C) mod q, by two FHEC.16816. All 32 lanes call it together, with the same modulus. D
 * may be C. */
static __device__ __forceinline__ void mma_sync(fragment<accumulator> &d,
                                                const fragment<matrix_a> &a,
                                                const fragment<matrix_b> &b,
                                                const fragment<accumulator> &c, const modulus &m) {
    detail::half_product(d, a, b, c, 0, m);
    detail::half_product(d, a, b, c, 1, m);
}
/* The same with a modulus for each of the 16 columns. */
static __device__ __forceinline__ void mma_sync(fragment<accumulator> &d,
                                                const fragment<matrix_a> &a,
                                                const fragment<matrix_b> &b,
                                                const fragment<accumulator> &c,
                                                const modulus *columns) {
    const uint32_t n = detail::lane() >> 2;
    const modulus low = columns[n], high = columns[n + 8];
    detail::half_product(d, a, b, c, 0, low);
    detail::half_product(d, a, b, c, 1, high);
}

} // namespace fhec

#endif
