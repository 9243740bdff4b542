/*
 * programs_bconv_test.c - base conversion on the emulator against golden: values for every shape of
 * the tables, edge inputs, moduli that are no primes, instruction counts, and bad parameters.
 */
#include "golden_util.h"
#include "programs.h"

enum { MOST = FH_GOLDEN_MAX_LIMBS, PATTERNS = 5 };

/* One conversion: moduli, inputs as golden and as the kernel take them, and results. */
struct conversion {
    fh_golden_bases bases;
    uint64_t moduli[2 * MOST]; /* sources, then targets */
    size_t n;
    uint64_t *in, *want;
    uint32_t *in32, *out;
};

static fhec_machine *new_machine(fhec_engine engine, unsigned threads) {
    fhec_machine *machine;
    fhec_machine_options options = {.engine = engine, .threads = threads};
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
    fhec_machine_count(machine, true);
    return machine;
}

static void begin(struct conversion *c, size_t n, size_t alpha, size_t target) {
    c->n = n;
    c->bases = (fh_golden_bases){alpha, c->moduli, target, c->moduli + alpha};
    c->in = make_array(alpha * n);
    c->want = make_array(target * n);
    c->in32 = calloc(alpha * n, sizeof *c->in32);
    c->out = calloc(target * n, sizeof *c->out);
    assert_non_null(c->in32);
    assert_non_null(c->out);
}

static void end(struct conversion *c) {
    free(c->in);
    free(c->want);
    free(c->in32);
    free(c->out);
}

/* Every function call's parameters but the machine and the data. */
static struct fh_bconv_params params_of(const struct conversion *c) {
    return (struct fh_bconv_params){.n = c->n,
                                    .alpha = c->bases.alpha,
                                    .target = c->bases.target,
                                    .from = c->bases.from,
                                    .to = c->bases.to};
}

/* 0: residues, 1: p - 1, 2: one residue of p / 2 + 1 and zeros, 3: words that are not reduced,
 * 4: zeros with the largest word here and there. */
static void fill(struct conversion *c, unsigned pattern, uint64_t seed) {
    size_t n = c->n, hot = (size_t)(fh_golden_random_word(seed, 99, 0) % (c->bases.alpha * n));
    for (size_t j = 0; j < c->bases.alpha; j++)
        for (size_t i = 0; i < n; i++) {
            uint64_t p = c->bases.from[j], word = fh_golden_random_word(seed, j, i) >> 32;
            uint64_t x = word % p;
            switch (pattern) {
            case 1: x = p - 1; break;
            case 2: x = j * n + i == hot ? p / 2 + 1 : 0; break;
            case 3: x = word; break;
            case 4: x = word % 3 ? 0 : UINT32_MAX; break;
            default: break;
            }
            c->in[j * n + i] = x;
            c->in32[j * n + i] = (uint32_t)x;
        }
}

static uint64_t count_of(fhec_machine *machine, const char *mnemonic) {
    fhec_stats stats;
    assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
    for (size_t i = 0; i < stats.count_count; i++)
        if (strcmp(stats.counts[i].mnemonic, mnemonic) == 0)
            return stats.counts[i].warp;
    return 0;
}

/* Runs it and compares with golden's fast value. */
static void convert(struct conversion *c, fhec_machine *machine, const char *what) {
    struct fh_bconv_params params = params_of(c);
    struct fh_error error;
    memset(c->out, 0xa5, c->bases.target * c->n * sizeof *c->out);
    fhec_machine_clear_stats(machine);
    fhec_status status = fh_bconv_run(machine, &params, c->in32,
                                      c->bases.alpha * c->n * sizeof *c->in32, c->out, &error);
    if (status != FHEC_OK)
        fail_msg("%s: N %zu, %zu -> %zu limbs: %s", what, c->n, c->bases.alpha, c->bases.target,
                 error.text);
    assert_string_equal(error.text, "");
    require_ok("reference", fh_golden_bconv_fast(&c->bases, c->n, c->in, c->want));
    for (size_t i = 0; i < c->bases.target * c->n; i++)
        if (c->out[i] != c->want[i])
            fail_msg("%s: N %zu, %zu -> %zu limbs, first source %llu: coefficient %zu of target "
                     "%zu is %u, expected %llu",
                     what, c->n, c->bases.alpha, c->bases.target, (unsigned long long)c->moduli[0],
                     i % c->n, i / c->n, c->out[i], (unsigned long long)c->want[i]);
}

