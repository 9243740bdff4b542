/*
 * host_simd.h - which SIMD levels the processor has that this runs on.
 */
#ifndef FH_HOST_SIMD_H
#define FH_HOST_SIMD_H

#include <stdbool.h>

#include "fhec.h"

/* *level becomes `wanted`, or for FHEC_SIMD_BEST the best level of this host; false, and no change,
 * if the host does not have it. A level stands for all extensions that its files are compiled with
 * (the Makefile's AVX2 and AVX512). */
bool fh_host_simd(fhec_simd wanted, fhec_simd *level);

#endif
