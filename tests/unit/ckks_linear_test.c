/*
 * Linear maps by diagonals: against the values of polynomials at powers of zeta, matrix entries as
 * they are defined, and executed on ciphertexts against complex arithmetic.
 */
#include <complex.h>
#include <math.h>

#include "ckks_boot_client.h"

#include "golden_util.h"

typedef long double complex wide;

static const long double pi = 3.14159265358979323846264338327950288L;

/* exp(2 pi i k / m). */
static wide root(uint64_t k, uint64_t m) {
    long double angle = 2 * pi * (long double)(k % m) / (long double)m;
    return cosl(angle) + sinl(angle) * I;
}

/* In [-1, 1)^2, different in every place. */
static wide number(uint64_t seed, uint64_t index) {
    long double parts[2];
    for (size_t i = 0; i < 2; i++) {
        parts[i] = (long double)fh_golden_random_word(seed, i, index) * 0x1p-63L - 1;
    }
    return parts[0] + parts[1] * I;
}

static wide *vector(size_t n, uint64_t seed) {
    wide *v = calloc(n, sizeof *v);
    assert_non_null(v);
    for (size_t j = 0; j < n; j++) {
        v[j] = number(seed, j);
    }
    return v;
}

static void require_near(const char *what, size_t n, const wide *got, const wide *want,
                         long double most) {
    for (size_t j = 0; j < n; j++) {
        if (!(cabsl(got[j] - want[j]) <= most)) {
            fail_msg("%s: of %zu slots, slot %zu is %Lg%+Lgi, should be %Lg%+Lgi", what, n, j,
                     creall(got[j]), cimagl(got[j]), creall(want[j]), cimagl(want[j]));
        }
    }
}

/* v = the map's matrix times v, row by row from its diagonals. */
static void apply(const fh_golden_ckks_map *map, wide *v) {
    size_t n = (size_t)1 << map->log2_slots;
    fh_golden_wide_complex *diagonals = calloc(map->count * n, sizeof *diagonals);
    wide *out = calloc(n, sizeof *out);
    assert_non_null(diagonals);
    assert_non_null(out);
    require_ok("diagonals", fh_golden_ckks_map_diagonals(map, diagonals));
    for (size_t p = 0; p < n; p++) {
        for (size_t index = 0; index < map->count; index++) {
            ptrdiff_t k = map->first + (ptrdiff_t)index;
            size_t column = (size_t)((ptrdiff_t)(p + n) + k * (ptrdiff_t)map->stride) % n;
            fh_golden_wide_complex entry = diagonals[index * n + p];
            out[p] += (entry.re + entry.im * I) * v[column];
        }
    }
    memcpy(v, out, n * sizeof *v);
    free(out);
    free(diagonals);
}

/* One stage by its definition, block by block. */
static void butterfly(unsigned s, bool inverse, size_t n, wide *v) {
    size_t len = (size_t)1 << s;
    for (size_t start = 0; start < n; start += len) {
        for (size_t j = 0; j < len / 2; j++) {
            wide w = root(fh_golden_powmod(5, j, 4 * len), 4 * len);
            wide u = v[start + j];
            wide x = v[start + j + len / 2];
            v[start + j] = inverse ? (u + x) / 2 : u + w * x;
            v[start + j + len / 2] = inverse ? (u - x) * conjl(w) / 2 : u - w * x;
        }
    }
}

/* Every group of stages, both directions, is the product of its stages in their order. */
static void groups_of_stages(void **state) {
    (void)state;
    for (unsigned log2_slots = 1; log2_slots <= 6; log2_slots++) {
        size_t n = (size_t)1 << log2_slots;
        for (unsigned low = 1; low <= log2_slots; low++) {
            for (unsigned high = low; high <= log2_slots; high++) {
                for (int inverse = 0; inverse < 2; inverse++) {
                    fh_golden_ckks_map map;
                    require_ok("shape", fh_golden_ckks_map_shape(log2_slots, inverse != 0, low,
                                                                 high, 0.75L, &map));
                    unsigned stages = high - low + 1;
                    assert_int_equal(map.count,
                                     high == log2_slots ? 1U << stages : (2U << stages) - 1);
                    assert_int_equal(map.stride, 1U << (low - 1));
                    wide *got = vector(n, 64 * low + high);
                    wide *want = vector(n, 64 * low + high);
                    apply(&map, got);
                    for (unsigned i = 0; i < stages; i++) {
                        butterfly(inverse != 0 ? high - i : low + i, inverse != 0, n, want);
                    }
                    for (size_t j = 0; j < n; j++) {
                        want[j] *= 0.75L;
                    }
                    require_near("group", n, got, want, 1e-16L);
                    free(got);
                    free(want);
                }
            }
        }
    }
}

