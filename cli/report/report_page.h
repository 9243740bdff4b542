/*
 * report_page.h - what sections of the report in text or Markdown are written with.
 */
#ifndef FH_CLI_REPORT_PAGE_H
#define FH_CLI_REPORT_PAGE_H

#include "report_form.h"
#include "text_table.h"

struct fh_cli_page {
    const struct fh_cli_report_view *view;
    FILE *to;
    bool markdown;
    bool good;
};

void fh_cli_page_heading(struct fh_cli_page *page, const char *text);
/* A paragraph; in text its lines are filled, those after the first indented by `indent`. */
void fh_cli_page_paragraph(struct fh_cli_page *page, size_t indent, const char *text);
/* A table, which it empties. */
void fh_cli_page_table(struct fh_cli_page *page, struct fh_cli_table *table);
/* A sub-heading of a table. */
void fh_cli_page_caption(struct fh_cli_page *page, const char *text);

/* The section of each application. report_apps_text.c */
void fh_cli_report_apps_text(struct fh_cli_page *page, const struct fh_cli_apps *apps);

#endif
