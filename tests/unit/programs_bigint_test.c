/*
 * programs_bigint_test.c - products of multi-word integers on the emulator against golden's long
 * arithmetic: every size, hostile operands and moduli, numbers of pairs, counts, bad parameters.
 */
#include "programs_util.h"

#include "bigint.h"

enum { MAX_WORDS = FH_BIGINT_MAX_WORDS, MAX_PAIRS = 300, KINDS = 12 };

/* A launch: count pairs of operands. */
struct pairs {
    enum fh_bigint_op op;
    const char *map;
    size_t words, count;
    uint64_t seed;
    uint32_t modulus[MAX_WORDS];
    uint32_t a[MAX_PAIRS * MAX_WORDS], b[MAX_PAIRS * MAX_WORDS];
    uint32_t out[2 * MAX_PAIRS * MAX_WORDS];
};

static void fill(uint32_t *value, size_t words, uint32_t word) {
    for (size_t i = 0; i < words; i++)
        value[i] = word;
}

/* Kinds of integers that carries have trouble with. 7 and up are random. */
static void hostile(uint32_t *value, size_t words, unsigned kind, uint64_t seed, uint64_t stream) {
    fill(value, words, kind == 0 || kind == 4 ? UINT32_MAX : 0);
    switch (kind) {
    case 0:
    case 1: return;                              /* all ones, zero */
    case 2: value[0] = 1; return;                /* one */
    case 3: value[words - 1] = 1U << 31; return; /* a power of two */
    case 4: value[0] = 0; return;                /* carries start late */
    case 5: value[(seed + stream) % words] = 1U << (seed * 7 + stream) % 32; return;
    case 6: /* words of all ones or zero */
        for (size_t i = 0; i < words; i++)
            value[i] = fh_golden_random_word(seed, stream, i) & 1 ? UINT32_MAX : 0;
        return;
    default:
        for (size_t i = 0; i < words; i++)
            value[i] = (uint32_t)fh_golden_random_word(seed, stream, i);
    }
}

enum { MODULI = 8 };

/* Odd moduli: highest word full, small, zero; the extremes of both kinds of kernels. */
static void choose_modulus(struct pairs *p, unsigned kind) {
    size_t top = p->words - 1;
    hostile(p->modulus, p->words, 7, p->seed, 1000);
    switch (kind) {
    case 0: fill(p->modulus, p->words, UINT32_MAX); break;
    case 1: p->modulus[top] = UINT32_MAX; break;
    case 2: p->modulus[top] = 1; break;
    case 3: p->modulus[top] >>= 1; break;
    case 4: /* the largest with a bit to spare */
        fill(p->modulus, p->words, UINT32_MAX);
        p->modulus[top] = INT32_MAX;
        break;
    case 5: /* the smallest with all bits used */
        fill(p->modulus, p->words, 0);
        p->modulus[top] = 1U << 31;
        break;
    case 6: /* the smallest of all */
        fill(p->modulus, p->words, 0);
        p->modulus[0] = 3;
        break;
    default: p->modulus[top] |= 1U << 31; break;
    }
    p->modulus[0] |= 1;
}

/* An operand below the modulus; every few of them are M - 1, M - 2, (M - 1) / 2. */
static void reduce(const struct pairs *p, uint32_t *value, unsigned kind) {
    uint32_t reduced[MAX_WORDS];
    if (kind == 0 || kind == 8 || kind == 9)
        memcpy(value, p->modulus, p->words * sizeof *value);
    if (kind == 0)
        value[0]--;
    for (size_t i = 0; i < p->words && kind == 8; i++)
        value[i] = value[i] >> 1 | (i + 1 < p->words ? value[i + 1] << 31 : 0);
    if (kind == 9)
        value[0] -= value[0] > 1 ? 2 : 1;
    assert_int_equal(fh_golden_big_mod(p->words, value, p->words, p->modulus, reduced),
                     FH_GOLDEN_OK);
    memcpy(value, reduced, p->words * sizeof *value);
}

/* Pair i has kind i % KINDS for a, and each kind in turn for b. */
static void fill_pairs(struct pairs *p) {
    for (size_t i = 0; i < p->count; i++) {
        unsigned kind_a = (unsigned)(i % KINDS),
                 kind_b = (unsigned)(p->seed + i + i / KINDS) % KINDS;
        hostile(p->a + i * p->words, p->words, kind_a, p->seed, 2 * i);
        hostile(p->b + i * p->words, p->words, kind_b, p->seed, 2 * i + 1);
        if (p->op == FH_BIGINT_MONTMUL) {
            reduce(p, p->a + i * p->words, kind_a);
            reduce(p, p->b + i * p->words, kind_b);
        }
    }
}

