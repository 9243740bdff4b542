/*
 * script.c - launch scripts: reading one, its lines, loops and names.
 */
#include "script.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "input.h"
#include "message.h"
#include "nearest.h"
#include "options.h"
#include "script_parts.h"
#include "shell_words.h"

enum { REPEAT, END, LET }; /* commands that are done here */
static const struct {
    const char *name;
    fh_cli_script_command *run;
    bool results; /* it looks at what launches have left */
} commands[] = {
    [REPEAT] = {"repeat", NULL, false},
    [END] = {"end", NULL, false},
    [LET] = {"let", NULL, false},
    {"load", fh_cli_script_load, false},
    {"buffer", fh_cli_script_buffer, false},
    {"device", fh_cli_script_device, false},
    {"set", fh_cli_script_set, false},
    {"fill", fh_cli_script_fill, false},
    {"copy", fh_cli_script_copy, false},
    {"launch", fh_cli_script_launch, false},
    {"save", fh_cli_script_save, true},
    {"expect", fh_cli_script_expect, true},
    {"hash", fh_cli_script_hash, true},
};
enum { COMMANDS = sizeof commands / sizeof *commands, DEEPEST = 32 };

/* ---------------------------------------------------------------- reading */

struct reading {
    struct fh_cli cli; /* whose messages say where */
    struct fh_cli_script *script;
    size_t open[DEEPEST]; /* lines of `repeat` without their `end` so far */
    size_t depth;
    char where[280];
};

static fhec_status find_command(const struct reading *r, const char *text, size_t *command) {
    const char *names[COMMANDS];
    const size_t length = strcspn(text, " \t");
    for (*command = 0; *command < COMMANDS; ++*command) {
        names[*command] = commands[*command].name;
        if (strlen(names[*command]) == length && strncmp(names[*command], text, length) == 0)
            return FHEC_OK;
    }
    char *word = strndup(text, length);
    if (!word)
        return fh_cli_no_memory(&r->cli);
    fh_cli_error(&r->cli, FHEC_BAD_INPUT, "no command is called \"%s\"%s", word,
                 fh_cli_hint(fh_nearest_of(word, names, COMMANDS)).text);
    free(word);
    return FHEC_BAD_INPUT;
}

static fhec_status match(struct reading *r, size_t line) {
    struct fh_cli_script_line *lines = r->script->lines;
    if (lines[line].command == REPEAT) {
        if (r->depth == DEEPEST)
            return fh_cli_error(&r->cli, FHEC_BAD_INPUT, "more than %d loops in each other",
                                DEEPEST);
        r->open[r->depth++] = line;
    } else if (lines[line].command == END) {
        if (!r->depth)
            return fh_cli_error(&r->cli, FHEC_BAD_INPUT, "this end has no repeat");
        const size_t begin = r->open[--r->depth];
        lines[line].partner = begin;
        lines[begin].partner = line;
    }
    return FHEC_OK;
}

static fhec_status read_line(void *user, char *text, uint32_t number) {
    struct reading *r = user;
    struct fh_cli_script *s = r->script;
    size_t command;
    text += strspn(text, " \t");
    if (!*text || *text == '#')
        return FHEC_OK;
    snprintf(r->where, sizeof r->where, "%.250s:%u", s->path, number);
    fhec_status status = find_command(r, text, &command);
    if (status != FHEC_OK)
        return status;
    struct fh_cli_script_line *lines = fh_cli_more(s->lines, s->count, sizeof *lines);
    char *copy = strdup(text);
    if (lines)
        s->lines = lines;
    if (!lines || !copy) {
        free(copy);
        return fh_cli_no_memory(&r->cli);
    }
    lines[s->count++] = (struct fh_cli_script_line){number, copy, command, 0};
    return match(r, s->count - 1);
}

