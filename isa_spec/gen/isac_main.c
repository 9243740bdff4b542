/*
 * isac_main.c - isac: the compiler of the instruction description.
 *
 *     isac -o FOLDER file.isa... [--own file.isa...]
 *
 * reads all files as one description, checks it, and writes the generated sources into FOLDER,
 * those that are there already only if they are different now. The files after --own are
 * instructions that somebody adds: they come last in every numbering, so that nothing changes for
 * the others. Exit status: 0 done, 1 the description has errors (each as file:line: message), 2
 * usage, 4 a file cannot be read or written. With errors nothing is written.
 */
#include <stdlib.h>
#include <string.h>

#include "isac.h"

static const struct {
    const char *name;
    void (*emit)(FILE *out, struct description *d);
} outputs[] = {
    {"isa_tables.c", emit_tables},     {"isa_names.h", emit_names},
    {"handlers.h", emit_handlers},     {"ref_table.c", emit_ref_table},
    {"fast_table.c", emit_fast_table}, {"isa_book.c", emit_book_c},
    {"ISA.md", emit_book_md},          {"isa.json", emit_json},
};

enum { OUTPUTS = sizeof outputs / sizeof *outputs };

/* A generated file, made in memory first: emitting still finds errors. */
struct output {
    const char *name;
    char *text;
    size_t size;
};

static FILE *begin(struct output *o, const char *name) {
    *o = (struct output){.name = name};
    return must(open_memstream(&o->text, &o->size));
}

/* Replaces each line "@@LINE@@" by a #line directive that names the generated file again. */
static void restore_lines(struct output *o) {
    struct output from = *o;
    FILE *out = begin(o, from.name);
    int line = 1;
    for (const char *text = from.text; *text; line++) {
        size_t n = strcspn(text, "\n");
        if (n == 8 && memcmp(text, "@@LINE@@", 8) == 0)
            write_line_directive(out, (struct at){o->name, line + 1});
        else
            fprintf(out, "%.*s\n", (int)n, text);
        text += n + (text[n] == '\n');
    }
    fclose(out);
}

static int write_all(struct description *d, const char *folder) {
    struct output *all = NULL;
    size_t n = 0;
    for (size_t i = 0; i < OUTPUTS + 2 * d->shard_count; i++) {
        all = more(all, n, sizeof *all);
        struct output *o = &all[n++];
        const struct shard *shard = i < OUTPUTS ? NULL : d->shards[(i - OUTPUTS) / 2];
        bool fast = shard && (i - OUTPUTS) % 2;
        FILE *out = begin(o, !shard ? outputs[i].name
                                    : print(fast ? "fast_%s.c" : "ref_%s.c", shard->name));
        if (!shard)
            outputs[i].emit(out, d);
        else if (fast)
            emit_fast(out, d, shard);
        else
            emit_ref(out, d, shard);
        fclose(out);
        restore_lines(o);
    }
    if (error_count)
        return 1;
    for (size_t i = 0; i < n; i++)
        if (!write_output(folder, all[i].name, all[i].text))
            return 4;
    return 0;
}

int main(int argc, char **argv) {
    struct description d = {0};
    if (argc < 4 || strcmp(argv[1], "-o") != 0) {
        fputs("usage: isac -o FOLDER file.isa... [--own file.isa...]\n", stderr);
        return 2;
    }
    bool own = false;
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--own") == 0)
            own = true;
        else if (!parse_file(&d, argv[i], own))
            return 4;
    }
    resolve(&d);
    check_description(&d);
    if (error_count)
        return 1;
    return write_all(&d, argv[2]);
}
