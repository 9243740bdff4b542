/*
 * emu_history_oom_test.c - versions of global memory against a model that copies everything: random
 * writes, allocations, mappings and releases, versions taken, restored, compared and freed in any
 * order; and the same when the host has no memory now and then: then nothing has changed.
 */
#include "emu_random.h"
#include "emu_util.h"
#include "history_compare.h"
#include "memory.h"
#include "refuse.h"
#include "transaction.h"

enum { MOST = 200, VERSIONS = 10, MAPPED = 3, MAPPED_BYTES = 9001, WORKING = 12 };

/* An allocation as the model has it. */
struct copy {
    uint64_t base, size;
    bool mapped;
    uint8_t *bytes; /* NULL: released */
};

struct state {
    struct copy list[MOST];
    size_t count;
};

struct world {
    struct fh_memory memory;
    struct fh_transaction alone;
    struct state now;
    struct {
        struct fh_version *version; /* NULL: none */
        struct state state;
    } versions[VERSIONS];
    uint8_t host[MAPPED][MAPPED_BYTES];
    struct emu_rng rng;
    uint64_t seed;
    bool refusing; /* one of the host's allocations may fail in each step */
};

static uint64_t below(struct world *w, uint64_t limit) {
    return emu_next(&w->rng) % limit;
}

/* One of the allocations that follow may fail, up to refuse_end. */
static void arm(struct world *w) {
    if (w->refusing && below(w, 3) == 0)
        refuse_after((long)below(w, 6), true);
}

/* ---------------------------------------------------------------- the model */

static void *duplicate(const void *bytes, size_t size) {
    void *copy = malloc(size);
    assert_non_null(copy);
    return memcpy(copy, bytes, size);
}

static void state_free(struct state *s) {
    for (size_t i = 0; i < s->count; i++)
        free(s->list[i].bytes);
    s->count = 0;
}

static void state_copy(struct state *to, const struct state *from) {
    state_free(to);
    *to = *from;
    for (size_t i = 0; i < to->count; i++)
        if (to->list[i].bytes)
            to->list[i].bytes = duplicate(from->list[i].bytes, (size_t)from->list[i].size);
}

static void check_memory(const struct world *w, const char *what) {
    if (w->memory.count != w->now.count)
        fail_msg("seed %llu, %s: %zu allocations, not %zu", (unsigned long long)w->seed, what,
                 w->memory.count, w->now.count);
    for (size_t i = 0; i < w->now.count; i++) {
        const struct fh_allocation *a = &w->memory.list[i];
        const struct copy *c = &w->now.list[i];
        if (a->base != c->base || a->size != c->size || !a->bytes != !c->bytes ||
            a->mapped != c->mapped || (c->bytes && memcmp(a->bytes, c->bytes, c->size) != 0))
            fail_msg("seed %llu, %s: allocation %zu differs", (unsigned long long)w->seed, what, i);
        if (c->bytes)
            assert_ptr_equal(fh_memory_range(&w->memory, c->base, c->size), a);
    }
}

/* ---------------------------------------------------------------- steps */

static void forget(void *user, size_t number) {
    struct world *w = user;
    fh_transaction_forget(&w->alone, number);
}

/* A live allocation of any kind; SIZE_MAX if there is none. */
static size_t any_live(struct world *w) {
    for (size_t i = w->now.count, n = below(w, w->now.count + 1); i-- > 0; n = n ? n - 1 : 0)
        if (n == 0 && w->now.list[i].bytes)
            return i;
    return SIZE_MAX;
}

static void step_alloc(struct world *w) {
    const uint64_t size = 1 + below(w, below(w, 3) ? 20000 : 200);
    uint64_t address;
    size_t live = 0;
    for (size_t i = 0; i < w->now.count; i++)
        live += w->now.list[i].bytes != NULL;
    if (w->now.count == MOST || live > WORKING)
        return;
    arm(w);
    const fhec_status status = fh_memory_alloc(&w->memory, "own", size, false, &address);
    refuse_end();
    if (status != FHEC_OK)
        return;
    w->now.list[w->now.count] = (struct copy){address, size, false, calloc(1, size)};
    assert_non_null(w->now.list[w->now.count++].bytes);
}