static void print_words(const char *name, const uint32_t *value, size_t words) {
    print_error("%s = 0x", name);
    for (size_t i = words; i-- > 0;)
        print_error("%08x", value[i]);
    print_error("\n");
}

static struct fh_bigint_params params_of(const struct pairs *p) {
    return (struct fh_bigint_params){.map = p->map,
                                     .op = p->op,
                                     .words = p->words,
                                     .count = p->count,
                                     .modulus = p->modulus,
                                     .options = programs_options()};
}

static void check(struct pairs *p, fhec_machine *machine) {
    struct fh_error error;
    struct fh_bigint_params params = params_of(p);
    size_t words = p->words, out_words = fh_bigint_out_words(&params);
    fhec_machine_clear_stats(machine);
    memset(p->out, 0xa5, sizeof p->out);
    if (fh_bigint_run(machine, &params, p->a, p->b, p->out, &error) != FHEC_OK)
        fail_msg("%s, %zu words: %s", p->map, words, error.text);
    assert_string_equal(error.text, "");
    for (size_t i = 0; i < p->count; i++) {
        uint32_t want[2 * MAX_WORDS];
        const uint32_t *a = p->a + i * words, *b = p->b + i * words;
        fh_golden_status status = p->op == FH_BIGINT_MUL
                                      ? fh_golden_big_mul(words, a, words, b, want)
                                      : fh_golden_big_montgomery(words, a, b, p->modulus, want);
        assert_int_equal(status, FH_GOLDEN_OK);
        if (memcmp(want, p->out + i * out_words, out_words * sizeof *want) == 0)
            continue;
        if (p->op == FH_BIGINT_MONTMUL)
            print_words("M", p->modulus, words);
        print_words("a", a, words);
        print_words("b", b, words);
        print_words("got", p->out + i * out_words, out_words);
        print_words("expected", want, out_words);
        fail_msg("%s on %s, %zu words, seed %llu, pair %zu of %zu",
                 p->op == FH_BIGINT_MUL ? "mul" : "montmul", p->map, words,
                 (unsigned long long)p->seed, i, p->count);
    }
    for (size_t i = p->count * out_words; i < COUNT_OF(p->out); i++)
        assert_int_equal(p->out[i], 0xa5a5a5a5);
}

static struct pairs *new_pairs(enum fh_bigint_op op, const char *map) {
    struct pairs *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->op = op;
    p->map = map;
    return p;
}

/* The maps that have the operation, one after another; NULL at the end. */
static const char *map_with(enum fh_workload workload, size_t *at) {
    const struct fh_map *map;
    while ((map = fh_map_get((*at)++)) != NULL)
        if (map->workloads & workload)
            return map->name;
    return NULL;
}

static void products(fhec_engine engine, size_t most, size_t step, size_t count) {
    const char *map;
    fhec_machine *machine = programs_machine(engine, 2);
    for (size_t at = 0; (map = map_with(FH_WORKLOAD_BIGMUL, &at)) != NULL;) {
        struct pairs *p = new_pairs(FH_BIGINT_MUL, map);
        for (p->words = 3; p->words <= most; p->words += step) {
            p->count = count;
            p->seed = p->words;
            fill_pairs(p);
            check(p, machine);
        }
        free(p);
    }
    fhec_machine_free(machine);
}

static void montgomery_products(fhec_engine engine, size_t most, size_t step, size_t count) {
    const char *map;
    const unsigned parts = SLOW_BUILD || getenv("FHEC_TEST_LONG") ? 4 : MODULI;
    fhec_machine *machine = programs_machine(engine, 2);
    for (size_t at = 0; (map = map_with(FH_WORKLOAD_MONTMUL, &at)) != NULL;) {
        struct pairs *p = new_pairs(FH_BIGINT_MONTMUL, map);
        for (p->words = 3; p->words <= most; p->words += step)
            for (unsigned kind = 0; kind < MODULI; kind++) {
                /* For long operands golden needs milliseconds a pair. */
                if (p->words > 12 && (kind + p->words) % parts)
                    continue;
                p->count = count;
                p->seed = p->words * MODULI + kind;
                choose_modulus(p, kind);
                fill_pairs(p);
                check(p, machine);
            }
        free(p);
    }
    fhec_machine_free(machine);
}

