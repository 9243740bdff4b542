"""Floating point in 32 and 64 bits."""
from fractions import Fraction

from . import floats
from .case import IMAD_FORMS, LANES, combine, per_lane
from .floatcase import FloatCase, ROUND, float_case, half_source


def float_sum(name, fmt, sources):
    """FADD, FMUL, FFMA and their doubles; the form's letters are B and C."""
    single = fmt == 'F32'

    def make(c, form):
        r = c.rng
        ftz, sat = single and r.random() < 0.3, single and r.random() < 0.2
        mode = r.choice(list(ROUND)) if r.random() < 0.6 else ''
        ops = [c.fop('R')] + [c.fop(k) for k in form]
        d = c.dest(pair=not single)
        scale, power = '', Fraction(1)
        if name == 'FMUL' and r.random() < 0.3:
            scale, power = r.choice([('.D2', Fraction(1, 2)), ('.D4', Fraction(1, 4)),
                                     ('.M2', Fraction(2)), ('.M8', Fraction(8))])
        function = {2: floats.mul, 1: floats.add, 3: floats.fma}[sources]
        more = {'scale': power} if sources == 2 else {}
        c.write(d, per_lane(lambda *v: function(fmt, *v, ROUND[mode], ftz, sat, **more),
                            *[v for _, v in ops]), pair=not single)
        text = f'{name}{".FTZ" if ftz else ""}{scale}{mode}{".SAT" if sat else ""}'
        return c.emit(f'{text} {d}, {", ".join(t for t, _ in ops)}')
    return float_case(fmt, make)


def float_setp(name, fmt):
    def make(c, form):
        r = c.rng
        names = [n for n in floats.RELATIONS if fmt == 'F32' or n not in 'FT']
        cmp, bop = r.choice(names), r.choice(['AND', 'OR', 'XOR'])
        ftz = fmt == 'F32' and r.random() < 0.3
        (a, va), (b, vb) = c.fop('R'), c.fop(form[0])
        tp, cp = c.pred()
        res = per_lane(lambda p, q: floats.compare(fmt, cmp, p, q, ftz), va, vb)
        mods = f'{cmp}{".FTZ" if ftz else ""}.{bop}'
        if name == 'FSET':
            d = c.dest()
            c.write(d, per_lane(lambda v, p: 0x3F800000 * combine(bop, v, p), res, cp))
            return c.emit(f'FSET.BF.{mods} {d}, {a}, {b}, {tp}')
        pu = c.pdest()
        pv = c.pdest(others=(pu,))
        c.write(pu, per_lane(lambda v, p: combine(bop, v, p), res, cp))
        c.write(pv, per_lane(lambda v, p: combine(bop, 1 - v, p), res, cp))
        return c.emit(f'{name}.{mods} {pu}, {pv}, {a}, {b}, {tp}')
    return float_case(fmt, make)


def float_pick(name):
    def make(c, form):
        ftz, nan = c.rng.random() < 0.3, c.rng.random() < 0.3
        (a, va), (b, vb) = c.fop('R'), c.fop(form[0])
        tp, cp = c.pred()
        d = c.dest()
        if name == 'FSEL':
            c.write(d, per_lane(lambda p, q, m: p if m else q, va, vb, cp))
            return c.emit(f'FSEL {d}, {a}, {b}, {tp}')
        c.write(d, per_lane(lambda p, q, m: floats.choose('F32', m, nan, p, q, ftz), va, vb, cp))
        return c.emit(f'FMNMX{".FTZ" if ftz else ""}{".NAN" if nan else ""} {d}, {a}, {b}, {tp}')
    return float_case('F32', make)


