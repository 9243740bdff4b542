/*
 * machine.h - a guest: its memory, its engine, what it has counted and what went wrong last.
 */
#ifndef FH_MACHINE_H
#define FH_MACHINE_H

#include "count.h"
#include "decode.h"
#include "engine.h"
#include "external.h"
#include "fill.h"
#include "launch.h"
#include "loader.h"
#include "memory.h"
#include "positions.h"
#include "speculation.h"
#include "transaction.h"

/* The strings of a fault, which must outlive the launch. */
struct fh_fault_text {
    char kernel[128], file[512], text[256], nearest[320], message[400];
};

struct fhec_machine {
    struct fh_engine engine;
    unsigned threads;
    struct fh_memory memory;
    struct fh_transaction alone; /* of launches that run alone, while the memory has a history */
    struct fh_fills fills;
    fhec_order order; /* of the warps of launches */
    struct fh_host_functions host_functions;
    struct fh_decoder decoder;
    struct fh_module *modules; /* programs whose variables live in the memory */
    uint64_t grid_workspace;   /* address of the memory of grid barriers; 0: not needed so far */
    struct fh_speculator
        *speculator; /* host threads and their transactions; NULL: not needed so far */
    bool counting;
    uint64_t max_steps;            /* of each launch, beside its own limit; 0: none */
    struct fh_observer *observers; /* observe.h; in the order in which they came */
    unsigned last_observer;        /* number of the one that came last */
    uint64_t launches;             /* begun so far */
    uint64_t opened;               /* the same, with those that are made again from a snapshot */
    struct fhec_session *session;  /* the launch under way; NULL: none */
    struct fhec_record *record;    /* of what the host does; NULL: none */
    uint64_t changes;              /* of memory by the host, so far */
    struct fh_positions positions; /* of the last launch, if it was cancelled */
    struct fh_progress progress;   /* of the launch under way, ... */
    _Atomic uint64_t progress_launches, progress_blocks;
    atomic_bool progress_wanted; /* ... if somebody has asked for it */
    atomic_bool cancelled;       /* what runs is to end, or what runs next */
    struct fh_tally tally;
    fhec_fault fault;
    struct fh_fault_text fault_text;
    fhec_expansion *fault_expansions; /* NULL, or what `fault` told of last */
    char error[256];
};

/* Sets the text of fhec_machine_error; returns `status`. */
fhec_status fh_machine_fail(fhec_machine *machine, fhec_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* fhec_alloc and its like, without a record. */
fhec_status fh_machine_alloc(fhec_machine *machine, const char *name, size_t bytes, unsigned flags,
                             uint64_t *address);
fhec_status fh_machine_map(fhec_machine *machine, const char *name, uint64_t address, void *host,
                           size_t bytes, unsigned flags);
fhec_status fh_machine_release(fhec_machine *machine, uint64_t address);
fhec_status fh_machine_write(fhec_machine *machine, uint64_t address, const void *data,
                             size_t bytes);

/* Gets a launch that runs sequentially ready to write to the memory. */
void fh_machine_run_alone(fhec_machine *machine, struct fh_launch_state *launch);
/* What the number of an allocation stands for has changed. */
void fh_machine_forget(void *machine, size_t number);

void fh_host_functions_free(struct fh_host_functions *functions);

/* Tells the story of a fault that ended the launch of `image` (report.c). */
void fh_machine_report(fhec_machine *machine, const struct fh_image *image,
                       const struct fh_fault_record *record);

/* fhec_write, of which no observer is told; and fhec_read. */
fhec_status fh_host_write(fhec_machine *machine, uint64_t address, const void *data, size_t bytes);
fhec_status fh_machine_read(fhec_machine *machine, uint64_t address, void *data, size_t bytes);

/* Checks the numbers of a launch (run.c). */
fhec_status fh_launch_check(fhec_machine *machine, const fhec_launch *launch);

#endif
