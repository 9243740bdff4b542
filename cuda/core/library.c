/*
 * library.c - see library.h.
 */
#include "library.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "stream.h"

struct fh_cuda_library {
    fh_cuda_module *code;
    uint8_t *object; /* its bytes, which the module reads again after a reset */
    fh_cuda_library *next;
};

static fh_cuda_library *libraries;

fh_cuda_library *fh_cuda_library_of(const void *handle) {
    for (fh_cuda_library *l = libraries; l; l = l->next)
        if (l == handle)
            return l;
    return NULL;
}

fh_cuda_module *fh_cuda_library_module(const fh_cuda_library *library) {
    return library->code;
}

static void drop(fh_cuda_library *l) {
    fh_cuda_module_free(l->code);
    free(l->object);
    free(l);
}

void fh_cuda_libraries_end(void) {
    while (libraries) {
        fh_cuda_library *l = libraries;
        libraries = l->next;
        drop(l);
    }
}

fh_cuda_library *fh_cuda_library_with(const fh_cuda_kernel *kernel) {
    fh_cuda_library *l = libraries;
    while (l && l->code != kernel->module)
        l = l->next;
    return l;
}

/* ---------------------------------------------------------------- loading */

fh_cuda_status fh_cuda_library_load(const void *image, fh_cuda_library **library) {
    size_t length;
    fh_cuda_library *l = image ? calloc(1, sizeof *l) : NULL;
    if (!l)
        return image ? FH_CUDA_NO_MEMORY : FH_CUDA_INVALID_VALUE;
    fh_cuda_status status = fh_cuda_image_object(image, &l->object, &length);
    if (status == FH_CUDA_OK) {
        l->code = fh_cuda_module_new(l->object);
        status = l->code ? fh_cuda_module_load(l->code) : FH_CUDA_NO_MEMORY;
    }
    if (status != FH_CUDA_OK) {
        drop(l);
        return status;
    }
    l->next = libraries;
    *library = libraries = l;
    return FH_CUDA_OK;
}

/* The whole file, with a zero behind it, malloc'd. */
static fh_cuda_status read_file(const char *name, uint8_t **bytes, size_t *length) {
    FILE *file = fopen(name, "rb");
    fh_cuda_status status = file ? FH_CUDA_OK : FH_CUDA_FILE_NOT_FOUND;
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (file && (size < 0 || fseek(file, 0, SEEK_SET) != 0))
        status = FH_CUDA_INVALID_IMAGE;
    *bytes = status == FH_CUDA_OK ? calloc((size_t)size + 1, 1) : NULL;
    if (status == FH_CUDA_OK && !*bytes)
        status = FH_CUDA_NO_MEMORY;
    if (*bytes && fread(*bytes, 1, (size_t)size, file) != (size_t)size)
        status = FH_CUDA_INVALID_IMAGE;
    if (file)
        fclose(file);
    *length = (size_t)size;
    return status;
}

/* Whether what the headers of a file's image say lies within the file. Of images in memory the API
 * tells no length, so that they have to be believed. */
static bool is_whole(const uint8_t *bytes, size_t length) {
    enum { FAT_HEADER = 16 };
    static const uint8_t fat[4] = {0x50, 0xed, 0x55, 0xba};
    Elf64_Ehdr elf;
    uint64_t size;
    if (length >= FAT_HEADER && memcmp(bytes, fat, sizeof fat) == 0) {
        memcpy(&size, bytes + 8, sizeof size);
        return size <= length - FAT_HEADER;
    }
    if (length < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return length >= 4 && bytes[0] >= '\t' && bytes[0] < 0x7f; /* text, to be refused as such */
    if (length < sizeof elf)
        return false;
    memcpy(&elf, bytes, sizeof elf);
    const uint64_t sections = (uint64_t)elf.e_shnum * elf.e_shentsize;
    if (elf.e_shoff > length || sections > length - elf.e_shoff || elf.e_phoff > length ||
        (uint64_t)elf.e_phnum * elf.e_phentsize > length - elf.e_phoff)
        return false;
    for (unsigned i = 0; i < elf.e_shnum && elf.e_shentsize == sizeof(Elf64_Shdr); i++) {
        Elf64_Shdr s;
        memcpy(&s, bytes + elf.e_shoff + i * sizeof s, sizeof s);
        if (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL &&
            (s.sh_offset > length || s.sh_size > length - s.sh_offset))
            return false;
    }
    return true;
}

fh_cuda_status fh_cuda_library_load_file(const char *name, fh_cuda_library **library) {
    uint8_t *bytes;
    size_t length;
    if (!name)
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_status status = read_file(name, &bytes, &length);
    if (status == FH_CUDA_OK)
        status =
            is_whole(bytes, length) ? fh_cuda_library_load(bytes, library) : FH_CUDA_INVALID_IMAGE;
    free(bytes);
    return status;
}

fh_cuda_status fh_cuda_library_unload(const void *handle) {
    for (fh_cuda_library **at = &libraries; *at; at = &(*at)->next) {
        fh_cuda_library *l = *at;
        if (l != handle)
            continue;
        const fh_cuda_status status = fh_cuda_wait(NULL); /* work that was asked for may need it */
        *at = l->next;
        drop(l);
        return status;
    }
    return FH_CUDA_INVALID_HANDLE;
}
