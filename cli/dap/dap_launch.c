/*
 * dap_launch.c - requests that begin and end a session.
 *
 * What is launched is a command line of this tool: the arguments of the request are made one, which
 * the command's own options read. They end the process where they are wrong (argp): those of
 * `fhec run` end one that tries them; where others do, the client is told on the way out. The
 * command makes a debugger of what it would launch and hands it to a face (debug_target.h), which
 * here is one more loop that answers requests, inside the request that launched it: that one is
 * answered as soon as there is a debugger. The inner loop ends when the program is terminated or
 * launched again, or the client has gone.
 */
#include "dap_launch.h"
#include "dap_handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dap_output.h"
#include "dap_parts.h"
#include "dap_progress.h"
#include "dap_schema.h"
#include "debug_target.h"
#include "interrupt.h"
#include "message.h"
#include "nearest.h"
#include "other_command.h"

struct fh_dap_target {
    char **argv; /* malloc'd texts, NULL at the end; argv[0] is the command */
    char **line; /* the same, for the command's parser to change */
    int argc;
    bool stop_on_entry;
    bool shown; /* there was a debugger */
    struct fh_cli cli;
    struct fh_dap *dap;
};

/* ---------------------------------------------------------------- initialize */

/* Filters of exceptions; dap_breakpoints.c has what they mean. */
static json_t *filters_json(void) {
    static const struct {
        const char *filter, *label, *description;
        bool on;
    } all[] = {
        {"fault", "Faults", "An instruction that cannot be executed", true},
        {"finding", "Findings", "What a checker of `checks` finds", true},
        {"barrier", "Barriers", "A named barrier of a block is released", false},
        {"warpEnd", "Ends of warps", "The last lane of a warp ends", false},
        {"blockEnd", "Ends of blocks", "The last lane of a block ends", false},
    };
    json_t *filters = json_array();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        json_array_append_new(filters,
                              json_pack("{s:s, s:s, s:s, s:b, s:b}", "filter", all[i].filter,
                                        "label", all[i].label, "description", all[i].description,
                                        "default", all[i].on, "supportsCondition", 1));
    return filters;
}

static json_t *capabilities_json(void) {
    static const char *const supported[] = {
        "supportsConfigurationDoneRequest",
        "supportsFunctionBreakpoints",
        "supportsConditionalBreakpoints",
        "supportsHitConditionalBreakpoints",
        "supportsEvaluateForHovers",
        "supportsStepBack",
        "supportsSetVariable",
        "supportsCompletionsRequest",
        "supportsRestartRequest",
        "supportsGotoTargetsRequest",
        "supportsModulesRequest",
        "supportsExceptionInfoRequest",
        "supportsValueFormattingOptions",
        "supportTerminateDebuggee",
        "supportsLoadedSourcesRequest",
        "supportsLogPoints",
        "supportsTerminateRequest",
        "supportsDataBreakpoints",
        "supportsDataBreakpointBytes",
        "supportsReadMemoryRequest",
        "supportsWriteMemoryRequest",
        "supportsDisassembleRequest",
        "supportsCancelRequest",
        "supportsBreakpointLocationsRequest",
        "supportsSteppingGranularity",
        "supportsInstructionBreakpoints",
        "supportsSetExpression",
        "supportsExceptionFilterOptions",
        "supportsDelayedStackTraceLoading",
    };
    json_t *body = json_object();
    for (size_t i = 0; i < sizeof supported / sizeof *supported; i++)
        json_object_set_new(body, supported[i], json_true());
    json_object_set_new(body, "exceptionBreakpointFilters", filters_json());
    json_object_set_new(body, "completionTriggerCharacters", json_pack("[s, s]", " ", "."));
    return body;
}

static bool is_false(const json_t *arguments, const char *name) {
    return json_is_false(json_object_get(arguments, name));
}

