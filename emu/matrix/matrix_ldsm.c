/*
 * matrix_ldsm.c - LDSM: 8x8 matrices of 16-bit elements from shared memory into fragments.
 *
 * Lanes 8i..8i+7 give the addresses of the eight 16-byte rows of matrix i, which becomes register i
 * of all lanes: lane l gets elements (l/4, 2(l%4)) and the one to its right, or with MT88 the same
 * elements of the transposed matrix. An address is checked, and at fault, on the lane that gives
 * it; the address registers of the other lanes do not matter.
 */
#include "isa_names.h"

#include "handlers.h"

#include <string.h>

#include "launch.h"
#include "matrix_fragment.h"
#include "space.h"

enum { MATRIX_ROWS = 8, MATRIX_COLUMNS = 8, ROW_BYTES = 16 };

/* The rows, matrix after matrix. Bytes become elements as they lie: hosts are little-endian. */
struct matrices {
    uint16_t row[4 * MATRIX_ROWS][MATRIX_COLUMNS];
};

/* Reads the rows of `count` matrices. False after a fault. */
static bool read_rows(struct fh_warp *w, const struct fh_op *op, uint32_t count,
                      struct matrices *out) {
    uint64_t address[FH_LANES];
    uint32_t rows = MATRIX_ROWS * count, suppliers = UINT32_MAX >> (FH_LANES - rows);
    fh_address_lanes(w, &op->address, address);
    if (!fh_shared_check(w, op, suppliers, address, ROW_BYTES, false))
        return false;
    const uint8_t *shared = fh_shared_bytes(w);
    for (uint32_t i = 0; i < rows; i++)
        memcpy(out->row[i], shared + address[i], ROW_BYTES);
    return true;
}

bool fh_exec_ldsm(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    static const char *const names[2][3] = {
        {"LDSM.16.M88", "LDSM.16.M88.2", "LDSM.16.M88.4"},
        {"LDSM.16.MT88", "LDSM.16.MT88.2", "LDSM.16.MT88.4"},
    };
    struct matrices in;
    uint32_t count = 1U << op->mod[FH_LDSM_m_count];
    uint32_t elements[4 * MATRIX_ROWS * MATRIX_COLUMNS];
    if (!fh_all_lanes(w, op, active) || !read_rows(w, op, count, &in))
        return false;
    for (uint32_t row = 0; row < count * MATRIX_ROWS; row++)
        for (uint32_t column = 0; column < MATRIX_COLUMNS; column++)
            elements[row * MATRIX_COLUMNS + column] = in.row[row][column];
    const char *name = names[op->mod[FH_LDSM_m_mode]][op->mod[FH_LDSM_m_count]];
    fh_matrix_write_32(name, "D", elements, w, op->row[FH_LDSM_Rd]);
    return true;
}
