/*
 * cuda_twins_test.c - calls that libcudart and libcuda both have: the same ones, in random order,
 * with arguments right and wrong, handles that are none or of another kind, that were destroyed,
 * and places for answers that are not there, each library in a process of its own. Both answer the
 * same, in status and value, so that they go the same way. FHEC_CALLS and FHEC_CALLS_SEED: how
 * many, and which.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda_library.h"
#include "slow_build.h"

enum { POOL = 12, HOST_BYTES = 4096, MOST_ARGUMENTS = 8 };

/* Parameters, a letter each, as in cuda_calls_test.c: S stream, E event, G graph, X executable
 * graph, N node, D an address of the device, P pool; L a list of two nodes, k how many of it count,
 * H the host's buffer, z a size in it, Z any size, Y one that is not 0, B memory that is not NULL
 * (of which the two have their own opinions in CUDA, too), i a small number, f flags, h a function
 * for the host, c a callback, q what a host node does, m what one that fills does, t a text; o
 * where to put what both put alike, O what need not be; s e g x n d p where to put such a handle, A
 * an array of them; v a number that is exchanged, w one of places in an array; 0 to 4 the number.
 * `!`, behind a name: if it succeeds its first argument is gone. */
struct twins {
    const char *runtime, *driver, *runtime_parameters, *driver_parameters;
};

