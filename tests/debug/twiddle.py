def products(x, w):
    return [a * w[i % 32] % 2**32 for i, a in enumerate(x)]
