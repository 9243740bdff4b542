/*
 * fhec.h - the public interface of libfhec: assemble, load, run, disassemble, layouts.
 *
 * The library never prints, exits, opens files or reads the environment. Text for people leaves
 * through callbacks and caller-owned buffers. It keeps no mutable state of its own: two machines
 * may run in two threads at once, as long as each machine is used by one thread at a time.
 *
 * Every function that can fail returns a fhec_status; on failure nothing is left half made and
 * output pointers are NULL. Strings handed out belong to the object that handed them out.
 */
#ifndef FHEC_H
#define FHEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fhec_limits.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The library is built with everything hidden that does not stand here. */
#pragma GCC visibility push(default)

#define FHEC_VERSION    "0.5.0"
#define FHEC_WARP_LANES 32

/* The values are the exit statuses of the command line tool. */
typedef enum fhec_status {
    FHEC_OK = 0,
    FHEC_DIFFERS = 1,     /* a result differs from what was expected */
    FHEC_BAD_INPUT = 2,   /* malformed source, object, name or argument */
    FHEC_GUEST_FAULT = 3, /* the guest program did something wrong; see fhec_fault */
    FHEC_HOST_ERROR = 4,  /* the host failed: no memory, unreadable file */
    FHEC_CANCELLED = 130, /* ended by fhec_machine_cancel, or by Ctrl-C */
} fhec_status;

/* ---------------------------------------------------------------- diagnostics */

typedef enum fhec_severity { FHEC_NOTE, FHEC_WARNING, FHEC_ERROR } fhec_severity;

/* A range of one line of source; lines and columns count from 1, columns in bytes. */
typedef struct fhec_location {
    const char *file;
    uint32_t line;
    uint32_t column;
    uint32_t length; /* bytes to underline, at least 1 */
} fhec_location;

typedef enum fhec_expansion_kind {
    FHEC_EXPANSION_MACRO,      /* the body of macro `name` */
    FHEC_EXPANSION_REPETITION, /* the body of `name`, ".rept" or ".irp", in one iteration */
    FHEC_EXPANSION_INCLUDE,    /* the file `name` */
} fhec_expansion_kind;

/* One step of how a line came to be read: what text it stands in, and where that was called for. A
 * line's own location is the one where it was written: in a macro, a line of its body. */
typedef struct fhec_expansion {
    fhec_expansion_kind kind;
    const char *name;
    uint32_t iteration; /* of a repetition, from 1; else 0 */
    fhec_location at;   /* the line that uses the macro, the .rept, the .include */
} fhec_expansion;

enum { FHEC_MAX_EXPANSIONS = 128 }; /* as many steps, or fewer, lead to any line */

/* "macro BUTTERFLY", "iteration 3 of .rept", "include". Length like snprintf. */
size_t fhec_format_expansion(const fhec_expansion *expansion, char *text, size_t size);
/* A location with the `count` steps that led there, innermost first, on one line:
 *     modmul.inc:12 (in macro BUTTERFLY, from ntt.sass:88, in iteration 3 of .rept at ntt.sass:80,
 *     included from main.sass:4)
 * Empty if the location is unknown. Length like snprintf. */
size_t fhec_format_location(const fhec_location *at, const fhec_expansion *expansions, size_t count,
                            char *text, size_t size);

/* Everything about one diagnostic. Pointers are valid during the callback only. */
typedef struct fhec_diagnostic {
    const char *id; /* stable: "E014", "W002" */
    fhec_severity severity;
    const char *message;
    fhec_location at;
    const char *source_line;  /* without its newline; NULL when there is none */
    const char *const *notes; /* legal forms, nearest name, ... */
    size_t note_count;
    const fhec_expansion *expansions; /* innermost first */
    size_t expansion_count;
} fhec_diagnostic;

typedef void fhec_diagnostic_fn(void *user, const fhec_diagnostic *diagnostic);

/* Writes `file:line:col: error[E014]: ...`, the source line, carets and notes into `text`.
 * Returns the length the whole text has, without its NUL, like snprintf. */
