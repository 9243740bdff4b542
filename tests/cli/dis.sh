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

cat >"$tmp/words.txt" <<'EOF'
# address, word; more columns are ignored
0000	0x0000000007ffe0ff0000000504047210	IADD3 R4, R4, R5, RZ
0010 ffffffffffffffffffffffffffffffff
EOF
"$FHEC" dis --words "$tmp/words.txt" >"$tmp/out" 2>&1
same "--words: known and unknown words" "$(cat "$tmp/out")" $'IADD3 R4, R4, R5, RZ\n?'
printf '0000 0x1234\n' >"$tmp/short.txt"
fhec "--words: a word too short" 2 "short.txt:1: expected \`ADDRESS WORD\`" dis --words "$tmp/short.txt"

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
