/*
 * emit_fast.c - lane_fast.inc: the bodies as loops over 32 lanes that the C compiler turns into
 * vector code; included once per SIMD level.
 *
 * Per distinct shape of operands one always-inline template `t_`: rows and scalars are fetched
 * before the loop, an iteration reads index `lane` of each row before it writes index `lane` of
 * another, so destinations may be sources. With inactive lanes the loop computes all lanes into
 * scratch rows, of which the active ones are copied. From it come the function `f_` for any
 * modifiers, and with `specialise` one function per combination of the listed modifiers, which then
 * are constants. Forms whose operands are fetched in the same way share the functions (immediate
 * and constant).
 */
#include <string.h>

#include "emit_lanes.h"

/* ---------------------------------------------------------------- shapes */

/* What of a form the template depends on. */
static char *shape(const struct form *form) {
    char *key = print("%s", "");
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        char fetch = o->kind == FH_K_REG     ? 'r'
                     : o->kind == FH_K_UREG  ? 'u'
                     : o->kind == FH_K_PRED  ? 'p'
                     : o->kind == FH_K_UPRED ? 'v'
                                             : 's';
        key = print("%s %s%c%u%c%c%c", key, o->var, fetch, constant_regs(o),
                    o->field[F_NEG].pieces ? 'n' : '-', o->field[F_ABS].pieces ? 'a' : '-',
                    o->field[F_PART].pieces ? 'p' : '-');
    }
    for (size_t i = 0; i < form->mod_count; i++)
        key = print("%s .%s", key, form->mods[i]->name);
    return key;
}

/* The first form of the instruction with the same shape. */
static const struct form *representative(const struct form *form) {
    const char *key = shape(form);
    const struct insn *insn = form->insn;
    for (size_t i = 0; i < insn->form_count; i++)
        if (strcmp(shape(&insn->forms[i]), key) == 0)
            return &insn->forms[i];
    return form;
}

/* ---------------------------------------------------------------- specialisation */

enum { MAX_COMBINATIONS = 64 };

/* One thing that is specialised: modifier, sign, or whether a predicate output is wanted. */
struct axis {
    const char *name;
    char kind; /* m, n, p */
    size_t index;
    unsigned size; /* values 0 .. size-1 */
    const struct mod *mod;
};

static bool find_axis(const struct form *form, const char *name, struct axis *axis) {
    int mod = mod_index(form, name);
    *axis = (struct axis){.name = name, .kind = 'm', .index = (size_t)mod};
    if (mod >= 0) {
        axis->mod = form->mods[mod];
        axis->size = 1u << bits_width(&axis->mod->bits);
        return true;
    }
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        bool sign = strncmp(name, "neg_", 4) == 0 && strcmp(o->var, name + 4) == 0;
        if (!sign && strcmp(o->var, name) != 0)
            continue;
        axis->kind = sign ? 'n' : 'p';
        axis->index = i;
        axis->size = 2;
        return sign ? o->field[F_NEG].pieces != 0 : o->kind == FH_K_PRED && is_written(o);
    }
    return false;
}

/* The axes of a form, in the order of the `specialise` line; names the form lacks are left out. */
static size_t axes_of(const struct form *form, struct axis *axes, size_t limit) {
    size_t n = 0;
    for (size_t i = 0; i < form->insn->specialise.n && n < limit; i++)
        if (find_axis(form, form->insn->specialise.v[i], &axes[n]))
            n++;
    return n;
}

static bool has_value(const struct axis *axis, unsigned value) {
    if (axis->kind != 'm')
        return true;
    for (size_t i = 0; i < axis->mod->values->n; i++)
        if (axis->mod->values->v[i].value == value)
            return true;
    return false;
}

/* Name of the template's parameter for an axis. */
static const char *parameter(const struct axis *axis) {
    return axis->kind == 'p' ? print("fh_want_%s", axis->name) : axis->name;
}

/* ---------------------------------------------------------------- the template */

