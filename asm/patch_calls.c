/*
 * patch_calls.c - the calls of cuda/fhec.cuh's functions become the instructions they stand for.
 *
 * A call is known by its target, a function fhec_insn_NAME; its operands are where the calling
 * convention has them: words of arguments in R4 to R15, more on the stack from [R1] on, the result
 * from R4 on. Registers that a callee may change, and that hold no argument: R32 to R35 and R40 to
 * R43. So an instruction of lanes takes the call's place:
 *
 *     MOV R20, .L ; MOV R21, 0 ; CALL   ->   NOP ; NOP ; MODMUL.U64 R4, R4, R6, R8
 *
 * and FHEC takes the places of the moves of the return address, too, to load what is on the stack:
 *
 *     MOV R20, .L ; X ; MOV R21, 0 ; CALL   ->   X ; LDL.128 R32, [R1] ;
 *                                                LDL.128 R40, [R1+0x10] ; FHEC ... R32, R40
 *
 * The functions themselves stay as they are, for pointers to them.
 */
#include "fhec_patch.h"

#include "diagnostic.h"
#include "program.h"
#include "sched_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATCH_DIAGNOSTICS(DIAGNOSTIC)                                                              \
    DIAGNOSTIC(NAME, "P001", ERROR, "there is no instruction for the function %s")                 \
    DIAGNOSTIC(CONVENTION, "P002", ERROR,                                                          \
               "the call of %s does not follow the calling convention: its function returns "      \
               "through another register than R20")                                                \
    DIAGNOSTIC(ROOM, "P003", ERROR,                                                                \
               "no room for the instruction of %s: the moves of the call's return address are "    \
               "not in front of it")

enum patch_id {
#define X(name, id, severity, text) PATCH_##name,
    PATCH_DIAGNOSTICS(X)
#undef X
        PATCH_COUNT
};
static const struct fh_diagnostic_row rows[PATCH_COUNT] = {PATCH_DIAGNOSTICS(FH_DIAGNOSTIC_ROW)};

#define PREFIX "fhec_insn_"
enum {
    TEXT_SIZE = 512,
    RETURN_LOW = 20, /* the return address */
    RETURN_HIGH = 21,
    MATRIX_REGISTERS = 44, /* of code with FHEC */
    LOADED = 0,            /* the scoreboards of what is loaded from the stack, and of results */
    DONE = 1,
    SAFE_STALL = 15, /* cycles in front of an instruction: whatever takes a fixed time is there */
    YIELD_STALL = 12 /* from here on a stall must yield */
};

/* What a function stands for. */
struct operation {
    const char *name, *feature, *text;
    bool stack; /* C and the modulus are on the stack */
};
static const struct operation operations[] = {
    {"fhec_16816", "fhec", "FHEC.16816.U32.U32.MIX R4, R4.ROW, R12.COL, R32, R40", true},
    {"modred_u32", "gme", "MODRED.U32 R4, R4, R5", false},
    {"modred_u64", "gme", "MODRED.U64 R4, R4, R6", false},
    {"modadd_u32", "gme", "MODADD.U32 R4, R4, R5, R6", false},
    {"modadd_u64", "gme", "MODADD.U64 R4, R4, R6, R8", false},
    {"modsub_u32", "gme", "MODSUB.U32 R4, R4, R5, R6", false},
    {"modsub_u64", "gme", "MODSUB.U64 R4, R4, R6, R8", false},
    {"modmul_u32", "gme", "MODMUL.U32 R4, R4, R5, R6", false},
    {"modmul_u64", "gme", "MODMUL.U64 R4, R4, R6, R8", false},
    {"modmad_u32", "gme", "MODMAD.U32 R4, R4, R5, R6, R7", false},
    {"modmad_u64", "gme", "MODMAD.U64 R4, R4, R6, R8, R10", false},
    {"wmac_lo_u64", "gme", "WMAC.LO.U64 R4, R4, R6, R8", false},
    {"wmac_hi_u64", "gme", "WMAC.HI.U64 R4, R4, R6, R8", false},
    {"montmul_u32", "mont", "MONTMUL.U32 R4, R4, R5, R6", false},
    {"montmul_u64", "mont", "MONTMUL.U64 R4, R4, R6, R8", false},
};

