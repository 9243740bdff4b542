/*
 * expr.c - C expressions of the description (conditions, register counts, derived names, checks)
 * as functions of a decoded instruction.
 *
 * In them a modifier's name is its value and an operand's name its struct fh_operand; REG, IMM and
 * so on are operand kinds, RZ, URZ and PT the register numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "isac.h"

static const char *constant(const char *name) {
    static const char *const table[][2] = {
        {"REG", "FH_K_REG"},     {"UREG", "FH_K_UREG"}, {"PRED", "FH_K_PRED"},
        {"UPRED", "FH_K_UPRED"}, {"IMM", "FH_K_IMM"},   {"CONST", "FH_K_CONST"},
        {"ADDR", "FH_K_ADDR"},   {"RZ", "FH_RZ"},       {"URZ", "FH_URZ"},
        {"PT", "FH_PT"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i][0]) == 0)
            return table[i][1];
    return NULL;
}

/* Declares what the expression names; words that are neither are the C compiler's business. */
static void declarations(FILE *out, const struct form *form, const char *expr, bool operands_too,
                         struct at at) {
    struct names names = expr_names(expr);
    for (size_t i = 0; i < names.n; i++) {
        int mod = mod_index(form, names.v[i]), operand = operand_index(form, names.v[i]);
        if (mod >= 0)
            fprintf(out, "    const uint32_t %s = inst->mod[%d];\n", names.v[i], mod);
        else if (operand >= 0 && operands_too)
            fprintf(out, "    const struct fh_operand %s = inst->op[%d];\n", names.v[i], operand);
        else if (operand >= 0)
            error_at(at, "`%s`: only modifiers can stand in this expression", names.v[i]);
    }
}

static void rewritten(FILE *out, const struct form *form, const char *expr) {
    bool member = false;
    for (const char *s = expr; *s;) {
        size_t n = identifier_length(s);
        if (!n) {
            member = *s == '.';
            fputc(*s++ == '\n' ? ' ' : s[-1], out);
            continue;
        }
        const char *name = copy(s, n);
        bool own = mod_index(form, name) >= 0 || operand_index(form, name) >= 0;
        const char *c = member || own ? NULL : constant(name);
        fputs(c ? c : name, out);
        s += n;
        member = false;
    }
}

/* Declarations and `return (expr);` of a function with the parameter inst. */
void emit_expr(FILE *out, const struct form *form, struct text expr, bool operands_too) {
    declarations(out, form, expr.s, operands_too, expr.at);
    write_line_directive(out, expr.at);
    fputs("    return (", out);
    rewritten(out, form, expr.s);
    fputs(");\n", out);
}

/* ---------------------------------------------------------------- functions of forms */

struct functions {
    FILE *out;
    struct {
        const char *name, *body;
    } * v;
    size_t n;
};

/* Emits `static TYPE name(const struct fh_inst *inst) { body }` unless an equal one is there, and
 * returns the name to use. */
static const char *function(struct functions *f, const char *type, const char *name,
                            const char *body) {
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->v[i].body, body) == 0 && strncmp(f->v[i].name, name, 4) == 0)
            return f->v[i].name;
    f->v = more(f->v, f->n, sizeof *f->v);
    f->v[f->n].name = name;
    f->v[f->n++].body = body;
    fprintf(f->out, "\nstatic %s%s(const struct fh_inst *inst) {\n    (void)inst;\n%s}\n@@LINE@@\n",
            type, name, body);
    return name;
}

static char *expr_body(const struct form *form, struct text expr, bool operands_too) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    emit_expr(out, form, expr, operands_too);
    fclose(out);
    return text;
}

static char *derived_body(const struct form *form, const struct derived *d) {
    char *text = NULL, *all = print("%s", "");
    size_t size = 0;
    for (size_t i = 0; i < d->case_count; i++)
        all = print("%s (%s)", all, d->cases[i].expr.s);
    FILE *out = open_memstream(&text, &size);
    declarations(out, form, all, true, d->at);
    for (size_t i = 0; i < d->case_count; i++) {
        write_line_directive(out, d->cases[i].expr.at);
        fputs("    if (", out);
        rewritten(out, form, d->cases[i].expr.s);
        fprintf(out, ")\n        return \"%s\";\n", d->cases[i].text);
    }
    fputs("    return NULL;\n", out);
    fclose(out);
    return text;
}

