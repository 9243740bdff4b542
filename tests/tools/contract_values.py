"""FOLDER SEED COUNT: a kernel with so many random value contracts over registers, what
these hold, and what Python's integers say of each contract (tests/cli/check_contracts.sh)."""
import random, struct, sys
folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(seed)
LANES, WORDS, LIMIT = range(32), 8, 1 << 1151
special = [0, 1, 2, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff]
data = [[random.choice(special) if random.random() < .3 else random.randrange(1 << 32)
         for _ in range(WORDS)] for _ in LANES]
for lane, word in ((3, 0), (7, WORDS - 1)):
    data[lane] = [word and 0xffffffff] * WORDS
with open(f"{folder}/x.bin", "wb") as file:
    for row in data:
        file.write(struct.pack(f"<{WORDS}I", *row))


class Problem(Exception):
    pass


DIVISION = "divides by zero, or is modulo zero"
SHIFT = "shifts by less than 0 or more than 1151"
SIZE = "has a value of more than 1151 bits"
UNSET = "uses what no .let has remembered in this lane"


def number(lane, first, last):
    return sum(data[lane][k] << 32 * (k - first) for k in range(first, last + 1))


def signed(value, bits):
    return value - (1 << bits) if value >> bits - 1 else value


def fits(value):
    if not -LIMIT < value < LIMIT:
        raise Problem(SIZE)
    return value


def divide(a, b):  # towards zero
    if b == 0:
        raise Problem(DIVISION)
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def shift(a, b, left):
    if not 0 <= b <= 1151:
        raise Problem(SHIFT)
    return fits(a << b) if left else a >> b


BINARY = {
    "+": lambda a, b: fits(a + b), "-": lambda a, b: fits(a - b), "*": lambda a, b: fits(a * b),
    "/": divide, "%": lambda a, b: a - b * divide(a, b),
    "<<": lambda a, b: shift(a, b, True), ">>": lambda a, b: shift(a, b, False),
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
    "<": lambda a, b: int(a < b), "<=": lambda a, b: int(a <= b), ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b), "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b),
}


class Term:  # its text; its value in a lane, or Problem
    def __init__(self, text, value):
        self.text, self.value = text, value


def literal():
    bits = random.choice((1, 3, 8, 31, 32, 63, 64, 65, 96, 126, 127, 128, 200))
    value = random.choice(((1 << bits) - 1, 1 << bits, (1 << bits) + 1, random.randrange(1 << bits),
                           random.randrange(9)))
    return Term(random.choice((str(value), hex(value))), lambda lane: value)


def atom():
    kind = random.randrange(9)
    r = random.randrange(WORDS)
    even = r // 2 * 2
    last = random.randrange(r, WORDS)
    if kind == 0:
        return Term(f"R{20 + r}", lambda lane: data[lane][r])
    if kind == 1:
        return Term(f"u64(R{20 + even})", lambda lane: number(lane, even, even + 1))
    if kind == 2:
        return Term(f"s64(R{20 + even})", lambda lane: signed(number(lane, even, even + 1), 64))
    if kind == 3:
        return Term(f"s32(R{20 + r})", lambda lane: signed(data[lane][r], 32))
    if kind == 4 and last > r:
        return Term(f"R{20 + r}:R{20 + last}", lambda lane: number(lane, r, last))
    if kind == 5:
        return Term("lane", lambda lane: lane)
    if kind == 6:
        return Term("P0", lambda lane: int(lane < 5))
    if kind == 7:
        return random.choice((Term("UR4", lambda lane: 97), Term("scale", lambda lane: 12345),
                              *lets))
    return literal()


def unary(sign, x):
    def value(lane):
        v = x.value(lane)
        return {"-": lambda: -v, "~": lambda: fits(~v), "!": lambda: int(not v)}[sign]()
    return Term(f"({sign}{x.text})", value)


def both(op, x, y):
    def value(lane):
        first = x.value(lane)
        if op == "&&":
            return int(bool(first and y.value(lane)))
        if op == "||":
            return int(bool(first or y.value(lane)))
        return BINARY[op](first, y.value(lane))
    return Term(f"({x.text} {op} {y.text})", value)


def choice(c, x, y):
    return Term(f"({c.text} ? {x.text} : {y.text})",
                lambda lane: x.value(lane) if c.value(lane) else y.value(lane))


def term(depth):
    kind = random.random()
    if depth == 0 or kind < .1:
        return atom()
    if kind < .2:
        return unary(random.choice("-~!"), term(depth - 1))
    if kind < .24:
        return choice(term(depth - 1), term(depth - 1), term(depth - 1))
    if kind < .34:
        return both(random.choice(("&&", "||")), term(depth - 1), term(depth - 1))
    op = random.choice(list(BINARY) + ["+", "-", "*", "*"] * 2)
    y = term(depth - 1)
    if op in ("<<", ">>") and random.random() < .9:
        shifts = random.choice((0, 1, 31, 32, 63, 64, 95, 96, 97, 125, 126, 127, 128, 500, 1150,
                                1151, 1152))
        y = random.choice((Term(str(shifts), lambda lane: shifts), Term("lane", lambda lane: lane)))
    return both(op, term(depth - 1), y)


