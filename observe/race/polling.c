/*
 * polling.c - see polling.h. The loop is looked for in the order of the code: from the load on to a
 * branch back to it or before it. What depends on the load is followed through registers and
 * predicates on the way.
 */
#include "polling.h"

#include <string.h>

enum { WORD_BYTES = 16, LONGEST = 96 /* instructions of a loop */, PREDICATE_TRUE = 7 };

struct poll {
    uint8_t registers[256 / 8]; /* that hold what depends on the load */
    uint8_t predicates;
    uint16_t address; /* register of the load's address; FHEC_NO_REGISTER: none */
    bool decides;     /* a branch depends on it */
};

static bool holds(const struct poll *p, const fhec_operand *operand) {
    if (operand->reg == FHEC_NO_REGISTER)
        return false;
    if (operand->kind == FHEC_OPERAND_PREDICATE)
        return operand->reg < PREDICATE_TRUE && p->predicates >> operand->reg & 1;
    return operand->kind == FHEC_OPERAND_REGISTER && operand->reg < 256 &&
           p->registers[operand->reg / 8] >> operand->reg % 8 & 1;
}

static void mark(struct poll *p, const fhec_operand *operand, bool depends) {
    if (operand->reg == FHEC_NO_REGISTER)
        return;
    if (operand->kind == FHEC_OPERAND_PREDICATE && operand->reg < PREDICATE_TRUE) {
        const uint8_t bit = (uint8_t)(1U << operand->reg);
        p->predicates = depends ? p->predicates | bit : p->predicates & (uint8_t)~bit;
    } else if (operand->kind == FHEC_OPERAND_REGISTER && operand->reg < 256) {
        uint8_t *byte = &p->registers[operand->reg / 8];
        const uint8_t bit = (uint8_t)(1U << operand->reg % 8);
        *byte = depends ? *byte | bit : *byte & (uint8_t)~bit;
    }
}

static bool begins_with(const char *mnemonic, const char *const *roots) {
    for (; *roots; roots++) {
        const size_t length = strlen(*roots);
        if (strncmp(mnemonic, *roots, length) == 0 &&
            (mnemonic[length] == '.' || mnemonic[length] == '\0'))
            return true;
    }
    return false;
}

/* The target of a branch; UINT64_MAX: it is none. */
static uint64_t target_of(const fhec_instruction *x) {
    static const char *const branches[] = {"BRA", NULL};
    for (uint32_t i = 0; begins_with(x->mnemonic, branches) && i < x->operand_count; i++)
        if (x->operands[i].kind == FHEC_OPERAND_TARGET)
            return (uint64_t)x->operands[i].value;
    return UINT64_MAX;
}

static bool guard_depends(const struct poll *p, const fhec_instruction *x) {
    return !x->guard_uniform && x->guard < PREDICATE_TRUE && p->predicates >> x->guard & 1;
}

/* Whether the operand, which is written, has the register of the load's address. */
static bool changes_address(const struct poll *p, const fhec_operand *operand) {
    return operand->kind == FHEC_OPERAND_REGISTER && operand->reg != FHEC_NO_REGISTER &&
           p->address != FHEC_NO_REGISTER && p->address >= operand->reg &&
           p->address < operand->reg + operand->count;
}

/* One instruction behind the load; false where it belongs to no such loop. */
static bool pass(struct poll *p, const fhec_instruction *x) {
    static const char *const ends[] = {"STS",   "STG",    "ST",   "STL",  "ATOM", "ATOMG",
                                       "ATOMS", "RED",    "BAR",  "CALL", "RET",  "BRX",
                                       "JMP",   "LDGSTS", "FHEC", "SHFL", "KILL", NULL};
    static const char *const branches[] = {"BRA", "BREAK", "EXIT", "BSYNC", NULL};
    bool depends = guard_depends(p, x);
    if (begins_with(x->mnemonic, ends))
        return false;
    for (uint32_t i = 0; i < x->operand_count; i++)
        depends |= x->operands[i].read && holds(p, &x->operands[i]);
    if (begins_with(x->mnemonic, branches)) {
        p->decides |= depends;
        return true;
    }
    for (uint32_t i = 0; i < x->operand_count; i++) {
        const fhec_operand *operand = &x->operands[i];
        if (!operand->written)
            continue;
        if (changes_address(p, operand))
            return false;
        mark(p, operand, depends);
    }
    return true;
}

bool fh_polls(const fhec_launch *launch, uint64_t pc) {
    fhec_kernel_info kernel;
    fhec_instruction x;
    struct poll p = {.address = FHEC_NO_REGISTER};
    const uint64_t first = pc / WORD_BYTES;
    if (fhec_kernel_get(launch->program, launch->kernel, &kernel) != FHEC_OK ||
        first >= kernel.word_count || fhec_instruction_get(kernel.words[first], pc, &x) != FHEC_OK)
        return false;
    for (uint32_t i = 0; i < x.operand_count; i++) {
        const fhec_operand *operand = &x.operands[i];
        if (operand->written)
            mark(&p, operand, true);
        else if (operand->kind == FHEC_OPERAND_ADDRESS)
            p.address = operand->reg;
    }
    for (uint32_t i = 0; i < x.operand_count; i++)
        if (x.operands[i].written && changes_address(&p, &x.operands[i]))
            return false;
    for (uint64_t i = first + 1; i < kernel.word_count && i < first + LONGEST; i++) {
        const uint64_t at = i * WORD_BYTES;
        if (fhec_instruction_get(kernel.words[i], at, &x) != FHEC_OK || !pass(&p, &x))
            return false;
        if (target_of(&x) <= pc)
            return p.decides;
    }
    return false;
}
