/*
 * The kernels mean what they should: messages are encrypted by golden's client, worked on by the
 * emulator alone, decrypted, and lie within the scheme's error of the same computation on complex
 * numbers (ckks_track.h has the bounds).
 */
#include "ckks_device.h"

#include "ckks_track.h"
#include "golden_util.h"
#include "programs_util.h"

/* A client, and the emulator that works for it with the same chain. */
struct session {
    fh_client client;
    fhec_machine *machine;
    struct fh_ckks *ckks;
    uint64_t relin_key;
    const char *map;
};

static void require_done(const struct session *s, const char *what, fhec_status status) {
    if (status != FHEC_OK)
        fail_msg("%s, %s: status %d: %s", s->map, what, (int)status, fh_ckks_error(s->ckks)->text);
}

static struct session session_make(const char *map, const fh_golden_ckks_params *chain,
                                   uint64_t seed) {
    struct session s = {.client = fh_client_make(chain, seed), .map = map};
    const struct fh_ckks_params params = {
        .map = map, .chain = *chain, .options = programs_options()};
    struct fh_error error = {""};
    s.machine = programs_machine(FHEC_ENGINE_FAST, 0);
    if (fh_ckks_make(s.machine, &params, &s.ckks, &error) != FHEC_OK)
        fail_msg("%s: %s", map, error.text);
    require_done(&s, "key", fh_ckks_write_key(s.ckks, s.client.relin_key, &s.relin_key));
    return s;
}

static void session_free(struct session *s) {
    fh_ckks_free(s->ckks);
    fhec_machine_free(s->machine);
    fh_client_free(&s->client);
}

/* The ciphertext in the guest; the caller releases it. */
static uint64_t send(const struct session *s, const fh_tracked *x) {
    uint64_t address;
    require_done(s, "alloc", fh_ckks_alloc(s->ckks, x->level, 2, &address));
    require_done(s, "write", fh_ckks_write(s->ckks, x->level, 2, x->residues, address));
    return address;
}

static uint64_t space(const struct session *s, size_t level) {
    uint64_t address;
    require_done(s, "alloc", fh_ckks_alloc(s->ckks, level, 2, &address));
    return address;
}

/* Takes the residues at `address` back into x, which knows what they must be. */
static void check(const struct session *s, const char *what, uint64_t address, fh_tracked *x) {
    char label[96];
    snprintf(label, sizeof label, "%s, %s", s->map, what);
    require_done(s, "read", fh_ckks_read(s->ckks, x->level, 2, address, x->residues));
    fh_tracked_check(label, &s->client, x);
}

static uint64_t galois_key(const struct session *s, uint64_t g) {
    uint64_t *key = fh_client_galois_key(&s->client, g), address;
    require_done(s, "key", fh_ckks_write_key(s->ckks, key, &address));
    free(key);
    return address;
}

/* rescale(rotate(x y)) + plain, level after level; nothing leaves the guest in between except the
 * copies that are checked. */
static void compute(struct session *s, double scale) {
    const fh_client *client = &s->client;
    size_t n = client->ckks->n, level = client->ckks->limbs;
    fh_tracked x = fh_client_encrypt(client, level, scale, 1);
    fh_tracked y = fh_client_encrypt(client, level, scale, 2);
    uint64_t x_at = send(s, &x), steps = 0;
    for (; level > 1 && steps < 3; level--, steps++) {
        uint64_t g = 0, r = 3 + 100 * steps;
        fh_tracked y_now = fh_tracked_make(client, level), product = fh_tracked_make(client, level);
        fh_tracked turned = fh_tracked_make(client, level);
        fh_tracked rescaled = fh_tracked_make(client, level - 1);
        uint64_t product_at = space(s, level), turned_at = space(s, level);
        uint64_t rescaled_at = space(s, level - 1);
        fh_track_drop(client, &y, &y_now);
        uint64_t y_at = send(s, &y_now);
        require_done(s, "hemult",
                     fh_ckks_hemult(s->ckks, level, x_at, y_at, s->relin_key, product_at));
        fh_track_hemult(client, &x, &y_now, &product);
        check(s, "hemult", product_at, &product);
        require_ok("galois", fh_golden_galois_element(n, r, &g));
        uint64_t key = galois_key(s, g);
        require_done(s, "rotate", fh_ckks_rotate(s->ckks, level, r, product_at, key, turned_at));
        fh_track_rotate(client, &product, r, &turned);
        check(s, "rotate", turned_at, &turned);
        require_done(s, "rescale", fh_ckks_rescale(s->ckks, level, turned_at, rescaled_at));
        fh_track_rescale(client, &turned, &rescaled);
        check(s, "rescale", rescaled_at, &rescaled);
        const uint64_t done[] = {x_at, y_at, product_at, turned_at, key};
        for (size_t i = 0; i < COUNT_OF(done); i++)
            require_done(s, "release", fh_ckks_release(s->ckks, done[i]));
        fh_tracked_free(&x);
        fh_tracked_free(&y_now);
        fh_tracked_free(&product);
        fh_tracked_free(&turned);
        x = rescaled;
        x_at = rescaled_at;
    }
    assert_true(steps >= 2);
    fh_tracked_free(&x);
    fh_tracked_free(&y);
}

