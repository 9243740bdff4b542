/*
 * external.c - what calls of printf, malloc and assert report. There is no device runtime: the
 * first such call that is reached ends the launch.
 */
#include "external.h"

#include "fault.h"
#include "launch.h"

#include <stdio.h>
#include <string.h>

/* A string of the guest's global memory, cut where it does not fit or the allocation ends. */
static void read_text(const struct fh_memory *memory, uint64_t address, char *text, size_t size) {
    size_t i = 0;
    for (; i + 1 < size; i++) {
        const struct fh_allocation *a = fh_memory_range(memory, address + i, 1);
        text[i] = a ? (char)a->bytes[address + i - a->base] : '\0';
        if (!text[i])
            break;
        if (text[i] < ' ' || text[i] == 127)
            text[i] = '?';
    }
    text[i] = '\0';
}

/* __assertfail(const char *condition, const char *file, u32 line, const char *function, size_t):
 * R4:R5, R6:R7, R8, R10:R11, R12:R13. */
static bool assertion(struct fh_warp *w, const struct fh_op *op, uint32_t lanes) {
    uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    char condition[120], file[100], function[80], text[360];
    const struct fh_memory *memory = w->launch->memory;
    read_text(memory, (uint64_t)w->r[5][lane] << 32 | w->r[4][lane], condition, sizeof condition);
    read_text(memory, (uint64_t)w->r[7][lane] << 32 | w->r[6][lane], file, sizeof file);
    read_text(memory, (uint64_t)w->r[11][lane] << 32 | w->r[10][lane], function, sizeof function);
    snprintf(text, sizeof text, "the assertion `%s` of %s failed, %s:%u", condition, function, file,
             w->r[8][lane]);
    return fh_fault_lanes(w, op, FHEC_FAULT_TRAP, lanes, text);
}

bool fh_fault_external(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                       const char *name) {
    char text[200];
    if (strcmp(name, "__assertfail") == 0)
        return assertion(w, op, lanes);
    snprintf(text, sizeof text,
             "%.100s is not in the object: a function of the device runtime, which fhec does not "
             "have",
             name);
    return fh_fault_lanes(w, op, FHEC_FAULT_ILLEGAL, lanes, text);
}
