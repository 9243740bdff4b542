/*
 * debug_console.c - see debug_console.h: lines, messages, and what is said of stops.
 */
#include "debug_console.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "nearest.h"

fhec_status fh_cli_console_error(const struct fh_cli_console *console, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)fflush(console->out);
    (void)fputs("error: ", console->errors);
    (void)vfprintf(console->errors, format, arguments);
    (void)fputc('\n', console->errors);
    va_end(arguments);
    return FHEC_BAD_INPUT;
}

fhec_status fh_cli_console_failed(const struct fh_cli_console *console, fhec_status status) {
    const char *why = fh_debugger_error(console->debugger);
    if (status != FHEC_OK)
        (void)fh_cli_console_error(console, "%s", *why ? why : "the debugger failed");
    return status;
}

/* ---------------------------------------------------------------- stops */

void fh_cli_console_place(const struct fh_cli_console *c) {
    const struct fh_focus *f = fh_debugger_focus(c->debugger);
    fhec_session *session = fh_debugger_session(c->debugger);
    const struct fh_debug_time time = fh_debugger_time(c->debugger);
    fhec_kernel_info info;
    fhec_instruction instruction;
    uint64_t pc;
    if (!session || !fh_debugger_launch(c->debugger, time.launch, NULL, &info))
        return;
    fprintf(c->out, "launch %zu of %zu, %s, instruction %" PRIu64, time.launch + 1,
            fh_debugger_launch_count(c->debugger), info.name, time.count);
    if (!fh_debugger_pc(c->debugger, &pc)) {
        fputc('\n', c->out);
        return;
    }
    fprintf(c->out, ", block (%u,%u,%u) warp %u lane %u\n", f->block[0], f->block[1], f->block[2],
            f->warp, f->lane);
    const fhec_location at = fhec_session_location(session, pc);
    if (fhec_session_instruction(session, pc, &instruction) != FHEC_OK)
        snprintf(instruction.text, sizeof instruction.text, "no instruction");
    if (at.file)
        fprintf(c->out, "%s:%u: ", at.file, at.line);
    fprintf(c->out, "0x%04" PRIx64 "  %s", pc, instruction.text);
    const struct fh_debug_patch *patch = fh_debugger_patched(c->debugger, time, pc);
    if (patch)
        fprintf(c->out, "  (patch %u)", patch->number);
    fputc('\n', c->out);
}

static const char *reason_text(const struct fh_debug_stop *stop) {
    switch (stop->reason) {
    case FH_STOP_BEGIN: return "the beginning";
    case FH_STOP_END: return "the end: all launches have ended";
    case FH_STOP_CANCEL: return "interrupted";
    case FH_STOP_NONE: return "there is none";
    default: return NULL;
    }
}

static void print_values(const struct fh_cli_console *c, const struct fh_debug_stop *at) {
    const fhec_stop *stop = &at->stop;
    if (stop->reason != FHEC_STOP_WATCHPOINT)
        return;
    if (*at->origin.was) {
        fprintf(c->out, "in lane %u: %s -> %s\n", at->origin.lane, at->origin.was, at->origin.is);
        return;
    }
    fprintf(c->out, "%s by lane %u of %" PRIu32 " bytes",
            stop->access == FHEC_ACCESS_READ ? "read" : "written", stop->lane, stop->bytes);
    if (stop->access & FHEC_ACCESS_WRITE)
        fprintf(c->out, ": 0x%x -> 0x%x\n", stop->old_value[0], stop->new_value[0]);
    else
        fprintf(c->out, ": 0x%x\n", stop->new_value[0]);
}

/* Which one it was; its commands are to be run. */
static void print_breakpoint(struct fh_cli_console *c, const struct fh_debug_stop *stop) {
    const struct fh_breakpoint *b;
    for (size_t i = 0; (b = fh_debugger_breakpoint(c->debugger, i)) != NULL; i++) {
        if (b->number != stop->breakpoint)
            continue;
        fprintf(c->out, "stop %u: %s%s%s\n", b->number, b->shown ? b->shown : "",
                b->condition ? " if " : "", b->condition ? b->condition : "");
        free(c->pending);
        c->pending = b->commands ? strdup(b->commands) : NULL;
    }
    if (stop->temporary)
        fprintf(c->out, "which was temporary\n");
}

