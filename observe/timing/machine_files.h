/*
 * machine_files.h - the descriptions of machines in observe/timing/machines/, compiled into the
 * tool.
 */
#ifndef FH_MACHINE_FILES_H
#define FH_MACHINE_FILES_H

#include <stddef.h>

struct fh_machine_file {
    const char *name; /* of the machine: "a100+fhecore" */
    const char *text; /* zero-terminated */
    size_t length;
};

extern const struct fh_machine_file fh_machine_files[];
extern const size_t fh_machine_file_count;

#endif
