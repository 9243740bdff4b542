/*
 * Base conversion on Tensor Cores against golden: every shape of its tables and warps, moduli from
 * 3 to 2^32 - 1, words that are not reduced, both engines, and instruction counts.
 */
#include "programs_util.h"

enum { MOST = FH_GOLDEN_MAX_LIMBS };

/* One conversion: moduli, inputs as golden and as the kernel take them, and results. */
struct conversion {
    fh_golden_bases bases;
    uint64_t moduli[2 * MOST]; /* sources, then targets */
    size_t n;
    uint64_t *in, *want;
    uint32_t *narrow, *out;
};

static void begin(struct conversion *c, size_t n, size_t alpha, size_t target) {
    *c = (struct conversion){.n = n, .bases = {alpha, c->moduli, target, c->moduli + alpha}};
    c->in = calloc(alpha * n, sizeof *c->in);
    c->want = calloc(target * n, sizeof *c->want);
    c->out = calloc(target * n, sizeof *c->out);
    assert_non_null(c->in);
    assert_non_null(c->want);
    assert_non_null(c->out);
}

static void end(struct conversion *c) {
    free(c->in);
    free(c->want);
    free(c->out);
}

/* Sources and targets in turn from the largest primes below 2^bits, so that either side has larger
 * ones than the other. */
static void choose_primes(struct conversion *c, unsigned bits) {
    size_t count = c->bases.alpha + c->bases.target, sources = 0, targets = 0;
    uint64_t primes[2 * MOST];
    assert_int_equal(fh_golden_prime_chain(256, bits, count, primes), FH_GOLDEN_OK);
    for (size_t i = 0; i < count; i++)
        if ((i & 1 && targets < c->bases.target) || sources == c->bases.alpha)
            c->moduli[c->bases.alpha + targets++] = primes[i];
        else
            c->moduli[sources++] = primes[i];
}

enum pattern { RESIDUES, ALL_MAX, ONE_HOT, UNREDUCED, ONES, PATTERNS };

static void fill(struct conversion *c, enum pattern pattern, uint64_t seed) {
    size_t n = c->n, hot = (size_t)(fh_golden_random_word(seed, 99, 0) % (c->bases.alpha * n));
    for (size_t j = 0; j < c->bases.alpha; j++)
        for (size_t i = 0; i < n; i++) {
            uint64_t p = c->bases.from[j], word = fh_golden_random_word(seed, j, i) >> 32;
            uint64_t x = word % p;
            switch (pattern) {
            case ALL_MAX: x = p - 1; break;
            case ONE_HOT: x = j * n + i == hot ? p / 2 + 1 : 0; break;
            case UNREDUCED: x = word; break;
            case ONES: x = word % 5 ? UINT32_MAX : 0; break;
            default: break;
            }
            c->in[j * n + i] = x;
        }
}

static uint64_t imma_of(const struct conversion *c) {
    return c->n / 16 * ((c->bases.target + 7) / 8) * 4 * ((c->bases.alpha + 3) / 4);
}

/* Runs it, compares with golden's fast value, and counts. */
static void convert(struct conversion *c, fhec_machine *machine, const char *what) {
    const struct fh_bconv_params params = {.map = "imma",
                                           .n = c->n,
                                           .alpha = c->bases.alpha,
                                           .target = c->bases.target,
                                           .from = c->bases.from,
                                           .to = c->bases.to};
    size_t in_bytes = c->bases.alpha * c->n * sizeof(uint32_t);
    uint32_t *in = programs_narrow(c->in, c->bases.alpha * c->n);
    struct fh_error error;
    memset(c->out, 0xa5, c->bases.target * c->n * sizeof *c->out);
    fhec_machine_clear_stats(machine);
    fhec_status status = fh_bconv_run(machine, &params, in, in_bytes, c->out, &error);
    free(in);
    if (status != FHEC_OK)
        fail_msg("%s: N %zu, %zu -> %zu limbs: %s", what, c->n, c->bases.alpha, c->bases.target,
                 error.text);
    assert_int_equal(fh_golden_bconv_fast(&c->bases, c->n, c->in, c->want), FH_GOLDEN_OK);
    for (size_t i = 0; i < c->bases.target * c->n; i++)
        if (c->out[i] != c->want[i])
            fail_msg("%s: N %zu, %zu -> %zu limbs, first source %llu: coefficient %zu of target "
                     "%zu is %u, not %llu",
                     what, c->n, c->bases.alpha, c->bases.target, (unsigned long long)c->moduli[0],
                     i % c->n, i / c->n, c->out[i], (unsigned long long)c->want[i]);
    uint64_t got = programs_count(machine, "IMMA.16816.U8.U8");
    if (got != imma_of(c))
        fail_msg("%s: N %zu, %zu -> %zu limbs: %llu IMMA, not %llu", what, c->n, c->bases.alpha,
                 c->bases.target, (unsigned long long)got, (unsigned long long)imma_of(c));
}

/* ---------------------------------------------------------------- values */

/* Every number of steps' kind of warp (ALPHA up to 16, 48, 64), of sources in the last step, of
 * targets in the last group, and of tiles beside the full warps. */
