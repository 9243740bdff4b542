#!/usr/bin/env bash
# --seed-machine: what a kernel relies on that nobody promises is found by fhec test, with a verdict
# of its own; what is right is right on every machine.
. "$(dirname "$0")/../tools/tap.sh"

# out[i] = 3 a[i], by hand: the address is added in two halves. HIGH is how the high half is made,
# FIRST what stands before, LAST what is stored.
kernel() { # kernel HIGH FIRST VALUE
    cat >"$tmp/k.sass" <<END
.target sm_80
.kernel triple
.param a, 8
.param out, 8
.shared words, 256
    S2R R0, SR_TID.X ;
    SHF.L.U32 R1, R0, 0x2, RZ ;
    $2
    IADD3 R2, P0, R1, a, RZ ;
    $1
    LDG.E R4, [R2.64] ;
    IADD3 R6, P0, R1, out, RZ ;
    IADD3.X R7, RZ, out+4, RZ, P0, !PT ;
    IMAD R5, R4, 0x3, R8 ;
    $3
    STG.E [R6.64], R5 ;
    EXIT ;
.end
END
    printf '%s\n' "case one grid 1 block $threads" "in a u32[$threads] ramp" "out out u32[$threads]" \
        "expect out reference own.py triple a" >"$tmp/k.test"
}
echo 'triple = lambda a: [3 * x for x in a]' >"$tmp/own.py"
carry='IADD3.X R3, RZ, a+4, RZ, P0, !PT ;' clear='MOV R8, RZ ;'

for threads in 8 32 1000; do
    kernel "$carry" "$clear" ""
    fhec "right, $threads threads" 0 "the machines are by --seed-machine 1
1 passed, 0 failed" test "$tmp/k.sass"
    kernel "MOV R3, a+4 ;" "$clear" ""
    fhec "no carry, $threads threads" 1 "with --seed-machine=off the case holds
VARIES $tmp/k.sass: one
0 passed, 1 failed" test "$tmp/k.sass"
    fhec "without a seed it is not seen" 0 "ok     $tmp/k.sass: one
1 passed, 0 failed" test --seed-machine=off "$tmp/k.sass"
done
threads=64
kernel "$carry" "" ""
fhec "a register that nobody has written" 1 "the result changes with the machine's seed
VARIES $tmp/k.sass: one" test "$tmp/k.sass"
kernel "$carry" "MOV R8, RZ ; S2UR UR4, SR_CTAID.X ;" "@UP2 IMAD R5, R4, 0x4, RZ ;"
sed -i 's/@UP2/@P3/' "$tmp/k.sass"
fhec "a predicate that nobody has written" 1 "VARIES $tmp/k.sass: one" test "$tmp/k.sass"
kernel "$carry" "$clear" "LDS R9, [R1] ; IADD3 R5, R5, R9, RZ ;"
fhec "shared memory that nobody has written" 1 "VARIES $tmp/k.sass: one" test "$tmp/k.sass"
kernel "$carry" "$clear" "LDG.E R9, [R6.64] ; IADD3 R5, R5, R9, RZ ;"
fhec "global memory that nobody has written" 1 "VARIES $tmp/k.sass: one" test "$tmp/k.sass"
sed -i 's/^out out.*/inout out u32[64] zeros/' "$tmp/k.test"
fhec "zeros that have been asked for" 0 "1 passed" test "$tmp/k.sass"

# What --update pins is what all machines leave: it is no reason to say that they differ, and hides none.
wrong=$(printf '0%.0s' {1..32})
pinned() { # pinned HIGH
    kernel "$1" "$clear" ""
    sed -i "s/^expect.*/& hash $wrong/" "$tmp/k.test"
}
pinned "$carry"
fhec "--update of a pin" 0 "1 passed, 0 failed" test --update "$tmp/k.sass"
same "it is another one then" "$(grep -c "$wrong" "$tmp/k.test")" 0
fhec "which holds" 0 "1 passed, 0 failed" test "$tmp/k.sass"
pinned "MOV R3, a+4 ;"
fhec "--update where machines differ" 1 "VARIES $tmp/k.sass: one" test --update "$tmp/k.sass"

