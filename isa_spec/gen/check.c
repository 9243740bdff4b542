/*
 * check.c - what must hold of a description as a whole: nothing missing, nothing unused, no word
 * that two forms match. Every finding is an error with its line.
 */
#include <string.h>

#include "isac.h"

/* Tells a word that is none of the list. */
static void check_word(const struct text *word, const char *what, const char *const *list) {
    struct names names = {0};
    for (; *list; list++)
        add_name(&names, *list);
    if (!has_name(&names, word->s))
        error_at(word->at, "unknown %s `%s`%s", what, word->s, suggestion(word->s, &names));
}

static void check_header(struct description *d, struct insn *insn) {
    static const char *const kinds[] = {"lane", "uniform", "warp", "matrix", "mem", "ctrl", NULL};
    static const char *const classes[] = {"integer", "move",   "memory",    "control",
                                          "uniform", "matrix", "crosslane", "modular",
                                          "convert", "float",  NULL};
    if (!insn->kind.s)
        error_at(insn->at, "%s has no `kind`", insn->name);
    else
        check_word(&insn->kind, "kind", kinds);
    if (!insn->klass.s)
        error_at(insn->at, "%s has no `class`", insn->name);
    else
        check_word(&insn->klass, "class", classes);
    if (!*insn->title)
        error_at(insn->at, "%s has no title", insn->name);
    if (!insn->form_count)
        error_at(insn->at, "%s has no `form`", insn->name);
    struct names features = {0};
    for (size_t i = 0; i < d->feature_count; i++) {
        add_name(&features, d->features[i].name);
        d->features[i].used |= insn->feature.s && strcmp(d->features[i].name, insn->feature.s) == 0;
    }
    if (insn->feature.s && !has_name(&features, insn->feature.s))
        error_at(insn->feature.at, "there is no feature `%s`%s", insn->feature.s,
                 suggestion(insn->feature.s, &features));
}

/* Handlers are C functions of the emulator, which knows the instructions that they are about. */
static void check_handler(const struct description *d, const struct insn *insn) {
    const bool is_ctrl = strcmp(insn->kind.s, "ctrl") == 0;
    struct names known = {0};
    if (!insn->shard->own || !insn->handler.s || insn->unsupported.s)
        return;
    for (size_t i = 0; i < d->insn_count; i++)
        if (!d->insns[i].shard->own && d->insns[i].handler.s &&
            strcmp(d->insns[i].kind.s, "ctrl") == 0 && !has_name(&known, d->insns[i].handler.s))
            add_name(&known, d->insns[i].handler.s);
    if (!is_ctrl)
        error_at(insn->handler.at, "`handler` is for fhec's own instructions: give %s a body",
                 insn->name);
    else if (!has_name(&known, insn->handler.s))
        error_at(insn->handler.at, "there is no handler `%s`%s", insn->handler.s,
                 suggestion(insn->handler.s, &known));
}

static void check_meaning(const struct insn *insn) {
    if (!insn->kind.s)
        return;
    bool generated = strcmp(insn->kind.s, "mem") != 0 && strcmp(insn->kind.s, "ctrl") != 0;
    if (!insn->body.s && !insn->like.s)
        error_at(insn->at, "%s has no `does`: its page would not say what it does", insn->name);
    if (insn->body.s && insn->like.s)
        error_at(insn->like.at, "%s has both a body and `like`", insn->name);
    if (!generated && !insn->handler.s && !insn->access.at.file)
        error_at(insn->at, "%s of kind %s has no `handler`%s", insn->name, insn->kind.s,
                 strcmp(insn->kind.s, "mem") == 0 ? " and no `access`" : "");
    if (insn->access.at.file && strcmp(insn->kind.s, "mem") != 0)
        error_at(insn->access.at, "`access` is for instructions of kind mem");
}

/* The kind that a call of fault() in a body names. It is a macro: of a wrong one the C compiler
 * would tell at the macro's line. */
static void check_fault(const struct insn *insn, const char *argument, const struct names *kinds) {
    struct at at = insn->body.at;
    for (const char *s = insn->body.s; s < argument; s++)
        at.line += *s == '\n';
    argument += strspn(argument, " \n\t");
    const char *kind = print("%.*s", (int)strcspn(argument, " \n\t,)"), argument);
    if (!has_name(kinds, kind))
        error_at(at, "there is no fault `%s`%s", kind, suggestion(kind, kinds));
}

