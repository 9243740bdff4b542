/*
 * report_times_text.c - times as text for a terminal, or as Markdown.
 */
#include <math.h>
#include <string.h>

#include "report_page.h"
#include "report_times.h"

/* Speed-ups further from the published ones are explained. */
static const double tolerance = 0.25;

/* ---------------------------------------------------------------- sections */

static void say_machine(struct fh_cli_page *page, const struct fh_cli_times *times,
                        enum fh_cli_time_side side) {
    const struct fh_time_machine *m = &times->machines[side];
    char text[300];
    snprintf(text, sizeof text,
             "%s: map %s on %s (%s) at %g MHz, N = 2^%u; a launch takes %u cycles.",
             side == FH_CLI_TIME_BASE ? "Without FHEC" : "With FHEC",
             times->rows[0].counts[side]->map->name, m->name, m->title, m->clock_mhz, times->log2_n,
             m->launch);
    fh_cli_page_paragraph(page, 0, text);
}

static void say_chains(struct fh_cli_page *page, const struct fh_cli_time_row *row) {
    char text[300];
    size_t used = (size_t)snprintf(text, sizeof text, "%s:", row->name);
    for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++) {
        const struct fh_cli_app_reading *r = row->counts[side]->reading;
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "%s %zu + %zu limbs, primes of %u bits, dnum %zu", side ? ";" : "",
                                 r->limbs, r->alpha, row->counts[side]->bits, r->dnum);
    }
    snprintf(text + used, sizeof text - used, ".");
    fh_cli_page_paragraph(page, 0, text);
}

static void introduction(struct fh_cli_page *page, const struct fh_cli_times *times) {
    fputs(page->markdown ? "# Times of FHE primitives\n\n" : "Times of FHE primitives\n\n",
          page->to);
    fh_cli_page_paragraph(
        page, 0,
        "Estimates of the model of docs/timing.md, which nobody should believe closer than a "
        "third, "
        "and their ratios than a quarter. The published times are those of the FHECore paper, "
        "which says neither the limbs nor the primes of its primitives; its counts are met by the "
        "library that it counts at the limbs below.");
    for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++)
        say_machine(page, times, side);
    for (size_t i = 0; i < times->row_count; i++)
        say_chains(page, &times->rows[i]);
    fh_cli_page_paragraph(
        page, 0,
        "Rescale is by one limb of 60 bits, HEMult without Rescale. Applications are "
        "composed: each shape is timed once, operations of one sum together, "
        "rotations of one ciphertext with one ModUp.");
}

static void put_us(struct fh_cli_table *table, double us) {
    fh_cli_table_cell(table, us <= 0 ? "-" : us < 100 ? "%.1f" : "%.0f", us);
}

static void put_speedup(struct fh_cli_table *table, double speedup) {
    fh_cli_table_cell(table, speedup > 0 ? "%.2f" : "-", speedup);
}

static void put_difference(struct fh_cli_table *table, double ours, double published) {
    if (ours > 0 && published > 0)
        fh_cli_table_cell(table, "%+.0f %%", 100 * (ours / published - 1));
    else
        fh_cli_table_cell(table, "-");
}

static void compared(struct fh_cli_page *page, const struct fh_cli_times *times) {
    static const char *const heads[] = {"",          "without",    "with",     "speed-up",
                                        "published", "with",       "speed-up", "without/p.",
                                        "with/p.",   "speed-up/p."};
    struct fh_cli_table table = {.rows = 0};
    fh_cli_page_heading(page, "Times in us, and speed-ups by FHEC");
    fh_cli_table_row(&table);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        fh_cli_table_cell(&table, "%s", heads[i]);
    for (size_t i = 0; i < times->row_count; i++) {
        const struct fh_cli_time_row *row = &times->rows[i];
        double us[FH_CLI_TIME_SIDES];
        fh_cli_table_row(&table);
        fh_cli_table_cell(&table, "%s", row->name);
        for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++)
            put_us(&table, us[side] = fh_cli_time_us(times, side, row->amounts[side].cycles));
        put_speedup(&table, fh_cli_time_speedup(times, row));
        for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++)
            put_us(&table, row->published_us[side]);
        put_speedup(&table, fh_cli_time_published_speedup(row));
        for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++)
            put_difference(&table, row->same_work ? us[side] : 0, row->published_us[side]);
        put_difference(&table, fh_cli_time_speedup(times, row), fh_cli_time_published_speedup(row));
    }
    fh_cli_page_table(page, &table);
}

static void bound_row(struct fh_cli_table *table, const struct fh_cli_times *times,
                      const struct fh_cli_time_row *row, enum fh_cli_time_side side) {
    const struct fh_cli_time_amount *a = &row->amounts[side];
    fh_cli_table_row(table);
    fh_cli_table_cell(table, "%s, %s", row->name, side == FH_CLI_TIME_BASE ? "without" : "with");
    put_us(table, fh_cli_time_us(times, side, a->cycles));
    fh_cli_table_number(table, a->warp_insts);
    put_us(table, fh_cli_time_issue_us(times, side, a->warp_insts));
    put_us(table, fh_cli_time_us(times, side, a->hbm_cycles));
    put_us(table, fh_cli_time_hbm_us(times, side, a->key_bytes));
    put_us(table, fh_cli_time_launch_us(times, side, a->launches));
    fh_cli_table_number(table, a->launches);
    if (row->published_us[side] > 0) {
        fh_cli_table_number(table, row->published_warp[side]);
        put_us(table, fh_cli_time_issue_us(times, side, row->published_warp[side]));
    } else {
        fh_cli_table_cell(table, "-");
        fh_cli_table_cell(table, "-");
    }
}

