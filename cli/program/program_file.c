/*
 * program_file.c - programs from a file: an object as it is, those of a library, or a source
 * assembled in memory; the options that say which file, and how it is assembled.
 */
#include "program_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arrays.h"
#include "fat_binary.h"
#include "input.h"
#include "kernel_names.h"
#include "message.h"
#include "options.h"
#include "output.h"

enum { OPTION_ARCH = 0x700, OPTION_OBJECT }; /* numbers that no command uses */

static const struct argp_option source_options[] = {
    {"include", 'I', "DIR", 0, "For a source: look for .include files in DIR too", 0},
    {"define", 'D', "NAME=VALUE", 0, "For a source: as if by .equ at its top", 0},
    {"arch", OPTION_ARCH, "sm_NN", 0,
     "For a library, an executable or a fat binary: its objects for this architecture (the "
     "earliest of sm_80, 86, 87, 89)",
     0},
    {"object", OPTION_OBJECT, "N", 0, "Only the N-th of them, counted from 1", 0},
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
    case OPTION_ARCH: {
        uint64_t number = 0;
        if (strncmp(arg, "sm_", 3) != 0 || !fh_cli_number(arg + 3, &number) || !number ||
            number > 999)
            argp_error(state, "--arch %s: expected an architecture as sm_80", arg);
        source->architecture = (unsigned)number;
        return 0;
    }
    case OPTION_OBJECT:
        source->object = fh_cli_number_option(state, "--object", arg, 1, UINT32_MAX);
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
        if (!source->path && !source->optional)
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
    free(source->shown);
    forget_texts(source);
}

fhec_status fh_cli_source_spare(const struct fh_cli *cli, const struct fh_cli_source *source,
                                const struct fh_cli_outputs *outputs) {
    fhec_status status = fh_cli_output_spare(cli, outputs, source->path);
    for (size_t i = 0; i < source->more_count && status == FHEC_OK; i++)
        status = fh_cli_output_spare(cli, outputs, source->more[i]);
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
    bool unreadable;             /* an included file could not be read: the diagnostic says why */
    bool may_be_empty, is_empty; /* an object without kernels is no mistake; it is one */
};

static void diagnostic(void *user, const fhec_diagnostic *d) {
    struct include_context *context = user;
    if (context->may_be_empty && strcmp(d->id, "O008") == 0)
        context->is_empty = true;
    else
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

/* ---------------------------------------------------------------- objects */

static bool begins(const char *bytes, size_t length, const char *magic) {
    return length >= strlen(magic) && !memcmp(bytes, magic, strlen(magic));
}

/* Whether the file may hold objects instead of being one: the host's objects (e_machine other than
 * that of CUDA), archives, bare containers. */
static bool may_hold_objects(const char *bytes, size_t length) {
    enum { E_MACHINE = 18, EM_CUDA = 190 };
    if (begins(bytes, length, "\177ELF"))
        return length > E_MACHINE + 1 && (uint8_t)bytes[E_MACHINE] != EM_CUDA;
    return begins(bytes, length, "!<arch>\n") || begins(bytes, length, "\x50\xed\x55\xba");
}

/* PTX, the compilers' text, begins with comments and then .version and .target. */
static bool is_ptx(const char *text) {
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (strncmp(text, "//", 2) == 0)
            text += strcspn(text, "\n");
        else
            return strncmp(text, ".version", 8) == 0 && isspace((unsigned char)text[8]);
    }
}

static fhec_status load_text(struct include_context *context, char *text, size_t length,
                             fhec_program **program) {
    struct fh_cli_source *source = context->source;
    if (is_ptx(text)) {
        free(text);
        return fh_cli_error(context->cli, FHEC_BAD_INPUT,
                            "%s is PTX, which is no machine code: `ptxas -arch=sm_80 %s` makes an "
                            "object of it",
                            source->path, source->path);
    }
    fhec_assemble_options options = {
        .diagnostic = diagnostic,
        .include = include,
        .user = context,
        .defines = source->defines,
        .define_count = source->define_count,
    };
    if (!keep_text(source, source->path, source->path, text, length))
        return FHEC_HOST_ERROR;
    const char *kept = find_text(source, source->path)->text; /* that of the first time */
    if (!kept)
        return fh_cli_error(context->cli, FHEC_BAD_INPUT, "%s has changed while it was read",
                            source->path);
    return fhec_assemble(source->path, kept, length, &options, program);
}

