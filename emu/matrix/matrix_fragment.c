/*
 * matrix_fragment.c - between fragments and plain matrices, by the layout tables: what the
 * reference engine does before and after its arithmetic.
 */
#include "matrix_fragment.h"

#include "fault.h"

#include <assert.h>
#include <stdio.h>

bool fh_all_lanes(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    if (active == UINT32_MAX)
        return true;
    char message[128];
    snprintf(message, sizeof message,
             "a matrix instruction needs all 32 lanes of the warp, but only those of mask 0x%08x "
             "execute it",
             active);
    return fh_fault_lanes(w, op, FHEC_FAULT_LANES, ~active, message);
}

/* The layouts are part of the instruction set, so a name that is not there is a mistake in the
 * program, not in its input. */
static size_t find(const char *insn, const char *operand, fhec_layout *layout) {
    size_t index = 0;
    fhec_status status = fhec_layout_find(insn, operand, &index);
    assert(status == FHEC_OK);
    (void)status;
    fhec_layout_get(index, layout);
    return index;
}

static fhec_place place_of(size_t index, const fhec_layout *layout, uint32_t i) {
    fhec_place place = {0};
    fhec_layout_place(index, (fhec_element){i / layout->columns, i % layout->columns}, &place);
    return place;
}

void fh_matrix_read_32(const char *insn, const char *operand, const struct fh_warp *w, uint16_t row,
                       uint32_t *matrix) {
    fhec_layout layout = {0};
    size_t index = find(insn, operand, &layout);
    for (uint32_t i = 0; i < layout.rows * layout.columns; i++) {
        fhec_place place = place_of(index, &layout, i);
        uint32_t word = w->r[row + place.reg][place.lane];
        matrix[i] = word >> (place.slot * layout.bits) & UINT32_MAX >> (32 - layout.bits);
    }
}

void fh_matrix_write_32(const char *insn, const char *operand, const uint32_t *matrix,
                        struct fh_warp *w, uint16_t row) {
    fhec_layout layout = {0};
    size_t index = find(insn, operand, &layout);
    for (uint32_t i = 0; i < layout.rows * layout.columns; i++) {
        fhec_place place = place_of(index, &layout, i);
        uint32_t *word = &w->r[row + place.reg][place.lane], shift = place.slot * layout.bits;
        uint32_t mask = UINT32_MAX >> (32 - layout.bits) << shift;
        *word = (*word & ~mask) | (matrix[i] << shift & mask);
    }
}

void fh_matrix_read_64(const char *insn, const char *operand, const struct fh_warp *w, uint16_t row,
                       uint64_t *matrix) {
    fhec_layout layout = {0};
    size_t index = find(insn, operand, &layout);
    for (uint32_t i = 0; i < layout.rows * layout.columns; i++) {
        fhec_place place = place_of(index, &layout, i);
        uint64_t high = w->r[row + place.reg + 1][place.lane];
        matrix[i] = high << 32 | w->r[row + place.reg][place.lane];
    }
}

void fh_matrix_write_64(const char *insn, const char *operand, const uint64_t *matrix,
                        struct fh_warp *w, uint16_t row) {
    fhec_layout layout = {0};
    size_t index = find(insn, operand, &layout);
    for (uint32_t i = 0; i < layout.rows * layout.columns; i++) {
        fhec_place place = place_of(index, &layout, i);
        w->r[row + place.reg][place.lane] = (uint32_t)matrix[i];
        w->r[row + place.reg + 1][place.lane] = (uint32_t)(matrix[i] >> 32);
    }
}
