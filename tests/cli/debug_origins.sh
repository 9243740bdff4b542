#!/usr/bin/env bash
# Where values came from, in the debugger: matrices with the origins of their elements and marks at
# those that are elsewhere, against tables that follow from the layout of FHEC (lane 4g + t holds
# A[g + 8 (r & 1)][t + 4 (r / 2)] in its register r, B[t + 4 r][g]); registers through shared memory,
# LDSM, SHFL and PRMT, worked out by hand; watchpoints of origins, forwards and backwards.
. "$(dirname "$0")/../tools/tap.sh"

python3 - "$tmp" <<'EOF'
import random, struct, sys
random.seed(12)
for name, count in (("a", 256), ("b", 256), ("c_", 128)):
    with open(f"{sys.argv[1]}/{name}.bin", "wb") as f:
        f.write(b"".join(struct.pack("<I", random.randrange(1073479681)) for _ in range(count)))
with open(f"{sys.argv[1]}/x.bin", "wb") as f:
    f.write(bytes(7 * i % 251 for i in range(8192)))
EOF
matmul=tests/kernels/matmul.sass
matrices=(-k matmul --grid 1 --block 32 --in "a=$tmp/a.bin" --in "b=$tmp/b.bin"
    --in "c_=$tmp/c_.bin" --out "d=$tmp/d.bin:512" --arg modulus=modulus:1073479681)

# says NAME STATUS WANTED COMMAND...: what the commands answer, of $kernel with $arguments.
says() {
    local name=$1 status=$2 wanted=$3
    shift 3
    printf '%s\n' "$@" >"$tmp/script"
    fhec "$name" "$status" "$wanted" debug --batch -x "$tmp/script" "$kernel" "${arguments[@]}"
}

# ---- tables
cat >"$tmp/table.py" <<'EOF'
import sys
file, operand, index, wrong = sys.argv[1:]
columns, buffer = {"A": (16, "a"), "B": (8, "b")}[operand]
seen, first = {}, 0
for line in open(file):
    words = line.replace("!", "! ").split()
    if len(words) == 8 and all(w.isdigit() for w in words):
        first = int(words[0])
    elif len(words) == 9 and words[0].isdigit():
        for k, word in enumerate(words[1:]):
            seen[int(words[0]), first + k] = word
for i in range(16):
    for j in range(columns):
        if operand == "A":
            g, t, r = i % 8, j % 4, i // 8 + 2 * (j // 4)
        else:
            g, t, r = j, i % 4, i // 4
        names = {"i": i, "j": j, "g": g, "t": t, "r": r, "lane": 4 * g + t}
        want = f"{buffer}[{eval(index, names)}]" + ("!" if eval(wrong, names) else "")
        there = seen.pop((i, j), None)
        if there != want:
            sys.exit(f"{operand}[{i}][{j}] is {there}, not {want}")
print(seen or "as it should be")
EOF
# table NAME OPERAND SED-SCRIPT INDEX WRONG: in the product whose source the script has changed, the
# operand's elements come from element INDEX of its buffer, and those are marked for which WRONG
# holds: Python, of i, j, lane = 4 g + t, r.
table() {
    sed "$3" "$matmul" >"$tmp/table.sass"
    [ -z "$3" ] || ! cmp -s "$tmp/table.sass" "$matmul" || not_ok "$1 is planted"
    printf 'break op FHEC\ncontinue\nfragments /origin %s\n' "$2" >"$tmp/script"
    "$FHEC" debug --batch -x "$tmp/script" "$tmp/table.sass" "${matrices[@]}" >"$tmp/table" 2>&1
    same "$1" "$(python3 "$tmp/table.py" "$tmp/table" "$2" "$4" "$5" 2>&1)" "as it should be"
}

table "A, in order" A "" "16 * i + j" False
table "B, in order" B "" "8 * i + j" False
# Register 1 has been loaded for register 2, and the other way around.
swap='s/LDG.E A\[\\i\]/LDG.E A[\\i == 1 ? 2 : \\i == 2 ? 1 : \\i]/'
table "registers of A swapped" A "$swap" \
    "16 * (g + 8 * ((0, 0, 1)[r] if r < 3 else r % 2)) + t + 4 * ((0, 1, 0)[r] if r < 3 else r // 2)" \
    "r in (1, 2)"
