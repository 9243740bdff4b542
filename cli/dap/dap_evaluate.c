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
#include "debug_names.h"

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

/* What a line has done to the guest, whether it was right or not. */
static void tell_line(struct fh_dap *dap, bool moved, bool refocused, bool patched) {
    if (fh_dap_console_quits(dap)) {
        fh_dap_event(dap, "terminated", NULL);
        dap->phase = FH_DAP_ENDED;
        dap->left = true;
    } else if (moved && fh_debugger_at_end(dap->debugger)) {
        fh_dap_end(dap, FHEC_OK);
    } else if (moved) {
        fh_dap_tell_stop(dap);
    } else if (refocused) {
        fh_dap_forget_handles(dap);
        fh_dap_tell_stopped(dap, "goto", NULL);
    } else if (dap->wants_invalidated) {
        fh_dap_event(dap, "invalidated",
                     json_pack("{s:[s]}", "areas", patched ? "all" : "variables"));
    }
}

static unsigned count_patches(const struct fh_dap *dap) {
    unsigned count = 0;
    while (fh_debugger_patch_get(dap->debugger, count))
        count++;
    return count;
}

/* A line of the console may move the guest, or end it. */
static bool evaluate_line(struct fh_dap *dap, const char *line, json_t **body) {
    const struct fh_debug_time before = fh_debugger_time(dap->debugger);
    const struct fh_focus focus = *fh_debugger_focus(dap->debugger);
    const unsigned patches = count_patches(dap);
    fhec_status status;
    fh_dap_within_begin(dap, line);
    char *text = fh_dap_run_line(dap, line, &status);
    fh_dap_within_end(dap);
    const bool moved = fh_debug_time_compare(before, fh_debugger_time(dap->debugger)) != 0;
    const bool refocused = memcmp(&focus, fh_debugger_focus(dap->debugger), sizeof focus) != 0;
    tell_line(dap, moved, refocused, count_patches(dap) != patches);
    if (status == FHEC_OK)
        *body = json_pack("{s:o, s:i}", "result", fh_dap_text(text ? text : ""),
                          "variablesReference", 0);
    else
        fh_dap_fail(dap, FH_DAP_EXPRESSION, "%s", text ? text : "no memory");
    free(text);
    return status == FHEC_OK;
}

