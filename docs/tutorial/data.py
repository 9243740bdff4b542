#!/usr/bin/env python3
"""Operands for matmul.cu, a.bin and b.bin, and in d.bin what it should give, by Python's integers.

A is 32 x 48 and B is 48 x 8, column after column; all elements are below q = 1073479681.
"""
import random
import struct

Q, ROWS, COLUMNS, K = 1073479681, 32, 8, 48


def save(name, elements):
    with open(name, "wb") as file:
        file.write(struct.pack(f"<{len(elements)}I", *elements))


rng = random.Random(2024)
a = [[rng.randrange(Q) for _ in range(K)] for _ in range(ROWS)]
b = [[rng.randrange(Q) for _ in range(K)] for _ in range(COLUMNS)]
a[3] = b[5] = [Q - 1] * K  # the largest sums there can be
d = [[sum(x * y for x, y in zip(row, column)) % Q for column in b] for row in a]
for name, matrix in ("a.bin", a), ("b.bin", b), ("d.bin", d):
    save(name, [x for row in matrix for x in row])
