/*
 * rows.h - the numbers of the rows within their families, from the lists (*.def); for CUDA and C.
 * Family F has the rows 0 .. HW_F_ROWS - 1.
 */
#ifndef FHEC_HW_ROWS_H
#define FHEC_HW_ROWS_H

#include <stdint.h>

enum {
    HW_OPERANDS = 5, /* words of 8 bytes for each element */
    HW_BLOCK = 128,  /* threads of a block */
};

#define PRED(text)                       text
#define OP(name, o, i, j, rule, text)    HW_NAME(name),
#define EVEN                             OP
#define GLOBAL(name, t, text)            HW_NAME(name), HW_NAME(name##_after),
#define SHARED                           GLOBAL
#define SUM(name, text)                  HW_NAME(name),
#define COPY                             SUM
#define HW_ROWS_1(name)                  HW_NAME(name##_0),
#define HW_ROWS_2(name)                  HW_NAME(name##_0), HW_NAME(name##_1),
#define HW_ROWS_4(name)                  HW_ROWS_2(name) HW_NAME(name##_2), HW_NAME(name##_3),
#define MMA(name, shape, types, a, b, c) HW_ROWS_##c(name)
#define LOAD(name, text, count)          HW_ROWS_##count(name)

#define HW_NAME(name) HW_INTEGER_##name
enum {
#include "integer.def"
    HW_INTEGER_ROWS
};
#undef HW_NAME
#define HW_NAME(name) HW_FLOATS_##name
enum {
#include "float.def"
    HW_FLOATS_ROWS
};
#undef HW_NAME
#define HW_NAME(name) HW_FROM_INTEGER_##name
#define FROM_INTEGER
enum {
#include "convert.def"
    HW_FROM_INTEGER_ROWS
};
#undef FROM_INTEGER
#undef HW_NAME
#define HW_NAME(name) HW_FROM_FLOAT_##name
#define FROM_FLOAT
enum {
#include "convert.def"
    HW_FROM_FLOAT_ROWS
};
#undef FROM_FLOAT
#undef HW_NAME
#define HW_NAME(name) HW_FROM_DOUBLE_##name
#define FROM_DOUBLE
enum {
#include "convert.def"
    HW_FROM_DOUBLE_ROWS
};
#undef FROM_DOUBLE
#undef HW_NAME
#define HW_NAME(name) HW_LANES_##name
enum {
#include "lanes.def"
    HW_LANES_ROWS
};
#undef HW_NAME
#define HW_NAME(name) HW_MEMORY_##name
enum {
#include "memory.def"
    HW_MEMORY_ROWS
};
#undef HW_NAME
#define HW_NAME(name) HW_MATRIX_##name
enum {
#include "matrix.def"
    HW_MATRIX_ROWS
};
#undef HW_NAME

#undef PRED
#undef OP
#undef EVEN
#undef GLOBAL
#undef SHARED
#undef SUM
#undef COPY
#undef MMA
#undef LOAD

#endif
