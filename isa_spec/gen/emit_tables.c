/*
 * emit_tables.c - isa_tables.c: the structures of isa.h, filled.
 */
#include <string.h>

#include "isac.h"

/* ---------------------------------------------------------------- modifiers */

static void value_array(FILE *out, const char *name, const struct choices *c) {
    fprintf(out, "static const struct fh_mod_value %s[] = {", name);
    for (size_t i = 0; i < c->n; i++) {
        fprintf(out, "%s{%u, ", i ? ", " : "", c->v[i].value);
        write_c_string(out, c->v[i].text);
        fputc('}', out);
    }
    fputs(c->n ? "};\n" : "{0, \"\"}};\n", out);
}

static const char *values_name(const struct form *form, size_t i) {
    const struct mod *mod = form->mods[i];
    if (mod->values->name)
        return print("enum_%s", mod->values->name);
    return print("values_%s_%s_%zu_%s", form->insn->c_name, form->name, i, mod->name);
}

/* Whether each value of the field is one of the modifier's. */
static bool is_complete(const struct mod *mod) {
    const unsigned width = bits_width(&mod->bits);
    for (uint32_t value = 0; width < 8 && value < 1U << width; value++) {
        size_t i = 0;
        while (i < mod->values->n && mod->values->v[i].value != value)
            i++;
        if (i == mod->values->n)
            return false;
    }
    return width < 8 && !mod->bits.shift;
}

static void mod_spec(FILE *out, const struct form *form, size_t i) {
    const struct mod *mod = form->mods[i];
    fprintf(out, "    {.name = \"%s\", .field = ", mod->name);
    emit_bits(out, &mod->bits);
    fprintf(out, ", .values = %s, .value_count = %zu, ", values_name(form, i), mod->values->n);
    if (mod->fallback == UINT32_MAX)
        fputs(".fallback = UINT32_MAX", out);
    else
        fprintf(out, ".fallback = %u", mod->fallback);
    if (mod->hidden)
        fputs(", .hidden = true", out);
    if (is_complete(mod))
        fputs(", .complete = true", out);
    if (mod->derived)
        fprintf(out, ", .derived = %s", mod->c_derived);
    fputs("},\n", out);
}

static void form_mod_array(FILE *out, const struct form *form) {
    if (!form->mod_count)
        return;
    for (size_t i = 0; i < form->mod_count; i++)
        if (!form->mods[i]->values->name)
            value_array(out, values_name(form, i), form->mods[i]->values);
    fprintf(out, "static const struct fh_mod_spec mods_%s_%s[] = {\n", form->insn->c_name,
            form->name);
    for (size_t i = 0; i < form->mod_count; i++)
        mod_spec(out, form, i);
    fputs("};\n", out);
}

/* ---------------------------------------------------------------- operands */

static const char *const kinds[] = {
    "FH_K_NONE", "FH_K_REG",   "FH_K_UREG",       "FH_K_PRED",   "FH_K_UPRED",
    "FH_K_IMM",  "FH_K_CONST", "FH_K_ADDR",       "FH_K_TARGET", "FH_K_BARRIER",
    "FH_K_SREG", "FH_K_WORD",  "FH_K_SCOREBOARD", "FH_K_SET",
};
static const char *const signs[] = {
    "FH_SIGN_NONE", "FH_SIGN_MINUS", "FH_SIGN_TILDE", "FH_SIGN_NOT", "FH_SIGN_BY_X",
};

static const char *const numbers[] = {
    "FH_N_INT", "FH_N_F32", "FH_N_F64", "FH_N_F16X2", "FH_N_BF16X2", "FH_N_SWIZZLE", "FH_N_CONTROL",
};

static bool in_reg_field(enum fh_kind kind) {
    return kind == FH_K_REG || kind == FH_K_UREG || kind == FH_K_PRED || kind == FH_K_UPRED ||
           kind == FH_K_BARRIER || kind == FH_K_SCOREBOARD;
}

static void fallback(FILE *out, const struct operand *o) {
    fprintf(out, ", .fallback = {.kind = %s", kinds[o->kind]);
    if (o->fallback.negated)
        fputs(", .neg = true", out);
    if (in_reg_field(o->kind))
        fprintf(out, ", .reg = %lld}", (long long)o->fallback.number);
    else
        fprintf(out, ", .value = %lld}", (long long)o->fallback.number);
    fputs(", .has_fallback = true", out);
}

