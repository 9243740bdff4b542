/*
 * image.h - the object for the device among those that an image holds.
 */
#ifndef FH_CUDA_IMAGE_H
#define FH_CUDA_IMAGE_H

#include "cuda_device.h"

#pragma GCC visibility push(default)

/* The bytes of the best object for an A100 of an image as fh_cuda_module_new takes it, malloc'd. If
 * there is none, a line says what there is. */
fh_cuda_status fh_cuda_image_object(const void *image, uint8_t **bytes, size_t *length);

#pragma GCC visibility pop

#endif
