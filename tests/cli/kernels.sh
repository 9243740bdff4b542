#!/usr/bin/env bash
# The kernels of tests/kernels and programs that carry expectations, on both engines and on every
# level of SIMD that this host has.
. "$(dirname "$0")/../tools/tap.sh"

paths=(tests/kernels)
grep -rlq '^\.test ' programs --include=*.sass && paths+=(programs)
for path in "${paths[@]}"; do
    fhec "$path, engine ref" 0 "" test --engine ref "$path"
    for level in portable avx2 avx512; do
        "$FHEC" test --simd $level "$path" >"$tmp/said" 2>&1
        status=$?
        if grep -q "no such --simd level" "$tmp/said"; then
            skip "$path, $level" "not on this host"
        else
            [ $status = 0 ] && ok "$path, $level" || not_ok "$path, $level" "$(tail "$tmp/said")"
        fi
    done
done
done_testing
