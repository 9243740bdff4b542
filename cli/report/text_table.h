/*
 * text_table.h - tables of text: as aligned columns for a terminal, or as Markdown.
 */
#ifndef FH_CLI_TABLE_H
#define FH_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FH_CLI_TABLE_COLUMNS = 12, FH_CLI_TABLE_WIDTH = 100, FH_CLI_TABLE_CELL = 48 };

/* The first column is a name, at the left; all others are numbers, at the right. */
struct fh_cli_table {
    size_t columns, rows;
    char (*cells)[FH_CLI_TABLE_COLUMNS][FH_CLI_TABLE_CELL]; /* row 0 is the heading */
    size_t next;                                            /* column of the row being filled */
    bool failed;                                            /* no memory */
};

/* Starts the next row. fh_cli_table_free in any case. */
void fh_cli_table_row(struct fh_cli_table *table);
/* The next cell of the row; longer text is cut. */
void fh_cli_table_cell(struct fh_cli_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A number with a comma before each group of three digits. */
void fh_cli_table_number(struct fh_cli_table *table, uint64_t value);
/* "2.42x", "0.1x"; a dash if there is nothing to divide. */
void fh_cli_table_ratio(struct fh_cli_table *table, uint64_t value, uint64_t by);
/* Empties it for the next table. False if memory ran out. */
bool fh_cli_table_print(struct fh_cli_table *table, FILE *to, bool markdown);
void fh_cli_table_free(struct fh_cli_table *table);

/* 1234567 as "1,234,567". */
enum { FH_CLI_GROUPED = 32 };
void fh_cli_grouped(uint64_t value, char text[FH_CLI_GROUPED]);

#endif
