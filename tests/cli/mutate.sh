#!/usr/bin/env bash
# fhec mutate: which mutants a kernel's tests see, and that the place is named.
. "$(dirname "$0")/../tools/tap.sh"

# out[i] = 3 a[i] + 7 for i < n; what is stored beyond is nobody's business.
cat >"$tmp/k.sass" <<'END'
.target sm_80
.kernel triple
.param a, 8
.param out, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, a ;
    IMAD.WIDE.U32 R6, R0, R1, out ;
    LDG.E R4, [R2.64] ;
    IMAD R5, R4, 0x3, RZ ;
    IADD3 R5, R5, 0x7, RZ ;
    STG.E [R6.64], R5 ;
    EXIT ;
.end
END
lines() { printf '%s\n' "$@" >"$tmp/k.test"; }
echo 'triple = lambda a: [(3 * x + 7) % 2**32 for x in a]' >"$tmp/own.py"
lines "case sees grid 1 block 64" "in a u32[64] random seed 3" "out out u32[64]" "expect out reference own.py triple a"
fhec "good tests" 0 "(--seed 1)" mutate --limit 1000 "$tmp/k.test"
score() { grep -oE '[0-9]+ survived' <<<"$said" | cut -d' ' -f1; }
few=$(score)
[ "$few" -le 8 ] && ok "few mutants survive them" || not_ok "few mutants survive them" "$said"
# All elements are equal, and one is compared with itself: 3 * 0 + 7.
lines "case blind grid 1 block 64" "in a u32[64] zeros" "out out u32[64]" \
    "expect out values $(printf '7,%.0s' {1..63})7"
fhec "bad tests" 0 "IMAD R5, R4, 0x3, RZ ;" mutate --limit 1000 "$tmp/k.test"
[ "$(score)" -gt "$few" ] && ok "more mutants survive them" || not_ok "more mutants survive them" "$said"
same "a factor of zero is not seen" "$(grep -c '^  + IMAD R5, R4, 0x[247], RZ ;' <<<"$said")" 3
lines "case sees grid 1 block 64" "in a u32[64] random seed 3" "out out u32[64]" "expect out reference own.py triple a"
count=15
[ -z "${FHEC_TEST_LONG:-}" ] || count=40
"$FHEC" mutate --limit "$count" --seed 5 --format=json -j 1 "$tmp/k.test" >"$tmp/one" 2>/dev/null
"$FHEC" mutate --limit "$count" --seed 5 --format=json -j 3 "$tmp/k.test" >"$tmp/three" 2>/dev/null
same "the seed decides, whatever the number of jobs is" "$(cat "$tmp/three")" "$(cat "$tmp/one")"
check "the numbers are those of the mutants" python3 - "$tmp/one" "$count" <<'END'
import json, sys
*mutants, last = [json.loads(line) for line in open(sys.argv[1])]
assert last["mutants"] == len(mutants) == int(sys.argv[2])
assert last["detected"] == sum(m["verdict"] == "detected" for m in mutants)
assert last["named"] == sum(m["named"] for m in mutants) and last["seed"] == 5
assert last["directly"] == sum(m.get("directly", False) for m in mutants)
for n in range(5):
    assert last["suspects"][n] == sum(m.get("directly", False) or 1 <= m.get("suspect", 0) <= n + 1
                                      for m in mutants)
assert all(m["kernel"] == "triple" and ":" in m["at"] and m["before"] != m["after"] for m in mutants)
assert len({(m["pc"], m["after"]) for m in mutants}) == len(mutants)
END
"$FHEC" mutate --limit 1000 --format=json "$tmp/k.test" >"$tmp/all" 2>/dev/null
check "what is deleted, doubled and changed is seen, and where" python3 - "$tmp/all" <<'END'
import json, sys
*mutants, last = [json.loads(line) for line in open(sys.argv[1])]
def verdict(pc, after):
    [m] = [m for m in mutants if m["pc"] == pc and m["after"] == after]
    return m["verdict"], m["named"]
assert verdict(0x60, "twice")[0] == "detected"
assert verdict(0x60, "IADD3 R5, R5, 0x8, RZ ;")[0] == "detected"
assert verdict(0x70, "NOP ;")[0] == "detected"
assert verdict(0x70, "STG.E [R6.64], R4 ;") == ("detected", True)
assert {m["edit"] for m in mutants} >= {"deleted", "doubled", "register", "immediate", "modifier"}
END
lines "case wrong grid 1 block 64" "in a u32[64] ramp" "out out u32[64]" "expect out values $(printf '7,%.0s' {1..63})7"
fhec "a case that fails" 1 "the run fails without a mutant: nothing can be concluded" mutate "$tmp/k.test"
fhec "a workload" 0 "20 mutants (--seed 2):" mutate --limit 20 --seed 2 --check=none eltwise add --n 64 --q 7681
fhec "one kernel of it" 2 "there is nothing that can be mutated" mutate --kernel absent --check=none eltwise add --n 64 --q 7681
fhec "nothing to run" 2 "which PATH, or which command?" mutate
done_testing
