/*
 * command_run.c - fhec run: a kernel, or several one after another, on data files.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "check_run.h"
#include "data_file.h"
#include "elements.h"
#include "finding.h"
#include "first_difference.h"
#include "golden.h"
#include "job.h"
#include "machine_options.h"
#include "message.h"
#include "mutation.h"
#include "nearest.h"
#include "output.h"
#include "program_file.h"
#include "run_options.h"
#include "runner.h"
#include "script_command.h"
#include "seconds.h"
#include "statistics.h"
#include "value.h"
#include "variables.h"
#include "watched_run.h"

enum { OTHER_ORDER = 1 }; /* the seed of warps' order in a second look for races */

/* The options, and what they have been made into. */
struct run {
    struct fh_cli_run_options given;
    struct fh_cli *cli;
    struct fh_cli_programs programs;
    struct fh_cli_memory memory;
    struct fh_cli_outputs outputs;
};

/* Which of several launches the messages are about from now on; SIZE_MAX: none. */
static void set_launch(const struct run *run, size_t step) {
    run->cli->launch =
        run->given.step_count > 1 && step < run->given.step_count ? (unsigned)step + 1 : 0;
}

static fhec_status make_zeros(const struct run *run, struct fh_cli_data *data, uint64_t bytes,
                              struct fh_cli_data type) {
    size_t count = bytes / type.width;
    *data = type;
    data->count = data->shape[0] = count;
    data->dims = 1;
    data->bytes = calloc(count, type.width);
    return data->bytes ? FHEC_OK : fh_cli_no_memory(run->cli);
}

/* The addresses of --pointers: the buffers that they are in must have been made. */
static fhec_status make_pointers(struct run *run, const char *list, struct fh_cli_buffer *buffer) {
    size_t count = 1;
    for (const char *p = list; *p; p++)
        count += *p == ',';
    char *copy = strdup(list), *rest = copy;
    fhec_status status =
        copy ? make_zeros(run, &buffer->data, 8 * count, (struct fh_cli_data){.width = 8})
             : fh_cli_no_memory(run->cli);
    for (size_t i = 0; i < count && status == FHEC_OK; i++)
        status = fh_cli_put_address(run->cli, &run->memory, strsep(&rest, ","),
                                    buffer->data.bytes + 8 * i);
    free(copy);
    return status;
}

static fhec_status make_buffer(struct run *run, const struct fh_cli_binding *binding,
                               struct fh_cli_buffer *buffer) {
    buffer->name = binding->name;
    buffer->read_only = binding->direction == FH_CLI_IN || binding->direction == FH_CLI_POINTERS;
    if (binding->direction == FH_CLI_POINTERS)
        return FHEC_OK; /* when all the others are there */
    buffer->fresh = binding->direction == FH_CLI_OUT;
    if (buffer->fresh)
        return make_zeros(run, &buffer->data, binding->bytes, binding->type);
    const char *path = binding->from ? binding->from : binding->path;
    fhec_status status = fh_cli_data_read_any(run->cli, path, 0, &buffer->data);
    if (status == FHEC_OK && buffer->data.count == 0)
        status =
            fh_cli_error(run->cli, FHEC_BAD_INPUT,
                         "%s has no elements; buffer %s needs at least one", path, binding->name);
    return status;
}

/* Reads the input files and makes zeros for the outputs; sets parts of buffers. */
static fhec_status make_buffers(struct run *run) {
    struct fh_cli_memory *memory = &run->memory;
    fhec_status status = FHEC_OK;
    memory->buffers = calloc(run->given.binding_count + 1, sizeof *memory->buffers);
    if (!memory->buffers)
        return fh_cli_no_memory(run->cli);
    for (size_t i = 0; i < run->given.binding_count && status == FHEC_OK; i++)
        status =
            make_buffer(run, &run->given.bindings[i], &memory->buffers[memory->buffer_count++]);
    for (size_t i = 0; i < run->given.binding_count && status == FHEC_OK; i++)
        if (run->given.bindings[i].direction == FH_CLI_POINTERS)
            status = make_pointers(run, run->given.bindings[i].path, &memory->buffers[i]);
    for (size_t i = 0; i < run->given.setting_count && status == FHEC_OK; i++)
        status = fh_cli_names_buffer(memory, run->given.settings[i].name)
                     ? fh_cli_set_buffer(run->cli, memory, &run->given.settings[i])
                     : fh_cli_note_address(run->cli, memory, run->given.settings[i].text);
    return status;
}

