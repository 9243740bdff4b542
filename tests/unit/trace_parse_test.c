/*
 * trace_parse_test.c - the bytes of logs, written by hand as log_format.h says: each number at its
 * limits and beyond, each part that may be missing; strings, objects and selections by themselves.
 */
#include "emu_util.h"

#include "log_parse.h"
#include "select.h"

/* ---------------------------------------------------------------- bytes by hand */

struct bytes {
    uint8_t at[1 << 16];
    size_t count;
};

static void byte(struct bytes *b, unsigned value) {
    assert_true(b->count < sizeof b->at);
    b->at[b->count++] = (uint8_t)value;
}

static void fixed(struct bytes *b, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        byte(b, (unsigned)(value >> 8 * i & 0xff));
}

/* Seven bits a byte, the lowest first. */
static void number(struct bytes *b, uint64_t value) {
    for (; value > 127; value /= 128)
        byte(b, (unsigned)(value % 128 + 128));
    byte(b, (unsigned)value);
}

static void text(struct bytes *b, const char *of) {
    number(b, strlen(of));
    for (; *of; of++)
        byte(b, (unsigned char)*of);
}

static struct fh_trace_parse parse_of(const struct bytes *b) {
    return (struct fh_trace_parse){.at = b->at, .end = b->at + b->count};
}

/* Names of one kernel "k" with two launches. */
static void names_of(struct fh_trace_names *names) {
    *names = (struct fh_trace_names){.kernels = calloc(1, sizeof *names->kernels),
                                     .kernel_count = 1,
                                     .launches = calloc(2, sizeof *names->launches),
                                     .launch_count = 2};
    assert_non_null(names->kernels);
    assert_non_null(names->launches);
    names->kernels[0].name = fh_trace_string(names, "k", 1);
    for (uint32_t i = 0; i < 2; i++)
        names->launches[i] = (struct fh_trace_launch){.number = 5 + i, .grid = {4, 3, 2}};
}

static void numbers(void **state) {
    (void)state;
    static const struct {
        uint8_t bytes[12];
        size_t count;
        uint64_t value;
        bool bad;
    } cases[] = {
        {{0}, 1, 0, false},
        {{0x7f}, 1, 127, false},
        {{0x80, 1}, 2, 128, false},
        {{0xff, 1}, 2, 255, false},
        {{0xff, 0x7f}, 2, 16383, false},
        {{0x80, 0x80, 1}, 3, 16384, false},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 10, UINT64_MAX, false},
        {{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1}, 10, UINT64_C(1) << 63, false},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0}, 11, 0, true},
        {{0x80}, 1, 0, true},
        {{0}, 0, 0, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_trace_parse p = {.at = cases[i].bytes, .end = cases[i].bytes + cases[i].count};
        assert_int_equal(fh_trace_parse_number(&p), cases[i].value);
        assert_int_equal(p.bad, cases[i].bad);
        assert_ptr_equal(p.at, p.end);
    }
    /* as many as there are bytes behind it */
    for (unsigned count = 0; count < 5; count++) {
        const uint8_t own[] = {(uint8_t)count, 1, 2, 3};
        struct fh_trace_parse p = {.at = own, .end = own + sizeof own};
        assert_int_equal(fh_trace_parse_count(&p), count <= 3 ? count : 0);
        assert_int_equal(p.bad, count > 3);
    }
}

/* ---------------------------------------------------------------- records */

enum { SAME = 1 | 2 | 4 | 8 | 16 | 32 }; /* nothing but the next pc, all lanes */

/* Whether the bytes are a record, all of it; none of its beginnings is. */
static bool is_record(const struct bytes *b, struct fh_trace_names *names,
                      struct fh_trace_record *r) {
    for (size_t n = 0; n < b->count; n++) {
        struct fh_trace_parse p = {.at = b->at, .end = b->at + n};
        if (fh_trace_parse_record(&p, names, r))
            fail_msg("%zu of %zu bytes are a record", n, b->count);
        assert_false(p.no_memory);
    }
    struct fh_trace_parse p = parse_of(b);
    const bool is = fh_trace_parse_record(&p, names, r);
    assert_int_equal(p.bad, !is);
    if (is)
        assert_ptr_equal(p.at, p.end);
    return is;
}

static void begin(struct bytes *b, unsigned code) {
    b->count = 0;
    byte(b, code);
    byte(b, SAME);
}

