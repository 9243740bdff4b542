/*
 * debug_why.c - the debugger's `why`: what a value was made of.
 */
#include <stdlib.h>
#include <string.h>

#include "debug_commands.h"
#include "debug_location.h"
#include "slice_text.h"
#include "value_origin.h"

enum { DEPTH = 6, NODES = 60 };

static void print(const struct fh_cli_console *c, const struct fh_explain *asked,
                  const struct fh_explanation *e, const char *name) {
    const struct fh_cli_slice shown = {&e->slice, e->journal, NULL, asked->bytes, name};
    if (asked->memory || e->writer != FH_NO_STEP)
        fh_cli_slice_text(&shown, c->out);
    else
        fprintf(c->out, "%s: %s\n", name,
                e->forgotten ? "what wrote it is no longer kept"
                             : "no instruction of this launch wrote it");
}

/* "why TARGET [DEPTH]" */
fhec_status fh_cli_debug_why(struct fh_cli_console *c, char *text) {
    struct fh_breakpoint target = {.shown = "why", .access = FHEC_ACCESS_WRITE};
    struct fh_explain asked = {.limits = {.depth = DEPTH, .nodes = NODES, .guards = true},
                               .most_bytes = (size_t)1 << 30};
    struct fh_explanation explanation;
    char name[80];
    const char *word = fh_cli_debug_word(&text), *depth = fh_cli_debug_word(&text);
    uint64_t number;
    if (*depth && (!fh_cli_debug_number(depth, &number) || number < 1 || number > 1000))
        return fh_cli_console_error(c, "\"%s\" is no depth: 1 to 1000", depth);
    if (*depth)
        asked.limits.depth = (uint32_t)number;
    char *whole = strdup(word);
    if (!whole)
        return fh_cli_console_error(c, "no host memory");
    fhec_status status = fh_cli_debug_read_target(c, whole, &target);
    asked.memory = target.kind == FH_WATCH_MEMORY;
    if (status == FHEC_OK && asked.memory &&
        (target.space != FHEC_SPACE_GLOBAL || target.bytes > 8))
        status = fh_cli_console_error(c, "one element of global memory, or a register");
    if (status == FHEC_OK) {
        const uint32_t lane = fh_debugger_focus(c->debugger)->lane;
        asked.address = target.address;
        asked.bytes = asked.memory ? (uint32_t)target.bytes : 4;
        asked.file = target.file_of;
        asked.reg = target.reg;
        asked.lane = lane;
        if (asked.memory || asked.file == FHEC_FILE_UR || asked.file == FHEC_FILE_UP)
            snprintf(name, sizeof name, "%.60s", word);
        else
            snprintf(name, sizeof name, "%.60s of lane %u", word, lane);
        status = fh_debugger_explain(c->debugger, &asked, &explanation);
        if (status == FHEC_OK)
            print(c, &asked, &explanation, name);
        else
            status = fh_cli_console_failed(c, status);
        if (status == FHEC_OK && fh_debugger_has_changed(c->debugger))
            fprintf(c->out, "what was changed by hand on the way is not followed\n");
        fh_explanation_free(&explanation);
    }
    free(whole);
    return status;
}
