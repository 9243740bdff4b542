/*
 * host_float.h - the host's floating point as the fast engine relies on it (float_rows.h): to
 * nearest, subnormal numbers kept, no exception trapped, whatever the program that calls the
 * library has chosen. What it has chosen is back afterwards, with its exception flags.
 */
#ifndef FH_HOST_FLOAT_H
#define FH_HOST_FLOAT_H

#if defined __x86_64__

#include <immintrin.h>

/* MXCSR: what arithmetic in vector registers goes by, and all arithmetic of C is there. */
typedef unsigned fh_host_float;
enum { FH_HOST_FLOAT_DEFAULT = 0x1f80 };

/* For this host thread, until fh_host_float_leave with what is returned. */
static inline fh_host_float fh_host_float_enter(void) {
    const fh_host_float before = _mm_getcsr();
    _mm_setcsr(FH_HOST_FLOAT_DEFAULT);
    return before;
}

static inline void fh_host_float_leave(fh_host_float before) {
    _mm_setcsr(before);
}

#else

#include <fenv.h>

typedef fenv_t fh_host_float;

static inline fh_host_float fh_host_float_enter(void) {
    fh_host_float before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    return before;
}

static inline void fh_host_float_leave(fh_host_float before) {
    fesetenv(&before);
}

#endif

#endif
