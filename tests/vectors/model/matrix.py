"""Matrix products: modular ones, and of elements of 8, 4 bits and 1 bit."""
from .case import LANES, M32, M64, signed


def place(c, sizes):
    """Numbers of the first registers of operands of these sizes, as a mapping from their names."""
    names, at = {}, 2
    for name, size in sizes:
        at = -(-at // size) * size
        names[name], at = at, at + size
    return names


def matrix(c, form):
    """IMMA and BMMA; element k of row m of A, k of column n of B, (m, n) of C lie where the PTX
    manual's formulas for mma.sync say."""
    name, shape, bits = form.split('.')
    r, bits = c.rng, int(bits)
    rows, depth = (8, int(shape[2:])) if shape.startswith('88') else (16, int(shape[3:]))
    group, per = 32 // bits, (1 << bits) - 1
    c.mask = M32
    quads, blocks = rows // 8, depth // (4 * group)
    sizes = {'d': 2 * quads, 'a': quads * blocks, 'b': blocks, 'c': 2 * quads}
    first = place(c, list(sizes.items()))
    for op in 'abc':
        for i in range(sizes[op]):
            c.inputs[f'R{first[op] + i}'] = [
                r.choice([c.word(), r.getrandbits(32), M32, 0x88888888]) for _ in range(LANES)]
    get = {n: [c.inputs[f'R{first[n] + i}'] for i in range(sizes[n])] for n in 'abc'}
    sa, sb, sat = (r.random() < 0.5 for _ in range(3))
    op = r.choice(['XOR', 'AND'])

    def element(words, lane, i, is_signed):
        x = words[i // group][lane] >> (i % group * bits) & per
        return signed(x, bits) if is_signed else x

    def a_at(m, k):
        i = k % group + group * (m // 8) + group * quads * (k // (4 * group))
        return element(get['a'], m % 8 * 4 + k // group % 4, i, sa and bits > 1)

    def b_at(k, n):
        i = k % group + group * (k // (4 * group))
        return element(get['b'], n * 4 + k // group % 4, i, sb and bits > 1)

    out = [[0] * LANES for _ in range(2 * quads)]
    for m in range(rows):
        for n in range(8):
            reg, lane = m // 8 * 2 + n % 2, m % 8 * 4 + n // 2
            total = signed(get['c'][reg][lane])
            for k in range(depth):
                p, q = a_at(m, k), b_at(k, n)
                total += p * q if bits > 1 else p ^ q if op == 'XOR' else p & q
            if bits > 1 and sat:
                total = min(max(total, -(1 << 31)), (1 << 31) - 1)
            out[reg][lane] = total & M32
    for i, row in enumerate(out):
        c.write(f'R{first["d"] + i}', row)
    mods = (f'{op}.POPC' if bits == 1
            else f'{"US"[sa]}{bits}.{"US"[sb]}{bits}{".SAT" if sat else ""}')
    return c.emit(f'{name}.{shape}.{mods} R{first["d"]}, R{first["a"]}.ROW, R{first["b"]}.COL, '
                  f'R{first["c"]}')


def fhec(c, form):
    """FHEC: sixteen steps for each element of D, in the order of k, each as the sheet defines it.
    Lane 4g + t holds in register i of A element (g + 8 (i mod 2), t + 4 (i div 2)), of B element
    (t + 4 i, g), of C and D element (g + 8 (i div 2), 2t + i mod 2)."""
    r, mix = c.rng, form == 'MIX'
    c.mask = M32
    names = place(c, [('d', 4), ('a', 8), ('b', 4), ('c', 4)] + [('m', 4)] * mix)

    def descriptor():
        q = max(1, r.choice([r.getrandbits(32), r.getrandbits(31) | 1 << 30, r.getrandbits(30),
                             1 << r.randrange(32), M32, 1, 2, r.getrandbits(8)]))
        mu = r.choice([(1 << 64) // q & M64] * 4 + [r.getrandbits(64), M64, 0])
        return [q, r.getrandbits(32), mu & M32, mu >> 32]

    def rows(name, size, most):
        for i in range(size):
            c.inputs[f'R{names[name] + i}'] = [min(c.word(), most) for _ in range(LANES)]
        return [c.inputs[f'R{names[name] + i}'] for i in range(size)]

    most = r.choice([M32, M32, (1 << 31) - 1, (1 << 30) - 1])
    a, b, acc = rows('a', 8, most), rows('b', 4, most), rows('c', 4, M32)
    if mix:
        columns = [descriptor() for _ in range(8)]
        for i in range(4):
            c.inputs[f'R{names["m"] + i}'] = [columns[l // 4][i] for l in range(LANES)]
        text = f'R{names["m"]}'
    else:
        columns = [descriptor()] * 8
        n = r.randrange(4, 28, 4)
        for i in range(4):
            c.inputs[f'UR{n + i}'] = [columns[0][i]]
        text = f'UR{n}'
    out = [[0] * LANES for _ in range(4)]
    for i in range(16):
        for j in range(8):
            q, mu = columns[j][0], columns[j][3] << 32 | columns[j][2]
            reg, lane = i // 8 * 2 + j % 2, i % 8 * 4 + j // 2
            total = acc[reg][lane]
            for k in range(16):
                z = total + a[i // 8 + 2 * (k // 4)][i % 8 * 4 + k % 4] * b[k // 4][4 * j + k % 4]
                v = (z - (z * mu >> 64) * q) % (1 << 33)
                total = (v - q if v >= q else v) & M32
            out[reg][lane] = total
    for i, row in enumerate(out):
        c.write(f'R{names["d"] + i}', row)
    types = r.choice(['U32.U32', 'S32.S32'])
    return c.emit(f'FHEC.16816.{types}{".MIX" if mix else ""} R{names["d"]}, R{names["a"]}.ROW, '
                  f'R{names["b"]}.COL, R{names["c"]}, {text}')


ROWS = [
    ('fhec', fhec, 'UNIFORM MIX', 12),
    ('matrix', matrix, 'IMMA.8816.8 IMMA.16816.8 IMMA.16832.8 IMMA.8832.4 IMMA.16832.4 '
     'IMMA.16864.4 BMMA.88128.1 BMMA.168128.1 BMMA.168256.1', 5),
]
