#!/usr/bin/env bash
# fhec debug: what checkers find in launches of kernels, cases and plans, when, and what suppresses it. Errors
# are planted; what a plan's are, the checkers of the command itself tell.
. "$(dirname "$0")/../tools/tap.sh"

# debug NAME STATUS TEXT COMMANDS ARGUMENTS...: a batch; the lines of TEXT are all there.
debug() {
    local name=$1 status=$2 text=$3 commands=$4
    shift 4
    printf '%s\n' "$commands" >"$tmp/script"
    fhec "$name" "$status" "$text" debug --batch -x "$tmp/script" "$@"
}

# ---------------------------------------------------------------- a plan

small=(ckks hemult --logn 10 --limbs 3 --alpha 1 --dnum 3)
# The loads of the modulus in launch 5: a FHEC with modulus 0 is at 0x2c0 of ntt_cols.
wrong=("${small[@]}" --patch "ntt_cols+0x60 NOP launch 5" "--check=init,operands")
"$FHEC" "${wrong[@]}" >"$tmp/said" 2>&1
same "the command itself finds" "$(grep -o 'error\[C...\]' "$tmp/said" | sort)" "error[C004]
error[C060]"
line=$(grep -o '^[^ ]*:[0-9]* (.*error\[C060\]' "$tmp/said" | cut -d' ' -f1)
for engine in ref fast; do
    debug "so does the debugger, at the same instruction, $engine" 3 "5:44  C004: the product depends on UR4
5:44  C060: the modulus in UR4 is 0
stop 1: catch finding
launch 5 of 29, ntt_cols, instruction 44, block (0,0,0) warp 0
$line: 0x02c0  FHEC" "info findings
catch finding
c
c" "${wrong[@]}" --engine "$engine"
done
debug "in order, and what is behind a fault is not run" 3 "stop 1: catch finding" "info findings
catch finding
c" "${wrong[@]}"
same "no more than those" "$(grep -c '^[0-9]*:[0-9]*  C' <<<"$said")" 2
debug "a plan without errors" 0 "no checkers are on yet
0 findings
the end: all launches have ended" "catch finding
check
c" "${small[@]}"
printf 'check init\ninfo findings\n' >"$tmp/lines"
same "another one, with --debug, at pc 0x2e0" \
    "$("$FHEC" ntt --n 256 --debug --patch "ntt_rows+0x60 NOP" <"$tmp/lines" 2>&1)" "1 finding
1:46  C004: the product depends on UR4, which is undefined: UR4 was never written"

# ---------------------------------------------------------------- a case, and a kernel

race=tests/debug/race.sass
debug "a case of a test" 3 "stop 1: catch finding
C021: lane 0 of warp
c" "catch finding
c
echo c" --test "$race:sums" --check=race
line=$(grep -o "^$race:[0-9]*" <<<"$said" | head -1)
"$FHEC" test "$race" --check=race >"$tmp/said" 2>&1
check "where fhec test finds it" grep -q "^$line: error.C021" "$tmp/said"
debug "checkers are switched on later, and those that are wanted" 0 "0 findings
2 findings
1:93  C021" "check init,operands
check race
info findings" --test "$race:sums"

# R9 is 9, in two instructions, modulo 7.
cat >"$tmp/two.sass" <<'Y'
.target sm_80, fhec, gme
.kernel two
.param out, 8
  S2R R0, SR_TID.X ;
  MOV R7, 0x4 ;
  IMAD.WIDE R4, R0, R7, out ;
  UMOV UR4, 0x7 ;
  MOV R9, 0x9 ;
  MODADD.U32 R1, R9, RZ, UR4 ;
  MODADD.U32 R2, R9, RZ, UR4 ;
  STG.E [R4.64], R1 ;
  STG.E [R4.64+0x80], R2 ;
  EXIT ;
