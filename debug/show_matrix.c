/*
 * show_matrix.c - the matrices of an instruction, gathered from the registers of its lanes.
 */
#include <stdio.h>
#include <string.h>

#include "show.h"

struct matrix {
    const struct fh_show_warp *warp;
    const fhec_operand *operand;
    fhec_layout layout;
    bool places;
    const struct fh_show_format *format;
};

static void index_name(uint64_t index, struct fh_show_cell *cell) {
    (void)snprintf(cell->text, sizeof cell->text, "%u", (unsigned)index);
}

static void matrix_row(void *user, uint64_t row, struct fh_show_cell *cell) {
    (void)user;
    index_name(row, cell);
}

static void matrix_column(void *user, uint64_t column, struct fh_show_cell *cell) {
    (void)user;
    index_name(column, cell);
}

static uint32_t word_of(const struct matrix *m, uint32_t reg, uint32_t lane) {
    const uint32_t number = m->operand->reg + reg;
    return m->operand->reg == FHEC_NO_REGISTER || number >= 255 ? 0 : m->warp->r[number][lane];
}

static void matrix_cell(void *user, uint64_t row, uint64_t column, struct fh_show_cell *cell) {
    const struct matrix *m = user;
    const fhec_element element = {(uint32_t)row, (uint32_t)column};
    fhec_place place;
    if (fhec_layout_place(m->operand->layout, element, &place) != FHEC_OK) {
        (void)snprintf(cell->text, sizeof cell->text, "?");
        cell->style = FH_SHOW_WRONG;
        return;
    }
    if (m->places) {
        const int length = snprintf(cell->text, sizeof cell->text, "%u:R%u", place.lane,
                                    m->operand->reg + place.reg);
        if (m->layout.slots > 1)
            (void)snprintf(cell->text + length, sizeof cell->text - (size_t)length, ".%u",
                           place.slot);
        return;
    }
    uint64_t value = word_of(m, place.reg, place.lane);
    if (m->layout.bits == 64)
        value |= (uint64_t)word_of(m, place.reg + 1, place.lane) << 32;
    else
        value >>= place.slot * m->layout.bits;
    fh_show_number(m->format, value, m->layout.bits, cell->text);
}

static void show_operand(const struct fh_show_out *out, struct matrix *m) {
    const fhec_operand *o = m->operand;
    char title[160];
    int length = snprintf(title, sizeof title, "%s: %u x %u of %u bits", o->name, m->layout.rows,
                          m->layout.columns, m->layout.bits);
    if (o->reg == FHEC_NO_REGISTER)
        (void)snprintf(title + length, sizeof title - (size_t)length, ", RZ");
    else
        (void)snprintf(title + length, sizeof title - (size_t)length, ", R%u to R%u%s%s", o->reg,
                       o->reg + m->layout.registers - 1, o->written ? ", which it will write" : "",
                       m->places ? "; lane:register" : "");
    const struct fh_show_table table = {.title = title,
                                        .rows = m->layout.rows,
                                        .columns = m->layout.columns,
                                        .user = m,
                                        .row = matrix_row,
                                        .column = matrix_column,
                                        .cell = matrix_cell};
    fh_show_table(out, &table);
}

bool fh_show_matrices(const struct fh_show_out *out, const struct fh_show_warp *warp,
                      const fhec_instruction *instruction, const char *operand, bool places,
                      const struct fh_show_format *format) {
    bool some = false;
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        struct matrix m = {
            .warp = warp, .operand = &instruction->operands[i], .places = places, .format = format};
        if (!m.operand->has_layout || (operand && strcmp(operand, m.operand->name) != 0) ||
            !fhec_layout_get(m.operand->layout, &m.layout))
            continue;
        show_operand(out, &m);
        some = true;
    }
    return some;
}
