/* fixed_text.c - see fixed_text.h. */
#include "fixed_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void fh_fixed_put(struct fh_fixed_text *to, const char *text, size_t length) {
    if (to->length < to->size) {
        const size_t room = to->size - to->length;
        memcpy(to->text + to->length, text, length < room ? length : room);
    }
    to->length += length;
}

void fh_fixed_puts(struct fh_fixed_text *to, const char *text) {
    fh_fixed_put(to, text, strlen(text));
}

void fh_fixed_print(struct fh_fixed_text *to, const char *format, ...) {
    const size_t at = to->length < to->size ? to->length : to->size;
    va_list arguments;
    va_start(arguments, format);
    const int length =
        vsnprintf(at < to->size ? to->text + at : NULL, to->size - at, format, arguments);
    va_end(arguments);
    to->length += length > 0 ? (size_t)length : 0;
}

size_t fh_fixed_end(struct fh_fixed_text *to) {
    if (to->size)
        to->text[to->length < to->size ? to->length : to->size - 1] = '\0';
    return to->length;
}
