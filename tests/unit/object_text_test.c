/*
 * object_text_test.c - a whole program as text: what a compiled object holds comes back from it, to
 * the byte, and once more from the object that the assembler writes. That it runs the same is for
 * the cubin tests. Then what cannot be written.
 */
#include "cubin_util.h"

#include "object_util.h"

static const char *const files[] = {
    "abi.O1",     "abi.O3",    "groups.O1",  "groups.O3",    "real.O1",       "real.O3",
    "bits.O1",    "bits.O3",   "control.O1", "control.O3",   "divide.O1",     "divide.O3",
    "lanes.O1",   "lanes.O3",  "linked",     "memory.O1",    "memory.O3",     "modular.O1",
    "modular.O3", "wide.O1",   "wide.O3",    "transform.O1", "transform.O3",  "stack.O1",
    "stack.O3",   "stack.rdc", "tiles.O1",   "tiles.O3",     "reconverge.O1", "reconverge.O3",
    "names"};
enum { FILES = sizeof files / sizeof *files };

static void compare_words(const char *file, const char *name, const fhec_word *a,
                          const fhec_word *b, uint32_t count) {
    for (uint32_t w = 0; w < count; w++)
        if (a[w].lo != b[w].lo || a[w].hi != b[w].hi)
            fail_msg("%s, %s: word %u is %016llx%016llx, was %016llx%016llx", file, name, w,
                     (unsigned long long)b[w].hi, (unsigned long long)b[w].lo,
                     (unsigned long long)a[w].hi, (unsigned long long)a[w].lo);
}

static void compare_entries(const struct fh_entry *a, const struct fh_entry *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(a[i].name, b[i].name);
        assert_int_equal(a[i].word, b[i].word);
        assert_int_equal(a[i].word_count, b[i].word_count);
        assert_int_equal(a[i].local_bytes, b[i].local_bytes);
    }
}

static void compare_banks(const struct fh_constant_bank *a, const struct fh_constant_bank *b,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(a[i].bank, b[i].bank);
        assert_int_equal(a[i].size, b[i].size);
        assert_memory_equal(a[i].bytes, b[i].bytes, a[i].size);
    }
}

/* The source line that each word of a kernel came from. */
static void compare_lines(const fhec_program *a, const fhec_program *b, uint32_t kernel) {
    for (uint32_t w = 0; w < a->kernels[kernel].word_count; w++) {
        fhec_location x = fhec_kernel_location(a, kernel, w),
                      y = fhec_kernel_location(b, kernel, w);
        assert_int_equal(x.line, y.line);
        assert_int_equal(x.file == NULL, y.file == NULL);
        if (x.file)
            assert_string_equal(x.file, y.file);
    }
}

static void compare_kernel(const char *file, const struct fh_kernel *a, const struct fh_kernel *b) {
    same_resources(a, b);
    assert_int_equal(a->word_count, b->word_count);
    compare_words(file, a->name, a->words, b->words, a->word_count);
    assert_int_equal(a->entry_count, b->entry_count);
    compare_entries(a->entries, b->entries, a->entry_count);
    assert_int_equal(a->bank_count, b->bank_count);
    compare_banks(a->banks, b->banks, a->bank_count);
}

/* Labels that the text has for plain numbers do not count. */
static uint32_t addresses(const fhec_program *p) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->relocation_count; i++)
        count += !p->relocations[i].relative;
    return count;
}

static void compare_data(const fhec_program *a, const fhec_program *b) {
    assert_int_equal(a->bank_count, b->bank_count);
    compare_banks(a->banks, b->banks, a->bank_count);
    assert_int_equal(a->segment_count, b->segment_count);
    for (uint32_t i = 0; i < a->segment_count; i++) {
        /* what has no bytes may come last */
        const struct fh_data_segment *s = &a->segments[i], *t = b->segments;
        while (strcmp(s->name, t->name) != 0)
            assert_true(++t < b->segments + b->segment_count);
        assert_int_equal(s->size, t->size);
        assert_int_equal(s->alignment, t->alignment);
        assert_int_equal(s->bytes == NULL, t->bytes == NULL);
        if (s->bytes)
            assert_memory_equal(s->bytes, t->bytes, s->size);
    }
    assert_int_equal(a->variable_count, b->variable_count);
    for (uint32_t i = 0; i < a->variable_count; i++) {
        const struct fh_variable *v = &a->variables[i], *u;
        size_t index;
        assert_int_equal(fhec_variable_find(b, v->name, &index), FHEC_OK);
        u = &b->variables[index];
        assert_int_equal(v->constant, u->constant);
        assert_int_equal(v->offset, u->offset);
        assert_int_equal(v->size, u->size);
    }
    assert_int_equal(addresses(a), addresses(b));
    assert_int_equal(a->external_count, b->external_count);
    for (uint32_t i = 0; i < a->external_count; i++) {
        uint32_t other = 0;
        while (other < b->external_count && strcmp(a->externals[i], b->externals[other]) != 0)
            other++;
        assert_true(other < b->external_count);
    }
}

