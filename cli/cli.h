/*
 * cli.h - what the subcommands of the tool share: messages, files, numbers, programs, machines.
 *
 * The tool is arguments, files and printing; all meaning is in the library. Its streams: stdout
 * carries what was asked for (a listing, a hash, statistics), stderr everything said to a person.
 * Every command returns the exit status of the process, a fhec_status.
 */
#ifndef FH_CLI_H
#define FH_CLI_H

#include <argp.h>
#include <stdarg.h>
#include <stdio.h>

#include "fhec.h"

/* Settings of one run of the tool, made by main and the options that every command takes. */
struct fh_cli {
    const char *command; /* "fhec ntt": begins every message */
    bool json;           /* --diag=json: messages on stderr are JSON objects, one a line */
    bool color;          /* stderr is a terminal that wants colours */
    bool terminal;       /* stderr is a terminal: show progress */
    const char *file;    /* of the program: diagnostics that have no place are about it */
    bool silent;         /* messages are not wanted: a fault that is expected */
    unsigned launch;     /* which launch of several the messages are about; 0: no one of several */
};

typedef fhec_status fh_cli_command(struct fh_cli *cli, int argc, char **argv);
fh_cli_command fh_cli_as, fh_cli_dis, fh_cli_lint, fh_cli_run, fh_cli_ntt, fh_cli_bconv,
    fh_cli_eltwise, fh_cli_bigint, fh_cli_ckks, fh_cli_report_command, fh_cli_layout, fh_cli_isa,
    fh_cli_test;

/* ---------------------------------------------------------------- messages (message.c) */

