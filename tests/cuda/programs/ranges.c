/*
 * ranges.c - launches over the driver's interface in ranges of two domains, and an end of the
 * program's own choice: ranges OBJECT [exit | _exit | quick_exit | abort | kill | SEGV | TERM |
 * thread | fork | exit_busy | term_busy | alone]. Two of them end it during a launch of the kernel
 * `forever` that another thread waits for; the last one kills before all processes that it has
 * started. The ranges are pushed and popped as NVTX's headers do it: through the functions that the
 * library of NVTX_INJECTION64_PATH puts into their tables.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

typedef struct CUctx_st *context;
int cuInit(unsigned), cuCtxCreate_v2(context *, unsigned, int), cuModuleLoad(void **, const char *);
int cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);
int cuCtxSynchronize(void), cuCtxGetCurrent(context *), cuCtxSetCurrent(context);

enum { CORE = 1, CORE2 = 5, FUNCTIONS = 16 };
static int (*push_a)(const char *), (*pop)(void), (*push_w)(const wchar_t *);
static int (*domain_push)(void *, const void *), (*domain_pop)(void *);
static void *(*domain_new)(const char *), *(*string_new)(void *, const char *);
static void *core[FUNCTIONS] = {[9] = &push_a, [10] = &push_w, [11] = &pop};
static void *core2[FUNCTIONS] = {
    [4] = &domain_push, [5] = &domain_pop, [10] = &string_new, [12] = &domain_new};

static int table_of(int module, void ***table, unsigned *count) {
    *table = module == CORE ? core : core2;
    *count = FUNCTIONS;
    return module == CORE || module == CORE2;
}

static const struct {
    size_t size;
    int (*table_of)(int module, void ***table, unsigned *count);
} callbacks = {sizeof callbacks, table_of};

static const void *export_table(uint32_t id) {
    return id == 1 ? &callbacks : NULL;
}

/* Attributes of version 2, of which the message alone is of interest. */
struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const void *message;
};

static int begin_ranges(void) {
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    int (*begin)(const void *(*)(uint32_t)) = NULL;
    if (library)
        *(void **)&begin = dlsym(library, "InitializeInjectionNvtx2");
    return begin && begin(export_table) && push_a && pop && push_w && domain_push && domain_pop &&
           domain_new && string_new;
}

static void *exit_here(void *unused) {
    exit(unused != NULL);
}

static context shared; /* with the thread that launches forever */

static void *launch_forever(void *module) {
    void *kernel;
    if (cuCtxSetCurrent(shared) || cuModuleGetFunction(&kernel, module, "forever") ||
        cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, 0, 0, 0) || cuCtxSynchronize())
        _exit(1);
    return NULL;
}

static void in_thread(void *(*function)(void *), void *argument) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, argument))
        _exit(1);
}

static void end_alone(void) {
    char command[128];
    snprintf(command, sizeof command,
             "for p in $(cat /proc/%d/task/*/children); do [ $p = $$ ] || kill -KILL $p; done",
             (int)getpid());
    if (system(command) >= 0)
        _exit(5);
}

static void end_as(const char *how, void *module) {
    if (strcmp(how, "quick_exit") == 0)
        quick_exit(0);
    if (strcmp(how, "SEGV") == 0)
        *(volatile int *)8 = 1;
    if (strcmp(how, "TERM") == 0)
        kill(getpid(), SIGTERM);
    if (strcmp(how, "alone") == 0)
        end_alone();
    if (strcmp(how, "thread") == 0) {
        in_thread(exit_here, NULL);
        pause();
    }
    if (strstr(how, "_busy")) {
        cuCtxGetCurrent(&shared);
        in_thread(launch_forever, module);
        usleep(200000);
        if (how[0] == 'e')
            exit(0);
        raise(SIGTERM);
    }
    if (strcmp(how, "_exit") == 0)
        _exit(5);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "fork") == 0) {
        if (fork() == 0)
            exit(0); /* a process that has launched nothing */
        wait(NULL);
    }
}

int main(int argc, char **argv) {
    context c;
    void *module, *kernel;
    if (!begin_ranges() || cuInit(0) || cuCtxCreate_v2(&c, 0, 0) ||
        cuModuleLoad(&module, argv[1]) || cuModuleGetFunction(&kernel, module, "two"))
        return 1;
#define LAUNCH(blocks, threads) cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, 0, 0, 0)
    void *library = domain_new("Library");
    const struct attributes registered = {.version = 3,
                                          .size = sizeof registered,
                                          .message_type = 3,
                                          .message = string_new(library, "NTT")};
    const struct attributes nameless = {.version = 3, .size = sizeof nameless};
    LAUNCH(1, 32);
    for (int i = 0; i < 2; i++) {
        push_a("HEMult");
        LAUNCH(3, 64);
        domain_push(library, &registered);
        LAUNCH(1, 33);
        pop(); /* HEMult ends, NTT goes on */
        LAUNCH(5, 32);
        domain_pop(library);
    }
    push_w(L"\u00e9\u20ac\U0001f600");
    LAUNCH(1, 32);
    const int depths[] = {domain_push(library, &nameless),
                          domain_push(library, &registered),
                          domain_pop(library),
                          domain_pop(library),
                          pop(),
                          pop()};
    cuCtxSynchronize();
    for (int i = 0; i < 6; i++)
        printf("%d ", depths[i]);
    printf("\n");
    fflush(stdout);
    end_as(argc > 2 ? argv[2] : "exit", module);
    return 0;
}
