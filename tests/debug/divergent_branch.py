def distance(x, c):
    signed = [v - 2**32 if v >= 2**31 else v for v in x]
    return [abs(v - c) % 2**32 for v in signed]
