/*
 * Floating point immediates as text, and integer division as compilers write it: the estimate of
 * MUFU.RCP corrected by integer steps must give the exact quotient.
 */
#include <math.h>

#include "float.h"
#include "isa_util.h"
#include "number.h"

enum { SEED = 4711, NUMBERS = 200000, DIVISIONS = 400000 };

/* Literals and the bits that they stand for; the texts are what a disassembler prints. */
static void texts_by_hand(void **state) {
    (void)state;
    static const struct {
        enum fh_number number;
        uint32_t bits;
        const char *text;
    } cases[] = {
        {FH_N_F32, 0x3f800000, "1"},
        {FH_N_F32, 0x80000000, "-0"},
        {FH_N_F32, 0xbffca5dc, "-1.9738116264343261719"},
        {FH_N_F32, 0x5f800000, "1.84467440737095516160e+19"},
        {FH_N_F32, 0x035b7333, "6.4490557925156731238e-37"},
        {FH_N_F32, 0x4b400001, "12582913"},
        {FH_N_F32, 0x00000001, "1.4012984643248170709e-45"},
        {FH_N_F32, 0x7f800000, "+INF "},
        {FH_N_F32, 0xff800000, "-INF "},
        {FH_N_F32, 0x7fffffff, "+QNAN "},
        {FH_N_F32, 0x7fc00001, "0x7fc00001"},
        {FH_N_F64, 0x3df00000, "2.3283064365386962891e-10"},
        {FH_N_F64, 0x41efffff, "4.29496524800000000000e+09"},
        {FH_N_F64, 0x7ff00000, "+INF "},
        {FH_N_F16X2, 0xc1efc13b, "-2.966796875, -2.615234375"},
        {FH_N_F16X2, 0x7bff0001, "65504, 5.9604644775390625e-08"},
        {FH_N_BF16X2, 0x3f80bf00, "1, -0.5"},
        {FH_N_SWIZZLE, 0xcc, "ZPPPZPPP"},
    };
    char text[FH_NUMBER_TEXT];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fh_number_text(cases[i].number, cases[i].bits, true, text);
        assert_string_equal(text, cases[i].text);
    }
}

/* Reads one number as the assembler does: sign apart. */
static bool read_back(enum fh_number number, const char *text, size_t length, uint32_t *bits) {
    struct fh_real real = {text, length, false};
    if (*text == '-' || *text == '+') {
        real.negative = *text == '-';
        real.text++;
        real.length--;
    }
    while (real.length && real.text[real.length - 1] == ' ')
        real.length--;
    if (real.length > 2 && real.text[1] == 'x') {
        *bits = (uint32_t)strtoul(real.text, NULL, 16);
        return true;
    }
    return fh_real_bits(number, &real, bits);
}

static void every_immediate_comes_back(void **state) {
    (void)state;
    static const enum fh_number numbers[] = {FH_N_F32, FH_N_F64, FH_N_F16X2, FH_N_BF16X2};
    struct random r = {SEED, SEED};
    char text[FH_NUMBER_TEXT];
    for (unsigned i = 0; i < NUMBERS; i++) {
        enum fh_number number = numbers[i % COUNT_OF(numbers)];
        bool pair = number == FH_N_F16X2 || number == FH_N_BF16X2;
        uint32_t bits = (uint32_t)next_random(&r), back = 0, low = 0;
        if (i < 4 * 65536 && pair)
            bits = (i / 4) << 16 | (~(i / 4) & 0xffff); /* every half */
        fh_number_text(number, bits, true, text);
        const char *comma = strchr(text, ',');
        bool good = read_back(number, text, comma ? (size_t)(comma - text) : strlen(text), &back);
        if (pair) {
            assert_non_null(comma);
            good &= read_back(number, comma + 2, strlen(comma + 2), &low);
            back = back << 16 | low;
        }
        if (!good || back != bits)
            fail_msg("seed %d, iteration %u: format %d, bits 0x%08x, text %s, back 0x%08x", SEED, i,
                     number, bits, text, back);
    }
}

static void literals_that_do_not_fit(void **state) {
    (void)state;
    static const struct {
        enum fh_number number;
        const char *text;
    } cases[] = {
        {FH_N_F32, "1e39"},    {FH_N_F64, "0.1"},   {FH_N_F16X2, "65520"},
        {FH_N_F16X2, "1e400"}, {FH_N_F64, "1e999"}, {FH_N_F32, "1.2.3"},
    };
    uint32_t bits;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_real real = {cases[i].text, strlen(cases[i].text), false};
        if (fh_real_bits(cases[i].number, &real, &bits))
            fail_msg("%s is accepted for format %d", cases[i].text, cases[i].number);
    }
}

