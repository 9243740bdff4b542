#!/usr/bin/env bash
# fhec bigint: against arbitrary-precision arithmetic written here, and what is refused.
. "$(dirname "$0")/../tools/tap.sh"

# Inputs of 3 and 7 words, all ones, M - 1, 0, 1, a power of two and others among them; the moduli
# have all bits set, and one word.
python3 - "$tmp" <<'EOF'
import sys
tmp = sys.argv[1]
def raw(name, values, words):
    open(f"{tmp}/{name}", "wb").write(b"".join(v.to_bytes(4 * words, "little") for v in values))
for words, m in ((3, 2**96 - 1), (7, 2**224 - 1), (7, 65537)):
    r = 2 ** (32 * words)
    some = [r - 1, 0, 1, r >> 1, m - 1, 0xfedcba9876543210fedcba98 * 3**40, 2**64 - 1] * 5
    a, b = [x % r for x in some], [x * 7 % r for x in some[3:] + some[:3]]
    raw(f"mul{words}.in", a + b, words)
    raw(f"mul{words}.out", [x * y for x, y in zip(a, b)], 2 * words)
    a, b = [x % m for x in a], [x % m for x in b]
    name = f"mont{words}_{m:x}"
    raw(f"{name}.in", a + b, words)
    raw(f"{name}.out", [x * y * pow(r, -1, m) % m for x, y in zip(a, b)], words)
    open(f"{tmp}/{name}.m", "w").write(f"{m:#x}")
EOF
maps_of() { "$FHEC" bigint --map=help | awk -v what="$1" '$0 ~ what {print $1}'; }
mapfile -t mul_maps < <(maps_of 'bigint mul')
mapfile -t mont_maps < <(maps_of 'bigint montmul')
same "cuda32 is a map of both" \
    "$(printf '%s\n' "${mul_maps[@]}" "${mont_maps[@]}" | grep -c cuda32)" 2
for map in "${mul_maps[@]}" golden; do
    for words in 3 7; do
        rm -f "$tmp/got.bin"
        fhec "$map: mul of $words words" 0 "" bigint mul --words $words --count 35 --map "$map" \
            --in "$tmp/mul$words.in" --out "$tmp/got.bin"
        check "$map: it is the product" cmp "$tmp/got.bin" "$tmp/mul$words.out"
    done
done
for map in "${mont_maps[@]}" golden; do
    for file in "$tmp"/mont*.in; do
        name=${file%.in} words=${file##*/mont} words=${words%%_*}
        rm -f "$tmp/got.bin"
        fhec "$map: ${name##*/}" 0 "" bigint montmul --words "$words" \
            --count 35 --map "$map" --modulus "$(cat "$name.m")" --in "$file" --out "$tmp/got.bin"
        check "$map: it is the Montgomery product" cmp "$tmp/got.bin" "$name.out"
    done
    for pattern in max one-hot alternating ramp; do
        fhec "$map: operands $pattern" 0 "" bigint montmul --words 6 --pattern $pattern \
            --map "$map" --count 3
    done
done
for engine in ref fast; do
    fhec "statistics on $engine" 0 'IMAD.WIDE.U32.X
equal to the C reference' bigint mul --words 4 --engine $engine --threads 2 --stats
done
same "the hash does not depend on the map" \
    "$("$FHEC" bigint montmul --words 9 --seed 5 --hash 2>/dev/null)" \
    "$("$FHEC" bigint montmul --words 9 --seed 5 --hash --map golden 2>/dev/null)"

none=(--out "$tmp/none.bin")
fhec "no operation" 2 "an operation is needed" bigint --words 3 "${none[@]}"
fhec "another operation" 2 "expected one of mul, montmul" bigint div --words 3 "${none[@]}"
fhec "two operations" 2 "unexpected argument" bigint mul mul --words 3 "${none[@]}"
fhec "no words" 2 "--words is needed" bigint mul "${none[@]}"
fhec "2 words" 2 "from 3 to 64" bigint mul --words 2 "${none[@]}"
fhec "65 words" 2 "from 3 to 64" bigint montmul --words 65 "${none[@]}"
fhec "no pairs" 2 "--count 0: expected" bigint mul --words 3 --count 0 "${none[@]}"
fhec "a modulus for mul" 2 "--modulus is for montmul" bigint mul --words 3 --modulus 7 "${none[@]}"
fhec "no hexadecimal number" 2 "expected hex digits" bigint montmul --words 3 \
    --modulus 0x "${none[@]}"
fhec "a modulus of four words" 2 "more than the 3 words" bigint montmul --words 3 \
    --modulus 1000000000000000000000001 "${none[@]}"
fhec "leading zeros are no words" 0 "" bigint montmul --words 3 \
    --modulus 000000000000000000000000000007
fhec "no such map" 2 'there is no map "cuda"' bigint mul --words 3 --map cuda "${none[@]}"
fhec "a map without the operation" 2 "the map gme32 cannot do this" bigint mul --words 3 \
    --map gme32 "${none[@]}"
fhec "MONTMUL is for Montgomery products" 2 "the map mont cannot do this" bigint mul --words 3 \
    --map mont "${none[@]}"
for map in "${mont_maps[@]}" golden; do
    fhec "$map: an even modulus" 2 "the modulus is even" bigint montmul --words 3 --map "$map" \
        --modulus 10 "${none[@]}"
    fhec "$map: the modulus 1" 2 "the modulus is 1" bigint montmul --words 3 --map "$map" \
        --modulus 1 "${none[@]}"
done
fhec "an operand that is not below the modulus" 2 "a of pair 0 is not below the modulus" \
    bigint montmul --words 7 --count 35 --modulus 10001 --in "$tmp/mul7.in" "${none[@]}"
fhec "a data file of the wrong size" 2 "expected 768" bigint mul --words 3 \
    --in "$tmp/mul3.in" "${none[@]}"
absent "nothing was written by any of them" "$tmp/none.bin"
done_testing
