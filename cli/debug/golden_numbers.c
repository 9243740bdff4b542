/*
 * golden_numbers.c - golden.NAME(...) of single numbers, of elements and of words.
 */
#include <stdlib.h>

#include "golden_call.h"

static bool set_number(struct fh_cli_golden_call *call, uint64_t number) {
    *call->result = (struct fh_query_value){.bits = 64, .lanes = UINT32_MAX, .values = {number}};
    return true;
}

/* ---------------------------------------------------------------- single numbers */

static bool powmod(struct fh_cli_golden_call *call) {
    const uint64_t *n = call->numbers;
    if (!n[2])
        return fh_cli_golden_wrong(call, "the modulus is 0");
    return set_number(call, fh_golden_powmod(n[0], n[1], n[2]));
}

static bool mulmod(struct fh_cli_golden_call *call) {
    const uint64_t *n = call->numbers;
    if (!n[2])
        return fh_cli_golden_wrong(call, "the modulus is 0");
    return set_number(call, fh_golden_mulmod(n[0], n[1], n[2]));
}

static bool inverse(struct fh_cli_golden_call *call) {
    uint64_t value;
    return fh_cli_golden_status(call,
                                fh_golden_invmod(call->numbers[0], call->numbers[1], &value)) &&
           set_number(call, value);
}

/* The remainder that is nearest to 0, from -(q - 1) / 2 to q / 2. */
static bool centred(struct fh_cli_golden_call *call) {
    const uint64_t q = call->numbers[1];
    if (!q || q >> 63)
        return fh_cli_golden_wrong(call, "the modulus is not from 1 to 2^63 - 1");
    const uint64_t rest = call->numbers[0] % q;
    (void)set_number(call, rest > q / 2 ? rest - q : rest);
    call->result->is_signed = true;
    return true;
}

static bool bitrev(struct fh_cli_golden_call *call) {
    if (call->numbers[1] > 64)
        return fh_cli_golden_wrong(call, "a number has at most 64 bits");
    return set_number(call, fh_golden_bitrev(call->numbers[0], (unsigned)call->numbers[1]));
}

static bool gcd(struct fh_cli_golden_call *call) {
    return set_number(call, fh_golden_gcd(call->numbers[0], call->numbers[1]));
}

static bool is_prime(struct fh_cli_golden_call *call) {
    return set_number(call, fh_golden_is_prime(call->numbers[0]));
}

static bool root(struct fh_cli_golden_call *call) {
    uint64_t psi;
    return fh_cli_golden_status(
               call, fh_golden_smallest_root((size_t)call->numbers[0], call->numbers[1], &psi)) &&
           set_number(call, psi);
}

static bool galois(struct fh_cli_golden_call *call) {
    uint64_t g;
    return fh_cli_golden_status(
               call, fh_golden_galois_element((size_t)call->numbers[0], call->numbers[1], &g)) &&
           set_number(call, g);
}

static bool barrett_mu(struct fh_cli_golden_call *call) {
    if (call->numbers[0] < 2 || call->numbers[0] >> 32)
        return fh_cli_golden_wrong(call, "the modulus has 32 bits and is at least 2");
    return set_number(call, fh_golden_barrett_mu((uint32_t)call->numbers[0]));
}

static bool montmul(struct fh_cli_golden_call *call) {
    const uint64_t *n = call->numbers;
    if (n[3] != 32 && n[3] != 64)
        return fh_cli_golden_wrong(call, "a Montgomery product is of 32 or 64 bits");
    return set_number(call, fh_golden_montmul((unsigned)n[3], n[0], n[1], n[2]));
}

static bool wmac_lo(struct fh_cli_golden_call *call) {
    const uint64_t *n = call->numbers;
    return set_number(call, fh_golden_wmac_lo(n[0], n[1], n[2]));
}

static bool wmac_hi(struct fh_cli_golden_call *call) {
    const uint64_t *n = call->numbers;
    return set_number(call, fh_golden_wmac_hi(n[0], n[1], n[2]));
}

/* ---------------------------------------------------------------- element by element */

enum { ADD, SUB, MUL, MAC };

