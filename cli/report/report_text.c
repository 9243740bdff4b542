/*
 * report_text.c - the report as text for a terminal, at most about 100 columns wide, or as
 * Markdown: the same sections and tables in both.
 */
#include <stdio.h>
#include <string.h>

#include "report_form.h"
#include "report_page.h"
#include "text_table.h"

static const char *const bases[FH_CLI_REPORT_BASE_COUNT] = {FH_CLI_REPORT_BASES};

/* ---------------------------------------------------------------- sections */

static void introduction(struct fh_cli_page *page) {
    const struct fh_comparison_params *params = page->view->params;
    char text[512];
    if (page->markdown)
        fputs("# Dynamic instruction counts of FHE kernels\n\n", page->to);
    else
        fputs("Dynamic instruction counts of FHE kernels\n\n", page->to);
    snprintf(text, sizeof text,
             "Counts of executed instructions on the emulator, %s. Maps with 32-bit words have "
             "primes of %u bits, those with 64-bit words primes of %u.",
             !page->view->report->row_count ? "of primitives whose kernels do not branch on data"
             : params->verify               ? "every result equal to the C reference"
                                            : "results not verified",
             params->bits_32, params->bits_64);
    fh_cli_page_paragraph(page, 0, text);
    fh_cli_page_paragraph(
        page, 0,
        "Classes: matrix: FHEC and IMMA; modular: MODADD, MODMUL, MONTMUL and their like; "
        "integer: all other arithmetic of lanes, with moves and selects; memory: global and "
        "shared memory, with shuffles and votes; control: branches and barriers; uniform: "
        "instructions on uniform registers.");
    fh_cli_page_paragraph(
        page, 0,
        "A column \"cuda64\" or \"imma16\" says how many times more instructions that map "
        "needs: above 1 the row is better. A dash: the map has no such kernel.");
}

static void overview(struct fh_cli_page *page) {
    struct fh_cli_table table = {.rows = 0};
    fh_cli_page_heading(page, "Warp instructions");
    fh_cli_table_row(&table);
    fh_cli_table_cell(&table, "map");
    fh_cli_table_cell(&table, "bits");
    for (unsigned k = 0; k < FH_COMPARISON_KERNELS; k++)
        fh_cli_table_cell(&table, "%s", fh_cli_report_short(k));
    for (size_t i = 0; i < page->view->report->row_count; i++) {
        const struct fh_comparison_row *row = &page->view->report->rows[i];
        if (!fh_cli_report_has_kernels(row))
            continue;
        fh_cli_table_row(&table);
        fh_cli_table_cell(&table, "%s", row->map->name);
        fh_cli_table_cell(&table, "%u", row->bits);
        for (unsigned k = 0; k < FH_COMPARISON_KERNELS; k++)
            if (row->cells[k].counted)
                fh_cli_table_number(&table, fh_cli_report_warp(&row->cells[k]));
            else
                fh_cli_table_cell(&table, "-");
    }
    fh_cli_page_table(page, &table);
}

/* What a table of classes shows: warp instructions, or thread instructions in units. */
struct counts {
    bool thread;
    uint64_t unit; /* 1, or 1000 where numbers would be too wide */
};

static uint64_t total(const struct fh_comparison_cell *cell, bool thread) {
    return thread ? fh_cli_report_thread(cell) : fh_cli_report_warp(cell);
}

static void class_row(struct fh_cli_page *page, struct fh_cli_table *table,
                      const struct fh_comparison_row *row, enum fh_comparison_kernel kernel,
                      const struct counts *counts) {
    const struct fh_comparison_cell *cell = row->cells[kernel].counted ? &row->cells[kernel] : NULL;
    if (!fh_cli_report_has_kernels(row))
        return;
    fh_cli_table_row(table);
    fh_cli_table_cell(table, "%s", row->map->name);
    for (unsigned i = 0; !cell && i < 1 + FH_CLASSES + FH_CLI_REPORT_BASE_COUNT; i++)
        fh_cli_table_cell(table, "-");
    if (!cell)
        return;
    const struct fh_part_profile sum = fh_profile_sum(&cell->profile);
    const uint64_t *classes = counts->thread ? sum.thread : sum.warp;
    fh_cli_table_number(table, (total(cell, counts->thread) + counts->unit / 2) / counts->unit);
    for (unsigned k = 0; k < FH_CLASSES; k++)
        fh_cli_table_number(table, (classes[k] + counts->unit / 2) / counts->unit);
    for (size_t b = 0; b < FH_CLI_REPORT_BASE_COUNT; b++)
        fh_cli_table_ratio(table,
                           total(fh_cli_report_cell(page->view, bases[b], kernel), counts->thread),
                           total(cell, counts->thread));
}