def dsetp_extreme(c, form):
    """MIN and MAX: whether A is it; whether both are NaN."""
    name, bop = c.rng.choice(['MIN', 'MAX']), c.rng.choice(['AND', 'OR', 'XOR'])
    (a, va), (b, vb) = c.fop('R'), c.fop(form)
    pu = c.pdest()
    pv = c.pdest(others=(pu,))
    tp, cp = c.pred()

    def first(p, q):
        (sp, x), (sq, y) = floats.value('F64', p), floats.value('F64', q)
        if x is None or y is None:
            return int(x is not None)
        kp, kq = (floats.number((sp, x)), -sp), (floats.number((sq, y)), -sq)
        return int(kp <= kq if name == 'MIN' else kp >= kq)

    nans = per_lane(lambda p, q: int(floats.value('F64', p)[1] is None and
                                     floats.value('F64', q)[1] is None), va, vb)
    c.write(pu, per_lane(lambda p, q, m: combine(bop, first(p, q), m), va, vb, cp))
    c.write(pv, per_lane(lambda n, m: combine(bop, n, m), nans, cp))
    return c.emit(f'DSETP.{name}.{bop} {pu}, {pv}, {a}, {b}, {tp}')


def fswzadd(c, form):
    codes = [c.rng.choice(['PP', 'PN', 'NP', 'ZP']) for _ in range(4)]
    (a, va), (b, vb) = c.reg(), c.reg()
    mode, ftz = c.rng.choice(list(ROUND)), c.rng.random() < 0.3
    d, res = c.dest(), []
    for l in range(LANES):
        code = codes[3 - l % 4]
        p = 0 if code[0] == 'Z' else floats.source('F32', va[l], code[0] == 'N', False)
        q = floats.source('F32', vb[l], code[1] == 'N', False)
        res.append(floats.add('F32', p, q, ROUND[mode], ftz))
    c.write(d, res)
    return c.emit(f'FSWZADD{".FTZ" if ftz else ""}{mode}.NDV {d}, {a}, {b}, {"".join(codes)}')


