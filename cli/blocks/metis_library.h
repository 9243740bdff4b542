/*
 * metis_library.h - METIS (Karypis, Kumar), multilevel k-way partitioning of graphs, for LABS. The
 * library is loaded when it is asked for, so that fhec starts where it is not installed.
 */
#ifndef FH_CLI_METIS_LIBRARY_H
#define FH_CLI_METIS_LIBRARY_H

#include "labs.h"

/* The partitioner, or NULL and in *why the reason, a sentence without its end. */
fh_labs_partition_fn *fh_cli_metis(const char **why);

#endif
