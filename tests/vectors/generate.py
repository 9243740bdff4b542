#!/usr/bin/env python3
"""Writes the instruction vectors (*.vec) that tests/unit/vectors_test.c runs on every engine.

The model below is independent of isa_spec: it is written from the architecture's definitions with
Python's unbounded integers, one function per instruction. Run it after adding an instruction:

    tests/vectors/generate.py            # rewrites tests/vectors/*.vec

Format of a case, rows of 32 lanes as hex words:
    insn  IADD3 R4, P0, R5, c[0x0][0x164], R7     the instruction under test
    mask  ffff0fff                                lanes that execute (default all)
    in    R5 w0 w1 ... w31 | in P2 mask | in UR4 word | in UP1 0 | in C 0x164 word
    out   the same; registers that no `out` names must not change
"""
import os
import random

LANES = 32
M32, M64 = (1 << 32) - 1, (1 << 64) - 1
EDGES = [0, 1, 2, 3, 0x7FFFFFFF, 0x80000000, 0x80000001, M32, M32 - 1, 0x10000, 0xFFFF,
         0xAAAAAAAA, 0x55555555, 31, 32, 33, 63, 64, 0xFFFF0000, 0x12345678]


def signed(x, bits=32):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


class Case:
    """One instruction with its inputs; `lane(l)` gives the values that the model reads."""

    def __init__(self, rng, uniform=False):
        self.rng, self.uniform = rng, uniform
        self.inputs, self.outputs, self.used = {}, {}, set()
        self.mask = rng.choice([M32, M32, rng.getrandbits(32) | 1, 1 << rng.randrange(32)])
        if uniform:
            self.mask = M32
        self.params = {}

    def word(self):
        r = self.rng
        return r.choice(EDGES) if r.random() < 0.4 else r.getrandbits(r.choice([32, 32, 32, 8]))

    def row(self):
        return [self.word()] * LANES if self.uniform else [self.word() for _ in range(LANES)]

    def reg(self, pair=False, zero=0.1):
        """A source register operand: its text and its rows' values per lane."""
        r, step = self.rng, 2 if pair else 1
        if r.random() < zero:
            return ('URZ' if self.uniform else 'RZ'), [0] * LANES
        n = r.randrange(2, 20, step) if pair else r.randrange(2, 20)
        if pair:
            n &= ~1
        values = [0] * LANES
        for i in range(step):
            name = f'{"UR" if self.uniform else "R"}{n + i}'
            rows = self.inputs.setdefault(name, self.row())
            values = [v | x << (32 * i) for v, x in zip(values, rows)]
        return f'{"UR" if self.uniform else "R"}{n}', values

    def ureg(self, pair=False):
        n = self.rng.randrange(4, 30)
        n &= ~1 if pair else ~0
        value = 0
        for i in range(2 if pair else 1):
            value |= self.inputs.setdefault(f'UR{n + i}', [self.word()])[0] << (32 * i)
        return f'UR{n}', [value] * LANES

    def const(self, pair=False):
        offset = 0x160 + 4 * self.rng.randrange(0, 16)
        if pair:
            offset &= ~7
        value = 0
        for i in range(2 if pair else 1):
            value |= self.params.setdefault(offset + 4 * i, self.word()) << (32 * i)
        return f'c[0x0][{offset:#x}]', [value] * LANES

    def imm(self, signed_text=True, bits=32):
        value = self.word() & ((1 << bits) - 1)
        text = signed(value) if signed_text and bits == 32 else value
        return (f'-{-text:#x}' if text < 0 else f'{text:#x}'), [value] * LANES

    def operand(self, letter, pair=False, signed_text=True):
        if letter == 'R':
            return self.reg(pair)
        if letter == 'U':
            return self.ureg(pair)
        if letter == 'C':
            return self.const(pair)
        text, values = self.imm(signed_text)
        return text, values

    def pred(self, may_negate=True, uniform=None):
        """A predicate source: text and truth value per lane."""
        r = self.rng
        uniform = self.uniform if uniform is None else uniform
        n = r.choice([0, 1, 2, 3, 7])
        prefix = 'UP' if uniform else 'P'
        neg = may_negate and r.random() < 0.4
        if n == 7:
            bits, name = M32, prefix + 'T'
        else:
            name = f'{prefix}{n}'
            fresh = r.choice([0, M32]) if uniform else r.getrandbits(32)
            bits = self.inputs.setdefault(name, fresh)
        if neg:
            bits ^= M32
        return ('!' if neg else '') + name, [bits >> l & 1 for l in range(LANES)]

    def dest(self, pair=False):
        n = self.rng.randrange(2, 24)
        n &= ~1 if pair else ~0
        if self.rng.random() < 0.05:
            return 'URZ' if self.uniform else 'RZ'
        return f'{"UR" if self.uniform else "R"}{n}'

    def pdest(self, prefix=None, others=()):
        prefix = prefix or ('UP' if self.uniform else 'P')
        free = [p for p in (4, 5, 6, 0, 1) if f'{prefix}{p}' not in others]
        return f'{prefix}{self.rng.choice(free)}'

    def write(self, name, values, pair=False):
        if name in ('RZ', 'URZ', 'PT', 'UPT', None):
            return
        active = [l for l in range(LANES) if self.mask >> l & 1]
        if name.startswith(('P', 'UP')):
            old = self.inputs.setdefault(name, 0 if self.uniform else self.rng.getrandbits(32))
            new = old
            for l in active:
                new = new & ~(1 << l) | (values[l] & 1) << l
            self.outputs[name] = new
            return
        prefix, n = ('UR', int(name[2:])) if name.startswith('UR') else ('R', int(name[1:]))
        for i in range(2 if pair else 1):
            reg = f'{prefix}{n + i}'
            old = self.inputs.setdefault(reg, self.row())
            new = list(old)
            for l in active:
                if prefix == 'R':
                    new[l] = values[l] >> (32 * i) & M32
            if prefix == 'UR':
                new = [values[active[0]] >> (32 * i) & M32] * len(old)
            self.outputs[reg] = new

    def emit(self, text):
        lines = [f'insn  {text}']
        if self.mask != M32:
            lines.append(f'mask  {self.mask:08x}')
        for kind, table in (('in ', self.inputs), ('out', self.outputs)):
            for name in sorted(table):
                value = table[name]
                if name.startswith('UP'):
                    lines.append(f'{kind}   {name} {value & 1}')
                elif name.startswith('P'):
                    lines.append(f'{kind}   {name} {value:08x}')
                elif name.startswith('UR'):
                    lines.append(f'{kind}   {name} {value[0]:08x}')
                else:
                    lines.append(f'{kind}   {name} ' + ' '.join(f'{v:08x}' for v in value))
            if kind == 'in ':
                lines += [f'in    C {o:#x} {v:08x}' for o, v in sorted(self.params.items())]
        return '\n'.join(lines) + '\n'


