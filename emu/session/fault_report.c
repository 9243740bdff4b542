/*
 * fault_report.c - the whole story of a fault, from the record that the handler left.
 */
#include "location.h"
#include "machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *fhec_fault_name(fhec_fault_kind kind) {
    static const char *const names[] = {
        [FHEC_FAULT_NONE] = "no fault",
        [FHEC_FAULT_OUT_OF_BOUNDS] = "out of bounds",
        [FHEC_FAULT_MISALIGNED] = "misaligned address",
        [FHEC_FAULT_FREED] = "use of released memory",
        [FHEC_FAULT_READ_ONLY] = "store to read-only memory",
        [FHEC_FAULT_REGISTER] = "bad register",
        [FHEC_FAULT_LANES] = "inactive lanes",
        [FHEC_FAULT_MODULUS] = "bad modulus",
        [FHEC_FAULT_ILLEGAL] = "illegal instruction",
        [FHEC_FAULT_DEADLOCK] = "deadlock",
        [FHEC_FAULT_STEP_LIMIT] = "step limit",
        [FHEC_FAULT_TRAP] = "trap",
    };
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown fault";
}

/* Copies text that may not fit. */
static const char *keep(char *to, size_t size, const char *from) {
    snprintf(to, size, "%s", from);
    return to;
}

/* Where the instruction was written, and how that came to be read. */
static void add_source(fhec_machine *machine, const struct fh_image *image, uint32_t word) {
    fhec_fault *fault = &machine->fault;
    struct fh_fault_text *text = &machine->fault_text;
    fhec_expansion list[FHEC_MAX_EXPANSIONS];
    fault->source = fhec_kernel_location(image->program, image->kernel, word);
    if (!fault->source.file)
        return;
    fault->source.file = keep(text->file, sizeof text->file, fault->source.file);
    const size_t count =
        fhec_kernel_expansions(image->program, image->kernel, word, list, FHEC_MAX_EXPANSIONS);
    free(machine->fault_expansions);
    machine->fault_expansions = fh_expansions_copy(list, count);
    fault->expansions = machine->fault_expansions;
    fault->expansion_count = machine->fault_expansions ? count : 0;
}

void fh_machine_report(fhec_machine *machine, const struct fh_image *image,
                       const struct fh_fault_record *record) {
    struct fh_fault_text *text = &machine->fault_text;
    uint32_t pc = record->op->pc;
    fhec_fault *fault = &machine->fault;
    *fault = (fhec_fault){
        .kind = record->kind,
        .kernel = keep(text->kernel, sizeof text->kernel, image->code->name),
        .pc = pc,
        .block = {(uint32_t)(record->block % image->grid[0]),
                  (uint32_t)(record->block / image->grid[0] % image->grid[1]),
                  (uint32_t)(record->block / image->grid[0] / image->grid[1])},
        .warp = record->warp,
        .lanes = record->lanes,
        .has_address = record->has_address,
        .address = record->address,
        .space = record->space,
        .message = keep(text->message, sizeof text->message, record->message),
    };
    add_source(machine, image, pc / FH_INST_BYTES);
    if (!record->op->inst)
        fault->text = keep(text->text, sizeof text->text, "(no instruction)");
    else if (fh_print(record->op->inst, pc, 0, text->text, sizeof text->text) >= 0)
        fault->text = text->text;
    if (record->has_address && strcmp(record->space, "global") == 0) {
        fh_memory_nearest(&machine->memory, record->address, text->nearest, sizeof text->nearest);
        fault->nearest = *text->nearest ? text->nearest : NULL;
    }
}

size_t fhec_format_fault(const fhec_fault *fault, char *text, size_t size) {
    struct fh_fixed_text to = {text, size, 0};
    if (fault->source.file)
        fh_fixed_print(&to, "%s:%" PRIu32 ":%" PRIu32 ": ", fault->source.file, fault->source.line,
                       fault->source.column);
    fh_fixed_print(&to, "guest fault: %s: %s\n", fhec_fault_name(fault->kind),
                   fault->message ? fault->message : "");
    fh_fixed_print(&to, "  kernel       %s, pc 0x%04" PRIx64 "\n",
                   fault->kernel ? fault->kernel : "?", fault->pc);
    fh_fixed_print(&to, "  instruction  %s\n", fault->text ? fault->text : "?");
    if (fault->source.file && fault->expansion_count) {
        fh_fixed_puts(&to, "  source       ");
        fh_put_location(&to, &fault->source, fault->expansions, fault->expansion_count);
        fh_fixed_puts(&to, "\n");
    }
    fh_fixed_print(&to,
                   "  block        (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "), warp %" PRIu32
                   ", lanes 0x%08" PRIx32 "\n",
                   fault->block[0], fault->block[1], fault->block[2], fault->warp, fault->lanes);
    if (fault->has_address)
        fh_fixed_print(&to, "  address      0x%" PRIx64 " in %s memory%s%s\n", fault->address,
                       fault->space, fault->nearest ? ", " : "",
                       fault->nearest ? fault->nearest : "");
    return fh_fixed_end(&to);
}
