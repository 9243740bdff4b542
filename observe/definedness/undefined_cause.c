/*
 * undefined_cause.c - see undefined_cause.h.
 */
#include "undefined_cause.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "defined_bits.h"

enum { BUCKETS = 1024 };

struct known {
    struct fh_cause is;
    uint32_t next; /* of the same bucket; 0: none */
};

struct fh_causes {
    struct known *list; /* origin n is list[n - 1] */
    uint32_t count, room;
    uint32_t first[BUCKETS];
};

struct fh_causes *fh_causes_new(void) {
    return calloc(1, sizeof(struct fh_causes));
}

void fh_causes_free(struct fh_causes *origins) {
    if (origins)
        free(origins->list);
    free(origins);
}

static bool alike(const struct fh_cause *a, const struct fh_cause *b) {
    return a->kind == b->kind && a->row == b->row && a->space == b->space &&
           a->parent == b->parent && a->beside == b->beside && a->place.pc == b->place.pc &&
           a->place.program == b->place.program && a->place.kernel == b->place.kernel &&
           strcmp(a->name, b->name) == 0;
}

uint32_t fh_cause_number(struct fh_causes *origins, const struct fh_cause *like) {
    const uint64_t hash = like->place.pc / sizeof(fhec_word) + 67 * like->row + 7 * like->parent;
    uint32_t *const first = &origins->first[hash % BUCKETS];
    for (uint32_t n = *first; n; n = origins->list[n - 1].next)
        if (alike(&origins->list[n - 1].is, like))
            return n;
    if (origins->count == origins->room) {
        const uint32_t room = 2 * origins->room + 64;
        struct known *list = realloc(origins->list, room * sizeof *list);
        if (!list)
            return 0;
        origins->list = list;
        origins->room = room;
    }
    origins->list[origins->count] = (struct known){.is = *like, .next = *first};
    return *first = ++origins->count;
}

const struct fh_cause *fh_cause_get(const struct fh_causes *origins, uint32_t number) {
    return number ? &origins->list[number - 1].is : NULL;
}

const struct fh_cause *fh_cause_root(const struct fh_causes *origins, uint32_t number) {
    const struct fh_cause *origin = fh_cause_get(origins, number);
    while (origin && origin->kind == FH_CAUSE_STORE && origin->parent)
        origin = fh_cause_get(origins, origin->parent);
    return origin;
}

void fh_row_name(uint32_t row, char text[8]) {
    static const struct {
        const char *name;
        uint32_t first;
    } files[] = {{"UP", FH_ROW_UP}, {"P", FH_ROW_P}, {"UR", FH_ROW_UR}, {"R", FH_ROW_R}};
    unsigned f = 0;
    while (row < files[f].first)
        f++;
    snprintf(text, 8, "%s%u", files[f].name, (row - files[f].first) % 256);
}

int fh_cause_text(const struct fh_cause *root, char *text, size_t size) {
    char name[8];
    if (!root)
        return snprintf(text, size, "it was never written");
    switch (root->kind) {
    case FH_CAUSE_REGISTER:
        fh_row_name(root->row, name);
        return snprintf(text, size, "%s was never written", name);
    case FH_CAUSE_MEMORY:
        if (root->name[0])
            return snprintf(text, size, "byte %" PRIu64 " of %s was never written", root->offset,
                            root->name);
        return snprintf(text, size, "%s memory at 0x%" PRIx64 " was never written",
                        fhec_space_name(root->space), root->address);
    case FH_CAUSE_SHUFFLE:
        return snprintf(text, size,
                        "lane %" PRIu32 " reads from lane %" PRIu32
                        ", which is not active here; expected one of the active lanes, "
                        "0x%08" PRIx32,
                        root->to, root->from, root->active);
    default: return snprintf(text, size, "an undefined value was stored");
    }
}
