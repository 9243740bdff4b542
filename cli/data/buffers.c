/*
 * buffers.c - buffers: into a machine and back.
 */
#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "elements.h"
#include "message.h"

size_t fh_cli_memory_find(const struct fh_cli_memory *memory, const char *name) {
    size_t i = 0;
    while (i < memory->buffer_count && strcmp(memory->buffers[i].name, name) != 0)
        i++;
    return i;
}

fhec_status fh_cli_memory_fix(const struct fh_cli *cli, struct fh_cli_memory *memory, uint8_t *to,
                              size_t buffer, uint64_t more) {
    struct fh_cli_fixup *fixups = fh_cli_more(memory->fixups, memory->fixup_count, sizeof *fixups);
    if (!fixups)
        return fh_cli_no_memory(cli);
    memory->fixups = fixups;
    fixups[memory->fixup_count++] = (struct fh_cli_fixup){to, buffer, more};
    memory->buffers[buffer].used = true;
    return FHEC_OK;
}

static size_t size_of(const struct fh_cli_buffer *buffer) {
    return buffer->data.count * buffer->data.width;
}

/* Copies the data that a launch can change. */
static fhec_status keep_data(struct fh_cli_memory *memory) {
    for (size_t i = 0; i < memory->buffer_count && memory->keep; i++) {
        struct fh_cli_buffer *buffer = &memory->buffers[i];
        if (buffer->read_only || buffer->before || !size_of(buffer))
            continue;
        buffer->before = malloc(size_of(buffer));
        if (!buffer->before)
            return FHEC_HOST_ERROR;
        memcpy(buffer->before, buffer->data.bytes, size_of(buffer));
    }
    return FHEC_OK;
}

fhec_status fh_cli_memory_restart(struct fh_cli_memory *memory) {
    for (size_t i = 0; i < memory->buffer_count; i++) {
        struct fh_cli_buffer *buffer = &memory->buffers[i];
        if (!buffer->before)
            continue;
        buffer->after = malloc(size_of(buffer));
        if (!buffer->after)
            return FHEC_HOST_ERROR;
        memcpy(buffer->after, buffer->data.bytes, size_of(buffer));
        memcpy(buffer->data.bytes, buffer->before, size_of(buffer));
    }
    return FHEC_OK;
}

void fh_cli_memory_return(struct fh_cli_memory *memory) {
    for (size_t i = 0; i < memory->buffer_count; i++) {
        struct fh_cli_buffer *buffer = &memory->buffers[i];
        if (buffer->after)
            memcpy(buffer->data.bytes, buffer->after, size_of(buffer));
        free(buffer->after);
        buffer->after = NULL;
    }
}

void fh_cli_memory_fill_in(struct fh_cli_memory *memory) {
    for (size_t i = 0; i < memory->fixup_count; i++) {
        const struct fh_cli_fixup *fixup = &memory->fixups[i];
        uint64_t address = memory->buffers[fixup->buffer].address + fixup->more;
        for (unsigned b = 0; b < 8; b++)
            fixup->to[b] = (uint8_t)(address >> (8 * b));
    }
}

fhec_status fh_cli_memory_allocate(struct fh_cli_memory *memory, fhec_machine *machine) {
    fhec_status status = keep_data(memory);
    for (size_t i = 0; i < memory->buffer_count && status == FHEC_OK; i++) {
        struct fh_cli_buffer *buffer = &memory->buffers[i];
        status = fhec_alloc(machine, buffer->name, size_of(buffer),
                            buffer->read_only ? FHEC_MEM_READ_ONLY : 0, &buffer->address);
    }
    if (status == FHEC_OK)
        fh_cli_memory_fill_in(memory);
    for (size_t i = 0; i < memory->buffer_count && status == FHEC_OK; i++) {
        const struct fh_cli_buffer *buffer = &memory->buffers[i];
        if (size_of(buffer) && !buffer->fresh)
            status = fhec_write(machine, buffer->address, buffer->data.bytes, size_of(buffer));
    }
    return status;
}

fhec_status fh_cli_memory_read_back(struct fh_cli_memory *memory, fhec_machine *machine) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < memory->buffer_count && status == FHEC_OK; i++) {
        struct fh_cli_buffer *buffer = &memory->buffers[i];
        if (!buffer->read_only && size_of(buffer))
            status = fhec_read(machine, buffer->address, buffer->data.bytes, size_of(buffer));
        if (status == FHEC_OK)
            status = fhec_release(machine, buffer->address);
    }
    return status;
}

void fh_cli_memory_free(struct fh_cli_memory *memory) {
    for (size_t i = 0; i < memory->buffer_count; i++) {
        fh_cli_data_free(&memory->buffers[i].data);
        free(memory->buffers[i].before);
        memory->buffers[i].before = NULL;
    }
    free(memory->fixups);
    memory->fixups = NULL;
    memory->fixup_count = 0;
}
