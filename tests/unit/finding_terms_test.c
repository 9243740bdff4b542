/*
 * finding_terms_test.c - what findings are told with: values of an expectation's terms, parameters
 * of a launch by name, characters of UTF-8.
 */
#include "emu_util.h"
#include "safe_text.h"
#include "term_value.h"

/* ---------------------------------------------------------------- terms */

struct term_case {
    fhec_term terms[6];
    size_t count;
    bool known;
    int64_t value;
};

#define N(x)                                                                                       \
    { FHEC_TERM_NUMBER, (x) }
#define OP(kind)                                                                                   \
    { FHEC_TERM_##kind, 0 }

/* Terms stand behind those that they take. */
static void terms(void **unused) {
    (void)unused;
    static const struct term_case cases[] = {
        {{N(7)}, 1, true, 7},
        {{OP(ROW)}, 1, true, 3},
        {{OP(COLUMN)}, 1, true, 5},
        {{OP(LANE)}, 1, true, 9},
        {{OP(WARP)}, 1, true, 2},
        {{{FHEC_TERM_BLOCK, 0}}, 1, true, 11},
        {{{FHEC_TERM_BLOCK, 2}}, 1, true, 13},
        {{OP(MODULUS)}, 1, true, 97},
        {{OP(NAME)}, 1, false, 0}, /* of no value here */
        {{N(1), OP(NAME), OP(ADD)}, 3, false, 0},
        {{N(0), OP(NAME), OP(BOTH)}, 3, true, 0},
        {{N(5), OP(NAME), OP(EITHER)}, 3, true, 1},
        {{N(1), OP(NAME), OP(BOTH)}, 3, false, 0},
        {{N(0), OP(NAME), OP(EITHER)}, 3, false, 0},
        {{N(1), N(8), OP(NAME), OP(CHOICE)}, 4, true, 8},
        {{N(0), OP(NAME), N(9), OP(CHOICE)}, 4, true, 9},
        {{N(0), N(8), OP(NAME), OP(CHOICE)}, 4, false, 0},
        {{OP(NAME), N(8), N(9), OP(CHOICE)}, 4, false, 0},
        {{N(7), OP(NEGATE)}, 2, true, -7},
        {{N(7), OP(INVERT)}, 2, true, -8},
        {{N(7), N(5), OP(MULTIPLY)}, 3, true, 35},
        {{N(-7), N(2), OP(DIVIDE)}, 3, true, -3},
        {{N(-7), N(3), OP(REMAINDER)}, 3, true, -1},
        {{N(7), N(0), OP(DIVIDE)}, 3, false, 0},
        {{N(7), N(0), OP(REMAINDER)}, 3, false, 0},
        {{N(7), N(5), OP(ADD)}, 3, true, 12},
        {{N(7), N(5), OP(SUBTRACT)}, 3, true, 2},
        {{N(7), N(5), OP(SHIFT_LEFT)}, 3, true, 224},
        {{N(-7), N(1), OP(SHIFT_RIGHT)}, 3, true, -4},
        {{N(7), N(5), OP(LESS)}, 3, true, 0},
        {{N(5), N(7), OP(LESS)}, 3, true, 1},
        {{N(5), N(5), OP(LESS)}, 3, true, 0},
        {{N(5), N(5), OP(EQUAL)}, 3, true, 1},
        {{N(5), N(6), OP(EQUAL)}, 3, true, 0},
        {{N(12), N(10), OP(AND)}, 3, true, 8},
        {{N(12), N(10), OP(XOR)}, 3, true, 6},
        {{N(12), N(10), OP(OR)}, 3, true, 14},
        {{N(2), N(3), N(4), OP(MULTIPLY), OP(ADD)}, 5, true, 14},
    };
    const struct fh_moment moment = {.block = {11, 12, 13}, .warp = 2};
    struct fh_term_names names = {&moment, 3, 5, 9, true, 97};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const fhec_expectation e = {.terms = cases[i].terms, .term_count = cases[i].count};
        __int128 value = 0;
        const bool known = fh_term_value(&e, &names, &value);
        if (known != cases[i].known || (known && value != cases[i].value))
            fail_msg("case %zu: %d, %lld", i, known, (long long)value);
    }
    names.has_modulus = false;
    const fhec_term modulus = OP(MODULUS);
    const fhec_expectation e = {.terms = &modulus, .term_count = 1};
    __int128 value;
    assert_false(fh_term_value(&e, &names, &value));
}

