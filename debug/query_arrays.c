/*
 * query_arrays.c - memory by space and address, arrays and their elements.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query_state.h"

/* ---------------------------------------------------------------- types */

unsigned fh_query_type_bytes(enum fh_query_type type) {
    return 1u << ((unsigned)type / 2);
}

static bool is_signed(enum fh_query_type type) {
    return (unsigned)type & 1;
}

struct fh_query_value fh_query_promoted(enum fh_query_type type) {
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

/* Texts of instructions give places in the upper half of a bank a sign. */
static uint64_t place_in_bank(uint64_t at) {
    return at >= UINT64_MAX - 0x7fff ? at & 0xffff : at;
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
    *value = fh_query_promoted(node->type);
    value->per_lane = address.per_lane || (node->space == FHEC_SPACE_LOCAL && s->place.all_lanes);
    value->lanes = address.per_lane ? address.lanes & lanes : value->per_lane ? lanes : UINT32_MAX;
    for (unsigned i = 0; i < (value->per_lane ? FHEC_WARP_LANES : 1u); i++) {
        const uint64_t given = address.values[address.per_lane ? i : 0];
        const uint64_t at = constant ? place_in_bank(given) : given;
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

/* acc[2]: a register of a range. */
static bool index_registers(struct fh_query_state *s, const struct fh_query_node *node,
                            uint32_t lanes, const struct fh_query_registers *registers,
                            struct fh_query_value *value) {
    struct fh_query_value index;
    if (!fh_query_number_at(s, node->b, lanes, NULL, &index))
        return false;
    if (index.per_lane || index.form)
        return fh_query_fail(s, node, "the index of registers is an integer for all lanes");
    return fh_query_register_of(s, node, registers, (int64_t)index.values[0], value);
}

bool fh_query_index(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                    struct fh_query_value *value) {
    struct fh_query_registers registers;
    struct chain chain;
    if (fh_query_is_registers(s, &s->query->nodes[node->a], &registers))
        return index_registers(s, node, lanes, &registers, value);
    if (!walk(s, node, lanes, &chain))
        return false;
    const struct fh_query_array *array = &chain.array.array;
    if (chain.count < array->rank)
        return part(s, node, &chain, value);
    bool good = true;
    *value = fh_query_promoted(array->type);
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

/* ---------------------------------------------------------------- lists and parts */

static bool computed(struct fh_query_state *s, const struct fh_query_node *node, uint64_t count,
                     struct fh_query_value *value) {
    *value = (struct fh_query_value){.is_array = true, .lanes = UINT32_MAX};
    value->array = (struct fh_query_array){
        .type = FH_QUERY_U64, .rank = 1, .shape = {count}, .computed = calloc(count, 8)};
    return value->array.computed || fh_query_fail(s, node, "there is no host memory");
}

bool fh_query_list(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                   struct fh_query_value *value) {
    struct fh_query_value element;
    bool is_signed = true;
    uint64_t count = 0;
    for (uint16_t i = node->a; i; i = s->query->nodes[i].next)
        count++;
    if (!computed(s, node, count, value))
        return false;
    count = 0;
    for (uint16_t i = node->a; i; i = s->query->nodes[i].next) {
        const struct fh_query_node *at = &s->query->nodes[i];
        const bool good = fh_query_number_at(s, i, lanes, NULL, &element);
        if (!good || element.per_lane || element.form) {
            fh_query_value_free(value);
            return good && fh_query_fail(s, at, "a list is of integers for all lanes");
        }
        is_signed &= element.is_signed;
        value->array.computed[count++] = element.values[0];
    }
    value->array.type = is_signed ? FH_QUERY_S64 : FH_QUERY_U64;
    return true;
}

/* Both ends of a part, as numbers for all lanes. */
static bool ends(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                 int64_t end[2]) {
    const uint16_t nodes[2] = {node->b, node->c};
    struct fh_query_value number;
    for (unsigned i = 0; i < 2; i++) {
        if (!fh_query_number_at(s, nodes[i], lanes, NULL, &number))
            return false;
        if (number.per_lane || number.form)
            return fh_query_fail(s, node, "the ends of a part are integers for all lanes");
        end[i] = (int64_t)number.values[0];
    }
    return end[0] <= end[1] || fh_query_fail(s, node, "the part ends before it begins");
}

/* acc[0:3]: in the lane, or a row for each lane. */
static bool slice_registers(struct fh_query_state *s, const struct fh_query_node *node,
                            const struct fh_query_registers *registers, const int64_t end[2],
                            struct fh_query_value *value) {
    struct fh_query_value one;
    const uint64_t all = (uint64_t)end[1] - (uint64_t)end[0] + 1;
    if (end[0] < registers->low || end[1] - registers->low >= registers->count)
        return fh_query_fail(s, node, "there are %u to %u", registers->low,
                             registers->low + registers->count - 1);
    const bool rows =
        s->place.all_lanes && (registers->file == FHEC_FILE_R || registers->file == FHEC_FILE_P);
    const uint64_t count = rows ? all * FHEC_WARP_LANES : all;
    if (!computed(s, node, count, value))
        return false;
    value->array.type = FH_QUERY_U32;
    if (rows) {
        value->array.rank = 2;
        value->array.shape[0] = FHEC_WARP_LANES;
        value->array.shape[1] = all;
    }
    for (uint64_t i = 0; i < all; i++) {
        if (!fh_query_register_of(s, node, registers, end[0] + (int64_t)i, &one)) {
            fh_query_value_free(value);
            return false;
        }
        for (uint64_t lane = 0; lane < (rows ? (uint64_t)FHEC_WARP_LANES : 1); lane++)
            value->array.computed[lane * all + i] = one.values[lane];
    }
    return true;
}

bool fh_query_slice(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                    struct fh_query_value *value) {
    struct fh_query_registers registers;
    int64_t end[2];
    if (!ends(s, node, lanes, end))
        return false;
    if (fh_query_is_registers(s, &s->query->nodes[node->a], &registers))
        return slice_registers(s, node, &registers, end, value);
    if (!fh_query_at(s, node->a, lanes, NULL, value))
        return false;
    struct fh_query_array *array = &value->array;
    if (!value->is_array)
        return fh_query_fail(s, node, "this has no elements: a number is no array");
    if (end[0] < 0 || (uint64_t)end[1] >= array->shape[0]) {
        const uint64_t last = array->shape[0] - 1;
        fh_query_value_free(value);
        return fh_query_fail(s, node, "%" PRId64 " to %" PRId64 " is not within 0 to %" PRIu64,
                             end[0], end[1], last);
    }
    array->shape[0] = (uint64_t)end[1] - (uint64_t)end[0] + 1;
    const uint64_t count = fh_query_array_count(array);
    const uint64_t first = count / array->shape[0] * (uint64_t)end[0];
    if (array->computed)
        memmove(array->computed, array->computed + first, (size_t)count * sizeof *array->computed);
    else
        array->address += first * fh_query_type_bytes(array->type);
    return true;
}
