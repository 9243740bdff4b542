/*
 * programs_eltwise_test.c - element-wise arithmetic on the emulator against golden: hostile
 * operands at every kind of modulus, all pairs of operands of small moduli, automorphisms, shapes,
 * counts, bad parameters.
 */
#include "programs_util.h"

#include "golden_util.h"

enum { MAX_LIMB_COUNT = 32 };

static const char *const maps[] = {"cuda32", "gme32", "cuda64", "gme64"};
static const char *const op_names[] = {"add", "sub", "mul", "mac", "add scalar", "mul scalar"};
static const enum fh_eltwise_op ops[] = {FH_ELTWISE_ADD,        FH_ELTWISE_SUB,
                                         FH_ELTWISE_MUL,        FH_ELTWISE_MAC,
                                         FH_ELTWISE_ADD_SCALAR, FH_ELTWISE_MUL_SCALAR};

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

/* For 64-bit words: of 40 bits and more, of any size, and the largest of 60 bits; around powers of
 * two the quotients are as far off as they can be. */
static const uint64_t large[] = {549755813889,        1099511627775,      1099511627776,
                                 1099511627777,       34359738367999,     1125899906842624,
                                 1125899906842625,    576460752303423487, 576460752303423488,
                                 1152921504606846975, 576460752303423489, 864691128455135233};
static const uint64_t mixed[] = {8589934583, 2,          3,           1152921504606846975,
                                 4294967296, 4294967311, 17179869183, 274877906944};
static const uint64_t largest[] = {1152921504606846975, 1152921504606846883, 1152921504606846974};

struct limbs {
    size_t n, count;
    const uint64_t *q;
    uint64_t *a, *b, *c, *out;
    uint64_t scalars[MAX_LIMB_COUNT];
};

static void begin(struct limbs *l, size_t n, size_t count, const uint64_t *q) {
    *l = (struct limbs){.n = n, .count = count, .q = q};
    l->a = make_array(n * count);
    l->b = make_array(n * count);
    l->c = make_array(n * count);
    l->out = make_array(n * count);
}

static void end(struct limbs *l) {
    free(l->a);
    free(l->b);
    free(l->c);
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
        if (d <= q / d && q % d == 0)
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
            if (i % 32 == 15 && q > 2) { /* powers of two and their neighbours */
                a = ((uint64_t)1 << i / 32 % 60) % q;
                b = (((uint64_t)1 << i / 96 % 60) + i / 32 % 3 - 1) % q;
            }
            l->a[limb * l->n + i] = a;
            l->b[limb * l->n + i] = b;
            l->c[limb * l->n + i] = i % 5 ? fh_golden_random_residue(seed + 1, limb, i, q) : q - 1;
        }
        const uint64_t scalars[] = {q - 1, q / 2, 1, 0, q / 3};
        l->scalars[limb] = scalars[(limb + seed) % COUNT_OF(scalars)];
    }
}

static bool is_wide(const char *map) {
    return fh_map_find(map)->word_bits == 64;
}

/* A copy of an operand in the map's words. */
static void *packed(const struct limbs *l, const char *map, const uint64_t *elements) {
    size_t count = l->n * l->count;
    if (!is_wide(map))
        return programs_narrow(elements, count);
    uint64_t *copy = make_array(count);
    memcpy(copy, elements, count * sizeof *copy);
    return copy;
}

