/*
 * emit.c - a matched instruction into the open kernel: guard, features, registers and their
 * alignment are checked, the word is encoded, and labels that are not known yet are noted.
 */
#include "asm.h"

#include "isa_names.h"
#include "tables.h"

#include <string.h>

uint64_t fh_here(const struct fh_asm *a) {
    return a->single ? a->pc : (uint64_t)a->draft.word_count * FH_INST_BYTES;
}

uint64_t fh_written_here(const struct fh_asm *a) {
    return a->listed ? a->listed->address : fh_here(a);
}

static const char *source_text(struct fh_asm *a, struct fh_span at) {
    return fh_text_of(a, fh_source_text(&a->sources, at), at.end - at.begin);
}

bool fh_target_reachable(struct fh_asm *a, const struct fh_operand_spec *spec, struct fh_span at,
                         int64_t distance) {
    const char *why = NULL;
    if (distance % FH_INST_BYTES != 0)
        why = "instructions are 16 bytes, so a target is a multiple of 0x10";
    else if (!fh_field_fits(&spec->value, distance))
        why = "the distance does not fit the instruction";
    if (!why)
        return true;
    fh_report(a, FH_D_BAD_TARGET, at, fh_text(a, "`%s`", source_text(a, at)), why, NULL);
    return false;
}

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

static bool check_feature(struct fh_asm *a, const struct fh_insn *insn) {
    if (!insn->feature || a->single)
        return true;
    const char *named = "sm_80";
    for (unsigned i = 0; i < fh_feature_count; i++) {
        if (!(a->draft.features >> i & 1))
            continue;
        if (strcmp(fh_features[i], insn->feature) == 0)
            return true;
        named = fh_text(a, "%s, %s", named, fh_features[i]);
    }
    fh_note(a, fh_text(a, "write `.target %s, %s` before the kernel", named, insn->feature));
    fh_report(a, FH_D_FEATURE, a->st.head.at, fh_text_of(a, a->st.head.text, a->st.head.length),
              insn->feature, NULL);
    return false;
}

/* The place of operand i: its argument, or the whole statement when it was left out. */
static struct fh_span operand_place(const struct fh_asm *a, const struct fh_matched *m,
                                    unsigned i) {
    if (m->arg_of[i] == FH_NO_ARGUMENT)
        return (struct fh_span){a->st.head.at.begin, a->st.end};
    return a->st.args[m->arg_of[i]].at;
}

static const char *register_name(struct fh_asm *a, bool uniform, unsigned number) {
    return fh_text(a, "`%s%u`", uniform ? "UR" : "R", number);
}

/* A run of `count` registers from `number` on is misaligned or too long: what could stand there? */
static void note_nearest_registers(struct fh_asm *a, bool uniform, unsigned number, unsigned count,
                                   unsigned alignment) {
    unsigned end = uniform ? FH_URZ : FH_RZ, below = number - number % alignment;
    while (below + count > end)
        below -= alignment;
    unsigned above = below + alignment;
    bool up = above > number && above + count <= end && above - number <= number - below;
    bool down = !up || number - below == above - number;
    fh_note(a, fh_text(a, "%s%s%s can", down ? register_name(a, uniform, below) : "",
                       up && down ? " or " : "", up ? register_name(a, uniform, above) : ""));
}

static void report_registers(struct fh_asm *a, const struct fh_inst *inst, unsigned i,
                             enum fh_problem problem, struct fh_span at, const char *operand) {
    bool pair = inst->op[i].kind == FH_K_ADDR; /* its base register, ".64" */
    bool uniform = inst->op[i].kind == FH_K_UREG;
    unsigned count = pair ? 2 : fh_operand_registers(inst, i);
    unsigned alignment = pair ? 2 : fh_operand_alignment(inst, i);
    const char *name = register_name(a, uniform, inst->op[i].reg);
    note_nearest_registers(a, uniform, inst->op[i].reg, count, alignment);
    if (inst->form->syntax)
        fh_note(a, fh_text(a, "legal: %s", inst->form->syntax));
    if (problem == FH_BAD_ALIGNMENT)
        fh_report(a, FH_D_ALIGNMENT, at, name, operand,
                  fh_text(a, "%u registers from a multiple of %u on", count, alignment));
    else
        fh_report(
            a, FH_D_PAST_END, at, name, operand,
            fh_text(a, "%u registers: they would run past %s", count, uniform ? "UR62" : "R254"));
}

