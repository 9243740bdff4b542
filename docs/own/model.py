"""What the instructions of these files compute, a second time: vectors for `make isa-test`, written
by `tests/vectors/generate.py docs/own/model.py own.vec`.
"""
from model.case import LANES, M32, M64


def hamm(c, form):
    """Lane by lane: three sources, a register and a predicate as results."""
    a, va = c.reg()
    (b, vb), (d, vd) = c.operand(form[0], signed_text=False), c.operand(form[1], signed_text=False)
    far = c.rng.random() < 0.5
    distance = [(x ^ y).bit_count() for x, y in zip(va, vb)]
    to, pu = c.dest(), c.pdest()
    c.write(to, [z + (32 - n if far else n) & M32 for n, z in zip(distance, vd)])
    c.write(pu, [int(n == 0) for n in distance])
    return c.emit(f'HAMM{".FAR" if far else ""} {pu}, {to}, {a}, {b}, {d}')


def fragment(c, first, registers):
    """Random contents of an operand: rows[register][lane]."""
    return [c.inputs.setdefault(f'R{first + i}', [c.word() for _ in range(LANES)])
            for i in range(registers)]


def fhec32(c, form):
    """Lane 4g + t holds in register i of A element (g + 8 (i mod 2), t + 4 (i div 2)), of B element
    (t + 4 i, g), of C and D element (g + 8 (i div 2), 2t + i mod 2). ZERO: A is RZ."""
    c.mask = M32
    a = [[0] * LANES] * 16 if form == 'ZERO' else fragment(c, 32, 16)
    b, acc = fragment(c, 48, 8), fragment(c, 4, 4)
    q = c.rng.choice([c.rng.getrandbits(32) | 1, 1 << 31, 2, M32])
    mu = c.rng.choice([(1 << 64) // q & M64, c.rng.getrandbits(64)])
    for i, word in enumerate([q, 0xdead, mu & M32, mu >> 32]):
        c.inputs[f'UR{8 + i}'] = [word]
    if form == 'FAULT':
        c.inputs['UR8'] = [0]
    out = [[0] * LANES for _ in range(4)]
    for i in range(16):
        for j in range(8):
            reg, lane = i // 8 * 2 + j % 2, i % 8 * 4 + j // 2
            r = acc[reg][lane]
            for k in range(32):
                z = r + a[i // 8 + 2 * (k // 4)][i % 8 * 4 + k % 4] * b[k // 4][4 * j + k % 4]
                v = (z - (z * mu >> 64) * q) % (1 << 33)
                r = (v - q if v >= q else v) & M32
            out[reg][lane] = r
    for i, row in enumerate(out):
        if form != 'FAULT':
            c.write(f'R{4 + i}', row)
    first = 'RZ' if form == 'ZERO' else 'R32'
    return c.emit(f'FHEC.16832.U32.U32 R4, {first}.ROW, R48.COL, R4, UR8') + (
        'fault bad modulus ffffffff\n' if form == 'FAULT' else '')


def fhec64(c, form):
    """Lane 4g + t holds in registers 2i and 2i + 1 of A element (g, t + 4i), of B element (t + 4i,
    g), of C and D element (g, 2t + i)."""
    c.mask = M32

    def elements(first, place):
        rows, found = fragment(c, first, 4), {}
        for lane in range(LANES):
            for i in range(2):
                high = rows[2 * i + 1][lane] << 32
                found[place(lane // 4, lane % 4, i)] = rows[2 * i][lane] | high
        return found

    a = elements(8, lambda g, t, i: (g, t + 4 * i))
    b = elements(12, lambda g, t, i: (t + 4 * i, g))
    acc = elements(16, lambda g, t, i: (g, 2 * t + i))
    q = c.rng.choice([c.rng.getrandbits(64) | 1, M64, 1, c.rng.getrandbits(40) | 1])
    c.inputs['UR6'], c.inputs['UR7'] = [q & M32], [q >> 32]
    for i in range(2):
        out = []
        for lane in range(LANES):
            row, column = lane // 4, 2 * (lane % 4) + i
            out.append((acc[row, column] + sum(a[row, k] * b[k, column] for k in range(8))) % q)
        c.write(f'R{24 + 2 * i}', out, pair=True)
    return c.emit('FHEC.888.U64.U64 R24, R8.ROW, R12.COL, R16, UR6')


def rotl(c, form):
    """Lane l gets the register of lane l + B of its 32 or 16, and a predicate."""
    half = c.rng.random() < 0.5
    a, va = c.reg()
    b, vb = c.operand(form, signed_text=False)
    size = 16 if half else 32
    source = [l - l % size + (l + n) % size for l, n in enumerate(vb)]
    d, pu = c.dest(), c.pdest()
    c.write(d, [va[l] for l in source])
    c.write(pu, [c.mask >> l & 1 for l in source])
    return c.emit(f'ROTL{".HALF" if half else ""} {pu}, {d}, {a}, {b}')


def atommod(c, form):
    """The lanes in turn, at a few places of global memory, so that they meet."""
    wide, offset = c.rng.random() < 0.5, c.rng.choice([0, 8, -16])
    size = 8 if wide else 4
    at = [0x10000 + 8 * c.rng.randrange(6) for _ in range(LANES)]
    c.inputs['R2'], c.inputs['R3'] = [x - offset for x in at], [0] * LANES
    data, values = c.registers(size // 4)
    m, vm = c.operand(form, pair=wide)
    to, old = c.dest(pair=wide), [0] * LANES
    for lane in range(LANES):
        if c.mask >> lane & 1:
            old[lane] = c.load('G', at[lane], size)
            if vm[lane]:
                c.store('G', at[lane], size, (old[lane] + values[lane]) % vm[lane])
    c.write(to, old, pair=wide)
    return c.emit(f'ATOMMOD.E{".64" if wide else ""} {to}, [R2+{offset:#x}], {data}, {m}')


ROWS = [
    ('HAMM', hamm, 'RR RI RC IR CR UR RU', 8),
    ('ROTL', rotl, 'R I U', 8),
    ('FHEC.16832', fhec32, 'UNIFORM', 4),
    ('FHEC.16832 with a modulus of 0', fhec32, 'FAULT', 1),
    ('FHEC.16832 without A', fhec32, 'ZERO', 2),
    ('FHEC.888', fhec64, 'UNIFORM', 6),
    ('ATOMMOD', atommod, 'R U', 12),
]
