#!/usr/bin/env bash
# coverage.sh TEST...: which lines and which handlers of the emulator these tests reach. They should
# be those with expected values of their own: vectors, programs with values written by hand, matrix
# products by golden, compiled kernels by plain C. Comparisons of the engines with each other do not
# count here. Fails when a handler of instructions (fh_exec_*, and the reference's body of every
# form) is never reached, or a file of operations falls below the threshold. $COV is the build folder
# of the mode cov.
set -u

cov=$(cd "${COV:?}" && pwd)
log=$cov/coverage.log
find "$cov" -name '*.gcda' -delete
: >"$log"
run_one() { # run_one TEST
    timeout 600 "$cov/tests/unit/$1_test" >"$cov/coverage.$1.log" 2>&1 ||
        echo "$1: FAILED, $cov/coverage.$1.log"
}
export -f run_one
export cov
printf '%s\n' "$@" | xargs -P "${J:-$(nproc)}" -n 1 bash -c 'run_one "$0"' >"$log"
cat "$log"
[ ! -s "$log" ] || exit 1

cd "$cov" || exit 2
find emu gen -name '*.gcda' -not -name 'fast_*' | while read -r file; do
    gcov -j -t -o "$(dirname "$file")" "$file" 2>/dev/null
done | python3 -c '
import collections, json, re, sys

# Per cent of the lines of each file that carries out instructions. Not 100: lack of host memory and
# observers in rare places are left to other tests. What host threads do depends on their luck, so
# the rest of the emulator is only shown.
LEAST = 90
OPERATIONS = re.compile("(atomic|barrier|constant|control|converge|float|global|lane|matrix|place|"
                        "predicates|shared|space|special|trap|warp)")

# The functions that are made from the bodies.
BODIES = re.compile("ref_.*[.]c$")

lines = collections.defaultdict(lambda: collections.defaultdict(int))
functions = collections.defaultdict(int)
for text in sys.stdin:
    for file in json.loads(text)["files"]:
        name = file["file"].split("/")[-1]
        if "/emu/" not in "/" + file["file"] and not BODIES.match(name):
            continue
        for line in file["lines"]:
            lines[name][line["line_number"]] += line["count"]
        for function in file["functions"]:
            functions[name, function["name"]] += function["execution_count"]
bad = 0
for name, counts in sorted(lines.items()):
    part = 100 * sum(n > 0 for n in counts.values()) / len(counts)
    absent = part == 0 and "_avx" in name # this host does not have it
    below = part < LEAST and not absent and OPERATIONS.match(name)
    bad += bool(below)
    print(f"{name:28} {part:6.1f} % of {len(counts):5} lines"
          + (f", below {LEAST}" if below else ", not on this host" if absent else ""))
handlers = {f: n for (name, f), n in functions.items()
            if f.startswith("fh_exec_") or (BODIES.match(name) and f.startswith("fh_ref_"))}
missing = sorted(f for f, n in handlers.items() if n == 0)
for f in missing:
    print(f"never reached: {f}")
print(f"{len(handlers) - len(missing)} of {len(handlers)} handlers reached")
sys.exit(bad > 0 or bool(missing))
'
