"""How figures are printed."""
import math


def number(value, digits=3):
    """Three digits, and no exponent below a billion."""
    if value is None:
        return "-"
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def difference(ours, theirs):
    """"+12 %", or a dash."""
    if not ours or not theirs:
        return "-"
    percent = 100 * (ours / theirs - 1)
    if abs(percent) < 1e-9:
        return "exact"
    return f"{percent:+.0f} %" if abs(percent) >= 1 else f"{percent:+.2f} %"


def geomean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))
