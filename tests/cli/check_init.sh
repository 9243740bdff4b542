#!/usr/bin/env bash
# fhec run --check=init: what nobody has written is named where it matters, with where it came from;
# the kernel itself, and those of the workloads, have no finding.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/good.sass" <<'EOK'
.target sm_80
.kernel sum
.param x, 8
.param y, 8
.shared room, 256
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, x ;
    IMAD.WIDE.U32 R4, R0, R1, y ;
    LDG.E R6, [R2.64] ;
    IMAD R7, R0, R1, RZ ;
    UMOV UR4, 0x3 ;
    ISETP.LT.U32.AND P0, PT, R0, 0x10, PT ;
    STS [R7], R6 ;
    BAR.SYNC 0x0 ;
    LDS R8, [R7] ;
    IADD3 R8, R8, UR4, RZ ;
@P0 IADD3 R8, R8, 0x1, RZ ;
    STG.E [R4.64], R8 ;
    EXIT ;
.end
EOK
python3 - "$tmp" <<'EOP'
import struct, sys
with open(sys.argv[1] + "/x.bin", "wb") as f:
    f.write(b"".join(struct.pack("<I", 5 * i + 1) for i in range(32)))
with open(sys.argv[1] + "/want.bin", "wb") as f:
    f.write(b"".join(struct.pack("<I", 5 * i + 4 + (i < 16)) for i in range(32)))
EOP
arguments=(--grid 1 --block 32 --in "x=$tmp/x.bin" --out "y=$tmp/y.bin:128" --check=init)

# planted NAME SED-SCRIPT TEXT: the kernel, changed by the script; what is said of it.
planted() {
    sed "$2" "$tmp/good.sass" >"$tmp/kernel.sass"
    cmp -s "$tmp/kernel.sass" "$tmp/good.sass" && not_ok "$1 is planted" "nothing is changed"
    fhec "$1" 3 "$3" run "$tmp/kernel.sass" "${arguments[@]}"
}

fhec "the kernel itself" 0 "" run "$tmp/good.sass" "${arguments[@]}"
same "nothing is found in it" "$said" ""
check "its result" cmp "$tmp/y.bin" "$tmp/want.bin"
stored="kernel.sass:19: error[C006]: init: the host reads byte 0 of y, where an undefined value was stored:"
planted "a register that is never written" 's/LDS R8, .R7. ;/NOP ;/' "$stored R8 was never written"
planted "a predicate that is never written" 's/ISETP.*/NOP ;/' "$stored P0 was never written"
planted "a uniform register that is never written" 's/UMOV.*/NOP ;/' "$stored UR4 was never written"
planted "another register for it" 's/IADD3 R8, R8, UR4/IADD3 R8, R8, UR5/' \
    "$stored UR5 was never written"
planted "a shared word that is never written" 's/STS.*/NOP ;/' \
    "$stored byte 0 of room was never written"
planted "a shared word beside the one that is" 's/LDS R8, .R7./LDS R8, [R7+0x40]/' \
    "init: the host reads byte 64 of y"
planted "global memory that nobody has written" 's/LDG.E R6, .R2.64./LDG.E R6, [R4.64]/' \
    "$stored byte 0 of y was never written"
planted "half of an address" 's/IMAD.WIDE.U32 R4, R0, R1, y/IMAD R4, R0, R1, y/' \
    "kernel.sass:19: error[C001]: init: the address depends on R5 of lane 0, which is undefined: R5 was never written"
planted "a guard of a store" 's/    STG/@P1 STG/' \
    "kernel.sass:19: error[C003]: init: whether the instruction acts depends on P1 of lane 0"
planted "a branch" 's/    STG/@P1 EXIT ;\n    STG/' \
    "kernel.sass:19: error[C002]: init: where the lanes go depends on P1 of lane 0"
planted "a copy that is not made" 's/STS.*/LDGSTS.E [R7], [R2.64], !P0 ;\nLDGDEPBAR ;\nDEPBAR.LE SB0, 0x0 ;/' \
    "byte 0 of room was never written"
planted "no store at all" 's/    STG.*/    NOP ;/' "C007]: init: the host reads y, of which no one has"

planted "JSON" 's/LDS R8, .R7. ;/NOP ;/' "$stored"
fhec "JSON" 3 "" run "$tmp/kernel.sass" "${arguments[@]}" --diag=json
check "both places" python3 - "$said" <<'EOP'
import json, sys
f = [json.loads(line) for line in sys.argv[1].splitlines()]
assert len(f) == 1, f
f = f[0]
assert (f["check"], f["id"], f["kernel"], f["line"]) == ("init", "C006", "sum", 19), f
assert (f["block"], f["warp"], f["lanes"], f["count"]) == ([0, 0, 0], 0, 0xffffffff, 1), f
assert (f["other"]["line"], f["other"]["warp"]) == (17, 0), f
EOP

for map in fhec16 fhec256 fhec16+gme cuda32 cuda64 gme32 gme64 imma16 imma256; do
    fhec "ntt, map $map" 0 "" ntt --n 1024 --limbs 2 --map "$map" --check=init
    fhec "inverse ntt, map $map" 0 "" ntt --n 256 --inverse --map "$map" --check=init
    fhec "bconv, map $map" 0 "" bconv --n 256 --limbs 3,5 --map "$map" --check=init
    fhec "ckks, map $map" 0 "" ckks hemult --rescale --logn 9 --limbs 4 --alpha 2 --dnum 2 \
        --map "$map" --check=init
done
for map in cuda32 cuda64 gme32 gme64; do
    for operation in add sub mul mac "automorphism --galois 5" "mul-scalar --scalar 77"; do
        # shellcheck disable=SC2086 # some have an option
        fhec "eltwise $operation, map $map" 0 "" eltwise $operation --n 1024 --map "$map" --check=init
    done
done
fhec "bigint mul" 0 "" bigint mul --words 17 --count 33 --check=init
fhec "bigint montmul" 0 "" bigint montmul --words 4 --modulus 0xf123456789abcdef1234567 --check=init
fhec "bigint montmul, map mont" 0 "" bigint montmul --words 4 --modulus 0xf123456789abcdef1234567 \
    --map mont --check=init

done_testing
