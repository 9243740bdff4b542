/*
 * asm_outcome_test.c - tests/outcome: each source NAME.sass, or listing NAME.txt, has beside it
 * NAME.out, all that must come of it (outcome.h). Its first line says which parts are compared:
 *
 *     // shows: text object lint
 *
 * Where the variable OUTCOME names a folder, what has come of them is written there.
 */
#include "asm_util.h"
#include "outcome.h"

#include <dirent.h>

static const char folder[] = "tests/outcome";

static char *read_file(const char *from, const char *name, const char *ending, size_t *length) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s%s", from, name, ending);
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

static void write_file(const char *to, const char *name, const char *text) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s.out", to, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static unsigned shown_parts(const char *text) {
    static const struct {
        const char *name;
        unsigned part;
    } parts[] = {{"text", OUTCOME_TEXT},   {"object", OUTCOME_OBJECT},
                 {"lint", OUTCOME_LINT},   {"plain", OUTCOME_PLAIN},
                 {"patch", OUTCOME_PATCH}, {"foreign", OUTCOME_FOREIGN}};
    unsigned shows = 0;
    char line[256] = "";
    (void)sscanf(text, "// shows: %255[a-z ]", line);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        shows |= strstr(line, parts[i].name) ? parts[i].part : 0;
    return shows;
}

static void first_difference(const char *name, const char *got, const char *wanted) {
    unsigned line = 1;
    const char *g = got, *w = wanted;
    for (; *g && *g == *w; g++, w++)
        line += *g == '\n';
    while (g > got && g[-1] != '\n')
        g--, w--;
    print_message("%s, line %u\n  is:     %.*s\n  wanted: %.*s\n", name, line,
                  (int)strcspn(g, "\n"), g, (int)strcspn(w, "\n"), w);
}

/* Whether that is what tests/outcome has under the name. Takes over `got`. */
static bool is_wanted(const char *name, char *got) {
    size_t length;
    char *wanted = read_file(folder, name, ".out", &length);
    const bool same = wanted && strcmp(got, wanted) == 0;
    if (getenv("OUTCOME"))
        write_file(getenv("OUTCOME"), name, got);
    if (!same)
        first_difference(name, got, wanted ? wanted : "");
    free(wanted);
    free(got);
    return same;
}

static bool as_wanted(const char *file) {
    char name[256];
    size_t length;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
    char *text = read_file(folder, file, "", &length);
    char *got = outcome(folder, file, text, length, shown_parts(text));
    free(text);
    return is_wanted(name, got);
}

static void sources(void **state) {
    DIR *all = opendir(folder);
    unsigned tried = 0, wrong = 0;
    (void)state;
    assert_non_null(all);
    for (const struct dirent *e; (e = readdir(all));) {
        const char *ending = strchr(e->d_name, '.');
        if (!ending || (strcmp(ending, ".sass") != 0 && strcmp(ending, ".txt") != 0))
            continue;
        tried++;
        wrong += !as_wanted(e->d_name);
    }
    closedir(all);
    print_message("# %u sources\n", tried);
    assert_true(tried > 0);
    assert_int_equal(wrong, 0);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_source(const struct dirent *e) {
    const char *ending = strrchr(e->d_name, '.');
    return ending && strcmp(ending, ".sass") == 0;
}

/* Another folder of sources, all of which have one file of outcomes. */
struct folder {
    const char *path, *wanted;
    unsigned shows;
};

static void other_folder(void **state) {
    const struct folder *other = *state;
    struct dirent **names;
    const int count = scandir(other->path, &names, is_source, by_name);
    size_t size, length;
    char *all = NULL;
    FILE *stream = open_memstream(&all, &size);
    assert_true(count > 0 && stream);
    for (int i = 0; i < count; i++) {
        const char *name = names[i]->d_name;
        char *text = read_file(other->path, name, "", &length);
        char *got = outcome(other->path, name, text, length, other->shows);
        fprintf(stream, "==== %s\n%s", name, got);
        free(got);
        free(text);
        free(names[i]);
    }
    free(names);
    fclose(stream);
    assert_true(is_wanted(other->wanted, all));
}

/* What compilers have made: lines, names, records and addresses of their objects. */
static void objects(void **state) {
    static const struct {
        const char *folder, *name;
        unsigned shows;
    } all[] = {
        {"tests/cuda", "names", OUTCOME_TEXT | OUTCOME_OBJECT},
        {"tests/cuda", "linked", OUTCOME_TEXT},
        {"tests/cuda", "bits.O1", OUTCOME_TEXT},
        {"tests/cuda", "lanes.O3", OUTCOME_TEXT},
        {"tests/cuda", "stack.rdc", OUTCOME_TEXT},
        {"tests/cuda/fhec", "units.O0", OUTCOME_PATCH},
        {"tests/cuda/fhec", "units.O3", OUTCOME_PATCH},
        {"tests/cuda/fhec", "units.rdc", OUTCOME_PATCH},
    };
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t length;
        char *bytes = read_file(all[i].folder, all[i].name, ".cubin", &length);
        assert_non_null(bytes);
        wrong += !is_wanted(all[i].name, outcome_of_object(all[i].name, (const uint8_t *)bytes,
                                                           length, all[i].shows));
        free(bytes);
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    static struct folder reject = {"tests/reject", "reject", 0},
                         lint = {"tests/lint", "lint", OUTCOME_LINT};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources),
        cmocka_unit_test(objects),
        {"reject", other_folder, NULL, NULL, &reject},
        {"lint", other_folder, NULL, NULL, &lint},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
