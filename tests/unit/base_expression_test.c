/*
 * base_expression_test.c - numbers and expressions as base/ reads them: where they end, how large
 * they may be, what is wrong where, and texts that are none. Values of random expressions are
 * Python's, in tests/cli/numbers.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expression_text.h"

/* ---------------------------------------------------------------- numbers */

static void where_numbers_end(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } all[] = {{"0x1f+2", 4}, {"12]", 2},  {"0..3", 1},   {"1.5-2", 3},
               {"1e-5+1", 4}, {"1e-x", 2}, {"0x1e-5", 4}, {"1.5e+3;", 6},
               {"1_0 ", 3},   {"3@4", 1},  {"x", 0},      {"", 0},
               {"1.2.3", 5},  {"1u)", 2},  {"0b12*", 4},  {"1.e5-1", 4}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (fh_literal_length(all[i].text) != all[i].length)
            fail_msg("%s: %zu, not %zu", all[i].text, fh_literal_length(all[i].text),
                     all[i].length);
}

/* 2^1151 - 1 is the largest one; each word of it is known. */
static void wide_numbers(void **state) {
    (void)state;
    char text[400];
    struct fh_wide number;
    const char *why;
    memset(text, 'f', sizeof text);
    memcpy(text, "0x7", 3);
    assert_true(fh_parse_wide(text, 2 + 288, &number, &why)); /* 3 bits, and 287 times 4 */
    assert_true(number.w[FH_WIDE_WORDS - 1] == INT64_MAX && number.w[0] == UINT64_MAX);
    text[2] = '8';
    assert_false(fh_parse_wide(text, 2 + 288, &number, &why));
    assert_string_equal(why, "it has more than 1151 bits");
    assert_false(fh_parse_wide(text, 2 + 300, &number, &why));
    assert_true(fh_parse_wide("340282366920938463463374607431768211456", 39, &number, &why));
    assert_true(number.w[0] == 0 && number.w[1] == 0 && number.w[2] == 1);      /* 2^128 */
    assert_true(fh_parse_wide("0o20000000000000000000000", 25, &number, &why)); /* 2^67 */
    assert_true(number.w[0] == 0 && number.w[1] == 8);
    uint64_t small;
    assert_true(fh_parse_number("18446744073709551615", 20, &small, &why));
    assert_true(small == UINT64_MAX);
    assert_false(fh_parse_number("18446744073709551616", 20, &small, &why));
    assert_string_equal(why, "it has more than 64 bits");
    assert_int_equal(fh_parse_digits("ffffffffffffffff ", 16, &small), 16);
    assert_true(small == UINT64_MAX);
    assert_int_equal(fh_parse_digits("10000000000000000", 16, &small), 0);
    assert_int_equal(fh_parse_digits("00010x", 16, &small), 5);
    assert_int_equal(small, 16);
    double real;
    assert_true(fh_parse_real("2.5e-1", &real) && real == 0.25);
    assert_true(fh_parse_real("0x10", &real) && real == 16);
    assert_false(fh_parse_real("inf", &real) || fh_parse_real(" 1", &real) ||
                 fh_parse_real("010", &real) || fh_parse_real("", &real));
}

/* ---------------------------------------------------------------- expressions */

static bool name(void *user, const char *text, size_t length, fh_integer *value,
                 char wrong[FH_EXPRESSION_WRONG]) {
    (void)user, (void)wrong;
    *value = -7;
    return length == 1 && *text == 'x';
}

static void is(const char *text, fh_integer wanted) {
    char wrong[FH_EXPRESSION_WRONG], got[FH_INTEGER_TEXT];
    fh_integer value;
    if (!fh_expression_value(text, name, NULL, &value, wrong))
        fail_msg("%s: %s", text, wrong);
    fh_integer_text(value, got);
    if (value != wanted)
        fail_msg("%s is %s", text, got);
}

static void is_wrong(const char *text, const char *wanted) {
    char wrong[FH_EXPRESSION_WRONG];
    fh_integer value;
    if (fh_expression_value(text, name, NULL, &value, wrong))
        fail_msg("%s is right", text);
    if (!strstr(wrong, wanted))
        fail_msg("%s: %s", text, wrong);
}

