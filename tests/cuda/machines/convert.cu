// What compilers write otherwise for sm_86, sm_87 and sm_89 than for sm_80: conversions of integers
// to floats, of floats to packed bytes, products of complex halves. Compiled by ../make.sh.
#include <cuda_fp16.h>

extern "C" __global__ void floats(float *out, const int *in) {
    unsigned i = threadIdx.x;
    out[3 * i] = (float)in[i];
    out[3 * i + 1] = (float)(unsigned)in[i];
    out[3 * i + 2] = __int2float_rz(in[i]);
}

extern "C" __global__ void bytes(unsigned *out, const float *in) {
    unsigned i = threadIdx.x;
    int x = __float2int_rn(in[2 * i]), y = __float2int_rn(in[2 * i + 1]);
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(out[2 * i]) : "r"(x), "r"(y), "r"(0x1234));
    asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(out[2 * i + 1]) : "r"(x), "r"(y), "r"(5));
}

extern "C" __global__ void complexes(__half2 *out, const __half2 *in) {
    unsigned i = threadIdx.x;
    out[i] = __hcmadd(in[i], in[i + 32], in[i + 64]);
}
