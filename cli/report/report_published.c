/*
 * report_published.c - the published instruction counts, those of the library that they were taken
 * of, and why ours differ from them.
 *
 * The reasons are computed: what the transforms, the conversions and the rest cost here, what the
 * library's cost of a transform makes of them, and how many bits a limb carries.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_form.h"
#include "text_table.h"

const struct fh_cli_published fh_cli_published[FH_CLI_PUBLISHED_COUNT] = {
    {FH_COMPARISON_NTT, 0, 0, 0, 0, 0, {1138176, 1134848}, 0, 0},
    {FH_COMPARISON_INTT, 0, 0, 0, 0, 0, {1162240, 1159424}, 0, 0},
    {FH_COMPARISON_RESCALE, 11, 4, 3, 29974528, 13278720, {30020096, 29644288}, 227, 178},
    {FH_COMPARISON_ROTATE, 12, 4, 3, 146941952, 57383936, {146659328, 154347520}, 1261, 741},
    {FH_COMPARISON_HEMULT, 11, 4, 3, 139449088, 57604096, {139428864, 145358080}, 1196, 675},
};

const char *const fh_cli_published_maps[FH_CLI_PUBLISHED_MAP_COUNT] = {
    FH_CLI_PUBLISHED_BASELINE, "gme64", FH_CLI_PUBLISHED_FHEC};

static const double tolerance = 0.10;

static const struct fh_comparison_row *row_of(const struct fh_comparison *report, const char *map) {
    for (size_t i = 0; report && i < report->row_count; i++)
        if (!strcmp(report->rows[i].map->name, map))
            return &report->rows[i];
    return NULL;
}

const struct fh_comparison_row *fh_cli_report_row(const struct fh_cli_report_view *view,
                                                  const char *map) {
    return row_of(view->report, map);
}

bool fh_cli_report_has_kernels(const struct fh_comparison_row *row) {
    for (unsigned k = 0; k < FH_COMPARISON_KERNELS; k++)
        if (row->cells[k].counted)
            return true;
    return false;
}

const struct fh_comparison_cell *fh_cli_report_cell(const struct fh_cli_report_view *view,
                                                    const char *map,
                                                    enum fh_comparison_kernel kernel) {
    const struct fh_comparison_row *row = fh_cli_report_row(view, map);
    return row && row->cells[kernel].counted ? &row->cells[kernel] : NULL;
}

uint64_t fh_cli_report_warp(const struct fh_comparison_cell *cell) {
    struct fh_part_profile sum = {.launches = 0};
    if (cell)
        sum = fh_profile_sum(&cell->profile);
    return fh_profile_warp(&sum);
}

uint64_t fh_cli_report_thread(const struct fh_comparison_cell *cell) {
    struct fh_part_profile sum = {.launches = 0};
    if (cell)
        sum = fh_profile_sum(&cell->profile);
    return fh_profile_thread(&sum);
}

const char *fh_cli_report_short(enum fh_comparison_kernel kernel) {
    static const char *const names[FH_COMPARISON_KERNELS] = {
        "NTT", "Inverse NTT", "Base conversion", "Rescale", "Rotate", "HEMult"};
    return names[kernel];
}

void fh_cli_report_title(const struct fh_cli_report_view *view, enum fh_comparison_kernel kernel,
                         char *text, size_t size) {
    const fh_golden_ckks_params *chain = &view->params->chain;
    switch (kernel) {
    case FH_COMPARISON_NTT:
    case FH_COMPARISON_INTT:
        snprintf(text, size, "%s of one limb, N = 2^%u", fh_cli_report_short(kernel),
                 chain->log2_n);
        break;
    case FH_COMPARISON_BCONV:
        snprintf(text, size, "Base conversion, %zu -> %zu limbs, N = 2^%u", chain->alpha,
                 chain->limbs, chain->log2_n);
        break;
    default:
        snprintf(text, size, "%s, N = 2^%u, %zu limbs, alpha %zu, dnum %zu",
                 kernel == FH_COMPARISON_HEMULT ? "HEMult without Rescale"
                                                : fh_cli_report_short(kernel),
                 chain->log2_n, chain->limbs, chain->alpha, chain->dnum);
    }
}

bool fh_cli_published_has_shape(const struct fh_cli_report_view *view,
                                const struct fh_cli_published *published) {
    const fh_golden_ckks_params *chain = &view->params->chain;
    return chain->log2_n == 16 && (!published->limbs || (chain->limbs == published->limbs &&
                                                         chain->alpha == published->alpha &&
                                                         chain->dnum == published->dnum));
}

const struct fh_comparison_cell *fh_cli_published_cell(const struct fh_cli_report_view *view,
                                                       const struct fh_cli_published *published,
                                                       const char *map) {
    if (fh_cli_published_has_shape(view, published))
        return fh_cli_report_cell(view, map, published->kernel);
    const struct fh_comparison_row *row =
        published->kernel == FH_COMPARISON_ROTATE ? row_of(view->rotate, map) : NULL;
    return row && row->cells[published->kernel].counted ? &row->cells[published->kernel] : NULL;
}

bool fh_cli_published_applies(const struct fh_cli_report_view *view,
                              const struct fh_cli_published *published) {
    return fh_cli_published_has_shape(view, published) ||
           (published->kernel == FH_COMPARISON_ROTATE && view->rotate && view->rotate->row_count);
}

void fh_cli_published_shape(const struct fh_cli_published *published, char *text, size_t size) {
    if (published->limbs)
        snprintf(text, size, "%zu + %zu limbs, dnum %zu", published->limbs, published->alpha,
                 published->dnum);
    else
        snprintf(text, size, "one limb");
}

double fh_cli_published_difference(uint64_t ours, uint64_t published) {
    return ((double)ours - (double)published) / (double)published;
}

/* ---------------------------------------------------------------- notes */