static const struct twins all_twins[] = {
    {"cudaStreamCreateWithFlags", "cuStreamCreate", "sf", "sf"},
    {"cudaStreamCreateWithPriority", "cuStreamCreateWithPriority", "sfi", "sfi"},
    {"cudaStreamDestroy!", "cuStreamDestroy_v2", "S", "S"},
    {"cudaStreamSynchronize", "cuStreamSynchronize", "S", "S"},
    {"cudaStreamQuery", "cuStreamQuery", "S", "S"},
    {"cudaStreamGetFlags", "cuStreamGetFlags", "So", "So"},
    {"cudaStreamGetPriority", "cuStreamGetPriority", "So", "So"},
    {"cudaStreamGetId", "cuStreamGetId", "So", "So"},
    {"cudaStreamGetDevice", "cuStreamGetDevice", "So", "So"},
    {"cudaStreamWaitEvent", "cuStreamWaitEvent", "SEf", "SEf"},
    {"cudaStreamAddCallback", "cuStreamAddCallback", "ScHf", "ScHf"},
    {"cudaLaunchHostFunc", "cuLaunchHostFunc", "ShH", "ShH"},
    {"cudaStreamAttachMemAsync", "cuStreamAttachMemAsync", "SDZf", "SDZf"},
    {"cudaStreamIsCapturing", "cuStreamIsCapturing", "So", "So"},
    {"cudaStreamBeginCapture", "cuStreamBeginCapture_v2", "Si", "Si"},
    {"cudaStreamBeginCaptureToGraph", "cuStreamBeginCaptureToGraph", "SGL0ki", "SGL0ki"},
    {"cudaStreamEndCapture", "cuStreamEndCapture", "Sg", "Sg"},
    {"cudaStreamGetCaptureInfo_v2", "cuStreamGetCaptureInfo_v2", "SooOOo", "SooOOo"},
    {"cudaStreamGetCaptureInfo_v3", "cuStreamGetCaptureInfo_v3", "SooOOoo", "SooOOoo"},
    {"cudaStreamUpdateCaptureDependencies_v2", "cuStreamUpdateCaptureDependencies_v2", "SL0kf",
     "SL0kf"},
    {"cudaThreadExchangeStreamCaptureMode", "cuThreadExchangeStreamCaptureMode", "v", "v"},
    {"cudaEventCreateWithFlags", "cuEventCreate", "ef", "ef"},
    {"cudaEventDestroy!", "cuEventDestroy_v2", "E", "E"},
    {"cudaEventRecord", "cuEventRecord", "ES", "ES"},
    {"cudaEventRecordWithFlags", "cuEventRecordWithFlags", "ESf", "ESf"},
    {"cudaEventQuery", "cuEventQuery", "E", "E"},
    {"cudaEventSynchronize", "cuEventSynchronize", "E", "E"},
    {"cudaEventElapsedTime", "cuEventElapsedTime", "OEE", "OEE"},
    {"cudaGraphCreate", "cuGraphCreate", "gf", "gf"},
    {"cudaGraphDestroy!", "cuGraphDestroy", "G", "G"},
    {"cudaGraphClone", "cuGraphClone", "gG", "gG"},
    {"cudaGraphAddEmptyNode", "cuGraphAddEmptyNode", "nGLk", "nGLk"},
    {"cudaGraphAddEventRecordNode", "cuGraphAddEventRecordNode", "nGLkE", "nGLkE"},
    {"cudaGraphAddEventWaitNode", "cuGraphAddEventWaitNode", "nGLkE", "nGLkE"},
    {"cudaGraphAddChildGraphNode", "cuGraphAddChildGraphNode", "nGLkG", "nGLkG"},
    {"cudaGraphAddMemFreeNode", "cuGraphAddMemFreeNode", "nGLkD", "nGLkD"},
    {"cudaGraphAddDependencies_v2", "cuGraphAddDependencies_v2", "GLL0k", "GLL0k"},
    {"cudaGraphRemoveDependencies_v2", "cuGraphRemoveDependencies_v2", "GLL0k", "GLL0k"},
    {"cudaGraphGetNodes", "cuGraphGetNodes", "GAw", "GAw"},
    {"cudaGraphGetRootNodes", "cuGraphGetRootNodes", "GAw", "GAw"},
    {"cudaGraphGetEdges_v2", "cuGraphGetEdges_v2", "GAA0w", "GAA0w"},
    {"cudaGraphNodeGetType", "cuGraphNodeGetType", "No", "No"},
    {"cudaGraphNodeGetDependencies_v2", "cuGraphNodeGetDependencies_v2", "NA0w", "NA0w"},
    {"cudaGraphNodeGetDependentNodes_v2", "cuGraphNodeGetDependentNodes_v2", "NA0w", "NA0w"},
    {"cudaGraphDestroyNode!", "cuGraphDestroyNode", "N", "N"},
    {"cudaGraphInstantiateWithFlags", "cuGraphInstantiateWithFlags", "xGf", "xGf"},
    {"cudaGraphLaunch", "cuGraphLaunch", "XS", "XS"},
    {"cudaGraphUpload", "cuGraphUpload", "XS", "XS"},
    {"cudaGraphExecUpdate", "cuGraphExecUpdate_v2", "XGO", "XGO"},
    {"cudaGraphExecDestroy!", "cuGraphExecDestroy", "X", "X"},
    {"cudaMalloc", "cuMemAlloc_v2", "dY", "dY"},
    {"cudaMallocManaged", "cuMemAllocManaged", "dYf", "dYf"},
    {"cudaMallocAsync", "cuMemAllocAsync", "dYS", "dYS"},
    {"cudaFree!", "cuMemFree_v2", "B", "B"},
    {"cudaFreeAsync!", "cuMemFreeAsync", "BS", "BS"},
    {"cudaMemcpyAsync", "cuMemcpyDtoDAsync_v2", "DDZ3S", "DDZS"},
    {"cudaMemsetAsync", "cuMemsetD8Async", "DiZS", "DiZS"},
    {"cudaMemset", "cuMemsetD8_v2", "DiZ", "DiZ"},
    {"cudaMemGetInfo", "cuMemGetInfo_v2", "oo", "oo"},
    {"cudaMallocPitch", "cuMemAllocPitch_v2", "dOYY", "dOYY4"},
    {"cudaHostAlloc", "cuMemHostAlloc", "dYf", "dYf"},
    {"cudaFreeHost!", "cuMemFreeHost", "B", "B"},
    {"cudaHostGetDevicePointer", "cuMemHostGetDevicePointer_v2", "OHf", "OHf"},
    {"cudaMemPrefetchAsync_v2", "cuMemPrefetchAsync_v2", "BZ00S", "BZ00S"},
    {"cudaMemAdvise", "cuMemAdvise_v2", "BZi0", "BZi0"},
    {"cudaStreamGetCaptureInfo_v2", "cuStreamGetCaptureInfo_v2", "S0oOOo", "S0oOOo"},
    {"cudaHostRegister", "cuMemHostRegister_v2", "Hzf", "Hzf"},
    {"cudaHostUnregister", "cuMemHostUnregister", "H", "H"},
    {"cudaHostGetFlags", "cuMemHostGetFlags", "oH", "oH"},
    {"cudaDeviceGetAttribute", "cuDeviceGetAttribute", "oii", "oii"},
    {"cudaDeviceCanAccessPeer", "cuDeviceCanAccessPeer", "oii", "oii"},
    {"cudaDeviceGetP2PAttribute", "cuDeviceGetP2PAttribute", "oiii", "oiii"},
    {"cudaDeviceGetByPCIBusId", "cuDeviceGetByPCIBusId", "ot", "ot"},
    {"cudaDeviceGetPCIBusId", "cuDeviceGetPCIBusId", "Aii", "Aii"},
    {"cudaDriverGetVersion", "cuDriverGetVersion", "o", "o"},
    {"cudaCtxResetPersistingL2Cache", "cuCtxResetPersistingL2Cache", "", ""},
    {"cudaEventElapsedTime_v2", "cuEventElapsedTime_v2", "OEE", "OEE"},
    {"cudaGraphAddHostNode", "cuGraphAddHostNode", "nGLkq", "nGLkq"},
    {"cudaGraphAddMemsetNode", "cuGraphAddMemsetNode", "nGLkm", "nGLkm0"},
    {"cudaGraphExecHostNodeSetParams", "cuGraphExecHostNodeSetParams", "XNq", "XNq"},
    {"cudaGraphExecMemsetNodeSetParams", "cuGraphExecMemsetNodeSetParams", "XNm", "XNm0"},
    {"cudaLibraryLoadData", "cuLibraryLoadData", "OH000000", "OH000000"},
    {"cudaLibraryUnload", "cuLibraryUnload", "E", "E"},
    {"cudaLibraryGetKernel", "cuLibraryGetKernel", "OEt", "OEt"},
    {"cudaLibraryGetKernelCount", "cuLibraryGetKernelCount", "oE", "oE"},
    {"cudaProfilerStart", "cuProfilerStart", "", ""},
};

