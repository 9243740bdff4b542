/*
 * debug_names.c - see debug_names.h.
 */
#include "debug_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "golden.h"

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

static bool find_array(void *user, const char *name, struct fh_query_array *array) {
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
    return found;
}

/* ---------------------------------------------------------------- names of the source */

static const char *source_here(struct fh_debugger *debugger) {
    fhec_session *session = fh_debugger_session(debugger);
    uint64_t pc;
    size_t length;
    if (!session || !fh_debugger_pc(debugger, &pc))
        return NULL;
    const fhec_location at = fhec_session_location(session, pc);
    return at.file ? fh_debugger_source(debugger, at.file, &length) : NULL;
}

/* If the line gives the name a meaning, the text of that: ".equ NAME, TEXT", ".reg NAME = TEXT",
 * ".reg NAME[0:7] = TEXT". */
static const char *meaning(const char *line, const char *name) {
    static const char *const directives[] = {".equ", ".set", ".reg"};
    const size_t length = strlen(name);
    line += strspn(line, " \t");
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        if (strncmp(line, directives[i], 4) != 0 || !strchr(" \t", line[4]))
            continue;
        line += 4 + strspn(line + 4, " \t");
        if (strncmp(line, name, length) != 0)
            return NULL;
        line += length;
        if (i == 2 && *line == '[') /* several registers: the first one */
            line += strcspn(line, "]\n") + (line[strcspn(line, "]\n")] == ']');
        line += strspn(line, " \t");
        return *line == (i == 2 ? '=' : ',') ? line + 1 : NULL;
    }
    return NULL;
}

/* The last one counts that stands in the text: .set may give a name several meanings. */
static bool find_text(void *user, const char *name, char *expression, size_t size) {
    bool found = false;
    for (const char *line = source_here(user); line && *line;) {
        const char *text = meaning(line, name);
        const size_t columns = strcspn(line, "\n");
        const char *end = line + columns;
        if (text && text < end) {
            size_t length = (size_t)(end - text);
            for (size_t i = 0; i + 1 < length; i++)
                if (text[i] == '/' && (text[i + 1] == '/' || text[i + 1] == '*'))
                    length = i;
            (void)snprintf(expression, size, "%.*s", (int)(length < size ? length : size - 1),
                           text);
            found = true;
        }
        line = *end ? end + 1 : end;
    }
    return found;
}

static const char *name_at(void *user, size_t index) {
    struct fh_debug_buffer b;
    return fh_debugger_buffer(user, index, &b) ? b.name : NULL;
}

/* ---------------------------------------------------------------- golden functions */

enum { OPERANDS = 3 };

/* Elements of the arrays, and the modulus, which comes last. */
struct call {
    uint64_t *in[OPERANDS], *out, q;
    size_t arrays, count;
};

static const char *read_call(struct fh_debugger *debugger, const struct fh_query_value *arguments,
                             size_t count, struct call *call) {
    struct fh_query_names names;
    fhec_launch launch;
    const struct fh_query_place place =
        fh_cli_debug_place(debugger, fh_debugger_focus(debugger), &launch, &names);
    if (count < 2 || arguments[count - 1].is_array || arguments[count - 1].per_lane)
        return "its last argument is the modulus";
    call->q = arguments[count - 1].values[0];
    for (call->arrays = 0; call->arrays + 1 < count && call->arrays < OPERANDS; call->arrays++) {
        const struct fh_query_value *a = &arguments[call->arrays];
        const uint64_t elements = a->is_array ? fh_query_array_count(&a->array) : 0;
        if (!elements || elements > 1 << 24 || (call->arrays && elements != call->count))
            return "its arguments are arrays of one length, then the modulus";
        call->count = (size_t)elements;
        uint64_t *in = call->in[call->arrays] = calloc(call->count, sizeof *in);
        if (!in ||
            fh_query_array_read(&a->array, &place, place.lane, 0, call->count, in) != FHEC_OK)
            return "an array cannot be read";
    }
    call->out = calloc(call->count, sizeof *call->out);
    return call->out ? NULL : "there is no host memory";
}

/* Transforms have the order of the library: natural in, bit-reversed out, and back. */
static const char *compute(const char *function, struct call *c) {
    fh_golden_status status;
    const size_t n = c->count;
    if (strcmp(function, "ntt") == 0 && c->arrays == 1)
        status = fh_golden_ntt_limbs(false, FH_GOLDEN_BITREV, n, 1, &c->q, NULL, c->in[0], c->out);
    else if (strcmp(function, "intt") == 0 && c->arrays == 1)
        status = fh_golden_ntt_limbs(true, FH_GOLDEN_BITREV, n, 1, &c->q, NULL, c->in[0], c->out);
    else if (strcmp(function, "add") == 0 && c->arrays == 2)
        status = fh_golden_add(n, c->q, c->in[0], c->in[1], c->out);
    else if (strcmp(function, "sub") == 0 && c->arrays == 2)
        status = fh_golden_sub(n, c->q, c->in[0], c->in[1], c->out);
    else if (strcmp(function, "mul") == 0 && c->arrays == 2)
        status = fh_golden_mul(n, c->q, c->in[0], c->in[1], c->out);
    else
        return "there are ntt(x, q), intt(x, q), add(x, y, q), sub(x, y, q) and mul(x, y, q)";
    return status == FH_GOLDEN_OK ? NULL : "it does not take these values";
}