.end
Y
two=("$tmp/two.sass" --grid 1 --block 32 --out out="$tmp/out:256")
debug "each instruction counts, though the words are the same" 0 "2 findings
1:5  C065: A, in R9 of lane 0, is 9; expected less than the modulus, 7
1:6  C065: A, in R9 of lane 0, is 9; expected less than the modulus, 7" "check
info findings" "${two[@]}"
debug "a change takes what is behind it away, and check knows it" 0 "2 findings
1:5  C065
0 findings
1 finding" "check operands
goto 5
set R9 * = 3
info findings
check operands
set R9 * = 6
goto 6
set R9 * = 7
check operands" "${two[@]}"
debug "a patch, too" 0 "2 findings
0 findings
2 findings" "check
patch 8 MOV R9, 0x6
check
patch undo
check" "${two[@]}"
debug "a stop, after which one checks once more" 0 "stop 1: catch finding
2 findings
stop 1: catch finding
instruction 6," "catch finding
check
c
check
c" "${two[@]}"

# What --check finds is told, at the latest when the debugger is left, and is status 3.
debug "findings that nobody asks for" 3 "the end: all launches have ended
1:5  C065: A, in R9 of lane 0, is 9; expected less than the modulus, 7
1:6  C065" "c" "${two[@]}" --check=operands
same "are told once" "$(grep -c '^1:5  C065' <<<"$said")" 1
debug "nor goes on" 3 "1:6  C065" "quit" "${two[@]}" --check=operands
debug "told by hand" 3 "1:6  C065" "info findings
c" "${two[@]}" --check=operands
same "they are told once, too" "$(grep -c '^1:5  C065' <<<"$said")" 1
debug "without any" 0 "the end: all launches have ended" "c" "${two[@]}" --check=race
debug "checkers of the session only" 0 "2 findings" "check operands
c" "${two[@]}"
debug "a wrong command is worse" 2 "1:6  C065" "chuck" "${two[@]}" --check=operands

# ---------------------------------------------------------------- suppressions

echo "C065 two.sass:9 known" >"$tmp/known"
debug "a file" 3 "1 finding, 1 suppressed
1:6  C065" "check
info findings" "${two[@]}" --check=operands --suppress "$tmp/known"
same "not the first" "$(grep -c '^1:5' <<<"$said")" 0
sed 's|MODADD.U32 R2.*|& // fhec: ignore C065 known|' "$tmp/two.sass" >"$tmp/noted.sass"
debug "a comment" 3 "1:5  C065
stop 1: catch finding
the end" "info findings
catch finding
c
c" "$tmp/noted.sass" "${two[@]:1}" --check=operands
same "not the second" "$(grep -c '^1:6' <<<"$said")" 0
printf 'C065 two.sass:9 known\nC065 two.sass:10 known\n' >"$tmp/known"
debug "all of them are known" 0 "the end: all launches have ended" "c" "${two[@]}" --check=operands \
    --suppress "$tmp/known"
echo "C999 two.sass wrong" >"$tmp/known"
debug "a file that is wrong" 2 'no finding has the id "C999"' "c" "${two[@]}" --check=operands \
    --suppress "$tmp/known"

# ---------------------------------------------------------------- Ctrl-C

printf '.target sm_80\n.kernel k\non:\n    IADD3 R1, R1, 0x1, RZ ;\n    BRA on ;\n.end\n' >"$tmp/on.sass"
for command in check profile; do
    printf '%s\n' "$command" "echo not reached" >"$tmp/script"
    same "Ctrl-C ends $command, and the script" "$(python3 tests/tools/interrupt.py "$FHEC" debug \
        "$tmp/on.sass" --grid 1 --block 32 -x "$tmp/script" </dev/null | grep -o 'cancelled\|not reached\|status.*')" \
        "cancelled
status 0"
done
same "and checks of the command line" "$(python3 tests/tools/interrupt.py "$FHEC" debug "$tmp/on.sass" --grid 1 \
    --block 32 --check=race </dev/null | grep -o 'cancelled\|status.*')" "cancelled
status 130"

# ---------------------------------------------------------------- what is wrong

debug "no checkers" 2 "error: no checkers are on: \`check\` switches them on" "info findings" "${two[@]}"
debug "another name" 2 'no check is called that; did you mean "race"?' "check rase" "${two[@]}"
debug "leaks" 2 "leaks are of no launch" "check init,leaks" "${two[@]}"
done_testing
