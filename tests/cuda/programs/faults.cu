/*
 * faults.cu WHAT - a kernel goes wrong in the way that is named: which error the calls behind it
 * answer, and that it stays. The program itself ends with 0 if they do.
 */
#include "program.h"

__global__ void store(int *p, long at) { p[at] = 1; }
__global__ void load_wide(const char *p, double *to) { *to = *(const double *)(p + 4); }
__global__ void trap(void) { __trap(); }
__global__ void shared(int *p, int at) {
    __shared__ int s[32];
    s[threadIdx.x + at] = 1;
    __syncthreads();
    *p = s[0];
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    cudaError_t want = cudaSuccess;
    int *p;
    GOOD(cudaMalloc(&p, 1024));
    if (!strcmp(what, "address")) {
        store<<<1, 1>>>(p, 1L << 40);
        want = cudaErrorIllegalAddress;
    } else if (!strcmp(what, "null")) {
        store<<<1, 1>>>(NULL, 0);
        want = cudaErrorIllegalAddress;
    } else if (!strcmp(what, "host")) {
        static int mine[4];
        store<<<1, 1>>>(mine, 0);
        want = cudaErrorIllegalAddress;
    } else if (!strcmp(what, "misaligned")) {
        load_wide<<<1, 1>>>((char *)p, (double *)p);
        want = cudaErrorMisalignedAddress;
    } else if (!strcmp(what, "trap")) {
        trap<<<1, 1>>>();
        want = cudaErrorLaunchFailure;
    } else if (!strcmp(what, "shared")) {
        shared<<<1, 32>>>(p, 1 << 20);
        want = cudaErrorIllegalAddress;
    } else {
        return 2;
    }
    (void)cudaGetLastError(); /* of the launch: it may be too early for the fault */
    IS(cudaDeviceSynchronize(), want);
    IS(cudaGetLastError(), want);
    IS(cudaGetLastError(), want); /* it stays */
    IS(cudaMalloc(&p, 16), want);
    store<<<1, 1>>>(p, 0);
    IS(cudaGetLastError(), want);
    IS(cudaMemset(p, 0, 4), want);
    return program_end();
}
