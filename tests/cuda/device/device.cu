/*
 * device.cu - kernels that call what the driver has for them: printf, malloc, free, assert.
 * tests/unit/device_runtime_test.c and tests/cli/run_device.sh know what they are to say.
 */
#include <assert.h>
#include <stdio.h>

extern "C" __global__ void greet(int n) {
    printf("thread %d of %d in block %d\n", threadIdx.x, n, blockIdx.x);
}

/* Every conversion; out[0..] are what the calls return. */
extern "C" __global__ void formats(int *out) {
    signed char c = -3;
    unsigned short h = 65535;
    out[0] = printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", -7, 42, 42, 42, 42, 42);
    out[1] = printf("[%u] [%x] [%X] [%#x] [%o] [%#o]\n", 4294967295u, 48879, 48879, 48879, 8, 8);
    out[2] = printf("[%lld] [%llu] [%ld] [%llx] [%d]\n", -9223372036854775807LL - 1,
                    18446744073709551615ULL, -5L, 0x123456789abcdefULL, 9);
    out[3] = printf("[%f] [%.2f] [%10.3f] [%e] [%g] [%G]\n", 1.5, 2.675f, -3.14159, 12345.678,
                    0.0001, 1e-10);
    out[4] = printf("[%c] [%s] [%8s] [%-8s] [%.2s]\n", 'A', "text", "right", "left", "cut");
    out[5] = printf("[%*d] [%-*d] [%.*f] [%*d]\n", 6, 12, 6, 12, 3, 2.0, -4, 1);
    out[6] = printf("100%% %hhd %hu %c%c\n", c, h, 'o', 'k');
    out[7] = printf("nothing\n");
}

extern "C" __global__ void pointers(void *a, char *b) {
    printf("%p %s\n", a, b);
}

/* Lanes that print in turn, and in loops of different lengths. */
extern "C" __global__ void turns() {
    for (int i = 0; i < threadIdx.x; i++)
        printf("%d:%d ", threadIdx.x, i);
}

extern "C" __global__ void take(void **out, unsigned long long bytes) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *block = (unsigned *)malloc(bytes);
    if (block)
        for (unsigned k = 0; k < bytes / 4; k++)
            block[k] = i * 1000 + k;
    out[i] = block;
}

/* Counts what take has not left as it was, and frees it. */
extern "C" __global__ void give(void **in, unsigned long long bytes, unsigned *wrong) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned *block = (const unsigned *)in[i];
    unsigned bad = 0;
    for (unsigned k = 0; block && k < bytes / 4; k++)
        bad += block[k] != i * 1000 + k;
    wrong[i] = bad;
    free(in[i]);
}

struct chain {
    chain *next;
    unsigned value;
};

/* A list by new, summed and deleted. */
extern "C" __global__ void chains(unsigned *out, unsigned n) {
    chain *list = nullptr;
    unsigned sum = 0;
    for (unsigned i = 0; i < n + threadIdx.x; i++)
        list = new chain{list, i};
    while (list) {
        chain *gone = list;
        sum += list->value;
        list = list->next;
        delete gone;
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void claims(unsigned most) {
    assert(threadIdx.x < most);
}

/* printf or another function through a pointer, lane by lane. */
extern "C" __global__ void mixed(void **out) {
    if (threadIdx.x & 1)
        out[threadIdx.x] = malloc(16 + threadIdx.x);
    else
        printf("%u\n", threadIdx.x);
}
