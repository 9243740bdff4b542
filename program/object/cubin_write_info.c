/*
 * cubin_write_info.c - the sections of an object that tell about its code: .nv.info, the note of
 * the architecture, and .fhec.info. Their layout is in cubin.h.
 */
#include "cubin_writer.h"

#include "isa_names.h"
#include "machines.h"
#include "tables.h"

#include <stdlib.h>
#include <string.h>

static void put_text(struct fh_bytes *b, const char *text) {
    size_t length = strlen(text);
    fh_bytes_u32(b, (uint32_t)length);
    fh_bytes_put(b, text, length);
}

/* ---------------------------------------------------------------- .nv.info */

static void sized_record(struct fh_bytes *b, unsigned attribute, unsigned size) {
    fh_bytes_u8(b, FH_NV_SIZED);
    fh_bytes_u8(b, attribute);
    fh_bytes_u16(b, size);
}

static void half_record(struct fh_bytes *b, unsigned attribute, unsigned value) {
    fh_bytes_u8(b, FH_NV_HALF);
    fh_bytes_u8(b, attribute);
    fh_bytes_u16(b, value);
}

static void symbol_record(struct fh_bytes *b, unsigned attribute, uint32_t symbol, uint32_t value) {
    sized_record(b, attribute, 8);
    fh_bytes_u32(b, symbol);
    fh_bytes_u32(b, value);
}

void fh_put_code_info(struct fh_bytes *b, uint32_t symbol, uint32_t registers, uint32_t stack,
                      bool kernel) {
    symbol_record(b, FH_NV_REGCOUNT, symbol, registers);
    symbol_record(b, FH_NV_FRAME_SIZE, symbol, stack);
    if (kernel)
        symbol_record(b, FH_NV_MIN_STACK_SIZE, symbol, stack);
}

void fh_put_frame(struct fh_bytes *b, uint32_t symbol, uint32_t bytes) {
    symbol_record(b, FH_NV_FRAME_SIZE, symbol, bytes);
}

static void put_block(struct fh_bytes *b, unsigned attribute, const uint32_t sides[3]) {
    if (!sides[0])
        return;
    sized_record(b, attribute, 12);
    for (unsigned i = 0; i < 3; i++)
        fh_bytes_u32(b, sides[i]);
}

static void put_exits(struct fh_bytes *b, const struct fh_kernel *k) {
    struct fh_inst inst;
    struct fh_bytes offsets = {0};
    for (uint32_t w = 0; w < k->word_count; w++)
        if (fh_decode(k->words[w], &inst) && fh_form_control[inst.form->id] == FH_CTRL_exit)
            fh_bytes_u32(&offsets, w * FH_INST_BYTES);
    /* The length is 16 bits: a kernel with more exits than that lists the first ones. */
    size_t count = offsets.count < 0xfffc ? offsets.count : 0xfffc;
    if (count) {
        sized_record(b, FH_NV_EXIT_OFFSETS, (unsigned)count);
        fh_bytes_put(b, offsets.data, count);
    }
    b->failed |= offsets.failed;
    fh_bytes_free(&offsets);
}

static void put_version(struct fh_bytes *b) {
    sized_record(b, FH_NV_CUDA_API_VERSION, 4);
    fh_bytes_u32(b, FH_CUDA_VERSION);
}

void fh_put_function_info(struct fh_bytes *b, const struct fh_function *f, uint32_t externals) {
    put_version(b);
    fh_put_attributes(b, &f->info, externals);
}

/* Kernels with more than 4096 bytes of parameters have records of another form; offsets count from
 * where the parameters begin. */
static void put_params(struct fh_bytes *b, const struct fh_kernel *k, uint32_t bank) {
    bool large = k->param_bytes > FH_SMALL_PARAMS_END;
    uint32_t shift = large && k->param_count ? FH_LARGE_PARAMS : 0;
    for (uint32_t i = 0; i < k->param_count; i++)
        if (k->params[i].offset < FH_LARGE_PARAMS)
            shift = 0;
    sized_record(b, FH_NV_PARAM_CBANK, 8);
    fh_bytes_u32(b, bank);
    fh_bytes_u16(b, FH_PARAM_START + shift);
    fh_bytes_u16(b, k->param_bytes - shift);
    half_record(b, FH_NV_CBANK_PARAM_SIZE, k->param_bytes - shift);
    for (uint32_t i = k->param_count; i-- > 0;) { /* the last one first, as compilers do */
        const struct fh_param *p = &k->params[i];
        sized_record(b, large ? FH_NV_KPARAM_INFO_LARGE : FH_NV_KPARAM_INFO, 12);
        fh_bytes_u32(b, 0);
        fh_bytes_u16(b, i);
        fh_bytes_u16(b, p->offset - shift);
        /* bank 0 by the compilers' code, no space */
        fh_bytes_u32(b, large ? p->size : p->size << 18 | 0x1f000);
    }
}

