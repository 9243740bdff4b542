"""Matrix products of floating point numbers, through fractions. Where elements lie is taken from
the PTX manual's formulas for mma.sync; how HMMA's sums are cut, from the choice on its page."""
from fractions import Fraction

from . import floats
from .case import LANES, M32
from .matrix import place

CUT = 24   # bits kept behind the point of the largest term


def floor_log2(x):
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if Fraction(2) ** e <= x else e - 1


def cut(x, unit):
    """|x| down to a multiple of unit, with the sign."""
    n = abs(x) / unit
    n = (n.numerator // n.denominator) * unit
    return -n if x < 0 else n


def factor(fmt, x):
    """A factor as (sign, magnitude) and its exponent."""
    if fmt == 'TF32':
        fmt, x = 'F32', x & ~0x1FFF
    sign, v = floats.value(fmt, x)
    if not isinstance(v, Fraction) or v == 0:
        return (sign, v), 0
    e = floor_log2(v)
    return (sign, v), e if fmt == 'F16' else max(e, -126)


def step(total, products):
    """total (sign, magnitude) and products with their exponents, added as one block; to F32."""
    (sign, v) = total
    terms = [(total, max(floor_log2(v), -126) if isinstance(v, Fraction) and v else 0)] + products
    if any(x is None for (_, x), _ in terms):
        return 0, None
    infinite = {s for (s, x), _ in terms if x == floats.INF}
    if infinite:
        return (0, None) if len(infinite) == 2 else (infinite.pop(), floats.INF)
    alive = [(-x if s else x, e) for (s, x), e in terms if x]
    if not alive:
        return int(all(s for (s, _), _ in terms)), Fraction(0)
    unit = Fraction(2) ** (max(e for _, e in alive) - CUT)
    exact = sum(cut(x, unit) for x, _ in alive)
    if exact == 0:
        return 0, Fraction(0)
    sign, v = int(exact < 0), abs(exact)
    e = floor_log2(v)
    if e > 127:
        return sign, floats.INF
    return sign, cut(v, Fraction(2) ** (max(e, -126) - 23))


def numbers(r, fmt):
    """A source of patterns: integers with exact sums, numbers near each other, or all kinds."""
    base = 'F32' if fmt == 'TF32' else fmt
    p, emax, bits, _ = floats.FORMATS[base]
    kind = r.choice(['exact', 'near', 'near', 'wide', 'wild'])

    def draw():
        sign = r.getrandbits(1) << (bits - 1)
        if kind == 'exact':
            return floats.from_int(base, r.randrange(-40, 40))
        if kind == 'wild' and r.random() < 0.1:
            return r.choice(floats.edges(base))
        span = {'near': 3, 'wide': 13, 'wild': emax - 1}[kind]
        e = emax + (0 if fmt in ('F16', 'F64') else r.choice([0, 0, -60])) * (kind == 'wide')
        e += r.randrange(-span, span + 1)
        return sign | max(e, 0) << (p - 1) | r.getrandbits(p - 1)
    return draw


def rows_of(c, first, count, draw, per):
    """Registers of elements: `per` to a register, or registers to an element if below 1."""
    for i in range(count):
        c.inputs[f'R{first + i}'] = [0] * LANES
    words = [c.inputs[f'R{first + i}'] for i in range(count)]
    for lane in range(LANES):
        if per == 2:
            for i in range(count):
                words[i][lane] = draw() | draw() << 16
        elif per == 1:
            for i in range(count):
                words[i][lane] = draw()
        else:
            for i in range(0, count, 2):
                x = draw()
                words[i][lane], words[i + 1][lane] = x & M32, x >> 32
    return words


def hmma(c, form):
    shape, sums, fmt = form.split('.')
    r, c.mask = c.rng, M32
    depth, wide = int(shape[3:]), fmt == 'TF32'
    per, block = (1, 4) if wide else (2, 8)
    size_a, size_b, size_c = depth // (4 * per) * 2, depth // (4 * per), 4 if sums == 'F32' else 2
    first = place(c, [('d', size_c), ('a', size_a), ('b', size_b), ('c', size_c)])
    draw = numbers(r, fmt)
    a = rows_of(c, first['a'], size_a, draw, per)
    b = rows_of(c, first['b'], size_b, draw, per)
    acc = rows_of(c, first['c'], size_c, numbers(r, sums), 1 if sums == 'F32' else 2)

    def part(word, i):
        return word if wide else word >> 16 * i & 0xFFFF

    def a_at(m, k):
        return part(a[m // 8 + 2 * (k // (4 * per))][m % 8 * 4 + k // per % 4], k % per)

    def b_at(k, n):
        return part(b[k // (4 * per)][n * 4 + k // per % 4], k % per)

    out = [[0] * LANES for _ in range(size_c)]
    for m in range(16):
        for n in range(8):
            lane = m % 8 * 4 + n // 2
            reg, shift = (m // 8 * 2 + n % 2, 0) if sums == 'F32' else (m // 8, n % 2 * 16)
            total = floats.value(sums, acc[reg][lane] >> shift & (0xFFFF if sums == 'F16' else M32))
            for k in range(0, depth, block):
                products = []
                for i in range(k, k + block):
                    (x, ex), (y, ey) = factor(fmt, a_at(m, i)), factor(fmt, b_at(i, n))
                    products.append((floats.multiply(x, y), ex + ey))
                total = step(total, products)
            out[reg][lane] |= floats.encode(sums, *total) << shift
    for i, row in enumerate(out):
        c.write(f'R{first["d"] + i}', row)
    suffix = '' if fmt == 'F16' else f'.{fmt}'
    return c.emit(f'HMMA.{shape}.{sums}{suffix} R{first["d"]}, R{first["a"]}, R{first["b"]}, '
                  f'R{first["c"]}')


def dmma(c, form):
    """Element (m, k) of A in lane 4m + k, (k, n) of B in 4n + k, (m, n) of C in 4m + n div 2."""
    r, c.mask = c.rng, M32
    first = place(c, [('d', 4), ('a', 2), ('b', 2), ('c', 4)])
    draw = numbers(r, 'F64')
    words = {n: rows_of(c, first[n], size, draw, 0.5) for n, size in (('a', 2), ('b', 2), ('c', 4))}
    text, signs = {}, {}
    for n in 'abc':
        signs[n] = neg, bars = r.random() < 0.3, r.random() < 0.3
        text[n] = f'|R{first[n]}|' if bars else f'R{first[n]}'
        text[n] = '-' + text[n] if neg else text[n]

    def at(n, pair, lane):
        x = words[n][2 * pair][lane] | words[n][2 * pair + 1][lane] << 32
        return floats.source('F64', x, *signs[n])

    out = [[0] * LANES for _ in range(4)]
    for m in range(8):
        for n in range(8):
            lane = 4 * m + n // 2
            total = at('c', n % 2, lane)
            for k in range(4):
                total = floats.fma('F64', at('a', 0, 4 * m + k), at('b', 0, 4 * n + k), total,
                                   form)
            out[n % 2 * 2][lane], out[n % 2 * 2 + 1][lane] = total & M32, total >> 32
    for i, row in enumerate(out):
        c.write(f'R{first["d"] + i}', row)
    return c.emit(f'DMMA.884{"" if form == "RN" else "." + form} R{first["d"]}, {text["a"]}, '
                  f'{text["b"]}, {text["c"]}')


ROWS = [
    ('hmma', hmma, '1688.F16.F16 1688.F32.F16 16816.F16.F16 16816.F32.F16 1688.F32.BF16 '
     '16816.F32.BF16 1684.F32.TF32 1688.F32.TF32', 6),
    ('dmma', dmma, 'RN RM RP RZ', 6),
]
