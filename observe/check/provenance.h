/*
 * provenance.h - whose address each register holds: of a buffer that a kernel parameter, or memory,
 * names, of a variable of the program whose address an instruction or a constant holds, or of a
 * variable of shared memory that the source names; through moves, sums and differences.
 *
 * A number is an origin: 0, none (plain data, or how far apart two addresses of one variable are);
 * FH_ORIGIN_MIXED, several, or what has been done to an address leaves nobody's, for instance the
 * difference of two variables' addresses. What is mixed stays mixed: compilers count from one
 * buffer to another by such differences.
 *
 * Beside it there is what a register has of numbers that the code holds: an index without any is
 * not yet counted from where a variable lies in a constant bank.
 */
#ifndef FH_PROVENANCE_H
#define FH_PROVENANCE_H

#include "fhec_observe.h"

#include "number_map.h"

enum { FH_ORIGIN_MIXED = 0xffff, FH_ORIGIN_SHARED = 0x8000, FH_ORIGIN_VARIABLE = 0xc000 };

/* A set of registers, a bit for each R and UR. */
struct fh_origin_set {
    uint64_t r[4], ur;
};

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
    uint8_t spoils, subtracts;           /* bit i: sources[i] */
    bool numbers;                        /* a number of its own is added, or chosen */
    uint8_t written[4];                  /* uses */
    struct fh_origin_set reads, writes;  /* the registers among them */
    bool constants;                      /* there are some among the sources */
    bool indexed;                        /* a constant at an index */
    uint8_t address_count, addresses[2]; /* operands */
    uint8_t data_count, data;            /* operand that is stored, if data_count is 1 */
};
void fh_origin_plan_make(void *plan, const fhec_instruction *instruction);

/* The registers of a warp. */
struct fh_origin_warp {
    uint32_t block[3], warp;
    uint16_t r[256][FHEC_WARP_LANES], ur[64];
    struct fh_origin_set some;    /* some lane has an origin */
    struct fh_origin_set numbers; /* a number of the code's may be in it */
    struct fh_number_map local;   /* address_memory.h */
    struct fh_origin_warp *next;
};

/* A word of a constant bank that holds an address, or half of one. */
struct fh_origin_constant {
    uint32_t bank, offset;
    uint16_t origin;
};

/* Of a launch: origins of the parameters, by words, of other constants, and of the variables that
 * instructions name, by their words of code; 0: none. */
struct fh_origin_params {
    uint16_t *words;
    size_t count;
    struct fh_origin_constant *constants;
    size_t constant_count;
    uint16_t *named;
    size_t named_count;
};

/* What an instruction adds that its registers do not show. */
struct fh_origin_extra {
    uint16_t immediate; /* of the variable that its source names; 0: none */
    bool loaded;        /* `values` is what memory gave: */
    uint16_t values[4][FHEC_WARP_LANES];
};

/* Whether some lane of R `reg` has an origin. */
static inline bool fh_origin_some(const struct fh_origin_warp *w, uint32_t reg) {
    return w->some.r[reg / 64 & 3] >> (reg & 63) & 1;
}
/* Whether a number that the code holds may be in the registers of an operand. */
bool fh_origin_numbers(const struct fh_origin_warp *w, const fhec_operand *operand);
/* The retirement of an instruction. */
void fh_origin_retire(struct fh_origin_warp *w, const struct fh_origin_plan *plan,
                      const fhec_instruction *instruction, const struct fh_origin_params *params,
                      const struct fh_origin_extra *extra, uint32_t active);
/* The origin of a lane's address in an operand, with that of the number beside its registers. */
uint16_t fh_origin_address(const struct fh_origin_warp *w, const fhec_operand *operand,
                           uint16_t immediate, uint32_t lane);

#endif
