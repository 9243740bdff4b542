/*
 * golden_call.c - see golden_call.h: results, and what is wrong.
 */
#include "golden_call.h"

#include <stdlib.h>

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
