/*
 * ntt_fourstep.c - constants, tables and launches of the transforms by two products of matrices.
 * The mathematics is explained in ntt_fhec256.sass.
 */
#include "ntt_fourstep.h"

#include <stdlib.h>

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

/* The words of all limbs, one limb after the other. */
struct tables {
    uint32_t *words[FH_FOURSTEP_TABLES];
};

static void free_tables(struct tables *t) {
    for (unsigned i = 0; i < FH_FOURSTEP_TABLES; i++)
        free(t->words[i]);
}

static fhec_status build_tables(const struct fh_ntt_job *job, const struct fh_fourstep_map *map,
                                struct tables *t, struct fh_error *error) {
    uint32_t *power = fh_table(2 * job->n, sizeof *power);
    bool complete = power != NULL;
    for (unsigned i = 0; i < FH_FOURSTEP_TABLES && complete; i++) {
        t->words[i] = fh_table(job->limbs * map->words[i], sizeof *t->words[i]);
        complete = t->words[i] != NULL;
    }
    for (size_t limb = 0; limb < job->limbs && complete; limb++) {
        struct fh_roots roots;
        uint32_t *table[FH_FOURSTEP_TABLES];
        fh_roots_fill(&roots, job, limb, power);
        for (unsigned i = 0; i < FH_FOURSTEP_TABLES; i++)
            table[i] = t->words[i] + limb * map->words[i];
        map->fill(map, &roots, table);
    }
    free(power);
    return complete ? FHEC_OK : fh_fail_memory(error);
}

static struct fh_step *add_step(struct fh_plan *plan, const char *kernel,
                                const struct fh_fourstep_launch *launch) {
    return fh_plan_step(plan, kernel, launch->columns, launch->rows, launch->warps);
}

/* Puts the tables into the guest and lists the steps. */
static fhec_status add_steps(struct fh_plan *plan, const struct fh_ntt_job *job,
                             const struct fh_fourstep_map *map, const struct tables *t) {
    static const char *const names[] = {"first_constant", "twiddles", "second_constant"};
    const size_t word = sizeof(uint32_t);
    uint64_t address[FH_FOURSTEP_TABLES], moduli = 0;
    fhec_status status = FHEC_OK;
    for (unsigned i = 0; i < FH_FOURSTEP_TABLES && status == FHEC_OK; i++)
        status = fh_guest_table(&plan->guest, names[i], t->words[i],
                                job->limbs * map->words[i] * word, &address[i]);
    if (status == FHEC_OK)
        status = fh_ntt_moduli(&plan->guest, job, &moduli);
    if (status == FHEC_OK)
        status = fh_plan_scratch(plan, 0, job->limbs * job->n * word);
    if (status != FHEC_OK)
        return status;
    struct fh_step *step = add_step(plan, "ntt_first", &map->first);
    fh_step_in(step);
    fh_step_scratch(step, 0);
    fh_step_table(step, moduli, sizeof(struct fh_modulus));
    fh_step_table(step, address[FH_FOURSTEP_FIRST], map->words[FH_FOURSTEP_FIRST] * word);
    fh_step_table(step, address[FH_FOURSTEP_TWIDDLES], map->words[FH_FOURSTEP_TWIDDLES] * word);
    step = add_step(plan, "ntt_second", &map->second);
    fh_step_scratch(step, 0);
    fh_step_out(step);
    fh_step_table(step, moduli, sizeof(struct fh_modulus));
    fh_step_table(step, address[FH_FOURSTEP_SECOND], map->words[FH_FOURSTEP_SECOND] * word);
    return FHEC_OK;
}

fhec_status fh_fourstep_plan(struct fh_plan *plan, const struct fh_fourstep *f,
                             const struct fh_fourstep_map *map) {
    const struct fh_define defines[] = {
        {"LOGN", f->job->log2_n},
        {"INVERSE", f->inverse},
        {"NATURAL", f->natural},
        {"WIDE_MODULI", f->job->wide},
    };
    struct tables tables = {{NULL}};
    fhec_status status =
        fh_guest_assemble(&plan->guest, map->source, defines, sizeof defines / sizeof *defines);
    if (status == FHEC_OK)
        status = build_tables(f->job, map, &tables, plan->guest.error);
    if (status == FHEC_OK)
        status = add_steps(plan, f->job, map, &tables);
    free_tables(&tables);
    return status;
}
