/*
 * space_ldsm.h - LDSM of the fast engine, at the SIMD level of the including file. Part of
 * space_fast.inc; what the instruction does: matrix_ldsm.c, which has the last word on faults.
 */
#ifndef FH_SPACE_LDSM_H
#define FH_SPACE_LDSM_H

#include "space_move.h"

enum { MATRIX_ROWS = 8, ROW_BYTES = 16 };

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
ALWAYS_INLINE void interleave(const elements in[MATRIX_ROWS], elements out[MATRIX_ROWS]) {
#pragma GCC unroll 4
    for (int i = 0; i < MATRIX_ROWS / 2; i++) {
        out[2 * i] = zip_low(in[i], in[i + MATRIX_ROWS / 2]);
        out[2 * i + 1] = zip_high(in[i], in[i + MATRIX_ROWS / 2]);
    }
}

/* Eight vectors one after another, by as few stores as there can be. */
ALWAYS_INLINE void store_vectors(uint32_t *out, const elements v[MATRIX_ROWS]) {
#if defined __AVX512F__
#pragma GCC unroll 2
    for (int i = 0; i < MATRIX_ROWS; i += 4) {
        __m512i z = _mm512_castsi128_si512((__m128i)v[i]);
        z = _mm512_inserti32x4(z, (__m128i)v[i + 1], 1);
        z = _mm512_inserti32x4(z, (__m128i)v[i + 2], 2);
        _mm512_store_si512(out + 4 * i, _mm512_inserti32x4(z, (__m128i)v[i + 3], 3));
    }
#else
#pragma GCC unroll 8
    for (int i = 0; i < MATRIX_ROWS; i++)
        memcpy(out + 4 * i, &v[i], ROW_BYTES);
#endif
}

/* One matrix from its rows' places to the register: the eight rows one after another, or the eight
 * columns, are the 32 lanes' words. */
ALWAYS_INLINE void load_matrix(const uint8_t *shared, const uint32_t at[MATRIX_ROWS],
                               const bool transposed, uint32_t *out) {
    elements row[MATRIX_ROWS], once[MATRIX_ROWS], twice[MATRIX_ROWS];
#pragma GCC unroll 8
    for (int i = 0; i < MATRIX_ROWS; i++)
        memcpy(&row[i], shared + at[i], ROW_BYTES);
    if (transposed) {
        interleave(row, once);
        interleave(once, twice);
        interleave(twice, row);
    }
    store_vectors(out, row);
}

/* The places of so many rows. False if one of them is out of reach. */
ALWAYS_INLINE bool row_places(const uint32_t x[FH_LANES], struct reach r, uint32_t rows,
                              uint32_t at[FH_LANES]) {
    uint32_t bad = 0;
    for (uint32_t i = 0; i < rows; i++) {
        at[i] = (x[i] << r.shift) - r.from;
        bad |= (at[i] & (ROW_BYTES - 1)) | (at[i] > r.last);
    }
    return !bad;
}

static bool load_matrices(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const struct fh_address *a = &op->address;
    const uint32_t count = 1U << op->mod[FH_LDSM_m_count];
    const uint32_t size = w->launch->image->shared_bytes;
    _Alignas(64) uint32_t at[FH_LANES];
    if (active != UINT32_MAX || a->wide || a->base64 || size < ROW_BYTES)
        return by_body(w, op, active);
    const struct reach reach = {.from = 0U - (w->ur[a->ureg] + (uint32_t)a->offset),
                                .last = size - ROW_BYTES,
                                .shift = a->shift};
    if (!row_places(w->r[a->base], reach, MATRIX_ROWS * count, at))
        return by_body(w, op, active);
    const bool transposed = op->mod[FH_LDSM_m_mode] == FH_LDSM_mode_MT88;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *out = w->r[op->row[FH_LDSM_Rd] + i];
        if (transposed)
            load_matrix(w->block->shared, &at[MATRIX_ROWS * i], true, out);
        else
            load_matrix(w->block->shared, &at[MATRIX_ROWS * i], false, out);
    }
    return true;
}

#endif
