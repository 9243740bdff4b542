#!/bin/sh
# make bench-compare BASE=<commit>: what the benchmarks say of this tree beside an older commit. Both
# are built with the same compiler, and their programs take turns, so that both see the same machine.
# PATTERN chooses names, as for make bench; of RUNS runs (1) the medians are shown, and between which
# ratios the middle half of the pairs lie. Each pair has its blocks of memory in other places
# (tests/bench/placement.c).
set -eu

base=${BASE:-}
[ -n "$base" ] || { echo "usage: make bench-compare BASE=<commit>" >&2; exit 2; }
commit=$(git rev-parse --verify --quiet "$base^{commit}") ||
    { echo "$base is no commit" >&2; exit 2; }
rows=$(mktemp -d)
tree=$rows/tree
trap 'git worktree remove --force "$tree" 2>/dev/null; rm -rf "$rows"' EXIT
trap 'exit 1' INT TERM

git worktree add --quiet --detach "$tree" "$commit"
echo "building $base"
(cd "$tree" && ${MAKE:-make} O="$rows/build" all benches >"$rows/log" 2>&1) ||
    { tail -n 20 "$rows/log" >&2; exit 1; }

: >"$rows/old"
: >"$rows/new"
run() { # run PROGRAM SIDE
    build=$O
    [ "$2" = new ] || build=$rows/build
    [ -x "$build/tests/bench/$1" ] || return 0
    echo "running $1, $2"
    rm -f "$rows/one"
    FHEC=$build/fhec PLACEMENT=$left LD_PRELOAD=$preload "$build/tests/bench/$1" "$rows/one" "${PATTERN:-*}" >"$rows/log" 2>&1 ||
        tail -n 3 "$rows/log" >&2
    [ ! -e "$rows/one" ] || cat "$rows/one" >>"$rows/$2"
}
preload=$O/tests/bench/placement.so
[ -e "$preload" ] && preload=$(realpath "$preload") || preload=
left=${RUNS:-1}
while [ "$left" -gt 0 ]; do
    for program in "${O:?}"/tests/bench/*_bench; do
        run "${program##*/}" old
        run "${program##*/}" new
    done
    left=$((left - 1))
done

# Rows are {"name": "x", "value": 1, "unit": "ms", "target": null}.
python3 tests/tools/bench_medians.py "$base" "$rows/old" "$rows/new"
