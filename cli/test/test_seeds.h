/*
 * test_seeds.h - what a case leaves on two machines that differ in everything that a program must
 * not rely on (fh_cli_machine_seed): the same, if it is right.
 */
#ifndef FH_CLI_TEST_SEEDS_H
#define FH_CLI_TEST_SEEDS_H

#include "test_parts.h"

/* The buffers as the lines have made them, for one more run. */
void fh_cli_test_reset(struct fh_cli_test_parts *test);

/* After a run on the machine of the first seed, whose results the buffers hold: runs the case again
 * and sets `varies`, said, if what comes of it depends on the machine. That is so if the case holds
 * on one of them and not on the other, or if a byte that was written in either is another one. */
fhec_status fh_cli_test_vary(struct fh_cli_test_parts *test);

#endif
