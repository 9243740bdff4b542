#!/bin/sh
# make bench-compare BASE=<commit>: what the benchmarks say of this tree beside an older commit. Both
# are built with the same compiler, and their programs take turns, so that both see the same machine.
# PATTERN chooses names, as for make bench.
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
for program in "${O:?}"/tests/bench/*_bench; do
    name=${program##*/}
    for side in old new; do
        build=$O
        [ "$side" = new ] || build=$rows/build
        [ -x "$build/tests/bench/$name" ] || continue
        echo "running $name, $side"
        rm -f "$rows/one"
        FHEC=$build/fhec "$build/tests/bench/$name" "$rows/one" "${PATTERN:-*}" >"$rows/log" 2>&1 ||
            tail -n 3 "$rows/log" >&2
        [ ! -e "$rows/one" ] || cat "$rows/one" >>"$rows/$side"
    done
done

# Rows are {"name": "x", "value": 1, "unit": "ms", "target": null}.
awk -F '"' -v base="$base" '
    { split($7, number, /[:,]/); value = number[2] + 0 }
    FILENAME == ARGV[1] { old[$4] = value; next }
    FNR == 1 { printf "%-44s %12s %12s %8s\n", "", substr(base, 1, 12), "this tree", "ratio" }
    { if ($4 in old && old[$4] != 0)
          printf "%-44s %12.5g %12.5g %8.3f %s\n", $4, old[$4], value, value / old[$4], $10
      else
          printf "%-44s %12s %12.5g %8s %s\n", $4, "-", value, "-", $10 }
' "$rows/old" "$rows/new"
