/*
 * init_plan.c - see init_plan.h. Modifiers are read from the mnemonic, parts of registers
 * (".H1_H1",
 * ".B2") from the instruction's text.
 */
#include "init_plan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "defined_bits.h"

static const struct {
    const char *root;
    enum fh_init_rule rule;
} rules[] = {
    {"MOV", FH_INIT_MOVE},
    {"LOP3", FH_INIT_LOGIC},
    {"PLOP3", FH_INIT_PREDICATES},
    {"SHF", FH_INIT_SHIFT},
    {"PRMT", FH_INIT_PERMUTE},
    {"SEL", FH_INIT_SELECT},
    {"FSEL", FH_INIT_SELECT},
    {"IADD3", FH_INIT_ADD},
    {"LEA", FH_INIT_SHIFT_ADD},
    {"IMAD", FH_INIT_MULTIPLY},
    {"ISETP", FH_INIT_COMPARE},
    {"FSETP", FH_INIT_COMPARE_ANY},
    {"DSETP", FH_INIT_COMPARE_ANY},
    {"BREV", FH_INIT_REVERSE},
    {"SGXT", FH_INIT_EXTEND},
    {"FLO", FH_INIT_LEADING},
    {"HADD2", FH_INIT_HALVES},
    {"HMUL2", FH_INIT_HALVES},
    {"HFMA2", FH_INIT_HALVES},
    {"HMNMX2", FH_INIT_HALVES},
    {"F2FP", FH_INIT_PACK},
    {"SHFL", FH_INIT_SHUFFLE},
    {"VOTE", FH_INIT_VOTE},
    {"VOTEU", FH_INIT_VOTE},
    {"R2UR", FH_INIT_TO_UNIFORM},
    {"MOVM", FH_INIT_TRANSPOSE},
    {"P2R", FH_INIT_FROM_PREDICATES},
    {"UP2UR", FH_INIT_FROM_PREDICATES},
    {"R2P", FH_INIT_TO_PREDICATES},
    {"REDUX", FH_INIT_ALL_LANES},
    {"LDG", FH_INIT_LOAD},
    {"LD", FH_INIT_LOAD},
    {"LDS", FH_INIT_LOAD},
    {"LDL", FH_INIT_LOAD},
    {"STG", FH_INIT_STORE},
    {"ST", FH_INIT_STORE},
    {"STS", FH_INIT_STORE},
    {"STL", FH_INIT_STORE},
    {"ATOM", FH_INIT_ATOMIC},
    {"ATOMG", FH_INIT_ATOMIC},
    {"ATOMS", FH_INIT_ATOMIC},
    {"RED", FH_INIT_ATOMIC},
    {"ARRIVES", FH_INIT_ATOMIC},
    {"LDGSTS", FH_INIT_COPY},
    {"LDSM", FH_INIT_LOAD_MATRIX},
    {"LDC", FH_INIT_LOAD_CONSTANT},
    {"ULDC", FH_INIT_LOAD_CONSTANT},
    {"CCTL", FH_INIT_NOTHING},
    {"CCTLL", FH_INIT_NOTHING},
    {"NANOSLEEP", FH_INIT_NOTHING},
    {"NOP", FH_INIT_NOTHING},
    {"YIELD", FH_INIT_NOTHING},
    {"PMTRIG", FH_INIT_NOTHING},
    {"LEPC", FH_INIT_NOTHING},
    {"B2R", FH_INIT_NOTHING},
    {"BAR", FH_INIT_BARRIER},
    {"WARPSYNC", FH_INIT_BARRIER},
    {"BMOV", FH_INIT_BARRIER},
};

/* ---------------------------------------------------------------- words of the mnemonic */

/* The n-th word between the dots of a mnemonic; "" past the last. */
static void word_at(const char *mnemonic, unsigned n, char word[24]) {
    for (; n && *mnemonic; n--) {
        mnemonic += strcspn(mnemonic, ".");
        mnemonic += *mnemonic == '.';
    }
    size_t length = 0;
    for (; length < 23 && mnemonic[length] && mnemonic[length] != '.'; length++)
        word[length] = mnemonic[length];
    word[length] = '\0';
}

