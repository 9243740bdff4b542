/*
 * loader.h - a program in a machine: the memory of its variables and its shared constant banks, of
 * which every machine has its own copies. A program that has neither needs no module.
 */
#ifndef FH_LOADER_H
#define FH_LOADER_H

#include "memory.h"
#include "program.h"

struct fh_module {
    struct fh_module *next;
    size_t users; /* the machine's list, and snapshots */
    const struct fhec_program *program;
    uint64_t *bases;      /* of the segments, in global memory */
    uint8_t **banks;      /* copies of program->banks, in global memory */
    uint64_t *bank_bases; /* their addresses */
};

/* Finds the module of the program in the list; true also, with NULL, if it needs none. */
bool fh_module_find(struct fh_module *list, const struct fhec_program *program,
                    struct fh_module **module);
/* Finds or makes the module of the program in the list; *module is NULL if it needs none. A new
 * one's banks, then its segments, are at `addresses`, unless that is NULL: FHEC_BAD_INPUT if they
 * cannot be there (fh_memory_alloc_at). */
fhec_status fh_module_load(struct fh_module **list, struct fh_memory *memory,
                           const struct fhec_program *program, const uint64_t *addresses,
                           struct fh_module **module);
/* Forgets the program and releases the memory of its variables. */
void fh_module_unload(struct fh_module **list, struct fh_memory *memory,
                      const struct fhec_program *program);
/* Forgets all modules; their memory goes with the machine's. */
void fh_module_free_all(struct fh_module **list);
/* One user less; without any the module is freed. */
void fh_module_drop(struct fh_module *module);

/* The generic address of bank 3, where __constant__ variables are; 0 without one. */
uint64_t fh_module_constants(const struct fh_module *module);
/* Writes the addresses of variables into the code of a kernel, as fh_code_copy gave it. */
void fh_module_relocate_code(const struct fh_module *module, size_t kernel, fhec_word *words);

#endif
