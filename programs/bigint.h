/*
 * bigint.h - products of multi-word integers on a machine: plain and Montgomery products of many
 * independent pairs of operands. A part of programs.h in its conventions.
 *
 * Integers are little-endian arrays of 32-bit words, one after another.
 */
#ifndef FH_BIGINT_H
#define FH_BIGINT_H

#include "programs.h"

enum { FH_BIGINT_MIN_WORDS = 3, FH_BIGINT_MAX_WORDS = 64, FH_BIGINT_MAX_COUNT = 1 << 18 };

enum fh_bigint_op {
    FH_BIGINT_MUL,     /* out = a b, twice as many words as an operand */
    FH_BIGINT_MONTMUL, /* out = a b 2^(-32 words) mod M, below M: the same on every map */
};

struct fh_bigint_params {
    const char *map; /* NULL: the default */
    enum fh_bigint_op op;
    size_t words;            /* of an operand, 3..64 */
    size_t count;            /* pairs of operands, 1..2^18 */
    const uint32_t *modulus; /* montmul: `words` words, odd, at least 3; highest words may be 0 */
    struct fh_run_options options;
};

/* All that can be wrong with the parameters, without doing anything. */
fhec_status fh_bigint_check(const struct fh_bigint_params *params, struct fh_error *error);
/* Words of a result. */
size_t fh_bigint_out_words(const struct fh_bigint_params *params);
/* a, b: count x words words, montmul: integers below the modulus (FHEC_BAD_INPUT names the first
 * that is not). out: count x fh_bigint_out_words; may overlap a and b. */
fhec_status fh_bigint_run(fhec_machine *machine, const struct fh_bigint_params *params,
                          const uint32_t *a, const uint32_t *b, uint32_t *out,
                          struct fh_error *error);

#endif
