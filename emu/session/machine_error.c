/*
 * machine_error.c - the text of a machine's last error.
 */
#include "machine.h"

#include <stdarg.h>
#include <stdio.h>

fhec_status fh_machine_fail(fhec_machine *machine, fhec_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(machine->error, sizeof machine->error, format, arguments);
    va_end(arguments);
    return status;
}
