#!/usr/bin/env python3
"""One-edit mutants of C sources: which of them does no test notice?

    tests/tools/mutants.py FOLDER... [--count 100] [--seed 1] [--jobs 2] [--limit 60]
                           [--only TEXT]... [--tests "NAME..."] [--log FILE] [--list]

A mutant differs from the source in one place: an operator, a number, a condition, a statement that
is left out. It is compiled with the source's own flags, linked in front of the libraries that
`make all tests` has built in $O (default build/rel), and the tests nearest to its folder run, the
quickest first, until one fails. Whoever survives is compiled once more with the sanitizers, where
`make asan-tests` has built the unit tests ($ASAN, default build/asan): an access behind an array is
a failure there. What the compiler makes the same code of is no mutant; how much memory is reserved
or released, what a hash says (where a search begins), and how far from 0 the result of a comparison
for qsort is, is not edited. Survivors are printed with their edit; a mutant that changes nothing
that can be seen is listed, with its reason, in tests/tools/mutants.equivalent.

Exit status: 0 if at least nine of ten die, else 1.
"""
import argparse
import collections
import concurrent.futures
import functools
import glob
import hashlib
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

# Tests of a folder, beside those that include one of its headers: globs of tests/run's names.
NEAREST = {
    "asm": "unit/asm_* unit/source_chain_test unit/editor_test unit/value_contract_test"
           " unit/lint_filled_test unit/emu_address_test"
           " cli/as cli/fmt cli/types cli/patch cli/listing",
    "base": "unit/base_* unit/asm_diag_test unit/asm_explain_test unit/number_test cli/types",
    "program": "unit/object* unit/asm_roundtrip_test unit/machine_patch_test"
               " unit/asm_outcome_test unit/asm_expectation_test unit/program_queries_test"
               " unit/value_contract_test unit/query_test unit/asm_text_test"
               " unit/device_runtime_test"
               " cli/dis cli/listing cli/debug_values cli/debug_expressions",
    "program/text": "unit/object_text_test unit/asm_roundtrip_test unit/asm_outcome_test"
                    " cli/dis cli/listing",
    "program/object": "unit/object* unit/elf64_test unit/cubin_library_test unit/cubin_groups_test"
                      " unit/asm_outcome_test cli/cubin cli/dis",
    "program/lint": "unit/lint_* unit/asm_outcome_test cli/lint",
    "observe/finding": "unit/finding_* unit/check_kernels_test cli/check cli/check_suppress"
                       " cli/test_sarif",
    "observe/race": "unit/race_* unit/sync_barrier_test unit/async_copy_test cli/check_race",
    "observe/definedness": "unit/init_* unit/sync_barrier_test cli/check_init",
    "observe/origin": "unit/*origin* cli/origins cli/check_fragments cli/check_bounds"
                      " cli/check_contracts cli/debug_origins unit/check_oom_test"
                      " unit/check_expected_test",
    "observe/check": "unit/check_* unit/value_contract_test cli/check cli/check_operands"
                     " cli/check_bounds",
    "observe/difference": "unit/difference_* unit/suspects_test cli/difference cli/suspects cli/why"
                          " cli/compare cli/probe cli/debug_compare",
    "observe/trace": "unit/trace_* unit/record_test cli/trace",
    "observe/profile": "unit/profile_* cli/profile",
    "observe/uses": "unit/finding_rows_test cli/mutate",
    "observe/accelsim": "unit/accelsim_* cli/accelsim",
    "observe/timing": "unit/time_* unit/issue_log_test cli/time cli/time_experiments"
                      " cli/accelsim",
    "observe/blocks": "unit/blocks_* unit/labs_test cli/blocks_wrong cli/blocks",
}
Edit = collections.namedtuple("Edit", "file offset old new line column")


# ---------------------------------------------------------------- edits

SKIPPED = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*"
    r"|_Static_assert\s*\(.*?\);|\bassert\s*\(.*?\);", re.S | re.M)
SWAPS = {
    "<": ["<=", ">"], "<=": ["<"], ">": [">=", "<"], ">=": [">"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["&"],
    "&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"], ">>": ["<<"], "!": [""], "~": [""],
    "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="], "++": ["--"], "--": ["++"],
    "true": ["false"], "false": ["true"], "break": ["continue"], "continue": ["break"],
}
TOKEN = re.compile(
    r"(?P<number>\b(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b)"
    r"|(?P<word>\b(?:true|false|break|continue)\b)"
    r"|(?P<operator>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[+\-*/%&|^]=|[<>+\-*/%&|^!~])")
