/* kernel_cache.c - see kernel_cache.h. */
#include "kernel_cache.h"

#include <stdlib.h>
#include <string.h>

/* More than a circuit of one level has; a program is some 100 KiB. */
enum { KEPT = 64 };

struct kept {
    char *key; /* NULL: nothing is kept here */
    fhec_program *program;
    unsigned users; /* runs that have taken it */
    uint64_t taken; /* when it was taken last */
};

struct fh_kernel_cache {
    struct kept kept[KEPT];
    uint64_t clock;
};

struct fh_kernel_cache *fh_kernel_cache_new(void) {
    return calloc(1, sizeof(struct fh_kernel_cache));
}

static void drop(struct kept *kept) {
    free(kept->key);
    fhec_program_free(kept->program);
    *kept = (struct kept){0};
}

void fh_kernel_cache_free(struct fh_kernel_cache *cache) {
    for (size_t i = 0; cache && i < KEPT; i++)
        drop(&cache->kept[i]);
    free(cache);
}

fhec_program *fh_kernel_cache_take(struct fh_kernel_cache *cache, const char *key) {
    for (struct kept *k = cache->kept; k < cache->kept + KEPT; k++) {
        if (!k->key || strcmp(k->key, key) != 0)
            continue;
        k->users++;
        k->taken = ++cache->clock;
        return k->program;
    }
    return NULL;
}

/* The place whose program was taken longest ago and is not in use; NULL: all are. */
static struct kept *oldest(struct fh_kernel_cache *cache) {
    struct kept *found = NULL;
    for (struct kept *k = cache->kept; k < cache->kept + KEPT; k++)
        if (!k->users && (!found || k->taken < found->taken))
            found = k;
    return found;
}

bool fh_kernel_cache_keep(struct fh_kernel_cache *cache, const char *key, fhec_program *program) {
    struct kept *place = oldest(cache);
    char *copy = place ? strdup(key) : NULL;
    if (!copy)
        return false;
    drop(place);
    *place = (struct kept){copy, program, 1, ++cache->clock};
    return true;
}

void fh_kernel_cache_give_back(struct fh_kernel_cache *cache, const fhec_program *program) {
    for (struct kept *k = cache->kept; k < cache->kept + KEPT; k++)
        if (k->program == program && k->users)
            k->users--;
}
