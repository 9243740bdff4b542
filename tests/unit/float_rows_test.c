/*
 * float_rows_test.c - floating point of all lanes at once (float_rows.h) at every SIMD level of
 * this host, beside float.h, bit by bit: special values in all combinations of modifiers, then
 * random ones, many of them such that results are next to halfway between two numbers, overflow,
 * cancel or are subnormal. And float.h beside the host's own arithmetic in its four rounding modes,
 * which owes nothing to either.
 *
 * The environment can choose: FHEC_TEST_SEED; FHEC_TEST_LONG, for 10^9 random results of each
 * function at each level instead of some 10^5. A failure prints seed, function, sources and `how`.
 */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "emu_random.h"
#include "emu_util.h"
#include "float_levels.h"
#include "float_numbers.h"
#include "float_rows_cases.h"

enum { SEED = 20261123, SHORT = 3000, LONG = 31250000, HOST = 400000, WORK = 1 << 19 };

static struct float_level levels[FLOAT_LEVELS];
static size_t level_count;
static struct emu_rng rng;
static uint64_t seed;

/* ---------------------------------------------------------------- numbers */

/* Sources of one operation: exponents of which sums are anything, or those of what is added near
 * each other, or so much below that it decides how that is rounded. */
static void random_sources(const struct function_case *f, uint64_t x[3]) {
    const uint32_t format = f->format;
    const int top = (1 << (float_width[format] - float_precision[format])) - 1,
              p = float_precision[format];
    const int away[] = {0, 1, p - 1, p, p + 1, 2 * p, 2 * p + 1};
    const int delta = away[emu_below(&rng, COUNT_OF(away))];
    x[0] = float_random(&rng, format, (int)emu_below(&rng, (uint32_t)top));
    const int a = float_exponent(format, x[0]), bias = top / 2;
    if (f->sources == 2) {
        x[1] = float_random(&rng, format,
                            f->multiplies ? (int)emu_below(&rng, (uint32_t)top) : a - delta);
        if (emu_once_in(&rng, 2) && f->multiplies) /* a product at the lower end */
            x[1] = float_random(&rng, format, bias - a + (int)emu_below(&rng, (uint32_t)p + 2) - p);
        return;
    }
    x[1] = float_random(&rng, format, bias + (int)emu_below(&rng, 24) - 12);
    const int product = a + float_exponent(format, x[1]) - bias;
    x[2] = float_random(&rng, format, product + (emu_once_in(&rng, 2) ? delta : -delta));
    if (emu_once_in(&rng, 4)) { /* nearly the negative product */
        const uint64_t near = fh_float_mul(format, x[0], x[1], 0, FH_ROUND_NEAREST);
        x[2] = float_number(format, ~near >> (float_width[format] - 1), near >> (p - 1),
                            near + emu_below(&rng, 5) - 2);
    }
}

/* ---------------------------------------------------------------- beside float.h */

/* A whole row of each level beside the definition. */
static void compare_rows(const struct function_case *f, struct rows *r, uint32_t how,
                         uint32_t more) {
    uint64_t want[LANES];
    for (uint32_t l = 0; l < LANES; l++)
        want[l] = f->lane(float_get(r->source[0], l, f->wide), float_get(r->source[1], l, f->wide),
                          float_get(r->source[2], l, f->wide), how, more, l);
    for (size_t i = 0; i < level_count; i++) {
        memset(r->result, 0x5a, sizeof r->result);
        f->rows(levels[i].rows, r, how, more);
        for (uint32_t l = 0; l < LANES; l++) {
            const uint64_t got = float_get(r->result, l, f->wide);
            if (got != want[l])
                fail_msg("seed %" PRIu64 ", %s, %s: sources 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64
                         ", how 0x%x, %u: 0x%" PRIx64 ", want 0x%" PRIx64,
                         seed, levels[i].name, f->name, float_get(r->source[0], l, f->wide),
                         float_get(r->source[1], l, f->wide), float_get(r->source[2], l, f->wide),
                         how, more, got, want[l]);
        }
    }
}

/* The next combination of the bits of `mask` after `how`; 0 after the last one. */
static uint32_t next_how(uint32_t how, uint32_t mask) {
    return (how - mask) & mask;
}

/* In 16-bit formats a source is two numbers; the higher one is another special value. */
static uint64_t special_source(const struct function_case *f, unsigned i) {
    const uint64_t low = float_special_value(f->format, i % FLOAT_SPECIALS);
    return float_width[f->format] == 16
               ? float_special_value(f->format, (i * 7 + 5) % FLOAT_SPECIALS) << 16 | low
               : low;
}

/* Of all combinations of values a part for each one of modifiers, another one for the next, so that
 * a function has WORK results or so. */
static unsigned step_of(const struct function_case *f, unsigned total) {
    const uint64_t all = ((uint64_t)total << __builtin_popcount(f->modifiers)) * f->mores;
    return all / WORK < 1 ? 1 : (unsigned)(all / WORK) | 1;
}

static void all_special_values(void **state) {
    (void)state;
    static struct rows r;
    for (size_t k = 0; k < function_case_count; k++) {
        const struct function_case *f = &function_cases[k];
        const unsigned total =
            FLOAT_SPECIALS * FLOAT_SPECIALS * (f->sources == 3 ? FLOAT_SPECIALS : 1);
        const unsigned step = step_of(f, total);
        uint32_t how = 0;
        for (unsigned turn = 0; turn == 0 || how; turn++, how = next_how(how, f->modifiers))
            for (unsigned more = 0; more < f->mores; more++) {
                for (unsigned i = turn % step; i < total; i += LANES * step) {
                    for (uint32_t l = 0; l < LANES; l++) {
                        const unsigned n = (i + l * step) % total;
                        float_put(r.source[0], l, special_source(f, n));
                        float_put(r.source[1], l, special_source(f, n / FLOAT_SPECIALS));
                        float_put(r.source[2], l,
                                  special_source(f, n / FLOAT_SPECIALS / FLOAT_SPECIALS));
                    }
                    compare_rows(f, &r, how, more);
                }
            }
    }
}

