/*
 * time_json.c - times as one JSON object.
 */
#include "time_report.h"

#include "fhec_session.h"
#include "roofline.h"

static void put_text(struct fh_trace_bytes *to, const char *key, const char *text) {
    fh_trace_print(to, "\"%s\": ", key);
    if (text)
        fh_trace_put_json(to, text);
    else
        fh_trace_print(to, "null");
}

static void put_count(struct fh_trace_bytes *to, const char *key, uint64_t value) {
    fh_trace_print(to, ", \"%s\": %llu", key, (unsigned long long)value);
}

/* With `all` also those that are zero. */
static void put_stalls(struct fh_trace_bytes *to, const uint64_t stalls[FH_TIME_REASONS],
                       bool all) {
    bool first = true;
    fh_trace_print(to, ", \"stalls\": {");
    for (unsigned i = 0; i < FH_TIME_REASONS; i++) {
        if (!stalls[i] && !all)
            continue;
        fh_trace_print(to, "%s\"%s\": %llu", first ? "" : ", ",
                       fh_time_reason_name((enum fh_time_reason)i), (unsigned long long)stalls[i]);
        first = false;
    }
    fh_trace_print(to, "}");
}

static void put_units(struct fh_trace_bytes *to, const struct fh_time_machine *m,
                      const struct fh_timed_kernel *k) {
    bool first = true;
    fh_trace_print(to, ", \"units\": {");
    for (uint32_t i = 0; i < m->unit_count; i++) {
        const double room = (double)k->sm_cycles * (m->units[i].shared ? 1 : (double)m->schedulers);
        if (!k->sm.busy[i])
            continue;
        fh_trace_print(to, "%s\"%s\": %.4f", first ? "" : ", ", m->units[i].name,
                       room > 0 ? (double)k->sm.busy[i] / room : 0);
        first = false;
    }
    fh_trace_print(to, "}");
}

static void put_traffic(struct fh_trace_bytes *to, const struct fh_time_traffic *t) {
    fh_trace_print(to, ", \"memory\": {\"shared_accesses\": %llu", (unsigned long long)t->accesses);
    put_count(to, "shared_passes", t->passes);
    put_count(to, "bank_conflicts", t->conflicts);
    put_count(to, "load_sectors", t->sectors);
    put_count(to, "l1_hit_sectors", t->l1_hits);
    put_count(to, "l2_sectors", t->l2_sectors);
    put_count(to, "hbm_sectors", t->hbm_sectors);
    fh_trace_print(to, "}");
}

static void put_instructions(struct fh_trace_bytes *to, const struct fh_timed_kernel *k) {
    bool first = true;
    fh_trace_print(to, ",\n   \"instructions\": [");
    for (uint32_t i = 0; i < k->of->count; i++) {
        const struct fh_timed_word *w = &k->words[i];
        char text[FH_TIMED_TEXT];
        if (!w->issued)
            continue;
        fh_trace_print(to, "%s\n    {\"pc\": %llu, ", first ? "" : ",",
                       (unsigned long long)fh_timed_text(k, i, text));
        put_text(to, "text", *text ? text : NULL);
        fh_trace_print(to, ", ");
        put_text(to, "file", k->of->words[i].file);
        put_count(to, "line", k->of->words[i].line);
        put_count(to, "issued", w->issued);
        put_stalls(to, w->cycles, false);
        fh_trace_print(to, "}");
        first = false;
    }
    fh_trace_print(to, "]");
}

/* Where the kernel stands under the machine's roofs. */
static void put_roofline(struct fh_trace_bytes *to, const struct fh_time_machine *m,
                         const struct fh_timed_kernel *k) {
    enum fh_roofline_level bound;
    const double most = fh_roofline_attainable(k, m, &bound);
    fh_trace_print(
        to, ", \"roofline\": {\"ginsts_per_s\": %.6g, \"attainable\": %.6g, \"bound\": \"%s\"",
        fh_roofline_rate(k, m), most,
        bound == FH_ROOFLINE_LEVELS ? "issue" : fh_roofline_level_name(bound));
    fh_trace_print(to, ", \"insts_per_sector\": {");
    for (enum fh_roofline_level l = 0; l < FH_ROOFLINE_LEVELS; l++) {
        const double intensity = fh_roofline_intensity(k, l);
        fh_trace_print(to, "%s\"%s\": ", l ? ", " : "", fh_roofline_level_name(l));
        fh_trace_print(to, intensity > 0 ? "%.6g" : "null", intensity);
    }
    fh_trace_print(to, "}}");
}