static bool check(struct fh_asm *a, const struct fh_matched *m) {
    const struct fh_inst *inst = &m->inst;
    const struct fh_form *form = inst->form;
    unsigned i = 0;
    enum fh_problem problem = fh_inst_check(inst, &i);
    if (problem == FH_FINE)
        return true;
    if (problem == FH_BAD_COMBINATION) {
        fh_report(a, FH_D_COMBINATION, (struct fh_span){a->st.head.at.begin, a->st.end},
                  fh_insns[form->insn].checks[i].message, NULL, NULL);
        return false;
    }
    struct fh_span at = operand_place(a, m, i);
    unsigned arg = m->arg_of[i] == FH_NO_ARGUMENT ? i : m->arg_of[i];
    const char *name = fh_text(a, "%u (`%s`)", arg + 1, form->operands[i].name);
    if (problem == FH_BAD_ALIGNMENT || problem == FH_BAD_RANGE)
        report_registers(a, inst, i, problem, at, name);
    else /* match.c has let through only what fits */
        fh_report(a, FH_D_NO_FIT, at, fh_text(a, "%lld", (long long)inst->op[i].value), name,
                  "it is out of range");
    return false;
}

/* What the kernel needs because of the instruction. */
static void count_resources(struct fh_draft *d, const struct fh_inst *inst) {
    uint32_t registers = fh_registers_used(inst);
    if (registers > d->registers_used)
        d->registers_used = registers;
    if (inst->form->insn == FH_INSN_DEPBAR)
        d->counted |= 1u << inst->op[FH_DEPBAR_SB].reg;
    uint32_t barriers = fh_named_barriers(inst);
    if (barriers > d->barriers)
        d->barriers = barriers;
}

/* Branch operands that are numbers. Whether they stay within the code is seen at its end. */
static bool check_targets(struct fh_asm *a, const struct fh_matched *m) {
    struct fh_draft *d = &a->draft;
    for (unsigned i = 0; i < m->inst.form->operand_count; i++) {
        const struct fh_operand_spec *spec = &m->inst.form->operands[i];
        if (spec->kind != FH_K_TARGET || m->arg_of[i] == FH_NO_ARGUMENT)
            continue;
        const struct fh_value *v = &a->st.args[m->arg_of[i]];
        if (v->kind != FH_V_NUMBER || d->listed)
            continue;
        if (v->large) { /* as a signed number it might well be near */
            fh_report(a, FH_D_BAD_TARGET, v->at, fh_text(a, "`%s`", source_text(a, v->at)),
                      "code addresses are below 2^63", NULL);
            return false;
        }
        if (!fh_target_reachable(a, spec, v->at, m->inst.op[i].value))
            return false;
        if (a->single)
            continue;
        if (!fh_asm_grow(a, &d->fixups, &d->fixup_capacity, d->fixup_count + 1, sizeof *d->fixups))
            return false;
        d->fixups[d->fixup_count++] = (struct fh_fixup){.distance = true,
                                                        .operand = (uint8_t)i,
                                                        .form = m->inst.form,
                                                        .word = (uint32_t)d->word_count,
                                                        .addend = m->inst.op[i].value,
                                                        .at = v->at};
    }
    return true;
}

/* Whether operand i is a place for a label or an address; what `fixup` says about it. */
static bool takes_address(const struct fh_form *form, unsigned i, const struct fh_value *v,
                          struct fh_fixup *fixup) {
    const struct fh_operand_spec *spec = &form->operands[i];
    *fixup = (struct fh_fixup){.distance = true, .form = form};
    if (spec->kind == FH_K_TARGET)
        return true;
    return spec->kind == FH_K_IMM && spec->number == FH_N_INT && v->kind == FH_V_NAME &&
           fh_address_fits(form, spec, v, fixup);
}

/* Operands that are names, or targets that are addresses of a listing: noted, to be resolved at
 * the kernel's end. */
