/*
 * query_arrays.c - memory by space and address, arrays and their elements.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "query_state.h"

/* ---------------------------------------------------------------- types */

unsigned fh_query_type_bytes(enum fh_query_type type) {
    return 1u << ((unsigned)type / 2);
}

static bool is_signed(enum fh_query_type type) {
    return (unsigned)type & 1;
}

/* A number of that type as C promotes it. */
static struct fh_query_value promoted(enum fh_query_type type) {
    const unsigned bytes = fh_query_type_bytes(type);
    return fh_query_one(0, bytes == 8 ? 64 : 32, bytes < 4 || is_signed(type));
}

static uint64_t extended(uint64_t bits, enum fh_query_type type) {
    const unsigned width = 8 * fh_query_type_bytes(type);
    if (is_signed(type) && width < 64 && bits >> (width - 1) & 1)
        return bits | UINT64_MAX << width;
    return bits;
}

uint64_t fh_query_array_count(const struct fh_query_array *array) {
    uint64_t count = 1;
    for (unsigned i = 0; i < array->rank; i++)
        if (__builtin_mul_overflow(count, array->shape[i], &count))
            return UINT64_MAX;
    return count;
}

/* ---------------------------------------------------------------- reading */

static fhec_status read_bytes(const struct fh_query_place *place, fhec_space space, uint32_t bank,
                              uint32_t lane, uint64_t address, void *data, size_t bytes) {
    const fhec_thread thread = {
        .block = {place->block[0], place->block[1], place->block[2]},
        .warp = place->warp,
        .lane = lane,
    };
    if (space == FHEC_SPACE_GLOBAL)
        return place->machine ? fhec_read(place->machine, address, data, bytes) : FHEC_BAD_INPUT;
    if (!place->session)
        return FHEC_BAD_INPUT;
    return fhec_session_read(place->session, space, bank, &thread, address, data, bytes);
}

static fhec_status read_one(const struct fh_query_place *place, const struct fh_query_array *array,
                            uint32_t lane, uint64_t index, uint64_t *element) {
    const unsigned bytes = fh_query_type_bytes(array->type);
    *element = 0;
    if (array->computed) {
        *element = array->computed[index];
        return FHEC_OK;
    }
    const fhec_status status = read_bytes(place, array->space, array->bank, lane,
                                          array->address + index * bytes, element, bytes);
    *element = extended(*element, array->type);
    return status;
}

fhec_status fh_query_array_read(const struct fh_query_array *array,
                                const struct fh_query_place *place, uint32_t lane, uint64_t first,
                                size_t count, uint64_t *elements) {
    const uint64_t all = fh_query_array_count(array);
    if (first > all || count > all - first)
        return FHEC_BAD_INPUT;
    for (size_t i = 0; i < count; i++) {
        const fhec_status status = read_one(place, array, lane, first + i, &elements[i]);
        if (status != FHEC_OK)
            return status;
    }
    return FHEC_OK;
}

/* The lane whose local memory an element for lane `i` of a value is in. */
static uint32_t lane_of(const struct fh_query_state *s, bool per_lane, unsigned i) {
    return per_lane ? i : s->place.lane & 31;
}

bool fh_query_memory(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                     struct fh_query_value *value) {
    struct fh_query_value address, bank = {0};
    const bool constant = node->space == FHEC_SPACE_CONSTANT;
    if (constant && (!fh_query_number_at(s, node->a, lanes, NULL, &bank)))
        return false;
    if (!fh_query_number_at(s, constant ? node->b : node->a, lanes, NULL, &address))
        return false;
    if (constant && (bank.per_lane || bank.values[0] > 31))
        return fh_query_fail(s, node, "constant banks are 0 to 31");
    *value = promoted(node->type);
    value->per_lane = address.per_lane || (node->space == FHEC_SPACE_LOCAL && s->place.all_lanes);
    value->lanes = address.per_lane ? address.lanes & lanes : value->per_lane ? lanes : UINT32_MAX;
    for (unsigned i = 0; i < (value->per_lane ? FHEC_WARP_LANES : 1u); i++) {
        const uint64_t at = address.values[address.per_lane ? i : 0];
        uint64_t bits = 0;
        if (!(value->lanes >> i & 1))
            continue;
        if (read_bytes(&s->place, node->space, (uint32_t)bank.values[0],
                       lane_of(s, value->per_lane, i), at, &bits,
                       fh_query_type_bytes(node->type)) != FHEC_OK)
            return fh_query_fail(s, node, "%s memory cannot be read at 0x%" PRIx64,
                                 fhec_space_name(node->space), at);
        value->values[i] = extended(bits, node->type);
    }
    return true;
}

/* ---------------------------------------------------------------- elements */

/* x[a][b]: the array, and the indices from the left, each checked. */
struct chain {
    struct fh_query_value array;
    struct fh_query_value indices[FH_QUERY_DIMS];
    unsigned count;
};

static bool check_index(struct fh_query_state *s, const struct fh_query_node *node,
                        const struct fh_query_value *index, uint64_t extent) {
    for (unsigned i = 0; i < (index->per_lane ? FHEC_WARP_LANES : 1u); i++)
        if (index->lanes >> i & 1 && index->values[i] >= extent)
            return fh_query_fail(s, node, "index %" PRId64 " is not within 0 to %" PRIu64,
                                 (int64_t)index->values[i], extent - 1);
    return true;
}

