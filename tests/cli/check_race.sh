#!/usr/bin/env bash
# fhec run --check=race,sync,async: each bug planted in a kernel is named with both places; the kernel
# itself, and those of the workloads, have no finding.
. "$(dirname "$0")/../tools/tap.sh"

# Blocks of 64 threads copy their part of x, wait, reverse it in shared memory, and store it to y; the
# last block to end adds up the first words of all blocks.
cat >"$tmp/good.sass" <<'EOK'
.target sm_80
.kernel reverse
.param x, 8
.param y, 8
.param ticket, 8
.shared room, 256
    S2R R0, SR_TID.X ;
    S2R R1, SR_CTAID.X ;
    MOV R11, 0x4 ;
    IMAD R12, R1, 0x40, R0 ;
    IMAD.WIDE.U32 R2, R12, R11, x ;
    IMAD.WIDE.U32 R4, R12, R11, y ;
    IMAD R6, R0, R11, RZ ;
    LDGSTS.E [R6], [R2.64] ;
    LDGDEPBAR ;
    DEPBAR.LE SB0, 0x0 ;  // the wait
    BAR.SYNC 0x0 ;        // the first barrier
    IADD3 R7, -R6, 0xfc, RZ ;
    LDS R8, [R7] ;
    BAR.SYNC 0x0 ;        // the second barrier
    STS [R6], R8 ;
    LOP3.LUT R7, R6, 0x4, RZ, 0x3c, !PT ;
    WARPSYNC 0xffffffff ; // the pairs
    LDS R9, [R7] ;
    IMAD R8, R9, 0x10001, R8 ;
    STG.E [R4.64], R8 ;
    BAR.SYNC 0x0 ;        // the third barrier
    ISETP.NE.U32.AND P0, PT, R0, RZ, PT ;
@P0 EXIT ;
    MOV R14, ticket ;
    MOV R15, ticket+4 ;
    MEMBAR.SC.GPU ;       // the fence
    ATOMG.E.ADD.STRONG.GPU PT, R13, [R14.64+URZ], R11 ;
    ISETP.NE.U32.AND P0, PT, R13, 0x8, PT ;
@P0 EXIT ;
    MOV R16, y ;
    MOV R17, y+4 ;
    LDG.E R18, [R16.64+0x100] ;
    LDG.E R19, [R16.64+0x204] ;
    IADD3 R18, R18, R19, RZ ;
    STG.E [R14.64+0x4], R18 ;
    EXIT ;
.end
EOK
sed -i 's/ticket+4/c[0x0][0x174]/; s/MOV R17, y+4/MOV R17, c[0x0][0x16c]/' "$tmp/good.sass"
python3 - "$tmp" <<'EOP'
import struct, sys
x = [3 * i + 1 for i in range(192)]
y = []
for block in range(3):
    r = x[64 * block:64 * block + 64][::-1]
    y += [(r[i ^ 1] * 0x10001 + r[i]) & 0xffffffff for i in range(64)]
def put(name, words):
    with open(sys.argv[1] + "/" + name, "wb") as f:
        f.write(b"".join(struct.pack("<I", w) for w in words))
put("x.bin", x)
put("want.bin", y)
put("sum.bin", [12, (y[64] + y[129]) & 0xffffffff])
EOP
arguments=(--grid 3 --block 64 --in "x=$tmp/x.bin" --out "y=$tmp/y.bin:768" --out
    "ticket=$tmp/ticket.bin:8")

fhec "the kernel is right" 0 "" run "$tmp/good.sass" "${arguments[@]}" --check=race,sync,async \
    --expect "y=$tmp/want.bin" --expect "ticket=$tmp/sum.bin"
same "nothing is said" "$said" ""

