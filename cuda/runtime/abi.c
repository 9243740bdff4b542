/*
 * abi.c - which CUDA a library is of: compiled once for each, with FH_CUDART_VERSION.
 */
#include "cudart.h"

const int fh_cudart_version = FH_CUDART_VERSION;
