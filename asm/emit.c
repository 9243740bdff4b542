/*
 * emit.c - see emit.h. Of a matched instruction the guard, features, and registers with their
 * alignment are checked, the word is encoded, and labels that are not known yet become fixups.
 */
#include "emit.h"
#include "address.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"
#include "fixup.h"
#include "labels.h"
#include "listing.h"
#include "machines.h"
#include "match.h"
#include "names.h"
#include "open_code.h"
#include "register_names.h"
#include "resources.h"

#include <string.h>

static bool take_guard(struct fh_asm *a, struct fh_inst *inst) {
    const struct fh_value *v = a->st.guard;
    bool uniform = fh_insns[inst->form->insn].uniform_guard;
    uint8_t kind = uniform ? FH_K_UPRED : FH_K_PRED;
    if (!v)
        return true;
    if (!fh_value_sound(a, v))
        return false;
    if (v->kind != FH_V_REGISTER || v->reg_kind != kind || v->suffix || v->abs ||
        (v->sign != FH_SIGN_NONE && v->sign != FH_SIGN_NOT)) {
        if (v->kind == FH_V_NAME)
            fh_unknown_name(a, v->text, v->length, v->at);
        else
            fh_report(a, FH_D_GUARD, v->at,
                      uniform ? "a uniform predicate, such as @UP0 or @!UP0"
                              : "a predicate, such as @P0 or @!P0",
                      fh_describe_value(a, v), NULL);
        return false;
    }
    inst->guard = v->reg;
    inst->guard_neg = v->sign == FH_SIGN_NOT;
    return true;
}

/* Whether .target names what the instruction needs. */
static bool check_feature(struct fh_asm *a, const struct fh_insn *insn) {
    if (!insn->feature || a->single)
        return true;
    if (fhec_target_limits(insn->feature)) {
        if (fh_machine_has(a->machine, insn->feature))
            return true;
        fh_note(a, fh_text(a, "write `.target %s` before the kernel", insn->feature));
        fh_report(a, FH_D_OTHER_MACHINE_INSN, a->st.head.at,
                  fh_text_of(a, a->st.head.text, a->st.head.length), insn->feature, NULL);
        return false;
    }
    for (unsigned i = 0; i < fh_feature_count; i++)
        if (a->code.features >> i & 1 && strcmp(fh_features[i], insn->feature) == 0)
            return true;
    fh_note(a, fh_text(a, "write `.target %s, %s` before the kernel",
                       fh_target_text(a, a->code.features), insn->feature));
    fh_report(a, FH_D_FEATURE, a->st.head.at, fh_text_of(a, a->st.head.text, a->st.head.length),
              insn->feature, NULL);
    return false;
}

/* ---------------------------------------------------------------- registers and ranges */

/* Where operand i stands: its argument, or the whole statement when it was left out. */
static struct fh_span operand_span(const struct fh_asm *a, const struct fh_matched *m, unsigned i) {
    if (m->arg_of[i] == FH_NO_ARGUMENT)
        return fh_statement_span(&a->st);
    return a->st.args[m->arg_of[i]].at;
}

/* A run of `count` registers from `number` on is misaligned or too long: what could stand there? */
static void note_nearest_registers(struct fh_asm *a, uint8_t kind, unsigned number, unsigned count,
                                   unsigned alignment) {
    unsigned end = kind == FH_K_UREG ? FH_URZ : FH_RZ, below = number - number % alignment;
    while (below + count > end)
        below -= alignment;
    unsigned above = below + alignment;
    bool up = above > number && above + count <= end && above - number <= number - below;
    bool down = !up || number - below == above - number;
    if (up && down)
        fh_note(a, fh_text(a, "`%s` or `%s` can", fh_register_name(a, kind, below),
                           fh_register_name(a, kind, above)));
    else
        fh_note(a, fh_text(a, "`%s` can", fh_register_name(a, kind, up ? above : below)));
}

static void report_registers(struct fh_asm *a, const struct fh_inst *inst, unsigned i,
                             enum fh_problem problem, struct fh_span at, const char *operand) {
    const struct fh_operand *op = &inst->op[i];
    bool base = op->kind == FH_K_ADDR; /* ".64" */
    uint8_t kind = op->kind == FH_K_UREG ? FH_K_UREG : FH_K_REG;
    unsigned count = base ? 2 : fh_operand_registers(inst, i);
    unsigned alignment = base ? 2 : fh_operand_alignment(inst, i);
    const char *name = fh_text(a, "`%s`", fh_register_name(a, kind, op->reg));
    note_nearest_registers(a, kind, op->reg, count, alignment);
    if (inst->form->syntax)
        fh_note(a, fh_text(a, "legal: %s", inst->form->syntax));
    if (problem == FH_BAD_ALIGNMENT)
        fh_report(a, FH_D_ALIGNMENT, at, name, operand,
                  fh_text(a, "%u registers from a multiple of %u on", count, alignment));
    else
        fh_report(a, FH_D_PAST_END, at, name, operand,
                  fh_text(a, "%u registers: they would run past %s", count,
                          fh_register_name(a, kind, (kind == FH_K_UREG ? FH_URZ : FH_RZ) - 1)));
}