def per_lane(function, *columns):
    return [function(*values) for values in zip(*columns)]


def term(x, neg, extended, bits=32):
    """A signed source of an addition, as the number it contributes."""
    mask = (1 << bits) - 1
    if not neg:
        return x
    return (~x & mask) + (0 if extended else 1)


def sign_text(rng, extended):
    neg = rng.random() < 0.35
    return ('~' if extended else '-') if neg else '', neg


# ------------------------------------------------------------------ instructions


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


def compare(name, p, q):
    return int({'F': False, 'LT': p < q, 'EQ': p == q, 'LE': p <= q, 'GT': p > q, 'NE': p != q,
                'GE': p >= q, 'T': True}[name])


def combine(name, p, q):
    return {'AND': p & q, 'OR': p | q, 'XOR': p ^ q}[name]


def isetp(c, form, u=''):
    r = c.rng
    cmp, s, bop, ex = r.choice(CMP), r.random() < 0.5, r.choice(['AND', 'OR', 'XOR']), r.random() < .4
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
    c.write(d, per_lane(lambda p, q, m: min(p, q, key=key) if m else max(p, q, key=key), va, vb, cp))
    return c.emit(f'IMNMX{"" if s else ".U32"} {d}, {a}, {b}, {tp}')


def unary(name, function, complement=False):
    def make(c, form):
        b, vb = c.operand(form[0])
        d = c.dest()
        inv = complement and c.rng.random() < 0.5
        c.write(d, [function(~v & M32 if inv else v) for v in vb])
        return c.emit(f'{name} {d}, {"~" if inv else ""}{b}')
    return make


def lea(c, form, kind=''):
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
    return c.emit(f'{name} {d}{", " + pu if pu else ""}, {na}{a}, {nb}{b}{high}, {shift:#x}{carry}')


def lut(table, *bits):
    index = 0
    for b in bits:
        index = index * 2 + b
    return table >> index & 1


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
    if form == 'S':
        sources = [c.reg() for _ in range(3)]
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


def prmt(c, form):
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
    return c.emit(f'PRMT{mode} {d}, {a}, {b}, {s}')


def sel(c, form):
    a, va = c.reg()
    b, vb = c.operand(form[0], signed_text=False)
    d = c.dest()
    tp, cp = c.pred()
    c.write(d, per_lane(lambda p, q, m: p if m else q, va, vb, cp))
    return c.emit(f'SEL {d}, {a}, {b}, {tp}')


def mov(c, form, u=''):
    b, vb = c.operand(form[0], signed_text=False)
    d = c.dest()
    c.write(d, vb)
    return c.emit(f'{u}MOV {d}, {b}')


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


