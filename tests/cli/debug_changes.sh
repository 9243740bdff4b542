#!/usr/bin/env bash
# fhec debug: what a person changes. A warp of `sums` issues 6 instructions, then 5 in each of n rounds,
# then 2; its round r adds r to the sum: 45 for n = 10.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/sums.sass" <<'X'
.kernel sums
.param out, 8
.param n, 4
.shared table, 256
.reg acc = R2
.reg i = R3
.reg tmp[0:3] = R8
.equ STEP, 1
.equ TWICE, STEP*2
  S2R R0, SR_TID.X ;
  MOV R7, 0x4 ;
  IMAD.WIDE R4, R0, R7, out ;
  MOV acc, RZ ;
  MOV i, RZ ;
  MOV tmp[1], 0x11 ;
top:
  IADD3 acc, acc, i, RZ ;
  IADD3 i, i, STEP, RZ ;
  STS [table], acc ;
  ISETP.LT.AND P0, PT, i, n, PT ;
  @P0 BRA top ;
  STG.E [R4.64], acc ;
  EXIT ;
.end
X
sums=("$tmp/sums.sass" --grid 1 --block 32 --arg n=10 --out out="$tmp/out:128")

# debug NAME STATUS TEXT COMMANDS [ARGUMENTS...]: a batch; the lines of TEXT are all there.
debug() {
    local name=$1 status=$2 text=$3 commands=$4
    shift 4
    [ $# != 0 ] || set -- "${sums[@]}"
    printf '%s\n' "$commands" >"$tmp/script"
    fhec "$name" "$status" "$text" debug "$@" --batch -x "$tmp/script"
}

# ---------------------------------------------------------------- asm

debug "an instruction with the source's names, here and whenever one comes by" 0 \
    "executed by lanes 0xffffffff
R2 lanes 0xffffffff: 0x0 -> 0x2
instruction 10,
acc lane 0 = 0x2
instruction 56,
acc lane 0 = 0x2f" "break top
c 2
asm IADD3 acc, acc, TWICE, RZ
reverse-step
step
print acc
disable
run-to 22
print acc"
debug "lanes by a guard; shared memory and arrays of registers" 0 \
    "executed by lanes 0x00000007
  0: 0x11 -> 0x0   1: 0x11 -> 0x1   2: 0x11 -> 0x2
shared 0x10: 0x0 -> 0x1
executed by lanes 0x00000000" "break top
c 2
set P1 * = lane < 3
asm @P1 MOV tmp[1], R0
asm STS [table+0x10], i
asm @!PT MOV tmp[1], R0"
debug "a fault changes nothing, and says which lanes" 2 "it changes nothing, since it faults
out of bounds: a store of 4 bytes
  instruction  STG.E [R4.64+0x1000], R2
lanes 0xffffffff" "break top
c
asm STG.E [R4.64+0x1000], acc"
for refused in "BRA top|an instruction of control" "EXIT|an instruction of control" \
    "BAR.SYNC 0x0|an instruction of control" "MOV R100, R1|no instruction of the kernel touches R100" \
    "FOO R1|unknown mnemonic" "MOV R1|operand" "|which instruction"; do
    debug "no: asm ${refused%|*}" 2 "error: 
${refused#*|}" "break top
c
asm ${refused%|*}"
done
debug "asm where no lane is" 2 "the focus is on no lane that runs" "goto end
asm NOP"

debug "why follows the kernel, and says that it was not alone" 0 "what was changed by hand on the way is not followed" \
    "break top
c 2
why R2
asm IADD3 acc, acc, 0x1, RZ
why R2"

# ---------------------------------------------------------------- patch

debug "a patch from here on, back over it and forward; its undoing leads back" 0 \
    "in place of IADD3 R2, R2, R3, RZ
patch 1: sums+0x60 IADD3 acc, acc, 0x10, RZ from 1:11
0x0060  IADD3 R2, R2, 0x10, RZ  (patch 1)
instruction 6, block (0,0,0) warp 0 lane 0
acc lane 0 = 0x90
instruction 11, block (0,0,0) warp 0 lane 0
back to where patch 1 began
acc lane 0 = 0x2d" "break op STG
tbreak top
c
tbreak top
c
patch IADD3 acc, acc, 0x10, RZ
where
reverse-step 5
c
print acc
patch
patch undo
c
print acc"
debug "at a line and a pc, of one launch, saved and read again" 0 \
    "patch 1: sums+0x60 IADD3 acc, acc, 0x2, RZ launch 1
patch 2: sums+0x70 IADD3 i, i, 0x2, RZ from 1:0
  3  sums+0x60 IADD3 acc, acc, 0x2, RZ launch 1
acc lane 0 = 0xa" "patch sums+0x60 IADD3 acc, acc, 0x2, RZ launch 1
patch 18 IADD3 i, i, 0x2, RZ
save $tmp/patches
patch undo
patch undo
source $tmp/patches
info patches
run-to 22
print acc"
sed 's/^\.equ STEP, 1$/.ifndef STEP\n.equ STEP, 1\n.endif/' "$tmp/sums.sass" >"$tmp/given.sass"
debug "a number of the command line" 0 "which is IADD3 R2, R2, 0x3, RZ" "patch sums+0x60 IADD3 acc, acc, STEP, RZ" \
    "$tmp/given.sass" -D STEP=3 --grid 1 --block 32 --arg n=10 --out out="$tmp/out:128"
debug "a label that is the target of a branch" 0 "which is BRA 0x60" "patch pc 0xa0 BRA top"
debug "what the text means is said" 0 "which is IADD3 R2, R2, 0x2, RZ" "patch sums+0x60 IADD3 acc, acc, TWICE, RZ"
debug "a word as it is, which is no instruction" 3 "illegal instruction" "patch pc 0x60 .inst 0x0, 0x0
c"
for refused in "sums+0x65 NOP|no instruction at 0x65" "sums+0x4000 NOP|no instruction at 0x4000" \
    "sum+0x60 NOP|no launch from number 1 on is of kernel sum" "NOP launch 7|there are 1 launches" \
    "1 NOP|no instruction of kernel sums is of line 1" "pc x NOP|no address" "18|which instruction" \
    "undo|nothing is patched" "undo x|nothing is patched"; do
    debug "no: patch ${refused%|*}" 2 "error: 
${refused#*|}" "patch ${refused%|*}"
done

# ---------------------------------------------------------------- --patch

for patch in "sums+0x60 IADD3 R2, R2, 0x2, RZ" "sums+0x60 IADD3 R2, R2, 0x2, RZ launch 1"; do
    for engine in ref fast; do
        "$FHEC" run "${sums[@]}" --engine "$engine" --patch "$patch" >"$tmp/said" 2>&1
        same "run --patch '$patch', $engine" "$(od -An -tu4 -N8 "$tmp/out" | xargs)" "20 20"
    done
done
fhec "a patch that no launch has" 2 "no launch is of a kernel sums with an instruction at 0x60 and number 2" \
    run "${sums[@]}" --patch "sums+0x60 NOP launch 2"
fhec "a patch that is none" 2 "is not KERNEL+PC INSTRUCTION [launch N]" run "${sums[@]}" --patch "sums NOP"
fhec "a patch that is no instruction" 2 "unknown mnemonic" run "${sums[@]}" --patch "sums+0x60 FOO"
debug "the debugger has it from the beginning, and takes it back" 0 "  1  sums+0x60 IADD3 R2, R2, 0x2, RZ launch 1
R2 lane 0 = 0x14
R2 lane 0 = 0x2d" "info patches
run-to 22
print R2
patch undo
run-to 22
print R2" "${sums[@]}" --patch "sums+0x60 IADD3 R2, R2, 0x2, RZ launch 1"

# ---------------------------------------------------------------- set

debug "memory, parameters and registers by expressions" 0 "shared[0x10] lane 0 = 0x4d
shared[0x14] lane 0 = 0xab00
n lane 0 = 0x5
R2@7 lane 0 = 0x15
P0: lanes 0x00000007
out[3] lane 0 = 0x9
out[2] lane 0 = 0x8
c[0x0][0x168] lane 0 = 0x5" "break top
c
set shared[0x10] = 77
set shared.u8[0x14+1] = 0xab
print shared[0x10]
print /hex shared[0x14]
set param.n = 2 + 3
print n
set R2 * = lane * 3
print R2@7
set P0 * = lane < 3
print P0 *
set out[1..2] = 8
set out[3] = 9
print out[3]
print out[2]
print /hex c[0x0][0x168]"
python3 -c "
import sys; sys.stdout.buffer.write(bytes(range(1, 129)))" >"$tmp/bytes"
debug "other inputs: a parameter and a buffer before the launch, then again from there" 0 \
    "acc lane 0 = 0x6
out[1] lane 0 = 0x8070605
instruction 0,
n lane 0 = 0x4
instruction 26,
acc lane 0 = 0x6" "set n = 4
set out from $tmp/bytes
run-to 22
print acc
print out[1]
restart
print n
break op STG
run
print acc"
for refused in "R2 =|to what" "R2|to what" "foo = 1|cannot be set" "x[1] = 3|there is no \`x\`" \
    "out = 3|cannot be set" "out[3] = out|is an array" "shared.u7[0] = 1|no such type" \
    "shared[0x4000] = 1|not within shared memory" "param.k = 1|no parameter" "out[2..99] = 1|no range" \
    "y from $tmp/bytes|no buffer is called" "out from $tmp/no|cannot read"; do
    debug "no: set ${refused%|*}" 2 "error: 
${refused#*|}" "break top
c
set ${refused%|*}"
done
done_testing
