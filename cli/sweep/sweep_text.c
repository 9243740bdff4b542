/*
 * sweep_text.c - see sweep_text.h.
 */
#include "sweep_text.h"

#include <stdint.h>

/* Bytes of the character that begins here; 0: it is none (RFC 3629: the shortest form, no
 * surrogates, up to U+10FFFF). */
static size_t character(const uint8_t *text, size_t length) {
    const uint8_t first = text[0];
    const size_t bytes = first < 0x80   ? 1
                         : first < 0xc2 ? 0
                         : first < 0xe0 ? 2
                         : first < 0xf0 ? 3
                         : first < 0xf5 ? 4
                                        : 0;
    if (!first || !bytes || bytes > length)
        return 0;
    for (size_t i = 1; i < bytes; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f) ||
        (first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] > 0x8f))
        return 0;
    return bytes;
}

void fh_cli_sweep_clean_text(char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        const size_t bytes = character((const uint8_t *)text + at, length - at);
        if (!bytes)
            text[at] = '?';
        at += bytes ? bytes : 1;
    }
}
