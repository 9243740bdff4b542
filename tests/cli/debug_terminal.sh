#!/usr/bin/env bash
# fhec debug at a terminal, keys in and text out: history, completion, Ctrl-C, kinds and sizes of
# terminals, and windows that are closed.
. "$(dirname "$0")/../tools/tap.sh"

# Whether libedit and ncurses were there when it was built: their archives or libraries.
built=()
grep -qa 'fhec-drop' "$FHEC" && built+=(edits)
grep -qa 'built without ncurses' "$FHEC" || built+=(screen)
unset NO_COLOR
# libedit does not free the names of functions that are added to it, nor ncurses what it has made for
# a terminal that it does not know.
printf 'leak:%s\n' wcsdup new_prescr >"$tmp/leaks"
export LSAN_OPTIONS=suppressions=$tmp/leaks:print_suppressions=0
mkdir "$tmp/k"
python3 tests/tools/debug_terminal.py "$(cd "$(dirname "$FHEC")" && pwd)/$(basename "$FHEC")" "$tmp/k" \
    "${built[@]}" >"$tmp/tap" 2>&1
status=$?
while IFS= read -r line; do
    case $line in
        "ok "*) ok "${line#ok * - }" ;;
        "not ok "*) not_ok "${line#not ok * - }" ;;
        1..*) ;;
        *) echo "# ${line#\# }" ;;
    esac
done <"$tmp/tap"
same "all of it was tried" "$status" 0
done_testing
