/*
 * suspected.c - see suspected.h.
 */
#include "suspected.h"

#include <stdlib.h>
#include <string.h>

enum { OF_EACH = FH_SPECTRUM_MOST / 2 };

struct choice {
    const struct fh_cli_wrong_array *array;
    struct fh_spectrum_element elements[FH_SPECTRUM_MOST];
    size_t count, wrong;
    uint32_t offset, bytes; /* of what is looked at in each element */
};

/* Elements of two words of which always the same one is right: only the other is looked at. */
static void choose_word(struct choice *c, size_t from, size_t to) {
    const struct fh_cli_wrong_array *a = c->array;
    uint64_t wrong = 0;
    for (size_t i = from; i < to; i++)
        wrong |= fh_cli_data_get(a->got, a->wrong[i]) ^ fh_cli_data_get(a->want, a->wrong[i]);
    c->bytes = a->got->width;
    if (c->bytes == 8 && (!(wrong >> 32) || !(uint32_t)wrong)) {
        c->offset = (uint32_t)wrong ? 0 : 4;
        c->bytes = 4;
    }
}

static void take(struct choice *c, size_t index) {
    const uint64_t address = c->array->address + (index - c->array->first) * c->array->got->width;
    c->elements[c->count++] = (struct fh_spectrum_element){address + c->offset, c->bytes};
}

static void choose(struct choice *c) {
    const struct fh_cli_wrong_array *a = c->array;
    size_t from = 0, to;
    while (from < a->wrong_count && a->wrong[from] < a->first)
        from++;
    for (to = from; to < a->wrong_count && a->wrong[to] - a->first < a->count;)
        to++;
    const size_t wrong = to - from, right = a->count - wrong;
    const size_t of_right = right < OF_EACH ? right : OF_EACH;
    choose_word(c, from, to);
    for (size_t i = 0; i < OF_EACH && i < wrong; i++)
        take(c, a->wrong[from + (wrong <= OF_EACH ? i : i * wrong / OF_EACH)]);
    c->wrong = c->count;
    for (size_t i = 0, seen = 0, next = from; i < a->count; i++) {
        const size_t taken = c->count - c->wrong;
        if (next < to && a->wrong[next] - a->first == i)
            next++;
        else if (taken < of_right && seen++ == taken * right / of_right)
            take(c, a->first + i);
    }
}

void fh_cli_suspect(struct fh_cli_suspected *suspected, const struct fh_journal *journal,
                    const struct fh_cli_wrong_array *array) {
    struct choice c = {.array = array};
    choose(&c);
    suspected->verdicts = fh_suspects_verdicts(c.count, c.wrong);
    struct fh_evidence *evidence = fh_suspects_evidence(journal, c.elements, c.count);
    const size_t sites = evidence ? fh_journal_site_count(journal) : 0;
    suspected->count = fh_suspects_rank(evidence, sites, &suspected->verdicts, true,
                                        suspected->list, FH_SUSPECTS_MOST);
    suspected->site_count = fh_suspects_rank(evidence, sites, &suspected->verdicts, false,
                                             suspected->sites, FH_CLI_SUSPECTED_SITES);
    free(evidence);
}

void fh_cli_suspect_first(struct fh_cli_suspected *suspected, const struct fh_journal_site *site) {
    struct fh_suspect first = {0};
    size_t at = 0;
    for (size_t i = 0; i < suspected->site_count; i++)
        if (suspected->sites[i].evidence.site == site)
            first = suspected->sites[i];
    if (!first.evidence.site)
        return;
    while (at < suspected->count && !fh_suspect_same_line(suspected->list[at].evidence.site, site))
        at++;
    if (at == suspected->count && suspected->count < FH_SUSPECTS_MOST)
        suspected->count++;
    at = at < suspected->count ? at : suspected->count - 1;
    memmove(&suspected->list[1], &suspected->list[0], at * sizeof first);
    suspected->list[0] = first;
}

void fh_cli_suspected_text(const struct fh_cli_suspected *suspected, FILE *to) {
    char reason[FH_SUSPECT_REASON];
    if (suspected->count)
        fprintf(to, "\n  suspected, the likeliest first:");
    for (size_t i = 0; i < suspected->count; i++) {
        const struct fh_journal_site *site = suspected->list[i].evidence.site;
        fh_suspect_reason(&suspected->list[i], &suspected->verdicts, reason);
        fprintf(to, "\n    %s%s%s ;  (0x%04llx)\n      %s", site->where, site->where[0] ? ": " : "",
                site->instruction.text, (unsigned long long)site->instruction.pc, reason);
    }
}

json_t *fh_cli_suspected_json(const struct fh_cli_suspected *suspected) {
    char reason[FH_SUSPECT_REASON];
    json_t *list = json_array();
    for (size_t i = 0; list && i < suspected->count; i++) {
        const struct fh_journal_site *site = suspected->list[i].evidence.site;
        fh_suspect_reason(&suspected->list[i], &suspected->verdicts, reason);
        json_t *one =
            json_pack("{s:s, s:I, s:s, s:f, s:s}", "kernel", site->kernel, "pc",
                      (json_int_t)site->instruction.pc, "instruction", site->instruction.text,
                      "score", suspected->list[i].score, "reason", reason);
        if (one && site->file[0]) {
            json_object_set_new(one, "file", json_string(site->file));
            json_object_set_new(one, "line", json_integer(site->line));
        }
        json_array_append_new(list, one);
    }
    return list;
}
