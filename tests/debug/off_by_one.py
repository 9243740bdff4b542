def strided(x, count):
    return [sum(x[i + 64 * k] for k in range(count)) % 2**32 for i in range(64)]
