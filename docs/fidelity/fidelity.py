#!/usr/bin/env python3
"""Writes docs/fidelity.md: every figure of the three studies, ours beside it, the difference and
the reason. Ours come from commands that are run here; arithmetic on printed figures is done here.

    docs/fidelity/fidelity.py FHEC OUT          as `make fidelity` calls it: some minutes
    docs/fidelity/fidelity.py FHEC OUT --logn 8 the same commands on small polynomials, for tests
    ... --study fermi                           its part of the page only
"""
import argparse
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import fhecore
import fermi
import gme


class Tool:
    """Runs fhec; what it says on standard output, or as JSON."""

    def __init__(self, path, logn):
        self.path, self.logn = path, logn

    def text(self, *arguments):
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"fhec {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def json(self, *arguments):
        return json.loads(self.text(*arguments))

    def experiment(self, name):
        """Of each line of docs/timing/NAME: what is measured, the run, cycles, expected or None."""
        path = Path("docs/timing") / f"{name}.experiment"
        lines = path.read_text().splitlines()
        rows, comment = [], ""
        for said in self.text("time", "--experiment", str(path)).splitlines()[1:]:
            number = int(said.split()[0])
            comment = remark_above(lines, number) or comment
            expected = re.search(r"--cycles ([0-9.]+)", lines[number - 1])
            cycles = re.search(r": ([0-9.]+) cycles", said)
            run = re.sub(r"--cycles \S+|--kernel ", "", lines[number - 1]).split()[1:]
            rows.append((comment, " ".join(run), float(cycles[1]),
                         float(expected[1]) if expected else None))
        return rows


def remark_above(lines, number):
    """The comment that stands right above line `number`; empty if none does."""
    above = []
    for line in reversed(lines[:number - 1]):
        if not line.startswith("#"):
            break
        above.insert(0, line.lstrip("# "))
    return " ".join(above)


class Page:
    """Markdown."""

    def __init__(self):
        self.parts = []

    def add(self, text):
        self.parts.append(text)

    def heading(self, level, text):
        self.add("#" * level + " " + text)

    def table(self, heads, rows):
        lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
        lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
        self.add("\n".join(lines))

    def text(self):
        return "\n\n".join(self.parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fhec")
    parser.add_argument("out")
    parser.add_argument("--logn", type=int, default=16)
    studies = {study.__name__: study for study in (fhecore, fermi, gme)}
    parser.add_argument("--study", choices=studies, nargs="+", default=list(studies))
    options = parser.parse_args()
    tool, page = Tool(options.fhec, options.logn), Page()
    page.heading(1, "Fidelity: three studies, and what this tool makes of them")
    page.add("Made by `make fidelity` from the commands that stand above the tables; not to be "
             "edited. A difference is ours divided by theirs, less one. Times are of the model of "
             "[timing.md](timing.md).")
    if options.logn != 16:
        page.add(f"**Polynomials of 2^{options.logn} coefficients: nothing here is comparable.**")
    for name in options.study:
        studies[name].write(tool, page)
    Path(options.out).write_text(page.text())


if __name__ == "__main__":
    main()
