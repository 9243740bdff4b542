/*
 * cubin_util.c - compiled kernels against their references: files, data, launches, comparison.
 */
#include "cubin_util.h"

#include <inttypes.h>

#include "checkers.h"

/* The checkers that look at all kernels, once each. */
enum {
    CHECKED = FH_CHECK_BIT(FH_CHECK_INIT) | FH_CHECK_BIT(FH_CHECK_RACE) |
              FH_CHECK_BIT(FH_CHECK_SYNC) | FH_CHECK_BIT(FH_CHECK_ASYNC) |
              FH_CHECK_BIT(FH_CHECK_BOUNDS) | FH_CHECK_BIT(FH_CHECK_OPERANDS) |
              FH_CHECK_BIT(FH_CHECK_FRAGMENTS) | FH_CHECK_BIT(FH_CHECK_LEAKS)
};

uint64_t cubin_random(uint64_t *seed) { /* splitmix64 */
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t cubin_hostile(uint64_t *seed) {
    uint64_t x = cubin_random(seed), kind = x >> 60;
    unsigned shift = (unsigned)(x & 63);
    switch (kind) {
    case 0: return 0;
    case 1: return UINT64_MAX;
    case 2: return UINT64_C(1) << shift;
    case 3: return (UINT64_C(1) << shift) - 1;
    case 4: return 0 - (UINT64_C(1) << shift);
    case 5: return x >> 8 & 15;
    case 6: return (x >> 8 & 3) << 32 | 0x80000000u >> (x & 1);
    default: return cubin_random(seed) >> (kind == 7 ? shift : 0);
    }
}

void cubin_fill(uint64_t *seed, void *to, size_t bytes) {
    uint8_t *p = to;
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t x = cubin_hostile(seed);
        memcpy(p + i, &x, bytes - i < 8 ? bytes - i : 8);
    }
}

uint32_t cubin_u32(const uint8_t *bytes, size_t i) {
    uint32_t x;
    memcpy(&x, bytes + 4 * i, 4);
    return x;
}

uint64_t cubin_u64(const uint8_t *bytes, size_t i) {
    uint64_t x;
    memcpy(&x, bytes + 8 * i, 8);
    return x;
}

void cubin_put(struct cubin_case *c, size_t i, uint64_t x) {
    uint32_t word = (uint32_t)x;
    memcpy(c->want + 4 * i, &word, 4);
}

void cubin_put64(struct cubin_case *c, size_t i, uint64_t x) {
    memcpy(c->want + 8 * i, &x, 8);
}

uint8_t *cubin_bytes(const char *name, size_t *length) {
    char path[512];
    const char *folder = getenv("FHEC_CUBINS"); /* compiled for another machine */
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "tests/cuda", name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    uint8_t *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *length = fread(bytes, 1, 1 << 20, file);
    assert_true(feof(file));
    fclose(file);
    return bytes;
}

static void hear(void *user, const fhec_diagnostic *d) {
    (void)user;
    if (d->severity == FHEC_ERROR)
        fail_msg("%s: %s", d->id, d->message);
}

fhec_program *cubin_program(const char *name) {
    size_t length;
    fhec_program *program;
    uint8_t *bytes = cubin_bytes(name, &length);
    assert_int_equal(fhec_program_read(name, bytes, length, hear, NULL, &program), FHEC_OK);
    free(bytes);
    return program;
}

static void hear_in(void *user, const fhec_diagnostic *d) {
    if (d->severity == FHEC_ERROR)
        fail_msg("%s, line %u of its text: %s: %s", (const char *)user, d->at.line, d->id,
                 d->message);
}

