/*
 * map.c - the table of maps: what can execute the modular products of which workload.
 */
#include "programs.h"

#include <string.h>

static const struct fh_map maps[] = {
    {"fhec16", "FHEC.16816, transforms in stages of radix 16", FH_WORKLOAD_NTT | FH_WORKLOAD_CKKS,
     32},
    {"fhec256", "FHEC.16816, transforms as two large matrix products",
     FH_WORKLOAD_NTT | FH_WORKLOAD_CKKS, 32},
    {"fhec16+gme", "FHEC.16816, all other products on modular lane units",
     FH_WORKLOAD_NTT | FH_WORKLOAD_CKKS, 32},
    {"fhec", "FHEC.16816.MIX, one modulus per output column", FH_WORKLOAD_BCONV, 32},
    {"fhec+gme", "FHEC.16816.MIX, all other products on modular lane units", FH_WORKLOAD_BCONV, 32},
    {"cuda32", "CUDA cores: IMAD, IADD3",
     FH_WORKLOAD_NTT | FH_WORKLOAD_BCONV | FH_WORKLOAD_ELTWISE | FH_WORKLOAD_BIGMUL |
         FH_WORKLOAD_MONTMUL,
     32},
    {"cuda64", "CUDA cores: IMAD, IADD3", FH_WORKLOAD_NTT | FH_WORKLOAD_BCONV, 64},
    {"gme32", "modular lane units: MODADD, MODSUB, MODMUL, MODMAD",
     FH_WORKLOAD_NTT | FH_WORKLOAD_BCONV | FH_WORKLOAD_ELTWISE, 32},
    {"gme64", "modular lane units: MODADD, MODSUB, MODMUL, MODMAD",
     FH_WORKLOAD_NTT | FH_WORKLOAD_BCONV, 64},
    {"imma16", "Tensor Cores: IMMA.16816.U8.U8, transforms in stages of radix 16", FH_WORKLOAD_NTT,
     32},
    {"imma256", "Tensor Cores: IMMA.16816.U8.U8, transforms as two large matrix products",
     FH_WORKLOAD_NTT, 32},
    {"imma", "Tensor Cores: IMMA.16816.U8.U8 on bytes", FH_WORKLOAD_BCONV, 32},
    {"mont", "MONTMUL.U32 on residues, CUDA cores for the rest", FH_WORKLOAD_MONTMUL, 32},
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
