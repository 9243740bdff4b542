/*
 * programs_convert.h - what the tests of base conversion share: moduli, inputs, and conversions by
 * every map, compared with the reference.
 */
#ifndef FH_TESTS_PROGRAMS_CONVERT_H
#define FH_TESTS_PROGRAMS_CONVERT_H

#include "programs_util.h"

/* One conversion: moduli, inputs and the reference's results. */
struct programs_conversion {
    fh_golden_bases bases;
    uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS]; /* sources, then targets */
    size_t n;
    unsigned word_bits;
    uint64_t *in, *want;
};

void programs_begin_conversion(struct programs_conversion *c, unsigned word_bits, size_t n,
                               size_t alpha, size_t target);
void programs_end_conversion(struct programs_conversion *c);

/* The largest primes of some size on each side, which `round` chooses. Of one size, sources and
 * targets take turns, so that either side has larger ones than the other. */
void programs_choose_primes(struct programs_conversion *c, unsigned round);

enum programs_pattern { RESIDUES, ALL_MAX, ONE_HOT, UNREDUCED, ONES, PATTERNS };

/* The inputs, and what the reference makes of them. */
void programs_fill_conversion(struct programs_conversion *c, enum programs_pattern pattern,
                              uint64_t seed);

/* One map converts and must have the reference's result, with exactly as many matrix instructions
 * as its tiles ask for; or one map of each kind that has words of this size. */
void programs_convert(const struct programs_conversion *c, const struct fh_map *map,
                      fhec_machine *machine, const char *what);
void programs_convert_all(const struct programs_conversion *c, fhec_machine *machine,
                          const char *what);

#endif
