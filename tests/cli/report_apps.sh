#!/usr/bin/env bash
# fhec report bootstrap, lr, ...: applications composed from primitives. Their totals, what is
# composed beside what is executed, all forms of the report, and what is wrong with files.
. "$(dirname "$0")/../tools/tap.sh"

fhec "all applications in all forms" 0 "2 maps, applications composed" \
    report bootstrap lr resnet20 bert-tiny --logn 8 --maps fhec16,cuda64 --out "$tmp/r.json" \
    --out "$tmp/r.txt" --out "$tmp/r.md" --out "$tmp/r.svg"
check "totals are the published sequences'" python3 - "$tmp/r.json" <<'END'
import json, sys
apps = {a["name"]: a for a in json.load(open(sys.argv[1]))["applications"]}
assert list(apps) == ["bootstrap", "lr", "resnet20", "bert-tiny"]
def totals(app, reading):
    t = next(r for r in apps[app]["readings"] if r["name"] == reading)["totals"]
    return t["hemult"], t["rotate"] - t["hoistable"], t["hoistable"], t["ptmult"], t["rescale"]
assert totals("bootstrap", "A") == (34, 27, 30, 222, 56)
assert totals("bootstrap", "fhec32") == (36, 35, 42, 316 + 120, 116)
assert totals("resnet20", "A") == (668, 1924, 1032, 12472, 1171)
assert totals("bert-tiny", "A") == (2725, 3050, 4888, 36550, 3011)
# Reading B as libraries have it: one HEMult and one Rescale more in each EvalMod, and one scalar
# product fewer; a bootstrap of all slots has two, all others one.
for app, evalmods, want in (("bootstrap", 2, (54, 35, 42, 478, 84)),
                            ("lr", 2, (62, 88, 40, 8 + 2 * 175, 16 + 2 * 43)),
                            ("resnet20", 27, (938, 2464, 1788, 30022, 1495)),
                            ("bert-tiny", 73, (3455, 3926, 6348, 66480, 3887))):
    h, r, o, p, s = totals(app, "B")
    assert (h + evalmods, r, o, p - evalmods, s + evalmods) == want, (app, h, r, o, p, s)
# Where the operations of a bootstrap of pairs of 31-bit primes are.
fhec32 = apps["bootstrap"]["readings"][2]
def at(*ops):
    got = {}
    for use in fhec32["sequence"]["single"]:
        if use["op"] in ops:
            got[use["limbs"]] = got.get(use["limbs"], 0) + use["count"]
    return got
assert at("ptmult") == {44: 32, 42: 63, 40: 63, 20: 63, 18: 63, 16: 32}, at("ptmult")
assert at("rotate") == {44: 10, 42: 14, 40: 14, 20: 14, 18: 14, 16: 10}, at("rotate")
assert at("hemult") == {38: 2, 36: 4, 34: 8, 32: 2, 30: 4, 28: 6, 26: 6, 24: 2, 22: 2}, at("hemult")
assert at("scalar mult") == {36: 2, 34: 6, 32: 14, 30: 42, 28: 42, 26: 14} or \
    at("scalarmult") == {36: 2, 34: 6, 32: 14, 30: 42, 28: 42, 26: 14}, {u["op"] for u in fhec32["sequence"]["single"]}
rescale = {l: c for top, c in ((44, 1), (42, 1), (40, 1), (38, 2), (36, 4), (34, 8), (32, 4), (30, 10),
                               (28, 12), (26, 8), (24, 2), (22, 2), (20, 1), (18, 1), (16, 1))
           for l in (top, top - 1)}
expected = {}
for top, c in ((44, 1), (42, 1), (40, 1), (38, 2), (36, 4), (34, 8), (32, 4), (30, 10), (28, 12),
               (26, 8), (24, 2), (22, 2), (20, 1), (18, 1), (16, 1)):
    for l in (top, top - 1):
        expected[l] = expected.get(l, 0) + c
assert at("rescale") == expected, at("rescale")
END
check "counts, parts and ratios agree" python3 - "$tmp/r.json" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
columns = list(report["classes"])
published = {"bootstrap": (36129286144, 17073057143), "lr": (89385078641, 33384095353),
             "resnet20": (556714062191, 295196429566), "bert-tiny": (1809067028156, 1059032787283)}
