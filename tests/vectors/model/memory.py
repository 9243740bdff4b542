"""Loads, stores, atomic operations and copies: what lies where, byte by byte.

Addresses are drawn first, then taken apart into base, uniform register and offset. Lanes that do
not execute have addresses of nothing. Lanes act from 0 to 31.
"""
import itertools

from . import floats
from .case import LANES, M32, M64, signed

# Where memory is, as the test makes it.
HIGH, HIGH_SIZE = 0x7EFFFFFFFC00, 0x800 # across a multiple of 2^32
LOW, LOW_SIZE = 0x10000, 0x400
SHARED, SHARED_SIZE = 1 << 32, 0x400    # the window of generic addresses
LOCAL, LOCAL_SIZE = 1 << 33, 0x100
AREAS = [(HIGH, HIGH_SIZE), (LOW, LOW_SIZE), (SHARED, SHARED_SIZE), (LOCAL, LOCAL_SIZE)]
BANK, BANK_SIZE = 3, 0x80               # of constants, and the one behind it

KINDS = {'LDG': 'global', 'STG': 'global', 'ATOMG': 'global', 'LD': 'generic', 'ST': 'generic',
         'ATOM': 'generic', 'RED': 'generic', 'QSPC': 'generic', 'LDS': 'shared', 'STS': 'shared',
         'ATOMS': 'shared', 'ARRIVES': 'shared', 'LDL': 'local', 'STL': 'local'}

SIZES = {'U8': 1, 'S8': 1, 'U16': 2, 'S16': 2, '': 4, '64': 8, '128': 16}
CACHES = ['', '', 'EF', 'EL', 'LU', 'EU', 'NA']
ORDERS = ['', '', 'STRONG.SM', 'STRONG.GPU', 'STRONG.SYS']
PREFETCHES = ['', '', 'LTC64B', 'LTC128B', 'LTC256B']


def dotted(*parts):
    return '.'.join(part for part in parts if part)


def hexed(number):
    return f'-{-number:#x}' if number < 0 else f'{number:#x}'


def lanes_of(c):
    return [lane for lane in range(LANES) if c.mask >> lane & 1]


def places(c, first, size, step, unit):
    """An address for each lane in [first, first + size), `unit` bytes at multiples of `step`."""
    r, slots = c.rng, (size - unit) // step + 1
    at, span = r.randrange(slots), r.choice([1, 2, 5, 40])
    pattern = r.choice([
        lambda l: at + l, lambda l: at - l, lambda l: at, lambda l: at + (l ^ 5),
        lambda l: at + 3 * l, lambda l: at + l // 2, lambda l: at + l % 7,
        lambda l: r.randrange(slots), lambda l: at + r.randrange(span),
        lambda l: at + r.randrange(span)])
    return [first + pattern(l) % slots * step for l in range(LANES)]


def global_places(c, wide, unit):
    first, size = AREAS[c.rng.choice([0, 0, 0, 1]) if wide else 1]
    return places(c, first, size, unit, unit)


def local_places(c, unit):
    """In a part of local memory: its rows of all lanes are long."""
    part = 0x40
    return places(c, c.rng.randrange(0, LOCAL_SIZE - part + 1, 16), part, unit, unit)


def generic_places(c, wide, unit, one):
    """In global, shared or local memory, or the lanes in different ones."""
    areas = [global_places(c, wide, unit)]
    if wide:
        areas += [places(c, SHARED, SHARED_SIZE, unit, unit),
                  [LOCAL + at for at in local_places(c, unit)]]
    which = c.rng.choice(areas)
    if wide and not one and c.rng.random() < 0.3:
        return [c.rng.choice(areas)[l] for l in range(LANES)]
    return which


def space_of(address, lane):
    """The space of a generic address, as the model calls it, and the address there."""
    for name, window in (('S', SHARED), (f'L{lane}', LOCAL)):
        if window <= address < window + (1 << 24):
            return name, address - window
    return 'G', address


