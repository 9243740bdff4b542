/*
 * accelsim_reader_test.c - traces for Accel-Sim: what opcodes say, how addresses are stated and
 * read back, every rule of the format broken once, and damage at random.
 */
#include "accelsim_line.h"
#include "accelsim_reader.h"
#include "trace_replay.h"

#include "timing_util.h"

#include <stdlib.h>
#include <string.h>

static const char good[] = "-kernel name = k(int, T<3>)\n"
                           "-kernel id = 1\n"
                           "-grid dim = (2,1,1)\n"
                           "-block dim = (40,1,1)\n"
                           "-shmem = 64\n"
                           "-nregs = 40\n"
                           "-binary version = 80\n"
                           "-cuda stream id = 0\n"
                           "-shmem base_addr = 0x00007f0000000000\n"
                           "-local mem base_addr = 0x00007f0001000000\n"
                           "-nvbit version = 1.5.5\n"
                           "-accelsim tracer version = 5\n"
                           "-enable lineinfo = 0\n"
                           "\n"
                           "#traces format = whatever\n"
                           "#BEGIN_TB\n"
                           "thread block = 0,0,0\n"
                           "warp = 0\n"
                           "insts = 6\n"
                           "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f1000000000 4 0 \n"
                           "0010 00000007 1 R6 LDG.E.64 1 R8 8 2 0x7f1000001000 64 -8 0 0\n"
                           "0020 0000000d 0 STG.E 2 R8 R6 4 0 0x10 0x20 0x30 0\n"
                           "0030 ffffffff 0 BAR.SYNC 0 0 0\n"
                           "0040 00000001 1 R7 LD.E 1 R8 4 2 0x7f0000000010 0\n"
                           "0050 ffffffff 0 EXIT 0 0 0\n"
                           "\n"
                           "warp = 1\n"
                           "insts = 2\n"
                           "0030 000000ff 0 BAR.SYNC 0 0 0\n"
                           "0050 000000ff 0 EXIT 0 0 0\n"
                           "#END_TB\n"
                           "\n"
                           "#BEGIN_TB\n"
                           "thread block = 1,0,0\n"
                           "cluster id = 0,0,0\n"
                           "warp = 0\n"
                           "insts = 1\n"
                           "0050 ffffffff 0 EXIT 0 0 0\n"
                           "warp = 1\n"
                           "insts = 1\n"
                           "0050 000000ff 0 EXIT 0 0 0\n"
                           "#END_TB\n";

/* ---------------------------------------------------------------- a file in memory */

struct memory {
    const char *text;
    size_t length, at, piece; /* piece: that one read gets at most */
};

static bool read_memory(void *user, void *bytes, size_t size, size_t *got, const char **why) {
    struct memory *m = user;
    (void)why;
    *got = m->length - m->at;
    *got = *got < size ? *got : size;
    *got = *got < m->piece ? *got : m->piece;
    memcpy(bytes, m->text + m->at, *got);
    m->at += *got;
    return true;
}

/* Reads it all. The status, and why. */
static fhec_status read_all(const char *text, size_t length, size_t piece,
                            char why[FH_ACCELSIM_WHY], size_t *issues) {
    struct memory m = {text, length, 0, piece};
    const struct fh_accelsim_in in = {"t", &m, read_memory};
    struct fh_accelsim_table table = {0};
    struct fh_accelsim_block block = {0};
    const struct fh_accelsim_kernel *kernel;
    struct fh_accelsim_reader *r = fh_accelsim_reader_new(&in, &table);
    bool more = true;
    assert_non_null(r);
    *issues = 0;
    fhec_status status = fh_accelsim_reader_header(r, &kernel);
    while (status == FHEC_OK && more) {
        status = fh_accelsim_reader_block(r, &block, &more);
        *issues += status == FHEC_OK && more ? block.count : 0;
    }
    snprintf(why, FH_ACCELSIM_WHY, "%s", fh_accelsim_reader_why(r));
    fh_accelsim_reader_free(r);
    fh_accelsim_block_free(&block);
    fh_accelsim_table_free(&table);
    return status;
}

/* ---------------------------------------------------------------- what is right */

