/*
 * profile_footprint_test.c - sectors and passes of accesses, against formulas that follow from the
 * definitions of docs/profiles.md: for strides, widths, LDSM, broadcasts, and for some patterns by
 * hand.
 */
#include "footprint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LANES = FHEC_WARP_LANES, BASE = 0x700000 };

static uint32_t gcd(uint32_t a, uint32_t b) {
    return b ? gcd(b, a % b) : a;
}

/* Address of lane i: BASE + step * i; lanes in another order if `mixed`, which changes nothing
 * about sectors. */
static void spread(uint64_t address[LANES], uint32_t step, bool mixed) {
    for (uint32_t i = 0; i < LANES; i++)
        address[mixed ? i * 13 % LANES : i] = BASE + (uint64_t)step * i;
}

static uint32_t passes_of(enum fh_shared_kind kind, uint32_t lanes, const uint64_t *address,
                          uint32_t bytes, uint32_t *minimum) {
    struct fh_footprint f;
    fh_footprint_shared(kind, lanes, address, bytes, &f);
    *minimum = f.minimum;
    return f.passes;
}

/* Lane i has word s * i, in bank s * i mod 32: gcd(s, 32) lanes share a bank. With 64 bits a half
 * warp has 16 pairs of banks, with 128 bits a quarter has 8 sets of four. */
static void test_strides(void **unused) {
    (void)unused;
    uint64_t address[LANES];
    uint32_t minimum;
    for (uint32_t s = 1; s <= 33; s++) {
        for (unsigned kind = FH_SHARED_LOAD; kind <= FH_SHARED_STORE; kind++) {
            const enum fh_shared_kind k = (enum fh_shared_kind)kind;
            spread(address, 4 * s, false);
            assert_int_equal(passes_of(k, UINT32_MAX, address, 4, &minimum), gcd(s, 32));
            assert_int_equal(minimum, 1);
            spread(address, 8 * s, false);
            assert_int_equal(passes_of(k, UINT32_MAX, address, 8, &minimum), 2 * gcd(s, 16));
            assert_int_equal(minimum, 2);
            spread(address, 16 * s, false);
            assert_int_equal(passes_of(k, UINT32_MAX, address, 16, &minimum), 4 * gcd(s, 8));
            assert_int_equal(minimum, 4);
        }
    }
}

/* Eight rows of 16 bytes at a distance of s times as much, for each matrix. */
static void test_matrices(void **unused) {
    (void)unused;
    uint64_t address[LANES];
    uint32_t minimum;
    for (uint32_t s = 1; s <= 33; s++) {
        for (uint32_t count = 1; count <= 4; count *= 2) {
            const uint32_t lanes = UINT32_MAX >> (LANES - 8 * count);
            spread(address, 16 * s, false);
            assert_int_equal(passes_of(FH_SHARED_MATRICES, lanes, address, 16, &minimum),
                             count * gcd(s, 8));
            assert_int_equal(minimum, count);
        }
    }
}

/* One word for all lanes is one pass; more than a register a lane takes two of a load, and as many
 * of a store as without a broadcast. Bytes of one word are one word. */
static void test_broadcast(void **unused) {
    (void)unused;
    uint64_t address[LANES];
    uint32_t minimum;
    spread(address, 0, false);
    for (uint32_t bytes = 1; bytes <= 4; bytes *= 2)
        assert_int_equal(passes_of(FH_SHARED_LOAD, UINT32_MAX, address, bytes, &minimum), 1);
    assert_int_equal(passes_of(FH_SHARED_LOAD, UINT32_MAX, address, 8, &minimum), 1);
    assert_int_equal(passes_of(FH_SHARED_LOAD, UINT32_MAX, address, 16, &minimum), 2);
    assert_int_equal(minimum, 2);
    assert_int_equal(passes_of(FH_SHARED_STORE, UINT32_MAX, address, 8, &minimum), 2);
    assert_int_equal(passes_of(FH_SHARED_STORE, UINT32_MAX, address, 16, &minimum), 4);
    assert_int_equal(passes_of(FH_SHARED_ATOMIC, UINT32_MAX, address, 4, &minimum), 32);
    spread(address, 1, false); /* a byte a lane: eight words */
    assert_int_equal(passes_of(FH_SHARED_LOAD, UINT32_MAX, address, 1, &minimum), 1);
    spread(address, 4, false);
    assert_int_equal(passes_of(FH_SHARED_ATOMIC, UINT32_MAX, address, 4, &minimum), 1);
    for (uint32_t i = 0; i < LANES; i++) /* pairs: 0 0 1 1 2 2 ... */
        address[i] = 16 * (uint64_t)(i / 2);
    assert_int_equal(passes_of(FH_SHARED_LOAD, UINT32_MAX, address, 16, &minimum), 2);
    for (uint32_t i = 0; i < LANES; i++) /* 0 1 0 1 2 3 2 3 ... */
        address[i] = 16 * (uint64_t)(i / 4 * 2 + i % 2);
    assert_int_equal(passes_of(FH_SHARED_LOAD, UINT32_MAX, address, 16, &minimum), 2);
    address[31] = 16 * UINT64_C(1000); /* one lane is on its own */
    assert_int_equal(passes_of(FH_SHARED_LOAD, UINT32_MAX, address, 16, &minimum), 4);
}

