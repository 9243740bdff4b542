/*
 * fhec_session.h - launches that can stop: run until a reason, look, change, go on; snapshots. What
 * fhec.h says of errors and threads holds.
 *
 *     begin -> run -> stop -> look, change -> run -> stop -> ... -> the end, or given up
 *
 * A session runs the blocks of its launch in the order of fhec_run on one host thread, so every
 * stop is at a place that depends on the program and the machine's order of warps only: the same on
 * both engines and at every SIMD level, and going on from it is the same run as one that never
 * stopped. Between two calls the launch stands between two warp instructions, never within one.
 *
 * Counting in instructions is counting what warps issue: one for each instruction of each group of
 * lanes, whatever its guard lets through, as fhec_stats and max_steps do.
 */
#ifndef FHEC_SESSION_H
#define FHEC_SESSION_H

#include "fhec.h"
#include "fhec_names.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* ---------------------------------------------------------------- a launch that can stop */

typedef struct fhec_session fhec_session;

/* Checks and prepares the launch; nothing has run. The program must live as long as the session;
 * parameters are copied. A machine has one session at a time, and fhec_run is FHEC_BAD_INPUT until
 * it has ended. Errors as of fhec_run. */
fhec_status fhec_session_begin(fhec_machine *machine, const fhec_launch *launch,
                               fhec_session **session);
/* Ends the session, wherever its launch stands: counts of what has run are added to the machine's,
 * memory stays as it is, blocks are forgotten. NULL is allowed. FHEC_HOST_ERROR: no host memory for
 * the counts. */
fhec_status fhec_session_end(fhec_session *session);

/* Which warps and lanes something is about; all zero: every one. */
typedef struct fhec_scope {
    bool one_block;
    uint32_t block[3];
    bool one_warp;
    uint32_t warp;
    uint32_t lanes; /* at least one of them; 0: any */
} fhec_scope;

typedef enum fhec_space {
    FHEC_SPACE_GLOBAL,
    FHEC_SPACE_SHARED,
    FHEC_SPACE_LOCAL,
    FHEC_SPACE_CONSTANT,
} fhec_space;
const char *fhec_space_name(fhec_space space);

/* What is accessed: bits, so that several can be asked for. A change is a write after which the
 * value is another one. */
enum { FHEC_ACCESS_READ = 1, FHEC_ACCESS_WRITE = 2, FHEC_ACCESS_CHANGE = 4 };

/* Where to stop. */
typedef enum fhec_point_kind {
    /* Breakpoints: before a warp issues an instruction ... */
    FHEC_POINT_PC,     /* at byte offset `pc` */
    FHEC_POINT_LINE,   /* of line `line` of a source file: where it was written, or where a macro
                          is used, a repetition stands or a file is included, the first one of
                          every expansion */
    FHEC_POINT_OPCODE, /* whose mnemonic is `text` or goes on with "." behind it */
    FHEC_POINT_CLASS,  /* of class `text`: "matrix", "memory", ... as in fhec_count */
    /* Watchpoints: behind the instruction that accesses ... */
    FHEC_POINT_MEMORY,   /* [address, address + bytes) of a space */
    FHEC_POINT_REGISTER, /* register `reg` of a file */
    /* Behind the instruction with which ... */
    FHEC_POINT_BARRIER,   /* a named barrier of a block is released */
    FHEC_POINT_WARP_END,  /* the last lane of a warp ends */
    FHEC_POINT_BLOCK_END, /* the last lane of a block ends */
    /* Before the first instruction of ... */
    FHEC_POINT_WARP_BEGIN,
    FHEC_POINT_BLOCK_BEGIN,
} fhec_point_kind;

typedef struct fhec_stop fhec_stop;

/* Whether to stop here, too; asked when everything else of the point holds. It may look at the
 * session, and change nothing. */
typedef bool fhec_condition_fn(void *user, fhec_session *session, const fhec_stop *stop);