static void test_opcodes(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        enum fh_accelsim_kind kind;
        enum fh_accelsim_space space;
        uint32_t bytes, width, lanes;
    } rows[] = {
        {"LDG.E", FH_ACCELSIM_LOAD, FH_ACCELSIM_GLOBAL, 4, 4, UINT32_MAX},
        {"LDG.E.U8.CONSTANT", FH_ACCELSIM_LOAD, FH_ACCELSIM_GLOBAL, 1, 1, UINT32_MAX},
        {"LDG.E.S16", FH_ACCELSIM_LOAD, FH_ACCELSIM_GLOBAL, 2, 4, UINT32_MAX},
        {"STS.128", FH_ACCELSIM_STORE, FH_ACCELSIM_SHARED, 16, 16, UINT32_MAX},
        {"LDS.U.64", FH_ACCELSIM_LOAD, FH_ACCELSIM_SHARED, 8, 8, UINT32_MAX},
        {"LD.E.64", FH_ACCELSIM_LOAD, FH_ACCELSIM_GENERIC, 8, 8, UINT32_MAX},
        {"STL", FH_ACCELSIM_STORE, FH_ACCELSIM_LOCAL, 4, 4, UINT32_MAX},
        {"ATOMG.E.ADD.F64.RN", FH_ACCELSIM_ATOMIC, FH_ACCELSIM_GLOBAL, 8, 4, UINT32_MAX},
        {"RED.E.ADD.STRONG.GPU", FH_ACCELSIM_ATOMIC, FH_ACCELSIM_GLOBAL, 4, 4, UINT32_MAX},
        {"LDGSTS.E.BYPASS.LTC128B.128", FH_ACCELSIM_COPY, FH_ACCELSIM_GLOBAL, 16, 16, UINT32_MAX},
        {"LDSM.16.M88", FH_ACCELSIM_MATRICES, FH_ACCELSIM_SHARED, 16, 2, 0xff},
        {"LDSM.16.MT88.2", FH_ACCELSIM_MATRICES, FH_ACCELSIM_SHARED, 16, 2, 0xffff},
        {"LDSM.16.M88.4", FH_ACCELSIM_MATRICES, FH_ACCELSIM_SHARED, 16, 2, UINT32_MAX},
        {"FHEC.16816.U32.U32", FH_ACCELSIM_OTHER, FH_ACCELSIM_GLOBAL, 4, 2102, UINT32_MAX},
        {"LDC", FH_ACCELSIM_OTHER, FH_ACCELSIM_GLOBAL, 4, 4, UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct fh_accelsim_opcode o = fh_accelsim_opcode(rows[i].text, strlen(rows[i].text));
        assert_int_equal(o.kind, rows[i].kind);
        assert_int_equal(o.space, rows[i].space);
        if (o.kind)
            assert_int_equal(o.bytes, rows[i].bytes);
        assert_int_equal(o.width, rows[i].width);
        assert_int_equal(o.lanes, rows[i].lanes);
        assert_false(o.barrier);
    }
    assert_true(fh_accelsim_opcode("BAR.SYNC.DEFER", 14).barrier);
    assert_true(fh_accelsim_opcode("BAR.ARV", 7).passes_by);
}

/* A trace read in pieces of any length says the same. */
static void test_good(void **unused) {
    (void)unused;
    char why[FH_ACCELSIM_WHY];
    size_t issues;
    for (size_t piece = 1; piece < sizeof good; piece += piece < 40 ? 1 : 97) {
        assert_int_equal(read_all(good, sizeof good - 1, piece, why, &issues), FHEC_OK);
        assert_int_equal(issues, 10);
    }
}

