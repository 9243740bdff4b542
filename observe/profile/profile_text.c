/*
 * profile_text.c - a profile as a listing of the source, with counts beside each line.
 */
#include "profile_report.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAP = 6,         /* lines without code that are still shown between two with code */
    CHAIN = 80,      /* characters of how a line came to be read */
    SOURCE = 56,     /* characters of a source line that are shown */
    WORST_SHOWN = 8, /* instructions in the lists of the worst */
};
#define NO_PC UINT32_MAX

#define LARGE UINT64_C(10000000)

/* In seven characters, a number that fits; in thousands, millions, ... otherwise. */
struct number {
    char text[24];
};
static struct number short_number(uint64_t value, bool blank) {
    static const char units[] = "kMGTPE";
    struct number n = {""};
    size_t unit = 0;
    char digits[24];
    if (!value && blank)
        return n;
    bool scaled = value >= LARGE;
    while (value >= LARGE / 10 && scaled && unit < sizeof units - 1) {
        value /= 1000;
        unit++;
    }
    size_t count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    for (size_t i = 0; i < count; i++)
        n.text[i] = digits[count - 1 - i];
    if (unit)
        n.text[count++] = units[unit - 1];
    n.text[count] = '\0';
    return n;
}

static double share(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static double lanes_of(const struct fh_profile_counts *c) {
    return c->warp ? (double)c->thread / (double)c->warp : 0;
}

/* ---------------------------------------------------------------- rows */

static void put_counts(struct fh_trace_bytes *to, const struct fh_profile_sum *sum,
                       uint64_t all_warp, bool reused_is_total) {
    const struct fh_profile_counts *c = &sum->counts;
    const uint64_t reused =
        reused_is_total && c->warp ? (sum->reused + c->warp / 2) / c->warp : sum->reused;
    fh_trace_print(to, "%7s", short_number(c->warp, false).text);
    if (c->warp)
        fh_trace_print(to, " %5.1f %5.1f", share(c->warp, all_warp), lanes_of(c));
    else
        fh_trace_print(to, " %5s %5s", "", "");
    fh_trace_print(to, " %4u %5s %7s %7s %7s %7s %5s", sum->live, short_number(reused, true).text,
                   short_number(c->sectors + c->local_sectors, true).text,
                   short_number(c->ideal + c->local_ideal, true).text,
                   short_number(c->passes, true).text, short_number(c->conflicts, true).text,
                   short_number(c->divergences, true).text);
}

static void put_head(struct fh_trace_bytes *to) {
    fh_trace_print(to, "%7s %5s %5s %4s %5s %7s %7s %7s %7s %5s %5s %4s\n", "warp", "%", "lanes",
                   "live", "reuse", "sectors", "ideal", "passes", "confl", "div", "line", "pc");
}

/* The line, and the pc of its only instruction, or NO_PC; cut if it is long. */
static void put_source(struct fh_trace_bytes *to, const struct fh_profile_sources *sources,
                       const char *file, uint32_t line, uint32_t pc) {
    const char *text;
    size_t length, shown = 0;
    if (pc == NO_PC)
        fh_trace_print(to, " %5u %4s | ", line, "");
    else
        fh_trace_print(to, " %5u %04x | ", line, pc);
    if (!sources->line(sources->user, file, line, &text, &length))
        length = 0;
    for (size_t i = 0; i < length && shown < SOURCE; i++) {
        const unsigned char c = (unsigned char)text[i];
        const bool tab = c == '\t';
        for (unsigned k = 0; k < (tab ? 4u : 1u) && shown < SOURCE; k++, shown++)
            fh_trace_put_byte(to, tab ? ' ' : c < 0x20 ? '?' : c);
    }
    if (length > SOURCE)
        fh_trace_print(to, "...");
    fh_trace_print(to, "\n");
}

/* An instruction below its line. */
static void put_word(struct fh_trace_bytes *to, const struct fh_profile_sums *s, uint32_t word) {
    const struct fh_profiled_word *w = &s->kernel->words[word];
    const struct fh_code_fact *fact = &s->facts[word];
    const struct fh_profile_sum sum = {
        .counts = w->counts, .reused = fact->reused, .live = fact->live};
    put_counts(to, &sum, s->all.counts.warp, false);
    fh_trace_print(to, "       %04x |   %.*s\n", word * (unsigned)sizeof(fhec_word), SOURCE - 2,
                   fact->text);
}

static void put_line(struct fh_trace_bytes *to, const struct fh_profile_sums *s,
                     const struct fh_profile_sources *sources, const struct fh_profile_line *line) {
    const char *text;
    size_t length;
    const bool has =
        line->file && sources->line(sources->user, line->file, line->line, &text, &length);
    const bool one = has && line->count == 1;
    if (line->file) {
        put_counts(to, &line->sum, s->all.counts.warp, true);
        put_source(to, sources, line->file, line->line,
                   one ? s->order[line->first] * (uint32_t)sizeof(fhec_word) : NO_PC);
    }
    for (uint32_t i = 0; i < line->count && !one; i++)
        put_word(to, s, s->order[line->first + i]);
}

/* Source lines without code between two that have some. */
static void put_gap(struct fh_trace_bytes *to, const struct fh_profile_sources *sources,
                    const struct fh_profile_line *before, const struct fh_profile_line *behind) {
    const uint32_t first = before->line + 1;
    if (behind->line > first + GAP) {
        fh_trace_print(to, "%71s...\n", "");
        return;
    }
    for (uint32_t l = first; l < behind->line; l++) {
        fh_trace_print(to, "%70s", "");
        put_source(to, sources, behind->file, l, NO_PC);
    }
}

static bool same_file(const struct fh_profile_line *a, const struct fh_profile_line *b) {
    return a->file && b->file ? !strcmp(a->file, b->file) : a->file == b->file;
}

static void put_lines(struct fh_trace_bytes *to, const struct fh_profile_sums *s,
                      const struct fh_profile_sources *sources) {
    for (uint32_t i = 0; i < s->line_count; i++) {
        const struct fh_profile_line *line = &s->lines[i];
        if (!i || !same_file(line, line - 1)) {
            fh_trace_print(to, "\n%s\n", line->file ? line->file : "(no source lines)");
            put_head(to);
        } else if (line->file) {
            put_gap(to, sources, line - 1, line);
        }
        put_line(to, s, sources, line);
    }
}

/* ---------------------------------------------------------------- the summary */

static void put_classes(struct fh_trace_bytes *to, const struct fh_profile_sums *s) {
    fh_trace_print(to, "  warp instructions by class:");
    for (uint32_t i = 0; i < s->class_count; i++)
        fh_trace_print(to, "%s %s %.1f %%", i ? "," : "", s->classes[i].name,
                       share(s->classes[i].warp, s->all.counts.warp));
    fh_trace_print(to, "\n");
}

static void put_sectors(struct fh_trace_bytes *to, const char *space, uint64_t requests,
                        uint64_t sectors, uint64_t ideal) {
    if (requests)
        fh_trace_print(to, "  %s memory: %llu requests, %llu sectors; ideal %llu (%.1f %%)\n",
                       space, (unsigned long long)requests, (unsigned long long)sectors,
                       (unsigned long long)ideal, share(ideal, sectors));
}

static void put_memory(struct fh_trace_bytes *to, const struct fh_profile_counts *c) {
    put_sectors(to, "global", c->requests, c->sectors, c->ideal);
    put_sectors(to, "local", c->local_requests, c->local_sectors, c->local_ideal);
    if (c->shared_requests)
        fh_trace_print(to,
                       "  shared memory: %llu requests, %llu passes, %llu of them by bank "
                       "conflicts (%.1f %%)\n",
                       (unsigned long long)c->shared_requests, (unsigned long long)c->passes,
                       (unsigned long long)c->conflicts, share(c->conflicts, c->passes));
}

/* "a.sass:12, pc 0040"; with the macros that led there, as far as a line has room. */
static void put_place(struct fh_trace_bytes *to, const struct fh_profile_sums *s, uint32_t word,
                      bool chain) {
    const struct fh_profiled_word *w = &s->kernel->words[word];
    if (chain && w->chain)
        fh_trace_print(to, "%.*s%s, ", CHAIN, w->chain, strlen(w->chain) > CHAIN ? "..." : "");
    else if (w->file)
        fh_trace_print(to, "%s:%u, ", w->file, w->line);
    fh_trace_print(to, "pc %04x", word * (unsigned)sizeof(fhec_word));
}

static void put_totals(struct fh_trace_bytes *to, const struct fh_profile_sums *s) {
    const struct fh_profiled_kernel *k = s->kernel;
    const struct fh_profile_counts *c = &s->all.counts;
    fh_trace_print(to, "kernel %s: %llu launch%s, %llu block%s, %llu threads%s\n", k->name,
                   (unsigned long long)k->launches, k->launches == 1 ? "" : "es",
                   (unsigned long long)k->blocks, k->blocks == 1 ? "" : "s",
                   (unsigned long long)k->threads,
                   k->partial ? " (a launch ended before its end)" : "");
    fh_trace_print(to,
                   "  %llu warp instructions, %llu thread instructions: %.2f lanes on average\n",
                   (unsigned long long)c->warp, (unsigned long long)c->thread, lanes_of(c));
    put_classes(to, s);
    put_memory(to, c);
    fh_trace_print(to, "  divergences: %llu; operands from registers kept for reuse: %llu\n",
                   (unsigned long long)c->divergences, (unsigned long long)s->all.reused);
    fh_trace_print(to, "  registers live: %u at most (", s->all.live);
    put_place(to, s, s->most_live, false);
    fh_trace_print(to, ")\n");
}

/* ---------------------------------------------------------------- the worst */

/* A source line, or an instruction of unknown lines. */
struct bad {
    uint32_t word;  /* the worst instruction of it */
    uint32_t words; /* of it that are bad at all */
    uint64_t badness;
    const struct fh_profile_counts *counts;
};

typedef uint64_t badness_fn(const struct fh_profile_counts *counts);

static uint64_t conflicts_of(const struct fh_profile_counts *counts) {
    return counts->conflicts;
}

static uint64_t excess_of(const struct fh_profile_counts *counts) {
    return counts->sectors - counts->ideal;
}

/* Puts it in its place, if it is among the worst so far, in order. */
static uint32_t add_bad(struct bad worst[WORST_SHOWN], uint32_t count, struct bad bad) {
    uint32_t at = count;
    while (at && worst[at - 1].badness < bad.badness)
        at--;
    if (!bad.badness || at == WORST_SHOWN)
        return count;
    count += count < WORST_SHOWN;
    memmove(&worst[at + 1], &worst[at], (count - 1 - at) * sizeof *worst);
    worst[at] = bad;
    return count;
}

static uint32_t find_worst(const struct fh_profile_sums *s, badness_fn *badness,
                           struct bad worst[WORST_SHOWN]) {
    const struct fh_profiled_word *words = s->kernel->words;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->line_count; i++) {
        const struct fh_profile_line *line = &s->lines[i];
        struct bad bad = {.badness = badness(&line->sum.counts), .counts = &line->sum.counts};
        uint64_t most = 0;
        for (uint32_t k = 0; k < line->count; k++) {
            const uint32_t w = s->order[line->first + k];
            const uint64_t of_word = badness(&words[w].counts);
            if (!line->file)
                count = add_bad(worst, count, (struct bad){w, 1, of_word, &words[w].counts});
            bad.words += of_word != 0;
            if (of_word > most) {
                most = of_word;
                bad.word = w;
            }
        }
        if (line->file)
            count = add_bad(worst, count, bad);
    }
    return count;
}