# planted NAME SED-SCRIPT ID LINE OTHER: the kernel, changed by the script, gets the finding, once a
# run, with the instruction that the pattern LINE is in and that of OTHER ("": none).
planted() {
    local status at other
    sed "$2" "$tmp/good.sass" >"$tmp/kernel.sass"
    at=$(grep -n -e "$4" "$tmp/kernel.sass" | head -1 | cut -d: -f1)
    other=$([ -z "$5" ] || grep -n -e "$5" "$tmp/kernel.sass" | head -1 | cut -d: -f1)
    said=$("$FHEC" run "$tmp/kernel.sass" "${arguments[@]}" --check=race,sync,async --diag=json 2>&1)
    status=$?
    check "$1" python3 - "$said" "$status" "$3" "$at" "$other" "$tmp/kernel.sass" <<'EOP'
import json, sys
said, status, wanted, line, other, file = sys.argv[1:]
found = [json.loads(line) for line in said.splitlines()]
findings = [f for f in found if "check" in f]
assert status == "3" or any(f["id"] == "C036" for f in findings), (status, said)
names = {"2": "race", "3": "sync", "4": "async"}
def fits(f):
    # either of a race comes first
    places = {(f["line"], f["other"]["line"] if f.get("other") else None)}
    if f["check"] == "race" and f.get("other"):
        places.add((f["other"]["line"], f["line"]))
    return (f["id"] == wanted and f["check"] == names[wanted[2]] and f["file"] == file
            and f["kernel"] == "reverse" and f["count"] > 0
            and (int(line), int(other) if other else None) in places)
assert any(fits(f) for f in findings), said
EOP
}

planted "no wait for the copy" '/the wait/d' C040 'LDS R8' LDGSTS
planted "a wait that allows one group" 's/DEPBAR.LE SB0, 0x0/DEPBAR.LE SB0, 0x1/' C040 'LDS R8' LDGSTS
planted "no barrier behind the copy" '/the first barrier/d' C021 'LDS R8' LDGSTS
planted "no barrier between reading and writing" '/the second barrier/d' C021 'LDS R8' ' STS'
planted "lanes that are not held together" '/the pairs/d' C020 'LDS R9' ' STS'
planted "no fence" '/the fence/d' C022 'LDG.E R18' 'STG.E \[R4'
planted "no barrier before the fence" '/the third barrier/d' C020 'LDG.E R19' 'STG.E \[R4'
planted "an atomic operation of the block" 's/ADD.STRONG.GPU/ADD.STRONG.SM/' C023 ATOMG ATOMG
planted "all blocks store to one place" 's/IMAD.WIDE.U32 R4, R12/IMAD.WIDE.U32 R4, R0/' C022 \
    'STG.E \[R4' 'STG.E \[R4'
planted "half a warp at the barrier" \
    's/^ *BAR.SYNC 0x0 ; *.. the second/    ISETP.LT.U32.AND P1, PT, R0, 0x10, PT ;\n@!P1 BAR.SYNC 0x0 ; \/\/ here/' \
    C030 here ""
planted "lanes that end before it" \
    's/^ *BAR.SYNC 0x0 ; *.. the second/    ISETP.LT.U32.AND P1, PT, R0, 0x10, PT ;\n@P1 EXIT ;\nBAR.SYNC 0x0 ; \/\/ here/' \
    C031 here '@P1 EXIT'
planted "a barrier for more threads than there are" 's/BAR.SYNC 0x0 ; *.. the third/BAR.SYNC 0x1, 0x60 ; \/\/ here/' \
    C036 here ""
planted "a mask without half of its lanes" 's/WARPSYNC 0xffffffff/WARPSYNC 0xffff/' C033 WARPSYNC ""

