/*
 * script_launch.c - commands of launch scripts that load programs and launch their kernels.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "fhec_allocations.h"
#include "job.h"
#include "message.h"
#include "nearest.h"
#include "options.h"
#include "script_parts.h"
#include "variables.h"

/* ---------------------------------------------------------------- load */

/* "a/b/conv.cubin" is called conv. */
static char *alias_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return strndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static fhec_status keep_aliases(struct fh_cli_script_run *run, size_t from, const char *name) {
    for (size_t i = from; i < run->programs.count; i++) {
        char **aliases = fh_cli_more(run->aliases, i, sizeof(char *));
        run->aliases = aliases ? aliases : run->aliases;
        if (aliases)
            aliases[i] = strdup(name);
        if (!aliases || !aliases[i]) {
            while (run->programs.count > i)
                fhec_program_free((fhec_program *)run->programs.list[--run->programs.count]);
            return fh_cli_no_memory(run->cli);
        }
    }
    return FHEC_OK;
}

/* "ADDRESS,ADDRESS,...": where the only program's variables are to be. */
static fhec_status load_at(struct fh_cli_script_run *run, size_t first, const char *list) {
    enum { MOST = 4096 };
    uint64_t *addresses = calloc(MOST, sizeof *addresses);
    char *copy = strdup(list), *rest = copy, *word;
    size_t count = 0;
    fhec_status status = addresses && copy ? FHEC_OK : fh_cli_no_memory(run->cli);
    if (status == FHEC_OK && run->programs.count != first + 1)
        status = fh_cli_script_wrong(run, "at: the file has several objects; `object N` takes one");
    while (status == FHEC_OK && (word = strsep(&rest, ",")) != NULL)
        if (count == MOST || !fh_cli_number(word, &addresses[count++]))
            status = fh_cli_script_wrong(run, "at: \"%s\" is no address", word);
    if (status == FHEC_OK) {
        status = fhec_load_at(run->machine, run->programs.list[first], addresses, count);
        if (status != FHEC_OK)
            (void)fh_cli_machine_error(run->cli, run->machine, status);
    }
    free(addresses);
    free(copy);
    return status;
}

fhec_status fh_cli_script_load(struct fh_cli_script_run *run,
                               const struct fh_cli_script_words *words) {
    struct fh_cli_script_option options[] = {
        {"as", NULL, false}, {"object", NULL, false}, {"at", NULL, false}};
    fhec_status status = fh_cli_script_expect_words(
        run, words, 1, 7, "load FILE [as NAME] [object N] [at ADDRESS,...]");
    if (status == FHEC_OK)
        status = fh_cli_script_options(run, words, 1, options, 3);
    if (status != FHEC_OK)
        return status;
    struct fh_cli_source source = {.path = NULL};
    if (run->settings->source) {
        source.include_dirs = run->settings->source->include_dirs;
        source.include_count = run->settings->source->include_count;
        source.defines = run->settings->source->defines;
        source.define_count = run->settings->source->define_count;
        source.architecture = run->settings->source->architecture;
    }
    if (options[1].value && (!fh_cli_number(options[1].value, &source.object) || !source.object))
        return fh_cli_script_wrong(run, "object %s: they are counted from 1", options[1].value);
    const size_t first = run->programs.count;
    char *path = fh_cli_script_path(run, words->list[0]);
    char *alias = options[0].value ? strdup(options[0].value) : alias_of(words->list[0]);
    source.path = path;
    status = path && alias ? fh_cli_load_all(run->cli, &source, &run->programs)
                           : fh_cli_no_memory(run->cli);
    const fhec_status kept = alias ? keep_aliases(run, first, alias) : FHEC_OK;
    status = status == FHEC_OK ? kept : status;
    if (status == FHEC_OK && options[2].value)
        status = load_at(run, first, options[2].value);
    source.include_dirs = source.defines = NULL; /* the command's */
    fh_cli_source_free(&source);
    free(path);
    free(alias);
    return status;
}

/* ---------------------------------------------------------------- arguments */

/* NAME[+OFFSET] before an equals sign; 0: it is a value without a name. */
static size_t name_length(const char *word) {
    size_t length = 0;
    while (isalnum((unsigned char)word[length]) || (word[length] && strchr("_$.+", word[length])))
        length++;
    return length && word[length] == '=' ? length : 0;
}

