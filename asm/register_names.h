/*
 * register_names.h - names of the machine's registers.
 */
#ifndef FH_REGISTER_NAMES_H
#define FH_REGISTER_NAMES_H

#include "expr_value.h"
#include "isa.h"

struct fh_asm;

/* A register of the machine? Fills v; out of range gives POISON with its problem. */
bool fh_machine_register(struct fh_asm *a, const char *text, size_t length, struct fh_value *v);
/* The same for the most common names, R0 to R254 without a zero before, which end at `end`; false
 * for all others. */
static inline bool fh_plain_register(const char *text, const char *end, struct fh_value *v) {
    const size_t digits = (size_t)(end - text) - 1;
    unsigned number = (unsigned)(text[1] - '0');
    if (text[0] != 'R' || digits - 1 > 2 || number > 9 || (number == 0 && digits > 1))
        return false;
    for (size_t i = 2; i <= digits; i++) {
        const unsigned digit = (unsigned)(text[i] - '0');
        if (digit > 9)
            return false;
        number = number * 10 + digit;
    }
    v->kind = FH_V_REGISTER;
    v->reg_kind = FH_K_REG;
    v->reg = (uint8_t)number;
    return number < FH_RZ;
}

/* The name of a register of a kind (FH_K_REG, ...), "UR4"; not of those that are always zero. */
const char *fh_register_name(struct fh_asm *a, uint8_t kind, unsigned number);

#endif