/* Some lanes only: no pass for a group without any, no conflict with lanes that are away. */
static void test_masks(void **unused) {
    (void)unused;
    uint64_t address[LANES];
    uint32_t minimum;
    spread(address, 128, false);
    assert_int_equal(passes_of(FH_SHARED_STORE, 0x80000001, address, 4, &minimum), 2);
    assert_int_equal(passes_of(FH_SHARED_STORE, 0x00010000, address, 4, &minimum), 1);
    assert_int_equal(passes_of(FH_SHARED_STORE, 0x0000ffff, address, 8, &minimum), 16);
    assert_int_equal(minimum, 1);
    assert_int_equal(passes_of(FH_SHARED_STORE, 0x80000001, address, 8, &minimum), 2);
    assert_int_equal(minimum, 2);
    assert_int_equal(passes_of(FH_SHARED_STORE, 0x00ff00ff, address, 16, &minimum), 16);
    assert_int_equal(minimum, 2);
}

/* Which bank, and who is in it. */
static void test_worst(void **unused) {
    (void)unused;
    uint64_t address[LANES];
    struct fh_footprint f;
    spread(address, 4, false);
    fh_footprint_shared(FH_SHARED_LOAD, UINT32_MAX, address, 4, &f);
    assert_int_equal(f.worst.ways, 0);
    address[3] = BASE + 4 * 9 + 128;  /* bank 9 */
    address[30] = BASE + 4 * 9 + 512; /* too */
    fh_footprint_shared(FH_SHARED_LOAD, UINT32_MAX, address, 4, &f);
    assert_int_equal(f.passes, 3);
    assert_int_equal(f.worst.ways, 3);
    assert_int_equal(f.worst.bank, 9);
    assert_int_equal(f.worst.count, 3);
    assert_int_equal(f.worst.lane[0], 3);
    assert_int_equal(f.worst.lane[1], 9);
    assert_int_equal(f.worst.lane[2], 30);
    assert_int_equal(f.worst.first[0], 4 * 9 + 128);
    assert_int_equal(f.worst.first[1], 4 * 9);
    assert_int_equal(f.worst.first[2], 4 * 9 + 512);
}

static void expect_sectors(const uint64_t *address, uint32_t lanes, uint32_t bytes,
                           uint32_t sectors, uint32_t ideal) {
    struct fh_footprint f;
    fh_footprint_global(lanes, address, bytes, &f);
    assert_int_equal(f.sectors, sectors);
    assert_int_equal(f.ideal, ideal);
}

/* Lane i begins in sector floor(s * i * bytes / 32): all of them up to the last one's, until each
 * lane has its own. */
static void test_sectors(void **unused) {
    (void)unused;
    uint64_t address[LANES];
    for (uint32_t bytes = 4; bytes <= 16; bytes *= 2) {
        const uint32_t each = 32 / bytes; /* accesses that a sector has room for */
        for (uint32_t s = 1; s <= 33; s++) {
            for (unsigned mixed = 0; mixed < 2; mixed++) {
                spread(address, s * bytes, mixed);
                expect_sectors(address, UINT32_MAX, bytes, s < each ? 31 * s / each + 1 : 32,
                               bytes);
            }
        }
        spread(address, 0, false);
        expect_sectors(address, UINT32_MAX, bytes, 1, 1);
    }
    spread(address, 4, true);
    for (uint32_t i = 0; i < LANES; i++)
        address[i] += 16;
    expect_sectors(address, UINT32_MAX, 4, 5, 4); /* 128 bytes that begin in a sector's middle */
    spread(address, 1, true);
    expect_sectors(address, UINT32_MAX, 1, 1, 1);
    expect_sectors(address, 0x80000000, 1, 1, 1);
    spread(address, 32, false);
    expect_sectors(address, 0x55555555, 4, 16, 2);
    for (uint32_t i = 0; i < LANES; i++) /* each address twice */
        address[i] = BASE + 8 * (uint64_t)(i % 16);
    expect_sectors(address, UINT32_MAX, 8, 4, 4);
}

/* The same address in all threads is a row of 32 words. */
static void test_local(void **unused) {
    (void)unused;
    uint64_t address[LANES];
    struct fh_footprint f;
    for (uint32_t bytes = 4; bytes <= 16; bytes *= 2) {
        spread(address, 0, false);
        fh_footprint_local(UINT32_MAX, address, bytes, &f);
        assert_int_equal(f.sectors, bytes); /* 4 sectors a word */
        assert_int_equal(f.ideal, bytes);
    }
    spread(address, 0, false);
    fh_footprint_local(UINT32_MAX, address, 1, &f); /* a byte of each word */
    assert_int_equal(f.sectors, 4);
    assert_int_equal(f.ideal, 1);
    spread(address, 4, false);
    fh_footprint_local(UINT32_MAX, address, 4, &f); /* a word of each row */
    assert_int_equal(f.sectors, 32);
    assert_int_equal(f.ideal, 4);
    fh_footprint_local(0x00000100, address, 4, &f);
    assert_int_equal(f.sectors, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strides),   cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_broadcast), cmocka_unit_test(test_masks),
        cmocka_unit_test(test_worst),     cmocka_unit_test(test_sectors),
        cmocka_unit_test(test_local),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
