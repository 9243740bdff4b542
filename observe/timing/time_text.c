/*
 * time_text.c - times as text: the launches, and the source lines that take longest.
 */
#include "time_report.h"

#include "roofline.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 12, SOURCE = 60 };

void fh_time_total(const struct fh_timer *timer, struct fh_time_total *t) {
    const struct fh_time_machine *m = fh_timer_machine(timer);
    const struct fh_timed_kernel *k;
    double warps = 0;
    *t = (struct fh_time_total){0};
    for (size_t i = 0; (k = fh_timer_kernel(timer, i)); i++) {
        t->cycles += k->cycles;
        t->warp_insts += k->warp_insts;
        t->sm_cycles += k->sm_cycles;
        t->sm_issued += k->sm.issued;
        t->hbm_bytes += k->hbm_bytes;
        t->launches += k->launches;
        warps += (double)k->warps * (double)k->sm_cycles;
        for (unsigned r = 0; r < FH_TIME_REASONS; r++)
            t->stalls[r] += k->sm.stalls[r];
    }
    t->us = (double)t->cycles / m->clock_mhz;
    t->ipc = t->sm_cycles ? (double)t->sm_issued / (double)t->sm_cycles : 0;
    t->occupancy = t->sm_cycles ? warps / (double)t->sm_cycles / m->warps : 0;
}

/* A source line and what it took, of all words that were made of it. */
struct line {
    const char *file;
    uint32_t line, first; /* its first word */
    uint64_t issued, stalled, most;
    uint32_t why; /* what it waited for most */
};

static uint64_t took(const struct line *l) {
    return l->issued + l->stalled;
}

static int by_time(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    return took(x) != took(y) ? (took(x) < took(y) ? 1 : -1) : (int)x->first - (int)y->first;
}

static bool is_line(const struct line *l, const struct fh_profiled_word *w) {
    return l->line == w->line &&
           (l->file == w->file || (l->file && w->file && strcmp(l->file, w->file) == 0));
}

/* Lines are few, and words of one come together: the last one is asked first. */
static size_t gather(const struct fh_timed_kernel *k, struct line *lines) {
    size_t count = 0;
    for (uint32_t i = 0; i < k->of->count; i++) {
        const struct fh_profiled_word *w = &k->of->words[i];
        size_t at = count;
        if (!k->words[i].issued)
            continue;
        while (at && w->file && !is_line(&lines[at - 1], w))
            at--;
        if (!at || !w->file) {
            lines[count] = (struct line){.file = w->file, .line = w->line, .first = i};
            at = ++count;
        }
        struct line *l = &lines[at - 1];
        l->issued += k->words[i].issued;
        for (unsigned r = 0; r < FH_TIME_REASONS; r++) {
            const uint64_t cycles = k->words[i].cycles[r];
            l->stalled += cycles;
            if (cycles > l->most) {
                l->most = cycles;
                l->why = r;
            }
        }
    }
    return count;
}

/* Of code without lines: the address in the kernel, the instruction. */
static void put_word(struct fh_trace_bytes *to, const struct fh_timed_kernel *k, uint32_t index) {
    char text[FH_TIMED_TEXT];
    const uint64_t pc = fh_timed_text(k, index, text);
    fh_trace_print(to, " 0x%04llx  %.*s\n", (unsigned long long)pc, SOURCE, text);
}

static void put_lines(struct fh_trace_bytes *to, const struct fh_timed_kernel *k,
                      const struct fh_profile_sources *sources) {
    struct line *lines = calloc(k->of->count + 1u, sizeof *lines);
    if (!lines) {
        to->failed = true;
        return;
    }
    const size_t count = gather(k, lines);
    qsort(lines, count, sizeof *lines, by_time);
    fh_trace_print(to, "\n  %12s %12s  %-14s %6s\n", "issued", "stalled", "mostly for", "where");
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        const struct line *l = &lines[i];
        const char *text = "";
        size_t length = 0;
        if (l->file && sources->line(sources->user, l->file, l->line, &text, &length))
            while (length && *text == ' ') {
                text++;
                length--;
            }
        fh_trace_print(to, "  %12llu %12llu  %-14s", (unsigned long long)l->issued,
                       (unsigned long long)l->stalled,
                       l->most ? fh_time_reason_name((enum fh_time_reason)l->why) : "");
        if (l->file)
            fh_trace_print(to, " %6u  %.*s\n", l->line, (int)(length < SOURCE ? length : SOURCE),
                           text);
        else
            put_word(to, k, l->first);
    }
    free(lines);
}

