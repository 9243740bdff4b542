/*
 * ckks_apps.h - two applications as circuits that bootstrap, and what they compute in plain
 * floating point: a step of training a logistic regression, and a convolution block of ResNet.
 *
 * Both are parts of what is published as whole workloads, reduced until one ciphertext holds all
 * data of a kind. The chain is that of a bootstrap (fh_golden_ckks_boot_params), with as many
 * levels left as the application takes. N / 2 slots.
 */
#ifndef FH_GOLDEN_CKKS_APPS_H
#define FH_GOLDEN_CKKS_APPS_H

#include "ckks_bootstrap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------- ckks_lr.c: logistic
 * regression
 *
 * Nesterov's gradient descent on encrypted samples (Kim, Song, Kim, Lee, Cheon, BMC Medical
 * Genomics 2018): weights w, and v, the weights moved on by the momentum. One iteration is
 *
 *     e_r = y_r - s(<x_r, v>), s(t) = 0.5 + 0.15 t - 0.0015 t^3 for a sigmoid, |t| <= 8
 *     w' = v + rate sum_r e_r x_r
 *     v' = w' + momentum (w' - w)
 *
 * Sample r, column c is slot columns r + c; labels stand in all columns of their sample, w and v in
 * all rows. Inputs, all of 1 + levels_left levels at the scale delta: x, y, w, v. An iteration
 * takes 6 levels and bootstraps w' and v'. Output: v; kept beside it: w.
 */
typedef struct fh_golden_lr {
    size_t columns; /* features and the constant 1: a power of two, 2 .. N / 4 */
    double rate;    /* of learning, divided by the number of samples */
    double momentum;
    unsigned iterations; /* at least 1 */
} fh_golden_lr;

/* *circuit is the caller's and NULL after an error. Steps are named "row sums", "row copies",
 * "error", "column sums", "update", and with "weights" or "momentum" before them as those of a
 * bootstrap. boot->levels_left must be at least 6. Errors of the builders; ERR_ARGUMENT. */
fh_golden_status fh_golden_lr_circuit(const fh_golden_ckks_boot_params *boot,
                                      const uint64_t *moduli, const fh_golden_lr *lr,
                                      fh_golden_ckks_circuit **circuit);

/* The same in double: x [rows][columns], y [rows]; w and v [columns] become the new ones.
 * ERR_NO_MEMORY. */
fh_golden_status fh_golden_lr_plain(const fh_golden_lr *lr, size_t rows, const double *x,
                                    const double *y, double *w, double *v);

/* ---------------------------------------------------------------------- ckks_resnet.c: ResNet
 * block
 *
 * Convolution of 3 x 3 with padding, as many channels out as in, batch normalization folded into
 * weights and bias, ReLU by its Chebyshev interpolant on [-1, 1], bootstrap. Channel c, row y,
 * column x is slot (c height + y) width + x, height = N / 2 / channels / width. For each distance k
 * of channels the nine rotated images are multiplied by vectors of weights, 0 at the borders, and
 * summed; the sums meet by rotations of whole channels (Rovida and Leporati, IJIS 2024). 8 +
 * channels - 1 rotations, 9 channels products. Convolution: one level; ReLU: the series' depth.
 */
typedef struct fh_golden_resnet {
    size_t channels;       /* a power of two */
    size_t width;          /* a power of two; at least 2, height too */
    const double *weights; /* [out][in][3][3] */
    const double *bias;    /* [out] */
    size_t degree;         /* of the series: 1 .. 127 */
} fh_golden_resnet;

/* As above. Input: the image, of 1 + levels_left levels, scale delta. Steps are named
 * "convolution", "bias", "ReLU" and as those of a bootstrap. */
fh_golden_status fh_golden_resnet_circuit(const fh_golden_ckks_boot_params *boot,
                                          const uint64_t *moduli, const fh_golden_resnet *block,
                                          fh_golden_ckks_circuit **circuit);

/* coefficients[degree + 1] of max(x, 0)'s interpolant. */
void fh_golden_resnet_relu(size_t degree, long double *coefficients);

/* The convolution and bias in double, without ReLU: image and out [channels][height][width]. */
void fh_golden_resnet_plain(const fh_golden_resnet *block, size_t height, const double *image,
                            double *out);

/* sum c_j T_j(x) in double. */
double fh_golden_chebyshev_plain(size_t degree, const long double *coefficients, double x);

#ifdef __cplusplus
}
#endif

#endif
