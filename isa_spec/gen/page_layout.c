/*
 * page_layout.c - fragment layouts as tables of the book: which lane, register and slot holds
 * which element.
 */
#include <string.h>

#include "isac.h"

struct place {
    unsigned lane, reg, slot;
};

static void put_bits(const struct layout_bits *axis, unsigned number, struct place *place) {
    for (size_t i = 0; i < axis->n; i++) {
        unsigned bit = number >> (axis->n - 1 - i) & 1;
        unsigned *to = axis->v[i].source == BIT_LANE  ? &place->lane
                       : axis->v[i].source == BIT_REG ? &place->reg
                                                      : &place->slot;
        *to |= bit << axis->v[i].index;
    }
}

static void axis_text(FILE *out, const char *name, const struct layout_bits *axis) {
    static const char sources[] = "lrs";
    fprintf(out, "%s = {", name);
    for (size_t i = 0; i < axis->n; i++)
        fprintf(out, "%s%c%u", i ? ", " : "", sources[axis->v[i].source], axis->v[i].index);
    fprintf(out, "%s}", axis->n ? "" : "0");
}

static void table(FILE *out, const struct layout *l) {
    unsigned rows = 1u << l->row.n, columns = 1u << l->column.n;
    fputs("|  |", out);
    for (unsigned j = 0; j < columns; j++)
        fprintf(out, " %u |", j);
    fputs("\n|---|", out);
    for (unsigned j = 0; j < columns; j++)
        fputs("---|", out);
    for (unsigned i = 0; i < rows; i++) {
        fprintf(out, "\n| **%u** |", i);
        for (unsigned j = 0; j < columns; j++) {
            struct place p = {0, 0, 0};
            put_bits(&l->row, i, &p);
            put_bits(&l->column, j, &p);
            if (slots_of(l) == 1)
                fprintf(out, " %u:%u |", p.lane, p.reg);
            else
                fprintf(out, " %u:%u.%u |", p.lane, p.reg, p.slot);
        }
    }
    fputs("\n\n", out);
}

void layout_pages(FILE *out, const struct description *d, const struct insn *insn) {
    for (size_t i = 0; i < d->layout_count; i++) {
        const struct layout *l = &d->layouts[i];
        if (!has_layout(insn, l))
            continue;
        fprintf(out, "### Fragment of %s, operand %s\n\n", l->insn, l->operand);
        fprintf(out, "%u x %u elements of %u bits; ", 1u << l->row.n, 1u << l->column.n, l->bits);
        axis_text(out, "row", &l->row);
        fputs(", ", out);
        axis_text(out, "column", &l->column);
        fprintf(out,
                " in bits of lane (l), register (r)%s, highest first. Each entry is "
                "`lane:register%s`%s.\n\n",
                slots_of(l) == 1 ? "" : " and slot (s)", slots_of(l) == 1 ? "" : ".slot",
                l->bits == 64 ? " of the low word; the high word is in the next register" : "");
        table(out, l);
    }
}
