/*
 * program_file.c - a program from a file: an object as it is, or a source assembled in memory; the
 * options that say which file, and how it is assembled.
 */
#include "program_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arrays.h"
#include "input.h"
#include "message.h"
#include "options.h"
#include "output.h"

static const struct argp_option source_options[] = {
    {"include", 'I', "DIR", 0, "For a source: look for .include files in DIR too", 0},
    {"define", 'D', "NAME=VALUE", 0, "For a source: as if by .equ at its top", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct fh_cli_source *source = state->input;
    switch (key) {
    case 'I':
        source->include_dirs =
            fh_cli_grow(state, source->include_dirs, source->include_count, sizeof(char *));
        source->include_dirs[source->include_count++] = arg;
        return 0;
    case 'D':
        if (!strchr(arg, '=') || arg[0] == '=')
            argp_error(state, "-D %s: expected NAME=VALUE", arg);
        source->defines = fh_cli_grow(state, source->defines, source->define_count, sizeof(char *));
        source->defines[source->define_count++] = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (source->path && !source->several)
            argp_error(state, "one FILE at a time; %s is one more", arg);
        if (source->path) {
            source->more = fh_cli_grow(state, source->more, source->more_count, sizeof(char *));
            source->more[source->more_count++] = arg;
        } else {
            source->path = arg;
        }
        return 0;
    case ARGP_KEY_END:
        if (!source->path)
            argp_error(state, "which FILE?");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp fh_cli_source_argp = {source_options, parse_option, NULL, NULL, NULL, NULL, NULL};

/* ---------------------------------------------------------------- texts */

static struct fh_cli_text *find_text(const struct fh_cli_source *source, const char *name) {
    for (size_t i = 0; i < source->text_count; i++)
        if (strcmp(source->texts[i].name, name) == 0)
            return &source->texts[i];
    return NULL;
}

static struct fh_cli_text *add_text(struct fh_cli_source *source, const char *name) {
    struct fh_cli_text *texts = fh_cli_more(source->texts, source->text_count, sizeof *texts);
    char *copy = strdup(name);
    if (texts)
        source->texts = texts;
    if (!texts || !copy) {
        free(copy);
        return NULL;
    }
    texts[source->text_count] = (struct fh_cli_text){.name = copy};
    return &texts[source->text_count++];
}

/* Keeps what was read from the path, malloc'd and ended by a NUL, and the path. Two files that are
 * called the same in their folders cannot be told apart by their locations: the text of neither is
 * kept. */
static bool keep_text(struct fh_cli_source *source, const char *name, const char *path, char *text,
                      size_t length) {
    struct fh_cli_text *t = find_text(source, name);
    bool first = !t;
    if (!text || (first && !(t = add_text(source, name)))) {
        free(text);
        return false;
    }
    if (first) {
        t->text = text;
    } else {
        if (t->text && (strlen(t->text) != length || memcmp(t->text, text, length) != 0)) {
            free(t->text);
            t->text = NULL;
        }
        free(text);
    }
    free(t->path);
    t->path = strdup(path);
    return t->path != NULL;
}

static void forget_texts(struct fh_cli_source *source) {
    for (size_t i = 0; i < source->text_count; i++) {
        free(source->texts[i].name);
        free(source->texts[i].path);
        free(source->texts[i].text);
    }
    free(source->texts);
    source->texts = NULL;
    source->text_count = 0;
}

bool fh_cli_source_next(struct fh_cli_source *source, size_t *index) {
    if (*index == source->more_count)
        return false;
    forget_texts(source);
    source->path = source->more[(*index)++];
    return true;
}

void fh_cli_source_free(struct fh_cli_source *source) {
    free(source->include_dirs);
    free(source->defines);
    free(source->more);
    forget_texts(source);
}

fhec_status fh_cli_source_spare(const struct fh_cli *cli, const struct fh_cli_source *source,
                                const struct fh_cli_outputs *outputs) {
    fhec_status status = fh_cli_output_spare(cli, outputs, source->path);
    for (size_t i = 0; i < source->text_count && status == FHEC_OK; i++)
        status = fh_cli_output_spare(cli, outputs, source->texts[i].path);
    return status;
}

char *fh_cli_source_line(const struct fh_cli_source *source, const fhec_location *at) {
    const struct fh_cli_text *kept = at->file ? find_text(source, at->file) : NULL;
    const char *text = kept && at->line ? kept->text : NULL;
    for (uint32_t line = at->line; line > 1 && text; line--) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    return text ? strndup(text, strcspn(text, "\r\n")) : NULL;
}

/* ---------------------------------------------------------------- reading */

struct include_context {
    const struct fh_cli *cli;
    struct fh_cli_source *source;
    bool unreadable; /* an included file could not be read: the diagnostic says why */
};

static void diagnostic(void *user, const fhec_diagnostic *d) {
    struct include_context *context = user;
    fh_cli_diagnostic((void *)context->cli, d);
}

static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

/* Reads the file at the path, which is freed. Of a file that cannot be read *text says why. */
static fhec_status read_included(struct include_context *context, const char *name, char *path,
                                 char **text, size_t *length) {
    char why[FH_CLI_WHY];
    fhec_status status = FHEC_OK;
    if (!fh_cli_try_read(path, FH_CLI_MAX_TEXT, text, length, why)) {
        context->unreadable = true;
        *text = strdup(why);
        status = *text ? FHEC_BAD_INPUT : FHEC_HOST_ERROR;
    } else if (!keep_text(context->source, name, path, strndup(*text, *length), *length)) {
        free(*text);
        status = FHEC_HOST_ERROR;
    }
    free(path);
    return status;
}

/* Looks for `name` beside the file that includes it, then in the -I folders in order. */
static fhec_status include(void *user, const char *name, const char *from, char **text,
                           size_t *length) {
    struct include_context *context = user;
    const struct fh_cli_source *source = context->source;
    const struct fh_cli_text *by = from ? find_text(source, from) : NULL;
    const char *place = by ? by->path : from;
    const char *slash = place && name[0] != '/' ? strrchr(place, '/') : NULL;
    for (size_t i = 0; i <= source->include_count; i++) {
        char *path;
        int made = i ? asprintf(&path, "%s/%s", source->include_dirs[i - 1], name)
                     : asprintf(&path, "%.*s%s", slash ? (int)(slash - place) + 1 : 0,
                                slash ? place : "", name);
        if (made < 0)
            return FHEC_HOST_ERROR;
        if (is_file(path))
            return read_included(context, name, path, text, length);
        free(path);
        if (name[0] == '/')
            break;
    }
    return FHEC_BAD_INPUT;
}

fhec_status fh_cli_load(struct fh_cli *cli, struct fh_cli_source *source, fhec_program **program) {
    struct include_context context = {cli, source, false};
    char *text;
    size_t length;
    *program = NULL;
    cli->file = source->path;
    fhec_status status = fh_cli_read_file(cli, source->path, &text, &length);
    if (status != FHEC_OK)
        return status;
    if (length >= 4 && !memcmp(text, "\x50\xed\x55\xba", 4)) {
        status = fh_cli_error(cli, FHEC_BAD_INPUT,
                              "%s is a fat binary: take its object for sm_80 out with "
                              "`cuobjdump -xelf all`, or compile with `nvcc -cubin`",
                              source->path);
    } else if (length >= 4 && !memcmp(text, "\177ELF", 4)) {
        status =
            fhec_program_read(source->path, (uint8_t *)text, length, diagnostic, &context, program);
    } else {
        fhec_assemble_options options = {
            .diagnostic = diagnostic,
            .include = include,
            .user = &context,
            .defines = source->defines,
            .define_count = source->define_count,
        };
        char *kept = text;
        text = NULL; /* the source has it */
        status = keep_text(source, source->path, source->path, kept, length)
                     ? fhec_assemble(source->path, kept, length, &options, program)
                     : FHEC_HOST_ERROR;
    }
    free(text);
    if (status == FHEC_HOST_ERROR)
        fh_cli_no_memory(cli);
    return context.unreadable ? FHEC_HOST_ERROR : status;
}
