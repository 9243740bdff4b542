/*
 * layouts.c - layout lines: reading them, and the proof that each is a bijection.
 *
 *     layout FHEC.16816.U32.U32 A  32  r0 l4 l3 l2 / r2 r1 l1 l0
 *
 * gives every bit of the row and of the column number, most significant first, as a bit of the
 * lane (l), the register (r) or the slot within a register (s). If every bit that varies is used
 * exactly once, (lane, register, slot) <-> (row, column) is one to one, by construction. An element
 * of 64 bits has two registers, the low word in the even one: r0 then says which word and is no bit
 * of the row or column.
 */
#include <string.h>

#include "parse.h"

static bool layout_bit(const char *name, struct layout_bit *bit) {
    static const char sources[] = "lrs";
    const char *source = strchr(sources, name[0]);
    uint64_t index;
    const size_t digits = source ? fh_parse_digits(name + 1, 10, &index) : 0;
    if (!digits || name[1 + digits])
        return false;
    bit->source = (enum bit_source)(source - sources);
    bit->index = (unsigned)index;
    return index < (bit->source == BIT_REG ? 4 : 5);
}

static void axis(struct at at, struct names names, struct layout_bits *bits) {
    bool none = names.n == 1 && strcmp(names.v[0], "none") == 0;
    for (size_t i = 0; i < names.n && !none; i++) {
        if (bits->n == sizeof bits->v / sizeof *bits->v ||
            !layout_bit(names.v[i], &bits->v[bits->n]))
            error_at(at, "`%s` is no bit of a lane (l0-l4), register (r0-r3) or slot (s0-s4)",
                     names.v[i]);
        else
            bits->n++;
    }
}

void act_layout(struct parse *p, int line, const char *insn, struct names operands, uint64_t bits,
                struct names row, struct names column) {
    struct description *d = p->d;
    struct layout l = {
        .at = {p->file, line}, .insn = insn, .bits = (unsigned)bits, .lanes = 32, .step = 1};
    if (bits != 1 && bits != 4 && bits != 8 && bits != 16 && bits != 32 && bits != 64) {
        error_at(l.at, "an element has 1, 4, 8, 16, 32 or 64 bits");
        l.bits = 32;
    }
    axis(l.at, row, &l.row);
    axis(l.at, column, &l.column);
    p->insn = NULL;
    p->layout_first = d->layout_count;
    for (size_t i = 0; i < operands.n; i++) {
        l.operand = operands.v[i];
        d->layouts = more(d->layouts, d->layout_count, sizeof *d->layouts);
        d->layouts[d->layout_count++] = l;
    }
}

/* "lanes 8" or "step 4": not all lanes hold elements. */
void act_layout_lanes(struct parse *p, int line, const char *what, uint64_t number) {
    bool step = strcmp(what, "step") == 0;
    if (!step && strcmp(what, "lanes") != 0)
        error_at((struct at){p->file, line}, "expected `lanes` or `step`, not `%s`", what);
    if (number == 0 || number > FHEC_WARP_LANES || (number & (number - 1)))
        error_at((struct at){p->file, line}, "`%s` must be a power of two up to 32", what);
    for (size_t i = p->layout_first; i < p->d->layout_count; i++)
        *(step ? &p->d->layouts[i].step : &p->d->layouts[i].lanes) = (unsigned)number;
}

/* As many as the bits of register numbers say; with elements of 64 bits r0 is one, too. */
unsigned registers_of(const struct layout *l) {
    unsigned n = l->bits == 64;
    for (size_t i = 0; i < l->row.n; i++)
        n += l->row.v[i].source == BIT_REG;
    for (size_t i = 0; i < l->column.n; i++)
        n += l->column.v[i].source == BIT_REG;
    return 1u << n;
}

unsigned slots_of(const struct layout *l) {
    return l->bits < 32 ? 32 / l->bits : 1;
}

/* ---------------------------------------------------------------- the proof */

static void count_bits(const struct layout_bits *axis, unsigned used[3][5]) {
    for (size_t i = 0; i < axis->n; i++)
        used[axis->v[i].source][axis->v[i].index]++;
}

static void check_layout(const struct layout *l) {
    static const char sources[] = "lrs";
    unsigned used[3][5] = {{0}};
    count_bits(&l->row, used);
    count_bits(&l->column, used);
    for (unsigned s = 0; s < 3; s++)
        for (unsigned i = 0; i < 5; i++)
            if (used[s][i] > 1)
                error_at(l->at, "layout %s %s is no bijection: %c%u is used %u times", l->insn,
                         l->operand, sources[s], i, used[s][i]);
    for (unsigned i = 0; i < 5; i++) {
        bool varies = 1u << i >= l->step && 1u << i < l->lanes * l->step;
        if (varies != (used[BIT_LANE][i] != 0))
            error_at(l->at, "layout %s %s is no bijection: lane bit l%u is %s", l->insn, l->operand,
                     i, varies ? "not used" : "used but does not vary");
    }
    for (unsigned i = 0; i < 5; i++) {
        bool varies = (1u << i) < slots_of(l);
        if (varies != (used[BIT_SLOT][i] != 0))
            error_at(l->at, "layout %s %s is no bijection: slot bit s%u is %s", l->insn, l->operand,
                     i, varies ? "not used" : "used but does not vary");
    }
    if (l->bits == 64 && used[BIT_REG][0])
        error_at(l->at,
                 "layout %s %s: r0 is which word of an element of 64 bits, no bit of its row "
                 "or column",
                 l->insn, l->operand);
    for (unsigned i = l->bits == 64 ? 2 : 1; i < 5; i++)
        if (used[BIT_REG][i] && !used[BIT_REG][i - 1])
            error_at(l->at, "layout %s %s is no bijection: r%u is used but r%u is not", l->insn,
                     l->operand, i, i - 1);
}

