#!/usr/bin/env bash
# Optional libraries: a probe that asks for a header that cannot exist says no; the tool builds without
# any of them, starts, and says what is missing where it is asked for.
. "$(dirname "$0")/../tools/tap.sh"

make=("${MAKE:-make}" -s "O=$O")
hidden=$("${make[@]}" found CURSES_H=no/such.h LIBEDIT_H=no/such.h SQLITE_H=no/such.h \
    METIS_H=no/such.h LZMA_H=no/such.h | grep -v '^compiler')
same "headers that cannot exist are not found" "$(awk '{ print $2 }' <<<"$hidden" | sort -u)" no
same "each optional library is asked for" "$(awk '{ print $1 }' <<<"$hidden" | xargs)" \
    "NCURSES LIBEDIT SQLITE METIS LZMA"
probed=$(grep -rhoE 'FH_HAS_[A-Z]+' --include='*.c' --include='*.h' cli | sort -u | sed s/FH_HAS_// | xargs)
same "and each that sources ask for is probed" "$probed" "$(awk '{ print $1 }' <<<"$hidden" | sort | xargs)"

check "the tool builds without optional libraries" "${make[@]}" hidden
# shellcheck disable=SC2034 # for fhec
FHEC=$O/hidden/fhec
fhec "it prints help" 0 "Usage: fhec" --help
fhec "it runs kernels" 0 "" ntt --n 256 --seed 1
fhec "sweep's help is there without SQLite" 0 "Usage: fhec sweep" sweep --help
fhec "a sweep says what is missing" 4 "libsqlite3-dev" sweep tests/kernels/none.plan --db "$tmp/db"
fhec "the full screen says what is missing" 2 "libncurses-dev" debug --tui
fhec "METIS is named" 2 "libmetis-dev" blocks tests/kernels/none.json --features cnoc,labs
done_testing
