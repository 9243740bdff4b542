/*
 * matrix_narrow.c - IMMA of 4-bit elements and BMMA of single bits, of all levels of the fast
 * engine.
 *
 * A word holds 8 or 32 elements along k of one row of A or one column of B, so an element of D is a
 * sum over words: word q of block b of A's row m lies in lane 4 (m mod 8) + q of register
 * (m div 8) + (rows / 8) b, of B's column n in lane 4 n + q of register b.
 */
#include "isa_names.h"
#include "matrix_fragment.h"
#include "matrix_handlers.h"

enum narrow_kind { NARROW_INT4, NARROW_XOR, NARROW_AND };

struct narrow {
    enum narrow_kind kind;
    uint32_t rows, blocks; /* blocks of 32 (4 bits) or 128 (1 bit) elements along k */
    bool a_signed, b_signed, saturate;
};

static int64_t nibble(uint32_t bits, bool is_signed) {
    uint32_t x = bits & 15;
    return is_signed && x & 8 ? (int64_t)x - 16 : (int64_t)x;
}

static uint32_t finished(const struct narrow *n, int64_t sum) {
    if (!n->saturate)
        return (uint32_t)sum;
    return (uint32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
}

static int64_t word_product(const struct narrow *n, uint32_t a, uint32_t b) {
    if (n->kind != NARROW_INT4)
        return __builtin_popcount(n->kind == NARROW_XOR ? a ^ b : a & b);
    int64_t sum = 0;
    for (uint32_t i = 0; i < 32; i += 4)
        sum += nibble(a >> i, n->a_signed) * nibble(b >> i, n->b_signed);
    return sum;
}

static void narrow(const struct narrow *n, const fh_row *a, const fh_row *b, const fh_row *c,
                   fh_row *d) {
    fh_row result[4];
    uint32_t halves = n->rows / 8;
    for (uint32_t half = 0; half < halves; half++) {
        for (uint32_t i = 0; i < 64; i++) {
            uint32_t g = i / 8, column = i % 8, reg = 2 * half + column % 2;
            uint32_t lane = 4 * g + column / 2;
            int64_t sum = (int32_t)c[reg][lane];
            for (uint32_t k = 0; k < n->blocks; k++)
                for (uint32_t q = 0; q < 4; q++)
                    sum += word_product(n, a[half + halves * k][4 * g + q], b[k][4 * column + q]);
            result[reg][lane] = finished(n, sum);
        }
    }
    for (uint32_t reg = 0; reg < 2 * halves; reg++)
        for (uint32_t lane = 0; lane < FH_LANES; lane++)
            d[reg][lane] = result[reg][lane];
}

/* ---------------------------------------------------------------- handlers */

bool fh_exec_imma4_fast(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    if (!fh_all_lanes(w, op, active))
        return false;
    uint32_t shape = op->mod[FH_IMMA_4_m_shape];
    struct narrow n = {
        .kind = NARROW_INT4,
        .rows = shape == FH_IMMA_4_shape_8832 ? 8 : 16,
        .blocks = shape == FH_IMMA_4_shape_16864 ? 2 : 1,
        .a_signed = op->mod[FH_IMMA_4_m_ta] == FH_IMMA_4_ta_S4,
        .b_signed = op->mod[FH_IMMA_4_m_tb] == FH_IMMA_4_tb_S4,
        .saturate = op->mod[FH_IMMA_4_m_SAT] != 0,
    };
    narrow(&n, &w->r[op->row[FH_IMMA_4_A]], &w->r[op->row[FH_IMMA_4_B]],
           &w->r[op->row[FH_IMMA_4_C]], &w->r[op->row[FH_IMMA_4_Rd]]);
    return true;
}

bool fh_exec_bmma_fast(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    if (!fh_all_lanes(w, op, active))
        return false;
    uint32_t shape = op->mod[FH_BMMA_m_shape];
    struct narrow n = {
        .kind = op->mod[FH_BMMA_m_op] == FH_BMMA_op_XOR ? NARROW_XOR : NARROW_AND,
        .rows = shape == FH_BMMA_shape_88128 ? 8 : 16,
        .blocks = shape == FH_BMMA_shape_168256 ? 2 : 1,
    };
    narrow(&n, &w->r[op->row[FH_BMMA_A]], &w->r[op->row[FH_BMMA_B]], &w->r[op->row[FH_BMMA_C]],
           &w->r[op->row[FH_BMMA_Rd]]);
    return true;
}
