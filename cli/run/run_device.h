/*
 * run_device.h - printf, malloc and assert of the kernels that the tool launches.
 */
#ifndef FH_CLI_RUN_DEVICE_H
#define FH_CLI_RUN_DEVICE_H

#include "cli.h"

/* Before a launch: gives the machine the device runtime if the program asks for it and the machine
 * has none. */
fhec_status fh_cli_device_begin(fhec_machine *machine, const fhec_program *program);
/* Behind one: what was printed goes to stdout, what assertions say to stderr. */
fhec_status fh_cli_device_flush(fhec_machine *machine);

#endif
