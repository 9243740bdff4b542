"""Floating point for the vectors' model: exact rationals, rounded once.

A value is a pattern of bits of one of the formats below; arithmetic goes through fractions, so
nothing here depends on the host's floating point, nor shares an algorithm with emu/simd/float.c.
"""
from decimal import Decimal, getcontext
from fractions import Fraction

# precision with the hidden bit, largest exponent, bits, canonical NaN
FORMATS = {'F16': (11, 15, 16, 0x7FFF), 'BF16': (8, 127, 16, 0x7FFF),
           'F32': (24, 127, 32, 0x7FFFFFFF), 'F64': (53, 1023, 64, 0xFFF8 << 48)}
INF = 'inf'


def edges(fmt):
    """Patterns at the borders of everything."""
    p, emax, bits, nan = FORMATS[fmt]
    one, hidden, inf = emax << (p - 1), 1 << (p - 1), (2 * emax + 1) << (p - 1)
    some = [0, 1, 2, hidden - 1, hidden, hidden + 1, one - 1, one, one + 1, 3 << (p - 2), inf - 1,
            inf, inf + 1, nan & ((1 << (bits - 1)) - 1), one + (p << (p - 1)), one >> 1]
    return some + [x | 1 << (bits - 1) for x in some]


def value(fmt, x, ftz=False):
    """(sign, magnitude): a Fraction, INF, or None for NaN."""
    p, emax, bits, _ = FORMATS[fmt]
    sign, x = x >> (bits - 1) & 1, x & ((1 << (bits - 1)) - 1)
    e, f = x >> (p - 1), x & ((1 << (p - 1)) - 1)
    if e == 2 * emax + 1:
        return sign, None if f else INF
    if e == 0:
        return sign, Fraction(0) if ftz else Fraction(f) * Fraction(2) ** (2 - emax - p)
    return sign, Fraction(f + (1 << (p - 1))) * Fraction(2) ** (e - emax + 1 - p)


def to_integer(x, sign, mode):
    """The integer next to x >= 0, which has the sign."""
    low = x.numerator // x.denominator
    rest = x - low
    up = {'RN': rest > Fraction(1, 2) or (rest == Fraction(1, 2) and low & 1),
          'RM': sign and rest > 0, 'RP': not sign and rest > 0, 'RZ': False}[mode]
    return low + int(up)


def encode(fmt, sign, x, mode='RN', ftz=False, sat=False):
    p, emax, bits, nan = FORMATS[fmt]
    inf = (2 * emax + 1) << (p - 1)
    if x is None:
        return 0 if sat else nan
    if sat and (sign or x == 0):
        return 0
    if sat and (x == INF or x >= 1):
        return emax << (p - 1)
    top = sign << (bits - 1)
    if x == INF:
        return top | inf
    if x == 0:
        return top
    e = x.numerator.bit_length() - x.denominator.bit_length()
    if Fraction(2) ** e > x:
        e -= 1
    e = max(e, 1 - emax)
    q = to_integer(x / Fraction(2) ** (e - p + 1), sign, mode)
    code = (e + emax - 1 << (p - 1)) + q
    if code >= inf:
        to_max = mode == 'RZ' or mode == ('RP' if sign else 'RM')
        code = inf - 1 if to_max else inf
    if ftz and code < 1 << (p - 1):
        code = 0
    return top | code


def source(fmt, x, neg, absolute):
    top = 1 << (FORMATS[fmt][2] - 1)
    return (x & ~top if absolute else x) ^ (top if neg else 0)


def multiply(a, b):
    (sa, x), (sb, y) = a, b
    if x is None or y is None or {x, y} == {INF, Fraction(0)}:
        return 0, None
    if INF in (x, y):
        return sa ^ sb, INF
    return sa ^ sb, x * y


def plus(a, b, mode):
    (sa, x), (sb, y) = a, b
    if x is None or y is None or (x == INF and y == INF and sa != sb):
        return 0, None
    if x == INF or y == INF:
        return a if x == INF else b
    s = (-x if sa else x) + (-y if sb else y)
    if s == 0:
        return (sa if sa == sb and x == 0 and y == 0 else int(mode == 'RM')), Fraction(0)
    return int(s < 0), abs(s)


def fma(fmt, a, b, c, mode='RN', ftz=False, sat=False):
    v = [value(fmt, x, ftz) for x in (a, b, c)]
    return encode(fmt, *plus(multiply(v[0], v[1]), v[2], mode), mode, ftz, sat)


def add(fmt, a, b, mode='RN', ftz=False, sat=False):
    return encode(fmt, *plus(value(fmt, a, ftz), value(fmt, b, ftz), mode), mode, ftz, sat)


def mul(fmt, a, b, mode='RN', ftz=False, sat=False, scale=Fraction(1)):
    s, x = multiply(value(fmt, a, ftz), value(fmt, b, ftz))
    return encode(fmt, s, x * scale if isinstance(x, Fraction) else x, mode, ftz, sat)


def number(v):
    s, x = v
    if x == INF:
        x = Fraction(2) ** 3000
    return -x if s else x