static void kinds(void **state) {
    (void)state;
    struct fh_trace_names names;
    struct fh_trace_record r = {0};
    static struct bytes b;
    static const fhec_event_kind order[] = {
        FHEC_EVENT_LAUNCH_BEGIN, FHEC_EVENT_LAUNCH_END, FHEC_EVENT_BLOCK_BEGIN,
        FHEC_EVENT_BLOCK_END,    FHEC_EVENT_WARP_BEGIN, FHEC_EVENT_WARP_END,
        FHEC_EVENT_ISSUE,        FHEC_EVENT_RETIRE,     FHEC_EVENT_ARRIVE,
        FHEC_EVENT_RELEASE,      FHEC_EVENT_DIVERGE,    FHEC_EVENT_CONVERGE,
        FHEC_EVENT_COPY,         FHEC_EVENT_COPY_DONE,  FHEC_EVENT_FAULT,
        FHEC_EVENT_ALLOC,        FHEC_EVENT_FREE,       FHEC_EVENT_HOST_WRITE,
        FHEC_EVENT_HOST_READ};
    names_of(&names);
    for (unsigned code = 0; code < 22; code++) {
        const bool instruction = code == 7 || code == 8;
        begin(&b, code);
        for (unsigned i = 0; i < (instruction ? 2u : 3u); i++)
            number(&b, instruction ? 0 : 1000 * i + 1);
        if (code == 11) { /* all lanes go to 0x40 */
            byte(&b, 0);
            number(&b, 0x40);
        }
        if (!instruction) {
            text(&b, "name");
            text(&b, "why");
        }
        assert_int_equal(is_record(&b, &names, &r), code >= 1 && code <= 19);
        if (code < 1 || code > 19)
            continue;
        assert_int_equal(r.kind, order[code - 1]);
        assert_int_equal(r.pc, 16);
        assert_int_equal(r.lanes, UINT32_MAX);
        assert_int_equal(r.active, UINT32_MAX);
        if (instruction) {
            assert_null(r.text);
            continue;
        }
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(r.numbers[i], 1000 * i + 1);
        assert_string_equal(r.text, "name");
        assert_string_equal(r.message, "why");
        if (code == 11)
            assert_int_equal(r.next[31], 0x40);
        /* without a name: faults and the host's have one */
        begin(&b, code);
        for (unsigned i = 0; i < 3; i++)
            number(&b, 0);
        if (code == 11) {
            byte(&b, 0);
            number(&b, 0);
        }
        text(&b, "");
        text(&b, "");
        struct fh_trace_parse p = parse_of(&b);
        assert_int_equal(fh_trace_parse_record(&p, &names, &r), code < 15);
        if (code < 15)
            assert_null(r.text);
    }
    /* no zeros within a text */
    begin(&b, 15);
    for (unsigned i = 0; i < 3; i++)
        number(&b, 0);
    number(&b, 2);
    byte(&b, 'a');
    byte(&b, 0);
    number(&b, 0);
    struct fh_trace_parse p = parse_of(&b);
    assert_false(fh_trace_parse_record(&p, &names, &r));
    fh_trace_record_free(&r);
    fh_trace_names_free(&names);
}