static void bounds(struct fh_cli_page *page, const struct fh_cli_times *times) {
    static const char *const heads[] = {
        "",    "us",       "instructions", "issue",           "HBM",
        "key", "launches", "number",       "published inst.", "issue"};
    struct fh_cli_table table = {.rows = 0};
    fh_cli_page_heading(page, "What they take at least");
    fh_cli_page_paragraph(
        page, 0,
        "In us: all warp instructions through all schedulers; the bytes from and to HBM, and those "
        "of the switching key alone, at its bandwidth; the launches, which do not overlap; and "
        "what "
        "the published warp instructions take through the same schedulers.");
    if (!page->markdown)
        fputc('\n', page->to);
    fh_cli_table_row(&table);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        fh_cli_table_cell(&table, "%s", heads[i]);
    for (size_t i = 0; i < times->row_count; i++)
        for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++)
            bound_row(&table, times, &times->rows[i], side);
    fh_cli_page_table(page, &table);
}

/* Why a speed-up is another one, by what of both times does not shrink with the instructions. */
static void explain(struct fh_cli_page *page, const struct fh_cli_times *times,
                    const struct fh_cli_time_row *row) {
    const double ours = fh_cli_time_speedup(times, row);
    const double published = fh_cli_time_published_speedup(row);
    double left[FH_CLI_TIME_SIDES], issue[FH_CLI_TIME_SIDES];
    char text[900];
    if (ours <= 0 || published <= 0 || fabs(ours / published - 1) <= tolerance)
        return;
    for (unsigned side = 0; side < FH_CLI_TIME_SIDES; side++) {
        issue[side] = fh_cli_time_issue_us(times, side, row->published_warp[side]);
        left[side] = row->published_us[side] - issue[side];
    }
    snprintf(
        text, sizeof text,
        "%s: %.2f for %.2f. The published instructions are %.1f and %.1f times ours, and need "
        "%.1f and %.1f us to issue; %.1f and %.1f us of the published times are something "
        "else, and shrink by %.2f only, where ours with launches of %.1f and %.1f us and HBM of "
        "%.1f and %.1f us shrink as their launches and kernels do.",
        row->name, ours, published,
        (double)row->published_warp[0] / (double)row->amounts[0].warp_insts,
        (double)row->published_warp[1] / (double)row->amounts[1].warp_insts, issue[0], issue[1],
        left[0], left[1], left[1] > 0 ? left[0] / left[1] : 0,
        fh_cli_time_launch_us(times, 0, row->amounts[0].launches),
        fh_cli_time_launch_us(times, 1, row->amounts[1].launches),
        fh_cli_time_us(times, 0, row->amounts[0].hbm_cycles),
        fh_cli_time_us(times, 1, row->amounts[1].hbm_cycles));
    fh_cli_page_paragraph(page, 0, text);
}

static void sensitivity(struct fh_cli_page *page, const struct fh_cli_times *times) {
    struct fh_cli_table table = {.rows = 0};
    if (!times->variant_count)
        return;
    fh_cli_page_heading(page, "With one line of the machines changed");
    fh_cli_page_paragraph(page, 0,
                          "Times with FHEC in us, and speed-ups. Lines of FHEC change the machine "
                          "with it only, all others both.");
    if (!page->markdown)
        fputc('\n', page->to);
    fh_cli_table_row(&table);
    fh_cli_table_cell(&table, "line");
    for (unsigned p = 0; p < FH_CLI_APP_PRIMITIVES; p++) {
        fh_cli_table_cell(&table, "%s", fh_cli_app_primitive_name(p));
        fh_cli_table_cell(&table, "speed-up");
    }
    fh_cli_table_row(&table);
    fh_cli_table_cell(&table, "(none)");
    for (unsigned p = 0; p < FH_CLI_APP_PRIMITIVES; p++) {
        put_us(&table, fh_cli_time_us(times, FH_CLI_TIME_FHEC,
                                      times->rows[p].amounts[FH_CLI_TIME_FHEC].cycles));
        put_speedup(&table, fh_cli_time_speedup(times, &times->rows[p]));
    }
    for (size_t i = 0; i < times->variant_count; i++) {
        const struct fh_cli_time_variant *v = &times->variants[i];
        fh_cli_table_row(&table);
        fh_cli_table_cell(&table, "%s", v->line);
        for (unsigned p = 0; p < FH_CLI_APP_PRIMITIVES; p++) {
            put_us(&table, v->us[p][FH_CLI_TIME_FHEC]);
            put_speedup(&table, v->us[p][FH_CLI_TIME_BASE] / v->us[p][FH_CLI_TIME_FHEC]);
        }
    }
    fh_cli_page_table(page, &table);
}

bool fh_cli_times_text(const struct fh_cli_times *times, FILE *to, bool markdown) {
    struct fh_cli_page page = {NULL, to, markdown, true};
    introduction(&page, times);
    compared(&page, times);
    bounds(&page, times);
    if (!markdown)
        fputc('\n', to);
    for (size_t i = 0; i < times->row_count; i++)
        if (times->rows[i].same_work)
            explain(&page, times, &times->rows[i]);
    sensitivity(&page, times);
    return page.good;
}
