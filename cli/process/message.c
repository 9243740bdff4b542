/*
 * message.c - everything that the tool says to a person, and the same as JSON for programs.
 */
#include "message.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_runtime.h"
#include "fhec_session.h"

static const char red[] = "\033[1;31m", plain[] = "\033[0m";

/* `more` is one more field, called `name`, or NULL. */
static void say_json(const char *severity, const char *about, const char *message, const char *name,
                     json_t *more) {
    json_t *object = json_pack("{s:s, s:s+}", "severity", severity, "message", about, message);
    if (object && more)
        json_object_set(object, name, more);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    /* A message that is not UTF-8, or no memory: better the bare words than nothing. */
    fprintf(stderr, "%s%s\n", text ? "" : about, text ? text : message);
    free(text);
    json_decref(object);
}

fhec_status fh_cli_error_more(const struct fh_cli *cli, fhec_status status, const char *message,
                              const char *name, struct json_t *more) {
    char about[300] = "";
    if (cli->where)
        snprintf(about, sizeof about, "%s: ", cli->where);
    else if (cli->launch)
        snprintf(about, sizeof about, "launch %u: ", cli->launch);
    if (cli->silent)
        ; /* not wanted */
    else if (cli->json)
        say_json("error", about, message, name, more);
    else
        fprintf(stderr, "%s: %serror:%s %s%s\n", cli->command, cli->color ? red : "",
                cli->color ? plain : "", about, message);
    json_decref(more);
    return status;
}

fhec_status fh_cli_error(const struct fh_cli *cli, fhec_status status, const char *format, ...) {
    va_list list;
    char *message = NULL;
    va_start(list, format);
    int length = vasprintf(&message, format, list);
    va_end(list);
    if (length < 0) {
        fprintf(stderr, "%s: error: out of memory\n", cli->command);
        return FHEC_HOST_ERROR;
    }
    (void)fh_cli_error_more(cli, status, message, NULL, NULL);
    free(message);
    return status;
}

fhec_status fh_cli_no_memory(const struct fh_cli *cli) {
    return fh_cli_error(cli, FHEC_HOST_ERROR, "out of memory");
}

void fh_cli_note(const struct fh_cli *cli, const char *format, ...) {
    if (cli->json)
        return;
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s: %s%s", cli->command, cli->where ? cli->where : "", cli->where ? ": " : "");
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}

/* Both formatters work like snprintf: ask for the length, then for the text. */
static char *formatted(const struct fh_cli *cli, const fhec_diagnostic *diagnostic) {
    size_t length = cli->json ? fhec_format_diagnostic_json(diagnostic, NULL, 0)
                              : fhec_format_diagnostic(diagnostic, cli->color, NULL, 0);
    char *text = malloc(length + 1);
    if (!text)
        return NULL;
    if (cli->json)
        fhec_format_diagnostic_json(diagnostic, text, length + 1);
    else
        fhec_format_diagnostic(diagnostic, cli->color, text, length + 1);
    return text;
}

/* What an object lacks is no news where kernels get it from the device's runtime. */
static bool runtime_has_it(const fhec_diagnostic *d) {
    const char *name = strrchr(d->message, ' ');
    return d->id && strcmp(d->id, "O102") == 0 && name && fh_device_has_function(name + 1);
}

void fh_cli_diagnostic(void *user, const fhec_diagnostic *diagnostic) {
    const struct fh_cli *cli = user;
    fhec_diagnostic said = *diagnostic;
    if (runtime_has_it(diagnostic))
        return;
    if (!said.at.file)
        said.at = (fhec_location){.file = cli->file};
    char *text = formatted(cli, &said);
    if (!text) {
        fh_cli_no_memory(cli);
        return;
    }
    size_t length = strlen(text);
    fputs(text, stderr);
    if (!length || text[length - 1] != '\n')
        fputc('\n', stderr);
    free(text);
}

/* As in the JSON of diagnostics. */
static json_t *expansions_json(const fhec_fault *fault) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < fault->expansion_count; i++) {
        const fhec_expansion *e = &fault->expansions[i];
        char what[256];
        (void)fhec_format_expansion(e, what, sizeof what);
        json_array_append_new(array, json_pack("{s:s, s:s, s:I, s:I, s:I}", "what", what, "file",
                                               e->at.file, "line", (json_int_t)e->at.line, "column",
                                               (json_int_t)e->at.column, "length",
                                               (json_int_t)e->at.length));
    }
    return array;
}

