/*
 * trace_names.h - what a trace's numbers stand for: launches and their kernels, the instructions at
 * pcs and the source lines that they come from, the buffers and variables at addresses.
 */
#ifndef FH_TRACE_NAMES_H
#define FH_TRACE_NAMES_H

#include "fhec_session.h"

#include <stddef.h>

/* One step of how a source line came about; strings are the names'. */
struct fh_trace_step {
    const char *what, *file; /* "macro ADD2", "include", ".rept"; and where */
    uint32_t line;
    uint32_t iteration; /* of a repetition, from 1; else 0 */
};

struct fh_trace_instruction {
    bool known;
    fhec_word word;
    const char *file; /* NULL: unknown */
    uint32_t line, column;
    struct fh_trace_step *steps; /* innermost first */
    size_t step_count;
};

struct fh_trace_kernel {
    const char *name;
    struct fh_trace_instruction *code; /* by pc / 16 */
    size_t count, room;
    const fhec_program *program; /* while it is recorded, else NULL */
    size_t index;                /* in that */
};

struct fh_trace_launch {
    uint64_t number;
    size_t kernel;
    uint32_t grid[3], block[3];
};

/* Bytes that have a name. */
struct fh_trace_object {
    const char *name;
    fhec_space space;
    uint32_t bank;   /* of constant memory */
    uint32_t launch; /* of constant memory: in which launch */
    uint64_t base, size;
};

struct fh_trace_names {
    char **strings;
    size_t string_count, string_room;
    uint32_t *places; /* of strings by their hash: index + 1, 0: free; of equal ones the first */
    size_t place_count;
    struct fh_trace_kernel *kernels;
    size_t kernel_count, kernel_room;
    struct fh_trace_launch *launches;
    size_t launch_count, launch_room;
    struct fh_trace_object *objects;
    size_t object_count, object_room;
    size_t last_object; /* that was looked for */
};

void fh_trace_names_free(struct fh_trace_names *names);

/* The string, kept. NULL without host memory. */
const char *fh_trace_string(struct fh_trace_names *names, const char *text, size_t length);
/* The same as one more string, even if there is one like it. */
const char *fh_trace_string_append(struct fh_trace_names *names, const char *text, size_t length);
/* Its number, counted from 1; 0: there is none, as for NULL. */
size_t fh_trace_string_number(const struct fh_trace_names *names, const char *text);

/* Of a program that is recorded: its kernel, and what stands at a pc of it. FHEC_HOST_ERROR without
 * host memory. */
fhec_status fh_trace_launch_add(struct fh_trace_names *names, const fhec_launch *launch,
                                uint64_t number);
fhec_status fh_trace_instruction_add(struct fh_trace_names *names, uint32_t launch, uint64_t pc,
                                     fhec_word word);
/* Of a log: room for the instruction at pc; NULL without host memory. */
struct fh_trace_instruction *fh_trace_instruction_room(struct fh_trace_kernel *kernel, uint64_t pc);

/* "macro ADD2", "include", "iteration 3 of .rept" */
void fh_trace_step_text(const struct fh_trace_step *step, char *text, size_t size);

/* The instruction at pc of the launch's kernel; NULL: unknown. */
const struct fh_trace_instruction *fh_trace_instruction_at(const struct fh_trace_names *names,
                                                           uint32_t launch, uint64_t pc);
/* The kernel of a launch. */
const struct fh_trace_kernel *fh_trace_kernel_of(const struct fh_trace_names *names,
                                                 uint32_t launch);

/* Adds bytes with a name. Those added later hide those before them. */
fhec_status fh_trace_object_add(struct fh_trace_names *names, const struct fh_trace_object *object);
/* The object that an address is in; NULL: none. Bank and launch count for constant memory only. */
const struct fh_trace_object *fh_trace_object_at(struct fh_trace_names *names, fhec_space space,
                                                 uint32_t bank, uint32_t launch, uint64_t address);

#endif
