/*
 * onchip.c - see onchip.h.
 */
#include "onchip.h"

#include <stdlib.h>

const char *fh_onchip_policy_name(enum fh_onchip_policy policy) {
    return policy == FH_ONCHIP_LRU ? "lru" : "belady";
}

enum { NEVER = UINT32_MAX, ABSENT = UINT32_MAX };

struct space {
    uint64_t capacity, used;
    enum fh_onchip_policy policy;
    const struct fh_onchip_limb *limbs;
    struct resident {
        uint32_t limb, next, last; /* accesses: that reads it next, that used it last */
        bool dirty;
    } * residents;
    uint32_t count;
    uint32_t *at; /* of each limb: its resident, or ABSENT */
};

/* Of each access: the next one that reads what is there then. */
static void find_next(const struct fh_onchip_access *accesses, size_t count, uint32_t *seen,
                      size_t limb_count, uint32_t *next) {
    for (size_t i = 0; i < limb_count; i++)
        seen[i] = NEVER;
    for (size_t i = count; i-- > 0;) {
        next[i] = seen[accesses[i].limb];
        seen[accesses[i].limb] = accesses[i].write ? NEVER : (uint32_t)i;
    }
}

/* Bytes that go to memory when it goes. */
static uint64_t owed(const struct space *s, const struct resident *r) {
    const struct fh_onchip_limb *limb = &s->limbs[r->limb];
    return r->dirty && (r->next != NEVER || limb->result) ? limb->bytes : 0;
}

static uint64_t drop(struct space *s, uint32_t index) {
    const struct resident gone = s->residents[index];
    s->residents[index] = s->residents[--s->count];
    s->at[s->residents[index].limb] = index;
    s->at[gone.limb] = ABSENT;
    s->used -= s->limbs[gone.limb].bytes;
    return owed(s, &gone);
}

static uint32_t victim(const struct space *s) {
    uint32_t worst = 0;
    for (uint32_t i = 1; i < s->count; i++) {
        const struct resident *a = &s->residents[i], *b = &s->residents[worst];
        if (s->policy == FH_ONCHIP_LRU ? a->last < b->last : a->next > b->next)
            worst = i;
    }
    return worst;
}

static uint64_t make_room(struct space *s, uint64_t bytes) {
    uint64_t written = 0;
    while (s->count && s->used + bytes > s->capacity)
        written += drop(s, victim(s));
    return written;
}

/* The limb of an access that does not find it. */
static void enter(struct space *s, uint32_t limb) {
    s->at[limb] = s->count;
    s->residents[s->count++] = (struct resident){.limb = limb};
    s->used += s->limbs[limb].bytes;
}

static void perform(struct space *s, struct fh_onchip_access *a, uint32_t index, uint32_t next) {
    const struct fh_onchip_limb *limb = &s->limbs[a->limb];
    a->written = 0;
    a->fetched = s->at[a->limb] == ABSENT && !a->write;
    const bool absent = s->at[a->limb] == ABSENT;
    if (limb->bytes > s->capacity || (absent && a->write && next == NEVER)) {
        a->written += a->write && (next != NEVER || limb->result) ? limb->bytes : 0;
        return;
    }
    if (absent) {
        a->written += make_room(s, limb->bytes);
        enter(s, a->limb);
    }
    struct resident *r = &s->residents[s->at[a->limb]];
    r->dirty |= a->write;
    r->next = next;
    r->last = index;
    if (next == NEVER)
        a->written += drop(s, s->at[a->limb]);
}

/* ---------------------------------------------------------------- groups */

/* Accesses of group g: members[first[g]] up to first[g + 1], in their order. */
struct groups {
    uint32_t count, *first, *members;
    uint32_t *holders; /* of each limb: groups under way that access it */
    uint32_t *counted; /* of each limb: 2 x the group that has counted it + 1 at its end, plus 1 */
};

static bool find_groups(struct groups *g, const struct fh_onchip_access *accesses, size_t count,
                        size_t limb_count) {
    for (size_t i = 0; i < count; i++)
        if (accesses[i].group != FH_ONCHIP_NONE && accesses[i].group >= g->count)
            g->count = accesses[i].group + 1;
    g->first = calloc(g->count + (size_t)2, sizeof *g->first);
    g->members = calloc(count + 1, sizeof *g->members);
    g->holders = calloc(limb_count + 1, sizeof *g->holders);
    g->counted = calloc(limb_count + 1, sizeof *g->counted);
    if (!g->first || !g->members || !g->holders || !g->counted)
        return false;
    for (size_t i = 0; i < count; i++)
        if (accesses[i].group != FH_ONCHIP_NONE)
            g->first[accesses[i].group + 2]++;
    for (uint32_t i = 1; i <= g->count; i++)
        g->first[i + 1] += g->first[i];
    for (size_t i = 0; i < count; i++)
        if (accesses[i].group != FH_ONCHIP_NONE)
            g->members[g->first[accesses[i].group + 1]++] = (uint32_t)i;
    return true;
}

static void free_groups(struct groups *g) {
    free(g->first);
    free(g->members);
    free(g->holders);
    free(g->counted);
}

/* The group holds its limbs, or no longer does: then those that nobody holds go. */
static uint64_t hold(struct groups *g, struct space *s, const struct fh_onchip_access *accesses,
                     uint32_t group, bool end) {
    const uint32_t mark = 2 * group + end + 1;
    uint64_t written = 0;
    for (uint32_t i = g->first[group]; i < g->first[group + 1]; i++) {
        const uint32_t limb = accesses[g->members[i]].limb;
        if (g->counted[limb] == mark)
            continue;
        g->counted[limb] = mark;
        g->holders[limb] += end ? UINT32_MAX : 1;
        if (!g->holders[limb] && s->at[limb] != ABSENT)
            written += drop(s, s->at[limb]);
    }
    return written;
}

static void perform_all(struct space *s, struct groups *g, struct fh_onchip_access *accesses,
                        size_t count, const uint32_t *next) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t group = accesses[i].group;
        if (group != FH_ONCHIP_NONE && g->members[g->first[group]] == i)
            hold(g, s, accesses, group, false);
        perform(s, &accesses[i], (uint32_t)i, next[i]);
        if (group != FH_ONCHIP_NONE && g->members[g->first[group + 1] - 1] == i)
            accesses[i].written += hold(g, s, accesses, group, true);
    }
}

fhec_status fh_onchip_run(uint64_t capacity, enum fh_onchip_policy policy,
                          const struct fh_onchip_limb *limbs, size_t limb_count,
                          struct fh_onchip_access *accesses, size_t count) {
    struct space s = {.capacity = capacity, .policy = policy, .limbs = limbs};
    struct groups groups = {0};
    uint32_t *next = calloc(count + 1, sizeof *next);
    s.at = calloc(limb_count + 1, sizeof *s.at);
    s.residents = calloc(limb_count + 1, sizeof *s.residents);
    const bool good =
        find_groups(&groups, accesses, count, limb_count) && next && s.at && s.residents;
    if (good) {
        find_next(accesses, count, s.at, limb_count, next);
        for (size_t i = 0; i < limb_count; i++)
            s.at[i] = ABSENT;
        perform_all(&s, &groups, accesses, count, next);
    }
    free_groups(&groups);
    free(next);
    free(s.at);
    free(s.residents);
    return good ? FHEC_OK : FHEC_HOST_ERROR;
}
