/*
 * asm_reject_test.c - tests/reject: wrong sources, each with the diagnostics that it must give, in
 * order, as ids and places:
 *
 *     // expect: E014 3:5          // expect: E010 5:3 x100
 *     // define: NAME=VALUE
 *
 * Every row of diagnostics.def must be expected by some file.
 */
#include "asm_util.h"

#include <dirent.h>

static const char folder[] = "tests/reject";

static char *read_file(const char *name, size_t *length) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    (void)fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    *length = fread(text, 1, (size_t)size, file);
    text[*length] = '\0';
    fclose(file);
    return text;
}

static fhec_status include_file(void *user, const char *name, const char *from, char **text,
                                size_t *length) {
    (void)user;
    (void)from;
    *text = read_file(name, length);
    return *text ? FHEC_OK : FHEC_BAD_INPUT;
}

/* What a file says in its leading comments: wanted diagnostics, one a line, and -D's. */
struct wanted {
    char text[8192];
    const char *defines[4];
    char define_text[4][64];
    size_t define_count;
};

static void read_wanted(const char *name, const char *source, struct wanted *w) {
    char id[8], place[16];
    unsigned times;
    size_t used = 0;
    *w = (struct wanted){.text = ""};
    for (const char *line = source; strncmp(line, "// ", 3) == 0; line = strchr(line, '\n') + 1) {
        times = 1;
        if (sscanf(line, "// expect: %7s %15s x%u", id, place, &times) >= 2) {
            for (unsigned i = 0; i < times; i++)
                used +=
                    (size_t)snprintf(w->text + used, sizeof w->text - used, "%s %s\n", id, place);
        } else if (sscanf(line, "// define: %63s", w->define_text[w->define_count]) == 1) {
            w->defines[w->define_count] = w->define_text[w->define_count];
            w->define_count++;
        } else {
            fail_msg("%s: what is \"%.60s\"?", name, line);
        }
    }
    if (used == 0)
        fail_msg("%s expects nothing", name);
}

static struct said said;
static bool seen[FH_D_COUNT];

static void hear_all(void *user, const fhec_diagnostic *d) {
    hear(user, d);
    for (unsigned i = 0; i < FH_D_COUNT; i++)
        if (strcmp(fh_diagnostic_id(i), d->id) == 0)
            seen[i] = true;
    /* Whatever is said can be printed in both ways. */
    char text[4096];
    size_t n = fhec_format_diagnostic(d, true, text, sizeof text);
    assert_true(n > 20 && strstr(text, d->id));
    n = fhec_format_diagnostic_json(d, text, sizeof text);
    assert_true(n > 20 && text[0] == '{' && (n >= sizeof text || text[n - 1] == '}'));
}

/* Returns how many files disagree (0 or 1). */
static unsigned check_file(const char *name) {
    static struct wanted w;
    size_t length;
    char *source = read_file(name, &length);
    assert_non_null(source);
    read_wanted(name, source, &w);
    fhec_assemble_options options = {.diagnostic = hear_all,
                                     .include = include_file,
                                     .user = &said,
                                     .defines = w.defines,
                                     .define_count = w.define_count};
    fhec_program *program;
    said.count = 0;
    fhec_status status = fhec_assemble(name, source, length, &options, &program);
    char got[8192] = "";
    size_t used = 0;
    bool errors = false;
    for (size_t i = 0; i < said.count; i++) {
        used += (size_t)snprintf(got + used, sizeof got - used, "%s %u:%u\n", said.d[i].id,
                                 said.d[i].line, said.d[i].column);
        errors |= said.d[i].severity == FHEC_ERROR;
    }
    unsigned wrong = strcmp(got, w.text) != 0 || (status == FHEC_OK) == errors ||
                     (status == FHEC_OK) != (program != NULL);
    if (wrong) {
        print_message("%s: status %d\n--- wanted\n%s--- got\n%s---\n", name, (int)status, w.text,
                      got);
        for (size_t i = 0; i < said.count && i < 8; i++)
            print_message("    %s: %s\n", said.d[i].id, said.d[i].message);
    }
    fhec_program_free(program);
    free(source);
    return wrong;
}

static void every_file_is_rejected_as_it_says(void **state) {
    (void)state;
    DIR *directory = opendir(folder);
    if (!directory)
        fail_msg("no folder %s: run this from the repository's root", folder);
    unsigned files = 0, wrong = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".sass") != 0)
            continue;
        files++;
        wrong += check_file(entry->d_name);
    }
    closedir(directory);
    print_message("# %u files\n", files);
    assert_int_equal(wrong, 0);
    assert_true(files > 0);
}

static void every_diagnostic_has_a_file(void **state) {
    (void)state;
    unsigned missing = 0;
    for (unsigned i = 0; i < FH_D_COUNT; i++) {
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(fh_diagnostic_id(i), fh_diagnostic_id(k));
        if (!seen[i]) {
            print_message("no file of %s gives %s\n", folder, fh_diagnostic_id(i));
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_rejected_as_it_says),
        cmocka_unit_test(every_diagnostic_has_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