typedef struct fhec_point {
    fhec_point_kind kind;
    fhec_scope scope;
    uint64_t pc;
    const char *file; /* of a line: the file's name or the end of its path; NULL: any file */
    uint32_t line;
    const char *text;
    fhec_space space; /* shared and local memory of the blocks and lanes of `scope` */
    uint32_t bank;    /* of constant memory */
    uint64_t address, bytes;
    fhec_register_file file_of; /* R, P, UR or UP */
    uint32_t reg;
    unsigned access;              /* FHEC_ACCESS_*; of watchpoints */
    uint64_t skip;                /* so many hits do not stop */
    fhec_condition_fn *condition; /* NULL: none */
    void *user;
} fhec_point;

/* Adds a point; its number counts from 1 and is never given twice in a session. Strings are copied.
 * FHEC_BAD_INPUT (fhec_machine_error) if it can never be reached: no such pc, line, opcode, class,
 * block, warp, or register. */
fhec_status fhec_session_add(fhec_session *session, const fhec_point *point, unsigned *number);
fhec_status fhec_session_remove(fhec_session *session, unsigned number);
fhec_status fhec_session_enable(fhec_session *session, unsigned number, bool on);
/* How often it was hit, with the hits that did not stop because of `skip`. */
fhec_status fhec_session_hits(const fhec_session *session, unsigned number, uint64_t *hits);

typedef enum fhec_stop_reason {
    FHEC_STOP_END,        /* all blocks have ended */
    FHEC_STOP_FAULT,      /* `fault`; the state is that before the instruction */
    FHEC_STOP_BREAKPOINT, /* before the instruction at pc */
    FHEC_STOP_WATCHPOINT, /* behind it */
    FHEC_STOP_BARRIER,    /* behind the instruction that released it */
    FHEC_STOP_WARP_BEGIN,
    FHEC_STOP_WARP_END,
    FHEC_STOP_BLOCK_BEGIN,
    FHEC_STOP_BLOCK_END,
    FHEC_STOP_STEP,   /* the step is done */
    FHEC_STOP_COUNT,  /* as many instructions as were asked for have been issued */
    FHEC_STOP_CANCEL, /* fhec_machine_cancel */
} fhec_stop_reason;
const char *fhec_stop_name(fhec_stop_reason reason);

struct fhec_stop {
    fhec_stop_reason reason;
    unsigned point;        /* its number; 0: none. Of several, the lowest */
    uint64_t instructions; /* issued by the launch so far */
    /* The warp that it is about; has_warp is false at the end, after a cancel, and after a count.
     */
    bool has_warp;
    uint32_t block[3], warp;
    uint64_t pc;      /* of the instruction before which or behind which the launch stands */
    uint32_t lanes;   /* that issue or issued it together; of a watchpoint: that made the access; of
                         a fault: at fault. 0: after a step, none of the warp can go on */
    uint32_t active;  /* those of the group for which the guard holds */
    uint32_t barrier; /* the named barrier that was released */
    /* Watchpoints: what the lowest of `lanes` did. Values are of up to 16 bytes, low word first; a
     * predicate's is its lane mask. */
    unsigned access; /* FHEC_ACCESS_READ or _WRITE or both (atomics) */
    uint32_t lane;
    uint64_t address;
    uint32_t bytes;
    uint32_t old_value[4], new_value[4];
    const fhec_fault *fault; /* valid until the session goes on */
};

typedef enum fhec_step_kind {
    FHEC_STEP_NONE,
    FHEC_STEP_INSTRUCTION, /* until an instruction has been issued in the scope */
    FHEC_STEP_LINE,        /* until a warp of the scope is about to issue one of another line than
                              the one at which it stands now, or ends. The lines of a macro's body
                              are lines, and one that is expanded again (a further iteration of
                              .rept, a further use of the macro) is another line; but a loop that
                              comes back to the same instructions is at the same line */
} fhec_step_kind;

/* How far to go, beside the points; all zero or NULL: to the next point. */
typedef struct fhec_go {
    uint64_t instructions; /* stop when so many more have been issued; 0: no limit */
    fhec_step_kind step;
    fhec_scope scope; /* of the step: a warp, a block, or all */
    bool goes_on;     /* the step follows another one: breakpoints before its first instruction
                         stop it, unless they have been told */
} fhec_go;