/* The code of a kernel or of a function. */
struct body {
    enum fh_holder holder;
    uint32_t index, first, count; /* first: its first word in the code space */
    fhec_word *words;
    struct fh_origin *origins; /* may be NULL */
    const struct fh_entry *entries;
    uint32_t entry_count;
    uint32_t *registers;
    char **target;
    bool *begins; /* a block begins at the word */
};

struct patch {
    fhec_program *program;
    fhec_diagnostic_fn *diagnostic;
    void *user;
    struct body body;
    size_t *count;
    bool failed, no_memory, matrix;
};

/* A called function: its name and code. */
struct callee {
    const char *name;
    const fhec_word *words;
    uint32_t count;
};

static const char *root_of(const struct fh_inst *inst) {
    return fh_insns[inst->form->insn].root;
}

static bool is_a(fhec_word word, const char *root, struct fh_inst *inst) {
    return fh_decode(word, inst) && strcmp(root_of(inst), root) == 0;
}

static void report(struct patch *p, enum patch_id id, uint32_t word, const char *name) {
    char message[TEXT_SIZE];
    const struct body *b = &p->body;
    fhec_diagnostic d = {.id = rows[id].id, .severity = rows[id].severity, .message = message};
    (void)snprintf(message, sizeof message, rows[id].text, name);
    if (b->origins)
        d.at = fh_origin_location(p->program, &b->origins[word]);
    p->failed = true;
    if (p->diagnostic)
        p->diagnostic(p->user, &d);
}

/* ---------------------------------------------------------------- calls and their targets */

static struct fh_relocation *relocation_of(const struct patch *p, uint32_t word) {
    for (uint32_t i = 0; i < p->program->relocation_count; i++) {
        struct fh_relocation *r = &p->program->relocations[i];
        if (r->holder == p->body.holder && r->index == p->body.index &&
            r->offset / FH_INST_BYTES == word)
            return r;
    }
    return NULL;
}

static bool function_at(const struct patch *p, uint64_t word, struct callee *callee) {
    for (uint32_t f = 0; f < p->program->function_count; f++) {
        const struct fh_function *function = &p->program->functions[f];
        if (function->first == word) {
            *callee = (struct callee){function->name, function->words, function->word_count};
            return true;
        }
    }
    return false;
}

/* The function that the word calls by its name. */
static bool callee_of(const struct patch *p, uint32_t at, struct callee *callee) {
    const struct body *b = &p->body;
    struct fh_inst inst;
    if (!is_a(b->words[at], "CALL", &inst))
        return false;
    const struct fh_relocation *r = relocation_of(p, at);
    if (r && r->of == FH_OF_FUNCTION && r->addend == 0)
        return function_at(p, p->program->functions[r->target].first, callee);
    for (unsigned i = 0; i < inst.form->operand_count; i++) {
        if (inst.op[i].kind != FH_K_TARGET)
            continue;
        int64_t to = (int64_t)at + 1 + inst.op[i].value / FH_INST_BYTES;
        for (uint32_t e = 0; e < b->entry_count; e++) {
            const struct fh_entry *entry = &b->entries[e];
            if (entry->word == to) {
                *callee = (struct callee){entry->name, b->words + to, entry->word_count};
                return true;
            }
        }
        return function_at(p, (uint64_t)((int64_t)b->first + to), callee);
    }
    return false;
}

/* "$kernel$fhec_insn_NAME.2" -> "NAME" and its length; NULL: another function. */
static const char *operation_name(const char *name, size_t *length) {
    const char *dollar = strrchr(name, '$');
    const char *from = dollar ? dollar + 1 : name;
    if (strncmp(from, PREFIX, strlen(PREFIX)) != 0)
        return NULL;
    from += strlen(PREFIX);
    *length = strcspn(from, ".");
    return from;
}

static const struct operation *find_operation(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strlen(operations[i].name) == length && strncmp(operations[i].name, name, length) == 0)
            return &operations[i];
    return NULL;
}

