/*
 * The operations bit by bit: against checksums of an independent computation, with operands that
 * are not reduced, in place where that is allowed, and against each other.
 */
#include "ckks.h"

#include "golden_util.h"

/* Everything an operation needs, seeded as ckks.h says: a from 1, b from 2, the key from 3. */
typedef struct setup {
    fh_golden_ckks *ckks;
    size_t level;
    uint64_t *a;
    uint64_t *b;
    uint64_t *key;
} setup;

static setup make(fh_golden_ckks_params params, size_t level) {
    setup made = {.level = level};
    require_ok("create", fh_golden_ckks_create(&made.ckks, &params));
    made.a = make_array(2 * level * made.ckks->n);
    made.b = make_array(2 * level * made.ckks->n);
    made.key = make_array(fh_golden_ckks_key_elements(made.ckks));
    require_ok("a",
               fh_golden_ckks_generate(made.ckks, FH_GOLDEN_RANDOM, 1, level, false, 2, made.a));
    require_ok("b",
               fh_golden_ckks_generate(made.ckks, FH_GOLDEN_RANDOM, 2, level, false, 2, made.b));
    require_ok("key", fh_golden_ckks_generate(made.ckks, FH_GOLDEN_RANDOM, 3, made.ckks->limbs,
                                              true, 2 * made.ckks->dnum, made.key));
    return made;
}

static void drop(setup *made) {
    fh_golden_ckks_free(made->ckks);
    free(made->a);
    free(made->b);
    free(made->key);
}

enum { KEY_SWITCH, RESCALE, ROTATE, HEMULT, HEMULT_RESCALE, PTMULT, PTADD, HEADD, OPERATIONS };
static const char *const names[] = {"key switch",      "rescale", "rotate", "hemult",
                                    "hemult, rescale", "ptmult",  "ptadd",  "headd"};

/* key_switch and plaintexts take the first polynomial of a or b. */
static fh_golden_status apply(const setup *s, unsigned operation, uint64_t *out) {
    switch (operation) {
    case KEY_SWITCH: return fh_golden_ckks_key_switch(s->ckks, s->level, s->a, s->key, out);
    case RESCALE: return fh_golden_ckks_rescale(s->ckks, s->level, s->a, out);
    case ROTATE: return fh_golden_ckks_rotate(s->ckks, s->level, 3, s->a, s->key, out);
    case HEMULT: return fh_golden_ckks_hemult(s->ckks, s->level, s->a, s->b, s->key, out);
    case HEMULT_RESCALE:
        return fh_golden_ckks_hemult_rescale(s->ckks, s->level, s->a, s->b, s->key, out);
    case PTMULT: return fh_golden_ckks_ptmult(s->ckks, s->level, s->a, s->b, out);
    case PTADD: return fh_golden_ckks_ptadd(s->ckks, s->level, s->a, s->b, out);
    default: return fh_golden_ckks_headd(s->ckks, s->level, s->a, s->b, out);
    }
}

static size_t result_elements(const setup *s, unsigned operation) {
    bool dropped = operation == RESCALE || operation == HEMULT_RESCALE;
    return 2 * (s->level - (dropped ? 1 : 0)) * s->ckks->n;
}

/* sum (2 i + 1) x_i modulo 2^64. */
static uint64_t checksum(size_t count, const uint64_t *x) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (2 * i + 1) * x[i];
    }
    return sum;
}

/* The checksums come from a Python program that shares nothing with this library: it evaluates
 * polynomials term by term and converts, divides and rounds whole integers. */
