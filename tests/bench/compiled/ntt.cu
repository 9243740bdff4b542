/*
 * ntt.cu - forward negacyclic transforms of residues modulo primes, as libraries do them: phases of
 * some stages each over 2048 elements in shared memory, with the modular product in four ways.
 *
 * A launch does the stages `first` to `first` + `count` - 1 of all limbs, one for each blockIdx.y.
 * first = 0: a block has 2048 >> count neighbouring columns of 1 << count elements; later, as many
 * pieces of 1 << count neighbouring elements. Data and roots of a limb have 1 << log_n elements;
 * roots are in bit-reversed order, root number 1 first (Longa, Naehrig 2016, algorithm 1).
 */
#include "../../cuda/cuda.h"

enum { ELEMENTS = 2048, THREADS = 256 };

/* What one limb has beside its data: see `fill` in ntt_twin.c. */
struct limb {
    u64 q, constant[3];
};

/* x - floor(x / q) q, by a reciprocal of bits + 2 bits. */
struct barrett {
    typedef u64 element;
    u64 q, mu;
    u32 bits;
    DEVICE barrett make(const limb &l) {
        barrett f;
        f.q = l.q, f.mu = l.constant[0], f.bits = (u32)l.constant[1];
        return f;
    }
    __device__ u64 times(const u64 *roots, u32 i, u64 a) const {
        const u64 w = roots[i], lo = a * w, hi = __umul64hi(a, w);
        u64 t = lo >> (bits - 2) | hi << (66 - bits);
        const u64 low = t * mu, high = __umul64hi(t, mu);
        t = low >> (bits + 3) | high << (61 - bits);
        const u64 r = lo - t * q;
        return r >= q ? r - q : r;
    }
    __device__ u64 plus(u64 a, u64 b) const {
        const u64 s = a + b;
        return s >= q ? s - q : s;
    }
    __device__ u64 minus(u64 a, u64 b) const { return a >= b ? a - b : a + q - b; }
};

/* The quotient of a root by q is known: it stands behind the root. */
struct shoup {
    typedef u64 element;
    u64 q;
    DEVICE shoup make(const limb &l) {
        shoup f;
        f.q = l.q;
        return f;
    }
    __device__ u64 times(const u64 *roots, u32 i, u64 a) const {
        const ulonglong2 w = ((const ulonglong2 *)roots)[i];
        const u64 r = a * w.x - __umul64hi(a, w.y) * q;
        return r >= q ? r - q : r;
    }
    __device__ u64 plus(u64 a, u64 b) const { return min(a + b, a + b - q); }
    __device__ u64 minus(u64 a, u64 b) const { return min(a - b, a + q - b); }
};

/* Roots are multiplied by 2^64. */
struct montgomery {
    typedef u64 element;
    u64 q, inverse;
    DEVICE montgomery make(const limb &l) {
        montgomery f;
        f.q = l.q, f.inverse = l.constant[0];
        return f;
    }
    __device__ u64 times(const u64 *roots, u32 i, u64 a) const {
        const u64 w = roots[i], hi = __umul64hi(a, w);
        const u64 m = __umul64hi(a * w * inverse, q);
        return hi >= m ? hi - m : hi - m + q;
    }
    __device__ u64 plus(u64 a, u64 b) const {
        const u64 s = a + b;
        return s >= q ? s - q : s;
    }
    __device__ u64 minus(u64 a, u64 b) const { return a >= b ? a - b : a - b + q; }
};

/* Residues below 2^50 are doubles; the error of a product is known exactly by a fused
 * multiplication. */
struct fp64 {
    typedef double element;
    double q, inverse;
    DEVICE fp64 make(const limb &l) {
        fp64 f;
        f.q = __longlong_as_double((s64)l.constant[0]);
        f.inverse = __longlong_as_double((s64)l.constant[1]);
        return f;
    }
    __device__ double times(const double *roots, u32 i, double a) const {
        const double w = roots[i], high = a * w, low = fma(a, w, -high);
        const double r = fma(-floor(high * inverse), q, high) + low;
        return r < 0 ? r + q : r >= q ? r - q : r;
    }
    __device__ double plus(double a, double b) const {
        const double s = a + b;
        return s >= q ? s - q : s;
    }
    __device__ double minus(double a, double b) const {
        const double s = a - b;
        return s < 0 ? s + q : s;
    }
};

