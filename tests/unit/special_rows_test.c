/*
 * special_rows_test.c - MUFU of all lanes at once (float_rows.h) at every SIMD level of this host
 * beside its definition, fh_float_special, bit by bit: special values, the ends of ranges, random
 * numbers, and those of which the function's value is next to halfway between two floats, which a
 * double's approximation finds: there an error of the fast one would show. The same approximation,
 * the C library's, says that the definition is right. Halves: all of them.
 *
 * The environment can choose: FHEC_TEST_SEED; FHEC_TEST_LONG, for all 2^32 sources of each
 * function, and then FHEC_TEST_FUNCTION, one function, as `rcp`, and FHEC_TEST_STEP, every so
 * manieth source.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "emu_random.h"
#include "emu_util.h"
#include "float_exact.h"
#include "float_levels.h"
#include "float_numbers.h"
#include "lane_convert.h"

enum { SEED = 20261125, RANDOM = 400, CANDIDATES = 200000, SAMPLE = 39989, SIGNS = 3 << FH_SIGNS };

static const struct function {
    const char *name;
    uint32_t function; /* enum fh_special */
    bool of_half;      /* there is one of halves, too */
    float low, high;   /* sources of which the values say something are of these sizes */
} functions[] = {
    {"cos", FH_COS, true, 0x1p-14f, 0x1p24f},
    {"sin", FH_SIN, true, 0x1p-126f, 0x1p24f},
    {"ex2", FH_EX2, true, 0x1p-26f, 150},
    {"lg2", FH_LG2, true, 0x1p-126f, 0x1.fp127f},
    {"rcp", FH_RCP, true, 0x1p-126f, 0x1.fp127f},
    {"rsq", FH_RSQ, true, 0x1p-126f, 0x1.fp127f},
    {"rcp64h", FH_RCP64H, false, 0, 0},
    {"rsq64h", FH_RSQ64H, false, 0, 0},
    {"sqrt", FH_SQRT, true, 0x1p-126f, 0x1.fp127f},
    {"tanh", FH_TANH, true, 0x1p-13f, 11},
};

static struct float_level levels[FLOAT_LEVELS];
static size_t level_count;
static struct emu_rng rng;
static uint64_t seed;

/* A row at each level beside the definition. */
static void compare_rows(const struct function *f, const uint32_t *a, uint32_t how) {
    _Alignas(64) uint32_t d[LANES];
    uint32_t want[LANES];
    for (uint32_t l = 0; l < LANES; l++)
        want[l] = special(f->function, a[l], how >> FH_SIGNS & 1, how >> (FH_SIGNS + 1) & 1);
    for (size_t i = 0; i < level_count; i++) {
        levels[i].rows->special(d, a, f->function, how);
        for (uint32_t l = 0; l < LANES; l++)
            if (d[l] != want[l])
                fail_msg("seed %" PRIu64 ", %s, %s: 0x%x, how 0x%x: 0x%x, want 0x%x", seed,
                         levels[i].name, f->name, a[l], how, d[l], want[l]);
    }
}

/* All exponents with fractions at their ends, both signs. */
static void ends_of_exponents(void **state) {
    (void)state;
    static const uint32_t fractions[] = {0, 1, 2, 0x3504f2, 0x3504f3, 0x3504f4, 0x400000, 0x7fffff};
    _Alignas(64) uint32_t a[LANES];
    for (size_t k = 0; k < COUNT_OF(functions); k++)
        for (uint32_t exponent = 0; exponent < 256; exponent += 2)
            for (uint32_t how = 0; how <= SIGNS; how += 1 << FH_SIGNS) {
                for (uint32_t l = 0; l < LANES; l++)
                    a[l] = (exponent + (l >> 4)) << 23 | (l & 8) << 28 | fractions[l & 7];
                compare_rows(&functions[k], a, how);
            }
}

static uint32_t random_source(void) {
    if (emu_once_in(&rng, 3)) /* short numbers, whole ones, parts of turns */
        return (uint32_t)(emu_next(&rng) & 0x80000000) | (127 - 26 + emu_below(&rng, 52)) << 23 |
               (emu_below(&rng, 256) << 15);
    return (uint32_t)float_random(&rng, FH_F32, (int)emu_below(&rng, 255));
}

static void random_values(void **state) {
    (void)state;
    _Alignas(64) uint32_t a[LANES];
    for (size_t k = 0; k < COUNT_OF(functions); k++)
        for (unsigned turn = 0; turn < RANDOM; turn++) {
            for (uint32_t l = 0; l < LANES; l++)
                a[l] = random_source();
            compare_rows(&functions[k], a, (uint32_t)emu_next(&rng) & SIGNS);
        }
}

/* ---------------------------------------------------------------- next to halfway */

/* The value, within 2^-45 or so. Turns are reduced exactly before they become an angle. */
static double approximation(uint32_t function, double x) {
    const double angle = 2 * M_PI * (x - rint(x));
    switch (function) {
    case FH_COS: return cos(angle);
    case FH_SIN: return sin(angle);
    case FH_EX2: return exp2(x);
    case FH_LG2: return log2(x);
    case FH_RCP: return 1 / x;
    case FH_RSQ: return 1 / sqrt(x);
    case FH_SQRT: return sqrt(x);
    default: return tanh(x);
    }
}

/* How far the double is from halfway between two floats, in its own last bits. */
static uint64_t from_halfway(double y) {
    const uint64_t rest = bits_of_double(y) & 0x1fffffff;
    return rest > 0x10000000 ? rest - 0x10000000 : 0x10000000 - rest;
}

