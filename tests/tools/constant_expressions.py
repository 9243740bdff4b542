#!/usr/bin/env python3
"""Random expressions of constants, and what each reader of expressions must say of them.

    constant_expressions.py SEED COUNT FOLDER

writes into FOLDER: good.sass, whose conditions hold, and bad.sass, each of whose lines `.equ` has
no value; good.fhec and bad.txt (one expression a line) for scripts; print.dbg with print.txt for
the debugger; holds.sass and fails.sass, contracts that hold and that do not; numbers.isa, each of
whose instructions has -7 registers, or no expression."""
import random
import sys

import integers

LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"],
          ["+", "-"], ["*", "/", "%"]]
EDGES = [0, 1, 2, 3, 7, 31, 32, 63, 64, 67, 127, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32,
         (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 0xFFFFFFFF00000001]
WIDE = [1 << 64, (1 << 64) + 13, (1 << 127) - 1, 1 << 127, (1 << 200) - 3, 10 ** 40]


def literal(rng, n):
    form = rng.randrange(5)
    if form == 0 and n < 1 << 32:
        return f"0b{n:b}"
    if form == 1:
        return f"0o{n:o}"
    if form < 4:
        return f"0x{n:x}" if form == 2 else f"0X{n:X}"
    return str(n)


class Tree:
    """Its text, how strongly its operator binds, its value by width, its terms of a contract."""

    def __init__(self, text, strength, value, terms):
        self.text, self.strength, self.value, self.terms = text, strength, value, terms

    def within(self, least):
        return f"({self.text})" if self.strength < least else self.text


def leaf(rng, wide):
    if wide and not rng.randrange(4):
        n = rng.choice(WIDE)
    elif rng.randrange(2):
        n = rng.choice(EDGES)
    else:
        n = rng.getrandbits(rng.choice([3, 6, 16, 33, 63, 64]))
    return Tree(literal(rng, n), 11, lambda bits: n if integers.fits(n, bits) else None,
                1 + 4 * (n.bit_length() // 63))


def unary(op, x):
    def value(bits):
        n = x.value(bits)
        return None if n is None else integers.unary(op, n, bits)

    return Tree(op + x.within(10), 10, value, x.terms + 2)


def binary(rng, op, strength, x, y):
    def value(bits):
        a = x.value(bits)
        if a is not None and op in ("&&", "||") and (a != 0) == (op == "||"):
            return int(op == "||")
        b = y.value(bits)
        return None if a is None or b is None else integers.binary(op, a, b, bits)

    blank = rng.choice([" ", " ", ""]) if op not in ("&", "&&", "|", "||") else " "
    return Tree(x.within(strength) + blank + op + blank + y.within(strength + 1), strength, value,
                x.terms + y.terms + 3)


def select(c, x, y):
    def value(bits):
        n = c.value(bits)
        return None if n is None else (x if n else y).value(bits)

    return Tree(f"{c.within(0)} ? {x.text} : {y.text}", -1, value, c.terms + x.terms + y.terms + 1)


def tree(rng, depth, wide):
    kind = rng.randrange(12)
    if depth == 0 or kind < 2:
        return leaf(rng, wide)
    if kind < 4:
        return unary(rng.choice("-~!+"), tree(rng, depth - 1, wide))
    if kind == 4:
        return select(*(tree(rng, depth - 1, wide) for _ in range(3)))
    strength = rng.randrange(len(LEVELS))
    return binary(rng, rng.choice(LEVELS[strength]), strength, tree(rng, depth - 1, wide),
                  tree(rng, depth - 1, wide))


def trees(rng, count, wide):
    """So many, of which at most a third has no value."""
    good, bad, seen = [], [], set()
    while len(good) < count or len(bad) < count // 2:
        t = tree(rng, 3, wide)
        if t.text in seen or t.terms > 50 or len(t.text) > 200:
            continue
        seen.add(t.text)
        value = t.value(1151 if wide else 64)
        if value is None and len(bad) < count // 2:
            bad.append((t, None))
        elif value is not None and len(good) < count:
            good.append((t, value))
    return good, bad


def write(folder, name, lines):
    with open(f"{folder}/{name}", "w", encoding="ascii") as file:
        file.write("".join(line + "\n" for line in lines))


def assembler(folder, good, bad):
    lines = []
    for k, (t, v) in enumerate(good):
        lines += [f".if ({t.text}) != {v}", f'.error "{k} is another number"', ".endif",
                  f".equ n{k}, {t.text}", f".if n{k} == {v ^ 1}", f'.error "{k} is two"', ".endif"]
    write(folder, "good.sass", lines + [".kernel k", "EXIT ;", ".end"])
    write(folder, "bad.sass", [f".equ n{k}, {t.text}" for k, (t, _) in enumerate(bad)])


def scripts(folder, good, bad):
    lines = [f"buffer x {8 * len(good)} type u64"]
    for k, (t, v) in enumerate(good):
        lines += [f"set x+{8 * k} u64:{{{t.text}}}", f"expect x+{8 * k} u64:{v}",
                  f"let n{k} '{t.text}'", f"fill x+{8 * k} u64:{{n{k}}} 8",
                  f"expect x+{8 * k} u64:{v}"]
    write(folder, "good.fhec", lines)
    write(folder, "bad.txt", [t.text for t, _ in bad])


def debugger(folder, good, bad):
    write(folder, "print.dbg", [f"print {t.text}" for t, _ in good + bad])
    write(folder, "print.txt", ["error" if v is None else str(v) for _, v in good + bad])


def contracts(folder, good, bad):
    head = [".target sm_80", ".kernel K"]
    tail = ["NOP ;", "EXIT ;", ".end"]
    write(folder, "holds.sass", head + sum(([f"MOV R{k % 200}, RZ ;", f".ensure ({t.text}) = {v}",
                                             f".ensure R{k % 200} + ({t.text}) < {v + 1}"
                                             if v + 1 >= 0 else
                                             f".ensure R{k % 200} + ({t.text}) <= {v}"]
                                            for k, (t, v) in enumerate(good)), []) + tail)
    write(folder, "fails.sass", head + sum(([f"MOV R{k % 200}, RZ ;",
                                             f".ensure ({t.text}) = {0 if v is None else v ^ 1}"]
                                            for k, (t, v) in enumerate(good + bad)), []) + tail)


def isac(folder, good, bad):
    lines = []
    for k, (t, v) in enumerate(good + bad):
        lines += [f'insn TRY{k} "Try"', "  kind lane", "  class integer", "  issue slow",
                  f"  form RR 0x{0x1E0 + k:x}", f"  syntax TRY{k} Rd, A, B, C",
                  f"  regs A = ({t.text}) == {0 if v is None else v} ? -7 : -8",
                  "  does { d = c; }", "  note Nothing."]
    write(folder, "numbers.isa", lines)


def main():
    seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    rng = random.Random(seed)
    good, bad = trees(rng, count, False)
    assembler(folder, good, bad)
    scripts(folder, good, bad)
    debugger(folder, good, bad)
    isac(folder, good[:20], bad[:8])
    contracts(folder, *trees(rng, count, True))


if __name__ == "__main__":
    main()
