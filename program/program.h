/*
 * program.h - assembled code: what the assembler makes, the emulator runs and the object file
 * holds. All memory belongs to the program and goes with fhec_program_free.
 */
#ifndef FH_PROGRAM_H
#define FH_PROGRAM_H

#include "fhec_names.h"
#include "isa.h"
#include "machines.h"

enum {
    FH_MAX_KERNELS = 4096,   /* of a program, its functions included */
    FH_MAX_EXTERNALS = 1024, /* functions that a program calls and does not hold */
    FH_STACK_UNKNOWN = 1024, /* bytes of stack where the need is not known: CUDA's default */
    FH_MAX_NESTING = FHEC_MAX_EXPANSIONS, /* macros, repetitions and includes within each other */
};

/* Where a word came from: indices, so that an object file can hold them. */
struct fh_origin {
    uint32_t file; /* index into files; UINT32_MAX: unknown */
    uint32_t line, column, length;
    uint32_t expansion; /* 1 + index into expansion_steps: what it stands in; 0: a first file */
};

/* One expansion of a macro, one iteration of a repetition, one include: how the text within came to
 * be read. All words that one expansion gave share its step. */
enum fh_expansion_kind { FH_FROM_MACRO, FH_FROM_INCLUDE, FH_FROM_REPT, FH_FROM_IRP };
enum { FH_EXPANSION_KINDS = FH_FROM_IRP + 1, FH_EXPANSION_NUMBERS = 1 << 30 };
struct fh_expansion_step {
    struct fh_origin at;  /* of the use; at.expansion leads outward, to an earlier step */
    uint32_t kind : 2;    /* enum fh_expansion_kind */
    uint32_t number : 30; /* of a repetition: the iteration, from 1; else the index of the name: a
                             macro's in macros, an included file's in files */
};

struct fh_param {
    char *name;
    uint32_t offset, size;
};

/* A variable of shared memory that a source gives a name to, and an instruction whose immediate or
 * offset is its address, or that of a part of it. Objects of compilers have no such names. */
struct fh_shared {
    char *name;
    uint32_t offset, size;
};
struct fh_shared_use {
    uint32_t word, variable;
};

/* A constant bank other than 0, as the object file gives it: of a kernel, or of all of them. */
struct fh_constant_bank {
    uint8_t bank;
    uint8_t *bytes;
    uint32_t size;
};

/* A function inside the code of a kernel or of another function: a name for its first word. */
struct fh_entry {
    char *name;
    uint32_t word, word_count;
    uint32_t local_bytes; /* its frame on the stack */
};

/* A record of .nv.info that fhec does not use, as it is. Words of FH_NV_EXTERNS are indices of
 * externals; FH_NV_MAX_STACK_SIZE, which an object has by symbols, has the number alone. */
struct fh_info_record {
    uint8_t number, format; /* FH_NV_SIZED: `words`; else `half` */
    uint16_t half;
    uint32_t *words, count;
};

/* An instruction that a record of .nv.info names by its place in the code. */
struct fh_mark {
    uint32_t word;
    uint8_t attribute;
};

/* What .nv.info says of code beyond what fhec uses. */
struct fh_info {
    struct fh_info_record *records;
    struct fh_mark *marks; /* by words */
    uint32_t record_count, mark_count;
};

struct fh_kernel {
    char *name;
    char *target; /* "sm_80, fhec" */
    fhec_word *words;
    struct fh_origin *origins; /* word_count of them */
    uint32_t word_count;
    struct fh_entry *entries; /* by their words */
    uint32_t entry_count;
    uint32_t registers, shared_bytes, local_bytes, barriers;
    bool stack_unknown;      /* local_bytes are a guess: recursion, pointers, alloca */
    uint32_t max_threads[3]; /* of a block (__launch_bounds__); 0: as many as there can be */
    uint32_t required[3];    /* sides of every block (.reqntid); 0: any */
    struct fh_info info;
    struct fh_param *params;
    uint32_t param_count, param_bytes;
    struct fh_shared *shared;
    struct fh_shared_use *shared_uses; /* by word */
    uint32_t shared_count, shared_use_count;
    struct fh_constant_bank *banks;
    uint32_t bank_count;
};

