/*
 * test_case.c - one case of `fhec test`: from its lines to a launch, and the verdict.
 */
#include "test_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "buffers.h"
#include "elements.h"
#include "first_difference.h"
#include "golden.h"
#include "job.h"
#include "machine_options.h"
#include "message.h"
#include "options.h"
#include "test_data.h"
#include "test_golden.h"
#include "test_line.h"

struct test_case {
    struct fh_cli_test_run *run;
    const struct fh_cli *cli;
    const struct fh_cli_test_line *lines;
    size_t count;
    struct fh_cli_job job;
    struct fh_cli_memory memory;
    struct fh_cli_test_value *values; /* one for each buffer, as before the run */
    const struct fh_cli_test_line *fault;
    bool failed;
};

/* ---------------------------------------------------------------- reading the lines */

static fhec_status read_head(struct test_case *test) {
    const struct fh_cli_test_line *head = &test->lines[0];
    const char *grid = fh_cli_test_option(head, 2, "grid");
    const char *block = fh_cli_test_option(head, 2, "block");
    const char *shared = fh_cli_test_option(head, 2, "shared");
    uint64_t bytes = 0;
    if (head->count < 2 || head->count % 2)
        return fh_cli_test_error(test->cli, head, "expected `case NAME grid X block Y ...`");
    if (!grid || !fh_cli_dimensions(grid, fh_cli_most_blocks(), test->job.grid))
        return fh_cli_test_error(test->cli, head, "a case needs `grid X[,Y[,Z]]`");
    if (!block || !fh_cli_dimensions(block, fh_cli_most_threads(), test->job.block))
        return fh_cli_test_error(test->cli, head, "a case needs `block X[,Y[,Z]]`");
    if (shared && (!fh_cli_number(shared, &bytes) || bytes > UINT32_MAX))
        return fh_cli_test_error(test->cli, head, "shared \"%s\" is no number of bytes", shared);
    for (size_t i = 2; i < head->count; i += 2) {
        static const char *const known[] = {"grid", "block", "shared", "kernel"};
        size_t k = 0;
        while (k < 4 && strcmp(known[k], head->words[i]) != 0)
            k++;
        if (k == 4)
            return fh_cli_test_error(test->cli, head, "unknown word \"%s\"", head->words[i]);
    }
    test->job.dynamic_shared = (uint32_t)bytes;
    test->job.kernel = fh_cli_test_option(head, 2, "kernel");
    return FHEC_OK;
}

/* "u32[1024]" */
static bool parse_type(const char *text, unsigned *width, size_t *count) {
    char number[24];
    size_t length = strlen(text);
    if (length < 6 || length > 24 ||
        (strncmp(text, "u32[", 4) != 0 && strncmp(text, "u64[", 4) != 0) || text[length - 1] != ']')
        return false;
    *width = text[1] == '3' ? 4 : 8;
    memcpy(number, text + 4, length - 5);
    number[length - 5] = 0;
    uint64_t value;
    if (!fh_cli_number(number, &value) || !value || value > UINT64_C(1) << 32)
        return false;
    *count = (size_t)value;
    return true;
}

static fhec_status read_buffer(struct test_case *test, const struct fh_cli_test_line *line) {
    struct fh_cli_test_value *value = &test->values[test->memory.buffer_count];
    struct fh_cli_buffer *buffer = &test->memory.buffers[test->memory.buffer_count];
    if (line->count < 3 || !parse_type(line->words[2], &value->width, &value->count))
        return fh_cli_test_error(test->cli, line, "expected `%s NAME u32[COUNT] ...`",
                                 line->words[0]);
    if (!strcmp(line->words[0], "out") && line->count > 3)
        return fh_cli_test_error(test->cli, line, "an out buffer has no source");
    value->name = buffer->name = line->words[1];
    value->elements = calloc(value->count, sizeof *value->elements);
    buffer->data = (struct fh_cli_data){.count = value->count, .width = value->width};
    buffer->data.bytes = calloc(value->count, value->width);
    buffer->read_only = !strcmp(line->words[0], "in");
    test->memory.buffer_count++;
    if (!value->elements || !buffer->data.bytes)
        return fh_cli_no_memory(test->cli);
    fhec_status status = fh_cli_test_source(test->cli, line, value);
    for (size_t i = 0; i < value->count && status == FHEC_OK; i++)
        fh_cli_data_set(&buffer->data, i, value->elements[i]);
    return status;
}

