/*
 * race_oracle_run.c - a program under the checker, with an observer that takes down its accesses.
 */
#include "checkers.h"
#include "race_oracle.h"

enum { ORDERS = 4, STEPS = 200000 };

struct or_bench {
    fhec_machine *machines[ORDERS];
    uint64_t buffers[ORDERS];
    uint8_t first[OR_GLOBAL]; /* what the buffer holds before a run */
    const struct or_program *program;
    struct or_plan plan;
    struct or_trace trace;
    struct or_verdict verdict;
    char text[OR_TEXT];
    uint8_t ops[OR_INSTRUCTIONS];
    uint64_t buffer;
};

struct or_bench *or_bench_new(void) {
    struct or_bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    for (unsigned i = 0; i < ORDERS; i++) {
        const fhec_machine_options options = {
            .threads = 1, .order = {.kind = i ? FHEC_ORDER_SEED : FHEC_ORDER_DEFAULT, .seed = i}};
        assert_int_equal(fhec_machine_new(&options, &bench->machines[i]), FHEC_OK);
        assert_int_equal(fhec_alloc(bench->machines[i], "x", OR_GLOBAL, 0, &bench->buffers[i]),
                         FHEC_OK);
    }
    for (size_t i = 0; i < OR_GLOBAL; i++)
        bench->first[i] = i < OR_FLAG ? (uint8_t)(i * 167 + (i >> 8) * 59 + 13) : 0;
    return bench;
}

void or_bench_free(struct or_bench *bench) {
    for (unsigned i = 0; i < ORDERS; i++)
        fhec_machine_free(bench->machines[i]);
    free(bench->trace.seen);
    free(bench);
}

/* A warp looks again whether what it waits for has come, and it has not: as the last time. */
static bool is_in_vain(const struct or_bench *bench, const fhec_event *event, uint32_t op) {
    const uint32_t lane = (uint32_t)__builtin_ctz(event->active | UINT32_C(1) << 31);
    const uint32_t value = event->access.value[lane];
    if (bench->program->ops[op].kind != OR_POLL ||
        (bench->program->ops[op].number ? value >> 31 != 0 : value != 0))
        return false;
    for (size_t i = bench->trace.count; i--;)
        if (bench->trace.seen[i].op == op && bench->trace.seen[i].block == event->block[0] &&
            bench->trace.seen[i].warp == event->warp)
            return true;
    return false;
}

static void on_access(void *user, const fhec_event *event) {
    struct or_bench *bench = user;
    struct or_trace *t = &bench->trace;
    const fhec_access *access = &event->access;
    const uint64_t index = event->pc / sizeof(fhec_word);
    const bool shared = access->space == FHEC_SPACE_SHARED;
    if (index >= OR_INSTRUCTIONS || bench->ops[index] == UINT8_MAX ||
        (!shared && access->space != FHEC_SPACE_GLOBAL))
        return;
    if (is_in_vain(bench, event, bench->ops[index]))
        return;
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 64;
        t->seen = realloc(t->seen, t->capacity * sizeof *t->seen);
        assert_non_null(t->seen);
    }
    struct or_seen *s = &t->seen[t->count++];
    *s = (struct or_seen){.op = bench->ops[index],
                          .block = event->block[0],
                          .warp = event->warp,
                          .lanes = event->active,
                          .shared = shared,
                          .read = access->access & FHEC_ACCESS_READ,
                          .write = access->access & FHEC_ACCESS_WRITE,
                          .bytes = access->bytes};
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++) {
        if (!(event->active >> l & 1))
            continue;
        s->address[l] = (uint32_t)(access->address[l] - (shared ? 0 : bench->buffer));
        if (shared)
            s->address[l] &= (uint32_t)FHEC_WINDOW_BYTES - 1;
        for (uint32_t w = 0; w < (access->bytes + 3) / 4; w++)
            memcpy(s->value[l] + 4 * w, &access->value[32 * w + l], 4);
    }
}

static void show_diagnostic(void *user, const fhec_diagnostic *d) {
    struct or_result *result = user;
    if (d->severity == FHEC_ERROR)
        snprintf(result->message, sizeof result->message, "%.200s in `%.200s`", d->message,
                 d->source_line ? d->source_line : "");
}

