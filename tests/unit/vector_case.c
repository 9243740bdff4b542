/*
 * vector_case.c - see vector_case.h.
 */
#include "vector_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machines.h"

static void background(struct vector *v) {
    for (unsigned n = 0; n < ROWS; n++)
        for (unsigned l = 0; l < FH_LANES; l++)
            v->before.r[n][l] = 0x5eed0000u + n * 32 + l;
    for (unsigned n = 0; n < FH_PT; n++) {
        v->before.p[n] = 0x9e3779b9u * (n + 1);
        v->before.up[n] = n & 1;
    }
    for (unsigned n = 0; n < FH_URZ; n++)
        v->before.ur[n] = 0xabcd0000u + n;
    uint32_t *words = (uint32_t *)&v->memory_before;
    for (unsigned n = 0; n < sizeof v->memory_before / sizeof *words; n++)
        words[n] = 0xfeed0000u + n;
}

const struct part memory_parts[MEMORY_PARTS] = {
    {"G", HIGH_BASE, offsetof(struct memory, high), HIGH, 1},
    {"G", LOW_BASE, offsetof(struct memory, low), LOW, 1},
    {"S", 0, offsetof(struct memory, shared), SHARED, 1},
    {"L", 0, offsetof(struct memory, local), LOCAL, FH_LANES},
    {"C3", 0, offsetof(struct memory, banks[0]), BANKED, 1},
    {"C4", 0, offsetof(struct memory, banks[1]), BANKED, 1},
};
uint32_t *part_words(const struct part *part, struct memory *memory) {
    return (uint32_t *)((char *)memory + part->at);
}

/* `G 7f0000000010 word ...`: words from this address on; the name has been taken off. */
static void read_memory(const char *name, struct memory *into) {
    const uint64_t address = strtoull(strtok(NULL, " \n"), NULL, 16);
    const struct part *part = memory_parts;
    while (part < memory_parts + MEMORY_PARTS &&
           (strcmp(part->name, name) != 0 || address < part->base ||
            address - part->base >= 4 * part->words))
        part++;
    if (part == memory_parts + MEMORY_PARTS)
        fail_msg("there is no memory %s %llx", name, (unsigned long long)address);
    uint32_t *words = part_words(part, into);
    size_t n = (size_t)(address - part->base) / 4 * part->row;
    for (char *word; (word = strtok(NULL, " \n")) != NULL; n++) {
        assert_true(n < part->words * part->row);
        words[n] = (uint32_t)strtoul(word, NULL, 16);
    }
}

/* `R5 w0 .. w31`, `UR4 word`, `P2 mask`, `UP1 bit`, or memory */
static void read_row(char *text, struct registers *into, struct memory *memory) {
    char *name = strtok(text, " \n");
    assert_non_null(name);
    if (strchr("GSLC", *name)) {
        read_memory(name, memory);
        return;
    }
    char *digits = name + strcspn(name, "0123456789");
    unsigned long n = strtoul(digits, NULL, 10);
    for (unsigned l = 0; l < FH_LANES; l++) {
        char *word = strtok(NULL, " \n");
        if (!word)
            break;
        uint32_t value = (uint32_t)strtoul(word, NULL, 16);
        if (name[0] == 'R')
            into->r[n][l] = value;
        else if (name[0] == 'P')
            into->p[n] = value;
        else if (name[1] == 'R')
            into->ur[n] = value;
        else
            into->up[n] = (uint8_t)value;
    }
}

/* Nothing changes, unless the case says so. */
static void expect_inputs(struct vector *v) {
    v->after = v->before;
    v->memory_after = v->memory_before;
}

bool vector_read(FILE *file, const char *path, struct vector *v, unsigned *line) {
    static const char first_output[] = "out";
    char text[512];
    bool found = false, outputs = false;
    memset(v, 0, sizeof *v);
    v->path = path;
    v->mask = UINT32_MAX;
    background(v);
    while (fgets(text, sizeof text, file)) {
        ++*line;
        if (text[0] == '\n' && found)
            break;
        if (strncmp(text, "insn", 4) == 0) {
            found = true;
            v->line = *line;
            text[strcspn(text, "\n")] = '\0';
            snprintf(v->insn, sizeof v->insn, "%.*s", TEXT - 1, text + 6);
        } else if (strncmp(text, "mask", 4) == 0) {
            v->mask = (uint32_t)strtoul(text + 6, NULL, 16);
        } else if (strncmp(text, "in    C ", 8) == 0) {
            char *end;
            unsigned long offset = strtoul(text + 7, &end, 16);
            v->params[(offset - FH_PARAM_START) / 4] = (uint32_t)strtoul(end, NULL, 16);
        } else if (strncmp(text, "in ", 3) == 0) {
            if (v->input_count < MAX_INPUTS && !strchr("GSLC", text[6]))
                snprintf(v->inputs[v->input_count++], sizeof v->inputs[0], "%.*s",
                         (int)strcspn(text + 6, " \n") & 7, text + 6);
            read_row(text + 6, &v->before, &v->memory_before);
        } else if (strncmp(text, "fault ", 6) == 0) {
            char *lanes = strrchr(text, ' ');
            v->fault_lanes = (uint32_t)strtoul(lanes, NULL, 16);
            snprintf(v->fault, sizeof v->fault, "%.*s", (int)(lanes - text) - 6, text + 6);
        } else if (strncmp(text, first_output, 3) == 0) {
            if (!outputs)
                expect_inputs(v);
            outputs = true;
            read_row(text + 6, &v->after, &v->memory_after);
        }
    }
    if (!outputs)
        expect_inputs(v);
    return found;
}
