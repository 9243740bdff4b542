/*
 * recorder.c - an observer that makes records of events: what one instruction gives, from its issue
 * to its retirement, becomes one record.
 */
#include "recorder.h"

#include "trace_bytes.h"

#include <stdlib.h>
#include <string.h>

struct fh_trace_recorder {
    fhec_machine *machine;
    unsigned number; /* of the observer */
    unsigned parts;
    const struct fh_trace_select *select;
    struct fh_trace_sink sink;
    struct fh_trace_names names;
    struct fh_trace_record record; /* of the instruction that was issued last */
    bool begun;                    /* it has not retired */
    bool skipped;                  /* it is not chosen, whatever it does */
    struct fh_trace_record *held;  /* what else has happened since then */
    size_t held_count, held_room;
    bool failed; /* nothing more is recorded */
};

void fh_trace_record_free(struct fh_trace_record *record) {
    free(record->registers);
    free(record->accesses);
    *record = (struct fh_trace_record){0};
}

/* Hands the record on, if it is chosen. */
static void emit(struct fh_trace_recorder *r, const struct fh_trace_record *record) {
    if (!r->failed && fh_trace_selected(r->select, &r->names, record))
        r->failed = !r->sink.put(r->sink.user, &r->names, record);
}

/* The instruction is over: its record, and behind it what has come of it. */
static void emit_instruction(struct fh_trace_recorder *r) {
    r->begun = false;
    if (!r->skipped)
        emit(r, &r->record);
    for (size_t i = 0; i < r->held_count; i++)
        emit(r, &r->held[i]);
    r->held_count = 0;
}

/* Makes it a record of the event, with nothing in it. */
static void begin(const struct fh_trace_recorder *r, struct fh_trace_record *record,
                  const fhec_event *event) {
    record->kind = event->kind;
    record->launch = r->names.launch_count ? (uint32_t)r->names.launch_count - 1 : 0;
    memcpy(record->block, event->block, sizeof record->block);
    record->warp = event->warp;
    record->lanes = event->lanes;
    record->active = event->active;
    record->pc = event->pc;
    record->register_count = record->access_count = 0;
    memset(record->numbers, 0, sizeof record->numbers);
    record->text = record->message = NULL;
}

/* Keeps the instruction that the event, of which this is the record, is about. */
static void know_instruction(struct fh_trace_recorder *r, const struct fh_trace_record *record,
                             const fhec_event *event) {
    if (!event->word.lo && !event->word.hi)
        return;
    r->failed |=
        fh_trace_instruction_add(&r->names, record->launch, record->pc, event->word) != FHEC_OK;
}

static void add_register(struct fh_trace_recorder *r, const fhec_values *v, uint32_t k, bool read) {
    struct fh_trace_record *record = &r->record;
    if (!fh_trace_room(&record->registers, &record->register_room, record->register_count + 1,
                       sizeof *record->registers)) {
        r->failed = true;
        return;
    }
    struct fh_trace_register *to = &record->registers[record->register_count++];
    to->file = v->file;
    to->read = read;
    to->number = v->first + k;
    if (v->file == FHEC_FILE_R)
        memcpy(to->values, v->values + (size_t)FHEC_WARP_LANES * k, sizeof to->values);
    else
        to->values[0] = v->values[k];
}

/* Each register once, although it may be several operands. */
static bool is_new(const struct fh_trace_record *record, const fhec_values *v, uint32_t k,
                   bool read) {
    for (size_t i = 0; i < record->register_count; i++) {
        const struct fh_trace_register *old = &record->registers[i];
        if (old->file == v->file && old->number == v->first + k && old->read == read)
            return false;
    }
    return true;
}

static void add_registers(struct fh_trace_recorder *r, const fhec_event *event, bool read) {
    fhec_values v;
    for (size_t i = 0; fhec_event_registers(event, i, &v); i++)
        for (uint32_t k = 0; k < v.count && !r->failed; k++)
            if (is_new(&r->record, &v, k, read))
                add_register(r, &v, k, read);
}

