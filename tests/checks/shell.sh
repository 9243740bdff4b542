#!/usr/bin/env bash
# Every shell script goes through 
. "$(dirname "$0")/../tools/tap.sh"

if command -v shellcheck >/dev/null 2>&1; then
    for script in tests/run .ci/run tests/*/*.sh cli/completions/fhec.bash; do
        [ -e "$script" ] || continue
        check "shellcheck $script" shellcheck -x -s bash -e SC1091,SC2001,SC2015,SC2016,SC2046,SC2154 "$script"
    done
else
    skip "shellcheck" "not installed"
fi
done_testing
