/*
 * emit_json.c - isa.json: the description for other programs.
 */
#include <string.h>

#include "operands.h"

static void string_member(FILE *out, const char *name, const char *value) {
    fprintf(out, "\"%s\": ", name);
    write_json_string(out, value);
}

static void word(FILE *out, const char *name, fhec_word w) {
    fprintf(out, "\"%s\": \"0x%016llx%016llx\"", name, (unsigned long long)w.hi,
            (unsigned long long)w.lo);
}

static void mods(FILE *out, const struct form *f) {
    fputs("\"modifiers\": [", out);
    for (size_t i = 0; i < f->mod_count; i++) {
        const struct mod *m = f->mods[i];
        fputs(i ? ", {" : "{", out);
        string_member(out, "name", m->name);
        if (m->bits.pieces) {
            fputs(", ", out);
            string_member(out, "bits", bits_text(&m->bits));
        }
        if (m->fallback != UINT32_MAX && m->bits.pieces)
            fprintf(out, ", \"default\": %u", m->fallback);
        fputs(", \"values\": [", out);
        for (size_t k = 0; k < m->values->n; k++) {
            fprintf(out, "%s{\"value\": %u, ", k ? ", " : "", m->values->v[k].value);
            string_member(out, "text", m->values->v[k].text);
            fputc('}', out);
        }
        fputs("]}", out);
    }
    fputs("]", out);
}

static void operand(FILE *out, const struct operand *o) {
    static const char *const fields[] = {"register", "value",   "sign", "bars",       "bank",
                                         "scale",    "uniform", "wide", "descriptor", "part"};
    fputs("{", out);
    string_member(out, "name", o->word ? o->word : o->name);
    fputs(", ", out);
    string_member(out, "kind", kind_name(o->kind));
    fprintf(out, ", \"read\": %s, \"written\": %s", is_set(o->access, FH_READ) ? "true" : "false",
            is_set(o->access, FH_WRITE) ? "true" : "false");
    if (o->optional)
        fputs(", \"optional\": true", out);
    if (o->cond.s) {
        fputs(", ", out);
        string_member(out, "present_if", o->cond.s);
    }
    if (o->regs.s) {
        fputs(", ", out);
        string_member(out, "registers", o->regs.s);
    }
    fputs(", \"bits\": {", out);
    bool first = true;
    for (unsigned i = 0; i < F_COUNT; i++) {
        if (!o->field[i].pieces)
            continue;
        fputs(first ? "" : ", ", out);
        string_member(out, fields[i], bits_text(&o->field[i]));
        first = false;
    }
    fputs("}}", out);
}

static void form(FILE *out, const struct form *f) {
    fputs("      {", out);
    string_member(out, "name", f->name);
    fprintf(out, ", \"opcode\": \"0x%04x\", ", f->opcode);
    word(out, "fixed_mask", f->mask);
    fputs(", ", out);
    word(out, "fixed_value", f->value);
    fputs(",\n       ", out);
    string_member(out, "syntax", legal_text(f));
    fputs(",\n       ", out);
    mods(out, f);
    fputs(",\n       \"operands\": [", out);
    for (size_t i = 0; i < f->operand_count; i++) {
        fputs(i ? ", " : "", out);
        operand(out, &f->operands[i]);
    }
    fputs("]}", out);
}

/* A list of prose. */
static void texts(FILE *out, const char *name, const struct names *names) {
    fprintf(out, "\"%s\": [", name);
    for (size_t i = 0; i < names->n; i++) {
        fputs(i ? ", " : "", out);
        write_json_string(out, names->v[i]);
    }
    fputs("]", out);
}

static void outsides(FILE *out, const struct description *d) {
    fputs("\"not_described\": [", out);
    for (size_t i = 0; i < d->outside_count; i++) {
        const struct outside *o = &d->outsides[i];
        fputs(i ? ", {" : "{", out);
        string_member(out, "name", o->name);
        if (o->opcode)
            fprintf(out, ", \"opcode\": \"0x%04x\"", o->opcode);
        fputs(", ", out);
        string_member(out, "why", o->why);
        fputs("}", out);
    }
    fputs("]", out);
}

/* What the lanes of a memory instruction do. */
static void access(FILE *out, const struct access *a) {
    fputs(", \"access\": {", out);
    string_member(out, "space", a->space);
    fputs(", ", out);
    string_member(out, "how", a->how);
    fputs(", ", out);
    string_member(out, "bytes", a->bytes.s);
    if (a->when.s) {
        fputs(", ", out);
        string_member(out, "if", a->when.s);
    }
    if (a->unless.s) {
        fputs(", ", out);
        string_member(out, "unless", a->unless.s);
    }
    fputs("}", out);
}

