/*
 * trace.c - a commit log of what runs: each instruction, what it wrote, what memory it touched.
 *
 *     b0,0,0 w0 0040 ffffffff  IADD3 R4, R4, R5, RZ  // add.cu:12
 *         R4 = 00000001 00000002 ... (32 lanes, 8 a line; lanes that did not execute in brackets)
 *         P0 = 0000ffff
 *         global load 4 lane 3 0x7f0000000c
 */
#include "trace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fhec_observe.h"
#include "message.h"

bool fh_cli_trace_parse(const char *text, struct fh_cli_trace *trace) {
    if (!text) {
        trace->fetch = trace->regs = trace->mem = true;
        return true;
    }
    while (*text) {
        size_t length = strcspn(text, ",");
        if (length == 5 && !strncmp(text, "fetch", 5))
            trace->fetch = true;
        else if (length == 4 && !strncmp(text, "regs", 4))
            trace->regs = true;
        else if (length == 3 && !strncmp(text, "mem", 3))
            trace->mem = true;
        else
            return false;
        text += length;
        text += *text == ',';
    }
    return trace->fetch || trace->regs || trace->mem;
}

static void issue(const struct fh_cli_trace *trace, const fhec_event *event) {
    char text[256];
    if (fhec_disassemble(event->word, event->pc, 0, text, sizeof text) < 0)
        snprintf(text, sizeof text, "0x%016llx%016llx", (unsigned long long)event->word.hi,
                 (unsigned long long)event->word.lo);
    fhec_location at = fhec_kernel_location(event->launch->program, event->launch->kernel,
                                            (uint32_t)(event->pc / 16));
    fprintf(trace->to, "b%u,%u,%u w%u %04llx %08x  %s", event->block[0], event->block[1],
            event->block[2], event->warp, (unsigned long long)event->pc, event->active, text);
    if (at.file)
        fprintf(trace->to, "  // %s:%u", at.file, at.line);
    fputc('\n', trace->to);
}

static void lanes(const struct fh_cli_trace *trace, uint32_t active, uint32_t reg,
                  const uint32_t *values) {
    int head = fprintf(trace->to, "    R%u =", reg);
    for (unsigned lane = 0; lane < FHEC_WARP_LANES; lane++) {
        if (lane && lane % 8 == 0)
            fprintf(trace->to, "\n%*s", head, "");
        bool wrote = active >> lane & 1;
        fprintf(trace->to, wrote ? "  %08x" : " (%08x", values[lane]);
        if (!wrote)
            fputc(')', trace->to);
        else if (lane % 8 != 7)
            fputc(' ', trace->to);
    }
    fputc('\n', trace->to);
}

static void retire(const struct fh_cli_trace *trace, const fhec_event *event) {
    fhec_values v;
    for (size_t i = 0; fhec_event_registers(event, i, &v); i++)
        for (uint32_t k = 0; k < v.count; k++)
            switch (v.file) {
            case FHEC_FILE_R: lanes(trace, event->active, v.first + k, v.values + 32 * k); break;
            case FHEC_FILE_UR:
                fprintf(trace->to, "    UR%u = %08x\n", v.first + k, v.values[k]);
                break;
            case FHEC_FILE_P:
                fprintf(trace->to, "    P%u = %08x\n", v.first + k, v.values[k]);
                break;
            default: fprintf(trace->to, "    UP%u = %u\n", v.first + k, v.values[k]); break;
            }
}

static void memory(const struct fh_cli_trace *trace, const fhec_event *event) {
    const fhec_access *a = &event->access;
    for (unsigned lane = 0; lane < FHEC_WARP_LANES; lane++)
        if (event->lanes >> lane & 1)
            fprintf(trace->to, "    %s %s %u lane %u 0x%llx\n", fhec_space_name(a->space),
                    a->access & FHEC_ACCESS_WRITE ? "store" : "load", a->bytes, lane,
                    (unsigned long long)a->address[lane]);
}

/* Whether the block is one that the trace is limited to. */
static bool chosen(const struct fh_cli_trace *trace, const fhec_event *event) {
    const uint32_t *grid = event->launch->grid, *block = event->block;
    const uint64_t index = ((uint64_t)block[2] * grid[1] + block[1]) * grid[0] + block[0];
    return trace->block < 0 || index == (uint64_t)trace->block;
}

static void tell(void *user, const fhec_event *event) {
    const struct fh_cli_trace *trace = user;
    if (event->kind != FHEC_EVENT_FAULT && !chosen(trace, event))
        return; /* a fault ends the run: it is shown whatever the trace is limited to */
    switch (event->kind) {
    case FHEC_EVENT_ISSUE: issue(trace, event); break;
    case FHEC_EVENT_RETIRE: retire(trace, event); break;
    case FHEC_EVENT_ACCESS: memory(trace, event); break;
    default: fprintf(trace->to, "fault: %s\n", fhec_fault_name(event->fault->kind)); break;
    }
}

fhec_status fh_cli_trace_open(const struct fh_cli *cli, struct fh_cli_trace *trace,
                              fhec_machine *machine) {
    if (!trace->fetch && !trace->regs && !trace->mem)
        return FHEC_OK;
    trace->to = trace->path ? fopen(trace->path, "w") : stderr;
    if (!trace->to) {
        fh_cli_error(cli, FHEC_HOST_ERROR, "cannot write %s: %s", trace->path, strerror(errno));
        return FHEC_HOST_ERROR;
    }
    fhec_observer observer = {.user = trace, .event = tell};
    observer.filter.kinds = FHEC_EVENT_BIT(FHEC_EVENT_FAULT) |
                            (trace->fetch ? FHEC_EVENT_BIT(FHEC_EVENT_ISSUE) : 0) |
                            (trace->regs ? FHEC_EVENT_BIT(FHEC_EVENT_RETIRE) : 0) |
                            (trace->mem ? FHEC_EVENT_BIT(FHEC_EVENT_ACCESS) : 0);
    observer.filter.scope.one_warp = trace->warp >= 0;
    observer.filter.scope.warp = (uint32_t)trace->warp;
    if (fhec_observe(machine, &observer, &trace->observer) != FHEC_OK)
        return fh_cli_no_memory(cli);
    return FHEC_OK;
}

fhec_status fh_cli_trace_close(const struct fh_cli *cli, struct fh_cli_trace *trace,
                               fhec_machine *machine) {
    if (!trace->to)
        return FHEC_OK;
    fhec_unobserve(machine, trace->observer);
    bool good = !ferror(trace->to);
    int error = errno;
    if (trace->to != stderr && fclose(trace->to) != 0 && good) {
        good = false;
        error = errno;
    }
    trace->to = NULL;
    if (good)
        return FHEC_OK;
    fh_cli_error(cli, FHEC_HOST_ERROR, "cannot write %s: %s",
                 trace->path ? trace->path : "the trace", strerror(error));
    return FHEC_HOST_ERROR;
}