static const struct {
    fh_golden_ckks_params params;
    size_t level;
    uint64_t sums[5]; /* KEY_SWITCH to HEMULT_RESCALE */
} independent[] = {
    {{4, 32, 6, 2, 3, NULL},
     6,
     {0x00004f5d46bc222f, 0x0000337e511f2536, 0x00004bbebc7cd613, 0x000042c4dc2bf642,
      0x0000348b4776252e}},
    {{4, 32, 6, 2, 3, NULL},
     5,
     {0x0000303f5288f43f, 0x0000205e09caff30, 0x00002f23b73bddff, 0x00002fd187831d1b,
      0x00001f41111a6a00}},
    {{4, 32, 6, 2, 3, NULL},
     4,
     {0x00001f52d1e13ec4, 0x0000125f64f6a619, 0x00001f8c663b3b34, 0x0000207deb3fd6f3,
      0x000011bea2170edc}},
    {{4, 32, 6, 2, 3, NULL},
     3,
     {0x000010e57c34217e, 0x000008a5e52fcbca, 0x0000119f2412f9af, 0x0000136cf1a5b002,
      0x0000084e0a34f70d}},
    {{4, 32, 6, 2, 3, NULL},
     2,
     {0x0000074395ece77d, 0x0000024605577154, 0x00000738d19053a9, 0x000007871db1c33c,
      0x00000195f87762be}},
    {{3, 60, 4, 3, 2, NULL},
     4,
     {0x6b80424ca0ef2c8e, 0x4d342f58ee6bcaeb, 0x75a10a5640c90e6f, 0xf050edab9d405518,
      0x0274a049e8c066fd}},
    {{3, 60, 4, 3, 2, NULL},
     3,
     {0xdb2e167bf49a0c05, 0x97330c468b8fe1c7, 0xeb2cc575b659fc31, 0xac6f902c86995377,
      0x5f24e010d636b618}},
    {{3, 60, 4, 3, 2, NULL},
     2,
     {0x19bb709cded54b92, 0x89a9cdafd1b74b92, 0x361d2bc60b097e62, 0x690fd246b60a5838,
      0xe81afe08bae1a693}},
    {{5, 20, 3, 3, 1, NULL},
     3,
     {0x0000000491991a97, 0x000000020b311ad0, 0x0000000460699e92, 0x00000004dde2b8d2,
      0x00000001e8a72351}},
    {{5, 20, 3, 3, 1, NULL},
     2,
     {0x00000001eba172d9, 0x000000008f744097, 0x00000001df5d2062, 0x00000001f27ad097,
      0x0000000082cfff89}},
};

static void independent_values(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(independent); i++) {
        setup s = make(independent[i].params, independent[i].level);
        uint64_t *out = make_array(2 * s.level * s.ckks->n);
        for (unsigned operation = KEY_SWITCH; operation <= HEMULT_RESCALE; operation++) {
            require_ok(names[operation], apply(&s, operation, out));
            require_u64(names[operation], i, s.level, checksum(result_elements(&s, operation), out),
                        independent[i].sums[operation]);
        }
        free(out);
        drop(&s);
    }
}

/* a[i] += a multiple of its modulus; stays below 2^64. */
static void raise_operands(const setup *s, size_t limbs, const uint64_t *place_modulus,
                           uint64_t *a) {
    for (size_t i = 0; i < limbs * s->ckks->n; i++) {
        uint64_t q = place_modulus[i / s->ckks->n];
        a[i] += (UINT64_MAX - a[i]) / q * q - (i % 3) * q;
    }
}

