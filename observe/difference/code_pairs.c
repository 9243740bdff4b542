/*
 * code_pairs.c - see code_pairs.h. A longest common subsequence of the instructions' texts; between
 * two pairs, as many instructions on either side are paired in order: they have been changed.
 */
#include "code_pairs.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 26 };

static int by_pc(const void *a, const void *b) {
    const struct fh_journal_site *const *x = a, *const *y = b;
    const uint64_t p = (*x)->instruction.pc, q = (*y)->instruction.pc;
    return (p > q) - (p < q);
}

size_t fh_code_pair_place(const struct fh_code_side *side, const struct fh_journal_site *site) {
    size_t low = 0, high = side->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (side->sites[middle]->instruction.pc < site->instruction.pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < side->count && side->sites[low] == site ? low : SIZE_MAX;
}

/* The sites that the launch executed, by pc. */
static bool collect(struct fh_code_side *side, const struct fh_journal *journal, uint64_t launch) {
    size_t count = 0;
    const size_t all = fh_journal_site_count(journal);
    bool *seen = calloc(all + 1, sizeof *seen);
    side->sites = calloc(all + 1, sizeof(const struct fh_journal_site *));
    side->partner = calloc(all + 1, sizeof *side->partner);
    if (!seen || !side->sites || !side->partner) {
        free(seen);
        return false;
    }
    for (uint32_t step = fh_journal_oldest(journal); step < fh_journal_count(journal); step++)
        if (fh_journal_warp(journal, step)->launch == launch)
            seen[fh_journal_site_number(journal, step)] = true;
    for (size_t i = 0; i < all; i++)
        if (seen[i])
            side->sites[count++] = fh_journal_site_get(journal, i);
    free(seen);
    side->count = count;
    qsort(side->sites, count, sizeof(const struct fh_journal_site *), by_pc);
    for (size_t i = 0; i < count; i++)
        side->partner[i] = SIZE_MAX;
    return true;
}

/* Branches have other targets when something was inserted. */
static bool alike(const struct fh_journal_site *a, const struct fh_journal_site *b) {
    const fhec_instruction *x = &a->instruction, *y = &b->instruction;
    if (!strcmp(x->klass, "control"))
        return !strcmp(x->mnemonic, y->mnemonic) && x->guard == y->guard &&
               x->guard_negated == y->guard_negated;
    return !strcmp(x->text, y->text);
}

static void pair(struct fh_code_pairs *p, size_t i, size_t j) {
    p->side[0].partner[i] = j;
    p->side[1].partner[j] = i;
}

/* Pairs the sites [i, n) with [j, m) by the longest common subsequence. */
static bool pair_common(struct fh_code_pairs *p, size_t i, size_t n, size_t j, size_t m) {
    const size_t width = m - j + 1, cells = (n - i + 1) * width, first = i, from = j;
    if (n == i || m == j || cells > MOST_CELLS)
        return true;
    uint32_t *length = calloc(cells, sizeof *length);
    if (!length)
        return false;
    for (size_t a = n; a-- > i;)
        for (size_t b = m; b-- > j;) {
            uint32_t *here = &length[(a - i) * width + (b - j)];
            const uint32_t down = here[width], right = here[1];
            *here = alike(p->side[0].sites[a], p->side[1].sites[b]) ? here[width + 1] + 1
                    : down > right                                  ? down
                                                                    : right;
        }
    while (i < n && j < m) {
        const uint32_t *here = &length[(i - first) * width + (j - from)];
        if (alike(p->side[0].sites[i], p->side[1].sites[j]))
            pair(p, i++, j++);
        else if (here[width] >= here[1])
            i++;
        else
            j++;
    }
    free(length);
    return true;
}

/* What stands between pairs, if it is as much on both sides. */
static void pair_changed(struct fh_code_pairs *p) {
    const struct fh_code_side *a = &p->side[0], *b = &p->side[1];
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        size_t n = i, m = j;
        while (n < a->count && a->partner[n] == SIZE_MAX)
            n++;
        while (m < b->count && b->partner[m] == SIZE_MAX)
            m++;
        if (n - i == m - j)
            while (i < n)
                pair(p, i++, j++);
        i = n + 1;
        j = m + 1;
    }
}

bool fh_code_pairs_make(struct fh_code_pairs *p, const struct fh_journal *journals[2],
                        uint64_t launch) {
    *p = (struct fh_code_pairs){0};
    if (!collect(&p->side[0], journals[0], launch) || !collect(&p->side[1], journals[1], launch))
        return false;
    size_t n = p->side[0].count, m = p->side[1].count, begin = 0;
    while (begin < n && begin < m && alike(p->side[0].sites[begin], p->side[1].sites[begin])) {
        pair(p, begin, begin);
        begin++;
    }
    while (n > begin && m > begin && alike(p->side[0].sites[n - 1], p->side[1].sites[m - 1]))
        pair(p, --n, --m);
    const bool fine = pair_common(p, begin, n, begin, m);
    pair_changed(p);
    return fine;
}

void fh_code_pairs_free(struct fh_code_pairs *p) {
    for (unsigned s = 0; s < 2; s++) {
        free(p->side[s].sites);
        free(p->side[s].partner);
    }
    *p = (struct fh_code_pairs){0};
}
