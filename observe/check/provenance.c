/*
 * provenance.c - see provenance.h.
 */
#include "provenance.h"

#include <string.h>

enum { PARAM_START = 0x160 }; /* of constant bank 0 on sm_80 */

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static bool begins_any(const char *text, const char *const *list) {
    for (; *list; list++)
        if (begins(text, *list))
            return true;
    return false;
}

/* ---------------------------------------------------------------- plans */

static bool is_one(const fhec_instruction *instruction, const char *name) {
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const fhec_operand *o = &instruction->operands[i];
        if (strcmp(o->name, name) == 0)
            return o->kind == FHEC_OPERAND_IMMEDIATE && o->value == 1;
    }
    return false;
}

/* Whether the source is taken away from the others. */
static bool subtracts(const fhec_instruction *instruction, const fhec_operand *operand) {
    const bool uniform = *instruction->mnemonic == 'U';
    return operand->negated && begins(instruction->mnemonic + uniform, "IADD3");
}

/* Whether the number only scales, shifts or cuts what the instruction takes. */
static bool scales(const fhec_instruction *instruction, const fhec_operand *operand) {
    const char *mnemonic = instruction->mnemonic + (*instruction->mnemonic == 'U');
    const bool b = strcmp(operand->name, "B") == 0;
    if (begins(mnemonic, "IMAD") || begins(mnemonic, "SHF"))
        return b;
    return begins(mnemonic, "LEA") && strcmp(operand->name, "A") != 0 && !b;
}

/* Whether it is A & B. */
static bool is_mask(const fhec_instruction *instruction) {
    enum { A_AND_B = 0xc0 };
    if (!begins(instruction->mnemonic + (*instruction->mnemonic == 'U'), "LOP3"))
        return false;
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (strcmp(instruction->operands[i].name, "lut") == 0)
            return instruction->operands[i].value == A_AND_B;
    return false;
}

/* Whether a number of the instruction's own may be added to what it takes, or be its result. */
static bool has_number(const fhec_instruction *instruction) {
    if (is_mask(instruction))
        return false;
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const fhec_operand *o = &instruction->operands[i];
        if ((o->kind == FHEC_OPERAND_IMMEDIATE && o->value && !scales(instruction, o)) ||
            (o->kind == FHEC_OPERAND_CONSTANT && o->bank))
            return true;
    }
    return false;
}

/* Whether what comes of the source is no address any more, if it was one. */
static bool spoils(const fhec_instruction *instruction, const fhec_operand *operand) {
    static const char *const sums[] = {"MOV",  "UMOV", "IADD3", "UIADD3", "IMAD", "UIMAD",
                                       "LEA",  "ULEA", "LOP3",  "ULOP3",  "SEL",  "USEL",
                                       "SHFL", "R2UR", "LDC",   "ULDC",   NULL};
    const char *mnemonic = instruction->mnemonic, *name = operand->name;
    const bool uniform = *mnemonic == 'U';
    if (!begins_any(mnemonic, sums) || (operand->negated && !subtracts(instruction, operand)))
        return true;
    if (begins(mnemonic + uniform, "IMAD"))
        return strcmp(name, "A") == 0 ? !is_one(instruction, "B") : strcmp(name, "B") == 0;
    if (begins(mnemonic + uniform, "LEA")) /* A is shifted, and C is above it */
        return strcmp(name, "B") != 0;
    return begins(mnemonic, "SHFL") && strcmp(name, "A") != 0;
}

static enum fh_origin_rule rule_of(const char *mnemonic) {
    static const char *const loads[] = {"LD", "ATOM", NULL};
    if (begins(mnemonic, "LDC"))
        return FH_ORIGIN_FROM;
    if (begins_any(mnemonic, loads))
        return FH_ORIGIN_LOAD;
    if (begins(mnemonic, "SEL") || begins(mnemonic, "USEL"))
        return FH_ORIGIN_CHOICE;
    return begins(mnemonic, "SHFL") || begins(mnemonic, "R2UR") ? FH_ORIGIN_LANES : FH_ORIGIN_FROM;
}

