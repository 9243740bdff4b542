/*
 * How well the transform kernels use the memory: no two lanes wait for each other at a bank of
 * shared memory, and no two warps race there; on Tensor Cores and with fhec16, every 32 bytes that
 * a transform touches in bit-reversed order are used in full.
 */
#include "fhec_observe.h"
#include "programs_util.h"

/* Runs the transform of a limb of zeros. */
static void transform(fhec_machine *machine, const struct fh_map *map, unsigned log2_n,
                      unsigned form) {
    size_t n = (size_t)1 << log2_n, bytes = n * map->word_bits / 8;
    uint64_t q = programs_prime(n, 30, 0);
    void *data = calloc(1, bytes);
    struct fh_error error;
    assert_non_null(data);
    const struct fh_ntt_params params = {
        .map = map->name,
        .n = n,
        .limbs = 1,
        .q = &q,
        .inverse = form & 1,
        .order = form & 2 ? FH_GOLDEN_NATURAL : FH_GOLDEN_BITREV,
    };
    assert_int_equal(fh_ntt_run(machine, &params, data, bytes, data, &error), FHEC_OK);
    free(data);
}

enum { SHARED_WORDS = 1 << 15 };

/* Who touched a word of a block's shared memory since the last barrier of the block. */
struct touch {
    uint32_t epoch; /* plus 1; 0: nobody yet */
    uint32_t writer, reader;
    bool written, read, read_by_others;
};

/* What one instruction accesses, and what all of them did. */
struct traffic {
    bool shared;
    unsigned count, bytes;
    uint64_t address[32];
    uint64_t phases, conflicts; /* of shared memory */
    uint64_t touched, used;     /* bytes of global memory, touched in units of 32 */
    uint64_t races;
    uint32_t epoch[32];  /* barriers that each warp of the block has passed, over all blocks */
    struct touch *touch; /* SHARED_WORDS of them */
};

/* A word that two warps touch, one of them writing, with no barrier between. All warps pass all
 * barriers, so two accesses have none between if their warps have passed the same number. */
static void watch(struct traffic *t, uint32_t warp, bool store, uint64_t address, unsigned bytes) {
    for (uint64_t word = address / 4; word < (address + bytes + 3) / 4; word++) {
        assert_true(word < SHARED_WORDS);
        struct touch *touch = &t->touch[word];
        if (touch->epoch != t->epoch[warp] + 1)
            *touch = (struct touch){.epoch = t->epoch[warp] + 1};
        if (touch->written && touch->writer != warp)
            t->races++;
        if (store && touch->read && (touch->read_by_others || touch->reader != warp))
            t->races++;
        if (store) {
            touch->written = true;
            touch->writer = warp;
        } else {
            touch->read_by_others = touch->read && touch->reader != warp;
            touch->read = true;
            touch->reader = warp;
        }
    }
}

/* 128 bytes at a time, which are to lie in 32 different banks of four bytes. */
static void count_conflicts(struct traffic *t) {
    unsigned lanes = 128 / t->bytes;
    for (unsigned first = 0; first < t->count; first += lanes, t->phases++) {
        uint32_t banks = 0;
        bool conflict = false;
        for (unsigned i = first; i < first + lanes && i < t->count; i++)
            for (unsigned b = 0; b < t->bytes; b += 4) {
                uint32_t bank = UINT32_C(1) << ((t->address[i] + b) / 4 % 32);
                conflict = conflict || banks & bank;
                banks |= bank;
            }
        t->conflicts += conflict;
    }
}

static void count_sectors(struct traffic *t) {
    uint64_t sectors[32];
    unsigned count = 0;
    for (unsigned i = 0; i < t->count; i++) {
        unsigned known = 0;
        while (known < count && sectors[known] != t->address[i] / 32)
            known++;
        if (known == count)
            sectors[count++] = t->address[i] / 32;
    }
    t->touched += 32 * count;
    t->used += (uint64_t)t->count * t->bytes;
}

static void on_access(struct traffic *t, const fhec_event *event) {
    const fhec_access *a = &event->access;
    t->shared = a->space == FHEC_SPACE_SHARED;
    t->bytes = a->bytes;
    t->count = 0;
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
        if (!(event->lanes >> lane & 1))
            continue;
        if (t->shared)
            watch(t, event->warp, a->access & FHEC_ACCESS_WRITE, a->address[lane], a->bytes);
        t->address[t->count++] = a->address[lane];
    }
    (t->shared ? count_conflicts : count_sectors)(t);
}