/* Whether that is a word of the mnemonic behind the first. */
static bool has(const fhec_instruction *x, const char *wanted) {
    const size_t length = strlen(wanted);
    for (const char *dot = strchr(x->mnemonic, '.'); dot; dot = strchr(dot + 1, '.'))
        if (strncmp(dot + 1, wanted, length) == 0 && (dot[1 + length] == '.' || !dot[1 + length]))
            return true;
    return false;
}

/* The first word of the mnemonic that is in the list; `otherwise` if none is. */
static unsigned which(const fhec_instruction *x, const char *const *list, unsigned count,
                      unsigned otherwise) {
    for (unsigned i = 0; i < count; i++)
        if (has(x, list[i]))
            return i;
    return otherwise;
}

static enum fh_init_rule rule_of(const fhec_instruction *x) {
    char word[24];
    word_at(x->mnemonic, 0, word);
    const bool uniform = strcmp(x->klass, "uniform") == 0 && word[0] == 'U';
    for (unsigned strip = 0; strip <= (uniform ? 1u : 0u); strip++)
        for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
            if (strcmp(word + strip, rules[i].root) == 0)
                return rules[i].rule;
    if (strcmp(x->klass, "matrix") == 0)
        return FH_INIT_MATRIX;
    if (strcmp(x->klass, "crosslane") == 0)
        return FH_INIT_ALL_LANES;
    if (strcmp(x->klass, "control") == 0)
        return FH_INIT_CONTROL;
    return strstr(word, "SETP") ? FH_INIT_COMPARE_ANY : FH_INIT_ALL;
}

/* ---------------------------------------------------------------- operands */

/* The operand of that name, or of "U" and the name. */
static const fhec_operand *find(const fhec_instruction *x, const char *name) {
    for (uint32_t i = 0; i < x->operand_count; i++) {
        const char *own = x->operands[i].name;
        if (strcmp(own, name) == 0 || (own[0] == 'U' && strcmp(own + 1, name) == 0))
            return &x->operands[i];
    }
    return NULL;
}

static uint16_t row_of_kind(fhec_operand_kind kind, uint16_t reg) {
    if (reg == FHEC_NO_REGISTER)
        return FH_ROW_NONE;
    switch (kind) {
    case FHEC_OPERAND_UNIFORM: return (uint16_t)(FH_ROW_UR + reg);
    case FHEC_OPERAND_PREDICATE: return (uint16_t)(FH_ROW_P + reg);
    case FHEC_OPERAND_UNIFORM_PREDICATE: return (uint16_t)(FH_ROW_UP + reg);
    case FHEC_OPERAND_REGISTER:
    case FHEC_OPERAND_ADDRESS:
    case FHEC_OPERAND_CONSTANT: return (uint16_t)(FH_ROW_R + reg);
    default: return FH_ROW_NONE;
    }
}

static uint16_t row_of_use(const fhec_use *use, unsigned i) {
    static const uint16_t first[] = {[FHEC_FILE_R] = FH_ROW_R,
                                     [FHEC_FILE_P] = FH_ROW_P,
                                     [FHEC_FILE_UR] = FH_ROW_UR,
                                     [FHEC_FILE_UP] = FH_ROW_UP};
    return (uint16_t)(first[use->file] + use->first + i);
}

/* The bits that a suffix behind a register leaves of it; ~0 if it is none of a part. */
static uint32_t suffix_mask(const char *suffix) {
    static const struct {
        const char *text;
        uint32_t mask;
    } parts[] = {{".H0_H0", 0xffff},  {".H1_H1", 0xffff0000}, {".H0", 0xffff},
                 {".H1", 0xffff0000}, {".B0", 0xff},          {".B1", 0xff00},
                 {".B2", 0xff0000},   {".B3", 0xff000000},    {".SIGN", 0x80000000}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strncmp(suffix, parts[i].text, strlen(parts[i].text)) == 0)
            return parts[i].mask;
    return UINT32_MAX;
}

/* The part of its source that a conversion reads if the text names none. */
static uint32_t default_mask(const fhec_instruction *x) {
    char root[24];
    word_at(x->mnemonic, 0, root);
    const bool from_integer = strcmp(root, "I2F") == 0;
    if (from_integer && (has(x, "U8") || has(x, "S8")))
        return 0xff;
    if (from_integer && (has(x, "U16") || has(x, "S16")))
        return 0xffff;
    if (strstr(x->mnemonic, "F2F.F32.F16") || strstr(x->mnemonic, "F2F.F64.F16"))
        return 0xffff;
    if ((strcmp(root, "F2I") == 0 || strcmp(root, "FRND") == 0) && has(x, "F16"))
        return 0xffff;
    return UINT32_MAX;
}