/* Launch, block, warp, pc and lanes, each alone; the others are as they were. */
static void positions(void **state) {
    (void)state;
    struct fh_trace_names names;
    struct fh_trace_record r = {0};
    static struct bytes b;
    names_of(&names);
    for (unsigned left_out = 0; left_out < 64; left_out++) {
        for (uint32_t launch = 0; launch < 4; launch++) {
            b.count = 0;
            byte(&b, 8);
            byte(&b, SAME & ~left_out);
            if (left_out & 1)
                number(&b, launch);
            for (unsigned i = 0; i < 3 && left_out & 2; i++)
                number(&b, 1000 + i);
            if (left_out & 4)
                number(&b, 300);
            if (left_out & 8)
                number(&b, 2 * 0x20 - 1); /* -0x20 */
            if (left_out & 16)
                fixed(&b, 0x80f01234, 4);
            if (left_out & 32)
                fixed(&b, 0x00f01234, 4);
            number(&b, 0);
            number(&b, 0);
            struct fh_trace_parse p = parse_of(&b);
            p.last = (struct fh_trace_position){1, {7, 8, 9}, 3, 0x1000};
            const bool fine = !(left_out & 1) || launch < 2;
            assert_int_equal(fh_trace_parse_record(&p, &names, &r), fine);
            if (!fine)
                continue;
            assert_int_equal(r.launch, left_out & 1 ? launch : 1);
            for (unsigned i = 0; i < 3; i++)
                assert_int_equal(r.block[i], left_out & 2 ? 1000 + i : 7 + i);
            assert_int_equal(r.warp, left_out & 4 ? 300 : 3);
            assert_int_equal(r.pc, left_out & 8 ? 0xfe0 : 0x1010);
            const uint32_t lanes = left_out & 16 ? 0x80f01234 : UINT32_MAX;
            assert_int_equal(r.lanes, lanes);
            assert_int_equal(r.active, left_out & 32 ? 0x00f01234 : lanes);
            assert_memory_equal(p.last.block, r.block, sizeof r.block);
            assert_int_equal(p.last.pc, r.pc);
        }
    }
    fh_trace_record_free(&r);
    fh_trace_names_free(&names);
}

static void registers(void **state) {
    (void)state;
    struct fh_trace_names names;
    struct fh_trace_record r = {0};
    static struct bytes b;
    names_of(&names);
    begin(&b, 8);
    number(&b, 4);
    byte(&b, FHEC_FILE_R | 0x80); /* read */
    number(&b, 255);
    byte(&b, 0); /* all equal */
    number(&b, 0xdeadbeef);
    byte(&b, FHEC_FILE_R);
    number(&b, 7);
    byte(&b, 1); /* the next one is less by 3 */
    number(&b, 50);
    number(&b, 2 * 3 - 1);
    byte(&b, FHEC_FILE_R);
    number(&b, 8);
    byte(&b, 2); /* each */
    for (uint32_t l = 0; l < 32; l++)
        fixed(&b, l * l * 0x01000001u, 4);
    byte(&b, FHEC_FILE_UP);
    number(&b, 6);
    number(&b, 1);
    number(&b, 0);
    assert_true(is_record(&b, &names, &r));
    assert_int_equal(r.register_count, 4);
    assert_true(r.registers[0].read && !r.registers[1].read);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(r.registers[0].values[l], 0xdeadbeef);
        assert_int_equal(r.registers[1].values[l], 50u - 3 * l);
        assert_int_equal(r.registers[2].values[l], l * l * 0x01000001u);
    }
    assert_int_equal(r.registers[0].number, 255);
    assert_int_equal(r.registers[3].file, FHEC_FILE_UP);
    assert_int_equal(r.registers[3].number, 6);
    assert_int_equal(r.registers[3].values[0], 1);
    /* file, number and form, each at its limit and beyond */
    for (unsigned wrong = 0; wrong < 4; wrong++) {
        begin(&b, 8);
        number(&b, 1);
        byte(&b, wrong == 1 ? FHEC_FILE_UP + 1 : wrong == 3 ? FHEC_FILE_R : FHEC_FILE_UP);
        number(&b, wrong == 2 ? 256 : 255);
        if (wrong == 3)
            byte(&b, 3);
        number(&b, 1);
        number(&b, 0);
        assert_int_equal(is_record(&b, &names, &r), wrong == 0);
    }
    for (unsigned count = 1023; count <= 1024; count++) {
        begin(&b, 8);
        number(&b, count);
        for (unsigned i = 0; i < count; i++) {
            byte(&b, FHEC_FILE_P);
            number(&b, i % 7);
            number(&b, i);
        }
        number(&b, 0);
        struct fh_trace_parse p = parse_of(&b);
        assert_int_equal(fh_trace_parse_record(&p, &names, &r), count == 1023);
        if (count == 1023)
            assert_int_equal(r.registers[1022].values[0], 1022);
    }
    fh_trace_record_free(&r);
    fh_trace_names_free(&names);
}

