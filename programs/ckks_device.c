/*
 * ckks_device.c - the CKKS primitives' chain on a machine: checks, tables, memory, data in and out.
 */
#include "ckks_device.h"
#include "ckks_plan.h"
#include "parameters.h"
#include "residue.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

static unsigned bit_length(uint64_t x) {
    unsigned bits = 0;
    for (; x; x >>= 1)
        bits++;
    return bits;
}

/* ---------------------------------------------------------------- checks */

fhec_status fh_no_digits(struct fh_error *error, size_t limbs, size_t dnum) {
    if (!dnum || dnum > limbs)
        return fh_fail(error, FHEC_BAD_INPUT, "dnum is %zu; there may be 1 to %zu digits", dnum,
                       limbs);
    const size_t digit = (limbs + dnum - 1) / dnum;
    return fh_fail(error, FHEC_BAD_INPUT,
                   "dnum is %zu; %zu limbs are %zu digits of %zu limbs, the last one perhaps of "
                   "fewer",
                   dnum, limbs, (limbs + digit - 1) / digit, digit);
}

/* What golden would refuse, with the numbers. */
static fhec_status check_shape(const fh_golden_ckks_params *chain, struct fh_error *error) {
    size_t limbs = chain->limbs, alpha = chain->alpha, most = FH_GOLDEN_MAX_LIMBS;
    if (chain->log2_n < FH_NTT_MIN_LOG2 || chain->log2_n > FH_NTT_MAX_LOG2)
        return fh_fail(error, FHEC_BAD_INPUT, "log2 of N must be %d to %d, not %u", FH_NTT_MIN_LOG2,
                       FH_NTT_MAX_LOG2, chain->log2_n);
    if (limbs < 1 || limbs > most)
        return fh_fail(error, FHEC_BAD_INPUT, "there must be 1 to %zu limbs, not %zu", most, limbs);
    size_t digit = fh_golden_ckks_digit(limbs, chain->dnum);
    if (!digit)
        return fh_no_digits(error, limbs, chain->dnum);
    size_t others = (chain->dnum - 1) * digit + alpha; /* than those of the last digit */
    if (alpha < digit || alpha > most)
        return fh_fail(error, FHEC_BAD_INPUT,
                       "alpha is %zu; it must be at least the %zu limbs of a digit (limbs / dnum) "
                       "and at most %zu",
                       alpha, digit, most);
    if (others > most)
        return fh_fail(error, FHEC_BAD_INPUT,
                       "a digit of %zu limbs would be raised to %zu others; there may be %zu",
                       limbs + alpha - others, others, most);
    return FHEC_OK;
}

/* Finds and checks the primes of a chain whose shape is good. */
static fhec_status find_primes(const fh_golden_ckks_params *chain, const struct fh_map *map,
                               uint64_t primes[FH_GOLDEN_CKKS_MAX_CHAIN], struct fh_error *error) {
    /* A 64-bit element holds primes of up to 60 bits: kernels work with small multiples of them. */
    unsigned most = map->word_bits == 32 ? 32 : FH_MAX_MODULUS_BITS_64;
    size_t count = chain->limbs + chain->alpha;
    if (!chain->moduli && (chain->bits < 2 || chain->bits > most))
        return fh_fail(error, FHEC_BAD_INPUT,
                       "primes of %u bits: the map \"%s\" has %u-bit elements and takes 2 to %u",
                       chain->bits, map->name, map->word_bits, most);
    fh_golden_status found = fh_golden_ckks_chain(chain, primes);
    if (found == FH_GOLDEN_ERR_TOO_FEW_PRIMES)
        return fh_fail(error, FHEC_BAD_INPUT,
                       "%zu limbs and %zu of the extension need %zu primes = 1 modulo 2N = %llu "
                       "below 2^%u; there are fewer",
                       chain->limbs, chain->alpha, count, (ull)2 << chain->log2_n, chain->bits);
    if (found != FH_GOLDEN_OK)
        return fh_fail(error, FHEC_BAD_INPUT, "the chain of primes: %s",
                       fh_golden_status_text(found));
    for (size_t j = 0; j < count; j++)
        if (bit_length(primes[j]) > most)
            return fh_fail(error, FHEC_BAD_INPUT,
                           "prime %zu of the chain is %llu; the map \"%s\" has %u-bit elements and "
                           "takes primes of up to %u bits",
                           j, (ull)primes[j], map->name, map->word_bits, most);
    return FHEC_OK;
}

