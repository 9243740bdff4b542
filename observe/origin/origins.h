/*
 * origins.h - follows the values of a machine's launches from where they came to the instructions
 * that use them, as an observer of the machine.
 *
 *     load -> register -> MOV, SEL, PRMT, SHFL, shifts by bytes -> register -> store
 *       ^                                                                        |
 *       +------- shared and local memory, asynchronous copies, LDSM <------------+
 *
 * What is loaded from global memory came from there, whoever wrote it. Values that are computed
 * carry their instruction; where such a value is stored in shared or local memory, that place is
 * its origin from then on, so that the order in which it is read again can be told.
 */
#ifndef FH_ORIGINS_H
#define FH_ORIGINS_H

#include "event_code.h"
#include "origin_code.h"
#include "shadow.h"

struct fh_origins;

/* One instruction of a warp, as those see it who look. */
struct fh_origin_view {
    const fhec_event *event; /* `before`: ISSUE; `after`: as it comes */
    const fhec_instruction *instruction;
    struct fh_origin_op *op;           /* `own` is theirs */
    const struct fh_warp_shadow *warp; /* origins before, or after the instruction */
    struct fh_origins *origins;
};

/* What is looked at: around the instruction. */
enum { FH_ORIGIN_BEFORE = 1, FH_ORIGIN_AFTER = 2 };

struct fh_origin_watcher {
    void *user;
    /* Which of the two is wanted of the instruction; asked when a launch begins. */
    unsigned (*wants)(void *user, const fhec_launch *launch, const fhec_instruction *instruction);
    void (*before)(void *user, const struct fh_origin_view *view); /* at ISSUE */
    void (*after)(void *user, const struct fh_origin_view *view);  /* at RETIRE; may be NULL */
    void (*launch_begins)(void *user, const fhec_event *event);    /* may be NULL */
};

/* From the next launch on. FHEC_HOST_ERROR without host memory. */
fhec_status fh_origins_begin(fhec_machine *machine, const struct fh_origin_watcher *watcher,
                             struct fh_origins **origins);
/* FHEC_HOST_ERROR: there was no host memory on the way, and some origins are unknown. NULL is
 * allowed. */
fhec_status fh_origins_end(struct fh_origins *origins);

/* For those who take the machine of a session to other times: no more is followed until the
 * machine is where it was, and fh_origins_resume is called. The first does nothing where nothing is
 * followed. FHEC_HOST_ERROR without host memory, as of fh_origins_end. */
void fh_origins_pause(struct fh_origins *origins);
fhec_status fh_origins_resume(struct fh_origins *origins);
/* False: there was no host memory on the way, and some origins are unknown. */
bool fh_origins_complete(const struct fh_origins *origins);
/* Keeps what is known now; returns how many bytes it takes, about, 0 without host memory. */
uint64_t fh_origins_save(const struct fh_origins *origins, struct fh_shadows *saved);
/* Makes that what is known, NULL: nothing; while they are paused. False without host memory. */
bool fh_origins_load(struct fh_origins *origins, const struct fh_shadows *saved);
/* The registers of a warp, as they are now; NULL: it has executed nothing that was followed. */
const struct fh_warp_shadow *fh_origins_warp(const struct fh_origins *origins,
                                             const uint32_t block[3], uint32_t warp);
/* Somebody has given a register of the launch's warp, in `lanes`, or bytes of its block's shared
 * memory, a number. */
struct fh_origin_warp {
    const fhec_launch *launch;
    uint32_t block[3], warp;
};
void fh_origins_set_register(struct fh_origins *origins, const struct fh_origin_warp *of,
                             fhec_register_file file, uint32_t reg, uint32_t lanes);
void fh_origins_set_shared(struct fh_origins *origins, const struct fh_origin_warp *of,
                           uint64_t address, uint64_t bytes);

/* Memory that an instruction has accessed: a buffer's or variable's name and bounds. */
struct fh_origin_buffer {
    char *name;
    uint64_t base, size;
};
/* The one that a place in global memory is in; NULL: unknown. */
const struct fh_origin_buffer *fh_origins_buffer(const struct fh_origins *origins,
                                                 fh_origin origin);
/* By name; NULL: none that was accessed is called so. */
const struct fh_origin_buffer *fh_origins_buffer_named(const struct fh_origins *origins,
                                                       const char *name);

/* "x[37]", "x + 3 bytes", "shared[12]", "c[0x3][0x20]", "computed at 0x1a0", "a number", for
 * elements of `bits`; `bit` counts within the byte. Length like snprintf. */
int fh_origin_text(const struct fh_origins *origins, fh_origin origin, uint32_t bits, uint32_t bit,
                   char *text, size_t size);

/* The instruction at `pc` of the event's kernel; NULL: it has not been met. */
const fhec_instruction *fh_origins_instruction(struct fh_origins *origins, const fhec_event *event,
                                               uint64_t pc);

/* For the files of this room: applies what an instruction does. */
/* From where the lanes of an asynchronous copy read: told before where they write. */
struct fh_origin_copy {
    uint32_t lanes;
    uint32_t bytes[FHEC_WARP_LANES];
    uint64_t from[FHEC_WARP_LANES];
};
struct fh_origin_step {
    const fhec_event *event;
    const fhec_instruction *instruction;
    const struct fh_origin_op *op;
    struct fh_warp_shadow *warp;
    struct fh_origin_copy *copy;
};
/* Of FHEC_EVENT_ISSUE, not of memory; and of FHEC_EVENT_ACCESS. False without host memory. */
bool fh_origin_move(const struct fh_origin_step *step);
bool fh_origin_access(const struct fh_origin_step *step);
/* All registers that the instruction writes are its own results in the lanes. */
void fh_origin_made(const struct fh_origin_step *step, uint32_t lanes);

#endif
