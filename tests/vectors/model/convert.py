"""Conversions between numbers of all kinds, and rounding to integers."""
from . import floats
from .case import IMAD_FORMS, M32, M64, per_lane, signed
from .floatcase import INTEGRAL, ROUND, float_case, half_source, relu

INTEGERS = ['U8', 'S8', 'U16', 'S16', 'U32', 'S32', 'U64', 'S64']


def f2i(fmt):
    def make(c, form):
        r = c.rng
        kind = r.choice(INTEGERS)
        mode, ntz = r.choice(list(INTEGRAL)), r.random() < 0.5
        ftz = r.random() < 0.3
        b, vb = c.fop(form[0])
        bits = int(kind[1:])
        wide = bits == 64
        d = c.dest(pair=wide)
        c.write(d, [floats.to_int(fmt, v, bits, kind[0] == 'S', INTEGRAL[mode], ntz, ftz)
                    & (M64 if wide else M32) for v in vb], pair=wide)
        name = f'F2I{".FTZ" if ftz else ""}{"" if kind == "S32" else "." + kind}'
        name += f'{".F64" if fmt == "F64" else ""}{mode}{".NTZ" if ntz else ""}'
        return c.emit(f'{name} {d}, {b}')
    return float_case(fmt, make)


def f2i_f16(c, form):
    kind, mode, ntz = c.rng.choice(INTEGERS), c.rng.choice(list(INTEGRAL)), c.rng.random() < .5
    ftz, wide = c.rng.random() < 0.3, kind.endswith('64')
    b, vb = half_source(c, form)
    d = c.dest(pair=wide)
    c.write(d, [floats.to_int('F16', x, int(kind[1:]), kind[0] == 'S', INTEGRAL[mode], ntz, ftz)
                & (M64 if wide else M32) for x in vb], pair=wide)
    name = f'F2I{".FTZ" if ftz else ""}{"" if kind == "S32" else "." + kind}.F16{mode}'
    return c.emit(f'{name}{".NTZ" if ntz else ""} {d}, {b}')


