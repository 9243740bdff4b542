/*
 * programs_shapes.h - every shape of a transform on every map of a width. programs_ntt_test.c runs
 * those of 32-bit words, programs_ntt64_test.c those of 64-bit words.
 */
#ifndef FH_TESTS_PROGRAMS_SHAPES_H
#define FH_TESTS_PROGRAMS_SHAPES_H

#include "programs_util.h"

/* Every size, direction, order and set of moduli, compared with the reference. */
void programs_check_shapes(unsigned word_bits);

#endif