static void class_table(struct fh_cli_page *page, enum fh_comparison_kernel kernel, bool thread) {
    struct fh_cli_table table = {.rows = 0};
    struct counts counts = {thread, 1};
    for (size_t i = 0; i < page->view->report->row_count && thread; i++)
        if (total(&page->view->report->rows[i].cells[kernel], true) >= 100000000)
            counts.unit = 1000;
    fh_cli_page_caption(page, !thread            ? "Warp instructions"
                              : counts.unit == 1 ? "Thread instructions"
                                                 : "Thread instructions, in thousands");
    fh_cli_table_row(&table);
    fh_cli_table_cell(&table, "map");
    fh_cli_table_cell(&table, "total");
    for (unsigned k = 0; k < FH_CLASSES; k++)
        fh_cli_table_cell(&table, "%s", fh_class_name(k));
    for (size_t b = 0; b < FH_CLI_REPORT_BASE_COUNT; b++)
        fh_cli_table_cell(&table, "%s", bases[b]);
    for (size_t i = 0; i < page->view->report->row_count; i++)
        class_row(page, &table, &page->view->report->rows[i], kernel, &counts);
    fh_cli_page_table(page, &table);
}

/* Where a primitive's instructions go. */
static void part_table(struct fh_cli_page *page, enum fh_comparison_kernel kernel) {
    struct fh_cli_table table = {.rows = 0};
    static const char *const names[FH_PARTS] = {"transforms", "conversions", "element-wise"};
    fh_cli_page_caption(page, "Warp instructions by part, and for each bit of the modulus");
    fh_cli_table_row(&table);
    fh_cli_table_cell(&table, "map");
    for (unsigned p = 0; p < FH_PARTS; p++) {
        fh_cli_table_cell(&table, "%s", names[p]);
        fh_cli_table_cell(&table, "share");
    }
    fh_cli_table_cell(&table, "launches");
    fh_cli_table_cell(&table, "per bit");
    for (size_t i = 0; i < page->view->report->row_count; i++) {
        const struct fh_comparison_row *row = &page->view->report->rows[i];
        const struct fh_comparison_cell *cell = &row->cells[kernel];
        const struct fh_part_profile sum = fh_profile_sum(&cell->profile);
        if (!cell->counted)
            continue;
        fh_cli_table_row(&table);
        fh_cli_table_cell(&table, "%s", row->map->name);
        for (unsigned p = 0; p < FH_PARTS; p++) {
            uint64_t warp = fh_profile_warp(&cell->profile.part[p]);
            fh_cli_table_number(&table, warp);
            fh_cli_table_cell(&table, "%.0f %%",
                              100 * (double)warp / (double)fh_profile_warp(&sum));
        }
        fh_cli_table_number(&table, sum.launches);
        fh_cli_table_number(&table,
                            fh_profile_warp(&sum) / (page->view->params->chain.limbs * row->bits));
    }
    fh_cli_page_table(page, &table);
}

static void kernels(struct fh_cli_page *page) {
    for (unsigned k = 0; k < FH_COMPARISON_KERNELS; k++) {
        char title[128];
        fh_cli_report_title(page->view, k, title, sizeof title);
        fh_cli_page_heading(page, title);
        class_table(page, k, false);
        fputc('\n', page->to);
        class_table(page, k, true);
        if (k < FH_COMPARISON_RESCALE)
            continue;
        fputc('\n', page->to);
        part_table(page, k);
    }
}

/* ---------------------------------------------------------------- published figures */

static void compared(struct fh_cli_table *table, uint64_t ours, uint64_t theirs) {
    if (ours && theirs)
        fh_cli_table_cell(table, "%+.1f %%", 100 * fh_cli_published_difference(ours, theirs));
    else
        fh_cli_table_cell(table, "-");
}

