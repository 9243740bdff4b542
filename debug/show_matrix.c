/*
 * show_matrix.c - the matrices of an instruction, gathered from the registers of its lanes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "show.h"

struct matrix {
    const struct fh_show_matrices *of;
    const fhec_operand *operand;
    fhec_layout layout;
    struct fh_operand_origins *origins; /* NULL: nothing is known of it */
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
    return m->operand->reg == FHEC_NO_REGISTER || number >= 255 ? 0 : m->of->warp->r[number][lane];
}

static void lane_cell(const struct matrix *m, const fhec_place *place, struct fh_show_cell *cell) {
    const int length = snprintf(cell->text, sizeof cell->text, "%u:R%u", place->lane,
                                m->operand->reg + place->reg);
    if (m->layout.slots > 1)
        (void)snprintf(cell->text + length, sizeof cell->text - (size_t)length, ".%u", place->slot);
}

/* What needs many letters elsewhere, in few. */
static void origin_cell(const struct matrix *m, fhec_element at, struct fh_show_cell *cell) {
    const struct fh_element_origin *e =
        &m->origins->fragment.elements[at.row * m->layout.columns + at.column];
    switch (fh_origin_kind_of(e->origin)) {
    case FH_ORIGIN_NONE: (void)snprintf(cell->text, sizeof cell->text, "-"); break;
    case FH_ORIGIN_NUMBER: (void)snprintf(cell->text, sizeof cell->text, "number"); break;
    case FH_ORIGIN_MIXED: (void)snprintf(cell->text, sizeof cell->text, "several"); break;
    case FH_ORIGIN_COMPUTED:
        (void)snprintf(cell->text, sizeof cell->text, "@0x%" PRIx64, fh_origin_pc(e->origin));
        break;
    default:
        (void)fh_operand_origin_text(m->origins, m->of->scene, at.row, at.column, cell->text,
                                     sizeof cell->text);
        break;
    }
}

static void value_cell(const struct matrix *m, const fhec_place *place, struct fh_show_cell *cell) {
    uint64_t value = word_of(m, place->reg, place->lane);
    if (m->layout.bits == 64)
        value |= (uint64_t)word_of(m, place->reg + 1, place->lane) << 32;
    else
        value >>= place->slot * m->layout.bits;
    fh_show_number(&m->of->format, value, m->layout.bits, cell->text);
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
    if (m->of->what == FH_SHOW_LANES)
        lane_cell(m, &place, cell);
    else if (m->of->what == FH_SHOW_ORIGINS && m->origins)
        origin_cell(m, element, cell);
    else if (m->of->what == FH_SHOW_ORIGINS && m->operand->reg == FHEC_NO_REGISTER)
        (void)snprintf(cell->text, sizeof cell->text, "number"); /* RZ */
    else
        value_cell(m, &place, cell);
    if (m->origins && m->origins->wrong[row * m->layout.columns + column]) {
        cell->style = FH_SHOW_MISPLACED;
        cell->mark = '!';
    }
}

static void show_title(const struct fh_show_out *out, const struct matrix *m) {
    const fhec_operand *o = m->operand;
    const fhec_layout *l = &m->layout;
    char registers[40] = "RZ";
    if (o->reg != FHEC_NO_REGISTER)
        (void)snprintf(registers, sizeof registers, "R%u to R%u", o->reg,
                       o->reg + l->registers - 1);
    fh_show_text(out, FH_SHOW_TITLE, "%s: %u x %u of %u bits, %s%s%s", o->name, l->rows, l->columns,
                 l->bits, registers, o->written ? ", which it will write" : "",
                 m->of->what == FH_SHOW_LANES ? "; lane:register" : "");
}

/* The map, and what is not as it should be. */
static void show_judgement(const struct fh_show_out *out, const struct matrix *m) {
    const struct fh_operand_origins *o = m->origins;
    if (*o->map_text && o->map.fits == o->shape->count)
        fh_show_text(out, FH_SHOW_PLAIN, "%s[i][j] = %s", m->operand->name, o->map_text);
    else if (*o->map_text)
        fh_show_text(out, FH_SHOW_PLAIN, "%s[i][j] = %s for %u of %u elements", m->operand->name,
                     o->map_text, o->map.fits, o->shape->count);
    for (size_t i = 0; i < o->message_count; i++)
        fh_show_text(out, FH_SHOW_MISPLACED, "! %s", o->messages[i]);
}

static void show_operand(const struct fh_show_out *out, struct matrix *m) {
    const struct fh_show_table table = {.rows = m->layout.rows,
                                        .columns = m->layout.columns,
                                        .user = m,
                                        .row = matrix_row,
                                        .column = matrix_column,
                                        .cell = matrix_cell};
    struct fh_operand_origins origins;
    const bool known = m->of->scene && m->operand->kind == FHEC_OPERAND_REGISTER &&
                       m->operand->reg != FHEC_NO_REGISTER;
    const bool fine = !known || fh_operand_origins_make(&origins, m->of->scene, m->operand);
    m->origins = known && fine ? &origins : NULL;
    show_title(out, m);
    (void)fh_show_table(out, &table);
    if (m->origins)
        show_judgement(out, m);
    if (!fine)
        fh_show_text(out, FH_SHOW_WRONG, "no host memory for its origins");
    if (known)
        fh_operand_origins_free(&origins);
}

bool fh_show_matrices(const struct fh_show_out *out, const struct fh_show_matrices *matrices) {
    const fhec_instruction *in = matrices->instruction;
    bool some = false;
    for (uint32_t i = 0; i < in->operand_count; i++) {
        struct matrix m = {.of = matrices, .operand = &in->operands[i]};
        if (!m.operand->has_layout ||
            (matrices->operand && strcmp(matrices->operand, m.operand->name) != 0) ||
            !fhec_layout_get(m.operand->layout, &m.layout))
            continue;
        show_operand(out, &m);
        some = true;
    }
    return some;
}
