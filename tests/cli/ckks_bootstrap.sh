#!/usr/bin/env bash
# fhec ckks bootstrap: a whole bootstrap on a map with matrix instructions and (with FHEC_TEST_LONG)
# one without, each step equal to the reference, precise to the bits that its parameters promise; a
# kernel that is wrong in one place, and what is refused.
. "$(dirname "$0")/../tools/tap.sh"

maps=(fhec16)
[ -z "${FHEC_TEST_LONG:-}" ] || grep -qa __asan_init "$FHEC" || maps=(fhec16 cuda32)
for map in "${maps[@]}"; do
    "$FHEC" ckks bootstrap --preset small --map "$map" --seed 7 --stats=json >"$tmp/$map" 2>"$tmp/said"
    check "$map: every step is equal to the reference" \
        grep -q "N = 2^10, map $map: 577 steps by 273 primitives, each equal to the C reference" "$tmp/said"
    check "$map: precision and counts" python3 - "$map" "$tmp/$map" <<'END'
import json, sys
name, got = sys.argv[1], json.load(open(sys.argv[2]))
# Random slots, pairs of 31-bit primes, a correction of 12 bits.
assert 22 < got["precision_bits"]["max"] < got["precision_bits"]["rms"] < 40, got["precision_bits"]
assert got["steps"] == 577, got["steps"]
assert got["composed_warp_insts"] == got["warp_insts"], got["composed_warp_insts"]
assert got["warp_insts"] < got["unfused_warp_insts"], got["unfused_warp_insts"]
assert got["warp_insts"] == sum(c["warp"] for c in got["opcodes"].values())
assert any(o.startswith("FHEC") for o in got["opcodes"]) == (name == "fhec16")
END
done
[ ${#maps[@]} = 1 ] || same "the precision does not depend on the map" \
    "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["precision_bits"])' "$tmp/fhec16")" \
    "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["precision_bits"])' "$tmp/cuda32")"

fhec "a plan for words of 64 bits" 0 "map cuda64: 463 steps by 259 primitives, not verified
precision " ckks bootstrap --preset paper --logn 10 --map cuda64 --no-verify

# The only subtraction of two ciphertexts does nothing; a wrong ModRaise.
fhec "a kernel that is wrong" 1 "(split, sub): element 0 of limb 0 of c0 is" \
    ckks bootstrap --preset small --patch "poly_subtract+0x0 EXIT"
fhec "no inner sum" 1 "(CtS 1, add): element" \
    ckks bootstrap --preset small --patch "poly_sum_products+0x0 EXIT"
fhec "no combination of powers" 1 "(EvalMod re, add): element" \
    ckks bootstrap --preset small --patch "poly_sum_multiples+0x0 EXIT"
fhec "another one" 1 "(raise, modraise): element" \
    ckks bootstrap --preset small --patch "poly_multiply_scalar+0x0 EXIT"

fhec "paper on words of 32 bits" 2 "the preset paper has primes of up to 60 bits; the map fhec16 has 32-bit words" \
    ckks bootstrap --preset paper --map fhec16
fhec "another preset" 2 "--preset=large: expected one of fhec32, small, paper" \
    ckks bootstrap --preset large
fhec "too few coefficients" 2 "--logn 9: expected a number from 10 to 16" \
    ckks bootstrap --logn 9
fhec "too many" 2 "--logn 17: expected a number from 10 to 16" ckks bootstrap --logn 17
fhec "another map" 2 "there is no map \"cuda16\"; for CKKS primitives there are: fhec16," \
    ckks bootstrap --map cuda16
fhec "the reference alone" 2 "--map golden: the C reference runs beside every other map" \
    ckks bootstrap --map golden
fhec "an option before it" 2 "options go after it: fhec ckks bootstrap" ckks --logn 10 bootstrap
fhec "one more argument" 2 "unexpected argument: hemult" ckks bootstrap hemult
fhec "options of primitives" 2 "unrecognized option '--steps'" ckks bootstrap --steps 3
fhec "in the debugger" 2 "fhec debug takes one primitive" debug ckks bootstrap --preset small
fhec "one element of it" 2 "fhec why takes one primitive" why 'result[5]' ckks bootstrap
done_testing