static fhec_status read_line(struct test_case *test, const struct fh_cli_test_line *line) {
    const char *word = line->words[0];
    if (!strcmp(word, "in") || !strcmp(word, "out") || !strcmp(word, "inout"))
        return read_buffer(test, line);
    if (!strcmp(word, "arg")) {
        if (line->count != 3)
            return fh_cli_test_error(test->cli, line, "expected `arg NAME VALUE`");
        test->job.scalars[test->job.scalar_count++] =
            (struct fh_cli_scalar){line->words[1], line->words[2]};
        return FHEC_OK;
    }
    if (!strcmp(word, "fault")) {
        if (line->count < 2)
            return fh_cli_test_error(test->cli, line, "expected `fault KIND`");
        test->fault = line;
        return FHEC_OK;
    }
    if (!strcmp(word, "expect"))
        return line->count >= 4 ? FHEC_OK
                                : fh_cli_test_error(test->cli, line,
                                                    "expected `expect NAME golden|values|file|"
                                                    "hash ...`");
    return fh_cli_test_error(test->cli, line, "unknown word \"%s\"", word);
}

/* ---------------------------------------------------------------- expectations */

static size_t find_buffer(const struct test_case *test, const char *name) {
    size_t i = 0;
    while (i < test->memory.buffer_count && strcmp(test->memory.buffers[i].name, name) != 0)
        i++;
    return i;
}

/* A pinned hash against the hash of what it stands for; --update notes the difference. */
static fhec_status check_pin(struct test_case *test, const struct fh_cli_test_line *line,
                             const char *hex, const char *pinned, bool from_reference) {
    if (!strcasecmp(hex, pinned))
        return FHEC_OK;
    if (from_reference && test->run->update) {
        struct fh_cli_test_run *run = test->run;
        void *larger = fh_cli_more(run->updates, run->update_count, sizeof *run->updates);
        if (!larger)
            return fh_cli_no_memory(test->cli);
        run->updates = larger;
        struct fh_cli_test_update *update = &run->updates[run->update_count++];
        update->line = line;
        memcpy(update->hex, hex, sizeof update->hex);
        return FHEC_OK;
    }
    test->failed = true;
    fh_cli_error(test->cli, FHEC_DIFFERS, "%s:%u: %s has the hash %s, pinned is %s", line->file,
                 line->line, from_reference ? "the reference's result" : line->words[1], hex,
                 pinned);
    return FHEC_OK;
}

static fhec_status expect_golden(struct test_case *test, const struct fh_cli_test_line *line,
                                 size_t index, uint64_t **want) {
    const struct fh_cli_test_value *value = &test->values[index];
    const char *pinned = fh_cli_test_option(line, 4, "hash");
    fhec_status status = fh_cli_test_golden(test->cli, line, test->values,
                                            test->memory.buffer_count, value->count, want);
    if (status != FHEC_OK || !pinned)
        return status;
    char hex[FH_GOLDEN_HASH_CHARS];
    if (fh_golden_hash_elements(value->width, value->count, *want, hex) != FH_GOLDEN_OK)
        return fh_cli_test_error(test->cli, line, "the result does not fit u%u", value->width * 8);
    return check_pin(test, line, hex, pinned, true);
}

