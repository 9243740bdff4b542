/*
 * block_plan.h - when the tiles of a graph run, and on which engine.
 *
 * An engine is some SMs at a router of the network between all of them (cNoC); it does one tile at
 * a time. A tile starts when those that it depends on have ended and its engine is free. It takes
 *
 *     C   its instructions by the rate of the engine
 *     M   its bytes from and to memory, which serves one tile at a time, in the order of the plan
 *     X   its bytes between routers, of which each channel likewise carries one tile's
 *
 * and, of these three, the longest and (1 - overlap) of the others. Without cNoC all that its
 * kernels load and store goes to memory. With it limbs are kept in on-chip memory (onchip.h): at a
 * place that a hash of their address says, until the blocks end that they are for; with LABS where
 * they were made or fetched to, as long as there is room.
 *
 * An order of the tiles and an assignment to engines are chosen of a few, by what comes out. Which
 * there are does not depend on what features cost, so that more of them do no harm.
 */
#ifndef FH_BLOCK_PLAN_H
#define FH_BLOCK_PLAN_H

#include "block_tiles.h"
#include "labs.h"
#include "onchip.h"
#include "torus.h"

/* PROGRAM, PATH: list scheduling, the tile that stands first, or that begins the longest chain.
 * SEQUENCE: as they stand, whoever could start before. */
enum fh_block_order { FH_ORDER_PROGRAM, FH_ORDER_PATH, FH_ORDER_SEQUENCE, FH_ORDERS };

struct fh_block_machine {
    struct fh_torus torus; /* of engines; without cNoC only how many there are counts */
    double rate;           /* cycles of a scheduler that an engine does in a cycle */
    double memory;         /* bytes a cycle */
    double link;           /* bytes a cycle and channel */
    double hop;            /* cycles */
    double overlap;        /* 0 .. 1 */
    uint64_t onchip;       /* bytes */
    enum fh_onchip_policy policy;
    bool cnoc;
    fh_labs_partition_fn *labs; /* NULL: tiles go where list scheduling puts them */
    unsigned orders;            /* that are tried: 1 << enum fh_block_order, or-ed */
};

enum fh_block_mapping { FH_MAPPING_GREEDY_HASHED, FH_MAPPING_GREEDY, FH_MAPPING_LABS, FH_MAPPINGS };
const char *fh_block_order_name(enum fh_block_order order);       /* "program", ... */
const char *fh_block_mapping_name(enum fh_block_mapping mapping); /* "greedy, hashed", ... */

/* Of all cycles. */
struct fh_block_times {
    double start, end;
    double compute;          /* of all its tiles, by the number of engines */
    double memory;           /* that memory is busy for it */
    double network;          /* that the channel that it uses most is */
    double fetched, written; /* bytes, from and to memory */
    double moved;            /* bytes between routers, times hops */
};

struct fh_tile_times {
    uint32_t engine;
    double start, end;
};

struct fh_block_plan {
    double cycles;
    enum fh_block_order order;
    enum fh_block_mapping mapping;
    struct fh_block_times all, *blocks; /* of all together; of each block of the graph */
    struct fh_tile_times *tiles;
    double *loads; /* bytes of each channel */
    struct {
        double path;    /* the longest chain of tiles */
        double work;    /* of all engines */
        double memory;  /* bytes by the bandwidth */
        double network; /* of the channel with most */
    } bounds;
    double kernel_bytes; /* loaded and stored by the kernels, as without cNoC */
    double cold_bytes;   /* inputs that are read, and results: once each */
    struct {
        uint64_t phi, gamma, gamma_before; /* KiB, KiB times hops; before: parts as numbered */
    } labs;
};

/* The tiles have been priced. FHEC_HOST_ERROR; FHEC_BAD_INPUT: LABS without a partitioner. To be
 * freed in any case. METIS prints on standard output when a part comes out empty. */
fhec_status fh_block_plan_make(struct fh_block_plan *plan, const struct fh_block_graph *graph,
                               const struct fh_tiles *tiles,
                               const struct fh_block_machine *machine);
void fh_block_plan_free(struct fh_block_plan *plan);

#endif