/* target: 0 an array of its own, 1 to 3 an operand. The result is in l->out, whatever happened. */
static fhec_status run(const struct limbs *l, fhec_machine *machine, const char *map,
                       enum fh_eltwise_op op, unsigned target, struct fh_error *error) {
    size_t bytes = l->n * l->count * (is_wide(map) ? 8 : 4);
    memset(l->out, 0, l->n * l->count * sizeof *l->out); /* high words */
    void *arrays[] = {packed(l, map, l->out), packed(l, map, l->a), packed(l, map, l->b),
                      packed(l, map, l->c)};
    memset(arrays[0], 0xff, bytes);
    struct fh_eltwise_params params = {.map = map,
                                       .op = op,
                                       .n = l->n,
                                       .limbs = l->count,
                                       .q = l->q,
                                       .scalars = l->scalars,
                                       .addend = arrays[3],
                                       .options = programs_options()};
    fhec_status status =
        fh_eltwise_run(machine, &params, arrays[1], arrays[2], bytes, arrays[target], error);
    for (size_t i = 0; i < l->n * l->count; i++)
        l->out[i] = is_wide(map) ? ((const uint64_t *)arrays[target])[i]
                                 : ((const uint32_t *)arrays[target])[i];
    for (size_t i = 0; i < COUNT_OF(arrays); i++)
        free(arrays[i]);
    return status;
}

static uint64_t golden_value(enum fh_eltwise_op op, uint64_t q, uint64_t a, uint64_t b, uint64_t c,
                             uint64_t s) {
    uint64_t want = 0;
    switch (op) {
    case FH_ELTWISE_ADD: require_ok("add", fh_golden_add(1, q, &a, &b, &want)); break;
    case FH_ELTWISE_SUB: require_ok("sub", fh_golden_sub(1, q, &a, &b, &want)); break;
    case FH_ELTWISE_MUL: require_ok("mul", fh_golden_mul(1, q, &a, &b, &want)); break;
    case FH_ELTWISE_MAC: require_ok("mac", fh_golden_mac(1, q, &a, &b, &c, &want)); break;
    case FH_ELTWISE_ADD_SCALAR:
        require_ok("add scalar", fh_golden_add_scalar(1, q, &a, s, &want));
        break;
    case FH_ELTWISE_MUL_SCALAR:
        require_ok("mul scalar", fh_golden_mul_scalar(1, q, &a, s, &want));
        break;
    case FH_ELTWISE_AUTOMORPHISM:
    case FH_ELTWISE_INVERSE_AUTOMORPHISM: fail_msg("automorphisms have a test of their own");
    }
    return want;
}

static void check_into(const struct limbs *l, fhec_machine *machine, const char *map, unsigned op,
                       unsigned target) {
    struct fh_error error;
    fhec_machine_clear_stats(machine);
    if (run(l, machine, map, ops[op], target, &error) != FHEC_OK)
        fail_msg("%s on %s, N %zu, %zu limbs: %s", op_names[op], map, l->n, l->count, error.text);
    assert_string_equal(error.text, "");
    for (size_t i = 0; i < l->n * l->count; i++) {
        uint64_t q = l->q[i / l->n], s = l->scalars[i / l->n];
        uint64_t want = golden_value(ops[op], q, l->a[i], l->b[i], l->c[i], s);
        if (l->out[i] != want)
            fail_msg("%s on %s into array %u, N %zu, limb %zu, element %zu: %llu, %llu, %llu and "
                     "scalar %llu modulo %llu gave %llu, expected %llu",
                     op_names[op], map, target, l->n, i / l->n, i % l->n,
                     (unsigned long long)l->a[i], (unsigned long long)l->b[i],
                     (unsigned long long)l->c[i], (unsigned long long)s, (unsigned long long)q,
                     (unsigned long long)l->out[i], (unsigned long long)want);
    }
}

static void check(const struct limbs *l, fhec_machine *machine, const char *map, unsigned op) {
    check_into(l, machine, map, op, 0);
}

