/*
 * dap_breakpoints.c - breakpoints as the client keeps them. Each request that sets some replaces
 * all of its group, so the model's stops of the group go and come again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dap_handles.h"
#include "dap_parts.h"
#include "dap_query.h"
#include "dap_stops.h"

struct fh_dap_stops {
    struct fh_dap_stop *list;
    size_t count, capacity;
    json_int_t last_id;
    bool no_faults; /* the client does not want to hear of them */
};

struct fh_dap_stops *fh_dap_stops_new(void) {
    return calloc(1, sizeof(struct fh_dap_stops));
}

static void free_stop(struct fh_dap_stop *stop) {
    for (size_t i = 0; i < sizeof stop->texts / sizeof *stop->texts; i++)
        free(stop->texts[i]);
    free(stop->condition);
    free(stop->key);
    free(stop->log);
}

void fh_dap_stops_free(struct fh_dap_stops *stops) {
    for (size_t i = 0; stops && i < stops->count; i++)
        free_stop(&stops->list[i]);
    free(stops ? stops->list : NULL);
    free(stops);
}

static void clear(struct fh_dap *dap, enum fh_dap_group group, const char *key) {
    struct fh_dap_stops *stops = dap->stops;
    size_t kept = 0;
    for (size_t i = 0; i < stops->count; i++) {
        struct fh_dap_stop *stop = &stops->list[i];
        if (stop->group != group || (key && strcmp(stop->key, key) != 0)) {
            stops->list[kept++] = *stop;
            continue;
        }
        if (stop->number && dap->debugger)
            (void)fh_debugger_remove(dap->debugger, stop->number);
        free_stop(stop);
    }
    stops->count = kept;
}

/* A new one of a group, with what every request's breakpoints have; NULL: no memory. */
static struct fh_dap_stop *add(struct fh_dap *dap, enum fh_dap_group group, const json_t *given) {
    struct fh_dap_stops *stops = dap->stops;
    if (stops->count == stops->capacity) {
        const size_t capacity = stops->capacity ? 2 * stops->capacity : 16;
        struct fh_dap_stop *list = realloc(stops->list, capacity * sizeof *list);
        if (!list)
            return NULL;
        stops->list = list;
        stops->capacity = capacity;
    }
    struct fh_dap_stop *stop = &stops->list[stops->count++];
    *stop = (struct fh_dap_stop){.group = group, .id = ++stops->last_id};
    const char *condition = fh_dap_string(given, "condition");
    const char *log = fh_dap_string(given, "logMessage");
    if (condition && *condition)
        stop->condition = strdup(condition);
    if (log && *log)
        stop->log = strdup(log);
    char why[FH_DAP_WHY];
    if (stop->condition && !fh_dap_query_reads(stop->condition, why))
        snprintf(stop->why, sizeof stop->why, "condition: %.150s", why);
    if (!fh_dap_hits_read(fh_dap_string(given, "hitCondition"), &stop->hits))
        snprintf(stop->why, sizeof stop->why, "no hit condition: \"%.80s\"; write 3, =3, >3 or %%3",
                 fh_dap_string(given, "hitCondition"));
    return stop;
}

/* Gives it to the model, unless something is wrong with it already. */
static void arm(struct fh_dap *dap, struct fh_dap_stop *stop, bool fine) {
    if (!fine || stop->why[0])
        return;
    if (!dap->debugger)
        strcpy(stop->why, "the program has ended");
    else if (fh_debugger_add(dap->debugger, &stop->wanted, &stop->number) != FHEC_OK) {
        stop->number = 0;
        snprintf(stop->why, sizeof stop->why, "%s", fh_debugger_error(dap->debugger));
    }
}

static json_t *stop_json(struct fh_dap *dap, const struct fh_dap_stop *stop) {
    json_t *json = json_pack("{s:I, s:b}", "id", stop->id, "verified", stop->number != 0);
    if (!stop->number && stop->why[0])
        json_object_set_new(json, "message", fh_dap_text(stop->why));
    if (stop->group == FH_DAP_LINES && stop->wanted.file && dap->debugger) {
        json_object_set_new(json, "line",
                            json_integer((json_int_t)stop->wanted.line - dap->lines_from_0));
        json_object_set_new(json, "source", fh_dap_source_json(dap, stop->wanted.file));
    }
    return json;
}