/* One program from one object or source; the text is taken over. FHEC_OK and *program NULL: an
 * object without kernels, which `may_be_empty` allows, and a note has been made of it. */
static fhec_status load_one(struct fh_cli *cli, struct fh_cli_source *source, char *text,
                            size_t length, bool may_be_empty, fhec_program **program) {
    struct include_context context = {.cli = cli, .source = source, .may_be_empty = may_be_empty};
    fhec_status status;
    if (begins(text, length, "\177ELF")) {
        status =
            fhec_program_read(source->path, (uint8_t *)text, length, diagnostic, &context, program);
        free(text);
    } else {
        status = load_text(&context, text, length, program);
    }
    if (status == FHEC_HOST_ERROR)
        fh_cli_no_memory(cli);
    if (context.is_empty && status == FHEC_BAD_INPUT) {
        fh_cli_note(cli, "%s has no kernels", source->path);
        return FHEC_OK;
    }
    return context.unreadable ? FHEC_HOST_ERROR : status;
}

/* ---------------------------------------------------------------- files with many objects */

/* A walk over the objects of a fat binary. */
struct walk {
    struct fh_cli *cli;
    struct fh_cli_source *source;
    const char *path;
    struct fh_fat_search search;
    unsigned architecture;
    uint64_t number;            /* of the object in hand among those of the architecture */
    unsigned without, unlinked; /* objects that were passed over */
    bool passes;                /* the object in hand is one of those: nothing is said */
    char others[100];           /* architectures that were met: "sm_75, sm_90" */
};

/* Objects without kernels, and parts that somebody else links, are no mistake of the file, if not
 * asked for by number. Warnings would be about others' code. */
static void hear_object(void *user, const fhec_diagnostic *d) {
    struct walk *w = user;
    if (!w->source->object) {
        bool without = strcmp(d->id, "O008") == 0, unlinked = strcmp(d->id, "O010") == 0;
        w->without += without;
        w->unlinked += unlinked;
        w->passes |= without || unlinked;
        if (without || unlinked || d->severity != FHEC_ERROR)
            return;
    }
    fh_cli_diagnostic(w->cli, d);
}

static void note_other(struct walk *w, unsigned architecture) {
    char name[16];
    size_t used = strlen(w->others);
    snprintf(name, sizeof name, "sm_%u", architecture);
    if (!strstr(w->others, name) && used + sizeof name < sizeof w->others)
        snprintf(w->others + used, sizeof w->others - used, "%s%s", used ? ", " : "", name);
}

/* The next object that the options choose. FHEC_OK and *program NULL: there is none. */
static fhec_status next_program(struct walk *w, fhec_program **program) {
    struct fh_fat_object object;
    const char *why;
    *program = NULL;
    while (fh_fat_next(&w->search, &object)) {
        if (object.architecture != w->architecture) {
            note_other(w, object.architecture);
            continue;
        }
        if (w->source->object && ++w->number != w->source->object)
            continue;
        w->number += !w->source->object;
        free(w->source->shown);
        if (asprintf(&w->source->shown, "%s, object %llu", w->path, (unsigned long long)w->number) <
            0)
            w->source->shown = NULL;
        w->cli->file = w->source->shown ? w->source->shown : w->path;
        uint8_t *bytes = fh_fat_unpack(&object, &why);
        if (!bytes)
            return why ? fh_cli_error(w->cli, FHEC_BAD_INPUT, "%s: %s", w->cli->file, why)
                       : fh_cli_no_memory(w->cli);
        w->passes = false;
        fhec_status status =
            fhec_program_read(w->cli->file, bytes, (size_t)object.size, hear_object, w, program);
        free(bytes);
        if (status == FHEC_HOST_ERROR)
            fh_cli_no_memory(w->cli);
        if (status == FHEC_OK || !w->passes)
            return status;
    }
    return FHEC_OK;
}

