/*
 * ntt_fourstep.c - constants, tables and launches of the transforms by two products of matrices.
 * The mathematics is explained in ntt_fhec256.sass.
 */
#include "ntt_fourstep.h"

struct fh_fourstep fh_fourstep_of(const struct fh_ntt_job *job) {
    struct fh_fourstep f = {.job = job, .log2_n2 = job->log2_n / 2};
    f.log2_n1 = job->log2_n - f.log2_n2;
    f.n2 = (size_t)1 << f.log2_n2;
    f.n1 = (size_t)1 << f.log2_n1;
    f.inverse = job->params->inverse;
    f.natural = job->params->order == FH_GOLDEN_NATURAL;
    return f;
}

/* Which evaluation is at position x of a side of 2^bits. */
static size_t evaluation(const struct fh_fourstep *f, size_t x, unsigned bits) {
    return f->natural ? x : fh_reverse((unsigned)x, bits);
}

uint32_t fh_fourstep_w1(const struct fh_fourstep *f, const struct fh_roots *roots, size_t k2,
                        size_t j) {
    return fh_root(roots, (2 * evaluation(f, k2, f->log2_n2) + 1) * j * f->n1);
}

uint32_t fh_fourstep_w2(const struct fh_fourstep *f, const struct fh_roots *roots, size_t k2,
                        size_t i) {
    return fh_root(roots, (2 * evaluation(f, k2, f->log2_n2) + 1) * i);
}

uint32_t fh_fourstep_w3(const struct fh_fourstep *f, const struct fh_roots *roots, size_t i,
                        size_t k1) {
    uint32_t w = fh_root(roots, 2 * f->n2 * i * evaluation(f, k1, f->log2_n1));
    return fh_times(w, &roots->scale);
}

static struct fh_step *add_step(struct fh_plan *plan, const char *kernel,
                                const struct fh_fourstep_launch *launch) {
    return fh_plan_step(plan, kernel, launch->columns, launch->rows, launch->warps);
}

/* Lists the steps; the scratch memory lies between them. */
static void add_steps(struct fh_plan *plan, const struct fh_fourstep_map *map,
                      const uint64_t address[FH_NTT_TABLES], uint64_t moduli) {
    const size_t word = sizeof(uint32_t);
    struct fh_step *step = add_step(plan, "ntt_first", &map->first);
    fh_step_in(step);
    fh_step_scratch(step, 0);
    fh_step_table(step, moduli, sizeof(struct fh_modulus_entry));
    fh_step_table(step, address[FH_FOURSTEP_FIRST], map->words[FH_FOURSTEP_FIRST] * word);
    fh_step_table(step, address[FH_FOURSTEP_TWIDDLES], map->words[FH_FOURSTEP_TWIDDLES] * word);
    step = add_step(plan, "ntt_second", &map->second);
    fh_step_scratch(step, 0);
    fh_step_out(step);
    fh_step_table(step, moduli, sizeof(struct fh_modulus_entry));
    fh_step_table(step, address[FH_FOURSTEP_SECOND], map->words[FH_FOURSTEP_SECOND] * word);
}

fhec_status fh_fourstep_plan(struct fh_plan *plan, const struct fh_fourstep *f,
                             const struct fh_fourstep_map *map) {
    const struct fh_ntt_job *job = f->job;
    const struct fh_define defines[] = {
        {"LOGN", job->log2_n},
        {"INVERSE", f->inverse},
        {"NATURAL", f->natural},
        {"WIDE_MODULI", job->wide},
    };
    const struct fh_ntt_table tables[FH_FOURSTEP_TABLES] = {
        [FH_FOURSTEP_FIRST] = {"first_constant", map->words[FH_FOURSTEP_FIRST]},
        [FH_FOURSTEP_TWIDDLES] = {"twiddles", map->words[FH_FOURSTEP_TWIDDLES]},
        [FH_FOURSTEP_SECOND] = {"second_constant", map->words[FH_FOURSTEP_SECOND]},
    };
    uint64_t addresses[FH_NTT_TABLES], moduli;
    fhec_status status =
        fh_guest_assemble(&plan->guest, map->source, defines, sizeof defines / sizeof *defines);
    if (status == FHEC_OK)
        status =
            fh_ntt_tables(&plan->guest, job, tables, FH_FOURSTEP_TABLES, map->fill, map, addresses);
    if (status == FHEC_OK)
        status = fh_ntt_moduli(&plan->guest, job, &moduli);
    if (status == FHEC_OK)
        status = fh_plan_scratch(plan, 0, job->limbs * job->n * sizeof(uint32_t));
    if (status == FHEC_OK)
        add_steps(plan, map, addresses, moduli);
    return status;
}
