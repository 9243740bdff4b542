/*
 * dap_origins.c - see dap_origins.h.
 */
#include "dap_origins.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "origins_here.h"

/* QUICK, LONG: so many instructions may run once more for what is hovered over, or opened. */
enum { UNIFORM = 63, QUICK = 1 << 18, LONG = 1 << 26 };

/* ---------------------------------------------------------------- how many */

static bool is_fragment(const fhec_operand *o) {
    return o->has_layout && o->kind == FHEC_OPERAND_REGISTER && o->reg != FHEC_NO_REGISTER;
}

/* The index-th matrix of the instruction; how many there are, by *count. */
static bool fragment_at(struct fh_dap *dap, uint64_t pc, uint64_t index, fhec_operand *operand,
                        fhec_layout *layout, uint32_t *count) {
    fhec_instruction instruction;
    const fhec_session *session = fh_debugger_session(dap->debugger);
    bool found = false;
    *count = 0;
    if (!session || fhec_session_instruction(session, pc, &instruction) != FHEC_OK)
        return false;
    for (uint32_t i = 0; i < instruction.operand_count; i++) {
        const fhec_operand *o = &instruction.operands[i];
        if (!is_fragment(o) || !fhec_layout_get(o->layout, layout))
            continue;
        if ((*count)++ == index) {
            *operand = *o;
            found = true;
        }
    }
    return found && fhec_layout_get(operand->layout, layout);
}

struct fh_dap_size fh_dap_origins_size(struct fh_dap *dap, const struct fh_dap_handle *holder) {
    struct fh_dap_size size = {0};
    fhec_kernel_info info;
    fhec_operand operand;
    fhec_layout layout;
    uint32_t count;
    const bool fragment = fragment_at(dap, holder->pc, holder->number, &operand, &layout, &count);
    switch (holder->kind) {
    case FH_DAP_ORIGINS:
        if (fh_debugger_launch(dap->debugger, fh_debugger_time(dap->debugger).launch, NULL, &info))
            size.named = count + info.registers + UNIFORM;
        break;
    case FH_DAP_ORIGIN_ROW: size.indexed = FHEC_WARP_LANES; break;
    case FH_DAP_ORIGIN_FRAGMENT: size.indexed = fragment ? layout.rows : 0; break;
    case FH_DAP_ORIGIN_FRAGMENT_ROW: size.indexed = fragment ? layout.columns : 0; break;
    default: break;
    }
    return size;
}

/* ---------------------------------------------------------------- values */

/* False: the value says why they are not known. */
static bool find(struct fh_dap *dap, const struct fh_dap_handle *at, struct fh_dap_value *value,
                 struct fh_origins_here *here) {
    const uint64_t cost = fh_debugger_origins_cost(dap->debugger);
    if (cost > LONG) {
        snprintf(value->text, sizeof value->text,
                 "%" PRIu64 " instructions would run once more: `origins` in the console", cost);
        return false;
    }
    if (fh_debugger_origins(dap->debugger, at->block, at->warp, at->pc, here) == FHEC_OK)
        return true;
    snprintf(value->text, sizeof value->text, "not known: %.150s",
             fh_debugger_error(dap->debugger));
    return false;
}

static void register_value(struct fh_dap *dap, const struct fh_dap_handle *at,
                           fhec_register_file file, uint32_t reg, uint32_t lane,
                           struct fh_dap_value *value) {
    struct fh_origins_here here;
    if (find(dap, at, value, &here))
        fh_origins_here_text(&here, file, reg, lane, value->text, sizeof value->text);
}

/* "a[16*i + j]", and how many elements are elsewhere. */
static void fragment_value(struct fh_dap *dap, const struct fh_dap_handle *at,
                           const fhec_operand *operand, struct fh_dap_value *value) {
    struct fh_origins_here here;
    struct fh_operand_origins o;
    if (!find(dap, at, value, &here))
        return;
    if (!fh_operand_origins_make(&o, &here.scene, operand))
        strcpy(value->text, "not known: no host memory");
    else if (o.wrong_count)
        snprintf(value->text, sizeof value->text, "%.100s; %u of %u elements belong elsewhere",
                 *o.map_text ? o.map_text : "no map", o.wrong_count, o.shape->count);
    else
        snprintf(value->text, sizeof value->text, "%.150s", *o.map_text ? o.map_text : "no map");
    fh_operand_origins_free(&o);
}

static void put_element(const struct fh_operand_origins *o, const struct fh_origins_here *here,
                        uint32_t row, uint32_t column, char *text, size_t size) {
    const size_t length = (size_t)fh_operand_origin_text(o, &here->scene, row, column, text, size);
    if (length < size && o->wrong[row * o->shape->layout.columns + column])
        snprintf(text + length, size - length, "!");
}