CONDITION = re.compile(r"\b(?:if|while) \((?=\S)")
STATEMENT = re.compile(
    r"(?<=[;{}\n])[ \t]*((?!(?:for|if|while|switch|return|sizeof)\b)[a-z_]\w*"
    r"(?:(?:->|\.)\w+|\[[^\]\n]*\])*"
    r" ?(?:[+\-|&^]?= ?[^;\n]*|\([^;{}]*\)));")


def visible(text):
    """The text with comments, strings and directives blanked, at the same offsets."""
    return SKIPPED.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def numbers(text):
    suffix = re.search(r"[uUlL]*$", text)[0]
    value = int(text[:len(text) - len(suffix)] or "0", 16 if text[:2].lower() == "0x" else 10)
    return [f"{v}{suffix}" for v in {value + 1, value - 1} if v >= 0]


# Reserving and releasing memory; the size of an array; what a hash mixes by.
RESERVED = re.compile(
    r"alloc\(|_grow\(|free\(|_reserve\(|_room\(|\broom\(|one_more\("
    r"|^\s*(?:static |const |struct )*(?!return)\w+ (?=[^;=]*\[\d+\])[\w\[\], ]+"
    r"(?: = (?:\{0\}|\"\"))?;"
    # How a hash mixes bits: where a key lies in its table is nobody's behaviour.
    r"|\* UINT64_C\(0x[0-9a-f]{16}\)"
    r"|UINT64_C\(0x(?:9e3779b97f4a7c15|bf58476d1ce4e5b9|94d049bb133111eb|ff51afd7ed558ccd)\)"
    r"|1099511628211|1469598103934665603|1000003|\bh(?:ash)? \^ h(?:ash)? >> \d+|uint\d+_t hash =$")


