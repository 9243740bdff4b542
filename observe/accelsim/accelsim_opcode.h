/*
 * accelsim_opcode.h - what the text of an opcode says by itself: which memory it accesses and how.
 */
#ifndef FH_ACCELSIM_OPCODE_H
#define FH_ACCELSIM_OPCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fh_accelsim_kind {
    FH_ACCELSIM_OTHER, /* accesses no memory */
    FH_ACCELSIM_LOAD,
    FH_ACCELSIM_STORE,
    FH_ACCELSIM_ATOMIC,
    FH_ACCELSIM_COPY,     /* LDGSTS: from global to shared memory */
    FH_ACCELSIM_MATRICES, /* LDSM */
};
enum fh_accelsim_space {
    FH_ACCELSIM_GLOBAL,
    FH_ACCELSIM_SHARED,
    FH_ACCELSIM_LOCAL,
    FH_ACCELSIM_GENERIC,
};

struct fh_accelsim_opcode {
    enum fh_accelsim_kind kind;
    enum fh_accelsim_space space;
    uint32_t bytes; /* that each lane accesses */
    uint32_t width; /* what traces state for it: the first part N or UN by 8, else 4 */
    uint32_t lanes; /* whose addresses count; all but of MATRICES */
    bool barrier;   /* comes to a named barrier */
    bool passes_by; /* and does not wait there */
    bool exits;     /* EXIT */
};

/* Of the `length` bytes of `text`, "LDG.E.64". */
struct fh_accelsim_opcode fh_accelsim_opcode(const char *text, size_t length);

#endif
