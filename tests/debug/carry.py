def add(a, b):
    def words(x):
        return [sum(x[4 * i + k] << 32 * k for k in range(4)) for i in range(len(x) // 4)]
    sums = [p + q for p, q in zip(words(a), words(b))]
    return [s >> 32 * k & 0xffffffff for s in sums for k in range(4)]
