#!/usr/bin/env bash
# fhec ckks: every primitive on every map against the reference, files in and out, the counts of the
# published parameters, and what is refused.
. "$(dirname "$0")/../tools/tap.sh"

mapfile -t maps < <("$FHEC" ckks --map=help | awk '/[( ]ckks, .*-bit/ {print $1}')
[ ${#maps[@]} -gt 0 ] && ok "there are maps: ${maps[*]}" || not_ok "there are maps"
"$FHEC" ckks --map=help >"$tmp/help"
check "--map=help lists each map once, with a workload and a width" awk \
    'seen[$1]++ || $1 != "golden" && !/\(.*(ntt|bconv|ckks|bigint).*, (32|64)-bit\)$/ {exit 1}' "$tmp/help"
same "it is the same list everywhere" "$("$FHEC" ntt --map=help)" "$(cat "$tmp/help")"
same "a map with CKKS has transforms and base conversion too" \
    "$(grep ckks "$tmp/help" | grep -cv 'ntt, bconv, ckks')" 0
small=(--logn 9 --limbs 6 --alpha 2 --dnum 3 --seed 5)
for map in "${maps[@]}"; do
    for primitive in rescale keyswitch rotate hemult ptmult ptadd headd "hemult --rescale" \
        "rotate --steps 100 --level 5" "keyswitch --level 3 --alpha 4"; do
        # shellcheck disable=SC2086 # a primitive may have options
        fhec "$map: $primitive" 0 "equal to the C reference" ckks "${small[@]}" --map "$map" \
            $primitive
    done
    bits=$([[ $map = *64 ]] && echo 60 || echo 30)
    same "$map: hash of the reference" \
        "$("$FHEC" ckks hemult "${small[@]}" --map "$map" --hash 2>/dev/null)" \
        "$("$FHEC" ckks hemult "${small[@]}" --bits "$bits" --map golden --hash 2>/dev/null)"
done

# Operands from a file, the result in one: PtMult is a product element by element. The primes of
# 14 bits that are 1 modulo 512 are found here.
two=(--logn 8 --limbs 2 --alpha 1 --dnum 2 --bits 14)
python3 - "$tmp" <<'EOF'
import struct, sys
def prime(n): return n > 1 and all(n % d for d in range(2, int(n ** 0.5) + 1))
q = [n for n in range(16384, 1, -1) if n % 512 == 1 and prime(n)][:2]
rows = [[(x * x * 7919 + 31 * k * x + k) % q[k % 2] for x in range(256)] for k in range(6)]
rows[0][0], rows[4][0] = q[0] - 1, q[0] - 1
want = [[a * p % q[k % 2] for a, p in zip(rows[k], rows[4 + k % 2])] for k in range(4)]
def raw(name, rows):
    values = sum(rows, [])
    open(f"{sys.argv[1]}/{name}", "wb").write(struct.pack(f"<{len(values)}I", *values))
raw("in.bin", rows); raw("out.bin", want)
rows[3][200] = q[1]
raw("high.bin", rows)
EOF
for map in "${maps[@]}"; do
    [[ $map = *64 ]] && continue
    fhec "$map: ptmult of a file" 0 "" ckks ptmult "${two[@]}" --map "$map" --in "$tmp/in.bin" \
        --out "$tmp/got.bin"
    check "$map: it is the product" cmp "$tmp/got.bin" "$tmp/out.bin"
done
fhec "an element that is not reduced" 2 "element 200 of limb 1 is 13313; it must be below the modulus, 13313" \
    ckks ptmult "${two[@]}" --in "$tmp/high.bin" --out "$tmp/none.bin"
fhec "a file of the wrong size" 2 "has 1536 elements; expected 2048: 8 limbs of 256" \
    ckks headd "${two[@]}" --in "$tmp/in.bin" --out "$tmp/none.bin"

# The published parameters, on a map with matrix instructions and one without; on every map in `make
# test-long`; with a sanitizer fewer coefficients on one.
large=(fhec16 gme64)
[ -z "${FHEC_TEST_LONG:-}" ] || large=("${maps[@]}")
if grep -qa __asan_init "$FHEC"; then
    large=()
    fhec "hemult, N = 2^11, 27 limbs" 0 "equal to the C reference" ckks hemult --logn 11
fi
for map in "${large[@]}"; do
    "$FHEC" ckks hemult --map "$map" --stats=json --hash >"$tmp/stats.$map" 2>"$tmp/said"
    check "$map: hemult, N = 2^16, 27 limbs" grep -q "equal to the C reference" "$tmp/said"
    check "$map: its matrix instructions" python3 - "$map" "$tmp/stats.$map" <<'EOF'
import json, sys
name, opcodes = sys.argv[1], json.load(open(sys.argv[2]))["opcodes"]
def count(prefix, without="-"):
    return sum(c["warp"] for o, c in opcodes.items() if o.startswith(prefix) and without not in o)
# 45 inverse transforms and 135 forward ones: one instruction for each 16 x 8 x 16 product of the
# mathematics. Five base conversions: nine sources are one step of 16, 27 targets four groups of 8.
transforms = {"fhec16": 2048, "fhec16+gme": 2048, "fhec256": 16384}
if name in transforms:
    assert count("FHEC", "MIX") == (45 + 135) * transforms[name], count("FHEC", "MIX")
    assert count("FHEC.16816.U32.U32.MIX") == 5 * 65536 // 16 * 4
else:
    assert count("FHEC") == 0
transforms = {"imma16": 32768, "imma256": 262144}
if name in transforms:
    assert count("IMMA") > (45 + 135) * transforms[name], count("IMMA")
else:
    assert count("IMMA") == 0
assert (count("MODM") > 0) == ("gme" in name), count("MODM")
EOF
done

base=(ckks hemult --out "$tmp/none.bin")
fhec "no primitive" 2 "which primitive" ckks --logn 9
fhec "an unknown primitive" 2 'did you mean "rotate"' ckks rotat
fhec "two primitives" 2 "unexpected argument: rotate" "${base[@]}" rotate
fhec "no such number" 2 "--limbs" "${base[@]}" --limbs -3
fhec "no limbs" 2 "there must be 1 to 64 limbs, not 0" "${base[@]}" --limbs 0
fhec "65 limbs" 2 "there must be 1 to 64 limbs, not 65" "${base[@]}" --limbs 65
fhec "no extension" 2 "alpha is 0; it must be at least the 9 limbs of a digit" "${base[@]}" --alpha 0
fhec "an extension smaller than a digit" 2 "alpha is 8" "${base[@]}" --alpha 8
fhec "dnum 0" 2 "dnum is 0; there may be 1 to 27 digits" "${base[@]}" --dnum 0
fhec "digits without a limb" 2 "dnum is 10; 27 limbs are 9 digits of 3 limbs" "${base[@]}" --dnum 10
fhec "a conversion to more than 64 limbs" 2 "raised to 65 others" \
    "${base[@]}" --limbs 60 --alpha 7 --dnum 30
fhec "primes too few" 2 "need 36 primes = 1 modulo 2N = 131072 below 2^20" "${base[@]}" --bits 20
fhec "primes too large for the map" 2 "32-bit elements" "${base[@]}" --bits 33 --map fhec16
fhec "N too small" 2 "log2 of N must be 8 to 17, not 7" "${base[@]}" --logn 7
fhec "N too large" 2 "log2 of N must be 8 to 17, not 18" "${base[@]}" --logn 18
fhec "N = 1" 2 "--logn" "${base[@]}" --logn 0
fhec "level 0" 2 "--level 0" "${base[@]}" --level 0
fhec "alpha of 65" 2 "at most 64" "${base[@]}" --alpha 65
for map in "${maps[@]}"; do
    most=$([[ $map = *64 ]] && echo 60 || echo 32)
    fhec "$map: primes larger than its words" 2 "elements and takes 2 to $most" \
        "${base[@]}" --bits $((most + 1)) --map "$map"
    fhec "$map: no limbs" 2 "not 0" "${base[@]}" --limbs 0 --map "$map"
    fhec "$map: no extension" 2 "alpha is 0" "${base[@]}" --alpha 0 --map "$map"
    fhec "$map: digits without a limb" 2 "dnum is 10" "${base[@]}" --dnum 10 --map "$map"
    fhec "$map: primes too few" 2 "there are fewer" "${base[@]}" --bits 20 --map "$map"
    fhec "$map: no level so high" 2 "the level is 28" "${base[@]}" --level 28 --map "$map"
done
fhec "a level above the chain" 2 "the level is 28; the chain has 27" "${base[@]}" --level 28
fhec "nothing to rescale" 2 "no limb that Rescale could drop" ckks rescale --level 1
fhec "--rescale of a sum" 2 "goes with hemult" ckks headd --rescale
fhec "--steps of a product" 2 "goes with rotate" "${base[@]}" --steps 3
fhec "a map without CKKS" 2 "the map mont cannot do this" "${base[@]}" --map mont
fhec "no such map" 2 'there is no map "fhec17"' "${base[@]}" --map fhec17
fhec "golden says so too" 2 "the number of digits is zero or leaves a digit without a limb" \
    "${base[@]}" --dnum 10 --map golden
absent "nothing was written by any of them" "$tmp/none.bin"
done_testing
