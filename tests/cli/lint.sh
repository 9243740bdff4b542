#!/usr/bin/env bash
# fhec lint: findings and exit statuses for sources, listings and objects; what the assembler fills
# in is silent; bad input.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/open.sass" <<'END'
.target sm_80
.kernel open
.param x, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, x ;
    LDG.E R4, [R2.64] ;
    IMAD R4, R4, R4, R1 ;
    IADD3 R4, R4, 0x7, RZ ;
    STG.E [R2.64], R4 ;
    EXIT ;
.end
END
fhec "a source without prefixes" 0 "" lint "$tmp/open.sass"
same "nothing is said of it" "$said" ""
fhec "its object" 0 "" as "$tmp/open.sass" -o "$tmp/open.cubin"
fhec "the object is as good" 0 "" lint "$tmp/open.cubin"
fhec "dis -c shows what was filled in" 0 "[B0-----:R-:W-:-:S" dis -c "$tmp/open.cubin"
printf '%s\n' "$said" | sed 's/\[B0-----:/[B------:/' >"$tmp/worse.sass"
fhec "a wait left out" 1 "error[L001]: kernel open, address 0x20: R0 is read before scoreboard 0
  note: here: [B------:R-:W-
  note: there: [B------:R-:W0:-:S02] S2R R0, SR_TID.X" lint "$tmp/worse.sass"
same "the source line is shown, with what it is about marked" \
    "$(grep -A1 -F "$(sed -n 7p "$tmp/worse.sass")" <<<"$said" | tail -n 1 | tr -d ' ')" \
    "$(sed -n '7s/^[^]]*\] *//; 7s/ *;.*//; 7s/./~/g; 7s/^~/^/; 7p' "$tmp/worse.sass")"
same "the place is that of the source" "$(grep -oE 'worse.sass:[0-9]+:' <<<"$said")" "worse.sass:7:"
fhec "as JSON" 1 '"id":"L001"' lint --diag=json "$tmp/worse.sass"
check "each line is an object" python3 -c 'import json,sys
for line in sys.argv[1].splitlines(): json.loads(line)' "$said"
fhec "the object of it has no lines" 0 "" as "$tmp/worse.sass" -o "$tmp/worse.cubin"
fhec "and is found out, too" 1 "error[L001]: kernel open, address 0x20" lint "$tmp/worse.cubin"
fhec "a listing has the fields of its words" 0 "" as "$tmp/worse.sass" --list
printf '%s\n' "$said" >"$tmp/worse.lst"
fhec "a listing" 1 "error[L001]" lint "$tmp/worse.lst"
fhec "compiled code" 0 "" lint tests/cuda/divide.O1.cubin

# Places in what a source includes, and in macros, are shown with their lines as well.
mkdir -p "$tmp/more"
cat >"$tmp/parts.sass" <<'END'
.kernel parts
.include "more/early.inc"
    MOV R2, RZ ;  MOV R3, RZ ;
    [B------:R-:W0:-:S02] LDG.E R0, [R2.64] ;
    EARLY R4
    EXIT ;
.end
END
cat >"$tmp/more/early.inc" <<'END'
// one line before
.include "late.inc"
    [B------:R-:W-:-:S01] IADD3 R7, R6, 7, RZ ;
END
cat >"$tmp/more/late.inc" <<'END'
    S2R R9, SR_LANEID ;
    [B------:R-:W-:-:S01] S2R R6, SR_LANEID ;
.macro EARLY to
    [B------:R-:W-:-:S01] IADD3 \to, R0, 5, RZ ;
.endm
END
fhec "in what is included" 1 "error[L002]: kernel parts, address 0x20: R6 is read
    [B------:R-:W-:-:S01] IADD3 R7, R6, 7, RZ ;
error[L001]: kernel parts, address 0x60: R0 is read
    [B------:R-:W-:-:S01] IADD3 \to, R0, 5, RZ ;" lint "$tmp/parts.sass"
same "at their places" "$(grep -oE '[a-z]+\.inc:[0-9]+:' <<<"$said" | tr '\n' ' ')" \
    "early.inc:3: late.inc:4: "
same "with what led there" "$(grep '^  in ' <<<"$said" | sed "s,$tmp/,," | tr '\n' ';')" \
    "  in include at parts.sass:2:10;  in macro EARLY at parts.sass:5:5;"
fhec "as JSON, too" 1 '"expansions":[{"what":"macro EARLY","file":"' lint --diag=json "$tmp/parts.sass"
printf '%s\n' '    NOP ;' >"$tmp/late.inc"
sed 's,more/early,late,; s,^    EARLY.*,.include "more/early.inc"\n&,' "$tmp/parts.sass" >"$tmp/twice.sass"
fhec "two files of one name" 1 "late.inc:4:" lint "$tmp/twice.sass"
same "it is not known which one" "$(grep -c 'IADD3 .to, R0' <<<"$said")" 0

cat >"$tmp/called.sass" <<'END'
.kernel k
.param out, 8
    MOV R20, 32@lo(back) ;  MOV R21, 32@hi(back) ;
    CALL.ABS.NOINC f ;
back:
    EXIT ;
.end
.function f
    MOV R2, c[0x0][0x160] ;  MOV R3, c[0x0][0x164] ;
    [B------:R-:W-:-:S01] LDG.E R0, [R2.64] ;
    IADD3 R1, R0, 1, RZ ;
    RET.ABS.NODEC R20 0x0 ;
.end
END
fhec "a function" 1 "error[L002]: function f, address 0x30: R0 is read, but no scoreboard" lint \
    "$tmp/called.sass"
same "that is all" "$(grep -o '\[L[0-9]*\]' <<<"$said")" "[L002]"
printf '%s\n' '.kernel k' '[B0-2--5:R-:W-:-:S05] NOP ;' '[B---3--:R-:W-:-:S05] EXIT ;' .end \
    >"$tmp/idle.sass"
fhec "waits for nothing" 1 "this waits for scoreboards 0, 2 and 5, which nothing sets" lint \
    "$tmp/idle.sass"
same "one of them" "$(grep -c 'waits for scoreboard 3, which' <<<"$said")" 1

sed 's/0x7/SIZE/' "$tmp/open.sass" >"$tmp/define.sass"
fhec "-D" 0 "" lint -D SIZE=7 "$tmp/define.sass"
fhec "an assembly error" 2 "E032" lint "$tmp/define.sass"
echo "not a source" >"$tmp/bad.sass"
fhec "no source" 2 "error" lint "$tmp/bad.sass"
fhec "no file" 4 "absent" lint "$tmp/absent.sass"
fhec "no argument" 2 "which FILE?" lint
fhec "several files: the worst of them counts" 2 "error" lint "$tmp/parts.sass" "$tmp/bad.sass" "$tmp/open.sass"
fhec "several files, findings in one" 1 "parts.sass" lint "$tmp/open.sass" "$tmp/parts.sass"
fhec "the first as well as the last" 1 "parts.sass" lint "$tmp/parts.sass" "$tmp/open.sass"
done_testing
