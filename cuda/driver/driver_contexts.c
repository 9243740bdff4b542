/*
 * driver_contexts.c - the beginning of a program, errors, and contexts.
 */
#include <stdlib.h>
#include <string.h>

#include "attributes.h"
#include "driver.h"

struct context {
    unsigned flags;
    uint64_t id;
    struct context *next;
};

enum { NESTED = 64, FLAGS = 0xff };
static struct context *contexts;           /* those that were created */
static struct context primary = {.id = 1}; /* the runtime's, too */
static unsigned primary_uses;
static uint64_t ids = 1;
static bool initialized;
static bool machine_is_ours; /* made by a call of this library, so that no runtime is at work */

/* The contexts that the thread has pushed, the current one last. */
static _Thread_local struct context *stack[NESTED];
static _Thread_local unsigned depth;

/* A stack entry or handle that is still a context. */
static struct context *context_of(const void *handle) {
    if (handle == &primary)
        return &primary;
    for (struct context *c = contexts; c; c = c->next)
        if (c == handle)
            return c;
    return NULL;
}

/* Once a call of the runtime has made the device, threads that have no context are in the runtime's
 * as soon as they call it. */
static struct context *current(void) {
    if (depth && stack[depth - 1])
        return context_of(stack[depth - 1]);
    return fh_cuda_machine() && !machine_is_ours ? &primary : NULL;
}

void *fh_driver_context(void) {
    return current();
}

driver_result fh_driver_result(fh_cuda_status status) {
    const fh_cuda_status_names *names = fh_cuda_status_find((int)status);
    return names && !names->driver ? FH_CUDA_INVALID_VALUE : (driver_result)status;
}

driver_result fh_driver_leave(fh_cuda_status status) {
    fh_cuda_leave();
    return fh_driver_result(status);
}

fh_cuda_status fh_driver_enter(void) {
    fh_cuda_enter_anyway();
    const bool runtime = fh_cuda_machine() && !machine_is_ours;
    const fh_cuda_status status = !initialized && !runtime ? FH_CUDA_NOT_INITIALIZED
                                  : current()              ? FH_CUDA_OK
                                                           : FH_CUDA_INVALID_CONTEXT;
    if (status != FH_CUDA_OK)
        return status;
    machine_is_ours |= !fh_cuda_machine();
    fh_cuda_leave();
    return fh_cuda_enter();
}

/* By cuInit, or by the runtime, which has called it when it has a device. */
static bool is_initialized(void) {
    return initialized || fh_cuda_machine();
}

/* Calls that need no context, only cuInit. */
static fh_cuda_status enter_without(void) {
    fh_cuda_enter_anyway();
    return is_initialized() ? FH_CUDA_OK : FH_CUDA_NOT_INITIALIZED;
}

#define CALL_WITHOUT(DO)                                                                           \
    do {                                                                                           \
        fh_cuda_status status_ = enter_without();                                                  \
        if (status_ == FH_CUDA_OK)                                                                 \
            status_ = (DO);                                                                        \
        return fh_driver_leave(status_);                                                           \
    } while (0)

fh_cuda_status fh_driver_device(int device, const void *where) {
    if (!is_initialized())
        return FH_CUDA_NOT_INITIALIZED;
    return device ? FH_CUDA_INVALID_DEVICE : where ? FH_CUDA_OK : FH_CUDA_INVALID_VALUE;
}

DRIVER driver_result cuInit(unsigned flags) {
    if (flags)
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_enter_anyway();
    initialized = true;
    return fh_driver_leave(FH_CUDA_OK);
}

DRIVER driver_result cuDriverGetVersion(int *version) {
    if (!version)
        return FH_CUDA_INVALID_VALUE;
    *version = FH_CUDA_DRIVER_VERSION;
    return FH_CUDA_OK;
}

static driver_result describe(int result, const char **text, bool name) {
    const fh_cuda_status_names *names = fh_cuda_status_find(result);
    if (!text)
        return FH_CUDA_INVALID_VALUE;
    *text = !names || !names->driver ? NULL : name ? names->driver : names->text;
    return *text ? FH_CUDA_OK : FH_CUDA_INVALID_VALUE;
}

DRIVER driver_result cuGetErrorName(int result, const char **text) {
    return describe(result, text, true);
}

DRIVER driver_result cuGetErrorString(int result, const char **text) {
    return describe(result, text, false);
}

/* ---------------------------------------------------------------- contexts */

static fh_cuda_status push(struct context *context) {
    if (depth == NESTED)
        return FH_CUDA_NO_MEMORY;
    stack[depth++] = context;
    return FH_CUDA_OK;
}

static fh_cuda_status create(void **handle, unsigned flags, int device) {
    if (!handle || flags > FLAGS)
        return FH_CUDA_INVALID_VALUE;
    if (device)
        return FH_CUDA_INVALID_DEVICE;
    struct context *c = calloc(1, sizeof *c);
    if (!c || push(c) != FH_CUDA_OK) {
        free(c);
        return FH_CUDA_NO_MEMORY;
    }
    *c = (struct context){flags, ++ids, contexts};
    contexts = c;
    *handle = c;
    return FH_CUDA_OK;
}

