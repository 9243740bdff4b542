/*
 * dap_evaluate.c - expressions and commands of the line mode, typed in the client's console,
 * watched or hovered over.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dap_launch.h"
#include "dap_origins.h"
#include "dap_parts.h"
#include "dap_query.h"
#include "dap_values.h"
#include "debug_console.h"

/* ---------------------------------------------------------------- evaluate */

/* What is hovered over says where it came from, too. */
static json_t *hover_json(struct fh_dap *dap, const struct fh_dap_value *value, bool hex) {
    char origin[96];
    json_t *word = fh_dap_word_json(value->word, hex), *both = NULL;
    if (fh_dap_origin_text(dap, value->file, value->reg, origin, sizeof origin))
        both = fh_dap_format("%s, from %s", json_string_value(word), origin);
    if (!both)
        return word;
    json_decref(word);
    return both;
}

static bool evaluate_register(struct fh_dap *dap, const struct fh_dap_value *value, bool hex,
                              bool hover, json_t **body) {
    *body =
        json_pack("{s:o, s:I, s:s}", "result",
                  value->is_word && hover ? hover_json(dap, value, hex)
                  : value->is_word        ? fh_dap_word_json(value->word, hex)
                                          : fh_dap_text(value->text),
                  "variablesReference", value->children ? fh_dap_handle_add(dap, &value->inner) : 0,
                  "type", value->type);
    if (value->children)
        json_object_set_new(*body, "indexedVariables", json_integer(FHEC_WARP_LANES));
    return true;
}

/* A line of the console may move the guest, or end it. */
static bool evaluate_line(struct fh_dap *dap, const char *line, json_t **body) {
    const struct fh_debug_time before = fh_debugger_time(dap->debugger);
    const struct fh_focus focus = *fh_debugger_focus(dap->debugger);
    fhec_status status;
    char *text = fh_dap_run_line(dap, line, &status);
    const bool moved = fh_debug_time_compare(before, fh_debugger_time(dap->debugger)) != 0;
    const bool refocused = memcmp(&focus, fh_debugger_focus(dap->debugger), sizeof focus) != 0;
    if (status != FHEC_OK) {
        fh_dap_fail(dap, FH_DAP_EXPRESSION, "%s", text ? text : "no memory");
        free(text);
        return false;
    }
    *body = json_pack("{s:o, s:i}", "result", fh_dap_text(text), "variablesReference", 0);
    free(text);
    if (moved || refocused) {
        fh_dap_forget_handles(dap);
        if (fh_debugger_at_end(dap->debugger))
            fh_dap_end(dap, 0);
        else
            fh_dap_tell_stopped(dap, moved ? "step" : "goto", NULL);
    } else if (dap->wants_invalidated) {
        fh_dap_event(dap, "invalidated", json_pack("{s:[s]}", "areas", "variables"));
    }
    return true;
}

bool fh_dap_evaluate(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const char *expression = fh_dap_string(arguments, "expression");
    const char *context = fh_dap_string(arguments, "context");
    const bool hex = fh_dap_bool(json_object_get(arguments, "format"), "hex");
    struct fh_dap_value value;
    fhec_status status;
    expression += strspn(expression, " \t");
    if (json_is_integer(json_object_get(arguments, "frameId")) &&
        !fh_dap_focus_frame(dap, fh_dap_int(arguments, "frameId")))
        return false;
    if (fh_dap_value_register(dap, expression, &value))
        return evaluate_register(dap, &value, hex, context && !strcmp(context, "hover"), body);
    if (context && !strcmp(context, "repl"))
        return evaluate_line(dap, expression, body);
    /* What an expression cannot name here, the line mode may know. */
    char result[2000], why[FH_DAP_WHY];
    if (fh_dap_query_text(dap, expression, hex, result, sizeof result, why)) {
        *body = json_pack("{s:o, s:i}", "result", fh_dap_text(result), "variablesReference", 0);
        return true;
    }
    char *text = fh_dap_run_print(dap, expression, &status);
    if (status == FHEC_OK)
        *body = json_pack("{s:o, s:i}", "result", fh_dap_text(text), "variablesReference", 0);
    free(text);
    return status == FHEC_OK || fh_dap_fail(dap, FH_DAP_EXPRESSION, "%s", why);
}

bool fh_dap_set_expression(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const char *expression = fh_dap_string(arguments, "expression");
    struct fh_dap_value value;
    if (json_is_integer(json_object_get(arguments, "frameId")) &&
        !fh_dap_focus_frame(dap, fh_dap_int(arguments, "frameId")))
        return false;
    if (!fh_dap_value_register(dap, expression, &value))
        return fh_dap_fail(dap, FH_DAP_EXPRESSION, "\"%.100s\" is no register", expression);
    if (!fh_dap_value_set(dap, &value, fh_dap_string(arguments, "value")))
        return false;
    (void)fh_dap_value_register(dap, expression, &value);
    *body =
        json_pack("{s:o}", "value",
                  value.is_word ? fh_dap_word_json(value.word, false) : fh_dap_text(value.text));
    fh_dap_tell_changed(dap, &value);
    return true;
}

/* The commands that begin as the word does. */
bool fh_dap_completions(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const char *text = fh_dap_string(arguments, "text");
    const json_int_t column = fh_dap_int(arguments, "column") - !dap->columns_from_0;
    const size_t length =
        column >= 0 && (size_t)column <= strlen(text) ? (size_t)column : strlen(text);
    json_t *targets = json_array();
    for (const struct fh_cli_debug_command *c = fh_cli_debug_commands; c->name; c++)
        if (!strncmp(c->name, text, length))
            json_array_append_new(targets, json_pack("{s:s, s:s, s:s, s:i, s:I}", "label", c->name,
                                                     "detail", c->help, "type", "keyword", "start",
                                                     0, "length", (json_int_t)length));
    *body = json_pack("{s:o}", "targets", targets);
    return true;
}
