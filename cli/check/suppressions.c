/*
 * suppressions.c - see suppressions.h.
 */
#include "suppressions.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "finding_ids.h"
#include "input.h"
#include "message.h"
#include "nearest.h"
#include "options.h"

static void say(const struct fh_cli *cli, const char *id, fhec_severity severity, const char *file,
                uint32_t line, const char *message) {
    const fhec_diagnostic diagnostic = {.id = id,
                                        .severity = severity,
                                        .message = message,
                                        .at = {.file = file, .line = line, .column = 1}};
    fh_cli_diagnostic((void *)cli, &diagnostic);
}

static fhec_status not_understood(const struct fh_cli *cli, const char *file, uint32_t line,
                                  const char *message) {
    say(cli, "C901", FHEC_ERROR, file, line, message);
    return FHEC_BAD_INPUT;
}

/* A copy of the name that lives as long as the list. */
static const char *keep_name(struct fh_cli_suppressions *s, const char *name) {
    for (size_t i = 0; i < s->name_count; i++)
        if (strcmp(s->names[i], name) == 0)
            return s->names[i];
    char **names = fh_cli_more(s->names, s->name_count, sizeof *names);
    if (!names)
        return NULL;
    s->names = names;
    names[s->name_count] = strdup(name);
    return names[s->name_count] ? names[s->name_count++] : NULL;
}

static bool find_kind(const char *id, unsigned *kind) {
    for (*kind = 0; *kind < FH_FINDING_KINDS; ++*kind)
        if (strcmp(fh_finding_id(*kind), id) == 0)
            return true;
    return false;
}

static const char *nearest_id(const char *id) {
    const char *ids[FH_FINDING_KINDS];
    for (unsigned i = 0; i < FH_FINDING_KINDS; i++)
        ids[i] = fh_finding_id(i);
    return fh_nearest_of(id, ids, FH_FINDING_KINDS);
}

/* The next word of the text, which is cut there. */
static char *next_word(char **text) {
    *text += strspn(*text, " \t");
    char *word = *text;
    *text += strcspn(*text, " \t");
    if (**text)
        *(*text)++ = 0;
    return word;
}

/* One more, with its id and reason checked. */
static fhec_status add(const struct fh_cli *cli, struct fh_cli_suppressions *s, const char *id,
                       const char *reason, struct fh_cli_suppression **added) {
    char message[400];
    unsigned kind;
    const char *file = s->list[s->count].said_in;
    const uint32_t line = s->list[s->count].said_at;
    if (!find_kind(id, &kind)) {
        snprintf(message, sizeof message, "no finding has the id \"%s\"%s", id,
                 fh_cli_hint(nearest_id(id)).text);
        return not_understood(cli, file, line, message);
    }
    reason += strspn(reason, " \t");
    if (!*reason)
        return not_understood(cli, file, line, "a suppression needs a reason");
    *added = &s->list[s->count];
    (*added)->kind = kind;
    (*added)->reason = strdup(reason);
    if (!(*added)->reason)
        return fh_cli_no_memory(cli);
    s->count++;
    return FHEC_OK;
}

/* Room for one more, which is said there. */
static fhec_status prepare(const struct fh_cli *cli, struct fh_cli_suppressions *s,
                           const char *file, uint32_t line) {
    struct fh_cli_suppression *list = fh_cli_more(s->list, s->count, sizeof *list);
    const char *name = keep_name(s, file);
    if (list)
        s->list = list;
    if (!list || !name)
        return fh_cli_no_memory(cli);
    list[s->count] = (struct fh_cli_suppression){.said_in = name, .said_at = line};
    return FHEC_OK;
}

/* ---------------------------------------------------------------- files and comments */

/* "kernel:PATTERN", "FILE" or "FILE:LINE". */
static bool set_where(struct fh_cli_suppression *x, const char *where) {
    static const char kernel[] = "kernel:";
    if (strncmp(where, kernel, sizeof kernel - 1) == 0) {
        x->kernel = strdup(where + sizeof kernel - 1);
        return x->kernel;
    }
    const char *colon = strrchr(where, ':');
    uint64_t line = 0;
    if (colon && fh_cli_number(colon + 1, &line) && line && line <= UINT32_MAX)
        x->line = (uint32_t)line;
    else
        colon = NULL;
    x->file = strndup(where, colon ? (size_t)(colon - where) : strlen(where));
    return x->file;
}

struct reading {
    const struct fh_cli *cli;
    const char *path;
    struct fh_cli_suppressions *to;
};

static fhec_status read_line(void *user, char *line, uint32_t number) {
    const struct reading *r = user;
    struct fh_cli_suppression *added;
    fhec_status status = prepare(r->cli, r->to, r->path, number);
    if (status != FHEC_OK)
        return status;
    const char *id = next_word(&line), *where = next_word(&line);
    status = add(r->cli, r->to, id, line, &added);
    if (status == FHEC_OK && !set_where(added, where))
        status = fh_cli_no_memory(r->cli);
    return status;
}

fhec_status fh_cli_suppressions_read(const struct fh_cli *cli, const char *path,
                                     struct fh_cli_suppressions *s) {
    struct reading reading = {cli, path, s};
    return fh_cli_each_line(cli, path, read_line, &reading);
}

