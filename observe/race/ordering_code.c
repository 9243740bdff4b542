/*
 * ordering_code.c - see ordering_code.h.
 */
#include "ordering_code.h"

#include <stdlib.h>
#include <string.h>

#include "polling.h"

enum { WORD_BYTES = 16, PREDICATE_TRUE = 7 };

static bool mnemonic_is(const char *mnemonic, const char *root) {
    const size_t length = strlen(root);
    return strncmp(mnemonic, root, length) == 0 &&
           (mnemonic[length] == '.' || mnemonic[length] == '\0');
}

static bool mnemonic_among(const char *mnemonic, const char *const *roots) {
    for (; *roots; roots++)
        if (mnemonic_is(mnemonic, *roots))
            return true;
    return false;
}

static bool has_modifier(const char *mnemonic, const char *text) {
    const size_t length = strlen(text);
    for (const char *at = strchr(mnemonic, '.'); at; at = strchr(at + 1, '.'))
        if (strncmp(at + 1, text, length) == 0 && (at[1 + length] == '.' || at[1 + length] == '\0'))
            return true;
    return false;
}

static enum fh_ordering ordering_by_name(const char *mnemonic) {
    static const char *const accesses[] = {"LDG", "STG",   "LDS",   "STS",  "LD",      "ST", "ATOM",
                                           "RED", "ATOMG", "ATOMS", "LDSM", "ARRIVES", NULL};
    static const char *const ends[] = {"EXIT", "KILL", NULL};
    static const char *const meetings[] = {"SHFL", "VOTE", "VOTEU", "MATCH", "REDUX", "NOP", NULL};
    if (mnemonic_among(mnemonic, accesses))
        return FH_ORDER_ACCESS;
    if (mnemonic_among(mnemonic, ends))
        return FH_ORDER_END;
    if (mnemonic_among(mnemonic, meetings))
        return FH_ORDER_MEET;
    if (mnemonic_is(mnemonic, "BSYNC"))
        return FH_ORDER_CONVERGE;
    if (mnemonic_is(mnemonic, "LDGSTS"))
        return FH_ORDER_COPY;
    if (mnemonic_is(mnemonic, "MEMBAR"))
        return FH_ORDER_FENCE;
    if (mnemonic_is(mnemonic, "WARPSYNC"))
        return FH_ORDER_WARPSYNC;
    if (mnemonic_is(mnemonic, "BAR"))
        return has_modifier(mnemonic, "ARV") ? FH_ORDER_ARRIVE : FH_ORDER_BARRIER;
    return FH_ORDER_NONE;
}

/* Atomic operations are strong whatever they say; one on shared memory is about the block. */
static enum fh_reach reach_of(const char *mnemonic) {
    static const char *const atomic[] = {"ATOM", "ATOMG", "RED", NULL};
    static const char *const shared[] = {"ATOMS", "ARRIVES", NULL};
    static const char *const narrow[] = {"SM", "CTA", NULL};
    if (mnemonic_among(mnemonic, shared))
        return FH_REACH_BLOCK;
    const bool fence = mnemonic_is(mnemonic, "MEMBAR");
    if (!fence && !has_modifier(mnemonic, "STRONG"))
        return mnemonic_among(mnemonic, atomic) ? FH_REACH_GRID : FH_REACH_NONE;
    for (unsigned i = 0; narrow[i]; i++)
        if (has_modifier(mnemonic, narrow[i]))
            return FH_REACH_BLOCK;
    return FH_REACH_GRID;
}

static void find_operands(struct fh_ordering_code *code, const fhec_instruction *instruction) {
    code->predicate = PREDICATE_TRUE;
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const fhec_operand *operand = &instruction->operands[i];
        code->returns |= operand->written && operand->reg != FHEC_NO_REGISTER;
        if (!operand->read)
            continue;
        if (operand->kind == FHEC_OPERAND_PREDICATE) {
            code->predicate =
                operand->reg == FHEC_NO_REGISTER ? PREDICATE_TRUE : (uint8_t)operand->reg;
            code->negated = operand->negated;
        } else if (strcmp(operand->name, "count") == 0) {
            code->counted = operand->kind != FHEC_OPERAND_IMMEDIATE || operand->value;
        } else if (strcmp(operand->name, "mask") == 0) {
            code->has_mask = operand->kind == FHEC_OPERAND_REGISTER;
            code->mask_register = operand->reg;
            code->mask_known = operand->kind == FHEC_OPERAND_IMMEDIATE ||
                               (code->has_mask && operand->reg == FHEC_NO_REGISTER);
            code->mask = operand->kind == FHEC_OPERAND_IMMEDIATE ? (uint32_t)operand->value : 0;
        }
    }
}