void fh_put_kernel_info(struct fh_bytes *b, const struct fh_kernel *k, uint32_t bank,
                        uint32_t externals) {
    put_version(b);
    put_params(b, k, bank);
    if (!fh_has_attribute(&k->info, FH_NV_MAXREG_COUNT))
        half_record(b, FH_NV_MAXREG_COUNT, FH_MAX_REGISTERS);
    if (k->barriers) {
        fh_bytes_u8(b, FH_NV_BYTE);
        fh_bytes_u8(b, FH_NV_NUM_BARRIERS);
        fh_bytes_u16(b, k->barriers);
    }
    put_exits(b, k);
    put_block(b, FH_NV_MAX_THREADS, k->max_threads);
    put_block(b, FH_NV_REQUIRED_THREADS, k->required);
    fh_put_attributes(b, &k->info, externals);
}

void fh_put_cuinfo(struct fh_bytes *b, const fhec_limits *machine) {
    static const char owner[12] = "NVIDIA Corp";
    enum { TYPE = 1000, VERSION = 2 };
    fh_bytes_u32(b, sizeof owner);
    fh_bytes_u32(b, 8);
    fh_bytes_u32(b, TYPE);
    fh_bytes_put(b, owner, sizeof owner);
    fh_bytes_u16(b, VERSION);
    fh_bytes_u16(b, (uint16_t)machine->architecture);
    fh_bytes_u32(b, FH_CUDA_VERSION);
}

/* ---------------------------------------------------------------- .fhec.info */

static void put_difference(struct fh_bytes *b, uint32_t number, uint32_t before) {
    fh_bytes_sleb(b, (int32_t)(number - before));
}

/* In the version with expansions, behind `before` in a list. */
static void put_origin_after(struct fh_bytes *b, const struct fh_origin *origin,
                             const struct fh_origin *before) {
    put_difference(b, origin->file, before->file);
    put_difference(b, origin->line, before->line);
    put_difference(b, origin->column, before->column);
    put_difference(b, origin->length, before->length);
    put_difference(b, origin->expansion, before->expansion);
}

/* `expansions`: the section is of the version that has them. */
static void put_origin(struct fh_bytes *b, const struct fh_origin *origin,
                       const struct fh_origin *before, bool expansions) {
    if (expansions) {
        put_origin_after(b, origin, before);
        return;
    }
    fh_bytes_u32(b, origin->file);
    fh_bytes_u32(b, origin->line);
    fh_bytes_u32(b, origin->column);
    fh_bytes_u32(b, origin->length);
}

static void put_origins(struct fh_bytes *b, const struct fh_origin *origins, uint32_t count,
                        bool expansions) {
    struct fh_origin before = {0};
    fh_bytes_u32(b, origins ? count : 0);
    for (uint32_t w = 0; origins && w < count; w++) {
        put_origin(b, &origins[w], &before, expansions);
        before = origins[w];
    }
}

static void put_expansions(struct fh_bytes *b, const fhec_program *program) {
    fh_bytes_u32(b, program->macro_count);
    for (uint32_t i = 0; i < program->macro_count; i++)
        put_text(b, program->macros[i]);
    fh_bytes_u32(b, program->expansion_step_count);
    struct fh_expansion_step before = {0};
    for (uint32_t i = 0; i < program->expansion_step_count; i++) {
        const struct fh_expansion_step *step = &program->expansion_steps[i];
        put_origin_after(b, &step->at, &before.at);
        put_difference(b, step->kind, before.kind);
        put_difference(b, step->number, before.number);
        before = *step;
    }
}

/* Labels that are plain numbers; other addresses have relocations. */
static void put_labels(struct fh_bytes *b, const fhec_program *program) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->relocation_count; i++)
        count += program->relocations[i].relative;
    fh_bytes_u32(b, count);
    for (uint32_t i = 0; i < program->relocation_count; i++) {
        const struct fh_relocation *relocation = &program->relocations[i];
        if (!relocation->relative)
            continue;
        fh_bytes_u32(b, relocation->holder);
        fh_bytes_u32(b, relocation->index);
        fh_bytes_u32(b, relocation->bank);
        fh_bytes_u32(b, relocation->field);
        fh_bytes_u32(b, relocation->offset);
        fh_bytes_u32(b, (uint32_t)relocation->addend);
    }
}

