/*
 * log_parse.c - see log_parse.h; how it is written: log_write.c.
 */
#include "log_parse.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- numbers */

static bool fail(struct fh_trace_parse *p) {
    p->bad = true;
    p->at = p->end;
    return false;
}

static unsigned take_byte(struct fh_trace_parse *p) {
    if (p->at == p->end) {
        (void)fail(p);
        return 0;
    }
    return *p->at++;
}

uint64_t fh_trace_parse_number(struct fh_trace_parse *p) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const unsigned byte = take_byte(p);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return p->bad ? 0 : value;
    }
    (void)fail(p);
    return 0;
}

static uint64_t take_signed(struct fh_trace_parse *p) {
    const uint64_t value = fh_trace_parse_number(p);
    return value >> 1 ^ (0 - (value & 1));
}

static uint64_t take_fixed(struct fh_trace_parse *p, unsigned bytes) {
    uint64_t value = 0;
    if ((size_t)(p->end - p->at) < bytes) {
        (void)fail(p);
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)*p->at++ << 8 * i;
    return value;
}

uint64_t fh_trace_parse_count(struct fh_trace_parse *p) {
    const uint64_t count = fh_trace_parse_number(p);
    if (count <= (uint64_t)(p->end - p->at))
        return count;
    (void)fail(p);
    return 0;
}

/* A number below `limit`. */
static uint64_t take_below(struct fh_trace_parse *p, uint64_t limit) {
    const uint64_t value = fh_trace_parse_number(p);
    if (value < limit)
        return value;
    (void)fail(p);
    return 0;
}

/* Values of 4 or 8 bytes, for the lanes. */
static void take_row(struct fh_trace_parse *p, uint32_t lanes, unsigned bytes,
                     uint64_t values[FHEC_WARP_LANES]) {
    const unsigned mode = take_byte(p);
    uint64_t value = mode == FH_ROW_RAW ? 0 : fh_trace_parse_number(p), step = 0;
    if (mode == FH_ROW_LINEAR)
        step = take_signed(p);
    if (mode > FH_ROW_RAW)
        (void)fail(p);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        values[__builtin_ctz(rest)] = mode == FH_ROW_RAW ? take_fixed(p, bytes) : value;
        value += step;
    }
}

static void take_words(struct fh_trace_parse *p, uint32_t lanes, uint32_t words[FHEC_WARP_LANES]) {
    uint64_t values[FHEC_WARP_LANES];
    take_row(p, lanes, 4, values);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        words[__builtin_ctz(rest)] = (uint32_t)values[__builtin_ctz(rest)];
}

/* Text that the names keep; *text is NULL if it is empty. */
static bool take_text(struct fh_trace_parse *p, struct fh_trace_names *names, const char **text) {
    const uint64_t length = fh_trace_parse_count(p);
    *text = NULL;
    if (p->bad || memchr(p->at, 0, (size_t)length))
        return fail(p);
    if (length) {
        *text = fh_trace_string(names, (const char *)p->at, (size_t)length);
        p->no_memory |= !*text;
    }
    p->at += length;
    return !p->no_memory;
}

/* ---------------------------------------------------------------- records */

static void take_position(struct fh_trace_parse *p, const struct fh_trace_names *names,
                          struct fh_trace_record *r) {
    struct fh_trace_position *last = &p->last;
    const unsigned flags = take_byte(p);
    if (!(flags & FH_SAME_LAUNCH))
        last->launch = (uint32_t)take_below(p, names->launch_count);
    for (unsigned i = 0; i < 3 && !(flags & FH_SAME_BLOCK); i++)
        last->block[i] = (uint32_t)fh_trace_parse_number(p);
    if (!(flags & FH_SAME_WARP))
        last->warp = (uint32_t)fh_trace_parse_number(p);
    last->pc += flags & FH_NEXT_PC ? 16 : take_signed(p);
    r->lanes = flags & FH_ALL_LANES ? UINT32_MAX : (uint32_t)take_fixed(p, 4);
    r->active = flags & FH_ALL_ACTIVE ? r->lanes : (uint32_t)take_fixed(p, 4);
    r->launch = last->launch;
    memcpy(r->block, last->block, sizeof r->block);
    r->warp = last->warp;
    r->pc = last->pc;
}