def base_rows(c, values, pair, used):
    """A fresh register, or two, that hold these values in the lanes of `used`."""
    free = [n for n in range(2, 24, 2) if f'R{n}' not in c.inputs and f'R{n + 1}' not in c.inputs]
    n = c.rng.choice(free)
    wild = [c.rng.choice([0, M64, 0xDEAD << 32, c.rng.getrandbits(64)]) for _ in range(LANES)]
    values = [v if used >> l & 1 else wild[l] for l, v in enumerate(values)]
    for i in range(2 if pair else 1):
        c.inputs[f'R{n + i}'] = [v >> 32 * i & M32 for v in values]
    return f'R{n}'


def uniform_register(c, value, pair, n=None):
    n = c.rng.randrange(4, 30) & ~int(pair) if n is None else n
    for i in range(2 if pair else 1):
        c.inputs[f'UR{n + i}'] = [value >> 32 * i & M32]
    return f'UR{n}'


def draw_offset(c, step, bits):
    r, limit = c.rng, 1 << (bits - 1)
    return r.choice([0, 0, 16, -16, r.randrange(-limit, limit), limit - 1, -limit]) & -step


def bracket(*parts):
    """[A+B+0x10] without what is not there."""
    return '[' + ('+'.join(part for part in parts if part not in ('', '0x0')) or 'RZ') + ']'


def wide_address(c, form, target, extended, bits=24, descriptor=True):
    """An address of 64 bits with `.E`, else of 32, that is `target` in the lanes that execute. In
    the form U there is a uniform register, two with `.E`, or a descriptor, which is not added."""
    r, modulus = c.rng, M64 if extended else M32
    offset = draw_offset(c, 1, bits)
    used = [target[l] for l in lanes_of(c)]
    add = r.getrandbits(64) & modulus

    def base(add, pair):
        return base_rows(c, [(t - offset - add) & modulus for t in target], pair, c.mask)

    if form == 'R':
        return bracket(base(0, extended), hexed(offset))
    if len(set(used)) == 1 and r.random() < 0.5:
        return bracket(uniform_register(c, (used[0] - offset) & modulus, extended), hexed(offset))
    if extended and descriptor and r.random() < 0.3:
        name = uniform_register(c, add, True)
        return f'desc[{name}]' + bracket(base(0, True) + '.64', hexed(offset))
    if extended and (max(used) - min(used) >= 1 << 31 or r.random() < 0.6):
        if r.random() < 0.4: # without a uniform register
            return bracket(base(0, True) + '.64', hexed(offset))
        return bracket(base(add, True) + '.64', uniform_register(c, add, True), hexed(offset))
    if extended:
        add = (min(used) - offset - r.randrange(1 << 31)) & M64
    return bracket(base(add, False) + '.U32', uniform_register(c, add, extended), hexed(offset))


def narrow_address(c, form, target, shift=0, used=None, bits=24):
    """An address of 32 bits, whose base may be scaled, that is `target` in the lanes of `used`."""
    r, used = c.rng, c.mask if used is None else used
    step, some = 1 << shift, [target[l] for l in range(LANES) if used >> l & 1]
    offset = draw_offset(c, step, bits) | some[0] & (step - 1)
    add = r.choice([r.getrandbits(32), 16, M32 - 15]) & -step if form == 'U' else 0
    if len(set(some)) == 1 and r.random() < 0.5:
        if form == 'R':
            return f'[{some[0]:#x}]' if some[0] else '[RZ]'
        return bracket(uniform_register(c, (some[0] - offset) & M32, False), hexed(offset))
    rows = [(t - offset - add & M32) >> shift for t in target]
    if shift: # these bits are shifted out
        rows = [row | r.getrandbits(shift) << 32 - shift for row in rows]
    base = base_rows(c, rows, False, used) + (f'.X{step}' if shift else '')
    return bracket(base, uniform_register(c, add, False) if form == 'U' else '', hexed(offset))


def spoil(c, target, unit, used, areas):
    """Some of the lanes beside their alignment, or behind their memory: the fault, its lanes."""
    lanes = [l for l in range(LANES) if used >> l & 1]
    guilty = [l for l in lanes if c.rng.random() < 0.3] or lanes[-1:]
    outside = unit == 1 or c.rng.random() < 0.5
    for l in guilty:
        for first, size in areas:
            if outside and first <= target[l] < first + size:
                target[l] = first + size + unit * c.rng.randrange(3)
                break
        if not outside:
            target[l] += unit // 2
    return 'out of bounds' if outside else 'misaligned address', sum(1 << l for l in guilty)


