/*
 * safe_text.h - text that others have written, in what the tool prints.
 */
#ifndef FH_SAFE_TEXT_H
#define FH_SAFE_TEXT_H

#include <stddef.h>

/* Bytes of the character of UTF-8 that begins there; 0: none does. */
size_t fh_utf8_length(const char *at);

/* The first characters of a text; question marks stand for control characters and for bytes that
 * are no UTF-8. */
enum { FH_SAFE_MOST = 160 };
struct fh_safe_text {
    char text[4 * FH_SAFE_MOST + 1];
    size_t characters;
};
struct fh_safe_text fh_safe_text(const char *text, size_t most);

#endif
