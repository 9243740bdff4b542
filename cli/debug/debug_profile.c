/*
 * debug_profile.c - the debugger's `profile`: what a launch issues, and how often, as a listing.
 */
#include <stdlib.h>
#include <string.h>

#include "debug_commands.h"
#include "debug_location.h"
#include "interrupt.h"
#include "profile_report.h"
#include "profiler.h"
#include "replay.h"

/* A line of a source that the debugger knows. */
static bool find_line(void *user, const char *file, uint32_t line, const char **text,
                      size_t *length) {
    size_t all;
    const char *at = fh_debugger_source(user, file, &all);
    for (uint32_t i = 1; at && i < line; i++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at || !line)
        return false;
    *text = at;
    *length = strcspn(at, "\r\n");
    return true;
}

static bool write_bytes(void *user, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, user) == size;
}

/* Runs the launches before it, and counts that one; FHEC_GUEST_FAULT: up to a fault. */
static fhec_status count(struct fh_cli_console *c, struct fh_debugger *replay,
                         struct fh_profiler *profiler, size_t launch) {
    fhec_machine *machine = fh_debugger_machine(replay);
    fhec_machine *before = fh_cli_interrupt_other(machine);
    fhec_status status = fh_replay_before(c->debugger, replay, launch);
    if (status == FHEC_OK && fh_profiler_attach(profiler, machine) != FHEC_OK)
        status = FHEC_HOST_ERROR;
    if (status == FHEC_OK)
        status = fh_replay_launch(c->debugger, replay);
    fh_profiler_detach(profiler);
    (void)fh_cli_interrupt_other(before);
    return status;
}

static fhec_status profile(struct fh_cli_console *c, size_t launch) {
    const struct fh_profile_sources sources = {c->debugger, find_line};
    const struct fh_trace_out out = {c->out, write_bytes};
    struct fh_debugger *replay;
    struct fh_profiler *profiler = fh_profiler_new();
    if (!profiler)
        return fh_cli_console_error(c, "no host memory");
    fhec_status status = fh_replay_new(c->debugger, &replay);
    if (status == FHEC_OK)
        status = count(c, replay, profiler, launch);
    fh_replay_free(replay);
    if (status == FHEC_CANCELLED) {
        c->interrupted = true;
        status = fh_cli_console_error(c, "cancelled");
    } else if (status != FHEC_OK && status != FHEC_GUEST_FAULT) {
        status = fh_cli_console_failed(c, status);
    } else if (fh_profile_write(FH_PROFILE_TEXT, fh_profiler_code(profiler), &sources,
                                c->cli->command, &out)) {
        status = FHEC_OK;
    } else {
        status = fh_cli_console_error(c, "no host memory for the profile");
    }
    fh_profiler_free(profiler);
    return status;
}

/* "profile [LAUNCH]" */
fhec_status fh_cli_debug_profile(struct fh_cli_console *c, char *text) {
    const size_t launches = fh_debugger_launch_count(c->debugger);
    uint64_t launch = fh_debugger_time(c->debugger).launch + 1;
    if (*text && !fh_cli_debug_number(text, &launch))
        return fh_cli_console_error(c, "\"%s\" is no number of a launch", text);
    if (!launch || launch > launches)
        return *text ? fh_cli_console_error(c, "there are %zu launches", launches)
                     : fh_cli_console_error(c, "no launch is under way: `profile LAUNCH`");
    return profile(c, (size_t)launch - 1);
}
