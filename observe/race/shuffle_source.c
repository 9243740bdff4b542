/*
 * shuffle_source.c - see shuffle_source.h. C has the clamp in bits 4:0 and the mask of a segment's
 * lane number in bits 12:8, as the book says.
 */
#include "shuffle_source.h"

#include <string.h>

enum mode { INDEXED, UP, DOWN, BUTTERFLY };

/* The values of an operand, by lane. */
static void lane_values(const fhec_event *event, const fhec_operand *operand,
                        uint32_t values[FHEC_WARP_LANES]) {
    fhec_values run;
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        values[l] = operand->kind == FHEC_OPERAND_IMMEDIATE ? (uint32_t)operand->value : 0;
    if (operand->kind != FHEC_OPERAND_REGISTER || operand->reg == FHEC_NO_REGISTER)
        return;
    for (size_t i = 0; fhec_event_registers(event, i, &run); i++)
        if (run.file == FHEC_FILE_R && run.first <= operand->reg &&
            operand->reg - run.first < run.count)
            memcpy(values, run.values + FHEC_WARP_LANES * (operand->reg - run.first),
                   FHEC_WARP_LANES * sizeof *values);
}

static uint32_t source_of(enum mode mode, uint32_t lane, uint32_t by, uint32_t c) {
    const uint32_t clamp = c & 31, segment = c >> 8 & 31;
    const uint32_t first = lane & segment, last = first | (clamp & ~segment);
    const int32_t from = mode == INDEXED ? (int32_t)(first | (by & ~segment))
                         : mode == UP    ? (int32_t)lane - (int32_t)by
                         : mode == DOWN  ? (int32_t)(lane + by)
                                         : (int32_t)(lane ^ by);
    const bool fits = mode == UP ? from >= (int32_t)last : from <= (int32_t)last;
    return fits ? (uint32_t)from : lane;
}

bool fh_shuffle_sources(const fhec_event *event, uint32_t source[FHEC_WARP_LANES]) {
    static const char *const modes[] = {"SHFL.IDX", "SHFL.UP", "SHFL.DOWN", "SHFL.BFLY"};
    uint32_t by[FHEC_WARP_LANES] = {0}, c[FHEC_WARP_LANES] = {0};
    fhec_instruction instruction;
    unsigned mode = 0;
    if (fhec_instruction_get(event->word, event->pc, &instruction) != FHEC_OK)
        return false;
    while (mode < 4 && strcmp(instruction.mnemonic, modes[mode]) != 0)
        mode++;
    if (mode == 4)
        return false;
    for (uint32_t i = 0; i < instruction.operand_count; i++) {
        if (strcmp(instruction.operands[i].name, "B") == 0)
            lane_values(event, &instruction.operands[i], by);
        else if (strcmp(instruction.operands[i].name, "C") == 0)
            lane_values(event, &instruction.operands[i], c);
    }
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        source[l] = source_of((enum mode)mode, l, by[l] & 31, c[l]);
    return true;
}
