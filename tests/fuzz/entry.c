/*
 * entry.c - a target under libFuzzer; the build names it (FUZZ_TARGET).
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    char shown[FUZZ_SHOWN] = "";
    const char *wrong = FUZZ_TARGET(bytes, length, shown);
    if (wrong) {
        fprintf(stderr, "%s\n%s\n", wrong, shown);
        abort();
    }
    return 0;
}
