/*
 * all_faults.h - --all-faults: launches that go on after a fault, without the warp at fault.
 */
#ifndef FH_CLI_ALL_FAULTS_H
#define FH_CLI_ALL_FAULTS_H

#include "cli.h"

/* fhec_run, which says each fault, and how many more warps came to the same one, and then ends the
 * warp. Deadlocks and step limits end the launch. FHEC_GUEST_FAULT: the machine's fault has yet to
 * be said if there is one; else all have been. */
fhec_status fh_cli_run_all_faults(const struct fh_cli *cli, fhec_machine *machine,
                                  const fhec_launch *launch);

#endif
