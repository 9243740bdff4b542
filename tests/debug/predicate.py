def reduce(x, q):
    return [v % q for v in x]