/* Compilers end their code with a branch to itself, and fill it up with NOPs, also when it comes
 * back as text. */
static bool is_compiled(const fhec_launch *launch) {
    fhec_kernel_info info;
    fhec_instruction last;
    if (fhec_kernel_get(launch->program, launch->kernel, &info) != FHEC_OK || !info.word_count)
        return false;
    const uint64_t pc = (uint64_t)(info.word_count - 1) * WORD_BYTES;
    if (fhec_instruction_get(info.words[info.word_count - 1], pc, &last) != FHEC_OK)
        return false;
    for (uint32_t i = 0; i < last.operand_count; i++)
        if (last.operands[i].kind == FHEC_OPERAND_TARGET && (uint64_t)last.operands[i].value == pc)
            return true;
    return mnemonic_is(last.mnemonic, "NOP");
}

static void describe_code(struct fh_ordering_code *code, const fhec_launch *launch, uint64_t pc) {
    static const char *const stores[] = {"STG", "ST", "STS", NULL};
    fhec_instruction instruction;
    code->known = true;
    if (fhec_instruction_get(code->word, pc, &instruction) != FHEC_OK)
        return;
    const char *mnemonic = instruction.mnemonic;
    code->ordering = (uint8_t)ordering_by_name(mnemonic);
    code->copies = mnemonic_is(mnemonic, "DEPBAR") || mnemonic_is(mnemonic, "LDGDEPBAR") ||
                   mnemonic_is(mnemonic, "ARRIVES");
    if (code->ordering == FH_ORDER_NONE && strcmp(instruction.klass, "matrix") == 0)
        code->ordering = FH_ORDER_MATRIX;
    if (code->ordering == FH_ORDER_NONE)
        return;
    code->reach = (uint8_t)reach_of(mnemonic);
    code->stores = mnemonic_among(mnemonic, stores);
    code->swaps = has_modifier(mnemonic, "CAS") || has_modifier(mnemonic, "CAST");
    code->releases = mnemonic_is(mnemonic, "ARRIVES") || has_modifier(mnemonic, "ARRIVE");
    code->polls = mnemonic_is(mnemonic, "LDS") && fh_polls(launch, pc);
    find_operands(code, &instruction);
    if (mnemonic_is(mnemonic, "NOP") && !is_compiled(launch))
        code->ordering = FH_ORDER_NONE;
}

static bool copies_among(const fhec_word *words, uint32_t count) {
    char mnemonic[96];
    for (uint32_t i = 0; i < count; i++)
        if (fhec_mnemonic(words[i], mnemonic, sizeof mnemonic) > 0 &&
            mnemonic_is(mnemonic, "LDGSTS"))
            return true;
    return false;
}

static struct fh_ordering_kernel *kernel_of(struct fh_ordering_codes *codes,
                                            const fhec_launch *launch) {
    struct fh_ordering_kernel *k = codes->last;
    if (k && k->program == launch->program && k->kernel == launch->kernel)
        return k;
    for (k = codes->kernels; k; k = k->next)
        if (k->program == launch->program && k->kernel == launch->kernel)
            return codes->last = k;
    return NULL;
}

static bool make_room(struct fh_ordering_kernel *kernel, size_t number) {
    size_t count = kernel->count ? kernel->count : 64;
    while (count <= number)
        count *= 2;
    struct fh_ordering_code *code = realloc(kernel->code, count * sizeof *code);
    if (!code)
        return false;
    memset(code + kernel->count, 0, (count - kernel->count) * sizeof *code);
    kernel->code = code;
    kernel->count = count;
    return true;
}

