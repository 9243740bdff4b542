/*
 * profile.h - where the instructions of a computation go: by class, and by the part of the
 * computation that its kernels belong to.
 *
 *     options = fh_profile_begin(collector, machine, options) -> fh_*_run(..., options)
 *             -> fh_profile_end(collector, profile)
 *
 * The machine's counters are read and cleared after each launch, so every number is a count of
 * executed instructions; nothing is estimated.
 */
#ifndef FH_PROFILE_H
#define FH_PROFILE_H

#include "programs.h"

/* Columns of the report. The instruction set's own classes (isa_spec) are finer: moves, selects and
 * conversions run on the lanes' integer units and count as integer; votes and shuffles between
 * lanes go through the load/store unit and count as memory. */
enum fh_class {
    FH_CLASS_MATRIX,  /* FHEC, IMMA */
    FH_CLASS_MODULAR, /* MODADD, MODSUB, MODMUL, MODMAD, MODRED, WMAC, MONTMUL */
    FH_CLASS_INTEGER,
    FH_CLASS_MEMORY,
    FH_CLASS_CONTROL,
    FH_CLASS_UNIFORM,
    FH_CLASSES
};

enum fh_part { FH_PART_TRANSFORM, FH_PART_CONVERSION, FH_PART_ELEMENTS, FH_PARTS };

struct fh_part_profile {
    uint64_t warp[FH_CLASSES], thread[FH_CLASSES];
    uint64_t launches;
    /* Warp instructions that load from or store to global memory, and those of 128 bits a lane. */
    uint64_t accesses, wide_accesses;
    uint64_t multiply_adds; /* warp instructions: IMAD, but those that only shift or move */
};

struct fh_profile {
    struct fh_part_profile part[FH_PARTS];
};

struct fh_collector {
    fhec_machine *machine;
    struct fh_profile profile;
    const char *unknown; /* a class that has no column: then the profile is worth nothing */
    fhec_status status;
};

/* Clears the machine's counters, switches them on, and returns the options with which the
 * computation must be run: those given, with a hook of the collector. */
struct fh_run_options fh_profile_begin(struct fh_collector *collector, fhec_machine *machine,
                                       const struct fh_run_options *options);
/* Forgets what was counted so far: tables or keys were prepared, the computation begins. */
void fh_profile_restart(struct fh_collector *collector);
/* The counts since then. FHEC_HOST_ERROR if some could not be had. */
fhec_status fh_profile_end(const struct fh_collector *collector, struct fh_profile *profile,
                           struct fh_error *error);

/* All parts together. */
struct fh_part_profile fh_profile_sum(const struct fh_profile *profile);
/* All classes together. */
uint64_t fh_profile_warp(const struct fh_part_profile *part);
uint64_t fh_profile_thread(const struct fh_part_profile *part);

/* "matrix", ..., and "transforms", ...: lower case, stable. */
const char *fh_class_name(enum fh_class klass);
const char *fh_part_name(enum fh_part part);
/* The index-th class of the instruction set with its column; NULL past the end. */
const char *fh_class_member(size_t index, enum fh_class *klass);

#endif
