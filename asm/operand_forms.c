/* operand_forms.c - see operand_forms.h. */
#include "operand_forms.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"
#include "isa.h"
#include "symbol.h"

/* ---------------------------------------------------------------- parts of addresses */

void fh_value_srel(struct fh_value *x, struct fh_span at) {
    x->at = at;
    x->srel = true;
    if (x->kind != FH_V_NAME && x->kind != FH_V_POISON)
        fh_value_poison(x, FH_D_BAD_ARITHMETIC, "`@srel` stands behind a label");
}

void fh_value_half(struct fh_asm *a, struct fh_value *x, const struct fh_value *half,
                   struct fh_span at) {
    bool high = half->text[half->length - 1] == 'i';
    if (x->kind == FH_V_NAME) {
        x->at = at;
        if (x->half)
            fh_value_poison(x, FH_D_BAD_ARITHMETIC, "half of half an address");
        x->half = high ? FH_HALF_HIGH : FH_HALF_LOW;
    } else if (fh_number_or_poison(a, x, x)) {
        uint64_t number = (uint64_t)x->number;
        fh_set_number(x, (int64_t)(high ? number >> 32 : number & UINT32_MAX), at);
    }
}

void fh_value_generic(struct fh_value *x, struct fh_span at) {
    x->at = at;
    if (x->kind == FH_V_NAME && !x->half)
        x->generic = true;
    else if (x->kind != FH_V_POISON)
        fh_value_poison(x, FH_D_BAD_ARITHMETIC, "`generic()` takes the name of a variable");
}

/* ---------------------------------------------------------------- registers, constants, sets */

void fh_value_index(struct fh_asm *a, struct fh_value *x, const struct fh_value *index,
                    struct fh_span at) {
    const struct fh_symbol *s = x->symbol;
    if (!fh_number_or_poison(a, x, index))
        return;
    int64_t i = index->number;
    int64_t low = s->kind == FH_S_REGISTERS ? s->value : 0;
    int64_t high = low + (int64_t)s->count - 1;
    x->at = at;
    x->symbol = NULL;
    if (x->suffix) {
        fh_value_poison(x, FH_D_BAD_ADDRESS, "the index comes before the suffix");
    } else if (index->large || i < low || i > high) {
        fh_value_poison(x, FH_D_BAD_INDEX,
                        fh_text(a, "%s\n`%.*s`, which has %lld to %lld",
                                fh_number_written(a, index), (int)s->length, s->name,
                                (long long)low, (long long)high));
    } else if (s->kind == FH_S_REGISTERS) {
        x->reg = (uint8_t)(s->first + (i - low));
    } else {
        x->number += i;
    }
}

void fh_value_set(struct fh_asm *a, struct fh_value *x, const struct fh_value *more,
                  struct fh_span at) {
    const struct fh_value *last = more ? more : x;
    if (x->kind == FH_V_POISON || !fh_number_or_poison(a, x, last))
        return;
    int64_t number = last->number;
    fh_set_number(x, more ? x->number : 0, at);
    if (number < 0 || number > 62)
        fh_value_poison(x, FH_D_BAD_ARITHMETIC, "a number in braces is not 0 to 62");
    else
        x->number |= INT64_C(1) << number;
}

void fh_value_suffix(struct fh_asm *a, struct fh_value *x, const struct fh_value *suffix,
                     struct fh_span at) {
    if ((x->kind == FH_V_REGISTER || x->kind == FH_V_CONSTANT) && !x->suffix) {
        x->suffix = suffix->text;
        x->suffix_length = suffix->length;
    } else if (x->kind != FH_V_POISON) {
        fh_value_poison(x, FH_D_SYNTAX,
                        fh_text(a, "`%.*s`\n after %s", (int)suffix->length, suffix->text,
                                fh_describe_value(a, x)));
    }
    x->at = at;
}

void fh_value_absolute(struct fh_asm *a, struct fh_value *x, struct fh_span at) {
    if (x->kind == FH_V_REGISTER || x->kind == FH_V_CONSTANT) {
        if (x->sign != FH_SIGN_NONE)
            fh_value_poison(x, FH_D_SYNTAX, "sign between the bars\n, write -|R0|");
        x->abs = true;
    } else if (x->kind != FH_V_POISON) {
        fh_value_poison(x, FH_D_NOT_A_NUMBER, fh_describe_value(a, x));
    }
    x->at = at;
}

/* ---------------------------------------------------------------- addresses */

static void wrong_address(struct fh_value *x, const char *problem, struct fh_span at) {
    fh_value_poison(x, FH_D_BAD_ADDRESS, problem);
    x->at = at;
}

/* Whether x can stand in brackets: a sum, or a number that an offset can be; else poison. */
static bool is_offset(struct fh_asm *a, struct fh_value *x, bool sum, struct fh_span at) {
    if (sum)
        return true;
    if (!fh_number_or_poison(a, x, x))
        return false;
    if (x->large) {
        fh_value_poison(x, FH_D_BAD_ARITHMETIC, fh_too_far);
        x->at = at;
    }
    return !x->large;
}

void fh_value_described(struct fh_value *x, struct fh_span at) {
    wrong_address(x, fh_outside_of_root("cx", 2)->why, at);
}

void fh_value_constant(struct fh_asm *a, struct fh_value *x, const struct fh_value *bank,
                       struct fh_span at) {
    bool indexed = x->kind == FH_V_REGISTER || x->kind == FH_V_SUM;
    if (!fh_number_or_poison(a, x, bank))
        return;
    if (bank->number < 0 || bank->number > 31) {
        wrong_address(x, "constant banks are 0 to 31", at);
    } else if (indexed && (!fh_value_as_sum(x) || (x->has_reg && x->has_ureg))) {
        wrong_address(x, "a constant's index is one register and a number", at);
    } else if (indexed && x->suffix) {
        wrong_address(x, "a constant's index has no suffix", at);
    } else if (is_offset(a, x, indexed, at)) {
        x->kind = FH_V_CONSTANT;
        x->bank = (uint8_t)bank->number;
        x->symbol = NULL;
        x->at = at;
    }
}

static void add_descriptor(struct fh_value *x, const struct fh_value *descriptor,
                           struct fh_span at) {
    if (descriptor->kind != FH_V_REGISTER || descriptor->reg_kind != FH_K_UREG ||
        descriptor->sign || descriptor->suffix)
        wrong_address(x, "the descriptor is one uniform register", at);
    else if (x->has_ureg)
        wrong_address(x, "with a descriptor there is no second uniform register", at);
    x->desc = true;
    x->ureg = descriptor->reg;
    x->has_ureg = true;
}

void fh_value_address(struct fh_asm *a, struct fh_value *x, const struct fh_value *descriptor,
                      struct fh_span at) {
    bool registers = x->kind == FH_V_REGISTER || x->kind == FH_V_SUM;
    if (x->kind == FH_V_CONSTANT || x->kind == FH_V_ADDRESS) {
        wrong_address(x, "load it into a register first", at);
    } else if (registers && !fh_value_as_sum(x)) {
        wrong_address(x, "it takes a register without a sign, and UR and a number", at);
    } else if (is_offset(a, x, registers, at)) {
        x->kind = FH_V_ADDRESS;
        if (!x->has_reg)
            x->reg = FH_RZ;
        if (!x->has_ureg)
            x->ureg = FH_URZ;
        x->symbol = NULL;
        x->at = at;
        if (descriptor)
            add_descriptor(x, descriptor, at);
    }
}
