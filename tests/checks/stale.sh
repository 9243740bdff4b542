#!/usr/bin/env bash
# What is built follows its headers, whichever way the build folder is written: make without a change
# compiles nothing, and after a change of a header every file that includes it. Nothing is built here:
# `make -n` says what it would do, and -W makes a file look new.
. "$(dirname "$0")/../tools/tap.sh"

folder=$(cd "$O" && pwd)
# would_compile FOLDER [-W FILE]: the sources that make would compile, sorted.
would_compile() {
    local folder=$1
    shift
    "${MAKE:-make}" -n "$@" "O=$folder" all | sed -n 's/.* -c -o .* \([^ ]*\.c\)$/\1/p' | sort -u
}

including=$(grep -l '"job.h"' cli/*/*.c | sort -u)
stale() { # stale HOW FOLDER
    same "nothing to do, $1" "$(would_compile "$2")" ""
    same "a changed header is noticed, $1" \
        "$(comm -12 <(would_compile "$2" -W cli/run/job.h) <(echo "$including"))" "$including"
}
stale "absolute path" "$folder"
stale "relative path" "$(realpath --relative-to=. "$folder")"
stale "a detour" "$folder/../$(basename "$folder")"
done_testing
