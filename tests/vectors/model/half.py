"""Pairs of 16-bit floating-point numbers."""
from . import floats
from .case import IMAD_FORMS, LANES, combine, per_lane
from .floatcase import float_case, relu


def half_operand(c, letter, parts=True):
    """Text and, per lane, the two halves after part, bars and sign."""
    r = c.rng
    if letter == 'I':
        low, high = c.number(), c.number()
        return f'{high:#x}, {low:#x}', [(low, high)] * LANES
    text, v = c.operand(letter)
    neg, bars, part = r.random() < 0.3, r.random() < 0.2, r.choice(['', '', '.H0_H0', '.H1_H1'])
    part = part if parts else ''
    pick = {'': (0, 16), '.H0_H0': (0, 0), '.H1_H1': (16, 16)}[part]
    inner = part if letter != 'R' else ''
    text = f'|{text}{inner}|' if bars else text + inner
    text = ('-' if neg else '') + text + ('' if inner else part)
    return text, [tuple(floats.source('F16', x >> n & 0xFFFF, neg, bars) for n in pick) for x in v]


def half2(name, fmt, sources):
    def make(c, form):
        r, clip = c.rng, name.endswith('.RELU')
        mma, plain = name.startswith('HFMA2.MMA'), 'BF16_V2' in name
        ftz, sat = (not plain and r.random() < 0.25), (not plain and r.random() < 0.2)
        ops = [half_operand(c, k, not mma or k == 'R') for k in 'R' + form]
        tp, cp = c.pred() if clip else ('PT', [1] * LANES)
        function = {2: floats.mul, 1: floats.add, 3: floats.fma}[sources]

        def one(*v):
            if clip:
                x = function(fmt, *v[1:], 'RN', ftz, sat)
                return relu(fmt, x) if v[0] & 1 else x
            plain = not ftz and not sat
            if sources == 3 and plain and (v[0] | v[1]) & 0x7FFF == 0 and v[2] & 0x7FFF:
                return v[2]
            return function(fmt, *v, 'RN', ftz, sat)

        d = c.dest()
        columns = [v for _, v in ops]
        if clip:
            columns = [[(m, m) for m in cp]] + columns
        c.write(d, per_lane(lambda *v: one(*[x[0] for x in v]) | one(*[x[1] for x in v]) << 16,
                            *columns))
        mods = ('.FTZ' if ftz else '') + ('.RELU' if clip else '') + ('.SAT' if sat else '')
        texts = [t for t, _ in ops] + ([tp] if tp != 'PT' else [])
        return c.emit(f'{name.removesuffix(".RELU")}{mods} {d}, ' + ', '.join(texts))
    return float_case(fmt, make)


def half_turned(name, fmt):
    """B times the imaginary unit: (x, y) is (-y, x)."""
    def make(c, form):
        r, plain = c.rng, 'BF16_V2' in name
        ftz, sat = (not plain and r.random() < 0.25), (not plain and r.random() < 0.2)
        (ta, va), (tc, vc) = half_operand(c, 'R'), half_operand(c, 'R')
        tb, vb = c.reg()

        def one(x, y, z):
            if not ftz and not sat and (x | y) & 0x7FFF == 0 and z & 0x7FFF:
                return z
            return floats.fma(fmt, x, y, z, 'RN', ftz, sat)

        d = c.dest()
        c.write(d, per_lane(lambda x, y, z: one(x[0], y >> 16 ^ 0x8000, z[0])
                            | one(x[1], y & 0xFFFF, z[1]) << 16, va, vb, vc))
        mods = ('.FTZ' if ftz else '') + ('.SAT' if sat else '')
        return c.emit(f'{name}{mods} {d}, {ta}, {tb}.H0_NH1, {tc}')
    return float_case(fmt, make)


