/* nearest.c - the name that a misspelt one was meant to be. */
#include "asm.h"

#include <limits.h>
#include <string.h>

enum {
    LONGEST = 40, /* longer names are not compared */
    MOST = 20000, /* of a file with more names than that, some are not looked at */
};

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

static int fold(char c) {
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

/* Edit distance (insert, delete, change, swap neighbours), without regard to case. */
static unsigned distance(const char *a, size_t n, const char *b, size_t m) {
    unsigned rows[3][LONGEST + 1];
    for (unsigned j = 0; j <= m; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];
        row[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            unsigned change = fold(a[i - 1]) != fold(b[j - 1]);
            row[j] = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + change);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]))
                row[j] = least(row[j], twice[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void fh_nearest_begin(struct fh_nearest *n, const char *wanted, size_t length) {
    *n = (struct fh_nearest){.wanted = wanted, .length = length, .distance = UINT_MAX};
}

void fh_nearest_try(struct fh_nearest *n, const char *candidate, size_t length) {
    if (length > LONGEST || n->length > LONGEST || length == 0 || n->length == 0 ||
        length > 2 * n->length + 1 || n->tried++ > MOST)
        return;
    unsigned d = distance(n->wanted, n->length, candidate, length);
    if (d < n->distance) {
        n->distance = d;
        n->best = candidate;
        n->best_length = length;
    }
}

void fh_nearest_note(struct fh_asm *a, const struct fh_nearest *n, const char *what,
                     const char *prefix) {
    /* One slip for every three letters, but a name of one or two letters must be near to count. */
    size_t allowed = n->length < 3 ? 1 : 1 + n->length / 3;
    if (!n->best || n->distance > allowed || n->distance >= n->length)
        return;
    fh_note(a, fh_text(a, "a %s with a similar name exists: `%s%.*s`", what, prefix,
                       (int)n->best_length, n->best));
}
