#!/usr/bin/env bash
# fhec report: the four forms on small parameters, counts beside those of other commands, what the
# published parameters give, and what is refused.
. "$(dirname "$0")/../tools/tap.sh"

# shellcheck disable=SC2054 # a list of the tool
small=(--logn 10 --limbs 4 --alpha 2 --dnum 2 --words 3,5)
fhec "all four forms from one run" 0 "equal to the C reference" report "${small[@]}" \
    --out "$tmp/r.txt" --out "$tmp/r.md" --out "$tmp/r.json" --out "$tmp/r.svg"
for form in text:txt markdown:md json:json svg:svg; do
    "$FHEC" report "${small[@]}" --format "${form%:*}" >"$tmp/out" 2>/dev/null
    check "--format=${form%:*} is what --out writes" cmp "$tmp/out" "$tmp/r.${form#*:}"
done

# Totals are sums of classes and of parts; the counts are those of the commands for one kernel.
counts() { # counts COMMAND...: warp and thread instructions, launches
    "$FHEC" "$@" --stats=json 2>/dev/null | python3 -c 'import json, sys
s = json.load(sys.stdin); print(s["warp_insts"], s["thread_insts"], s["launches"])'
}
report() { # report KERNEL MAP: the same of the report
    python3 - "$tmp/r.json" "$1" "$2" <<'EOF'
import json, sys
c = json.load(open(sys.argv[1]))["kernels"][sys.argv[2]]["maps"][sys.argv[3]]
print(c["warp"]["total"], c["thread"]["total"], c["launches"])
EOF
}
check "totals, classes, parts and ratios agree" python3 - "$tmp/r.json" <<'EOF'
import json, sys
report = json.load(open(sys.argv[1]))
columns = list(report["classes"])
assert columns == ["matrix", "modular", "integer", "memory", "control", "uniform"]
counted = 0
def check(c):
    for kind in ("warp", "thread"):
        assert c[kind]["total"] == sum(c[kind][k] for k in columns) > 0
def check_parts(c):
    for part in c["parts"].values():
        assert all(part[kind]["total"] == sum(part[kind][k] for k in columns)
                   for kind in ("warp", "thread"))
    for kind in ("warp", "thread"):
        for k in columns + ["total"]:
            assert c[kind][k] == sum(part[kind][k] for part in c["parts"].values())
    assert c["launches"] == sum(part["launches"] for part in c["parts"].values())
for name, kernel in report["kernels"].items():
    maps = kernel["maps"]
    for map, c in maps.items():
        if c is None:
            continue
        counted += 1
        check(c)
        check_parts(c)
        for base in ("cuda64", "imma16"):
            for kind in ("warp", "thread"):
                got = c["ratio"][kind][base]
                assert (got is None) == (maps[base] is None), (name, map, base)
                if got is not None:
                    want = maps[base][kind]["total"] / c[kind]["total"]
                    assert abs(got - want) < 1e-9 * want
        if name in ("ntt", "intt"):
            assert c["parts"]["transforms"]["warp"]["total"] == c["warp"]["total"]
        if name == "hemult":
            # digits of 2 limbs raised to 2 + 2 others, both sums brought down again
            assert c["limb_transforms"] == 4 + 2 * 2 + 2 * 4 + 2 * 4, c["limb_transforms"]
assert counted >= 6 * 3
assert report["published"] == [] and report["notes"] == []
assert {(p["op"], p["words"]) for p in report["products"]} == {
    (op, words) for op in ("mul", "montmul") for words in (3, 5)}
for p in report["products"]:
    check(p)
assert report["parameters"] == {"logn": 10, "limbs": 4, "alpha": 2, "dnum": 2, "seed": 1,
                                "verified": True}
