#!/usr/bin/env python3
"""golden.NAME(...) of fhec debug against definitions of its own, for small sizes.

    golden_functions.py FOLDER

writes x.bin and key.bin (words of 32 bits) and `script`: each line compares all elements of a call,
or a number, with what they are by the definition; `wanted` has what is answered then, and `names`
the functions that are compared."""
import random
import struct
import sys

N = 8
rng = random.Random(3)


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, int(n ** 0.5) + 1))


def find_primes(n, bits, count):
    found, q = [], (1 << bits) // (2 * n) * 2 * n + 1
    while len(found) < count:
        q -= 2 * n
        if is_prime(q):
            found.append(q)
    return found


def root(n, q):
    return next(psi for psi in range(2, q) if pow(psi, n, q) == q - 1)


def bitrev(i, bits):
    return int(format(i, f"0{bits}b")[::-1], 2) if bits else 0


BITS = N.bit_length() - 1


def evaluate(a, q, natural=False):
    psi = root(N, q)
    at = [sum(a[i] * pow(psi, (2 * k + 1) * i, q) for i in range(N)) % q for k in range(N)]
    return at if natural else [at[bitrev(k, BITS)] for k in range(N)]


def interpolate(values, q, natural=False):
    psi = pow(root(N, q), -1, q)
    at = values if natural else [values[bitrev(k, BITS)] for k in range(N)]
    return [sum(at[k] * pow(psi, (2 * k + 1) * i, q) for k in range(N)) * pow(N, -1, q) % q
            for i in range(N)]


def product(a, b, q, sign):
    out = [0] * N
    for i in range(N):
        for j in range(N):
            out[(i + j) % N] += a[i] * b[j] * (sign if i + j >= N else 1)
    return [v % q for v in out]


def limbs(values):
    return [values[i:i + N] for i in range(0, len(values), N)]


def flat(rows):
    return [v for row in rows for v in row]


