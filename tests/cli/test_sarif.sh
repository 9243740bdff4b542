#!/usr/bin/env bash
# fhec test --sarif: the findings of all cases, what differs, and what else does not hold; and logs of
# fhec run, against the structure that the standard demands and, where it can be had, its schema.
. "$(dirname "$0")/../tools/tap.sh"

mkdir "$tmp/k"
cat >"$tmp/k/sum.sass" <<'SASS'
.target sm_80
.kernel sum
.param y, 8
.param bias, 4
    S2R R0, SR_TID.X ;
    MOV R2, 0x4 ;
    IMAD.WIDE.U32 R6, R0, R2, y ;
    ISETP.EQ.U32.AND P0, PT, R0, 0x5, PT ;
    IADD3 R8, R0, bias, RZ ;
@P0 IADD3 R8, R8, 0x40, RZ ;
    STG.E [R6.64], R8 ;
    EXIT ;
.end
.kernel dirty
.param y, 8
    S2R R0, SR_TID.X ;
    MOV R2, 0x4 ;
    IMAD.WIDE.U32 R6, R0, R2, y ;
    IADD3 R8, R9, R0, RZ ;
    STG.E [R6.64], R8 ;
    EXIT ;
.end
.kernel far
.param y, 8
    MOV R6, 0x10 ;
    MOV R7, RZ ;
    STG.E [R6.64], R7 ;
    EXIT ;
.end
SASS
cat >"$tmp/k/sum.test" <<'TEST'
case wrong kernel sum grid 1 block 8
arg bias 7
out y u32[8]
expect y values 7,8,9,10,11,12,13,14
case right kernel sum grid 1 block 4
arg bias 0x70000001
out y u32[4]
expect y values 0x70000001,0x70000002,0x70000003,0x70000004
case unwritten kernel dirty grid 1 block 32
inout y u32[32] zeros
expect y values 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
case out_of_reach kernel far grid 1 block 1
inout y u32[4] zeros
expect y values 0,0,0,0
TEST
fhec "findings, a difference and a fault" 3 "1 passed, 3 failed" test "$tmp/k" --seed-machine=off --check=init --sarif "$tmp/all.sarif"
fhec "without --check" 1 "FAILED $tmp/k/sum.sass: wrong
FAILED $tmp/k/sum.sass: out_of_reach" test "$tmp/k" --sarif "$tmp/plain.sarif" --seed-machine=off
fhec "messages in JSON, JUnit beside it" 3 "" test "$tmp/k" --seed-machine=off --check=init --format=json --sarif "$tmp/json.sarif" \
    --junit "$tmp/junit.xml"
[ -s "$tmp/junit.xml" ] && ok "both files" || not_ok "both files"
if grep -q '"sarif"' <<<"$said"; then not_ok "the log is no part of the verdicts"; else ok "the log is no part of the verdicts"; fi
fhec "nothing" 0 "" test "$tmp/k/sum.sass:right" --sarif "$tmp/none.sarif"
fhec "one file for two" 2 "" test "$tmp/k" --sarif "$tmp/two" --junit "$tmp/two"

fhec "the profile is one more file" 2 "" test "$tmp/k" --sarif "$tmp/two" --profile "$tmp/two"

cat >"$tmp/structure.py" <<'PY'
import json, sys
def need(where, thing, **kinds):
    for name, kind in kinds.items():
        assert isinstance(thing.get(name), kind), (where, name, thing.get(name))
def location(l):
    need("location", l)
    if "physicalLocation" in l:
        p = l["physicalLocation"]
        need("physicalLocation", p, artifactLocation=dict, region=dict)
        need("artifactLocation", p["artifactLocation"], uri=str)
        need("region", p["region"], startLine=int)
        assert p["region"]["startLine"] >= 1 and " " not in p["artifactLocation"]["uri"]
    for n in l.get("logicalLocations", []):
        need("logicalLocation", n, name=str)
    assert "physicalLocation" in l or "logicalLocations" in l
    if "message" in l:
        need("message", l["message"], text=str)
