/*
 * use.c - see fuzz_use.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3000, BUFFER = 4096, LOCAL_ROOM = 4 << 20, WORDS = 2048 };

static const char *ask_kernel(const fhec_program *program, size_t index, fhec_kernel_info *k) {
    char text[400];
    size_t found;
    if (fhec_kernel_find(program, k->name, &found) != FHEC_OK || found > index)
        return "a kernel is not found by its name";
    (void)fhec_kernel_check(program, index, NULL, NULL);
    for (uint32_t w = 0; w < k->word_count && w < WORDS; w++) {
        uint64_t pc = (uint64_t)w * FH_INST_BYTES;
        int length = fhec_disassemble(k->words[w], pc, FHEC_DIS_CONTROL, text, sizeof text);
        if (length >= (int)sizeof text)
            return "an instruction's text is too long";
        if ((length < 0) != (fhec_mnemonic(k->words[w], text, sizeof text) < 0))
            return "an instruction without a mnemonic";
        fhec_location at = fhec_kernel_location(program, index, w);
        if (at.file && (!*at.file || !at.line))
            return "a word comes from nowhere";
        fhec_expansion list[FHEC_MAX_EXPANSIONS];
        const size_t steps = fhec_kernel_expansions(program, index, w, list, FHEC_MAX_EXPANSIONS);
        if (steps > FHEC_MAX_EXPANSIONS)
            return "a word comes from too deep an expansion";
        (void)fhec_format_location(&at, list, steps, text, sizeof text);
    }
    for (uint32_t p = 0; p < k->param_count; p++)
        if (k->params[p].offset > k->param_bytes ||
            k->params[p].size > k->param_bytes - k->params[p].offset)
            return "a parameter is outside the parameters";
    return NULL;
}

static const char *ask(const fhec_program *program) {
    fhec_kernel_info k;
    fhec_variable_info v;
    const char *wrong = NULL;
    size_t found;
    for (size_t i = 0; i < 16 && fhec_kernel_get(program, i, &k) == FHEC_OK && !wrong; i++)
        wrong = ask_kernel(program, i, &k);
    for (size_t i = 0; i < 64 && fhec_variable_get(program, i, &v) == FHEC_OK && !wrong; i++)
        if (fhec_variable_find(program, v.name, &found) != FHEC_OK || found > i)
            wrong = "a variable is not found by its name";
    return wrong;
}

/* The text of a program assembles, unless it says why not: names may be anything in an object. */
static const char *print_and_assemble(const fhec_program *program) {
    fhec_program *again = NULL;
    char *text;
    size_t length;
    fhec_status status = fhec_disassemble_program(program, FHEC_DIS_LINES | FHEC_DIS_CONTROL, NULL,
                                                  NULL, &text, &length);
    if ((status == FHEC_OK) != (text != NULL))
        return "a text that is none";
    const char *wrong = NULL;
    if (text && fhec_assemble("text", text, length, NULL, &again) == FHEC_OK &&
        fhec_kernel_count(again) != fhec_kernel_count(program))
        wrong = "the text has other kernels";
    fhec_program_free(again);
    free(text);
    return wrong;
}

static void hear(void *user, const fhec_diagnostic *d) {
    unsigned *heard = user;
    *heard += d->id && *d->id && *d->message;
}

/* The checker of scheduling fields says what it finds, or that there is nothing. */
static const char *lint(const fhec_program *program) {
    unsigned heard = 0;
    fhec_status status = fhec_lint(program, hear, &heard);
    if (status == FHEC_HOST_ERROR)
        return NULL;
    return status == (heard ? FHEC_DIFFERS : FHEC_OK) ? NULL : "lint's status is not what it says";
}

/* What is written as an object comes back with the same code. */
static const char *write_and_read(const fhec_program *program) {
    uint8_t *bytes;
    size_t length;
    fhec_program *again;
    if (fhec_program_write(program, &bytes, &length) != FHEC_OK)
        return NULL; /* no memory, or more sections than an object can have */
    fhec_status status = fhec_program_read("again", bytes, length, NULL, NULL, &again);
    free(bytes);
    if (status == FHEC_HOST_ERROR)
        return NULL;
    if (status != FHEC_OK)
        return "the object that was written cannot be read";
    const char *wrong = NULL;
    if (fhec_kernel_count(program) != fhec_kernel_count(again))
        wrong = "the object that was written has other kernels";
    for (size_t i = 0; i < fhec_kernel_count(program) && !wrong; i++) {
        fhec_kernel_info a, b;
        (void)fhec_kernel_get(program, i, &a);
        (void)fhec_kernel_get(again, i, &b);
        if (strcmp(a.name, b.name) != 0 || a.word_count != b.word_count ||
            memcmp(a.words, b.words, a.word_count * sizeof *a.words) != 0 ||
            a.param_bytes != b.param_bytes || a.shared_bytes != b.shared_bytes ||
            a.local_bytes != b.local_bytes)
            wrong = "the object that was written has other code";
    }
    fhec_program_free(again);
    return wrong;
}

