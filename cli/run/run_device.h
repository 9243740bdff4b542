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

/* Gives the machine a runtime whose printf buffer and heap are there already, as another machine's
 * left them: the whole allocations. FHEC_BAD_INPUT if they cannot be that. */
fhec_status fh_cli_device_adopt(fhec_machine *machine, uint64_t ring, uint64_t ring_bytes,
                                uint64_t heap, uint64_t heap_bytes);

#endif