static void shapes(void **state) {
    (void)state;
    static const size_t alphas[] = {1, 2, 3, 4, 5, 6, 8, 9, 13, 16, 17, 20, 33, 48, 49, 64};
    static const size_t targets[] = {1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 15, 27, 64};
    static const size_t sizes[] = {128, 16, 1008, 80, 32, 496, 112, 176, 256, 64, 240};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    unsigned round = 0;
    for (size_t a = 0; a < COUNT_OF(alphas); a++)
        for (size_t t = 0; t < COUNT_OF(targets); t++)
            for (unsigned k = 0; k < 2; k++, round++) {
                struct conversion c;
                char label[64];
                /* Full warps of eight tiles share the last group's columns: always tried. */
                size_t n = k ? sizes[round % COUNT_OF(sizes)] : 128;
                begin(&c, n, alphas[a], targets[t]);
                choose_primes(&c, 28 + round % 5);
                fill(&c, round % PATTERNS, round);
                snprintf(label, sizeof label, "pattern %u, seed %u, %u bits", round % PATTERNS,
                         round, 28 + round % 5);
                convert(&c, machine, label);
                end(&c);
            }
    fhec_machine_free(machine);
}

/* Moduli that are no primes, tiny, even below a byte, and as large as can be. */
static void extreme_moduli(void **state) {
    (void)state;
    static const struct {
        size_t alpha, target;
        uint64_t moduli[24];
    } rows[] = {
        {1, 1, {UINT32_MAX, UINT32_MAX - 2}},
        {1, 4, {3, 5, 3, 255, 257}},
        {4, 9, {3, 5, 7, 11, 3, 5, 9, 15, 65535, 65537, 0xffffffff, 0xfffffffd, 0x80000001}},
        {5, 3, {0xffffffff, 0xfffffffd, 0xfffffffb, 0xfffffff7, 11, 0xfffffff9, 0x7fffffff, 3}},
        {9, 11, {4294967291, 4294967279, 4294967231, 4294967197, 4294967189, 4294967161, 4294967143,
                 4294967111, 4294967087, 4294967295, 4294967293, 3,          4294967289, 2147483649,
                 2147483647, 4294967287, 5,          65537,      4294967285, 16777217}},
    };
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        for (unsigned p = 0; p < PATTERNS; p++)
            for (unsigned k = 0; k < 2; k++) {
                struct conversion c;
                char label[64];
                begin(&c, k ? 128 : 80, rows[r].alpha, rows[r].target);
                memcpy(c.moduli, rows[r].moduli, sizeof rows[r].moduli);
                fill(&c, p, r);
                snprintf(label, sizeof label, "row %zu, pattern %u", r, p);
                convert(&c, machine, label);
                end(&c);
            }
    fhec_machine_free(machine);
}

/* The longest sums: 64 sources and targets just below 2^32, all of whose bytes are large. */
static void largest_sums(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (unsigned p = 0; p < PATTERNS; p++) {
        struct conversion c;
        begin(&c, 64, MOST, MOST);
        choose_primes(&c, 32);
        fill(&c, p, 64);
        convert(&c, machine, "64 to 64");
        end(&c);
    }
    fhec_machine_free(machine);
}

/* Limbs of 4 MiB: addresses beyond what an offset reaches. */
static void longest_limbs(void **state) {
    (void)state;
    static const size_t shapes[][2] = {{5, 3}, {6, 9}, {1, 10}};
    size_t n = SLOW_BUILD ? FH_BCONV_MAX_N / 4 : FH_BCONV_MAX_N;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (size_t i = 0; i < (SLOW_BUILD ? 1 : COUNT_OF(shapes)); i++) {
        struct conversion c;
        begin(&c, n - 16 * i, shapes[i][0], shapes[i][1]);
        choose_primes(&c, 31);
        fill(&c, UNREDUCED, i);
        convert(&c, machine, "long limbs");
        end(&c);
    }
    fhec_machine_free(machine);
}

static void reference_engine_agrees(void **state) {
    (void)state;
    static const size_t shapes[][3] = {{128, 9, 27}, {144, 5, 2}, {112, 17, 3}, {48, 64, 9}};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_REF, 0);
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct conversion c;
        begin(&c, shapes[i][0], shapes[i][1], shapes[i][2]);
        choose_primes(&c, 32);
        fill(&c, UNREDUCED, i);
        convert(&c, machine, "reference engine");
        end(&c);
    }
    fhec_machine_free(machine);
}

/* ---------------------------------------------------------------- counts */

/* 9 -> 27 limbs of 65536: three steps of four planes for each of 4096 tiles and 4 groups. */
static void counts_of_65536(void **state) {
    (void)state;
    struct conversion c;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    begin(&c, 65536, 9, 27);
    choose_primes(&c, 30);
    fill(&c, RESIDUES, 1);
    convert(&c, machine, "9 to 27");
    assert_int_equal(programs_count(machine, "IMMA"), 196608);
    uint64_t all = programs_warp_insts(machine);
    print_message("# imma, 9 -> 27 limbs, N 2^16: %llu warp instructions\n",
                  (unsigned long long)all);
    assert_true(all <= 690000);
    end(&c);
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(extreme_moduli),
        cmocka_unit_test(largest_sums),
        cmocka_unit_test(longest_limbs),
        cmocka_unit_test(reference_engine_agrees),
        cmocka_unit_test(counts_of_65536),
    };
    return cmocka_run_group_tests_name("programs_imma_bconv", tests, NULL, NULL);
}
