/*
 * assemble.c - the public entries: one run of the assembler from text to program, and one for a
 * single instruction.
 */
#include "asm.h"

#include <stdlib.h>
#include <string.h>

static bool begin(struct fh_asm *a, const struct fhec_assemble_options *options) {
    a->options = options;
    a->sources.arena = &a->arena;
    a->program = calloc(1, sizeof *a->program);
    return a->program && fh_lexer_new(a);
}

static void end(struct fh_asm *a) {
    for (; a->frame; a->frame = a->frame->below) {
        fh_lexer_pop(a, a->frame->state, NULL);
        fh_listing_free(a->frame->listing);
    }
    fh_lexer_free(a);
    fh_draft_free(&a->draft);
    free(a->st.args);
    fh_values_free(&a->values);
    free(a->conditions);
    free(a->bank.bytes);
    fh_sections_free(a);
    free(a->names.slots);
    free(a->inside.slots);
    free(a->labels.slots);
    free(a->macros.slots);
    free(a->mnemonics.slots);
    fh_source_free(&a->sources);
    fhec_program_free(a->program);
    fh_arena_free(&a->arena);
}

/* Reads and carries out one statement. False when the text in hand was at its end. */
static bool one_statement(struct fh_asm *a) {
    struct fh_statement *st = &a->st;
    struct fh_value *args = st->args;
    size_t capacity = st->arg_capacity;
    fh_values_reset(&a->values);
    *st = (struct fh_statement){.args = args, .arg_capacity = capacity, .ended_by = FH_NOT_ENDED};
    a->in_statement = false;
    a->before = 0;
    a->brackets = 0;
    a->open = 0;
    bool parsed = fh_parse_statement(a);
    if (!parsed)
        fh_skip_statement(a);
    st->bad |= !parsed;
    if (st->end == 0 && st->ended_by == 0)
        return false;
    fh_carry_out(a);
    return true;
}

static void read_all(struct fh_asm *a) {
    while (a->frame && !a->no_memory && !a->stop) {
        if (!one_statement(a))
            fh_leave(a);
        if (a->pending_count)
            fh_report_pending(a);
    }
}

/* -D NAME=VALUE: lines of .equ, read before the file's first line. */
static void read_defines(struct fh_asm *a) {
    const struct fhec_assemble_options *o = a->options;
    const char *text = "";
    for (size_t i = 0; i < o->define_count; i++) {
        const char *equals = strchr(o->defines[i], '=');
        if (!equals || equals == o->defines[i] || strpbrk(o->defines[i], "\n;\"#"))
            fh_report(a, FH_D_BAD_DEFINE, (struct fh_span){0, 0}, o->defines[i], NULL, NULL);
        else
            text = fh_text(a, "%s.equ %.*s, %s\n", text, (int)(equals - o->defines[i]),
                           o->defines[i], equals + 1);
    }
    if (*text && !a->no_memory)
        (void)fh_enter_file(a, "command line", text, strlen(text), (struct fh_span){0, 0});
}

/* Nothing more is reported but what waits. */
static void stop(struct fh_asm *a) {
    a->stop = true;
    fh_report_pending(a);
}

static fhec_status finish(struct fh_asm *a, fhec_program **program) {
    fhec_status status = a->no_memory ? FHEC_HOST_ERROR : a->errors ? FHEC_BAD_INPUT : FHEC_OK;
    if (status == FHEC_OK) {
        a->program->files = a->sources.names;
        a->program->file_count = (uint32_t)a->sources.name_count;
        a->sources.names = NULL;
        a->sources.name_count = 0;
        *program = a->program;
        a->program = NULL;
    }
    stop(a);
    return status;
}

fhec_status fhec_assemble(const char *name, const char *text, size_t length,
                          const fhec_assemble_options *options, fhec_program **program) {
    static const struct fhec_assemble_options none = {0};
    struct fh_asm *a = calloc(1, sizeof *a);
    *program = NULL;
    if (!a)
        return FHEC_HOST_ERROR;
    fhec_status status = FHEC_HOST_ERROR;
    if (begin(a, options ? options : &none)) {
        if (!fh_source_fits(&a->sources, length)) {
            fh_report(a, FH_D_TOO_MUCH_TEXT, (struct fh_span){0, 0}, name, "1 GiB", NULL);
        } else if (fh_enter_file(a, name, text, length, (struct fh_span){0, 0})) {
            read_defines(a);
            read_all(a);
            fh_finish(a);
        }
        status = finish(a, program);
    }
    end(a);
    free(a);
    return status;
}

fhec_status fhec_assemble_word(const char *text, uint64_t pc, fhec_diagnostic_fn *diagnostic,
                               void *user, fhec_word *word) {
    const struct fhec_assemble_options options = {.diagnostic = diagnostic, .user = user};
    struct fh_asm *a = calloc(1, sizeof *a);
    *word = (fhec_word){0, 0};
    if (!a)
        return FHEC_HOST_ERROR;
    fhec_status status = FHEC_HOST_ERROR;
    if (begin(a, &options) &&
        fh_enter_file(a, "line", text, strlen(text), (struct fh_span){0, 0})) {
        a->single = true;
        a->pc = pc;
        read_all(a);
        if (!a->errors && !a->no_memory && !a->draft.word_count)
            fh_report(a, FH_D_SYNTAX, (struct fh_span){1, 2}, "end", ": expected an instruction",
                      NULL);
        status = a->no_memory ? FHEC_HOST_ERROR : a->errors ? FHEC_BAD_INPUT : FHEC_OK;
        stop(a);
        if (status == FHEC_OK)
            *word = a->word;
    }
    end(a);
    free(a);
    return status;
}
