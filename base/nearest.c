/* nearest.c - see nearest.h. */
#include "nearest.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

enum {
    LONGEST = 64,
    SHORT = 4, /* names of up to so many letters must begin alike */
    MOST_EDITS = 4,
    MOST_TRIED = 20000,
};

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

static int fold(char c) {
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

/* How many edits two names may have between them, the longer one of `length` letters. */
static unsigned allowed(size_t length) {
    if (length < 3)
        return 0;
    return length < 8 ? 1 : least((unsigned)length / 4, MOST_EDITS);
}

/* The first letters agree, or the first two are swapped. */
static bool begin_alike(const char *a, size_t n, const char *b, size_t m) {
    if (fold(a[0]) == fold(b[0]))
        return true;
    return n > 1 && m > 1 && fold(a[0]) == fold(b[1]) && fold(a[1]) == fold(b[0]);
}

static unsigned common_prefix(const char *a, size_t n, const char *b, size_t m) {
    unsigned i = 0;
    while (i < n && i < m && fold(a[i]) == fold(b[i]))
        i++;
    return i;
}

/* Edits between a and b; some number above `most` if there are more than that. */
static unsigned edits_between(const char *a, size_t n, const char *b, size_t m, unsigned most) {
    unsigned rows[3][LONGEST + 1];
    for (unsigned j = 0; j <= m; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];
        unsigned smallest = row[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            unsigned change = fold(a[i - 1]) != fold(b[j - 1]);
            row[j] = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + change);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]))
                row[j] = least(row[j], twice[j - 2] + 1);
            smallest = least(smallest, row[j]);
        }
        if (smallest > most + 1) /* a swap reaches back two rows */
            return smallest;
    }
    return rows[n % 3][m];
}

void fh_nearest_begin(struct fh_nearest *n, const char *wanted, size_t length) {
    *n = (struct fh_nearest){.wanted = wanted, .length = length, .edits = UINT_MAX};
}

/* Whether the name comes before the best one so far in alphabetical order. */
static bool comes_before(const struct fh_nearest *n, const char *name, size_t length) {
    const size_t both = length < n->best_length ? length : n->best_length;
    const int order = memcmp(name, n->best, both);
    return order < 0 || (order == 0 && length < n->best_length);
}

/* `ordered`: of two that are as near the first one is taken. */
static void try_name(struct fh_nearest *n, const char *candidate, size_t length, bool ordered) {
    size_t longer = length > n->length ? length : n->length;
    size_t shorter = length > n->length ? n->length : length;
    if (shorter == 0 || longer > LONGEST || longer - shorter > allowed(longer) ||
        n->tried++ > MOST_TRIED)
        return;
    unsigned most = least(allowed(longer), n->edits);
    unsigned edits = edits_between(n->wanted, n->length, candidate, length, most);
    if (edits > most ||
        (edits && longer <= SHORT && !begin_alike(n->wanted, n->length, candidate, length)))
        return;
    unsigned prefix = common_prefix(n->wanted, n->length, candidate, length);
    if (edits == n->edits &&
        (prefix < n->prefix ||
         (prefix == n->prefix && (ordered || !comes_before(n, candidate, length)))))
        return;
    n->edits = edits;
    n->prefix = prefix;
    n->best = candidate;
    n->best_length = length;
}

void fh_nearest_try(struct fh_nearest *n, const char *candidate, size_t length) {
    try_name(n, candidate, length, true);
}

void fh_nearest_try_unordered(struct fh_nearest *n, const char *candidate, size_t length) {
    try_name(n, candidate, length, false);
}

const char *fh_nearest_of(const char *wanted, const char *const *names, size_t count) {
    struct fh_nearest n;
    fh_nearest_begin(&n, wanted, strlen(wanted));
    for (size_t i = 0; i < count; i++)
        fh_nearest_try(&n, names[i], strlen(names[i]));
    return n.best;
}