/* The body of every response: what has become of each. */
static bool answer(struct fh_dap *dap, enum fh_dap_group group, const char *key, json_t **body) {
    json_t *list = json_array();
    for (size_t i = 0; i < dap->stops->count; i++) {
        const struct fh_dap_stop *stop = &dap->stops->list[i];
        if (stop->group == group && (!key || !strcmp(stop->key, key)))
            json_array_append_new(list, stop_json(dap, stop));
    }
    *body = json_pack("{s:o}", "breakpoints", list);
    return true;
}

static bool no_memory(struct fh_dap *dap) {
    return fh_dap_fail(dap, FH_DAP_REFUSED, "no memory for a breakpoint");
}

/* ---------------------------------------------------------------- lines */

/* The line from `line` on that has an instruction, or where a macro is used that has some. */
struct line_search {
    const char *file;
    uint32_t line, last;  /* in [line, last] */
    uint32_t found, most; /* the first and the last one; 0: none */
    json_t *all;          /* NULL, or where each one that is found is put */
    uint32_t *lines;
    size_t count;
};

static void try_line(struct line_search *search, const fhec_location *at) {
    if (!at->file || at->line < search->line || at->line > search->last ||
        strcmp(at->file, search->file) != 0)
        return;
    if (!search->found || at->line < search->found)
        search->found = at->line;
    if (at->line > search->most)
        search->most = at->line;
    if (search->all) {
        char name[16];
        snprintf(name, sizeof name, "%010u", at->line);
        json_object_set_new(search->all, name, json_true());
    }
}

static bool try_place(void *user, const struct fh_dap_place *at) {
    fhec_expansion steps[FHEC_MAX_EXPANSIONS];
    struct line_search *search = user;
    const fhec_location own = fhec_kernel_location(at->program, at->kernel, at->word);
    const size_t count =
        fhec_kernel_expansions(at->program, at->kernel, at->word, steps, FHEC_MAX_EXPANSIONS);
    try_line(search, &own);
    for (size_t i = 0; i < count; i++)
        try_line(search, &steps[i].at);
    return true;
}

bool fh_dap_set_breakpoints(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const json_t *source = json_object_get(arguments, "source");
    const json_t *wanted = json_object_get(arguments, "breakpoints"), *given;
    const char *file = dap->debugger ? fh_dap_source_file(dap, source) : NULL;
    const char *path = fh_dap_string(source, "path");
    char key[600];
    size_t index;
    snprintf(key, sizeof key, "%lld %.500s", (long long)fh_dap_int(source, "sourceReference"),
             file   ? file
             : path ? path
                    : "");
    clear(dap, FH_DAP_LINES, key);
    json_array_foreach(wanted, index, given) {
        struct fh_dap_stop *stop = add(dap, FH_DAP_LINES, given);
        if (!stop)
            return no_memory(dap);
        const json_int_t line = fh_dap_int(given, "line") + dap->lines_from_0;
        stop->key = strdup(key);
        if (!stop->key)
            return no_memory(dap);
        struct line_search search = {.file = file, .line = (uint32_t)line, .last = UINT32_MAX};
        if (file && line > 0 && line < UINT32_MAX)
            fh_dap_each_place(dap, try_place, &search);
        if (file) {
            stop->wanted.kind = FH_BREAK_LINE;
            stop->wanted.file = stop->texts[0] = strdup(file);
            stop->wanted.line = search.found ? search.found : (uint32_t)line;
        }
        if (!search.found && !stop->why[0])
            strcpy(stop->why, file ? "no instruction stands at this line or below it"
                                   : "no instruction that is launched comes from this file");
        arm(dap, stop, search.found);
    }
    return answer(dap, FH_DAP_LINES, key, body);
}

