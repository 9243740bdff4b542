/*
 * main.c - isac: the compiler of the instruction description.
 *
 *     isac -o FOLDER file.isa...
 *
 * reads all files as one description, checks it, and writes the generated sources into FOLDER.
 * Exit status: 0 done, 1 the description has errors (each as file:line: message), 2 usage, 4 a
 * file cannot be read or written. With errors nothing is written.
 */
#include <stdlib.h>
#include <string.h>

#include "isac.h"

static const struct {
    const char *name;
    void (*emit)(FILE *out, struct description *d);
} outputs[] = {
    {"isa_tables.c", emit_tables}, {"isa_names.h", emit_names},  {"handlers.h", emit_handlers},
    {"lane_ref.inc", emit_ref},    {"lane_fast.inc", emit_fast}, {"isa_book.c", emit_book_c},
    {"ISA.md", emit_book_md},      {"isa.json", emit_json},
};

enum { OUTPUTS = sizeof outputs / sizeof *outputs };

/* Replaces each line "@@LINE@@" by a #line directive that names the generated file again. */
static bool write_output(const char *folder, const char *name, const char *text) {
    FILE *out = open_output(folder, name);
    int line = 1;
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (n == 8 && memcmp(text, "@@LINE@@", 8) == 0)
            write_line_directive(out, (struct at){name, line + 1});
        else
            fprintf(out, "%.*s\n", (int)n, text);
        line++;
        text += n + (text[n] == '\n');
    }
    return close_output(out);
}

/* Everything is made in memory first: emitting still finds errors. */
static int write_all(struct description *d, const char *folder) {
    char *text[OUTPUTS] = {NULL};
    for (size_t i = 0; i < OUTPUTS; i++) {
        size_t size;
        FILE *out = open_memstream(&text[i], &size);
        if (!out) {
            fputs("isac: out of memory\n", stderr);
            return 4;
        }
        outputs[i].emit(out, d);
        fclose(out);
    }
    if (error_count)
        return 1;
    for (size_t i = 0; i < OUTPUTS; i++)
        if (!write_output(folder, outputs[i].name, text[i]))
            return 4;
    return 0;
}

int main(int argc, char **argv) {
    struct description d = {0};
    if (argc < 4 || strcmp(argv[1], "-o") != 0) {
        fputs("usage: isac -o FOLDER file.isa...\n", stderr);
        return 2;
    }
    for (int i = 3; i < argc; i++)
        if (!parse_file(&d, argv[i]))
            return 4;
    resolve(&d);
    check_description(&d);
    if (error_count)
        return 1;
    return write_all(&d, argv[2]);
}