char *cubin_text(const fhec_program *program, unsigned flags, const char *name) {
    char *text;
    size_t length;
    assert_int_equal(
        fhec_disassemble_program(program, flags, hear_in, (void *)(uintptr_t)name, &text, &length),
        FHEC_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

/* Frees the text. */
static fhec_program *assembled(char *text, const char *name) {
    fhec_assemble_options options = {.diagnostic = hear_in, .user = (void *)(uintptr_t)name};
    fhec_program *program;
    assert_int_equal(fhec_assemble(name, text, strlen(text), &options, &program), FHEC_OK);
    free(text);
    return program;
}

fhec_program *cubin_again(const fhec_program *program, const char *name) {
    fhec_program *source, *again;
    uint8_t *bytes;
    size_t length;
    source = assembled(cubin_text(program, FHEC_DIS_CONTROL | FHEC_DIS_LINES, name), name);
    assert_int_equal(fhec_program_write(source, &bytes, &length), FHEC_OK);
    assert_int_equal(fhec_program_read(name, bytes, length, hear, NULL, &again), FHEC_OK);
    fhec_program_free(source);
    free(bytes);
    return again;
}

/* Three instructions in front of each that loads a special register or a constant, and of every
 * call: they are nearly everywhere. */
fhec_program *cubin_edited(const fhec_program *program, const char *name) {
    static const char more[] = "    NOP ;\n    NOP ;\n    NOP ;\n";
    char *text = cubin_text(program, 0, name), *edited = malloc(2 * strlen(text) + 1), *to = edited;
    unsigned added = 0;
    assert_non_null(edited);
    for (char *line = text, *end; *line; line = end) {
        end = strchr(line, '\n') + 1;
        bool here = strncmp(line, "    S2R", 7) == 0 || strncmp(line, "    ULDC", 8) == 0 ||
                    strncmp(line, "    CALL", 8) == 0;
        if (here && ++added)
            to = memcpy(to, more, sizeof more - 1), to += sizeof more - 1;
        memcpy(to, line, (size_t)(end - line));
        to += end - line;
    }
    *to = '\0';
    assert_true(added >= fhec_kernel_count(program));
    free(text);
    return assembled(edited, name);
}

/* ---------------------------------------------------------------- running */

struct run {
    const struct cubin_kernel *kernel;
    const fhec_program *program;
    const char *file;
    size_t index;
    fhec_engine engine;
    unsigned checks; /* FH_CHECK_BITs of the checkers that look for findings */
    bool shuffled;   /* warps in a pseudo-random order */
};

static void describe(const struct run *run, const struct cubin_case *c, char *text, size_t size) {
    snprintf(text, size, "%s %s on %s: n %u, grid %u, block %u, s 0x%" PRIx64 ", seed %" PRIu64,
             run->file, run->kernel->name, run->engine == FHEC_ENGINE_REF ? "ref" : "fast", c->n,
             c->grid, c->block, c->s, c->seed);
}

static void compare(const struct run *run, const struct cubin_case *c, const uint8_t *got) {
    char text[256];
    describe(run, c, text, sizeof text);
    for (size_t i = 0; i < c->out_bytes; i++) {
        if (got[i] == c->want[i])
            continue;
        size_t at = i / 8 * 8, rest = c->out_bytes - at < 8 ? c->out_bytes - at : 8;
        uint64_t is = 0, should = 0;
        memcpy(&is, got + at, rest);
        memcpy(&should, c->want + at, rest);
        size_t element = run->kernel->out_size ? i / run->kernel->out_size : 0;
        uint64_t operand = 0;
        size_t from = element * run->kernel->in_size;
        if (from + 8 <= c->in_bytes)
            memcpy(&operand, c->in + from, 8);
        fail_msg("%s: byte %zu (element %zu, whose input begins 0x%016" PRIx64 "): 0x%016" PRIx64
                 ", expected 0x%016" PRIx64,
                 text, i, element, operand, is, should);
    }
}

/* What compilers make has no errors. */
static void assert_nothing_found(const struct run *run, const struct cubin_case *c,
                                 struct fh_findings *findings) {
    const struct fh_finding *finding = fh_findings_get(findings, 0);
    char text[256];
    describe(run, c, text, sizeof text);
    if (finding)
        fail_msg("%s: %s: %s at pc 0x%" PRIx64 ": %s", text, fh_finding_id(finding->kind),
                 finding->message, finding->at.pc,
                 finding->source.text ? finding->source.text : "the host");
    fh_findings_free(findings);
}

/* Shared memory that the program's machine does not have: its launch is refused. */
static bool wants_too_much(const fhec_program *program, size_t index, const struct cubin_case *c) {
    fhec_kernel_info info;
    assert_int_equal(fhec_kernel_get(program, index, &info), FHEC_OK);
    return info.shared_bytes + c->dynamic_shared > fhec_program_limits(program)->block_shared;
}

static void launch(const struct run *run, const struct cubin_case *c) {
    fhec_machine_options options = {.engine = run->engine, .threads = 1};
    if (run->shuffled)
        options.order = (fhec_order){.kind = FHEC_ORDER_SEED, .seed = c->n};
    fhec_machine *m;
    uint64_t in, out;
    char text[1024];
    struct fh_findings *findings = fh_findings_new();
    struct fh_checkers *checkers;
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    assert_non_null(findings);
    assert_int_equal(fh_checkers_begin(m, run->checks, findings, &checkers), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "in", c->in_bytes, FHEC_MEM_READ_ONLY, &in), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "out", c->out_bytes, 0, &out), FHEC_OK);
    assert_int_equal(fhec_write(m, in, c->in, c->in_bytes), FHEC_OK);
    assert_int_equal(fhec_write(m, out, c->out, c->out_bytes), FHEC_OK);
    uint64_t params[4] = {out, in, c->n, c->s};
    fhec_launch l = {.program = run->program,
                     .kernel = run->index,
                     .grid = {c->grid, 1, 1},
                     .block = {c->block, 1, 1},
                     .dynamic_shared = c->dynamic_shared,
                     .stack_bytes = 4096,
                     .params = params,
                     .param_bytes = sizeof params,
                     .max_steps = 50000000};
    fhec_status status = fhec_run(m, &l);
    if (status == FHEC_GUEST_FAULT) {
        fhec_format_fault(fhec_machine_fault(m), text, sizeof text);
        print_error("%s", text);
    } else if (status != FHEC_OK) {
        print_error("%s\n", fhec_machine_error(m));
    }
    if (status == FHEC_BAD_INPUT && wants_too_much(run->program, run->index, c)) {
        fhec_machine_free(m);
        return;
    }
    if (status != FHEC_OK) {
        describe(run, c, text, sizeof text);
        fail_msg("%s: status %d", text, (int)status);
    }
    uint8_t *got = malloc(c->out_bytes);
    assert_non_null(got);
    assert_int_equal(fhec_read(m, out, got, c->out_bytes), FHEC_OK);
    compare(run, c, got);
    free(got);
    assert_int_equal(fhec_release(m, in), FHEC_OK);
    assert_int_equal(fhec_release(m, out), FHEC_OK);
    assert_int_equal(fh_checkers_end(checkers), FHEC_OK);
    assert_nothing_found(run, c, findings);
    fhec_machine_free(m);
}