bool fh_dap_initialize(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    const char *format = fh_dap_string(arguments, "pathFormat");
    if (format && strcmp(format, "path") != 0 && strcmp(format, "uri") != 0)
        return fh_dap_fail(dap, FH_DAP_ARGUMENTS, "initialize: pathFormat is neither path nor uri");
    dap->paths_are_uris = format && *format == 'u';
    dap->lines_from_0 = is_false(arguments, "linesStartAt1");
    dap->columns_from_0 = is_false(arguments, "columnsStartAt1");
    dap->wants_invalidated = fh_dap_bool(arguments, "supportsInvalidatedEvent");
    dap->wants_memory_event = fh_dap_bool(arguments, "supportsMemoryEvent");
    dap->stops = fh_dap_stops_new();
    if (!dap->stops)
        return fh_dap_fail(dap, FH_DAP_REFUSED, "no memory");
    if (fh_dap_bool(arguments, "supportsProgressReporting"))
        (void)fh_dap_progress_start(dap);
    dap->phase = FH_DAP_INITIALIZED;
    *body = capabilities_json();
    return true;
}

/* ---------------------------------------------------------------- launch */

static void free_target(struct fh_dap_target *target) {
    for (int i = 0; i < target->argc; i++)
        free(target->argv[i]);
    free(target->argv);
    free(target->line);
    free(target);
}

/* One more argument: "--check=race" of `name` "--check=" and `value` "race". */
static bool add_argument(struct fh_dap_target *target, const char *name, const char *value) {
    char **argv = realloc(target->argv, ((size_t)target->argc + 2) * sizeof *argv);
    if (!argv)
        return false;
    target->argv = argv;
    argv[target->argc] = NULL;
    if (asprintf(&argv[target->argc], "%s%s", name, value) < 0)
        return false;
    argv[++target->argc] = NULL;
    return true;
}

/* `checks`: true, a text as of --check, or a list of names. */
static bool add_checks(struct fh_dap *dap, struct fh_dap_target *target, const json_t *checks) {
    char list[400] = "";
    size_t index;
    const json_t *name;
    if (!checks || json_is_null(checks) || json_is_false(checks) ||
        (json_is_array(checks) && !json_array_size(checks)))
        return true;
    if (json_is_true(checks))
        return add_argument(target, "--check", "");
    if (json_is_string(checks))
        return add_argument(target, "--check=", json_string_value(checks));
    if (!json_is_array(checks))
        return fh_dap_fail(dap, FH_DAP_ARGUMENTS, "checks is neither true, a text nor a list");
    json_array_foreach(checks, index, name) {
        const size_t length = strlen(list);
        if (!json_is_string(name) || length + json_string_length(name) + 2 > sizeof list)
            return fh_dap_fail(dap, FH_DAP_ARGUMENTS, "checks[%zu] is no name of a checker", index);
        snprintf(list + length, sizeof list - length, "%s%s", length ? "," : "",
                 json_string_value(name));
    }
    return add_argument(target, "--check=", list);
}

static bool make_argv(struct fh_dap *dap, struct fh_dap_target *target, const json_t *arguments) {
    const char *command = fh_dap_string(arguments, "command");
    const char *program = fh_dap_string(arguments, "program");
    const char *engine = fh_dap_string(arguments, "engine"),
               *simd = fh_dap_string(arguments, "simd");
    size_t index;
    const json_t *given;
    bool fine = add_argument(target, command ? command : "run", "");
    json_array_foreach(json_object_get(arguments, "args"), index, given) fine =
        fine && add_argument(target, "", json_string_value(given));
    if (fine && engine)
        fine = add_argument(target, "--engine=", engine);
    if (fine && simd)
        fine = add_argument(target, "--simd=", simd);
    dap->message[0] = 0;
    fine = fine && add_checks(dap, target, json_object_get(arguments, "checks"));
    if (fine && program)
        fine = add_argument(target, "", program);
    return fine || dap->message[0] || fh_dap_fail(dap, FH_DAP_LAUNCH, "no memory");
}

/* A command that is wrong ends the process: the client hears of it all the same. */
static struct fh_dap *launching;

static void leave(void) {
    struct fh_dap *dap = launching;
    if (!dap)
        return;
    launching = NULL;
    const json_int_t request = dap->request;
    dap->request = 0; /* so that what has been printed comes first */
    fh_dap_output_drain(dap);
    dap->request = request;
    fh_dap_refuse_and_end(dap, "the arguments are wrong: see the output");
}

