/*
 * report_page.c - see report_page.h.
 */
#include "report_page.h"

#include <string.h>

void fh_cli_page_heading(struct fh_cli_page *page, const char *text) {
    if (page->markdown) {
        fprintf(page->to, "\n## %s\n\n", text);
        return;
    }
    fprintf(page->to, "\n%s\n", text);
    for (size_t i = 0; text[i]; i++)
        fputc('=', page->to);
    fputs("\n\n", page->to);
}

void fh_cli_page_paragraph(struct fh_cli_page *page, size_t indent, const char *text) {
    size_t column = 0;
    if (page->markdown) {
        fprintf(page->to, indent ? "%s\n" : "%s\n\n", text);
        return;
    }
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column && column + 1 + length > FH_CLI_TABLE_WIDTH) {
            fprintf(page->to, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column) {
            fputc(' ', page->to);
            column++;
        }
        fwrite(text, 1, length, page->to);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', page->to);
}

void fh_cli_page_table(struct fh_cli_page *page, struct fh_cli_table *table) {
    page->good = fh_cli_table_print(table, page->to, page->markdown) && page->good;
}

void fh_cli_page_caption(struct fh_cli_page *page, const char *text) {
    fprintf(page->to, page->markdown ? "\n**%s**\n\n" : "%s\n", text);
}