def i2f(c, form):
    r = c.rng
    kind, dst = r.choice(INTEGERS), r.choice(['F16', 'F32', 'F64'])
    bits, mode = int(kind[1:]), r.choice(list(ROUND))
    if form == 'I' and bits != 32:
        return None
    b, vb = c.operand(form, pair=bits == 64)
    part = r.randrange(32 // bits) if bits < 32 else 0
    suffix = (f'.B{part}' if bits == 8 else f'.H{part}') if part else ''
    v = [x >> (part * bits) & ((1 << bits) - 1) for x in vb]
    v = [signed(x, bits) if kind[0] == 'S' else x for x in v]
    d = c.dest(pair=dst == 'F64')
    c.write(d, [floats.from_int(dst, x, ROUND[mode]) for x in v], pair=dst == 'F64')
    name = f'I2F{"" if dst == "F32" else "." + dst}{"" if kind == "S32" else "." + kind}{mode}'
    return c.emit(f'{name} {d}, {b}{suffix}')


def i2fp(c, form):
    kind, mode = c.rng.choice(['U32', 'S32']), c.rng.choice(list(ROUND))
    b, vb = c.operand(form)
    d = c.dest()
    c.write(d, [floats.from_int('F32', signed(x) if kind == 'S32' else x, ROUND[mode])
                for x in vb])
    return c.emit(f'I2FP.F32.{kind}{mode} {d}, {b}')


def f2ip(c, form):
    """NaN: compilers write .NTZ, with which it is 0."""
    r = c.rng
    kind, mode, clip = r.choice(['U8', 'S8']), r.choice(list(INTEGRAL)), r.random() < 0.3
    (a, va), (b, vb), (k, vk) = c.reg(), c.operand(form[0]), c.operand(form[1])
    low, high = (0, 255) if kind == 'U8' else (-128, 127)

    def byte(x):
        n = signed(floats.to_int('F32', x, 32, True, INTEGRAL[mode], True, False) & M32)
        return min(max(n, 0 if clip else low), high) & 0xFF

    d = c.dest()
    c.write(d, per_lane(lambda x, y, w: (w << 16 | byte(x) << 8 | byte(y)) & M32, va, vb, vk))
    return c.emit(f'F2IP.{kind}.F32{mode}.NTZ{".RELU" if clip else ""} {d}, {a}, {b}, {k}')


def frnd(fmt):
    def make(c, form):
        wide, mode = fmt == 'F64', c.rng.choice(list(INTEGRAL))
        ftz = c.rng.random() < 0.3
        b, vb = half_source(c, form) if fmt == 'F16' else c.fop(form)
        d = c.dest(pair=wide)
        c.write(d, [floats.integral(fmt, v, INTEGRAL[mode], ftz) for v in vb], pair=wide)
        name = f'FRND{".FTZ" if ftz else ""}{"" if fmt == "F32" else "." + fmt}{mode}'
        return c.emit(f'{name} {d}, {b}')
    return float_case(fmt, make)


def f2f(dst, fmt):
    def make(c, form):
        wide, mode = dst == 'F64', c.rng.choice(list(ROUND))
        b, vb = half_source(c, form) if fmt == 'F16' else c.fop(form)
        d = c.dest(pair=wide)
        c.write(d, [floats.convert(dst, fmt, v, ROUND[mode]) for v in vb], pair=wide)
        return c.emit(f'F2F.{dst}.{fmt}{mode} {d}, {b}')
    return float_case(fmt, make)


def f2fp(c, form):
    to, mode, clip = c.rng.choice(['F16', 'BF16']), c.rng.choice(list(ROUND)), c.rng.random() < 0.4
    (a, va), (b, vb) = c.fop('R'), c.fop(form[0])
    d = c.dest()

    def half(x):
        h = floats.convert(to, 'F32', x, ROUND[mode])
        return relu(to, h) if clip else h

    c.write(d, per_lane(lambda p, q: half(p) << 16 | half(q), va, vb))
    name = f'F2FP{".RELU" if clip else ""}{".BF16" if to == "BF16" else ""}.PACK_AB{mode}'
    return c.emit(f'{name} {d}, {a}, {b}')


def f2fp_merge(c, form):
    to, mode, clip = c.rng.choice(['F16', 'BF16']), c.rng.choice(list(ROUND)), c.rng.random() < 0.4
    b, vb = c.fop(form[0], signs=form[1] == 'R')
    k, vk = c.fop(form[1], signs=False)
    d = c.dest()

    def merge(x, w):
        h = floats.convert(to, 'F32', x, ROUND[mode])
        return w & 0xFFFF0000 | (relu(to, h) if clip else h)

    c.write(d, per_lane(merge, vb, vk))
    name = f'F2FP{".RELU" if clip else ""}{".BF16" if to == "BF16" else ""}.MERGE_C{mode}'
    return c.emit(f'{name} {d}, {b}, {k}')


ROWS = [
    ('F2I', f2i('F32'), 'R I C U', 8), ('F2I.F64', f2i('F64'), 'R I C U', 6),
    ('F2I.F16', float_case('F16', f2i_f16), 'R C U', 8), ('I2F', i2f, 'R C U I R C U R', 12),
    ('I2FP', i2fp, 'R I C U', 6), ('F2IP', float_case('F32', f2ip), 'RR RI RC CR UR RU', 6),
    ('FRND', frnd('F32'), 'R I C U', 4), ('FRND.F64', frnd('F64'), 'R I C U', 4),
    ('FRND.F16', frnd('F16'), 'R C U', 4), ('F2F.F64.F32', f2f('F64', 'F32'), 'R I C U', 3),
    ('F2F.F32.F64', f2f('F32', 'F64'), 'R I C U', 5),
    ('F2F.F16.F64', f2f('F16', 'F64'), 'R I C U', 5),
    ('F2F.F64.F16', f2f('F64', 'F16'), 'R C U', 4),
    ('F2F.F16.F32', f2f('F16', 'F32'), 'R I C U', 5),
    ('F2F.BF16.F32', f2f('BF16', 'F32'), 'R I C U', 4),
    ('F2F.F32.F16', f2f('F32', 'F16'), 'R C U', 4),
    ('F2FP', float_case('F32', f2fp), 'R I C U', 6),
    ('F2FP.MERGE_C', float_case('F32', f2fp_merge), ' '.join(IMAD_FORMS), 4),
]
