/*
 * cuda_report.c - see cuda_report.h.
 */
#include "cuda_report.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernel_names.h"
#include "message.h"
#include "temporary.h"

bool fh_cli_cuda_reports(const struct fh_cli_cuda_options *options) {
    return options->kernels || options->each || options->ranges ||
           options->machine.stats != FH_CLI_STATS_NONE;
}

bool fh_cli_cuda_tells(const struct fh_cli_cuda_options *options) {
    return fh_cli_cuda_reports(options) || options->check.wanted || options->debug ||
           options->profile.path || options->time.wanted || fh_cli_trace_is_wanted(&options->trace);
}

/* The tally with what is derived from it. */
struct view {
    const struct fh_cli_cuda_tally *tally;
    char **shown; /* of each kernel the name as the source has it; NULL: as the object has it */
    struct fh_cli_cuda_amount *within; /* of each range, with the ranges within it */
    uint32_t *inner,
        *after; /* of each range, and of no range (0), the first one within; the next */
};

static const char *name_at(const struct view *v, uint32_t place) {
    return v->tally->names + place;
}

static const char *shown(const struct view *v, uint32_t kernel) {
    return v->shown[kernel] ? v->shown[kernel] : name_at(v, v->tally->kernels[kernel].name);
}

static void add_amount(struct fh_cli_cuda_amount *to, const struct fh_cli_cuda_amount *amount) {
    to->launches += amount->launches;
    to->warp += amount->warp;
    to->thread += amount->thread;
    to->seconds += amount->seconds;
}

/* A range's number is greater than that of the one around it. */
static void view_ranges(struct view *v) {
    for (uint32_t n = v->tally->range_count; n > 0; n--) {
        const struct fh_cli_cuda_range *r = &v->tally->ranges[n - 1];
        add_amount(&v->within[n], &r->amount);
        if (r->parent)
            add_amount(&v->within[r->parent], &v->within[n]);
        v->after[n] = v->inner[r->parent];
        v->inner[r->parent] = n;
    }
}

static void view_close(struct view *v) {
    for (uint32_t i = 0; v->shown && i < v->tally->kernel_count; i++)
        free(v->shown[i]);
    free(v->shown);
    free(v->within);
    free(v->inner);
    free(v->after);
}

static bool view_open(struct view *v, const struct fh_cli_cuda_tally *tally) {
    const size_t ranges = tally->range_count + 1u;
    *v = (struct view){.tally = tally,
                       .shown = calloc(tally->kernel_count + 1u, sizeof *v->shown),
                       .within = calloc(ranges, sizeof *v->within),
                       .inner = calloc(ranges, sizeof *v->inner),
                       .after = calloc(ranges, sizeof *v->after)};
    if (!v->shown || !v->within || !v->inner || !v->after) {
        view_close(v);
        return false;
    }
    for (uint32_t i = 0; i < tally->kernel_count; i++)
        v->shown[i] = fh_cli_demangled(name_at(v, tally->kernels[i].name));
    view_ranges(v);
    return true;
}

/* ---------------------------------------------------------------- as text */

static void print_opcodes(FILE *to, const struct view *v, const struct fh_cli_cuda_kernel *k) {
    for (uint32_t i = k->first_opcode; i; i = v->tally->opcodes[i - 1].next) {
        const struct fh_cli_cuda_opcode *o = &v->tally->opcodes[i - 1];
        fprintf(to, "%20llu %16llu  %s\n", (unsigned long long)o->warp,
                (unsigned long long)o->thread, name_at(v, o->name));
    }
}

static void print_amount(FILE *to, const struct fh_cli_cuda_amount *a) {
    fprintf(to, "%9llu %14llu %16llu %10.3f  ", (unsigned long long)a->launches,
            (unsigned long long)a->warp, (unsigned long long)a->thread, a->seconds);
}

static void print_heads(FILE *to) {
    fprintf(to, "%9s %14s %16s %10s  ", "launches", "warp insts", "thread insts", "seconds");
}

static void print_kernels(FILE *to, const struct view *v, bool opcodes) {
    struct fh_cli_cuda_amount all = {0};
    print_heads(to);
    fprintf(to, "kernel\n");
    for (uint32_t i = 0; i < v->tally->kernel_count; i++) {
        const struct fh_cli_cuda_kernel *k = &v->tally->kernels[i];
        print_amount(to, &k->amount);
        fprintf(to, "%s\n", shown(v, i));
        if (opcodes)
            print_opcodes(to, v, k);
        add_amount(&all, &k->amount);
    }
    print_amount(to, &all);
    fprintf(to, "together\n");
}

