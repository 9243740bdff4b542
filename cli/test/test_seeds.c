/*
 * test_seeds.c - see test_seeds.h.
 */
#include "test_seeds.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "interrupt.h"
#include "job.h"
#include "machine_options.h"
#include "message.h"

/* The bytes of all buffers, each malloc'd. */
struct contents {
    uint8_t **bytes;
    size_t count;
};

static size_t size_of(const struct fh_cli_buffer *buffer) {
    return buffer->data.count * buffer->data.width;
}

static void contents_free(struct contents *contents) {
    for (size_t i = 0; i < contents->count; i++)
        free(contents->bytes[i]);
    free(contents->bytes);
    *contents = (struct contents){NULL, 0};
}

static fhec_status contents_take(const struct fh_cli_test_parts *test, struct contents *contents) {
    const struct fh_cli_memory *memory = &test->memory;
    contents->bytes = calloc(memory->buffer_count + 1, sizeof *contents->bytes);
    contents->count = contents->bytes ? memory->buffer_count : 0;
    bool good = contents->bytes != NULL;
    for (size_t i = 0; i < contents->count && good; i++) {
        contents->bytes[i] = malloc(size_of(&memory->buffers[i]) + 1);
        good = contents->bytes[i] != NULL;
        if (good)
            memcpy(contents->bytes[i], memory->buffers[i].data.bytes, size_of(&memory->buffers[i]));
    }
    return good ? FHEC_OK : fh_cli_no_memory(test->cli);
}

void fh_cli_test_reset(struct fh_cli_test_parts *test) {
    for (size_t i = 0; i < test->memory.buffer_count; i++)
        for (size_t k = 0; k < test->values[i].count; k++)
            fh_cli_data_set(&test->memory.buffers[i].data, k, test->values[i].elements[k]);
}

/* What buffers hold on a machine before anything has run. */
static fhec_status fresh_contents(struct fh_cli_test_parts *test, const struct fh_cli *quiet,
                                  const struct fh_cli_machine *settings,
                                  struct contents *contents) {
    fhec_machine *machine = NULL;
    fh_cli_test_reset(test);
    fhec_status status = fh_cli_machine_new(quiet, settings, &machine);
    if (status == FHEC_OK)
        status = fh_cli_memory_allocate(&test->memory, machine);
    if (status == FHEC_OK)
        status = fh_cli_memory_read_back(&test->memory, machine);
    fhec_machine_free(machine);
    return status == FHEC_OK ? contents_take(test, contents) : status;
}

/* A run on another machine, without a word. *passed: all that is expected holds; *fault is how it
 * ended. */
static fhec_status run_again(struct fh_cli_test_parts *test, const struct fh_cli *quiet,
                             const struct fh_cli_machine *settings, bool *passed,
                             fhec_fault_kind *fault) {
    struct fh_cli_test_run run = *test->run;
    struct fh_cli_test_parts again = *test;
    fhec_machine *machine = NULL;
    run.result = json_pack("{s:[], s:[]}", "differences", "updates");
    again.run = &run;
    again.cli = quiet;
    again.failed = false;
    fh_cli_test_reset(test);
    fhec_status status =
        run.result ? fh_cli_machine_new(quiet, settings, &machine) : fh_cli_no_memory(test->cli);
    if (status == FHEC_OK)
        status = fh_cli_memory_allocate(&again.memory, machine);
    if (status == FHEC_OK)
        status = fh_cli_job_launch(quiet, &again.job, machine);
    *fault = status == FHEC_GUEST_FAULT ? fhec_machine_fault(machine)->kind : FHEC_FAULT_NONE;
    bool as_expected = *fault == test->fault_kind;
    if (status == FHEC_GUEST_FAULT)
        status = FHEC_OK;
    if (status == FHEC_OK)
        status = fh_cli_memory_read_back(&again.memory, machine);
    if (status == FHEC_OK && as_expected)
        status = fh_cli_test_expect(&again);
    *passed = as_expected && !again.failed;
    fhec_machine_free(machine);
    json_decref(run.result);
    return status;
}

