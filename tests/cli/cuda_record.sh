#!/usr/bin/env bash
# fhec cuda --record: launches of a program over CUDA's driver are repeated with equal results, and a
# byte that differs is found.
. "$(dirname "$0")/../tools/tap.sh"
. "$(dirname "$0")/../tools/cuda_driver.sh"

cuda_libraries "recorded launches"
cat >"$tmp/host.c" <<'END'
/* Launches `square` of docs/scripts four times; with an argument a fifth time, out of bounds. Memory
 * holds a pointer, too, and a second allocation is not touched. */
#include <stdint.h>
#include <stdio.h>
typedef struct CUctx_st *context;
int cuInit(unsigned), cuCtxCreate_v2(context *, unsigned, int), cuModuleLoad(void **, const char *);
int cuModuleGetFunction(void **, void *, const char *), cuMemAlloc_v2(uint64_t *, size_t);
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                   void **, void **);
int cuCtxSynchronize(void);
int main(int argc, char **argv) {
    context c;
    void *module, *kernel;
    uint64_t x, other, q = 97, data[10];
    unsigned n = 10;
    void *args[] = {&x, &n, &q};
    if (cuInit(0) || cuCtxCreate_v2(&c, 0, 0) || cuModuleLoad(&module, argv[1]) ||
        cuModuleGetFunction(&kernel, module, "square") || cuMemAlloc_v2(&x, sizeof data) ||
        cuMemAlloc_v2(&other, 3 << 20))
        return 1;
    for (unsigned i = 0; i < n; i++)
        data[i] = i + 1;
    cuMemcpyHtoD_v2(x, data, sizeof data);
    cuMemcpyHtoD_v2(other + (2 << 20), &x, sizeof x);
    for (int i = 0; i < 4; i++)
        cuLaunchKernel(kernel, 3, 1, 1, 4, 1, 1, 0, 0, args, 0);
    cuMemcpyDtoH_v2(data, x, sizeof data);
    printf("%d %d\n", (int)data[1], (int)data[9]);
    n = 11;
    if (argc > 2)
        cuLaunchKernel(kernel, 3, 1, 1, 4, 1, 1, 0, 0, args, 0);
    return 0;
}
END
cuda_program "$tmp/host.c" "$tmp/host"
"$FHEC" as docs/scripts/powers.sass -o "$tmp/powers.cubin"

# 2^16 and 10^16 mod 97, as Python has them.
same "the program's results" "$("$FHEC" cuda --record "$tmp/R" -- "$tmp/host" "$tmp/powers.cubin" x 2>/dev/null)" \
    "61 62"
same "a folder for each launch" "$(find "$tmp/R" -name launch.fhec | wc -l)" 5
fhec "they are repeated" 0 "5 passed" test "$tmp/R"
fhec "one by one" 0 "" run --script "$tmp/R/0003-square/launch.fhec"
fhec "on the other engine, on a machine by seed" 0 "" run --script "$tmp/R/0003-square/launch.fhec" \
    --engine ref --seed-machine 7
check "the last one faults" grep -q "faults 'out of bounds'" "$tmp/R/0005-square/launch.fhec"
# x is written before and behind: 5 states; the pointer; the object.
same "what launches have in common is there once" "$(find "$tmp/R/data" -type f | wc -l)" 7
mv "$tmp/R" "$tmp/elsewhere"
fhec "a case needs nothing but its folder" 0 "5 passed" test "$tmp/elsewhere"

# The fifth element behind the second launch is 5^4 mod 97 = 43; a byte of it is changed.
expected=$(sed -n 's/^expect m0+0 @..\///p' "$tmp/elsewhere/0002-square/launch.fhec")
cp "$tmp/elsewhere/$expected" "$tmp/elsewhere/data/flipped.bin"
printf '\054' | dd of="$tmp/elsewhere/data/flipped.bin" bs=1 seek=32 conv=notrunc 2>/dev/null
sed -i "s#^expect m0+0 .*#expect m0+0 @../data/flipped.bin#" "$tmp/elsewhere/0002-square/launch.fhec"
fhec "a byte that differs is named" 1 \
    "m0 from byte 0 on differs in 1 of 20 elements, first in element 8: it is 0x2b (43), expected 0x2c (44)" \
    run --script "$tmp/elsewhere/0002-square/launch.fhec"
fhec "and found by fhec test" 1 "4 passed, 1 failed" test "$tmp/elsewhere"

"$FHEC" cuda --record "$tmp/one" --record-kernel square:3 -- "$tmp/host" "$tmp/powers.cubin" >/dev/null
same "one launch only" "$(ls "$tmp/one")" "0001-square
data"
# 2, 4, 16: the third launch makes 16^2 mod 97 = 62 of it, in lane 1 before the store.
printf 'break op STG\ncontinue\nfocus lane 1\nprint R4\nquit\n' >"$tmp/look"
said=$("$FHEC" cuda --debug=square:3 -- "$tmp/host" "$tmp/powers.cubin" <"$tmp/look" 2>&1)
same "a launch in the debugger" "$(grep -c '^R4 lane 1 = 0x3e' <<<"$said")" 1
same "the program goes on behind it" "$(tail -n 1 <<<"$said")" "61 62"
said=$("$FHEC" cuda --debug=cube -- "$tmp/host" "$tmp/powers.cubin" </dev/null 2>&1)
same "no launch to debug" "$(grep -c -- '--debug: there was no such launch' <<<"$said")" 1
fhec "its record is debugged likewise" 0 "R4 lane 1 = 0x3e" debug --script "$tmp/one/0001-square/launch.fhec" --execute "$tmp/look" --batch
fhec "with checks" 2 "--record and --debug read all of memory" cuda --record "$tmp/no" --check -- "$tmp/host"
fhec "without a folder" 2 "--record DIR says where to" cuda --record-kernel k -- "$tmp/host"
done_testing
