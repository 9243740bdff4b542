/*
 * debug_assemble.h - an instruction as a person writes it for a place of a kernel: with the names
 * that the kernel's source has there.
 */
#ifndef FH_CLI_DEBUG_ASSEMBLE_H
#define FH_CLI_DEBUG_ASSEMBLE_H

#include "debug_console.h"

/* Assembles it for byte address `pc` of the kernel of a launch. Names are those that the kernel's
 * source gives by .reg, .equ and .set, its parameters, shared variables and labels; those of
 * registers always mean registers. Branch targets are labels or absolute addresses. ".inst LOW,
 * HIGH" is the word itself. FHEC_BAD_INPUT: said. */
fhec_status fh_cli_debug_assemble(const struct fh_cli_console *console, const char *text,
                                  size_t launch, uint64_t pc, fhec_word *word);

#endif
