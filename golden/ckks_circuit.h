/*
 * ckks_circuit.h - computations on ciphertexts as data: a list of primitives over numbered values,
 * made once from parameters and executed by anything that has the primitives.
 *
 * A circuit is in single assignment form: value 0 is the first input, step i makes value i + 1 and
 * reads earlier ones. Further inputs are the values of the first steps, of kind INPUT, which have
 * nothing to execute. Whoever executes it (the functions below with golden's primitives, kernels on
 * an emulated machine) can stop after each step, compare its value limb by limb, count, and go on
 * later from the values that are still needed (last_use).
 *
 *   builder   ckks_circuit.c: one function for each primitive, which checks levels and tracks
 * scales linear    ckks_linear.c: products with matrices by diagonals, baby steps and giant steps
 *   series    ckks_chebyshev.c: Chebyshev series by Paterson-Stockmeyer
 *   bootstrap ckks_boot.c, declared in ckks_bootstrap.h
 *   applications ckks_lr.c, ckks_resnet.c, declared in ckks_apps.h
 *   execution ckks_execute.c
 *
 * Level, polynomial, ciphertext and key are those of ckks.h. A step reads its operands at its own
 * level: of an operand that still has more limbs, the first ones of both components. Scales are
 * long doubles: the message of a value is its polynomial divided by its scale.
 */
#ifndef FH_GOLDEN_CKKS_CIRCUIT_H
#define FH_GOLDEN_CKKS_CIRCUIT_H

#include "ckks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a step computes from its operands a and b, and the function of ckks.h that defines it. */
typedef enum fh_golden_ckks_kind {
    FH_GOLDEN_CKKS_INPUT = 0,     /* the next input: no operand, nothing to execute */
    FH_GOLDEN_CKKS_ADD,           /* headd(a, b) */
    FH_GOLDEN_CKKS_SUB,           /* hesub(a, b) */
    FH_GOLDEN_CKKS_HEMULT,        /* hemult(a, b), without Rescale */
    FH_GOLDEN_CKKS_SCALAR_MULT,   /* scalar_mult(a, scalar) */
    FH_GOLDEN_CKKS_SCALAR_ADD,    /* scalar_add(a, scalar) */
    FH_GOLDEN_CKKS_PTMULT,        /* ptmult(a, diagonal `diagonal` of map `map`, or a vector) */
    FH_GOLDEN_CKKS_PTADD,         /* ptadd(a, a vector) */
    FH_GOLDEN_CKKS_MONOMIAL,      /* monomial(a, element) */
    FH_GOLDEN_CKKS_ROTATE,        /* galois(a, element), element = 5^r mod 2N */
    FH_GOLDEN_CKKS_RAISE_DIGITS,  /* raise_digits(c1 of a): raised digits, no ciphertext */
    FH_GOLDEN_CKKS_ROTATE_RAISED, /* galois_hoisted(a, element) with the raised digits b */
    FH_GOLDEN_CKKS_CONJUGATE,     /* galois(a, element), element = 2N - 1 */
    FH_GOLDEN_CKKS_RESCALE,       /* rescale_limbs(a, drop) */
    FH_GOLDEN_CKKS_ENCAPSULATE,   /* key_switch(c1 of a) + (c0, 0) in the base chain: to s' */
    FH_GOLDEN_CKKS_MOD_RAISE,     /* mod_raise(a) from the base to the full level */
    FH_GOLDEN_CKKS_RELEASE,       /* key_switch(c1 of a) + (c0, 0): from s' to s */
    FH_GOLDEN_CKKS_KIND_COUNT
} fh_golden_ckks_kind;

const char *fh_golden_ckks_kind_name(fh_golden_ckks_kind kind); /* "add", ...; never NULL */

#define FH_GOLDEN_CKKS_NONE      SIZE_MAX /* no operand, no map */
#define FH_GOLDEN_CKKS_NAME_SIZE 32U
#define FH_GOLDEN_CKKS_PART_SIZE 16U
#define FH_GOLDEN_CKKS_MAX_KEPT  7U

