#!/usr/bin/env bash
# --check=operands: wrong moduli, mu and operands of FHEC, FHEC.MIX, MOD* and MONTMUL, one at a time.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/fhec.sass" <<'EOF'
.target sm_80, fhec
.macro LOAD
    S2R R0, SR_TID.X ;
    MOV R1, 0x10 ;
    IMAD.WIDE.U32 R2, R0, R1, a ;
    LDG.E.128 R8, [R2.64] ;
    LDG.E.128 R12, [R2.64+0x200] ;
    IMAD.WIDE.U32 R2, R0, R1, b ;
    LDG.E.128 R4, [R2.64] ;
    IMAD.WIDE.U32 R2, R0, R1, s ;
    LDG.E.128 R20, [R2.64] ;
.endm
.kernel uniform
.param a, 8
.param b, 8
.param s, 8
.param m, 16
    LOAD
    ULDC.64 UR4, m ;
    ULDC.64 UR6, m + 8 ;
    FHEC.16816.U32.U32 R20, R8.ROW, R4.COL, R20, UR4 ;
    STG.E.128 [R2.64], R20 ;
    EXIT ;
.end
.kernel lazy
.param a, 8
.param b, 8
.param s, 8
.param m, 16
    LOAD
    ULDC.64 UR4, m ;
    ULDC.64 UR6, m + 8 ;
    .expect A < 3 * q
    FHEC.16816.U32.U32 R20, R8.ROW, R4.COL, R20, UR4 ;
    STG.E.128 [R2.64], R20 ;
    EXIT ;
.end
.kernel mixed
.param a, 8
.param b, 8
.param s, 8
.param m, 8
    LOAD
    IMAD.WIDE.U32 R24, R0, R1, m ;
    LDG.E.128 R24, [R24.64] ;
    FHEC.16816.U32.U32.MIX R20, R8.ROW, R4.COL, R20, R24 ;
    STG.E.128 [R2.64], R20 ;
    EXIT ;
.end
EOF
# a, b and s are below 97 but for what a test changes: word WORD of lane LANE becomes VALUE.
cat >"$tmp/make.py" <<'EOF'
import struct, sys
folder, changes = sys.argv[1], dict(c.split("=") for c in sys.argv[2:])
Q = 97
def write(name, words):
    for where, value in changes.items():
        if where.startswith(name + ":"):
            words[int(where.split(":")[1])] = int(value)
    open(f"{folder}/{name}.bin", "wb").write(struct.pack(f"<{len(words)}I", *words))
