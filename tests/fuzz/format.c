/*
 * format.c - fuzzing the layout of sources: whatever the text is, only blanks change, once; and
 * what is assembled from it is the same.
 */
#include "format.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(uint8_t c) {
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

/* The next byte that is no blank; length at the end. Empty lines at the end are none either. */
static size_t next_byte(const uint8_t *text, size_t length, size_t at) {
    while (at < length && is_blank(text[at]))
        at++;
    return at;
}

static size_t without_end(const uint8_t *text, size_t length) {
    while (length && (is_blank(text[length - 1]) || text[length - 1] == '\n'))
        length--;
    return length;
}

static bool same_but_blanks(const uint8_t *x, size_t xs, const uint8_t *y, size_t ys) {
    size_t i = 0, k = 0;
    xs = without_end(x, xs);
    ys = without_end(y, ys);
    for (;; i++, k++) {
        i = next_byte(x, xs, i);
        k = next_byte(y, ys, k);
        if (i == xs || k == ys)
            return i == xs && k == ys;
        if (x[i] != y[k])
            return false;
    }
}

static bool same_kernel(const fhec_program *x, const fhec_program *y, size_t index) {
    fhec_kernel_info a, b;
    (void)fhec_kernel_get(x, index, &a);
    (void)fhec_kernel_get(y, index, &b);
    if (strcmp(a.name, b.name) != 0 || a.word_count != b.word_count || a.registers != b.registers ||
        a.param_bytes != b.param_bytes)
        return false;
    for (uint32_t w = 0; w < a.word_count; w++)
        if (a.words[w].lo != b.words[w].lo || a.words[w].hi != b.words[w].hi ||
            fhec_kernel_location(x, index, w).line != fhec_kernel_location(y, index, w).line)
            return false;
    return true;
}

static const char *compare(const fhec_program *x, const fhec_program *y) {
    if (fhec_kernel_count(x) != fhec_kernel_count(y))
        return "laid out, the source has other kernels";
    for (size_t i = 0; i < fhec_kernel_count(x); i++)
        if (!same_kernel(x, y, i))
            return "laid out, the source gives other words, or in other lines";
    for (size_t i = 0;; i++) {
        const char *a = fhec_program_test(x, i, NULL), *b = fhec_program_test(y, i, NULL);
        if (!a && !b)
            return NULL;
        if (!a || !b || strcmp(a, b) != 0)
            return "laid out, the source has other tests";
    }
}

static const char *assemble_both(const uint8_t *bytes, size_t length, const struct fh_bytes *now,
                                 char *shown) {
    fhec_program *x = NULL, *y = NULL;
    fhec_status before, after;
    const char *wrong = fuzz_assemble((const char *)bytes, length, &before, &x, shown);
    if (!wrong)
        wrong = fuzz_assemble((const char *)now->data, now->count, &after, &y, shown);
    if (!wrong && before != FHEC_HOST_ERROR && after != FHEC_HOST_ERROR) {
        if (before != after)
            wrong = "laid out, the source is right where it was wrong, or wrong where it was right";
        else if (before == FHEC_OK)
            wrong = compare(x, y);
    }
    fhec_program_free(x);
    fhec_program_free(y);
    return wrong;
}

const char *fuzz_format(const uint8_t *bytes, size_t length, char shown[FUZZ_SHOWN]) {
    struct fh_bytes once, twice;
    const char *wrong = NULL;
    if (!fh_format_source((const char *)bytes, length, &once))
        return NULL; /* no memory */
    if (!same_but_blanks(bytes, length, once.data, once.count)) {
        wrong = "more than blanks changed";
    } else if (fh_format_source((const char *)once.data, once.count, &twice)) {
        if (twice.count != once.count ||
            (once.count && memcmp(twice.data, once.data, once.count) != 0))
            wrong = "laid out again it is another text";
        fh_bytes_free(&twice);
    }
    if (!wrong && length)
        wrong = assemble_both(bytes, length, &once, shown);
    if (wrong && !*shown)
        snprintf(shown, FUZZ_SHOWN, "%.*s", (int)(once.count < 500 ? once.count : 500),
                 once.data ? (const char *)once.data : "");
    fh_bytes_free(&once);
    return wrong;
}