/* The elements of operand `index`; a number as often as is needed. NULL: said. */
static const uint64_t *operand(struct fh_cli_golden_call *call, size_t index, size_t count) {
    if (call->arguments[index].is_array && call->lengths[index] != count) {
        (void)fh_cli_golden_wrong(call, "the arrays are not of one length");
        return NULL;
    }
    if (call->arrays[index])
        return call->arrays[index];
    call->arrays[index] = calloc(count, sizeof **call->arrays);
    if (!call->arrays[index])
        (void)fh_cli_golden_wrong(call, "there is no host memory");
    for (size_t i = 0; call->arrays[index] && i < count; i++)
        call->arrays[index][i] = call->numbers[index];
    return call->arrays[index];
}

static bool elements(struct fh_cli_golden_call *call, int what) {
    const size_t moduli = call->count - 1, limbs = call->lengths[moduli];
    const size_t n = fh_cli_golden_columns(call, 0, limbs);
    const uint64_t *a = call->arrays[0], *b = n ? operand(call, 1, n * limbs) : NULL;
    const uint64_t *c = b && what == MAC ? operand(call, 2, n * limbs) : a;
    uint64_t *out = b && c ? fh_cli_golden_result(call, limbs, n) : NULL;
    fh_golden_status status = FH_GOLDEN_OK;
    for (size_t i = 0; out && i < limbs && status == FH_GOLDEN_OK; i++) {
        const uint64_t q = call->arrays[moduli][i];
        const size_t at = i * n;
        status = what == ADD   ? fh_golden_add(n, q, a + at, b + at, out + at)
                 : what == SUB ? fh_golden_sub(n, q, a + at, b + at, out + at)
                 : what == MUL ? fh_golden_mul(n, q, a + at, b + at, out + at)
                               : fh_golden_mac(n, q, a + at, b + at, c + at, out + at);
    }
    return out && fh_cli_golden_status(call, status);
}

static bool add(struct fh_cli_golden_call *call) {
    return elements(call, ADD);
}
static bool sub(struct fh_cli_golden_call *call) {
    return elements(call, SUB);
}
static bool mul(struct fh_cli_golden_call *call) {
    return elements(call, MUL);
}
static bool mac(struct fh_cli_golden_call *call) {
    return elements(call, MAC);
}

static bool powers(struct fh_cli_golden_call *call) {
    const uint64_t *n = call->numbers;
    if (!n[2] || n[1] > FH_QUERY_ELEMENTS)
        return fh_cli_golden_wrong(call, "the modulus is 0, or the powers are more than 2^24");
    uint64_t *out = fh_cli_golden_result(call, 1, (size_t)n[1]);
    for (uint64_t i = 0; out && i < n[1]; i++)
        out[i] = i ? fh_golden_mulmod(out[i - 1], n[0], n[2]) : 1 % n[2];
    return out != NULL;
}

static bool primes(struct fh_cli_golden_call *call) {
    const uint64_t *n = call->numbers;
    if (n[2] > 4096 || n[1] > 64)
        return fh_cli_golden_wrong(call, "primes have up to 61 bits, and there are up to 4096");
    uint64_t *out = fh_cli_golden_result(call, 1, (size_t)n[2]);
    return out && fh_cli_golden_status(
                      call, fh_golden_prime_chain((size_t)n[0], (unsigned)n[1], (size_t)n[2], out));
}

static bool random_residues(struct fh_cli_golden_call *call) {
    const size_t limbs = call->lengths[1], n = (size_t)call->numbers[2];
    uint64_t *out = fh_cli_golden_result(call, limbs, n);
    return out &&
           fh_cli_golden_status(call, fh_golden_generate_limbs(FH_GOLDEN_RANDOM, call->numbers[0],
                                                               limbs, call->arrays[1], n, out));
}

/* ---------------------------------------------------------------- multi-word integers */

/* Words of an array; NULL: one has more than 32 bits, or there are too many. */
static bool words(struct fh_cli_golden_call *call, size_t index,
                  uint32_t to[2 * FH_GOLDEN_MAX_WORDS]) {
    if (call->lengths[index] > 2 * FH_GOLDEN_MAX_WORDS)
        return fh_cli_golden_wrong(call, "an integer has more than 256 words");
    for (size_t i = 0; i < call->lengths[index]; i++) {
        if (call->arrays[index][i] >> 32)
            return fh_cli_golden_wrong(call, "integers are arrays of words of 32 bits");
        to[i] = (uint32_t)call->arrays[index][i];
    }
    return true;
}

