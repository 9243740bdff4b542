/*
 * fixed_text.h - text written piece by piece into a caller's buffer, as snprintf does it: what does
 * not fit is counted and dropped, and the text always ends in a NUL if there is room for one.
 */
#ifndef FH_FIXED_TEXT_H
#define FH_FIXED_TEXT_H

#include <stddef.h>

struct fh_fixed_text {
    char *text; /* NULL is allowed if size is 0 */
    size_t size;
    size_t length; /* that the whole text has so far, without its NUL */
};

void fh_fixed_put(struct fh_fixed_text *to, const char *text, size_t length);
void fh_fixed_puts(struct fh_fixed_text *to, const char *text);
void fh_fixed_print(struct fh_fixed_text *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Ends the text; returns its length. */
size_t fh_fixed_end(struct fh_fixed_text *to);

#endif
