/*
 * hw_replay_test.c - the vectors of tests/hw on the emulator: the model's, which are made, written,
 * read and replayed here, and those of every file in tests/hw/vectors, which GPUs have written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <inttypes.h>

#include <cmocka.h>

#include "fhec.h"
#include "hw/hw.h"

#define FOLDER "tests/hw"

enum { SEEDS = 4, MAX_REPORTS = 20 };

/* One replay: what is compared and what came of it. */
struct replay {
    const struct hw_vectors *vectors;
    const char *name; /* of the file */
    fhec_engine engine;
    fhec_program *programs[2]; /* of the compiler, of silicon.sass */
    unsigned rows, differ;
    uint64_t ulps; /* the most that a row with a bound was off */
};

/* ---------------------------------------------------------------- running a kernel */

static void hear(void *user, const fhec_diagnostic *d) {
    (void)user;
    if (d->severity == FHEC_ERROR)
        print_error("%s: %s\n", d->id, d->message);
}

static uint8_t *bytes_of(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    enum { MOST = 1 << 21 };
    uint8_t *bytes = malloc(MOST);
    assert_non_null(bytes);
    *length = fread(bytes, 1, MOST, file);
    assert_true(feof(file));
    fclose(file);
    return bytes;
}

/* silicon.sass by way of an object file, as a driver gets it. */
static fhec_program *assembled(const char *path) {
    size_t length, object_length;
    uint8_t *text = bytes_of(path, &length), *object;
    fhec_program *source, *program;
    fhec_assemble_options options = {.diagnostic = hear};
    assert_int_equal(fhec_assemble(path, (char *)text, length, &options, &source), FHEC_OK);
    assert_int_equal(fhec_program_write(source, &object, &object_length), FHEC_OK);
    assert_int_equal(fhec_program_read(path, object, object_length, hear, NULL, &program), FHEC_OK);
    fhec_program_free(source);
    free(object);
    free(text);
    return program;
}

static void load(struct replay *r) {
    size_t length;
    uint8_t *bytes = bytes_of(FOLDER "/kernels.cubin", &length);
    assert_int_equal(fhec_program_read("kernels.cubin", bytes, length, hear, NULL, &r->programs[0]),
                     FHEC_OK);
    free(bytes);
    r->programs[1] = assembled(FOLDER "/silicon.sass");
}

static void unload(struct replay *r) {
    fhec_program_free(r->programs[0]);
    fhec_program_free(r->programs[1]);
}

/* Runs the family's kernel. `out` has count * HW_ELEMENTS words. */
static void run(const struct replay *r, const struct hw_family *family, size_t kernel,
                const uint64_t *operands, uint64_t *out) {
    fhec_machine_options options = {.engine = r->engine, .threads = 1};
    fhec_machine *m;
    struct {
        uint64_t out, in;
        uint32_t n, none;
    } params = {.n = HW_ELEMENTS};
    size_t in_bytes = HW_ELEMENTS * HW_OPERANDS * 8, out_bytes = HW_ELEMENTS * family->count * 8;
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "in", in_bytes, FHEC_MEM_READ_ONLY, &params.in), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "out", out_bytes, 0, &params.out), FHEC_OK);
    assert_int_equal(fhec_write(m, params.in, operands, in_bytes), FHEC_OK);
    fhec_launch l = {.program = r->programs[family->silicon],
                     .kernel = kernel,
                     .grid = {HW_ELEMENTS / HW_BLOCK, 1, 1},
                     .block = {HW_BLOCK, 1, 1},
                     .params = &params,
                     .param_bytes = 20,
                     .max_steps = 50000000};
    fhec_status status = fhec_run(m, &l);
    if (status != FHEC_OK) {
        char text[1024] = "";
        if (status == FHEC_GUEST_FAULT)
            fhec_format_fault(fhec_machine_fault(m), text, sizeof text);
        fail_msg("kernel %s: status %d %s %s", family->kernel, (int)status, fhec_machine_error(m),
                 text);
    }
    assert_int_equal(fhec_read(m, params.out, out, out_bytes), FHEC_OK);
    fhec_machine_free(m);
}

/* ---------------------------------------------------------------- replaying */

static const struct hw_record *record_of(const struct hw_vectors *v, const struct hw_row *row) {
    for (unsigned i = 0; i < v->count; i++)
        if (v->record[i].row == row)
            return &v->record[i];
    fail_msg("no record of %s", row->name);
    return NULL;
}

