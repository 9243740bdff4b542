/*
 * golden_call.c - see golden_call.h: arguments and their checks, and what golden/ has for single
 * numbers, for elements and for words.
 */
#include "golden_call.h"

#include <stdlib.h>
#include <string.h>

#include "nearest.h"

/* ---------------------------------------------------------------- results and problems */

bool fh_cli_golden_wrong(struct fh_cli_golden_call *call, const char *problem) {
    call->problem = problem;
    return false;
}

bool fh_cli_golden_status(struct fh_cli_golden_call *call, fh_golden_status status) {
    return status == FH_GOLDEN_OK || fh_cli_golden_wrong(call, fh_golden_status_text(status));
}

uint64_t *fh_cli_golden_result(struct fh_cli_golden_call *call, size_t rows, size_t columns) {
    size_t count;
    uint64_t *elements = NULL;
    if (!rows || !columns)
        (void)fh_cli_golden_wrong(call, "nothing is left to compute");
    else if (__builtin_mul_overflow(rows, columns, &count) || count > FH_QUERY_ELEMENTS)
        (void)fh_cli_golden_wrong(call, "the result has more than 2^24 elements");
    else if (!(elements = calloc(count, sizeof *elements)))
        (void)fh_cli_golden_wrong(call, "there is no host memory");
    if (!elements)
        return NULL;
    struct fh_query_value *result = call->result;
    *result = (struct fh_query_value){.is_array = true, .lanes = UINT32_MAX};
    result->array = (struct fh_query_array){
        .type = FH_QUERY_U64, .rank = rows > 1 ? 2 : 1, .computed = elements};
    result->array.shape[0] = rows > 1 ? rows : columns;
    result->array.shape[1] = rows > 1 ? columns : 0;
    return elements;
}

size_t fh_cli_golden_columns(struct fh_cli_golden_call *call, size_t index, size_t limbs) {
    const size_t length = call->lengths[index];
    if (limbs && length % limbs == 0)
        return length / limbs;
    (void)fh_cli_golden_wrong(call, "the array's elements are no multiple of the limbs");
    return 0;
}

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

