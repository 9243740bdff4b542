/*
 * emit_rows.c - row functions: functions of lane.h that emu/rows.h has for all lanes at once, too,
 * under the name with fh_ before it.
 *
 * The fast engine makes a body's call of one before the loop over the lanes, into a row of its own;
 * in the loop the call stands for a lane of that row. So its arguments can only be operands and
 * modifiers, and a body calls it once.
 */
#include <ctype.h>
#include <string.h>

#include "emit_lanes.h"

static const char *const functions[] = {"multiply_high", "permute_bytes"};
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

/* The argument of the call before the loop: a register's row, or a scalar as it is. */
static const char *row_argument(const struct form *form, const char *name) {
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (strcmp(o->var, name) == 0 && o->kind == FH_K_REG)
            return print("fh_%s", name);
    }
    return name;
}

static void row_call(FILE *out, const struct form *form, const char *function) {
    const char *body = form->insn->body_owner->body.s, *s = arguments_of(body, function);
    if (arguments_of(s, function))
        error_at(form->insn->body_owner->body.at, "a body calls `%s` once", function);
    fprintf(out, "    _Alignas(64) u32 fh_row_%s[FH_LANES];\n    fh_%s(fh_row_%s", function,
            function, function);
    for (;;) {
        s += strspn(s, " \n");
        size_t n = 0;
        while (isalnum((unsigned char)s[n]) || s[n] == '_')
            n++;
        char *name = print("%.*s", (int)n, s);
        fprintf(out, ", %s", row_argument(form, name));
        s += n + strspn(s + n, " \n");
        if (n == 0 || (*s != ',' && *s != ')')) {
            error_at(form->insn->body_owner->body.at,
                     "the arguments of `%s` can only be operands and modifiers", function);
            break;
        }
        if (*s++ == ')')
            break;
    }
    fprintf(out, ");\n    fh_row_made(fh_row_%s, FH_LOOP_IS_UNROLLED(fh_all));\n", function);
}

void emit_row_calls(FILE *out, const struct form *form) {
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (body_uses(form->insn, functions[i]))
            row_call(out, form, functions[i]);
}

void emit_row_names(FILE *out, const struct form *form, bool defined) {
    for (size_t i = 0; i < FUNCTIONS; i++) {
        const char *f = functions[i];
        if (body_uses(form->insn, f))
            fputs(defined ? print("#define %s(...) fh_row_%s[lane]\n", f, f)
                          : print("#undef %s\n", f),
                  out);
    }
}