RELATIONS = {'F': '', 'LT': '<', 'EQ': '=', 'LE': '<=', 'GT': '>', 'NE': '<>', 'GE': '>=',
             'NUM': '<=>', 'NAN': '?', 'LTU': '<?', 'EQU': '=?', 'LEU': '<=?', 'GTU': '>?',
             'NEU': '<>?', 'GEU': '>=?', 'T': '<=>?'}


def compare(fmt, name, a, b, ftz=False):
    x, y = value(fmt, a, ftz), value(fmt, b, ftz)
    if x[1] is None or y[1] is None:
        relation = '?'
    else:
        x, y = number(x), number(y)
        relation = '<' if x < y else '=' if x == y else '>'
    return int(relation in RELATIONS[name])


def choose(fmt, smaller, nan, a, b, ftz=False):
    x, y = value(fmt, a, ftz), value(fmt, b, ftz)
    if (x[1] is None and y[1] is None) or (nan and (x[1] is None or y[1] is None)):
        return FORMATS[fmt][3]
    a, b = [0 if v[1] == 0 and v[1] is not None else w & ~(1 << (FORMATS[fmt][2] - 1))
            for v, w in ((x, a), (y, b))]
    a, b = [w | v[0] << (FORMATS[fmt][2] - 1) for v, w in ((x, a), (y, b))]
    if x[1] is None or y[1] is None:
        return b if x[1] is None else a
    first = (number(x), -x[0]) < (number(y), -y[0])
    return a if first == bool(smaller) else b


def convert(to, fmt, a, mode='RN', ftz=False):
    return encode(to, *value(fmt, a, ftz), mode, ftz)


def to_int(fmt, a, bits, signed, mode='RN', ntz=False, ftz=False):
    s, x = value(fmt, a, ftz)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if x is None:
        return 0 if ntz else (low if signed else 1 << (bits - 1))
    if x == INF:
        return low if s else high
    n = to_integer(x, s, mode)
    return min(max(-n if s else n, low), high)


def integral(fmt, a, mode='RN', ftz=False):
    s, x = value(fmt, a, ftz)
    if isinstance(x, Fraction):
        x = Fraction(to_integer(x, s, mode))
    return encode(fmt, s, x, 'RN', ftz)


def from_int(fmt, n, mode='RN'):
    return encode(fmt, int(n < 0), Fraction(abs(n)), mode)


def decimal_of(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def taylor(x, odd):
    """sin x or cos x."""
    term = x if odd else Decimal(1)
    total, k = term, int(odd)
    while abs(term) > Decimal(10) ** -200:
        term = -term * x * x / ((k + 1) * (k + 2))
        k += 2
        total += term
    return total


def pi():
    def atan_inverse(n):
        power, total, k = Decimal(1) / n, Decimal(0), 0
        while power > Decimal(10) ** -260:
            total += power / (2 * k + 1) * (-1 if k & 1 else 1)
            power /= n * n
            k += 1
        return total
    return 4 * (4 * atan_inverse(5) - atan_inverse(239))


def transcendental(fn, bits):
    """MUFU of an F32, to 200 digits and then rounded; subnormal numbers are zeros."""
    getcontext().prec = 250
    getcontext().Emin, getcontext().Emax = -10 ** 9, 10 ** 9
    s, x = value('F32', bits, True)
    if x is None or (x == INF and fn in ('SIN', 'COS')) or (fn == 'LG2' and s and x != 0):
        return FORMATS['F32'][3]
    if x == INF:
        return {'EX2': encode('F32', 0, Fraction(0) if s else INF), 'LG2': encode('F32', 0, INF),
                'TANH': encode('F32', s, Fraction(1))}[fn]
    if x == 0:
        return {'EX2': encode('F32', 0, Fraction(1)), 'COS': encode('F32', 0, Fraction(1)),
                'LG2': encode('F32', 1, INF)}.get(fn, s << 31)
    if fn == 'EX2':
        if x > 1000:
            return encode('F32', 0, Fraction(0) if s else INF)
        y = (decimal_of(-x if s else x) * Decimal(2).ln()).exp()
    elif fn == 'LG2':
        y = decimal_of(x).ln() / Decimal(2).ln()
    elif fn == 'TANH':
        if x > 100:
            return encode('F32', s, Fraction(1))
        e = (-2 * decimal_of(x)).exp()
        y = (1 - e) / (1 + e) * (-1 if s else 1)
    else:
        turn = x - x.numerator // x.denominator
        if 4 * turn == int(4 * turn):
            exact = [0, 1, 0, -1, 0][int(4 * turn) + (fn == 'COS')]
            exact = exact if fn == 'COS' or not s else -exact
            sign = s and fn == 'SIN' if exact == 0 else exact < 0
            return encode('F32', int(sign), Fraction(abs(exact)))
        y = taylor(2 * pi() * decimal_of(turn), fn == 'SIN') * (-1 if s and fn == 'SIN' else 1)
    return encode('F32', int(y < 0), abs(Fraction(y)), 'RN', True)
