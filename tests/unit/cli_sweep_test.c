/*
 * cli_sweep_test.c - parts of `fhec sweep` by themselves: places of values in JSON, text that is no
 * UTF-8, values as they are compared, conditions, options of a help text, words for a shell.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sweep_arguments.h"
#include "sweep_condition.h"
#include "sweep_help.h"
#include "sweep_place.h"
#include "sweep_point.h"
#include "sweep_text.h"

static void check_place(const char *text, const char *path, size_t line, size_t column) {
    const struct fh_cli_sweep_place place = fh_cli_sweep_place(text, path);
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}

static void places_of_values(void **state) {
    static const char text[] = "{\"a\": {\"b[]\": \"x,}]\\\"\",\n  \"c\" : [1, [2, {\"d\": 3}],\n"
                               "true ]},\n \"e\":-1.5e3}";
    (void)state;
    check_place(text, "", 1, 1);
    check_place(text, "a", 1, 7);
    check_place(text, "a.c", 2, 9);
    check_place(text, "a.c[0]", 2, 10);
    check_place(text, "a.c[1][1].d", 2, 23);
    check_place(text, "a.c[2]", 3, 1);
    check_place(text, "e", 4, 6);
    check_place(text, "a.c[3]", 2, 9); /* there is none: the list */
    check_place(text, "a.x.y", 1, 7);
    check_place("[[], {}, \"\"]", "[2]", 1, 10);
}

static void check_clean(const char *bytes, size_t length, const char *wanted) {
    char text[32];
    memcpy(text, bytes, length);
    text[length] = 0;
    fh_cli_sweep_clean_text(text, length);
    assert_string_equal(text, wanted);
}

