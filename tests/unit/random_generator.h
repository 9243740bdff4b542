/*
 * random_generator.h - the parts of the generator of random programs, for each other.
 *
 *     random_program.c  control flow, and the order of everything
 *     random_plain.c    one random instruction, and what it needs before it
 *
 * Lines of text are assembled when the places of all labels are known. Registers:
 *
 *     R32:R33  an address          R44..R47  loop counters, by depth; R60..R63 in functions
 *     R34:R35  a second one        R48..R55  return addresses, by depth of calls
 *     R36:R37  on the way there    R56:R57   where a branch goes
 *     R38:R39  a modulus           R58 R59   barriers and masks
 *     R40..R43 FHEC.MIX's modulus  UR24..27  FHEC's, UR28:UR29 where a branch goes, UR30:UR31
 *
 * Barriers B0..B7 belong to the structure, by depth; B8..B15 to random instructions.
 */
#ifndef FH_TESTS_RANDOM_GENERATOR_H
#define FH_TESTS_RANDOM_GENERATOR_H

#include "random_program.h"

enum { MAX_LABELS = 2048, MAX_FUNCTIONS = 6, TEXT = 80 };

/* An instruction, or the text of one, behind which the label's address stands. */
struct random_item {
    fhec_word word;
    char text[TEXT];
    int label;
};

struct random_function {
    int label;
    unsigned level; /* of calls: which return address it uses */
    bool lepc;      /* the address is that of the LEPC before the call */
};

struct random_generator {
    struct emu_rng *rng;
    struct random_item items[RP_MAX_WORDS];
    uint32_t count;
    uint32_t labels[MAX_LABELS]; /* item that it stands before */
    int label_count;
    uint32_t threads, repeat;
    unsigned depth, level; /* of regions in which lanes are apart; of calls */
    bool exited;           /* some lanes may have ended */
    struct random_function functions[MAX_FUNCTIONS];
    unsigned function_count;
};

/* Appends a line; a label's address, if it is not negative, follows the text. */
void random_line(struct random_generator *g, int label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define text(g, ...) random_line(g, -1, __VA_ARGS__)

/* 0..n-1; any register that holds data. */
uint32_t random_below(struct random_generator *g, uint32_t n);
unsigned random_data_register(struct random_generator *g);

/* Appends a random instruction that is not of kind ctrl, and before it what makes its addresses
 * and moduli good, most of the time. */
void random_plain(struct random_generator *g);

#endif