static void test_addresses(void **unused) {
    (void)unused;
    struct memory m = {good, sizeof good - 1, 0, sizeof good};
    const struct fh_accelsim_in in = {"t", &m, read_memory};
    struct fh_accelsim_table table = {0};
    struct fh_accelsim_block b = {0};
    struct fh_accelsim_accessed a;
    const struct fh_accelsim_kernel *k;
    bool more;
    struct fh_accelsim_reader *r = fh_accelsim_reader_new(&in, &table);
    assert_int_equal(fh_accelsim_reader_header(r, &k), FHEC_OK);
    assert_string_equal(k->name, "k(int, T<3>)");
    assert_int_equal(k->warps, 2);
    assert_true(k->shared_base == UINT64_C(0x7f0000000000));
    assert_int_equal(fh_accelsim_reader_block(r, &b, &more), FHEC_OK);
    assert_true(fh_accelsim_addresses(&table, &b, &b.issues[0], &a));
    for (unsigned l = 0; l < 32; l++)
        assert_true(a.address[l] == UINT64_C(0x7f1000000000) + 4 * l);
    assert_true(fh_accelsim_addresses(&table, &b, &b.issues[1], &a));
    assert_int_equal(a.lanes, 7);
    assert_true(a.address[0] == UINT64_C(0x7f1000001000));
    assert_true(a.address[1] == UINT64_C(0x7f1000001040));
    assert_true(a.address[2] == UINT64_C(0x7f1000001038));
    assert_true(fh_accelsim_addresses(&table, &b, &b.issues[2], &a));
    assert_int_equal(a.address[0], 0x10);
    assert_int_equal(a.address[2], 0x20);
    assert_int_equal(a.address[3], 0x30);
    assert_false(fh_accelsim_addresses(&table, &b, &b.issues[3], &a));
    /* NVBit's tracer writes no number behind the differences of one lane. */
    assert_true(fh_accelsim_addresses(&table, &b, &b.issues[4], &a));
    assert_true(a.address[0] == UINT64_C(0x7f0000000010));
    assert_int_equal(b.come[0][0], 2);
    fh_accelsim_reader_free(r);
    fh_accelsim_block_free(&b);
    fh_accelsim_table_free(&table);
}

/* Registers, of which R255 is none; hexadecimal digits of both cases; a barrier's number that is
 * none, which is taken for 0; how many warps of a block come to a barrier, and that those of the
 * block before do not count. */
static void test_kept(void **unused) {
    (void)unused;
    static const char text[] =
        "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 8\n"
        "-binary version = 80\n-accelsim tracer version = 5\n#\n"
        "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 4\n"
        "0000 ffffffff 1 R254 FFMA 4 R0 R254 R255 R1 0 0\n"
        "0010 ffffffff 1 R255 FMUL 2 R255 R3 0 0\n"
        "0020 ffffffff 0 BAR.SYNC 0 0 0\n00AF FFFFFFFF 0 EXIT 0 0 0\n"
        "warp = 1\ninsts = 2\n0020 ffffffff 0 BAR.SYNC 0 0 0\n00AF FFFFFFFF 0 EXIT 0 0 0\n#END_TB\n"
        "#BEGIN_TB\nthread block = 1,0,0\nwarp = 0\ninsts = 2\n"
        "0020 ffffffff 0 BAR.SYNC 0 0 16\n00AF FFFFFFFF 0 EXIT 0 0 0\n"
        "warp = 1\ninsts = 1\n00AF FFFFFFFF 0 EXIT 0 0 0\n#END_TB\n";
    struct memory m = {text, sizeof text - 1, 0, sizeof text};
    const struct fh_accelsim_in in = {"t", &m, read_memory};
    struct fh_accelsim_table table = {0};
    struct fh_accelsim_block b = {0};
    const struct fh_accelsim_kernel *k;
    bool more;
    struct fh_accelsim_reader *r = fh_accelsim_reader_new(&in, &table);
    assert_int_equal(fh_accelsim_reader_header(r, &k), FHEC_OK);
    for (uint32_t block = 0; block < 2; block++) {
        assert_int_equal(fh_accelsim_reader_block(r, &b, &more), FHEC_OK);
        assert_int_equal(b.uses[0], 1);
        assert_int_equal(b.come[0][0], 2 - block);
    }
    assert_int_equal(table.count, 4);
    assert_int_equal(table.list[3].pc, 0xaf);
    assert_int_equal(table.list[0].destination, 254);
    assert_int_equal(table.list[0].source_count, 3);
    assert_memory_equal(table.list[0].sources, ((const uint8_t[]){0, 254, 1}), 3);
    assert_int_equal(table.list[1].destination, -1);
    assert_int_equal(table.list[1].source_count, 1);
    assert_int_equal(table.list[1].sources[0], 3);
    fh_accelsim_reader_free(r);
    fh_accelsim_block_free(&b);
    fh_accelsim_table_free(&table);
}

