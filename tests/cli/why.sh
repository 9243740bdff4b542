#!/usr/bin/env bash
# fhec why: what an element was made of. The chains are worked out by hand; the kernels have a
# planted bug each.
. "$(dirname "$0")/../tools/tap.sh"

python3 - "$tmp" <<'PY'
import struct, sys
def save(name, values):
    with open(sys.argv[1] + "/" + name, "wb") as f:
        f.write(struct.pack("<%dI" % len(values), *values))
save("x.bin", [3 * i + 7 for i in range(256)])
save("w.bin", [i * i + 1 for i in range(256)])
save("a.bin", [1000 + 17 * i for i in range(256)])
save("b.bin", [2000 + 29 * i * i for i in range(128)])
save("c.bin", [5 * i for i in range(128)])
PY

twiddle=(tests/planted/twiddle.sass --grid 4 --block 64 --in x="$tmp/x.bin" --in w="$tmp/w.bin"
    --out y=:1024)
# x[13] = 46, w[13] = 170; y[77] is of block 1, its second warp has 45 + 64.
fhec "a wrong twiddle in one lane" 0 "y[13] = 0x1eba (7866)
  y[13] = 0x1eba  stored by lane 13 of warp 0, block 0,0,0, tests/planted/twiddle.sass:23: STG.E [R8.64], R12
    R12 = 0x1eba  lane 13, tests/planted/twiddle.sass:22: IMAD R12, R10, R11, RZ
      R10 = 0x2e  lane 13, tests/planted/twiddle.sass:15: LDG.E R10, [R4.64]
        x[13] = 0x2e  input
      R11 = 0xab  lane 13, tests/planted/twiddle.sass:20: @P0 IADD3 R11, R11, 0x1, RZ
        R11 = 0xaa  lane 13, tests/planted/twiddle.sass:16: LDG.E R11, [R6.64]
          w[13] = 0xaa  input" why 'y[13]' "${twiddle[@]}" -D LANE=13
fhec "another warp of another block" 0 "stored by lane 13 of warp 1, block 1,0,0
        x[109] = 0x14e  input" why 'y[109]' "${twiddle[@]}" -D LANE=13 --engine ref
fhec "addresses and guards" 0 "        address R4: R4 = 0x34  lane 13
          x #
          R2 #
        guard P0: P0 = 0x1  lane 13, tests/planted/twiddle.sass:19
          R3 = 0xd  lane 13, tests/planted/twiddle.sass:18: S2R R3, SR_LANEID" \
    why 'y[13]' "${twiddle[@]}" -D LANE=13 --addresses --guards
fhec "so far and no further" 0 "    R12 = 0x1eba  lane 13, tests/planted/twiddle.sass:22: IMAD R12, R10, R11, RZ  ... (--depth, --nodes)" \
    why 'y[13]' "${twiddle[@]}" -D LANE=13 --depth 2
same "what is left out is left out" "$(grep -c R10 <<<"$said")" 1

fhec "a loop that is one short" 0 "y[230] = 0x0 (0)
  y[230] = 0x0  no instruction stored it" \
    why 'y[230]' tests/planted/loop.sass -D SHORT=1 --grid 1 --block 32 --arg count=8 \
    --in x="$tmp/x.bin" --out y=:1024

# Through a shuffle and shared memory: y[l] = x[l ^ 5] of the lane that is 3 further on.
cat >"$tmp/shuffle.sass" <<'SASS'
.target sm_80
.kernel shuffle
.param x, 8
.param y, 8
.shared words, 128
    S2R R0, SR_TID.X ;
    MOV R2, 0x4 ;
    IMAD.WIDE.U32 R4, R0, R2, x ;
    IMAD.WIDE.U32 R6, R0, R2, y ;
    LDG.E R8, [R4.64] ;
    SHFL.BFLY PT, R9, R8, 0x5, 0x1f ;
    IMAD R10, R0, R2, RZ ;
    STS [R10], R9 ;
    BAR.SYNC 0x0 ;
    IADD3 R11, R0, 0x3, RZ ;
    LOP3.LUT R11, R11, 0x1f, RZ, 0xc0, !PT ;
    IMAD R11, R11, R2, RZ ;
    LDS R12, [R11] ;
    STG.E [R6.64], R12 ;
    EXIT ;
.end
SASS
fhec "through a shuffle and shared memory" 0 "    R12 = 0x1f  lane 10, $tmp/shuffle.sass:18: LDS R12, [R11]
      shared 0x34 = 0x1f  stored by lane 13, $tmp/shuffle.sass:13: STS [R10], R9
        R9 = 0x1f  lane 13, $tmp/shuffle.sass:11: SHFL.BFLY PT, R9, R8, 0x5, 0x1f
          R8 = 0x1f  lane 8, $tmp/shuffle.sass:10: LDG.E R8, [R4.64]
            x[8] = 0x1f  input" why 'y[10]' "$tmp/shuffle.sass" --grid 1 --block 32 \
    --in x="$tmp/x.bin" --out y=:128

