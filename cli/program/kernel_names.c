/*
 * kernel_names.c - see kernel_names.h. Names are demangled by the C++ runtime's own function, which
 * is what the Itanium ABI defines for it, knows all of the grammar, and is kept with the compilers.
 */
#include "kernel_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "nearest.h"

/* Of libstdc++ (cxxabi.h, which only C++ can include). */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

char *fh_cli_demangled(const char *name) {
    int status;
    return strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
}

/* Whether both are the same but for blanks; `length` of the first. */
static bool same_text(const char *a, size_t length, const char *b) {
    for (const char *end = a + length;; a++, b++) {
        while (a < end && isspace((unsigned char)*a))
            a++;
        while (isspace((unsigned char)*b))
            b++;
        if (a == end || !*b)
            return a == end && !*b;
        if (*a != *b)
            return false;
    }
}

/* Where the name ends that begins at `text`: before the template arguments, or, behind them, before
 * the parameters. */
static size_t length_of(const char *text, bool with_arguments) {
    size_t depth = 0, i = 0;
    for (; text[i]; i++) {
        if (text[i] == '<' && !with_arguments)
            break;
        if (text[i] == '(' && !depth && strncmp(text + i, "(anonymous", 10) != 0)
            break;
        depth += text[i] == '<' || text[i] == '(';
        depth -= depth && (text[i] == '>' || text[i] == ')');
    }
    return i;
}

/* Behind the result's type, which templates have: "void reduce<int>(int*)". */
static const char *without_result(const char *text) {
    const char *begin = text;
    size_t depth = 0;
    for (const char *p = text; *p && (*p != '(' || depth); p++) {
        depth += *p == '<';
        depth -= depth && *p == '>';
        if (*p == ' ' && !depth)
            begin = p + 1;
    }
    return begin;
}

/* Behind the next "::" that is in no template arguments; NULL: there is none in the name. */
static const char *inner(const char *text, const char *end) {
    size_t depth = 0;
    for (const char *p = text; p + 1 < end; p++) {
        depth += *p == '<';
        depth -= depth && *p == '>';
        if (p[0] == ':' && p[1] == ':' && !depth)
            return p + 2;
    }
    return NULL;
}

static bool names_demangled(const char *full, const char *asked) {
    const char *name = without_result(full);
    const char *end = name + length_of(name, true);
    if (same_text(full, strlen(full), asked))
        return true;
    for (const char *at = name; at; at = inner(at, end)) {
        if (same_text(at, strlen(at), asked) || same_text(at, (size_t)(end - at), asked) ||
            same_text(at, length_of(at, false), asked))
            return true;
    }
    return false;
}

bool fh_cli_names_kernel(const char *name, const char *asked) {
    if (strcmp(name, asked) == 0)
        return true;
    char *full = fh_cli_demangled(name);
    const bool same = full && names_demangled(full, asked);
    free(full);
    return same;
}

enum { SHOWN = 10 };

/* Says what a kernel is called, and what its parameters are. */
static void say_kernel(const struct fh_cli *cli, const fhec_kernel_info *info) {
    char text[1024] = "", *full = fh_cli_demangled(info->name);
    size_t used = 0;
    for (uint32_t p = 0; p < info->param_count && used < sizeof text; p++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s (%u bytes)", p ? ", " : "",
                                 info->params[p].name, info->params[p].size);
    fh_cli_note(cli, "kernel %s%s%s: %s", info->name, full ? ", " : "", full ? full : "",
                *text ? text : "no parameters");
    free(full);
}

/* The index-th kernel of all programs; false past the end. */
static bool kernel_at(const struct fh_cli_programs *programs, size_t index,
                      struct fh_cli_kernel *kernel, fhec_kernel_info *info) {
    for (size_t i = 0; i < programs->count; i++) {
        const size_t count = fhec_kernel_count(programs->list[i]);
        if (index < count) {
            *kernel = (struct fh_cli_kernel){programs->list[i], index};
            return fhec_kernel_get(kernel->program, index, info) == FHEC_OK;
        }
        index -= count;
    }
    return false;
}

static size_t kernel_count(const struct fh_cli_programs *programs) {
    size_t count = 0;
    for (size_t i = 0; i < programs->count; i++)
        count += fhec_kernel_count(programs->list[i]);
    return count;
}

