/*
 * emu_util.h - what the tests of the emulator share: programs from text, machines, launches.
 */
#ifndef FH_TESTS_EMU_UTIL_H
#define FH_TESTS_EMU_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fhec.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The program, or a failed test that shows the diagnostics. */
fhec_program *emu_assemble(const char *text);
fhec_machine *emu_machine(fhec_engine engine, fhec_simd simd, unsigned threads);
bool emu_has_simd(fhec_simd simd);

/* Runs kernel 0 with the 64-bit parameters. The block is one-dimensional. */
fhec_status emu_run(fhec_machine *machine, const fhec_program *program, uint32_t blocks,
                    uint32_t threads, const uint64_t *params, size_t count);
/* The same, and the launch must end well. */
void emu_run_ok(fhec_machine *machine, const fhec_program *program, uint32_t blocks,
                uint32_t threads, const uint64_t *params, size_t count);

/* Assembles `text`, runs kernel 0 of it in one block of `threads`, with one parameter: the address
 * of `words` zeroed words, which are then copied to `out`. Both engines and 1 and 2 host threads,
 * which must agree. */
void emu_text(const char *text, uint32_t threads, uint32_t *out, size_t words);
/* The same, but the launch must end with a fault, of both engines alike; *fault is that of the
 * fast one and belongs to *machine. */
void emu_fault(const char *text, uint32_t threads, size_t words, uint64_t max_steps,
               fhec_machine **machine, const fhec_fault **fault);

#endif
