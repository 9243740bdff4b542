/*
 * run_device.c - printf, malloc and assert of the kernels that the tool launches: the device
 * runtime of cuda/device, and its text on the tool's streams.
 */
#include "run_device.h"

#include "device_runtime.h"

#include <stdio.h>

static void text(void *user, enum fh_device_output output, const char *bytes, size_t length) {
    (void)user;
    fwrite(bytes, 1, length, output == FH_DEVICE_PRINTF ? stdout : stderr);
}

fhec_status fh_cli_device_begin(fhec_machine *machine, const fhec_program *program) {
    fh_device_runtime *runtime;
    if (!fh_device_runtime_wanted(program) || fh_device_runtime_of(machine))
        return FHEC_OK;
    return fh_device_runtime_new(machine, &(struct fh_device_options){.text = text}, &runtime);
}

fhec_status fh_cli_device_adopt(fhec_machine *machine, uint64_t ring, uint64_t ring_bytes,
                                uint64_t heap, uint64_t heap_bytes) {
    fh_device_runtime *runtime;
    if (fh_device_runtime_of(machine) || ring_bytes <= FH_DEVICE_PRINTF_HEADER)
        return FHEC_BAD_INPUT;
    return fh_device_runtime_new(
        machine,
        &(struct fh_device_options){.text = text,
                                    .printf_bytes = ring_bytes - FH_DEVICE_PRINTF_HEADER,
                                    .heap_bytes = heap_bytes,
                                    .printf_address = ring,
                                    .heap_address = heap},
        &runtime);
}

fhec_status fh_cli_device_flush(fhec_machine *machine) {
    fh_device_runtime *runtime = fh_device_runtime_of(machine);
    return runtime ? fh_device_runtime_flush(runtime) : FHEC_OK;
}
