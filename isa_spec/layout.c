/*
 * layout.c - the two inverse maps of a fragment layout, (lane, register, slot) <-> (row, column).
 *
 * Both walk the same table of bits, so that they cannot disagree.
 */
#include "layout.h"

#include <string.h>

static uint32_t source_bit(uint8_t source, fhec_place place) {
    unsigned bit = source & 0xfU;
    switch (source & 0xf0) {
    case FH_LAYOUT_LANE: return place.lane >> bit & 1;
    case FH_LAYOUT_REG: return place.reg >> bit & 1;
    default: return place.slot >> bit & 1;
    }
}

static void set_source_bit(uint8_t source, uint32_t value, fhec_place *place) {
    uint32_t bit = value << (source & 0xfU);
    switch (source & 0xf0) {
    case FH_LAYOUT_LANE: place->lane |= bit; break;
    case FH_LAYOUT_REG: place->reg |= bit; break;
    default: place->slot |= bit; break;
    }
}

bool fhec_layout_get(size_t index, fhec_layout *layout) {
    if (index >= fh_layout_count)
        return false;
    *layout = fh_layouts[index].shape;
    return true;
}

/* Whether the layouts of `name` are those of the mnemonic `insn`: name is all of it, or all up to
 * a dot. Returns how much of it, 0 if they are not. */
static size_t match(const char *name, const char *insn) {
    size_t length = 0;
    while (name[length] && name[length] == insn[length])
        length++;
    return !name[length] && (!insn[length] || insn[length] == '.') ? length : 0;
}

/* IMMA.16816 stands for IMMA.16816.S8.U8.SAT, too: the longest match counts. */
fhec_status fhec_layout_find(const char *insn, const char *operand, size_t *index) {
    size_t longest = 0, best = fh_layout_count;
    for (size_t i = 0; i < fh_layout_count; i++) {
        const fhec_layout *shape = &fh_layouts[i].shape;
        size_t length = match(shape->insn, insn);
        if (!length || length < longest)
            continue;
        if (length > longest)
            best = fh_layout_count;
        longest = length;
        if (best == fh_layout_count && strcmp(shape->operand, operand) == 0)
            best = i;
    }
    if (best == fh_layout_count)
        return FHEC_BAD_INPUT;
    *index = best;
    return FHEC_OK;
}

fhec_status fhec_layout_place(size_t index, fhec_element element, fhec_place *place) {
    if (index >= fh_layout_count)
        return FHEC_BAD_INPUT;
    const struct fh_layout *layout = &fh_layouts[index];
    if (element.row >= layout->shape.rows || element.column >= layout->shape.columns)
        return FHEC_BAD_INPUT;
    *place = (fhec_place){0};
    for (unsigned i = 0; i < layout->row_bits; i++)
        set_source_bit(layout->row[i], element.row >> i & 1, place);
    for (unsigned i = 0; i < layout->column_bits; i++)
        set_source_bit(layout->column[i], element.column >> i & 1, place);
    return FHEC_OK;
}

fhec_status fhec_layout_element(size_t index, fhec_place place, fhec_element *element) {
    if (index >= fh_layout_count)
        return FHEC_BAD_INPUT;
    const struct fh_layout *layout = &fh_layouts[index];
    if (place.lane >= FHEC_WARP_LANES || !(layout->lanes >> place.lane & 1) ||
        place.reg >= layout->shape.registers || place.slot >= layout->shape.slots)
        return FHEC_BAD_INPUT;
    *element = (fhec_element){0};
    for (unsigned i = 0; i < layout->row_bits; i++)
        element->row |= source_bit(layout->row[i], place) << i;
    for (unsigned i = 0; i < layout->column_bits; i++)
        element->column |= source_bit(layout->column[i], place) << i;
    return FHEC_OK;
}