static bool walk(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                 struct chain *chain) {
    const struct fh_query_node *indices[FH_QUERY_DIMS];
    const struct fh_query_node *top = node;
    uint16_t at = 0;
    chain->count = 0;
    for (; node->kind == FH_QUERY_INDEX; node = &s->query->nodes[at]) {
        if (chain->count == FH_QUERY_DIMS)
            return fh_query_fail(s, top, "there are too many indices");
        indices[chain->count++] = node;
        at = node->a;
    }
    if (!fh_query_at(s, at, lanes, NULL, &chain->array))
        return false;
    if (!chain->array.is_array)
        return fh_query_fail(s, node, "this has no elements: a number is no array");
    const struct fh_query_array *array = &chain->array.array;
    bool good =
        chain->count <= array->rank || fh_query_fail(s, indices[0], "the array has %u dimension%s",
                                                     array->rank, array->rank == 1 ? "" : "s");
    for (unsigned i = 0; i < chain->count && good; i++) {
        const struct fh_query_node *of = indices[chain->count - 1 - i];
        good = fh_query_number_at(s, of->b, lanes, NULL, &chain->indices[i]) &&
               check_index(s, of, &chain->indices[i], array->shape[i]);
    }
    if (!good)
        fh_query_value_free(&chain->array);
    return good;
}

/* The first element, for a lane, of what the indices leave. */
static uint64_t first_of(const struct chain *chain, unsigned lane) {
    const struct fh_query_array *array = &chain->array.array;
    uint64_t first = 0;
    for (unsigned i = 0; i < array->rank; i++) {
        const struct fh_query_value *index = &chain->indices[i];
        first *= array->shape[i];
        if (i < chain->count)
            first += index->values[index->per_lane ? lane : 0];
    }
    return first;
}

/* Which lanes there are indices for. */
static void spread(const struct fh_query_state *s, const struct chain *chain, uint32_t lanes,
                   struct fh_query_value *value) {
    value->lanes = UINT32_MAX;
    for (unsigned i = 0; i < chain->count; i++) {
        value->per_lane |= chain->indices[i].per_lane;
        value->lanes &= chain->indices[i].per_lane ? chain->indices[i].lanes & lanes : UINT32_MAX;
    }
    if (chain->array.array.space == FHEC_SPACE_LOCAL && !chain->array.array.computed &&
        s->place.all_lanes) {
        value->per_lane = true;
        value->lanes &= lanes;
    }
}

/* A part of the array, of fewer dimensions. */
static bool part(struct fh_query_state *s, const struct fh_query_node *node, struct chain *chain,
                 struct fh_query_value *value) {
    struct fh_query_array *array = &chain->array.array;
    for (unsigned i = 0; i < chain->count; i++)
        if (chain->indices[i].per_lane) {
            fh_query_value_free(&chain->array);
            return fh_query_fail(s, node, "a part of an array is one for all lanes");
        }
    const uint64_t first = first_of(chain, 0);
    array->rank -= chain->count;
    memmove(array->shape, array->shape + chain->count, array->rank * sizeof *array->shape);
    if (array->computed)
        memmove(array->computed, array->computed + first,
                (size_t)fh_query_array_count(array) * sizeof *array->computed);
    else
        array->address += first * fh_query_type_bytes(array->type);
    *value = chain->array;
    return true;
}

bool fh_query_index(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                    struct fh_query_value *value) {
    struct chain chain;
    if (!walk(s, node, lanes, &chain))
        return false;
    const struct fh_query_array *array = &chain.array.array;
    if (chain.count < array->rank)
        return part(s, node, &chain, value);
    bool good = true;
    *value = promoted(array->type);
    spread(s, &chain, lanes, value);
    for (unsigned i = 0; i < (value->per_lane ? FHEC_WARP_LANES : 1u) && good; i++) {
        if (!(value->lanes >> i & 1))
            continue;
        const uint64_t first = first_of(&chain, i);
        good = read_one(&s->place, array, lane_of(s, value->per_lane, i), first,
                        &value->values[i]) == FHEC_OK ||
               fh_query_fail(s, node, "element %" PRIu64 " cannot be read", first);
    }
    fh_query_value_free(&chain.array);
    return good;
}

bool fh_query_address(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                      struct fh_query_value *value) {
    struct chain chain = {.count = 0};
    const struct fh_query_node *of = &s->query->nodes[node->a];
    if (of->kind == FH_QUERY_INDEX ? !walk(s, of, lanes, &chain)
                                   : !fh_query_at(s, node->a, lanes, NULL, &chain.array))
        return false;
    const struct fh_query_array *array = &chain.array.array;
    if (!chain.array.is_array || array->computed) {
        fh_query_value_free(&chain.array);
        return fh_query_fail(s, node,
                             "what has an address is an array in memory, or a part of one");
    }
    *value = fh_query_one(0, 64, false);
    spread(s, &chain, lanes, value);
    for (unsigned i = 0; i < FHEC_WARP_LANES; i++)
        value->values[i] = array->address + first_of(&chain, i) * fh_query_type_bytes(array->type);
    return true;
}