/* The StC maps of a bootstrap take t_k + i t_{k+n} in bit-reversed order to the values of t at
 * zeta^(5^j), by the definition, times their factor; the CtS maps back. */
static void slots_of_a_polynomial(void **state) {
    (void)state;
    for (unsigned log2_n = 5; log2_n <= 10; log2_n++) {
        const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(log2_n);
        size_t n = (size_t)1 << (log2_n - 1);
        wide *t = vector(n, log2_n); /* t_k + i t_{k+n} */
        wide *w = calloc(2 * n, sizeof *w);
        wide *slots = w + n;
        assert_non_null(w);
        for (size_t j = 0; j < n; j++) {
            uint64_t power = fh_golden_powmod(5, j, 4 * n);
            for (size_t k = 0; k < n; k++) {
                slots[j] += creall(t[k]) * root(power * k, 4 * n) +
                            cimagl(t[k]) * root(power * (k + n), 4 * n);
            }
            w[fh_golden_bitrev(j, log2_n - 1)] = t[j];
        }
        wide *got = calloc(n, sizeof *got);
        assert_non_null(got);
        for (int cts = 0; cts < 2; cts++) {
            memcpy(got, cts != 0 ? slots : w, n * sizeof *got);
            long double all = cts != 0 ? 1 / 32.0L : 4096 / (2 * pi);
            for (size_t i = 0; i < 3; i++) {
                fh_golden_ckks_map map;
                require_ok("map", fh_golden_ckks_boot_map(&params, cts != 0, i, &map));
                apply(&map, got);
            }
            for (size_t j = 0; j < n; j++) {
                got[j] /= all;
            }
            require_near(cts != 0 ? "CtS" : "StC", n, got, cts != 0 ? w : slots, 1e-15L);
        }
        free(got);
        free(w);
        free(t);
    }
}

/* Sizes of the groups, outermost first, for three maps. */
static void map_sizes(void **state) {
    (void)state;
    static const unsigned sizes[][3] = {{3, 3, 3}, {4, 3, 3}, {4, 4, 3}, {4, 4, 4},
                                        {5, 4, 4}, {5, 5, 4}, {5, 5, 5}};
    for (unsigned log2_n = 10; log2_n <= 16; log2_n++) {
        const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(log2_n);
        for (size_t i = 0; i < 3; i++) {
            fh_golden_ckks_map cts;
            fh_golden_ckks_map stc;
            require_ok("CtS", fh_golden_ckks_boot_map(&params, true, i, &cts));
            require_ok("StC", fh_golden_ckks_boot_map(&params, false, 2 - i, &stc));
            assert_int_equal(cts.high - cts.low + 1, sizes[log2_n - 10][i]);
            assert_true(cts.low == stc.low && cts.high == stc.high && cts.inverse && !stc.inverse);
            assert_true(cts.count <= cts.baby * cts.baby && 4 * cts.count > cts.baby * cts.baby);
        }
        fh_golden_ckks_map map;
        require_status("a fourth", fh_golden_ckks_boot_map(&params, true, 3, &map),
                       FH_GOLDEN_ERR_ARGUMENT);
    }
}

