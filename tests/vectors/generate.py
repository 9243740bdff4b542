#!/usr/bin/env python3
"""Writes the instruction vectors (*.vec) that tests/unit/vectors_test.c runs on every engine.

The model (model/*.py, one file per family of instructions) is independent of isa_spec: it is
written from the architecture's definitions with Python's unbounded integers, one function per
instruction. Each family ends with its ROWS: name, function, the forms' letters, cases per form.
Run this after adding an instruction:

    tests/vectors/generate.py                       # rewrites tests/vectors/*.vec
    tests/vectors/generate.py MODEL.py OUT.vec      # of a model of one's own, which has ROWS, too

The numbers of a row depend on its name only, so a new row changes no other.

Format of a case, rows of 32 lanes as hex words:
    insn  IADD3 R4, P0, R5, c[0x0][0x164], R7     the instruction under test
    mask  ffff0fff                                lanes that execute (default all)
    in    R5 w0 w1 ... w31 | in P2 mask | in UR4 word | in UP1 0 | in C 0x164 word
    in    G 7f0000000010 w ...                    words of global memory from this address on; also
                                                  S shared, C3 and C4 constant banks
    in    L 1c w0 w1 ... w31                      this word of all lanes' local memory
    out   the same; registers and memory that no `out` names must not change
    fault NAME lanes                              it ends with this fault, of these lanes

There is global memory from 7efffffffc00 to 7f00000003ff and from 10000 to 103ff; 400 bytes of
shared memory, 100 of each lane's local memory, 80 of each constant bank (all hexadecimal).
Generic addresses of shared memory begin at 100000000, those of local memory at 200000000.
"""
import os
import random
import runpy
import sys

sys.dont_write_bytecode = True # nothing but *.vec appears here

from model import (convert, crosslane, floating, half, integer, matrix, matrix_float, memory,
                   modular, move, uniform)
from model.case import Case

FILES = {'integer': integer, 'move': move, 'uniform': uniform, 'crosslane': crosslane,
         'float': floating, 'convert': convert, 'half': half, 'matrix': matrix,
         'matrix_float': matrix_float, 'modular': modular, 'memory': memory}


def write_family(out, rows, is_uniform):
    out.write('# Written by generate.py: do not edit.\n')
    for insn, make, forms, count in rows:
        rng = random.Random(f'fhec {insn}')
        for form in forms.split():
            done = 0
            while done < count:
                text = make(Case(rng, is_uniform), form)
                if text: # None: this draw has no such form
                    out.write('\n' + text)
                    done += 1


def main():
    if len(sys.argv) == 3:
        rows = runpy.run_path(sys.argv[1])['ROWS']
        with open(sys.argv[2], 'w') as out:
            write_family(out, rows, False)
        return
    here = os.path.dirname(os.path.abspath(__file__))
    for name, family in FILES.items():
        with open(os.path.join(here, name + '.vec'), 'w') as out:
            write_family(out, family.ROWS, family is uniform)


if __name__ == '__main__':
    main()