struct note {
    const struct fh_cli_report_view *view;
    const struct fh_cli_published *published;
    fh_cli_say *say;
    void *user;
};

static double part_warp(const struct fh_comparison_cell *cell, enum fh_part part) {
    return (double)fh_profile_warp(&cell->profile.part[part]);
}

/* "54 % fewer than the published 29,974,528". */
static void compare(uint64_t ours, uint64_t theirs, const char *whose, char *text, size_t size) {
    char grouped[FH_CLI_GROUPED];
    double difference = fh_cli_published_difference(ours, theirs);
    fh_cli_grouped(theirs, grouped);
    snprintf(text, size, "%.0f %% %s than %s %s", fabs(difference) * 100,
             difference < 0 ? "fewer" : "more", whose, grouped);
}

/* Why a transform differs from FIDESlib's: instructions of a butterfly, passes through memory. */
static void note_transform(const struct note *note, const char *map,
                           const struct fh_comparison_cell *cell, uint64_t theirs) {
    const unsigned log2_n = note->view->params->chain.log2_n;
    const struct fh_part_profile sum = fh_profile_sum(&cell->profile);
    double butterflies = (double)((uint64_t)log2_n << (log2_n - 1)) / FHEC_WARP_LANES;
    double lanes = (double)(sum.warp[FH_CLASS_INTEGER] + sum.warp[FH_CLASS_MODULAR]);
    char than[96], text[640];
    compare(fh_profile_warp(&sum), theirs, "FIDESlib's", than, sizeof than);
    snprintf(
        text, sizeof text,
        "%s. In instructions of a lane for each of the %u x 2^%u radix-2 butterflies that the "
        "transform amounts to: %.2f instead of %.2f, of them arithmetic %.2f (%.2f are "
        "multiply-adds), matrix unit %.2f, memory %.2f, the rest %.2f. Its %u stages are fused "
        "into %llu launches, each of which takes the data through global memory once; %.0f %% "
        "of the loads and stores there move 128 bits a lane.",
        than, log2_n, log2_n - 1, (double)fh_profile_warp(&sum) / butterflies,
        (double)theirs / butterflies, lanes / butterflies, (double)sum.multiply_adds / butterflies,
        (double)sum.warp[FH_CLASS_MATRIX] / butterflies,
        (double)sum.warp[FH_CLASS_MEMORY] / butterflies,
        (double)(sum.warp[FH_CLASS_CONTROL] + sum.warp[FH_CLASS_UNIFORM]) / butterflies, log2_n,
        (unsigned long long)sum.launches,
        sum.accesses ? 100 * (double)sum.wide_accesses / (double)sum.accesses : 0);
    note->say(note->user, note->published->kernel, map, text);
}

/* What the transforms would take of the published instructions at FIDESlib's cost of each. */
static double transforms_there(const struct fh_comparison_cell *cell) {
    return (double)cell->work[FH_GOLDEN_CKKS_NTT] * (double)fh_cli_published[0].fideslib[0] +
           (double)cell->work[FH_GOLDEN_CKKS_INTT] * (double)fh_cli_published[1].fideslib[0];
}

