/*
 * finding.c - see finding.h. Findings are found again by a hash of their kind and their two places.
 */
#include "finding.h"

#include <stdlib.h>
#include <string.h>

#include "finding_ids.h"

static const struct {
    const char *id, *title;
    enum fh_checker checker;
} kinds[] = {
#define FINDING(name, id, checker, title) {id, title, FH_CHECK_##checker},
    FH_FINDINGS(FINDING)
#undef FINDING
};

const char *fh_finding_id(unsigned kind) {
    return kinds[kind].id;
}
enum fh_checker fh_finding_checker(unsigned kind) {
    return kinds[kind].checker;
}
const char *fh_finding_title(unsigned kind) {
    return kinds[kind].title;
}

const char *fh_checker_name(enum fh_checker checker) {
    static const char *const names[FH_CHECKERS] = {
        [FH_CHECK_INIT] = "init",           [FH_CHECK_RACE] = "race",
        [FH_CHECK_SYNC] = "sync",           [FH_CHECK_ASYNC] = "async",
        [FH_CHECK_BOUNDS] = "bounds",       [FH_CHECK_OPERANDS] = "operands",
        [FH_CHECK_FRAGMENTS] = "fragments", [FH_CHECK_LEAKS] = "leaks",
    };
    return names[checker];
}

struct fh_place fh_place_of(const fhec_event *event) {
    return (struct fh_place){
        .program = event->launch ? event->launch->program : NULL,
        .kernel = event->launch ? event->launch->kernel : 0,
        .launch = event->number,
        .block = {event->block[0], event->block[1], event->block[2]},
        .warp = event->warp,
        .lanes = event->active,
        .pc = event->pc,
        .word = event->word,
    };
}

/* A finding and what it points to. */
struct row {
    struct fh_finding is;
    char *strings[7 + FH_FINDING_COMPUTED]; /* of `is`: to be freed */
    size_t string_count;
    struct fh_source_line *lines[2];
    struct row *next; /* of the same hash */
};

struct fh_findings {
    struct row **rows;
    size_t count, room;
    struct row **table; /* by hash; a power of two */
    size_t table_size;
    bool sorted;
    struct fh_place order; /* no program: none */
};

struct fh_findings *fh_findings_new(void) {
    return calloc(1, sizeof(struct fh_findings));
}

static void row_free(struct row *row) {
    if (!row)
        return;
    for (size_t i = 0; i < row->string_count; i++)
        free(row->strings[i]);
    for (size_t i = 0; i < 2; i++) {
        const struct fh_place_source *s = i ? &row->is.other_source : &row->is.source;
        for (size_t k = 0; row->lines[i] && k < s->line_count; k++)
            free((char *)row->lines[i][k].file);
        free(row->lines[i]);
    }
    free(row);
}

void fh_findings_free(struct fh_findings *findings) {
    for (size_t i = 0; findings && i < findings->count; i++)
        row_free(findings->rows[i]);
    if (findings) {
        free(findings->rows);
        free(findings->table);
    }
    free(findings);
}

/* ---------------------------------------------------------------- the table */

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t mix_place(uint64_t hash, const struct fh_place *place) {
    if (!place || !place->program)
        return mix(hash, 1 + (place ? place->pc : 0));
    return mix(mix(mix(hash, (uintptr_t)place->program), place->kernel), place->pc);
}

static size_t slot_of(const struct fh_findings *findings, unsigned kind, const struct fh_place *at,
                      const struct fh_place *other) {
    return mix_place(mix_place(mix(0, kind), at), other) & (findings->table_size - 1);
}

/* The word, too: a program may lie where one was that has been freed. */
static bool same_place(const struct fh_place *a, const struct fh_place *b) {
    const bool no_a = !a || !a->program, no_b = !b || !b->program;
    if (no_a || no_b) /* the host's: numbered by their checker */
        return no_a && no_b && (a ? a->pc : 0) == (b ? b->pc : 0);
    return a->program == b->program && a->kernel == b->kernel && a->pc == b->pc &&
           a->word.lo == b->word.lo && a->word.hi == b->word.hi;
}

static struct row *find(const struct fh_findings *findings, unsigned kind,
                        const struct fh_place *at, const struct fh_place *other) {
    if (!findings->table_size)
        return NULL;
    struct row *row = findings->table[slot_of(findings, kind, at, other)];
    while (row && !(row->is.kind == kind && same_place(&row->is.at, at) &&
                    same_place(&row->is.other, other)))
        row = row->next;
    return row;
}

bool fh_findings_again(struct fh_findings *findings, unsigned kind, const struct fh_place *at,
                       const struct fh_place *other) {
    struct row *row = find(findings, kind, at, other);
    if (row)
        row->is.count++;
    return row;
}

void fh_findings_depend(struct fh_findings *findings, const struct fh_place *at) {
    if (!findings->order.program)
        findings->order = *at;
}

const struct fh_place *fh_findings_order(const struct fh_findings *findings) {
    return findings->order.program ? &findings->order : NULL;
}

static void link_row(struct fh_findings *findings, struct row *row) {
    struct row **slot =
        &findings->table[slot_of(findings, row->is.kind, &row->is.at, &row->is.other)];
    row->next = *slot;
    *slot = row;
}

/* Room for one more, in the array and in the table. */
static bool grow(struct fh_findings *findings) {
    if (findings->count < findings->room)
        return true;
    const size_t room = findings->room ? 2 * findings->room : 64;
    struct row **rows = realloc(findings->rows, room * sizeof(struct row *));
    if (!rows)
        return false;
    findings->rows = rows;
    struct row **table = calloc(room, sizeof(struct row *));
    if (!table)
        return false;
    free(findings->table);
    findings->table = table;
    findings->table_size = findings->room = room;
    for (size_t i = 0; i < findings->count; i++)
        link_row(findings, rows[i]);
    return true;
}

