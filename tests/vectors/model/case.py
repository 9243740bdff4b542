"""What every family of instruction vectors needs: a case, which draws operands and remembers their
values, and arithmetic on rows of lanes.
"""
LANES = 32
M32, M64 = (1 << 32) - 1, (1 << 64) - 1
EDGES = [0, 1, 2, 3, 0x7FFFFFFF, 0x80000000, 0x80000001, M32, M32 - 1, 0x10000, 0xFFFF,
         0xAAAAAAAA, 0x55555555, 31, 32, 33, 63, 64, 0xFFFF0000, 0x12345678]
IMAD_FORMS = 'RR RI RC IR CR UR RU'.split()
WIDE_FORMS = 'RR RC IR CR UR RU'.split()


def signed(x, bits=32):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


class Case:
    """One instruction under test: its operands as they are drawn, what the machine holds before
    it (`inputs`, `params`), what it leaves (`outputs`), and the lanes that execute it."""

    def __init__(self, rng, uniform=False):
        self.rng, self.uniform = rng, uniform
        self.inputs, self.outputs, self.params = {}, {}, {}
        self.memory = {} # space -> {address of a word: [before, after]}
        self.mask = rng.choice([M32, M32, rng.getrandbits(32) | 1, 1 << rng.randrange(32)])
        if uniform:
            self.mask = M32

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

    def dest(self, pair=False, count=0):
        n = self.rng.randrange(max(2, count), 24)
        n &= -count if count else ~1 if pair else ~0
        if self.rng.random() < 0.05:
            return 'URZ' if self.uniform else 'RZ'
        return f'{"UR" if self.uniform else "R"}{n}'

    def pdest(self, prefix=None, others=()):
        prefix = prefix or ('UP' if self.uniform else 'P')
        free = [p for p in (4, 5, 6, 0, 1) if f'{prefix}{p}' not in others]
        return f'{prefix}{self.rng.choice(free)}'

    def registers(self, count, zero=0.1):
        """A source operand of so many registers: its text and its rows as one number per lane."""
        if self.rng.random() < zero:
            return 'RZ', [0] * LANES
        n = self.rng.randrange(max(2, count), 24 - count, count)
        values = [0] * LANES
        for i in range(count):
            rows = self.inputs.setdefault(f'R{n + i}', self.row())
            values = [v | x << (32 * i) for v, x in zip(values, rows)]
        return f'R{n}', values

    def write(self, name, values, pair=False, count=0, mask=M32):
        """A result of one register, a pair, or `count` of them, in the lanes that execute."""
        if name in ('RZ', 'URZ', 'PT', 'UPT', None):
            return
        active = [l for l in range(LANES) if (self.mask & mask) >> l & 1]
        if name.startswith(('P', 'UP')):
            old = self.inputs.setdefault(name, 0 if self.uniform else self.rng.getrandbits(32))
            new = old
            for l in active:
                new = new & ~(1 << l) | (values[l] & 1) << l
            self.outputs[name] = new
            return
        prefix, n = ('UR', int(name[2:])) if name.startswith('UR') else ('R', int(name[1:]))
        for i in range(count or (2 if pair else 1)):
            reg = f'{prefix}{n + i}'
            old = self.inputs.setdefault(reg, self.row())
            new = list(old)
            for l in active:
                if prefix == 'R':
                    new[l] = values[l] >> (32 * i) & M32
            if prefix == 'UR':
                new = [values[active[0]] >> (32 * i) & M32] * len(old)
            self.outputs[reg] = new

    def word_of(self, space, address):
        """The word of memory that holds this byte, [before, after]: drawn when it is first seen. Of
        local memory, L0 to L31, all lanes' words are."""
        address &= ~3
        if space[0] == 'L':
            for lane in range(LANES):
                self.memory.setdefault(f'L{lane}', {}).setdefault(address, None)
            for lane in range(LANES):
                words = self.memory[f'L{lane}']
                words[address] = words[address] or [self.word()] * 2
        words = self.memory.setdefault(space, {})
        if address not in words:
            words[address] = [self.word()] * 2
        return words[address]

    def load(self, space, address, size):
        """What `size` bytes of memory hold now; the first byte is the lowest."""
        return sum((self.word_of(space, address + i)[1] >> (address + i) % 4 * 8 & 255) << 8 * i
                   for i in range(size))

    def store(self, space, address, size, value):
        for i in range(size):
            word, at = self.word_of(space, address + i), (address + i) % 4 * 8
            word[1] = word[1] & ~(255 << at) & M32 | (value >> 8 * i & 255) << at

    def fault(self, text, name, lanes):
        """The case of an instruction that ends with a fault: it leaves all as it was."""
        self.outputs = {}
        for words in self.memory.values():
            for word in words.values():
                word[1] = word[0]
        return self.emit(text) + f'fault {name} {lanes:08x}\n'

    def memory_lines(self, kind, which):
        """What is in memory before (0), and what has changed afterwards (1)."""
        lines = []
        for address in sorted(self.memory.get('L0', {})):
            row = [self.memory[f'L{lane}'][address] for lane in range(LANES)]
            if which == 0 or any(before != after for before, after in row):
                lines.append(f'{kind}   L {address:x} ' + ' '.join(f'{w[which]:08x}' for w in row))
        for space in sorted(self.memory):
            last = None
            for address, word in sorted(self.memory[space].items()):
                if space[0] == 'L' or (which == 1 and word[0] == word[1]):
                    continue
                if address - 4 != last or address % 64 == 0:
                    lines.append(f'{kind}   {space} {address:x}')
                lines[-1] += f' {word[which]:08x}'
                last = address
        return lines

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
            lines += self.memory_lines(kind, int(kind == 'out'))
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


def compare(name, p, q):
    return int({'F': False, 'LT': p < q, 'EQ': p == q, 'LE': p <= q, 'GT': p > q, 'NE': p != q,
                'GE': p >= q, 'T': True}[name])


def combine(name, p, q):
    return {'AND': p & q, 'OR': p | q, 'XOR': p ^ q}[name]


def lut(table, *bits):
    index = 0
    for b in bits:
        index = index * 2 + b
    return table >> index & 1
