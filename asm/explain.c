/*
 * explain.c - why a statement is no instruction: of all forms of its mnemonic, those that fitted
 * furthest say what was wrong, and the legal forms go with it as notes.
 */
#include "match.h"

#include <stdio.h>
#include <string.h>

enum { MAX_FORMS = 8 }; /* legal forms shown */

/* Notes that show the syntax of these forms, each text once. */
static void note_syntax(struct fh_asm *a, const char **shown, unsigned *count, const char *syntax) {
    if (!syntax || *count >= MAX_FORMS)
        return;
    for (unsigned i = 0; i < *count; i++)
        if (strcmp(shown[i], syntax) == 0)
            return;
    shown[(*count)++] = syntax;
    fh_note(a, fh_text(a, "legal: %s", syntax));
}

static const char *head_text(struct fh_asm *a) {
    return fh_text_of(a, a->st.head.text, a->st.head.length);
}

/* ---------------------------------------------------------------- mnemonics */

static void unknown_mnemonic(struct fh_asm *a) {
    const struct fh_lexeme *head = &a->st.head;
    const char *dot = memchr(head->text, '.', head->length);
    size_t length = dot ? (size_t)(dot - head->text) : head->length;
    struct fh_span at = {head->at.begin, head->at.begin + (uint32_t)length};
    const struct fh_outside *outside = fh_outside_of_root(head->text, length);
    if (outside) {
        fh_report(a, FH_D_OUTSIDE, at, outside->root, outside->why, NULL);
        return;
    }
    struct fh_nearest n;
    fh_nearest_begin(&n, head->text, length);
    for (unsigned i = 0; i < fh_insn_count; i++)
        fh_nearest_try(&n, fh_insns[i].root, strlen(fh_insns[i].root));
    fh_nearest_note(a, &n, "mnemonic", "");
    struct fh_nearest m;
    fh_nearest_begin(&m, head->text, head->length);
    for (size_t i = 0; i < a->macros.capacity; i++)
        if (a->macros.slots[i])
            fh_nearest_try(&m, a->macros.slots[i]->name, a->macros.slots[i]->length);
    fh_nearest_note(a, &m, "macro", "");
    fh_report(a, FH_D_UNKNOWN_MNEMONIC, at, fh_text_of(a, head->text, length), NULL, NULL);
}

/* Whether any form of the root has this modifier, anywhere; n collects near ones. */
static bool known_modifier(const struct fh_mnemonic *m, const char *word, size_t length,
                           struct fh_nearest *n) {
    bool known = false;
    for (unsigned i = 0; i < m->insn_count; i++) {
        const struct fh_insn *insn = &fh_insns[m->first_insn + i];
        for (unsigned k = 0; k < insn->form_count; k++) {
            const struct fh_form *form = &fh_forms[insn->first_form + k];
            for (unsigned g = 0; g < form->mod_count; g++) {
                const struct fh_mod_spec *mod = &form->mods[g];
                for (unsigned v = 0; v < mod->value_count && !mod->hidden; v++) {
                    const char *text = mod->values[v].text;
                    size_t size = strlen(text), at = 0;
                    /* Each word of "STRONG.SM" counts. */
                    while (at < size) {
                        const char *dot = memchr(text + at, '.', size - at);
                        size_t part = dot ? (size_t)(dot - text) - at : size - at;
                        known |= part == length && memcmp(text + at, word, length) == 0;
                        fh_nearest_try(n, text + at, part);
                        at += part + 1;
                    }
                }
            }
        }
    }
    return known;
}

static void note_forms_of_root(struct fh_asm *a, const struct fh_mnemonic *m) {
    const char *shown[MAX_FORMS];
    unsigned count = 0;
    for (unsigned i = 0; i < m->insn_count; i++) {
        const struct fh_insn *insn = &fh_insns[m->first_insn + i];
        for (unsigned k = 0; k < insn->form_count; k++)
            note_syntax(a, shown, &count, fh_forms[insn->first_form + k].syntax);
    }
}

static const char *choices(struct fh_asm *a, const struct fh_mod_spec *mod) {
    const char *list = "";
    for (unsigned v = 0; v < mod->value_count; v++)
        list = fh_text(a, "%s%s`.%s`", list, v ? ", " : "", mod->values[v].text);
    return mod->value_count > 1 ? fh_text(a, "one of %s", list) : list;
}