static fhec_status golden(void *user, const char *function, const struct fh_query_value *arguments,
                          size_t count, struct fh_query_array *result, char *problem, size_t size) {
    struct call call = {.count = 0};
    const char *wrong = read_call(user, arguments, count, &call);
    if (!wrong)
        wrong = compute(function, &call);
    for (size_t i = 0; i < OPERANDS; i++)
        free(call.in[i]);
    if (wrong) {
        free(call.out);
        (void)snprintf(problem, size, "%s", wrong);
        return FHEC_BAD_INPUT;
    }
    *result = (struct fh_query_array){
        .type = FH_QUERY_U64, .rank = 1, .shape = {call.count}, .computed = call.out};
    return FHEC_OK;
}

/* ---------------------------------------------------------------- places */

struct fh_query_place fh_cli_debug_place(struct fh_debugger *debugger, const struct fh_focus *focus,
                                         fhec_launch *launch, struct fh_query_names *names) {
    *names = (struct fh_query_names){debugger, find_array, find_text, name_at, golden};
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

/* ---------------------------------------------------------------- conditions */

/* What the stop is has names, too. */
struct condition {
    struct fh_query_names names;
    const fhec_stop *stop;
};

static bool condition_array(void *user, const char *name, struct fh_query_array *array) {
    const struct condition *c = user;
    return c->names.array(c->names.user, name, array);
}

static bool condition_text(void *user, const char *name, char *expression, size_t size) {
    const struct condition *c = user;
    const fhec_stop *s = c->stop;
    const struct {
        const char *name;
        uint64_t value;
        bool watched; /* of watchpoints only */
    } known[] = {{"value", s->new_value[0] | (uint64_t)s->new_value[1] << 32, true},
                 {"old", s->old_value[0] | (uint64_t)s->old_value[1] << 32, true},
                 {"count", s->instructions, false},
                 {"pc", s->pc, false}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, name) != 0 ||
            (known[i].watched && s->reason != FHEC_STOP_WATCHPOINT))
            continue;
        (void)snprintf(expression, size, "0x%" PRIx64, known[i].value);
        return true;
    }
    return c->names.text(c->names.user, name, expression, size);
}

static const char *condition_name(void *user, size_t index) {
    const struct condition *c = user;
    return c->names.name(c->names.user, index);
}

static fhec_status condition_golden(void *user, const char *function,
                                    const struct fh_query_value *arguments, size_t count,
                                    struct fh_query_array *result, char *problem, size_t size) {
    const struct condition *c = user;
    return c->names.golden(c->names.user, function, arguments, count, result, problem, size);
}

bool fh_cli_debug_holds(void *user, struct fh_debugger *debugger,
                        const struct fh_breakpoint *breakpoint, const fhec_stop *stop,
                        bool *error) {
    const bool watched = stop->reason == FHEC_STOP_WATCHPOINT;
    const struct fh_focus at = {.block = {stop->block[0], stop->block[1], stop->block[2]},
                                .warp = stop->warp,
                                .lane = watched ? stop->lane : 0,
                                .all_lanes = !watched};
    struct condition condition = {.stop = stop};
    const struct fh_query_names names = {&condition, condition_array, condition_text,
                                         condition_name, condition_golden};
    fhec_launch launch;
    struct fh_query_error wrong;
    struct fh_query_value value = {0};
    struct fh_query *query;
    (void)user;
    struct fh_query_place place = fh_cli_debug_place(debugger, &at, &launch, &condition.names);
    place.names = &names;
    fhec_status status = fh_query_parse(breakpoint->condition, &query, &wrong);
    if (status == FHEC_OK)
        status = fh_query_evaluate(query, &place, &value, &wrong);
    fh_query_free(query);
    const uint32_t lanes = watched || !stop->lanes ? UINT32_MAX : stop->lanes;
    const bool holds =
        status == FHEC_OK && !value.is_array && (fh_query_value_mask(&value) & lanes) != 0;
    *error = status != FHEC_OK || value.is_array;
    if (*error)
        (void)fh_debugger_fail(debugger, FHEC_BAD_INPUT, "the condition of breakpoint %u: %s",
                               breakpoint->number,
                               status != FHEC_OK ? wrong.message : "an array is no condition");
    fh_query_value_free(&value);
    return holds;
}
