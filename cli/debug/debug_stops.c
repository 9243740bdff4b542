/*
 * debug_stops.c - commands about stops: breakpoints, watchpoints, catches, their conditions and
 * commands, and files of them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug_commands.h"
#include "debug_location.h"
#include "debug_names.h"

/* Adds it as the person wrote it, "break 12 in w1", and tells its number. */
static fhec_status add(struct fh_cli_console *c, struct fh_breakpoint *b, const char *command,
                       const char *text) {
    char shown[600];
    unsigned number;
    (void)snprintf(shown, sizeof shown, "%s %s", command, text);
    b->shown = shown;
    const fhec_status status = fh_debugger_add(c->debugger, b, &number);
    if (status != FHEC_OK)
        return fh_cli_console_failed(c, status);
    c->number = number;
    fprintf(c->out, "%u: %s%s%s\n", number, shown, b->condition ? " if " : "",
            b->condition ? b->condition : "");
    return FHEC_OK;
}

/* A copy of the text without its condition. */
static char *without_condition(const char *text) {
    char *copy = strdup(text), *at = copy;
    while (at && (at = strstr(at, " if ")) != NULL) {
        *at = '\0';
        break;
    }
    return copy;
}

static fhec_status no_memory(const struct fh_cli_console *c) {
    (void)fh_cli_console_error(c, "out of memory");
    return FHEC_HOST_ERROR;
}

static fhec_status add_break(struct fh_cli_console *c, char *text, bool temporary) {
    struct fh_breakpoint b = {.temporary = temporary};
    char *shown = without_condition(text);
    if (!shown)
        return no_memory(c);
    fhec_status status = fh_cli_debug_read_location(c, text, &b);
    if (status == FHEC_OK)
        status = add(c, &b, temporary ? "tbreak" : "break", shown);
    free(shown);
    return status;
}

fhec_status fh_cli_debug_break(struct fh_cli_console *c, char *text) {
    return add_break(c, text, false);
}
fhec_status fh_cli_debug_tbreak(struct fh_cli_console *c, char *text) {
    return add_break(c, text, true);
}

/* "origin" at the beginning, cut off: the stop is about where values come from. */
static bool cut_origin(char **text) {
    static const char word[] = "origin ";
    if (strncmp(*text, word, sizeof word - 1) != 0)
        return false;
    *text += sizeof word - 1;
    return true;
}

/* "[read|write|change|origin] TARGET ..." */
fhec_status fh_cli_debug_watch(struct fh_cli_console *c, char *text) {
    static const struct {
        const char *name;
        unsigned access;
    } accesses[] = {{"read", FHEC_ACCESS_READ},
                    {"write", FHEC_ACCESS_WRITE},
                    {"change", FHEC_ACCESS_CHANGE},
                    {"access", FHEC_ACCESS_READ | FHEC_ACCESS_WRITE}};
    struct fh_breakpoint b = {.access = FHEC_ACCESS_CHANGE};
    char *shown = without_condition(text);
    if (!shown)
        return no_memory(c);
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        const size_t length = strlen(accesses[i].name);
        if (strncmp(text, accesses[i].name, length) != 0 || text[length] != ' ')
            continue;
        b.access = accesses[i].access;
        text += length;
        break;
    }
    const bool origin = cut_origin(&text);
    fhec_status status = fh_cli_debug_read_target(c, text, &b);
    if (status == FHEC_OK && origin)
        status = fh_cli_debug_origin_target(c, &b);
    if (status == FHEC_OK)
        status = add(c, &b, "watch", shown);
    free(shown);
    return status;
}

static void warn_unchecked(const struct fh_cli_console *c) {
    const struct fh_cli_debug_user *user = fh_debugger_user(c->debugger);
    if (!user->checks.on)
        fprintf(c->out, "no checkers are on yet: `check` switches them on\n");
}

fhec_status fh_cli_debug_catch(struct fh_cli_console *c, char *text) {
    static const struct {
        const char *name;
        enum fh_break_kind kind;
    } kinds[] = {{"fault", FH_CATCH_FAULT},
                 {"finding", FH_CATCH_FINDING},
                 {"barrier", FH_CATCH_BARRIER},
                 {"warp", FH_CATCH_WARP_END},
                 {"block", FH_CATCH_BLOCK_END}};
    struct fh_breakpoint b = {0};
    char *shown = strdup(text);
    if (!shown)
        return no_memory(c);
    const char *word = fh_cli_debug_word(&text);
    fhec_status status = FHEC_BAD_INPUT;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(word, kinds[i].name) != 0)
            continue;
        b.kind = kinds[i].kind;
        status = *text ? fh_cli_console_error(c, "\"%s\" is too much", text)
                       : add(c, &b, "catch", shown);
        if (status == FHEC_OK && b.kind == FH_CATCH_FINDING)
            warn_unchecked(c);
        free(shown);
        return status;
    }
    free(shown);
    return fh_cli_console_error(c,
                                "what? fault, finding, barrier, warp (its end) or block (its end)");
}

/* ---------------------------------------------------------------- by number */

/* A number, or $: the last that was made. */
static fhec_status read_number(const struct fh_cli_console *c, char **text, unsigned *number) {
    const char *word = fh_cli_debug_word(text);
    uint64_t value;
    *number = c->number;
    if (!strcmp(word, "$") && c->number)
        return FHEC_OK;
    if (!fh_cli_debug_number(word, &value) || value > UINT32_MAX)
        return fh_cli_console_error(c, "\"%s\" is no number of a breakpoint", word);
    *number = (unsigned)value;
    return FHEC_OK;
}

