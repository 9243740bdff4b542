/*
 * accelsim_header.c - the header of a trace, up to the line that begins with #, and the lines of a
 * list of commands: see accelsim_reader.h.
 */
#include "accelsim_reading.h"

#include <stdlib.h>
#include <string.h>

/* What header lines say, "-KEY = VALUE"; those up to REQUIRED must be there. */
enum key {
    NAME,
    GRID,
    BLOCK,
    SHARED,
    REGISTERS,
    BINARY,
    VERSION,
    REQUIRED,
    ID = REQUIRED,
    STREAM,
    SHARED_BASE,
    LOCAL_BASE,
    NVBIT,
    LINEINFO,
    KEYS
};
static const char *const names[KEYS] = {
    [NAME] = "kernel name",
    [ID] = "kernel id",
    [GRID] = "grid dim",
    [BLOCK] = "block dim",
    [SHARED] = "shmem",
    [REGISTERS] = "nregs",
    [BINARY] = "binary version",
    [STREAM] = "cuda stream id",
    [SHARED_BASE] = "shmem base_addr",
    [LOCAL_BASE] = "local mem base_addr",
    [NVBIT] = "nvbit version",
    [VERSION] = "accelsim tracer version",
    [LINEINFO] = "enable lineinfo",
};

static bool take_small(struct fh_accelsim_line *l, uint64_t least, uint64_t most, uint32_t *to) {
    uint64_t value;
    if (!fh_accelsim_line_number(l, false, most, &value) || value < least)
        return false;
    *to = (uint32_t)value;
    return true;
}

/* "(64,1,1)", each at least 1 and less than 2^31. */
static bool take_shape(struct fh_accelsim_line *l, uint32_t shape[3]) {
    for (unsigned i = 0; i < 3; i++) {
        uint64_t value = 0;
        if (!fh_accelsim_line_text(l, i ? "," : "("))
            return false;
        const char *const first = l->at;
        for (; l->at < l->end && *l->at >= '0' && *l->at <= '9' && value < UINT32_MAX; l->at++)
            value = 10 * value + (uint64_t)(*l->at - '0');
        if (l->at == first || !value || value > INT32_MAX)
            return false;
        shape[i] = (uint32_t)value;
    }
    return fh_accelsim_line_text(l, ")");
}

static fhec_status take_name(struct fh_accelsim_reader *r, struct fh_accelsim_line *l) {
    const size_t length = (size_t)(l->end - l->at);
    r->kernel.name = malloc(length + 1);
    if (!r->kernel.name)
        return fh_accelsim_no_memory(r);
    memcpy(r->kernel.name, l->at, length);
    r->kernel.name[length] = '\0';
    l->at = l->end;
    return length && strlen(r->kernel.name) == length
               ? FHEC_OK
               : fh_accelsim_wrong(r, "-kernel name: expected a name");
}

/* False: the value is not what it must be. */
static bool take_value(struct fh_accelsim_kernel *k, enum key key, struct fh_accelsim_line *l,
                       const char **expected) {
    uint32_t flag = 0;
    uint64_t unused;
    bool fine = true;
    *expected = "a number";
    switch (key) {
    case ID: return fh_accelsim_line_number(l, false, INT64_MAX, &unused);
    case STREAM: return fh_accelsim_line_number(l, false, UINT64_MAX, &unused);
    case GRID: *expected = "(X,Y,Z), each 1 or more"; return take_shape(l, k->grid);
    case BLOCK:
        *expected = "(X,Y,Z), 1 to 1024 threads";
        return take_shape(l, k->block) && (uint64_t)k->block[0] * k->block[1] <= 1024 &&
               (uint64_t)k->block[0] * k->block[1] * k->block[2] <= 1024;
    case SHARED: return take_small(l, 0, INT32_MAX, &k->shared);
    case REGISTERS:
        *expected = "a number of registers, 0 to 256";
        return take_small(l, 0, 256, &k->registers);
    case BINARY: return take_small(l, 1, 10000, &flag);
    case VERSION: *expected = "3, 4 or 5"; return take_small(l, 3, 5, &k->version);
    case LINEINFO:
        *expected = "0 or 1";
        fine = take_small(l, 0, 1, &flag);
        k->lines = flag;
        return fine;
    case SHARED_BASE:
    case LOCAL_BASE:
        *expected = "an address";
        return fh_accelsim_line_number(l, true, UINT64_MAX,
                                       key == LOCAL_BASE ? &k->local_base : &k->shared_base);
    default: l->at = l->end; return true;
    }
}

static bool take_digits(struct fh_accelsim_line *l, uint64_t *to) {
    *to = 0;
    for (unsigned i = 0; i < 16; i++, l->at++) {
        const char c = l->at < l->end ? *l->at : '\0';
        if (c >= '0' && c <= '9')
            *to = *to << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            *to = *to << 4 | (uint64_t)(c - 'a' + 10);
        else
            return false;
    }
    return true;
}

