/*
 * profile_json.c - a profile as one JSON object.
 */
#include "profile_report.h"

static void put_key_text(struct fh_trace_bytes *to, const char *key, const char *text) {
    fh_trace_print(to, "\"%s\": ", key);
    if (text)
        fh_trace_put_json(to, text);
    else
        fh_trace_print(to, "null");
}

static void put_sum(struct fh_trace_bytes *to, const struct fh_profile_sum *sum) {
    const struct fh_profile_counts *c = &sum->counts;
    const struct {
        const char *key;
        uint64_t value;
    } all[] = {
        {"warp", c->warp},
        {"thread", c->thread},
        {"divergences", c->divergences},
        {"reused", sum->reused},
        {"live", sum->live},
        {"live_uniform", sum->live_uniform},
        {"global_requests", c->requests},
        {"global_sectors", c->sectors},
        {"global_ideal_sectors", c->ideal},
        {"local_requests", c->local_requests},
        {"local_sectors", c->local_sectors},
        {"local_ideal_sectors", c->local_ideal},
        {"shared_requests", c->shared_requests},
        {"shared_passes", c->passes},
        {"bank_conflicts", c->conflicts},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        fh_trace_print(to, "%s\"%s\": %llu", i ? ", " : "", all[i].key,
                       (unsigned long long)all[i].value);
}

static void put_worst(struct fh_trace_bytes *to, const struct fh_profile_worst *worst) {
    if (!worst->ways)
        return;
    fh_trace_print(to,
                   ", \"worst_conflict\": {\"ways\": %u, \"bank\": %u, \"block\": [%u, %u, %u], "
                   "\"warp\": %u, \"accesses\": [",
                   worst->ways, worst->bank, worst->block[0], worst->block[1], worst->block[2],
                   worst->warp);
    for (uint32_t i = 0; i < worst->count; i++)
        fh_trace_print(to, "%s{\"lane\": %u, \"address\": %llu}", i ? ", " : "", worst->lane[i],
                       (unsigned long long)worst->address[i]);
    fh_trace_print(to, "]}");
}

static void put_instructions(struct fh_trace_bytes *to, const struct fh_profile_sums *s) {
    bool any = false;
    for (uint32_t i = 0; i < s->kernel->count; i++) {
        const struct fh_profiled_word *w = &s->kernel->words[i];
        const struct fh_code_fact *fact = &s->facts[i];
        const struct fh_profile_sum sum = {.counts = w->counts,
                                           .reused = w->counts.warp * fact->reused,
                                           .live = fact->live,
                                           .live_uniform = fact->live_uniform};
        if (!fact->known)
            continue;
        fh_trace_print(to, "%s\n    {\"pc\": %llu, ", any ? "," : "",
                       (unsigned long long)i * sizeof(fhec_word));
        put_key_text(to, "file", w->file);
        fh_trace_print(to, ", \"line\": %u, ", w->line);
        if (w->chain) {
            put_key_text(to, "chain", w->chain);
            fh_trace_print(to, ", ");
        }
        put_key_text(to, "text", fact->text);
        fh_trace_print(to, ", ");
        put_key_text(to, "class", fact->klass);
        fh_trace_print(to, ", ");
        put_sum(to, &sum);
        put_worst(to, &w->worst);
        fh_trace_print(to, "}");
        any = true;
    }
}

static void put_lines(struct fh_trace_bytes *to, const struct fh_profile_sums *s) {
    bool any = false;
    for (uint32_t i = 0; i < s->line_count; i++) {
        const struct fh_profile_line *line = &s->lines[i];
        if (!line->file)
            continue;
        fh_trace_print(to, "%s\n    {", any ? "," : "");
        put_key_text(to, "file", line->file);
        fh_trace_print(to, ", \"line\": %u, ", line->line);
        put_sum(to, &line->sum);
        fh_trace_print(to, ", \"pcs\": [");
        for (uint32_t k = 0; k < line->count; k++)
            fh_trace_print(to, "%s%llu", k ? ", " : "",
                           (unsigned long long)s->order[line->first + k] * sizeof(fhec_word));
        fh_trace_print(to, "]}");
        any = true;
    }
}

static void put_kernel(struct fh_trace_bytes *to, const struct fh_profile_sums *s) {
    const struct fh_profiled_kernel *k = s->kernel;
    fh_trace_print(to, "  {");
    put_key_text(to, "kernel", k->name);
    fh_trace_print(to,
                   ", \"launches\": %llu, \"complete\": %s, \"blocks\": %llu, \"threads\": %llu, "
                   "\"grid\": [%u, %u, %u], \"block\": [%u, %u, %u],\n   ",
                   (unsigned long long)k->launches, k->partial ? "false" : "true",
                   (unsigned long long)k->blocks, (unsigned long long)k->threads, k->grid[0],
                   k->grid[1], k->grid[2], k->block[0], k->block[1], k->block[2]);
    put_sum(to, &s->all);
    fh_trace_print(to, ",\n   \"classes\": {");
    for (uint32_t i = 0; i < s->class_count; i++)
        fh_trace_print(to, "%s\"%s\": %llu", i ? ", " : "", s->classes[i].name,
                       (unsigned long long)s->classes[i].warp);
    fh_trace_print(to, "},\n   \"lines\": [");
    put_lines(to, s);
    fh_trace_print(to, "],\n   \"instructions\": [");
    put_instructions(to, s);
    fh_trace_print(to, "]}");
}

bool fh_profile_json(struct fh_trace_bytes *to, const struct fh_profiled_code *code) {
    bool fine = !code->failed, any = false;
    fh_trace_print(to, "{\"kernels\": [\n");
    for (size_t i = 0; i < code->count && fine; i++) {
        struct fh_profile_sums sums;
        if (!code->kernels[i]->launches)
            continue;
        fine = fh_profile_sums_make(&sums, code->kernels[i]);
        if (fine && any)
            fh_trace_print(to, ",\n");
        if (fine)
            put_kernel(to, &sums);
        any = true;
        fh_profile_sums_free(&sums);
    }
    fh_trace_print(to, "\n]}\n");
    return fine;
}
