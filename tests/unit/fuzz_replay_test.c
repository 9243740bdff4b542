/*
 * fuzz_replay_test.c - the fuzz targets without a fuzzer: every case of tests/regress/TARGET, the
 * files of the tests as they are, and those files damaged, the same way in every run.
 *
 * The environment can choose: FHEC_TEST_SEED; FHEC_FUZZ_ROUNDS, damaged inputs of each target;
 * FHEC_FUZZ_TARGET, the only one; FHEC_FUZZ_KEEP, a file that takes each input before it is tried.
 * A failure names target, seed,
 * file and round, one that ends the program too: the round alone follows from them.
 */
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "emu_random.h"
#include "emu_util.h"
#include "fat_util.h"
#include "fuzz.h"
#include "slow_build.h"
#include "trace_util.h"

enum { MOST_SEEDS = 256, MOST_BYTES = 1 << 18, HANG = 20 /* seconds */ };

struct seed {
    char name[96];
    uint8_t *bytes;
    size_t length;
};

struct bench {
    const char *name;
    fuzz_target *target;
    struct emu_rng rng;
    uint64_t seed, round, rounds;
    struct seed seeds[MOST_SEEDS];
    size_t count;
    const struct seed *from; /* of the input that is tried */
    uint8_t *input;
    size_t length;
};

static struct bench b;

/* ---------------------------------------------------------------- the end of the program */

static void tell(void) {
    fprintf(stderr, "target %s, seed %llu, file %s, round %llu of %llu\n", b.name,
            (unsigned long long)b.seed, b.from ? b.from->name : "-", (unsigned long long)b.round,
            (unsigned long long)b.rounds);
}

static void end(int number) {
    fprintf(stderr, "%s: ", number == SIGALRM ? "it hangs" : "it crashed");
    tell();
    signal(number, SIG_DFL);
    raise(number);
}

/* In the builds with sanitizers: they end the program without a signal. */
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static int listen(void **state) {
    (void)state;
    (void)signal(SIGALRM, end);
    (void)signal(SIGABRT, end);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(tell);
    return 0;
}

/* ---------------------------------------------------------------- inputs */

static void add_seed(const char *name, const uint8_t *bytes, size_t length) {
    assert_true(b.count < MOST_SEEDS && length <= MOST_BYTES);
    struct seed *s = &b.seeds[b.count++];
    snprintf(s->name, sizeof s->name, "%s", name);
    s->length = length;
    s->bytes = malloc(length + 1);
    assert_non_null(s->bytes);
    memcpy(s->bytes, bytes, length);
}

static void add_file(const char *path) {
    static uint8_t bytes[MOST_BYTES + 1];
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be read: run the tests from the root of the sources", path);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    add_seed(path, bytes, length);
}

static int by_name(const void *x, const void *y) {
    return strcmp(((const struct seed *)x)->name, ((const struct seed *)y)->name);
}

/* The files of the folder whose name ends so, in the order of their names. */
static void add_folder(const char *folder, const char *ending) {
    DIR *dir = opendir(folder);
    size_t first = b.count;
    if (!dir)
        return;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        char path[512];
        size_t length = strlen(e->d_name), last = strlen(ending);
        if (e->d_name[0] == '.' || length < last || strcmp(e->d_name + length - last, ending) != 0)
            continue;
        if (strstr(e->d_name, "too_m")) /* a few lines that become millions: too slow */
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        add_file(path);
    }
    closedir(dir);
    qsort(b.seeds + first, b.count - first, sizeof *b.seeds, by_name);
}

/* Random instructions of every form, sixteen a seed. */
static void add_words(void) {
    fhec_word words[16];
    for (unsigned form = 0; form < fh_form_count && b.count < MOST_SEEDS - 32;) {
        char name[96];
        snprintf(name, sizeof name, "words from form %u on", form);
        for (unsigned i = 0; i < 16; i++, form++) {
            struct fh_inst inst;
            emu_random_inst(&b.rng, &fh_forms[form % fh_form_count], &inst);
            words[i] = fh_encode(&inst);
        }
        add_seed(name, (const uint8_t *)words, sizeof words);
    }
}