/* The bits that matter of each register operand. The text names operands in their order. */
static void find_masks(const fhec_instruction *x, uint32_t masks[FH_INIT_OPERANDS]) {
    const char *at = x->text + strcspn(x->text, " ");
    const uint32_t otherwise = default_mask(x);
    for (uint32_t i = 0; i < x->operand_count; i++) {
        const fhec_operand *o = &x->operands[i];
        char name[8];
        masks[i] = UINT32_MAX;
        if (o->kind != FHEC_OPERAND_REGISTER || o->reg == FHEC_NO_REGISTER)
            continue;
        const int length = snprintf(name, sizeof name, "R%u", o->reg);
        const char *found = strstr(at, name);
        while (found &&
               (isalnum((unsigned char)found[-1]) || isdigit((unsigned char)found[length])))
            found = strstr(found + 1, name);
        if (!found)
            continue;
        at = found + length;
        const uint32_t mask = suffix_mask(at);
        masks[i] = !o->read ? UINT32_MAX : mask != UINT32_MAX ? mask : otherwise;
    }
}

/* How many of an operand's rows there are: words that no assembler makes may go past the last. */
static uint16_t rows_of(const fhec_operand *o) {
    const bool lanes = o && o->kind == FHEC_OPERAND_REGISTER && o->reg != FHEC_NO_REGISTER;
    return !o ? 0 : lanes && o->reg + o->count > 255 ? (uint16_t)(255 - o->reg) : o->count;
}

static void set_source(struct fh_init_source *to, const fhec_operand *o, uint32_t mask) {
    *to = (struct fh_init_source){.row = FH_ROW_NONE, .count = 1, .mask = mask, .known = true};
    if (!o)
        return;
    const bool predicate =
        o->kind == FHEC_OPERAND_PREDICATE || o->kind == FHEC_OPERAND_UNIFORM_PREDICATE;
    to->negated = o->negated;
    to->count = rows_of(o) ? rows_of(o) : 1;
    switch (o->kind) {
    case FHEC_OPERAND_IMMEDIATE: to->value = (uint64_t)o->value; break;
    case FHEC_OPERAND_CONSTANT:
        to->known = false;
        to->in_bank0 = o->bank == 0;
        to->constant = (uint32_t)o->value;
        break;
    default:
        to->row = row_of_kind(o->kind, o->reg);
        to->value = predicate ? UINT32_MAX : 0; /* PT, RZ */
        break;
    }
}

static void find_sources(struct fh_init_plan *p, const fhec_instruction *x,
                         const uint32_t masks[FH_INIT_OPERANDS]) {
    const struct {
        struct fh_init_source *to;
        const char *name;
    } sources[] = {{&p->a, "A"},  {&p->b, "B"},  {&p->c, "C"},
                   {&p->p, "Pp"}, {&p->q, "Pq"}, {&p->r, "Pr"}};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        const fhec_operand *o = find(x, sources[i].name);
        set_source(sources[i].to, o, o ? masks[o - x->operands] : UINT32_MAX);
    }
}

static uint32_t number_of(const fhec_instruction *x, const char *name) {
    const fhec_operand *o = find(x, name);
    return o ? (uint32_t)o->value : 0;
}

/* ---------------------------------------------------------------- reads and writes */

/* Which operands hold the row, as bits, and the bits of it that they read. */
static uint32_t operands_of(const fhec_instruction *x, uint16_t row,
                            const uint32_t masks[FH_INIT_OPERANDS], uint32_t *mask) {
    uint32_t holding = 0;
    *mask = 0;
    for (uint32_t i = 0; i < x->operand_count; i++) {
        const fhec_operand *o = &x->operands[i];
        const uint16_t first = row_of_kind(o->kind, o->reg);
        const bool base = first != FH_ROW_NONE && row >= first && row < first + o->count;
        const bool beside = o->ureg != FHEC_NO_REGISTER && row >= FH_ROW_UR + o->ureg &&
                            row < FH_ROW_UR + o->ureg + 2;
        if (!base && !beside)
            continue;
        if (o->kind != FHEC_OPERAND_ADDRESS && !o->read && o->kind != FHEC_OPERAND_CONSTANT)
            continue;
        holding |= 1u << i;
        *mask |= base && o->kind == FHEC_OPERAND_REGISTER ? masks[i] : UINT32_MAX;
    }
    if (!holding)
        *mask = UINT32_MAX;
    return holding;
}