static void put_stalls(struct fh_trace_bytes *to, const struct fh_time_machine *m,
                       const struct fh_timed_kernel *k) {
    const double slots = (double)k->sm_cycles * m->schedulers;
    fh_trace_print(to, "  issue slots: %.1f %% used", 100 * (double)k->sm.issued * m->slot / slots);
    for (unsigned i = 0; i < FH_TIME_REASONS; i++)
        if (k->sm.stalls[i])
            fh_trace_print(to, ", %.1f %% %s", 100 * (double)k->sm.stalls[i] / slots,
                           fh_time_reason_name((enum fh_time_reason)i));
    fh_trace_print(to, "\n");
}

static void put_roofline(struct fh_trace_bytes *to, const struct fh_time_machine *m,
                         const struct fh_timed_kernel *k) {
    enum fh_roofline_level bound;
    const double most = fh_roofline_attainable(k, m, &bound);
    fh_trace_print(to, "  roofline: %.4g of %.4g 10^9 warp instructions a second, bound by %s;",
                   fh_roofline_rate(k, m), most,
                   bound == FH_ROOFLINE_LEVELS ? "issue" : fh_roofline_level_name(bound));
    for (enum fh_roofline_level l = 0; l < FH_ROOFLINE_LEVELS; l++)
        fh_trace_print(to, "%s %.3g", l ? "," : "", fh_roofline_intensity(k, l));
    fh_trace_print(to, " a sector of L1, L2, HBM\n");
}

static void put_kernel(struct fh_trace_bytes *to, const struct fh_time_machine *m,
                       const struct fh_timed_kernel *k, const struct fh_profile_sources *sources) {
    fh_trace_print(to, "\nkernel %s: %llu launches, %llu cycles, %.3f us\n", k->of->name,
                   (unsigned long long)k->launches, (unsigned long long)k->cycles,
                   (double)k->cycles / m->clock_mhz);
    fh_trace_print(to, "  occupancy: %u of %u warps, %u blocks, limited by %s; %.2f waves\n",
                   k->warps, m->warps, k->resident,
                   k->resident < k->occupancy.blocks ? "the grid" : k->occupancy.limit, k->waves);
    fh_trace_print(to, "  bounds: SM %llu cycles, HBM %llu (%llu bytes), launches %llu; IPC %.3f\n",
                   (unsigned long long)k->sm_cycles, (unsigned long long)k->hbm_cycles,
                   (unsigned long long)k->hbm_bytes, (unsigned long long)(k->launches * m->launch),
                   k->sm_cycles ? (double)k->sm.issued / (double)k->sm_cycles : 0);
    put_roofline(to, m, k);
    put_stalls(to, m, k);
    put_lines(to, k, sources);
}

bool fh_time_text(struct fh_trace_bytes *to, const struct fh_timer *timer,
                  const struct fh_profile_sources *sources) {
    const struct fh_time_machine *m = fh_timer_machine(timer);
    const struct fh_timed_kernel *k;
    struct fh_time_total t;
    fh_time_total(timer, &t);
    fh_trace_print(to, "%s (%s) at %.10g MHz: %llu cycles, %.3f us, %llu warp instructions\n",
                   m->name, m->title, m->clock_mhz, (unsigned long long)t.cycles, t.us,
                   (unsigned long long)t.warp_insts);
    for (size_t i = 0; (k = fh_timer_kernel(timer, i)); i++)
        if (k->launches)
            put_kernel(to, m, k, sources);
    return !to->failed;
}
