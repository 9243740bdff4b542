/*
 * debugger.h - the model of fhec debug: a list of launches with what the host did between them, one
 * place in it, stops, and ways to move, backwards too. It reads and prints nothing: faces (a
 * terminal, a protocol) do, through these functions.
 *
 *     record of a host --take--> launches --move--> a stop --session, focus--> look, change
 *
 * A place is a time: a launch, counted from 0, and how many warp instructions it has issued. Counts
 * are those of the sequential order of sessions, whatever the number of host threads; so a time
 * means the same place in every run. Going back is going to a snapshot before a time and running
 * forward from there (timeline.h).
 *
 * Two machines take part. The host talks to one whose launches are only noted (fhec_record_defer);
 * the debugger does on its own one what the record says, launches included. Functions return a
 * fhec_status; what was wrong stands in fh_debugger_error.
 */
#ifndef FH_DEBUGGER_H
#define FH_DEBUGGER_H

#include "fhec_session.h"

struct fh_debugger;

/* ---------------------------------------------------------------- making */

struct fh_query_names;
struct fh_debugger_options {
    fhec_machine_options machine;
    uint64_t memory; /* bytes that snapshots may take; 0: 2 GiB */
    void *user;      /* handed to the callbacks, each of which may be NULL */
    /* The text of a source file, which stays as long as the debugger; NULL: it is not known. */
    const char *(*source)(void *user, const char *file, size_t *length);
    /* What names mean in the conditions of breakpoints (query.h), but for those of registers. */
    void (*names)(void *user, struct fh_debugger *debugger, struct fh_query_names *names);
};

/* FHEC_BAD_INPUT: this host has no such SIMD level. */
fhec_status fh_debugger_new(const struct fh_debugger_options *options,
                            struct fh_debugger **debugger);
void fh_debugger_free(struct fh_debugger *debugger); /* NULL is allowed */

/* What the host has done and will do: the record, and the programs of its launches, must stay. To
 * be called again when the record has become longer. */
fhec_status fh_debugger_take(struct fh_debugger *debugger, const fhec_record *record);

/* options.user. */
void *fh_debugger_user(const struct fh_debugger *debugger);
/* What went wrong last, one sentence without a final full stop. */
const char *fh_debugger_error(const struct fh_debugger *debugger);
/* Sets it and returns `status`: for files of this folder and faces. */
fhec_status fh_debugger_fail(struct fh_debugger *debugger, fhec_status status, const char *format,
                             ...) __attribute__((format(printf, 3, 4)));

/* ---------------------------------------------------------------- where it is */

struct fh_debug_time {
    size_t launch;  /* from 0; the number of launches: behind the last one */
    uint64_t count; /* warp instructions that the launch has issued */
};
/* Less than, equal to, or greater than 0. */
int fh_debug_time_compare(struct fh_debug_time a, struct fh_debug_time b);

struct fh_debug_time fh_debugger_time(const struct fh_debugger *debugger);
fhec_machine *fh_debugger_machine(struct fh_debugger *debugger);
/* The launch under way; NULL: behind the last one. Not to be run or ended by others. */
fhec_session *fh_debugger_session(struct fh_debugger *debugger);
bool fh_debugger_at_end(const struct fh_debugger *debugger);

size_t fh_debugger_launch_count(const struct fh_debugger *debugger);
/* The index-th launch; its info names the kernel. False past the end. Either may be NULL. */
bool fh_debugger_launch(const struct fh_debugger *debugger, size_t index, fhec_launch *launch,
                        fhec_kernel_info *info);

/* A buffer in global memory at this time. */
struct fh_debug_buffer {
    const char *name;
    uint64_t address, bytes;
    unsigned flags; /* FHEC_MEM_READ_ONLY */
    bool released;
};
/* The index-th that the host has made so far, in order; false past the last. */
bool fh_debugger_buffer(const struct fh_debugger *debugger, size_t index,
                        struct fh_debug_buffer *buffer);

/* The text of a source file; NULL: it is not known. */
const char *fh_debugger_source(const struct fh_debugger *debugger, const char *file,
                               size_t *length);

/* ---------------------------------------------------------------- focus */

/* What commands act on: a lane of a warp of a block, or all of them. Lanes etc. are kept beside
 * the `all_` that hides them. */
struct fh_focus {
    uint32_t block[3], warp, lane;
    bool all_blocks, all_warps, all_lanes;
};
const struct fh_focus *fh_debugger_focus(const struct fh_debugger *debugger);
/* FHEC_BAD_INPUT: the launch has no such block, warp or lane. */
fhec_status fh_debugger_set_focus(struct fh_debugger *debugger, const struct fh_focus *focus);
/* The lanes of the focus as a mask, and its scope, as points and steps take it. */
uint32_t fh_focus_lanes(const struct fh_focus *focus);
fhec_scope fh_focus_scope(const struct fh_focus *focus);
/* Where the lane of the focus stands; false if its block is not resident, or it has ended. */
bool fh_debugger_pc(struct fh_debugger *debugger, uint64_t *pc);