/* Addresses written and read again are the same, whatever they and the lanes are. */
static void test_written_addresses(void **unused) {
    (void)unused;
    uint64_t seed = 88172645463325252u;
    for (unsigned round = 0; round < 20000; round++) {
        uint64_t address[32];
        struct fh_trace_bytes line = {0};
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        uint32_t mask = (uint32_t)(seed >> (seed & 31));
        const uint64_t stride = round % 3 ? seed >> (seed % 64) : 4;
        for (unsigned l = 0; l < 32; l++)
            address[l] = seed + stride * l + (round % 5 == 0 ? l * l : 0);
        if (round % 7 == 0)
            mask = UINT32_MAX;
        fh_accelsim_put_addresses(&line, mask, address);
        fh_trace_put_byte(&line, 0);
        struct fh_accelsim_line l = {(char *)line.bytes, (char *)line.bytes + line.count - 1};
        uint64_t mode, at;
        int64_t number = 0;
        assert_true(fh_accelsim_line_number(&l, false, 2, &mode));
        assert_true(fh_accelsim_line_number(&l, true, UINT64_MAX, &at));
        if (mode == 1)
            assert_true(fh_accelsim_line_signed(&l, &number));
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            assert_true(at == address[__builtin_ctz(rest)]);
            if (mode == 2)
                assert_true(fh_accelsim_line_signed(&l, &number));
            at += (uint64_t)number;
        }
        assert_true(fh_accelsim_line_ends(&l));
        fh_trace_bytes_free(&line);
    }
}

/* With a stride where two lanes or more follow one another, each as far from the one before; else
 * differences, behind the last one a 0. */
