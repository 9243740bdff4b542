#!/usr/bin/env bash
# fhec as: objects, listings, and every error of a source in one run without an output file.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/good.sass" <<'EOF'
.target sm_80
.kernel add
.param a, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, a ;
    LDG.E R4, [R2.64] ;
    IADD3 R4, R4, STEP, RZ ;
    STG.E [R2.64], R4 ;
    EXIT ;
.end
EOF
cat >"$tmp/bad.sass" <<'EOF'
.target sm_80
.kernel k
.param a, 8
    IADD4 R0, R1, R2, R3 ;
    IADD3.Y R0, R1, R2, R3 ;
    LDG.E.64 R3, [R2.64] ;
    BRA nowhere ;
    IMAD R0, R1, R2 ;
    EXIT ;
.end
EOF

fhec "good source" 0 "" as "$tmp/good.sass" -D STEP=0x7 -o "$tmp/good.cubin"
[ -s "$tmp/good.cubin" ] && ok "object is there" || not_ok "object is there"
same "object is an ELF file" "$(head -c 4 "$tmp/good.cubin" | tail -c 3)" ELF
fhec "the object lists as the source does" 0 "IADD3 R4, R4, 0x7, RZ ;" dis "$tmp/good.cubin"
object=$said
fhec "source" 0 "" dis "$tmp/good.cubin"
(cd "$tmp" && "$FHEC" as good.sass -D STEP=7) && [ -s "$tmp/good.cubin" ] &&
    ok "default output is beside nothing but in the current folder" || not_ok "default output"
fhec "same text again" 0 "" dis "$tmp/good.cubin"
same "0x7 and 7 give the same object" "$said" "$object"

# The words of S2R have what is filled in: stall 2 and no yield, write scoreboard 0, read none, which
# is 2 | 1 << 4 | 0 << 5 | 7 << 8 from bit 41 of the high half on.
fhec "listing" 0 "
	code for sm_80
		Function : add
        /*0000*/                   S2R R0, SR_TID.X ;                             /* 0x0000000000007919 */
                                                                                  /* 0x000e240000002100 */" \
    as "$tmp/good.sass" -D STEP=1 --list
absent "--list alone writes no object" "$tmp/x.cubin" good.cubin

