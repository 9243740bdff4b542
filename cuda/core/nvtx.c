/*
 * nvtx.c - NVTX's ranges: what the headers of NVTX 3 in a program call if NVTX_INJECTION64_PATH
 * names this library, which `fhec cuda` sees to. Ranges that are pushed and popped are kept
 * (range.h), by domain; marks, ranges that start and end anywhere, and names of categories, threads
 * and resources are not. The numbers of tables and functions and the layout of attributes are those
 * of NVTX's interface for tools (version 3, nvtxDetail/nvtxTypes.h).
 */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "range.h"

enum { TABLE_CALLBACKS = 1 };
enum { MODULE_CORE = 1, MODULE_CORE2 = 5 };
enum { CORE_PUSH_EX = 8, CORE_PUSH_A = 9, CORE_PUSH_W = 10, CORE_POP = 11 };
enum {
    CORE2_PUSH_EX = 4,
    CORE2_POP = 5,
    CORE2_STRING_A = 10,
    CORE2_STRING_W = 11,
    CORE2_DOMAIN_A = 12,
    CORE2_DOMAIN_W = 13
};
enum { MESSAGE_ASCII = 1, MESSAGE_UNICODE = 2, MESSAGE_REGISTERED = 3 };
enum { NOT_TRACKED = -2 }; /* what a push or pop answers if it has no depth to tell */

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

typedef void (*function)(void);
struct callbacks {
    size_t size;
    /* The module's functions: where each one's address is kept, which the tool may replace. */
    int (*table)(int module, function ***functions, unsigned *count);
};
typedef const void *(*export_table)(uint32_t id);

/* In UTF-8, whatever the program's locale is; malloc'd. NULL: no memory. */
static char *utf8_of(const wchar_t *wide) {
    char *text = malloc(4 * wcslen(wide) + 1), *to = text;
    for (; text && *wide; wide++) {
        const uint32_t c = (uint32_t)*wide;
        if (c < 0x80) {
            *to++ = (char)c;
            continue;
        }
        const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        *to++ = (char)((0xf0u << (3 - more)) | c >> 6 * more);
        for (int i = more; i-- > 0;)
            *to++ = (char)(0x80 | (c >> 6 * i & 0x3f));
    }
    if (text)
        *to = '\0';
    return text;
}

static int pushed(int depth) {
    return depth < 0 ? NOT_TRACKED : depth;
}

static int push_wide(const char *domain, const wchar_t *wide) {
    char *name = wide ? utf8_of(wide) : strdup("");
    const int depth = name ? fh_cuda_range_push(domain, name) : -1;
    free(name);
    return pushed(depth);
}

/* A string or domain that is registered is its own copy of the text; they are never freed. */
static int push(const void *domain, const struct attributes *a) {
    const char *in = domain ? domain : "";
    const int type = a ? a->message_type : 0;
    if (type == MESSAGE_UNICODE)
        return push_wide(in, a->message);
    const bool named = (type == MESSAGE_ASCII || type == MESSAGE_REGISTERED) && a->message;
    return pushed(fh_cuda_range_push(in, named ? a->message : ""));
}

static int pop(const void *domain) {
    return pushed(fh_cuda_range_pop(domain ? domain : ""));
}

static int core_push_ex(const struct attributes *a) {
    return push(NULL, a);
}
static int core_push_a(const char *name) {
    return pushed(fh_cuda_range_push("", name ? name : ""));
}
static int core_push_w(const wchar_t *name) {
    return push_wide("", name);
}
static int core_pop(void) {
    return pop(NULL);
}
static void *domain_a(const char *name) {
    return name ? strdup(name) : NULL;
}
static void *domain_w(const wchar_t *name) {
    return name ? utf8_of(name) : NULL;
}
static void *string_a(const void *domain, const char *text) {
    (void)domain;
    return domain_a(text);
}
static void *string_w(const void *domain, const wchar_t *text) {
    (void)domain;
    return domain_w(text);
}

static const struct {
    int module;
    unsigned number;
    function call;
} calls[] = {
    {MODULE_CORE, CORE_PUSH_EX, (function)core_push_ex},
    {MODULE_CORE, CORE_PUSH_A, (function)core_push_a},
    {MODULE_CORE, CORE_PUSH_W, (function)core_push_w},
    {MODULE_CORE, CORE_POP, (function)core_pop},
    {MODULE_CORE2, CORE2_PUSH_EX, (function)push},
    {MODULE_CORE2, CORE2_POP, (function)pop},
    {MODULE_CORE2, CORE2_STRING_A, (function)string_a},
    {MODULE_CORE2, CORE2_STRING_W, (function)string_w},
    {MODULE_CORE2, CORE2_DOMAIN_A, (function)domain_a},
    {MODULE_CORE2, CORE2_DOMAIN_W, (function)domain_w},
};

/* Called by NVTX's headers before a program's first call. 1: this library takes the calls. */
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(export_table table_of);
int InitializeInjectionNvtx2(export_table table_of) {
    const struct callbacks *callbacks = table_of(TABLE_CALLBACKS);
    if (!callbacks || callbacks->size < sizeof *callbacks)
        return 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        function **functions;
        unsigned count;
        if (!callbacks->table(calls[i].module, &functions, &count))
            return 0;
        if (calls[i].number < count && functions[calls[i].number])
            *functions[calls[i].number] = calls[i].call;
    }
    return 1;
}