/* Gives the bytes that the lanes access their names, which only those of two spaces have. */
static void know_objects(struct fh_trace_recorder *r, const fhec_event *event) {
    const fhec_access *a = &event->access;
    const uint32_t launch = a->space == FHEC_SPACE_CONSTANT ? r->record.launch : 0;
    if (a->space != FHEC_SPACE_GLOBAL && a->space != FHEC_SPACE_CONSTANT)
        return;
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES && !r->failed; lane++) {
        fhec_object object;
        if (!(event->lanes >> lane & 1) ||
            fh_trace_object_at(&r->names, a->space, a->bank, launch, a->address[lane]) ||
            !fhec_event_object(event, lane, &object))
            continue;
        const char *name = fh_trace_string(&r->names, object.name, strlen(object.name));
        const struct fh_trace_object known = {.name = name,
                                              .space = a->space,
                                              .bank = a->bank,
                                              .launch = launch,
                                              .base = a->address[lane] - object.offset,
                                              .size = object.size};
        r->failed = !name || fh_trace_object_add(&r->names, &known) != FHEC_OK;
    }
}

static void add_access(struct fh_trace_recorder *r, const fhec_event *event) {
    struct fh_trace_record *record = &r->record;
    const fhec_access *a = &event->access;
    const bool constant = a->space == FHEC_SPACE_CONSTANT;
    if (!(r->parts & (constant ? FH_TRACE_CONSTANTS : FH_TRACE_MEM)))
        return;
    know_objects(r, event);
    if (!fh_trace_room(&record->accesses, &record->access_room, record->access_count + 1,
                       sizeof *record->accesses)) {
        r->failed = true;
        return;
    }
    struct fh_trace_access *to = &record->accesses[record->access_count++];
    const size_t rows = (a->bytes + 3) / 4 * sizeof to->value[0];
    *to = (struct fh_trace_access){.space = a->space,
                                   .access = a->access,
                                   .lanes = event->lanes,
                                   .bytes = a->bytes,
                                   .bank = a->bank,
                                   .has_old = a->old};
    memcpy(to->address, a->address, sizeof to->address);
    memcpy(to->value, a->value, rows);
    if (a->old)
        memcpy(to->old, a->old, rows);
}

/* ---------------------------------------------------------------- other events */

static void set_numbers(struct fh_trace_record *record, uint64_t a, uint64_t b, uint64_t c) {
    record->numbers[0] = a;
    record->numbers[1] = b;
    record->numbers[2] = c;
}

static const char *keep(struct fh_trace_recorder *r, const char *text) {
    const char *kept = fh_trace_string(&r->names, text, strlen(text));
    r->failed |= !kept;
    return kept;
}

static void set_details(struct fh_trace_recorder *r, struct fh_trace_record *record,
                        const fhec_event *e) {
    switch (e->kind) {
    case FHEC_EVENT_LAUNCH_END: set_numbers(record, e->end.status, e->end.instructions, 0); break;
    case FHEC_EVENT_ARRIVE:
    case FHEC_EVENT_RELEASE:
        set_numbers(record, e->barrier.number, e->barrier.lanes, e->barrier.expected);
        break;
    case FHEC_EVENT_DIVERGE: memcpy(record->next, e->next, sizeof record->next); break;
    case FHEC_EVENT_CONVERGE: set_numbers(record, e->joined, 0, 0); break;
    case FHEC_EVENT_COPY:
    case FHEC_EVENT_COPY_DONE: set_numbers(record, e->copy.first, e->copy.last, 0); break;
    case FHEC_EVENT_FAULT:
        record->text = keep(r, fhec_fault_name(e->fault->kind));
        record->message = keep(r, e->fault->message ? e->fault->message : "");
        break;
    case FHEC_EVENT_ALLOC:
    case FHEC_EVENT_FREE:
    case FHEC_EVENT_HOST_WRITE:
    case FHEC_EVENT_HOST_READ:
        record->text = keep(r, e->host.name);
        set_numbers(record, e->host.address, e->host.offset, e->host.bytes);
        break;
    default: break;
    }
}

static void record_other(struct fh_trace_recorder *r, const fhec_event *event) {
    struct fh_trace_record record = {.kind = event->kind};
    begin(r, &record, event);
    set_details(r, &record, event);
    know_instruction(r, &record, event);
    if (!r->begun) {
        emit(r, &record);
        return;
    }
    if (fh_trace_room(&r->held, &r->held_room, r->held_count + 1, sizeof *r->held))
        r->held[r->held_count++] = record;
    else
        r->failed = true;
}

