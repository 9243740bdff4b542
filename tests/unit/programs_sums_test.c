/*
 * programs_sums_test.c - sums of products (lib/poly_sums.sass), on every unit, against golden's
 * multiply-add one term after another: numbers of terms below, at and beyond what each accumulator
 * holds without carries, hostile operands, all of them as large as can be, and none but one.
 */
#include "programs_poly_util.h"

#include "golden_util.h"

enum data { HOSTILE, LARGEST, ZEROS, LAST_ONLY, FIRST_ONLY, DATA };

/* Terms of c0, c1 and a factor: a plaintext, or one integer a limb. */
struct sum {
    struct poly_bench *b;
    size_t terms;
    bool multiples;
    enum data data;
    uint64_t *term[3][FH_POLY_MOST_TERMS]; /* limbs x n */
};

static uint64_t form_of(const struct poly_bench *b, uint64_t q, uint64_t x) {
    fh_poly_sum_elements(&b->poly.params, q, 1, &x, &x);
    return x;
}

/* The x whose form in the kernel is q - 1. */
static uint64_t largest(const struct poly_bench *b, uint64_t q) {
    uint64_t inverse;
    require_ok("inverse", fh_golden_invmod(form_of(b, q, 1), q, &inverse));
    return fh_golden_mulmod(q - 1, inverse, q);
}

static void fill(struct sum *s, size_t j) {
    struct poly_bench *b = s->b;
    bool zero = s->data == ZEROS || (s->data == LAST_ONLY && j + 1 < s->terms) ||
                (s->data == FIRST_ONLY && j > 0);
    for (unsigned k = 0; k < 3; k++) {
        uint64_t *x = s->term[k][j] = poly_hostile(b, 1);
        for (size_t i = 0; i < b->limbs * b->n; i++) {
            uint64_t q = b->chain->q[i / b->n];
            if (s->data == LARGEST || i % 16 == (s->multiples ? 1 : 0))
                x[i] = k < 2 ? q - 1 : largest(b, q);
            if (zero)
                x[i] = 0;
            if (k == 2 && s->multiples) /* one in the limb */
                x[i] = x[i / b->n * b->n];
        }
    }
}

static uint64_t *wanted(const struct sum *s, unsigned c) {
    const struct poly_bench *b = s->b;
    uint64_t *sum = make_array(b->limbs * b->n), *next;
    for (size_t j = 0; j < s->terms; j++, sum = next) {
        next = make_array(b->limbs * b->n);
        for (size_t i = 0; i < b->limbs; i++)
            require_ok("golden",
                       fh_golden_mac(b->n, b->chain->q[i], s->term[c][j] + i * b->n,
                                     s->term[2][j] + i * b->n, sum + i * b->n, next + i * b->n));
        free(sum);
    }
    return sum;
}

static uint64_t put(const struct sum *s, const uint64_t *elements, size_t limbs) {
    struct poly_bench *b = s->b;
    uint64_t at = poly_put(b, limbs, elements);
    b->buffer_count--; /* released with the sum: there are many */
    return at;
}

/* The factors in the kernels' form, as plaintexts or as rows of integers. */
static uint64_t put_factor(const struct sum *s, size_t j) {
    const struct poly_bench *b = s->b;
    uint64_t *form = make_array(b->limbs * b->n);
    for (size_t i = 0; i < b->limbs; i++)
        fh_poly_sum_elements(&b->poly.params, b->chain->q[i], b->n, s->term[2][j] + i * b->n,
                             form + i * b->n);
    uint64_t at = put(s, form, b->limbs);
    free(form);
    return at;
}