/* What C would take in a body, but means nothing there. */
static void check_body(const struct insn *insn) {
    static const char call[] = "fault(";
    struct names kinds = {0};
    if (!insn->body.s || !has_body(insn))
        return;
    add_name(&kinds, "MODULUS");
    add_name(&kinds, "ILLEGAL");
    add_name(&kinds, "TRAP");
    for (const char *s = insn->body.s; (s = strstr(s, call)); s += strlen(call))
        if (s == insn->body.s || !strchr("_abcdefghijklmnopqrstuvwxyz", s[-1]))
            check_fault(insn, s + strlen(call), &kinds);
    if (body_uses(insn, "return"))
        error_at(insn->body.at, "%s: a body has no `return`: results are assigned", insn->name);
}

/* Constants are read before the body runs. */
static void check_constants(const struct insn *insn) {
    for (size_t i = 0; i < insn->form_count; i++)
        for (size_t k = 0; k < insn->forms[i].operand_count; k++) {
            const struct operand *o = &insn->forms[i].operands[k];
            if (o->kind == FH_K_CONST && has_body(insn) &&
                (o->field[F_REG].pieces || o->field[F_UREG].pieces))
                error_at(o->at, "%s form %s: operand `%s`: a body has no constants with an index",
                         insn->name, insn->forms[i].name, o->name);
        }
}

static bool operand_anywhere(const struct insn *insn, const char *name) {
    for (size_t i = 0; i < insn->form_count; i++)
        if (operand_index(&insn->forms[i], name) >= 0)
            return true;
    return false;
}

static void check_form_names(const struct insn *insn, const struct names *forms, struct at at) {
    for (size_t i = 0; i < forms->n; i++) {
        bool found = false;
        for (size_t k = 0; k < insn->form_count; k++)
            found |= strcmp(insn->forms[k].name, forms->v[i]) == 0;
        if (!found)
            error_at(at, "%s has no form `%s`", insn->name, forms->v[i]);
    }
}

/* Lines that speak of operands or modifiers which no form has. */
static void check_unused(const struct insn *insn) {
    for (size_t i = 0; i < insn->field_count; i++) {
        check_form_names(insn, &insn->fields[i].forms, insn->fields[i].at);
        if (!operand_anywhere(insn, insn->fields[i].name))
            error_at(insn->fields[i].at, "no syntax of %s shows operand `%s`", insn->name,
                     insn->fields[i].name);
    }
    for (size_t i = 0; i < insn->syntax_count; i++)
        check_form_names(insn, &insn->syntaxes[i].forms, insn->syntaxes[i].at);
    for (size_t i = 0; i < insn->regs_count; i++)
        if (!operand_anywhere(insn, insn->regs[i].operand))
            error_at(insn->regs[i].at, "no syntax of %s shows operand `%s`", insn->name,
                     insn->regs[i].operand);
    for (size_t i = 0; i < insn->imm_count; i++)
        if (!operand_anywhere(insn, insn->imms[i].operand))
            error_at(insn->imms[i].at, "no syntax of %s shows operand `%s`", insn->name,
                     insn->imms[i].operand);
    for (size_t i = 0; i < insn->parts_count; i++)
        if (!operand_anywhere(insn, insn->parts[i].operand))
            error_at(insn->parts[i].at, "no syntax of %s shows operand `%s`", insn->name,
                     insn->parts[i].operand);
    for (size_t i = 0; i < insn->slots_count; i++)
        if (!operand_anywhere(insn, insn->slots[i].operand))
            error_at(insn->slots[i].at, "no syntax of %s shows operand `%s`", insn->name,
                     insn->slots[i].operand);
    for (size_t i = 0; i < insn->mod_count; i++) {
        bool used = false;
        for (size_t k = 0; k < insn->form_count; k++)
            used |= mod_index(&insn->forms[k], insn->mods[i].name) >= 0;
        if (!used)
            error_at(insn->mods[i].at, "no syntax of %s shows modifier `%s`", insn->name,
                     insn->mods[i].name);
    }
}

static void check_specialise(const struct insn *insn) {
    for (size_t i = 0; i < insn->specialise.n; i++) {
        const char *name = insn->specialise.v[i];
        bool values = insn->specialise_values[i].n != 0;
        bool found = !values && strcmp(name, "signs") == 0;
        for (size_t k = 0; k < insn->form_count; k++) {
            const struct form *f = &insn->forms[k];
            found |= mod_index(f, name) >= 0;
            for (size_t o = 0; o < f->operand_count; o++)
                found |= (strcmp(f->operands[o].var, name) == 0 &&
                          (!values || f->operands[o].kind == FH_K_IMM)) ||
                         (!values && f->operands[o].sign && strncmp(name, "neg_", 4) == 0 &&
                          strcmp(f->operands[o].var, name + 4) == 0);
        }
        if (!found)
            error_at(insn->specialise_at, "`specialise`: %s has no %s `%s`", insn->name,
                     values ? "modifier or immediate" : "modifier or sign", name);
    }
}