EOF
mapfile -t maps < <("$FHEC" ntt --map=help | awk '/[( ]ntt, .*-bit/ {print $1}')
[ ${#maps[@]} -gt 4 ] && ok "maps with transforms" || not_ok "maps with transforms" "${maps[*]}"
for map in "${maps[@]}"; do
    bits=30
    [[ $map = *64 ]] && bits=60
    same "$map: the transform's counts are those of fhec ntt" "$(report ntt "$map")" \
        "$(counts ntt --n 1024 --bits $bits --map "$map")"
    same "$map: the inverse's too" "$(report intt "$map")" \
        "$(counts ntt --n 1024 --inverse --bits $bits --map "$map")"
done
for primitive in rescale rotate hemult; do
    same "fhec16: counts of fhec ckks $primitive" "$(report $primitive fhec16)" \
        "$(counts ckks $primitive "${small[@]:0:8}" --map fhec16)"
done

# The picture and the tables.
if command -v xmllint >/dev/null 2>&1; then
    check "the picture is well-formed XML" xmllint --noout "$tmp/r.svg"
else
    check "the picture is well-formed XML" python3 -c \
        'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$tmp/r.svg"
fi
same "no line of the text is wider than 100 columns" "$(awk 'length($0) > 100' "$tmp/r.txt")" ""
for map in "${maps[@]}"; do
    grep -q "^$map  *[0-9]" "$tmp/r.txt" && grep -q "^| $map | [0-9]" "$tmp/r.md" &&
        grep -q ">$map<" "$tmp/r.svg" && ok "$map is in all forms" || not_ok "$map is in all forms"
done
total=$(report hemult fhec16 | awk '{print $1}' | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta')
grep -q "^fhec16 .* $total " "$tmp/r.txt" && ok "numbers have separators: $total" ||
    not_ok "numbers have separators: $total"
same "--maps chooses rows and order" \
    "$("$FHEC" report "${small[@]}" --maps imma16,fhec16 --format json 2>/dev/null |
        python3 -c 'import json, sys; print([m["name"] for m in json.load(sys.stdin)["maps"]])')" \
    "['imma16', 'fhec16']"
fhec "nothing verified" 0 "results not verified" report "${small[@]}" --maps fhec16 --no-verify

# Log N = 16 is where transforms of the library are known, of any chain.
fhec "transforms of the library" 0 "- NTT, cuda64: 
- NTT, fhec16: 
- Inverse NTT, fhec16: 
fewer than FIDESlib's 1,138,176" report --maps cuda64,fhec16 --limbs 2 --alpha 1 --dnum 2 --words 3
only_transforms() { python3 -c 'import json, sys
p = json.load(open(sys.argv[1]))["published"]; sys.exit([k["kernel"] for k in p] != ["ntt", "intt"])' "$1"; }
"$FHEC" report --maps cuda64,fhec16 --limbs 2 --alpha 1 --dnum 2 --words 3 --no-verify --format json \
    >"$tmp/two" 2>/dev/null
check "and no primitive of another shape" only_transforms "$tmp/two"

# The published shapes: 11 limbs, and 12 for Rotate, which are not those of the report's own table.
"$FHEC" report --maps gme64,fhec16,cuda64 --words 3 --no-verify --format json >"$tmp/shapes" 2>/dev/null
"$FHEC" ckks rotate --map cuda64 --limbs 12 --alpha 4 --dnum 3 --no-verify --stats=json >"$tmp/twelve" 2>/dev/null
"$FHEC" ckks hemult --map fhec16 --limbs 11 --alpha 4 --dnum 3 --bits 30 --no-verify --stats=json \
    >"$tmp/eleven" 2>/dev/null
check "primitives of the published shapes" python3 - "$tmp/shapes" "$tmp/twelve" "$tmp/eleven" <<'EOF'
import json, sys
report, rotate, hemult = (json.load(open(name)) for name in sys.argv[1:])
p = {k["kernel"]: k for k in report["published"]}
assert list(p) == ["ntt", "intt", "rescale", "rotate", "hemult"]
shape = lambda k: (k["limbs"], k["alpha"], k["dnum"])
assert shape(p["rotate"]) == (12, 4, 3) and shape(p["hemult"]) == shape(p["rescale"]) == (11, 4, 3)
assert shape(p["ntt"]) == (None, None, None) and p["ntt"]["baseline"]["published"] is None
assert p["rotate"]["baseline"]["ours"] == rotate["warp_insts"]
assert p["rotate"]["baseline"]["ours"] != report["kernels"]["rotate"]["maps"]["cuda64"]["warp"]["total"]
assert p["hemult"]["fhec"]["ours"] == hemult["warp_insts"] == p["hemult"]["maps"]["fhec16"]
assert p["rotate"]["maps"]["gme64"] > report["kernels"]["rotate"]["maps"]["gme64"]["warp"]["total"]
assert p["ntt"]["maps"]["gme64"] == report["kernels"]["ntt"]["maps"]["gme64"]["warp"]["total"]
for k, (base, fhec) in {"rescale": (29974528, 13278720), "rotate": (146941952, 57383936),
                        "hemult": (139449088, 57604096)}.items():
    assert (p[k]["baseline"]["published"], p[k]["fhec"]["published"]) == (base, fhec)
    assert abs(p[k]["fideslib"][0] / base - 1) < 0.005 # what the library executes is what was published
    b = p[k]["baseline"]
    assert abs(b["difference"] - (b["ours"] / base - 1)) < 1e-12
EOF

base=(report --out "$tmp/none.txt")
fhec "no limbs" 2 "limbs: 0; Rescale drops one and leaves at least one" "${base[@]}" --limbs 0
fhec "one limb" 2 "limbs: 1; Rescale drops one" "${base[@]}" --limbs 1
fhec "no extension" 2 "alpha is 0; it must be at least the 4 limbs of a digit" "${base[@]}" --alpha 0
fhec "digits without a limb" 2 "dnum is 5; 11 limbs are 4 digits of 3 limbs" "${base[@]}" --dnum 5
fhec "N too small" 2 "log2 of N must be 8 to 17, not 7" "${base[@]}" --logn 7
fhec "N too large" 2 "log2 of N must be 8 to 17, not 18" "${base[@]}" --logn 18
fhec "primes too few" 2 "need 15 primes = 1 modulo 2N = 131072 below 2^20" "${base[@]}" --bits 20
fhec "primes too large" 2 "--bits 33: expected a number from 2 to 32" "${base[@]}" --bits 33
fhec "wide primes too large" 2 "--wide-bits 61: expected a number from 2 to 60" "${base[@]}" \
    --wide-bits 61
fhec "an unknown map" 2 'no map "fhec17"; did you mean "fhec16"?' "${base[@]}" --maps cuda32,fhec17
fhec "a map twice" 2 "cuda32 is named twice" "${base[@]}" --maps cuda32,fhec16,cuda32
fhec "products of two words" 2 "--words 2: expected a number from 3 to 64" "${base[@]}" --words 3,2
fhec "an unknown form" 2 "expected one of text, markdown, json, svg" "${base[@]}" --format pdf
fhec "an unknown extension" 2 "expected a name in .txt, .md, .json or .svg" report --out "$tmp/none"
fhec "--stats" 2 "the report consists of them" "${base[@]}" --stats
check "which its help does not offer" test "$("$FHEC" report --help | grep -c stats)" = 0
fhec "no such row" 2 'there is no row "kernel"; did you mean "kernels"?' "${base[@]}" kernel
fhec "too few steps" 3 "step" "${base[@]}" "${small[@]}" --max-steps 10
fhec "no digits" 2 "dnum is 0; there may be 1 to 11 digits" "${base[@]}" --dnum 0
absent "no file is left behind" "$tmp/none"
done_testing
