#!/usr/bin/env bash
# fhec ckks: primitives that are circuits of golden, on every map against the reference, what they
# compute by arithmetic of their own, and what is refused.
. "$(dirname "$0")/../tools/tap.sh"

mapfile -t maps < <("$FHEC" ckks --map=help | awk '/[( ]ckks, .*-bit/ {print $1}')
small=(--logn 8 --limbs 6 --alpha 2 --dnum 3 --seed 5)
# Every primitive on a map of each width; on the others those that differ there.
for map in "${maps[@]}"; do
    several=(conjugate "hoist --steps 3,127 --level 5" "modraise --per-level 2" "linear --levels-cts 2" "evalmod --degree 9 --double-angles 1 --range 2")
    [[ $map != fhec16 && $map != cuda64 ]] || several+=(hesub "scalarmult --scalar -5 --level 4"
        "scalaradd --scalar -1" monomial "monomial --exponent 300" modraise "rescale --drop 2"
        "linear --transform stc --levels-stc 3 --index 2 --per-level 2 --bits 30"
        "linear --diagonals 5 --first -2 --level 3" "linear --diagonals 3 --hoist" hoist)
    for primitive in "${several[@]}"; do
        # shellcheck disable=SC2086 # a primitive may have options
        fhec "$map: $primitive" 0 "equal to the C reference" ckks "${small[@]}" --map "$map" $primitive
    done
done
for map in fhec16 cuda64; do
    bits=$([[ $map = *64 ]] && echo 60 || echo 30)
    same "$map: hash of the reference" \
        "$("$FHEC" ckks linear "${small[@]}" --map "$map" --hash 2>/dev/null)" \
        "$("$FHEC" ckks linear "${small[@]}" --bits "$bits" --map golden --hash 2>/dev/null)"
done
fhec "a level of two primes" 0 "evalmod, N = 2^8, 24 limbs, alpha 4, dnum 6, map fhec16: equal" \
    ckks evalmod --logn 8 --limbs 24 --alpha 4 --dnum 6 --per-level 2 --bits 31

# What is computed, by arithmetic on the files: residues one by one, keys aside.
two=(--logn 8 --limbs 2 --alpha 1 --dnum 2 --bits 14)
python3 - "$tmp" <<'EOF'
import struct, sys
def prime(n): return n > 1 and all(n % d for d in range(2, int(n ** 0.5) + 1))
q = [n for n in range(16384, 1, -1) if n % 512 == 1 and prime(n)][:2]
rows = [[(x * x * 7919 + 31 * k * x + k) % q[k % 2] for x in range(256)] for k in range(8)]
def raw(name, rows):
    values = sum(rows, [])
    open(f"{sys.argv[1]}/{name}", "wb").write(struct.pack(f"<{len(values)}I", *values))
raw("two", rows); raw("one", rows[:4])
raw("difference", [[(a - b) % q[k % 2] for a, b in zip(rows[k], rows[4 + k])] for k in range(4)])
raw("product", [[-5 * a % q[k % 2] for a in rows[k]] for k in range(4)])
raw("sum", [[(a - 7) % q[k % 2] for a in rows[k]] for k in range(2)] + rows[2:4])
raw("negative", [[-a % q[k % 2] for a in rows[k]] for k in range(4)])
open(sys.argv[1] + "/short", "wb").write(struct.pack("<7d", *range(7)))
open(sys.argv[1] + "/nan", "wb").write(struct.pack("<256d", *[float("nan")] * 256))
open(sys.argv[1] + "/matrix", "wb").write(struct.pack("<768d", *[0.5, -0.25] * 384))
EOF
fhec "a difference" 0 "" ckks hesub "${two[@]}" --in "$tmp/two" --out "$tmp/got"
check "it is the difference" cmp "$tmp/got" "$tmp/difference"
fhec "a product" 0 "" ckks scalarmult --scalar -5 "${two[@]}" --in "$tmp/one" --out "$tmp/got"
check "it is the product" cmp "$tmp/got" "$tmp/product"
fhec "a sum" 0 "" ckks scalaradd --scalar -7 "${two[@]}" --in "$tmp/one" --out "$tmp/got"
check "it is the sum, of c0 alone" cmp "$tmp/got" "$tmp/sum"
fhec "X^N" 0 "" ckks monomial --exponent 256 "${two[@]}" --in "$tmp/one" --out "$tmp/got"
check "it is -1" cmp "$tmp/got" "$tmp/negative"
fhec "a matrix from a file" 0 "linear, N = 2^8, 6 limbs" ckks linear "${small[@]}" --matrix "$tmp/matrix" --first -1

