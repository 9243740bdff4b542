"""Integer arithmetic, shifts, logic and comparisons."""
from .case import (IMAD_FORMS, LANES, M32, M64, WIDE_FORMS, combine, compare, lut, per_lane,
                   sign_text, signed, term)


def iadd3(c, form, u=''):
    r, x = c.rng, c.rng.random() < 0.5
    a, va = c.reg()
    b, vb = c.operand(form[0])
    s, vs = c.reg()
    na, sa = sign_text(r, x)
    nb, sb = sign_text(r, x)
    ns, ss = sign_text(r, x)
    if form[0] == 'I' or (sa and not x):
        nb, sb = '', False
    d = c.dest()
    pu = c.pdest() if r.random() < 0.7 else None
    pv = c.pdest(others=(pu,)) if pu and r.random() < 0.6 else None
    carries, cp, cq = '', [0] * LANES, [0] * LANES
    if x:
        tp, cp = c.pred()
        tq, cq = c.pred()
        carries = f', {tp}, {tq}'
    total = per_lane(lambda p, q, w, y, z: term(p, sa, x) + term(q, sb, x) + term(w, ss, x) + y + z,
                     va, vb, vs, cp, cq)
    c.write(d, [t & M32 for t in total])
    c.write(pu, [int(t >= 1 << 32) for t in total])
    c.write(pv, [int(t >= 1 << 33) for t in total])
    outs = ''.join(f', {p}' for p in (pu, pv) if p)
    return c.emit(f'{u}IADD3{".X" if x else ""} {d}{outs}, {na}{a}, {nb}{b}, {ns}{s}{carries}')


def imad(c, form, width='', u=''):
    r, x, s = c.rng, c.rng.random() < 0.4, c.rng.random() < 0.5
    wide = width != ''
    a, va = c.reg()
    b, vb = c.operand(form[0])
    k, vk = c.operand(form[1], pair=wide)
    nk, sk = sign_text(r, x)
    if form[1] == 'I':
        nk, sk = '', False
    d = c.dest(pair=width == '.WIDE')
    pu = c.pdest() if wide and r.random() < 0.5 else None
    carry, cp = '', [0] * LANES
    if x:
        tp, cp = c.pred()
        carry = f', {tp}'
    bits = 64 if wide else 32

    def total(p, q, w, y):
        product = (signed(p) * signed(q) if s else p * q) & ((1 << 64) - 1 if wide else M32)
        return product + term(w, sk, x, bits) + y

    sums = per_lane(total, va, vb, vk, cp)
    if width == '.WIDE':
        c.write(d, [t & M64 for t in sums], pair=True)
    elif width == '.HI':
        c.write(d, [t >> 32 & M32 for t in sums])
    else:
        c.write(d, [t & M32 for t in sums])
    c.write(pu, [int(t >= 1 << 64) for t in sums])
    name = f'{u}IMAD{width}{"" if s else ".U32"}{".X" if x else ""}'
    return c.emit(f'{name} {d}{", " + pu if pu else ""}, {a}, {b}, {nk}{k}{carry}')


CMP = ['F', 'LT', 'EQ', 'LE', 'GT', 'NE', 'GE', 'T']


def isetp(c, form, u=''):
    r = c.rng
    cmp, s = r.choice(CMP), r.random() < 0.5
    bop, ex = r.choice(['AND', 'OR', 'XOR']), r.random() < 0.4
    a, va = c.reg()
    b, vb = c.operand(form[0])
    if form[0] == 'R' and r.random() < 0.3:
        b, vb = a, va
    pu = c.pdest()
    pv = c.pdest(others=(pu,)) if r.random() < 0.7 else ('UPT' if u else 'PT')
    tp, cp = c.pred()
    low, vl = '', [0] * LANES
    if ex:
        tl, vl = c.pred()
        low = f', {tl}'

    def result(p, q, l):
        same = p == q
        value = compare(cmp, signed(p), signed(q)) if s else compare(cmp, p, q)
        return l if ex and same and cmp not in 'FT' else value

    res = per_lane(result, va, vb, vl)
    c.write(pu, per_lane(lambda v, p: combine(bop, v, p), res, cp))
    c.write(pv, per_lane(lambda v, p: combine(bop, 1 - v, p), res, cp))
    name = f'{u}ISETP.{cmp}{"" if s else ".U32"}.{bop}{".EX" if ex else ""}'
    return c.emit(f'{name} {pu}, {pv}, {a}, {b}, {tp}{low}')