# From which lane SHFL takes is said by the lane that takes: lane 5 takes from lane 7, by its own R9.
cat >"$tmp/index.sass" <<'SASS'
.target sm_80
.kernel index
.param x, 8
.param y, 8
    S2R R0, SR_TID.X ;
    MOV R2, 0x4 ;
    IMAD.WIDE.U32 R4, R0, R2, x ;
    IMAD.WIDE.U32 R6, R0, R2, y ;
    LDG.E R8, [R4.64] ;
    IMAD R9, R0, 0x3, RZ ;
    LOP3.LUT R9, R9, 0x8, RZ, 0x3c, !PT ;
    SHFL.IDX PT, R10, R8, R9, 0x1f ;
    STG.E [R6.64], R10 ;
    EXIT ;
.end
SASS
fhec "what says from which lane" 0 "    R10 = 0x1c  lane 5, $tmp/index.sass:12: SHFL.IDX PT, R10, R8, R9, 0x1f
      R8 = 0x1c  lane 7, $tmp/index.sass:9: LDG.E R8, [R4.64]
        x[7] = 0x1c  input
      R9 = 0x7  lane 5, $tmp/index.sass:11: LOP3.LUT R9, R9, 0x8, RZ, 0x3c, !PT" \
    why 'y[5]' "$tmp/index.sass" --grid 1 --block 32 --in x="$tmp/x.bin" --out y=:128

# An asynchronous copy into shared memory, and matrices loaded from there: row r of matrix m is the
# 16 bytes at 128 m + 16 r. Register 2 of lane 13 is word 1 of row 3 of matrix 2, x[64 + 12 + 1];
# of transposed matrices it is elements [2][3] and [3][3], halves of two words.
cat >"$tmp/matrices.sass" <<'SASS'
.target sm_80
.kernel matrices
.param x, 8
.param y, 8
.shared words, 512
    S2R R0, SR_TID.X ;
    MOV R2, 0x4 ;
    MOV R3, 0x10 ;
    IMAD.WIDE.U32 R4, R0, R3, x ;
    IMAD.WIDE.U32 R6, R0, R2, y ;
    IMAD R10, R0, R3, RZ ;
    LDGSTS.E.BYPASS.128 [R10], [R4.64] ;
    LDGDEPBAR ;
    DEPBAR.LE SB0, 0x0 ;
    BAR.SYNC 0x0 ;
    LDSM.16.MODE.4 R12, [R10] ;
    STG.E [R6.64], R14 ;
    EXIT ;
.end
SASS
for mode in M88 MT88; do sed "s/MODE/$mode/" "$tmp/matrices.sass" >"$tmp/$mode.sass"; done
matrices=(--grid 1 --block 32 --in x="$tmp/x.bin" --out y=:128)
fhec "matrices from shared memory, and an asynchronous copy" 0 "    R14 = 0xee  lane 13, $tmp/M88.sass:16: LDSM.16.M88.4 R12, [R10]
      shared 0x134 = 0xee  stored by lane 19, $tmp/M88.sass:12: LDGSTS.E.BYPASS.128 [R10], [R4.64]
        x[77] = 0xee  input" why 'y[13]' "$tmp/M88.sass" "${matrices[@]}"
fhec "transposed" 0 "      shared 0x126  stored by lane 18
        x[73]+2  input
      shared 0x136  stored by lane 19
        x[77]+2  input" why 'y[13]' "$tmp/MT88.sass" "${matrices[@]}"

# A sum by atomic operations: what was there before, and the data of all lanes.
cat >"$tmp/sum.sass" <<'SASS'
.target sm_80
.kernel sum
.param x, 8
.param y, 8
    S2R R0, SR_TID.X ;
    MOV R2, 0x4 ;
    IMAD.WIDE.U32 R4, R0, R2, x ;
    LDG.E R8, [R4.64] ;
    MOV R6, y ;
    MOV R7, y + 4 ;
    RED.E.ADD.STRONG.GPU [R6.64], R8 ;
    EXIT ;
.end
SASS
python3 -c 'open("'"$tmp"'/y.bin", "wb").write(bytes([9, 0, 0, 0]))'
fhec "an atomic sum" 0 "y[0] = 0xb4 (180)
  y[0] = 0xb4  stored by lane 8
    before: y[0]  input
      x[3] = 0x10  input
      x[8] = 0x1f  input" why 'y[0]' "$tmp/sum.sass" --grid 1 --block 9 --in x="$tmp/x.bin" --inout y="$tmp/y.bin"

