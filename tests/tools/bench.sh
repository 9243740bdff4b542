#!/bin/sh
# make bench: runs the benchmark programs one after another and joins what they measured into
# bench.json in the build folder. A program prints its table on stdout and writes its rows, JSON
# objects {name, value, unit, target}, one a line, to the file named by its first argument; the
# second is a pattern of names, PATTERN of the environment.
set -eu

FHEC=${O:?}/fhec
export FHEC
out=$O/bench.json
rows=$(mktemp)
trap 'rm -f "$rows" "$rows.one"' EXIT

model=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
load=$(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || echo '?')
echo "machine   ${model:-$(uname -m)}, $(nproc 2>/dev/null || echo '?') cores, load $load"
echo "compiler  $(${CC:-cc} --version | head -n 1)"
echo "figures   median, then quartiles and number of runs"
echo
found=
for program in "$O"/tests/bench/*_bench; do
    [ -x "$program" ] || continue
    found=1
    rm -f "$rows.one"
    "$program" "$rows.one" "${PATTERN:-*}"
    [ ! -e "$rows.one" ] || cat "$rows.one" >>"$rows"
done
[ -n "$found" ] || { echo "there are no benchmarks in tests/bench" >&2; exit 1; }
{ echo '['; sed '$!s/$/,/' "$rows"; echo ']'; } >"$out"
echo "written to $out"
