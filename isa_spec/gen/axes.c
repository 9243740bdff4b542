/*
 * axes.c - which functions of the fast engine a form has.
 *
 * Forms share a template if it would fetch their operands in the same way. Immediates, constants
 * and uniform registers are one way: op->imm + w->ur[op->row], of which one is 0 (decode.c).
 */
#include "axes.h"

#include <string.h>

#include "emit_lanes.h"

/* ---------------------------------------------------------------- shapes */

bool is_fetched_scalar(const struct operand *o) {
    return o->kind == FH_K_IMM || o->kind == FH_K_CONST || o->kind == FH_K_UREG;
}

/* What of a form the template depends on, the signs of scalars apart. */
static char *shape(const struct form *form) {
    char *key = print("%s", "");
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        char fetch = o->kind == FH_K_REG     ? 'r'
                     : o->kind == FH_K_PRED  ? 'p'
                     : o->kind == FH_K_UPRED ? 'v'
                     : is_fetched_scalar(o)  ? 's'
                                             : 'o';
        key = print("%s %s%c%u", key, o->var, fetch, constant_regs(o));
        if (fetch != 's')
            key = print("%s%c%c%c", key, o->field[F_NEG].pieces ? 'n' : '-',
                        o->field[F_ABS].pieces ? 'a' : '-', o->field[F_PART].pieces ? 'p' : '-');
    }
    for (size_t i = 0; i < form->mod_count; i++)
        key = print("%s .%s", key, form->mods[i]->name);
    return key;
}

/* Whether `form` has every sign, bar and part of `other`, which has the same shape. */
static bool has_all_of(const struct form *form, const struct form *other) {
    static const enum operand_field fields[] = {F_NEG, F_ABS, F_PART};
    for (size_t i = 0; i < form->operand_count; i++)
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
            if (other->operands[i].field[fields[k]].pieces &&
                !form->operands[i].field[fields[k]].pieces)
                return false;
    return true;
}

const struct form *representative(const struct form *form) {
    const char *key = shape(form);
    const struct insn *insn = form->insn;
    const struct form *best = form;
    for (size_t i = 0; i < insn->form_count; i++) {
        const struct form *other = &insn->forms[i];
        if (strcmp(shape(other), key) == 0 && has_all_of(other, best) &&
            (!has_all_of(best, other) || other < best))
            best = other;
    }
    return best;
}

bool may_be_uniform(const struct form *form, size_t i) {
    const char *key = shape(form);
    const struct insn *insn = form->insn;
    bool result = false;
    for (size_t k = 0; k < insn->form_count; k++)
        result |= insn->forms[k].operand_count > i &&
                  insn->forms[k].operands[i].kind == FH_K_UREG &&
                  strcmp(shape(&insn->forms[k]), key) == 0;
    return result;
}

/* ---------------------------------------------------------------- axes */

/* The axis called `name`, if the form has it. `values`: those listed, none for all. */
static bool find_axis(const struct form *form, const char *name, const struct numbers *values,
                      struct axis *axis) {
    int mod = mod_index(form, name);
    *axis = (struct axis){.name = name, .kind = MODIFIER, .index = (size_t)mod};
    if (values->n) {
        axis->listed = values;
        axis->size = (unsigned)values->n + 1;
    }
    if (strcmp(name, "signs") == 0) {
        axis->kind = SIGNS;
        axis->size = 2;
        return true;
    }
    if (mod >= 0) {
        axis->mod = form->mods[mod];
        axis->size = values->n ? axis->size : 1u << bits_width(&axis->mod->bits);
        return true;
    }
    for (size_t i = 0; i < form->operand_count; i++) {
        const struct operand *o = &form->operands[i];
        bool sign = strncmp(name, "neg_", 4) == 0 && strcmp(o->var, name + 4) == 0;
        if (!sign && strcmp(o->var, name) != 0)
            continue;
        axis->kind = sign ? SIGN : RESULT;
        axis->index = i;
        if (values->n) {
            axis->kind = VALUE;
            return o->kind == FH_K_IMM;
        }
        axis->size = 2;
        return sign ? o->field[F_NEG].pieces != 0 : o->kind == FH_K_PRED && is_written(o);
    }
    return false;
}

/* Whether operand i is a predicate result beside another result: all of them are where a register
 * is written, else all but the first. */
bool spare_predicate(const struct form *form, size_t i) {
    const struct operand *o = &form->operands[i];
    if (!is_predicate(o) || !is_written(o) || has_name(&form->insn->specialise, o->var))
        return false;
    for (size_t k = 0; k < form->operand_count; k++) {
        const struct operand *other = &form->operands[k];
        if (k != i && is_written(other) && (!is_predicate(other) || k < i))
            return true;
    }
    return false;
}

/* Whether operand i is a predicate that is read whatever the modifiers are: most often PT. */
bool steady_predicate(const struct form *form, size_t i) {
    const struct operand *o = &form->operands[i];
    return o->kind == FH_K_PRED && !is_written(o) && !o->cond.s;
}

bool has_chain(const struct insn *insn) {
    const char *class = insn->klass.s;
    bool float_ = strcmp(class, "float") == 0 || strcmp(class, "convert") == 0;
    return !body_faults(insn) && (!float_ || body_is_rows(insn) || body_on_masks(insn));
}

