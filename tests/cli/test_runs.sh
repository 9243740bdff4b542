#!/usr/bin/env bash
# fhec test: how cases are chosen, run side by side, limited and reported, and references of the
# user's own.
. "$(dirname "$0")/../tools/tap.sh"

# out[i] = a[i] + b[i], 64 threads; a kernel that never ends; one that stores, then faults.
cat >"$tmp/k.sass" <<'EOF'
.target sm_80
.kernel add
.param a, 8
.param b, 8
.param out, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R4, R0, R1, a ;
    IMAD.WIDE.U32 R6, R0, R1, b ;
    LDG.E R4, [R4.64] ;
    LDG.E R6, [R6.64] ;
    IMAD.WIDE.U32 R8, R0, R1, out ;
    IADD3 R4, R4, R6, RZ ;
    STG.E [R8.64], R4 ;
    EXIT ;
.end
.kernel endless
.param out, 8
again:
    IADD3 R1, R1, 0x1, RZ ;
    BRA again ;
.end
.kernel store_and_fault
.param out, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, out ;
    IADD3 R4, R0, 0x7, RZ ;
    STG.E [R2.64], R4 ;
    STG.E [R2.64+0x1], R4 ;
    EXIT ;
.end
EOF
lines() { printf '%s\n' "$@" >"$tmp/k.test"; }
add=("in a u32[4] values 1,2,3,4" "in b u32[4] values 10,20,30,4294967295" "out out u32[4]")
one() { # one NAME EXPECTATION...: a case of the first kernel
    echo "case $1 kernel add grid 1 block 4"
    printf '%s\n' "${add[@]}" "${@:2}"
}
t() { fhec "$1" "$2" "$3" test "${@:4}" "$tmp/k.sass"; }

# ---- words
while IFS='|' read -r name wanted line; do
    lines "case x kernel add grid 1 block 4" "in a u32[4] random below 7 seed 3" "${add[@]:1}" \
        "$line" "expect out values 1,2,3,4"
    t "$name" 2 "k.test:5: $wanted"
done <<'EOF'
bellow|unknown word "bellow"; did you mean "below"?|in c u32[4] random bellow 7
sede|unknown word "sede"; did you mean "seed"?|in c u32[4] random below 7 sede 3
hashh|unknown word "hashh"; did you mean "hash"?|expect out golden add a b mod 7 hashh 00
seed of a ramp|unknown word "seed"|in c u32[4] ramp seed 3
a word without its value|below: which?|in c u32[4] random below
twice|below is given twice|in c u32[4] random below 7 below 8
zeros with more|"seed" is one word too many|in c u32[4] zeros seed 4
values with more|"5" is one word too many|in c u32[4] values 1,2,3,4 5
another source|unknown source of data "randon"; did you mean "random"?|in c u32[4] randon
no source|in c needs a source of data|in c u32[4]
the same name|buffer out is there already|out out u32[4]
fault nonsense|unknown kind of fault "nonsense"|fault nonsense
fault, misspelt|unknown kind of fault "misalinged address"; did you mean "misaligned address"?|fault misalinged address
another function|unknown reference function "matmull"; did you mean "matmul"?|expect out golden matmull a b
a key of another function|unknown word "psi"|expect out golden add a b mod 7 psi 3
another kind|unknown kind of expectation "goldne"; did you mean "golden"?|expect out goldne add a b
another buffer|unknown buffer "outt"; did you mean "out"?|expect outt values 1,2,3,4
a short hash|a hash has 32 hexadecimal digits, not "00"|expect out hash 00
another line|unknown word "expcet"; did you mean "expect"?|expcet out values 1
EOF
lines "case x kernel add gird 1 block 4" "${add[@]}" "expect out values 1,2,3,4"
t "gird" 2 'k.test:1: unknown word "gird"; did you mean "grid"?'
lines "$(one x "expect out values 11,22,33,3")" "$(one x "expect out values 11,22,33,3")"
t "two cases of one name" 2 "k.test:6: a case called x is there already"

# ---- choosing
lines "$(one small.a "expect out values 11,22,33,3")" "$(one small.b "expect out golden add a b mod 0x100000000")" \
    "$(one large "expect out values 11,22,34,3")"
t "all of them" 1 "ok     $tmp/k.sass: small.a
ok     $tmp/k.sass: small.b
k.test:15: out differs in 1 of 4 elements, first in element 2
FAILED $tmp/k.sass: large
2 passed, 1 failed"
t "by pattern" 0 "ok     $tmp/k.sass: small.a
2 passed, 0 failed" --case 'small.*'
t "by name" 1 "0 passed, 1 failed" --case large
t "by two names" 1 "1 passed, 1 failed" --case large --case small.b
t "no such name" 2 "no case has such a name" --case tiny
t "list" 0 "$tmp/k.sass: small.a
$tmp/k.sass: small.b
$tmp/k.sass: large" --list
same "nothing else is listed" "$(wc -l <<<"$said")" 3
for jobs in 1 2 7; do
    "$FHEC" test -j "$jobs" "$tmp/k.sass" 2>&1 | sed 's/ ([0-9]* ms)//' >"$tmp/said.$jobs"