/* Does it to all, or to those whose numbers follow. */
static fhec_status for_each(struct fh_cli_console *c, char *text,
                            fhec_status (*act)(struct fh_debugger *debugger, unsigned number)) {
    const struct fh_breakpoint *b;
    fhec_status status = FHEC_OK;
    unsigned number;
    if (!*text) {
        for (size_t i = 0; (b = fh_debugger_breakpoint(c->debugger, i)) != NULL;) {
            number = b->number;
            status = act(c->debugger, number);
            b = fh_debugger_breakpoint(c->debugger, i);
            i += b && b->number == number; /* else it is gone */
        }
        return fh_cli_console_failed(c, status);
    }
    while (*text && status == FHEC_OK) {
        status = read_number(c, &text, &number);
        if (status == FHEC_OK)
            status = fh_cli_console_failed(c, act(c->debugger, number));
    }
    return status;
}

static fhec_status enable(struct fh_debugger *debugger, unsigned number) {
    return fh_debugger_enable(debugger, number, true);
}
static fhec_status disable(struct fh_debugger *debugger, unsigned number) {
    return fh_debugger_enable(debugger, number, false);
}

fhec_status fh_cli_debug_delete(struct fh_cli_console *c, char *text) {
    return for_each(c, text, fh_debugger_remove);
}
fhec_status fh_cli_debug_enable(struct fh_cli_console *c, char *text) {
    return for_each(c, text, enable);
}
fhec_status fh_cli_debug_disable(struct fh_cli_console *c, char *text) {
    return for_each(c, text, disable);
}

fhec_status fh_cli_debug_ignore(struct fh_cli_console *c, char *text) {
    unsigned number;
    uint64_t hits;
    const fhec_status status = read_number(c, &text, &number);
    if (status != FHEC_OK)
        return status;
    if (!fh_cli_debug_number(text, &hits))
        return fh_cli_console_error(c, "how many hits? ignore N HITS");
    return fh_cli_console_failed(c, fh_debugger_ignore(c->debugger, number, hits));
}

fhec_status fh_cli_debug_condition(struct fh_cli_console *c, char *text) {
    unsigned number;
    const fhec_status status = read_number(c, &text, &number);
    if (status != FHEC_OK)
        return status;
    return fh_cli_console_failed(c,
                                 fh_debugger_condition(c->debugger, number, *text ? text : NULL));
}

/* "N COMMAND; COMMAND ..."; without commands the lines that follow, up to `end`. */
fhec_status fh_cli_debug_commands_of(struct fh_cli_console *c, char *text) {
    unsigned number;
    const fhec_status status = read_number(c, &text, &number);
    if (status != FHEC_OK)
        return status;
    if (!*text) {
        const fhec_status known = fh_debugger_commands(c->debugger, number, NULL);
        c->collecting = known == FHEC_OK ? number : 0;
        return fh_cli_console_failed(c, known);
    }
    for (char *p = text; *p; p++)
        *p = *p == ';' ? '\n' : *p;
    return fh_cli_console_failed(c, fh_debugger_commands(c->debugger, number, text));
}

/* ---------------------------------------------------------------- files */

static void save_one(FILE *file, const struct fh_breakpoint *b) {
    fprintf(file, "%s%s%s\n", b->shown ? b->shown : "", b->condition ? " if " : "",
            b->condition ? b->condition : "");
    if (b->ignore)
        fprintf(file, "ignore $ %" PRIu64 "\n", b->ignore);
    if (b->disabled)
        fprintf(file, "disable $\n");
    if (b->commands && *b->commands)
        fprintf(file, "commands $\n%s%send\n", b->commands,
                b->commands[strlen(b->commands) - 1] == '\n' ? "" : "\n");
}

fhec_status fh_cli_debug_save(struct fh_cli_console *c, char *text) {
    const struct fh_breakpoint *b;
    if (!*text)
        return fh_cli_console_error(c, "to which file? save FILE");
    FILE *file = fopen(text, "w");
    if (!file)
        return fh_cli_console_error(c, "cannot write %s: %s", text, strerror(errno));
    for (size_t i = 0; (b = fh_debugger_breakpoint(c->debugger, i)) != NULL; i++)
        save_one(file, b);
    fh_cli_debug_save_patches(c, file);
    const bool bad = ferror(file) != 0;
    if (fclose(file) != 0 || bad)
        return fh_cli_console_error(c, "cannot write %s: %s", text, strerror(errno));
    return FHEC_OK;
}

enum { DEEPEST = 16 }; /* files that run files */

fhec_status fh_cli_debug_source(struct fh_cli_console *c, char *text) {
    fhec_status status = FHEC_OK;
    char *line = NULL;
    size_t size = 0;
    FILE *file = *text && c->depth < DEEPEST ? fopen(text, "r") : NULL;
    if (c->depth >= DEEPEST)
        return fh_cli_console_error(c, "more than %d files that run each other", DEEPEST);
    if (!file)
        return fh_cli_console_error(c, "cannot read %s: %s", text,
                                    *text ? strerror(errno) : "no file is named");
    c->depth++;
    while (!c->quit && !c->interrupted && status == FHEC_OK && getline(&line, &size, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        status = fh_cli_console_run(c, line);
    }
    c->depth--;
    free(line);
    (void)fclose(file);
    return status;
}