fhec_status fh_cli_script_read(const struct fh_cli *cli, const char *path,
                               struct fh_cli_script **script) {
    struct reading r = {.cli = *cli};
    r.script = *script = calloc(1, sizeof **script);
    if (!r.script || !(r.script->path = strdup(path)))
        return fh_cli_no_memory(cli);
    r.cli.where = r.where;
    snprintf(r.where, sizeof r.where, "%.250s", path);
    fhec_status status = fh_cli_each_line(&r.cli, path, read_line, &r);
    if (status == FHEC_OK && r.depth) {
        snprintf(r.where, sizeof r.where, "%.250s:%u", path,
                 r.script->lines[r.open[r.depth - 1]].number);
        status = fh_cli_error(&r.cli, FHEC_BAD_INPUT, "this repeat has no end");
    }
    return status;
}

void fh_cli_script_free(struct fh_cli_script *script) {
    for (size_t i = 0; script && i < script->count; i++)
        free(script->lines[i].text);
    if (script) {
        free(script->lines);
        free(script->path);
    }
    free(script);
}

/* ---------------------------------------------------------------- loops and names */

struct loop {
    size_t line; /* its `repeat` */
    int64_t round, rounds;
    size_t names; /* that there were before it */
    char *name;   /* of the round; NULL: none */
};

/* A run that goes on. */
struct going {
    struct fh_cli_script_run *run;
    struct loop loops[DEEPEST];
    size_t depth;
    char where[280];
};

/* "conv.fhec:12", "conv.fhec:12, i = 3". */
static void say_where(struct going *g, const struct fh_cli_script_line *line) {
    int used = snprintf(g->where, sizeof g->where, "%.180s:%u", g->run->script->path, line->number);
    for (size_t i = 0; i < g->depth && used < (int)sizeof g->where; i++)
        if (g->loops[i].name)
            used += snprintf(g->where + used, sizeof g->where - (size_t)used, ", %.20s = %lld",
                             g->loops[i].name, (long long)g->loops[i].round);
}

static bool is_name(const char *text) {
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return false;
    return *text && !isdigit((unsigned char)*text);
}

static fhec_status number_of(const struct fh_cli_script_run *run, const char *text,
                             fh_integer *value) {
    char why[FH_CLI_SCRIPT_WHY];
    return fh_cli_script_number(&run->names, text, value, why)
               ? FHEC_OK
               : fh_cli_script_wrong(run, "%s", why);
}

static fhec_status set_name(struct fh_cli_script_run *run, const char *name, fh_integer value) {
    if (!is_name(name))
        return fh_cli_script_wrong(run, "\"%s\" is no name for a number", name);
    return fh_cli_script_name_set(&run->names, name, value) ? FHEC_OK : fh_cli_no_memory(run->cli);
}

static fhec_status let(struct fh_cli_script_run *run, const struct fh_cli_script_words *words) {
    fh_integer value;
    fhec_status status = fh_cli_script_expect_words(run, words, 2, 2, "let NAME NUMBER");
    if (status == FHEC_OK)
        status = number_of(run, words->list[1], &value);
    return status == FHEC_OK ? set_name(run, words->list[0], value) : status;
}

/* Begins the loop of the line, or passes it by; *next is the line that follows. */
static fhec_status repeat(struct going *g, const struct fh_cli_script_words *words, size_t *next) {
    struct fh_cli_script_run *run = g->run;
    struct loop loop = {.line = *next, .names = run->names.count};
    struct fh_cli_script_option as = {"as", NULL, false};
    fh_integer rounds = 0;
    fhec_status status = fh_cli_script_expect_words(run, words, 1, 3, "repeat NUMBER [as NAME]");
    if (status == FHEC_OK)
        status = fh_cli_script_options(run, words, 1, &as, 1);
    if (status == FHEC_OK)
        status = number_of(run, words->list[0], &rounds);
    if (status == FHEC_OK && rounds < 0)
        status = fh_cli_script_wrong(run, "%s is less than no time", words->list[0]);
    if (status == FHEC_OK && rounds > INT64_MAX)
        status = fh_cli_script_wrong(run, "%s is not from 0 to 2^63 - 1", words->list[0]);
    loop.rounds = (int64_t)rounds;
    if (status == FHEC_OK && as.value)
        status = set_name(run, as.value, 0);
    if (status != FHEC_OK)
        return status;
    loop.name = as.value ? run->names.list[run->names.count - 1].name : NULL;
    if (loop.rounds == 0) {
        fh_cli_script_names_cut(&run->names, loop.names);
        *next = run->script->lines[loop.line].partner;
    } else {
        g->loops[g->depth++] = loop;
    }
    ++*next;
    return FHEC_OK;
}

