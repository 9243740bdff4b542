/*
 * dap_requests.c - the table of requests: when each may come, its arguments, who answers it.
 */
#include <string.h>

#include "dap_launch.h"
#include "dap_output.h"
#include "dap_parts.h"
#include "dap_schema.h"
#include "nearest.h"

enum {
    LIVE = FH_DAP_CONFIGURED | FH_DAP_STOPPED | FH_DAP_MOVING | FH_DAP_ENDED,
    STANDS = FH_DAP_STOPPED,
    LOOKS = FH_DAP_CONFIGURED | FH_DAP_STOPPED,
    ANY = FH_DAP_NEW | FH_DAP_INITIALIZED | LIVE,
};

#define STEP   "threadId:i! singleThread:b granularity:s"
#define SOURCE "source:o!"

/* In the order of the specification's groups. */
static const struct row {
    const char *name;
    fh_dap_handler *handler;
    unsigned phases;
    const char *shape;
} rows[] = {
    {"initialize", fh_dap_initialize, FH_DAP_NEW,
     "clientID:s adapterID:s! pathFormat:s linesStartAt1:b columnsStartAt1:b "
     "supportsProgressReporting:b supportsInvalidatedEvent:b supportsMemoryEvent:b"},
    {"launch", fh_dap_launch, FH_DAP_INITIALIZED, FH_DAP_LAUNCH_SHAPE},
    {"attach", fh_dap_attach, FH_DAP_INITIALIZED, ""},
    {"configurationDone", fh_dap_configuration_done, FH_DAP_CONFIGURED, ""},
    {"restart", fh_dap_restart, LIVE, "arguments:o"},
    {"terminate", fh_dap_terminate, FH_DAP_INITIALIZED | LIVE, "restart:b"},
    {"disconnect", fh_dap_disconnect, ANY, "restart:b terminateDebuggee:b suspendDebuggee:b"},
    {"cancel", fh_dap_cancel, ANY, "requestId:i progressId:s"},

    {"setBreakpoints", fh_dap_set_breakpoints, LIVE,
     SOURCE " breakpoints:[line:i! column:i condition:s hitCondition:s logMessage:s] "
            "sourceModified:b"},
    {"setFunctionBreakpoints", fh_dap_set_function_breakpoints, LIVE,
     "breakpoints:[name:s! condition:s hitCondition:s]!"},
    {"setInstructionBreakpoints", fh_dap_set_instruction_breakpoints, LIVE,
     "breakpoints:[instructionReference:s! offset:i condition:s hitCondition:s]!"},
    {"setDataBreakpoints", fh_dap_set_data_breakpoints, LIVE,
     "breakpoints:[dataId:s! accessType:s condition:s hitCondition:s]!"},
    {"setExceptionBreakpoints", fh_dap_set_exception_breakpoints, LIVE,
     "filters:[s]! filterOptions:[filterId:s! condition:s]"},
    {"dataBreakpointInfo", fh_dap_data_breakpoint_info, LOOKS,
     "name:s! variablesReference:i frameId:i bytes:i asAddress:b"},
    {"breakpointLocations", fh_dap_breakpoint_locations, LIVE,
     SOURCE " line:i! endLine:i column:i endColumn:i"},

    {"continue", fh_dap_continue, STANDS, "threadId:i! singleThread:b"},
    {"next", fh_dap_next_step, STANDS, STEP},
    {"stepIn", fh_dap_step_in, STANDS, STEP " targetId:i"},
    {"stepOut", fh_dap_step_out, STANDS, STEP},
    {"stepBack", fh_dap_step_back, STANDS, STEP},
    {"reverseContinue", fh_dap_reverse_continue, STANDS, "threadId:i! singleThread:b"},
    {"pause", fh_dap_pause, LIVE, "threadId:i!"},
    {"gotoTargets", fh_dap_goto_targets, LOOKS, SOURCE " line:i! column:i"},
    {"goto", fh_dap_goto, STANDS, "threadId:i! targetId:i!"},
    {"exceptionInfo", fh_dap_exception_info, STANDS, "threadId:i!"},

    {"threads", fh_dap_threads, LIVE, ""},
    {"stackTrace", fh_dap_stack_trace, LOOKS, "threadId:i! startFrame:i levels:i"},
    {"scopes", fh_dap_scopes, LOOKS, "frameId:i!"},
    {"variables", fh_dap_variables, LOOKS,
     "variablesReference:i! filter:s start:i count:i format:o"},
    {"setVariable", fh_dap_set_variable, LOOKS, "variablesReference:i! name:s! value:s!"},
    {"evaluate", fh_dap_evaluate, LOOKS, "expression:s! frameId:i context:s format:o"},
    {"setExpression", fh_dap_set_expression, LOOKS, "expression:s! value:s! frameId:i"},
    {"completions", fh_dap_completions, LOOKS, "text:s! column:i! line:i frameId:i"},
    {"source", fh_dap_source, LIVE, "source:o sourceReference:i!"},
    {"loadedSources", fh_dap_loaded_sources, LIVE, ""},
    {"modules", fh_dap_modules, LIVE, "startModule:i moduleCount:i"},
    {"readMemory", fh_dap_read_memory, LOOKS, "memoryReference:s! offset:i count:i!"},
    {"writeMemory", fh_dap_write_memory, LOOKS,
     "memoryReference:s! offset:i allowPartial:b data:s!"},
    {"disassemble", fh_dap_disassemble, LOOKS,
     "memoryReference:s! offset:i instructionOffset:i instructionCount:i! resolveSymbols:b"},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* What the protocol has beside these, and this debugger has nothing for. */
static const char *const others[] = {"restartFrame", "stepInTargets", "terminateThreads",
                                     "locations",    "runInTerminal", "startDebugging"};

/* ---------------------------------------------------------------- one request */

static const struct row *find_row(struct fh_dap *dap, const char *command) {
    const char *names[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        if (!strcmp(command, rows[i].name))
            return &rows[i];
        names[i] = rows[i].name;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(command, others[i])) {
            fh_dap_fail(dap, FH_DAP_NOT_SUPPORTED, "%s: this debugger does not have it", command);
            return NULL;
        }
    const char *near = fh_nearest_of(command, names, ROWS);
    fh_dap_fail(dap, FH_DAP_UNKNOWN, "there is no request \"%.100s\"%s%s%s", command,
                near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return NULL;
}

static bool is_in_order(struct fh_dap *dap, const struct row *row) {
    if (row->phases & dap->phase)
        return true;
    switch (dap->phase) {
    case FH_DAP_NEW: return fh_dap_fail(dap, FH_DAP_ORDER, "%s before initialize", row->name);
    case FH_DAP_INITIALIZED:
        return fh_dap_fail(dap, FH_DAP_ORDER, "%s: nothing has been launched", row->name);
    case FH_DAP_CONFIGURED:
        return fh_dap_fail(dap, FH_DAP_ORDER, "%s: configurationDone has not come yet", row->name);
    case FH_DAP_MOVING: return fh_dap_fail(dap, FH_DAP_NOT_STOPPED, "notStopped");
    case FH_DAP_STOPPED:
        return fh_dap_fail(dap, FH_DAP_ORDER, "%s: the program has been launched", row->name);
    default: return fh_dap_fail(dap, FH_DAP_ORDER, "%s: the program has ended", row->name);
    }
}

/* Response first, then the events that the handler has left. */
static void answer(struct fh_dap *dap, const json_t *message) {
    const char *command = dap->command;
    const json_t *arguments = json_object_get(message, "arguments");
    const struct row *row = find_row(dap, command);
    json_t *body = NULL;
    char why[300];
    bool fine = row && is_in_order(dap, row);
    if (fine && !fh_dap_shape_holds(row->shape, arguments, why, sizeof why))
        fine = fh_dap_fail(dap, FH_DAP_ARGUMENTS, "%s: %s", command, why);
    if (fine && fh_dap_is_cancelled(&dap->channel, dap->request))
        fine = fh_dap_fail(dap, FH_DAP_CANCELLED, "cancelled");
    fine = fine && row->handler(dap, arguments, &body);
    if (dap->request) /* else it has been answered on the way */
        fh_dap_respond(dap, fine, body);
    json_t *events = dap->events;
    size_t index;
    json_t *event;
    dap->request = 0;
    dap->events = json_array();
    json_array_foreach(events, index, event) fh_dap_send(&dap->channel, json_incref(event));
    json_decref(events);
    fh_dap_output_drain(dap);
}

void fh_dap_take(struct fh_dap *dap, const json_t *message) {
    const json_t *seq = json_object_get(message, "seq");
    const char *type = fh_dap_string(message, "type");
    dap->request = json_is_integer(seq) ? json_integer_value(seq) : 0;
    dap->command = fh_dap_string(message, "command");
    if (type && !strcmp(type, "request") && dap->command && dap->request > 0) {
        answer(dap, message);
        return;
    }
    if (type && !strcmp(type, "response")) { /* to a reverse request; none is ever sent */
        dap->request = 0;
        return;
    }
    fh_dap_fail(dap, FH_DAP_NO_REQUEST,
                "a message that is no request: it needs \"seq\" above 0, \"type\" \"request\" and "
                "\"command\"");
    if (!dap->command)
        dap->command = "";
    if (dap->request > 0)
        fh_dap_respond(dap, false, NULL);
    dap->request = 0;
    fh_dap_say(dap, "stderr", "%s\n", dap->message);
}

void fh_dap_serve(struct fh_dap *dap) {
    while (!dap->done && !dap->left && !fh_dap_is_gone(&dap->channel)) {
        json_t *message;
        char why[FH_MESSAGE_WHY];
        switch (fh_dap_next(&dap->channel, dap->phase != FH_DAP_MOVING, &message, why)) {
        case FH_DAP_REQUEST:
            fh_dap_take(dap, message);
            json_decref(message);
            break;
        case FH_DAP_GARBAGE: fh_dap_say(dap, "stderr", "%s\n", why); break;
        case FH_DAP_CLOSED: dap->done = true; break;
        case FH_DAP_NOTHING: fh_dap_go(dap); break;
        }
    }
}
