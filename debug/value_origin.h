/*
 * value_origin.h - what a value was made of, from the debugger's time back: the launches until then
 * run once more on a machine of their own, with a journal (journal.h).
 */
#ifndef FH_DEBUG_VALUE_ORIGIN_H
#define FH_DEBUG_VALUE_ORIGIN_H

#include "debugger.h"
#include "slice.h"

/* What is asked for: bytes of global memory, or a register of the focus' warp. */
struct fh_explain {
    bool memory;
    uint64_t address;
    uint32_t bytes; /* at most 8 */
    fhec_register_file file;
    uint32_t reg, lane;
    struct fh_slice_limits limits;
    size_t most_bytes; /* that the journal may take */
};

struct fh_explanation {
    struct fh_journal *journal;
    struct fh_slice slice; /* empty: nothing is kept that wrote the register */
    uint32_t writer;       /* of a register: the step; FH_NO_STEP: none is kept */
    bool forgotten;        /* one may have been */
};

/* To be freed in any case. FHEC_BAD_INPUT: the memory is not all there. What went wrong stands in
 * fh_debugger_error. */
fhec_status fh_debugger_explain(struct fh_debugger *debugger, const struct fh_explain *asked,
                                struct fh_explanation *explanation);
void fh_explanation_free(struct fh_explanation *explanation);

#endif
