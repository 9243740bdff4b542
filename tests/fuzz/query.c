/*
 * query.c - fuzzing expressions of the debugger: the bytes as an expression, in a warp that has
 * stopped. What is wrong is said within the text; what has a value in one lane has the same one
 * there when it is asked for in all lanes; and an array has the elements that it says.
 */
#include "query.h"
#include "fuzz.h"
#include "golden_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kernel[] =
    ".target sm_80\n.kernel K\n.param data, 8\n.param n, 4\n.equ HALF, 16\n"
    ".reg acc[0:3] = R4\n.shared room, 256\n.local 64\n"
    "  S2R R0, SR_TID.X ;\n  IMAD R4, R0, R0, RZ ;\n  LOP3.LUT R5, RZ, R4, RZ, 0x33, !PT ;\n"
    "  IADD3 R6, R4, -R0, RZ ;\n  ISETP.LT.U32.AND P1, PT, R0, 0x5, PT ;\n  EXIT ;\n.end\n";

enum { WORDS = 64, THREADS = 24, LONGEST = 2000 };

/* Begun once: nothing that an expression does changes it. */
static struct scene {
    bool begun;
    fhec_program *program;
    fhec_machine *machine;
    fhec_session *session;
    fhec_launch launch;
    uint64_t params[2];
    struct fh_query_names names;
} scene;

static bool find_array(void *user, const struct fh_query_place *place, const char *name,
                       struct fh_query_array *array) {
    (void)user;
    (void)place;
    *array = (struct fh_query_array){.type = name[0] == 'y' ? FH_QUERY_S16 : FH_QUERY_U32,
                                     .rank = 2,
                                     .shape = {8, 8},
                                     .address = scene.params[0]};
    return strcmp(name, "x") == 0 || strcmp(name, "y") == 0;
}

static bool find_registers(void *user, const struct fh_query_place *place, const char *name,
                           struct fh_query_registers *registers) {
    (void)user;
    (void)place;
    *registers = (struct fh_query_registers){.file = FHEC_FILE_R, .first = 4, .count = 4};
    return strcmp(name, "acc") == 0;
}

static bool find_text(void *user, const struct fh_query_place *place, const char *name,
                      char *expression, size_t size) {
    (void)user;
    (void)place;
    (void)snprintf(expression, size, "%s", name[0] == 'H' ? "16" : "again + 1");
    return strcmp(name, "HALF") == 0 || strcmp(name, "again") == 0;
}

static bool begin(void) {
    const fhec_machine_options options = {.threads = 1};
    const fhec_go most = {.instructions = 5};
    uint32_t words[WORDS];
    fhec_stop stop;
    struct scene *s = &scene;
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = 0x9e3779b9 * i;
    if (fhec_assemble("k", kernel, strlen(kernel), NULL, &s->program) != FHEC_OK ||
        fhec_machine_new(&options, &s->machine) != FHEC_OK ||
        fhec_alloc(s->machine, "data", sizeof words, 0, &s->params[0]) != FHEC_OK ||
        fhec_write(s->machine, s->params[0], words, sizeof words) != FHEC_OK)
        return false;
    s->launch = (fhec_launch){.program = s->program,
                              .grid = {1, 1, 1},
                              .block = {THREADS, 1, 1},
                              .params = s->params,
                              .param_bytes = 12};
    s->params[1] = 12;
    s->names = (struct fh_query_names){.registers = find_registers,
                                       .text = find_text,
                                       .array = find_array,
                                       .golden = fh_cli_golden};
    return fhec_session_begin(s->machine, &s->launch, &s->session) == FHEC_OK &&
           fhec_session_run(s->session, &most, &stop) == FHEC_OK;
}

static const char *check_array(const struct fh_query_value *value,
                               const struct fh_query_place *place) {
    const uint64_t count = fh_query_array_count(&value->array);
    uint64_t element;
    if (!value->array.rank || value->array.rank > FH_QUERY_DIMS)
        return "an array without dimensions, or with too many";
    if (value->array.computed && count > FH_QUERY_ELEMENTS)
        return "an array that cannot have been computed";
    if (value->array.computed && count &&
        fh_query_array_read(&value->array, place, 0, count - 1, 1, &element) != FHEC_OK)
        return "a last element that cannot be read";
    return fh_query_array_read(&value->array, place, 0, count, 1, &element) == FHEC_OK
               ? "an element behind the last one"
               : NULL;
}

/* A number in one lane, against all lanes. */
static const char *check_lanes(const struct fh_query *query, const struct fh_query_place *place,
                               const struct fh_query_value *one) {
    struct fh_query_place every = *place;
    struct fh_query_value all;
    struct fh_query_error error;
    const char *wrong = NULL;
    every.all_lanes = true;
    if (fh_query_evaluate(query, &every, &all, &error) != FHEC_OK)
        return NULL; /* another lane has no value */
    const uint64_t mask = one->bits == 64 ? UINT64_MAX : (UINT64_C(1) << one->bits) - 1;
    if (!all.is_array && all.bits == one->bits && all.form == one->form &&
        !(all.per_lane && !(all.lanes >> place->lane & 1)) &&
        ((all.values[all.per_lane ? place->lane : 0] ^ one->values[0]) & mask))
        wrong = "a lane's value is another one among all lanes";
    fh_query_value_free(&all);
    return wrong;
}

const char *fuzz_query(const uint8_t *bytes, size_t length, char shown[FUZZ_SHOWN]) {
    char text[LONGEST + 1];
    struct fh_query *query;
    struct fh_query_error error;
    struct fh_query_value value;
    const char *wrong = NULL;
    scene.begun = scene.begun || begin();
    if (!scene.begun)
        return "there is no warp to ask";
    if (length < 1 || length - 1 > LONGEST)
        return NULL;
    memcpy(text, bytes + 1, length - 1);
    text[length - 1] = '\0';
    const struct fh_query_place place = {.session = scene.session,
                                         .machine = scene.machine,
                                         .launch = &scene.launch,
                                         .lane = bytes[0] % THREADS,
                                         .names = &scene.names};
    fhec_status status = fh_query_parse(text, &query, &error);
    if (status == FHEC_OK) {
        status = fh_query_evaluate(query, &place, &value, &error);
        if (status == FHEC_OK && value.is_array)
            wrong = check_array(&value, &place);
        else if (status == FHEC_OK)
            wrong = value.per_lane ? NULL : check_lanes(query, &place, &value);
        if (status == FHEC_OK)
            fh_query_value_free(&value);
    }
    fh_query_free(query);
    if (status == FHEC_BAD_INPUT && (error.at > strlen(text) || !error.message[0]))
        wrong = "an error without a place or a reason";
    if (wrong)
        (void)snprintf(shown, FUZZ_SHOWN, "%.300s", text);
    return wrong;
}
