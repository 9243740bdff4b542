/* float_rows_cases.c - see float_rows_cases.h. */
#include "float_rows_cases.h"

enum {
    SIGNS_2 = 15 << FH_SIGNS,
    SIGNS_3 = 63 << FH_SIGNS,
    ALL = FH_ROUND_MASK | FH_FTZ | FH_SAT,
};

/* The sign and the bars of source i. */
#define SIGN(i) how >> (FH_SIGNS + 2 * (i)) & 1, how >> (FH_SIGNS + 1 + 2 * (i)) & 1
#define RULES   how &FH_ROUND_MASK, how >> 2 & 1, how >> 3 & 1

/* A function of two rows, and one of three: `call` has d, a, b, c, how and more. */
#define ROWS(name, call)                                                                           \
    static void rows_##name(const struct fh_float_rows *at, struct rows *r, uint32_t how,          \
                            uint32_t more) {                                                       \
        uint32_t *const d = r->result, *const a = r->source[0], *const b = r->source[1];           \
        uint32_t *const c = r->source[2];                                                          \
        (void)more, (void)c;                                                                       \
        call;                                                                                      \
    }                                                                                              \
    static void over_##name(const struct fh_float_rows *at, struct rows *r, unsigned source) {     \
        const uint32_t how = 0, more = 0;                                                          \
        uint32_t *const d = r->source[source], *const a = r->source[0], *const b = r->source[1];   \
        uint32_t *const c = r->source[2];                                                          \
        (void)how, (void)more, (void)c;                                                            \
        call;                                                                                      \
    }
#define LANE(name, value)                                                                          \
    static uint64_t lane_##name(uint64_t a64, uint64_t b64, uint64_t c64, uint32_t how,            \
                                uint32_t more) {                                                   \
        const uint32_t a = (uint32_t)a64, b = (uint32_t)b64, c = (uint32_t)c64;                    \
        (void)a, (void)b, (void)c, (void)how, (void)more;                                          \
        return value;                                                                              \
    }

/* FMUL's scale: 1 to 7 for 2^-3 to 2^3. */
ROWS(add, at->add(d, a, b, how))
LANE(add, float_add(a, SIGN(0), b, SIGN(1), RULES))
ROWS(multiply, at->multiply(d, a, b, more ? (int32_t)more - 4 : 0, how))
LANE(multiply, float_multiply(a, SIGN(0), b, SIGN(1), more ? more : 4, RULES))
ROWS(multiply_add, at->multiply_add(d, a, b, c, how))
LANE(multiply_add, float_multiply_add(a, SIGN(0), b, SIGN(1), c, SIGN(2), RULES))

#define NAMED(name) #name, .rows = rows_##name, .over = over_##name, .lane = lane_##name
const struct function_case function_cases[] = {
    {NAMED(add), .format = FH_F32, .sources = 2, .modifiers = ALL | SIGNS_2, .mores = 1},
    {NAMED(multiply), .format = FH_F32, .sources = 2, .multiplies = true,
     .modifiers = ALL | SIGNS_2, .mores = 8},
    {NAMED(multiply_add), .format = FH_F32, .sources = 3, .modifiers = ALL | SIGNS_3, .mores = 1},
};
const size_t function_case_count = sizeof function_cases / sizeof *function_cases;