static void bigint_mul_all_sizes(void **state) {
    (void)state;
    products(FHEC_ENGINE_FAST, MAX_WORDS, SLOW_BUILD ? 5 : 1, KINDS * KINDS);
}

static void bigint_montmul_all_sizes(void **state) {
    (void)state;
    montgomery_products(FHEC_ENGINE_FAST, MAX_WORDS, SLOW_BUILD ? 7 : 1, 14);
}

static void bigint_on_the_reference_engine(void **state) {
    (void)state;
    products(FHEC_ENGINE_REF, 9, 1, 33);
    montgomery_products(FHEC_ENGINE_REF, 9, 1, 13);
}

/* One pair, a warp and its neighbours, a block and its neighbours, several blocks. */
static void bigint_numbers_of_pairs(void **state) {
    (void)state;
    static const size_t counts[] = {1, 31, 32, 33, 64, 127, 128, 129, 255, 256, 300};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 2);
    struct pairs *p = new_pairs(FH_BIGINT_MUL, "cuda32");
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        for (p->words = 3; p->words <= 10; p->words++) {
            p->op = (i + p->words) % 2 ? FH_BIGINT_MUL : FH_BIGINT_MONTMUL;
            p->count = counts[i];
            p->seed = i * 100 + p->words;
            choose_modulus(p, (unsigned)i % MODULI);
            fill_pairs(p);
            check(p, machine);
        }
    free(p);
    fhec_machine_free(machine);
}

/* The result over the operands. */
static void bigint_in_place(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    struct pairs *p = new_pairs(FH_BIGINT_MONTMUL, NULL);
    struct fh_error error;
    p->words = 5;
    p->count = 40;
    choose_modulus(p, 1);
    fill_pairs(p);
    check(p, machine);
    struct fh_bigint_params params = params_of(p);
    assert_int_equal(fh_bigint_run(machine, &params, p->a, p->b, p->b, &error), FHEC_OK);
    assert_memory_equal(p->b, p->out, p->words * p->count * sizeof *p->out);
    free(p);
    fhec_machine_free(machine);
}

/* Each product of words is one IMAD.WIDE, and there is little else: two additions a column, a carry
 * a row; in a Montgomery product q and two carries a row, and two additions a word at the end. */
static void bigint_counts(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    struct pairs *p = new_pairs(FH_BIGINT_MUL, "cuda32");
    p->count = 128;
    for (p->words = 3; p->words <= MAX_WORDS; p->words += p->words < 8 ? 1 : 8) {
        size_t words = p->words, warps = 4;
        p->op = FH_BIGINT_MUL;
        fill_pairs(p);
        check(p, machine);
        assert_int_equal(programs_count(machine, "IMAD.WIDE.U32"), warps * (words * words + 3));
        assert_true(programs_warp_insts(machine) <= warps * (words * words + 4 * words + 15));
        for (unsigned full = 0; full < 2; full++) {
            p->op = FH_BIGINT_MONTMUL;
            p->count = 128;
            p->seed = words;
            choose_modulus(p, full ? 1 : 3);
            memset(p->a, 0, sizeof p->a);
            memset(p->b, 0, sizeof p->b);
            struct fh_error error;
            struct fh_bigint_params params = params_of(p);
            fhec_machine_clear_stats(machine);
            assert_int_equal(fh_bigint_run(machine, &params, p->a, p->b, p->out, &error), FHEC_OK);
            assert_int_equal(programs_count(machine, "IMAD.WIDE.U32"),
                             warps * (2 * words * words + 3));
            assert_true(programs_warp_insts(machine) <=
                        warps * (2 * words * words + (6 + full) * words + 18));
        }
    }
    free(p);
    fhec_machine_free(machine);
}

/* MONTMUL reduces two operands, scales one and multiplies, in each channel. Channels by hand:
 * (64 words + 2) / (30 - ceil(log2 words)), rounded up. */