static const struct fh_cli_buffer *find_buffer(const struct run *run, const char *name) {
    struct fh_nearest n;
    fh_nearest_begin(&n, name, strlen(name));
    for (size_t i = 0; i < run->memory.buffer_count; i++) {
        const struct fh_cli_buffer *buffer = &run->memory.buffers[i];
        if (!strcmp(buffer->name, name))
            return buffer;
        fh_nearest_try(&n, buffer->name, strlen(buffer->name));
    }
    fh_cli_error(run->cli, FHEC_BAD_INPUT, "no buffer is called \"%s\"%s", name,
                 fh_cli_hint(n.best).text);
    return NULL;
}

/* The names of --hash, --expect and --get, and the files of --expect, before anything runs. */
static fhec_status prepare_results(const struct run *run) {
    for (size_t i = 0; i < run->given.hash_count; i++)
        if (!find_buffer(run, run->given.hash_names[i]))
            return FHEC_BAD_INPUT;
    for (size_t i = 0; i < run->given.expectation_count; i++) {
        struct fh_cli_expectation *expectation = &run->given.expectations[i];
        const struct fh_cli_buffer *buffer = find_buffer(run, expectation->name);
        if (!buffer)
            return FHEC_BAD_INPUT;
        if (expectation->hash)
            continue;
        fhec_status status = fh_cli_data_read_any(run->cli, expectation->path, buffer->data.width,
                                                  &expectation->want);
        if (status != FHEC_OK)
            return status;
    }
    for (size_t i = 0; i < run->given.shown_count; i++) {
        fhec_status status = fh_cli_check_variable(run->cli, &run->programs, run->given.shown[i]);
        if (status != FHEC_OK)
            return status;
    }
    return FHEC_OK;
}

static bool is_output(const struct fh_cli_binding *binding) {
    return (binding->direction == FH_CLI_OUT || binding->direction == FH_CLI_INOUT) &&
           binding->path;
}

/* The files of --out, --inout, --get, --trace-file, --sarif and --profile. */
static fhec_status add_outputs(struct run *run) {
    struct fh_cli_outputs *outputs = &run->outputs;
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < run->given.binding_count && status == FHEC_OK; i++)
        if (is_output(&run->given.bindings[i]))
            status = fh_cli_output_add(run->cli, outputs, run->given.bindings[i].path);
    for (size_t i = 0; i < run->given.shown_count && status == FHEC_OK; i++) {
        const char *equals = strchr(run->given.shown[i], '=');
        if (equals)
            status = fh_cli_output_add(run->cli, outputs, equals + 1);
    }
    const char *const watching[] = {run->given.trace.path, run->given.check.sarif,
                                    run->given.profile.path};
    for (size_t i = 0; i < sizeof watching / sizeof *watching && status == FHEC_OK; i++)
        if (watching[i])
            status = fh_cli_output_add(run->cli, outputs, watching[i]);
    return status == FHEC_OK ? fh_cli_source_spare(run->cli, &run->given.source, outputs) : status;
}

/* The same, but for those of whatever watches, which has them. */
static fhec_status write_outputs(struct run *run, fhec_machine *machine) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < run->given.binding_count && status == FHEC_OK; i++)
        if (is_output(&run->given.bindings[i]))
            status = fh_cli_data_write(run->cli, &run->outputs, run->given.bindings[i].path,
                                       &run->memory.buffers[i].data);
    for (size_t i = 0; i < run->given.shown_count && status == FHEC_OK; i++)
        if (strchr(run->given.shown[i], '='))
            status = fh_cli_get_variable(run->cli, &run->programs, machine, run->given.shown[i],
                                         &run->outputs);
    return status;
}

/* Of several launches: what each has issued. */
static void print_launches(const struct run *run) {
    for (size_t i = 0; i < run->given.step_count; i++) {
        const struct fh_cli_step *step = &run->given.steps[i];
        printf("launch %zu: kernel %s: %llu warp instructions, %llu thread instructions\n", i + 1,
               step->job.info.name, (unsigned long long)step->warp_insts,
               (unsigned long long)step->thread_insts);
    }
}

static json_t *launches_json(const struct run *run) {
    json_t *list = json_array();
    for (size_t i = 0; i < run->given.step_count; i++) {
        const struct fh_cli_step *step = &run->given.steps[i];
        json_array_append_new(list, json_pack("{s:s, s:I, s:I}", "kernel", step->job.info.name,
                                              "warp_insts", (json_int_t)step->warp_insts,
                                              "thread_insts", (json_int_t)step->thread_insts));
    }
    return json_pack("{s:o}", "each_launch", list);
}

