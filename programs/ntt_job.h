/*
 * ntt_job.h - what the transform planners share: a checked job, and the powers of a limb's root.
 */
#ifndef FH_NTT_JOB_H
#define FH_NTT_JOB_H

#include "device.h"
#include "residue.h"

/* A transform whose parameters have been checked; psi filled in. */
struct fh_ntt_job {
    const struct fh_ntt_params *params;
    unsigned log2_n;
    size_t n, limbs;
    const uint64_t *psi;
    bool gme;   /* Hadamard products on modular lane units */
    bool wide;  /* a modulus has 32 bits */
    bool loose; /* then: q^2 + 2^32 q < 2^64 for each */
};

/* Powers of one limb's root, psi^e, or psi^-e for an inverse transform, for e < 2N. */
struct fh_roots {
    size_t n;
    uint32_t q;
    uint32_t *power; /* 2N of them */
    /* What the factors of Hadamard products carry: 2^32 mod q, but 1 on modular lane units. */
    struct fh_factor montgomery;
    struct fh_factor scale; /* 1/N mod q for an inverse, else 1 */
};

/* power[e mod 2N]; e may wrap modulo 2^64, since 2N divides that. */
static inline uint32_t fh_root(const struct fh_roots *roots, uint64_t e) {
    return roots->power[e & (2 * roots->n - 1)];
}

/* Fills roots for limb `limb`; power has room for 2N words. */
void fh_roots_fill(struct fh_roots *roots, const struct fh_ntt_job *job, size_t limb,
                   uint32_t *power);

/* A table of a method: words of one limb; 0: there is none. */
struct fh_ntt_table {
    const char *name;
    size_t words;
};
enum { FH_NTT_TABLES = 6 }; /* of a method, at most */

/* Fills one limb's tables. `method` is the method's own data. */
typedef void fh_ntt_fill(const void *method, const struct fh_roots *roots,
                         uint32_t *const table[FH_NTT_TABLES]);

/* Makes `count` tables, each for all limbs one after another, and puts them into the guest;
 * addresses[i] is 0 for a table that there is not. */
fhec_status fh_ntt_tables(struct fh_guest *guest, const struct fh_ntt_job *job,
                          const struct fh_ntt_table *tables, unsigned count, fh_ntt_fill *fill,
                          const void *method, uint64_t addresses[FH_NTT_TABLES]);

/* The limbs' moduli as a table of the guest. */
fhec_status fh_ntt_moduli(struct fh_guest *guest, const struct fh_ntt_job *job, uint64_t *address);

/* The lowest `bits` bits of `value` in reverse. */
static inline unsigned fh_reverse(unsigned value, unsigned bits) {
    unsigned reversed = 0;
    for (unsigned i = 0; i < bits; i++)
        reversed |= (value >> i & 1) << (bits - 1 - i);
    return reversed;
}

#endif