static fhec_status launch(struct or_bench *bench, const struct or_program *p,
                          const fhec_program *program, struct fh_findings *findings) {
    const unsigned order = p->order % ORDERS;
    fhec_machine *machine = bench->machines[order];
    const fhec_observer observer = {
        .user = bench,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_ACCESS),
                   .no_access = 1U << FHEC_SPACE_CONSTANT | 1U << FHEC_SPACE_LOCAL},
        .event = on_access};
    const fhec_launch launch = {.program = program,
                                .grid = {p->blocks, 1, 1},
                                .block = {p->threads, 1, 1},
                                .params = &bench->buffers[order],
                                .param_bytes = sizeof bench->buffers[order],
                                .max_steps = STEPS};
    struct fh_checkers *checkers;
    unsigned number;
    bench->buffer = bench->buffers[order];
    bench->program = p;
    bench->trace.count = 0;
    assert_int_equal(fhec_write(machine, bench->buffer, bench->first, OR_GLOBAL), FHEC_OK);
    assert_int_equal(fh_checkers_begin(machine,
                                       FH_CHECK_BIT(FH_CHECK_RACE) | FH_CHECK_BIT(FH_CHECK_ASYNC),
                                       findings, &checkers),
                     FHEC_OK);
    assert_int_equal(fhec_observe(machine, &observer, &number), FHEC_OK);
    const fhec_status status = fhec_run(machine, &launch);
    assert_int_equal(fhec_unobserve(machine, number), FHEC_OK);
    assert_int_equal(fh_checkers_end(checkers), FHEC_OK);
    return status;
}

/* ---------------------------------------------------------------- what was found */

static unsigned bit_of(const struct fh_finding *finding) {
    static const char ids[][5] = {"C020", "C021", "C022", "C023"};
    for (unsigned i = 0; i < COUNT_OF(ids); i++)
        if (strcmp(fh_finding_id(finding->kind), ids[i]) == 0)
            return 1U << i;
    return OR_OF_COPY;
}

static uint8_t op_at(const struct or_bench *bench, const struct fh_place *place) {
    const uint64_t index = place->pc / sizeof(fhec_word);
    return place->program && index < OR_INSTRUCTIONS ? bench->ops[index] : UINT8_MAX;
}

static bool is_race(const struct or_bench *bench, const struct fh_finding *finding) {
    const uint8_t a = op_at(bench, &finding->at), b = op_at(bench, &finding->other);
    if (a == UINT8_MAX || b == UINT8_MAX)
        return false;
    const unsigned may = bench->verdict.may[a][b];
    return may & bit_of(finding) || may & OR_OF_COPY;
}

static void compare(const struct or_bench *bench, struct fh_findings *findings,
                    struct or_result *result) {
    const struct or_verdict *v = &bench->verdict;
    result->racy = v->racy;
    result->clean = v->clean;
    for (uint32_t i = 0; i < OR_OPS; i++)
        for (uint32_t k = 0; k < OR_OPS; k++) {
            result->must |= v->must[i][k];
            result->may |= v->may[i][k];
        }
    result->findings = fh_findings_count(findings);
    if (v->racy && !result->findings) {
        result->outcome = OR_MISS;
        snprintf(result->message, sizeof result->message, "nothing is found, and %s race",
                 v->example);
        return;
    }
    for (size_t i = 0; i < result->findings; i++) {
        const struct fh_finding *f = fh_findings_get(findings, i);
        if (is_race(bench, f))
            continue;
        result->outcome = v->clean ? OR_FALSE_ALARM : OR_NO_PAIR;
        snprintf(result->message, sizeof result->message,
                 "found is %s of operations %d and %d, which do not race so: %.300s",
                 fh_finding_id(f->kind), (int8_t)op_at(bench, &f->at),
                 (int8_t)op_at(bench, &f->other), f->message);
        return;
    }
}

