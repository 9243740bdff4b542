/*
 * ntt_cuda.c - tables and launches of ntt_cuda.sass: transforms by butterflies on CUDA cores and on
 * modular lane units, with words of 32 and 64 bits. Equation numbers are that file's.
 */
#include "cuda_factor.h"
#include "ntt_job.h"
#include "ntt_methods.h"

#include <stdlib.h>

enum { ROUNDS = 5, LIST = 16 };

/* A round does the stages on bits f + high .. f + low, with `lists` lists of twiddles; 0: there is
 * no such round. */
struct round {
    unsigned f, high;
    size_t lists;
};

struct shape {
    const struct fh_ntt_job *job;
    struct fh_factors factors;
    unsigned rows, cols; /* R and COLS of the .sass file */
    bool inverse, natural;
    unsigned entering;
    struct round rounds[ROUNDS]; /* in the forward order */
    unsigned first, last;        /* those of the forward transform's first and last stage */
    size_t limb_words;           /* of a limb's tables */
};

/* ---------------------------------------------------------------- shape */

static void add_round(struct shape *s, unsigned index, unsigned f, unsigned stages) {
    s->rounds[index] = (struct round){
        .f = f,
        .high = stages - 1,
        .lists = s->inverse ? (size_t)1 << f : s->job->n >> (f + 4),
    };
    s->limb_words += s->rounds[index].lists * LIST * s->factors.twiddle_words;
}

static void add_rounds(struct shape *s) {
    unsigned log2_n = s->job->log2_n;
    s->limb_words = s->inverse ? s->factors.scale_words * s->job->n : 0;
    if (s->cols) {
        add_round(s, 0, log2_n - 4, 4);
        add_round(s, 1, s->rows, s->cols - 4);
    }
    add_round(s, 2, s->rows - 4, 4);
    if (s->rows > 8)
        add_round(s, 3, 4, s->rows - 8);
    add_round(s, 4, 0, 4);
    s->first = s->cols ? 0 : 2;
    s->last = 4;
}

static struct shape shape_of(const struct fh_ntt_job *job, enum fh_butterfly kind) {
    const struct fh_ntt_params *params = job->params;
    struct shape s = {
        .job = job,
        .rows = job->log2_n <= 12   ? job->log2_n
                : job->log2_n == 17 ? 9
                                    : 8,
        .inverse = params->inverse,
        .natural = params->order == FH_GOLDEN_NATURAL,
    };
    s.cols = job->log2_n - s.rows;
    fh_factors_init(&s.factors, kind, job->limbs, params->q);
    if (!params->reduced)
        s.entering = !s.inverse && s.factors.enter_first && !s.factors.shifted ? 1 : 2;
    add_rounds(&s);
    return s;
}

/* ---------------------------------------------------------------- tables */

/* The powers of one limb's root, or of its inverse for an inverse transform, and 1/N. */
struct powers {
    uint64_t *of; /* 2N of them */
    uint64_t scale;
};

static void fill_powers(const struct shape *s, size_t limb, struct powers *powers) {
    uint64_t q = s->job->params->q[limb], root = s->job->psi[limb];
    powers->scale = 1;
    if (s->inverse) {
        /* q is a prime above N: both are units. */
        (void)fh_golden_invmod(root, q, &root);
        (void)fh_golden_invmod(s->job->n, q, &powers->scale);
    }
    /* Products with the root by its quotient, which is at most one too small. */
    uint64_t quotient = (uint64_t)(((fh_u128)root << 64) / q), value = 1;
    for (size_t e = 0; e < 2 * s->job->n; e++) {
        powers->of[e] = value;
        uint64_t rest = value * root - (uint64_t)((fh_u128)value * quotient >> 64) * q;
        value = rest >= q ? rest - q : rest;
    }
}

/* The twiddle of place heap + u in list number `name` of a round, for its stage on bit b. */
static uint64_t twiddle(const struct shape *s, const struct powers *powers,
                        const struct round *round, unsigned b, unsigned heap, size_t name,
                        unsigned u) {
    unsigned log2_n = s->job->log2_n;
    size_t n = s->job->n;
    if (s->inverse) /* equation (2) */
        return powers->of[(n >> b) * (name + ((size_t)u << round->f)) & (2 * n - 1)];
    size_t above = name * heap + u; /* equation (1) */
    return powers->of[fh_reverse((unsigned)((n >> (b + 1)) + above), log2_n)];
}