/* "-fhec code 0080 = LO:HI LO:HI ...": words of the code, in order. */
static fhec_status take_code(struct fh_accelsim_reader *r, struct fh_accelsim_line *l) {
    struct fh_accelsim_kernel *k = &r->kernel;
    uint64_t pc;
    if (!fh_accelsim_line_number(l, true, UINT32_MAX, &pc) ||
        pc != k->word_count * sizeof(fhec_word) || fh_accelsim_line_ends(l) ||
        !fh_accelsim_line_text(l, "="))
        return fh_accelsim_wrong(r, "-fhec code: expected %04zx = words",
                                 k->word_count * sizeof(fhec_word));
    while (!fh_accelsim_line_ends(l)) {
        fhec_word word;
        if (!take_digits(l, &word.lo) || !fh_accelsim_line_text(l, ":") ||
            !take_digits(l, &word.hi))
            return fh_accelsim_wrong(r, "-fhec code: expected words of 16:16 hexadecimal digits");
        if (!fh_trace_room(&k->words, &k->word_room, k->word_count + 1, sizeof *k->words))
            return fh_accelsim_no_memory(r);
        k->words[k->word_count++] = word;
    }
    return FHEC_OK;
}

/* A line behind its "-". Keys that nobody knows are passed over, as Accel-Sim does. */
static fhec_status take_line(struct fh_accelsim_reader *r, struct fh_accelsim_line *l,
                             uint32_t *seen) {
    const char *expected;
    if (fh_accelsim_line_text(l, "fhec code "))
        return take_code(r, l);
    for (unsigned key = 0; key < KEYS; key++) {
        struct fh_accelsim_line value = *l;
        if (!fh_accelsim_line_text(&value, names[key]) || !fh_accelsim_line_text(&value, " = "))
            continue;
        if (*seen >> key & 1)
            return fh_accelsim_wrong(r, "-%s: a second time", names[key]);
        *seen |= 1u << key;
        if (key == NAME)
            return take_name(r, &value);
        if (!take_value(&r->kernel, (enum key)key, &value, &expected) ||
            !fh_accelsim_line_ends(&value))
            return fh_accelsim_wrong(r, "-%s: expected %s", names[key], expected);
        return FHEC_OK;
    }
    return FHEC_OK;
}

static fhec_status check(struct fh_accelsim_reader *r, uint32_t seen) {
    struct fh_accelsim_kernel *k = &r->kernel;
    for (unsigned key = 0; key < REQUIRED; key++)
        if (!(seen >> key & 1))
            return fh_accelsim_wrong(r, "the header ends without -%s", names[key]);
    k->warps =
        (k->block[0] * k->block[1] * k->block[2] + FH_ACCELSIM_LANES - 1) / FH_ACCELSIM_LANES;
    const uint64_t plane = (uint64_t)k->grid[0] * k->grid[1];
    if (plane > UINT32_MAX || plane * k->grid[2] > UINT64_C(1) << 40)
        return fh_accelsim_wrong(r, "-grid dim: more than 2^40 blocks");
    r->blocks = plane * k->grid[2];
    return FHEC_OK;
}

fhec_status fh_accelsim_reader_header(struct fh_accelsim_reader *r,
                                      const struct fh_accelsim_kernel **kernel) {
    struct fh_accelsim_line l;
    uint32_t seen = 0;
    *kernel = &r->kernel;
    for (;;) {
        bool more;
        fhec_status status = fh_accelsim_next_line(r, &l, &more);
        if (status != FHEC_OK)
            return status;
        if (!more)
            return fh_accelsim_wrong(r, "the file ends within its header");
        if (*l.at == '#')
            return check(r, seen);
        if (!fh_accelsim_line_text(&l, "-"))
            return fh_accelsim_wrong(r, "expected a line of the header, -KEY = VALUE, or #");
        status = take_line(r, &l, &seen);
        if (status != FHEC_OK)
            return status;
    }
}

/* ---------------------------------------------------------------- lists */

const char *fh_accelsim_command(const char *text, size_t length,
                                struct fh_accelsim_command *command) {
    struct fh_accelsim_line l = {text, text + length};
    *command = (struct fh_accelsim_command){0};
    if (memchr(text, '\0', length))
        return "expected text, not a byte of zero";
    if (fh_accelsim_line_text(&l, "MemcpyHtoD")) {
        const char *const comma = memchr(l.at, ',', (size_t)(l.end - l.at));
        command->kind = FH_ACCELSIM_HOST_COPY;
        if (comma != l.at)
            return "expected MemcpyHtoD,0xADDRESS,BYTES";
        struct fh_accelsim_line address = {comma + 1, l.end};
        const char *const second = memchr(address.at, ',', (size_t)(address.end - address.at));
        if (!second)
            return "expected MemcpyHtoD,0xADDRESS,BYTES";
        address.end = second;
        struct fh_accelsim_line bytes = {second + 1, l.end};
        return fh_accelsim_line_number(&address, true, UINT64_MAX, &command->address) &&
                       fh_accelsim_line_ends(&address) &&
                       fh_accelsim_line_number(&bytes, false, INT64_MAX, &command->bytes) &&
                       fh_accelsim_line_ends(&bytes)
                   ? NULL
                   : "expected MemcpyHtoD,0xADDRESS,BYTES";
    }
    if (!fh_accelsim_line_text(&l, "kernel"))
        return NULL;
    command->kind = FH_ACCELSIM_LAUNCH;
    return memchr(text, '/', length) ? "expected the name of a file beside the list" : NULL;
}
