/*
 * ckks_chebyshev.c - Chebyshev series of ciphertexts by Paterson and Stockmeyer's splitting, with
 * scales tracked exactly enough that every sum meets at one scale (Bossuat et al., Eurocrypt 2021;
 * the splitting in the Chebyshev basis is that of Chen, Chillotti and Song, Eurocrypt 2019).
 */
#include "ckks_circuit.h"

#include <math.h>
#include <string.h>

#include "ckks_circuit_internal.h"

enum { BABY = 8, MAX_DEGREE = 127, GIANTS = 4 /* T_8, T_16, T_32, T_64 */ };

void fh_golden_chebyshev_coefficients(fh_golden_real_function f, const void *context, size_t degree,
                                      long double *coefficients) {
    long double pi = 4 * atanl(1.0L);
    long double nodes = (long double)degree + 1;
    for (size_t j = 0; j <= degree; j++) {
        long double sum = 0;
        for (size_t k = 0; k <= degree; k++) {
            long double theta = pi * ((long double)k + 0.5L) / nodes;
            sum += f(context, cosl(theta)) * cosl((long double)j * theta);
        }
        coefficients[j] = (j == 0 ? 1 : 2) * sum / nodes;
    }
}

/* The giant step g at which a series of this degree is split: the largest 8 2^i <= degree. */
static size_t split_at(size_t degree) {
    size_t giant = BABY;
    while (2 * giant <= degree) {
        giant *= 2;
    }
    return giant;
}

/* Levels from T_1 to T_j for those j that are built: ceil(log2 j). */
static size_t power_depth(size_t j) {
    size_t depth = 0;
    while (((size_t)1 << depth) < j) {
        depth++;
    }
    return depth;
}

size_t fh_golden_chebyshev_depth(size_t degree) {
    if (degree < BABY) {
        return degree == 0 ? 0 : power_depth(degree) + 1;
    }
    size_t giant = split_at(degree);
    size_t quotient = fh_golden_chebyshev_depth(degree - giant);
    size_t factor = power_depth(giant);
    size_t product = (quotient > factor ? quotient : factor) + 1;
    size_t rest = fh_golden_chebyshev_depth(giant - 1);
    return product > rest ? product : rest;
}

/* The values of T_1 .. T_7 and of T_8, T_16, ...; 0 is no value of a circuit with T_2. */
typedef struct powers {
    size_t baby[BABY]; /* [0] unused */
    size_t giant[GIANTS];
} powers;

static size_t giant_value(const powers *t, size_t giant) {
    return t->giant[power_depth(giant) - power_depth(BABY)];
}

/* T_{i+j} = 2 T_i T_j - T_{i-j}; `difference` is the value of T_{i-j}, or NONE for T_0 = 1. */
static size_t next_power(fh_golden_ckks_circuit *circuit, size_t a, size_t b, size_t difference) {
    size_t level_a = fh_golden_ckks_circuit_level(circuit, a);
    size_t level_b = fh_golden_ckks_circuit_level(circuit, b);
    size_t level = level_a < level_b ? level_a : level_b;
    size_t product = fh_golden_ckks_circuit_hemult(circuit, level, a, b);
    product = fh_golden_ckks_circuit_add(circuit, level, product, product);
    if (difference == FH_GOLDEN_CKKS_NONE) {
        product = fh_golden_ckks_circuit_rescale(circuit, product);
        return fh_golden_ckks_circuit_add_constant(circuit, product, -1);
    }
    long double scale = fh_golden_ckks_circuit_scale(circuit, product);
    size_t less = fh_golden_ckks_circuit_to_scale(circuit, level, difference, scale, 1);
    return fh_golden_ckks_circuit_rescale(
        circuit, fh_golden_ckks_circuit_sub(circuit, level, product, less));
}

size_t fh_golden_ckks_circuit_double_angle(fh_golden_ckks_circuit *circuit, size_t a) {
    if (circuit->status == FH_GOLDEN_OK && a > circuit->step_count) {
        circuit->status = FH_GOLDEN_ERR_ARGUMENT;
    }
    return circuit->status == FH_GOLDEN_OK ? next_power(circuit, a, a, FH_GOLDEN_CKKS_NONE) : 0;
}