static fhec_status read_argument(const struct fh_cli_script_run *run, const char *word,
                                 unsigned *position, struct fh_cli_scalar *scalar) {
    const size_t length = name_length(word);
    const char *value = word + length + (length != 0);
    char *path = value[0] == '@' ? fh_cli_script_path(run, value + 1) : NULL, *text = NULL;
    if (path && asprintf(&text, "@%s", path) < 0)
        text = NULL;
    free(path);
    scalar->text = value[0] == '@' ? text : strdup(value);
    scalar->name = length ? strndup(word, length) : NULL;
    scalar->position = length ? 0 : ++*position;
    return scalar->text && (scalar->name || !length) ? FHEC_OK : fh_cli_no_memory(run->cli);
}

static fhec_status read_arguments(const struct fh_cli_script_run *run,
                                  const struct fh_cli_script_words *words, size_t from,
                                  struct fh_cli_job *job) {
    unsigned position = 0;
    job->scalars = calloc(words->count + 1, sizeof *job->scalars);
    if (!job->scalars)
        return fh_cli_no_memory(run->cli);
    fhec_status status = FHEC_OK;
    for (size_t i = from; i < words->count && status == FHEC_OK; i++)
        status = read_argument(run, words->list[i], &position, &job->scalars[job->scalar_count++]);
    return status;
}

static void free_job(struct fh_cli_job *job) {
    for (size_t i = 0; i < job->scalar_count; i++) {
        free((char *)job->scalars[i].name);
        free((char *)job->scalars[i].text);
    }
    free(job->scalars);
    fh_cli_job_free(job);
}

/* ---------------------------------------------------------------- launch */

enum { GRID, BLOCK, SHARED, STACK, IN, FAULTS, PARAMS, OPTIONS };

static fhec_status read_fault(const struct fh_cli_script_run *run, const char *name,
                              fhec_fault_kind *kind) {
    const char *names[FHEC_FAULT_TRAP];
    for (int k = FHEC_FAULT_NONE + 1; k <= FHEC_FAULT_TRAP; k++) {
        names[k - 1] = fhec_fault_name((fhec_fault_kind)k);
        if (strcmp(names[k - 1], name) == 0) {
            *kind = (fhec_fault_kind)k;
            return FHEC_OK;
        }
    }
    return fh_cli_script_wrong(run, "\"%s\" is no kind of fault%s", name,
                               fh_cli_hint(fh_nearest_of(name, names, FHEC_FAULT_TRAP)).text);
}

static fhec_status read_shape(const struct fh_cli_script_run *run, const char *grid,
                              const char *block, struct fh_cli_job *job) {
    if (!grid || !block)
        return fh_cli_script_wrong(run, "grid and block are needed: the shape of the launch");
    if (!fh_cli_dimensions(grid, fh_cli_most_blocks(), job->grid))
        return fh_cli_script_wrong(run, "grid %s: expected X[,Y[,Z]], each from 1 to %u", grid,
                                   fh_cli_most_blocks());
    if (!fh_cli_dimensions(block, fh_cli_most_threads(), job->block))
        return fh_cli_script_wrong(run, "block %s: expected X[,Y[,Z]], each from 1 to %u", block,
                                   fh_cli_most_threads());
    const uint64_t threads = (uint64_t)job->block[0] * job->block[1] * job->block[2];
    return threads <= fh_cli_most_threads()
               ? FHEC_OK
               : fh_cli_script_wrong(run, "block %s: %llu threads; a block has at most %u", block,
                                     (unsigned long long)threads, fh_cli_most_threads());
}

static fhec_status read_size(const struct fh_cli_script_run *run, const char *what,
                             const char *text, uint32_t *size) {
    uint64_t bytes = 0;
    fhec_status status = text ? fh_cli_script_bytes(run, what, text, &bytes) : FHEC_OK;
    if (status == FHEC_OK && bytes > UINT32_MAX)
        status = fh_cli_script_wrong(run, "%s %s: that is too much", what, text);
    *size = (uint32_t)bytes;
    return status;
}

/* The programs that `in NAME` leaves. */
static fhec_status choose_programs(struct fh_cli_script_run *run, const char *alias,
                                   struct fh_cli_programs *chosen) {
    if (!run->programs.count)
        return fh_cli_script_wrong(run, "no program has been loaded");
    chosen->list = calloc(run->programs.count, sizeof(fhec_program *));
    if (!chosen->list)
        return fh_cli_no_memory(run->cli);
    for (size_t i = 0; i < run->programs.count; i++)
        if (!alias || strcmp(run->aliases[i], alias) == 0)
            chosen->list[chosen->count++] = run->programs.list[i];
    if (chosen->count)
        return FHEC_OK;
    const char *near = fh_nearest_of(alias, (const char *const *)run->aliases, run->programs.count);
    return fh_cli_script_wrong(run, "no program is called \"%s\"%s", alias, fh_cli_hint(near).text);
}

