/*
 * why_run.c - see why_run.h.
 */
#include "why_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "nearest.h"
#include "options.h"
#include "runner.h"
#include "slice_text.h"

fhec_status fh_cli_why_begin(const struct fh_cli *cli, fhec_machine *machine,
                             struct fh_journal **journal) {
    const fhec_status status = fh_journal_begin(machine, cli->question->memory, journal);
    return status == FHEC_OK ? status : fh_cli_no_memory(cli);
}

/* The element that is asked for, once it is known where it lies. */
struct asked {
    uint64_t address;
    uint32_t bytes;
    const uint64_t *value; /* NULL: unknown */
    const char *name;
};

static fhec_status print(const struct fh_cli *cli, const struct fh_journal *journal,
                         const struct fh_cli_memory *memory, const struct asked *asked) {
    const struct fh_cli_question *question = cli->question;
    struct fh_slice slice;
    bool fine = fh_slice_make(&slice, journal, asked->address, asked->bytes, asked->value,
                              &question->limits) &&
                fh_journal_complete(journal);
    const struct fh_cli_slice shown = {&slice, journal, memory, asked->bytes, asked->name};
    if (fine && question->format == 0)
        fh_cli_slice_text(&shown, stdout);
    else if (fine && question->format == 1)
        fine = fh_cli_slice_json(&shown, stdout);
    else if (fine)
        fh_cli_slice_dot(&shown, stdout);
    fh_slice_free(&slice);
    return fine ? FHEC_OK : fh_cli_no_memory(cli);
}

fhec_status fh_cli_why_buffer(const struct fh_cli *cli, struct fh_journal *journal,
                              const struct fh_cli_memory *memory) {
    const struct fh_cli_buffer *buffer;
    size_t index;
    char name[160];
    const fhec_status status =
        fh_cli_find_element(cli, memory, cli->question->element, &buffer, &index);
    if (status != FHEC_OK)
        return status;
    const uint64_t offset = index * buffer->data.width,
                   value = fh_cli_data_get(&buffer->data, index);
    fh_journal_stop(journal);
    fh_cli_element_name(memory, buffer->name, offset, 0, name, sizeof name);
    return print(cli, journal, memory,
                 &(struct asked){buffer->address + offset, buffer->data.width, &value, name});
}

/* ---------------------------------------------------------------- plans */

static const char result_name[] = "result";

/* "the buffers are result, data, moduli": each name once. */
static void say_names(const struct fh_cli *cli, const struct fh_journal *journal) {
    const struct fh_journal_range *range;
    char text[1024];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", result_name);
    for (size_t i = 0; (range = fh_journal_allocation_get(journal, i)) != NULL; i++)
        if (fh_journal_named(journal, range->name) == range && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, ", %s", range->name);
    fh_cli_note(cli, "the buffers are %s", text);
}

static fhec_status unknown_buffer(const struct fh_cli *cli, const struct fh_journal *journal,
                                  const char *name) {
    const struct fh_journal_range *range;
    struct fh_nearest n;
    fh_nearest_begin(&n, name, strlen(name));
    fh_nearest_try(&n, result_name, strlen(result_name));
    for (size_t i = 0; (range = fh_journal_allocation_get(journal, i)) != NULL; i++)
        fh_nearest_try(&n, range->name, strlen(range->name));
    const fhec_status status = fh_cli_error(cli, FHEC_BAD_INPUT, "no buffer is called \"%s\"%s",
                                            name, fh_cli_hint(n.best).text);
    say_names(cli, journal);
    return status;
}

/* "i]" or "row, column]"; false: it is not that. */
static bool parse_place(char *text, size_t columns, size_t *index) {
    char *end = strchr(text, ']'), *comma;
    uint64_t row, column = 0;
    if (!end || end[1])
        return false;
    *end = 0;
    comma = strchr(text, ',');
    if (comma) {
        *comma++ = 0;
        comma += strspn(comma, " ");
    }
    if (!fh_cli_number(text, &row) || (comma && !fh_cli_number(comma, &column)) ||
        (comma && (column >= columns || row > UINT32_MAX)))
        return false;
    *index = (size_t)(comma ? row * columns + column : row);
    return true;
}

static fhec_status explain_result(const struct fh_cli *cli, struct fh_journal *journal,
                                  const struct fh_cli_why_plan *plan, size_t index) {
    struct asked asked = {.bytes = plan->width, .value = &plan->result[index]};
    size_t first, count;
    char name[80];
    if (!fh_cli_host_reads_find(plan->reads, plan->result, plan->count, plan->width, index,
                                &asked.address, &first, &count)) {
        const fhec_status status =
            fh_cli_error(cli, FHEC_BAD_INPUT,
                         "result[%zu] was made by the host of what it read, and lies nowhere as it "
                         "is; ask for an element of a buffer",
                         index);
        say_names(cli, journal);
        return status;
    }
    asked.address += (index - first) * plan->width;
    if (plan->columns && plan->columns < plan->count)
        snprintf(name, sizeof name, "result[%zu, %zu]", index / plan->columns,
                 index % plan->columns);
    else
        snprintf(name, sizeof name, "result[%zu]", index);
    asked.name = name;
    return print(cli, journal, NULL, &asked);
}

static fhec_status explain_named(const struct fh_cli *cli, struct fh_journal *journal,
                                 const struct fh_cli_why_plan *plan, const char *name,
                                 size_t index) {
    const struct fh_journal_range *range = fh_journal_named(journal, name);
    char text[160];
    if (!strcmp(name, result_name) && index < plan->count)
        return explain_result(cli, journal, plan, index);
    const size_t count = !strcmp(name, result_name) ? plan->count
                         : range                    ? (size_t)(range->bytes / plan->width)
                                                    : SIZE_MAX;
    if (count == SIZE_MAX)
        return unknown_buffer(cli, journal, name);
    if (index >= count)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "%s: %s has %zu elements", cli->question->element,
                            name, count);
    snprintf(text, sizeof text, "%s[%zu]", name, index);
    return print(cli, journal, NULL,
                 &(struct asked){range->address + index * plan->width, plan->width, NULL, text});
}

fhec_status fh_cli_why_plan(const struct fh_cli *cli, struct fh_journal *journal,
                            const struct fh_cli_why_plan *plan) {
    char *name = strdup(cli->question->element), *bracket = name ? strchr(name, '[') : NULL;
    size_t index;
    fhec_status status;
    if (!name)
        return fh_cli_no_memory(cli);
    fh_journal_stop(journal);
    if (bracket)
        *bracket++ = 0;
    if (bracket && parse_place(bracket, plan->columns, &index))
        status = explain_named(cli, journal, plan, name, index);
    else
        status = fh_cli_error(cli, FHEC_BAD_INPUT, "%s: expected BUFFER[INDEX] or %s[LIMB, INDEX]",
                              cli->question->element, result_name);
    free(name);
    return status;
}