/* A comment of `length` bytes, behind its mark. */
static fhec_status scan_comment(const struct fh_cli *cli, struct fh_cli_suppressions *s,
                                const char *name, const char *comment, size_t length,
                                uint32_t said_at, uint32_t about) {
    struct fh_cli_suppression *added;
    char *copy = strndup(comment, length), *rest = copy;
    fhec_status status = copy ? prepare(cli, s, name, said_at) : fh_cli_no_memory(cli);
    if (status == FHEC_OK) {
        const char *id = next_word(&rest);
        status = add(cli, s, id, rest, &added);
    }
    free(copy);
    if (status != FHEC_OK)
        return status;
    added->in_source = true;
    added->line = about;
    added->file = strdup(name);
    return added->file ? FHEC_OK : fh_cli_no_memory(cli);
}

/* The first line from there on that is more than a comment. */
static uint32_t next_code(const char *text, uint32_t line) {
    for (; *text; line++) {
        const char *at = text + strspn(text, " \t\r");
        if (*at != '\n' && strncmp(at, "//", 2) != 0)
            break;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return line;
}

fhec_status fh_cli_suppressions_scan(const struct fh_cli *cli, const char *name, const char *text,
                                     struct fh_cli_suppressions *s) {
    static const char mark[] = "// fhec: ignore ";
    fhec_status worst = FHEC_OK;
    if (!strstr(text, mark))
        return FHEC_OK;
    for (uint32_t line = 1; *text; line++) {
        const size_t length = strcspn(text, "\r\n");
        const char *end = text + strcspn(text, "\n") + (strchr(text, '\n') != NULL);
        const char *at = strstr(text, mark);
        if (at && at < text + length) {
            const bool alone = text + strspn(text, " \t") == at;
            const char *comment = at + sizeof mark - 1;
            const fhec_status status =
                scan_comment(cli, s, name, comment, (size_t)(text + length - comment), line,
                             alone ? next_code(end, line + 1) : line);
            worst = status > worst ? status : worst;
        }
        text = end;
    }
    return worst;
}

/* ---------------------------------------------------------------- using them */

/* Whether the path is the name, or ends in it behind a "/". */
static bool is_called(const char *path, const char *name) {
    const size_t all = strlen(path), some = strlen(name);
    return all >= some && strcmp(path + all - some, name) == 0 &&
           (all == some || path[all - some - 1] == '/');
}

static bool is_there(const struct fh_cli_suppression *x, const char *file, uint32_t line) {
    return file && (!x->line || x->line == line) && is_called(file, x->file);
}

void fh_cli_suppressions_reach(struct fh_cli_suppressions *s, const fhec_program *program,
                               size_t kernel) {
    fhec_kernel_info info;
    if (!s->count || fhec_kernel_get(program, kernel, &info) != FHEC_OK)
        return;
    for (uint32_t word = 0; word < info.word_count; word++) {
        fhec_expansion steps[FHEC_MAX_EXPANSIONS];
        const fhec_location at = fhec_kernel_location(program, kernel, word);
        const size_t count =
            fhec_kernel_expansions(program, kernel, word, steps, FHEC_MAX_EXPANSIONS);
        for (size_t i = 0; i < s->count; i++) {
            struct fh_cli_suppression *x = &s->list[i];
            for (size_t k = 0; x->in_source && !x->reached && k <= count; k++)
                x->reached = k ? is_there(x, steps[k - 1].at.file, steps[k - 1].at.line)
                               : is_there(x, at.file, at.line);
        }
    }
}

static bool suppresses(const struct fh_cli_suppression *x, const struct fh_place_source *source) {
    if (!source->kernel)
        return false;
    if (x->kernel)
        return fnmatch(x->kernel, source->kernel, 0) == 0;
    for (size_t i = 0; i < source->line_count; i++)
        if (is_there(x, source->lines[i].file, source->lines[i].line))
            return true;
    return false;
}

const struct fh_cli_suppression *fh_cli_suppressions_find(struct fh_cli_suppressions *s,
                                                          const struct fh_finding *f) {
    for (size_t i = 0; i < s->count; i++) {
        struct fh_cli_suppression *x = &s->list[i];
        if (x->kind != f->kind || (!suppresses(x, &f->source) && !suppresses(x, &f->other_source)))
            continue;
        x->used = true;
        return x;
    }
    return NULL;
}

void fh_cli_suppressions_say_unused(const struct fh_cli *cli, const struct fh_cli_suppressions *s,
                                    unsigned checkers) {
    for (size_t i = 0; i < s->count; i++) {
        const struct fh_cli_suppression *x = &s->list[i];
        char message[200];
        if (x->used || (x->in_source && !x->reached) ||
            !(checkers & FH_CHECK_BIT(fh_finding_checker(x->kind))))
            continue;
        snprintf(message, sizeof message, "no %s was found here: the suppression is not needed",
                 fh_finding_id(x->kind));
        say(cli, "C900", FHEC_WARNING, x->said_in, x->said_at, message);
    }
}

void fh_cli_suppressions_free(struct fh_cli_suppressions *s) {
    for (size_t i = 0; i < s->count; i++) {
        free(s->list[i].file);
        free(s->list[i].kernel);
        free(s->list[i].reason);
    }
    for (size_t i = 0; i < s->name_count; i++)
        free(s->names[i]);
    free(s->list);
    free(s->names);
    *s = (struct fh_cli_suppressions){0};
}
