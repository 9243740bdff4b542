/*
 * test_read.c - the lines of a case: into a launch, its buffers and what is expected.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "buffers.h"
#include "elements.h"
#include "job.h"
#include "message.h"
#include "options.h"
#include "test_data.h"
#include "test_line.h"
#include "test_parts.h"

static fhec_status read_head(struct fh_cli_test_parts *test) {
    static const char *const keys[] = {"grid", "block", "shared", "kernel", NULL};
    const struct fh_cli_test_line *head = &test->lines[0];
    const char *grid = fh_cli_test_option(head, 2, "grid");
    const char *block = fh_cli_test_option(head, 2, "block");
    const char *shared = fh_cli_test_option(head, 2, "shared");
    uint64_t bytes = 0;
    if (head->count < 2)
        return fh_cli_test_error(test->cli, head, "expected `case NAME grid X block Y ...`");
    fhec_status status = fh_cli_test_options(test->cli, head, 2, keys);
    if (status != FHEC_OK)
        return status;
    if (!grid || !fh_cli_dimensions(grid, fh_cli_most_blocks(), test->job.grid))
        return fh_cli_test_error(test->cli, head, "a case needs `grid X[,Y[,Z]]`");
    if (!block || !fh_cli_dimensions(block, fh_cli_most_threads(), test->job.block))
        return fh_cli_test_error(test->cli, head, "a case needs `block X[,Y[,Z]]`");
    if (shared && (!fh_cli_number(shared, &bytes) || bytes > UINT32_MAX))
        return fh_cli_test_error(test->cli, head, "shared \"%s\" is no number of bytes", shared);
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

static fhec_status read_buffer(struct fh_cli_test_parts *test,
                               const struct fh_cli_test_line *line) {
    struct fh_cli_test_value *value = &test->values[test->memory.buffer_count];
    struct fh_cli_buffer *buffer = &test->memory.buffers[test->memory.buffer_count];
    if (line->count < 3 || !parse_type(line->words[2], &value->width, &value->count))
        return fh_cli_test_error(test->cli, line, "expected `%s NAME u32[COUNT] ...`",
                                 line->words[0]);
    const bool is_out = !strcmp(line->words[0], "out");
    if (is_out && line->count > 3)
        return fh_cli_test_error(test->cli, line, "an out buffer has no source");
    if (!is_out && line->count < 4)
        return fh_cli_test_error(test->cli, line, "%s %s needs a source of data: random, zeros ...",
                                 line->words[0], line->words[1]);
    if (fh_cli_memory_find(&test->memory, line->words[1]) < test->memory.buffer_count)
        return fh_cli_test_error(test->cli, line, "buffer %s is there already", line->words[1]);
    value->name = buffer->name = line->words[1];
    value->elements = calloc(value->count, sizeof *value->elements);
    buffer->data = (struct fh_cli_data){.count = value->count, .width = value->width};
    buffer->data.bytes = calloc(value->count, value->width);
    buffer->fresh = is_out;
    buffer->read_only = !strcmp(line->words[0], "in");
    test->memory.buffer_count++;
    if (!value->elements || !buffer->data.bytes)
        return fh_cli_no_memory(test->cli);
    fhec_status status = is_out ? FHEC_OK : fh_cli_test_source(test->cli, line, value);
    for (size_t i = 0; i < value->count && status == FHEC_OK; i++)
        fh_cli_data_set(&buffer->data, i, value->elements[i]);
    return status;
}

/* The words of the line as one text must be the name of a kind of fault. */
static fhec_status read_fault(struct fh_cli_test_parts *test, const struct fh_cli_test_line *line) {
    const char *names[FHEC_FAULT_TRAP + 1] = {NULL};
    char wanted[128] = "";
    for (size_t i = 1; i < line->count; i++) {
        size_t used = strlen(wanted);
        snprintf(wanted + used, sizeof wanted - used, "%s%s", i > 1 ? " " : "", line->words[i]);
    }
    if (!*wanted || test->fault)
        return fh_cli_test_error(test->cli, line,
                                 test->fault ? "a case ends by one fault; this is one more"
                                             : "expected `fault KIND`");
    for (unsigned i = FHEC_FAULT_NONE + 1; i <= FHEC_FAULT_TRAP; i++) {
        names[i - 1] = fhec_fault_name((fhec_fault_kind)i);
        if (!strcasecmp(names[i - 1], wanted))
            test->fault_kind = (fhec_fault_kind)i;
    }
    test->fault = line;
    return test->fault_kind ? FHEC_OK
                            : fh_cli_test_unknown(test->cli, line, "kind of fault", wanted, names);
}

static fhec_status read_line(struct fh_cli_test_parts *test, const struct fh_cli_test_line *line) {
    static const char *const words[] = {"case",  "arg",    "in",    "out",
                                        "inout", "expect", "fault", NULL};
    const char *word = line->words[0];
    if (!strcmp(word, "in") || !strcmp(word, "out") || !strcmp(word, "inout"))
        return read_buffer(test, line);
    if (!strcmp(word, "arg")) {
        if (line->count != 3)
            return fh_cli_test_error(test->cli, line, "expected `arg NAME VALUE`");
        test->job.scalars[test->job.scalar_count++] =
            (struct fh_cli_scalar){line->words[1], line->words[2], 0};
        return FHEC_OK;
    }
    if (!strcmp(word, "fault"))
        return read_fault(test, line);
    if (!strcmp(word, "expect")) {
        test->expectations++;
        return line->count >= 4
                   ? FHEC_OK
                   : fh_cli_test_error(test->cli, line,
                                       "expected `expect NAME golden|reference|values|file|"
                                       "hash ...`");
    }
    return fh_cli_test_unknown(test->cli, line, "word", word, words);
}

fhec_status fh_cli_test_read(struct fh_cli_test_parts *test) {
    test->memory.buffers = calloc(test->count, sizeof *test->memory.buffers);
    test->job.scalars = calloc(test->count, sizeof *test->job.scalars);
    test->values = calloc(test->count, sizeof *test->values);
    test->job.memory = &test->memory;
    test->memory.keep = true;
    fhec_status status = test->memory.buffers && test->job.scalars && test->values
                             ? read_head(test)
                             : fh_cli_no_memory(test->cli);
    for (size_t i = 1; i < test->count && status == FHEC_OK; i++)
        status = read_line(test, &test->lines[i]);
    if (status == FHEC_OK && !test->expectations && !test->fault)
        status = fh_cli_test_error(test->cli, &test->lines[0], "a case without an expectation");
    return status;
}

void fh_cli_test_parts_free(struct fh_cli_test_parts *test) {
    for (size_t i = 0; i < test->memory.buffer_count; i++)
        free(test->values[i].elements);
    fh_cli_job_free(&test->job);
    fh_cli_memory_free(&test->memory);
    free(test->memory.buffers);
    free(test->job.scalars);
    free(test->values);
}