/* What the buffer should hold, element by element; NULL with FHEC_OK after a hash. */
static fhec_status expected(struct test_case *test, const struct fh_cli_test_line *line,
                            size_t index, uint64_t **want) {
    const struct fh_cli_data *got = &test->memory.buffers[index].data;
    *want = NULL;
    if (!strcmp(line->words[2], "golden"))
        return expect_golden(test, line, index, want);
    if (!strcmp(line->words[2], "hash")) {
        char hex[FH_GOLDEN_HASH_CHARS];
        fh_golden_hash_bytes(got->bytes, got->count * got->width, hex);
        return check_pin(test, line, hex, line->words[3], false);
    }
    /* `expect NAME values ...` reads as a source does, one word further on. */
    struct fh_cli_test_line source = *line;
    struct fh_cli_test_value value = {"", NULL, got->count, got->width};
    source.count = line->count + 1;
    memcpy(source.words + 3, line->words + 2, (line->count - 2) * sizeof *line->words);
    if (strcmp(line->words[2], "values") != 0 && strcmp(line->words[2], "file") != 0)
        return fh_cli_test_error(test->cli, line, "expected golden, values, file or hash, not %s",
                                 line->words[2]);
    value.elements = calloc(value.count, sizeof *value.elements);
    *want = value.elements;
    return value.elements ? fh_cli_test_source(test->cli, &source, &value)
                          : fh_cli_no_memory(test->cli);
}

/* The launch once more, silently, on the data of the first time. */
static fhec_status launch_again(void *user, fhec_machine *machine) {
    struct test_case *test = user;
    struct fh_cli quiet = *test->cli;
    quiet.silent = true;
    fh_cli_memory_restart(&test->memory);
    return fh_cli_job_run(&quiet, &test->job, machine);
}

/* The rows that a reference's result has: those of a product, or its limbs. */
static void set_rows(const struct fh_cli_test_line *line, struct fh_cli_difference *difference) {
    const char *shape = fh_cli_test_option(line, 4, "shape");
    const char *moduli = fh_cli_test_option(line, 4, "mod");
    size_t limbs = 1;
    uint32_t sides[3];
    if (strcmp(line->words[2], "golden") != 0)
        return;
    if (!moduli)
        moduli = fh_cli_test_option(line, 4, "to");
    if (shape && fh_cli_dimensions(shape, UINT32_MAX, sides)) {
        difference->columns = sides[1];
        return;
    }
    for (const char *p = moduli ? moduli : ""; *p; p++)
        limbs += *p == ',';
    if (limbs > 1) {
        difference->columns = difference->got->count / limbs;
        difference->row = "limb";
    }
}

/* Compares element by element; the case fails where something differs. */
static fhec_status compare(struct test_case *test, const struct fh_cli_test_line *line,
                           const struct fh_cli_buffer *buffer, const uint64_t *want) {
    struct fh_cli_data data = buffer->data;
    char what[256];
    data.bytes = calloc(data.count, data.width);
    if (!data.bytes)
        return fh_cli_no_memory(test->cli);
    snprintf(what, sizeof what, "%s:%u: %s", line->file, line->line, line->words[1]);
    for (size_t i = 0; i < data.count; i++)
        fh_cli_data_set(&data, i, want[i]);
    struct fh_cli_difference difference = {.what = what,
                                           .buffer = buffer->name,
                                           .got = &buffer->data,
                                           .want = &data,
                                           .address = buffer->address};
    set_rows(line, &difference);
    const struct fh_cli_again again = {test->run->machine, test, launch_again};
    if (fh_cli_compare_closely(test->cli, &difference, &again) != FHEC_OK)
        test->failed = true;
    free(data.bytes);
    return FHEC_OK;
}

static fhec_status check_expectation(struct test_case *test, const struct fh_cli_test_line *line) {
    size_t index = find_buffer(test, line->words[1]);
    if (index == test->memory.buffer_count)
        return fh_cli_test_error(test->cli, line, "no buffer is called \"%s\"", line->words[1]);
    if (line->count >= FH_CLI_TEST_WORDS)
        return fh_cli_test_error(test->cli, line, "too many words");
    uint64_t *want;
    fhec_status status = expected(test, line, index, &want);
    if (status == FHEC_OK && want)
        status = compare(test, line, &test->memory.buffers[index], want);
    free(want);
    return status;
}

/* ---------------------------------------------------------------- running */

