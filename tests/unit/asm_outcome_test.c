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
    char *text = calloc(1, 1 << 18);
    assert_non_null(text);
    *length = fread(text, 1, (1 << 18) - 1, file);
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
    } parts[] = {{"text", OUTCOME_TEXT},
                 {"object", OUTCOME_OBJECT},
                 {"lint", OUTCOME_LINT},
                 {"plain", OUTCOME_PLAIN}};
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

static bool as_wanted(const char *file) {
    char name[256];
    size_t length, all;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
    char *text = read_file(folder, file, "", &length);
    char *wanted = read_file(folder, name, ".out", &all);
    char *got = outcome(folder, file, text, length, shown_parts(text));
    const char *to = getenv("OUTCOME");
    if (to)
        write_file(to, name, got);
    const bool same = wanted && strcmp(got, wanted) == 0;
    if (!same)
        first_difference(file, got, wanted ? wanted : "");
    free(text);
    free(wanted);
    free(got);
    return same;
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
    char *all = NULL, *wanted = read_file(folder, other->wanted, ".out", &size);
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
    if (getenv("OUTCOME"))
        write_file(getenv("OUTCOME"), other->wanted, all);
    const bool same = wanted && strcmp(all, wanted) == 0;
    if (!same)
        first_difference(other->path, all, wanted ? wanted : "");
    free(all);
    free(wanted);
    assert_true(same);
}

int main(void) {
    static struct folder reject = {"tests/reject", "reject", 0},
                         lint = {"tests/lint", "lint", OUTCOME_LINT};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources),
        {"reject", other_folder, NULL, NULL, &reject},
        {"lint", other_folder, NULL, NULL, &lint},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
