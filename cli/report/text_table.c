/*
 * text_table.c - tables of text. In plain text columns are two spaces apart, or one where the table
 * would otherwise be wider than a page.
 */
#include "text_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"

void fh_cli_table_row(struct fh_cli_table *table) {
    void *cells = fh_cli_more(table->cells, table->rows, sizeof *table->cells);
    table->next = 0;
    if (!cells) {
        table->failed = true;
        return;
    }
    table->cells = cells;
    memset(table->cells[table->rows++], 0, sizeof *table->cells);
}

void fh_cli_table_cell(struct fh_cli_table *table, const char *format, ...) {
    va_list list;
    if (table->failed || table->next == FH_CLI_TABLE_COLUMNS)
        return;
    va_start(list, format);
    vsnprintf(table->cells[table->rows - 1][table->next++], FH_CLI_TABLE_CELL, format, list);
    va_end(list);
    if (table->next > table->columns)
        table->columns = table->next;
}

void fh_cli_grouped(uint64_t value, char text[FH_CLI_GROUPED]) {
    char digits[FH_CLI_GROUPED];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = 0;
}

void fh_cli_table_number(struct fh_cli_table *table, uint64_t value) {
    char text[FH_CLI_GROUPED];
    fh_cli_grouped(value, text);
    fh_cli_table_cell(table, "%s", text);
}

void fh_cli_table_ratio(struct fh_cli_table *table, uint64_t value, uint64_t by) {
    if (value && by)
        fh_cli_table_cell(table, "%.2fx", (double)value / (double)by);
    else
        fh_cli_table_cell(table, "-");
}

static void print_markdown(const struct fh_cli_table *table, FILE *to) {
    for (size_t r = 0; r < table->rows; r++) {
        for (size_t c = 0; c < table->columns; c++)
            fprintf(to, "| %s ", table->cells[r][c]);
        fputs("|\n", to);
        for (size_t c = 0; c < table->columns && r == 0; c++)
            fputs(c ? "|---:" : "|---", to);
        if (r == 0)
            fputs("|\n", to);
    }
}

static void print_text(const struct fh_cli_table *table, FILE *to) {
    size_t widths[FH_CLI_TABLE_COLUMNS] = {0}, total = 0;
    for (size_t c = 0; c < table->columns; c++) {
        for (size_t r = 0; r < table->rows; r++) {
            size_t length = strlen(table->cells[r][c]);
            widths[c] = length > widths[c] ? length : widths[c];
        }
        total += widths[c];
    }
    size_t gap = total + 2 * (table->columns - 1) > FH_CLI_TABLE_WIDTH ? 1 : 2;
    for (size_t r = 0; r < table->rows; r++) {
        fprintf(to, "%-*s", (int)widths[0], table->cells[r][0]);
        for (size_t c = 1; c < table->columns; c++)
            fprintf(to, "%*s", (int)(widths[c] + gap), table->cells[r][c]);
        fputc('\n', to);
        for (size_t i = 0; i < total + gap * (table->columns - 1) && r == 0; i++)
            fputc('-', to);
        if (r == 0)
            fputc('\n', to);
    }
}

bool fh_cli_table_print(struct fh_cli_table *table, FILE *to, bool markdown) {
    bool good = !table->failed;
    if (good && table->rows)
        (markdown ? print_markdown : print_text)(table, to);
    fh_cli_table_free(table);
    return good;
}

void fh_cli_table_free(struct fh_cli_table *table) {
    free(table->cells);
    memset(table, 0, sizeof *table);
}
