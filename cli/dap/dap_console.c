/*
 * dap_console.c - lines of the line mode, whose answers are texts.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dap_parts.h"
#include "dap_query.h"
#include "dap_values.h"
#include "debug_console.h"

bool fh_dap_console_open(struct fh_dap *dap) {
    dap->console = malloc(sizeof *dap->console);
    if (dap->console)
        fh_cli_console_open(dap->console, dap->cli, dap->debugger, NULL, NULL);
    return dap->console != NULL;
}

void fh_dap_console_close(struct fh_dap *dap) {
    if (dap->console)
        fh_cli_console_close(dap->console);
    free(dap->console);
    dap->console = NULL;
}

bool fh_dap_console_quits(const struct fh_dap *dap) {
    return dap->console->quit;
}

/* What a line prints. */
static char *run(struct fh_cli_console *console, const char *line, fhec_status *status) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    *status = FHEC_HOST_ERROR;
    if (!out)
        return NULL;
    console->out = console->errors = out;
    *status = fh_cli_console_run(console, line);
    console->out = console->errors = NULL;
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    while (length && text[length - 1] == '\n')
        text[--length] = 0;
    return text;
}

char *fh_dap_run_line(struct fh_dap *dap, const char *line, fhec_status *status) {
    return run(dap->console, line, status);
}

/* On a console of its own: what was typed last is not this. */
char *fh_dap_run_print(struct fh_dap *dap, const char *expression, fhec_status *status) {
    char *line, *text = NULL;
    *status = FHEC_HOST_ERROR;
    if (strchr(expression, '\n') || asprintf(&line, "print %s", expression) < 0)
        return NULL;
    struct fh_cli_console console;
    fh_cli_console_open(&console, dap->cli, dap->debugger, NULL, NULL);
    text = run(&console, line, status);
    fh_cli_console_close(&console);
    free(line);
    return text;
}

size_t fh_dap_value_text(struct fh_dap *dap, const char *expression, char *to, size_t size) {
    struct fh_dap_value value;
    fhec_status status;
    char why[FH_DAP_WHY];
    if (fh_dap_value_register(dap, expression, &value)) {
        snprintf(to, size, value.is_word ? "%" PRIu32 : "%.0" PRIu32 "%s", value.word, value.text);
    } else if (!fh_dap_query_text(dap, expression, false, to, size, why)) {
        char *text = fh_dap_run_print(dap, expression, &status);
        snprintf(to, size, "%s", text ? text : "?");
        free(text);
    }
    return strlen(to);
}