static void require_fhec_count(const struct conversion *c, fhec_machine *machine) {
    uint64_t want = (c->n / 16) * ((c->bases.target + 7) / 8) * ((c->bases.alpha + 15) / 16);
    uint64_t got = count_of(machine, "FHEC.16816.U32.U32.MIX");
    if (got != want)
        fail_msg("N %zu, %zu -> %zu limbs: %llu FHEC instructions, expected %llu", c->n,
                 c->bases.alpha, c->bases.target, (unsigned long long)got,
                 (unsigned long long)want);
}

/* The kernel's own result is the exact value plus u P, 0 <= u < alpha. */
static void require_bounded(const struct conversion *c) {
    uint64_t *out = make_array(c->bases.target * c->n);
    size_t bad = 0;
    for (size_t i = 0; i < c->bases.target * c->n; i++)
        out[i] = c->out[i];
    fh_golden_status status = fh_golden_bconv_check(&c->bases, c->n, c->in, out, &bad);
    if (status != FH_GOLDEN_OK)
        fail_msg("N %zu, %zu -> %zu limbs, coefficient %zu: %s", c->n, c->bases.alpha,
                 c->bases.target, bad, fh_golden_status_text(status));
    free(out);
}

/* ---------------------------------------------------------------- values */

static void bconv_equals_golden(void **state) {
    (void)state;
    static const size_t alphas[] = {1, 2, 3, 4, 5, 6, 8, 9, 16, 17, 33, 64};
    static const size_t targets[] = {1, 2, 7, 8, 9, 27, 64};
    /* Every kind of rest: warps of 64, of 32 and of 16 coefficients. */
    static const size_t sizes[] = {16, 48, 80, 32, 112, 176, 64, 208, 304, 336};
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST, 1);
    unsigned round = 0;
    for (size_t a = 0; a < COUNT_OF(alphas); a++)
        for (size_t t = 0; t < COUNT_OF(targets); t++, round++) {
            struct conversion c;
            begin(&c, sizes[round % COUNT_OF(sizes)], alphas[a], targets[t]);
            require_ok("moduli", fh_golden_prime_chain(256, 28 + round % 5, alphas[a] + targets[t],
                                                       c.moduli));
            fill(&c, 0, round);
            convert(&c, machine, "random");
            require_fhec_count(&c, machine);
            require_bounded(&c);
            fill(&c, 1 + round % (PATTERNS - 1), round);
            convert(&c, machine, "pattern");
            end(&c);
        }
    fhec_machine_free(machine);
}

static void bconv_edge_inputs(void **state) {
    (void)state;
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST, 1);
    for (unsigned bits = 28; bits <= 32; bits++)
        for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
            struct conversion c;
            begin(&c, 240, 9, 27);
            require_ok("moduli", fh_golden_prime_chain(4096, bits, 36, c.moduli));
            fill(&c, pattern, bits);
            convert(&c, machine, "edge");
            end(&c);
        }
    fhec_machine_free(machine);
}

/* A one in one place at a time: each (source, coefficient) leads to [Phat_j]_{q_i} y_j alone. */
static void bconv_one_hot(void **state) {
    (void)state;
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST, 1);
    struct conversion c;
    begin(&c, 112, 9, 9);
    require_ok("moduli", fh_golden_prime_chain(256, 32, 18, c.moduli));
    for (size_t hot = 0; hot < 9 * 112; hot += 11) {
        memset(c.in, 0, 9 * c.n * sizeof *c.in);
        memset(c.in32, 0, 9 * c.n * sizeof *c.in32);
        c.in[hot] = c.in32[hot] = 0x12345677;
        convert(&c, machine, "one-hot");
    }
    end(&c);
    fhec_machine_free(machine);
}

