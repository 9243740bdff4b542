/*
 * matrix_imma_ref.c - IMMA of the reference engine: fragments to matrices by the layouts of the
 * instruction set, the sum as it is defined, and back.
 */
#include "matrix_layout.h"

static int64_t element_value(uint32_t bits, bool is_signed) {
    return is_signed ? (int8_t)bits : (uint8_t)bits;
}

static uint32_t clamp(int64_t sum) {
    sum = sum > INT32_MAX ? INT32_MAX : sum;
    sum = sum < INT32_MIN ? INT32_MIN : sum;
    return (uint32_t)sum;
}

void fh_imma_ref(const struct fh_imma *imma, const fh_row *a, const fh_row *b, const fh_row *c,
                 fh_row *d) {
    const char *insn = imma->rows == 8     ? "IMMA.8816"
                       : imma->depth == 16 ? "IMMA.16816"
                                           : "IMMA.16832";
    uint32_t am[16 * 32], bm[32 * 8], cm[16 * 8], dm[16 * 8];
    fh_fragment_read(insn, "A", a, am);
    fh_fragment_read(insn, "B", b, bm);
    fh_fragment_read(insn, "C", c, cm);
    for (uint32_t m = 0; m < imma->rows; m++) {
        for (uint32_t n = 0; n < 8; n++) {
            int64_t sum = (int32_t)cm[m * 8 + n];
            for (uint32_t k = 0; k < imma->depth; k++)
                sum += element_value(am[m * imma->depth + k], imma->a_signed) *
                       element_value(bm[k * 8 + n], imma->b_signed);
            dm[m * 8 + n] = imma->saturate ? clamp(sum) : (uint32_t)sum;
        }
    }
    fh_fragment_write(insn, "D", dm, d);
}
