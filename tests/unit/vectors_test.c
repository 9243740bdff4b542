/*
 * vectors_test.c - every instruction of tests/vectors/ on every engine and SIMD level, as it runs
 * and as it is generated from its body, and of the files that the variable VECTORS names.
 *
 * A case (format: tests/vectors/generate.py) is assembled into a kernel of two instructions, the
 * warp's registers and memory are filled with numbers that no case uses, then with the case's
 * inputs, and all of it is compared afterwards: what the case names has its value, everything else
 * still has what it had. All cases that fail are told, each with its operands.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "count.h"
#include "decode.h"
#include "engine_levels.h"
#include "isa_names.h"
#include "memory.h"
#include "schedule.h"
#include "speculation.h"
#include "vector_case.h"

/* ---------------------------------------------------------------- what is wrong */

/* What is told of a case on an engine: up to one line of what differs. */
struct verdict {
    const struct vector *v;
    const char *engine;
    bool bad;
    bool told; /* the inputs, for another engine */
};

/* A register of the machine, as the case names it, in one lane. */
static void print_input(const struct vector *v, const char *name, unsigned lane) {
    const unsigned n = (unsigned)strtoul(name + strcspn(name, "0123456789"), NULL, 10);
    if (name[0] == 'R')
        print_message("#   %s 0x%08x\n", name, v->before.r[n][lane]);
    else if (name[0] == 'P')
        print_message("#   %s %u\n", name, v->before.p[n] >> lane & 1);
    else if (name[1] == 'R')
        print_message("#   %s 0x%08x\n", name, v->before.ur[n]);
    else
        print_message("#   %s %u\n", name, v->before.up[n]);
}

/* The first difference of a case is told, with its inputs in that lane. */
__attribute__((format(printf, 3, 4))) static void wrong(struct verdict *verdict, unsigned lane,
                                                        const char *format, ...) {
    const struct vector *v = verdict->v;
    char text[512];
    va_list arguments;
    if (verdict->bad)
        return;
    verdict->bad = true;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_message("# %s:%u, %s: %s: %s\n", v->path, v->line, verdict->engine, v->insn, text);
    if (verdict->told)
        return;
    print_message("# lanes %08x; in lane %u:\n", v->mask, lane);
    for (unsigned i = 0; i < v->input_count; i++)
        print_input(v, v->inputs[i], lane);
    for (unsigned i = 0; i < PARAM_WORDS; i++)
        if (v->params[i])
            print_message("#   c[0x0][0x%x] 0x%08x\n", FH_PARAM_START + 4 * i, v->params[i]);
}

static void compare(struct verdict *verdict, const struct fh_flow *f) {
    const struct registers *want = &verdict->v->after;
    for (unsigned n = 0; n < ROWS; n++)
        for (unsigned l = 0; l < FH_LANES; l++)
            if (f->w.r[n][l] != want->r[n][l])
                wrong(verdict, l, "R%u of lane %u is 0x%08x, expected 0x%08x", n, l, f->w.r[n][l],
                      want->r[n][l]);
    for (unsigned n = 0; n < FH_PT; n++) {
        const uint32_t differ = f->w.p[n] ^ want->p[n];
        if (differ)
            wrong(verdict, (unsigned)__builtin_ctz(differ), "P%u is 0x%08x, expected 0x%08x", n,
                  f->w.p[n], want->p[n]);
        if (f->w.up[n] != want->up[n])
            wrong(verdict, 0, "UP%u is %u, expected %u", n, f->w.up[n], want->up[n]);
    }
    for (unsigned n = 0; n < FH_URZ; n++)
        if (f->w.ur[n] != want->ur[n])
            wrong(verdict, 0, "UR%u is 0x%08x, expected 0x%08x", n, f->w.ur[n], want->ur[n]);
}

static void compare_memory(struct verdict *verdict, struct memory *got) {
    struct memory want = verdict->v->memory_after;
    for (const struct part *part = memory_parts; part < memory_parts + MEMORY_PARTS; part++) {
        const uint32_t *a = part_words(part, got), *b = part_words(part, &want);
        for (size_t n = 0; n < part->words * part->row; n++)
            if (a[n] != b[n])
                wrong(verdict, (unsigned)(n % part->row), "%s %llx is 0x%08x, expected 0x%08x%s",
                      part->name, (unsigned long long)(part->base + 4 * (n / part->row)), a[n],
                      b[n], part->row > 1 ? " in this lane" : "");
    }
}