# D[3][5] of a product: row 3 of A, column 5 of B, and the modulus.
matmul=(tests/kernels/matmul.sass --grid 1 --block 32 --in a="$tmp/a.bin" --in b="$tmp/b.bin"
    --in c_="$tmp/c.bin" --out d=:512)
fhec "an element of a product" 0 "FHEC.16816.U32.U32 R20, R8.ROW, R16.COL, R20, UR4; D[3][5] = C[3][5] + A[3][0..15] B[0..15][5]: right for its operands
      A[3][0]: R8 = 0x718  lane 12
        a[48] = 0x718  input
      A[3][15]: R14 = 0x817  lane 15
        a[63] = 0x817  input
      B[0][5]: R16
        b[5] = 0xaa5  input
        b[125] = 0x
      C[3][5]: R21 = 0x91  lane 14
        c_[29] = 0x91  input
      q UR4: UR4 = 0x3ffc0001" why 'd[29]' "${matmul[@]}" --arg modulus=modulus:1073479681
# The factor that FHEC reduces with is that of another modulus.
fhec "an element that is wrong for its operands" 0 "A[3][0..15] B[0..15][5]: WRONG, its operands give 0x" \
    why 'd[29]' "${matmul[@]}" --arg modulus+0=u32:10007 --arg modulus+8=u64:12345678901

"$FHEC" why 'd[29]' "${matmul[@]}" --arg modulus=modulus:1073479681 --format=json >"$tmp/why.json"
check "the same as JSON" python3 - "$tmp/why.json" <<'PY'
import json, sys
said = json.load(open(sys.argv[1]))
nodes = said["nodes"]
assert said["element"] == "d[29]" and nodes[0]["kind"] == "element"
store = nodes[nodes[0]["operands"][0]["node"]]
assert store["kind"] == "store" and store["lane"] == 14
made = nodes[store["operands"][0]["node"]]
a = [1000 + 17 * i for i in range(256)]
b = [2000 + 29 * i * i for i in range(128)]
want = (5 * 29 + sum(a[48 + k] * b[8 * k + 5] for k in range(16))) % 1073479681
assert made["product"] == {"row": 3, "column": 5, "inner": 16, "right": True, "expected": hex(want)}
assert int(made["value"], 16) == want
roles = {o["role"]: nodes[o["node"]] for o in made["operands"]}
assert len(roles) == 16 + 16 + 2
for k in range(16):
    assert int(roles[f"A[3][{k}]"]["value"], 16) == a[48 + k]
    assert int(roles[f"B[{k}][5]"]["value"], 16) == b[8 * k + 5]
leaf = nodes[roles["A[3][7]"]["operands"][0]["node"]]
assert (leaf["kind"], leaf["name"]) == ("input", "a[55]")
PY
fhec "the same for Graphviz" 0 "digraph why {
  n0 [label=\"d[29] = 0x
[label=\"A[3][0]\"];" why 'd[29]' "${matmul[@]}" --arg modulus=modulus:1073479681 --format=dot

# A loop of 300000 turns keeps its end in a little memory.
cat >"$tmp/long.sass" <<'SASS'
.target sm_80
.kernel long
.param y, 8
.param turns, 4
    S2R R0, SR_TID.X ;
    MOV R2, 0x4 ;
    IMAD.WIDE.U32 R6, R0, R2, y ;
    MOV R3, RZ ;
    MOV R8, 0x7 ;
again:
    IMAD R8, R8, R8, R0 ;
    IADD3 R3, R3, 0x1, RZ ;
    ISETP.LT.U32.AND P0, PT, R3, turns, PT ;
@P0 BRA again ;
    STG.E [R6.64], R8 ;
    EXIT ;
.end
SASS
fhec "a million instructions in a little memory" 0 "IMAD R8, R8, R8, R0
  R0  from before what was kept; --memory keeps more" why 'y[3]' "$tmp/long.sass" --grid 1 --block 32 --arg turns=300000 \
    --out y=:128 --memory 8M --depth 20
fhec "and all of it in more" 0 "R0 #4 = 0x3  lane 3, $tmp/long.sass:5: S2R R0, SR_TID.X" \
    why 'y[3]' "$tmp/long.sass" --grid 1 --block 32 --arg turns=300000 --out y=:128 --depth 20
fhec "the element behind the file" 0 "y[13] = 0x1eba (7866)" why "${twiddle[@]}" -D LANE=13 'y[13]'
fhec "no such buffer" 2 'no buffer is called "z"' why 'z[3]' "${twiddle[@]}"
fhec "no such element" 2 "y has 256 elements" why 'y[256]' "${twiddle[@]}"
fhec "no index" 2 "expected BUFFER[INDEX]" why y "${twiddle[@]}"
done_testing