/* The powers that a series of this degree reads, and those that they are made of. */
static powers make_powers(fh_golden_ckks_circuit *circuit, size_t a, size_t degree) {
    const size_t none = FH_GOLDEN_CKKS_NONE;
    powers t = {.baby = {0, a}};
    if (degree >= 2) {
        t.baby[2] = next_power(circuit, a, a, none);
    }
    if (degree >= 3) {
        t.baby[3] = next_power(circuit, t.baby[2], a, a);
    }
    if (degree >= 4) {
        t.baby[4] = next_power(circuit, t.baby[2], t.baby[2], none);
    }
    for (size_t j = 5; j < BABY && j <= degree; j++) { /* T_j = 2 T_4 T_{j-4} - T_{8-j} */
        t.baby[j] = next_power(circuit, t.baby[4], t.baby[j - 4], t.baby[BABY - j]);
    }
    size_t last = t.baby[4];
    for (size_t i = 0; i < GIANTS && (size_t)BABY << i <= degree; i++) {
        last = t.giant[i] = next_power(circuit, last, last, none);
    }
    return t;
}

/* What eval needs at each depth of its recursion. */
typedef struct series {
    fh_golden_ckks_circuit *circuit;
    powers t;
} series;

/* Degree 1 .. 7: the sum of the T_j times their coefficients, a Rescale, and c_0. */
static size_t leaf(const series *s, size_t degree, const long double *c, size_t limbs,
                   long double scale) {
    fh_golden_ckks_circuit *circuit = s->circuit;
    size_t level = limbs + circuit->per_level;
    long double target = scale * fh_golden_ckks_dropped(circuit, limbs);
    size_t sum = fh_golden_ckks_circuit_to_scale(circuit, level, s->t.baby[1], target, c[1]);
    for (size_t j = 2; j <= degree; j++) {
        size_t term = fh_golden_ckks_circuit_to_scale(circuit, level, s->t.baby[j], target, c[j]);
        sum = fh_golden_ckks_circuit_add(circuit, level, sum, term);
    }
    return fh_golden_ckks_circuit_add_constant(circuit,
                                               fh_golden_ckks_circuit_rescale(circuit, sum), c[0]);
}

/* A value of this level and scale. With g = split_at(degree), from T_j T_g = (T_{g+j} + T_{g-j}) /
 * 2: sum c_j T_j = (c_g + sum_{j>=1} 2 c_{g+j} T_j) T_g + sum_{j<g} c_j T_j - sum c_{g+j} T_{g-j}
 */
static size_t evaluate(const series *s, size_t degree, const long double *c, size_t limbs,
                       long double scale) {
    if (degree < BABY) {
        return leaf(s, degree, c, limbs, scale);
    }
    fh_golden_ckks_circuit *circuit = s->circuit;
    size_t giant = split_at(degree);
    size_t power = giant_value(&s->t, giant);
    long double quotient[MAX_DEGREE + 1];
    long double rest[MAX_DEGREE + 1];
    memcpy(rest, c, giant * sizeof rest[0]);
    quotient[0] = c[giant];
    for (size_t j = 1; j <= degree - giant; j++) {
        quotient[j] = 2 * c[giant + j];
        rest[giant - j] -= c[giant + j];
    }
    size_t level = limbs + circuit->per_level;
    long double target = scale * fh_golden_ckks_dropped(circuit, limbs);
    size_t product;
    if (degree == giant) {
        product = fh_golden_ckks_circuit_to_scale(circuit, level, power, target, quotient[0]);
    } else {
        long double power_scale = fh_golden_ckks_circuit_scale(circuit, power);
        size_t value = evaluate(s, degree - giant, quotient, level, target / power_scale);
        product = fh_golden_ckks_circuit_hemult(circuit, level, value, power);
    }
    product = fh_golden_ckks_circuit_rescale(circuit, product);
    return fh_golden_ckks_circuit_add(circuit, limbs, product,
                                      evaluate(s, giant - 1, rest, limbs, scale));
}

size_t fh_golden_ckks_circuit_chebyshev(fh_golden_ckks_circuit *circuit, size_t a, size_t degree,
                                        const long double *coefficients) {
    if (circuit->status == FH_GOLDEN_OK &&
        (a > circuit->step_count || degree < 1 || degree > MAX_DEGREE)) {
        circuit->status = FH_GOLDEN_ERR_ARGUMENT;
    }
    if (circuit->status != FH_GOLDEN_OK) {
        return 0;
    }
    size_t used = circuit->per_level * fh_golden_chebyshev_depth(degree);
    size_t level = fh_golden_ckks_circuit_level(circuit, a);
    if (level <= used) {
        circuit->status = FH_GOLDEN_ERR_LEVEL;
        return 0;
    }
    const series s = {circuit, make_powers(circuit, a, degree)};
    return evaluate(&s, degree, coefficients, level - used, circuit->delta);
}
