/*
 * interrupt.h - Ctrl-C while kernels run: the launch ends, and where every warp stood is told.
 */
#ifndef FH_CLI_INTERRUPT_H
#define FH_CLI_INTERRUPT_H

#include "cli.h"

/* Between the two, SIGINT cancels what runs on the machine; a second one ends the process. */
void fh_cli_interrupt_begin(fhec_machine *machine);
void fh_cli_interrupt_end(void);

#endif
