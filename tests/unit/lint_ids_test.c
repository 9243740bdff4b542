/*
 * lint_ids_test.c - tests/lint: sources with unsafe scheduling fields, each with what the checker
 * must find, in order, as ids and places:
 *
 *     // expect: L001 3:25
 *
 * Ids that no source can give are tried on words. Every row of lint.def must be met. Also hostile
 * programs: random fields, random words, branches everywhere.
 */
#include "cubin_util.h"
#include "lint_util.h"

#include <dirent.h>

static const char *const ids[] = {
#define DIAGNOSTIC(name, id, severity, text) id,
#include "lint.def"
#undef DIAGNOSTIC
};
enum { IDS = sizeof ids / sizeof ids[0] };
static bool seen[IDS];

struct heard {
    char text[2048];
    size_t used;
};

static void hear(void *user, const fhec_diagnostic *d) {
    struct heard *h = user;
    h->used += (size_t)snprintf(h->text + h->used, sizeof h->text - h->used, "%s %u:%u\n", d->id,
                                d->at.line, d->at.column);
    assert_true(h->used < sizeof h->text);
    for (unsigned i = 0; i < IDS; i++)
        seen[i] |= strcmp(ids[i], d->id) == 0;
    assert_non_null(strstr(d->message, "kernel "));
    assert_non_null(strstr(d->message, "address 0x"));
    assert_null(strchr(d->message, '%'));
    assert_true(d->note_count >= 1);
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static unsigned check_file(const char *name) {
    char path[300], wanted[2048] = "";
    snprintf(path, sizeof path, "tests/lint/%s", name);
    char *text = read_file(path);
    for (const char *line = text; strncmp(line, "// expect: ", 11) == 0;
         line = strchr(line, '\n') + 1)
        strncat(wanted, line + 11, strcspn(line + 11, "\n") + 1);
    assert_true(*wanted);
    fhec_program *program;
    struct heard heard = {.used = 0};
    assert_int_equal(fhec_assemble(name, text, strlen(text), NULL, &program), FHEC_OK);
    fhec_status status = fhec_lint(program, hear, &heard);
    bool wrong = status != FHEC_DIFFERS || strcmp(heard.text, wanted) != 0;
    if (wrong)
        print_message("%s:\n--- wanted\n%s--- got\n%s---\n", name, wanted, heard.text);
    assert_int_equal(fhec_lint(program, NULL, NULL), FHEC_DIFFERS);
    fhec_program_free(program);
    free(text);
    return wrong;
}

static void files_are_judged_as_they_say(void **state) {
    (void)state;
    DIR *folder = opendir("tests/lint");
    assert_non_null(folder);
    unsigned files = 0, wrong = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".sass"))
            continue;
        files++;
        wrong += check_file(entry->d_name);
    }
    closedir(folder);
    assert_int_equal(wrong, 0);
    assert_true(files >= 14);
}

/* Runs the checker on three words: `word` stands between two that are in order. */
static void expect_of_word(fhec_word word, const char *wanted) {
    static const char text[] = ".target sm_80\n.kernel k\n NOP ;\n NOP ;\n EXIT ;\n.end\n";
    fhec_program *program;
    struct heard heard = {.used = 0};
    assert_int_equal(fhec_assemble("words", text, strlen(text), NULL, &program), FHEC_OK);
    program->kernels[0].words[1] = word;
    assert_int_equal(fhec_lint(program, hear, &heard), FHEC_DIFFERS);
    assert_string_equal(heard.text, wanted);
    fhec_program_free(program);
}

static void words_that_no_source_gives(void **state) {
    (void)state;
    /* MOV R0, 0x3 with stall 5, no yield, read barrier 6, then with write barrier 6, and with a
     * reuse flag for the operand A that it does not have. */
    const uint64_t mov = 0x0000000300007802,
                   fields = 0x0f00 | UINT64_C(1) << 45 | UINT64_C(5) << 41;
    expect_of_word((fhec_word){mov, fields | UINT64_C(7) << 46 | UINT64_C(6) << 49}, "L011 4:2\n");
    expect_of_word((fhec_word){mov, fields | UINT64_C(6) << 46 | UINT64_C(7) << 49}, "L011 4:2\n");
    expect_of_word((fhec_word){mov, fields | UINT64_C(077) << 46 | UINT64_C(1) << 58},
                   "L022 4:2\n");
    expect_of_word((fhec_word){UINT64_MAX, UINT64_MAX}, "L030 4:2\n");
}

static void every_id_was_met(void **state) {
    (void)state;
    for (unsigned i = 0; i < IDS; i++) {
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(ids[i], ids[k]);
        if (!seen[i])
            fail_msg("nothing gives %s", ids[i]);
    }
}

/* Words of compiled code with bits flipped, in any order: whatever they are, the checker ends. */
static void hostile_words(void **state) {
    (void)state;
    fhec_program *program = cubin_program("control.O1.cubin");
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t random = seed;
        for (uint32_t k = 0; k < program->kernel_count; k++) {
            struct fh_kernel *kernel = &program->kernels[k];
            for (uint32_t i = 0; i < kernel->word_count; i++) {
                uint32_t from = (uint32_t)(cubin_random(&random) % kernel->word_count);
                fhec_word word = kernel->words[from];
                word.hi ^= cubin_random(&random) & cubin_random(&random) & UINT64_C(0x1fffff) << 41;
                if (cubin_random(&random) % 8 == 0)
                    word.lo ^= UINT64_C(1) << cubin_random(&random) % 64;
                kernel->words[i] = word;
            }
        }
        fhec_status status = fhec_lint(program, NULL, NULL);
        if (status != FHEC_DIFFERS)
            fail_msg("seed %llu: status %d", (unsigned long long)seed, (int)status);
    }
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_judged_as_they_say),
        cmocka_unit_test(words_that_no_source_gives),
        cmocka_unit_test(every_id_was_met),
        cmocka_unit_test(hostile_words),
    };
    return cmocka_run_group_tests_name("lint_ids", tests, NULL, NULL);
}
