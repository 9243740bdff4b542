/*
 * time_callgrind.c - what the simulated SM's schedulers did at each instruction, in the format of
 * callgrind (profile_callgrind.c): cycles that issued it, and that waited for it, by reason.
 */
#include "time_report.h"

#include <string.h>

/* Event 0 is the cycles of issues, the others are those of the reasons. */
enum { EVENTS = FH_TIME_REASONS + 1 };

static void costs_of(const struct fh_timed_word *word, uint32_t slot, uint64_t costs[EVENTS]) {
    costs[0] = word->issued * slot;
    memcpy(costs + 1, word->cycles, sizeof word->cycles);
}

static void put_costs(struct fh_trace_bytes *to, const uint64_t costs[EVENTS]) {
    for (unsigned i = 0; i < EVENTS; i++)
        fh_trace_print(to, " %llu", (unsigned long long)costs[i]);
    fh_trace_print(to, "\n");
}

static const char *file_of(const struct fh_profiled_word *word) {
    return word->file ? word->file : "???";
}

static void put_kernel(struct fh_trace_bytes *to, const struct fh_timed_kernel *k, uint32_t slot) {
    const char *own = file_of(&k->of->words[0]), *file = own;
    fh_trace_print(to, "\nfl=%s\nfn=%s\n", own, k->of->name);
    for (uint32_t i = 0; i < k->of->count; i++) {
        const struct fh_profiled_word *w = &k->of->words[i];
        uint64_t costs[EVENTS];
        if (w->function && i) {
            own = file = file_of(w);
            fh_trace_print(to, "\nfl=%s\nfn=%s\n", own, w->function);
        }
        if (!k->words[i].issued)
            continue;
        if (strcmp(file_of(w), file) != 0) {
            file = file_of(w);
            fh_trace_print(to, strcmp(file, own) ? "fi=%s\n" : "fe=%s\n", file);
        }
        costs_of(&k->words[i], slot, costs);
        fh_trace_print(to, "0x%llx %u", (unsigned long long)i * sizeof(fhec_word), w->line);
        put_costs(to, costs);
    }
}

/* Only what stands at an instruction: not the end of a launch, when no warp is left. */
static void sum_up(const struct fh_timer *timer, uint64_t sum[EVENTS]) {
    const uint32_t slot = fh_timer_machine(timer)->slot;
    const struct fh_timed_kernel *k;
    memset(sum, 0, EVENTS * sizeof *sum);
    for (size_t i = 0; (k = fh_timer_kernel(timer, i)); i++)
        for (uint32_t w = 0; w < k->of->count; w++) {
            uint64_t costs[EVENTS];
            costs_of(&k->words[w], slot, costs);
            for (unsigned e = 0; k->words[w].issued && e < EVENTS; e++)
                sum[e] += costs[e];
        }
}

bool fh_time_callgrind(struct fh_trace_bytes *to, const struct fh_timer *timer) {
    const struct fh_time_machine *m = fh_timer_machine(timer);
    const struct fh_timed_kernel *k;
    uint64_t sum[EVENTS];
    fh_trace_print(to,
                   "# callgrind format\nversion: 1\ncreator: fhec-%s\npid: 1\ncmd: one SM of %s, "
                   "cycles of its schedulers\npart: 1\n\n\npositions: instr line\nevent: issue : "
                   "Cycles that issued it\n",
                   FHEC_VERSION, m->name);
    for (unsigned i = 0; i < FH_TIME_REASONS; i++)
        fh_trace_print(to, "event: %s : Cycles that waited: %s\n",
                       fh_time_reason_name((enum fh_time_reason)i),
                       fh_time_reason_name((enum fh_time_reason)i));
    fh_trace_print(to, "events: issue");
    for (unsigned i = 0; i < FH_TIME_REASONS; i++)
        fh_trace_print(to, " %s", fh_time_reason_name((enum fh_time_reason)i));
    sum_up(timer, sum);
    fh_trace_print(to, "\nsummary:");
    put_costs(to, sum);
    for (size_t i = 0; (k = fh_timer_kernel(timer, i)); i++)
        if (k->launches && k->of->count)
            put_kernel(to, k, m->slot);
    fh_trace_print(to, "\ntotals:");
    put_costs(to, sum);
    return !to->failed;
}