DRIVER driver_result cuCtxCreate_v2(void **context, unsigned flags, int device) {
    CALL_WITHOUT(create(context, flags, device));
}

DRIVER driver_result cuCtxCreate_v3(void **context, const void *affinities, int count,
                                    unsigned flags, int device) {
    CALL_WITHOUT(affinities || count ? FH_CUDA_NOT_SUPPORTED : create(context, flags, device));
}

/* Which multiprocessors a context may use, and what it shares with graphics: there is neither. */
struct create_params {
    const void *affinities;
    int count;
    const void *graphics;
};

DRIVER driver_result cuCtxCreate_v4(void **context, const struct create_params *params,
                                    unsigned flags, int device) {
    CALL_WITHOUT(params && (params->affinities || params->count || params->graphics)
                     ? FH_CUDA_NOT_SUPPORTED
                     : create(context, flags, device));
}

/* What the device has goes with its last context. */
static void end_if_last(void) {
    if (contexts || primary_uses || !fh_cuda_machine() || !machine_is_ours)
        return;
    fh_driver_virtual_end();
    fh_cuda_reset();
    machine_is_ours = false;
}

static fh_cuda_status destroy(const void *handle) {
    for (struct context **at = &contexts; *at; at = &(*at)->next) {
        struct context *c = *at;
        if (c != handle)
            continue;
        if (depth && stack[depth - 1] == c)
            depth--;
        *at = c->next;
        free(c);
        end_if_last();
        return FH_CUDA_OK;
    }
    return FH_CUDA_INVALID_CONTEXT;
}

DRIVER driver_result cuCtxDestroy_v2(void *context) {
    CALL_WITHOUT(destroy(context));
}

DRIVER driver_result cuCtxPushCurrent_v2(void *context) {
    CALL_WITHOUT(context_of(context) ? push(context_of(context)) : FH_CUDA_INVALID_CONTEXT);
}

static fh_cuda_status pop(void **handle) {
    if (!current())
        return FH_CUDA_INVALID_CONTEXT;
    if (handle)
        *handle = current();
    depth -= depth != 0;
    return FH_CUDA_OK;
}

DRIVER driver_result cuCtxPopCurrent_v2(void **context) {
    CALL_WITHOUT(pop(context));
}

static fh_cuda_status set_current(const void *handle) {
    struct context *c = context_of(handle);
    if (handle && !c)
        return FH_CUDA_INVALID_CONTEXT;
    if (depth)
        depth--;
    return c ? push(c) : FH_CUDA_OK;
}

DRIVER driver_result cuCtxSetCurrent(void *context) {
    CALL_WITHOUT(set_current(context));
}

static fh_cuda_status tell_current(void **handle) {
    if (!handle)
        return FH_CUDA_INVALID_VALUE;
    *handle = current();
    return FH_CUDA_OK;
}

DRIVER driver_result cuCtxGetCurrent(void **context) {
    CALL_WITHOUT(tell_current(context));
}

/* ---------------------------------------------------------------- the primary context */

static fh_cuda_status retain(void **handle, int device) {
    const fh_cuda_status status = fh_driver_device(device, handle);
    if (status != FH_CUDA_OK)
        return status;
    primary_uses++;
    *handle = &primary;
    return FH_CUDA_OK;
}

DRIVER driver_result cuDevicePrimaryCtxRetain(void **context, int device) {
    CALL_WITHOUT(retain(context, device));
}

static fh_cuda_status release(int device) {
    if (device)
        return FH_CUDA_INVALID_DEVICE;
    if (!primary_uses)
        return FH_CUDA_INVALID_CONTEXT;
    if (!--primary_uses)
        end_if_last();
    return FH_CUDA_OK;
}

DRIVER driver_result cuDevicePrimaryCtxRelease_v2(int device) {
    CALL_WITHOUT(release(device));
}

static fh_cuda_status reset(int device) {
    if (device)
        return FH_CUDA_INVALID_DEVICE;
    fh_driver_virtual_end();
    fh_cuda_reset();
    return FH_CUDA_OK;
}

DRIVER driver_result cuDevicePrimaryCtxReset_v2(int device) {
    CALL_WITHOUT(reset(device));
}

static fh_cuda_status primary_state(int device, unsigned *flags, int *active) {
    if (device)
        return FH_CUDA_INVALID_DEVICE;
    if (!flags || !active)
        return FH_CUDA_INVALID_VALUE;
    *flags = primary.flags;
    *active = primary_uses || (fh_cuda_machine() && !machine_is_ours);
    return FH_CUDA_OK;
}

DRIVER driver_result cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
    CALL_WITHOUT(primary_state(device, flags, active));
}

static fh_cuda_status set_flags(struct context *c, unsigned flags) {
    if (flags > FLAGS)
        return FH_CUDA_INVALID_VALUE;
    c->flags = flags;
    return FH_CUDA_OK;
}

DRIVER driver_result cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
    CALL_WITHOUT(device ? FH_CUDA_INVALID_DEVICE : set_flags(&primary, flags));
}

/* ---------------------------------------------------------------- what the current one is */