typedef struct fh_golden_ckks_step {
    fh_golden_ckks_kind kind;
    char name[FH_GOLDEN_CKKS_NAME_SIZE]; /* the part of the computation: "CtS 1", "EvalMod re" */
    size_t level;                        /* at which it reads its operands */
    size_t result_level;                 /* RESCALE and MOD_RAISE: another one */
    long double scale;                   /* of the result */
    size_t a;                            /* value */
    size_t b;                            /* value or NONE */
    fh_golden_i128 scalar;
    uint64_t element;        /* a Galois element, or the exponent of a monomial */
    size_t drop;             /* limbs that RESCALE drops */
    size_t map;              /* index in the circuit's maps, or NONE */
    size_t diagonal;         /* of the map, 0 .. count - 1 */
    size_t vector;           /* index in the circuit's vectors, or NONE */
    long double plain_scale; /* at which the vector is encoded */
} fh_golden_ckks_step;

/* A matrix of n x n slots by its diagonals, one's own or a product of butterfly stages of the
 * decoder's Fourier transform: diag_k[p] = G[p][p + k stride mod n], k = first .. first + count
 * - 1.
 *
 * Stage s, 1 <= s <= log2 n, has blocks of len = 2^s slots: (u, x) -> (u + w_j x, u - w_j x), j <
 * len / 2, w_j = exp(2 pi i (5^j mod 4 len) / (4 len)); its inverse ((u + x) / 2, (u - x) conj(w_j)
 * / 2). The slots of a polynomial t are S_log2n ... S_1 applied to t_k + i t_{k+n} in bit-reversed
 * order (Cheon, Han, Hhan, Asiacrypt 2018, and Chen, Chillotti, Song, Eurocrypt 2019).
 *
 * Baby steps and giant steps: k = baby a + b with 0 <= b < baby,
 *   out = sum_a rot(sum_b rot(diag_k, -baby a stride) o rot(v, b stride), baby a stride),
 * rot(v, r)[p] = v[p + r mod n]. Diagonal k is encoded after its rotation by -baby a stride. */
typedef struct fh_golden_ckks_map {
    unsigned log2_slots;
    bool inverse; /* S_high^-1 first ... S_low^-1 last; otherwise S_low first ... S_high last */
    unsigned low; /* stages low .. high */
    unsigned high;
    long double factor; /* every entry times this */
    size_t stride;      /* 2^(low - 1) */
    ptrdiff_t first;
    size_t count;
    size_t baby;                    /* the least power of two with baby^2 >= count */
    const fh_golden_complex *given; /* NULL, or the diagonals themselves, count x n */
    size_t level;                   /* of the operand, in a circuit */
    long double plain_scale;        /* at which the diagonals are encoded, in a circuit */
} fh_golden_ckks_map;

/* Fills *map but for level and plain_scale, which are 0. ERR_ARGUMENT unless
 * 1 <= low <= high <= log2_slots <= 23 and the factor is finite. */
fh_golden_status fh_golden_ckks_map_shape(unsigned log2_slots, bool inverse, unsigned low,
                                          unsigned high, long double factor,
                                          fh_golden_ckks_map *map);

/* The same for a matrix of one's own by its diagonals, count x n, which must outlive the map: entry
 * p of diagonal k is G[p][p + k stride mod n]. ERR_ARGUMENT unless count >= 1, 1 <= log2_slots <=
 * 23 and no two diagonals are the same modulo n. */
fh_golden_status fh_golden_ckks_map_given(unsigned log2_slots, size_t stride, ptrdiff_t first,
                                          size_t count, const fh_golden_complex *diagonals,
                                          fh_golden_ckks_map *map);

/* The giant step a of diagonal `index`: floor(k / baby). */
ptrdiff_t fh_golden_ckks_map_giant(const fh_golden_ckks_map *map, size_t index);

/* diagonals: count x n, diag_k one after another, not rotated, not scaled. ERR_NO_MEMORY. Takes
 * O(stages x count x n) products. */
