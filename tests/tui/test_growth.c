/* test_growth.c: hundreds of option changes in sequence must not leak memory: in a query, a
 * session, on the screen. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixtures/random_options.h"
#include "script.h"

#define MODEL "tests/golden/models/towers/profile.pb.gz"

enum {
    CHANGES = 150, /* per round */
    ROUNDS = 5,
    /* More growth than this fails: about 100 bytes per change of a round. */
    SLACK_BYTES = 16 << 10,
};

/* Bytes in use on the heap. */
static size_t in_use(void)
{
    const struct mallinfo2 m = mallinfo2();

    return m.uordblks + m.hblkhd;
}

/* False with sanitizers and valgrind, whose allocators mallinfo2() does not measure. */
static bool is_heap_known(void)
{
    const size_t before = in_use();
    void *volatile block = malloc(1 << 16);
    const bool is_known = in_use() >= before + (1 << 16);

    free(block);
    if (!is_known)
        print_message("# the heap is somebody else's\n");
    return is_known;
}

static void assert_no_growth(size_t first, size_t last)
{
    if (last > first + SLACK_BYTES)
        fail_msg("%zu bytes in use have become %zu", first, last);
}

static struct session *open_model(struct err *err)
{
    static const char *const files[] = {MODEL};
    const struct cancel_mark never = {0};
    struct options o;
    struct session *s;

    options_init(&o);
    s = session_open(&o, files, 1, NULL, never, err);
    options_done(&o);
    return s;
}

/* All rounds make the same changes, so the cache is the same after each. */
static void one_round(struct session *s, uint64_t seed)
{
    const struct cancel_mark never = {0};

    for (int i = 0; i < CHANGES; i++) {
        struct options o;
        struct err err = {0};
        struct result *r;

        options_init(&o);
        random_options(&o, &seed, &err);
        r = query_run(s->query, (enum view_id)(i % VIEW_ADVISE), &o, never, &err);
        if (r) {
            struct result_walk w;

            result_walk_init(&w, r, 0);
            while (result_walk_next(&w))
                ;
            result_walk_done(&w);
        }
        result_free(r);
        err_done(&err);
        options_done(&o);
    }
}

static void a_query_does_not_grow(void **state)
{
    struct err err = {0};
    struct session *s;
    size_t first;

    (void)state;
    if (!is_heap_known())
        return;
    assert_int_equal(chdir(getenv("top_srcdir") ? getenv("top_srcdir") : "."), 0);
    s = open_model(&err);
    assert_non_null(s);
    /* Only the first round starts from an empty cache; the column pool is in a steady state some
     * rounds later. */
    for (int i = 0; i < 2 * ROUNDS; i++)
        one_round(s, 1);
    first = in_use();
    for (int i = 0; i < ROUNDS; i++)
        one_round(s, 1);
    assert_no_growth(first, in_use());
    session_close(s);
}

static void a_session_frees_all_memory(void **state)
{
    struct err err = {0};
    size_t first = 0;

    (void)state;
    if (!is_heap_known())
        return;
    for (int i = 0; i < ROUNDS; i++) {
        struct session *s = open_model(&err);

        assert_non_null(s);
        one_round(s, (uint64_t)i);
        session_close(s);
        if (i == 0)
            first = in_use();
    }
    assert_no_growth(first, in_use());
}

static size_t on_screen[ROUNDS];
static size_t n_on_screen;

static void count(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    (void)state;
    on_screen[n_on_screen++] = in_use();
}

/* Each change is answered before the next one: how many undo steps overlapping changes make depends
 * on timing. */
static const char *const changes[] = {
    ":scope -max_depth 3<ret>",
    ":op -order_by bytes -select bytes<ret>",
    ":graph -hide_name_regexes .*a.*<ret>",
    ":code -max_depth 9<ret>",
    "2",
    "s<down><ret>",
    "jj<ret>",
    "1",
    "I",
    "[",
    "]",
    "/con<ret>",
};

enum {
    N_CHANGES = sizeof changes / sizeof *changes,
    WARM = 300, /* repetitions of all changes */
    ROUND = CHANGES / 5,
    STEPS = (WARM + (ROUNDS - 1) * ROUND) * N_CHANGES,
};

/* The first two rounds fill the undo and prompt history to their limits, 500 and 1000 entries;
 * afterwards memory is constant. */
static void the_screen_does_not_grow(void **state)
{
    static const char *const args[] = {MODEL, NULL};
    struct script script = {.args = args, .rows = 36, .cols = 120, .n_steps = STEPS};
    struct script_step *steps;

    (void)state;
    if (!is_heap_known())
        return;
    script.steps = steps = calloc(STEPS, sizeof *steps);
    assert_non_null(steps);
    for (int i = 0; i < STEPS; i++)
        steps[i].keys = changes[i % N_CHANGES];
    for (int i = 0; i < ROUNDS; i++)
        steps[(WARM + i * ROUND) * N_CHANGES - 1].check = count;
    n_on_screen = 0;
    script_run(&script);
    assert_int_equal(n_on_screen, ROUNDS);
    assert_no_growth(on_screen[1], on_screen[ROUNDS - 1]);
    free(steps);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_does_not_grow),
        cmocka_unit_test(a_session_frees_all_memory),
        cmocka_unit_test(the_screen_does_not_grow),
    };

    (void)argc;
    /* Disables the thread cache of malloc(), whose free blocks count as in use. */
    if (!getenv("GLIBC_TUNABLES")) {
        setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0", 1);
        execv("/proc/self/exe", argv);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
