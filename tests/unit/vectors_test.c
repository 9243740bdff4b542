/*
 * vectors_test.c - every instruction of tests/vectors/ on every engine and SIMD level.
 *
 * A case (format: tests/vectors/generate.py) is assembled into a kernel of two instructions, the
 * warp's registers are filled with numbers that no case uses, then with the case's inputs, and the
 * whole register file is compared afterwards: what the case names has its value, everything else
 * still has what it had.
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
#include "isa_names.h"
#include "schedule.h"
#include "warp.h"

enum { ROWS = 254, PARAM_WORDS = 64, TEXT = 256 };

/* A register file: what goes into the warp, or what is expected of it. */
struct registers {
    uint32_t r[ROWS][FH_LANES];
    uint32_t p[FH_PT], ur[FH_URZ];
    uint8_t up[FH_PT];
};

struct vector {
    char insn[TEXT];
    uint32_t mask;
    uint32_t params[PARAM_WORDS];
    struct registers before, after;
    unsigned line;
};

static void background(struct vector *v) {
    for (unsigned n = 0; n < ROWS; n++)
        for (unsigned l = 0; l < FH_LANES; l++)
            v->before.r[n][l] = 0x5eed0000u + n * 32 + l;
    for (unsigned n = 0; n < FH_PT; n++) {
        v->before.p[n] = 0x9e3779b9u * (n + 1);
        v->before.up[n] = n & 1;
    }
    for (unsigned n = 0; n < FH_URZ; n++)
        v->before.ur[n] = 0xabcd0000u + n;
}

/* `R5 w0 .. w31`, `UR4 word`, `P2 mask`, `UP1 bit` */
static void read_register(char *text, struct registers *into) {
    char *name = strtok(text, " \n");
    assert_non_null(name);
    char *digits = name + strcspn(name, "0123456789");
    unsigned long n = strtoul(digits, NULL, 10);
    for (unsigned l = 0; l < FH_LANES; l++) {
        char *word = strtok(NULL, " \n");
        if (!word)
            break;
        uint32_t value = (uint32_t)strtoul(word, NULL, 16);
        if (name[0] == 'R')
            into->r[n][l] = value;
        else if (name[0] == 'P')
            into->p[n] = value;
        else if (name[1] == 'R')
            into->ur[n] = value;
        else
            into->up[n] = (uint8_t)value;
    }
}

/* The next case of the file; false at its end. `line` counts. */
static bool read_vector(FILE *file, struct vector *v, unsigned *line) {
    static const char first_output[] = "out";
    char text[512];
    bool found = false, outputs = false;
    memset(v, 0, sizeof *v);
    v->mask = UINT32_MAX;
    background(v);
    while (fgets(text, sizeof text, file)) {
        ++*line;
        if (text[0] == '\n' && found)
            break;
        if (strncmp(text, "insn", 4) == 0) {
            found = true;
            v->line = *line;
            text[strcspn(text, "\n")] = '\0';
            snprintf(v->insn, sizeof v->insn, "%.*s", TEXT - 1, text + 6);
        } else if (strncmp(text, "mask", 4) == 0) {
            v->mask = (uint32_t)strtoul(text + 6, NULL, 16);
        } else if (strncmp(text, "in    C", 7) == 0) {
            char *end;
            unsigned long offset = strtoul(text + 7, &end, 16);
            v->params[(offset - FH_PARAM_START) / 4] = (uint32_t)strtoul(end, NULL, 16);
        } else if (strncmp(text, "in ", 3) == 0) {
            read_register(text + 6, &v->before);
        } else if (strncmp(text, first_output, 3) == 0) {
            if (!outputs)
                v->after = v->before;
            outputs = true;
            read_register(text + 6, &v->after);
        }
    }
    if (!outputs)
        v->after = v->before;
    return found;
}

static void complain(void *user, const fhec_diagnostic *d) {
    (void)user;
    char text[1024];
    fhec_format_diagnostic(d, false, text, sizeof text);
    print_error("%s\n", text);
}

