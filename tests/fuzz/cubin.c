/*
 * cubin.c - fuzzing the reader of object files. The last bytes of the file choose what is run of
 * it.
 */
#include "fuzz.h"

#include <string.h>

struct heard {
    unsigned errors;
    bool silent;
};

static void hear(void *user, const fhec_diagnostic *d) {
    struct heard *h = user;
    h->errors += d->severity == FHEC_ERROR;
    h->silent |= !*d->message;
}

const char *fuzz_cubin(const uint8_t *bytes, size_t length, char shown[FUZZ_SHOWN]) {
    struct heard heard = {0};
    uint8_t limits[FUZZ_LIMITS] = {0};
    fhec_program *program;
    if (length >= sizeof limits)
        memcpy(limits, bytes + length - sizeof limits, sizeof limits);
    fhec_status status = fhec_program_read("f.cubin", bytes, length, hear, &heard, &program);
    if (status == FHEC_HOST_ERROR)
        return program ? "a program in spite of a host error" : NULL;
    const char *wrong = NULL;
    if (heard.silent)
        wrong = "a diagnostic without a message";
    else if (heard.errors > 1 || (status == FHEC_OK) != (heard.errors == 0))
        wrong = "not one error for a bad file and none for a good one";
    else if ((status == FHEC_OK) != (program != NULL))
        wrong = "a status without its program";
    else if (program)
        wrong = fuzz_use(program, limits, shown);
    fhec_program_free(program);
    return wrong;
}
