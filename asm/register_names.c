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

/* The class whose prefix the text has, with something behind it; no prefix begins another one. Most
 * words are no registers, and most registers are of the first class. */
static const struct register_class *class_of(const char *text, size_t length) {
    if (length < 2 || text[0] < 'B' || text[0] > 'U')
        return NULL;
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        const char *prefix = classes[c].prefix;
        if (text[0] == prefix[0] && (!prefix[1] || (text[1] == prefix[1] && length > 2)))
            return &classes[c];
    }
    return NULL;
}

bool fh_machine_register(struct fh_asm *a, const char *text, size_t length, struct fh_value *v) {
    const struct register_class *class = class_of(text, length);
    if (!class)
        return false;
    size_t prefix = class->prefix[1] ? 2 : 1, i = prefix;
    unsigned number = 0;
    if (class->zero_letter && length == prefix + 1 && text[prefix] == class->zero_letter) {
        number = class->zero;
    } else {
        for (; i < length && text[i] >= '0' && text[i] <= '9' && number < 1000; i++)
            number = number * 10 + (unsigned)(text[i] - '0');
        if (i < length || (text[prefix] == '0' && length > prefix + 1))
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
