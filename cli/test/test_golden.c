/*
 * test_golden.c - `expect NAME golden FUNCTION ...`: the references by name.
 */
#include "test_golden.h"

#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "message.h"
#include "test_data.h"
#include "test_line.h"

/* Everything that a function may take, read from its line. */
struct call {
    const struct fh_cli *cli;
    const struct fh_cli_test_line *line;
    const struct fh_cli_test_value *operand[3];
    size_t operands;
    uint64_t *mod, *psi, *from, *to, *shape;
    size_t mod_count, psi_count, from_count, to_count, shape_count;
    fh_golden_order order;
    size_t count; /* elements of the result */
    uint64_t *result;
};

struct function {
    const char *name;
    size_t operands, optional; /* buffers: so many, and so many more if they are given */
    fhec_status (*run)(struct call *call);
    const char *keys[6]; /* that may stand behind the buffers */
};

static fhec_status golden_says(const struct call *call, fh_golden_status status) {
    if (status == FH_GOLDEN_OK)
        return FHEC_OK;
    return fh_cli_test_error(call->cli, call->line, "%s", fh_golden_status_text(status));
}

/* Splits the result evenly among the moduli; 0, said, if that does not work out. */
static size_t limb_size(const struct call *call) {
    if (!call->mod_count) {
        fh_cli_test_error(call->cli, call->line, "%s needs `mod Q,...`", call->line->words[3]);
        return 0;
    }
    bool even = call->count % call->mod_count == 0;
    for (size_t i = 0; i < call->operands; i++)
        even = even && call->operand[i]->count == call->count;
    if (!even)
        fh_cli_test_error(call->cli, call->line,
                          "operands and result must have as many elements, in %zu equal limbs",
                          call->mod_count);
    return even ? call->count / call->mod_count : 0;
}

static fh_golden_status one_limb(const struct call *call, size_t n, size_t j) {
    const uint64_t *a = call->operand[0]->elements + j * n;
    const uint64_t *b = call->operand[1]->elements + j * n;
    uint64_t *out = call->result + j * n, q = call->mod[j];
    const char *name = call->line->words[3];
    if (!strcmp(name, "add"))
        return fh_golden_add(n, q, a, b, out);
    if (!strcmp(name, "sub"))
        return fh_golden_sub(n, q, a, b, out);
    if (!strcmp(name, "mul"))
        return fh_golden_mul(n, q, a, b, out);
    return fh_golden_mac(n, q, a, b, call->operand[2]->elements + j * n, out);
}

static fhec_status elementwise(struct call *call) {
    size_t n = limb_size(call);
    fhec_status status = n ? FHEC_OK : FHEC_BAD_INPUT;
    for (size_t j = 0; j < call->mod_count && status == FHEC_OK; j++)
        status = golden_says(call, one_limb(call, n, j));
    return status;
}

static fhec_status transform(struct call *call) {
    size_t n = limb_size(call);
    if (!n)
        return FHEC_BAD_INPUT;
    if (call->psi && call->psi_count != call->mod_count)
        return fh_cli_test_error(call->cli, call->line, "%zu roots for %zu primes", call->psi_count,
                                 call->mod_count);
    return golden_says(call, fh_golden_ntt_limbs(!strcmp(call->line->words[3], "intt"), call->order,
                                                 n, call->mod_count, call->mod, call->psi,
                                                 call->operand[0]->elements, call->result));
}

static fhec_status convert(struct call *call) {
    fh_golden_bases bases = {call->from_count, call->from, call->to_count, call->to};
    if (!call->from || !call->to)
        return fh_cli_test_error(call->cli, call->line, "bconv needs `from P,... to Q,...`");
    size_t n = call->operand[0]->count / call->from_count;
    if (call->operand[0]->count != n * call->from_count || call->count != n * call->to_count)
        return fh_cli_test_error(
            call->cli, call->line, "%zu elements in, %zu out: not %zu and %zu equal limbs",
            call->operand[0]->count, call->count, call->from_count, call->to_count);
    return golden_says(call,
                       fh_golden_bconv_fast(&bases, n, call->operand[0]->elements, call->result));
}

static fhec_status copy(struct call *call) {
    if (call->operand[0]->count != call->count)
        return fh_cli_test_error(call->cli, call->line, "%zu elements in, %zu out",
                                 call->operand[0]->count, call->count);
    memcpy(call->result, call->operand[0]->elements, call->count * sizeof *call->result);
    return FHEC_OK;
}

/* Elements as the u32 that fh_golden_fhec_plain takes; NULL without memory. */
static uint32_t *narrow(const struct fh_cli_test_value *value) {
    uint32_t *elements = calloc(value->count + 1, sizeof *elements);
    for (size_t i = 0; elements && i < value->count; i++)
        elements[i] = (uint32_t)value->elements[i];
    return elements;
}

/* Whether the buffers and moduli are those of a product of this shape. */
static fhec_status check_product(const struct call *call) {
    if (call->shape_count != 3 || (call->mod_count != 1 && call->mod_count != call->shape[1]))
        return fh_cli_test_error(call->cli, call->line,
                                 "matmul needs `shape M,N,K` and `mod` with 1 or N moduli");
    uint64_t m = call->shape[0], n = call->shape[1], k = call->shape[2];
    if (call->operand[0]->count != m * k || call->operand[1]->count != k * n ||
        (call->operands == 3 && call->operand[2]->count != m * n) || call->count != m * n)
        return fh_cli_test_error(call->cli, call->line, "the shape does not fit the buffers");
    for (size_t i = 0; i < call->mod_count; i++)
        if (!call->mod[i] || call->mod[i] > UINT32_MAX)
            return fh_cli_test_error(call->cli, call->line, "a modulus lies from 1 to 2^32 - 1");
    return FHEC_OK;
}