/* An access of `bytes` bytes by two lanes, and whether it is taken. */
static bool access_is(struct fh_trace_names *names, struct fh_trace_record *r, unsigned head,
                      unsigned bytes, uint32_t lanes) {
    static struct bytes b;
    begin(&b, 8);
    number(&b, 0);
    number(&b, 1);
    byte(&b, head);
    number(&b, bytes);
    number(&b, 3);
    fixed(&b, lanes, 4);
    byte(&b, 1); /* 0x100000000, less 8 for each further lane */
    number(&b, UINT64_C(1) << 32);
    number(&b, 2 * 8 - 1);
    for (unsigned old = 0; old <= (head >> 4 & 1); old++)
        for (unsigned i = 0; i < (bytes + 3) / 4; i++) {
            byte(&b, 1);
            number(&b, 100 * old + 10 * i);
            number(&b, 2);
        }
    return is_record(&b, names, r);
}

static void accesses(void **state) {
    (void)state;
    struct fh_trace_names names;
    struct fh_trace_record r = {0};
    names_of(&names);
    for (unsigned bytes = 0; bytes <= 18; bytes++)
        assert_int_equal(access_is(&names, &r, 0x04, bytes, 0x80000010), bytes && bytes < 17);
    for (unsigned head = 0; head < 0x30; head++) {
        const bool fine = (head >> 2 & 3) && head < 0x20;
        assert_int_equal(access_is(&names, &r, head, 6, 0x80000010), fine);
        if (!fine)
            continue;
        const struct fh_trace_access *a = &r.accesses[0];
        assert_int_equal(r.access_count, 1);
        assert_int_equal(a->space, head & 3);
        assert_int_equal(a->access, head >> 2 & 3);
        assert_int_equal(a->has_old, head >> 4);
        assert_int_equal(a->bytes, 6);
        assert_int_equal(a->bank, 3);
        assert_int_equal(a->lanes, 0x80000010);
        assert_int_equal(a->address[4], UINT64_C(0x100000000));
        assert_int_equal(a->address[31], UINT64_C(0xfffffff8));
        for (unsigned i = 0; i < 2; i++) {
            assert_int_equal(a->value[i][4], 10 * i);
            assert_int_equal(a->value[i][31], 10 * i + 1);
            if (head >> 4)
                assert_int_equal(a->old[i][31], 100 + 10 * i + 1);
        }
    }
    assert_false(access_is(&names, &r, 0x04, 4, 0));
    assert_true(access_is(&names, &r, 0x04, 4, 1));
    fh_trace_record_free(&r);
    fh_trace_names_free(&names);
}

/* ---------------------------------------------------------------- names */

/* What is changed in the bytes below; the least that is wrong, or the most that is right. */
enum change {
    NOTHING,
    NUMBER_OF_NO_STRING,
    FILE_LEFT_OUT,
    KERNEL_WITHOUT_NAME,
    STEP_WITHOUT_NAME,
    STEP_WITHOUT_FILE,
    NO_KERNEL,
    LAST_SPACE,
    NO_SPACE,
    OBJECT_WITHOUT_NAME,
    LAST_INSTRUCTION,
    NO_INSTRUCTION,
    INSTRUCTION_TWICE,
    MORE,
    CHANGES,
};

static void write_names(struct bytes *b, enum change c) {
    b->count = 0;
    number(b, 4);
    text(b, "k");
    text(b, "a.sass");
    text(b, "macro M");
    text(b, "k"); /* again: it has a number of its own */
    number(b, 1);
    number(b, c == KERNEL_WITHOUT_NAME ? 0 : c == NUMBER_OF_NO_STRING ? 5 : 4);
    number(b, 2); /* instructions */
    number(b, 3);
    fixed(b, 0x1122334455667788, 8);
    fixed(b, 0x99aabbccddeeff00, 8);
    number(b, c == FILE_LEFT_OUT ? 0 : 2);
    number(b, 12);
    number(b, 5);
    number(b, 1); /* a step */
    number(b, c == STEP_WITHOUT_NAME ? 0 : 3);
    number(b, c == STEP_WITHOUT_FILE ? 0 : 2);
    number(b, 9);
    number(b, 2);
    number(b, c == LAST_INSTRUCTION    ? (1 << 22) - 1 - 3
              : c == NO_INSTRUCTION    ? (1 << 22) - 3
              : c == INSTRUCTION_TWICE ? 0
                                       : 2);
    fixed(b, 7, 8);
    fixed(b, 8, 8);
    number(b, 0);
    number(b, 0);
    number(b, 0);
    number(b, c == INSTRUCTION_TWICE);
    if (c == INSTRUCTION_TWICE)
        for (unsigned i = 0; i < 4; i++)
            number(b, 1);
    number(b, 1);
    number(b, 77); /* the launch */
    number(b, c == NO_KERNEL ? 1 : 0);
    for (unsigned i = 0; i < 6; i++)
        number(b, 10 + i);
    number(b, 1);
    number(b, c == OBJECT_WITHOUT_NAME ? 0 : 2);
    number(b, c == LAST_SPACE ? 3 : c == NO_SPACE ? 4 : 0);
    for (unsigned i = 0; i < 4; i++)
        number(b, 20 + i);
    if (c == MORE)
        byte(b, 0);
}