fh_golden_status fh_golden_ckks_map_diagonals(const fh_golden_ckks_map *map,
                                              fh_golden_wide_complex *diagonals);

/* Makes the coefficients of a circuit's diagonals, one after another; keeps the diagonals of the
 * map that was asked for last. *encoder is owned by the caller (free function below) and NULL after
 * an error. ERR_SIZE, ERR_NO_MEMORY. */
typedef struct fh_golden_ckks_encoder fh_golden_ckks_encoder;
fh_golden_status fh_golden_ckks_encoder_create(fh_golden_ckks_encoder **encoder, size_t n);
void fh_golden_ckks_encoder_free(fh_golden_ckks_encoder *encoder); /* NULL is fine */

/* coefficients[N] = the polynomial whose slots are plain_scale times diagonal `index` of the map,
 * rotated for its giant step; rounded to nearest. They need more than 64 bits where plain_scale is
 * near 2^62. ERR_ARGUMENT (index, another N), ERR_SCALE for a coefficient of 2^120 and more,
 * ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_encode_diagonal(fh_golden_ckks_encoder *encoder,
                                                const fh_golden_ckks_map *map, size_t index,
                                                fh_golden_i128 *coefficients);

/* plain (level x n, evaluations) of a polynomial with these N coefficients. ERR_LEVEL. */
fh_golden_status fh_golden_ckks_plain(const fh_golden_ckks *ckks, size_t level,
                                      const fh_golden_i128 *coefficients, uint64_t *plain);

/* ------------------------------------------------------------------------------- the circuit */

/* Of the chain a circuit is for only the moduli are read, so that it can be made, counted and
 * printed without tables. */
typedef struct fh_golden_ckks_circuit {
    unsigned log2_n;
    size_t limbs;                         /* of the full level */
    uint64_t moduli[FH_GOLDEN_MAX_LIMBS]; /* q_0 .. q_{limbs-1} */
    size_t per_level;                     /* limbs that a level has: 1, or 2 (composite) */
    long double delta;                    /* the scale that linear maps end at */
    bool hoist;                           /* baby steps of linear maps by hoisted rotations */
    size_t input_level;                   /* of value 0 */
    long double input_scale;
    size_t
        input_count; /* values 0 .. input_count - 1: the first input_count - 1 steps are INPUTs */
    size_t step_count;
    fh_golden_ckks_step *steps;
    size_t map_count;
    fh_golden_ckks_map *maps;
    size_t vector_count;
    fh_golden_complex **vectors; /* N / 2 slots each */
    size_t output;               /* value, set by fh_golden_ckks_circuit_finish */
    size_t kept_count;           /* further outputs */
    size_t kept[FH_GOLDEN_CKKS_MAX_KEPT];
    size_t *last_use;                    /* [step_count + 1], by finish: the last step that reads
                                          * the value; step_count for outputs */
    char part[FH_GOLDEN_CKKS_PART_SIZE]; /* before the names of the steps to come */
    char name[FH_GOLDEN_CKKS_NAME_SIZE]; /* of the steps to come */
    fh_golden_status status;             /* the first error of a builder */
} fh_golden_ckks_circuit;

typedef struct fh_golden_ckks_circuit_params {
    unsigned log2_n;
    size_t limbs;
    const uint64_t *moduli; /* limbs primes, copied */
    size_t per_level;
    long double delta;
    bool hoist;
    size_t input_level;
    long double input_scale;
} fh_golden_ckks_circuit_params;

/* *circuit is owned by the caller (free function below) and NULL after an error. ERR_SIZE,
 * ERR_LIMBS, ERR_ARGUMENT (per_level), ERR_LEVEL (input), ERR_SCALE, ERR_NO_MEMORY. */
fh_golden_status fh_golden_ckks_circuit_create(fh_golden_ckks_circuit **circuit,
                                               const fh_golden_ckks_circuit_params *params);
void fh_golden_ckks_circuit_free(fh_golden_ckks_circuit *circuit); /* NULL is fine */

