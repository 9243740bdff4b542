/* asm_util.c - see asm_util.h. */
#include "asm_util.h"

static void keep(char *to, size_t size, const char *from) {
    (void)snprintf(to, size, "%s", from ? from : "");
}

void hear(void *user, const fhec_diagnostic *d) {
    struct said *said = user;
    if (said->count == MAX_SAID)
        return;
    struct said_one *one = &said->d[said->count++];
    *one = (struct said_one){.severity = d->severity,
                             .line = d->at.line,
                             .column = d->at.column,
                             .length = d->at.length};
    keep(one->id, sizeof one->id, d->id);
    keep(one->message, sizeof one->message, d->message);
    keep(one->file, sizeof one->file, d->at.file);
    keep(one->source, sizeof one->source, d->source_line);
    for (size_t i = 0; i < d->note_count; i++) {
        size_t used = strlen(one->notes);
        (void)snprintf(one->notes + used, sizeof one->notes - used, "%s\n", d->notes[i]);
    }
    for (size_t i = 0; i < d->expansion_count; i++) {
        size_t used = strlen(one->chain);
        char what[80];
        (void)fhec_format_expansion(&d->expansions[i], what, sizeof what);
        (void)snprintf(one->chain + used, sizeof one->chain - used, "%s at %s:%u:%u\n", what,
                       d->expansions[i].at.file, d->expansions[i].at.line,
                       d->expansions[i].at.column);
    }
}

struct world {
    struct said *said;
    const struct memory_file *files;
};

static void hear_in_world(void *user, const fhec_diagnostic *d) {
    struct world *world = user;
    if (world->said)
        hear(world->said, d);
}

static fhec_status include_memory(void *user, const char *name, const char *from, char **text,
                                  size_t *length) {
    const struct world *world = user;
    (void)from;
    for (const struct memory_file *f = world->files; f && f->name; f++) {
        if (strcmp(f->name, name) != 0)
            continue;
        *length = strlen(f->text);
        *text = malloc(*length + 1);
        if (!*text)
            return FHEC_HOST_ERROR;
        memcpy(*text, f->text, *length + 1);
        return FHEC_OK;
    }
    return FHEC_BAD_INPUT;
}

fhec_status assemble_with(const char *text, const struct memory_file *files,
                          const char *const *defines, size_t define_count, struct said *said,
                          fhec_program **program) {
    struct world world = {said, files};
    fhec_assemble_options options = {.diagnostic = hear_in_world,
                                     .include = include_memory,
                                     .user = &world,
                                     .defines = defines,
                                     .define_count = define_count};
    fhec_program *made = NULL;
    fhec_status status = fhec_assemble("t.sass", text, strlen(text), &options, &made);
    assert_true((status == FHEC_OK) == (made != NULL));
    if (program)
        *program = made;
    else
        fhec_program_free(made);
    return status;
}

fhec_status assemble(const char *text, struct said *said, fhec_program **program) {
    return assemble_with(text, NULL, NULL, 0, said, program);
}

void expect_said(const char *text, const char *wanted) {
    static struct said said; /* large */
    said.count = 0;
    fhec_status status = assemble(text, &said, NULL);
    char got[4096] = "";
    bool errors = false;
    for (size_t i = 0; i < said.count; i++) {
        size_t used = strlen(got);
        (void)snprintf(got + used, sizeof got - used, "%s%s %u:%u", i ? ", " : "", said.d[i].id,
                       said.d[i].line, said.d[i].column);
        errors |= said.d[i].severity == FHEC_ERROR;
    }
    if (strcmp(got, wanted) != 0) {
        print_message("source:\n%s\n", text);
        for (size_t i = 0; i < said.count; i++)
            print_message("%s: %s\n%s", said.d[i].id, said.d[i].message, said.d[i].notes);
    }
    assert_string_equal(got, wanted);
    assert_int_equal(status, errors ? FHEC_BAD_INPUT : FHEC_OK);
}

void expect_code(const char *text, const char *wanted) {
    static struct said said;
    said.count = 0;
    fhec_program *program;
    fhec_status status = assemble(text, &said, &program);
    for (size_t i = 0; i < said.count; i++)
        print_message("%u:%u %s: %s\n%s", said.d[i].line, said.d[i].column, said.d[i].id,
                      said.d[i].message, said.d[i].notes);
    assert_int_equal(status, FHEC_OK);
    fhec_kernel_info info;
    assert_int_equal(fhec_kernel_get(program, 0, &info), FHEC_OK);
    size_t size = (size_t)info.word_count * 128 + 1, used = 0;
    char *got = malloc(size);
    assert_non_null(got);
    got[0] = '\0';
    for (uint32_t w = 0; w < info.word_count; w++) {
        char line[128];
        assert_true(fhec_disassemble(info.words[w], (uint64_t)w * 16, 0, line, sizeof line) > 0);
        used += (size_t)snprintf(got + used, size - used, "%s\n", line);
    }
    assert_string_equal(got, wanted);
    free(got);
    fhec_program_free(program);
}

FILE *oracle_file(const char *name) {
    char path[1024];
    const char *folder = getenv("FHEC_ORACLES");
    (void)snprintf(path, sizeof path, "%s/%s", folder ? folder : "../shared/oracles", name);
    return fopen(path, "r");
}

void skip_visibly(const char *what, const char *why) {
    print_message("# SKIP %s: %s\n", what, why);
    skip();
}
