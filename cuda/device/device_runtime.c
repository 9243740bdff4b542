/*
 * device_runtime.c - making the device runtime, and handing out what kernels have said.
 */
#include "device_parts.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    fhec_host_function_fn *function;
} functions[] = {
    {"vprintf", fh_device_vprintf},
    {"malloc", fh_device_malloc},
    {"free", fh_device_free},
    {"__assertfail", fh_device_assertfail},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

bool fh_device_has_function(const char *name) {
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0)
            return true;
    return false;
}

bool fh_device_put(struct fh_device_buffer *buffer, const char *text, size_t length) {
    if (!length)
        return true;
    if (length > buffer->capacity - buffer->length) {
        const size_t capacity = 2 * buffer->capacity + length + 64;
        char *bytes = realloc(buffer->bytes, capacity);
        if (!bytes)
            return false;
        buffer->bytes = bytes;
        buffer->capacity = capacity;
    }
    memcpy(buffer->bytes + buffer->length, text, length);
    buffer->length += length;
    return true;
}

bool fh_device_read_text(const fhec_call *call, uint32_t lane, uint64_t address, size_t most,
                         struct fh_device_buffer *buffer) {
    for (size_t i = 0; i < most; i++) {
        char c;
        if (!fhec_call_read(call, lane, address + i, &c, 1))
            return false;
        if (!c)
            break;
        if (!fh_device_put(buffer, &c, 1))
            return false;
    }
    return true;
}

bool fh_device_runtime_wanted(const fhec_program *program) {
    const char *name;
    for (size_t i = 0; (name = fhec_program_external(program, i)); i++)
        if (fh_device_has_function(name))
            return true;
    return false;
}

static void release(void *user) {
    fh_device_runtime *r = user;
    free(r->line.bytes);
    free(r->asserted.bytes);
    free(r);
}

/* The first function is set last, and has the runtime released. */
static fhec_status set(fh_device_runtime *r, size_t index, fhec_host_function_fn *function) {
    return fhec_host_function_set(r->machine,
                                  &(fhec_host_function){.name = functions[index].name,
                                                        .function = function,
                                                        .user = r,
                                                        .release = index == 0 ? release : NULL});
}

/* New memory for both. */
static fhec_status allocate(fh_device_runtime *r) {
    fhec_status status = fhec_alloc(r->machine, "the printf buffer",
                                    FH_DEVICE_PRINTF_HEADER + r->options.printf_bytes, 0, &r->ring);
    if (status == FHEC_OK)
        status = fh_device_ring_begin(r);
    if (status == FHEC_OK)
        status = fhec_alloc(r->machine, "the heap", r->options.heap_bytes, 0, &r->heap);
    return status == FHEC_OK ? fh_device_heap_begin(r) : status;
}

static fhec_status make(fh_device_runtime *r) {
    fhec_status status = FHEC_OK;
    r->ring = r->options.printf_address;
    r->heap = r->options.heap_address;
    if (!r->ring)
        status = allocate(r);
    for (size_t i = FUNCTIONS; status == FHEC_OK && i-- > 0;)
        status = set(r, i, functions[i].function);
    return status;
}

/* What stands half made in the machine is taken out of it again. */
static void unmake(fh_device_runtime *r) {
    for (size_t i = 1; i < FUNCTIONS; i++)
        (void)set(r, i, NULL);
    if (r->ring && !r->options.printf_address)
        (void)fhec_release(r->machine, r->ring);
    if (r->heap && !r->options.heap_address)
        (void)fhec_release(r->machine, r->heap);
    free(r);
}

fhec_status fh_device_runtime_new(fhec_machine *machine, const struct fh_device_options *options,
                                  fh_device_runtime **runtime) {
    enum { LEAST = 64, HEAP = 8 << 20, RING = 1 << 20 };
    fh_device_runtime *r = *runtime = calloc(1, sizeof *r);
    if (!r)
        return FHEC_HOST_ERROR;
    r->machine = machine;
    r->options = *options;
    struct fh_device_options *o = &r->options;
    o->heap_bytes = o->heap_bytes ? o->heap_bytes & ~(size_t)(FH_DEVICE_ALIGNMENT - 1) : HEAP;
    o->printf_bytes = o->printf_bytes ? o->printf_bytes : RING;
    o->heap_bytes = o->heap_bytes < LEAST ? LEAST : o->heap_bytes;
    const fhec_status status = make(r);
    if (status != FHEC_OK) {
        unmake(r);
        *runtime = NULL;
    }
    return status;
}

fh_device_runtime *fh_device_runtime_of(const fhec_machine *machine) {
    fhec_host_function f;
    for (size_t i = 0; fhec_host_function_get(machine, i, &f); i++)
        if (f.function == functions[0].function)
            return f.user;
    return NULL;
}