columns='s/LEA R6, t, g, 0x3 ;/LEA R6, g, t, 0x4 ;/; s/128 \* \\i/16 * \\i/'
table "B as if it were column-major" B "$columns" "16 * j + i" False
table "B column-major, where the source says row-major" B \
    "$columns; s/^    FHEC/.expect B = b[8*i + j]\n&/" "16 * j + i" "16 * j + i != 8 * i + j"
table "a stride that is too short" A \
    's/LEA R6, g, t, 0x4 ;/LEA R6, g, t, 0x3 ;/; s/^    FHEC/.expect A = a[16*i + j]\n&/' \
    "8 * g + t + 128 * (r % 2) + 4 * (r // 2)" "g > 0"
table "lanes off by a group" A \
    "s/^    LEA R6, g, t, 0x4 ;/ISETP.EQ.U32.AND P1, PT, g, 0x2, PT ;\n@P1 MOV g, 0x3 ;\n&/" \
    "16 * (3 + 8 * (r % 2) if g == 2 else i) + j" "g == 2"
table "one element" A \
    "s/^    LEA R6, t, g, 0x3 ;/ISETP.EQ.U32.AND P0, PT, lane, 13, PT ;\n@P0 LDG.E A[2], [at[0].64 + 80] ;\n&/" \
    "69 if lane == 13 and r == 2 else 16 * i + j" "lane == 13 and r == 2"

# ---- what is said of them
sed "$swap" "$matmul" >"$tmp/swap.sass"
kernel=$tmp/swap.sass
arguments=("${matrices[@]}")
says "what is wrong, below the matrix" 0 "A: 16 x 16 of 32 bits, R8 to R15
A[i][j] = a[16*i + j] for 192 of 256 elements
! A[8][0] is expected in lane 0, R9; that holds a[4], which belongs to A[0][4]: R9 and R10 look \
swapped" 'break op FHEC' continue 'fragments /check A'
says "which lane and register have what is not its" 0 "0:R10! 1:R10! 2:R10! 3:R10!" 'break op FHEC' \
    continue 'fragments /lane /check A'
says "without being asked nothing is marked" 0 "0:R10  1:R10  2:R10  3:R10" 'break op FHEC' continue \
    'fragments /lane A'
