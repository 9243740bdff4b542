// Negacyclic transforms of 4096 points modulo a prime q below 2^31, one for each block of 512
// threads, as products of 16x16 matrices: 4096 = 16 * 16 * 16.
#include "fhec.cuh"

namespace {

constexpr unsigned points = 4096;

// psi^exponent; psi has order 2 * points.
__device__ uint32_t power_of(const uint32_t *powers, unsigned exponent) {
    return powers[exponent % (2 * points)];
}

// Element (i, k) of the transform of 16 points: psi^(2 * 256 * i * k).
__device__ void transform_of_16(fhec::fragment<fhec::matrix_a> &f, const uint32_t *powers) {
    for (int e = 0; e < f.num_elements; e++)
        f.x[e] = power_of(powers, 512 * f.row(e) * f.column(e));
}

// One tile of a pass: 16 transforms of 16 points, those of the columns of 16 rows, `stride` apart;
// then element (k, c) times psi^(step * k * (first + c)).
__device__ void pass(uint32_t *tile, unsigned stride, unsigned step, unsigned first,
                     const fhec::fragment<fhec::matrix_a> &f, const uint32_t *powers,
                     const fhec::modulus &m) {
    fhec::fragment<fhec::matrix_b> x;
    fhec::fragment<fhec::accumulator> y;
    fhec::load_matrix_sync(x, tile, stride);
    fhec::fill_fragment(y, 0);
    fhec::mma_sync(y, f, x, y, m);
    for (int e = 0; e < y.num_elements; e++)
        y.x[e] = fhec::modmul(
            y.x[e], power_of(powers, step * y.row(e) * (first + y.column(e))), m.q);
    fhec::store_matrix_sync(tile, y, stride);
}

} // namespace

// powers: psi^i for i < 8192. in and out: 4096 residues for each block; X[k] is the polynomial's
// value at psi^(2k + 1).
extern "C" __global__ void ntt_fhec(const uint32_t *in, uint32_t *out, const uint32_t *powers,
                                    uint32_t q) {
    __shared__ uint32_t x[points];
    const unsigned warp = threadIdx.x / 32, base = blockIdx.x * points;
    const fhec::modulus m = fhec::make_modulus(q);
    fhec::fragment<fhec::matrix_a> f;
    transform_of_16(f, powers);
    for (unsigned i = threadIdx.x; i < points; i += blockDim.x)
        x[i] = fhec::modmul(in[base + i], powers[i], q); // which makes the rest cyclic
    __syncthreads();

    pass(x + 16 * warp, 256, 2, 16 * warp, f, powers, m); // 16 columns of 16 x 256
    __syncthreads();
    uint32_t *const row = x + 256 * warp;
    pass(row, 16, 32, 0, f, powers, m); // this row as 16 x 16
    __syncwarp();

    fhec::fragment<fhec::matrix_b> last; // its transpose: no factors are left
    fhec::fragment<fhec::accumulator> y;
    fhec::load_matrix_sync<fhec::col_major>(last, row, 16);
    fhec::fill_fragment(y, 0);
    fhec::mma_sync(y, f, last, y, m);
    for (int e = 0; e < y.num_elements; e++)
        out[base + warp + 16 * y.column(e) + 256 * y.row(e)] = y.x[e];
}
