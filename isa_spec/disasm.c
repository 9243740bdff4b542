/*
 * disasm.c - decoded instructions to the text that nvdisasm prints.
 *
 * Does: guard, mnemonic with modifiers, operands, control prefix. Does not: labels, files, listings
 * (the tool), or anything that would need more than one instruction.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "codec.h"
#include "number.h"

/* Text under construction: like snprintf, it counts on when the buffer is full. */
struct out {
    char *text;
    size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void put(struct out *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t used = out->length < out->size ? out->length : out->size;
    int n =
        vsnprintf(out->size > used ? out->text + used : NULL, out->size - used, format, arguments);
    va_end(arguments);
    if (n > 0)
        out->length += (size_t)n;
}

static void put_register(struct out *out, unsigned reg) {
    if (reg == FH_RZ)
        put(out, "RZ");
    else
        put(out, "R%u", reg);
}

static void put_uniform(struct out *out, unsigned reg) {
    if (reg == FH_URZ)
        put(out, "URZ");
    else
        put(out, "UR%u", reg);
}

static void put_predicate(struct out *out, bool uniform, bool neg, unsigned reg) {
    put(out, "%s%s", neg ? "!" : "", uniform ? "UP" : "P");
    if (reg == FH_PT)
        put(out, "T");
    else
        put(out, "%u", reg);
}

static void put_hex(struct out *out, int64_t value) {
    if (value < 0)
        put(out, "-0x%" PRIx64, (uint64_t)0 - (uint64_t)value);
    else
        put(out, "0x%" PRIx64, (uint64_t)value);
}

/* ---------------------------------------------------------------- mnemonic */

static const char *mod_text(const struct fh_inst *inst, unsigned i) {
    const struct fh_mod_spec *mod = &inst->form->mods[i];
    if (mod->hidden)
        return NULL;
    if (mod->derived)
        return mod->derived(inst);
    for (unsigned k = 0; k < mod->value_count; k++)
        if (!mod->field.pieces || mod->values[k].value == inst->mod[i])
            return mod->values[k].text;
    return NULL;
}

static void put_mnemonic(struct out *out, const struct fh_inst *inst) {
    put(out, "%s", fh_insns[inst->form->insn].root);
    for (unsigned i = 0; i < inst->form->mod_count; i++) {
        const char *text = mod_text(inst, i);
        if (text && *text)
            put(out, ".%s", text);
    }
}

static bool has_x(const struct fh_inst *inst) {
    for (unsigned i = 0; i < inst->form->mod_count; i++) {
        const char *name = inst->form->mods[i].name;
        if (name[0] == 'X' && name[1] == '\0')
            return inst->mod[i] != 0;
    }
    return false;
}

/* ---------------------------------------------------------------- operands */

static void put_sign(struct out *out, const struct fh_inst *inst, unsigned i) {
    if (!inst->op[i].neg)
        return;
    switch (inst->form->operands[i].sign) {
    case FH_SIGN_MINUS: put(out, "-"); break;
    case FH_SIGN_TILDE: put(out, "~"); break;
    case FH_SIGN_NOT: put(out, "!"); break;
    case FH_SIGN_BY_X: put(out, has_x(inst) ? "~" : "-"); break;
    default: break;
    }
}

/* A form with an index register names it unless it is RZ beside an offset. Offsets have a sign:
 * they are 16 bits. */
static void put_constant(struct out *out, const struct fh_operand_spec *spec,
                         const struct fh_operand *op) {
    const int64_t offset = (int16_t)op->value;
    put(out, spec->spaced ? "c[0x%x] [" : "c[0x%x][", op->bank);
    if (op->indexed || (spec->reg.pieces && op->value == 0)) {
        if (spec->ureg.pieces)
            put_uniform(out, op->ureg);
        else
            put_register(out, op->reg);
        if (op->value != 0) {
            put(out, "+");
            put_hex(out, offset);
        }
    } else {
        put_hex(out, offset);
    }
    put(out, "]");
}

/* The base register with its stride or width. */
static void put_base(struct out *out, const struct fh_operand_spec *spec,
                     const struct fh_operand *op, bool stride, bool width) {
    static const char *const strides[] = {"", ".X4", ".X8", ".X16"};
    put_register(out, op->reg);
    put(out, "%s", stride ? strides[op->scale & 3] : "");
    if (op->wide)
        put(out, ".64");
    else if (spec->wide.pieces && (op->reg != FH_RZ || width))
        put(out, ".U32");
}

/* Whether another address stands before this one, as in LDGSTS. */
static bool is_second_address(const struct fh_inst *inst, unsigned i) {
    return i > 0 && inst->op[i - 1].kind == FH_K_ADDR;
}

/* Whether the text of an address without a base register and a descriptor has RZ nevertheless, for
 * the sake of its width or stride. `[UR4]` has a width, too; with another one it is `[RZ.U32+UR4]`.
 * Of that nvdisasm shows a stride beside a uniform register, and the width of a second address. */
static bool shows_zero(const struct fh_inst *inst, unsigned i, bool nvdisasm) {
    const struct fh_operand *op = &inst->op[i];
    const bool width = inst->form->operands[i].wide.pieces != 0;
    if (nvdisasm)
        return (op->scale != 0 && op->has_ureg) || (width && is_second_address(inst, i));
    return op->scale != 0 || (width && op->wide != fh_default_wide(inst, i));
}

/* `[Ra.stride+UR+offset]`; parts that are absent are left out, `[RZ]` if all are. */
static void put_address(struct out *out, const struct fh_inst *inst, unsigned i, unsigned flags) {
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    const struct fh_operand *op = &inst->op[i];
    const bool nvdisasm = flags & FHEC_DIS_NVDISASM;
    const bool zero = op->reg == FH_RZ && !op->desc && shows_zero(inst, i, nvdisasm);
    if (op->desc && (inst->show_desc || !nvdisasm)) {
        put(out, "desc[");
        put_uniform(out, op->ureg);
        put(out, "]");
    }
    /* `.64` and `.U32` exist only where a uniform register does, so URZ need not be written. */
    bool implied = op->ureg == FH_URZ && spec->wide.pieces && spec->desc.pieces &&
                   (nvdisasm ? is_second_address(inst, i) : op->reg != FH_RZ);
    bool uniform = op->has_ureg && !op->desc && !implied;
    bool base = op->reg != FH_RZ || op->desc || zero || (!uniform && op->value == 0);
    put(out, "[");
    if (base)
        put_base(out, spec, op, op->reg != FH_RZ || zero, zero);
    if (uniform) {
        put(out, "%s", base ? "+" : "");
        put_uniform(out, op->ureg);
    }
    if (op->value != 0) {
        put(out, "%s", base || uniform ? "+" : "");
        put_hex(out, op->value);
    }
    put(out, "]");
}

/* The numbers of the bits that are set, highest first. */
static void put_set(struct out *out, uint64_t set) {
    put(out, "{");
    for (const char *comma = ""; set; comma = ",") {
        unsigned highest = 63U - (unsigned)__builtin_clzll(set);
        put(out, "%s%u", comma, highest);
        set &= ~(UINT64_C(1) << highest);
    }
    put(out, "}");
}

static void put_special(struct out *out, int64_t id) {
    for (unsigned i = 0; i < fh_special_register_count; i++)
        if (fh_special_registers[i].value == id) {
            put(out, "%s", fh_special_registers[i].text);
            return;
        }
    put(out, "SR%u", (unsigned)id);
}

static void put_immediate(struct out *out, const struct fh_operand_spec *spec,
                          const struct fh_operand *op, unsigned flags) {
    char text[FH_NUMBER_TEXT];
    if (spec->number == FH_N_INT) {
        put_hex(out, op->value);
        return;
    }
    fh_number_text(spec->number, (uint32_t)op->value, !(flags & FHEC_DIS_NVDISASM), text);
    put(out, "%s", text);
}

/* How an instruction is printed, beside what it is. */
struct style {
    uint64_t pc;
    unsigned flags;
    const char *const *names; /* by operand: what stands for its value; NULL: nothing does */
};

static void put_value(struct out *out, const struct fh_inst *inst, unsigned i,
                      const struct style *style) {
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    if (style->names && style->names[i]) {
        put(out, "%s", style->names[i]);
        return;
    }
    const struct fh_operand *op = &inst->op[i];
    switch (spec->kind) {
    case FH_K_REG: put_register(out, op->reg); break;
    case FH_K_UREG: put_uniform(out, op->reg); break;
    case FH_K_PRED: put_predicate(out, false, false, op->reg); break;
    case FH_K_UPRED: put_predicate(out, true, false, op->reg); break;
    case FH_K_IMM: put_immediate(out, spec, op, style->flags); break;
    case FH_K_CONST: put_constant(out, spec, op); break;
    case FH_K_ADDR: put_address(out, inst, i, style->flags); break;
    case FH_K_TARGET:
        put_hex(out, (int64_t)(style->pc + FH_INST_BYTES + (uint64_t)op->value));
        break;
    case FH_K_BARRIER: put(out, "B%u", op->reg); break;
    case FH_K_SCOREBOARD: put(out, "SB%u", op->reg); break;
    case FH_K_SET: put_set(out, (uint64_t)op->value); break;
    case FH_K_SREG: put_special(out, op->value); break;
    case FH_K_WORD: put(out, "%s", spec->name); break;
    default: break;
    }
}

/* An optional operand shows when it differs from its default, or when one right behind it of the
 * same kind does: Pv alone would be read as Pu. */
static bool shown(const struct fh_inst *inst, unsigned i) {
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    if (!fh_operand_present(inst, i))
        return false;
    if (!spec->optional || !fh_operand_is_fallback(spec, &inst->op[i]))
        return true;
    unsigned next = i + 1;
    return next < inst->form->operand_count && inst->form->operands[next].optional &&
           inst->form->operands[next].kind == spec->kind && shown(inst, next);
}

static void put_operand(struct out *out, const struct fh_inst *inst, unsigned i,
                        const struct style *style) {
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    const struct fh_operand *op = &inst->op[i];
    put_sign(out, inst, i);
    if (op->abs)
        put(out, "|");
    put_value(out, inst, i, style);
    const char *part = spec->part.pieces ? fh_part_text(spec, op->part) : NULL;
    bool inside = spec->kind != FH_K_REG; /* |c[0x0] [0x160].H0_H0| but |R0|.reuse.H0_H0 */
    if (inside && part && *part)
        put(out, ".%s", part);
    if (op->abs)
        put(out, "|");
    if (op->reuse)
        put(out, ".reuse");
    if (!inside && part && *part)
        put(out, ".%s", part);
    if (spec->suffix)
        put(out, "%s", spec->suffix);
}

/* The scheduling fields: `[B------:R-:W0:-:S01] `. */
static void put_control(struct out *out, const struct fh_sched *sched) {
    put(out, "[B");
    for (unsigned i = 0; i < 6; i++)
        put(out, "%c", sched->wait_mask >> i & 1 ? (int)('0' + i) : '-');
    put(out, ":R%c", sched->read_barrier == 7 ? '-' : '0' + sched->read_barrier);
    put(out, ":W%c", sched->write_barrier == 7 ? '-' : '0' + sched->write_barrier);
    put(out, ":%c:S%02u] ", sched->yield ? '-' : 'Y', sched->stall);
}

int fh_print(const struct fh_inst *inst, uint64_t pc, unsigned flags, char *text, size_t size) {
    return fh_print_named(inst, pc, flags, NULL, text, size);
}

int fh_print_named(const struct fh_inst *inst, uint64_t pc, unsigned flags,
                   const char *const *names, char *text, size_t size) {
    const struct style style = {pc, flags, names};
    struct out out = {text, size, 0};
    if (size > 0)
        text[0] = '\0';
    if (flags & FHEC_DIS_CONTROL)
        put_control(&out, &inst->sched);
    if (inst->guard != FH_PT || inst->guard_neg) {
        put(&out, "@");
        put_predicate(&out, fh_insns[inst->form->insn].uniform_guard, inst->guard_neg, inst->guard);
        put(&out, " ");
    }
    put_mnemonic(&out, inst);
    const char *separator = " ";
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        if (!shown(inst, i))
            continue;
        put(&out, "%s", inst->form->operands[i].glued ? " " : separator);
        put_operand(&out, inst, i, &style);
        separator = ", ";
    }
    return (int)out.length;
}