static void unreduced_operands(void **state) {
    (void)state;
    static const fh_golden_ckks_params shapes[] = {{4, 32, 6, 2, 3, NULL}, {5, 61, 3, 1, 3, NULL}};
    for (size_t p = 0; p < COUNT_OF(shapes); p++) {
        setup s = make(shapes[p], shapes[p].limbs - 1);
        setup raised = make(shapes[p], shapes[p].limbs - 1);
        const uint64_t *moduli = s.ckks->moduli;
        size_t chain = s.ckks->limbs + s.ckks->alpha;
        for (size_t k = 0; k < 2; k++) {
            raise_operands(&s, s.level, moduli, raised.a + k * s.level * s.ckks->n);
            raise_operands(&s, s.level, moduli, raised.b + k * s.level * s.ckks->n);
        }
        for (size_t k = 0; k < 2 * s.ckks->dnum; k++) {
            raise_operands(&s, chain, moduli, raised.key + k * chain * s.ckks->n);
        }
        uint64_t *want = make_array(2 * s.level * s.ckks->n);
        uint64_t *got = make_array(2 * s.level * s.ckks->n);
        for (unsigned operation = 0; operation < OPERATIONS; operation++) {
            require_ok(names[operation], apply(&s, operation, want));
            require_ok(names[operation], apply(&raised, operation, got));
            require_array(names[operation], p, operation, result_elements(&s, operation), got,
                          want);
        }
        uint64_t *raised_digit = make_array(2 * chain * s.ckks->n);
        size_t digit_elements = (s.level + s.ckks->alpha) * s.ckks->n;
        require_ok("ModUp", fh_golden_ckks_mod_up(s.ckks, s.level, 1, s.a, raised_digit));
        require_ok("ModUp", fh_golden_ckks_mod_up(s.ckks, s.level, 1, raised.a,
                                                  raised_digit + digit_elements));
        require_array("ModUp", p, 1, digit_elements, raised_digit + digit_elements, raised_digit);
        free(raised_digit);
        free(want);
        free(got);
        drop(&s);
        drop(&raised);
    }
}

/* The element-wise operations by their formulas, and again in place. */
static void element_wise(void **state) {
    (void)state;
    setup s = make((fh_golden_ckks_params){4, 60, 4, 2, 2, NULL}, 3);
    size_t half = s.level * s.ckks->n;
    uint64_t *out = make_array(2 * half);
    for (unsigned operation = PTMULT; operation <= HEADD; operation++) {
        uint64_t *want = make_array(2 * half);
        for (size_t e = 0; e < 2 * half; e++) {
            uint64_t q = s.ckks->moduli[e % half / s.ckks->n];
            uint64_t plain = s.b[e % half];
            switch (operation) {
            case PTMULT: want[e] = fh_golden_mulmod(s.a[e], plain, q); break;
            case PTADD: want[e] = e < half ? (s.a[e] + plain) % q : s.a[e]; break;
            default: want[e] = (s.a[e] + s.b[e]) % q; break;
            }
        }
        require_ok(names[operation], apply(&s, operation, out));
        require_array(names[operation], operation, 1, 2 * half, out, want);
        uint64_t *kept = s.a;
        s.a = out;
        memcpy(out, kept, 2 * half * sizeof out[0]);
        require_ok("in place", apply(&s, operation, out));
        require_array("in place", operation, 1, 2 * half, out, want);
        s.a = kept;
        free(want);
    }
    free(out);
    drop(&s);
}

/* g is taken modulo 2N and r modulo N/2; rotation by 0 is a key switch of its own. */
static void rotations_wrap(void **state) {
    (void)state;
    setup s = make((fh_golden_ckks_params){4, 32, 4, 2, 2, NULL}, 4);
    uint64_t *want = make_array(128);
    uint64_t *got = make_array(128);
    require_ok("3", fh_golden_ckks_rotate(s.ckks, 4, 3, s.a, s.key, want));
    require_ok("3 + 8", fh_golden_ckks_rotate(s.ckks, 4, 11, s.a, s.key, got));
    require_array("r + N/2", 0, 0, 128, got, want);
    require_ok("5^3", fh_golden_ckks_galois(s.ckks, 4, 125 + 32 * 7, s.a, s.key, got));
    require_array("5^3 + 14 N", 0, 0, 128, got, want);
    require_ok("0", fh_golden_ckks_rotate(s.ckks, 4, 0, s.a, s.key, want));
    require_ok("switch", fh_golden_ckks_key_switch(s.ckks, 4, s.a + 64, s.key, got));
    for (size_t i = 0; i < 64; i++) {
        got[i] = (got[i] + s.a[i]) % s.ckks->moduli[i / 16];
    }
    require_array("rotation by 0", 0, 0, 128, got, want);
    free(want);
    free(got);
    drop(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_values),
        cmocka_unit_test(unreduced_operands),
        cmocka_unit_test(element_wise),
        cmocka_unit_test(rotations_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
