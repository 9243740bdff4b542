/*
 * emit_ref.c - ref_FAMILY.c: the bodies as written, one lane after the other, operands fetched
 * lane by lane through one plain function. Nothing is written before all lanes are done.
 */
#include "emit_lanes.h"

static void lane_variables(FILE *out, const struct form *form) {
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (o->kind == FH_K_WORD)
            continue;
        if (!is_written(o))
            fprintf(out,
                    "        const %s %s = (%s)fh_ref_read(fh_w, fh_op, %zu, %s, lane);\n"
                    "        (void)%s;\n",
                    operand_type(o), o->var, operand_type(o), i, count_of(o), o->var);
        else if (!in_words(form, o))
            fprintf(out, "        %s %s = 0;\n", operand_type(o), o->var);
        if (in_words(form, o))
            emit_words(out, o, "        ");
    }
}

static void lane_function(FILE *out, const struct form *form) {
    static const struct names none;
    bool faults = body_faults(form->insn);
    fprintf(out,
            "\nbool fh_ref_%s_%s(struct fh_warp *fh_w, const struct fh_op *fh_op, u32 active) {\n"
            "    (void)fh_w, (void)fh_op;\n",
            form->insn->c_name, form->name);
    emit_modifiers(out, form, &none);
    emit_counts(out, form);
    emit_fault_start(out, form);
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]))
            fprintf(out, "    u64 fh_%s[FH_LANES] = {0};\n", form->operands[i].var);
    fputs("    for (u32 lane = 0; lane < FH_LANES; lane++) {\n"
          "        if (!(active >> lane & 1))\n            continue;\n",
          out);
    fputs(faults ? "        const u32 fh_guilty = 1U << lane;\n" : "", out);
    lane_variables(out, form);
    emit_body(out, form, "        ");
    for (size_t i = 0; i < form->operand_count; i++)
        if (is_written(&form->operands[i]))
            fprintf(out, "        fh_%s[lane] = %s;\n", form->operands[i].var,
                    result_value(form, &form->operands[i]));
    fputs(faults ? "    fh_next:;\n    }\n" : "    }\n", out);
    emit_fault_end(out, form);
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        if (is_written(o))
            fprintf(out, "    fh_ref_write(fh_w, fh_op, %zu, %s, active, fh_%s);\n", i, count_of(o),
                    o->var);
    }
    fputs("    return true;\n}\n", out);
}

/* The layouts decide which function it is. */
static void matrix_functions(FILE *out, const struct description *d, const struct form *form) {
    const char *name = print("%s_%s", form->insn->c_name, form->name);
    const struct variants *list = &form->variants;
    for (size_t i = 0; i < list->n; i++)
        emit_matrix_function(out, d, form, &list->v[i], print("static bool ref_%s_%zu", name, i),
                             true);
    fprintf(out,
            "\nbool fh_ref_%s(struct fh_warp *fh_w, const struct fh_op *fh_op, u32 active) {\n",
            name);
    for (size_t i = 0; i < list->n; i++)
        fprintf(out, "%s    return ref_%s_%zu(fh_w, fh_op, active);\n",
                i + 1 == list->n ? ""
                                 : print("    if (%s)\n    ", variant_condition(form, &list->v[i])),
                name, i);
    fputs("}\n", out);
}

void emit_ref(FILE *out, struct description *d, const struct shard *shard) {
    emit_shard_head(out, d, shard, "bodies_ref.h");
    for (size_t i = 0; i < d->form_count; i++) {
        const struct form *form = d->forms[i];
        if (form->insn->shard != shard || !has_body(form->insn))
            continue;
        if (is_kind(form->insn, "lane"))
            lane_function(out, form);
        else if (is_kind(form->insn, "matrix"))
            matrix_functions(out, d, form);
        else if (is_kind(form->insn, "mem"))
            emit_memory_function(out, form);
        else
            emit_whole_function(out, form,
                                print("bool fh_ref_%s_%s", form->insn->c_name, form->name));
    }
}
