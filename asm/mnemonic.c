/* mnemonic.c - see mnemonic.h. */
#include "mnemonic.h"
#include "asm.h"
#include "asm_memory.h"

#include <string.h>

static size_t modifier_at(const char *text, size_t length, size_t at, const char *modifier) {
    size_t n = strlen(modifier);
    if (n == 0 || at + 1 + n > length || text[at] != '.' ||
        memcmp(text + at + 1, modifier, n) != 0 || (at + 1 + n < length && text[at + 1 + n] != '.'))
        return 0;
    return n + 1;
}

/* One mnemonic text being fitted to one form. */
struct fit {
    const char *text;
    size_t length;
    const struct fh_form *form;
    struct fh_inst *inst;
    const char *alias;
    size_t furthest; /* where it failed */
    const struct fh_mod_spec *wanted;
};

static bool fit_modifiers(struct fit *f, unsigned i, size_t at) {
    if (i == f->form->mod_count) {
        if (at < f->length && at >= f->furthest) {
            f->furthest = at;
            f->wanted = NULL;
        }
        return at == f->length;
    }
    const struct fh_mod_spec *mod = &f->form->mods[i];
    for (unsigned k = 0; k < mod->value_count && !mod->hidden; k++) {
        size_t n = modifier_at(f->text, f->length, at, mod->values[k].text);
        if (n == 0)
            continue;
        if (mod->derived)
            f->alias = mod->values[k].text;
        else
            f->inst->mod[i] = mod->values[k].value;
        if (fit_modifiers(f, i + 1, at + n))
            return true;
    }
    if (mod->derived)
        f->alias = NULL;
    if (mod->derived || mod->fallback != UINT32_MAX) {
        f->inst->mod[i] = mod->derived ? 0 : (uint8_t)mod->fallback;
        return fit_modifiers(f, i + 1, at);
    }
    if (at >= f->furthest) {
        f->furthest = at;
        f->wanted = mod;
    }
    return false;
}

static bool is_set(const struct fh_inst *inst, const char *modifier) {
    for (unsigned i = 0; i < inst->form->mod_count; i++)
        if (strcmp(inst->form->mods[i].name, modifier) == 0)
            return inst->mod[i] != 0;
    return false;
}

/* Arguments and operands fall into classes, a bit for each: only what is of one class can fit. So
 * most forms of a mnemonic are ruled out at a glance. */
enum { CLASS_WORD = 1 << FH_K_IMM }; /* numbers and names, whatever they turn out to be */

static unsigned class_of_operand(const struct fh_operand_spec *spec) {
    switch (spec->kind) {
    case FH_K_IMM:
    case FH_K_TARGET:
    case FH_K_SREG:
    case FH_K_WORD: return CLASS_WORD;
    default: return 1u << spec->kind;
    }
}

static unsigned class_of_argument(const struct fh_value *v) {
    switch (v->kind) {
    case FH_V_REGISTER: return 1u << v->reg_kind;
    case FH_V_NUMBER:
    case FH_V_REAL:
    case FH_V_NAME: return CLASS_WORD;
    case FH_V_CONSTANT: return 1u << FH_K_CONST;
    case FH_V_ADDRESS: return 1u << FH_K_ADDR;
    case FH_V_SET: return 1u << FH_K_SET;
    default: return 1u << FH_K_NONE;
    }
}

struct fh_shape fh_shape_of(const struct fh_statement *st) {
    struct fh_shape shape = {.count = st->arg_count};
    for (size_t i = 0; i < st->arg_count; i++) {
        const unsigned class = class_of_argument(&st->args[i]);
        shape.sum |= st->args[i].kind == FH_V_SUM;
        shape.classes |= class;
        if (i < FH_LEADING)
            shape.leading[i] = (uint16_t) class;
    }
    return shape;
}

bool fh_plausible(const struct fh_shape *shape, const struct fh_candidate *c) {
    if (shape->sum)
        return true;
    if (shape->count < c->least || shape->count > c->most || (c->must & ~shape->classes) != 0 ||
        (shape->classes & ~c->may) != 0)
        return false;
    for (unsigned i = 0; i < FH_LEADING; i++)
        if (c->leading[i] && c->leading[i] != shape->leading[i])
            return false;
    return true;
}