static const struct hw_choice *choice_of(const struct hw_row *row) {
    const struct hw_choice *c;
    for (unsigned i = 0; (c = hw_choice(i)); i++)
        if (!strcmp(c->row, row->name))
            return c;
    return NULL;
}

static void compare(struct replay *r, const struct hw_row *row, const uint64_t *operands,
                    const uint64_t *got) {
    const struct hw_record *record = record_of(r->vectors, row);
    const struct hw_choice *choice = choice_of(row);
    unsigned wrong = 0;
    uint64_t most = 0; /* ulps */
    if (!record->results)
        return;
    r->rows++;
    for (unsigned i = 0; i < HW_ELEMENTS; i++) {
        uint64_t ulps, x = row->bytes == 4 ? (uint32_t)got[i] : got[i];
        bool agree = hw_agree(row, x, record->results[i], &ulps);
        most = ulps > most ? ulps : most;
        if (agree || wrong++)
            continue;
        const uint64_t *o = operands + HW_OPERANDS * i;
        if (r->differ < MAX_REPORTS)
            print_error("%s: seed %" PRIu64 ", row %s, element %u (%#" PRIx64 ", %#" PRIx64
                        ", %#" PRIx64 ", %#" PRIx64 ", %#" PRIx64 "): emulator %#" PRIx64
                        ", expected %#" PRIx64 "\n",
                        r->name, r->vectors->header.seed, row->name, i, o[0], o[1], o[2], o[3],
                        o[4], x, record->results[i]);
    }
    if (wrong && r->differ++ < MAX_REPORTS)
        print_error("%s: row %s: %u of %d elements differ\n", r->name, row->name, wrong,
                    HW_ELEMENTS);
    if (choice && r->vectors->header.sm)
        print_message("# %s: %s: \"%s\" is %s, %" PRIu64 " ulps apart\n", r->name, choice->page,
                      choice->text, wrong ? "wrong" : "right", most);
    if (row->kind == HW_ULP && most > r->ulps)
        r->ulps = most;
}

static void replay_family(struct replay *r, const struct hw_family *family) {
    size_t kernel;
    const fhec_program *program = r->programs[family->silicon];
    assert_int_equal(fhec_kernel_find(program, family->kernel, &kernel), FHEC_OK);
    assert_int_equal(fhec_kernel_check(program, kernel, hear, NULL), FHEC_OK);
    uint64_t operands[HW_ELEMENTS * HW_OPERANDS];
    uint64_t *out = calloc((size_t)family->count * HW_ELEMENTS, sizeof *out);
    assert_non_null(out);
    hw_operands(family, r->vectors->header.seed, operands);
    run(r, family, kernel, operands, out);
    for (unsigned row = 0; row < family->count; row++)
        compare(r, &family->rows[row], operands, out + row * HW_ELEMENTS);
    free(out);
}

/* Fails if a row differs. */
static void replay(struct replay *r) {
    const struct hw_family *family;
    load(r);
    for (unsigned f = 0; (family = hw_family(f)); f++)
        replay_family(r, family);
    unload(r);
    print_message("# %s: %u rows compared, of %s; at most %" PRIu64 " ulps apart\n", r->name,
                  r->rows, r->vectors->header.origin, r->ulps);
    if (r->differ)
        fail_msg("%s: %u of %u rows differ", r->name, r->differ, r->rows);
}

/* ---------------------------------------------------------------- the model's vectors */

static struct hw_vectors *modelled(uint64_t seed) {
    const struct hw_family *family;
    struct hw_vectors *v = hw_vectors_new(seed);
    assert_non_null(v);
    snprintf(v->header.origin, sizeof v->header.origin, "model");
    for (unsigned f = 0; (family = hw_family(f)); f++)
        assert_true(hw_take_model(v, family));
    return v;
}

static FILE *written(const struct hw_vectors *v) {
    char why[HW_TEXT];
    FILE *file = tmpfile();
    assert_non_null(file);
    if (!hw_write(v, file, why))
        fail_msg("%s", why);
    rewind(file);
    return file;
}