/* Whether version 4, which has .expect of operands and registers only, can say them all. */
static bool has_contracts(const fhec_program *program) {
    for (uint32_t i = 0; i < program->expectation_count; i++)
        if (program->expectations[i].contract != FHEC_CONTRACT_OPERAND)
            return true;
    return false;
}

static void put_expectations(struct fh_bytes *b, const fhec_program *program, bool contracts) {
    struct fh_origin before = {0};
    fh_bytes_u32(b, program->expectation_count);
    for (uint32_t i = 0; i < program->expectation_count; i++) {
        const struct fh_expectation *e = &program->expectations[i];
        fh_bytes_u32(b, e->kernel);
        fh_bytes_u32(b, e->word);
        if (contracts)
            fh_bytes_u32(b, e->contract);
        put_text(b, e->text);
        put_origin_after(b, &e->origin, &before);
        before = e->origin;
    }
}

/* Of shared memory. */
static void put_variables(struct fh_bytes *b, const fhec_program *program, uint32_t count) {
    uint32_t uses = 0;
    fh_bytes_u32(b, count);
    for (uint32_t i = 0; i < program->kernel_count; i++) {
        const struct fh_kernel *k = &program->kernels[i];
        for (uint32_t n = 0; n < k->shared_count; n++) {
            fh_bytes_u32(b, i);
            put_text(b, k->shared[n].name);
            fh_bytes_u32(b, k->shared[n].offset);
            fh_bytes_u32(b, k->shared[n].size);
        }
        uses += k->shared_use_count;
    }
    fh_bytes_u32(b, uses);
    for (uint32_t i = 0; i < program->kernel_count; i++) {
        const struct fh_kernel *k = &program->kernels[i];
        for (uint32_t n = 0; n < k->shared_use_count; n++) {
            fh_bytes_u32(b, i);
            fh_bytes_u32(b, k->shared_uses[n].word);
            fh_bytes_u32(b, k->shared_uses[n].variable);
        }
    }
}

static uint32_t shared_count(const fhec_program *program) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->kernel_count; i++)
        count += program->kernels[i].shared_count;
    return count;
}

void fh_put_notes(struct fh_bytes *b, const fhec_program *program) {
    const uint32_t shared = shared_count(program);
    const bool contracts = has_contracts(program), variables = contracts || shared;
    const bool expected = variables || program->expectation_count != 0;
    const bool expansions = expected || program->expansion_step_count != 0;
    fh_bytes_put(b, "fhec", 4);
    fh_bytes_u32(b, contracts    ? FH_INFO_CONTRACTS
                    : shared     ? FH_INFO_SHARED
                    : expected   ? FH_INFO_EXPECTATIONS
                    : expansions ? FH_INFO_EXPANSIONS
                                 : FH_INFO_PLAIN);
    fh_bytes_u32(b, program->file_count);
    for (uint32_t i = 0; i < program->file_count; i++)
        put_text(b, program->files[i]);
    if (expansions)
        put_expansions(b, program);
    fh_bytes_u32(b, program->kernel_count);
    for (uint32_t i = 0; i < program->kernel_count; i++) {
        const struct fh_kernel *k = &program->kernels[i];
        put_text(b, k->name);
        put_text(b, k->target);
        fh_bytes_u32(b, k->param_count);
        for (uint32_t p = 0; p < k->param_count; p++)
            put_text(b, k->params[p].name);
        put_origins(b, k->origins, k->word_count, expansions);
    }
    fh_bytes_u32(b, program->function_count);
    for (uint32_t i = 0; i < program->function_count; i++) {
        const struct fh_function *f = &program->functions[i];
        put_text(b, f->name);
        put_text(b, f->target);
        put_origins(b, f->origins, f->word_count, expansions);
    }
    put_labels(b, program);
    fh_bytes_u32(b, program->test_count);
    struct fh_origin before = {0};
    for (uint32_t i = 0; i < program->test_count; i++) {
        put_text(b, program->tests[i].text);
        put_origin(b, &program->tests[i].origin, &before, expansions);
        before = program->tests[i].origin;
    }
    if (expected)
        put_expectations(b, program, contracts);
    if (variables)
        put_variables(b, program, shared);
}
