#!/bin/sh
# make demo: what fhec does, on the two workloads that it is about. Every figure is measured or
# computed here and now.
set -eu

fhec=${FHEC:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '\n%s\n' "$*"; }

# count FILE: the FHEC instructions in a --stats=json report
count() {
    python3 - "$1" <<'EOF'
import json, sys
stats = json.load(open(sys.argv[1]))
fhec = sum(o["warp"] for m, o in stats["opcodes"].items() if m.startswith("FHEC"))
print(f"   {stats['warp_insts']:,} warp instructions, {fhec:,} of them FHEC.16816; "
      f"{stats['wall_s']:.3f} s with tables, assembly and launches")
print(f"   emulator   {stats['hash']}")
EOF
}

# compare COMMAND MAP ARGUMENTS...: on the emulator and by the C reference
compare() {
    command=$1 map=$2
    shift 2
    "$fhec" "$command" --map "$map" --stats=json --hash "$@" >"$work/stats.json" 2>/dev/null
    count "$work/stats.json"
    reference=$("$fhec" "$command" --map golden --hash "$@" 2>/dev/null)
    echo "   reference  $reference"
    grep -q "\"$reference\"" "$work/stats.json" || { echo "   They differ!"; exit 1; }
}

say "1. Assemble programs/ntt_fhec16.sass; the first FHEC in its listing:"
"$fhec" as programs/ntt_fhec16.sass -I programs -o "$work/ntt.cubin" --list >"$work/list"
grep -A1 -m1 FHEC "$work/list"
printf '   %s instructions, %s bytes of object file\n' \
    "$(grep -c '^        /\*[0-9a-f]*\*/' "$work/list")" "$(wc -c <"$work/ntt.cubin")"

say "2. Number-theoretic transform of 65536 points, 30-bit prime, 16 x 16 products on FHEC:"
compare ntt fhec16 --n 65536 --seed 1

say "3. RNS base conversion of 65536 coefficients, 9 to 27 moduli, one modulus per column:"
compare bconv fhec16 --n 65536 --limbs 9,27 --seed 1

say "4. Who holds element (3,5) of the matrix A, and what lane 13 has in register 2:"
"$fhec" layout FHEC.16816 A --element 3,5 | sed 's/^/   /'
"$fhec" layout FHEC.16816 A --lane 13 --register 2 | sed 's/^/   /'

say "The hashes (XXH3-128 of the results) are equal: the emulated kernels are right to the bit."
