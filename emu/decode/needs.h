/*
 * needs.h - what the instructions of a kernel ask of every launch of it.
 */
#ifndef FH_NEEDS_H
#define FH_NEEDS_H

#include "exec.h"

/* Where a launch says, in constant bank 0, what it gives: the address of the workspace of a
 * cooperative launch, the higher half first; size, end and a place of the block's reserved shared
 * memory. PTX calls the last one %reserved_smem_offset_1, and cooperative groups have what they
 * need from there on, 288 bytes. What lies before it is not told. */
enum {
    FH_WORKSPACE_HIGH = 0x8c,
    FH_WORKSPACE_LOW = 0x90,
    FH_RESERVED_SIZE = 0x114,
    FH_RESERVED_END = 0x120,
    FH_RESERVED_OFFSET_1 = 0x124,
};

struct fh_needs {
    bool workspace;    /* they read its address */
    bool reserved;     /* they read where reserved shared memory is */
    uint16_t barriers; /* convergence barriers that they name, a bit for each */
};

/* Adds what the op, which has an instruction, asks for. */
void fh_needs_add(struct fh_needs *needs, const struct fh_op *op);

#endif