/* Says "fhec ntt: error: ..." (or a JSON object) and returns `status`. */
fhec_status fh_cli_error(const struct fh_cli *cli, fhec_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Says "fhec ntt: ...". Not in JSON mode: nothing but diagnostics goes there. */
void fh_cli_note(const struct fh_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A fhec_diagnostic_fn whose user is a const struct fh_cli. */
void fh_cli_diagnostic(void *cli, const fhec_diagnostic *diagnostic);
/* Says the machine's fault or error that came with `status`, and returns it. */
fhec_status fh_cli_machine_error(const struct fh_cli *cli, const fhec_machine *machine,
                                 fhec_status status);
fhec_status fh_cli_no_memory(const struct fh_cli *cli);
/* What a message about an unknown name ends with: `; did you mean "NEAR"?`, or nothing where `near`
 * is NULL (nearest.h finds it). */
struct fh_cli_hint {
    char text[300];
};
struct fh_cli_hint fh_cli_hint(const char *near);

/* ---------------------------------------------------------------- options (options.c)
 *
 * For argp: the message goes out through argp_error, which ends the process with status 2. */

extern const struct argp fh_cli_common_argp; /* --diag; its input is a struct fh_cli */

/* Parses with exit status 2 for usage errors. The name of the program is cli->command. */
void fh_cli_parse(struct fh_cli *cli, const struct argp *argp, int argc, char **argv, void *input);

/* An unsigned number, decimal or 0x; false if `text` is anything else or too large. */
bool fh_cli_number(const char *text, uint64_t *value);
/* The same, ending the process with a message that names the option and the range. */
uint64_t fh_cli_number_option(const struct argp_state *state, const char *option, const char *text,
                              uint64_t least, uint64_t most);
/* The same, of bytes: the number may end in K, M or G. */
uint64_t fh_cli_bytes_option(const struct argp_state *state, const char *option, const char *text,
                             uint64_t least, uint64_t most);
/* Numbers separated by commas, each in [least, most]; malloc'd, *count of them. */
uint64_t *fh_cli_list_option(const struct argp_state *state, const char *option, const char *text,
                             uint64_t least, uint64_t most, size_t *count);
/* The index of `text` among the NULL-terminated `names`. */
size_t fh_cli_choice_option(const struct argp_state *state, const char *option, const char *text,
                            const char *const *names);
/* "NAME=VALUE": a copy of NAME, and *value pointing into text. */
char *fh_cli_assignment_option(const struct argp_state *state, const char *option, const char *text,
                               const char **value);
/* Grows an array of `count` elements of `size` bytes so that one more fits; ends the process with
 * status 4 when there is no memory. Capacities are powers of two and follow from the count. */
void *fh_cli_grow(const struct argp_state *state, void *array, size_t count, size_t size);

/* ---------------------------------------------------------------- files in (input.c) */

/* Limits, in bytes: of sources, listings, objects and other texts; of data. */
#define FH_CLI_MAX_TEXT ((size_t)1 << 30)
#define FH_CLI_MAX_DATA ((size_t)16 << 30)

/* The whole file, a regular one or a pipe, "-" being stdin; malloc'd, with a NUL after it. */
fhec_status fh_cli_read_file(const struct fh_cli *cli, const char *path, char **bytes,
                             size_t *length);
fhec_status fh_cli_read_data(const struct fh_cli *cli, const char *path, char **bytes,
                             size_t *length);
/* The same without a message of its own: on false `why` says what is wrong. */
enum { FH_CLI_WHY = 200 };
bool fh_cli_try_read(const char *path, size_t most, char **bytes, size_t *length,
                     char why[FH_CLI_WHY]);

/* ---------------------------------------------------------------- files out (files.c) */

struct fh_cli_outputs; /* output.h */

/* ---------------------------------------------------------------- data files (data.c)
 *
 * Arrays of little-endian elements: raw, or NumPy's .npy by extension. */

enum { FH_CLI_MAX_DIMS = 8, FH_CLI_TYPE = 8 };
enum fh_cli_kind { FH_CLI_UNSIGNED, FH_CLI_SIGNED, FH_CLI_FLOAT, FH_CLI_BOOL };
struct fh_cli_data {
    uint8_t *bytes; /* count * width of them */
    size_t count;   /* elements */
    unsigned width; /* bytes of an element: 1, 2, 4 or 8 */
    enum fh_cli_kind kind;
    bool npy;
    unsigned dims; /* raw files: 1 */
    size_t shape[FH_CLI_MAX_DIMS];
};

/* Unsigned elements of 4 or 8 bytes. `width` says what those of a raw file are; of a .npy file it
 * is what they must be, or 0 if both widths will do. */
fhec_status fh_cli_data_read(const struct fh_cli *cli, const char *path, unsigned width,
                             struct fh_cli_data *data);
/* Elements of any type, as buffers of kernels hold them. `width` is that of a raw file; with 0 its
 * elements have 4 bytes or, if those do not fill it, one. */
fhec_status fh_cli_data_read_any(const struct fh_cli *cli, const char *path, unsigned width,
                                 struct fh_cli_data *data);
/* The same two from the contents of the file, malloc'd, which `data` has from then on; on failure
 * they are freed. `path` says what kind of file it is. */
fhec_status fh_cli_data_take(const struct fh_cli *cli, const char *path, unsigned width,
                             bool any_type, uint8_t *bytes, size_t length,
                             struct fh_cli_data *data);
/* The contents of an output file that has been added. */
fhec_status fh_cli_data_write(const struct fh_cli *cli, struct fh_cli_outputs *outputs,
                              const char *path, const struct fh_cli_data *data);
uint64_t fh_cli_data_get(const struct fh_cli_data *data, size_t index);
void fh_cli_data_set(struct fh_cli_data *data, size_t index, uint64_t value);
void fh_cli_data_free(struct fh_cli_data *data);
/* NumPy's name of the elements' type: "<u4". */
void fh_cli_data_type(const struct fh_cli_data *data, char text[FH_CLI_TYPE]);
/* Sets kind and width to what the command line calls "u32"; false if it is no type. */
bool fh_cli_data_named_type(const char *name, struct fh_cli_data *type);
/* Parses and makes .npy headers in memory, for the two above and their tests. On failure *why is
 * a sentence in static storage or in `text`. */
bool fh_cli_npy_parse(const uint8_t *bytes, size_t length, struct fh_cli_data *shape,
                      size_t *data_start, char *why, size_t why_size);
enum { FH_CLI_NPY_HEADER = 320 };
size_t fh_cli_npy_header(const struct fh_cli_data *data, uint8_t header[FH_CLI_NPY_HEADER]);

/* ---------------------------------------------------------------- programs (load.c) */

/* What was read under a name that the program knows: from which path, the last time, and the text,
 * ended by a NUL. NULL: there were several. */
struct fh_cli_text {
    char *name, *path, *text;
};
/* A file with a program; include_dirs and defines serve the assembler. */
struct fh_cli_source {
    const char *path;
    const char **include_dirs;
    size_t include_count;
    const char **defines;
    size_t define_count;
    struct fh_cli_text *texts; /* a source that was loaded, and what it includes */
    size_t text_count;
};
/* FILE, which must be given, -I and -D; its input is a struct fh_cli_source. */
extern const struct argp fh_cli_source_argp;
void fh_cli_source_free(struct fh_cli_source *source);
/* FHEC_BAD_INPUT, said, if an output would overwrite the file or one that it includes. */
fhec_status fh_cli_source_spare(const struct fh_cli *cli, const struct fh_cli_source *source,
                                const struct fh_cli_outputs *outputs);
/* A copy of the line that a place is in, without its end; NULL if it is not known. */
char *fh_cli_source_line(const struct fh_cli_source *source, const fhec_location *at);
/* Reads an object file, or assembles a source (told apart by the ELF magic). Everything wrong has
 * been said when this fails. cli->file is the path from then on. */
fhec_status fh_cli_load(struct fh_cli *cli, struct fh_cli_source *source, fhec_program **program);

/* ---------------------------------------------------------------- machines (machine.c) */

enum fh_cli_stats { FH_CLI_STATS_NONE, FH_CLI_STATS_TEXT, FH_CLI_STATS_JSON };

/* The options that every command has which runs kernels. */
struct fh_cli_machine {
    fhec_machine_options options;
    enum fh_cli_stats stats;
    uint64_t max_steps; /* 0: no limit */
};
extern const struct argp fh_cli_machine_argp; /* its input is a struct fh_cli_machine */

/* Makes the machine and switches counting on if statistics were asked for. */
fhec_status fh_cli_machine_new(const struct fh_cli *cli, const struct fh_cli_machine *settings,
                               fhec_machine **machine);

/* Named hashes that go out with the statistics, or alone. */
struct fh_cli_hash {
    const char *name; /* NULL: the only one, printed without a name */
    char hex[33];
};
/* Prints the hashes and the statistics that were asked for; in JSON one object holds them all.
 * `machine` may be NULL: no counts then. */
fhec_status fh_cli_report(const struct fh_cli *cli, const struct fh_cli_machine *settings,
                          fhec_machine *machine, double wall_seconds,
                          const struct fh_cli_hash *hashes, size_t hash_count);

/* Seconds of a clock that never goes back. */
double fh_cli_now(void);

/* ---------------------------------------------------------------- tracing (trace.c) */

struct fh_cli_trace {
    bool fetch, regs, mem;
    const char *path; /* NULL: stderr */
    int64_t warp;     /* -1: all */
    int64_t block;    /* linear, x first; -1: all */
    uint32_t grid[3];
    unsigned observer;
    FILE *to;
};
/* "fetch,regs,mem"; false if a word is none of these. NULL: all of them. */
bool fh_cli_trace_parse(const char *text, struct fh_cli_trace *trace);
/* Opens the file and observes the machine until fh_cli_trace_close. */
fhec_status fh_cli_trace_open(const struct fh_cli *cli, struct fh_cli_trace *trace,
                              fhec_machine *machine);
fhec_status fh_cli_trace_close(const struct fh_cli *cli, struct fh_cli_trace *trace,
                               fhec_machine *machine);

/* ---------------------------------------------------------------- progress (progress.c) */

/* Shows what is being done, and for how long, in one line of a terminal's stderr once it takes
 * more than a second. Without a terminal these do nothing. */
struct fh_cli_progress;
struct fh_cli_progress *fh_cli_progress_start(const struct fh_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fh_cli_progress_stop(struct fh_cli_progress *progress); /* NULL is fine */

#endif