size_t fhec_format_diagnostic(const fhec_diagnostic *d, bool color, char *text, size_t size);
/* The same as one JSON object on one line. */
size_t fhec_format_diagnostic_json(const fhec_diagnostic *d, char *text, size_t size);

/* ---------------------------------------------------------------- programs */

/* One instruction, 128 bits. */
typedef struct fhec_word {
    uint64_t lo, hi;
} fhec_word;

/* Assembled code: kernels, their parameters and resources, and where each word came from. */
typedef struct fhec_program fhec_program;

/* Gives the text of `name`, included from the file `from` (NULL for the first file).
 * *text is malloc'd and becomes the assembler's. Returns FHEC_OK, FHEC_BAD_INPUT (no such file; or
 * *text, which is NULL before, is set to the reason why it cannot be read) or FHEC_HOST_ERROR. */
typedef fhec_status fhec_include_fn(void *user, const char *name, const char *from, char **text,
                                    size_t *length);

typedef struct fhec_assemble_options {
    fhec_diagnostic_fn *diagnostic; /* may be NULL */
    fhec_include_fn *include;       /* NULL: .include is an error */
    void *user;                     /* handed to both */
    const char *const *defines;     /* "NAME=VALUE", as if by .equ at the top of the file */
    size_t define_count;
    bool no_contracts; /* .expect, .let and .ensure are passed over, unread: nobody will check them
                        */
} fhec_assemble_options;

/* Assembles `length` bytes of `text`; `name` stands for the file in locations. All errors of the
 * source are reported in one call. FHEC_BAD_INPUT if there was at least one.
 * Instructions whose text gives no scheduling fields get some that are safe on hardware. */
fhec_status fhec_assemble(const char *name, const char *text, size_t length,
                          const fhec_assemble_options *options, fhec_program **program);
void fhec_program_free(fhec_program *program);
/* Assembles the one instruction `text`, with or without its final ";", at byte address `pc`; every
 * feature may be used, and branch targets are absolute addresses. FHEC_BAD_INPUT if there is an
 * error, which goes to `diagnostic` (may be NULL). */
fhec_status fhec_assemble_word(const char *text, uint64_t pc, fhec_diagnostic_fn *diagnostic,
                               void *user, fhec_word *word);

/* The program as an ELF object (cubin layout), malloc'd; and back. FHEC_BAD_INPUT to write a
 * program with more sections than an object can have. */
fhec_status fhec_program_write(const fhec_program *program, uint8_t **bytes, size_t *length);
fhec_status fhec_program_read(const char *name, const uint8_t *bytes, size_t length,
                              fhec_diagnostic_fn *diagnostic, void *user, fhec_program **program);

typedef struct fhec_param_info {
    const char *name;
    uint32_t offset; /* bytes from the start of the parameter block */
    uint32_t size;   /* bytes */
} fhec_param_info;

typedef struct fhec_kernel_info {
    const char *name;
    const fhec_word *words;
    uint32_t word_count;
    uint32_t registers;    /* per thread, as allocated */
    uint32_t shared_bytes; /* static */
    uint32_t local_bytes;  /* per thread */
    uint32_t param_bytes;  /* of the parameter block; with what is before large parameters */
    const fhec_param_info *params;
    uint32_t param_count;
    const char *target; /* "sm_80, fhec, gme" */
    bool stack_unknown; /* local_bytes is a guess: the kernel may need more (recursion, alloca) */
    uint32_t max_threads[3];      /* of a block, by __launch_bounds__; zeros: no bound */
    uint32_t required_threads[3]; /* the sides of every block, by .reqntid; zeros: any */
} fhec_kernel_info;