static void say_fault_json(const struct fh_cli *cli, const fhec_fault *fault, const char *text) {
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s?, s:I, s:[i,i,i], s:i, s:I, s:s?, s:s?, s:s?, s:s}", "severity",
        "fault", "fault", fhec_fault_name(fault->kind), "message",
        fault->message ? fault->message : "", "kernel", fault->kernel, "pc", (json_int_t)fault->pc,
        "block", (int)fault->block[0], (int)fault->block[1], (int)fault->block[2], "warp",
        (int)fault->warp, "lanes", (json_int_t)fault->lanes, "space", fault->space, "instruction",
        fault->text, "nearest", fault->nearest, "text", text);
    if (object && cli->launch)
        json_object_set_new(object, "launch", json_integer(cli->launch));
    if (object && fault->has_address)
        json_object_set_new(object, "address", json_integer((json_int_t)fault->address));
    if (object && fault->source.file) {
        json_object_set_new(object, "file", json_string(fault->source.file));
        json_object_set_new(object, "line", json_integer(fault->source.line));
        json_object_set_new(object, "column", json_integer(fault->source.column));
        if (fault->expansion_count)
            json_object_set_new(object, "expansions", expansions_json(fault));
    }
    char *dump = object ? json_dumps(object, JSON_COMPACT) : NULL;
    fprintf(stderr, "%s\n", dump ? dump : text);
    free(dump);
    json_decref(object);
}

static fhec_status say_fault(const struct fh_cli *cli, const fhec_fault *fault) {
    size_t length = fhec_format_fault(fault, NULL, 0);
    char *text = malloc(length + 1);
    if (!text)
        return fh_cli_no_memory(cli);
    fhec_format_fault(fault, text, length + 1);
    while (length && text[length - 1] == '\n')
        text[--length] = 0;
    if (cli->json && !cli->silent)
        say_fault_json(cli, fault, text);
    else
        fh_cli_error(cli, FHEC_GUEST_FAULT, "%s", text);
    free(text);
    return FHEC_GUEST_FAULT;
}

static void print_group(FILE *to, const fhec_position *p) {
    const fhec_group *g = &p->group;
    fprintf(to, "\n  block (%u,%u,%u), warp %u, lanes 0x%08x at 0x%04llx of %s", p->block[0],
            p->block[1], p->block[2], p->warp, g->lanes, (unsigned long long)g->pc,
            p->kernel ? p->kernel : "?");
    switch (g->wait) {
    case FHEC_WAIT_CONVERGE:
        fprintf(to, ", waiting at B%u for lanes 0x%08x", g->number, g->awaited);
        break;
    case FHEC_WAIT_MASK: fprintf(to, ", waiting for lanes 0x%08x", g->awaited); break;
    case FHEC_WAIT_BARRIER:
        fprintf(to, ", waiting at barrier %u for %u lanes of the block", g->number, g->awaited);
        break;
    default: break;
    }
    const size_t length =
        fhec_format_location(&p->source, p->expansions, p->expansion_count, NULL, 0);
    char *source = length ? malloc(length + 1) : NULL;
    if (source) {
        (void)fhec_format_location(&p->source, p->expansions, p->expansion_count, source,
                                   length + 1);
        fprintf(to, "  %s", source);
    }
    free(source);
}

/* Where the warps stood. */
static fhec_status say_interrupted(const struct fh_cli *cli, const fhec_machine *machine) {
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    fhec_position position;
    if (!to)
        return fh_cli_error(cli, FHEC_CANCELLED, "interrupted");
    fputs("interrupted", to);
    for (size_t i = 0; fhec_machine_position(machine, i, &position); i++)
        print_group(to, &position);
    if (fclose(to) == 0)
        fh_cli_error(cli, FHEC_CANCELLED, "%s", text);
    free(text);
    return FHEC_CANCELLED;
}

fhec_status fh_cli_machine_error(const struct fh_cli *cli, const fhec_machine *machine,
                                 fhec_status status) {
    const fhec_fault *fault = machine ? fhec_machine_fault(machine) : NULL;
    if (status == FHEC_GUEST_FAULT && fault)
        return say_fault(cli, fault);
    if (status == FHEC_CANCELLED && machine)
        return say_interrupted(cli, machine);
    const char *message = machine ? fhec_machine_error(machine) : NULL;
    if (!message || !*message)
        message = status == FHEC_HOST_ERROR ? "out of memory" : "the machine refused this";
    return fh_cli_error(cli, status, "%s", message);
}

struct fh_cli_hint fh_cli_hint(const char *near) {
    struct fh_cli_hint hint = {""};
    if (near)
        snprintf(hint.text, sizeof hint.text, "; did you mean \"%s\"?", near);
    return hint;
}
