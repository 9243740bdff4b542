/*
 * programs_eltwise_test.c - element-wise arithmetic on the emulator against golden: hostile
 * operands at every kind of modulus, all pairs of operands of small moduli, shapes, counts, bad
 * parameters.
 */
#include "golden_util.h"
#include "programs.h"

static const char *const maps[] = {"cuda32", "gme32"};
static const char *const op_names[] = {"add", "sub", "mul"};
static const enum fh_eltwise_op ops[] = {FH_ELTWISE_ADD, FH_ELTWISE_SUB, FH_ELTWISE_MUL};

/* The moduli of a launch choose the product: below 2^30, below 2^31, or any. Around 2^29 and
 * 1.25 2^29 the shift of the first changes; with 2^61 / q just below an integer, as for 536903681,
 * its quotient is as far off as it can be. 1073741789 is the largest prime below 2^30. */
static const uint64_t narrow[] = {2,         3,          4,         5,         65535,     65536,
                                  65537,     268435456,  268435459, 536870911, 536870912, 536870913,
                                  536885101, 536889230,  536903681, 671088639, 671088640, 671088641,
                                  683565276, 1073741789, 1073741823};
static const uint64_t middle[] = {2147483647, 2147483646, 1073741824, 1073741825, 2, 3, 1610612741};
static const uint64_t widest[] = {4294967295, 4294967294, 4294967291, 2147483648, 2147483649,
                                  3037000499, 3037000500, 65536,      2,          3};

struct limbs {
    size_t n, count;
    const uint64_t *q;
    uint32_t *a, *b, *out;
};

static void begin(struct limbs *l, size_t n, size_t count, const uint64_t *q) {
    *l = (struct limbs){.n = n, .count = count, .q = q};
    l->a = calloc(n * count, sizeof *l->a);
    l->b = calloc(n * count, sizeof *l->b);
    l->out = calloc(n * count, sizeof *l->out);
    assert_non_null(l->a);
    assert_non_null(l->b);
    assert_non_null(l->out);
}

static void end(struct limbs *l) {
    free(l->a);
    free(l->b);
    free(l->out);
}

static fhec_machine *new_machine(fhec_engine engine) {
    fhec_machine *machine;
    fhec_machine_options options = {.engine = engine, .threads = 2};
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
    fhec_machine_count(machine, true);
    return machine;
}

/* The largest divisor up to sqrt(q). */
static uint64_t divisor(uint64_t q) {
    for (uint64_t d = 65535; d > 1; d--)
        if (d * d <= q && q % d == 0)
            return d;
    return 1;
}

/* Random operands, and among them pairs whose sum, difference or product lies at a multiple of q or
 * next to one: that is where a reduction goes wrong. */
static void fill_hostile(struct limbs *l, uint64_t seed) {
    for (size_t limb = 0; limb < l->count; limb++) {
        uint64_t q = l->q[limb], d = divisor(q);
        for (size_t i = 0; i < l->n; i++) {
            uint64_t inverse;
            uint64_t a = fh_golden_random_residue(seed, limb, 2 * i, q);
            uint64_t b = fh_golden_random_residue(seed, limb, 2 * i + 1, q);
            const uint64_t near_edge[] = {0, 1, q - 1, q / 2, (q + 1) / 2 % q, 2 % q};
            const uint64_t products[] = {1, q - 1, 2 % q, q / 2, q - 2 + (q == 2)};
            unsigned kind = i % 16;
            if (kind < 4) {
                a = near_edge[i / 16 % 6];
                b = near_edge[i / 96 % 6];
            } else if (kind < 6) {
                b = (kind == 4 ? q - a : a) % q;
            } else if (kind < 8) {
                b = kind == 6 ? q - 1 : (q + 1 - a) % q;
            } else if (kind < 13 && fh_golden_invmod(a, q, &inverse) == FH_GOLDEN_OK) {
                b = fh_golden_mulmod(inverse, products[kind - 8], q);
            } else if (kind == 13 && d > 1) { /* their product is a multiple of q */
                a -= a % d;
                b -= b % (q / d);
            } else if (kind == 14) {
                a = q - 1 - a % 16384;
                b = q - 1 - b % 16384;
            }
            l->a[limb * l->n + i] = (uint32_t)a;
            l->b[limb * l->n + i] = (uint32_t)b;
        }
    }
}

