/*
 * vectors_test.c - every instruction of tests/vectors/ on every engine and SIMD level, as it runs
 * and as it is generated from its body, and of the files that the variable VECTORS names.
 *
 * A case (format: tests/vectors/generate.py) is assembled into a kernel of two instructions, the
 * warp's registers are filled with numbers that no case uses, then with the case's inputs, and the
 * whole register file is compared afterwards: what the case names has its value, everything else
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
#include "isa_names.h"
#include "schedule.h"
#include "warp.h"

enum { ROWS = 254, PARAM_WORDS = 64, TEXT = 256, MAX_INPUTS = 64 };

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
    char inputs[MAX_INPUTS][8]; /* names */
    unsigned input_count;
    char fault[TEXT]; /* its name; empty: there is none */
    uint32_t fault_lanes;
    const char *path;
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
static bool read_vector(FILE *file, const char *path, struct vector *v, unsigned *line) {
    static const char first_output[] = "out";
    char text[512];
    bool found = false, outputs = false;
    memset(v, 0, sizeof *v);
    v->path = path;
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
            if (v->input_count < MAX_INPUTS)
                snprintf(v->inputs[v->input_count++], sizeof v->inputs[0], "%.*s",
                         (int)strcspn(text + 6, " \n") & 7, text + 6);
            read_register(text + 6, &v->before);
        } else if (strncmp(text, "fault ", 6) == 0) {
            char *lanes = strrchr(text, ' ');
            v->fault_lanes = (uint32_t)strtoul(lanes, NULL, 16);
            snprintf(v->fault, sizeof v->fault, "%.*s", (int)(lanes - text) - 6, text + 6);
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
    char source[5 * TEXT], said[2 * TEXT] = "", features[TEXT] = "sm_80";
    for (unsigned i = 0; i < fh_feature_count; i++)
        snprintf(features + strlen(features), sizeof features - strlen(features), ", %s",
                 fh_features[i]);
    snprintf(source, sizeof source, ".target %s\n.kernel k\n.param p, %d\n%.*s ;\nEXIT ;\n.end\n",
             features, PARAM_WORDS * 4, TEXT, verdict->v->insn);
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

/* Vectors of each form in which the instruction acted on some lane. */
static unsigned acted[1024];

static void count_form(const struct fh_image *image, const struct fh_op_count *counts) {
    assert_true(fh_form_count <= sizeof acted / sizeof *acted);
    if (image->ops[0].inst && counts[0].thread)
        acted[image->ops[0].inst->form->id]++;
}

/* Whether the case comes out as it says. */
static bool run_vector(const struct vector *v, const struct fh_engine *engine, const char *name,
                       bool told) {
    struct verdict verdict = {v, name, false, told};
    fhec_program *program = assemble(&verdict);
    if (!program)
        return false;
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
    (void)fh_block_run(block, NULL, NULL);
    compare_fault(&verdict, &state.fault);
    compare(&verdict, &block->warps[0]);
    fh_counts_settle(&image, counts);
    count_form(&image, counts);
    fh_block_free(block);
    fh_image_free(&image);
    fhec_program_free(program);
    return !verdict.bad;
}

struct engine {
    const char *name;
    struct fh_engine engine;
};
enum { ENGINES = 8 };

/* All that this host has, each as it is and with the functions that are generated from the bodies
 * alone. */
static unsigned make_engines(struct engine engines[ENGINES]) {
    static const struct {
        const char *name, *generated;
        fhec_engine engine;
        fhec_simd simd;
    } all[] = {
        {"ref", "ref, generated", FHEC_ENGINE_REF, FHEC_SIMD_BEST},
        {"portable", "portable, generated", FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE},
        {"avx2", "avx2, generated", FHEC_ENGINE_FAST, FHEC_SIMD_AVX2},
        {"avx512", "avx512, generated", FHEC_ENGINE_FAST, FHEC_SIMD_AVX512},
    };
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        struct engine engine = {.name = all[i].name};
        if (!fh_engine_choose(all[i].engine, all[i].simd, &engine.engine)) {
            print_message("# %s is not tested: this host does not have it\n", engine.name);
            continue;
        }
        engines[count++] = engine;
        engine.name = all[i].generated;
        engine.engine.matrix = NULL;
        engine.engine.modular = NULL;
        engines[count++] = engine;
    }
    return count;
}

/* All cases of a file on all engines; how many cases there are. */
static unsigned run_path(const char *path) {
    struct engine engines[ENGINES];
    struct vector v;
    unsigned cases = 0, bad = 0, line = 0;
    const unsigned count = make_engines(engines);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be read: run the tests from the root of the sources", path);
    for (; read_vector(file, path, &v, &line); cases++) {
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

/* Instructions whose effect is not in registers; emu_call_test and emu_barrier_test have them. */
static const uint16_t elsewhere[] = {FH_INSN_BMOV_SET, FH_INSN_BMOV_RUN, FH_INSN_B2R_RESULT};

static bool has_vectors(const struct fh_form *form) {
    const struct fh_insn *insn = &fh_insns[form->insn];
    for (unsigned i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (form->insn == elsewhere[i])
            return false;
    if (form->operand_count && form->operands[0].kind == FH_K_BARRIER)
        return false;
    return !insn->unsupported && insn->kind != FH_KIND_MEM && insn->kind != FH_KIND_CTRL;
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
        {"integer", run_family, NULL, NULL, "integer"},
        {"move", run_family, NULL, NULL, "move"},
        {"uniform", run_family, NULL, NULL, "uniform"},
        {"crosslane", run_family, NULL, NULL, "crosslane"},
        {"modular", run_family, NULL, NULL, "modular"},
        {"float", run_family, NULL, NULL, "float"},
        {"convert", run_family, NULL, NULL, "convert"},
        {"half", run_family, NULL, NULL, "half"},
        {"matrix", run_family, NULL, NULL, "matrix"},
        {"others", run_others, NULL, NULL, NULL},
        cmocka_unit_test(every_form_has_a_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
