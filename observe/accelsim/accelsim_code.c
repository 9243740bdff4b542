/*
 * accelsim_code.c - see accelsim_code.h.
 */
#include "accelsim_code.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCES = 4, A_LINE = 8 };

void fh_accelsim_code_free(struct fh_accelsim_code *code) {
    free(code->words);
    free(code->bits);
    fh_trace_bytes_free(&code->texts);
    *code = (struct fh_accelsim_code){0};
}

void fh_accelsim_code_restart(struct fh_accelsim_code *code) {
    code->count = code->texts.count = 0;
}

/* A register R that the operand reads: itself, or of an address or an index; FHEC_NO_REGISTER. */
static uint16_t source_of(const fhec_operand *o) {
    const bool has = o->kind == FHEC_OPERAND_REGISTER || o->kind == FHEC_OPERAND_ADDRESS ||
                     o->kind == FHEC_OPERAND_CONSTANT;
    return has && o->read ? o->reg : FHEC_NO_REGISTER;
}

static void put_registers(struct fh_trace_bytes *to, const fhec_instruction *i,
                          const char *mnemonic) {
    uint16_t destination = FHEC_NO_REGISTER, sources[SOURCES];
    unsigned count = 0;
    for (uint32_t k = 0; k < i->operand_count; k++) {
        const fhec_operand *o = &i->operands[k];
        const uint16_t source = source_of(o);
        if (o->kind == FHEC_OPERAND_REGISTER && o->written && destination == FHEC_NO_REGISTER)
            destination = o->reg;
        if (source != FHEC_NO_REGISTER && count < SOURCES)
            sources[count++] = source;
    }
    if (destination != FHEC_NO_REGISTER)
        fh_trace_print(to, " 1 R%u %s %u ", destination, mnemonic, count);
    else
        fh_trace_print(to, " 0 %s %u ", mnemonic, count);
    for (unsigned k = 0; k < count; k++)
        fh_trace_print(to, "R%u ", sources[k]);
}

/* Of a barrier the number; else the last immediate operand. */
static void say_immediate(struct fh_accelsim_word *w, const fhec_instruction *i) {
    if (w->opcode.barrier && i->operand_count) {
        w->asks = i->operands[0].kind != FHEC_OPERAND_IMMEDIATE;
        w->immediate = w->asks ? 0 : (int32_t)i->operands[0].value;
        return;
    }
    for (uint32_t k = 0; k < i->operand_count; k++)
        if (i->operands[k].kind == FHEC_OPERAND_IMMEDIATE)
            w->immediate = (int32_t)i->operands[k].value;
}

void fh_accelsim_code_add(struct fh_accelsim_code *code, fhec_word word, bool imma) {
    static const char unit[] = "FHEC.16816", other[] = "IMMA.16816.U8.U8";
    fhec_instruction i = {.mnemonic = "NOP"};
    if (!fh_trace_room(&code->words, &code->room, code->count + 1, sizeof *code->words) ||
        !fh_trace_room(&code->bits, &code->bit_room, code->count + 1, sizeof *code->bits)) {
        code->texts.failed = true;
        return;
    }
    if (fhec_instruction_get(word, code->count * sizeof word, &i) != FHEC_OK)
        i = (fhec_instruction){.mnemonic = "NOP"}; /* it is never executed */
    const bool renamed = imma && strncmp(i.mnemonic, unit, strlen(unit)) == 0;
    const char *mnemonic = renamed ? other : i.mnemonic;
    struct fh_accelsim_word *w = &code->words[code->count];
    *w = (struct fh_accelsim_word){.begin = code->texts.count};
    w->opcode = fh_accelsim_opcode(mnemonic, strlen(mnemonic));
    say_immediate(w, &i);
    put_registers(&code->texts, &i, mnemonic);
    w->length = code->texts.count - w->begin;
    code->bits[code->count++] = word;
}

void fh_accelsim_code_put(const struct fh_accelsim_code *code, struct fh_trace_bytes *to) {
    for (size_t i = 0; i < code->count; i++) {
        if (i % A_LINE == 0)
            fh_trace_print(to, "%s-fhec code %04zx =", i ? "\n" : "", i * sizeof(fhec_word));
        fh_trace_print(to, " %016llx:%016llx", (unsigned long long)code->bits[i].lo,
                       (unsigned long long)code->bits[i].hi);
    }
    if (code->count)
        fh_trace_put_byte(to, '\n');
}