/* ---------------------------------------------------------------- stops */

enum fh_break_kind {
    FH_BREAK_LINE,     /* file (may be NULL), line */
    FH_BREAK_PC,       /* pc, in kernel `kernel` or every one */
    FH_BREAK_KERNEL,   /* before each launch of the kernel `text` */
    FH_BREAK_LAUNCH,   /* before launch number `launch` */
    FH_BREAK_OPCODE,   /* text */
    FH_BREAK_CLASS,    /* text */
    FH_WATCH_MEMORY,   /* space, bank, address, bytes, access */
    FH_WATCH_REGISTER, /* file_of, reg, access */
    FH_WATCH_ORIGIN,   /* file_of (R, UR), reg: what is written there came from elsewhere */
    FH_CATCH_FAULT,    /* launches stop at faults anyway; this one counts and has commands */
    FH_CATCH_FINDING,  /* of a checker: fh_debugger_set_findings */
    FH_CATCH_BARRIER,
    FH_CATCH_WARP_END,
    FH_CATCH_BLOCK_END,
};

struct fh_breakpoint {
    unsigned number; /* from 1 on; given by fh_debugger_add */
    enum fh_break_kind kind;
    fhec_scope scope;
    const char *shown;                /* as a person writes it: "line 12", "op FHEC" */
    const char *file, *text, *kernel; /* kernel: NULL: any */
    uint32_t line;
    uint64_t pc;
    size_t launch;
    fhec_space space;
    uint32_t bank;
    uint64_t address, bytes;
    fhec_register_file file_of;
    uint32_t reg;
    unsigned access;       /* FHEC_ACCESS_* */
    const char *condition; /* an expression (query.h): not 0 for some lane; NULL: none */
    const char *commands;  /* a line each, for the face to run; NULL: none */
    uint64_t ignore;       /* so many hits do not stop */
    bool temporary, disabled;
    uint64_t hits; /* with a condition, those for which it held */
};

/* Adds a stop; strings are copied. FHEC_BAD_INPUT: no launch can ever come there. */
fhec_status fh_debugger_add(struct fh_debugger *debugger, const struct fh_breakpoint *breakpoint,
                            unsigned *number);
/* FHEC_BAD_INPUT: there is none of that number. */
fhec_status fh_debugger_remove(struct fh_debugger *debugger, unsigned number);
fhec_status fh_debugger_enable(struct fh_debugger *debugger, unsigned number, bool on);
fhec_status fh_debugger_ignore(struct fh_debugger *debugger, unsigned number, uint64_t hits);
/* NULL takes the condition, or the commands, away. */
fhec_status fh_debugger_condition(struct fh_debugger *debugger, unsigned number, const char *text);
fhec_status fh_debugger_commands(struct fh_debugger *debugger, unsigned number, const char *text);
/* The index-th, by number; NULL past the last. */
const struct fh_breakpoint *fh_debugger_breakpoint(const struct fh_debugger *debugger,
                                                   size_t index);

/* What a checker has found in these launches, at their first time: before the instruction that it
 * was found at. Checkers run beforehand, on a machine of their own: what they find depends on the
 * launches only, and going back leaves it as it is. A change forgets what is behind it. */
struct fh_debug_finding {
    struct fh_debug_time time;
    const char *text; /* "C060: ..." */
};
/* Copies them, in any order, in place of those that there were. */
fhec_status fh_debugger_set_findings(struct fh_debugger *debugger,
                                     const struct fh_debug_finding *findings, size_t count);
/* The index-th, by time; NULL past the last. */
const struct fh_debug_finding *fh_debugger_finding(const struct fh_debugger *debugger,
                                                   size_t index);

/* ---------------------------------------------------------------- moving */

enum fh_debug_reason {
    FH_STOP_START,      /* nothing has run yet */
    FH_STOP_BREAKPOINT, /* `breakpoint`; also a watchpoint or a catch */
    FH_STOP_STEP,       /* the move is done */
    FH_STOP_FAULT,      /* stop.fault */
    FH_STOP_FINDING,    /* finding */
    FH_STOP_BEGIN,      /* backwards: the beginning of the first launch */
    FH_STOP_END,        /* the last launch has ended */
    FH_STOP_CANCEL,     /* fh_debugger_cancel */
    FH_STOP_NONE,       /* backwards: nothing like it was before; the place is as it was */
};

/* Of the lowest lane whose register has another origin: "a[4]", "computed at 0x1a0". */
struct fh_origin_change {
    uint32_t lane;
    char was[96], is[96];
};

struct fh_debug_stop {
    enum fh_debug_reason reason;
    unsigned breakpoint; /* number; 0: none */
    bool temporary;      /* it was: disabled now, gone with the next move */
    struct fh_debug_time time;
    const struct fh_debug_finding *finding; /* valid as long as the findings */
    struct fh_origin_change origin;         /* of FH_WATCH_ORIGIN; `was` is empty: it is not that */
    fhec_stop stop; /* of the session, if has_warp or a fault; pc, lanes, values of watchpoints */
};