/* From the beginning on: to the first stop, or not at all. */
static void begin(struct fh_dap *dap) {
    if (dap->target->stop_on_entry) {
        fh_dap_tell_stopped(dap, "entry", NULL);
        return;
    }
    dap->move = (struct fh_move){.kind = FH_MOVE_CONTINUE};
    dap->phase = FH_DAP_MOVING;
}

/* The face: answers requests as long as there is this debugger. */
static fhec_status show(void *user, struct fh_cli *cli, struct fh_debugger *debugger) {
    struct fh_dap_target *target = user;
    struct fh_dap *dap = target->dap;
    launching = NULL;
    fh_dap_uninterruptible(&dap->channel);
    target->shown = true;
    dap->debugger = debugger;
    dap->target = target;
    if (!fh_dap_console_open(dap))
        return fh_cli_no_memory(cli);
    if (dap->request) {
        dap->phase = FH_DAP_CONFIGURED;
        fh_dap_respond(dap, true, NULL);
        dap->request = 0;
        fh_dap_event(dap, "initialized", NULL);
        fh_dap_tell_modules(dap, "new");
    } else {
        fh_dap_tell_modules(dap, "new");
        fh_dap_stops_again(dap, true);
        begin(dap);
    }
    dap->serve(dap);
    if (dap->again)
        fh_dap_tell_modules(dap, "removed");
    fh_dap_forget_handles(dap);
    fh_dap_stops_forget(dap);
    fh_dap_console_close(dap);
    dap->debugger = NULL;
    dap->target = NULL;
    if (!dap->again)
        dap->phase = FH_DAP_ENDED;
    return FHEC_OK;
}

/* Whether the options of `fhec run` are right is found out in a process of its own, which they may
 * end. */
static bool parses(struct fh_dap_target *target) {
    int status;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        struct fh_cli_run_options options = {.cli = &target->cli};
        fh_cli_run_options_parse(&target->cli, target->argc, target->line, &options);
        fflush(stdout);
        _exit(0);
    }
    return child < 0 || waitpid(child, &status, 0) != child || status == 0;
}

static fhec_status debug_run(struct fh_cli *cli, int argc, char **argv) {
    struct fh_cli_run_options options = {.cli = cli};
    struct fh_cli_debug_target *guest = NULL;
    fh_cli_run_options_parse(cli, argc, argv, &options);
    fhec_status status = fh_cli_debug_run(cli, &options, 0, &guest);
    if (status == FHEC_OK)
        status = cli->debug->run(cli->debug->user, cli, fh_cli_debug_debugger(guest));
    fh_cli_debug_close(guest);
    fh_cli_run_options_free(&options);
    return status;
}

static const struct fh_cli_other run = {"run", "fhec run", debug_run};

/* Checkers run before there is a debugger: a client that does not want to wait ends that. */
static void interrupt(void *user) {
    (void)user;
    fh_cli_interrupt_now();
}

static bool start(struct fh_dap *dap, struct fh_dap_target *target) {
    static bool registered;
    const struct fh_cli_other *command =
        strcmp(target->argv[0], run.name) ? fh_cli_other_find(target->argv[0]) : &run;
    if (!command)
        return fh_dap_fail(dap, FH_DAP_LAUNCH,
                           "no command \"%.60s\" can be debugged: run, test, "
                           "ntt, bconv, eltwise, ckks and bigint can",
                           target->argv[0]);
    target->line = calloc((size_t)target->argc + 1, sizeof *target->line);
    if (!target->line || (!registered && atexit(leave) != 0))
        return fh_dap_fail(dap, FH_DAP_LAUNCH, "no memory");
    registered = true;
    memcpy(target->line, target->argv, (size_t)target->argc * sizeof *target->line);
    const struct fh_cli_debug_face face = {.run = show, .user = target};
    target->dap = dap;
    target->cli = *dap->cli;
    target->cli.command = command->full;
    target->cli.terminal = target->cli.color = false;
    target->cli.debug = &face;
    if (command == &run && !parses(target))
        return fh_dap_fail(dap, FH_DAP_LAUNCH, "the arguments are wrong: see the output");
    launching = dap;
    fh_dap_interruptible_within(&dap->channel, dap->request, interrupt, NULL);
    const fhec_status status = command->run(&target->cli, target->argc, target->line);
    fh_dap_uninterruptible(&dap->channel);
    fh_cli_interrupt_forget();
    launching = NULL;
    if (!target->shown && status == FHEC_CANCELLED)
        return fh_dap_fail(dap, FH_DAP_CANCELLED, "cancelled");
    return target->shown ||
           fh_dap_fail(dap, FH_DAP_LAUNCH, "the program cannot be started: see the output");
}