/* What a run leaves behind. */
struct outcome {
    fhec_status status;
    uint8_t memory[BUFFER];
    char fault[FUZZ_SHOWN];
};

/* Parameters are addresses of one buffer, so that kernels get somewhere. */
static void run(const fhec_program *program, fhec_launch *launch, fhec_engine engine,
                struct outcome *o) {
    fhec_machine_options options = {.engine = engine, .threads = 1};
    fhec_machine *machine;
    uint64_t address;
    *o = (struct outcome){.status = fhec_machine_new(&options, &machine)};
    if (o->status != FHEC_OK)
        return;
    o->status = fhec_alloc(machine, "buffer", BUFFER, 0, &address);
    uint8_t *params = calloc(launch->param_bytes + 8, 1);
    if (o->status == FHEC_OK && params) {
        for (size_t at = 0; at < launch->param_bytes; at += 8)
            memcpy(params + at, &address, 8);
        launch->params = params;
        launch->program = program;
        o->status = fhec_run(machine, launch);
        if (o->status == FHEC_GUEST_FAULT)
            (void)fhec_format_fault(fhec_machine_fault(machine), o->fault, sizeof o->fault);
        if (fhec_read(machine, address, o->memory, BUFFER) != FHEC_OK)
            o->status = FHEC_HOST_ERROR;
    } else {
        o->status = FHEC_HOST_ERROR;
    }
    free(params);
    fhec_machine_free(machine);
}

static const char *run_both(const fhec_program *program, const uint8_t limits[FUZZ_LIMITS],
                            char shown[FUZZ_SHOWN]) {
    static const fhec_engine engines[2] = {FHEC_ENGINE_REF, FHEC_ENGINE_FAST};
    fhec_kernel_info k;
    size_t index = limits[0] % fhec_kernel_count(program);
    if (fhec_kernel_get(program, index, &k) != FHEC_OK)
        return "a kernel that is counted is not there";
    uint32_t stack = 16u * limits[1], local = k.local_bytes > stack ? k.local_bytes : stack;
    uint32_t most = LOCAL_ROOM / (local + 16) + 1, threads = 1u + limits[2] % 96;
    struct outcome outcomes[2];
    for (unsigned i = 0; i < 2; i++) {
        fhec_launch launch = {.kernel = index,
                              .grid = {1u + limits[3] % 2, 1, 1},
                              .block = {threads < most ? threads : most, 1, 1},
                              .dynamic_shared = 64u * limits[4],
                              .stack_bytes = stack,
                              .param_bytes = k.param_bytes,
                              .max_steps = 1u + STEPS * limits[5] / 255u};
        run(program, &launch, engines[i], &outcomes[i]);
        if (outcomes[i].status == FHEC_HOST_ERROR)
            return NULL;
    }
    snprintf(shown, FUZZ_SHOWN, "kernel %s, %u threads: %.250s and %.250s", k.name, threads,
             outcomes[0].fault, outcomes[1].fault);
    if (outcomes[0].status != outcomes[1].status ||
        strcmp(outcomes[0].fault, outcomes[1].fault) != 0)
        return "the engines end differently";
    if (memcmp(outcomes[0].memory, outcomes[1].memory, BUFFER) != 0)
        return "the engines leave different memory";
    return NULL;
}

const char *fuzz_use(const fhec_program *program, const uint8_t limits[FUZZ_LIMITS],
                     char shown[FUZZ_SHOWN]) {
    const char *wrong = ask(program);
    if (!wrong)
        wrong = write_and_read(program);
    if (!wrong)
        wrong = lint(program);
    if (!wrong && limits[6] % 16 == 0) /* it takes as long as all the rest */
        wrong = print_and_assemble(program);
    if (!wrong && fhec_kernel_count(program))
        wrong = run_both(program, limits, shown);
    return wrong;
}