static void put_roofs(struct fh_trace_bytes *to, const struct fh_time_machine *m) {
    fh_trace_print(to, ", \"roofs\": {\"issue\": %.6g", fh_roofline_issue(m));
    for (enum fh_roofline_level l = 0; l < FH_ROOFLINE_LEVELS; l++)
        fh_trace_print(to, ", \"%s\": %.6g", fh_roofline_level_name(l), fh_roofline_sectors(m, l));
    fh_trace_print(to, "}");
}

static void put_kernel(struct fh_trace_bytes *to, const struct fh_time_machine *m,
                       const struct fh_timed_kernel *k) {
    const double warps = m->warps;
    fh_trace_print(to, "\n  {");
    put_text(to, "name", k->of->name);
    put_count(to, "launches", k->launches);
    put_count(to, "cycles", k->cycles);
    put_count(to, "sm_cycles", k->sm_cycles);
    put_count(to, "hbm_cycles", k->hbm_cycles);
    put_count(to, "launch_cycles", k->launches * m->launch);
    put_count(to, "warp_insts", k->warp_insts);
    put_count(to, "sm_warp_insts", k->sm.issued);
    fh_trace_print(to, ", \"us\": %.4f, \"ipc\": %.4f", (double)k->cycles / m->clock_mhz,
                   k->sm_cycles ? (double)k->sm.issued / (double)k->sm_cycles : 0);
    fh_trace_print(to, ", \"occupancy\": %.4f, ", k->warps / warps);
    put_text(to, "limited_by", k->resident < k->occupancy.blocks ? "grid" : k->occupancy.limit);
    put_count(to, "resident_blocks", k->resident);
    put_count(to, "resident_warps", k->warps);
    put_count(to, "blocks", k->blocks);
    put_count(to, "sm_blocks", k->sm_blocks);
    fh_trace_print(to, ", \"waves\": %.4f", k->waves);
    put_count(to, "hbm_bytes", k->hbm_bytes);
    put_stalls(to, k->sm.stalls, true);
    put_units(to, m, k);
    put_traffic(to, &k->sm.traffic);
    put_roofline(to, m, k);
    put_instructions(to, k);
    fh_trace_print(to, "}");
}

bool fh_time_json(struct fh_trace_bytes *to, const struct fh_timer *timer) {
    const struct fh_time_machine *m = fh_timer_machine(timer);
    const struct fh_timed_kernel *k;
    struct fh_time_total total;
    fh_time_total(timer, &total);
    fh_trace_print(to, "{");
    put_text(to, "machine", m->name);
    fh_trace_print(to, ", \"clock_mhz\": %.10g, \"sms\": %u, \"schedulers\": %u", m->clock_mhz,
                   m->sms, m->schedulers);
    put_count(to, "slot", m->slot);
    put_count(to, "cycles", total.cycles);
    fh_trace_print(to, ", \"us\": %.4f", total.us);
    put_count(to, "warp_insts", total.warp_insts);
    fh_trace_print(to, ", \"ipc\": %.4f, \"occupancy\": %.4f", total.ipc, total.occupancy);
    put_stalls(to, total.stalls, true);
    put_count(to, "launches", total.launches);
    put_count(to, "sm_cycles", total.sm_cycles);
    put_count(to, "sm_warp_insts", total.sm_issued);
    put_count(to, "hbm_bytes", total.hbm_bytes);
    put_roofs(to, m);
    fh_trace_print(to, ",\n \"kernels\": [");
    for (size_t i = 0; (k = fh_timer_kernel(timer, i)); i++) {
        fh_trace_print(to, i ? "," : "");
        put_kernel(to, m, k);
    }
    fh_trace_print(to, "]}\n");
    return !to->failed;
}