/* Coprime is all that the sources have to be; targets may divide or equal sources. */
static void bconv_composite_moduli(void **state) {
    (void)state;
    static const uint64_t from[] = {4294967295, 4294967293, 2147483647, 49, 11, 13 * 13 * 13};
    static const uint64_t to[] = {3,          5,          7,       9,  4294967295, 4294967293,
                                  2147483649, 2147483647, 1048575, 15, 11,         4294967291};
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST, 1);
    for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
        struct conversion c;
        begin(&c, 144, COUNT_OF(from), COUNT_OF(to));
        memcpy(c.moduli, from, sizeof from);
        memcpy(c.moduli + COUNT_OF(from), to, sizeof to);
        fill(&c, pattern, 5);
        convert(&c, machine, "composite");
        require_bounded(&c);
        end(&c);
    }
    fhec_machine_free(machine);
}

static void bconv_pinned_hashes(void **state) {
    (void)state;
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST, 0);
    unsigned rows = 0;
    for (size_t r = 0; r < fh_golden_pinned_count(); r++) {
        const fh_golden_pinned *row = fh_golden_pinned_row(r);
        struct conversion c;
        char hex[FH_GOLDEN_HASH_CHARS];
        size_t n = (size_t)1 << row->log2_n;
        if (row->workload != FH_GOLDEN_BCONV || row->bits > 32)
            continue;
        begin(&c, n, row->limbs, row->target);
        require_ok("moduli",
                   fh_golden_prime_chain(n, row->bits, row->limbs + row->target, c.moduli));
        require_ok("input", fh_golden_generate_limbs(FH_GOLDEN_RANDOM, row->seed, row->limbs,
                                                     c.moduli, n, c.in));
        for (size_t i = 0; i < row->limbs * n; i++)
            c.in32[i] = (uint32_t)c.in[i];
        struct fh_bconv_params params = params_of(&c);
        struct fh_error error;
        fhec_machine_clear_stats(machine);
        assert_int_equal(fh_bconv_run(machine, &params, c.in32, row->limbs * n * 4, c.out, &error),
                         FHEC_OK);
        fh_golden_hash_bytes(c.out, row->target * n * sizeof *c.out, hex);
        if (strcmp(hex, row->hash) != 0)
            fail_msg("pinned row %zu, N %zu, %u -> %u limbs: hash %s, expected %s", r, n,
                     row->limbs, row->target, hex, row->hash);
        require_fhec_count(&c, machine);
        if (n == 65536 && row->limbs == 9 && row->target == 27)
            assert_int_equal(count_of(machine, "FHEC.16816.U32.U32.MIX"), 16384);
        end(&c);
        rows++;
    }
    assert_true(rows >= 10);
    fhec_machine_free(machine);
}

/* Addresses that are too far apart for one instruction's offset. */
static void bconv_far_apart(void **state) {
    (void)state;
    static const struct {
        size_t n, alpha, target;
    } cases[] = {{262128, 2, 10}, {262144, 5, 9}, {FH_BCONV_MAX_N, 3, 1}};
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct conversion c;
        begin(&c, cases[i].n, cases[i].alpha, cases[i].target);
        require_ok("moduli",
                   fh_golden_prime_chain(65536, 32, cases[i].alpha + cases[i].target, c.moduli));
        fill(&c, 0, i);
        convert(&c, machine, "far");
        require_fhec_count(&c, machine);
        end(&c);
    }
    fhec_machine_free(machine);
}

/* ---------------------------------------------------------------- engines, threads, limits */