static bool check(struct fh_asm *a, const struct fh_matched *m) {
    const struct fh_inst *inst = &m->inst;
    const struct fh_form *form = inst->form;
    unsigned i = 0;
    enum fh_problem problem = fh_inst_check(inst, &i);
    if (problem == FH_FINE)
        return true;
    if (problem == FH_BAD_COMBINATION) {
        fh_report(a, FH_D_COMBINATION, fh_statement_span(&a->st),
                  fh_insns[form->insn].checks[i].message, NULL, NULL);
        return false;
    }
    struct fh_span at = operand_span(a, m, i);
    unsigned arg = m->arg_of[i] == FH_NO_ARGUMENT ? i : m->arg_of[i];
    const char *name = fh_text(a, "%u (`%s`)", arg + 1, form->operands[i].name);
    if (problem == FH_BAD_ALIGNMENT || problem == FH_BAD_RANGE)
        report_registers(a, inst, i, problem, at, name);
    else /* match.c has let through only what fits */
        fh_report(a, FH_D_NO_FIT, at, fh_text(a, "%lld", (long long)inst->op[i].value), name,
                  "it is out of range");
    return false;
}

/* ---------------------------------------------------------------- targets and addresses */

/* Branch operands that are numbers. Whether they stay within the code is seen at its end. */
static bool check_targets(struct fh_asm *a, const struct fh_matched *m) {
    for (unsigned i = 0; i < m->inst.form->operand_count; i++) {
        const struct fh_operand_spec *spec = &m->inst.form->operands[i];
        if (spec->kind != FH_K_TARGET || m->arg_of[i] == FH_NO_ARGUMENT)
            continue;
        const struct fh_value *v = &a->st.args[m->arg_of[i]];
        if (v->kind != FH_V_NUMBER || a->code.listed)
            continue;
        if (v->large) { /* as a signed number it might well be near */
            fh_report(a, FH_D_BAD_TARGET, v->at, fh_text(a, "`%s`", fh_text_at(a, v->at)),
                      "code addresses are below 2^63", NULL);
            return false;
        }
        if (!fh_target_reachable(a, spec, v->at, m->inst.op[i].value))
            return false;
        if (!a->single && !fh_add_fixup(a, &(struct fh_fixup){.distance = true,
                                                              .operand = (uint8_t)i,
                                                              .form = m->inst.form,
                                                              .word = (uint32_t)a->code.word_count,
                                                              .addend = m->inst.op[i].value,
                                                              .at = v->at}))
            return false;
    }
    return true;
}

/* Whether operand i can hold a label or an address; what `fixup` says about it. */
static bool takes_address(const struct fh_form *form, unsigned i, const struct fh_value *v,
                          struct fh_fixup *fixup) {
    const struct fh_operand_spec *spec = &form->operands[i];
    *fixup = (struct fh_fixup){.distance = true, .form = form};
    if (spec->kind == FH_K_TARGET)
        return true;
    return spec->kind == FH_K_IMM && spec->number == FH_N_INT && v->kind == FH_V_NAME &&
           fh_address_fits(form, spec, v, fixup);
}

/* In a listing a target that is a number names the label of that address. */
static struct fh_value listed_target(struct fh_asm *a, const struct fh_value *number) {
    struct fh_value label = *number;
    label.text = fh_listed_label(a, (uint64_t)number->number);
    label.length = (uint32_t)strlen(label.text);
    label.number = 0;
    return label;
}

/* Operands that are names, or targets that are addresses of a listing: they are resolved at the
 * kernel's end. */
static bool take_addresses(struct fh_asm *a, const struct fh_matched *m) {
    const struct fh_form *form = m->inst.form;
    for (unsigned i = 0; i < form->operand_count; i++) {
        if (m->arg_of[i] == FH_NO_ARGUMENT)
            continue;
        struct fh_fixup fixup;
        struct fh_value listed, *v = &a->st.args[m->arg_of[i]];
        bool number = v->kind == FH_V_NUMBER && a->code.listed;
        if ((!number && v->kind != FH_V_NAME) || !takes_address(form, i, v, &fixup))
            continue;
        if (number) {
            listed = listed_target(a, v);
            v = &listed;
        }
        if (a->single) {
            fh_report(a, FH_D_NO_LABEL, v->at, fh_text_of(a, v->text, v->length), NULL, NULL);
            return false;
        }
        fixup.word = (uint32_t)a->code.word_count;
        fixup.operand = (uint8_t)i;
        fixup.relocation.offset = fixup.word * FH_INST_BYTES + 4;
        fixup.label = fh_label_refer(a, v);
        fixup.addend = v->number;
        fixup.at = v->at;
        if (!fixup.label || !fh_add_fixup(a, &fixup))
            return false;
    }
    return true;
}

