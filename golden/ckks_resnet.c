/*
 * ckks_resnet.c - a convolution block of ResNet: convolution, bias, ReLU, bootstrap.
 */
#include "ckks_apps.h"

#include <math.h>
#include <stdlib.h>

enum { TAPS = 9, SIDE = 3 };

typedef struct shape {
    const fh_golden_resnet *block;
    size_t height;
    size_t image; /* height x width: slots of a channel */
    size_t slots;
} shape;

/* Rows and columns from a pixel to the one that a tap reads: -1, 0, 1. */
static ptrdiff_t down(size_t tap) {
    return (ptrdiff_t)(tap / SIDE) - 1;
}

static ptrdiff_t right(size_t tap) {
    return (ptrdiff_t)(tap % SIDE) - 1;
}

/* slots of the vector that the image, rotated for this tap, is multiplied by on its way `distance`
 * channels down: at channel `in` the weights toward channel in - distance. */
static void make_weights(const shape *s, size_t distance, size_t tap, fh_golden_complex *slots) {
    size_t channels = s->block->channels;
    size_t width = s->block->width;
    for (size_t p = 0; p < s->slots; p++) {
        size_t in = p / s->image;
        size_t out = (in + channels - distance) % channels;
        ptrdiff_t y = (ptrdiff_t)(p % s->image / width) + down(tap);
        ptrdiff_t x = (ptrdiff_t)(p % width) + right(tap);
        bool inside = y >= 0 && y < (ptrdiff_t)s->height && x >= 0 && x < (ptrdiff_t)width;
        slots[p].re = inside ? s->block->weights[(out * channels + in) * TAPS + tap] : 0;
        slots[p].im = 0;
    }
}

/* The nine products of one distance and their sum. */
static size_t products(fh_golden_ckks_circuit *circuit, const shape *s, const size_t *turned,
                       size_t distance, fh_golden_complex *slots) {
    size_t level = fh_golden_ckks_circuit_level(circuit, turned[0]);
    long double scale = fh_golden_ckks_circuit_before_rescale(circuit, level, circuit->delta);
    size_t sum = 0;
    for (size_t tap = 0; tap < TAPS; tap++) {
        make_weights(s, distance, tap, slots);
        size_t vector = fh_golden_ckks_circuit_vector(circuit, slots);
        size_t term = fh_golden_ckks_circuit_ptmult(circuit, turned[tap], vector, scale);
        sum = tap == 0 ? term : fh_golden_ckks_circuit_add(circuit, level, sum, term);
    }
    return sum;
}

/* sum_k rot(products of distance k, k channels), by Horner's rule, so that one key does. */
static size_t convolve(fh_golden_ckks_circuit *circuit, const shape *s, size_t a,
                       fh_golden_complex *slots) {
    ptrdiff_t offsets[TAPS];
    size_t turned[TAPS];
    for (size_t tap = 0; tap < TAPS; tap++) {
        offsets[tap] = down(tap) * (ptrdiff_t)s->block->width + right(tap);
    }
    fh_golden_ckks_circuit_name(circuit, "convolution", 0);
    fh_golden_ckks_circuit_rotations(circuit, a, TAPS, offsets, turned);
    size_t level = fh_golden_ckks_circuit_level(circuit, a);
    size_t sum = products(circuit, s, turned, s->block->channels - 1, slots);
    for (size_t k = s->block->channels - 1; k-- > 0;) {
        sum = fh_golden_ckks_circuit_rotate(circuit, sum, (ptrdiff_t)s->image);
        sum =
            fh_golden_ckks_circuit_add(circuit, level, sum, products(circuit, s, turned, k, slots));
    }
    return fh_golden_ckks_circuit_rescale(circuit, sum);
}

static size_t add_bias(fh_golden_ckks_circuit *circuit, const shape *s, size_t a,
                       fh_golden_complex *slots) {
    for (size_t p = 0; p < s->slots; p++) {
        slots[p] = (fh_golden_complex){s->block->bias[p / s->image], 0};
    }
    fh_golden_ckks_circuit_name(circuit, "bias", 0);
    return fh_golden_ckks_circuit_ptadd(circuit, a, fh_golden_ckks_circuit_vector(circuit, slots));
}

static long double relu(const void *context, long double x) {
    (void)context;
    return x > 0 ? x : 0;
}

