/*
 * image.c - see image.h.
 *
 *     wrapper   u32 0x466243b1, u32 version, pointer to a fat binary
 *     object    ELF64, whose length its headers tell
 *     text      PTX: begins with a printable character
 */
#include "image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fat_binary.h"
#include "ptx.h"

struct wrapper {
    uint32_t magic, version;
    const void *data, *others;
};
enum { WRAPPER = 0x466243b1, FAT = (int)0xba55ed50, FAT_HEADER = 16 };

/* How well an A100 runs code of an architecture: exactly its own best of all, then those that have
 * its encodings; 0: it does not. */
static unsigned fitness(unsigned architecture) {
    static const unsigned fit[] = {89, 87, 86, 80};
    for (unsigned i = 0; i < sizeof fit / sizeof *fit; i++)
        if (fit[i] == architecture)
            return i + 1;
    return 0;
}

static uint64_t further(uint64_t length, uint64_t offset, uint64_t bytes) {
    return offset + bytes > length ? offset + bytes : length;
}

/* Up to where the headers of an object say that it goes. */
static uint64_t object_length(const uint8_t *bytes) {
    Elf64_Ehdr elf;
    memcpy(&elf, bytes, sizeof elf);
    uint64_t length = further(sizeof elf, elf.e_shoff, (uint64_t)elf.e_shnum * elf.e_shentsize);
    length = further(length, elf.e_phoff, (uint64_t)elf.e_phnum * elf.e_phentsize);
    for (unsigned i = 0; i < elf.e_shnum && elf.e_shentsize == sizeof(Elf64_Shdr); i++) {
        Elf64_Shdr section;
        memcpy(&section, bytes + elf.e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL)
            length = further(length, section.sh_offset, section.sh_size);
    }
    return length;
}

static void say_what_there_is(const struct fh_fat_search *all) {
    char list[200] = "";
    size_t at = 0;
    struct fh_fat_search search = *all;
    struct fh_fat_object object;
    while (fh_fat_next(&search, &object) && at < sizeof list - 12)
        at += (size_t)snprintf(list + at, sizeof list - at, "%ssm_%u", at ? ", " : "",
                               object.architecture);
    fh_cuda_say("no code for this device, sm_80: the program has %s; compile it with -arch=sm_80",
                *list ? list : "PTX only, and there is no nvJitLink to compile it");
}

static fh_cuda_status best_object(const uint8_t *fat, uint8_t **bytes, size_t *length) {
    uint64_t size;
    memcpy(&size, fat + 8, sizeof size);
    const struct fh_fat_search all = {fat, (size_t)(size + FAT_HEADER), 0, 0};
    struct fh_fat_search search = all;
    struct fh_fat_object object, best = {0};
    while (fh_fat_next(&search, &object))
        if (fitness(object.architecture) > fitness(best.architecture))
            best = object;
    if (!best.packed) {
        if (fh_cuda_ptx_object(FH_CUDA_PTX_FAT_BINARY, fat, all.length, bytes, length) ==
            FH_CUDA_OK)
            return FH_CUDA_OK;
        say_what_there_is(&all);
        return FH_CUDA_NO_BINARY;
    }
    const char *why;
    *bytes = fh_fat_unpack(&best, &why);
    *length = (size_t)best.size;
    if (!*bytes && why)
        fh_cuda_say("the code for sm_%u cannot be read: %s", best.architecture, why);
    return *bytes ? FH_CUDA_OK : why ? FH_CUDA_INVALID_IMAGE : FH_CUDA_NO_MEMORY;
}

fh_cuda_status fh_cuda_image_object(const void *image, uint8_t **bytes, size_t *length) {
    uint32_t magic;
    *bytes = NULL;
    memcpy(&magic, image, sizeof magic);
    if (magic == WRAPPER) {
        image = ((const struct wrapper *)image)->data;
        memcpy(&magic, image, sizeof magic);
    }
    if (magic == (uint32_t)FAT)
        return best_object(image, bytes, length);
    if (memcmp(image, ELFMAG, SELFMAG) == 0) {
        *length = (size_t)object_length(image);
        *bytes = malloc(*length);
        if (*bytes)
            memcpy(*bytes, image, *length);
        return *bytes ? FH_CUDA_OK : FH_CUDA_NO_MEMORY;
    }
    const uint8_t first = *(const uint8_t *)image;
    if (first >= ' ' || first == '\n' || first == '\t') {
        const fh_cuda_status status = fh_cuda_ptx_object(
            FH_CUDA_PTX_TEXT, image, strlen((const char *)image) + 1, bytes, length);
        if (status == FH_CUDA_NO_PTX_COMPILER)
            fh_cuda_say("the program hands over PTX, and there is no nvJitLink to compile it: give "
                        "it an object for sm_80 (nvcc -cubin -arch=sm_80)");
        return status;
    }
    fh_cuda_say("what should be code for the device is neither an object nor a fat binary");
    return FH_CUDA_INVALID_IMAGE;
}
