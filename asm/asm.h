/*
 * asm.h - one run of the assembler: its state.
 *
 *     source text --lexer.l, tokens.c--> tokens --parser.y, expression.c--> struct fh_statement
 *          ^                                                                      |
 *          |  text_stack.c, macro.c (new text)                                    | assemble.c
 *          +------------------------------------------ directives ---------------+
 *                                                                                 | instructions
 *     program <--kernel.c-- words, labels, resources <--emit.c-- fh_inst <-- match.c
 *
 * One statement is read and executed before the next one is looked at, so a name means what it
 * meant last; only labels may be used before they are defined (fixup.c, linkage.c). An error is
 * reported where it is found (diagnose.c) and the rest of the statement is skipped. Mnemonics,
 * modifiers and operands come from the tables of isa.h; nothing here lists them.
 *
 * Each file of the folder knows only files below it: assemble.c stands on parser.y, emit.c and the
 * directives, those on the files of their subjects, those on names, values and reports.
 */
#ifndef FH_ASM_H
#define FH_ASM_H

#include "diagnose.h"
#include "lexing.h"
#include "operator_chain.h"
#include "output_section.h"
#include "statement.h"
#include "symbol.h"
#include "text_stack.h"
#include "tokens.h"

struct fh_asm {
    const struct fhec_assemble_options *options;
    const struct fh_directives *directives;
    bool no_memory; /* or another failure of the host: give up at once */
    bool stop;      /* nothing more is read or reported */
    struct fh_arena arena;
    struct fh_sources sources;
    struct fh_reports reports;

    struct fh_lexer lexer;
    struct fh_text_stack texts;
    struct fh_tokens tokens;
    struct fh_chains chains;
    struct fh_statement st;
    const struct fh_listed *listed; /* the statement's line of a listing; NULL: none */

    struct fh_table names;   /* of the whole run */
    struct fh_table inside;  /* of the open kernel */
    struct fh_table labels;  /* of the open kernel */
    struct fh_table globals; /* kernels, functions, variables */
    struct fh_table macros, mnemonics;
    struct fh_table listed_names; /* that the program keeps */
    uint32_t macro_calls;         /* for \@ */

    const fhec_limits *machine; /* that the code is for; all of it is for one */
    bool has_machine;           /* something said so: .target, a listing */
    uint32_t features;          /* of the last .target outside of kernels */
    struct fh_open_code code;
    struct fh_data data;
    struct fh_symbol **variables; /* in their order */
    size_t variable_count, variable_capacity;
    struct fh_reference *references;
    size_t reference_count, reference_capacity;
    bool has_loc; /* .loc says where the code comes from: */
    struct fh_origin loc;
    bool no_descriptor_bit; /* .descbit 0 */

    struct fhec_program *program;
    size_t kernel_capacity, function_capacity, relocation_capacity, external_capacity;
    size_t test_capacity, expectation_capacity, name_capacity, meaning_capacity, record_capacity;

    /* fhec_assemble_word: one instruction without kernel or target, with absolute addresses. */
    bool single;
    uint64_t pc;    /* its address */
    fhec_word word; /* what it is */
};

#endif