static void test_address_text(void **unused) {
    (void)unused;
    static const struct {
        uint32_t mask;
        uint64_t address[5]; /* of lanes 0, 1, ...; behind them as the last two */
        const char *text;
    } cases[] = {
        {0, {0}, "1 0x0 0"},
        {UINT32_MAX, {0x1000, 0x1004, 0x1008, 0x100c, 0x1010}, "1 0x1000 4"},
        {0xf0, {0x1000, 0x1010, 0x1020, 0x1030, 0x1040}, "1 0x1040 16"},
        {0x3, {0x1000, 0x1010, 0, 0, 0}, "1 0x1000 16"},
        {0x80000000, {0, 1, 2, 3, 4}, "2 0x1f 0"},
        {0x1, {0, 1, 2, 3, 4}, "2 0x0 0"},
        {0x5, {0, 1, 2, 3, 4}, "2 0x0 2 0"},
        {0xb, {0, 1, 2, 3, 4}, "2 0x0 1 2 0"},
        {0x7, {0, 4, 12, 16, 20}, "2 0x0 4 8 0"},
        {0x1f, {16, 12, 8, 4, 0}, "1 0x10 -4"},
        {0x1f, {16, 12, 8, 4, 4}, "2 0x10 -4 -4 -4 0 0"},
        {0x3, {0, 0x7fffffff, 0, 0, 0}, "1 0x0 2147483647"},
        {0x3, {0, 0x80000000, 0, 0, 0}, "2 0x0 2147483648 0"},
        {0x3, {0x80000000, 0, 0, 0, 0}, "1 0x80000000 -2147483648"},
        {0x3, {0x80000001, 0, 0, 0, 0}, "2 0x80000001 -2147483649 0"},
        {0x3, {UINT64_MAX, UINT64_MAX, 0, 0, 0}, "1 0xffffffffffffffff 0"},
        {0x3, {0, UINT64_C(0x8000000000000000), 0, 0, 0}, "2 0x0 -9223372036854775808 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fh_trace_bytes line = {0};
        uint64_t address[FH_ACCELSIM_LANES];
        for (unsigned l = 0; l < FH_ACCELSIM_LANES; l++)
            address[l] = l < 5 ? cases[i].address[l] : 2 * address[l - 1] - address[l - 2];
        fh_accelsim_put_addresses(&line, cases[i].mask, address);
        fh_trace_put_byte(&line, 0);
        assert_string_equal((const char *)line.bytes, cases[i].text);
        fh_trace_bytes_free(&line);
    }
}

/* ---------------------------------------------------------------- what is wrong */

struct damage {
    const char *from, *to, *says; /* the first `from` becomes `to` */
};
static const struct damage damages[] = {
    {"-kernel name = k(int, T<3>)\n", "", "t:14: the header ends without -kernel name"},
    {"-kernel name = k(int, T<3>)\n", "-kernel name = \n", "t:1: -kernel name: expected a name"},
    {"-kernel id = 1\n", "-kernel id = -1\n", "t:2: -kernel id: expected a number"},
    {"-grid dim = (2,1,1)\n", "", "without -grid dim"},
    {"(2,1,1)", "(2,1)", "t:3: -grid dim: expected (X,Y,Z), each 1 or more"},
    {"(2,1,1)", "(-2,1,1)", "t:3: -grid dim: expected"},
    {"(2,1,1)", "(0,1,1)", "t:3: -grid dim: expected"},
    {"(2,1,1)", "(2147483647,2147483647,1)", "more than 2^40 blocks"},
    {"(2,1,1)", "(1048576,1,1048577)", "more than 2^40 blocks"},
    {"(40,1,1)", "(40,30,1)", "t:4: -block dim: expected (X,Y,Z), 1 to 1024 threads"},
    {"(40,1,1)", "(40,1,1) x", "t:4: -block dim"},
    {"-shmem = 64\n", "-shmem = -64\n", "t:5: -shmem: expected a number"},
    {"-shmem = 64\n", "-shmem = 64\n-shmem = 64\n", "t:6: -shmem: a second time"},
    {"-nregs = 40\n", "-nregs = 4000\n", "t:6: -nregs: expected a number of registers, 0 to 256"},
    {"-binary version = 80\n", "", "without -binary version"},
    {"-accelsim tracer version = 5\n", "-accelsim tracer version = 2\n",
     "t:12: -accelsim tracer version: expected 3, 4 or 5"},
    {"-enable lineinfo = 0\n", "-enable lineinfo = 2\n", "t:13: -enable lineinfo: expected 0 or 1"},
    {"0x00007f0000000000", "7g", "t:9: -shmem base_addr: expected an address"},
    {"-nvbit version = 1.5.5\n", "nvbit\n", "t:11: expected a line of the header"},
    {"-nvbit version = 1.5.5\n", "-fhec code 0010 = 0\n",
     "t:11: -fhec code: expected 0000 = words"},
    {"-nvbit version = 1.5.5\n", "-fhec code 0000 = 0123456789abcdef\n",
     "t:11: -fhec code: expected words of 16:16 hexadecimal digits"},
    {"#BEGIN_TB\n", "#BEGIN\n", "t:16: expected #BEGIN_TB"},
    {"thread block = 0,0,0\n", "thread block = 1,0,0\n", "t:17: expected thread block = 0,0,0"},
    {"thread block = 0,0,0\n", "thread block = -1,0,0\n", "t:17: expected thread block = 0,0,0"},
    {"thread block = 0,0,0\n", "", "t:17: expected thread block = 0,0,0"},
    {"warp = 0\n", "warp = 1\n", "t:18: expected warp = 0"},
    {"warp = 0\n", "warp = -1\n", "t:18: expected warp = NUMBER"},
    {"insts = 6\n", "insts = -6\n", "t:19: expected insts = NUMBER"},
    {"insts = 6\n", "insts = 0\n", "t:19: warp 0 issues nothing"},
    {"insts = 6\n", "insts = 5\n", "t:24: warp 0 does not end with EXIT"},
    {"insts = 6\n", "insts = 7\n", "t:27: expected a pc, hexadecimal"},
    {"insts = 6\n", "insts = 4294967295\n", "t:27: expected a pc, hexadecimal"},
    {"insts = 6\n", "insts = 4294967296\n", "t:19: expected insts = NUMBER"},
    {"0000 ffffffff 1", "000g ffffffff 1", "t:20: expected a pc, hexadecimal"},
    {"0000 ffffffff 1", "0000 1ffffffff 1", "t:20: expected the mask of the lanes"},
    {"ffffffff 1 R4", "ffffffff 2 R4", "t:20: expected how many registers are written, 0 or 1"},
    {"1 R4 LDG.E", "1 R256 LDG.E", "t:20: expected the register that is written"},
    {"1 R4 LDG.E", "1 R-4 LDG.E", "t:20: expected the register that is written"},
    {"1 R4 LDG.E", "1 R4 ldg.e", "t:20: expected an opcode"},
    {"LDG.E 1 R2", "LDG.E 5 R2 R2 R2 R2 R2", "t:20: expected how many registers are read, 0 to 4"},
    {"LDG.E 1 R2", "LDG.E 1 4", "t:20: expected a register that is read"},
    {"R2 4 1 0x", "R2 -4 1 0x", "t:20: expected how many bytes a lane accesses"},
    {"R2 4 1 0x", "R2 4 3 0x", "t:20: expected how addresses are stated: 0, 1 or 2"},
    {"0x7f1000000000 4 0 \n", "0x7f100000000z 4 0\n", "t:20: expected an address, 0x..."},
    {"0x7f1000000000 4 0 \n", "0x7f1000000000 2147483648 0\n",
     "t:20: expected a stride of 32 bits"},
    {"0x7f1000000000 4 0 \n", "0x7f1000000000 4\n", "t:20: expected the immediate"},
    {"0x7f1000000000 4 0 \n", "0x7f1000000000 4 0 1\n", "t:20: the line goes on"},
    {"0000 ffffffff 1", "0000 ffff00ff 1", "t:20: addresses with a stride"},
    {"0000 ffffffff 1", "0000 00000100 1", "t:20: addresses with a stride"},
    {"64 -8 0 0\n", "64 x 0 0\n", "t:21: expected a difference for each lane"},
    {"64 -8 0 0\n", "64 -8 x 0\n", "t:21: expected a number behind the differences"},
    {"64 -8 0 0\n", "64\n", "t:21: expected a difference for each lane"},
    {"0x20 0x30 0\n", "0x20\n", "t:22: expected an address for each lane of mask 0000000d"},
    {"0050 ffffffff 0 EXIT 0 0 0\n", "0050 00000000 0 EXIT 0 0 0\n",
     "t:25: warp 0 does not end with EXIT"},
    {"\nwarp = 1\ninsts = 2\n0030 000000ff 0 BAR.SYNC 0 0 0\n0050 000000ff 0 EXIT 0 0 0\n", "",
     "t:26: expected warp = NUMBER"},
    {"0050 000000ff 0 EXIT 0 0 0\n#END_TB\n", "0050 000000ff 0 EXIT 0 0 0\n", "expected #END_TB"},
    {"#END_TB\n", "#END_TB x\n", "t:31: expected #END_TB"},
    {"#END_TB\n", "#END\n", "t:31: expected #END_TB"},
};

static void replace(const struct damage *d, char *text, size_t size) {
    const char *at = strstr(good, d->from);
    assert_non_null(at);
    snprintf(text, size, "%.*s%s%s", (int)(at - good), good, d->to, at + strlen(d->from));
}

static void test_damages(void **unused) {
    (void)unused;
    char text[2 * sizeof good], why[FH_ACCELSIM_WHY];
    size_t issues;
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        replace(&damages[i], text, sizeof text);
        const fhec_status status = read_all(text, strlen(text), 4096, why, &issues);
        if (status != FHEC_BAD_INPUT || !strstr(why, damages[i].says))
            fail_msg("\"%s\" for \"%s\": status %d, \"%s\"; wanted \"%s\"", damages[i].to,
                     damages[i].from, (int)status, why, damages[i].says);
    }
}