static void add_data(void) {
    static const char *const headers[] = {
        "\x93NUMPY\x01%cv%c{'descr': '<u4', 'fortran_order': False, 'shape': (2, 1), }%69c\n",
        "\x93NUMPY\x01%cv%c{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }%71c\n",
        "\x93NUMPY\x02%c\x3c%c%c%c{'descr':'<u4','fortran_order':True,'shape':(2,),} \n",
    };
    for (unsigned i = 0; i < 3; i++) {
        char text[256];
        int length = i < 2 ? snprintf(text, sizeof text, headers[i], 0, 0, ' ')
                           : snprintf(text, sizeof text, headers[i], 0, 0, 0, 0);
        assert_true(length > 0 && (size_t)length + 8 < sizeof text);
        memcpy(text + length, "\x01\x00\x00\x80\xfe\xff\xff\x7f", 8);
        add_seed(headers[i], (const uint8_t *)text, (size_t)length + 8);
    }
    add_seed("raw", (const uint8_t *)"\x00\x01\x02\x03\xff\xfe\xfd\xfc", 8);
}

/* A log, and what is in its frames. */
static void add_trace(void) {
    fhec_program *program =
        emu_assemble(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 1024\n"
                     "S2R R0, SR_TID.X ;\nMOV R1, 0x4 ;\nIMAD.WIDE.U32 R2, R0, R1, out ;\n"
                     "ISETP.LT.U32.AND P0, PT, R0, 0x5, PT ;\n"
                     "STG.E [R2.64], R0 ;\n@P0 ATOMS.ADD R5, [RZ], R0 ;\n"
                     "BSSY B0, done ;\n@P0 BRA done ;\nBAR.ARV 0x1, 0x40 ;\ndone: BSYNC B0 ;\n"
                     "LDG.E.64 R6, [R2.64+0x4] ;\nEXIT ;\n.end\n");
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    static const struct fh_trace_select everything;
    struct fh_trace_bytes log = {0}, unpacked = {0};
    struct fh_trace_log_writer *w = fh_trace_log_new((struct fh_trace_out){&log, trace_collect});
    struct fh_trace_recorder *recorder;
    uint64_t out;
    assert_int_equal(fh_trace_record(m, FH_TRACE_ALL, &everything, fh_trace_log_sink(w), &recorder),
                     FHEC_OK);
    assert_int_equal(fhec_alloc(m, "out", 4096, 0, &out), FHEC_OK);
    assert_int_equal(emu_run(m, program, 2, 32, &out, 1), FHEC_GUEST_FAULT); /* odd lanes */
    assert_true(fh_trace_log_end(w, fh_trace_recorder_names(recorder)));
    assert_true(fh_trace_record_end(recorder));
    assert_true(trace_unpack(&log, &unpacked));
    add_seed("a log", log.bytes, log.count);
    add_seed("what is in a log", unpacked.bytes, unpacked.count);
    fh_trace_bytes_free(&log);
    fh_trace_bytes_free(&unpacked);
    fhec_machine_free(m);
    fhec_program_free(program);
}

static void add_fat(void) {
    static const char text[] = "\177ELF, \177ELF, \177ELF: forty words of one kind, and more of it";
    struct fat_file file = {NULL, 0};
    for (unsigned packing = FAT_PLAIN; packing <= FAT_ZSTD; packing++) {
        size_t c = fat_begin(&file);
        fat_add(&file, c, 2, 80, packing, text, sizeof text);
        fat_add(&file, c, 2, 90, FAT_LZ4, file.bytes, file.length);
        add_seed("a container", file.bytes + c, file.length - c);
    }
    add_seed("containers", file.bytes, file.length);
    free(file.bytes);
}

