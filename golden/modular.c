/*
 * modular.c - number theory for transform moduli, all of it `%` on 128-bit products.
 */
#include "golden.h"
#include "wide_rest.h"

typedef fh_golden_u128 u128;

const char *fh_golden_status_text(fh_golden_status status) {
    switch (status) {
    case FH_GOLDEN_OK: return "no error";
    case FH_GOLDEN_ERR_SIZE: return "the transform size is not a power of two from 2 to 2^24";
    case FH_GOLDEN_ERR_MODULUS: return "the modulus is below 2 or has too many bits";
    case FH_GOLDEN_ERR_NOT_PRIME: return "the modulus is not prime";
    case FH_GOLDEN_ERR_CONGRUENCE:
        return "the modulus is not 1 modulo 2N, so it has no primitive 2N-th root of unity";
    case FH_GOLDEN_ERR_ROOT: return "psi is not a primitive 2N-th root of unity modulo q";
    case FH_GOLDEN_ERR_NOT_INVERTIBLE:
        return "the number shares a factor with the modulus and has no inverse";
    case FH_GOLDEN_ERR_TOO_FEW_PRIMES:
        return "there are not that many primes of the form 1 modulo 2N in the range";
    case FH_GOLDEN_ERR_LIMBS: return "the number of limbs is zero or above 64";
    case FH_GOLDEN_ERR_EVEN_MODULUS: return "a modulus that must be odd is even";
    case FH_GOLDEN_ERR_REPEATED: return "a modulus appears twice";
    case FH_GOLDEN_ERR_NOT_COPRIME: return "two source moduli share a factor";
    case FH_GOLDEN_ERR_MISMATCH: return "the checked values are wrong";
    case FH_GOLDEN_ERR_ARGUMENT: return "an argument is out of range";
    case FH_GOLDEN_ERR_NO_MEMORY: return "out of memory";
    case FH_GOLDEN_ERR_DIGITS:
        return "the number of digits is zero or leaves a digit without a limb, or there is no such "
               "digit";
    case FH_GOLDEN_ERR_EXTENSION:
        return "the number of extension limbs is zero, below the limbs of a digit, or too large";
    case FH_GOLDEN_ERR_LEVEL:
        return "the level is zero, above the number of limbs, or has no limb left to drop";
    case FH_GOLDEN_ERR_SCALE:
        return "the scale is unusable or the message at this scale does not fit the modulus";
    case FH_GOLDEN_STATUS_COUNT: break;
    }
    return "unknown status";
}

uint64_t fh_golden_mulmod(uint64_t a, uint64_t b, uint64_t q) {
    return fh_golden_rest((u128)a * b, q);
}

uint64_t fh_golden_powmod(uint64_t base, uint64_t exponent, uint64_t q) {
    uint64_t result = 1 % q;
    uint64_t square = base % q;
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) {
            result = fh_golden_mulmod(result, square, q);
        }
        square = fh_golden_mulmod(square, square, q);
    }
    return result;
}