/* Finds the map, too. */
static fhec_status check(const struct fh_ckks_params *params, const struct fh_map **map,
                         uint64_t primes[FH_GOLDEN_CKKS_MAX_CHAIN], struct fh_error *error) {
    const fh_golden_ckks_params *chain = &params->chain;
    error->text[0] = 0;
    fhec_status status = fh_check_map(params->map, FH_WORKLOAD_CKKS, map, error);
    if (status == FHEC_OK && params->options.checked && chain->moduli) {
        memcpy(primes, chain->moduli, (chain->limbs + chain->alpha) * sizeof *primes);
        return FHEC_OK;
    }
    if (status == FHEC_OK)
        status = check_shape(chain, error);
    return status == FHEC_OK ? find_primes(chain, *map, primes, error) : status;
}

fhec_status fh_ckks_check(const struct fh_ckks_params *params, uint64_t *moduli,
                          struct fh_error *error) {
    const struct fh_map *map;
    uint64_t primes[FH_GOLDEN_CKKS_MAX_CHAIN] = {0};
    fhec_status status = check(params, &map, primes, error);
    if (status == FHEC_OK && moduli)
        memcpy(moduli, primes, (params->chain.limbs + params->chain.alpha) * sizeof *primes);
    return status;
}

/* ---------------------------------------------------------------- the chain */

static bool primes_are_near(const struct fh_ckks *ckks) {
    const uint64_t *q = ckks->chain.moduli;
    uint64_t least = q[0], most = q[0];
    for (size_t i = 1; i < ckks->chain.limbs; i++) {
        least = q[i] < least ? q[i] : least;
        most = q[i] > most ? q[i] : most;
    }
    return most / 2 < least;
}

static void fill_chain(struct fh_ckks *ckks, const fh_golden_ckks_params *params) {
    fh_golden_ckks *chain = &ckks->chain;
    chain->n = (size_t)1 << params->log2_n;
    chain->limbs = params->limbs;
    chain->alpha = params->alpha;
    chain->dnum = params->dnum;
    chain->digit = fh_golden_ckks_digit(params->limbs, params->dnum);
    ckks->log2_n = params->log2_n;
    ckks->least_bits = 64;
    for (size_t j = 0; j < chain->limbs + chain->alpha; j++) {
        unsigned bits = bit_length(chain->moduli[j]);
        ckks->largest = chain->moduli[j] > ckks->largest ? chain->moduli[j] : ckks->largest;
        ckks->bits = bits > ckks->bits ? bits : ckks->bits;
        ckks->least_bits = bits < ckks->least_bits ? bits : ckks->least_bits;
    }
    ckks->near = primes_are_near(ckks);
    for (size_t i = 0; i < chain->limbs; i++) {
        uint64_t q = chain->moduli[i], product = 1;
        for (size_t k = 0; k < chain->alpha; k++)
            product = fh_golden_mulmod(product, chain->moduli[chain->limbs + k], q);
        /* Distinct primes: it has an inverse. */
        (void)fh_golden_invmod(product, q, &chain->p_inverse[i]);
    }
}

static fhec_status make_transforms(struct fh_ckks *ckks, fhec_machine *machine) {
    const fh_golden_ckks *chain = &ckks->chain;
    const struct fh_poly_params poly = fh_ckks_poly_params(ckks, 0);
    struct fh_plan *plans[] = {&ckks->forward, &ckks->inverse};
    fhec_status status = FHEC_OK;
    for (unsigned i = 0; i < 2; i++)
        fh_plan_begin(plans[i], machine, &ckks->options, &ckks->error);
    for (unsigned i = 0; i < 2 && status == FHEC_OK; i++) {
        const struct fh_ntt_params params = {
            .map = ckks->map->name,
            .n = chain->n,
            .limbs = chain->limbs + chain->alpha,
            .q = chain->moduli,
            .inverse = i == 1,
            .order = FH_GOLDEN_BITREV,
            /* What forward transforms see: base conversions leave reduced data only. */
            .reduced = i == 0 ? ckks->near : !fh_poly_is_lazy(&poly),
            .options = ckks->options,
        };
        status = fh_ntt_plan(plans[i], &params);
    }
    return status;
}

