/*
 * emit_whole.c - functions of bodies that see the warp as a whole: kind `uniform` (once per warp,
 * on uniform registers), `warp` (registers are arrays of lanes) and `matrix` (operands with a
 * layout are matrices). They do not differ between the engines, but for the way to the matrices'
 * elements: the reference engine asks the layout tables, the fast one has them compiled in.
 */
#include <string.h>

#include "emit_lanes.h"

/* What a function is made for. `variant`: of a matrix instruction, else NULL. */
struct whole {
    FILE *out;
    const struct description *d;
    const struct form *form;
    const struct variant *variant;
    bool ref;
};

/* ---------------------------------------------------------------- operands that all lanes share */

/* Value of a scalar source: uniform register, immediate, constant, uniform predicate. */
static char *scalar_value(const struct operand *o, size_t i) {
    unsigned regs = constant_regs(o);
    switch (o->kind) {
    case FH_K_UPRED: return print("fh_uniform_predicate(fh_w, fh_op, %zu)", i);
    case FH_K_UREG:
        if (regs == 1)
            return print("fh_w->ur[fh_op->row[%zu]]", i);
        return print("fh_uniform_read(fh_w, fh_op->row[%zu], %s)", i, count_of(o));
    default: return print("(%s)fh_op->imm[%zu]", operand_type(o), i);
    }
}

static void uniform_source(const struct whole *f, size_t i) {
    const struct operand *o = &f->form->operands[i];
    if (!is_scalar(o))
        error_at(f->form->at, "%s form %s: operand `%s` of a uniform instruction is a lane's",
                 f->form->insn->name, f->form->name, o->name);
    if (!is_written(o))
        fprintf(f->out, "    const %s %s = %s;\n", operand_type(o), o->var, scalar_value(o, i));
    else if (!in_words(f->form, o))
        fprintf(f->out, "    %s %s = 0;\n", operand_type(o), o->var);
    if (in_words(f->form, o))
        emit_words(f->out, o, "    ");
}

static void uniform_store(const struct whole *f, size_t i) {
    const struct operand *o = &f->form->operands[i];
    if (o->kind == FH_K_UPRED)
        fprintf(f->out, "    fh_w->up[fh_op->row[%zu]] = %s != 0;\n", i, o->var);
    else if (constant_regs(o) == 1)
        fprintf(f->out, "    fh_w->ur[fh_op->row[%zu]] = %s;\n", i, o->var);
    else
        fprintf(f->out, "    fh_uniform_write(fh_w, fh_op->row[%zu], %s, %s);\n", i, count_of(o),
                result_value(f->form, o));
}

/* ---------------------------------------------------------------- rows of lanes */

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

static void row_source(const struct whole *f, size_t i) {
    const struct operand *o = &f->form->operands[i];
    const char *type = operand_type(o);
    if (is_written(o) && o->kind == FH_K_REG) {
        fprintf(f->out, "    %s %s[FH_LANES] = {0};\n", type, o->var);
    } else if (is_written(o)) {
        fprintf(f->out, "    %s %s = 0;\n", type, o->var);
    } else if (o->kind == FH_K_PRED) {
        fprintf(f->out, "    const u32 %s = fh_predicate(fh_w, fh_op, %zu);\n", o->var, i);
    } else if (o->kind == FH_K_REG && constant_regs(o) == 1) {
        fprintf(f->out, "    const u32 *const %s = fh_w->r[fh_op->row[%zu]];\n", o->var, i);
    } else if (o->kind == FH_K_REG) {
        fprintf(f->out, "    u64 %s[FH_LANES];\n    fh_rows_read(fh_w, fh_op->row[%zu], %s, %s);\n",
                o->var, i, count_of(o), o->var);
    } else if (o->kind == FH_K_UREG && constant_regs(o) > 2) {
        fprintf(f->out, "    const u32 *const %s = &fh_w->ur[fh_op->row[%zu]];\n", o->var, i);
    } else if (indexed_in_body(f->form, o->var)) {
        fprintf(f->out,
                "    %s %s[FH_LANES];\n    for (u32 fh_l = 0; fh_l < FH_LANES; fh_l++)\n"
                "        %s[fh_l] = %s;\n",
                type, o->var, o->var, scalar_value(o, i));
    } else {
        fprintf(f->out, "    const %s %s = %s;\n", type, o->var, scalar_value(o, i));
    }
}