/* What is said of a file in which nothing was found. */
static fhec_status nothing_found(const struct walk *w) {
    unsigned passed = w->without + w->unlinked;
    if (w->source->object && w->number)
        return fh_cli_error(w->cli, FHEC_BAD_INPUT,
                            "%s has %llu objects for sm_%u; --object %llu "
                            "is none of them",
                            w->path, (unsigned long long)w->number, w->architecture,
                            (unsigned long long)w->source->object);
    if (w->source->kernel && passed < w->number)
        return fh_cli_error(w->cli, FHEC_BAD_INPUT, "%s: no object for sm_%u has a kernel %s",
                            w->path, w->architecture, w->source->kernel);
    if (w->number)
        return fh_cli_error(w->cli, FHEC_BAD_INPUT,
                            "%s: none of the %llu objects for sm_%u has kernels and is linked",
                            w->path, (unsigned long long)w->number, w->architecture);
    if (*w->others)
        return fh_cli_error(w->cli, FHEC_BAD_INPUT, "%s has no object for sm_%u, only for %s",
                            w->path, w->architecture, w->others);
    return fh_cli_error(w->cli, FHEC_BAD_INPUT, "%s holds no object for a GPU", w->path);
}

static bool has_kernel(const fhec_program *program, const char *name) {
    fhec_kernel_info info;
    for (size_t i = 0; fhec_kernel_get(program, i, &info) == FHEC_OK; i++)
        if (fh_cli_names_kernel(info.name, name))
            return true;
    return false;
}

/* The object with the kernel that the command wants, or the only one. */
static fhec_status choose(struct walk *w, fhec_program **program) {
    fhec_program *next;
    fhec_status status = next_program(w, program);
    if (!w->source->kernel && !w->source->object && status == FHEC_OK && *program) {
        status = next_program(w, &next);
        if (next) {
            fhec_program_free(next);
            fhec_program_free(*program);
            *program = NULL;
            return fh_cli_error(w->cli, FHEC_BAD_INPUT,
                                "%s has several objects with kernels for "
                                "sm_%u: --object N takes one, and `fhec run %s` lists them",
                                w->path, w->architecture, w->path);
        }
    }
    while (status == FHEC_OK && *program && w->source->kernel &&
           !has_kernel(*program, w->source->kernel)) {
        fhec_program_free(*program);
        status = next_program(w, program);
    }
    return status == FHEC_OK && !*program ? nothing_found(w) : status;
}

/* Calls `each` with the program, which is freed unless it sets that to NULL. */
typedef fhec_status take_fn(void *user, fhec_program **program);
static fhec_status walk_all(struct walk *w, take_fn *each, void *user) {
    fhec_program *program;
    fhec_status worst = FHEC_OK;
    bool any = false;
    while (worst <= FHEC_DIFFERS) {
        fhec_status status = next_program(w, &program);
        if (status == FHEC_OK && !program)
            break;
        any |= program != NULL;
        if (program)
            status = each(user, &program);
        fhec_program_free(program);
        worst = status > worst ? status : worst;
    }
    if (!any && worst == FHEC_OK)
        return nothing_found(w);
    if (w->unlinked)
        fh_cli_note(w->cli,
                    "%s: %u of %llu objects for sm_%u are parts that are not linked, and "
                    "left out",
                    w->path, w->unlinked, (unsigned long long)w->number, w->architecture);
    return worst;
}

/* The architecture whose objects are taken: of those that there are the earliest machine's, which
 * is what the most machines run; sm_80 if there is none. */
static unsigned best_architecture(struct fh_fat_search search) {
    struct fh_fat_object object;
    unsigned best = UINT32_MAX;
    while (fh_fat_next(&search, &object)) {
        const fhec_limits *m;
        for (size_t i = 0; (m = fhec_limits_get(i)) != NULL; i++)
            if (m->architecture == object.architecture && m->architecture < best)
                best = m->architecture;
    }
    return best == UINT32_MAX ? fhec_limits_get(0)->architecture : best;
}

/* Reads the file. *walk->search.bytes: it holds objects, and is the caller's to free; else *text is
 * the one program. */
