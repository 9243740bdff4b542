/*
 * slicing.c - see slicing.h: nodes, edges, and where registers came from.
 */
#include "slicing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- nodes and edges */

static bool same_node(const struct fh_slice_node *a, const struct fh_slice_node *b) {
    return a->kind == b->kind && a->step == b->step && a->file == b->file && a->reg == b->reg &&
           a->lane == b->lane && a->space == b->space && a->bank == b->bank &&
           a->address == b->address && a->bytes == b->bytes && a->range == b->range;
}

static size_t hash_of(const struct fh_slice_node *n) {
    uint64_t h = (uint64_t)n->kind + 31 * (uint64_t)n->step;
    h = h * 1000003 + n->reg + 1024 * (uint64_t)n->lane + 32768 * (uint64_t)n->file;
    h = h * 1000003 + n->address + n->bytes;
    return (size_t)(h ^ h >> 29);
}

static bool room(struct fh_slice *slice, void *array, size_t *have, size_t count, size_t size) {
    void **at = array;
    if (count < *have)
        return true;
    void *more = realloc(*at, (2 * *have + 64) * size);
    if (!more) {
        slice->failed = true;
        return false;
    }
    *at = more;
    *have = 2 * *have + 64;
    return true;
}

/* Makes the table of places twice as large as there are nodes. */
static bool grow_places(struct fh_slice *slice) {
    const size_t count = slice->place_count ? 2 * slice->place_count : 256;
    uint32_t *places = calloc(count, sizeof *places);
    if (!places) {
        slice->failed = true;
        return false;
    }
    for (size_t i = 0; i < slice->node_count; i++) {
        size_t at = hash_of(&slice->nodes[i]) % count;
        while (places[at])
            at = (at + 1) % count;
        places[at] = (uint32_t)i + 1;
    }
    free(slice->places);
    slice->places = places;
    slice->place_count = count;
    return true;
}

/* The number of the node, which is made if there is none like it; UINT32_MAX without host memory.
 */
uint32_t fh_slicing_node(struct fh_slice *slice, const struct fh_slice_node *node) {
    if (2 * (slice->node_count + 1) > slice->place_count && !grow_places(slice))
        return UINT32_MAX;
    size_t at = hash_of(node) % slice->place_count;
    for (; slice->places[at]; at = (at + 1) % slice->place_count)
        if (same_node(&slice->nodes[slice->places[at] - 1], node))
            return slice->places[at] - 1;
    if (!room(slice, &slice->nodes, &slice->node_room, slice->node_count, sizeof *slice->nodes))
        return UINT32_MAX;
    slice->nodes[slice->node_count] = *node;
    slice->places[at] = (uint32_t)++slice->node_count;
    return (uint32_t)slice->node_count - 1;
}

void fh_slicing_edge(struct fh_slicing *s, struct fh_slice_node *to, const char *role) {
    struct fh_slice *slice = s->slice;
    to->depth = slice->nodes[s->parent].depth + 1;
    const uint32_t node = fh_slicing_node(slice, to);
    const uint32_t first = slice->nodes[s->parent].first_edge;
    if (node == UINT32_MAX)
        return;
    for (size_t i = first; i < slice->edge_count; i++)
        if (slice->edges[i].node == node)
            return;
    if (!room(slice, &slice->edges, &slice->edge_room, slice->edge_count, sizeof *slice->edges))
        return;
    struct fh_slice_edge *edge = &slice->edges[slice->edge_count++];
    edge->node = node;
    snprintf(edge->role, sizeof edge->role, "%s", role);
    slice->nodes[s->parent].edge_count++;
}

/* ---------------------------------------------------------------- registers */

const fhec_operand *fh_slicing_operand(const fhec_instruction *instruction, const char *name) {
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (!strcmp(instruction->operands[i].name, name))
            return &instruction->operands[i];
    return NULL;
}

bool fh_slicing_value(const struct fh_slicing *s, uint32_t step, fhec_register_file file,
                      uint32_t reg, uint32_t lane, uint32_t *value) {
    bool forgotten;
    const uint32_t writer = fh_journal_writer(s->journal, step, file, reg, lane, &forgotten);
    return writer != FH_NO_STEP && fh_journal_value(s->journal, writer, file, reg, lane, value);
}

bool fh_slicing_register(struct fh_slicing *s, uint32_t step, fhec_register_file file, uint32_t reg,
                         uint32_t lane, const char *role, uint32_t *value) {
    static const char *const names[] = {[FHEC_FILE_R] = "R",
                                        [FHEC_FILE_P] = "P",
                                        [FHEC_FILE_UR] = "UR",
                                        [FHEC_FILE_UP] = "UP",
                                        [FHEC_FILE_B] = "B"};
    const bool has_lanes = file == FHEC_FILE_R || file == FHEC_FILE_P;
    char own_role[FH_SLICE_ROLE];
    bool forgotten;
    const uint32_t writer = fh_journal_writer(s->journal, step, file, reg, lane, &forgotten);
    struct fh_slice_node node = {.kind = FH_SLICE_REGISTER,
                                 .step = writer,
                                 .file = file,
                                 .reg = reg,
                                 .lane = has_lanes ? lane : 0,
                                 .bytes = 4};
    if (writer == FH_NO_STEP)
        node.kind = forgotten ? FH_SLICE_FORGOTTEN : FH_SLICE_INITIAL;
    else
        node.has_value = fh_journal_value(s->journal, writer, file, reg, lane, value);
    if (node.has_value)
        node.value = *value;
    else /* registers of different warps are different ones */
        node.step = step;
    snprintf(own_role, sizeof own_role, "%s%s%s%u", role, *role ? " " : "", names[file], reg);
    fh_slicing_edge(s, &node, *role && !strchr(role, ' ') && role[0] < 'a' ? role : own_role);
    return node.has_value;
}
