/*
 * The transforms of every map against the reference: every size, direction and order; moduli from
 * the smallest possible to the largest that the map takes, several in a launch; inputs at the
 * edges, reduced and not. programs_ntt_edge_test.c has engines, roots, pinned and outside results.
 */
#include "programs_util.h"

/* A modulus: the index-th largest prime of so many bits, or the index-th smallest of all. */
struct modulus {
    unsigned bits;
    size_t index;
};

enum { SETS = 6, LIMBS = 3, SMALLEST = 0 };

/* Limbs of a launch. What is lazy or shifted depends on the largest and the smallest of them. */
static const struct modulus sets_32[SETS][LIMBS] = {
    {{28, 0}, {28, 2}, {28, 1}},       {{30, 0}, {28, 1}, {29, 0}},
    {{31, 0}, {30, 1}, {28, 0}},       {{32, 1}, {31, 1}, {32, 7}},
    {{32, 0}, {SMALLEST, 0}, {32, 2}}, {{SMALLEST, 1}, {27, 0}, {SMALLEST, 0}},
};
static const struct modulus sets_64[SETS][LIMBS] = {
    {{33, 0}, {32, 0}, {31, 0}},       {{45, 0}, {41, 1}, {40, 0}},
    {{59, 0}, {45, 1}, {59, 1}},       {{60, 0}, {60, 1}, {50, 0}},
    {{60, 0}, {SMALLEST, 0}, {39, 1}}, {{30, 0}, {28, 0}, {SMALLEST, 0}},
};

static uint64_t modulus_of(size_t n, const struct modulus *modulus) {
    if (modulus->bits != SMALLEST)
        return programs_prime(n, modulus->bits, modulus->index);
    uint64_t q = 2 * n + 1;
    for (size_t found = 0;; q += 2 * n)
        if (fh_golden_is_prime(q) && found++ == modulus->index)
            return q;
}

struct shape {
    unsigned log2_n, form, set; /* form: 1 inverse, 2 natural order */
    bool reduced;
    unsigned word_bits;
};

static uint64_t seed_of(const struct shape *s) {
    return 1000 * s->log2_n + 100 * s->set + 10 * s->form + s->reduced;
}

/* Which kind of input meets which modulus changes from shape to shape. */
static void fill_limb(const struct shape *s, size_t limb, uint64_t q, uint64_t *in) {
    static const fh_golden_pattern patterns[] = {FH_GOLDEN_RANDOM, FH_GOLDEN_ALL_MAX,
                                                 FH_GOLDEN_ALTERNATING, FH_GOLDEN_ONE_HOT,
                                                 FH_GOLDEN_RAMP};
    size_t n = (size_t)1 << s->log2_n, turn = limb + s->set + s->form + s->log2_n;
    uint64_t seed = seed_of(s), ones = s->word_bits == 64 ? UINT64_MAX : UINT32_MAX;
    if (s->reduced) {
        programs_fill(patterns[turn % COUNT_OF(patterns)], seed, limb, q, n, in);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t word = fh_golden_random_word(seed, limb, i) & ones;
        switch (turn % 3) {
        case 0: in[i] = ones; break;
        case 1: in[i] = word; break;
        default: in[i] = word % 3 ? word % 5 * q - 1 : ones - word % 4; break;
        }
        in[i] &= ones;
    }
}

/* But for the smallest size, long runs and sanitizers, which have fewer shapes, a map gets half of
 * them, the next map the others. */
static bool is_of_map(const struct shape *s, size_t map) {
    return s->log2_n == FH_NTT_MIN_LOG2 || SLOW_BUILD || getenv("FHEC_TEST_LONG") ||
           (s->set / 2 + s->form + s->log2_n + map) % 2 == 0;
}

/* One launch of each map with such words; the reference is calculated once. */
static void check_shape(fhec_machine *machine, const struct shape *s) {
    size_t n = (size_t)1 << s->log2_n, limbs = s->log2_n > 14 ? 2 : LIMBS, count = limbs * n;
    uint64_t q[LIMBS], *in = malloc(count * sizeof *in), *want = malloc(count * sizeof *want);
    struct fh_ntt_params params = {.n = n,
                                   .limbs = limbs,
                                   .q = q,
                                   .inverse = s->form & 1,
                                   .order = s->form & 2 ? FH_GOLDEN_NATURAL : FH_GOLDEN_BITREV};
    const struct fh_map *map;
    char label[64];
    assert_non_null(in);
    assert_non_null(want);
    for (size_t limb = 0; limb < limbs; limb++) {
        q[limb] = modulus_of(n, (s->word_bits == 64 ? sets_64 : sets_32)[s->set] + limb);
        fill_limb(s, limb, q[limb], in + limb * n);
    }
    assert_int_equal(fh_golden_ntt_limbs(params.inverse, params.order, n, limbs, q, NULL, in, want),
                     FH_GOLDEN_OK);
    snprintf(label, sizeof label, "set %u, seed %llu", s->set, (unsigned long long)seed_of(s));
    for (size_t i = 0; (map = programs_map(FH_WORKLOAD_NTT, i)) != NULL; i++) {
        params.map = map->name;
        if (map->word_bits == s->word_bits && is_of_map(s, i))
            programs_expect_ntt(machine, &params, in, want, label);
    }
    free(in);
    free(want);
}

/* The smallest transforms meet every set in every form with both kinds of input. In others the
 * kinds take turns, in large ones also the sets, so that each size still meets every set. With a
 * sanitizer only the smallest meet every set, and large ones have one form each. */
static bool wanted(const struct shape *s) {
    unsigned turn = s->set + s->form + s->log2_n;
    if (s->log2_n == FH_NTT_MIN_LOG2)
        return !SLOW_BUILD || turn % 2 == s->reduced;
    if (s->log2_n <= 12 && !SLOW_BUILD)
        return turn % 2 == s->reduced;
    if (SLOW_BUILD && s->log2_n > 10 && s->form != s->log2_n % 4)
        return false;
    return turn % 3 == 0 && (turn / 3 + s->form / 2 + s->reduced) % 2 == 0;
}

static void check_size(unsigned log2_n, unsigned word_bits) {
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (unsigned form = 0; form < 4; form++)
        for (unsigned set = 0; set < SETS; set++)
            for (unsigned reduced = 0; reduced < 2; reduced++) {
                const struct shape s = {log2_n, form, set, reduced, word_bits};
                if (wanted(&s))
                    check_shape(machine, &s);
            }
    fhec_machine_free(machine);
}

void programs_check_shapes(unsigned word_bits) {
    for (unsigned log2_n = FH_NTT_MIN_LOG2; log2_n <= FH_NTT_MAX_LOG2; log2_n++)
        check_size(log2_n, word_bits);
}
