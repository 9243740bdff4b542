/*
 * Every allocation of golden/ can fail: each call below is made again and again, with its first,
 * second, ... allocation failing, until it succeeds. The program replaces malloc and calloc, which
 * the sanitizers do themselves; there the test has nothing to do.
 */
#include "golden_util.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

/* Allocations still to be granted; negative: no limit. */
static long granted = -1;

__attribute__((visibility("default"))) extern void *__libc_malloc(size_t size);
__attribute__((visibility("default"))) extern void *__libc_calloc(size_t count, size_t size);

static bool refuse(void) {
    if (granted == 0) {
        return true;
    }
    granted -= granted > 0 ? 1 : 0;
    return false;
}

__attribute__((visibility("default"))) void *malloc(size_t size) {
    return refuse() ? NULL : __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size) {
    return refuse() ? NULL : __libc_calloc(count, size);
}

enum { N = 16 };
static uint64_t in[N * 4];
static uint64_t out[N * 4];
static uint64_t primes[4];
static uint64_t psi;

static fh_golden_status make_plan(void) {
    const fh_golden_ntt_params params = {FH_GOLDEN_NEGACYCLIC, N, primes[0], psi};
    fh_golden_ntt_plan *plan = NULL;
    fh_golden_status status = fh_golden_ntt_plan_create(&plan, &params);
    assert_true((plan == NULL) == (status != FH_GOLDEN_OK));
    fh_golden_ntt_plan_free(plan);
    return status;
}

static fh_golden_status make_plan32(void) {
    fh_golden_ntt32_plan *plan = NULL;
    fh_golden_status status = fh_golden_ntt32_plan_create(&plan, N, primes[0], psi);
    assert_true((plan == NULL) == (status != FH_GOLDEN_OK));
    fh_golden_ntt32_plan_free(plan);
    return status;
}

static fh_golden_status transform_limbs(void) {
    return fh_golden_ntt_limbs(false, FH_GOLDEN_BITREV, N, 4, primes, NULL, in, out);
}

static fh_golden_status four_step(void) {
    return fh_golden_fourstep(FH_GOLDEN_BITREV, 4, 4, primes[0], psi, in, out);
}

static fh_golden_status convert_exact(void) {
    const fh_golden_bases bases = {2, primes, 2, primes + 2};
    return fh_golden_bconv_exact(&bases, N, in, out);
}

static fh_golden_status check_conversion(void) {
    const fh_golden_bases bases = {2, primes, 2, primes + 2};
    return fh_golden_bconv_check(&bases, N, in, out, NULL);
}

static fh_golden_status hash(void) {
    char hex[FH_GOLDEN_HASH_CHARS];
    return fh_golden_hash_elements(8, N, in, hex);
}

static fh_golden_status compute_ntt(void) {
    const fh_golden_pinned row = {FH_GOLDEN_NTT, 4, 30, 4, 0, FH_GOLDEN_BITREV, 1, NULL};
    return fh_golden_pinned_compute(&row, out);
}

static fh_golden_status compute_mac(void) {
    const fh_golden_pinned row = {FH_GOLDEN_ELT_MAC, 4, 30, 4, 0, FH_GOLDEN_BITREV, 1, NULL};
    return fh_golden_pinned_compute(&row, out);
}

static void each_allocation_fails(void **state) {
    (void)state;
    static const struct {
        const char *name;
        fh_golden_status (*call)(void);
        long allocations;
    } cases[] = {
        {"plan", make_plan, 1},     {"plan32", make_plan32, 1},     {"limbs", transform_limbs, 4},
        {"fourstep", four_step, 1}, {"exact", convert_exact, 1},    {"check", check_conversion, 1},
        {"hash", hash, 1},          {"pinned ntt", compute_ntt, 5}, {"pinned mac", compute_mac, 5},
    };
    require_ok("chain", fh_golden_prime_chain(N, 30, 4, primes));
    require_ok("psi", fh_golden_smallest_root(N, primes[0], &psi));
    require_ok("in", fh_golden_generate(FH_GOLDEN_RANDOM, 1, 0, primes[3], COUNT_OF(in), in));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (long allowed = 0; allowed <= cases[i].allocations; allowed++) {
            if (cases[i].call == check_conversion) { /* something right to check */
                const fh_golden_bases bases = {2, primes, 2, primes + 2};
                require_ok("fast", fh_golden_bconv_fast(&bases, N, in, out));
            }
            granted = allowed;
            fh_golden_status status = cases[i].call();
            granted = -1;
            require_status(cases[i].name, status,
                           allowed < cases[i].allocations ? FH_GOLDEN_ERR_NO_MEMORY : FH_GOLDEN_OK);
        }
    }
}

#else

static void each_allocation_fails(void **state) {
    (void)state;
    skip();
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