/* Cut off anywhere but behind the last line, it is an error. */
static void test_truncated(void **unused) {
    (void)unused;
    char why[FH_ACCELSIM_WHY];
    size_t issues;
    for (size_t length = 0; length < sizeof good - 1; length++) {
        assert_int_equal(read_all(good, length, 64, why, &issues), FHEC_BAD_INPUT);
        assert_ptr_equal(strstr(why, "t:"), why);
    }
    char more[2 * sizeof good];
    snprintf(more, sizeof more, "%s#BEGIN_TB\n", good);
    assert_int_equal(read_all(more, strlen(more), 64, why, &issues), FHEC_BAD_INPUT);
    assert_non_null(strstr(why, "the grid has no more than 2 blocks"));
}

/* A line that never ends is not kept for ever. */
static void test_long_line(void **unused) {
    (void)unused;
    const size_t length = 3 << 20;
    char *text = malloc(length), why[FH_ACCELSIM_WHY];
    size_t issues;
    assert_non_null(text);
    memset(text, '-', length);
    assert_int_equal(read_all(text, length, 1 << 16, why, &issues), FHEC_BAD_INPUT);
    assert_non_null(strstr(why, "t:1: the line is longer than"));
    free(text);
}

/* ---------------------------------------------------------------- replay */

static struct memory replayed;
static bool open_memory(void *user, struct fh_accelsim_in *in) {
    replayed.at = 0;
    *in = (struct fh_accelsim_in){"t", &replayed, read_memory};
    (void)user;
    return true;
}
static void close_memory(void *user) {
    (void)user;
}