/* The second word of a modulus descriptor, which the matrix units ignore. */
static bool is_ignored(const struct fh_init_plan *p, const fhec_instruction *x, uint16_t row) {
    const fhec_operand *m = p->rule == FH_INIT_MATRIX ? find(x, "M") : NULL;
    return m && m->count == 4 && row == row_of_kind(m->kind, m->reg) + 1;
}

static void add_read(struct fh_init_plan *p, const fhec_instruction *x, uint16_t row,
                     const uint32_t masks[FH_INIT_OPERANDS]) {
    uint32_t mask;
    const uint32_t holding = operands_of(x, row, masks, &mask);
    if (is_ignored(p, x, row) || p->read_count == FH_INIT_READS)
        return;
    p->reads[p->read_count] = row;
    p->read_mask[p->read_count] = mask;
    p->read_operand[p->read_count++] = holding ? (uint8_t)__builtin_ctz(holding) : UINT8_MAX;
}

static void find_uses(struct fh_init_plan *p, const fhec_instruction *x,
                      const uint32_t masks[FH_INIT_OPERANDS]) {
    const bool guarded = x->guard != 7;
    p->guard = FH_ROW_NONE;
    if (guarded)
        p->guard = (uint16_t)((x->guard_uniform ? FH_ROW_UP : FH_ROW_P) + x->guard);
    for (uint32_t k = guarded; k < x->use_count; k++) {
        const fhec_use *use = &x->uses[k];
        for (unsigned i = 0; use->file != FHEC_FILE_B && i < use->count; i++) {
            const uint16_t row = row_of_use(use, i);
            if (!use->written)
                add_read(p, x, row, masks);
            else if (p->write_count < FH_INIT_WRITES)
                p->writes[p->write_count++] = row;
        }
    }
    for (unsigned i = 0; i < p->write_count; i++) {
        const uint16_t row = p->writes[i];
        const bool uniform = (row >= FH_ROW_UR && row < FH_ROW_P) || row >= FH_ROW_UP;
        p->write_whole[i] = uniform ? UINT32_MAX : 0;
    }
}

/* ---------------------------------------------------------------- what rules need */

