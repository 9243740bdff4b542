#!/usr/bin/env python3
"""Operands for ntt_fhec.cu: in.bin, 4096 coefficients, and powers.bin, psi^i for i < 8192."""
import random
import struct

Q, POINTS = 1073692673, 4096


def save(name, elements):
    with open(name, "wb") as file:
        file.write(struct.pack(f"<{len(elements)}I", *elements))


psi = next(p for p in (pow(g, (Q - 1) // (2 * POINTS), Q) for g in range(2, Q))
           if pow(p, POINTS, Q) == Q - 1)
rng = random.Random(2024)
save("in.bin", [rng.choice([rng.randrange(Q), 0, 1, Q - 1]) for _ in range(POINTS)])
save("powers.bin", [pow(psi, i, Q) for i in range(2 * POINTS)])
print(f"psi = {psi}")
