#!/usr/bin/env bash
# fhec bconv: against a conversion written here, all sizes of the source base, and what is refused.
. "$(dirname "$0")/../tools/tap.sh"

# Primes from 31 to 32 bits; any coprime moduli will do.
primes=(4294967291 4116709351 3938451449 3760193533 3581935571 3403677671 3225419773 3047161801
    2868903907 2690645983 2512388089 2334130159 2155872233 1977614329 1799356409 1621098473
    1442840569)
list() { local IFS=,; echo "$*"; }

# Three odd moduli, one of them composite, to four; 32 coefficients, extremes among them.
python3 - "$tmp" <<'EOF'
import struct, sys
tmp, n = sys.argv[1], 32
p, q = [1073479681, 4294967291, 1000000015], [998244353, 4294967279, 3, 1073479681]
rows = [[(x * 0x9e3779b97f4a7c15 >> 20) % m for x in range(j + 1, n + j + 1)] for j, m in enumerate(p)]
rows = [[0, m - 1] + row[2:] for row, m in zip(rows, p)]
product = p[0] * p[1] * p[2]
hat = [product // m for m in p]
y = [[a * pow(h, -1, m) % m for a in row] for row, h, m in zip(rows, hat, p)]
out = [[sum(y[j][c] * hat[j] for j in range(3)) % m for c in range(n)] for m in q]
def raw(name, values): open(f"{tmp}/{name}", "wb").write(struct.pack(f"<{len(values)}I", *values))
raw("in.bin", sum(rows, [])); raw("out.bin", sum(out, []))
EOF
mapfile -t maps < <("$FHEC" bconv --map=help | awk '/bconv, .*32-bit/ {print $1}')
[ ${#maps[@]} -gt 0 ] && ok "there are maps: ${maps[*]}" || not_ok "there are maps"
for map in "${maps[@]}" golden; do
    rm -f "$tmp/got.bin"
    fhec "$map: 3 to 4" 0 "" bconv --n 32 --from 1073479681,4294967291,1000000015 \
        --to 998244353,4294967279,3,1073479681 --map "$map" --in "$tmp/in.bin" --out "$tmp/got.bin"
    check "$map: it is the definition" cmp "$tmp/got.bin" "$tmp/out.bin"
done
for map in "${maps[@]}"; do
    for alpha in 1 3 4 6 8 9 16 17; do
        fhec "$map: alpha = $alpha" 0 "equal to the C reference" bconv --n 48 --map "$map" \
            --from "$(list "${primes[@]:0:alpha}")" --to "$(list "${primes[@]:3:11}")" --seed $alpha
    done
    fhec "$map: 64 to 64, all q - 1" 0 "" bconv --n 16 --limbs 64,64 --map "$map" --pattern max
    "$FHEC" bconv --n 65536 --limbs 9,27 --map "$map" --hash --stats=json >"$tmp/stats" 2>/dev/null
    check "$map: 9 to 27 at 65536" python3 - "$tmp/stats" "$map" \
        "$("$FHEC" bconv --n 65536 --limbs 9,27 --map golden --hash 2>/dev/null)" <<'EOF'
import json, sys
stats = json.load(open(sys.argv[1]))
assert stats["hash"] == sys.argv[3]
fhec = sum(o["warp"] for m, o in stats["opcodes"].items() if m.startswith("FHEC"))
assert fhec == (16384 if sys.argv[2].startswith("fhec") else 0), fhec
EOF
done

# The same in 64-bit words, with moduli of 60 bits among them.
python3 - "$tmp" <<'EOF'
import struct, sys
tmp, n = sys.argv[1], 32
p, q = [1152921504606830593, 4294967291, 1152921504606846975], [998244353, 1152921504606846883, 3]
rows = [[x * 0x9e3779b97f4a7c15f39cc0605cedc835 % m for x in range(j + 1, n + j + 1)] for j, m in enumerate(p)]
rows = [[0, m - 1] + row[2:] for row, m in zip(rows, p)]
hat = [p[0] * p[1] * p[2] // m for m in p]
y = [[a * pow(h, -1, m) % m for a in row] for row, h, m in zip(rows, hat, p)]
out = [[sum(y[j][c] * hat[j] for j in range(3)) % m for c in range(n)] for m in q]
def raw(name, values): open(f"{tmp}/{name}", "wb").write(struct.pack(f"<{len(values)}Q", *values))
raw("in64.bin", sum(rows, [])); raw("out64.bin", sum(out, []))
EOF
mapfile -t wide < <("$FHEC" bconv --map=help | awk '/bconv, .*64-bit/ {print $1}')
[ ${#wide[@]} -gt 0 ] && ok "there are 64-bit maps: ${wide[*]}" || not_ok "there are 64-bit maps"
for map in "${wide[@]}" golden; do
    rm -f "$tmp/got.bin"
    fhec "$map: 60 bits, 3 to 3" 0 "" bconv --n 32 \
        --from 1152921504606830593,4294967291,1152921504606846975 \
        --to 998244353,1152921504606846883,3 --map "$map" --in "$tmp/in64.bin" --out "$tmp/got.bin"
    check "$map: it is the definition" cmp "$tmp/got.bin" "$tmp/out64.bin"
done
for map in "${wide[@]}"; do
    same "$map: 60 bits by default" \
        "$("$FHEC" bconv --n 4096 --limbs 9,27 --map "$map" --hash 2>/dev/null)" \
        "$("$FHEC" bconv --n 4096 --limbs 9,27 --bits 60 --map golden --hash 2>/dev/null)"
    fhec "$map: a modulus of 61 bits" 2 "below 2^60" bconv --n 32 --from 1152921504606846977 --to 3 \
        --map "$map"
done

none=(--out "$tmp/none.bin")
base=(bconv --n 32 "${none[@]}")
fhec "no --n" 2 "--n is needed" bconv --from 3 --to 5 "${none[@]}"
fhec "no moduli" 2 "--from and --to are needed, or --limbs" "${base[@]}"
fhec "moduli and --limbs" 2 "give one of both" "${base[@]}" --from 3 --to 5 --limbs 1,1
fhec "--limbs of one number" 2 "expected ALPHA,L" "${base[@]}" --limbs 3
for map in "${maps[@]}" golden; do
    refused() { fhec "$map: $1" 2 "" bconv --map "$map" "${@:3}" "${none[@]}"
        grep -qiE "$2" <<<"$said" && ok "$map: it says so" || not_ok "$map: it says so" "$said"; }
    refused "an even source modulus" "even|odd" --n 32 --from 1073479681,1000 --to 998244353
    refused "a repeated source modulus" "repeat|twice|distinct|same" --n 32 --from 7681,7681 --to 998244353
    refused "a repeated target modulus" "repeat|twice|distinct|same" --n 32 --from 7681 --to 998244353,998244353
    refused "source moduli with a common factor" "coprime|factor" --n 32 --from 15,21 --to 998244353
    refused "a modulus of 1" "modul" --n 32 --from 1 --to 998244353
    refused "65 source moduli" "64" --n 32 --from "$(seq -s, 10001 2 10129)" --to 998244353
done
for map in "${maps[@]}"; do
    refused "n no multiple of 16" "multiple of 16" --n 40 --from 7681 --to 998244353
    refused "a modulus of 40 bits" "2\^32|32" --n 32 --from 1099511627689 --to 998244353
done
fhec "no such map" 2 'there is no map "fhec17"' "${base[@]}" --limbs 1,1 --map fhec17
fhec "a data file of the wrong size" 2 "in.bin has 96 elements; expected 64: 2 limbs of 32" \
    "${base[@]}" --from 7681,12289 --to 998244353 --in "$tmp/in.bin"
absent "nothing was written by any of them" "$tmp/none.bin"
done_testing
