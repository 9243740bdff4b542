/*
 * accelsim_reading.h - a file that is read line by line, for the reader's parts.
 */
#ifndef FH_ACCELSIM_READING_H
#define FH_ACCELSIM_READING_H

#include "accelsim_line.h"
#include "accelsim_reader.h"

enum { FH_ACCELSIM_LONGEST = 1 << 20 }; /* bytes of a line */

struct fh_accelsim_reader {
    struct fh_accelsim_in in;
    struct fh_accelsim_table *table;
    struct fh_accelsim_kernel kernel;
    uint64_t blocks, next; /* of the kernel; read so far */
    struct fh_trace_bytes buffer;
    size_t at; /* in the buffer: what has not been taken */
    bool ended;
    uint32_t line; /* taken last */
    fhec_status status;
    char why[FH_ACCELSIM_WHY];
};

/* "NAME:LINE: ..." with the line taken last. Returns FHEC_BAD_INPUT. */
fhec_status fh_accelsim_wrong(struct fh_accelsim_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
fhec_status fh_accelsim_no_memory(struct fh_accelsim_reader *reader);
/* The next line that is not empty. *more is false at the end of the file. */
fhec_status fh_accelsim_next_line(struct fh_accelsim_reader *reader, struct fh_accelsim_line *line,
                                  bool *more);

#endif