static void names(void **state) {
    (void)state;
    static struct bytes b;
    for (enum change c = NOTHING; c < CHANGES; c++) {
        struct fh_trace_names n = {0};
        write_names(&b, c);
        struct fh_trace_parse p = parse_of(&b);
        const bool fine =
            c == NOTHING || c == FILE_LEFT_OUT || c == LAST_SPACE || c == LAST_INSTRUCTION;
        if (fh_trace_parse_names(&p, &n) != fine)
            fail_msg("change %d", (int)c);
        if (!fine) {
            fh_trace_names_free(&n);
            continue;
        }
        assert_int_equal(n.string_count, 4);
        assert_int_equal(n.kernel_count, 1);
        assert_ptr_equal(n.kernels[0].name, n.strings[3]);
        assert_int_equal(n.kernels[0].count, c == LAST_INSTRUCTION ? 1 << 22 : 6);
        assert_null(fh_trace_instruction_at(&n, 0, 2 * 16));
        assert_null(fh_trace_instruction_at(&n, 0, 4 * 16));
        assert_null(fh_trace_instruction_at(&n, 1, 3 * 16));
        const struct fh_trace_instruction *at = fh_trace_instruction_at(&n, 0, 3 * 16);
        assert_non_null(at);
        assert_int_equal(at->word.lo, 0x1122334455667788);
        assert_int_equal(at->word.hi, 0x99aabbccddeeff00);
        if (c == FILE_LEFT_OUT)
            assert_null(at->file);
        else
            assert_string_equal(at->file, "a.sass");
        assert_int_equal(at->line, 12);
        assert_int_equal(at->column, 5);
        assert_int_equal(at->step_count, 1);
        assert_string_equal(at->steps[0].what, "macro M");
        assert_string_equal(at->steps[0].file, "a.sass");
        assert_int_equal(at->steps[0].line, 9);
        assert_int_equal(at->steps[0].iteration, 2);
        if (c != LAST_INSTRUCTION)
            assert_int_equal(fh_trace_instruction_at(&n, 0, 5 * 16)->word.hi, 8);
        assert_int_equal(n.launches[0].number, 77);
        for (unsigned i = 0; i < 3; i++) {
            assert_int_equal(n.launches[0].grid[i], 10 + 2 * i);
            assert_int_equal(n.launches[0].block[i], 11 + 2 * i);
        }
        assert_int_equal(n.object_count, 1);
        assert_int_equal(n.objects[0].space, c == LAST_SPACE ? 3 : 0);
        assert_int_equal(n.objects[0].bank, 20);
        assert_int_equal(n.objects[0].launch, 21);
        assert_int_equal(n.objects[0].base, 22);
        assert_int_equal(n.objects[0].size, 23);
        fh_trace_names_free(&n);
    }
    write_names(&b, NOTHING);
    for (size_t count = 0; count < b.count; count++) {
        struct fh_trace_names n = {0};
        struct fh_trace_parse p = {.at = b.at, .end = b.at + count};
        assert_false(fh_trace_parse_names(&p, &n));
        assert_false(p.no_memory);
        fh_trace_names_free(&n);
    }
}

