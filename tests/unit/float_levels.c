/* float_levels.c - see float_levels.h. */
#include "float_levels.h"

#include "emu_util.h"

size_t float_levels_of_host(struct float_level levels[FLOAT_LEVELS]) {
    static const struct {
        struct float_level level;
        fhec_simd simd;
    } all[] = {
        {{"portable", &fh_float_rows_portable}, FHEC_SIMD_PORTABLE},
#if defined __x86_64__
        {{"avx2", &fh_float_rows_avx2}, FHEC_SIMD_AVX2},
        {{"avx512", &fh_float_rows_avx512}, FHEC_SIMD_AVX512},
#endif
    };
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(all); i++)
        if (emu_has_simd(all[i].simd))
            levels[count++] = all[i].level;
        else
            print_message("# this host has no %s\n", all[i].level.name);
    return count;
}

void float_put(uint32_t *rows, uint32_t lane, uint64_t value) {
    rows[lane] = (uint32_t)value;
    rows[LANES + lane] = (uint32_t)(value >> 32);
}

uint64_t float_get(const uint32_t *rows, uint32_t lane, bool wide) {
    return rows[lane] | (wide ? (uint64_t)rows[LANES + lane] << 32 : 0);
}
