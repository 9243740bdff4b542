// A program with an NTT as one writes it for a GPU: butterflies, 2048 of them in each of 12 steps.
// It transforms 8 polynomials of 4096 coefficients and compares with the definition.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned points = 4096, steps = 12, polynomials = 8;
constexpr uint32_t q = 1073692673; // 2^30 - 49151, a prime, 1 modulo 8192

__device__ uint32_t times(uint32_t a, uint32_t b, uint32_t m) {
    return (uint32_t)((uint64_t)a * b % m);
}

// powers: psi^i for i < 8192. X[k] is the polynomial's value at psi^(2k + 1).
extern "C" __global__ void ntt(const uint32_t *in, uint32_t *out, const uint32_t *powers,
                               uint32_t m) {
    __shared__ uint32_t x[points];
    const unsigned base = blockIdx.x * points;
    for (unsigned i = threadIdx.x; i < points; i += blockDim.x)
        x[__brev(i) >> (32 - steps)] = times(in[base + i], powers[i], m);
    for (unsigned half = 1; half < points; half *= 2) {
        __syncthreads();
        for (unsigned i = threadIdx.x; i < points / 2; i += blockDim.x) {
            const unsigned k = i % half, at = 2 * (i - k) + k;
            const uint32_t a = x[at], b = times(x[at + half], powers[k * (points / half)], m);
            x[at] = a + b < m ? a + b : a + b - m;
            x[at + half] = a >= b ? a - b : a + m - b;
        }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < points; i += blockDim.x)
        out[base + i] = x[i];
}

static uint32_t power(uint64_t x, unsigned e) {
    uint64_t r = 1;
    for (; e; e /= 2, x = x * x % q)
        if (e & 1)
            r = r * x % q;
    return (uint32_t)r;
}

// A primitive root of order 2 * points.
static uint32_t find_psi() {
    for (uint32_t g = 2;; g++) {
        const uint32_t psi = power(g, (q - 1) / (2 * points));
        if (power(psi, points) == q - 1)
            return psi;
    }
}

static int wrong(const uint32_t *in, const uint32_t *got, const std::vector<uint32_t> &powers) {
    int count = 0;
    for (unsigned k = 0; k < points; k++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < points; i++)
            sum += (uint64_t)in[i] * powers[i * (2 * k + 1) % (2 * points)] % q;
        count += sum % q != got[k];
    }
    return count;
}

#define CHECK(call)                                                                                \
    if (cudaError_t e = (call)) {                                                                  \
        fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e));                                 \
        return 1;                                                                                  \
    }

int main() {
    const size_t bytes = polynomials * points * sizeof(uint32_t);
    std::vector<uint32_t> powers(2 * points, 1), in(polynomials * points), got(in.size());
    const uint32_t psi = find_psi();
    for (unsigned i = 1; i < powers.size(); i++)
        powers[i] = (uint32_t)((uint64_t)powers[i - 1] * psi % q);
    for (uint32_t &x : in)
        x = (uint32_t)rand() % q;
    uint32_t *from, *to, *table;
    CHECK(cudaMalloc(&from, bytes));
    CHECK(cudaMalloc(&to, bytes));
    CHECK(cudaMalloc(&table, powers.size() * sizeof powers[0]));
    CHECK(cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(table, powers.data(), powers.size() * sizeof powers[0],
                     cudaMemcpyHostToDevice));
    ntt<<<polynomials, 512>>>(from, to, table, q);
    CHECK(cudaMemcpy(got.data(), to, bytes, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (unsigned p = 0; p < polynomials; p++)
        bad += wrong(&in[p * points], &got[p * points], powers);
    printf("%u transforms of %u points: %d values are wrong\n", polynomials, points, bad);
    return bad != 0;
}