/* Goes on to the next reason to stop, which *stop tells. The status is FHEC_OK for every reason,
 * a fault included; other statuses are failures of the host (FHEC_HOST_ERROR), or of a callback for
 * the order of warps (FHEC_BAD_INPUT), which is asked again next time. Behind the end it
 * stops at once with FHEC_STOP_END. After a fault the instruction is tried again: with the state
 * that the caller changed in the meantime, or to the same fault.
 *
 * A breakpoint stops once for each time that the instruction is issued, also if the launch stopped
 * there for another reason first; a step does not stop before its own first instruction. */
fhec_status fhec_session_run(fhec_session *session, const fhec_go *go, fhec_stop *stop);

/* Whether breakpoints stop before the instruction that the warp issues next, as fhec_session_run
 * would tell when it comes to it, which then does not: for steps, which may end there. False, too,
 * where groups of lanes take turns and it is not known yet which of them is next. */
bool fhec_session_breaks(fhec_session *session, const uint32_t block[3], uint32_t warp,
                         fhec_stop *stop);

/* ---------------------------------------------------------------- looking */

/* A block that has begun and not ended. */
typedef struct fhec_block_info {
    uint64_t index;
    uint32_t id[3];
    uint32_t warps;
    uint32_t shared_bytes, local_bytes; /* of the block; of a thread */
    uint32_t live;                      /* lanes that have not ended */
} fhec_block_info;

size_t fhec_session_block_count(const fhec_session *session);
/* In the order in which they began. */
fhec_status fhec_session_block(const fhec_session *session, size_t index, fhec_block_info *info);

typedef enum fhec_wait {
    FHEC_WAIT_NOTHING,  /* can issue */
    FHEC_WAIT_CONVERGE, /* at BSYNC, for the lanes `awaited` of the convergence barrier `number` */
    FHEC_WAIT_MASK,     /* at WARPSYNC, for the lanes `awaited` */
    FHEC_WAIT_BARRIER,  /* at the block's named barrier `number` */
} fhec_wait;

/* Lanes of a warp that stand at one instruction for one reason. */
typedef struct fhec_group {
    uint32_t lanes;
    uint64_t pc;
    fhec_wait wait;
    uint32_t number;
    uint32_t awaited; /* that have not come yet; FHEC_WAIT_BARRIER: how many lanes of the block */
} fhec_group;

typedef struct fhec_warp_info {
    uint32_t lanes;  /* that the warp began with */
    uint32_t exited; /* those of them that have ended */
    uint32_t active; /* that issue next, together; 0: none can */
    uint64_t pc;     /* where they do; where the lowest lane waits if none can */
    uint64_t issued; /* instructions so far */
    uint32_t group_count;
    fhec_group groups[FHEC_WARP_LANES]; /* the one that issues next first, then by pc and lane */
} fhec_warp_info;

/* FHEC_BAD_INPUT if the block is not resident, or has no such warp; so for all that follows. */
fhec_status fhec_session_warp(const fhec_session *session, const uint32_t block[3], uint32_t warp,
                              fhec_warp_info *info);

/* The warp that issues next, and the instruction; false if none is known: at the end, when a block
 * has yet to begin, or when a callback has yet to name it. */
bool fhec_session_next(const fhec_session *session, uint32_t block[3], uint32_t *warp,
                       uint64_t *pc);

/* Ends, as soon as may be (some thousand instructions), what runs on the machine: fhec_session_run
 * with FHEC_STOP_CANCEL, fhec_run with FHEC_CANCELLED. When nothing runs, the next one that begins
 * ends at once. From any thread, and from signal handlers. */
void fhec_machine_cancel(fhec_machine *machine);

/* Where lanes stood when fhec_machine_cancel ended fhec_run or stopped fhec_session_run: one for
 * each group of lanes of each warp that had begun and not ended, by block and warp. Of blocks that
 * several host threads ran at once it is where each of them was; what those did that ran ahead of
 * others is undone. Kept until the machine's next launch; false past the last one. */
typedef struct fhec_position {
    const char *kernel;
    uint64_t index; /* of the block */
    uint32_t block[3], warp;
    fhec_group group;
    fhec_location source;             /* file is NULL when unknown */
    const fhec_expansion *expansions; /* that led there, innermost first */
    size_t expansion_count;
} fhec_position;
bool fhec_machine_position(const fhec_machine *machine, size_t index, fhec_position *position);

/* How far the launch is that runs now, or ran last. From any thread. What is counted begins with
 * the launch after the first call for the machine: nothing is counted for those who never ask. */
