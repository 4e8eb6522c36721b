/* test_align.c: alignment of graph replays with captured launches, and kernel names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/replay/align.h"

enum { MAX = 512 };

/* An alignment of kernels named by letters: upper case for copies, '?' for unnamed kernels. */
struct fixture {
    struct intern names;
    struct kernel_token launches[MAX], works[MAX];
    uint32_t rows[MAX], streams[MAX], placed[MAX];
    int64_t launch_nodes[MAX], work_nodes[MAX];
    uint64_t steps, count_steps;
    struct align_request r;
};

static void take(struct fixture *f, const char *letters, struct kernel_token *tokens, size_t *n)
{
    for (*n = 0; letters[*n]; ++*n) {
        const char c = letters[*n];

        tokens[*n] = c == '?' ? (struct kernel_token){.work_class = WORK_COMPUTE}
                              : kernel_token_of(&f->names, (struct text){&letters[*n], 1},
                                                c == 'C' ? WORK_MEMCPY : WORK_COMPUTE);
    }
}

static struct fixture *fixture_new(const char *launches, const char *works)
{
    struct fixture *f = xcalloc(1, sizeof *f);

    intern_init(&f->names);
    f->steps = f->count_steps = UINT64_C(1) << 30;
    f->r = (struct align_request){.launches = f->launches,
                                  .works = f->works,
                                  .row_of = f->rows,
                                  .stream_of = f->streams,
                                  .n_streams = 1,
                                  .steps_left = &f->steps,
                                  .count_steps_left = &f->count_steps};
    take(f, launches, f->launches, &f->r.n_launches);
    take(f, works, f->works, &f->r.n_works);
    for (uint32_t i = 0; i < MAX; i++)
        f->rows[i] = i;
    return f;
}

static void fixture_free(struct fixture *f)
{
    intern_done(&f->names);
    free(f);
}

/* Fills LETTERS with N letters: the first PERIOD letters, repeated. */
static void fill(char *letters, size_t n, const char *period)
{
    for (size_t i = 0; i < n; i++)
        letters[i] = period[i % strlen(period)];
    letters[n] = '\0';
}

