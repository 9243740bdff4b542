/*
 * dap_query.c - see dap_query.h.
 */
#include "dap_query.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "debug_names.h"
#include "show.h"

enum { ELEMENTS = 16 /* of an array that are told */, EXPRESSION = 4096 };

/* In the lane of the focus. */
static struct fh_query_place place_of(struct fh_dap *dap, struct fh_query_names *names,
                                      fhec_launch *launch) {
    struct fh_query_place place =
        fh_cli_debug_place(dap->debugger, fh_debugger_focus(dap->debugger), launch, names);
    place.all_lanes = false;
    return place;
}

static bool evaluate(struct fh_dap *dap, const struct fh_query_place *place, const char *expression,
                     struct fh_query_value *value, char why[FH_DAP_WHY]) {
    struct fh_query_error error = {.message = "no memory"};
    struct fh_query *query = NULL;
    char text[EXPRESSION];
    if (fh_cli_debug_read(dap->debugger, fh_debugger_focus(dap->debugger), expression, text,
                          sizeof text) != FHEC_OK) {
        snprintf(why, FH_DAP_WHY, "%s", fh_debugger_error(dap->debugger));
        return false;
    }
    fhec_status status = fh_query_parse(text, &query, &error);
    if (status == FHEC_OK)
        status = fh_query_evaluate(query, place, value, &error);
    fh_query_free(query);
    if (status != FHEC_OK)
        snprintf(why, FH_DAP_WHY, "%s", error.message);
    return status == FHEC_OK;
}

bool fh_dap_query_reads(const char *expression, char why[FH_DAP_WHY]) {
    struct fh_query_error error = {.message = "no memory"};
    struct fh_query *query = NULL;
    const bool fine = fh_query_parse(expression, &query, &error) == FHEC_OK;
    fh_query_free(query);
    if (!fine)
        snprintf(why, FH_DAP_WHY, "%s", error.message);
    return fine;
}

/* ---------------------------------------------------------------- values */

static int put_number(const struct fh_query_value *value, uint64_t number, bool hex, char *to,
                      size_t size) {
    const uint64_t bits = value->bits == 64 ? number : number & UINT32_MAX;
    if (value->truth && !value->is_array)
        return snprintf(to, size, "%s", number ? "true" : "false");
    if (value->form && !hex) {
        char text[FH_SHOW_NUMBER];
        fh_show_value(value, number, text);
        return snprintf(to, size, "%s", text);
    }
    if (hex)
        return snprintf(to, size, "0x%0*" PRIx64, value->bits == 64 ? 16 : 8, bits);
    if (value->is_signed)
        return snprintf(to, size, "%" PRId64, (int64_t)number);
    return snprintf(to, size, "%" PRIu64, bits);
}

static void put_lanes(const struct fh_query_value *value, bool hex, char *to, size_t size) {
    size_t at = 0;
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES && at < size; lane++) {
        at += (size_t)snprintf(to + at, size - at, lane ? " " : "");
        if (at < size && value->lanes >> lane & 1)
            at += (size_t)put_number(value, value->values[lane], hex, to + at, size - at);
        else if (at < size)
            at += (size_t)snprintf(to + at, size - at, "-");
    }
}

static bool put_array(const struct fh_query_place *place, const struct fh_query_value *value,
                      bool hex, char *to, size_t size) {
    uint64_t elements[ELEMENTS];
    const uint64_t count = fh_query_array_count(&value->array);
    const size_t told = count < ELEMENTS ? (size_t)count : ELEMENTS;
    struct fh_query_value form = *value;
    form.bits = 8 * fh_query_type_bytes(value->array.type);
    size_t at = (size_t)snprintf(to, size, "%" PRIu64 " elements:", count);
    if (fh_query_array_read(&value->array, place, place->lane, 0, told, elements) != FHEC_OK)
        return false;
    for (size_t i = 0; i < told && at + 1 < size; i++) {
        at += (size_t)snprintf(to + at, size - at, " ");
        at += (size_t)put_number(&form, elements[i], hex, to + at, size - at);
    }
    if (told < count && at < size)
        snprintf(to + at, size - at, " ...");
    return true;
}

bool fh_dap_query_text(struct fh_dap *dap, const char *expression, bool hex, char *to, size_t size,
                       char why[FH_DAP_WHY]) {
    struct fh_query_names names;
    fhec_launch launch;
    const struct fh_query_place place = place_of(dap, &names, &launch);
    struct fh_query_value value;
    if (!evaluate(dap, &place, expression, &value, why))
        return false;
    bool fine = true;
    if (value.is_array)
        fine = put_array(&place, &value, hex, to, size);
    else if (value.per_lane)
        put_lanes(&value, hex, to, size);
    else
        put_number(&value, value.values[0], hex, to, size);
    if (!fine)
        snprintf(why, FH_DAP_WHY, "it cannot be read");
    fh_query_value_free(&value);
    return fine;
}

bool fh_dap_query_lanes(struct fh_dap *dap, const char *expression, uint32_t *lanes,
                        char why[FH_DAP_WHY]) {
    struct fh_query_names names;
    fhec_launch launch;
    struct fh_query_place place = place_of(dap, &names, &launch);
    struct fh_query_value value;
    place.all_lanes = true;
    if (!evaluate(dap, &place, expression, &value, why))
        return false;
    const bool fine = !value.is_array;
    if (fine)
        *lanes = fh_query_value_mask(&value);
    else
        snprintf(why, FH_DAP_WHY, "an array is no condition");
    fh_query_value_free(&value);
    return fine;
}
