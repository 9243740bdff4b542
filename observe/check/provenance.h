/*
 * provenance.h - whose address each register holds: of a buffer that a kernel parameter, or memory,
 * names, or of a variable of shared memory that the source names; through moves and sums.
 *
 * A number is an origin: 0, none (plain data); FH_ORIGIN_MIXED, several, or what has been done to
 * an address leaves nobody's, for instance the difference of two. What is mixed stays mixed:
 * compilers count from one buffer to another by such differences.
 */
#ifndef FH_PROVENANCE_H
#define FH_PROVENANCE_H

#include "fhec_observe.h"

enum { FH_ORIGIN_MIXED = 0xffff, FH_ORIGIN_SHARED = 0x8000 };

/* What an instruction does to origins: made once for each. */
enum fh_origin_rule {
    FH_ORIGIN_NOTHING, /* it writes no registers */
    FH_ORIGIN_FROM,   /* the sum of its sources, of which those in `spoils` must not be addresses */
    FH_ORIGIN_CHOICE, /* one of its sources */
    FH_ORIGIN_LANES,  /* that of a lane of its first source */
    FH_ORIGIN_LOAD,   /* of the values that memory gave */
};
struct fh_origin_plan {
    enum fh_origin_rule rule;
    uint8_t source_count, written_count;
    uint8_t sources[6];                  /* operands */
    uint8_t spoils;                      /* bit i: sources[i] */
    uint8_t written[4];                  /* uses */
    uint8_t address_count, addresses[2]; /* operands */
};
void fh_origin_plan_make(void *plan, const fhec_instruction *instruction);

/* The registers of a warp. */
struct fh_origin_warp {
    uint32_t block[3], warp;
    uint16_t r[256][FHEC_WARP_LANES], ur[64];
    uint64_t some[4]; /* bit for each R: some lane of it has an origin */
    struct fh_origin_warp *next;
};

/* Of a launch: origins of the parameters, by words. */
struct fh_origin_params {
    uint16_t *words;
    size_t count;
};

/* What an instruction adds that its registers do not show. */
struct fh_origin_extra {
    uint16_t immediate; /* of the variable that its source names; 0: none */
    bool loaded;        /* `values` is what memory gave: */
    uint16_t values[4][FHEC_WARP_LANES];
};

/* The retirement of an instruction. */
void fh_origin_retire(struct fh_origin_warp *w, const struct fh_origin_plan *plan,
                      const fhec_instruction *instruction, const struct fh_origin_params *params,
                      const struct fh_origin_extra *extra, uint32_t active);
/* The origin of a lane's address in an operand, with that of the number beside its registers. */
uint16_t fh_origin_address(const struct fh_origin_warp *w, const fhec_operand *operand,
                           uint16_t immediate, uint32_t lane);

#endif
