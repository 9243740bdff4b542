/*
 * text.c - see text.h.
 */
#include "text.h"

#include "describe.h"
#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- instructions */

static void print_block(struct fh_trace_bytes *to, const struct fh_trace_record *r) {
    fh_trace_print(to, "b%u,%u,%u", r->block[0], r->block[1], r->block[2]);
}

static void print_fetch(struct fh_trace_bytes *to, const struct fh_trace_names *names,
                        const struct fh_trace_record *r) {
    char text[256];
    fh_trace_instruction_text(names, r, text, sizeof text);
    print_block(to, r);
    fh_trace_print(to, " w%u %04" PRIx64 " %08" PRIx32 "  %s", r->warp, r->pc, r->active, text);
    fh_trace_print_source(to, fh_trace_instruction_at(names, r->launch, r->pc));
    fh_trace_print(to, "\n");
}

/* The 32 lanes; a line of 8 at a time, or all on one. */
static void print_lanes(struct fh_trace_bytes *to, const char *name,
                        const struct fh_trace_register *reg, uint32_t active, bool wide) {
    const size_t begin = to->count;
    fh_trace_print(to, "    %s =", name);
    const int head = (int)(to->count - begin);
    for (unsigned lane = 0; lane < FHEC_WARP_LANES; lane++) {
        const bool acts = reg->read || active >> lane & 1, last = lane % 8 == 7 && !wide;
        if (lane && lane % 8 == 0 && !wide)
            fh_trace_print(to, "\n%*s", head, "");
        fh_trace_print(to, acts ? "  %08" PRIx32 "%s" : " (%08" PRIx32 ")%s", reg->values[lane],
                       acts && !last && lane != 31 ? " " : "");
    }
    fh_trace_print(to, "\n");
}

static void print_register(const struct fh_trace_text *text, struct fh_trace_bytes *to,
                           const struct fh_trace_register *reg, uint32_t active) {
    char name[16], plain[8];
    fh_trace_register_name(reg, plain);
    snprintf(name, sizeof name, "%s%s", reg->read ? "reads " : "", plain);
    switch (reg->file) {
    case FHEC_FILE_R: print_lanes(to, name, reg, active, text->format == FH_TRACE_WIDE); break;
    case FHEC_FILE_UP: fh_trace_print(to, "    %s = %" PRIu32 "\n", name, reg->values[0]); break;
    default: fh_trace_print(to, "    %s = %08" PRIx32 "\n", name, reg->values[0]); break;
    }
}

/* The highest bytes first. */
static void print_value(struct fh_trace_bytes *to, const uint32_t value[4][FHEC_WARP_LANES],
                        uint32_t bytes, uint32_t lane) {
    if (bytes % 4)
        fh_trace_print(to, "%0*" PRIx32, (int)(2 * (bytes % 4)), value[bytes / 4][lane]);
    for (uint32_t i = bytes / 4; i-- > 0;)
        fh_trace_print(to, "%08" PRIx32, value[i][lane]);
}

static void print_lane_access(struct fh_trace_bytes *to, struct fh_trace_names *names,
                              const struct fh_trace_record *r, const struct fh_trace_access *a,
                              uint32_t lane) {
    char object[160];
    fh_trace_print(to, "0x%" PRIx64 " = ", a->address[lane]);
    if (a->has_old) {
        print_value(to, a->old, a->bytes, lane);
        fh_trace_print(to, " -> ");
    }
    print_value(to, a->value, a->bytes, lane);
    fh_trace_object_text(names, r, a, lane, object, sizeof object);
    if (*object)
        fh_trace_print(to, "  %s", object);
}