/* ---------------------------------------------------------------- one more */

static const char *keep(struct row *row, const char *text, bool *fine) {
    char *copy = strdup(text);
    if (copy)
        row->strings[row->string_count++] = copy;
    *fine &= copy != NULL;
    return copy;
}

static bool keep_lines(const fhec_location *at, const fhec_expansion *steps, size_t count,
                       struct fh_source_line **lines, size_t *line_count) {
    *lines = calloc(count + 1, sizeof **lines);
    for (size_t i = 0; *lines && i < count + 1; i++) {
        const fhec_location *from = i ? &steps[i - 1].at : at;
        char *file = strdup(from->file ? from->file : "");
        if (!file)
            return false;
        (*lines)[(*line_count)++] = (struct fh_source_line){file, from->line};
    }
    return *lines;
}

/* Asks the program what the place is. */
static bool keep_source(struct row *row, const struct fh_place *place, size_t which,
                        struct fh_place_source *source) {
    fhec_kernel_info info;
    bool fine = true;
    if (!place->program || fhec_kernel_get(place->program, place->kernel, &info) != FHEC_OK)
        return true;
    source->kernel = keep(row, info.name, &fine);
    char text[512] = "";
    if (fhec_disassemble(place->word, place->pc, 0, text, sizeof text) < 0)
        strcpy(text, "(no instruction)");
    source->text = keep(row, text, &fine);
    const uint32_t word = (uint32_t)(place->pc / sizeof(fhec_word));
    const fhec_location at = fhec_kernel_location(place->program, place->kernel, word);
    if (!at.file) {
        source->location = "";
        return fine;
    }
    fhec_expansion steps[FHEC_MAX_EXPANSIONS];
    const size_t count =
        fhec_kernel_expansions(place->program, place->kernel, word, steps, FHEC_MAX_EXPANSIONS);
    const size_t length = fhec_format_location(&at, steps, count, NULL, 0);
    char *location = malloc(length + 1);
    if (!location)
        return false;
    (void)fhec_format_location(&at, steps, count, location, length + 1);
    source->location = row->strings[row->string_count++] = location;
    fine &= keep_lines(&at, steps, count, &row->lines[which], &source->line_count);
    source->lines = row->lines[which];
    return fine;
}

static bool keep_computing(struct row *row) {
    bool fine = true;
    for (uint32_t i = 0; i < row->is.computed_count; i++) {
        struct fh_computing *by = &row->is.computed_by[i];
        const fhec_location at = fhec_kernel_location(row->is.at.program, row->is.at.kernel,
                                                      (uint32_t)(by->pc / sizeof(fhec_word)));
        by->at = (struct fh_source_line){at.file ? keep(row, at.file, &fine) : NULL, at.line};
    }
    return fine;
}

bool fh_findings_add(struct fh_findings *findings, const struct fh_finding *finding) {
    if (fh_findings_again(findings, finding->kind, &finding->at, &finding->other))
        return true;
    struct row *row = grow(findings) ? calloc(1, sizeof *row) : NULL;
    if (!row)
        return false;
    row->is = *finding;
    row->is.source = row->is.other_source = (struct fh_place_source){0};
    bool fine = keep_source(row, &row->is.at, 0, &row->is.source) &&
                keep_source(row, &row->is.other, 1, &row->is.other_source) && keep_computing(row);
    if (row->is.object.name)
        row->is.object.name = keep(row, row->is.object.name, &fine);
    row->is.count = 1;
    if (!fine) {
        row_free(row);
        return false;
    }
    findings->rows[findings->count++] = row;
    link_row(findings, row);
    findings->sorted = false;
    return true;
}

bool fh_findings_merge(struct fh_findings *findings, const struct fh_findings *more,
                       size_t *added) {
    bool good = true;
    *added = 0;
    for (size_t i = 0; i < more->count && good; i++) {
        const struct fh_finding *f = &more->rows[i]->is;
        if (find(findings, f->kind, &f->at, &f->other) ||
            find(findings, f->kind, &f->other, &f->at))
            continue;
        good = fh_findings_add(findings, f);
        ++*added;
    }
    return good;
}

/* ---------------------------------------------------------------- all of them */

static int by_text(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "");
}

static int by_place(const void *left, const void *right) {
    const struct fh_finding *a = &(*(struct row *const *)left)->is,
                            *b = &(*(struct row *const *)right)->is;
    const int kernels = by_text(a->source.kernel, b->source.kernel);
    if (kernels)
        return kernels;
    if (a->at.pc != b->at.pc)
        return a->at.pc < b->at.pc ? -1 : 1;
    const int ids = strcmp(kinds[a->kind].id, kinds[b->kind].id);
    if (ids)
        return ids;
    if (a->other.pc != b->other.pc)
        return a->other.pc < b->other.pc ? -1 : 1;
    return by_text(a->other_source.kernel, b->other_source.kernel);
}

size_t fh_findings_count(const struct fh_findings *findings) {
    return findings->count;
}

const struct fh_finding *fh_findings_get(struct fh_findings *findings, size_t index) {
    if (!findings->sorted && findings->count)
        qsort(findings->rows, findings->count, sizeof(struct row *), by_place);
    findings->sorted = true;
    return index < findings->count ? &findings->rows[index]->is : NULL;
}
