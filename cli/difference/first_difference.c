/*
 * first_difference.c - see first_difference.h.
 */
#include "first_difference.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "pattern.h"
#include "repair.h"
#include "slice.h"
#include "stores.h"
#include "suspected.h"
#include "values.h"

enum { SHOWN = 16, MOST_SITES = 24, MOST_WATCHED = 1 << 26, JOURNAL = 1 << 28 };

/* What is the same of all stores to elements that differ. */
enum attribute { BY_LANE, BY_WARP, BY_BLOCK, BY_INSTRUCTION, ATTRIBUTES };

struct attribution {
    bool known;             /* the run has been made once more */
    size_t not_stored;      /* elements that differ, and that no instruction stored */
    bool same[ATTRIBUTES];  /* all that differ have it in common, but not all of the buffer */
    bool exact[ATTRIBUTES]; /* and what has it differs */
    struct fh_store first;  /* to the first element that differs and was stored */
    size_t first_index;     /* SIZE_MAX: none was */
};

struct comparison {
    const struct fh_cli *cli;
    const struct fh_cli_difference *of;
    struct fh_array_shape shape;
    size_t *indices;
    size_t count;
    char pattern[FH_PATTERN_TEXT], values[FH_PATTERN_TEXT];
    struct attribution by;
    fhec_machine *machine; /* of the second run */
    struct fh_stores *stores;
    struct fh_journal *journal;
    const struct fh_journal_site *sites[MOST_SITES]; /* of the first element's slice */
    size_t site_count;
    struct fh_cli_suspected suspected;
    struct fh_cli_repair repair;
};

/* ---------------------------------------------------------------- what differs */

static size_t columns_of(const struct fh_cli_data *data) {
    return data->dims >= 2 ? data->shape[data->dims - 1] : 0;
}

static uint64_t get_element(const void *array, size_t index) {
    return fh_cli_data_get(array, index);
}

static void find_differences(struct comparison *c) {
    const struct fh_cli_data *got = c->of->got, *want = c->of->want;
    size_t columns = c->of->columns;
    if (!columns)
        columns = columns_of(want) ? columns_of(want) : columns_of(got);
    c->shape = (struct fh_array_shape){
        .count = got->count,
        .columns = columns && got->count % columns == 0 && columns < got->count ? columns : 0,
        .row = c->of->row ? c->of->row : "row",
    };
    for (size_t i = 0; i < got->count; i++)
        if (fh_cli_data_get(got, i) != fh_cli_data_get(want, i))
            c->indices[c->count++] = i;
    if (c->count)
        fh_pattern_describe(c->indices, c->count, &c->shape, c->pattern);
    const struct fh_wrong_values values = {get_element, got, want, got->width};
    if (c->count)
        fh_values_describe(&values, c->indices, c->count, &c->shape, c->values);
}

static void value_text(const struct fh_cli_data *data, size_t index, char *text, size_t size) {
    const uint64_t bits = fh_cli_data_get(data, index);
    const unsigned shift = 64 - 8 * data->width;
    float single;
    double number;
    const uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&number, &bits, sizeof number);
    if (data->kind == FH_CLI_FLOAT && data->width >= 4)
        snprintf(text, size, "0x%llx (%.9g)", (unsigned long long)bits,
                 data->width == 4 ? (double)single : number);
    else if (data->kind == FH_CLI_SIGNED)
        snprintf(text, size, "0x%llx (%lld)", (unsigned long long)bits,
                 (long long)(int64_t)(bits << shift) >> shift);
    else
        snprintf(text, size, "0x%llx (%llu)", (unsigned long long)bits, (unsigned long long)bits);
}

/* "[3, 5]", or "[35]" of what has no rows. */
static void place_text(const struct fh_array_shape *shape, size_t index, char text[48]) {
    if (shape->columns)
        snprintf(text, 48, "[%zu, %zu]", index / shape->columns, index % shape->columns);
    else
        snprintf(text, 48, "[%zu]", index);
}

/* ---------------------------------------------------------------- who stored it */

/* How many elements lie at the address. */
static size_t watched(const struct fh_cli_difference *of) {
    return of->count ? of->count : of->got->count;
}

static bool has(enum attribute attribute, const struct fh_store *a, const struct fh_store *b) {
    switch (attribute) {
    case BY_LANE: return a->lane == b->lane;
    case BY_WARP: return a->warp == b->warp;
    case BY_BLOCK: return !memcmp(a->block, b->block, sizeof a->block);
    default: return a->site == b->site;
    }
}

