#!/bin/sh
# isa_test.sh TEST...: runs these unit tests of the build folder $O one after another, all of them,
# and tells what failed. VECTORS: files of instruction vectors for vectors_test.
bad=0
for test in "$@"; do
    log=$O/tests/$test.log
    if CMOCKA_MESSAGE_OUTPUT=TAP FHEC_TEST_SECONDS=${FHEC_TEST_SECONDS:-4} \
        "$O/tests/unit/${test}_test" >"$log" 2>&1; then
        echo "  ok    $test"
    else
        echo "  FAIL  $test: $log says"
        grep -E '^(not ok|# |ERROR: )' "$log" | grep -v '^# ok' | head -n 60 | sed 's/^/        /'
        bad=1
    fi
done
exit $bad
