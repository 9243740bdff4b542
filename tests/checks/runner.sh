#!/usr/bin/env bash
# tests/run itself, in a small repository of its own whose tests are known: several patterns, what
# counts as failed, and files that a test leaves behind.
. "$(dirname "$0")/../tools/tap.sh"

repository=$tmp/repository
mkdir -p "$repository/tests/checks"
cp tests/run "$repository/tests/run"
mkdir -p "$repository/tests/tools"
cp tests/tools/path.sh tests/tools/deps.sh "$repository/tests/tools"
put() { printf '#!/bin/sh\n%s\n' "$2" >"$repository/tests/checks/$1.sh"; }
put good 'echo "ok 1 - good"; echo "ok 2 - better"; echo 1..2'
put other 'echo "ok 1 - other"; echo 1..1'
put wrong 'echo "ok 1 - right"; echo "not ok 2 - wrong"; echo 1..2'
put short 'echo "ok 1 - the second one is missing"; echo 1..2'
put litter 'echo data >"$PWD/left by litter"; echo data >tests/ignored.tmp
    echo "ok 1 - litter"; echo 1..1'
echo '*.tmp' >"$repository/.gitignore"

# run PATTERN...: what the runner says, in $said, and its exit status, in $status. Nothing is built.
run() {
    said=$(unset FHEC_COVERAGE; O=$tmp/out MAKE=true bash "$repository/tests/run" "$@" 2>&1)
    status=$?
}
last() { tail -n 1 <<<"$said"; }

run check/good
same "one pattern" "$status $(last)" "0 3 passed, 0 failed"
run 'check/g*' check/other
same "two patterns" "$status $(last)" "0 4 passed, 0 failed"
check "the second one runs" grep -q '^ok *check/other' <<<"$said"
run check/good check/wrong
same "a failure" "$status $(last)" "1 4 passed, 1 failed"
run check/short
same "a result that is missing" "$status $(last)" "1 2 passed, 1 failed"
run 'unit/none*' absent
same "no test" "$status $(last)" "1 0 passed, 1 failed"
check "its patterns are named" grep -qF "no test matches 'unit/none* absent'" <<<"$said"

# Lists: what a run without patterns leaves out, and who hears of FHEC_TEST_LONG.
rm "$repository"/tests/checks/{wrong,short,litter}.sh
put other 'echo "ok 1 - other ${FHEC_TEST_LONG-short}"; echo 1..1'
put good 'echo "ok 1 - good ${FHEC_TEST_LONG-short}"; echo 1..1'
printf '%s\n' 'check/* # all' '!check/good' '*asan/*' 'fuzz/*' >"$repository/tests/later"
printf '%s\n' 'check/other  # more' >"$repository/tests/long"
run
same "without patterns" "$status $(last) $(grep -h ^ok "$tmp/out/test-log"/check*.tap)" \
    "0 2 passed, 0 failed ok 1 - good short"
run 'check/*'
same "a pattern for all" "$status $(last)" "0 3 passed, 0 failed"
FHEC_TEST_LONG=1 run 'check/*'
same "the long ones" "$status $(grep -h ^ok "$tmp/out/test-log"/check*.tap | paste -sd' ')" \
    "0 ok 1 - good short ok 1 - other 1"
rm "$repository"/tests/{later,long}
put litter 'echo data >"$PWD/left by litter"; echo data >tests/ignored.tmp
    echo "ok 1 - litter"; echo 1..1'

if git -C "$repository" init -q 2>/dev/null; then
    run check/litter check/good
    same "a file that is left" "$status $(last)" "1 3 passed, 1 failed"
    check "it is named" grep -qF '# left by litter' <<<"$said"
    check "one that is ignored is not" eval '! grep -qF ignored.tmp <<<"$said"'
    run check/litter check/good
    same "one that was there before" "$status $(last)" "0 3 passed, 0 failed"
else
    skip "a file that is left" "git is not here"
fi
done_testing