static fhec_status report(const struct run *run, fhec_machine *machine, double seconds) {
    struct fh_cli_hash *hashes = calloc(run->given.hash_count + 1, sizeof *hashes);
    if (!hashes)
        return fh_cli_no_memory(run->cli);
    for (size_t i = 0; i < run->given.hash_count; i++) {
        const struct fh_cli_buffer *buffer = find_buffer(run, run->given.hash_names[i]);
        hashes[i].name = buffer->name;
        fh_golden_hash_bytes(buffer->data.bytes, buffer->data.count * buffer->data.width,
                             hashes[i].hex);
    }
    json_t *each = run->given.step_count > 1 ? launches_json(run) : NULL;
    if (each && run->given.machine.stats == FH_CLI_STATS_TEXT)
        print_launches(run);
    fhec_status status = fh_cli_print_statistics(run->cli, &run->given.machine, machine, seconds,
                                                 hashes, run->given.hash_count, each);
    json_decref(each);
    free(hashes);
    return status;
}

/* Everything that can be checked before there is a machine. */
static fhec_status prepare(struct run *run) {
    fhec_status status = add_outputs(run);
    if (status == FHEC_OK)
        status = make_buffers(run);
    if (status == FHEC_OK)
        status = prepare_results(run);
    for (size_t i = 0; i < run->given.step_count && status == FHEC_OK; i++) {
        struct fh_cli_job *job = &run->given.steps[i].job;
        job->programs = run->programs;
        job->memory = &run->memory;
        job->max_steps = run->given.machine.max_steps;
        job->all_faults = run->given.all_faults;
        set_launch(run, i);
        status = fh_cli_job_prepare(run->cli, job);
        if (status == FHEC_OK)
            status = fh_cli_check_kernel(run->cli, job, run->given.trap_unsupported);
    }
    set_launch(run, SIZE_MAX);
    return status == FHEC_OK ? fh_cli_job_check_buffers(run->cli, &run->given.steps[0].job)
                             : status;
}

/* After a fault: a stack whose need nobody knows may have been too small. */
static void say_stack(const struct run *run, const struct fh_cli_job *job,
                      const fhec_machine *machine) {
    const fhec_fault *fault = fhec_machine_fault(machine);
    if (fault->kind == FHEC_FAULT_OUT_OF_BOUNDS && job->info.stack_unknown && fault->space &&
        !strcmp(fault->space, "local"))
        fh_cli_note(run->cli, "how much stack kernel %s needs is not known; --stack gives it more",
                    job->info.name);
}

/* What the launch has issued: all that the machine has since the ones before it. */
static void count_launch(struct run *run, size_t index, fhec_machine *machine) {
    struct fh_cli_step *step = &run->given.steps[index];
    fhec_stats stats = {0};
    if (run->given.machine.stats == FH_CLI_STATS_NONE || fhec_machine_stats(machine, &stats))
        return;
    step->warp_insts = stats.warp_insts;
    step->thread_insts = stats.thread_insts;
    for (size_t i = 0; i < index; i++) {
        step->warp_insts -= run->given.steps[i].warp_insts;
        step->thread_insts -= run->given.steps[i].thread_insts;
    }
}

/* Memory, variables, launches, and the memory back. */
static fhec_status launch_all(struct run *run, fhec_machine *machine) {
    fhec_status status = fh_cli_memory_allocate(&run->memory, machine);
    if (status != FHEC_OK)
        return fh_cli_machine_error(run->cli, machine, status);
    for (size_t i = 0; i < run->given.setting_count && status == FHEC_OK; i++)
        if (!fh_cli_names_buffer(&run->memory, run->given.settings[i].name))
            status = fh_cli_set_variable(run->cli, &run->programs, machine, &run->memory,
                                         &run->given.settings[i]);
    if (status != FHEC_OK)
        return status;
    const struct fh_cli_job *last = NULL;
    for (size_t i = 0; i < run->given.step_count && status == FHEC_OK; i++) {
        last = &run->given.steps[i].job;
        set_launch(run, i);
        status = fh_cli_job_launch(run->cli, &run->given.steps[i].job, machine);
        if (status == FHEC_OK)
            count_launch(run, i, machine);
    }
    if (status == FHEC_OK)
        status = fh_cli_memory_read_back(&run->memory, machine);
    const bool said = status == FHEC_GUEST_FAULT && !fhec_machine_fault(machine);
    if (said) /* what the other warps left is looked at, as without a fault */
        (void)fh_cli_memory_read_back(&run->memory, machine);
    if (status != FHEC_OK && !said)
        status = fh_cli_machine_error(run->cli, machine, status);
    if (status == FHEC_GUEST_FAULT && !said)
        say_stack(run, last, machine);
    set_launch(run, SIZE_MAX);
    return status;
}