/* Both engines, every seed, through a file. */
static void test_model(void **state) {
    char why[HW_TEXT] = "", name[32];
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct hw_vectors *made = modelled(seed);
        FILE *file = written(made);
        struct hw_vectors *v = hw_read(file, why);
        if (!v)
            fail_msg("%s", why);
        fclose(file);
        assert_int_equal(v->count, made->count);
        for (unsigned i = 0; i < v->count; i++) {
            const struct hw_record *a = &v->record[i], *b = &made->record[i];
            assert_string_equal(a->reason, b->reason);
            assert_true(!a->results == !b->results);
            if (a->results)
                assert_memory_equal(a->results, b->results, HW_ELEMENTS * sizeof *a->results);
        }
        snprintf(name, sizeof name, "model, seed %" PRIu64, seed);
        struct replay r = {.vectors = v, .name = name, .engine = FHEC_ENGINE_FAST};
        replay(&r);
        if (seed == 1) {
            struct replay slow = {.vectors = v, .name = name, .engine = FHEC_ENGINE_REF};
            replay(&slow);
        }
        hw_vectors_free(v);
        hw_vectors_free(made);
    }
}

/* ---------------------------------------------------------------- the files of GPUs */

static void replay_file(const char *path) {
    char why[HW_TEXT] = "";
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    struct hw_vectors *v = hw_read(file, why);
    if (!v)
        fail_msg("%s: %s", path, why);
    fclose(file);
    struct replay r = {.vectors = v, .name = path, .engine = FHEC_ENGINE_FAST};
    replay(&r);
    hw_vectors_free(v);
}

static void test_files(void **state) {
    (void)state;
    unsigned files = 0;
    DIR *folder = opendir(FOLDER "/vectors");
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        char path[512];
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".hwv") != 0)
            continue;
        snprintf(path, sizeof path, FOLDER "/vectors/%s", entry->d_name);
        replay_file(path);
        files++;
    }
    if (folder)
        closedir(folder);
    print_message("# %u files of GPUs\n", files);
    if (!files)
        skip();
}

/* The file that the command line names. */
static void test_named(void **state) {
    replay_file(*state);
}

/* Silicon's rows have no model; here they run, on both engines, with one result. */
static void test_engines(void **state) {
    const struct hw_family *family;
    struct hw_vectors *v = hw_vectors_new(5);
    struct replay fast = {.vectors = v, .engine = FHEC_ENGINE_FAST};
    (void)state;
    assert_non_null(v);
    load(&fast);
    struct replay ref = fast;
    ref.engine = FHEC_ENGINE_REF;
    for (unsigned f = 0; (family = hw_family(f)); f++) {
        if (!family->silicon)
            continue;
        size_t kernel;
        uint64_t operands[HW_ELEMENTS * HW_OPERANDS], one[HW_ELEMENTS], other[HW_ELEMENTS];
        assert_int_equal(fhec_kernel_find(fast.programs[1], family->kernel, &kernel), FHEC_OK);
        assert_int_equal(fhec_kernel_check(fast.programs[1], kernel, hear, NULL), FHEC_OK);
        hw_operands(family, 5, operands);
        run(&fast, family, kernel, operands, one);
        run(&ref, family, kernel, operands, other);
        for (unsigned i = 0; i < HW_ELEMENTS; i++)
            if (one[i] != other[i])
                fail_msg("seed 5, %s, element %u: fast %#" PRIx64 ", ref %#" PRIx64, family->kernel,
                         i, one[i], other[i]);
    }
    unload(&fast);
    hw_vectors_free(v);
}

/* ---------------------------------------------------------------- files and comparison */

/* Writes the model's file, changes it, and reads it: why it is refused. */
static void test_bad_files(void **state) {
    static const struct {
        const char *find, *put, *why; /* put NULL: the file ends there */
    } cases[] = {
        {"fhec-hw 1", "fhec-hw 2", "it does not begin with"},
        {"elements 256", "elements 255", "another number of elements"},
        {"origin model", "\nrigin model", "a line of the header is wrong"},
        {"row sub 4", NULL, "it ends before its last line"},
        {"row sub 4", "row sub 8", "another width in the row sub"},
        {"row sub 4", "row suc 4", "a row that there is not: suc"},
        {"row sub 4", "row add 4", "a row twice: add"},
        {"row sub 4", "raw sub 4", "no row: raw sub 4"},
        {"seed 3", "seed 4", "its bytes are not those that were written"},
        {"end ", NULL, "it ends before its last line"},
    };
    struct hw_vectors *made = modelled(3);
    FILE *file = written(made);
    (void)state;
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t length = (size_t)ftell(file);
    char *bytes = malloc(length), *changed = malloc(length), why[HW_TEXT];
    assert_true(bytes && changed);
    rewind(file);
    assert_int_equal(fread(bytes, 1, length, file), length);
    fclose(file);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(changed, bytes, length);
        char *at = memmem(changed, length, cases[i].find, strlen(cases[i].find));
        assert_non_null(at);
        size_t kept = cases[i].put ? length : (size_t)(at - changed);
        if (cases[i].put)
            memcpy(at, cases[i].put, strlen(cases[i].put));
        file = fmemopen(changed, kept, "rb");
        assert_non_null(file);
        struct hw_vectors *v = hw_read(file, why);
        fclose(file);
        if (v || !strstr(why, cases[i].why))
            fail_msg("case %zu: %s, expected \"%s\"", i, v ? "read" : why, cases[i].why);
    }
    free(bytes);
    free(changed);
    hw_vectors_free(made);
}

