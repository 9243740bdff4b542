/*
 * parameters.h - parameter checks that several workloads make.
 */
#ifndef FH_PARAMETERS_H
#define FH_PARAMETERS_H

#include "programs.h"

/* *map = the map called `name` (NULL: the default), which must have the workload. */
fhec_status fh_check_map(const char *name, enum fh_workload workload, const struct fh_map **map,
                         struct fh_error *error);
/* limbs x n elements of the map's width must be exactly `bytes`; `what` names the data. */
fhec_status fh_check_bytes(const struct fh_map *map, size_t limbs, size_t n, size_t bytes,
                           const char *what, struct fh_error *error);
/* Index of the first of limbs x n elements of the map's width that is not below its limb's modulus;
 * limbs * n if all are. */
size_t fh_first_unreduced(const struct fh_map *map, const uint64_t *q, size_t limbs, size_t n,
                          const void *elements);
/* limbs >= 1, and few enough that elements can be counted in 32 bits (2^30 of them). */
fhec_status fh_check_limbs(size_t limbs, size_t n, struct fh_error *error);

#endif