/* The launches once more, silently, on the data of the first time. */
static fhec_status launch_again(void *user, fhec_machine *machine) {
    struct run *run = user;
    fhec_status status = fh_cli_memory_restart(&run->memory);
    run->cli->silent = true;
    if (status == FHEC_OK)
        status = launch_all(run, machine);
    run->cli->silent = false;
    fh_cli_memory_return(&run->memory);
    return status;
}

static fhec_status expect(struct run *run, const struct fh_cli_expectation *expectation) {
    const struct fh_cli_buffer *buffer = find_buffer(run, expectation->name);
    if (expectation->hash) {
        char hex[FH_GOLDEN_HASH_CHARS];
        fh_golden_hash_bytes(buffer->data.bytes, buffer->data.count * buffer->data.width, hex);
        if (!strcasecmp(hex, expectation->hash))
            return FHEC_OK;
        fh_cli_error(run->cli, FHEC_DIFFERS, "%s has the hash %s; expected %s", buffer->name, hex,
                     expectation->hash);
        return FHEC_DIFFERS;
    }
    /* The same bytes are compared as what the file says that they are. */
    const struct fh_cli_data *want = &expectation->want;
    struct fh_cli_data got = buffer->data;
    if (got.count * got.width == want->count * want->width) {
        got.count = want->count;
        got.width = want->width;
    }
    const struct fh_cli_difference difference = {.what = buffer->name,
                                                 .buffer = buffer->name,
                                                 .got = &got,
                                                 .want = want,
                                                 .address = buffer->address,
                                                 .why = ""};
    const struct fh_cli_again again = {&run->given.machine, run, launch_again};
    return fh_cli_compare_closely(run->cli, &difference, &again);
}

/* --check=race: what was read depended on the order of warps; so the launches are looked at in
 * another one. */
static fhec_status check_other_order(struct run *run, struct fh_cli_check *check) {
    struct fh_cli_machine settings = run->given.machine;
    fhec_machine *machine = NULL;
    settings.stats = FH_CLI_STATS_NONE;
    settings.seed_is_told = true;
    settings.options.order = (fhec_order){.kind = FHEC_ORDER_SEED, .seed = OTHER_ORDER};
    fhec_status status = fh_cli_machine_new(run->cli, &settings, &machine);
    if (status == FHEC_OK)
        status = fh_cli_check_other_begin(check, machine);
    if (status == FHEC_OK) {
        const fhec_status launched = launch_again(run, machine);
        if (launched != FHEC_OK)
            fh_cli_note(run->cli, "in another order of warps the launches fail: %s",
                        fhec_machine_error(machine));
        status = fh_cli_check_other_end(check);
    }
    fhec_machine_free(machine);
    return status;
}

/* The launches, watched, and what is written and printed of them. */
static fhec_status run_machine(struct run *run, struct fh_cli_watch *watch) {
    if (run->given.check.wanted & FH_CHECK_BIT(FH_CHECK_RACE))
        fhec_machine_count(watch->machine, true); /* how long it is: another order of warps */
    const double started = fh_cli_now();
    fhec_status status = launch_all(run, watch->machine);
    const double seconds = fh_cli_now() - started;
    status = fh_cli_watch_launched(watch, status);
    if (status == FHEC_OK)
        status = write_outputs(run, watch->machine);
    if (status == FHEC_OK)
        status = report(run, watch->machine, seconds);
    for (size_t i = 0; i < run->given.shown_count && status == FHEC_OK; i++)
        if (!strchr(run->given.shown[i], '='))
            status = fh_cli_get_variable(run->cli, &run->programs, watch->machine,
                                         run->given.shown[i], NULL);
    if (status == FHEC_OK && fh_cli_check_wants_other_order(watch->check))
        status = check_other_order(run, watch->check);
    return status;
}

static fhec_status run_program(struct run *run) {
    struct fh_cli_watch watch = {.cli = NULL};
    fhec_status status = prepare(run);
    run->memory.keep =
        run->given.expectation_count || run->given.check.wanted & FH_CHECK_BIT(FH_CHECK_RACE);
    if (status == FHEC_OK)
        status = fh_cli_watch_begin(&watch, run->cli, &run->given);
    if (status == FHEC_OK)
        status = run_machine(run, &watch);
    for (size_t i = 0; i < run->given.expectation_count && status <= FHEC_DIFFERS; i++) {
        fhec_status compared = expect(run, &run->given.expectations[i]);
        status = compared > status ? compared : status;
    }
    const bool complete = status <= FHEC_DIFFERS;
    status = fh_cli_watch_end(&watch, &run->memory, status);
    if (complete) {
        fhec_status committed = fh_cli_output_commit(run->cli, &run->outputs);
        status = committed == FHEC_OK ? status : committed;
    }
    return status;
}