static void fetch_before_loop(FILE *out, const struct operand *o, size_t i) {
    bool wide = constant_regs(o) != 1;
    if (is_predicate(o) && is_written(o)) {
        fprintf(out, "    _Alignas(64) u32 fh_%s[FH_LANES];\n", o->var);
    } else if (o->kind == FH_K_PRED) {
        fprintf(out, "    const u32 fh_%s = fh_predicate(fh_w, fh_op, %zu);\n", o->var, i);
    } else if (o->kind == FH_K_REG && is_written(o)) {
        fprintf(out,
                "    _Alignas(64) u32 fh_%s_part[2][FH_LANES];\n"
                "    u32 *const fh_%s = fh_all ? fh_w->r[fh_op->row[%zu]] : fh_%s_part[0];\n",
                o->var, o->var, i, o->var);
        if (wide)
            fprintf(out,
                    "    u32 *const fh_%s_hi = fh_all ? fh_w->r[fh_op->row[%zu] + 1] : "
                    "fh_%s_part[1];\n",
                    o->var, i, o->var);
    } else if (o->kind == FH_K_REG) {
        fprintf(out, "    const u32 *const fh_%s = fh_w->r[fh_op->row[%zu]];\n", o->var, i);
        if (wide)
            fprintf(out, "    const u32 *const fh_%s_hi = fh_w->r[fh_op->row[%zu] + 1];\n", o->var,
                    i);
    } else if (o->kind == FH_K_UREG) {
        fprintf(out, "    const %s %s = %s;\n", operand_type(o), o->var,
                wide ? print("fh_uniform_read(fh_w, fh_op->row[%zu], %s)", i,
                             constant_regs(o) ? "2" : print("fh_n_%s", o->var))
                     : print("fh_w->ur[fh_op->row[%zu]]", i));
        fprintf(out, "    (void)%s;\n", o->var);
    } else if (o->kind == FH_K_UPRED) {
        fprintf(out, "    const u32 %s = (u32)(fh_w->up[fh_op->row[%zu]] ^ fh_op->neg[%zu]);\n",
                o->var, i, i);
    } else {
        fprintf(out, "    const %s %s = (%s)fh_op->imm[%zu];\n    (void)%s;\n", operand_type(o),
                o->var, operand_type(o), i, o->var);
    }
}

static void fetch_in_loop(FILE *out, const struct operand *o) {
    if (is_written(o)) {
        fprintf(out, "        %s %s = 0;\n", operand_type(o), o->var);
        return;
    }
    if (o->kind == FH_K_PRED)
        fprintf(out, "        const u32 %s = fh_%s >> lane & 1;\n", o->var, o->var);
    else if (o->kind == FH_K_REG && constant_regs(o) == 1)
        fprintf(out, "        const u32 %s = fh_%s[lane];\n", o->var, o->var);
    else if (o->kind == FH_K_REG)
        fprintf(out, "        const u64 %s = fh_%s[lane] | (u64)(%sfh_%s_hi[lane]) << 32;\n",
                o->var, o->var, constant_regs(o) ? "" : print("fh_n_%s != 2 ? 0 : ", o->var),
                o->var);
    else
        return;
    fprintf(out, "        (void)%s;\n", o->var);
}

static void store_in_loop(FILE *out, const struct operand *o) {
    if (is_predicate(o)) {
        fprintf(out, "        fh_%s[lane] = %s;\n", o->var, o->var);
        return;
    }
    fprintf(out, "        fh_%s[lane] = (u32)%s;\n", o->var, o->var);
    if (constant_regs(o) != 1)
        fprintf(out, "        fh_%s_hi[lane] = %s(u32)(%s >> 32);\n", o->var,
                constant_regs(o) ? "" : print("fh_n_%s != 2 ? fh_%s_hi[lane] : ", o->var, o->var),
                o->var);
}

/* With all lanes active the loop wrote the rows themselves. */
static void rows_after_loop(FILE *out, const struct form *form) {
    fputs("    if (!fh_all) {\n", out);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (!is_written(o) || is_predicate(o))
            continue;
        fprintf(out, "        fh_row_write(fh_w, fh_op->row[%zu], active, fh_%s_part[0]);\n", i,
                o->var);
        if (constant_regs(o) != 1)
            fprintf(out,
                    "        %sfh_row_write(fh_w, fh_op->row[%zu] + 1, active, fh_%s_part[1]);\n",
                    constant_regs(o) ? "" : print("if (fh_n_%s == 2)\n            ", o->var), i,
                    o->var);
    }
    fputs("    }\n", out);
}

static void predicates_after_loop(FILE *out, const struct form *form) {
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (is_predicate(o) && is_written(o))
            fprintf(
                out,
                "    if (fh_want_%s)\n        fh_predicate_write(fh_w, fh_op->row[%zu], active, "
                "fh_mask_of_row(fh_%s));\n",
                o->var, i, o->var);
    }
}

