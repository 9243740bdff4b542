/*
 * control.h - the handlers of kind ctrl, named after the `handler` lines of the instruction set
 * (control.c, barrier.c). Those of the other kinds are declared by the generated handlers.h.
 */
#ifndef FH_CONTROL_H
#define FH_CONTROL_H

#include "handlers.h"

fh_exec_fn fh_exec_exit, fh_exec_bra, fh_exec_bra_div, fh_exec_bra_conv, fh_exec_bssy,
    fh_exec_bsync, fh_exec_break, fh_exec_warpsync, fh_exec_yield, fh_exec_bar_sync,
    fh_exec_bar_arv, fh_exec_bar_red, fh_exec_branch_register, fh_exec_call, fh_exec_return,
    fh_exec_trap, fh_exec_bar_scan;

#endif