def mufu(c, form):
    """The algebraic functions, exactly rounded; b is never subnormal nor is the result."""
    fn = c.rng.choice(['RCP', 'RSQ', 'SQRT', 'RCP64H', 'RSQ64H'])
    fmt = 'F64' if fn.endswith('64H') else 'F32'
    c.fmt = 'F32'
    b, vb = c.fop(form)
    d = c.dest()

    def result(x):
        s, v = floats.value(fmt, x << 32 if fmt == 'F64' else x, False)
        if isinstance(v, Fraction) and v < Fraction(2) ** (2 - floats.FORMATS[fmt][1] - 1):
            v = Fraction(0)
        if v is None or (s and v != 0 and 'RCP' not in fn):
            s, v = 0, None
        elif 'RCP' in fn:
            v = floats.INF if v == 0 else Fraction(0) if v == floats.INF else 1 / v
        elif v in (0, floats.INF):
            v = v if fn == 'SQRT' else floats.INF if v == 0 else Fraction(0)
        else:
            v = v if fn == 'SQRT' else 1 / v
            k = 400 - v.numerator.bit_length() + v.denominator.bit_length() & -2
            n = v * Fraction(2) ** k
            n = n.numerator // n.denominator
            root = 1 << (n.bit_length() + 1) // 2
            while True:
                better = (root + n // root) // 2
                if better >= root:
                    break
                root = better
            v = (Fraction(root) + (Fraction(1, 2) if root * root != n or n != v * Fraction(2) ** k
                                   else 0)) / Fraction(2) ** (k // 2)
        if fmt == 'F32':
            return floats.encode('F32', s, v, 'RN', True)
        if not isinstance(v, Fraction) or v == 0:
            return floats.encode('F64', s, v) >> 32
        e = v.numerator.bit_length() - v.denominator.bit_length()
        e -= Fraction(2) ** e > v
        unit = Fraction(2) ** (e - 20)
        high = floats.to_integer(v / unit, s, 'RN') * unit
        return floats.encode('F64', s, high, 'RN', True) >> 32

    c.write(d, [result(v) for v in vb])
    return c.emit(f'MUFU.{fn} {d}, {b}')


def mufu_fixed(c, form):
    """Functions without a rational value: 2^x, log2 x, sin and cos of turns, tanh."""
    fn = c.rng.choice(['EX2', 'LG2', 'SIN', 'COS', 'TANH'])
    c.fmt = 'F32'
    b, vb = c.fop(form)
    d = c.dest()
    c.write(d, [floats.transcendental(fn, v) for v in vb])
    return c.emit(f'MUFU.{fn} {d}, {b}')


def mufu_half(c, form):
    fn = c.rng.choice(['EX2', 'TANH', 'SIN', 'COS', 'LG2'])
    b, vb = half_source(c, form)
    d = c.dest()
    singles = [floats.transcendental(fn, floats.convert('F32', 'F16', v)) for v in vb]
    c.write(d, [floats.convert('F16', 'F32', v) for v in singles])
    return c.emit(f'MUFU.{fn}.F16 {d}, {b}')


def fchk(c, form):
    """Operands about which the note leaves no doubt: numbers of middling size, and those that are
    not normal or whose quotient is not."""
    c.__class__, c.fmt = FloatCase, 'F32'
    easy = c.rng.random() < 0.5
    small, large = (100, 150) if easy else (240, 254)

    def number(low, high):
        return c.rng.getrandbits(1) << 31 | c.rng.randrange(low, high) << 23 | c.rng.getrandbits(23)

    odd = [0, 1 << 31, 1, 0x807FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFFFFFFF]
    pu, a = c.pdest(), f'R{c.rng.randrange(2, 10)}'
    c.inputs[a] = [number(small, large) for _ in range(LANES)]
    if form == 'I':
        b = f'{number(100, 150) if easy else number(1, 8):#x}'
    elif form == 'R':
        b = 'R12'
        c.inputs[b] = [number(100, 150) if easy else c.rng.choice([number(1, 8)] + odd)
                       for _ in range(LANES)]
    else:
        x = number(100, 150) if easy else c.rng.choice(odd)
        b = 'UR6' if form == 'U' else 'c[0x0][0x164]'
        if form == 'U':
            c.inputs[b] = [x]
        else:
            c.params[0x164] = x
    c.write(pu, [int(not easy)] * LANES)
    sign = c.rng.choice(['', '-']) if form != 'I' else ''
    return c.emit(f'FCHK {pu}, {a}, {sign}{b}')


ROWS = [
    ('FADD', float_sum('FADD', 'F32', 1), 'R I C U', 5),
    ('FMUL', float_sum('FMUL', 'F32', 2), 'R I C U', 5),
    ('FFMA', float_sum('FFMA', 'F32', 3), ' '.join(IMAD_FORMS), 5),
    ('DADD', float_sum('DADD', 'F64', 1), 'R I C U', 5),
    ('DMUL', float_sum('DMUL', 'F64', 2), 'R I C U', 5),
    ('DFMA', float_sum('DFMA', 'F64', 3), ' '.join(IMAD_FORMS), 5),
    ('FSETP', float_setp('FSETP', 'F32'), 'R I C U', 6),
    ('DSETP', float_setp('DSETP', 'F64'), 'R I C U', 6),
    ('FSET', float_setp('FSET', 'F32'), 'R C I U', 4),
    ('FSEL', float_pick('FSEL'), 'R I C U', 3),
    ('FMNMX', float_pick('FMNMX'), 'R I C U', 4),
    ('DSETP.MIN', float_case('F64', dsetp_extreme), 'R I C U', 3),
    ('FSWZADD', float_case('F32', fswzadd), 'R', 6),
    ('MUFU', float_case('F32', mufu), 'R C U I I', 6), ('FCHK', fchk, 'R I C U', 5),
    ('MUFU.EX2', float_case('F32', mufu_fixed), 'R', 10),
    ('MUFU.EX2.F16', float_case('F16', mufu_half), 'R C U', 3),
]
