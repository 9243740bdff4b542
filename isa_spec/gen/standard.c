/*
 * standard.c - operands whose bits follow from their name and from the letters of the form.
 *
 * Slot 32 is bits 63:32 (a register at 39:32, an immediate, a constant, a uniform register), slot
 * 64 a register at 71:64. A form of two letters says what B and C are; the letter that is no
 * register sits in slot 32 and the register of the other moves to slot 64.
 */
#include <string.h>

#include "isac.h"

bool is_pair_form(const char *name) {
    return strlen(name) == 2 && strspn(name, "RICU") == 2;
}

static bool is_uniform(const struct insn *insn) {
    return insn->kind.s && strcmp(insn->kind.s, "uniform") == 0;
}

static void signs(struct operand *o, unsigned neg, unsigned abs) {
    o->field[F_NEG] = one_piece(neg, neg);
    o->field[F_ABS] = one_piece(abs, abs);
}

static void reg(struct operand *o, bool uniform, unsigned lo) {
    o->kind = uniform ? FH_K_UREG : FH_K_REG;
    o->field[F_REG] = one_piece(lo + (uniform ? 5 : 7), lo);
}

/* Operand in slot 32: what the letter says. */
static void slot_32(struct operand *o, char letter, bool uniform) {
    switch (letter) {
    case 'R': reg(o, uniform, 32); break;
    case 'U': reg(o, true, 32); break;
    case 'I':
        o->kind = FH_K_IMM;
        o->field[F_VALUE] = one_piece(63, 32);
        return;
    default:
        o->kind = FH_K_CONST;
        o->field[F_BANK] = one_piece(58, 54);
        o->field[F_VALUE] = one_piece(53, 40);
        o->field[F_VALUE].shift = 2;
        break;
    }
    signs(o, 63, 62);
}

static bool b_or_c(const struct insn *insn, const struct form *form, struct operand *o, bool is_c) {
    bool uniform = is_uniform(insn) || o->name[0] == 'U';
    if (strlen(form->name) == 1 && strchr("RICU", form->name[0])) {
        /* Instructions of one or two sources: the last one, B or C, sits in slot 32. */
        slot_32(o, form->name[0], uniform);
        if (o->kind == FH_K_REG && is_c)
            o->reuse_bit = 124;
        return true;
    }
    if (!is_pair_form(form->name))
        return false;
    char b = form->name[0], c = form->name[1];
    bool odd_is_c = c != 'R';
    if (is_c == odd_is_c) {
        slot_32(o, is_c ? c : b, uniform);
    } else {
        reg(o, uniform, 64);
        signs(o, 75, 74);
    }
    if (o->kind == FH_K_REG && !uniform)
        o->reuse_bit = is_c ? 124 : 123;
    return true;
}

static bool predicate(const struct insn *insn, struct operand *o, const char *name) {
    static const struct {
        const char *name;
        unsigned lo, neg;
    } table[] = {
        {"Pu", 81, 0}, {"Pv", 84, 0}, {"Pp", 87, 90}, {"Pq", 77, 80}, {"Pr", 68, 71},
    };
    bool uniform = is_uniform(insn) || o->name[0] == 'U';
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(name, table[i].name) != 0)
            continue;
        o->kind = uniform ? FH_K_UPRED : FH_K_PRED;
        o->field[F_REG] = one_piece(table[i].lo + 2, table[i].lo);
        if (table[i].neg)
            o->field[F_NEG] = one_piece(table[i].neg, table[i].neg);
        o->access = table[i].neg ? FH_READ : FH_WRITE;
        return true;
    }
    return false;
}

/* Kind and bits of operand `name` as the standard says; false if it is no standard operand. A
 * leading U asks for the uniform twin: URd, UA, UPu. */
bool standard_operand(const struct insn *insn, const struct form *form, struct operand *o,
                      const char *name) {
    bool uniform = is_uniform(insn);
    const char *base = name;
    if (name[0] == 'U' && name[1]) {
        uniform = true;
        base = name + 1;
    }
    if (strcmp(base, "Rd") == 0) {
        reg(o, uniform, 16);
        o->access = FH_WRITE;
        return true;
    }
    o->access = FH_READ;
    if (strcmp(base, "A") == 0 || strcmp(base, "Ra") == 0) {
        reg(o, uniform, 24);
        signs(o, 72, 73);
        o->reuse_bit = uniform ? 0 : 122;
        return true;
    }
    if (strcmp(base, "B") == 0 || strcmp(base, "Rb") == 0)
        return b_or_c(insn, form, o, false);
    if (strcmp(base, "C") == 0 || strcmp(base, "Rc") == 0)
        return b_or_c(insn, form, o, true);
    return predicate(insn, o, base);
}

/* "Rd" is d in bodies, "URd" d, "UA" a, "Pu" pu, "UPp" pp, "lut" lut. */
const char *body_name(const char *name) {
    if (name[0] == 'U' && name[1] >= 'A' && name[1] <= 'Z')
        name++;
    if (name[0] == 'R' && name[1] >= 'a' && name[1] <= 'z' && !name[2])
        name++;
    char *result = copy(name, strlen(name));
    for (char *p = result; *p; p++)
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
    return result;
}
