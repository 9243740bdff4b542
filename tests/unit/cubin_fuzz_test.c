/*
 * cubin_fuzz_test.c - compiled objects that are damaged: bytes changed, cut off, exchanged, in the
 * tables more often than in the code. Whatever they say, reading ends in a program or in one error,
 * and a program can be listed, checked, printed and run.
 */
#include "cubin_util.h"

#include <elf.h>

#include "fuzz.h"
#include "slow_build.h"

static const char *const files[] = {"memory.O1.cubin", "transform.O3.cubin", "bits.O3.cubin",
                                    "lanes.O1.cubin", "linked.cubin"};
enum { FILES = sizeof files / sizeof *files, SHORT = 2000, LONG = 8000 };

struct said {
    unsigned errors;
};

static void hear(void *user, const fhec_diagnostic *d) {
    struct said *said = user;
    said->errors += d->severity == FHEC_ERROR;
    assert_true(strlen(d->message) > 0);
}

/* A place to damage: the headers, the symbols and the small sections as often as the rest. */
static size_t place(uint64_t *seed, const uint8_t *bytes, size_t length) {
    Elf64_Ehdr header;
    memcpy(&header, bytes, sizeof header);
    uint64_t x = cubin_random(seed);
    if (x % 8 == 0)
        return x / 8 % sizeof header;
    if (x % 8 < 4 && header.e_shoff < length)
        return (size_t)(header.e_shoff + x / 8 % (length - header.e_shoff));
    if (x % 8 < 7)
        return x / 8 % (length < 8192 ? length : 8192);
    return x / 8 % length;
}

static void damage(uint64_t *seed, uint8_t *bytes, size_t *length) {
    unsigned changes = 1 + (unsigned)(cubin_random(seed) % 4);
    for (unsigned i = 0; i < changes; i++) {
        size_t at = place(seed, bytes, *length), n = 1u << cubin_random(seed) % 4;
        uint64_t value = cubin_hostile(seed);
        if (at + n > *length)
            continue;
        if (cubin_random(seed) % 4 == 0)
            memmove(bytes + at, bytes + place(seed, bytes, *length - 8), n);
        else
            memcpy(bytes + at, &value, n);
    }
    if (cubin_random(seed) % 16 == 0)
        *length = 1 + cubin_random(seed) % *length;
}

static void damaged_cubins_never_crash(void **state) {
    const unsigned rounds = (getenv("FHEC_TEST_LONG") ? LONG : SHORT) / (SLOW_BUILD ? 4 : 1);
    unsigned sound = 0;
    for (unsigned file = 0; file < FILES; file++) {
        size_t whole;
        uint8_t *original = cubin_bytes(files[file], &whole), *bytes = malloc(whole);
        assert_non_null(bytes);
        for (unsigned round = 0; round < rounds / FILES; round++) {
            uint64_t seed = file * UINT64_C(1000003) + round;
            size_t length = whole;
            struct said said = {0};
            fhec_program *p;
            memcpy(bytes, original, whole);
            damage(&seed, bytes, &length);
            fhec_status status = fhec_program_read(files[file], bytes, length, hear, &said, &p);
            if ((status == FHEC_OK) != (said.errors == 0) || said.errors > 1 ||
                (status == FHEC_OK) != (p != NULL))
                fail_msg("%s, round %u: status %d, %u errors", files[file], round, (int)status,
                         said.errors);
            if (p) {
                uint64_t limits = cubin_random(&seed);
                char shown[FUZZ_SHOWN] = "";
                const char *wrong = fuzz_use(p, (const uint8_t *)&limits, shown);
                if (wrong)
                    fail_msg("%s, round %u: %s: %s", files[file], round, wrong, shown);
                sound++;
            }
            fhec_program_free(p);
        }
        free(original);
        free(bytes);
    }
    print_message("# %u of %u damaged cubins were still sound\n", sound, rounds);
    assert_true(sound > rounds / 20 && sound < rounds);
    (void)state;
}

/* Where .debug_line lies in the file, found by its name. */
static Elf64_Shdr line_section(const uint8_t *bytes) {
    Elf64_Ehdr header;
    Elf64_Shdr section, names;
    memcpy(&header, bytes, sizeof header);
    memcpy(&names, bytes + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
    for (unsigned i = 0; i < header.e_shnum; i++) {
        memcpy(&section, bytes + header.e_shoff + i * sizeof section, sizeof section);
        if (strcmp((const char *)bytes + names.sh_offset + section.sh_name, ".debug_line") == 0)
            return section;
    }
    fail_msg("the file has no .debug_line");
    return section;
}

/* Every byte of the line table set to numbers that move lines far: what is left without a line has
 * no file either. */
static void no_location_without_a_line(void **state) {
    static const uint8_t values[] = {0x00, 0x40, 0x7f, 0x80, 0xff};
    size_t length;
    uint8_t *bytes = cubin_bytes("linked.cubin", &length);
    const Elf64_Shdr section = line_section(bytes);
    unsigned located = 0;
    for (size_t at = section.sh_offset; at < section.sh_offset + section.sh_size; at++) {
        for (unsigned v = 0; v < sizeof values; v++) {
            uint8_t kept = bytes[at];
            fhec_kernel_info k;
            fhec_program *p;
            bytes[at] = values[v];
            (void)fhec_program_read("linked", bytes, length, NULL, NULL, &p);
            bytes[at] = kept;
            for (size_t i = 0; p && fhec_kernel_get(p, i, &k) == FHEC_OK; i++) {
                for (uint32_t w = 0; w < k.word_count; w++) {
                    fhec_location place = fhec_kernel_location(p, i, w);
                    located += place.file != NULL;
                    if (place.file && !place.line)
                        fail_msg("byte 0x%zx set to 0x%02x: word %u of %s has a file and no line",
                                 at, values[v], w, k.name);
                }
            }
            fhec_program_free(p);
        }
    }
    assert_true(located > 0);
    free(bytes);
    (void)state;
}

/* Cut off at any byte an object is an error, and one only, unless nothing but the table of
 * segments, which no loader of ours needs, has gone. */
static void cut_off_anywhere(void **state) {
    size_t whole;
    uint8_t *bytes = cubin_bytes("linked.cubin", &whole);
    Elf64_Ehdr header;
    memcpy(&header, bytes, sizeof header);
    size_t needed = header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr);
    assert_true(needed < whole && header.e_phoff >= needed);
    for (size_t length = 0; length < whole; length++) {
        struct said said = {0};
        fhec_program *p;
        uint8_t *part = malloc(length + 1); /* so that a sanitizer sees reads past the end */
        assert_non_null(part);
        memcpy(part, bytes, length);
        fhec_status status = fhec_program_read("part", part, length, hear, &said, &p);
        if (status != (length < needed ? FHEC_BAD_INPUT : FHEC_OK) ||
            said.errors != (status != FHEC_OK))
            fail_msg("%zu of %zu bytes: status %d, %u errors", length, whole, (int)status,
                     said.errors);
        fhec_program_free(p);
        free(part);
    }
    free(bytes);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_cubins_never_crash),
                                       cmocka_unit_test(cut_off_anywhere),
                                       cmocka_unit_test(no_location_without_a_line)};
    return cmocka_run_group_tests_name("damaged cubins", tests, NULL, NULL);
}