/* Whether the function returns by the register of the convention. */
static bool conventional(const struct callee *callee) {
    bool returns = false;
    for (uint32_t i = 0; i < callee->count; i++) {
        struct fh_inst inst;
        if (!is_a(callee->words[i], "RET", &inst))
            continue;
        for (unsigned o = 0; o < inst.form->operand_count; o++)
            if (inst.op[o].kind == FH_K_REG && inst.op[o].reg != RETURN_LOW)
                return false;
        returns = true;
    }
    return returns;
}

/* ---------------------------------------------------------------- the block before a call */

static bool mark_blocks(struct patch *p) {
    struct body *b = &p->body;
    b->begins = calloc((size_t)b->count + 1, sizeof *b->begins);
    if (!b->begins)
        return false;
    for (uint32_t i = 0; i < b->count; i++) {
        struct fh_inst inst;
        if (!fh_decode(b->words[i], &inst)) {
            b->begins[i] = b->begins[i + 1] = true;
            continue;
        }
        if (fh_insns[inst.form->insn].kind == FH_KIND_CTRL && strcmp(root_of(&inst), "BSSY") &&
            strcmp(root_of(&inst), "NOP"))
            b->begins[i + 1] = true;
        for (unsigned o = 0; o < inst.form->operand_count; o++) {
            int64_t to = (int64_t)i + 1 + inst.op[o].value / FH_INST_BYTES;
            if (inst.op[o].kind == FH_K_TARGET && to >= 0 && to < b->count)
                b->begins[to] = true;
        }
    }
    return true;
}

static bool touches(const struct fh_inst *inst, unsigned reg, unsigned access) {
    for (unsigned o = 0; o < inst->form->operand_count; o++) {
        const struct fh_operand *op = &inst->op[o];
        bool address = op->kind == FH_K_ADDR;
        if (op->kind != FH_K_REG && !address)
            continue;
        unsigned count = address ? fh_address_registers(inst, o) : fh_operand_registers(inst, o);
        unsigned how = address ? FH_READ : inst->form->operands[o].access;
        if ((how & access) && op->reg <= reg && reg < op->reg + count)
            return true;
    }
    return false;
}

/* The word before the call that gives half of its return address and serves nothing else;
 * UINT32_MAX: there is none in the block. */
static uint32_t return_move(const struct body *b, uint32_t call, unsigned reg) {
    for (uint32_t i = call; i > 0 && !b->begins[i]; i--) {
        struct fh_inst inst;
        if (!fh_decode(b->words[i - 1], &inst) || touches(&inst, reg, FH_READ))
            return UINT32_MAX;
        if (!touches(&inst, reg, FH_WRITE))
            continue;
        bool move = !strcmp(root_of(&inst), "MOV") || !strcmp(root_of(&inst), "IMAD") ||
                    !strcmp(root_of(&inst), "HFMA2");
        bool single = fh_operand_registers(&inst, 0) == 1 && inst.guard == FH_PT;
        return move && single ? i - 1 : UINT32_MAX;
    }
    return UINT32_MAX;
}

/* ---------------------------------------------------------------- words */

static void drop_relocation(struct patch *p, uint32_t word) {
    struct fh_relocation *r = relocation_of(p, word);
    if (r)
        *r = p->program->relocations[--p->program->relocation_count];
}

static void set_sched(fhec_word *word, struct fh_sched sched) {
    if (sched.stall >= YIELD_STALL)
        sched.yield = 0;
    if (sched.yield == 0) /* what is kept for reuse may be lost */
        word->hi &= ~(UINT64_C(7) << FH_REUSE_SHIFT);
    sched.reuse = 0;
    fh_sched_set(word, &sched);
}

static void add_stall(fhec_word *word, unsigned cycles) {
    struct fh_sched sched;
    fh_sched_get(*word, &sched);
    unsigned stall = sched.stall + cycles;
    sched.stall = (uint8_t)(stall < SAFE_STALL ? stall : SAFE_STALL);
    set_sched(word, sched);
}

static void add_wait(fhec_word *word, unsigned mask) {
    struct fh_sched sched;
    fh_sched_get(*word, &sched);
    sched.wait_mask = (uint8_t)(sched.wait_mask | mask);
    word->hi |= (uint64_t)sched.wait_mask << FH_WAIT_MASK_SHIFT;
}

