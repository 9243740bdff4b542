/*
 * convert_rows_test.c - conversions of all lanes at once (float_rows.h) at every SIMD level of this
 * host, beside their definitions in lane_convert.h, bit by bit: special values and the ends of
 * ranges in all combinations of modifiers, all halves, and random numbers, many of them such that
 * results are halfway between two or next to it. And float.h's conversions beside the host's own in
 * its four rounding modes, which owe nothing to either.
 *
 * The environment can choose: FHEC_TEST_SEED; FHEC_TEST_LONG, for some 10^9 random results of each
 * function at each level instead of some 10^5. A failure prints seed, function, source and
 * modifiers.
 */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "emu_random.h"
#include "emu_util.h"
#include "float_exact.h"
#include "float_levels.h"
#include "float_numbers.h"
#include "lane_convert.h"

enum { SEED = 20261124, SHORT = 8000, LONG = 31250000, HOST = 400000, EDGES = 2 * 64 * 8 };

/* A format of float.h, or: */
enum { INTEGER = 8 };
enum {
    SIGNS = 3 << FH_SIGNS,
    RULES = FH_ROUND_MASK | FH_FTZ | SIGNS,
    HALF_PART = 1 << FH_PARTS, /* beside the bit above it, which is always set */
    BOTH_PARTS = 2 << FH_PARTS
};

struct conversion {
    const char *name;
    uint32_t from, to, modifiers, types; /* types of the integers: how many there are */
    void (*rows)(const struct fh_float_rows *at, uint32_t *d, const uint32_t *a, uint32_t type,
                 uint32_t how);
    uint64_t (*lane)(uint64_t a, uint32_t type, uint32_t how);
};

static struct float_level levels[FLOAT_LEVELS];
static size_t level_count;
static struct emu_rng rng;
static uint64_t seed;

/* ---------------------------------------------------------------- the functions */

#define SIGN  how >> FH_SIGNS & 1, how >> (FH_SIGNS + 1) & 1
#define ROUND (how & FH_ROUND_MASK)
#define FLUSH (how >> 2 & 1)
#define NAN_0 (how >> 7 & 1)
#define PART  (how >> FH_PARTS & 3)
#define ROWS(function_name, call, value)                                                           \
    static void rows_##function_name(const struct fh_float_rows *at, uint32_t *d,                  \
                                     const uint32_t *a, uint32_t type, uint32_t how) {             \
        uint32_t *const high = d + LANES;                                                          \
        (void)high, (void)type;                                                                    \
        call;                                                                                      \
    }                                                                                              \
    static uint64_t lane_##function_name(uint64_t wide, uint32_t type, uint32_t how) {             \
        const uint32_t a = (uint32_t)wide;                                                         \
        (void)a, (void)wide, (void)type, (void)how;                                                \
        return value;                                                                              \
    }

ROWS(float_to_integer, at->to_integer(d, type < 6 ? NULL : high, a, FH_F32, type, how),
     type < 6 ? float_to_integer(a, SIGN, type, NAN_0, ROUND, FLUSH)
              : float_to_long(a, SIGN, type & 1, NAN_0, ROUND, FLUSH))
ROWS(half_to_integer, at->to_integer(d, type < 6 ? NULL : high, a, FH_F16, type, how | BOTH_PARTS),
     type < 6 ? half_to_integer(a, PART & 1, SIGN, type, NAN_0, ROUND, FLUSH)
              : half_to_long(a, PART & 1, SIGN, type & 1, NAN_0, ROUND, FLUSH))
ROWS(double_to_integer, at->to_integer(d, type < 6 ? NULL : high, a, FH_F64, type, how),
     double_to_integer(wide, SIGN, type, NAN_0, ROUND, FLUSH))

