/*
 * script_parts.h - a launch script under way, as the files that have its commands see it.
 */
#ifndef FH_CLI_SCRIPT_PARTS_H
#define FH_CLI_SCRIPT_PARTS_H

#include "buffers.h"
#include "output.h"
#include "script.h"
#include "script_number.h"

/* A line that is not empty. */
struct fh_cli_script_line {
    uint32_t number;
    char *text;
    size_t command; /* index in the table of commands */
    size_t partner; /* of `repeat` its `end`, and the other way round */
};
struct fh_cli_script {
    char *path;
    struct fh_cli_script_line *lines;
    size_t count;
};

struct fh_cli_script_run {
    struct fh_cli *cli;
    const struct fh_cli_script *script;
    const struct fh_cli_script_settings *settings;
    fhec_machine *machine;
    struct fh_cli_programs programs;
    char **aliases; /* of each program: what `load` calls it */
    struct fh_cli_memory memory;
    void **hosts; /* the memory of buffers with an address of their own, one for each buffer */
    struct fh_cli_script_names names;
    struct fh_cli_outputs outputs;
    struct fh_cli_hash *hashes;
    size_t hash_count;
    struct fh_cli_kernel *checked; /* kernels that have been launched */
    size_t checked_count;
    bool differs;        /* from an `expect` */
    uint64_t steps;      /* commands so far */
    uint64_t last;       /* it ends before that command; 0: it does not */
    struct fh_cli quiet; /* of the runs that repeat this one, which are still needed */
    struct fh_cli_script_run *again, *next;
    /* The same launches on another machine, up to the command that is under way; saying nothing. */
    fhec_status (*again_on)(void *run, fhec_machine *machine);
};

/* The words of a command, without its own name. */
struct fh_cli_script_words {
    char **list;
    size_t count;
};

typedef fhec_status fh_cli_script_command(struct fh_cli_script_run *run,
                                          const struct fh_cli_script_words *words);
fh_cli_script_command fh_cli_script_load, fh_cli_script_buffer, fh_cli_script_device,
    fh_cli_script_set, fh_cli_script_fill, fh_cli_script_copy, fh_cli_script_save,
    fh_cli_script_expect, fh_cli_script_hash, fh_cli_script_launch;

/* Says what is wrong; FHEC_BAD_INPUT. */
fhec_status fh_cli_script_wrong(const struct fh_cli_script_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Words that may follow, with their values: "type u32". */
struct fh_cli_script_option {
    const char *key;
    const char *value; /* NULL at first; of a flag its own key */
    bool flag;
};
/* Everything from words[from] on must be such options. */
fhec_status fh_cli_script_options(const struct fh_cli_script_run *run,
                                  const struct fh_cli_script_words *words, size_t from,
                                  struct fh_cli_script_option *options, size_t count);
/* Between so many words. `form` says what there should be. */
fhec_status fh_cli_script_expect_words(const struct fh_cli_script_run *run,
                                       const struct fh_cli_script_words *words, size_t least,
                                       size_t most, const char *form);
/* "16", "0x10", "4K". */
fhec_status fh_cli_script_bytes(const struct fh_cli_script_run *run, const char *what,
                                const char *text, uint64_t *bytes);
/* A path is relative to the script's folder; malloc'd. NULL: no memory. */
char *fh_cli_script_path(const struct fh_cli_script_run *run, const char *path);

/* A range of memory: BUFFER[+OFFSET], VARIABLE[+OFFSET] or an address, up to the end of what it is
 * in. */
struct fh_cli_script_place {
    char label[200];    /* for messages */
    const char *buffer; /* its name; NULL: it is none */
    uint64_t address, bytes;
    struct fh_cli_data
        type; /* of the elements: width, kind and npy; and the shape, of a whole buffer */
};
fhec_status fh_cli_script_place(struct fh_cli_script_run *run, const char *text,
                                struct fh_cli_script_place *place);
/* The value's bytes, at most `most`; malloc'd. */
fhec_status fh_cli_script_value(struct fh_cli_script_run *run, const char *what, const char *text,
                                uint64_t most, uint8_t **bytes, uint64_t *count);

#endif
