/*
 * explain_operands.c - why a statement fits no form of its mnemonic.
 *
 * Forms leave operands out, and each tells another story of the same arguments. So the argument
 * that is wrong is found by trying: the one which, replaced by one that fits anything, makes the
 * statement fit; or the position at which one more argument does, or the argument that is one too
 * many, or two that are wrong together. What the forms that fit then want there is what the message
 * says. Where no such change helps, the form that got furthest says what stopped it.
 */
#include "asm.h"
#include "asm_memory.h"
#include "explain.h"
#include "expression.h"
#include "fit.h"
#include "names.h"
#include "syntax.h"

#include <string.h>

enum {
    MAX_FORMS = 8,   /* legal forms shown */
    MAX_KINDS = 16,  /* kinds of operands named in one message */
    MAX_PAIRED = 12, /* arguments of a statement in which pairs are tried */
};

/* An operand that an argument would be, if it fitted. */
struct seat {
    const struct fh_candidate *c;
    const struct fh_operand_spec *spec;
};

/* An argument that keeps the statement from fitting, and the operands that it would be in the forms
 * that fit but for it (or but for it and another one). */
struct suspect {
    unsigned arg;
    struct seat *seats;
    size_t count;
};

static void note_legal_forms(struct fh_asm *a, const struct fh_mnemonic *m) {
    const char *shown[MAX_FORMS];
    unsigned count = 0;
    for (size_t i = 0; i < m->count && count < MAX_FORMS; i++) {
        const char *syntax = m->candidates[i].form->syntax;
        bool known = !syntax;
        for (unsigned k = 0; k < count && !known; k++)
            known = strcmp(shown[k], syntax) == 0;
        if (known)
            continue;
        shown[count++] = syntax;
        fh_note(a, fh_text(a, "legal: %s", syntax));
    }
}

static const char *head_text(struct fh_asm *a) {
    return fh_text_of(a, a->st.head.text, a->st.head.length);
}

/* ---------------------------------------------------------------- what operands are */

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
static const char *statement_text(struct fh_asm *a, unsigned arg,
                                  const struct fh_operand_spec *spec) {
    return fh_text(a, "%u (`%s`)", arg + 1u, spec ? spec->name : "");
}

