/*
 * application.h - what an application takes: how often it uses which primitive at which level, and
 * the sum of what each takes, counted once.
 *
 *     rows and plans -> uses (shape, count), in one of several forms -> counted -> sum
 *
 * A row says how often an operation happens at a level. A plan is a bootstrap of golden's planner
 * (ckks_bootstrap.h), whose circuit says it; so what is composed is what `fhec ckks bootstrap`
 * executes. Kernels do not branch on data, so that one execution of a shape stands for all.
 */
#ifndef FH_APPLICATION_H
#define FH_APPLICATION_H

#include "ckks_bootstrap.h"
#include "ckks_primitive.h"
#include "profile.h"

/* Each operation by itself and each limb's Rescale too, or those together that one primitive does
 * (ckks_groups.h); and rotations of one ciphertext each by itself, or with one ModUp for all. */
enum fh_app_form {
    FH_APP_SINGLE,
    FH_APP_HOISTED,
    FH_APP_FUSED,
    FH_APP_FUSED_HOISTED,
    FH_APP_FORMS
};
const char *fh_app_form_name(enum fh_app_form form); /* "single", "hoisted", ... */

/* Operations of rows. */
enum fh_app_op {
    FH_APP_HEADD,
    FH_APP_HEMULT, /* without Rescale */
    FH_APP_PTMULT,
    FH_APP_PTADD,
    FH_APP_SCALARMULT,
    FH_APP_SCALARADD,
    FH_APP_ROTATE,
    FH_APP_CONJUGATE,
    FH_APP_RESCALE,
    FH_APP_OPS
};
const char *fh_app_op_name(enum fh_app_op op); /* "headd", "hemult", ... */

struct fh_app_row {
    enum fh_app_op op;
    size_t limbs;   /* at which it reads its operands */
    size_t drop;    /* RESCALE: limbs in one pass; 0: one */
    uint64_t count; /* operations */
    /* ROTATE: ciphertexts that these rotations are of, which have one ModUp each when hoisted.
     * PTMULT, SCALARMULT: sums that these products make, whose additions belong to the row. Divides
     * the count; 0: as many as operations. */
    uint64_t groups;
};

struct fh_app_plan {
    fh_golden_ckks_boot_params params;
    /* Fewer slots than N / 2 = 2^all_slots: the maps have log2 slots stages, one EvalMod is enough,
     * all_slots - log2_slots rotations before CtS add up the copies of the slots, and one behind
     * StC puts the halves together. `params` is of the ring of 2 x slots. */
    unsigned log2_slots, all_slots;
};

/* A Chebyshev series of golden's planner: sum c_j T_j of a ciphertext of `limbs` limbs. */
struct fh_app_series {
    size_t degree;           /* 1 .. 127 */
    size_t limbs, per_level; /* more than the series' depth times per_level; 1 or 2 */
};

/* How often which shape is used; base: in the chain of the base level, of ENCAPSULATE. */
struct fh_app_use {
    struct fh_ckks_shape shape;
    bool base;
    uint64_t count;
};
struct fh_app_uses {
    struct fh_app_use *uses;
    size_t count, room;
};
void fh_app_uses_free(struct fh_app_uses *uses);

/* `count` more of this shape. FHEC_HOST_ERROR: no memory, as below. */
fhec_status fh_app_use(struct fh_app_uses *uses, const struct fh_ckks_shape *shape, bool base,
                       uint64_t count);
/* The row in this form, `times` over. */
fhec_status fh_app_use_row(struct fh_app_uses *uses, enum fh_app_form form,
                           const struct fh_app_row *row, uint64_t times);
/* A bootstrap likewise. FHEC_BAD_INPUT with what golden says of the parameters. */
fhec_status fh_app_use_plan(struct fh_app_uses *uses, enum fh_app_form form,
                            const struct fh_app_plan *plan, uint64_t times, struct fh_error *error);
/* A series likewise. FHEC_BAD_INPUT for too few limbs among others. */
fhec_status fh_app_use_series(struct fh_app_uses *uses, enum fh_app_form form,
                              const struct fh_app_series *series, uint64_t times,
                              struct fh_error *error);
/* A circuit's steps that `wanted` (NULL: all) takes. It hoists or not, whatever the form says. */
fhec_status fh_app_use_circuit(struct fh_app_uses *uses, enum fh_app_form form,
                               const fh_golden_ckks_circuit *circuit,
                               bool (*wanted)(const fh_golden_ckks_step *step), uint64_t times);

/* What is published of applications: numbers of operations, from uses in the forms SINGLE and
 * HOISTED. */
struct fh_app_totals {
    uint64_t hemult;
    uint64_t rotate;    /* with conjugations and what is hoistable */
    uint64_t hoistable; /* of them: rotations that share a ModUp with others */
    uint64_t ptmult;    /* with products with scalars */
    uint64_t headd;     /* with differences */
    uint64_t rescale;   /* by one limb */
    uint64_t keyswitch; /* besides those of the others: to and from a sparse secret */
};
struct fh_app_totals fh_app_totals(const struct fh_app_uses *single,
                                   const struct fh_app_uses *hoisted);

/* ---------------------------------------------------------------- counting
 *
 * The shapes of one chain on one map, each executed once, the first time that it is asked for.
 */
struct fh_app_counter;

/* base: the chain of ENCAPSULATE; NULL: there is none. The machine must have nothing else to do.
 * *counter is the caller's (end, before the machine), NULL after an error. */
fhec_status fh_app_counter_begin(fhec_machine *machine, const struct fh_ckks_params *chain,
                                 const struct fh_ckks_params *base, struct fh_app_counter **counter,
                                 struct fh_error *error);
void fh_app_counter_end(struct fh_app_counter *counter); /* NULL is fine */

/* Numbers that grow while kernels run, as the cycles of a model of time do. */
enum { FH_APP_METERS = 4 };
struct fh_app_meter {
    void (*read)(void *user, uint64_t values[FH_APP_METERS]);
    void *user;
};
/* What they grow by while a shape runs is kept with it. Before the first sum. */
void fh_app_counter_meter(struct fh_app_counter *counter, const struct fh_app_meter *meter);

/* What uses take. */
struct fh_app_sum {
    struct fh_profile profile;
    uint64_t metered[FH_APP_METERS]; /* 0 without a meter */
};
/* *sum += what all uses take. */
fhec_status fh_app_counter_sum(struct fh_app_counter *counter, const struct fh_app_uses *uses,
                               struct fh_app_sum *sum, struct fh_error *error);

#endif
