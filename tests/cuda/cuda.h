/*
 * cuda.h - what lets one source be CUDA kernels and plain C: with nvcc it gives the keywords; with
 * a C compiler it gives the same built-in variables and functions, and a kernel becomes a function
 * that the host calls once for every thread (CUDA_FOR_EACH_THREAD). That works for kernels whose
 * threads do not talk to each other; the others have a reference of their own.
 *
 * Every kernel has the same parameters: out, in, the count n of elements, and one scalar s.
 */
#ifndef FHEC_TEST_CUDA_H
#define FHEC_TEST_CUDA_H

#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef unsigned __int128 u128;
typedef __int128 s128;

#ifdef __CUDACC__

#define KERNEL(name, T, U)                                                                         \
    extern "C" __global__ void name(T *__restrict__ out, const U *__restrict__ in, u32 n, u64 s)
#define DEVICE static __device__ __forceinline__
#define CALLED static __device__ __noinline__
#define CONSTANT(type, name) extern "C" __constant__ type name
#define VARIABLE(type, name) extern "C" __device__ type name

#else

struct cuda_index {
    u32 x, y, z;
};
static struct cuda_index threadIdx, blockIdx, blockDim, gridDim;

#define KERNEL(name, T, U)                                                                         \
    static void name##_thread(T *out, const U *in, u32 n, u64 s);                                  \
    static void name(void *out, const void *in, u32 n, u64 s) {                                    \
        name##_thread((T *)out, (const U *)in, n, s);                                              \
    }                                                                                              \
    static void name##_thread(T *out, const U *in, u32 n, u64 s)
#define DEVICE static inline
#define CALLED static __attribute__((noinline))
#define CONSTANT(type, name) static const type name
#define VARIABLE(type, name) static type name

#define CUDA_FOR_EACH_THREAD                                                                       \
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)                                     \
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)

/* The integer functions of CUDA, from their descriptions. */
static inline u64 __umul64hi(u64 a, u64 b) {
    return (u64)((u128)a * b >> 64);
}
static inline s64 __mul64hi(s64 a, s64 b) {
    return (s64)((s128)a * b >> 64);
}
static inline u32 __umulhi(u32 a, u32 b) {
    return (u32)((u64)a * b >> 32);
}
static inline s32 __mulhi(s32 a, s32 b) {
    return (s32)((s64)a * b >> 32);
}
static inline u32 __brev(u32 x) {
    u32 r = 0;
    for (u32 i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}
static inline u64 __brevll(u64 x) {
    return (u64)__brev((u32)x) << 32 | __brev((u32)(x >> 32));
}
static inline int __popc(u32 x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}
static inline int __popcll(u64 x) {
    return __popc((u32)x) + __popc((u32)(x >> 32));
}
static inline int __clz(s32 x) {
    int n = 0;
    while (n < 32 && !((u32)x >> (31 - n) & 1))
        n++;
    return n;
}
static inline int __clzll(s64 x) {
    int n = 0;
    while (n < 64 && !((u64)x >> (63 - n) & 1))
        n++;
    return n;
}
static inline int __ffs(s32 x) {
    for (int n = 0; n < 32; n++)
        if ((u32)x >> n & 1)
            return n + 1;
    return 0;
}
static inline u32 __byte_perm(u32 x, u32 y, u32 selector) {
    u64 bytes = (u64)y << 32 | x;
    u32 r = 0;
    for (u32 i = 0; i < 4; i++)
        r |= (u32)(bytes >> (8 * (selector >> (4 * i) & 7)) & 0xff) << (8 * i);
    return r;
}
static inline u32 __funnelshift_l(u32 low, u32 high, u32 shift) {
    return (u32)(((u64)high << 32 | low) << (shift & 31) >> 32);
}
static inline u32 __funnelshift_r(u32 low, u32 high, u32 shift) {
    return (u32)(((u64)high << 32 | low) >> (shift & 31));
}
static inline u32 __funnelshift_lc(u32 low, u32 high, u32 shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
static inline u32 __funnelshift_rc(u32 low, u32 high, u32 shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
static inline u32 __usad(u32 x, u32 y, u32 z) {
    return (x > y ? x - y : y - x) + z;
}
static inline u32 umin(u32 a, u32 b) {
    return a < b ? a : b;
}
static inline u32 umax(u32 a, u32 b) {
    return a > b ? a : b;
}
static inline s32 __dp4a(s32 a, s32 b, s32 c) {
    u32 sum = (u32)c;
    for (u32 i = 0; i < 4; i++)
        sum += (u32)((s32)(s8)((u32)a >> (8 * i)) * (s32)(s8)((u32)b >> (8 * i)));
    return (s32)sum;
}

/* Floating point operations that round once, to nearest. */
static inline double __dadd_rn(double a, double b) {
    return a + b;
}
static inline double __dsub_rn(double a, double b) {
    return a - b;
}
static inline double __dmul_rn(double a, double b) {
    return a * b;
}
static inline float __fadd_rn(float a, float b) {
    return a + b;
}
static inline float __fmul_rn(float a, float b) {
    return a * b;
}
#define __fma_rn  fma
#define __fmaf_rn fmaf

#endif

/* The index of this thread over the whole launch. */
#define THREAD_INDEX (blockIdx.x * blockDim.x + threadIdx.x)

#endif
