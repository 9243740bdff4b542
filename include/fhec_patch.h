/*
 * fhec_patch.h - other words in the place of a program's: instructions for the calls of compiled
 * code, and what a machine runs that its kernels do not say, in place of their words and beside
 * them. What fhec.h says of errors and threads holds.
 */
#ifndef FHEC_PATCH_H
#define FHEC_PATCH_H

#include "fhec_session.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* ---------------------------------------------------------------- programs of compilers */

/* Puts instructions in the place of the calls of cuda/fhec.cuh's functions (fhec_insn_...), in
 * kernels and functions, and adds their features to the targets; the functions stay. For programs
 * that were read from objects, before a machine has loaded them. *count: how many calls. A call
 * that cannot become its instruction is FHEC_BAD_INPUT, said with its source line, and the program
 * is then to be freed: part of it may have been changed. */
fhec_status fhec_patch_calls(fhec_program *program, fhec_diagnostic_fn *diagnostic, void *user,
                             size_t *count);

/* Puts the index-th variable, a __device__ one, at a generic address that something else has
 * allocated: all that refers to it refers there, and the memory of its own that every machine gives
 * it is unused. Before a machine has loaded the program. FHEC_BAD_INPUT: there is no such variable,
 * it is __constant__, or an address in it is that of another variable, or counted from somewhere
 * else than its beginning; the program is then as before. */
fhec_status fhec_patch_variable(fhec_program *program, size_t index, uint64_t address);

/* ---------------------------------------------------------------- launches that begin */

enum { FHEC_MAX_PATCHES = 1024 };
/* From the next launch on, kernels of that name have `word` at byte address `pc` of their code, in
 * the place of their program's. FHEC_BAD_INPUT: too many, or pc is no multiple of a word. */
fhec_status fhec_machine_patch(fhec_machine *machine, const char *kernel, uint64_t pc,
                               fhec_word word);
/* The same for one launch only: the one that is number `launch`, from 1 on, of those that the
 * machine begins in its life; 0: every one from the next on. */
fhec_status fhec_machine_patch_launch(fhec_machine *machine, uint64_t launch, const char *kernel,
                                      uint64_t pc, fhec_word word);
/* In how many launches the index-th patch, from 0, has been: those of the kernel, which has code at
 * its place. */
uint64_t fhec_machine_patch_uses(const fhec_machine *machine, size_t index);

/* ---------------------------------------------------------------- the launch under way */

/* From the next instruction on the launch under way has `word` at byte address `pc` of its kernel's
 * code; snapshots know it. It is a change by the host, as a write is. FHEC_BAD_INPUT: the kernel
 * has no code there; the word touches registers that no other one does, and the launch has issued
 * instructions; or it asks for what a launch has to be given when it begins (the workspace of grid
 * barriers, reserved shared memory). */
fhec_status fhec_session_patch(fhec_session *session, uint64_t pc, fhec_word word);

/* Has lanes of a warp execute an instruction that the kernel need not have, as if it stood where
 * they stand; they stay there. Its guard holds. It is a change by the host: the launch counts no
 * instruction, no point stops, observers are not told. *active (may be NULL): the lanes that
 * executed it. FHEC_GUEST_FAULT: it has changed nothing, and fhec_machine_fault is its fault, which
 * is not the launch's. FHEC_BAD_INPUT: the lanes are not together, or one has ended; the word is no
 * instruction, one of control (branches, barriers, EXIT and their like: which lanes run, and where,
 * is the launch's), or touches registers that no instruction of the kernel does. */
fhec_status fhec_session_execute(fhec_session *session, const uint32_t block[3], uint32_t warp,
                                 uint32_t lanes, fhec_word word, uint32_t *active);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