static void compare_programs(const char *file, const fhec_program *a, const fhec_program *b) {
    assert_int_equal(a->kernel_count, b->kernel_count);
    for (uint32_t i = 0; i < a->kernel_count; i++) {
        compare_kernel(file, &a->kernels[i], &b->kernels[i]);
        compare_lines(a, b, i);
    }
    assert_int_equal(a->function_count, b->function_count);
    for (uint32_t i = 0; i < a->function_count; i++) {
        const struct fh_function *f = &a->functions[i], *g = &b->functions[i];
        assert_string_equal(f->name, g->name);
        assert_int_equal(f->word_count, g->word_count);
        compare_words(file, f->name, f->words, g->words, f->word_count);
        assert_int_equal(f->registers, g->registers);
        assert_int_equal(f->local_bytes, g->local_bytes);
    }
    compare_data(a, b);
}

static void compiled_objects_come_back(void **state) {
    static const unsigned flags[] = {0, FHEC_DIS_CONTROL, FHEC_DIS_LINES};
    unsigned kernels = 0, functions = 0, relocations = 0, entries = 0, frames = 0, bounds = 0;
    (void)state;
    for (size_t i = 0; i < FILES; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.cubin", files[i]);
        fhec_program *program = cubin_program(name), *again = cubin_again(program, name);
        compare_programs(name, program, again);
        for (unsigned f = 0; f < sizeof flags / sizeof *flags; f++) {
            char *text = cubin_text(program, flags[f], name), *second;
            second = cubin_text(again, flags[f], name);
            assert_string_equal(text, second);
            free(second);
            free(text);
        }
        kernels += program->kernel_count;
        functions += program->function_count;
        relocations += program->relocation_count;
        for (uint32_t i_kernel = 0; i_kernel < program->kernel_count; i_kernel++) {
            const struct fh_kernel *k = &program->kernels[i_kernel];
            entries += k->entry_count;
            bounds += k->max_threads[0] != 0;
            for (uint32_t e = 0; e < k->entry_count; e++)
                frames += k->entries[e].local_bytes != 0;
        }
        fhec_program_free(again);
        fhec_program_free(program);
    }
    print_message("# %u kernels, %u functions, %u within kernels, %u addresses\n", kernels,
                  functions, entries, relocations);
    assert_true(kernels > 80 && functions == 9 && relocations > 20 && entries > 10);
    assert_true(frames > 0 && bounds >= 6);
}

struct said {
    unsigned count;
    char id[8], message[256];
};

static void hear(void *user, const fhec_diagnostic *d) {
    struct said *said = user;
    said->count++;
    snprintf(said->id, sizeof said->id, "%s", d->id);
    snprintf(said->message, sizeof said->message, "%s", d->message);
}

static void refuse(fhec_program *program, const char *part) {
    struct said said = {0};
    char *text;
    size_t length;
    assert_int_equal(fhec_disassemble_program(program, 0, hear, &said, &text, &length),
                     FHEC_BAD_INPUT);
    assert_null(text);
    assert_int_equal(length, 0);
    assert_int_equal(said.count, 1);
    assert_string_equal(said.id, "O011");
    if (!strstr(said.message, part))
        fail_msg("no \"%s\" in \"%s\"", part, said.message);
}

