#!/usr/bin/env bash
# fhec origins: the maps of a kernel whose loads were chosen by hand, as text, JSON and a picture;
# registers; through shared memory, LDSM, shuffles and permutations of bytes.
. "$(dirname "$0")/../tools/tap.sh"

python3 - "$tmp" <<'EOF'
import random, struct, sys
random.seed(12)
for name, count in (("a", 256), ("b", 128), ("c_", 128)):
    with open(f"{sys.argv[1]}/{name}.bin", "wb") as f:
        f.write(b"".join(struct.pack("<I", random.randrange(1073479681)) for _ in range(count)))
with open(f"{sys.argv[1]}/x.bin", "wb") as f:
    f.write(bytes(7 * i % 251 for i in range(8192)))
EOF
matmul=tests/kernels/matmul.sass
arguments=(-k matmul --grid 1 --block 32 --in "a=$tmp/a.bin" --in "b=$tmp/b.bin"
    --in "c_=$tmp/c_.bin" --out "d=$tmp/d.bin:512" --arg modulus=modulus:1073479681)

fhec "a matrix product" 0 "matmul, $matmul:42, pc 0x01d0: FHEC.16816.U32.U32 R20, R8.ROW, R16.COL
  A[i][j] = a[16*i + j], 1 execution
  B[i][j] = b[8*i + j], 1 execution
  C[i][j] = c_[8*i + j], 1 execution
  D: no map, 1 execution; D[0][0] is computed at 0x1d0" origins "$matmul" "${arguments[@]}"
same "no file is written" "$([ -e "$tmp/d.bin" ] && echo there)" ""

# Lane 13 (g = 3, t = 1) has A[3][5] in R10.
word=$(python3 -c "
import struct
print('%08x' % struct.unpack_from('<I', open('$tmp/a.bin', 'rb').read(), 4 * 53)[0])")
fhec "a register of a lane" 0 "  R10 of lane 13 at line 42 is a[53] = 0x$word" \
    origins "$matmul" "${arguments[@]}" --at 42 --register R10 --lane 13
fhec "a uniform register by its pc" 0 "UR4 at line 42 is c[0x0][0x180] = 0x" \
    origins "$matmul" "${arguments[@]}" --at 0x1d0 --register UR4
fhec "another instruction's line" 0 "no such instruction has been executed there" \
    origins "$matmul" "${arguments[@]}" --at 12
fhec "a register without a place" 2 "--register needs --at" origins "$matmul" --register R1

sed 's/LDG.E A\[\\i\]/LDG.E A[\\i == 1 ? 2 : \\i == 2 ? 1 : \\i]/' "$matmul" >"$tmp/swap.sass"
fhec "elements that are elsewhere" 0 "  A[i][j] = a[16*i + j], 1 execution
    but A[3][5], in lane 13, R10, is a[177] = 0x
    but A[8][0], in lane 0, R9, is a[4] = 0x" origins "$tmp/swap.sass" "${arguments[@]}"
"$FHEC" origins "$tmp/swap.sass" "${arguments[@]}" --format=json >"$tmp/swap.json"
same "as JSON" "$(python3 - "$tmp/swap.json" <<'EOF'
import json, sys
rows = json.load(open(sys.argv[1]))
a = [row for row in rows if row["operand"] == "A"][0]
print(len(rows), a["pc"], a["line"], a["map"], len(a["misfits"]), rows[1]["misfits"], rows[3]["map"])
print({k: v for k, v in a["misfits"][0].items() if k != "value"})
EOF
)" "4 464 42 a[16*i + j] 64 [] None
{'row': 0, 'column': 4, 'lane': 0, 'register': 10, 'origin': 'a[128]'}"
"$FHEC" origins "$tmp/swap.sass" "${arguments[@]}" --format=svg >"$tmp/swap.svg"
same "as a picture" "$(python3 - "$tmp/swap.svg" <<'EOF'
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
texts = [x.text for x in root.iter("{http://www.w3.org/2000/svg}text")]
rects = list(root.iter("{http://www.w3.org/2000/svg}rect"))
print(texts.count("a[4]"), texts.count("0: R9"), sum(r.get("class") == "misfit" for r in rects),
      len(rects) - 1)
EOF
)" "1 1 64 640"

# Two blocks of two warps, three iterations: A is 8-bit, 16 x 16, from x, B through shared memory and
# LDSM: row n of B is 16 bytes. Lane 4g + t: A's registers hold rows g and g + 8, bytes 4t to 4t + 3.
cat >"$tmp/imma.sass" <<'EOF'
.target sm_80
.kernel imma
.param x, 8
.shared room, 512
    S2R R0, SR_TID.X ;
    S2R R1, SR_CTAID.X ;
    SHF.R.U32.HI R2, RZ, 0x5, R0 ;                  // warp
    LOP3.LUT R3, R0, 0x1f, RZ, 0xc0, !PT ;          // lane
    LEA R4, R2, RZ, 0x8 ;                           // 256 bytes a warp and iteration
    IMAD R4, R1, 0x800, R4 ;                        // 2048 a block
    LEA R4, R3, R4, 0x2 ;                           // 4 lane = 16 g + 4 t
    MOV R5, 0x1 ;
    IMAD.WIDE.U32 R6, R4, R5, x ;
    MOV R30, RZ ;
again:
    LDG.E R8, [R6.64 + 128] ;
    MOV R9, R8 ;
    LDG.E R8, [R6.64] ;
    LEA R10, R2, RZ, 0x7 ;
    LEA R11, R3, R10, 0x2 ;
    LDG.E R12, [R6.64 + 4096] ;
    STS [R11], R12 ;
    LOP3.LUT R13, R3, 0x7, RZ, 0xc0, !PT ;
    LEA R13, R13, R10, 0x4 ;
    LDSM.16.M88 R14, [R13] ;
    SHFL.BFLY PT, R15, R14, 0x4, 0x1f ;
    SHFL.BFLY PT, R15, R15, 0x4, 0x1f ;
    PRMT R16, R15, 0x0123, RZ ;
    PRMT R17, R16, 0x0123, RZ ;
    IMMA.16816.U8.U8 R20, R8.ROW, R17.COL, RZ ;
    IADD3 R6, P0, R6, 0x200, RZ ;
    IADD3.X R7, R7, RZ, RZ, P0, !PT ;
    IADD3 R30, R30, 0x1, RZ ;
    ISETP.NE.U32.AND P1, PT, R30, 0x3, PT ;
@P1 BRA again ;
    EXIT ;
.end
EOF
fhec "over warps, blocks and iterations; through shared memory, lanes and bytes" 0 \
    "  A[i][j] = x[16*i + j + 256*warp + 2048*block + 512*n], 12 executions
  B[i][j] = x[i + 16*j + 256*warp + 2048*block + 512*n + 4096], 12 executions
  D[i][j] = x[8*i + j + 128*warp + 1024*block + 256*n + 2048], 12 executions" \
    origins "$tmp/imma.sass" -k imma --grid 2 --block 64 --in "x=$tmp/x.bin"
fhec "of one warp" 0 "  A[i][j] = x[16*i + j + 2048*block + 512*n + 256], 6 executions" \
    origins "$tmp/imma.sass" -k imma --grid 2 --block 64 --in "x=$tmp/x.bin" --warp 1
fhec "bytes in reverse" 0 "R16 of lane 5 at line 32 is of several places" \
    origins "$tmp/imma.sass" -k imma --grid 2 --block 64 --in "x=$tmp/x.bin" --at 32 --register R16 \
    --lane 5
done_testing
