#!/usr/bin/env bash
# fhec dis: text that assembles back to the same words; words one by one; bad input.
. "$(dirname "$0")/../tools/tap.sh"

words() { grep -oE '/\* 0x[0-9a-f]{16} \*/' <<<"$1"; }

cat >"$tmp/loop.sass" <<'EOF'
.target sm_80, fhec
.kernel first
.param in, 8
.param n, 4
.shared tile, 4096
    S2R R0, SR_TID.X ;
    MOV R2, RZ ;
    BSSY B0, done ;
again:
    ISETP.GE.U32.AND P0, PT, R2, n, PT ;
@P0 BRA out ;
    IADD3 R2, R2, 0x1, RZ ;
    BRA again ;
out:
    BSYNC B0 ;
done:
    LDS R4, [R0.X4+tile] ;
    FHEC.16816.U32.U32 R4, R8.ROW, R16.COL, R4, UR4 ;
    EXIT ;
.end
.kernel second
    BRA here ;
here:
    EXIT ;
.end
EOF
fhec "listing of the source" 0 "" as "$tmp/loop.sass" --list -o "$tmp/loop.cubin"
before=$(words "$said")
[ "$(wc -l <<<"$before")" -ge 26 ] && ok "it has words" || not_ok "it has words" "$before"
for input in loop.sass loop.cubin; do
    fhec "dis $input" 0 ".kernel first
.param n, 4
.target sm_80, fhec
.kernel second" dis "$tmp/$input"
    printf '%s\n' "$said" >"$tmp/back.sass"
    fhec "$input: the text assembles" 0 "" as "$tmp/back.sass" --list
    same "$input: to the same words" "$(words "$said")" "$before"
    fhec "dis --control $input" 0 "[B------:" dis -c "$tmp/$input"
    printf '%s\n' "$said" >"$tmp/back.sass"
    fhec "$input: the text with scheduling assembles" 0 "" as "$tmp/back.sass" --list
    same "$input: to the same words too" "$(words "$said")" "$before"
done
grep -q "BRA .L_" "$tmp/back.sass" && ok "targets are labels" || not_ok "targets are labels"

# A call of what a register holds returns to a place that is counted from an LEPC, by the difference
# of two plain numbers: the place keeps its meaning where the text gets longer, anywhere.
cat >"$tmp/counted.sass" <<'EOF'
.kernel c
.param out, 8
    MOV R2, 32@lo(twice) ; MOV R3, 32@hi(twice) ;
    MOV R9, 0xc0 ;
    LEPC R6 ;
    MOV R20, 0x30 ; MOV R21, 0x0 ; MOV R0, 0x0 ;
    MOV R4, 0x30 ;
    IADD3 R20, P0, P1, -R20, R9, R6 ;
    IADD3.X R21, ~R0, R21, R7, P0, P1 ;
    CALL.ABS.NOINC R2 ;
    BRA 0x110 ;
    S2R R5, SR_TID.X ;
    MOV R8, c[0x0][0x160] ; MOV R9, c[0x0][0x164] ;
    IMAD.WIDE.U32 R8, R5, 0x4, R8 ;
    STG.E [R8.64], R4 ;
    EXIT ;
.end
.function twice
    IADD3 R4, R4, R4, RZ ;
    RET.ABS.NODEC R20 0x0 ;
.end
EOF
for _ in {1..32}; do printf '`\0\0\0'; done >"$tmp/doubled.bin" # 0x60
counted=(--grid 1 --block 32 --out out=/dev/null:128 --expect "out=$tmp/doubled.bin")
fhec "a counted return" 0 "" run "$tmp/counted.sass" "${counted[@]}"
fhec "its numbers have labels, the one like them has none" 0 "MOV R9, .L_12 ;
MOV R20, .L_3 ;
MOV R4, 0x30 ;" dis "$tmp/counted.sass"
printf '%s\n' "$said" >"$tmp/back.sass"
for edited in .L_3: '    IADD3.X' '    CALL' '    EXIT' '    S2R'; do
    sed "s/^$edited/    NOP ; NOP ; NOP ;\n&/" "$tmp/back.sass" >"$tmp/edited.sass"
    fhec "it returns with more instructions before $edited" 0 "" run "$tmp/edited.sass" \
        "${counted[@]}" --max-steps 1000
done
printf '\tFunction : c\n\t/*0000*/ EXIT ; /* 0x000000000000794d */\n\t/* 0x000fea0003800000 */\n' \
    >"$tmp/named.txt"
fhec "a kernel with a name of the machine's" 0 ".kernel c" dis "$tmp/named.txt"

