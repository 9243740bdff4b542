/*
 * emit_rows.c - row functions: functions of lane.h that emu/simd/rows.h has for all lanes at once,
 * too, under the name with fh_ before it.
 *
 * The fast engine makes a body's call of one before the loop over the lanes, into a row of its own;
 * in the loop the call stands for a lane of that row. So its arguments can only be sources and
 * modifiers, and a body calls it once.
 */
#include <ctype.h>
#include <string.h>

#include "emit_lanes.h"

/* Name, and what its arguments are: 'w' a source of one register, 'd' one of two, 'p' a predicate,
 * 'm' a modifier or a sign. */
static const struct function {
    const char *name, *arguments;
} functions[] = {
    {"multiply_high", "mww"},
    {"multiply_add_high", "mwwdmmp"},
    {"permute_bytes", "wwwm"},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* What follows the call's opening parenthesis in the body from `s` on, NULL if there is none. */
static const char *arguments_of(const char *s, const char *function) {
    size_t n = strlen(function);
    const char *found = strstr(s, function);
    while (found && (found[n] != '(' ||
                     (found != s && (isalnum((unsigned char)found[-1]) || found[-1] == '_'))))
        found = strstr(found + 1, function);
    return found ? found + n + 1 : NULL;
}

/* The argument of the call before the loop: a register's row, the first of two, a predicate's mask,
 * or a scalar as it is. NULL for what it cannot be. */
static const char *row_argument(const struct form *form, const char *name, char what) {
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (strcmp(o->var, name) != 0)
            continue;
        char is = o->kind == FH_K_PRED    ? 'p'
                  : is_predicate(o)       ? ' '
                  : constant_regs(o) == 1 ? 'w'
                  : constant_regs(o) == 2 ? 'd'
                                          : ' ';
        if (is_written(o) || is != what)
            return NULL;
        return o->kind == FH_K_REG || o->kind == FH_K_PRED ? print("fh_%s", name) : name;
    }
    return *name && what == 'm' ? name : NULL;
}

/* The arguments from `s` on, what `kinds` says, as those of the call before the loop, each with a
 * comma before it; NULL if they cannot be that. */
static const char *row_arguments(const struct form *form, const char *s, const char *kinds) {
    const char *list = "";
    for (bool more = true; more; s++, kinds++) {
        s += strspn(s, " \n");
        size_t n = 0;
        while (isalnum((unsigned char)s[n]) || s[n] == '_')
            n++;
        const char *argument = row_argument(form, print("%.*s", (int)n, s), *kinds);
        s += n + strspn(s + n, " \n");
        if (!argument || (*s != ',' && *s != ')'))
            return NULL;
        list = print("%s, %s", list, argument);
        more = *s == ',' && *kinds;
    }
    return *kinds ? NULL : list;
}

static void row_call(FILE *out, const struct form *form, const struct function *row_function) {
    const struct text *body = &form->insn->body_owner->body;
    const char *function = row_function->name, *call = arguments_of(body->s, function);
    const char *arguments = call ? row_arguments(form, call, row_function->arguments) : NULL;
    if (!arguments || arguments_of(call, function))
        error_at(body->at, "a body calls `%s` once, with sources and modifiers as arguments",
                 function);
    else
        fprintf(out,
                "    _Alignas(64) u32 fh_row_%s[FH_LANES];\n    fh_%s(fh_row_%s%s);\n"
                "    fh_row_made(fh_row_%s, FH_LOOP_IS_UNROLLED(fh_all));\n",
                function, function, function, arguments, function);
}

void emit_row_calls(FILE *out, const struct form *form) {
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (body_uses(form->insn, functions[i].name))
            row_call(out, form, &functions[i]);
}

void emit_row_names(FILE *out, const struct form *form, bool defined) {
    for (size_t i = 0; i < FUNCTIONS; i++) {
        const char *f = functions[i].name;
        if (body_uses(form->insn, f))
            fputs(defined ? print("#define %s(...) fh_row_%s[lane]\n", f, f)
                          : print("#undef %s\n", f),
                  out);
    }
}
