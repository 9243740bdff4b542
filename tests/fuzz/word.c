/*
 * word.c - fuzzing the decoder: 16 bytes a word, little-endian, low half first.
 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

static bool same(fhec_word a, fhec_word b) {
    return a.lo == b.lo && a.hi == b.hi;
}

static const char *check_word(fhec_word word, uint64_t pc, char shown[FUZZ_SHOWN]) {
    struct fh_inst inst;
    char text[400];
    bool known = fh_decode(word, &inst);
    snprintf(shown, FUZZ_SHOWN, "word 0x%016llx%016llx", (unsigned long long)word.hi,
             (unsigned long long)word.lo);
    int length = fhec_disassemble(word, pc, FHEC_DIS_CONTROL, text, sizeof text);
    if (known != (length >= 0))
        return "decoder and disassembler disagree on whether this is an instruction";
    if (!known)
        return NULL;
    if (length <= 0 || (size_t)length >= sizeof text || (size_t)length != strlen(text))
        return "the length of the text is wrong";
    if (!same(fh_encode(&inst), word))
        return "the word does not come back from the decoder";
    (void)fhec_disassemble(word, pc, FHEC_DIS_CONTROL | FHEC_DIS_EXACT, text, sizeof text);
    snprintf(shown, FUZZ_SHOWN, "word 0x%016llx%016llx at 0x%llx: %s", (unsigned long long)word.hi,
             (unsigned long long)word.lo, (unsigned long long)pc, text);
    fhec_word again = {0, 0};
    if (fhec_assemble_word(text, pc, NULL, NULL, &again) != FHEC_OK)
        return "the text does not assemble";
    if (!same(again, word))
        return "the text assembles to another word";
    return NULL;
}

const char *fuzz_word(const uint8_t *bytes, size_t length, char shown[FUZZ_SHOWN]) {
    for (size_t at = 0; at + FH_INST_BYTES <= length && at < 64 * FH_INST_BYTES;
         at += FH_INST_BYTES) {
        fhec_word word;
        memcpy(&word.lo, bytes + at, 8);
        memcpy(&word.hi, bytes + at + 8, 8);
        /* An address that the bytes choose, far enough from 0 for most targets. */
        uint64_t pc = (uint64_t)bytes[at] << 16 | (uint64_t)bytes[at + 15] << 4;
        const char *wrong = check_word(word, pc, shown);
        if (wrong)
            return wrong;
    }
    return NULL;
}
