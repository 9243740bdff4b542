/*
 * float_rows.h - floating point of the 32 lanes of a warp at once, by the host's own: what the fast
 * engine has in place of the functions of lane.h that go by float.h, which stay the definition.
 *
 * The results are those of float.h, bit by bit, for all sources: each function says why. What they
 * all rely on: the host adds, multiplies, and multiplies and adds binary32 and binary64 as IEEE 754
 * says, to nearest, without flushing subnormal numbers (host_float.h sees to that); its NaN results
 * are replaced by the canonical ones. Rounding modes of the host are never changed.
 *
 * Rows are aligned to 64 bytes; a result's may be a source's. Operands of two registers are two
 * rows, the one behind the other in sources.
 */
#ifndef FH_FLOAT_ROWS_H
#define FH_FLOAT_ROWS_H

#include "float.h"

/* `how` of the functions here: enum fh_float_how, and above it flags, the signs of source i (0 A, 1
 * the second one, 2 the third one) and, of halves, its part. */
enum fh_row_how {
    FH_NAN_WINS = 1 << 4,     /* of minimum and maximum */
    FH_OF_BF16 = 1 << 5,      /* of halves: BF16, not F16 */
    FH_KEEPS_ADDEND = 1 << 6, /* see half_fma */
    FH_NAN_IS_ZERO = 1 << 7,  /* as an integer */
    FH_SIGNS = 8,             /* from this bit on two bits for each source: negated, absolute */
    FH_RELU = 1 << 14,        /* negative results become +0 */
    FH_PARTS = 16,            /* from this bit on two bits for each source: see half_source */
};
#define FH_SIGNS_OF(i, negated, absolute)                                                          \
    ((negated) << (FH_SIGNS + 2 * (i)) | (absolute) << (FH_SIGNS + 1 + 2 * (i)))
#define FH_PART_OF(i, part) ((part) << (FH_PARTS + 2 * (i)))

/* What comparisons of F64 know beside the 16 relations of fh_float_compare: a is the smaller, or
 * the larger one, as fh_float_select has it, and no NaN; both are NaN. */
enum fh_row_relation { FH_SMALLER = 16, FH_LARGER, FH_BOTH_NAN };

/* d is the row of the result, low and high those of one of 64 bits. Lane masks are truth values. */
struct fh_float_rows {
    /* F32: a + b; a b 2^scale; a b + c; comparison; the smaller one in the lanes of `smaller`, the
     * larger one in others. */
    void (*add)(uint32_t *d, const uint32_t *a, const uint32_t *b, uint32_t how);
    void (*multiply)(uint32_t *d, const uint32_t *a, const uint32_t *b, int32_t scale,
                     uint32_t how);
    void (*multiply_add)(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                         uint32_t how);
    uint32_t (*compare)(const uint32_t *a, const uint32_t *b, uint32_t relations, uint32_t how);
    void (*select)(uint32_t *d, const uint32_t *a, const uint32_t *b, uint32_t smaller,
                   uint32_t how);
    /* F64, without .FTZ and .SAT. */
    void (*add_64)(uint32_t *low, uint32_t *high, const uint32_t *a, const uint32_t *b,
                   uint32_t how);
    void (*multiply_64)(uint32_t *low, uint32_t *high, const uint32_t *a, const uint32_t *b,
                        uint32_t how);
    void (*multiply_add_64)(uint32_t *low, uint32_t *high, const uint32_t *a, const uint32_t *b,
                            const uint32_t *c, uint32_t how);
    uint32_t (*compare_64)(const uint32_t *a, const uint32_t *b, uint32_t relations, uint32_t how);
    /* Pairs of halves, to nearest: in the lanes of `positive` negative results are +0; the
     * lane mask of the low halves, from bit 32 on that of the high ones; the sum of the low halves
     * as F32. */
    void (*add_halves)(uint32_t *d, const uint32_t *a, const uint32_t *b, uint32_t how);
    void (*multiply_halves)(uint32_t *d, const uint32_t *a, const uint32_t *b, uint32_t how);
    void (*multiply_add_halves)(uint32_t *d, const uint32_t *a, const uint32_t *b,
                                const uint32_t *c, uint32_t positive, uint32_t how);
    uint64_t (*compare_halves)(const uint32_t *a, const uint32_t *b, uint32_t relations,
                               uint32_t how);
    /* Halves that are `one` or 0: whether a comparison, combined with the lane's predicate as
     * `operation` of combine says, is true. */
    void (*set_halves)(uint32_t *d, const uint32_t *a, const uint32_t *b, uint32_t relations,
                       uint32_t operation, uint32_t predicate, uint32_t one, uint32_t how);
    void (*select_halves)(uint32_t *d, const uint32_t *a, const uint32_t *b, uint32_t smaller,
                          uint32_t how);
    void (*add_widened)(uint32_t *d, const uint32_t *a, const uint32_t *b, uint32_t how);
    /* Conversions; `high` is for results of 64 bits. Formats are enum fh_float_format; of halves
     * the low one of a row counts, after parts, and as a result the other one is 0. Integers have
     * types: 0 U8, 1 S8, 2 U16, 3 S16, 4 U32, 5 S32, 6 U64, 7 S64; narrow ones are part 0 to 3 of a
     * source and are extended to 32 bits as a result. BF16 is a result of F32 only, .RELU is for it
     * and F16 from F32. Of results that are halves .FTZ is about the source. */
    void (*to_integer)(uint32_t *low, uint32_t *high, const uint32_t *a, uint32_t from,
                       uint32_t type, uint32_t how);
    void (*from_integer)(uint32_t *low, uint32_t *high, const uint32_t *a, uint32_t to,
                         uint32_t type, uint32_t how);
    void (*convert)(uint32_t *low, uint32_t *high, const uint32_t *a, uint32_t to, uint32_t from,
                    uint32_t how);
    /* To integral values. */
    void (*integral)(uint32_t *low, uint32_t *high, const uint32_t *a, uint32_t format,
                     uint32_t how);
    /* MUFU, enum fh_special: of F32 or of high words of F64; of halves. */
    void (*special)(uint32_t *d, const uint32_t *a, uint32_t function, uint32_t how);
    void (*special_halves)(uint32_t *d, const uint32_t *a, uint32_t function, uint32_t how);
};
extern const struct fh_float_rows fh_float_rows_portable, fh_float_rows_avx2, fh_float_rows_avx512;

#endif
