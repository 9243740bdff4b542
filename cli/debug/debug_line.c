/*
 * debug_line.c - see debug_line.h.
 */
#include "debug_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug_console.h"
#include "debug_findings.h"
#include "debug_target.h"
#include "interrupt.h"
#include "line_editor.h"
#include "message.h"

struct reader {
    const struct fh_cli_debug_line *line;
    struct fh_cli_console console;
};

/* Ctrl-C ends what the command runs. */
static fhec_status run_line(struct reader *r, char *text) {
    struct fh_cli_console *c = &r->console;
    text[strcspn(text, "\r\n")] = '\0';
    fh_cli_interrupt_begin(fh_debugger_machine(c->debugger));
    const fhec_status status = fh_cli_console_run(c, text);
    fh_cli_interrupt_end();
    return status;
}

/* Whether a command that failed ends the reading. */
static bool ends(const struct reader *r, fhec_status status) {
    return status != FHEC_OK && (status != FHEC_BAD_INPUT || r->line->batch) &&
           !r->line->keep_going;
}

/* Ctrl-C ends a script, too; what is typed, or comes through a pipe, goes on. */
static fhec_status read_lines(struct reader *r, FILE *file, bool script) {
    struct fh_cli_console *c = &r->console;
    fhec_status status = FHEC_OK;
    char *text = NULL;
    size_t size = 0;
    c->interrupted = false;
    while (!c->quit && !ends(r, status) && !(script && c->interrupted) &&
           getline(&text, &size, file) >= 0) {
        status = run_line(r, text);
        if (fflush(c->out) != 0 || ferror(c->out))
            c->quit = true; /* nobody listens any more: said when the tool ends */
    }
    free(text);
    return ends(r, status) ? status : FHEC_OK;
}

static fhec_status read_script(struct reader *r, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file)
        return fh_cli_error(r->console.cli, FHEC_HOST_ERROR, "cannot read %s: %s", path,
                            strerror(errno));
    const fhec_status status = read_lines(r, file, true);
    const bool bad = ferror(file) != 0;
    (void)fclose(file);
    if (bad)
        return fh_cli_error(r->console.cli, FHEC_HOST_ERROR, "cannot read %s", path);
    return status;
}

static size_t complete(void *user, const char *line, const char **words, size_t most) {
    return fh_cli_console_complete(user, line, words, most);
}

static fhec_status read_terminal(struct reader *r) {
    struct fh_cli_console *c = &r->console;
    struct fh_line_editor *editor = fh_line_editor_open("(fhec) ", complete, c);
    fhec_status status = FHEC_OK;
    char *text;
    if (!editor)
        return fh_cli_no_memory(c->cli);
    while (!c->quit && !ends(r, status) && (text = fh_line_editor_read(editor)) != NULL) {
        status = run_line(r, text);
        (void)fflush(c->out);
    }
    fh_line_editor_close(editor);
    return ends(r, status) ? status : FHEC_OK;
}

fhec_status fh_cli_debug_line(void *user, struct fh_cli *cli, struct fh_debugger *debugger) {
    const struct fh_cli_debug_line *line = user;
    struct reader r = {.line = line};
    fhec_status status = FHEC_OK;
    const char *no_color = getenv("NO_COLOR");
    fh_cli_console_open(&r.console, cli, debugger, stdout, stderr);
    r.console.color = isatty(STDOUT_FILENO) && !(no_color && *no_color);
    const bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (fh_debugger_stop(debugger)->reason != FH_STOP_START || (terminal && !line->batch))
        fh_cli_console_stopped(&r.console, fh_debugger_stop(debugger));
    for (size_t i = 0;
         i < line->script_count && status == FHEC_OK && !r.console.quit && !r.console.interrupted;
         i++)
        status = read_script(&r, line->scripts[i]);
    if (line->batch && !line->script_count)
        status = read_lines(&r, stdin, true);
    else if (status == FHEC_OK && !line->batch && !r.console.quit)
        status = terminal ? read_terminal(&r) : read_lines(&r, stdin, false);
    if (status == FHEC_OK)
        status = r.console.status;
    status = fh_cli_debug_found(&r.console, status);
    fh_cli_console_close(&r.console);
    return status;
}

static const struct fh_cli_debug_line no_scripts = {0};
const struct fh_cli_debug_face fh_cli_debug_terminal = {.run = fh_cli_debug_line,
                                                        .user = (void *)(uintptr_t)&no_scripts};