def r2ur(c, form):
    a, va = c.reg()
    mask = c.mask
    first = (mask & -mask).bit_length() - 1
    name = f'UR{c.rng.randrange(4, 30)}'
    c.inputs[name] = [c.word()]
    c.outputs[name] = [va[first]]
    return c.emit(f'R2UR {name}, {a}')


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


def uiadd3_64(c, form):
    a, va = c.reg(pair=True)
    b, vb = c.operand(form[0])
    s, vs = c.reg(pair=True)
    d = c.dest(pair=True)
    c.write(d, per_lane(lambda p, q, w: (p + signed(q) + w) & M64, va, vb, vs), pair=True)
    return c.emit(f'UIADD3.64 {d}, {a}, {b}, {s}')


def uniform(function):
    return lambda c, form: function(c, form, u='U')


IMAD_FORMS = 'RR RI RC IR CR UR RU'.split()
WIDE_FORMS = 'RR RC IR CR UR RU'.split()
FILES = {
    'integer': [
        ('IADD3', iadd3, 'RR IR CR UR', 10),
        ('IMAD', imad, ' '.join(IMAD_FORMS), 6),
        ('IMAD.WIDE', lambda c, f: imad(c, f, '.WIDE'), ' '.join(WIDE_FORMS), 8),
        ('IMAD.HI', lambda c, f: imad(c, f, '.HI'), ' '.join(WIDE_FORMS), 6),
        ('ISETP', isetp, 'RR IR CR UR', 30), ('IMNMX', imnmx, 'RR IR CR UR', 4),
        ('IABS', unary('IABS', lambda v: abs(signed(v)) & M32), 'RR CR UR', 3),
        ('LEA', lea, 'RR IR CR UR', 5),
        ('LEA.HI', lambda c, f: lea(c, f, '.HI'), 'RR RI IR CR UR', 5),
        ('LEA.HI.SX32', lambda c, f: lea(c, f, '.HI.SX32'), 'RR IR CR UR', 5),
        ('LOP3', lop3, 'RR IR CR UR', 8), ('PLOP3', plop3, 'P U S', 8),
        ('SHF', shf, ' '.join(IMAD_FORMS), 16), ('PRMT', prmt, 'RR RI IR RU', 10),
        ('POPC', unary('POPC', lambda v: bin(v).count('1'), True), 'RR CR UR', 3),
        ('BREV', unary('BREV', lambda v: int(f'{v:032b}'[::-1], 2)), 'RR', 4),
    ],
    'move': [('MOV', mov, 'RR IR CR UR', 3), ('SEL', sel, 'RR IR CR UR', 4),
             ('R2UR', r2ur, 'R', 6)],
    'uniform': [
        ('UMOV', uniform(mov), 'IR RR', 3), ('UIADD3', uniform(iadd3), 'RR IR', 30),
        ('UIADD3.64', uiadd3_64, 'IR', 20),
        ('UIMAD', uniform(imad), 'RR RI IR', 12),
        ('UIMAD.WIDE', lambda c, f: imad(c, f, '.WIDE', 'U'), 'RR IR', 20),
        ('UISETP', uniform(isetp), 'RR IR', 60), ('ULOP3', uniform(lop3), 'RR IR', 20),
        ('USHF', uniform(shf), 'RR RI IR', 40),
    ],
    'crosslane': [('VOTE', vote, 'P', 30), ('SHFL', shfl, 'rr ri ir ii', 24)],
    'modular': [
        ('MODRED', modular('MODRED', lambda n, a, m: a % m, 1), 'R C U', 8),
        ('MODADD', modular('MODADD', lambda n, a, b, m: (a + b) % m, 2), 'R C U', 8),
        ('MODSUB', modular('MODSUB', lambda n, a, b, m: (a - b) % m, 2), 'R C U', 8),
        ('MODMUL', modular('MODMUL', lambda n, a, b, m: a * b % m, 2), 'R C U', 8),
        ('MODMAD', modular('MODMAD', lambda n, a, b, k, m: (a * b + k) % m, 3), 'R C U', 8),
        ('WMAC', wmac, 'R', 16),
        ('MONTMUL', modular('MONTMUL', montmul_value, 2), 'R C U', 8),
    ],
}


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    for name, rows in FILES.items():
        with open(os.path.join(here, name + '.vec'), 'w') as out:
            out.write(f'# Written by generate.py: do not edit.\n')
            for insn, make, forms, count in rows:
                rng = random.Random(f'fhec {insn}')
                for form in forms.split():
                    done = 0
                    while done < count:
                        text = make(Case(rng, uniform=name == 'uniform'), form)
                        if text:
                            out.write('\n' + text)
                            done += 1


if __name__ == '__main__':
    main()