static void template_head(FILE *out, const struct form *form, const struct axis *axes, size_t n) {
    struct names but = {0};
    fprintf(
        out,
        "\nstatic FH_ALWAYS_INLINE bool t_%s_%s(struct fh_warp *fh_w, const struct fh_op *fh_op,"
        "\n    u32 active",
        form->insn->c_name, form->name);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, ", const u32 %s", parameter(&axes[i]));
        add_name(&but, axes[i].name);
    }
    fputs(") {\n    const bool fh_all = active == UINT32_MAX;\n"
          "    (void)fh_w, (void)fh_op, (void)fh_all;\n",
          out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "    (void)%s;\n", parameter(&axes[i]));
    emit_modifiers(out, form, &but);
    emit_counts(out, form);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        bool listed = has_name(&but, o->var);
        if (is_predicate(o) && is_written(o) && !listed)
            fprintf(out, "    const bool fh_want_%s = true;\n", o->var);
    }
}

static void vector_template(FILE *out, const struct form *form, const struct axis *axes, size_t n) {
    template_head(out, form, axes, n);
    for (size_t i = 0; i < form->operand_count; i++)
        if (form->operands[i].kind != FH_K_WORD)
            fetch_before_loop(out, &form->operands[i], i);
    fputs("    FH_IVDEP\n    for (u32 lane = 0; lane < FH_LANES; lane++) {\n", out);
    for (size_t i = 0; i < form->operand_count; i++)
        if (form->operands[i].kind != FH_K_WORD)
            fetch_in_loop(out, &form->operands[i]);
    emit_body(out, form, "        ");
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]))
            store_in_loop(out, &form->operands[i]);
    fputs("    }\n", out);
    rows_after_loop(out, form);
    predicates_after_loop(out, form);
    fputs("    return true;\n}\n", out);
}

/* A body that may fault: active lanes only, and results stay aside until no lane has faulted. */
static void fault_template(FILE *out, const struct form *form, const struct axis *axes, size_t n) {
    template_head(out, form, axes, n);
    emit_fault_start(out, form);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (is_written(o) && !is_predicate(o))
            fprintf(out, "    %s fh_%s[FH_LANES] = {0};\n", operand_type(o), o->var);
        else if (is_written(o))
            fprintf(out, "    _Alignas(64) u32 fh_%s[FH_LANES] = {0};\n", o->var);
        else if (o->kind != FH_K_WORD)
            fetch_before_loop(out, o, i);
    }
    fputs("    for (u32 lane = 0; lane < FH_LANES; lane++) {\n"
          "        if (!(active >> lane & 1))\n            continue;\n",
          out);
    for (size_t i = 0; i < form->operand_count; i++)
        if (form->operands[i].kind != FH_K_WORD)
            fetch_in_loop(out, &form->operands[i]);
    emit_body(out, form, "        ");
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]))
            fprintf(out, "        fh_%s[lane] = %s;\n", form->operands[i].var,
                    form->operands[i].var);
    fputs("    fh_next:;\n    }\n", out);
    emit_fault_end(out, form);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (!is_written(o) || is_predicate(o))
            continue;
        unsigned regs = constant_regs(o);
        if (regs == 1)
            fprintf(out, "    fh_row_write(fh_w, fh_op->row[%zu], active, fh_%s);\n", i, o->var);
        else
            fprintf(out, "    fh_rows_write(fh_w, fh_op->row[%zu], %s, active, fh_%s);\n", i,
                    regs ? print("%u", regs) : print("fh_n_%s", o->var), o->var);
    }
    predicates_after_loop(out, form);
    fputs("    return true;\n}\n", out);
}

/* ---------------------------------------------------------------- functions from the template */

static void general_function(FILE *out, const struct form *form, const struct axis *axes,
                             size_t n) {
    char *arguments = print("%s", "");
    for (size_t i = 0; i < n; i++)
        arguments = axes[i].kind == 'm'   ? print("%s, op->mod[%zu]", arguments, axes[i].index)
                    : axes[i].kind == 'n' ? print("%s, op->neg[%zu]", arguments, axes[i].index)
                                          : print("%s, 1", arguments);
    fprintf(out,
            "static bool f_%s_%s(struct fh_warp *w, const struct fh_op *op, u32 active) {\n"
            "    return t_%s_%s(w, op, active%s);\n}\n",
            form->insn->c_name, form->name, form->insn->c_name, form->name, arguments);
}

/* Splits a combination's number into the axes' values, the first axis highest. */
static bool combination(const struct axis *axes, size_t n, unsigned number, unsigned *values) {
    bool exists = true;
    for (size_t i = n; i-- > 0;) {
        values[i] = number % axes[i].size;
        number /= axes[i].size;
        exists &= has_value(&axes[i], values[i]);
    }
    return exists;
}

