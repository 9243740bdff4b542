/*
 * macro.c - macros, .rept and .irp: bodies kept as text, arguments split.
 *
 *     .macro ADD2 d, x=RZ          \d  the argument      \@  a number of its own for each call
 *         IADD3 \d, \x, 0x2, RZ ;  \+  the iteration of .rept and .irp, from 0
 *     .endm                        \() nothing: ends a name, as in \d\()_low
 *
 * What is no name of the innermost macro or repetition stays, for one that is further in.
 */
#include "macro.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"
#include "names.h"
#include "statement.h"
#include "template.h"

#include <string.h>

enum { MAX_PARAMETERS = 64, MAX_ITERATIONS = 1 << 20 };

struct fh_macro {
    struct fh_parameter *parameters;
    unsigned count;
    struct fh_body body;
    struct fh_template template;
    const char *what; /* "macro ADD2" */
    struct fh_macro_name name;
};

/* ---------------------------------------------------------------- definition */

static void malformed(struct fh_asm *a, const struct fh_piece *p, const char *what) {
    struct fh_span at = a->st.head.at;
    if (p && p->length)
        at = (struct fh_span){p->at, p->at + p->length};
    fh_report(a, FH_D_MACRO_FORM, at, what, NULL, NULL);
}

/* "b" or "b=RZ" */
static bool read_parameter(struct fh_asm *a, const struct fh_piece *p,
                           struct fh_parameter *parameter) {
    uint32_t n = fh_leading_name(p), i = n;
    while (i < p->length && fh_is_blank(p->text[i]))
        i++;
    if (n == 0 || (i < p->length && p->text[i] != '=')) {
        malformed(a, p, "a macro's parameter is a name, or NAME=DEFAULT");
        return false;
    }
    *parameter = (struct fh_parameter){.name = {p->text, n, p->at}};
    if (i < p->length) {
        struct fh_lexeme rest = {
            .text = p->text, .length = p->length, .at = {p->at, p->at + p->length}};
        parameter->value = fh_trimmed(&rest, i + 1, p->length);
        parameter->given = true;
    }
    return true;
}

static bool read_parameters(struct fh_asm *a, const struct fh_lexeme *raw, size_t at,
                            struct fh_macro *macro) {
    struct fh_parameter *list = fh_asm_alloc(a, MAX_PARAMETERS * sizeof *list);
    struct fh_piece piece;
    if (!list)
        return false;
    macro->parameters = list;
    while (fh_next_piece(raw, &at, &piece)) {
        if (macro->count == 0 && piece.length == 0 && at > raw->length)
            break; /* no parameters at all */
        if (macro->count == MAX_PARAMETERS) {
            malformed(a, &piece, "a macro has at most 64 parameters");
            return false;
        }
        if (!read_parameter(a, &piece, &list[macro->count]))
            return false;
        for (unsigned i = 0; i < macro->count; i++) {
            if (fh_piece_is(&list[i].name, piece.text, list[macro->count].name.length)) {
                malformed(a, &piece, "this macro has two parameters of the same name");
                return false;
            }
        }
        macro->count++;
    }
    return true;
}

void fh_act_macro(struct fh_asm *a) {
    const struct fh_lexeme raw = a->st.raw;
    struct fh_piece whole = {raw.text, raw.length, raw.at.begin};
    uint32_t n = raw.length ? fh_leading_name(&whole) : 0;
    struct fh_value name = {.text = raw.text, .length = n, .at = {raw.at.begin, raw.at.begin + n}};
    struct fh_macro *macro = fh_asm_alloc(a, sizeof *macro);
    if (!macro)
        return;
    *macro = (struct fh_macro){0};
    size_t at = n;
    while (at < raw.length && fh_is_blank(raw.text[at]))
        at++;
    if (at < raw.length && raw.text[at] == ',')
        at++;
    bool good = !a->st.bad;
    if (good && (n == 0 || (n < raw.length && at == n))) {
        malformed(a, &whole, "write .macro NAME PARAMETER, PARAMETER=DEFAULT");
        good = false;
    }
    good = good && read_parameters(a, &raw, at, macro);
    /* The body is read in any case: it is not to be executed here. */
    if (!fh_read_body(a, ".endm", &macro->body) || !good || !fh_may_define(a, &name))
        return;
    if (fh_table_find(&a->macros, name.text, name.length)) {
        fh_report(a, FH_D_TWO_MACROS, name.at, fh_text_of(a, name.text, name.length), NULL, NULL);
        return;
    }
    struct fh_symbol *s = fh_table_add(&a->macros, &a->arena, name.text, name.length);
    if (!s) {
        a->no_memory = true;
        return;
    }
    macro->what = fh_text(a, "macro %.*s", (int)name.length, name.text);
    macro->name =
        (struct fh_macro_name){fh_text_of(a, name.text, name.length), .index = UINT32_MAX};
    if (!fh_template_make(a, &macro->body, macro->parameters, macro->count, true, &macro->template))
        return;
    s->kind = FH_S_MACRO;
    s->at = name.at;
    s->more = macro;
}

/* ---------------------------------------------------------------- calls */

