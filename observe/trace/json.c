/*
 * json.c - see json.h. Numbers are as they are; values of more than 32 bits and addresses are
 * strings of hexadecimal digits with 0x before them.
 */
#include "json.h"

#include <inttypes.h>
#include <stdio.h>

static void print_key(struct fh_trace_bytes *to, const char *key) {
    fh_trace_print(to, ", \"%s\": ", key);
}

static void print_triple(struct fh_trace_bytes *to, const char *key, const uint32_t n[3]) {
    fh_trace_print(to, ", \"%s\": [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]", key, n[0], n[1], n[2]);
}

static void print_number(struct fh_trace_bytes *to, const char *key, uint64_t value) {
    fh_trace_print(to, ", \"%s\": %" PRIu64, key, value);
}

static void print_address(struct fh_trace_bytes *to, uint64_t address) {
    print_key(to, "address");
    fh_trace_print(to, "\"0x%" PRIx64 "\"", address);
}

static void print_source(struct fh_trace_bytes *to, const struct fh_trace_instruction *at) {
    if (!at || !at->file)
        return;
    print_key(to, "source");
    fh_trace_print(to, "{\"file\": ");
    fh_trace_put_json(to, at->file);
    print_number(to, "line", at->line);
    print_number(to, "column", at->column);
    if (at->step_count)
        fh_trace_print(to, ", \"chain\": [");
    for (size_t i = 0; i < at->step_count; i++) {
        char what[256];
        fh_trace_step_text(&at->steps[i], what, sizeof what);
        fh_trace_print(to, "%s{\"what\": ", i ? ", " : "");
        fh_trace_put_json(to, what);
        print_key(to, "file");
        fh_trace_put_json(to, at->steps[i].file);
        fh_trace_print(to, ", \"line\": %" PRIu32 "}", at->steps[i].line);
    }
    fh_trace_print(to, at->step_count ? "]}" : "}");
}

static void print_registers(struct fh_trace_bytes *to, const struct fh_trace_view *view,
                            const struct fh_trace_record *r, bool read) {
    const char *before = "";
    print_key(to, read ? "reads" : "registers");
    fh_trace_print(to, "{");
    for (size_t i = 0; i < r->register_count; i++) {
        const struct fh_trace_register *reg = &r->registers[i];
        char name[8];
        if (reg->read != read || !fh_trace_shows_register(view->parts, reg))
            continue;
        fh_trace_register_name(reg, name);
        fh_trace_print(to, "%s\"%s\": ", before, name);
        before = ", ";
        for (unsigned lane = 0; lane < FHEC_WARP_LANES && reg->file == FHEC_FILE_R; lane++)
            fh_trace_print(to, "%s%" PRIu32 "%s", lane ? ", " : "[", reg->values[lane],
                           lane == 31 ? "]" : "");
        if (reg->file != FHEC_FILE_R)
            fh_trace_print(to, "%" PRIu32, reg->values[0]);
    }
    fh_trace_print(to, "}");
}

static void print_value(struct fh_trace_bytes *to, const uint32_t value[4][FHEC_WARP_LANES],
                        uint32_t bytes, uint32_t lane) {
    if (bytes <= 4) {
        fh_trace_print(to, "%" PRIu32, value[0][lane]);
        return;
    }
    fh_trace_print(to, "\"0x");
    for (uint32_t i = (bytes + 3) / 4; i-- > 0;)
        fh_trace_print(to, "%08" PRIx32, value[i][lane]);
    fh_trace_print(to, "\"");
}

static void print_access(struct fh_trace_bytes *to, const struct fh_trace_view *view,
                         struct fh_trace_names *names, const struct fh_trace_record *r,
                         const struct fh_trace_access *a) {
    const char *before = "";
    fh_trace_print(to, "{\"space\": \"%s\", \"kind\": \"%s\"", fhec_space_name(a->space),
                   fh_trace_access_name(a->access));
    print_number(to, "bytes", a->bytes);
    if (a->space == FHEC_SPACE_CONSTANT)
        print_number(to, "bank", a->bank);
    fh_trace_print(to, ", \"lanes\": [");
    for (uint32_t rest = a->lanes & view->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        char object[160];
        fh_trace_print(to, "%s{\"lane\": %" PRIu32, before, lane);
        before = ", ";
        print_address(to, a->address[lane]);
        print_key(to, "value");
        print_value(to, a->value, a->bytes, lane);
        if (a->has_old) {
            print_key(to, "old");
            print_value(to, a->old, a->bytes, lane);
        }
        fh_trace_object_text(names, r, a, lane, object, sizeof object);
        if (*object) {
            print_key(to, "at");
            fh_trace_put_json(to, object);
        }
        fh_trace_print(to, "}");
    }
    fh_trace_print(to, "]}");
}

