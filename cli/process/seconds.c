/*
 * seconds.c - how long something takes.
 */
#include "seconds.h"

#include <time.h>

double fh_cli_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
