/*
 * emit_lanes.c - pieces of generated execution functions, and the functions of the kinds `uniform`
 * (once per warp) and `warp` (the body sees all lanes), which do not differ between engines.
 */
#include <string.h>

#include "emit_lanes.h"

bool is_kind(const struct insn *insn, const char *kind) {
    return strcmp(insn->kind.s, kind) == 0;
}

bool is_predicate(const struct operand *o) {
    return o->kind == FH_K_PRED || o->kind == FH_K_UPRED;
}

bool is_scalar(const struct operand *o) {
    return o->kind != FH_K_REG && o->kind != FH_K_PRED;
}

bool is_written(const struct operand *o) {
    return (o->access & FH_WRITE) != 0;
}

bool body_faults(const struct insn *insn) {
    return body_uses(insn, "fault");
}

bool body_on_masks(const struct insn *insn) {
    return body_uses(insn, "lanes_compare") || body_uses(insn, "lanes_lop3");
}

const char *operand_type(const struct operand *o) {
    return constant_regs(o) == 1 ? "u32" : "u64";
}

bool in_words(const struct form *form, const struct operand *o) {
    return constant_regs(o) == 2 && (body_uses(form->insn, print("%s_low", o->var)) ||
                                     body_uses(form->insn, print("%s_high", o->var)));
}

void emit_words(FILE *out, const struct operand *o, const char *indent) {
    const char *v = o->var;
    if (is_written(o))
        fprintf(out, "%su32 %s_low = 0, %s_high = 0;\n", indent, v, v);
    else
        fprintf(out, "%sconst u32 %s_low = (u32)%s, %s_high = (u32)(%s >> 32);\n", indent, v, v, v,
                v);
}

const char *result_value(const struct form *form, const struct operand *o) {
    return in_words(form, o) ? print("((u64)%s_high << 32 | %s_low)", o->var, o->var) : o->var;
}

static bool used_by_counts(const struct form *form, const char *name) {
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (o->regs.s && !constant_regs(o)) {
            struct names names = expr_names(o->regs.s);
            if (has_name(&names, name))
                return true;
        }
    }
    return false;
}

/* `abs_a` and `part_a` of bodies: what the operand's bars and part say, not yet applied. */
static void emit_attribute(FILE *out, const struct form *form, const char *prefix,
                           enum operand_field field, const struct names *but) {
    for (size_t i = 0; i < form->operand_count; i++) {
        const char *name = print("%s_%s", prefix, form->operands[i].var);
        if (!body_uses(form->insn, name) || has_name(but, name))
            continue;
        const char *value = field == F_NEG ? print("fh_negated(fh_op, %zu)", i)
                                           : print("fh_op->%s[%zu]", prefix, i);
        fprintf(out, "    const u32 %s = %s;\n", name,
                form->operands[i].field[field].pieces ? value : "0");
    }
}

void emit_modifiers(FILE *out, const struct form *form, const struct names *but) {
    for (size_t i = 0; i < form->mod_count; i++) {
        const char *name = form->mods[i]->name;
        bool wanted = body_uses(form->insn, name) || used_by_counts(form, name);
        if (!form->mods[i]->literal && wanted && !has_name(but, name))
            fprintf(out, "    const u32 %s = fh_op->mod[%zu];\n", name, i);
    }
    emit_attribute(out, form, "neg", F_NEG, but);
    emit_attribute(out, form, "abs", F_ABS, but);
    emit_attribute(out, form, "part", F_PART, but);
}

void emit_counts(FILE *out, const struct form *form) {
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (constant_regs(o))
            continue;
        fputs("@@LINE@@\n", out);
        fprintf(out, "    const unsigned fh_n_%s = (unsigned)(%s);\n", o->var, o->regs.s);
    }
}

void emit_body(FILE *out, const struct form *form, const char *indent) {
    const struct text *body = &form->insn->body_owner->body;
    fprintf(out, "%s{\n", indent);
    write_line_directive(out, body->at);
    fprintf(out, "%s\n@@LINE@@\n%s}\n", body->s, indent);
}

void emit_fault_start(FILE *out, const struct form *form) {
    if (body_faults(form->insn))
        fputs("    u32 fh_bad = 0;\n    fhec_fault_kind fh_bad_kind = FHEC_FAULT_NONE;\n"
              "    const char *fh_bad_message = NULL;\n",
              out);
}

void emit_fault_end(FILE *out, const struct form *form) {
    if (body_faults(form->insn))
        fputs("    if (fh_bad)\n"
              "        return fh_fault_lanes(fh_w, fh_op, fh_bad_kind, fh_bad, fh_bad_message);\n",
              out);
}

static void prologue(FILE *out, const struct form *form, const char *prefix) {
    static const struct names none;
    fprintf(
        out,
        "\nstatic bool %s_%s_%s(struct fh_warp *fh_w, const struct fh_op *fh_op, u32 active) {\n"
        "    (void)fh_w, (void)fh_op, (void)active;\n",
        prefix, form->insn->c_name, form->name);
    emit_modifiers(out, form, &none);
    emit_counts(out, form);
}

/* Value of a scalar source: uniform register, immediate, constant, uniform predicate. */
static char *scalar_value(const struct operand *o, size_t i) {
    unsigned regs = constant_regs(o);
    switch (o->kind) {
    case FH_K_UPRED: return print("fh_uniform_predicate(fh_w, fh_op, %zu)", i);
    case FH_K_UREG:
        if (regs == 1)
            return print("fh_w->ur[fh_op->row[%zu]]", i);
        return print("fh_uniform_read(fh_w, fh_op->row[%zu], %s)", i,
                     regs ? print("%u", regs) : print("fh_n_%s", o->var));
    default: return print("(%s)fh_op->imm[%zu]", operand_type(o), i);
    }
}