class Access:
    """An address operand of an instruction and where it leads: `target` per lane, whether it is
    extended (`.E`), `text`, and the `fault`, if there is one."""

    def __init__(self, c, insn, form, unit, scaled=True, descriptor=True):
        r, wrong = c.rng, form.endswith('!')
        self.c, self.unit, self.kind = c, unit, KINDS[insn]
        self.extended = self.kind in ('global', 'generic') and r.random() < 0.8
        shift, areas = 0, AREAS
        if self.kind == 'shared':
            shift = r.choice([0, 0, 2, 3, 4]) if scaled and not wrong else 0
            step = max(unit, 1 << shift)
            low, areas = r.randrange(0, step, unit), [(0, SHARED_SIZE)]
            self.target = places(c, low, SHARED_SIZE - low, step, unit)
        elif self.kind == 'local':
            self.target, areas = local_places(c, unit), [(0, LOCAL_SIZE)]
        elif self.kind == 'global':
            self.target = global_places(c, self.extended, unit)
        else:
            self.target = generic_places(c, self.extended, unit, wrong)
        self.fault = spoil(c, self.target, unit, c.mask, areas) if wrong else None
        if self.kind in ('shared', 'local'):
            self.text = narrow_address(c, form[0], self.target, shift)
        else:
            bits = 32 if insn in ('LD', 'ST') and form[0] == 'R' else 24
            self.text = wide_address(c, form[0], self.target, self.extended, bits, descriptor)

    def place(self, lane):
        """Its space, as Case.load has it, and the address there."""
        at = self.target[lane]
        if self.kind == 'generic':
            return space_of(at, lane)
        return {'global': 'G', 'shared': 'S', 'local': f'L{lane}'}[self.kind], at

    def load(self, lane):
        return self.c.load(*self.place(lane), self.unit)

    def store(self, lane, value):
        self.c.store(*self.place(lane), self.unit, value)

    def fill(self, draw):
        """Memory holds what `draw` gives where the lanes that execute have their addresses."""
        for lane in lanes_of(self.c):
            self.store(lane, draw())
        for words in self.c.memory.values():
            for word in words.values():
                word[0] = word[1]


def extended_value(name, value):
    return signed(value, int(name[1:])) & M32 if name in ('S8', 'S16') else value


