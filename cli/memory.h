/*
 * memory.h - the named buffers of a run, and values that may be addresses in them.
 *
 * Addresses are known only when the buffers lie in a machine. So a value that is one leaves zeros
 * where it goes, and a note (struct fh_cli_fixup) for fh_cli_memory_place to fill it in.
 */
#ifndef FH_CLI_MEMORY_H
#define FH_CLI_MEMORY_H

#include "cli.h"

/* Global memory with a name. The data go to the guest before the first launch and, unless
 * read_only, come back after the last one. */
struct fh_cli_buffer {
    const char *name;
    struct fh_cli_data data;
    bool read_only;
    bool used;        /* a parameter or a value refers to it */
    uint64_t address; /* once placed */
};

/* 8 bytes that become the address of a buffer and so many bytes more. */
struct fh_cli_fixup {
    uint8_t *to;
    size_t buffer;
    uint64_t more;
};

struct fh_cli_memory {
    struct fh_cli_buffer *buffers;
    size_t buffer_count;
    struct fh_cli_fixup *fixups;
    size_t fixup_count;
};

/* Index of the buffer; buffer_count if none has the name. */
size_t fh_cli_memory_find(const struct fh_cli_memory *memory, const char *name);
/* Notes that the 8 bytes at `to`, which must stay where they are, are an address. */
fhec_status fh_cli_memory_fix(const struct fh_cli *cli, struct fh_cli_memory *memory, uint8_t *to,
                              size_t buffer, uint64_t more);
/* Allocates the buffers in the machine, fills in all addresses and copies the data. */
fhec_status fh_cli_memory_place(struct fh_cli_memory *memory, fhec_machine *machine);
/* Copies the data back and releases the buffers. */
fhec_status fh_cli_memory_collect(struct fh_cli_memory *memory, fhec_machine *machine);
void fh_cli_memory_free(struct fh_cli_memory *memory); /* data and notes; not the array */

/* Where a value goes: `size` bytes. A number without a type fills a `whole` place; elsewhere it
 * needs one, and takes as many bytes as its type has. */
struct fh_cli_place {
    const char *what; /* for messages: "parameter p", "variable v" */
    uint8_t *to;
    uint64_t size;
    bool whole;
};

/* Puts a value there:
 *
 *     17, 0x11, -3            a number, in two's complement
 *     u8:, u16:, u32:, u64:   the same with a type
 *     f32:1.5, f64:1e-3       a floating point number
 *     @FILE                   bytes; all of a whole place unless `shorter` is allowed
 *     modulus:Q               FHEC's descriptor in 16 bytes: {u32 q, u32 0, u64 floor(2^64 / q)}
 *     address:BUFFER[+OFFSET] in 8 bytes
 *
 * What is wrong has been said. */
fhec_status fh_cli_put_value(const struct fh_cli *cli, struct fh_cli_memory *memory,
                             const char *text, const struct fh_cli_place *place, bool shorter);
/* BUFFER[+OFFSET], or a number, in 8 bytes. */
fhec_status fh_cli_put_address(const struct fh_cli *cli, struct fh_cli_memory *memory,
                               const char *text, uint8_t *to);
/* Notes that a value which is put later, into a variable, refers to a buffer, if it does. */
fhec_status fh_cli_note_address(const struct fh_cli *cli, struct fh_cli_memory *memory,
                                const char *text);
/* Cuts "+OFFSET" off a name. False: what follows the + is no number. */
bool fh_cli_cut_offset(char *name, uint64_t *offset, bool *given);

#endif