/* Strings are kept once, however many there are; those that begin alike are different ones. */
static void strings(void **state) {
    (void)state;
    struct fh_trace_names n = {0};
    char own[32];
    assert_int_equal(fh_trace_string_number(&n, "a"), 0);
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < 3000; i++) {
            const int length = snprintf(own, sizeof own, "%u", i);
            const char *kept = fh_trace_string(&n, own, (size_t)length);
            assert_string_equal(kept, own);
            assert_int_equal(fh_trace_string_number(&n, own), i + 1);
            assert_ptr_equal(kept, n.strings[i]);
            assert_int_equal(n.string_count, pass ? 3000 : i + 1);
        }
    assert_string_equal(fh_trace_string(&n, "12345", 4), "1234");
    assert_int_equal(n.string_count, 3000);
    assert_string_equal(fh_trace_string(&n, "12345", 5), "12345");
    assert_int_equal(n.string_count, 3001);
    assert_int_equal(fh_trace_string_number(&n, "no"), 0);
    assert_int_equal(fh_trace_string_number(&n, NULL), 0);
    assert_non_null(fh_trace_string_append(&n, "7", 1));
    assert_int_equal(n.string_count, 3002);
    assert_int_equal(fh_trace_string_number(&n, "7"), 8);
    fh_trace_names_free(&n);
}

static void add(struct fh_trace_names *n, const char *name, fhec_space space, uint32_t bank,
                uint32_t launch, uint64_t base, uint64_t size) {
    const struct fh_trace_object o = {name, space, bank, launch, base, size};
    assert_int_equal(fh_trace_object_add(n, &o), FHEC_OK);
}

static void object_is(struct fh_trace_names *n, fhec_space space, uint32_t bank, uint32_t launch,
                      uint64_t address, const char *name) {
    const struct fh_trace_object *o = fh_trace_object_at(n, space, bank, launch, address);
    if ((o != NULL) != (name != NULL) || (o && strcmp(o->name, name) != 0))
        fail_msg("at %llu: %s", (unsigned long long)address, o ? o->name : "nothing");
}

static void objects(void **state) {
    (void)state;
    struct fh_trace_names n = {0};
    const fhec_space g = FHEC_SPACE_GLOBAL, c = FHEC_SPACE_CONSTANT;
    add(&n, "a", g, 0, 0, 100, 20);
    add(&n, "b", g, 0, 0, 120, 10);
    add(&n, "s", FHEC_SPACE_SHARED, 0, 0, 100, 5);
    add(&n, "c", c, 3, 1, 100, 5);
    add(&n, "d", c, 3, 2, 100, 5);
    add(&n, "e", c, 4, 1, 100, 5);
    for (unsigned pass = 0; pass < 2; pass++) {
        object_is(&n, g, 0, 0, 99, NULL);
        object_is(&n, g, 0, 0, 100, "a");
        object_is(&n, g, 0, 0, 119, "a");
        object_is(&n, g, 9, 9, 120, "b"); /* bank and launch are those of constants */
        object_is(&n, g, 0, 0, 129, "b");
        object_is(&n, g, 0, 0, 130, NULL);
        object_is(&n, FHEC_SPACE_SHARED, 0, 0, 104, "s");
        object_is(&n, FHEC_SPACE_SHARED, 0, 0, 105, NULL);
        object_is(&n, c, 3, 1, 104, "c");
        object_is(&n, c, 3, 2, 104, "d");
        object_is(&n, c, 4, 1, 104, "e");
        object_is(&n, c, 4, 2, 104, NULL);
        object_is(&n, c, 3, 1, 105, NULL);
    }
    /* what is there now takes the place of what was: of neighbours nothing */
    add(&n, "f", g, 0, 0, 90, 10);
    object_is(&n, g, 0, 0, 100, "a");
    add(&n, "f", g, 0, 0, 130, 5);
    object_is(&n, g, 0, 0, 129, "b");
    add(&n, "h", g, 0, 0, 119, 1);
    object_is(&n, g, 0, 0, 119, "h");
    object_is(&n, g, 0, 0, 118, NULL); /* all of it is gone */
    object_is(&n, g, 0, 0, 120, "b");
    object_is(&n, FHEC_SPACE_SHARED, 0, 0, 100, "s");
    object_is(&n, c, 3, 1, 100, "c");
    add(&n, "i", c, 3, 1, 103, 9);
    object_is(&n, c, 3, 1, 100, NULL);
    object_is(&n, c, 3, 2, 100, "d");
    object_is(&n, c, 4, 1, 100, "e");
    fh_trace_names_free(&n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),   cmocka_unit_test(kinds),    cmocka_unit_test(positions),
        cmocka_unit_test(registers), cmocka_unit_test(accesses), cmocka_unit_test(names),
        cmocka_unit_test(strings),   cmocka_unit_test(objects),
    };
    return cmocka_run_group_tests_name("trace_parse", tests, NULL, NULL);
}
