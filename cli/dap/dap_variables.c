/*
 * dap_variables.c - scopes and variables: registers by lane and by warp, parameters, memory,
 * fragments. Long lists come in pages.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dap_handles.h"
#include "dap_parts.h"
#include "dap_stops.h"
#include "dap_values.h"
#include "literal.h"

enum { PAGE = 4096 };

/* ---------------------------------------------------------------- scopes */

static void add_scope(struct fh_dap *dap, json_t *scopes, const struct fh_dap_handle *frame,
                      enum fh_dap_handle_kind kind, const char *name) {
    struct fh_dap_handle scope = *frame;
    scope.kind = kind;
    const struct fh_dap_size size = fh_dap_size_of(dap, &scope);
    if (!size.named && !size.indexed)
        return;
    json_t *json =
        json_pack("{s:s, s:I, s:I, s:I, s:b}", "name", name, "variablesReference",
                  fh_dap_handle_add(dap, &scope), "namedVariables", (json_int_t)size.named,
                  "indexedVariables", (json_int_t)size.indexed, "expensive",
                  kind == FH_DAP_SHARED || kind == FH_DAP_BUFFERS || kind == FH_DAP_ORIGINS);
    if (kind == FH_DAP_REGISTERS)
        json_object_set_new(json, "presentationHint", json_string("registers"));
    if (kind == FH_DAP_PARAMETERS)
        json_object_set_new(json, "presentationHint", json_string("arguments"));
    json_array_append_new(scopes, json);
}

bool fh_dap_scopes(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const struct fh_dap_handle *found = fh_dap_handle_get(dap, fh_dap_int(arguments, "frameId"));
    if (!found || found->kind != FH_DAP_FRAME)
        return fh_dap_fail(dap, FH_DAP_NO_SUCH, "there is no frame %lld",
                           (long long)fh_dap_int(arguments, "frameId"));
    const struct fh_dap_handle frame = *found;
    char name[40];
    json_t *scopes = json_array();
    snprintf(name, sizeof name, "Registers of lane %u", frame.lane);
    add_scope(dap, scopes, &frame, FH_DAP_REGISTERS, name);
    add_scope(dap, scopes, &frame, FH_DAP_LANES, "Lanes");
    add_scope(dap, scopes, &frame, FH_DAP_PREDICATES, "Predicates");
    add_scope(dap, scopes, &frame, FH_DAP_UNIFORM, "Uniform registers");
    add_scope(dap, scopes, &frame, FH_DAP_FRAGMENTS, "Fragments");
    snprintf(name, sizeof name, "Origins of lane %u", frame.lane);
    add_scope(dap, scopes, &frame, FH_DAP_ORIGINS, name);
    add_scope(dap, scopes, &frame, FH_DAP_PARAMETERS, "Parameters");
    add_scope(dap, scopes, &frame, FH_DAP_SHARED, "Shared memory");
    add_scope(dap, scopes, &frame, FH_DAP_BUFFERS, "Buffers");
    *body = json_pack("{s:o}", "scopes", scopes);
    return true;
}

/* ---------------------------------------------------------------- variables */

static json_t *variable_json(struct fh_dap *dap, const struct fh_dap_value *value, bool hex) {
    const struct fh_dap_size size =
        value->children ? fh_dap_size_of(dap, &value->inner) : (struct fh_dap_size){0};
    json_t *text = value->is_word ? fh_dap_word_json(value->word, hex) : fh_dap_text(value->text);
    json_t *json = json_pack("{s:o, s:o, s:I}", "name", fh_dap_text(value->name), "value", text,
                             "variablesReference",
                             value->children ? fh_dap_handle_add(dap, &value->inner) : 0);
    if (value->type[0])
        json_object_set_new(json, "type", json_string(value->type));
    if (size.named)
        json_object_set_new(json, "namedVariables", json_integer((json_int_t)size.named));
    if (size.indexed)
        json_object_set_new(json, "indexedVariables", json_integer((json_int_t)size.indexed));
    if (value->expression[0])
        json_object_set_new(json, "evaluateName", fh_dap_text(value->expression));
    if (value->memory[0])
        json_object_set_new(json, "memoryReference", json_string(value->memory));
    if (!value->writable)
        json_object_set_new(json, "presentationHint",
                            json_pack("{s:[s]}", "attributes", "readOnly"));
    return json;
}

