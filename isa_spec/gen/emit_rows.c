/*
 * emit_rows.c - row functions: functions of lane.h that emu/simd/rows.h and float_calls.h have for
 * all lanes at once, too, under the name with fh_ or fh_rows_ before it.
 *
 * The fast engine makes a body's call of one before the loop over the lanes, into a row of its own;
 * in the loop the call stands for a lane of that row. So its arguments can only be sources and
 * modifiers, and a body calls it once. Those that take the place of a whole body, `d = call;`, have
 * no loop at all: they write the rows of the result.
 */
#include <ctype.h>
#include <string.h>

#include "emit_lanes.h"

/* Name, what its arguments are: 'w' a source of one register, 'd' one of two, 'p' a predicate, 'm'
 * a modifier, a sign or a constant; and how many rows it writes, if it takes the place of a body;
 * if they VARY the second one may be NULL. */
enum { VARY = 3 };
static const struct function {
    const char *name, *arguments;
    unsigned rows;
} functions[] = {
    /* clang-format off: a line each */
    {"multiply_high", "mww", 0},
    {"multiply_add_high", "mwwdmmp", 0},
    {"permute_bytes", "wwwm", 0},
    {"leading_one", "wmmm", 0},
    {"float_add", "wmmwmmmmm", 1},
    {"float_multiply", "wmmwmmmmmm", 1},
    {"float_multiply_add", "wmmwmmwmmmmm", 1},
    {"float_set", "mmwmmwmmpm", 1},
    {"float_extreme", "wmmwmmpmm", 1},
    {"double_add", "dmmdmmm", 2},
    {"double_multiply", "dmmdmmm", 2},
    {"double_multiply_add", "dmmdmmdmmm", 2},
    {"half_add", "wmmmwmmmmm", 1},
    {"half_add_widened", "wmmmwmmmmm", 1},
    {"half_multiply", "wmmmwmmmmm", 1},
    {"half_multiply_add", "mwmmmwmmmwmmmmm", 1},
    {"half_multiply_add_relu", "mwmmmwmmmwmmmpmm", 1},
    {"half_extreme", "mwmmmwmmmpmm", 1},
    {"half_set", "mmmwmmmwmmmpm", 1},
    {"float_to_integer", "wmmmmmm", 1},
    {"float_to_long", "wmmmmmm", 2},
    {"half_to_integer", "wmmmmmmm", 1},
    {"half_to_long", "wmmmmmmm", 2},
    {"double_to_integer", "dmmmmmm", VARY},
    {"integer_to_float", "wmmmmm", 1},
    {"integer_to_double", "wmmmm", 2},
    {"long_to_float", "dmmm", VARY},
    {"float_integral", "wmmmm", 1},
    {"half_integral", "wmmmmm", 1},
    {"double_integral", "dmmmm", 2},
    {"float_to_double", "wmmmm", 2},
    {"double_to_float", "dmmmm", 1},
    {"double_to_half", "dmmm", 1},
    {"half_to_double", "wmmmm", 2},
    {"half_to_float", "wmmmm", 1},
    {"float_to_half", "wmmmm", 1},
    {"float_to_bfloat", "wmmmm", 1},
    {"pack_halves", "mwmmwmmmm", 1},
    {"merge_half", "mwmmwmm", 1},
    {"special", "mwmm", 1},
    {"special_of_half", "mwmmm", 1},
    /* clang-format on */
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

/* The arguments of the body's only call, each with a comma before it. */
static const char *call_arguments(const struct form *form, const struct function *row_function) {
    const struct text *body = &form->insn->body_owner->body;
    const char *function = row_function->name, *call = arguments_of(body->s, function);
    const char *arguments = call ? row_arguments(form, call, row_function->arguments) : NULL;
    if (!arguments || arguments_of(call, function)) {
        error_at(body->at, "a body calls `%s` once, with sources and modifiers as arguments",
                 function);
        return "";
    }
    return arguments;
}

static void row_call(FILE *out, const struct form *form, const struct function *row_function) {
    const char *function = row_function->name, *arguments = call_arguments(form, row_function);
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

/* The function whose call is the whole body; NULL: none is. */
static const struct function *body_function(const struct insn *insn) {
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (functions[i].rows && body_uses(insn, functions[i].name))
            return &functions[i];
    return NULL;
}

bool body_is_rows(const struct insn *insn) {
    return body_function(insn) != NULL;
}

/* Whether the body says "d = call;" and nothing else. */
static bool only_assigns(const char *body, const char *variable, const char *function) {
    const char *s = body + strspn(body, " \n");
    size_t n = strlen(variable);
    const char *call = arguments_of(s, function), *end = call ? strchr(call, ')') : NULL;
    if (!end || strncmp(s, variable, n) != 0)
        return false;
    s += n + strspn(s + n, " \n");
    s += *s == '=';
    s += strspn(s, " \n");
    return s + strlen(function) + 1 == call && end[1] == ';' &&
           end[2 + strspn(end + 2, " \n")] == '\0';
}

/* With inactive lanes the function writes rows aside, of which the active lanes are taken. */
void emit_row_body(FILE *out, const struct form *form) {
    const struct text *body = &form->insn->body_owner->body;
    const struct function *function = body_function(form->insn);
    const struct operand *result = NULL;
    size_t results = 0;
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]) && results++ == 0)
            result = &form->operands[i];
    const bool varies = function->rows == VARY;
    if (results != 1 || result->kind != FH_K_REG ||
        constant_regs(result) != (varies ? 0 : function->rows) ||
        !only_assigns(body->s, result->var, function->name)) {
        error_at(body->at, "a body with `%s` assigns its value to its only result, of %s",
                 function->name,
                 varies                ? "one or two registers"
                 : function->rows == 1 ? "1 register"
                                       : "2 registers");
        return;
    }
    const char *v = result->var, *arguments = call_arguments(form, function);
    const char *has_high = varies ? print("fh_n_%s == 2", v) : function->rows == 2 ? "true" : NULL;
    fprintf(out,
            "    _Alignas(64) u32 fh_made[2 * FH_LANES];\n"
            "    fh_rows_%s(fh_all ? fh_%s : fh_made%s%s);\n",
            function->name, v,
            has_high ? print(", !(%s) ? NULL : fh_all ? fh_%s_hi : fh_made + FH_LANES", has_high, v)
                     : "",
            arguments);
    fprintf(out, "    if (!fh_all)\n        fh_take_lanes(fh_%s, fh_made, active);\n", v);
    if (has_high)
        fprintf(out,
                "    if (!fh_all && %s)\n"
                "        fh_take_lanes(fh_%s_hi, fh_made + FH_LANES, active);\n",
                has_high, v);
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
