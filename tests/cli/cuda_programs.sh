#!/usr/bin/env bash
# CUDA programs (tests/cuda/programs) as the compiler makes them, run with the libraries of cuda/; with
# FHEC_TEST_LONG those about the driver, about PTX and with CUDA's own runtime, too.
. "$(dirname "$0")/../tools/tap.sh"

programs=tests/cuda/programs
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
names=(errors memory launches graphs)
[ -z "${FHEC_TEST_LONG:-}" ] || names+=(driver)
faults=(address null host misaligned trap shared)
if grep -qa __asan_init "$FHEC"; then
    skip "CUDA programs" "they are none of a sanitizer's, and cannot load a library that is"
    done_testing
fi
if [ ! -x "$nvcc" ] || [ ! -e "$O/cuda/libcudart.so" ]; then
    for name in "${names[@]}" "${faults[@]}" static; do
        skip "$name" "there is no nvcc, or no cuda/libcudart.so in $O"
    done
    done_testing
fi

compile() { # compile NAME [OPTION...]
    local source=$programs/$1.cu out=$tmp/$1
    shift
    "$nvcc" -std=c++17 -arch=sm_80 "$@" -o "$out" "$source" >"$out.log" 2>&1
}
for name in "${names[@]}" faults; do
    compile "$name" -cudart shared
done
export LD_LIBRARY_PATH=$PWD/$O/cuda
[[ $O = /* ]] && LD_LIBRARY_PATH=$O/cuda
for name in "${names[@]}"; do
    check "$name" "$tmp/$name"
done

# The program ends with 0 if the calls behind the fault answer what they should; the fault itself is
# told on standard error.
for what in "${faults[@]}"; do
    said=$("$tmp/faults" "$what" 2>"$tmp/fault")
    same "a fault: $what" "$? $said" "0 7 checks, 0 wrong"
    check "it is told: $what" grep -q "^fhec cuda: .*guest fault: " "$tmp/fault"
done

if [ -z "${FHEC_TEST_LONG:-}" ]; then
    done_testing
    exit
fi

# What has no code for sm_80 but PTX runs where CUDA's library is that compiles it.
"$nvcc" -std=c++17 -arch=compute_75 -cudart shared -o "$tmp/ptx" $programs/graphs.cu >"$tmp/ptx.log" 2>&1
said=$("$tmp/ptx" 2>"$tmp/ptx.error")
status=$?
if grep -q "no nvJitLink" "$tmp/ptx.error"; then
    skip "a program with PTX" "there is no nvJitLink"
else
    same "a program with PTX" "$status $said $(cat "$tmp/ptx.error")" "0 81 checks, 0 wrong "
fi

compile faults -cudart static
said=$("$tmp/faults" null 2>&1)
check "a program with CUDA's own runtime is told what to do" grep -q -e "-cudart shared" <<<"$said"
done_testing
