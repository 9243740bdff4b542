#!/bin/sh
# make bench: runs the benchmark programs one after another and joins what they measured into
# bench.json in the build folder. A program prints its table on stdout and writes its rows, JSON
# objects {name, value, unit, target}, one a line, to the file named by its argument.
set -eu

out=${O:?}/bench.json
rows=$(mktemp)
trap 'rm -f "$rows" "$rows.one"' EXIT
found=
for program in "$O"/tests/bench/*_bench; do
    [ -x "$program" ] || continue
    found=1
    rm -f "$rows.one"
    "$program" "$rows.one"
    [ ! -e "$rows.one" ] || cat "$rows.one" >>"$rows"
done
[ -n "$found" ] || { echo "there are no benchmarks in tests/bench" >&2; exit 1; }
{ echo '['; sed '$!s/$/,/' "$rows"; echo ']'; } >"$out"
echo "written to $out"
