/*
 * race_oracle.h - an independent oracle for `--check=race`: small programs as lists of operations,
 * which of their accesses race by the rules of docs/checks.md, and what the checker finds in them.
 *
 *     race_oracle_program.c   who executes which operation; the program as assembly
 *     race_oracle_generate.c  random programs
 *     race_oracle_clock.c     what is ordered before what: a vector clock for each lane
 *     race_oracle_model.c     all pairs of accesses, byte by byte
 *     race_oracle_run.c       a program run under the checker, and compared
 *     race_oracle_cases.c     programs whose races are known
 *
 * The oracle is given the program and the order in which its accesses happened (which an observer
 * of the machine tells, with addresses and values), and keeps everything: each access of each lane,
 * compared with each other one. It shares nothing with the checker.
 *
 * Where the manual leaves a choice there are two answers: `may` has the pairs of accesses that race
 * when every doubtful order is none, `must` those that race when each is one. A program is racy if
 * `must` has a pair, and clean if `may` has none; what is found has to be in `may`. Doubtful are
 *
 *     - whether lanes that have ended come to later meetings with what they did
 *     - whether a strong read takes what strong writes before the last store to the word hand on
 *     - whether arrivals and RED take what is handed on, and whether the reading access itself is
 *       behind it; whether an arrival is a fence for other words than its mbarrier
 *     - whether meetings within a warp hand on what is fenced, as barriers of the block do; whether
 *       atomic operations hand on what was read before a meeting, as stores do
 *     - whether what lanes know that others have read is over behind a matrix instruction
 *     - which STS are strong: certain are only those right behind a MEMBAR where atomic operations
 *       have gone before, and in programs with mbarriers those where they have gone; what loops
 *       wait for may be stored strongly
 *     - a store behind an atomic operation that leaves the same value, or, in shared memory, which
 *       nobody reads; two of the same value between which another one was written
 *     - in shared memory, two stores, where the one that was written over is told
 *     - copies: that two write the same value, that nobody reads what they wrote over; whether the
 *       source is read when they are issued, or until the wait
 */
#ifndef RACE_ORACLE_H
#define RACE_ORACLE_H

#include "emu_random.h"
#include "emu_util.h"
#include "fhec_observe.h"

enum {
    OR_OPS = 40,
    OR_BLOCKS = 3,
    OR_WARPS = 8, /* of a block */
    OR_LANES = OR_BLOCKS * OR_WARPS * FHEC_WARP_LANES,
    OR_GLOBAL = 8192, /* bytes of the buffer, and of shared memory */
    OR_SHARED = 8192,
    OR_TEXT = 16384,
    OR_INSTRUCTIONS = 512,
    OR_FLAG = OR_GLOBAL - 64,     /* of either memory: zero at first */
    OR_MBARRIER = OR_SHARED - 32, /* in shared memory */
};

enum or_kind {
    OR_NOTHING, /* ends a table */
    OR_LOAD,
    OR_STORE,
    OR_ATOM, /* with a result: ATOMG, ATOMS, ATOM */
    OR_RED,  /* global memory */
    OR_CAS,
    OR_COPY,            /* LDGSTS from global memory at `source` to shared memory */
    OR_COMMIT,          /* LDGDEPBAR */
    OR_WAIT,            /* DEPBAR until `number` groups are under way at most */
    OR_BAR,             /* BAR.SYNC 0 of all threads; how: BAR.RED */
    OR_BAR_NAMED,       /* BAR.SYNC of those for which the guard holds, with a count */
    OR_BAR_ARRIVE,      /* those for which it holds arrive (BAR.ARV), the others wait */
    OR_WARPSYNC,        /* of those that execute it */
    OR_WARPSYNC_IN_TWO, /* of those for which the guard holds, and of the others, by two masks */
    OR_SHFL,
    OR_VOTE,
    OR_VOTEU,
    OR_MATCH,
    OR_REDUX,
    OR_IMMA,
    OR_MEMBAR,      /* of `scope`: OR_SM is .CTA */
    OR_INIT,        /* of an mbarrier: STS.64 for as many arrivals as the program has */
    OR_ARRIVE,      /* ATOMS.ARRIVE.64 */
    OR_COPY_ARRIVE, /* ARRIVES.LDGSTSBAR.64 */
    OR_POLL, /* LDS or LDG.STRONG in a loop until the word is not zero; number 1: of an mbarrier's
                high word, until its phase is over */
    OR_IF,   /* BSSY; those for which the guard does not hold branch to OR_ELSE or OR_ENDIF */
    OR_ELSE,
    OR_ENDIF, /* BSYNC */
    OR_EXIT,
    OR_KINDS,
};

enum or_scope { OR_WEAK, OR_SM, OR_GPU, OR_SYS };

/* Guard g is predicate P(g - 1); P6 is what OR_POLL waits for. */
enum or_guard {
    OR_ALWAYS,
    OR_THREAD_0, /* of the block */
    OR_LOW_HALF, /* of the warp */
    OR_ODD,
    OR_WARP_0,
    OR_BLOCK_0,
    OR_LANE_5,
    OR_GUARDS,
};

