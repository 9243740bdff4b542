def sums(x):
    return [sum(x[i:i + 128]) % 2**32 for i in range(0, len(x), 128)]