sed '/the second barrier/d' "$tmp/good.sass" >"$tmp/kernel.sass"
fhec "a race that the order of warps hides" 3 "a BAR.SYNC is missing between the two
memory: room[" run "$tmp/kernel.sass" "${arguments[@]}" --check=race
fhec "of the checks only those that are asked for" 0 "" run "$tmp/kernel.sass" "${arguments[@]}" \
    --check=sync,async

# Of the warps of a block the first to come stores, unless it is warp 0, which loads: in the usual
# order it always is.
cat >"$tmp/first.sass" <<'EOK'
.target sm_80
.kernel first
.param x, 8
    S2R R0, SR_TID.X ;
    S2R R1, SR_CTAID.X ;
    SHF.R.U32.HI R2, RZ, 0x5, R0 ;
    LOP3.LUT R3, R0, 0x1f, RZ, 0xc0, !PT ;
    MOV R11, 0x40 ;
    IMAD.WIDE.U32 R4, R1, R11, x ;
    ISETP.NE.U32.AND P0, PT, R3, RZ, PT ;
@P0 EXIT ;
    MOV R12, 0x1 ;
    ATOMG.E.ADD.STRONG.GPU PT, R6, [R4.64+URZ], R12 ;
    ISETP.NE.U32.AND P1, PT, R6, RZ, PT ;
    ISETP.EQ.U32.OR P1, PT, R2, RZ, P1 ;
@!P1 STG.E [R4.64+0x20], R12 ;
    ISETP.NE.U32.AND P2, PT, R2, RZ, PT ;
@!P2 LDG.E R7, [R4.64+0x20] ;
    MOV R13, RZ ;
again:
    IADD3 R13, R13, 0x1, RZ ;
    ISETP.LT.U32.AND P0, PT, R13, 0x1, PT ;
@P0 BRA again ;
    EXIT ;
.end
EOK
first=(--grid 8 --block 128 --out "x=$tmp/first.bin:512" --check=race)
fhec "a race in another order of warps only" 3 "1 finding is of the launches in another order of warps
C021" run "$tmp/first.sass" "${first[@]}"
sed 's/R13, 0x1, PT/R13, 0x20000, PT/' "$tmp/first.sass" >"$tmp/long.sass"
fhec "a run that is too long for another one" 0 \
    "$tmp/long.sass, the instruction at pc 0x0090 reads depends on it" run "$tmp/long.sass" "${first[@]}"
sed 's/ATOMG.E.ADD.STRONG.GPU PT, R6,/RED.E.ADD.STRONG.GPU/; s/ISETP.NE.U32.AND P1, PT, R6, RZ/ISETP.NE.U32.AND P1, PT, R2, RZ/' \
    "$tmp/long.sass" >"$tmp/kernel.sass"
fhec "where nothing depends on the order, nothing is said" 0 "" run "$tmp/kernel.sass" "${first[@]}"
same "not a word" "$said" ""

# Block (0,1,0) waits for (0,0,1), half of whose first warp ends without the WARPSYNC of the other
# half; of the other block that warp has ended.
cat >"$tmp/far.sass" <<'EOF'
.target sm_80
.kernel k
.param flag, 8
    S2R R0, SR_TID.X ;
    S2R R1, SR_CTAID.Y ;
    S2R R2, SR_CTAID.Z ;
    MOV R4, c[0x0][0x160] ;
    MOV R5, c[0x0][0x164] ;
    MOV R6, 0x1 ;
    ISETP.EQ.U32.AND P0, PT, R1, R2, PT ;
@P0 EXIT ;
    ISETP.LT.U32.AND P1, PT, R0, 0x20, PT ;
    ISETP.LT.U32.AND P2, PT, R0, 0x10, PT ;
    ISETP.EQ.U32.AND P3, PT, R1, RZ, PT ;
@P3 BRA second ;
@P1 EXIT ;
again:
    LDG.E.STRONG.GPU R3, [R4.64] ;
    ISETP.EQ.U32.AND P4, PT, R3, RZ, PT ;
@P4 BRA again ;
    EXIT ;
second:
@!P1 EXIT ;
@P2 WARPSYNC 0xffffffff ;
    STG.E.STRONG.GPU [R4.64], R6 ;
    EXIT ;
.end
EOF
printf '\0\0\0\0' >"$tmp/flag.bin"
fhec "blocks side by side in y and z" 3 "error[C034]: sync: lanes 0x0000ffff wait for the lanes \
0xffffffff, of which 0xffff0000 end without coming here" run "$tmp/far.sass" -k k --grid 1,2,2 \
    --block 64 --inout "flag=$tmp/flag.bin" --check=sync

fhec "the kernels of an NTT" 0 "" ntt --n 1024 --map cuda32 --check=race,sync,async
fhec "in place, in one warp" 0 "" ntt --n 256 --map fhec16 --check=race,sync,async
fhec "of two rows a warp" 0 "" ntt --n 512 --map cuda64 --inverse --check=race,sync,async
fhec "of a key switch" 0 "" ckks keyswitch --logn 11 --limbs 3 --alpha 1 --map fhec16 \
    --check=race,sync,async
fhec "of a product of long numbers" 0 "" bigint mul --words 20 --count 3 --check=race,sync,async

done_testing