static unsigned imm_width(const struct operand *o) {
    const struct bits *b = &o->field[F_VALUE];
    return bits_width(b) + b->shift;
}

static bool is_one_run(const struct bits *b) {
    return b->pieces == 1 && !b->inverted && !b->is_signed && !b->shift &&
           b->piece[0].lo / 64 == (b->piece[0].lo + b->piece[0].len - 1) / 64;
}

/* See struct fh_operand_spec. */
static bool is_plain(const struct operand *o) {
    bool plain = in_reg_field(o->kind) && is_one_run(&o->field[F_REG]);
    for (unsigned f = 0; f < F_COUNT; f++)
        plain &= f == F_REG || !o->field[f].pieces || (f == F_NEG && is_one_run(&o->field[f]));
    return plain;
}

static void operand_spec(FILE *out, const struct operand *o) {
    static const char *const fields[] = {"reg",   "value", "neg",  "abs",  "bank",
                                         "scale", "ureg",  "wide", "desc", "part"};
    fprintf(out, "    {.name = \"%s\", .kind = %s, .access = %s, .sign = %s",
            o->word ? o->word : o->name, kinds[o->kind],
            o->access == FH_WRITE  ? "FH_WRITE"
            : o->access == FH_READ ? "FH_READ"
                                   : "FH_READ | FH_WRITE",
            signs[o->sign]);
    if (o->optional)
        fputs(", .optional = true", out);
    if (o->print_signed)
        fputs(", .print_signed = true", out);
    if (o->ureg_next)
        fputs(", .ureg_next = true", out);
    if (o->narrow)
        fputs(", .narrow = true", out);
    if (o->absolute)
        fputs(", .absolute = true", out);
    if (o->glued)
        fputs(", .glued = true", out);
    if (o->field[F_NEG].pieces || o->field[F_ABS].pieces || o->field[F_PART].pieces)
        fputs(", .modified = true", out);
    if (is_plain(o))
        fputs(", .plain = true", out);
    if (o->spaced)
        fputs(", .spaced = true", out);
    if (o->number)
        fprintf(out, ", .number = %s", numbers[o->number]);
    if (o->parts)
        fprintf(out, ", .parts = enum_%s, .part_count = %zu", o->parts->name, o->parts->n);
    if (o->kind == FH_K_IMM)
        fprintf(out, ", .bits = %u", imm_width(o));
    if (o->reuse_bit)
        fprintf(out, ", .reuse_bit = %u", o->reuse_bit);
    if (o->suffix)
        fprintf(out, ", .suffix = \"%s\"", o->suffix);
    if (o->fallback.given)
        fallback(out, o);
    for (unsigned f = 0; f < F_COUNT; f++) {
        if (!o->field[f].pieces)
            continue;
        fprintf(out, ",\n     .%s = ", fields[f]);
        emit_bits(out, &o->field[f]);
    }
    if (o->c_present)
        fprintf(out, ", .present = %s", o->c_present);
    if (o->c_registers)
        fprintf(out, ", .registers = %s", o->c_registers);
    if (o->align)
        fprintf(out, ", .align = %u", o->align);
    fputs("},\n", out);
}

static void form_operand_array(FILE *out, const struct form *form) {
    if (!form->operand_count)
        return;
    fprintf(out, "static const struct fh_operand_spec operands_%s_%s[] = {\n", form->insn->c_name,
            form->name);
    for (size_t i = 0; i < form->operand_count; i++)
        operand_spec(out, &form->operands[i]);
    fputs("};\n", out);
}

/* ---------------------------------------------------------------- forms and instructions */

static bool has_kind(const struct form *f, enum fh_kind kind) {
    bool has = false;
    for (size_t i = 0; i < f->operand_count; i++)
        has |= f->operands[i].kind == kind;
    return has;
}

/* See struct fh_form. */
static bool is_single(const struct form *f) {
    bool single = !has_kind(f, FH_K_UREG) && !has_kind(f, FH_K_ADDR) && !has_kind(f, FH_K_CONST);
    for (size_t i = 0; i < f->operand_count; i++)
        single &= f->operands[i].kind != FH_K_REG ||
                  (!f->operands[i].c_registers && !f->operands[i].align);
    return single;
}

