/*
 * compiled.h - kernels that nvcc made of the CUDA sources of this folder, each with a twin in plain
 * C that computes the same on the host.
 *
 * A kernel's data are buffers. They are filled once; a run copies them to a machine, and to memory
 * of the host for the twin, launches, calls the twin, and compares what all of them hold. The twin
 * shares no code with the CUDA source, and uses no vector intrinsics; it is compiled with -O3.
 *
 * Whatever fails ends the process, with a message on stderr: nothing here is worth going on
 * without.
 */
#ifndef FH_TESTS_BENCH_COMPILED_H
#define FH_TESTS_BENCH_COMPILED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fhec.h"

typedef unsigned __int128 compiled_u128;

enum { COMPILED_BUFFERS = 8, COMPILED_SCALARS = 8 };

struct compiled_buffer {
    const char *name;
    size_t bytes;
    void *first;    /* what it holds before a run */
    void *twin;     /* what the twin works on; what it has computed */
    uint64_t guest; /* its address in the machine */
};

struct compiled_run {
    const struct compiled_kernel *kernel;
    size_t size; /* kernel->small, or kernel->large */
    struct compiled_buffer buffers[COMPILED_BUFFERS];
    unsigned buffer_count;
    uint64_t scalars[COMPILED_SCALARS]; /* the kernel's own */
    fhec_machine *machine;
    fhec_program *program;
};

struct compiled_kernel {
    const char *name;
    const char *cubin;   /* NAME of NAME.cubin in this folder */
    bool program;        /* a stand-in for a public program: timed on two threads, without ratio */
    double target;       /* warp instructions a second */
    size_t small, large; /* sizes for tests and for measuring, as `fill` understands them */
    void (*fill)(struct compiled_run *r); /* adds buffers and what they hold first, sets scalars */
    void (*launch)(struct compiled_run *r);
    void (*twin)(struct compiled_run *r);
    /* Compares buffer `i` in another way than byte by byte; NULL: no buffer needs it. */
    bool (*same)(const struct compiled_run *r, unsigned i, const void *guest);
};

/* In the order of the rows; ended by NULL. */
extern const struct compiled_kernel *const compiled_kernels[];

/* ---------------------------------------------------------------- for kernels */

/* Adds a buffer of zeros under the next number; returns `first`. */
void *compiled_buffer(struct compiled_run *r, const char *name, size_t bytes);
/* Launches a kernel of the program; grid and block by x, y and z. `params` is a struct of the
 * parameters; what it has behind the last of them is not counted. */
void compiled_launch(struct compiled_run *r, const char *kernel, const uint32_t grid[3],
                     const uint32_t block[3], const void *params, size_t param_bytes);
#define COMPILED_LAUNCH(r, kernel, x, y, threads, params)                                          \
    compiled_launch(r, kernel, (const uint32_t[3]){x, y, 1}, (const uint32_t[3]){threads, 1, 1},   \
                    &(params), sizeof(params))
void compiled_fail(const char *kernel, const char *what);

/* Numbers that follow from the seed; the second has many that are extreme in one way or another:
 * 0, all ones, powers of two, one less, small and negative ones. */
uint64_t compiled_random(uint64_t *seed);
uint64_t compiled_hostile(uint64_t *seed);
/* Hostile numbers of 32 bits. */
void compiled_hostile_words(uint32_t *words, size_t count, uint64_t seed);
/* Below q: 0, 1, q - 1, q / 2 and so on among them. */
uint64_t compiled_residue(uint64_t *seed, uint64_t q);

/* ---------------------------------------------------------------- for who runs them */

/* A machine with that many threads, with the program and the buffers. */
void compiled_open(struct compiled_run *r, const struct compiled_kernel *kernel, bool large,
                   const fhec_machine_options *options);
void compiled_close(struct compiled_run *r);
/* All buffers as they were filled, for machine and twin. */
void compiled_reset(struct compiled_run *r);
/* The first buffer that differs, or NULL. */
const char *compiled_difference(const struct compiled_run *r);

#endif