static fhec_status make_tables(struct fh_ckks *ckks) {
    const fh_golden_ckks *chain = &ckks->chain;
    const struct fh_poly_params params = fh_ckks_poly_params(ckks, 0);
    size_t entry = fh_poly_entry_bytes(&params);
    size_t limbs = chain->limbs, count = limbs + chain->alpha, bytes = count * entry;
    unsigned char *entries = fh_table(3 * count, entry);
    if (!entries)
        return fh_fail_memory(&ckks->error);
    for (size_t j = 0; j < count; j++) {
        uint64_t q = chain->moduli[j];
        fh_poly_modulus(&params, q, entries + j * entry);
        fh_poly_inner_modulus(&params, q, entries + bytes + j * entry);
        if (j < limbs)
            fh_poly_factor(&params, q, chain->p_inverse[j], entries + 2 * bytes + j * entry);
    }
    fhec_status status = fh_guest_table(&ckks->guest, "moduli", entries, bytes, &ckks->moduli);
    if (status == FHEC_OK)
        status = fh_guest_table(&ckks->guest, "inner_moduli", entries + bytes, bytes,
                                &ckks->inner_moduli);
    if (status == FHEC_OK)
        status = fh_guest_table(&ckks->guest, "p_factor", entries + 2 * bytes, limbs * entry,
                                &ckks->p_factor);
    if (status == FHEC_OK)
        status = fh_guest_alloc(&ckks->guest, "scalars",
                                limbs * FH_CKKS_MOST_MULTIPLES * sizeof(uint64_t), &ckks->scalars);
    ckks->entry = entry;
    free(entries);
    return status;
}

static fhec_status make_memory(struct fh_ckks *ckks) {
    size_t limbs = ckks->chain.limbs, extended = limbs + ckks->chain.alpha;
    const struct {
        const char *name;
        size_t limbs;
        uint64_t *address;
    } rows[] = {
        {"coefficients", extended, &ckks->coefficients},
        {"converted", extended, &ckks->converted},
        {"raised", (ckks->chain.dnum > 1 ? ckks->chain.dnum : 2) * extended, &ckks->raised},
        {"sums", 2 * extended, &ckks->sums},
        {"product", 3 * limbs, &ckks->product},
    };
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == FHEC_OK; i++)
        status = fh_guest_alloc(&ckks->guest, rows[i].name, fh_ckks_bytes(ckks, rows[i].limbs),
                                rows[i].address);
    return status;
}

fhec_status fh_ckks_make(fhec_machine *machine, const struct fh_ckks_params *params,
                         struct fh_ckks **out, struct fh_error *error) {
    const struct fh_map *map;
    *out = NULL;
    struct fh_ckks *ckks = calloc(1, sizeof *ckks);
    if (!ckks)
        return fh_fail_memory(error);
    fhec_status status = check(params, &map, ckks->chain.moduli, &ckks->error);
    ckks->options = params->options;
    ckks->options.checked = true; /* good primes: good moduli of its transforms and conversions */
    ckks->guest =
        (struct fh_guest){.machine = machine, .options = &ckks->options, .error = &ckks->error};
    if (status == FHEC_OK) {
        ckks->map = map;
        ckks->word = map->word_bits / 8;
        fill_chain(ckks, &params->chain);
        status = make_transforms(ckks, machine);
    }
    if (status == FHEC_OK)
        status = make_tables(ckks);
    if (status == FHEC_OK)
        status = make_memory(ckks);
    if (status != FHEC_OK) {
        *error = ckks->error;
        fh_ckks_free(ckks);
        return status;
    }
    *out = ckks;
    return FHEC_OK;
}

