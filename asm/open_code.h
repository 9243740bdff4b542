/*
 * open_code.h - the code of the kernel or function that is being read: where it is, and what is
 * appended to it.
 */
#ifndef FH_OPEN_CODE_H
#define FH_OPEN_CODE_H

#include "output_section.h"

struct fh_asm;

/* Byte address of the next instruction. */
uint64_t fh_here(const struct fh_asm *a);
/* The address that a branch written as a number counts from: in a listing the one beside it. */
uint64_t fh_written_here(const struct fh_asm *a);
/* Index that the open code will have in the program, among kernels or functions. */
uint32_t fh_open_code_index(const struct fh_asm *a);
/* Whether a name is that of the open code. */
bool fh_is_own_name(const struct fh_asm *a, const char *name, size_t length);

/* Appends a word and its origin, the current statement. inst NULL: the word is no instruction that
 * is known. given: its scheduling fields stay as they are. */
void fh_append_word(struct fh_asm *a, fhec_word word, const struct fh_inst *inst, bool given);
bool fh_add_param(struct fh_asm *a, const char *name, size_t length, uint32_t offset,
                  uint32_t size);
/* One more variable of shared memory: 1 + its index; 0 without memory. */
uint16_t fh_add_shared(struct fh_asm *a, const char *name, size_t length, uint32_t offset,
                       uint32_t size);
/* Notes whose address the next word, that of the current statement, holds. */
void fh_add_shared_uses(struct fh_asm *a);
void fh_open_code_free(struct fh_open_code *code);

#endif
