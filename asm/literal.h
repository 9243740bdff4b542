/*
 * literal.h - numbers as they are written.
 */
#ifndef FH_LITERAL_H
#define FH_LITERAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of digits as written ("0x1f", "17"); false with a reason. */
bool fh_parse_number(const char *text, size_t length, uint64_t *number, const char **why);
/* Digits with a point, an exponent or both? */
bool fh_is_real(const char *text, size_t length);

#endif
