/*
 * decode.c - a kernel made ready for a launch: every word decoded, operands turned into rows and
 * values, control targets turned into indices, ops joined into superblocks. What is wrong with an
 * instruction becomes a function that faults when it is reached (trap.c). All that is kept for the
 * next launch of the same words; constants are read from their banks for each.
 */
#include "decode.h"

#include "array.h"
#include "atomic_lanes.h"
#include "fhec_patch.h"
#include "isa_names.h"
#include "live_in.h"
#include "needs.h"
#include "op_names.h"
#include "op_template.h"
#include "operand_places.h"
#include "pages.h"
#include "superblock.h"
#include "trap.h"

#include <stdlib.h>
#include <string.h>

/* What c[0x0][0x118] holds. Hardware keeps the descriptor of global memory there; programs hand it
 * on and never look at it. The value would be noticed if it were added to an address. */
#define DESCRIPTOR UINT64_C(0x00f0ca0be0d0c0a0)

static void put32(uint8_t *bank, uint32_t at, uint32_t value) {
    memcpy(bank + at, &value, 4);
}

static void put64(uint8_t *bank, uint32_t at, uint64_t value) {
    memcpy(bank + at, &value, 8);
}

/* Constant bank 0: launch numbers, windows, stack, parameters; then the others. */
static bool make_banks(struct fh_image *image, const fhec_launch *launch,
                       const struct fh_module *module) {
    uint32_t size = FH_PARAM_START + (uint32_t)launch->param_bytes;
    uint8_t *bank = calloc(1, (size + 15u) & ~15u);
    if (!bank)
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        put32(bank, 4 * i, launch->block[i]);
        put32(bank, 0x0c + 4 * i, launch->grid[i]);
    }
    put64(bank, 0x18, FH_SHARED_WINDOW);
    put64(bank, 0x20, FH_LOCAL_WINDOW);
    put32(bank, 0x28, image->local_bytes); /* the stack begins at the end of local memory */
    put32(bank, 0x2c, launch->dynamic_shared);
    put32(bank, 0x10c, 1); /* one multiprocessor, as far as a program can tell */
    put64(bank, 0x50, module ? fh_module_constants(module) : 0);
    put64(bank, 0x118, DESCRIPTOR);
    if (launch->param_bytes)
        memcpy(bank + FH_PARAM_START, launch->params, launch->param_bytes);
    image->bank0 = bank;
    image->banks[0] = (struct fh_bank){bank, size};
    for (uint32_t i = 0; module && i < image->program->bank_count; i++) {
        const struct fh_constant_bank *b = &image->program->banks[i];
        if (b->bank > 0 && b->bank < FH_BANKS)
            image->banks[b->bank] = (struct fh_bank){module->banks[i], b->size};
    }
    for (uint32_t i = 0; i < image->code->bank_count; i++) {
        const struct fh_constant_bank *b = &image->code->banks[i];
        if (b->bank > 0 && b->bank < FH_BANKS)
            image->banks[b->bank] = (struct fh_bank){b->bytes, b->size};
    }
    return true;
}

static uint64_t constant_at(const struct fh_image *image, uint32_t bank, uint32_t offset,
                            uint32_t bytes) {
    const uint8_t *from = image->banks[bank].bytes + offset;
    uint32_t words[2] = {0, 0};
    memcpy(words, from, bytes < 8 ? bytes : 8);
    return bytes == 4 ? (uint64_t)(int32_t)words[0] : (uint64_t)words[1] << 32 | words[0];
}

static uint64_t read_constant(const struct fh_image *image, const struct fh_operand *o,
                              uint32_t bytes) {
    if (!fh_constant_fits(image, o, bytes))
        return 0; /* the instruction faults */
    return constant_at(image, o->bank, (uint32_t)o->value, bytes);
}

/* An operand of one register here that other modifiers give two: bodies see it as 64 bits, the high
 * ones 0, whether it is a register or not. */