/* A row is a line of its elements' origins; elements have their lane and register, too. */
static void elements_value(struct fh_dap *dap, const struct fh_dap_handle *at,
                           const fhec_operand *operand, uint32_t row, int column,
                           struct fh_dap_value *value) {
    struct fh_origins_here here;
    struct fh_operand_origins o;
    char text[96];
    size_t used = 0;
    if (!find(dap, at, value, &here))
        return;
    const bool fine = fh_operand_origins_make(&o, &here.scene, operand);
    const uint32_t columns = fine ? o.shape->layout.columns : 0;
    for (uint32_t j = 0; fine && column < 0 && j < columns && used < sizeof value->text; j++) {
        put_element(&o, &here, row, j, text, sizeof text);
        used += (size_t)snprintf(value->text + used, sizeof value->text - used, "%s%s",
                                 j ? " " : "", text);
    }
    if (fine && column >= 0) {
        const struct fh_fragment_place place = o.shape->place[row * columns + (uint32_t)column];
        put_element(&o, &here, row, (uint32_t)column, text, sizeof text);
        snprintf(value->text, sizeof value->text, "%s (R%u of lane %u)", text,
                 operand->reg + place.reg, place.lane);
    }
    if (!fine)
        strcpy(value->text, "not known: no host memory");
    fh_operand_origins_free(&o);
}

/* ---------------------------------------------------------------- holders */

static void hold(struct fh_dap_value *value, const struct fh_dap_handle *at,
                 enum fh_dap_handle_kind kind) {
    value->children = true;
    value->inner = *at;
    value->inner.kind = kind;
}

/* The scope: matrices first, then R, then UR. */
static bool scope_value(struct fh_dap *dap, const struct fh_dap_handle *at, uint64_t index,
                        struct fh_dap_value *value) {
    fhec_kernel_info info;
    fhec_operand operand;
    fhec_layout layout;
    uint32_t count;
    if (fragment_at(dap, at->pc, index, &operand, &layout, &count)) {
        snprintf(value->name, sizeof value->name, "%s", operand.name);
        hold(value, at, FH_DAP_ORIGIN_FRAGMENT);
        value->inner.number = (uint32_t)index;
        fragment_value(dap, at, &operand, value);
        return true;
    }
    if (!fh_debugger_launch(dap->debugger, fh_debugger_time(dap->debugger).launch, NULL, &info))
        return false;
    uint32_t reg = (uint32_t)(index - count);
    const bool uniform = reg >= info.registers;
    reg -= uniform ? info.registers : 0;
    snprintf(value->name, sizeof value->name, uniform ? "UR%u" : "R%u", reg);
    register_value(dap, at, uniform ? FHEC_FILE_UR : FHEC_FILE_R, reg, at->lane, value);
    if (!uniform) {
        hold(value, at, FH_DAP_ORIGIN_ROW);
        value->inner.number = reg;
    }
    return true;
}

bool fh_dap_origin_at(struct fh_dap *dap, const struct fh_dap_handle *holder, uint64_t index,
                      struct fh_dap_value *value) {
    fhec_operand operand;
    fhec_layout layout;
    uint32_t count;
    const uint32_t number = (uint32_t)index;
    if (holder->kind == FH_DAP_ORIGINS)
        return scope_value(dap, holder, index, value);
    snprintf(value->name, sizeof value->name, "[%u]", number);
    if (holder->kind == FH_DAP_ORIGIN_ROW) {
        register_value(dap, holder, FHEC_FILE_R, holder->number, number, value);
        return true;
    }
    if (!fragment_at(dap, holder->pc, holder->number, &operand, &layout, &count))
        return false;
    if (holder->kind == FH_DAP_ORIGIN_FRAGMENT) {
        elements_value(dap, holder, &operand, number, -1, value);
        hold(value, holder, FH_DAP_ORIGIN_FRAGMENT_ROW);
        value->inner.row = number;
    } else {
        elements_value(dap, holder, &operand, holder->row, (int)number, value);
    }
    return true;
}

bool fh_dap_origin_text(struct fh_dap *dap, fhec_register_file file, uint32_t reg, char *text,
                        size_t size) {
    const struct fh_focus *focus = fh_debugger_focus(dap->debugger);
    struct fh_origins_here here;
    if ((file != FHEC_FILE_R && file != FHEC_FILE_UR) ||
        fh_debugger_origins_cost(dap->debugger) > QUICK ||
        fh_debugger_origins_here(dap->debugger, &here) != FHEC_OK)
        return false;
    fh_origins_here_text(&here, file, reg, focus->lane, text, size);
    return true;
}
