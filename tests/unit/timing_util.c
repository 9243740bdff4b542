/*
 * timing_util.c - see timing_util.h.
 */
#include "timing_util.h"

#include "machine_files.h"

static void say(void *user, const fhec_diagnostic *d) {
    (void)user;
    print_error("%s:%u:%u: %s\n", d->at.file, d->at.line, d->at.column, d->message);
}

static bool find(void *user, const char *name, const char **text, const char **file) {
    (void)user;
    for (size_t i = 0; i < fh_machine_file_count; i++)
        if (strcmp(fh_machine_files[i].name, name) == 0) {
            *text = fh_machine_files[i].text;
            *file = name;
            return true;
        }
    return false;
}

void timing_machine(struct fh_time_machine *machine, const char *name, const char *const *changes) {
    const struct fh_time_reading reading = {say, find, NULL};
    const char *text = NULL, *file = NULL;
    assert_true(find(NULL, name, &text, &file));
    assert_int_equal(fh_time_machine_read(file, text, &reading, machine), FHEC_OK);
    for (; changes && *changes; changes++)
        assert_int_equal(fh_time_machine_set(*changes, &reading, machine), FHEC_OK);
}

struct fh_timer *timing_run(const struct fh_time_machine *machine, const struct timing_launch *l) {
    struct fh_timer *timer = fh_timer_new(machine);
    fhec_program *program = emu_assemble(l->text);
    fhec_kernel_info info;
    fhec_machine *m;
    uint64_t buffer;
    assert_non_null(timer);
    const fhec_machine_options options = {.engine = l->engine,
                                          .simd = l->simd,
                                          .threads = l->host_threads,
                                          .order = fh_timer_order(timer)};
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    assert_int_equal(fhec_kernel_get(program, 0, &info), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "buffer", 65536, 0, &buffer), FHEC_OK);
    assert_int_equal(fh_timer_attach(timer, m), FHEC_OK);
    emu_run_ok(m, program, l->blocks, l->threads, &buffer, info.param_count);
    fh_timer_detach(timer);
    if (fh_timer_failed(timer))
        fail_msg("%s", fh_timer_failed(timer));
    fhec_machine_free(m);
    fhec_program_free(program);
    return timer;
}

uint64_t timing_cycles(const struct fh_time_machine *machine, const char *text, uint32_t blocks,
                       uint32_t threads) {
    const struct timing_launch l = {.text = text, .blocks = blocks, .threads = threads};
    struct fh_timer *timer = timing_run(machine, &l);
    struct fh_time_total total;
    fh_time_total(timer, &total);
    timing_check(timer);
    fh_timer_free(timer);
    return total.cycles;
}

void timing_check(const struct fh_timer *timer) {
    const struct fh_time_machine *m = fh_timer_machine(timer);
    const struct fh_timed_kernel *k;
    for (size_t i = 0; (k = fh_timer_kernel(timer, i)); i++) {
        uint64_t issued = 0, stalled = 0, waited = 0;
        for (unsigned r = 0; r < FH_TIME_REASONS; r++)
            stalled += k->sm.stalls[r];
        assert_int_equal(k->sm.issued * m->slot + stalled, k->sm_cycles * m->schedulers);
        for (uint32_t w = 0; w < k->of->count; w++) {
            issued += k->words[w].issued;
            for (unsigned r = 0; r < FH_TIME_REASONS; r++)
                waited += k->words[w].cycles[r];
        }
        assert_int_equal(issued, k->sm.issued);
        assert_true(waited <= stalled);
        assert_true(k->sm_cycles * m->schedulers >= k->sm.issued * m->slot);
        assert_true(k->cycles >= k->sm_cycles + k->launches * m->launch);
        assert_true(k->cycles >= k->hbm_cycles);
        for (uint32_t u = 1; u < m->unit_count; u++) /* a unit may be busy behind the last issue */
            assert_true(k->sm.busy[u] <=
                        (k->sm_cycles + 1000) * (m->units[u].shared ? 1 : m->schedulers));
    }
}

char *timing_chain(const char *head, const char *line, uint32_t count) {
    const size_t size = strlen(head) + strlen(line) * count + 64;
    char *text = malloc(size);
    assert_non_null(text);
    strcpy(text, head);
    char *end = text + strlen(text);
    for (uint32_t i = 0; i < count; i++, end += strlen(line))
        strcpy(end, line);
    strcpy(end, "EXIT ;\n.end\n");
    return text;
}