uint64_t fh_golden_gcd(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

fh_golden_status fh_golden_invmod(uint64_t a, uint64_t q, uint64_t *inverse) {
    if (q < 2) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    /* Invariants: r0 = x0 * a and r1 = x1 * a modulo q. The coefficients are kept reduced modulo
     * q, which avoids signs. */
    uint64_t r0 = q;
    uint64_t r1 = a % q;
    uint64_t x0 = 0;
    uint64_t x1 = 1;
    while (r1 != 0) {
        uint64_t quotient = r0 / r1;
        uint64_t r2 = r0 % r1;
        uint64_t product = fh_golden_mulmod(quotient, x1, q);
        uint64_t x2 = fh_golden_rest((u128)x0 + q - product, q);
        r0 = r1;
        r1 = r2;
        x0 = x1;
        x1 = x2;
    }
    if (r0 != 1) {
        return FH_GOLDEN_ERR_NOT_INVERTIBLE;
    }
    *inverse = x0;
    return FH_GOLDEN_OK;
}

/* One Miller-Rabin round: true when n = odd * 2^twos + 1 passes for this base. */
static bool passes_base(uint64_t n, uint64_t base, uint64_t odd, unsigned twos) {
    uint64_t x = fh_golden_powmod(base, odd, n);
    if (x == 1 || x == n - 1) {
        return true;
    }
    for (unsigned i = 1; i < twos; i++) {
        x = fh_golden_mulmod(x, x, n);
        if (x == n - 1) {
            return true;
        }
    }
    return false;
}

bool fh_golden_is_prime(uint64_t n) {
    /* These bases prove primality below 3.3 * 10^24 (Sorenson and Webster, 2015). */
    static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    const size_t base_count = sizeof bases / sizeof bases[0];
    if (n < 2) {
        return false;
    }
    for (size_t i = 0; i < base_count; i++) {
        if (n % bases[i] == 0) {
            return n == bases[i];
        }
    }
    uint64_t odd = n - 1;
    unsigned twos = 0;
    while ((odd & 1) == 0) {
        odd >>= 1;
        twos++;
    }
    for (size_t i = 0; i < base_count; i++) {
        if (!passes_base(n, bases[i], odd, twos)) {
            return false;
        }
    }
    return true;
}

/* All 64 bits reversed by exchanging neighbours, then pairs, then halves of bytes, then bytes;
 * those that were the low ones are the high ones then. */
uint64_t fh_golden_bitrev(uint64_t value, unsigned bits) {
    static const uint64_t ones = 0x5555555555555555, pairs = 0x3333333333333333,
                          halves = 0x0f0f0f0f0f0f0f0f;
    value = (value >> 1 & ones) | (value & ones) << 1;
    value = (value >> 2 & pairs) | (value & pairs) << 2;
    value = (value >> 4 & halves) | (value & halves) << 4;
    return bits == 0 ? 0 : __builtin_bswap64(value) >> (64 - bits);
}

fh_golden_status fh_golden_log2(size_t n, unsigned *log2_n) {
    if (n < 2 || n > FH_GOLDEN_MAX_SIZE || (n & (n - 1)) != 0) {
        return FH_GOLDEN_ERR_SIZE;
    }
    unsigned bits = 0;
    while (((size_t)1 << bits) < n) {
        bits++;
    }
    *log2_n = bits;
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_prime_chain(size_t n, unsigned bits, size_t count, uint64_t *primes) {
    unsigned log2_n;
    fh_golden_status status = fh_golden_log2(n, &log2_n);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    if (bits < 2 || bits > FH_GOLDEN_MAX_MODULUS_BITS) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    uint64_t step = (uint64_t)2 * n;
    /* Candidates are k * 2N + 1 <= 2^bits - 1, from the top. */
    uint64_t k = (((uint64_t)1 << bits) - 2) / step;
    size_t found = 0;
    for (; found < count && k >= 1; k--) {
        if (fh_golden_is_prime(k * step + 1)) {
            primes[found++] = k * step + 1;
        }
    }
    return found == count ? FH_GOLDEN_OK : FH_GOLDEN_ERR_TOO_FEW_PRIMES;
}

fh_golden_status fh_golden_check_modulus(size_t n, uint64_t q) {
    unsigned log2_n;
    fh_golden_status status = fh_golden_log2(n, &log2_n);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    if (q < 2 || q >> FH_GOLDEN_MAX_MODULUS_BITS != 0) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    if (!fh_golden_is_prime(q)) {
        return FH_GOLDEN_ERR_NOT_PRIME;
    }
    return q % ((uint64_t)2 * n) == 1 ? FH_GOLDEN_OK : FH_GOLDEN_ERR_CONGRUENCE;
}

fh_golden_status fh_golden_check_root(size_t n, uint64_t q, uint64_t psi) {
    fh_golden_status status = fh_golden_check_modulus(n, q);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    /* 2N is a power of two, so psi^N = -1 says that no smaller power is 1. */
    if (psi >= q || fh_golden_powmod(psi, n, q) != q - 1) {
        return FH_GOLDEN_ERR_ROOT;
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_smallest_root(size_t n, uint64_t q, uint64_t *psi) {
    fh_golden_status status = fh_golden_check_modulus(n, q);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    /* x^((q-1)/2N) is a primitive 2N-th root exactly when x is no square: every second x. */
    uint64_t cofactor = (q - 1) / ((uint64_t)2 * n);
    uint64_t root = 0;
    for (uint64_t x = 2; root == 0; x++) {
        uint64_t candidate = fh_golden_powmod(x, cofactor, q);
        if (fh_golden_powmod(candidate, n, q) == q - 1) {
            root = candidate;
        }
    }
    /* The primitive 2N-th roots are the odd powers of any one of them. */
    uint64_t square = fh_golden_mulmod(root, root, q);
    uint64_t smallest = root;
    uint64_t power = root;
    for (size_t i = 1; i < n; i++) {
        power = fh_golden_mulmod(power, square, q);
        if (power < smallest) {
            smallest = power;
        }
    }
    *psi = smallest;
    return FH_GOLDEN_OK;
}