static void add_registers(struct fh_origin_set *set, bool uniform, uint32_t first, uint32_t count) {
    for (uint32_t reg = first; reg < first + count; reg++)
        *(uniform ? &set->ur : &set->r[reg / 64 & 3]) |= UINT64_C(1) << (reg & 63);
}

void fh_origin_plan_make(void *own, const fhec_instruction *instruction) {
    struct fh_origin_plan *plan = own;
    for (uint32_t i = 0; i < instruction->use_count && plan->written_count < 4; i++) {
        const fhec_use *use = &instruction->uses[i];
        if (use->written && (use->file == FHEC_FILE_R || use->file == FHEC_FILE_UR)) {
            plan->written[plan->written_count++] = (uint8_t)i;
            add_registers(&plan->writes, use->file == FHEC_FILE_UR, use->first, use->count);
        }
    }
    plan->rule = plan->written_count ? rule_of(instruction->mnemonic) : FH_ORIGIN_NOTHING;
    plan->numbers = plan->rule != FH_ORIGIN_LOAD && has_number(instruction);
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const fhec_operand *o = &instruction->operands[i];
        if (o->kind == FHEC_OPERAND_ADDRESS && plan->address_count < 2)
            plan->addresses[plan->address_count++] = (uint8_t)i;
        plan->indexed |= o->kind == FHEC_OPERAND_CONSTANT && o->reg != FHEC_NO_REGISTER;
        if (o->kind == FHEC_OPERAND_REGISTER && o->read && strcmp(o->name, "data") == 0) {
            plan->data = (uint8_t)i;
            plan->data_count++;
        }
        if (!o->read || plan->source_count == 6 || plan->rule == FH_ORIGIN_LOAD ||
            (o->kind != FHEC_OPERAND_REGISTER && o->kind != FHEC_OPERAND_UNIFORM &&
             o->kind != FHEC_OPERAND_CONSTANT))
            continue;
        if (spoils(instruction, o))
            plan->spoils = (uint8_t)(plan->spoils | (1u << plan->source_count));
        if (subtracts(instruction, o))
            plan->subtracts = (uint8_t)(plan->subtracts | (1u << plan->source_count));
        plan->sources[plan->source_count++] = (uint8_t)i;
        plan->constants |= o->kind == FHEC_OPERAND_CONSTANT;
        if (o->kind != FHEC_OPERAND_CONSTANT && o->reg != FHEC_NO_REGISTER)
            add_registers(&plan->reads, o->kind == FHEC_OPERAND_UNIFORM, o->reg, o->count);
    }
}

/* ---------------------------------------------------------------- values */

/* Of the words of one value, low and high: those of one address have its origin. */
static inline uint16_t within(uint16_t a, uint16_t b) {
    return a == b || !b ? a : !a ? b : FH_ORIGIN_MIXED;
}

/* Of two that are added. */
static inline uint16_t sum(uint16_t a, uint16_t b) {
    return !a ? b : !b ? a : FH_ORIGIN_MIXED;
}

/* Of two of which the second one is taken away from the first one. */
static inline uint16_t difference(uint16_t a, uint16_t b) {
    return !b ? a : a == b && a != FH_ORIGIN_MIXED ? 0 : FH_ORIGIN_MIXED;
}

static uint16_t of_bank(const struct fh_origin_params *params, const fhec_operand *o) {
    uint16_t origin = 0;
    for (size_t i = 0; i < params->constant_count; i++) {
        const struct fh_origin_constant *x = &params->constants[i];
        const int64_t at = (int64_t)x->offset - o->value;
        if (x->bank == o->bank && at >= 0 && at < 4 * (int64_t)o->count)
            origin = within(origin, x->origin);
    }
    return origin;
}

static uint16_t of_constant(const struct fh_origin_params *params, const fhec_operand *o) {
    uint16_t origin = 0;
    if (o->reg != FHEC_NO_REGISTER || o->ureg != FHEC_NO_REGISTER)
        return 0;
    if (o->bank)
        return of_bank(params, o);
    for (uint32_t i = 0; i < o->count; i++) {
        const int64_t at = o->value - PARAM_START + 4 * (int64_t)i;
        if (at >= 0 && (uint64_t)at / 4 < params->count)
            origin = within(origin, params->words[at / 4]);
    }
    return origin;
}

