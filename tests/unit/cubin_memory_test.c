/*
 * cubin_memory_test.c - compiled kernels that use every kind of memory: atomics, locks between
 * warps and blocks, generic pointers, constant tables and variables by name, asynchronous copies,
 * named barriers. References are plain loops.
 */
#include "cubin_util.h"

/* Places that hold something before: the accumulators. */
static void begin(struct cubin_case *c) {
    uint64_t seed = c->seed + 1000;
    cubin_fill(&seed, c->out, c->out_bytes < 96 ? c->out_bytes : 96);
    if (c->out_bytes >= 4 * 40)
        memset(c->out + 36, 0, 8); /* the counters of INC and DEC: below their bounds */
}

static void ref_atomics32(struct cubin_case *c) {
    uint32_t r[40];
    memcpy(r, c->want, sizeof r);
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t x = cubin_u32(c->in, i);
        int32_t y = (int32_t)x;
        r[0] += x;
        r[1] -= x;
        r[2] = x < r[2] ? x : r[2];
        r[3] = x > r[3] ? x : r[3];
        r[4] &= x | 0xff00ff;
        r[5] |= x & (uint32_t)c->s;
        r[6] ^= x;
        r[7] = (uint32_t)(y < (int32_t)r[7] ? y : (int32_t)r[7]);
        r[8] = (uint32_t)(y > (int32_t)r[8] ? y : (int32_t)r[8]);
        r[9] = r[9] >= 36 ? 0 : r[9] + 1;
        r[10] = r[10] == 0 || r[10] > 40 ? 40 : r[10] - 1;
        r[11] *= x | 1;
        r[12 + r[32]++ % 16]++;
        r[28] = 7;
    }
    memcpy(c->want, r, sizeof r);
}

static void ref_atomics64(struct cubin_case *c) {
    uint64_t r[10];
    memcpy(r, c->want, sizeof r);
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t x = cubin_u64(c->in, i);
        int64_t y = (int64_t)x;
        r[0] += x;
        r[1] = x < r[1] ? x : r[1];
        r[2] = x > r[2] ? x : r[2];
        r[3] &= x | UINT64_C(0xff00ff00ff00ff);
        r[4] |= x & c->s;
        r[5] ^= x;
        r[6] = (uint64_t)(y < (int64_t)r[6] ? y : (int64_t)r[6]);
        r[7] = (uint64_t)(y > (int64_t)r[7] ? y : (int64_t)r[7]);
        r[8] *= x | 1;
        r[9] = 7;
    }
    memcpy(c->want, r, sizeof r);
}

static void ref_atomics_shared(struct cubin_case *c) {
    uint32_t r[52] = {0};
    uint64_t total = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t x = cubin_u32(c->in, i), *most = &r[32 + (x >> 5 & 7)];
        r[x & 31]++;
        *most = x > *most ? x : *most;
        total += (uint64_t)x << 20;
    }
    /* The exclusive sums of the blocks are added up. */
    for (uint32_t b = 0; b < c->grid; b++) {
        uint32_t block[8] = {0};
        for (uint32_t i = b * c->block; i < (b + 1) * c->block && i < c->n; i++)
            block[cubin_u32(c->in, i) >> 8 & 7] ^= cubin_u32(c->in, i);
        for (uint32_t k = 0; k < 8; k++)
            r[40 + k] += block[k];
    }
    r[48] = c->n > c->block * (c->grid - 1) ? (uint32_t)c->s : 0;
    memcpy(r + 50, &total, 8);
    memcpy(c->want, r, sizeof r);
}

static void ref_spin_lock(struct cubin_case *c) {
    uint32_t sum = 0, most = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t x = cubin_u32(c->in, i);
        sum += x;
        most = x > most ? x : most;
    }
    cubin_put(c, 0, 0);
    cubin_put(c, 1, sum);
    cubin_put(c, 2, most);
    cubin_put(c, 3, c->n * (uint32_t)c->s);
}

static void generic_data(struct cubin_case *c) {
    uint64_t seed = c->seed + 77;
    cubin_fill(&seed, c->out + 4 * c->n, 4 * c->n);
}

static void ref_generic_pointers(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t x = cubin_u32(c->in, i), y = cubin_u32(c->in, i ^ 1), pick = x % 3, v, local[8];
        for (uint32_t k = 0; k < 8; k++)
            local[k] = x * k + (uint32_t)c->s;
        uint32_t mine = (x ^ 0x5a5a5a5a) + (y % 3 == 0 ? 17 : 0); /* the neighbour's doing */
        if (pick == 0) {
            v = (y ^ 0x5a5a5a5a) + 17;
        } else if (pick == 1) {
            v = cubin_u32(c->out, c->n + i) + 17;
            cubin_put(c, c->n + i, v);
        } else {
            v = local[x >> 4 & 7] += 17;
        }
        cubin_put(c, i, v + mine + local[x >> 9 & 7] + (pick == 0 ? 1 : pick == 1 ? 2 : 0));
    }
}

