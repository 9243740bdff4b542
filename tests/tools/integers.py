"""Integers as fhec's expressions have them (docs/assembly.md), by Python's: from -2^63 to 2^64 - 1,
or with bits=1151 of contracts. None: it has no value."""


def fits(value, bits=64):
    if bits == 64:
        return -(1 << 63) <= value < 1 << 64
    return abs(value) < 1 << bits


def unary(op, x, bits=64):
    if op == "~" and bits == 64 and x >= 1 << 63:
        return ~x & ((1 << 64) - 1)
    value = {"-": -x, "~": ~x, "!": int(x == 0), "+": x}[op]
    return value if fits(value, bits) else None


def binary(op, x, y, bits=64):
    if op in ("/", "%"):
        if y == 0:
            return None
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        value = quotient if op == "/" else x - quotient * y
    elif op in ("<<", ">>"):
        if not 0 <= y < (64 if bits == 64 else bits + 1):
            return None
        value = x << y if op == "<<" else x >> y
    elif op in ("&", "|", "^"):
        value = {"&": x & y, "|": x | y, "^": x ^ y}[op]
        if bits == 64 and (x >= 1 << 63 or y >= 1 << 63):
            value &= (1 << 64) - 1
    elif op in ("+", "-", "*"):
        value = {"+": x + y, "-": x - y, "*": x * y}[op]
    else:
        value = int({"==": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y,
                     ">=": x >= y, "&&": x != 0 and y != 0, "||": x != 0 or y != 0}[op])
    return value if fits(value, bits) else None
