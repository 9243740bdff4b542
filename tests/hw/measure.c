/*
 * measure.c - runs every row of the table on a GPU and writes a vector file. With --model it writes
 * the model's instead, and no GPU is needed.
 *
 *   measure SEED KERNELS SILICON OUT     KERNELS: cubin, fatbin or PTX of kernels.cu;
 *                                        SILICON: silicon.cubin, for sm_80 .. sm_89; OUT: the file
 *   measure --model SEED OUT
 *
 * A kernel that the driver does not take, or that fails, leaves `none` with the reason in its rows,
 * and the next one has a context of its own, so that one refusal spoils nothing else. Exit status:
 * 0 written, 1 an error, 77 there is no driver or no GPU. The driver is opened by name: nothing of
 * CUDA is needed to link.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"

enum { NO_GPU = 77 };

/* ---------------------------------------------------------------- the driver */

/* What of cuda.h is needed: types and functions as the driver API's manual gives them. */
typedef int cu_result;
typedef int cu_device;
typedef void *cu_context, *cu_module, *cu_function;
typedef unsigned long long cu_pointer;

enum { CU_MAJOR = 75, CU_MINOR = 76 }; /* attributes: compute capability */

struct driver {
    cu_result (*init)(unsigned flags);
    cu_result (*version)(int *version);
    cu_result (*device)(cu_device *device, int ordinal);
    cu_result (*name)(char *name, int length, cu_device device);
    cu_result (*attribute)(int *value, int attribute, cu_device device);
    cu_result (*create)(cu_context *context, unsigned flags, cu_device device);
    cu_result (*destroy)(cu_context context);
    cu_result (*load)(cu_module *module, const void *image);
    cu_result (*function)(cu_function *function, cu_module module, const char *name);
    cu_result (*alloc)(cu_pointer *pointer, size_t bytes);
    cu_result (*to_device)(cu_pointer to, const void *from, size_t bytes);
    cu_result (*to_host)(void *to, cu_pointer from, size_t bytes);
    cu_result (*clear)(cu_pointer to, unsigned char byte, size_t bytes);
    cu_result (*launch)(cu_function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, void *stream, void **params,
                        void **extra);
    cu_result (*wait)(void);
    cu_result (*error)(cu_result result, const char **text);
};

static const struct {
    const char *name;
    size_t offset; /* in struct driver */
} symbols[] = {
    {"cuInit", offsetof(struct driver, init)},
    {"cuDriverGetVersion", offsetof(struct driver, version)},
    {"cuDeviceGet", offsetof(struct driver, device)},
    {"cuDeviceGetName", offsetof(struct driver, name)},
    {"cuDeviceGetAttribute", offsetof(struct driver, attribute)},
    {"cuCtxCreate_v2", offsetof(struct driver, create)},
    {"cuCtxDestroy_v2", offsetof(struct driver, destroy)},
    {"cuModuleLoadData", offsetof(struct driver, load)},
    {"cuModuleGetFunction", offsetof(struct driver, function)},
    {"cuMemAlloc_v2", offsetof(struct driver, alloc)},
    {"cuMemcpyHtoD_v2", offsetof(struct driver, to_device)},
    {"cuMemcpyDtoH_v2", offsetof(struct driver, to_host)},
    {"cuMemsetD8_v2", offsetof(struct driver, clear)},
    {"cuLaunchKernel", offsetof(struct driver, launch)},
    {"cuCtxSynchronize", offsetof(struct driver, wait)},
    {"cuGetErrorString", offsetof(struct driver, error)},
};

/* NULL, or why there is no driver. */
static const char *open_driver(struct driver *cu) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
        return dlerror();
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (!symbol)
            return dlerror();
        memcpy((char *)cu + symbols[i].offset, &symbol, sizeof symbol);
    }
    return NULL;
}

/* ---------------------------------------------------------------- one family */

/* What every launch needs. */
struct gpu {
    struct driver cu;
    cu_device device;
    const uint8_t *images[2]; /* of the compiler, of silicon.sass */
};

/* How far a launch came: the last step, and what it gave. */
struct attempt {
    const char *step;
    cu_result result;
};

static bool done(struct attempt *a, const char *step, cu_result result) {
    a->step = step;
    a->result = result;
    return result == 0;
}

/* Runs the family's kernel in the context there is. */
static bool launch(const struct gpu *gpu, const struct hw_family *family, const uint64_t *operands,
                   uint64_t *out, struct attempt *a) {
    const struct driver *cu = &gpu->cu;
    cu_module module;
    cu_function function;
    cu_pointer in_at, out_at;
    uint32_t n = HW_ELEMENTS;
    void *params[] = {&out_at, &in_at, &n};
    size_t in_bytes = sizeof *operands * HW_ELEMENTS * HW_OPERANDS;
    size_t out_bytes = sizeof *out * HW_ELEMENTS * family->count;
    return done(a, "loading", cu->load(&module, gpu->images[family->silicon])) &&
           done(a, "finding the kernel", cu->function(&function, module, family->kernel)) &&
           done(a, "memory", cu->alloc(&in_at, in_bytes)) &&
           done(a, "memory", cu->alloc(&out_at, out_bytes)) &&
           done(a, "copying", cu->to_device(in_at, operands, in_bytes)) &&
           done(a, "clearing", cu->clear(out_at, 0, out_bytes)) &&
           done(a, "launching",
                cu->launch(function, HW_ELEMENTS / HW_BLOCK, 1, 1, HW_BLOCK, 1, 1, 0, NULL, params,
                           NULL)) &&
           done(a, "running", cu->wait()) &&
           done(a, "copying", cu->to_host(out, out_at, out_bytes));
}