enum or_value { OR_CONSTANT, OR_BY_THREAD, OR_BY_WARP, OR_VALUES };

struct or_op {
    enum or_kind kind;
    bool shared, generic;
    uint32_t bytes;
    enum or_scope scope;
    unsigned how;   /* the atomic operation: index of or_atomic_name; kind of barrier */
    unsigned value; /* enum or_value */
    int32_t base, lane_stride, warp_stride, block_stride; /* bytes; of an access */
    int32_t source;                                       /* OR_COPY: base in global memory */
    enum or_guard guard;
    bool negated;
    uint32_t number; /* of a barrier; OR_WAIT: count */
};

struct or_program {
    uint32_t blocks, threads;
    uint32_t order; /* of warps: 0 the usual one, else a seed */
    uint32_t count;
    struct or_op ops[OR_OPS];
};

/* What the structure of a program says. Lane numbers are of the launch: 96 * block + 32 * warp +
 * lane, also where a block has fewer. */
struct or_plan {
    uint32_t active[OR_OPS][OR_BLOCKS * OR_WARPS]; /* lanes that execute it, their guard holding */
    uint32_t whole[OR_OPS][OR_BLOCKS * OR_WARPS];  /* whatever the guard says */
};

bool or_is_access(enum or_kind kind);
bool or_is_arrival(enum or_kind kind);
bool or_guard_holds(enum or_guard guard, bool negated, uint32_t block, uint32_t thread);
const char *or_atomic_name(unsigned how);
/* False: the program is none, an IF has no ENDIF, or the like. */
bool or_plan(const struct or_program *program, struct or_plan *plan);
/* The source. ops[i] is the operation that instruction i executes; UINT8_MAX for what surrounds
 * it. */
#define OR_HEAD_END "VOTE.ALL R53, PT, !P5 ;\n" /* the head's last line */
void or_text(const struct or_program *program, char text[OR_TEXT], uint8_t ops[OR_INSTRUCTIONS]);

/* Which features a random program has. */
enum or_family { OR_PLAIN, OR_STRONG, OR_COPIES, OR_MBARRIERS, OR_FAMILIES };
void or_generate(struct emu_rng *rng, struct or_program *program);

/* ---------------------------------------------------------------- the model */

/* An access of one instruction, as an observer was told of it. */
struct or_seen {
    uint32_t op, block, warp, lanes;
    bool shared, read, write;
    uint32_t bytes;
    uint32_t address[FHEC_WARP_LANES]; /* from the start of the buffer */
    uint8_t value[FHEC_WARP_LANES][16];
};
struct or_trace {
    struct or_seen *seen;
    size_t count, capacity;
};

/* Bit of each kind of finding. */
enum {
    OR_IN_WARP = 1,   /* C020 */
    OR_IN_BLOCK = 2,  /* C021 */
    OR_IN_GRID = 4,   /* C022 */
    OR_OF_SCOPES = 8, /* C023 */
    OR_OF_COPY = 16,  /* an asynchronous copy is one of them: any id of race or async */
};

struct or_verdict {
    uint8_t must[OR_OPS][OR_OPS], may[OR_OPS][OR_OPS]; /* symmetric */
    bool racy, clean;
    char example[256]; /* a pair of `must`, else of `may` */
};

/* Judges a run. False where the run is not one that the program has (`example` says why): the model
 * or the machine is wrong. */
bool or_judge(const struct or_program *program, const struct or_plan *plan,
              const struct or_trace *trace, struct or_verdict *verdict);

/* ---------------------------------------------------------------- runs */

enum or_outcome {
    OR_AGREE,
    OR_MISS,        /* racy, and nothing was found */
    OR_FALSE_ALARM, /* clean, and something was found */
    OR_NO_PAIR,     /* a finding is about two instructions that do not race, or not so */
    OR_BROKEN,      /* the program cannot be run or judged */
    OR_OUTCOMES,
};

struct or_result {
    enum or_outcome outcome;
    bool racy, clean;
    unsigned must, may; /* bits of all pairs */
    size_t findings;
    char message[512];
};

/* Machines that run one program after the other. */
struct or_bench;
struct or_bench *or_bench_new(void);
void or_bench_free(struct or_bench *bench);
void or_run(struct or_bench *bench, const struct or_program *program, struct or_result *result);
/* A program of which it is known by thought what races in it. */
struct or_case {
    const char *name;
    uint32_t blocks, threads;
    unsigned races; /* bits of `must`; 0: clean; OR_DOUBTFUL: `must` has none, and `may` has some */
    struct or_op ops[12];
};
enum { OR_DOUBTFUL = 128 };
extern const struct or_case or_cases[];
extern const size_t or_case_count;
struct or_program or_case_program(const struct or_case *c);

/* Drops operations, blocks, warps, guards and strides as long as the outcome stays what it is. */
void or_shrink(struct or_bench *bench, struct or_program *program, enum or_outcome outcome);

#endif
