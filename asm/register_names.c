/* register_names.c - see register_names.h. */
#include "register_names.h"
#include "asm_memory.h"
#include "diagnose.h"
#include "isa.h"

/* The classes of registers: prefix, kind, how many have a number; the letter and number of the one
 * that has none. */
static const struct register_class {
    const char *prefix;
    uint8_t kind, count;
    char zero_letter;
    uint8_t zero;
    const char *range;
} classes[] = {
    {"R", FH_K_REG, 255, 'Z', FH_RZ, "registers are R0 to R254 and RZ"},
    {"P", FH_K_PRED, 7, 'T', FH_PT, "predicates are P0 to P6 and PT"},
    {"UR", FH_K_UREG, 63, 'Z', FH_URZ, "uniform registers are UR0 to UR62 and URZ"},
    {"UP", FH_K_UPRED, 7, 'T', FH_PT, "uniform predicates are UP0 to UP6 and UPT"},
    {"B", FH_K_BARRIER, 16, '\0', 0, "convergence barriers are B0 to B15"},
    {"SB", FH_K_SCOREBOARD, 8, '\0', 0, "scoreboards are SB0 to SB7"},
};

enum { CLASS_R, CLASS_P, CLASS_UR, CLASS_UP, CLASS_B, CLASS_SB, NO_CLASS };

/* The class whose prefix the text has; most words are no registers, and most registers are of the
 * first class. */
static inline unsigned class_of(const char *text, size_t length) {
    if (length < 2)
        return NO_CLASS;
    switch (text[0]) {
    case 'R': return CLASS_R;
    case 'P': return CLASS_P;
    case 'U': return text[1] == 'R' ? CLASS_UR : text[1] == 'P' ? CLASS_UP : NO_CLASS;
    case 'B': return CLASS_B;
    case 'S': return text[1] == 'B' ? CLASS_SB : NO_CLASS;
    default: return NO_CLASS;
    }
}

bool fh_machine_register(struct fh_asm *a, const char *text, size_t length, struct fh_value *v) {
    const unsigned c = class_of(text, length);
    if (c == NO_CLASS)
        return false;
    const struct register_class *class = &classes[c];
    const size_t prefix = class->prefix[1] ? 2 : 1;
    const char *digits = text + prefix;
    const size_t count = length - prefix;
    unsigned number = 0;
    if (count == 1 && class->zero_letter && *digits == class->zero_letter) {
        number = class->zero;
    } else {
        size_t i = 0;
        for (; i < count && digits[i] >= '0' && digits[i] <= '9' && number < 1000; i++)
            number = number * 10 + (unsigned)(digits[i] - '0');
        if (i < count || count == 0 || (*digits == '0' && count > 1))
            return false;
        if (number >= class->count) {
            v->kind = FH_V_POISON;
            v->problem_id = FH_D_NO_REGISTER;
            v->problem = fh_text(a, "%.*s\n%s", (int)length, text, class->range);
            return true;
        }
    }
    v->kind = FH_V_REGISTER;
    v->reg_kind = class->kind;
    v->reg = (uint8_t)number;
    return true;
}

const char *fh_register_name(struct fh_asm *a, uint8_t kind, unsigned number) {
    const char *prefix = "";
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++)
        if (classes[c].kind == kind)
            prefix = classes[c].prefix;
    return fh_text(a, "%s%u", prefix, number);
}