/* Row-major A (m x k) B (k x n) + C (m x n) or 0, one modulus or one for each column. */
static fhec_status matmul(struct call *call) {
    fhec_status status = check_product(call);
    if (status != FHEC_OK)
        return status;
    fh_golden_shape shape = {call->shape[0], call->shape[1], call->shape[2]};
    const struct fh_cli_test_value zeros = {"", call->result, call->count, 4};
    fh_golden_modulus *moduli = calloc(call->mod_count, sizeof *moduli);
    uint32_t *a = narrow(call->operand[0]), *b = narrow(call->operand[1]);
    uint32_t *c = narrow(call->operands == 3 ? call->operand[2] : &zeros);
    status = moduli && a && b && c ? FHEC_OK : fh_cli_no_memory(call->cli);
    for (size_t i = 0; i < call->mod_count && status == FHEC_OK; i++)
        moduli[i].q = (uint32_t)call->mod[i];
    if (status == FHEC_OK)
        status =
            golden_says(call, fh_golden_fhec_plain(shape, call->mod_count > 1, moduli, a, b, c, c));
    for (size_t i = 0; i < call->count && status == FHEC_OK; i++)
        call->result[i] = c[i];
    free(moduli);
    free(a);
    free(b);
    free(c);
    return status;
}

static const struct function functions[] = {
    {"add", 2, 0, elementwise, {"mod", "hash"}},
    {"sub", 2, 0, elementwise, {"mod", "hash"}},
    {"mul", 2, 0, elementwise, {"mod", "hash"}},
    {"mac", 3, 0, elementwise, {"mod", "hash"}},
    {"ntt", 1, 0, transform, {"mod", "psi", "order", "hash"}},
    {"intt", 1, 0, transform, {"mod", "psi", "order", "hash"}},
    {"bconv", 1, 0, convert, {"from", "to", "hash"}},
    {"copy", 1, 0, copy, {"hash"}},
    {"matmul", 2, 1, matmul, {"shape", "mod", "hash"}},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static bool is_key(const struct function *function, const char *word) {
    for (size_t i = 0; function->keys[i]; i++)
        if (!strcmp(function->keys[i], word))
            return true;
    return false;
}

static fhec_status read_operands(struct call *call, const struct function *function,
                                 const struct fh_cli_test_value *values, size_t value_count) {
    for (size_t i = 0; i < function->operands + function->optional; i++) {
        const char *name = call->line->count > 4 + i ? call->line->words[4 + i] : "";
        const struct fh_cli_test_value *operand = fh_cli_test_find(values, value_count, name);
        if (!operand && i >= function->operands && (!*name || is_key(function, name)))
            break;
        if (!operand)
            return fh_cli_test_error(call->cli, call->line,
                                     "%s takes %zu buffers; \"%s\" is not one", function->name,
                                     function->operands, name);
        call->operand[call->operands++] = operand;
    }
    return fh_cli_test_options(call->cli, call->line, 4 + call->operands, function->keys);
}

static fhec_status read_lists(struct call *call) {
    struct {
        const char *key;
        uint64_t **values;
        size_t *count;
    } lists[] = {
        {"mod", &call->mod, &call->mod_count},       {"psi", &call->psi, &call->psi_count},
        {"from", &call->from, &call->from_count},    {"to", &call->to, &call->to_count},
        {"shape", &call->shape, &call->shape_count},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const char *text = fh_cli_test_option(call->line, 4 + call->operands, lists[i].key);
        fhec_status status =
            text ? fh_cli_test_list(call->cli, call->line, text, lists[i].values, lists[i].count)
                 : FHEC_OK;
        if (status != FHEC_OK)
            return status;
    }
    const char *order = fh_cli_test_option(call->line, 4 + call->operands, "order");
    if (order && strcmp(order, "natural") != 0 && strcmp(order, "bitrev") != 0)
        return fh_cli_test_error(call->cli, call->line, "order is bitrev or natural");
    call->order = order && !strcmp(order, "natural") ? FH_GOLDEN_NATURAL : FH_GOLDEN_BITREV;
    return FHEC_OK;
}

fhec_status fh_cli_test_golden(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                               const struct fh_cli_test_value *values, size_t value_count,
                               size_t count, uint64_t **result) {
    struct call call = {.cli = cli, .line = line, .count = count};
    const struct function *function = NULL;
    const char *names[FUNCTIONS + 1] = {NULL};
    *result = NULL;
    if (line->count < 4)
        return fh_cli_test_error(cli, line, "golden: which function?");
    for (size_t i = 0; i < FUNCTIONS; i++) {
        names[i] = functions[i].name;
        if (!strcmp(functions[i].name, line->words[3]))
            function = &functions[i];
    }
    if (!function)
        return fh_cli_test_unknown(cli, line, "reference function", line->words[3], names);
    call.result = calloc(count + 1, sizeof *call.result);
    fhec_status status = call.result ? FHEC_OK : fh_cli_no_memory(cli);
    if (status == FHEC_OK)
        status = read_operands(&call, function, values, value_count);
    if (status == FHEC_OK)
        status = read_lists(&call);
    if (status == FHEC_OK)
        status = function->run(&call);
    free(call.mod);
    free(call.psi);
    free(call.from);
    free(call.to);
    free(call.shape);
    if (status == FHEC_OK)
        *result = call.result;
    else
        free(call.result);
    return status;
}
