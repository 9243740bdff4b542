#!/usr/bin/env bash
# fhec run with several FILEs: kernels and variables are looked up in all of them.
. "$(dirname "$0")/../tools/tap.sh"

kernel() { # kernel NAME N: writes N to the first word of p
    cat >"$tmp/$1.sass" <<END
.kernel $1
.param p, 8
  MOV R4, p[0] ;
  MOV R5, p[4] ;
  MOV R6, $2 ;
  STG.E [R4.64], R6 ;
  EXIT ;
.end
END
}
kernel first 1
kernel second 2
one="--grid 1 --block 1"
# shellcheck disable=SC2086 # options
{
    fhec "a kernel of the second file" 0 "" run "$tmp/first.sass" "$tmp/second.sass" -k second $one \
        --out "p=$tmp/p:4"
    same "it has run" "$(od -An -tu4 "$tmp/p" | tr -d ' ')" 2
    fhec "kernels of both" 0 "" run "$tmp/first.sass" "$tmp/second.sass" -k second $one \
        --then -k first $one --out "p=$tmp/p:4"
    same "both have run" "$(od -An -tu4 "$tmp/p" | tr -d ' ')" 1
    fhec "none is chosen" 2 "the files have 2 kernels; choose one with --kernel" \
        run "$tmp/first.sass" "$tmp/second.sass" $one --out p=:4
    fhec "a misspelt one" 2 'the files have no kernel "secnd"; did you mean "second"?' \
        run "$tmp/first.sass" "$tmp/second.sass" -k secnd $one --out p=:4
    fhec "the same twice" 2 '2 of the objects have a kernel "first"' \
        run "$tmp/first.sass" "$tmp/first.sass" -k first $one --out p=:4
}
fhec "a list of both" 0 "kernel first: 7 registers
kernel second: 7 registers" run "$tmp/first.sass" "$tmp/second.sass"
fhec "bytes of a parameter" 3 "address      0x100 in global memory" run "$tmp/first.sass" --grid 1 --block 1 \
    --arg p=bytes:0001000000000000
fhec "too few" 2 'parameter p takes 8 bytes; "bytes:00" is not a number that fits' \
    run "$tmp/first.sass" --grid 1 --block 1 --arg p=bytes:00
done_testing