/* Whether the layout is one of an operand that the instruction has. */
static void check_operand(const struct description *d, const struct layout *l) {
    bool has_insn = false, has_operand = false;
    for (size_t i = 0; i < d->form_count; i++) {
        const struct form *form = d->forms[i];
        for (size_t v = 0; v < form->variants.n; v++) {
            has_insn |= strcmp(form->variants.v[v].layouts, l->insn) == 0;
            for (size_t k = 0; k < form->operand_count; k++)
                if (layout_of(d, &form->variants.v[v], &form->operands[k]))
                    has_operand |=
                        strcmp(layout_of(d, &form->variants.v[v], &form->operands[k])->operand,
                               l->operand) == 0;
        }
    }
    if (!has_insn)
        error_at(l->at, "no instruction has the mnemonic `%s`", l->insn);
    else if (!has_operand)
        error_at(l->at, "layout %s %s: the instruction has no operand `%s`; Rd is D here", l->insn,
                 l->operand, l->operand);
}

/* Registers as `regs` has them, for all values of the modifiers, and as the layout has. */
static void check_registers(const struct description *d, const struct form *form,
                            const struct operand *o) {
    struct names names = variant_names(form);
    uint32_t values[FH_MAX_MODS + 1];
    if (o->regs.s)
        add_names(&names, expr_names(o->regs.s));
    first_values(form, values);
    do {
        const struct variant *v = variant_for(form, values);
        const struct layout *l = v ? layout_of(d, v, o) : NULL;
        int64_t count = 1;
        if (!l || (o->regs.s && !evaluate(form, values, o->regs.s, &count)))
            continue; /* what cannot be evaluated is said elsewhere (check.c) */
        if (count != registers_of(l)) {
            error_at(o->regs.s ? o->regs.at : form->at,
                     "%s: operand `%s` has %lld register%s, but %u in the layout at %s:%d",
                     mnemonic_text(form, values), o->name, (long long)count, count == 1 ? "" : "s",
                     registers_of(l), l->at.file, l->at.line);
            return;
        }
        if (is_set(o->access, FH_WRITE) && l->lanes != FHEC_WARP_LANES) {
            error_at(l->at, "layout %s %s: every lane must hold elements of a result", l->insn,
                     l->operand);
            return;
        }
    } while (next_values(form, &names, values));
}

void check_layouts(struct description *d) {
    for (size_t i = 0; i < d->layout_count; i++) {
        const struct layout *l = &d->layouts[i];
        check_layout(l);
        check_operand(d, l);
        for (size_t k = 0; k < i; k++)
            if (strcmp(l->insn, d->layouts[k].insn) == 0 &&
                strcmp(l->operand, d->layouts[k].operand) == 0)
                error_at(l->at, "layout %s %s is given twice", l->insn, l->operand);
    }
    for (size_t i = 0; i < d->form_count; i++)
        for (size_t k = 0; d->forms[i]->variants.n && k < d->forms[i]->operand_count; k++)
            if (d->forms[i]->operands[k].kind != FH_K_ADDR)
                check_registers(d, d->forms[i], &d->forms[i]->operands[k]);
}

static void emit_axis(FILE *out, const struct layout_bits *axis) {
    static const char *const sources[] = {"FH_LAYOUT_LANE", "FH_LAYOUT_REG", "FH_LAYOUT_SLOT"};
    fputs("{", out);
    for (size_t i = axis->n; i-- > 0;)
        fprintf(out, "%s | %u%s", sources[axis->v[i].source], axis->v[i].index, i ? ", " : "");
    fputs(axis->n ? "}" : "0}", out);
}

static uint32_t lane_mask(const struct layout *l) {
    uint32_t mask = 0;
    for (unsigned i = 0; i < l->lanes; i++)
        mask |= 1u << (i * l->step);
    return mask;
}

/* The table behind layout.c. */
void emit_layouts(FILE *out, struct description *d) {
    fputs("\nconst struct fh_layout fh_layouts[] = {\n", out);
    for (size_t i = 0; i < d->layout_count; i++) {
        const struct layout *l = &d->layouts[i];
        fprintf(out, "    {{\"%s\", \"%s\", %u, %u, %u, %u, %u}, %zu, %zu,\n     ", l->insn,
                l->operand, 1u << l->row.n, 1u << l->column.n, l->bits, registers_of(l),
                slots_of(l), l->row.n, l->column.n);
        emit_axis(out, &l->row);
        fputs(",\n     ", out);
        emit_axis(out, &l->column);
        fprintf(out, ", 0x%08x},\n", lane_mask(l));
    }
    if (!d->layout_count)
        fputs("    {{NULL, NULL, 0, 0, 0, 0, 0}, 0, 0, {0}, {0}, 0},\n", out);
    fprintf(out, "};\nconst unsigned fh_layout_count = %zu;\n", d->layout_count);
}