static void print_access(const struct fh_trace_text *text, struct fh_trace_bytes *to,
                         struct fh_trace_names *names, const struct fh_trace_record *r,
                         const struct fh_trace_access *a) {
    const uint32_t lanes = a->lanes & text->view.lanes;
    const char *space = fhec_space_name(a->space), *what = fh_trace_access_name(a->access);
    if (text->format == FH_TRACE_WIDE && lanes)
        fh_trace_print(to, "    %s %s %u lanes %08" PRIx32, space, what, a->bytes, lanes);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (text->format == FH_TRACE_WIDE)
            fh_trace_print(to, "%s ", rest == lanes ? "" : ",");
        else
            fh_trace_print(to, "    %s %s %u lane %u ", space, what, a->bytes, lane);
        print_lane_access(to, names, r, a, lane);
        if (text->format != FH_TRACE_WIDE)
            fh_trace_print(to, "\n");
    }
    if (text->format == FH_TRACE_WIDE && lanes)
        fh_trace_print(to, "\n");
}

static void print_instruction(struct fh_trace_text *text, struct fh_trace_names *names,
                              const struct fh_trace_record *r) {
    struct fh_trace_bytes *to = &text->line;
    if (text->view.parts & FH_TRACE_FETCH)
        print_fetch(to, names, r);
    for (size_t i = 0; i < r->register_count; i++)
        if (r->registers[i].read && text->view.parts & FH_TRACE_READS)
            print_register(text, to, &r->registers[i], r->active);
    for (size_t i = 0; i < r->access_count; i++)
        if (fh_trace_shows_access(text->view.parts, &r->accesses[i]))
            print_access(text, to, names, r, &r->accesses[i]);
    for (size_t i = 0; i < r->register_count; i++)
        if (!r->registers[i].read && text->view.parts & FH_TRACE_REGS)
            print_register(text, to, &r->registers[i], r->active);
}

/* ---------------------------------------------------------------- everything else */

/* What comes of an instruction stands below it; where instructions are not shown, behind the warp's
 * number and the pc. */
static void begin_line(struct fh_trace_bytes *to, const struct fh_trace_record *r, unsigned parts) {
    if (!(parts & FH_TRACE_FETCH)) {
        print_block(to, r);
        fh_trace_print(to, " w%u %04" PRIx64, r->warp, r->pc);
    }
    fh_trace_print(to, "    ");
}

/* Where the lanes go, those of one place together. */
static void print_parting(struct fh_trace_bytes *to, const struct fh_trace_record *r) {
    const char *before = "lanes ";
    for (uint32_t rest = r->lanes; rest;) {
        const uint64_t pc = r->next[__builtin_ctz(rest)];
        uint32_t same = 0;
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
            same |= (uint32_t)(r->next[lane] == pc) << lane;
        same &= rest;
        rest &= ~same;
        fh_trace_print(to, "%s%08" PRIx32 " go to %04" PRIx64, before, same, pc);
        before = ", ";
    }
    fh_trace_print(to, "\n");
}

static void print_launch(struct fh_trace_bytes *to, const struct fh_trace_names *names,
                         const struct fh_trace_record *r) {
    const struct fh_trace_launch *l = &names->launches[r->launch];
    const char *kernel = names->kernels[l->kernel].name;
    if (r->kind == FHEC_EVENT_LAUNCH_BEGIN)
        fh_trace_print(to, "launch %" PRIu64 ": kernel %s, grid %u,%u,%u, block %u,%u,%u\n",
                       l->number, kernel, l->grid[0], l->grid[1], l->grid[2], l->block[0],
                       l->block[1], l->block[2]);
    else
        fh_trace_print(to, "launch %" PRIu64 " ends: kernel %s, %" PRIu64 " warp instructions\n",
                       l->number, kernel, r->numbers[1]);
}

static void print_host(struct fh_trace_bytes *to, const struct fh_trace_record *r) {
    static const char *const verbs[] = {"allocates", "releases", "writes", "reads"};
    fh_trace_print(to, "host %s %s", verbs[r->kind - FHEC_EVENT_ALLOC], r->text);
    if (r->kind != FHEC_EVENT_FREE)
        fh_trace_print(to, "+%" PRIu64 ", %" PRIu64 " bytes", r->numbers[1], r->numbers[2]);
    fh_trace_print(to, "\n");
}

