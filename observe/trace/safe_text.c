/*
 * safe_text.c - see safe_text.h.
 */
#include "safe_text.h"

#include <stdbool.h>
#include <string.h>

size_t fh_utf8_length(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    const size_t length = *at < 0x80 ? 1 : *at < 0xc2 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xf0 && at[1] < 0x90);
    const bool surrogate = *at == 0xed && at[1] >= 0xa0;
    const bool beyond = *at > 0xf4 || (*at == 0xf4 && at[1] >= 0x90);
    return overlong || surrogate || beyond ? 0 : length;
}

/* Up to U+001F, and U+007F up to U+009F. */
static bool is_control(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    return *at < ' ' || *at == 0x7f || (*at == 0xc2 && at[1] < 0xa0);
}

struct fh_safe_text fh_safe_text(const char *text, size_t most) {
    struct fh_safe_text safe = {"", 0};
    size_t at = 0;
    for (; *text && safe.characters < most && safe.characters < FH_SAFE_MOST; safe.characters++) {
        const size_t length = fh_utf8_length(text);
        if (!length || is_control(text))
            safe.text[at++] = '?';
        else {
            memcpy(safe.text + at, text, length);
            at += length;
        }
        text += length ? length : 1;
    }
    safe.text[at] = 0;
    return safe;
}