static void record_event(void *user, const fhec_event *event) {
    struct fh_trace_recorder *r = user;
    if (r->failed)
        return;
    switch (event->kind) {
    case FHEC_EVENT_LAUNCH_BEGIN:
        r->failed = fh_trace_launch_add(&r->names, event->launch, event->number) != FHEC_OK;
        record_other(r, event);
        break;
    case FHEC_EVENT_ISSUE:
        begin(r, &r->record, event);
        r->begun = true;
        r->skipped = !fh_trace_select_warp(r->select, &r->names, &r->record);
        if (r->skipped)
            break;
        know_instruction(r, &r->record, event);
        if (r->parts & FH_TRACE_READS)
            add_registers(r, event, true);
        break;
    case FHEC_EVENT_ACCESS:
        if (!r->skipped)
            add_access(r, event);
        break;
    case FHEC_EVENT_RETIRE:
        r->record.kind = FHEC_EVENT_RETIRE;
        if (r->parts & FH_TRACE_REGS && !r->skipped)
            add_registers(r, event, false);
        emit_instruction(r);
        break;
    case FHEC_EVENT_FAULT: /* the instruction was issued, and has not retired */
        if (r->begun)
            emit_instruction(r);
        record_other(r, event);
        break;
    default: record_other(r, event); break;
    }
}

/* ---------------------------------------------------------------- beginning and end */

#define BIT(kind) FHEC_EVENT_BIT(FHEC_EVENT_##kind)

/* The kinds of events that a part is made of, beside those of launches and faults. */
static uint32_t kinds_of_part(unsigned part) {
    const uint32_t instructions = BIT(ISSUE) | BIT(RETIRE);
    switch (part) {
    case FH_TRACE_FETCH:
    case FH_TRACE_REGS:
    case FH_TRACE_READS: return instructions;
    case FH_TRACE_MEM:
    case FH_TRACE_CONSTANTS: return instructions | BIT(ACCESS);
    case FH_TRACE_SYNC: return BIT(ARRIVE) | BIT(RELEASE) | BIT(COPY) | BIT(COPY_DONE);
    case FH_TRACE_FLOW: return BIT(DIVERGE) | BIT(CONVERGE);
    case FH_TRACE_BLOCKS:
        return BIT(BLOCK_BEGIN) | BIT(BLOCK_END) | BIT(WARP_BEGIN) | BIT(WARP_END);
    case FH_TRACE_HOST: return BIT(ALLOC) | BIT(FREE) | BIT(HOST_WRITE) | BIT(HOST_READ);
    default: return 0;
    }
}

static uint32_t kinds_for(unsigned parts) {
    uint32_t wanted = BIT(LAUNCH_BEGIN) | BIT(LAUNCH_END) | BIT(FAULT);
    for (unsigned i = 0; i < FH_TRACE_PARTS; i++)
        wanted |= kinds_of_part(parts & 1U << i);
    return wanted;
}

/* Instructions that no record will be chosen of need not be observed. */
static bool is_wanted(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    const struct fh_trace_recorder *r = user;
    return fh_trace_select_instruction(r->select, launch, pc, word);
}

fhec_status fh_trace_record(fhec_machine *machine, unsigned parts,
                            const struct fh_trace_select *select, struct fh_trace_sink sink,
                            struct fh_trace_recorder **recorder) {
    struct fh_trace_recorder *r = *recorder = calloc(1, sizeof *r);
    if (!r)
        return FHEC_HOST_ERROR;
    r->machine = machine;
    r->parts = parts;
    r->select = select;
    r->sink = sink;
    const fhec_observer observer = {
        .user = r,
        .filter = {.kinds = kinds_for(parts), .instruction = is_wanted},
        .event = record_event,
    };
    if (fhec_observe(machine, &observer, &r->number) == FHEC_OK)
        return FHEC_OK;
    free(r);
    *recorder = NULL;
    return FHEC_HOST_ERROR;
}

bool fh_trace_record_end(struct fh_trace_recorder *r) {
    if (!r)
        return true;
    const bool fine = !r->failed;
    (void)fhec_unobserve(r->machine, r->number);
    fh_trace_record_free(&r->record);
    free(r->held);
    fh_trace_names_free(&r->names);
    free(r);
    return fine;
}

struct fh_trace_names *fh_trace_recorder_names(struct fh_trace_recorder *recorder) {
    return &recorder->names;
}
