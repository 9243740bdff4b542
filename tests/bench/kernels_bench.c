/*
 * kernels_bench.c - transforms and base conversions on the emulator beside native code doing the
 * same on one core: golden's scalar radix-2 transform, compiled -O3 without vectorisation, and its
 * plain base conversion.
 *
 * Figures are of kernel launches alone, on one host thread; `.call` is everything: tables,
 * assembly, copies and launches. `scaling` is a transform of 64 limbs on two threads over one.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "device.h"

enum { N = 65536, ALPHA = 9, TARGET = 27, LIMBS = 64 };

/* A workload on the emulator: its plan and data, or the parameters of a whole call. */
struct emulated {
    struct fh_plan plan;
    struct fh_error error;
    fhec_machine *machine;
    uint64_t in, out; /* of the guest */
    const struct fh_map *map;
    size_t bytes; /* of the whole call's input */
    void *data_in, *data_out;
    bool ntt;
    uint64_t chain[LIMBS];
};

struct native {
    fh_golden_ntt32_plan *plan;
    fh_golden_bases bases;
    uint32_t *data;
    uint64_t *in, *out;
};

static void *room(size_t words) {
    void *p = calloc(words, sizeof(uint64_t));
    if (!p)
        bench_die("out of memory");
    return p;
}

static void must(fhec_status status, const struct fh_error *error) {
    if (status != FHEC_OK)
        bench_die(error->text[0] ? error->text : "the guest failed");
}

/* ---------------------------------------------------------------- work */

static void native_ntt(void *context) {
    struct native *n = context;
    fh_golden_ntt32_forward(n->plan, n->data);
}

static void native_bconv(void *context) {
    struct native *n = context;
    if (fh_golden_bconv_fast(&n->bases, N, n->in, n->out) != FH_GOLDEN_OK)
        bench_die("the reference failed");
}

static void launches(void *context) {
    struct emulated *e = context;
    must(fh_plan_run(&e->plan, 0, e->plan.limbs, e->in, e->out), &e->error);
}

static struct fh_ntt_params ntt_params(const struct emulated *e, size_t limbs) {
    return (struct fh_ntt_params){
        .map = e->map->name, .n = N, .limbs = limbs, .q = e->chain, .reduced = true};
}

static struct fh_bconv_params bconv_params(const struct emulated *e) {
    return (struct fh_bconv_params){.map = e->map->name,
                                    .n = N,
                                    .alpha = ALPHA,
                                    .target = TARGET,
                                    .from = e->chain,
                                    .to = e->chain + ALPHA,
                                    .reduced = true};
}

static void whole_call(void *context) {
    struct emulated *e = context;
    struct fh_ntt_params ntt = ntt_params(e, 1);
    struct fh_bconv_params bconv = bconv_params(e);
    must(e->ntt ? fh_ntt_run(e->machine, &ntt, e->data_in, e->bytes, e->data_out, &e->error)
                : fh_bconv_run(e->machine, &bconv, e->data_in, e->bytes, e->data_out, &e->error),
         &e->error);
}

/* ---------------------------------------------------------------- making it */

/* The plan for `limbs` limbs, or the base conversion if that is 0, and its data in the guest. */
static void prepare(struct emulated *e, const struct fh_map *map, size_t limbs,
                    const uint64_t *values) {
    static const struct fh_run_options options;
    size_t rows = limbs ? limbs : ALPHA, width = map->word_bits / 8;
    struct fh_ntt_params ntt;
    struct fh_bconv_params bconv;
    e->map = map;
    e->ntt = limbs != 0;
    ntt = ntt_params(e, limbs);
    bconv = bconv_params(e);
    fh_plan_begin(&e->plan, e->machine, &options, &e->error);
    must(limbs ? fh_ntt_plan(&e->plan, &ntt) : fh_bconv_plan(&e->plan, &bconv), &e->error);
    e->bytes = rows * N * width;
    e->data_in = room(rows * N);
    e->data_out = room((limbs ? limbs : TARGET) * N);
    for (size_t i = 0; i < rows * N; i++) {
        if (width == 8)
            ((uint64_t *)e->data_in)[i] = values[i];
        else
            ((uint32_t *)e->data_in)[i] = (uint32_t)values[i];
    }
    must(fh_guest_alloc(&e->plan.guest, "in", e->bytes, &e->in), &e->error);
    e->out = e->in;
    if (!limbs)
        must(fh_guest_alloc(&e->plan.guest, "out", TARGET * N * width, &e->out), &e->error);
    must(fh_guest_write(&e->plan.guest, e->in, e->data_in, e->bytes), &e->error);
}

static void discard(struct emulated *e) {
    fh_plan_free(&e->plan);
    free(e->data_in);
    free(e->data_out);
}

/* ---------------------------------------------------------------- rows */

static double target_of(bool ntt, const char *map) {
    if (!ntt)
        return strcmp(map, "fhec") == 0 || strcmp(map, "fhec16") == 0 ? 1.0 : 0;
    static const struct {
        const char *map;
        double target;
    } transforms[] = {{"fhec16", 0.42}, {"cuda32", 0.45}, {"cuda64", 1.2}, {"imma16", 1}};
    for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++)
        if (strcmp(map, transforms[i].map) == 0)
            return transforms[i].target;
    return 0;
}

