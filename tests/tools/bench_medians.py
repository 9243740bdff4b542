#!/usr/bin/env python3
"""bench_medians.py BASE OLD NEW: the rows of benchmarks of two commits side by side. Each file has
a JSON object a line, and a row as often as it was run: medians are shown, their ratio, and, of four
runs and more, the quartiles of the ratios of run i to run i."""
import collections
import json
import statistics
import sys


def rows_of(path):
    values, units = collections.defaultdict(list), {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line.strip().rstrip(","))
            values[row["name"]].append(row["value"])
            units[row["name"]] = row["unit"]
    return values, units


def spread(before, after):
    """Between which ratios the middle half of the pairs lie, as text."""
    if min(len(before), len(after)) < 4 or 0 in before:
        return ""
    low, _, high = statistics.quantiles([b / a for a, b in zip(before, after)], n=4)
    return f"  {low:.3f} .. {high:.3f}"


base, old_path, new_path = sys.argv[1:]
old, _ = rows_of(old_path)
new, units = rows_of(new_path)
print(f"{'':44} {base[:12]:>12} {'this tree':>12} {'ratio':>8}")
for name, values in new.items():
    value, was = statistics.median(values), statistics.median(old.get(name, [0]))
    if was:
        print(f"{name:44} {was:12.5g} {value:12.5g} {value / was:8.3f} {units[name]:4}"
              + spread(old[name], values))
    else:
        print(f"{name:44} {'-':>12} {value:12.5g} {'-':>8} {units[name]}")
