"""Matrix products of 4-bit and 1-bit elements."""
from .case import LANES, M32, signed


def matrix(c, form):
    """IMMA of 4-bit elements and BMMA; element k of row m of A, k of column n of B, (m, n) of C
    lie where the PTX manual's formulas for mma.sync say."""
    r, bits = c.rng, 1 if form.startswith('BMMA') else 4
    shape = form.split('.')[1]
    rows, depth = (8, int(shape[2:])) if shape.startswith('88') else (16, int(shape[3:]))
    group, per = 32 // bits, (1 << bits) - 1
    c.mask = M32
    quads, blocks = rows // 8, depth // (4 * group)
    names, at = {}, 2
    for name, size in (('d', 2 * quads), ('a', quads * blocks), ('b', blocks), ('c', 2 * quads)):
        at = (at + 3) & ~3
        names[name], at = (at, size), at + size
    for name in 'abc':
        first, size = names[name]
        for i in range(size):
            c.inputs[f'R{first + i}'] = [r.choice([c.word(), r.getrandbits(32), M32, 0x88888888])
                                         for _ in range(LANES)]
    get = {n: [c.inputs[f'R{names[n][0] + i}'] for i in range(names[n][1])] for n in 'abc'}
    sa, sb, sat = (r.random() < 0.5 for _ in range(3))
    op = r.choice(['XOR', 'AND'])

    def element(words, lane, i, is_signed):
        x = words[i // group][lane] >> (i % group * bits) & per
        return signed(x, bits) if is_signed else x

    def a_at(m, k):
        i = k % group + group * (m // 8) + group * quads * (k // (4 * group))
        return element(get['a'], m % 8 * 4 + k // group % 4, i, sa and bits == 4)

    def b_at(k, n):
        i = k % group + group * (k // (4 * group))
        return element(get['b'], n * 4 + k // group % 4, i, sb and bits == 4)

    out = [[0] * LANES for _ in range(2 * quads)]
    for m in range(rows):
        for n in range(8):
            reg, lane = m // 8 * 2 + n % 2, m % 8 * 4 + n // 2
            total = signed(get['c'][reg][lane])
            for k in range(depth):
                p, q = a_at(m, k), b_at(k, n)
                total += p * q if bits == 4 else p ^ q if op == 'XOR' else p & q
            if bits == 4 and sat:
                total = min(max(total, -(1 << 31)), (1 << 31) - 1)
            out[reg][lane] = total & M32
    for i, row in enumerate(out):
        c.write(f'R{names["d"][0] + i}', row)
    mods = f'.{op}.POPC' if bits == 1 else f'.{"US"[sa]}4.{"US"[sb]}4{".SAT" if sat else ""}'
    return c.emit(f'{form}{mods} R{names["d"][0]}, R{names["a"][0]}.ROW, R{names["b"][0]}.COL, '
                  f'R{names["c"][0]}')


ROWS = [
    ('matrix', matrix, 'IMMA.8832 IMMA.16832 IMMA.16864 BMMA.88128 BMMA.168128 BMMA.168256', 5),
]
