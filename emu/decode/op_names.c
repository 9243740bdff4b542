/* op_names.c - see op_names.h. */
#include "op_names.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 96 }; /* of a mnemonic's characters */

bool fh_op_names_begin(struct fh_op_names *names, uint32_t ops) {
    if (names->of)
        return true;
    names->of = malloc((ops + 1u) * sizeof *names->of);
    if (names->of)
        memset(names->of, 0xff, ops * sizeof *names->of);
    return names->of != NULL;
}

/* Where the text is in the order, or belongs. */
static size_t search(const struct fh_op_names *names, const char *text, bool *found) {
    size_t low = 0, high = names->count;
    *found = false;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int side = strcmp(names->texts[names->sorted[middle]], text);
        if (side == 0) {
            *found = true;
            return middle;
        }
        if (side < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The text becomes the last one, and `at` its place in the order. False without host memory. */
static bool add(struct fh_op_names *names, const char *text, size_t at) {
    if (!fh_grow(&names->sorted, &names->room, names->count + 1, sizeof *names->sorted) ||
        !fh_grow_by_one(&names->texts, names->count, sizeof *names->texts))
        return false;
    char *copy = strdup(text);
    if (!copy)
        return false;
    memmove(&names->sorted[at + 1], &names->sorted[at],
            (names->count - at) * sizeof *names->sorted);
    names->texts[names->count] = copy;
    names->sorted[at] = (uint32_t)names->count++;
    return true;
}

bool fh_op_name(struct fh_op_names *names, const struct fh_op *ops, uint32_t i) {
    char text[LONGEST];
    bool found;
    if (names->of[i] != UINT32_MAX)
        return true;
    const int length = ops[i].inst ? fh_print_mnemonic(ops[i].inst, text, sizeof text) : -1;
    if (length < 0 || length >= LONGEST)
        return false;
    const size_t at = search(names, text, &found);
    if (!found && !add(names, text, at))
        return false;
    names->of[i] = names->sorted[at];
    return true;
}

void fh_op_names_free(struct fh_op_names *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->texts[i]);
    free(names->texts);
    free(names->sorted);
    free(names->of);
    *names = (struct fh_op_names){0};
}