static void row_store(const struct whole *f, size_t i) {
    const struct operand *o = &f->form->operands[i];
    if (o->kind == FH_K_PRED)
        fprintf(f->out, "    fh_predicate_write(fh_w, fh_op, %zu, active, %s);\n", i, o->var);
    else if (o->kind != FH_K_REG)
        uniform_store(f, i);
    else if (constant_regs(o) == 1)
        fprintf(f->out, "    fh_row_write(fh_w, fh_op->row[%zu], active, %s);\n", i, o->var);
    else
        fprintf(f->out, "    fh_rows_write(fh_w, fh_op->row[%zu], %s, active, %s);\n", i,
                count_of(o), o->var);
}

/* ---------------------------------------------------------------- matrices */

/* One number of an element's place, `source`, as a C expression of its row and column. */
static const char *place_bits(const struct layout *l, enum bit_source source) {
    const struct layout_bits *axes[] = {&l->row, &l->column};
    char *text = print("%s", "");
    for (unsigned a = 0; a < 2; a++)
        for (size_t i = 0; i < axes[a]->n; i++) {
            const struct layout_bit *bit = &axes[a]->v[i];
            if (bit->source == source)
                text = print("%s%s(%s >> %zu & 1) << %u", text, *text ? " | " : "",
                             a ? "fh_j" : "fh_i", axes[a]->n - 1 - i, bit->index);
        }
    return *text ? print("(%s)", text) : "0";
}

/* For every element of the operand's matrix: its word, where it begins there, and what to do. */
static void each_element(const struct whole *f, size_t i, const struct layout *l,
                         const char *what) {
    fprintf(f->out,
            "    for (u32 fh_i = 0; fh_i < %u; fh_i++) {\n"
            "        for (u32 fh_j = 0; fh_j < %u; fh_j++) {\n"
            "            %su32 *const fh_word =\n"
            "                &fh_w->r[fh_op->row[%zu] + %s]\n                        [%s];\n",
            1u << l->row.n, 1u << l->column.n, is_written(&f->form->operands[i]) ? "" : "const ", i,
            place_bits(l, BIT_REG), place_bits(l, BIT_LANE));
    if (l->bits < 32)
        fprintf(f->out, "            const u32 fh_shift = %u * %s;\n", l->bits,
                place_bits(l, BIT_SLOT));
    fprintf(f->out, "            %s\n        }\n    }\n", what);
}

static void matrix_source(const struct whole *f, size_t i, const struct layout *l) {
    const struct operand *o = &f->form->operands[i];
    fprintf(f->out, "    _Alignas(64) %s %s[%u][%u]%s;\n", l->bits == 64 ? "u64" : "u32", o->var,
            1u << l->row.n, 1u << l->column.n, is_written(o) ? " = {{0}}" : "");
    if (is_written(o))
        return;
    if (f->ref) {
        fprintf(f->out, "    fh_matrix_read_%u(\"%s\", \"%s\", fh_w, fh_op->row[%zu], %s[0]);\n",
                l->bits == 64 ? 64 : 32, l->insn, l->operand, i, o->var);
        return;
    }
    const char *value = l->bits == 64 ? "fh_word[0] | (u64)fh_word[FH_LANES] << 32"
                        : l->bits == 32
                            ? "*fh_word"
                            : print("*fh_word >> fh_shift & 0x%xU", (1u << l->bits) - 1);
    each_element(f, i, l, print("%s[fh_i][fh_j] = %s;", o->var, value));
}

