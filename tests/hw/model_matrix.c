/*
 * model_matrix.c - what the rows of matrix.def should give: the fragments of mma and
 * ldmatrix from the PTX manual's figures, and the definition of the product.
 */
#include "hw.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

/* Word `word` of a lane's operands. */
static u32 word_of(const struct hw_warp *w, unsigned lane, unsigned word) {
    return (u32)(w->x[word / 2][lane] >> 32 * (word % 2));
}

struct product {
    unsigned m, k, bits; /* N is 8; bits of a factor */
    bool a_signed, b_signed, saturate;
};

enum { A_WORD = 0, B_WORD = 4, C_WORD = 6 };

static s64 factor(u32 word, unsigned slot, unsigned bits, bool is_signed) {
    s64 v = (word >> slot * bits) & ((1u << bits) - 1);
    return is_signed && v >> (bits - 1) ? v - ((s64)1 << bits) : v;
}

/* A register holds 32 / bits neighbours of a row; a lane group of four covers a row of `width`
 * registers. Rows 8 and up are in the odd registers of a 16-row A, further columns come after. */
static s64 a_element(const struct hw_warp *w, const struct product *p, unsigned row, unsigned i) {
    unsigned slots = 32 / p->bits, chunk = i / (4 * slots), within = i % (4 * slots);
    unsigned lane = 4 * (row % 8) + within / slots;
    unsigned reg = p->m == 16 ? 2 * chunk + row / 8 : chunk;
    return factor(word_of(w, lane, A_WORD + reg), within % slots, p->bits, p->a_signed);
}
static s64 b_element(const struct hw_warp *w, const struct product *p, unsigned i,
                     unsigned column) {
    unsigned slots = 32 / p->bits, chunk = i / (4 * slots), within = i % (4 * slots);
    unsigned lane = 4 * column + within / slots;
    return factor(word_of(w, lane, B_WORD + chunk), within % slots, p->bits, p->b_signed);
}

/* Register `reg` of D: row lane / 4, 8 more in registers 2 and 3; column 2 (lane % 4), odd
 * registers the next one. */
static u64 multiplied(const struct hw_warp *w, unsigned lane, unsigned reg,
                      const struct product *p) {
    unsigned row = lane / 4 + 8 * (reg / 2), column = 2 * (lane % 4) + reg % 2;
    s64 sum = (int32_t)word_of(w, lane, C_WORD + reg);
    for (unsigned i = 0; i < p->k; i++)
        sum += a_element(w, p, row, i) * b_element(w, p, i, column);
    if (p->saturate)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (u32)sum;
}

#define REGISTER(name, reg, ...)                                                                   \
    HW_MODEL(name##_##reg);                                                                        \
    HW_MODEL(name##_##reg) {                                                                       \
        return multiplied(w, lane, reg, &(struct product){__VA_ARGS__});                           \
    }
#define PRODUCT8(name, ...)                                                                        \
    REGISTER(name, 0, 8, __VA_ARGS__)                                                              \
    REGISTER(name, 1, 8, __VA_ARGS__)
#define PRODUCT16(name, ...)                                                                       \
    REGISTER(name, 0, 16, __VA_ARGS__)                                                             \
    REGISTER(name, 1, 16, __VA_ARGS__)                                                             \
    REGISTER(name, 2, 16, __VA_ARGS__)                                                             \
    REGISTER(name, 3, 16, __VA_ARGS__)
#define SIGNS(PRODUCT, name, k)                                                                    \
    PRODUCT(name##_u8_u8, k, 8, false, false, false)                                               \
    PRODUCT(name##_u8_s8, k, 8, false, true, false)                                                \
    PRODUCT(name##_s8_u8, k, 8, true, false, false)                                                \
    PRODUCT(name##_s8_s8, k, 8, true, true, false)
SIGNS(PRODUCT8, mma_8816, 16)
SIGNS(PRODUCT16, mma_16816, 16)
SIGNS(PRODUCT16, mma_16832, 32)
PRODUCT16(mma_16816_s8_sat, 16, 8, true, true, true)
PRODUCT16(mma_16832_u8_sat, 32, 8, false, true, true)
PRODUCT8(mma_8832_u4_u4, 32, 4, false, false, false)
PRODUCT8(mma_8832_s4_s4, 32, 4, true, true, false)
PRODUCT16(mma_16832_u4_u4, 32, 4, false, false, false)
PRODUCT16(mma_16832_s4_u4, 32, 4, true, false, false)
PRODUCT16(mma_16864_s4_s4, 64, 4, true, true, false)
PRODUCT16(mma_16864_u4_s4, 64, 4, false, true, false)

/* ---------------------------------------------------------------- ldmatrix */

/* Element `column` of row `row` of matrix `matrix`: its address comes from lane 8 matrix + row,
 * which names the 16 bytes that another lane has stored. */
static u32 stored(const struct hw_warp *w, unsigned matrix, unsigned row, unsigned column) {
    unsigned owner = word_of(w, 8 * matrix + row, 4) % HW_LANES;
    return word_of(w, owner, column / 2) >> 16 * (column % 2) & 0xffff;
}
#define LOADED(name, matrix)                                                                       \
    HW_MODEL(name##_##matrix);                                                                     \
    HW_MODEL(name##_##matrix) {                                                                    \
        unsigned row = lane / 4, column = 2 * (lane % 4);                                          \
        return stored(w, matrix, row, column) | stored(w, matrix, row, column + 1) << 16;          \
    }                                                                                              \
    HW_MODEL(name##_t_##matrix);                                                                   \
    HW_MODEL(name##_t_##matrix) {                                                                  \
        unsigned row = 2 * (lane % 4), column = lane / 4;                                          \
        return stored(w, matrix, row, column) | stored(w, matrix, row + 1, column) << 16;          \
    }
LOADED(ldmatrix_x1, 0)
LOADED(ldmatrix_x2, 0)
LOADED(ldmatrix_x2, 1)
LOADED(ldmatrix_x4, 0)
LOADED(ldmatrix_x4, 1)
LOADED(ldmatrix_x4, 2)
LOADED(ldmatrix_x4, 3)