static void compare_fault(struct verdict *verdict, const struct fh_fault_record *fault) {
    const struct vector *v = verdict->v;
    if (strcmp(v->fault, fault->kind ? fhec_fault_name(fault->kind) : "") != 0)
        wrong(verdict, 0, "fault: %s: %s; expected: %s",
              fault->kind ? fhec_fault_name(fault->kind) : "none", fault->message,
              *v->fault ? v->fault : "none");
    else if (fault->kind && fault->lanes != v->fault_lanes)
        wrong(verdict, 0, "the fault is that of lanes %08x, expected %08x", fault->lanes,
              v->fault_lanes);
}

/* ---------------------------------------------------------------- running */

static void complain(void *user, const fhec_diagnostic *d) {
    char *text = user;
    fhec_format_diagnostic(d, false, text, 2 * TEXT);
}

/* A kernel of the case's instruction, for all features that there are; NULL, and told, if it does
 * not assemble. */
static fhec_program *assemble(struct verdict *verdict) {
    char source[5 * TEXT], said[2 * TEXT] = "", features[TEXT] = "sm_89";
    for (unsigned i = 0; i < fh_feature_count; i++)
        if (!fhec_target_limits(fh_features[i])) /* that the machine has by itself */
            snprintf(features + strlen(features), sizeof features - strlen(features), ", %s",
                     fh_features[i]);
    snprintf(
        source, sizeof source,
        ".target %s\n.kernel k\n.param p, %d\n.shared s, %d\n.local %d\n%.*s ;\nEXIT ;\n.end\n",
        features, PARAM_WORDS * 4, 4 * SHARED, 4 * LOCAL, TEXT, verdict->v->insn);
    fhec_assemble_options options = {.diagnostic = complain, .user = said};
    fhec_program *program = NULL;
    if (fhec_assemble("vector", source, strlen(source), &options, &program) != FHEC_OK)
        wrong(verdict, 0, "it does not assemble: %s", said);
    return program;
}

static void load(struct fh_flow *f, const struct vector *v) {
    memcpy(f->w.r, v->before.r, sizeof v->before.r);
    memcpy(f->w.p, v->before.p, sizeof v->before.p);
    memcpy(f->w.ur, v->before.ur, sizeof v->before.ur);
    memcpy(f->w.up, v->before.up, sizeof v->before.up);
    f->ended = ~v->mask;
    f->group = v->mask;
}

/* Global memory and the constant banks are where the machine looks for them; shared and local
 * memory are copied to and from the block. */
static void copy_memory(struct fh_block *block, struct memory *memory, bool to_block) {
    const size_t local_bytes = block->launch->image->local_bytes;
    assert_true(local_bytes >= sizeof memory->local / FH_LANES);
    if (to_block)
        memcpy(block->shared, memory->shared, sizeof memory->shared);
    else
        memcpy(memory->shared, block->shared, sizeof memory->shared);
    for (size_t lane = 0; lane < FH_LANES; lane++)
        for (size_t n = 0; n < LOCAL; n++) {
            uint8_t *word = block->local + lane * local_bytes + 4 * n;
            if (to_block)
                memcpy(word, &memory->local[n][lane], 4);
            else
                memcpy(&memory->local[n][lane], word, 4);
        }
}

/* Vectors of each form in which the instruction acted on some lane. */
static unsigned acted[1024];

static void count_form(const struct fh_image *image, const struct fh_op_count *counts) {
    assert_true(fh_form_count <= sizeof acted / sizeof *acted);
    if (image->ops[0].inst && counts[0].thread)
        acted[image->ops[0].inst->form->id]++;
}

/* What runs a case: a launch of one block whose memory is `memory`. */
struct bench {
    struct fh_image image;
    struct memory memory;
    struct fh_memory global;
    struct fh_launch_state state;
    struct fh_block *block;
};