fhec "five errors in one run" 2 "bad.sass:4:5: error[E010]: unknown mnemonic \`IADD4\`
bad.sass:5:10: error[E011]: \`IADD3\` has no modifier \`.Y\`
bad.sass:6:14: error[E018]:
bad.sass:7:9: error[E030]: there is no label \`nowhere\` in this kernel
bad.sass:8:" as "$tmp/bad.sass" -o "$tmp/bad.cubin"
same "five and no more" "$(grep -c ': error\[' <<<"$said")" 5
absent "no object after errors" "$tmp/bad.cubin"
fhec "no colours off a terminal" 2 "" as "$tmp/bad.sass" -o "$tmp/bad.cubin"
same "no escape sequence" "$(grep -c $'\033' <<<"$said")" 0

fhec "five errors as JSON" 2 '"E010"
"E030"' as --diag=json "$tmp/bad.sass" -o "$tmp/bad.cubin"
python3 - "$said" <<'EOF' && ok "each line is an object with its place" || not_ok "JSON diagnostics" "$said"
import json, sys
rows = [json.loads(line) for line in sys.argv[1].splitlines()]
assert len(rows) == 5, len(rows)
assert sorted(r["line"] for r in rows) == [4, 5, 6, 7, 8], rows
assert all(r["severity"] == "error" and r["message"] and r["id"][0] == "E" for r in rows)
EOF

printf '.target sm_80\n.kernel k\n FHEC.16816.U32.U32 R4, R8.ROW, R16.COL, R4, UR4 ;\n EXIT ;\n.end\n' >"$tmp/f.sass"
fhec "FHEC without its feature" 2 "f.sass:3:2: error[E021]: \`FHEC.16816.U32.U32\` needs the feature \`fhec\`" \
    as "$tmp/f.sass" -o "$tmp/f.cubin"
absent "FHEC without its feature: no object" "$tmp/f.cubin"
sed -i 's/sm_80/sm_80, fhec/' "$tmp/f.sass"
fhec "FHEC with its feature" 0 "" as "$tmp/f.sass" -o "$tmp/f.cubin"

{ head -c 5000 /dev/urandom; printf '\0'; } >"$tmp/random"
: >"$tmp/empty"
for file in random empty; do
    "$FHEC" as "$tmp/$file" -o "$tmp/$file.o" >/dev/null 2>"$tmp/said"
    same "$file: exit status" "$?" 2
    grep -q "$file:" "$tmp/said" && ok "$file: message" || not_ok "$file: message" "$(head "$tmp/said")"
    absent "$file: no object" "$tmp/$file.o"
    same "$file: one error" "$(grep -ac 'error\[' "$tmp/said")" 1
done
grep -q "a file with NUL bytes is no text" <("$FHEC" as "$tmp/random" 2>&1) &&
    ok "what is no text is called so" || not_ok "what is no text is called so"
same "nothing is shown of an empty file" "$(cat "$tmp/said")" \
    "$tmp/empty:1:1: error[E058]: there is no kernel in this file"
fhec "a folder" 4 "cannot read $tmp: Is a directory" as "$tmp" -o "$tmp/dir.o"
# A named pipe that nobody writes to; what comes of it is looked at in the end.
mkfifo "$tmp/nobody" "$tmp/somebody"
{ timeout 60 "$FHEC" as "$tmp/nobody" -o "$tmp/nobody.o" >"$tmp/nobody.said" 2>&1
    echo $? >"$tmp/nobody.status"; } &
nobody=$!
fhec "a device" 4 "cannot read /dev/zero: it is a device; regular files and pipes can be read" \
    as /dev/zero -o "$tmp/dir.o"
printf '.kernel k\n  EXIT ;\n.include "/dev/zero"\n.end\n' >"$tmp/endless.sass"
fhec "a device, included" 4 "endless.sass:3:10: error[E079]: cannot include \"/dev/zero\": it is a device" \
    as "$tmp/endless.sass" -o "$tmp/dir.o"
same "a device, included: one error" "$(grep -c error <<<"$said")" 1
truncate -s 5G "$tmp/large"
fhec "a file of 5 GB" 4 "cannot read $tmp/large: it has 5368709120 bytes, and 1073741824 is the limit" \
    as "$tmp/large" -o "$tmp/dir.o"
rm "$tmp/large"
fhec "an empty device" 2 "/dev/null:1:1: error[E058]: there is no kernel" as /dev/null -o "$tmp/dir.o"
fhec "a pipe" 0 "IADD3 R4, R4, 0x1, RZ ;" as <(sleep 0.2; cat "$tmp/good.sass") -D STEP=1 --list
said=$(sed '' "$tmp/good.sass" | "$FHEC" as /dev/stdin -D STEP=1 --list 2>&1)
grep -q "IADD3 R4, R4, 0x1, RZ ;" <<<"$said" && ok "/dev/stdin" || not_ok "/dev/stdin" "$said"
{ sleep 0.3; cat "$tmp/good.sass" >"$tmp/somebody"; } &
fhec "a named pipe, whose writer comes late" 0 "IADD3 R4, R4, 0x1, RZ ;" \
    as "$tmp/somebody" -D STEP=1 --list
{ sleep 0.1; : >"$tmp/somebody"; } &
fhec "a named pipe, whose writer writes nothing" 2 "there is no kernel in this file" \
    as "$tmp/somebody" -o "$tmp/dir.o"
fhec "an output in no folder" 4 "cannot write $tmp/no/out.o: No such file or directory" \
    as "$tmp/good.sass" -D STEP=1 -o "$tmp/no/out.o"
fhec "a definition without a value" 2 "-D STEP: expected NAME=VALUE" as "$tmp/good.sass" -D STEP
fhec "two sources of one object" 2 "-o $tmp/x.cubin: 2 files make as many objects" \
    as "$tmp/good.sass" "$tmp/bad.sass" -D STEP=7 -o "$tmp/x.cubin"
mkdir "$tmp/several"
cp "$tmp/good.sass" "$tmp/several/first.sass"
sed 's/IMAD R0, R1, R2 ;/NOP ;/' "$tmp/good.sass" >"$tmp/several/second.sass"
(cd "$tmp/several" && "$FHEC" as first.sass second.sass -D STEP=7)
fhec "the first of two sources" 0 "" dis "$tmp/several/first.cubin"
same "it is the object that it makes alone" "$said" "$object"
[ -s "$tmp/several/second.cubin" ] && ok "the second of two sources" || not_ok "the second of two sources"
rm "$tmp"/several/*.cubin
(cd "$tmp/several" && cp ../bad.sass third.sass && "$FHEC" as first.sass third.sass second.sass third.sass -D STEP=7) \
    >"$tmp/said" 2>&1
same "one of several with errors: exit status" $? 2
same "the errors of each are told" "$(grep -c '^third.sass:.*error\[' "$tmp/said")" \
    "$((2 * $("$FHEC" as "$tmp/bad.sass" 2>&1 | grep -c 'error\[')))"
absent "no object at all" "$tmp"/several/*.cubin

mkdir "$tmp/inc"
printf '.equ STEP, 5\n' >"$tmp/inc/step.inc"
sed '1a .include "step.inc"' "$tmp/good.sass" >"$tmp/including.sass"
fhec "an include that is not found" 2 "including.sass:2:" as "$tmp/including.sass" -o "$tmp/i.o"
fhec "an include from -I" 0 "IADD3 R4, R4, 0x5, RZ ;" as "$tmp/including.sass" -I "$tmp/inc" --list
said=$("$FHEC" as - -D STEP=2 --list <"$tmp/good.sass" 2>&1)
grep -q "IADD3 R4, R4, 0x2, RZ ;" <<<"$said" && ok "standard input" || not_ok "standard input" "$said"
fhec "dis takes them, too" 0 "IADD3 R4, R4, 0x5, RZ ;" dis "$tmp/including.sass" -I "$tmp/inc"
printf '%s\n' '.kernel k' 'CALL.ABS.NOINC f ;' 'EXIT ;' .end '.function f' 'RET.ABS.NODEC R20 0x0 ;' \
    .end >"$tmp/called.sass"
fhec "functions are listed" 0 "		Function : f
        /*0000*/                   RET.ABS.NODEC R20 0x0 ; " as "$tmp/called.sass" --list

printf '.equ N, 4\n.include "loop.sass"\n.kernel k\n  EXIT ;\n.end\n' >"$tmp/loop.sass"
fhec "a file that includes itself" 2 "loop.sass:2:10: error[E083]: \"loop.sass\" includes itself" \
    as "$tmp/loop.sass" -o "$tmp/loop.o"
same "a file that includes itself: all that is said" "$(wc -l <<<"$said")" 4

echo keep >"$tmp/kept"
"$FHEC" as "$tmp/bad.sass" -o "$tmp/kept" 2>/dev/null
same "an old object survives a failure" "$(cat "$tmp/kept")" keep
fhec "what to add to the target" 2 "note: write \`.target sm_80, gme, fhec\` before the kernel" \
    as tests/reject/E021_feature.sass -o "$tmp/feature.cubin"

printf '0x0110\tBRA 0x90 ;\n0\tIADD3 R1, R2, -0x1, RZ\n10\tFOO R1 ;\n\n20\tFHEC.16816.U32.U32 R20, R8.ROW, R16.COL, R20, UR4 ;\r\n' >"$tmp/words.txt"
said=$("$FHEC" as --words "$tmp/words.txt" 2>"$tmp/err")
same "words: the status is 0" $? 0
same "words: one line each" "$(wc -l <<<"$said")" 4
same "words: ? for what is none" "$(sed -n 3p <<<"$said")" "?"
grep -q 'E010' "$tmp/err" && ok "words: and why" || not_ok "words: and why" "$(cat "$tmp/err")"
paste <(cut -f1 <(grep . "$tmp/words.txt")) <(printf '%s\n' "$said") | grep -v '?' >"$tmp/back.txt"
fhec "words: back to the same text" 0 "BRA 0x90
IADD3 R1, R2, -0x1, RZ
FHEC.16816.U32.U32 R20, R8.ROW, R16.COL, R20, UR4" dis --words "$tmp/back.txt"
printf '12 EXIT ;\n' >"$tmp/words.txt"
fhec "words: no tab" 2 "words.txt:1: expected \`ADDRESS<TAB>TEXT\`" as --words "$tmp/words.txt"

wait "$nobody"
same "a named pipe without a writer is given up" "$(cat "$tmp/nobody.status")" 4
same "and why" "$(cat "$tmp/nobody.said")" \
    "fhec as: error: cannot read $tmp/nobody: no program has opened this pipe for writing within 10 seconds"
done_testing