def imnmx(c, form):
    s = c.rng.random() < 0.5
    a, va = c.reg()
    b, vb = c.operand(form[0])
    d = c.dest()
    tp, cp = c.pred()
    key = signed if s else (lambda v: v)
    c.write(d, per_lane(lambda p, q, m: (min if m else max)(p, q, key=key), va, vb, cp))
    return c.emit(f'IMNMX{"" if s else ".U32"} {d}, {a}, {b}, {tp}')


def unary(name, function, complement=False):
    def make(c, form):
        b, vb = c.operand(form[0])
        d = c.dest()
        inv = complement and c.rng.random() < 0.5
        c.write(d, [function(~v & M32 if inv else v) for v in vb])
        return c.emit(f'{name} {d}, {"~" if inv else ""}{b}')
    return make


def lea(c, form, kind='', u=''):
    r, x, shift = c.rng, c.rng.random() < 0.4, c.rng.randrange(32)
    a, va = c.reg()
    b, vb = c.operand(form[0], signed_text=False)
    na, sa = sign_text(r, x)
    nb, sb = sign_text(r, x)
    if form[0] == 'I' or form == 'RI':
        nb, sb = '', False
    high, vh = '', [0] * LANES
    if kind == '.HI':
        text, vh = c.operand(form[1], signed_text=False)
        high = f', {text}'
    elif kind == '.HI.SX32':
        vh = [M32 if signed(v) < 0 else 0 for v in va]
    d = c.dest()
    pu = c.pdest() if r.random() < 0.6 else None
    carry, cp = '', [0] * LANES
    if x:
        tp, cp = c.pred()
        carry = f', {tp}'

    def total(p, q, h, y):
        t = (p << shift) & M32 if kind == '' else ((h << 32 | p) >> (32 - shift)) & M32
        return term(t, sa, x) + term(q, sb, x) + y

    sums = per_lane(total, va, vb, vh, cp)
    c.write(d, [t & M32 for t in sums])
    c.write(pu, [int(t >= 1 << 32) for t in sums])
    name = {'': f'LEA{".X" if x else ""}', '.HI': f'LEA.HI{".X" if x else ""}',
            '.HI.SX32': f'LEA.HI{".X" if x else ""}.SX32'}[kind]
    outs = d + (f', {pu}' if pu else '')
    return c.emit(f'{u}{name} {outs}, {na}{a}, {nb}{b}{high}, {shift:#x}{carry}')


def lop3(c, form, u=''):
    r = c.rng
    table = r.choice([0xC0, 0xFC, 0x3C, 0x33, 0x96, 0xE8, r.getrandbits(8), r.getrandbits(8)])
    a, va = c.reg()
    b, vb = c.operand(form[0], signed_text=False)
    s, vs = c.reg()
    pand = r.random() < 0.3
    d = c.dest()
    pu = c.pdest() if r.random() < 0.6 else None
    tp, cp = c.pred()
    res = per_lane(lambda p, q, w: sum(lut(table, p >> i & 1, q >> i & 1, w >> i & 1) << i
                                       for i in range(32)), va, vb, vs)
    c.write(d, res)
    c.write(pu, per_lane(lambda v, p: int(v != 0) & p if pand else int(v != 0) | p, res, cp))
    name = f'{u}LOP3.LUT{".PAND" if pand else ""}'
    return c.emit(f'{name} {pu + ", " if pu else ""}{d}, {a}, {b}, {s}, {table:#x}, {tp}')


def plop3(c, form):
    r, t1, t2 = c.rng, c.rng.getrandbits(8), c.rng.getrandbits(8)
    pu = c.pdest()
    pv = c.pdest(others=(pu,))
    if form[0] == 'S':
        sources = [c.reg(), c.operand(form[1:] or 'R'), c.reg()]
        texts = [f'{t}.SIGN' for t, _ in sources]
        bits = [[v >> 31 for v in vs] for _, vs in sources]
    else:
        sources = [c.pred(), c.pred(), c.pred(uniform=form == 'U')]
        if form == 'U' and 'UP' not in sources[2][0]:
            return None
        texts, bits = [t for t, _ in sources], [v for _, v in sources]
    c.write(pu, per_lane(lambda *b: lut(t1, *b), *bits))
    c.write(pv, per_lane(lambda *b: lut(t2, *b), *bits))
    return c.emit(f'PLOP3.LUT {pu}, {pv}, {", ".join(texts)}, {t1:#x}, {t2:#x}')