/* The origins of an operand by lane; false: none has any. */
static bool of_operand(const struct fh_origin_warp *w, const struct fh_origin_params *params,
                       const fhec_operand *o, uint16_t row[FHEC_WARP_LANES]) {
    uint16_t all = 0;
    bool some = false;
    if (o->kind == FHEC_OPERAND_CONSTANT)
        all = of_constant(params, o);
    for (uint32_t i = 0; o->kind == FHEC_OPERAND_REGISTER && i < o->count; i++)
        some |= o->reg != FHEC_NO_REGISTER && fh_origin_some(w, (o->reg + i) & 255);
    for (uint32_t i = 0; o->kind == FHEC_OPERAND_UNIFORM && i < o->count; i++)
        if (o->reg != FHEC_NO_REGISTER)
            all = within(all, w->ur[(o->reg + i) & 63]);
    if (!some && !all)
        return false;
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
        row[lane] = all;
    for (uint32_t i = 0; some && i < o->count; i++) {
        const uint32_t reg = (o->reg + i) & 255;
        if (!fh_origin_some(w, reg))
            continue;
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
            row[lane] = within(row[lane], w->r[reg][lane]);
    }
    return true;
}

/* Those of one active lane for all, if they agree. */
static void spread(uint16_t row[FHEC_WARP_LANES], uint32_t active) {
    const uint32_t first = active ? (uint32_t)__builtin_ctz(active) : 0;
    uint16_t all = row[first];
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
        all = active >> lane & 1 && row[lane] != all ? FH_ORIGIN_MIXED : all;
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
        row[lane] = all;
}

/* Takes the source into the result. */
static void take(const struct fh_origin_plan *plan, unsigned source,
                 const uint16_t row[FHEC_WARP_LANES], uint16_t result[FHEC_WARP_LANES]) {
    const bool spoils = plan->spoils >> source & 1, subtracts = plan->subtracts >> source & 1;
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
        const uint16_t origin = row[lane] && spoils ? FH_ORIGIN_MIXED : row[lane];
        result[lane] = plan->rule == FH_ORIGIN_CHOICE ? within(result[lane], origin)
                       : subtracts                    ? difference(result[lane], origin)
                                                      : sum(result[lane], origin);
    }
}

/* What is subtracted comes last. */
static bool combine(const struct fh_origin_warp *w, const struct fh_origin_plan *plan,
                    const fhec_instruction *instruction, const struct fh_origin_params *params,
                    uint32_t active, uint16_t result[FHEC_WARP_LANES]) {
    bool some = false;
    for (unsigned last = 0; last <= (plan->subtracts != 0); last++) {
        for (unsigned i = 0; i < plan->source_count; i++) {
            uint16_t row[FHEC_WARP_LANES];
            if ((plan->subtracts >> i & 1) != last ||
                !of_operand(w, params, &instruction->operands[plan->sources[i]], row))
                continue;
            if (plan->rule == FH_ORIGIN_LANES)
                spread(row, active);
            take(plan, i, row, result);
            some = true;
        }
    }
    return some;
}

/* ---------------------------------------------------------------- effects */

static void write_row(struct fh_origin_warp *w, uint32_t reg, const uint16_t *row, uint32_t active,
                      bool some) {
    const uint64_t bit = UINT64_C(1) << (reg & 63);
    if (!some && (active == UINT32_MAX || !fh_origin_some(w, reg))) {
        if (fh_origin_some(w, reg))
            memset(w->r[reg], 0, sizeof w->r[reg]);
        w->some.r[reg / 64 & 3] &= ~bit;
        return;
    }
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
        if (active >> lane & 1)
            w->r[reg][lane] = row[lane];
    w->some.r[reg / 64 & 3] |= bit;
}

bool fh_origin_numbers(const struct fh_origin_warp *w, const fhec_operand *operand) {
    bool numbers = false;
    for (uint32_t reg = operand->reg, k = 0; reg != FHEC_NO_REGISTER && k < operand->count; k++)
        numbers |= w->numbers.r[(reg + k) / 64 & 3] >> ((reg + k) & 63) & 1;
    return numbers;
}