done
same "2 jobs say what one does" "$(cat "$tmp/said.2")" "$(cat "$tmp/said.1")"
same "7 jobs say what one does" "$(cat "$tmp/said.7")" "$(cat "$tmp/said.1")"
fhec "the .test stands for its program" 1 "2 passed, 1 failed" test "$tmp/k.test"

# ---- reports
"$FHEC" test --format=json --junit "$tmp/junit.xml" "$tmp/k.sass" >"$tmp/json" 2>"$tmp/errors"
same "JSON and JUnit: exit status" $? 1
check "JSON and JUnit say which case, buffer, index and values" python3 - "$tmp" <<'EOF'
import json, sys
import xml.etree.ElementTree as tree
tmp = sys.argv[1]
*cases, last = [json.loads(line) for line in open(f"{tmp}/json")]
assert [(c["case"], c["verdict"]) for c in cases] == [("small.a", "ok"), ("small.b", "ok"), ("large", "failed")]
assert last == {"passed": 2, "failed": 1, "machine": "--seed-machine 1"}
[difference] = cases[2]["differences"]
assert difference["buffer"] == "out" and difference["line"] == 15 and difference["elements"] == 4
assert difference["differing"] == 1 and difference["first"] == [{"index": 2, "got": 33, "expected": 34}]
assert "differs in 1 of 4" in cases[2]["messages"][0]["message"], cases[2]
assert not open(f"{tmp}/errors").read()
suite = tree.parse(f"{tmp}/junit.xml").getroot()
assert suite.tag == "testsuite" and suite.get("tests") == "3" and suite.get("failures") == "1"
assert [c.get("name") for c in suite] == ["small.a", "small.b", "large"]
assert "differs in 1 of 4" in suite[2].find("failure").text and suite[0].find("failure") is None
EOF
t "TAP" 1 "1..3
ok 1 - $tmp/k.sass: small.a
not ok 3 - $tmp/k.sass: large
# fhec test: error: $tmp/k.test:15: out differs in 1 of 4" --format=tap
lines "case wide kernel add grid 1 block 2" "in a u32[2] ramp" \
    "in b u32[2] ramp" "inout out u64[2] values 18446744073709551615,0x8000000000000000" \
    "expect out values 0,0"
"$FHEC" test --format=json "$tmp/k.sass" >"$tmp/json" 2>&1
check "numbers above 2^63 are text" grep -q '"index":1,"got":"9223372036854775808","expected":0' "$tmp/json"
lines "$(one x "expect out values 11,22,33,3")"
t "statistics" 0 "ok     $tmp/k.sass: x
10 warp instructions, 40 thread instructions, 1 launch" --stats
"$FHEC" test --format=json --stats=json "$tmp/k.sass" >"$tmp/json"
check "statistics in JSON" python3 -c 'import json, sys
assert json.loads(open(sys.argv[1]).readline())["stats"]["opcodes"]["STG.E"]["thread"] == 4' "$tmp/json"

# ---- faults and limits
kernel="kernel store_and_fault grid 1 block 2"
lines "case x $kernel" "out out u32[2]" "fault misaligned address" "expect out values 7,8"
t "a fault, and what was stored before it" 0 "1 passed"
lines "case x $kernel" "out out u32[2]" "fault misaligned address" "expect out values 7,9"
t "a fault, and a wrong expectation" 1 "k.test:4: out differs in 1 of 2 elements, first in element 1"
lines "case x kernel endless grid 1 block 32" "out out u32[1]" "fault step limit"
t "the step limit of the options" 0 "1 passed" --max-steps 5000
t "the time limit" 1 "k.test:1: the time limit is over (--timeout)
block (0,0,0), warp 0, lanes 0xffffffff at 0x00
FAILED $tmp/k.sass: x" --timeout 1 --max-steps 1000000000000
t "a limit without options" 0 "1 passed"

