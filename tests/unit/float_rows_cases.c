/* float_rows_cases.c - see float_rows_cases.h. */
#include "float_rows_cases.h"

#include "lane_float.h"

enum {
    SIGNS_2 = 15 << FH_SIGNS,
    SIGNS_3 = 63 << FH_SIGNS,
    PARTS_2 = 15 << FH_PARTS,
    PARTS_3 = 63 << FH_PARTS,
    ALL = FH_ROUND_MASK | FH_FTZ | FH_SAT,
    HALF_RULES = FH_FTZ | FH_SAT,
};

/* The sign and the bars of source i. */
#define SIGN(i) how >> (FH_SIGNS + 2 * (i)) & 1, how >> (FH_SIGNS + 1 + 2 * (i)) & 1
#define RULES   how &FH_ROUND_MASK, how >> 2 & 1, how >> 3 & 1
#define FTZ     how >> 2 & 1
#define SAT     how >> 3 & 1
#define HALF(i) how >> (FH_PARTS + 2 * (i)) & 3, SIGN(i)

/* Which lanes take the smaller one, and so on: any mask will do. */
static uint32_t lanes_of(uint32_t more) {
    return more == 0 ? UINT32_MAX : more == 1 ? 0 : 0x9c35a7f0;
}

static uint32_t lane_in(uint32_t more, uint32_t lane) {
    return lanes_of(more) >> lane & 1;
}

static void mask_to_row(uint32_t *d, uint32_t mask) {
    for (uint32_t l = 0; l < LANES; l++)
        d[l] = mask >> l & 1;
}

/* A function of two rows, and one of three: `call` has d, a, b, c, how and more. */
#define ROWS(name, call)                                                                           \
    static void rows_##name(const struct fh_float_rows *at, struct rows *r, uint32_t how,          \
                            uint32_t more) {                                                       \
        uint32_t *const d = r->result, *const a = r->source[0], *const b = r->source[1];           \
        uint32_t *const c = r->source[2], *const high = d + LANES;                                 \
        (void)more, (void)c, (void)high;                                                           \
        call;                                                                                      \
    }                                                                                              \
    static void over_##name(const struct fh_float_rows *at, struct rows *r, unsigned source) {     \
        const uint32_t how = 0, more = 0;                                                          \
        uint32_t *const d = r->source[source], *const a = r->source[0], *const b = r->source[1];   \
        uint32_t *const c = r->source[2], *const high = d + LANES;                                 \
        (void)how, (void)more, (void)c, (void)high;                                                \
        call;                                                                                      \
    }
#define LANE(name, value)                                                                          \
    static uint64_t lane_##name(uint64_t a64, uint64_t b64, uint64_t c64, uint32_t how,            \
                                uint32_t more, uint32_t lane) {                                    \
        const uint32_t a = (uint32_t)a64, b = (uint32_t)b64, c = (uint32_t)c64;                    \
        (void)a, (void)b, (void)c, (void)how, (void)more, (void)lane;                              \
        return value;                                                                              \
    }

/* FMUL's scale: 1 to 7 for 2^-3 to 2^3. */
ROWS(add, at->add(d, a, b, how))
LANE(add, float_add(a, SIGN(0), b, SIGN(1), RULES))
ROWS(multiply, at->multiply(d, a, b, more ? (int32_t)more - 4 : 0, how))
LANE(multiply, float_multiply(a, SIGN(0), b, SIGN(1), more ? more : 4, RULES))
ROWS(multiply_add, at->multiply_add(d, a, b, c, how))
LANE(multiply_add, float_multiply_add(a, SIGN(0), b, SIGN(1), c, SIGN(2), RULES))

/* All sixteen comparisons. */
ROWS(compare, mask_to_row(d, at->compare(a, b, more, how)))
LANE(compare, lanes_float_compare(more, a, SIGN(0), b, SIGN(1), FTZ))
ROWS(select, at->select(d, a, b, lanes_of(more), how))
LANE(select, float_extreme(a, SIGN(0), b, SIGN(1), lane_in(more, lane), how >> 4 & 1, FTZ))

ROWS(add_64, at->add_64(d, high, a, b, how))
LANE(add_64, double_add(a64, SIGN(0), b64, SIGN(1), how &FH_ROUND_MASK))
ROWS(multiply_64, at->multiply_64(d, high, a, b, how))
LANE(multiply_64, double_multiply(a64, SIGN(0), b64, SIGN(1), how &FH_ROUND_MASK))
ROWS(multiply_add_64, at->multiply_add_64(d, high, a, b, c, how))
LANE(multiply_add_64,
     double_multiply_add(a64, SIGN(0), b64, SIGN(1), c64, SIGN(2), how &FH_ROUND_MASK))
/* DSETP's: 0 and 15 are others here, of which each has two results. */
static uint32_t relation_64(uint32_t more) {
    return more == 0 ? FH_SMALLER : more == 15 ? FH_LARGER : more >= 16 ? FH_BOTH_NAN : more;
}
ROWS(compare_64, (mask_to_row(d, at->compare_64(a, b, relation_64(more), how)),
                  memset(high, 0, LANES * sizeof *high)))
LANE(compare_64, more < 16 ? lanes_double_compare(more, a64, SIGN(0), b64, SIGN(1))
                           : lanes_double_other(0, 0, a64, SIGN(0), b64, SIGN(1)))