size_t fhec_kernel_count(const fhec_program *program);
fhec_status fhec_kernel_get(const fhec_program *program, size_t index, fhec_kernel_info *info);
/* Finds a kernel by name; FHEC_BAD_INPUT if there is none. */
fhec_status fhec_kernel_find(const fhec_program *program, const char *name, size_t *index);
/* Where word `word` of kernel `kernel` was written; file is NULL when unknown. */
fhec_location fhec_kernel_location(const fhec_program *program, size_t kernel, uint32_t word);
/* How that line came to be read: the steps that led there, innermost first, of which the first
 * `capacity` are told. Returns how many there are, at most FHEC_MAX_EXPANSIONS; 0 for what stands
 * in the first file itself, and for code of compilers. */
size_t fhec_kernel_expansions(const fhec_program *program, size_t kernel, uint32_t word,
                              fhec_expansion *expansions, size_t capacity);

/* Functions of a program: code of their own that its kernels call. */
typedef struct fhec_function_info {
    const char *name;
    const fhec_word *words;
    uint32_t word_count;
    uint64_t pc; /* of its first instruction, in all kernels */
} fhec_function_info;
size_t fhec_function_count(const fhec_program *program);
fhec_status fhec_function_get(const fhec_program *program, size_t index, fhec_function_info *info);

/* Variables of a program, __device__ and __constant__: every machine has its own copy of them,
 * which holds the program's initial values until a kernel or the host changes it. */
typedef struct fhec_variable_info {
    const char *name;
    uint64_t bytes;
    bool constant; /* in a constant bank: kernels cannot write it */
} fhec_variable_info;
size_t fhec_variable_count(const fhec_program *program);
fhec_status fhec_variable_get(const fhec_program *program, size_t index, fhec_variable_info *info);
fhec_status fhec_variable_find(const fhec_program *program, const char *name, size_t *index);

/* Reports, as warnings, every instruction of the kernel, and of the functions that kernels call,
 * which fhec does not know or cannot execute. FHEC_BAD_INPUT if there is one: a launch is possible
 * and faults when it is reached. */
fhec_status fhec_kernel_check(const fhec_program *program, size_t kernel,
                              fhec_diagnostic_fn *diagnostic, void *user);

/* Checks the scheduling fields of every kernel and function: whether results are read before they
 * are there, registers overwritten before they are read, reuse flags wrong, along every path.
 * FHEC_DIFFERS if something was found, which goes to `diagnostic` (may be NULL). */
fhec_status fhec_lint(const fhec_program *program, fhec_diagnostic_fn *diagnostic, void *user);

/* The index-th `.test` line of the source, in order: what stands behind the directive. NULL past
 * the end; object files have none. *at may be NULL. */
const char *fhec_program_test(const fhec_program *program, size_t index, fhec_location *at);

/* ---------------------------------------------------------------- expectations */
/* A term in postfix notation, over integers. A side of FHEC_TERM_BOTH, EITHER and CHOICE that does
 * not matter need have no value. */