int fh_print_mnemonic(const struct fh_inst *inst, char *text, size_t size) {
    struct out out = {text, size, 0};
    if (size > 0)
        text[0] = '\0';
    put_mnemonic(&out, inst);
    return (int)out.length;
}

/* What the assembler refuses or leaves as it is by default:
 * - registers, ranges and modifiers that do not go together (fh_inst_check);
 * - branches between two instructions;
 * - bit 101 where there is no descriptor;
 * - reuse flags of operands that have none;
 * - scoreboard 6: there are 0 to 5, and 7 is none. */
bool fh_print_is_exact(const struct fh_inst *inst, unsigned flags, bool descriptor_bit) {
    unsigned unused;
    if (fh_inst_check(inst, &unused) != FH_FINE || inst->sched.reuse)
        return false;
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *op = &inst->op[i];
        if (op->kind == FH_K_TARGET && op->value % FH_INST_BYTES != 0)
            return false;
    }
    bool scoreboards = inst->sched.write_barrier != 6 && inst->sched.read_barrier != 6;
    return inst->show_desc == (descriptor_bit && fh_has_descriptor(inst)) &&
           (scoreboards || !(flags & FHEC_DIS_CONTROL));
}

/* ---------------------------------------------------------------- public */

int fhec_disassemble(fhec_word word, uint64_t pc, unsigned flags, char *text, size_t size) {
    struct fh_inst inst;
    if (!fh_decode(word, &inst))
        return -1;
    if (!(flags & FHEC_DIS_EXACT) || fh_print_is_exact(&inst, flags, true))
        return fh_print(&inst, pc, flags, text, size);
    struct out out = {text, size, 0};
    put(&out, ".inst 0x%016" PRIx64 ", 0x%016" PRIx64 " // ", word.lo, word.hi);
    size_t used = out.length < size ? out.length : size;
    return (int)out.length +
           fh_print(&inst, pc, flags, size > used ? text + used : NULL, size - used);
}

int fhec_mnemonic(fhec_word word, char *text, size_t size) {
    struct fh_inst inst;
    if (!fh_decode(word, &inst))
        return -1;
    return fh_print_mnemonic(&inst, text, size);
}
