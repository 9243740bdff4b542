/*
 * lint_filled_test.c - the scheduling fields that the assembler fills in pass the checker: in the
 * kernels of programs/, with the settings that their planners give them, and in compiled code that
 * is assembled again without its own fields. Where only some instructions have none, the filled
 * ones are safe beside the given ones, whatever those are.
 */
#include "cubin_util.h"
#include "fhec_observe.h"
#include "lint_util.h"
#include "programs_util.h"
#include "sched_fields.h"

/* ---------------------------------------------------------------- the kernels of programs/ */

struct seen {
    const fhec_program *program; /* the last one that was looked at */
    size_t kernel;
    unsigned kernels;
    uint64_t words;
    const char *what;
};

/* Each launch of another kernel is the occasion to check its program. */
static void look(void *user, const fhec_event *event) {
    struct seen *seen = user;
    const fhec_launch *launch = event->launch;
    if (launch->program == seen->program && launch->kernel == seen->kernel)
        return;
    seen->program = launch->program;
    seen->kernel = launch->kernel;
    fhec_kernel_info info;
    assert_int_equal(fhec_kernel_get(launch->program, launch->kernel, &info), FHEC_OK);
    seen->kernels++;
    seen->words += info.word_count;
    char name[200];
    snprintf(name, sizeof name, "%s, kernel %s", seen->what, info.name);
    lint_expect_silence(launch->program, name);
}

enum { N = 256 };
static uint32_t data[3][64 * N];

static void transforms(fhec_machine *machine, struct seen *seen, const struct fh_map *map) {
    struct fh_error error = {""};
    uint64_t q;
    for (unsigned way = 0; way < 4; way++) {
        struct fh_ntt_params p = {
            .map = map->name, .n = (size_t)N << (way & 2), .limbs = 1, .q = &q, .inverse = way & 1};
        q = programs_prime(p.n, 28, 0);
        seen->program = NULL;
        fhec_status status =
            fh_ntt_run(machine, &p, data[0], p.n * map->word_bits / 8, data[1], &error);
        if (status != FHEC_OK)
            fail_msg("%s: %s", map->name, error.text);
    }
}

static void conversions(fhec_machine *machine, struct seen *seen, const struct fh_map *map) {
    static const uint64_t from[3] = {1073479681, 1071513601, 1068236801};
    static const uint64_t to[2] = {268042241, 537133057};
    struct fh_error error = {""};
    struct fh_bconv_params p = {
        .map = map->name, .n = N, .alpha = 3, .target = 2, .from = from, .to = to};
    seen->program = NULL;
    fhec_status status =
        fh_bconv_run(machine, &p, data[0], 3 * N * map->word_bits / 8, data[1], &error);
    if (status != FHEC_OK)
        fail_msg("%s: %s", map->name, error.text);
}

static void kernels_of_the_library(void **state) {
    (void)state;
    static const fhec_machine_options options = {.threads = 1};
    fhec_machine *machine;
    struct seen seen = {.what = ""};
    const fhec_observer observer = {
        .user = &seen, .filter.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN), .event = look};
    assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
    assert_int_equal(fhec_observe(machine, &observer, NULL), FHEC_OK);
    const struct fh_map *map;
    for (size_t i = 0; (map = fh_map_get(i)) != NULL; i++) {
        char what[100];
        snprintf(what, sizeof what, "map %s", map->name);
        seen.what = what;
        if (map->workloads & FH_WORKLOAD_NTT)
            transforms(machine, &seen, map);
        if (map->workloads & FH_WORKLOAD_BCONV)
            conversions(machine, &seen, map);
    }
    print_message("# %u kernels, %llu instructions\n", seen.kernels,
                  (unsigned long long)seen.words);
    assert_true(seen.kernels > 30);
    fhec_machine_free(machine);
}

/* ---------------------------------------------------------------- compiled code, filled again */

static const char *const files[] = {"bits.O1.cubin",      "control.O1.cubin", "divide.O3.cubin",
                                    "lanes.O1.cubin",     "lanes.O3.cubin",   "memory.O1.cubin",
                                    "memory.O3.cubin",    "modular.O3.cubin", "transform.O1.cubin",
                                    "transform.O3.cubin", "wide.O3.cubin"};

/* The kernel as a listing, whose branch targets are addresses; every `given`-th instruction, at
 * random, with its prefix (0: none). */
static char *listing(const struct fh_kernel *k, unsigned given, uint64_t *seed) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fprintf(out, "\tcode for sm_80\n\t\tFunction : %s\n", k->name);
    for (uint32_t i = 0; i < k->word_count; i++) {
        char line[300];
        struct fh_inst inst;
        bool keep = given && cubin_random(seed) % given == 0;
        assert_true(fh_decode(k->words[i], &inst));
        int n = fh_print(&inst, (uint64_t)i * 16, keep ? FHEC_DIS_CONTROL : 0, line, sizeof line);
        assert_true(n > 0 && n < (int)sizeof line);
        fprintf(out, "        /*%04x*/  %s ;\n", i * 16, line);
    }
    fprintf(out, "\t\t..........\n");
    fclose(out);
    return text;
}

struct mixed {
    const struct fh_kernel *kernel; /* as the text has it */
    const char *text;
    unsigned beside, excused; /* findings at given instructions, and because of them */
};

/* Whether the instruction at the address that a text names behind `mark`, or `back` bytes before
 * it, has given fields. */
static bool is_given(const struct mixed *m, const char *text, const char *mark, unsigned back) {
    const char *address = text ? strstr(text, mark) : NULL;
    char line[32];
    if (!address)
        return false;
    snprintf(line, sizeof line, "/*%04lx*/", strtoul(address + strlen(mark), NULL, 16) - back);
    const char *at = strstr(m->text, line);
    return at && at[strlen(line) + 2] == '[';
}