def closing(text, start):
    """The offset of the parenthesis that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return None


def all_edits_of(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    seen = visible(text)

    def edit(start, end, new):
        return Edit(path, start, text[start:end], new, text.count("\n", 0, start) + 1,
                    start - text.rfind("\n", 0, start) - 1)

    for m in TOKEN.finditer(seen):
        if m["number"]:
            yield from (edit(m.start(), m.end(), new) for new in numbers(m[0]))
            continue
        binary = re.search(r"[\w)\]]\s*$", seen[:m.start()][-40:])  # an operand stands before it
        if m["operator"] and m[0] in "+-*&" and not binary:
            continue
        if m[0] == "*" and not re.match(r"\s", seen[m.end():m.end() + 1]):
            continue  # a declarator
        yield from (edit(m.start(), m.end(), new) for new in SWAPS.get(m[0], []))
    for m in CONDITION.finditer(seen):
        end = closing(seen, m.end() - 1)
        if end:
            yield edit(m.end(), end, f"!({text[m.end():end]})")
    for m in STATEMENT.finditer(seen):
        yield edit(m.start(1), m.end(1), "(void)0")


# Whose values say where a table is looked at first: others find the same, sooner or later.
HASH = re.compile(r"^static [^;{}()]*\bhash\([^;{}]*\) \{\n.*?^\}", re.S | re.M)
# What qsort compares by: of -1 and 1 only the sign counts.
COMPARED = re.compile(r"\? -?1 : ")


def edits_of(path):
    hashes = [m.span() for m in HASH.finditer("\n".join(lines_of(path)))]
    for e in all_edits_of(path):
        line = source_line(e)
        if RESERVED.search(line) or any(begin <= e.offset < end for begin, end in hashes):
            continue
        if COMPARED.search(line) and (e.old, e.new) == ("1", "2"):
            continue
        yield e


@functools.lru_cache
def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")


def mutated(edit):
    with open(edit.file, encoding="utf-8") as file:
        text = file.read()
    return text[:edit.offset] + edit.new + text[edit.offset + len(edit.old):]


def source_line(edit):
    return lines_of(edit.file)[edit.line - 1].strip()


def shown(edit):
    old, new = (re.sub(r"\s+", " ", t) for t in (edit.old, edit.new))
    return f"{edit.file}:{edit.line}: `{old}` -> `{new}` in: {source_line(edit)}"


# ---------------------------------------------------------------- building

def said_by(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Build:
    """Compile and link commands, as make would call them."""

    def __init__(self, folder, sources, tests, patience, *arguments):
        self.folder, self.patience = folder, patience  # times as long as the test takes in $O
        self.tests = [t for t in tests
                      if t.startswith("cli/") or os.path.exists(f"{folder}/tests/{t}")]
        make = ["make", "-n", "V=1", f"O={folder}", *arguments]
        touched = [a for s in sources for a in ("-W", s)]
        lines = said_by(make + touched + [f"{folder}/{s[:-2]}.o" for s in sources])
        self.compile = {}
        for line in lines.split("\n"):
            m = re.search(r" -c -o \S+ (\S+\.c)$", line)
            if m and m[1] in sources:
                self.compile[m[1]] = shlex.split(line)
        mains = {f"tests/{t}.c": f"{folder}/tests/{t}" for t in self.tests if t.startswith("unit/")}
        if any(t.startswith("cli/") for t in self.tests):
            mains["cli/main.c"] = f"{folder}/fhec"
        touched = [a for s in mains for a in ("-W", s)]
        lines = said_by(make + touched + list(mains.values())).replace("\\\n", " ")
        self.link = {}
        for line in lines.split("\n"):
            m = re.search(r" -o (\S+) \S+\.o ", line)
            if m and m[1] in mains.values():
                self.link[m[1]] = shlex.split(line)

    def compiled(self, source, text, to):
        command = list(self.compile[source])
        command[command.index("-o") + 1] = to
        command[-1] = "-"
        command[-1:] = ["-x", "c", f"-I{os.path.dirname(source)}", "-w", "-"]
        command = [c for c in command if c not in ("-MMD", "-MP", "-Werror", "-g1")]
        return subprocess.run(command, input=text, text=True, capture_output=True).returncode == 0

    def linked(self, program, mutant, to):
        """The program with the mutant in front of the libraries, which then do not bring theirs."""
        command = list(self.link[program])
        at = command.index("-o")
        command[at + 1] = to
        command.insert(at + 2, mutant)
        return subprocess.run(command, capture_output=True, text=True).returncode == 0


# ---------------------------------------------------------------- tests

def names_of(patterns):
    found = []
    for pattern in patterns.split():
        kind, name = pattern.split("/")
        path = {"unit": f"tests/unit/{name}.c", "cli": f"tests/cli/{name}.sh"}[kind]
        found += [f"{kind}/{os.path.basename(p).rsplit('.', 1)[0]}" for p in sorted(glob.glob(path))
                  if kind == "cli" or p.endswith("_test.c")]
    return found


def tests_of(folder):
    """The names of the tests nearest to a folder."""
    headers = {os.path.basename(h) for h in glob.glob(f"{folder}/*.h")}
    including = []
    for path in sorted(glob.glob("tests/unit/*_test.c")):
        with open(path, encoding="utf-8") as file:
            if headers & set(re.findall(r'#include "([^"]+)"', file.read())):
                including.append(f"unit/{os.path.basename(path)[:-2]}")
    return list(dict.fromkeys(names_of(NEAREST.get(folder, "")) + including))


def run_test(name, fhec, program, limit, folder):
    """True: it passes."""
    env = dict(os.environ, O=os.path.abspath(folder), FHEC=os.path.abspath(fhec),
               CMOCKA_MESSAGE_OUTPUT="TAP", NO_COLOR="1",
               FHEC_ORACLES=os.environ.get("FHEC_ORACLES", "../shared/oracles"))
    command = ["bash", f"tests/cli/{name[4:]}.sh"] if name.startswith("cli/") else [program]
    try:
        with subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True) as process:
            try:
                return process.wait(timeout=limit) == 0
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                return False
    except OSError:
        return False


class Tests:
    """The tests of some folders, and how long each takes; without those that are of no use."""

    def __init__(self, folders, options, folder, pool):
        self.folder, self.seconds, limit = folder, {}, options.limit
        self.of = {f: names_of(options.tests) if options.tests else tests_of(f) for f in folders}

        def timed(name):
            begin = time.monotonic()
            passes = run_test(name, f"{folder}/fhec", f"{folder}/tests/{name}", limit, folder)
            return name, time.monotonic() - begin if passes else None

        names = sorted({t for tests in self.of.values() for t in tests})
        for name, seconds in pool.map(timed, names):
            if seconds is None:
                print(f"left out: {name} fails, or takes more than {limit} s", file=sys.stderr)
            else:
                self.seconds[name] = seconds

    def nearest(self, path):
        """The quickest first; those that are named like the file before all others."""
        stem = os.path.basename(path)[:-2]
        folder = os.path.dirname(path)
        return sorted((t for t in self.of[folder] if t in self.seconds),
                      key=lambda t: (stem.split("_")[0] not in t, self.seconds[t]))


# ---------------------------------------------------------------- mutants

def fate_in(build, edit, tests):
    """(what becomes of it by the tests of one build, the test that noticed)"""
    with tempfile.TemporaryDirectory() as work:
        mutant, original = f"{work}/mutant.o", f"{work}/original.o"
        with open(edit.file, encoding="utf-8") as file:
            if not build.compiled(edit.file, file.read(), original):
                raise SystemExit(f"{edit.file} itself does not compile")
        if not build.compiled(edit.file, mutated(edit), mutant):
            return "invalid", None
        with open(mutant, "rb") as a, open(original, "rb") as b:
            if a.read() == b.read():
                return "same code", None
        for name in (t for t in tests.nearest(edit.file) if t in build.tests):
            unit = f"{build.folder}/tests/{name}"
            program = unit if name.startswith("unit/") else f"{build.folder}/fhec"
            linked = f"{work}/{os.path.basename(program)}"
            if not os.path.exists(linked) and not build.linked(program, mutant, linked):
                return "invalid", None
            fhec = linked if program.endswith("/fhec") else f"{build.folder}/fhec"
            limit = 5 + build.patience * tests.seconds[name]
            if not run_test(name, fhec, linked, limit, build.folder):
                return "killed", name
            if program == unit:
                os.remove(linked)
    return "survived", None


def fate_of(edit, builds, tests):
    fate = "survived", None
    for build in builds:
        fate = fate_in(build, edit, tests)
        if fate[0] != "survived":
            break
    return fate


def key_of(edit):
    """Stays when other lines of the file change."""
    # An edit like it may stand before it.
    before = lines_of(edit.file)[edit.line - 1][:edit.column].count(edit.old)
    parts = (edit.file, source_line(edit), edit.old, edit.new) + ((str(before),) if before else ())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def equivalents():
    with open("tests/tools/mutants.equivalent", encoding="utf-8") as file:
        lines = [line.split(None, 1) for line in file if line.strip() and line[0] != "#"]
    return {key: why.strip() for key, why in lines}


def builds_of(folder, sources, tests):
    """The build that is tested, and the sanitizers' where it is there."""
    builds = [Build(folder, sources, tests, 4)]
    asan = os.environ.get("ASAN", "build/asan")
    if os.path.exists(f"{asan}/libfhec.a"):
        units = [t for t in tests if t.startswith("unit/")]
        builds.append(Build(asan, sources, units, 20, "m=asan", "CC=clang", f"G={folder}",
                            f"W={folder}"))
    return builds


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--count", type=int, default=100, help="mutants to try (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=60,
                        help="seconds of a test that is of use (default 60)")
    parser.add_argument("--only", action="append",
                        help="only mutants whose line holds this, or whose key it is")
    parser.add_argument("--tests", help="globs of the tests to run instead of the nearest")
    parser.add_argument("--log", help="a line of JSON for each mutant")
    parser.add_argument("--list", action="store_true", help="print the mutants, and run none")
    return parser.parse_args()