/* Modulo 2^64 - 2^32 + 1: 2^64 is 2^32 - 1, and 2^96 is -1. */
struct goldilocks {
    typedef u64 element;
    u64 q;
    DEVICE goldilocks make(const limb &) {
        goldilocks f;
        f.q = 0xffffffff00000001;
        return f;
    }
    __device__ u64 times(const u64 *roots, u32 i, u64 a) const {
        const u64 w = roots[i], lo = a * w, hi = __umul64hi(a, w);
        u64 r = lo - (hi >> 32);
        r -= lo < hi >> 32 ? 0xffffffffu : 0;
        const u64 middle = (hi & 0xffffffffu) * 0xffffffffu, sum = r + middle;
        r = sum + (sum < middle ? 0xffffffffu : 0);
        return r >= q ? r - q : r;
    }
    __device__ u64 plus(u64 a, u64 b) const {
        const u64 s = a + b;
        return s < a || s >= q ? s - q : s;
    }
    __device__ u64 minus(u64 a, u64 b) const { return a >= b ? a - b : a - b + q; }
};

template <class F>
DEVICE void phase(typename F::element *data, const typename F::element *roots, u32 root_words,
                  const limb *limbs, u32 log_n, u32 first, u32 count) {
    typedef typename F::element T;
    __shared__ T part[ELEMENTS];
    const F f = F::make(limbs[blockIdx.y]);
    const u32 log_columns = 11 - count, columns = 1u << log_columns;
    data += (size_t)blockIdx.y << log_n;
    roots += ((size_t)blockIdx.y << log_n) * root_words;
    for (u32 i = threadIdx.x; i < ELEMENTS; i += THREADS) {
        const u32 at = first ? blockIdx.x * ELEMENTS + i
                             : ((i >> log_columns) << (log_n - count)) + blockIdx.x * columns +
                                   (i & (columns - 1));
        part[i] = data[at];
    }
    u32 log_step = first ? count - 1 : 10;
    for (u32 stage = first; stage < first + count; stage++, log_step--) {
        __syncthreads();
        const u32 before = (1u << stage) + (first ? blockIdx.x << (10 - log_step) : 0);
#pragma unroll
        for (u32 k = 0; k < ELEMENTS / 2 / THREADS; k++) {
            const u32 b = k * THREADS + threadIdx.x, group = b >> log_step;
            const u32 low = b + (group << log_step), high = low + (1u << log_step);
            const T u = part[low], v = f.times(roots, before + group, part[high]);
            part[low] = f.plus(u, v);
            part[high] = f.minus(u, v);
        }
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < ELEMENTS; i += THREADS) {
        const u32 at = first ? blockIdx.x * ELEMENTS + i
                             : ((i >> log_columns) << (log_n - count)) + blockIdx.x * columns +
                                   (i & (columns - 1));
        data[at] = part[i];
    }
}

#define PHASE(name, T, words)                                                                      \
    extern "C" __global__ void ntt_##name(T *data, const T *roots, const limb *limbs, u32 log_n,   \
                                          u32 first, u32 count) {                                  \
        phase<name>(data, roots, words, limbs, log_n, first, count);                               \
    }
PHASE(barrett, u64, 1)
PHASE(shoup, u64, 2)
PHASE(montgomery, u64, 1)
PHASE(fp64, double, 1)
PHASE(goldilocks, u64, 1)

/* One stage of Shoup's transform over all limbs, a butterfly a thread: which limb, group and
 * element it is follows from divisions by variables. */
extern "C" __global__ void ntt_stage(u64 *data, const u64 *roots, const limb *limbs, u32 n,
                                     u32 groups, u32 limb_count) {
    const u32 pairs = n / 2, step = pairs / groups;
    for (u32 i = THREAD_INDEX; i < pairs * limb_count; i += gridDim.x * blockDim.x) {
        const u32 k = i / pairs, pair = i % pairs, group = pair / step, element = pair % step;
        const shoup f = shoup::make(limbs[k]);
        u64 *low = data + (size_t)k * n + 2 * group * step + element, *high = low + step;
        const u64 u = *low, v = f.times(roots + 2 * (size_t)k * n, groups + group, *high);
        *low = f.plus(u, v);
        *high = f.minus(u, v);
    }
}