typedef struct fhec_progress {
    uint64_t launches;            /* so far, this one included */
    uint64_t blocks, blocks_done; /* of the launch */
    uint64_t instructions;        /* that its warps have issued; of several host threads also those
                                     that were issued ahead and have to be again */
    bool spinning; /* all its blocks only wait, in loops that change memory or read clocks: whether
                      they will ever end, nobody can say */
} fhec_progress;
void fhec_machine_progress(fhec_machine *machine, fhec_progress *progress);

/* A function in which a lane is: the innermost first. */
typedef struct fhec_frame {
    uint64_t pc;          /* where it stands, or the call that it has not come back from */
    const char *function; /* the kernel's name or that of a function; NULL: unknown */
    uint64_t offset;      /* of pc in it */
    bool guess;           /* found by convention, not known: see below */
} fhec_frame;

/* The frames of a lane: the first `capacity` of them, and how many there are. The machine keeps no
 * stack of calls. That a lane is in a function follows from its pc; who called it, from return
 * addresses where compilers keep them (registers, then the frame in local memory), and those that
 * do not follow a CALL are left out. Such frames are marked as guesses. */
fhec_status fhec_session_calls(const fhec_session *session, const uint32_t block[3], uint32_t warp,
                               uint32_t lane, fhec_frame *frames, size_t capacity, size_t *count);

/* The values of the 32 lanes of R; of UR and UP values[0] only; of P a bit for each lane in
 * values[0]; of B the lanes with which each lane entered the barrier, 0: none. */
fhec_status fhec_session_read_register(const fhec_session *session, const uint32_t block[3],
                                       uint32_t warp, fhec_register_file file, uint32_t reg,
                                       uint32_t values[FHEC_WARP_LANES]);
/* The lanes of `lanes` only, where the file has lanes. FHEC_BAD_INPUT for RZ, PT and their like. */
fhec_status fhec_session_write_register(fhec_session *session, const uint32_t block[3],
                                        uint32_t warp, fhec_register_file file, uint32_t reg,
                                        uint32_t lanes, const uint32_t values[FHEC_WARP_LANES]);

/* A named barrier of a block: lanes that have arrived since its last release, and how many release
 * it (0: all that have not ended). When enough have arrived after a write, it is released. */
fhec_status fhec_session_read_barrier(const fhec_session *session, const uint32_t block[3],
                                      uint32_t number, uint32_t *arrived, uint32_t *count);
fhec_status fhec_session_write_barrier(fhec_session *session, const uint32_t block[3],
                                       uint32_t number, uint32_t arrived, uint32_t count);

/* Ends all lanes of a warp that has not ended, waiting ones too, as if they had executed EXIT where
 * they stand, so that a launch can go on without a warp that is at fault: barriers that waited only
 * for them are released. A lane that waits at a named barrier with a count stays counted there; at
 * one for all lanes that have not ended it does not. Observers are told of releases and ends; no
 * point stops for them. It is a change by the host, as a write is; and a launch of which it has
 * ended a warp at fault ends as one at fault, for observers and records. FHEC_BAD_INPUT: the block
 * is not resident, has no such warp, or the warp has ended. FHEC_HOST_ERROR: nothing was done. */
fhec_status fhec_session_end_warp(fhec_session *session, const uint32_t block[3], uint32_t warp);

/* Whose memory: shared memory needs the block, local memory the lane. May be NULL for the other
 * spaces. */
typedef struct fhec_thread {
    uint32_t block[3];
    uint32_t warp, lane;
} fhec_thread;

/* Memory of any space; `bank` of constant memory only, which includes the launch's parameters. A
 * change of it counts for the instructions that follow, in this launch. Global memory as by
 * fhec_read and fhec_write, which may be used, too. FHEC_BAD_INPUT out of range. */
fhec_status fhec_session_read(const fhec_session *session, fhec_space space, uint32_t bank,
                              const fhec_thread *thread, uint64_t address, void *data,
                              size_t bytes);
fhec_status fhec_session_write(fhec_session *session, fhec_space space, uint32_t bank,
                               const fhec_thread *thread, uint64_t address, const void *data,
                               size_t bytes);

/* ---------------------------------------------------------------- instructions */