static const char taken_from[] = "SEGXNDP", put_into[] = "segxndp";
enum { STREAMS, GRAPHS = 2, NODES = 4, MEMORY, KINDS = sizeof taken_from - 1 };

/* What a call has answered, for the process that compares. */
struct answer {
    uint32_t twins;
    int32_t status;
    uint64_t values[MOST_ARGUMENTS]; /* of `o`, `v`, `w` */
    uint64_t arguments[MOST_ARGUMENTS];
};

struct handle {
    uint64_t value, graph; /* graph: of a node */
};

static struct {
    struct handle pools[KINDS][POOL], stale[KINDS];
    unsigned at[KINDS];
    uint8_t host[HOST_BYTES];
    uint64_t state;
    uint64_t lists[MOST_ARGUMENTS][2], arrays[MOST_ARGUMENTS][64], outs[MOST_ARGUMENTS][8];
    uint64_t host_node[2];
    struct {
        uint64_t to, pitch;
        uint32_t value, element;
        uint64_t width, height;
    } fill;
} t;

static uint32_t draw(uint32_t below) {
    t.state = t.state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(t.state >> 33) % below;
}

/* Handles that are gone are nobody's, nor are the nodes of a graph: a new one may have their
 * address. They come once more, in the call that follows. */
static void drop(size_t kind, uint64_t value) {
    for (size_t i = 0; i < POOL; i++) {
        struct handle *h = &t.pools[kind][i], *node = &t.pools[NODES][i];
        if (h->value == value) {
            t.stale[kind] = *h;
            *h = (struct handle){0, 0};
        }
        if (kind == GRAPHS && node->value && node->graph == value)
            *node = (struct handle){0, 0};
    }
}

/* Mostly a live one; else one of another kind, NULL, nothing, or one that has just gone. As many
 * numbers are drawn whatever there is. */
