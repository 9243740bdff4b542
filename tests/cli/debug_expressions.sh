#!/usr/bin/env bash
# Expressions of fhec debug: random ones against an evaluator in Python, names of the source, macros'
# arguments, golden functions against definitions in Python.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/k.sass" <<'X'
.kernel k
.param x, 8
.equ GOLDEN, 0x9e3779b1
    S2R R0, SR_TID.X ;
    MOV R1, GOLDEN ;
    MOV R2, 0x7 ;
    IMAD R4, R0, R1, R2 ;
    LOP3.LUT R5, RZ, R0, RZ, 0x33, !PT ;
    MOV R3, 0x80000000 ;
    IMAD R6, R0, 0x3, RZ ;
    LOP3.LUT R6, R6, R3, RZ, 0x3c, !PT ;
    MOV R8, 0xaaaaaaab ;
    IMAD.HI.U32 R7, R0, R8, RZ ;
    SHF.R.U32.HI R7, RZ, 0x1, R7 ;
    IMAD R7, R7, -0x3, R0 ;
    EXIT ;
.end
X
seed=${FHEC_TEST_SEED:-12}
count=1500
[ -z "${FHEC_TEST_LONG:-}" ] || count=50000
python3 tests/debug/expressions.py "$seed" "$count" "$tmp/random" "$tmp/wanted"
{
    echo 'break op EXIT'
    echo continue
    cat "$tmp/random"
} >"$tmp/script"
"$FHEC" debug "$tmp/k.sass" --grid 1 --block 32 --out x="$tmp/out:256" --batch --keep-going \
    -x "$tmp/script" >"$tmp/said" 2>&1
# What is told behind a comparison is about other lanes.
grep -E '^error|lane [0-9]+ = ' "$tmp/said" | sed -E 's/^error: .*/error/; s/ \(lanes .*//' >"$tmp/got"
same "random expressions, seed $seed" "$(diff "$tmp/got" "$tmp/wanted" | head -20)" ""
done_testing
