/*
 * name_index.h - the names of one text: where each is defined, where it is used, and the blocks
 * that they stand in. It is made from the text as it is written: what no run of the assembler would
 * read, a macro that nobody calls, the other branch of a condition, is in it as well, and so is
 * what stands in a text that is wrong.
 */
#ifndef FH_NAME_INDEX_H
#define FH_NAME_INDEX_H

#include "source_tokens.h"

enum fh_name_kind {
    FH_NAME_LABEL,
    FH_NAME_REGISTERS, /* .reg */
    FH_NAME_NUMBER,    /* .equ, .set */
    FH_NAME_MACRO,
    FH_NAME_PARAMETER, /* of a macro or a repetition: \name */
    FH_NAME_CODE,      /* .kernel, .function, .extern */
    FH_NAME_DATA,      /* .param, .constant, .shared, .frame */
    FH_NAME_VALUE,     /* .let */
    FH_NAME_FILE,      /* a use only: of .include */
};

enum fh_block_kind { FH_BLOCK_TEXT, FH_BLOCK_CODE, FH_BLOCK_MACRO, FH_BLOCK_REPETITION };
enum { FH_BLOCK_WHOLE = 0 }; /* index of the whole text, which all other blocks are in */

/* Where names have a meaning of their own. */
struct fh_name_block {
    enum fh_block_kind kind;
    uint32_t outer;
    uint32_t begin, end; /* bytes, from its directive's line to the end of its last one */
};

struct fh_name {
    enum fh_name_kind kind;
    uint32_t begin, end;  /* bytes of the name */
    uint32_t first, last; /* of the statement that defines it, without its comment */
    uint32_t block;       /* that it is defined in; of a macro, the one around it */
    uint32_t body;        /* of a macro, of code: its block; else 0 */
};

struct fh_name_use {
    uint32_t begin, end;
    enum fh_name_kind kind; /* MACRO, PARAMETER, FILE; LABEL stands for all others */
    uint32_t block;
};

/* A part of a text that an editor can fold: lines from that of `begin` to that of `end`. */
struct fh_fold {
    uint32_t begin, end;
    bool comment;
};

struct fh_name_index {
    struct fh_name_block *blocks;
    size_t block_count, block_capacity;
    struct fh_name *names; /* in the order of the text */
    size_t name_count, name_capacity;
    struct fh_name_use *uses; /* the same; no definition is a use */
    size_t use_count, use_capacity;
    struct fh_fold *folds;
    size_t fold_count, fold_capacity;
};

/* False when there is no memory; then there is nothing to free. */
bool fh_name_index_make(struct fh_name_index *index, const char *text,
                        const struct fh_source_tokens *tokens);
void fh_name_index_free(struct fh_name_index *index);

/* Whether block `inner` is `outer` or lies in it. */
bool fh_block_within(const struct fh_name_index *index, uint32_t inner, uint32_t outer);
/* The innermost block of that kind around `block`; FH_BLOCK_WHOLE: there is none. */
uint32_t fh_block_around(const struct fh_name_index *index, uint32_t block,
                         enum fh_block_kind kind);

#endif