/* The part is one of as many as there are. */
static uint32_t parted(uint32_t type, uint32_t how) {
    const uint32_t parts = type < 2 ? 3 : type < 4 ? 1 : 0;
    return (how & FH_ROUND_MASK) | (PART & parts) << FH_PARTS;
}
static uint64_t of_integer(uint32_t to, uint64_t wide, uint32_t type, uint32_t how) {
    const uint32_t part = parted(type, how) >> FH_PARTS, bits = 8U << (type >> 1);
    const uint32_t code = to == FH_F16 ? 1 : to == FH_F32 ? 2 : 3;
    return type > 5       ? long_to_float(wide, type & 1, code, ROUND)
           : to == FH_F64 ? integer_to_double((uint32_t)wide, part, bits, type & 1, ROUND)
                          : integer_to_float((uint32_t)wide, part, bits, type & 1, code, ROUND);
}
ROWS(integer_to_half, at->from_integer(d, NULL, a, FH_F16, type, parted(type, how)),
     of_integer(FH_F16, wide, type, how))
ROWS(integer_to_float, at->from_integer(d, NULL, a, FH_F32, type, parted(type, how)),
     of_integer(FH_F32, wide, type, how))
ROWS(integer_to_double, at->from_integer(d, high, a, FH_F64, type, parted(type, how)),
     of_integer(FH_F64, wide, type, how))

ROWS(float_integral, at->integral(d, NULL, a, FH_F32, how), float_integral(a, SIGN, ROUND, FLUSH))
ROWS(half_integral, at->integral(d, NULL, a, FH_F16, how | BOTH_PARTS),
     half_integral(a, PART & 1, SIGN, ROUND, FLUSH))
ROWS(double_integral, at->integral(d, high, a, FH_F64, how),
     double_integral(wide, SIGN, ROUND, FLUSH))

ROWS(float_to_double, at->convert(d, high, a, FH_F64, FH_F32, how),
     float_to_double(a, SIGN, ROUND, FLUSH))
ROWS(double_to_float, at->convert(d, NULL, a, FH_F32, FH_F64, how),
     double_to_float(wide, SIGN, ROUND, FLUSH))
ROWS(double_to_half, at->convert(d, NULL, a, FH_F16, FH_F64, how),
     double_to_half(wide, SIGN, ROUND))
ROWS(half_to_double, at->convert(d, high, a, FH_F64, FH_F16, how | BOTH_PARTS),
     half_to_double(a, PART & 1, SIGN, ROUND))
ROWS(half_to_float, at->convert(d, NULL, a, FH_F32, FH_F16, how | BOTH_PARTS),
     half_to_float(a, PART & 1, SIGN, ROUND))
static uint64_t of_float(uint32_t to, uint32_t a, uint32_t how) {
    const uint32_t h = to == FH_F16 ? float_to_half(a, SIGN, ROUND, FLUSH)
                                    : float_to_bfloat(a, SIGN, ROUND, FLUSH);
    return how & FH_RELU ? half_relu(to, h) : h;
}
ROWS(float_to_half, at->convert(d, NULL, a, FH_F16, FH_F32, how), of_float(FH_F16, a, how))
ROWS(float_to_bfloat, at->convert(d, NULL, a, FH_BF16, FH_F32, how), of_float(FH_BF16, a, how))

#define FUNCTION(function_name, source, result, bits, integers)                                    \
    {                                                                                              \
        .name = #function_name, .from = source, .to = result, .modifiers = bits,                   \
        .types = integers, .rows = rows_##function_name, .lane = lane_##function_name              \
    }