/* Stores are watched by words: which of an element's two is the wrong one tells its register. */
static uint32_t watched_bytes(const struct fh_cli_difference *of) {
    return of->got->width > 4 ? 4 : of->got->width;
}

/* The store to an element, or to the lower one of its words that differ. */
static bool get_store(const struct comparison *c, const struct fh_stores *stores, size_t index,
                      struct fh_store *store) {
    const struct fh_cli_difference *of = c->of;
    const size_t words = of->got->width / watched_bytes(of);
    const bool low =
        (uint32_t)fh_cli_data_get(of->got, index) == (uint32_t)fh_cli_data_get(of->want, index);
    if (index < of->first || index - of->first >= watched(of))
        return false;
    return fh_stores_get(stores, words * (index - of->first) + (words == 2 && low), store);
}

static void attribute_all(struct comparison *c, const struct fh_stores *stores) {
    struct attribution *by = &c->by;
    struct fh_store store;
    by->known = true;
    by->first_index = SIZE_MAX;
    for (size_t i = 0; i < c->count; i++) {
        if (!get_store(c, stores, c->indices[i], &store))
            by->not_stored++;
        else if (by->first_index == SIZE_MAX) {
            by->first = store;
            by->first_index = c->indices[i];
        }
    }
    for (unsigned a = 0; a < ATTRIBUTES && by->first_index != SIZE_MAX && !c->of->count; a++) {
        bool other = false; /* something in the buffer does not have it */
        by->same[a] = by->exact[a] = !by->not_stored;
        for (size_t i = 0, next = 0; i < c->shape.count && by->same[a]; i++) {
            const bool differs = next < c->count && c->indices[next] == i;
            next += differs;
            const bool it = get_store(c, stores, i, &store) && has(a, &store, &by->first);
            by->same[a] &= it || !differs;
            by->exact[a] &= it == differs;
            other |= !it;
        }
        by->same[a] &= other;
    }
}

/* Runs once more; the stores live until the comparison is over. */
static void run_again(struct comparison *c, const struct fh_cli_again *again) {
    const struct fh_cli_difference *of = c->of;
    struct fh_cli_machine settings = *again->settings;
    settings.stats = FH_CLI_STATS_NONE;
    settings.seed_is_told = true;
    fhec_status status = fh_cli_machine_new(c->cli, &settings, &c->machine);
    if (status == FHEC_OK)
        status = fh_stores_begin(c->machine, of->address, watched_bytes(of),
                                 watched(of) * (of->got->width / watched_bytes(of)), &c->stores);
    if (status == FHEC_OK)
        status = fh_journal_begin(c->machine, JOURNAL, &c->journal);
    if (status == FHEC_OK)
        status = again->run(again->user, c->machine);
    if (status != FHEC_OK)
        return;
    fh_journal_stop(c->journal);
    attribute_all(c, c->stores);
    const size_t index = c->indices[0] - of->first;
    if (c->indices[0] >= of->first && index < watched(of))
        c->site_count = fh_slice_sites(c->journal, of->address + index * of->got->width,
                                       of->got->width, c->sites, MOST_SITES);
    fh_cli_suspect(&c->suspected, c->journal,
                   &(struct fh_cli_wrong_array){.got = of->got,
                                                .want = of->want,
                                                .address = of->address,
                                                .first = of->first,
                                                .count = watched(of),
                                                .wrong = c->indices,
                                                .wrong_count = c->count});
    fh_cli_repair_find(&c->repair, c->cli, of, again, c->journal, &c->suspected);
    if (c->repair.found)
        fh_cli_suspect_first(&c->suspected, c->repair.site);
}

/* The instructions that the first element was made by. */
static void put_sites(const struct comparison *c, FILE *to) {
    const size_t from = c->by.first_index == c->indices[0]; /* the store has been told */
    if (c->site_count <= from)
        return;
    fprintf(to,
            from ? "\n  it was made by, nearest first:" : "\n  what decided that, nearest first:");
    for (size_t i = from; i < c->site_count; i++)
        fprintf(to, "\n    %s%s%s", c->sites[i]->where, c->sites[i]->where[0] ? ": " : "",
                c->sites[i]->instruction.text);
}