def main():
    options = arguments()
    folder = os.environ.get("O", "build/rel")
    sources = sorted(p for f in options.folders
                     for p in glob.glob(f"{f.rstrip('/')}/**/*.c", recursive=True))
    edits = [e for s in sources for e in edits_of(s)]
    random.Random(options.seed).shuffle(edits)
    if options.only:
        edits = [e for e in edits if any(o in shown(e) or o == key_of(e) for o in options.only)]
    edits = edits[:options.count]
    if options.list:
        print("\n".join(f"{key_of(e)} {shown(e)}" for e in edits))
        return 0
    known, tally = equivalents(), collections.Counter()
    # pylint: disable-next=consider-using-with
    log = open(options.log, "a", encoding="utf-8") if options.log else None
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tests = Tests({os.path.dirname(e.file) for e in edits}, options, folder, pool)
        builds = builds_of(folder, sorted({e.file for e in edits}), list(tests.seconds))
        for edit, (fate, by) in zip(edits, pool.map(lambda e: fate_of(e, builds, tests), edits)):
            if fate == "survived" and key_of(edit) in known:
                fate = "equivalent"
            tally[fate] += 1
            if fate == "survived":
                print(f"survived {key_of(edit)} {shown(edit)}", flush=True)
            if log:
                told = {"key": key_of(edit), "edit": shown(edit), "fate": fate, "by": by}
                print(json.dumps(told), file=log, flush=True)
    alive = tally["survived"]
    counted = tally["killed"] + alive
    print(f"{counted} mutants: {tally['killed']} killed, {alive} survived"
          f" ({100 * tally['killed'] / max(counted, 1):.1f} % die); besides {tally['equivalent']}"
          f" known to be equivalent, {tally['same code']} of the same code,"
          f" {tally['invalid']} that do not compile")
    return 0 if 10 * tally["killed"] >= 9 * counted else 1


sys.exit(main())