/* All operations on all maps that hold the moduli. */
static void check_all(const struct limbs *l, fhec_machine *machine) {
    uint64_t most = 0;
    for (size_t i = 0; i < l->count; i++)
        most |= l->q[i];
    for (size_t m = 0; m < COUNT_OF(maps); m++)
        for (unsigned op = 0; op < COUNT_OF(ops) && (most >> 32 == 0 || is_wide(maps[m])); op++)
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
    enum { N = SLOW_BUILD ? 640 : 4096 };
    check_moduli(narrow, COUNT_OF(narrow), N, 1);
    check_moduli(middle, COUNT_OF(middle), N, 2);
    check_moduli(widest, COUNT_OF(widest), N, 3);
    check_moduli(large, COUNT_OF(large), N, 4);
    check_moduli(mixed, COUNT_OF(mixed), N, 5);
    check_moduli(largest, COUNT_OF(largest), N, 6);
    /* One modulus a launch, so that each product meets all that it may be given. */
    for (size_t i = 0; i < COUNT_OF(widest); i++)
        check_moduli(&widest[i], 1, 1024, 4 + i);
}

static void eltwise_powers_of_two(void **state) {
    (void)state;
    for (unsigned bits = 1; bits < 60; bits += SLOW_BUILD ? 5 : 1) {
        uint64_t q[] = {(uint64_t)1 << bits, ((uint64_t)1 << bits) + 1, ((uint64_t)2 << bits) - 1};
        check_moduli(q, COUNT_OF(q), 384, bits);
    }
}

/* Every pair of operands; a modulus of more bits beside it makes the other two products. */
static void eltwise_all_pairs_of_small_moduli(void **state) {
    (void)state;
    static const uint64_t besides[] = {31, 2147483647, 4294967295, 1152921504606846975};
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST);
    for (size_t k = 0; k < COUNT_OF(besides); k += SLOW_BUILD ? 3 : 1) {
        uint64_t q[32];
        struct limbs l;
        for (size_t limb = 0; limb < 31; limb++)
            q[limb] = limb + 2;
        q[31] = besides[k];
        begin(&l, 1024, COUNT_OF(q), q);
        for (size_t i = 0; i < 1024 * COUNT_OF(q); i++) {
            l.a[i] = i % 1024 / 32 % q[i / 1024];
            l.b[i] = i % 32 % q[i / 1024];
            l.c[i] = i / 32 % q[i / 1024];
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
        if (SLOW_BUILD && sizes[i] > 2052)
            continue;
        check_moduli(narrow, 3, sizes[i], i);
        check_moduli(widest, COUNT_OF(widest), sizes[i], i);
        check_moduli(large, 3, sizes[i], i);
    }
    check_moduli(middle, 1, SLOW_BUILD ? 20004 : 100004, 7);
    check_moduli(largest, 1, SLOW_BUILD ? 20004 : 100004, 7);
}

static void eltwise_in_place(void **state) {
    (void)state;
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST);
    for (size_t m = 0; m < COUNT_OF(maps); m++)
        for (unsigned op = 0; op < COUNT_OF(ops); op++)
            for (unsigned target = 1; target <= 3; target++) {
                struct limbs l;
                begin(&l, 260, 4, is_wide(maps[m]) ? large : widest);
                fill_hostile(&l, op);
                check_into(&l, machine, maps[m], op, target);
                end(&l);
            }
    fhec_machine_free(machine);
}

/* g and its inverse, with limbs whose sources differ, and in place. */
static void check_automorphism(fhec_machine *machine, const char *map, size_t n, size_t count,
                               uint64_t g) {
    size_t width = is_wide(map) ? 8 : 4, bytes = n * count * width;
    struct limbs l;
    struct fh_error error;
    begin(&l, n, count, narrow + 4);
    for (size_t i = 0; i < n * count; i++)
        l.a[i] = (i * 40503 + i / n * 7 + 11) % narrow[4 + i / n];
    for (size_t limb = 0; limb < count; limb++)
        require_ok("automorphism", fh_golden_automorphism_eval(n, g, FH_GOLDEN_BITREV,
                                                               l.a + limb * n, l.b + limb * n));
    void *x = packed(&l, map, l.a), *want = packed(&l, map, l.b), *before = packed(&l, map, l.a);
    struct fh_eltwise_params params = {
        .map = map, .op = FH_ELTWISE_AUTOMORPHISM, .n = n, .limbs = count, .q = l.q, .galois = g};
    assert_int_equal(fh_eltwise_run(machine, &params, x, NULL, bytes, x, &error), FHEC_OK);
    if (memcmp(x, want, bytes))
        fail_msg("%s, N %zu, %zu limbs, g %llu", map, n, count, (unsigned long long)g);
    params.op = FH_ELTWISE_INVERSE_AUTOMORPHISM;
    assert_int_equal(fh_eltwise_run(machine, &params, want, NULL, bytes, x, &error), FHEC_OK);
    if (memcmp(x, before, bytes))
        fail_msg("%s, N %zu, %zu limbs, inverse of g %llu", map, n, count, (unsigned long long)g);
    free(x);
    free(want);
    free(before);
    end(&l);
}