/* Host memory number k is always mapped at the same place. */
static void step_map(struct world *w) {
    const size_t k = below(w, MAPPED);
    const uint64_t address = 0x10000 + (k << 20) + k;
    size_t other;
    if (w->now.count == MOST)
        return;
    arm(w);
    const fhec_status status =
        fh_memory_map(&w->memory, "host", address, w->host[k], MAPPED_BYTES, false, &other);
    refuse_end();
    if (status != FHEC_OK)
        return;
    w->now.list[w->now.count++] =
        (struct copy){address, MAPPED_BYTES, true, duplicate(w->host[k], MAPPED_BYTES)};
}

static void step_release(struct world *w) {
    const size_t i = any_live(w);
    if (i == SIZE_MAX)
        return;
    arm(w);
    const fhec_status status = fh_memory_release(&w->memory, w->now.list[i].base);
    refuse_end();
    if (status != FHEC_OK)
        return;
    forget(w, i);
    free(w->now.list[i].bytes);
    w->now.list[i].bytes = NULL;
}

/* The host writes some bytes, or a kernel some words, or the owner of mapped memory. */
static void step_write(struct world *w) {
    uint8_t data[300];
    const size_t i = any_live(w);
    if (i == SIZE_MAX)
        return;
    struct copy *c = &w->now.list[i];
    const uint64_t at = below(w, c->size), left = c->size - at;
    size_t bytes = 1 + below(w, left < sizeof data ? left : sizeof data);
    for (size_t k = 0; k < bytes; k++)
        data[k] = (uint8_t)below(w, 256);
    const uint64_t kind = below(w, 3);
    uint8_t *to;
    if (kind == 0) {
        arm(w);
        const fhec_status status = fh_memory_writable(&w->memory, c->base + at, bytes, &to);
        refuse_end();
        if (status != FHEC_OK)
            return;
        memcpy(to, data, bytes);
        memcpy(c->bytes + at, data, bytes);
    } else if (kind == 1 && w->memory.history) {
        bytes = 1;
        arm(w);
        fh_transaction_begin_alone(&w->alone, &w->memory);
        fh_transaction_store(&w->alone, i, at, 1, data);
        refuse_end();
        if (!w->alone.failed)
            c->bytes[at] = data[0];
    } else if (c->mapped) {
        memcpy(w->memory.list[i].bytes + at, data, bytes);
        memcpy(c->bytes + at, data, bytes);
    }
}

/* Of all chunks of a parallel launch: some write lines in place, and one is undone. */
static void step_late(struct world *w) {
    enum { LINES = 6 };
    const size_t i = any_live(w);
    uint8_t held[LINES][FH_LINE];
    uint64_t at[LINES];
    if (i == SIZE_MAX || !w->memory.history || w->now.list[i].size < FH_LINE)
        return;
    struct copy *c = &w->now.list[i];
    uint8_t *const bytes = w->memory.list[i].bytes;
    const uint64_t lines = c->size / FH_LINE, first = below(w, lines);
    for (size_t k = 0; k < LINES; k++) {
        at[k] = (first + k) % lines * FH_LINE;
        memcpy(held[k], bytes + at[k], FH_LINE);
        bytes[at[k] + below(w, FH_LINE)] ^= 1;
    }
    arm(w);
    fh_history_begin_late(w->memory.history);
    bool saved = true;
    for (size_t k = LINES; k-- > 0;) /* of a line written twice, what it held first comes last */
        saved &= saved && fh_history_late(w->memory.history, i, at[k], held[k], FH_LINE);
    refuse_end();
    if (!saved)
        fh_history_cancel_late(w->memory.history);
    for (size_t k = LINES; k-- > 0 && !saved;)
        memcpy(bytes + at[k], held[k], FH_LINE);
    memcpy(c->bytes, bytes, c->size);
}

static void release_version(struct world *w, size_t k) {
    arm(w);
    fh_version_free(&w->memory, w->versions[k].version);
    refuse_end();
    w->versions[k].version = NULL;
}

static void step_take(struct world *w) {
    const size_t k = below(w, VERSIONS);
    if (w->versions[k].version)
        release_version(w, k);
    arm(w);
    w->versions[k].version = fh_history_take(&w->memory);
    refuse_end();
    if (w->versions[k].version)
        state_copy(&w->versions[k].state, &w->now);
}

static void step_free(struct world *w) {
    const size_t k = below(w, VERSIONS);
    if (w->versions[k].version)
        release_version(w, k);
}

static void step_restore(struct world *w) {
    const size_t k = below(w, VERSIONS);
    if (!w->versions[k].version)
        return;
    arm(w);
    const bool restored = fh_history_restore(&w->memory, w->versions[k].version, forget, w);
    refuse_end();
    if (restored)
        state_copy(&w->now, &w->versions[k].state);
}

