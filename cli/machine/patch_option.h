/*
 * patch_option.h - words in the place of a kernel's, as a person writes them on the command line
 * and in the debugger:
 *
 *     KERNEL+PC INSTRUCTION [launch N]        ntt_rows+0x1d0 IADD3 R4, R5, -R6, RZ launch 17
 *     KERNEL+PC .inst LOW, HIGH [launch N]    a word as it is, bits 63:0 first
 */
#ifndef FH_CLI_PATCH_OPTION_H
#define FH_CLI_PATCH_OPTION_H

#include <argp.h>

#include "cli.h"

struct fh_cli_patch {
    char kernel[200];
    uint64_t pc;
    uint64_t launch; /* from 1; 0: all */
    fhec_word word;
    char instruction[300]; /* its text */
};
enum { FH_CLI_PATCHES = 16 };
struct fh_cli_patches {
    struct fh_cli_patch list[FH_CLI_PATCHES];
    size_t count;
};

/* Takes " launch N" off the end of the text: its number, 0 without one. */
uint64_t fh_cli_patch_launch(char *text);
/* Reads "KERNEL+PC"; false: it is not that. */
bool fh_cli_patch_place(const char *word, struct fh_cli_patch *patch);
/* Reads ".inst LOW, HIGH"; false: it is not that. */
bool fh_cli_patch_word(const char *text, fhec_word *word);

/* The option's argument; what is wrong ends the process. */
void fh_cli_patch_option(const struct argp_state *state, const char *arg,
                         struct fh_cli_patches *patches);
/* Has them in the launches of the machine. */
fhec_status fh_cli_patches_apply(const struct fh_cli *cli, const struct fh_cli_patches *patches,
                                 fhec_machine *machine);
/* After the machine's launches: a patch that none of them had is an error, which is said. */
fhec_status fh_cli_patches_check(const struct fh_cli *cli, const struct fh_cli_patches *patches,
                                 const fhec_machine *machine);

#endif
