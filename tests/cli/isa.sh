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
fhec "two of them" 2 "one MNEMONIC at a time" isa MOV SEL
"$FHEC" isa --json >"$tmp/isa.json"
check "JSON" python3 - "$tmp/isa.json" <<'EOF'
import json, sys
json.load(open(sys.argv[1]))
EOF
fhec "the book" 0 "IADD3" isa --book
done_testing