static void say_varies(struct fh_cli_test_parts *test, const char *what) {
    test->varies = true;
    fh_cli_error(test->cli, FHEC_DIFFERS, "%s:%u: the result changes with the machine's seed: %s",
                 test->lines[0].file, test->lines[0].line, what);
}

/* The first element that was written on one of the machines and differs. */
static void compare(struct fh_cli_test_parts *test, const struct contents before[2],
                    const struct contents after[2], const uint64_t seeds[2]) {
    for (size_t i = 0; i < test->memory.buffer_count && !test->varies; i++) {
        struct fh_cli_data data = test->memory.buffers[i].data;
        uint64_t value[2], old[2];
        for (size_t k = 0; k < data.count && !test->varies; k++) {
            for (int r = 0; r < 2; r++) {
                data.bytes = after[r].bytes[i];
                value[r] = fh_cli_data_get(&data, k);
                data.bytes = before[r].bytes[i];
                old[r] = fh_cli_data_get(&data, k);
            }
            if (value[0] == value[1] || (value[0] == old[0] && value[1] == old[1]))
                continue;
            char what[300];
            snprintf(what, sizeof what, "%s[%zu] is 0x%llx with %llu and 0x%llx with %llu",
                     test->memory.buffers[i].name, k, (unsigned long long)value[0],
                     (unsigned long long)seeds[0], (unsigned long long)value[1],
                     (unsigned long long)seeds[1]);
            say_varies(test, what);
        }
    }
}

/* A case that holds: it must on the other machine, too, and leave the same. */
static fhec_status compare_machines(struct fh_cli_test_parts *test, const struct fh_cli *quiet) {
    struct fh_cli_machine settings[2] = {*test->run->machine, *test->run->machine};
    struct contents before[2] = {{NULL, 0}, {NULL, 0}}, after[2] = {{NULL, 0}, {NULL, 0}};
    bool passed = false;
    fhec_fault_kind fault = FHEC_FAULT_NONE;
    settings[1].seed++;
    fhec_status status = contents_take(test, &after[0]);
    for (int r = 0; r < 2 && status == FHEC_OK; r++)
        status = fresh_contents(test, quiet, &settings[r], &before[r]);
    if (status == FHEC_OK)
        status = run_again(test, quiet, &settings[1], &passed, &fault);
    if (status == FHEC_OK)
        status = contents_take(test, &after[1]);
    const uint64_t seeds[2] = {settings[0].seed, settings[1].seed};
    char what[200];
    snprintf(what, sizeof what, "with %llu %s", (unsigned long long)seeds[1],
             fault != test->fault_kind ? fhec_fault_name(fault) : "an expectation does not hold");
    if (status == FHEC_OK && !test->fault_kind && fault == FHEC_FAULT_NONE)
        compare(test, before, after, seeds);
    if (status == FHEC_OK && !passed && !test->varies)
        say_varies(test, what);
    for (int r = 0; r < 2; r++) {
        contents_free(&before[r]);
        contents_free(&after[r]);
    }
    return status;
}

/* The same for a case that does not hold: whether it does without a seed. */
static fhec_status compare_plain(struct fh_cli_test_parts *test, const struct fh_cli *quiet) {
    struct fh_cli_machine plain = *test->run->machine;
    bool passed = false;
    fhec_fault_kind fault;
    plain.seeded = false;
    fhec_status status = run_again(test, quiet, &plain, &passed, &fault);
    if (status == FHEC_OK && passed)
        say_varies(test, "with --seed-machine=off the case holds");
    return status;
}

fhec_status fh_cli_test_vary(struct fh_cli_test_parts *test) {
    struct fh_cli quiet = *test->cli;
    quiet.silent = true;
    fhec_status status =
        test->failed ? compare_plain(test, &quiet) : compare_machines(test, &quiet);
    if (status != FHEC_CANCELLED || !fh_cli_interrupt_was_late())
        return status;
    test->failed = true;
    fh_cli_error(test->cli, FHEC_DIFFERS,
                 "%s:%u: the time limit is over on another machine (--timeout)",
                 test->lines[0].file, test->lines[0].line);
    return FHEC_OK;
}
