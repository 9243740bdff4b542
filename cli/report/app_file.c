/*
 * app_file.c - see app_file.h. Every value is checked where it is read; what is wrong is said with
 * its path in the file.
 */
#include "app_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "message.h"
#include "nearest.h"
#include "sass_files.h"

/* Where we are: "lr.json: readings[0].parts[2]". */
struct place {
    const struct fh_cli *cli;
    const char *file;
    char path[160];
    fhec_status status; /* of the first thing that is wrong */
};

static void wrong(struct place *at, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void wrong(struct place *at, const char *format, ...) {
    char text[400];
    va_list list;
    if (at->status != FHEC_OK)
        return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    at->status = fh_cli_error(at->cli, FHEC_BAD_INPUT, "%s: %s%s%s", at->file, at->path,
                              at->path[0] ? ": " : "", text);
}

static void no_memory(struct place *at) {
    if (at->status == FHEC_OK)
        at->status = fh_cli_no_memory(at->cli);
}

/* Goes into a member; returns the length to come back to. */
static size_t enter(struct place *at, const char *member, size_t index, bool array) {
    const size_t before = strlen(at->path);
    snprintf(at->path + before, sizeof at->path - before, "%s%s", before ? "." : "", member);
    const size_t named = strlen(at->path);
    if (array)
        snprintf(at->path + named, sizeof at->path - named, "[%zu]", index);
    return before;
}

/* ---------------------------------------------------------------- members */

/* No other members than these, separated by spaces. */
static bool check_members(struct place *at, const json_t *object, const char *known) {
    const char *member;
    json_t *value;
    if (!json_is_object(object)) {
        wrong(at, "expected an object");
        return false;
    }
    json_object_foreach((json_t *)object, member, value) {
        const size_t length = strlen(member);
        const char *found = known;
        while ((found = strstr(found, member)) &&
               ((found != known && found[-1] != ' ') || (found[length] && found[length] != ' ')))
            found++;
        if (!found || !length)
            wrong(at, "unknown member \"%s\"; there may be %s", member, known);
    }
    return at->status == FHEC_OK;
}

/* default_value is for a member that is not there; it must be there if that is out of range. */
static uint64_t integer(struct place *at, const json_t *object, const char *member, uint64_t least,
                        uint64_t most, uint64_t default_value) {
    const json_t *value = json_object_get(object, member);
    if (!value && default_value >= least && default_value <= most)
        return default_value;
    const json_int_t got = json_integer_value(value);
    if (json_is_integer(value) && got >= 0 && (uint64_t)got >= least && (uint64_t)got <= most)
        return (uint64_t)got;
    wrong(at, "%s \"%s\": expected a number from %llu to %llu", value ? "member" : "missing member",
          member, (unsigned long long)least, (unsigned long long)most);
    return least;
}
enum { MISSING = 0 }; /* default of a number that is at least 1 */

static double real(struct place *at, const json_t *object, const char *member) {
    const json_t *value = json_object_get(object, member);
    if (value && (!json_is_number(value) || json_number_value(value) < 0))
        wrong(at, "member \"%s\": expected a number that is not negative", member);
    return json_number_value(value);
}

static const char *text(struct place *at, const json_t *object, const char *member) {
    const json_t *value = json_object_get(object, member);
    if (!json_is_string(value) || !json_string_length(value))
        wrong(at, "%s \"%s\": expected text", value ? "member" : "missing member", member);
    return json_string_value(value);
}

/* An array with 1 to `most` elements. */
static const json_t *array(struct place *at, const json_t *object, const char *member,
                           size_t most) {
    const json_t *value = json_object_get(object, member);
    if (!json_is_array(value) || !json_array_size(value) || json_array_size(value) > most)
        wrong(at, "%s \"%s\": expected an array of 1 to %zu elements",
              value ? "member" : "missing member", member, most);
    return value;
}

/* ---------------------------------------------------------------- parts */

static enum fh_app_op find_op(struct place *at, const char *name) {
    const char *names[FH_APP_OPS];
    for (unsigned i = 0; i < FH_APP_OPS; i++) {
        names[i] = fh_app_op_name(i);
        if (name && !strcmp(name, names[i]))
            return i;
    }
    if (name)
        wrong(at, "no operation is called \"%s\"%s", name,
              fh_cli_hint(fh_nearest_of(name, names, FH_APP_OPS)).text);
    return FH_APP_HEADD;
}

static bool has_groups(enum fh_app_op op) {
    return op == FH_APP_ROTATE || op == FH_APP_PTMULT || op == FH_APP_SCALARMULT;
}

static void read_row(struct place *at, const json_t *object,
                     const struct fh_cli_app_reading *reading, struct fh_app_row *row) {
    const uint64_t most = (uint64_t)1 << 40;
    if (!check_members(at, object, "op limbs count groups drop"))
        return;
    row->op = find_op(at, text(at, object, "op"));
    row->limbs = integer(at, object, "limbs", 1, reading->limbs, MISSING);
    row->count = integer(at, object, "count", 1, most, MISSING);
    if (json_object_get(object, "groups"))
        row->groups = integer(at, object, "groups", 1, row->count, MISSING);
    if (row->groups && (!has_groups(row->op) || row->count % row->groups))
        wrong(at, "member \"groups\": it goes with rotate, ptmult and scalarmult, and divides the "
                  "count");
    if (row->op == FH_APP_RESCALE && row->limbs < 2)
        wrong(at, "member \"limbs\": a Rescale leaves at least one limb");
    else if (row->op == FH_APP_RESCALE)
        row->drop = integer(at, object, "drop", 1, row->limbs - 1, 1);
    else if (json_object_get(object, "drop"))
        wrong(at, "member \"drop\": it goes with rescale");
}

static void read_rows(struct place *at, const json_t *rows,
                      const struct fh_cli_app_reading *reading, uint64_t times,
                      struct fh_cli_app_part *part) {
    for (size_t i = 0; i < json_array_size(rows) && at->status == FHEC_OK; i++) {
        struct fh_app_row row = {.count = 0};
        const size_t before = enter(at, "ops", i, true);
        read_row(at, json_array_get(rows, i), reading, &row);
        for (unsigned form = 0; form < FH_APP_FORMS && at->status == FHEC_OK; form++)
            if (fh_app_use_row(&part->uses[form], form, &row, times) != FHEC_OK)
                no_memory(at);
        at->path[before] = 0;
    }
}

/* What golden's planner is given; presets as of fhec ckks bootstrap. */
static struct fh_app_plan read_plan(struct place *at, const json_t *object, unsigned log2_n) {
    struct fh_app_plan plan = {.all_slots = log2_n - 1};
    fh_golden_ckks_boot_params *p = &plan.params;
    if (!check_members(at, object,
                       "preset log2_slots alpha dnum levels_left maps_cts maps_stc degree "
                       "double_angles range correction weight secret_weight"))
        return plan;
    const char *preset = text(at, object, "preset");
    plan.log2_slots = (unsigned)integer(at, object, "log2_slots", 2, log2_n - 1, log2_n - 1);
    if (preset && strcmp(preset, "pairs") != 0 && strcmp(preset, "published") != 0)
        wrong(at, "member \"preset\": expected \"pairs\" or \"published\"");
    if (at->status != FHEC_OK)
        return plan;
    *p = (strcmp(preset, "pairs") != 0 ? fh_golden_ckks_boot_published
                                       : fh_golden_ckks_boot_pairs)(plan.log2_slots + 1);
    p->alpha = integer(at, object, "alpha", 1, FH_GOLDEN_MAX_LIMBS, p->alpha);
    p->dnum = integer(at, object, "dnum", 1, FH_GOLDEN_MAX_LIMBS, p->dnum);
    p->levels_left = integer(at, object, "levels_left", 0, FH_GOLDEN_MAX_LIMBS, p->levels_left);
    p->maps_cts = integer(at, object, "maps_cts", 1, plan.log2_slots, p->maps_cts);
    p->maps_stc = integer(at, object, "maps_stc", 1, plan.log2_slots, p->maps_stc);
    p->degree = integer(at, object, "degree", 1, 127, p->degree);
    p->double_angles = (unsigned)integer(at, object, "double_angles", 0, 16, p->double_angles);
    p->range = (unsigned)integer(at, object, "range", 1, 1 << 20, p->range);
    p->correction = (unsigned)integer(at, object, "correction", 1, 40, p->correction);
    p->weight = integer(at, object, "weight", 0, (size_t)2 << plan.log2_slots, p->weight);
    p->secret_weight =
        integer(at, object, "secret_weight", 0, (size_t)1 << log2_n, p->secret_weight);
    /* Only the counts of the smaller ring are used. */
    if (p->secret_weight > (size_t)2 << plan.log2_slots)
        p->secret_weight = 0;
    return plan;
}

/* What the program's part of this library said of a plan. */
static void program_said(struct place *at, fhec_status status, const struct fh_error *error) {
    if (status == FHEC_HOST_ERROR)
        no_memory(at);
    else if (status != FHEC_OK)
        wrong(at, "%s", error->text);
}

static void use_plan(struct place *at, const json_t *object, struct fh_cli_app_reading *reading,
                     unsigned log2_n, uint64_t times, struct fh_cli_app_part *part) {
    const size_t before = enter(at, "plan", 0, false);
    struct fh_error error = {""};
    const struct fh_app_plan plan = read_plan(at, object, log2_n);
    for (unsigned form = 0; form < FH_APP_FORMS && at->status == FHEC_OK; form++)
        program_said(at, fh_app_use_plan(&part->uses[form], form, &plan, times, &error), &error);
    if (at->status == FHEC_OK && fh_golden_ckks_boot_limbs(&plan.params) != reading->limbs)
        wrong(at, "it has %zu limbs; the chain has %zu", fh_golden_ckks_boot_limbs(&plan.params),
              reading->limbs);
    if (!reading->has_plan)
        reading->plan = plan.params;
    reading->has_plan = true;
    at->path[before] = 0;
}

static void use_series(struct place *at, const json_t *object,
                       const struct fh_cli_app_reading *reading, uint64_t times,
                       struct fh_cli_app_part *part) {
    const size_t before = enter(at, "series", 0, false);
    struct fh_error error = {""};
    if (check_members(at, object, "degree limbs per_level")) {
        const struct fh_app_series series = {
            .degree = integer(at, object, "degree", 1, 127, MISSING),
            .limbs = integer(at, object, "limbs", 1, reading->limbs, MISSING),
            .per_level = integer(at, object, "per_level", 1, 2, 1),
        };
        for (unsigned form = 0; form < FH_APP_FORMS && at->status == FHEC_OK; form++)
            program_said(at, fh_app_use_series(&part->uses[form], form, &series, times, &error),
                         &error);
    }
    at->path[before] = 0;
}

static void read_part(struct place *at, const json_t *object, struct fh_cli_app_reading *reading,
                      unsigned log2_n) {
    struct fh_cli_app_part *part = &reading->parts[reading->part_count++];
    if (!check_members(at, object, "name times ops plan series"))
        return;
    const json_t *ops = json_object_get(object, "ops"), *plan = json_object_get(object, "plan");
    const json_t *series = json_object_get(object, "series");
    part->name = text(at, object, "name");
    const uint64_t times = integer(at, object, "times", 1, (uint64_t)1 << 32, 1);
    if ((ops != NULL) + (plan != NULL) + (series != NULL) != 1)
        wrong(at, "expected one of \"ops\", \"plan\" and \"series\"");
    else if (ops)
        read_rows(at, array(at, object, "ops", 1 << 16), reading, times, part);
    else if (plan)
        use_plan(at, plan, reading, log2_n, times, part);
    else
        use_series(at, series, reading, times, part);
}

/* ---------------------------------------------------------------- readings */

static void read_primes(struct place *at, const json_t *chain, const char *member, unsigned most,
                        struct fh_cli_app_primes *primes) {
    const json_t *value = json_object_get(chain, member);
    const char *plan = json_string_value(value);
    primes->given = value != NULL;
    primes->planned = plan && !strcmp(plan, "plan");
    if (value && !primes->planned && !json_is_integer(value))
        wrong(at, "member \"%s\": expected a number of bits or \"plan\"", member);
    else if (value && !primes->planned)
        primes->bits = (unsigned)integer(at, chain, member, 20, most, MISSING);
}

static void read_chain(struct place *at, const json_t *object, struct fh_cli_app_reading *reading) {
    const size_t before = enter(at, "chain", 0, false);
    if (check_members(at, object, "limbs alpha dnum bits wide_bits")) {
        reading->limbs = integer(at, object, "limbs", 1, FH_GOLDEN_MAX_LIMBS, MISSING);
        reading->alpha = integer(at, object, "alpha", 1, FH_GOLDEN_MAX_LIMBS, MISSING);
        reading->dnum = integer(at, object, "dnum", 1, reading->limbs, MISSING);
        read_primes(at, object, "bits", 32, &reading->primes[0]);
        read_primes(at, object, "wide_bits", FH_MAX_MODULUS_BITS_64, &reading->primes[1]);
        if (!reading->primes[0].given && !reading->primes[1].given)
            wrong(at, "expected \"bits\", of the primes in words of 32 bits, or \"wide_bits\", of "
                      "those in words of 64");
        const size_t digit = fh_golden_ckks_digit(reading->limbs, reading->dnum);
        struct fh_error no_digits;
        if (at->status == FHEC_OK && !digit) {
            (void)fh_no_digits(&no_digits, reading->limbs, reading->dnum);
            wrong(at, "member \"dnum\": %s", no_digits.text);
        } else if (at->status == FHEC_OK && reading->alpha < digit) {
            wrong(at, "member \"alpha\": it must be at least the %zu limbs of a digit", digit);
        }
    }
    at->path[before] = 0;
}

static void add_totals(struct fh_app_totals *to, const struct fh_app_totals *more) {
    to->hemult += more->hemult;
    to->rotate += more->rotate;
    to->hoistable += more->hoistable;
    to->ptmult += more->ptmult;
    to->headd += more->headd;
    to->rescale += more->rescale;
    to->keyswitch += more->keyswitch;
}

/* What the file says that the sum of its parts is. */
static void check_totals(struct place *at, const json_t *object, const struct fh_app_totals *t) {
    const struct {
        const char *member;
        uint64_t value;
    } totals[] = {
        {"hemult", t->hemult},       {"rotate", t->rotate}, {"hoistable", t->hoistable},
        {"ptmult", t->ptmult},       {"headd", t->headd},   {"rescale", t->rescale},
        {"keyswitch", t->keyswitch},
    };
    const size_t before = enter(at, "totals", 0, false);
    if (object &&
        check_members(at, object, "hemult rotate hoistable ptmult headd rescale keyswitch"))
        for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
            if (json_object_get(object, totals[i].member) &&
                integer(at, object, totals[i].member, 0, INT64_MAX, 0) != totals[i].value)
                wrong(at, "member \"%s\": the parts have %llu", totals[i].member,
                      (unsigned long long)totals[i].value);
    at->path[before] = 0;
}

static void read_reading(struct place *at, const json_t *object, struct fh_cli_app_reading *reading,
                         unsigned log2_n) {
    if (!check_members(at, object, "name title beside chain parts totals"))
        return;
    reading->name = text(at, object, "name");
    reading->title = text(at, object, "title");
    if (json_object_get(object, "beside"))
        reading->beside = text(at, object, "beside");
    read_chain(at, json_object_get(object, "chain"), reading);
    const json_t *parts = array(at, object, "parts", FH_CLI_APP_PARTS);
    for (size_t i = 0; i < json_array_size(parts) && at->status == FHEC_OK; i++) {
        const size_t before = enter(at, "parts", i, true);
        read_part(at, json_array_get(parts, i), reading, log2_n);
        at->path[before] = 0;
    }
    if ((reading->primes[0].planned || reading->primes[1].planned) && !reading->has_plan)
        wrong(at, "its chain has the primes of a plan, and no part has a plan");
    for (size_t i = 0; i < reading->part_count; i++) {
        const struct fh_cli_app_part *part = &reading->parts[i];
        const struct fh_app_totals totals =
            fh_app_totals(&part->uses[FH_APP_SINGLE], &part->uses[FH_APP_HOISTED]);
        add_totals(&reading->totals, &totals);
    }
    check_totals(at, json_object_get(object, "totals"), &reading->totals);
}

/* The readings that others are compared with are there. */
static void check_beside(struct place *at, const struct fh_cli_app *app) {
    for (size_t i = 0; i < app->reading_count && at->status == FHEC_OK; i++) {
        const char *beside = app->readings[i].beside;
        bool found = beside == NULL;
        for (size_t j = 0; j < app->reading_count && !found; j++)
            found = j != i && !strcmp(app->readings[j].name, beside);
        const size_t before = enter(at, "readings", i, true);
        if (!found)
            wrong(at, "member \"beside\": no other reading is called \"%s\"", beside);
        at->path[before] = 0;
    }
}

/* ---------------------------------------------------------------- all of it */

static void read_published(struct place *at, const json_t *object, struct fh_cli_app *app) {
    const size_t before = enter(at, "published", 0, false);
    const uint64_t most = (uint64_t)1 << 60;
    app->published.given = object != NULL;
    if (object && check_members(at, object, "source base fhec base_ms fhec_ms hemults same_work")) {
        app->published.source = text(at, object, "source");
        app->published.base = integer(at, object, "base", 1, most, MISSING);
        app->published.fhec = integer(at, object, "fhec", 1, most, MISSING);
        app->published.base_ms = real(at, object, "base_ms");
        app->published.fhec_ms = real(at, object, "fhec_ms");
        app->published.hemults = real(at, object, "hemults");
        app->published.same_work = !json_is_false(json_object_get(object, "same_work"));
    }
    at->path[before] = 0;
}

static void read_notes(struct place *at, struct fh_cli_app *app) {
    app->notes = json_object_get(app->root, "notes");
    if (app->notes && !json_is_array(app->notes))
        wrong(at, "member \"notes\": expected an array of texts");
    for (size_t i = 0; i < json_array_size(app->notes); i++)
        if (!json_is_string(json_array_get(app->notes, i)))
            wrong(at, "member \"notes\": element %zu is no text", i);
}

static void read_all(struct place *at, struct fh_cli_app *app) {
    if (!check_members(at, app->root, "name title logn published notes readings"))
        return;
    app->name = text(at, app->root, "name");
    app->title = text(at, app->root, "title");
    app->log2_n = (unsigned)integer(at, app->root, "logn", FH_NTT_MIN_LOG2, FH_NTT_MAX_LOG2, 16);
    read_published(at, json_object_get(app->root, "published"), app);
    read_notes(at, app);
    const json_t *readings = array(at, app->root, "readings", FH_CLI_APP_READINGS);
    for (size_t i = 0; i < json_array_size(readings) && at->status == FHEC_OK; i++) {
        const size_t before = enter(at, "readings", i, true);
        read_reading(at, json_array_get(readings, i), &app->readings[app->reading_count++],
                     app->log2_n);
        at->path[before] = 0;
    }
    check_beside(at, app);
}

const char *fh_cli_app_own(size_t index, char name[64]) {
    if (index >= fh_app_file_count)
        return NULL;
    const char *file = strrchr(fh_app_files[index].name, '/') + 1;
    snprintf(name, 64, "%.*s", (int)strcspn(file, "."), file);
    return name;
}

static const struct fh_sass_file *find_own(const char *name) {
    char own[64];
    for (size_t i = 0; fh_cli_app_own(i, own); i++)
        if (!strcmp(own, name))
            return &fh_app_files[i];
    return NULL;
}

fhec_status fh_cli_app_read(const struct fh_cli *cli, const char *name, struct fh_cli_app *app) {
    struct place at = {.cli = cli, .file = name};
    const struct fh_sass_file *own = find_own(name);
    char *bytes = NULL;
    size_t length = 0;
    json_error_t error;
    *app = (struct fh_cli_app){.root = NULL};
    if (own)
        app->root = json_loadb(own->text, own->length, JSON_REJECT_DUPLICATES, &error);
    else {
        at.status = fh_cli_read_file(cli, name, &bytes, &length);
        if (at.status == FHEC_OK)
            app->root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &error);
        free(bytes);
    }
    if (at.status == FHEC_OK && !app->root)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "%s:%d:%d: %s", name, error.line, error.column,
                            error.text);
    if (at.status == FHEC_OK)
        read_all(&at, app);
    return at.status;
}

void fh_cli_app_free(struct fh_cli_app *app) {
    for (size_t r = 0; r < app->reading_count; r++)
        for (size_t p = 0; p < app->readings[r].part_count; p++)
            for (unsigned form = 0; form < FH_APP_FORMS; form++)
                fh_app_uses_free(&app->readings[r].parts[p].uses[form]);
    json_decref(app->root);
    *app = (struct fh_cli_app){.root = NULL};
}
