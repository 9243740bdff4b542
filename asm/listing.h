/*
 * listing.h - sources that are listings: what `cuobjdump -sass` and `nvdisasm` print, pasted as it
 * is, whole or in part, edited or not.
 *
 * A listing is read in two passes. The first (listing_read.c) goes over the text by lines before
 * the lexer sees it: it notes the address and the word that stand beside an instruction, and what
 * the sections of nvdisasm say about a kernel, and replaces the frame, in place and without moving
 * anything else, by blanks or by directives of the dialect. The second is the assembler itself,
 * which asks here what was noted.
 *
 *     Function : k                                  .kernel    k
 *     .headerflags @"..."                   ---->   (blank)
 *     / *0010* /  BRA 0x110 ;  / * 0x... * /        the same; address and word in struct fh_listed
 *
 * An address in a listing names the instruction beside it, wherever that lies after an edit: every
 * listed instruction has the label that stands before it, and a branch to 0x110 goes to the label
 * of 0x110.
 */
#ifndef FH_LISTING_H
#define FH_LISTING_H

#include "bytes.h"
#include "fhec.h"
#include "source.h"

struct fh_asm;
struct fh_inst;

/* A line with an instruction. Offsets are those of the line's ends in the text. */
struct fh_listed {
    uint32_t begin, end;
    uint64_t address;
    fhec_word word;
    bool has_word;
};

struct fh_listing_param {
    uint32_t ordinal, offset, size;
};

/* What the sections about a kernel say. Counts and sizes are 0 where there is nothing. */
struct fh_listing_kernel {
    char *name;
    size_t name_length;
    struct fh_bytes parameters; /* all of bank 0, as zeros: only its size matters */
    struct fh_bytes shared;     /* the same */
    struct fh_bytes constants;  /* bank 2 */
    uint32_t registers, frame;  /* frame: bytes of the stack; UINT32_MAX: not known */
    uint32_t max_threads[3], required[3];
    uint32_t param_start; /* where parameters begin in bank 0, which their offsets count from */
    struct fh_listing_param *params;
    size_t param_count, param_capacity;
};

/* An EIATTR record of .nv.info. */
struct fh_attribute {
    bool open;                       /* it is being read */
    struct fh_listing_kernel *about; /* the function that index@(NAME) names */
    struct fh_bytes payload;         /* with the record's head of 4 bytes */
};

struct fh_listing {
    const struct fh_buffer *file;
    struct fh_listed *lines;
    size_t line_count, line_capacity;
    size_t at; /* line that was asked for last: statements come in order */
    struct fh_listing_kernel **kernels;
    size_t kernel_count, kernel_capacity;
};

void fh_listing_free(struct fh_listing *listing); /* NULL is fine */
/* Takes over what an attribute says about a kernel. */
void fh_attribute_apply(struct fh_asm *a, const struct fh_attribute *at,
                        struct fh_listing_kernel *k);
/* The architecture of code is named from `begin` to `end`. Its code is left out, with a warning; or
 * the file's code is for that machine. */
void fh_listing_foreign(struct fh_asm *a, const struct fh_buffer *file, const char *begin,
                        const char *end);
void fh_listing_machine(struct fh_asm *a, const struct fh_buffer *file, const char *begin,
                        const char *end, const fhec_limits *machine);

/* The line of the current statement; NULL if it has no address. */
const struct fh_listed *fh_listing_line(struct fh_asm *a);
/* Takes over what the text does not show: scheduling fields unless it has them, and a descriptor
 * that is hidden. Warns if the text is another instruction than the word. Bit i of `named`: operand
 * i is a name whose value is not known yet, and is not compared. */
void fh_listing_compare(struct fh_asm *a, const struct fh_listed *line, uint32_t named,
                        struct fh_inst *inst);

/* What the listing says about the kernel that has been opened: parameters, memory, registers. */
void fh_listing_open_kernel(struct fh_asm *a);
/* At its end: parameters and stack that nothing declares are inferred from the code. */
void fh_listing_close_kernel(struct fh_asm *a);

#endif