static void special_functions(FILE *out, const struct form *form, const struct axis *axes, size_t n,
                              unsigned total) {
    const char *name = print("%s_%s", form->insn->c_name, form->name);
    unsigned values[8];
    for (unsigned k = 0; k < total; k++) {
        if (!combination(axes, n, k, values))
            continue;
        fprintf(out,
                "static bool s%u_%s(struct fh_warp *w, const struct fh_op *op, u32 active) {\n"
                "    return t_%s(w, op, active",
                k, name, name);
        for (size_t i = 0; i < n; i++)
            fprintf(out, ", %u", values[i]);
        fputs(");\n}\n", out);
    }
    fprintf(out, "static fh_exec_fn *pick_%s(const struct fh_op *op) {\n", name);
    fprintf(out, "    static fh_exec_fn *const table[%u] = {\n", total);
    for (unsigned k = 0; k < total; k++)
        fprintf(out, "        %s_%s,\n", combination(axes, n, k, values) ? print("s%u", k) : "f",
                name);
    fputs("    };\n    u32 index = 0;\n", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "    index = index * %u + %s;\n", axes[i].size,
                axes[i].kind == 'm'   ? print("op->mod[%zu]", axes[i].index)
                : axes[i].kind == 'n' ? print("op->neg[%zu]", axes[i].index)
                                      : print("(op->row[%zu] != FH_SINK_PRED)", axes[i].index));
    fprintf(out, "    return index < %u ? table[index] : f_%s;\n}\n", total, name);
}

static unsigned combinations(const struct axis *axes, size_t n) {
    unsigned total = 1;
    for (size_t i = 0; i < n; i++)
        total = total > MAX_COMBINATIONS ? total : total * axes[i].size;
    return n ? total : 0;
}

static void lane_functions(FILE *out, const struct form *form) {
    struct axis axes[8];
    size_t n = axes_of(form, axes, sizeof axes / sizeof *axes);
    unsigned total = combinations(axes, n);
    if (total > MAX_COMBINATIONS)
        error_at(form->insn->specialise_at, "`specialise` makes more than %u functions",
                 MAX_COMBINATIONS);
    if (body_faults(form->insn))
        fault_template(out, form, axes, n);
    else
        vector_template(out, form, axes, n);
    general_function(out, form, axes, n);
    if (total && total <= MAX_COMBINATIONS)
        special_functions(out, form, axes, n, total);
}

static void table(FILE *out, const struct description *d) {
    fputs("\nfh_exec_fn *const FH_SIMD_SYMBOL(fh_fast_table_)[] = {\n", out);
    for (size_t i = 0; i < d->form_count; i++) {
        const struct form *form = d->forms[i];
        const struct insn *insn = form->insn;
        if (has_body(insn))
            fprintf(out, "    f_%s_%s,\n", insn->c_name,
                    is_kind(insn, "lane") ? representative(form)->name : form->name);
        else if (is_kind(insn, "ctrl"))
            fprintf(out, "    NULL, /* %s */\n", insn->name);
        else
            fprintf(out, "    fh_exec_%s,\n", c_name(insn->handler.s));
    }
    fputs(d->form_count ? "};\n" : "    NULL,\n};\n", out);
}

static void selector(FILE *out, const struct description *d) {
    struct axis axes[8];
    fputs("\nfh_exec_fn *FH_SIMD_SYMBOL(fh_fast_select_)(const struct fh_op *op) {\n"
          "    switch (op->inst->form->id) {\n",
          out);
    for (size_t i = 0; i < d->form_count; i++) {
        const struct form *form = d->forms[i];
        if (has_body(form->insn) && is_kind(form->insn, "lane") && axes_of(form, axes, 8))
            fprintf(out, "    case %u: return pick_%s_%s(op);\n", form->id, form->insn->c_name,
                    representative(form)->name);
    }
    fputs("    default: return FH_SIMD_SYMBOL(fh_fast_table_)[op->inst->form->id];\n    }\n}\n",
          out);
}

void emit_fast(FILE *out, struct description *d) {
    fputs("/* Generated by isac from the .isa files: do not edit. */\n", out);
    for (size_t i = 0; i < d->form_count; i++) {
        const struct form *form = d->forms[i];
        if (!has_body(form->insn))
            continue;
        if (is_kind(form->insn, "uniform"))
            emit_uniform_function(out, form, "f");
        else if (is_kind(form->insn, "warp"))
            emit_warp_function(out, form, "f");
        else if (representative(form) == form)
            lane_functions(out, form);
    }
    table(out, d);
    selector(out, d);
}
