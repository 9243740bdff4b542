/*
 * accelsim_writer.h - traces of launches as Accel-Sim's simulator reads them, version 5: a list of
 * what the host did, and a file for each launch (docs/accelsim.md). Blocks come in the order of
 * their numbers, each when it has ended, so that as much is kept as one block has issued.
 */
#ifndef FH_ACCELSIM_WRITER_H
#define FH_ACCELSIM_WRITER_H

#include "fhec_observe.h"
#include "trace_bytes.h"

struct fh_accelsim_out {
    void *user;
    /* A line of the list, with its end: a copy to the device; a launch's is the file's name. */
    bool (*list)(void *user, const char *line, size_t length);
    /* The file of launch `id` begins, from 1; gets bytes; ends. Sets `name` for the list. */
    bool (*begin)(void *user, uint64_t id, char *name, size_t size);
    bool (*write)(void *user, const void *bytes, size_t size);
    bool (*end)(void *user);
    /* Whether the launch, counted from 1, is wanted. */
    bool (*wants)(void *user, const fhec_launch *launch, uint64_t number);
};

struct fh_accelsim_writer;

/* Writes what the machine launches, and what the host copies to it, from now on. With `imma`, FHEC
 * is called IMMA, and the scheduling fields are left out. FHEC_HOST_ERROR without host memory. */
fhec_status fh_accelsim_write(fhec_machine *machine, const struct fh_accelsim_out *out, bool imma,
                              struct fh_accelsim_writer **writer);
/* Ends that. False: something could not be written, or there was no host memory. NULL is allowed.
 */
bool fh_accelsim_write_end(struct fh_accelsim_writer *writer);

#endif