void fh_golden_resnet_relu(size_t degree, long double *coefficients) {
    fh_golden_chebyshev_coefficients(relu, NULL, degree, coefficients);
}

static size_t activate(fh_golden_ckks_circuit *circuit, const shape *s, size_t a) {
    long double coefficients[128];
    fh_golden_resnet_relu(s->block->degree, coefficients);
    fh_golden_ckks_circuit_name(circuit, "ReLU", 0);
    return fh_golden_ckks_circuit_chebyshev(circuit, a, s->block->degree, coefficients);
}

static bool power_of_two(size_t x) {
    return x != 0 && (x & (x - 1)) == 0;
}

static fh_golden_status make_shape(const fh_golden_ckks_boot_params *boot,
                                   const fh_golden_resnet *block, shape *s) {
    fh_golden_status status = fh_golden_ckks_boot_check(boot);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t slots = (size_t)1 << (boot->log2_n - 1);
    bool fits = power_of_two(block->channels) && power_of_two(block->width) && block->width >= 2 &&
                block->channels <= slots && block->width <= slots &&
                block->channels * block->width * 2 <= slots;
    if (!fits || block->degree < 1 || block->degree > 127) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    *s = (shape){block, slots / block->channels / block->width, slots / block->channels, slots};
    return boot->levels_left >= 2 + fh_golden_chebyshev_depth(block->degree) ? FH_GOLDEN_OK
                                                                             : FH_GOLDEN_ERR_LEVEL;
}

fh_golden_status fh_golden_resnet_circuit(const fh_golden_ckks_boot_params *boot,
                                          const uint64_t *moduli, const fh_golden_resnet *block,
                                          fh_golden_ckks_circuit **circuit) {
    shape s;
    *circuit = NULL;
    fh_golden_status status = make_shape(boot, block, &s);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    fh_golden_complex *slots = calloc(s.slots, sizeof *slots);
    fh_golden_ckks_circuit *made = NULL;
    status =
        slots == NULL ? FH_GOLDEN_ERR_NO_MEMORY : fh_golden_ckks_boot_host(boot, moduli, &made);
    if (status == FH_GOLDEN_OK) {
        size_t value = add_bias(made, &s, convolve(made, &s, 0, slots), slots);
        value = activate(made, &s, value);
        value = fh_golden_ckks_circuit_bootstrap(made, boot, value);
        status = fh_golden_ckks_circuit_finish(made, value);
    }
    free(slots);
    if (status != FH_GOLDEN_OK) {
        fh_golden_ckks_circuit_free(made);
        return status;
    }
    *circuit = made;
    return FH_GOLDEN_OK;
}

/* ---------------------------------------------------------------------------- in floating point */

/* One pixel of one channel. */
static double convolved(const fh_golden_resnet *block, size_t height, const double *image,
                        size_t out, size_t y, size_t x) {
    size_t width = block->width;
    double sum = 0;
    for (size_t in = 0; in < block->channels; in++) {
        const double *weights = block->weights + (out * block->channels + in) * TAPS;
        const double *channel = image + in * height * width;
        for (size_t row = y == 0 ? 1 : 0; row < SIDE && y + row < height + 1; row++) {
            for (size_t column = x == 0 ? 1 : 0; column < SIDE && x + column < width + 1;
                 column++) {
                sum +=
                    weights[SIDE * row + column] * channel[(y + row - 1) * width + x + column - 1];
            }
        }
    }
    return sum;
}

void fh_golden_resnet_plain(const fh_golden_resnet *block, size_t height, const double *image,
                            double *out) {
    for (size_t channel = 0; channel < block->channels; channel++) {
        for (size_t y = 0; y < height; y++) {
            for (size_t x = 0; x < block->width; x++) {
                *out++ = convolved(block, height, image, channel, y, x) + block->bias[channel];
            }
        }
    }
}

double fh_golden_chebyshev_plain(size_t degree, const long double *coefficients, double x) {
    double b1 = 0; /* Clenshaw's recurrence */
    double b2 = 0;
    for (size_t j = degree; j >= 1; j--) {
        double b = (double)coefficients[j] + 2 * x * b1 - b2;
        b2 = b1;
        b1 = b;
    }
    return (double)coefficients[0] + x * b1 - b2;
}
