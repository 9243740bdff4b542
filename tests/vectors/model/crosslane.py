"""Instructions in which lanes read each other."""
from .case import LANES, M32, M64, signed


def vote(c, form):
    op = c.rng.choice(['ALL', 'ANY', 'EQ'])
    tp, cp = c.pred()
    if c.rng.random() < 0.2:
        p = c.rng.choice([0, c.mask, M32])
        c.inputs['P3'], tp, cp = p, 'P3', [p >> l & 1 for l in range(LANES)]
    ballot = sum(v << l for l, v in enumerate(cp)) & c.mask
    truth = {'ALL': ballot == c.mask, 'ANY': ballot != 0, 'EQ': ballot in (0, c.mask)}[op]
    d = c.dest() if c.rng.random() < 0.7 else None
    d = None if d == 'RZ' else d
    pu = c.pdest()
    c.write(d, [ballot] * LANES)
    c.write(pu, [int(truth)] * LANES)
    return c.emit(f'VOTE.{op} {d + ", " if d else ""}{pu}, {tp}')


def voteu(c, form):
    op = c.rng.choice(['ALL', 'ANY', 'EQ'])
    p = c.rng.choice([0, c.mask, M32, c.rng.getrandbits(32)])
    c.inputs['P3'] = p
    ballot = p & c.mask
    truth = {'ALL': ballot == c.mask, 'ANY': ballot != 0, 'EQ': ballot in (0, c.mask)}[op]
    c.inputs['UR9'], c.outputs['UR9'] = [c.word()], [ballot]
    c.inputs['UP2'], c.outputs['UP2'] = 0, int(truth)
    return c.emit(f'VOTEU.{op} UR9, UP2, P3')


def shfl(c, form):
    r, mode = c.rng, c.rng.choice(['IDX', 'UP', 'DOWN', 'BFLY'])
    a, va = c.reg(zero=0.02)
    if form[0] == 'r':
        b, vb = c.reg()
    else:
        n = r.randrange(32)
        b, vb = f'{n:#x}', [n] * LANES
    if form[1] == 'r':
        k, vk = c.reg()
    else:
        n = r.choice([0x1f, 0x1f, 0, 0x1e01, 0x1c03, 0x101f, 0x181f, r.getrandbits(13)])
        k, vk = f'{n:#x}', [n] * LANES
    d, pu = c.dest(), c.pdest()
    res, ok = [], []
    for l in range(LANES):
        clamp, seg, n = vk[l] & 31, vk[l] >> 8 & 31, vb[l] & 31
        last = (l & seg) | (clamp & ~seg & 31)
        j = {'IDX': (l & seg) | (n & ~seg & 31), 'UP': l - n, 'DOWN': l + n, 'BFLY': l ^ n}[mode]
        fits = j >= last if mode == 'UP' else j <= last
        ok.append(int(fits))
        res.append(va[j] if fits else va[l])
    c.write(d, res)
    c.write(pu, ok)
    return c.emit(f'SHFL.{mode} {pu}, {d}, {a}, {b}, {k}')


def match(c, form):
    every, wide = c.rng.random() < 0.5, c.rng.random() < 0.5
    values = [c.word() | c.word() << 32 for _ in range(c.rng.choice([1, 1, 3]))]
    v = [c.rng.choice(values) & (M64 if wide else M32) for _ in range(LANES)]
    c.inputs['R8'] = [x & M32 for x in v]
    if wide:
        c.inputs['R9'] = [x >> 32 for x in v]
    active = [l for l in range(LANES) if c.mask >> l & 1]
    same = [sum(1 << m for m in active if v[m] == v[l]) for l in range(LANES)]
    d, suffix = c.dest(), '.U64' if wide else ''
    if every:
        whole = same[active[0]] == c.mask
        pu = c.pdest()
        c.write(d, [c.mask if whole else 0] * LANES)
        c.write(pu, [int(whole)] * LANES)
        return c.emit(f'MATCH.ALL{suffix} {pu}, {d}, R8')
    c.write(d, same)
    return c.emit(f'MATCH.ANY{suffix} {d}, R8')


def redux(c, form):
    op, s = c.rng.choice(['', '.OR', '.XOR', '.SUM', '.MIN', '.MAX']), c.rng.random() < 0.5
    a, va = c.reg()
    v = [va[l] for l in range(LANES) if c.mask >> l & 1]
    key = signed if s else (lambda x: x)
    result = v[0]
    for x in v[1:]:
        result = {'': result & x, '.OR': result | x, '.XOR': result ^ x,
                  '.SUM': result + x & M32, '.MIN': min(result, x, key=key),
                  '.MAX': max(result, x, key=key)}[op]
    c.inputs['UR7'], c.outputs['UR7'] = [c.word()], [result]
    return c.emit(f'REDUX{op}{".S32" if s else ""} UR7, {a}')


def movm(c, form):
    a, va = c.reg(zero=0)
    matrix = [[va[4 * r + k // 2] >> 16 * (k % 2) & 0xFFFF for k in range(8)] for r in range(8)]
    d = c.dest()
    c.write(d, [matrix[2 * (l % 4)][l // 4] | matrix[2 * (l % 4) + 1][l // 4] << 16
                for l in range(LANES)])
    return c.emit(f'MOVM.16.MT88 {d}, {a}')


ROWS = [
    ('VOTE', vote, 'P', 30), ('SHFL', shfl, 'rr ri ir ii', 24),
    ('VOTEU', voteu, 'P', 10), ('MATCH', match, 'R', 16), ('REDUX', redux, 'R', 20),
    ('MOVM', movm, 'R', 3),
]
