/* field_twin.h - the field of field.cu, for who checks its products by their definition. */
#ifndef FH_TESTS_BENCH_FIELD_TWIN_H
#define FH_TESTS_BENCH_FIELD_TWIN_H

#include <stdint.h>

enum { FIELD_WORDS = 4 };

/* Low word first. */
extern const uint64_t field_prime[FIELD_WORDS];

#endif