static void bconv_on_the_reference_engine(void **state) {
    (void)state;
    fhec_machine *ref = new_machine(FHEC_ENGINE_REF, 1);
    fhec_machine *fast = new_machine(FHEC_ENGINE_FAST, 3);
    static const size_t shapes[][3] = {{112, 9, 27}, {80, 17, 9}, {48, 3, 8}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct conversion c;
        fhec_stats a, b;
        begin(&c, shapes[i][0], shapes[i][1], shapes[i][2]);
        require_ok("moduli", fh_golden_prime_chain(256, 32, shapes[i][1] + shapes[i][2], c.moduli));
        fill(&c, 3, i);
        convert(&c, ref, "reference engine");
        convert(&c, fast, "fast engine, 3 threads");
        assert_int_equal(fhec_machine_stats(ref, &a), FHEC_OK);
        assert_int_equal(fhec_machine_stats(fast, &b), FHEC_OK);
        assert_int_equal(a.warp_insts, b.warp_insts);
        assert_int_equal(a.thread_insts, b.thread_insts);
        assert_int_equal(a.launches, 1);
        end(&c);
    }
    fhec_machine_free(ref);
    fhec_machine_free(fast);
}

static void bconv_step_limit(void **state) {
    (void)state;
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST, 1);
    struct conversion c;
    struct fh_error error;
    begin(&c, 64, 9, 8);
    require_ok("moduli", fh_golden_prime_chain(256, 30, 17, c.moduli));
    fill(&c, 0, 1);
    memset(c.out, 0x5a, 8 * c.n * sizeof *c.out);
    struct fh_bconv_params params = params_of(&c);
    params.options.max_steps = 50;
    assert_int_equal(fh_bconv_run(machine, &params, c.in32, 9 * c.n * 4, c.out, &error),
                     FHEC_GUEST_FAULT);
    assert_non_null(strstr(error.text, "kernel bconv"));
    assert_int_equal(fhec_machine_fault(machine)->kind, FHEC_FAULT_STEP_LIMIT);
    for (size_t i = 0; i < 8 * c.n; i++)
        assert_int_equal(c.out[i], 0x5a5a5a5a);
    convert(&c, machine, "after a fault");
    end(&c);
    fhec_machine_free(machine);
}

/* ---------------------------------------------------------------- bad parameters */

static const uint64_t good_from[] = {97, 101, 103, 107}, good_to[] = {109, 113, 127};

static struct fh_bconv_params good_params(void) {
    return (struct fh_bconv_params){
        .n = 32, .alpha = 4, .target = 3, .from = good_from, .to = good_to};
}

/* Refused by both functions with these words, and nothing has run. */
static void refused(fhec_machine *machine, const struct fh_bconv_params *params, size_t bytes,
                    const char *words) {
    uint32_t in[4 * 32] = {0}, out[3 * 32];
    struct fh_error error;
    fhec_stats stats;
    memset(out, 0x77, sizeof out);
    if (bytes == sizeof in) {
        assert_int_equal(fh_bconv_check(params, &error), FHEC_BAD_INPUT);
        if (!strstr(error.text, words))
            fail_msg("expected \"%s\" in: %s", words, error.text);
    }
    assert_int_equal(fh_bconv_run(machine, params, in, bytes, out, &error), FHEC_BAD_INPUT);
    if (!strstr(error.text, words))
        fail_msg("expected \"%s\" in: %s", words, error.text);
    assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
    assert_int_equal(stats.launches, 0);
    for (size_t i = 0; i < COUNT_OF(out); i++)
        assert_int_equal(out[i], 0x77777777);
}