static uint64_t put_integers(const struct sum *s) {
    const struct poly_bench *b = s->b;
    size_t row = fh_poly_scalar_row(&b->poly.params), word = 4 * b->words;
    unsigned char *rows = calloc(b->limbs, row);
    uint64_t at;
    assert_non_null(rows);
    for (size_t i = 0; i < b->limbs; i++)
        for (size_t j = 0; j < s->terms; j++) {
            uint64_t form = form_of(b, b->chain->q[i], s->term[2][j][i * b->n]);
            memcpy(rows + i * row + j * word, &form, word);
        }
    assert_int_equal(fhec_alloc(b->machine, "integers", b->limbs * row, 0, &at), FHEC_OK);
    assert_int_equal(fhec_write(b->machine, at, rows, b->limbs * row), FHEC_OK);
    free(rows);
    return at;
}

static void launch(const struct sum *s, const uint64_t out[2], uint64_t moduli) {
    struct poly_bench *b = s->b;
    uint64_t params[3 * FH_POLY_MOST_TERMS + 4], made[3 * FH_POLY_MOST_TERMS + 1];
    size_t count = 0, addresses = 0;
    for (size_t j = 0; j < s->terms; j++) {
        for (unsigned c = 0; c < 2; c++)
            params[count++] = made[addresses++] = put(s, s->term[c][j], b->limbs);
        if (!s->multiples)
            params[count++] = made[addresses++] = put_factor(s, j);
    }
    if (s->multiples)
        params[count++] = made[addresses++] = put_integers(s);
    params[count++] = out[0];
    params[count++] = out[1];
    params[count++] = moduli;
    poly_launch(b, s->multiples ? FH_POLY_SUM_MULTIPLES : FH_POLY_SUM_PRODUCTS, params, count);
    while (addresses)
        assert_int_equal(fhec_release(b->machine, made[--addresses]), FHEC_OK);
}

static void try_sum(struct poly_bench *b, size_t terms, bool multiples, enum data data) {
    struct sum s = {.b = b, .terms = terms, .multiples = multiples, .data = data};
    for (size_t j = 0; j < terms; j++)
        fill(&s, j);
    uint64_t out[2] = {poly_room(b, b->limbs), poly_room(b, b->limbs)};
    launch(&s, out, poly_table(b, poly_fill_inner, NULL));
    for (unsigned c = 0; c < 2; c++)
        poly_compare(b, multiples ? "sum of multiples" : "sum of products", out[c], b->limbs,
                     wanted(&s, c), 1);
    poly_release(b);
    for (size_t j = 0; j < terms; j++)
        for (unsigned k = 0; k < 3; k++)
            free(s.term[k][j]);
}

/* But for long runs a unit gets half of the chains for a number of terms, the next unit the others.
 */
static void everywhere(fhec_engine engine, unsigned log2_n, size_t terms) {
    const size_t parts = SLOW_BUILD || getenv("FHEC_TEST_LONG") ? 1 : 2;
    fhec_machine *machine = programs_machine(engine, 2);
    for (unsigned unit = 0; unit < POLY_UNITS; unit++)
        for (size_t c = 0; c < POLY_CHAINS; c++) {
            struct poly_bench b;
            if ((poly_chains[c].words == 2 && unit <= FH_UNIT_GME32) || (c + unit + terms) % parts)
                continue;
            poly_start_sums(&b, machine, unit, &poly_chains[c], log2_n, terms);
            for (unsigned data = 0; data < DATA; data++) {
                b.seed = 10000 * c + 1000 * unit + 100 * data + terms;
                try_sum(&b, terms, false, (enum data)data);
                if (terms <= FH_POLY_MOST_MULTIPLES)
                    try_sum(&b, terms, true, (enum data)data);
            }
            poly_stop(&b);
        }
    fhec_machine_free(machine);
}

static void sums(void **state) {
    (void)state;
    static const size_t terms[] = {1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 32};
    for (size_t i = 0; i < COUNT_OF(terms); i += SLOW_BUILD ? 3 : 1)
        everywhere(FHEC_ENGINE_FAST, 8, terms[i]);
    everywhere(FHEC_ENGINE_FAST, 11, 7);
}

static void sums_on_the_reference_engine(void **state) {
    (void)state;
    everywhere(FHEC_ENGINE_REF, 8, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),
        cmocka_unit_test(sums_on_the_reference_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
