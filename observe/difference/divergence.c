/*
 * divergence.c - see divergence.h.
 */
#include "divergence.h"

#include <stdlib.h>
#include <string.h>

#include "code_pairs.h"

struct comparing {
    const struct fh_journal *journals[2];
    struct fh_code_pairs pairs; /* of the launch */
    uint64_t launch;            /* 0: none yet */
    uint32_t *steps[2];         /* of the warp, in order */
    size_t count[2], room[2];
};

/* The steps of a warp that are kept, in order. */
static bool take_steps(struct comparing *c, unsigned side, size_t warp) {
    const struct fh_journal *journal = c->journals[side];
    uint32_t oldest = fh_journal_oldest(journal), step = fh_journal_last_step(journal, warp);
    size_t count = 0;
    for (uint32_t s = step; s != FH_NO_STEP && s >= oldest; s = fh_journal_previous(journal, s))
        count++;
    if (count > c->room[side]) {
        uint32_t *more = realloc(c->steps[side], count * sizeof *more);
        if (!more)
            return false;
        c->steps[side] = more;
        c->room[side] = count;
    }
    c->count[side] = count;
    for (; count; step = fh_journal_previous(journal, step))
        c->steps[side][--count] = step;
    return true;
}

static bool value_differs(const struct comparing *c, fhec_register_file file, uint32_t reg,
                          struct fh_divergence *d) {
    const bool has_lanes = file == FHEC_FILE_R || file == FHEC_FILE_P;
    for (uint32_t lane = 0; lane < (has_lanes ? FHEC_WARP_LANES : 1U); lane++) {
        uint32_t a, b;
        if (!fh_journal_value(c->journals[0], d->step[0], file, reg, lane, &a) ||
            !fh_journal_value(c->journals[1], d->step[1], file, reg, lane, &b) || a == b)
            continue;
        d->kind = FH_DIVERGES_VALUE;
        d->file = file;
        d->reg = reg;
        d->lane = lane;
        d->value[0] = a;
        d->value[1] = b;
        return true;
    }
    return false;
}

/* Addresses count from the beginning of what lies there, so that buffers may be elsewhere. */
static bool same_address(const struct comparing *c, fhec_space space, uint64_t a, uint64_t b) {
    const struct fh_journal_range *x = fh_journal_allocation(c->journals[0], UINT32_MAX, a);
    const struct fh_journal_range *y = fh_journal_allocation(c->journals[1], UINT32_MAX, b);
    if (space != FHEC_SPACE_GLOBAL || !x || !y)
        return a == b;
    return a - x->address == b - y->address && !strcmp(x->name, y->name);
}

static bool address_differs(const struct comparing *c, struct fh_divergence *d) {
    struct fh_journal_access a, b;
    for (size_t i = 0; fh_journal_access(c->journals[0], d->step[0], i, &a) &&
                       fh_journal_access(c->journals[1], d->step[1], i, &b);
         i++)
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
            if (a.space != b.space || a.space == FHEC_SPACE_CONSTANT ||
                !(a.lanes & b.lanes & 1U << lane) ||
                same_address(c, a.space, a.address[lane], b.address[lane]))
                continue;
            d->kind = FH_DIVERGES_ADDRESS;
            d->lane = lane;
            d->value[0] = a.address[lane];
            d->value[1] = b.address[lane];
            return true;
        }
    return false;
}

/* Whether two steps that are paired did something else. */
static bool effect_differs(const struct comparing *c, struct fh_divergence *d) {
    const fhec_instruction *i = &fh_journal_site(c->journals[0], d->step[0])->instruction;
    d->value[0] = fh_journal_active(c->journals[0], d->step[0]);
    d->value[1] = fh_journal_active(c->journals[1], d->step[1]);
    if (d->value[0] != d->value[1]) {
        d->kind = FH_DIVERGES_LANES;
        return true;
    }
    if (address_differs(c, d))
        return true;
    for (uint32_t u = 0; u < i->use_count; u++)
        for (uint32_t k = 0; i->uses[u].written && k < i->uses[u].count; k++)
            if (value_differs(c, i->uses[u].file, i->uses[u].first + k, d))
                return true;
    return false;
}