static void bconv_bad_shapes(void **state) {
    (void)state;
    static const struct {
        const char *map;
        size_t n, alpha, target, bytes;
        const char *words;
    } cases[] = {
        {"fhec", 0, 4, 3, 512, "N must be a multiple of 16 from 16 to 1048576, not 0"},
        {"fhec", 8, 4, 3, 512, "not 8"},
        {"fhec", 40, 4, 3, 512, "not 40"},
        {"fhec", FH_BCONV_MAX_N + 16, 4, 3, 512, "not 1048592"},
        {"fhec", 32, 0, 3, 512, "1 to 64 source moduli, not 0"},
        {"fhec", 32, 65, 3, 512, "1 to 64 source moduli, not 65"},
        {"fhec", 32, 4, 0, 512, "1 to 64 target moduli, not 0"},
        {"fhec", 32, 4, 65, 512, "1 to 64 target moduli, not 65"},
        {"nothing", 32, 4, 3, 512, "no map \"nothing\"; for base conversion there are: fhec"},
        {"fhec16", 32, 4, 3, 512, "\"fhec16\" has no base conversion"},
        {"fhec", 32, 4, 3, 511, "must have 512 bytes (4 limbs of 32 elements of 4 bytes), not 511"},
        {"fhec", 32, 4, 3, 0, "not 0"},
    };
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST, 1);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_bconv_params params = good_params();
        params.map = cases[i].map;
        params.n = cases[i].n;
        params.alpha = cases[i].alpha;
        params.target = cases[i].target;
        refused(machine, &params, cases[i].bytes, cases[i].words);
    }
    struct fh_bconv_params params = good_params();
    params.from = NULL;
    refused(machine, &params, 512, "source moduli");
    params = good_params();
    params.to = NULL;
    refused(machine, &params, 512, "target moduli");
    fhec_machine_free(machine);
}

static void bconv_bad_moduli(void **state) {
    (void)state;
    static const struct {
        bool source;
        size_t index;
        uint64_t modulus;
        const char *words;
    } cases[] = {
        {true, 0, 0, "source modulus 0 is 0; it must be at least 3"},
        {true, 1, 1, "source modulus 1 is 1; it must be at least 3"},
        {true, 2, 2, "source modulus 2 is 2; it must be at least 3"},
        {true, 3, 4294967296, "source modulus 3 is 4294967296; it must be at least 3 and below"},
        {true, 3, 4294967295 * 4294967297ULL, "below 2^32"},
        {true, 2, 100, "source modulus 2 is 100; it must be odd"},
        {true, 3, 97, "source moduli 0 and 3 are both 97; they must be distinct"},
        {true, 2, 101 * 3, "source moduli 1 and 2, 101 and 303, have the common factor 101"},
        {false, 0, 0, "target modulus 0 is 0"},
        {false, 1, 1, "target modulus 1 is 1"},
        {false, 2, 4294967297, "target modulus 2 is 4294967297"},
        {false, 1, 4294967294, "target modulus 1 is 4294967294; it must be odd"},
        {false, 2, 113, "target moduli 1 and 2 are both 113"},
    };
    fhec_machine *machine = new_machine(FHEC_ENGINE_FAST, 1);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint64_t from[4], to[3];
        struct fh_bconv_params params = good_params();
        memcpy(from, good_from, sizeof from);
        memcpy(to, good_to, sizeof to);
        params.from = from;
        params.to = to;
        if (cases[i].source)
            from[cases[i].index] = cases[i].modulus;
        else
            to[cases[i].index] = cases[i].modulus;
        refused(machine, &params, 512, cases[i].words);
    }
    struct fh_bconv_params params = good_params();
    struct fh_error error;
    assert_int_equal(fh_bconv_check(&params, &error), FHEC_OK);
    assert_string_equal(error.text, "");
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bconv_equals_golden),
        cmocka_unit_test(bconv_edge_inputs),
        cmocka_unit_test(bconv_one_hot),
        cmocka_unit_test(bconv_composite_moduli),
        cmocka_unit_test(bconv_pinned_hashes),
        cmocka_unit_test(bconv_far_apart),
        cmocka_unit_test(bconv_on_the_reference_engine),
        cmocka_unit_test(bconv_step_limit),
        cmocka_unit_test(bconv_bad_shapes),
        cmocka_unit_test(bconv_bad_moduli),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
