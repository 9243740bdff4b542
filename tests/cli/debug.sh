#!/usr/bin/env bash
# fhec debug: scripts through files and pipes, stops, moves forwards and backwards, changes, and what
# is wrong. The counts are worked out by hand: a warp of `loop` issues 5 instructions, then 4 in each of
# 100 rounds, then 2.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/loop.sass" <<'X'
.kernel loop
.param out, 8
.macro ADVANCE
  IADD3 R2, R2, R3, RZ ;
  IADD3 R3, R3, 0x1, RZ ;
.endm
  S2R R0, SR_TID.X ;
  MOV R7, 0x4 ;
  IMAD.WIDE R4, R0, R7, out ;
  MOV R2, RZ ;
  MOV R3, RZ ;
top:
  ADVANCE
  ISETP.LT.AND P0, PT, R3, 0x64, PT ;
  @P0 BRA top ;
  STG.E [R4.64], R2 ;
  EXIT ;
.end
X
loop=("$tmp/loop.sass" --grid 2 --block 64 --out out="$tmp/out:256")

# debug NAME STATUS TEXT COMMANDS [ARGUMENTS...]: a batch; the lines of TEXT are all there.
debug() {
    local name=$1 status=$2 text=$3 commands=$4
    shift 4
    [ $# != 0 ] || set -- "${loop[@]}"
    printf '%s\n' "$commands" >"$tmp/script"
    fhec "$name" "$status" "$text" debug "$@" --batch -x "$tmp/script"
}

debug "a stop at a label, and the round that it is in" 0 "1: break top
instruction 5, block (0,0,0) warp 0
IADD3 R2, R2, R3, RZ
instruction 13, block (0,0,0) warp 0
R3 lane 0 = 0x2" "break top
continue
continue 2
print R3"
debug "conditions, hits that are ignored, temporary stops" 0 "stop 1: break top if R3 == 7 && lane == 0
instruction 33,
stop 2: tbreak op STG in w0
which was temporary
instruction 405,
instruction 492," "break top if R3 == 7 && lane == 0
c
tbreak op STG in w0
disable 1
c
break pc 0x50 in w1
ignore \$ 20
c"
debug "a watchpoint, forwards behind the write and backwards before it" 0 "written by lane 3 of 4 bytes: 0x1f -> 0x20
instruction 538, block (0,0,0) warp 1 lane 3
R3 lane 3 = 0x20
instruction 537, block (0,0,0) warp 1 lane 3
R3 lane 3 = 0x1f" "watch R3 in b(0,0,0) w1 l3 if value >= 0x20
c
print R3
reverse-continue
print R3"
debug "steps, lines of macros, and back" 0 "instruction 5,
instruction 7,
0x0070  ISETP.LT.AND
instruction 5,
0x0050  IADD3 R2, R2, R3, RZ
instruction 6,
instruction 4," "count 5
where
next
reverse-next
step
reverse-step 2"
debug "who wrote it, across blocks, and whose value was lost" 0 "instruction 1627, block (1,0,0) warp 1
0x00a0  EXIT
instruction 1219, block (1,0,0) warp 0 lane 5
STG.E [R4.64], R2
instruction 405, block (0,0,0) warp 0 lane 5" "goto end
reverse-step
last write out[5]
last write out[5]"
debug "the focus and lists" 0 "> b(0,0,0) w0      0xffffffff  0x0000
  b(0,0,0) w1      0xffffffff  0x0000
>   1  loop                     grid 2,1,1 block 64,1,1
 256 bytes  out
block (0,0,0) warp 1 lane 13
R3 lane 31 = 0x0" "info warps
info launches
info allocations
info blocks
info barriers
info breakpoints
focus w1 l13
print R3 *"
debug "a change is there again behind what went back over it, and the rest of the run is another" 0 \
    "what had been run behind here is forgotten
R3 lane 0 = 0x60
R3 lane 0 = 0x60
instruction 37, block (0,0,0) warp 0 lane 0
0x0090  STG.E" "goto 200
goto 21
set R3 * = 0x60
print R3
reverse-step 4
step 4
print R3
tbreak op STG
c"
debug "elements of buffers are set, too" 0 "0x7 -> 0x1356" "set out[5] = 7
watch write out[5] if old == 7
c"
debug "commands of stops, in a line and up to end" 0 "R3 lane 0 = 0x0
second
instruction 405" "break top
tbreak op STG
commands 1 print R3; disable 1; continue
commands 2
echo second
end
continue"
debug "saved, forgotten, read again" 0 "3: break top if R3 == 5
4: watch change R3 in w1
instruction 25," "break top if R3 == 5
watch change R3 in w1
disable 2
save $tmp/saved
delete
source $tmp/saved
c"
debug "the end, and back to the beginning" 0 "the end: all launches have ended
the beginning
instruction 0," "c
rc"
for command in $(printf 'help\n' | "$FHEC" debug "${loop[@]}" | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
    printf 'help %s\n' "$command"
    grep -qE "(Cm|,) $command( |\$)" docs/man/fhec-debug.1 || echo "echo $command is not in the manual"
done >"$tmp/helps"
fhec "every command has help" 0 "short: q" debug "${loop[@]}" --batch -x "$tmp/helps"
same "and a place in the manual" "$(grep 'is not in' <<<"$said")" ""

# ---------------------------------------------------------------- faults, cases, workloads

cat >"$tmp/bad.sass" <<'X'
.kernel bad
.param out, 8
  S2R R0, SR_TID.X ;
  MOV R4, out ;
  MOV R5, out+4 ;
  ISETP.EQ.AND P0, PT, R0, 0x25, PT ;
  @P0 MOV R5, 0x10 ;
  STG.E [R4.64], R0 ;
  EXIT ;
.end
X
bad=("$tmp/bad.sass" --grid 1 --block 64 --out out="$tmp/out:256")
debug "a fault is a stop, and the status" 3 "out of bounds" "c" "${bad[@]}"
debug "what led there is behind it" 0 "out of bounds
block (0,0,0) warp 1 lane 5
@P0 MOV R5, 0x10" "c
last write R5" "${bad[@]}"
debug "a case of a test" 0 "launch 1 of 1, matmul, instruction 29
FHEC.16816.U32.U32" "break op FHEC
c" --test=tests/kernels/matmul.sass:reduced
debug "all launches of a plan" 0 "    2  ntt_rows
launch 2 of 2, ntt_rows, instruction 0" "info launches
break launch 2
c" ntt --n 1024 --limbs 2
said=$(printf 'break kernel ntt_rows\nc\nrc\nq\n' | "$FHEC" ntt --n 1024 --limbs 2 --debug 2>&1)
same "--debug, with commands through a pipe" "$? $(grep -c 'launch [12] of 2' <<<"$said")" "0 2"
for engine in ref fast; do
    debug "both engines: $engine" 0 "the end
instruction 1627,
the beginning" "count 1700
goto 1:1628
reverse-count
rc" "${loop[@]}" --engine $engine
done

said=$(printf 'last write R5\nprint R5\n' | "$FHEC" run "${bad[@]}" --debug-on-fault 2>&1)
same "fhec run --debug-on-fault" "$? $(grep -c 'R5 lane 5 = 0x7f00' <<<"$said")" "0 1"

# A warp that ended must have written what the next one reads across.
cat >"$tmp/race.sass" <<'X'
.kernel race
.param out, 8
.shared words, 256
  S2R R0, SR_TID.X ;
  SHF.L.U32 R1, R0, 0x2, RZ ;
  STS [R1], R0 ;
  LOP3.LUT R2, R1, 0x80, RZ, 0x3c, !PT ;
  LDS R3, [R2] ;
  MOV R7, 0x4 ;
  IMAD.WIDE R4, R0, R7, out ;
  STG.E [R4.64], R3 ;
  EXIT ;
.end
X
race=("$tmp/race.sass" --grid 1 --block 64 --out out="$tmp/out:256" --check=race)
debug "findings of checkers, forwards and back" 3 "1:11  C021: lane 0 of warp 1
1:13  C021
instruction 11, block (0,0,0) warp 1
STS [R1], R0
instruction 13, block (0,0,0) warp 1
LDS R3, [R2]
instruction 11, block" "info findings
catch finding
c
c
rc" "${race[@]}"
debug "a bound of memory, however small, costs time only" 0 "instruction 1627," "goto end
reverse-count" "${loop[@]}" --memory 1M

# ---------------------------------------------------------------- what is wrong

debug "an unknown command ends a batch" 2 'error: no command is called "contniue"; did you mean "continue"?' \
    "contniue
echo not reached"
same "nothing follows it" "$(grep 'not reached' <<<"$said")" ""
printf 'foo\necho reached\n' >"$tmp/script"
fhec "unless it is to go on" 0 "reached" debug "${loop[@]}" --batch --keep-going -x "$tmp/script"
hostile=(step\ 0 step\ 99999999999999999999999 break break\ nowhere break\ 9999 break\ op break\ pc\ 3
    watch watch\ Q9 watch\ out\[64\] watch\ out\[ 'break top if' 'condition 7 1' delete\ 3 focus\ w9 focus\ b\(9\) focus\ l32
    print print\ R999 set set\ R3 set\ R3\ = 'set R255 = 1' 'set nothing[1] = 1' goto goto\ 99:1 goto\ 1:99999999 catch
    catch\ x info info\ nothing last last\ write save source source\ /nonexistent ignore commands\ 4 'quit now'
    'set out[0..99] = 1' r help\ nothing list\ x 'watch shared 0x100000 4' 'watch global 0 0')
for command in "${hostile[@]}"; do
    debug "refused: $command" 2 "error: " "$command"
done
debug "a condition that is none ends the move that comes to it" 2 'there is no `frob`' "break top if frob == 1
c"
debug "huge counts end where there is nothing more" 0 "the end
the beginning" "step 18446744073709551615
count 18446744073709551615
reverse-count 18446744073709551615"
: >"$tmp/empty"
fhec "an empty script" 0 "" debug "${loop[@]}" --batch -x "$tmp/empty"
head -c 3000 "$FHEC" >"$tmp/bytes"
fhec "a script of bytes" 2 "error: " debug "${loop[@]}" --batch -x "$tmp/bytes"
# batch NAME STATUS WANTED COMMANDS...: a batch of standard input.
batch() {
    local name=$1 status=$2 wanted=$3
    shift 3
    said=$(printf '%s\n' "$@" | "$FHEC" debug "${loop[@]}" --batch 2>&1)
    same "$name" "$? $(tail -n 1 <<<"$said")" "$status $wanted"
}
batch "a batch of standard input" 0 "the end: all launches have ended" continue
batch "ends at a command that is wrong" 2 "error: no command is called \"foo\"; see \`help\`" foo "echo no"
batch "and where it says so" 0 "reached" "echo reached" quit "echo no"
said=$(echo continue | "$FHEC" debug "${bad[@]}" --batch 2>&1)
same "a fault is its status, too" "$?" 3
said=$(echo "echo input" | "$FHEC" debug "${loop[@]}" --batch -x "$tmp/empty" 2>&1)
same "with a script it reads nothing else" "$? $said" "0 "
fhec "no script" 4 "cannot read" debug "${loop[@]}" --batch -x "$tmp/none"
fhec "no input" 0 "" debug "${loop[@]}"
printf 'source %s\n' "$tmp/again" >"$tmp/again"
fhec "a script that runs itself" 2 "run each other" debug "${loop[@]}" --batch -x "$tmp/again"
fhec "no launch" 2 "--grid and --block are needed" debug "$tmp/loop.sass" --batch
fhec "no kernel to debug" 2 "golden" debug ntt --n 1024 --limbs 1 --map golden --batch
yes step | head -100000 | timeout 60 "$FHEC" debug "${loop[@]}" 2>&1 | head -1 >"$tmp/one"
same "a reader that goes away ends it" "${PIPESTATUS[2]} $(grep -c 'launch 1 of 1' "$tmp/one")" "141 1"
done_testing
