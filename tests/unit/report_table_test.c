/*
 * Tables of text: grouping of digits, alignment, and the gap that gives way on wide tables.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text_table.h"

static void grouping(void **state) {
    (void)state;
    static const struct {
        uint64_t value;
        const char *text;
    } rows[] = {
        {0, "0"},
        {7, "7"},
        {999, "999"},
        {1000, "1,000"},
        {65536, "65,536"},
        {139449088, "139,449,088"},
        {100000, "100,000"},
        {UINT64_MAX, "18,446,744,073,709,551,615"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[FH_CLI_GROUPED];
        fh_cli_grouped(rows[i].value, text);
        assert_string_equal(text, rows[i].text);
    }
}

/* What a table prints; the caller frees it. */
static char *printed(struct fh_cli_table *table, bool markdown) {
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    assert_true(fh_cli_table_print(table, to, markdown));
    fclose(to);
    assert_null(table->cells);
    return text;
}

static void fill(struct fh_cli_table *table) {
    fh_cli_table_row(table);
    fh_cli_table_cell(table, "map");
    fh_cli_table_cell(table, "warp");
    fh_cli_table_cell(table, "ratio");
    fh_cli_table_row(table);
    fh_cli_table_cell(table, "fhec16");
    fh_cli_table_number(table, 22208);
    fh_cli_table_ratio(table, 218496, 22208);
    fh_cli_table_row(table);
    fh_cli_table_cell(table, "mont");
    fh_cli_table_number(table, 5);
    fh_cli_table_ratio(table, 1, 0);
}

static void forms(void **state) {
    (void)state;
    struct fh_cli_table table = {.rows = 0};
    fill(&table);
    char *text = printed(&table, false);
    assert_string_equal(text, "map       warp  ratio\n"
                              "---------------------\n"
                              "fhec16  22,208  9.84x\n"
                              "mont         5      -\n");
    free(text);
    fill(&table);
    text = printed(&table, true);
    assert_string_equal(text, "| map | warp | ratio |\n"
                              "|---|---:|---:|\n"
                              "| fhec16 | 22,208 | 9.84x |\n"
                              "| mont | 5 | - |\n");
    free(text);
}

/* Columns of 33, 33 and 30 or 31 characters: two gaps of 2 fit a page of 100, or do not. */
static void narrow_gap(void **state) {
    (void)state;
    for (int last = 30; last <= 31; last++) {
        struct fh_cli_table table = {.rows = 0};
        fh_cli_table_row(&table);
        fh_cli_table_cell(&table, "%033d", 1);
        fh_cli_table_cell(&table, "%033d", 2);
        fh_cli_table_cell(&table, "%0*d", last, 3);
        char *text = printed(&table, false);
        assert_int_equal(strcspn(text, "\n"), last == 30 ? 100 : 99);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(grouping), cmocka_unit_test(forms),
                                       cmocka_unit_test(narrow_gap)};
    return cmocka_run_group_tests_name("report_table", tests, NULL, NULL);
}