/* Where word `word` of list number `name` is in a round's table. The N / 16 lists of the last round
 * that there is lie across each other. */
static size_t place(const struct shape *s, unsigned index, size_t name, size_t word) {
    const size_t list = LIST * s->factors.twiddle_words, lists = 4 / s->factors.words;
    const size_t threads = s->job->n / 16 / lists;
    if (index != (s->inverse ? s->first : s->last))
        return name * list + word;
    size_t thread = name / lists, number = name % lists;
    if (!s->inverse) { /* a thread has every row_threads-th list of a row */
        size_t row_threads = ((size_t)1 << s->rows) / 16 / lists;
        thread = name / (lists * row_threads) * row_threads + name % row_threads;
        number = name / row_threads % lists;
    }
    return (number * list + word / 4 * 4) * threads + thread * 4 + word % 4;
}

static void fill_round(const struct shape *s, const struct fh_factor_limb *limb,
                       const struct powers *powers, unsigned index, uint32_t *words) {
    const struct round *round = &s->rounds[index];
    unsigned size = s->factors.twiddle_words;
    for (size_t name = 0; name < round->lists; name++)
        for (unsigned t = 0; t <= round->high; t++) {
            unsigned heap = s->inverse ? 1u << t : 8u >> t;
            enum fh_factor_use use = FH_USE_TWIDDLE;
            if (!s->inverse && index == s->last && t == 0)
                use = FH_USE_LAST;
            else if (!s->inverse && index == s->first && t == 3 && s->entering == 1)
                use = FH_USE_ENTERING;
            for (unsigned u = 0; u < heap; u++) {
                uint32_t factor[FH_FACTOR_WORDS] = {0};
                fh_factor_fill(limb, use, twiddle(s, powers, round, round->f + t, heap, name, u),
                               factor);
                for (unsigned i = 0; i < size; i++)
                    words[place(s, index, name, (heap + u) * size + i)] = factor[i];
            }
        }
}

static void fill_limb(const struct shape *s, size_t index, const struct powers *powers,
                      uint32_t *words, uint32_t *constants) {
    struct fh_factor_limb limb;
    uint64_t q = s->job->params->q[index];
    fh_factor_limb_init(&limb, &s->factors, q);
    fh_factor_limb_fill(&limb, constants);
    if (s->inverse)
        for (size_t n = 0; n < s->job->n; n++) {
            uint64_t factor = (uint64_t)((fh_u128)powers->of[n] * powers->scale % q);
            fh_factor_fill(&limb, FH_USE_SCALE, factor, words);
            words += s->factors.scale_words;
        }
    for (unsigned i = 0; i < ROUNDS; i++) {
        fill_round(s, &limb, powers, i, words);
        words += s->rounds[i].lists * LIST * s->factors.twiddle_words;
    }
}

/* The guest's tables of all limbs. */
static fhec_status make_tables(struct fh_guest *guest, const struct shape *s, uint64_t *constants,
                               uint64_t *tables) {
    size_t limbs = s->job->limbs, limb_words = s->factors.limb_words;
    struct powers powers = {.of = fh_table(2 * s->job->n, sizeof *powers.of)};
    uint32_t *limb_table = fh_table(limbs * limb_words, sizeof *limb_table);
    uint32_t *words = fh_table(limbs * s->limb_words, sizeof *words);
    fhec_status status = FHEC_OK;
    if (!powers.of || !limb_table || !words) {
        status = fh_fail_memory(guest->error);
    } else {
        for (size_t i = 0; i < limbs; i++) {
            fill_powers(s, i, &powers);
            fill_limb(s, i, &powers, words + i * s->limb_words, limb_table + i * limb_words);
        }
        status = fh_guest_table(guest, "limb_constants", limb_table,
                                limbs * limb_words * sizeof *limb_table, constants);
        if (status == FHEC_OK)
            status = fh_guest_table(guest, "twiddles", words, limbs * s->limb_words * sizeof *words,
                                    tables);
    }
    free(powers.of);
    free(limb_table);
    free(words);
    return status;
}