static const struct conversion conversions[] = {
    FUNCTION(float_to_integer, FH_F32, INTEGER, RULES | FH_NAN_IS_ZERO, 8),
    FUNCTION(half_to_integer, FH_F16, INTEGER, RULES | FH_NAN_IS_ZERO | HALF_PART, 8),
    FUNCTION(double_to_integer, FH_F64, INTEGER, RULES | FH_NAN_IS_ZERO, 8),
    FUNCTION(integer_to_half, INTEGER, FH_F16, FH_ROUND_MASK | HALF_PART | BOTH_PARTS, 8),
    FUNCTION(integer_to_float, INTEGER, FH_F32, FH_ROUND_MASK | HALF_PART | BOTH_PARTS, 8),
    FUNCTION(integer_to_double, INTEGER, FH_F64, FH_ROUND_MASK | HALF_PART | BOTH_PARTS, 8),
    FUNCTION(float_integral, FH_F32, FH_F32, RULES, 1),
    FUNCTION(half_integral, FH_F16, FH_F16, RULES | HALF_PART, 1),
    FUNCTION(double_integral, FH_F64, FH_F64, RULES, 1),
    FUNCTION(float_to_double, FH_F32, FH_F64, RULES, 1),
    FUNCTION(double_to_float, FH_F64, FH_F32, RULES, 1),
    FUNCTION(double_to_half, FH_F64, FH_F16, FH_ROUND_MASK | SIGNS, 1),
    FUNCTION(half_to_double, FH_F16, FH_F64, FH_ROUND_MASK | SIGNS | HALF_PART, 1),
    FUNCTION(half_to_float, FH_F16, FH_F32, FH_ROUND_MASK | SIGNS | HALF_PART, 1),
    FUNCTION(float_to_half, FH_F32, FH_F16, RULES | FH_RELU, 1),
    FUNCTION(float_to_bfloat, FH_F32, FH_BF16, RULES | FH_RELU, 1),
};

static bool is_wide(uint32_t format, uint32_t type) {
    return format == FH_F64 || (format == INTEGER && type >= 6);
}

/* ---------------------------------------------------------------- numbers */

/* Number i < EDGES of those at the ends of ranges: 2^k and numbers around it and halfway to others,
 * both signs. */
static uint64_t edge(uint32_t format, unsigned i) {
    const int k = (int)(i >> 4) % 64, around = (int)(i >> 1 & 7);
    if (format == INTEGER) {
        const uint64_t x = (UINT64_C(2) << k) + (uint64_t)around - 4;
        return i & 1 ? 0 - x : x;
    }
    const int bias = (1 << (float_width[format] - float_precision[format] - 1)) - 1;
    const uint64_t hidden = UINT64_C(1) << (float_precision[format] - 1);
    const uint64_t fractions[] = {0, 1,         hidden - 1, hidden - 2, hidden / 2, hidden / 2 + 1,
                                  3, hidden / 4};
    return float_number(format, i & 1, (uint64_t)(bias + k), fractions[around]);
}

/* Any number of bits, with some that make it just halfway between two shorter numbers, or next to
 * it. */
static uint64_t random_integer(void) {
    static const unsigned precisions[] = {11, 24, 53};
    const unsigned top = emu_below(&rng, 64), p = precisions[emu_below(&rng, 3)];
    const uint64_t low = (UINT64_C(2) << top) - 1, any = emu_next(&rng) & low;
    uint64_t x = any;
    if (top > p && emu_once_in(&rng, 2)) {
        const uint64_t half = UINT64_C(1) << (top - p);
        x = ((any | UINT64_C(1) << top) & ~(2 * half - 1)) + half + emu_below(&rng, 3) - 1;
    }
    return emu_once_in(&rng, 2) ? x : 0 - x;
}

static uint64_t random_source(uint32_t format) {
    /* Where integers end, and the exponents of the other formats. */
    static const int exponents[] = {0,    -1,   3,    7,    8,   15,  16,   24,   31,
                                    32,   52,   63,   64,   -14, -15, -24,  -25,  -126,
                                    -127, -133, -149, -150, 127, 128, 1023, -1022};
    if (format == INTEGER)
        return random_integer();
    const int bias = (1 << (float_width[format] - float_precision[format] - 1)) - 1;
    const int chosen = exponents[emu_below(&rng, COUNT_OF(exponents))];
    const int near =
        emu_once_in(&rng, 4) ? (int)emu_below(&rng, 2 * (uint32_t)bias) : bias + chosen;
    const uint64_t x = float_random(&rng, format, near);
    if (!emu_once_in(&rng, 2))
        return x;
    /* Halfway to a shorter number. */
    const unsigned place = emu_below(&rng, (uint32_t)float_precision[format] - 1);
    return ((x >> place | 1) << place) + emu_below(&rng, 3) - 1;
}

