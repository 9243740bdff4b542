/*
 * The CKKS primitives on the emulator agree with golden limb by limb: every primitive, map and
 * level, for several shapes of the chain, sizes of the primes and patterns of the operands. They
 * also do exactly the work that golden counts.
 */
#include "ckks_device.h"

#include "golden_util.h"
#include "programs_util.h"

/* Ciphertexts, a plaintext and a key on both sides. */
struct world {
    fh_golden_ckks *golden;
    struct fh_ckks *ckks;
    fhec_machine *machine;
    size_t level;
    uint64_t *a, *b, *plain, *key, *want, *got; /* arrays of the host */
    uint64_t a_at, b_at, plain_at, key_at, out_at;
    const char *label;
};

static void require_fhec(const struct world *w, const char *what, fhec_status status) {
    if (status != FHEC_OK)
        fail_msg("%s: %s: status %d: %s", w->label, what, (int)status,
                 fh_ckks_error(w->ckks)->text);
}

static void make_world(struct world *w, const char *map, const fh_golden_ckks_params *chain) {
    const struct fh_ckks_params params = {
        .map = map, .chain = *chain, .options = programs_options()};
    struct fh_error error = {""};
    memset(w, 0, sizeof *w);
    w->label = map;
    w->machine = programs_machine(FHEC_ENGINE_FAST, 0);
    require_ok("golden", fh_golden_ckks_create(&w->golden, chain));
    if (fh_ckks_make(w->machine, &params, &w->ckks, &error) != FHEC_OK)
        fail_msg("%s: %s", map, error.text);
    size_t most = 2 * chain->limbs << chain->log2_n;
    w->a = make_array(most);
    w->b = make_array(most);
    w->plain = make_array(most);
    w->want = make_array(most);
    w->got = make_array(most);
    w->key = make_array(fh_golden_ckks_key_elements(w->golden));
}

static void free_world(struct world *w) {
    uint64_t *arrays[] = {w->a, w->b, w->plain, w->key, w->want, w->got};
    for (size_t i = 0; i < COUNT_OF(arrays); i++)
        free(arrays[i]);
    fh_ckks_free(w->ckks);
    fh_golden_ckks_free(w->golden);
    fhec_machine_free(w->machine);
}

/* Operands of this level, seeded, on both sides. */
static void fill_world(struct world *w, fh_golden_pattern pattern, uint64_t seed, size_t level) {
    const fh_golden_ckks *g = w->golden;
    w->level = level;
    require_ok("a", fh_golden_ckks_generate(g, pattern, seed, level, false, 2, w->a));
    require_ok("b", fh_golden_ckks_generate(g, pattern, seed + 1, level, false, 2, w->b));
    require_ok("plain", fh_golden_ckks_generate(g, pattern, seed + 2, level, false, 1, w->plain));
    require_ok("key",
               fh_golden_ckks_generate(g, pattern, seed + 3, g->limbs, true, 2 * g->dnum, w->key));
    uint64_t *places[] = {&w->a_at, &w->b_at, &w->out_at, &w->plain_at};
    for (size_t i = 0; i < COUNT_OF(places); i++)
        require_fhec(w, "alloc", fh_ckks_alloc(w->ckks, level, 2, places[i]));
    require_fhec(w, "a", fh_ckks_write(w->ckks, level, 2, w->a, w->a_at));
    require_fhec(w, "b", fh_ckks_write(w->ckks, level, 2, w->b, w->b_at));
    require_fhec(w, "plain", fh_ckks_write(w->ckks, level, 1, w->plain, w->plain_at));
    require_fhec(w, "key", fh_ckks_write_key(w->ckks, w->key, &w->key_at));
}

static void empty_world(struct world *w) {
    const uint64_t places[] = {w->a_at, w->b_at, w->out_at, w->plain_at, w->key_at};
    for (size_t i = 0; i < COUNT_OF(places); i++)
        require_fhec(w, "release", fh_ckks_release(w->ckks, places[i]));
}

