/*
 * time_machine.h - what the timing engine has to know of a machine, and the text files that say it:
 * docs/machines.md. A cycle is one of the clock that schedulers run at.
 */
#ifndef FH_TIME_MACHINE_H
#define FH_TIME_MACHINE_H

#include "fhec.h"

enum {
    FH_TIME_NAME = 48,
    FH_TIME_UNITS = 24,
    FH_TIME_CHOICES = 4, /* units that one instruction may go to */
    FH_TIME_RULES = 96,
    FH_TIME_WIDTHS = 3, /* of 32, 64 and 128 bits a lane */
    FH_TIME_SCHEDULERS = 8,
    FH_TIME_WARPS = 128,
    FH_TIME_BANKS = 4, /* of registers */
    FH_TIME_QUEUE = 64,
};

/* Which warp of a scheduler issues, of those that can. */
enum fh_time_policy {
    FH_TIME_GREEDY_YOUNGEST, /* the one that issued last, else the youngest */
    FH_TIME_GREEDY_OLDEST,
    FH_TIME_OLDEST,
    FH_TIME_BEHIND, /* the one that has issued least */
};

/* Who waits for results. */
enum fh_time_dependences {
    FH_TIME_CONTROL,    /* the program: by the scheduling fields of its instructions */
    FH_TIME_SCOREBOARD, /* the machine: an instruction issues when all its registers are there */
};

struct fh_time_unit {
    char name[FH_TIME_NAME];
    bool shared; /* one for all schedulers; else each has its own */
};

/* The unit that instructions go to that access memory, or are ordered with those that do. */
enum { FH_TIME_MEMORY_UNIT = 0 };

/* What instructions cost: those of a mnemonic and what goes on with a dot behind it, or of a pipe
 * of the instruction set. */
struct fh_time_rule {
    char name[FH_TIME_NAME];
    bool pipe;
    uint32_t units[FH_TIME_CHOICES], unit_count; /* the first one that is free */
    uint32_t latency;  /* cycles from its issue to that of one that needs the result */
    uint32_t interval; /* cycles for which it keeps the unit */
    uint32_t read;     /* cycles until its registers may be overwritten */
};

/* Accesses to memory, as far as latencies differ. */
enum fh_time_access {
    FH_TIME_LOAD_SHARED,
    FH_TIME_STORE_SHARED,
    FH_TIME_ATOMIC_SHARED,
    FH_TIME_LOAD_MATRICES,
    FH_TIME_LOAD_GLOBAL, /* that hits in L1 */
    FH_TIME_STORE_GLOBAL,
    FH_TIME_ATOMIC_GLOBAL,
    FH_TIME_COPY,
    FH_TIME_ACCESSES,
};
struct fh_time_latency {
    uint32_t cycles[FH_TIME_WIDTHS];  /* until the result is there */
    uint32_t uniform[FH_TIME_WIDTHS]; /* the same, if all lanes have one address */
    uint32_t read[FH_TIME_WIDTHS];    /* until registers may be overwritten */
};

struct fh_time_machine {
    char name[FH_TIME_NAME], title[96];
    char like[FH_TIME_NAME]; /* the machine of the tool that it begins with; "": none */
    double clock_mhz;
    uint32_t sms, schedulers;
    uint32_t slot; /* cycles from one issue of a scheduler to the next */
    enum fh_time_policy policy;
    enum fh_time_dependences dependences;
    uint32_t warps, blocks;                        /* that an SM holds */
    uint32_t registers, register_unit;             /* a warp gets a multiple of the unit */
    uint32_t shared, shared_unit, shared_reserved; /* bytes: of an SM, and of a block */
    uint32_t launch;                               /* cycles that a launch takes beside */
    uint32_t banks, window;                        /* of registers; cycles to read operands */
    uint32_t queue, queue_depth, queue_interval, queue_shared; /* of memory instructions */
    uint32_t pass;                     /* cycles of a pass of shared memory */
    uint32_t l1_bytes;                 /* with what shared memory leaves of it */
    uint32_t l1_width;                 /* bytes a cycle */
    uint32_t l2_latency, l2_bandwidth; /* cycles; bytes a cycle, all SMs */
    uint64_t l2_bytes;
    uint32_t hbm_latency;
    double hbm_bandwidth; /* GB/s */
    /* Of block graphs (observe/blocks); 0: not said. */
    uint32_t torus_x, torus_y; /* routers between engines of SMs */
    uint32_t per_router;       /* SMs of an engine */
    uint32_t link_bytes;       /* that a channel takes a cycle */
    uint32_t hop_cycles;       /* from a router to the next */
    uint64_t onchip_bytes;     /* of shared memory, all SMs; 0: what the SMs have together */
    double hbm_efficiency;     /* the share of the bandwidth that is reached */
    double overlap;            /* 0 .. 1: what computing, memory and network have of it */
    struct fh_time_unit units[FH_TIME_UNITS];
    uint32_t unit_count;
    struct fh_time_rule rules[FH_TIME_RULES];
    uint32_t rule_count;
    struct fh_time_latency latency[FH_TIME_ACCESSES];
};

/* The text of the machine that `like` names, NUL-terminated, and the name that its lines are told
 * of; false if there is none. */
typedef bool fh_time_find_fn(void *user, const char *name, const char **text, const char **file);

struct fh_time_reading {
    fhec_diagnostic_fn *diagnostic; /* of every error; may be NULL */
    fh_time_find_fn *find;
    void *user; /* of both */
};

/* Reads the description `text` of the file `file`. FHEC_BAD_INPUT after errors. */
fhec_status fh_time_machine_read(const char *file, const char *text,
                                 const struct fh_time_reading *reading,
                                 struct fh_time_machine *machine);
/* One more line, which changes the machine. */
fhec_status fh_time_machine_set(const char *text, const struct fh_time_reading *reading,
                                struct fh_time_machine *machine);

/* The rule of an instruction: the longest mnemonic that fits, else that of its pipe; NULL: none. */
const struct fh_time_rule *fh_time_rule_of(const struct fh_time_machine *machine,
                                           const char *mnemonic, const char *pipe);

const char *fh_time_policy_name(enum fh_time_policy policy);

#endif
