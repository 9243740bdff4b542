/*
 * observe.h - the observers of a machine in a launch.
 *
 *     struct fh_observer    what fhec_observe was given; the machine's list
 *     struct fh_observed    one of them in a launch: which ops it wants; read-only while blocks run
 *     struct fh_teller      what tells it: one for the launch, and one for every part of its blocks
 *                           that runs on a host thread of its own
 *     struct fh_observation all of that, and the hook that each teller is (watch.h)
 */
#ifndef FH_OBSERVE_H
#define FH_OBSERVE_H

#include "accesses.h"
#include "dataflow.h"
#include "fhec_observe.h"
#include "watch.h"

struct fh_observer {
    struct fh_observer *next;
    unsigned number;
    fhec_observer is; /* its kernel name is ours */
};

/* Of an instruction: which events an observer wants of it. */
enum fh_interest {
    FH_WANTS_ISSUE = 1,
    FH_WANTS_ACCESS = 2,
    FH_WANTS_RETIRE = 4,
    FH_WANTS_INSTRUCTION = 8,
    FH_WANTS_HAPPENINGS = 16, /* what comes of it, if it is within the filter's bounds */
    FH_WANTS_ADDRESSES = 64,  /* FH_WANTS_ACCESS, told before the instruction without its values */
    FH_HAS_GUARD = 32,        /* no wish: so that nobody has to look at the op */
};

struct fh_observed {
    const fhec_observer *is;
    const struct fh_observation *of;
    uint32_t kinds;      /* of events, by FHEC_EVENT_BIT */
    uint32_t happenings; /* that these come from */
    bool batches;        /* FHEC_EVENT_INSTRUCTION may be told of some at a time */
    uint8_t *interest;   /* by op, one more than the image has */
};

/* Behind the pointer in fhec_event. */
struct fhec_scene {
    const struct fh_observation *of;
    const struct fh_warp *w;
    const struct fh_op *op;
    /* Made for fhec_event_registers. */
    struct fh_uses *by_op;   /* found so far; NULL: none, or no host memory for them */
    struct fh_uses uses;     /* of the op, then */
    uint32_t uniform[FH_PT]; /* UP0..UP6 */
};

struct fh_teller {
    const struct fh_observed *observed;
    void *user;
    bool here; /* the warp that has its turn is within the scope */
    fhec_event event;
    struct fhec_scene scene;
    struct fh_accesses accesses;
    uint64_t next[FH_LANES]; /* of lanes that part */
};

struct fh_observation {
    fhec_machine *machine;
    const struct fh_image *image;
    fhec_launch launch; /* its parameters are those in the image */
    uint64_t number;
    struct fh_observed *list; /* those that want events from within blocks */
    struct fh_teller *tellers;
    unsigned count;
    struct fh_watched_code code;
    struct fh_watch watch;
    const struct fh_op_count *counts; /* of the whole launch; NULL: it is not counted */
};

/* A launch begins, for which `image` was made. */
void fh_observation_begin(struct fh_observation *o, fhec_machine *machine,
                          const struct fh_image *image, const fhec_launch *launch);
void fh_observation_end(struct fh_observation *o);
/* Looks at the machine's observers, and has them and the other hooks called in the launch from now
 * on. May be called again when either have changed, or constants of the launch. False without host
 * memory: then nobody is called. */
bool fh_observation_watch(struct fh_observation *o, struct fh_launch_state *launch,
                          const struct fh_hook *others, unsigned count);

/* Whether an observer wants launches of the image to be counted. */
bool fh_observers_count(const fhec_machine *machine, const struct fh_image *image);

/* Tells all observers that want it; what is about a launch is told to those that observe its
 * kernel. The rest of the event is there. */
void fh_observers_tell(const fhec_machine *machine, const struct fh_observation *o,
                       fhec_event *event);
void fh_observers_free(fhec_machine *machine);
/* Tells of what the host has done with bytes of global memory. */
void fh_observe_host(const fhec_machine *machine, fhec_event_kind kind, uint64_t address,
                     size_t bytes, const void *data);

/* event.c: the teller as a hook. */
void fh_teller_begin(struct fh_teller *t, const struct fh_observed *observed, void *user);
void fh_teller_end(struct fh_teller *t);
struct fh_hook fh_teller_hook(struct fh_teller *t);
/* The happenings that events of these kinds come from. */
uint32_t fh_happenings_for(uint32_t event_kinds);

#endif
