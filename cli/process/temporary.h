/*
 * temporary.h - files that become an output when they are complete, and what a signal that ends the
 * process does about them: it removes them.
 */
#ifndef FH_CLI_TEMPORARY_H
#define FH_CLI_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on signals that end the process remove its temporary files first. A file that grows
 * beyond the limit of the process (SIGXFSZ) is an error of write() instead. Once, by main. */
void fh_cli_signals_begin(void);

/* The handler of these signals: removes the files and ends the process by `number`, or, while an
 * output is held, lets it be completed first. Async-signal-safe. A command that has a use for
 * SIGINT installs a handler of its own, and calls this one when it is in earnest. */
void fh_cli_end_by_signal(int number);

/* Between the two, a signal ends the process only at the end: what is written meanwhile replaces a
 * file's contents, and is not left half done. */
void fh_cli_signals_hold(void);
void fh_cli_signals_release(void);

/* Makes an empty file with `mode`, less the umask, in the folder of `target`; its path is malloc'd.
 * The descriptor is open for writing. -1 with errno on failure. */
int fh_cli_temporary_make(const char *target, mode_t mode, char **path);
/* Renames the file to `target`, or removes it. The path is freed. False with errno on failure. */
bool fh_cli_temporary_move(char *path, const char *target);
void fh_cli_temporary_remove(char *path);

#endif
