/*
 * bootstrap_check.c - see bootstrap_check.h.
 */
#include "bootstrap_check.h"

#include <math.h>

#include "bootstrap_options.h"
#include "ckks_device.h"
#include "message.h"

typedef unsigned long long ull;

/* ---------------------------------------------------------------- the multiples of Q0 */

/* The cumulant generating function of `count` numbers uniform in [-1/2, 1/2] and its first two
 * derivatives. */
struct cumulant {
    double value, first, second;
};

static struct cumulant cumulant(double count, double theta) {
    const double half = theta / 2, coth = 1 / tanh(half);
    /* log sinh(x) without overflow: x + log(1 - exp(-2x)) - log 2. */
    const double log_sinh = half + log1p(-exp(-theta)) - log(2);
    return (struct cumulant){
        count * (log_sinh - log(half)),
        count * (coth / 2 - 1 / theta),
        count * (1 / (theta * theta) - (coth * coth - 1) / 4),
    };
}

double fh_cli_boot_overflow(unsigned log2_n, size_t weight, unsigned range) {
    enum { HALVINGS = 200 };
    const double count = (double)weight + 1;
    if (range >= count / 2)
        return -INFINITY;
    double low = 1e-6, high = 1e6; /* the first derivative grows from 0 to count / 2 */
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = sqrt(low * high);
        if (cumulant(count, middle).first < range)
            low = middle;
        else
            high = middle;
    }
    const struct cumulant at = cumulant(count, low);
    const double w = sqrt(2 * (low * range - at.value)), u = low * sqrt(at.second);
    /* Q(w) + phi(w) (1/u - 1/w), with phi(w) taken out: its logarithm does not underflow. */
    const double q = w < 30 ? sqrt(acos(-1.0) / 2) * exp(w * w / 2) * erfc(w / sqrt(2))
                            : 1 / w - 1 / (w * w * w) + 3 / (w * w * w * w * w);
    const double log_tail = -w * w / 2 - log(2 * acos(-1.0)) / 2 + log(q + 1 / u - 1 / w);
    return log_tail / log(2) + 1 + log2_n; /* both sides, any coefficient */
}

double fh_cli_boot_sine_error(const fh_golden_ckks_boot_params *params) {
    long double c[128], worst = 0;
    fh_golden_ckks_boot_coefficients(params, c);
    const long double offset = ldexpl(1, -(int)params->correction), turn = 8 * atanl(1.0L);
    for (long i = -(long)params->range + 1; i < (long)params->range; i++)
        for (int side = -1; side <= 1; side++) {
            const long double t = (long double)i + (long double)side * offset;
            const long double x = t / params->range;
            long double b1 = 0, b2 = 0; /* Clenshaw's recurrence */
            for (size_t j = params->degree; j >= 1; j--) {
                const long double b = c[j] + 2 * x * b1 - b2;
                b2 = b1;
                b1 = b;
            }
            long double y = c[0] + x * b1 - b2;
            for (unsigned r = 0; r < params->double_angles; r++)
                y = 2 * y * y - 1;
            worst = fmaxl(worst, fabsl(y - sinl(turn * (long double)side * offset)));
        }
    return (double)log2l(worst + 0x1p-64L);
}

/* The weight of the secret under which ModRaise is; of a ternary one about two thirds. */
static size_t raised_weight(const fh_golden_ckks_boot_params *params) {
    const size_t n = (size_t)1 << params->log2_n;
    return params->weight          ? params->weight
           : params->secret_weight ? params->secret_weight
                                   : 2 * n / 3;
}

/* ---------------------------------------------------------------- checks */

static fhec_status check_levels(const struct fh_cli *cli, const fh_golden_ckks_boot_params *params,
                                uint64_t limbs) {
    const size_t taken = fh_cli_boot_levels(params);
    if (limbs % params->per_level)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "%llu limbs: a level has %zu, so there must be an "
                            "even number of them",
                            (ull)limbs, params->per_level);
    if (limbs / params->per_level < taken)
        return fh_cli_error(
            cli, FHEC_BAD_INPUT,
            "too few levels: %llu limbs are %llu of %zu, and a bootstrap takes "
            "%zu: 1 for the base, %zu + %zu for the linear maps, %zu for the series "
            "of degree %zu, %u for double angles",
            (ull)limbs, (ull)limbs / params->per_level, params->per_level, taken, params->maps_cts,
            params->maps_stc, fh_golden_chebyshev_depth(params->degree), params->degree,
            params->double_angles);
    if (limbs > FH_GOLDEN_MAX_LIMBS)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "%llu limbs; a chain has at most %d", (ull)limbs,
                            (int)FH_GOLDEN_MAX_LIMBS);
    if (params->maps_cts > params->log2_n - 1 || params->maps_stc > params->log2_n - 1)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "%zu and %zu linear maps: N = 2^%u has %u stages, so at most so many "
                            "maps each way",
                            params->maps_cts, params->maps_stc, params->log2_n, params->log2_n - 1);
    return FHEC_OK;
}

static fhec_status check_digits(const struct fh_cli *cli, const fh_golden_ckks_boot_params *params,
                                uint64_t limbs) {
    const size_t digit = fh_golden_ckks_digit(limbs, params->dnum);
    struct fh_error no_digits;
    if (!digit)
        return fh_cli_error(cli, fh_no_digits(&no_digits, limbs, params->dnum), "%s",
                            no_digits.text);
    if (params->alpha < digit || params->alpha > FH_GOLDEN_MAX_LIMBS)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "alpha is %zu; it must be at least the %zu limbs of a digit (limbs / "
                            "dnum) and at most %d",
                            params->alpha, digit, (int)FH_GOLDEN_MAX_LIMBS);
    if (params->alpha < params->per_level)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "alpha is %zu; the switch to the sparse secret takes %zu extension "
                            "primes",
                            params->alpha, params->per_level);
    return FHEC_OK;
}