typedef enum fhec_term_kind {
    FHEC_TERM_NUMBER,    /* value, from 0 to 2^63 - 1; larger ones are made by SHIFT_LEFT and ADD */
    FHEC_TERM_ROW,       /* i: of the element; 0 of a register */
    FHEC_TERM_COLUMN,    /* j */
    FHEC_TERM_LANE,      /* that holds the element */
    FHEC_TERM_WARP,      /* of the block */
    FHEC_TERM_BLOCK,     /* its coordinate `value`: 0 x, 1 y, 2 z */
    FHEC_TERM_MODULUS,   /* q: of the instruction, in the element's column */
    FHEC_TERM_REGISTER,  /* R number `value`, of the lane, unsigned */
    FHEC_TERM_UNIFORM,   /* UR number `value` */
    FHEC_TERM_REGISTERS, /* of R number `value` & 255 to value >> 8, the lowest word first */
    FHEC_TERM_PREDICATE, /* P number `value`: 1 or 0 */
    FHEC_TERM_NAME,      /* names[value]: what .let remembers, or else the kernel's parameter */
    FHEC_TERM_NEGATE,
    FHEC_TERM_INVERT,
    FHEC_TERM_SIGN, /* the number of `value` bits before it with a sign */
    FHEC_TERM_MULTIPLY,
    FHEC_TERM_DIVIDE, /* towards zero */
    FHEC_TERM_REMAINDER,
    FHEC_TERM_ADD,
    FHEC_TERM_SUBTRACT,
    FHEC_TERM_SHIFT_LEFT,
    FHEC_TERM_SHIFT_RIGHT,
    FHEC_TERM_LESS, /* 1 or 0 */
    FHEC_TERM_EQUAL,
    FHEC_TERM_AND,
    FHEC_TERM_XOR,
    FHEC_TERM_OR,
    FHEC_TERM_BOTH,   /* &&: 1 or 0 */
    FHEC_TERM_EITHER, /* || */
    FHEC_TERM_CHOICE, /* ?:, of the last three values */
    FHEC_TERM_KINDS,
} fhec_term_kind;
typedef struct fhec_term {
    fhec_term_kind kind;
    int64_t value;
} fhec_term;
enum { FHEC_MAX_TERMS = 64 }; /* of an expectation */
typedef enum fhec_relation {
    FHEC_EXPECT_PLACE,   /* = buffer[terms]: it came from there */
    FHEC_EXPECT_VALUE,   /* = terms */
    FHEC_EXPECT_BELOW,   /* < terms */
    FHEC_EXPECT_AT_MOST, /* <= terms */
} fhec_relation;

/* What a line says. All but the first are value contracts, over integers as large as they come. */
typedef enum fhec_contract {
    FHEC_CONTRACT_OPERAND, /* .expect of an operand, or of one register and what is known there */
    FHEC_CONTRACT_EXPECT,  /* .expect LEFT = RIGHT, before the instruction */
    FHEC_CONTRACT_LET,     /* .let NAME = EXPRESSION: remembered before the instruction */
    FHEC_CONTRACT_ENSURE,  /* .ensure LEFT = RIGHT, behind the instruction, which is above it */
} fhec_contract;

/* What a source says of an instruction with `.expect`: of all elements of one of its matrices, or
 * of a register in every lane, before the instruction; of what only it writes, behind it. `.let`
 * and
 * `.ensure` are about every lane that issues it. They come in the order of `word`. */
typedef struct fhec_expectation {
    fhec_contract contract;
    uint32_t word;       /* of the kernel: the instruction */
    fhec_location at;    /* of the directive; file NULL when unknown */
    const char *text;    /* "A = x[16 * i + j]" */
    const char *operand; /* "A", or "D" of Rd; NULL: a register; FHEC_CONTRACT_LET: its name */
    bool uniform;        /* UR `reg`, else R */
    uint32_t reg;
    fhec_relation relation;
    const char *buffer; /* FHEC_EXPECT_PLACE: a buffer's, variable's or parameter's name */
    const fhec_term *terms;
    size_t term_count;
    size_t left_count; /* terms of a value contract's left side; then the right one, the modulus */
    bool congruent;
    const char *const *names; /* of FHEC_TERM_NAME */
    size_t name_count;
} fhec_expectation;
/* The index-th of a kernel; false past the end. Pointers belong to the program. */
bool fhec_kernel_expectation(const fhec_program *program, size_t kernel, size_t index,
                             fhec_expectation *expectation);

/* ---------------------------------------------------------------- disassembly */

enum {
    FHEC_DIS_NVDISASM = 1, /* exactly what nvdisasm prints (hides default descriptors) */
    FHEC_DIS_CONTROL = 2,  /* with the scheduling prefix [B------:R-:W0:-:S01] */
    FHEC_DIS_LINES = 4,    /* a whole program: with the source lines that it came from */
    FHEC_DIS_PARTIAL = 8,  /* a whole program: what cannot be written is left out; the errors are
                              told, the status is OK */
    FHEC_DIS_EXACT = 16,   /* one instruction: `.inst LOW, HIGH // text` where the assembler would
                              refuse the text or make another word of it; scheduling fields count
                              with FHEC_DIS_CONTROL only. A whole program is always written so,
                              but with FHEC_DIS_NVDISASM */
};