/* ---------------------------------------------------------------- parameters */

static void parameters(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(".target sm_80\n.kernel K\n.param a, 8\n.param b, 4\n"
                                         ".param g, 2\n.param d, 16\n.param e, 1\nEXIT ;\n.end\n");
    fhec_kernel_info info;
    uint8_t bytes[64];
    uint64_t value = 1;
    assert_int_equal(fhec_kernel_get(program, 0, &info), FHEC_OK);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i + 1);
    assert_true(info.param_bytes <= sizeof bytes);
    fhec_launch launch = {.program = program, .params = bytes, .param_bytes = info.param_bytes};
    assert_true(fh_launch_parameter(&launch, "a", &value));
    assert_true(value == 0x0807060504030201);
    assert_true(fh_launch_parameter(&launch, "b", &value));
    assert_int_equal(value, 0x0c0b0a09);
    assert_true(fh_launch_parameter(&launch, "g", &value));
    assert_int_equal(value, 0x0e0d);
    assert_false(fh_launch_parameter(&launch, "d", &value)); /* more than eight bytes */
    assert_int_equal(value, 0);
    assert_false(fh_launch_parameter(&launch, "f", &value));
    assert_false(fh_launch_parameter(&launch, "", &value));
    launch.params = NULL;
    assert_false(fh_launch_parameter(&launch, "a", &value));
    launch.params = bytes;
    launch.kernel = 1;
    assert_false(fh_launch_parameter(&launch, "a", &value));
    fhec_program_free(program);
}

/* ---------------------------------------------------------------- UTF-8 */

/* The Unicode Standard, table 3-7: the bytes of well-formed characters, and their neighbours. */
static void characters(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {
        {"a", 1},
        {"\x7f", 1},
        {"\x80", 0},
        {"\xbf", 0},
        {"\xc1\xbf", 0},
        {"\xc2\x80", 2},
        {"\xc2\x7f", 0},
        {"\xc2\xc0", 0},
        {"\xdf\xbf", 2},
        {"\xdf", 0},
        {"\xe0\x9f\xbf", 0},
        {"\xe0\xa0\x80", 3},
        {"\xe0\xbf\xbf", 3},
        {"\xe0\xa0", 0},
        {"\xe1\x80\x80", 3},
        {"\xe1\x80\x7f", 0},
        {"\xec\xbf\xbf", 3},
        {"\xed\x9f\xbf", 3},
        {"\xed\xa0\x80", 0},
        {"\xed\xbf\xbf", 0},
        {"\xee\x80\x80", 3},
        {"\xee\xa0\x80", 3},
        {"\xef\xbf\xbf", 3},
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xf0\x90\x80\x80", 4},
        {"\xf0\xbf\xbf\xbf", 4},
        {"\xf1\x80\x80\x80", 4},
        {"\xf3\xbf\xbf\xbf", 4},
        {"\xf3\xbf\xbf", 0},
        {"\xf4\x80\x80\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\xf4\x90\x80\x80", 0},
        {"\xf5\x80\x80\x80", 0},
        {"\xff", 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (fh_utf8_length(cases[i].text) != cases[i].length)
            fail_msg("case %zu: %zu, not %zu", i, fh_utf8_length(cases[i].text), cases[i].length);
    struct fh_safe_text safe = fh_safe_text("a\x01\xc3\xa4\xff\x7f\xc2\x9fz", 100);
    assert_string_equal(safe.text, "a?\xc3\xa4???z");
    assert_int_equal(safe.characters, 7);
    safe = fh_safe_text("a\xc3\xa4z", 2);
    assert_string_equal(safe.text, "a\xc3\xa4");
    assert_int_equal(safe.characters, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms),
        cmocka_unit_test(parameters),
        cmocka_unit_test(characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