for app in report["applications"]:
    assert (app["published"]["baseline"], app["published"]["fhec"]) == published[app["name"]]
    assert app["notes"] and app["logn"] == 8 and app["sequence_logn"] == 16
    for reading in app["readings"]:
        maps = reading["maps"]
        assert list(maps) == (["fhec16"] if reading["name"] == "fhec32" else ["fhec16", "cuda64"])
        for name, m in maps.items():
            forms = [m[f]["warp"]["total"] for f in ("single", "hoisted", "fused", "fused_hoisted")]
            assert forms[0] > forms[1] and forms[2] > forms[3] and forms[0] > forms[2], forms
            assert sum(p["warp"] for p in m["parts"]) == forms[3]
            for f in ("single", "fused_hoisted"):
                assert m[f]["warp"]["total"] == sum(m[f]["warp"][k] for k in columns)
                assert abs(m[f]["full_hemults"] - m[f]["warp"]["total"] / m["hemult"]) < 1e-9
                if "cuda64" in maps:
                    want = maps["cuda64"][f]["warp"]["total"] / m[f]["warp"]["total"]
                    assert abs(m[f]["ratio"]["cuda64"] - want) < 1e-9
        if reading["name"] == "fhec32": # compared with another reading
            base = app["readings"][0]["maps"]["cuda64"]["single"]["warp"]["total"]
            single = maps["fhec16"]["single"]
            assert abs(single["ratio"]["cuda64"] - base / single["warp"]["total"]) < 1e-9
        assert ("matrix" in columns) and maps["fhec16"]["single"]["warp"]["matrix"] > 0
assert report["kernels"]["ntt"]["maps"] == {} and report["products"] == report["published"] == []
END
for app in bootstrap lr resnet20 bert-tiny; do
    check "$app is in the picture" grep -q ">$app, reading B, N = 2^8<" "$tmp/r.svg"
done
check "the picture is well-formed XML" python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$tmp/r.svg"
same "no line of the text is wider than 100 columns" "$(awk 'length($0) > 100' "$tmp/r.txt")" ""
check "published figures are in the text" grep -q "Published: 556,714,062,191 warp instructions, with FHEC 295,196,429,566: 1.89x" "$tmp/r.txt"
check "both readings are in the table" grep -qE "^\| B, cuda64 \| 60 \| [0-9.]+ " "$tmp/r.md"

# An application of one's own: the bootstrap that `fhec ckks bootstrap --preset small` executes.
cat >"$tmp/own.json" <<'END'
{"name": "own", "title": "One small bootstrap", "logn": 10, "readings": [
  {"name": "small", "title": "pairs of primes",
   "chain": {"limbs": 44, "alpha": 12, "dnum": 4, "bits": "plan"},
   "parts": [{"name": "bootstrap", "plan": {"preset": "pairs"}}]}]}
END
maps=(fhec16)
[ -z "${FHEC_TEST_LONG:-}" ] || maps+=(imma16)
"$FHEC" report "$tmp/own.json" --logn 10 --maps "$(IFS=,; echo "${maps[*]}")" --format json >"$tmp/own" 2>/dev/null
for map in "${maps[@]}"; do
    "$FHEC" ckks bootstrap --preset small --map "$map" --no-verify --stats=json >"$tmp/run" 2>/dev/null
    check "$map: what is composed is what is executed" python3 - "$tmp/own" "$tmp/run" "$map" <<'END'
import json, sys
composed = json.load(open(sys.argv[1]))["applications"][0]["readings"][0]["maps"][sys.argv[3]]
executed = json.load(open(sys.argv[2]))
assert composed["fused_hoisted"]["warp"]["total"] == executed["warp_insts"]
assert composed["fused_hoisted"]["launches"] == executed["launches"]
END
done

# Rows by hand: sums of terms that a kernel takes at once, and of more.
cat >"$tmp/rows.json" <<'END'
{"name": "rows", "title": "Rows", "readings": [
  {"name": "r", "title": "rows", "chain": {"limbs": 6, "alpha": 3, "dnum": 2, "bits": 30},
   "parts": [{"name": "a", "times": 3, "ops": [
     {"op": "ptmult", "limbs": 6, "count": 80, "groups": 2},
     {"op": "rotate", "limbs": 5, "count": 8, "groups": 2}, {"op": "conjugate", "limbs": 5, "count": 1},
     {"op": "scalarmult", "limbs": 4, "count": 4}, {"op": "scalaradd", "limbs": 4, "count": 1},
     {"op": "ptadd", "limbs": 4, "count": 1}, {"op": "hemult", "limbs": 4, "count": 2},
     {"op": "headd", "limbs": 4, "count": 5}, {"op": "rescale", "limbs": 4, "count": 1, "drop": 2}]}],
   "totals": {"hemult": 6, "rotate": 27, "hoistable": 24, "ptmult": 252, "headd": 249, "rescale": 6,
     "keyswitch": 0}}]}