/* The attributes that say something, as text: "lane 13 of block 0,0,2". */
static void common_text(const struct attribution *by, char text[160]) {
    const struct fh_store *s = &by->first;
    char part[4][40] = {""};
    size_t used = 0;
    snprintf(part[BY_LANE], sizeof part[0], "lane %u", s->lane);
    snprintf(part[BY_WARP], sizeof part[0], "warp %u", s->warp);
    snprintf(part[BY_BLOCK], sizeof part[0], "block %u,%u,%u", s->block[0], s->block[1],
             s->block[2]);
    snprintf(part[BY_INSTRUCTION], sizeof part[0], "the instruction at 0x%04llx",
             (unsigned long long)s->site->pc);
    text[0] = 0;
    for (unsigned a = 0; a < ATTRIBUTES; a++)
        if (by->same[a])
            used += (size_t)snprintf(text + used, 160 - used, "%s%s", used ? ", " : "", part[a]);
}

/* Whether one attribute alone says which elements differ; its number, or ATTRIBUTES. */
static unsigned exact_attribute(const struct attribution *by) {
    unsigned a = 0;
    while (a < ATTRIBUTES && !by->exact[a])
        a++;
    return a;
}

/* ---------------------------------------------------------------- saying it */

static void put_stores(const struct comparison *c, FILE *to) {
    const struct attribution *by = &c->by;
    char common[160], place[48];
    if (!by->known)
        return;
    if (by->not_stored == c->count) {
        fprintf(to, "\n  no instruction stored %s: the buffer's initial values are still there",
                c->count == 1 ? "it" : "any of them");
        fh_cli_suspected_text(&c->suspected, to);
        fh_cli_repair_text(&c->repair, watched(c->of), to);
        put_sites(c, to);
        return;
    }
    if (by->not_stored)
        fprintf(to, "\n  no instruction stored %zu of them", by->not_stored);
    common_text(by, common);
    if (common[0] && c->count > 1)
        fprintf(to, "\n  all were stored by %s%s", common,
                exact_attribute(by) < ATTRIBUTES ? ", and all that it stored differ" : "");
    place_text(&c->shape, by->first_index, place);
    const struct fh_store *s = &by->first;
    fprintf(to, "\n  %s was stored by lane %u of warp %u, block %u,%u,%u", place, s->lane, s->warp,
            s->block[0], s->block[1], s->block[2]);
    if (s->site->launch > 1)
        fprintf(to, " in launch %llu", (unsigned long long)s->site->launch);
    if (s->reg != FHEC_NO_REGISTER)
        fprintf(to, " from R%u", s->reg);
    fprintf(to, ":\n    %s%s%s ;  (0x%04llx)", s->site->where, s->site->where[0] ? ": " : "",
            s->site->text, (unsigned long long)s->site->pc);
    fh_cli_suspected_text(&c->suspected, to);
    fh_cli_repair_text(&c->repair, watched(c->of), to);
    put_sites(c, to);
    if (c->of->why)
        fprintf(to, "\n  `fhec why '%s[%zu]'%s` with the same arguments shows how it came about",
                c->of->buffer, by->first_index, c->of->why);
}

static void put_text(const struct comparison *c, FILE *to) {
    const struct fh_cli_difference *of = c->of;
    char got[64], want[64], place[48];
    value_text(of->got, c->indices[0], got, sizeof got);
    value_text(of->want, c->indices[0], want, sizeof want);
    fprintf(to, "%s differs in %zu of %zu elements, first in element %zu: it is %s, expected %s",
            of->what, c->count, c->shape.count, c->indices[0], got, want);
    if (c->cli->json)
        return;
    for (size_t i = 0; i < c->count && i < SHOWN && (c->count > 1 || c->shape.columns); i++) {
        value_text(of->got, c->indices[i], got, sizeof got);
        value_text(of->want, c->indices[i], want, sizeof want);
        place_text(&c->shape, c->indices[i], place);
        fprintf(to, "\n  %s: %s, expected %s", place, got, want);
    }
    if (c->count > SHOWN)
        fprintf(to, "\n  and %zu more", c->count - SHOWN);
    if (c->pattern[0])
        fprintf(to, "\n  %s", c->pattern);
    if (c->values[0])
        fprintf(to, "\n  %s", c->values);
    put_stores(c, to);
}

