/*
 * How many instructions the Tensor Core kernels issue: IMMA exactly as often as the byte products
 * ask, and all of them together within a budget; and how well they use the memory: every 32 bytes
 * that a transform touches in bit-reversed order are used in full, and no two lanes wait for each
 * other at a bank of shared memory.
 */
#include "programs_util.h"

/* Runs the transform of `limbs` limbs on zeros and leaves the counters of it in the machine. */
static void transform(fhec_machine *machine, const char *map, unsigned log2_n, unsigned form,
                      unsigned bits, size_t limbs) {
    size_t n = (size_t)1 << log2_n, bytes = limbs * n * sizeof(uint32_t);
    uint64_t q[MAX_LIMBS];
    uint32_t *data = calloc(limbs * n, sizeof *data);
    struct fh_error error;
    assert_non_null(data);
    assert_int_equal(fh_golden_prime_chain(n, bits, limbs, q), FH_GOLDEN_OK);
    const struct fh_ntt_params params = {.map = map,
                                         .n = n,
                                         .limbs = limbs,
                                         .q = q,
                                         .inverse = form & 1,
                                         .order = form & 2 ? FH_GOLDEN_NATURAL : FH_GOLDEN_BITREV};
    fhec_machine_clear_stats(machine);
    assert_int_equal(fh_ntt_run(machine, &params, data, bytes, data, &error), FHEC_OK);
    free(data);
}

/* 16 x 16 x 16: sixteen pairs of bytes, two IMMAs each. */
enum { IMMA_OF_PRODUCT = 32 };

static uint64_t imma_of_transform(bool large, unsigned log2_n) {
    uint64_t n = UINT64_C(1) << log2_n, tiles = n / 256;
    if (large) {
        uint64_t n2 = UINT64_C(1) << log2_n / 2, n1 = n / n2;
        return IMMA_OF_PRODUCT * tiles * (n2 + n1) / 16;
    }
    /* A stage of radix 2, 4 or 8 has only the two diagonal quarters of the product. */
    return tiles * (log2_n / 4 * IMMA_OF_PRODUCT + (log2_n % 4 ? IMMA_OF_PRODUCT / 2 : 0));
}

static void imma_counts(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (unsigned log2_n = FH_NTT_MIN_LOG2; log2_n <= (SLOW_BUILD ? 14 : FH_NTT_MAX_LOG2); log2_n++)
        for (unsigned c = 0; c < 8; c++) {
            uint64_t limbs = log2_n < 14 ? 1 + c % 3 : 1;
            uint64_t want = limbs * imma_of_transform(c & 1, log2_n);
            transform(machine, c & 1 ? "imma256" : "imma16", log2_n, c >> 1, 28, limbs);
            uint64_t got = programs_count(machine, "IMMA.16816.U8.U8");
            if (got != want || got != programs_count(machine, "IMMA"))
                fail_msg("%s, N 2^%u, form %u: %llu IMMA for %llu limbs, not %llu",
                         c & 1 ? "imma256" : "imma16", log2_n, c >> 1, (unsigned long long)got,
                         (unsigned long long)limbs, (unsigned long long)want);
        }
    fhec_machine_free(machine);
}

/* The published mappings of 65536 points. */
static void imma_counts_of_65536(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (unsigned c = 0; c < 8; c++) {
        transform(machine, c & 1 ? "imma256" : "imma16", 16, c >> 1, 32, 1);
        assert_int_equal(programs_count(machine, "IMMA.16816.U8.U8"), c & 1 ? 262144 : 32768);
    }
    fhec_machine_free(machine);
}

/* Everything included, per limb of 65536 points, or per conversion: what the kernels need today and
 * a little more: who makes them longer should notice. */
static void instruction_budget(void **state) {
    (void)state;
    static const struct {
        const char *map;
        unsigned bits;
        uint64_t limit;
    } rows[] = {{"imma16", 28, 89000},   {"imma16", 31, 89000},   {"imma16", 32, 91000},
                {"imma256", 28, 330000}, {"imma256", 31, 330000}, {"imma256", 32, 332000}};
    enum { LIMBS = 2 };
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (unsigned c = 0; c < 2 * COUNT_OF(rows); c++) {
        transform(machine, rows[c / 2].map, 16, c & 1, rows[c / 2].bits, LIMBS);
        uint64_t each = programs_warp_insts(machine) / LIMBS;
        print_message("# %s, N 2^16, %u bits, %s: %llu warp instructions per limb\n",
                      rows[c / 2].map, rows[c / 2].bits, c & 1 ? "inverse" : "forward",
                      (unsigned long long)each);
        assert_true(each <= rows[c / 2].limit);
    }
    fhec_machine_free(machine);
}

/* ---------------------------------------------------------------- memory */

/* What one instruction accesses, and what all of them did. */
struct traffic {
    bool shared;
    unsigned count, bytes;
    uint64_t address[32];
    uint64_t phases, conflicts; /* of shared memory */
    uint64_t touched, used;     /* bytes of global memory, touched in units of 32 */
};

static void on_memory(void *user, const fhec_where *where, const char *space, bool store,
                      unsigned lane, uint64_t address, unsigned bytes) {
    struct traffic *t = user;
    (void)where;
    (void)store;
    (void)lane;
    t->shared = strcmp(space, "shared") == 0;
    t->bytes = bytes;
    if (t->count < 32)
        t->address[t->count++] = address;
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

static void on_retire(void *user, const fhec_where *where) {
    struct traffic *t = user;
    (void)where;
    if (t->count)
        (t->shared ? count_conflicts : count_sectors)(t);
    t->count = 0;
}

static void memory_is_used_well(void **state) {
    (void)state;
    for (unsigned log2_n = FH_NTT_MIN_LOG2; log2_n <= (SLOW_BUILD ? 13 : 16); log2_n++)
        for (unsigned c = 0; c < 8; c++) {
            const char *map = c & 1 ? "imma256" : "imma16";
            struct traffic traffic = {0};
            const fhec_observer observer = {
                .user = &traffic, .memory = on_memory, .retire = on_retire};
            if (log2_n == 16 && c & 1)
                continue;
            fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
            fhec_observe(machine, &observer);
            transform(machine, map, log2_n, c >> 1, 30, 1);
            fhec_machine_free(machine);
            if (traffic.conflicts)
                fail_msg("%s, N 2^%u, form %u: %llu of %llu accesses to shared memory conflict",
                         map, log2_n, c >> 1, (unsigned long long)traffic.conflicts,
                         (unsigned long long)traffic.phases);
            assert_int_equal(traffic.phases > 0, !(c & 1) && log2_n > 12);
            /* In natural order imma16 stores 16 bytes at a time. The modulus is one of 8. */
            if (traffic.touched > traffic.used + traffic.used / 8)
                fail_msg("%s, N 2^%u, form %u: %llu bytes of %llu that are touched are used", map,
                         log2_n, c >> 1, (unsigned long long)traffic.used,
                         (unsigned long long)traffic.touched);
            if (!(c >> 2))
                assert_true(traffic.touched <= traffic.used + 32 * (traffic.used / 4096 + 8));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(imma_counts),
        cmocka_unit_test(imma_counts_of_65536),
        cmocka_unit_test(instruction_budget),
        cmocka_unit_test(memory_is_used_well),
    };
    return cmocka_run_group_tests_name("programs_imma_count", tests, NULL, NULL);
}