/* floor(k / baby) for k of both signs. */
static void giant_steps(void **state) {
    (void)state;
    fh_golden_ckks_map map;
    require_ok("shape", fh_golden_ckks_map_shape(9, true, 2, 6, 1, &map));
    assert_int_equal(map.first, -31);
    assert_int_equal(map.count, 63);
    assert_int_equal(map.baby, 8);
    for (size_t index = 0; index < map.count; index++) {
        int k = (int)index - 31;
        assert_int_equal(fh_golden_ckks_map_giant(&map, index), (int)floor(k / 8.0));
    }
}

/* The values of an encoded diagonal at the powers of zeta, by the definition, are those of the
 * rotated diagonal at its scale; coefficients pass 64 bits. */
static void encoded_diagonals(void **state) {
    (void)state;
    const size_t n = 16;
    fh_golden_ckks_encoder *encoder = NULL;
    require_ok("encoder", fh_golden_ckks_encoder_create(&encoder, 2 * n));
    size_t long_ones = 0;
    for (unsigned low = 1; low <= 3; low++) {
        fh_golden_ckks_map map;
        require_ok("shape", fh_golden_ckks_map_shape(4, low == 2, low, low + 1, 1.25L, &map));
        map.plain_scale = 0x1.3p66L;
        fh_golden_wide_complex *diagonals = calloc(map.count * n, sizeof *diagonals);
        assert_non_null(diagonals);
        require_ok("diagonals", fh_golden_ckks_map_diagonals(&map, diagonals));
        for (size_t index = 0; index < map.count; index++) {
            fh_golden_i128 coefficients[32];
            require_ok("encode",
                       fh_golden_ckks_encode_diagonal(encoder, &map, index, coefficients));
            wide got[16];
            wide want[16];
            for (size_t p = 0; p < n; p++) {
                got[p] = 0;
                for (size_t k = 0; k < 2 * n; k++) {
                    got[p] += (long double)coefficients[k] *
                              root(fh_golden_powmod(5, p, 4 * n) * k, 4 * n);
                    long_ones += coefficients[k] > (fh_golden_i128)1 << 63;
                }
                int k = (int)map.first + (int)index;
                int turn = (int)floor(k / (double)map.baby) * (int)(map.baby * map.stride);
                fh_golden_wide_complex entry =
                    diagonals[index * n + (size_t)(((int)p - turn) & 15)];
                want[p] = (entry.re + entry.im * I) * map.plain_scale;
            }
            require_near("encoded", n, got, want, 0x1p66L * 1e-16L);
        }
        fh_golden_i128 unused[32];
        require_status("index", fh_golden_ckks_encode_diagonal(encoder, &map, map.count, unused),
                       FH_GOLDEN_ERR_ARGUMENT);
        map.plain_scale = 0x1p125L;
        require_status("scale", fh_golden_ckks_encode_diagonal(encoder, &map, 0, unused),
                       FH_GOLDEN_ERR_SCALE);
        map.log2_slots = 5;
        require_status("N", fh_golden_ckks_encode_diagonal(encoder, &map, 0, unused),
                       FH_GOLDEN_ERR_ARGUMENT);
        free(diagonals);
    }
    assert_true(long_ones > 0);
    fh_golden_ckks_encoder_free(encoder);
    require_status("size", fh_golden_ckks_encoder_create(&encoder, 12), FH_GOLDEN_ERR_SIZE);
}

