/*
 * init_matrix.c - which undefined elements of the factors of a matrix product matter. What is
 * multiplied by zeros alone does not: kernels pad one factor with zeros and leave the other one's
 * registers as they are.
 */
#include <string.h>

#include "init_checker.h"

enum { LANES = FHEC_WARP_LANES, FACTOR_A = 0, FACTOR_B = 1 };

/* The index by which the product runs over the elements of a register: column of A, row of B, of
 * the lowest element. False if those above it do not follow in order. */
static bool find_inner(const fhec_operand *operand, unsigned factor, uint32_t slots, uint32_t reg,
                       uint32_t lane, uint8_t *inner) {
    for (uint32_t slot = 0; slot < slots; slot++) {
        const fhec_place place = {lane, reg, slot};
        fhec_element element;
        if (fhec_layout_element(operand->layout, place, &element) != FHEC_OK)
            return false;
        const uint32_t index = factor == FACTOR_A ? element.column : element.row;
        if (index > 63 || (slot && index != *inner + slot))
            return false;
        if (slot == 0)
            *inner = (uint8_t)index;
    }
    return true;
}

static bool find_factor(struct fh_init_plan *p, const fhec_operand *operand, unsigned factor) {
    struct fh_init_factor *to = &p->factors[factor];
    fhec_layout layout;
    if (!operand->has_layout || !fhec_layout_get(operand->layout, &layout) || layout.bits > 32 ||
        layout.registers > FH_INIT_FACTOR)
        return false;
    to->row = operand->reg == FHEC_NO_REGISTER ? FH_ROW_NONE : operand->reg;
    to->count = (uint8_t)layout.registers;
    to->bits = (uint8_t)layout.bits;
    for (uint32_t reg = 0; reg < layout.registers; reg++)
        for (uint32_t l = 0; l < LANES; l++)
            if (!find_inner(operand, factor, layout.slots, reg, l, &to->inner[reg][l]))
                return false;
    return true;
}

void fh_init_prepare_matrix(struct fh_init_plan *p, const fhec_instruction *x) {
    bool found[2] = {false, false};
    const bool product = strncmp(x->mnemonic, "FHEC.", 5) == 0 ||
                         (strncmp(x->mnemonic, "IMMA.", 5) == 0 && !strstr(x->mnemonic, ".SP"));
    for (uint32_t i = 0; product && i < x->operand_count; i++) {
        const char *name = x->operands[i].name;
        if ((name[0] == 'A' || name[0] == 'B') && !name[1])
            found[name[0] - 'A'] = find_factor(p, &x->operands[i], (unsigned)(name[0] - 'A'));
    }
    p->padded = found[FACTOR_A] && found[FACTOR_B];
}

/* Bits of x that stand for its elements that are not 0: bit s for slot s. */
static uint32_t slots_in_use(uint32_t x, unsigned bits) {
    uint32_t used = 0;
    for (unsigned slot = 0; x; slot++, x = bits < 32 ? x >> bits : 0)
        used |= (uint32_t)((bits < 32 ? x & ((1u << bits) - 1) : x) != 0) << slot;
    return used;
}

/* Indices at which some element is not a defined zero. */
static uint64_t indices_in_use(const struct fh_init_step *s, const struct fh_init_factor *f) {
    const struct fh_init_source rows = {.row = f->row, .count = f->count, .known = true};
    uint64_t used = 0;
    for (unsigned reg = 0; reg < f->count; reg++) {
        uint32_t value[LANES], undefined[LANES];
        fh_init_get(s, &rows, reg, value, undefined);
        for (unsigned l = 0; l < LANES; l++)
            used |= (uint64_t)slots_in_use(value[l] | undefined[l], f->bits) << f->inner[reg][l];
    }
    return used;
}

uint32_t fh_init_matrix_lanes(const struct fh_init_step *s, unsigned i, uint32_t lanes) {
    const uint32_t row = s->plan->reads[i];
    uint32_t matter = 0;
    for (unsigned factor = 0; s->plan->padded && factor < 2; factor++) {
        const struct fh_init_factor *f = &s->plan->factors[factor];
        if (row - f->row >= f->count)
            continue;
        const uint64_t used = indices_in_use(s, &s->plan->factors[!factor]);
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const uint32_t l = (uint32_t)__builtin_ctz(rest);
            const uint32_t open = slots_in_use(s->warp->bits[row][l], f->bits);
            matter |= (uint32_t)((used >> f->inner[row - f->row][l] & open) != 0) << l;
        }
        lanes &= matter;
    }
    return lanes;
}
