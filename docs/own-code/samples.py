#!/usr/bin/env python3
"""Samples for FIDESlib's examples of logistic regression, in the place of the data sets that they
download:

    samples.py SAMPLES FEATURES SCALE >FILE.csv

Each line has FEATURES numbers from 0 to SCALE and a label, 0 or 1, of two overlapping clouds around
points that depend on the number of features alone. How many instructions are executed does not
depend on them.
"""
import random
import sys

if len(sys.argv) != 4:
    sys.exit(__doc__)
samples, features, scale = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
chance = random.Random(features)
centers = [[chance.random() for _ in range(features)] for _ in range(2)]
for _ in range(samples):
    label = chance.randrange(2)
    points = [0.5 * center + 0.25 + chance.gauss(0, 0.2) for center in centers[label]]
    values = [min(max(point, 0), 1) * scale for point in points]
    print(",".join(f"{value:.5f}" for value in values) + f",{label}.0")