static void forms(FILE *out, const struct description *d) {
    fputs("\nconst struct fh_form fh_forms[] = {\n", out);
    for (size_t i = 0; i < d->form_count; i++) {
        const struct form *f = d->forms[i];
        fprintf(out, "    {%u, %u, 0x%04x, \"%s\",\n", f->id, f->insn->index, f->opcode, f->name);
        fprintf(out, "     {UINT64_C(0x%016llx), UINT64_C(0x%016llx)},\n",
                (unsigned long long)f->mask.lo, (unsigned long long)f->mask.hi);
        fprintf(out, "     {UINT64_C(0x%016llx), UINT64_C(0x%016llx)},\n     ",
                (unsigned long long)f->value.lo, (unsigned long long)f->value.hi);
        if (f->mod_count)
            fprintf(out, "mods_%s_%s, ", f->insn->c_name, f->name);
        else
            fputs("NULL, ", out);
        if (f->operand_count)
            fprintf(out, "operands_%s_%s, ", f->insn->c_name, f->name);
        else
            fputs("NULL, ", out);
        fprintf(out, "%zu, %zu,\n     ", f->mod_count, f->operand_count);
        write_c_string(out, legal_text(f));
        int pipe = f->insn->issue_count ? pipe_index(d, f->insn->issues[0].pipe) : 0;
        const bool loads = strcmp(f->insn->kind.s, "mem") == 0 && !has_kind(f, FH_K_ADDR);
        fprintf(out, ", %d, %s, %d, %d, %d, %d},\n", pipe, f->c_issue ? f->c_issue : "NULL",
                is_single(f), has_kind(f, FH_K_BARRIER), has_kind(f, FH_K_CONST), loads);
    }
    fprintf(out, "};\nconst unsigned fh_form_count = %zu;\n", d->form_count);
}

static void checks(FILE *out, const struct description *d) {
    fputc('\n', out);
    for (size_t i = 0; i < d->insn_count; i++) {
        const struct insn *insn = d->numbered[i];
        if (!insn->check_count)
            continue;
        fprintf(out, "static const struct fh_check checks_%s[] = {", insn->c_name);
        for (size_t k = 0; k < insn->check_count; k++) {
            fprintf(out, "{check_%s_%zu, ", insn->c_name, k);
            write_c_string(out, insn->checks[k].message);
            fputs("}, ", out);
        }
        fputs("};\n", out);
    }
}

static void insns(FILE *out, const struct description *d) {
    fputc('\n', out);
    for (size_t i = 0; i < d->insn_count; i++)
        fprintf(out, "extern const char fh_page_%s[];\n", d->numbered[i]->c_name);
    fputs("\nconst struct fh_insn fh_insns[] = {\n", out);
    for (size_t i = 0; i < d->insn_count; i++) {
        const struct insn *insn = d->numbered[i];
        fprintf(out, "    {\"%s\", \"%s\", ", insn->name, insn->root);
        write_c_string(out, insn->title);
        fprintf(out, ",\n     FH_KIND_%s, FH_ACCESSES_%s, \"%s\", ", upper_case(insn->kind.s),
                insn->access.how ? upper_case(insn->access.space) : "NONE", insn->klass.s);
        if (insn->feature.s)
            fprintf(out, "\"%s\", ", insn->feature.s);
        else
            fputs("NULL, ", out);
        fprintf(out, "fh_page_%s, ", insn->c_name);
        if (insn->unsupported.s)
            write_c_string(out, insn->unsupported.s);
        else
            fputs("NULL", out);
        fprintf(out, ", %s, %u, %zu, ", insn->uniform_guard ? "true" : "false", insn->first_form,
                insn->form_count);
        if (insn->check_count)
            fprintf(out, "checks_%s, %zu},\n", insn->c_name, insn->check_count);
        else
            fputs("NULL, 0},\n", out);
    }
    fprintf(out, "};\nconst unsigned fh_insn_count = %zu;\n", d->insn_count);
    fputs("const uint16_t fh_insns_by_root[] = {", out);
    for (size_t i = 0; i < d->insn_count; i++)
        fprintf(out, "%s%u,", i % 16 ? " " : "\n    ", d->sorted[i]->index);
    fputs(d->insn_count ? "\n};\n" : "0};\n", out);
}

