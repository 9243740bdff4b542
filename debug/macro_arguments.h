/*
 * macro_arguments.h - what the parameters of macros and repetitions stand for at an instruction: by
 * the chain of uses that led to it, from the sources' text.
 *
 *     .macro ADD to, by=1          BUTTERFLY x[\i], R9      in a .rept 4, i
 *         IADD3 \to, ...           ADD \a                   in BUTTERFLY a, b
 *
 * In the second iteration, within ADD: `to` is `x[1]`, `by` is 1, and `a` of the macro around it
 * x[1], too. As the assembler has it: the outer one of two names in one body is replaced first, and
 * a macro's body knows its own parameters and those of repetitions within it.
 */
#ifndef FH_MACRO_ARGUMENTS_H
#define FH_MACRO_ARGUMENTS_H

#include "debugger.h"
#include "query.h"

/* What the parameter is of the innermost macro or repetition around the place that has one of this
 * name. False: none has. */
bool fh_macro_argument(struct fh_debugger *debugger, const struct fh_query_place *place,
                       const char *name, char *to, size_t size);
/* A text as it would stand at the place: `\name`, `\+` and `\()` are replaced as in the body that
 * the place is in. FHEC_BAD_INPUT with fh_debugger_error: what there is no such thing of stands in
 * it. */
fhec_status fh_macro_substitute(struct fh_debugger *debugger, const struct fh_query_place *place,
                                const char *text, char *to, size_t size);
/* The index-th parameter, innermost first, whatever hides it: its name, what it stands for, and
 * "macro ADD"; false past the last one. */
struct fh_macro_local {
    char name[64], value[256], of[96];
    fhec_location at; /* the use of the macro */
};
bool fh_macro_local(struct fh_debugger *debugger, const struct fh_query_place *place, size_t index,
                    struct fh_macro_local *local);

#endif