static bool take_addresses(struct fh_asm *a, const struct fh_matched *m) {
    const struct fh_form *form = m->inst.form;
    struct fh_draft *d = &a->draft;
    for (unsigned i = 0; i < form->operand_count; i++) {
        if (m->arg_of[i] == FH_NO_ARGUMENT)
            continue;
        struct fh_fixup fixup;
        struct fh_value listed, *v = &a->st.args[m->arg_of[i]];
        bool number = v->kind == FH_V_NUMBER && d->listed;
        if ((!number && v->kind != FH_V_NAME) || !takes_address(form, i, v, &fixup))
            continue;
        if (number) {
            listed = *v;
            listed.text = fh_listing_label(a, (uint64_t)v->number);
            listed.length = (uint32_t)strlen(listed.text);
            listed.number = 0;
            v = &listed;
        }
        if (a->single) {
            fh_report(a, FH_D_NO_LABEL, v->at, fh_text_of(a, v->text, v->length), NULL, NULL);
            return false;
        }
        struct fh_symbol *label = fh_label_refer(a, v);
        if (!label ||
            !fh_asm_grow(a, &d->fixups, &d->fixup_capacity, d->fixup_count + 1, sizeof *d->fixups))
            return false;
        fixup.word = (uint32_t)d->word_count;
        fixup.operand = (uint8_t)i;
        fixup.patch.offset = fixup.word * FH_INST_BYTES + 4;
        fixup.label = label;
        fixup.addend = v->number;
        fixup.at = v->at;
        d->fixups[d->fixup_count++] = fixup;
    }
    return true;
}

/* The operands that are names of places: bit i for operand i. */
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

/* Notes what schedule.c will ask about the instruction; NULL: an unknown one. What is special there
 * (control, counts of scoreboards, fields that are given) it looks at more closely. */
static bool outline(struct fh_asm *a, const struct fh_inst *inst, bool given) {
    struct fh_draft *d = &a->draft;
    struct fh_uses uses;
    struct fh_outline *o;
    if (!fh_asm_grow(a, &d->outlines, &d->outline_capacity, d->word_count + 1,
                     sizeof *d->outlines) ||
        !fh_asm_grow(a, &d->uses, &d->use_capacity, d->use_count + FH_MAX_USES, sizeof *d->uses))
        return false;
    o = &d->outlines[d->word_count];
    *o = (struct fh_outline){.given = given, .pipe = FH_NOT_OUTLINED};
    d->some_given |= given;
    d->some_open |= !given;
    if (given || !inst || fh_form_control[inst->form->id] || inst->form->insn == FH_INSN_DEPBAR ||
        inst->form->insn == FH_INSN_LDGDEPBAR)
        return true;
    fh_uses_of(inst, &uses);
    memcpy(d->uses + d->use_count, uses.use, uses.count * sizeof *d->uses);
    d->use_count += uses.count;
    o->use_count = (uint8_t)uses.count;
    o->pipe = (uint8_t)(fh_pipe_of(inst) - fh_pipes);
    return true;
}

/* `given`: the word's scheduling fields stay as they are. */
static void append(struct fh_asm *a, fhec_word word, const struct fh_inst *inst, bool given) {
    struct fh_draft *d = &a->draft;
    if (d->word_count == FH_MAX_WORDS) {
        fh_report(a, FH_D_TOO_MANY_WORDS, a->st.head.at, fh_text_of(a, d->name, d->name_length),
                  fh_text(a, "%u", FH_MAX_WORDS), NULL);
        a->stop = true;
        return;
    }
    if (!fh_asm_grow(a, &d->words, &d->word_capacity, d->word_count + 1, sizeof *d->words) ||
        !fh_asm_grow(a, &d->origins, &d->origin_capacity, d->word_count + 1, sizeof *d->origins) ||
        !outline(a, inst, given))
        return;
    struct fh_origin *origin = &d->origins[d->word_count];
    (void)fh_source_origin(&a->sources, (struct fh_span){a->st.begin, a->st.end}, origin, NULL);
    if (a->has_loc)
        *origin = a->loc;
    d->words[d->word_count++] = word;
}

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
    if (a->draft.word_count++)
        fh_report(a, FH_D_SYNTAX, a->st.head.at, "second instruction", ": one stands for itself",
                  NULL);
    else
        a->word = word;
}

void fh_emit(struct fh_asm *a) {
    struct fh_matched m;
    if (!a->draft.open && !a->single) {
        fh_report(a, FH_D_OUTSIDE_KERNEL, a->st.head.at, NULL, NULL, NULL);
        return;
    }
    if (a->st.ended_by != ';' && !a->single)
        check_semicolon(a);
    a->listed = fh_listing_line(a);
    a->draft.listed |= a->listed != NULL;
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
    count_resources(&a->draft, &m.inst);
    append(a, fh_encode(&m.inst), &m.inst, a->st.has_sched || (a->listed && a->listed->has_word));
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
    if (fh_decode(word, &inst)) {
        if (!check_feature(a, fh_insns + inst.form->insn))
            return;
        count_resources(&a->draft, &inst);
    }
    append(a, word, NULL, true);
}