static const char *range_text(struct fh_asm *a, const struct fh_operand_spec *spec) {
    const struct fh_field *f = &spec->value;
    if (spec->number == FH_N_F16X2 || spec->number == FH_N_BF16X2)
        return "it takes a decimal, or bits from 0x0 to 0xffff";
    if (spec->number == FH_N_F32 || spec->number == FH_N_F64)
        return "it takes a decimal, or bits from 0x0 to 0xffffffff";
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

/* "a, b or c", each text once. */
struct list {
    const char *texts[MAX_KINDS];
    unsigned count;
};

static void add_text(struct list *list, const char *text) {
    for (unsigned k = 0; k < list->count; k++)
        if (strcmp(list->texts[k], text) == 0)
            return;
    if (list->count < MAX_KINDS)
        list->texts[list->count++] = text;
}

static const char *joined(struct fh_asm *a, const struct list *list) {
    const char *text = "";
    for (unsigned k = 0; k < list->count; k++)
        text = fh_text(a, "%s%s%s", text,
                       k == 0                 ? ""
                       : k + 1 == list->count ? " or "
                                              : ", ",
                       list->texts[k]);
    return text;
}

static bool is_predicate(uint8_t kind) {
    return kind == FH_K_PRED || kind == FH_K_UPRED;
}

/* Whether the operand is worth naming for this argument: it must be there, or it is left out unless
 * there is something like a predicate, and there is. */
static bool is_meant(const struct fh_operand_spec *spec, const struct fh_value *v) {
    return !spec->optional ||
           (v->kind == FH_V_REGISTER && is_predicate(v->reg_kind) && is_predicate(spec->kind));
}

/* The kinds of operands that the seats want, of those that are meant if any is. */
static const char *wanted_kinds(struct fh_asm *a, const struct suspect *s,
                                const struct fh_value *v) {
    struct list meant = {.count = 0}, all = {.count = 0};
    for (size_t i = 0; i < s->count; i++) {
        const char *text = kind_text(a, s->seats[i].spec);
        add_text(&all, text);
        if (is_meant(s->seats[i].spec, v))
            add_text(&meant, text);
    }
    return joined(a, meant.count ? &meant : &all);
}

/* ---------------------------------------------------------------- finding the argument */

/* The operand that the argument has become; NULL if none. */
static const struct fh_operand_spec *operand_of(const struct fh_form *form,
                                                const struct fh_matched *matched, unsigned arg) {
    for (unsigned k = 0; k < form->operand_count; k++) {
        unsigned first = matched->arg_of[k], last = first + fh_is_pair(&form->operands[k]);
        if (first != FH_NO_ARGUMENT && first <= arg && arg <= last)
            return &form->operands[k];
    }
    return NULL;
}

/* Whether the statement fits some form as it is now; which operand `arg` is in each of them. */
static bool fits(struct fh_asm *a, const struct fh_mnemonic *m, unsigned arg, struct suspect *s) {
    bool any = false;
    *s = (struct suspect){.arg = arg, .seats = fh_asm_alloc(a, m->count * sizeof *s->seats)};
    for (size_t i = 0; i < m->count && s->seats; i++) {
        const struct fh_candidate *c = &m->candidates[i];
        struct fh_matched matched;
        struct fh_miss miss = {0};
        if (!fh_fit_operands(a, c, false, &matched, &miss))
            continue;
        any = true;
        const struct fh_operand_spec *spec = operand_of(c->form, &matched, arg);
        if (spec)
            s->seats[s->count++] = (struct seat){c, spec};
    }
    return any;
}

static bool fits_but_for(struct fh_asm *a, const struct fh_mnemonic *m, unsigned arg,
                         struct suspect *s) {
    struct fh_value saved = a->st.args[arg];
    a->st.args[arg] = (struct fh_value){.kind = FH_V_ANY};
    bool good = fits(a, m, arg, s) && s->count;
    a->st.args[arg] = saved;
    return good;
}

/* Two arguments that are wrong together, the later ones first. */
static bool find_pair(struct fh_asm *a, const struct fh_mnemonic *m, struct suspect pair[2]) {
    unsigned count = (unsigned)a->st.arg_count;
    for (unsigned j = count; count <= MAX_PAIRED && j-- > 1;) {
        for (unsigned i = j; i-- > 0;) {
            struct fh_value saved = a->st.args[i];
            a->st.args[i] = (struct fh_value){.kind = FH_V_ANY};
            bool good = fits_but_for(a, m, j, &pair[1]);
            a->st.args[i] = saved;
            saved = a->st.args[j];
            a->st.args[j] = (struct fh_value){.kind = FH_V_ANY};
            good = good && fits_but_for(a, m, i, &pair[0]);
            a->st.args[j] = saved;
            if (good)
                return true;
        }
    }
    return false;
}

/* Whether the statement fits with one more argument at this position. */
static bool fits_with_one_at(struct fh_asm *a, const struct fh_mnemonic *m, size_t at,
                             struct suspect *s) {
    struct fh_statement *st = &a->st;
    size_t count = st->arg_count;
    if (!fh_asm_grow(a, &st->args, &st->arg_capacity, count + 1, sizeof *st->args))
        return false;
    memmove(st->args + at + 1, st->args + at, (count - at) * sizeof *st->args);
    st->args[at] = (struct fh_value){.kind = FH_V_ANY};
    st->arg_count = count + 1;
    bool good = fits(a, m, (unsigned)at, s) && s->count;
    st->arg_count = count;
    memmove(st->args + at, st->args + at + 1, (count - at) * sizeof *st->args);
    return good;
}

/* The last position at which one more argument makes the statement fit. */
static bool find_missing(struct fh_asm *a, const struct fh_mnemonic *m, struct suspect *s) {
    for (size_t at = a->st.arg_count + 1; at-- > 0;)
        if (fits_with_one_at(a, m, at, s))
            return true;
    return false;
}

/* "R8 -0x1" for "R8, -0x1": the statement fits if a sum is two arguments. */
static bool is_missing_comma(struct fh_asm *a, const struct fh_mnemonic *m, unsigned arg) {
    struct fh_value saved = a->st.args[arg], *v = &a->st.args[arg];
    struct suspect any;
    if (v->kind != FH_V_SUM || v->has_reg == v->has_ureg)
        return false;
    v->kind = FH_V_REGISTER;
    v->reg_kind = v->has_reg ? FH_K_REG : FH_K_UREG;
    v->reg = v->has_reg ? v->reg : v->ureg;
    bool good = fits_with_one_at(a, m, arg + 1, &any);
    a->st.args[arg] = saved;
    return good;
}

/* The last argument without which the statement fits. */
static bool find_surplus(struct fh_asm *a, const struct fh_mnemonic *m, unsigned *arg) {
    struct fh_statement *st = &a->st;
    size_t count = st->arg_count;
    struct suspect any;
    bool good = false;
    if (count == 0)
        return false;
    st->arg_count = count - 1;
    for (size_t at = count; at-- > 0 && !good;) {
        struct fh_value saved = st->args[at];
        memmove(st->args + at, st->args + at + 1, (count - 1 - at) * sizeof *st->args);
        good = fits(a, m, 0, &any);
        memmove(st->args + at + 1, st->args + at, (count - 1 - at) * sizeof *st->args);
        st->args[at] = saved;
        *arg = (unsigned)at;
    }
    st->arg_count = count;
    return good;
}

/* ---------------------------------------------------------------- one argument */

static void explain_sign(struct fh_asm *a, const struct fh_operand_spec *spec, const char *operand,
                         const struct fh_value *v) {
    static const char *const signs[] = {[FH_SIGN_NONE] = "bars",
                                        [FH_SIGN_MINUS] = "the sign `-`",
                                        [FH_SIGN_TILDE] = "the sign `~`",
                                        [FH_SIGN_NOT] = "the sign `!`"};
    if (spec->sign == FH_SIGN_BY_X)
        fh_note(a, "`-` without the modifier .X, `~` with it");
    fh_report(a, FH_D_BAD_SIGN, v->at, operand, signs[v->sign], NULL);
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

/* A name that is meant to be one of the program's, and none that is known. */
static bool is_unknown_name(struct fh_asm *a, const struct fh_value *v) {
    if (v->kind != FH_V_NAME || v->half || v->generic || v->srel)
        return false;
    const struct fh_symbol *label = fh_table_find(&a->labels, v->text, v->length);
    return !(label && label->defined) && !fh_table_find(&a->globals, v->text, v->length);
}

static void note_special_registers(struct fh_asm *a, const struct fh_value *v) {
    struct fh_nearest n;
    fh_nearest_begin(&n, v->text, v->length);
    for (unsigned i = 0; i < fh_special_register_count; i++)
        fh_nearest_try(&n, fh_special_registers[i].text, strlen(fh_special_registers[i].text));
    fh_nearest_note(a, &n, "special register", "");
}

/* Which other operands of the forms the argument could be; not for registers, which are most. */
static void note_possible_seats(struct fh_asm *a, const struct fh_mnemonic *m,
                                const struct suspect *s, const struct fh_value *v) {
    struct list names = {.count = 0};
    if (v->kind == FH_V_REGISTER && v->reg_kind != FH_K_UREG)
        return;
    for (size_t i = 0; i < m->count; i++) {
        const struct fh_candidate *c = &m->candidates[i];
        for (unsigned k = 0; k < c->operand_count; k++) {
            const struct fh_operand_spec *spec = &c->form->operands[c->operands[k]];
            struct fh_operand op = c->proto.op[c->operands[k]];
            enum fh_why why;
            bool other = !spec->optional;
            for (size_t n = 0; n < s->count; n++)
                other &= strcmp(s->seats[n].spec->name, spec->name) != 0;
            if (other && fh_fit_operand(a, c, spec, v, false, &op, &why))
                add_text(&names, fh_text(a, "`%s`", spec->name));
        }
    }
    if (names.count)
        fh_note(a, fh_text(a, "%s could be %s", fh_describe_value(a, v), joined(a, &names)));
}

/* Of the seats the one that the argument comes nearest to, and what is wrong with it there. */
static const struct fh_operand_spec *nearest_seat(struct fh_asm *a, const struct suspect *s,
                                                  const struct fh_value *v, enum fh_why *worst) {
    const struct fh_operand_spec *best = NULL;
    *worst = FH_WHY_KIND;
    for (size_t i = 0; i < s->count; i++) {
        const struct seat *seat = &s->seats[i];
        struct fh_operand op = {.kind = seat->spec->kind};
        enum fh_why why;
        if (fh_fit_operand(a, seat->c, seat->spec, v, false, &op, &why))
            why = FH_WHY_KIND; /* the first of a pair of numbers, whose second is wrong */
        if (!best || why > *worst ||
            (why == *worst && !is_meant(best, v) && is_meant(seat->spec, v))) {
            best = seat->spec;
            *worst = why;
        }
    }
    return best;
}

static void explain_kind(struct fh_asm *a, const struct fh_mnemonic *m, const struct suspect *s,
                         const struct fh_operand_spec *spec, const struct fh_value *v) {
    if (spec->kind == FH_K_SREG && v->kind == FH_V_NAME) {
        note_special_registers(a, v);
    } else if (is_unknown_name(a, v)) {
        fh_unknown_name(a, v->text, v->length, v->at);
        return;
    }
    note_possible_seats(a, m, s, v);
    note_legal_forms(a, m);
    fh_report(a, FH_D_WRONG_KIND, v->at, statement_text(a, s->arg, spec), wanted_kinds(a, s, v),
              fh_describe_value(a, v));
}

static void explain_unsigned(struct fh_asm *a, const struct suspect *s, const struct fh_value *v,
                             const char *operand) {
    bool uniform = false;
    for (size_t i = 0; i < s->count; i++)
        uniform |= s->seats[i].spec->kind == FH_K_ADDR && s->seats[i].spec->ureg.pieces;
    fh_note(a, fh_text(a, "without a register an address has no sign: `[0x30]`%s",
                       uniform ? "; what is counted from 0 has one: `[URZ+-0x30]`" : ""));
    fh_report(a, FH_D_NO_FIT, v->at, fh_describe_value(a, v), operand,
              "it takes no sign without a register");
}

static void explain_argument(struct fh_asm *a, const struct fh_mnemonic *m,
                             const struct suspect *s) {
    const struct fh_value *v = &a->st.args[s->arg];
    enum fh_why why;
    const struct fh_operand_spec *spec = nearest_seat(a, s, v, &why);
    const char *operand = statement_text(a, s->arg, spec);
    const char *suffix = fh_text_of(a, v->suffix ? v->suffix : "", v->suffix_length);
    if (why == FH_WHY_KIND) {
        explain_kind(a, m, s, spec, v);
        return;
    }
    if (why == FH_WHY_SUFFIX && explain_apart(a, v, suffix))
        return;
    note_legal_forms(a, m);
    switch (why) {
    case FH_WHY_SUFFIX: fh_report(a, FH_D_BAD_SUFFIX, v->at, operand, suffix, NULL); break;
    case FH_WHY_NO_SUFFIX:
        fh_report(a, FH_D_NO_SUFFIX, v->at, operand, spec->suffix ? spec->suffix : ".64` or `.U32",
                  NULL);
        break;
    case FH_WHY_REUSE: fh_report(a, FH_D_BAD_SUFFIX, v->at, operand, ".reuse", NULL); break;
    case FH_WHY_UNSIGNED: explain_unsigned(a, s, v, operand); break;
    case FH_WHY_SIGN: explain_sign(a, spec, operand, v); break;
    default:
        fh_report(a, FH_D_NO_FIT, v->at, fh_describe_value(a, v), operand, range_text(a, spec));
    }
}

/* ---------------------------------------------------------------- the statement */

static void explain_missing(struct fh_asm *a, const struct fh_mnemonic *m,
                            const struct suspect *s) {
    static const struct fh_value nothing = {.kind = FH_V_ANY};
    const struct fh_statement *st = &a->st;
    enum fh_why why;
    const struct fh_operand_spec *spec = nearest_seat(a, s, &nothing, &why);
    /* Before the next argument, or after the last one, or after the mnemonic. */
    uint32_t at = s->arg < st->arg_count ? st->args[s->arg].at.begin
                  : st->arg_count        ? st->args[st->arg_count - 1].at.end
                                         : st->head.at.end;
    fh_note(a, fh_text(a, "it must be %s", wanted_kinds(a, s, &nothing)));
    note_legal_forms(a, m);
    fh_report(a, FH_D_MISSING_OPERAND, (struct fh_span){at, at + 1},
              statement_text(a, s->arg, spec), NULL, NULL);
}

/* The statement would be complete without the arguments from `arg` to `last`. */
static void explain_surplus(struct fh_asm *a, const struct fh_mnemonic *m, unsigned arg,
                            unsigned last) {
    const struct fh_statement *st = &a->st;
    size_t count = st->arg_count - (last - arg + 1);
    note_legal_forms(a, m);
    fh_report(a, FH_D_SURPLUS_OPERAND,
              (struct fh_span){st->args[arg].at.begin, st->args[last].at.end}, head_text(a),
              fh_text(a, "%zu operand%s", count, count == 1 ? "" : "s"), NULL);
}

/* No small change makes it fit: what stopped the form that got furthest. */
static void explain_furthest(struct fh_asm *a, const struct fh_mnemonic *m) {
    struct fh_miss worst = {0};
    struct fh_matched ignored;
    struct suspect s = {.seats = fh_asm_alloc(a, m->count * sizeof *s.seats)};
    for (size_t i = 0; i < m->count && s.seats; i++) {
        struct fh_miss miss = {0};
        (void)fh_fit_operands(a, &m->candidates[i], false, &ignored, &miss);
        if (i == 0 || miss.arg > worst.arg || (miss.arg == worst.arg && miss.why > worst.why)) {
            worst = miss;
            s.count = 0;
        }
        if (miss.arg == worst.arg && miss.why == worst.why && miss.spec)
            s.seats[s.count++] = (struct seat){&m->candidates[i], miss.spec};
    }
    s.arg = worst.arg;
    if (worst.why == FH_WHY_SURPLUS && worst.arg < a->st.arg_count)
        explain_surplus(a, m, worst.arg, (unsigned)a->st.arg_count - 1);
    else if (s.count && worst.arg < a->st.arg_count)
        explain_argument(a, m, &s);
    else if (s.count)
        explain_missing(a, m, &s);
}

/* A blank, or a sign, where a comma belongs. Few instructions have operands that a blank parts;
 * theirs may just be wrong. */
static bool explain_comma(struct fh_asm *a, const struct fh_mnemonic *m) {
    struct fh_statement *st = &a->st;
    const struct fh_value *first = NULL;
    bool parted = false;
    struct suspect any;
    for (size_t i = st->arg_count; i-- > 0;)
        if (st->args[i].glued)
            first = &st->args[i];
    for (size_t i = 0; i < m->count; i++)
        for (unsigned k = 0; k < m->candidates[i].form->operand_count; k++)
            parted |= m->candidates[i].form->operands[k].glued;
    for (unsigned i = 0; i < st->arg_count && !first; i++) {
        if (is_missing_comma(a, m, i)) {
            const char *text = fh_source_text(&a->sources, st->args[i].at);
            size_t length = st->args[i].at.end - st->args[i].at.begin;
            fh_report(a, FH_D_SYNTAX, st->args[i].at, fh_text(a, "sum `%.*s`", (int)length, text),
                      ", expected `,` before the number", NULL);
            return true;
        }
    }
    if (!first)
        return false;
    for (size_t i = 0; i < st->arg_count; i++)
        st->args[i].glued = false;
    if (parted && !fits(a, m, 0, &any))
        return false;
    fh_missing_comma(a, first->at);
    return true;
}

/* The statement fits if the argument is changed; it would as well if `instead` were, and nothing
 * tells which of the two is meant. */
static void note_instead(struct fh_asm *a, const struct suspect *instead) {
    const struct fh_value *v = &a->st.args[instead->arg];
    enum fh_why why;
    const struct fh_operand_spec *spec = nearest_seat(a, instead, v, &why);
    if (why == FH_WHY_KIND)
        fh_note(a, fh_text(a, "or operand %s must be %s", statement_text(a, instead->arg, spec),
                           wanted_kinds(a, instead, v)));
}

/* Whether the argument was meant to be what the forms want: not an operand that could be left out.
 */
static bool any_meant(const struct suspect *s, const struct fh_value *v) {
    for (size_t i = 0; i < s->count; i++)
        if (is_meant(s->seats[i].spec, v))
            return true;
    return false;
}

void fh_explain_operands(struct fh_asm *a, const struct fh_mnemonic *m) {
    struct suspect s, found[2], optional = {.count = 0}, pair[2];
    unsigned count = 0, arg;
    if (explain_comma(a, m))
        return;
    for (unsigned j = (unsigned)a->st.arg_count; j-- > 0;) {
        if (!fits_but_for(a, m, j, &s))
            continue;
        if (!any_meant(&s, &a->st.args[j]))
            optional = s;
        else if (count++ < 2)
            found[count - 1] = s;
    }
    if (find_missing(a, m, &s)) {
        if (count == 1)
            note_instead(a, &found[0]);
        explain_missing(a, m, &s);
    } else if (count) {
        if (count == 2)
            note_instead(a, &found[1]);
        explain_argument(a, m, &found[0]);
    } else if (find_surplus(a, m, &arg)) {
        explain_surplus(a, m, arg, arg);
    } else if (optional.count) {
        explain_argument(a, m, &optional);
    } else if (find_pair(a, m, pair)) {
        explain_argument(a, m, &pair[0]);
        explain_argument(a, m, &pair[1]);
    } else {
        explain_furthest(a, m);
    }
}
