/* engine_levels.c - see engine_levels.h. */
#include "engine_levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

const struct engine_choice engine_choices[ENGINE_CHOICES] = {
    {"ref", FHEC_ENGINE_REF, FHEC_SIMD_BEST},
    {"portable", FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE},
    {"avx2", FHEC_ENGINE_FAST, FHEC_SIMD_AVX2},
    {"avx512", FHEC_ENGINE_FAST, FHEC_SIMD_AVX512},
};

size_t levels(struct level out[LEVELS]) {
    static const char *const generated[ENGINE_CHOICES] = {"ref, generated", "portable, generated",
                                                          "avx2, generated", "avx512, generated"};
    size_t count = 0;
    for (size_t i = 0; i < ENGINE_CHOICES; i++) {
        const struct engine_choice *choice = &engine_choices[i];
        struct level level = {.name = choice->name, .ref = choice->engine == FHEC_ENGINE_REF};
        if (!fh_engine_choose(choice->engine, choice->simd, &level.engine)) {
            print_message("# %s is not tested: this host does not have it\n", level.name);
            continue;
        }
        out[count++] = level;
        level.name = generated[i];
        level.engine.matrix = NULL;
        level.engine.modular = NULL;
        out[count++] = level;
    }
    return count;
}