/* In 16-bit formats a source is two numbers. */
static uint64_t with_other_half(uint32_t format, uint64_t x) {
    return format == FH_F16 ? (x & 0xffff) | emu_next(&rng) << 16 : x;
}

/* ---------------------------------------------------------------- beside float.h */

/* A row at each level beside the definition. */
static void compare_rows(const struct conversion *f, const uint32_t *a, uint32_t type,
                         uint32_t how) {
    _Alignas(64) uint32_t d[2 * LANES];
    uint64_t want[LANES];
    for (uint32_t l = 0; l < LANES; l++)
        want[l] = f->lane(float_get(a, l, is_wide(f->from, type)), type, how);
    for (size_t i = 0; i < level_count; i++) {
        memset(d, 0x5a, sizeof d);
        f->rows(levels[i].rows, d, a, type, how);
        for (uint32_t l = 0; l < LANES; l++) {
            const uint64_t got = float_get(d, l, is_wide(f->to, type));
            if (got != (is_wide(f->to, type) ? want[l] : (uint32_t)want[l]))
                fail_msg("seed %" PRIu64 ", %s, %s: 0x%" PRIx64 ", type %u, how 0x%x: 0x%" PRIx64
                         ", want 0x%" PRIx64,
                         seed, levels[i].name, f->name, float_get(a, l, is_wide(f->from, type)),
                         type, how, got, want[l]);
        }
        for (uint32_t l = 0; l < LANES && !is_wide(f->to, type); l++)
            assert_int_equal(d[LANES + l], 0x5a5a5a5a);
    }
}

/* Special values, then edges; all modifiers of a part of them, other ones for each. */
static void special_values_and_edges(void **state) {
    (void)state;
    static _Alignas(64) uint32_t a[2 * LANES];
    for (size_t k = 0; k < COUNT_OF(conversions); k++) {
        const struct conversion *f = &conversions[k];
        const unsigned specials = f->from == INTEGER ? 0 : FLOAT_SPECIALS, total = specials + EDGES;
        uint32_t how = 0, turn = 0;
        do {
            for (uint32_t type = 0; type < f->types; type++, turn++) {
                for (uint32_t l = 0; l < LANES; l++) {
                    const unsigned n = l < specials ? l : specials + (turn * 37 + l * 61) % EDGES;
                    const uint64_t x = n < specials ? float_special_value(f->from, n)
                                                    : edge(f->from, (n - specials) % total);
                    float_put(a, l, f->from == FH_F16 ? x << 16 | x : x);
                }
                compare_rows(f, a, type, how);
            }
            how = (how - f->modifiers) & f->modifiers;
        } while (how || turn < 400 * f->types);
    }
}

static void all_halves(void **state) {
    (void)state;
    static _Alignas(64) uint32_t a[2 * LANES];
    for (size_t k = 0; k < COUNT_OF(conversions); k++) {
        const struct conversion *f = &conversions[k];
        for (uint32_t x = 0; f->from == FH_F16 && x < 65536; x += LANES)
            for (uint32_t type = 0; type < f->types; type++) {
                for (uint32_t l = 0; l < LANES; l++)
                    float_put(a, l, (x + l) * UINT64_C(0x10001));
                compare_rows(f, a, type, (uint32_t)emu_next(&rng) & f->modifiers);
            }
    }
}

static void random_values(void **state) {
    (void)state;
    static _Alignas(64) uint32_t a[2 * LANES];
    const unsigned rounds = getenv("FHEC_TEST_LONG") ? LONG / SHORT : 1;
    for (unsigned round = 0; round < rounds; round++)
        for (size_t k = 0; k < COUNT_OF(conversions); k++)
            for (unsigned turn = 0; turn < SHORT; turn++) {
                const struct conversion *f = &conversions[k];
                for (uint32_t l = 0; l < LANES; l++)
                    float_put(a, l, with_other_half(f->from, random_source(f->from)));
                compare_rows(f, a, emu_below(&rng, f->types),
                             (uint32_t)emu_next(&rng) & f->modifiers);
            }
}