static void eltwise_automorphisms(void **state) {
    (void)state;
    static const uint64_t elements[] = {1, 3, 5, 25, 131071, 0x123456789abcdef1, UINT64_MAX};
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST);
    for (size_t m = 0; m < COUNT_OF(maps); m++) {
        for (size_t e = 0; e < COUNT_OF(elements); e++) {
            check_automorphism(machine, maps[m], 256, 3, elements[e]);
            check_automorphism(machine, maps[m], 4096, 2, elements[e]);
        }
        check_automorphism(machine, maps[m], SLOW_BUILD ? 8192 : 131072, 17, 5);
    }
    fhec_machine_free(machine);
}

static void eltwise_on_the_reference_engine(void **state) {
    (void)state;
    fhec_machine *machine = new_machine(FHEC_ENGINE_REF);
    const uint64_t *const sets[] = {narrow, middle, widest, large, mixed};
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

/* Instructions of one limb of 65536 elements. A thread has four vectors; an element takes `core`
 * instructions, a vector a load of each operand and a store. Besides, a thread finds out who it is
 * and what its limb is (10; two words on CUDA cores: 10 and the entry's other loads), makes an
 * address for each array, and prepares the product. */
static void eltwise_counts(void **state) {
    (void)state;
    static const struct {
        unsigned arrays;
        unsigned core[4], besides[4]; /* of each map */
    } costs[] = {
        {3, {2, 1, 4, 1}, {9, 9, 10, 9}},   /* add */
        {3, {2, 1, 4, 1}, {9, 9, 10, 9}},   /* sub */
        {3, {6, 1, 19, 1}, {10, 9, 13, 9}}, /* mul */
        {4, {7, 1, 19, 1}, {14, 9, 13, 9}}, /* mac */
        {2, {2, 1, 4, 1}, {10, 9, 10, 9}},  /* add scalar */
        {2, {4, 1, 12, 1}, {13, 9, 12, 9}}, /* mul scalar */
    };
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST);
    for (size_t m = 0; m < COUNT_OF(maps); m++)
        for (unsigned op = 0; op < COUNT_OF(ops); op++) {
            struct limbs l;
            if (SLOW_BUILD && (op + m) % 3) /* counts are the same in every build */
                continue;
            unsigned vector = is_wide(maps[m]) ? 2 : 4, arrays = costs[op].arrays;
            uint64_t threads = 65536 / (4 * vector);
            uint64_t each =
                costs[op].besides[m] + arrays + 4 * (arrays + (uint64_t)vector * costs[op].core[m]);
            fhec_stats stats;
            begin(&l, 65536, 1, is_wide(maps[m]) ? largest : narrow);
            fill_hostile(&l, op);
            check(&l, machine, maps[m], op);
            assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
            if (stats.warp_insts != threads / 32 * each)
                fail_msg("%s on %s: %llu instructions, not %llu", op_names[op], maps[m],
                         (unsigned long long)stats.warp_insts,
                         (unsigned long long)(threads / 32 * each));
            assert_int_equal(count_of(machine, NULL, "modular"),
                             strncmp(maps[m], "gme", 3) ? 0 : 65536 / 32);
            end(&l);
        }
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
    static const uint64_t over[] = {97, 4294967296}, huge[] = {97, 1152921504606846976};
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
        {"cuda32", 8, 32, 2, good, "there is no operation of the number 8"},
        {"gme64", 4, 32, 2, good, "a scalar for each limb"},
        {"cuda64", 6, 320, 2, good, "must be a power of two from 2^8 to 2^17, not 320"},
        {"cuda64", 7, 128, 2, good, "not 128"},
        {"cuda32", 7, 262144, 2, good, "not 262144"},
        {"cuda64", 6, 256, 2, good, "an odd g, not 0"},
        {"cuda64", 2, 32, 2, huge,
         "q of limb 1 is 1152921504606846976; it must be at least 2 and below 2^60"},
        {"fhec16", 0, 32, 2, good, "\"fhec16\" has no element-wise arithmetic"},
        {"cuda", 0, 32, 2, good, "no map \"cuda\"; for element-wise arithmetic there are: cuda32"},
        {"gme32", 0, 32, 2, one, "q of limb 1 is 1; it must be at least 2"},
        {"cuda32", 2, 32, 2, zero, "q of limb 0 is 0; it must be at least 2"},
        {"cuda32", 2, 32, 2, over, "q of limb 1 is 4294967296; it must be at least 2 and below"},
        {"cuda32", 2, 32, 2, NULL, "a modulus for each limb"},
    };
    uint32_t a[64] = {0}, b[64] = {0};
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_error error;
        struct fh_eltwise_params params = {.map = cases[i].map,
                                           .op = (enum fh_eltwise_op)cases[i].op,
                                           .n = cases[i].n,
                                           .limbs = cases[i].limbs,
                                           .q = cases[i].q};
        assert_int_equal(fh_eltwise_check(&params, &error), FHEC_BAD_INPUT);
        assert_non_null(strstr(error.text, cases[i].words));
        refused(machine, &params, a, b, sizeof a, cases[i].words);
    }
    fhec_machine_free(machine);
}

