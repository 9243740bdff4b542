/*
 * cli_other_command_test.c - which arguments are a command's own, and which are those of the other
 * command that it has run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "other_command.h"

static const struct argp_option options[] = {
    {"execute", 'x', "SCRIPT", 0, "", 0},
    {"quiet", 'q', NULL, 0, "", 0},
    {"memory", 0x2800, "BYTES", 0, "", 0},
    {"batch", 0x2801, NULL, 0, "", 0},
    {0},
};

static void test_own(void **unused) {
    (void)unused;
    static const struct {
        const char *arg;
        int before_others, last;
    } all[] = {
        {"--memory", 2, 1}, {"--memory=1G", 1, 1}, {"--batch", 1, 1}, {"-x", 2, 1},
        {"-xFILE", 1, 1},   {"-q", 1, 1},          {"--mem", 0, 0},   {"--limbs", 0, 0},
        {"-y", 0, 0},       {"--", 0, 0},          {"-", 0, 0},       {"", 0, 0},
        {"ntt", 0, 0},      {"x", 0, 0},           {"memory", 0, 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_int_equal(fh_cli_own_option(options, all[i].arg, true), all[i].before_others);
        assert_int_equal(fh_cli_own_option(options, all[i].arg, false), all[i].last);
    }
}

/* Splits what stands between the blanks of `line`, and expects these two. */
static void expect_split(const char *line, int from, const char *mine, const char *theirs) {
    const struct fh_cli cli = {.command = "test", .silent = true};
    char text[200], *argv[20], got[200] = "";
    int argc = 0;
    struct fh_cli_split split;
    strcpy(text, line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    assert_int_equal(fh_cli_split(&cli, options, argc, argv, from, &split), FHEC_OK);
    for (int i = 0; i < split.mine_count; i++)
        strcat(strcat(got, i ? " " : ""), split.mine[i]);
    assert_string_equal(got, mine);
    *got = 0;
    for (int i = 0; i < split.their_count; i++)
        strcat(strcat(got, i ? " " : ""), split.theirs[i]);
    assert_string_equal(got, theirs);
    assert_null(split.mine[split.mine_count]);
    assert_null(split.theirs[split.their_count]);
    fh_cli_split_free(&split);
}

static void test_split(void **unused) {
    (void)unused;
    expect_split("debug", 0, "debug", "");
    expect_split("debug ckks hemult --batch --limbs 3", 0, "debug --batch",
                 "ckks hemult --limbs 3");
    expect_split("debug -x a ntt --n 64 --memory 1G -xb --memory", 0,
                 "debug -x a --memory 1G -xb --memory", "ntt --n 64");
    expect_split("why --memory 1G y[3] test file:case --limbs 3", 4, "why --memory 1G y[3]",
                 "test file:case --limbs 3");
    /* The value of an option is no name of a command, whatever it is. */
    expect_split("debug -x ntt bconv ntt", 0, "debug -x ntt", "bconv ntt");
}

static void test_names(void **unused) {
    (void)unused;
    static const struct {
        const char *name, *full;
        fh_cli_command *run;
    } all[] = {
        {"test", "fhec test", fh_cli_test},    {"ntt", "fhec ntt", fh_cli_ntt},
        {"bconv", "fhec bconv", fh_cli_bconv}, {"eltwise", "fhec eltwise", fh_cli_eltwise},
        {"ckks", "fhec ckks", fh_cli_ckks},    {"bigint", "fhec bigint", fh_cli_bigint},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const struct fh_cli_other *other = fh_cli_other_find(all[i].name);
        assert_non_null(other);
        assert_string_equal(other->full, all[i].full);
        assert_ptr_equal(other->run, all[i].run);
    }
    assert_null(fh_cli_other_find("nt"));
    assert_null(fh_cli_other_find("ntt2"));
    assert_null(fh_cli_other_find("debug"));
    assert_null(fh_cli_other_find(""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests_name("other commands", tests, NULL, NULL);
}