/* Whether none is at the ends of the range, where fast ways end: all lanes have to be so for them.
 */
static bool is_calm(const struct function_case *f, const uint64_t x[3]) {
    const int top = (1 << (float_width[f->format] - float_precision[f->format])) - 1;
    for (unsigned i = 0; i < f->sources; i++)
        if (abs(float_exponent(f->format, x[i]) - top / 2) > top / 8)
            return false;
    return true;
}

static void sources_like(const struct function_case *f, bool calm, uint64_t x[3]) {
    do
        random_sources(f, x);
    while (calm && !is_calm(f, x));
}

/* Every second turn is calm. */
static void random_turns(const struct function_case *f, unsigned turns) {
    static struct rows r;
    for (unsigned turn = 0; turn < turns; turn++) {
        const uint32_t how = (uint32_t)emu_next(&rng) & f->modifiers;
        for (uint32_t l = 0; l < LANES; l++) {
            uint64_t x[3] = {0}, y[3] = {0};
            sources_like(f, turn & 1, x);
            if (float_width[f->format] == 16)
                sources_like(f, turn & 1, y);
            for (unsigned i = 0; i < 3; i++)
                float_put(r.source[i], l, float_width[f->format] == 16 ? y[i] << 16 | x[i] : x[i]);
        }
        compare_rows(f, &r, how, emu_below(&rng, f->mores));
    }
}

/* A function after the other, again and again, so that half of a long run is half of all. */
static void random_values(void **state) {
    (void)state;
    const unsigned rounds = getenv("FHEC_TEST_LONG") ? LONG / SHORT : 1;
    for (unsigned round = 0; round < rounds; round++)
        for (size_t k = 0; k < function_case_count; k++)
            random_turns(&function_cases[k], SHORT);
}

/* A result may be where a source is. */
static void results_over_sources(void **state) {
    (void)state;
    static struct rows r, aside;
    for (size_t k = 0; k < function_case_count; k++)
        for (size_t i = 0; i < level_count; i++) {
            const struct function_case *f = &function_cases[k];
            for (unsigned s = 0; s < 3; s++)
                for (uint32_t l = 0; l < LANES; l++)
                    float_put(r.source[s], l,
                              float_random(
                                  &rng, f->format,
                                  1 << (float_width[f->format] - float_precision[f->format] - 1)));
            aside = r;
            f->rows(levels[i].rows, &r, 0, 0);
            for (unsigned s = 0; s < f->sources; s++) {
                struct rows over = aside;
                f->over(levels[i].rows, &over, s);
                const size_t bytes = (f->wide ? 2u : 1u) * LANES * sizeof(uint32_t);
                if (memcmp(over.source[s], r.result, bytes) != 0)
                    fail_msg("%s, %s: another result over source %u", levels[i].name, f->name, s);
            }
        }
}

/* ---------------------------------------------------------------- float.h beside the host */

static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};

static uint64_t host_32(unsigned operation, const uint64_t x[3]) {
    volatile float a = float_of_bits((uint32_t)x[0]), b = float_of_bits((uint32_t)x[1]);
    volatile float c = float_of_bits((uint32_t)x[2]);
    volatile float d = operation == 0 ? a + b : operation == 1 ? a * b : fmaf(a, b, c);
    return isnan(d) ? 0x7fffffff : bits_of_float(d);
}

static uint64_t host_64(unsigned operation, const uint64_t x[3]) {
    volatile double a = double_of_bits(x[0]), b = double_of_bits(x[1]), c = double_of_bits(x[2]);
    volatile double d = operation == 0 ? a + b : operation == 1 ? a * b : fma(a, b, c);
    return isnan(d) ? UINT64_C(0xfff8000000000000) : bits_of_double(d);
}

/* What the definition must say, mode by mode; the tests' own fma is not the emulator's. */
static void the_definition_agrees_with_the_host(void **state) {
    (void)state;
    for (unsigned i = 0; i < HOST; i++) {
        const uint32_t format = i & 1 ? FH_F64 : FH_F32, mode = i >> 1 & 3;
        const unsigned operation = i / 8 % 3;
        const struct function_case as = {.format = format, .sources = operation == 2 ? 3 : 2};
        uint64_t x[3] = {0};
        random_sources(&as, x);
        fesetround(modes[mode]);
        const uint64_t want = format == FH_F64 ? host_64(operation, x) : host_32(operation, x);
        fesetround(FE_TONEAREST);
        const uint64_t got = operation == 0   ? fh_float_add(format, x[0], x[1], mode)
                             : operation == 1 ? fh_float_mul(format, x[0], x[1], 0, mode)
                                              : fh_float_fma(format, x[0], x[1], x[2], mode);
        if (got != want)
            fail_msg("seed %" PRIu64 ": operation %u, format %u, mode %u, 0x%" PRIx64 " 0x%" PRIx64
                     " 0x%" PRIx64 ": 0x%" PRIx64 ", the host has 0x%" PRIx64,
                     seed, operation, format, mode, x[0], x[1], x[2], got, want);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_special_values),
        cmocka_unit_test(random_values),
        cmocka_unit_test(results_over_sources),
        cmocka_unit_test(the_definition_agrees_with_the_host),
    };
    const char *text = getenv("FHEC_TEST_SEED");
    seed = text ? strtoull(text, NULL, 0) : SEED;
    rng.state = seed ? seed : 1;
    level_count = float_levels_of_host(levels);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