/* Results may be where sources are: over the first row, or from the second one on. */
static void results_over_sources(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT_OF(conversions); k++)
        for (uint32_t type = 0; type < conversions[k].types; type++)
            for (size_t i = 0; i < level_count; i++)
                for (unsigned at = 0; at < 2; at++) {
                    const struct conversion *f = &conversions[k];
                    _Alignas(64) uint32_t over[3 * LANES] = {0}, d[2 * LANES];
                    for (uint32_t l = 0; l < LANES; l++)
                        float_put(over, l, with_other_half(f->from, random_source(f->from)));
                    f->rows(levels[i].rows, d, over, type, 0);
                    f->rows(levels[i].rows, over + at * LANES, over, type, 0);
                    const size_t rows = is_wide(f->to, type) ? 2 : 1;
                    if (memcmp(over + at * LANES, d, rows * LANES * sizeof *d) != 0)
                        fail_msg("%s, %s, type %u: another result over row %u of the source",
                                 levels[i].name, f->name, type, at);
                }
}

/* ---------------------------------------------------------------- float.h beside the host */

static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};

/* Called, since compilers have nothing but rounding to nearest in its place. */
static double (*volatile whole_of)(double) = rint;

static uint64_t canonical(uint64_t bits, bool nan, uint64_t format_nan) {
    return nan ? format_nan : bits;
}

/* What the host makes of a double, or of an integer. */
static uint64_t host_result(unsigned operation, uint64_t x) {
    volatile double a = double_of_bits(x), whole;
    volatile float narrow;
    volatile int64_t n = (int64_t)x;
    volatile uint64_t u = x;
    switch (operation) {
    case 0: narrow = (float)a; break;
    case 1: narrow = (float)n; break;
    case 2: narrow = (float)u; break;
    case 3: whole = (double)n; return bits_of_double(whole);
    case 4: whole = (double)u; return bits_of_double(whole);
    case 5: whole = whole_of(a); return canonical(bits_of_double(whole), isnan(a), 0xfff8ULL << 48);
    default:
        whole = whole_of(a);
        return isnan(a) || whole < -0x1p63 ? UINT64_C(1) << 63
               : whole >= 0x1p63           ? INT64_MAX
                                           : (uint64_t)(int64_t)whole;
    }
    return canonical(bits_of_float(narrow), isnan(narrow), 0x7fffffff);
}

static uint64_t defined_result(unsigned operation, uint64_t x, uint32_t mode) {
    switch (operation) {
    case 0: return fh_float_convert(FH_F32, FH_F64, x, mode);
    case 1: return fh_float_from_int(FH_F32, x, true, mode);
    case 2: return fh_float_from_int(FH_F32, x, false, mode);
    case 3: return fh_float_from_int(FH_F64, x, true, mode);
    case 4: return fh_float_from_int(FH_F64, x, false, mode);
    case 5: return fh_float_integral(FH_F64, x, mode);
    default: return fh_float_to_int(FH_F64, x, 64, true, false, mode);
    }
}

static void the_definition_agrees_with_the_host(void **state) {
    (void)state;
    for (unsigned i = 0; i < HOST; i++) {
        const unsigned operation = i / 4 % 7, mode = i & 3;
        const bool of_integer_source = operation >= 1 && operation <= 4;
        const uint64_t x = random_source(of_integer_source ? INTEGER : FH_F64);
        if (x ==
            0) /* compilers subtract to convert unsigned numbers, which gives -0 rounding down */
            continue;
        fesetround(modes[mode]);
        const uint64_t want = host_result(operation, x);
        fesetround(FE_TONEAREST);
        const uint64_t got = defined_result(operation, x, mode);
        if (got != want)
            fail_msg("seed %" PRIu64 ": operation %u, mode %u, 0x%" PRIx64 ": 0x%" PRIx64
                     ", the host has 0x%" PRIx64,
                     seed, operation, mode, x, got, want);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_values_and_edges),
        cmocka_unit_test(all_halves),
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
