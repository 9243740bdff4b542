#!/usr/bin/env bash
# fhec lint finds nothing in the libraries of the CUDA toolkit, whose code for sm_80 runs: in
# libcurand, and with FHEC_TEST_LONG in the others, which takes minutes. Skipped where there are none.
. "$(dirname "$0")/../tools/tap.sh"
. tests/tools/nvcc.sh

# The libraries lie beside the compiler.
folder=$(dirname "$(dirname "$(readlink -f "$nvcc" 2>/dev/null || echo "$nvcc")")")
libraries=(curand)
[ -z "${FHEC_TEST_LONG:-}" ] || libraries+=(cufft cublas cusolver cusolverMg cusparse cublasLt)
for name in "${libraries[@]}"; do
    file=$(compgen -G "$folder/lib*/lib$name.so.*" || compgen -G "$folder/targets/*/lib/lib$name.so.*")
    file=$(head -n 1 <<<"$file")
    if [ ! -r "$file" ]; then
        skip "lib$name" "it is not beside $nvcc"
        continue
    fi
    fhec "lib$name: the kernels" 0 "kernel _Z" run "$file"
    [ "$name" != curand ] || same "lib$name: many" "$([ "$(grep -c '^kernel ' <<<"$said")" -gt 100 ] &&
        echo yes)" yes
    said=$("$FHEC" lint --diag=json "$file" 2>&1)
    same "lib$name: nothing is found" "$? $(head -n 3 <<<"$said" | cut -c 1-400)" "0 "
done
done_testing