static fhec_status replay(const struct fh_time_machine *machine, const char *text, size_t length,
                          char why[FH_ACCELSIM_WHY], uint64_t *cycles) {
    struct fh_timer *timer = fh_timer_new(machine);
    struct fh_trace_replay *r = fh_trace_replay_new(timer);
    struct fh_time_total total;
    replayed = (struct memory){text, length, 0, 4096};
    const fhec_status status = fh_trace_replay_launch(
        r, &(struct fh_trace_replay_source){NULL, open_memory, close_memory});
    snprintf(why, FH_ACCELSIM_WHY, "%s", fh_trace_replay_why(r));
    if (status == FHEC_OK)
        timing_check(timer);
    fh_time_total(timer, &total);
    *cycles = total.cycles;
    fh_timer_free(timer);
    fh_trace_replay_free(r);
    return status;
}

/* Ten products in a chain and an EXIT, without scheduling fields: the next one of a chain issues
 * when the pipe can read the result, 4 cycles after it, on a GTX 580 18 cycles after it. */
static void test_chain(void **unused) {
    (void)unused;
    static const char head[] = "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
                               "-shmem = 0\n-nregs = 8\n-binary version = 80\n"
                               "-accelsim tracer version = 5\n#\n#BEGIN_TB\nthread block = 0,0,0\n"
                               "warp = 0\ninsts = 11\n";
    char text[2000], why[FH_ACCELSIM_WHY];
    uint64_t cycles;
    struct fh_time_machine machine;
    static const char *const no_launch[] = {"launch 0", NULL};
    size_t at = (size_t)snprintf(text, sizeof text, "%s", head);
    for (unsigned i = 0; i < 10; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%04x ffffffff 1 R1 FMUL 2 R1 R1 0 0\n",
                               16 * i);
    snprintf(text + at, sizeof text - at, "00a0 ffffffff 0 EXIT 0 0 0\n#END_TB\n");
    timing_machine(&machine, "a100", no_launch);
    assert_int_equal(replay(&machine, text, strlen(text), why, &cycles), FHEC_OK);
    assert_int_equal(cycles, 10 * 4);
    timing_machine(&machine, "gtx580", NULL);
    assert_int_equal(replay(&machine, text, strlen(text), why, &cycles), FHEC_OK);
    assert_int_equal(cycles, 10 * 18);
}

/* Two warps that come to two barriers in different orders wait for each other. */
static void test_cyclic(void **unused) {
    (void)unused;
    static const char text[] = "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n"
                               "-shmem = 0\n-nregs = 8\n-binary version = 80\n"
                               "-accelsim tracer version = 5\n#\n#BEGIN_TB\nthread block = 0,0,0\n"
                               "warp = 0\ninsts = 3\n"
                               "0000 ffffffff 0 BAR.SYNC 0 0 1\n0010 ffffffff 0 BAR.SYNC 0 0 2\n"
                               "0020 ffffffff 0 EXIT 0 0 0\nwarp = 1\ninsts = 3\n"
                               "0010 ffffffff 0 BAR.SYNC 0 0 2\n0000 ffffffff 0 BAR.SYNC 0 0 1\n"
                               "0020 ffffffff 0 EXIT 0 0 0\n#END_TB\n";
    char why[FH_ACCELSIM_WHY];
    uint64_t cycles;
    struct fh_time_machine machine;
    timing_machine(&machine, "a100", NULL);
    assert_int_equal(replay(&machine, text, sizeof text - 1, why, &cycles), FHEC_BAD_INPUT);
    assert_string_equal(why, "t:13: warp 0 of block 0 waits here for ever: others wait elsewhere");
}

