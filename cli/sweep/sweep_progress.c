/*
 * sweep_progress.c - see sweep_progress.h.
 */
#include "sweep_progress.h"

#include <stdio.h>

#include "seconds.h"
#include "sweep_run.h"

static const double pause_seconds = 0.5;

void fh_cli_sweep_progress_begin(struct fh_cli_sweep_progress *progress, const struct fh_cli *cli,
                                 size_t total) {
    *progress = (struct fh_cli_sweep_progress){
        .cli = cli->terminal && !cli->json ? cli : NULL, .begun = fh_cli_now(), .total = total};
}

/* "1:02:03", "2:03". */
static void print_time(FILE *to, double seconds) {
    const unsigned long all = (unsigned long)(seconds + 0.5);
    if (all >= 3600)
        fprintf(to, "%lu:%02lu:%02lu", all / 3600, all / 60 % 60, all % 60);
    else
        fprintf(to, "%lu:%02lu", all / 60, all % 60);
}

void fh_cli_sweep_progress_show(struct fh_cli_sweep_progress *progress,
                                const struct fh_cli_sweep_tally *tally, size_t running) {
    const double now = fh_cli_now();
    if (!progress->cli || now - progress->begun < 1 || now - progress->shown < pause_seconds)
        return;
    progress->shown = now;
    fprintf(stderr, "\r\033[K%s: %zu of %zu points, %zu running, %zu failed, ",
            progress->cli->command, tally->good + tally->failed, tally->points, running,
            tally->failed);
    print_time(stderr, now - progress->begun);
    if (progress->ended) {
        fputs(", about ", stderr);
        print_time(stderr, (now - progress->begun) / (double)progress->ended *
                               (double)(progress->total - progress->ended));
        fputs(" to go", stderr);
    }
    fputc(' ', stderr);
    fflush(stderr);
}

void fh_cli_sweep_progress_end(struct fh_cli_sweep_progress *progress) {
    if (progress->cli && progress->shown > 0)
        fputs("\r\033[K", stderr);
}