static fhec_program *assemble(const struct vector *v) {
    char source[2 * TEXT];
    snprintf(source, sizeof source,
             ".target sm_80, fhec, gme, mont\n.kernel k\n.param p, %d\n%s ;\nEXIT ;\n.end\n",
             PARAM_WORDS * 4, v->insn);
    fhec_assemble_options options = {.diagnostic = complain};
    fhec_program *program;
    if (fhec_assemble("vector", source, strlen(source), &options, &program) != FHEC_OK)
        fail_msg("line %u does not assemble: %s", v->line, v->insn);
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

static void compare(const struct fh_flow *f, const struct vector *v, const char *engine) {
    for (unsigned n = 0; n < ROWS; n++)
        for (unsigned l = 0; l < FH_LANES; l++)
            if (f->w.r[n][l] != v->after.r[n][l])
                fail_msg("line %u, %s: %s: R%u of lane %u is 0x%08x, expected 0x%08x", v->line,
                         engine, v->insn, n, l, f->w.r[n][l], v->after.r[n][l]);
    for (unsigned n = 0; n < FH_PT; n++) {
        if (f->w.p[n] != v->after.p[n])
            fail_msg("line %u, %s: %s: P%u is 0x%08x, expected 0x%08x", v->line, engine, v->insn, n,
                     f->w.p[n], v->after.p[n]);
        if (f->w.up[n] != v->after.up[n])
            fail_msg("line %u, %s: %s: UP%u is %u, expected %u", v->line, engine, v->insn, n,
                     f->w.up[n], v->after.up[n]);
    }
    for (unsigned n = 0; n < FH_URZ; n++)
        if (f->w.ur[n] != v->after.ur[n])
            fail_msg("line %u, %s: %s: UR%u is 0x%08x, expected 0x%08x", v->line, engine, v->insn,
                     n, f->w.ur[n], v->after.ur[n]);
}

/* Vectors of each form in which the instruction acted on some lane. */
static unsigned acted[1024];

static void count_form(const struct fh_image *image, const struct fh_op_count *counts) {
    assert_true(fh_form_count <= sizeof acted / sizeof *acted);
    if (image->ops[0].inst && counts[0].thread)
        acted[image->ops[0].inst->form->id]++;
}

static void run_vector(const struct vector *v, const struct fh_engine *engine, const char *name) {
    fhec_program *program = assemble(v);
    fhec_launch launch = {
        .program = program,
        .grid = {1, 1, 1},
        .block = {FH_LANES, 1, 1},
        .params = v->params,
        .param_bytes = sizeof v->params,
    };
    struct fh_image image;
    assert_int_equal(fh_image_make(&image, &launch, engine, NULL, NULL), FHEC_OK);
    struct fh_op_count counts[3] = {{0}};
    struct fh_launch_state state = {.image = &image, .max_steps = 2, .counts = counts};
    struct fh_block *block = fh_block_new(&state);
    assert_non_null(block);
    fh_block_start(block, 0);
    load(&block->warps[0], v);
    block->warps[0].begun = true; /* its registers are not to be cleared */
    if (fh_block_run(block, NULL, NULL) != FH_DONE)
        fail_msg("line %u, %s: %s: %s", v->line, name, v->insn, state.fault.message);
    compare(&block->warps[0], v, name);
    fh_counts_settle(&image, counts);
    count_form(&image, counts);
    fh_block_free(block);
    fh_image_free(&image);
    fhec_program_free(program);
}

static void run_file(void **test_state) {
    static const struct {
        const char *name;
        fhec_engine engine;
        fhec_simd simd;
    } engines[] = {
        {"ref", FHEC_ENGINE_REF, FHEC_SIMD_BEST},
        {"portable", FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE},
        {"avx2", FHEC_ENGINE_FAST, FHEC_SIMD_AVX2},
        {"avx512", FHEC_ENGINE_FAST, FHEC_SIMD_AVX512},
    };
    const char *family = *test_state;
    char path[128];
    snprintf(path, sizeof path, "tests/vectors/%s.vec", family);
    for (unsigned e = 0; e < sizeof engines / sizeof *engines; e++) {
        struct fh_engine engine;
        if (!fh_engine_choose(engines[e].engine, engines[e].simd, &engine)) {
            print_message("# %s is not tested: this host does not have it\n", engines[e].name);
            continue;
        }
        FILE *file = fopen(path, "r");
        if (!file)
            fail_msg("%s cannot be read: run the tests from the root of the sources", path);
        struct vector v;
        unsigned line = 0, count = 0;
        for (; read_vector(file, &v, &line); count++)
            run_vector(&v, &engine, engines[e].name);
        fclose(file);
        assert_true(count >= 30);
    }
}

/* Instructions whose effect is not in registers; emu_call_test and emu_barrier_test have them. */
static const uint16_t elsewhere[] = {FH_INSN_BMOV_SET, FH_INSN_BMOV_RUN, FH_INSN_B2R_RESULT};

static bool has_vectors(const struct fh_form *form) {
    const struct fh_insn *insn = &fh_insns[form->insn];
    for (unsigned i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (form->insn == elsewhere[i])
            return false;
    if (form->operand_count && form->operands[0].kind == FH_K_BARRIER)
        return false;
    return !insn->unsupported &&
           (insn->kind == FH_KIND_LANE || insn->kind == FH_KIND_UNIFORM ||
            insn->kind == FH_KIND_WARP);
}

/* What instructions do to registers is said by vectors, for every form. */
static void every_form_has_a_vector(void **unused) {
    (void)unused;
    unsigned missing = 0, forms = 0;
    for (unsigned i = 0; i < fh_form_count; i++) {
        if (!has_vectors(&fh_forms[i]))
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

int main(void) {
    const struct CMUnitTest tests[] = {
        {"integer", run_file, NULL, NULL, "integer"},
        {"move", run_file, NULL, NULL, "move"},
        {"uniform", run_file, NULL, NULL, "uniform"},
        {"crosslane", run_file, NULL, NULL, "crosslane"},
        {"modular", run_file, NULL, NULL, "modular"},
        {"float", run_file, NULL, NULL, "float"},
        {"convert", run_file, NULL, NULL, "convert"},
        {"half", run_file, NULL, NULL, "half"},
        {"matrix", run_file, NULL, NULL, "matrix"},
        cmocka_unit_test(every_form_has_a_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