bool fh_dap_variables(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const struct fh_dap_handle *found =
        fh_dap_handle_get(dap, fh_dap_int(arguments, "variablesReference"));
    if (!found)
        return false;
    const struct fh_dap_handle holder = *found;
    const struct fh_dap_size size = fh_dap_size_of(dap, &holder);
    const char *filter = fh_dap_string(arguments, "filter");
    const bool hex = fh_dap_bool(json_object_get(arguments, "format"), "hex");
    const uint64_t all = filter && !strcmp(filter, "named") ? size.named
                         : filter && size.indexed           ? size.indexed
                         : filter                           ? 0
                                                            : size.named + size.indexed;
    const json_int_t start = fh_dap_int(arguments, "start"), count = fh_dap_int(arguments, "count");
    uint64_t first = start > 0 ? (uint64_t)start : 0, last = all;
    if (start < 0 || count < 0)
        return fh_dap_fail(dap, FH_DAP_ARGUMENTS, "variables: start and count are not below 0");
    if (count > 0 && first < all && (uint64_t)count < all - first)
        last = first + (uint64_t)count;
    if (last > first && last - first > PAGE)
        last = first + PAGE; /* who wants more asks again */
    json_t *list = json_array();
    for (uint64_t i = first; i < last; i++) {
        struct fh_dap_value value;
        if (fh_dap_value_at(dap, &holder, i, &value))
            json_array_append_new(list, variable_json(dap, &value, hex));
    }
    *body = json_pack("{s:o}", "variables", list);
    return true;
}

/* The variable `name` of a holder; false: it has none. */
static bool find_value(struct fh_dap *dap, const struct fh_dap_handle *holder, const char *name,
                       struct fh_dap_value *value) {
    const struct fh_dap_size size = fh_dap_size_of(dap, holder);
    if (*name == '[') { /* indices need no search */
        uint64_t index;
        const size_t length = fh_take_number(name + 1, &index);
        return length && !strcmp(name + 1 + length, "]") && index < size.indexed &&
               fh_dap_value_at(dap, holder, size.named + index, value);
    }
    for (uint64_t i = 0; i < size.named; i++)
        if (fh_dap_value_at(dap, holder, i, value) && !strcmp(value->name, name))
            return true;
    return false;
}

bool fh_dap_variable_named(struct fh_dap *dap, json_int_t reference, const char *name,
                           struct fh_dap_value *value) {
    const struct fh_dap_handle *found = fh_dap_handle_get(dap, reference);
    if (!found)
        return false;
    const struct fh_dap_handle holder = *found;
    return find_value(dap, &holder, name, value) ||
           fh_dap_fail(dap, FH_DAP_NO_SUCH, "there is no variable \"%.100s\"", name);
}

bool fh_dap_set_variable(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    struct fh_dap_value value;
    const char *name = fh_dap_string(arguments, "name");
    if (!fh_dap_variable_named(dap, fh_dap_int(arguments, "variablesReference"), name, &value))
        return false;
    if (!fh_dap_value_set(dap, &value, fh_dap_string(arguments, "value")))
        return false;
    (void)fh_dap_variable_named(dap, fh_dap_int(arguments, "variablesReference"), name, &value);
    *body =
        json_pack("{s:o, s:I}", "value",
                  value.is_word ? fh_dap_word_json(value.word, false) : fh_dap_text(value.text),
                  "variablesReference", value.children ? fh_dap_handle_add(dap, &value.inner) : 0);
    fh_dap_tell_changed(dap, &value);
    return true;
}
