/*
 * literal.h - numbers as they are written, the same everywhere: decimal digits, or 0x, 0b or 0o and
 * digits; nothing between digits and nothing behind them. A leading zero is an error, since it
 * could mean decimal or octal, and so is what has more bits than its reader takes.
 */
#ifndef FH_LITERAL_H
#define FH_LITERAL_H

#include "wide_number.h"

/* How many characters what was meant as one number takes, be it right or wrong: letters, digits,
 * `_`, a point that is not the first of two, and "e-5" behind decimal digits. 0: no digit is here.
 */
size_t fh_literal_length(const char *text);

/* The number that the characters are, below 2^64; false with a reason, as a sentence's part. */
bool fh_parse_number(const char *text, size_t length, uint64_t *number, const char **why);
/* The same of up to 1151 bits. */
bool fh_parse_wide(const char *text, size_t length, struct fh_wide *number, const char **why);
/* The number below 2^64 that the text begins with: how many characters it takes, 0: there is none.
 */
size_t fh_take_number(const char *text, uint64_t *number);
/* The same with a point or an exponent, or without: all of the text, and no other kind of number.
 */
bool fh_parse_real(const char *text, double *number);
/* Digits of that base alone, as formats have them that say by themselves which base it is; leading
 * zeros do not matter. How many there are; 0: none, or the number is not below 2^64. */
size_t fh_parse_digits(const char *text, unsigned base, uint64_t *number);
/* Decimal digits with a point, an exponent or both? */
bool fh_is_real(const char *text, size_t length);

#endif
