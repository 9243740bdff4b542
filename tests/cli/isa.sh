#!/usr/bin/env bash
# fhec isa: pages, list, JSON.
. "$(dirname "$0")/../tools/tap.sh"

fhec "the list" 0 "IADD3
FHEC
MONTMUL" isa
fhec "a page" 0 "IADD3" isa IADD3
page=$said
fhec "in lower case" 0 "" isa iadd3
same "it is the same page" "$said" "$page"
fhec "with modifiers" 0 "" isa IADD3.X
same "it is the same page too" "$said" "$page"
fhec "FHEC" 0 "16x8x16" isa FHEC.16816
fhec "an unknown one" 2 'no instruction is called "IADD4"; did you mean IADD3?' isa IADD4
fhec "a far one" 2 '`fhec isa` lists them' isa XYZZYPLUGH
fhec "a modifier that is part of a name" 0 "## IMAD.WIDE" isa imad.wide.u32
fhec "a misspelt modifier" 2 "IMAD has no modifier .WID; did you mean .WIDE? It takes" isa IMAD.WID
same "no page is shown" "$(grep -c '^## ' <<<"$said")" 0
same "all that there are, each once" \
    "$(grep -oE ' \.(WIDE|HI|U32|MOV|X)\b' <<<"${said#*akes}" | sort | tr -d '\n')" \
    " .HI .MOV .U32 .WIDE .X"
fhec "behind a good one" 2 "MODMUL has no modifier .WATERFALL; it takes" isa MODMUL.U64.waterfall
fhec "one of another instruction" 2 "MOV has no modifier .STRONG" isa mov.strong
fhec "a name without pages of its own" 0 "## MODMUL.U32
## MODMUL.U64" isa MODMUL
fhec "an unknown one with a modifier" 2 'no instruction is called "IADD4.X"' isa IADD4.X
fhec "two of them" 2 "one MNEMONIC at a time" isa MOV SEL
"$FHEC" isa --json >"$tmp/isa.json"
check "JSON" python3 - "$tmp/isa.json" <<'EOF'
import json, sys
json.load(open(sys.argv[1]))
EOF
fhec "the book" 0 "IADD3" isa --book
done_testing