/* "DOMAIN: NAME", without the default domain. */
static void print_range_name(FILE *to, const struct view *v, uint32_t range) {
    const struct fh_cli_cuda_range *r = &v->tally->ranges[range - 1];
    fprintf(to, "%s%s%s", name_at(v, r->domain), r->domain ? ": " : "", name_at(v, r->name));
}

/* Those within range `around`, each with what is within it, `depth` ranges deep. */
static void print_ranges(FILE *to, const struct view *v, uint32_t around, int depth) {
    for (uint32_t n = v->inner[around]; n; n = v->after[n]) {
        print_amount(to, &v->within[n]);
        fprintf(to, "%9llu  %*s", (unsigned long long)v->tally->ranges[n - 1].entered, 2 * depth,
                "");
        print_range_name(to, v, n);
        fputc('\n', to);
        print_ranges(to, v, n, depth + 1);
    }
}

static void print_all_ranges(FILE *to, const struct view *v) {
    print_heads(to);
    fprintf(to, "%9s  range\n", "entered");
    print_ranges(to, v, 0, 0);
}

/* "in OUTER > INNER:" */
static void print_place(FILE *to, const struct view *v, uint32_t range) {
    if (!range) {
        fprintf(to, "in no range:\n");
        return;
    }
    uint32_t path[64], depth = 0;
    for (uint32_t n = range; n && depth < 64; n = v->tally->ranges[n - 1].parent)
        path[depth++] = n;
    for (uint32_t i = depth; i-- > 0;) {
        fputs(i + 1 == depth ? "in " : " > ", to);
        print_range_name(to, v, path[i]);
    }
    fprintf(to, ":\n");
}

static void print_launches(FILE *to, const struct view *v) {
    uint32_t range = 0;
    for (uint32_t i = 0; i < v->tally->launch_count; i++) {
        const struct fh_cli_cuda_launched *l = &v->tally->launches[i];
        if (l->range != range)
            print_place(to, v, range = l->range);
        fprintf(to, "launch %u: %s<<<(%u, %u, %u), (%u, %u, %u), %u>>>: %llu warp insts, %.6f s\n",
                i + 1, shown(v, l->kernel), l->grid[0], l->grid[1], l->grid[2], l->block[0],
                l->block[1], l->block[2], l->shared, (unsigned long long)l->warp, l->seconds);
    }
}

/* ---------------------------------------------------------------- as JSON */

static json_t *opcodes_json(const struct view *v, const struct fh_cli_cuda_kernel *k) {
    json_t *opcodes = json_object();
    for (uint32_t i = k->first_opcode; i; i = v->tally->opcodes[i - 1].next) {
        const struct fh_cli_cuda_opcode *o = &v->tally->opcodes[i - 1];
        json_object_set_new(
            opcodes, name_at(v, o->name),
            json_pack("{sIsI}", "warp", (json_int_t)o->warp, "thread", (json_int_t)o->thread));
    }
    return opcodes;
}

static void put_amount(json_t *object, const struct fh_cli_cuda_amount *a) {
    json_object_set_new(object, "launches", json_integer((json_int_t)a->launches));
    json_object_set_new(object, "warp_insts", json_integer((json_int_t)a->warp));
    json_object_set_new(object, "thread_insts", json_integer((json_int_t)a->thread));
    json_object_set_new(object, "wall_s", json_real(a->seconds));
}

