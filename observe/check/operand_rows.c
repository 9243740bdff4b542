/*
 * operand_rows.c - see operand_rows.h.
 */
#include "operand_rows.h"

#include <string.h>

const fhec_operand *fh_operand_find(const fhec_instruction *instruction, const char *name) {
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (strcmp(instruction->operands[i].name, name) == 0)
            return &instruction->operands[i];
    return NULL;
}

static void copy_run(const fhec_values *run, const fhec_operand *operand,
                     struct fh_operand_rows *rows) {
    for (uint32_t i = 0; i < run->count; i++) {
        const uint32_t number = run->first + i, word = number - operand->reg;
        if (number < operand->reg || word >= operand->count || word >= FH_OPERAND_WORDS)
            continue;
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
            rows->word[word][lane] =
                run->file == FHEC_FILE_R ? run->values[FHEC_WARP_LANES * i + lane] : run->values[i];
    }
}

void fh_operand_issue(const fhec_event *event, const fhec_operand *operand,
                      struct fh_operand_rows *rows) {
    const fhec_register_file file =
        operand->kind == FHEC_OPERAND_UNIFORM ? FHEC_FILE_UR : FHEC_FILE_R;
    fhec_values run;
    memset(rows, 0, sizeof *rows);
    if (operand->reg == FHEC_NO_REGISTER ||
        (operand->kind != FHEC_OPERAND_REGISTER && operand->kind != FHEC_OPERAND_UNIFORM))
        return;
    for (size_t i = 0; fhec_event_registers(event, i, &run); i++)
        if (run.file == file)
            copy_run(&run, operand, rows);
}

void fh_operand_constant(const fhec_event *event, struct fh_operand_rows *rows) {
    memset(rows, 0, sizeof *rows);
    for (uint32_t i = 0; i < (event->access.bytes + 3) / 4 && i < FH_OPERAND_WORDS; i++)
        memcpy(rows->word[i], &event->access.value[(size_t)FHEC_WARP_LANES * i],
               sizeof rows->word[i]);
}
