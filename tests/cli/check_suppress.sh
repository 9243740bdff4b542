#!/usr/bin/env bash
# Suppressions of findings in files and in sources, and findings as SARIF 2.1.0.
. "$(dirname "$0")/../tools/tap.sh"

# Three errors: a modulus of 1 in a macro, an even modulus of MONTMUL, a term of q or more.
source_with() { # source_with COMMENT-ABOVE-THE-MACRO'S-USE COMMENT-BEHIND-MONTMUL
    cat <<EOF
.target sm_80, gme, mont
.macro ONE to
    MODRED.U32 \\to, \\to, R3 ;
.endm
.kernel three
    MOV R3, 0x1 ;
    MOV R4, 0x5 ;
    MOV R5, 0x6 ;
    $1
    ONE R4
    MONTMUL.U32 R4, R4, R4, R5 ; $2
    MODADD.U32 R4, R5, R4, R5 ;
    EXIT ;
.end
.kernel other
    MOV R3, 0x7 ;
    MODRED.U32 R4, R3, R3 ; // fhec: ignore C060 of a kernel that does not run
    EXIT ;
.end
EOF
}
write() { source_with "$@" >"$tmp/three.sass"; }
run=(run "$tmp/three.sass" -k three --grid 1 --block 32 --check=operands)
ids() { grep -oE 'error\[C[0-9]+\]' <<<"$said" | tr '\n' ' '; }

write "" ""
fhec "three errors" 3 "" "${run[@]}"
same "their ids, by pc" "$(ids)" "error[C060] error[C061] error[C065] "

write "// fhec: ignore C060 the padding of a table" "// fhec: ignore C061 only the low bits are used"
fhec "comments suppress" 3 "fhec run: 2 findings are suppressed" "${run[@]}"
same "what is left" "$(ids)" "error[C065] "

write "// fhec: ignore C065 nothing of it here" ""
fhec "a comment that nothing needs" 3 \
    "$tmp/three.sass:9:1: warning[C900]: no C065 was found here: the suppression is not needed" \
    "${run[@]}"
same "one of a kernel that did not run is not told" "$(grep -c 'C900' <<<"$said")" 1
write "// fhec: ignore C06 what" ""
fhec "a comment with an id that is none" 2 'C901]: no finding has the id "C06"' "${run[@]}"
write "// fhec: ignore C060" ""
fhec "a comment without a reason" 2 "C901]: a suppression needs a reason" "${run[@]}"
write "" ""

cat >"$tmp/known" <<'EOF'
# what is known

C060 three.sass:10 the use of the macro
C061 kernel:thr* any
C065 other.sass not here
EOF
fhec "a file of suppressions" 3 "$tmp/known:5:1: warning[C900]" "${run[@]}" --suppress "$tmp/known"
same "what it leaves" "$(ids)" "error[C065] "
sed -i 's/other.sass/three.sass/' "$tmp/known"
fhec "all of them" 0 "3 findings are suppressed" "${run[@]}" --suppress "$tmp/known"
echo "C060" >"$tmp/bad"
fhec "a file that is not understood" 2 "$tmp/bad:1:1: error[C901]" "${run[@]}" --suppress "$tmp/bad"
fhec "--suppress without --check" 2 "--suppress needs --check" run "$tmp/three.sass" -k three --grid 1 \
    --block 32 --suppress "$tmp/known"

# ---- SARIF: the structure that the standard demands, by hand, and what is in it
sed -i '/C065/d' "$tmp/known"
fhec "--sarif" 3 "" "${run[@]}" --suppress "$tmp/known" --sarif "$tmp/log.sarif"
check "a log of SARIF 2.1.0" python3 - "$tmp" <<'EOF'
import json, sys, urllib.parse
log = json.load(open(sys.argv[1] + "/log.sarif"))
assert log["version"] == "2.1.0" and len(log["runs"]) == 1
run = log["runs"][0]
driver = run["tool"]["driver"]
assert driver["name"] == "fhec"
rules = driver["rules"]
assert len({r["id"] for r in rules}) == len(rules)
assert all(r["shortDescription"]["text"] and r["defaultConfiguration"]["level"] == "error" for r in rules)
results = run["results"]
assert [r["ruleId"] for r in results] == ["C060", "C061", "C065"]
for r in results:
    assert rules[r["ruleIndex"]]["id"] == r["ruleId"]
    assert r["level"] == "error" and r["message"]["text"] and r["occurrenceCount"] == 1
    place, = r["locations"]
    path = urllib.parse.urlparse(place["physicalLocation"]["artifactLocation"]["uri"])
    assert path.scheme == "file" and urllib.parse.unquote(path.path) == sys.argv[1] + "/three.sass"
    assert place["logicalLocations"][0]["name"] == "three"
lines = [r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in results]
assert lines == [3, 11, 12], lines
used, = results[0]["relatedLocations"]
assert used["physicalLocation"]["region"]["startLine"] == 10
assert results[0]["suppressions"] == [{"kind": "external", "justification": "the use of the macro"}]
assert "suppressions" not in results[2]
EOF
fhec "a file that cannot be written" 4 "" "${run[@]}" --sarif "$tmp/none/log.sarif"

# ---- workloads
fhec "fhec ntt --check" 0 "equal to the C reference" ntt --n 256 --map gme32 --check=operands \
    --sarif "$tmp/ntt.sarif"
check "no findings, a log all the same" python3 -c \
    'import json, sys; assert json.load(open(sys.argv[1]))["runs"][0]["results"] == []' "$tmp/ntt.sarif"
fhec "nothing to check" 2 "runs no kernel" ntt --n 256 --map golden --check
done_testing
