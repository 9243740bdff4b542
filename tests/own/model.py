"""What the instructions of this folder compute, a second time: vectors for `make isa-test`."""
from model import memory
from model.case import LANES, M32, M64, signed


def fragment(c, first, registers):
    """Random contents of an operand: rows[register][lane]."""
    return [c.inputs.setdefault(f'R{first + i}', [c.word() for _ in range(LANES)])
            for i in range(registers)]


def modulus(c, form, q):
    """The operand M."""
    if form == 'C':
        c.params[0x168], c.params[0x16c] = q & M32, q >> 32
        return 'c[0x0][0x168]'
    name, lanes = ('R', LANES) if form == 'R' else ('UR', 1)
    c.inputs[f'{name}30'], c.inputs[f'{name}31'] = [q & M32] * lanes, [q >> 32] * lanes
    return f'{name}30'


def modmma(c, form):
    """With g = lane / 4 and t = lane mod 4, what is in registers 2i and 2i + 1 of an operand is A's
    element (g + 8i, t), B's (t, g), C's and D's (g + 8 (i div 2), 2t + i mod 2). Form 0: there is
    no modulus; Z: A, B and C are RZ; D: D is."""
    c.mask = M32
    zero = form == 'Z'
    a, b, acc = (([[0] * LANES] * n if zero else fragment(c, first, n))
                 for first, n in ((8, 4), (12, 2), (16, 8)))
    q = 0 if form == '0' else c.rng.choice([c.rng.getrandbits(64) | 1, 1, 97, M64, 2])
    m = modulus(c, form if form in 'RC' else 'U', q)
    sub = c.rng.random() < 0.5
    text = 'RZ.ROW, RZ.COL, RZ' if zero else 'R8.ROW, R12.COL, R16'
    to = 'RZ' if form == 'D' else 'R40'
    line = f'MODMMA.1684{".SUB" if sub else ""}.U64 P3, {to}, {text}, {m}'
    if form == '0':
        return c.emit(line) + 'fault bad modulus ffffffff\n'

    def element(rows, i, lane):
        return rows[2 * i][lane] | rows[2 * i + 1][lane] << 32

    some_zero = 0
    for i in range(4):
        out = []
        for lane in range(LANES):
            g, t = lane // 4, lane % 4
            column = 2 * t + i % 2
            s = sum(element(a, i // 2, 4 * g + k) * element(b, 0, 4 * column + k) for k in range(4))
            out.append((element(acc, i, lane) + (-s if sub else s)) % q)
            some_zero |= out[-1] == 0
        if to != 'RZ':
            c.write(f'R{40 + 2 * i}', out, pair=True)
    c.write('P3', [int(some_zero)] * LANES)
    return c.emit(line)


def mad64(c, form):
    """B is of one register or two; an immediate is sign-extended where it is of two."""
    wide = c.rng.random() < 0.5
    part = c.rng.choice(['', '.LO', '.HI'])
    a, va = c.reg()
    if form[0] == 'I':
        b, vb = c.imm()
        vb = [signed(x) & M64 if wide else x for x in vb]
    else:
        b, vb = c.operand(form[0], pair=wide)
    d, vd = c.operand(form[1], pair=True, signed_text=False)
    neg_a, neg_c = c.rng.random() < 0.3, c.rng.random() < 0.3 and form[1] != 'I'
    p, vp = c.pred()
    to, pu = c.dest(pair=True), c.pdest()
    pv = c.pdest(others=[pu])
    sums = [((-x & M64 if neg_a else x) * y + (z ^ M64 if neg_c else z) + carry) % (1 << 128)
            for x, y, z, carry in zip(va, vb, vd, vp)]
    out = [s >> 64 if part == '.HI' else s & M64 for s in sums]
    c.write(to, out, pair=True)
    c.write(pu, [int(s >> 64 != 0) for s in sums])
    c.write(pv, [int(x == 0) for x in out])
    a, d = ('-' if neg_a else '') + a, ('~' if neg_c else '') + d
    return c.emit(f'MAD64{".WIDE" if wide else ""}{part} {pu}, {pv}, {to}, {a}, {b}, {d}, {p}')


def umulm(c, form):
    """Once per warp; without a modulus nothing happens but the fault."""
    c.uniform, c.mask = True, M32
    a, va = c.reg(pair=True)
    b, vb = c.operand(form[0], signed_text=False)
    d, vd = ('URZ', [0] * LANES) if form == 'R0' else c.operand(form[1], signed_text=False)
    to, pu = c.dest(pair=True), c.pdest()
    line = f'UMULM {pu}, {to}, {a}, {b}, {d}'
    if vd[0] == 0:
        return c.emit(line) + 'fault bad modulus ffffffff\n'
    out = [x * y % z for x, y, z in zip(va, vb, vd)]
    c.write(to, out, pair=True)
    c.write(pu, [int(x == 0) for x in out])
    return c.emit(line)


def scanm(c, form):
    a, va = c.reg()
    b, vb = c.operand(form, signed_text=False)
    p, vp = c.pred()
    exclusive = c.rng.random() < 0.5
    to, pu = c.dest(pair=True), c.pdest()
    s, out, zeros = 0, [0] * LANES, [0] * LANES
    for lane in range(LANES):
        if c.mask >> lane & 1:
            before = s
            s += va[lane] + vp[lane]
            s = s % vb[lane] if vb[lane] else s
            out[lane], zeros[lane] = before if exclusive else s, int(s == 0)
    c.write(to, out, pair=True)
    c.write(pu, zeros)
    return c.emit(f'SCANM{".EX" if exclusive else ""} {pu}, {to}, {a}, {b}, {p}')


def limit(c, form):
    a, va = c.reg(zero=0)
    to, above = c.dest(), c.rng.choice([M32, 0x80000000, 0xffff])
    guilty = sum(1 << lane for lane in range(LANES) if c.mask >> lane & 1 and va[lane] > above)
    line = f'LIMIT {to}, {a}, {above:#x}'
    if guilty:
        return c.emit(line) + f'fault illegal instruction {guilty:08x}\n'
    c.write(to, va)
    return c.emit(line)


def ldmod(c, form):
    """In any space; lanes without the predicate load nothing, and 0 is reduced."""
    size, count = c.rng.choice([('U32', 1), ('64', 2), ('128', 4), ('U8', 1)])
    unit = {'U8': 1}.get(size, 4 * count)
    wide, offset = c.rng.random() < 0.7, c.rng.choice([0, 0x10, -0x20])
    at = memory.generic_places(c, wide, unit, False)
    base = memory.base_rows(c, [x - offset & M64 for x in at], wide, c.mask)
    m, vm = c.operand(form, pair=size == '64')
    p, vp = c.pred()
    to, pu = c.dest(count=count), c.pdest()
    out, reduced = [0] * LANES, [0] * LANES
    for lane in range(LANES):
        if c.mask >> lane & 1:
            value = c.load(*memory.space_of(at[lane], lane), unit) if vp[lane] else 0
            reduced[lane] = int(vm[lane] != 0 and value >= vm[lane])
            out[lane] = value % vm[lane] if vm[lane] else value
    c.write(to, out, count=count)
    c.write(pu, reduced)
    return c.emit(f'LDMOD{"." + size if size != "U32" else ""} {pu}, {to}, '
                  f'[{base}.{"64" if wide else "U32"}+{offset:#x}], {m}, {p}')


def atomsubm(c, form):
    """In shared memory, lane by lane."""
    wide = c.rng.random() < 0.5
    unit = 8 if wide else 4
    at = [0x40 + unit * c.rng.randrange(4) for _ in range(LANES)]
    base = memory.base_rows(c, at, False, c.mask)
    data, values = c.registers(unit // 4)
    m, vm = c.operand(form, pair=wide)
    to, pu = c.dest(pair=wide), c.pdest()
    old, done = [0] * LANES, [0] * LANES
    for lane in range(LANES):
        if c.mask >> lane & 1:
            old[lane] = c.load('S', at[lane], unit)
            if old[lane] < vm[lane] and values[lane] < vm[lane]:
                c.store('S', at[lane], unit, (old[lane] - values[lane]) % vm[lane])
                done[lane] = 1
    c.write(to, old, pair=wide)
    c.write(pu, done)
    return c.emit(f'ATOMSUBM{".64" if wide else ""} {pu}, {to}, [{base}], {data}, {m}')


def atomaddm(c, form):
    """In global memory; lanes whose address is of another space do nothing. Form 0: in a lane there
    is no modulus, and no lane does anything."""
    wide = c.rng.random() < 0.5
    unit = 8 if wide else 4
    at = [c.rng.choice([0x10000, 1 << 32, 1 << 33]) + unit * c.rng.randrange(3)
          for _ in range(LANES)]
    base = memory.base_rows(c, at, True, c.mask)
    data, values = c.registers(unit // 4)
    vm = [c.rng.getrandbits(8 * unit) | 1 for _ in range(LANES)]
    inside = [l for l in range(LANES) if c.mask >> l & 1 and at[l] < 1 << 32]
    if form == '0':
        if not inside:
            return None
        guilty = c.rng.choice(inside)
        vm[guilty] = 0
    m = memory.base_rows(c, vm, wide, M32)
    to, old = c.dest(pair=wide), [0] * LANES
    line = f'ATOMADDM.E{".64" if wide else ""} {to}, [{base}], {data}, {m}'
    if form == '0':
        return c.fault(line, 'bad modulus', 1 << guilty)
    for lane in inside:
        old[lane] = c.load('G', at[lane], unit)
        c.store('G', at[lane], unit, (old[lane] + values[lane]) % vm[lane])
    c.write(to, old, pair=wide, mask=sum(1 << lane for lane in inside))
    return c.emit(line)


ROWS = [
    ('MODMMA', modmma, 'R C U 0 Z D', 3),
    ('MAD64', mad64, 'RR RI RC IR CR UR RU', 12),
    ('UMULM', umulm, 'RR RI IR R0', 6),
    ('SCANM', scanm, 'R U I C', 8),
    ('LIMIT', limit, 'I', 8),
    ('LDMOD', ldmod, 'R U C', 12), ('ATOMSUBM', atomsubm, 'R U', 12),
    ('ATOMADDM', atomaddm, 'R 0', 10),
]
