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

# ---------------------------------------------------------------- golden functions

cat >"$tmp/g.sass" <<'X'
.kernel g
.param x, 8
.param key, 8
    NOP ;
    EXIT ;
.end
X
python3 tests/debug/golden_functions.py "$tmp"
"$FHEC" debug "$tmp/g.sass" --grid 1 --block 32 --in x="$tmp/x.bin" --in key="$tmp/key.bin" --batch \
    --keep-going -x "$tmp/script" 2>&1 | sed -E 's/ \(lanes .*//' >"$tmp/said"
same "golden functions are what their definitions are" "$(diff "$tmp/said" "$tmp/wanted" | cut -c1-300)" ""
echo 'help golden' >"$tmp/help"
"$FHEC" debug "$tmp/g.sass" --grid 1 --block 32 --in x="$tmp/x.bin" --in key="$tmp/key.bin" --batch \
    -x "$tmp/help" 2>&1 | sed -nE 's/^  golden\.([a-z0-9_]+)\(.*/\1/p' | sort >"$tmp/helped"
same "each of them is compared" "$(diff "$tmp/helped" "$tmp/names")" ""
same "and in the manual" "$(while read -r name; do
    grep -qE "^\.It Li golden\.$name\(| golden\.$name\(" docs/man/fhec-debug.1 || echo "$name"
done <"$tmp/helped")" ""

# asks NAME STATUS WANTED COMMAND...: of the kernel below, at `top`
asks() {
    local name=$1 status=$2 wanted=$3
    shift 3
    printf '%s\n' 'break label top' continue "$@" >"$tmp/script"
    fhec "$name" "$status" "$wanted" debug "$tmp/m.sass" --kernel=m --grid 1 --block 32 --inout x="$tmp/x.bin" \
        --arg n=7 --batch -x "$tmp/script"
}
# Six instructions of each iteration: by 0x10 in the first call, by 1 in the second.
cat >"$tmp/m.sass" <<'X'
.kernel m
.param x, 8
.param n, 4
.equ HALF, 16
.set step, 3
.reg value = R5
.reg acc[2:5] = R8
.shared room, 256
.macro ADD2 d, s, by=1
    IADD3 \d, \s, \by, RZ ;
.set step, step + 1
inner\@:
    MOV \d, \d ;
.endm
.macro TWICE r, k
.rept 2, i
    ADD2 acc[2 + \i], \r, 0x1\k
    ADD2 s=\r, d=acc[4 + \i]
.endr
.endm
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    SHF.L.U32 R6, R0, 0x2, RZ ;
    IADD3 value, R0, 0x64, RZ ;
    STS [R6], value ;
top:
    TWICE value, 0
.irp q, R0, value
    IADD3 R2, \q, R2, RZ ;
.endr
    EXIT ;
.end
.kernel other
.reg value = R3
    EXIT ;
.end
X
asks "names of the source, as they are there" 0 "HALF lane 0 = 16
step lane 0 = 3
step lane 0 = 7
value lane 3 = 0x67
top lane 0 = 80
n lane 0 = 0x7
room[5] lane 0 = 0x69
&room[5] lane 0 = 0x14" 'print HALF' 'print step' 'focus l3' 'print value' 'focus l0' 'print top' \
    'print n' 'print room[5]' 'print &room[5]' 'step 9' 'print step'
asks "ranges of registers, in a lane and in all" 0 "[0]  116 116 101 101
[3]  119 119 104 104" 'step 7' 'print /unsigned acc[2:5] *'
asks "an argument, with those around it" 0 "acc[2 + 1] lane 0 = 0x74
d lane 0 = 0x74
value lane 0 = 0x64
by lane 0 = 16
r lane 0 = 0x64
2 * i + 1 lane 0 = 3
k lane 0 = 0
value == 100 lane 0 = 1 (lanes 0x00000001 of 0xffffffff: 0)" 'step 5' 'print \d' 'print d' \
    'print \s' 'print by' 'print r' 'print 2 * i + 1' 'print k' 'print \s == 100'