/* Builders: each adds steps and returns the value that they make. After an error, kept in
 * circuit->status, they add nothing and return 0. ERR_LEVEL for an operand that has too few limbs,
 * ERR_SCALE for sums of unequal scales (more than 2^-50 apart) and unusable scalars, ERR_ARGUMENT
 * for a value that there is not or that is no ciphertext, ERR_NO_MEMORY. `limbs` is the level of
 * the step. */
void fh_golden_ckks_circuit_name(fh_golden_ckks_circuit *circuit, const char *name,
                                 unsigned number);
/* The names to come begin with this part's; "" for none. What does not fit is cut. */
void fh_golden_ckks_circuit_part(fh_golden_ckks_circuit *circuit, const char *part);
/* One more input. ERR_ARGUMENT after a step that is none, ERR_LEVEL, ERR_SCALE. */
size_t fh_golden_ckks_circuit_input(fh_golden_ckks_circuit *circuit, size_t level,
                                    long double scale);
size_t fh_golden_ckks_circuit_add(fh_golden_ckks_circuit *circuit, size_t limbs, size_t a,
                                  size_t b);
size_t fh_golden_ckks_circuit_sub(fh_golden_ckks_circuit *circuit, size_t limbs, size_t a,
                                  size_t b);
size_t fh_golden_ckks_circuit_hemult(fh_golden_ckks_circuit *circuit, size_t limbs, size_t a,
                                     size_t b);
/* Times round(target / scale of a), which brings a to the scale `target`; and times
 * round(factor target / scale), which does so with factor times the message. */
size_t fh_golden_ckks_circuit_to_scale(fh_golden_ckks_circuit *circuit, size_t limbs, size_t a,
                                       long double target, long double factor);
/* Plus round(constant scale). */
size_t fh_golden_ckks_circuit_add_constant(fh_golden_ckks_circuit *circuit, size_t a,
                                           long double constant);
size_t fh_golden_ckks_circuit_monomial(fh_golden_ckks_circuit *circuit, size_t a,
                                       uint64_t exponent);
size_t fh_golden_ckks_circuit_rotate(fh_golden_ckks_circuit *circuit, size_t a, ptrdiff_t slots);
/* turned[i] = a rotated by slots[i], a itself where that is 0; hoisted where the circuit hoists. */
void fh_golden_ckks_circuit_rotations(fh_golden_ckks_circuit *circuit, size_t a, size_t count,
                                      const ptrdiff_t *slots, size_t *turned);
/* A copy of N / 2 slots as a plaintext operand; its index. The same vector can be an operand of
 * many steps at different levels and scales. */
size_t fh_golden_ckks_circuit_vector(fh_golden_ckks_circuit *circuit,
                                     const fh_golden_complex *slots);
/* Times a vector, encoded at a scale that brings the product to the scale `target`; plus a vector,
 * encoded at the scale of a. ERR_ARGUMENT for a vector that there is not. */
size_t fh_golden_ckks_circuit_ptmult(fh_golden_ckks_circuit *circuit, size_t a, size_t vector,
                                     long double target);
size_t fh_golden_ckks_circuit_ptadd(fh_golden_ckks_circuit *circuit, size_t a, size_t vector);
size_t fh_golden_ckks_circuit_conjugate(fh_golden_ckks_circuit *circuit, size_t a);
/* A Rescale of a whole level: per_level limbs. */
size_t fh_golden_ckks_circuit_rescale(fh_golden_ckks_circuit *circuit, size_t a);
/* MOD_RAISE of a value of the base level, after which the scale is Q0; with `encapsulate` under the
 * sparse secret, between ENCAPSULATE and RELEASE. */
size_t fh_golden_ckks_circuit_raise(fh_golden_ckks_circuit *circuit, bool encapsulate, size_t a);

/* The matrix of the map, whose level and plain_scale are filled in, times a, and a Rescale to the
 * scale delta. */
size_t fh_golden_ckks_circuit_linear(fh_golden_ckks_circuit *circuit, size_t a,
                                     const fh_golden_ckks_map *map);