/* Prints the instruction `word` at byte address `pc`, without the final " ;". Returns the text's
 * length like snprintf, or -1 if the word is no instruction that fhec knows. */
int fhec_disassemble(fhec_word word, uint64_t pc, unsigned flags, char *text, size_t size);
/* The whole program as text that assembles to an equivalent one: kernels with their parameters and
 * resources, functions, constant banks, variables, addresses by name; words that are no known
 * instructions as they are (.inst). *text is malloc'd and ends in a NUL that *length does not
 * count. What cannot be written (a name that is none in a source) is an error that goes to
 * `diagnostic`; then the answer is FHEC_BAD_INPUT. */
fhec_status fhec_disassemble_program(const fhec_program *program, unsigned flags,
                                     fhec_diagnostic_fn *diagnostic, void *user, char **text,
                                     size_t *length);
/* The full mnemonic alone ("IMAD.WIDE.U32"), as counters name it. */
int fhec_mnemonic(fhec_word word, char *text, size_t size);

/* ---------------------------------------------------------------- the instruction set */

/* The page of the ISA book (Markdown) for a mnemonic ("IADD3", "IMAD.WIDE"); NULL if unknown.
 * Static storage. With NULL: the whole book. */
const char *fhec_isa_page(const char *mnemonic);
const char *fhec_isa_json(void);
/* The index-th mnemonic in book order, with its one-line title; false past the end. */
bool fhec_isa_entry(size_t index, const char **mnemonic, const char **title);
/* The index-th text that may stand behind the root of a mnemonic, that is, up to its first dot: of
 * "IMAD" and "IMAD.HI" alike "WIDE", "U32", "MOV", of others also "STRONG.SM". Some come more than
 * once. False past the end. */
bool fhec_isa_modifier(const char *mnemonic, size_t index, const char **text);
/* The pipe that instructions with a full mnemonic ("IMAD.WIDE.U32") issue to, as far as that says
 * it, as of a fhec_instruction; NULL if unknown. Static storage. */
const char *fhec_isa_pipe(const char *mnemonic);
/* Cycles until a pipe can read its own results; 0: they are not fixed, or there is no such pipe. */
uint32_t fhec_pipe_latency(const char *pipe);

/* ---------------------------------------------------------------- fragment layouts */

/* How the elements of one matrix operand are spread over the warp: element (row, column) lives in
 * slot `slot` of register `reg` (counted from the operand's first register) of lane `lane`. An
 * element narrower than 32 bits shares its register: slot s covers bits [s*bits, (s+1)*bits). One
 * of 64 bits has two registers: reg is the even one, which holds its low word, and reg + 1 the
 * other. */
typedef struct fhec_layout {
    const char *insn;    /* "FHEC.16816.U32.U32" */
    const char *operand; /* "A" */
    uint32_t rows, columns;
    uint32_t bits;      /* of an element */
    uint32_t registers; /* per lane */
    uint32_t slots;     /* elements per register */
} fhec_layout;

typedef struct fhec_place {
    uint32_t lane, reg, slot;
} fhec_place;

typedef struct fhec_element {
    uint32_t row, column;
} fhec_element;

/* The index-th layout of the instruction set; false past the end. */
bool fhec_layout_get(size_t index, fhec_layout *layout);
/* The layout of operand `operand` of instruction `insn` (full mnemonic); FHEC_BAD_INPUT if none. */
fhec_status fhec_layout_find(const char *insn, const char *operand, size_t *index);
/* Both directions; FHEC_BAD_INPUT when out of the layout's range. Either register of an element of
 * 64 bits stands for it. */
fhec_status fhec_layout_place(size_t index, fhec_element element, fhec_place *place);
fhec_status fhec_layout_element(size_t index, fhec_place place, fhec_element *element);

/* The machine that the program's code is for. */
const fhec_limits *fhec_program_limits(const fhec_program *program);

/* ---------------------------------------------------------------- machines */

/* A guest: memory and the means to run kernels on it. */
typedef struct fhec_machine fhec_machine;

