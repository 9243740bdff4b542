/*
 * number.h - floating point immediates as text: what the assembler and the disassembler share.
 */
#ifndef FH_NUMBER_H
#define FH_NUMBER_H

#include "isa.h"

enum { FH_NUMBER_TEXT = 72 };

/* A literal as written: digits with an optional point and exponent, INF, QNAN or SNAN; the sign
 * stands apart. */
struct fh_real {
    const char *text;
    size_t length;
    bool negative;
};

/* The bits of one literal in the format: 32 for F32 and F64 (the double's high word), 16 for the
 * half formats; rounded to nearest even. False if the text is no number, its value is beyond the
 * format, or a double needs more than its high word. */
bool fh_real_bits(enum fh_number number, const struct fh_real *real, uint32_t *bits);

/* Whether the word is INF, QNAN or SNAN. */
bool fh_real_name(const char *text, size_t length);

/* Text of an immediate of this format, in `text` of FH_NUMBER_TEXT bytes. With `exact` a NaN other
 * than the one that its name stands for shows as its bits. */
void fh_number_text(enum fh_number number, uint32_t bits, bool exact, char *text);

/* The bits of FSWZADD's pattern, two letters per lane of a quad; false if it is none. */
bool fh_swizzle_bits(const char *text, size_t length, uint32_t *bits);

/* The number of a control register of the warp, MACTIVE and the like; false if it is none. */
bool fh_control_bits(const char *text, size_t length, uint32_t *bits);

#endif
