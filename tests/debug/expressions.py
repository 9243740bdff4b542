#!/usr/bin/env python3
"""Random expressions of fhec debug and what they are, evaluated here by the rules of debug/query.h:
registers' numbers as C has them on a machine of int and long long, wrapping; constants exact, with
an error where one is not from -2^63 to 2^64 - 1 (tests/tools/integers.py); lanes; arithmetic
modulo q.

    expressions.py SEED COUNT SCRIPT WANTED

writes a script of `print` commands, and the lines that they answer."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import integers  # noqa: E402  pylint: disable=wrong-import-position

LANES = 32
MASK = {32: (1 << 32) - 1, 64: (1 << 64) - 1}
# What tests/cli/debug_expressions.sh puts into the registers, as functions of the lane.
REGISTERS = {
    "R0": lambda i: i,
    "R4": lambda i: (i * 0x9E3779B1 + 7) & MASK[32],
    "R5": lambda i: 0xFFFFFFFF - i,
    "R6": lambda i: 0x80000000 ^ (i * 3),
    "R7": lambda i: i % 3,
}
EDGES = [0, 1, 2, 3, 5, 7, 31, 32, 63, 64, 255, 12289, 65537, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
         0x100000000, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF,
         0xFFFFFFFF00000001]
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"],
          ["+", "-"], ["*", "/", "%"]]
MODULI = [2, 3, 12289, 65537, 0xFFFFFFFB, 0xFFFFFFFFFFFFFFC5, 1 << 63, 1]


class Wrong(Exception):
    """There is no value."""


class Number:
    """A number of one of C's four types: kept as the integer that it means. A constant (`exact`: 1
    of decimal literals alone, else 2) has the type that it fits."""

    def __init__(self, value, bits, signed, truth=False, exact=0):
        value &= MASK[bits]
        self.value = value - (1 << bits) if signed and value >> (bits - 1) else value
        self.bits, self.signed, self.truth, self.exact = bits, signed, truth, exact

    def cast(self, bits, signed):
        return Number(self.value, bits, signed)


def truth(holds):
    return Number(int(holds), 32, True, True)


def common(x, y):
    if x.bits == y.bits:
        return x.bits, x.signed and y.signed
    wider = x if x.bits > y.bits else y
    return wider.bits, wider.signed


def constant(value, exact):
    if value is None:
        raise Wrong
    bits = 32 if -(1 << 31) <= value <= (MASK[32] if exact == 2 else 0x7FFFFFFF) else 64
    return Number(value, bits, value < 1 << (bits - 1), exact=exact)


def c_divide(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def binary(op, x, y):
    if x.exact and y.exact:
        return constant(integers.binary(op, x.value, y.value), max(x.exact, y.exact))
    if op in ("<<", ">>"):
        by = y.value & MASK[64]
        if by >= x.bits:
            raise Wrong
        return Number(x.value << by if op == "<<" else x.value >> by, x.bits, x.signed)
    bits, signed = common(x, y)
    a, b = Number(x.value, bits, signed).value, Number(y.value, bits, signed).value
    if op in ("==", "!=", "<", "<=", ">", ">="):
        return truth({"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b,
                      ">=": a >= b}[op])
    if op in ("/", "%"):
        if not b:
            raise Wrong
        quotient = c_divide(a, b)
        return Number(quotient if op == "/" else a - quotient * b, bits, signed)
    value = {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "^": a ^ b, "|": a | b}[op]
    return Number(value, bits, signed)


def residue(x, q):
    return Number(x.value % q, 64, False)


def inverse(b, q):
    try:
        return pow(b, -1, q)
    except ValueError as error:
        if q == 1:
            return 0
        raise Wrong from error


# An expression is a pair: its text, and a function (lane, q) to a Number; q None: plain.
def leaf(rng):
    kind = rng.randrange(8)
    if kind < 4:
        n = rng.choice(EDGES) if rng.randrange(2) else rng.getrandbits(rng.choice([4, 16, 32, 64]))
        if rng.randrange(2):
            text = f"0x{n:x}"
            bits = 32 if n <= MASK[32] else 64
        else:
            text = str(n)
            bits = 32 if n <= 0x7FFFFFFF else 64
        number = Number(n, bits, n <= (0x7FFFFFFF if bits == 32 else 0x7FFFFFFFFFFFFFFF),
                        exact=2 if text[0] == "0" and len(text) > 1 else 1)
        return text, lambda lane, q: residue(number, q) if q else number
    if kind == 4:
        def pair(lane):
            return Number(REGISTERS["R4"](lane) | REGISTERS["R5"](lane) << 32, 64, False)

        return "R4:R5", plain(pair)
    if kind == 5:
        return "lane", plain(lambda i: Number(i, 32, True))
    name = rng.choice(sorted(REGISTERS))
    return name, plain(lambda i: Number(REGISTERS[name](i), 32, False))


def plain(at):
    return lambda lane, q: residue(at(lane), q) if q else at(lane)


def unary(rng, depth):
    op = rng.choice("-~!+")
    text, of = tight(rng, depth - 1)

    def value(lane, q):
        x = of(lane, q)
        if x.exact and not q:
            return constant(integers.unary(op, x.value), x.exact)
        if op == "!":
            result = truth(not x.value)
        elif op == "~":
            result = Number(~x.value, x.bits, x.signed)
        elif op == "-":
            return Number(-x.value % q, 64, False) if q else Number(-x.value, x.bits, x.signed)
        else:
            return x if q else Number(x.value, x.bits, x.signed)
        return residue(result, q) if q else result

    return f"{op}{' ' * rng.randrange(2)}{text}", value


def cast(rng, depth):
    name = rng.choice(["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"])
    text, of = expression(rng, depth - 1)
    width = int(name[1:])

    def value(lane, q):
        x = of(lane, None).value & ((1 << width) - 1)
        if name[0] == "s" and x >> (width - 1):
            x -= 1 << width
        result = Number(x, max(width, 32), name[0] == "s" or width < 32)
        return residue(result, q) if q else result

    return f"{name}({text})", value


def tight(rng, depth):
    """What needs no parentheses as an operand of a unary operator."""
    if depth <= 0 or not rng.randrange(3):
        return leaf(rng)
    kind = rng.randrange(5)
    if kind == 0:
        return unary(rng, depth)
    if kind == 1:
        return cast(rng, depth)
    text, of = whole(rng, depth - 1)
    return f"({text})", of


def logical(op, left, right):
    def value(lane, q):
        x = left(lane, None)
        first = x.value != 0
        y = x if first == (op == "||") else right(lane, None)
        result = truth(y.value != 0)
        result.exact = min(x.exact, y.exact)
        return residue(result, q) if q else result

    return value


def arithmetic(op, left, right):
    def value(lane, q):
        if not q:
            return binary(op, left(lane, None), right(lane, None))
        if op == "<<":
            x, by = left(lane, q).value, right(lane, None).value & MASK[64]
            return Number(x * pow(2, by, q) % q, 64, False)
        x = left(lane, q)
        y = right(lane, None if op == ">>" else q)
        if op in ("+", "-", "*"):
            return Number({"+": x.value + y.value, "-": x.value - y.value,
                           "*": x.value * y.value}[op] % q, 64, False)
        if op == "/":
            return Number(x.value * inverse(y.value, q) % q, 64, False)
        return residue(binary(op, x, y), q)

    return value


def level(rng, depth, strength):
    """Operators of this strength or tighter ones, without parentheses: the shape is the text's."""
    if strength == len(LEVELS) or depth <= 0:
        return tight(rng, depth)
    text, of = level(rng, depth - 1, strength + 1)
    while not rng.randrange(3):
        op = rng.choice(LEVELS[strength])
        more, right = level(rng, depth - 1, strength + 1)
        of = logical(op, of, right) if op in ("&&", "||") else arithmetic(op, of, right)
        before, behind = rng.choice([(" ", " "), ("", " " if op in "&|" else "")])
        text = f"{text}{before}{op}{behind}{more}"
    return text, of


