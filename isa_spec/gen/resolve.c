/*
 * resolve.c - brings the lines of each block together: forms with their modifiers, operands, fixed
 * bits and ids. Afterwards every bit of every form is fixed or belongs to exactly one field.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "operands.h"

struct mod *find_mod(struct insn *insn, const char *name) {
    for (size_t i = 0; i < insn->mod_count; i++)
        if (strcmp(insn->mods[i].name, name) == 0)
            return &insn->mods[i];
    return NULL;
}

static struct derived *find_derived(struct insn *insn, const char *name) {
    for (size_t i = 0; i < insn->derived_count; i++)
        if (strcmp(insn->deriveds[i].name, name) == 0)
            return &insn->deriveds[i];
    return NULL;
}

/* ---------------------------------------------------------------- modifiers */

static void mod_values(struct description *d, struct mod *mod) {
    for (size_t i = 0; mod->enum_name && i < d->enum_count; i++)
        if (strcmp(d->enums[i].name, mod->enum_name) == 0)
            mod->values = &d->enums[i];
    if (!mod->values) {
        if (mod->enum_name)
            error_at(mod->at, "there is no enum `%s`", mod->enum_name);
        else if (!mod->hidden)
            error_at(mod->at, "modifier `%s` has no texts", mod->name);
        mod->values = more(NULL, 0, sizeof *mod->values);
    }
    const struct choices *c = mod->values;
    uint64_t top = bits_low(bits_width(&mod->bits));
    bool listed = false;
    for (size_t i = 0; i < c->n; i++) {
        if (c->v[i].value > top)
            error_at(mod->at, "modifier `%s`: value %u does not fit %u bits", mod->name,
                     c->v[i].value, bits_width(&mod->bits));
        for (size_t k = 0; k < i; k++)
            if (strcmp(c->v[i].text, c->v[k].text) == 0)
                error_at(mod->at, "modifier `%s`: the text \"%s\" stands for two values", mod->name,
                         c->v[i].text);
        if (!mod->has_default && !*c->v[i].text) {
            mod->has_default = true;
            mod->fallback = c->v[i].value;
        }
    }
    for (size_t i = 0; i < c->n; i++)
        listed |= c->v[i].value == mod->fallback;
    if (mod->has_default && (mod->hidden ? mod->fallback > top : !listed))
        error_at(mod->at, "modifier `%s`: the default %u is none of its values", mod->name,
                 mod->fallback);
    if (!mod->has_default)
        mod->fallback = UINT32_MAX;
}

static void part_values(const struct description *d, struct parts_of *parts) {
    for (size_t i = 0; i < d->enum_count; i++)
        if (strcmp(d->enums[i].name, parts->enum_name) == 0)
            parts->values = &d->enums[i];
    if (!parts->values)
        error_at(parts->at, "there is no enum `%s`", parts->enum_name);
}

static struct mod *literal(struct insn *insn, const char *text, struct at at) {
    for (const char *p = text; *p; p++)
        if (islower((unsigned char)*p)) {
            error_at(at, "`.%s` is no modifier of %s", text, insn->name);
            break;
        }
    struct mod *mod = more(NULL, 0, sizeof *mod);
    *mod = (struct mod){.at = at, .name = text, .literal = true, .fallback = UINT32_MAX};
    mod->values = more(NULL, 0, sizeof *mod->values);
    mod->values->v = more(NULL, 0, sizeof *mod->values->v);
    mod->values->v[mod->values->n++] = (struct choice){0, text};
    return mod;
}

static struct mod *derived_mod(const struct derived *d) {
    struct mod *mod = more(NULL, 0, sizeof *mod);
    *mod = (struct mod){.at = d->at, .name = d->name, .has_default = true};
    mod->derived = (struct derived *)(uintptr_t)d;
    mod->values = more(NULL, 0, sizeof *mod->values);
    struct choices *c = mod->values;
    for (size_t i = 0; i < d->case_count; i++) {
        bool known = false;
        for (size_t k = 0; k < c->n; k++)
            known |= strcmp(c->v[k].text, d->cases[i].text) == 0;
        if (known)
            continue;
        c->v = more(c->v, c->n, sizeof *c->v);
        c->v[c->n] = (struct choice){(uint32_t)c->n, d->cases[i].text};
        c->n++;
    }
    return mod;
}

