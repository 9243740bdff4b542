/*
 * float_numbers.h - floating point numbers for tests, as bits: those that rules are about, and
 * random ones of which operations give results that are hard to round. Formats are enum
 * fh_float_format.
 */
#ifndef FH_TESTS_FLOAT_NUMBERS_H
#define FH_TESTS_FLOAT_NUMBERS_H

#include <stdint.h>

#include "emu_random.h"

enum { FLOAT_SPECIALS = 24 };

/* In bits, by format; the precision counts the hidden one. */
extern const int float_precision[], float_width[];

/* A number from its parts, whose bits above their fields are dropped. */
uint64_t float_number(uint32_t format, uint64_t negative, uint64_t exponent, uint64_t fraction);
/* Number i < FLOAT_SPECIALS of the values that rules are about; every second one is negative. */
uint64_t float_special_value(uint32_t format, unsigned i);
/* A number whose exponent is `near`, or at most 3 away; or any, or at an end of the range. */
uint64_t float_random(struct emu_rng *rng, uint32_t format, int near);
/* The field of the exponent. */
int float_exponent(uint32_t format, uint64_t x);

#endif