/* Puts the call's arguments, in order or as NAME=TEXT, over the defaults in `values`. */
static bool take_arguments(struct fh_asm *a, const struct fh_macro *macro,
                           struct fh_parameter *values) {
    const struct fh_symbol *symbol = a->st.macro;
    const struct fh_lexeme *raw = &a->st.raw;
    struct fh_piece piece;
    size_t at = 0;
    unsigned next = 0;
    while (fh_next_piece(raw, &at, &piece)) {
        uint32_t n = fh_leading_name(&piece), i = n;
        unsigned p = next;
        while (i < piece.length && fh_is_blank(piece.text[i]))
            i++;
        if (n && i < piece.length && piece.text[i] == '=' &&
            !(i + 1 < piece.length && piece.text[i + 1] == '=')) {
            for (unsigned k = 0; k < macro->count; k++) {
                if (!fh_piece_is(&macro->parameters[k].name, piece.text, n))
                    continue;
                struct fh_lexeme rest = {.text = piece.text,
                                         .length = piece.length,
                                         .at = {piece.at, piece.at + piece.length}};
                piece = fh_trimmed(&rest, i + 1, piece.length);
                p = k;
                break;
            }
        }
        if (p == next)
            next++;
        if (p >= macro->count) {
            const char *count = macro->count == 1 ? "1 argument"
                                : macro->count    ? fh_text(a, "%u arguments", macro->count)
                                                  : "no arguments";
            fh_report(
                a, FH_D_SURPLUS_ARGUMENT,
                (struct fh_span){piece.at, raw->at.end > piece.at ? raw->at.end : piece.at + 1},
                fh_text_of(a, symbol->name, symbol->length), count, NULL);
            return false;
        }
        if (piece.length) {
            values[p].value = piece;
            values[p].given = true;
        }
    }
    for (unsigned p = 0; p < macro->count; p++) {
        if (values[p].given)
            continue;
        const struct fh_piece *name = &values[p].name;
        fh_report(a, FH_D_NO_ARGUMENT, (struct fh_span){a->st.head.at.begin, a->st.end},
                  fh_text_of(a, symbol->name, symbol->length),
                  fh_text_of(a, name->text, name->length), NULL);
        return false;
    }
    return true;
}

void fh_call_macro(struct fh_asm *a) {
    const struct fh_symbol *symbol = a->st.macro;
    struct fh_macro *macro = symbol->more;
    struct fh_parameter values[MAX_PARAMETERS];
    if (macro->count)
        memcpy(values, macro->parameters, macro->count * sizeof *values);
    if (!take_arguments(a, macro, values))
        return;
    char text[FH_DIGITS];
    struct fh_piece unique = fh_digits(text, a->macro_calls++);
    struct fh_expansion e = {0};
    fh_template_expand(&e, &macro->template, values, &unique);
    if (!fh_expansion_prepare(a, &e, macro->what, 1))
        return;
    fh_template_expand(&e, &macro->template, values, &unique);
    fh_expansion_read(a, &e, FH_BUFFER_MACRO, macro->what, &macro->name);
}

/* ---------------------------------------------------------------- repetition */

/* Expands the body once per iteration; `parameter` (may be NULL) takes the values one after
 * another, or the number of the iteration if there are none. */
static void repeat(struct fh_asm *a, enum fh_buffer_kind kind, const struct fh_body *body,
                   uint64_t count, struct fh_parameter *parameter, const struct fh_piece *values) {
    struct fh_expansion e = {0};
    struct fh_template template;
    if (body->length == 0 ||
        !fh_template_make(a, body, parameter, parameter != NULL, false, &template))
        return;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !fh_expansion_prepare(a, &e, a->st.directive->name, count))
            return;
        for (uint64_t i = 0; i < count; i++) {
            char text[FH_DIGITS];
            struct fh_piece number = fh_digits(text, i);
            if (parameter)
                parameter->value = values ? values[i] : number;
            fh_expansion_iterate(&e);
            fh_template_expand(&e, &template, parameter, &number);
            if (e.length > FH_MAX_EXPANDED)
                break; /* fh_expansion_prepare reports */
        }
    }
    fh_expansion_read(a, &e, kind, a->st.directive->name, NULL);
}

void fh_act_rept(struct fh_asm *a) {
    const struct fh_statement *st = &a->st;
    struct fh_body body;
    int64_t count = 0;
    bool good = !st->bad && fh_value_number(a, &st->args[0], &count);
    struct fh_parameter index = {0};
    if (good && (st->args[0].large || count < 0 || count > MAX_ITERATIONS)) {
        fh_report(a, FH_D_BAD_COUNT, st->args[0].at, fh_text(a, "%d", MAX_ITERATIONS),
                  fh_number_written(a, &st->args[0]), NULL);
        good = false;
    }
    if (good && st->arg_count == 2) {
        struct fh_span at = st->args[1].at;
        index.name =
            (struct fh_piece){fh_source_text(&a->sources, at), at.end - at.begin, at.begin};
        good = fh_usage(a, fh_leading_name(&index.name) == index.name.length);
    }
    if (fh_read_body(a, ".endr", &body) && good && count > 0)
        repeat(a, FH_BUFFER_REPT, &body, (uint64_t)count, index.name.length ? &index : NULL, NULL);
}

void fh_act_irp(struct fh_asm *a) {
    const struct fh_lexeme raw = a->st.raw;
    struct fh_piece *values = NULL;
    struct fh_parameter parameter = {0};
    size_t at = 0, count = 0, capacity = 0;
    bool good = !a->st.bad && fh_next_piece(&raw, &at, &parameter.name) && parameter.name.length &&
                fh_leading_name(&parameter.name) == parameter.name.length;
    if (!a->st.bad)
        (void)fh_usage(a, good);
    for (struct fh_piece piece; good && fh_next_piece(&raw, &at, &piece);) {
        if (!fh_asm_extend(a, &values, &capacity, count + 1, sizeof *values))
            return;
        values[count++] = piece;
    }
    struct fh_body body;
    if (fh_read_body(a, ".endr", &body) && good && count > 0)
        repeat(a, FH_BUFFER_IRP, &body, count, &parameter, values);
}