typedef enum fhec_engine { FHEC_ENGINE_FAST, FHEC_ENGINE_REF } fhec_engine;
typedef enum fhec_simd {
    FHEC_SIMD_BEST,
    FHEC_SIMD_PORTABLE,
    FHEC_SIMD_AVX2,
    FHEC_SIMD_AVX512,
} fhec_simd;

/* What registers and memory hold that nobody has written: hardware promises nothing there. */
typedef enum fhec_fill_kind {
    FHEC_FILL_ZERO,
    FHEC_FILL_WORD, /* the low 32 bits of `value`, in every word */
    FHEC_FILL_SEED, /* pseudo-random words; `value` is the seed. The same in every run, on both
                       engines, whatever the number of host threads is */
} fhec_fill_kind;
typedef struct fhec_fill {
    fhec_fill_kind kind;
    uint64_t value;
} fhec_fill;

/* Where allocations go. */
typedef struct fhec_placement {
    uint64_t seed;      /* 0: one behind the other; else anywhere, as this seed decides */
    uint64_t gap;       /* bytes without owner between two of them, at least; 0: 16 MiB */
    uint64_t alignment; /* of their addresses, a power of two; 0: 256 */
    bool borders; /* with a seed: across multiples of 2^32; short ones aligned to 16 at least */
    uint64_t begin, end; /* the addresses that they may have; both 0: [0x7f0000000000, 2^47) */
} fhec_placement;

/* A warp that can issue an instruction now. */
typedef struct fhec_ready_warp {
    uint32_t block[3], warp;
    uint32_t active; /* its lanes that issue next, together, ... */
    uint64_t pc;     /* ... and where */
} fhec_ready_warp;

/* Names the next of the `count` warps (at least one), by its number in `ready`, which has them by
 * block, in the order in which blocks began, and by warp; it is valid during the call.
 * *instructions, 1 before the call, is how many the warp may issue before the next call, at least
 * 1; it issues fewer if it waits, ends, yields, or opens a barrier of the block. The callback must
 * not use the machine. */
typedef size_t fhec_order_fn(void *user, const fhec_ready_warp *ready, size_t count,
                             uint32_t *instructions);

/* Which warp issues next. On hardware that is nobody's choice, so a program that is right has the
 * same results, and issues as many instructions, in any order, as long as it does not ask for the
 * order itself (tickets, clocks). An order is one of warps: which lanes of a warp go together, and
 * where they meet again, follows the same rule in all of them.
 *
 * By seed and by callback, as many blocks as an A100 holds are resident from the start, a block
 * begins when one has ended, and launches use one host thread.
 *
 * FHEC_ORDER_SEED: blocks begin in a pseudo-random order of their numbers. Then, again and again, a
 * resident block is drawn, one of its warps that can run, and how many instructions it may issue:
 * 1 to 2^k for a k of 0 to 7, all equally probable; so 1 in a quarter of the cases, 128 at most,
 * 16.4 on average. Every sixteenth time all warps take turns instead, so a warp that can run waits
 * for at most 16 * n others, if n warps are resident, 2048 * n instructions. All draws of a launch
 * follow from the seed and from how many there were before: the same in every launch, on both
 * engines, however the launch is stopped and taken back.
 * To find out that warps wait in loops for ever, there are phases without draws: when no block has
 * begun or ended for 65536 instructions for each resident warp, and ever more rarely after that.
 * Two of them with a phase of draws in between must come to that conclusion (FHEC_FAULT_DEADLOCK).
 *
 * FHEC_ORDER_CALLBACK: blocks begin in the order of their numbers, and `next` is asked. An answer
 * that names no warp, or no instruction, ends fhec_run, or fhec_session_run, with FHEC_BAD_INPUT.
 * Fairness is the callback's business: that nobody can go on is found, waiting in a loop is not, so
 * that a launch whose callback starves a warp ends by max_steps or fhec_machine_cancel only. What
 * is done again (records, sessions taken back) asks again, and is the same if the answers are. */