def shf(c, form, u=''):
    r = c.rng
    left, wrap, high = r.random() < 0.5, r.random() < 0.4, r.random() < 0.5
    kind = r.choice(['S64', 'U64', 'S32', 'U32'])
    a, va = c.reg()
    b, vb = c.operand(form[0], signed_text=False)
    s, vs = c.operand(form[1], signed_text=False)
    d = c.dest()
    bits = int(kind[1:])

    def shift(low, n, hi):
        x = hi << 32 | low
        n = n & (bits - 1) if wrap else min(n, bits)
        if left:
            y = x << n & M64
        else:
            y = (signed(x, 64) if kind[0] == 'S' else x) >> n & M64
        return y >> 32 if high else y & M32

    c.write(d, per_lane(shift, va, vb, vs))
    name = f'{u}SHF.{"L" if left else "R"}{".W" if wrap else ""}.{kind}{".HI" if high else ""}'
    return c.emit(f'{name} {d}, {a}, {b}, {s}')


def prmt(c, form, u=""):
    r = c.rng
    mode = r.choice(['', '', '', '.F4E', '.B4E', '.RC8', '.ECL', '.ECR', '.RC16'])
    a, va = c.reg()
    b, vb = c.operand(form[0], signed_text=False)
    s, vs = c.operand(form[1], signed_text=False)
    d = c.dest()
    table = {'.F4E': ['3210', '4321', '5432', '6543'], '.B4E': ['5670', '6701', '7012', '0123'],
             '.RC8': ['0000', '1111', '2222', '3333'], '.ECL': ['3210', '3211', '3222', '3333'],
             '.ECR': ['0000', '1110', '2210', '3210'], '.RC16': ['1010', '3232', '1010', '3232']}

    def permute(p, selector, w):
        source = [(w << 32 | p) >> (8 * i) & 255 for i in range(8)]
        out = 0
        for i in range(4):
            if mode:
                byte = source[int(table[mode][selector & 3][3 - i])]
            else:
                n = selector >> (4 * i) & 15
                byte = source[n & 7]
                byte = (255 if byte & 128 else 0) if n & 8 else byte
            out |= byte << (8 * i)
        return out

    c.write(d, per_lane(permute, va, vb, vs))
    return c.emit(f"{u}PRMT{mode} {d}, {a}, {b}, {s}")


def extend(x, n, is_signed):
    x &= (1 << n) - 1
    return (signed(x, n) if is_signed and n else x) & M32


def sgxt(c, form, u=''):
    w, s = c.rng.random() < 0.4, c.rng.random() < 0.5
    a, va = c.reg()
    b, vb = c.operand(form[0], signed_text=False)
    d = c.dest()
    c.write(d, per_lane(lambda p, q: extend(p, q % 32 if w else min(q, 32), s), va, vb))
    return c.emit(f'{u}SGXT{".W" if w else ""}{"" if s else ".U32"} {d}, {a}, {b}')


def bmsk(c, form, u=''):
    w = c.rng.random() < 0.5
    a, va = c.reg()
    b, vb = c.operand(form[0], signed_text=False)
    d = c.dest()

    def mask(p, n):
        p, n = (p % 32, n % 32) if w else (p, min(n, 32))
        return ((1 << n) - 1) << p & M32 if p < 32 else 0

    c.write(d, per_lane(mask, va, vb))
    return c.emit(f'{u}BMSK{".W" if w else ""} {d}, {a}, {b}')


def flo(c, form, u=''):
    s, sh, inv = (c.rng.random() < 0.5 for _ in range(3))
    b, vb = c.operand(form[0])
    d = c.dest()

    def find(v):
        v = ~v & M32 if inv else v
        v = ~v & M32 if s and v >> 31 else v
        n = v.bit_length() - 1
        return M32 if n < 0 else 31 - n if sh else n

    c.write(d, [find(v) for v in vb])
    name = f'{u}FLO{"" if s else ".U32"}{".SH" if sh else ""}'
    return c.emit(f'{name} {d}, {"~" if inv else ""}{b}')


def idp(c, form):
    mode, sa, sb = c.rng.choice(['4A', '2A.LO', '2A.HI']), c.rng.random() < .5, c.rng.random() < .5
    a, va = c.reg()
    b, vb = c.operand(form[0])
    k, vk = c.reg()
    neg = c.rng.random() < 0.3
    d = c.dest()
    width, count, first = (8, 4, 0) if mode == '4A' else (16, 2, 2 if mode == '2A.HI' else 0)

    def take(x, i, n, is_signed):
        x = x >> (i * n) & ((1 << n) - 1)
        return signed(x, n) if is_signed else x

    c.write(d, per_lane(lambda p, q, w: (sum(take(p, i, width, sa) * take(q, first + i, 8, sb)
                                             for i in range(count)) + (-w if neg else w)) & M32,
                        va, vb, vk))
    sign = '-' if neg else ''
    return c.emit(f'IDP.{mode}.{"US"[sa]}{width}.{"US"[sb]}8 {d}, {a}, {b}, {sign}{k}')


