#!/usr/bin/env bash
# fhec eltwise: every operation against values computed here, on every map, and what is refused.
. "$(dirname "$0")/../tools/tap.sh"

# Two limbs of 256, moduli that are no primes of a transform among them; extremes in each operand.
q=4294967291,6 scalars=4294967290,5
python3 - "$tmp" <<'EOF'
import struct, sys
tmp, n, q, s, g = sys.argv[1], 256, [4294967291, 6], [4294967290, 5], 77
def operand(seed):
    rows = [[((x + seed) * 0x9e3779b97f4a7c15 >> 17) % m for x in range(n)] for m in q]
    return [[0, m - 1, m - 1] + row[3:] for row, m in zip(rows, q)]
a, b, c = operand(1), operand(1000), operand(31337)
def raw(name, rows):
    values = sum(rows, [])
    open(f"{tmp}/{name}.32", "wb").write(struct.pack(f"<{len(values)}I", *values))
    open(f"{tmp}/{name}.64", "wb").write(struct.pack(f"<{len(values)}Q", *values))
raw("one", a); raw("two", a + b); raw("three", a + b + c)
def result(name, f):
    raw(name, [[f(a[j][x], b[j][x], c[j][x], s[j]) % m for x in range(n)] for j, m in enumerate(q)])
result("add", lambda x, y, z, k: x + y)
result("sub", lambda x, y, z, k: x - y)
result("mul", lambda x, y, z, k: x * y)
result("mac", lambda x, y, z, k: x * y + z)
result("add-scalar", lambda x, y, z, k: x + k)
result("mul-scalar", lambda x, y, z, k: x * k)
def reverse(x): return int(f"{x:08b}"[::-1], 2)
def place(x): return ((g * (2 * x + 1)) % (2 * n) - 1) // 2 # of evaluations in natural order
source = [reverse(place(reverse(x))) for x in range(n)]
raw("automorphism", [[row[source[x]] for x in range(n)] for row in a])
raw("inverse-automorphism", [[row[source.index(x)] for x in range(n)] for row in a])
EOF
mapfile -t maps < <("$FHEC" eltwise --map=help | awk '/element-wise/ {print $1}')
[ ${#maps[@]} -gt 3 ] && ok "there are maps: ${maps[*]}" || not_ok "there are maps: ${maps[*]}"
for map in "${maps[@]}" golden; do
    width=32
    [[ $map == *64 ]] && width=64
    while read -r operation operands option value; do
        rm -f "$tmp/got"
        fhec "$map: $operation" 0 "" eltwise "$operation" --n 256 --q "$q" --map "$map" \
            --in "$tmp/$operands.$width" --out "$tmp/got" ${option:+"$option" "$value"}
        check "$map: it is the definition" cmp "$tmp/got" "$tmp/$operation.$width"
    done <<EOF
add two
sub two
mul two
mac three
add-scalar one --scalar $scalars
mul-scalar one --scalar $scalars
automorphism one --galois 77
inverse-automorphism one --galois 77
EOF
done

# Generated operands: every map has the reference's hash, on both engines.
for operation in mac mul; do
    fhec "golden: $operation" 0 "" eltwise $operation --n 4096 --limbs 3 --map golden --hash
    want=${said%%[[:space:]]*}
    for map in cuda32 gme32; do
        fhec "$map: the same hash of $operation" 0 "$want" eltwise $operation --n 4096 --limbs 3 \
            --map $map --hash
    done
done
fhec "one scalar is that of all limbs" 0 "equal to the C reference" eltwise add-scalar --n 12 \
    --limbs 5 --scalar 3
fhec "the reference engine" 0 "equal to the C reference" eltwise mac --n 64 --engine ref
fhec "counts" 0 "IMAD.WIDE" eltwise mul --n 64 --map cuda32 --stats

fhec "no operation" 2 "which operation?" eltwise --n 4
fhec "a misspelt operation" 2 'did you mean "mul-scalar"?' eltwise mul-scaler --n 4
fhec "two operations" 2 "unexpected argument: sub" eltwise add sub --n 4
fhec "no size" 2 "--n is needed" eltwise add
fhec "a size that is no multiple of 4" 2 "multiple of 4" eltwise add --n 6
fhec "a scalar too few" 2 "mul-scalar needs --scalar" eltwise mul-scalar --n 4
fhec "a scalar too many" 2 "mul takes no --scalar" eltwise mul --n 4 --scalar 1
fhec "scalars of other limbs" 2 "3 limbs but 2 scalars" eltwise mul-scalar --n 4 --limbs 3 \
    --scalar 1,2
fhec "a scalar that is not reduced" 2 "the scalar of limb 1 is 17; it must be below q = 17" \
    eltwise add-scalar --n 4 --q 19,17 --scalar 17
fhec "likewise for the reference" 2 "it must be below q = 17" eltwise add-scalar --n 4 --q 19,17 \
    --scalar 17 --map golden
fhec "an even number of an automorphism" 2 "needs an odd g, not 4" eltwise automorphism --n 256 \
    --galois 4
fhec "likewise for the reference" 2 "reference:" eltwise automorphism --n 256 --galois 4 --map golden
fhec "an automorphism without its number" 2 "automorphism needs --galois" eltwise automorphism --n 256
fhec "a modulus too large" 2 "below 2^32" eltwise add --n 4 --q 4294967311
fhec "moduli twice" 2 "give one of both" eltwise add --n 4 --q 17 --limbs 2
fhec "a map that cannot" 2 "the map fhec16 cannot do this" eltwise add --n 4 --map fhec16
head -c 2048 /dev/zero | tr '\0' '\377' >"$tmp/large"
fhec "an element that is not reduced" 2 "element 0 of limb 0 of a is 4294967295; it must be below q" \
    eltwise add --n 256 --q 17 --in "$tmp/large"
# The last element alone is too large: of b, or of the second limb.
python3 - "$tmp/both" <<'EOF'
import struct, sys
open(sys.argv[1], "wb").write(struct.pack("<512I", *[16] * 511, 17))
EOF
for map in cuda32 golden; do
    for operation in add sub mul; do
        fhec "$map: an element of b of $operation is not reduced" 2 \
            "element 255 of limb 0 of b is 17; it must be below q = 17" \
            eltwise $operation --n 256 --q 17 --map $map --in "$tmp/both"
    done
    for operation in automorphism inverse-automorphism; do
        fhec "$map: $operation passes nothing through" 2 \
            "element 255 of limb 1 of a is 17; it must be below q = 17" \
            eltwise $operation --galois 5 --n 256 --q 17,17 --map $map --in "$tmp/both"
        fhec "$map: $operation modulo 1" 2 "q of limb 0 is 1; it must be at least 2" \
            eltwise $operation --galois 5 --n 256 --q 1 --map $map
    done
done
fhec "moduli of the reference" 2 "it must be at least 2 and below 2^61" eltwise add --n 4 \
    --q 18446744073709551557 --map golden
fhec "a file of another size" 2 "expected 1024" eltwise add --n 256 --q 17,17 --in "$tmp/large"
done_testing