void fh_explain_mnemonic(struct fh_asm *a, const struct fh_mnemonic *m) {
    const struct fh_lexeme *head = &a->st.head;
    const char *text = head->text;
    size_t length = head->length;
    if (m->insn_count == 0) {
        unknown_mnemonic(a);
        return;
    }
    const char *root = fh_insns[m->first_insn].root;
    for (size_t at = strlen(root); at < length;) {
        const char *dot = memchr(text + at + 1, '.', length - at - 1);
        size_t end = dot ? (size_t)(dot - text) : length;
        struct fh_nearest n;
        fh_nearest_begin(&n, text + at + 1, end - at - 1);
        if (!known_modifier(m, text + at + 1, end - at - 1, &n)) {
            struct fh_span place = {head->at.begin + (uint32_t)at, head->at.begin + (uint32_t)end};
            fh_nearest_note(a, &n, "modifier", ".");
            note_forms_of_root(a, m);
            fh_report(a, FH_D_UNKNOWN_MODIFIER, place, root,
                      fh_text_of(a, text + at + 1, end - at - 1), NULL);
            return;
        }
        at = end;
    }
    note_forms_of_root(a, m);
    uint32_t fitted = m->fitted;
    if (fitted < length) {
        const char *dot = memchr(text + fitted + 1, '.', length - fitted - 1);
        size_t end = dot ? (size_t)(dot - text) : length;
        struct fh_span place = {head->at.begin + fitted, head->at.begin + (uint32_t)end};
        fh_report(a, FH_D_WRONG_MODIFIERS, place, head_text(a),
                  fh_text_of(a, text + fitted + 1, end - fitted - 1), NULL);
    } else {
        fh_report(a, FH_D_MISSING_MODIFIER, head->at, head_text(a),
                  m->wanted ? choices(a, m->wanted) : "", NULL);
    }
}

/* ---------------------------------------------------------------- operands */

static const char *const kind_texts[] = {
    [FH_K_REG] = "a register (R0..R254, RZ)",
    [FH_K_UREG] = "a uniform register (UR0..UR62, URZ)",
    [FH_K_PRED] = "a predicate (P0..P6, PT)",
    [FH_K_UPRED] = "a uniform predicate (UP0..UP6, UPT)",
    [FH_K_IMM] = "a number",
    [FH_K_CONST] = "a constant (c[0x0][0x160])",
    [FH_K_ADDR] = "an address ([R2])",
    [FH_K_TARGET] = "a label or a code address",
    [FH_K_BARRIER] = "a barrier (B0..B15)",
    [FH_K_SREG] = "a special register (SR_TID.X)",
    [FH_K_WORD] = "a fixed word",
    [FH_K_SCOREBOARD] = "a scoreboard (SB0..SB7)",
    [FH_K_SET] = "a set of numbers ({3,2})",
};

/* The shapes of addresses that a form takes. */
static const char *address_text(struct fh_asm *a, const struct fh_operand_spec *spec) {
    return fh_text(a, "an address [%s%s%s+0x0]%s", spec->wide.pieces ? "R0.64" : "R0",
                   spec->scale.pieces ? ".X4" : "", spec->ureg.pieces ? "+UR0" : "",
                   spec->desc.pieces ? " or desc[UR0][R0.64+0x0]" : "");
}

static const char *kind_text(struct fh_asm *a, const struct fh_operand_spec *spec) {
    if (spec->kind == FH_K_ADDR)
        return address_text(a, spec);
    if (spec->kind == FH_K_WORD)
        return fh_text(a, "`%s`", spec->name);
    if (spec->kind == FH_K_CONST && (spec->reg.pieces || spec->ureg.pieces))
        return spec->reg.pieces ? "a constant (c[0x0][R0+0x160])" : "a constant (c[0x0][UR0])";
    return kind_texts[spec->kind];
}

/* "3 (`B`)" */
static const char *operand_text(struct fh_asm *a, const struct fh_miss *miss) {
    return fh_text(a, "%u (`%s`)", miss->arg + 1u, miss->spec ? miss->spec->name : "");
}

static const char *range_text(struct fh_asm *a, const struct fh_operand_spec *spec) {
    const struct fh_field *f = &spec->value;
    unsigned bits = f->shift;
    for (unsigned i = 0; i < f->pieces; i++)
        bits += f->piece[i].len;
    const char *step = f->shift ? fh_text(a, " in steps of %u", 1u << f->shift) : "";
    if (bits >= 64)
        return fh_text(a, "it takes 64 bits%s", step);
    unsigned long long span = 1ull << bits;
    if (f->is_signed || bits == 32)
        return fh_text(a, "it takes -0x%llx to 0x%llx%s", span >> 1,
                       f->is_signed ? (span >> 1) - 1 : span - 1, step);
    return fh_text(a, "it takes 0x0 to 0x%llx%s", span - 1, step);
}

/* What the candidates that failed at this argument wanted there: "a, b or c". */
static const char *wanted_kinds(struct fh_asm *a, const struct fh_miss *misses, size_t count,
                                const struct fh_miss *worst) {
    const char *texts[16];
    unsigned n = 0;
    for (size_t i = 0; i < count; i++) {
        if (misses[i].arg != worst->arg || misses[i].why != FH_WHY_KIND)
            continue;
        const char *text = kind_text(a, misses[i].spec);
        bool known = false;
        for (unsigned k = 0; k < n; k++)
            known |= strcmp(texts[k], text) == 0;
        if (!known && n < sizeof texts / sizeof *texts)
            texts[n++] = text;
    }
    const char *list = "";
    for (unsigned k = 0; k < n; k++)
        list = fh_text(a, "%s%s%s", list, k == 0 ? "" : k + 1 == n ? " or " : ", ", texts[k]);
    return list;
}