/* What the name of a register in the source (.reg) stands for, as a variable. */
static bool named_register(struct fh_dap *dap, const char *name, struct fh_dap_value *value) {
    static const char *const files[] = {
        [FHEC_FILE_R] = "R", [FHEC_FILE_P] = "P", [FHEC_FILE_UR] = "UR", [FHEC_FILE_UP] = "UP"};
    struct fh_query_names names;
    struct fh_query_registers is;
    fhec_launch launch;
    char text[64];
    const struct fh_query_place place =
        fh_cli_debug_place(dap->debugger, fh_debugger_focus(dap->debugger), &launch, &names);
    if (!names.registers(names.user, &place, name, &is))
        return false;
    (void)snprintf(text, sizeof text, "%s%u", files[is.file], is.first);
    return fh_dap_value_register(dap, text, value);
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
    const bool hover = context && !strcmp(context, "hover");
    if (fh_dap_value_register(dap, expression, &value) ||
        (hover && named_register(dap, expression, &value)))
        return evaluate_register(dap, &value, hex, hover, body);
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

/* An element of memory or a parameter, as the line mode sets it. */
static bool set_by_line(struct fh_dap *dap, const char *expression, const char *value,
                        json_t **body) {
    char result[2000], why[FH_DAP_WHY];
    char *line, *text;
    fhec_status status;
    if (strpbrk(expression, "\n=") || strchr(value, '\n') ||
        asprintf(&line, "set %s = %s", expression, value) < 0)
        return fh_dap_fail(dap, FH_DAP_EXPRESSION, "\"%.100s\" cannot be set", expression);
    text = fh_dap_run_line(dap, line, &status);
    free(line);
    if (status != FHEC_OK)
        fh_dap_fail(dap, FH_DAP_EXPRESSION, "%s", text ? text : "no memory");
    free(text);
    if (status != FHEC_OK)
        return false;
    const bool known = fh_dap_query_text(dap, expression, false, result, sizeof result, why);
    *body = json_pack("{s:o}", "value", fh_dap_text(known ? result : value));
    if (dap->wants_invalidated)
        fh_dap_event(dap, "invalidated", json_pack("{s:[s]}", "areas", "variables"));
    return true;
}

bool fh_dap_set_expression(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const char *expression = fh_dap_string(arguments, "expression");
    struct fh_dap_value value;
    if (json_is_integer(json_object_get(arguments, "frameId")) &&
        !fh_dap_focus_frame(dap, fh_dap_int(arguments, "frameId")))
        return false;
    if (!fh_dap_value_register(dap, expression, &value))
        return set_by_line(dap, expression, fh_dap_string(arguments, "value"), body);
    if (!fh_dap_value_set(dap, &value, fh_dap_string(arguments, "value")))
        return false;
    (void)fh_dap_value_register(dap, expression, &value);
    *body =
        json_pack("{s:o}", "value",
                  value.is_word ? fh_dap_word_json(value.word, false) : fh_dap_text(value.text));
    fh_dap_tell_changed(dap, &value);
    return true;
}

/* ---------------------------------------------------------------- completions */

/* Where line `number`, from 0 on, begins; its last line, if it has fewer. */
static const char *find_line(const char *text, json_int_t number) {
    for (const char *end; number-- > 0 && (end = strchr(text, '\n')) != NULL;)
        text = end + 1;
    return text;
}

/* The bytes of so many UTF-16 units; all of the line, if it has fewer. */
static size_t bytes_of(const char *line, json_int_t units) {
    size_t bytes = 0;
    while (units > 0 && line[bytes] && line[bytes] != '\n') {
        units -= 1 + ((unsigned char)line[bytes] >= 0xf0); /* beyond U+FFFF */
        for (bytes++; ((unsigned char)line[bytes] & 0xc0) == 0x80;)
            bytes++;
    }
    return bytes;
}

static json_int_t units_of(const char *text) {
    json_int_t units = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        units += ((*p & 0xc0) != 0x80) + (*p >= 0xf0);
    return units;
}

static json_t *target_json(const char *word, bool command, json_int_t start, json_int_t length) {
    json_t *target = json_pack("{s:o, s:s, s:I, s:I}", "label", fh_dap_text(word), "type",
                               command ? "keyword" : "value", "start", start, "length", length);
    for (const struct fh_cli_debug_command *c = fh_cli_debug_commands; command && c->name; c++)
        if (!strcmp(c->name, word))
            json_object_set_new(target, "detail", fh_dap_text(c->help));
    return target;
}

/* What the line mode's Tab would offer there, in place of the word before the column. */
bool fh_dap_completions(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    enum { MOST = 256 };
    const char *words[MOST];
    const json_int_t column = fh_dap_int(arguments, "column") - !dap->columns_from_0;
    const bool has_line = json_is_integer(json_object_get(arguments, "line"));
    const char *line = find_line(fh_dap_string(arguments, "text"),
                                 has_line ? fh_dap_int(arguments, "line") - !dap->lines_from_0 : 0);
    char *typed = strndup(line, bytes_of(line, column));
    if (!typed)
        return fh_dap_fail(dap, FH_DAP_REFUSED, "no memory");
    const char *space = strrchr(typed, ' '), *word = space ? space + 1 : typed;
    const json_int_t length = units_of(word);
    const json_int_t start = units_of(typed) - length + !dap->columns_from_0;
    const size_t count = fh_cli_console_complete(dap->console, typed, words, MOST);
    json_t *targets = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(targets, target_json(words[i], !space, start, length));
    free(typed);
    *body = json_pack("{s:o}", "targets", targets);
    return true;
}
