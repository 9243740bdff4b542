/*
 * script_state.c - a launch script on a machine: what there is of it, from begin to end.
 */
#include <stdlib.h>

#include "message.h"
#include "script_parts.h"

fhec_status fh_cli_script_begin(struct fh_cli *cli, const struct fh_cli_script *script,
                                const struct fh_cli_script_settings *settings,
                                fhec_machine *machine, struct fh_cli_script_run **run) {
    *run = calloc(1, sizeof **run);
    if (!*run)
        return fh_cli_no_memory(cli);
    (*run)->cli = cli;
    (*run)->script = script;
    (*run)->settings = settings;
    (*run)->machine = machine;
    return FHEC_OK;
}

const struct fh_cli_memory *fh_cli_script_memory(const struct fh_cli_script_run *run) {
    return &run->memory;
}

const struct fh_cli_hash *fh_cli_script_hashes(const struct fh_cli_script_run *run, size_t *count) {
    *count = run->hash_count;
    return run->hashes;
}

fhec_status fh_cli_script_commit(struct fh_cli_script_run *run) {
    return fh_cli_output_commit(run->cli, &run->outputs);
}

void fh_cli_script_end(struct fh_cli_script_run *run) {
    if (!run)
        return;
    fh_cli_output_discard(&run->outputs);
    for (size_t i = 0; i < run->programs.count; i++)
        free(run->aliases[i]);
    for (size_t i = 0; i < run->memory.buffer_count; i++) {
        free((char *)run->memory.buffers[i].name);
        free(run->hosts[i]);
    }
    for (size_t i = 0; i < run->hash_count; i++)
        free((char *)run->hashes[i].name);
    fh_cli_programs_free(&run->programs);
    fh_cli_script_names_cut(&run->names, 0);
    free(run->aliases);
    free(run->hosts);
    free(run->hashes);
    free(run->checked);
    free(run->memory.buffers);
    free(run->memory.fixups);
    free(run);
}
