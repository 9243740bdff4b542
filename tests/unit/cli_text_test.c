/*
 * cli_text_test.c - numbers, shapes, names and test lines as the command line reads them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "job.h"
#include "message.h"
#include "options.h"
#include "test_data.h"
#include "test_golden.h"
#include "test_line.h"

static const struct fh_cli quiet = {.command = "test", .silent = true};

static void numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {
        {"0", 0},
        {"17", 17},
        {"0x1F", 31},
        {"0Xff", 255},
        {"0b101", 5},
        {"0O17", 15},
        {"18446744073709551615", UINT64_MAX},
        {"0xffffffffffffffff", UINT64_MAX},
    };
    static const char *const bad[] = {"",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "010",
                                      "0b2",
                                      "1_000",
                                      "0x",
                                      "1.5",
                                      "1k",
                                      "x",
                                      "18446744073709551616",
                                      "0xg",
                                      "a",
                                      "--",
                                      "1,",
                                      "0x10000000000000000"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        uint64_t value = 99;
        assert_true(fh_cli_number(good[i].text, &value));
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t value;
        if (fh_cli_number(bad[i], &value))
            fail_msg("accepted as a number: \"%s\"", bad[i]);
    }
}

static void dimensions(void **state) {
    (void)state;
    uint32_t dims[3];
    assert_true(fh_cli_dimensions("7", 1024, dims));
    assert_true(dims[0] == 7 && dims[1] == 1 && dims[2] == 1);
    assert_true(fh_cli_dimensions("3,1024,0x5", 1024, dims));
    assert_true(dims[0] == 3 && dims[1] == 1024 && dims[2] == 5);
    static const char *const bad[] = {"", "0", "1,0", "1025", "1,2,3,4", "1,", ",1", "-1", "1x2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (fh_cli_dimensions(bad[i], 1024, dims))
            fail_msg("accepted as dimensions: \"%s\"", bad[i]);
}

static void hints(void **state) {
    (void)state;
    assert_string_equal(fh_cli_hint(NULL).text, "");
    assert_string_equal(fh_cli_hint("run").text, "; did you mean \"run\"?");
}

static void words(void **state) {
    (void)state;
    struct fh_cli_test_line line;
    assert_true(fh_cli_test_cut("  expect\tsum  golden add a b\r", "t.test", 7, &line));
    assert_int_equal(line.count, 6);
    assert_string_equal(line.words[0], "expect");
    assert_string_equal(line.words[5], "b");
    assert_string_equal(fh_cli_test_option(&line, 2, "add"), "a");
    assert_null(fh_cli_test_option(&line, 2, "expect"));
    assert_null(fh_cli_test_option(&line, 0, "b"));
    free(line.text);
    assert_true(fh_cli_test_cut("", "t.test", 1, &line));
    assert_int_equal(line.count, 0);
    free(line.text);
    char many[2 * FH_CLI_TEST_WORDS + 3] = "";
    for (unsigned i = 0; i <= FH_CLI_TEST_WORDS; i++)
        strcat(many, "x ");
    assert_false(fh_cli_test_cut(many, "t.test", 1, &line));
    free(line.text);
}

static void lists(void **state) {
    (void)state;
    struct fh_cli_test_line line = {.file = "t.test", .line = 1};
    uint64_t *values;
    size_t count;
    assert_int_equal(
        fh_cli_test_list(&quiet, &line, "5,0x10,18446744073709551615", &values, &count), FHEC_OK);
    assert_int_equal(count, 3);
    assert_true(values[0] == 5 && values[1] == 16 && values[2] == UINT64_MAX);
    free(values);
    static const char *const bad[] = {"", ",", "1,", "1,,2", "1,x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(fh_cli_test_list(&quiet, &line, bad[i], &values, &count), FHEC_BAD_INPUT);
        assert_null(values);
    }
}

/* Makes the value that `text`, the words of an `in` line, describes; its status. */
static fhec_status source(const char *text, struct fh_cli_test_value *value) {
    struct fh_cli_test_line line;
    assert_true(fh_cli_test_cut(text, "t.test", 1, &line));
    fhec_status status = fh_cli_test_source(&quiet, &line, value);
    free(line.text);
    return status;
}