/* Says what of a kernel cannot be executed, once. */
static fhec_status check_kernel(struct fh_cli_script_run *run, const struct fh_cli_job *job) {
    for (size_t i = 0; i < run->checked_count; i++)
        if (run->checked[i].program == job->program && run->checked[i].index == job->index)
            return FHEC_OK;
    struct fh_cli_kernel *list = fh_cli_more(run->checked, run->checked_count, sizeof *list);
    if (!list)
        return fh_cli_no_memory(run->cli);
    run->checked = list;
    list[run->checked_count++] = (struct fh_cli_kernel){job->program, job->index};
    return fh_cli_check_kernel(run->cli, job, run->settings->trap_unsupported);
}

/* A launch that is to fault in this way. */
static fhec_status run_faulting(struct fh_cli_script_run *run, struct fh_cli_job *job,
                                fhec_fault_kind kind) {
    const fhec_status status = fh_cli_job_launch(run->cli, job, run->machine);
    const fhec_fault *fault = status == FHEC_GUEST_FAULT ? fhec_machine_fault(run->machine) : NULL;
    if (status != FHEC_OK && (!fault || fault->kind != kind))
        return fh_cli_machine_error(run->cli, run->machine, status);
    if (fault)
        return FHEC_OK;
    (void)fh_cli_error(run->cli, FHEC_DIFFERS, "there was no fault; expected one: %s",
                       fhec_fault_name(kind));
    run->differs = true;
    return FHEC_OK;
}

static fhec_status run_job(struct fh_cli_script_run *run, struct fh_cli_job *job,
                           const char *faults) {
    fhec_fault_kind kind = FHEC_FAULT_NONE;
    fhec_status status = faults ? read_fault(run, faults, &kind) : FHEC_OK;
    if (status == FHEC_OK)
        status = fh_cli_job_prepare(run->cli, job);
    if (status == FHEC_OK)
        fh_cli_memory_fill_in(&run->memory);
    run->memory.fixup_count = 0;
    if (status == FHEC_OK)
        status = check_kernel(run, job);
    if (status != FHEC_OK)
        return status;
    if (kind != FHEC_FAULT_NONE && !run->settings->deferred)
        return run_faulting(run, job, kind);
    status = fh_cli_job_launch(run->cli, job, run->machine);
    if (status == FHEC_GUEST_FAULT && !fhec_machine_fault(run->machine))
        return status; /* all of them have been said */
    return status == FHEC_OK ? FHEC_OK : fh_cli_machine_error(run->cli, run->machine, status);
}

fhec_status fh_cli_script_launch(struct fh_cli_script_run *run,
                                 const struct fh_cli_script_words *words) {
    struct fh_cli_script_option options[OPTIONS] = {
        [GRID] = {"grid", NULL, false},     [BLOCK] = {"block", NULL, false},
        [SHARED] = {"shared", NULL, false}, [STACK] = {"stack", NULL, false},
        [IN] = {"in", NULL, false},         [FAULTS] = {"faults", NULL, false},
        [PARAMS] = {"params", NULL, false}};
    struct fh_cli_script_words before = *words;
    struct fh_cli_job job = {.memory = &run->memory,
                             .max_steps = run->settings->machine->max_steps,
                             .all_faults = run->settings->all_faults};
    before.count = 0;
    while (before.count < words->count && strcmp(words->list[before.count], "with") != 0)
        before.count++;
    fhec_status status = fh_cli_script_expect_words(
        run, &before, 1, SIZE_MAX, "launch KERNEL grid X[,Y[,Z]] block X[,Y[,Z]] ... [with ...]");
    if (status == FHEC_OK)
        status = fh_cli_script_options(run, &before, 1, options, OPTIONS);
    if (status == FHEC_OK)
        status = read_shape(run, options[GRID].value, options[BLOCK].value, &job);
    if (status == FHEC_OK)
        status = read_size(run, "shared", options[SHARED].value, &job.dynamic_shared);
    if (status == FHEC_OK)
        status = read_size(run, "stack", options[STACK].value, &job.stack);
    if (status == FHEC_OK && options[PARAMS].value && before.count < words->count)
        status =
            fh_cli_script_wrong(run, "params are all parameters; `with` gives them one by one");
    if (status == FHEC_OK)
        status = read_arguments(run, words, before.count + 1, &job);
    if (status == FHEC_OK)
        status = choose_programs(run, options[IN].value, &job.programs);
    job.kernel = words->count ? words->list[0] : NULL;
    job.raw = options[PARAMS].value;
    if (status == FHEC_OK)
        status = run_job(run, &job, options[FAULTS].value);
    free(job.programs.list);
    free_job(&job);
    return status;
}