def convert(rows, source, target, exact=False):
    whole = 1
    for p in source:
        whole *= p
    out = [[] for _ in target]
    for i in range(N):
        y = [rows[j][i] * pow(whole // p, -1, p) % p for j, p in enumerate(source)]
        x = sum(v * (whole // p) for v, p in zip(y, source))
        x = x % whole if exact else x
        for row, q in zip(out, target):
            row.append(x % q)
    return out


def automorphism(a, g, q):
    out = [0] * N
    for i in range(N):
        e = g * i % (2 * N)
        out[e % N] = (a[i] if e < N else -a[i]) % q
    return out


# A chain of two q and two p, whose digits have one limb each, or both.
PRIMES = find_primes(N, 20, 4)
Q, P = PRIMES[:2], PRIMES[2:]
ALPHA = 2


def mod_up(rows, digit, size):
    at = range(digit * size, (digit + 1) * size)
    coefficients = [interpolate(rows[j], Q[j]) for j in at]
    raised = convert(coefficients, [Q[j] for j in at], PRIMES)
    return [rows[i] if i in at else evaluate(raised[i], q) for i, q in enumerate(PRIMES)]


def mod_down(rows):
    whole = P[0] * P[1]
    low = convert([interpolate(rows[2 + j], p) for j, p in enumerate(P)], P, Q)
    return [[(a - b) * pow(whole, -1, q) % q for a, b in zip(rows[i], evaluate(low[i], q))]
            for i, q in enumerate(Q)]


def inner_product(raised, key):
    """key[d][component][limb]"""
    return [[[sum(r[i][k] * key[d][c][i][k] for d, r in enumerate(raised)) % q for k in range(N)]
             for i, q in enumerate(PRIMES)] for c in range(2)]


def rescale(rows):
    last = interpolate(rows[-1], Q[1])
    last = [v - Q[1] if v > Q[1] // 2 else v for v in last]
    low = evaluate([v % Q[0] for v in last], Q[0])
    return [[(a - b) * pow(Q[1], -1, Q[0]) % Q[0] for a, b in zip(rows[0], low)]]


def key_switch(rows, key):
    raised = [mod_up(rows, d, 1) for d in range(2)]
    return [mod_down(part) for part in inner_product(raised, key)]


def rotate_ciphertext(c, key, r):
    g = pow(5, r, 2 * N)
    parts = [[evaluate(automorphism(interpolate(row, Q[i]), g, Q[i]), Q[i])
              for i, row in enumerate(part)] for part in c]
    switched = key_switch(parts[1], key)
    return [[[(a + b) % Q[i] for a, b in zip(parts[0][i], switched[0][i])] for i in range(2)],
            switched[1]]


def multiply_ciphertexts(a, b, key):
    def pointwise(x, y):
        return [[s * t % Q[i] for s, t in zip(x[i], y[i])] for i in range(2)]

    def plus(x, y):
        return [[(s + t) % Q[i] for s, t in zip(x[i], y[i])] for i in range(2)]

    switched = key_switch(pointwise(a[1], b[1]), key)
    return [plus(pointwise(a[0], b[0]), switched[0]),
            plus(plus(pointwise(a[0], b[1]), pointwise(a[1], b[0])), switched[1])]


def montgomery(a, b, m, bits):
    return a * b * pow(1 << bits, -1, m) % m


def words(value, count):
    return [value >> 32 * i & 0xFFFFFFFF for i in range(count)]


def splitmix(x):
    mask = (1 << 64) - 1
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & mask
    x = (x ^ x >> 27) * 0x94D049BB133111EB & mask
    return x ^ x >> 31


def random_residue(seed, stream, index, q):
    gold, mask = 0x9E3779B97F4A7C15, (1 << 64) - 1
    key = splitmix((splitmix((seed + gold) & mask) + (stream + 1) * gold) & mask)
    first, second = (splitmix((key + (w + 1) * gold) & mask) for w in (2 * index, 2 * index + 1))
    return (first << 64 | second) % q


def listed(values):
    return "[" + ", ".join(str(v) for v in values) + "]"


def fourstep(n1, n2, q):
    psi = root(n1 * n2, q)
    p1, p2 = pow(psi, n2, q), pow(psi, n1, q)
    b1, b2 = n1.bit_length() - 1, n2.bit_length() - 1
    w1 = [pow(p2, (2 * bitrev(r, b2) + 1) * j, q) for r in range(n2) for j in range(n2)]
    w2 = [pow(psi, (2 * bitrev(r, b2) + 1) * j, q) for r in range(n2) for j in range(n1)]
    w3 = [pow(p1, 2 * j * bitrev(c, b1), q) for j in range(n1) for c in range(n1)]
    return w1, w2, w3


def calls(x, key):
    """Pairs of a call and what it is: a list, or a number."""
    q, p = PRIMES[0], PRIMES[1]
    a, b = x[:8], x[8:16]
    two, both = limbs(x[:16]), f"[{q}, {p}]"
    extended = limbs(x[:32])
    ciphertexts = [[two, limbs(x[16:32])], [limbs(x[32:48]), limbs(x[48:64])]]
    keys = [[limbs(key[64 * d + 32 * c:64 * d + 32 * c + 32]) for c in range(2)] for d in range(2)]
    tail = f"{listed(PRIMES)}, {ALPHA}, 2"
    third = [3, 5, 7, 11]
    yield f"ntt(x[0:15], {both})", flat(evaluate(r, m) for r, m in zip(two, (q, p)))
    yield f"ntt(x[0:7], {q}, {root(N, q)})", evaluate(a, q)
    yield f"intt(x[0:7], {q})", interpolate(a, q)
    yield f"ntt_natural(x[0:7], {q})", evaluate(a, q, True)
    yield f"intt_natural(x[0:7], {q})", interpolate(a, q, True)
    yield f"poly_mul(x[0:7], x[8:15], {q})", product(a, b, q, -1)
    yield f"poly_mul_cyclic(x[0:7], x[8:15], {q})", product(a, b, q, 1)
    psi = root(N, q)
    yield f"twiddles(8, {q})", [pow(psi, bitrev(i, 3), q) for i in range(8)]
    yield f"inverse_twiddles(8, {q})", [pow(psi, -bitrev(i, 3), q) for i in range(8)]
    for name, w in zip(("w1", "w2", "w3"), fourstep(2, 4, q)):
        yield f"fourstep_{name}(2, 4, {q})", w
    yield "bitrev_order(x[0:7])", [a[bitrev(i, 3)] for i in range(8)]
    moved = [evaluate(automorphism(interpolate(a, q, n), 5, q), q, n) for n in (False, True)]
    yield f"automorphism(x[0:7] mod {q}, 5)", moved[0]
    yield f"automorphism_natural(x[0:7] mod {q}, 5)", moved[1]
    yield f"automorphism_coeff(x[0:7], 3, {q})", automorphism(a, 3, q)
    yield f"bconv(x[0:15], {both}, {listed(third)})", flat(convert(two, [q, p], third))
    yield f"bconv_exact(x[0:15], {both}, {listed(third)})", flat(convert(two, [q, p], third, True))
    yield f"bconv_phat({both}, {listed(third)})", [v % t for v in (p, q) for t in third]
    yield f"bconv_phat_inverse({both})", [pow(p, -1, q), pow(q, -1, p)]
    yield f"mod_up(x[0:15], 1, {tail})", flat(mod_up(two, 1, 1))
    yield f"mod_up(x[0:15], 0, {listed(PRIMES)}, 2, 1)", flat(mod_up(two, 0, 2))
    yield f"mod_down(x[0:31], {tail})", flat(mod_down(extended))
    yield f"rescale(x[0:31], {tail})", flat(flat(rescale(part)) for part in ciphertexts[0])
    yield (f"inner_product(x[0:63], key, {tail})",
           flat(flat(s) for s in inner_product([limbs(x[0:32]), limbs(x[32:64])], keys)))
    yield f"key_switch(x[0:15], key, {tail})", flat(flat(s) for s in key_switch(two, keys))
    yield (f"rotate(x[0:31], key, 1, {tail})",
           flat(flat(s) for s in rotate_ciphertext(ciphertexts[0], keys, 1)))
    yield (f"hemult(x[0:31], x[32:63], key, {tail})",
           flat(flat(s) for s in multiply_ciphertexts(*ciphertexts, keys)))
    phat = "bconv_phat([17, 19], [3, 5])"
    m = [[19 % 3, 19 % 5], [17 % 3, 17 % 5]]
    yield (f"fhec(golden.{phat}, golden.{phat}, golden.{phat}, 7)",
           [(m[i][j] + sum(m[i][k] * m[k][j] for k in range(2))) % 7
            for i in range(2) for j in range(2)])
    yield f"add(x[0:7], x[8:15], {q})", [(s + t) % q for s, t in zip(a, b)]
    yield f"add(x[0:7], 3, {q})", [(s + 3) % q for s in a]
    yield f"sub(x[0:7], x[8:15], {q})", [(s - t) % q for s, t in zip(a, b)]
    yield f"mul(x[0:15], x[16:31], {both})", [s * t % m for s, t, m in
                                              zip(x[:16], x[16:32], [q] * 8 + [p] * 8)]
    yield f"mac(x[0:7], x[8:15], 9, {q})", [(s * t + 9) % q for s, t in zip(a, b)]
    yield f"powmod(x[0:7], 1000003, {q})", [pow(s, 1000003, q) for s in a]
    yield f"powmod(x[3], 5, {q})", pow(a[3], 5, q)
    big = 0xFFFFFFFFFFFFFFC5
    factor = a[3] * 0xFEDCBA9876543 % 2 ** 64
    yield f"mulmod(x[3] * 0xfedcba9876543, {big - 5}, {big})", factor * (big - 5) % big
    yield f"inverse(x[0:7], {q})", [pow(s, -1, q) for s in a]
    yield "centred(x[0:7], 1000)", [(s % 1000 - 1000) if s % 1000 > 500 else s % 1000 for s in a]
    yield "bitrev(x[0:7], 21)", [bitrev(s & 0x1FFFFF, 21) for s in a]
    yield "gcd(x[0] * 12, 18)", 18 if a[0] % 3 == 0 else 6
    yield "is_prime([2, 9, 65537, 65539 * 3])", [1, 0, 1, 0]
    yield f"root(8, {q})", root(8, q)
    yield "galois(8, 3)", 125 % 16
    yield f"powers(7, 9, {q})", [pow(7, i, q) for i in range(9)]
    yield "primes(8, 20, 4)", PRIMES
    yield f"random(5, {both}, 4)", [random_residue(5, s, i, m) for s, m in enumerate((q, p))
                                    for i in range(4)]
    yield f"barrett_mu({q})", (1 << 64) // q
    yield f"montmul(x[0], x[1], {q}, 32)", montgomery(a[0], a[1], q, 32)
    yield f"montmul(x[0], x[1], {big}, 64)", montgomery(a[0], a[1], big, 64)
    wide = (a[0] << 44) * (a[1] << 42) + 99
    yield "wmac_lo(u64(x[0]) << 44, u64(x[1]) << 42, 99)", wide & (1 << 64) - 1
    yield "wmac_hi(u64(x[0]) << 44, u64(x[1]) << 42, 99)", wide >> 64
    first = sum(v << 32 * i for i, v in enumerate(x[:8]))
    second = sum(v << 32 * i for i, v in enumerate(x[8:12]))
    yield "big_mul(x[0:7], x[8:11])", words(first * second, 12)
    yield "big_mod(x[0:7], x[8:11])", words(first % second, 4)
    odd = sum(v << 32 * i for i, v in enumerate([x[0] | 1] + x[1:4]))
    yield (f"big_montgomery(x[4:7], x[8:11], {listed([x[0] | 1] + x[1:4])})",
           words(montgomery(first >> 128, second, odd, 128), 4))


def main():
    folder = sys.argv[1]
    # Residues of the limbs that they are taken for: below every prime.
    x = [rng.randrange(1, min(PRIMES)) for _ in range(64)]
    key = [rng.randrange(1, min(PRIMES)) for _ in range(128)]
    names = set()
    for name, values in (("x", x), ("key", key)):
        with open(f"{folder}/{name}.bin", "wb") as f:
            f.write(struct.pack(f"<{len(values)}I", *values))
    with open(f"{folder}/script", "w", encoding="ascii") as script, \
            open(f"{folder}/wanted", "w", encoding="ascii") as wanted:
        for call, value in calls(x, key):
            names.add(call[:call.index("(")])
            if isinstance(value, int):
                script.write(f"print golden.{call} == {value}\n")
                wanted.write(f"golden.{call} == {value} lane 0 = 1\n")
                continue
            values = list(value)
            script.write(f"print golden.{call} == {listed(values)}\n")
            wanted.write(f"golden.{call} == {listed(values)}: {len(values)} of {len(values)} "
                         "elements\n")
    with open(f"{folder}/names", "w", encoding="ascii") as f:
        f.write("\n".join(sorted(names)) + "\n")


if __name__ == "__main__":
    main()