ROWS(add_halves, at->add_halves(d, a, b, how))
LANE(add_halves, half_add(a, HALF(0), b, HALF(1), FTZ, SAT))
ROWS(multiply_halves, at->multiply_halves(d, a, b, how))
LANE(multiply_halves, half_multiply(a, HALF(0), b, HALF(1), FTZ, SAT))
ROWS(add_widened, at->add_widened(d, a, b, how))
LANE(add_widened, half_add_widened(a, HALF(0), b, HALF(1), FTZ, SAT))
/* The first value of `more`: a product of zeros keeps the addend. */
ROWS(fused_halves,
     at->multiply_add_halves(d, a, b, c, 0, how | (how & HALF_RULES ? 0 : FH_KEEPS_ADDEND)))
LANE(fused_halves, half_multiply_add(FH_F16, a, HALF(0), b, HALF(1), c, HALF(2), FTZ, SAT))
ROWS(relu_halves, at->multiply_add_halves(d, a, b, c, lanes_of(more), how))
LANE(relu_halves, half_multiply_add_relu(FH_F16, a, HALF(0), b, HALF(1), c, HALF(2),
                                         lane_in(more, lane), FTZ, SAT))
ROWS(fused_bf16, at->multiply_add_halves(d, a, b, c, 0, how | FH_OF_BF16 | FH_KEEPS_ADDEND))
LANE(fused_bf16, half_multiply_add(FH_BF16, a, HALF(0), b, HALF(1), c, HALF(2), 0, 0))
ROWS(relu_bf16, at->multiply_add_halves(d, a, b, c, lanes_of(more), how | FH_OF_BF16))
LANE(relu_bf16,
     half_multiply_add_relu(FH_BF16, a, HALF(0), b, HALF(1), c, HALF(2), lane_in(more, lane), 0, 0))
static void masks_to_row(uint32_t *d, uint64_t both) {
    for (uint32_t l = 0; l < LANES; l++)
        d[l] = (uint32_t)((both >> l & 1) | (both >> (32 + l) & 1) << 16);
}
static uint32_t both_halves(uint64_t both) {
    return (uint32_t)(both | both >> 16);
}
ROWS(compare_halves, masks_to_row(d, at->compare_halves(a, b, more, how)))
LANE(compare_halves, both_halves(lanes_half_compare(more, a, HALF(0), b, HALF(1), FTZ)))
/* `more`: the relations, then the operation. */
ROWS(set_halves,
     at->set_halves(d, a, b, more & 15, more >> 4, lanes_of(2), more & 1 ? 0x3c00 : 0xffff, how))
LANE(set_halves,
     half_set(more & 15, more >> 4, more & 1, a, HALF(0), b, HALF(1), lane_in(2, lane), FTZ))
ROWS(select_halves, at->select_halves(d, a, b, lanes_of(more), how))
LANE(select_halves,
     half_extreme(FH_F16, a, HALF(0), b, HALF(1), lane_in(more, lane), how >> 4 & 1, FTZ))
ROWS(select_bf16, at->select_halves(d, a, b, lanes_of(more), how | FH_OF_BF16))
LANE(select_bf16,
     half_extreme(FH_BF16, a, HALF(0), b, HALF(1), lane_in(more, lane), how >> 4 & 1, 0))

#define NAMED(name) #name, .rows = rows_##name, .over = over_##name, .lane = lane_##name
#define F32(name, n, bits, values)                                                                 \
    { NAMED(name), .format = FH_F32, .sources = n, .modifiers = bits, .mores = values }
#define F64(name, n, bits, values)                                                                 \
    {                                                                                              \
        NAMED(name), .format = FH_F64, .wide = true, .sources = n, .modifiers = bits,              \
                     .mores = values                                                               \
    }
#define F16(name, n, bits, values)                                                                 \
    { NAMED(name), .format = FH_F16, .sources = n, .modifiers = bits, .mores = values }
#define BF16(name, n, bits, values)                                                                \
    { NAMED(name), .format = FH_BF16, .sources = n, .modifiers = bits, .mores = values }
const struct function_case function_cases[] = {
    F32(add, 2, ALL | SIGNS_2, 1),
    F32(multiply, 2, ALL | SIGNS_2, 8),
    F32(multiply_add, 3, ALL | SIGNS_3, 1),
    F32(compare, 2, FH_FTZ | SIGNS_2, 16),
    F32(select, 2, FH_FTZ | (uint32_t)FH_NAN_WINS | SIGNS_2, 3),
    F64(add_64, 2, FH_ROUND_MASK | SIGNS_2, 1),
    F64(multiply_64, 2, FH_ROUND_MASK | SIGNS_2, 1),
    F64(multiply_add_64, 3, FH_ROUND_MASK | SIGNS_3, 1),
    F64(compare_64, 2, SIGNS_2, 17),
    F16(add_halves, 2, HALF_RULES | SIGNS_2 | PARTS_2, 1),
    F16(multiply_halves, 2, HALF_RULES | SIGNS_2 | PARTS_2, 1),
    F16(add_widened, 2, HALF_RULES | SIGNS_2 | PARTS_2, 1),
    F16(fused_halves, 3, HALF_RULES | SIGNS_3 | PARTS_3, 1),
    F16(relu_halves, 3, HALF_RULES | SIGNS_3 | PARTS_3, 3),
    BF16(fused_bf16, 3, SIGNS_3 | PARTS_3, 1),
    BF16(relu_bf16, 3, SIGNS_3 | PARTS_3, 3),
    F16(compare_halves, 2, FH_FTZ | SIGNS_2 | PARTS_2, 16),
    F16(set_halves, 2, FH_FTZ | SIGNS_2 | PARTS_2, 48),
    F16(select_halves, 2, FH_FTZ | (uint32_t)FH_NAN_WINS | SIGNS_2 | PARTS_2, 3),
    BF16(select_bf16, 2, FH_NAN_WINS | SIGNS_2 | PARTS_2, 3),
};
const size_t function_case_count = sizeof function_cases / sizeof *function_cases;