static void form_mods(struct insn *insn, struct form *form) {
    const struct syntax *s = form->syntax;
    for (size_t i = 0; i < s->mod_count; i++) {
        const struct mod_ref *ref = &s->mods[i];
        struct mod *mod = find_mod(insn, ref->name);
        struct derived *derived = find_derived(insn, ref->name);
        if (!mod && derived)
            mod = derived_mod(derived);
        if (!mod && ref->optional)
            error_at(s->at, "`{.%s}` is no modifier of %s", ref->name, insn->name);
        if (!mod)
            mod = literal(insn, ref->name, s->at);
        if (ref->optional && !mod->has_default && !mod->literal)
            error_at(s->at, "`{.%s}` can be left out, so modifier `%s` needs a default", ref->name,
                     ref->name);
        form->mod_optional[form->mod_count] = ref->optional;
        form->mods[form->mod_count++] = mod;
    }
    for (size_t i = 0; i < insn->mod_count && form->mod_count < FH_MAX_MODS; i++)
        if (insn->mods[i].hidden)
            form->mods[form->mod_count++] = &insn->mods[i];
}

/* ---------------------------------------------------------------- bits of a form */

static void claim(struct form *form, const struct bits *bits, struct at at, const char *what,
                  const char *name, bool shared) {
    if (!bits->pieces)
        return;
    fhec_word mask = bits_mask(bits);
    if ((!shared && word_meets(mask, form->fields)) || word_meets(mask, form->mask))
        error_at(at, "%s form %s: bits %s of %s `%s` overlap others", form->insn->name, form->name,
                 bits_text(bits), what, name);
    if (shared && ((mask.lo & ~form->fields.lo) || (mask.hi & ~form->fields.hi)))
        error_at(at, "%s form %s: bits %s of `%s` are not shared with another operand",
                 form->insn->name, form->name, bits_text(bits), name);
    form->fields = word_or(form->fields, mask);
}

static void fix(struct form *form, const struct fix *f) {
    fhec_word mask = bits_mask(&f->bits);
    if (f->value > bits_low(bits_width(&f->bits)))
        error_at(f->bits.at, "%s form %s: %llu does not fit bits %s", form->insn->name, form->name,
                 (unsigned long long)f->value, bits_text(&f->bits));
    if (word_meets(mask, form->mask))
        error_at(f->bits.at, "%s form %s: bits %s are fixed twice", form->insn->name, form->name,
                 bits_text(&f->bits));
    form->mask = word_or(form->mask, mask);
    form->value = word_or(form->value, bits_place(&f->bits, f->value));
}

static void opcode_bits(struct form *form) {
    struct fix low = {one_piece(11, 0), form->opcode & 0xfff};
    struct fix high = {one_piece(91, 91), form->opcode >> 12};
    fix(form, &low);
    fix(form, &high);
    if (!is_pair_form(form->name))
        return;
    static const struct {
        const char *name;
        unsigned bits, bit91;
    } pairs[] = {{"RR", 1, 0}, {"RI", 2, 0}, {"RC", 3, 0}, {"IR", 4, 0},
                 {"CR", 5, 0}, {"UR", 6, 1}, {"RU", 7, 1}};
    bool uniform = strcmp(form->insn->kind.s ? form->insn->kind.s : "", "uniform") == 0;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (strcmp(form->name, pairs[i].name) != 0)
            continue;
        if ((form->opcode >> 9 & 7) != pairs[i].bits)
            error_at(form->at, "form %s: bits 11:9 of opcode 0x%04x are %u, expected %u: 0x%04x",
                     form->name, form->opcode, form->opcode >> 9 & 7, pairs[i].bits,
                     (form->opcode & 0x11ffu) | pairs[i].bits << 9 |
                         (uniform ? 0 : pairs[i].bit91 << 12));
        if (!uniform && form->opcode >> 12 != pairs[i].bit91)
            error_at(form->at, "form %s: bit 91 of opcode 0x%04x must be %u: 0x%04x", form->name,
                     form->opcode, pairs[i].bit91, form->opcode ^ 0x1000u);
        return;
    }
    error_at(form->at, "form `%s`: B and C cannot both be other than a register", form->name);
}

static void form_bits(struct insn *insn, struct form *form) {
    static const struct { unsigned hi, lo; } common[] = {{15, 12}, {121, 105}, {124, 122}};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        struct bits b = one_piece(common[i].hi, common[i].lo);
        form->fields = word_or(form->fields, bits_mask(&b));
    }
    opcode_bits(form);
    for (size_t i = 0; i < insn->fix_count; i++)
        fix(form, &insn->fixes[i]);
    for (size_t i = 0; i < form->fix_count; i++)
        fix(form, &form->fixes[i]);
    if (word_meets(form->mask, form->fields))
        error_at(form->at, "%s form %s: fixed bits overlap guard or scheduling bits", insn->name,
                 form->name);
    for (size_t i = 0; i < form->mod_count; i++)
        claim(form, &form->mods[i]->bits, form->mods[i]->at, "modifier", form->mods[i]->name,
              false);
    bool desc = false;
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        for (unsigned f = 0; f < F_COUNT; f++)
            claim(form, &o->field[f], o->field[f].at.file ? o->field[f].at : o->at, "operand",
                  o->name, o->shared || (f == F_UREG && o->ureg_next));
        struct bits reuse = one_piece(o->reuse_bit, o->reuse_bit);
        if (o->reuse_bit && o->reuse_bit < 122) /* those of A, B and C are common bits */
            claim(form, &reuse, o->at, "operand", o->name, false);
        desc |= o->field[F_DESC].pieces != 0;
    }
    struct bits display = one_piece(101, 101);
    if (desc)
        claim(form, &display, form->at, "operand", "descriptor display", false);
    form->mask = (fhec_word){~form->fields.lo, ~form->fields.hi};
}