static inline bool meet(const struct fh_origin_set *a, const struct fh_origin_set *b) {
    return ((a->r[0] & b->r[0]) | (a->r[1] & b->r[1]) | (a->r[2] & b->r[2]) | (a->r[3] & b->r[3]) |
            (a->ur & b->ur)) != 0;
}

/* Whether a number of the code's may be in what is written now. */
static void note_numbers(struct fh_origin_warp *w, const struct fh_origin_plan *plan,
                         uint32_t active) {
    const bool numbers = plan->numbers || meet(&w->numbers, &plan->reads);
    for (unsigned i = 0; i < 4; i++) {
        if (numbers)
            w->numbers.r[i] |= plan->writes.r[i];
        else if (active == UINT32_MAX)
            w->numbers.r[i] &= ~plan->writes.r[i];
    }
    w->numbers.ur = numbers ? w->numbers.ur | plan->writes.ur : w->numbers.ur & ~plan->writes.ur;
}

/* Whether there are no origins in what it reads, nor where it writes: so it is mostly. */
static bool is_plain(const struct fh_origin_warp *w, const struct fh_origin_plan *plan,
                     const fhec_instruction *instruction, const struct fh_origin_params *params,
                     const struct fh_origin_extra *extra) {
    if (meet(&w->some, &plan->writes))
        return false;
    if (plan->rule == FH_ORIGIN_LOAD)
        return !extra->loaded;
    if (extra->immediate || meet(&w->some, &plan->reads))
        return false;
    bool some = false;
    for (unsigned i = 0; plan->constants && i < plan->source_count; i++) {
        const fhec_operand *o = &instruction->operands[plan->sources[i]];
        some |= o->kind == FHEC_OPERAND_CONSTANT && of_constant(params, o);
    }
    return !some;
}

static void write_uniform(struct fh_origin_warp *w, uint32_t reg, uint16_t origin) {
    const uint64_t bit = UINT64_C(1) << reg;
    w->ur[reg] = origin;
    w->some.ur = origin ? w->some.ur | bit : w->some.ur & ~bit;
}

void fh_origin_retire(struct fh_origin_warp *w, const struct fh_origin_plan *plan,
                      const fhec_instruction *instruction, const struct fh_origin_params *params,
                      const struct fh_origin_extra *extra, uint32_t active) {
    if (plan->rule == FH_ORIGIN_NOTHING)
        return;
    note_numbers(w, plan, active);
    if (is_plain(w, plan, instruction, params, extra))
        return;
    uint16_t result[FHEC_WARP_LANES] = {0};
    bool some =
        plan->rule != FH_ORIGIN_LOAD && combine(w, plan, instruction, params, active, result);
    for (uint32_t lane = 0;
         plan->rule != FH_ORIGIN_LOAD && extra->immediate && lane < FHEC_WARP_LANES; lane++) {
        result[lane] = sum(result[lane], extra->immediate);
        some = true;
    }
    const uint32_t lane = active ? (uint32_t)__builtin_ctz(active) : 0;
    for (unsigned i = 0; i < plan->written_count; i++) {
        const fhec_use *use = &instruction->uses[plan->written[i]];
        for (uint32_t k = 0; k < use->count; k++) {
            const bool loaded = plan->rule == FH_ORIGIN_LOAD && extra->loaded && k < 4;
            const uint16_t *row = loaded ? extra->values[k] : result;
            if (use->file == FHEC_FILE_UR)
                write_uniform(w, (use->first + k) & 63, row[lane]);
            else
                write_row(w, (use->first + k) & 255, row, active, some || loaded);
        }
    }
}

uint16_t fh_origin_address(const struct fh_origin_warp *w, const fhec_operand *operand,
                           uint16_t immediate, uint32_t lane) {
    uint16_t origin = 0;
    for (uint32_t i = 0; operand->reg != FHEC_NO_REGISTER && i < operand->count; i++) {
        const uint32_t reg = (operand->reg + i) & 255;
        if (fh_origin_some(w, reg))
            origin = within(origin, w->r[reg][lane]);
    }
    if (operand->ureg != FHEC_NO_REGISTER)
        origin = sum(origin, w->ur[operand->ureg & 63]);
    return sum(origin, immediate);
}
