/*
 * op_template.c - see op_template.h.
 *
 * Why a copy is what fh_image_decode makes. The word is one of the template's form: its other bits
 * are the same, among them all fixed bits, modifiers and operands that modifiers do not call for;
 * and no other form has it (fh_form_alone). Functions are chosen by the form, modifiers, signs,
 * predicates and small immediates, all of which are the same, but for instructions of constants
 * only (constant_result.h), which are no templates and get none: one that reads a register other
 * than RZ, or a constant bank or uniform register, is none of those. What may be wrong with
 * registers is looked at again (trap.h).
 */
#include "op_template.h"

#include "operand_places.h"
#include "sched_fields.h"
#include "trap.h"

/* Where what several forms have in common varies least: opcode, guard and what lies behind the
 * register C. */
static inline unsigned place_of(fhec_word word) {
    const uint64_t key = (word.lo & 0xffff) | (word.hi >> 8 & UINT64_C(0x1ffffffff)) << 16;
    return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 58) % FH_OP_TEMPLATES;
}

void fh_op_templates_begin(struct fh_op_templates *templates) {
    for (unsigned i = 0; i < FH_OP_TEMPLATES; i++)
        templates->at[i].op = NULL;
}

/* ---------------------------------------------------------------- use */

static inline void set_register(const struct fh_op_template_field *f, fhec_word word,
                                struct fh_op *op, struct fh_operand *o, unsigned access) {
    const unsigned i = f->operand;
    o->reg = (uint8_t)((f->reg_bit < 64 ? word.lo : word.hi) >> f->reg_bit % 64);
    op->row[i] = fh_operand_row(o, access);
    op->at[i] = fh_row_offset(op->row[i]);
    if (f->data)
        op->address.data = op->row[i];
}

static inline void set_value(const struct fh_op_template_field *f, struct fh_op *op,
                             struct fh_operand *o, int64_t value) {
    o->value = value;
    op->imm[f->operand] = (uint64_t)value;
    if (f->scalar < FH_SCALARS)
        op->scalar[f->scalar] = (uint64_t)value;
}

bool fh_op_template_decode(const struct fh_op_templates *templates, struct fh_image *image,
                           fhec_word word, uint32_t pc, struct fh_inst *inst, struct fh_op *op) {
    const struct fh_op_template *const t = &templates->at[place_of(word)];
    if (!t->op || (word.lo ^ t->word.lo) & ~t->varying.lo ||
        (word.hi ^ t->word.hi) & ~t->varying.hi)
        return false;
    *inst = *t->op->inst;
    *op = *t->op;
    op->inst = inst;
    op->pc = pc;
    const uint8_t reuse = inst->sched.reuse;
    fh_sched_get(word, &inst->sched);
    inst->sched.reuse = reuse;
    bool varies = t->varies;
    for (const struct fh_op_template_field *f = t->field; f < t->field + t->count; f++) {
        const struct fh_operand_spec *spec = &inst->form->operands[f->operand];
        struct fh_operand *o = &inst->op[f->operand];
        if (o->kind != FH_K_IMM)
            set_register(f, word, op, o, spec->access);
        if (o->kind != FH_K_REG)
            set_value(f, op, o, fh_operand_value(spec, word));
        if (o->kind == FH_K_ADDR) {
            op->address.base = fh_base_row(o);
            op->address.offset = o->value;
        }
        varies |= f->source && o->reg != FH_RZ;
        fh_use_rows(image, o, fh_operand_registers(inst, f->operand));
    }
    return varies && !fh_trap_for(image, op);
}

/* ---------------------------------------------------------------- learning */

static void vary(fhec_word *varying, const struct fh_field *field) {
    const unsigned lo = field->piece[0].lo, len = field->piece[0].len;
    const uint64_t bits = ((UINT64_C(1) << len) - 1) << lo % 64;
    varying->lo |= lo < 64 ? bits : 0;
    varying->hi |= lo < 64 ? 0 : bits;
}

/* One run of at most 32 bits in half a word. */
static bool is_run(const struct fh_field *field) {
    const unsigned lo = field->piece[0].lo, len = field->piece[0].len;
    return field->pieces == 1 && !field->inverted && len <= 32 && lo / 64 == (lo + len - 1) / 64;
}

static bool is_register(const struct fh_operand_spec *spec) {
    return (spec->kind == FH_K_REG || spec->kind == FH_K_ADDR) && is_run(&spec->reg) &&
           spec->reg.piece[0].len == 8 && !spec->reg.shift;
}

/* Whether the value varies, and is as the field has it. */
static bool is_value(const struct fh_operand_spec *spec) {
    const bool immediate = spec->kind == FH_K_IMM && spec->bits == 32 && spec->number != FH_N_F64;
    return (immediate || spec->kind == FH_K_ADDR) && is_run(&spec->value) && !spec->registers;
}

static bool can_vary(const struct fh_operand_spec *spec) {
    return !spec->present && (spec->kind == FH_K_IMM || is_register(spec)) &&
           (spec->kind == FH_K_REG || is_value(spec));
}

/* Returns whether an operand that varies makes the results of this one differ each time. */
static bool learn_operands(struct fh_op_template *t) {
    const struct fh_inst *inst = t->op->inst;
    const bool memory = fh_insns[inst->form->insn].kind == FH_KIND_MEM;
    struct fh_op_template_field *last = NULL; /* that the data may be */
    uint8_t scalars = 0;
    bool varies = false;
    for (uint8_t i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand_spec *spec = &inst->form->operands[i];
        const bool scalar =
            spec->kind == FH_K_UREG || spec->kind == FH_K_IMM || spec->kind == FH_K_CONST;
        const bool free = t->count < FH_OP_TEMPLATE_FIELDS && can_vary(spec);
        struct fh_op_template_field *f = &t->field[t->count];
        t->varies |= spec->kind == FH_K_UREG || spec->kind == FH_K_CONST;
        if (spec->kind == FH_K_REG || spec->kind == FH_K_UREG)
            last = free ? f : NULL;
        if (free) {
            *f = (struct fh_op_template_field){
                .operand = i,
                .reg_bit = spec->reg.piece[0].lo,
                .scalar = spec->kind == FH_K_IMM && scalars < FH_SCALARS ? scalars : FH_SCALARS,
                .source = spec->kind == FH_K_REG && !(spec->access & FH_WRITE),
            };
            varies |= f->source && inst->op[i].reg != FH_RZ;
            if (spec->kind != FH_K_IMM)
                vary(&t->varying, &spec->reg);
            if (spec->kind != FH_K_REG)
                vary(&t->varying, &spec->value);
            t->count++;
        }
        scalars += scalar;
    }
    if (memory && last)
        last->data = true;
    return varies;
}

void fh_op_template_learn(struct fh_op_templates *templates, const struct fh_image *image,
                          fhec_word word, const struct fh_op *op) {
    if (!op->inst || op->control != FH_PLAIN || op->exec == fh_trap_illegal)
        return;
    const struct fh_form *form = op->inst->form;
    const uint8_t kind = fh_insns[form->insn].kind;
    if (kind != FH_KIND_LANE && op->access != FH_LOADS && op->access != FH_STORES)
        return;
    struct fh_op_template t = {
        .word = word,
        .varying = {0, (UINT64_C(1) << FH_REUSE_SHIFT) - (UINT64_C(1) << FH_STALL_SHIFT)},
        .op = op,
        .varies = kind == FH_KIND_MEM,
    };
    const bool varies = learn_operands(&t) || t.varies;
    if (varies && fh_form_alone(form, word, t.varying) && !fh_trap_for(image, op))
        templates->at[place_of(word)] = t;
}
