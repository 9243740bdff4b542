/*
 * trap.c - what an instruction that cannot run reports when it is reached.
 *
 * A word that is no instruction faults whatever its guard says; one whose registers or constants
 * are wrong faults when a lane would execute it.
 */
#include "trap.h"

#include "fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool fh_trap_illegal(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const fhec_word *word = &w->launch->image->words[op->pc / FH_INST_BYTES];
    const struct fh_outside *outside = fh_outside_of_word(*word);
    char text[200];
    snprintf(text, sizeof text, "the word 0x%016" PRIx64 "%016" PRIx64 " is %s%s%s", word->hi,
             word->lo, outside ? outside->root : "no instruction", outside ? ": " : "",
             outside ? outside->why : "");
    return fh_fault_lanes(w, op, FHEC_FAULT_ILLEGAL, active, text);
}

bool fh_trap_end(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return fh_fault_lanes(w, op, FHEC_FAULT_ILLEGAL, active,
                          "execution ran past the last instruction of the kernel");
}

/* The kernel's registers: as allocated, rounded up as hardware allocates them. */
static unsigned register_limit(const struct fh_image *image) {
    unsigned n = (image->code->registers + 7) / 8 * 8;
    return n == 0 || n > FH_MAX_REGISTERS ? FH_MAX_REGISTERS : n;
}

/* How many registers from operand.reg on the operand needs; 0: it names none. */
static inline unsigned needs(const struct fh_inst *inst, unsigned i) {
    const struct fh_operand *o = &inst->op[i];
    switch (o->kind) {
    case FH_K_REG: return o->reg == FH_RZ ? 0 : fh_operand_registers(inst, i);
    case FH_K_ADDR: return o->reg == FH_RZ ? 0 : fh_address_registers(inst, i);
    case FH_K_CONST: return o->reg == FH_RZ || o->has_ureg || !o->indexed ? 0 : 1;
    default: return 0;
    }
}

static bool past_allocation(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    unsigned limit = register_limit(w->launch->image), worst = 0;
    for (unsigned i = 0; i < op->inst->form->operand_count; i++) {
        unsigned n = needs(op->inst, i);
        if (n && op->inst->op[i].reg + n > worst)
            worst = op->inst->op[i].reg + n;
    }
    char text[120];
    snprintf(text, sizeof text, "the instruction needs R%u, but the kernel has %u registers",
             worst - 1, limit);
    return fh_fault_lanes(w, op, FHEC_FAULT_REGISTER, active, text);
}

static bool bad_inst(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    unsigned i = 0;
    char text[200];
    const struct fh_form *form = op->inst->form;
    enum fh_problem problem = fh_inst_check(op->inst, &i);
    if (problem == FH_BAD_COMBINATION)
        return fh_fault_lanes(w, op, FHEC_FAULT_ILLEGAL, active,
                              fh_insns[form->insn].checks[i].message);
    const struct fh_operand *o = &op->inst->op[i];
    const char *prefix = o->kind == FH_K_UREG ? "UR" : "R";
    if (problem == FH_BAD_ALIGNMENT)
        snprintf(text, sizeof text, "operand %s is %s%u, which is not a multiple of %u",
                 form->operands[i].name, prefix, o->reg,
                 o->kind == FH_K_ADDR ? fh_address_registers(op->inst, i)
                                      : fh_operand_alignment(op->inst, i));
    else /* past the last register: values out of their fields do not come from a word */
        snprintf(text, sizeof text, "operand %s is %u registers from %s%u on, past the last one",
                 form->operands[i].name, fh_operand_registers(op->inst, i), prefix, o->reg);
    return fh_fault_lanes(w, op, FHEC_FAULT_REGISTER, active, text);
}

/* The uniform register of a 64-bit address is odd. */
static bool odd_uniform(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    return fh_fault_lanes(w, op, FHEC_FAULT_REGISTER, active,
                          "a 64-bit address needs an even register");
}

static uint32_t constant_bytes(const struct fh_inst *inst, unsigned i) {
    return 4 * fh_operand_registers(inst, i);
}

static bool bad_constant(struct fh_warp *w, const struct fh_op *op, uint32_t active) {
    const struct fh_image *image = w->launch->image;
    unsigned i = 0;
    while (op->inst->op[i].kind != FH_K_CONST ||
           fh_constant_fits(image, &op->inst->op[i], constant_bytes(op->inst, i)))
        i++;
    const struct fh_operand *o = &op->inst->op[i];
    char text[120];
    snprintf(text, sizeof text, "c[0x%x][0x%x] is outside the %u bytes of constant bank %u",
             o->bank, (unsigned)o->value, image->banks[o->bank].size, o->bank);
    return fh_fault_address(w, op, FHEC_FAULT_OUT_OF_BOUNDS, active, "constant", (uint64_t)o->value,
                            text);
}

bool fh_constant_fits(const struct fh_image *image, const struct fh_operand *operand,
                      uint32_t bytes) {
    const struct fh_bank *bank = &image->banks[operand->bank];
    return bytes <= bank->size && operand->value <= bank->size - bytes;
}

/* Whether operand i is the first of two addresses. */
static bool first_of_two(const struct fh_inst *inst, unsigned i) {
    return i + 1 < inst->form->operand_count && inst->op[i + 1].kind == FH_K_ADDR;
}

fh_exec_fn *fh_trap_for(const struct fh_image *image, const struct fh_op *op) {
    const struct fh_inst *inst = op->inst;
    unsigned ignored;
    if (fh_decoded_check(inst, &ignored) != FH_FINE)
        return bad_inst;
    const bool loads_constant = fh_loads_constant(inst), single = inst->form->single;
    const unsigned limit = register_limit(image);
    for (unsigned i = 0; single && i < inst->form->operand_count; i++)
        if (inst->op[i].kind == FH_K_REG && inst->op[i].reg != FH_RZ && inst->op[i].reg >= limit)
            return past_allocation;
    if (single)
        return NULL;
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *o = &inst->op[i];
        const unsigned n = needs(inst, i);
        if (n && o->reg + n > limit)
            return past_allocation;
        const struct fh_address *address = first_of_two(inst, i) ? &op->to : &op->address;
        if (o->kind == FH_K_ADDR && address->ureg64 && address->ureg % 2 != 0)
            return odd_uniform;
        if (o->kind == FH_K_CONST && !loads_constant &&
            !fh_constant_fits(image, o, constant_bytes(inst, i)))
            return bad_constant;
    }
    return NULL;
}
