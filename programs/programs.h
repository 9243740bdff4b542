/*
 * programs.h - the kernels of this folder as functions: number-theoretic transforms, base
 * conversion and element-wise arithmetic on a machine, for people who do not want to know how
 * tables, fragments and launches look.
 *
 *     parameters --check--> plan (tables, assembled program) --launch--> results
 *
 * Each function checks all of its parameters before it does anything else, unless its caller has
 * done so, builds its tables, assembles its kernels, and leaves the machine with the memory it
 * found. It neither prints nor
 * opens files: the kernels' text is part of the library (sass_files.h).
 *
 * What executes the modular products is a "map". One table names them all (fh_map_get); callers
 * list and look up names there and nowhere else.
 *
 * Conventions are golden.h's: limb-major data, coefficients in natural order, evaluations in
 * bit-reversed order unless natural order is asked for.
 */
#ifndef FH_PROGRAMS_H
#define FH_PROGRAMS_H

#include "fhec.h"
#include "golden.h"

/* ---------------------------------------------------------------- errors */

/* What was expected and what came, in one sentence without a final full stop; "" after FHEC_OK.
 * After FHEC_GUEST_FAULT fhec_machine_fault has the details. */
struct fh_error {
    char text[512];
};

/* ---------------------------------------------------------------- maps */

enum fh_workload {
    FH_WORKLOAD_NTT = 1,
    FH_WORKLOAD_BCONV = 2,
    FH_WORKLOAD_ELTWISE = 4,
    FH_WORKLOAD_CKKS = 8,        /* ckks_device.h */
    FH_WORKLOAD_BIGMUL = 0x100,  /* products of multi-word integers: bigint.h */
    FH_WORKLOAD_MONTMUL = 0x200, /* Montgomery products of them */
};

/* What multiplies the matrices of transforms and base conversions. */
enum fh_matrix { FH_MATRIX_NONE, FH_MATRIX_FHEC, FH_MATRIX_IMMA };

/* A map stands for the same units in every workload: the matrices are one unit's, all products
 * besides them are the lanes'. */
struct fh_map {
    const char *name;   /* "fhec16" */
    const char *title;  /* one line: what executes the modular products */
    unsigned workloads; /* what it can do: enum fh_workload, or-ed */
    unsigned word_bits; /* 32 or 64: the width of an element in memory */
    enum fh_matrix matrix;
    bool gme; /* the lanes have MODADD, MODMUL, ...; else they are CUDA cores */
};

/* The index-th map, NULL past the end. The first one that has a workload is its default. */
const struct fh_map *fh_map_get(size_t index);
/* The map of that name, NULL if there is none. */
const struct fh_map *fh_map_find(const char *name);
/* The name of the default map for a workload. */
const char *fh_map_default(enum fh_workload workload);

/* ---------------------------------------------------------------- what all of them take */

/* A launch has ended well: `kernel` of the file `file` of this folder. */
typedef void fh_launched_fn(void *user, const char *file, const char *kernel);

/* What some launches have done together, which the reference can do, too: transforms of limbs, and
 * base conversions. Elements of `in` and `out` are limb after limb, n of each, modulo the limb's
 * modulus, but need not be reduced; evaluations are in bit-reversed order. */
enum fh_task_kind { FH_TASK_EVALUATE, FH_TASK_INTERPOLATE, FH_TASK_CONVERT };
struct fh_task {
    enum fh_task_kind kind;
    unsigned launches;                   /* the last that there were */
    size_t n, in_limbs, out_limbs, word; /* word: bytes of an element */
    const uint64_t *in_moduli, *out_moduli;
    uint64_t in, out; /* addresses; out may be in */
};
/* Such a task is done; the arrays are there during the call. */
typedef void fh_task_fn(void *user, const struct fh_task *task);

/* Assembled kernels, for runs of one thread at a time that are given the same one: each is
 * assembled once. NULL without host memory. It is freed after the last of these runs. */
struct fh_kernel_cache;
struct fh_kernel_cache *fh_kernel_cache_new(void);
void fh_kernel_cache_free(struct fh_kernel_cache *cache);

struct fh_run_options {
    uint64_t max_steps;             /* warp instructions of one launch; 0: no limit */
    fhec_diagnostic_fn *diagnostic; /* of the assembler; NULL: only the first one, in fh_error */
    void *user;                     /* handed to diagnostic */
    fh_launched_fn *launched;       /* NULL: nobody wants to know */
    void *launched_user;
    fh_task_fn *task; /* NULL: nobody wants to know */
    void *task_user;
    /* May replace a program that has been assembled, which is freed then; NULL: nobody wants to. */
    fhec_status (*edit)(void *user, fhec_program **program);
    void *edit_user;
    /* NULL; or what the host reads comes from there, behind all launches: `out` is to be filled. */
    fhec_status (*read)(void *user, uint64_t address, void *out, size_t bytes);
    void *read_user;
    bool contracts; /* kernels keep what they say of their values (.expect, .let, .ensure), for
                     * checkers that observe the machine; else assembling is faster */
    struct fh_kernel_cache *kernels; /* NULL: every run assembles its own; so it does with `edit` */
    bool checked; /* fh_*_check has accepted the very parameters that these options are part of:
                   * fh_*_run does not look at them again */
};