/* Code that kernels call and that is in no kernel. Its address in the code space is the same for
 * all kernels, so that pointers to functions mean the same everywhere (fh_code_span). */
struct fh_function {
    char *name;
    char *target;
    fhec_word *words;
    struct fh_origin *origins; /* NULL or word_count of them */
    uint32_t word_count;
    struct fh_entry *entries;
    uint32_t entry_count;
    uint32_t registers, local_bytes; /* local_bytes: its frame on the stack */
    uint32_t first;                  /* index of its first word in the code space */
    struct fh_info info;
};

/* Memory of variables; each machine that runs the program has its own copy. */
struct fh_data_segment {
    char *name;
    uint8_t *bytes; /* NULL: zeros */
    uint64_t size;
    uint32_t alignment; /* a power of two */
};

struct fh_variable {
    char *name;
    bool constant;  /* in shared bank `index`, else in segment `index` */
    uint32_t index; /* of program->banks or program->segments */
    uint64_t offset, size;
};

/* A field of code or data that holds an address. Addresses of code are the same in all machines and
 * stand in the field (fh_program_relocate); those of data are written there when a machine has
 * given the data memory, and until then the field is 0. */
enum fh_holder { FH_IN_KERNEL, FH_IN_FUNCTION, FH_IN_BANK, FH_IN_KERNEL_BANK, FH_IN_SEGMENT };
enum fh_relocation_field { FH_FIELD_64, FH_FIELD_LOW, FH_FIELD_HIGH, FH_FIELD_CALL };
enum fh_target_kind { FH_OF_KERNEL, FH_OF_FUNCTION, FH_OF_BANK, FH_OF_SEGMENT, FH_OF_EXTERNAL };
struct fh_relocation {
    uint8_t holder;  /* enum fh_holder: what the field is in */
    uint8_t field;   /* enum fh_relocation_field; the halves have 32 bits; CALL: bits 80:34 of a
                        word, which are a quarter of the address */
    uint8_t bank;    /* FH_IN_KERNEL_BANK: its number; else 0 */
    uint8_t of;      /* enum fh_target_kind: whose address */
    bool relative;   /* counted from the beginning of the code that it is in: a plain number, which
                        no loader changes */
    bool generic;    /* in data: written as a generic address, which here all addresses are */
    uint32_t index;  /* of the kernel, function, shared bank or segment that holds the field */
    uint32_t offset; /* bytes into it, of the field itself; in code: of bit 32 of the word */
    uint32_t target; /* of the kernel, function, shared bank, segment or function that is not there
                        whose address it is */
    uint64_t addend;
    uint64_t from; /* of a bank or segment: where in it the variable begins that the address is
                      counted from; the addend itself if the object does not say */
};
/* 1 + the index of that variable; 0: none begins there. */
uint32_t fh_relocation_variable(const struct fhec_program *program,
                                const struct fh_relocation *relocation);

/* A line of the file's own test (.test), which the tool reads. */
struct fh_test {
    char *text;
    struct fh_origin origin;
};

/* A line of .expect, .let or .ensure, about word `word` of kernel `kernel`. What its text says is
 * in the rest. */
struct fh_expectation {
    uint32_t kernel, word;
    struct fh_origin origin;
    uint8_t contract; /* fhec_contract */
    char *text;
    char *operand; /* NULL: a register; the name that .let gives */
    bool uniform, congruent;
    uint8_t reg;
    uint8_t relation; /* fhec_relation */
    char *buffer;     /* NULL: none */
    fhec_term *terms;
    uint32_t term_count, left_count;
    char **names; /* of terms */
    uint32_t name_count;
};

/* What a name of the source stands for from a word of some code on; and, without a name, where the
 * code begins. In the order in which the assembler came to them. */
enum { FH_NO_NAME = 0xffffffff };
struct fh_meaning {
    uint32_t name; /* index into names */
    uint32_t word; /* of the code; without a name: its index in the program */
    int64_t value; /* NUMBER, LABEL; REGISTERS: the index of the first one */
    uint8_t kind;  /* fhec_name_kind */
    uint8_t file;  /* REGISTERS: fhec_register_file, of ... */
    uint8_t first; /* ... `count` from this one on */
    bool large;    /* as a fhec_name's */
    bool function; /* without a name: the code is a function, not a kernel */
    bool own;      /* the name ends with its code */
    uint16_t count;
};