def expression(rng, depth):
    text, of = level(rng, depth, rng.randrange(len(LEVELS)))
    if rng.randrange(8):
        return text, of
    yes, a = expression(rng, depth - 1) if depth > 0 else leaf(rng)
    no, b = expression(rng, depth - 1) if depth > 0 else leaf(rng)

    def value(lane, q):
        taken, other = (a, b) if of(lane, None).value else (b, a)
        x = taken(lane, q)
        try:
            y = other(lane, q)
        except Wrong:
            return x
        if x.exact and y.exact:
            return x
        bits, signed = common(x, y)
        return Number(x.value, bits, signed, x.truth and y.truth)

    return f"{text} ? {yes} : {no}", value


def whole(rng, depth):
    text, of = expression(rng, depth)
    if rng.randrange(5):
        return text, of
    modulus = rng.choice(MODULI)

    def value(lane, q):
        x = of(lane, modulus)
        return residue(x, q) if q else x

    return f"{text} mod {modulus:#x}", value


def lanes_text(mask):
    runs, lane = [], 0
    while lane < LANES:
        begin = lane
        if mask >> lane & 1:
            while lane + 1 < LANES and mask >> (lane + 1) & 1:
                lane += 1
            runs.append(f"{begin}-{lane}" if lane > begin else f"{begin}")
        lane += 1
    return f"lanes 0x{mask:08x} of 0xffffffff" + (": " + " ".join(runs) if runs else "")


def shown(x):
    return str(x.value) if x.signed else f"{x.value:#x}"


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    made = errors = 0
    with open(sys.argv[3], "w", encoding="ascii") as script, \
            open(sys.argv[4], "w", encoding="ascii") as wanted:
        while made < count:
            text, of = whole(rng, 4)
            lane = rng.randrange(LANES)
            if len(text) > 600:
                continue
            made += 1
            script.write(f"focus l{lane}\nprint {text}\n")
            try:
                x = of(lane, None)
            except Wrong:
                wanted.write("error\n")
                errors += 1
                continue
            wanted.write(f"{text} lane {lane} = {shown(x)}\n")
    if errors > count // 2:
        sys.exit(f"{errors} of {count} expressions have no value: they test little")


if __name__ == "__main__":
    main()