/* The instruction `text` with the guard of `like`. */
static fhec_word assemble(struct patch *p, const char *text, fhec_word like,
                          struct fh_sched sched) {
    fhec_word word = {0, 0};
    char line[TEXT_SIZE];
    (void)snprintf(line, sizeof line, "%s ;", text);
    if (fhec_assemble_word(line, 0, NULL, NULL, &word) != FHEC_OK)
        p->no_memory = true;
    word.lo = (word.lo & ~UINT64_C(0xf000)) | (like.lo & 0xf000);
    sched.reuse = 0;
    fh_sched_set(&word, &sched);
    return word;
}

/* The scoreboards that something in the code of a call may still hold: nobody waits for others. */
static unsigned scoreboards_set(const struct body *b, uint32_t call) {
    uint32_t from = 0, to = b->count;
    for (uint32_t e = 0; e < b->entry_count; e++) {
        uint32_t word = b->entries[e].word;
        if (word <= call)
            from = word > from ? word : from;
        else
            to = word < to ? word : to;
    }
    unsigned mask = 0;
    for (uint32_t i = from; i < to; i++) {
        struct fh_sched sched;
        fh_sched_get(b->words[i], &sched);
        mask |= 1u << sched.write_barrier | 1u << sched.read_barrier;
    }
    return mask & 63;
}

/* Takes a word out of the code before `call`: those behind it move up, and there is room for one
 * word right before the call. Returns the scoreboards that it waited for. */
static unsigned take_out(struct patch *p, uint32_t word, uint32_t call) {
    struct body *b = &p->body;
    struct fh_sched out;
    fh_sched_get(b->words[word], &out);
    drop_relocation(p, word);
    if (word > 0 && !b->begins[word])
        add_stall(&b->words[word - 1], out.stall);
    add_wait(&b->words[word + 1], out.wait_mask);
    for (uint32_t i = word; i + 1 < call; i++) {
        struct fh_inst inst;
        struct fh_relocation *r = relocation_of(p, i + 1);
        b->words[i] = b->words[i + 1];
        if (b->origins)
            b->origins[i] = b->origins[i + 1];
        if (r)
            r->offset -= FH_INST_BYTES;
        bool branch = false;
        if (!fh_decode(b->words[i], &inst))
            continue;
        for (unsigned o = 0; o < inst.form->operand_count; o++) {
            if (inst.op[o].kind == FH_K_TARGET) {
                inst.op[o].value += FH_INST_BYTES;
                branch = true;
            }
        }
        if (branch)
            b->words[i] = fh_encode(&inst);
    }
    if (b->origins)
        b->origins[call - 1] = b->origins[call];
    return out.wait_mask;
}

/* ---------------------------------------------------------------- a call becomes an instruction */

static void keep_nop(struct patch *p, uint32_t word) {
    struct body *b = &p->body;
    struct fh_sched sched;
    if (word == UINT32_MAX)
        return;
    fh_sched_get(b->words[word], &sched);
    drop_relocation(p, word);
    fhec_word like = {b->words[word].lo, 0};
    b->words[word] = assemble(p, "NOP", like, sched);
}

static void patch_lanes(struct patch *p, const struct operation *op, uint32_t call, unsigned wait) {
    struct body *b = &p->body;
    keep_nop(p, return_move(b, call, RETURN_LOW));
    keep_nop(p, return_move(b, call, RETURN_HIGH));
    if (call > 0)
        add_stall(&b->words[call - 1], SAFE_STALL);
    struct fh_sched sched = {.stall = 2,
                             .yield = 1,
                             .write_barrier = DONE,
                             .read_barrier = 7,
                             .wait_mask = (uint8_t)wait};
    b->words[call] = assemble(p, op->text, b->words[call], sched);
}

