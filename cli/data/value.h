/*
 * value.h - values of parameters, variables and parts of buffers, from their text.
 */
#ifndef FH_CLI_VALUE_H
#define FH_CLI_VALUE_H

#include "buffers.h"

/* Where a value goes: `size` bytes. A number without a type fills a `whole` destination; elsewhere
 * it needs one, and takes as many bytes as its type has. */
struct fh_cli_destination {
    const char *what; /* for messages: "parameter p", "variable v" */
    uint8_t *bytes;
    uint64_t size;
    bool whole;
    uint64_t used; /* set: how many bytes of it the value has */
};

/* Puts a value there:
 *
 *     17, 0x11, -3            a number, in two's complement
 *     u8:, u16:, u32:, u64:   the same with a type
 *     f32:1.5, f64:1e-3       a floating point number
 *     @FILE                   bytes; all of a whole destination unless `shorter` is allowed
 *     bytes:00ff12            the same, as pairs of hexadecimal digits
 *     modulus:Q               FHEC's descriptor in 16 bytes: {u32 q, u32 0, u64 floor(2^64 / q)}
 *     address:BUFFER[+OFFSET] in 8 bytes; address: may be left out
 *
 * What is wrong has been said. */
fhec_status fh_cli_put_value(const struct fh_cli *cli, struct fh_cli_memory *memory,
                             const char *text, struct fh_cli_destination *to, bool shorter);
/* BUFFER[+OFFSET], or a number, in 8 bytes. */
fhec_status fh_cli_put_address(const struct fh_cli *cli, struct fh_cli_memory *memory,
                               const char *text, uint8_t *to);
/* Notes that a value which is put later, into a variable, refers to a buffer, if it does. */
fhec_status fh_cli_note_address(const struct fh_cli *cli, struct fh_cli_memory *memory,
                                const char *text);
/* Cuts "+OFFSET" off a name. False: what follows the + is no number. */
bool fh_cli_cut_offset(char *name, uint64_t *offset, bool *given);

#endif
