/*
 * kernels.cu - one kernel for each family of rows (*.def). Parameters: results, row by row, 8 bytes
 * an element; operands, HW_OPERANDS words of 8 bytes an element; the number of elements, a multiple
 * of 32. An element is a thread. Every row is one statement of PTX, so that the machine code is the
 * compiler's and the meaning is the PTX manual's; what PTX cannot say is in silicon.sass.
 */
#include "rows.h"

#define KERNEL(name)                                                                               \
    extern "C" __global__ void name(uint64_t *__restrict__ out, const uint64_t *__restrict__ in,   \
                                    uint32_t n)
#define ELEMENT                                                                                    \
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;                                            \
    if (i >= n)                                                                                    \
        return;                                                                                    \
    const uint64_t *x = in + HW_OPERANDS * i;

typedef uint32_t type_r;
typedef uint64_t type_l;
typedef float type_f;
typedef double type_d;

/* Operands as the types of a row, results as bits. */
#define OPERAND(k, from)                                                                           \
    uint64_t k##_l = from;                                                                         \
    uint32_t k##_r = (uint32_t)k##_l;                                                              \
    float k##_f = __uint_as_float(k##_r);                                                          \
    double k##_d = __longlong_as_double((long long)k##_l);                                         \
    (void)k##_l, (void)k##_r, (void)k##_f, (void)k##_d;
#define OPERANDS OPERAND(a, x[0]) OPERAND(b, x[1]) OPERAND(c, x[2])
#define BITS_r(x) (x)
#define BITS_l(x) (x)
#define BITS_f(x) __float_as_uint(x)
#define BITS_d(x) (uint64_t)__double_as_longlong(x)