static void uniform_store(FILE *out, const struct form *form, size_t i) {
    const struct operand *o = &form->operands[i];
    unsigned regs = constant_regs(o);
    if (o->kind == FH_K_UPRED)
        fprintf(out, "    fh_w->up[fh_op->row[%zu]] = %s != 0;\n", i, o->var);
    else if (regs == 1)
        fprintf(out, "    fh_w->ur[fh_op->row[%zu]] = %s;\n", i, o->var);
    else
        fprintf(out, "    fh_uniform_write(fh_w, fh_op->row[%zu], %s, %s);\n", i,
                regs ? print("%u", regs) : print("fh_n_%s", o->var), result_value(form, o));
}

static void unused(FILE *out, const struct form *form) {
    for (size_t i = 0; i < form->operand_count; i++)
        if (form->operands[i].kind != FH_K_WORD && !is_written(&form->operands[i]))
            fprintf(out, "    (void)%s;\n", form->operands[i].var);
}

void emit_uniform_function(FILE *out, const struct form *form, const char *prefix) {
    prologue(out, form, prefix);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (o->kind == FH_K_WORD)
            continue;
        if (!is_scalar(o))
            error_at(form->at, "%s form %s: operand `%s` of a uniform instruction is a lane's",
                     form->insn->name, form->name, o->name);
        if (!is_written(o))
            fprintf(out, "    const %s %s = %s;\n", operand_type(o), o->var, scalar_value(o, i));
        else if (!in_words(form, o))
            fprintf(out, "    %s %s = 0;\n", operand_type(o), o->var);
        if (in_words(form, o))
            emit_words(out, o, "    ");
    }
    unused(out, form);
    if (body_faults(form->insn))
        error_at(form->insn->at, "%s: fault() is for bodies of kind lane", form->insn->name);
    emit_body(out, form, "    ");
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]))
            uniform_store(out, form, i);
    fputs("    return true;\n}\n", out);
}

/* ---------------------------------------------------------------- kind warp */

/* Whether the body takes the operand lane by lane: `b[`. */
static bool indexed_in_body(const struct form *form, const char *var) {
    const char *body = form->insn->body_owner->body.s;
    size_t n = strlen(var);
    for (const char *s = strstr(body, var); s; s = strstr(s + 1, var)) {
        char before = s == body ? ' ' : s[-1];
        bool word = !((before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
                      before == '_' || before == '.' || (before >= '0' && before <= '9'));
        if (word && s[n] == '[')
            return true;
    }
    return false;
}

static void warp_source(FILE *out, const struct form *form, const struct operand *o, size_t i) {
    const char *type = operand_type(o);
    if (o->kind == FH_K_PRED) {
        fprintf(out, "    const u32 %s = fh_predicate(fh_w, fh_op, %zu);\n", o->var, i);
    } else if (o->kind == FH_K_REG && constant_regs(o) == 1) {
        fprintf(out, "    const u32 *const %s = fh_w->r[fh_op->row[%zu]];\n", o->var, i);
    } else if (o->kind == FH_K_REG) {
        unsigned regs = constant_regs(o);
        fprintf(out, "    u64 %s[FH_LANES];\n    fh_rows_read(fh_w, fh_op->row[%zu], %s, %s);\n",
                o->var, i, regs ? print("%u", regs) : print("fh_n_%s", o->var), o->var);
    } else if (indexed_in_body(form, o->var)) {
        fprintf(out,
                "    %s %s[FH_LANES];\n    for (u32 fh_l = 0; fh_l < FH_LANES; fh_l++)\n"
                "        %s[fh_l] = %s;\n",
                type, o->var, o->var, scalar_value(o, i));
    } else {
        fprintf(out, "    const %s %s = %s;\n", type, o->var, scalar_value(o, i));
    }
}

static void warp_store(FILE *out, const struct form *form, size_t i) {
    const struct operand *o = &form->operands[i];
    unsigned regs = constant_regs(o);
    if (o->kind == FH_K_PRED)
        fprintf(out, "    fh_predicate_write(fh_w, fh_op, %zu, active, %s);\n", i, o->var);
    else if (o->kind != FH_K_REG)
        uniform_store(out, form, i);
    else if (regs == 1)
        fprintf(out, "    fh_row_write(fh_w, fh_op->row[%zu], active, %s);\n", i, o->var);
    else
        fprintf(out, "    fh_rows_write(fh_w, fh_op->row[%zu], %s, active, %s);\n", i,
                regs ? print("%u", regs) : print("fh_n_%s", o->var), o->var);
}

void emit_warp_function(FILE *out, const struct form *form, const char *prefix) {
    prologue(out, form, prefix);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (o->kind == FH_K_WORD)
            continue;
        if (!is_written(o))
            warp_source(out, form, o, i);
        else if (o->kind == FH_K_REG)
            fprintf(out, "    %s %s[FH_LANES] = {0};\n", operand_type(o), o->var);
        else
            fprintf(out, "    %s %s = 0;\n", operand_type(o), o->var);
    }
    unused(out, form);
    if (body_faults(form->insn))
        error_at(form->insn->at, "%s: fault() is for bodies of kind lane", form->insn->name);
    emit_body(out, form, "    ");
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]))
            warp_store(out, form, i);
    fputs("    return true;\n}\n", out);
}
