#!/usr/bin/env bash
# fhec run of kernels that print, allocate and assert (tests/cuda/device).
. "$(dirname "$0")/../tools/tap.sh"
kernels=tests/cuda/device.cubin

got=$("$FHEC" run $kernels -k turns --grid 1 --block 4 2>/dev/null)
same "what a kernel prints goes to stdout" "$got" "1:0 2:0 3:0 2:1 3:1 3:2 "
got=$("$FHEC" run $kernels -k turns --grid 1 --block 4 --engine ref 2>/dev/null)
same "and so on the other engine" "$got" "1:0 2:0 3:0 2:1 3:1 3:2 "
"$FHEC" run $kernels -k claims --grid 1 --block 4 --arg param0=3 >"$tmp/out" 2>"$tmp/err"
same "a failed assertion is a fault" $? 3
line=$(grep -c 'block: \[0,0,0\], thread: \[3,0,0\] Assertion `threadIdx.x < most` failed.$' "$tmp/err")
same "whose line is CUDA's" "$((line > 0))" 1
same "string constants are no variables of the source" "$("$FHEC" run $kernels | grep -c '^variable [$]str')" 0
check "all of them are listed on demand" test "$("$FHEC" run --all $kernels | grep -c '^variable [$]str')" -gt 0
same "nor is it news that there is printf" "$("$FHEC" run $kernels 2>&1 | grep -c 'defined nowhere')" 0
done_testing
