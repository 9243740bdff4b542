#!/usr/bin/env python3
"""fat_binary.py OUT PACKING:ARCH:FILE...: a container as cli/program/fat_binary.h describes it,
with an entry for each FILE, an object (or PTX, where its name ends in .ptx). PACKING is plain, lz4
or zstd. Packed ones are not made small: literals in LZ4, raw blocks in zstd, which every reader
must know.
"""
import struct
import sys


def lz4(data):
    rest = len(data) - 15
    token = bytes([min(len(data), 15) << 4])
    more = b"" if rest < 0 else b"\xff" * (rest // 255) + bytes([rest % 255])
    return token + more + data


def zstd(data):
    frame = struct.pack("<IBQ", 0xFD2FB528, 0xE0, len(data))  # one segment, eight bytes of size
    blocks = [data[i : i + 65536] for i in range(0, len(data), 65536)] or [b""]
    for i, block in enumerate(blocks):
        head = len(block) << 3 | (i == len(blocks) - 1)
        frame += head.to_bytes(3, "little") + block
    return frame


PACKINGS = {"plain": (0x11, lambda data: data), "lz4": (0x2011, lz4), "zstd": (0x8011, zstd)}


def entry(packing, arch, path):
    data = open(path, "rb").read()
    flags, pack = PACKINGS[packing]
    packed = pack(data)
    padded = packed + bytes(-len(packed) % 8)
    is_packed = packing != "plain"
    return (
        struct.pack(
            "<HHIQIIHHIIIQQQ",
            1 if path.endswith(".ptx") else 2, 0x101, 64, len(padded),
            len(packed) if is_packed else 0, 0, 1, 8, int(arch), 0, 0, flags, 0,
            len(data) if is_packed else 0,
        )
        + padded
    )


out, *entries = sys.argv[1:]
body = b"".join(entry(*e.split(":", 2)) for e in entries)
with open(out, "wb") as f:
    f.write(struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body)