def shown(value, room):
    digits = f"{abs(value):x}"
    sign = "-" if value < 0 else ""
    if abs(value) < 1000:
        return str(value)
    half = (room - 2) // 2
    if len(digits) > room:
        digits = f"{digits[:half]}..{digits[-half:]}"
    return f"{sign}0x{digits}"


def told(x, lane):
    try:
        return x.value(lane)
    except Problem as problem:
        return problem


def verdict(left, relation, right, modulus, lanes):
    """The lanes that fail, and what is said of the first."""
    failing, said = [], None
    for lane in lanes:
        values = [told(x, lane) for x in (left, right, modulus) if x]
        problem = next((str(v) for v in values if isinstance(v, Problem)), None)
        if not problem:
            a, b = values[:2]
            holds = a < b if relation == "<" else a <= b if relation == "<=" else a == b
            if relation == "=" and modulus and not holds:
                if not -LIMIT < a - b < LIMIT:
                    problem = SIZE
                elif values[2] == 0:
                    problem = DIVISION
                else:
                    holds = (a - b) % values[2] == 0
        if problem or not holds:
            failing.append(lane)
            words = {"<": "below ", "<=": "at most ", "=": ""}[relation]
            by = " modulo " + shown(values[2], 60) if modulus and not problem else ""
            said = said or problem or (shown(a, 56), words + shown(b, 56) + by)
    return failing, said


lets, lines, wanted = [], [], {}
add = lines.append
add(".target sm_80\n.kernel k\n.param x, 8\n.param scale, 4\n    S2R R0, SR_LANEID ;")
add("    MOV R4, 0x20 ;")
add("    IMAD.WIDE.U32 R2, R0, R4, x ;\n    LDG.E.128 R20, [R2.64] ;")
add("    LDG.E.128 R24, [R2.64+0x10] ;")
add("    UMOV UR4, 97 ;\n    ISETP.LT.U32.AND P0, PT, R0, 0x5, PT ;")
at = 12


def instruction(*rows):
    global at
    for row in rows:
        add(row)
        at += 1
    return at - 1


for name, depth in (("a", 2), ("b", 3), ("c", 1), ("d", 2)):
    x = term(depth)
    instruction(f".let {name} = {x.text}", "    NOP ;")

    def remembered(lane, x=x):
        try:
            return x.value(lane)
        except Problem:
            raise Problem(UNSET) from None
    lets.append(Term(name, remembered))
while len(wanted) < count:
    left, modulus = term(random.randrange(4)), None
    relation = random.choice(("=", "=", "=", "<", "<="))
    right = term(random.randrange(3))
    lanes = random.choice((LANES, LANES, range(5)))
    if random.random() < .7:  # what it is in one lane
        is_there = told(left, random.choice(LANES))
        if not isinstance(is_there, Problem):
            near = is_there + random.choice((0, 0, 0, 1, -1))
            right = Term(f"({near})" if near >= 0 else f"0 - {-near}", lambda lane, near=near: near)
    if relation == "=" and random.random() < .4:
        m = random.choice((1, 2, 3, 5, 97, 2**32, 2**31 - 1, 2**64 - 59, 2**64 - 1, 2**64 + 13,
                           2**200 + 1, -7, -1))
        modulus = term(1)
        if random.random() < .8:
            modulus = Term(f"(0 - {-m})" if m < 0 else str(m), lambda lane, m=m: m)
    side = left.text if left.text[0] == "(" else f"0 + {left.text}"  # a name alone is an operand
    text = f"{side} {relation} {right.text}" + (f" mod {modulus.text}" if modulus else "")
    if len(text) > 200 or text.count("(") > 14:
        continue
    if lanes is LANES:
        line = instruction("    NOP ;", f".ensure {text}") - 1
        kind = ".ensure"
    else:
        line = instruction(f".expect {text}", "@P0 NOP ;")
        kind = ".expect"
    failing, said = verdict(left, relation, right, modulus, lanes)
    message = None
    if failing:
        others = f" and {len(failing) - 1} of {len(lanes) - 1} others" if len(failing) > 1 else ""
        where = f"in lane {failing[0]}{others}"
        message = f"{kind} {text[:150]} {where}: {said}"
        if not isinstance(said, str):
            message = f"{said[0]} is expected to be {said[1]} {where} ({kind} {text[:100]})"
    wanted[line] = message
add("    EXIT ;\n.end")
with open(f"{folder}/k.sass", "w") as file:
    file.write("\n".join(lines) + "\n")
with open(f"{folder}/wanted", "w") as file:
    for line, message in wanted.items():
        if message:
            file.write(f"{line}: {message}\n")