def load(insn):
    def make(c, form):
        r, name = c.rng, c.rng.choice(list(SIZES))
        count = max(1, SIZES[name] // 4)
        a = Access(c, insn, form, SIZES[name])
        far = insn in ('LDG', 'LD')
        parts = [insn, 'E' * a.extended]
        parts += [r.choice(['', 'U'] if insn == 'LDS' else CACHES)]
        parts += [r.choice(PREFETCHES) if far else '', name]
        parts += [r.choice(ORDERS + ['CONSTANT', 'MMIO.SYS']) if far else '']
        on, text = [1] * LANES, ''
        if far and not a.fault and r.random() < 0.4:
            text, on = c.pred()
        d, pu = c.dest(count=count), c.pdest() if insn == 'LDG' and r.random() < 0.4 else ''
        line = dotted(*parts) + ' ' + ', '.join(filter(None, [pu, d, a.text, text]))
        if a.fault:
            return c.fault(line, *a.fault)
        values = [0] * LANES
        for l in lanes_of(c):
            values[l] = extended_value(name, a.load(l)) if on[l] else 0
        c.write(d, values, count=count)
        c.write(pu or None, [1] * LANES)
        return c.emit(line)
    return make


def store(insn):
    def make(c, form):
        r, name = c.rng, c.rng.choice(list(SIZES))
        a = Access(c, insn, form, SIZES[name])
        data, values = c.registers(max(1, SIZES[name] // 4))
        parts = [insn, 'E' * a.extended, '' if insn == 'STS' else r.choice(CACHES), name]
        parts += [r.choice(ORDERS + ['MMIO.SYS']) if insn in ('STG', 'ST') else '']
        line = f'{dotted(*parts)} {a.text}, {data}'
        if a.fault:
            return c.fault(line, *a.fault)
        for l in lanes_of(c):
            a.store(l, values[l])
        return c.emit(line)
    return make


# ---------------------------------------------------------------- atomic operations

FLOATS = {'F32.FTZ.RN': 'F32', 'F16x2.RN': 'F16', 'F64.RN': 'F64'}
TYPES = {'': 4, 'S32': 4, '64': 8, 'S64': 8, 'F32.FTZ.RN': 4, 'F16x2.RN': 4, 'F64.RN': 8}
OPS = ['ADD', 'MIN', 'MAX', 'INC', 'DEC', 'AND', 'OR', 'XOR', 'EXCH']


def result(op, name, old, data):
    bits = 8 * TYPES[name]
    if name == 'F16x2.RN':
        low = floats.add('F16', old & 0xFFFF, data & 0xFFFF)
        return floats.add('F16', old >> 16, data >> 16) << 16 | low
    if name in FLOATS:
        return floats.add(FLOATS[name], old, data, ftz='FTZ' in name)

    def order(x):
        return signed(x, bits) if name in ('S32', 'S64') else x

    return {
        'ADD': (old + data) % (1 << bits), 'MIN': min(old, data, key=order),
        'MAX': max(old, data, key=order), 'INC': 0 if old >= data else old + 1,
        'DEC': data if old == 0 or old > data else old - 1, 'AND': old & data, 'OR': old | data,
        'XOR': old ^ data, 'EXCH': data,
    }[op]


def draw_number(c, name):
    """A number of an atomic operation's type, as bits."""
    if name == 'F16x2.RN':
        return c.rng.choice(floats.edges('F16')) << 16 | c.rng.choice(floats.edges('F16'))
    if name in FLOATS:
        return c.rng.choice(floats.edges(FLOATS[name]) + [c.rng.getrandbits(8 * TYPES[name])])
    return c.word() | (c.word() << 32 if TYPES[name] == 8 else 0)


def data_rows(c, unit, draw):
    """A fresh source of one register or two."""
    if c.rng.random() < 0.1:
        return 'RZ', [0] * LANES
    values = [draw() for _ in range(LANES)]
    return base_rows(c, values, unit == 8, M32), values


def carry_out(c, a, line, to, change, pu=None, carried=None):
    """Each lane in turn: `change` gives the lane's result and what memory holds then. Lanes that
    `carried` leaves out do nothing, which Pu tells."""
    if a.fault:
        return c.fault(line, *a.fault)
    count = max(1, a.unit // 4)
    done = [l for l in lanes_of(c) if not carried or carried(a.place(l)[0])]
    values = [0] * LANES
    for l in done:
        values[l], now = change(l, a.load(l))
        a.store(l, now)
    mask = sum(1 << l for l in done)
    c.write(to, values, count=count, mask=mask)
    c.write(pu, [mask >> l & 1 for l in range(LANES)])
    return c.emit(line)


def atomic(insn):
    """Operations and types in turn, so that each is met."""
    turn = itertools.count(len(insn))
    pairs = [(op, name) for op in OPS for name in TYPES
             if (op == 'ADD' or name not in FLOATS) and not (insn == 'RED' and op == 'EXCH')
             and (insn != 'ATOMS' or name in ('', 'S32', '64'))]

    def make(c, form):
        r, (op, name) = c.rng, pairs[next(turn) * 11 % len(pairs)]
        a = Access(c, insn, form, TYPES[name])
        few = r.random() < 0.5 and name not in FLOATS # counters that come to their ends
        draw = (lambda: r.randrange(5)) if few else lambda: draw_number(c, name)
        if not a.fault:
            a.fill(draw)
        data, values = data_rows(c, a.unit, draw)
        near = insn == 'ATOMS'
        text = dotted(insn, 'E' * a.extended, op, '' if near else r.choice(CACHES), name,
                      '' if near else r.choice(ORDERS))
        to = None if insn == 'RED' else c.dest(pair=a.unit == 8)
        pu = None if near or insn == 'RED' else r.choice(['PT', c.pdest()])
        limited = insn == 'ATOM' and pu != 'PT' and name not in ('', 'S32') and op != 'EXCH'
        line = f'{text} ' + ', '.join(filter(None, [pu, to, a.text, data]))
        return carry_out(c, a, line, to, lambda l, old: (old, result(op, name, old, values[l])), pu,
                         (lambda space: space == 'G') if limited else None)
    return make


def swap(insn, op='CAS'):
    """Compare and swap: ATOM, ATOMG, ATOMS; CAST tells whether it was done."""
    def make(c, form):
        r, wide = c.rng, c.rng.random() < 0.5
        a = Access(c, insn, form, 8 if wide else 4)
        draw = lambda: r.randrange(3) | (r.randrange(2) << 32 if wide else 0)
        if not a.fault:
            a.fill(draw)
        compare, wanted = data_rows(c, a.unit, draw)
        data, values = data_rows(c, a.unit, draw)
        near = insn == 'ATOMS'
        text = dotted(insn, 'E' * a.extended, op, '' if near else r.choice(CACHES), '64' * wide,
                      '' if near else r.choice(ORDERS))
        to, pu = c.dest(pair=wide), None if near else r.choice(['PT', c.pdest()])

        def change(l, old):
            equal = old == wanted[l]
            return int(equal) if op == 'CAST.SPIN' else old, values[l] if equal else old

        limited = insn == 'ATOM' and pu != 'PT' and wide
        line = f'{text} ' + ', '.join(filter(None, [pu, to, a.text, compare, data]))
        return carry_out(c, a, line, to, change, pu,
                         (lambda space: space == 'G') if limited else None)
    return make


def count_lanes(insn):
    def make(c, form):
        a = Access(c, insn, form, 4, descriptor=False)
        near = insn == 'ATOMS'
        to, pu = c.dest(), None if near else c.rng.choice(['PT', c.pdest()])
        text = dotted(insn, 'E' * a.extended, 'POPC.INC.32', '' if near else c.rng.choice(ORDERS))
        line = f'{text} ' + ', '.join(filter(None, [pu, to, a.text]))
        return carry_out(c, a, line, to, lambda l, old: (old, old + 1 & M32), pu)
    return make


def arrived(barrier):
    """An mbarrier for n arrivals: 2^30 - n in the low word; in the high one the phase and, in 31
    bits, -(those awaited)."""
    low, phase, awaited = barrier & M32, barrier >> 63, -(barrier >> 32) % (1 << 31) - 1
    if awaited == 0:
        phase, awaited = 1 - phase, (1 << 30) - low
    return (phase << 31 | (1 << 31) - awaited) << 32 | low


def arrive(insn):
    def make(c, form):
        r = c.rng
        a = Access(c, insn, form, 8, scaled=False, descriptor=False)

        def draw():
            n = r.choice([1, 2, 3, 5, 32, 33, 1000])
            high = r.getrandbits(1) << 31 | (1 << 31) - r.randrange(1, n + 1)
            return high << 32 | (1 << 30) - n

        if not a.fault:
            a.fill(draw)
        to = None if insn == 'ARRIVES' else c.dest(pair=True)
        pu = r.choice(['PT', c.pdest()]) if insn == 'ATOM' else None
        name = 'LDGSTSBAR.64' if insn == 'ARRIVES' else 'ARRIVE.64'
        text = dotted(insn, 'E' * a.extended, name, r.choice(ORDERS) if insn == 'ATOM' else '')
        line = f'{text} ' + ', '.join(filter(None, [pu, to, a.text]))
        return carry_out(c, a, line, to, lambda l, old: (old, arrived(old)), pu)
    return make


# ---------------------------------------------------------------- constants, matrices, copies

def constant(c, form):
    """LDC: the index may count banks in its upper half (IS), or they follow each other in steps of
    2^16 (IL), or both (ISL)."""
    r, name = c.rng, c.rng.choice(['', 'U8', 'S8', 'U16', 'S16', '64'])
    mode, unit = r.choice(['', 'IL', 'IS', 'ISL']), SIZES[name]
    target = places(c, 0, BANK_SIZE, unit, unit)
    fault = form == 'R!' and spoil(c, target, unit, c.mask, [(0, BANK_SIZE)])
    offset = r.randrange(-0x7F00, min(target) + 1) if mode == 'IS' else draw_offset(c, 1, 16)
    index, banks = [], []
    for at in target:
        more = r.randrange(2) if mode else 0
        carry = int(mode == 'ISL' and offset > at)
        more = max(more, carry)
        index.append({'': at - offset & M32, 'IS': more << 16 | at - offset & 0xFFFF,
                      'IL': (more << 16 | at) - offset & M32,
                      'ISL': more - carry << 16 | at - offset & 0xFFFF}[mode])
        if mode == 'ISL' and at - offset > 0xFFFF:
            return None
        banks.append(f'C{BANK + more}')
    count = max(1, unit // 4)
    d = c.dest(count=count)
    base = base_rows(c, index, False, c.mask)
    line = f'{dotted("LDC", mode, name)} {d}, c[{BANK:#x}]{bracket(base, hexed(offset))}'
    if fault:
        return c.fault(line, *fault)
    values = [0] * LANES
    for l in lanes_of(c):
        values[l] = extended_value(name, c.load(banks[l], target[l], unit))
    c.write(d, values, count=count)
    return c.emit(line)


def uniform_constant(c, form):
    c.uniform, c.mask = True, M32
    r, name = c.rng, c.rng.choice(['', 'U8', 'S8', 'U16', 'S16', '64'])
    unit, bank = SIZES[name], r.choice([BANK, BANK + 1])
    target = [places(c, 0, BANK_SIZE, unit, unit)[0]]
    fault = form.endswith('!') and spoil(c, target, unit, 1, [(0, BANK_SIZE)])[0]
    if form[0] == 'C':
        text = bracket(hexed(target[0])) if target[0] else '[0x0]'
    else:
        offset = draw_offset(c, 1, 16)
        text = bracket(uniform_register(c, (target[0] - offset) & M32, False), hexed(offset))
    d = c.dest(pair=name == '64')
    line = f'{dotted("ULDC", name)} {d}, c[{bank:#x}]{text}'
    if fault:
        return c.fault(line, fault, M32)
    value = extended_value(name, c.load(f'C{bank}', target[0], unit))
    c.write(d, [value] * LANES, pair=name == '64')
    return c.emit(line)


def matrices(c, form):
    """LDSM: lane 8m + i has the address of row i of matrix m, eight elements of 16 bits. Lane l
    gets elements 2 (l mod 4) and the next one of row l / 4; MT88: of the transposed matrix."""
    r, count = c.rng, c.rng.choice([1, 2, 4])
    if form != 'LANES':
        c.mask = M32
    elif c.mask == M32:
        return None
    turned, used = r.random() < 0.5, (1 << 8 * count) - 1
    target = places(c, 0, SHARED_SIZE, 16, 16)
    fault = form.endswith('!') and spoil(c, target, 16, used, [(0, SHARED_SIZE)])
    d = c.dest(count=count)
    text = narrow_address(c, 'U' if form[0] == 'U' else 'R', target, used=used)
    line = (f'LDSM.16.{"MT88" if turned else "M88"}{f".{count}" if count > 1 else ""} {d}, {text}')
    if c.mask != M32:
        return c.fault(line, 'inactive lanes', c.mask ^ M32)
    if fault:
        return c.fault(line, *fault)

    def element(m, i, j):
        row, column = (j, i) if turned else (i, j)
        return c.load('S', target[8 * m + row] + 2 * column, 2)

    values = [0] * LANES
    for l in range(LANES):
        for m in range(count):
            low, high = (element(m, l // 4, 2 * (l % 4) + k) for k in range(2))
            values[l] |= (high << 16 | low) << 32 * m
    c.write(d, values, count=count)
    return c.emit(line)


def copy(c, form):
    """LDGSTS: with ZFILL the low bits of the global address say how many bytes at the end are
    zeros, all of them where the predicate is false, where otherwise nothing is copied."""
    r, name = c.rng, c.rng.choice(['', '64', '128'])
    unit, fills = SIZES[name], r.random() < 0.5
    source = places(c, HIGH, HIGH_SIZE, unit, unit)
    target = places(c, 0, SHARED_SIZE, unit, unit)
    cut = [r.choice([0, r.randrange(unit)]) if fills else 0 for _ in range(LANES)]
    low = form[0] == 'S' and r.random() < 0.3
    if low:
        source = [at - HIGH + LOW if at - HIGH < LOW_SIZE else LOW for at in source]
    text, on = ('', [1] * LANES) if form.endswith('!') or r.random() < 0.3 else c.pred()
    fault = None
    if form.endswith('!'):
        cut, fills = [0] * LANES, False
        fault = (spoil(c, target, unit, c.mask, [(0, SHARED_SIZE)]) if r.random() < 0.5
                 else spoil(c, source, unit, c.mask, AREAS))
    at = [s + n for s, n in zip(source, cut)]
    if form[0] == 'G':
        to = narrow_address(c, 'R', target, bits=20)
        start = wide_address(c, 'U', at, True, bits=12)
    else:
        n, offset = r.randrange(5, 29, 2), draw_offset(c, 1, 12)
        add = r.getrandbits(32)
        shared = draw_offset(c, 1, 20)
        base = base_rows(c, [(t - add - shared) & M32 for t in target], False, c.mask)
        to = bracket(base, uniform_register(c, add, False, n), hexed(shared))
        desc = '' if low or r.random() < 0.5 else (
            f'desc[{uniform_register(c, r.getrandbits(64), True, n + 1)}]')
        if low:
            offset = -abs(offset)
        base = base_rows(c, [(t - offset) & M64 for t in at], not low, c.mask)
        start = desc + bracket(base + ('.U32' if low else '.64'), hexed(offset))
    parts = ['LDGSTS.E', r.choice(['', 'BYPASS']), r.choice(PREFETCHES), name, 'ZFILL' * fills,
             r.choice(ORDERS)]
    line = f'{dotted(*parts)} ' + ', '.join(filter(None, [to, start, text]))
    if fault:
        return c.fault(line, *fault)
    for l in lanes_of(c):
        value = c.load('G', source[l], unit - cut[l]) if on[l] else 0
        if on[l] or fills:
            c.store('S', target[l], unit, value)
    return c.emit(line)


def ask_space(c, form):
    """QSPC: G, L or S."""
    a = Access(c, 'QSPC', form, 1, descriptor=False)
    space, pu, to = c.rng.choice('GLS'), c.pdest(), c.rng.choice(['RZ', c.dest()])
    found = [int(a.place(l)[0][0] == space) for l in range(LANES)]
    c.write(pu, found)
    c.write(to, found)
    return c.emit(f'{dotted("QSPC", "E" * a.extended, space)} {pu}, {to}, {a.text}')


def cache(c, form):
    """CCTL does nothing, not even look whether there is memory."""
    extended, offset = c.rng.random() < 0.5, draw_offset(c, 1, 32)
    base = base_rows(c, [c.rng.getrandbits(64) for _ in range(LANES)], extended, M32)
    op = c.rng.choice(['PF1', 'PF2', 'WB', 'IV', 'RS', 'PML2', 'DML2', 'RML2'])
    return c.emit(f'{dotted("CCTL", "E" * extended, op)} {bracket(base, hexed(offset))}')


def rows(name, make, forms, count):
    """Cases of all forms, and some that end with a fault."""
    return [(name, make, forms, count),
            (f'{name}: faults', make, ' '.join(form + '!' for form in forms.split()), 3)]


ROWS = []
for insn in ('LDG', 'LDS', 'LDL', 'LD'):
    ROWS += rows(insn, load(insn), 'R U', 8)
for insn in ('STG', 'STS', 'STL', 'ST'):
    ROWS += rows(insn, store(insn), 'R U', 8)
for insn in ('ATOM', 'ATOMG', 'ATOMS'):
    ROWS += rows(insn, atomic(insn), 'R U', 15)
    ROWS += rows(f'{insn}.CAS', swap(insn), 'R', 8)
ROWS += rows('RED', atomic('RED'), 'U', 30) + rows('RED', atomic('RED'), 'R', 4)
ROWS += rows('ATOMS.CAST', swap('ATOMS', 'CAST.SPIN'), 'R', 8)
for insn in ('ATOM', 'ATOMS'):
    ROWS += rows(f'{insn}.POPC', count_lanes(insn), 'U', 6)
for insn in ('ATOM', 'ATOMS', 'ARRIVES'):
    ROWS += rows(f'{insn}.ARRIVE', arrive(insn), 'U', 6)
ROWS += rows('LDC', constant, 'R', 16) + rows('ULDC', uniform_constant, 'C U', 8)
ROWS += rows('LDSM', matrices, 'R U', 6) + [('LDSM by some lanes', matrices, 'LANES', 2)]
ROWS += rows('LDGSTS', copy, 'G S', 10)
ROWS += [('QSPC', ask_space, 'R U', 8), ('CCTL', cache, 'A', 4)]
