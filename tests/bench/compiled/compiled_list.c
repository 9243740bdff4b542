/*
 * compiled_list.c - the compiled kernels, in the order of their rows.
 */
#include "compiled.h"

extern const struct compiled_kernel compiled_ntt_barrett, compiled_ntt_shoup,
    compiled_ntt_montgomery, compiled_ntt_fp64, compiled_divide32, compiled_divide64,
    compiled_keyswitch, compiled_bconv, compiled_radix_sort, compiled_scan, compiled_field256,
    compiled_gauss_cdt, compiled_gauss_box_muller;

const struct compiled_kernel *const compiled_kernels[] = {
    &compiled_ntt_barrett,      &compiled_ntt_shoup,
    &compiled_ntt_montgomery,   &compiled_ntt_fp64,
    &compiled_divide32,         &compiled_divide64,
    &compiled_keyswitch,        &compiled_bconv,
    &compiled_radix_sort,       &compiled_scan,
    &compiled_field256,         &compiled_gauss_cdt,
    &compiled_gauss_box_muller, NULL,
};