/* Fills the family's records; false without memory or context. */
static bool measure(const struct gpu *gpu, const struct hw_family *family, struct hw_vectors *v) {
    uint64_t operands[HW_ELEMENTS * HW_OPERANDS];
    uint64_t *out = calloc((size_t)family->count * HW_ELEMENTS, sizeof *out);
    cu_context context;
    if (!out || gpu->cu.create(&context, 0, gpu->device) != 0) {
        free(out);
        return false;
    }
    struct attempt a;
    hw_operands(family, v->header.seed, operands);
    bool good = launch(gpu, family, operands, out, &a);
    gpu->cu.destroy(context);
    if (!good) {
        const char *text = "unknown error";
        char reason[HW_TEXT];
        gpu->cu.error(a.result, &text);
        snprintf(reason, sizeof reason, "%s: %s", a.step, text);
        hw_refuse(v, family, reason);
        good = true;
        fprintf(stderr, "%s: %s\n", family->kernel, reason);
    } else {
        good = hw_take(v, family, out);
    }
    free(out);
    return good;
}

/* ---------------------------------------------------------------- files */

static uint8_t *image(const char *path) {
    enum { MOST = 1 << 24 };
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = file ? calloc(MOST, 1) : NULL; /* PTX ends with a 0 */
    if (bytes && fread(bytes, 1, MOST - 1, file) == 0) {
        free(bytes);
        bytes = NULL;
    }
    if (file)
        fclose(file);
    if (!bytes)
        fprintf(stderr, "measure: cannot read %s\n", path);
    return bytes;
}

static int save(const struct hw_vectors *v, const char *path) {
    char why[HW_TEXT];
    FILE *file = fopen(path, "wb");
    bool good = file && hw_write(v, file, why);
    if (file && fclose(file) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "measure: cannot write %s\n", path);
    return good ? 0 : 1;
}

/* ---------------------------------------------------------------- the two ways */

static int model(uint64_t seed, const char *path) {
    const struct hw_family *family;
    struct hw_vectors *v = hw_vectors_new(seed);
    bool good = v != NULL;
    if (good)
        snprintf(v->header.origin, sizeof v->header.origin, "model");
    for (unsigned f = 0; good && (family = hw_family(f)); f++)
        good = hw_take_model(v, family);
    int status = good ? save(v, path) : 1;
    hw_vectors_free(v);
    return status;
}

static bool describe(const struct gpu *gpu, struct hw_header *h) {
    int version = 0, major = 0, minor = 0;
    bool good = gpu->cu.version(&version) == 0 &&
                gpu->cu.name(h->origin, sizeof h->origin, gpu->device) == 0 &&
                gpu->cu.attribute(&major, CU_MAJOR, gpu->device) == 0 &&
                gpu->cu.attribute(&minor, CU_MINOR, gpu->device) == 0;
    h->driver = (unsigned)version;
    h->sm = (unsigned)(10 * major + minor);
    return good;
}

/* Everything on the GPU that is there. */
static int measure_all(struct gpu *gpu, uint64_t seed, const char *path) {
    const struct hw_family *family;
    const char *missing = open_driver(&gpu->cu);
    if (missing || gpu->cu.init(0) != 0 || gpu->cu.device(&gpu->device, 0) != 0) {
        fprintf(stderr, "measure: skipped: %s\n", missing ? missing : "there is no GPU");
        return NO_GPU;
    }
    struct hw_vectors *v = hw_vectors_new(seed);
    bool good = v && describe(gpu, &v->header);
    for (unsigned f = 0; good && (family = hw_family(f)); f++)
        good = measure(gpu, family, v);
    if (!good)
        fprintf(stderr, "measure: no memory, or the GPU does not answer\n");
    int status = good ? save(v, path) : 1;
    if (status == 0)
        printf("%s: %s, sm_%u\n", path, v->header.origin, v->header.sm);
    hw_vectors_free(v);
    return status;
}

static int on_gpu(uint64_t seed, const char *kernels, const char *silicon, const char *path) {
    uint8_t *images[] = {image(kernels), image(silicon)};
    struct gpu gpu = {.images = {images[0], images[1]}};
    int status = images[0] && images[1] ? measure_all(&gpu, seed, path) : 1;
    free(images[0]);
    free(images[1]);
    return status;
}

static bool number(const char *text, uint64_t *value) {
    char *end;
    *value = strtoull(text, &end, 0);
    return *text && !*end;
}

int main(int argc, char **argv) {
    uint64_t seed;
    if (argc == 4 && !strcmp(argv[1], "--model") && number(argv[2], &seed))
        return model(seed, argv[3]);
    if (argc == 5 && number(argv[1], &seed))
        return on_gpu(seed, argv[2], argv[3], argv[4]);
    fprintf(stderr, "usage: measure SEED KERNELS SILICON OUT | measure --model SEED OUT\n");
    return 1;
}
