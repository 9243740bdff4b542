#!/usr/bin/env bash
# Instructions of one's own of every kind that docs/your-own-instruction.md describes and its examples do
# not have (tests/own): a fhec with them is built, and they are right on every engine, are traced and
# linted as fhec's own are.
. "$(dirname "$0")/../tools/tap.sh"

own=$O/own_forms
files=$(echo tests/own/*.isa)
said=$("${MAKE:-make}" ISA="$files" O="$own" B="$O" 2>&1)
same "they build" "$?" 0
[ -x "$own/fhec" ] || { not_ok "there is a fhec" "$said"; done_testing; }
same "without a warning" "$(grep -c 'warning:' <<<"$said")" 0

for engine in "--engine ref" "--simd portable" "--simd avx2" "--simd avx512"; do
    # shellcheck disable=SC2086 # two words
    said=$("$own/fhec" test $engine tests/own 2>&1)
    case $said in
        *'this host'*) skip "the kernels, $engine" "this host does not have it" ;;
        *) same "the kernels, $engine" "$(tail -n 1 <<<"$said")" "3 passed, 0 failed" ;;
    esac
done
python3 tests/vectors/generate.py tests/own/model.py "$tmp/own.vec"
check "the tests of all instructions, with vectors" env FHEC_TEST_SECONDS=4 \
    "${MAKE:-make}" ISA="$files" O="$own" B="$O" VECTORS="$tmp/own.vec" isa-test

# What was loaded, and of a compare-and-swap what was there and what is; words 9 and 10 in x.
printf '\t\0\0\0\n\0\0\0' >"$tmp/x.bin"
cat >"$tmp/seen.sass" <<'EOF'
.target sm_80
.kernel seen
.param x, 8
.shared sum, 4
    MOV R2, x ;  MOV R3, x + 4 ;
    MOV R4, 0x7 ;  MOV R5, RZ ;
    LDMOD P0, R6, [R2.64+0x4], R4, PT ;
    MOV R7, 0x5 ;
    MOV R8, sum ;
    STS [R8], R7 ;
    ATOMSUBM P1, R9, [R8], R6, R4 ;
    ATOMSUBM P2, R9, [R8], R4, R4 ;
    EXIT ;
.end
EOF
for engine in "--engine ref" "--simd portable" "--simd best"; do
    # shellcheck disable=SC2086 # two words
    same "accesses are seen, $engine" "$("$own/fhec" run "$tmp/seen.sass" --grid 1 --block 1 $engine \
        --inout "x=$tmp/x.bin" --trace=mem,regs 2>&1 | grep -E 'load|atomic|R6|R9|P[012]' | sed 's/^ *//; s/ *$//')" \
"global load 4 lane 0 0x7f0000000004 = 0000000a  x[1]
P0 = 00000001
R6 =  00000003  (00000000) (00000000) (00000000) (00000000) (00000000) (00000000) (00000000)
shared atomic 4 lane 0 0x0 = 00000005 -> 00000002
P1 = 00000001
R9 =  00000005  (00000000) (00000000) (00000000) (00000000) (00000000) (00000000) (00000000)
shared atomic 4 lane 0 0x0 = 00000002 -> 00000002
P2 = 00000000
R9 =  00000002  (00000000) (00000000) (00000000) (00000000) (00000000) (00000000) (00000000)"
done

# The pipe depends on the modifier: after 6 cycles with .WIDE, 4 without.
cat >"$tmp/late.sass" <<'EOF'
.target sm_80, own
.kernel late
    [B------:R-:W-:-:S05] MAD64 R2, R0, 0x2, R6 ;
    [B------:R-:W-:-:S05] IADD3 R4, R2, 0x1, RZ ;
    [B------:R-:W-:-:S05] MAD64.WIDE R2, R0, 0x2, R6 ;
    [B------:R-:W-:-:S05] IADD3 R4, R2, 0x1, RZ ;
    [B------:R-:W-:-:S04] MODMMA.1684.U64 R16, R8.ROW, R12.COL, R24, UR4 ;
    [B------:R-:W-:-:S05] IADD3 R4, R16, 0x1, RZ ;
    [B------:R-:W-:-:S05] EXIT ;
.end
EOF
same "hazards by their pipes" "$("$own/fhec" lint "$tmp/late.sass" 2>&1 | sed -n 's/.*: error\[\(L[0-9]*\)\].*, address \(0x[0-9a-f]*\):.*/\1 \2/p')" \
"L003 0x30
L002 0x50"

# Text and word, back and forth.
cat >"$tmp/text.sass" <<'EOF'
.target sm_80, own
.kernel text
    MAD64.WIDE.HI P0, P1, R2, -R0, -0x2, R6, PT ;
    MAD64 R2, R0, UR3, ~R6 ;
    MODMMA.1684.SUB.U64 P2, R16, R8.ROW, R12.COL, R24, c[0x0][0x168] ;
    LDMOD.128 R8, [R2.64+-0x10], UR6, P1 ;
    LDMOD.64 P4, RZ, [R2.U32], c[0x3][0x8], !P1 ;
    SCANM.EX P0, R2, R4, c[0x0][0x160], !P5 ;
    EXIT ;
.end
EOF
"$own/fhec" as "$tmp/text.sass" -o "$tmp/text.cubin"
"$own/fhec" dis "$tmp/text.cubin" >"$tmp/again.sass"
same "text to word and back" "$(grep ';' "$tmp/again.sass")" "$(grep ';' "$tmp/text.sass")"
words() { "$own/fhec" as "$1" --list | grep -o '0x[0-9a-f]\{16\}'; }
same "and to the same words" "$(words "$tmp/again.sass")" "$(words "$tmp/text.sass")"
done_testing
