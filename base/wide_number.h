/*
 * wide_number.h - integers of up to 1151 bits and a sign, above -2^1151 and below 2^1151, in two's
 * complement. What does not fit is told, and never cut off.
 */
#ifndef FH_WIDE_NUMBER_H
#define FH_WIDE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FH_WIDE_WORDS = 18, FH_WIDE_BITS = 64 * FH_WIDE_WORDS };

struct fh_wide {
    uint64_t w[FH_WIDE_WORDS]; /* the lowest first */
};

struct fh_wide fh_wide_of(__int128 value);
/* Whether it is one of 128 bits, which *value gets then. */
bool fh_wide_narrow(const struct fh_wide *x, __int128 *value);
bool fh_wide_negative(const struct fh_wide *x);
int fh_wide_compare(const struct fh_wide *x, const struct fh_wide *y);
struct fh_wide fh_wide_negated(const struct fh_wide *x);
/* False: the result has more bits. *result may be an operand. */
bool fh_wide_invert(const struct fh_wide *x, struct fh_wide *result);
bool fh_wide_add(const struct fh_wide *x, const struct fh_wide *y, struct fh_wide *result);
bool fh_wide_multiply(const struct fh_wide *x, const struct fh_wide *y, struct fh_wide *result);
bool fh_wide_shift_left(const struct fh_wide *x, uint32_t by, struct fh_wide *result);
struct fh_wide fh_wide_shift_right(const struct fh_wide *x, uint32_t by); /* rounded down */
/* Towards zero; the remainder has the sign of x. y is not zero; either result may be NULL. */
void fh_wide_divide(const struct fh_wide *x, const struct fh_wide *y, struct fh_wide *quotient,
                    struct fh_wide *remainder);
/* x * base + digit, in place, for digits that are read one after another. x is not negative. False:
 * it has more bits, and x is undefined then. */
bool fh_wide_append(struct fh_wide *x, unsigned base, unsigned digit);
/* "-0x1f", shortened in its middle with ".." if there is no room; below 1000 in decimal. */
void fh_wide_text(const struct fh_wide *x, char *text, size_t size);

#endif