static bool set_words(struct fh_cli_golden_call *call, const uint32_t *from, size_t count) {
    uint64_t *out = fh_cli_golden_result(call, 1, count);
    for (size_t i = 0; out && i < count; i++)
        out[i] = from[i];
    if (out)
        call->result->array.type = FH_QUERY_U32;
    return out != NULL;
}

static bool big_mul(struct fh_cli_golden_call *call) {
    uint32_t a[2 * FH_GOLDEN_MAX_WORDS], b[2 * FH_GOLDEN_MAX_WORDS], out[4 * FH_GOLDEN_MAX_WORDS];
    const size_t na = call->lengths[0], nb = call->lengths[1];
    return words(call, 0, a) && words(call, 1, b) &&
           fh_cli_golden_status(call, fh_golden_big_mul(na, a, nb, b, out)) &&
           set_words(call, out, na + nb);
}

static bool big_mod(struct fh_cli_golden_call *call) {
    uint32_t a[2 * FH_GOLDEN_MAX_WORDS], m[2 * FH_GOLDEN_MAX_WORDS], out[2 * FH_GOLDEN_MAX_WORDS];
    const size_t nm = call->lengths[1];
    return words(call, 0, a) && words(call, 1, m) &&
           fh_cli_golden_status(call, fh_golden_big_mod(call->lengths[0], a, nm, m, out)) &&
           set_words(call, out, nm);
}

static bool big_montgomery(struct fh_cli_golden_call *call) {
    uint32_t a[2 * FH_GOLDEN_MAX_WORDS], b[2 * FH_GOLDEN_MAX_WORDS], m[2 * FH_GOLDEN_MAX_WORDS],
        out[2 * FH_GOLDEN_MAX_WORDS];
    const size_t n = call->lengths[2];
    if (call->lengths[0] != n || call->lengths[1] != n)
        return fh_cli_golden_wrong(call, "both factors have as many words as the modulus");
    return words(call, 0, a) && words(call, 1, b) && words(call, 2, m) &&
           fh_cli_golden_status(call, fh_golden_big_montgomery(n, a, b, m, out)) &&
           set_words(call, out, n);
}

/* ---------------------------------------------------------------- the table */

const struct fh_cli_golden_row fh_cli_golden_numbers[] = {
    {"add", "(x, y, q)", "aem", "x + y, element by element", add},
    {"sub", "(x, y, q)", "aem", "x - y", sub},
    {"mul", "(x, y, q)", "aem", "x y", mul},
    {"mac", "(x, y, z, q)", "aeem", "x y + z", mac},
    {"powmod", "(x, e, q)", "vnn", "x^e mod q", powmod},
    {"mulmod", "(x, y, q)", "vnn", "x y mod q", mulmod},
    {"inverse", "(x, q)", "vn", "x^-1 mod q", inverse},
    {"centred", "(x, q)", "vn", "the remainder nearest to 0", centred},
    {"bitrev", "(x, bits)", "vn", "the lowest bits in reverse order", bitrev},
    {"gcd", "(x, y)", "vn", "the greatest common divisor", gcd},
    {"is_prime", "(x)", "v", "1 or 0", is_prime},
    {"root", "(n, q)", "nn", "the smallest psi with psi^n = -1 mod q", root},
    {"galois", "(n, r)", "nn", "5^r mod 2n, of a rotation by r slots", galois},
    {"powers", "(x, count, q)", "nnn", "1, x, x^2, ... mod q", powers},
    {"primes", "(n, bits, count)", "nnn", "the largest primes = 1 mod 2n below 2^bits", primes},
    {"random", "(seed, q, n)", "nmn", "the inputs of --seed, a limb for each modulus",
     random_residues},
    {"barrett_mu", "(q)", "v", "floor(2^64 / q), q of 32 bits", barrett_mu},
    {"montmul", "(x, y, m, bits)", "vnnn", "x y 2^-bits mod m, bits 32 or 64", montmul},
    {"wmac_lo", "(x, y, z)", "vnn", "the low 64 bits of x y + z", wmac_lo},
    {"wmac_hi", "(x, y, z)", "vnn", "the high ones", wmac_hi},
    {"big_mul", "(x, y)", "aa", "the product of integers of 32-bit words, low one first", big_mul},
    {"big_mod", "(x, m)", "aa", "the remainder of such", big_mod},
    {"big_montgomery", "(x, y, m)", "aaa", "x y 2^(-32 words) mod m", big_montgomery},
    {0},
};