def log(path):
    l = json.load(open(path))
    assert set(l) == {"$schema", "version", "runs"} and l["version"] == "2.1.0"
    for run in l["runs"]:
        assert set(run) <= {"tool", "columnKind", "results"} and run["columnKind"] == "utf16CodeUnits"
        driver = run["tool"]["driver"]
        need("driver", driver, name=str, version=str, rules=list)
        ids = [r["id"] for r in driver["rules"]]
        assert len(set(ids)) == len(ids)
        for r in driver["rules"]:
            need("rule", r, id=str, name=str, shortDescription=dict, defaultConfiguration=dict)
            assert r["shortDescription"]["text"]
        for r in run["results"]:
            assert set(r) <= {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations",
                "occurrenceCount", "properties", "suppressions"}, set(r)
            need("result", r, ruleId=str, ruleIndex=int, level=str, message=dict, locations=list)
            assert ids[r["ruleIndex"]] == r["ruleId"] and r["level"] in ("error", "warning") and r["message"]["text"]
            assert r.get("occurrenceCount", 1) >= 1
            for at in r["locations"] + r.get("relatedLocations", []):
                location(at)
            for s in r.get("suppressions", []):
                assert s["kind"] in ("inSource", "external")
    return l["runs"][0]["results"]
if __name__ == "__main__":
    for path in sys.argv[1:]:
        log(path)
PY
"$FHEC" run "$tmp/k/sum.sass" -k dirty --grid 1 --block 32 --out y=:128 --check --sarif "$tmp/run.sarif" 2>/dev/null
logs=("$tmp"/{all,plain,json,none,run}.sarif)
check "the structure that the standard demands" python3 "$tmp/structure.py" "${logs[@]}"
check "what is in it" python3 - "$tmp" <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
from structure import log
def short(path):
    out = []
    for r in log(sys.argv[1] + path):
        at = r["locations"][0]["physicalLocation"]
        file = at["artifactLocation"]["uri"].rsplit("/", 1)[1]
        out.append((r["ruleId"], r["properties"]["case"], file, at["region"]["startLine"]))
    return sorted(out)
difference, fault = ("T001", "wrong", "sum.sass", 11), ("T002", "out_of_reach", "sum.sass", 27)
found = short("/all.sarif")
assert [f for f in found if f[0][0] == "T"] == [difference, fault], found
init = [f for f in found if f[0][0] == "C"]
assert init and all(f[1:3] == ("unwritten", "sum.sass") for f in init), found
assert short("/json.sarif") == found
assert [f for f in short("/plain.sarif") if f[1] != "unwritten"] == [difference, fault], short("/plain.sarif")
assert short("/none.sarif") == []
wrong, = [r for r in log(sys.argv[1] + "/all.sarif") if r["ruleId"] == "T001"]
assert wrong["message"]["text"] == "y differs in 1 of 8 elements, first y[5]: 76, expected 12", wrong
at = wrong["relatedLocations"][0]["physicalLocation"]
assert at["region"]["startLine"] == 4 and at["artifactLocation"]["uri"].endswith("/k/sum.test"), at
faulty, = [r for r in log(sys.argv[1] + "/json.sarif") if r["ruleId"] == "T002"]
assert "null pointer" in faulty["message"]["text"] and "{" not in faulty["message"]["text"], faulty
PY
if schema=$(tests/tools/sarif_schema.sh) && python3 -c 'import jsonschema' 2>/dev/null; then
    check "the schema of SARIF 2.1.0" python3 - "$schema" "${logs[@]}" <<'PY'
import json, sys, jsonschema
schema = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
bad = [(path, list(e.absolute_path), e.message[:200]) for path in sys.argv[2:]
       for e in schema.iter_errors(json.load(open(path)))]
assert not bad, bad
# The schema sees what is wrong.
broken = json.load(open(sys.argv[2]))
broken["runs"][0]["results"][0]["level"] = "fatal"
assert not schema.is_valid(broken)
PY
else
    skip "the schema of SARIF 2.1.0" "${schema:-python3 has no jsonschema}"
fi
done_testing
