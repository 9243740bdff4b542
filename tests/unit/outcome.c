/* outcome.c - see outcome.h. */
#include "outcome.h"
#include "asm_util.h"
#include "fhec_patch.h"

#include <inttypes.h>

struct output {
    FILE *stream;
    const char *folder;
};

static const char *const severities[] = {[FHEC_ERROR] = "error", [FHEC_WARNING] = "warning"};

static void tell(void *user, const fhec_diagnostic *d) {
    const struct output *o = user;
    fprintf(o->stream, "%s:%u:%u+%u: %s[%s]: %s\n", d->at.file ? d->at.file : "", d->at.line,
            d->at.column, d->at.length, severities[d->severity], d->id, d->message);
    for (size_t i = 0; i < d->note_count; i++)
        fprintf(o->stream, "    %s\n", d->notes[i]);
    for (size_t i = 0; i < d->expansion_count; i++) {
        char what[80];
        (void)fhec_format_expansion(&d->expansions[i], what, sizeof what);
        fprintf(o->stream, "    %s at %s:%u:%u+%u\n", what, d->expansions[i].at.file,
                d->expansions[i].at.line, d->expansions[i].at.column, d->expansions[i].at.length);
    }
}

static fhec_status include_file(void *user, const char *name, const char *from, char **text,
                                size_t *length) {
    const struct output *o = user;
    char path[512];
    (void)from;
    (void)snprintf(path, sizeof path, "%s/%s", o->folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return FHEC_BAD_INPUT;
    *text = calloc(1, 1 << 16);
    *length = *text ? fread(*text, 1, 1 << 16, file) : 0;
    fclose(file);
    return *text ? FHEC_OK : FHEC_HOST_ERROR;
}

/* ---------------------------------------------------------------- objects */

/* A number of `bytes` bytes, the lowest first. */
static uint64_t get(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

struct section {
    const char *name;
    const uint8_t *bytes;
    uint64_t size;
    uint32_t type, link;
};

struct object {
    const uint8_t *bytes;
    struct section section[64];
    unsigned count;
};

static const char *string_of(const struct section *table, uint64_t at) {
    assert_true(at < table->size);
    return (const char *)table->bytes + at;
}

/* Headers of sections: type, flags, address, offset, size, link, info, alignment, entry size. */
static void put_sections(const struct object *o, const uint8_t *table, FILE *to) {
    for (unsigned i = 1; i < o->count; i++) {
        const uint8_t *h = table + 64 * (size_t)i;
        fprintf(to,
                "section %u %s: type %" PRIx64 " flags %" PRIx64 " size %" PRIu64 " link %" PRIu64
                " info %" PRIx64 " align %" PRIu64 " entries of %" PRIu64 "\n",
                i, o->section[i].name, get(h + 4, 4), get(h + 8, 8), get(h + 32, 8), get(h + 40, 4),
                get(h + 44, 4), get(h + 48, 8), get(h + 56, 8));
        if (o->section[i].type != 8 && get(h + 48, 8) && get(h + 24, 8) % get(h + 48, 8))
            fprintf(to, "  is not aligned in the file\n");
    }
}

static void put_symbols(const struct object *o, const struct section *s, FILE *to) {
    for (uint64_t i = 0; i < s->size / 24; i++) {
        const uint8_t *e = s->bytes + 24 * i;
        fprintf(to,
                "  %" PRIu64 ": %s info %" PRIx64 " other %" PRIx64 " section %" PRIu64
                " value %" PRIu64 " size %" PRIu64 "\n",
                i, string_of(&o->section[s->link], get(e, 4)), get(e + 4, 1), get(e + 5, 1),
                get(e + 6, 2), get(e + 8, 8), get(e + 16, 8));
    }
}

static void put_relocations(const struct section *s, FILE *to) {
    const unsigned bytes = s->type == 4 ? 24 : 16;
    for (uint64_t i = 0; i < s->size / bytes; i++) {
        const uint8_t *e = s->bytes + bytes * i;
        fprintf(to, "  at %" PRIu64 " type %" PRIu64 " symbol %" PRIu64, get(e, 8), get(e + 8, 4),
                get(e + 12, 4));
        if (bytes == 24)
            fprintf(to, " addend %" PRIu64, get(e + 16, 8));
        fprintf(to, "\n");
    }
}

static void put_bytes(const struct section *s, FILE *to) {
    for (uint64_t i = 0; i < s->size; i += 32) {
        fprintf(to, "  %04" PRIx64, i);
        for (uint64_t k = i; k < s->size && k < i + 32; k++)
            fprintf(to, "%s%02x", k % 4 == 0 ? " " : "", s->bytes[k]);
        fprintf(to, "\n");
    }
}

static void put_segments(const uint8_t *at, uint64_t count, FILE *to) {
    for (uint64_t i = 0; i < count; i++, at += 56)
        fprintf(to,
                "segment type %" PRIx64 " flags %" PRIx64 " offset %" PRIu64 " in file %" PRIu64
                " in memory %" PRIu64 " align %" PRIu64 "\n",
                get(at, 4), get(at + 4, 4), get(at + 8, 8), get(at + 32, 8), get(at + 40, 8),
                get(at + 48, 8));
}

static void put_object(const uint8_t *bytes, size_t length, FILE *to) {
    static struct object o;
    const uint64_t table = get(bytes + 40, 8), names = get(bytes + 62, 2);
    o = (struct object){.bytes = bytes, .count = (unsigned)get(bytes + 60, 2)};
    assert_true(o.count <= 64 && table + 64 * o.count <= length);
    fprintf(to, "ident");
    for (unsigned i = 0; i < 16; i++)
        fprintf(to, " %02x", bytes[i]);
    fprintf(to,
            "\ntype %" PRIu64 " machine %" PRIu64 " version %" PRIx64 " flags %" PRIx64
            " header %" PRIu64 " names %" PRIu64 "\n",
            get(bytes + 16, 2), get(bytes + 18, 2), get(bytes + 20, 4), get(bytes + 48, 4),
            get(bytes + 52, 2), names);
    put_segments(bytes + get(bytes + 32, 8), get(bytes + 56, 2), to);
    for (unsigned i = 0; i < o.count; i++) {
        const uint8_t *h = bytes + table + 64 * i;
        struct section *s = &o.section[i];
        *s = (struct section){.bytes = bytes + get(h + 24, 8),
                              .size = get(h + 32, 8),
                              .type = (uint32_t)get(h + 4, 4),
                              .link = (uint32_t)get(h + 40, 4)};
        assert_true(s->type == 8 || get(h + 24, 8) + s->size <= length);
    }
    for (unsigned i = 0; i < o.count; i++)
        o.section[i].name = string_of(&o.section[names], get(bytes + table + 64 * i, 4));
    put_sections(&o, bytes + table, to);
    for (unsigned i = 1; i < o.count; i++) {
        const struct section *s = &o.section[i];
        if (s->type == 3 || s->type == 8 || s->type == 0x70000007)
            continue; /* strings are shown where they are named; others have no bytes */
        fprintf(to, "contents of %s\n", s->name);
        if (s->type == 2)
            put_symbols(&o, s, to);
        else if (s->type == 4 || s->type == 9)
            put_relocations(s, to);
        else
            put_bytes(s, to);
    }
}

/* ---------------------------------------------------------------- programs */

static char *text_of(const fhec_program *program, unsigned flags, struct output *o) {
    char *text;
    size_t length;
    const fhec_status status =
        fhec_disassemble_program(program, flags | FHEC_DIS_PARTIAL, tell, o, &text, &length);
    assert_int_equal(status, FHEC_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

/* The text of the object without the section that fhec's assembler leaves in it. */
static void put_foreign(struct output *o, const char *name, uint8_t *bytes, size_t length,
                        unsigned flags) {
    static const char section[] = ".fhec.info";
    fhec_program *program;
    size_t at = 0;
    while (memcmp(bytes + at, section, sizeof section) != 0)
        assert_true(++at + sizeof section <= length);
    bytes[at + 1] = 'x';
    fprintf(o->stream, "---- of another tool\n");
    if (fhec_program_read(name, bytes, length, tell, o, &program) == FHEC_OK) {
        char *text = text_of(program, flags, o);
        fprintf(o->stream, "%s", text);
        free(text);
        fhec_program_free(program);
    }
}

static void put_program(struct output *o, const char *name, const fhec_program *program,
                        unsigned shows) {
    const unsigned flags = shows & OUTCOME_PLAIN ? 0 : FHEC_DIS_LINES | FHEC_DIS_CONTROL;
    uint8_t *bytes;
    size_t length;
    fhec_program *back;
    char *text = text_of(program, flags, o), *again;
    if (shows & OUTCOME_TEXT)
        fprintf(o->stream, "---- text\n%s", text);
    assert_int_equal(fhec_program_write(program, &bytes, &length), FHEC_OK);
    if (shows & OUTCOME_OBJECT) {
        fprintf(o->stream, "---- object\n");
        put_object(bytes, length, o->stream);
    }
    fprintf(o->stream, "---- read back\n");
    if (fhec_program_read(name, bytes, length, tell, o, &back) == FHEC_OK) {
        again = text_of(back, flags, o);
        fprintf(o->stream, "%s", strcmp(text, again) == 0 ? "the same\n" : again);
        free(again);
        fhec_program_free(back);
    }
    if (shows & OUTCOME_FOREIGN)
        put_foreign(o, name, bytes, length, flags);
    if (shows & OUTCOME_LINT) {
        fprintf(o->stream, "---- lint\n");
        (void)fhec_lint(program, tell, o);
    }
    free(text);
    free(bytes);
}

/* The next line that is an instruction, or the end; what is said of the code on the way goes to
 * `stream`. */
static const char *next_instruction(const char *at, FILE *stream) {
    static const char *const told[] = {".target ", ".kernel ", ".function ", ".registers "};
    for (; *at && strncmp(at, "    [", 5) != 0 && strncmp(at, "    .inst ", 10) != 0;
         at += strcspn(at, "\n") + 1)
        for (size_t i = 0; stream && i < sizeof told / sizeof *told; i++)
            if (strncmp(at, told[i], strlen(told[i])) == 0)
                fprintf(stream, "%.*s\n", (int)strcspn(at, "\n"), at);
    return at;
}

/* The instructions that calls become, beside those that were there. */
static void put_patch(struct output *o, fhec_program *program) {
    char *before = text_of(program, FHEC_DIS_CONTROL, o), *after;
    size_t count;
    const fhec_status status = fhec_patch_calls(program, tell, o, &count);
    fprintf(o->stream, "---- patched: %zu, status %d\n", count, (int)status);
    after = text_of(program, FHEC_DIS_CONTROL, o);
    const char *a = before, *b = after;
    for (;;) {
        a = next_instruction(a, NULL);
        b = next_instruction(b, o->stream);
        if (!*a || !*b)
            break;
        const int x = (int)strcspn(a, "\n"), y = (int)strcspn(b, "\n");
        if (x != y || strncmp(a, b, (size_t)x) != 0)
            fprintf(o->stream, "%.*s\n->%.*s\n", x, a, y, b);
        a += x + 1, b += y + 1;
    }
    free(before);
    free(after);
}

char *outcome_of_object(const char *name, const uint8_t *bytes, size_t length, unsigned shows) {
    char *all = NULL;
    size_t size;
    struct output o = {open_memstream(&all, &size), ""};
    fhec_program *program;
    assert_non_null(o.stream);
    if (fhec_program_read(name, bytes, length, tell, &o, &program) == FHEC_OK) {
        if (shows & OUTCOME_PATCH)
            put_patch(&o, program);
        else
            put_program(&o, name, program, shows);
        fhec_program_free(program);
    }
    fclose(o.stream);
    return all;
}

/* -D's that the leading comments ask for: "// define: NAME=VALUE". */
static size_t read_defines(const char *text, char defines[][64], size_t room) {
    size_t count = 0;
    for (const char *line = text; strncmp(line, "// ", 3) == 0; line = strchr(line, '\n') + 1)
        count += count < room && sscanf(line, "// define: %63s", defines[count]) == 1;
    return count;
}

char *outcome(const char *folder, const char *name, const char *text, size_t length,
              unsigned shows) {
    char *all = NULL;
    size_t size;
    struct output o = {open_memstream(&all, &size), folder};
    char defined[4][64];
    const char *const defines[4] = {defined[0], defined[1], defined[2], defined[3]};
    const fhec_assemble_options options = {.diagnostic = tell,
                                           .include = include_file,
                                           .user = &o,
                                           .defines = defines,
                                           .define_count = read_defines(text, defined, 4)};
    fhec_program *program;
    assert_non_null(o.stream);
    if (fhec_assemble(name, text, length, &options, &program) == FHEC_OK) {
        put_program(&o, name, program, shows);
        if (shows & OUTCOME_PATCH)
            put_patch(&o, program);
        fhec_program_free(program);
    }
    fclose(o.stream);
    return all;
}