static fhec_status run(const struct limbs *l, fhec_machine *machine, const char *map,
                       enum fh_eltwise_op op, uint32_t *out, struct fh_error *error) {
    struct fh_eltwise_params params = {
        .map = map, .op = op, .n = l->n, .limbs = l->count, .q = l->q};
    return fh_eltwise_run(machine, &params, l->a, l->b, l->n * l->count * sizeof *l->a, out, error);
}

static uint64_t golden_value(enum fh_eltwise_op op, uint64_t q, uint64_t a, uint64_t b) {
    uint64_t want = 0;
    switch (op) {
    case FH_ELTWISE_ADD: require_ok("add", fh_golden_add(1, q, &a, &b, &want)); break;
    case FH_ELTWISE_SUB: require_ok("sub", fh_golden_sub(1, q, &a, &b, &want)); break;
    case FH_ELTWISE_MUL: require_ok("mul", fh_golden_mul(1, q, &a, &b, &want)); break;
    }
    return want;
}

static void check(const struct limbs *l, fhec_machine *machine, const char *map, unsigned op) {
    struct fh_error error;
    memset(l->out, 0xff, l->n * l->count * sizeof *l->out);
    fhec_machine_clear_stats(machine);
    if (run(l, machine, map, ops[op], l->out, &error) != FHEC_OK)
        fail_msg("%s on %s, N %zu, %zu limbs: %s", op_names[op], map, l->n, l->count, error.text);
    assert_string_equal(error.text, "");
    for (size_t i = 0; i < l->n * l->count; i++) {
        uint64_t q = l->q[i / l->n], want = golden_value(ops[op], q, l->a[i], l->b[i]);
        if (l->out[i] != want)
            fail_msg("%s on %s, N %zu, limb %zu, element %zu: %u and %u modulo %llu gave %u, "
                     "expected %llu",
                     op_names[op], map, l->n, i / l->n, i % l->n, l->a[i], l->b[i],
                     (unsigned long long)q, l->out[i], (unsigned long long)want);
    }
}

static void check_all(const struct limbs *l, fhec_machine *machine) {
    for (size_t m = 0; m < COUNT_OF(maps); m++)
        for (unsigned op = 0; op < COUNT_OF(ops); op++)
            check(l, machine, maps[m], op);
}

static void check_moduli(const uint64_t *q, size_t count, size_t n, uint64_t seed) {
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST);
    struct limbs l;
    begin(&l, n, count, q);
    fill_hostile(&l, seed);
    check_all(&l, machine);
    end(&l);
    fhec_machine_free(machine);
}

static void eltwise_hostile_operands(void **state) {
    (void)state;
    check_moduli(narrow, COUNT_OF(narrow), 4096, 1);
    check_moduli(middle, COUNT_OF(middle), 4096, 2);
    check_moduli(widest, COUNT_OF(widest), 4096, 3);
    /* One modulus a launch, so that each product meets all that it may be given. */
    for (size_t i = 0; i < COUNT_OF(widest); i++)
        check_moduli(&widest[i], 1, 1024, 4 + i);
}

static void eltwise_powers_of_two(void **state) {
    (void)state;
    for (unsigned bits = 1; bits < 32; bits++) {
        uint64_t q[] = {(uint64_t)1 << bits, ((uint64_t)1 << bits) + 1, ((uint64_t)2 << bits) - 1};
        check_moduli(q, COUNT_OF(q), 384, bits);
    }
}

