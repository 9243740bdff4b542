/*
 * object_util.h - what the tests of objects share: comparing kernels that came back.
 */
#ifndef OBJECT_UTIL_H
#define OBJECT_UTIL_H

#include "program.h"

/* Fails unless both have the same name, resources and parameters. */
static inline void same_resources(const struct fh_kernel *a, const struct fh_kernel *b) {
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->registers, b->registers);
    assert_int_equal(a->shared_bytes, b->shared_bytes);
    assert_int_equal(a->local_bytes, b->local_bytes);
    assert_int_equal(a->barriers, b->barriers);
    for (unsigned side = 0; side < 3; side++)
        assert_int_equal(a->max_threads[side], b->max_threads[side]);
    assert_int_equal(a->param_bytes, b->param_bytes);
    assert_int_equal(a->param_count, b->param_count);
    for (uint32_t i = 0; i < a->param_count; i++) {
        assert_string_equal(a->params[i].name, b->params[i].name);
        assert_int_equal(a->params[i].offset, b->params[i].offset);
        assert_int_equal(a->params[i].size, b->params[i].size);
    }
}

/* And the same variables of shared memory, which text does not keep. */
static inline void same_shared(const struct fh_kernel *a, const struct fh_kernel *b) {
    assert_int_equal(a->shared_count, b->shared_count);
    for (uint32_t i = 0; i < a->shared_count; i++) {
        assert_string_equal(a->shared[i].name, b->shared[i].name);
        assert_int_equal(a->shared[i].offset, b->shared[i].offset);
        assert_int_equal(a->shared[i].size, b->shared[i].size);
    }
    assert_int_equal(a->shared_use_count, b->shared_use_count);
    for (uint32_t i = 0; i < a->shared_use_count; i++) {
        assert_int_equal(a->shared_uses[i].word, b->shared_uses[i].word);
        assert_int_equal(a->shared_uses[i].variable, b->shared_uses[i].variable);
    }
}

#endif
