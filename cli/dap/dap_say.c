/*
 * dap_say.c - responses, events and what they are made of.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dap.h"

json_t *fh_dap_text(const char *bytes) {
    json_t *text = json_string(bytes);
    char *copy = text ? NULL : strdup(bytes);
    for (char *p = copy; p && *p; p++)
        if (*p & 0x80)
            *p = '?';
    if (copy)
        text = json_string(copy);
    free(copy);
    return text;
}

static json_t *format_list(const char *format, va_list list) {
    char *text = NULL;
    json_t *json = vasprintf(&text, format, list) < 0 ? NULL : fh_dap_text(text);
    free(text);
    return json;
}

json_t *fh_dap_format(const char *format, ...) {
    va_list list;
    va_start(list, format);
    json_t *json = format_list(format, list);
    va_end(list);
    return json;
}

bool fh_dap_fail(struct fh_dap *dap, enum fh_dap_error error, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(dap->message, sizeof dap->message, format, list);
    va_end(list);
    dap->error = error;
    return false;
}

bool fh_dap_model_fail(struct fh_dap *dap, enum fh_dap_error error) {
    return fh_dap_fail(dap, error, "%s", fh_debugger_error(dap->debugger));
}

void fh_dap_event(struct fh_dap *dap, const char *name, json_t *body) {
    json_t *event = json_pack("{s:s, s:s, s:o*}", "type", "event", "event", name, "body", body);
    if (dap->request)
        json_array_append_new(dap->events, event);
    else
        fh_dap_send(&dap->channel, event);
}

void fh_dap_say(struct fh_dap *dap, const char *category, const char *format, ...) {
    va_list list;
    va_start(list, format);
    json_t *text = format_list(format, list);
    va_end(list);
    fh_dap_event(dap, "output", json_pack("{s:s, s:o}", "category", category, "output", text));
}

json_int_t fh_dap_int(const json_t *object, const char *name) {
    const json_int_t most = (json_int_t)1 << 61;
    const json_int_t value = json_integer_value(json_object_get(object, name));
    return value > most ? most : value < -most ? -most : value;
}

bool fh_dap_bool(const json_t *object, const char *name) {
    return json_is_true(json_object_get(object, name));
}

const char *fh_dap_string(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

void fh_dap_respond(struct fh_dap *dap, bool fine, json_t *body) {
    json_t *response =
        json_pack("{s:s, s:I, s:b, s:o}", "type", "response", "request_seq", dap->request,
                  "success", fine, "command", fh_dap_text(dap->command));
    if (!fine) {
        json_decref(body);
        body = json_pack("{s:{s:i, s:o, s:b}}", "error", "id", (int)dap->error, "format",
                         fh_dap_text(dap->message), "showUser", dap->error == FH_DAP_LAUNCH);
        json_object_set_new(response, "message",
                            dap->error == FH_DAP_CANCELLED ? json_string("cancelled")
                                                           : fh_dap_text(dap->message));
    }
    if (body)
        json_object_set_new(response, "body", body);
    fh_dap_send(&dap->channel, response);
}

void fh_dap_refuse_and_end(struct fh_dap *dap, const char *why) {
    fh_dap_fail(dap, FH_DAP_LAUNCH, "%s", why);
    if (dap->request)
        fh_dap_respond(dap, false, NULL);
    dap->request = 0;
    fh_dap_event(dap, "terminated", NULL);
}