/* u32 division as compiled: I2F.U32.RP, MUFU.RCP, F2I.FTZ.U32.TRUNC.NTZ, one refinement in
 * integers, two corrections. */
static void divide(uint32_t a, uint32_t b, uint32_t *quotient, uint32_t *remainder) {
    uint32_t r = (uint32_t)fh_float_from_int(FH_F32, b, false, FH_ROUND_UP);
    r = fh_float_special(4, r) + 0x0ffffffe;
    uint32_t q = (uint32_t)fh_float_to_int(FH_F32, r, 32, false, true, FH_ROUND_ZERO | FH_FTZ);
    uint32_t e = 0 - b * q;
    q = (uint32_t)(((uint64_t)q * e + ((uint64_t)q << 32)) >> 32);
    *quotient = (uint32_t)((uint64_t)q * a >> 32);
    *remainder = a - b * *quotient;
    for (int i = 0; i < 2 && *remainder >= b; i++) {
        *remainder -= b;
        ++*quotient;
    }
}

static void division_is_exact(void **state) {
    (void)state;
    struct random r = {SEED + 1, SEED + 1};
    for (uint32_t i = 0; i < DIVISIONS; i++) {
        uint64_t z = next_random(&r);
        uint32_t a = (uint32_t)(next_random(&r) >> 32) >> (z >> 8 & 31);
        uint32_t b = (uint32_t)next_random(&r) >> (z & 31), q, m;
        if (i < 70000) { /* every small divisor, the largest dividends */
            b = i + 1;
            a = UINT32_MAX - (uint32_t)(z >> 16) % 3;
        }
        if (b == 0)
            continue;
        divide(a, b, &q, &m);
        if (q != a / b || m != a % b)
            fail_msg("seed %d, iteration %u: %u / %u gives %u rest %u", SEED + 1, i, a, b, q, m);
    }
}

/* The host's fma, in its default mode, is IEEE 754: the same bits but for NaN. */
static void agrees_with_the_host(void **state) {
    (void)state;
    struct random r = {SEED + 2, SEED + 2};
    for (unsigned i = 0; i < NUMBERS; i++) {
        uint64_t bits[3] = {next_random(&r), next_random(&r), next_random(&r)}, want;
        if (i & 1) /* an addend that nearly cancels the product */
            bits[1] = (bits[1] & ~(UINT64_C(0x7ff) << 52)) | UINT64_C(0x3ff) << 52;
        if (i & 1)
            bits[2] = (bits[0] ^ (bits[1] & UINT64_C(1) << 63) ^ UINT64_C(1) << 63) + bits[2] % 9;
        double x, y, z, d;
        memcpy(&x, &bits[0], 8);
        memcpy(&y, &bits[1], 8);
        memcpy(&z, &bits[2], 8);
        d = fma(x, y, z);
        memcpy(&want, &d, 8);
        uint64_t got = fh_float_fma(FH_F64, bits[0], bits[1], bits[2], FH_ROUND_NEAREST);
        if (isnan(d) ? got != UINT64_C(0xfff8000000000000) : got != want)
            fail_msg("seed %d, iteration %u: fma(%a, %a, %a) is 0x%016" PRIx64 ", want %a",
                     SEED + 2, i, x, y, z, got, d);
    }
}

/* FCHK says yes to all that the short sequence cannot do: hand-made pairs on both sides. */
static void hard_divisions(void **state) {
    (void)state;
    static const struct {
        uint32_t a, b, hard;
    } cases[] = {
        {0x3f800000, 0x40400000, 0}, {0x7e000000, 0x3f800000, 0}, {0x3f800000, 0x00000000, 1},
        {0x3f800000, 0x7f800000, 1}, {0x7fc00000, 0x3f800000, 1}, {0x00000001, 0x3f800000, 1},
        {0x7f000000, 0x3f800000, 1}, {0x7f000000, 0x00800000, 1}, {0x3f800000, 0x7f000000, 1},
        {0x00800000, 0x3f800000, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (fh_float_division_is_hard(cases[i].a, cases[i].b) != cases[i].hard)
            fail_msg("0x%08x / 0x%08x: want %u", cases[i].a, cases[i].b, cases[i].hard);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_by_hand),
        cmocka_unit_test(every_immediate_comes_back),
        cmocka_unit_test(literals_that_do_not_fit),
        cmocka_unit_test(division_is_exact),
        cmocka_unit_test(agrees_with_the_host),
        cmocka_unit_test(hard_divisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