/* Says the first ones that `asked` names; all are named by NULL. */
static void say_kernels(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                        const char *asked) {
    size_t count = 0;
    struct fh_cli_kernel kernel;
    fhec_kernel_info info;
    for (size_t i = 0; kernel_at(programs, i, &kernel, &info); i++)
        if ((!asked || fh_cli_names_kernel(info.name, asked)) && count++ < SHOWN)
            say_kernel(cli, &info);
    if (count > SHOWN)
        fh_cli_note(cli, "and %zu more: `fhec run FILE` lists all", count - SHOWN);
}

/* The part of a demangled name that is compared with a misspelt one: as much as that has. */
static char *comparable(const char *name, const char *asked) {
    char *full = fh_cli_demangled(name);
    if (!full)
        return strdup(name);
    const char *at = without_result(full), *end = at + length_of(at, true), *next;
    while (!strstr(asked, "::") && (next = inner(at, end)) != NULL)
        at = next;
    char *part = strndup(at, length_of(at, strchr(asked, '<') != NULL));
    free(full);
    return part;
}

static void say_nearest(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                        const char *asked) {
    const size_t count = kernel_count(programs);
    char **names = calloc(count + 1, sizeof *names);
    struct fh_nearest n;
    struct fh_cli_kernel kernel;
    fhec_kernel_info info;
    fh_nearest_begin(&n, asked, strlen(asked));
    for (size_t i = 0; names && kernel_at(programs, i, &kernel, &info); i++) {
        names[i] = comparable(info.name, asked);
        if (names[i])
            fh_nearest_try(&n, names[i], strlen(names[i]));
    }
    fh_cli_error(cli, FHEC_BAD_INPUT, "%s no kernel \"%s\"%s",
                 programs->count > 1 ? "the files have" : "the program has", asked,
                 fh_cli_hint(n.best).text);
    for (size_t i = 0; names && i < count; i++)
        free(names[i]);
    free(names);
}

static fhec_status no_kernel(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                             const char *asked) {
    const size_t count = kernel_count(programs);
    say_nearest(cli, programs, asked);
    if (count <= SHOWN)
        say_kernels(cli, programs, NULL);
    else
        fh_cli_note(cli, "%s %zu kernels: `fhec run FILE` lists them",
                    programs->count > 1 ? "they have" : "it has", count);
    return FHEC_BAD_INPUT;
}

/* How many kernels have exactly that name; *first is the first one. */
static size_t count_exact(const struct fh_cli_programs *programs, const char *name,
                          struct fh_cli_kernel *first) {
    size_t found = 0, index;
    for (size_t i = 0; i < programs->count; i++)
        if (fhec_kernel_find(programs->list[i], name, &index) == FHEC_OK && !found++)
            *first = (struct fh_cli_kernel){programs->list[i], index};
    return found;
}

static size_t count_meant(const struct fh_cli_programs *programs, const char *asked,
                          struct fh_cli_kernel *first) {
    size_t found = 0;
    struct fh_cli_kernel kernel;
    fhec_kernel_info info;
    for (size_t i = 0; kernel_at(programs, i, &kernel, &info); i++)
        if (fh_cli_names_kernel(info.name, asked) && !found++)
            *first = kernel;
    return found;
}

fhec_status fh_cli_choose_kernel(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                                 const char *asked, struct fh_cli_kernel *chosen) {
    size_t found = count_exact(programs, asked, chosen);
    if (found > 1)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "%zu of the objects have a kernel \"%s\"", found,
                            asked);
    if (!found)
        found = count_meant(programs, asked, chosen);
    if (found == 1)
        return FHEC_OK;
    if (!found)
        return no_kernel(cli, programs, asked);
    fh_cli_error(cli, FHEC_BAD_INPUT, "%s %zu kernels \"%s\"; write more of the name",
                 programs->count > 1 ? "the files have" : "the program has", found, asked);
    say_kernels(cli, programs, asked);
    return FHEC_BAD_INPUT;
}

fhec_status fh_cli_only_kernel(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                               struct fh_cli_kernel *only) {
    fhec_kernel_info info;
    const size_t count = kernel_count(programs);
    if (count == 1 && kernel_at(programs, 0, only, &info))
        return FHEC_OK;
    fh_cli_error(cli, FHEC_BAD_INPUT, "%s %zu kernels; choose one with --kernel",
                 programs->count > 1 ? "the files have" : "the program has", count);
    say_kernels(cli, programs, NULL);
    return FHEC_BAD_INPUT;
}
