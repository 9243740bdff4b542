/*
 * programs_convert.c - base conversions compared with the reference.
 */
#include "programs_convert.h"

enum { MOST = FH_GOLDEN_MAX_LIMBS };

void programs_begin_conversion(struct programs_conversion *c, unsigned word_bits, size_t n,
                               size_t alpha, size_t target) {
    *c = (struct programs_conversion){
        .n = n, .word_bits = word_bits, .bases = {alpha, c->moduli, target, c->moduli + alpha}};
    c->in = calloc(alpha * n, sizeof *c->in);
    c->want = calloc(target * n, sizeof *c->want);
    assert_non_null(c->in);
    assert_non_null(c->want);
}

void programs_end_conversion(struct programs_conversion *c) {
    free(c->in);
    free(c->want);
}

static void choose_sizes(struct programs_conversion *c, unsigned source_bits,
                         unsigned target_bits) {
    size_t alpha = c->bases.alpha, target = c->bases.target, sources = 0, targets = 0;
    uint64_t primes[2 * MOST];
    if (source_bits != target_bits) {
        assert_int_equal(fh_golden_prime_chain(256, source_bits, alpha, c->moduli), FH_GOLDEN_OK);
        assert_int_equal(fh_golden_prime_chain(256, target_bits, target, c->moduli + alpha),
                         FH_GOLDEN_OK);
        return;
    }
    assert_int_equal(fh_golden_prime_chain(256, source_bits, alpha + target, primes), FH_GOLDEN_OK);
    for (size_t i = 0; i < alpha + target; i++)
        if ((i & 1 && targets < target) || sources == alpha)
            c->moduli[alpha + targets++] = primes[i];
        else
            c->moduli[sources++] = primes[i];
}

/* And what the reference makes of it. */
void programs_fill_conversion(struct programs_conversion *c, enum programs_pattern pattern,
                              uint64_t seed) {
    size_t n = c->n, hot = (size_t)(fh_golden_random_word(seed, 99, 0) % (c->bases.alpha * n));
    uint64_t ones = UINT64_MAX >> (64 - c->word_bits);
    for (size_t j = 0; j < c->bases.alpha; j++)
        for (size_t i = 0; i < n; i++) {
            uint64_t p = c->bases.from[j], word = fh_golden_random_word(seed, j, i);
            uint64_t x = word % p;
            switch (pattern) {
            case ALL_MAX: x = p - 1; break;
            case ONE_HOT: x = j * n + i == hot ? p / 2 + 1 : 0; break;
            case UNREDUCED: x = word & ones; break;
            case ONES: x = word % 5 ? ones : 0; break;
            default: break;
            }
            c->in[j * n + i] = x;
        }
    assert_int_equal(fh_golden_bconv_fast(&c->bases, n, c->in, c->want), FH_GOLDEN_OK);
}

/* Whether no map before it has the same units. */
static bool is_first_of_its_kind(size_t index) {
    const struct fh_map *map = programs_map(FH_WORKLOAD_BCONV, index), *other;
    for (size_t i = 0; i < index; i++) {
        other = programs_map(FH_WORKLOAD_BCONV, i);
        if (other->matrix == map->matrix && other->gme == map->gme &&
            other->word_bits == map->word_bits)
            return false;
    }
    return true;
}

static void require_count(const struct programs_conversion *c, const struct fh_map *map,
                          fhec_machine *machine) {
    uint64_t tiles = c->n / 16 * ((c->bases.target + 7) / 8);
    uint64_t fhec = map->matrix == FH_MATRIX_FHEC ? tiles * ((c->bases.alpha + 15) / 16) : 0;
    uint64_t imma = map->matrix == FH_MATRIX_IMMA ? tiles * 4 * ((c->bases.alpha + 3) / 4) : 0;
    assert_int_equal(programs_count(machine, "FHEC"), fhec);
    assert_int_equal(programs_count(machine, "FHEC.16816.U32.U32.MIX"), fhec);
    assert_int_equal(programs_count(machine, "IMMA"), imma);
    assert_int_equal(programs_count(machine, "IMMA.16816.U8.U8"), imma);
}

/* One map converts and must have the reference's result; matrix instructions are counted. */
void programs_convert(const struct programs_conversion *c, const struct fh_map *map,
                      fhec_machine *machine, const char *what) {
    const struct fh_bconv_params params = {.map = map->name,
                                           .n = c->n,
                                           .alpha = c->bases.alpha,
                                           .target = c->bases.target,
                                           .from = c->bases.from,
                                           .to = c->bases.to,
                                           .options = programs_options()};
    size_t in_count = c->bases.alpha * c->n, out_count = c->bases.target * c->n;
    void *in = programs_pack(map, c->in, in_count), *out = malloc(out_count * sizeof(uint64_t));
    struct fh_error error;
    assert_non_null(out);
    memset(out, 0xa5, out_count * sizeof(uint64_t));
    fhec_machine_clear_stats(machine);
    fhec_status status =
        fh_bconv_run(machine, &params, in, in_count * map->word_bits / 8, out, &error);
    if (status != FHEC_OK)
        fail_msg("%s: map %s, N %zu, %zu -> %zu limbs: %s", what, map->name, c->n, c->bases.alpha,
                 c->bases.target, error.text);
    assert_string_equal(error.text, "");
    for (size_t i = 0; i < out_count; i++)
        if (programs_element(map, out, i) != c->want[i])
            fail_msg("%s: map %s, N %zu, %zu -> %zu limbs, first source %llu: coefficient %zu of "
                     "target %zu is %llu, not %llu",
                     what, map->name, c->n, c->bases.alpha, c->bases.target,
                     (unsigned long long)c->moduli[0], i % c->n, i / c->n,
                     (unsigned long long)programs_element(map, out, i),
                     (unsigned long long)c->want[i]);
    require_count(c, map, machine);
    free(in);
    free(out);
}

/* All kinds of maps with these words. */
void programs_convert_all(const struct programs_conversion *c, fhec_machine *machine,
                          const char *what) {
    const struct fh_map *map;
    for (size_t i = 0; (map = programs_map(FH_WORKLOAD_BCONV, i)) != NULL; i++)
        if (map->word_bits == c->word_bits && is_first_of_its_kind(i))
            programs_convert(c, map, machine, what);
}

/* Sizes of the primes on both sides. */
static const unsigned bits_32[][2] = {{32, 32}, {28, 28}, {30, 30}, {31, 30},
                                      {32, 28}, {28, 32}, {29, 31}};
static const unsigned bits_64[][2] = {{60, 60}, {28, 28}, {33, 60}, {60, 33},
                                      {59, 59}, {45, 45}, {59, 40}, {32, 50}};

void programs_choose_primes(struct programs_conversion *c, unsigned round) {
    const unsigned *bits = c->word_bits == 64 ? bits_64[round % COUNT_OF(bits_64)]
                                              : bits_32[round % COUNT_OF(bits_32)];
    choose_sizes(c, bits[0], bits[1]);
}
