/*
 * time_code.c - see time_code.h.
 */
#include "time_code.h"

#include "fhec_session.h"

#include <string.h>

/* Where a file's registers begin among all; B, convergence barriers, takes no part. */
static const uint16_t files[] = {
    [FHEC_FILE_R] = 0, [FHEC_FILE_UR] = 256, [FHEC_FILE_P] = 320, [FHEC_FILE_UP] = 336};

static bool begins(const char *mnemonic, const char *with) {
    return strncmp(mnemonic, with, strlen(with)) == 0;
}

static void add_runs(struct fh_time_op *op, const fhec_instruction *i) {
    for (uint32_t k = 0; k < i->use_count && op->run_count < FH_TIME_RUNS; k++) {
        const fhec_use *use = &i->uses[k];
        if (use->file == FHEC_FILE_B)
            continue;
        op->runs[op->run_count].first = (uint16_t)(files[use->file] + use->first);
        op->runs[op->run_count].count = use->count;
        op->runs[op->run_count++].written = use->written;
    }
}

static void add_reads(struct fh_time_op *op, const fhec_instruction *i) {
    for (uint32_t k = 0; k < i->operand_count && op->read_count < FH_TIME_READS; k++) {
        const fhec_operand *o = &i->operands[k];
        if (o->kind != FHEC_OPERAND_REGISTER || !o->read || o->reg == FHEC_NO_REGISTER)
            continue;
        op->reads[op->read_count].reg = (uint8_t)o->reg;
        op->reads[op->read_count].count = (uint8_t)o->count;
        op->reads[op->read_count].slot = o->slot;
        op->reads[op->read_count++].reuse = o->reuse;
    }
}

/* DEPBAR.LE SB, count {, more} */
static void add_depbar(struct fh_time_op *op, const fhec_instruction *i) {
    if (!begins(i->mnemonic, "DEPBAR") || i->operand_count < 2)
        return;
    op->depbar = i->operands[0].reg < FH_TIME_SCOREBOARDS;
    op->board = (uint8_t)i->operands[0].reg;
    op->most = (uint8_t)i->operands[1].value;
    op->others = i->operand_count > 2 ? (uint8_t)i->operands[2].value : 0;
}

bool fh_time_op_make(const struct fh_time_machine *machine, fhec_word word, uint64_t pc,
                     struct fh_time_op *op) {
    fhec_instruction i;
    *op =
        (struct fh_time_op){.write_board = FH_TIME_SCOREBOARDS, .read_board = FH_TIME_SCOREBOARDS};
    if (fhec_instruction_get(word, pc, &i) != FHEC_OK)
        return false;
    op->rule = fh_time_rule_of(machine, i.mnemonic, i.pipe);
    op->memory = op->rule && op->rule->units[0] == FH_TIME_MEMORY_UNIT;
    op->matrices = begins(i.mnemonic, "LDSM");
    op->passes_by = begins(i.mnemonic, "BAR.ARV");
    op->copies = begins(i.mnemonic, "LDGSTS");
    op->closes = begins(i.mnemonic, "LDGDEPBAR");
    op->stall = (uint8_t)i.stall;
    op->yield = !i.yield; /* the field is 0 where the warp yields */
    op->wait_mask = i.wait_mask;
    op->write_board = i.write_scoreboard;
    op->read_board = i.read_scoreboard;
    add_runs(op, &i);
    add_reads(op, &i);
    add_depbar(op, &i);
    return true;
}
