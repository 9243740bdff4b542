/*
 * interrupt.h - Ctrl-C while kernels run: the launch ends, and where every warp stood is told; and
 * a time limit, which ends it likewise.
 */
#ifndef FH_CLI_INTERRUPT_H
#define FH_CLI_INTERRUPT_H

#include "cli.h"

/* Between the two, SIGINT cancels what runs on the machine; a second one ends the process. */
void fh_cli_interrupt_begin(fhec_machine *machine);
void fh_cli_interrupt_end(void);
/* What they cancel is another machine from here on; the one before, to be put back. */
fhec_machine *fh_cli_interrupt_other(fhec_machine *machine);
/* From another thread: cancels what runs between the two; if nothing does, what does next, until
 * that is forgotten. */
void fh_cli_interrupt_now(void);
void fh_cli_interrupt_forget(void);

/* When so many seconds have gone by, what then runs on a machine between the two is cancelled; if
 * nothing does, what does next. Once in a process. */
void fh_cli_interrupt_after(double seconds);
/* Whether that has happened. */
bool fh_cli_interrupt_was_late(void);

#endif
