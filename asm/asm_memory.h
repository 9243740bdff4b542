/*
 * asm_memory.h - memory and texts of a run of the assembler. What is allocated in the arena goes
 * with the run. Where there is no memory a->no_memory is set, which ends the run soon.
 */
#ifndef FH_ASM_MEMORY_H
#define FH_ASM_MEMORY_H

#include "source.h"

struct fh_asm;

/* In the arena; NULL when there is no memory. */
void *fh_asm_alloc(struct fh_asm *a, size_t size);
/* fh_grow, for what outlives the run or is freed at its end. Most times there is room. */
bool fh_asm_make_room(struct fh_asm *a, void *array, size_t *capacity, size_t count, size_t size);
static inline bool fh_asm_grow(struct fh_asm *a, void *array, size_t *capacity, size_t count,
                               size_t size) {
    return count <= *capacity || fh_asm_make_room(a, array, capacity, count, size);
}
/* The same for an array in the arena, where what it outgrows stays until the end. */
bool fh_asm_extend(struct fh_asm *a, void *array, size_t *capacity, size_t count, size_t size);
/* A malloc'd copy that the program will own; NULL when there is no memory. */
char *fh_copy_text(struct fh_asm *a, const char *text, size_t length);

/* Texts in the arena, "" when there is no memory; may be called many times in one expression. Very
 * long ones are cut. */
const char *fh_text(struct fh_asm *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *fh_text_of(struct fh_asm *a, const char *text, size_t length);
/* What the source has there. */
const char *fh_text_at(struct fh_asm *a, struct fh_span at);

#endif
