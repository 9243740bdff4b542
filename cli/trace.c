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

/* Whether this warp is one that the trace is limited to. */
static bool chosen(const struct fh_cli_trace *trace, const fhec_where *where) {
    if (trace->warp >= 0 && trace->warp != (int64_t)where->warp)
        return false;
    if (trace->block < 0)
        return true;
    uint64_t block =
        ((uint64_t)where->block[2] * trace->grid[1] + where->block[1]) * trace->grid[0] +
        where->block[0];
    return block == (uint64_t)trace->block;
}

static void fetch(void *user, const fhec_where *where) {
    const struct fh_cli_trace *trace = user;
    if (!chosen(trace, where))
        return;
    char text[256];
    if (fhec_disassemble(where->word, where->pc, 0, text, sizeof text) < 0)
        snprintf(text, sizeof text, "0x%016llx%016llx", (unsigned long long)where->word.hi,
                 (unsigned long long)where->word.lo);
    fhec_location at =
        fhec_kernel_location(where->program, where->kernel, (uint32_t)(where->pc / 16));
    fprintf(trace->to, "b%u,%u,%u w%u %04llx %08x  %s", where->block[0], where->block[1],
            where->block[2], where->warp, (unsigned long long)where->pc, where->active, text);
    if (at.file)
        fprintf(trace->to, "  // %s:%u", at.file, at.line);
    fputc('\n', trace->to);
}

static void reg_write(void *user, const fhec_where *where, unsigned reg, bool uniform,
                      const uint32_t *values) {
    const struct fh_cli_trace *trace = user;
    if (!chosen(trace, where))
        return;
    if (uniform) {
        fprintf(trace->to, "    UR%u = %08x\n", reg, values[0]);
        return;
    }
    int head = fprintf(trace->to, "    R%u =", reg);
    for (unsigned lane = 0; lane < FHEC_WARP_LANES; lane++) {
        if (lane && lane % 8 == 0)
            fprintf(trace->to, "\n%*s", head, "");
        bool wrote = where->active >> lane & 1;
        fprintf(trace->to, wrote ? "  %08x" : " (%08x", values[lane]);
        if (!wrote)
            fputc(')', trace->to);
        else if (lane % 8 != 7)
            fputc(' ', trace->to);
    }
    fputc('\n', trace->to);
}

static void predicate_write(void *user, const fhec_where *where, unsigned predicate, bool uniform,
                            uint32_t mask) {
    const struct fh_cli_trace *trace = user;
    if (!chosen(trace, where))
        return;
    if (uniform)
        fprintf(trace->to, "    UP%u = %u\n", predicate, mask & 1);
    else
        fprintf(trace->to, "    P%u = %08x\n", predicate, mask);
}

static void memory(void *user, const fhec_where *where, const char *space, bool store,
                   unsigned lane, uint64_t address, unsigned bytes) {
    const struct fh_cli_trace *trace = user;
    if (!chosen(trace, where))
        return;
    fprintf(trace->to, "    %s %s %u lane %u 0x%llx\n", space, store ? "store" : "load", bytes,
            lane, (unsigned long long)address);
}

static void fault(void *user, const fhec_where *where, const fhec_fault *what) {
    const struct fh_cli_trace *trace = user;
    (void)where; /* a fault ends the run: it is shown whatever the trace is limited to */
    fprintf(trace->to, "fault: %s\n", fhec_fault_name(what->kind));
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
    fhec_observer observer = {
        .user = trace,
        .fetch = trace->fetch ? fetch : NULL,
        .reg_write = trace->regs ? reg_write : NULL,
        .predicate_write = trace->regs ? predicate_write : NULL,
        .memory = trace->mem ? memory : NULL,
        .fault = fault,
    };
    fhec_observe(machine, &observer);
    return FHEC_OK;
}

fhec_status fh_cli_trace_close(const struct fh_cli *cli, struct fh_cli_trace *trace,
                               fhec_machine *machine) {
    if (!trace->to)
        return FHEC_OK;
    fhec_observe(machine, NULL);
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
