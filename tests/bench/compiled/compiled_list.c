/*
 * compiled_list.c - the compiled kernels, in the order of their rows.
 */
#include "compiled.h"

extern const struct compiled_kernel compiled_ntt_barrett, compiled_ntt_shoup,
    compiled_ntt_montgomery, compiled_ntt_fp64, compiled_divide32, compiled_divide64,
    compiled_keyswitch, compiled_bconv, compiled_radix_sort, compiled_scan, compiled_field256,
    compiled_gauss_cdt, compiled_gauss_box_muller;

/* Stand-ins for public programs. */
extern const struct compiled_kernel program_merge_sort, program_sorting_networks,
    program_goldilocks, program_ckks, program_reduction, program_transpose, program_histogram,
    program_scan, program_imma, program_arrive_wait, program_float_matmul, program_thread_fence,
    program_atomics, program_walsh, program_sobol;

const struct compiled_kernel *const compiled_kernels[] = {
    &compiled_ntt_barrett,
    &compiled_ntt_shoup,
    &compiled_ntt_montgomery,
    &compiled_ntt_fp64,
    &compiled_divide32,
    &compiled_divide64,
    &compiled_keyswitch,
    &compiled_bconv,
    &compiled_radix_sort,
    &compiled_scan,
    &compiled_field256,
    &compiled_gauss_cdt,
    &compiled_gauss_box_muller,
    &program_merge_sort,
    &program_sorting_networks,
    &program_goldilocks,
    &program_ckks,
    &program_reduction,
    &program_transpose,
    &program_histogram,
    &program_scan,
    &program_imma,
    &program_arrive_wait,
    &program_float_matmul,
    &program_thread_fence,
    &program_atomics,
    &program_walsh,
    &program_sobol,
    NULL,
};