size_t axes_of(const struct form *form, struct axis axes[MAX_AXES]) {
    size_t n = 0;
    for (size_t i = 0; i < form->insn->specialise.n && n < MAX_AXES; i++)
        if (find_axis(form, form->insn->specialise.v[i], &form->insn->specialise_values[i],
                      &axes[n]))
            n++;
    bool spare = false, steady = false;
    for (size_t i = 0; i < form->operand_count && has_chain(form->insn); i++) {
        if (body_on_masks(form->insn) || body_is_rows(form->insn))
            break;
        spare |= spare_predicate(form, i);
        steady |= steady_predicate(form, i);
    }
    if (spare && n < MAX_AXES)
        axes[n++] = (struct axis){.name = "fh_spare", .kind = SPARE, .size = 2};
    if (steady && n < MAX_AXES)
        axes[n++] = (struct axis){.name = "fh_true", .kind = STEADY, .size = 2};
    return n;
}

static bool has_value(const struct axis *axis, unsigned value) {
    if (axis->kind != MODIFIER || axis->listed)
        return true;
    for (size_t i = 0; i < axis->mod->values->n; i++)
        if (axis->mod->values->v[i].value == value)
            return true;
    return false;
}

bool combination(const struct axis *axes, size_t n, unsigned number, unsigned *values) {
    bool exists = true;
    for (size_t i = n; i-- > 0;) {
        values[i] = number % axes[i].size;
        number /= axes[i].size;
        exists &= has_value(&axes[i], values[i]);
    }
    return exists;
}

/* That where the axes have the value that is right for all words, but for SPARE: carries that
 * nobody wants cost too much. Such functions run in guarded and in divergent code, seldom enough;
 * one for each combination would double the compiler's work. */
unsigned general(const struct axis *axes, size_t n, unsigned number) {
    unsigned values[MAX_AXES], result = 0;
    combination(axes, n, number, values);
    for (size_t i = 0; i < n; i++) {
        switch (axes[i].kind) {
        case RESULT:
        case SIGNS: values[i] = 1; break;
        case STEADY: values[i] = 0; break;
        default: values[i] = axes[i].listed ? axes[i].size - 1 : values[i]; break;
        }
        result = result * axes[i].size + values[i];
    }
    return result;
}

unsigned combinations(const struct axis *axes, size_t n) {
    unsigned total = 1;
    for (size_t i = 0; i < n; i++)
        total = total > MAX_COMBINATIONS ? total : total * axes[i].size;
    return n ? total : 0;
}

/* The C expression: some predicate result that can do without is wanted. */
static const char *wanted_spares(const struct form *form) {
    char *text = print("%s", "");
    for (size_t i = 0; i < form->operand_count; i++)
        if (spare_predicate(form, i))
            text = print("%s%s(op->row[%zu] != FH_SINK_PRED)", text, *text ? " | " : "", i);
    return print("(%s)", text);
}

static const char *all_steady(const struct form *form) {
    char *text = print("%s", "");
    for (size_t i = 0; i < form->operand_count; i++)
        if (steady_predicate(form, i))
            text = print("%s%s(op->row[%zu] == FH_PT)", text, *text ? " & " : "", i);
    return print("(%s)", text);
}

bool has_any_sign(const struct form *form, size_t i) {
    const struct operand *o = &form->operands[i];
    return o->field[F_NEG].pieces && !is_predicate(o) &&
           !has_name(&form->insn->specialise, print("neg_%s", o->var));
}

static const char *any_sign(const struct form *form) {
    char *text = print("%s", "");
    for (size_t i = 0; i < form->operand_count; i++)
        if (has_any_sign(form, i))
            text = print("%s%sfh_negated(op, %zu)", text, *text ? " | " : "", i);
    return *text ? print("(%s)", text) : "0";
}

/* The C expression: the place of `value` in the list. */
static const char *place_in_list(const char *value, const struct numbers *listed) {
    char *list = print("%s", "");
    for (size_t i = 0; i < listed->n; i++)
        list = print("%s%s%u", list, i ? ", " : "", listed->v[i]);
    return print("fh_place_of(%s, (const u32[]){%s}, %zu)", value, list, listed->n);
}

/* The C expression for the number that a MODIFIER or VALUE is about. */
static const char *axis_number(const struct axis *axis) {
    return print("op->%s[%zu]", axis->kind == VALUE ? "imm" : "mod", axis->index);
}

const char *axis_value(const struct form *form, const struct axis *axis) {
    switch (axis->kind) {
    case SIGN: return print("fh_negated(op, %zu)", axis->index);
    case RESULT: return print("(op->row[%zu] != FH_SINK_PRED)", axis->index);
    case SPARE: return wanted_spares(form);
    case STEADY: return all_steady(form);
    case SIGNS: return any_sign(form);
    default: break;
    }
    return axis->listed ? place_in_list(axis_number(axis), axis->listed) : axis_number(axis);
}

const char *axis_argument(const struct axis *axis, unsigned value) {
    if (!axis->listed)
        return print("%u", value);
    return value < axis->listed->n ? print("%u", axis->listed->v[value])
                                   : print("(u32)%s", axis_number(axis));
}
