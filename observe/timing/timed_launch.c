/*
 * timed_launch.c - see timer_state.h.
 */
#include "timer_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fh_timer_fail(struct fh_timer *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!*t->why)
        vsnprintf(t->why, sizeof t->why, format, args);
    va_end(args);
    fh_time_sm_free(t->now.sm);
    t->now.sm = NULL;
}

struct fh_timed_kernel *fh_timer_add(struct fh_timer *t, const struct fh_profiled_kernel *of) {
    if (t->count == t->room) {
        const size_t room = t->room ? 2 * t->room : 16;
        struct fh_timed_kernel **more = realloc(t->kernels, room * sizeof(void *));
        if (!more)
            return NULL;
        t->kernels = more;
        t->room = room;
    }
    struct fh_timed_kernel *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    t->kernels[t->count++] = k;
    k->of = of;
    k->ops = calloc(of->count + 1u, sizeof *k->ops);
    k->words = calloc(of->count + 1u, sizeof *k->words);
    return k->ops && k->words ? k : NULL;
}

bool fh_timer_begin(struct fh_timer *t, const struct fh_time_machine *machine,
                    struct fh_timed_kernel *kernel, const uint32_t grid[3],
                    const struct fh_time_block *block) {
    struct fh_timer_launch *l = &t->now;
    *l =
        (struct fh_timer_launch){.kernel = kernel, .stride = machine->sms, .l2_begin = t->l2.clock};
    if (*t->why)
        return false;
    memcpy(l->grid, grid, sizeof l->grid);
    l->blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    l->own = (l->blocks + l->stride - 1) / l->stride;
    fh_time_occupancy(machine, block, &l->occupancy);
    if (!l->occupancy.blocks) {
        fh_timer_fail(t, "machine %s holds not even one block of kernel %s: %s", machine->name,
                      kernel->of->name, l->occupancy.limit);
        return false;
    }
    const uint32_t active = l->blocks < machine->sms ? (uint32_t)l->blocks : machine->sms;
    l->sm =
        fh_time_sm_new(machine, &l->occupancy, l->own, active, &t->l2, kernel->ops, kernel->words);
    if (!l->sm) {
        fh_timer_fail(t, "no host memory");
        return false;
    }
    if (t->log)
        fh_issue_log_launch(t->log, kernel->of, t->cycles);
    fh_time_sm_watch(l->sm, t->log);
    return true;
}

void fh_timer_look_at_l2(struct fh_timer *t) {
    const struct fh_timer_launch *l = &t->now;
    const uint64_t span = l->l2_end - l->l2_begin, done = fh_time_sm_done(l->sm);
    fh_time_sm_set_l2(l->sm,
                      l->l2_begin + (uint64_t)((double)span * (double)done / (double)l->own));
}

bool fh_timer_say_unknown(struct fh_timer *t) {
    const uint32_t word = fh_time_sm_unknown(t->now.sm);
    const struct fh_timed_kernel *k = t->now.kernel;
    char name[FH_TIMED_TEXT];
    if (word == UINT32_MAX)
        return false;
    const uint64_t pc = fh_timed_mnemonic(k, word, name);
    const char *pipe = fhec_isa_pipe(name);
    fh_timer_fail(t, "machine %s has no unit for %s (pipe %s), at 0x%04llx of kernel %s",
                  t->machine.name, name, pipe ? pipe : "unknown", (unsigned long long)pc,
                  k->of->name);
    return true;
}

static void add_sm(struct fh_time_sm_result *to, const struct fh_time_sm_result *from) {
    to->cycles += from->cycles;
    to->issued += from->issued;
    for (unsigned i = 0; i < FH_TIME_REASONS; i++)
        to->stalls[i] += from->stalls[i];
    for (unsigned i = 0; i < FH_TIME_UNITS; i++)
        to->busy[i] += from->busy[i];
    to->traffic.accesses += from->traffic.accesses;
    to->traffic.passes += from->traffic.passes;
    to->traffic.conflicts += from->traffic.conflicts;
    to->traffic.sectors += from->traffic.sectors;
    to->traffic.l1_hits += from->traffic.l1_hits;
    to->traffic.l2_sectors += from->traffic.l2_sectors;
    to->traffic.hbm_sectors += from->traffic.hbm_sectors;
}

void fh_timer_finish(struct fh_timer *t, uint64_t warp_insts) {
    struct fh_timer_launch *l = &t->now;
    struct fh_timed_kernel *k = l->kernel;
    struct fh_time_sm_result r;
    if (t->l2.failed || t->code.failed) { /* lines of L2, or places in the source, are missing */
        fh_timer_fail(t, "no host memory");
        return;
    }
    fh_time_sm_result(l->sm, &r);
    const double bytes_a_cycle = t->machine.hbm_bandwidth * 1e3 / t->machine.clock_mhz;
    const uint64_t hbm = (l->hbm_sectors + r.traffic.hbm_sectors) * FH_TIME_SECTOR_BYTES;
    const uint64_t hbm_cycles = (uint64_t)((double)hbm / bytes_a_cycle);
    k->launches++;
    k->sm_cycles += r.cycles;
    k->hbm_cycles += hbm_cycles;
    const uint64_t cycles = (r.cycles > hbm_cycles ? r.cycles : hbm_cycles) + t->machine.launch;
    k->cycles += cycles;
    t->cycles += cycles;
    k->occupancy = l->occupancy;
    k->resident = l->own < l->occupancy.blocks ? (uint32_t)l->own : l->occupancy.blocks;
    k->warps = k->resident * l->occupancy.warps;
    k->waves = (double)l->own / k->resident;
    k->blocks += l->blocks;
    k->sm_blocks += l->own;
    k->warp_insts += warp_insts;
    k->hbm_bytes += hbm;
    add_sm(&k->sm, &r);
    fh_time_sm_free(l->sm);
    l->sm = NULL;
}