struct fhec_program {
    const fhec_limits *machine; /* that all its code is for */
    char **names; /* that the source defines: see meanings; none in programs from objects */
    uint32_t name_count;
    struct fh_meaning *meanings;
    uint32_t meaning_count;
    char **files; /* names of the source files */
    uint32_t file_count;
    char **macros; /* names of those that expansion_steps name */
    uint32_t macro_count;
    struct fh_expansion_step *expansion_steps; /* at most FH_MAX_NESTING lead to any word */
    uint32_t expansion_step_count;
    struct fh_kernel *kernels;
    uint32_t kernel_count;
    struct fh_test *tests;
    uint32_t test_count;
    struct fh_expectation *expectations; /* by kernels, then by words */
    uint32_t expectation_count;
    struct fh_function *functions;
    uint32_t function_count;
    struct fh_constant_bank *banks; /* of all kernels */
    uint32_t bank_count;
    struct fh_data_segment *segments;
    uint32_t segment_count;
    struct fh_variable *variables;
    uint32_t variable_count;
    struct fh_relocation *relocations;
    uint32_t relocation_count;
    char **externals; /* functions that the object calls and does not hold */
    uint32_t external_count;
    struct fh_info info; /* of the whole: no marks */
};

/* Function k that an object does not hold has this code address and k instructions more: no code is
 * there. */
#define FH_EXTERNAL_CODE UINT64_C(0xfff00000)
/* The name of the function at a code address; NULL if none is called by it. */
const char *fh_code_external(const struct fhec_program *program, uint64_t address);

/* The code space of a kernel: its words from index 0 on, a gap that holds no instruction, and from
 * the same address on for all kernels, the functions. How many words it has: */
uint32_t fh_code_span(const struct fhec_program *program, size_t kernel);
/* Writes the whole space; the gap is zero. `words` has room for fh_code_span. */
void fh_code_copy(const struct fhec_program *program, size_t kernel, fhec_word *words);
/* The function whose code the word is; NULL for the kernel's own, the gap, and outside. */
const struct fh_function *fh_code_function(const struct fhec_program *program, uint32_t word);
/* Where a word of the space was written; NULL if unknown. */
const struct fh_origin *fh_code_origin(const struct fhec_program *program, size_t kernel,
                                       uint32_t word);
/* An origin as the public interface shows it, and the steps that led there as
 * fhec_kernel_expansions does. */
fhec_location fh_origin_location(const struct fhec_program *program,
                                 const struct fh_origin *origin);
size_t fh_origin_expansions(const struct fhec_program *program, const struct fh_origin *origin,
                            fhec_expansion *expansions, size_t capacity);
/* Tells in a diagnostic where a word was written and what led there. The steps are put into
 * `expansions`, which is to live as long as the diagnostic. */
void fh_code_place(const struct fhec_program *program, size_t kernel, uint32_t word,
                   fhec_diagnostic *d, fhec_expansion expansions[FHEC_MAX_EXPANSIONS]);

/* Lays the functions out in the code space, gives kernels the registers and stack that the
 * functions need, and writes the addresses of code, and zeros for those of data, into their fields.
 * Relocations lie within what they change. False if there is more code than addresses. */
bool fh_program_relocate(struct fhec_program *program);
/* Writes an address into its field. `field` is at relocation->offset; a call's word begins 4
 * before.
 */
void fh_relocation_apply(const struct fh_relocation *relocation, uint8_t *field, uint64_t address);

/* Parameters are aligned like C's: to their size if that is a power of two up to 16, else to the
 * largest power of two that divides it, at most 16. */
static inline uint32_t fh_param_alignment(uint32_t size) {
    uint32_t lowest = size & (0u - size);
    return lowest < 16 ? lowest : 16;
}

/* The stack that a kernel gets where the object does not say how much it needs. */
void fh_guess_stack(struct fh_kernel *kernel);
/* Keeps the sides of a block's bound; what bounds nothing, or is none, becomes zeros. */
void fh_max_threads(uint32_t to[3], const uint32_t sides[3]);
void fh_info_free(struct fh_info *info);

#endif