void fh_ckks_free(struct fh_ckks *ckks) {
    if (!ckks)
        return;
    for (size_t i = 0; i <= FH_GOLDEN_MAX_LIMBS; i++)
        fh_ckks_level_free(ckks->levels[i]);
    fh_ckks_sums_free(ckks);
    fh_plan_free(&ckks->forward);
    fh_plan_free(&ckks->inverse);
    fh_guest_end(&ckks->guest);
    free(ckks);
}

const struct fh_error *fh_ckks_error(const struct fh_ckks *ckks) {
    return &ckks->error;
}

size_t fh_ckks_word(const struct fh_ckks *ckks) {
    return ckks->word;
}

const uint64_t *fh_ckks_work(const struct fh_ckks *ckks) {
    return ckks->work;
}

/* ---------------------------------------------------------------- data in and out */

static fhec_status check_level(struct fh_ckks *ckks, size_t level) {
    if (level >= 1 && level <= ckks->chain.limbs)
        return FHEC_OK;
    return fh_fail(&ckks->error, FHEC_BAD_INPUT, "the level is %zu; it must be 1 to %zu", level,
                   ckks->chain.limbs);
}

static fhec_status allocate(struct fh_ckks *ckks, const char *name, uint64_t bytes,
                            uint64_t *address) {
    fhec_status status = fhec_alloc(ckks->guest.machine, name, bytes, 0, address);
    if (status != FHEC_OK)
        return fh_fail(&ckks->error, status, "no memory in the guest for %s", name);
    return FHEC_OK;
}

fhec_status fh_ckks_alloc(struct fh_ckks *ckks, size_t level, size_t count, uint64_t *address) {
    *address = 0;
    fhec_status status = check_level(ckks, level);
    return status == FHEC_OK
               ? allocate(ckks, "polynomials", fh_ckks_bytes(ckks, level * count), address)
               : status;
}

fhec_status fh_ckks_release(struct fh_ckks *ckks, uint64_t address) {
    fhec_status status = fhec_release(ckks->guest.machine, address);
    if (status != FHEC_OK)
        return fh_fail(&ckks->error, status, "there are no polynomials at this address");
    return FHEC_OK;
}

/* Every element must be below the modulus of chain limb `limb`. */
static fhec_status check_elements(struct fh_ckks *ckks, const uint64_t *in, size_t limb) {
    for (size_t i = 0; i < ckks->chain.n; i++)
        if (in[i] >= ckks->chain.moduli[limb])
            return fh_fail(&ckks->error, FHEC_BAD_INPUT,
                           "element %zu of limb %zu is %llu; it must be below the modulus, %llu", i,
                           limb, (ull)in[i], (ull)ckks->chain.moduli[limb]);
    return FHEC_OK;
}

/* `count` polynomials of level limbs, with `extended` of as many of the extension's behind them. */
static fhec_status write_polynomials(struct fh_ckks *ckks, size_t level, bool extended,
                                     size_t count, const uint64_t *in, uint64_t address) {
    const size_t limbs = extended ? level + ckks->chain.alpha : level;
    fhec_status status = check_level(ckks, level);
    void *words = fh_table(ckks->chain.n, ckks->word);
    if (status == FHEC_OK && !words)
        status = fh_fail_memory(&ckks->error);
    for (size_t j = 0; j < limbs * count && status == FHEC_OK; j++) {
        const uint64_t *limb = in + j * ckks->chain.n;
        const size_t at = j % limbs;
        status = check_elements(ckks, limb, at < level ? at : ckks->chain.limbs + at - level);
        if (status != FHEC_OK)
            break;
        fh_pack(limb, ckks->chain.n, ckks->word, words);
        status = fh_guest_write(&ckks->guest, address + fh_ckks_bytes(ckks, j), words,
                                fh_ckks_bytes(ckks, 1));
    }
    free(words);
    return status;
}

