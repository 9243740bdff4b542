/*
 * fhec_reference.h - a reference of one's own for `fhec test`: what a function in a shared object,
 * called by `expect NAME reference FILE.so FUNCTION ARGUMENT...`, is given. libfhec has no part in
 * it: the tool loads the object, which needs this header only.
 *
 *     #include <fhec_reference.h>
 *     int twice(const fhec_reference *call) {
 *         const uint32_t *x = call->arguments[0].data;
 *         uint32_t *out = call->result;
 *         for (size_t i = 0; i < call->count; i++)
 *             out[i] = 2 * x[i];
 *         return 0;
 *     }
 */
#ifndef FHEC_REFERENCE_H
#define FHEC_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/* A buffer of the case as it was before the run, or a number, which is one element of 8 bytes. */
typedef struct fhec_reference_argument {
    const char *name;  /* the word in the line */
    const void *data;  /* `count` elements: uint32_t or uint64_t */
    size_t count;      /* elements */
    unsigned width;    /* bytes of an element: 4 or 8 */
    unsigned reserved; /* 0 */
} fhec_reference_argument;

typedef struct fhec_reference {
    const fhec_reference_argument *arguments;
    size_t argument_count;
    void *result;        /* to be filled: `count` elements of `width` bytes, zeros at first */
    size_t count;        /* elements */
    unsigned width;      /* bytes: 4 or 8 */
    char *message;       /* may be filled with the reason of a failure, ended by a NUL */
    size_t message_size; /* bytes */
} fhec_reference;

/* The type of such a function. 0: the result is there; anything else: it failed, and the case is
 * malformed. All memory stays the tool's, and is valid during the call. */
typedef int fhec_reference_fn(const fhec_reference *call);

#endif