static void ref_vectors(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        const uint8_t *a = c->in + 16 * (c->n - 1 - i), *b = c->in + 16 * i;
        cubin_put(c, 8 * i, cubin_u32(a, 3));
        cubin_put(c, 8 * i + 1, cubin_u32(a, 0) + (uint32_t)c->s);
        cubin_put(c, 8 * i + 2, cubin_u32(a, 2));
        cubin_put(c, 8 * i + 3, cubin_u32(a, 1));
        cubin_put64(c, 4 * i + 2, cubin_u64(b, 1));
        cubin_put64(c, 4 * i + 3, cubin_u64(b, 0));
    }
}

/* n tiles of four words per thread; the input has room for 16 tiles of 256 threads. */
static void ref_async_copy(struct cubin_case *c) {
    for (uint32_t t = 0; t < c->block; t++) {
        uint32_t sum = (uint32_t)c->s;
        for (uint32_t k = 0; k < c->n; k++)
            sum = sum * 3 + cubin_u32(c->in, k * 4 * c->block + (4 * t + 5) % (4 * c->block));
        cubin_put(c, t, sum);
    }
}

static void ref_named_barriers(struct cubin_case *c) {
    uint32_t half = c->block / 2, votes = 0;
    for (uint32_t k = 0; k < c->n; k++)
        for (uint32_t t = 0; t < half; t++)
            cubin_put(c, k * half + t, (cubin_u32(c->in, k * half + (t ^ 1)) + (uint32_t)c->s) * 3);
    for (uint32_t t = 0; t < c->block; t++)
        votes += cubin_u32(c->in, t) & 1;
    cubin_put(c, c->n * half, votes + 1000 + 10000);
}

/* ---------------------------------------------------------------- variables by name */

struct launch {
    fhec_machine *machine;
    fhec_program *program;
    uint64_t in, out;
    uint32_t n;
};

static void launch(struct launch *l, const char *kernel, uint64_t s) {
    uint64_t params[4] = {l->out, l->in, l->n, s};
    fhec_launch what = {.program = l->program,
                        .grid = {2, 1, 1},
                        .block = {l->n / 2, 1, 1},
                        .params = params,
                        .param_bytes = sizeof params};
    assert_int_equal(fhec_kernel_find(l->program, kernel, &what.kernel), FHEC_OK);
    assert_int_equal(fhec_run(l->machine, &what), FHEC_OK);
}

static size_t variable(const fhec_program *p, const char *name, uint64_t bytes, bool constant) {
    size_t index;
    fhec_variable_info info;
    assert_int_equal(fhec_variable_find(p, name, &index), FHEC_OK);
    assert_int_equal(fhec_variable_get(p, index, &info), FHEC_OK);
    assert_string_equal(info.name, name);
    assert_int_equal(info.bytes, bytes);
    assert_int_equal(info.constant, constant);
    return index;
}