/* Where it is, and how much of it there is. */
static void put_bad(struct fh_trace_bytes *to, const struct fh_profile_sums *s,
                    const struct bad *bad) {
    fh_trace_print(to, "  ");
    put_place(to, s, bad->word, bad->words == 1);
    fh_trace_print(to, ": %s", s->facts[bad->word].text);
    if (bad->words > 1)
        fh_trace_print(to, ", and %u more of the line", bad->words - 1);
    fh_trace_print(to, "\n");
}

static void put_conflicts(struct fh_trace_bytes *to, const struct fh_profile_sums *s) {
    struct bad worst[WORST_SHOWN];
    const uint32_t count = find_worst(s, conflicts_of, worst);
    if (count)
        fh_trace_print(to, "\n  bank conflicts, the most expensive first:\n");
    for (uint32_t i = 0; i < count; i++) {
        const struct fh_profile_worst *x = &s->kernel->words[worst[i].word].worst;
        put_bad(to, s, &worst[i]);
        fh_trace_print(to,
                       "    %llu passes more than without; %u ways in bank %u in block %u,%u,%u, "
                       "warp %u:\n     ",
                       (unsigned long long)worst[i].badness, x->ways, x->bank, x->block[0],
                       x->block[1], x->block[2], x->warp);
        for (uint32_t k = 0; k < x->count; k++)
            fh_trace_print(to, "%s lane %u at 0x%llx", k ? "," : "", x->lane[k],
                           (unsigned long long)x->address[k]);
        fh_trace_print(to, "%s\n", x->ways > x->count ? ", ..." : "");
    }
}

