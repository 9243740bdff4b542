"""Modular and Montgomery arithmetic per lane, and wide multiply-add."""
from .case import LANES, M32, M64, per_lane


def modulus(c, bits, letter):
    """A modulus operand that is never 0; hostile sizes."""
    r = c.rng

    def draw():
        w = r.choice([bits, bits, bits - 1, bits - 2, bits // 2, 4, 1])
        return max(1, r.choice([r.getrandbits(w), (1 << w) - 1, r.getrandbits(w) | 1]))

    if letter == 'R':
        n = r.randrange(20, 30) & ~1
        values = [draw() for _ in range(LANES)]
        for i in range(bits // 32):
            c.inputs[f'R{n + i}'] = [v >> (32 * i) & M32 for v in values]
        return f'R{n}', values
    value = draw()
    if letter == 'U':
        n = r.randrange(4, 30) & ~1
        for i in range(bits // 32):
            c.inputs[f'UR{n + i}'] = [value >> (32 * i) & M32]
        return f'UR{n}', [value] * LANES
    offset = 0x160 + 8 * r.randrange(8)
    for i in range(bits // 32):
        c.params[offset + 4 * i] = value >> (32 * i) & M32
    return f'c[0x0][{offset:#x}]', [value] * LANES


def modular(name, function, sources):
    def make(c, form):
        bits = c.rng.choice([32, 64])
        wide = bits == 64
        ops = [c.reg(pair=wide) for _ in range(sources)]
        m, vm = modulus(c, bits, form[0])
        d = c.dest(pair=wide)
        c.write(d, per_lane(lambda *v: function(bits, *v), *[v for _, v in ops], vm), pair=wide)
        return c.emit(f'{name}.U{bits} {d}, {", ".join(t for t, _ in ops)}, {m}')
    return make


def montmul_value(bits, x, y, m):
    """The definition: one bit of x per step, the sum unbounded."""
    s = 0
    for i in range(bits):
        s += (x >> i & 1) * y
        s += (s & 1) * m
        s >>= 1
    return (s - m if s >= m else s) & ((1 << bits) - 1)


def wmac(c, form):
    a, va = c.reg(pair=True)
    b, vb = c.reg(pair=True)
    s, vs = c.reg(pair=True)
    half = c.rng.choice(['LO', 'HI'])
    d = c.dest(pair=True)
    c.write(d, per_lane(lambda p, q, w: (p * q + w) >> (64 if half == 'HI' else 0) & M64,
                        va, vb, vs), pair=True)
    return c.emit(f'WMAC.{half}.U64 {d}, {a}, {b}, {s}')


ROWS = [
    ('MODRED', modular('MODRED', lambda n, a, m: a % m, 1), 'R C U', 8),
    ('MODADD', modular('MODADD', lambda n, a, b, m: (a + b) % m, 2), 'R C U', 8),
    ('MODSUB', modular('MODSUB', lambda n, a, b, m: (a - b) % m, 2), 'R C U', 8),
    ('MODMUL', modular('MODMUL', lambda n, a, b, m: a * b % m, 2), 'R C U', 8),
    ('MODMAD', modular('MODMAD', lambda n, a, b, k, m: (a * b + k) % m, 3), 'R C U', 8),
    ('WMAC', wmac, 'R', 16),
    ('MONTMUL', modular('MONTMUL', montmul_value, 2), 'R C U', 8),
]
