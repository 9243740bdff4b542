/*
 * assemble.c - the public entry: one run of the assembler from text to program, or from the text of
 * one instruction to its word.
 */
#include "asm.h"
#include "asm_memory.h"
#include "directives.h"
#include "emit.h"
#include "kernel.h"
#include "linkage.h"
#include "macro.h"
#include "open_code.h"
#include "parsing.h"
#include "section.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- statements */

static void execute_directive(struct fh_asm *a) {
    const struct fh_directive *d = a->st.directive;
    if (!d) {
        fh_unknown_directive(a, &a->st.head);
        return;
    }
    if (a->single && d->act != fh_act_inst) { /* words are not kept: no kernel could be closed */
        fh_report(a, FH_D_USAGE, a->st.head.at, d->name, "one instruction stands for itself", NULL);
        a->stop = true;
        return;
    }
    /* Directives with a block must read it even when they are wrong, or all that is in the block
     * would be an error too. */
    if (a->st.bad && !d->block)
        return;
    if ((d->where != FH_ANYWHERE && !a->code.open && !a->single) ||
        (d->where == FH_IN_A_KERNEL && a->code.function))
        fh_report(a, FH_D_ONLY_INSIDE, a->st.head.at, d->name, NULL, NULL);
    else if (!a->st.bad && d->mode != FH_MODE_RAW)
        (void)fh_usage(a, a->st.arg_count >= d->least &&
                              (a->st.arg_count <= d->most || d->most == FH_MANY));
    if (!a->st.bad || d->block)
        d->act(a);
}

static void execute(struct fh_asm *a) {
    struct fh_statement *st = &a->st;
    switch (st->kind) {
    case FH_INSTRUCTION:
        if (!st->bad && st->arg_count > FH_MAX_ARGUMENTS) {
            fh_report(a, FH_D_SURPLUS_OPERAND, st->args[FH_MAX_ARGUMENTS].at,
                      fh_text_of(a, st->head.text, st->head.length), "fewer operands", NULL);
        } else if (!st->bad) {
            fh_emit(a);
        }
        break;
    case FH_DIRECTIVE: execute_directive(a); break;
    case FH_CALL:
        if (!st->bad)
            fh_call_macro(a);
        break;
    default: /* a syntax error, or nothing */
        if (st->directive && st->directive->block)
            execute_directive(a);
    }
}

/* Reads and executes one statement. False when the current text was at its end. */
static bool one_statement(struct fh_asm *a) {
    struct fh_statement *st = &a->st;
    struct fh_value *args = st->args;
    size_t capacity = st->arg_capacity;
    *st = (struct fh_statement){.args = args, .arg_capacity = capacity, .ended_by = FH_NOT_ENDED};
    fh_tokens_begin(a);
    bool parsed = fh_parse_statement(a);
    if (!parsed)
        fh_skip_statement(a);
    st->bad |= !parsed;
    if (st->end == 0 && st->ended_by == 0)
        return false;
    execute(a);
    return true;
}

static void read_all(struct fh_asm *a) {
    while (a->texts.top && !a->no_memory && !a->stop) {
        if (!one_statement(a))
            fh_leave(a);
        if (a->reports.pending_count)
            fh_report_pending(a);
    }
}

/* ---------------------------------------------------------------- runs */

static bool begin(struct fh_asm *a, const struct fhec_assemble_options *options) {
    a->options = options;
    a->directives = &fh_directives;
    a->sources.arena = &a->arena;
    a->program = calloc(1, sizeof *a->program);
    a->machine = fhec_limits_get(0);
    return a->program && fh_lexer_new(a);
}

static void end(struct fh_asm *a) {
    fh_text_stack_free(a);
    fh_lexer_free(a);
    fh_open_code_free(&a->code);
    free(a->st.args);
    fh_values_free(&a->tokens.values);
    fh_bytes_free(&a->data.bank);
    fh_sections_free(a);
    free(a->variables);
    free(a->references);
    free(a->names.slots);
    free(a->inside.slots);
    free(a->labels.slots);
    free(a->globals.slots);
    free(a->macros.slots);
    free(a->mnemonics.slots);
    free(a->listed_names.slots);
    fh_source_free(&a->sources);
    fhec_program_free(a->program);
    fh_arena_free(&a->arena);
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

/* What waits for the end of the last text. */
static void finish_program(struct fh_asm *a) {
    if (a->no_memory) /* the open code may be half made */
        return;
    fh_kernels_finish(a);
    fh_sections_finish(a);
    if (!a->no_memory)
        fh_references_resolve(a);
    if (!a->no_memory && a->reports.errors == 0 && !fh_program_relocate(a->program))
        fh_report(a, FH_D_TOO_MANY_WORDS, (struct fh_span){1, 2}, "the program", "2^28", NULL);
}

static fhec_status finish(struct fh_asm *a, fhec_program **program) {
    fhec_status status = a->no_memory        ? FHEC_HOST_ERROR
                         : a->reports.errors ? FHEC_BAD_INPUT
                                             : FHEC_OK;
    if (status == FHEC_OK) {
        fh_source_give(&a->sources, a->program);
        a->program->machine = a->machine;
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
            finish_program(a);
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
        if (!a->reports.errors && !a->no_memory && !a->code.word_count)
            fh_report(a, FH_D_SYNTAX, (struct fh_span){1, 2}, "end", ": expected an instruction",
                      NULL);
        status = a->no_memory ? FHEC_HOST_ERROR : a->reports.errors ? FHEC_BAD_INPUT : FHEC_OK;
        stop(a);
        if (status == FHEC_OK)
            *word = a->word;
    }
    end(a);
    free(a);
    return status;
}