/* Form ids by opcode (13 bits), for the decoder: see codec.h. */
static void opcode_index(FILE *out, const struct description *d) {
    size_t n = 0, first[0x2001];
    fputs("\nconst uint16_t fh_opcode_forms[] = {", out);
    for (unsigned opcode = 0; opcode < 0x2000; opcode++) {
        first[opcode] = n;
        for (size_t i = 0; i < d->form_count; i++)
            if (d->forms[i]->opcode == opcode)
                fprintf(out, "%s%u", n++ ? ", " : "", d->forms[i]->id);
    }
    first[0x2000] = n;
    fputs(n ? "};\n" : "0};\n", out);
    fputs("const uint16_t fh_opcode_index[8193] = {", out);
    for (unsigned opcode = 0; opcode <= 0x2000; opcode++)
        fprintf(out, "%zu,%s", first[opcode], opcode % 32 == 31 ? "\n    " : " ");
    fputs("};\n", out);
}

static void small_tables(FILE *out, const struct description *d) {
    fputs("\nconst struct fh_mod_value fh_special_registers[] = {\n", out);
    for (size_t i = 0; i < d->special_count; i++)
        fprintf(out, "    {0x%02x, \"%s\"},\n", d->specials[i].value, d->specials[i].text);
    if (!d->special_count)
        fputs("    {0, \"\"},\n", out);
    fprintf(out, "};\nconst unsigned fh_special_register_count = %zu;\n", d->special_count);
    fputs("\nconst char *const fh_features[] = {", out);
    for (size_t i = 0; i < d->feature_count; i++)
        fprintf(out, "\"%s\", ", d->features[i].name);
    fprintf(out, "NULL};\nconst unsigned fh_feature_count = %zu;\n", d->feature_count);
    fputs("\nconst struct fh_outside fh_outsides[] = {\n", out);
    for (size_t i = 0; i < d->outside_count; i++) {
        fprintf(out, "    {\"%s\", 0x%04x, ", d->outsides[i].name, d->outsides[i].opcode);
        write_c_string(out, d->outsides[i].why);
        fputs("},\n", out);
    }
    fprintf(out, "    {NULL, 0, NULL}};\nconst unsigned fh_outside_count = %zu;\n",
            d->outside_count);
}

/* Control codes; their names are in isa_names.h. */
static void control_table(FILE *out, const struct description *d) {
    fputs("\nconst uint8_t fh_form_control[] = {\n", out);
    for (size_t i = 0; i < d->form_count; i++) {
        const struct insn *insn = d->forms[i]->insn;
        if (strcmp(insn->kind.s, "ctrl") == 0)
            fprintf(out, "    FH_CTRL_%s,\n", c_name(insn->handler.s));
        else
            fputs("    0,\n", out);
    }
    fputs(d->form_count ? "};\n" : "    0};\n", out);
}

void emit_tables(FILE *out, struct description *d) {
    fputs("/* Generated by isac from the .isa files: do not edit. */\n"
          "#include \"codec.h\"\n#include \"isa_names.h\"\n#include \"layout.h\"\n"
          "#include \"tables.h\"\n@@LINE@@\n",
          out);
    emit_form_functions(out, d);
    fputc('\n', out);
    for (size_t i = 0; i < d->enum_count; i++) {
        bool used = false;
        for (size_t k = 0; k < d->form_count && !used; k++)
            for (size_t m = 0; m < d->forms[k]->mod_count; m++)
                used |= d->forms[k]->mods[m]->values == &d->enums[i];
        for (size_t k = 0; k < d->form_count && !used; k++)
            for (size_t m = 0; m < d->forms[k]->operand_count; m++)
                used |= d->forms[k]->operands[m].parts == &d->enums[i];
        if (used)
            value_array(out, print("enum_%s", d->enums[i].name), &d->enums[i]);
        else
            error_at(d->enums[i].at, "no modifier uses enum `%s`", d->enums[i].name);
    }
    for (size_t i = 0; i < d->form_count; i++) {
        form_mod_array(out, d->forms[i]);
        form_operand_array(out, d->forms[i]);
    }
    forms(out, d);
    checks(out, d);
    insns(out, d);
    opcode_index(out, d);
    emit_pipes(out, d);
    small_tables(out, d);
    control_table(out, d);
    emit_layouts(out, d);
}