static void sources(void **state) {
    (void)state;
    uint64_t e[8];
    struct fh_cli_test_value value = {"a", e, 8, 4};
    assert_int_equal(source("in a u32[8] values 1,2,3,4,5,6,7,4294967295", &value), FHEC_OK);
    assert_true(e[0] == 1 && e[7] == 4294967295);
    assert_int_equal(source("in a u32[8] ramp", &value), FHEC_OK);
    assert_true(e[0] == 0 && e[7] == 7);
    assert_int_equal(source("in a u32[8] max below 17,5", &value), FHEC_OK);
    assert_true(e[0] == 16 && e[3] == 16 && e[4] == 4 && e[7] == 4);
    assert_int_equal(source("in a u32[8] one-hot below 17 seed 13", &value), FHEC_OK);
    for (size_t i = 0; i < 8; i++)
        assert_true(e[i] == (i == 5));
    assert_int_equal(source("in a u32[8] alternating below 11", &value), FHEC_OK);
    assert_true(e[0] == 0 && e[1] == 10 && e[6] == 0 && e[7] == 10);
    /* floor(2^64 / 3) = 0x5555555555555555, floor(2^64 / 7) = 0x2492492492492492. */
    assert_int_equal(source("in a u32[8] moduli 3,7", &value), FHEC_OK);
    assert_true(e[0] == 3 && e[1] == 0 && e[2] == 0x55555555 && e[3] == 0x55555555);
    assert_true(e[4] == 7 && e[5] == 0 && e[6] == 0x92492492 && e[7] == 0x24924924);
    assert_int_equal(source("in a u32[8] random seed 3", &value), FHEC_OK);
    for (size_t i = 0; i < 8; i++)
        assert_true(e[i] == fh_golden_random_word(3, 0, i) >> 32);
    static const char *const bad[] = {
        "in a u32[8] values 1,2",           "in a u32[8] values",        "in a u32[8] max",
        "in a u32[8] random below 1,2,3",   "in a u32[8] random seed x", "in a u32[8] max below 0",
        "in a u32[8] max below 4294967297", "in a u32[8] moduli 3",      "in a u32[8] moduli 3,1",
        "in a u32[8] file no/such/file",    "in a u32[8] file",          "in a u32[8] nothing",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (source(bad[i], &value) == FHEC_OK)
            fail_msg("accepted: %s", bad[i]);
}

/* The result of a reference, as a line asks for it. */
static fhec_status golden(const char *text, size_t count, uint64_t **result) {
    static uint64_t a[4] = {5, 6, 7, 1}, b[4] = {3, 16, 1, 2}, c[4] = {9, 9, 0, 1};
    static const struct fh_cli_test_value values[] = {
        {"a", a, 4, 4}, {"b", b, 4, 4}, {"c", c, 4, 4}};
    struct fh_cli_test_line line;
    assert_true(fh_cli_test_cut(text, "t.test", 1, &line));
    fhec_status status = fh_cli_test_golden(&quiet, &line, values, 3, count, result);
    free(line.text);
    return status;
}

/* Small enough to be worked out by hand. */
static void references(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t want[4];
    } good[] = {
        {"expect x golden add a b mod 17", {8, 5, 8, 3}},
        {"expect x golden sub a b mod 17", {2, 7, 6, 16}},
        {"expect x golden mul a b mod 17", {15, 11, 7, 2}},
        {"expect x golden mac a b c mod 17", {7, 3, 7, 3}},
        {"expect x golden add a b mod 17,3", {8, 5, 2, 0}},
        {"expect x golden copy b", {3, 16, 1, 2}},
        /* [5 6; 7 1] [3 16; 1 2] + [9 9; 0 1] = [30 101; 22 115]; columns mod 17 and 10 */
        {"expect x golden matmul a b c shape 2,2,2 mod 17", {13, 16, 5, 13}},
        {"expect x golden matmul a b c shape 2,2,2 mod 17,10", {13, 1, 5, 5}},
        /* psi = 2 modulo 17, N = 4: a(2), a(8), a(15), a(9) = 5 + 6x + 7x^2 + x^3 */
        {"expect x golden ntt a mod 17 psi 2 order natural", {2, 10, 13, 12}},
        {"expect x golden ntt a mod 17 psi 2", {2, 13, 10, 12}},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        uint64_t *result;
        assert_int_equal(golden(good[i].text, 4, &result), FHEC_OK);
        for (size_t k = 0; k < 4; k++)
            if (result[k] != good[i].want[k])
                fail_msg("%s: element %zu is %llu, not %llu", good[i].text, k,
                         (unsigned long long)result[k], (unsigned long long)good[i].want[k]);
        free(result);
    }
    static const char *const bad[] = {
        "expect x golden",
        "expect x golden nothing a b mod 17",
        "expect x golden add a mod 17",
        "expect x golden add a b",
        "expect x golden add a b mod 17,17,17",
        "expect x golden add a b mod 0",
        "expect x golden add a d mod 17",
        "expect x golden matmul a b c shape 2,2 mod 17",
        "expect x golden matmul a b c shape 4,4,4 mod 17",
        "expect x golden matmul a b c shape 2,2,2 mod 17,10,3",
        "expect x golden ntt a mod 16",
        "expect x golden ntt a mod 17 psi 4",
        "expect x golden ntt a mod 17 order random",
        "expect x golden bconv a from 3,5",
        "expect x golden bconv a from 3,5 to 7,11,13",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint64_t *result = NULL;
        if (golden(bad[i], 4, &result) == FHEC_OK)
            fail_msg("accepted: %s", bad[i]);
        assert_null(result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),    cmocka_unit_test(dimensions), cmocka_unit_test(hints),
        cmocka_unit_test(words),      cmocka_unit_test(lists),      cmocka_unit_test(sources),
        cmocka_unit_test(references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
