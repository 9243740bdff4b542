/*
 * map.c - the table of maps: what can execute the modular products of which workload.
 */
#include "programs.h"

#include <string.h>

/* Transforms, base conversions, and the scheme that consists of them. */
#define PIPELINE (FH_WORKLOAD_NTT | FH_WORKLOAD_BCONV | FH_WORKLOAD_CKKS)

static const struct fh_map maps[] = {
    {"fhec16", "FHEC.16816 in stages of radix 16, CUDA cores besides", PIPELINE, 32, FH_MATRIX_FHEC,
     false},
    {"fhec256", "FHEC.16816 as two large matrices, CUDA cores besides", PIPELINE, 32,
     FH_MATRIX_FHEC, false},
    {"fhec16+gme", "FHEC.16816 in stages of radix 16, modular lane units besides", PIPELINE, 32,
     FH_MATRIX_FHEC, true},
    {"cuda32", "CUDA cores: IMAD, IADD3",
     PIPELINE | FH_WORKLOAD_ELTWISE | FH_WORKLOAD_BIGMUL | FH_WORKLOAD_MONTMUL, 32, FH_MATRIX_NONE,
     false},
    {"cuda64", "CUDA cores: IMAD, IADD3", PIPELINE | FH_WORKLOAD_ELTWISE, 64, FH_MATRIX_NONE,
     false},
    {"gme32", "modular lane units: MODADD, MODMUL, MODMAD", PIPELINE | FH_WORKLOAD_ELTWISE, 32,
     FH_MATRIX_NONE, true},
    {"gme64", "modular lane units: MODADD, MODMUL, MODMAD", PIPELINE | FH_WORKLOAD_ELTWISE, 64,
     FH_MATRIX_NONE, true},
    {"imma16", "IMMA.16816.U8.U8 in stages of radix 16, CUDA cores besides", PIPELINE, 32,
     FH_MATRIX_IMMA, false},
    {"imma256", "IMMA.16816.U8.U8 as two large matrices, CUDA cores besides", PIPELINE, 32,
     FH_MATRIX_IMMA, false},
    {"mont", "MONTMUL.U32 on residues, CUDA cores besides", FH_WORKLOAD_MONTMUL, 32, FH_MATRIX_NONE,
     false},
};

const struct fh_map *fh_map_get(size_t index) {
    return index < sizeof maps / sizeof *maps ? &maps[index] : NULL;
}

const struct fh_map *fh_map_find(const char *name) {
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (strcmp(maps[i].name, name) == 0)
            return &maps[i];
    return NULL;
}

const char *fh_map_default(enum fh_workload workload) {
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (maps[i].workloads & (unsigned)workload)
            return maps[i].name;
    return NULL;
}