bool fh_ordering_has_copies(struct fh_ordering_codes *codes, const fhec_launch *launch) {
    struct fh_ordering_kernel *kernel = kernel_of(codes, launch);
    fhec_kernel_info info;
    fhec_function_info function;
    if (!kernel || kernel->searched)
        return kernel && kernel->copies;
    kernel->searched = true;
    if (fhec_kernel_get(launch->program, launch->kernel, &info) == FHEC_OK)
        kernel->copies = copies_among(info.words, info.word_count);
    for (size_t i = 0; i < fhec_function_count(launch->program) && !kernel->copies; i++)
        if (fhec_function_get(launch->program, i, &function) == FHEC_OK)
            kernel->copies = copies_among(function.words, function.word_count);
    return kernel->copies;
}

const struct fh_ordering_code *fh_ordering_code_make(struct fh_ordering_codes *codes,
                                                     const fhec_launch *launch, uint64_t pc,
                                                     fhec_word word) {
    struct fh_ordering_kernel *kernel = kernel_of(codes, launch);
    const size_t number = (size_t)(pc / WORD_BYTES);
    if (!kernel) {
        kernel = calloc(1, sizeof *kernel);
        if (!kernel)
            return NULL;
        kernel->program = launch->program;
        kernel->kernel = launch->kernel;
        kernel->next = codes->kernels;
        codes->kernels = codes->last = kernel;
    }
    if (number >= kernel->count && !make_room(kernel, number))
        return NULL;
    struct fh_ordering_code *code = &kernel->code[number];
    if (!code->known || code->word.lo != word.lo || code->word.hi != word.hi) {
        kernel->searched &= !code->known; /* another program may lie there now */
        *code = (struct fh_ordering_code){.word = word};
        describe_code(code, launch, pc);
        kernel->mbarriers |= code->releases;
        kernel->polls |= code->polls;
    }
    code->behind = number && kernel->code[number - 1].ordering == FH_ORDER_CONVERGE;
    return code;
}

const struct fh_ordering_code *fh_ordering_code_of(struct fh_ordering_codes *codes,
                                                   const fhec_event *event) {
    const struct fh_ordering_kernel *kernel = kernel_of(codes, event->launch);
    const size_t number = (size_t)(event->pc / WORD_BYTES);
    return kernel && number < kernel->count ? &kernel->code[number] : NULL;
}

const struct fh_ordering_code *fh_ordering_code_at(const struct fh_ordering_codes *codes,
                                                   uint32_t number) {
    return &codes->last->code[number];
}

const struct fh_ordering_kernel *fh_ordering_kernel_last(const struct fh_ordering_codes *codes) {
    return codes->last;
}

void fh_ordering_codes_free(struct fh_ordering_codes *codes) {
    while (codes->kernels) {
        struct fh_ordering_kernel *next = codes->kernels->next;
        free(codes->kernels->code);
        free(codes->kernels);
        codes->kernels = next;
    }
    codes->last = NULL;
}

uint32_t fh_ordering_lanes(const struct fh_ordering_code *code, const fhec_event *event) {
    fhec_values values;
    if (code->predicate == PREDICATE_TRUE)
        return code->negated ? 0 : event->active;
    for (size_t i = 0; fhec_event_registers(event, i, &values); i++)
        if (values.file == FHEC_FILE_P && values.first == code->predicate)
            return event->active & (code->negated ? ~values.values[0] : values.values[0]);
    return event->active;
}

bool fh_ordering_masks(const struct fh_ordering_code *code, const fhec_event *event,
                       uint32_t masks[FHEC_WARP_LANES]) {
    fhec_values values;
    for (uint32_t lane = 0; code->mask_known && lane < FHEC_WARP_LANES; lane++)
        masks[lane] = code->mask;
    if (code->mask_known)
        return true;
    for (size_t i = 0; code->has_mask && fhec_event_registers(event, i, &values); i++) {
        if (values.file != FHEC_FILE_R || values.first != code->mask_register)
            continue;
        memcpy(masks, values.values, FHEC_WARP_LANES * sizeof *masks);
        return true;
    }
    return false;
}
