#!/usr/bin/env bash
# fhec ntt: against a transform written here, round trips, files, hashes, and all that is refused.
. "$(dirname "$0")/../tools/tap.sh"

# The definition in Python, for N = 256 and two limbs; the data, forward results in both orders.
python3 - "$tmp" <<'EOF'
import struct, sys
tmp, n = sys.argv[1], 256
moduli = [(998244353, 3), (4293918721, 19)]   # 1 mod 512, with a generator
psis = [pow(g, (q - 1) // (2 * n), q) for q, g in moduli]
for (q, g), psi in zip(moduli, psis):
    assert pow(psi, n, q) == q - 1
rows, out, natural = [], [], []
for j, ((q, g), psi) in enumerate(zip(moduli, psis)):
    a = [(pow(7 + j, i + 1, q) * (i + 3)) % q for i in range(n)]
    evaluations = [sum(a[i] * pow(psi, (2 * k + 1) * i, q) for i in range(n)) % q for k in range(n)]
    rows += a
    natural += evaluations
    out += [evaluations[int(f"{i:08b}"[::-1], 2)] for i in range(n)]
def raw(name, values): open(f"{tmp}/{name}", "wb").write(struct.pack(f"<{len(values)}I", *values))
raw("in.bin", rows); raw("out.bin", out); raw("natural.bin", natural)
head = b"{'descr': '<u8', 'fortran_order': False, 'shape': (2, 256), }"
head += b" " * (117 - len(head)) + b"\n"
open(f"{tmp}/in.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head +
                                  struct.pack("<512Q", *rows))
print("--q", ",".join(str(q) for q, g in moduli), "--psi", ",".join(map(str, psis)))
EOF
mapfile -t maps < <("$FHEC" ntt --map=help | awk '/ntt, .*32-bit/ {print $1}')
[ ${#maps[@]} -gt 0 ] && ok "there are maps: ${maps[*]}" || not_ok "there are maps"
q=("--q" "998244353,4293918721")
psi=(--psi "$(python3 -c 'print(",".join(str(pow(g, (q - 1) // 512, q)) for q, g in
    [(998244353, 3), (4293918721, 19)]))')")
for map in "${maps[@]}" golden; do
    rm -f "$tmp"/got.*
    args=(ntt --n 256 "${q[@]}" "${psi[@]}" --map "$map")
    fhec "$map: forward" 0 "" "${args[@]}" --in "$tmp/in.bin" --out "$tmp/got.bin"
    check "$map: forward is the definition" cmp "$tmp/got.bin" "$tmp/out.bin"
    rm -f "$tmp/got.bin"
    fhec "$map: natural order" 0 "" "${args[@]}" --order natural --in "$tmp/in.bin" --out "$tmp/got.bin"
    check "$map: natural order is the definition" cmp "$tmp/got.bin" "$tmp/natural.bin"
    rm -f "$tmp/got.bin"
    fhec "$map: inverse" 0 "" "${args[@]}" --inverse --in "$tmp/out.bin" --out "$tmp/got.bin"
    check "$map: inverse gives the input back" cmp "$tmp/got.bin" "$tmp/in.bin"
    fhec "$map: .npy" 0 "" "${args[@]}" --in "$tmp/in.npy" --out "$tmp/got.npy"
    check "$map: .npy keeps type and shape" cmp <(head -c 128 "$tmp/got.npy") <(head -c 128 "$tmp/in.npy")
    check "$map: .npy holds the result" python3 - "$tmp/got.npy" "$tmp/out.bin" <<'EOF'
import struct, sys
got = struct.unpack("<512Q", open(sys.argv[1], "rb").read()[128:])
assert got == struct.unpack("<512I", open(sys.argv[2], "rb").read())
EOF
    fhec "$map: --hash" 0 "$(xxhsum -H2 "$tmp/out.bin" 2>/dev/null | cut -d' ' -f1)" \
        "${args[@]}" --in "$tmp/in.bin" --hash
    for pattern in random max one-hot alternating ramp; do
        fhec "$map: $pattern, 4096 points" 0 "" ntt --n 4096 --limbs 2 --bits 31 --map "$map" \
            --pattern $pattern --seed 77
    done
done
for map in "${maps[@]}"; do
    fhec "$map: 65536 points" 0 "equal to the C reference" ntt --n 65536 --map "$map" --seed 3 --hash
    want=$("$FHEC" ntt --n 65536 --map golden --seed 3 --hash 2>/dev/null)
    got=$(grep -oE '^[0-9a-f]{32}$' <<<"$said")
    same "$map: the hash of the reference" "$got" "$want"
    "$FHEC" ntt --n 65536 --map "$map" --stats=json --hash --seed 3 >"$tmp/stats" 2>/dev/null
    check "$map: --stats=json" python3 - "$tmp/stats" "$map" "$want" <<'EOF'
import json, sys
stats, name = json.load(open(sys.argv[1])), sys.argv[2]
assert stats["hash"] == sys.argv[3]
assert stats["launches"] >= 1 and stats["warp_insts"] > 10000
assert sum(o["warp"] for o in stats["opcodes"].values()) == stats["warp_insts"]
fhec = sum(o["warp"] for m, o in stats["opcodes"].items() if m.startswith("FHEC"))
wanted = {"fhec16": 2048, "fhec256": 16384}
assert fhec == wanted.get(name, fhec), fhec
EOF
    fhec "$map: engine ref, one thread" 0 "" ntt --n 256 --map "$map" --engine ref --threads 1
    fhec "$map: step limit" 3 "step limit" ntt --n 1024 --map "$map" --max-steps 10 --out "$tmp/none.bin"
done

# A limb of 64-bit words: the definition again, for a prime of 60 bits, and one that is there twice.
python3 - "$tmp" >"$tmp/args" <<'EOF'
import struct, sys
tmp, n, q = sys.argv[1], 256, 1152921504606830593
psi = next(r for g in range(2, 99) for r in [pow(g, (q - 1) // (2 * n), q)] if pow(r, n, q) == q - 1)
rows = [[pow(7 + j, i + 1, q) * (i + 3) % q for i in range(n)] for j in range(2)]
out = [[sum(row[i] * pow(psi, (2 * k + 1) * i, q) for i in range(n)) % q for k in range(n)] for row in rows]
out = [[row[int(f"{i:08b}"[::-1], 2)] for i in range(n)] for row in out]
def raw(name, rows): open(f"{tmp}/{name}", "wb").write(struct.pack("<512Q", *sum(rows, [])))
raw("in64.bin", rows); raw("out64.bin", out)
print(f"--q {q},{q} --psi {psi},{psi}")
EOF
read -ra args <"$tmp/args"
mapfile -t wide < <("$FHEC" ntt --map=help | awk '/ntt, .*64-bit/ {print $1}')
[ ${#wide[@]} -gt 0 ] && ok "there are 64-bit maps: ${wide[*]}" || not_ok "there are 64-bit maps"
for map in "${wide[@]}" golden; do
    rm -f "$tmp/got.bin"
    fhec "$map: 60 bits, forward" 0 "" ntt --n 256 "${args[@]}" --map "$map" --in "$tmp/in64.bin" \
        --out "$tmp/got.bin"
    check "$map: it is the definition" cmp "$tmp/got.bin" "$tmp/out64.bin"
    fhec "$map: 60 bits, inverse" 0 "" ntt --n 256 "${args[@]}" --map "$map" --inverse \
        --in "$tmp/out64.bin" --out "$tmp/got.bin"
    check "$map: inverse gives the input back" cmp "$tmp/got.bin" "$tmp/in64.bin"
done
for map in "${wide[@]}"; do
    same "$map: 60 bits by default" "$("$FHEC" ntt --n 65536 --map "$map" --hash 2>/dev/null)" \
        "$("$FHEC" ntt --n 65536 --bits 60 --map golden --hash 2>/dev/null)"
    fhec "$map: 61 bits" 2 "must be below 2^60" ntt --n 256 --bits 61 --map "$map"
done
for map in "${maps[@]}" golden; do
    fhec "$map: a prime twice" 0 "" ntt --n 256 --q 998244353,998244353 --map "$map"
done
fhec "60-bit primes on golden" 0 "by the C reference" ntt --n 1024 --bits 60 --map golden --hash

# ---- refused: status 2, or 4 for unreadable files; no output file
none=(--out "$tmp/none.bin")
fhec "no --n" 2 "--n is needed" ntt "${none[@]}"
fhec "n = 0" 2 "--n 0: expected a number from 1" ntt --n 0 "${none[@]}"
for map in "${maps[@]}" golden; do
    refused() { fhec "$map: $1" 2 "$2" ntt --map "$map" "${@:3}" "${none[@]}"; }
    refused "n no power of two" "" --n 1000 --q 998244353
    grep -qiE "power of two|1000" <<<"$said" && ok "$map: it says so" || not_ok "$map: it says so" "$said"
    refused "n no power of two, primes chosen" "power of two" --n 1000
    refused "q not prime" "" --n 256 --q 998244355
    grep -qi "prime" <<<"$said" && ok "$map: it says so" || not_ok "$map: it says so" "$said"
    refused "q not 1 mod 2N" "" --n 256 --q 1000000007
    grep -qiE "mod(ulo)? 2N" <<<"$said" && ok "$map: it says so" || not_ok "$map: it says so" "$said"
    refused "q = 1" "" --n 256 --q 1
    refused "psi of order N" "" --n 256 --q 998244353 --psi $(python3 -c 'print(pow(3, 998244352 // 256, 998244353))')
    grep -qiE "order|root" <<<"$said" && ok "$map: it says so" || not_ok "$map: it says so" "$said"
    refused "psi = 0" "" --n 256 --q 998244353 --psi 0
    refused "second limb wrong" "" --n 256 --q 998244353,998244355
    refused "primes too few" "" --n 65536 --limbs 64 --bits 18
done
fhec "no such map" 2 'there is no map "fhec17"; the maps are:' ntt --n 256 --map fhec17 "${none[@]}"
fhec "q of 40 bits on a 32-bit map" 2 "" ntt --n 256 --bits 40 "${none[@]}"
fhec "more roots than primes" 2 "1 primes but 2 roots" ntt --n 256 --q 998244353 --psi 1,2 "${none[@]}"
fhec "--psi alone" 2 "--psi needs --q" ntt --n 256 --psi 5 "${none[@]}"
fhec "--q and --limbs" 2 "give one of both" ntt --n 256 --q 998244353 --limbs 2 "${none[@]}"
fhec "a data file of the wrong size" 2 "in.bin has 512 elements; expected 256: 1 limb of 256" \
    ntt --n 256 --in "$tmp/in.bin" "${none[@]}"
fhec "a data file of the wrong shape" 2 "has 512 elements in another shape; expected 512: 1 limb of 512" \
    ntt --n 512 --in "$tmp/in.npy" "${none[@]}"
fhec "a missing data file" 4 "cannot read $tmp/no.bin" ntt --n 256 --in "$tmp/no.bin" "${none[@]}"
fhec "--order xyz" 2 "expected one of bitrev, natural" ntt --n 256 --order xyz "${none[@]}"
fhec "one argument too many" 2 "unexpected argument: 256" ntt 256 "${none[@]}"
absent "nothing was written by any of them" "$tmp/none.bin"
done_testing