static void make_case(const struct cubin_kernel *k, const uint32_t shape[3], uint64_t seed,
                      struct cubin_case *c) {
    *c = (struct cubin_case){.n = shape[0],
                             .grid = shape[1],
                             .block = shape[2],
                             .seed = seed,
                             .in_bytes = shape[0] * k->in_size + k->in_more,
                             .out_bytes = shape[0] * k->out_size + k->out_more};
    uint64_t state = seed;
    c->s = cubin_random(&state);
    c->in = malloc(c->in_bytes);
    c->out = calloc(c->out_bytes, 1);
    c->want = malloc(c->out_bytes);
    assert_true(c->in && c->out && c->want);
    cubin_fill(&state, c->in, c->in_bytes);
    if (k->prepare)
        k->prepare(c);
    memcpy(c->want, c->out, c->out_bytes);
    k->reference(c);
}

void cubin_test(void **state) {
    const struct cubin_kernel *k = *state;
    static const char *const levels[] = {"O1", "O3"};
    fhec_program *programs[6];
    char file[6][64];
    unsigned runs = 0;
    for (unsigned level = 0; level < 2; level++) {
        snprintf(file[level], sizeof file[level], "%s.%s.cubin", k->file, levels[level]);
        programs[level] = cubin_program(file[level]);
        snprintf(file[level + 2], sizeof file[level], "%s.%s.again", k->file, levels[level]);
        programs[level + 2] = cubin_again(programs[level], file[level + 2]);
        snprintf(file[level + 4], sizeof file[level], "%s.%s.edited", k->file, levels[level]);
        programs[level + 4] = cubin_edited(programs[level], file[level + 4]);
    }
    for (unsigned shape = 0; k->shapes[shape][0]; shape++) {
        for (unsigned seed = 1; seed <= k->seeds; seed++) {
            struct cubin_case c;
            make_case(k, k->shapes[shape], seed, &c);
            for (unsigned i = 0; i < 8; i++) {
                struct run run = {.kernel = k,
                                  .program = programs[i % 6],
                                  .file = file[i % 6],
                                  .checks = seed == 1 && i < 2 ? CHECKED & ~k->faulty : 0,
                                  .shuffled = seed == 1 && i == 1,
                                  .engine = i < 6 ? FHEC_ENGINE_FAST : FHEC_ENGINE_REF};
                if (i >= 2 && seed % 4 != 1)
                    continue;
                assert_int_equal(fhec_kernel_find(run.program, k->name, &run.index), FHEC_OK);
                launch(&run, &c);
                runs++;
            }
            free(c.in);
            free(c.out);
            free(c.want);
        }
    }
    for (unsigned i = 0; i < 6; i++)
        fhec_program_free(programs[i]);
    print_message("# %s: %u runs\n", k->name, runs);
}