/* c_j of f's interpolant sum_{j=0}^{degree} c_j T_j at the degree + 1 Chebyshev nodes
 * cos(pi (k + 1/2) / (degree + 1)). coefficients[degree + 1]. */
typedef long double (*fh_golden_real_function)(const void *context, long double x);
void fh_golden_chebyshev_coefficients(fh_golden_real_function f, const void *context, size_t degree,
                                      long double *coefficients);

/* Levels that a series of this degree takes: 0 for degree 0. */
size_t fh_golden_chebyshev_depth(size_t degree);

/* sum c_j T_j(a), slots of a in [-1, 1], degree 1 .. 127, by Paterson-Stockmeyer with 8 baby steps:
 * depth levels below a, at the scale delta. */
size_t fh_golden_ckks_circuit_chebyshev(fh_golden_ckks_circuit *circuit, size_t a, size_t degree,
                                        const long double *coefficients);

/* 2 a^2 - 1: what cos(2 theta) is of cos(theta). One level. */
size_t fh_golden_ckks_circuit_double_angle(fh_golden_ckks_circuit *circuit, size_t a);

/* The scale from which a Rescale of a value of this level gets to `scale`. */
long double fh_golden_ckks_circuit_before_rescale(const fh_golden_ckks_circuit *circuit,
                                                  size_t level, long double scale);

/* One more output beside that of finish: the value is there at the end. ERR_ARGUMENT beyond
 * MAX_KEPT. */
void fh_golden_ckks_circuit_keep(fh_golden_ckks_circuit *circuit, size_t value);

/* Ends the circuit with this value as its output. Returns circuit->status. */
fh_golden_status fh_golden_ckks_circuit_finish(fh_golden_ckks_circuit *circuit, size_t output);

/* Level and scale of a value. */
size_t fh_golden_ckks_circuit_level(const fh_golden_ckks_circuit *circuit, size_t value);
long double fh_golden_ckks_circuit_scale(const fh_golden_ckks_circuit *circuit, size_t value);

/* Steps of this kind at this level; of RESCALE the Rescales by one limb whose operand has this
 * level. Level 0: at all levels. */
size_t fh_golden_ckks_circuit_count(const fh_golden_ckks_circuit *circuit, fh_golden_ckks_kind kind,
                                    size_t level);

/* --------------------------------------------------------------------------------- execution */

typedef enum fh_golden_ckks_key_kind {
    FH_GOLDEN_CKKS_RELIN_KEY = 0,
    FH_GOLDEN_CKKS_GALOIS_KEY,      /* of a step's element */
    FH_GOLDEN_CKKS_ENCAPSULATE_KEY, /* of the base chain */
    FH_GOLDEN_CKKS_RELEASE_KEY
} fh_golden_ckks_key_kind;

/* The key that a step needs; false when it needs none. *element is 0 but for GALOIS_KEY. */
bool fh_golden_ckks_step_key(const fh_golden_ckks_step *step, fh_golden_ckks_key_kind *kind,
                             uint64_t *element);

/* The coefficients of the plaintext that step `step` multiplies by or adds. ERR_ARGUMENT for a step
 * of another kind; otherwise as fh_golden_ckks_encode_diagonal. */
fh_golden_status fh_golden_ckks_encode_step(fh_golden_ckks_encoder *encoder,
                                            const fh_golden_ckks_circuit *circuit, size_t step,
                                            fh_golden_i128 *coefficients);

/* The plaintexts of a circuit's PTMULT and PTADD steps, encoded and transformed once for all who
 * execute it at the same time; threads may share it. *plains is the caller's (free function below)
 * and NULL after an error; circuit (finished) and chain must outlive it. Up to `places` >= 1
 * plaintexts that nobody has taken are kept, limbs x n elements each: at N = 2^16 with 44 limbs 23
 * MB. ERR_ARGUMENT (places, another chain), ERR_NO_MEMORY. */
typedef struct fh_golden_ckks_plains fh_golden_ckks_plains;
fh_golden_status fh_golden_ckks_plains_create(fh_golden_ckks_plains **plains,
                                              const fh_golden_ckks_circuit *circuit,
                                              const fh_golden_ckks *ckks, size_t places);
