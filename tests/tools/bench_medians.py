#!/usr/bin/env python3
"""bench_medians.py BASE OLD NEW: the rows of benchmarks of two commits side by side. Each file has a
JSON object a line, and a row as often as it was run: medians are shown, and their ratio."""
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
    return {name: statistics.median(v) for name, v in values.items()}, units


base, old_path, new_path = sys.argv[1:]
old, _ = rows_of(old_path)
new, units = rows_of(new_path)
print(f"{'':44} {base[:12]:>12} {'this tree':>12} {'ratio':>8}")
for name, value in new.items():
    if old.get(name):
        print(f"{name:44} {old[name]:12.5g} {value:12.5g} {value / old[name]:8.3f} {units[name]}")
    else:
        print(f"{name:44} {'-':>12} {value:12.5g} {'-':>8} {units[name]}")
