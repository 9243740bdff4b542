/*
 * test_expect.c - the expectations of a case against what its run left in the buffers.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "elements.h"
#include "first_difference.h"
#include "golden.h"
#include "job.h"
#include "message.h"
#include "test_data.h"
#include "test_golden.h"
#include "test_line.h"
#include "test_parts.h"
#include "test_reference.h"

static fhec_status check_hex(const struct fh_cli_test_parts *test,
                             const struct fh_cli_test_line *line, const char *hex) {
    if (strlen(hex) == 32 && strspn(hex, "0123456789abcdefABCDEF") == 32)
        return FHEC_OK;
    return fh_cli_test_error(test->cli, line, "a hash has 32 hexadecimal digits, not \"%s\"", hex);
}

/* A pinned hash against the hash of what it stands for; --update notes the difference. */
static fhec_status check_pin(struct fh_cli_test_parts *test, const struct fh_cli_test_line *line,
                             const char *hex, const char *pinned, bool from_reference) {
    if (!strcasecmp(hex, pinned))
        return FHEC_OK;
    if (from_reference && test->run->update) {
        json_t *list = json_object_get(test->run->result, "updates");
        json_array_append_new(
            list, json_pack("{s:I, s:s}", "line", (json_int_t)(line - test->lines), "hash", hex));
        return FHEC_OK;
    }
    test->failed = true;
    fh_cli_error(test->cli, FHEC_DIFFERS, "%s:%u: %s has the hash %s, pinned is %s", line->file,
                 line->line, from_reference ? "the reference's result" : line->words[1], hex,
                 pinned);
    return FHEC_OK;
}

static fhec_status expect_golden(struct fh_cli_test_parts *test,
                                 const struct fh_cli_test_line *line, size_t index,
                                 uint64_t **want) {
    const struct fh_cli_test_value *value = &test->values[index];
    const char *pinned = fh_cli_test_option(line, 4, "hash");
    fhec_status status =
        !strcmp(line->words[2], "reference")
            ? fh_cli_test_reference(test->cli, test->run->python, line, test->values,
                                    test->memory.buffer_count, value, want)
            : fh_cli_test_golden(test->cli, line, test->values, test->memory.buffer_count,
                                 value->count, want);
    if (status == FHEC_OK && pinned)
        status = check_hex(test, line, pinned);
    if (status != FHEC_OK || !pinned)
        return status;
    char hex[FH_GOLDEN_HASH_CHARS];
    if (fh_golden_hash_elements(value->width, value->count, *want, hex) != FH_GOLDEN_OK)
        return fh_cli_test_error(test->cli, line, "the result does not fit u%u", value->width * 8);
    return check_pin(test, line, hex, pinned, true);
}

/* What the buffer should hold, element by element; NULL with FHEC_OK after a hash. */
static fhec_status expected(struct fh_cli_test_parts *test, const struct fh_cli_test_line *line,
                            size_t index, uint64_t **want) {
    static const char *const kinds[] = {"golden", "reference", "values", "file", "hash", NULL};
    const struct fh_cli_data *got = &test->memory.buffers[index].data;
    *want = NULL;
    if (!strcmp(line->words[2], "golden") || !strcmp(line->words[2], "reference"))
        return expect_golden(test, line, index, want);
    if (!strcmp(line->words[2], "hash")) {
        char hex[FH_GOLDEN_HASH_CHARS];
        fhec_status status = fh_cli_test_end(test->cli, line, 4);
        if (status == FHEC_OK)
            status = check_hex(test, line, line->words[3]);
        if (status != FHEC_OK)
            return status;
        fh_golden_hash_bytes(got->bytes, got->count * got->width, hex);
        return check_pin(test, line, hex, line->words[3], false);
    }
    /* `expect NAME values ...` reads as a source does, one word further on. */
    struct fh_cli_test_line source = *line;
    struct fh_cli_test_value value = {"", NULL, got->count, got->width};
    source.count = line->count + 1;
    memcpy(source.words + 3, line->words + 2, (line->count - 2) * sizeof *line->words);
    if (strcmp(line->words[2], "values") != 0 && strcmp(line->words[2], "file") != 0)
        return fh_cli_test_unknown(test->cli, line, "kind of expectation", line->words[2], kinds);
    value.elements = calloc(value.count, sizeof *value.elements);
    *want = value.elements;
    return value.elements ? fh_cli_test_source(test->cli, &source, &value)
                          : fh_cli_no_memory(test->cli);
}