static json_t *kernels_json(const struct view *v) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < v->tally->kernel_count; i++) {
        const struct fh_cli_cuda_kernel *k = &v->tally->kernels[i];
        json_t *one = json_pack("{ssss}", "kernel", name_at(v, k->name), "shown", shown(v, i));
        put_amount(one, &k->amount);
        json_object_set_new(one, "opcodes", opcodes_json(v, k));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *ranges_json(const struct view *v, uint32_t around) {
    json_t *list = json_array();
    for (uint32_t n = v->inner[around]; n; n = v->after[n]) {
        const struct fh_cli_cuda_range *r = &v->tally->ranges[n - 1];
        json_t *one = json_pack("{sisssssI}", "number", (int)n, "range", name_at(v, r->name),
                                "domain", name_at(v, r->domain), "entered", (json_int_t)r->entered);
        put_amount(one, &v->within[n]);
        json_object_set_new(one, "ranges", ranges_json(v, n));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *launches_json(const struct view *v) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < v->tally->launch_count; i++) {
        const struct fh_cli_cuda_launched *l = &v->tally->launches[i];
        json_t *one = json_pack("{sss[iii]s[iii]sisIsIsf}", "kernel",
                                name_at(v, v->tally->kernels[l->kernel].name), "grid", l->grid[0],
                                l->grid[1], l->grid[2], "block", l->block[0], l->block[1],
                                l->block[2], "shared", l->shared, "warp_insts", (json_int_t)l->warp,
                                "thread_insts", (json_int_t)l->thread, "wall_s", l->seconds);
        if (l->range)
            json_object_set_new(one, "range", json_integer(l->range));
        json_array_append_new(list, one);
    }
    return list;
}

static void print_json(FILE *to, const struct view *v) {
    json_t *all = json_pack("{sisososo}", "version", 1, "kernels", kernels_json(v), "ranges",
                            ranges_json(v, 0), "launches", launches_json(v));
    json_dumpf(all, to, JSON_INDENT(1));
    fputc('\n', to);
    json_decref(all);
}

/* ---------------------------------------------------------------- both */

static void print_text(FILE *to, const struct view *v, const struct fh_cli_cuda_options *options) {
    const bool ranges = v->tally->range_count != 0;
    if (options->each)
        print_launches(to, v);
    if ((options->each && ranges) || options->ranges)
        print_all_ranges(to, v);
    print_kernels(to, v, options->machine.stats == FH_CLI_STATS_TEXT);
}

fhec_status fh_cli_cuda_report_print(const struct fh_cli *cli,
                                     const struct fh_cli_cuda_options *options,
                                     const struct fh_cli_cuda_tally *tally, FILE *to) {
    struct view view;
    if (!fh_cli_cuda_reports(options))
        return FHEC_OK;
    if (!view_open(&view, tally))
        return fh_cli_no_memory(cli);
    if (options->machine.stats == FH_CLI_STATS_JSON)
        print_json(to, &view);
    else
        print_text(to, &view, options);
    view_close(&view);
    if (tally->lost)
        fh_cli_note(cli, "not all of it: there are more kernels, ranges or launches than are "
                         "counted");
    return FHEC_OK;
}

/* A file that is there and not a regular one, a pipe or a terminal. */
static bool is_device(const char *path) {
    struct stat at;
    return stat(path, &at) == 0 && !S_ISREG(at.st_mode);
}

static bool put(FILE *to, const char *text, size_t length) {
    const bool written = to && fwrite(text, 1, length, to) == length;
    return to && fclose(to) == 0 && written;
}

static bool write_file(const char *path, const char *text, size_t length) {
    if (is_device(path))
        return put(fopen(path, "we"), text, length);
    char *temporary;
    const int file = fh_cli_temporary_make(path, 0666, &temporary);
    if (file < 0)
        return false;
    if (put(fdopen(file, "w"), text, length))
        return fh_cli_temporary_move(temporary, path);
    fh_cli_temporary_remove(temporary);
    return false;
}

fhec_status fh_cli_cuda_report_write(const struct fh_cli *cli,
                                     const struct fh_cli_cuda_options *options,
                                     const struct fh_cli_cuda_tally *tally,
                                     struct fh_timer *timer) {
    char *text = NULL;
    size_t length = 0;
    FILE *to = options->report ? open_memstream(&text, &length) : stderr;
    if (!to)
        return fh_cli_no_memory(cli);
    fhec_status status = fh_cli_cuda_report_print(cli, options, tally, to);
    status = fh_cli_timing_close(cli, &options->time, timer, to, status);
    if (to == stderr)
        return status;
    if (fclose(to) != 0)
        status = fh_cli_no_memory(cli);
    else if (!write_file(options->report, text, length))
        status = fh_cli_error(cli, FHEC_HOST_ERROR, "cannot write %s: %s", options->report,
                              strerror(errno));
    free(text);
    return status;
}

bool fh_cli_cuda_report_grows(const struct fh_cli_cuda_options *options) {
    return options->report && fh_cli_cuda_reports(options) && !is_device(options->report);
}