enum op {
    RESCALE,
    KEY_SWITCH,
    ROTATE,
    CONJUGATE,
    HEMULT,
    HEMULT_RESCALE,
    PTMULT,
    PTADD,
    HEADD,
    HESUB,
    SCALAR_MULT,
    SCALAR_ADD,
    SWITCH_SECRET,
    RESCALE_TWO,
    RAISE_ONE,
    RAISE_TWO,
    SQUARE_LOWER, /* of the operand's first level - 1 limbs */
    HOISTED,
    OPS
};
static const char *const op_names[OPS] = {"rescale",
                                          "key switch",
                                          "rotate",
                                          "conjugate",
                                          "hemult",
                                          "hemult and rescale",
                                          "ptmult",
                                          "ptadd",
                                          "headd",
                                          "hesub",
                                          "scalar mult",
                                          "scalar add",
                                          "switch to another secret",
                                          "rescale by two limbs",
                                          "raise from one limb",
                                          "raise from two limbs",
                                          "square at a lower level",
                                          "hoisted rotation"};

enum { ELEMENT = 2187 }; /* of the hoisted rotation: 3^7 */

/* Of more bits than any word here. */
static const fh_golden_i128 multiplier = -(((fh_golden_i128)0x123456789abcdef << 40) + 987654321);
static const fh_golden_i128 summand = ((fh_golden_i128)0xfedcba98765 << 50) + 1;

static bool primes_are_near(const fh_golden_ckks *g) {
    for (size_t i = 0; i < g->limbs; i++)
        for (size_t k = 0; k < g->limbs; k++)
            if (g->moduli[i] >= 2 * g->moduli[k])
                return false;
    return true;
}

/* What must be refused. */
static bool is_impossible(const struct world *w, enum op op) {
    switch (op) {
    case RESCALE:
    case HEMULT_RESCALE:
    case SQUARE_LOWER: return w->level == 1;
    case RESCALE_TWO: return w->level <= 2;
    case RAISE_TWO: return w->level == 1 || !primes_are_near(w->golden);
    default: return false;
    }
}

static size_t result_level(const struct world *w, enum op op) {
    if (op == RESCALE_TWO)
        return w->level - 2;
    return w->level - (op == RESCALE || op == HEMULT_RESCALE || op == SQUARE_LOWER);
}

/* a's first limbs, in the array of the result. */
static const uint64_t *lower(const struct world *w, size_t limbs) {
    require_ok("drop", fh_golden_ckks_drop(w->golden, w->level, limbs, w->a, w->got));
    return w->got;
}

static fh_golden_status golden_hoisted(struct world *w) {
    const fh_golden_ckks *g = w->golden;
    size_t level = w->level, digits = fh_golden_ckks_digits(g, level);
    uint64_t *raised = make_array(digits * (level + g->alpha) * g->n);
    fh_golden_status status = fh_golden_ckks_raise_digits(g, level, w->a + level * g->n, raised);
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_galois_hoisted(g, level, ELEMENT % (2 * g->n), w->a, raised, w->key,
                                               w->want);
    free(raised);
    return status;
}

static fhec_status device_hoisted(struct world *w) {
    struct fh_ckks *c = w->ckks;
    const struct fh_ckks_pair a = fh_ckks_pair_at(c, w->level, w->a_at);
    const uint64_t g = ELEMENT % (2 * w->golden->n);
    uint64_t raised, key;
    require_fhec(w, "raised", fh_ckks_alloc(c, 1, fh_ckks_raised_limbs(c, w->level), &raised));
    require_fhec(w, "turned key", fh_ckks_write_turned_key(c, w->key, g, &key));
    fhec_status status = fh_ckks_raise_digits(c, w->level, a.c[1], raised);
    if (status == FHEC_OK)
        status = fh_ckks_rotate_raised(c, w->level, g, a, raised, key, w->out_at);
    require_fhec(w, "release", fh_ckks_release(c, raised));
    require_fhec(w, "release", fh_ckks_release(c, key));
    return status;
}

