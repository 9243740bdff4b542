/*
 * golden_table.c - see golden_table.h: finding a function, its arguments and their checks.
 */
#include "golden_table.h"

#include <stdlib.h>
#include <string.h>

#include "golden_call.h"
#include "nearest.h"

static const struct fh_cli_golden_row *const tables[] = {fh_cli_golden_rings,
                                                         fh_cli_golden_numbers};
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