enum { FHEC_MAX_OPERANDS = 10, FHEC_MAX_USES = 32 };

typedef enum fhec_operand_kind {
    FHEC_OPERAND_REGISTER,          /* a number of `count` registers R */
    FHEC_OPERAND_PREDICATE,         /* P */
    FHEC_OPERAND_UNIFORM,           /* UR */
    FHEC_OPERAND_UNIFORM_PREDICATE, /* UP */
    FHEC_OPERAND_IMMEDIATE,         /* value */
    FHEC_OPERAND_CONSTANT, /* c[bank][value], with index registers if reg, ureg are there */
    FHEC_OPERAND_ADDRESS,  /* [reg + ureg + value] */
    FHEC_OPERAND_TARGET,   /* byte offset `value` in the kernel */
    FHEC_OPERAND_BARRIER,  /* convergence barrier B */
    FHEC_OPERAND_SPECIAL,  /* special register number `value` */
    FHEC_OPERAND_OTHER,
} fhec_operand_kind;

enum { FHEC_NO_REGISTER = 0xffff };

typedef struct fhec_operand {
    const char *name; /* as in the book: "Rd", "A" */
    fhec_operand_kind kind;
    bool read, written;
    bool negated; /* "-", "~" or "!" */
    bool absolute;
    uint16_t reg, count; /* the first register and how many, of an address 2 if it has 64 bits;
                            FHEC_NO_REGISTER: none, or RZ, PT */
    uint16_t ureg;       /* uniform register beside it; FHEC_NO_REGISTER: none */
    uint32_t bank;
    int64_t value;
    bool has_layout;
    size_t layout; /* of a fragment: index for fhec_layout_get */
    bool reuse;    /* ".reuse": the first register is kept for later reads in the same slot */
    uint8_t slot;  /* 1 to 3, where it can be kept and read from: of A, B and C; 0: nowhere */
} fhec_operand;

/* Registers that are read or written, guard and implicit ones included. A convergence barrier that
 * an instruction names may be told as both. */
typedef struct fhec_use {
    fhec_register_file file;
    uint16_t first, count;
    bool written; /* else read */
} fhec_use;

/* What is known of an instruction from its word alone. Strings but `text` and `mnemonic` are
 * static. */
typedef struct fhec_instruction {
    fhec_word word;
    uint64_t pc;
    char text[256];
    char mnemonic[96];
    const char *klass;
    const char *title; /* of the book's page */
    uint32_t guard;    /* predicate; 7: always (PT) */
    bool guard_uniform, guard_negated;
    uint32_t operand_count;
    fhec_operand operands[FHEC_MAX_OPERANDS];
    uint32_t use_count;
    fhec_use uses[FHEC_MAX_USES];
    const char *pipe; /* "fma", "lsu", ... */
    uint32_t latency; /* cycles until the same pipe can read a result; 0: not fixed (scoreboards) */
    uint32_t stall;   /* scheduling fields of the word */
    bool yield;
    uint8_t write_scoreboard, read_scoreboard; /* 7: none */
    uint8_t wait_mask, reuse;
} fhec_instruction;

/* FHEC_BAD_INPUT if the word is no instruction that fhec knows. */
fhec_status fhec_instruction_get(fhec_word word, uint64_t pc, fhec_instruction *instruction);

#define FHEC_NO_TARGET UINT64_MAX

/* Where control may go from an instruction; all false: the lanes end. */
typedef struct fhec_control {
    bool falls;      /* to the next one */
    bool calls;      /* `target` is a function, which may come back to the next one */
    bool returns;    /* to where a call was */
    bool indirect;   /* to an address in a register */
    uint64_t target; /* pc of a branch or call; FHEC_NO_TARGET: none, or unknown */
} fhec_control;
/* FHEC_BAD_INPUT as above. */
fhec_status fhec_control_get(fhec_word word, uint64_t pc, fhec_control *control);

/* The one at `pc` of the session's kernel, addresses of the machine filled in. */
fhec_status fhec_session_instruction(const fhec_session *session, uint64_t pc,
                                     fhec_instruction *instruction);

/* Where the instruction at `pc` of the session's kernel was written; file is NULL when unknown. */
fhec_location fhec_session_location(const fhec_session *session, uint64_t pc);
/* The macros, repetitions and includes that led there, as fhec_kernel_expansions tells them.
 * Strings belong to the program. */