static void number(struct fh_cli_table *table, uint64_t value) {
    if (value)
        fh_cli_table_number(table, value);
    else
        fh_cli_table_cell(table, "-");
}

static void published_row(struct fh_cli_page *page, struct fh_cli_table *table,
                          const struct fh_cli_published *published) {
    const char *maps[2] = {FH_CLI_PUBLISHED_BASELINE, FH_CLI_PUBLISHED_FHEC};
    const uint64_t theirs[2] = {published->baseline, published->fhec};
    uint64_t ours[2];
    fh_cli_table_row(table);
    fh_cli_table_cell(table, "%s", fh_cli_report_short(published->kernel));
    for (size_t i = 0; i < 2; i++) {
        ours[i] = fh_cli_report_warp(fh_cli_published_cell(page->view, published, maps[i]));
        number(table, theirs[i]);
        number(table, ours[i]);
        compared(table, ours[i], theirs[i]);
    }
    fh_cli_table_ratio(table, theirs[0], theirs[1]);
    fh_cli_table_ratio(table, ours[0], ours[1]);
}

static void published_head(struct fh_cli_table *table) {
    fh_cli_table_row(table);
    fh_cli_table_cell(table, "warp instructions");
    for (size_t i = 0; i < 2; i++) {
        fh_cli_table_cell(table, i ? "publ. FHEC" : "published");
        fh_cli_table_cell(table, "%s", i ? FH_CLI_PUBLISHED_FHEC : FH_CLI_PUBLISHED_BASELINE);
        fh_cli_table_cell(table, "differs");
    }
    fh_cli_table_cell(table, "publ.");
    fh_cli_table_cell(table, "ours");
}

static void start_row(struct fh_cli_table *table, const struct fh_cli_published *published) {
    char shape[64];
    fh_cli_published_shape(published, shape, sizeof shape);
    fh_cli_table_row(table);
    fh_cli_table_cell(table, "%s, %s", fh_cli_report_short(published->kernel), shape);
}

/* The library that is counted there: at which shape, and how near to what is published. */
static void library_row(struct fh_cli_table *table, const struct fh_cli_published *published) {
    start_row(table, published);
    number(table, published->baseline);
    for (size_t i = 0; i < 2; i++) {
        number(table, published->fideslib[i]);
        compared(table, published->fideslib[i], published->baseline);
    }
}

static void library_head(struct fh_cli_table *table) {
    fh_cli_table_row(table);
    fh_cli_table_cell(table, "warp instructions");
    fh_cli_table_cell(table, "published");
    for (size_t i = 0; i < 2; i++) {
        fh_cli_table_cell(table, "FIDESlib %zu", i + 1);
        fh_cli_table_cell(table, "differs");
    }
}

/* What maps take at that shape, and how many times more the library's first version does. */
static void beside_row(struct fh_cli_page *page, struct fh_cli_table *table,
                       const struct fh_cli_published *published) {
    start_row(table, published);
    for (size_t i = 0; i < FH_CLI_PUBLISHED_MAP_COUNT; i++) {
        const uint64_t ours = fh_cli_report_warp(
            fh_cli_published_cell(page->view, published, fh_cli_published_maps[i]));
        number(table, ours);
        fh_cli_table_ratio(table, published->fideslib[0], ours);
    }
}

static void beside_head(struct fh_cli_table *table) {
    fh_cli_table_row(table);
    fh_cli_table_cell(table, "warp instructions");
    for (size_t i = 0; i < FH_CLI_PUBLISHED_MAP_COUNT; i++) {
        fh_cli_table_cell(table, "%s", fh_cli_published_maps[i]);
        fh_cli_table_cell(table, "1 / it");
    }
}

static void note(void *user, enum fh_comparison_kernel kernel, const char *topic,
                 const char *text) {
    struct fh_cli_page *page = user;
    char line[800];
    snprintf(line, sizeof line, "- %s, %s: %s", fh_cli_report_short(kernel), topic, text);
    fh_cli_page_paragraph(page, 2, line);
}

