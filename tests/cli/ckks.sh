#!/usr/bin/env bash
# fhec ckks: every primitive on every map against the reference, files in and out, the counts of the
# published parameters, and what is refused.
. "$(dirname "$0")/../tools/tap.sh"

mapfile -t maps < <("$FHEC" ckks --map=help | awk '/[(, ]ckks, .*-bit/ {print $1}')
[ ${#maps[@]} -gt 0 ] && ok "there are maps: ${maps[*]}" || not_ok "there are maps"
small=(--logn 9 --limbs 6 --alpha 2 --dnum 3 --seed 5)
for map in "${maps[@]}"; do
    for primitive in rescale keyswitch rotate hemult ptmult ptadd headd "hemult --rescale" \
        "rotate --steps 100 --level 5" "keyswitch --level 3 --alpha 4"; do
        fhec "$map: $primitive" 0 "equal to the C reference" ckks $primitive "${small[@]}" --map "$map"
    done
    bits=$([[ $map = *64 ]] && echo 60 || echo 30)
    same "$map: hash of the reference" \
        "$("$FHEC" ckks hemult "${small[@]}" --map "$map" --hash 2>/dev/null)" \
        "$("$FHEC" ckks hemult "${small[@]}" --bits "$bits" --map golden --hash 2>/dev/null)"
done

# Operands from a file, the result in one: PtMult is a product element by element.
python3 - "$tmp" <<'EOF'
import struct, sys
q = [12289, 7681]   # = 1 mod 512
rows = [[(x * x * 7919 + 31 * k * x + k) % q[k % 2] for x in range(256)] for k in range(6)]
want = [[a * p % q[k % 2] for a, p in zip(rows[k], rows[4 + k % 2])] for k in range(4)]
def raw(name, rows):
    values = sum(rows, [])
    open(f"{sys.argv[1]}/{name}", "wb").write(struct.pack(f"<{len(values)}I", *values))
raw("in.bin", rows); raw("out.bin", want)