fhec_status fh_ckks_write(struct fh_ckks *ckks, size_t level, size_t count, const uint64_t *in,
                          uint64_t address) {
    return write_polynomials(ckks, level, false, count, in, address);
}

fhec_status fh_ckks_write_raised(struct fh_ckks *ckks, size_t level, const uint64_t *raised,
                                 uint64_t address) {
    const size_t digits = fh_golden_ckks_digits(&ckks->chain, level);
    return write_polynomials(ckks, level, true, digits, raised, address);
}

fhec_status fh_ckks_read(struct fh_ckks *ckks, size_t level, size_t count, uint64_t address,
                         uint64_t *out) {
    fhec_status status = check_level(ckks, level);
    void *words = fh_table(ckks->chain.n, ckks->word);
    if (status == FHEC_OK && !words)
        status = fh_fail_memory(&ckks->error);
    for (size_t j = 0; j < level * count && status == FHEC_OK; j++) {
        status = fh_guest_read(&ckks->guest, address + fh_ckks_bytes(ckks, j), words,
                               fh_ckks_bytes(ckks, 1));
        if (status == FHEC_OK)
            fh_unpack(words, ckks->chain.n, ckks->word, out + j * ckks->chain.n);
    }
    free(words);
    return status;
}

/* places: where each element of a limb goes; NULL: it stays. */
static fhec_status write_key(struct fh_ckks *ckks, const uint64_t *key, const uint64_t *places,
                             uint64_t *address) {
    const fh_golden_ckks *chain = &ckks->chain;
    const struct fh_poly_params params = fh_ckks_poly_params(ckks, 0);
    size_t limbs = chain->limbs + chain->alpha, rows = 2 * chain->dnum;
    *address = 0;
    uint64_t *prepared = fh_table(2 * chain->n, sizeof *prepared), *moved = prepared;
    void *words = fh_table(chain->n, ckks->word);
    fhec_status status = prepared && words ? FHEC_OK : fh_fail_memory(&ckks->error);
    if (status == FHEC_OK)
        status = allocate(ckks, "key", fh_ckks_bytes(ckks, limbs * rows), address);
    for (size_t k = 0; k < limbs * rows && status == FHEC_OK; k++) {
        size_t limb = k / rows;
        const uint64_t *from = key + fh_golden_ckks_key_offset(chain, k % rows / 2, k % 2, limb);
        status = check_elements(ckks, from, limb);
        fh_poly_key_elements(&params, chain->moduli[limb], chain->n, from, prepared);
        if (places)
            moved = prepared + chain->n;
        for (size_t i = 0; places && i < chain->n; i++)
            moved[places[i]] = prepared[i];
        fh_pack(moved, chain->n, ckks->word, words);
        if (status == FHEC_OK)
            status = fh_guest_write(&ckks->guest, *address + fh_ckks_bytes(ckks, k), words,
                                    fh_ckks_bytes(ckks, 1));
    }
    if (status != FHEC_OK && *address) {
        (void)fhec_release(ckks->guest.machine, *address);
        *address = 0;
    }
    free(prepared);
    free(words);
    return status;
}

fhec_status fh_ckks_write_key(struct fh_ckks *ckks, const uint64_t *key, uint64_t *address) {
    return write_key(ckks, key, NULL, address);
}

fhec_status fh_ckks_write_turned_key(struct fh_ckks *ckks, const uint64_t *key, uint64_t g,
                                     uint64_t *address) {
    size_t n = ckks->chain.n;
    *address = 0;
    uint64_t *places = fh_table(2 * n, sizeof *places);
    if (!places)
        return fh_fail_memory(&ckks->error);
    for (size_t i = 0; i < n; i++)
        places[i] = i;
    fhec_status status = FHEC_OK;
    if (fh_golden_automorphism_eval(n, g, FH_GOLDEN_BITREV, places, places + n) != FH_GOLDEN_OK)
        status = fh_fail(&ckks->error, FHEC_BAD_INPUT, "X -> X^g needs an odd g, not %llu", (ull)g);
    if (status == FHEC_OK)
        status = write_key(ckks, key, places + n, address);
    free(places);
    return status;
}