static void end(struct going *g, size_t *next) {
    struct loop *loop = &g->loops[g->depth - 1];
    struct fh_cli_script_names *names = &g->run->names;
    fh_cli_script_names_cut(names, loop->names + (loop->name != NULL));
    if (++loop->round < loop->rounds) {
        if (loop->name)
            names->list[loop->names].value = loop->round;
        *next = loop->line + 1;
        return;
    }
    fh_cli_script_names_cut(names, loop->names);
    g->depth--;
    ++*next;
}

/* ---------------------------------------------------------------- going */

/* The words of a line with its numbers. */
static fhec_status cut(const struct fh_cli_script_run *run, const char *line, char **text,
                       char ***words, size_t *count) {
    char why[FH_CLI_SCRIPT_WHY];
    *text = fh_cli_script_expand(&run->names, line, why);
    *words = NULL;
    if (!*text)
        return *why ? fh_cli_script_wrong(run, "%s", why) : fh_cli_no_memory(run->cli);
    *words = fh_cli_words_split(*text, count);
    return *words ? FHEC_OK : fh_cli_script_wrong(run, "a quote is not closed");
}

static fhec_status do_line(struct going *g, size_t *next) {
    struct fh_cli_script_run *run = g->run;
    const struct fh_cli_script_line *line = &run->script->lines[*next];
    char *text, **words;
    size_t count = 0;
    say_where(g, line);
    fhec_status status = cut(run, line->text, &text, &words, &count);
    if (status != FHEC_OK) {
        free(text);
        return status;
    }
    const struct fh_cli_script_words rest = {words + 1, count - 1};
    if (line->command == REPEAT)
        status = repeat(g, &rest, next);
    else if (line->command == END && rest.count)
        status = fh_cli_script_wrong(run, "\"%s\" is one word too many", rest.list[0]);
    else if (line->command == END)
        end(g, next);
    else {
        if (line->command == LET)
            status = let(run, &rest);
        else if (!run->settings->deferred || !commands[line->command].results)
            status = commands[line->command].run(run, &rest);
        ++*next;
    }
    free(words);
    free(text);
    return status;
}

/* For fh_cli_script_run.again_on. */
static fhec_status do_again(void *user, fhec_machine *machine) {
    struct fh_cli_script_run *first = user;
    struct fh_cli_script_run *run;
    first->quiet = *first->cli;
    first->quiet.silent = true;
    fhec_status status =
        fh_cli_script_begin(&first->quiet, first->script, first->settings, machine, &run);
    if (status != FHEC_OK)
        return status;
    run->last = first->steps;
    run->next = first->again; /* as long as the machine is looked at */
    first->again = run;
    return fh_cli_script_go(run);
}

fhec_status fh_cli_script_go(struct fh_cli_script_run *run) {
    struct going g = {.run = run};
    const char *before = run->cli->where;
    fhec_status status = FHEC_OK;
    run->cli->where = g.where;
    run->again_on = do_again;
    for (size_t next = 0; next < run->script->count && status == FHEC_OK;) {
        if (++run->steps == run->last)
            break;
        status = do_line(&g, &next);
    }
    run->cli->where = before;
    return status == FHEC_OK && run->differs ? FHEC_DIFFERS : status;
}