/* The whole life of what is launched; false: it never began. */
static bool launch(struct fh_dap *dap, const json_t *arguments) {
    const char *folder = fh_dap_string(arguments, "cwd");
    if (folder && chdir(folder) != 0)
        return fh_dap_fail(dap, FH_DAP_LAUNCH, "there is no folder %.200s", folder);
    struct fh_dap_target *target = calloc(1, sizeof *target);
    if (!target)
        return fh_dap_fail(dap, FH_DAP_LAUNCH, "no memory");
    json_t *kept = json_incref(dap->launched);
    json_decref(dap->launched);
    dap->launched = json_incref((json_t *)arguments);
    target->stop_on_entry = fh_dap_bool(arguments, "stopOnEntry");
    const bool fine = make_argv(dap, target, arguments) && start(dap, target);
    free_target(target);
    json_decref(kept);
    return fine;
}

/* Answered by the face; what comes behind it is the end of what was launched. */
bool fh_dap_launch(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)body;
    const bool fine = launch(dap, arguments);
    dap->left = dap->again != NULL; /* then the outer loop ends, too */
    return fine;
}

/* The program is read again: it may have been edited. */
bool fh_dap_restart(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)body;
    const json_t *given = json_object_get(arguments, "arguments");
    char why[200];
    json_t *next = json_is_object(given) ? json_copy((json_t *)given) : json_incref(dap->launched);
    if (!next)
        return fh_dap_fail(dap, FH_DAP_ORDER, "restart: nothing has been launched");
    if (!fh_dap_shape_holds(FH_DAP_LAUNCH_SHAPE, next, why, sizeof why)) {
        json_decref(next);
        return fh_dap_fail(dap, FH_DAP_ARGUMENTS, "restart: arguments: %s", why);
    }
    dap->again = next;
    dap->left = true;
    return true;
}

/* Launches again what dap->again says, to its end. False: there is nothing to launch. */
static bool relaunch(struct fh_dap *dap) {
    const bool any = dap->again && !dap->done;
    while (dap->again && !dap->done) {
        json_t *next = dap->again;
        dap->again = NULL;
        dap->left = false;
        if (!launch(dap, next)) {
            fh_dap_output_drain(dap);
            fh_dap_say(dap, "stderr", "%s\n", dap->message);
            fh_dap_end(dap, FHEC_BAD_INPUT);
        }
        json_decref(next);
    }
    dap->left = false;
    return any;
}

void fh_dap_session(struct fh_dap *dap) {
    do
        dap->serve(dap);
    while (relaunch(dap));
    fh_dap_forget_handles(dap);
    free(dap->handles);
    fh_dap_stops_free(dap->stops);
    fh_dap_progress_stop(dap);
    json_decref(dap->launched);
    json_decref(dap->again);
    json_decref(dap->events);
}

bool fh_dap_attach(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)arguments;
    (void)body;
    return fh_dap_fail(dap, FH_DAP_NOT_SUPPORTED,
                       "nothing runs that could be attached to; use a launch request");
}

bool fh_dap_configuration_done(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)arguments;
    (void)body;
    begin(dap);
    return true;
}

/* ---------------------------------------------------------------- the end */

bool fh_dap_terminate(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)arguments;
    (void)body;
    if (dap->phase != FH_DAP_ENDED)
        fh_dap_event(dap, "terminated", NULL);
    dap->phase = FH_DAP_ENDED;
    dap->left = dap->debugger != NULL;
    return true;
}

bool fh_dap_disconnect(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    (void)arguments;
    (void)body;
    dap->done = true;
    return true;
}