static void print_instruction(struct fh_trace_bytes *to, const struct fh_trace_view *view,
                              struct fh_trace_names *names, const struct fh_trace_record *r) {
    const char *before = "";
    char name[256];
    fh_trace_instruction_text(names, r, name, sizeof name);
    print_key(to, "text");
    fh_trace_put_json(to, name);
    print_source(to, fh_trace_instruction_at(names, r->launch, r->pc));
    if (view->parts & FH_TRACE_READS)
        print_registers(to, view, r, true);
    if (view->parts & FH_TRACE_REGS)
        print_registers(to, view, r, false);
    if (!(view->parts & (FH_TRACE_MEM | FH_TRACE_CONSTANTS)))
        return;
    print_key(to, "accesses");
    fh_trace_print(to, "[");
    for (size_t i = 0; i < r->access_count; i++) {
        if (!fh_trace_shows_access(view->parts, &r->accesses[i]))
            continue;
        fh_trace_print(to, "%s", before);
        print_access(to, view, names, r, &r->accesses[i]);
        before = ", ";
    }
    fh_trace_print(to, "]");
}

static void print_next(struct fh_trace_bytes *to, const struct fh_trace_record *r) {
    const char *before = "";
    print_key(to, "next");
    fh_trace_print(to, "{");
    for (uint32_t rest = r->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fh_trace_print(to, "%s\"%" PRIu32 "\": %" PRIu64, before, lane, r->next[lane]);
        before = ", ";
    }
    fh_trace_print(to, "}");
}

/* The numbers of the kind, by their names; NULL: none. */
static const char *const number_names[FHEC_EVENT_KINDS][3] = {
    [FHEC_EVENT_LAUNCH_END] = {"status", "warp_insts"},
    [FHEC_EVENT_ARRIVE] = {"barrier", "arrived", "expected"},
    [FHEC_EVENT_RELEASE] = {"barrier", "released"},
    [FHEC_EVENT_CONVERGE] = {"joined"},
    [FHEC_EVENT_COPY] = {"copy"},
    [FHEC_EVENT_COPY_DONE] = {"first", "last"},
};

static void print_host(struct fh_trace_bytes *to, const struct fh_trace_record *r) {
    print_key(to, "name");
    fh_trace_put_json(to, r->text);
    print_address(to, r->numbers[0]);
    if (r->kind == FHEC_EVENT_FREE)
        return;
    print_number(to, "offset", r->numbers[1]);
    print_number(to, "bytes", r->numbers[2]);
}

static void print_fault(struct fh_trace_bytes *to, const struct fh_trace_record *r) {
    print_key(to, "fault");
    fh_trace_put_json(to, r->text);
    if (!r->message)
        return;
    print_key(to, "message");
    fh_trace_put_json(to, r->message);
}

static void print_launch(struct fh_trace_bytes *to, const struct fh_trace_names *names,
                         const struct fh_trace_record *r) {
    const struct fh_trace_launch *l = &names->launches[r->launch];
    print_number(to, "launch", l->number);
    print_key(to, "kernel");
    fh_trace_put_json(to, names->kernels[l->kernel].name);
    if (r->kind != FHEC_EVENT_LAUNCH_BEGIN)
        return;
    print_triple(to, "grid", l->grid);
    print_triple(to, "block", l->block);
}

/* Where it happened, as far as the kind has a place. */
static void print_where(struct fh_trace_bytes *to, const struct fh_trace_record *r) {
    const bool of_block = r->kind == FHEC_EVENT_BLOCK_BEGIN || r->kind == FHEC_EVENT_BLOCK_END;
    print_triple(to, "block", r->block);
    if (of_block)
        return;
    print_number(to, "warp", r->warp);
    if (r->kind != FHEC_EVENT_WARP_BEGIN)
        print_number(to, "pc", r->pc);
    print_number(to, "lanes", r->lanes);
    if (fh_trace_is_instruction(r))
        print_number(to, "active", r->active);
}

void fh_trace_json(struct fh_trace_bytes *to, const struct fh_trace_view *view,
                   struct fh_trace_names *names, const struct fh_trace_record *r) {
    const bool host = r->kind >= FHEC_EVENT_ALLOC, instruction = fh_trace_is_instruction(r);
    const bool launch = r->kind == FHEC_EVENT_LAUNCH_BEGIN || r->kind == FHEC_EVENT_LAUNCH_END;
    if (!instruction && !fh_trace_shows(view->parts, r->kind))
        return;
    fh_trace_print(to, "{\"event\": \"%s\"",
                   r->kind == FHEC_EVENT_RETIRE ? "instruction" : fhec_event_name(r->kind));
    if (!host)
        print_launch(to, names, r);
    if (!host && !launch)
        print_where(to, r);
    if (instruction)
        print_instruction(to, view, names, r);
    for (unsigned i = 0; i < 3 && number_names[r->kind][i]; i++)
        print_number(to, number_names[r->kind][i], r->numbers[i]);
    if (r->kind == FHEC_EVENT_DIVERGE)
        print_next(to, r);
    if (host)
        print_host(to, r);
    if (r->kind == FHEC_EVENT_FAULT)
        print_fault(to, r);
    fh_trace_print(to, "}\n");
}
