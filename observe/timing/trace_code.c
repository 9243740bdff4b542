/*
 * trace_code.c - see trace_code.h.
 */
#include "trace_code.h"

#include <stdio.h>
#include <string.h>

enum { MNEMONIC = 96, WORD = 4, PAIR = 2 };

void fh_trace_machine(const struct fh_time_machine *machine, struct fh_time_machine *watching) {
    *watching = *machine;
    if (machine->dependences == FH_TIME_SCOREBOARD)
        return;
    watching->dependences = FH_TIME_SCOREBOARD;
    for (uint32_t i = 0; i < watching->rule_count; i++) {
        struct fh_time_rule *rule = &watching->rules[i];
        const char *pipe = rule->pipe ? rule->name : fhec_isa_pipe(rule->name);
        const uint32_t latency = pipe && rule->latency == 1 ? fhec_pipe_latency(pipe) : 0;
        rule->latency = latency ? latency : rule->latency;
    }
}

static bool has_part(const char *mnemonic, const char *part) {
    const size_t length = strlen(part);
    for (const char *at = strchr(mnemonic, '.'); at; at = strchr(at + 1, '.'))
        if (strncmp(at + 1, part, length) == 0 && (!at[1 + length] || at[1 + length] == '.'))
            return true;
    return false;
}

static bool begins(const char *mnemonic, const char *with) {
    return strncmp(mnemonic, with, strlen(with)) == 0;
}

/* Registers of an operand of a matrix instruction: of the longest name of a layout that the
 * mnemonic begins with; 0: it is none. */
static uint32_t matrix_registers(const char *mnemonic, const char *operand) {
    fhec_layout layout;
    uint32_t registers = 0;
    size_t longest = 0;
    for (size_t i = 0; fhec_layout_get(i, &layout); i++) {
        const size_t length = strlen(layout.insn);
        if (length > longest && strcmp(layout.operand, operand) == 0 &&
            begins(mnemonic, layout.insn) && (!mnemonic[length] || mnemonic[length] == '.')) {
            longest = length;
            registers = layout.registers;
        }
    }
    return registers;
}

/* How many registers the one that is written begins (`source` -1), or that is read. */
static uint32_t registers_of(const struct fh_accelsim_instruction *i, const char *mnemonic,
                             int source) {
    static const char *const names[] = {"A", "B", "C"};
    const uint32_t data = (i->does.bytes + WORD - 1) / WORD;
    const uint32_t matrix =
        source < 3 ? matrix_registers(mnemonic, source < 0 ? "D" : names[source]) : 0;
    if (matrix)
        return matrix;
    switch (i->does.kind) {
    case FH_ACCELSIM_LOAD:
    case FH_ACCELSIM_STORE:
    case FH_ACCELSIM_ATOMIC:
        if (source != 0)
            return data;
        return i->does.space == FH_ACCELSIM_GLOBAL || i->does.space == FH_ACCELSIM_GENERIC ? PAIR
                                                                                           : 1;
    case FH_ACCELSIM_COPY: return source == 1 ? PAIR : 1;
    default: break;
    }
    const bool fp64 = begins(mnemonic, "DADD") || begins(mnemonic, "DMUL") ||
                      begins(mnemonic, "DFMA") || begins(mnemonic, "DSETP");
    const bool wide = has_part(mnemonic, "WIDE") && (source < 0 || source == i->source_count - 1);
    return fp64 || wide ? PAIR : 1;
}

static void add_run(struct fh_time_op *op, uint32_t reg, uint32_t count, bool written) {
    if (op->run_count == FH_TIME_RUNS)
        return;
    op->runs[op->run_count].first = (uint16_t)reg;
    op->runs[op->run_count].count = (uint16_t)(reg + count > 255 ? 255 - reg : count);
    op->runs[op->run_count++].written = written;
}

void fh_trace_op(const struct fh_time_machine *machine, const struct fh_accelsim_table *table,
                 const struct fh_accelsim_instruction *i, struct fh_time_op *op) {
    char mnemonic[MNEMONIC];
    snprintf(mnemonic, sizeof mnemonic, "%.*s", (int)i->opcode_length,
             (const char *)table->texts.bytes + i->opcode);
    const char *pipe = fhec_isa_pipe(mnemonic);
    *op =
        (struct fh_time_op){.write_board = FH_TIME_SCOREBOARDS, .read_board = FH_TIME_SCOREBOARDS};
    op->rule = fh_time_rule_of(machine, mnemonic, pipe ? pipe : "");
    op->memory = op->rule && op->rule->units[0] == FH_TIME_MEMORY_UNIT;
    op->matrices = i->does.kind == FH_ACCELSIM_MATRICES;
    op->passes_by = i->does.passes_by;
    op->copies = i->does.kind == FH_ACCELSIM_COPY;
    op->closes = begins(mnemonic, "LDGDEPBAR");
    op->depbar = begins(mnemonic, "DEPBAR");
    op->most = i->immediate >= 0 && i->immediate < FH_TIME_OUTSTANDING ? (uint8_t)i->immediate : 0;
    for (int k = 0; k < i->source_count; k++) {
        const uint32_t count = registers_of(i, mnemonic, k);
        add_run(op, i->sources[k], count, false);
        if (op->read_count < FH_TIME_READS) {
            op->reads[op->read_count].reg = i->sources[k];
            op->reads[op->read_count++].count = (uint8_t)count;
        }
    }
    if (i->destination >= 0)
        add_run(op, (uint32_t)i->destination, registers_of(i, mnemonic, -1), true);
}
