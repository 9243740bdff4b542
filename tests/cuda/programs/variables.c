/*
 * variables.c - three launches of a kernel `step` over the driver's interface, with what the host
 * does to the module's variables around them: variables OBJECT. The host sets the constant `scale`
 * before each launch, and `counter` before the first, and prints `counter` behind each.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct CUctx_st *context;
int cuInit(unsigned), cuCtxCreate_v2(context *, unsigned, int), cuModuleLoad(void **, const char *);
int cuModuleGetFunction(void **, void *, const char *);
int cuModuleGetGlobal_v2(uint64_t *, size_t *, void *, const char *);
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);
int cuCtxSynchronize(void);

int main(int argc, char **argv) {
    void *module, *kernel;
    context ctx;
    uint64_t scale, counter;
    size_t bytes;
    uint32_t value = 100;
    if (argc != 2 || cuInit(0) || cuCtxCreate_v2(&ctx, 0, 0) || cuModuleLoad(&module, argv[1]) ||
        cuModuleGetFunction(&kernel, module, "step") ||
        cuModuleGetGlobal_v2(&scale, &bytes, module, "scale") ||
        cuModuleGetGlobal_v2(&counter, &bytes, module, "counter") ||
        cuMemcpyHtoD_v2(counter, &value, sizeof value))
        return 1;
    for (uint32_t factor = 3; factor < 12; factor += 4) {
        if (cuMemcpyHtoD_v2(scale, &factor, sizeof factor) ||
            cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) || cuCtxSynchronize() ||
            cuMemcpyDtoH_v2(&value, counter, sizeof value))
            return 1;
        printf("%u ", value);
    }
    return 0;
}
