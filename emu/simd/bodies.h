/*
 * bodies.h - what the bodies of both engines see beside the vocabulary of lane.h.
 */
#ifndef FH_BODIES_H
#define FH_BODIES_H

#include "lane_convert.h"
#include "lane_float.h"
#include "lane_matrix.h"
#include "lanes.h"
#include "matrix_fragment.h"

/* In the body of a matrix instruction: the size of an operand. */
#define rows(matrix)    ((u32)(sizeof(matrix) / sizeof *(matrix)))
#define columns(matrix) ((u32)(sizeof *(matrix) / sizeof **(matrix)))

#endif