static bool is_narrow(const struct fh_inst *inst, unsigned i) {
    return inst->form->operands[i].registers && fh_operand_registers(inst, i) == 1;
}

static const struct fh_mod_spec *mod_named(const struct fh_inst *inst, const char *name,
                                           uint32_t *value) {
    for (unsigned i = 0; i < inst->form->mod_count; i++) {
        if (strcmp(inst->form->mods[i].name, name) == 0) {
            *value = inst->mod[i];
            return &inst->form->mods[i];
        }
    }
    return NULL;
}

/* Bytes by size code: U8 S8 U16 S16 32 64 128. */
static const uint8_t size_bytes[8] = {1, 1, 2, 2, 4, 8, 16, 16};

/* The operands of a load or store: address or constant, and the register of the data. */
static void resolve_access(const struct fh_inst *inst, struct fh_op *op, bool loads_constant) {
    struct fh_address *a = &op->address;
    uint32_t size = 4, addresses = 0;
    const bool atomic = fh_insn_is_atomic(inst->form->insn);
    bool extended = fh_extended(inst);
    const bool sized = mod_named(inst, "size", &size) != NULL;
    a->bytes = atomic ? (uint8_t)fh_atomic_bytes(sized ? size : 0) : size_bytes[size & 7];
    a->sign_extend = !atomic && (size == 1 || size == 3);
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *o = &inst->op[i];
        bool uniform = o->has_ureg && o->ureg != FH_URZ && !o->desc;
        switch (o->kind) {
        case FH_K_ADDR:
            if (addresses++) { /* LDGSTS, whose mnemonic always has .E: the global address */
                op->to = *a;
                extended = true;
            }
            a->offset = o->value;
            a->base = fh_base_row(o);
            a->ureg = uniform ? o->ureg : FH_ZERO_UREG;
            a->shift = o->scale ? (uint8_t)(o->scale + 1) : 0;
            a->wide = o->wide || extended;
            a->base64 = fh_address_registers(inst, i) == 2;
            a->ureg64 = uniform && a->wide;
            break;
        case FH_K_CONST:
            if (!loads_constant)
                break;
            a->offset = o->value;
            a->base = o->has_ureg || o->reg == FH_RZ ? FH_ZERO_ROW : o->reg;
            a->ureg = o->has_ureg && o->ureg != FH_URZ ? o->ureg : FH_ZERO_UREG;
            break;
        case FH_K_REG:
        case FH_K_UREG: a->data = op->row[i]; break;
        default: break;
        }
    }
}

static void resolve_control(const struct fh_image *image, const struct fh_inst *inst,
                            struct fh_op *op) {
    struct fh_control *flow = &op->flow;
    flow->condition = FH_PT;
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *o = &inst->op[i];
        int64_t target = (int64_t)op->pc + FH_INST_BYTES + o->value;
        switch (o->kind) {
        case FH_K_PRED:
            flow->condition = o->reg;
            flow->condition_neg = o->neg;
            break;
        case FH_K_TARGET:
            flow->target = UINT32_MAX;
            if (target >= 0 && target % FH_INST_BYTES == 0 &&
                target / FH_INST_BYTES < (int64_t)image->count)
                flow->target = (uint32_t)(target / FH_INST_BYTES);
            break;
        case FH_K_BARRIER: flow->barrier = o->reg; break;
        case FH_K_REG:
        case FH_K_UREG:
        case FH_K_CONST:
        case FH_K_IMM: flow->value[flow->values++] = (uint8_t)i; break;
        default: break;
        }
    }
}