static void take_register(struct fh_trace_parse *p, struct fh_trace_register *reg) {
    const unsigned head = take_byte(p);
    reg->read = head & 0x80;
    reg->file = (fhec_register_file)(head & 0x7f);
    reg->number = (uint32_t)take_below(p, 256);
    if ((head & 0x7f) > FHEC_FILE_UP)
        (void)fail(p);
    else if (reg->file == FHEC_FILE_R)
        take_words(p, UINT32_MAX, reg->values);
    else
        reg->values[0] = (uint32_t)fh_trace_parse_number(p);
}

static void take_access(struct fh_trace_parse *p, struct fh_trace_access *a) {
    const unsigned head = take_byte(p);
    a->space = (fhec_space)(head & 3);
    a->access = head >> 2 & 3;
    a->has_old = head & 0x10;
    a->bytes = (uint32_t)take_below(p, 17);
    a->bank = (uint32_t)fh_trace_parse_number(p);
    a->lanes = (uint32_t)take_fixed(p, 4);
    if (!a->bytes || !a->lanes || !a->access || head > 0x1f)
        (void)fail(p);
    take_row(p, a->lanes, 8, a->address);
    for (uint32_t i = 0; i < (a->bytes + 3) / 4; i++)
        take_words(p, a->lanes, a->value[i]);
    for (uint32_t i = 0; i < (a->bytes + 3) / 4 && a->has_old; i++)
        take_words(p, a->lanes, a->old[i]);
}

static bool take_instruction(struct fh_trace_parse *p, struct fh_trace_record *r) {
    const uint64_t registers = take_below(p, FH_MOST_PARTS);
    p->no_memory |=
        !fh_trace_room(&r->registers, &r->register_room, registers, sizeof *r->registers);
    for (uint64_t i = 0; i < registers && !p->bad && !p->no_memory; i++)
        take_register(p, &r->registers[r->register_count++]);
    const uint64_t accesses = take_below(p, FH_MOST_PARTS);
    p->no_memory |= !fh_trace_room(&r->accesses, &r->access_room, accesses, sizeof *r->accesses);
    for (uint64_t i = 0; i < accesses && !p->bad && !p->no_memory; i++)
        take_access(p, &r->accesses[r->access_count++]);
    return !p->bad && !p->no_memory;
}

static bool take_other(struct fh_trace_parse *p, struct fh_trace_names *names,
                       struct fh_trace_record *r) {
    for (unsigned i = 0; i < 3; i++)
        r->numbers[i] = fh_trace_parse_number(p);
    if (r->kind == FHEC_EVENT_DIVERGE)
        take_row(p, r->lanes, 8, r->next);
    return take_text(p, names, &r->text) && take_text(p, names, &r->message);
}

static fhec_event_kind take_kind(struct fh_trace_parse *p) {
    const unsigned code = take_byte(p);
    unsigned kind = 0;
    while (kind < FHEC_EVENT_KINDS && (!code || fh_trace_codes[kind] != code))
        kind++;
    if (kind < FHEC_EVENT_KINDS)
        return (fhec_event_kind)kind;
    (void)fail(p);
    return FHEC_EVENT_FAULT;
}

bool fh_trace_parse_record(struct fh_trace_parse *p, struct fh_trace_names *names,
                           struct fh_trace_record *r) {
    r->kind = take_kind(p);
    r->register_count = r->access_count = 0;
    r->text = r->message = NULL;
    memset(r->numbers, 0, sizeof r->numbers);
    take_position(p, names, r);
    const bool host = r->kind >= FHEC_EVENT_ALLOC;
    if (p->bad || (!host && r->launch >= names->launch_count))
        return fail(p);
    if (fh_trace_is_instruction(r))
        return take_instruction(p, r);
    if (!take_other(p, names, r) || p->bad)
        return false;
    return r->text || (!host && r->kind != FHEC_EVENT_FAULT) ? true : fail(p);
}

/* ---------------------------------------------------------------- names */

/* One of the strings; NULL for number 0, if that may be. */
static const char *take_string(struct fh_trace_parse *p, const struct fh_trace_names *names,
                               bool optional) {
    const uint64_t i = take_below(p, names->string_count + 1);
    if (!i && !optional)
        (void)fail(p);
    return i ? names->strings[i - 1] : NULL;
}

/* Strings by their numbers: also one that is there twice has two. */
static bool take_strings(struct fh_trace_parse *p, struct fh_trace_names *names) {
    const uint64_t count = take_below(p, FH_MOST_STRINGS);
    for (uint64_t i = 0; i < count && !p->no_memory; i++) {
        const uint64_t length = fh_trace_parse_count(p);
        if (p->bad || memchr(p->at, 0, (size_t)length))
            return fail(p);
        p->no_memory = !fh_trace_string_append(names, (const char *)p->at, (size_t)length);
        p->at += length;
    }
    return !p->bad && !p->no_memory;
}