static uint64_t pick(size_t kind) {
    const uint32_t how = draw(16), other = draw(KINDS), which = draw(POOL), coin = draw(2);
    if (how == 0)
        return 0;
    if (how == 1)
        return coin ? 0x1230 : UINT64_C(0x7fffdeadbe00);
    if (how == 2)
        kind = other;
    if (how == 3 && kind == STREAMS)
        return which % 3;
    if (t.stale[kind].value && coin)
        return t.stale[kind].value;
    const uint64_t value = t.pools[kind][which].value;
    return how == 4 && kind == MEMORY ? value + 8 : value;
}

static uint64_t size(void) {
    static const uint64_t sizes[] = {0, 1, 4, 100, 4096, 1 << 20, UINT64_C(1) << 41, UINT64_MAX};
    return sizes[draw(draw(4) ? 5 : sizeof sizes / sizeof *sizes)];
}

static void for_host(void *data) {
    (void)data;
}

static void call_back(void *stream, int status, void *data) {
    (void)stream, (void)status, (void)data;
}

#define ADDRESS(of) ((uint64_t)(uintptr_t)(of))

static uint64_t argument(char letter, size_t index) {
    const char *take = strchr(taken_from, letter);
    uint64_t value;
    if (take)
        return pick((size_t)(take - taken_from));
    switch (letter) {
    case '0':
    case '1':
    case '2':
    case '3':
    case '4': return (uint64_t)(letter - '0');
    case 'L':
        t.lists[index][0] = pick(NODES);
        t.lists[index][1] = pick(NODES);
        return draw(8) ? ADDRESS(t.lists[index]) : 0;
    case 'A': return draw(8) ? ADDRESS(t.arrays[index]) : 0;
    case 'k': return draw(3);
    case 'H': return draw(8) ? ADDRESS(t.host) : 0;
    case 'Z': return size();
    case 'z': return draw(HOST_BYTES + 1);
    case 'Y': value = size(); return value ? value : 1;
    case 'B': value = pick(MEMORY); return value ? value : 0x1230;
    case 'i': value = draw(120); return draw(8) ? value >> (draw(2) ? 5 : 0) : UINT32_MAX;
    case 'f': value = draw(1 << 16); return draw(4) ? value % 3 : value;
    case 'h': return draw(8) ? ADDRESS(for_host) : 0;
    case 'c': return draw(8) ? ADDRESS(call_back) : 0;
    case 'q':
        t.host_node[0] = draw(8) ? ADDRESS(for_host) : 0;
        return draw(8) ? ADDRESS(t.host_node) : 0;
    case 'm':
        t.fill.to = pick(MEMORY);
        t.fill.pitch = size();
        t.fill.value = draw(1000);
        t.fill.element = draw(8) ? 1U << draw(3) : draw(20);
        t.fill.width = size();
        t.fill.height = draw(4);
        return draw(8) ? ADDRESS(&t.fill) : 0;
    case 't': return ADDRESS(draw(4) ? draw(4) ? "0000:00:00.0" : "k" : NULL);
    case 'v':
    case 'w':
        value = draw(5);
        t.outs[index][0] = draw(8) || letter == 'w' ? value : UINT32_MAX;
        return draw(16) ? ADDRESS(t.outs[index]) : 0;
    default: return draw(8) ? ADDRESS(t.outs[index]) : 0; /* o, O, and what put_into */
    }
}

typedef int function(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                     uint64_t);

static int call_one(void *library, const char *name, const uint64_t a[MOST_ARGUMENTS]) {
    char plain[64];
    function *f;
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, "!"), name);
    *(void **)&f = cuda_call(library, plain);
    return f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
}

/* Handles that have come are kept; one that has gone is not. */
static void take_handles(const struct twins *twins, const char *letters, const uint64_t *a) {
    const char *graph = strchr(letters, 'G');
    for (size_t i = 0; letters[i]; i++) {
        const char *put = strchr(put_into, letters[i]);
        const size_t kind = put ? (size_t)(put - put_into) : 0;
        if (put && a[i] && t.outs[i][0])
            t.pools[kind][t.at[kind]++ % POOL] =
                (struct handle){t.outs[i][0], graph ? a[graph - letters] : 0};
    }
    if (strchr(twins->runtime, '!'))
        drop(*letters == 'B' ? MEMORY : (size_t)(strchr(taken_from, *letters) - taken_from), a[0]);
}