/* The map on a ciphertext of the client's full level, whose scale is not delta. */
static void execute_map(const fh_boot_client *client, const fh_golden_ckks_map *map, bool hoist) {
    const fh_golden_ckks *ckks = client->ckks;
    size_t n = ckks->n;
    const fh_golden_ckks_circuit_params shape = {
        client->params.log2_n, ckks->limbs, ckks->moduli, 2, 0x1p62L, hoist,
        ckks->limbs,           0x1.7p60L};
    fh_golden_ckks_circuit *circuit = NULL;
    require_ok("create", fh_golden_ckks_circuit_create(&circuit, &shape));
    require_ok("finish", fh_golden_ckks_circuit_finish(
                             circuit, fh_golden_ckks_circuit_linear(circuit, 0, map)));
    size_t level = fh_golden_ckks_circuit_level(circuit, circuit->output);
    assert_int_equal(level, ckks->limbs - 2);
    long double scale = fh_golden_ckks_circuit_scale(circuit, circuit->output);
    assert_true(fabsl(scale / 0x1p62L - 1) < 0x1p-60L);
    fh_golden_complex *message = fh_boot_message_make(n, FH_BOOT_RANDOM, map->low);
    uint64_t *in = fh_boot_encrypt(client, ckks->limbs, shape.input_scale, message, 3);
    uint64_t *out = make_array(2 * level * n);
    require_ok("execute",
               fh_golden_ckks_execute(circuit, &client->environment, in, NULL, NULL, out));
    fh_golden_complex *slots = fh_boot_decrypt(client, client->keys->secret, level, scale, out);
    wide *got = calloc(n, sizeof *got);
    assert_non_null(got);
    wide *want = got + n / 2;
    for (size_t j = 0; j < n / 2; j++) {
        want[j] = message[j].re + message[j].im * I;
        got[j] = slots[j].re + slots[j].im * I;
    }
    apply(map, want);
    require_near("executed", n / 2, got, want, 0x1p-36L);
    free(got);
    free(slots);
    free(message);
    free(in);
    free(out);
    fh_golden_ckks_circuit_free(circuit);
}

static void executed_maps(void **state) {
    (void)state;
    fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(6);
    params.degree = 1; /* a short chain: 2 (1 + 1 + 1 + 1 + 1 + 0) limbs */
    params.levels_left = params.maps_cts = params.maps_stc = 1;
    params.double_angles = 0;
    params.alpha = 5;
    params.dnum = 2;
    fh_boot_client client = fh_boot_client_make(&params, 14);
    assert_int_equal(client.ckks->limbs, 10);
    static const unsigned groups[][2] = {{1, 5}, {1, 2}, {1, 3}, {2, 4}, {4, 5}, {3, 3}, {5, 5}};
    for (size_t i = 0; i < COUNT_OF(groups); i++) {
        for (int inverse = 0; inverse < 2; inverse++) {
            fh_golden_ckks_map map;
            require_ok("shape", fh_golden_ckks_map_shape(5, inverse != 0, groups[i][0],
                                                         groups[i][1], 0.625L, &map));
            execute_map(&client, &map, i % 2 != 0);
        }
    }
    fh_golden_complex *given = fh_boot_message_make((size_t)2 * 7 * 32, FH_BOOT_RANDOM, 5);
    fh_golden_ckks_map
        map; /* a matrix of one's own, by 7 diagonals from -3 on, of every other slot */
    require_ok("given", fh_golden_ckks_map_given(5, 2, -3, 7, given, &map));
    assert_int_equal(map.baby, 4);
    execute_map(&client, &map, false);
    require_ok("given", fh_golden_ckks_map_given(5, 1, 31, 1, given, &map));
    execute_map(&client, &map, true);
    free(given);
    fh_boot_client_free(&client);
}

/* Diagonals of one's own: no two of the same place. */
static void given_diagonals(void **state) {
    (void)state;
    static const fh_golden_complex one[32];
    fh_golden_ckks_map map;
    static const struct {
        unsigned log2_slots;
        size_t stride;
        ptrdiff_t first;
        size_t count;
    } wrong[] = {{5, 1, 0, 0}, {5, 1, 0, 33}, {5, 2, 0, 17},  {5, 0, 0, 1}, {5, 64, 0, 1},
                 {0, 1, 0, 1}, {24, 1, 0, 1}, {5, 1, -33, 1}, {5, 1, 33, 1}};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        require_status("given",
                       fh_golden_ckks_map_given(wrong[i].log2_slots, wrong[i].stride,
                                                wrong[i].first, wrong[i].count, one, &map),
                       FH_GOLDEN_ERR_ARGUMENT);
    }
    require_ok("given", fh_golden_ckks_map_given(5, 1, -32, 32, one, &map));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_of_stages),  cmocka_unit_test(slots_of_a_polynomial),
        cmocka_unit_test(map_sizes),         cmocka_unit_test(giant_steps),
        cmocka_unit_test(encoded_diagonals), cmocka_unit_test(executed_maps),
        cmocka_unit_test(given_diagonals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
