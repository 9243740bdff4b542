/*
 * profile_run.c - see profile_run.h.
 */
#include "profile_run.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "output.h"
#include "profile_parts.h"
#include "profiler.h"
#include "source_lines.h"

enum { OPTION_PROFILE = 0x3100, OPTION_FORMAT };

static const struct argp_option profile_options[] = {
    {"profile", OPTION_PROFILE, "FILE", 0,
     "Count instructions, sectors, bank conflicts, divergence by line and pc; write them to FILE",
     7},
    {"profile-format", OPTION_FORMAT, "FORMAT", 0,
     "text (an annotated listing, default), json, callgrind or lcov", 7},
    {0},
};

static error_t parse_profile(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"text", "json", "callgrind", "lcov", NULL};
    struct fh_cli_profile_options *o = state->input;
    switch (key) {
    case OPTION_PROFILE: o->path = arg; return 0;
    case OPTION_FORMAT:
        o->format =
            (enum fh_profile_format)fh_cli_choice_option(state, "--profile-format", arg, formats);
        o->has_format = true;
        return 0;
    case ARGP_KEY_END:
        if (o->has_format && !o->path)
            argp_error(state, "--profile-format needs --profile FILE");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp fh_cli_profile_argp = {
    profile_options, parse_profile, NULL, NULL, NULL, NULL, NULL};

struct fh_cli_profile {
    const struct fh_cli *cli;
    const struct fh_cli_profile_options *options;
    struct fh_cli_outputs file;
    struct fh_profiler *profiler;
    struct fh_cli_source_lines *sources;
    bool lost; /* something was counted that did not get here */
};

/* ---------------------------------------------------------------- the profiler at work */

static void profile_free(struct fh_cli_profile *p) {
    fh_cli_source_lines_free(p->sources);
    fh_profiler_free(p->profiler);
    fh_cli_output_discard(&p->file);
    free(p);
}

fhec_status fh_cli_profile_open(const struct fh_cli *cli,
                                const struct fh_cli_profile_options *options,
                                struct fh_cli_profile **profile) {
    *profile = NULL;
    if (!options->path)
        return FHEC_OK;
    struct fh_cli_profile *p = calloc(1, sizeof *p);
    if (!p)
        return fh_cli_no_memory(cli);
    p->cli = cli;
    p->options = options;
    p->profiler = fh_profiler_new();
    p->sources = fh_cli_source_lines_new();
    const fhec_status status = p->profiler && p->sources
                                   ? fh_cli_output_add(cli, &p->file, options->path)
                                   : fh_cli_no_memory(cli);
    if (status == FHEC_OK)
        *profile = p;
    else
        profile_free(p);
    return status;
}

fhec_status fh_cli_profile_attach(struct fh_cli_profile *profile, fhec_machine *machine) {
    if (!profile)
        return FHEC_OK;
    const fhec_status status = fh_profiler_attach(profile->profiler, machine);
    return status == FHEC_OK ? status : fh_cli_no_memory(profile->cli);
}

void fh_cli_profile_detach(struct fh_cli_profile *profile) {
    if (profile)
        fh_profiler_detach(profile->profiler);
}

void fh_cli_profile_know(struct fh_cli_profile *profile, const fhec_program *program) {
    if (profile)
        fh_profiler_know(profile->profiler, program);
}

void fh_cli_profile_restart(struct fh_cli_profile *profile) {
    if (profile)
        fh_profiler_clear(profile->profiler);
}

json_t *fh_cli_profile_part(const struct fh_cli_profile *profile) {
    return profile ? fh_cli_profile_pack(fh_profiler_code(profile->profiler)) : NULL;
}

void fh_cli_profile_add(struct fh_cli_profile *profile, const json_t *part) {
    if (profile && part)
        profile->lost |= !fh_cli_profile_unpack(profile->profiler, part);
}

static bool write_bytes(void *user, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, user) == size;
}

static fhec_status write_profile(struct fh_cli_profile *p) {
    const struct fh_profile_sources sources = {p->sources, fh_cli_line_of};
    char *bytes = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&bytes, &size);
    bool fine = memory && !p->lost &&
                fh_profile_write(p->options->format, fh_profiler_code(p->profiler), &sources,
                                 p->cli->command, &(struct fh_trace_out){memory, write_bytes});
    fine &= memory && fclose(memory) == 0;
    fhec_status status = fine ? fh_cli_output_write(p->cli, &p->file, p->options->path, bytes, size)
                              : fh_cli_no_memory(p->cli);
    free(bytes);
    return status == FHEC_OK ? fh_cli_output_commit(p->cli, &p->file) : status;
}

fhec_status fh_cli_profile_close(struct fh_cli_profile *profile, fhec_status status) {
    if (!profile)
        return status;
    fh_cli_profile_detach(profile);
    const bool ran = status != FHEC_BAD_INPUT && status != FHEC_HOST_ERROR;
    const fhec_status written = ran ? write_profile(profile) : status;
    profile_free(profile);
    return written > status && status <= FHEC_DIFFERS ? written : status;
}
