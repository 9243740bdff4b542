/*
 * Base conversion on every map against the reference: every kind of shape, moduli from 3 to the
 * largest, primes and others, words that are not reduced. programs_bconv_long_test.c has the long
 * ones, engines, pinned hashes and counts.
 */
#include "programs_convert.h"

/* What the reference says is bounded: the exact value plus u P, 0 <= u < alpha. */
static void require_bounded(const struct programs_conversion *c) {
    size_t bad = 0;
    fh_golden_status status = fh_golden_bconv_check(&c->bases, c->n, c->in, c->want, &bad);
    if (status != FH_GOLDEN_OK)
        fail_msg("N %zu, %zu -> %zu limbs, coefficient %zu: %s", c->n, c->bases.alpha,
                 c->bases.target, bad, fh_golden_status_text(status));
}

/* Every number of registers of a thread, of sources in the last step, of targets in the last group;
 * every kind of rest: warps of 64, of 32 and of 16 coefficients, threads that have none. But for
 * long runs half of the pairs of them, every one in some. */
static void check_shapes(unsigned word_bits) {
    const size_t parts = SLOW_BUILD ? 3 : getenv("FHEC_TEST_LONG") ? 1 : 2;
    static const size_t alphas[] = {1, 2, 3, 4, 5, 8, 9, 13, 16, 17, 24, 25, 33, 48, 49, 64};
    static const size_t targets[] = {1, 2, 3, 5, 8, 9, 10, 12, 27, 64};
    static const size_t sizes[] = {16, 128, 48, 1008, 80, 32, 496, 112, 176, 256, 64, 208, 336};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    unsigned round = 0;
    for (size_t a = 0; a < COUNT_OF(alphas); a++)
        for (size_t t = 0; t < COUNT_OF(targets); t++, round++) {
            struct programs_conversion c;
            char label[64];
            if (alphas[a] * targets[t] > 600 && round % (SLOW_BUILD ? 8 : 3))
                continue;
            if ((a + t + word_bits / 32) % parts)
                continue;
            programs_begin_conversion(&c, word_bits, sizes[round % COUNT_OF(sizes)], alphas[a],
                                      targets[t]);
            programs_choose_primes(&c, round);
            programs_fill_conversion(&c, round % PATTERNS, round);
            snprintf(label, sizeof label, "pattern %u, seed %u", round % PATTERNS, round);
            programs_convert_all(&c, machine, label);
            if (round % 4 == 0)
                require_bounded(&c);
            programs_end_conversion(&c);
        }
    fhec_machine_free(machine);
}

static void shapes_of_32_bits(void **state) {
    (void)state;
    check_shapes(32);
}

static void shapes_of_64_bits(void **state) {
    (void)state;
    check_shapes(64);
}

/* The paper's shape with every size of primes and every pattern. */
static void edge_inputs(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (unsigned word_bits = 32; word_bits <= 64; word_bits += 32)
        for (unsigned round = 0; round < 8; round++)
            for (unsigned pattern = 0; pattern < PATTERNS; pattern++) {
                struct programs_conversion c;
                if (pattern % 2 == round % 2 || (SLOW_BUILD && pattern % 4))
                    continue;
                programs_begin_conversion(&c, word_bits, 240, 9, 27);
                programs_choose_primes(&c, round);
                programs_fill_conversion(&c, pattern, round);
                programs_convert_all(&c, machine, "edge");
                programs_end_conversion(&c);
            }
    fhec_machine_free(machine);
}

/* A one in one place at a time: each (source, coefficient) leads to [Phat_j]_{q_i} y_j alone. */
static void one_hot(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (unsigned word_bits = 32; word_bits <= 64; word_bits += 32) {
        struct programs_conversion c;
        programs_begin_conversion(&c, word_bits, 112, 9, 9);
        programs_choose_primes(&c, 0);
        for (size_t hot = word_bits / 32; hot < 9 * 112; hot += SLOW_BUILD ? 101 : 37) {
            memset(c.in, 0, 9 * c.n * sizeof *c.in);
            c.in[hot] = word_bits == 64 ? UINT64_C(0x123456789abcdef) : 0x12345677;
            assert_int_equal(fh_golden_bconv_fast(&c.bases, c.n, c.in, c.want), FH_GOLDEN_OK);
            programs_convert_all(&c, machine, "one-hot");
        }
        programs_end_conversion(&c);
    }
    fhec_machine_free(machine);
}

/* Moduli that are no primes, tiny, even below a byte, and as large as can be. Coprime is all that
 * the sources have to be; targets may divide or equal them. */
static void extreme_moduli(void **state) {
    (void)state;
    enum { LARGE = 3 }; /* from this row on for 64-bit words only */
    const uint64_t top = UINT64_C(1) << 60;
    const struct {
        size_t alpha, target;
        uint64_t moduli[24];
    } rows[] = {
        {1, 4, {3, 5, 3, 255, 257}},
        {4, 9, {3, 5, 7, 11, 3, 5, 9, 15, 65535, 65537, 0xffffffff, 0xfffffffd, 0x80000001}},
        {9, 11, {4294967291, 4294967279, 4294967231, 4294967197, 4294967189, 4294967161, 4294967143,
                 4294967111, 4294967087, 4294967295, 4294967293, 3,          4294967289, 2147483649,
                 2147483647, 4294967287, 5,          65537,      4294967285, 16777217}},
        {1, 1, {top - 1, top - 3}},
        {1, 3, {3, top - 1, 5, top / 2 + 1}},
        {5,
         8,
         {top - 1, top - 3, top - 5, 17, 23, top - 1, top - 7, 3, top / 2 - 1, 4294967297,
          4294967295, 17, 1099511627775}},
    };
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (unsigned word_bits = 32; word_bits <= 64; word_bits += 32)
        for (size_t r = 0; r < (word_bits == 64 ? COUNT_OF(rows) : (size_t)LARGE); r++)
            for (unsigned p = 0; p < PATTERNS; p++)
                for (unsigned k = 0; k < 2; k++) {
                    struct programs_conversion c;
                    char label[64];
                    programs_begin_conversion(&c, word_bits, k ? 128 : 80, rows[r].alpha,
                                              rows[r].target);
                    memcpy(c.moduli, rows[r].moduli, sizeof rows[r].moduli);
                    programs_fill_conversion(&c, p, r);
                    snprintf(label, sizeof label, "row %zu, pattern %u", r, p);
                    programs_convert_all(&c, machine, label);
                    programs_end_conversion(&c);
                }
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_of_32_bits), cmocka_unit_test(shapes_of_64_bits),
        cmocka_unit_test(edge_inputs),       cmocka_unit_test(one_hot),
        cmocka_unit_test(extreme_moduli),
    };
    return cmocka_run_group_tests_name("programs_bconv", tests, NULL, NULL);
}
