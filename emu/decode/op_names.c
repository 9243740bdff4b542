/* op_names.c - see op_names.h. */
#include "op_names.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 96 }; /* of a mnemonic's characters */

/* The places of texts, in the order of their characters. */
struct order {
    uint32_t *places;
    size_t room;
};

/* Where the text is in the order, or belongs. */
static size_t search(const struct fh_op_names *names, const struct order *order, const char *text,
                     bool *found) {
    size_t low = 0, high = names->count;
    *found = false;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int side = strcmp(names->texts[order->places[middle]], text);
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

/* The place of the text, which becomes the last one if it is new. False without host memory. */
static bool place_of(struct fh_op_names *names, struct order *order, const char *text,
                     uint32_t *place) {
    bool found;
    const size_t at = search(names, order, text, &found);
    if (!found) {
        if (!fh_grow(&order->places, &order->room, names->count + 1, sizeof *order->places) ||
            !fh_grow_by_one(&names->texts, names->count, sizeof *names->texts))
            return false;
        char *copy = strdup(text);
        if (!copy)
            return false;
        memmove(&order->places[at + 1], &order->places[at],
                (names->count - at) * sizeof *order->places);
        names->texts[names->count] = copy;
        order->places[at] = (uint32_t)names->count++;
    }
    *place = order->places[at];
    return true;
}

bool fh_op_names_make(struct fh_op_names *names, const struct fh_op *ops, uint32_t count) {
    struct order order = {0};
    *names = (struct fh_op_names){.of = malloc((count + 1u) * sizeof *names->of)};
    bool fine = names->of != NULL;
    for (uint32_t i = 0; i < count && fine; i++) {
        char text[LONGEST];
        names->of[i] = UINT32_MAX;
        if (!ops[i].inst)
            continue;
        const int length = fh_print_mnemonic(ops[i].inst, text, sizeof text);
        fine = length >= 0 && length < LONGEST && place_of(names, &order, text, &names->of[i]);
    }
    free(order.places);
    if (!fine)
        fh_op_names_free(names);
    return fine;
}

void fh_op_names_free(struct fh_op_names *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->texts[i]);
    free(names->texts);
    free(names->of);
    *names = (struct fh_op_names){0};
}
