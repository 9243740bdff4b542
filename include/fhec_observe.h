/*
 * fhec_observe.h - seeing what happens on a machine, without changing it: in fhec_run, in sessions,
 * and what the host does. There may be any number of observers at once. What none of them asks for
 * runs at full speed.
 *
 * Events come in the order in which things happen, which is the same on both engines, at every SIMD
 * level and for any number of host threads. An instruction that is issued gives
 *
 *     FHEC_EVENT_ISSUE      before it runs: what it is about to read
 *     others                what has come of it: barriers, copies, lanes that part
 *     FHEC_EVENT_ACCESS ... what it has read and written of memory, by space
 *     FHEC_EVENT_RETIRE     what it has written
 *     FHEC_EVENT_INSTRUCTION
 *     FHEC_EVENT_WARP_END, FHEC_EVENT_BLOCK_END
 *
 * or, if it faults, only the first and in the end FHEC_EVENT_FAULT. The fewer kinds an observer
 * asks for the less they cost; least of all FHEC_EVENT_INSTRUCTION, which tells that an instruction
 * has been issued and not what it did: without other kinds from within straight code
 * (FHEC_EVENT_ISSUE, RETIRE, ACCESS, COPY, COPY_DONE) beside it, it is told of some instructions at
 * a time.
 */
#ifndef FHEC_OBSERVE_H
#define FHEC_OBSERVE_H

#include "fhec_session.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef enum fhec_event_kind {
    FHEC_EVENT_LAUNCH_BEGIN,
    FHEC_EVENT_LAUNCH_END, /* `end` */
    FHEC_EVENT_BLOCK_BEGIN,
    FHEC_EVENT_BLOCK_END,   /* the last of its lanes has ended, at `pc` in `warp` */
    FHEC_EVENT_WARP_BEGIN,  /* before its first instruction; `lanes` are those that it has */
    FHEC_EVENT_WARP_END,    /* the last of its lanes has ended, at `pc` */
    FHEC_EVENT_INSTRUCTION, /* it has been issued; without values */
    FHEC_EVENT_ISSUE,       /* registers that are read: fhec_event_registers */
    FHEC_EVENT_ACCESS,      /* `access` */
    FHEC_EVENT_RETIRE,      /* registers that have been written */
    FHEC_EVENT_ARRIVE,      /* `lanes` have come to a named barrier of the block: `barrier` */
    FHEC_EVENT_RELEASE,     /* the barrier lets go all lanes that wait there, of every warp */
    FHEC_EVENT_DIVERGE,   /* `lanes`, which issued the instruction together, go on apart: `next` */
    FHEC_EVENT_CONVERGE,  /* `lanes` are about to issue together, at `pc`, that did not the last
                             time: `joined` */
    FHEC_EVENT_COPY,      /* an asynchronous copy is issued: `copy`; its accesses follow */
    FHEC_EVENT_COPY_DONE, /* the program has waited for copies: `copy` */
    FHEC_EVENT_FAULT,     /* `fault` */
    FHEC_EVENT_ALLOC,     /* the host has made, released, written or read memory: `host` */
    FHEC_EVENT_FREE,
    FHEC_EVENT_HOST_WRITE,
    FHEC_EVENT_HOST_READ,
    FHEC_EVENT_KINDS,
} fhec_event_kind;
#define FHEC_EVENT_BIT(kind) (UINT32_C(1) << (kind))
#define FHEC_EVENT_ALL       (FHEC_EVENT_BIT(FHEC_EVENT_KINDS) - 1)
const char *fhec_event_name(fhec_event_kind kind);

/* Access of one instruction to one space, by `lanes` of the event. An operand in constant memory is
 * a read of it, by all that execute. */
typedef struct fhec_access {
    fhec_space space;
    unsigned access;         /* FHEC_ACCESS_READ, FHEC_ACCESS_WRITE; both: an atomic operation */
    uint32_t bytes;          /* of each lane: 1 to 16 */
    uint32_t bank;           /* of constant memory */
    const uint64_t *address; /* by lane */
    const uint32_t *value;   /* read, or left there: word i of lane l is value[32 * i + l]; values
                                of less than a word are zero-extended */
    const uint32_t *old;     /* of an atomic operation: before it */
} fhec_access;

