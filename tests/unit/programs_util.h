/*
 * programs_util.h - what the tests of programs/ share: machines, moduli, inputs, and transforms
 * compared with the reference.
 */
#ifndef FH_TESTS_PROGRAMS_UTIL_H
#define FH_TESTS_PROGRAMS_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"
#include "programs.h"
#include "slow_build.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

enum { MAX_LIMBS = 8 };

/* A machine that counts; the caller frees it. */
fhec_machine *programs_machine(fhec_engine engine, unsigned threads);

/* Options of runs that share assembled kernels with all others of the process. */
struct fh_run_options programs_options(void);

/* Warp instructions since the counters were cleared: all of them, and those whose mnemonic begins
 * with `prefix`. */
uint64_t programs_warp_insts(fhec_machine *machine);
uint64_t programs_count(fhec_machine *machine, const char *prefix);

/* The `index`-th largest prime = 1 mod 2N below 2^bits. */
uint64_t programs_prime(size_t n, unsigned bits, size_t index);

/* Fills a limb of `n` elements with one of the generator's patterns. */
void programs_fill(fh_golden_pattern pattern, uint64_t seed, uint64_t stream, uint64_t q, size_t n,
                   uint64_t *out);

/* The index-th map that has the workload, NULL past the end. */
const struct fh_map *programs_map(enum fh_workload workload, size_t index);

/* Elements as the map has them in memory (the caller frees), and one of those. A value must fit
 * the map's word. */
void *programs_pack(const struct fh_map *map, const uint64_t *from, size_t count);
uint64_t programs_element(const struct fh_map *map, const void *data, size_t at);

/* 32-bit copies of 64-bit elements and back; the caller frees. */
uint32_t *programs_narrow(const uint64_t *from, size_t count);
uint64_t *programs_widen(const uint32_t *from, size_t count);

/* A transform by the kernels, which must be `want`. in, want: limbs x n; in has any values of the
 * map's word. On a difference the test fails with the parameters and `label`, from which the input
 * follows. */
void programs_expect_ntt(fhec_machine *machine, const struct fh_ntt_params *params,
                         const uint64_t *in, const uint64_t *want, const char *label);
/* The same with what golden computes. */
void programs_check_ntt(fhec_machine *machine, const struct fh_ntt_params *params,
                        const uint64_t *in, const char *label);

#endif