/* ---------------------------------------------------------------- instructions */

static struct syntax *syntax_of(struct insn *insn, const struct form *form) {
    struct syntax *found = NULL;
    for (size_t i = 0; i < insn->syntax_count; i++) {
        struct syntax *s = &insn->syntaxes[i];
        if (has_name(&s->forms, form->name))
            return s;
        if (s->forms.n == 0)
            found = s;
    }
    if (!found)
        error_at(form->at, "%s form %s has no syntax", insn->name, form->name);
    return found;
}

static void check_vars(const struct form *form) {
    for (size_t i = 0; i < form->operand_count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(form->operands[i].var, form->operands[k].var) == 0)
                error_at(form->syntax->at,
                         "operands `%s` and `%s` have the same name `%s` in bodies",
                         form->operands[k].name, form->operands[i].name, form->operands[i].var);
}

static void resolve_form(struct insn *insn, struct form *form) {
    form->insn = insn;
    form->syntax = syntax_of(insn, form);
    if (!form->syntax)
        return;
    form_mods(insn, form);
    for (size_t i = 0; i < form->syntax->slot_count; i++)
        resolve_operand(insn, form, &form->syntax->slots[i],
                        &form->operands[form->operand_count++]);
    check_vars(form);
    form_bits(insn, form);
}

static int by_root(const void *a, const void *b) {
    const struct insn *x = *(struct insn *const *)a, *y = *(struct insn *const *)b;
    int order = strcmp(x->root, y->root);
    return order ? order : x < y ? -1 : x > y;
}

static int by_index(const void *a, const void *b) {
    const struct insn *x = *(struct insn *const *)a, *y = *(struct insn *const *)b;
    return x->shard->own != y->shard->own ? x->shard->own - y->shard->own : by_root(a, b);
}

static struct insn **in_order(const struct description *d,
                              int (*compare)(const void *, const void *)) {
    struct insn **list = NULL;
    for (size_t i = 0; i < d->insn_count; i++) {
        list = more(list, i, sizeof *list);
        list[i] = &d->insns[i];
    }
    if (d->insn_count)
        qsort(list, d->insn_count, sizeof *list, compare);
    return list;
}

static void number(struct description *d) {
    d->sorted = in_order(d, by_root);
    d->numbered = in_order(d, by_index);
    for (size_t i = 0; i < d->insn_count; i++) {
        struct insn *insn = d->numbered[i];
        insn->index = (unsigned)i;
        insn->first_form = (unsigned)d->form_count;
        for (size_t k = 0; k < insn->form_count; k++) {
            insn->forms[k].id = (unsigned)d->form_count;
            d->forms = more(d->forms, d->form_count, sizeof *d->forms);
            d->forms[d->form_count++] = &insn->forms[k];
        }
    }
}

static void body_owner(struct description *d, struct insn *insn) {
    insn->body_owner = insn;
    for (size_t i = 0; insn->like.s && i < d->insn_count; i++)
        if (strcmp(d->insns[i].name, insn->like.s) == 0)
            insn->body_owner = &d->insns[i];
    if (insn->like.s && (insn->body_owner == insn || !insn->body_owner->body.s))
        error_at(insn->like.at, "there is no other instruction `%s` with a body", insn->like.s);
}

void resolve(struct description *d) {
    for (size_t i = 0; i < d->insn_count; i++) {
        struct insn *insn = &d->insns[i];
        for (size_t k = 0; k < insn->syntax_count; k++)
            parse_syntax(insn, &insn->syntaxes[k]);
        for (size_t k = 0; k < insn->mod_count; k++)
            mod_values(d, &insn->mods[k]);
        for (size_t k = 0; k < insn->parts_count; k++)
            part_values(d, &insn->parts[k]);
        if (insn->kind.s && strcmp(insn->kind.s, "uniform") == 0)
            insn->uniform_guard = true;
        for (size_t k = 0; k < insn->form_count; k++)
            resolve_form(insn, &insn->forms[k]);
        body_owner(d, insn);
        if (insn->body.s)
            insn->body_names = expr_names(insn->body.s);
    }
    number(d);
    find_variants(d);
}