size_t fhec_session_expansions(const fhec_session *session, uint64_t pc, fhec_expansion *expansions,
                               size_t capacity);

/* No launch issues more warp instructions than so many; 0: only its own limit counts. */
void fhec_machine_limit(fhec_machine *machine, uint64_t max_steps);

/* ---------------------------------------------------------------- snapshots */

/* A machine at a moment: its memory with all allocations, the variables of its programs, its
 * counts, and the session under way, if there is one, with all blocks. Options, observers and the
 * points of the session are not part of it. Programs whose variables or launches a snapshot knows,
 * and memory that was mapped (fhec_map) when it was taken, must stay until it is freed. */
typedef struct fhec_snapshot fhec_snapshot;

/* The time that it takes goes with what has changed since the machine was at a snapshot last, not
 * with how much memory there is; but mapped memory is compared whole. From the first snapshot on,
 * while there is one, launches note which memory they are about to change. FHEC_HOST_ERROR without
 * host memory; the machine is then as it was. */
fhec_status fhec_snapshot_take(fhec_machine *machine, fhec_snapshot **snapshot);
/* Makes the machine what it was, any number of times, also after the machine was somewhere else: a
 * run that goes on from there is the same one. If the snapshot has a session, that one is at the
 * same place again: the session itself if it has not ended, which keeps its points, else a new one,
 * without points. *session says which; NULL: there is none. FHEC_BAD_INPUT if the machine has the
 * session of another launch: it has to be ended first. On failure the machine is as it was. */
fhec_status fhec_snapshot_restore(fhec_snapshot *snapshot, fhec_session **session);
/* To be called before the machine is freed. NULL is allowed. */
void fhec_snapshot_free(fhec_snapshot *snapshot);

/* How many bytes of host memory the snapshots of a machine take for what its global memory held.
 * Sessions in them take about 36 KiB for each warp, and shared and local memory, beside it. */
uint64_t fhec_machine_snapshot_bytes(const fhec_machine *machine);

typedef enum fhec_difference_kind {
    FHEC_DIFFERENCE_MEMORY,     /* `bytes` bytes of a space, all of words that differ */
    FHEC_DIFFERENCE_ALLOCATION, /* is there, or has not been released, in one of them only */
    FHEC_DIFFERENCE_LAUNCH,     /* their sessions are about different launches, or one has none */
    FHEC_DIFFERENCE_BLOCK,      /* is resident in one of them only */
    FHEC_DIFFERENCE_REGISTER,   /* of a lane; of P, UR and UP the warp's, with P's mask of lanes */
    FHEC_DIFFERENCE_LANE,    /* stands at another pc, or waits or has ended in one of them only */
    FHEC_DIFFERENCE_BARRIER, /* lanes that have arrived at a named barrier of a block */
    FHEC_DIFFERENCE_COUNT,   /* warp instructions that the session's launch has issued */
} fhec_difference_kind;

/* What a lane is doing: the value of FHEC_DIFFERENCE_LANE. */
typedef struct fhec_lane_state {
    uint64_t pc;
    bool waits, ended;
} fhec_lane_state;

/* What differs between two snapshots, of which the first one has `a` and the second one `b`. Fields
 * that say nothing about the kind of difference are zero. Pointers are valid during the callback.
 */
typedef struct fhec_difference {
    fhec_difference_kind kind;
    fhec_space space;
    uint32_t bank;
    uint32_t block[3], warp, lane;
    fhec_register_file file;
    uint32_t number;  /* of the register or barrier */
    uint64_t address; /* in the space */
    uint64_t bytes;   /* of memory, or the allocation's size */
    const char *name; /* the allocation's */
    /* Memory: the bytes. Registers and barriers: uint32_t. Lanes: fhec_lane_state. Counts:
     * uint64_t. Of what is there in one of them only, NULL for the other; else it is not NULL. */
    const void *a, *b;
} fhec_difference;

/* False: that is enough. */
typedef bool fhec_difference_fn(void *user, const fhec_difference *difference);

