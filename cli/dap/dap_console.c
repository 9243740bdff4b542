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

/* What a line of the line mode prints; malloc'd, NULL without memory. `status` says whether it did
 * what it should. */
char *fh_dap_run_line(struct fh_dap *dap, const char *line, fhec_status *status) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    *status = FHEC_HOST_ERROR;
    if (!out)
        return NULL;
    struct fh_cli_console console = {.cli = dap->cli,
                                     .commands = fh_cli_debug_commands,
                                     .debugger = dap->debugger,
                                     .out = out,
                                     .errors = out};
    *status = fh_cli_console_run(&console, line);
    free(console.last);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    while (length && text[length - 1] == '\n')
        text[--length] = 0;
    return text;
}

/* A value as the line mode prints it. */
char *fh_dap_run_print(struct fh_dap *dap, const char *expression, fhec_status *status) {
    char *line, *text = NULL;
    *status = FHEC_HOST_ERROR;
    if (strchr(expression, '\n') || asprintf(&line, "print %s", expression) < 0)
        return NULL;
    text = fh_dap_run_line(dap, line, status);
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
