/*
 * dap_handles.h - what a number stands for that the client was given: a frame, or something with
 * variables in it. Numbers count from 1 and are good until the guest moves or is changed.
 */
#ifndef FH_CLI_DAP_HANDLES_H
#define FH_CLI_DAP_HANDLES_H

#include "dap.h"

enum fh_dap_handle_kind {
    FH_DAP_FRAME,
    /* Scopes. */
    FH_DAP_REGISTERS,  /* R of the frame's lane; each holds those of all lanes */
    FH_DAP_PREDICATES, /* P */
    FH_DAP_UNIFORM,    /* UR and UP */
    FH_DAP_LANES,      /* where each lane stands; each holds its registers */
    FH_DAP_PARAMETERS,
    FH_DAP_BUFFERS,   /* of global memory */
    FH_DAP_SHARED,    /* words of the block's shared memory */
    FH_DAP_FRAGMENTS, /* matrix operands of the instruction at the frame's pc */
    FH_DAP_ORIGINS,   /* of these, and of registers */
    /* What is in them. */
    FH_DAP_ROW,          /* one register of all lanes: file, number */
    FH_DAP_BUFFER,       /* words of buffer `number` */
    FH_DAP_FRAGMENT,     /* rows of operand `number` */
    FH_DAP_FRAGMENT_ROW, /* elements of row `row` of it */
    FH_DAP_ORIGIN_ROW,   /* of register R `number`, by lane */
    FH_DAP_ORIGIN_FRAGMENT,
    FH_DAP_ORIGIN_FRAGMENT_ROW,
};

struct fh_dap_handle {
    enum fh_dap_handle_kind kind;
    uint32_t block[3], warp, lane;
    uint64_t pc;
    fhec_register_file file;
    uint32_t number, row; /* row: of a fragment; of a frame its place on the stack */
};

/* The same number for the same thing; 0 without memory. */
json_int_t fh_dap_handle_add(struct fh_dap *dap, const struct fh_dap_handle *handle);
/* NULL, and FH_DAP_NO_SUCH has been said: there is none. Good until the next one is added. */
const struct fh_dap_handle *fh_dap_handle_get(struct fh_dap *dap, json_int_t number);

/* References are good until the guest moves. */
void fh_dap_forget_handles(struct fh_dap *dap);
/* Frame number `level` of a stack, where it stands at `pc`; 0 without memory. */
json_int_t fh_dap_frame_id(struct fh_dap *dap, const uint32_t block[3], uint32_t warp,
                           uint32_t lane, uint64_t pc, uint32_t level);

/* The frame's warp and lane become the focus. */
bool fh_dap_focus_frame(struct fh_dap *dap, json_int_t frame);

/* "0x0000002a", or for people who want numbers "42 (0x2a)". `hex` as the client's format says. */
json_t *fh_dap_word_json(uint32_t value, bool hex);

#endif
