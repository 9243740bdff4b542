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
from fractions import Fraction

import floats

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
    return c.emit(f'{u}{name} {d}{", " + pu if pu else ""}, {na}{a}, {nb}{b}{high}, {shift:#x}{carry}')


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


def sel(c, form, u=""):
    a, va = c.reg()
    b, vb = c.operand(form[0], signed_text=False)
    d = c.dest()
    tp, cp = c.pred()
    c.write(d, per_lane(lambda p, q, m: p if m else q, va, vb, cp))
    return c.emit(f"{u}SEL {d}, {a}, {b}, {tp}")


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
    if c.rng.random() < 0.3:
        return c.emit(f'R2UR {name}, {a}')
    pu = c.pdest()
    c.write(pu, [int(v != va[first]) for v in va])
    return c.emit(f'R2UR {pu}, {name}, {a}')


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
    return c.emit(f'IDP.{mode}.{"US"[sa]}{width}.{"US"[sb]}8 {d}, {a}, {b}, {"-" if neg else ""}{k}')


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


def mov_quad(c, form):
    """MOV in the lanes of a quad that the mask names; the others keep their register."""
    mask = c.rng.choice([1, 2, 5, 6, 8, 9, 0])
    b, vb = c.operand(form[0], signed_text=False)
    d = c.dest()
    old = c.inputs.setdefault(d, c.row()) if d != 'RZ' else [0] * LANES
    c.write(d, [v if mask >> l % 4 & 1 else o for l, (v, o) in enumerate(zip(vb, old))])
    return c.emit(f'MOV {d}, {b}, {mask:#x}')


def p2r(c, form):
    byte, mask = c.rng.randrange(4), c.rng.choice([0x7F, 0xF, 1, c.rng.getrandbits(8)])
    a, va = c.reg()
    for n in range(7):
        c.inputs.setdefault(f'P{n}', c.rng.getrandbits(32))
    bits = [sum((c.inputs[f'P{n}'] >> l & 1) << n for n in range(7)) for l in range(LANES)]
    d = c.dest()
    c.write(d, per_lane(lambda p, q: p & ~(mask << 8 * byte) & M32 | (q & mask) << 8 * byte, va, bits))
    return c.emit(f'P2R{f".B{byte}" if byte else ""} {d}, PR, {a}, {mask:#x}')


def r2p(c, form):
    byte, mask = c.rng.randrange(4), c.rng.choice([0x7F, 6, 0x55, c.rng.getrandbits(7)])
    a, va = c.reg()
    for n in range(7):
        if mask >> n & 1:
            c.write(f'P{n}', [v >> (8 * byte + n) & 1 for v in va])
    return c.emit(f'R2P PR, {a}{f".B{byte}" if byte else ""}, {mask:#x}')


def voteu(c, form):
    op = c.rng.choice(['ALL', 'ANY', 'EQ'])
    p = c.rng.choice([0, c.mask, M32, c.rng.getrandbits(32)])
    c.inputs['P3'] = p
    ballot = p & c.mask
    truth = {'ALL': ballot == c.mask, 'ANY': ballot != 0, 'EQ': ballot in (0, c.mask)}[op]
    c.inputs['UR9'], c.outputs['UR9'] = [c.word()], [ballot]
    c.inputs['UP2'], c.outputs['UP2'] = 0, int(truth)
    return c.emit(f'VOTEU.{op} UR9, UP2, P3')


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


def uplop3(c, form):
    t1, t2 = c.rng.getrandbits(8), c.rng.getrandbits(8)
    pu = c.pdest()
    pv = c.pdest(others=(pu,))
    sources = [c.pred() for _ in range(3)]
    c.write(pu, per_lane(lambda *b: lut(t1, *b), *[v for _, v in sources]))
    c.write(pv, per_lane(lambda *b: lut(t2, *b), *[v for _, v in sources]))
    return c.emit(f'UPLOP3.LUT {pu}, {pv}, {", ".join(t for t, _ in sources)}, {t1:#x}, {t2:#x}')