END
"$FHEC" report "$tmp/rows.json" --logn 8 --maps fhec16 --format json >"$tmp/rows" 2>"$tmp/said"
check "rows, $(cat "$tmp/said")" python3 - "$tmp/rows" <<'END'
import json, sys
reading = json.load(open(sys.argv[1]))["applications"][0]["readings"][0]
def uses(form):
    return {(u["op"], u["limbs"], u.get("terms", 0), u.get("drop", 0)): u["count"]
            for u in reading["sequence"][form]}
fused = uses("fused_hoisted")
assert fused[("ptmult", 6, 32, 0)] == 6 and fused[("ptmult", 6, 8, 0)] == 6 and fused[("add", 6, 0, 0)] == 6, fused
assert fused[("rescale", 4, 0, 2)] == 3, fused
single = uses("single")
assert single[("ptmult", 6, 0, 0)] == 240 and single[("add", 6, 0, 0)] == 234, single
assert single[("rescale", 4, 0, 1)] == single[("rescale", 3, 0, 1)] == 3, single
assert single[("rotate", 5, 0, 0)] == 24 and not any(op == "rotate" for op, *_ in fused), fused
END

# What is wrong is said with its place.
bad() { # bad NAME FROM TO TEXT: rows.json with a change
    sed "s|$2|$3|" "$tmp/rows.json" >"$tmp/bad.json"
    fhec "$1" 2 "bad.json: $4" report "$tmp/bad.json" --logn 8 --maps fhec16
}
bad "an unknown operation" '"ptadd"' '"ptad"' 'readings[0].parts[0].ops[5]: no operation is called "ptad"; did you mean "ptadd"?'
bad "an unknown member" '"times"' '"time"' 'readings[0].parts[0]: unknown member "time"; there may be name times ops plan series'
bad "too many limbs" '"hemult", "limbs": 4' '"hemult", "limbs": 7' 'readings[0].parts[0].ops[6]: member "limbs": expected a number from 1 to 6'
bad "no count" '"headd", "limbs": 4, "count": 5' '"headd", "limbs": 4' 'readings[0].parts[0].ops[7]: missing member "count": expected a number from 1 to'
bad "groups that do not divide" '"count": 80' '"count": 81' 'readings[0].parts[0].ops[0]: member "groups": it goes with'
bad "a Rescale of all limbs" '"drop": 2' '"drop": 4' 'readings[0].parts[0].ops[8]: member "drop": expected a number from 1 to 3'
bad "totals that are others" '"rotate": 27' '"rotate": 28' 'readings[0].totals: member "rotate": the parts have 27'
bad "digits without a limb" '"dnum": 2' '"dnum": 4' 'readings[0].chain: member "dnum": dnum is 4; 6 limbs are 3 digits of 2 limbs'
bad "a small extension" '"alpha": 3' '"alpha": 2' 'readings[0].chain: member "alpha": it must be at least the 3 limbs of a digit'
bad "primes of no plan" '"bits": 30' '"bits": "plan"' 'readings[0]: its chain has the primes of a plan, and no part has a plan'
bad "beside nothing" '"title": "rows"' '"title": "rows", "beside": "r"' 'readings[0]: member "beside": no other reading is called "r"'
bad "no name" '"name": "rows"' '"name": ""' 'member "name": expected text'
sed 's|"name": "a",|"name": "a"|' "$tmp/rows.json" >"$tmp/bad.json"
fhec "no JSON" 2 "bad.json:3:" report "$tmp/bad.json"
sed 's|"limbs": 44|"limbs": 48|' "$tmp/own.json" >"$tmp/bad.json"
fhec "a plan of other limbs" 2 'bad.json: readings[0].parts[0].plan: it has 44 limbs; the chain has 48' \
    report "$tmp/bad.json"
sed 's|"preset": "pairs"|"preset": "pairs", "maps_cts": 10|' "$tmp/own.json" >"$tmp/bad.json"
fhec "more maps than stages" 2 'bad.json: readings[0].parts[0].plan: member "maps_cts": expected a number from 1 to 9' \
    report "$tmp/bad.json"
fhec "no such file" 4 "cannot read $tmp/none.json" report "$tmp/none.json"
fhec "an unknown row" 2 'there is no row "resnet"; did you mean "resnet20"?' report resnet
fhec "a row twice" 2 "lr is named twice" report lr lr
fhec "too few steps" 3 "step" report lr --logn 8 --maps fhec16 --max-steps 10
done_testing