DRIVER driver_result cuCtxSetFlags(unsigned flags) {
    FH_DRIVER_CALL(set_flags(current(), flags));
}

DRIVER driver_result cuCtxGetFlags(unsigned *flags) {
    FH_DRIVER_CALL(flags ? (*flags = current()->flags, FH_CUDA_OK) : FH_CUDA_INVALID_VALUE);
}

DRIVER driver_result cuCtxGetDevice(int *device) {
    FH_DRIVER_CALL(device ? (*device = 0, FH_CUDA_OK) : FH_CUDA_INVALID_VALUE);
}

static fh_cuda_status known(const void *handle) {
    return !handle || context_of(handle) ? FH_CUDA_OK : FH_CUDA_INVALID_CONTEXT;
}

DRIVER driver_result cuCtxGetDevice_v2(int *device, void *context) {
    FH_DRIVER_CALL(device ? (*device = 0, known(context)) : FH_CUDA_INVALID_VALUE);
}

static fh_cuda_status tell_id(const void *handle, unsigned long long *id) {
    const struct context *c = handle ? context_of(handle) : current();
    if (!id || !c)
        return id ? FH_CUDA_INVALID_CONTEXT : FH_CUDA_INVALID_VALUE;
    *id = c->id;
    return FH_CUDA_OK;
}

DRIVER driver_result cuCtxGetId(void *context, unsigned long long *id) {
    FH_DRIVER_CALL(tell_id(context, id));
}

static fh_cuda_status tell_version(const void *handle, unsigned *version) {
    enum { SINCE_CUDA_3_2 = 3020 };
    if (!version || (handle && !context_of(handle)))
        return version ? FH_CUDA_INVALID_CONTEXT : FH_CUDA_INVALID_VALUE;
    *version = SINCE_CUDA_3_2;
    return FH_CUDA_OK;
}

DRIVER driver_result cuCtxGetApiVersion(void *context, unsigned *version) {
    CALL_WITHOUT(tell_version(context, version));
}

DRIVER driver_result cuCtxSynchronize(void) {
    FH_DRIVER_CALL(fh_cuda_wait(NULL));
}

static fh_cuda_status wait_in(const void *handle) {
    const fh_cuda_status status = known(handle);
    return status == FH_CUDA_OK ? fh_cuda_wait(NULL) : status;
}

DRIVER driver_result cuCtxSynchronize_v2(void *context) {
    FH_DRIVER_CALL(wait_in(context));
}

/* Of the device's limits only the stack's has an effect; the others are kept. */
enum { LIMIT_STACK, LIMIT_PRINTF, LIMIT_HEAP, LIMIT_GRANULARITY = 5, LIMITS = 7 };
static uint64_t limits[LIMITS] = {
    [LIMIT_PRINTF] = 1 << 20, [LIMIT_HEAP] = 8 << 20, [LIMIT_GRANULARITY] = 64};

static fh_cuda_status set_limit(int limit, size_t value) {
    if (limit < 0 || limit >= LIMITS)
        return FH_CUDA_UNSUPPORTED_LIMIT;
    if (limit == LIMIT_STACK)
        return fh_cuda_set_stack_bytes(value);
    limits[limit] = value;
    return FH_CUDA_OK;
}

DRIVER driver_result cuCtxSetLimit(int limit, size_t value) {
    FH_DRIVER_CALL(set_limit(limit, value));
}

static fh_cuda_status get_limit(size_t *value, int limit) {
    if (!value || limit < 0 || limit >= LIMITS)
        return value ? FH_CUDA_UNSUPPORTED_LIMIT : FH_CUDA_INVALID_VALUE;
    *value = limit == LIMIT_STACK ? fh_cuda_stack_bytes() : limits[limit];
    return FH_CUDA_OK;
}

DRIVER driver_result cuCtxGetLimit(size_t *value, int limit) {
    FH_DRIVER_CALL(get_limit(value, limit));
}

static int cache_config;

static fh_cuda_status set_cache(int config) {
    if (config < 0 || config > 3)
        return FH_CUDA_INVALID_VALUE;
    cache_config = config;
    return FH_CUDA_OK;
}

DRIVER driver_result cuCtxSetCacheConfig(int config) {
    FH_DRIVER_CALL(set_cache(config));
}

DRIVER driver_result cuCtxGetCacheConfig(int *config) {
    FH_DRIVER_CALL(config ? (*config = cache_config, FH_CUDA_OK) : FH_CUDA_INVALID_VALUE);
}

/* Banks are of 4 bytes, which an A100 always has. */
DRIVER driver_result cuCtxSetSharedMemConfig(int config) {
    FH_DRIVER_CALL(config < 0 || config > 2 ? FH_CUDA_INVALID_VALUE : FH_CUDA_OK);
}

DRIVER driver_result cuCtxGetSharedMemConfig(int *config) {
    FH_DRIVER_CALL(config ? (*config = 1, FH_CUDA_OK) : FH_CUDA_INVALID_VALUE);
}

DRIVER driver_result cuCtxResetPersistingL2Cache(void) {
    FH_DRIVER_CALL(FH_CUDA_OK);
}