/* The next step at or behind *at that has a partner; FH_NO_STEP: none. */
static uint32_t next_paired(const struct comparing *c, unsigned side, size_t *at, size_t *place) {
    const struct fh_code_side *code = &c->pairs.side[side];
    for (; *at < c->count[side]; ++*at) {
        const uint32_t step = c->steps[side][*at];
        *place = fh_code_pair_place(code, fh_journal_site(c->journals[side], step));
        if (*place != SIZE_MAX && code->partner[*place] != SIZE_MAX)
            return step;
    }
    return FH_NO_STEP;
}

static bool warps_differ(const struct comparing *c, struct fh_divergence *d) {
    for (size_t at[2] = {0, 0};; at[0]++, at[1]++) {
        size_t place[2] = {0, 0};
        for (unsigned s = 0; s < 2; s++)
            d->step[s] = next_paired(c, s, &at[s], &place[s]);
        if (d->step[0] == FH_NO_STEP && d->step[1] == FH_NO_STEP)
            return false;
        if (d->step[0] == FH_NO_STEP || d->step[1] == FH_NO_STEP) {
            d->kind = FH_DIVERGES_END;
            return true;
        }
        if (c->pairs.side[0].partner[place[0]] != place[1]) {
            d->kind = FH_DIVERGES_PATH;
            return true;
        }
        if (effect_differs(c, d))
            return true;
    }
}

static size_t find_warp(const struct fh_journal *journal, const struct fh_journal_warp *warp) {
    size_t i = 0;
    while (i < fh_journal_warp_count(journal) &&
           memcmp(fh_journal_warp_get(journal, i), warp, sizeof *warp) != 0)
        i++;
    return i;
}

static int by_step(const void *a, const void *b) {
    const struct fh_divergence *x = a, *y = b;
    return (x->step[0] > y->step[0]) - (x->step[0] < y->step[0]);
}

/* A warp that only one of them has. */
static void add_missing(struct comparing *c, unsigned side, size_t warp,
                        struct fh_divergences *found) {
    struct fh_divergence *d = &found->list[found->count++];
    *d = (struct fh_divergence){.kind = FH_DIVERGES_END,
                                .warp = *fh_journal_warp_get(c->journals[side], warp),
                                .step = {FH_NO_STEP, FH_NO_STEP}};
    if (take_steps(c, side, warp) && c->count[side])
        d->step[side] = c->steps[side][0];
}

static bool compare_warp(struct comparing *c, size_t warp, struct fh_divergences *found) {
    const struct fh_journal_warp *of = fh_journal_warp_get(c->journals[0], warp);
    /* The same warps come in the same order, mostly. */
    size_t other = warp;
    if (other >= fh_journal_warp_count(c->journals[1]) ||
        memcmp(fh_journal_warp_get(c->journals[1], other), of, sizeof *of) != 0)
        other = find_warp(c->journals[1], of);
    if (other == fh_journal_warp_count(c->journals[1])) {
        add_missing(c, 0, warp, found);
        return true;
    }
    if (c->launch != of->launch) {
        fh_code_pairs_free(&c->pairs);
        c->launch = of->launch;
        if (!fh_code_pairs_make(&c->pairs, c->journals, of->launch))
            return false;
    }
    struct fh_divergence d = {.warp = *of};
    if (!take_steps(c, 0, warp) || !take_steps(c, 1, other))
        return false;
    if (warps_differ(c, &d))
        found->list[found->count++] = d;
    return true;
}

bool fh_journals_compare(const struct fh_journal *a, const struct fh_journal *b,
                         struct fh_divergences *found) {
    struct comparing c = {.journals = {a, b}};
    const size_t warps[2] = {fh_journal_warp_count(a), fh_journal_warp_count(b)};
    *found = (struct fh_divergences){calloc(warps[0] + warps[1] + 1, sizeof *found->list), 0};
    bool fine = found->list != NULL;
    for (size_t i = 0; i < warps[0] && fine; i++)
        fine = compare_warp(&c, i, found);
    for (size_t i = 0; i < warps[1] && fine; i++)
        if (find_warp(a, fh_journal_warp_get(b, i)) == warps[0])
            add_missing(&c, 1, i, found);
    if (fine)
        qsort(found->list, found->count, sizeof *found->list, by_step);
    fh_code_pairs_free(&c.pairs);
    free(c.steps[0]);
    free(c.steps[1]);
    return fine;
}

void fh_divergences_free(struct fh_divergences *found) {
    free(found->list);
    *found = (struct fh_divergences){0};
}