def vabsdiff(c, form):
    four, s, acc = c.rng.random() < 0.6, c.rng.random() < 0.5, c.rng.random() < 0.5
    (a, va), (b, vb), (k, vk) = c.reg(), c.operand(form[0], signed_text=False), \
        c.operand(form[1], signed_text=False)
    d = c.dest()

    def difference(p, q, w):
        if not four:
            return (abs(signed(p) - signed(q) if s else p - q) + w) & M32
        parts = [abs((signed(p >> 8 * i, 8) - signed(q >> 8 * i, 8)) if s else
                     (p >> 8 * i & 255) - (q >> 8 * i & 255)) for i in range(4)]
        return (sum(parts) + w if acc else sum(v << 8 * i for i, v in enumerate(parts))) & M32

    c.write(d, per_lane(difference, va, vb, vk))
    name = f'VABSDIFF4{"" if s else ".U8"}{".ACC" if acc else ""}' if four else \
        f'VABSDIFF{"" if s else ".U32"}'
    return c.emit(f'{name} {d}, {a}, {b}, {k}')


def clamp(x, bits, is_signed):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
    return min(max(signed(x), low), high) & M32


def i2i(c, form):
    kind = c.rng.choice(['U8', 'S8', 'U16', 'S16'])
    b, vb = c.operand(form, signed_text=False)
    d = c.dest()
    c.write(d, [clamp(v, int(kind[1:]), kind[0] == 'S') for v in vb])
    return c.emit(f'I2I.{kind}.S32.SAT {d}, {b}')


def i2ip(c, form):
    n, s = c.rng.choice([2, 4, 8, 16]), c.rng.random() < 0.5
    (a, va), (b, vb), (k, vk) = c.reg(), c.operand(form[0]), c.reg()
    d = c.dest()
    top = (1 << n) - 1
    c.write(d, per_lane(lambda p, q, w: (w << 2 * n | (clamp(p, n, s) & top) << n
                                         | clamp(q, n, s) & top) & M32, va, vb, vk))
    return c.emit(f'I2IP.{"US"[s]}{n}.S32.SAT {d}, {a}, {b}, {k}')


ROWS = [
    ('IADD3', iadd3, 'RR IR CR UR', 10),
    ('IMAD', imad, ' '.join(IMAD_FORMS), 6),
    ('IMAD.WIDE', lambda c, f: imad(c, f, '.WIDE'), ' '.join(WIDE_FORMS), 8),
    ('IMAD.HI', lambda c, f: imad(c, f, '.HI'), ' '.join(WIDE_FORMS), 6),
    ('ISETP', isetp, 'RR IR CR UR', 30), ('IMNMX', imnmx, 'RR IR CR UR', 4),
    ('IABS', unary('IABS', lambda v: abs(signed(v)) & M32), 'RR IR CR UR', 3),
    ('LEA', lea, 'RR IR CR UR', 5),
    ('LEA.HI', lambda c, f: lea(c, f, '.HI'), 'RR RI IR CR UR', 5),
    ('LEA.HI.SX32', lambda c, f: lea(c, f, '.HI.SX32'), 'RR IR CR UR', 5),
    ('LOP3', lop3, 'RR IR CR UR', 8), ('PLOP3', plop3, 'P U S SC SU', 8),
    ('SHF', shf, ' '.join(IMAD_FORMS), 16), ('PRMT', prmt, ' '.join(IMAD_FORMS), 10),
    ('POPC', unary('POPC', lambda v: bin(v).count('1'), True), 'RR IR CR UR', 3),
    ('BREV', unary('BREV', lambda v: int(f'{v:032b}'[::-1], 2)), 'RR IR CR UR', 4),
    ('SGXT', sgxt, 'RR IR CR UR', 4), ('BMSK', bmsk, 'RR IR CR UR', 4),
    ('FLO', flo, 'R I C U', 4),
    ('IDP', idp, 'RR CR UR', 5), ('VABSDIFF', vabsdiff, ' '.join(IMAD_FORMS), 6),
    ('I2I', i2i, 'R I C U', 4), ('I2IP', i2ip, 'RR IR CR UR', 10),
]
