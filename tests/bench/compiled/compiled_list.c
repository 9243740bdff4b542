/*
 * compiled_list.c - the compiled kernels, in the order of their rows.
 */
#include "compiled.h"

#define COMPILED_KERNELS(X) X(ntt_barrett) X(ntt_shoup) X(ntt_montgomery) X(ntt_fp64)

#define DECLARED(name) extern const struct compiled_kernel compiled_##name;
COMPILED_KERNELS(DECLARED)

#define LISTED(name) &compiled_##name,
const struct compiled_kernel *const compiled_kernels[] = {COMPILED_KERNELS(LISTED) NULL};