/* Every pair of operands; a modulus of more bits beside it makes the other two products. */
static void eltwise_all_pairs_of_small_moduli(void **state) {
    (void)state;
    static const uint64_t besides[] = {31, 2147483647, 4294967295};
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST);
    for (size_t k = 0; k < COUNT_OF(besides); k++) {
        uint64_t q[32];
        struct limbs l;
        for (size_t limb = 0; limb < 31; limb++)
            q[limb] = limb + 2;
        q[31] = besides[k];
        begin(&l, 1024, COUNT_OF(q), q);
        for (size_t i = 0; i < 1024 * COUNT_OF(q); i++) {
            l.a[i] = (uint32_t)(i % 1024 / 32 % q[i / 1024]);
            l.b[i] = (uint32_t)(i % 32 % q[i / 1024]);
        }
        check_all(&l, machine);
        end(&l);
    }
    fhec_machine_free(machine);
}

/* One vector, part of a warp, of a block, of a thread's vectors, and just over each of them. */
static void eltwise_shapes(void **state) {
    (void)state;
    static const size_t sizes[] = {4,   8,   124,  128,  132,  508,  512,  516,
                                   520, 640, 1020, 2044, 2048, 2052, 4100, 6148};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        check_moduli(narrow, 3, sizes[i], i);
        check_moduli(widest, COUNT_OF(widest), sizes[i], i);
    }
    check_moduli(middle, 1, 100004, 7);
}

static void eltwise_in_place(void **state) {
    (void)state;
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST);
    for (unsigned op = 0; op < COUNT_OF(ops); op++)
        for (unsigned into_b = 0; into_b < 2; into_b++) {
            struct limbs l;
            struct fh_error error;
            begin(&l, 256, 4, widest);
            fill_hostile(&l, op);
            check(&l, machine, "cuda32", op);
            uint32_t *target = into_b ? l.b : l.a;
            assert_int_equal(run(&l, machine, NULL, ops[op], target, &error), FHEC_OK);
            assert_memory_equal(target, l.out, 4 * 256 * sizeof *target);
            end(&l);
        }
    fhec_machine_free(machine);
}

static void eltwise_on_the_reference_engine(void **state) {
    (void)state;
    fhec_machine *machine = new_machine(FHEC_ENGINE_REF);
    const uint64_t *const sets[] = {narrow, middle, widest};
    for (size_t s = 0; s < COUNT_OF(sets); s++) {
        struct limbs l;
        begin(&l, 260, 7, sets[s]);
        fill_hostile(&l, s);
        check_all(&l, machine);
        end(&l);
    }
    fhec_machine_free(machine);
}

/* Instructions of the launch: with this mnemonic, or (NULL) of this class. */
static uint64_t count_of(fhec_machine *machine, const char *mnemonic, const char *klass) {
    fhec_stats stats;
    uint64_t count = 0;
    assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
    for (size_t i = 0; i < stats.count_count; i++)
        if (mnemonic ? strcmp(stats.counts[i].mnemonic, mnemonic) == 0
                     : strcmp(stats.counts[i].klass, klass) == 0)
            count += stats.counts[i].warp;
    return count;
}

/* 65536 elements are 2048 warp-wide words, loaded and stored four at a time. */
static void eltwise_counts(void **state) {
    (void)state;
    static const char *const modular[] = {"MODADD.U32", "MODSUB.U32", "MODMUL.U32"};
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST);
    struct limbs l;
    begin(&l, 65536, 2, narrow + 4);
    fill_hostile(&l, 1);
    for (unsigned op = 0; op < COUNT_OF(ops); op++) {
        check(&l, machine, "gme32", op);
        assert_int_equal(count_of(machine, modular[op], NULL), 2 * 2048);
        assert_int_equal(count_of(machine, NULL, "modular"), 2 * 2048);
        assert_int_equal(count_of(machine, "STG.E.128", NULL), 2 * 512);
        check(&l, machine, "cuda32", op);
        assert_int_equal(count_of(machine, NULL, "modular"), 0);
        assert_int_equal(count_of(machine, "STG.E.128", NULL), 2 * 512);
        assert_int_equal(count_of(machine, "IMAD.HI.U32", NULL), op == 2 ? 2 * 2048 : 0);
    }
    end(&l);
    fhec_machine_free(machine);
}

/* ---------------------------------------------------------------- bad parameters */