word=$(python3 -c "
import struct
print('%08x' % struct.unpack_from('<I', open('$tmp/a.bin', 'rb').read(), 4 * 177)[0])")
says "maps, as fhec origins tells them" 0 "FHEC.16816.U32.U32 R20, R8.ROW, R16.COL, R20, UR4
  A[i][j] = a[16*i + j]
    but A[3][5], in lane 13, R10, is a[177] = 0x${word##0}
    but A[8][0], in lane 0, R9, is a[4] = 0x
  B[i][j] = b[8*i + j]
  C[i][j] = c_[8*i + j]
  UR4 is c[0x0][0x180] = 0x3ffc0001" 'break op FHEC' continue origins
sed "s/^    FHEC/.expect R3 = lane\n.expect UR4 = 7\n.expect R2 = lane \& 3\n&/" "$matmul" >"$tmp/told.sass"
kernel=$tmp/told.sass
says "registers that are not what the source says" 0 "R3 of lane 0 is expected to be 0, and is 4; so are \
31 of 32 elements
  UR4 is expected to be 7, and is 1073479681" 'break op FHEC' continue origins
same "and not those that are" "$(grep -c 'R2 of lane' <<<"$said")" 0
kernel=$tmp/swap.sass
says "registers, of one lane and of all" 0 "  R9 of lane 13 is a[53] = 0x
  R10 of lane 13 is a[177] = 0x$word
  UR4 is c[0x0][0x180] = 0x3ffc0001
  R8 of lane 31 is a[115] = 0x" 'break op FHEC' continue 'origins R9-R10 UR4 l13' 'origins R8 *'
says "who has an element" 0 "  R10 of lane 13 is a[177]
  no register of warp 0 holds something of d" 'break op FHEC' continue 'origins a[177]' 'origins d'
says "behind the product" 0 "  R20 of lane 7 is computed at 0x1d0" 'break op FHEC' continue step \
    'origins R20 l7'
says "what was set by hand" 0 "  R8 of lane 3 is a number = 0x00000005
  R8 of lane 4 is a[16] = 0x
  R8 of lane 3 is a number = 0x00000005" 'break op FHEC' continue 'set R8 l3 = 5' 'origins R8 l3' \
    'origins R8 l4' reverse-step step 'origins R8 l3'

# ---- registers
# Row n of the matrix in shared memory is 16 bytes, so behind LDSM lane 4g + t has bytes 4t to 4t + 3 of
# row g: word 1024 + 4g + t of x. SHFL.BFLY 4 brings it from lane 4 (g ^ 1) + t.
cat >"$tmp/moves.sass" <<'SASS'
.target sm_80
.kernel moves
.param x, 8
.shared room, 512
    S2R R3, SR_LANEID ;
    MOV R5, 0x4 ;
    IMAD.WIDE.U32 R6, R3, R5, x ;
    SHF.L.U32 R11, R3, 0x2, RZ ;
    LDG.E R12, [R6.64 + 4096] ;
    STS [R11], R12 ;
    LOP3.LUT R13, R3, 0x7, RZ, 0xc0, !PT ;
    SHF.L.U32 R13, R13, 0x4, RZ ;
    LDSM.16.M88 R14, [R13] ;
    SHFL.BFLY PT, R15, R14, 0x4, 0x1f ;
    PRMT R16, R15, 0x0123, RZ ;
    PRMT R17, R16, 0x0123, RZ ;
    ISETP.LT.U32.AND P0, PT, R3, 0x10, PT ;
    SEL R18, R17, R12, P0 ;
    IADD3 R19, R18, 0x1, RZ ;
    EXIT ;
.end
SASS
kernel=$tmp/moves.sass
arguments=(-k moves --grid 1 --block 32 --in "x=$tmp/x.bin")
says "through shared memory, lanes and bytes" 0 "  R14 of lane 6 is x[1030] = 0x
  R15 of lane 6 is x[1026] = 0x
  R16 of lane 6 is of several places = 0x
  R17 of lane 6 is x[1026] = 0x
  R18 of lane 6 is x[1026] = 0x
  R18 of lane 16 is x[1040] = 0x
  R19 of lane 6 is computed at 0xe0 = 0x" 'break op EXIT' continue 'origins R14-R18 l6' \
    'origins R18 l16' 'origins R19 l6'
says "what an instruction without matrices reads" 0 "IADD3 R19, R18, 0x1, RZ
  R18 of lane 2 is x[1030] = 0x" 'break pc 0xe0' continue 'focus l2' origins

# ---- changes of origin
# The same value from another place is a change, the same place once more is none. R4 is x[lane] = 7,
# x[lane] again, x[32 + lane] = 7, a copy of itself; in lane 5 alone x[0]. R8 counts.
python3 -c "
import struct
open('$tmp/y.bin', 'wb').write(struct.pack('<64I', *[7] * 64))"
cat >"$tmp/watch.sass" <<'SASS'
.target sm_80
.kernel watched
.param x, 8
    S2R R3, SR_LANEID ;
    MOV R5, 0x4 ;
    IMAD.WIDE.U32 R6, R3, R5, x ;
    MOV R8, RZ ;
    LDG.E R4, [R6.64] ;
again:
    IADD3 R8, R8, 0x1, RZ ;
    ISETP.LT.U32.AND P0, PT, R8, 0x3, PT ;
    LDG.E R4, [R6.64] ;
@P0 BRA again ;
    LDG.E R4, [R6.64 + 128] ;
    MOV R9, R4 ;
    MOV R4, R9 ;
    ISETP.EQ.U32.AND P1, PT, R3, 0x5, PT ;
    MOV R10, x ;
    MOV R11, x + 4 ;
@P1 LDG.E R4, [R10.64] ;
    IADD3 R4, R4, RZ, RZ ;
    IADD3 R4, R4, R8, RZ ;
    EXIT ;
.end
SASS
kernel=$tmp/watch.sass
arguments=(-k watched --grid 1 --block 64 --in "x=$tmp/y.bin")
# stops COMMAND...: what is told of changes, in order.
stops() {
    printf '%s\n' "$@" >"$tmp/script"
    "$FHEC" debug --batch -x "$tmp/script" "$kernel" "${arguments[@]}" 2>&1 |
        grep -E "^in lane|^the |^error"
}
forward="in lane 0: nothing that was written -> x[0]
in lane 0: x[0] -> x[32]
in lane 5: x[37] -> x[0]
in lane 0: x[32] -> computed at 0x110"
same "changes of origin" "$(stops 'focus *' 'watch origin R4' continue continue continue continue)" "$forward"
same "and backwards" "$(stops 'break op EXIT in w0' continue 'focus *' 'watch origin R4' reverse-continue \
    reverse-continue reverse-continue reverse-continue | tac)" "$forward"
same "of one lane" "$(stops 'watch origin R4 in w1 l5' continue continue continue continue continue)" \
    "in lane 5: nothing that was written -> x[5]
in lane 5: x[5] -> x[37]
in lane 5: x[37] -> x[0]
in lane 5: x[0] -> computed at 0x110
the end: all launches have ended"
same "with a condition" "$(stops 'watch origin R4 in l5 if R8 == 3' continue continue)" \
    "in lane 5: x[5] -> x[37]
in lane 5: x[37] -> x[0]"
same "a counter has one origin, behind the first" "$(stops 'watch origin R8' continue continue continue)" \
    "in lane 0: nothing that was written -> a number
in lane 0: a number -> computed at 0x50
the end: all launches have ended"
same "the last change, and the next" "$(stops 'break op EXIT' continue 'last origin R4 l5' \
    'last origin R4 l5' 'first origin R4 l5')" "in lane 5: x[0] -> computed at 0x110
in lane 5: x[37] -> x[0]
in lane 5: x[37] -> x[0]"
says "where it stops: behind the instruction, backwards before it" 0 "stop 1: watch origin R4 in l5
launch 1 of 1, watched, instruction 5, block (0,0,0) warp 0 lane 5
stop 1: watch origin R4 in l5
launch 1 of 1, watched, instruction 4, block (0,0,0) warp 0 lane 5
watch.sass:8: 0x0040  LDG.E R4, [R6.64]" 'watch origin R4 in l5' continue reverse-continue

# ---- what is wrong
says "predicates have none" 2 "registers R and UR have origins, nothing else" 'watch origin P0'
says "nor has memory" 2 "registers R and UR have origins" 'watch origin x[3]'
says "no register" 2 '"S4" is no register R or UR, nor a buffer' 'origins S4'
says "no range" 2 '"R5-R3" is no register' 'origins R5-R3'
says "no element" 2 '"x[64]" is no register R or UR, nor a buffer or part of one' 'origins x[64]'
says "no matrix" 2 'has no matrix' 'fragments /origin'
says "no such way to show one" 2 '"/orgin" is no format' 'fragments /orgin'
says "behind the end" 2 "no launch is under way" 'goto end' 'origins R4'

# ---- colours: on a terminal, unless NO_COLOR says no
kernel=$tmp/swap.sass
arguments=("${matrices[@]}")
printf 'break op FHEC\ncontinue\nfragments /origin A\n' >"$tmp/script"
terminal() {
    python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))' "$@" </dev/null
}
unset NO_COLOR
said=$(terminal "$FHEC" debug --batch -x "$tmp/script" "$kernel" "${arguments[@]}")
check "red on a terminal" grep -qF $' a[3] \033[1;31ma[128]\033[m!' <<<"$said"
said=$(NO_COLOR=1 terminal "$FHEC" debug --batch -x "$tmp/script" "$kernel" "${arguments[@]}")
check "marked without colours, too" grep -qF "a[3] a[128]!" <<<"$said"
same "and not red with NO_COLOR" "$(grep -c $'\033' <<<"$said")" 0
said=$("$FHEC" debug --batch -x "$tmp/script" "$kernel" "${arguments[@]}")
same "nor in a file" "$(grep -c $'\033' <<<"$said")" 0
done_testing
