/*
 * emit_lanes.h - pieces of generated execution functions that both engines' emitters use.
 *
 * Names that the generator brings into a function start with fh_, so that bodies are free to use
 * any other: operands (a, d, pp), modifiers (X, cmp), signs (neg_a), `active` and `lane`.
 */
#ifndef ISAC_EMIT_LANES_H
#define ISAC_EMIT_LANES_H

#include "isac.h"

bool is_kind(const struct insn *insn, const char *kind);
bool is_predicate(const struct operand *o);
bool is_scalar(const struct operand *o); /* the same for all lanes */
bool is_written(const struct operand *o);
bool body_faults(const struct insn *insn);
/* Whether the body, whose results are predicates, holds for all lanes at once, too: it goes by the
 * lanes_ functions (emu/simd/rows.h), with predicates as lane masks. */
bool body_on_masks(const struct insn *insn);
extern const char *const mask_functions[]; /* NULL behind the last one */
/* Whether that is done by functions of emu/simd/float_rows.h, which know of no forwarding. */
bool body_on_float_masks(const struct insn *insn);
const char *operand_type(const struct operand *o); /* u32 or u64 */

/* Whether the body goes by the words of a pair: `d_low`, `d_high`. */
bool in_words(const struct form *form, const struct operand *o);
/* Declares these words: of a source, from the variable of the pair. */
void emit_words(FILE *out, const struct operand *o, const char *indent);
/* The C expression for the result that the body left in operand o. */
const char *result_value(const struct form *form, const struct operand *o);

/* What a family's file begins with: the header only if it will have functions. */
void emit_shard_head(FILE *out, const struct description *d, const struct shard *shard,
                     const char *header);
/* How many registers the operand has: a C expression. */
const char *count_of(const struct operand *o);
/* Whether the body or a register count names modifier i of the form. */
bool modifier_wanted(const struct form *form, size_t i);
/* Declares the modifiers and signs that the body and register counts name, but those in `but`. */
void emit_modifiers(FILE *out, const struct form *form, const struct names *but);
/* fh_n_VAR = number of registers, for operands whose number depends on modifiers. */
void emit_counts(FILE *out, const struct form *form);
void emit_count(FILE *out, const struct operand *o);
/* The body in braces, with #line directives. */
void emit_body(FILE *out, const struct form *form, const char *indent);
/* Variables for what fault() records, and the end of a function that may fault. */
void emit_fault_start(FILE *out, const struct form *form);
void emit_fault_end(FILE *out, const struct form *form);

/* emit_memory.c */
void emit_memory_function(FILE *out, const struct form *form);

/* emit_rows.c: whether the body is nothing but a call of a row function, and that call, for all
 * lanes. */
bool body_is_rows(const struct insn *insn);
void emit_row_body(FILE *out, const struct form *form);
/* Makes the body's calls of other row functions for all lanes, before the loop; and lets
 * their names stand for a lane of that, or no longer. */
void emit_row_calls(FILE *out, const struct form *form);
void emit_row_names(FILE *out, const struct form *form, bool defined);

/* emit_whole.c: functions of the kinds `uniform` and `warp`, the same in both engines, and of a
 * variant of a `matrix` instruction. `head`: "static bool NAME". */
void emit_whole_function(FILE *out, const struct form *form, const char *head);
void emit_matrix_function(FILE *out, const struct description *d, const struct form *form,
                          const struct variant *variant, const char *head, bool ref);
/* The C expression that holds for ops of the variant. */
const char *variant_condition(const struct form *form, const struct variant *variant);

#endif