/* ---------------------------------------------------------------- memory */

/* A lane accesses 1, 2, 4, 8 or 16 bytes, whatever the modifiers are. */
static void check_bytes(const struct form *form, const struct access *a) {
    struct names names = expr_names(a->bytes.s);
    uint32_t values[FH_MAX_MODS + 1];
    first_values(form, values);
    do {
        int64_t n;
        if (!evaluate(form, values, a->bytes.s, &n)) {
            error_at(a->at, "`%s` is no expression of numbers and modifiers", a->bytes.s);
            return;
        }
        if (n != 1 && n != 2 && n != 4 && n != 8 && n != 16) {
            error_at(a->at, "%s accesses %lld bytes; 1, 2, 4, 8 and 16 are possible",
                     mnemonic_text(form, values), (long long)n);
            return;
        }
    } while (next_values(form, &names, values));
}

static void check_access(const struct insn *insn) {
    static const char *const spaces[] = {"none", "global", "shared", "local", "generic", NULL};
    static const char *const ways[] = {"load", "store", "atomic", "swap", NULL};
    const struct access *a = &insn->access;
    const struct text space = {a->at, a->space}, how = {a->at, a->how};
    check_word(&space, "space", spaces);
    if (a->how)
        check_word(&how, "access", ways);
    for (size_t i = 0; i < insn->form_count; i++) {
        const struct form *form = &insn->forms[i];
        size_t addresses = 0;
        for (size_t k = 0; k < form->operand_count; k++)
            addresses += form->operands[k].kind == FH_K_ADDR;
        if (addresses != 1)
            error_at(a->at, "%s form %s has %zu addresses; `access` needs one", insn->name,
                     form->name, addresses);
        if (a->how)
            check_bytes(form, a);
    }
}

/* ---------------------------------------------------------------- numbers of registers */

/* How many registers operands may have in bodies of this kind: a row each, or pairs. */
static int64_t most_registers(const struct insn *insn, const struct operand *o) {
    const bool words = strcmp(insn->kind.s, "matrix") == 0 && o->kind == FH_K_UREG &&
                       !is_set(o->access, FH_WRITE) && constant_regs(o);
    if (insn->unsupported.s || !has_body(insn) || words)
        return FH_OPERAND_REGISTERS;
    return strcmp(insn->kind.s, "mem") == 0 && o->kind == FH_K_REG ? 4 : 2;
}

/* The number of registers of an operand without a layout, for all values of the modifiers. */
static void check_count(const struct description *d, const struct form *form,
                        const struct operand *o) {
    struct names names = expr_names(o->regs.s);
    uint32_t values[FH_MAX_MODS + 1];
    const int64_t most = most_registers(form->insn, o);
    first_values(form, values);
    do {
        int64_t n = 0;
        const struct variant *v = variant_for(form, values);
        bool has_layout = v && layout_of(d, v, o);
        if (!evaluate(form, values, o->regs.s, &n)) {
            error_at(o->regs.at, "`%s` is no expression of numbers and modifiers", o->regs.s);
            return;
        }
        if (n < 1 || n > FH_OPERAND_REGISTERS) {
            error_at(o->regs.at, "%s: operand `%s` has %lld registers; 1 to %d are possible",
                     mnemonic_text(form, values), o->name, (long long)n, FH_OPERAND_REGISTERS);
            return;
        }
        if (n > most && !has_layout) {
            error_at(o->regs.at,
                     "%s: operand `%s` has %lld registers; in bodies of kind %s it can "
                     "have %lld%s",
                     mnemonic_text(form, values), o->name, (long long)n, form->insn->kind.s,
                     (long long)most,
                     strcmp(form->insn->kind.s, "matrix") == 0 ? ", or a `layout`" : "");
            return;
        }
    } while (next_values(form, &names, values));
}

static void check_counts(const struct description *d, const struct insn *insn) {
    for (size_t i = 0; i < insn->form_count; i++)
        for (size_t k = 0; k < insn->forms[i].operand_count; k++)
            if (insn->forms[i].operands[k].regs.s)
                check_count(d, &insn->forms[i], &insn->forms[i].operands[k]);
}

