/* test_worker.c: the newest job replaces others, and no result is lost or leaked. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/xalloc.h"
#include "fixtures/patience.h"
#include "tui/worker.h"

/* The input of a job and its counters. */
struct request {
    int number;
    bool until_cancelled; /* runs until it is cancelled */
    atomic_int *started, *freed;
};

static void *run(void *arg, struct cancel_mark cancel)
{
    struct request *r = arg;
    int *result = xmalloc(sizeof *result);

    atomic_fetch_add(r->started, 1);
    while (r->until_cancelled && !cancel_asked(cancel))
        ;
    *result = r->number;
    return result;
}

static void free_request(void *arg)
{
    struct request *r = arg;

    atomic_fetch_add(r->freed, 1);
    free(r);
}

struct fixture {
    struct worker *worker;
    atomic_int started, freed;
};

static void submit_to(struct fixture *f, enum queue queue, int number, bool until_cancelled)
{
    struct request *r = xmalloc(sizeof *r);

    *r = (struct request){number, until_cancelled, &f->started, &f->freed};
    worker_submit(f->worker, queue, (struct job){number, run, r, free_request, free});
}

static void submit(struct fixture *f, int number, bool until_cancelled)
{
    submit_to(f, QUEUE_QUERY, number, until_cancelled);
}

/* Waits for a result and takes it; -1 when none arrives. */
static int take(struct fixture *f)
{
    struct pollfd pfd = {.fd = worker_fd(f->worker), .events = POLLIN};
    struct job_done done;
    int number;

    if (poll(&pfd, 1, PATIENCE_MS) != 1 || !worker_take(f->worker, &done))
        return -1;
    assert_int_equal(done.kind, *(int *)done.result);
    number = *(int *)done.result;
    free(done.result);
    return number;
}

static void open_worker(struct fixture *f)
{
    struct err err = {0};

    *f = (struct fixture){.worker = worker_new(&err)};
    assert_non_null(f->worker);
}

static void gives_the_result(void **state)
{
    struct fixture f;
    struct job_done done;

    (void)state;
    open_worker(&f);
    assert_false(worker_busy(f.worker, QUEUE_QUERY));
    submit(&f, 7, false);
    assert_true(worker_busy(f.worker, QUEUE_QUERY));
    assert_int_equal(take(&f), 7);
    assert_false(worker_busy(f.worker, QUEUE_QUERY));
    assert_false(worker_take(f.worker, &done));
    worker_free(f.worker);
    assert_int_equal(f.freed, 1);
}

static void newest_wins(void **state)
{
    struct fixture f;

    (void)state;
    open_worker(&f);
    for (int i = 1; i < 200; i++)
        submit(&f, i, true);
    submit(&f, 200, false);
    assert_int_equal(take(&f), 200);
    assert_false(worker_busy(f.worker, QUEUE_QUERY));
    worker_free(f.worker);
    assert_int_equal(f.freed, 200);
}

static void cancel_leaves_nothing(void **state)
{
    struct fixture f;
    struct job_done done;

    (void)state;
    open_worker(&f);
    assert_false(worker_cancel(f.worker, QUEUE_QUERY));
    submit(&f, 1, true);
    while (!f.started)
        ;
    assert_true(worker_cancel(f.worker, QUEUE_QUERY));
    assert_false(worker_busy(f.worker, QUEUE_QUERY));
    assert_false(worker_take(f.worker, &done));
    submit(&f, 2, false);
    assert_int_equal(take(&f), 2);

    /* A result that is not taken is also dropped, and submit() reports it. */
    submit(&f, 3, false);
    while (f.freed < 3)
        ;
    assert_true(worker_cancel(f.worker, QUEUE_QUERY));
    assert_false(worker_busy(f.worker, QUEUE_QUERY));
    assert_false(worker_take(f.worker, &done));
    worker_free(f.worker);
    assert_int_equal(f.freed, 3);
}

/* Loading and queries run at the same time, and no result is lost. */
static void queues_are_independent(void **state)
{
    struct fixture f;

    (void)state;
    open_worker(&f);
    submit_to(&f, QUEUE_READ, 1, true);
    for (int i = 2; i < 100; i++) {
        submit(&f, i, false);
        assert_int_equal(take(&f), i);
    }
    assert_true(worker_busy(f.worker, QUEUE_READ));
    assert_false(worker_busy(f.worker, QUEUE_QUERY));
    assert_true(worker_cancel(f.worker, QUEUE_READ));
    submit_to(&f, QUEUE_READ, 100, false);
    submit(&f, 101, false);
    assert_int_equal(take(&f) + take(&f), 201);
    worker_free(f.worker);
    assert_int_equal(f.freed, 101);
}

static void the_trace_ends_inside_events(void **state)
{
    struct fixture f;

    (void)state;
    open_worker(&f);
    submit(&f, 1, true);
    while (!f.started)
        ;
    submit(&f, 2, true);
    worker_free(f.worker);
    assert_int_equal(f.freed, 2);

    /* A result that is never taken is freed (checked by the leak checker). */
    open_worker(&f);
    submit(&f, 3, false);
    while (!f.freed)
        ;
    worker_free(f.worker);
    worker_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_result),
        cmocka_unit_test(newest_wins),
        cmocka_unit_test(cancel_leaves_nothing),
        cmocka_unit_test(queues_are_independent),
        cmocka_unit_test(the_trace_ends_inside_events),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