void fh_image_decode(struct fh_image *image, const struct fh_engine *engine, fhec_word word,
                     uint32_t pc, struct fh_inst *inst, struct fh_op *op) {
    fh_clear(op, sizeof *op);
    op->pc = pc;
    op->guard = FH_PT;
    op->exec = fh_trap_illegal;
    if (!fh_decode(word, inst))
        return;
    op->inst = inst;
    op->guard = inst->guard;
    op->guard_neg = inst->guard_neg;
    const struct fh_insn *insn = &fh_insns[inst->form->insn];
    const bool loads_constant = fh_loads_constant(inst);
    unsigned negated = 0;
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand_spec *spec = &inst->form->operands[i];
        const struct fh_operand *o = &inst->op[i];
        const unsigned registers = fh_operand_registers(inst, i);
        op->row[i] = fh_operand_row(o, spec->access);
        negated |= (unsigned)o->neg << i;
        fh_use_rows(image, o, registers);
        if (spec->plain)
            continue;
        op->imm[i] = o->kind == FH_K_UREG ? 0 : (uint64_t)o->value;
        op->abs[i] = o->abs;
        op->part[i] = o->part;
        if (spec->number == FH_N_F64 && registers == 2)
            op->imm[i] <<= 32; /* the immediate is a double's high word */
        if (o->kind == FH_K_CONST && !loads_constant)
            op->imm[i] = read_constant(image, o, 4 * registers);
        if (spec->registers && registers == 1)
            op->imm[i] = (uint32_t)op->imm[i]; /* see is_narrow */
    }
    op->negated = (uint16_t)negated;
    for (unsigned i = 0; i < inst->form->mod_count; i++)
        op->mod[i] = inst->mod[i];
    fh_op_place(op);
    if (insn->kind == FH_KIND_MEM)
        resolve_access(inst, op, loads_constant);
    if (insn->kind == FH_KIND_CTRL)
        resolve_control(image, inst, op);
    fh_engine_bind(engine, op);
    fh_op_access(op);
    fh_exec_fn *trap = fh_trap_for(image, op);
    if (trap) {
        op->exec = trap;
        op->control = FH_PLAIN;
        op->enter = NULL;
    }
    if (insn->uniform_guard && inst->guard != FH_PT) {
        op->control = FH_UNIFORM_GUARD;
        op->enter = NULL;
    }
}

/* ---------------------------------------------------------------- decoded kernels */

/* A constant that an instruction reads like an immediate: its value is the launch's. That it lies
 * in its bank is the kernel's. */
struct constant_use {
    uint64_t value; /* as the op has it */
    uint32_t op, offset;
    uint8_t operand, bytes, bank;
    bool narrow;
};

struct fh_decoded {
    fhec_word *words;
    struct fh_op *ops; /* fh_pages_unset, and the insts behind them */
    struct fh_inst *insts;
    uint32_t count, rows, registers, bank_size[FH_BANKS];
    struct constant_use *uses;
    size_t use_count, use_room;
    struct fh_needs needs;
    uint64_t live_in[FH_ROW_WORDS];
    struct fh_op_names names; /* made when they are asked for */
};

static void decoded_free(struct fh_decoded *d) {
    if (!d)
        return;
    free(d->words);
    fh_pages_free(d->ops);
    free(d->uses);
    fh_op_names_free(&d->names);
    free(d);
}

void fh_decoder_free(struct fh_decoder *decoder) {
    for (unsigned i = 0; i < FH_DECODED_KEPT; i++)
        decoded_free(decoder->kept[i]);
    for (size_t i = 0; i < decoder->patch_count; i++)
        free(decoder->patches[i].kernel);
    free(decoder->patches);
    *decoder = (struct fh_decoder){0};
}

fhec_status fh_decoder_patch(struct fh_decoder *decoder, uint64_t launch, const char *kernel,
                             uint64_t pc, fhec_word word) {
    const size_t count = decoder->patch_count;
    if (count == FHEC_MAX_PATCHES || pc % sizeof word)
        return FHEC_BAD_INPUT;
    struct fh_code_patch *more = realloc(decoder->patches, (count + 1) * sizeof *more);
    char *name = strdup(kernel);
    if (more)
        decoder->patches = more;
    if (!more || !name) {
        free(name);
        return FHEC_HOST_ERROR;
    }
    more[decoder->patch_count++] = (struct fh_code_patch){name, launch, pc, word, 0};
    return FHEC_OK;
}

