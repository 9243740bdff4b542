/*
 * dap_base64.c - see dap_base64.h.
 */
#include "dap_base64.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *fh_dap_base64(const uint8_t *bytes, size_t count) {
    char *text = malloc((count + 2) / 3 * 4 + 1), *to = text;
    for (size_t i = 0; text && i < count; i += 3) {
        const size_t left = count - i;
        const uint32_t group = (uint32_t)bytes[i] << 16 |
                               (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        *to++ = digits[group >> 18];
        *to++ = digits[group >> 12 & 63];
        *to++ = left > 1 ? digits[group >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[group & 63] : '=';
    }
    if (text)
        *to = 0;
    return text;
}

uint8_t *fh_dap_base64_read(const char *text, size_t *count) {
    const size_t length = strlen(text);
    const size_t padding =
        length ? (size_t)(text[length - 1] == '=') + (length > 1 && text[length - 2] == '=') : 0;
    uint8_t *bytes = malloc(length / 4 * 3 + 1), *to = bytes;
    bool fine = bytes && length % 4 == 0;
    for (size_t i = 0; fine && i < length; i += 4) {
        uint32_t group = 0;
        for (size_t k = 0; k < 4 && fine; k++) {
            const char c = text[i + k];
            const char *digit = c ? strchr(digits, c) : NULL;
            fine = digit || (c == '=' && i + k >= length - padding);
            group = group << 6 | (digit ? (uint32_t)(digit - digits) : 0);
        }
        *to++ = (uint8_t)(group >> 16);
        *to++ = (uint8_t)(group >> 8);
        *to++ = (uint8_t)group;
    }
    if (!fine) {
        free(bytes);
        return NULL;
    }
    *count = length / 4 * 3 - padding;
    return bytes;
}
