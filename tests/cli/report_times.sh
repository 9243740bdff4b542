#!/usr/bin/env bash
# fhec report --time: primitives and applications on two machines, with what they take at least, and
# with lines of the machines changed.
. "$(dirname "$0")/../tools/tap.sh"

fhec "times in two forms" 0 "not verified" report --time kernels --sensitivity --logn 8 \
    --out "$tmp/t.json" --out "$tmp/t.md"
fhec "one bootstrap" 0 "not verified" report --time bootstrap --logn 8 --out "$tmp/b.json"
for op in rescale:11 rotate:12 hemult:11; do
    limbs=${op#*:} op=${op%:*}
    [ "$op" = rescale ] || # two limbs at once, which fhec ckks rescale does not do
        "$FHEC" ckks "$op" --logn 8 --limbs $((2 * limbs)) --alpha 8 --dnum 3 --bits 30 --map fhec16 \
            --time=a100+fhecore --time-format json --no-verify --out "$tmp/out" \
            >"$tmp/fhec.$op" 2>"$tmp/err" || cat "$tmp/err"
    "$FHEC" ckks "$op" --logn 8 --limbs "$limbs" --alpha 4 --dnum 3 --bits 60 --map cuda64 --time=a100 \
        --time-format json --no-verify --out "$tmp/out" \
        >"$tmp/baseline.$op" 2>"$tmp/err" || cat "$tmp/err"
done
check "primitives take what fhec ckks --time says" python3 - "$tmp" <<'END'
import json, sys
rows = {r["name"]: r for r in json.load(open(sys.argv[1] + "/t.json"))["rows"]}
assert list(rows) == ["Rescale", "Rotate", "HEMult"], list(rows)
for op in "Rescale", "Rotate", "HEMult":
    for side in ("baseline", "fhec") if op != "Rescale" else ("baseline",):
        got = rows[op][side]
        alone = json.load(open(f"{sys.argv[1]}/{side}.{op.lower()}"))
        for key, most in ("warp_insts", 0), ("cycles", 0.1): # other data in L2 at the beginning
            assert abs(got[key] / alone[key] - 1) <= most, (op, side, key, got[key], alone[key])
END
check "times and their bounds" python3 - "$tmp/t.json" "$tmp/b.json" <<'END'
import json, sys
t, b = (json.load(open(f)) for f in sys.argv[1:])
assert [r["name"] for r in b["rows"]] == ["bootstrap fhec32"]
assert [t["machines"][s]["name"] for s in ("baseline", "fhec")] == ["a100", "a100+fhecore"]
words = {"baseline": 8, "fhec": 4}
met = {"baseline": (11, 4, 3), "fhec": (22, 8, 3)}
chains = {"Rescale": met, "HEMult": met, "Rotate": {"baseline": (12, 4, 3), "fhec": (24, 8, 3)},
          "bootstrap fhec32": {"baseline": (27, 9, 3), "fhec": (44, 12, 4)}}
for row in t["rows"] + b["rows"]:
    assert row["published_speedup"] is None # of 2^16 coefficients only
    us = []
    for side in "baseline", "fhec":
        m, r = t["machines"][side], row[side]
        limbs, alpha, dnum = chains[row["name"]][side]
        assert (r["chain"]["limbs"], r["chain"]["alpha"], r["chain"]["dnum"]) == (limbs, alpha, dnum)
        us.append(r["us"])
        assert abs(r["us"] * m["clock_mhz"] - r["cycles"]) < 1
        b = r["bounds_us"]
        assert all(v is None or v <= r["us"] for v in b.values()), (row["name"], b)
        issue = r["warp_insts"] / (m["sms"] * m["schedulers"]) / m["clock_mhz"]
        assert abs(b["issue"] - issue) < 1e-9 * issue
        assert abs(b["launches"] - r["launches"] * m["launch_cycles"] / m["clock_mhz"]) < 1e-6
        if row["name"] in ("Rotate", "HEMult"):
            key = dnum * 2 * (limbs + alpha) * 2**8 * words[side]
            assert abs(b["key"] - key / m["hbm_gb_per_s"] / 1e3) < 1e-9, (key, b)
        else:
            assert b["key"] is None
    assert abs(row["speedup"] - us[0] / us[1]) < 1e-9
END
check "changed machines are faster or slower as they must" python3 - "$tmp/t.json" <<'END'
import json, sys
t = json.load(open(sys.argv[1]))
rows = {r["name"]: r for r in t["rows"]}
lines = {v["line"]: v for v in t["sensitivity"]}
for op in "Rescale", "Rotate", "HEMult":
    base, fhec = rows[op]["baseline"]["us"], rows[op]["fhec"]["us"]
    at = lambda line, side="fhec_us": lines[line][op][side]
    assert at("op FHEC interval 44") >= at("op FHEC interval 24") * 0.95
    assert at("op FHEC latency 64") >= at("op FHEC latency 54") * 0.95 >= fhec * 0.9
    assert at("op FHEC interval 44", "baseline_us") == base
    assert fhec / at("clock 1410") <= 1410 / 1087.5 + 1e-9
    launches = rows[op]["fhec"]["bounds_us"]["launches"]
    assert abs(at("launch 0") - (fhec - launches)) < 0.1 * fhec
    assert at("hbm 1555") >= at("hbm 2039") * 0.99
END
check "Markdown has what was changed" grep -q '^| op FHEC interval 44' "$tmp/t.md"
fhec "another machine of each kind" 0 "" report kernels --time=a100,a100+etc --logn 8 \
    --out "$tmp/etc.json"
check "the other machine is there" grep -q '"name": "a100+etc"' "$tmp/etc.json"

fhec "one machine" 2 "expected two machines" report --time=a100
fhec "no such machine" 2 "there is no machine" report --time=a100,a100+fhecor kernels --logn 8
fhec "no drawing" 2 "--time has no drawing" report --time --format svg
fhec "no drawing as a file" 2 "--time has no drawing" report --time --out "$tmp/t.svg"
fhec "chains are given" 2 "the chains are those of the published primitives and of the applications" report --time --limbs 20
fhec "maps of one width" 2 "one map with words of 64 bits" report --time --maps cuda64,gme64
fhec "maps without CKKS" 2 "no CKKS primitives" report --time --maps cuda64,mont
fhec "changes of no machine" 2 "--sensitivity needs --time" report --sensitivity
fhec "changes of no primitives" 2 "--sensitivity needs --time" report bootstrap --time --sensitivity
for option in "--bits 28" "--wide-bits 50" "--words 3"; do
    # shellcheck disable=SC2086 # an option and its value
    fhec "$option" 2 "--bits, --wide-bits and --words: with --time primes have 30 and 60 bits" \
        report --time kernels --logn 10 $option
done
done_testing
