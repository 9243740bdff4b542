/*
 * accelsim_writer_test.c - a trace for Accel-Sim, whole: blocks of three dimensions in their order,
 * two warps, shared memory, a barrier, a guard that holds for none; two launches, of which one is
 * wanted.
 */
#include "accelsim_writer.h"
#include "emu_util.h"

static struct fh_trace_bytes got;

static bool wants(void *user, const fhec_launch *launch, uint64_t number) {
    (void)user, (void)launch;
    return number != 2;
}

static bool begin(void *user, uint64_t number, char *name, size_t size) {
    (void)user;
    snprintf(name, size, "file %llu\n", (unsigned long long)number);
    fh_trace_print(&got, "[begin %llu]\n", (unsigned long long)number);
    return true;
}

static bool write_bytes(void *user, const void *bytes, size_t size) {
    (void)user;
    fh_trace_put(&got, bytes, size);
    return true;
}

static bool end(void *user) {
    (void)user;
    fh_trace_print(&got, "[end]\n");
    return true;
}

static bool list(void *user, const char *text, size_t length) {
    (void)user;
    fh_trace_print(&got, "[list %.*s]\n", (int)length, text);
    return true;
}

#define HEADER(id)                                                                                 \
    "-kernel name = k\n-kernel id = " id "\n-grid dim = (1,2,2)\n-block dim = (32,2,1)\n"          \
    "-shmem = 256\n-nregs = 6\n-binary version = 80\n-cuda stream id = 0\n"                        \
    "-shmem base_addr = 0x%016llx\n-local mem base_addr = 0x%016llx\n"                             \
    "-nvbit version = fhec " FHEC_VERSION "\n-accelsim tracer version = 5\n"                       \
    "-enable lineinfo = 0\n\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode "     \
    "src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n"
#define WARP(number, lines)                                                                        \
    "\nwarp = " number "\ninsts = 6\n0000 ffffffff 1 R0 S2R 0 0 0\n"                               \
    "0010 ffffffff 1 R5 SHF.L.U32 1 R0 0 2\n0020 ffffffff 0 STS 2 R5 R0 4 1 0x0 4 0\n" lines       \
    "0030 ffffffff 0 BAR.SYNC 0 0 3\n0040 00000000 1 R4 LDS 1 R5 4 1 0x0 0 0\n"                    \
    "0050 ffffffff 0 EXIT 0 0 0\n"
#define BLOCK(id) "\n#BEGIN_TB\n\nthread block = " id "\n" WARP("0", "") WARP("1", "") "\n#END_TB\n"
#define ALL       BLOCK("0,0,0") BLOCK("0,1,0") BLOCK("0,0,1") BLOCK("0,1,1")

static void test_whole(void **unused) {
    (void)unused;
    static const struct fh_accelsim_out out = {
        .wants = wants, .begin = begin, .write = write_bytes, .end = end, .list = list};
    fhec_program *p = emu_assemble(".target sm_80\n.kernel k\n.shared s, 256\n"
                                   "S2R R0, SR_TID.X ;\nSHF.L.U32 R5, R0, 0x2, RZ ;\n"
                                   "STS [R5], R0 ;\nBAR.SYNC 0x3 ;\n@!PT LDS R4, [R5] ;\n"
                                   "EXIT ;\n.end\n");
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    struct fh_accelsim_writer *writer;
    char wanted[8192];
    got = (struct fh_trace_bytes){0};
    assert_int_equal(fh_accelsim_write(m, &out, true, &writer), FHEC_OK);
    const fhec_launch launch = {.program = p, .grid = {1, 2, 2}, .block = {32, 2, 1}};
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(fhec_run(m, &launch), FHEC_OK);
    assert_true(fh_accelsim_write_end(writer));
    fh_trace_put_byte(&got, 0);
    const unsigned long long shared = FHEC_SHARED_WINDOW, local = FHEC_LOCAL_WINDOW;
    snprintf(wanted, sizeof wanted,
             "[begin 1]\n" HEADER("1") "[list file 1\n]\n" ALL
                                       "[end]\n[begin 2]\n" HEADER("2") "[list file 2\n]\n" ALL
                                                                        "[end]\n",
             shared, local, shared, local);
    assert_string_equal((const char *)got.bytes, wanted);
    fh_trace_bytes_free(&got);
    fhec_machine_free(m);
    fhec_program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole)};
    return cmocka_run_group_tests_name("accelsim_writer", tests, NULL, NULL);
}
