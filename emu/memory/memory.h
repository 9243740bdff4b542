/*
 * memory.h - global memory from the host's side: making allocations, placing and releasing them,
 * and writing to them. Where they go is an option (fhec_placement): one after another, or anywhere
 * by a seed. With a history (history.h) all of it can be undone.
 */
#ifndef FH_MEMORY_H
#define FH_MEMORY_H

#include "allocations.h"

/* False if the placement is none: an alignment that is no power of two, or beyond all addresses. */
bool fh_memory_init(struct fh_memory *memory, const fhec_placement *placement);
void fh_memory_free(struct fh_memory *memory);
/* Zeros. FHEC_HOST_ERROR without memory or addresses. */
fhec_status fh_memory_alloc(struct fh_memory *memory, const char *name, uint64_t bytes,
                            bool read_only, uint64_t *address);
/* The same at an address that is a multiple of 16. FHEC_BAD_INPUT if the range is no global memory,
 * or any of it has belonged to another allocation. */
fhec_status fh_memory_alloc_at(struct fh_memory *memory, const char *name, uint64_t bytes,
                               bool read_only, uint64_t address);
/* The caller's `host` at `address`. FHEC_BAD_INPUT if the range is no global memory, or in use:
 * then *other is the number of an allocation that overlaps, else SIZE_MAX. */
fhec_status fh_memory_map(struct fh_memory *memory, const char *name, uint64_t address, void *host,
                          uint64_t bytes, bool read_only, size_t *other);
/* FHEC_BAD_INPUT if no live allocation begins at `address`; FHEC_HOST_ERROR without memory for the
 * history. */
fhec_status fh_memory_release(struct fh_memory *memory, uint64_t address);
/* Where the host has the range, to write it once. FHEC_BAD_INPUT if no live allocation holds it;
 * FHEC_HOST_ERROR without memory for the history. */
fhec_status fh_memory_writable(struct fh_memory *memory, uint64_t address, uint64_t bytes,
                               uint8_t **to);

#endif