static void bench_make(struct bench *b, const struct vector *v, const fhec_program *program,
                       const struct fh_engine *engine) {
    const fhec_launch launch = {
        .program = program,
        .grid = {1, 1, 1},
        .block = {FH_LANES, 1, 1},
        .params = v->params,
        .param_bytes = sizeof v->params,
    };
    size_t other;
    memset(b, 0, sizeof *b);
    assert_int_equal(fh_image_make(&b->image, &launch, engine, NULL, NULL), FHEC_OK);
    for (unsigned i = 0; i < 2; i++)
        b->image.banks[BANK + i] =
            (struct fh_bank){(uint8_t *)b->memory.banks[i], sizeof b->memory.banks[i]};
    assert_true(fh_memory_init(&b->global, &(fhec_placement){0}));
    assert_int_equal(fh_memory_map(&b->global, "high", HIGH_BASE, b->memory.high,
                                   sizeof b->memory.high, false, &other),
                     FHEC_OK);
    assert_int_equal(fh_memory_map(&b->global, "low", LOW_BASE, b->memory.low, sizeof b->memory.low,
                                   false, &other),
                     FHEC_OK);
    b->state = (struct fh_launch_state){.image = &b->image, .memory = &b->global};
    assert_true(fh_launch_arrays(&b->state, true));
    b->block = fh_block_new(&b->state);
    assert_non_null(b->block);
}

static void bench_free(struct bench *b) {
    fh_block_free(b->block);
    fh_launch_arrays_free(&b->state);
    fh_memory_free(&b->global);
    fh_image_free(&b->image);
}

/* Runs the case on the engine, from its beginning. */
static void bench_run(struct bench *b, struct verdict *verdict) {
    const struct vector *v = verdict->v;
    b->state.max_steps = b->state.steps + 2;
    b->state.fault = (struct fh_fault_record){0};
    b->memory = v->memory_before;
    fh_block_start(b->block, 0);
    load(&b->block->warps[0], v);
    copy_memory(b->block, &b->memory, true);
    b->block->warps[0].begun = true; /* its registers are not to be cleared */
    (void)fh_block_run(b->block, NULL, NULL);
    copy_memory(b->block, &b->memory, false);
    compare_fault(verdict, &b->state.fault);
    compare(verdict, &b->block->warps[0]);
    compare_memory(verdict, &b->memory);
}

/* Whether the case comes out as it says; that of an instruction which accesses memory also when it
 * runs again and may remember where it went. */
static bool run_vector(const struct vector *v, const struct fh_engine *engine, const char *name,
                       bool told) {
    static struct bench b;
    struct verdict verdict = {v, name, false, told};
    fhec_program *program = assemble(&verdict);
    if (!program)
        return false;
    bench_make(&b, v, program, engine);
    bench_run(&b, &verdict);
    const struct fh_inst *inst = b.image.ops[0].inst;
    if (inst && fh_insns[inst->form->insn].kind == FH_KIND_MEM)
        bench_run(&b, &verdict);
    fh_counts_settle(&b.image, b.state.counts);
    count_form(&b.image, b.state.counts);
    bench_free(&b);
    fhec_program_free(program);
    return !verdict.bad;
}

/* All cases of a file on all engines; how many cases there are. */
static unsigned run_path(const char *path) {
    struct level engines[LEVELS];
    struct vector v;
    unsigned cases = 0, bad = 0, line = 0;
    const unsigned count = (unsigned)levels(engines);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be read: run the tests from the root of the sources", path);
    for (; vector_read(file, path, &v, &line); cases++) {
        bool good = true;
        for (unsigned e = 0; e < count; e++)
            good &= run_vector(&v, &engines[e].engine, engines[e].name, !good);
        bad += !good;
    }
    fclose(file);
    if (bad)
        fail_msg("%s: %u of %u cases failed", path, bad, cases);
    return cases;
}

static void run_family(void **test_state) {
    char path[128];
    snprintf(path, sizeof path, "tests/vectors/%s.vec", (const char *)*test_state);
    assert_true(run_path(path) >= 30);
}

/* The files that VECTORS names. */
static void run_others(void **unused) {
    (void)unused;
    const char *list = getenv("VECTORS");
    char *paths = strdup(list ? list : "");
    assert_non_null(paths);
    for (char *path = strtok(paths, " "), *next; path; path = next) {
        next = strtok(NULL, " "); /* before a case is read with strtok */
        print_message("# %s: %u cases\n", path, run_path(path));
    }
    free(paths);
}

/* What these do is neither in registers nor in memory but in where lanes go and what they wait for,
 * so one instruction alone shows nothing: programs say it, with the results that they must have, in
 * the tests named. A form that is added to one of them needs a program there, and to be counted
 * here. */