static fh_golden_status golden_pair_op(struct world *w, enum op op) {
    const fh_golden_ckks *g = w->golden;
    size_t level = w->level;
    fh_golden_status status;
    switch (op) {
    case HESUB: return fh_golden_ckks_hesub(g, level, w->a, w->b, w->want);
    case SCALAR_MULT: return fh_golden_ckks_scalar_mult(g, level, multiplier, w->a, w->want);
    case SCALAR_ADD: return fh_golden_ckks_scalar_add(g, level, summand, w->a, w->want);
    case RESCALE_TWO: return fh_golden_ckks_rescale_limbs(g, level, 2, w->a, w->want);
    case RAISE_ONE: return fh_golden_ckks_mod_raise(g, 1, level, lower(w, 1), w->want);
    case RAISE_TWO: return fh_golden_ckks_mod_raise(g, 2, level, lower(w, 2), w->want);
    case HOISTED: return golden_hoisted(w);
    case SQUARE_LOWER: {
        const uint64_t *a = lower(w, level - 1);
        return fh_golden_ckks_hemult(g, level - 1, a, a, w->key, w->want);
    }
    default: /* SWITCH_SECRET */
        status = fh_golden_ckks_key_switch(g, level, w->a + level * g->n, w->key, w->want);
        return status == FH_GOLDEN_OK ? fh_golden_ckks_ptadd(g, level, w->want, w->a, w->want)
                                      : status;
    }
}

static fhec_status device_pair_op(struct world *w, enum op op) {
    struct fh_ckks *c = w->ckks;
    size_t level = w->level;
    const struct fh_ckks_pair a = fh_ckks_pair_at(c, level, w->a_at);
    switch (op) {
    case HESUB: return fh_ckks_hesub(c, level, a, fh_ckks_pair_at(c, level, w->b_at), w->out_at);
    case SCALAR_MULT: return fh_ckks_scalar_mult(c, level, multiplier, a, w->out_at);
    case SCALAR_ADD: return fh_ckks_scalar_add(c, level, summand, a, w->out_at);
    case RESCALE_TWO: return fh_ckks_rescale_limbs(c, level, 2, w->a_at, w->out_at);
    case RAISE_ONE: return fh_ckks_mod_raise(c, 1, level, a, w->out_at);
    case RAISE_TWO: return fh_ckks_mod_raise(c, 2, level, a, w->out_at);
    case HOISTED: return device_hoisted(w);
    case SQUARE_LOWER: return fh_ckks_hemult_pair(c, level - 1, a, a, w->key_at, w->out_at);
    default: return fh_ckks_switch_secret(c, level, a, w->key_at, w->out_at);
    }
}

static fh_golden_status golden_op(struct world *w, enum op op) {
    const fh_golden_ckks *g = w->golden;
    size_t level = w->level;
    switch (op) {
    case RESCALE: return fh_golden_ckks_rescale(g, level, w->a, w->want);
    case KEY_SWITCH: return fh_golden_ckks_key_switch(g, level, w->a, w->key, w->want);
    case ROTATE: return fh_golden_ckks_rotate(g, level, 5, w->a, w->key, w->want);
    case CONJUGATE: return fh_golden_ckks_galois(g, level, 2 * g->n - 1, w->a, w->key, w->want);
    case HEMULT: return fh_golden_ckks_hemult(g, level, w->a, w->b, w->key, w->want);
    case HEMULT_RESCALE:
        return fh_golden_ckks_hemult_rescale(g, level, w->a, w->b, w->key, w->want);
    case PTMULT: return fh_golden_ckks_ptmult(g, level, w->a, w->plain, w->want);
    case PTADD: return fh_golden_ckks_ptadd(g, level, w->a, w->plain, w->want);
    case HEADD: return fh_golden_ckks_headd(g, level, w->a, w->b, w->want);
    default: return golden_pair_op(w, op);
    }
}

static fhec_status device_op(struct world *w, enum op op) {
    struct fh_ckks *c = w->ckks;
    size_t level = w->level;
    switch (op) {
    case RESCALE: return fh_ckks_rescale(c, level, w->a_at, w->out_at);
    case KEY_SWITCH: return fh_ckks_key_switch(c, level, w->a_at, w->key_at, w->out_at);
    case ROTATE: return fh_ckks_rotate(c, level, 5, w->a_at, w->key_at, w->out_at);
    case CONJUGATE:
        return fh_ckks_galois(c, level, 2 * w->golden->n - 1, w->a_at, w->key_at, w->out_at);
    case HEMULT: return fh_ckks_hemult(c, level, w->a_at, w->b_at, w->key_at, w->out_at);
    case HEMULT_RESCALE:
        return fh_ckks_hemult_rescale(c, level, w->a_at, w->b_at, w->key_at, w->out_at);
    case PTMULT: return fh_ckks_ptmult(c, level, w->a_at, w->plain_at, w->out_at);
    case PTADD: return fh_ckks_ptadd(c, level, w->a_at, w->plain_at);
    case HEADD: return fh_ckks_headd(c, level, w->a_at, w->b_at, w->out_at);
    default: return device_pair_op(w, op);
    }
}

