#!/usr/bin/env bash
# fhec run --all-faults: a warp at fault ends and the others go on, so that all faults are said; no
# output; what watches the run works; deadlocks, step limits and Ctrl-C end it.
. "$(dirname "$0")/../tools/tap.sh"

# Warps 1 and 3 of each block fault, the others meet at the barrier and store.
cat >"$tmp/k.sass" <<'END_OF'
.target sm_80
.kernel K
.param out, 8
    S2R R0, SR_TID.X ;
    SHF.R.U32.HI R6, RZ, 0x5, R0 ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, out ;
    ISETP.EQ.AND P0, PT, R6, 0x1, PT ;
    ISETP.EQ.AND P1, PT, R6, 0x3, PT ;
    @P0 LDG.E R4, [RZ] ;
    @P1 LDS R4, [R0+0x4000] ;
    BAR.SYNC 0x0 ;
    STG.E [R2.64], R0 ;
    EXIT ;
.end
.kernel nothing
    EXIT ;
.end
END_OF
k=(run "$tmp/k.sass" -k K --block 160 --out "out=$tmp/out.bin:640")
all=("${k[@]}" --all-faults)
both="k.sass:10:5: guest fault: out of bounds
warp 1, lanes 0xffffffff
k.sass:11:5: guest fault: out of bounds
warp 3, lanes 0x11111111"

fhec "one fault without the option" 3 "k.sass:10:5" "${k[@]}" --grid 3
[[ $said != *k.sass:11* ]] && ok "and no more" || not_ok "and no more" "$said"
fhec "all faults" 3 "$both" "${all[@]}" --grid 1
[[ $said != *"more warp"* ]] && ok "none is twice there" || not_ok "none is twice there" "$said"
for how in "--engine ref" "--engine fast" "--threads 2" "--order seed=3" "--check=init,race" \
    "--check=leaks" "--trace=sync --trace-file=$tmp/trace" "--profile=$tmp/profile" "--stats"; do
    # shellcheck disable=SC2086 # the options are words
    fhec "$how" 3 "$both
error: out of bounds at 0x0060 of K: 2 more warps
error: out of bounds at 0x0070 of K: 2 more warps" "${all[@]}" --grid 3 $how
        [[ $said != *"leaks:"* ]] && ok "$how: no leaks of a run at fault" || not_ok "$how: no leaks" "$said"
    same "$how: both once" "$(grep -c "guest fault" <<<"$said")" 2
done
absent "no output" "$tmp/out.bin"
fhec "JSON" 3 '"repeats":{"fault":"out of bounds","kernel":"K","pc":96,"warps":1}' "${all[@]}" --grid 2 --diag=json
same "JSON: one object a line" "$(grep -c '^{.*}$' <<<"$said")" 4
fhec "launches" 3 "error: launch 1: $tmp/k.sass:10:5: guest fault
error: launch 1: out of bounds at 0x0070 of K: 1 more warp" "${all[@]}" --grid 2 --then -k K --grid 1 --block 32
[[ $said != *"launch 2"* ]] && ok "the next launch does not run" || not_ok "the next launch does not run" "$said"

# ---- nothing at fault: as without the option
same "without a fault" "$("$FHEC" "${all[@]}" --grid 1 --block 32 --hash out 2>&1)" \
    "$("$FHEC" "${k[@]}" --grid 1 --block 32 --hash out 2>&1)"
check "the output is there" test -s "$tmp/out.bin"
same "counts" "$("$FHEC" run "$tmp/k.sass" -k nothing --grid 5 --block 64 --all-faults --stats=json | grep -o '"warp_insts": *[0-9]*')" \
    "$("$FHEC" run "$tmp/k.sass" -k nothing --grid 5 --block 64 --stats=json | grep -o '"warp_insts": *[0-9]*')"

# ---- many places: warp n faults at instruction n of its own
{
    printf '%s\n' '.kernel many' 'S2R R0, SR_CTAID.X ;'
    for ((i = 0; i < 70; i++)); do
        printf '%s\n' "ISETP.EQ.AND P0, PT, R0, $i, PT ;" '@P0 LDG.E R4, [RZ] ;'
    done
    printf '%s\n' 'EXIT ;' '.end'
} >"$tmp/many.sass"
fhec "many faults" 3 "6 more warps are at fault in other places, which are not shown" \
    run "$tmp/many.sass" --grid 70 --block 32 --all-faults
same "64 of them" "$(grep -c "guest fault" <<<"$said")" 64

# ---- what ends the run
cat >"$tmp/ends.sass" <<'END_OF'
.kernel counted
    S2R R0, SR_TID.X ;
    ISETP.GE.AND P0, PT, R0, 0x20, PT ;
    @P0 LDG.E R4, [RZ] ;
    BAR.SYNC 0x1, 0x40 ;
    EXIT ;
.end
.kernel spins
    S2R R0, SR_TID.X ;
    ISETP.LT.AND P0, PT, R0, 0x20, PT ;
    @P0 LDG.E R4, [RZ] ;
again: IADD3 R1, R1, 0x1, RZ ;
    BRA again ;
.end
END_OF
fhec "a deadlock that comes of it" 3 "ends.sass:4:5: guest fault: out of bounds
what follows may come of the 1 warp that ended at fault
guest fault: deadlock" run "$tmp/ends.sass" -k counted --grid 1 --block 64 --all-faults
fhec "a limit" 3 "ends.sass:11:5: guest fault: out of bounds
guest fault: step limit" run "$tmp/ends.sass" -k spins --grid 1 --block 64 --all-faults --max-steps 1000
said=$(python3 "$(dirname "$0")/../tools/interrupt.py" "$FHEC" run "$tmp/ends.sass" -k spins --grid 1 --block 64 --all-faults)
same "Ctrl-C" "${said##*$'\n'}" "status 130"
grep -q "ends.sass:11:5: guest fault" <<<"$said" && ok "the fault before it" || not_ok "the fault before it" "$said"
grep -qE '^  block \(0,0,0\), warp 1, lanes 0xffffffff at 0x00(30|40) of spins' <<<"$said" &&
    ok "where it was" || not_ok "where it was" "$said"
fhec "what is no launch" 2 "--grid 0" run "$tmp/k.sass" -k nothing --grid 0 --block 32 --all-faults
# What the other warps left is looked at, too: R8 is stored, and nobody has written it.
sed 's/STG.E \[R2.64\], R0/STG.E [R2.64], R8/' "$tmp/k.sass" >"$tmp/undefined.sass"
fhec "faults and findings in one run" 3 "undefined.sass:10:5: guest fault: out of bounds
undefined.sass:13: error[C006]: init: the host reads byte 0 of out" run "$tmp/undefined.sass" -k K --block 160 \
    --out "out=$tmp/undefined.bin:640" --grid 1 --all-faults --check
absent "and no output" "$tmp/undefined.bin"
done_testing
