"""Moves between registers, predicates, uniform and special registers."""
from .case import LANES, M32, per_lane


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


def mov_quad(c, form):
    """MOV in the lanes of a quad that the mask names; the others keep their register."""
    mask = c.rng.choice([1, 2, 5, 6, 8, 9, 0])
    b, vb = c.operand(form[0], signed_text=False)
    d = c.dest()
    old = c.inputs.setdefault(d, c.row()) if d != 'RZ' else [0] * LANES
    c.write(d, [v if mask >> l % 4 & 1 else o for l, (v, o) in enumerate(zip(vb, old))])
    return c.emit(f'MOV {d}, {b}, {mask:#x}')


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


def p2r(c, form):
    byte, mask = c.rng.randrange(4), c.rng.choice([0x7F, 0xF, 1, c.rng.getrandbits(8)])
    a, va = c.reg()
    for n in range(7):
        c.inputs.setdefault(f'P{n}', c.rng.getrandbits(32))
    bits = [sum((c.inputs[f'P{n}'] >> l & 1) << n for n in range(7)) for l in range(LANES)]
    d = c.dest()
    keep = ~(mask << 8 * byte) & M32
    c.write(d, per_lane(lambda p, q: p & keep | (q & mask) << 8 * byte, va, bits))
    return c.emit(f'P2R{f".B{byte}" if byte else ""} {d}, PR, {a}, {mask:#x}')


def r2p(c, form):
    byte, mask = c.rng.randrange(4), c.rng.choice([0x7F, 6, 0x55, c.rng.getrandbits(7)])
    a, va = c.reg()
    for n in range(7):
        if mask >> n & 1:
            c.write(f'P{n}', [v >> (8 * byte + n) & 1 for v in va])
    return c.emit(f'R2P PR, {a}{f".B{byte}" if byte else ""}, {mask:#x}')


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


ROWS = [
    ('MOV', mov, 'RR IR CR UR', 3), ('MOV.QUAD', mov_quad, 'RR IR CR UR', 3),
    ('SEL', sel, 'RR IR CR UR', 4),
    ('R2UR', r2ur, 'R', 6), ('P2R', p2r, 'I', 5), ('R2P', r2p, 'I', 5),
    ('S2R', special('S2R'), 'S', 24), ('CS2R', special('CS2R'), 'S', 6),
    ('S2UR', special('S2UR'), 'S', 6), ('BMOV', lane_masks, 'S', 8),
    ('NOP', nothing, 'S', 40),
]
