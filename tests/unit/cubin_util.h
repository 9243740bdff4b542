/* cubin_util.h - what the tests of compiled kernels (tests/cuda) share. */
#ifndef CUBIN_UTIL_H
#define CUBIN_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fhec.h"
#include "finding.h"

/* One launch: the parameters that every kernel of tests/cuda has, and its shape. */
struct cubin_case {
    uint32_t n; /* elements */
    uint64_t s; /* the scalar */
    uint32_t grid, block, dynamic_shared;
    uint64_t seed;
    uint8_t *in, *out, *want; /* out and want begin as the same bytes */
    size_t in_bytes, out_bytes;
};

/* Numbers that follow from the seed: hostile ones (0, all ones, powers of two, small) among them.
 */
uint64_t cubin_random(uint64_t *seed);
uint64_t cubin_hostile(uint64_t *seed);
void cubin_fill(uint64_t *seed, void *to, size_t bytes);

/* What a kernel is tested with. `prepare` sets s, in and, where the kernel adds to it, out, whose
 * sizes follow from in_size and out_size, and n, grid and block from the shape. `reference` makes
 * `want`. */
struct cubin_kernel {
    const char *file, *name;
    void (*prepare)(struct cubin_case *c);
    void (*reference)(struct cubin_case *c);
    size_t in_size, out_size;    /* bytes per element */
    size_t in_more, out_more;    /* and besides */
    const uint32_t (*shapes)[3]; /* n, grid, block; ended by 0 */
    unsigned seeds;
    unsigned faulty; /* FH_CHECK_BITs of checkers that rightly find something in it */
};

/* A test whose state is a struct cubin_kernel: runs every shape and seed from -O1 and -O3 code on
 * both engines, and from what cubin_again and cubin_edited make of them, and compares; fails with
 * everything that repeats the case. */
void cubin_test(void **state);

/* The kernel `name` of tests/cuda/FILE.*.cubin, whose reference is the function ref_NAME, with what
 * else its struct cubin_kernel needs; and its entry in the list of tests. */
#define CUBIN_KERNEL(file_, name_, ...)                                                            \
    static struct cubin_kernel name_##_kernel = {                                                  \
        .file = file_, .name = #name_, .reference = ref_##name_, __VA_ARGS__};
#define CUBIN_TEST(name)                                                                           \
    { #name, cubin_test, NULL, NULL, &name##_kernel }

/* Element i of an input; element i of what is expected. */
uint32_t cubin_u32(const uint8_t *bytes, size_t i);
uint64_t cubin_u64(const uint8_t *bytes, size_t i);
void cubin_put(struct cubin_case *c, size_t i, uint64_t x); /* its low 32 bits */
void cubin_put64(struct cubin_case *c, size_t i, uint64_t x);

/* Reads a file of tests/cuda whole. */
uint8_t *cubin_bytes(const char *name, size_t *length);
fhec_program *cubin_program(const char *name);
/* The program as text, assembled, written as an object and read again: it must do the same. */
fhec_program *cubin_again(const fhec_program *program, const char *name);
/* The same with instructions added to the text, so that all addresses of code change. */
fhec_program *cubin_edited(const fhec_program *program, const char *name);
char *cubin_text(const fhec_program *program, unsigned flags, const char *name);

#endif