static void refused(fhec_machine *machine, const struct fh_eltwise_params *params,
                    const uint32_t *a, const uint32_t *b, size_t bytes, const char *words) {
    uint32_t out[64];
    struct fh_error error;
    fhec_stats stats;
    memset(out, 0x77, sizeof out);
    assert_int_equal(fh_eltwise_run(machine, params, a, b, bytes, out, &error), FHEC_BAD_INPUT);
    if (!strstr(error.text, words))
        fail_msg("expected \"%s\" in: %s", words, error.text);
    assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
    assert_int_equal(stats.launches, 0);
    for (size_t i = 0; i < COUNT_OF(out); i++)
        assert_int_equal(out[i], 0x77777777);
}

static void eltwise_bad_parameters(void **state) {
    (void)state;
    static const uint64_t good[] = {97, 101}, one[] = {97, 1}, zero[] = {0, 97};
    static const uint64_t large[] = {97, 4294967296};
    static const struct {
        const char *map;
        unsigned op;
        size_t n, limbs;
        const uint64_t *q;
        const char *words;
    } cases[] = {
        {"cuda32", 0, 0, 2, good, "N must be a multiple of 4 from 4 to 16777216, not 0"},
        {"cuda32", 1, 30, 2, good, "not 30"},
        {"gme32", 2, 16777220, 2, good, "not 16777220"},
        {"cuda32", 0, 32, 0, good, "limbs of N = 32, not 0"},
        {"cuda32", 0, 32, 65536, good, "1 to 65535 limbs of N = 32, not 65536"},
        {"cuda32", 0, 16777216, 65, good, "1 to 64 limbs of N = 16777216, not 65"},
        {"cuda32", 3, 32, 2, good, "the operation must be add, sub or mul"},
        {"fhec", 0, 32, 2, good, "\"fhec\" has no element-wise arithmetic"},
        {"cuda", 0, 32, 2, good, "no map \"cuda\"; for element-wise arithmetic there are: cuda32"},
        {"gme32", 0, 32, 2, one, "q of limb 1 is 1; it must be at least 2"},
        {"cuda32", 2, 32, 2, zero, "q of limb 0 is 0; it must be at least 2"},
        {"cuda32", 2, 32, 2, large, "q of limb 1 is 4294967296; it must be at least 2 and below"},
        {"cuda32", 2, 32, 2, NULL, "a modulus for each limb"},
    };
    uint32_t a[64] = {0}, b[64] = {0};
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_error error;
        struct fh_eltwise_params params = {cases[i].map, (enum fh_eltwise_op)cases[i].op,
                                           cases[i].n,   cases[i].limbs,
                                           cases[i].q,   {0, NULL, NULL}};
        assert_int_equal(fh_eltwise_check(&params, &error), FHEC_BAD_INPUT);
        assert_non_null(strstr(error.text, cases[i].words));
        refused(machine, &params, a, b, sizeof a, cases[i].words);
    }
    fhec_machine_free(machine);
}

static void eltwise_bad_data(void **state) {
    (void)state;
    static const uint64_t q[] = {97, 101};
    uint32_t a[64] = {0}, b[64] = {0};
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST);
    struct fh_eltwise_params params = {.n = 32, .limbs = 2, .q = q};
    refused(machine, &params, a, b, 252, "256 bytes (2 limbs of 32 elements of 4 bytes), not 252");
    refused(machine, &params, a, b, 257, "not 257");
    a[32] = 100; /* fine in limb 1 */
    b[37] = 101;
    refused(machine, &params, a, b, 256,
            "element 5 of limb 1 of b is 101; it must be below q = 101");
    a[31] = 97;
    a[33] = UINT32_MAX;
    refused(machine, &params, a, b, 256,
            "element 31 of limb 0 of a is 97; it must be below q = 97");
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eltwise_hostile_operands),
        cmocka_unit_test(eltwise_powers_of_two),
        cmocka_unit_test(eltwise_all_pairs_of_small_moduli),
        cmocka_unit_test(eltwise_shapes),
        cmocka_unit_test(eltwise_in_place),
        cmocka_unit_test(eltwise_on_the_reference_engine),
        cmocka_unit_test(eltwise_counts),
        cmocka_unit_test(eltwise_bad_parameters),
        cmocka_unit_test(eltwise_bad_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
