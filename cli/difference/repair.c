/*
 * repair.c - see repair.h.
 */
#include "repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fhec_observe.h"
#include "fhec_patch.h"
#include "message.h"
#include "mutants.h"

/* Warp instructions of all runs together, runs, and how many fewer than that are not worth it. */
enum { MOST_STEPS = 1 << 23, MOST_RUNS = 192, LEAST_RUNS = 8, EDIT_TEXT = 512 };

struct repairing {
    struct fh_cli_repair *repair;
    const struct fh_cli *cli;
    const struct fh_cli_difference *of;
    const struct fh_cli_again *again;
    const struct fh_journal *journal;
    unsigned runs_left;
    uint64_t limit; /* steps of a run */
    uint8_t *bytes; /* of a result */
    size_t bytes_read;
};

static size_t element_count(const struct fh_cli_difference *of) {
    return of->count ? of->count : of->got->count;
}

static size_t result_bytes(const struct repairing *r) {
    return element_count(r->of) * r->of->want->width;
}

/* What the host reads of the result, before it releases the memory. */
static void on_read(void *user, const fhec_event *event) {
    struct repairing *r = user;
    const uint64_t begin = event->host.address, first = r->of->address;
    const uint64_t end = begin + event->host.bytes, last = first + result_bytes(r);
    const uint64_t from = begin > first ? begin : first, to = end < last ? end : last;
    if (from >= to)
        return;
    memcpy(r->bytes + (from - first), (const uint8_t *)event->host.data + (from - begin),
           to - from);
    r->bytes_read += to - from;
}

static fhec_status watch(struct repairing *r, fhec_machine *machine) {
    const fhec_observer observer = {
        .user = r,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_HOST_READ)},
        .event = on_read,
    };
    r->bytes_read = 0;
    return fhec_observe(machine, &observer, NULL);
}

/* Whether what the host has read is what is expected. */
static bool is_right(const struct repairing *r) {
    const struct fh_cli_data *want = r->of->want;
    return r->bytes_read >= result_bytes(r) &&
           !memcmp(r->bytes, (const uint8_t *)want->bytes + r->of->first * want->width,
                   result_bytes(r));
}

/* One run with the instruction of these sites in another form. */
static bool works(struct repairing *r, const struct fh_journal_site *const *sites,
                  const fhec_word *words, size_t count) {
    struct fh_cli_machine settings = *r->again->settings;
    fhec_machine *machine = NULL;
    settings.stats = FH_CLI_STATS_NONE;
    settings.seed_is_told = true;
    r->runs_left--;
    r->repair->runs++;
    fhec_status status = fh_cli_machine_new(r->cli, &settings, &machine);
    if (status == FHEC_OK)
        fhec_machine_limit(machine, r->limit);
    for (size_t i = 0; i < count && status == FHEC_OK; i++)
        status = fhec_machine_patch(machine, sites[i]->kernel, sites[i]->instruction.pc, words[i]);
    if (status == FHEC_OK)
        status = watch(r, machine);
    if (status == FHEC_OK)
        status = r->again->run(r->again->user, machine);
    const bool right = status == FHEC_OK && is_right(r);
    fhec_machine_free(machine);
    return right;
}

static bool always(void *user, size_t program, size_t kernel, uint32_t instruction) {
    (void)user;
    (void)program;
    (void)kernel;
    (void)instruction;
    return true;
}

/* The edits of an instruction. */
static void find_edits(const struct repairing *r, const struct fh_journal_site *site,
                       struct fh_cli_mutants *edits) {
    char text[EDIT_TEXT];
    *edits = (struct fh_cli_mutants){NULL, 0};
    const int length =
        snprintf(text, sizeof text, ".kernel k\n    %s ;\n.end\n", site->instruction.text);
    if (length > 0 && (size_t)length < sizeof text)
        (void)fh_cli_mutants_add(r->cli, edits, 0, text, always, NULL);
}

/* The word of an edit; false: it is no other instruction. */
static bool word_of(const struct fh_journal_site *site, const struct fh_cli_mutant *edit,
                    fhec_word *word) {
    const uint64_t fields = (UINT64_C(1) << 41) - 1; /* scheduling is no part of it */
    const fhec_word old = site->instruction.word;
    return !edit->doubled &&
           fhec_assemble_word(edit->after, site->instruction.pc, NULL, NULL, word) == FHEC_OK &&
           (word->lo != old.lo || ((word->hi ^ old.hi) & fields));
}

static bool found(struct repairing *r, const struct fh_journal_site *site, const char *edit,
                  size_t relatives) {
    edit += strspn(edit, " ");
    const size_t length = strlen(edit);
    const bool ends = length > 2 && !strcmp(edit + length - 2, " ;");
    snprintf(r->repair->edit, sizeof r->repair->edit, "%.*s", (int)(ends ? length - 2 : length),
             edit);
    r->repair->found = true;
    r->repair->site = site;
    r->repair->relatives = relatives;
    return true;
}

