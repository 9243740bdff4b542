/*
 * ptx.h - PTX compiled by CUDA's own library (nvJitLink), where the machine has it.
 */
#ifndef FH_CUDA_PTX_H
#define FH_CUDA_PTX_H

#include "status.h"

#include <stddef.h>
#include <stdint.h>

typedef enum fh_cuda_ptx_form { FH_CUDA_PTX_TEXT, FH_CUDA_PTX_FAT_BINARY } fh_cuda_ptx_form;

/* The object for sm_80 of PTX, as text of `count` bytes or as what a fat binary holds, malloc'd.
 * FH_CUDA_NO_PTX_COMPILER: there is no such library; FH_CUDA_INVALID_PTX: it refuses, and a line
 * says why. */
fh_cuda_status fh_cuda_ptx_object(fh_cuda_ptx_form form, const void *image, size_t count,
                                  uint8_t **bytes, size_t *length);

#endif
