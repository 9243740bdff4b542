#!/usr/bin/env bash
# fhec run --check=fragments: what is planted in a matrix product is named; the product itself, and
# elements that are zeros or repeat an edge, are not. Places follow from the layouts of FHEC: lane
# 4g + t holds A[g + 8 (r & 1)][t + 4 (r / 2)] in its register r, B[t + 4 r][g].
. "$(dirname "$0")/../tools/tap.sh"

python3 - "$tmp" <<'EOF'
import random, struct, sys
random.seed(11)
for name, count in (("a", 256), ("b", 128), ("c_", 128)):
    with open(f"{sys.argv[1]}/{name}.bin", "wb") as f:
        f.write(b"".join(struct.pack("<I", random.randrange(1073479681)) for _ in range(count)))
EOF
matmul=tests/kernels/matmul.sass
arguments=(-k matmul --grid 1 --block 32 --in "a=$tmp/a.bin" --in "b=$tmp/b.bin"
    --in "c_=$tmp/c_.bin" --out "d=$tmp/d.bin:512" --arg modulus=modulus:1073479681
    --check=fragments)

# planted NAME SED-SCRIPT STATUS TEXT: the product, changed by the script; what is said of it.
planted() {
    sed "$2" "$matmul" >"$tmp/kernel.sass"
    cmp -s "$tmp/kernel.sass" "$matmul" && not_ok "$1 is planted" "the script changes nothing"
    fhec "$1" "$3" "$4" run "$tmp/kernel.sass" "${arguments[@]}"
    [ "$3" != 0 ] || same "$1: nothing is said" "$said" ""
}

fhec "the product itself" 0 "" run "$matmul" "${arguments[@]}"
same "nothing is found in it" "$said" ""

planted "swapped registers of A" 's/LDG.E A\[\\i\]/LDG.E A[\\i == 1 ? 2 : \\i == 2 ? 1 : \\i]/' 3 \
    "error[C080]: fragments: A[8][0] is expected in lane 0, R9; that holds a[4], which belongs to \
A[0][4]: R9 and R10 look swapped (A[i][j] = a[16*i + j] for 192 of 256 elements)
LDG.E R9, [R4.64+0x10]"
fhec "as JSON" 3 '"check":"fragments","id":"C080"' run "$tmp/kernel.sass" "${arguments[@]}" \
    --diag=json
planted "swapped registers of B" 's/LDG.E B\[\\i\]/LDG.E B[\\i == 1 ? 2 : \\i == 2 ? 1 : \\i]/' 3 \
    "C080]: fragments: B[4][0] is expected in lane 0, R17; that holds b[64], which belongs to \
B[8][0]: R17 and R18 look swapped"
planted "swapped halves of A" 's/LDG.E A\[\\i\]/LDG.E A[(\\i + 4) % 8]/' 3 \
    "C081]: fragments: A[0][0] is expected in lane 0, R8; that holds a[8], which belongs to \
A[0][8]: the left and right halves look swapped (A[i][j] = a[16*i + j])"
planted "swapped rows of A" 's/LDG.E A\[\\i\]/LDG.E A[\\i ^ 1]/' 3 \
    "the upper and lower halves look swapped (A[i][j] = a[16*i + j])"

# Register 4 of A, R12, is A[g][t + 8]; what is loaded is what register 5 has.
planted "a register from a wrong offset" \
    's/LDG.E A.*/.set from, \\i == 4 ? 5 : \\i\nLDG.E A[\\i], [at[0].64 + 512 * (from \& 1) + 16 * (from >> 1)] ;/' 3 \
    "A[0][8] is expected in lane 0, R12; that holds a[136], which belongs to A[8][8]: R12 holds \
what belongs in R13"

before='s/^    LEA R6, t, g, 0x3 ;/'
# Lane 13 (g = 3, t = 1) has A[3][5] in R10, from the row below.
planted "one wrong element" \
    "${before}ISETP.EQ.U32.AND P0, PT, lane, 13, PT ;\n@P0 LDG.E A[2], [at[0].64 + 80] ;\n&/" 3 \
    "C083]: fragments: A[3][5] is expected in lane 13, R10; that holds a[69], which belongs to \
A[4][5]: all others follow the map (A[i][j] = a[16*i + j] for 255 of 256 elements)
lanes 0x00002000"
# Lanes 8 to 11 (g = 2) have all of A as if they were lanes 12 to 15.
planted "lanes off by a group" \
    "s/^    LEA R6, g, t, 0x4 ;/ISETP.EQ.U32.AND P1, PT, g, 0x2, PT ;\n@P1 MOV g, 0x3 ;\n&/" 3 \
    "C082]: fragments: A[2][0] is expected in lane 8, R8; that holds a[48], which belongs to \
A[3][0]: lanes 8 to 11 hold what belongs 4 lanes further"

