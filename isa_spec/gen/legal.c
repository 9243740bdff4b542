/*
 * legal.c - the text that a form may have, for people: what diagnostics and the book show.
 *
 *     ISETP.{F|LT|..}{.U32}.{AND|OR|XOR}{.EX} Pu, Pv, A, B, {!}Pp {, {!}Pr if EX}
 *
 * Braces: may be absent; bars around an operand, {|}A{|}, together. A and B keep their names, so
 * that the forms of an instruction that differ in their kinds only show as one line.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "operands.h"

enum { LEGAL_BYTES = 512 };

struct legal {
    char text[LEGAL_BYTES];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void add(struct legal *l, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(l->text + l->used, sizeof l->text - l->used, format, arguments);
    va_end(arguments);
    if (n > 0)
        l->used += (size_t)n;
    if (l->used >= sizeof l->text)
        l->used = sizeof l->text - 1;
}

/* The texts of a group, between bars; true if one of its values prints nothing. */
static bool choice_texts(const struct mod *mod, struct legal *l) {
    bool absent = false, first = true;
    if (mod->derived) {
        for (size_t i = 0; i < mod->derived->case_count; i++) {
            bool again = false;
            for (size_t k = 0; k < i; k++)
                again |= strcmp(mod->derived->cases[k].text, mod->derived->cases[i].text) == 0;
            if (!again)
                add(l, "%s%s", first ? "" : "|", mod->derived->cases[i].text);
            first = false;
        }
        return true;
    }
    for (size_t i = 0; i < mod->values->n; i++) {
        const char *text = mod->values->v[i].text;
        absent |= !*text;
        if (*text) {
            add(l, "%s%s", first ? "" : "|", text);
            first = false;
        }
    }
    return absent;
}

static void add_mod(struct legal *l, const struct mod *mod, bool optional) {
    struct legal texts = {.used = 0};
    optional |= choice_texts(mod, &texts);
    bool several = strchr(texts.text, '|') != NULL;
    if (optional)
        add(l, "{.%s}", texts.text);
    else
        add(l, several ? ".{%s}" : ".%s", texts.text);
}

static void add_operand(struct legal *l, const struct operand *o) {
    static const char *const signs[] = {
        [FH_SIGN_MINUS] = "{-}",
        [FH_SIGN_TILDE] = "{~}",
        [FH_SIGN_NOT] = "{!}",
        [FH_SIGN_BY_X] = "{-|~}",
    };
    bool bars = o->field[F_ABS].pieces > 0;
    if (signs[o->sign])
        add(l, "%s", signs[o->sign]);
    add(l, o->kind == FH_K_ADDR ? "[%s]" : bars ? "{|}%s{|}" : "%s", o->word ? o->word : o->name);
    if (o->suffix)
        add(l, "%s", o->suffix);
}

const char *legal_text(const struct form *form) {
    struct legal l = {.used = 0};
    const char *separator = " ", *condition = NULL;
    add(&l, "%s", form->insn->root);
    for (size_t i = 0; i < form->mod_count; i++)
        if (!form->mods[i]->hidden)
            add_mod(&l, form->mods[i], form->mod_optional[i]);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        bool last = i + 1 == form->operand_count;
        bool leads = o->optional && !last; /* {Pu,} stands before what follows it */
        if (o->glued)
            separator = " ";
        if (o->cond.s && !condition)
            add(&l, " {");
        add(&l, "%s", o->optional && last ? (i ? " {, " : " {") : separator);
        add(&l, "%s", leads ? "{" : "");
        add_operand(&l, o);
        add(&l, "%s", leads ? ",}" : o->optional ? "}" : "");
        separator = leads ? " " : ", ";
        condition = o->cond.s;
        if (condition && last)
            add(&l, " if %s}", condition);
    }
    return copy(l.text, l.used);
}