/* A source between the function's bounds, by its exponent. */
static float between(const struct function *f) {
    const uint32_t low = bits_of_float(f->low), high = bits_of_float(f->high);
    return float_of_bits(low + emu_below(&rng, high - low));
}

/* Of many sources the 32 whose values are closest to halfway, the worst first. */
static void worst_sources(const struct function *f, uint32_t a[LANES]) {
    uint64_t distance[LANES];
    for (uint32_t l = 0; l < LANES; l++)
        distance[l] = UINT64_MAX;
    for (unsigned i = 0; i < CANDIDATES; i++) {
        const float x = between(f);
        const uint64_t d = from_halfway(approximation(f->function, (double)x));
        uint32_t l = LANES;
        while (l > 0 && d < distance[l - 1])
            l--;
        if (l == LANES)
            continue;
        memmove(distance + l + 1, distance + l, (LANES - 1 - l) * sizeof *distance);
        memmove(a + l + 1, a + l, (LANES - 1 - l) * sizeof *a);
        distance[l] = d;
        a[l] = bits_of_float(x);
    }
    if (f->function == FH_LG2 || f->function == FH_RSQ)
        assert_true(distance[0] < 1 << 16);
}

static void values_next_to_halfway(void **state) {
    (void)state;
    _Alignas(64) uint32_t a[LANES];
    for (size_t k = 0; k < COUNT_OF(functions); k++) {
        if (!functions[k].of_half) /* 2^20 sources in all */
            continue;
        worst_sources(&functions[k], a);
        compare_rows(&functions[k], a, 0);
        compare_rows(&functions[k], a, 1 << FH_SIGNS);
    }
}

/* The definition is the approximation, rounded, where that is far enough from halfway. */
/* Whether a value is a normal float and the approximation as good as it says: an angle of less than
 * a turn has an error of 2^-51, which is much beside a value near 0. */
static bool is_close(uint32_t function, double x, double y) {
    const bool circular = function == FH_COS || function == FH_SIN;
    return fabs(y) >= 0x1p-126 && fabs(y) < 0x1p128 &&
           (!circular || fabs(x) < 0.125 || fabs(y) > 0x1p-6);
}

static void the_definition_is_right(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT_OF(functions); k++)
        for (unsigned i = 0; functions[k].of_half && i < CANDIDATES / 10; i++) {
            const float x = between(&functions[k]);
            const double y = approximation(functions[k].function, (double)x);
            const uint32_t want = bits_of_float((float)y);
            if (from_halfway(y) < 0x4000 || !is_close(functions[k].function, (double)x, y))
                continue;
            const uint32_t got = fh_float_special(functions[k].function, bits_of_float(x));
            if (got != want)
                fail_msg("seed %" PRIu64 ", %s: 0x%x: 0x%x, the C library has 0x%x", seed,
                         functions[k].name, bits_of_float(x), got, want);
        }
}

/* ---------------------------------------------------------------- all */

static void all_halves(void **state) {
    (void)state;
    _Alignas(64) uint32_t a[LANES], d[LANES];
    for (size_t k = 0; k < COUNT_OF(functions); k++)
        for (uint32_t x = 0; functions[k].of_half && x < 65536; x += LANES) {
            const uint32_t how = (uint32_t)emu_next(&rng) & SIGNS, part = emu_below(&rng, 2);
            for (uint32_t l = 0; l < LANES; l++)
                a[l] = (x + l) << 16 * part |
                       (uint32_t)emu_next(&rng) << (16 - 16 * part) >> 16 * part;
            for (size_t i = 0; i < level_count; i++) {
                levels[i].rows->special_halves(d, a, functions[k].function,
                                               how | FH_PART_OF(0, 2 | part));
                for (uint32_t l = 0; l < LANES; l++) {
                    const uint32_t want =
                        special_of_half(functions[k].function, a[l], part, how >> FH_SIGNS & 1,
                                        how >> (FH_SIGNS + 1) & 1);
                    if (d[l] != want)
                        fail_msg("seed %" PRIu64 ", %s, %s of half %u of 0x%x: 0x%x, want 0x%x",
                                 seed, levels[i].name, functions[k].name, part, a[l], d[l], want);
                }
            }
        }
}

static uint64_t chosen(const char *variable, uint64_t otherwise) {
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

/* Every so manieth source of all functions, or of one. */
static void all_sources(void **state) {
    (void)state;
    _Alignas(64) uint32_t a[LANES];
    const char *only = getenv("FHEC_TEST_FUNCTION");
    const uint64_t step = chosen("FHEC_TEST_STEP", getenv("FHEC_TEST_LONG") ? 1 : SAMPLE);
    const uint64_t first = chosen("FHEC_TEST_FIRST", 0),
                   last = chosen("FHEC_TEST_LAST", UINT32_MAX);
    assert_true(step > 0);
    for (size_t k = 0; k < COUNT_OF(functions); k++) {
        if (only && strcasecmp(only, functions[k].name) != 0)
            continue;
        for (uint64_t x = first; x <= last; x += LANES * step) {
            for (uint32_t l = 0; l < LANES; l++)
                a[l] = (uint32_t)(x + l * step);
            compare_rows(&functions[k], a, 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_exponents),
        cmocka_unit_test(random_values),
        cmocka_unit_test(values_next_to_halfway),
        cmocka_unit_test(the_definition_is_right),
        cmocka_unit_test(all_halves),
        cmocka_unit_test(all_sources),
    };
    seed = chosen("FHEC_TEST_SEED", SEED);
    rng.state = seed ? seed : 1;
    level_count = float_levels_of_host(levels);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
