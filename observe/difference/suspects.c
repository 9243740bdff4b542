/*
 * suspects.c - see suspects.h.
 */
#include "suspects.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What each kind of evidence counts; see the header for where the numbers come from. */
static const double no_element = 0.6, through_address = 0.2; /* beside 1: all wrong, no right one */
static const double no_kin = 0.09, twice = 3, unread = 0.15;
static const double odd_weight[FH_KIN_FEATURES] = {[FH_KIN_TEXT] = 16,
                                                   [FH_KIN_NUMBERS] = 5,
                                                   [FH_KIN_PRODUCERS] = 1.3,
                                                   [FH_KIN_FANOUT] = 0.6,
                                                   [FH_KIN_SHARING] = 4.3};
/* The least part of the first one's score that is worth a line. */
static const double worth_it = 0.15;

static unsigned count_bits(uint64_t bits) {
    return (unsigned)__builtin_popcountll(bits);
}

/* Ochiai: 1 if the marks are those of the wrong elements, 0 if of none of them. */
static double likeness(uint64_t marks, const struct fh_verdicts *verdicts) {
    const double wrong = count_bits(marks & verdicts->wrong);
    const double marked = wrong + count_bits(marks & verdicts->right);
    return wrong > 0 ? wrong / sqrt(count_bits(verdicts->wrong) * marked) : 0;
}

double fh_suspect_score(const struct fh_evidence *evidence, const struct fh_verdicts *verdicts) {
    const double values = likeness(evidence->marks.values, verdicts);
    const double all = through_address * likeness(evidence->marks.all, verdicts);
    const struct fh_kin *kin = &evidence->kin;
    double odd = no_kin + twice * kin->twice + unread * kin->unread;
    for (unsigned i = 0; i < FH_KIN_FEATURES; i++)
        odd += odd_weight[i] * kin->odd[i];
    return (no_element + (values > all ? values : all)) * odd;
}

bool fh_suspect_same_line(const struct fh_journal_site *a, const struct fh_journal_site *b) {
    return a == b || (a->file[0] && a->line == b->line && !strcmp(a->file, b->file));
}

/* Puts it where it belongs in the list, and takes out a less suspicious one of its line. */
static size_t insert(struct fh_suspect *list, size_t count, size_t most, bool by_line,
                     const struct fh_suspect *one) {
    size_t same = by_line ? 0 : count, at;
    while (same < count && !fh_suspect_same_line(list[same].evidence.site, one->evidence.site))
        same++;
    if (same < count && list[same].score > one->score)
        return count;
    if (same < count)
        memmove(&list[same], &list[same + 1], (--count - same) * sizeof *list);
    for (at = count; at > 0 && list[at - 1].score <= one->score;)
        at--;
    if (at >= most)
        return count;
    if (count == most)
        count--;
    memmove(&list[at + 1], &list[at], (count - at) * sizeof *list);
    list[at] = *one;
    return count + 1;
}

size_t fh_suspects_rank(const struct fh_evidence *evidence, size_t count,
                        const struct fh_verdicts *verdicts, bool by_line,
                        struct fh_suspect *suspects, size_t most) {
    size_t kept = 0;
    for (size_t i = 0; i < count && most; i++) {
        const struct fh_suspect one = {evidence[i], fh_suspect_score(&evidence[i], verdicts)};
        if (one.score > no_element * no_kin) /* else nothing speaks against it */
            kept = insert(suspects, kept, most, by_line, &one);
    }
    while (kept > 1 && suspects[kept - 1].score < worth_it * suspects[0].score)
        kept--;
    return kept;
}

struct fh_verdicts fh_suspects_verdicts(size_t count, size_t wrong) {
    const uint64_t all = count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
    const uint64_t first = wrong >= 64 ? UINT64_MAX : (UINT64_C(1) << wrong) - 1;
    return (struct fh_verdicts){first, all & ~first};
}

struct fh_evidence *fh_suspects_evidence(const struct fh_journal *journal,
                                         const struct fh_spectrum_element *elements, size_t count) {
    const size_t sites = fh_journal_site_count(journal);
    struct fh_spectrum_marks *marks = calloc(sites + 1, sizeof *marks);
    struct fh_kin *kin = calloc(sites + 1, sizeof *kin);
    struct fh_evidence *evidence = calloc(sites + 1, sizeof *evidence);
    const bool found = marks && kin && evidence &&
                       fh_spectrum_make(journal, elements, count, marks) &&
                       fh_kin_find(journal, kin);
    for (size_t i = 0; found && i < sites; i++)
        evidence[i] = (struct fh_evidence){fh_journal_site_get(journal, i), marks[i], kin[i]};
    free(marks);
    free(kin);
    if (found)
        return evidence;
    free(evidence);
    return NULL;
}

/* ---------------------------------------------------------------- why */

struct sentence {
    char *text;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void say(struct sentence *s, const char *format, ...) {
    va_list arguments;
    if (s->used && s->used + 3 < FH_SUSPECT_REASON)
        s->used += (size_t)snprintf(s->text + s->used, FH_SUSPECT_REASON - s->used, "; ");
    va_start(arguments, format);
    const int length = vsnprintf(s->text + s->used, FH_SUSPECT_REASON - s->used, format, arguments);
    va_end(arguments);
    s->used += length > 0 ? (size_t)length : 0;
    if (s->used >= FH_SUSPECT_REASON)
        s->used = FH_SUSPECT_REASON - 1;
}

static void say_kin(struct sentence *s, const struct fh_kin *kin) {
    static const char *const parts[FH_KIN_FEATURES] = {
        [FH_KIN_TEXT] = "mnemonic, guard or signs",          [FH_KIN_NUMBERS] = "numbers",
        [FH_KIN_PRODUCERS] = "sources of operands",          [FH_KIN_FANOUT] = "number of readers",
        [FH_KIN_SHARING] = "operands in common with others",
    };
    enum { UNLIKE = 3 }; /* tenths */
    char unlike[FH_SUSPECT_REASON / 2] = "";
    size_t used = 0;
    for (unsigned i = 0; i < FH_KIN_FEATURES; i++)
        if (10 * kin->odd[i] >= UNLIKE)
            used += (size_t)snprintf(unlike + used, sizeof unlike - used, "%s%s", used ? ", " : "",
                                     parts[i]);
    if (used)
        say(s, "unlike most of the %u instructions of its line in: %s", kin->relatives, unlike);
    if (kin->twice)
        say(s, "stands there twice");
    if (kin->unread)
        say(s, "nothing reads its result");
}

void fh_suspect_reason(const struct fh_suspect *suspect, const struct fh_verdicts *verdicts,
                       char text[FH_SUSPECT_REASON]) {
    const struct fh_spectrum_marks *marks = &suspect->evidence.marks;
    const unsigned wrong = count_bits(verdicts->wrong), right = count_bits(verdicts->right);
    const bool values = (marks->values & verdicts->wrong) != 0;
    const uint64_t of = values ? marks->values : marks->all;
    struct sentence s = {text, 0};
    text[0] = 0;
    say_kin(&s, &suspect->evidence.kin);
    if (!(of & verdicts->wrong))
        say(&s, "no wrong element looked at depends on it");
    else if (right)
        say(&s, "%s %u of %u wrong elements and %u of %u right ones",
            values ? "went into" : "led to", count_bits(of & verdicts->wrong), wrong,
            count_bits(of & verdicts->right), right);
    else
        say(&s, "%s %u of %u wrong elements", values ? "went into" : "led to",
            count_bits(of & verdicts->wrong), wrong);
}