/* Blocks run one after another; each begins where no warp of the last one has been. */
static void on_block(struct traffic *t) {
    uint32_t most = 0;
    for (unsigned i = 0; i < COUNT_OF(t->epoch); i++)
        most = t->epoch[i] > most ? t->epoch[i] : most;
    for (unsigned i = 0; i < COUNT_OF(t->epoch); i++)
        t->epoch[i] = most + 1;
}

static void on_event(void *user, const fhec_event *event) {
    struct traffic *t = user;
    switch (event->kind) {
    case FHEC_EVENT_BLOCK_BEGIN: on_block(t); break;
    case FHEC_EVENT_ARRIVE: t->epoch[event->warp]++; break;
    default: on_access(t, event); break;
    }
}

static void check(const struct fh_map *map, unsigned log2_n, unsigned form) {
    struct traffic traffic = {.touch = calloc(SHARED_WORDS, sizeof *traffic.touch)};
    assert_non_null(traffic.touch);
    const fhec_observer observer = {.user = &traffic,
                                    .filter.kinds = FHEC_EVENT_BIT(FHEC_EVENT_BLOCK_BEGIN) |
                                                    FHEC_EVENT_BIT(FHEC_EVENT_ARRIVE) |
                                                    FHEC_EVENT_BIT(FHEC_EVENT_ACCESS),
                                    .event = on_event};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    assert_int_equal(fhec_observe(machine, &observer, NULL), FHEC_OK);
    transform(machine, map, log2_n, form);
    fhec_machine_free(machine);
    free(traffic.touch);
    if (traffic.races)
        fail_msg("%s, N 2^%u, form %u: %llu words of shared memory change hands with no barrier",
                 map->name, log2_n, form, (unsigned long long)traffic.races);
    /* The smallest transform of fhec256 has half of its 16 accesses twice, which is all there is.
     */
    bool small = log2_n == FH_NTT_MIN_LOG2 && !strcmp(map->name, "fhec256");
    if (traffic.conflicts > (small ? 8 : 0))
        fail_msg("%s, N 2^%u, form %u: %llu of %llu accesses to shared memory conflict", map->name,
                 log2_n, form, (unsigned long long)traffic.conflicts,
                 (unsigned long long)traffic.phases);
    /* fhec16 in natural order moves 16 bytes at a time, too. */
    if (!strncmp(map->name, "fhec16", 6) && log2_n >= 10 &&
        traffic.touched > traffic.used + (form & 2 ? traffic.used / 5 : 0))
        fail_msg("%s, N 2^%u, form %u: %llu bytes of %llu that are touched are used", map->name,
                 log2_n, form, (unsigned long long)traffic.used,
                 (unsigned long long)traffic.touched);
    if (map->matrix != FH_MATRIX_IMMA) {
        assert_true(traffic.phases > 0 || map->matrix == FH_MATRIX_FHEC);
        return;
    }
    assert_int_equal(traffic.phases > 0, !strcmp(map->name, "imma16") && log2_n > 12);
    /* In natural order imma16 stores 16 bytes at a time. The modulus is one of 8. */
    if (traffic.touched > traffic.used + traffic.used / 8)
        fail_msg("%s, N 2^%u, form %u: %llu bytes of %llu that are touched are used", map->name,
                 log2_n, form, (unsigned long long)traffic.used,
                 (unsigned long long)traffic.touched);
    if (!(form & 2))
        assert_true(traffic.touched <= traffic.used + 32 * (traffic.used / 4096 + 8));
}

static void memory_is_used_well(void **state) {
    (void)state;
    const struct fh_map *map;
    for (size_t m = 0; (map = programs_map(FH_WORKLOAD_NTT, m)) != NULL; m++)
        for (unsigned log2_n = FH_NTT_MIN_LOG2; log2_n <= (SLOW_BUILD ? 12 : FH_NTT_MAX_LOG2);
             log2_n++)
            for (unsigned form = 0; form < 4; form++)
                if (log2_n <= (SLOW_BUILD ? 8 : 14) || form == (log2_n + m) % 4)
                    check(map, log2_n, form);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_used_well),
    };
    return cmocka_run_group_tests_name("programs_traffic", tests, NULL, NULL);
}
