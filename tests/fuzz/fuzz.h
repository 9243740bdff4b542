/*
 * fuzz.h - what is fuzzed: a target takes any bytes and says what of fhec's promises they break.
 *
 * The same targets run under libFuzzer (entry.c, `make fuzz`) and, in every build, over the checked
 * in cases of tests/regress and over damaged seeds (tests/unit/fuzz_replay_test.c). Crashes, leaks
 * and undefined behaviour are the sanitizers' to see.
 */
#ifndef FH_TESTS_FUZZ_H
#define FH_TESTS_FUZZ_H

#include "isa.h"

/* NULL: all is well. Else one sentence in static storage; *shown, if it is not empty, is the text
 * it is about. */
enum { FUZZ_SHOWN = 600 };
typedef const char *fuzz_target(const uint8_t *bytes, size_t length, char shown[FUZZ_SHOWN]);

/* Source text or a listing: a status and diagnostics that hold together, and a program that can be
 * used. */
fuzz_target fuzz_asm;
/* A source laid out: only blanks change, once, and it means what it meant. */
fuzz_target fuzz_format;
/* A session of the debug adapter: a response to every request, in order. */
fuzz_target fuzz_dap;
/* Input of the language server, and a document in its hands. */
fuzz_target fuzz_lsp;
/* Instruction words: what decodes encodes to itself, and its text assembles to it. */
fuzz_target fuzz_word;
/* An object file: one error or a program that can be used. */
fuzz_target fuzz_cubin;
/* A data file, as raw elements and as .npy: an error or elements that can be written again. */
fuzz_target fuzz_data;
/* A file that holds objects: those that are found lie within it, and come out or do not. */
fuzz_target fuzz_fat;
/* A stream of JSON messages as debug adapters and language servers read it: messages that are the
 * same when they have been written again, or an error. */
fuzz_target fuzz_message;
/* A log of a trace, or the contents of its frames: an error, or records that are the same when they
 * have been written again. */
fuzz_target fuzz_trace;

/* An expression of the debugger, behind a byte that says which lane's: a value, the same among all
 * lanes, or an error in its text. */
fuzz_target fuzz_query;

/* The targets by name; the last has none. */
struct fuzz_named {
    const char *name;
    fuzz_target *target;
};
extern const struct fuzz_named fuzz_targets[];

/* Asks a program everything that can be asked, writes it as an object and reads that back, and runs
 * one of its kernels for some thousand instructions on both engines, which must agree. `limits`
 * choose the kernel and its launch. */
enum { FUZZ_LIMITS = 8 };
const char *fuzz_use(const fhec_program *program, const uint8_t limits[FUZZ_LIMITS],
                     char shown[FUZZ_SHOWN]);

/* Assembles a text, with a file "odd" to include: what is wrong with the diagnostics and the
 * status. *program, which may be NULL, is the caller's. */
const char *fuzz_assemble(const char *text, size_t length, fhec_status *status,
                          fhec_program **program, char shown[FUZZ_SHOWN]);

#endif