/* An opcode that the machine has no unit for. */
static void test_unknown(void **unused) {
    (void)unused;
    char text[2 * sizeof good], why[FH_ACCELSIM_WHY];
    uint64_t cycles;
    struct fh_time_machine machine;
    timing_machine(&machine, "a100", NULL);
    replace(&(struct damage){"BAR.SYNC 0 0 0", "FROB.X 0 0 0", ""}, text, sizeof text);
    assert_int_equal(replay(&machine, text, strlen(text), why, &cycles), FHEC_BAD_INPUT);
    assert_string_equal(why, "machine a100 has no unit for FROB.X (pipe unknown), at 0x0030 of "
                             "kernel k(int, T<3>)");
}

/* Bytes changed, left out, put in and doubled at random: it is read, or it is an error. */
static void test_random(void **unused) {
    (void)unused;
    static const char bytes[] = "0123456789abcdefR-.,=# \nxLDGSTBAEIU";
    struct fh_time_machine machine;
    uint64_t seed = 42, cycles;
    unsigned well = 0;
    char text[2 * sizeof good], why[FH_ACCELSIM_WHY];
    timing_machine(&machine, "a100", NULL);
    for (unsigned round = 0; round < 20000; round++) {
        size_t length = sizeof good - 1;
        memcpy(text, good, length);
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        for (unsigned i = 0; i <= seed % 3; i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            const size_t at = seed % length, count = 1 + (seed >> 40) % 9;
            const char byte = bytes[(seed >> 20) % (sizeof bytes - 1)];
            switch (seed >> 60 & 3) {
            case 0: text[at] = byte; break;
            case 1:
                memmove(text + at + 1, text + at, length - at);
                text[at] = byte;
                length++;
                break;
            case 2:
                if (at + count < length) {
                    memmove(text + at, text + at + count, length - at - count);
                    length -= count;
                }
                break;
            default:
                if (at + count < length) {
                    memmove(text + at + count, text + at, length - at);
                    length += count;
                }
            }
        }
        const fhec_status status = replay(&machine, text, length, why, &cycles);
        assert_true(status == FHEC_OK || status == FHEC_BAD_INPUT);
        assert_true((status == FHEC_OK) == !*why);
        well += status == FHEC_OK;
    }
    assert_in_range(well, 100, 15000);
}

/* ---------------------------------------------------------------- lists */

static void test_commands(void **unused) {
    (void)unused;
    static const struct {
        const char *line;
        bool fine;
        int kind;
    } rows[] = {
        {"MemcpyHtoD,0x00007f0000000000,4096", true, FH_ACCELSIM_HOST_COPY},
        {"MemcpyHtoD,7f0000000000,4096", true, FH_ACCELSIM_HOST_COPY},
        {"MemcpyDtoH,0x00007f0000000000,4096", true, FH_ACCELSIM_NOTHING},
        {"kernel-1.traceg", true, FH_ACCELSIM_LAUNCH},
        {"kernel-1.traceg.xz", true, FH_ACCELSIM_LAUNCH},
        {"", true, FH_ACCELSIM_NOTHING},
        {"MemcpyHtoD,0x00007f0000000000", false, FH_ACCELSIM_HOST_COPY},
        {"MemcpyHtoD,0x00007f0000000000,-1", false, FH_ACCELSIM_HOST_COPY},
        {"MemcpyHtoD", false, FH_ACCELSIM_HOST_COPY},
        {"kernel/../../etc.traceg", false, FH_ACCELSIM_LAUNCH},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fh_accelsim_command c;
        const char *wrong = fh_accelsim_command(rows[i].line, strlen(rows[i].line), &c);
        assert_int_equal(!wrong, rows[i].fine);
        assert_int_equal(c.kind, rows[i].kind);
    }
    struct fh_accelsim_command c;
    assert_non_null(fh_accelsim_command("kernel-1.traceg\0x", 17, &c));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opcodes),      cmocka_unit_test(test_good),
        cmocka_unit_test(test_addresses),    cmocka_unit_test(test_written_addresses),
        cmocka_unit_test(test_address_text), cmocka_unit_test(test_damages),
        cmocka_unit_test(test_truncated),    cmocka_unit_test(test_long_line),
        cmocka_unit_test(test_chain),        cmocka_unit_test(test_cyclic),
        cmocka_unit_test(test_unknown),      cmocka_unit_test(test_random),
        cmocka_unit_test(test_commands),     cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
