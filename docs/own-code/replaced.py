#!/usr/bin/env python3
"""What FHEC can have replaced in the paper's counts: FIDESlib's own shares, and a reading of them.

    fhec cuda --stats=json --report 11.json -- out/primitives --limbs 11
    fhec cuda --stats=json --report 12.json -- out/primitives --limbs 12 --ops rotate
    docs/own-code/replaced.py 11.json 12.json

Of each primitive the warp instructions of transforms, base conversions and the rest, how many limb
transforms there are and how many limb products the conversions have (input limbs x output limbs).
The reading: FHEC saves the same number of instructions in each transform of a limb, whatever is
fused to it, and the same in each limb product. The first is what Rescale loses, which has nothing
but transforms; the second is fitted to HEMult and Rotate together.
"""
import json
import re
import sys

PAPER = {"Rescale": (29974528, 13278720), "Rotate": (146941952, 57383936),
         "HEMult": (139449088, 57604096)}
DIGIT = SPECIAL = 4  # limbs, of a chain of 11 or 12 in three digits


def launches(report, name):
    """(kernel, grid, warp instructions) of the launches in the range of that name."""
    inside = set()

    def walk(ranges, within):
        for r in ranges:
            here = within or r["range"] == name
            if here:
                inside.add(r["number"])
            walk(r["ranges"], here)
    walk(report["ranges"], False)
    shown = {k["kernel"]: k["shown"] for k in report["kernels"]}
    return [(shown[x["kernel"]], x["grid"], x["warp_insts"]) for x in report["launches"]
            if x.get("range") in inside]


def shares(report, name, limbs):
    counts = {"transforms": 0, "conversions": 0, "rest": 0}
    halves = products = 0
    raised = 0  # digits that have been converted
    for kernel, grid, warp in launches(report, name):
        if re.search(r"\bI?NTT_<", kernel):
            counts["transforms"] += warp
            halves += grid[1]
        elif "DecompAndModUpConv" in kernel:
            digit = min(DIGIT, limbs - DIGIT * raised)
            raised += 1
            counts["conversions"] += warp
            products += digit * (limbs + SPECIAL - digit)
        elif "ModDown2" in kernel:
            counts["conversions"] += warp
            products += SPECIAL * limbs
        else:
            counts["rest"] += warp
    return counts, halves // 2, products


def main():
    with open(sys.argv[1], encoding="utf-8") as eleven, \
            open(sys.argv[2], encoding="utf-8") as twelve:
        reports = {11: json.load(eleven), 12: json.load(twelve)}
    rows = {}
    for name, limbs in ("Rescale", 11), ("HEMult", 11), ("Rotate", 12):
        rows[name] = shares(reports[limbs], name, limbs)
        counts, transforms, products = rows[name]
        print(f"{name}, {limbs} limbs: {sum(counts.values()):,}: "
              + ", ".join(f"{k} {v:,}" for k, v in counts.items())
              + f"; {transforms} limb transforms, {products} limb products")
    saved = {name: base - fhec for name, (base, fhec) in PAPER.items()}
    transform = saved["Rescale"] / rows["Rescale"][1]
    left = sum(saved[n] - transform * rows[n][1] for n in ("HEMult", "Rotate"))
    product = left / sum(rows[n][2] for n in ("HEMult", "Rotate"))
    print(f"saved by the paper's counts: {transform:,.0f} in a limb transform, "
          f"{product:,.0f} in a limb product")
    for name, (base, fhec) in PAPER.items():
        reading = base - transform * rows[name][1] - product * rows[name][2]
        print(f"{name} with FHEC by this reading: {reading:,.0f}, published {fhec:,}: "
              f"{100 * (reading / fhec - 1):+.2f} %")


if __name__ == "__main__":
    main()
