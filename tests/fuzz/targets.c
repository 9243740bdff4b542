/*
 * targets.c - the targets by name.
 */
#include "fuzz.h"

const struct fuzz_named fuzz_targets[] = {
    {"asm", fuzz_asm},     {"cubin", fuzz_cubin},   {"dap", fuzz_dap},         {"data", fuzz_data},
    {"fat", fuzz_fat},     {"format", fuzz_format}, {"message", fuzz_message}, {"lsp", fuzz_lsp},
    {"query", fuzz_query}, {"trace", fuzz_trace},   {"word", fuzz_word},       {0},
};