static const struct fh_cli_golden_row plain[] = {
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

static const struct fh_cli_golden_row *const tables[] = {fh_cli_golden_rings, plain};
enum { TABLES = sizeof tables / sizeof *tables };

void fh_cli_golden_help(FILE *out) {
    for (size_t t = 0; t < TABLES; t++)
        for (const struct fh_cli_golden_row *r = tables[t]; r->name; r++)
            fprintf(out, "  golden.%s%-*s %s\n", r->name, (int)(38 - strlen(r->name)), r->arguments,
                    r->help);
}

static const struct fh_cli_golden_row *find(const char *name, struct fh_nearest *nearest) {
    fh_nearest_begin(nearest, name, strlen(name));
    for (size_t t = 0; t < TABLES; t++) {
        for (const struct fh_cli_golden_row *r = tables[t]; r->name; r++) {
            if (strcmp(r->name, name) == 0)
                return r;
            fh_nearest_try(nearest, r->name, strlen(r->name));
        }
    }
    return NULL;
}

/* ---------------------------------------------------------------- arguments */

/* References take residues, or numbers of up to 64 bits without a sign. */
static const char negative[] = "a number is negative: `x mod q` makes it a residue";

static bool read_array(struct fh_cli_golden_call *call, const struct fh_query_place *place,
                       size_t index) {
    const struct fh_query_array *array = &call->arguments[index].array;
    const uint64_t count = fh_query_array_count(array);
    if (!count || count > FH_QUERY_ELEMENTS)
        return fh_cli_golden_wrong(call, "an array has no elements, or more than 2^24");
    call->lengths[index] = (size_t)count;
    call->arrays[index] = calloc((size_t)count, sizeof **call->arrays);
    if (!call->arrays[index])
        return fh_cli_golden_wrong(call, "there is no host memory");
    if (fh_query_array_read(array, place, place->lane & 31, 0, (size_t)count,
                            call->arrays[index]) != FHEC_OK)
        return fh_cli_golden_wrong(call, "an array cannot be read");
    for (size_t i = 0; (unsigned)array->type & 1 && i < (size_t)count; i++)
        if (call->arrays[index][i] >> 63)
            return fh_cli_golden_wrong(call, negative);
    return true;
}

static bool read_argument(struct fh_cli_golden_call *call, const struct fh_query_place *place,
                          size_t index, char kind) {
    const struct fh_query_value *a = &call->arguments[index];
    if (!a->is_array && a->form)
        return fh_cli_golden_wrong(call, "arguments are integers");
    call->numbers[index] = a->values[0];
    if (!a->is_array && a->is_signed && a->values[0] >> 63)
        return fh_cli_golden_wrong(call, negative);
    if (kind == 'n' && a->is_array)
        return fh_cli_golden_wrong(call, "a number is expected where an array is");
    if (kind == 'a' && !a->is_array)
        return fh_cli_golden_wrong(call, "an array is expected where a number is");
    if (a->is_array)
        return read_array(call, place, index);
    if (kind != 'm')
        return true;
    call->lengths[index] = 1;
    call->arrays[index] = calloc(1, sizeof **call->arrays);
    if (!call->arrays[index])
        return fh_cli_golden_wrong(call, "there is no host memory");
    call->arrays[index][0] = a->values[0];
    return true;
}

static bool read_arguments(struct fh_cli_golden_call *call, const struct fh_query_place *place,
                           const char *kinds) {
    size_t index = 0;
    bool optional = false;
    for (; *kinds; kinds++) {
        optional |= *kinds == '?';
        if (*kinds == '?')
            continue;
        if (index == call->count)
            return optional || fh_cli_golden_wrong(call, "there are too few arguments");
        if (!read_argument(call, place, index, *kinds))
            return false;
        index++;
    }
    return index == call->count || fh_cli_golden_wrong(call, "there are too many arguments");
}

/* Of an array as the first argument: its elements one by one. */
static bool map(struct fh_cli_golden_call *call, const struct fh_cli_golden_row *row) {
    struct fh_query_value *const result = call->result, all = *result;
    const struct fh_query_array *shape = &call->arguments[0].array;
    uint64_t *out = fh_cli_golden_result(call, 1, call->lengths[0]);
    struct fh_query_value mapped = *result, one = all;
    bool good = out != NULL;
    call->result = &one;
    for (size_t i = 0; good && i < call->lengths[0]; i++) {
        call->numbers[0] = call->arrays[0][i];
        good = row->compute(call);
        if (good)
            out[i] = one.values[0];
    }
    call->result = result;
    *result = mapped;
    if (good) {
        mapped.array.type = one.is_signed ? FH_QUERY_S64 : FH_QUERY_U64;
        mapped.array.rank = shape->rank;
        memcpy(mapped.array.shape, shape->shape, sizeof shape->shape);
        *result = mapped;
    }
    return good;
}

fhec_status fh_cli_golden(void *user, const struct fh_query_place *place, const char *function,
                          const struct fh_query_value *arguments, size_t count,
                          struct fh_query_value *result, char *problem, size_t size) {
    struct fh_cli_golden_call call = {.arguments = arguments, .count = count, .result = result};
    struct fh_nearest nearest;
    const struct fh_cli_golden_row *row = find(function, &nearest);
    (void)user;
    if (!row) {
        (void)snprintf(problem, size, "there is no such function%s%.*s%s",
                       nearest.best ? "; did you mean `" : "",
                       nearest.best ? (int)nearest.best_length : 0,
                       nearest.best ? nearest.best : "", nearest.best ? "`?" : ": `help golden`");
        return FHEC_BAD_INPUT;
    }
    bool good = read_arguments(&call, place, row->kinds);
    if (good)
        good = *row->kinds == 'v' && arguments[0].is_array ? map(&call, row) : row->compute(&call);
    for (size_t i = 0; i < count; i++)
        free(call.arrays[i]);
    if (good)
        return FHEC_OK;
    if (result->is_array)
        free(result->array.computed);
    *result = (struct fh_query_value){0};
    (void)snprintf(problem, size, "%s; it is golden.%s%s", call.problem, row->name, row->arguments);
    return FHEC_BAD_INPUT;
}
