/*
 * debug_commands.h - what the commands of debug_console.h do, by subject: a function each.
 */
#ifndef FH_CLI_DEBUG_COMMANDS_H
#define FH_CLI_DEBUG_COMMANDS_H

#include "debug_console.h"

typedef fhec_status fh_cli_debug_fn(struct fh_cli_console *console, char *arguments);

/* debug_moving.c */
fh_cli_debug_fn fh_cli_debug_step, fh_cli_debug_next, fh_cli_debug_continue, fh_cli_debug_finish,
    fh_cli_debug_until, fh_cli_debug_run_to, fh_cli_debug_count, fh_cli_debug_goto,
    fh_cli_debug_run_again, fh_cli_debug_restart, fh_cli_debug_reverse_step,
    fh_cli_debug_reverse_next, fh_cli_debug_reverse_continue, fh_cli_debug_reverse_finish,
    fh_cli_debug_reverse_count, fh_cli_debug_last, fh_cli_debug_first;
/* debug_stops.c */
fh_cli_debug_fn fh_cli_debug_break, fh_cli_debug_tbreak, fh_cli_debug_watch, fh_cli_debug_catch,
    fh_cli_debug_delete, fh_cli_debug_enable, fh_cli_debug_disable, fh_cli_debug_ignore,
    fh_cli_debug_condition, fh_cli_debug_commands_of, fh_cli_debug_save, fh_cli_debug_source;
/* debug_looking.c */
fh_cli_debug_fn fh_cli_debug_info, fh_cli_debug_focus, fh_cli_debug_where, fh_cli_debug_print,
    fh_cli_debug_list;
/* debug_values.c */
fh_cli_debug_fn fh_cli_debug_examine, fh_cli_debug_banks, fh_cli_debug_registers,
    fh_cli_debug_masks, fh_cli_debug_calls;
/* debug_origins.c */
fh_cli_debug_fn fh_cli_debug_fragments, fh_cli_debug_origins;
/* debug_why.c */
fh_cli_debug_fn fh_cli_debug_why;
/* debug_tasks.c */
fh_cli_debug_fn fh_cli_debug_compare;
/* debug_findings.c */
fh_cli_debug_fn fh_cli_debug_check;
/* debug_profile.c */
fh_cli_debug_fn fh_cli_debug_profile;
/* debug_changing.c */
fh_cli_debug_fn fh_cli_debug_set;
/* debug_patch.c; the last one is `info patches` */
fh_cli_debug_fn fh_cli_debug_asm, fh_cli_debug_patch, fh_cli_debug_patches;
/* Writes those that there are as commands. */
void fh_cli_debug_save_patches(const struct fh_cli_console *console, FILE *file);

#endif