void fh_golden_ckks_plains_free(fh_golden_ckks_plains *plains); /* NULL is fine */

/* *plain = that of step `step`, level x n evaluations, which stays where it is until it has been
 * given back as often as it was taken. ERR_ARGUMENT for a step of another kind; the errors of
 * fh_golden_ckks_encode_diagonal. */
fh_golden_status fh_golden_ckks_plains_take(fh_golden_ckks_plains *plains, size_t step,
                                            const uint64_t **plain);
void fh_golden_ckks_plains_give(fh_golden_ckks_plains *plains, size_t step);
uint64_t fh_golden_ckks_plains_made(const fh_golden_ckks_plains *plains); /* so far */

/* What execution needs beside the circuit. key() gives a key of its own choice of lifetime, at
 * least until it is called again. */
typedef struct fh_golden_ckks_environment {
    const fh_golden_ckks *ckks;
    const fh_golden_ckks *base; /* NULL for circuits without ENCAPSULATE */
    void *context;
    fh_golden_status (*key)(void *context, fh_golden_ckks_key_kind kind, uint64_t element,
                            const uint64_t **key);
    fh_golden_ckks_plains *plains; /* NULL: the execution has some of its own */
} fh_golden_ckks_environment;

/* An execution that stands before step `next`. values[v]: level x n x 2 elements (RAISE_DIGITS:
 * raised digits), NULL before the value is made and after its last use. A checkpoint is next and
 * the values that are not NULL: who restores them, allocated with malloc, goes on from there. */
typedef struct fh_golden_ckks_execution {
    const fh_golden_ckks_circuit *circuit;
    const fh_golden_ckks_environment *environment;
    size_t next;
    uint64_t **values; /* [step_count + 1] */
    bool keep; /* values stay after their last use, for the caller to free and set to NULL */
    fh_golden_ckks_plains *plains; /* its own, or NULL */
} fh_golden_ckks_execution;

/* Elements of a value's array. ckks: the full chain. */
size_t fh_golden_ckks_value_elements(const fh_golden_ckks_circuit *circuit,
                                     const fh_golden_ckks *ckks, size_t value);

/* Elements of all inputs: 2 x level x n of each, one after another. */
size_t fh_golden_ckks_input_elements(const fh_golden_ckks_circuit *circuit,
                                     const fh_golden_ckks *ckks);

/* Begins, before the first step that is no INPUT, with a copy of the inputs, one after another, or
 * with NULL without values, which then are the caller's to put there. The circuit must be finished
 * and fit the environment's chain, ERR_ARGUMENT otherwise; ERR_NO_MEMORY. To be ended, also after
 * an error. */
fh_golden_status fh_golden_ckks_execution_begin(fh_golden_ckks_execution *execution,
                                                const fh_golden_ckks_circuit *circuit,
                                                const fh_golden_ckks_environment *environment,
                                                const uint64_t *input);

/* Executes step `next`, frees the values that it was the last to read, and counts up. ERR_ARGUMENT
 * after the last step; the errors of the primitives and of key(). */
fh_golden_status fh_golden_ckks_execution_step(fh_golden_ckks_execution *execution);
void fh_golden_ckks_execution_end(fh_golden_ckks_execution *execution);

/* All steps. after (may be NULL) is called behind each one with the step's index and its value and
 * ends the execution with any status but OK. output: 2 x (level of the output) x n; what the
 * circuit keeps beside it goes past `after` only. */
typedef fh_golden_status (*fh_golden_ckks_after_step)(void *context,
                                                      const fh_golden_ckks_circuit *circuit,
                                                      size_t step, const uint64_t *value);
fh_golden_status fh_golden_ckks_execute(const fh_golden_ckks_circuit *circuit,
                                        const fh_golden_ckks_environment *environment,
                                        const uint64_t *input, fh_golden_ckks_after_step after,
                                        void *context, uint64_t *output);

#ifdef __cplusplus
}
#endif

#endif