static void bigint_mont_counts(void **state) {
    (void)state;
    static const struct {
        size_t words, channels;
    } rows[] = {{3, 7}, {4, 10}, {8, 20}, {16, 40}, {32, 82}, {64, 171}};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    struct pairs *p = new_pairs(FH_BIGINT_MONTMUL, "mont");
    p->count = 7;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        p->words = rows[i].words;
        choose_modulus(p, 7);
        fill_pairs(p);
        check(p, machine);
        size_t channels = rows[i].channels, words = rows[i].words;
        assert_int_equal(programs_count(machine, "MONTMUL.U32"), 4 * channels);
        /* Both operands to residues, and all residues to words. */
        assert_in_range(programs_count(machine, "IMAD.WIDE.U32"), 3 * channels * words,
                        3 * channels * words + 3 * channels + 2 * words + 5);
    }
    free(p);
    fhec_machine_free(machine);
}

/* ---------------------------------------------------------------- bad parameters */

static void refused(const struct fh_bigint_params *params, const uint32_t *a, const uint32_t *b,
                    const char *words) {
    uint32_t out[32];
    struct fh_error error;
    fhec_stats stats;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    memset(out, 0x77, sizeof out);
    assert_int_equal(fh_bigint_run(machine, params, a, b, out, &error), FHEC_BAD_INPUT);
    if (!strstr(error.text, words))
        fail_msg("expected \"%s\" in: %s", words, error.text);
    assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
    assert_int_equal(stats.launches, 0);
    for (size_t i = 0; i < COUNT_OF(out); i++)
        assert_int_equal(out[i], 0x77777777);
    fhec_machine_free(machine);
}

static void bigint_bad_parameters(void **state) {
    (void)state;
    static const uint32_t good[3] = {7, 0, 9}, even[3] = {6, 1, 1}, one[3] = {1, 0, 0};
    static const uint32_t zero[3] = {0, 0, 0};
    static const struct {
        const char *map;
        unsigned op;
        size_t words, count;
        const uint32_t *modulus;
        const char *said;
    } cases[] = {
        {NULL, 0, 2, 1, NULL, "3 to 64 words, not 2"},
        {NULL, 0, 0, 1, NULL, "3 to 64 words, not 0"},
        {NULL, 1, 65, 1, good, "3 to 64 words, not 65"},
        {NULL, 0, SIZE_MAX, 1, NULL, "3 to 64 words"},
        {NULL, 0, 3, 0, NULL, "1 to 262144 pairs of operands, not 0"},
        {NULL, 1, 3, 262145, good, "not 262145"},
        {NULL, 2, 3, 1, good, "the operation must be mul or montmul"},
        {"fhec16", 0, 3, 1, NULL, "\"fhec16\" has no multi-word products; these have: cuda32"},
        {"gme32", 1, 3, 1, good, "\"gme32\" has no multi-word Montgomery products"},
        {"mont", 0, 3, 1, NULL, "\"mont\" has no multi-word products; these have: cuda32"},
        {"cuda", 1, 3, 1, good, "there is no map \"cuda\""},
        {NULL, 1, 3, 1, NULL, "needs a modulus"},
        {NULL, 1, 3, 1, even, "the modulus is even"},
        {NULL, 1, 3, 1, zero, "the modulus is even"},
        {NULL, 1, 3, 1, one, "the modulus is 1; it must be at least 3"},
    };
    uint32_t a[6] = {0}, b[6] = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_error error;
        struct fh_bigint_params params = {.map = cases[i].map,
                                          .op = (enum fh_bigint_op)cases[i].op,
                                          .words = cases[i].words,
                                          .count = cases[i].count,
                                          .modulus = cases[i].modulus};
        assert_int_equal(fh_bigint_check(&params, &error), FHEC_BAD_INPUT);
        assert_non_null(strstr(error.text, cases[i].said));
        refused(&params, a, b, cases[i].said);
    }
    struct fh_bigint_params params = {
        .op = FH_BIGINT_MONTMUL, .words = 3, .count = 2, .modulus = good};
    memcpy(b + 3, good, sizeof good);
    refused(&params, a, b, "b of pair 1 is not below the modulus; its highest word is 0x9");
    a[2] = 10;
    refused(&params, a, b, "a of pair 0 is not below the modulus");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bigint_mul_all_sizes),
        cmocka_unit_test(bigint_montmul_all_sizes),
        cmocka_unit_test(bigint_on_the_reference_engine),
        cmocka_unit_test(bigint_numbers_of_pairs),
        cmocka_unit_test(bigint_in_place),
        cmocka_unit_test(bigint_counts),
        cmocka_unit_test(bigint_mont_counts),
        cmocka_unit_test(bigint_bad_parameters),
    };
    return cmocka_run_group_tests_name("programs_bigint", tests, NULL, NULL);
}