/* Why a primitive differs: how much of it is transforms, here and, without FHEC, there. */
static void note_primitive(const struct note *note, const char *map,
                           const struct fh_comparison_cell *cell, uint64_t published) {
    double limbs = (double)(cell->work[FH_GOLDEN_CKKS_NTT] + cell->work[FH_GOLDEN_CKKS_INTT]);
    double conversions = part_warp(cell, FH_PART_CONVERSION);
    double elements = part_warp(cell, FH_PART_ELEMENTS), there = transforms_there(cell);
    char than[96], transforms[64] = "", rest[64] = "", text[640];
    compare(fh_cli_report_warp(cell), published, "the published", than, sizeof than);
    if (published == note->published->baseline) {
        snprintf(transforms, sizeof transforms, ", %.2f M at FIDESlib's cost of each", there / 1e6);
        snprintf(rest, sizeof rest, ", %.2f M there", ((double)published - there) / 1e6);
    }
    snprintf(text, sizeof text,
             "%s. Its %.0f limb transforms take %.2f M here%s; the rest takes %.2f M here (base "
             "conversions %.2f M, element by element %.2f M)%s.",
             than, limbs, part_warp(cell, FH_PART_TRANSFORM) / 1e6, transforms,
             (conversions + elements) / 1e6, conversions / 1e6, elements / 1e6, rest);
    note->say(note->user, note->published->kernel, map, text);
}

static void note_side(const struct note *note, const char *map, uint64_t published) {
    const struct fh_cli_published *of = note->published;
    const struct fh_comparison_cell *cell = fh_cli_published_cell(note->view, of, map);
    const bool transform = of->kernel < FH_COMPARISON_BCONV;
    const uint64_t theirs = transform ? of->fideslib[0] : published;
    if (!cell || !theirs ||
        fabs(fh_cli_published_difference(fh_cli_report_warp(cell), theirs)) <= tolerance)
        return;
    if (transform)
        note_transform(note, map, cell, theirs);
    else
        note_primitive(note, map, cell, theirs);
}

/* "transforms 9.84x, ..." for the parts that both have. */
static void reductions(const struct fh_comparison_cell *base, const struct fh_comparison_cell *cell,
                       char *text, size_t size) {
    text[0] = 0;
    for (unsigned p = 0; p < FH_PARTS; p++) {
        static const char *const names[FH_PARTS] = {"transforms", "base conversions",
                                                    "element-wise kernels"};
        double ours = part_warp(cell, p), theirs = part_warp(base, p);
        size_t used = strlen(text);
        if (ours > 0 && theirs > 0)
            snprintf(text + used, size - used, "%s%s %.2fx", used ? ", " : "", names[p],
                     theirs / ours);
    }
}

/* The quotient, whatever its difference: it is what people quote. */
static void note_reduction(const struct note *note) {
    enum fh_comparison_kernel kernel = note->published->kernel;
    const char *base_map = FH_CLI_PUBLISHED_BASELINE, *map = FH_CLI_PUBLISHED_FHEC;
    const struct fh_comparison_cell *base =
        fh_cli_published_cell(note->view, note->published, base_map);
    const struct fh_comparison_cell *cell = fh_cli_published_cell(note->view, note->published, map);
    if (!base || !cell || !note->published->fhec)
        return;
    unsigned base_bits = fh_cli_report_row(note->view, base_map)->bits;
    unsigned bits = fh_cli_report_row(note->view, map)->bits;
    double ours = (double)fh_cli_report_warp(base) / (double)fh_cli_report_warp(cell);
    double theirs = (double)note->published->baseline / (double)note->published->fhec;
    double same_bits = ours * bits / base_bits;
    char parts[128], text[640], least[128] = "";
    reductions(base, cell, parts, sizeof parts);
    if (ours < theirs && part_warp(cell, FH_PART_ELEMENTS) > 0)
        snprintf(least, sizeof least,
                 " If transforms and base conversions took nothing on %s, it would be %.2fx.", map,
                 (double)fh_cli_report_warp(base) / part_warp(cell, FH_PART_ELEMENTS));
    snprintf(text, sizeof text,
             "%.2fx, published %.2fx: %s. By part: %s.%s A limb of %s has %u bits, one of %s %u: "
             "for moduli of the same size %s needs %.1f times the limbs, and per bit the reduction "
             "is %.2fx.",
             ours, theirs, ours >= theirs ? "reached" : "not reached", parts, least, base_map,
             base_bits, map, bits, map, (double)base_bits / bits, same_bits);
    note->say(note->user, kernel, "reduction", text);
}

void fh_cli_report_notes(const struct fh_cli_report_view *view, fh_cli_say *say, void *user) {
    for (size_t i = 0; i < FH_CLI_PUBLISHED_COUNT; i++) {
        const struct note note = {view, &fh_cli_published[i], say, user};
        if (!fh_cli_published_applies(view, note.published))
            continue;
        note_side(&note, FH_CLI_PUBLISHED_BASELINE, note.published->baseline);
        note_side(&note, FH_CLI_PUBLISHED_FHEC, note.published->fhec);
        note_reduction(&note);
    }
}