# ---- files
mkdir "$tmp/orphans"
cp "$tmp/k.test" "$tmp/orphans/lost.test"
fhec "a .test without its program, in a folder" 2 "lost.test has no .sass or .cubin of its name beside it" test "$tmp/orphans"
fhec "and by name" 2 "lost.test has no .sass or .cubin of its name beside it" test "$tmp/orphans/lost.test"
"$FHEC" as "$tmp/k.sass" -o "$tmp/orphans/lost.cubin"
lines "$(one x "expect out values 11,22,33,3")"
cp "$tmp/k.test" "$tmp/orphans/lost.test"
fhec "an object with a .test" 0 "ok     $tmp/orphans/lost.cubin: x" test "$tmp/orphans"
sed 's/    IADD3 R4, R4, R6, RZ ;/    [B------:R-:W-:-:S01] IADD3 R4, R4, R6, RZ ;/' "$tmp/k.sass" >"$tmp/early.sass"
cp "$tmp/k.test" "$tmp/early.test"
fhec "lint with the cases" 3 "FOUND  $tmp/early.sass: lint
ok     $tmp/early.sass: x
1 passed, 1 failed" test --lint "$tmp/early.sass"
t "lint without findings" 0 "ok     $tmp/k.sass: lint
2 passed, 0 failed" --lint

# ---- products without an accumulator: 2 x 3 by 3 x 2
in=("in a u32[6] values 1,2,3,4,5,6" "in b u32[6] values 7,8,9,10,11,12")
product() { lines "case x kernel add grid 1 block 1" "inout out u32[4] values 8,64,139,154" "${in[@]}" "$@"; }
product "expect out golden matmul a b shape 2,2,3 mod 1000"
t "a product without an accumulator" 1 "out differs in 1 of 4 elements, first in element 0: it is 0x8 (8), expected 0x3a (58)"
product "expect out golden matmul a b b shape 2,2,3 mod 1000"
t "an accumulator of another shape" 2 "the shape does not fit the buffers"
product "expect out golden matmul a b shape 2,2,3 mod 0x100000005"
t "a modulus above 2^32" 2 "a modulus lies from 1 to 2^32 - 1"

# ---- references of one's own
cat >"$tmp/own.py" <<'EOF'
def add(a, b, more=0):
    print("noise")
    return [(x + y + more) % 2**32 for x, y in zip(a, b)]
def short(a, b): return a[:2]
def negative(a, b): return [-1] * 4
def broken(a, b): raise ValueError("cannot")
EOF
py() { lines "$(one x "expect out reference own.py $1")"; }
py "add a b" && t "Python" 0 "1 passed"
py "add a b 0" && t "Python, with a number" 0 "1 passed"
py "add a b 1" && t "Python, another result" 1 "out differs in 4 of 4 elements"
py "add a b hash $(printf '0%.0s' {1..32})" &&
    t "a pinned hash of it" 1 "the reference's result has the hash"
py "short a b" && t "Python: too few" 2 "short returned 2 elements, not 4"
py "negative a b" && t "Python: not in the type" 2 "negative returned -1 as element 0: no u32"
py "broken a b" && t "Python: an exception" 2 "ValueError: cannot
k.test:5: broken of $tmp/own.py failed"
py "none a b" && t "Python: no such function" 2 "has no function none"
py "add a bb" && t "Python: no such buffer" 2 'unknown buffer "bb"'
py "add a b" && t "another interpreter" 2 "k.test:5: cannot start no-such-python" --python no-such-python
lines "$(one x "expect out reference absent.py add a b")"
t "no such file" 2 "cannot read $tmp/absent.py"
lines "$(one x "expect out reference own.c add a b")"
t "neither" 2 "a reference is a file .so or .py, not own.c"
cat >"$tmp/own.c" <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <fhec_reference.h>
fhec_reference_fn add, fails, ends;
int add(const fhec_reference *call) {
    const uint32_t *a = call->arguments[0].data, *b = call->arguments[1].data;
    const uint64_t *more = call->arguments[2].data;
    for (size_t i = 0; i < call->count; i++)
        ((uint32_t *)call->result)[i] = a[i] + b[i] + (uint32_t)*more;
    return call->argument_count == 3 && call->width == 4 && call->arguments[2].width == 8 ? 0 : 9;
}
int fails(const fhec_reference *call) {
    snprintf(call->message, call->message_size, "no data for %s", call->arguments[0].name);
    return 3;
}
int ends(const fhec_reference *call) { (void)call; abort(); }
EOF
if ${CC:-cc} -shared -fPIC -Iinclude -o "$tmp/own.so" "$tmp/own.c" 2>"$tmp/said"; then
    so() { lines "$(one x "expect out reference own.so $1")"; }
    so "add a b 0" && t "a shared object" 0 "1 passed"
    so "add a b 5" && t "another result" 1 "expected 0x10 (16)"
    so "fails b" && t "it fails" 2 "k.test:5: fails failed with 3: no data for b"
    so "none a" && t "no such function" 2 "undefined symbol: none"
    so "ends a" && t "it ends the process" 2 "the process of the case ended by signal 6"
else
    skip "a shared object" "no C compiler"
fi
done_testing
