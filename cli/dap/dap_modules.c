/*
 * dap_modules.c - modules: the programs of all launches, each a file with kernels. What is launched
 * is known from the beginning on, so all of them are told of when it begins.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dap_code.h"
#include "dap_parts.h"

enum { WORD = 16 };

/* The kernels of all launches, by their numbers, and the programs that they are of, in the order of
 * their first launches. */
struct listing {
    struct fh_dap_code *kernels;
    const fhec_program **programs;
    size_t kernel_count, program_count;
};

static void add_kernel(struct listing *list, const fhec_launch *launch,
                       const fhec_kernel_info *info) {
    bool known = false;
    for (size_t i = 0; i < list->kernel_count; i++) {
        const struct fh_dap_code *k = &list->kernels[i];
        if (k->program == launch->program && k->kernel == launch->kernel)
            return;
        known |= k->program == launch->program;
    }
    list->kernels[list->kernel_count] =
        (struct fh_dap_code){launch->program, launch->kernel, list->kernel_count, 0, *info};
    list->kernel_count++;
    if (!known)
        list->programs[list->program_count++] = launch->program;
}

/* Empty without memory. */
static struct listing list_all(struct fh_dap *dap) {
    const size_t launches = fh_debugger_launch_count(dap->debugger);
    struct listing list = {.kernels = calloc(launches + 1, sizeof *list.kernels),
                           .programs = calloc(launches + 1, sizeof *list.programs)};
    fhec_launch launch;
    fhec_kernel_info info;
    if (list.kernels && list.programs)
        for (size_t i = 0; fh_debugger_launch(dap->debugger, i, &launch, &info); i++)
            add_kernel(&list, &launch, &info);
    return list;
}

static void free_list(struct listing *list) {
    free(list->kernels);
    free(list->programs);
}

json_int_t fh_dap_module_id(struct fh_dap *dap, const fhec_program *program) {
    struct listing list = list_all(dap);
    size_t i = 0;
    while (i < list.program_count && list.programs[i] != program)
        i++;
    const json_int_t id = i < list.program_count ? (json_int_t)i + 1 : 0;
    free_list(&list);
    return id;
}

static json_t *module_json(struct fh_dap *dap, const struct listing *list, size_t index) {
    const char *file = NULL; /* of the first instruction of a kernel */
    char names[200] = "", status[sizeof names + 40], range[48], path[PATH_MAX];
    uint64_t first = UINT64_MAX, end = 0;
    for (size_t i = 0; i < list->kernel_count; i++) {
        const struct fh_dap_code *k = &list->kernels[i];
        if (k->program != list->programs[index])
            continue;
        const size_t length = strlen(names);
        const uint64_t from = FH_DAP_CODE + ((uint64_t)i << 32);
        const uint64_t to = from + (uint64_t)k->info.word_count * WORD;
        snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "", k->info.name);
        first = from < first ? from : first;
        end = to > end ? to : end;
        if (!file && k->info.word_count)
            file = fhec_kernel_location(k->program, k->kernel, 0).file;
    }
    snprintf(status, sizeof status, "%s; kernels: %s",
             file ? "with source lines" : "without source lines", names);
    snprintf(range, sizeof range, "0x%" PRIx64 "-0x%" PRIx64, first, end);
    const char *base = file ? strrchr(file, '/') : NULL;
    const bool is_file = file && realpath(file, path);
    json_t *module = json_pack("{s:I, s:o, s:b, s:o, s:s}", "id", (json_int_t)index + 1, "name",
                               fh_dap_text(base   ? base + 1
                                           : file ? file
                                                  : names),
                               "isUserCode", is_file, "symbolStatus", fh_dap_text(status),
                               "addressRange", range);
    if (is_file)
        json_object_set_new(module, "path", fh_dap_path_json(dap, path));
    return module;
}

bool fh_dap_modules(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const json_int_t start = fh_dap_int(arguments, "startModule");
    const json_int_t count = fh_dap_int(arguments, "moduleCount");
    struct listing list = {0};
    json_t *modules = json_array();
    if (dap->debugger)
        list = list_all(dap);
    const json_int_t total = (json_int_t)list.program_count;
    for (json_int_t i = start < 0 ? 0 : start; i < total && (count <= 0 || i - start < count); i++)
        json_array_append_new(modules, module_json(dap, &list, (size_t)i));
    free_list(&list);
    *body = json_pack("{s:o, s:I}", "modules", modules, "totalModules", total);
    return true;
}

void fh_dap_tell_modules(struct fh_dap *dap, const char *reason) {
    struct listing list = list_all(dap);
    json_t *sources, *source;
    size_t index;
    for (size_t i = 0; i < list.program_count; i++)
        fh_dap_event(
            dap, "module",
            json_pack("{s:s, s:o}", "reason", reason, "module", module_json(dap, &list, i)));
    free_list(&list);
    if (!fh_dap_loaded_sources(dap, NULL, &sources))
        return;
    json_array_foreach(json_object_get(sources, "sources"), index, source) fh_dap_event(
        dap, "loadedSource", json_pack("{s:s, s:O}", "reason", reason, "source", source));
    json_decref(sources);
}
