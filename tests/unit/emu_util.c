/*
 * emu_util.c - see emu_util.h.
 */
#include "emu_util.h"

static void show_diagnostic(void *user, const fhec_diagnostic *diagnostic) {
    (void)user;
    char text[2000];
    fhec_format_diagnostic(diagnostic, false, text, sizeof text);
    print_error("%s", text);
}

fhec_program *emu_assemble(const char *text) {
    fhec_program *program = NULL;
    fhec_assemble_options options = {.diagnostic = show_diagnostic};
    fhec_status status = fhec_assemble("test.sass", text, strlen(text), &options, &program);
    if (status != FHEC_OK)
        fail_msg("the assembler gave %d for:\n%s", status, text);
    return program;
}

fhec_machine *emu_machine(fhec_engine engine, fhec_simd simd, unsigned threads) {
    fhec_machine *machine = NULL;
    fhec_machine_options options = {.engine = engine, .simd = simd, .threads = threads};
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
    return machine;
}

bool emu_has_simd(fhec_simd simd) {
    fhec_machine *machine = NULL;
    fhec_machine_options options = {.simd = simd, .threads = 1};
    bool has = fhec_machine_new(&options, &machine) == FHEC_OK;
    fhec_machine_free(machine);
    return has;
}

fhec_status emu_run(fhec_machine *machine, const fhec_program *program, uint32_t blocks,
                    uint32_t threads, const uint64_t *params, size_t count) {
    fhec_launch launch = {
        .program = program,
        .grid = {blocks, 1, 1},
        .block = {threads, 1, 1},
        .params = params,
        .param_bytes = 8 * count,
    };
    return fhec_run(machine, &launch);
}

static void show_failure(fhec_machine *machine, fhec_status status) {
    char text[2000] = "";
    if (status == FHEC_GUEST_FAULT)
        fhec_format_fault(fhec_machine_fault(machine), text, sizeof text);
    fail_msg("the launch gave %d: %s\n%s", status, fhec_machine_error(machine), text);
}

void emu_run_ok(fhec_machine *machine, const fhec_program *program, uint32_t blocks,
                uint32_t threads, const uint64_t *params, size_t count) {
    fhec_status status = emu_run(machine, program, blocks, threads, params, count);
    if (status != FHEC_OK)
        show_failure(machine, status);
}

void emu_text(const char *text, uint32_t threads, uint32_t *out, size_t words) {
    fhec_program *program = emu_assemble(text);
    for (int variant = 0; variant < 3; variant++) {
        fhec_machine *machine = emu_machine(variant == 1 ? FHEC_ENGINE_REF : FHEC_ENGINE_FAST,
                                            FHEC_SIMD_BEST, variant == 2 ? 2 : 1);
        uint64_t address;
        assert_int_equal(fhec_alloc(machine, "out", 4 * words, 0, &address), FHEC_OK);
        emu_run_ok(machine, program, 1, threads, &address, 1);
        uint32_t *got = malloc(4 * words);
        assert_non_null(got);
        assert_int_equal(fhec_read(machine, address, got, 4 * words), FHEC_OK);
        if (variant == 0)
            memcpy(out, got, 4 * words);
        assert_memory_equal(out, got, 4 * words);
        free(got);
        fhec_machine_free(machine);
    }
    fhec_program_free(program);
}

void emu_fault(const char *text, uint32_t threads, size_t words, uint64_t max_steps,
               fhec_machine **machine, const fhec_fault **fault) {
    fhec_program *program = emu_assemble(text);
    fhec_machine *machines[2];
    const fhec_fault *faults[2];
    for (int i = 0; i < 2; i++) {
        machines[i] = emu_machine(i ? FHEC_ENGINE_REF : FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
        uint64_t address;
        assert_int_equal(fhec_alloc(machines[i], "out", 4 * words, 0, &address), FHEC_OK);
        fhec_launch launch = {
            .program = program,
            .grid = {1, 1, 1},
            .block = {threads, 1, 1},
            .params = &address,
            .param_bytes = 8,
            .max_steps = max_steps,
        };
        fhec_status status = fhec_run(machines[i], &launch);
        faults[i] = fhec_machine_fault(machines[i]);
        if (status != FHEC_GUEST_FAULT || !faults[i])
            fail_msg("the launch gave %d and not a fault: %s", status,
                     fhec_machine_error(machines[i]));
    }
    assert_int_equal(faults[0]->kind, faults[1]->kind);
    assert_int_equal(faults[0]->pc, faults[1]->pc);
    assert_int_equal(faults[0]->warp, faults[1]->warp);
    assert_int_equal(faults[0]->lanes, faults[1]->lanes);
    assert_int_equal(faults[0]->address, faults[1]->address);
    assert_string_equal(faults[0]->message, faults[1]->message);
    fhec_machine_free(machines[1]);
    fhec_program_free(program);
    *machine = machines[0];
    *fault = faults[0];
}