def half_compare(name, fmt='F16'):
    def make(c, form):
        r = c.rng
        ops = [half_operand(c, k) for k in 'R' + form]
        tp, cp = c.pred()
        ftz, va, vb = r.random() < 0.25, ops[0][1], ops[1][1]
        texts = ', '.join(t for t, _ in ops)
        d = c.dest()
        if name.startswith('HMNMX2'):
            nan, ftz = r.random() < 0.3, ftz and fmt == 'F16'
            c.write(d, per_lane(lambda p, q, m: sum(
                floats.choose(fmt, m, nan, p[i], q[i], ftz) << 16 * i for i in (0, 1)), va, vb, cp))
            mods = (".FTZ" if ftz else "") + (".NAN" if nan else "")
            return c.emit(f'{name}{mods} {d}, {texts}, {tp}')
        cmp, bop = r.choice(list(floats.RELATIONS)), r.choice(['AND', 'OR', 'XOR'])
        mods = f'{cmp}{".FTZ" if ftz else ""}.{bop}'
        res = [per_lane(lambda p, q, m: combine(bop, floats.compare('F16', cmp, p[i], q[i], ftz),
                                                m), va, vb, cp) for i in (0, 1)]
        if name == 'HSET2':
            bf = r.random() < 0.5
            c.write(d, per_lane(lambda p, q: (p | q << 16) * (0x3C00 if bf else 0xFFFF), *res))
            return c.emit(f'HSET2{".BF" if bf else ""}.{mods} {d}, {texts}, {tp}')
        pu = c.pdest()
        pv = c.pdest(others=(pu,))
        c.write(pu, res[0])
        c.write(pv, res[1])
        return c.emit(f'HSETP2.{mods} {pu}, {pv}, {texts}, {tp}')
    return float_case(fmt, make)


def hadd2_f32(c, form):
    ftz, sat = c.rng.random() < 0.25, c.rng.random() < 0.2
    ops = [half_operand(c, k) for k in 'R' + form]
    d = c.dest()
    v = [[floats.convert('F32', 'F16', x[0]) for x in w] for _, w in ops]
    c.write(d, per_lane(lambda p, q: floats.add('F32', p, q, 'RN', ftz, sat), *v))
    return c.emit(f'HADD2.F32{".FTZ" if ftz else ""}{".SAT" if sat else ""} {d}, '
                  + ', '.join(t for t, _ in ops))


ROWS = [
    ('HADD2', half2('HADD2', 'F16', 1), 'R I C U', 4),
    ('HADD2.F32', float_case('F16', hadd2_f32), 'R C U', 4),
    ('HMUL2', half2('HMUL2', 'F16', 2), 'R I C U', 4),
    ('HFMA2', half2('HFMA2', 'F16', 3), ' '.join(IMAD_FORMS), 4),
    ('HFMA2.H0_NH1', half_turned('HFMA2', 'F16'), 'RR', 12),
    ('HFMA2.BF16_V2.H0_NH1', half_turned('HFMA2.BF16_V2', 'BF16'), 'RR', 12),
    ('HFMA2.RELU', half2('HFMA2.RELU', 'F16', 3), ' '.join(IMAD_FORMS), 3),
    ('HFMA2.BF16_V2', half2('HFMA2.BF16_V2', 'BF16', 3), ' '.join(IMAD_FORMS), 3),
    ('HFMA2.BF16_V2.RELU', half2('HFMA2.BF16_V2.RELU', 'BF16', 3), ' '.join(IMAD_FORMS), 3),
    ('HFMA2.MMA', half2('HFMA2.MMA', 'F16', 3), ' '.join(IMAD_FORMS), 3),
    ('HFMA2.MMA.RELU', half2('HFMA2.MMA.RELU', 'F16', 3), ' '.join(IMAD_FORMS), 3),
    ('HMNMX2', half_compare('HMNMX2'), 'R I C U', 5),
    ('HMNMX2.BF16_V2', half_compare('HMNMX2.BF16_V2', 'BF16'), 'R I C U', 4),
    ('HSET2', half_compare('HSET2'), 'R I C U', 5),
    ('HSETP2', half_compare('HSETP2'), 'R I C U', 5),
]