/* A JSON integer has 63 bits: what is larger is written as text. */
static json_t *element(uint64_t value) {
    char text[24];
    if (value <= INT64_MAX)
        return json_integer((json_int_t)value);
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return json_string(text);
}

/* Notes what differs for the reports: how many, and the first ones with both values. */
static void note_difference(struct fh_cli_test_parts *test, const struct fh_cli_test_line *line,
                            const struct fh_cli_data *got, const struct fh_cli_data *want,
                            const json_t *told) {
    enum { FIRST = 16 };
    json_t *first = json_array();
    size_t wrong = 0;
    for (size_t i = 0; i < got->count; i++) {
        uint64_t is = fh_cli_data_get(got, i), should = fh_cli_data_get(want, i);
        if (is == should || wrong++ >= FIRST)
            continue;
        json_array_append_new(first, json_pack("{s:I, s:o, s:o}", "index", (json_int_t)i, "got",
                                               element(is), "expected", element(should)));
    }
    json_array_append_new(json_object_get(test->run->result, "differences"),
                          json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:O*}", "buffer",
                                    line->words[1], "file", line->file, "line",
                                    (json_int_t)line->line, "differing", (json_int_t)wrong,
                                    "elements", (json_int_t)got->count, "first", first, "store",
                                    json_object_get(told, "store")));
}

/* The launch once more, silently, on the data of the first time. */
static fhec_status launch_again(void *user, fhec_machine *machine) {
    struct fh_cli_test_parts *test = user;
    struct fh_cli quiet = *test->cli;
    quiet.silent = true;
    fhec_status status = fh_cli_memory_restart(&test->memory);
    if (status == FHEC_OK)
        status = fh_cli_job_run(&quiet, &test->job, machine);
    fh_cli_memory_return(&test->memory);
    return status == FHEC_GUEST_FAULT && test->fault ? FHEC_OK : status;
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
static fhec_status compare(struct fh_cli_test_parts *test, const struct fh_cli_test_line *line,
                           const struct fh_cli_buffer *buffer, const uint64_t *want) {
    struct fh_cli_data data = buffer->data;
    char what[256];
    json_t *told = NULL;
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
                                           .address = buffer->address,
                                           .told = &told};
    set_rows(line, &difference);
    const struct fh_cli_again again = {test->run->machine, test, launch_again};
    /* A run that is made for its verdict alone is not explained. */
    if (fh_cli_compare_closely(test->cli, &difference, test->cli->silent ? NULL : &again) !=
        FHEC_OK) {
        test->failed = true;
        note_difference(test, line, &buffer->data, &data, told);
    }
    json_decref(told);
    free(data.bytes);
    return FHEC_OK;
}

static fhec_status unknown_buffer(const struct fh_cli_test_parts *test,
                                  const struct fh_cli_test_line *line) {
    const char **names = calloc(test->memory.buffer_count + 1, sizeof *names);
    if (!names)
        return fh_cli_no_memory(test->cli);
    for (size_t i = 0; i < test->memory.buffer_count; i++)
        names[i] = test->memory.buffers[i].name;
    fhec_status status = fh_cli_test_unknown(test->cli, line, "buffer", line->words[1], names);
    free(names);
    return status;
}

static fhec_status check_expectation(struct fh_cli_test_parts *test,
                                     const struct fh_cli_test_line *line) {
    size_t index = fh_cli_memory_find(&test->memory, line->words[1]);
    if (index == test->memory.buffer_count)
        return unknown_buffer(test, line);
    if (line->count >= FH_CLI_TEST_WORDS)
        return fh_cli_test_error(test->cli, line, "too many words");
    uint64_t *want;
    fhec_status status = expected(test, line, index, &want);
    if (status == FHEC_OK && want)
        status = compare(test, line, &test->memory.buffers[index], want);
    free(want);
    return status;
}

fhec_status fh_cli_test_expect(struct fh_cli_test_parts *test) {
    fhec_status status = FHEC_OK;
    for (size_t i = 1; i < test->count && status == FHEC_OK; i++)
        if (!strcmp(test->lines[i].words[0], "expect"))
            status = check_expectation(test, &test->lines[i]);
    return status;
}