bool fh_dap_breakpoint_locations(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const char *file =
        dap->debugger ? fh_dap_source_file(dap, json_object_get(arguments, "source")) : NULL;
    const json_int_t line = fh_dap_int(arguments, "line") + dap->lines_from_0;
    const json_t *end = json_object_get(arguments, "endLine");
    const json_int_t last =
        json_is_integer(end) ? fh_dap_int(arguments, "endLine") + dap->lines_from_0 : line;
    json_t *list = json_array();
    struct line_search search = {.file = file, .all = json_object()};
    if (file && line > 0 && last < UINT32_MAX && line <= last) {
        search.line = (uint32_t)line;
        search.last = (uint32_t)last;
        fh_dap_each_place(dap, try_place, &search);
        for (json_int_t i = search.found; i <= search.most && i; i++) {
            char name[16];
            snprintf(name, sizeof name, "%010u", (unsigned)i);
            if (json_object_get(search.all, name))
                json_array_append_new(list, json_pack("{s:I}", "line", i - dap->lines_from_0));
        }
    }
    json_decref(search.all);
    *body = json_pack("{s:o}", "breakpoints", list);
    return true;
}

/* ---------------------------------------------------------------- other groups */

/* What is to stop where one of a group asks for it; false with stop->why if it cannot. */
typedef bool fh_dap_where_fn(struct fh_dap *dap, struct fh_dap_stop *stop, const json_t *given);

/* These are the group from now on. */
static bool set_group(struct fh_dap *dap, enum fh_dap_group group, fh_dap_where_fn *where,
                      const json_t *arguments, json_t **body) {
    const json_t *given;
    size_t index;
    clear(dap, group, NULL);
    json_array_foreach(json_object_get(arguments, "breakpoints"), index, given) {
        struct fh_dap_stop *stop = add(dap, group, given);
        if (!stop)
            return no_memory(dap);
        arm(dap, stop, where(dap, stop, given));
    }
    return answer(dap, group, NULL, body);
}

static bool where_function(struct fh_dap *dap, struct fh_dap_stop *stop, const json_t *given) {
    return dap->debugger && fh_dap_stop_function(dap, stop, fh_dap_string(given, "name"));
}

static bool where_instruction(struct fh_dap *dap, struct fh_dap_stop *stop, const json_t *given) {
    return dap->debugger &&
           fh_dap_stop_instruction(dap, stop, fh_dap_string(given, "instructionReference"),
                                   fh_dap_int(given, "offset"));
}

static bool where_data(struct fh_dap *dap, struct fh_dap_stop *stop, const json_t *given) {
    return fh_dap_stop_data(dap, stop, fh_dap_string(given, "dataId"),
                            fh_dap_string(given, "accessType"));
}

bool fh_dap_set_function_breakpoints(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    return set_group(dap, FH_DAP_FUNCTIONS, where_function, arguments, body);
}

bool fh_dap_set_instruction_breakpoints(struct fh_dap *dap, const json_t *arguments,
                                        json_t **body) {
    return set_group(dap, FH_DAP_INSTRUCTIONS, where_instruction, arguments, body);
}

bool fh_dap_set_data_breakpoints(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    return set_group(dap, FH_DAP_DATA, where_data, arguments, body);
}

/* The filters of the capabilities, in their order (dap_launch.c). */
static const struct {
    const char *name;
    enum fh_break_kind kind;
} filters[] = {
    {"fault", FH_CATCH_FAULT},      {"finding", FH_CATCH_FINDING},    {"barrier", FH_CATCH_BARRIER},
    {"warpEnd", FH_CATCH_WARP_END}, {"blockEnd", FH_CATCH_BLOCK_END},
};

static void set_filter(struct fh_dap *dap, const char *name, const json_t *options) {
    struct fh_dap_stop *stop = add(dap, FH_DAP_EXCEPTIONS, options);
    bool known = false;
    if (!stop)
        return;
    for (size_t i = 0; i < sizeof filters / sizeof *filters && !known; i++) {
        known = !strcmp(name, filters[i].name);
        stop->wanted.kind = filters[i].kind;
    }
    if (!known)
        snprintf(stop->why, sizeof stop->why, "there is no filter \"%.100s\"", name);
    if (known && stop->wanted.kind == FH_CATCH_FAULT)
        dap->stops->no_faults = false;
    arm(dap, stop, known);
}

bool fh_dap_set_exception_breakpoints(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const json_t *given;
    size_t index;
    clear(dap, FH_DAP_EXCEPTIONS, NULL);
    dap->stops->no_faults = true;
    json_array_foreach(json_object_get(arguments, "filters"), index, given)
        set_filter(dap, json_string_value(given), NULL);
    json_array_foreach(json_object_get(arguments, "filterOptions"), index, given)
        set_filter(dap, fh_dap_string(given, "filterId"), given);
    return answer(dap, FH_DAP_EXCEPTIONS, NULL, body);
}