/* The words of a `fault` line as one text, to be found in the fault's name. */
static bool is_fault(const struct fh_cli_test_line *line, const fhec_fault *fault) {
    char wanted[128] = "";
    for (size_t i = 1; i < line->count; i++) {
        size_t used = strlen(wanted);
        snprintf(wanted + used, sizeof wanted - used, "%s%s", used ? " " : "", line->words[i]);
    }
    return fault && !strcasecmp(fhec_fault_name(fault->kind), wanted);
}

/* A run that should fault is made silently: its message is no news. */
static fhec_status run_to_fault(struct test_case *test, fhec_machine *machine) {
    struct fh_cli quiet = *test->cli;
    quiet.silent = true;
    fhec_status status = fh_cli_job_run(&quiet, &test->job, machine);
    if (status == FHEC_GUEST_FAULT && is_fault(test->fault, fhec_machine_fault(machine)))
        return FHEC_OK;
    if (status == FHEC_CANCELLED)
        return fh_cli_machine_error(test->cli, machine, status);
    test->failed = true;
    if (status == FHEC_GUEST_FAULT)
        fh_cli_error(test->cli, FHEC_DIFFERS, "%s:%u: the fault is \"%s\"", test->fault->file,
                     test->fault->line, fhec_fault_name(fhec_machine_fault(machine)->kind));
    else
        fh_cli_error(test->cli, FHEC_DIFFERS, "%s:%u: there was no fault", test->fault->file,
                     test->fault->line);
    return FHEC_OK;
}

static fhec_status run_case(struct test_case *test) {
    fhec_machine *machine = NULL;
    fhec_status status = fh_cli_job_prepare(test->cli, &test->job);
    if (status == FHEC_OK)
        status = fh_cli_job_check_buffers(test->cli, &test->job);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(test->cli, test->run->machine, &machine);
    if (status == FHEC_OK && test->fault)
        status = run_to_fault(test, machine);
    else if (status == FHEC_OK)
        status = fh_cli_job_run(test->cli, &test->job, machine);
    fhec_machine_free(machine);
    if (status == FHEC_GUEST_FAULT) {
        test->failed = true;
        return FHEC_OK;
    }
    bool any = test->fault != NULL;
    for (size_t i = 1; i < test->count && status == FHEC_OK && !test->fault; i++)
        if (!strcmp(test->lines[i].words[0], "expect")) {
            any = true;
            status = check_expectation(test, &test->lines[i]);
        }
    if (status == FHEC_OK && !any)
        status = fh_cli_test_error(test->cli, &test->lines[0], "a case without an expectation");
    return status;
}

enum fh_cli_verdict fh_cli_test_case(struct fh_cli_test_run *run,
                                     const struct fh_cli_test_line *lines, size_t count) {
    struct test_case test = {.run = run, .cli = run->cli, .lines = lines, .count = count};
    test.job.program = run->program;
    test.job.memory = &test.memory;
    test.memory.keep = true;
    test.job.max_steps = run->machine->max_steps;
    test.memory.buffers = calloc(count, sizeof *test.memory.buffers);
    test.job.scalars = calloc(count, sizeof *test.job.scalars);
    test.values = calloc(count, sizeof *test.values);
    fhec_status status = test.memory.buffers && test.job.scalars && test.values
                             ? read_head(&test)
                             : fh_cli_no_memory(run->cli);
    for (size_t i = 1; i < count && status == FHEC_OK; i++)
        status = read_line(&test, &lines[i]);
    if (status == FHEC_OK)
        status = run_case(&test);
    for (size_t i = 0; i < test.memory.buffer_count; i++)
        free(test.values[i].elements);
    fh_cli_job_free(&test.job);
    fh_cli_memory_free(&test.memory);
    free(test.memory.buffers);
    free(test.job.scalars);
    free(test.values);
    run->interrupted |= status == FHEC_CANCELLED;
    if (status != FHEC_OK)
        return FH_CLI_MALFORMED;
    return test.failed ? FH_CLI_FAILED : FH_CLI_PASSED;
}