/* The body of a matrix instruction sees its operands through layouts. */
static void check_matrix(const struct insn *insn) {
    for (size_t i = 0; i < insn->form_count; i++) {
        const struct form *form = &insn->forms[i];
        if (!form->variants.n)
            error_at(form->at,
                     "%s form %s: no `layout` line is about it; a body without layouts is "
                     "of kind warp",
                     insn->name, form->name);
        else if (form->variants.without)
            error_at(form->at, "%s form %s: there are no layouts for %s", insn->name, form->name,
                     form->variants.without);
    }
}

/* ---------------------------------------------------------------- words that two forms match */

static bool agree(fhec_word a_mask, fhec_word a, fhec_word b_mask, fhec_word b) {
    return (a_mask.lo & b_mask.lo & (a.lo ^ b.lo)) == 0 &&
           (a_mask.hi & b_mask.hi & (a.hi ^ b.hi)) == 0;
}

/* Whether a modifier of `f` has a value whose bits agree with the fixed bits of `g`. */
static bool some_value_agrees(const struct mod *mod, const struct form *g) {
    if (!mod->bits.pieces || mod->hidden)
        return true;
    fhec_word mask = bits_mask(&mod->bits);
    for (size_t i = 0; i < mod->values->n; i++)
        if (agree(mask, bits_place(&mod->bits, mod->values->v[i].value), g->mask, g->value))
            return true;
    return false;
}

static bool overlap(const struct form *f, const struct form *g) {
    if (!agree(f->mask, f->value, g->mask, g->value))
        return false;
    for (size_t i = 0; i < f->mod_count; i++)
        if (!some_value_agrees(f->mods[i], g))
            return false;
    for (size_t i = 0; i < g->mod_count; i++)
        if (!some_value_agrees(g->mods[i], f))
            return false;
    return true;
}

static bool allowed(struct description *d, const struct form *f, const struct form *g) {
    const char *a = print("%s/%s", f->insn->name, f->name);
    const char *b = print("%s/%s", g->insn->name, g->name);
    for (size_t i = 0; i < d->allow_count; i++) {
        struct allow *w = &d->allows[i];
        if ((strcmp(w->first, a) == 0 && strcmp(w->second, b) == 0) ||
            (strcmp(w->first, b) == 0 && strcmp(w->second, a) == 0)) {
            w->used = true;
            return true;
        }
    }
    return false;
}

static void check_overlaps(struct description *d) {
    for (size_t i = 0; i < d->form_count; i++) {
        for (size_t k = 0; k < i; k++) {
            /* Told at the one that comes later in the description. */
            bool swapped = d->forms[i]->insn < d->forms[k]->insn;
            const struct form *f = d->forms[swapped ? i : k], *g = d->forms[swapped ? k : i];
            if (f->syntax && g->syntax && overlap(f, g) && !allowed(d, f, g))
                error_at(g->at, "%s form %s and %s form %s (%s:%d) match the same words",
                         g->insn->name, g->name, f->insn->name, f->name, f->at.file, f->at.line);
        }
    }
    for (size_t i = 0; i < d->allow_count; i++)
        if (!d->allows[i].used)
            error_at(d->allows[i].at, "this `allow` is stale: %s and %s do not overlap",
                     d->allows[i].first, d->allows[i].second);
}

static void check_choices(const struct description *d) {
    for (size_t i = 0; i < d->enum_count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(d->enums[i].name, d->enums[k].name) == 0)
                error_at(d->enums[i].at, "enum `%s` is given twice", d->enums[i].name);
    for (size_t i = 0; i < d->feature_count; i++)
        if (!d->features[i].used)
            error_at(d->features[i].at, "no instruction needs feature `%s`", d->features[i].name);
}

void check_description(struct description *d) {
    for (size_t i = 0; i < d->insn_count; i++) {
        struct insn *insn = &d->insns[i];
        check_header(d, insn);
        check_meaning(insn);
        if (insn->kind.s) {
            check_handler(d, insn);
            check_body(insn);
            check_constants(insn);
        }
        check_unused(insn);
        check_specialise(insn);
        check_counts(d, insn);
        if (insn->access.at.file)
            check_access(insn);
        if (insn->kind.s && strcmp(insn->kind.s, "matrix") == 0 && has_body(insn))
            check_matrix(insn);
    }
    check_choices(d);
    check_pipes(d);
    check_overlaps(d);
    check_ambiguity(d);
    check_layouts(d);
}