void fh_cli_console_stopped(struct fh_cli_console *c, const struct fh_debug_stop *stop) {
    const char *text = reason_text(stop);
    if (text)
        fprintf(c->out, "%s\n", text);
    if (stop->breakpoint)
        print_breakpoint(c, stop);
    if (stop->reason == FH_STOP_FINDING && stop->finding)
        fprintf(c->out, "%s\n", stop->finding->text);
    if (stop->reason == FH_STOP_FAULT && stop->stop.fault) {
        char fault[2048];
        (void)fhec_format_fault(stop->stop.fault, fault, sizeof fault);
        fprintf(c->out, "%s", fault);
        if (*fault && fault[strlen(fault) - 1] != '\n')
            fputc('\n', c->out);
    }
    print_values(c, stop);
    fh_cli_console_place(c);
    c->ended |= stop->reason == FH_STOP_END;
    c->interrupted |= stop->reason == FH_STOP_CANCEL;
    c->status = stop->reason == FH_STOP_FAULT    ? FHEC_GUEST_FAULT
                : stop->reason == FH_STOP_CANCEL ? FHEC_CANCELLED
                                                 : FHEC_OK;
}

/* ---------------------------------------------------------------- lines */

static const struct fh_cli_debug_command *find_command(const struct fh_cli_console *c,
                                                       const char *name) {
    const struct fh_cli_debug_command *found = NULL;
    struct fh_nearest nearest;
    size_t count = 0;
    fh_nearest_begin(&nearest, name, strlen(name));
    for (const struct fh_cli_debug_command *k = c->commands; k->name; k++) {
        if (!strcmp(k->name, name) || (k->alias && !strcmp(k->alias, name)))
            return k;
        if (!strncmp(k->name, name, strlen(name))) {
            found = k;
            count++;
        }
        fh_nearest_try(&nearest, k->name, strlen(k->name));
    }
    if (count == 1)
        return found;
    if (count)
        (void)fh_cli_console_error(c, "\"%s\" is short for several commands: see `help`", name);
    else
        (void)fh_cli_console_error(c, "no command is called \"%s\"%s", name,
                                   nearest.best ? fh_cli_hint(nearest.best).text : "; see `help`");
    return NULL;
}

static fhec_status run_words(struct fh_cli_console *c, char *text) {
    char *rest = text + strcspn(text, " \t");
    if (*rest)
        *rest++ = '\0';
    rest += strspn(rest, " \t");
    const struct fh_cli_debug_command *command = find_command(c, text);
    if (!command)
        return FHEC_BAD_INPUT;
    return command->run(c, rest);
}

static bool repeats(const struct fh_cli_console *c, const char *line) {
    const size_t length = strcspn(line, " \t");
    for (const struct fh_cli_debug_command *k = c->commands; k->name; k++)
        if ((strlen(k->name) == length && !strncmp(k->name, line, length)) ||
            (k->alias && strlen(k->alias) == length && !strncmp(k->alias, line, length)))
            return k->repeats;
    return false;
}

/* One line, without what stops bring. */
static fhec_status run_text(struct fh_cli_console *c, const char *line) {
    char *text = strdup(line);
    if (!text) {
        (void)fh_cli_console_error(c, "out of memory");
        return FHEC_HOST_ERROR;
    }
    for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
        text[n - 1] = '\0';
    const fhec_status status = *text ? run_words(c, text) : FHEC_OK;
    free(text);
    return status;
}

/* The commands of the stop, and of those that they lead to. */
static fhec_status run_pending(struct fh_cli_console *c) {
    fhec_status status = FHEC_OK;
    while (c->pending && status == FHEC_OK && !c->quit) {
        char *commands = c->pending, *rest = commands, *line;
        c->pending = NULL; /* a command that moves ends its own list, as the place is another */
        while (!c->pending && status == FHEC_OK && (line = strsep(&rest, "\n")) != NULL)
            status = run_text(c, line + strspn(line, " \t"));
        free(commands);
        if (c->status == FHEC_CANCELLED)
            break;
    }
    free(c->pending);
    c->pending = NULL;
    return status;
}

