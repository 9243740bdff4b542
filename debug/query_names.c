/*
 * query_names.c - what names and registers of an expression stand for.
 */
#include <stdio.h>
#include <string.h>

#include "nearest.h"
#include "query_state.h"

enum { ZERO_R = 255, ZERO_UR = 63, TRUE_P = 7, EXPANDED_MAX = 8, NAME_MAX = 128 };
enum { PARAMETERS = 0x160 }; /* where they are in constant bank 0 */

uint32_t fh_query_lanes(const struct fh_query_state *s) {
    const struct fh_query_place *place = &s->place;
    fhec_warp_info info;
    if (!place->session ||
        fhec_session_warp(place->session, place->block, place->warp, &info) != FHEC_OK)
        return s->only;
    return info.lanes & ~info.exited & s->only;
}

bool fh_query_pc(const struct fh_query_place *place, uint64_t *pc) {
    fhec_warp_info info;
    if (!place->session ||
        fhec_session_warp(place->session, place->block, place->warp, &info) != FHEC_OK)
        return false;
    for (uint32_t i = 0; i < info.group_count; i++) {
        if (!(info.groups[i].lanes >> (place->lane & 31) & 1))
            continue;
        *pc = info.groups[i].pc;
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------- registers */

/* One register's values in all lanes. */
static bool read_register(struct fh_query_state *s, const struct fh_query_node *node, unsigned reg,
                          uint32_t values[FHEC_WARP_LANES]) {
    const struct fh_query_place *p = &s->place;
    memset(values, 0, FHEC_WARP_LANES * sizeof *values);
    if ((node->file == FHEC_FILE_R && reg == ZERO_R) ||
        (node->file == FHEC_FILE_UR && reg == ZERO_UR))
        return true;
    if ((node->file == FHEC_FILE_P || node->file == FHEC_FILE_UP) && reg == TRUE_P) {
        values[0] = node->file == FHEC_FILE_P ? UINT32_MAX : 1;
        return true;
    }
    if (!p->session)
        return fh_query_fail(s, node, "no launch is under way, so there are no registers");
    if (fhec_session_read_register(p->session, p->block, p->warp, node->file, reg, values) ==
        FHEC_OK)
        return true;
    return fh_query_fail(s, node, "there is no such register in block (%u,%u,%u), warp %u, now",
                         p->block[0], p->block[1], p->block[2], p->warp);
}

bool fh_query_register(struct fh_query_state *s, const struct fh_query_node *node,
                       struct fh_query_value *value) {
    const bool lanes = node->file == FHEC_FILE_R || node->file == FHEC_FILE_P;
    uint32_t low[FHEC_WARP_LANES], high[FHEC_WARP_LANES] = {0};
    if (!read_register(s, node, node->reg, low) ||
        (node->count == 2 && !read_register(s, node, node->reg + 1u, high)))
        return false;
    *value = fh_query_one(0, node->count == 2 ? 64 : 32, false);
    for (unsigned i = 0; i < FHEC_WARP_LANES; i++)
        value->values[i] =
            node->file == FHEC_FILE_P ? low[0] >> i & 1 : low[i] | (uint64_t)high[i] << 32;
    if (node->file == FHEC_FILE_P || node->file == FHEC_FILE_UP)
        value->truth = value->is_signed = true;
    if (lanes && s->place.all_lanes) {
        value->per_lane = true;
        value->lanes = fh_query_lanes(s);
    } else if (lanes) {
        value->values[0] = value->values[s->place.lane & 31];
    }
    return true;
}

bool fh_query_register_of(struct fh_query_state *s, const struct fh_query_node *node,
                          const struct fh_query_registers *registers, int64_t index,
                          struct fh_query_value *value) {
    struct fh_query_node of = *node;
    if (index < registers->low || index - registers->low >= registers->count)
        return fh_query_fail(s, node, "index %lld is not within %u to %u", (long long)index,
                             registers->low, registers->low + registers->count - 1);
    of.file = registers->file;
    of.reg = (uint16_t)(registers->first + (uint64_t)index - registers->low);
    of.count = 1;
    return fh_query_register(s, &of, value);
}

bool fh_query_place_value(struct fh_query_state *s, const struct fh_query_node *node,
                          struct fh_query_value *value) {
    const struct fh_query_place *p = &s->place;
    *value = fh_query_one(0, 32, true);
    switch (node->number) {
    case FH_AT_LANE:
        value->values[0] = p->lane;
        value->per_lane = p->all_lanes;
        value->lanes = p->all_lanes ? fh_query_lanes(s) : UINT32_MAX;
        for (unsigned i = 0; p->all_lanes && i < FHEC_WARP_LANES; i++)
            value->values[i] = i;
        break;
    case FH_AT_WARP: value->values[0] = p->warp; break;
    default: value->values[0] = p->block[node->number - FH_AT_BLOCK_X]; break;
    }
    return true;
}

/* ---------------------------------------------------------------- names */

static bool kernel_of(const struct fh_query_place *place, fhec_kernel_info *info) {
    return place->launch &&
           fhec_kernel_get(place->launch->program, place->launch->kernel, info) == FHEC_OK;
}

/* The launch's parameter of that name; *found says whether there is one. */
static bool parameter(struct fh_query_state *s, const struct fh_query_node *node, const char *name,
                      bool *found, struct fh_query_value *value) {
    fhec_kernel_info info;
    *found = false;
    for (uint32_t i = 0; kernel_of(&s->place, &info) && i < info.param_count; i++) {
        const fhec_param_info *p = &info.params[i];
        uint64_t bytes = 0;
        if (strcmp(p->name, name) != 0)
            continue;
        *found = true;
        if (p->size > sizeof bytes || p->offset > s->place.launch->param_bytes ||
            p->size > s->place.launch->param_bytes - p->offset)
            return fh_query_fail(s, node, "the parameter %s has %u bytes and is no number", name,
                                 p->size);
        memcpy(&bytes, (const uint8_t *)s->place.launch->params + p->offset, p->size);
        if (s->place.session) /* the launch may have been given another value */
            (void)fhec_session_read(s->place.session, FHEC_SPACE_CONSTANT, 0, NULL,
                                    PARAMETERS + p->offset, &bytes, p->size);
        *value = fh_query_one(bytes, p->size > 4 ? 64 : 32, p->size < 4);
        return true;
    }
    return true;
}

/* There is no such name: which one was meant? */
static bool unknown(struct fh_query_state *s, const struct fh_query_node *node, const char *name) {
    static const char *const always[] = {"lane",    "warp",   "block.x", "block.y",
                                         "block.z", "shared", "global",  "local"};
    const struct fh_query_names *names = s->place.names;
    fhec_kernel_info info;
    struct fh_nearest nearest;
    const char *candidate;
    fh_nearest_begin(&nearest, name, strlen(name));
    for (size_t i = 0; names && names->name && (candidate = names->name(names->user, &s->place, i));
         i++)
        fh_nearest_try(&nearest, candidate, strlen(candidate));
    for (uint32_t i = 0; kernel_of(&s->place, &info) && i < info.param_count; i++)
        fh_nearest_try(&nearest, info.params[i].name, strlen(info.params[i].name));
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        fh_nearest_try(&nearest, always[i], strlen(always[i]));
    if (nearest.best)
        return fh_query_fail(s, node, "there is no `%.64s`; did you mean `%.*s`?", name,
                             (int)nearest.best_length, nearest.best);
    return fh_query_fail(s, node, "there is no `%.64s`", name);
}

static bool take_name(struct fh_query_state *s, const struct fh_query_node *node,
                      char name[NAME_MAX]) {
    if (node->length >= NAME_MAX)
        return fh_query_fail(s, node, "the name is too long");
    memcpy(name, s->query->text + node->at, node->length);
    name[node->length] = '\0';
    return true;
}

bool fh_query_parameter(struct fh_query_state *s, const struct fh_query_node *node,
                        struct fh_query_value *value) {
    char name[NAME_MAX];
    bool found = false;
    return take_name(s, node, name) && parameter(s, node, name, &found, value) &&
           (found || unknown(s, node, name));
}

/* A name that stands for an expression of its own. */
static bool expand(struct fh_query_state *s, const struct fh_query_node *node, const char *text,
                   uint32_t lanes, struct fh_query_value *value) {
    struct fh_query_error error;
    struct fh_query *query;
    if (s->expanded == EXPANDED_MAX)
        return fh_query_fail(s, node, "the name stands for itself");
    if (fh_query_parse(text, &query, &error) != FHEC_OK)
        return fh_query_fail(s, node, "it stands for `%.48s`, which is wrong: %.80s", text,
                             error.message);
    const struct fh_query_state before = *s;
    s->query = query;
    s->outer = s->outer ? s->outer : node;
    s->expanded++;
    const bool good = fh_query_at(s, query->root, lanes, NULL, value);
    *s = before;
    fh_query_free(query);
    return good;
}

bool fh_query_is_registers(struct fh_query_state *s, const struct fh_query_node *node,
                           struct fh_query_registers *registers) {
    const struct fh_query_names *names = s->place.names;
    char name[NAME_MAX];
    if (node->kind != FH_QUERY_NAME || node->length >= NAME_MAX || !names || !names->registers)
        return false;
    memcpy(name, s->query->text + node->at, node->length);
    name[node->length] = '\0';
    return names->registers(names->user, &s->place, name, registers);
}

bool fh_query_name(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                   struct fh_query_value *value) {
    const struct fh_query_names *names = s->place.names;
    struct fh_query_registers registers;
    char name[NAME_MAX], text[1024];
    bool found = false;
    if (!take_name(s, node, name))
        return false;
    if (fh_query_is_registers(s, node, &registers))
        return fh_query_register_of(s, node, &registers, registers.low, value);
    if (names && names->text && names->text(names->user, &s->place, name, text, sizeof text))
        return expand(s, node, text, lanes, value);
    *value = (struct fh_query_value){.is_array = true, .lanes = UINT32_MAX};
    if (names && names->array && names->array(names->user, &s->place, name, &value->array))
        return true;
    value->is_array = false;
    if (!parameter(s, node, name, &found, value) || found)
        return found;
    if (names && names->argument &&
        names->argument(names->user, &s->place, name, text, sizeof text))
        return expand(s, node, text, lanes, value);
    return unknown(s, node, name);
}
