/*
 * guest.h - what the planners share: errors, kernels by name, memory of one run, launches.
 */
#ifndef FH_GUEST_H
#define FH_GUEST_H

#include "programs.h"

#include <stddef.h>

/* Writes error->text and returns `status`. */
fhec_status fh_fail(struct fh_error *error, fhec_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
fhec_status fh_fail_memory(struct fh_error *error);

/* calloc of count * size bytes, 0 of them allowed; NULL on overflow too. */
void *fh_table(size_t count, size_t size);

/* Elements between the host's 64 bits and the guest's words of `word` bytes, 4 or 8. */
void fh_pack(const uint64_t *elements, size_t count, size_t word, void *words);
void fh_unpack(const void *words, size_t count, size_t word, uint64_t *elements);

enum { FH_GUEST_BUFFERS = 16 };

/* A machine during one run: the memory allocated here is released together. */
struct fh_guest {
    fhec_machine *machine;
    const struct fh_run_options *options;
    struct fh_error *error;
    fhec_program *program;
    bool kept;             /* by options->kernels, whose the program is */
    bool diagnosed;        /* the assembler had something to say */
    const char *file;      /* that the program was assembled from */
    const char *constants; /* what the kernels include as "constants.sass"; NULL: nothing */
    uint64_t buffers[FH_GUEST_BUFFERS];
    unsigned buffer_count;
};

/* "NAME=VALUE" for the assembler. */
struct fh_define {
    const char *name;
    unsigned value;
};

/* Assembles the file of that name in programs/ with these definitions. Once in a run. */
fhec_status fh_guest_assemble(struct fh_guest *guest, const char *file,
                              const struct fh_define *defines, size_t count);
/* Zeroed memory of the guest. */
fhec_status fh_guest_alloc(struct fh_guest *guest, const char *name, size_t bytes,
                           uint64_t *address);
/* Memory with these contents, read-only for the guest. */
fhec_status fh_guest_table(struct fh_guest *guest, const char *name, const void *data, size_t bytes,
                           uint64_t *address);
fhec_status fh_guest_write(struct fh_guest *guest, uint64_t address, const void *data,
                           size_t bytes);
fhec_status fh_guest_read(struct fh_guest *guest, uint64_t address, void *data, size_t bytes);

/* A launch of warps x blocks; the kernel's parameters are addresses, in order. */
struct fh_guest_launch {
    const char *kernel;
    uint32_t grid_x, grid_y, grid_z, warps; /* grid_z 0 is 1 */
    const uint64_t *params;
    size_t param_count;
};
fhec_status fh_guest_run(struct fh_guest *guest, const struct fh_guest_launch *launch);

/* Releases the memory and the program. */
void fh_guest_end(struct fh_guest *guest);

#endif
