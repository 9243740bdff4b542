/*
 * cuda_debug.h - --debug: a launch of a CUDA program in the debugger. It is recorded, as --record
 * does, and when it is over `fhec debug` repeats the record in a process of its own, at the same
 * terminal, while the program waits.
 */
#ifndef FH_CLI_CUDA_DEBUG_H
#define FH_CLI_CUDA_DEBUG_H

#include "cuda_record.h"

struct fh_cli_cuda_debug {
    struct fh_cli_cuda_record record;
    struct fh_cli_cuda_options options; /* of the record */
    char *folder;                       /* of the record; NULL: nothing is debugged */
    char *script;                       /* of the launch under way, if it is the one */
};

/* The environment variable with the path of the tool. */
#define FH_CLI_CUDA_TOOL "FHEC_CUDA_TOOL"

/* Nothing, unless the options ask for a launch. Both must live as long. */
void fh_cli_cuda_debug_begin(struct fh_cli_cuda_debug *debug, const struct fh_cli *cli,
                             const struct fh_cli_cuda_options *options, fhec_machine *machine);
void fh_cli_cuda_debug_before(struct fh_cli_cuda_debug *debug, const fhec_launch *launch);
/* Comes back when the debugger has ended. */
void fh_cli_cuda_debug_after(struct fh_cli_cuda_debug *debug, const fhec_launch *launch,
                             fhec_status status);
/* Says if there was no such launch, and removes the record. */
void fh_cli_cuda_debug_end(struct fh_cli_cuda_debug *debug);

#endif