/* Later patches of a place come after earlier ones. */
static void apply_patches(struct fh_decoded *d, const char *kernel,
                          const struct fh_decoder *decoder) {
    for (size_t i = 0; i < decoder->patch_count; i++) {
        struct fh_code_patch *patch = &decoder->patches[i];
        if (patch->pc / FH_INST_BYTES >= d->count || strcmp(patch->kernel, kernel) != 0 ||
            (patch->launch && patch->launch != decoder->launch))
            continue;
        d->words[patch->pc / FH_INST_BYTES] = patch->word;
        patch->uses++;
    }
}

/* Room for the image's code. */
static struct fh_decoded *decoded_new(const struct fh_image *image) {
    struct fh_decoded *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->count = image->count;
    d->registers = image->code->registers;
    for (unsigned i = 0; i < FH_BANKS; i++)
        d->bank_size[i] = image->banks[i].size;
    d->words = calloc(d->count + 1u, sizeof *d->words);
    if (!d->words) {
        decoded_free(d);
        return NULL;
    }
    return d;
}

/* Its words as they are in memory. */
static struct fh_decoded *decoded_of(const struct fh_image *image, const struct fh_module *module,
                                     const struct fh_decoder *decoder) {
    struct fh_decoded *d = decoded_new(image);
    if (!d)
        return NULL;
    fh_code_copy(image->program, image->kernel, d->words);
    if (module)
        fh_module_relocate_code(module, image->kernel, d->words);
    if (decoder)
        apply_patches(d, image->code->name, decoder);
    return d;
}

static bool decoded_same(const struct fh_decoded *a, const struct fh_decoded *b) {
    return a->count == b->count && a->registers == b->registers &&
           memcmp(a->bank_size, b->bank_size, sizeof a->bank_size) == 0 &&
           memcmp(a->words, b->words, a->count * sizeof *a->words) == 0;
}

/* Whether operand i is a constant that is there, and no address of memory. */
static bool reads_constant(const struct fh_image *image, const struct fh_op *op, unsigned i) {
    return op->inst->op[i].kind == FH_K_CONST && !fh_loads_constant(op->inst) &&
           fh_constant_fits(image, &op->inst->op[i], 4 * fh_operand_registers(op->inst, i));
}

/* Notes the constants that op number `i` reads. False without host memory. */
static bool note_constants(struct fh_decoded *d, const struct fh_image *image, uint32_t i) {
    const struct fh_op *op = &d->ops[i];
    for (unsigned k = 0; k < op->inst->form->operand_count; k++) {
        if (!reads_constant(image, op, k))
            continue;
        if (!fh_grow(&d->uses, &d->use_room, d->use_count + 1, sizeof *d->uses))
            return false;
        d->uses[d->use_count++] = (struct constant_use){
            .value = op->imm[k],
            .op = i,
            .offset = (uint32_t)op->inst->op[k].value,
            .operand = (uint8_t)k,
            .bytes = (uint8_t)(4 * fh_operand_registers(op->inst, k)),
            .bank = op->inst->op[k].bank,
            .narrow = is_narrow(op->inst, k),
        };
    }
    return true;
}

