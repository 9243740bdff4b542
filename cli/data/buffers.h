/*
 * buffers.h - the named buffers of a run, and where their addresses are needed.
 *
 * Addresses are known only when the buffers lie in a machine. So a value that is one leaves zeros
 * where it goes, and a note (struct fh_cli_fixup) for fh_cli_memory_allocate to fill it in.
 */
#ifndef FH_CLI_BUFFERS_H
#define FH_CLI_BUFFERS_H

#include "cli.h"
#include "elements.h"

/* Global memory with a name. The data go to the guest before the first launch and, unless
 * read_only, come back after the last one. */
struct fh_cli_buffer {
    const char *name;
    struct fh_cli_data data;
    uint8_t *before, *after; /* the data before the first launch, if they are kept; those of the
                                first run while it is repeated */
    bool read_only;
    bool fresh;       /* has no data before the launches, but what the machine has there */
    bool used;        /* a parameter or a value refers to it */
    uint64_t address; /* once allocated */
};

/* 8 bytes that become the address of a buffer and so many bytes more. */
struct fh_cli_fixup {
    uint8_t *to;
    size_t buffer;
    uint64_t more;
};

struct fh_cli_memory {
    struct fh_cli_buffer *buffers;
    size_t buffer_count;
    struct fh_cli_fixup *fixups;
    size_t fixup_count;
    bool keep; /* so that the launches can be made once more */
};

/* Index of the buffer; buffer_count if none has the name. */
size_t fh_cli_memory_find(const struct fh_cli_memory *memory, const char *name);
/* Notes that the 8 bytes at `to`, which must stay where they are, are an address. */
fhec_status fh_cli_memory_fix(const struct fh_cli *cli, struct fh_cli_memory *memory, uint8_t *to,
                              size_t buffer, uint64_t more);
/* Fills in all addresses, of buffers that have theirs. */
void fh_cli_memory_fill_in(struct fh_cli_memory *memory);
/* Allocates the buffers in the machine, fills in all addresses and copies the data. */
fhec_status fh_cli_memory_allocate(struct fh_cli_memory *memory, fhec_machine *machine);
/* Copies the data back and releases the buffers. */
fhec_status fh_cli_memory_read_back(struct fh_cli_memory *memory, fhec_machine *machine);
/* Makes the data what they were before the first launch, if they are kept, so that the same can be
 * run again; and, after that, what they were before the restart. */
fhec_status fh_cli_memory_restart(struct fh_cli_memory *memory);
void fh_cli_memory_return(struct fh_cli_memory *memory);
void fh_cli_memory_free(struct fh_cli_memory *memory); /* data and notes; not the array */

#endif
