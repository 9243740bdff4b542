/*
 * profile_callgrind.c - a profile in the format of callgrind, which callgrind_annotate and
 * KCachegrind open: https://valgrind.org/docs/manual/cl-format.html. Kernels, functions of
 * programs and what is called within a kernel are functions, whose costs stand at source lines and
 * addresses; lines of other files than its own come by `fi`.
 */
#include "profile_calls.h"
#include "profile_report.h"

#include <string.h>

static const struct {
    const char *name, *title;
} events[] = {
    {"Warp", "Warp instructions"},
    {"Thread", "Thread instructions"},
    {"Sect", "Sectors of global and local memory"},
    {"SectX", "Sectors above the ideal"},
    {"Pass", "Passes of shared memory"},
    {"Confl", "Passes by bank conflicts"},
    {"Div", "Divergences"},
};
enum { EVENTS = sizeof events / sizeof *events };

static void costs_of(const struct fh_profile_counts *c, uint64_t costs[EVENTS]) {
    costs[0] = c->warp;
    costs[1] = c->thread;
    costs[2] = c->sectors + c->local_sectors;
    costs[3] = costs[2] - c->ideal - c->local_ideal;
    costs[4] = c->passes;
    costs[5] = c->conflicts;
    costs[6] = c->divergences;
}

static void put_costs(struct fh_trace_bytes *to, const struct fh_profile_counts *counts) {
    uint64_t costs[EVENTS];
    costs_of(counts, costs);
    for (unsigned i = 0; i < EVENTS; i++)
        fh_trace_print(to, " %llu", (unsigned long long)costs[i]);
    fh_trace_print(to, "\n");
}

static const char *file_of(const struct fh_profiled_word *word) {
    return word->file ? word->file : "???";
}

/* The call that the instruction at word i made, and what the callee took for it. */
static void put_call(struct fh_trace_bytes *to, const struct fh_profile_calls *calls, uint32_t i) {
    const struct fh_called *callee = &calls->functions[calls->callee[i]];
    const struct fh_profiled_word *site = &calls->kernel->words[i];
    const struct fh_profiled_word *entry = &calls->kernel->words[callee->entry];
    struct fh_profile_counts share;
    fh_profile_calls_share(calls, i, &share);
    fh_trace_print(to, "cfl=%s\ncfn=%s\ncalls=%llu 0x%llx %u\n0x%llx %u", file_of(entry),
                   callee->name, (unsigned long long)site->counts.warp,
                   (unsigned long long)callee->entry * sizeof(fhec_word), entry->line,
                   (unsigned long long)i * sizeof(fhec_word), site->line);
    put_costs(to, &share);
}

static void put_function(struct fh_trace_bytes *to, const struct fh_profile_calls *calls,
                         uint32_t number) {
    const struct fh_profiled_kernel *k = calls->kernel;
    const struct fh_called *function = &calls->functions[number];
    const char *own = file_of(&k->words[function->entry]), *file = own;
    fh_trace_print(to, "\nfl=%s\nfn=%s\n", own, function->name);
    for (uint32_t i = 0; i < k->count; i++) {
        const struct fh_profiled_word *w = &k->words[i];
        if (!w->counts.warp || calls->owner[i] != number)
            continue;
        if (strcmp(file_of(w), file) != 0) {
            file = file_of(w);
            fh_trace_print(to, strcmp(file, own) ? "fi=%s\n" : "fe=%s\n", file);
        }
        fh_trace_print(to, "0x%llx %u", (unsigned long long)i * sizeof(fhec_word), w->line);
        put_costs(to, &w->counts);
        if (calls->callee[i] != UINT32_MAX)
            put_call(to, calls, i);
    }
}

static bool put_kernel(struct fh_trace_bytes *to, const struct fh_profiled_kernel *k) {
    struct fh_profile_calls calls;
    const bool fine = fh_profile_calls_make(&calls, k);
    for (uint32_t f = 0; fine && f < calls.count; f++)
        if (calls.functions[f].inclusive.warp)
            put_function(to, &calls, f);
    fh_profile_calls_free(&calls);
    return fine;
}

bool fh_profile_callgrind(struct fh_trace_bytes *to, const struct fh_profiled_code *code,
                          const char *command) {
    struct fh_profile_counts all = {0};
    bool fine = !code->failed;
    fh_trace_print(to,
                   "# callgrind format\nversion: 1\ncreator: fhec-%s\npid: 1\ncmd: %s\npart: 1\n"
                   "\n\npositions: instr line\n",
                   FHEC_VERSION, command);
    for (unsigned i = 0; i < EVENTS; i++)
        fh_trace_print(to, "event: %s : %s\n", events[i].name, events[i].title);
    fh_trace_print(to, "events:");
    for (unsigned i = 0; i < EVENTS; i++)
        fh_trace_print(to, " %s", events[i].name);
    for (size_t i = 0; i < code->count; i++)
        for (uint32_t w = 0; w < code->kernels[i]->count; w++)
            fh_profiled_counts_add(&all, &code->kernels[i]->words[w].counts);
    fh_trace_print(to, "\nsummary:");
    put_costs(to, &all);
    for (size_t i = 0; i < code->count; i++)
        if (code->kernels[i]->launches)
            fine &= put_kernel(to, code->kernels[i]);
    fh_trace_print(to, "\ntotals:");
    put_costs(to, &all);
    return fine;
}
