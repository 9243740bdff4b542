/*
 * listing.h - sources that are listings: what `cuobjdump -sass` and `nvdisasm` print, pasted as it
 * is, whole or in part, edited or not.
 *
 * A listing is read in two passes. The first (listing.c) goes over the text by lines before the
 * scanner sees it: it notes the address and the word that stand beside an instruction, and what the
 * sections of nvdisasm say about a kernel, and replaces the frame, in place and without moving
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

#include "fhec.h"

struct fh_asm;
struct fh_buffer;
struct fh_inst;
struct fh_listing;

/* A line with an instruction. Offsets are those of the line's ends in the text. */
struct fh_listed {
    uint32_t begin, end;
    uint64_t address;
    fhec_word word;
    bool has_word;
};

/* Reads a file's text and blanks its frame. NULL if the text is no listing, or there is no memory
 * (no_memory is set). The caller frees it. */
struct fh_listing *fh_listing_read(struct fh_asm *a, struct fh_buffer *file);
void fh_listing_free(struct fh_listing *listing); /* NULL is fine */

/* The line of the statement in hand; NULL if it has no address. */
const struct fh_listed *fh_listing_line(struct fh_asm *a);
/* The name of the label that an address stands for. */
const char *fh_listing_label(struct fh_asm *a, uint64_t address);
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
