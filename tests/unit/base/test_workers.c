/* test_workers.c: every element is processed exactly once, with any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/thread.h"
#include "base/system/workers.h"

enum { MAX = 10000 };

static void count(void *arg, size_t from, size_t to)
{
    unsigned char *met = arg;

    for (size_t i = from; i < to; i++)
        met[i]++;
}

static void each_element_is_visited_once(void **unused)
{
    static const size_t sizes[] = {0, 1, 99, 100, 101, 5000, MAX};

    (void)unused;
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct workers *w = workers_new(threads);

        for (int round = 0; round < 50; round++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                unsigned char met[MAX + 1] = {0};

                workers_run(w, sizes[s], 100, count, met);
                for (size_t i = 0; i <= MAX; i++)
                    assert_int_equal(met[i], i < sizes[s]);
            }
        workers_free(w);
    }
}

static void without_workers_the_caller_works(void **unused)
{
    unsigned char met[1000] = {0};

    (void)unused;
    workers_run(NULL, 1000, 7, count, met);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(met[i], 1);
}

static void note_thread(void *arg, size_t from, size_t to)
{
    pthread_t *threads = arg;

    for (size_t i = from; i < to; i++)
        threads[i] = pthread_self();
}

static void the_environment_sets_the_number_of_threads(void **unused)
{
    pthread_t threads[1000];
    struct workers *w;

    (void)unused;
    setenv("TFPROF_THREADS", "1", 1);
    assert_int_equal(thread_count(), 1);
    w = workers_new(0);
    workers_run(w, 1000, 1, note_thread, threads);
    workers_free(w);
    for (size_t i = 0; i < 1000; i++)
        assert_true(pthread_equal(threads[i], pthread_self()));
    setenv("TFPROF_THREADS", "3", 1);
    assert_int_equal(thread_count(), 3);
    setenv("TFPROF_THREADS", "1000", 1);
    assert_int_equal(thread_count(), THREADS_MAX);
    setenv("TFPROF_THREADS", "none", 1);
    assert_int_equal(thread_count(), 1);
    unsetenv("TFPROF_THREADS");
    assert_in_range(thread_count(), 1, THREADS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_element_is_visited_once),
        cmocka_unit_test(without_workers_the_caller_works),
        cmocka_unit_test(the_environment_sets_the_number_of_threads),
    };

    return cmocka_run_group_tests_name("workers", tests, NULL, NULL);
}