/* A line of a breakpoint's commands. */
static fhec_status collect(struct fh_cli_console *c, const char *line) {
    const bool end = !strcmp(line, "end");
    const size_t before = c->collected ? strlen(c->collected) : 0;
    fhec_status status = FHEC_OK;
    if (!end) {
        char *more = realloc(c->collected, before + strlen(line) + 2);
        if (!more)
            return FHEC_HOST_ERROR;
        c->collected = more;
        (void)snprintf(more + before, strlen(line) + 2, "%s\n", line);
        return FHEC_OK;
    }
    status =
        fh_cli_console_failed(c, fh_debugger_commands(c->debugger, c->collecting, c->collected));
    free(c->collected);
    c->collected = NULL;
    c->collecting = 0;
    return status;
}

fhec_status fh_cli_console_run(struct fh_cli_console *c, const char *line) {
    line += strspn(line, " \t");
    c->interrupted = false;
    if (c->collecting)
        return collect(c, line);
    if (*line == '#')
        return FHEC_OK;
    if (!*line)
        line = c->last && repeats(c, c->last) ? c->last : "";
    if (!*line)
        return FHEC_OK;
    char *last = strdup(line);
    if (last) {
        free(c->last);
        c->last = last;
    }
    fhec_status status = run_text(c, last ? last : line);
    if (status == FHEC_OK)
        status = run_pending(c);
    return status;
}

void fh_cli_console_close(struct fh_cli_console *c) {
    free(c->last);
    free(c->collected);
    free(c->pending);
    free(c->shown);
    c->shown = NULL;
    c->last = c->collected = c->pending = NULL;
}

/* ---------------------------------------------------------------- completion */

static const char *const locations[] = {"pc",    "label", "kernel", "launch", "op",
                                        "class", "if",    "in",     NULL};
static const char *const lists[] = {"launches",    "blocks",   "warps",   "barriers", "allocations",
                                    "breakpoints", "findings", "patches", NULL};
static const char *const accesses[] = {"read", "write", "change", "access", "origin", NULL};
static const char *const finds[] = {"write", "change", "use", "origin", NULL};
static const char *const elements[] = {"/origin", "/lane", "/check", NULL};
static const char *const catches[] = {"fault", "finding", "barrier", "warp", "block", NULL};

static size_t add_words(const char *const *all, const char *typed, const char **words, size_t count,
                        size_t most) {
    for (; *all && count < most; all++)
        if (!strncmp(*all, typed, strlen(typed)))
            words[count++] = *all;
    return count;
}

/* Names of buffers. */
static size_t add_buffers(const struct fh_cli_console *c, const char *typed, const char **words,
                          size_t count, size_t most) {
    struct fh_debug_buffer buffer;
    for (size_t i = 0; count < most && fh_debugger_buffer(c->debugger, i, &buffer); i++)
        if (!buffer.released && !strncmp(buffer.name, typed, strlen(typed)))
            words[count++] = buffer.name;
    return count;
}

size_t fh_cli_console_complete(const struct fh_cli_console *c, const char *line, const char **words,
                               size_t most) {
    const char *space = strrchr(line, ' '), *typed = space ? space + 1 : line;
    const size_t first = strcspn(line, " ");
    size_t count = 0;
    if (!space || !strncmp(line, "help ", 5)) {
        for (const struct fh_cli_debug_command *k = c->commands; k->name && count < most; k++)
            if (!strncmp(k->name, typed, strlen(typed)))
                words[count++] = k->name;
        return count;
    }
    if (!strncmp(line, "info", first))
        return add_words(lists, typed, words, count, most);
    if (!strncmp(line, "catch", first))
        return add_words(catches, typed, words, count, most);
    if (!strncmp(line, "fragments", first))
        return add_words(elements, typed, words, count, most);
    if (!strncmp(line, "watch", first))
        count = add_words(accesses, typed, words, count, most);
    if (!strncmp(line, "last", first) || !strncmp(line, "first", first))
        count = add_words(finds, typed, words, count, most);
    if (!strncmp(line, "break", first) || !strncmp(line, "tbreak", first))
        count = add_words(locations, typed, words, count, most);
    return *typed ? add_buffers(c, typed, words, count, most) : count;
}
