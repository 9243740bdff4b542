/*
 * ntt_job.c - transforms: powers of roots, and tables of all limbs.
 */
#include "ntt_job.h"

#include <stdlib.h>

void fh_roots_fill(struct fh_roots *roots, const struct fh_ntt_job *job, size_t limb,
                   uint32_t *power) {
    uint32_t q = (uint32_t)job->params->q[limb];
    uint64_t root = job->psi[limb], scale = 1;
    if (job->params->inverse) {
        /* q is a prime above N: both are units. */
        (void)fh_golden_invmod(root, q, &root);
        (void)fh_golden_invmod(job->n, q, &scale);
    }
    *roots = (struct fh_roots){
        .n = job->n,
        .q = q,
        .power = power,
        .montgomery = fh_factor(job->gme ? 1 : (uint64_t)1 << 32, q),
        .scale = fh_factor(scale, q),
    };
    struct fh_factor step = fh_factor(root, q);
    uint32_t value = 1;
    for (size_t e = 0; e < job->n; e++) {
        power[e] = value;
        power[job->n + e] = q - value; /* the root's N-th power is -1 */
        value = fh_times(value, &step);
    }
}

/* All limbs' words of `count` tables, by limb. */
static void fill_limbs(const struct fh_ntt_job *job, const struct fh_ntt_table *tables,
                       unsigned count, uint32_t *const words[FH_NTT_TABLES], uint32_t *power,
                       fh_ntt_fill *fill, const void *method) {
    for (size_t limb = 0; limb < job->limbs; limb++) {
        struct fh_roots roots;
        uint32_t *table[FH_NTT_TABLES];
        fh_roots_fill(&roots, job, limb, power);
        for (unsigned i = 0; i < count; i++)
            table[i] = words[i] + limb * tables[i].words;
        fill(method, &roots, table);
    }
}

fhec_status fh_ntt_tables(struct fh_guest *guest, const struct fh_ntt_job *job,
                          const struct fh_ntt_table *tables, unsigned count, fh_ntt_fill *fill,
                          const void *method, uint64_t addresses[FH_NTT_TABLES]) {
    /* One block: the C library takes and gives back the pages of several large ones each time. */
    size_t all = 2 * job->n;
    for (unsigned i = 0; i < count; i++)
        all += job->limbs * tables[i].words;
    uint32_t *words[FH_NTT_TABLES], *power = fh_table(all, sizeof *power);
    if (!power)
        return fh_fail_memory(guest->error);
    uint32_t *next = power + 2 * job->n;
    for (unsigned i = 0; i < count; i++) {
        words[i] = next;
        next += job->limbs * tables[i].words;
    }
    fill_limbs(job, tables, count, words, power, fill, method);
    fhec_status status = FHEC_OK;
    for (unsigned i = 0; i < count; i++) {
        size_t bytes = job->limbs * tables[i].words * sizeof **words;
        addresses[i] = 0;
        if (bytes && status == FHEC_OK)
            status = fh_guest_table(guest, tables[i].name, words[i], bytes, &addresses[i]);
    }
    free(power);
    return status;
}

fhec_status fh_ntt_moduli(struct fh_guest *guest, const struct fh_ntt_job *job, uint64_t *address) {
    struct fh_modulus_entry *moduli = fh_table(job->limbs, sizeof *moduli);
    if (!moduli)
        return fh_fail_memory(guest->error);
    for (size_t i = 0; i < job->limbs; i++)
        moduli[i] = fh_modulus_entry((uint32_t)job->params->q[i]);
    fhec_status status =
        fh_guest_table(guest, "moduli", moduli, job->limbs * sizeof *moduli, address);
    free(moduli);
    return status;
}