/* The figures that this report has a kernel of the shape of. */
static void published(struct fh_cli_page *page) {
    struct fh_cli_table figures = {.rows = 0}, library = {.rows = 0}, maps = {.rows = 0};
    size_t shown = 0;
    published_head(&figures);
    library_head(&library);
    beside_head(&maps);
    for (size_t i = 0; i < FH_CLI_PUBLISHED_COUNT; i++) {
        const struct fh_cli_published *p = &fh_cli_published[i];
        if (!fh_cli_published_applies(page->view, p))
            continue;
        shown++;
        library_row(&library, p);
        beside_row(page, &maps, p);
        if (p->baseline)
            published_row(page, &figures, p);
    }
    fh_cli_page_heading(page, "Beside the published figures");
    if (figures.rows > 1) {
        fh_cli_page_table(page, &figures);
        fputc('\n', page->to);
    }
    if (shown) {
        fh_cli_page_table(page, &library);
        fputc('\n', page->to);
        fh_cli_page_table(page, &maps);
    }
    fh_cli_table_free(&figures);
    fh_cli_table_free(&library);
    fh_cli_table_free(&maps);
    if (shown < FH_CLI_PUBLISHED_COUNT)
        fh_cli_page_paragraph(
            page, 0,
            "The published figures are for log N = 16, those of primitives for the 11 + 4 or 12 + "
            "4 "
            "limbs in 3 digits at which the library that is counted meets them; those of other "
            "parameters than this report's are left out.");
    if (!shown)
        return;
    fputc('\n', page->to);
    fh_cli_report_notes(page->view, note, page);
}

/* ---------------------------------------------------------------- multi-word products */

static const struct fh_comparison_product *find_product(const struct fh_comparison *report,
                                                        const struct fh_comparison_product *like,
                                                        size_t words) {
    for (size_t i = 0; i < report->product_count; i++) {
        const struct fh_comparison_product *product = &report->products[i];
        if (product->op == like->op && product->map == like->map && product->words == words)
            return product;
    }
    return NULL;
}

static void products(struct fh_cli_page *page) {
    const struct fh_comparison *report = page->view->report;
    struct fh_cli_table table = {.rows = 0};
    const struct fh_comparison_product *last = NULL;
    size_t warps = FH_COMPARISON_PRODUCTS / FHEC_WARP_LANES;
    if (!report->product_count)
        return;
    fh_cli_page_heading(page, "Products of multi-word integers");
    fh_cli_page_paragraph(
        page, 0,
        "Warp instructions for 32 products, one a lane, everything included; W words of 32 "
        "bits. montmul is a b 2^(-32 W) mod M.");
    fputc('\n', page->to);
    fh_cli_table_row(&table);
    fh_cli_table_cell(&table, "product, map");
    for (size_t w = 0; w < page->view->params->word_count; w++)
        fh_cli_table_cell(&table, "W = %llu", (unsigned long long)page->view->params->words[w]);
    for (size_t i = 0; i < report->product_count; i++) {
        const struct fh_comparison_product *product = &report->products[i];
        if (last && last->op == product->op && last->map == product->map)
            continue;
        last = product;
        fh_cli_table_row(&table);
        fh_cli_table_cell(&table, "%s, %s", product->op == FH_BIGINT_MUL ? "mul" : "montmul",
                          product->map->name);
        for (size_t w = 0; w < page->view->params->word_count; w++) {
            const struct fh_comparison_product *found =
                find_product(report, product, page->view->params->words[w]);
            fh_cli_table_number(&table, found ? fh_profile_warp(&found->counts) / warps : 0);
        }
    }
    fh_cli_page_table(page, &table);
}

static void titles(struct fh_cli_page *page) {
    fh_cli_page_heading(page, "Maps");
    for (size_t i = 0; i < page->view->params->map_count; i++) {
        const struct fh_map *map = page->view->params->maps[i];
        char line[160];
        snprintf(line, sizeof line, "- %s: %s", map->name, map->title);
        fh_cli_page_paragraph(page, 2, line);
    }
}

bool fh_cli_report_text(const struct fh_cli_report_view *view, FILE *to, bool markdown) {
    struct fh_cli_page page = {view, to, markdown, true};
    introduction(&page);
    if (view->report->row_count) {
        overview(&page);
        published(&page);
        kernels(&page);
        products(&page);
    }
    fh_cli_report_apps_text(&page, view->apps);
    titles(&page);
    return page.good;
}