static void make(void *library, bool driver, uint32_t which, struct answer *answer) {
    const struct twins *twins = &all_twins[which];
    const char *letters = driver ? twins->driver_parameters : twins->runtime_parameters;
    uint64_t a[MOST_ARGUMENTS] = {0};
    size_t drawn = 0;
    memset(t.outs, 0, sizeof t.outs);
    for (size_t i = 0; letters[i]; i++)
        a[i] = argument(letters[i], i);
    memset(t.stale, 0, sizeof t.stale);
    *answer = (struct answer){.twins = which};
    answer->status = call_one(library, driver ? twins->driver : twins->runtime, a);
    for (size_t i = 0; letters[i]; i++) {
        answer->arguments[i] = a[i];
        if (strchr("ovw", letters[i]) && a[i])
            answer->values[drawn++] = t.outs[i][0];
    }
    if (answer->status == 0)
        take_handles(twins, letters, a);
}

static uint64_t setting(const char *name, uint64_t usual) {
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : usual;
}

static void *open_library(bool driver) {
    uint64_t context = 0;
    void *library = cuda_library(driver ? "libcuda.so.1" : "libcudart.so.13");
    const uint64_t none[MOST_ARGUMENTS] = {0}, retain[MOST_ARGUMENTS] = {ADDRESS(&context)};
    if (!library || !driver)
        return library;
    const bool good = call_one(library, "cuInit", none) == 0 &&
                      call_one(library, "cuDevicePrimaryCtxRetain", retain) == 0;
    const uint64_t current[MOST_ARGUMENTS] = {context};
    return good && call_one(library, "cuCtxSetCurrent", current) == 0 ? library : NULL;
}

/* A process that makes all calls. */
static void answer_all(bool driver, uint64_t seed, size_t rounds, struct answer *answers) {
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        void *library = open_library(driver);
        if (!library)
            _exit(1);
        t.state = seed;
        for (size_t i = 0; i < rounds; i++)
            make(library, driver, draw(sizeof all_twins / sizeof *all_twins), &answers[i]);
        _exit(0);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("%s: seed %" PRIu64 ": the process ended with 0x%x",
                 driver ? "libcuda" : "libcudart", seed, status);
}

static void say_difference(uint64_t seed, size_t round, const struct answer *x,
                           const struct answer *y) {
    const struct twins *twins = &all_twins[x->twins];
    char text[600];
    int n = snprintf(text, sizeof text, "seed %" PRIu64 ", call %zu: %s answers %d, %s %d:", seed,
                     round, twins->runtime, x->status, twins->driver, y->status);
    for (size_t i = 0; twins->runtime_parameters[i]; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, " %c=%#" PRIx64,
                      twins->runtime_parameters[i], x->arguments[i]);
    for (size_t i = 0; i < MOST_ARGUMENTS; i++)
        if (x->values[i] != y->values[i])
            snprintf(text + n, sizeof text - (size_t)n, " puts %#" PRIx64 " and %#" PRIx64,
                     x->values[i], y->values[i]);
    fail_msg("%s", text);
}

static void all_answer_the_same(void **state) {
    (void)state;
    const uint64_t seed = setting("FHEC_CALLS_SEED", 11);
    const size_t rounds = (size_t)setting("FHEC_CALLS", SLOW_BUILD ? 20000 : 100000);
    struct answer *answers[2];
    size_t good = 0;
    if (!cuda_library("libcudart.so.13") || !cuda_library("libcuda.so.1"))
        skip();
    for (int l = 0; l < 2; l++) {
        answers[l] = mmap(NULL, rounds * sizeof(struct answer), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        assert_true(answers[l] != MAP_FAILED);
        answer_all(l == 1, seed, rounds, answers[l]);
    }
    for (size_t i = 0; i < rounds; i++) {
        const struct answer *x = &answers[0][i], *y = &answers[1][i];
        if (x->twins != y->twins || x->status != y->status ||
            (x->status == 0 && memcmp(x->values, y->values, sizeof x->values) != 0))
            say_difference(seed, i, x, y);
        good += x->status == 0;
    }
    print_message("# %zu calls, of which %zu succeed, seed %" PRIu64 "\n", rounds, good, seed);
    assert_true(good > rounds / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_answer_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
