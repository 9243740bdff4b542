/*
 * matrix_handlers.h - hand-written handlers of matrix instructions that all levels of the fast
 * engine have: products of elements of less than 8 bits.
 */
#ifndef FH_MATRIX_HANDLERS_H
#define FH_MATRIX_HANDLERS_H

#include "exec.h"

fh_exec_fn fh_exec_imma4_fast, fh_exec_bmma_fast;

#endif
