/*
 * dap_memory.c - global memory as bytes, and code as instructions.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dap_base64.h"
#include "dap_code.h"
#include "dap_parts.h"
#include "options.h"

enum { MEMORY_MOST = 16 << 20, INSTRUCTIONS_MOST = 65536, WORD = 16 };

static bool read_address(struct fh_dap *dap, const json_t *arguments, uint64_t *address) {
    const char *reference = fh_dap_string(arguments, "memoryReference");
    if (fh_cli_number(reference, address)) {
        *address += (uint64_t)fh_dap_int(arguments, "offset");
        return true;
    }
    return fh_dap_fail(dap, FH_DAP_NO_SUCH, "no memory has the reference \"%.100s\"", reference);
}

/* As many bytes as there are from `address` on, up to `count`; NULL: no host memory. */
static uint8_t *read_bytes(struct fh_dap *dap, uint64_t address, size_t count, size_t *got) {
    fhec_session *session = fh_debugger_session(dap->debugger);
    uint8_t *bytes = malloc(count + 1);
    *got = 0;
    if (!bytes || !session)
        return bytes;
    size_t step = 1;
    while (step < count)
        step *= 2;
    for (; step; step /= 2)
        while (*got + step <= count &&
               fhec_session_read(session, FHEC_SPACE_GLOBAL, 0, NULL, address + *got, bytes + *got,
                                 step) == FHEC_OK)
            *got += step;
    return bytes;
}

bool fh_dap_read_memory(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    uint64_t address;
    size_t got;
    const json_int_t count = fh_dap_int(arguments, "count");
    if (!read_address(dap, arguments, &address))
        return false;
    if (count < 0 || count > MEMORY_MOST)
        return fh_dap_fail(dap, FH_DAP_ARGUMENTS, "readMemory: count is not in 0 to %d",
                           MEMORY_MOST);
    uint8_t *bytes = read_bytes(dap, address, (size_t)count, &got);
    char *text = bytes ? fh_dap_base64(bytes, got) : NULL;
    free(bytes);
    if (!text)
        return fh_dap_fail(dap, FH_DAP_REFUSED, "no memory for so many bytes");
    *body = json_pack("{s:o, s:I}", "address", fh_dap_format("0x%016" PRIx64, address),
                      "unreadableBytes", count - (json_int_t)got);
    if (got)
        json_object_set_new(*body, "data", json_string(text));
    free(text);
    return true;
}

bool fh_dap_write_memory(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    uint64_t address;
    size_t count;
    if (!read_address(dap, arguments, &address))
        return false;
    uint8_t *bytes = fh_dap_base64_read(fh_dap_string(arguments, "data"), &count);
    if (!bytes)
        return fh_dap_fail(dap, FH_DAP_ARGUMENTS, "writeMemory: data is no base64");
    const fhec_status status = fh_debugger_set_memory(dap->debugger, FHEC_SPACE_GLOBAL, 0, NULL,
                                                      address, bytes, count, NULL);
    free(bytes);
    if (status != FHEC_OK)
        return fh_dap_model_fail(dap, FH_DAP_REFUSED);
    *body = json_pack("{s:I}", "bytesWritten", (json_int_t)count);
    if (dap->wants_invalidated)
        fh_dap_event(dap, "invalidated", json_pack("{s:[s]}", "areas", "variables"));
    return true;
}

/* ---------------------------------------------------------------- instructions */

/* The word of the kernel, or, in the launch under way, what it is patched with. */
static fhec_word word_of(struct fh_dap *dap, const struct fh_dap_code *code) {
    fhec_launch launch;
    const struct fh_debug_time now = fh_debugger_time(dap->debugger);
    const struct fh_debug_patch *patch = fh_debugger_patched(dap->debugger, now, code->pc);
    const bool here = fh_debugger_launch(dap->debugger, now.launch, &launch, NULL) &&
                      launch.program == code->program && launch.kernel == code->kernel;
    return patch && here ? patch->word : code->info.words[code->pc / WORD];
}

static json_t *instruction_json(struct fh_dap *dap, const struct fh_dap_code *code,
                                const char **file) {
    fhec_instruction instruction;
    const uint32_t word = (uint32_t)(code->pc / WORD);
    const fhec_word bits = word_of(dap, code);
    json_t *json = json_pack("{s:o, s:o}", "address", fh_dap_code_json(code), "instructionBytes",
                             fh_dap_format("%016" PRIx64 " %016" PRIx64, bits.lo, bits.hi));
    const bool known = fhec_instruction_get(bits, code->pc, &instruction) == FHEC_OK;
    json_object_set_new(json, "instruction",
                        known ? fh_dap_text(instruction.text) : json_string("no instruction"));
    if (!known)
        json_object_set_new(json, "presentationHint", json_string("invalid"));
    if (!code->pc)
        json_object_set_new(json, "symbol", fh_dap_text(code->info.name));
    const fhec_location at = fhec_kernel_location(code->program, code->kernel, word);
    if (!at.file)
        return json;
    json_object_set_new(json, "line", json_integer((json_int_t)at.line - dap->lines_from_0));
    if (!*file || strcmp(*file, at.file) != 0)
        json_object_set_new(json, "location", fh_dap_source_json(dap, at.file));
    *file = at.file;
    return json;
}

/* Exactly as many as were asked for: those outside the kernel are invalid ones. */
bool fh_dap_disassemble(struct fh_dap *dap, const json_t *arguments, json_t **body) {
    struct fh_dap_code code;
    const char *reference = fh_dap_string(arguments, "memoryReference");
    const json_int_t count = fh_dap_int(arguments, "instructionCount");
    const json_int_t skip = fh_dap_int(arguments, "instructionOffset");
    uint64_t address = 0;
    const bool good = fh_cli_number(reference, &address);
    address += (uint64_t)fh_dap_int(arguments, "offset");
    if (!good || address < FH_DAP_CODE ||
        !fh_dap_code_number(dap, (size_t)((address - FH_DAP_CODE) >> 32), &code))
        return fh_dap_fail(dap, FH_DAP_NO_SUCH, "no code has the reference \"%.100s\"", reference);
    if (count < 0 || count > INSTRUCTIONS_MOST)
        return fh_dap_fail(dap, FH_DAP_ARGUMENTS, "disassemble: instructionCount is not in 0 to %d",
                           INSTRUCTIONS_MOST);
    const char *file = NULL;
    json_t *list = json_array();
    for (json_int_t i = 0; i < count; i++) {
        /* Wraps where the numbers are absurd; then it is no instruction either. */
        const uint64_t at = address + WORD * ((uint64_t)skip + (uint64_t)i);
        code.pc = at - FH_DAP_CODE - ((uint64_t)code.number << 32);
        if (code.pc % WORD == 0 && code.pc / WORD < code.info.word_count)
            json_array_append_new(list, instruction_json(dap, &code, &file));
        else
            json_array_append_new(list, json_pack("{s:o, s:s, s:s}", "address",
                                                  fh_dap_format("0x%016" PRIx64, at), "instruction",
                                                  "no instruction", "presentationHint", "invalid"));
    }
    *body = json_pack("{s:o}", "instructions", list);
    return true;
}