/* Of a block or a warp that begins or ends, or whose lanes meet: it has a line of its own. */
static void print_warp(struct fh_trace_bytes *to, const struct fh_trace_record *r) {
    print_block(to, r);
    switch (r->kind) {
    case FHEC_EVENT_BLOCK_BEGIN: fh_trace_print(to, " begins\n"); break;
    case FHEC_EVENT_BLOCK_END: fh_trace_print(to, " ends\n"); break;
    case FHEC_EVENT_CONVERGE:
        fh_trace_print(to,
                       " w%u %04" PRIx64 " lanes %08" PRIx32 " meet: %08" PRIx32 " have joined\n",
                       r->warp, r->pc, r->lanes, (uint32_t)r->numbers[0]);
        break;
    default:
        fh_trace_print(to, " w%u %s, lanes %08" PRIx32 "\n", r->warp,
                       r->kind == FHEC_EVENT_WARP_BEGIN ? "begins" : "ends", r->lanes);
        break;
    }
}

/* Of what comes of an instruction. */
static void print_effect(struct fh_trace_bytes *to, const struct fh_trace_record *r,
                         unsigned parts) {
    const uint64_t *n = r->numbers;
    begin_line(to, r, parts);
    switch (r->kind) {
    case FHEC_EVENT_ARRIVE:
        fh_trace_print(
            to, "barrier %" PRIu64 ": lanes %08" PRIx32 " arrive, %" PRIu64 " of %" PRIu64 "\n",
            n[0], r->lanes, n[1], n[2]);
        break;
    case FHEC_EVENT_RELEASE:
        fh_trace_print(to, "barrier %" PRIu64 " lets %" PRIu64 " lanes go\n", n[0], n[1]);
        break;
    case FHEC_EVENT_COPY: fh_trace_print(to, "copy %" PRIu64 " is issued\n", n[0]); break;
    case FHEC_EVENT_COPY_DONE:
        fh_trace_print(to, "copies %" PRIu64 " to %" PRIu64 " are done\n", n[0], n[1]);
        break;
    default: print_parting(to, r); break;
    }
}

static void print_fault(struct fh_trace_bytes *to, const struct fh_trace_record *r) {
    print_block(to, r);
    fh_trace_print(to, " w%u %04" PRIx64 " lanes %08" PRIx32 " fault: %s", r->warp, r->pc, r->lanes,
                   r->text);
    if (r->message)
        fh_trace_print(to, ": %s", r->message);
    fh_trace_print(to, "\n");
}

static void print_other(struct fh_trace_bytes *to, const struct fh_trace_names *names,
                        const struct fh_trace_record *r, unsigned parts) {
    switch (r->kind) {
    case FHEC_EVENT_LAUNCH_BEGIN:
    case FHEC_EVENT_LAUNCH_END: print_launch(to, names, r); break;
    case FHEC_EVENT_BLOCK_BEGIN:
    case FHEC_EVENT_BLOCK_END:
    case FHEC_EVENT_WARP_BEGIN:
    case FHEC_EVENT_WARP_END:
    case FHEC_EVENT_CONVERGE: print_warp(to, r); break;
    case FHEC_EVENT_ARRIVE:
    case FHEC_EVENT_RELEASE:
    case FHEC_EVENT_COPY:
    case FHEC_EVENT_COPY_DONE:
    case FHEC_EVENT_DIVERGE: print_effect(to, r, parts); break;
    case FHEC_EVENT_FAULT: print_fault(to, r); break;
    default: print_host(to, r); break;
    }
}

static bool put(void *user, struct fh_trace_names *names, const struct fh_trace_record *record) {
    struct fh_trace_text *text = user;
    if (text->format == FH_TRACE_JSON)
        fh_trace_json(&text->line, &text->view, names, record);
    else if (fh_trace_is_instruction(record))
        print_instruction(text, names, record);
    else if (fh_trace_shows(text->view.parts, record->kind))
        print_other(&text->line, names, record, text->view.parts);
    return fh_trace_flush(&text->line, &text->out);
}

struct fh_trace_sink fh_trace_text_sink(struct fh_trace_text *text) {
    return (struct fh_trace_sink){text, put};
}
