/*
 * cuda_record.h - --record: launches of a CUDA program as launch scripts (docs/scripts.md) that
 * stand for themselves.
 *
 *     DIR/0001-KERNEL/launch.fhec    the launch, all memory before it, and what is there behind it
 *     DIR/data/HASH.bin, .cubin      what they have in common: pieces of memory, and programs
 */
#ifndef FH_CLI_CUDA_RECORD_H
#define FH_CLI_CUDA_RECORD_H

#include "cuda_options.h"

struct fh_cli_cuda_object;
struct fh_cli_cuda_record {
    const struct fh_cli *cli;
    const struct fh_cli_cuda_options *options;
    fhec_machine *machine;
    struct fh_cli_cuda_object *objects; /* programs as they were loaded */
    size_t object_count;
    uint64_t kernels; /* launches of --record-kernel so far */
    uint64_t count;   /* cases so far */
    char *folder;     /* of the case under way; NULL: the launch is not recorded */
    char *text;       /* of its script so far */
    bool failed;      /* nothing more is recorded, which has been said */
};

/* Whose object these bytes are, which are copied; NULL: the program itself is written. */
void fh_cli_cuda_record_module(struct fh_cli_cuda_record *record, const fhec_program *program,
                               const uint8_t *image, size_t length);
void fh_cli_cuda_record_before(struct fh_cli_cuda_record *record, const fhec_launch *launch);
void fh_cli_cuda_record_after(struct fh_cli_cuda_record *record, const fhec_launch *launch,
                              fhec_status status);

#endif