static const struct {
    uint16_t insn;
    uint8_t forms;
    const char *test;
} elsewhere[] = {
    {FH_INSN_BAR_SYNC, 4, "emu_barrier"}, {FH_INSN_BAR_ARV, 4, "emu_barrier"},
    {FH_INSN_BAR_RED, 4, "emu_barrier"},  {FH_INSN_BAR_SCAN, 4, "emu_call"},
    {FH_INSN_BAR_SYNCALL, 1, "emu_call"}, {FH_INSN_B2R_RESULT, 1, "emu_barrier"},
    {FH_INSN_BMOV_SET, 1, "emu_call"},    {FH_INSN_BMOV_RUN, 2, "emu_call"},
    {FH_INSN_BPT, 1, "emu_call"},         {FH_INSN_BRA, 1, "emu_flow"},
    {FH_INSN_BRA_DIV, 1, "emu_flow"},     {FH_INSN_BRA_CONV, 1, "emu_flow"},
    {FH_INSN_BREAK, 1, "emu_flow"},       {FH_INSN_BRX, 1, "emu_call"},
    {FH_INSN_BRXU, 1, "emu_call"},        {FH_INSN_BSSY, 1, "emu_flow"},
    {FH_INSN_BSYNC, 1, "emu_flow"},       {FH_INSN_CALL_REL, 2, "emu_call"},
    {FH_INSN_CALL_ABS, 2, "emu_call"},    {FH_INSN_EXIT, 1, "emu_flow"},
    {FH_INSN_JMP, 1, "emu_call"},         {FH_INSN_JMX, 1, "emu_call"},
    {FH_INSN_KILL, 1, "emu_call"},        {FH_INSN_NANOSLEEP, 4, "emu_call"},
    {FH_INSN_RET_REL, 1, "emu_call"},     {FH_INSN_RET_ABS, 1, "emu_call"},
    {FH_INSN_WARPSYNC, 3, "emu_flow"},    {FH_INSN_YIELD, 1, "emu_flow"},
};

/* The number of the form among those of its instruction. */
static unsigned number_of(const struct fh_form *form) {
    unsigned number = 0;
    while (form->id > number && fh_forms[form->id - number - 1].insn == form->insn)
        number++;
    return number;
}

static bool needs_vector(const struct fh_form *form) {
    for (unsigned i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (form->insn == elsewhere[i].insn && number_of(form) < elsewhere[i].forms)
            return false;
    /* BMOV to a barrier: emu_call */
    const bool to_barrier = form->operand_count && form->operands[0].kind == FH_K_BARRIER;
    return !fh_insns[form->insn].unsupported && !to_barrier;
}

/* What instructions do to registers and memory is said by vectors, for every form. */
static void every_form_has_a_vector(void **unused) {
    (void)unused;
    unsigned missing = 0, forms = 0;
    for (unsigned i = 0; i < fh_form_count; i++) {
        if (!needs_vector(&fh_forms[i]))
            continue;
        forms++;
        missing += !acted[i];
        if (!acted[i])
            print_message("# no vector: form %s of %s\n", fh_forms[i].name,
                          fh_insns[fh_forms[i].insn].name);
    }
    print_message("# %u forms\n", forms);
    assert_int_equal(missing, 0);
}

/* The tests that the table names have the instructions. */
static void others_have_programs(void **unused) {
    (void)unused;
    static char text[1 << 16];
    for (unsigned i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        char path[64], name[64];
        snprintf(path, sizeof path, "tests/unit/%s_test.c", elsewhere[i].test);
        FILE *file = fopen(path, "r");
        if (!file)
            fail_msg("%s cannot be read: run the tests from the root of the sources", path);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        snprintf(name, sizeof name, "%s", fh_insns[elsewhere[i].insn].name);
        if (strncmp(name, "BMOV", 4) == 0) /* BMOV.SET: written BMOV */
            name[4] = '\0';
        if (!strstr(text, name))
            fail_msg("%s has no %s", path, name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        {"integer", run_family, NULL, NULL, "integer"},
        {"move", run_family, NULL, NULL, "move"},
        {"uniform", run_family, NULL, NULL, "uniform"},
        {"crosslane", run_family, NULL, NULL, "crosslane"},
        {"modular", run_family, NULL, NULL, "modular"},
        {"float", run_family, NULL, NULL, "float"},
        {"convert", run_family, NULL, NULL, "convert"},
        {"half", run_family, NULL, NULL, "half"},
        {"matrix", run_family, NULL, NULL, "matrix"},
        {"matrix_float", run_family, NULL, NULL, "matrix_float"},
        {"memory", run_family, NULL, NULL, "memory"},
        {"others", run_others, NULL, NULL, NULL},
        cmocka_unit_test(every_form_has_a_vector),
        cmocka_unit_test(others_have_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
