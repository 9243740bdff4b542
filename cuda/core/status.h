/*
 * status.h - what calls of CUDA answer: numbers that the runtime (cudaError_t) and the driver
 * (CUresult) have in common, with both names. The numbers are those of CUDA 11 to 13.
 */
#ifndef FH_CUDA_STATUS_H
#define FH_CUDA_STATUS_H

#include <stddef.h>

#pragma GCC visibility push(default)

typedef enum fh_cuda_status {
    FH_CUDA_OK = 0,
    FH_CUDA_INVALID_VALUE = 1,
    FH_CUDA_NO_MEMORY = 2,
    FH_CUDA_NOT_INITIALIZED = 3,
    FH_CUDA_SHUT_DOWN = 4,
    FH_CUDA_INVALID_CONFIGURATION = 9,
    FH_CUDA_INVALID_PITCH = 12,
    FH_CUDA_INVALID_SYMBOL = 13,
    FH_CUDA_INVALID_DEVICE_POINTER = 17,
    FH_CUDA_INVALID_COPY_KIND = 21,
    FH_CUDA_INVALID_FUNCTION = 98,
    FH_CUDA_NO_DEVICE = 100,
    FH_CUDA_INVALID_DEVICE = 101,
    FH_CUDA_INVALID_IMAGE = 200,
    FH_CUDA_INVALID_CONTEXT = 201,
    FH_CUDA_ALREADY_MAPPED = 208,
    FH_CUDA_NO_BINARY = 209,
    FH_CUDA_UNSUPPORTED_LIMIT = 215,
    FH_CUDA_INVALID_PTX = 218,
    FH_CUDA_NO_PTX_COMPILER = 221,
    FH_CUDA_INVALID_SOURCE = 300,
    FH_CUDA_FILE_NOT_FOUND = 301,
    FH_CUDA_UNRESOLVED_SYMBOL = 302,
    FH_CUDA_INVALID_HANDLE = 400,
    FH_CUDA_ILLEGAL_STATE = 401,
    FH_CUDA_NOT_FOUND = 500,
    FH_CUDA_NOT_READY = 600,
    FH_CUDA_ILLEGAL_ADDRESS = 700,
    FH_CUDA_OUT_OF_RESOURCES = 701,
    FH_CUDA_TIMEOUT = 702,
    FH_CUDA_PEER_ENABLED = 704,
    FH_CUDA_PEER_NOT_ENABLED = 705,
    FH_CUDA_ASSERT = 710,
    FH_CUDA_ALREADY_REGISTERED = 712,
    FH_CUDA_NOT_REGISTERED = 713,
    FH_CUDA_ILLEGAL_INSTRUCTION = 715,
    FH_CUDA_MISALIGNED = 716,
    FH_CUDA_INVALID_ADDRESS_SPACE = 717,
    FH_CUDA_INVALID_PC = 718,
    FH_CUDA_LAUNCH_FAILED = 719,
    FH_CUDA_COOPERATIVE_TOO_LARGE = 720,
    FH_CUDA_NOT_PERMITTED = 800,
    FH_CUDA_NOT_SUPPORTED = 801,
    FH_CUDA_CAPTURE_UNSUPPORTED = 900,
    FH_CUDA_CAPTURE_INVALIDATED = 901,
    FH_CUDA_CAPTURE_MERGE = 902,
    FH_CUDA_CAPTURE_UNMATCHED = 903,
    FH_CUDA_CAPTURE_UNJOINED = 904,
    FH_CUDA_CAPTURE_ISOLATION = 905,
    FH_CUDA_CAPTURE_IMPLICIT = 906,
    FH_CUDA_CAPTURED_EVENT = 907,
    FH_CUDA_GRAPH_UPDATE = 910,
    FH_CUDA_UNKNOWN = 999,
} fh_cuda_status;

/* Static strings; NULL for a number that is none. */
typedef struct fh_cuda_status_names {
    int status;
    const char *runtime; /* "cudaErrorInvalidValue" */
    const char *driver;  /* "CUDA_ERROR_INVALID_VALUE" */
    const char *text;    /* "invalid argument" */
} fh_cuda_status_names;
const fh_cuda_status_names *fh_cuda_status_find(int status);

#pragma GCC visibility pop

#endif