static void explain_kind(struct fh_asm *a, const struct fh_miss *misses, size_t count,
                         const struct fh_miss *worst, const struct fh_value *v) {
    if (worst->spec->kind == FH_K_SREG && v->kind == FH_V_NAME) {
        struct fh_nearest n;
        fh_nearest_begin(&n, v->text, v->length);
        for (unsigned i = 0; i < fh_special_register_count; i++)
            fh_nearest_try(&n, fh_special_registers[i].text, strlen(fh_special_registers[i].text));
        fh_nearest_note(a, &n, "special register", "");
    } else if (v->kind == FH_V_NAME && !v->half && !v->generic &&
               !v->srel) { /* most likely a name that is misspelt */
        fh_unknown_name(a, v->text, v->length, v->at);
        return;
    }
    fh_report(a, FH_D_WRONG_KIND, v->at, operand_text(a, worst),
              wanted_kinds(a, misses, count, worst), fh_describe_value(a, v));
}

static void explain_sign(struct fh_asm *a, const struct fh_miss *miss, const struct fh_value *v) {
    static const char *const signs[] = {[FH_SIGN_NONE] = "bars",
                                        [FH_SIGN_MINUS] = "the sign `-`",
                                        [FH_SIGN_TILDE] = "the sign `~`",
                                        [FH_SIGN_NOT] = "the sign `!`"};
    if (miss->spec->sign == FH_SIGN_BY_X)
        fh_note(a, "`-` without the modifier .X, `~` with it");
    fh_report(a, FH_D_BAD_SIGN, v->at, operand_text(a, miss), signs[v->sign], NULL);
}

/* "R12 .L_0": the dot begins the name of a label, not a suffix. */
static bool explain_apart(struct fh_asm *a, const struct fh_value *v, const char *suffix) {
    if (v->kind != FH_V_REGISTER || (v->suffix[-1] != ' ' && v->suffix[-1] != '\t'))
        return false;
    fh_report(a, FH_D_SYNTAX, (struct fh_span){v->at.end - v->suffix_length, v->at.end},
              fh_text(a, "`%s`", suffix),
              fh_text(a, ": behind a register this label is written `(%s)", suffix), NULL);
    return true;
}

static void explain(struct fh_asm *a, const struct fh_miss *misses, size_t count,
                    const struct fh_miss *miss) {
    const struct fh_statement *st = &a->st;
    if (miss->why == FH_WHY_MISSING) {
        /* After the last operand, or after the mnemonic. */
        uint32_t end = st->arg_count ? st->args[st->arg_count - 1].at.end : st->head.at.end;
        fh_report(a, FH_D_MISSING_OPERAND, (struct fh_span){end, end + 1}, operand_text(a, miss),
                  NULL, NULL);
        return;
    }
    const struct fh_value *v = &st->args[miss->arg];
    const char *suffix = fh_text_of(a, v->suffix ? v->suffix : "", v->suffix_length);
    switch (miss->why) {
    case FH_WHY_SURPLUS:
        fh_report(a, FH_D_SURPLUS_OPERAND,
                  (struct fh_span){v->at.begin, st->args[st->arg_count - 1].at.end}, head_text(a),
                  fh_text(a, "%u operand%s", miss->arg, miss->arg == 1 ? "" : "s"), NULL);
        break;
    case FH_WHY_KIND: explain_kind(a, misses, count, miss, v); break;
    case FH_WHY_SUFFIX:
        if (!explain_apart(a, v, suffix))
            fh_report(a, FH_D_BAD_SUFFIX, v->at, operand_text(a, miss), suffix, NULL);
        break;
    case FH_WHY_NO_SUFFIX:
        fh_report(a, FH_D_NO_SUFFIX, v->at, operand_text(a, miss),
                  miss->spec->suffix ? miss->spec->suffix : ".64", NULL);
        break;
    case FH_WHY_REUSE:
        fh_report(a, FH_D_BAD_SUFFIX, v->at, operand_text(a, miss), ".reuse", NULL);
        break;
    case FH_WHY_SIGN: explain_sign(a, miss, v); break;
    default:
        fh_report(a, FH_D_NO_FIT, v->at, fh_describe_value(a, v), operand_text(a, miss),
                  range_text(a, miss->spec));
    }
}

void fh_explain_operands(struct fh_asm *a, const struct fh_mnemonic *m) {
    struct fh_miss *misses = fh_asm_alloc(a, m->count * sizeof *misses);
    if (!misses)
        return;
    const struct fh_miss *worst = &misses[0];
    struct fh_matched ignored;
    for (size_t i = 0; i < m->count; i++) {
        misses[i] = (struct fh_miss){0};
        (void)fh_match_operands(a, &m->candidates[i], false, &ignored, &misses[i]);
        if (misses[i].arg > worst->arg ||
            (misses[i].arg == worst->arg && misses[i].why > worst->why))
            worst = &misses[i];
    }
    const char *shown[MAX_FORMS];
    unsigned count = 0;
    for (size_t i = 0; i < m->count; i++)
        note_syntax(a, shown, &count, m->candidates[i].form->syntax);
    explain(a, misses, m->count, worst);
}
