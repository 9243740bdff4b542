/*
 * ntt_radix16.c - tables and steps of the transforms in stages of radix 16. The mathematics is
 * explained in ntt_fhec16.sass.
 */
#include "ntt_radix16.h"

/* Whether transforms of this size have the kernel. */
static bool is_used(const struct fh_radix16 *s, enum fh_radix16_kernel kernel) {
    return kernel == FH_RADIX16_ROWS || (kernel == FH_RADIX16_SPLIT ? s->split : s->cols) != 0;
}

/* The steps in their order: data in, one or two scratch memories between them, data out. */
static void add_steps(struct fh_plan *plan, const struct fh_radix16 *s,
                      const struct fh_radix16_map *map, const uint64_t addresses[FH_NTT_TABLES],
                      uint64_t moduli) {
    static const char *const names[] = {"ntt_split", "ntt_cols", "ntt_rows"};
    static const unsigned first[FH_RADIX16_KERNELS + 1] = {
        FH_RADIX16_SPLIT_CONSTANT, FH_RADIX16_COLS_MATRICES, FH_RADIX16_ROWS_TABLES,
        FH_RADIX16_TABLES};
    enum fh_radix16_kernel kernels[FH_RADIX16_KERNELS];
    unsigned steps = 0;
    for (unsigned i = 0; i < FH_RADIX16_KERNELS; i++) {
        enum fh_radix16_kernel kernel = s->inverse ? FH_RADIX16_KERNELS - 1 - i : i;
        if (is_used(s, kernel))
            kernels[steps++] = kernel;
    }
    for (unsigned i = 0; i < steps; i++) {
        enum fh_radix16_kernel kernel = kernels[i];
        struct fh_step *step = fh_plan_step(plan, names[kernel], map->launches[kernel].blocks, 1,
                                            map->launches[kernel].warps);
        if (i == 0)
            fh_step_in(step);
        else
            fh_step_scratch(step, i - 1);
        if (i + 1 == steps)
            fh_step_out(step);
        else
            fh_step_scratch(step, i);
        fh_step_table(step, moduli, sizeof(struct fh_modulus_entry));
        for (unsigned t = first[kernel]; t < first[kernel + 1]; t++)
            if (map->tables[t].words)
                fh_step_table(step, addresses[t], map->tables[t].words * sizeof(uint32_t));
    }
}

fhec_status fh_radix16_plan(struct fh_plan *plan, const struct fh_radix16 *s,
                            const struct fh_radix16_map *map) {
    const struct fh_ntt_job *job = s->job;
    const struct fh_define defines[] = {
        {"LOGN", s->log2_n},        {"INVERSE", s->inverse}, {"NATURAL", s->natural},
        {"WIDE_MODULI", job->wide}, map->defines[0],         map->defines[1],
    };
    uint64_t addresses[FH_NTT_TABLES], moduli;
    fhec_status status =
        fh_guest_assemble(&plan->guest, map->source, defines, sizeof defines / sizeof *defines);
    if (status == FHEC_OK)
        status = fh_ntt_tables(&plan->guest, job, map->tables, FH_RADIX16_TABLES, map->fill, s,
                               addresses);
    if (status == FHEC_OK)
        status = fh_ntt_moduli(&plan->guest, job, &moduli);
    if (status != FHEC_OK)
        return status;
    add_steps(plan, s, map, addresses, moduli);
    for (unsigned i = 0; i + 1 < plan->step_count && status == FHEC_OK; i++)
        status = fh_plan_scratch(plan, i, job->limbs * job->n * sizeof(uint32_t));
    return status;
}