typedef enum fhec_order_kind {
    FHEC_ORDER_DEFAULT, /* that of fhec_run */
    FHEC_ORDER_SEED,
    FHEC_ORDER_CALLBACK,
} fhec_order_kind;
typedef struct fhec_order {
    fhec_order_kind kind;
    uint64_t seed;
    fhec_order_fn *next;
    void *user; /* handed to it */
} fhec_order;

/* All zero: what a machine without options is. */
typedef struct fhec_machine_options {
    fhec_engine engine;
    fhec_simd simd;                    /* FHEC_BAD_INPUT if this host has no such level */
    unsigned threads;                  /* host threads; 0: as many as there are cores */
    fhec_fill fill_registers;          /* of a new warp: R, UR, P, UP */
    fhec_fill fill_shared, fill_local; /* of a new block */
    fhec_fill fill_global; /* of fhec_alloc; variables begin with their program's values */
    fhec_placement placement;
    fhec_order order; /* of warps and blocks */
} fhec_machine_options;

fhec_status fhec_machine_new(const fhec_machine_options *options, fhec_machine **machine);
void fhec_machine_free(fhec_machine *machine);

/* Global memory. `name` appears in faults. Addresses are never reused, so use after free is seen;
 * allocations are 256-byte aligned with unmapped gaps between them, and new memory is zero, unless
 * the machine's options say something else. */
enum { FHEC_MEM_READ_ONLY = 1 };
fhec_status fhec_alloc(fhec_machine *machine, const char *name, size_t bytes, unsigned flags,
                       uint64_t *address);
fhec_status fhec_release(fhec_machine *machine, uint64_t address);
/* The generic addresses of shared and local memory: windows, the same for every block and thread.
 */
#define FHEC_SHARED_WINDOW UINT64_C(0x100000000)
#define FHEC_LOCAL_WINDOW  UINT64_C(0x200000000)
#define FHEC_WINDOW_BYTES  UINT64_C(0x1000000)
/* Makes `bytes` bytes of the caller's own memory global memory from `address` on, which may be
 * where the host has it: host and guest then know it by one pointer. Both see the same bytes; the
 * caller must not write them while a launch runs, and keeps them until fhec_release, which leaves
 * them as they are, or the end of the machine. FHEC_BAD_INPUT if the range overlaps with another
 * allocation or with the generic addresses of shared and local memory, or ends above 2^49.
 * fhec_alloc keeps clear of it; memory that was released before may be taken. */
fhec_status fhec_map(fhec_machine *machine, const char *name, uint64_t address, void *host,
                     size_t bytes, unsigned flags);
/* Host access; FHEC_BAD_INPUT when the range is not within one live allocation. Read-only memory
 * can be written from the host. */
fhec_status fhec_write(fhec_machine *machine, uint64_t address, const void *data, size_t bytes);
fhec_status fhec_read(fhec_machine *machine, uint64_t address, void *data, size_t bytes);

/* Gives the program's variables memory in the machine; the first launch does it by itself. A
 * program with variables must be unloaded before it is freed, or outlive the machine. */
fhec_status fhec_load(fhec_machine *machine, const fhec_program *program);
void fhec_unload(fhec_machine *machine, const fhec_program *program);
/* Copies bytes to and from a variable, from `offset` on; loads the program if need be.
 * FHEC_BAD_INPUT when the range is not within the variable. */
fhec_status fhec_variable_write(fhec_machine *machine, const fhec_program *program, size_t index,
                                uint64_t offset, const void *data, size_t bytes);
fhec_status fhec_variable_read(fhec_machine *machine, const fhec_program *program, size_t index,
                               uint64_t offset, void *data, size_t bytes);
/* The generic address of a variable. A __constant__ one has it, too: kernels read it there and
 * cannot write it. */
fhec_status fhec_variable_address(fhec_machine *machine, const fhec_program *program, size_t index,
                                  uint64_t *address);