# Warp 1 leaves a word for warp 0, with no barrier: in the default order it comes too late or in time.
cat >"$tmp/race.sass" <<'END'
.target sm_80
.kernel race
.param out, 8
.shared words, 256
.test case race grid 1 block 64
.test out out u32[64]
.test expect out reference own.py race
    S2R R0, SR_TID.X ;
    SHF.L.U32 R1, R0, 0x2, RZ ;
    LOP3.LUT R2, R1, 0x80, RZ, 0x3c, !PT ;
    STS [R1], R0 ;
    LDS R3, [R2] ;
    MOV R4, 0x4 ;
    IMAD.WIDE.U32 R4, R0, R4, out ;
    STG.E [R4.64], R3 ;
    EXIT ;
.end
END
echo 'race = lambda: [i ^ 32 for i in range(64)]' >>"$tmp/own.py"
fhec "a missing barrier" 1 "race.sass: race" test "$tmp/race.sass"
sed -i 's/^    LDS/    BAR.SYNC 0x0 ;\n&/' "$tmp/race.sass"
fhec "with the barrier" 0 "1 passed" test "$tmp/race.sass"
fhec "other seeds" 0 "the machines are by --seed-machine 77" test --seed-machine=77 "$tmp/race.sass"

# A buffer of which only some is written, and not compared, is what it is.
kernel "$carry" "$clear" "ISETP.GE.U32.AND P1, PT, R0, 0x4, PT ; @P1 EXIT ;"
sed -i 's/^expect.*/inout b u32[1] values 5\nexpect b values 5/; s/^in a/inout a/' "$tmp/k.test"
sed -i 's/^\.shared w/.param b, 8\n&/' "$tmp/k.sass"
fhec "elements that are left alone" 0 "1 passed" test "$tmp/k.sass"
# The address of a buffer is no result either.
kernel "$carry" "$clear" "MOV R5, a+4 ;"
sed -i 's/^expect.*/inout b u32[1] values 5\nexpect b values 5/' "$tmp/k.test"
sed -i 's/^\.shared w/.param b, 8\n&/' "$tmp/k.sass"
fhec "a result that is not compared and varies" 1 "the result changes with the machine's seed: out[0] is 0x7f
 with 1 and 0x7f
VARIES $tmp/k.sass: one" test "$tmp/k.sass"
"$FHEC" test --format=json "$tmp/k.sass" >"$tmp/json" 2>&1
check "in JSON" grep -q '"verdict":"varies"' "$tmp/json"

# fhec run and the workloads: the seed is told and repeats the run.
threads=64
kernel "$carry" "" ""
python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(256)))' >"$tmp/a.bin"
run() { "$FHEC" run "$tmp/k.sass" --grid 1 --block 64 --in a="$tmp/a.bin" --out out=:256 --hash out "$@" 2>"$tmp/said"; }
first=$(run --seed-machine 5)
same "a seed repeats the run" "$(run --seed-machine=5 --engine ref)" "$first"
[ "$(run --seed-machine 6)" != "$first" ] && ok "another seed is another run" || not_ok "another seed is another run"
grep -q "the machine is that of --seed-machine 6" "$tmp/said" && ok "the seed is told" || not_ok "the seed is told"
drawn=$(run --seed-machine random)
same "a seed that was chosen repeats the run" "$(run --seed-machine "$(grep -oE '[0-9]+$' "$tmp/said")")" "$drawn"
fhec "no seed" 2 "--seed-machine x: expected a number" run "$tmp/k.sass" --seed-machine x
while read -r work; do
    for seed in 1 2; do
        # shellcheck disable=SC2086 # the words of a command
        fhec "$work on machine $seed" 0 "equal to the C reference" $work --seed-machine "$seed"
    done
done <<'END'
ntt --n 4096 --map fhec16 --limbs 2
ntt --n 1024 --map fhec256 --inverse
ntt --n 1024 --map imma16
bconv --n 256 --limbs 2,3 --map imma256
eltwise automorphism --n 256 --q 7681 --galois 5
bigint montmul --words 8 --count 5 --map mont
ckks hemult --logn 9 --limbs 3 --alpha 1 --dnum 3 --rescale
END
done_testing
