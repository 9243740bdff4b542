/*
 * cuda_library.h - the libraries that stand for CUDA's (cuda/), as programs load them.
 */
#ifndef CUDA_LIBRARY_H
#define CUDA_LIBRARY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The library of that name in the build folder that the test is of; NULL: it is not built there. */
void *cuda_library(const char *name);
/* The test fails if it has no such function. */
void *cuda_call(void *library, const char *name);

#endif