/* Conjugation, sums and plaintexts at a level below the full one. */
static void with_plaintexts(struct session *s, double scale) {
    const fh_client *client = &s->client;
    size_t n = client->ckks->n, level = client->ckks->limbs - 1;
    fh_tracked x = fh_client_encrypt(client, level, scale, 3);
    fh_tracked y = fh_client_encrypt(client, level, scale, 4);
    fh_tracked out = fh_tracked_make(client, level);
    fh_golden_complex *message = fh_client_message(client, 77);
    uint64_t *plain = make_array(level * n);
    uint64_t x_at = send(s, &x), y_at = send(s, &y), out_at = space(s, level);
    uint64_t plain_at = space(s, level), key = galois_key(s, 2 * n - 1);
    require_done(s, "conjugate", fh_ckks_galois(s->ckks, level, 2 * n - 1, x_at, key, out_at));
    fh_track_conjugate(client, &x, &out);
    check(s, "conjugate", out_at, &out);
    require_done(s, "headd", fh_ckks_headd(s->ckks, level, x_at, y_at, out_at));
    fh_track_headd(client, &x, &y, &out);
    check(s, "headd", out_at, &out);
    double plain_scale = scale / 3;
    require_ok("encode", fh_golden_ckks_encode(client->ckks, level, plain_scale, message, plain));
    require_done(s, "plain", fh_ckks_write(s->ckks, level, 1, plain, plain_at));
    require_done(s, "ptmult", fh_ckks_ptmult(s->ckks, level, x_at, plain_at, out_at));
    fh_track_ptmult(client, &x, message, plain_scale, &out);
    check(s, "ptmult", out_at, &out);
    require_ok("encode", fh_golden_ckks_encode(client->ckks, level, scale, message, plain));
    require_done(s, "plain", fh_ckks_write(s->ckks, level, 1, plain, plain_at));
    require_done(s, "ptadd", fh_ckks_ptadd(s->ckks, level, x_at, plain_at));
    fh_track_ptadd(client, &x, message, &out);
    check(s, "ptadd", x_at, &out);
    free(plain);
    free(message);
    fh_tracked_free(&x);
    fh_tracked_free(&y);
    fh_tracked_free(&out);
}

/* The switching key of another secret gives nonsense, and the check says so. */
static void wrong_key(struct session *s, double scale) {
    const fh_client *client = &s->client;
    size_t level = client->ckks->limbs;
    fh_tracked x = fh_client_encrypt(client, level, scale, 5);
    fh_tracked out = fh_tracked_make(client, level);
    uint64_t x_at = send(s, &x), out_at = space(s, level);
    require_done(s, "rotate", fh_ckks_rotate(s->ckks, level, 3, x_at, s->relin_key, out_at));
    fh_track_rotate(client, &x, 3, &out);
    require_done(s, "read", fh_ckks_read(s->ckks, level, 2, out_at, out.residues));
    assert_true(fh_tracked_error(client, &out).worst_ratio > 1);
    fh_tracked_free(&x);
    fh_tracked_free(&out);
}

static void each_map(void **state) {
    (void)state;
    static const fh_golden_ckks_params narrow[] = {{12, 32, 6, 2, 3, NULL},
                                                   {12, 30, 4, 3, 2, NULL}};
    static const fh_golden_ckks_params wide = {12, 60, 4, 2, 2, NULL};
    const struct fh_map *map;
    for (size_t m = 0; (map = fh_map_get(m)) != NULL; m++) {
        if (!(map->workloads & FH_WORKLOAD_CKKS))
            continue;
        for (size_t i = 0; i < (map->word_bits == 32 ? COUNT_OF(narrow) : 1); i++) {
            if (SLOW_BUILD && map->word_bits == 32 && i != m % 2)
                continue;
            const fh_golden_ckks_params *chain = map->word_bits == 32 ? &narrow[i] : &wide;
            double scale = chain->bits == 60 ? 0x1p59 : chain->bits == 32 ? 0x1p32 : 0x1p30;
            struct session s = session_make(map->name, chain, 500 + i);
            compute(&s, scale);
            with_plaintexts(&s, scale);
            wrong_key(&s, scale);
            session_free(&s);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_map),
    };
    return cmocka_run_group_tests_name("programs_ckks_client", tests, NULL, NULL);
}