static fhec_status check_scale(const struct fh_cli *cli, const fh_golden_ckks_boot_params *params) {
    enum { LEAST_BITS = 30, MESSAGE_BITS = 16 };
    const unsigned base = params->base_bits * (unsigned)params->per_level;
    if (params->scale_bits % params->per_level)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "a scale of 2^%u: with two primes a level the number of bits is even",
                            params->scale_bits);
    if (params->scale_bits < LEAST_BITS || params->scale_bits > base ||
        params->scale_bits / params->per_level > 60)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "a scale of 2^%u: it must be at least 2^%d, at most the base modulus, "
                            "2^%u, and 2^60 a prime",
                            params->scale_bits, LEAST_BITS, base);
    if (params->correction + MESSAGE_BITS > base)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "a correction of %u bits leaves the message no room in a base of %u "
                            "bits; at most %u do",
                            params->correction, base, base - MESSAGE_BITS);
    return FHEC_OK;
}

static fhec_status check_secret(const struct fh_cli *cli,
                                const fh_golden_ckks_boot_params *params) {
    enum { LEAST = -20 }; /* bits of the probability that a bootstrap goes wrong */
    const size_t n = (size_t)1 << params->log2_n, weight = raised_weight(params);
    if (params->weight > n || params->secret_weight > n)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "a secret of weight %zu; there are %zu coefficients",
                            params->weight > n ? params->weight : params->secret_weight, n);
    const double overflow = fh_cli_boot_overflow(params->log2_n, weight, params->range);
    unsigned range = params->range;
    while (fh_cli_boot_overflow(params->log2_n, weight, range) > LEAST)
        range++;
    if (overflow > LEAST)
        return fh_cli_error(
            cli, FHEC_BAD_INPUT,
            "after ModRaise under a secret of weight %zu coefficients leave the "
            "range of %u Q0 with probability 2^%.0f a bootstrap; --range %u makes it "
            "less than 2^%d",
            weight, params->range, fmin(overflow, 0), range, LEAST);
    return FHEC_OK;
}

/* What the sine leaves right of a message near 1, which is 2^-correction there: its errors in the N
 * coefficients add up in a slot as independent ones do, and the largest is some four times that. */
static fhec_status check_series(const struct fh_cli *cli,
                                const fh_golden_ckks_boot_params *params) {
    enum { LEAST_BITS = 10, PEAK = 2 };
    const double turn = 8 * atan(1.0), error = fh_cli_boot_sine_error(params);
    const double bits = log2(turn) - error - params->correction - (params->log2_n - 1) / 2.0 - PEAK;
    if (bits < LEAST_BITS)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "a series of degree %zu and %u double angle%s approximate the sine for "
                            "K = %u to 2^%.1f, which leaves %.1f bits of a message with a "
                            "correction of %u; take a higher degree or more double angles",
                            params->degree, params->double_angles,
                            params->double_angles == 1 ? "" : "s", params->range, error,
                            fmax(bits, 0), params->correction);
    return FHEC_OK;
}

/* Bits of the product of so many primes. */
static double product_bits(const uint64_t *primes, size_t count) {
    double bits = 0;
    for (size_t i = 0; i < count; i++)
        bits += log2((double)primes[i]);
    return bits;
}

static fhec_status check_primes(const struct fh_cli *cli, const fh_golden_ckks_boot_params *params,
                                uint64_t limbs) {
    enum { SLACK = 4 }; /* bits that key switching may lose */
    uint64_t moduli[FH_GOLDEN_CKKS_MAX_CHAIN];
    const fh_golden_status status = fh_golden_ckks_boot_moduli(params, moduli);
    const unsigned centre = params->scale_bits / (unsigned)params->per_level;
    if (status == FH_GOLDEN_ERR_TOO_FEW_PRIMES)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "there are too few primes = 1 modulo 2N = %llu: %llu limbs and %zu of "
                            "the extension, near 2^%u and below 2^%u and 2^%u",
                            (ull)2 << params->log2_n, (ull)limbs, params->alpha, centre,
                            params->base_bits, params->extension_bits);
    if (status != FH_GOLDEN_OK)
        return fh_cli_error(cli,
                            status == FH_GOLDEN_ERR_NO_MEMORY ? FHEC_HOST_ERROR : FHEC_BAD_INPUT,
                            "the chain of primes: %s", fh_golden_status_text(status));
    const size_t digit = fh_golden_ckks_digit(limbs, params->dnum);
    const double extension = product_bits(moduli + limbs, params->alpha);
    for (size_t d = 0; d < params->dnum; d++) {
        const size_t rest = limbs - d * digit;
        const double bits = product_bits(moduli + d * digit, rest < digit ? rest : digit);
        if (bits > extension + SLACK)
            return fh_cli_error(cli, FHEC_BAD_INPUT,
                                "digit %zu has %.0f bits, the extension %.0f: key switching would "
                                "lose the difference; take more or larger extension primes, or "
                                "more digits",
                                d, bits, extension);
    }
    return FHEC_OK;
}

fhec_status fh_cli_boot_check(const struct fh_cli *cli, const fh_golden_ckks_boot_params *params,
                              uint64_t limbs) {
    fhec_status status = check_levels(cli, params, limbs);
    if (status == FHEC_OK)
        status = check_digits(cli, params, limbs);
    if (status == FHEC_OK)
        status = check_scale(cli, params);
    if (status == FHEC_OK)
        status = check_secret(cli, params);
    if (status == FHEC_OK)
        status = check_series(cli, params);
    return status == FHEC_OK ? check_primes(cli, params, limbs) : status;
}