static fhec_status open_file(struct fh_cli *cli, struct fh_cli_source *source, struct walk *w,
                             char **text, size_t *length) {
    struct fh_fat_object object;
    cli->file = source->path;
    fhec_status status = fh_cli_read_file(cli, source->path, text, length);
    *w = (struct walk){.cli = cli, .source = source, .path = source->path};
    if (status != FHEC_OK || !may_hold_objects(*text, *length))
        return status;
    w->search = (struct fh_fat_search){.bytes = (uint8_t *)*text, .length = *length};
    w->architecture = source->architecture ? source->architecture : best_architecture(w->search);
    struct fh_fat_search ahead = w->search;
    /* The host's object without any is refused as what it is. */
    if (begins(*text, *length, "\177ELF") && !fh_fat_next(&ahead, &object))
        w->search.bytes = NULL;
    return FHEC_OK;
}

fhec_status fh_cli_load(struct fh_cli *cli, struct fh_cli_source *source, fhec_program **program) {
    struct walk w;
    char *text;
    size_t length;
    *program = NULL;
    fhec_status status = open_file(cli, source, &w, &text, &length);
    if (status != FHEC_OK)
        return status;
    if (!w.search.bytes)
        return load_one(cli, source, text, length, false, program);
    status = choose(&w, program);
    free(text);
    return status;
}

static fhec_status load_each(struct fh_cli *cli, struct fh_cli_source *source, take_fn *each,
                             void *user) {
    struct walk w;
    char *text;
    size_t length;
    fhec_status status = open_file(cli, source, &w, &text, &length);
    if (status != FHEC_OK)
        return status;
    if (w.search.bytes) {
        status = walk_all(&w, each, user);
        free(text);
        return status;
    }
    fhec_program *program = NULL;
    status = load_one(cli, source, text, length, true, &program);
    if (program)
        status = each(user, &program);
    fhec_program_free(program);
    return status;
}

struct looking {
    fh_cli_program_fn *each;
    void *user;
};

static fhec_status look(void *user, fhec_program **program) {
    const struct looking *looking = user;
    return looking->each(looking->user, *program);
}

fhec_status fh_cli_load_each(struct fh_cli *cli, struct fh_cli_source *source,
                             fh_cli_program_fn *each, void *user) {
    return load_each(cli, source, look, &(struct looking){each, user});
}

struct taking {
    const struct fh_cli *cli;
    struct fh_cli_programs *programs;
};

static fhec_status take(void *user, fhec_program **program) {
    const struct taking *taking = user;
    struct fh_cli_programs *all = taking->programs;
    const fhec_program **list = fh_cli_more(all->list, all->count, sizeof(fhec_program *));
    if (!list)
        return fh_cli_no_memory(taking->cli);
    all->list = list;
    list[all->count++] = *program;
    *program = NULL;
    return FHEC_OK;
}

fhec_status fh_cli_load_all(struct fh_cli *cli, struct fh_cli_source *source,
                            struct fh_cli_programs *programs) {
    return load_each(cli, source, take, &(struct taking){cli, programs});
}

/* The one program that the options choose. */
static fhec_status load_chosen(struct fh_cli *cli, struct fh_cli_source *source,
                               struct fh_cli_programs *programs) {
    fhec_program *program;
    fhec_status status = fh_cli_load(cli, source, &program);
    if (status == FHEC_OK)
        status = take(&(struct taking){cli, programs}, &program);
    fhec_program_free(program);
    return status;
}

fhec_status fh_cli_load_files(struct fh_cli *cli, struct fh_cli_source *source,
                              struct fh_cli_programs *programs) {
    if (!source->more_count)
        return load_chosen(cli, source, programs);
    const char *first = source->path;
    fhec_status status = fh_cli_load_all(cli, source, programs);
    for (size_t i = 0; i < source->more_count && status == FHEC_OK; i++) {
        source->path = source->more[i];
        status = fh_cli_load_all(cli, source, programs);
    }
    source->path = first;
    return status;
}

void fh_cli_programs_free(struct fh_cli_programs *programs) {
    for (size_t i = 0; i < programs->count; i++)
        fhec_program_free((fhec_program *)programs->list[i]);
    free(programs->list);
    *programs = (struct fh_cli_programs){0};
}
