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

static uint64_t flush(struct space *s) {
    uint64_t written = 0;
    while (s->count)
        written += drop(s, s->count - 1);
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
    a->written = a->flush ? flush(s) : 0;
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

fhec_status fh_onchip_run(uint64_t capacity, enum fh_onchip_policy policy,
                          const struct fh_onchip_limb *limbs, size_t limb_count,
                          struct fh_onchip_access *accesses, size_t count) {
    struct space s = {.capacity = capacity, .policy = policy, .limbs = limbs};
    uint32_t *next = calloc(count + 1, sizeof *next);
    s.at = calloc(limb_count + 1, sizeof *s.at);
    s.residents = calloc(limb_count + 1, sizeof *s.residents);
    const bool good = next && s.at && s.residents;
    if (good) {
        find_next(accesses, count, s.at, limb_count, next);
        for (size_t i = 0; i < limb_count; i++)
            s.at[i] = ABSENT;
        for (size_t i = 0; i < count; i++)
            perform(&s, &accesses[i], (uint32_t)i, next[i]);
    }
    free(next);
    free(s.at);
    free(s.residents);
    return good ? FHEC_OK : FHEC_HOST_ERROR;
}
