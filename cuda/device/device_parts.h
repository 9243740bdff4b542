/*
 * device_parts.h - the device runtime as its parts see it.
 */
#ifndef FH_DEVICE_PARTS_H
#define FH_DEVICE_PARTS_H

#include "device_runtime.h"
#include "fhec_call.h"

/* Text that grows, of the host. */
struct fh_device_buffer {
    char *bytes;
    size_t length, capacity;
};

struct fh_device_runtime {
    fhec_machine *machine;
    struct fh_device_options options;
    uint64_t ring, heap;              /* addresses */
    struct fh_device_buffer line;     /* that is being made */
    struct fh_device_buffer asserted; /* lines of the assertion that failed last */
};

/* The header of the printf buffer: bytes written into the ring so far, and how many of them are
 * gone; the ring's size divides neither. */
struct fh_device_ring {
    uint64_t begin, end;
};
_Static_assert(sizeof(struct fh_device_ring) == FH_DEVICE_PRINTF_HEADER, "the header's size");

enum {
    FH_DEVICE_ARGUMENT = 4, /* the first argument's register, and the result's */
    FH_DEVICE_HEAP_START = 16,
    FH_DEVICE_ALIGNMENT = 16,
};

/* False without host memory. */
bool fh_device_put(struct fh_device_buffer *buffer, const char *text, size_t length);
/* Reads a string of the guest behind what is in the buffer, at most `most` bytes of it. False after
 * a fault, or without host memory. */
bool fh_device_read_text(const fhec_call *call, uint32_t lane, uint64_t address, size_t most,
                         struct fh_device_buffer *buffer);

/* Makes the text of a call of vprintf; *result is what the call returns. False after a fault, or
 * without host memory. */
bool fh_device_format(const fhec_call *call, uint32_t lane, uint64_t format, uint64_t arguments,
                      size_t most, struct fh_device_buffer *text, int32_t *result);

/* The functions themselves; the user is the runtime. */
fhec_host_function_fn fh_device_vprintf, fh_device_malloc, fh_device_free, fh_device_assertfail;

/* The first block of a heap of `bytes` bytes: its state before the first call of malloc. */
fhec_status fh_device_heap_begin(struct fh_device_runtime *runtime);
fhec_status fh_device_ring_begin(struct fh_device_runtime *runtime);

#endif
