/*
 * pane_fragments.c - registers as the matrices that they are (pane.h).
 */
#include <stdio.h>

#include "pane.h"

/* The index-th operand that is a fragment, modulo their number; NULL: there is none. */
static const fhec_operand *fragment(const fhec_instruction *instruction, unsigned index,
                                    fhec_layout *layout) {
    const fhec_operand *found[FHEC_MAX_OPERANDS];
    unsigned count = 0;
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].has_layout &&
            instruction->operands[i].kind == FHEC_OPERAND_REGISTER)
            found[count++] = &instruction->operands[i];
    const fhec_operand *operand = count ? found[index % count] : NULL;
    return operand && fhec_layout_get(operand->layout, layout) ? operand : NULL;
}

/* The value of an element; false: it cannot be read. */
static bool element_value(struct fh_debugger *debugger, const fhec_operand *operand,
                          const fhec_layout *layout, fhec_element at, fhec_place *place,
                          uint64_t *value) {
    const struct fh_focus *f = fh_debugger_focus(debugger);
    fhec_session *session = fh_debugger_session(debugger);
    uint32_t low[FHEC_WARP_LANES] = {0}, high[FHEC_WARP_LANES] = {0};
    if (fhec_layout_place(operand->layout, at, place) != FHEC_OK)
        return false;
    if (operand->reg != FHEC_NO_REGISTER) {
        const uint32_t reg = operand->reg + place->reg;
        if (fhec_session_read_register(session, f->block, f->warp, FHEC_FILE_R, reg, low) !=
            FHEC_OK)
            return false;
        if (layout->bits > 32 && fhec_session_read_register(session, f->block, f->warp, FHEC_FILE_R,
                                                            reg + 1, high) != FHEC_OK)
            return false;
    }
    *value = (uint64_t)high[place->lane] << 32 | low[place->lane];
    if (layout->bits < 32)
        *value = *value >> (layout->bits * place->slot) & ((UINT64_C(1) << layout->bits) - 1);
    return true;
}

static void put_elements(struct fh_pane *pane, struct fh_debugger *debugger,
                         const fhec_operand *operand, const fhec_layout *layout,
                         const struct fh_pane_view *view) {
    const struct fh_focus *f = fh_debugger_focus(debugger);
    const int digits = (int)(layout->bits + 3) / 4;
    const unsigned width = (unsigned)digits + 1;
    for (uint32_t j = view->column, x = 4; j < layout->columns && x + width <= pane->columns;
         j++, x += width)
        (void)fh_pane_print(pane, 1, x, FH_PANE_TITLE, "%u", j);
    for (uint32_t i = view->row, y = 2; i < layout->rows && y < pane->rows; i++, y++) {
        (void)fh_pane_print(pane, y, 0, FH_PANE_TITLE, "%u", i);
        for (uint32_t j = view->column, x = 4; j < layout->columns && x + width <= pane->columns;
             j++, x += width) {
            fhec_place place;
            uint64_t value;
            if (element_value(debugger, operand, layout, (fhec_element){i, j}, &place, &value))
                (void)fh_pane_print(pane, y, x,
                                    place.lane == f->lane ? FH_PANE_CURRENT : FH_PANE_PLAIN,
                                    "%0*llx", digits, (unsigned long long)value);
        }
    }
}

void fh_pane_fragments(struct fh_pane *pane, struct fh_debugger *debugger,
                       struct fh_pane_view *view) {
    fhec_session *session = fh_debugger_session(debugger);
    fhec_instruction instruction;
    fhec_layout layout;
    fhec_place place = {0};
    uint64_t pc;
    const fhec_operand *operand = NULL;
    if (session && fh_debugger_pc(debugger, &pc) &&
        fhec_session_instruction(session, pc, &instruction) == FHEC_OK)
        operand = fragment(&instruction, view->operand, &layout);
    if (!operand) {
        (void)fh_pane_print(pane, 0, 0, FH_PANE_TITLE, "fragments: the next instruction has none");
        return;
    }
    if (view->row >= layout.rows)
        view->row = layout.rows - 1;
    if (view->column >= layout.columns)
        view->column = layout.columns - 1;
    (void)fhec_layout_place(operand->layout, (fhec_element){view->row, view->column}, &place);
    char base[32] = "RZ";
    if (operand->reg != FHEC_NO_REGISTER)
        snprintf(base, sizeof base, "R%u", operand->reg + place.reg);
    (void)fh_pane_print(pane, 0, 0, FH_PANE_TITLE,
                        "fragments: %s of %s, %ux%u of %u bits; [%u][%u] is %s of lane %u",
                        operand->name, instruction.mnemonic, layout.rows, layout.columns,
                        layout.bits, view->row, view->column, base, place.lane);
    put_elements(pane, debugger, operand, &layout, view);
}