static void operand_functions(struct functions *f, struct form *form) {
    for (size_t i = 0; i < form->operand_count; i++) {
        struct operand *o = &form->operands[i];
        const char *tail = print("%s_%s_%s", form->insn->c_name, form->name, o->name);
        if (o->cond.s)
            o->c_present =
                function(f, "bool ", print("present_%s", tail), expr_body(form, o->cond, false));
        if (o->regs.s)
            o->c_registers = function(f, "unsigned ", print("registers_%s", tail),
                                      expr_body(form, o->regs, false));
    }
}

static void mod_functions(struct functions *f, struct form *form) {
    for (size_t i = 0; i < form->mod_count; i++) {
        struct mod *mod = form->mods[i];
        if (mod->derived)
            mod->c_derived =
                function(f, "const char *",
                         print("derived_%s_%s_%s", form->insn->c_name, form->name, mod->name),
                         derived_body(form, mod->derived));
    }
}

/* Which of the instruction's pipes: a chain of conditions. */
static void issue_function(struct functions *f, const struct description *d, struct form *form) {
    const struct insn *insn = form->insn;
    if (insn->issue_count < 2)
        return;
    char *text = NULL, *all = print("%s", "");
    size_t size = 0;
    for (size_t i = 0; i < insn->issue_count; i++)
        all = print("%s (%s)", all, insn->issues[i].cond ? insn->issues[i].cond : "");
    FILE *out = open_memstream(&text, &size);
    declarations(out, form, all, false, insn->issues[0].at);
    for (size_t i = 0; i < insn->issue_count; i++) {
        const struct issue *issue = &insn->issues[i];
        if (issue->cond) {
            write_line_directive(out, issue->at);
            fputs("    if (", out);
            rewritten(out, form, issue->cond);
            fputs(")\n    ", out);
        }
        fprintf(out, "    return %d;\n", pipe_index(d, issue->pipe));
    }
    fclose(out);
    form->c_issue = function(f, "unsigned ", print("issue_%s_%s", insn->c_name, form->name), text);
}

/* Whether all operands of the instruction that the expression names are in this form. */
static bool applies(const struct insn *insn, const struct form *form, const char *expr) {
    struct names names = expr_names(expr);
    for (size_t i = 0; i < names.n; i++)
        for (size_t k = 0; k < insn->form_count; k++)
            if ((operand_index(&insn->forms[k], names.v[i]) >= 0 &&
                 operand_index(form, names.v[i]) < 0) ||
                (mod_index(&insn->forms[k], names.v[i]) >= 0 && mod_index(form, names.v[i]) < 0))
                return false;
    return true;
}

/* A check holds for all forms that have its operands, which may have different indices. */
static void check_functions(struct functions *f, const struct insn *insn) {
    for (size_t i = 0; i < insn->check_count; i++) {
        struct text expr = {insn->checks[i].at, insn->checks[i].expr};
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        for (size_t k = 0; k < insn->form_count; k++) {
            if (!applies(insn, &insn->forms[k], expr.s))
                continue;
            fprintf(out, "    if (inst->form->id == %u) {\n", insn->forms[k].id);
            emit_expr(out, &insn->forms[k], expr, true);
            fputs("    }\n", out);
        }
        fputs("    return true;\n", out);
        fclose(out);
        fprintf(f->out, "\nstatic bool check_%s_%zu(const struct fh_inst *inst) {\n%s}\n@@LINE@@\n",
                insn->c_name, i, text);
    }
}

/* The functions that the tables point to; their names go into operands and modifiers. */
void emit_form_functions(FILE *out, struct description *d) {
    struct functions f = {.out = out};
    for (size_t i = 0; i < d->form_count; i++) {
        operand_functions(&f, d->forms[i]);
        mod_functions(&f, d->forms[i]);
        issue_function(&f, d, d->forms[i]);
    }
    for (size_t i = 0; i < d->insn_count; i++)
        check_functions(&f, d->numbered[i]);
}