static void matrix_store(const struct whole *f, size_t i, const struct layout *l) {
    const char *v = f->form->operands[i].var;
    const char *element = print("%s[fh_i][fh_j]", v);
    if (f->ref) {
        fprintf(f->out, "    fh_matrix_write_%u(\"%s\", \"%s\", %s[0], fh_w, fh_op->row[%zu]);\n",
                l->bits == 64 ? 64 : 32, l->insn, l->operand, v, i);
        return;
    }
    if (l->bits == 64)
        each_element(
            f, i, l,
            print("fh_word[0] = (u32)%s;\n            fh_word[FH_LANES] = (u32)(%s >> 32);",
                  element, element));
    else if (l->bits == 32)
        each_element(f, i, l, print("*fh_word = %s;", element));
    else
        each_element(f, i, l,
                     print("*fh_word = (*fh_word & ~(0x%xU << fh_shift)) |\n"
                           "                       (%s & 0x%xU) << fh_shift;",
                           (1u << l->bits) - 1, element, (1u << l->bits) - 1));
}

/* ---------------------------------------------------------------- functions */

static void source(const struct whole *f, size_t i) {
    const struct operand *o = &f->form->operands[i];
    const struct layout *l = f->variant ? layout_of(f->d, f->variant, o) : NULL;
    if (!l)
        emit_count(f->out, o);
    if (l)
        matrix_source(f, i, l);
    else if (is_kind(f->form->insn, "uniform"))
        uniform_source(f, i);
    else
        row_source(f, i);
    if (!is_written(o))
        fprintf(f->out, "    (void)%s;\n", o->var);
}

static void store(const struct whole *f, size_t i) {
    const struct layout *l = f->variant ? layout_of(f->d, f->variant, &f->form->operands[i]) : NULL;
    if (l)
        matrix_store(f, i, l);
    else if (is_kind(f->form->insn, "uniform"))
        uniform_store(f, i);
    else
        row_store(f, i);
}

/* The modifiers' values: those that the variant fixes are constants. */
static void modifiers(const struct whole *f) {
    struct names fixed = {0};
    for (size_t i = 0; f->variant && i < f->form->mod_count; i++) {
        const char *name = f->form->mods[i]->name;
        if (!f->variant->fixed[i] || !modifier_wanted(f->form, i))
            continue;
        fprintf(f->out, "    const u32 %s = %u;\n    (void)%s;\n", name, f->variant->value[i],
                name);
        add_name(&fixed, name);
    }
    emit_modifiers(f->out, f->form, &fixed);
}

static void function(const struct whole *f, const char *head) {
    const struct form *form = f->form;
    bool faults = body_faults(form->insn);
    fprintf(f->out,
            "\n%s(struct fh_warp *fh_w, const struct fh_op *fh_op, u32 active) {\n"
            "    (void)fh_w, (void)fh_op, (void)active;\n",
            head);
    modifiers(f);
    if (f->variant)
        fputs("    if (!fh_all_lanes(fh_w, fh_op, active))\n        return false;\n", f->out);
    for (size_t i = 0; i < form->operand_count; i++)
        if (form->operands[i].kind != FH_K_WORD)
            source(f, i);
    emit_fault_start(f->out, form);
    if (faults)
        fputs("    const u32 fh_guilty = active;\n    (void)fh_guilty;\n", f->out);
    if (body_uses(form->insn, "fault_lanes"))
        fputs("    char fh_bad_text[100];\n", f->out);
    emit_body(f->out, form, "    ");
    if (faults)
        fputs("fh_next:;\n", f->out);
    if (faults)
        emit_fault_end(f->out, form);
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]))
            store(f, i);
    fputs("    return true;\n}\n", f->out);
}

void emit_whole_function(FILE *out, const struct form *form, const char *head) {
    const struct whole f = {.out = out, .form = form};
    function(&f, head);
}

void emit_matrix_function(FILE *out, const struct description *d, const struct form *form,
                          const struct variant *variant, const char *head, bool ref) {
    const struct whole f = {.out = out, .d = d, .form = form, .variant = variant, .ref = ref};
    function(&f, head);
}

const char *variant_condition(const struct form *form, const struct variant *variant) {
    char *text = print("%s", "");
    for (size_t i = 0; i < form->mod_count; i++)
        if (variant->fixed[i])
            text =
                print("%s%sfh_op->mod[%zu] == %u", text, *text ? " && " : "", i, variant->value[i]);
    return *text ? text : "true";
}