static void eltwise_bad_data(void **state) {
    (void)state;
    static const uint64_t q[] = {97, 101};
    struct fh_error error;
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
    a[31] = a[33] = b[37] = 0;
    params.op = FH_ELTWISE_MAC;
    refused(machine, &params, a, b, 256, "needs the operand the addend");
    params.addend = b;
    b[3] = 98;
    refused(machine, &params, a, a, 256, "element 3 of limb 0 of the addend is 98");
    refused(machine, &params, a, NULL, 256, "needs the operand b");
    static const uint64_t scalars[] = {96, 101};
    params.op = FH_ELTWISE_ADD_SCALAR;
    params.scalars = scalars;
    refused(machine, &params, a, NULL, 256, "the scalar of limb 1 is 101; it must be below");
    /* Two words: all of them count. */
    uint64_t wide[64] = {0};
    wide[40] = (uint64_t)1 << 32;
    params = (struct fh_eltwise_params){.map = "gme64", .n = 32, .limbs = 2, .q = q};
    assert_int_equal(fh_eltwise_run(machine, &params, wide, wide, 512, wide, &error),
                     FHEC_BAD_INPUT);
    assert_non_null(strstr(error.text, "element 8 of limb 1 of a is 4294967296"));
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eltwise_hostile_operands),
        cmocka_unit_test(eltwise_powers_of_two),
        cmocka_unit_test(eltwise_all_pairs_of_small_moduli),
        cmocka_unit_test(eltwise_shapes),
        cmocka_unit_test(eltwise_in_place),
        cmocka_unit_test(eltwise_automorphisms),
        cmocka_unit_test(eltwise_on_the_reference_engine),
        cmocka_unit_test(eltwise_counts),
        cmocka_unit_test(eltwise_bad_parameters),
        cmocka_unit_test(eltwise_bad_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
