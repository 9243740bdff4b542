/*
 * device_runtime.h - what CUDA's driver gives every kernel: printf, malloc, free, assert, as
 * functions of the host over the public interface (fhec_call.h). new and delete are calls of
 * malloc and free.
 *
 * Everything that a launch changes of it is in the guest's memory, so that snapshots take it back:
 *
 *     the printf buffer   a header, then a ring of records of text
 *     the heap            a header, then blocks one behind the other (device_heap.h)
 */
#ifndef FH_DEVICE_RUNTIME_H
#define FH_DEVICE_RUNTIME_H

#include "fhec.h"

typedef struct fh_device_runtime fh_device_runtime;

enum { FH_DEVICE_PRINTF_HEADER = 16 };

enum fh_device_output { FH_DEVICE_PRINTF, FH_DEVICE_ASSERT };
/* Gets what kernels have printed, a call of printf at a time, or said by assert, a line for each
 * thread. */
typedef void fh_device_text_fn(void *user, enum fh_device_output output, const char *text,
                               size_t length);

struct fh_device_options {
    size_t heap_bytes, printf_bytes; /* 0: 8 MiB, 1 MiB, as CUDA has them */
    /* Not 0, both of them: the memory is there already, as the runtime of another machine left it;
     * what holds the printf buffer has FH_DEVICE_PRINTF_HEADER bytes more. */
    uint64_t printf_address, heap_address;
    fh_device_text_fn *text; /* NULL: nobody wants it */
    void *user;
};

/* Whether the runtime has a function of that name. */
bool fh_device_has_function(const char *name);
/* Whether the program names a function of the runtime. */
bool fh_device_runtime_wanted(const fhec_program *program);

/* Gives the machine the functions, and memory for them; the runtime is the machine's, and ends with
 * it. Errors as of fhec_alloc and fhec_host_function_set. */
fhec_status fh_device_runtime_new(fhec_machine *machine, const struct fh_device_options *options,
                                  fh_device_runtime **runtime);
/* That of the machine; NULL: it has none. */
fh_device_runtime *fh_device_runtime_of(const fhec_machine *machine);

/* Between launches: hands out what has been printed since the last time, and empties the buffer;
 * then what the assertion said that ended the last launch. */
fhec_status fh_device_runtime_flush(fh_device_runtime *runtime);

#endif
