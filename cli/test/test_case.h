/*
 * test_case.h - the expectations of a kernel, as text beside it, and what they mean.
 *
 * A case is a run of lines; the first one opens it. They stand in the source as `.test LINE`, or
 * without the `.test` in a file NAME.test beside NAME.sass, where # begins a comment.
 *
 *     case NAME [kernel K] grid X[,Y[,Z]] block X[,Y[,Z]] [shared BYTES]
 *     arg NAME VALUE                              a number, modulus:Q or @FILE, as in `fhec run`
 *     in|inout NAME TYPE[COUNT] SOURCE            a buffer with data
 *     out NAME TYPE[COUNT]                        a new buffer: what is there is the machine's
 *     expect NAME golden FUNCTION ... [hash HEX]  what the reference computes from the inputs
 *     expect NAME reference FILE FUNCTION ARGUMENT... [hash HEX]
 *                                                 what the user's own computes (test_reference.h)
 *     expect NAME values V,V,... | file PATH | hash HEX
 *     fault KIND                                  the run must end so: "out of bounds", ...; what
 *                                                 is expected of buffers then holds at the fault
 *
 * TYPE is u32 or u64. SOURCE, where Q,Q,... gives each limb its modulus (limbs lie one after
 * another and share COUNT evenly) and S is a seed:
 *
 *     random [below Q,...] [seed S]     max below Q,...      one-hot below Q,... [seed S]
 *     alternating below Q,...           ramp [below Q,...]   zeros
 *     values V,V,...                    file PATH            moduli Q,...
 *
 * `moduli` gives 16 bytes {q, 0, floor(2^64/q)} each, the descriptor of FHEC, as four u32.
 * FUNCTION with the buffers that it takes, in the state before the run:
 *
 *     add|sub|mul A B mod Q,...         mac A B C mod Q,...        copy A
 *     ntt|intt A mod Q,... [psi W,...] [order natural]
 *     bconv A from P,... to Q,...       matmul A B [C] shape M,N,K mod Q[,Q...]
 *
 * A word that is none of these is an error, with the nearest one.
 */
#ifndef FH_CLI_TEST_CASE_H
#define FH_CLI_TEST_CASE_H

#include <jansson.h>

#include "check_run.h"
#include "machine_options.h"
#include "profile_run.h"
#include "program_file.h"
#include "test_line.h"

/* How a case ended. */
enum fh_cli_verdict {
    FH_CLI_PASSED,
    FH_CLI_FAILED,
    FH_CLI_VARIES, /* what it leaves depends on the seed of the machine */
    FH_CLI_FOUND,  /* by checkers, or lint */
    FH_CLI_MALFORMED,
    FH_CLI_VERDICTS
};

struct fh_cli_test_run {
    const struct fh_cli *cli;
    const struct fh_cli_machine *machine;
    const struct fh_cli_check_options *check;
    struct fh_cli_profile *profile; /* NULL: none is wanted */
    const fhec_program *program;
    const struct fh_cli_source *source; /* of the program */
    const char *python;                 /* the interpreter of references */
    bool update;      /* hashes of references that differ are noted, and no failure */
    bool interrupted; /* by Ctrl-C: no more is to be run, and nothing changed */
    json_t *result;   /* an object with the arrays `differences` (of the first elements) and
                         `updates` ({line: number of the line in the case, hash}), and the
                         object `fault`, which the case fills; with `sarif`, an array for the
                         results of checkers, if those are wanted */
};

/* Runs the case of lines[0..count), whose first line is a `case`. */
enum fh_cli_verdict fh_cli_test_case(struct fh_cli_test_run *run,
                                     const struct fh_cli_test_line *lines, size_t count);

/* Instead, answers what `fhec why` asks of it (why_run.h). What is wrong has been said. */
fhec_status fh_cli_test_why(struct fh_cli_test_run *run, const struct fh_cli_test_line *lines,
                            size_t count);
/* Instead, has the face of cli->debug look at it (debug_target.h). What is wrong has been said. */
fhec_status fh_cli_test_debug(struct fh_cli *cli, struct fh_cli_test_run *run,
                              const struct fh_cli_test_line *lines, size_t count);

#endif