static bool decode_all(struct fh_decoded *d, struct fh_image *image,
                       const struct fh_engine *engine) {
    const size_t ops = (d->count + 1u) * sizeof *d->ops;
    d->ops = fh_pages_unset(ops + d->count * sizeof *d->insts);
    if (!d->ops)
        return false;
    d->insts = (struct fh_inst *)(void *)((char *)d->ops + ops);
    image->rows = 0;
    struct fh_op_templates templates;
    fh_op_templates_begin(&templates);
    for (uint32_t i = 0; i < d->count; i++) {
        struct fh_op *op = &d->ops[i];
        const uint32_t pc = i * FH_INST_BYTES;
        if (!fh_op_template_decode(&templates, image, d->words[i], pc, &d->insts[i], op)) {
            fh_image_decode(image, engine, d->words[i], pc, &d->insts[i], op);
            fh_op_template_learn(&templates, image, d->words[i], op);
        }
        if (!op->inst || !(op->inst->form->has_constant || op->inst->form->has_barrier))
            continue;
        fh_needs_add(&d->needs, op);
        if (!note_constants(d, image, i))
            return false;
    }
    d->ops[d->count] =
        (struct fh_op){.exec = fh_trap_end, .pc = d->count * FH_INST_BYTES, .guard = FH_PT};
    fh_superblocks_join(engine->threading, d->ops, d->count);
    d->rows = image->rows;
    fh_live_in_rows(d->ops, d->count, d->rows, d->live_in);
    return true;
}

/* Puts the launch's values where the instructions have constants. Most of them are what they were:
 * those ops are not even looked at. */
static void fill_constants(struct fh_image *image) {
    struct fh_decoded *d = image->decoded;
    for (size_t i = 0; i < d->use_count; i++) {
        struct constant_use *use = &d->uses[i];
        uint64_t value = constant_at(image, use->bank, use->offset, use->bytes);
        if (use->narrow)
            value = (uint32_t)value;
        if (value == use->value)
            continue;
        use->value = d->ops[use->op].imm[use->operand] = value;
        fh_op_place(&d->ops[use->op]);
    }
}

/* Where the next code is kept: not in the place of the image's. */
static struct fh_decoded **next_place(const struct fh_image *image, struct fh_decoder *decoder) {
    struct fh_decoded **place = &decoder->kept[decoder->next++ % FH_DECODED_KEPT];
    if (image->decoded && *place == image->decoded)
        place = &decoder->kept[decoder->next++ % FH_DECODED_KEPT];
    return place;
}

/* The code of the words in `d`, which becomes it or is freed: from the decoder, or decoded now.
 * NULL without host memory. */
static struct fh_decoded *find_code(const struct fh_image *image, const struct fh_engine *engine,
                                    struct fh_decoder *decoder, struct fh_decoded *d) {
    struct fh_image with = *image; /* decoding notes there how many registers are touched */
    struct fh_decoded *kept = NULL;
    for (unsigned i = 0; decoder && d && i < FH_DECODED_KEPT && !kept; i++)
        if (decoder->kept[i] && decoded_same(decoder->kept[i], d))
            kept = decoder->kept[i];
    if (kept || !d || !decode_all(d, &with, engine)) {
        decoded_free(d);
        return kept;
    }
    if (decoder) {
        struct fh_decoded **place = next_place(image, decoder);
        decoded_free(*place);
        *place = d;
    }
    return d;
}

void fh_image_take_code(struct fh_image *image, struct fh_decoded *code) {
    image->decoded = code;
    image->words = code->words;
    image->ops = code->ops;
    image->insts = code->insts;
    image->rows = code->rows;
    memcpy(image->live_in, code->live_in, sizeof image->live_in);
    image->barriers = code->needs.barriers;
    fill_constants(image);
}

struct fh_decoded *fh_image_code(const struct fh_image *image, const struct fh_engine *engine,
                                 struct fh_decoder *decoder, const fhec_word *words) {
    struct fh_decoded *d = decoded_new(image);
    if (d)
        memcpy(d->words, words, d->count * sizeof *words);
    return find_code(image, engine, decoder, d);
}

struct fh_op_names *fh_image_names(const struct fh_image *image) {
    struct fh_decoded *d = image->decoded;
    return fh_op_names_begin(&d->names, d->count) ? &d->names : NULL;
}

uint32_t fh_code_rows(const struct fh_decoded *code) {
    return code->rows;
}