/* Examples of chapter 3 of the Unicode standard, table 3-7, and its borders. */
static void text_is_utf8(void **state) {
    (void)state;
    check_clean("plain\n", 6, "plain\n");
    check_clean("a\0b", 3, "a?b");
    check_clean("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", 9, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    check_clean("\x80x", 2, "?x");
    check_clean("\xc0\xaf", 2, "??"); /* not the shortest form */
    check_clean("\xe0\x9f\x80", 3, "???");
    check_clean("\xed\xa0\x80", 3, "???");      /* a surrogate */
    check_clean("\xf4\x90\x80\x80", 4, "????"); /* above U+10FFFF */
    check_clean("\xf0\x8f\xbf\xbf", 4, "????");
    check_clean("\xe2\x82", 2, "??"); /* cut off */
    check_clean("\xe2\x82x", 3, "??x");
}

static void check_scalar(const char *value, const char *wanted) {
    json_t *read = json_loads(value, JSON_DECODE_ANY, NULL), *scalar = fh_cli_sweep_scalar(read);
    char *text = json_dumps(scalar, JSON_ENCODE_ANY);
    assert_string_equal(text, wanted);
    free(text);
    json_decref(scalar);
    json_decref(read);
}

/* What is the same argument is the same value. */
static void values_are_arguments(void **state) {
    (void)state;
    check_scalar("256", "256");
    check_scalar("\"256\"", "256");
    check_scalar("\"-3\"", "-3");
    check_scalar("\"0256\"", "\"0256\"");
    check_scalar("\"0x10\"", "\"0x10\"");
    check_scalar("\"+1\"", "\"+1\"");
    check_scalar("\"\"", "\"\"");
    check_scalar("0.1", "\"0.1\"");
    check_scalar("1e3", "1000");
    check_scalar("true", "true");
    check_scalar("null", "null");
    check_scalar("\"99999999999999999999\"", "\"99999999999999999999\"");
}

static bool holds(const char *list, const char *point) {
    json_t *conditions = json_loads(list, 0, NULL), *values = json_loads(point, 0, NULL);
    assert_true(conditions && values);
    const bool result = fh_cli_sweep_conditions_hold(conditions, values);
    json_decref(conditions);
    json_decref(values);
    return result;
}

static void conditions(void **state) {
    static const char point[] =
        "{\"map\": \"cuda32\", \"level\": 7, \"limbs\": 9, \"inverse\": true}";
    (void)state;
    assert_true(holds("[{\"map\": \"cuda32\"}]", point));
    assert_false(holds("[{\"map\": \"cuda64\"}]", point));
    assert_false(holds("[]", point));
    assert_true(holds("[{\"map\": \"x\"}, {\"level\": \"7\"}]", point)); /* one of them */
    assert_false(holds("[{\"map\": \"cuda32\", \"level\": 8}]", point)); /* all of one */
    assert_true(holds("[{\"level\": [6, 7]}]", point));
    assert_true(holds("[{\"level\": {\"from\": 7, \"to\": 7}}]", point));
    assert_false(holds("[{\"level\": {\"from\": 8}}]", point));
    assert_false(holds("[{\"level\": {\"to\": 6}}]", point));
    assert_true(holds("[{\"level\": {\"to\": \"$limbs\"}}]", point));
    assert_false(holds("[{\"level\": {\"from\": \"$limbs\"}}]", point));
    assert_false(holds("[{\"level\": {\"from\": \"$map\"}}]", point)); /* no number */
    assert_false(holds("[{\"map\": {\"from\": 1}}]", point));
    assert_true(holds("[{\"inverse\": true}]", point));
    assert_false(holds("[{\"other\": 1}]", point));
}

static void options_of_help(void **state) {
    static const char help[] = "Usage: fhec x [OPTION...]\nSays --n and more.\n\n"
                               "      --n=N                  The size, see --limbs\n"
                               "      --inverse              Backwards\n"
                               "  -j, --jobs=N               At once\n"
                               "      --stats[=FORMAT]       Counts\n"
                               "  -?, --help                 This\n";
    (void)state;
    assert_int_equal(fh_cli_sweep_help_option(help, "n"), FH_CLI_SWEEP_VALUE);
    assert_int_equal(fh_cli_sweep_help_option(help, "inverse"), FH_CLI_SWEEP_FLAG);
    assert_int_equal(fh_cli_sweep_help_option(help, "jobs"), FH_CLI_SWEEP_VALUE);
    assert_int_equal(fh_cli_sweep_help_option(help, "stats"), FH_CLI_SWEEP_EITHER);
    assert_int_equal(fh_cli_sweep_help_option(help, "limbs"), FH_CLI_SWEEP_UNKNOWN);
    assert_int_equal(fh_cli_sweep_help_option(help, "inver"), FH_CLI_SWEEP_UNKNOWN);
    assert_int_equal(fh_cli_sweep_help_option(help, "j"), FH_CLI_SWEEP_UNKNOWN);
    char *near = fh_cli_sweep_help_nearest(help, "invers");
    assert_string_equal(near, "inverse");
    free(near);
    assert_null(fh_cli_sweep_help_nearest(help, "something-else"));
}

static void arguments(void **state) {
    const struct fh_cli_sweep_point point = {
        .key = {"[\"run\",\"a b.sass\"]", "{\"grid\":1,\"in\":\"A=it's\",\"list\":true}", "{}"},
        .standard = FH_CLI_SWEEP_STATS | FH_CLI_SWEEP_THREADS};
    (void)state;
    char *list = fh_cli_sweep_arguments(&point), *text = fh_cli_sweep_point_text(&point);
    assert_string_equal(list, "[\"fhec\",\"run\",\"a b.sass\",\"--grid=1\",\"--in=A=it's\","
                              "\"--list\",\"--stats=json\",\"--threads=1\"]");
    assert_string_equal(text, "fhec run 'a b.sass' --grid=1 '--in=A=it'\\''s' --list --stats=json "
                              "--threads=1");
    free(list);
    free(text);
    assert_null(fh_cli_sweep_arguments_text("[1]"));
    assert_null(fh_cli_sweep_arguments_text("{"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_of_values),     cmocka_unit_test(text_is_utf8),
        cmocka_unit_test(values_are_arguments), cmocka_unit_test(conditions),
        cmocka_unit_test(options_of_help),      cmocka_unit_test(arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