typedef enum fhec_fault_kind {
    FHEC_FAULT_NONE,
    FHEC_FAULT_OUT_OF_BOUNDS,
    FHEC_FAULT_MISALIGNED,
    FHEC_FAULT_FREED,     /* use of released memory */
    FHEC_FAULT_READ_ONLY, /* store to read-only memory */
    FHEC_FAULT_REGISTER,  /* register number or alignment that the instruction cannot take */
    FHEC_FAULT_LANES,     /* a matrix instruction with inactive lanes */
    FHEC_FAULT_MODULUS,   /* modulus 0 */
    FHEC_FAULT_ILLEGAL,   /* no instruction, or one that this engine does not implement */
    FHEC_FAULT_DEADLOCK,  /* no lane can ever run again, or all wait in loops for ever */
    FHEC_FAULT_STEP_LIMIT,
    FHEC_FAULT_TRAP,
} fhec_fault_kind;

/* What went wrong in the guest. Pointers belong to the machine until its next launch. */
typedef struct fhec_fault {
    fhec_fault_kind kind;
    const char *kernel;
    fhec_location source; /* file NULL when unknown */
    uint64_t pc;          /* byte offset in the kernel */
    uint32_t block[3];
    uint32_t warp;
    uint32_t lanes; /* mask of the lanes at fault */
    bool has_address;
    uint64_t address;    /* of the lowest lane at fault */
    const char *space;   /* "global", "shared", ... */
    const char *text;    /* the instruction's text */
    const char *nearest; /* "8 bytes past the end of `out` [0x..., 0x...)"; NULL if none */
    const char *message; /* one sentence: what was expected and what came */
    const fhec_expansion *expansions; /* that led to `source`, innermost first */
    size_t expansion_count;
} fhec_fault;

/* The whole fault in lines for people. Length like snprintf. */
size_t fhec_format_fault(const fhec_fault *fault, char *text, size_t size);
const char *fhec_fault_name(fhec_fault_kind kind);

typedef struct fhec_launch {
    const fhec_program *program;
    size_t kernel;
    uint32_t grid[3];  /* blocks; each at least 1 */
    uint32_t block[3]; /* threads; product 1..1024 */
    uint32_t dynamic_shared;
    uint32_t stack_bytes; /* local memory per thread, if the kernel does not ask for more */
    const void *params;   /* the parameter block */
    size_t param_bytes;   /* must be the kernel's param_bytes */
    uint64_t max_steps;   /* warp instructions over the whole launch; 0: no limit */
} fhec_launch;

/* Runs to the end or to the first fault. Blocks run one after another, but one that waits for
 * others lets them go first, so that any launch may be a cooperative one: barriers of the whole
 * grid work as long as its blocks fit on an A100 together. FHEC_BAD_INPUT (message by
 * fhec_machine_error) for an impossible launch, FHEC_GUEST_FAULT for a fault (fhec_machine_fault).
 */
fhec_status fhec_run(fhec_machine *machine, const fhec_launch *launch);
const fhec_fault *fhec_machine_fault(const fhec_machine *machine);
const char *fhec_machine_error(const fhec_machine *machine);

/* Exact dynamic instruction counts since the machine was made or last cleared. */
typedef struct fhec_count {
    const char *mnemonic; /* full, as disassembled */
    const char *klass;    /* matrix, integer, memory, control, uniform, ... */
    uint64_t warp, thread;
    const char *pipe; /* that it issues to: "fma", "alu", ... */
} fhec_count;

typedef struct fhec_stats {
    uint64_t launches;
    uint64_t warp_insts, thread_insts;
    uint64_t fhec_cycles;     /* ref engine: cycles of the processing element array */
    const fhec_count *counts; /* sorted by mnemonic; valid until the next run or clear */
    size_t count_count;
} fhec_stats;

void fhec_machine_count(fhec_machine *machine, bool on); /* counting is off at first */
fhec_status fhec_machine_stats(fhec_machine *machine, fhec_stats *stats);
void fhec_machine_clear_stats(fhec_machine *machine);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