typedef struct fhec_event {
    fhec_event_kind kind;
    uint32_t lanes;            /* that the event is about; of an instruction: that issue together */
    const fhec_launch *launch; /* NULL: what the host does */
    uint64_t number;           /* of the launch; those of a machine count from 1 */
    uint32_t block[3], warp;
    uint64_t pc;
    fhec_word word;  /* the instruction */
    uint32_t active; /* those of `lanes` for which the guard holds, and which alone act */
    union {
        struct {
            fhec_status status; /* FHEC_OK, FHEC_GUEST_FAULT, or that of a failure of the host */
            uint64_t instructions;
        } end;
        fhec_access access;
        struct {
            uint32_t number;
            uint32_t lanes;    /* of the block: that have arrived so far, or that are let go */
            uint32_t expected; /* ARRIVE: when the barrier lets them go */
        } barrier;
        const uint64_t *next; /* DIVERGE: the pc of each of `lanes`; of those that wait, that of
                                 their own instruction */
        uint32_t joined;      /* CONVERGE: those of `lanes` that the lowest one was not with */
        struct {
            uint64_t first, last; /* copies of a warp count from 1 */
        } copy;
        const fhec_fault *fault;
        struct {
            const char *name; /* of the buffer or variable */
            uint64_t address; /* generic; 0: a variable in constant memory, which has none */
            uint64_t offset;  /* of the bytes in it */
            size_t bytes;
            const void *data; /* HOST_WRITE, HOST_READ: what was written or read; ALLOC: the host's
                                 memory, of fhec_map, NULL: new memory */
        } host;
    };
    const struct fhec_scene *scene; /* for the functions below */
} fhec_event;

/* A run of registers and their values. Register i of the run: R: values[32 * i + lane]; UR:
 * values[i]; P: values[i], a bit for each lane; UP: values[i], 0 or 1. */
typedef struct fhec_values {
    fhec_register_file file;
    uint32_t first, count;
    const uint32_t *values;
} fhec_values;

/* The index-th run that the instruction of an ISSUE reads, in the order of its operands, the guard
 * first, or that that of a RETIRE has written; false past the last. Lanes outside `active` have not
 * been written. */
bool fhec_event_registers(const fhec_event *event, size_t index, fhec_values *values);

/* What any register of the event's warp holds, as fhec_session_read_register tells it: at an ISSUE
 * before the instruction, at an ACCESS and a RETIRE behind it. False for other kinds of events, and
 * if the file has no such register. */
bool fhec_event_register(const fhec_event *event, fhec_register_file file, uint32_t reg,
                         uint32_t values[FHEC_WARP_LANES]);

/* What lies at an address. */
typedef struct fhec_object {
    const char *name;      /* a buffer's, variable's or parameter's */
    uint64_t offset, size; /* bytes: of the address in it; of all of it */
} fhec_object;

/* The buffer, variable or parameter that the lane of an ACCESS went to; false if it has no name. It
 * belongs to the machine or the program. */
bool fhec_event_object(const fhec_event *event, uint32_t lane, fhec_object *object);

/* How often the launch that LAUNCH_END tells of has issued the instruction at `pc`, and the lanes
 * for which its guard held, of all times together. False if there is no such instruction, or the
 * launch was not counted: neither by the machine (fhec_machine_count) nor for an observer. */
bool fhec_event_count(const fhec_event *event, uint64_t pc, uint64_t *warp, uint64_t *thread);

/* Which events an observer wants; all zero: every one. Events that are about no instruction (block,
 * warp) are told whatever the bounds for those are. */
typedef struct fhec_filter {
    uint32_t kinds;            /* of FHEC_EVENT_BIT(kind); 0: all */
    const char *kernel;        /* name; NULL: all */
    uint64_t pc_begin, pc_end; /* instructions with pc_begin <= pc < pc_end; both 0: all */
    fhec_scope scope;          /* `lanes`: events about one of them at least */
    uint32_t no_access;        /* bit s: not FHEC_EVENT_ACCESS to space s, of instructions that go
                                  to no other one: constants that are operands cost most of all */
    /* Whether events of an instruction are wanted; asked once for each when a launch begins. NULL:
     * all are. */
    bool (*instruction)(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word);
    /* FHEC_EVENT_ACCESS is told before the instruction runs, with addresses and without `value` and
     * `old`, which costs about a third. Atomic operations are told as ever. */
    bool addresses_only;
    /* Launches count what they issue, for fhec_event_count: a good deal cheaper than events of
     * every instruction. */
    bool counts;
} fhec_filter;

typedef struct fhec_observer {
    void *user;
    fhec_filter filter;
    /* Events and what they point to are valid during the call. It must not call what changes the
     * machine. */
    void (*event)(void *user, const fhec_event *event);
    /* A launch that is observed runs on one host thread, unless all observers that want events from
     * within its blocks have these three. Then blocks run in parts, ahead of their turn: fork gives
     * what stands for `user` in one of them, whose events come by themselves, at the same time as
     * those of others. A part that did what it would have done in its turn is joined, in the order
     * of the blocks; one that did not is dropped, and its blocks run again. All three are called by
     * one host thread at a time. fork may return NULL: the part will run in its turn. */
    void *(*fork)(void *user);
    void (*join)(void *user, void *part);
    void (*drop)(void *user, void *part);
} fhec_observer;

/* Adds an observer, from the next launch on, or, in a session, from the next call of
 * fhec_session_run on. Strings are copied. *number (may be NULL) counts from 1. FHEC_HOST_ERROR
 * without host memory. */
fhec_status fhec_observe(fhec_machine *machine, const fhec_observer *observer, unsigned *number);
/* FHEC_BAD_INPUT: there is no such observer. */
fhec_status fhec_unobserve(fhec_machine *machine, unsigned number);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