bool fh_dap_stops_at_faults(const struct fh_dap *dap) {
    return !dap->stops->no_faults;
}

/* ---------------------------------------------------------------- while the guest runs */

void fh_dap_stops_again(struct fh_dap *dap, bool all) {
    for (size_t i = 0; i < dap->stops->count; i++) {
        struct fh_dap_stop *stop = &dap->stops->list[i];
        if (!all && stop->number)
            continue;
        const bool was = stop->number != 0 || stop->gone;
        stop->gone = false;
        if (!was && (!stop->wanted.file && !stop->wanted.kernel && !stop->wanted.text))
            continue;
        stop->number = 0;
        stop->why[0] = 0;
        arm(dap, stop, true);
        if (was != (stop->number != 0))
            fh_dap_event(
                dap, "breakpoint",
                json_pack("{s:s, s:o}", "reason", "changed", "breakpoint", stop_json(dap, stop)));
    }
}

void fh_dap_stops_forget(struct fh_dap *dap) {
    for (size_t i = 0; i < dap->stops->count; i++)
        dap->stops->list[i].gone = dap->stops->list[i].number != 0;
    for (size_t i = 0; i < dap->stops->count; i++)
        dap->stops->list[i].number = 0;
}

/* Whether the condition holds for a lane that stops; the lowest one becomes the focus. One that
 * cannot be evaluated stops, and says why. */
static bool condition_holds(struct fh_dap *dap, const struct fh_dap_stop *stop) {
    const fhec_stop *at = &fh_debugger_stop(dap->debugger)->stop;
    char why[FH_DAP_WHY];
    uint32_t lanes;
    if (!stop->condition)
        return true;
    if (!fh_dap_query_lanes(dap, stop->condition, &lanes, why)) {
        fh_dap_say(dap, "stderr", "condition %s: %s\n", stop->condition, why);
        return true;
    }
    lanes &= at->has_warp && at->lanes ? at->lanes : UINT32_MAX;
    if (!lanes)
        return false;
    struct fh_focus focus = *fh_debugger_focus(dap->debugger);
    focus.lane = (uint32_t)__builtin_ctz(lanes);
    (void)fh_debugger_set_focus(dap->debugger, &focus);
    return true;
}

/* A log message: what stands in braces is an expression. */
static void print_log(struct fh_dap *dap, const char *log) {
    char text[2000];
    size_t length = 0;
    for (const char *p = log; *p && length + 2 < sizeof text; p++) {
        const char *end = *p == '{' ? strchr(p, '}') : NULL;
        if (!end || end == p + 1) {
            text[length++] = *p;
            continue;
        }
        char expression[400];
        snprintf(expression, sizeof expression, "%.*s", (int)(end - p - 1), p + 1);
        length += fh_dap_value_text(dap, expression, text + length, sizeof text - 1 - length);
        p = end;
    }
    text[length] = 0;
    fh_dap_say(dap, "console", "%s\n", text);
}

struct fh_dap_hit fh_dap_stops_hit(struct fh_dap *dap, unsigned number) {
    static const struct {
        const char *reason, *description;
    } reasons[] = {
        {"breakpoint", "a breakpoint"},
        {"function breakpoint", "a breakpoint at a name"},
        {"instruction breakpoint", "a breakpoint at an instruction"},
        {"data breakpoint", "a watched value"},
        {"exception", "a caught event"},
    };
    for (size_t i = 0; i < dap->stops->count; i++) {
        struct fh_dap_stop *stop = &dap->stops->list[i];
        if (stop->number != number)
            continue;
        struct fh_dap_hit hit = {NULL, reasons[stop->group].description, stop->id};
        if (!condition_holds(dap, stop) || !fh_dap_hits_hold(&stop->hits, ++stop->held))
            return hit;
        if (stop->log)
            print_log(dap, stop->log);
        else
            hit.reason = reasons[stop->group].reason;
        return hit;
    }
    return (struct fh_dap_hit){"breakpoint", "a breakpoint of the console", number};
}