static void insn(FILE *out, const struct insn *n) {
    fputs("    {", out);
    string_member(out, "name", n->name);
    fputs(", ", out);
    string_member(out, "title", n->title);
    fputs(", ", out);
    string_member(out, "kind", n->kind.s);
    fputs(", ", out);
    string_member(out, "class", n->klass.s);
    if (n->feature.s) {
        fputs(", ", out);
        string_member(out, "feature", n->feature.s);
    }
    if (n->issue_count) {
        fputs(", \"issue\": [", out);
        for (size_t i = 0; i < n->issue_count; i++) {
            fputs(i ? ", {" : "{", out);
            string_member(out, "pipe", n->issues[i].pipe);
            if (n->issues[i].cond) {
                fputs(", ", out);
                string_member(out, "if", n->issues[i].cond);
            }
            fputs("}", out);
        }
        fputs("]", out);
    }
    if (n->access.how)
        access(out, &n->access);
    fprintf(out, ", \"uniform_guard\": %s,\n     ", n->uniform_guard ? "true" : "false");
    if (n->unsupported.s) {
        string_member(out, "unsupported", n->unsupported.s);
        fputs(",\n     ", out);
    }
    texts(out, "choices", &n->choices);
    fputs(",\n     ", out);
    string_member(out, "does", n->body_owner->body.s);
    fputs(",\n     \"forms\": [\n", out);
    for (size_t i = 0; i < n->form_count; i++) {
        form(out, &n->forms[i]);
        fputs(i + 1 < n->form_count ? ",\n" : "\n", out);
    }
    fputs("     ]}", out);
}

static void layout_axis(FILE *out, const char *name, const struct layout_bits *axis) {
    static const char sources[] = "lrs";
    fprintf(out, "\"%s\": [", name);
    for (size_t i = 0; i < axis->n; i++)
        fprintf(out, "%s\"%c%u\"", i ? ", " : "", sources[axis->v[i].source], axis->v[i].index);
    fputs("]", out);
}

static void layouts(FILE *out, const struct description *d) {
    fputs("  \"layouts\": [\n", out);
    for (size_t i = 0; i < d->layout_count; i++) {
        const struct layout *l = &d->layouts[i];
        fputs("    {", out);
        string_member(out, "insn", l->insn);
        fputs(", ", out);
        string_member(out, "operand", l->operand);
        fprintf(out, ", \"bits\": %u, \"lanes\": %u, \"lane_step\": %u, ", l->bits, l->lanes,
                l->step);
        layout_axis(out, "row", &l->row);
        fputs(", ", out);
        layout_axis(out, "column", &l->column);
        fputs(i + 1 < d->layout_count ? "},\n" : "}\n", out);
    }
    fputs("  ]\n", out);
}

static void pipes(FILE *out, const struct description *d) {
    fputs("  \"pipes\": [\n", out);
    for (size_t i = 0; i < d->pipe_count; i++) {
        const struct pipe *p = &d->pipes[i];
        fputs("    {", out);
        string_member(out, "name", p->name);
        fputs(", ", out);
        string_member(out, "reads", p->reads);
        fprintf(out, ", \"stall\": %u, \"variable\": %s, \"ordered\": %s, \"ready\": {", p->stall,
                p->variable ? "true" : "false", p->ordered ? "true" : "false");
        for (size_t k = 0; k < p->ready_count; k++)
            fprintf(out, "%s\"%s\": [%u, %u]", k ? ", " : "", p->ready[k].group, p->ready[k].cycles,
                    p->ready[k].safe);
        fputs(i + 1 < d->pipe_count ? "}},\n" : "}}\n", out);
    }
    fputs("  ],\n", out);
}

void emit_json(FILE *out, struct description *d) {
    fputs("{\n  \"features\": [", out);
    for (size_t i = 0; i < d->feature_count; i++) {
        fputs(i ? ", {" : "{", out);
        string_member(out, "name", d->features[i].name);
        fputs(", ", out);
        string_member(out, "title", d->features[i].title);
        fputs("}", out);
    }
    fputs("],\n  \"special_registers\": [", out);
    for (size_t i = 0; i < d->special_count; i++) {
        fprintf(out, "%s{\"id\": %u, ", i ? ", " : "", d->specials[i].value);
        string_member(out, "name", d->specials[i].text);
        fputs("}", out);
    }
    fputs("],\n  ", out);
    texts(out, "choices", &d->choices);
    fputs(",\n  ", out);
    outsides(out, d);
    fputs(",\n  \"instructions\": [\n", out);
    for (size_t i = 0; i < d->insn_count; i++) {
        insn(out, d->sorted[i]);
        fputs(i + 1 < d->insn_count ? ",\n" : "\n", out);
    }
    fputs("  ],\n", out);
    pipes(out, d);
    layouts(out, d);
    fputs("}\n", out);
}
