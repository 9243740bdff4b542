/*
 * program.h - what the programs of this folder share: checks that go on after a mismatch. A program
 * ends with 0 if all its checks held; each that did not is a line of its output.
 */
#ifndef FH_TESTS_PROGRAM_H
#define FH_TESTS_PROGRAM_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

static int program_checks, program_wrong;

/* The call answers `want`. */
#define IS(CALL, WANT) is(__FILE__, __LINE__, #CALL, (CALL), (WANT))
#define GOOD(CALL) IS(CALL, cudaSuccess)
/* The call answers some error. */
#define BAD(CALL) holds(__FILE__, __LINE__, #CALL " fails", (CALL) != cudaSuccess)
#define HOLDS(CONDITION) holds(__FILE__, __LINE__, #CONDITION, (CONDITION))

static inline bool is(const char *file, int line, const char *call, cudaError_t got,
                      cudaError_t want) {
    program_checks++;
    if (got == want)
        return true;
    program_wrong++;
    printf("%s:%d: %s: %s, wanted %s\n", file, line, call, cudaGetErrorName(got),
           cudaGetErrorName(want));
    return false;
}

static inline bool holds(const char *file, int line, const char *text, bool condition) {
    program_checks++;
    if (!condition) {
        program_wrong++;
        printf("%s:%d: not so: %s\n", file, line, text);
    }
    return condition;
}

static inline int program_end(void) {
    printf("%d checks, %d wrong\n", program_checks, program_wrong);
    return program_wrong || !program_checks;
}

#endif
