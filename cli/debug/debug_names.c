/*
 * debug_names.c - see debug_names.h.
 */
#include "debug_names.h"

#include <string.h>

#include "buffers.h"
#include "golden_table.h"
#include "macro_arguments.h"
#include "source_names.h"

/* ---------------------------------------------------------------- buffers */

/* The type and shape that the command line gives the buffer. */
static void give_shape(const struct fh_cli_memory *memory, const char *name, uint64_t bytes,
                       struct fh_query_array *array) {
    const size_t i = memory ? fh_cli_memory_find(memory, name) : 0;
    const struct fh_cli_data *data =
        memory && i < memory->buffer_count ? &memory->buffers[i].data : NULL;
    static const enum fh_query_type types[] = {
        [1] = FH_QUERY_U8, [2] = FH_QUERY_U16, [4] = FH_QUERY_U32, [8] = FH_QUERY_U64};
    if (!data || data->width > 8 || (data->width & (data->width - 1)) || !data->width)
        return;
    array->type = (enum fh_query_type)(types[data->width] + (data->kind == FH_CLI_SIGNED));
    array->rank = data->dims && data->dims <= FH_QUERY_DIMS ? data->dims : 1;
    array->shape[0] = bytes / data->width;
    for (unsigned d = 0; array->rank > 1 && d < array->rank; d++)
        array->shape[d] = data->shape[d];
}

static bool find_array(void *user, const struct fh_query_place *place, const char *name,
                       struct fh_query_array *array) {
    struct fh_debugger *debugger = user;
    struct fh_debug_buffer b;
    bool found = false;
    for (size_t i = 0; fh_debugger_buffer(debugger, i, &b); i++) {
        if (b.released || strcmp(b.name, name) != 0)
            continue;
        *array = (struct fh_query_array){
            .type = FH_QUERY_U32, .rank = 1, .shape = {b.bytes / 4}, .address = b.address};
        give_shape(((struct fh_cli_debug_user *)fh_debugger_user(debugger))->memory, name, b.bytes,
                   array);
        found = true; /* a later one of that name hides it */
    }
    return found || fh_defined_array(place, name, array);
}

/* ---------------------------------------------------------------- names of the source */

static bool find_registers(void *user, const struct fh_query_place *place, const char *name,
                           struct fh_query_registers *registers) {
    (void)user;
    return fh_defined_registers(place, name, registers);
}

static bool find_text(void *user, const struct fh_query_place *place, const char *name,
                      char *expression, size_t size) {
    (void)user;
    return fh_defined_text(place, name, expression, size);
}

static bool find_argument(void *user, const struct fh_query_place *place, const char *name,
                          char *expression, size_t size) {
    return fh_macro_argument(user, place, name, expression, size);
}

/* Buffers, then what the source has. */
static const char *name_at(void *user, const struct fh_query_place *place, size_t index) {
    struct fh_debug_buffer b;
    size_t buffers = 0;
    while (fh_debugger_buffer(user, buffers, &b)) {
        if (buffers++ == index)
            return b.name;
    }
    return fh_defined_name(place, index - buffers);
}

/* ---------------------------------------------------------------- places */

void fh_cli_debug_names(void *user, struct fh_debugger *debugger, struct fh_query_names *names) {
    (void)user;
    *names = (struct fh_query_names){.user = debugger,
                                     .registers = find_registers,
                                     .text = find_text,
                                     .array = find_array,
                                     .argument = find_argument,
                                     .name = name_at,
                                     .golden = fh_cli_golden};
}

struct fh_query_place fh_cli_debug_place(struct fh_debugger *debugger, const struct fh_focus *focus,
                                         fhec_launch *launch, struct fh_query_names *names) {
    fh_cli_debug_names(NULL, debugger, names);
    const bool known =
        fh_debugger_launch(debugger, fh_debugger_time(debugger).launch, launch, NULL);
    return (struct fh_query_place){
        .session = fh_debugger_session(debugger),
        .machine = fh_debugger_machine(debugger),
        .launch = known ? launch : NULL,
        .block = {focus->block[0], focus->block[1], focus->block[2]},
        .warp = focus->warp,
        .lane = focus->lane,
        .all_lanes = focus->all_lanes,
        .names = names,
    };
}

fhec_status fh_cli_debug_read(struct fh_debugger *debugger, const struct fh_focus *focus,
                              const char *text, char *read, size_t size) {
    struct fh_query_names names;
    fhec_launch launch;
    const struct fh_query_place place = fh_cli_debug_place(debugger, focus, &launch, &names);
    return fh_macro_substitute(debugger, &place, text, read, size);
}