# A kernel that does nothing is noticed.
fhec "a kernel that is wrong" 1 "the result differs" ckks hesub "${small[@]}" --patch "poly_subtract+0x0 EXIT"
fhec "no inner product of a hoisted rotation" 1 "the result differs" \
    ckks hoist "${small[@]}" --patch "poly_inner+0x0 EXIT"
fhec "no inner sum" 1 "the result differs" ckks linear "${small[@]}" --patch "poly_sum_products+0x0 EXIT"
fhec "no combination of powers" 1 "the result differs" \
    ckks evalmod "${small[@]}" --degree 15 --double-angles 0 --patch "poly_sum_multiples+0x0 EXIT"
fhec "statistics" 0 '"warp_insts"' ckks evalmod "${small[@]}" --degree 7 --double-angles 0 --stats=json

base=(ckks linear "${small[@]}" --out "$tmp/none")
fhec "an option of another primitive" 2 "--scalar goes with scalarmult, scalaradd" ckks hemult --scalar 3
fhec "one of several" 2 "--range goes with linear, evalmod" ckks conjugate --range 3
fhec "two rotations at once" 2 "rotate: one rotation at a time; hoist does several" ckks rotate --steps 1,2
fhec "too many" 2 "--steps has 9 rotations; there may be 8" ckks hoist --steps 1,2,3,4,5,6,7,8,9
fhec "no rotation" 2 "--steps 128: that is no rotation, there are 128 slots" ckks hoist "${small[@]}" --steps 128
fhec "no integer" 2 "--scalar 2.5: expected a number from" ckks scalarmult --scalar 2.5
fhec "too few levels" 2 "6 limbs: it takes 9 levels of 1, and at least one stays" ckks evalmod "${small[@]}"
fhec "half a level" 2 "5 limbs: it takes 1 level of 2" "${base[@]}" --per-level 2 --level 5
fhec "a chain of half levels" 2 "9 limbs and a scale of 60 bits: a level has 2 primes" \
    ckks evalmod --logn 8 --limbs 9 --alpha 3 --dnum 3 --per-level 2 --scale 60
fhec "an odd scale" 2 "a scale of 61 bits: a level has 2 primes" \
    ckks evalmod --logn 8 --limbs 8 --alpha 2 --dnum 4 --per-level 2 --scale 61
fhec "ModRaise from above" 2 "ModRaise is from 1 of 6 limbs (--per-level), not from 3" \
    ckks modraise "${small[@]}" --level 3
fhec "a map that there is not" 2 "map 3 of 3: N = 2^8 has 7 stages" "${base[@]}" --index 3
fhec "more maps than stages" 2 "map 0 of 8: N = 2^8 has 7 stages" "${base[@]}" --levels-cts 8
fhec "two matrices" 2 "--matrix has diagonals of its own" "${base[@]}" --matrix "$tmp/one" --diagonals 3
fhec "a file of another size" 2 "has 56 bytes; a diagonal has 2048: 128 complex numbers of two 64-bit floats" \
    "${base[@]}" --matrix "$tmp/short"
fhec "no numbers" 2 "entry 0 of diagonal 0 is no number" "${base[@]}" --matrix "$tmp/nan"
fhec "no such file" 4 "cannot read $tmp/gone" "${base[@]}" --matrix "$tmp/gone"
fhec "too many diagonals" 2 "200 diagonals; a matrix of 128 slots has 128" "${base[@]}" --diagonals 200
fhec "more dropped than there are" 2 "no limb that Rescale could drop and leave one" \
    ckks rescale "${small[@]}" --drop 6
absent "nothing was written by any of them" "$tmp/none"

# The security note: what tables say, and where they say nothing.
fhec "enough bits" 0 "note: log2 QP is 60; at N = 2^12 128 bits of security allow 109" \
    ckks headd --logn 12 --limbs 1 --alpha 1 --dnum 1
fhec "too many bits" 0 "note: log2 QP is 240; at N = 2^10 128 bits of security allow 27: less than 128 bits" \
    ckks headd --logn 10 --limbs 6 --alpha 2 --dnum 3
done_testing