static fhec_status list(void *user, const fhec_program *program) {
    const struct fh_cli_run_options *given = user;
    if (given->source.shown)
        printf("%s:\n", given->source.shown);
    fh_cli_list(program, given->all);
    return FHEC_OK;
}

/* The kernels of all FILEs. */
static fhec_status list_all(struct fh_cli *cli, struct fh_cli_run_options *given) {
    struct fh_cli_source *source = &given->source;
    fhec_status status = fh_cli_load_each(cli, source, list, given);
    for (size_t next = 0; status <= FHEC_DIFFERS && fh_cli_source_next(source, &next);)
        status = fh_cli_load_each(cli, source, list, given);
    return status;
}

static fhec_status load(struct run *run) {
    struct fh_cli_source *source = &run->given.source;
    source->kernel = run->given.steps[0].job.kernel;
    fhec_status status = fh_cli_load_files(run->cli, source, &run->programs);
    for (size_t i = 0; i < run->programs.count && status == FHEC_OK; i++)
        status = fh_cli_mutation_program(run->cli, (fhec_program **)&run->programs.list[i]);
    return status;
}

fhec_status fh_cli_run(struct fh_cli *cli, int argc, char **argv) {
    struct run run = {.cli = cli};
    fh_cli_run_options_parse(cli, argc, argv, &run.given);
    if (run.given.script) {
        const fhec_status scripted = fh_cli_script_command_run(cli, &run.given);
        fh_cli_run_options_free(&run.given);
        return scripted;
    }
    fhec_status status = run.given.list ? list_all(cli, &run.given) : load(&run);
    if (status == FHEC_OK && !run.given.list)
        status = run_program(&run);
    fh_cli_output_discard(&run.outputs);
    fh_cli_memory_free(&run.memory);
    free(run.memory.buffers);
    const bool debug = run.given.debug_on_fault && status == FHEC_GUEST_FAULT;
    fh_cli_run_options_free(&run.given);
    fh_cli_programs_free(&run.programs);
    return debug ? cli->debug_fault(cli, argc, argv) : status;
}

/* ---------------------------------------------------------------- for other commands */

struct fh_cli_runner {
    struct run run;
};

fhec_status fh_cli_runner_open(struct fh_cli *cli, struct fh_cli_run_options *given,
                               struct fh_cli_runner **runner) {
    *runner = NULL;
    if (given->script)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "--script is for `fhec run` and `fhec debug` only");
    if (given->list)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "--grid and --block are needed: the shape of the launch");
    struct fh_cli_runner *r = calloc(1, sizeof *r);
    if (!r)
        return fh_cli_no_memory(cli);
    r->run = (struct run){.given = *given, .cli = cli};
    r->run.given.source.kernel = given->steps[0].job.kernel;
    fhec_status status = fh_cli_load_files(cli, &r->run.given.source, &r->run.programs);
    given->source = r->run.given.source; /* whose texts are freed with the options */
    if (status == FHEC_OK)
        status = prepare(&r->run);
    r->run.memory.keep = true;
    if (status == FHEC_OK)
        *runner = r;
    else
        fh_cli_runner_close(r);
    return status;
}

fhec_status fh_cli_runner_open_unwatched(struct fh_cli *cli, struct fh_cli_run_options *given,
                                         struct fh_cli_runner **runner) {
    *runner = NULL;
    if (given->check.wanted || given->profile.path || given->time.wanted ||
        fh_cli_trace_is_wanted(&given->trace))
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "--check, --profile, --time and --trace are those of `fhec run`: this "
                            "looks at something else");
    return fh_cli_runner_open(cli, given, runner);
}

fhec_status fh_cli_runner_launch(struct fh_cli_runner *runner, fhec_machine *machine) {
    for (size_t i = 0; i < runner->run.memory.buffer_count; i++) {
        struct fh_cli_buffer *buffer = &runner->run.memory.buffers[i];
        if (buffer->before)
            memcpy(buffer->data.bytes, buffer->before, buffer->data.count * buffer->data.width);
    }
    return launch_all(&runner->run, machine);
}

struct fh_cli_memory *fh_cli_runner_memory(struct fh_cli_runner *runner) {
    return &runner->run.memory;
}

void fh_cli_runner_close(struct fh_cli_runner *runner) {
    if (!runner)
        return;
    fh_cli_output_discard(&runner->run.outputs);
    fh_cli_memory_free(&runner->run.memory);
    free(runner->run.memory.buffers);
    fh_cli_programs_free(&runner->run.programs);
    free(runner);
}