/* The operands that are names of labels or addresses: bit i for operand i. */
static uint32_t named_operands(const struct fh_asm *a, const struct fh_matched *m) {
    uint32_t named = 0;
    struct fh_fixup unused;
    for (unsigned i = 0; i < m->inst.form->operand_count; i++) {
        if (m->arg_of[i] == FH_NO_ARGUMENT)
            continue;
        const struct fh_value *v = &a->st.args[m->arg_of[i]];
        if (v->kind == FH_V_NAME && takes_address(m->inst.form, i, v, &unused))
            named |= 1u << i;
    }
    return named;
}

/* ---------------------------------------------------------------- instructions */

/* What is no mnemonic was most likely meant to be a macro, which needs no semicolon. */
static void check_semicolon(struct fh_asm *a) {
    const struct fh_lexeme *head = &a->st.head;
    const char *dot = memchr(head->text, '.', head->length);
    unsigned first;
    if (fh_insns_of_root(head->text, dot ? (size_t)(dot - head->text) : head->length, &first))
        fh_report(a, FH_D_NO_SEMICOLON, (struct fh_span){a->st.end, a->st.end + 1}, NULL, NULL,
                  NULL);
}

/* The word of fhec_assemble_word. */
static void take_single(struct fh_asm *a, fhec_word word) {
    if (a->code.word_count++)
        fh_report(a, FH_D_SYNTAX, a->st.head.at, "second instruction", ": one stands for itself",
                  NULL);
    else
        a->word = word;
}

void fh_emit(struct fh_asm *a) {
    struct fh_matched m;
    if (!a->code.open && !a->single) {
        fh_report(a, FH_D_OUTSIDE_KERNEL, a->st.head.at, NULL, NULL, NULL);
        return;
    }
    if (a->st.ended_by != ';' && !a->single)
        check_semicolon(a);
    a->listed = fh_listing_line(a);
    a->code.listed |= a->listed != NULL;
    if (!fh_match(a, &m) || !take_guard(a, &m.inst))
        return;
    m.inst.sched = a->st.sched;
    if (m.address && !a->no_descriptor_bit)
        m.inst.show_desc = fh_has_descriptor(&m.inst);
    bool good = check_feature(a, fh_insns + m.inst.form->insn);
    if ((m.target && !check_targets(a, &m)) || !check(a, &m) || !good)
        return;
    if ((m.target || a->st.named) && !take_addresses(a, &m))
        return;
    if (a->listed) {
        fh_listing_compare(a, a->listed, named_operands(a, &m), &m.inst);
        fh_listed_label_define(a, a->listed->address);
    }
    if (a->single) {
        take_single(a, fh_encode(&m.inst));
        return;
    }
    if (a->code.shared_count)
        fh_add_shared_uses(a);
    fh_append_word(a, fh_encode(&m.inst), &m.inst,
                   a->st.has_sched || (a->listed && a->listed->has_word));
}

/* .descbit 0 or 1: bit 101 of the instructions that follow and have a descriptor. */
void fh_act_descriptor_bit(struct fh_asm *a) {
    int64_t bit;
    if (!fh_value_number(a, &a->st.args[0], &bit) || !fh_usage(a, bit == 0 || bit == 1))
        return;
    a->no_descriptor_bit = bit == 0;
}

/* .inst LOW, HIGH: a word as it is, bits 63:0 first; it need not be an instruction that fhec knows.
 */
void fh_act_inst(struct fh_asm *a) {
    int64_t low, high;
    struct fh_inst inst;
    if (!fh_value_number(a, &a->st.args[0], &low) || !fh_value_number(a, &a->st.args[1], &high))
        return;
    fhec_word word = {.lo = (uint64_t)low, .hi = (uint64_t)high};
    if (a->single) {
        take_single(a, word);
        return;
    }
    bool known =
        fh_decode(word, &inst) && fh_machine_has(a->machine, fh_insns[inst.form->insn].feature);
    if (!known || check_feature(a, fh_insns + inst.form->insn))
        fh_append_word(a, word, known ? &inst : NULL, true);
}