asks "all of them" 0 "macro ADD2, $tmp/m.sass:17
  d = acc[2 + 1]
  s = value
  by = 0x10
iteration 2 of .rept, $tmp/m.sass:16
  i = 1
macro TWICE, $tmp/m.sass:27
  r = value
  k = 0" 'step 5' 'info macros'
asks "labels of macros, and behind them" 0 "stop 2: break label inner1
0x0060" 'break label inner1' continue
asks "arguments by name, and defaults" 0 "acc[4 + 0] lane 0 = 0x65
by lane 0 = 1" 'step 3' 'print \d' 'print by'
asks "the words of .irp" 0 "R0 lane 4 = 0x4
value lane 4 = 0x68" 'step 8' 'focus l4' 'print \q' step 'print \q'
asks "no such argument" 2 "has no such parameter: \\nothing" 'print \nothing'
asks "in conditions, too" 0 "stop 2: break op MOV if acc[2] == 116
launch 1 of 1, m, instruction 6" 'break op MOV if acc[2] == 116' continue
asks "elements that differ" 0 "x != golden.bitrev_order(x): 56 of 64 elements, all but [0] [12] [18] [30] [33] [45] [51] [63]
room[0:3] == [100, 5, 102, 103]: 3 of 4 elements, all but [1]
x[0:7] != (x[0:7] mod 1099511627776): 0 of 8 elements" 'print x != golden.bitrev_order(x)' \
    'print room[0:3] == [100, 5, 102, 103]' 'print x[0:7] != (x[0:7] mod 1099511627776)'
asks "which lanes differ" 0 "R0 != R5 - 100 lane 0 = 0 (lanes 0x00000000 of 0xffffffff)
R0@* % 3 == 1: lanes 0x92492492 of 0xffffffff: 1 4 7 10 13 16 19 22 25 28 31
R0 != 3 lane 3 = 0 (lanes 0xfffffff7 of 0xffffffff: 0-2 4-31)" 'print R0 != R5 - 100' \
    'print R0@* % 3 == 1' 'focus l3' 'print R0 != 3'
asks "casts and formats" 0 "f32(0x3fc00000) lane 0 = 1.5
f16x2(0x3e003c00) lane 0 = 1, 1.5
0x3e003c00 lane 0 = 1, 1.5
R5 lane 0 = 0b1100100
R5 lane 0 = -1
s8(R5 * 2) lane 0 = -56
f64(0x4008000000000000) / 4 lane 0 = 0.75" 'print f32(0x3fc00000)' 'print f16x2(0x3e003c00)' \
    'print /halves 0x3e003c00' 'print /binary R5' 'print /centred:101 R5' 'print s8(R5 * 2)' \
    'print f64(0x4008000000000000) / 4'
asks "tables of what is computed" 0 "golden.powers(3, 4, 100)
[0]  1  3  9 27" 'x /unsigned golden.powers(3, 4, 100), 1'
for wrong in 'golden.nt(x, 5)|did you mean `ntt`' 'golden.ntt(x)|too few arguments; it is golden.ntt(x, q' \
    'golden.ntt(x, 5, 6, 7)|too many arguments' 'golden.ntt(x, 16)|not prime' 'golden.ntt(R5, 17)|an array is expected' \
    'golden.powmod(2, x, 5)|a number is expected' 'golden.add(x, x[0:3], 7)|not of one length' \
    'golden.add(x, -1, 7)|a number is negative' 'golden.bconv(x, [17, 19, 23], [5])|no multiple of the limbs' \
    'golden.bconv(x, [17, 17], [5])|twice' 'golden.inverse(2, 4)|shares a factor' 'golden.rescale(x, [17, 97], 2, 1)|extension' \
    'golden.big_mod(x, [0])|modulus' 'golden.random(1, 17, 100000000)|more than 2^24' 'golden.powers(2, 0, 5)|nothing is left'; do
    asks "refused: ${wrong%%|*}" 2 "${wrong#*|}" "print ${wrong%%|*}"
done
done_testing
