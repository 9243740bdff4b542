/*
 * debug_location.h - places and targets as a person writes them: "ntt.sass:88", "label top",
 * "x[3]", "R12 in b(1,0) w2".
 */
#ifndef FH_CLI_DEBUG_LOCATION_H
#define FH_CLI_DEBUG_LOCATION_H

#include "debug_console.h"

/* The next word, cut off at a blank: *text is behind it. Empty: there is none. */
char *fh_cli_debug_word(char **text);
/* The whole of a word is a number. */
bool fh_cli_debug_number(const char *word, uint64_t *number);

/* Reads "[b(X[,Y[,Z]])|b*] [wN|w*] [lN|lane N|l*] [*]" into the focus, which keeps what is not
 * said. FHEC_BAD_INPUT: said. */
fhec_status fh_cli_debug_read_focus(const struct fh_cli_console *console, char *text,
                                    struct fh_focus *focus);
/* Reads "LOCATION [in FOCUS] [if CONDITION]" into a breakpoint, whose strings are parts of the text
 * or of the program. Locations are
 *     LINE  FILE:LINE  pc ADDRESS  label NAME  kernel NAME  launch N  op MNEMONIC  class NAME
 * and a name alone is a label's or a kernel's. */
fhec_status fh_cli_debug_read_location(const struct fh_cli_console *console, char *text,
                                       struct fh_breakpoint *breakpoint);
/* Reads "TARGET [in FOCUS] [if CONDITION]", where a target is a register (R12, P0, UR4, UP1),
 * BUFFER[I], BUFFER[I..J], of words or, with :u64 or :u8 behind it, others, or
 * global|shared|local|constant ADDRESS BYTES. Registers are those of the console's focus. */
fhec_status fh_cli_debug_read_target(const struct fh_cli_console *console, char *text,
                                     struct fh_breakpoint *breakpoint);
/* Makes a watchpoint of the target one of its origin. FHEC_BAD_INPUT: it is no register R or UR. */
fhec_status fh_cli_debug_origin_target(const struct fh_cli_console *console,
                                       struct fh_breakpoint *breakpoint);
/* A register's file and number; false: it is none. */
bool fh_cli_debug_register(const char *word, fhec_register_file *file, uint32_t *number);
/* "x[3..5]:u64" as a range of addresses; false: it is none, or of no buffer. *width: bytes of an
 * element. */
bool fh_cli_debug_elements(const struct fh_cli_console *console, const char *word,
                           uint64_t *address, uint64_t *bytes, unsigned *width);

#endif
