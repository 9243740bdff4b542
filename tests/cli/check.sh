#!/usr/bin/env bash
# --check: the options, how findings are told, exit statuses; each error is planted in a small kernel.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/add.sass" <<'EOF'
.target sm_80, gme
.macro ADD_UP to, from
    MODADD.U32 \to, \from, \from, R7 ;
.endm
.kernel add
.param x, 8
.param q, 4
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, x ;
    LDG.E R5, [R2.64] ;
    MOV R7, q ;
    ADD_UP R6, R5
    STG.E [R2.64], R6 ;
    EXIT ;
.end
EOF
python3 - "$tmp" <<'EOF'
import struct, sys
with open(sys.argv[1] + "/x.bin", "wb") as f: # 3 i: those of lanes 30 and 31 are 89 or more
    f.write(b"".join(struct.pack("<I", 3 * i) for i in range(32)))
with open(sys.argv[1] + "/sum.bin", "wb") as f:
    f.write(b"".join(struct.pack("<I", 6 * i % 89) for i in range(32)))
EOF
run=(run "$tmp/add.sass" --grid 1 --block 32)
fresh() { cp "$tmp/x.bin" "$tmp/y.bin"; }

fresh
fhec "operands below the modulus are not found" 0 "" "${run[@]}" --inout x="$tmp/y.bin" --arg q=97 \
    --check
same "nothing is said" "$said" ""
fresh
fhec "operands that are not below it" 3 \
    "$tmp/add.sass:3 (in macro ADD_UP, from $tmp/add.sass:13): error[C065]: operands: A, in R5 of lane 30, is 90; expected less than the modulus, 89
    MODADD.U32 R6, R5, R5, R7
    kernel add, pc 0x0050, block (0,0,0), warp 0, lanes 0xc0000000
    2 times" "${run[@]}" --inout x="$tmp/y.bin" --arg q=89 --check
check "the result is written" cmp "$tmp/y.bin" "$tmp/sum.bin"
fresh
fhec "no check, no finding" 0 "" "${run[@]}" --inout x="$tmp/y.bin" --arg q=89
fresh
fhec ":warn" 0 "warning[C065]" "${run[@]}" --inout x="$tmp/y.bin" --arg q=89 --check=operands:warn
fresh
fhec "a finding and a result that differs" 3 "x differs in" "${run[@]}" --inout x="$tmp/y.bin" \
    --arg q=89 --expect x="$tmp/x.bin" --check
fresh
fhec "JSON" 3 "" "${run[@]}" --inout x="$tmp/y.bin" --arg q=1 --check=operands --diag=json
check "an object a line, with the keys that others rely on" python3 - "$said" "$tmp/add.sass" <<'EOF'
import json, sys
f = [json.loads(line) for line in sys.argv[1].splitlines()]
assert len(f) == 1, f
f = f[0]
assert (f["check"], f["id"], f["kernel"]) == ("operands", "C060", "add"), f
assert (f["file"], f["line"], f["pc"]) == (sys.argv[2], 3, 0x50), f
assert (f["block"], f["warp"], f["lanes"], f["count"]) == ([0, 0, 0], 0, 0xffffffff, 1), f
assert "R7" in f["message"] and "other" not in f, f
EOF
fhec "a check of no name" 2 'did you mean "operands"?' "${run[@]}" --check=operand
fhec "what is behind the list" 2 '":warn"' "${run[@]}" --check=operands:wrn
done_testing