static void add_messages(void) {
    static const char *const streams[] = {
        "Content-Length: "
        "75\r\n\r\n{\"seq\":1,\"type\":\"request\",\"command\":\"launch\",\"arguments\":"
        "{\"line\":3,\"on\":1}}Content-Length: 2\r\n\r\n{}",
        "content-type: "
        "x\r\nContent-Length:54\r\n\r\n{\"arguments\":{\"line\":3,\"list\":[{\"line\":-1},"
        "{}],\"a\":7}}Content-Length: 19\r\n\r\n{\"data\":\"AQIDBA==\"}",
        "Content-Length: 9\r\n\r\n[1,\"\\u1\"]Content-Length: 2\r\n\r\n{}",
    };
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        add_seed("messages", (const uint8_t *)streams[i], strlen(streams[i]));
}

/* ---------------------------------------------------------------- damage */

static size_t somewhere(size_t length) {
    return length ? emu_below(&b.rng, (uint32_t)length) : 0;
}

/* Puts `n` bytes of another input, or of this one, at `at`. */
static void splice(size_t at, bool insert) {
    const struct seed *other = &b.seeds[emu_below(&b.rng, (uint32_t)b.count)];
    size_t from = somewhere(other->length), n = 1 + emu_below(&b.rng, 64);
    n = n < other->length - from ? n : other->length - from;
    if (insert && b.length + n <= MOST_BYTES) {
        memmove(b.input + at + n, b.input + at, b.length - at);
        b.length += n;
    } else if (n > b.length - at) {
        n = b.length - at;
    }
    memcpy(b.input + at, other->bytes + from, n);
}

static void damage_once(void) {
    size_t at = somewhere(b.length), left = b.length - at;
    uint32_t value = emu_value(&b.rng), n = 1u << emu_below(&b.rng, 3);
    if (!b.length)
        return;
    switch (emu_below(&b.rng, 8)) {
    case 0:
    case 1: b.input[at] ^= (uint8_t)(1u << emu_below(&b.rng, 8)); break;
    case 2: b.input[at] = (uint8_t)value; break;
    case 3: memcpy(b.input + at, &value, n < left ? n : left); break;
    case 4: splice(at, true); break;
    case 5: splice(at, false); break;
    case 6: /* leave out */
        n = emu_below(&b.rng, 32);
        n = n < left ? n : (uint32_t)left;
        memmove(b.input + at, b.input + at + n, left - n);
        b.length -= n;
        break;
    default: /* break off, now and then */ b.length = emu_once_in(&b.rng, 8) ? at : b.length;
    }
}

static void make_input(const struct seed *from, bool damaged) {
    b.from = from;
    b.length = from->length;
    memcpy(b.input, from->bytes, from->length);
    for (uint32_t i = damaged ? 1 + emu_below(&b.rng, 5) : 0; i > 0; i--)
        damage_once();
}

static void keep(const char *path) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(b.input, 1, b.length, file), b.length);
    assert_int_equal(fclose(file), 0);
}

static void try_input(void) {
    char shown[FUZZ_SHOWN] = "";
    const char *path = getenv("FHEC_FUZZ_KEEP");
    if (path)
        keep(path);
    /* No byte behind the end may be read: the target gets memory of just this size. */
    uint8_t *exact = malloc(b.length ? b.length : 1);
    assert_non_null(exact);
    memcpy(exact, b.input, b.length);
    (void)alarm(HANG);
    const char *wrong = b.target(exact, b.length, shown);
    (void)alarm(0);
    free(exact);
    if (!wrong)
        return;
    tell();
    fail_msg("target %s, seed %llu, file %s, round %llu: %s: %s", b.name,
             (unsigned long long)b.seed, b.from->name, (unsigned long long)b.round, wrong, shown);
}