/* A Rescale by two limbs in one pass transforms each limb that stays once instead of twice, and of
 * the first one's results corrects only the limb that is dropped next. */
static void save_work(const struct world *w, enum op op, uint64_t work[FH_GOLDEN_CKKS_WORK_COUNT]) {
    if (op == HOISTED) { /* two sums are permuted instead of all digits */
        size_t digits = fh_golden_ckks_digits(w->golden, w->level);
        work[FH_GOLDEN_CKKS_PERMUTATION] += (2 - digits) * (w->level + w->golden->alpha);
    }
    if (op != RESCALE_TWO || !primes_are_near(w->golden))
        return;
    work[FH_GOLDEN_CKKS_NTT] -= 2 * (w->level - 1);
    work[FH_GOLDEN_CKKS_CORRECTION] -= 2 * (w->level - 2);
}

/* One primitive on both sides: the same limbs and the same work. */
static void check_op(struct world *w, enum op op, uint64_t seed) {
    uint64_t want_work[FH_GOLDEN_CKKS_WORK_COUNT] = {0}, before[FH_GOLDEN_CKKS_WORK_COUNT];
    if (is_impossible(w, op)) {
        assert_int_equal(device_op(w, op), FHEC_BAD_INPUT);
        return;
    }
    w->golden->counts = want_work;
    require_ok(op_names[op], golden_op(w, op));
    w->golden->counts = NULL;
    save_work(w, op, want_work);
    memcpy(before, fh_ckks_work(w->ckks), sizeof before);
    require_fhec(w, op_names[op], device_op(w, op));
    for (size_t i = 0; i < FH_GOLDEN_CKKS_WORK_COUNT; i++)
        require_u64("work", seed, i, fh_ckks_work(w->ckks)[i] - before[i], want_work[i]);
    size_t level = result_level(w, op), n = w->golden->n;
    require_fhec(w, "read",
                 fh_ckks_read(w->ckks, level, 2, op == PTADD ? w->a_at : w->out_at, w->got));
    for (size_t i = 0; i < 2 * level * n; i++)
        if (w->got[i] != w->want[i])
            fail_msg("%s, %s: N %zu, limbs %zu, alpha %zu, dnum %zu, level %zu, seed %llu: element "
                     "%zu of limb %zu of polynomial %zu: got %llu, want %llu",
                     w->label, op_names[op], n, w->golden->limbs, w->golden->alpha, w->golden->dnum,
                     w->level, (unsigned long long)seed, i % n, i / n % level, i / n / level,
                     (unsigned long long)w->got[i], (unsigned long long)w->want[i]);
}

/* PtAdd works in place, and comes last. */
static void check_all(struct world *w, fh_golden_pattern pattern, uint64_t seed, size_t level) {
    fill_world(w, pattern, seed, level);
    for (int op = 0; op < OPS; op++)
        if (op != PTADD)
            check_op(w, (enum op)op, seed);
    check_op(w, PTADD, seed);
    empty_world(w);
}

/* Primes = 1 modulo 2^9 that are far from alike: a switch of modulus from a large one to a small
 * one leaves values that are not reduced. The last two are the extension. */
static const uint64_t mixed_28[] = {7681, 167772161, 12289, 786433, 65537, 40961};
static const uint64_t mixed_32[] = {12289, 4293918721, 7681, 998244353, 40961, 167772161};
/* More than 2^31, and small enough for transforms and inner products to leave 32 and 64 bits whole.
 */
static const uint64_t loose_32[] = {2654404609, 2147565569, 2654322689, 2147573761,
                                    2654199809, 2654175233, 2147377153, 2147352577};
static const uint64_t mixed_60[] = {7681, 1152921504606844417, 12289, 4293918721, 998244353, 40961};