/* ---------------------------------------------------------------- comparing */

struct comparison {
    const struct world *w;
    const struct state *a, *b;
    struct state seen; /* what is in `a`, made into `b` by what is told */
    bool told[MOST][2];
    size_t number;
    uint64_t offset;
};

static bool tell(void *user, const struct fh_memory_difference *d) {
    struct comparison *c = user;
    const size_t i = d->number;
    if (d->a)
        assert_int_equal(d->a->base, c->a->list[i].base);
    if (d->b)
        assert_int_equal(d->b->base, c->b->list[i].base);
    assert_true(i >= c->number);
    if (i != c->number)
        c->offset = 0;
    c->number = i;
    if (!d->bytes) { /* live in one of them, or there in one of them */
        if (d->a && d->b)
            assert_true(!d->a->bytes != !d->b->bytes);
        c->told[i][0] |= d->a != NULL;
        c->told[i][1] |= d->b != NULL;
        return true;
    }
    assert_true(d->offset >= c->offset && d->offset % 4 == 0);
    c->offset = d->offset + d->bytes;
    assert_memory_equal(d->x, c->seen.list[i].bytes + d->offset, d->bytes);
    for (size_t at = 0; at < d->bytes; at += 4)
        assert_true(memcmp(d->x + at, d->y + at, d->bytes - at < 4 ? d->bytes - at : 4) != 0);
    memcpy(c->seen.list[i].bytes + d->offset, d->y, d->bytes);
    return true;
}

static void step_compare(struct world *w) {
    const size_t k = below(w, VERSIONS), l = below(w, VERSIONS + 1);
    if (!w->versions[k].version || (l < VERSIONS && !w->versions[l].version))
        return;
    const struct state *const a = &w->versions[k].state;
    const struct state *const b = l < VERSIONS ? &w->versions[l].state : &w->now;
    struct comparison c = {.w = w, .a = a, .b = b};
    state_copy(&c.seen, a);
    arm(w);
    const bool compared = fh_history_compare(
        &w->memory, w->versions[k].version, l < VERSIONS ? w->versions[l].version : NULL, tell, &c);
    refuse_end();
    if (compared) {
        for (size_t i = 0; i < MOST; i++) {
            const struct copy *x = i < a->count ? &a->list[i] : NULL;
            const struct copy *y = i < b->count ? &b->list[i] : NULL;
            const bool same = x && y && x->base == y->base && x->size == y->size;
            if (same && x->bytes && y->bytes) {
                assert_false(c.told[i][0] || c.told[i][1]);
                assert_memory_equal(c.seen.list[i].bytes, y->bytes, (size_t)y->size);
            } else {
                const bool differ = !same || !x->bytes != !y->bytes;
                assert_int_equal(c.told[i][0], x && differ);
                assert_int_equal(c.told[i][1], y && differ);
            }
        }
    }
    state_free(&c.seen);
}

/* ---------------------------------------------------------------- random runs */

static void random_step(struct world *w) {
    static void (*const steps[])(struct world *) = {
        step_alloc,   step_alloc, step_map,   step_release, step_write,   step_write,
        step_write,   step_write, step_write, step_late,    step_take,    step_take,
        step_restore, step_free,  step_free,  step_compare, step_restore,
    };
    steps[below(w, COUNT_OF(steps))](w);
}

static void random_run(uint64_t seed, unsigned steps, bool refusing) {
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->seed = seed;
    w->rng.state = seed * 2 + 1;
    w->refusing = refusing;
    assert_true(fh_memory_init(&w->memory, &(fhec_placement){.gap = 64, .seed = seed % 3}));
    for (unsigned i = 0; i < steps; i++) {
        char what[40];
        snprintf(what, sizeof what, "step %u", i);
        random_step(w);
        check_memory(w, what);
    }
    for (size_t k = 0; k < VERSIONS; k++) {
        if (w->versions[k].version && seed % 2)
            fh_version_free(&w->memory, w->versions[k].version);
        state_free(&w->versions[k].state);
    }
    if (seed % 2)
        assert_null(w->memory.history);
    check_memory(w, "the end");
    state_free(&w->now);
    fh_transaction_free(&w->alone);
    fh_memory_free(&w->memory);
    free(w);
}

static void test_random(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 300; seed++)
        random_run(seed, 400, false);
}

static void test_random_refused(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 300; seed++)
        random_run(seed, 400, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_refused),
    };
    return cmocka_run_group_tests_name("emu_history_oom", tests, NULL, NULL);
}