/* What the assembler cannot mend: a given instruction that is not safe itself, or leaves a result
 * without a scoreboard, or stalls too little for what comes next. */
static void hear_mixed(void *user, const fhec_diagnostic *d) {
    struct mixed *m = user;
    static const char *const theirs[] = {"L002", "L003", "L005", "L007", "L008"};
    bool given = is_given(m, d->message, "address 0x", 0);
    bool excused = !strcmp(d->id, "L010") && is_given(m, d->message, "address 0x", 16);
    if (d->severity != FHEC_ERROR)
        return;
    for (unsigned i = 0; i < COUNT_OF(theirs); i++)
        excused |= strcmp(d->id, theirs[i]) == 0 && is_given(m, d->message, " at 0x", 0);
    if (!given && !excused)
        fail_msg("kernel %s: %s: %s\n  %s\n  %s", m->kernel->name, d->id, d->message, d->notes[0],
                 d->note_count > 1 ? d->notes[1] : "");
    m->beside += given;
    m->excused += !given;
}

static void say(void *user, const fhec_diagnostic *d) {
    (void)user;
    if (d->severity == FHEC_ERROR)
        print_message("%u:%u %s %s\n", d->at.line, d->at.column, d->id, d->message);
}

static fhec_program *assemble(const char *text) {
    static const fhec_assemble_options options = {.diagnostic = say};
    fhec_program *program;
    assert_int_equal(fhec_assemble("listing", text, strlen(text), &options, &program), FHEC_OK);
    return program;
}

static void compiled_code_is_filled(void **state) {
    (void)state;
    struct lint_score score = {.tried = {0}};
    unsigned words = 0;
    uint64_t seed = 1;
    for (unsigned i = 0; i < COUNT_OF(files); i++) {
        fhec_program *compiled = cubin_program(files[i]);
        for (uint32_t k = 0; k < compiled->kernel_count; k++) {
            char *text = listing(&compiled->kernels[k], 0, &seed);
            fhec_program *program = assemble(text);
            lint_expect_silence(program, files[i]);
            words += program->kernels[0].word_count;
            lint_mutate(program, 11, &score);
            fhec_program_free(program);
            free(text);
        }
        fhec_program_free(compiled);
    }
    print_message("# %u instructions\n", words);
    lint_print_score("filled", &score);
    static const unsigned least[LINT_MUTATIONS] = {85, 90, 85, 30}; /* percent */
    for (unsigned how = 0; how < LINT_MUTATIONS; how++)
        assert_true(score.found[how] * 100 >= score.tried[how] * least[how]);
}

static void given_fields_stay(const struct fh_kernel *kernel, const struct fh_kernel *filled,
                              const char *text) {
    for (uint32_t i = 0; i < kernel->word_count; i++) {
        char line[32];
        snprintf(line, sizeof line, "/*%04x*/  [", i * 16);
        if (strstr(text, line) && (kernel->words[i].hi ^ filled->words[i].hi) >> 41)
            fail_msg("kernel %s, 0x%x: given fields were changed", kernel->name, i * 16);
    }
}

static void filled_beside_given(void **state) {
    (void)state;
    unsigned beside = 0, excused = 0, kernels = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint64_t random = seed;
        for (unsigned i = 0; i < COUNT_OF(files); i++) {
            fhec_program *compiled = cubin_program(files[i]);
            for (uint32_t k = 0; k < compiled->kernel_count; k++) {
                char *text = listing(&compiled->kernels[k], (unsigned)(2 + seed % 3 * 3), &random);
                fhec_program *program = assemble(text);
                given_fields_stay(&compiled->kernels[k], &program->kernels[0], text);
                struct mixed m = {&program->kernels[0], text, 0, 0};
                (void)fhec_lint(program, hear_mixed, &m);
                beside += m.beside;
                excused += m.excused;
                kernels++;
                fhec_program_free(program);
                free(text);
            }
            fhec_program_free(compiled);
        }
    }
    print_message("# %u kernels; %u findings at given instructions, %u because of them\n", kernels,
                  beside, excused);
}

/* A DEPBAR counts what is charged on its scoreboard: that is the LDGDEPBAR before it, and no load.
 */
static void counted_scoreboards_are_reserved(void **state) {
    (void)state;
    for (unsigned counted = 0; counted < 6; counted++) {
        char text[512];
        struct fh_sched sched;
        snprintf(text, sizeof text,
                 ".target sm_80\n.kernel k\n.rept 7\n  LDG.E R4, [R2.64] ;\n"
                 "  IADD3 R5, R4, 0x1, RZ ;\n.endr\n  LDGDEPBAR ;\n"
                 "  DEPBAR.LE SB%u, 0x1 ;\n  EXIT ;\n.end\n",
                 counted);
        fhec_program *program = assemble(text);
        for (unsigned load = 0; load < 7; load++) {
            fh_sched_get(program->kernels[0].words[2 * load], &sched);
            assert_true(sched.write_barrier < 6 && sched.write_barrier != counted);
        }
        fh_sched_get(program->kernels[0].words[14], &sched);
        assert_int_equal(sched.write_barrier, counted);
        fhec_program_free(program);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_of_the_library),
        cmocka_unit_test(compiled_code_is_filled),
        cmocka_unit_test(filled_beside_given),
        cmocka_unit_test(counted_scoreboards_are_reserved),
    };
    return cmocka_run_group_tests_name("lint_filled", tests, NULL, NULL);
}
