#!/usr/bin/env bash
# fhec cuda --seed-machine: copies from and to pageable memory of the host, which CUDA lets nobody see
# half done; those from and to pinned memory wait in their stream until somebody waits for it.
. "$(dirname "$0")/../tools/tap.sh"
. "$(dirname "$0")/../tools/cuda_driver.sh"

cuda_libraries "copies of pageable memory"
cat >"$tmp/host.c" <<'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct CUctx_st *context;
int cuInit(unsigned), cuCtxCreate_v2(context *, unsigned, int), cuMemAlloc_v2(uint64_t *, size_t);
int cuMemAllocHost_v2(void **, size_t), cuStreamCreate(void **, unsigned), cuStreamSynchronize(void *);
int cuMemcpyHtoDAsync_v2(uint64_t, const void *, size_t, void *);
int cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, void *);
int main(void) {
    context c;
    uint64_t x, y;
    void *stream;
    int *pinned, *back;
    if (cuInit(0) || cuCtxCreate_v2(&c, 0, 0) || cuMemAlloc_v2(&x, 4096) || cuMemAlloc_v2(&y, 4096) ||
        cuMemAllocHost_v2((void **)&pinned, 4096) || cuMemAllocHost_v2((void **)&back, 4096) ||
        cuStreamCreate(&stream, 1))
        return 1;
    int *pageable = malloc(4096), *result = malloc(4096);
    for (int i = 0; i < 1024; i++)
        pageable[i] = 7 * i, pinned[i] = 11 * i;
    memset(result, -1, 4096);
    memset(back, -1, 4096);
    cuMemcpyHtoDAsync_v2(x, pageable, 4096, stream);
    memset(pageable, 0, 4096); /* it has been read */
    free(pageable);
    cuMemcpyDtoHAsync_v2(result, x, 4096, stream);
    printf("%d %d\n", result[1], result[1023]); /* it has been written */
    cuMemcpyHtoDAsync_v2(y, pinned, 4096, stream);
    pinned[1] = 5; /* a mistake: it may be read later */
    cuMemcpyDtoHAsync_v2(back, y, 4096, stream);
    printf("%d\n", back[1023]); /* another one: it may not be there yet */
    cuStreamSynchronize(stream);
    printf("%d %d\n", back[1], back[1023]);
    return 0;
}
END
cuda_program "$tmp/host.c" "$tmp/host"
same "without a seed all is done at once" "$("$FHEC" cuda -- "$tmp/host")" $'7 7161\n11253\n11 11253'
for seed in 1 2 3; do
    same "seed $seed" "$("$FHEC" cuda --seed-machine $seed -- "$tmp/host")" $'7 7161\n-1\n5 11253'
done
done_testing