static void patch_matrix(struct patch *p, const struct operation *op, uint32_t call, unsigned wait,
                         const char *name) {
    struct body *b = &p->body;
    uint32_t low = return_move(b, call, RETURN_LOW), high = return_move(b, call, RETURN_HIGH);
    if (low == UINT32_MAX || high == UINT32_MAX) {
        report(p, PATCH_ROOM, call, name);
        return;
    }
    wait |= take_out(p, low > high ? low : high, call);
    wait |= take_out(p, low < high ? low : high, call - 1);
    fhec_word guard = b->words[call];
    struct fh_sched load = {.stall = SAFE_STALL,
                            .yield = 0,
                            .write_barrier = LOADED,
                            .read_barrier = 7,
                            .wait_mask = (uint8_t)wait};
    b->words[call - 2] = assemble(p, "LDL.128 R32, [R1]", guard, load);
    load.wait_mask = 0;
    b->words[call - 1] = assemble(p, "LDL.128 R40, [R1+0x10]", guard, load);
    struct fh_sched sched = {.stall = 2,
                             .yield = 1,
                             .write_barrier = DONE,
                             .read_barrier = 7,
                             .wait_mask = 1u << LOADED};
    b->words[call] = assemble(p, op->text, guard, sched);
    p->matrix = true;
    if (*b->registers < MATRIX_REGISTERS)
        *b->registers = MATRIX_REGISTERS;
}

static void need_feature(struct patch *p, const char *feature) {
    const char *old = *p->body.target ? *p->body.target : "sm_80";
    if (strstr(old, feature) && (strstr(old, feature)[-1] == ' '))
        return;
    size_t size = strlen(old) + strlen(feature) + sizeof ", ";
    char *text = malloc(size);
    if (!text) {
        p->no_memory = true;
        return;
    }
    (void)snprintf(text, size, "%s, %s", old, feature);
    free(*p->body.target);
    *p->body.target = text;
}

static void patch_call(struct patch *p, uint32_t call, const struct callee *callee) {
    struct body *b = &p->body;
    size_t length;
    const char *name = operation_name(callee->name, &length);
    if (!name)
        return;
    const struct operation *op = find_operation(name, length);
    if (!op || !conventional(callee) || call + 1 >= b->count) {
        report(p, op ? PATCH_CONVENTION : PATCH_NAME, call, callee->name);
        return;
    }
    struct fh_sched sched;
    fh_sched_get(b->words[call], &sched);
    unsigned wait = sched.wait_mask | scoreboards_set(b, call);
    if (op->stack)
        patch_matrix(p, op, call, wait, callee->name);
    else
        patch_lanes(p, op, call, wait);
    if (p->failed)
        return;
    drop_relocation(p, call);
    add_wait(&b->words[call + 1], 1u << DONE);
    need_feature(p, op->feature);
    ++*p->count;
}

static void patch_body(struct patch *p) {
    struct body *b = &p->body;
    if (!mark_blocks(p)) {
        p->no_memory = true;
        return;
    }
    for (uint32_t i = 0; i < b->count && !p->no_memory; i++) {
        struct callee callee;
        if (callee_of(p, i, &callee))
            patch_call(p, i, &callee);
    }
    free(b->begins);
}

fhec_status fhec_patch_calls(fhec_program *program, fhec_diagnostic_fn *diagnostic, void *user,
                             size_t *count) {
    struct patch p = {.program = program, .diagnostic = diagnostic, .user = user, .count = count};
    *count = 0;
    for (uint32_t i = 0; i < program->kernel_count && !p.no_memory; i++) {
        struct fh_kernel *k = &program->kernels[i];
        p.body = (struct body){.holder = FH_IN_KERNEL,
                               .index = i,
                               .count = k->word_count,
                               .words = k->words,
                               .origins = k->origins,
                               .entries = k->entries,
                               .entry_count = k->entry_count,
                               .registers = &k->registers,
                               .target = &k->target};
        patch_body(&p);
    }
    p.matrix = false;
    for (uint32_t i = 0; i < program->function_count && !p.no_memory; i++) {
        struct fh_function *f = &program->functions[i];
        p.body = (struct body){.holder = FH_IN_FUNCTION,
                               .index = i,
                               .first = f->first,
                               .count = f->word_count,
                               .words = f->words,
                               .origins = f->origins,
                               .entries = f->entries,
                               .entry_count = f->entry_count,
                               .registers = &f->registers,
                               .target = &f->target};
        patch_body(&p);
    }
    for (uint32_t i = 0; p.matrix && i < program->kernel_count; i++)
        if (program->kernels[i].registers < MATRIX_REGISTERS)
            program->kernels[i].registers = MATRIX_REGISTERS;
    return p.no_memory ? FHEC_HOST_ERROR : p.failed ? FHEC_BAD_INPUT : FHEC_OK;
}
