/*
 * cuda_tally.h - the counts of what a CUDA program has launched: of each kernel, each launch and
 * each range (cuda/core/range.h). They lie in memory that the program's process shares with `fhec
 * cuda`, which has them also if that process ends without its own end: by _exit, abort or a signal.
 */
#ifndef FH_CLI_CUDA_TALLY_H
#define FH_CLI_CUDA_TALLY_H

#include <stdatomic.h>

#include "fhec.h"

/* The environment variable with the number of the file that the memory is of. */
#define FH_CLI_CUDA_TALLY "FHEC_CUDA_TALLY"

/* What was executed, and how long it took here. */
struct fh_cli_cuda_amount {
    uint64_t launches, warp, thread; /* launches; instructions of warps, of lanes */
    double seconds;
};

struct fh_cli_cuda_kernel {
    uint32_t name;                      /* place among the names */
    uint32_t first_opcode, last_opcode; /* of its mnemonics; 0: none */
    struct fh_cli_cuda_amount amount;
};

/* A mnemonic of a kernel. */
struct fh_cli_cuda_opcode {
    uint32_t name, next; /* 0: the last one */
    uint64_t warp, thread;
};

struct fh_cli_cuda_range {
    uint32_t name, domain, parent;    /* of the parent the number, which is smaller; 0: none */
    uint64_t entered;                 /* how often, as far as was known at its last launch */
    struct fh_cli_cuda_amount amount; /* without the ranges within it */
};

struct fh_cli_cuda_launched {
    uint32_t kernel, range;             /* index; number of the range, 0: none */
    uint32_t grid[3], block[3], shared; /* shared: dynamic, bytes */
    uint64_t warp, thread;
    double seconds;
};

/* How much is counted one by one. Behind these bounds `lost` is set. */
enum {
    FH_CLI_CUDA_KERNELS = 1 << 14,
    FH_CLI_CUDA_OPCODES = 1 << 18,
    FH_CLI_CUDA_RANGES = 1 << 16,
    FH_CLI_CUDA_LAUNCHES = 1 << 22,
    FH_CLI_CUDA_NAME_BYTES = 1 << 25,
    FH_CLI_CUDA_FINDING_BYTES = 1 << 20,
    FH_CLI_CUDA_REPORTERS = 64
};

/* Pages that nobody has written take no memory. */
struct fh_cli_cuda_tally {
    _Atomic int32_t process; /* whose launches these are; 0: nobody's, or they have been told */
    _Atomic int32_t program; /* the process that `fhec cuda` has started; 0: not yet, or none */
    _Atomic bool announced;  /* how that has ended has been said */
    _Atomic bool exits;      /* the process has called exit during a launch */
    _Atomic bool begun;      /* the process has the device, and with it the observers */
    _Atomic int32_t reporters[FH_CLI_CUDA_REPORTERS]; /* processes (cuda_reporter.h); 0: none */
    uint32_t kernel_count, opcode_count, range_count, name_bytes, launch_count;
    uint32_t finding_bytes;
    bool lost; /* there was no room for some of it */
    struct fh_cli_cuda_kernel kernels[FH_CLI_CUDA_KERNELS];
    struct fh_cli_cuda_opcode opcodes[FH_CLI_CUDA_OPCODES]; /* of number 1 first */
    struct fh_cli_cuda_range ranges[FH_CLI_CUDA_RANGES];    /* of number 1 first */
    char names[FH_CLI_CUDA_NAME_BYTES];
    char findings[FH_CLI_CUDA_FINDING_BYTES]; /* what --check has found so far, as it is told */
    struct fh_cli_cuda_launched launches[FH_CLI_CUDA_LAUNCHES];
};

/* A file of nothing but memory for a tally, as the number of its descriptor; -1: errno says why. */
int fh_cli_cuda_tally_file(void);
/* The tally in the file, or one of the process's own (-1); NULL: there is no memory. */
struct fh_cli_cuda_tally *fh_cli_cuda_tally_open(int file);
void fh_cli_cuda_tally_close(struct fh_cli_cuda_tally *tally);
/* In the process of a program: the file's tally (FH_CLI_CUDA_TALLY), unless there is none, or it is
 * another process's: then one of its own. NULL: there is no memory. `shared` is the file's in any
 * case, NULL if there is none. */
struct fh_cli_cuda_tally *fh_cli_cuda_tally_claim(struct fh_cli_cuda_tally **shared);

/* A launch that has ended, with what the machine has counted of it, in the range of that number (0:
 * in none), which the tally knows. */
void fh_cli_cuda_tally_add(struct fh_cli_cuda_tally *tally, const fhec_launch *launch,
                           const fhec_stats *stats, uint32_t range, double seconds);
/* What the tally knows of a range from now on; of one with a number beyond FH_CLI_CUDA_RANGES
 * nothing. Ranges come in the order of their numbers the first time. */
void fh_cli_cuda_tally_range(struct fh_cli_cuda_tally *tally, uint32_t range, uint32_t parent,
                             const char *domain, const char *name, uint64_t entered);
/* The findings so far, in the place of those before; what does not fit is left out. */
void fh_cli_cuda_tally_findings(struct fh_cli_cuda_tally *tally, const char *text, size_t length);

#endif