write("a", [(7 * i + 3) % Q for i in range(256)])
write("b", [(11 * i + 5) % Q for i in range(128)])
write("s", [(13 * i + 1) % Q for i in range(128)])
mu = lambda q: 2**64 // q
columns = [97, 101, 103, 107, 109, 113, 127, 131]
write("m", [w for lane in range(32) for q in [columns[lane // 4]]
            for w in (q, lane, mu(q) & 0xffffffff, mu(q) >> 32)])
EOF
check_of() { # check_of NAME STATUS TEXT KERNEL Q MU [CHANGE...]
    local name=$1 status=$2 text=$3 kernel=$4 q=$5 mu=$6 m=()
    shift 6
    python3 "$tmp/make.py" "$tmp" "$@"
    m=(--arg "m+0=u32:$q" --arg "m+8=u64:$mu")
    [ "$kernel" != mixed ] || m=(--in "m=$tmp/m.bin")
    fhec "$name" "$status" "$text" run "$tmp/fhec.sass" -k "$kernel" --grid 1 --block 32 \
        --in a="$tmp/a.bin" --in b="$tmp/b.bin" --inout s="$tmp/s.bin" "${m[@]}" --check=operands
    same "$name: one finding, or none" "$(grep -c 'error\[' <<<"$said")" $((status / 3))
}
mu=190172619316593315 # floor(2^64 / 97)
check_of "FHEC as it should be" 0 "" uniform 97 $mu
check_of "mu - 1" 3 "error[C063]: operands: mu, from UR6 on, is 0x2a3a0fd5c5f02a2; expected \
floor(2^64 / 97) = 0x2a3a0fd5c5f02a3" uniform 97 $((mu - 1))
check_of "q of 1" 3 "error[C060]: operands: the modulus in UR4 is 1" uniform 1 0
# R9 of lane 3 is word 4 * 3 + 1 of a: i = 1 is row g + 8, column t, with g = 0 and t = 3.
check_of "A of q" 3 "error[C065]: operands: A[8][3], in R9 of lane 3, is 97; expected less than the \
modulus, 97
lanes 0x00000008" uniform 97 $mu a:13=97
# R6 of lane 9 is word 4 * 9 + 2 of b: row t + 8, column g, with g = 2 and t = 1.
check_of "B above q" 3 "error[C065]: operands: B[9][2], in R6 of lane 9, is 4294967295" \
    uniform 97 $mu b:38=4294967295
# R23 of lane 31 is word 127 of s: row g + 8, column 2 t + 1, with g = 7 and t = 3.
check_of "an accumulator of q" 3 "error[C064]: operands: C[15][7], in R23 of lane 31, is 97" \
    uniform 97 $mu s:127=97
check_of "A below the bound that the source states" 0 "" lazy 97 $mu a:13=290
check_of "A at that bound" 3 "error[C065]: operands: A[8][3], in R9 of lane 3, is 291; expected less \
than the bound of .expect for the modulus 97" lazy 97 $mu a:13=291
check_of "B is not meant by it" 3 "error[C065]: operands: B[9][2]" lazy 97 $mu b:38=98

check_of "FHEC.MIX as it should be" 0 "" mixed 0 0
check_of "A and B of .MIX may be anything" 0 "" mixed 0 0 a:13=4000000000 b:38=4000000001
# Word 4 * 22 of m: q of lane 22, which is the third of column 5.
check_of "lanes that disagree" 3 "error[C062]: operands: word 0 of the descriptor of column 5 is 0x71 \
in lane 20 and 0x7f in lane 22" mixed 0 0 m:88=127
check_of "mu of a column" 3 "error[C063]: operands: mu, from R26 of lane 28 on, is" mixed 0 0 \
    m:114=1 m:118=1 m:122=1 m:126=1
check_of "an accumulator of its column's q" 3 "error[C064]: operands: C[15][7], in R23 of lane 31, is \
131; expected less than the modulus, 131" mixed 0 0 s:127=131
check_of "that would be enough in another column" 0 "" mixed 0 0 s:127=130

# ---- lanes: the modulus in a register, in constant memory, in a uniform register; 64 bits
lanes() { # lanes NAME STATUS TEXT INSTRUCTION...: with R4 = x, R5 = 0, R6 = y, R7 = 0
    local name=$1 status=$2 text=$3 line
    shift 3
    {
        printf '.target sm_80, gme, mont\n.kernel k\n.param q, 8\n.param x, 4\n.param y, 4\n'
        printf 'MOV R4, x ;\nMOV R5, RZ ;\nMOV R6, y ;\nMOV R7, RZ ;\n'
        printf 'MOV R8, q ;\nMOV R9, q + 4 ;\nULDC.64 UR4, q ;\n'
        for line; do [[ $line == *=* ]] || printf '%s ;\n' "$line"; done
        printf 'EXIT ;\n.end\n'
    } >"$tmp/lanes.sass"
    local args=()
    for line; do [[ $line != *=* ]] || args+=(--arg "$line"); done
    fhec "$name" "$status" "$text" run "$tmp/lanes.sass" --grid 1 --block 32 "${args[@]}" \
        --check=operands
}
given=(q=u64:97 x=u32:96 y=u32:5)
lanes "all of them as they should be" 0 "" "MODADD.U32 R10, R4, R6, R8" "MODSUB.U64 R10, R4, R6, q" \
    "MODMUL.U32 R10, R4, R6, UR4" "MODMAD.U32 R10, R4, R6, R6, R8" "MONTMUL.U32 R10, R4, R6, R8" \
    "MODRED.U64 R10, R4, R8" "${given[@]}"
lanes "a factor, with the modulus in constant memory" 3 \
    "C065]: operands: A, in R4 of lane 0, is 97; expected less than the modulus, 97" \
    "MODMUL.U64 R10, R4, R6, q" q=u64:97 x=u32:97 y=u32:5
lanes "a term, with the modulus in a uniform register" 3 "C065]: operands: B, in R6 of lane 0, is 98" \
    "MODSUB.U32 R10, R4, R6, UR4" q=u64:97 x=u32:5 y=u32:98
lanes "an accumulator of MODMAD" 3 "C064]: operands: C, in R6 of lane 0, is 98" \
    "MODMAD.U32 R10, R4, R4, R6, R8" q=u64:97 x=u32:5 y=u32:98
lanes "a factor of 64 bits above a modulus of 32" 3 "is 4294967301; expected less than the modulus, 97" \
    "MOV R5, 0x1" "MODMUL.U64 R10, R4, R6, R8" q=u64:97 x=u32:5 y=u32:5
lanes "MODRED takes anything" 0 "" "MODRED.U32 R10, R4, R8" q=u64:97 x=u32:4000000000 y=u32:0
lanes "a modulus of 1 in constant memory" 3 "C060]: operands: the modulus in c[0x0][0x160] is 1" \
    "MODRED.U32 R10, R4, q" q=u64:1 x=u32:5 y=u32:5
lanes "an even modulus of MONTMUL" 3 "C061]: operands: the modulus in R8 of lane 0 is 98" \
    "MONTMUL.U32 R10, R4, R6, R8" q=u64:98 x=u32:5 y=u32:5
lanes "a modulus of 0 is found, and a fault" 3 "C060]: operands: the modulus in UR4 is 0" \
    "MODMUL.U32 R10, R4, R6, UR4" q=u64:0 x=u32:5 y=u32:5

# ---- nothing is found in what the tool's own kernels are given
for map in fhec16 fhec256 fhec16+gme gme32 gme64; do
    fhec "ntt, map $map" 0 "equal" ntt --n 1024 --limbs 2 --map "$map" --check=operands,fragments
    fhec "ntt backward, map $map" 0 "equal" ntt --n 1024 --inverse --order natural --map "$map" \
        --pattern max --check=operands,fragments
    fhec "bconv, map $map" 0 "equal" bconv --n 256 --limbs 5,9 --map "$map" --check=operands,fragments
    fhec "ckks, map $map" 0 "equal" ckks --logn 10 --limbs 6 --alpha 2 --map "$map" hemult --rescale \
        --check=operands,fragments
done
fhec "montmul, map mont" 0 "equal" bigint --words 9 --map mont montmul --check=operands
done_testing
