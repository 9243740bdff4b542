/*
 * lane.c - the values of the modular and Montgomery lane instructions.
 */
#include "golden.h"

typedef fh_golden_u128 u128;

fh_golden_status fh_golden_modred(uint64_t a, uint64_t q, uint64_t *d) {
    if (q == 0) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    *d = a % q;
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_modadd(uint64_t a, uint64_t b, uint64_t q, uint64_t *d) {
    if (q == 0) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    *d = (uint64_t)(((u128)a + b) % q);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_modsub(uint64_t a, uint64_t b, uint64_t q, uint64_t *d) {
    if (q == 0) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    *d = (uint64_t)(((u128)(a % q) + q - b % q) % q);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_modmul(uint64_t a, uint64_t b, uint64_t q, uint64_t *d) {
    if (q == 0) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    *d = (uint64_t)((u128)a * b % q);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_modmad(uint64_t a, uint64_t b, uint64_t c, uint64_t q, uint64_t *d) {
    if (q == 0) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    *d = (uint64_t)(((u128)a * b + c) % q);
    return FH_GOLDEN_OK;
}

uint64_t fh_golden_wmac_lo(uint64_t a, uint64_t b, uint64_t c) {
    return (uint64_t)((u128)a * b + c);
}

uint64_t fh_golden_wmac_hi(uint64_t a, uint64_t b, uint64_t c) {
    return (uint64_t)(((u128)a * b + c) >> 64);
}

static uint64_t low_bits(unsigned bits) {
    return bits == 32 ? UINT32_MAX : UINT64_MAX;
}

/* The common last step: one conditional subtraction, then the low bits. */
static uint64_t finish(u128 p, uint64_t m, unsigned bits) {
    return (uint64_t)(p >= m ? p - m : p) & low_bits(bits);
}

uint64_t fh_golden_montmul(unsigned bits, uint64_t x, uint64_t y, uint64_t m) {
    unsigned count = bits == 32 ? 32 : 64;
    x &= low_bits(bits);
    y &= low_bits(bits);
    m &= low_bits(bits);
    /* S stays below Y + M < 2^65 after each step, so 128 bits are as good as no bound. */
    u128 s = 0;
    for (unsigned i = 0; i < count; i++) {
        s += (x >> i & 1) * (u128)y;
        s += (s & 1) * m;
        s >>= 1;
    }
    return finish(s, m, bits);
}

/* -m^-1 mod 2^bits for odd m, bit by bit: choose each bit of u so that m u + 1 ends in a zero. */
static uint64_t negated_inverse(uint64_t m, unsigned bits) {
    uint64_t u = 0;
    uint64_t rest = 1; /* m u + 1 modulo 2^64 */
    for (unsigned i = 0; i < bits; i++) {
        if ((rest >> i & 1) != 0) {
            u |= (uint64_t)1 << i;
            rest += m << i;
        }
    }
    return u;
}

fh_golden_status fh_golden_montmul_closed(unsigned bits, uint64_t x, uint64_t y, uint64_t m,
                                          uint64_t *d) {
    if (bits != 32 && bits != 64) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    if ((m & 1) == 0) {
        return FH_GOLDEN_ERR_EVEN_MODULUS;
    }
    x &= low_bits(bits);
    y &= low_bits(bits);
    m &= low_bits(bits);
    u128 t = (u128)x * y;
    uint64_t u = (uint64_t)(t * negated_inverse(m, bits)) & low_bits(bits);
    u128 multiple = (u128)u * m;
    /* The sum has up to 129 bits: add the high parts, and the carry of the low parts. Modulo 2^bits
     * the low parts add up to zero, so there is a carry unless both are zero. */
    uint64_t carry = ((uint64_t)t & low_bits(bits)) != 0 ? 1 : 0;
    *d = finish((t >> bits) + (multiple >> bits) + carry, m, bits);
    return FH_GOLDEN_OK;
}