cat >"$tmp/words.txt" <<'EOF'
# address, word; more columns are ignored
0000	0x0000000007ffe0ff0000000504047210	IADD3 R4, R4, R5, RZ
0010 ffffffffffffffffffffffffffffffff
EOF
"$FHEC" dis --words "$tmp/words.txt" >"$tmp/out" 2>&1
same "--words: known and unknown words" "$(cat "$tmp/out")" $'IADD3 R4, R4, R5, RZ\n?'
cat >"$tmp/words.txt" <<'EOF'
0000 0x000f800007ffe0ff0000000504067210	scoreboard 6, which counts with -c only
0010 0x000fe20007ffe1ff8000000504067210	two signs
0020 0x000fe200078e02080000000504077225	an unaligned pair
0030 0x1400000000002700000000000045f919	a reuse flag of a special register
0040 0x000fe200081e090000000004ff027981	32 bits of UR4 with .E
0050 0x000fe2000c1e19000000000402027981	a descriptor that nvdisasm does not print
EOF
for flags in "" -c; do
    # shellcheck disable=SC2086 # no flag is no argument
    "$FHEC" dis --words $flags "$tmp/words.txt" >"$tmp/out" 2>&1
    grep -c '^\.inst' "$tmp/out" >"$tmp/count"
    paste <(cut -d ' ' -f 1 "$tmp/words.txt") "$tmp/out" >"$tmp/texts.txt"
    "$FHEC" as --words "$tmp/texts.txt" >"$tmp/back.txt" 2>&1
    if [ "$flags" = -c ]; then
        same "--words -c: words as numbers" "$(cat "$tmp/count")" 5
        same "--words -c: all words come back" "$(cat "$tmp/back.txt")" \
            "$(cut -d ' ' -f 2 "$tmp/words.txt" | cut -f 1)"
    else
        same "--words: words as numbers" "$(cat "$tmp/count")" 4
    fi
done
# Source lines, with what led there; an object knows them as its source does.
printf '%s\n' '.macro ADD r' '    IADD3 \r, \r, 0x1, RZ ;' .endm >"$tmp/add.inc"
printf '%s\n' '.include "add.inc"' '.kernel k' '.rept 2' '    ADD R2' .endr '    EXIT ;' .end >"$tmp/add.sass"
(cd "$tmp" && "$FHEC" as add.sass -o add.cubin && "$FHEC" dis -g add.sass >add.txt && "$FHEC" dis -g add.cubin >back.txt)
same "dis -g of an object and of its source" "$(cat "$tmp/back.txt")" "$(cat "$tmp/add.txt")"
same "macros and repetitions" "$(grep '^\.loc' "$tmp/add.txt")" \
    '.loc "add.inc", 2 // (in macro ADD, from add.sass:4, in iteration 1 of .rept at add.sass:3)
.loc "add.inc", 2 // (in macro ADD, from add.sass:4, in iteration 2 of .rept at add.sass:3)
.loc "add.sass", 6'
fhec "the text assembles" 0 "" as "$tmp/add.txt" -o "$tmp/add2.cubin"

printf '0000 0x1234\n' >"$tmp/short.txt"
fhec "--words: a word too short" 2 "short.txt:1: expected \`ADDRESS WORD\`" dis --words "$tmp/short.txt"

# Functions that are not there stay, whether something calls them or not, and numbers of one are one.
printf '%s\n' '.extern idle' '.extern called' '.kernel k' '    CALL.ABS.NOINC called ;' '    EXIT ;' \
    .end '.kernel short' '    EXIT ;' .end >"$tmp/extern.sass"
fhec "an object with functions of elsewhere" 0 "" as "$tmp/extern.sass" -o "$tmp/extern.cubin"
fhec "all of them are declared" 0 ".extern called
.extern idle" dis "$tmp/extern.cubin"
fhec "the list of what is there" 0 "kernel short: 1 register, 1 instruction
kernel k: 1 register, 2 instructions" run "$tmp/extern.sass"

head -c 3000 /dev/urandom >"$tmp/random"
{ printf '\177ELF'; head -c 3000 /dev/urandom; } >"$tmp/random.elf"
: >"$tmp/empty"
head -c 700 "$tmp/loop.cubin" >"$tmp/cut.cubin"
for file in random random.elf empty cut.cubin; do
    "$FHEC" dis "$tmp/$file" >"$tmp/out" 2>"$tmp/said"
    same "$file: exit status" "$?" 2
    [ -s "$tmp/said" ] && ok "$file: message" || not_ok "$file: message"
    same "$file: no text" "$(cat "$tmp/out")" ""
done
done_testing
