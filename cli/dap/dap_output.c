/*
 * dap_output.c - see dap_output.h.
 */
#include "dap_output.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STREAMS = 2, PIECE = 16 << 10 };
static const int numbers[STREAMS] = {STDOUT_FILENO, STDERR_FILENO};
static const char *const categories[STREAMS] = {"stdout", "stderr"};

struct fh_dap_output {
    int file[STREAMS];  /* in memory; also what numbers[] are now */
    int saved[STREAMS]; /* what they were */
    off_t told[STREAMS];
};

bool fh_dap_output_begin(struct fh_dap *dap) {
    struct fh_dap_output *output = calloc(1, sizeof *output);
    if (!output)
        return false;
    fflush(stdout);
    for (size_t i = 0; i < STREAMS; i++) {
        output->file[i] = memfd_create(categories[i], MFD_CLOEXEC);
        output->saved[i] = fcntl(numbers[i], F_DUPFD_CLOEXEC, 3);
        if (output->file[i] < 0 || fcntl(output->file[i], F_SETFL, O_APPEND) < 0 ||
            output->saved[i] < 0 || dup2(output->file[i], numbers[i]) < 0) {
            free(output);
            return false;
        }
    }
    dap->output = output;
    return true;
}

/* Up to the end of the last line of a piece, if it has one. */
static size_t whole_lines(const char *text, size_t count, bool last) {
    const char *end = last ? NULL : memrchr(text, '\n', count);
    return end ? (size_t)(end - text) + 1 : count;
}

void fh_dap_output_drain(struct fh_dap *dap) {
    struct fh_dap_output *output = dap->output;
    if (!output)
        return;
    fflush(stdout);
    for (size_t i = 0; i < STREAMS; i++) {
        char text[PIECE + 1];
        ssize_t got;
        while ((got = pread(output->file[i], text, PIECE, output->told[i])) > 0) {
            const size_t count = whole_lines(text, (size_t)got, got < PIECE);
            text[count] = 0;
            output->told[i] += (off_t)count;
            fh_dap_say(dap, categories[i], "%s", text);
        }
    }
}

void fh_dap_output_end(struct fh_dap *dap) {
    struct fh_dap_output *output = dap->output;
    if (!output)
        return;
    fh_dap_output_drain(dap);
    for (size_t i = 0; i < STREAMS; i++) {
        (void)dup2(output->saved[i], numbers[i]);
        close(output->saved[i]);
        close(output->file[i]);
    }
    free(output);
    dap->output = NULL;
}
