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
#include "matrix_handlers.h"

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

/* ---------------------------------------------------------------- fast */

/* The row addresses, if all of them are as they should be; else false, and the lane-by-lane way
 * finds out what is to be said. */
static bool rows_at(const struct fh_warp *w, const struct fh_op *op, uint32_t rows,
                    uint32_t at[FH_LANES]) {
    const struct fh_address *a = &op->address;
    const uint32_t size = w->launch->image->shared_bytes, last = size - ROW_BYTES;
    const uint32_t *low = w->r[a->base], addend = w->ur[a->ureg] + (uint32_t)a->offset;
    if (a->wide || a->base64 || size < ROW_BYTES)
        return false;
    uint32_t bad = 0;
    for (uint32_t l = 0; l < rows; l++) {
        at[l] = (low[l] << a->shift) + addend;
        bad |= (at[l] & (ROW_BYTES - 1)) | (at[l] > last);
    }
    return !bad;
}

typedef uint16_t elements __attribute__((vector_size(ROW_BYTES)));

/* Interleaves the lower or upper halves of two rows. */
static inline elements zip_low(elements x, elements y) {
    return __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11);
}

static inline elements zip_high(elements x, elements y) {
    return __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15);
}

/* Interleaving row i with row i + 4 moves the top bit of the row's index below the bits of the
 * column's: after three times the column has become the row. */
static inline __attribute__((always_inline)) void interleave(const elements in[MATRIX_ROWS],
                                                             elements out[MATRIX_ROWS]) {
#pragma GCC unroll 4
    for (int i = 0; i < MATRIX_ROWS / 2; i++) {
        out[2 * i] = zip_low(in[i], in[i + MATRIX_ROWS / 2]);
        out[2 * i + 1] = zip_high(in[i], in[i + MATRIX_ROWS / 2]);
    }
}

/* One matrix from its rows' addresses to the register: the eight rows one after another, or the
 * eight columns, are the 32 lanes' words. */
static inline __attribute__((always_inline)) void
load_matrix(const uint8_t *shared, const uint32_t at[MATRIX_ROWS], bool transposed, uint32_t *out) {
    elements row[MATRIX_ROWS], once[MATRIX_ROWS], twice[MATRIX_ROWS];
#pragma GCC unroll 8
    for (int i = 0; i < MATRIX_ROWS; i++)
        memcpy(&row[i], shared + at[i], ROW_BYTES);
    if (transposed) {
        interleave(row, once);
        interleave(once, twice);
        interleave(twice, row);
    }
#pragma GCC unroll 8
    for (int i = 0; i < MATRIX_ROWS; i++)
        memcpy(out + 4 * i, &row[i], ROW_BYTES);
}

bool fh_exec_ldsm_fast(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const uint32_t count = 1U << op->mod[FH_LDSM_m_count];
    const bool transposed = op->mod[FH_LDSM_m_mode] == FH_LDSM_mode_MT88;
    uint32_t at[FH_LANES];
    if (active != UINT32_MAX || !rows_at(w, op, MATRIX_ROWS * count, at))
        return fh_exec_ldsm(w, op, active);
    const uint8_t *shared = fh_shared_bytes(w);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *out = w->r[op->row[FH_LDSM_Rd] + i];
        if (transposed)
            load_matrix(shared, &at[MATRIX_ROWS * i], true, out);
        else
            load_matrix(shared, &at[MATRIX_ROWS * i], false, out);
    }
    return true;
}
