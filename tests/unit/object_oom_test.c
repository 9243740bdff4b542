/*
 * object_oom_test.c - every allocation in the reading of compiled objects, in making text of them,
 * in assembling that text and in writing an object of it is made to fail, one after another: each
 * time the answer is FHEC_HOST_ERROR, nothing is said and nothing is handed out.
 */
#include "cubin_util.h"
#include "refuse.h"

static unsigned heard;

static void hear(void *user, const fhec_diagnostic *d) {
    (void)user;
    (void)d;
    heard++;
}

/* What a step reads, and what it makes: one of the two of each. */
struct data {
    fhec_program *program;
    char *bytes;
    size_t length;
};

static fhec_status read_object(const struct data *from, struct data *to) {
    return fhec_program_read("t", (const uint8_t *)from->bytes, from->length, hear, NULL,
                             &to->program);
}

static fhec_status make_text(const struct data *from, struct data *to) {
    return fhec_disassemble_program(from->program, FHEC_DIS_LINES | FHEC_DIS_CONTROL, hear, NULL,
                                    &to->bytes, &to->length);
}

static fhec_status assemble(const struct data *from, struct data *to) {
    const fhec_assemble_options options = {.diagnostic = hear};
    return fhec_assemble("t", from->bytes, from->length, &options, &to->program);
}

static fhec_status write_object(const struct data *from, struct data *to) {
    return fhec_program_write(from->program, (uint8_t **)(void *)&to->bytes, &to->length);
}

static void release(struct data *data) {
    fhec_program_free(data->program);
    free(data->bytes);
    *data = (struct data){0};
}

typedef fhec_status step_fn(const struct data *from, struct data *to);

/* Fails allocation 1, 2, 3, ... of the step; `to` is what it makes without a failure. Of many
 * allocations that are alike some are left out in the middle. */
static void each_allocation(const char *what, step_fn *step, const struct data *from,
                            struct data *to) {
    enum { EDGE = 300, STRIDE = 7 };
    *to = (struct data){0};
    heard = 0;
    refuse_after(REFUSE_NONE, true);
    assert_int_equal(step(from, to), FHEC_OK);
    (void)refuse_end();
    long total = refuse_asked();
    unsigned warnings = heard;
    assert_true(total > 5);
    for (long n = 0; n < total; n += n < EDGE || n > total - EDGE ? 1 : STRIDE) {
        struct data made = {0};
        heard = 0;
        refuse_after(n, true);
        fhec_status status = step(from, &made);
        bool refused = refuse_end();
        if (!refused || status != FHEC_HOST_ERROR || made.program || made.bytes || made.length)
            fail_msg("%s: allocation %ld of %ld failed, and the status is %d", what, n + 1, total,
                     (int)status);
        assert_true(heard <= warnings);
    }
    print_message("# %s: %ld allocations\n", what, total);
}

static void compiled_object(void **state) {
    const char *file = *state;
    struct data object = {0}, program, text, assembled, written;
    object.bytes = (char *)cubin_bytes(file, &object.length);
    each_allocation("reading", read_object, &object, &program);
    each_allocation("text", make_text, &program, &text);
    each_allocation("assembling", assemble, &text, &assembled);
    each_allocation("writing", write_object, &assembled, &written);
    release(&object);
    each_allocation("reading again", read_object, &written, &object);
    release(&object);
    release(&program);
    release(&text);
    release(&assembled);
    release(&written);
}

int main(void) {
    static char linked[] = "linked.cubin", memory[] = "memory.O3.cubin",
                divide[] = "divide.O1.cubin";
    const struct CMUnitTest tests[] = {
        {"linked", compiled_object, NULL, NULL, linked},
        {"memory", compiled_object, NULL, NULL, memory},
        {"divide", compiled_object, NULL, NULL, divide},
    };
    return cmocka_run_group_tests_name("objects without memory", tests, NULL, NULL);
}