static void test_agree(void **state) {
    static const struct {
        uint8_t bytes, kind, bound;
        uint64_t got, want;
        bool agree;
    } cases[] = {
        {4, HW_EXACT, 0, 0x7fc00000, 0x7fffffff, false},
        {4, HW_EXACT, 0, 5, 5, true},
        {4, HW_NAN, 0, 0x7fc00000, 0xffffffff, true},
        {4, HW_NAN, 0, 0x7f800000, 0x7fffffff, false},
        {4, HW_NAN, 0, 0, 0x80000000, false},
        {4, HW_ULP, 1, 0x3f800000, 0x3f800001, true},
        {4, HW_ULP, 1, 0x3f800000, 0x3f800002, false},
        {4, HW_ULP, 2, 0x80000001, 0x00000001, true},
        {4, HW_ULP, 1, 0x80000001, 0x00000001, false},
        {4, HW_NEAR, 20, 0x33000000, 0, true},
        {4, HW_NEAR, 20, 0x3f800010, 0x3f800000, false},
        {4, HW_NEAR, 20, 0x3f800008, 0x3f800000, true},
        {4, HW_NEAR, 20, 0x7f800000, 0x7f7fffff, false},
        {4, HW_HALVES, 0, 0x7e003c00, 0xffff3c00, true},
        {4, HW_HALVES, 0, 0x7c003c00, 0xffff3c00, false},
        {4, HW_HALVES, 0, 0x7e003c01, 0xffff3c00, false},
        {8, HW_ULP, 2, UINT64_C(0x3f80000200000000), UINT64_C(0x3f80000000000002), true},
        {8, HW_ULP, 2, UINT64_C(0x3f80000300000000), UINT64_C(0x3f80000000000000), false},
        {8, HW_NAN, 0, UINT64_C(0x7ff8000000000000), UINT64_C(0xfff8000000000001), true},
        {8, HW_NAN, 0, UINT64_C(0x7ff0000000000000), UINT64_C(0xfff8000000000001), false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hw_row row = {"row", cases[i].bytes, cases[i].kind, cases[i].bound, NULL};
        uint64_t ulps;
        if (hw_agree(&row, cases[i].got, cases[i].want, &ulps) != cases[i].agree)
            fail_msg("case %zu: %#" PRIx64 " and %#" PRIx64, i, cases[i].got, cases[i].want);
    }
}

/* Every choice has a row, and no two rows have one name. */
static void test_table(void **state) {
    const struct hw_choice *choice;
    struct hw_vectors *v = hw_vectors_new(0);
    (void)state;
    assert_non_null(v);
    for (unsigned i = 0; i < v->count; i++)
        for (unsigned j = 0; j < i; j++)
            if (!strcmp(v->record[i].row->name, v->record[j].row->name))
                fail_msg("two rows %s", v->record[i].row->name);
    for (unsigned c = 0; (choice = hw_choice(c)); c++) {
        unsigned i = 0;
        while (i < v->count && strcmp(v->record[i].row->name, choice->row) != 0)
            i++;
        if (i == v->count)
            fail_msg("a choice of no row: %s", choice->row);
        if (!fhec_isa_page(choice->page))
            fail_msg("a choice of no page: %s", choice->page);
    }
    hw_vectors_free(v);
}

/* With arguments: replays these files only. */
int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),     cmocka_unit_test(test_agree),
        cmocka_unit_test(test_bad_files), cmocka_unit_test(test_model),
        cmocka_unit_test(test_engines),   cmocka_unit_test(test_files),
    };
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        const struct CMUnitTest named[] = {{argv[i], test_named, NULL, NULL, argv[i]}};
        failed |= cmocka_run_group_tests_name("a file of vectors", named, NULL, NULL);
    }
    return argc > 1 ? failed
                    : cmocka_run_group_tests_name("vectors of hardware", tests, NULL, NULL);
}