static json_t *store_json(const struct attribution *by) {
    const struct fh_store *s = &by->first;
    char common[160];
    common_text(by, common);
    json_t *object =
        json_pack("{s:I, s:s?, s:I, s:[i,i,i], s:i, s:i, s:I, s:s, s:s}", "index",
                  (json_int_t)by->first_index, "kernel", s->site->kernel, "launch",
                  (json_int_t)s->site->launch, "block", (int)s->block[0], (int)s->block[1],
                  (int)s->block[2], "warp", (int)s->warp, "lane", (int)s->lane, "pc",
                  (json_int_t)s->site->pc, "instruction", s->site->text, "common", common);
    if (object && s->site->file[0]) {
        json_object_set_new(object, "file", json_string(s->site->file));
        json_object_set_new(object, "line", json_integer(s->site->line));
    }
    if (object && s->reg != FHEC_NO_REGISTER)
        json_object_set_new(object, "register", json_sprintf("R%u", s->reg));
    return object;
}

static json_t *sites_json(const struct comparison *c) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < c->site_count; i++) {
        const struct fh_journal_site *site = c->sites[i];
        json_t *one =
            json_pack("{s:s, s:I, s:s}", "kernel", site->kernel, "pc",
                      (json_int_t)site->instruction.pc, "instruction", site->instruction.text);
        if (one && site->file[0]) {
            json_object_set_new(one, "file", json_string(site->file));
            json_object_set_new(one, "line", json_integer(site->line));
        }
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *difference_json(const struct comparison *c) {
    const struct fh_cli_difference *of = c->of;
    json_t *first = json_array();
    for (size_t i = 0; first && i < c->count && i < SHOWN; i++) {
        const size_t index = c->indices[i], columns = c->shape.columns;
        char got[64], want[64];
        snprintf(got, sizeof got, "0x%llx", (unsigned long long)fh_cli_data_get(of->got, index));
        snprintf(want, sizeof want, "0x%llx", (unsigned long long)fh_cli_data_get(of->want, index));
        json_t *place = columns ? json_pack("[I,I]", (json_int_t)(index / columns),
                                            (json_int_t)(index % columns))
                                : json_pack("[I]", (json_int_t)index);
        json_array_append_new(first, json_pack("{s:I, s:o, s:s, s:s}", "index", (json_int_t)index,
                                               "place", place, "got", got, "expected", want));
    }
    json_t *object = json_pack("{s:s, s:I, s:I, s:s, s:s, s:o}", "buffer", of->buffer, "count",
                               (json_int_t)c->count, "of", (json_int_t)c->shape.count, "pattern",
                               c->pattern, "values", c->values, "first", first);
    if (object && c->by.known) {
        json_object_set_new(object, "not_stored", json_integer((json_int_t)c->by.not_stored));
        if (c->by.first_index != SIZE_MAX)
            json_object_set_new(object, "store", store_json(&c->by));
        json_object_set_new(object, "made_by", sites_json(c));
        json_object_set_new(object, "suspected", fh_cli_suspected_json(&c->suspected));
        if (c->repair.found)
            json_object_set_new(object, "repair", fh_cli_repair_json(&c->repair));
    }
    return object;
}

static fhec_status say(const struct comparison *c) {
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return fh_cli_no_memory(c->cli);
    put_text(c, to);
    if (fclose(to) != 0) {
        free(text);
        return fh_cli_no_memory(c->cli);
    }
    json_t *more = c->cli->json ? difference_json(c) : NULL;
    (void)fh_cli_error_more(c->cli, FHEC_DIFFERS, text, "difference", more);
    free(text);
    return FHEC_DIFFERS;
}

fhec_status fh_cli_compare_closely(const struct fh_cli *cli,
                                   const struct fh_cli_difference *difference,
                                   const struct fh_cli_again *again) {
    const struct fh_cli_data *got = difference->got, *want = difference->want;
    if (got->width != want->width || got->count != want->count)
        return fh_cli_error(cli, FHEC_DIFFERS,
                            "%s has %zu elements of %u bytes; expected %zu of %u", difference->what,
                            got->count, got->width, want->count, want->width);
    if (!memcmp(got->bytes, want->bytes, got->count * got->width))
        return FHEC_OK;
    struct comparison c = {.cli = cli, .of = difference};
    c.indices = malloc(got->count * sizeof *c.indices);
    if (!c.indices)
        return fh_cli_no_memory(cli);
    find_differences(&c);
    if (again && again->run && difference->address && got->count <= MOST_WATCHED && !cli->silent)
        run_again(&c, again);
    fhec_status status = say(&c);
    if (difference->told)
        *difference->told = difference_json(&c);
    fh_stores_end(c.stores);
    fh_journal_free(c.journal);
    fhec_machine_free(c.machine);
    free(c.indices);
    return status;
}
