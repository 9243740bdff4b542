/*
 * asm.c - fuzzing the assembler: the bytes are a source, which may be a listing. A file "odd" can
 * be included; it does what an included file can do wrong.
 */
#include "asm.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct heard {
    unsigned errors;
    const char *wrong;
    char *shown;
};

static bool is_known(const char *id) {
    for (unsigned i = 0; i < FH_D_COUNT; i++)
        if (strcmp(fh_diagnostic_id(i), id) == 0)
            return true;
    return false;
}

/* Of a very long line only a part is given. */
static bool in_its_line(const fhec_diagnostic *d) {
    size_t line = d->at.file && d->source_line ? strlen(d->source_line) : SIZE_MAX;
    if (line >= 65536)
        return !d->at.file || d->at.line > 0;
    return d->at.line > 0 && d->at.column > 0 && d->at.length > 0 && d->at.column <= line + 1 &&
           d->at.column + d->at.length <= line + 2;
}

static void check_diagnostic(void *user, const fhec_diagnostic *d) {
    struct heard *h = user;
    char text[400];
    h->errors += d->severity == FHEC_ERROR;
    bool theirs = strcmp(d->id, "E080") == 0 || strcmp(d->id, "W001") == 0; /* .error "" */
    bool good = is_known(d->id) && d->message && (*d->message || theirs) && in_its_line(d) &&
                d->note_count <= FH_MAX_NOTES;
    good = good && fhec_format_diagnostic(d, h->errors % 2, text, sizeof text) > 0 &&
           memchr(text, '\0', sizeof text);
    good = good && fhec_format_diagnostic_json(d, text, sizeof text) > 0 && text[0] == '{';
    if (good || h->wrong)
        return;
    h->wrong = "a diagnostic does not hold together";
    snprintf(h->shown, FUZZ_SHOWN, "%s %u:%u+%u: %.200s", d->id, d->at.line, d->at.column,
             d->at.length, d->message);
}

static fhec_status include_odd(void *user, const char *name, const char *from, char **text,
                               size_t *length) {
    static const char odd[] = ".if 1\n.macro Q a\n  MOV \\a, \\b ;\n.endm\n  Q R1";
    (void)user;
    (void)from;
    if (strcmp(name, "odd") != 0)
        return FHEC_BAD_INPUT;
    *length = sizeof odd - 1;
    *text = malloc(*length);
    if (!*text)
        return FHEC_HOST_ERROR;
    memcpy(*text, odd, *length);
    return FHEC_OK;
}

/* A short text is taken as one instruction, too. */
static const char *one_instruction(const uint8_t *bytes, size_t length, char *shown) {
    struct heard heard = {.shown = shown};
    char text[4096];
    fhec_word word;
    if (length >= sizeof text)
        return NULL;
    memcpy(text, bytes, length);
    text[length] = '\0';
    fhec_status status = fhec_assemble_word(text, 0x40, check_diagnostic, &heard, &word);
    if (!heard.wrong && status != FHEC_HOST_ERROR &&
        status != (heard.errors ? FHEC_BAD_INPUT : FHEC_OK))
        return "the status of one instruction does not follow from its diagnostics";
    return heard.wrong;
}

const char *fuzz_assemble(const char *text, size_t length, fhec_status *status,
                          fhec_program **program, char shown[FUZZ_SHOWN]) {
    struct heard heard = {.shown = shown};
    fhec_assemble_options options = {
        .diagnostic = check_diagnostic, .include = include_odd, .user = &heard};
    *status = fhec_assemble("f.sass", text, length, &options, program);
    if (*status == FHEC_HOST_ERROR)
        return *program ? "a program in spite of a host error" : NULL;
    if (!heard.wrong && (*status == FHEC_OK) != (*program != NULL))
        return "a status without its program";
    if (!heard.wrong && *status != (heard.errors ? FHEC_BAD_INPUT : FHEC_OK))
        return "the status does not follow from the diagnostics";
    if (!heard.wrong && heard.errors > FH_MAX_ERRORS + 1)
        return "more errors than are reported at most";
    return heard.wrong;
}

const char *fuzz_asm(const uint8_t *bytes, size_t length, char shown[FUZZ_SHOWN]) {
    uint8_t limits[FUZZ_LIMITS] = {0};
    fhec_program *program;
    fhec_status status;
    memcpy(limits, bytes, length < sizeof limits ? length : sizeof limits);
    const char *wrong = fuzz_assemble((const char *)bytes, length, &status, &program, shown);
    if (!wrong && program)
        wrong = fuzz_use(program, limits, shown);
    fhec_program_free(program);
    return wrong ? wrong : one_instruction(bytes, length, shown);
}