/* ---------------------------------------------------------------- launches */

static fhec_status assemble(struct fh_guest *guest, const struct shape *s) {
    const struct fh_factors *f = &s->factors;
    const struct fh_define defines[] = {
        {"LOGN", s->job->log2_n},     {"INVERSE", s->inverse},
        {"NATURAL", s->natural},      {"GME", f->kind == FH_GME_32 || f->kind == FH_GME_64},
        {"WORDS", f->words},          {"MODULUS_BITS", f->modulus_bits},
        {"ENTERING", s->entering},    {"CAPACITY", f->capacity},
        {"CORRECTED", f->corrected},  {"CENTER", f->center},
        {"SHIFTED", f->shifted != 0},
    };
    return fh_guest_assemble(guest, "ntt_cuda.sass", defines, sizeof defines / sizeof *defines);
}

/* Natural order permutes, so that it cannot be done in place: then there is a buffer between the
 * kernels. The grids' formulas are the .sass file's. */
static void add_steps(struct fh_plan *plan, const struct shape *s, uint64_t constants,
                      uint64_t tables) {
    size_t row_vectors = ((size_t)s->factors.words << s->rows) / 4, row_threads = row_vectors / 16;
    for (unsigned i = 0; i < 2; i++) {
        bool columns = s->inverse == (i == 1);
        if (columns && !s->cols)
            continue;
        bool is_first = i == 0 || (!s->cols && !s->inverse), is_last = i == 1 || !s->cols;
        struct fh_step *step =
            columns ? fh_plan_step(plan, "ntt_columns", row_vectors >> (11 - s->cols), 1, 4)
            : s->cols
                ? fh_plan_step(plan, "ntt_rows", ((size_t)row_threads << s->cols) / 128, 1, 4)
                : fh_plan_step(plan, "ntt_rows", 1, 1, row_threads < 32 ? 1 : row_threads / 32);
        if (is_first)
            fh_step_in(step);
        else if (s->natural)
            fh_step_scratch(step, 0);
        else
            fh_step_out(step);
        if (is_last || !s->natural)
            fh_step_out(step);
        else
            fh_step_scratch(step, 0);
        fh_step_table(step, constants, s->factors.limb_words * sizeof(uint32_t));
        fh_step_table(step, tables, s->limb_words * sizeof(uint32_t));
    }
}

static fhec_status make_plan(struct fh_plan *plan, const struct fh_ntt_job *job,
                             enum fh_butterfly kind) {
    struct shape s = shape_of(job, kind);
    uint64_t constants = 0, tables = 0;
    fhec_status status = assemble(&plan->guest, &s);
    if (status == FHEC_OK)
        status = make_tables(&plan->guest, &s, &constants, &tables);
    if (status == FHEC_OK && s.natural && s.cols)
        status = fh_plan_scratch(plan, 0, job->limbs * job->n * 4 * s.factors.words);
    if (status == FHEC_OK)
        add_steps(plan, &s, constants, tables);
    return status;
}

fhec_status fh_ntt_cuda32(struct fh_plan *plan, const struct fh_ntt_job *job) {
    bool wide = false;
    for (size_t i = 0; i < job->limbs; i++)
        wide = wide || job->params->q[i] >> 30;
    return make_plan(plan, job, wide ? FH_WIDE_32 : FH_NARROW_32);
}

fhec_status fh_ntt_cuda64(struct fh_plan *plan, const struct fh_ntt_job *job) {
    return make_plan(plan, job, FH_LAZY_64);
}

fhec_status fh_ntt_gme32(struct fh_plan *plan, const struct fh_ntt_job *job) {
    return make_plan(plan, job, FH_GME_32);
}

fhec_status fh_ntt_gme64(struct fh_plan *plan, const struct fh_ntt_job *job) {
    return make_plan(plan, job, FH_GME_64);
}
