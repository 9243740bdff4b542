/*
 * engine_levels.h - the engines and SIMD levels that tests run things on.
 */
#ifndef FH_TESTS_ENGINE_LEVELS_H
#define FH_TESTS_ENGINE_LEVELS_H

#include "engine.h"

/* All there are; a host may lack some (emu_has_simd). */
enum { ENGINE_CHOICES = 4 };
extern const struct engine_choice {
    const char *name;
    fhec_engine engine;
    fhec_simd simd;
} engine_choices[ENGINE_CHOICES];

struct level {
    const char *name;
    struct fh_engine engine;
    bool ref;
};
enum { LEVELS = 2 * ENGINE_CHOICES };

/* All that this host can run, each as it is and with the functions that are generated from the
 * bodies alone; returns how many. Says which ones it cannot. */
size_t levels(struct level out[LEVELS]);

#endif