static bool take_steps(struct fh_trace_parse *p, const struct fh_trace_names *names,
                       struct fh_trace_instruction *at) {
    const uint64_t count = fh_trace_parse_count(p);
    if (p->bad || at->steps)
        return fail(p);
    at->steps = count ? calloc((size_t)count, sizeof *at->steps) : NULL;
    p->no_memory |= count && !at->steps;
    for (uint64_t i = 0; i < count && !p->bad && !p->no_memory; i++) {
        struct fh_trace_step *step = &at->steps[at->step_count++];
        step->what = take_string(p, names, false);
        step->file = take_string(p, names, false);
        step->line = (uint32_t)fh_trace_parse_number(p);
        step->iteration = (uint32_t)fh_trace_parse_number(p);
    }
    return !p->bad && !p->no_memory;
}

static bool take_code(struct fh_trace_parse *p, const struct fh_trace_names *names,
                      struct fh_trace_kernel *k) {
    const uint64_t count = fh_trace_parse_count(p);
    uint64_t at = 0;
    for (uint64_t i = 0; i < count; i++) {
        at += take_below(p, FH_MOST_INSTRUCTIONS);
        if (p->bad || p->instructions + at >= FH_MOST_INSTRUCTIONS)
            return fail(p);
        struct fh_trace_instruction *to = fh_trace_instruction_room(k, at * 16);
        p->no_memory |= !to;
        if (!to)
            return false;
        to->known = true;
        to->word.lo = take_fixed(p, 8);
        to->word.hi = take_fixed(p, 8);
        to->file = take_string(p, names, true);
        to->line = (uint32_t)fh_trace_parse_number(p);
        to->column = (uint32_t)fh_trace_parse_number(p);
        if (!take_steps(p, names, to))
            return false;
    }
    p->instructions += k->count;
    return !p->bad;
}

static bool take_kernels(struct fh_trace_parse *p, struct fh_trace_names *names) {
    const uint64_t count = fh_trace_parse_count(p);
    if (!fh_trace_room(&names->kernels, &names->kernel_room, count, sizeof *names->kernels))
        p->no_memory = true;
    for (uint64_t i = 0; i < count && !p->no_memory; i++) {
        struct fh_trace_kernel *k = &names->kernels[names->kernel_count++];
        *k = (struct fh_trace_kernel){.name = take_string(p, names, false)};
        if (p->bad || !take_code(p, names, k))
            return false;
    }
    return !p->bad && !p->no_memory;
}

static bool take_launches(struct fh_trace_parse *p, struct fh_trace_names *names) {
    const uint64_t count = fh_trace_parse_count(p);
    if (!fh_trace_room(&names->launches, &names->launch_room, count, sizeof *names->launches))
        p->no_memory = true;
    for (uint64_t i = 0; i < count && !p->no_memory && !p->bad; i++) {
        struct fh_trace_launch *l = &names->launches[names->launch_count++];
        l->number = fh_trace_parse_number(p);
        l->kernel = (size_t)take_below(p, names->kernel_count);
        for (unsigned k = 0; k < 3; k++) {
            l->grid[k] = (uint32_t)fh_trace_parse_number(p);
            l->block[k] = (uint32_t)fh_trace_parse_number(p);
        }
    }
    return !p->bad && !p->no_memory;
}

static bool take_objects(struct fh_trace_parse *p, struct fh_trace_names *names) {
    const uint64_t count = take_below(p, FH_MOST_OBJECTS);
    p->no_memory |=
        !fh_trace_room(&names->objects, &names->object_room, count, sizeof *names->objects);
    for (uint64_t i = 0; i < count && !p->no_memory; i++) {
        struct fh_trace_object o = {.name = take_string(p, names, false)};
        o.space = (fhec_space)take_below(p, FHEC_SPACE_CONSTANT + 1);
        o.bank = (uint32_t)fh_trace_parse_number(p);
        o.launch = (uint32_t)fh_trace_parse_number(p);
        o.base = fh_trace_parse_number(p);
        o.size = fh_trace_parse_number(p);
        if (p->bad)
            return false;
        names->objects[names->object_count++] = o;
    }
    return !p->bad && !p->no_memory;
}

bool fh_trace_parse_names(struct fh_trace_parse *p, struct fh_trace_names *names) {
    return take_strings(p, names) && take_kernels(p, names) && take_launches(p, names) &&
           take_objects(p, names) && p->at == p->end;
}