static fhec_program *assembled(const char *text, size_t length, struct said *said) {
    const fhec_assemble_options options = {.diagnostic = hear, .user = said};
    fhec_program *p;
    if (fhec_assemble("t", text, length, &options, &p) != FHEC_OK)
        fail_msg("%s: %s", said->id, said->message);
    return p;
}

/* What fhec does not know as an instruction comes back, too. */
static void words_without_meaning_come_back(void **state) {
    (void)state;
    static const fhec_word strange[] = {
        {UINT64_MAX, UINT64_MAX},
        {UINT64_C(0x3000580902027b60), UINT64_C(0x101f4200019e01ff)}, /* TEX */
        {UINT64_C(0x0000040400007a02), 0x08000f00},                   /* MOV R0, cx[UR4][0x10] */
        {0x721d, 0},
    };
    enum { COUNT = sizeof strange / sizeof *strange };
    static const char *const names[] = {
        ".inst 0xffffffffffffffff, 0xffffffffffffffff // no instruction that fhec knows\n",
        ".inst 0x3000580902027b60, 0x101f4200019e01ff // TEX: the texture unit",
        ".inst 0x0000040400007a02, 0x0000000008000f00 // cx: constants through",
        ".inst 0x000000000000721d, 0x0000000000000000 // PLOP3.LUT: which operands"};
    fhec_program *p = cubin_program("linked.cubin");
    struct fh_kernel *k = &p->kernels[0];
    for (unsigned i = 0; i < COUNT; i++)
        k->words[3 + i] = strange[i];
    for (unsigned flags = 0; flags <= FHEC_DIS_CONTROL; flags += FHEC_DIS_CONTROL) {
        struct said said = {0};
        char *text;
        size_t length;
        assert_int_equal(fhec_disassemble_program(p, flags, hear, &said, &text, &length), FHEC_OK);
        for (unsigned i = 0; i < COUNT; i++)
            if (!strstr(text, names[i]))
                fail_msg("no \"%s\"", names[i]);
        fhec_program *again = assembled(text, length, &said);
        assert_int_equal(said.count, 0);
        compare_words("linked", "as it is", strange + 1, again->kernels[0].words + 4, 1);
        if (flags)
            compare_words("linked", k->name, k->words, again->kernels[0].words, k->word_count);
        fhec_program_free(again);
        free(text);
    }
    fhec_program_free(p);
}

/* Behind a parameter that cannot be written stands the next one, which says where it is. */
static void parameters_behind_it(fhec_program *p) {
    struct fh_param *params = p->kernels[0].params;
    struct said said = {0};
    char *const name = params[0].name, *text, line[80];
    size_t length;
    snprintf(line, sizeof line, "\n.param %s, %u, 1, 8\n", params[1].name, params[1].size);
    params[0].name = (char *)(uintptr_t) "two words";
    assert_int_equal(fhec_disassemble_program(p, FHEC_DIS_PARTIAL, hear, &said, &text, &length),
                     FHEC_OK);
    params[0].name = name;
    assert_int_equal(said.count, 1);
    assert_non_null(strstr(text, line));
    free(text);
}

static void what_cannot_be_written_is_said(void **state) {
    (void)state;
    fhec_program *p = cubin_program("linked.cubin");
    struct fh_kernel *k = &p->kernels[0];
    char *name = p->variables[0].name;
    p->variables[0].name = (char *)(uintptr_t) "two words";
    refuse(p, "`two words` cannot be a name");
    p->variables[0].name = (char *)(uintptr_t) "UR07.x";
    refuse(p, "`UR07.x` is the machine's own name");
    p->variables[0].name = name;
    k->params[1].offset = 4;
    refuse(p, "the parameters of linked overlap");
    k->params[1].offset = 8;
    parameters_behind_it(p);
    uint32_t variables = p->variable_count;
    p->variable_count = 0;
    struct said said = {0};
    char *text;
    size_t length;
    assert_int_equal(fhec_disassemble_program(p, 0, hear, &said, &text, &length), FHEC_BAD_INPUT);
    assert_non_null(strstr(said.message, "data without a name"));
    p->variable_count = variables;
    fhec_program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiled_objects_come_back),
        cmocka_unit_test(words_without_meaning_come_back),
        cmocka_unit_test(what_cannot_be_written_is_said),
    };
    return cmocka_run_group_tests_name("programs as text", tests, NULL, NULL);
}