static void equal_names_pair_by_position(void **state)
{
    struct fixture *f = fixture_new("abCab", "abCab");
    const struct alignment a = align(&f->r, f->placed);

    (void)state;
    assert_int_equal(a.reason, JOIN_FITS);
    assert_int_equal(a.how, JOIN_BY_ORDER);
    assert_int_equal(a.n_equal, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(f->placed[i], i);
    fixture_free(f);
}

static void too_few_equal_names_are_refused_with_their_number(void **state)
{
    struct fixture *f = fixture_new("abcdef", "axcyef");
    const struct alignment a = align(&f->r, f->placed);

    (void)state;
    assert_int_equal(a.reason, JOIN_NAMES);
    assert_int_equal(a.n_equal, 4);
    fixture_free(f);
}

/* Removes the letter at index AT. */
static void drop(char *letters, size_t at)
{
    memmove(letters + at, letters + at + 1, strlen(letters + at));
}

static void a_missing_kernel_leaves_one_launch_unmatched(void **state)
{
    char launches[MAX], works[MAX];
    struct fixture *f;

    (void)state;
    fill(launches, 200, "abcde");
    fill(works, 200, "abcde");
    drop(works, 101);
    f = fixture_new(launches, works);
    assert_int_equal(align(&f->r, f->placed).reason, JOIN_FITS);
    for (uint32_t i = 0; i < 199; i++)
        assert_int_equal(f->placed[i], i + (i >= 101));
    fixture_free(f);
}

static void one_of_two_equal_neighbours_is_ambiguous_unless_rows_are_equal(void **state)
{
    char launches[MAX], works[MAX];
    struct fixture *f;

    (void)state;
    fill(launches, 200, "abcde");
    launches[50] = launches[51] = 'x';
    strcpy(works, launches);
    drop(works, 50);
    f = fixture_new(launches, works);
    assert_int_equal(align(&f->r, f->placed).reason, JOIN_FITS);
    assert_int_equal(f->placed[50], ALIGN_AMBIGUOUS);
    f->rows[51] = f->rows[50];
    assert_int_equal(align(&f->r, f->placed).reason, JOIN_FITS);
    assert_int_equal(f->placed[50], 50); /* the first match */
    fixture_free(f);
}

/* Length of the longest common subsequence from launch I and work item K on, by recurrence. */
static uint32_t (*tails_of(const struct fixture *f))[MAX + 1]
{
    uint32_t(*tails)[MAX + 1] = xcalloc(MAX + 1, sizeof *tails);

    for (size_t i = f->r.n_launches; i-- > 0;)
        for (size_t k = f->r.n_works; k-- > 0;) {
            const uint32_t both =
                tails[i + 1][k + 1] + kernel_tokens_equal(&f->launches[i], &f->works[k]);
            const uint32_t one = tails[i + 1][k] > tails[i][k + 1] ? tails[i + 1][k] : tails[i][k + 1];

            tails[i][k] = both > one ? both : one;
        }
    return tails;
}

static uint32_t (*heads_of(const struct fixture *f))[MAX + 1]
{
    uint32_t(*heads)[MAX + 1] = xcalloc(MAX + 1, sizeof *heads);

    for (size_t i = 1; i <= f->r.n_launches; i++)
        for (size_t k = 1; k <= f->r.n_works; k++) {
            const uint32_t both =
                heads[i - 1][k - 1] + kernel_tokens_equal(&f->launches[i - 1], &f->works[k - 1]);
            const uint32_t one = heads[i - 1][k] > heads[i][k - 1] ? heads[i - 1][k] : heads[i][k - 1];

            heads[i][k] = both > one ? both : one;
        }
    return heads;
}

/* Compares the result with every pair in any longest common subsequence. */
static void check_all_pairs(struct fixture *f)
{
    uint32_t(*tails)[MAX + 1] = tails_of(f), (*heads)[MAX + 1] = heads_of(f);
    const uint32_t length = tails[0][0];
    const struct alignment a = align(&f->r, f->placed);
    const size_t max = f->r.n_launches > f->r.n_works ? f->r.n_launches : f->r.n_works;

    assert_int_equal(a.n_equal, length);
    assert_int_equal(a.reason, 100 * (size_t)length >= 99 * max ? JOIN_FITS : JOIN_NAMES);
    for (size_t k = 0; k < f->r.n_works && a.reason == JOIN_FITS; k++) {
        uint32_t placed = ALIGN_UNMATCHED;

        for (size_t i = f->r.n_launches; i-- > 0;)
            if (kernel_tokens_equal(&f->launches[i], &f->works[k]) &&
                heads[i][k] + 1 + tails[i + 1][k + 1] == length)
                placed = placed == ALIGN_UNMATCHED ? (uint32_t)i : ALIGN_AMBIGUOUS;
        assert_int_equal(f->placed[k], placed);
    }
    free(tails);
    free(heads);
}

static void random_edits_give_the_pairs_of_the_recurrence(void **state)
{
    char launches[MAX], works[MAX];
    uint32_t seed = 1;

    (void)state;
    for (int run = 0; run < 60; run++) {
        struct fixture *f;

        for (size_t i = 0; i < 300; i++)
            launches[i] = works[i] = (char)('a' + (seed = seed * 1664525 + 1013904223) / 1000003 % 3);
        launches[300] = works[300] = '\0';
        for (int edit = 0; edit < 1 + run % 5; edit++) {
            const size_t at = (seed = seed * 1664525 + 1013904223) / 1000003 % 290;

            if (run % 3 == 0)
                drop(works, at);
            else if (run % 3 == 1)
                drop(launches, at);
            else
                works[at] = 'z';
        }
        f = fixture_new(launches, works);
        check_all_pairs(f);
        fixture_free(f);
    }
}

static void launches_without_names_need_equal_numbers(void **state)
{
    struct fixture *f = fixture_new("??C?", "abCd"), *g = fixture_new("??C?", "abC");

    (void)state;
    assert_int_equal(align(&f->r, f->placed).how, JOIN_BY_COUNT);
    assert_int_equal(f->placed[3], 3);
    assert_int_equal(align(&g->r, g->placed).reason, JOIN_NAMES);
    f->r.n_streams = 2;
    assert_int_equal(align(&f->r, f->placed).reason, JOIN_STREAMS);
    fixture_free(f);
    fixture_free(g);
}

static void equal_ids_of_nodes_pair_whatever_the_order(void **state)
{
    struct fixture *f = fixture_new("abc", "cab");

    (void)state;
    f->r.launch_nodes = memcpy(f->launch_nodes, ((int64_t[]){7, 8, 9}), 3 * sizeof(int64_t));
    f->r.work_nodes = memcpy(f->work_nodes, ((int64_t[]){9, 7, 8}), 3 * sizeof(int64_t));
    assert_int_equal(align(&f->r, f->placed).how, JOIN_BY_NODE_IDS);
    assert_int_equal(f->placed[0], 2);
    assert_int_equal(f->placed[1], 0);
    f->work_nodes[0] = 7; /* a duplicate: ids do not apply, and names differ */
    assert_int_equal(align(&f->r, f->placed).reason, JOIN_NAMES);
    fixture_free(f);
}

static void streams_interleave_in_any_order(void **state)
{
    /* "ab" runs on one stream, "xy" on another. */
    struct fixture *f = fixture_new("axby", "xayb");

    (void)state;
    f->r.n_streams = 2;
    memcpy(f->streams, ((uint32_t[]){1, 0, 1, 0}), 4 * sizeof(uint32_t));
    assert_int_equal(align(&f->r, f->placed).how, JOIN_BY_STREAMS);
    assert_int_equal(f->placed[0], 1);
    assert_int_equal(f->placed[1], 0);
    assert_int_equal(f->placed[2], 3);
    assert_int_equal(f->placed[3], 2);
    memcpy(f->streams, ((uint32_t[]){0, 0, 1, 1}), 4 * sizeof(uint32_t));
    assert_int_equal(align(&f->r, f->placed).reason, JOIN_STREAMS); /* x follows a on its stream */
    fixture_free(f);
}

static void equal_kernels_of_two_streams_are_ambiguous(void **state)
{
    struct fixture *f = fixture_new("aa", "aa");

    (void)state;
    f->r.n_streams = 2;
    f->streams[1] = 1;
    assert_int_equal(align(&f->r, f->placed).reason, JOIN_FITS);
    assert_int_equal(f->placed[0], ALIGN_AMBIGUOUS);
    assert_int_equal(f->placed[1], ALIGN_AMBIGUOUS);
    fixture_free(f);
}

static void too_many_states_are_refused(void **state)
{
    char letters[MAX];
    struct fixture *f;

    (void)state;
    fill(letters, 400, "a");
    f = fixture_new(letters, letters);
    f->r.n_streams = 8;
    for (uint32_t i = 0; i < 400; i++)
        f->streams[i] = i % 8;
    assert_int_equal(align(&f->r, f->placed).reason, JOIN_STREAMS);
    fixture_free(f);
}

static void without_steps_nothing_is_searched(void **state)
{
    char launches[MAX], works[MAX];
    struct fixture *f;

    (void)state;
    fill(launches, 200, "abcde");
    fill(works, 200, "abcde");
    drop(works, 3);
    f = fixture_new(launches, works);
    f->steps = 100;
    assert_int_equal(align(&f->r, f->placed).reason, JOIN_NAMES);
    fixture_free(f);
}

/* ---- kernel names */

static bool names_equal(const char *launch, const char *work)
{
    struct intern names;
    struct kernel_token a, b;

    intern_init(&names);
    a = kernel_token_of(&names, (struct text){launch, (uint32_t)strlen(launch)}, WORK_COMPUTE);
    b = kernel_token_of(&names, (struct text){work, (uint32_t)strlen(work)}, WORK_COMPUTE);
    intern_done(&names);
    return kernel_tokens_equal(&a, &b);
}

static void endings_of_compilers_are_ignored(void **state)
{
    (void)state;
    assert_true(names_equal("gemm.kd", "gemm"));
    assert_true(names_equal("gemm (.kd)", "gemm [clone .x] [clone .y]"));
    assert_true(names_equal("gemm.kd [clone .x]", "gemm"));
    assert_false(names_equal("gemm [clone", "gemm"));
    assert_false(names_equal("gemm2", "gemm"));
}

static void mangled_names_equal_qualified_ones(void **state)
{
    (void)state;
    assert_true(names_equal("_ZN2at6native6kernelIfEEvT_", "void at::native::kernel<float>(float)"));
    assert_true(names_equal("_ZN2at12_GLOBAL__N_16kernelEv",
                            "void at::(anonymous namespace)::kernel(int)"));
    assert_true(names_equal("_Z6kernelPf", "kernel(float*)"));
    assert_false(names_equal("_Z6kernelPf", "kernels(float*)"));
    assert_false(names_equal("_Z6kernelPf", "_Z6kernelPd")); /* both mangled: byte by byte */
    assert_false(names_equal("_Z99kernel", "kernel"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_names_pair_by_position),
        cmocka_unit_test(too_few_equal_names_are_refused_with_their_number),
        cmocka_unit_test(a_missing_kernel_leaves_one_launch_unmatched),
        cmocka_unit_test(one_of_two_equal_neighbours_is_ambiguous_unless_rows_are_equal),
        cmocka_unit_test(random_edits_give_the_pairs_of_the_recurrence),
        cmocka_unit_test(launches_without_names_need_equal_numbers),
        cmocka_unit_test(equal_ids_of_nodes_pair_whatever_the_order),
        cmocka_unit_test(streams_interleave_in_any_order),
        cmocka_unit_test(equal_kernels_of_two_streams_are_ambiguous),
        cmocka_unit_test(too_many_states_are_refused),
        cmocka_unit_test(without_steps_nothing_is_searched),
        cmocka_unit_test(endings_of_compilers_are_ignored),
        cmocka_unit_test(mangled_names_equal_qualified_ones),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
