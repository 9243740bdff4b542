/*
 * ambiguity.c - proves that no text belongs to two forms of one mnemonic root.
 *
 * Two forms clash when some sequence of operand kinds and some modifier text fits both. Operands
 * and modifiers that may be left out count as both there and not there, conditions on modifiers
 * are not looked at: the check errs on the strict side. `prefer X over Y` in a block says that
 * the clash is known and that X, which must come first, wins whenever it can hold the text.
 */
#include <string.h>

#include "isac.h"

/* ---------------------------------------------------------------- operands */

static bool may_be_absent(const struct operand *o) {
    return o->optional || o->cond.s;
}

static enum fh_kind text_kind(const struct operand *o) {
    return o->kind == FH_K_TARGET ? FH_K_IMM : o->kind;
}

static bool same_text_operand(const struct operand *a, const struct operand *b) {
    const bool a_named = a->number == FH_N_CONTROL, b_named = b->number == FH_N_CONTROL;
    if (text_kind(a) != text_kind(b) || a->glued != b->glued || a_named != b_named)
        return false;
    if (a->kind == FH_K_CONST && (a->field[F_UREG].pieces || b->field[F_UREG].pieces))
        return a->field[F_UREG].pieces && b->field[F_UREG].pieces; /* the index register shows */
    if (a->word || b->word)
        return a->word && b->word && strcmp(a->word, b->word) == 0;
    return strcmp(a->suffix ? a->suffix : "", b->suffix ? b->suffix : "") == 0;
}

/* Whether operands i.. of f and k.. of g can be the same text. */
static bool operands_meet(const struct form *f, size_t i, const struct form *g, size_t k) {
    bool f_end = i == f->operand_count, g_end = k == g->operand_count;
    if (f_end && g_end)
        return true;
    if (!f_end && !g_end && same_text_operand(&f->operands[i], &g->operands[k]) &&
        operands_meet(f, i + 1, g, k + 1))
        return true;
    if (!f_end && may_be_absent(&f->operands[i]) && operands_meet(f, i + 1, g, k))
        return true;
    return !g_end && may_be_absent(&g->operands[k]) && operands_meet(f, i, g, k + 1);
}

/* ---------------------------------------------------------------- modifiers */

static bool mod_may_be_absent(const struct form *f, size_t i) {
    const struct mod *mod = f->mods[i];
    if (mod->hidden || f->mod_optional[i] || mod->derived)
        return true;
    for (size_t k = 0; k < mod->values->n; k++)
        if (!*mod->values->v[k].text)
            return true;
    return false;
}

/* Whether modifiers i.. of f can be written as `text` (".A.B.C"). */
static bool accepts(const struct form *f, size_t i, const char *text) {
    if (i == f->mod_count)
        return *text == 0;
    if (mod_may_be_absent(f, i) && accepts(f, i + 1, text))
        return true;
    const struct choices *c = f->mods[i]->values;
    for (size_t k = 0; !f->mods[i]->hidden && k < c->n; k++) {
        size_t n = strlen(c->v[k].text);
        if (n && *text == '.' && strncmp(text + 1, c->v[k].text, n) == 0 &&
            (text[n + 1] == '.' || text[n + 1] == 0) && accepts(f, i + 1, text + n + 1))
            return true;
    }
    return false;
}

/* Whether some text of the modifiers i.. of f, after `text`, is also one of g. */
static bool mods_meet(const struct form *f, size_t i, char *text, size_t length, size_t size,
                      const struct form *g) {
    if (i == f->mod_count)
        return accepts(g, 0, text);
    if (mod_may_be_absent(f, i) && mods_meet(f, i + 1, text, length, size, g))
        return true;
    const struct choices *c = f->mods[i]->values;
    for (size_t k = 0; !f->mods[i]->hidden && k < c->n; k++) {
        size_t n = strlen(c->v[k].text);
        if (!n || length + n + 2 > size)
            continue;
        text[length] = '.';
        memcpy(text + length + 1, c->v[k].text, n + 1);
        if (mods_meet(f, i + 1, text, length + n + 1, size, g))
            return true;
        text[length] = 0;
    }
    return false;
}

/* ---------------------------------------------------------------- pairs of forms */

static struct prefer *find_prefer(const struct form *f, const struct form *g) {
    if (f->insn != g->insn)
        return NULL;
    for (size_t i = 0; i < f->insn->prefer_count; i++) {
        struct prefer *p = &f->insn->prefers[i];
        if (strcmp(p->first, f->name) == 0 && strcmp(p->second, g->name) == 0)
            return p;
    }
    return NULL;
}

static void check_pair(const struct form *f, const struct form *g) {
    char text[256] = "";
    if (!operands_meet(f, 0, g, 0) || !mods_meet(f, 0, text, 0, sizeof text, g))
        return;
    struct prefer *p = find_prefer(f, g);
    if (p)
        p->used = true;
    else
        error_at(g->at, "`%s%s ...` fits both %s form %s and %s form %s", f->insn->root, text,
                 f->insn->name, f->name, g->insn->name, g->name);
}

/* An operand that may be left out, before one of the same kind that may not: no reader can tell. */
static void check_runs(const struct form *f) {
    for (size_t i = 0; i + 1 < f->operand_count; i++) {
        const struct operand *o = &f->operands[i];
        size_t k = i + 1;
        while (o->optional && k < f->operand_count && f->operands[k].optional)
            k++;
        if (o->optional && k < f->operand_count && same_text_operand(o, &f->operands[k]))
            error_at(f->syntax->at,
                     "%s form %s: `%s` can be left out but looks like `%s`, which "
                     "follows it and cannot",
                     f->insn->name, f->name, o->name, f->operands[k].name);
    }
}

void check_ambiguity(struct description *d) {
    for (size_t i = 0; i < d->form_count; i++) {
        const struct form *g = d->forms[i];
        if (!g->syntax)
            continue;
        check_runs(g);
        for (size_t k = 0; k < i; k++)
            if (d->forms[k]->syntax && strcmp(d->forms[k]->insn->root, g->insn->root) == 0)
                check_pair(d->forms[k], g);
    }
    for (size_t i = 0; i < d->insn_count; i++)
        for (size_t k = 0; k < d->insns[i].prefer_count; k++)
            if (!d->insns[i].prefers[k].used)
                error_at(d->insns[i].prefers[k].at,
                         "this `prefer` is stale: %s before %s, in this order, share no text",
                         d->insns[i].prefers[k].first, d->insns[i].prefers[k].second);
}