static void put_excess(struct fh_trace_bytes *to, const struct fh_profile_sums *s) {
    struct bad worst[WORST_SHOWN];
    const uint32_t count = find_worst(s, excess_of, worst);
    if (count)
        fh_trace_print(to, "\n  global memory, the most sectors above the ideal first:\n");
    for (uint32_t i = 0; i < count; i++) {
        const struct fh_profile_counts *c = worst[i].counts;
        put_bad(to, s, &worst[i]);
        fh_trace_print(to, "    %.1f sectors a request, ideal %.1f; %llu too many\n",
                       (double)c->sectors / (double)c->requests,
                       (double)c->ideal / (double)c->requests,
                       (unsigned long long)worst[i].badness);
    }
}

bool fh_profile_text(struct fh_trace_bytes *to, const struct fh_profiled_code *code,
                     const struct fh_profile_sources *sources) {
    bool fine = !code->failed, any = false;
    for (size_t i = 0; i < code->count && fine; i++) {
        struct fh_profile_sums sums;
        if (!code->kernels[i]->launches)
            continue;
        fine = fh_profile_sums_make(&sums, code->kernels[i]);
        if (fine) {
            fh_trace_print(to, any ? "\n" : "");
            put_totals(to, &sums);
            put_conflicts(to, &sums);
            put_excess(to, &sums);
            put_lines(to, &sums, sources);
        }
        any = true;
        fh_profile_sums_free(&sums);
    }
    if (!any)
        fh_trace_print(to, "no kernel was launched\n");
    return fine;
}