static void values(void **state) {
    (void)state;
    const fh_integer two63 = (fh_integer)1 << 63;
    is("1 + 2 * 3 - -4", 11);
    is("1 << 63", two63);
    is("0xffffffffffffffff >> 63", 1);
    is("1 << 40", (fh_integer)1 << 40);
    is("0xffffffff00000001", (fh_integer)0xffffffff00000001);
    is("-0x8000000000000000", -two63);
    is("~0x8000000000000000", two63 - 1); /* of 64 bits */
    is("~5", -6);
    is("-1 & 0xffffffffffffffff", 2 * two63 - 1);
    is("-7 / 2", -3);
    is("x % 3", -1);
    is("x >> 1", -4);
    is("1 ? 2 : 3 ? 4 : 5", 2);
    is("0 ? 2 : 0 ? 4 : 5", 5);
    is("0 && 1 / 0 || 1 || 1 << 99", 1);
    is("x ? 1 : 1 / 0", 1);
    is("1 | 6 ^ 3 & 2 == 2 < 5 << 1", 7); /* 1 | (6 ^ (3 & (2 == (2 < (5 << 1))))) */
    is("!x + !!x", 1);
    is(" ( 1\t)", 1);
}

static void what_is_wrong(void **state) {
    (void)state;
    is_wrong("1 << 64", "the distance of a shift is from 0 to 63");
    is_wrong("1 >> 64", "the distance of a shift is from 0 to 63");
    is_wrong("1 << 67", "the distance of a shift is from 0 to 63");
    is_wrong("1 << -1", "the distance of a shift");
    is_wrong("0xffffffffffffffff + 1", "the result is not from -2^63 to 2^64 - 1");
    is_wrong("-0x8000000000000000 - 1", "the result is not from -2^63 to 2^64 - 1");
    is_wrong("-0x8000000000000001", "the result is not from -2^63 to 2^64 - 1");
    is_wrong("0xffffffffffffffff * 0xffffffffffffffff", "the result is not");
    is_wrong("0x10000000000000000", "it has more than 64 bits");
    is_wrong("1 / 0", "division by zero");
    is_wrong("5 % (x + 7)", "division by zero");
    is_wrong("010", "write 0o for octal");
    is_wrong("1 ? 2", "`:` is expected");
    is_wrong("(1", "`)` is expected");
    is_wrong("1 2", "an operator is expected");
    is_wrong("1.5", "`1.5` is no integer");
    is_wrong("y", "a number is expected");
    is_wrong("", "a number is expected");
    is_wrong("1 +", "a number is expected");
}

/* Deep, long, and any bytes: an error, or a number. */
static void hostile_text(void **state) {
    (void)state;
    static const char letters[] = "0123789abx()+-*/%<>=!&|^~?:. \t_";
    static const char *const begins[] = {"(", "-", "1?", "1?2:", "1||1&&1|1^1&1==1<1<<1+1*("};
    static char text[40000];
    char wrong[FH_EXPRESSION_WRONG];
    fh_integer value;
    uint64_t random = 9;
    for (size_t b = 0; b < sizeof begins / sizeof *begins; b++) {
        const size_t length = strlen(begins[b]);
        for (size_t i = 0; i + length < sizeof text; i += length)
            memcpy(text + i, begins[b], length);
        text[sizeof text - sizeof text % length - length] = '\0';
        assert_false(fh_expression_value(text, name, NULL, &value, wrong));
        assert_true(*wrong);
    }
    for (size_t i = 0; i + 2 < sizeof text; i += 2)
        memcpy(text + i, "1+", 2);
    memcpy(text + sizeof text - 2, "1", 2);
    is(text, sizeof text / 2); /* long, and nowhere deep */
    for (unsigned n = 0; n < 100000; n++) {
        size_t length = 0;
        for (; length < n % 30; length++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            text[length] = n % 8 ? letters[(random >> 33) % (sizeof letters - 1)]
                                 : (char)(1 + (random >> 33) % 255);
        }
        text[length] = '\0';
        if (!fh_expression_value(text, name, NULL, &value, wrong))
            assert_true(*wrong);
        else
            assert_true(value >= FH_INTEGER_LEAST && value <= FH_INTEGER_MOST);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_numbers_end),
        cmocka_unit_test(wide_numbers),
        cmocka_unit_test(values),
        cmocka_unit_test(what_is_wrong),
        cmocka_unit_test(hostile_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