static const fh_golden_ckks_params narrow[] = {
    {8, 30, 4, 2, 2, NULL},     {9, 31, 6, 2, 3, NULL},     {10, 32, 3, 3, 1, NULL},
    {11, 30, 4, 1, 4, NULL},    {12, 29, 3, 1, 3, NULL},    {8, 32, 6, 4, 3, NULL},
    {8, 30, 27, 9, 3, NULL},    {9, 30, 8, 3, 8, NULL},     {8, 20, 1, 1, 1, NULL},
    {8, 31, 5, 2, 5, NULL},     {10, 27, 10, 5, 2, NULL},   {8, 28, 2, 63, 2, NULL},
    {8, 28, 4, 2, 2, mixed_28}, {8, 32, 4, 2, 4, mixed_32}, {9, 32, 6, 2, 3, loose_32},
    {8, 32, 4, 2, 4, loose_32}, {8, 30, 11, 4, 3, NULL},    {9, 32, 5, 3, 2, NULL},
    {8, 31, 7, 4, 3, NULL},
};
static const fh_golden_ckks_params wide[] = {
    {8, 60, 4, 2, 2, NULL},     {9, 59, 6, 2, 3, NULL},     {10, 45, 3, 3, 1, NULL},
    {11, 60, 4, 1, 4, NULL},    {12, 50, 3, 1, 3, NULL},    {8, 33, 6, 4, 3, NULL},
    {8, 60, 27, 9, 3, NULL},    {9, 60, 8, 3, 8, NULL},     {8, 20, 1, 1, 1, NULL},
    {8, 54, 5, 2, 5, NULL},     {10, 31, 10, 5, 2, NULL},   {8, 60, 2, 63, 2, NULL},
    {8, 60, 4, 2, 2, mixed_60}, {8, 60, 4, 2, 4, mixed_60}, {8, 60, 11, 4, 3, NULL},
    {9, 55, 5, 3, 2, NULL},     {8, 60, 7, 4, 3, NULL},
};

/* Each shape on the maps whose words hold its primes: at the full level, and at one that cuts a
 * digit in two where digits have limbs enough, or in turns at level 1. But for long runs a map gets
 * a third of the shapes, the next map the next third; with a sanitizer a quarter. */
static void maps_agree(void **state) {
    (void)state;
    const unsigned parts = SLOW_BUILD ? 4 : getenv("FHEC_TEST_LONG") ? 1 : 3;
    const struct fh_map *map;
    for (size_t m = 0; (map = fh_map_get(m)) != NULL; m++) {
        if (!(map->workloads & FH_WORKLOAD_CKKS))
            continue;
        const fh_golden_ckks_params *shapes = map->word_bits == 32 ? narrow : wide;
        for (size_t i = 0; i < (map->word_bits == 32 ? COUNT_OF(narrow) : COUNT_OF(wide)); i++) {
            if ((i + m) % parts)
                continue;
            size_t limbs = shapes[i].limbs, digit = fh_golden_ckks_digit(limbs, shapes[i].dnum);
            const size_t levels[] = {limbs, (i + m) % 3 ? limbs - (digit + 1) / 2 : 1};
            struct world w;
            make_world(&w, map->name, &shapes[i]);
            for (size_t k = 0; k < COUNT_OF(levels); k++)
                if (levels[k] > 0 && (k == 0 || levels[k] < levels[k - 1]))
                    check_all(&w, FH_GOLDEN_RANDOM, 100 * i + levels[k], levels[k]);
            free_world(&w);
        }
    }
}

static void patterns_agree(void **state) {
    (void)state;
    const struct fh_map *map;
    for (size_t m = 0; (map = fh_map_get(m)) != NULL; m++) {
        if (!(map->workloads & FH_WORKLOAD_CKKS))
            continue;
        const fh_golden_ckks_params *shapes = map->word_bits == 32 ? narrow : wide;
        for (size_t i = 0; i < 3; i++) {
            if (SLOW_BUILD && i != m % 3)
                continue;
            struct world w;
            make_world(&w, map->name, &shapes[i]);
            for (int pattern = 1; pattern < FH_GOLDEN_PATTERN_COUNT; pattern++)
                check_all(&w, (fh_golden_pattern)pattern, 7, shapes[i].limbs - (i & 1));
            free_world(&w);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_agree),
        cmocka_unit_test(patterns_agree),
    };
    return cmocka_run_group_tests_name("programs_ckks_ops", tests, NULL, NULL);
}