# Rows 12 to 15 are not there, and so are zeros; or they repeat row 11.
planted "zeros below the last row" \
    "${before}ISETP.GE.U32.AND P0, PT, g, 0x4, PT ;\n.rept 4, k\n@P0 MOV A[2 * \\\\k + 1], RZ ;\n.endr\n&/" \
    0 ""
edge='IADD3 R7, g, 8, RZ ;\nIMNMX.U32 R7, R7, 11, PT ;\nLEA R6, R7, t, 0x4 ;\n'
edge+='IMAD.WIDE.U32 at[0], R6, four, a ;\n'
edge+='.rept 4, k\nLDG.E A[2 * \\k + 1], [at[0].64 + 16 * \\k] ;\n.endr\n'
planted "rows that repeat the last one" "$before$edge&/" 0 ""

# .expect. B is row-major, b[8 i + j]; as if it were column-major, b[16 j + i], it is affine, too.
expected='.expect A = a[16*i + j]\n.expect B = b[8*i + j + 0*(warp + block.y)]\n.expect C < 3*q\n'
expected+='.expect four = 4\n.expect D < q\n.expect R1 = lane >> 2\n'
sed "s/^    FHEC/$expected&/" "$matmul" >"$tmp/expected.sass"
fhec "what holds" 0 "" run "$tmp/expected.sass" "${arguments[@]}"
same "what holds: nothing is said" "$said" ""
sed 's/LEA R6, t, g, 0x3 ;/LEA R6, g, t, 0x4 ;/; s/128 \* \\i/16 * \\i/' "$tmp/expected.sass" \
    >"$tmp/columns.sass"
fhec "B row-major for column-major" 3 "error[C084]: fragments: B[1][0], in lane 1, R16, is expected \
to be b[8], and is b[1]; so are 126 of 128 elements; B[i][j] = b[i + 16*j] is there
(.expect B = b[8*i + j + 0*(warp + block.y)])
LDG.E R16, [R4.64]" run "$tmp/columns.sass" "${arguments[@]}"
"$FHEC" as "$tmp/columns.sass" -o "$tmp/columns.o"
fhec "from an object" 3 "error[C084]: fragments: B[1][0], in lane 1" run "$tmp/columns.o" \
    "${arguments[@]}"
"$FHEC" dis "$tmp/columns.o" >"$tmp/back.sass"
fhec "from its text" 3 "error[C084]: fragments: B[1][0], in lane 1" run "$tmp/back.sass" \
    "${arguments[@]}"
"$FHEC" as "$tmp/back.sass" -o "$tmp/back.o"
same "which is the same again" "$("$FHEC" dis "$tmp/back.o")" "$(cat "$tmp/back.sass")"

# What the source says of an operand is what is checked of it.
sed "s/^    FHEC/.expect A = a[16*(i \& 7) + 4*(i >> 3) + (j \& 3) + 128*(j >> 2 \& 1) + (j \& 8)]\n&/
     s/512 \* (\\\\i & 1) + 16 \* (\\\\i >> 1)/16 * (\\\\i \& 1) + 512 * (\\\\i >> 1 \& 1) + 32 * (\\\\i >> 2)/" \
    "$matmul" >"$tmp/meant.sass"
fhec "an order that is meant" 0 "" run "$tmp/meant.sass" "${arguments[@]}"
cmp -s "$tmp/meant.sass" "$matmul" && not_ok "it is planted"
fhec "but is none that is seen" 3 "R9 and R10, R13 and R14 look swapped" \
    run <(sed '/^.expect/d' "$tmp/meant.sass") "${arguments[@]}"

# said EXPECTATION MESSAGE: what is said when it stands above the FHEC.
said() {
    sed "s/^    FHEC/.expect $1\n&/" "$matmul" >"$tmp/one.sass"
    fhec "$1" 3 "$2" run "$tmp/one.sass" "${arguments[@]}"
}
said "R3 = lane" "R3 of lane 0 is expected to be 0, and is 4; so are 31 of 32 elements"
said "UR4 = 7" "UR4 is expected to be 7, and is 1073479681"
said "t = 3 - (lane \\& 3)" "R2 of lane 0 is expected to be 3, and is 0; so are 32 of 32 elements"
said "D < 5" "in lane 0, R20, is expected to be below 5, and is "
said "A = b[16*i + j]" "A[0][0], in lane 0, R8, is expected to be b[0], and is a[0]; so are 256 of 256"
said "C = c_[9*i + j + UR4 - UR4]" "C[1][0], in lane 4, R20, is expected to be c_[9], and is c_[8]"

# `fhec test` checks what the source says without being asked to.
sed "s/^    FHEC/.expect B = b[8*j + i]\n&/" "$matmul" >"$tmp/tested.sass"
fhec "fhec test: what the source says" 3 "error[C084]: fragments: B[1][0], in lane 1" \
    test --case reduced "$tmp/tested.sass"
sed "s/^    FHEC/.expect B = b[8*i + j]\n&/" "$matmul" >"$tmp/tested.sass"
fhec "fhec test: and what is so" 0 "" test --case reduced "$tmp/tested.sass"
done_testing