/* Tells all that differs between two snapshots of one machine, or between `a` and the machine as it
 * is (`b` NULL): counts and blocks first, then global memory, each in order. FHEC_OK if nothing
 * does, FHEC_DIFFERS if something does; FHEC_BAD_INPUT if the snapshots are of two machines. `tell`
 * may be NULL. */
fhec_status fhec_snapshot_compare(const fhec_snapshot *a, const fhec_snapshot *b,
                                  fhec_difference_fn *tell, void *user);

/* ---------------------------------------------------------------- the record of a host */

/* What the host does to a machine, so that the machine can be taken back to any place between two
 * actions, and forward again, across launches. A record keeps snapshots of some of these places;
 * from the nearest one, what follows is done again, with the same results. Writes are kept with
 * their data, launches are run again. */
typedef struct fhec_record fhec_record;

typedef enum fhec_action_kind {
    FHEC_ACTION_ALLOC,   /* fhec_alloc */
    FHEC_ACTION_MAP,     /* fhec_map */
    FHEC_ACTION_RELEASE, /* fhec_release */
    FHEC_ACTION_WRITE,   /* fhec_write, and fhec_variable_write as a write to its address */
    FHEC_ACTION_LOAD,    /* fhec_load or fhec_load_at (`data`: the addresses), or the first use of a
                            variable */
    FHEC_ACTION_UNLOAD,  /* fhec_unload */
    FHEC_ACTION_LAUNCH,  /* fhec_run, or a session from its begin to its end */
    FHEC_ACTION_RESTORE, /* fhec_snapshot_restore, where no session is under way */
} fhec_action_kind;

/* Pointers are valid until the record forgets the action. */
typedef struct fhec_action {
    fhec_action_kind kind;
    const char *name; /* of an allocation */
    uint64_t address, bytes;
    unsigned flags;
    const void *data;            /* what was written; the host's memory that was mapped */
    const fhec_program *program; /* loaded, unloaded */
    const fhec_launch *launch;
    fhec_status status; /* of the launch */
    /* It cannot be done again, because more than what stands here led to its result: a session that
     * did not run to the end of its launch or to a fault, or whose host changed something on the
     * way; a restore. What came of it is kept as a snapshot. */
    bool kept;
} fhec_action;

/* Records from now on what the functions of fhec.h do to the machine, if they succeed. Programs
 * must live as long as the record. A machine has one record at a time; FHEC_BAD_INPUT if there is
 * one, or a session. */
fhec_status fhec_record_begin(fhec_machine *machine, fhec_record **record);
/* From now on fhec_run only notes its launch: it is checked, and the program gets its memory, but
 * nothing runs, and the status is FHEC_OK as if it had. Memory holds what the host wrote. For hosts
 * whose launches another machine runs, as a debugger's does. FHEC_BAD_INPUT if the record has
 * actions already; so is fhec_record_go of such a record, which keeps no snapshots. */
fhec_status fhec_record_defer(fhec_record *record);
/* The machine stays as it is. To be called before it is freed. NULL is allowed. */
void fhec_record_end(fhec_record *record);

/* How many actions there are (those before one for which the host had no memory are forgotten), and
 * how many of them the machine has behind it: all, unless it was
 * taken back. */
size_t fhec_record_count(const fhec_record *record);
size_t fhec_record_position(const fhec_record *record);
bool fhec_record_get(const fhec_record *record, size_t index, fhec_action *action);
/* Does the action again, on the machine of the record or on one where all before it has been done
 * likewise. FHEC_OK if it ended as in the record, with a fault if it did there; FHEC_HOST_ERROR if
 * it ended in another way, or an allocation has another address; FHEC_BAD_INPUT if it was kept. */
fhec_status fhec_action_do(fhec_machine *machine, const fhec_action *action);

/* Takes the machine to where `position` actions are behind it. Observers see what is done again; a
 * cancel ends it. FHEC_BAD_INPUT if there are not so many actions, or a session is under way. When
 * it fails, the machine is at some other place, which fhec_record_position tells. */
fhec_status fhec_record_go(fhec_record *record, size_t position);
/* Begins the next action, a launch, as a session. If it comes to its end, the machine has one
 * action more behind it, and those that follow stay. Whatever else the host does where actions
 * follow makes the record forget them: it goes on from here. */
fhec_status fhec_record_session(fhec_record *record, fhec_session **session);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