void or_run(struct or_bench *bench, const struct or_program *program, struct or_result *result) {
    const fhec_assemble_options options = {.diagnostic = show_diagnostic, .user = result};
    fhec_program *assembled = NULL;
    *result = (struct or_result){.outcome = OR_BROKEN, .message = "no program"};
    if (!or_plan(program, &bench->plan))
        return;
    or_text(program, bench->text, bench->ops);
    if (fhec_assemble("race", bench->text, strlen(bench->text), &options, &assembled) != FHEC_OK)
        return;
    struct fh_findings *findings = fh_findings_new();
    assert_non_null(findings);
    if (launch(bench, program, assembled, findings) != FHEC_OK) {
        snprintf(result->message, sizeof result->message, "the launch fails: %s",
                 fhec_machine_error(bench->machines[program->order % ORDERS]));
    } else if (!or_judge(program, &bench->plan, &bench->trace, &bench->verdict)) {
        snprintf(result->message, sizeof result->message, "%s", bench->verdict.example);
    } else {
        result->outcome = OR_AGREE;
        compare(bench, findings, result);
    }
    fh_findings_free(findings);
    fhec_program_free(assembled);
}

/* ---------------------------------------------------------------- smaller programs */

static bool still(struct or_bench *bench, const struct or_program *program,
                  enum or_outcome outcome) {
    struct or_result result;
    or_run(bench, program, &result);
    return result.outcome == outcome;
}

/* Without operation `op`: of a region, without its marks. */
static bool drop(struct or_program *program, uint32_t op) {
    struct or_op kept[OR_OPS];
    uint32_t count = 0, end = op;
    if (program->ops[op].kind == OR_ENDIF)
        return false;
    if (program->ops[op].kind == OR_IF)
        while (program->ops[end].kind != OR_ENDIF)
            end++;
    for (uint32_t i = 0; i < program->count; i++)
        if (i != op &&
            !(end > op && (i == end || (i > op && i < end && program->ops[i].kind == OR_ELSE))))
            kept[count++] = program->ops[i];
    memcpy(program->ops, kept, count * sizeof *kept);
    program->count = count;
    return true;
}

/* One of the ways to make one operation plainer. */
static bool simplify(struct or_op *op, unsigned way) {
    const struct or_op before = *op;
    switch (way) {
    case 0: op->guard = OR_ALWAYS, op->negated = false; break;
    case 1: op->block_stride = 0; break;
    case 2: op->warp_stride = 0; break;
    case 3: op->lane_stride = 0; break;
    case 4: op->base = op->kind >= OR_INIT ? op->base : 0; break;
    case 5: op->generic = false; break;
    case 6: op->scope = op->kind == OR_MEMBAR ? op->scope : OR_WEAK; break;
    case 7: op->how = 0; break;
    case 8: op->value = OR_CONSTANT; break;
    case 9: op->bytes = op->bytes > 4 ? op->bytes / 2 : 4; break;
    default: return false;
    }
    return memcmp(&before, op, sizeof before) != 0;
}

static bool make_smaller(struct or_bench *bench, struct or_program *program,
                         enum or_outcome outcome) {
    const struct {
        uint32_t blocks, threads, order;
    } sizes[] = {{1, program->threads, program->order}, {2, program->threads, program->order},
                 {program->blocks, 32, program->order}, {program->blocks, 64, program->order},
                 {program->blocks, 8, program->order},  {program->blocks, 2, program->order},
                 {program->blocks, program->threads, 0}};
    for (uint32_t i = 0; i < program->count; i++) {
        struct or_program smaller = *program;
        if (drop(&smaller, i) && still(bench, &smaller, outcome)) {
            *program = smaller;
            return true;
        }
    }
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct or_program smaller = *program;
        smaller.blocks = sizes[i].blocks;
        smaller.threads = sizes[i].threads;
        smaller.order = sizes[i].order;
        if (smaller.blocks <= program->blocks && smaller.threads <= program->threads &&
            memcmp(&smaller, program, sizeof smaller) != 0 && still(bench, &smaller, outcome)) {
            *program = smaller;
            return true;
        }
    }
    for (uint32_t i = 0; i < program->count; i++)
        for (unsigned way = 0; way < 10; way++) {
            struct or_program smaller = *program;
            if (simplify(&smaller.ops[i], way) && still(bench, &smaller, outcome)) {
                *program = smaller;
                return true;
            }
        }
    return false;
}

void or_shrink(struct or_bench *bench, struct or_program *program, enum or_outcome outcome) {
    for (unsigned i = 0; i < 500 && make_smaller(bench, program, outcome); i++)
        ;
}