#define PRED(text) "{.reg .pred p; " text " selp.u32 %0, 1, 0, p;}"
#define OP(name, o, i_, j, rule, text)                                                             \
    {                                                                                              \
        type_##o result;                                                                           \
        asm volatile(text : "=" #o(result) : #i_(a_##i_), #i_(b_##i_), #j(c_##j));                 \
        out[HW_ROW(name) * n + i] = BITS_##o(result);                                              \
    }
/* Lanes that stay away leave their result as it was: 0. */
#define EVEN(name, o, i_, j, rule, text)                                                           \
    if (c_r % 2 == 0)                                                                              \
        OP(name, o, i_, j, rule, text)

#define HW_ROW(name) HW_INTEGER_##name
KERNEL(integer) {
    ELEMENT
    OPERANDS
#include "integer.def"
}
#undef HW_ROW

#define HW_ROW(name) HW_FLOATS_##name
KERNEL(floats) {
    ELEMENT
    OPERANDS
#include "float.def"
}
#undef HW_ROW

#define HW_ROW(name) HW_FROM_INTEGER_##name
KERNEL(from_integer) {
    ELEMENT
    OPERANDS
#define FROM_INTEGER
#include "convert.def"
#undef FROM_INTEGER
}
#undef HW_ROW

#define HW_ROW(name) HW_FROM_FLOAT_##name
KERNEL(from_float) {
    ELEMENT
    OPERANDS
#define FROM_FLOAT
#include "convert.def"
#undef FROM_FLOAT
}
#undef HW_ROW

#define HW_ROW(name) HW_FROM_DOUBLE_##name
KERNEL(from_double) {
    ELEMENT
    OPERANDS
#define FROM_DOUBLE
#include "convert.def"
#undef FROM_DOUBLE
}
#undef HW_ROW

#define HW_ROW(name) HW_LANES_##name
KERNEL(lanes) {
    ELEMENT
    OPERANDS
#include "lanes.def"
}
#undef HW_ROW

#define HW_ROW(name) HW_MEMORY_##name
/* A lane's own global word is where its second row will be. */
#define GLOBAL(name, t, text)                                                                      \
    {                                                                                              \
        uint64_t *word = out + HW_ROW(name##_after) * n + i;                                       \
        type_##t old;                                                                              \
        *word = BITS_##t(a_##t);                                                                   \
        asm volatile(text : "=" #t(old) : "l"(word), #t(b_##t), #t(c_##t) : "memory");             \
        out[HW_ROW(name) * n + i] = BITS_##t(old);                                                 \
    }
#define SHARED(name, t, text)                                                                      \
    {                                                                                              \
        type_##t old;                                                                              \
        own[threadIdx.x] = BITS_##t(a_##t);                                                        \
        asm volatile(text : "=" #t(old) : "r"(at), #t(b_##t), #t(c_##t) : "memory");               \
        out[HW_ROW(name) * n + i] = BITS_##t(old);                                                 \
        out[HW_ROW(name##_after) * n + i] = own[threadIdx.x];                                      \
    }
#define SUM(name, text)                                                                            \
    {                                                                                              \
        sum[threadIdx.x / 32] = 0;                                                                 \
        __syncwarp();                                                                              \
        asm volatile(text : : "r"(sum_at), "r"(a_r) : "memory");                                   \
        __syncwarp();                                                                              \
        out[HW_ROW(name) * n + i] = sum[threadIdx.x / 32];                                         \
        __syncwarp();                                                                              \
    }
#define COPY(name, text)                                                                           \
    own[threadIdx.x] = ~a_l;                                                                       \
    asm volatile(text : : "r"(at), "l"(x), "r"(c_r % 9) : "memory");                               \
    asm volatile("cp.async.wait_all;" : : : "memory");                                             \
    out[HW_ROW(name) * n + i] = own[threadIdx.x];
KERNEL(memory) {
    __shared__ volatile uint64_t own[HW_BLOCK];
    __shared__ volatile uint32_t sum[HW_BLOCK / 32];
    ELEMENT
    OPERANDS
    uint32_t at = (uint32_t)__cvta_generic_to_shared((void *)&own[threadIdx.x]);
    uint32_t sum_at = (uint32_t)__cvta_generic_to_shared((void *)&sum[threadIdx.x / 32]);
#include "memory.def"
}
#undef HW_ROW

/* D, A, B and C of an mma by their numbers of registers. */
#define D_2 "{%0,%1}"
#define D_4 "{%0,%1,%2,%3}"
#define AB_11 "{%4},{%8}"
#define AB_21 "{%4,%5},{%8}"
#define AB_42 "{%4,%5,%6,%7},{%8,%9}"
#define C_2 "{%10,%11}"
#define C_4 "{%10,%11,%12,%13}"
#define PUT_2(name)                                                                                \
    out[HW_ROW(name##_0) * n + i] = d[0];                                                          \
    out[HW_ROW(name##_1) * n + i] = d[1];
#define PUT_4(name)                                                                                \
    PUT_2(name)                                                                                    \
    out[HW_ROW(name##_2) * n + i] = d[2];                                                          \
    out[HW_ROW(name##_3) * n + i] = d[3];
#define MMA(name, shape, types, a, b, c)                                                           \
    {                                                                                              \
        uint32_t d[4] = {0, 0, 0, 0};                                                              \
        asm volatile("mma.sync.aligned." shape ".row.col." types " " D_##c "," AB_##a##b           \
                     "," C_##c ";"                                                                 \
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                              \
                     : "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]), "r"(w[4]), "r"(w[5]),           \
                       "r"(w[6]), "r"(w[7]), "r"(w[8]), "r"(w[9]));                                \
        PUT_##c(name)                                                                              \
    }

#define R_1 "{%0}"
#define R_2 "{%0,%1}"
#define R_4 "{%0,%1,%2,%3}"
#define PUT_1(name) out[HW_ROW(name##_0) * n + i] = d[0];
#define LOAD(name, text, count)                                                                    \
    {                                                                                              \
        uint32_t d[4] = {0, 0, 0, 0};                                                              \
        asm volatile("ldmatrix.sync.aligned.m8n8." text " " R_##count ", [%4];"                    \
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                              \
                     : "r"(row)                                                                    \
                     : "memory");                                                                  \
        PUT_##count(name)                                                                          \
    }
#define HW_ROW(name) HW_MATRIX_##name
KERNEL(matrix) {
    __shared__ uint4 rows[HW_BLOCK];
    ELEMENT
    uint32_t w[2 * HW_OPERANDS];
    for (int k = 0; k < HW_OPERANDS; k++) {
        w[2 * k] = (uint32_t)x[k];
        w[2 * k + 1] = (uint32_t)(x[k] >> 32);
    }
    rows[threadIdx.x] = make_uint4(w[0], w[1], w[2], w[3]);
    __syncwarp();
    uint32_t row = (uint32_t)__cvta_generic_to_shared(&rows[threadIdx.x / 32 * 32 + w[4] % 32]);
#include "matrix.def"
}
#undef HW_ROW