static void add_operand(struct fh_candidate *c, unsigned i) {
    const struct fh_operand_spec *spec = &c->form->operands[i];
    uint8_t arguments = fh_is_pair(spec) ? 2 : 1;
    unsigned class = class_of_operand(spec);
    c->operands[c->operand_count++] = (uint8_t)i;
    c->most = (uint8_t)(c->most + arguments);
    c->may |= (uint16_t) class;
    if (spec->optional)
        return;
    /* So far all are needed, and each is one argument. */
    if (c->least == c->operand_count - 1 && c->most == c->operand_count && c->least < FH_LEADING)
        c->leading[c->least] = (uint16_t) class;
    c->least = (uint8_t)(c->least + arguments);
    c->must |= (uint16_t) class;
}

/* Operands at their defaults; registers that an operand may lack are the zero ones. */
static void set_defaults(struct fh_candidate *c) {
    for (unsigned i = 0; i < c->form->operand_count; i++) {
        const struct fh_operand_spec *spec = &c->form->operands[i];
        struct fh_operand *op = &c->proto.op[i];
        if (spec->has_fallback)
            *op = spec->fallback;
        op->kind = spec->kind;
        c->target |= spec->kind == FH_K_TARGET;
        c->address |= spec->kind == FH_K_ADDR;
        if (spec->kind == FH_K_ADDR || spec->kind == FH_K_CONST) {
            op->reg = FH_RZ;
            op->ureg = FH_URZ;
            op->has_ureg = spec->ureg.pieces != 0;
        }
        if (!spec->present || spec->present(&c->proto))
            add_operand(c, i);
    }
}

static bool add_candidate(struct fh_asm *a, struct fh_mnemonic *m, size_t *capacity,
                          const struct fh_form *form, const struct fit *f,
                          const struct fh_inst *inst) {
    if (!fh_asm_extend(a, &m->candidates, capacity, m->count + 1, sizeof *m->candidates))
        return false;
    struct fh_candidate *c = &m->candidates[m->count++];
    *c = (struct fh_candidate){
        .form = form, .insn = &fh_insns[form->insn], .alias = f->alias, .proto = *inst};
    c->x = is_set(inst, "X");
    set_defaults(c);
    return true;
}

/* All forms that the text can be; NULL when there is no memory. */
struct fh_mnemonic *fh_mnemonic_of(struct fh_asm *a, const char *text, size_t length) {
    struct fh_symbol *s = fh_table_find(&a->mnemonics, text, length);
    if (s)
        return s->more;
    struct fh_mnemonic *m = fh_asm_alloc(a, sizeof *m);
    s = m ? fh_table_add(&a->mnemonics, &a->arena, text, length) : NULL;
    if (!s) {
        a->no_memory = true;
        return NULL;
    }
    *m = (struct fh_mnemonic){0};
    s->more = m;
    const char *dot = memchr(text, '.', length);
    size_t root = dot ? (size_t)(dot - text) : length, capacity = 0;
    m->fitted = (uint32_t)root;
    m->insn_count = fh_insns_of_root(text, root, &m->first_insn);
    for (unsigned i = 0; i < m->insn_count; i++) {
        const struct fh_insn *insn = fh_insn_by_root(m->first_insn + i);
        for (unsigned k = 0; k < insn->form_count; k++) {
            const struct fh_form *form = &fh_forms[insn->first_form + k];
            struct fh_inst inst = {.form = form, .guard = FH_PT};
            struct fit f = {.text = text, .length = length, .form = form, .inst = &inst};
            if (fit_modifiers(&f, 0, root)) {
                if (!add_candidate(a, m, &capacity, form, &f, &inst))
                    return NULL;
            } else if (f.furthest > m->fitted || (f.furthest == m->fitted && !m->wanted)) {
                m->fitted = (uint32_t)f.furthest;
                m->wanted = f.wanted;
            }
        }
    }
    return m;
}
