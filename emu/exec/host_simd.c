/*
 * host_simd.c - the SIMD levels of this processor.
 */
#include "host_simd.h"

#if defined __x86_64__
#include <cpuid.h>

/* Not all compilers know it by name. Hypervisors answer CPUID in tens of microseconds, as long as a
 * machine takes otherwise, so only processors without AVX-512 are asked: all that have it have
 * F16C. */
static bool has_f16c(void) {
    unsigned a, b, c, d;
    return __builtin_cpu_supports("avx512f") || (__get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C));
}
#endif

static bool has_avx2(void) {
#if defined __x86_64__
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma") && has_f16c();
#else
    return false;
#endif
}

static bool has_avx512(void) {
#if defined __x86_64__
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vnni") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vpopcntdq") &&
           __builtin_cpu_supports("avx512vbmi");
#else
    return false;
#endif
}

bool fh_host_simd(fhec_simd wanted, fhec_simd *level) {
    bool there = false;
    switch (wanted) {
    case FHEC_SIMD_BEST:
        *level = has_avx512() ? FHEC_SIMD_AVX512 : has_avx2() ? FHEC_SIMD_AVX2 : FHEC_SIMD_PORTABLE;
        return true;
    case FHEC_SIMD_PORTABLE: there = true; break;
    case FHEC_SIMD_AVX2: there = has_avx2(); break;
    case FHEC_SIMD_AVX512: there = has_avx512(); break;
    }
    if (there)
        *level = wanted;
    return there;
}