bool fh_code_asks_more(const struct fh_decoded *code, const struct fh_image *image) {
    return (code->needs.workspace && !image->decoded->needs.workspace) ||
           (code->needs.reserved && !image->decoded->needs.reserved);
}

/* ---------------------------------------------------------------- images */

/* Behind the kernel's own shared memory. */
static void give_reserved(struct fh_image *image) {
    image->reserved_bytes = FH_SHARED_RESERVED;
    image->shared_room = fh_shared_allocated(image->shared_bytes) + FH_SHARED_RESERVED;
    put32(image->bank0, FH_RESERVED_SIZE, FH_SHARED_RESERVED);
    put32(image->bank0, FH_RESERVED_END, image->shared_room);
    put32(image->bank0, FH_RESERVED_OFFSET_1, image->shared_room - FH_SHARED_RESERVED / 2);
    fill_constants(image);
}

fhec_status fh_image_make(struct fh_image *image, const fhec_launch *launch,
                          const struct fh_engine *engine, const struct fh_module *module,
                          struct fh_decoder *decoder) {
    const struct fh_kernel *code = &launch->program->kernels[launch->kernel];
    uint32_t local_bytes =
        launch->stack_bytes > code->local_bytes ? launch->stack_bytes : code->local_bytes;
    *image = (struct fh_image){
        .program = launch->program,
        .kernel = launch->kernel,
        .code = code,
        .count = fh_code_span(launch->program, launch->kernel),
        .threads = launch->block[0] * launch->block[1] * launch->block[2],
        .blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2],
        .shared_bytes = code->shared_bytes + launch->dynamic_shared,
        .local_bytes = (local_bytes + 15u) & ~15u,
        .ref = engine->ref,
        .run_superblock = engine->threading->run,
    };
    memcpy(image->grid, launch->grid, sizeof image->grid);
    memcpy(image->block, launch->block, sizeof image->block);
    image->warps = (image->threads + FH_LANES - 1) / FH_LANES;
    image->shared_room = image->shared_bytes;
    struct fh_decoded *decoded = NULL;
    if (make_banks(image, launch, module))
        decoded = find_code(image, engine, decoder, decoded_of(image, module, decoder));
    if (!decoded) {
        fh_image_free(image);
        return FHEC_HOST_ERROR;
    }
    image->owned = !decoder;
    fh_image_take_code(image, decoded);
    if (image->decoded->needs.reserved)
        give_reserved(image);
    return FHEC_OK;
}

bool fh_image_uses_workspace(const struct fh_image *image) {
    return image->decoded->needs.workspace;
}

void fh_image_give_workspace(struct fh_image *image, uint64_t address) {
    put32(image->bank0, FH_WORKSPACE_HIGH, (uint32_t)(address >> 32));
    put32(image->bank0, FH_WORKSPACE_LOW, (uint32_t)address);
    fill_constants(image);
}

/* Whether it is part of the kernel, which all machines share. */
static bool belongs_to_kernel(const struct fh_image *image, uint32_t bank) {
    bool belongs = false;
    for (uint32_t i = 0; i < image->code->bank_count; i++)
        belongs |= image->code->banks[i].bank == bank;
    return belongs;
}

uint8_t *fh_image_own_bank(struct fh_image *image, uint32_t number) {
    struct fh_bank *bank = &image->banks[number];
    if (belongs_to_kernel(image, number) && !image->own[number]) {
        uint8_t *copy = malloc(bank->size + 1u);
        if (!copy)
            return NULL;
        memcpy(copy, bank->bytes, bank->size);
        bank->bytes = image->own[number] = copy;
    }
    return (uint8_t *)bank->bytes;
}

void fh_image_refresh(struct fh_image *image) {
    fill_constants(image);
}

void fh_image_free(struct fh_image *image) {
    if (image->owned)
        decoded_free(image->decoded);
    free(image->bank0);
    for (unsigned i = 0; i < FH_BANKS; i++)
        free(image->own[i]);
    *image = (struct fh_image){0};
}