/* ---------------------------------------------------------------- transforms */

/* Of the moduli of maps with 64-bit words. */
enum { FH_MAX_MODULUS_BITS_64 = 60 };

enum { FH_NTT_MIN_LOG2 = 8, FH_NTT_MAX_LOG2 = 17 };

/* Negacyclic transforms of `limbs` polynomials in one go, each with its own prime. */
struct fh_ntt_params {
    const char *map;   /* NULL: the default */
    size_t n;          /* power of two, 2^8 .. 2^17 */
    size_t limbs;      /* at least 1 */
    const uint64_t *q; /* limbs primes = 1 mod 2N, below 2^32, or 2^60 for maps with 64-bit words */
    const uint64_t *psi; /* limbs primitive 2N-th roots; NULL: the smallest ones */
    bool inverse;
    fh_golden_order order; /* of the evaluations: the result, or the input when inverse */
    bool reduced;          /* the data will be below their primes: some maps then do less */
    struct fh_run_options options;
};

/* All that can be wrong with the parameters, without doing anything. */
fhec_status fh_ntt_check(const struct fh_ntt_params *params, struct fh_error *error);
/* in, out: limbs x n elements of the map's width, limb-major; in_bytes is the size of both. Any
 * element values are taken modulo their limb's prime; results are reduced. out may be in.
 * params->reduced is found out. */
fhec_status fh_ntt_run(fhec_machine *machine, const struct fh_ntt_params *params, const void *in,
                       size_t in_bytes, void *out, struct fh_error *error);

/* ---------------------------------------------------------------- base conversion */

enum { FH_BCONV_MAX_N = 1 << 20 };

/* out_i = sum over j of [a_j Phat_j^-1]_{p_j} [Phat_j]_{q_i}, modulo q_i: golden's fast form. */
struct fh_bconv_params {
    const char *map;      /* NULL: the default */
    size_t n;             /* multiple of 16, up to 2^20 */
    size_t alpha;         /* source moduli, 1..64 */
    size_t target;        /* target moduli, 1..64 */
    const uint64_t *from; /* alpha odd, pairwise coprime moduli, 3 <= p < 2^32, or 2^60 for maps */
    const uint64_t *to; /* with 64-bit words; target odd, distinct moduli, within the same bounds */
    bool reduced;       /* the data will be below their moduli: some maps then do less */
    struct fh_run_options options;
};

fhec_status fh_bconv_check(const struct fh_bconv_params *params, struct fh_error *error);
/* in: alpha x n elements (in_bytes in all), any values; out: target x n elements, reduced.
 * params->reduced is found out. */
fhec_status fh_bconv_run(fhec_machine *machine, const struct fh_bconv_params *params,
                         const void *in, size_t in_bytes, void *out, struct fh_error *error);

/* ---------------------------------------------------------------- element by element */

enum fh_eltwise_op {
    FH_ELTWISE_ADD,
    FH_ELTWISE_SUB,
    FH_ELTWISE_MUL,
    FH_ELTWISE_MAC, /* a b + addend */
    FH_ELTWISE_ADD_SCALAR,
    FH_ELTWISE_MUL_SCALAR,
    FH_ELTWISE_AUTOMORPHISM,         /* X -> X^galois on evaluations in bit-reversed order */
    FH_ELTWISE_INVERSE_AUTOMORPHISM, /* undoes it */
};

struct fh_eltwise_params {
    const char *map; /* NULL: the default */
    enum fh_eltwise_op op;
    size_t n;          /* multiple of 4, up to 2^24; of automorphisms a power of two, 2^8 .. 2^17 */
    size_t limbs;      /* at least 1 */
    const uint64_t *q; /* limbs moduli, 2 <= q < 2^32, or 2^60 for maps with 64-bit words */
    const uint64_t
        *scalars;       /* limbs of them, below their moduli, for the operations that have one */
    const void *addend; /* like a and b, for MAC */
    uint64_t galois;    /* odd */
    struct fh_run_options options;
};

fhec_status fh_eltwise_check(const struct fh_eltwise_params *params, struct fh_error *error);
/* a, b, out: limbs x n elements, each of in_bytes; operands must be below their modulus
 * (FHEC_BAD_INPUT names the first that is not). out may be an operand. Scalars and automorphisms
 * have no b. */
fhec_status fh_eltwise_run(fhec_machine *machine, const struct fh_eltwise_params *params,
                           const void *a, const void *b, size_t in_bytes, void *out,
                           struct fh_error *error);

#endif
