/*
 * range.c - see range.h.
 */
#include "range.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The tree, which lasts as long as the process. */
static struct {
    pthread_mutex_t lock;
    fh_cuda_named_range *ranges; /* of number 1 first; room for half as many as there are slots */
    uint32_t *slots; /* numbers of ranges by their hash, 0: free; a power of two of them */
    uint32_t count, slot_count;
} tree = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What a thread is in, the outermost first. Domains overlap freely: a range that is left may have
 * inner ones of other domains, which then stand in the one around it. */
static __thread struct {
    uint32_t *ranges;
    uint32_t count, room;
} stack;

static uint32_t working;

static uint32_t *slot_of(uint32_t parent, const char *domain, const char *name) {
    const uint64_t named = XXH3_64bits_withSeed(name, strlen(name), parent);
    uint64_t at = XXH3_64bits_withSeed(domain, strlen(domain), named);
    for (;; at++) {
        uint32_t *slot = &tree.slots[at & (tree.slot_count - 1)];
        const fh_cuda_named_range *r = *slot ? &tree.ranges[*slot - 1] : NULL;
        if (!r ||
            (r->parent == parent && strcmp(r->name, name) == 0 && strcmp(r->domain, domain) == 0))
            return slot;
    }
}

/* Twice as many slots once half of them are taken, at least 64. */
static bool make_slots(void) {
    if (2 * tree.count < tree.slot_count)
        return true;
    const uint32_t slots = tree.slot_count ? 2 * tree.slot_count : 64;
    fh_cuda_named_range *ranges = realloc(tree.ranges, slots / 2 * sizeof *ranges);
    if (!ranges)
        return false;
    tree.ranges = ranges;
    uint32_t *list = calloc(slots, sizeof *list);
    if (!list)
        return false;
    free(tree.slots);
    tree.slots = list;
    tree.slot_count = slots;
    for (uint32_t i = 0; i < tree.count; i++)
        *slot_of(ranges[i].parent, ranges[i].domain, ranges[i].name) = i + 1;
    return true;
}

/* The range of that name within `parent`, which is made if there is none; 0: there is no memory. */
static uint32_t child(uint32_t parent, const char *domain, const char *name) {
    if (!make_slots())
        return 0;
    uint32_t *slot = slot_of(parent, domain, name);
    if (*slot)
        return *slot;
    char *own_name = strdup(name), *own_domain = strdup(domain);
    if (!own_name || !own_domain) {
        free(own_name);
        free(own_domain);
        return 0;
    }
    tree.ranges[tree.count++] =
        (fh_cuda_named_range){.name = own_name, .domain = own_domain, .parent = parent};
    return *slot = tree.count;
}

static bool in_domain(uint32_t range, const char *domain) {
    return strcmp(tree.ranges[range - 1].domain, domain) == 0;
}

static int depth(const char *domain) {
    int n = 0;
    for (uint32_t i = 0; i < stack.count; i++)
        n += in_domain(stack.ranges[i], domain);
    return n;
}

static bool make_room(void) {
    if (stack.count < stack.room)
        return true;
    const uint32_t room = stack.room ? 2 * stack.room : 16;
    uint32_t *ranges = realloc(stack.ranges, room * sizeof *ranges);
    if (!ranges)
        return false;
    stack.ranges = ranges;
    stack.room = room;
    return true;
}

static uint32_t innermost(void) {
    return stack.count ? stack.ranges[stack.count - 1] : 0;
}

int fh_cuda_range_push(const char *domain, const char *name) {
    pthread_mutex_lock(&tree.lock);
    const int before = depth(domain);
    const uint32_t range = make_room() ? child(innermost(), domain, name) : 0;
    if (range) {
        tree.ranges[range - 1].entered++;
        stack.ranges[stack.count++] = range;
    }
    pthread_mutex_unlock(&tree.lock);
    return range ? before : -1;
}

/* Takes entry i out. Those within it are in the range around it from now on. */
static void leave(uint32_t i) {
    for (uint32_t k = i + 1; k < stack.count; k++) {
        const fh_cuda_named_range inner = tree.ranges[stack.ranges[k] - 1];
        const uint32_t outer = k - 1 > 0 ? stack.ranges[k - 2] : 0;
        const uint32_t moved = child(outer, inner.domain, inner.name);
        if (moved)
            tree.ranges[moved - 1].entered++;
        stack.ranges[k - 1] = moved ? moved : stack.ranges[k];
    }
    stack.count--;
}

int fh_cuda_range_pop(const char *domain) {
    pthread_mutex_lock(&tree.lock);
    const int before = depth(domain);
    for (uint32_t i = stack.count; before && i-- > 0;) {
        if (in_domain(stack.ranges[i], domain)) {
            leave(i);
            break;
        }
    }
    pthread_mutex_unlock(&tree.lock);
    return before - 1;
}

uint32_t fh_cuda_range_now(void) {
    return innermost();
}

uint32_t fh_cuda_range_count(void) {
    pthread_mutex_lock(&tree.lock);
    const uint32_t count = tree.count;
    pthread_mutex_unlock(&tree.lock);
    return count;
}

fh_cuda_named_range fh_cuda_range_get(uint32_t range) {
    pthread_mutex_lock(&tree.lock);
    const fh_cuda_named_range r = tree.ranges[range - 1];
    pthread_mutex_unlock(&tree.lock);
    return r;
}

void fh_cuda_range_work(uint32_t range) {
    working = range;
}

uint32_t fh_cuda_range_working(void) {
    return working;
}