static void find_comparison(struct fh_init_plan *p, const fhec_instruction *x) {
    static const char *const comparisons[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
    static const char *const combinations[] = {"AND", "OR", "XOR"};
    p->comparison = (uint8_t)which(x, comparisons, 8, 0);
    p->combination = (uint8_t)which(x, combinations, 3, 0);
    p->extended = has(x, "EX");
}

static void find_number(struct fh_init_plan *p, const fhec_instruction *x) {
    static const char *const permutations[] = {"F4E", "B4E", "RC8", "ECL", "ECR", "RC16"};
    static const char *const shuffles[] = {"IDX", "UP", "DOWN", "BFLY"};
    static const char *const votes[] = {"ALL", "ANY", "EQ"};
    static const char *const bytes[] = {"B1", "B2", "B3"};
    static const char *const counts[] = {"2", "4"};
    const char *part = strstr(x->text, ".B");
    switch ((enum fh_init_rule)p->rule) {
    case FH_INIT_PERMUTE: p->number = which(x, permutations, 6, UINT32_MAX) + 1; break;
    case FH_INIT_SHUFFLE: p->number = which(x, shuffles, 4, 0); break;
    case FH_INIT_VOTE: p->number = which(x, votes, 3, 0); break;
    case FH_INIT_FROM_PREDICATES: p->number = which(x, bytes, 3, UINT32_MAX) + 1; break;
    case FH_INIT_TO_PREDICATES:
        p->number = part && part[2] >= '0' && part[2] <= '3' ? (uint32_t)(part[2] - '0') : 0;
        break;
    case FH_INIT_LOAD_MATRIX: p->number = 1u << (which(x, counts, 2, UINT32_MAX) + 1); break;
    default: p->number = number_of(x, "shift"); break;
    }
}

static void find_details(struct fh_init_plan *p, const fhec_instruction *x) {
    const fhec_operand *pred;
    const enum fh_init_rule rule = (enum fh_init_rule)p->rule;
    find_number(p, x);
    find_comparison(p, x);
    p->table = find(x, "lut") ? number_of(x, "lut") : number_of(x, "lutu");
    p->table_v = number_of(x, "lutv");
    p->conjunction = has(x, "PAND");
    p->disjunction = has(x, "OR");
    p->is_signed = !has(x, "U32") && !has(x, "U64");
    p->carried = has(x, "X");
    p->high = has(x, "HI");
    p->wide_type = has(x, "WIDE");
    p->sign_extended = has(x, "SX32");
    p->wraps = has(x, "W");
    p->right = has(x, "R");
    p->word64 = has(x, "S64") || has(x, "U64");
    p->transposed = has(x, "MT88");
    p->bitwise = has(x, "AND") || has(x, "OR") || has(x, "XOR") || has(x, "EXCH");
    p->exchange = has(x, "EXCH");
    p->tells = has(x, "CAST");
    p->float_signs = strncmp(x->mnemonic, "FSEL", 4) == 0;
    p->merges = has(x, "MERGE_C");
    if (rule == FH_INIT_LOAD) {
        p->bytes = has(x, "U8") || has(x, "S8") ? 1 : has(x, "U16") || has(x, "S16") ? 2 : 4;
        p->is_signed = has(x, "S8") || has(x, "S16");
    }
    p->pu = (pred = find(x, "Pu")) ? row_of_kind(pred->kind, pred->reg) : FH_ROW_NONE;
    p->pv = (pred = find(x, "Pv")) ? row_of_kind(pred->kind, pred->reg) : FH_ROW_NONE;
}

static void find_places(struct fh_init_plan *p, const fhec_instruction *x) {
    const fhec_operand *to = find(x, "Rd"), *data = find(x, "data"), *compare = find(x, "compare");
    p->to = to ? row_of_kind(to->kind, to->reg) : FH_ROW_NONE;
    p->to_count = rows_of(to);
    p->data = data ? row_of_kind(data->kind, data->reg) : FH_ROW_NONE;
    p->data_count = rows_of(data);
    p->compare = compare ? row_of_kind(compare->kind, compare->reg) : FH_ROW_NONE;
    for (unsigned i = 0; i < p->read_count; i++) {
        const unsigned o = p->read_operand[i];
        const fhec_operand_kind kind =
            o < x->operand_count ? x->operands[o].kind : FHEC_OPERAND_OTHER;
        if (kind == FHEC_OPERAND_ADDRESS || kind == FHEC_OPERAND_CONSTANT)
            p->address_reads |= 1u << i;
    }
}

void fh_init_prepare(void *own, const fhec_instruction *x) {
    struct fh_init_plan *p = own;
    uint32_t masks[FH_INIT_OPERANDS];
    const fhec_operand *quad = find(x, "mask");
    find_masks(x, masks);
    p->rule = (uint8_t)rule_of(x);
    find_uses(p, x, masks);
    find_sources(p, x, masks);
    find_details(p, x);
    find_places(p, x);
    const enum fh_init_rule rule = (enum fh_init_rule)p->rule;
    if ((rule == FH_INIT_PREDICATES && find(x, "A")) || /* PLOP3 of signs */
        (rule == FH_INIT_HALVES && has(x, "F32")) || p->merges)
        p->rule = FH_INIT_ALL;
    p->uniform = strcmp(x->klass, "uniform") == 0 && rule != FH_INIT_VOTE;
    p->among = rule == FH_INIT_VOTE || rule == FH_INIT_TO_UNIFORM || rule == FH_INIT_ALL_LANES;
    p->wide = rule == FH_INIT_SHUFFLE || rule == FH_INIT_TRANSPOSE;
    p->effect = rule == FH_INIT_STORE || rule == FH_INIT_ATOMIC || rule == FH_INIT_COPY ||
                rule == FH_INIT_MATRIX || rule == FH_INIT_CONTROL || rule == FH_INIT_BARRIER;
    p->always = rule == FH_INIT_ATOMIC || rule == FH_INIT_COPY;
    p->acts = UINT32_MAX;
    if (rule == FH_INIT_MATRIX)
        fh_init_prepare_matrix(p, x);
    if (rule == FH_INIT_MOVE && quad) { /* some lanes of every quad */
        p->acts = 0x11111111u * ((uint32_t)quad->value & 15);
        p->always = true;
    }
    if (rule == FH_INIT_MOVE)
        p->c = p->b;
}
