/*
 * describe.c - see describe.h.
 */
#include "describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char fh_trace_part_names[] = "fetch, regs, mem, reads, constants, sync, flow, blocks, host";

unsigned fh_trace_part(const char *name, size_t length) {
    const char *at = fh_trace_part_names;
    for (unsigned i = 0; *at; i++) {
        const size_t here = strcspn(at, ",");
        if (here == length && strncmp(at, name, length) == 0)
            return 1U << i;
        at += here;
        at += strspn(at, ", ");
    }
    return 0;
}

void fh_trace_register_name(const struct fh_trace_register *reg, char text[8]) {
    static const char *const files[] = {[FHEC_FILE_R] = "R",
                                        [FHEC_FILE_P] = "P",
                                        [FHEC_FILE_UR] = "UR",
                                        [FHEC_FILE_UP] = "UP",
                                        [FHEC_FILE_B] = "B"};
    snprintf(text, 8, "%s%u", files[reg->file], (unsigned)(reg->number & 0xff));
}

void fh_trace_instruction_text(const struct fh_trace_names *names,
                               const struct fh_trace_record *record, char *text, size_t size) {
    const struct fh_trace_instruction *at =
        fh_trace_instruction_at(names, record->launch, record->pc);
    if (!at)
        snprintf(text, size, "(no instruction)");
    else if (fhec_disassemble(at->word, record->pc, 0, text, size) < 0)
        snprintf(text, size, "0x%016" PRIx64 "%016" PRIx64, at->word.hi, at->word.lo);
}

const char *fh_trace_access_name(unsigned access) {
    static const char *const names[] = {"", "load", "store", "atomic"};
    return names[access & 3];
}

void fh_trace_object_text(struct fh_trace_names *names, const struct fh_trace_record *record,
                          const struct fh_trace_access *access, uint32_t lane, char *text,
                          size_t size) {
    const uint64_t address = access->address[lane], bytes = access->bytes;
    const struct fh_trace_object *object =
        fh_trace_object_at(names, access->space, access->bank, record->launch, address);
    if (size)
        *text = '\0';
    if (!object)
        return;
    const uint64_t offset = address - object->base;
    if (bytes && offset % bytes == 0 && bytes == 4)
        snprintf(text, size, "%s[%" PRIu64 "]", object->name, offset / 4);
    else if (bytes && offset % bytes == 0 && bytes == 16)
        snprintf(text, size, "%s[%" PRIu64 "-%" PRIu64 "]", object->name, offset / 4,
                 offset / 4 + 3);
    else if (bytes && offset % bytes == 0 && bytes <= 8)
        snprintf(text, size, "%s:u%" PRIu64 "[%" PRIu64 "]", object->name, 8 * bytes,
                 offset / bytes);
    else
        snprintf(text, size, "%s+%" PRIu64, object->name, offset);
}

bool fh_trace_shows_register(unsigned parts, const struct fh_trace_register *reg) {
    return parts & (reg->read ? FH_TRACE_READS : FH_TRACE_REGS);
}

bool fh_trace_shows_access(unsigned parts, const struct fh_trace_access *access) {
    return parts & (access->space == FHEC_SPACE_CONSTANT ? FH_TRACE_CONSTANTS : FH_TRACE_MEM);
}

bool fh_trace_shows(unsigned parts, fhec_event_kind kind) {
    switch (kind) {
    case FHEC_EVENT_ARRIVE:
    case FHEC_EVENT_RELEASE:
    case FHEC_EVENT_COPY:
    case FHEC_EVENT_COPY_DONE: return parts & FH_TRACE_SYNC;
    case FHEC_EVENT_DIVERGE:
    case FHEC_EVENT_CONVERGE: return parts & FH_TRACE_FLOW;
    case FHEC_EVENT_BLOCK_BEGIN:
    case FHEC_EVENT_BLOCK_END:
    case FHEC_EVENT_WARP_BEGIN:
    case FHEC_EVENT_WARP_END: return parts & FH_TRACE_BLOCKS;
    case FHEC_EVENT_ALLOC:
    case FHEC_EVENT_FREE:
    case FHEC_EVENT_HOST_WRITE:
    case FHEC_EVENT_HOST_READ: return parts & FH_TRACE_HOST;
    default: return true;
    }
}

void fh_trace_print_source(struct fh_trace_bytes *to, const struct fh_trace_instruction *at) {
    if (!at || !at->file)
        return;
    fh_trace_print(to, "  // %s:%" PRIu32, at->file, at->line);
    for (size_t i = 0; i < at->step_count; i++) {
        char what[256];
        fh_trace_step_text(&at->steps[i], what, sizeof what);
        fh_trace_print(to, ", %s at %s:%" PRIu32, what, at->steps[i].file, at->steps[i].line);
    }
}
