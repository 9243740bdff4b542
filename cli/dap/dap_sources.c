/*
 * dap_sources.c - source files: those that the guest's programs name, and what the client calls
 * them. A file that the client can open has a path; a kernel that travels inside the tool has a
 * sourceReference, and its text comes by the request "source".
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dap_parts.h"

/* The kernels of all launches, each once. */
struct codes {
    const fhec_program *program;
    size_t kernel;
};

void fh_dap_each_place(struct fh_dap *dap, bool (*each)(void *user, const struct fh_dap_place *at),
                       void *user) {
    const size_t launches = fh_debugger_launch_count(dap->debugger);
    struct codes *codes = calloc(launches + 1, sizeof *codes);
    size_t count = 0;
    bool more = codes != NULL;
    for (size_t i = 0; i < launches && more; i++) {
        fhec_launch launch;
        struct fh_dap_place place = {.code = count};
        fh_debugger_launch(dap->debugger, i, &launch, &place.info);
        bool known = false;
        for (size_t k = 0; k < count && !known; k++)
            known = codes[k].program == launch.program && codes[k].kernel == launch.kernel;
        if (known)
            continue;
        codes[count++] = (struct codes){launch.program, launch.kernel};
        place.program = launch.program;
        place.kernel = launch.kernel;
        for (; place.word < place.info.word_count && more; place.word++)
            more = each(user, &place);
    }
    free(codes);
}

/* ---------------------------------------------------------------- the files of a program */

struct file_search {
    const char **files; /* each once, in the order in which instructions name them */
    size_t count, capacity;
};

static bool note_file(struct file_search *search, const char *file) {
    if (!file)
        return true;
    for (size_t i = search->count; i-- > 0;)
        if (search->files[i] == file || !strcmp(search->files[i], file))
            return true;
    if (search->count == search->capacity) {
        const size_t capacity = search->capacity ? 2 * search->capacity : 16;
        const char **files = realloc(search->files, capacity * sizeof *files);
        if (!files)
            return false;
        search->files = files;
        search->capacity = capacity;
    }
    search->files[search->count++] = file;
    return true;
}

static bool note_place(void *user, const struct fh_dap_place *at) {
    struct file_search *search = user;
    fhec_expansion steps[FHEC_MAX_EXPANSIONS];
    const size_t count =
        fhec_kernel_expansions(at->program, at->kernel, at->word, steps, FHEC_MAX_EXPANSIONS);
    bool fine = note_file(search, fhec_kernel_location(at->program, at->kernel, at->word).file);
    for (size_t i = 0; i < count && fine; i++)
        fine = note_file(search, steps[i].at.file);
    return fine;
}

static struct file_search find_files(struct fh_dap *dap) {
    struct file_search search = {0};
    fh_dap_each_place(dap, note_place, &search);
    return search;
}

/* ---------------------------------------------------------------- names */

/* "file:///a%20b" as "/a b"; what is no URI stays. */
static void path_of_uri(char *path) {
    if (strncmp(path, "file://", 7) != 0)
        return;
    char *to = path;
    for (const char *from = path + 7; *from; from++) {
        const bool coded =
            *from == '%' && isxdigit((unsigned char)from[1]) && isxdigit((unsigned char)from[2]);
        const char digits[3] = {from[1], coded ? from[2] : (char)0, 0};
        *to++ = coded ? (char)strtol(digits, NULL, 16) : *from;
        from += coded ? 2 : 0;
    }
    *to = 0;
}

json_t *fh_dap_path_json(const struct fh_dap *dap, const char *path) {
    if (!dap->paths_are_uris)
        return fh_dap_text(path);
    char *uri = calloc(3 * strlen(path) + 8, 1);
    char *to = uri ? stpcpy(uri, "file://") : NULL;
    for (const char *from = path; uri && *from; from++) {
        const bool plain = isalnum((unsigned char)*from) || strchr("/._-~", *from);
        if (plain)
            *to++ = *from;
        else
            to += sprintf(to, "%%%02X", (unsigned char)*from);
    }
    json_t *json = uri ? json_string(uri) : NULL;
    free(uri);
    return json;
}

json_t *fh_dap_source_json(struct fh_dap *dap, const char *file) {
    char path[PATH_MAX];
    const char *base = strrchr(file, '/');
    json_t *source = json_pack("{s:o}", "name", fh_dap_text(base ? base + 1 : file));
    if (realpath(file, path)) {
        json_object_set_new(source, "path", fh_dap_path_json(dap, path));
        return source;
    }
    size_t length;
    struct file_search search = find_files(dap);
    if (fh_debugger_source(dap->debugger, file, &length))
        for (size_t i = 0; i < search.count; i++)
            if (!strcmp(search.files[i], file))
                json_object_set_new(source, "sourceReference", json_integer((json_int_t)i + 1));
    free(search.files);
    json_object_set_new(source, "origin", json_string("inside fhec"));
    return source;
}

/* Whether `file`, as the guest calls it, is what the client calls `path`. */
static bool is_file(const char *file, const char *path) {
    char real[PATH_MAX], wanted[PATH_MAX];
    if (!strcmp(file, path))
        return true;
    return realpath(file, real) && realpath(path, wanted) && !strcmp(real, wanted);
}

const char *fh_dap_source_file(struct fh_dap *dap, const json_t *source) {
    const json_int_t reference = fh_dap_int(source, "sourceReference");
    const char *given = fh_dap_string(source, "path");
    char *path = strdup(given ? given : "");
    const char *found = NULL;
    struct file_search search = find_files(dap);
    if (path)
        path_of_uri(path);
    if (reference > 0 && (size_t)reference <= search.count)
        found = search.files[reference - 1];
    for (size_t i = 0; i < search.count && !found && path && *path; i++)
        if (is_file(search.files[i], path))
            found = search.files[i];
    free(path);
    free(search.files);
    return found;
}

/* ---------------------------------------------------------------- requests */

bool fh_dap_source(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const json_int_t inner = fh_dap_int(json_object_get(arguments, "source"), "sourceReference");
    const json_int_t reference = inner ? inner : fh_dap_int(arguments, "sourceReference");
    size_t length = 0;
    const char *text = NULL;
    struct file_search search = {0};
    if (dap->debugger)
        search = find_files(dap);
    if (reference > 0 && (size_t)reference <= search.count)
        text = fh_debugger_source(dap->debugger, search.files[reference - 1], &length);
    free(search.files);
    char *copy = text ? strndup(text, length) : NULL;
    if (!copy)
        return fh_dap_fail(dap, FH_DAP_NO_SUCH, "there is no source with the reference %lld",
                           (long long)reference);
    *body = json_pack("{s:o, s:s}", "content", fh_dap_text(copy), "mimeType", "text/x-sass");
    free(copy);
    return true;
}

bool fh_dap_loaded_sources(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    json_t *sources = json_array();
    (void)arguments;
    if (dap->debugger) {
        struct file_search search = find_files(dap);
        for (size_t i = 0; i < search.count; i++)
            json_array_append_new(sources, fh_dap_source_json(dap, search.files[i]));
        free(search.files);
    }
    *body = json_pack("{s:o}", "sources", sources);
    return true;
}
