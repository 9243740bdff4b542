#!/usr/bin/env bash
# Every C file is as the pinned clang-format (14) leaves it.
. "$(dirname "$0")/../tools/tap.sh"

if command -v clang-format-14 >/dev/null 2>&1 || clang-format --version 2>/dev/null | grep -q ' 14\.'
then
    bad=$("${MAKE:-make}" -s -k fmt-check 2>&1 | sed -n 's/^\([^ ]*\):[0-9]*:[0-9]*: error.*/\1/p' | sort -u)
    same "clang-format leaves every file alone (make fmt)" "$bad" ""
else
    skip "clang-format" "version 14 is not here"
fi
done_testing