static void measure(struct bench *b, struct emulated *e, const struct fh_map *map, bool ntt,
                    const uint64_t *values, struct native *native) {
    char name[96];
    /* the default map of base conversions is FHEC with CUDA cores beside it */
    const char *shown = !ntt && strcmp(map->name, "fhec16") == 0 ? "fhec" : map->name;
    int used = snprintf(name, sizeof name, "%s.%s", ntt ? "ntt65536" : "bconv9to27", shown);
    char *tail = name + used;
    const size_t left = sizeof name - (size_t)used;
    if (!bench_wants(b, name))
        return;
    struct bench_timing both[2], ratio;
    prepare(e, map, ntt ? 1 : 0, values);
    double insts = bench_count(e->machine, launches, e);
    ratio = bench_ratio(b, launches, e, ntt ? native_ntt : native_bconv, native, both);
    snprintf(tail, left, ".ratio_to_native_scalar");
    bench_row(b, name, ratio.median, "x", target_of(ntt, map->name), &ratio);
    snprintf(tail, left, ".launches");
    bench_row(b, name, both[0].median * 1e3, "ms", 0, &both[0]);
    snprintf(tail, left, ".native_scalar");
    bench_row(b, name, both[1].median * 1e3, "ms", 0, &both[1]);
    snprintf(tail, left, ".warp_insts");
    bench_row(b, name, insts, "", 0, NULL);
    snprintf(tail, left, ".warp_insts_per_s");
    bench_row(b, name, insts / both[0].median, "/s", 0, NULL);
    snprintf(tail, left, ".call");
    if (target_of(ntt, map->name) > 0 && bench_wants(b, name)) {
        struct bench_timing call = bench_time(b, whole_call, e);
        bench_row(b, name, call.median * 1e3, "ms", 0, &call);
    }
    discard(e);
}

/* One machine with one thread, one with two, the same work in turns. */
static void scaling(struct bench *b, const uint64_t *chain) {
    static struct emulated one, two;
    struct bench_timing both[2], ratio;
    uint64_t *values = room(LIMBS * N);
    if (fh_golden_generate_limbs(FH_GOLDEN_RANDOM, 2, LIMBS, chain, N, values) != FH_GOLDEN_OK)
        bench_die("no input");
    one.machine = bench_machine(1);
    two.machine = bench_machine(2);
    memcpy(one.chain, chain, sizeof one.chain);
    memcpy(two.chain, chain, sizeof two.chain);
    prepare(&one, fh_map_find("fhec16"), LIMBS, values);
    prepare(&two, fh_map_find("fhec16"), LIMBS, values);
    struct bench by_wall = *b; /* both threads must find a free core: more runs than elsewhere */
    by_wall.wall = true;
    by_wall.seconds = 4 * b->seconds;
    ratio = bench_ratio(&by_wall, launches, &one, launches, &two, both);
    bench_row(b, "scaling.2threads", ratio.median, "x", 1.9, &ratio);
    bench_row(b, "scaling.1thread_64limbs", both[0].median * 1e3, "ms", 0, &both[0]);
    /* What two threads together spend more than one does not depend on what else runs here. */
    ratio = bench_ratio(b, launches, &two, launches, &one, both);
    bench_row(b, "scaling.2threads_processor_time", ratio.median, "x", 0, &ratio);
    discard(&one);
    discard(&two);
    fhec_machine_free(one.machine);
    fhec_machine_free(two.machine);
    free(values);
}

int main(int argc, char **argv) {
    static struct emulated e;
    struct bench b = bench_begin(argc, argv);
    struct native native = {.data = room(N), .in = room(ALPHA * N), .out = room(TARGET * N)};
    const struct fh_map *map;
    uint64_t psi;
    if (fh_golden_prime_chain(N, 30, LIMBS, e.chain) != FH_GOLDEN_OK ||
        fh_golden_generate_limbs(FH_GOLDEN_RANDOM, 1, ALPHA, e.chain, N, native.in) !=
            FH_GOLDEN_OK ||
        fh_golden_smallest_root(N, e.chain[0], &psi) != FH_GOLDEN_OK ||
        fh_golden_ntt32_plan_create(&native.plan, N, e.chain[0], psi) != FH_GOLDEN_OK)
        bench_die("no input");
    native.bases = (fh_golden_bases){ALPHA, e.chain, TARGET, e.chain + ALPHA};
    for (size_t i = 0; i < N; i++)
        native.data[i] = (uint32_t)native.in[i];
    e.machine = bench_machine(1);
    for (size_t i = 0; (map = fh_map_get(i)) != NULL; i++)
        if (map->workloads & FH_WORKLOAD_NTT)
            measure(&b, &e, map, true, native.in, &native);
    for (size_t i = 0; (map = fh_map_get(i)) != NULL; i++)
        if (map->workloads & FH_WORKLOAD_BCONV)
            measure(&b, &e, map, false, native.in, &native);
    if (bench_wants(&b, "scaling"))
        scaling(&b, e.chain);
    fhec_machine_free(e.machine);
    fh_golden_ntt32_plan_free(native.plan);
    free(native.data);
    free(native.in);
    free(native.out);
    return bench_end(&b);
}
