"""What the families of floating-point instructions share: cases whose words are such numbers."""
from . import floats
from .case import Case, LANES, M32

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


def half_source(c, form):
    """One half of a source, `.H1` or not: text, and its pattern after the sign, per lane."""
    neg, high = c.rng.random() < 0.3, c.rng.random() < 0.5
    b, vb = c.operand(form)
    text = f'{"-" if neg else ""}{b}{".H1" if high else ""}'
    return text, [floats.source('F16', x >> 16 * high & 0xFFFF, neg, False) for x in vb]


def relu(fmt, x):
    """Negative numbers and -0 become +0."""
    sign, v = floats.value(fmt, x)
    return 0 if sign and v is not None else x
