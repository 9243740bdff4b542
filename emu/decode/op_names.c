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

/* The place of the text, which is added if it is new: there are some tens. False without host
 * memory. */
static bool place_of(struct fh_op_names *names, const char *text, uint32_t *place) {
    size_t k = 0;
    while (k < names->count && strcmp(names->texts[k], text) != 0)
        k++;
    if (k == names->count) {
        char *copy = NULL;
        if (!fh_grow_by_one(&names->texts, k, sizeof *names->texts) || !(copy = strdup(text)))
            return false;
        names->texts[names->count++] = copy;
    }
    *place = (uint32_t)k;
    return true;
}

bool fh_op_name(struct fh_op_names *names, const struct fh_op *ops, uint32_t i) {
    char text[LONGEST];
    if (names->of[i] != UINT32_MAX)
        return true;
    const int length = ops[i].inst ? fh_print_mnemonic(ops[i].inst, text, sizeof text) : -1;
    return length >= 0 && length < LONGEST && place_of(names, text, &names->of[i]);
}

void fh_op_names_free(struct fh_op_names *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->texts[i]);
    free(names->texts);
    free(names->of);
    *names = (struct fh_op_names){0};
}