/* Frees the program. */
static void check_variables(fhec_program *program, unsigned level) {
    static const uint64_t digits[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3},
                          primes[4] = {0x1fffffffffe00001, 65537, 998244353, 12289};
    enum { N = 192 };
    fhec_machine_options options = {.engine = FHEC_ENGINE_FAST, .threads = 2};
    struct launch l = {.n = N, .program = program};
    uint32_t in[N], table[256], counter = 0xfffffff0, sum = counter;
    uint64_t out[N], seed = level, address, last;
    cubin_fill(&seed, in, sizeof in);
    cubin_fill(&seed, table, sizeof table);
    assert_int_equal(fhec_machine_new(&options, &l.machine), FHEC_OK);
    assert_int_equal(fhec_alloc(l.machine, "in", sizeof in, 0, &l.in), FHEC_OK);
    assert_int_equal(fhec_alloc(l.machine, "out", sizeof out, 0, &l.out), FHEC_OK);
    assert_int_equal(fhec_write(l.machine, l.in, in, sizeof in), FHEC_OK);
    size_t constants = variable(l.program, "constant_table", 1024, true);
    assert_int_equal(fhec_variable_write(l.machine, l.program, constants, 0, table, sizeof table),
                     FHEC_OK);
    assert_int_equal(fhec_variable_write(l.machine, l.program, constants, 1021, table, 4),
                     FHEC_BAD_INPUT);
    assert_int_equal(fhec_variable_address(l.machine, l.program, constants, &address), FHEC_OK);
    assert_int_equal(fhec_read(l.machine, address + 1016, &last, 8), FHEC_OK);
    assert_memory_equal(&last, (const uint8_t *)table + 1016, 8);
    launch(&l, "constants", 300);
    assert_int_equal(fhec_read(l.machine, l.out, out, sizeof out), FHEC_OK);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(out[i],
                         (uint64_t)table[in[i] & 255] + primes[in[i] >> 8 & 3] + table[300 & 255]);
    /* A __device__ counter and a table that a pointer, itself a variable, points into. */
    size_t of_counter = variable(l.program, "counter", 4, false);
    size_t of_table = variable(l.program, "device_table", 512, false);
    size_t of_pointer = variable(l.program, "device_pointer", 8, false);
    assert_int_equal(fhec_variable_write(l.machine, l.program, of_counter, 0, &counter, 4),
                     FHEC_OK);
    launch(&l, "variables", 11);
    assert_int_equal(fhec_read(l.machine, l.out, out, sizeof out), FHEC_OK);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t at = in[i] & 63;
        sum += in[i] + 11;
        if (at == 63)
            continue; /* kernel and reader meet there */
        assert_int_equal(out[i], (at < 16 ? digits[at] : 0) + digits[5 + (in[i] >> 6 & 7)]);
    }
    assert_int_equal(fhec_variable_read(l.machine, l.program, of_counter, 0, &counter, 4), FHEC_OK);
    assert_int_equal(counter, sum);
    assert_int_equal(fhec_variable_read(l.machine, l.program, of_table, 504, &last, 8), FHEC_OK);
    assert_int_equal(last, 0x123456789abcdef);
    assert_int_equal(fhec_variable_read(l.machine, l.program, of_pointer, 0, &last, 8), FHEC_OK);
    assert_int_equal(fhec_variable_address(l.machine, l.program, of_table, &address), FHEC_OK);
    assert_int_equal(last, address + 40);
    /* Unloaded and loaded again, it begins anew. */
    fhec_unload(l.machine, l.program);
    assert_int_equal(fhec_variable_read(l.machine, l.program, of_counter, 0, &counter, 4), FHEC_OK);
    assert_int_equal(counter, 0);
    fhec_machine_free(l.machine);
    fhec_program_free(l.program);
}

static void variables_by_name(void **state) {
    (void)state;
    for (unsigned level = 1; level <= 3; level += 2) {
        char file[32];
        snprintf(file, sizeof file, "memory.O%u.cubin", level);
        fhec_program *program = cubin_program(file);
        check_variables(cubin_again(program, "again"), level);
        check_variables(program, level);
    }
}

static const uint32_t many[][3] = {{7, 1, 64}, {200, 1, 256}, {1000, 4, 256}, {0, 0, 0}};
static const uint32_t locks[][3] = {{32, 1, 32}, {100, 2, 64}, {257, 3, 96}, {0, 0, 0}};
static const uint32_t whole[][3] = {{32, 1, 32}, {256, 1, 256}, {512, 4, 128}, {0, 0, 0}};
static const uint32_t tiles[][3] = {{1, 1, 32}, {5, 1, 64}, {16, 1, 256}, {0, 0, 0}};
static const uint32_t rounds[][3] = {{1, 1, 64}, {4, 1, 128}, {3, 1, 512}, {0, 0, 0}};

int main(void) {
#define ROW(name, ...) CUBIN_KERNEL("memory", name, .seeds = 8, __VA_ARGS__)
    ROW(atomics32, .prepare = begin, .in_size = 4, .out_more = 160, .shapes = many)
    ROW(atomics64, .prepare = begin, .in_size = 8, .out_more = 80, .shapes = many)
    ROW(atomics_shared, .in_size = 4, .out_more = 208, .shapes = many)
    ROW(spin_lock, .in_size = 4, .out_more = 16, .shapes = locks)
    ROW(generic_pointers, .prepare = generic_data, .in_size = 4, .out_size = 8, .shapes = whole)
    ROW(vectors, .in_size = 16, .out_size = 32, .shapes = many)
    ROW(async_copy, .in_size = 4096, .out_more = 1024, .shapes = tiles)
    ROW(named_barriers, .in_size = 1024, .out_size = 1024, .in_more = 2048, .out_more = 4,
        .shapes = rounds)
    const struct CMUnitTest tests[] = {
        CUBIN_TEST(atomics32),  CUBIN_TEST(atomics64),        CUBIN_TEST(atomics_shared),
        CUBIN_TEST(spin_lock),  CUBIN_TEST(generic_pointers), CUBIN_TEST(vectors),
        CUBIN_TEST(async_copy), CUBIN_TEST(named_barriers),   cmocka_unit_test(variables_by_name)};
    return cmocka_run_group_tests_name("compiled kernels and memory", tests, NULL, NULL);
}