/* Tries the edits of one instruction. */
static bool try_site(struct repairing *r, const struct fh_journal_site *site) {
    struct fh_cli_mutants edits;
    bool right = false;
    find_edits(r, site, &edits);
    for (size_t i = 0; i < edits.count && r->runs_left && !right; i++) {
        fhec_word word;
        if (word_of(site, &edits.list[i], &word) && works(r, &site, &word, 1))
            right = found(r, site, edits.list[i].after, 1);
    }
    fh_cli_mutants_free(&edits);
    return right;
}

/* ---------------------------------------------------------------- all instructions of a line */

enum { MOST_RELATIVES = 256 };

static size_t find_relatives(const struct repairing *r, const struct fh_journal_site *site,
                             const struct fh_journal_site **list) {
    size_t count = 0;
    list[count++] = site;
    for (size_t i = 0; i < fh_journal_site_count(r->journal) && count < MOST_RELATIVES; i++) {
        const struct fh_journal_site *other = fh_journal_site_get(r->journal, i);
        if (other != site && other->line == site->line && !strcmp(other->file, site->file) &&
            !strcmp(other->kernel, site->kernel))
            list[count++] = other;
    }
    return count;
}

/* The edit of each relative that has the same number as that of the first one: of instructions of
 * one form they are alike. */
static bool try_alike(struct repairing *r, const struct fh_journal_site *const *sites, size_t count,
                      size_t number, const char *kind) {
    fhec_word words[MOST_RELATIVES];
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        struct fh_cli_mutants edits;
        find_edits(r, sites[i], &edits);
        good = number < edits.count && !strcmp(edits.list[number].kind, kind) &&
               word_of(sites[i], &edits.list[number], &words[i]);
        fh_cli_mutants_free(&edits);
    }
    return good && works(r, sites, words, count);
}

static bool try_line(struct repairing *r, const struct fh_journal_site *site) {
    const struct fh_journal_site *sites[MOST_RELATIVES];
    struct fh_cli_mutants edits;
    bool right = false;
    const size_t count = site->file[0] ? find_relatives(r, site, sites) : 1;
    if (count < 2)
        return false;
    find_edits(r, site, &edits);
    for (size_t i = 0; i < edits.count && r->runs_left && !right; i++)
        if (!edits.list[i].doubled && try_alike(r, sites, count, i, edits.list[i].kind))
            right = found(r, site, edits.list[i].after, count);
    fh_cli_mutants_free(&edits);
    return right;
}

void fh_cli_repair_find(struct fh_cli_repair *repair, const struct fh_cli *cli,
                        const struct fh_cli_difference *difference,
                        const struct fh_cli_again *again, const struct fh_journal *journal,
                        const struct fh_cli_suspected *suspected) {
    const uint64_t steps = fh_journal_count(journal) + 1;
    const uint64_t runs = MOST_STEPS / steps < MOST_RUNS ? MOST_STEPS / steps : MOST_RUNS;
    struct repairing r = {.repair = repair,
                          .cli = cli,
                          .of = difference,
                          .again = again,
                          .journal = journal,
                          .limit = 2 * steps + 1000};
    *repair = (struct fh_cli_repair){0};
    if (runs < LEAST_RUNS)
        return;
    r.bytes = malloc(element_count(difference) * difference->want->width + 1);
    bool done = !r.bytes;
    r.runs_left = (unsigned)(2 * runs / 3);
    for (size_t i = 0; i < suspected->site_count && r.runs_left && !done; i++)
        done = try_site(&r, suspected->sites[i].evidence.site);
    r.runs_left = (unsigned)runs - repair->runs;
    for (size_t i = 0; i < suspected->count && r.runs_left && !done; i++)
        done = try_line(&r, suspected->list[i].evidence.site);
    free(r.bytes);
}

/* ---------------------------------------------------------------- saying it */

void fh_cli_repair_text(const struct fh_cli_repair *repair, size_t count, FILE *to) {
    const struct fh_journal_site *site = repair->site;
    if (!repair->found)
        return;
    fprintf(to, "\n  with one edit all %zu elements are right, tried in run %u:\n    %s%s%s\n",
            count, repair->runs, site->where, site->where[0] ? ": " : "", site->instruction.text);
    fprintf(to, "    %*s%s", (int)(strlen(site->where) + (site->where[0] ? 2 : 0)), "",
            repair->edit);
    if (repair->relatives > 1)
        fprintf(to, "  (and the same in all %zu instructions of the line)", repair->relatives);
}

json_t *fh_cli_repair_json(const struct fh_cli_repair *repair) {
    const struct fh_journal_site *site = repair->site;
    if (!repair->found)
        return NULL;
    json_t *object = json_pack("{s:s, s:I, s:s, s:s, s:I, s:i}", "kernel", site->kernel, "pc",
                               (json_int_t)site->instruction.pc, "instruction",
                               site->instruction.text, "edit", repair->edit, "instructions",
                               (json_int_t)repair->relatives, "runs", (int)repair->runs);
    if (object && site->file[0]) {
        json_object_set_new(object, "file", json_string(site->file));
        json_object_set_new(object, "line", json_integer(site->line));
    }
    return object;
}