/* Begins a target: its name, and how many damaged inputs it gets if nobody says; with a sanitizer
 * half of them, in long runs five times as many. False: the target is not wanted. */
static bool begin(fuzz_target *target, uint64_t rounds) {
    char folder[64];
    rounds *= getenv("FHEC_TEST_LONG") ? 5 : 1;
    rounds /= SLOW_BUILD ? 2 : 1;
    b = (struct bench){.target = target, .seed = emu_setting("FHEC_TEST_SEED", 40961)};
    b.rounds = emu_setting("FHEC_FUZZ_ROUNDS", rounds);
    b.rng.state = b.seed | UINT64_C(1) << 63;
    for (const struct fuzz_named *t = fuzz_targets; t->name; t++)
        b.name = t->target == target ? t->name : b.name;
    const char *only = getenv("FHEC_FUZZ_TARGET");
    if (only && strcmp(only, b.name) != 0)
        return false;
    snprintf(folder, sizeof folder, "tests/regress/%s", b.name);
    add_folder(folder, "");
    return true;
}

/* Every input as it is, then damaged ones. */
static void fuzz(void) {
    assert_true(b.count > 0);
    b.input = malloc(MOST_BYTES);
    assert_non_null(b.input);
    for (size_t i = 0; i < b.count; i++) {
        make_input(&b.seeds[i], false);
        try_input();
    }
    struct timespec start, now;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    for (b.round = 1; b.round <= b.rounds; b.round++) {
        make_input(&b.seeds[emu_below(&b.rng, (uint32_t)b.count)], true);
        try_input();
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    print_message("# %s: %zu files, %llu damaged ones in %ld s, seed %llu\n", b.name, b.count,
                  (unsigned long long)b.rounds, (long)(now.tv_sec - start.tv_sec),
                  (unsigned long long)b.seed);
    for (size_t i = 0; i < b.count; i++)
        free(b.seeds[i].bytes);
    free(b.input);
}

static void sources(void **state) {
    (void)state;
    if (!begin(fuzz_asm, 3000))
        return;
    add_folder("tests/reject", ".sass");
    add_folder("tests/listings", ".txt");
    add_folder("tests/kernels", ".sass");
    add_folder("programs/lib", "gme.sass");
    fuzz();
}

static void layout(void **state) {
    (void)state;
    if (!begin(fuzz_format, 500))
        return;
    add_folder("tests/reject", ".sass");
    add_folder("tests/listings", ".txt");
    add_folder("tests/kernels", ".sass");
    add_folder("programs", ".sass");
    add_folder("programs/lib", ".sass");
    fuzz();
}

/* A session: what a client says, in frames. */
static void add_session(const char *const *messages) {
    char bytes[4096];
    int length = 0;
    for (; *messages; messages++)
        length += snprintf(bytes + length, sizeof bytes - (size_t)length,
                           "Content-Length: %zu\r\n\r\n%s", strlen(*messages), *messages);
    assert_true(length > 0 && (size_t)length < sizeof bytes);
    add_seed("a session", (const uint8_t *)bytes, (size_t)length);
}

/* The sessions of tests/fuzz/sessions.txt, each behind lines with #. */
static void add_sessions(void) {
    static char text[1 << 14];
    FILE *file = fopen("tests/fuzz/sessions.txt", "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    assert_true(length > 0 && length + 1 < sizeof text);
    fclose(file);
    text[length] = 0;
    for (char *line = text, *begin = NULL; *line;) {
        char *next = strchr(line, '\n') + 1;
        if (*line == '#')
            begin = next;
        if (begin && begin < next && (!*next || *next == '#'))
            add_seed("a session", (const uint8_t *)begin, (size_t)(next - begin));
        line = next;
    }
}

static void debug_adapter(void **state) {
    static const char *const frames[] = {
        "{\"seq\":1,\"type\":\"request\",\"command\":\"initialize\",\"arguments\":{\"adapterID\":"
        "\"x\"}}",
        "{\"seq\":2,\"type\":\"request\",\"command\":\"launch\",\"arguments\":{}}",
        "{\"seq\":3,\"type\":\"request\",\"command\":\"configurationDone\"}",
        "{\"seq\":4,\"type\":\"request\",\"command\":\"disconnect\"}",
        NULL,
    };
    (void)state;
    if (!begin(fuzz_dap, 40))
        return;
    add_sessions();
    add_session(frames);
    fuzz();
}

static void language_server(void **state) {
    static const char *const session[] = {
        "{\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}",
        "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"u:x\","
        "\"version\":1,\"text\":\".macro M a\\n  MOV \\\\a, RZ ;\\n.endm\\n.kernel k\\nl: M "
        "R1\\n.end\"}}}",
        "{\"id\":2,\"method\":\"textDocument/"
        "rename\",\"params\":{\"textDocument\":{\"uri\":\"u:x\"},"
        "\"position\":{\"line\":4,\"character\":4},\"newName\":\"N\"}}",
        "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":\"u:x\","
        "\"version\":2},\"contentChanges\":[{\"range\":{\"start\":{\"line\":1,\"character\":2},"
        "\"end\":{\"line\":1,\"character\":5}},\"text\":\"S2R\"}]}}",
        "{\"method\":\"$/cancelRequest\",\"params\":{\"id\":2}}",
        "{\"id\":\"x\",\"method\":\"textDocument/hover\",\"params\":{\"textDocument\":{\"uri\":"
        "\"u:x\"},\"position\":{\"line\":1,\"character\":3}}}",
        "{\"id\":3,\"method\":\"shutdown\"}",
        "{\"method\":\"exit\"}",
        NULL,
    };
    (void)state;
    if (!begin(fuzz_lsp, 40))
        return;
    add_session(session);
    add_folder("tests/kernels", ".sass");
    add_folder("programs/lib", "gme.sass");
    fuzz();
}

static void objects(void **state) {
    (void)state;
    if (!begin(fuzz_cubin, 500))
        return;
    add_folder("tests/cuda", ".cubin");
    fuzz();
}

static void words(void **state) {
    (void)state;
    if (!begin(fuzz_word, 5000))
        return;
    add_words();
    fuzz();
}

static void data_files(void **state) {
    (void)state;
    if (!begin(fuzz_data, 20000))
        return;
    add_data();
    fuzz();
}

static void traces(void **state) {
    (void)state;
    if (!begin(fuzz_trace, 1000))
        return;
    add_trace();
    fuzz();
}

static void fat_binaries(void **state) {
    (void)state;
    if (!begin(fuzz_fat, 20000))
        return;
    add_fat();
    fuzz();
}

/* The lines of the file behind lanes, each a seed. */
static void expressions(void **state) {
    char line[300] = "";
    (void)state;
    if (!begin(fuzz_query, 2000))
        return;
    FILE *file = fopen("tests/fuzz/expressions.txt", "r");
    assert_non_null(file);
    for (char lane = 0; fgets(line + 1, sizeof line - 1, file); lane++) {
        line[0] = lane;
        add_seed("an expression", (const uint8_t *)line, 1 + strcspn(line + 1, "\n"));
    }
    assert_int_equal(fclose(file), 0);
    fuzz();
}

static void messages(void **state) {
    (void)state;
    if (!begin(fuzz_message, 2000))
        return;
    add_messages();
    fuzz();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources),       cmocka_unit_test(objects),
        cmocka_unit_test(words),         cmocka_unit_test(data_files),
        cmocka_unit_test(traces),        cmocka_unit_test(fat_binaries),
        cmocka_unit_test(layout),        cmocka_unit_test(messages),
        cmocka_unit_test(expressions),   cmocka_unit_test(language_server),
        cmocka_unit_test(debug_adapter),
    };
    return cmocka_run_group_tests_name("fuzz targets", tests, listen, NULL);
}
