"""The uniform data path: mostly the integer instructions on one value for the warp."""
from .case import LANES, M32, M64, lut, per_lane, signed
from .integer import bmsk, flo, iadd3, imad, isetp, lea, lop3, prmt, sgxt, shf, unary
from .move import mov, sel


def uniform(function):
    return lambda c, form: function(c, form, u='U')


def uiadd3_64(c, form):
    a, va = c.reg(pair=True)
    b, vb = c.operand(form[0])
    s, vs = c.reg(pair=True)
    d = c.dest(pair=True)
    c.write(d, per_lane(lambda p, q, w: (p + signed(q) + w) & M64, va, vb, vs), pair=True)
    return c.emit(f'UIADD3.64 {d}, {a}, {b}, {s}')


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


ROWS = [
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
]