enum fh_move_kind {
    FH_MOVE_CONTINUE,    /* to the next stop */
    FH_MOVE_INSTRUCTION, /* the focus' group issues one */
    FH_MOVE_NEXT,   /* the same, over calls and what macros expand to, which count as one line */
    FH_MOVE_FINISH, /* out of the function, or of the macro, or to the end of the warp */
    FH_MOVE_UNTIL,  /* to `until`, in the focus' warp; or to a stop */
    FH_MOVE_RUN_TO, /* to `until`, in any warp; or to a stop */
    FH_MOVE_COUNT,  /* `times` instructions of any warp */
    FH_MOVE_GOTO,   /* to time `to`; no stop on the way counts */
};

struct fh_move {
    enum fh_move_kind kind;
    bool back;
    uint64_t times; /* 0: once */
    struct fh_debug_time to;
    const struct fh_breakpoint *until;
};

/* Moves, and puts the focus on the warp that the stop is about. FHEC_OK for every reason to stop.
 * Backwards INSTRUCTION goes to before the instruction that the focus' group issued last, NEXT to
 * before the line of it, FINISH to before the call; CONTINUE, UNTIL and RUN_TO to the last stop
 * before. What is cancelled backwards is where it was; so is a GOTO to a time that there is not,
 * which is FHEC_BAD_INPUT. */
fhec_status fh_debugger_move(struct fh_debugger *debugger, const struct fh_move *move,
                             struct fh_debug_stop *stop);
/* The last stop. */
const struct fh_debug_stop *fh_debugger_stop(const struct fh_debugger *debugger);
/* Ends a move as soon as may be; from any thread, and from signal handlers. */
void fh_debugger_cancel(struct fh_debugger *debugger);

/* To before the last instruction before this time for which the watchpoint holds, whatever the
 * other stops are; `back` false: to behind the next one that follows. FH_STOP_NONE: there is none.
 */
fhec_status fh_debugger_find(struct fh_debugger *debugger, const struct fh_breakpoint *watch,
                             bool back, struct fh_debug_stop *stop);

/* ---------------------------------------------------------------- changing */

/* Changes of the launch under way, which are made again whenever the debugger passes this time
 * forwards. What had been known of later times is forgotten: *branched (may be NULL) says whether
 * there was something. */
fhec_status fh_debugger_set_register(struct fh_debugger *debugger, const uint32_t block[3],
                                     uint32_t warp, fhec_register_file file, uint32_t reg,
                                     uint32_t lanes, const uint32_t values[FHEC_WARP_LANES],
                                     bool *branched);
fhec_status fh_debugger_set_memory(struct fh_debugger *debugger, fhec_space space, uint32_t bank,
                                   const fhec_thread *thread, uint64_t address, const void *data,
                                   size_t bytes, bool *branched);
/* Whether something was, here or before. */
bool fh_debugger_has_changed(const struct fh_debugger *debugger);
/* The lanes that stand together with the focus' lane execute an instruction there, as
 * fhec_session_execute says, and do so again whenever the debugger passes this time forwards.
 * *lanes (may be NULL): those that executed it; if there are none, nothing has changed.
 * FHEC_GUEST_FAULT: nothing has changed, and fhec_machine_fault of the machine says why. */
fhec_status fh_debugger_execute(struct fh_debugger *debugger, fhec_word word, uint32_t *lanes,
                                bool *branched);

/* A word in the place of one of a kernel: in launch `from.launch` from `from.count` instructions
 * on, and, unless it is for that one only, in all later launches of the kernel. Patches stay, also
 * where something before them changes, until they are taken back. Of several at one place the one
 * counts that begins last, and of those that begin together the last one that was made. */
struct fh_debug_patch {
    unsigned number; /* from 1 on; given by fh_debugger_patch */
    const char *kernel;
    uint64_t pc;
    fhec_word word;
    struct fh_debug_time from;
    bool only;
    const char *shown; /* as a person writes the instruction */
};
/* Strings are copied. If the debugger is behind `from`, it goes back there. What had been known of
 * later times is forgotten: *branched (may be NULL) says whether there was something.
 * FHEC_BAD_INPUT: none of these launches is of that kernel, or it has no such pc; or what
 * fhec_session_patch says. */
fhec_status fh_debugger_patch(struct fh_debugger *debugger, const struct fh_debug_patch *patch,
                              unsigned *number, bool *branched);
/* Takes the patch back, and all that ran with it: if the debugger is at its beginning or behind, it
 * is there afterwards. FHEC_BAD_INPUT: there is none of that number. */
fhec_status fh_debugger_unpatch(struct fh_debugger *debugger, unsigned number);
/* The index-th, in the order in which they begin; NULL past the last. */
const struct fh_debug_patch *fh_debugger_patch_get(const struct fh_debugger *debugger,
                                                   size_t index);
/* The one that counts at pc in the kernel of the launch at that time; NULL: the word is its own. */
const struct fh_debug_patch *fh_debugger_patched(const struct fh_debugger *debugger,
                                                 struct fh_debug_time time, uint64_t pc);

#endif
