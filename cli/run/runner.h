/*
 * runner.h - what `fhec run` runs, for commands that take its options and look closer: why,
 * compare, probe.
 */
#ifndef FH_CLI_RUNNER_H
#define FH_CLI_RUNNER_H

#include "run_options.h"

struct fh_cli_runner;

/* Loads the program and prepares buffers and launches; nothing has run. The options must live as
 * long. What is wrong has been said. Output files are not written. */
fhec_status fh_cli_runner_open(struct fh_cli *cli, struct fh_cli_run_options *given,
                               struct fh_cli_runner **runner);
/* The same for commands that look at something of their own: an error if checks, a profile or a
 * trace are asked for. */
fhec_status fh_cli_runner_open_unwatched(struct fh_cli *cli, struct fh_cli_run_options *given,
                                         struct fh_cli_runner **runner);
/* Allocates, launches, and reads the buffers back; any number of times, each on a machine of its
 * own and from the same data. */
fhec_status fh_cli_runner_launch(struct fh_cli_runner *runner, fhec_machine *machine);
struct fh_cli_memory *fh_cli_runner_memory(struct fh_cli_runner *runner);
void fh_cli_runner_close(struct fh_cli_runner *runner); /* NULL is allowed */

/* Splits "BUFFER[i]" or "BUFFER[row, column]" and finds the buffer and the element. */
fhec_status fh_cli_find_element(const struct fh_cli *cli, const struct fh_cli_memory *memory,
                                const char *text, const struct fh_cli_buffer **buffer,
                                size_t *index);
/* "x[13]", "x[3, 5]": of a buffer of that name, so many bytes from its beginning. What is no such
 * buffer, or all if `memory` is NULL, has elements of `width` bytes; 0: "x+52". */
void fh_cli_element_name(const struct fh_cli_memory *memory, const char *name, uint64_t offset,
                         uint32_t width, char *text, size_t size);

#endif