def up2ur(c, form):
    byte, mask = c.rng.randrange(4), c.rng.choice([0x7F, 0xF, c.rng.getrandbits(8)])
    a, va = c.reg()
    for n in range(7):
        c.inputs.setdefault(f'UP{n}', c.rng.choice([0, M32]))
    bits = sum((c.inputs[f'UP{n}'] & 1) << n for n in range(7))
    d = c.dest()
    c.write(d, [va[0] & ~(mask << 8 * byte) & M32 | (bits & mask) << 8 * byte] * LANES)
    return c.emit(f'UP2UR{f".B{byte}" if byte else ""} {d}, UPR, {a}, {mask:#x}')


# ------------------------------------------------------------------ floating point

ROUND = {'': 'RN', '.RM': 'RM', '.RP': 'RP', '.RZ': 'RZ'}
INTEGRAL = {'': 'RN', '.FLOOR': 'RM', '.CEIL': 'RP', '.TRUNC': 'RZ'}


class FloatCase(Case):
    """Words are floating point numbers of every kind, of the case's format, near each other often
    enough for sums to cancel."""
    fmt = 'F32'

    def number(self):
        r, (p, emax, bits, _) = self.rng, floats.FORMATS[self.fmt]
        if r.random() < 0.35:
            return r.choice(floats.edges(self.fmt))
        e = r.choice([emax, emax + 1, emax - 1, emax + p, r.randrange(2 * emax), r.randrange(4)])
        f = r.getrandbits(p - 1)
        f = r.choice([f, f, f & -(1 << p // 2), f & 7])
        return r.getrandbits(1) << (bits - 1) | min(e, 2 * emax) << (p - 1) | f

    def word(self):
        if self.fmt in ('F16', 'BF16'):
            return self.number() | self.number() << 16
        x = self.number()
        return x if self.fmt == 'F32' else self.rng.choice([x >> 32, x >> 32, x & M32])

    def fop(self, letter, signs=True):
        """A source: text, its patterns after bars and sign."""
        r, wide = self.rng, self.fmt == 'F64'
        if letter == 'I':
            x = self.number()
            x = x >> 32 if wide else x
            return f'{x:#x}', [x << 32 if wide else x] * LANES
        text, v = self.operand(letter, pair=wide)
        neg, bars = signs and r.random() < 0.3, signs and r.random() < 0.25
        text = f'|{text}|' if bars else text
        return ('-' if neg else '') + text, [floats.source(self.fmt, x, neg, bars) for x in v]


def float_case(fmt, make):
    def run(c, form):
        c.__class__, c.fmt = FloatCase, fmt
        return make(c, form)
    return run


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


def half_source(c, form):
    """One half of a source, `.H1` or not: text, and its pattern after the sign, per lane."""
    neg, high = c.rng.random() < 0.3, c.rng.random() < 0.5
    b, vb = c.operand(form)
    text = f'{"-" if neg else ""}{b}{".H1" if high else ""}'
    return text, [floats.source('F16', x >> 16 * high & 0xFFFF, neg, False) for x in vb]


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


def relu(fmt, x):
    """Negative numbers and -0 become +0."""
    sign, v = floats.value(fmt, x)
    return 0 if sign and v is not None else x


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
            if sources == 3 and not ftz and not sat and (v[0] | v[1]) & 0x7FFF == 0 and v[2] & 0x7FFF:
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
            return c.emit(f'{name}{".FTZ" if ftz else ""}{".NAN" if nan else ""} {d}, {texts}, {tp}')
        cmp, bop = r.choice(list(floats.RELATIONS)), r.choice(['AND', 'OR', 'XOR'])
        mods = f'{cmp}{".FTZ" if ftz else ""}.{bop}'
        res = [per_lane(lambda p, q, m: combine(bop, floats.compare('F16', cmp, p[i], q[i], ftz), m),
                        va, vb, cp) for i in (0, 1)]
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


def f2i_f16(c, form):
    kind, mode, ntz = c.rng.choice(INTEGERS), c.rng.choice(list(INTEGRAL)), c.rng.random() < .5
    ftz, wide = c.rng.random() < 0.3, kind.endswith('64')
    b, vb = half_source(c, form)
    d = c.dest(pair=wide)
    c.write(d, [floats.to_int('F16', x, int(kind[1:]), kind[0] == 'S', INTEGRAL[mode], ntz, ftz)
                & (M64 if wide else M32) for x in vb], pair=wide)
    name = f'F2I{".FTZ" if ftz else ""}{"" if kind == "S32" else "." + kind}.F16{mode}'
    return c.emit(f'{name}{".NTZ" if ntz else ""} {d}, {b}')


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
        return floats.encode('F64', s, floats.to_integer(v / unit, s, 'RN') * unit, 'RN', True) >> 32

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


def special(insn):
    """Registers that every thread of a block of one warp knows the value of."""
    values = {
        'SR_LANEID': lambda l: l, 'SR_TID.X': lambda l: l, 'SR_TID.Y': lambda l: 0,
        'SR_TID.Z': lambda l: 0, 'SR_CTAID.X': lambda l: 0, 'SR_CTAID.Y': lambda l: 0,
        'SR_CTAID.Z': lambda l: 0, 'SRZ': lambda l: 0, 'SR_EQMASK': lambda l: 1 << l,
        'SR_LTMASK': lambda l: (1 << l) - 1, 'SR_LEMASK': lambda l: (2 << l) - 1,
        'SR_GTMASK': lambda l: M32 & ~((2 << l) - 1), 'SR_GEMASK': lambda l: M32 & ~((1 << l) - 1),
    }
    uniform = ['SR_TID.Y', 'SR_TID.Z', 'SR_CTAID.X', 'SR_CTAID.Y', 'SR_CTAID.Z', 'SRZ']

    def make(c, form):
        if insn == 'S2UR':
            c.mask = M32
        name = c.rng.choice(uniform if insn == 'S2UR' else list(values))
        wide = insn == 'CS2R' and c.rng.random() < 0.5
        d = f'UR{c.rng.randrange(4, 30)}' if insn == 'S2UR' else c.dest(pair=wide)
        if wide and name not in uniform:
            name = 'SRZ'
        if insn == 'S2UR':
            c.inputs[d], c.outputs[d] = [0x1234], [0]
        else:
            c.write(d, [values[name](l) for l in range(LANES)], pair=wide)
        return c.emit(f'{insn}{".32" if insn == "CS2R" and not wide else ""} {d}, {name}')
    return make


def lane_masks(c, form):
    """The lanes that act and those that have ended: in the tests the others have. A barrier that
    nobody has entered is 0. LEPC, the first instruction, is at address 0."""
    d = c.dest(pair=True)
    what, value = c.rng.choice([('MACTIVE', c.mask), ('MEXITED', M32 & ~c.mask), ('B5', 0),
                                ('', 0)])
    c.write(d, [value] * LANES, pair=not what)
    return c.emit(f'BMOV.32 {d}, {what}' if what else f'LEPC {d}')


def nothing(c, form):
    """Instructions that no register tells of."""
    c.row()
    return c.emit(c.rng.choice(['NOP', 'ERRBAR', 'LDGDEPBAR', 'DEPBAR.LE SB3, 0x2', 'MEMBAR.SC.GPU',
                                'MEMBAR.ALL.CTA', 'CCTL.IVALL', 'CCTLL.PF2 [R2+0x40]',
                                'CCTLL.IV [UR4+-0x10]', 'CCTLL.WBALL', 'PMTRIG 0x11']))


def mufu_half(c, form):
    fn = c.rng.choice(['EX2', 'TANH', 'SIN', 'COS', 'LG2'])
    b, vb = half_source(c, form)
    d = c.dest()
    c.write(d, [floats.convert('F16', 'F32', floats.transcendental(fn, floats.convert('F32', 'F16', v)))
                for v in vb])
    return c.emit(f'MUFU.{fn}.F16 {d}, {b}')


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


IMAD_FORMS = 'RR RI RC IR CR UR RU'.split()
WIDE_FORMS = 'RR RC IR CR UR RU'.split()
FILES = {
    'integer': [
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
    ],
    'move': [('MOV', mov, 'RR IR CR UR', 3), ('MOV.QUAD', mov_quad, 'RR IR CR UR', 3),
             ('SEL', sel, 'RR IR CR UR', 4),
             ('R2UR', r2ur, 'R', 6), ('P2R', p2r, 'I', 5), ('R2P', r2p, 'I', 5),
             ('S2R', special('S2R'), 'S', 24), ('CS2R', special('CS2R'), 'S', 6),
             ('S2UR', special('S2UR'), 'S', 6), ('BMOV', lane_masks, 'S', 8),
             ('NOP', nothing, 'S', 40)],
    'uniform': [
        ('UMOV', uniform(mov), 'IR RR', 3), ('UIADD3', uniform(iadd3), 'RR IR', 30),
        ('UIADD3.64', uiadd3_64, 'IR', 20),
        ('UIMAD', uniform(imad), 'RR RI IR', 12),
        ('UIMAD.WIDE', lambda c, f: imad(c, f, '.WIDE', 'U'), 'RR IR', 20),
        ('UISETP', uniform(isetp), 'RR IR', 60), ('ULOP3', uniform(lop3), 'RR IR', 20),
        ('USHF', uniform(shf), 'RR RI IR', 40), ('USEL', uniform(sel), 'RR IR', 8),
        ('ULEA', uniform(lea), 'RR IR', 15),
        ('ULEA.HI', lambda c, f: lea(c, f, '.HI', 'U'), 'RR RI IR', 15),
        ('ULEA.HI.SX32', lambda c, f: lea(c, f, '.HI.SX32', 'U'), 'RR IR', 15),
        ('UPRMT', uniform(prmt), 'RR IR', 20), ('USGXT', uniform(sgxt), 'RR IR', 12),
        ('UBMSK', uniform(bmsk), 'RR IR', 12),
        ('UFLO', uniform(flo), 'RR IR', 12), ('UPLOP3', uplop3, 'P', 12), ('UP2UR', up2ur, 'I', 8),
        ('UBREV', unary('UBREV', lambda v: int(f'{v:032b}'[::-1], 2)), 'RR IR', 6),
        ('UPOPC', unary('UPOPC', lambda v: bin(v).count('1'), True), 'RR IR', 6),
    ],
    'crosslane': [('VOTE', vote, 'P', 30), ('SHFL', shfl, 'rr ri ir ii', 24),
                  ('VOTEU', voteu, 'P', 10), ('MATCH', match, 'R', 16), ('REDUX', redux, 'R', 20),
                  ('MOVM', movm, 'R', 3)],
    'float': [
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
    ],
    'convert': [
        ('F2I', f2i('F32'), 'R I C U', 8), ('F2I.F64', f2i('F64'), 'R I C U', 6),
        ('F2I.F16', float_case('F16', f2i_f16), 'R C U', 8), ('I2F', i2f, 'R C U I R C U R', 12),
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
    ],
    'half': [
        ('HADD2', half2('HADD2', 'F16', 1), 'R I C U', 4),
        ('HADD2.F32', float_case('F16', hadd2_f32), 'R C U', 4),
        ('HMUL2', half2('HMUL2', 'F16', 2), 'R I C U', 4),
        ('HFMA2', half2('HFMA2', 'F16', 3), ' '.join(IMAD_FORMS), 4),
        ('HFMA2.RELU', half2('HFMA2.RELU', 'F16', 3), ' '.join(IMAD_FORMS), 3),
        ('HFMA2.BF16_V2', half2('HFMA2.BF16_V2', 'BF16', 3), ' '.join(IMAD_FORMS), 3),
        ('HFMA2.BF16_V2.RELU', half2('HFMA2.BF16_V2.RELU', 'BF16', 3), ' '.join(IMAD_FORMS), 3),
        ('HFMA2.MMA', half2('HFMA2.MMA', 'F16', 3), ' '.join(IMAD_FORMS), 3),
        ('HFMA2.MMA.RELU', half2('HFMA2.MMA.RELU', 'F16', 3), ' '.join(IMAD_FORMS), 3),
        ('HMNMX2', half_compare('HMNMX2'), 'R I C U', 5),
        ('HMNMX2.BF16_V2', half_compare('HMNMX2.BF16_V2', 'BF16'), 'R I C U', 4),
        ('HSET2', half_compare('HSET2'), 'R I C U', 5),
        ('HSETP2', half_compare('HSETP2'), 'R I C U', 5),
    ],
    'matrix': [
        ('matrix', matrix, 'IMMA.8832 IMMA.16832 IMMA.16864 BMMA.88128 BMMA.168128 BMMA.168256', 5),
    ],
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
