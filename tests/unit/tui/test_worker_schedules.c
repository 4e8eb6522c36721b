/* test_worker_schedules.c: the worker under thousands of schedules: no wake-up is lost.
 *
 * Linked with --wrap for every call by which a thread yields to another one.  One thread runs at a
 * time; at each of these calls a seeded generator chooses the next one.  A seed determines a
 * schedule, so failures are reproducible.  When no thread can run, a wake-up was lost. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/xalloc.h"
#include "tui/worker.h"

enum { N_SCHEDULES = 3000, N_OPERATIONS = 24, THREADS_MOST = 1 + QUEUE_COUNT };

#define WRAPPED(name, ...) int __real_##name(__VA_ARGS__); int __wrap_##name(__VA_ARGS__)
WRAPPED(pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
WRAPPED(pthread_join, pthread_t, void **);
WRAPPED(pthread_mutex_lock, pthread_mutex_t *);
WRAPPED(pthread_mutex_unlock, pthread_mutex_t *);
WRAPPED(pthread_cond_wait, pthread_cond_t *, pthread_mutex_t *);
WRAPPED(pthread_cond_signal, pthread_cond_t *);
WRAPPED(poll, struct pollfd *, nfds_t, int);

/* ---- the scheduler */

enum wait { RUNS, WAITS_FOR_LOCK, WAITS_FOR_SIGNAL, WAITS_FOR_FILE, WAITS_FOR_END, ENDED };

struct scheduled {
    enum wait wait;
    const void *on;      /* a condition, a struct pollfd, or a struct scheduled */
    pthread_cond_t turn; /* the real one */
    pthread_t thread;
    void *(*run)(void *);
    void *arg;
};

static struct {
    pthread_mutex_t lock; /* the real one */
    struct scheduled threads[THREADS_MOST];
    int n, current;
    pthread_mutex_t *held; /* the mutex of the worker while it is locked; NULL: unlocked */
    uint64_t random;
    uint64_t seed;
    uint32_t stays; /* in 16 yields, the number after which the same thread continues */
} scheduler = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint32_t below(uint32_t n)
{
    scheduler.random = scheduler.random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((scheduler.random >> 33) % n);
}

static bool can_run(const struct scheduled *t)
{
    struct pollfd fd;

    switch (t->wait) {
    case RUNS:
        return true;
    case WAITS_FOR_LOCK:
        return !scheduler.held;
    case WAITS_FOR_FILE:
        fd = *(const struct pollfd *)t->on;
        return __real_poll(&fd, 1, 0) > 0;
    case WAITS_FOR_END:
        return ((const struct scheduled *)t->on)->wait == ENDED;
    case WAITS_FOR_SIGNAL:
    case ENDED:
        break;
    }
    return false;
}

/* Lets another thread run, or the same one.  The caller has set its wait condition. */
static void yield_to_another_thread(int me)
{
    int ready[THREADS_MOST], n = 0;

    for (int i = 0; i < scheduler.n; i++)
        if (can_run(&scheduler.threads[i]))
            ready[n++] = i;
    if (!n) {
        fprintf(stderr, "schedule %llu: all threads wait, a wake-up was lost\n",
                (unsigned long long)scheduler.seed);
        abort();
    }
    for (int i = 0; i < scheduler.n; i++) /* a spurious wake-up: conditions allow it */
        if (scheduler.threads[i].wait == WAITS_FOR_SIGNAL && below(64) == 0)
            ready[n++] = i;
    if (!can_run(&scheduler.threads[me]) || below(16) >= scheduler.stays)
        scheduler.current = ready[below((uint32_t)n)];
    if (scheduler.current == me)
        return;
    __real_pthread_cond_signal(&scheduler.threads[scheduler.current].turn);
    if (scheduler.threads[me].wait == ENDED)
        return;
    while (scheduler.current != me)
        __real_pthread_cond_wait(&scheduler.threads[me].turn, &scheduler.lock);
}

/* Waits for ON, in the way that WAIT gives, until the scheduler chooses the thread. */
static void wait_for(enum wait wait, const void *on)
{
    const int me = scheduler.current;

    scheduler.threads[me].wait = wait;
    scheduler.threads[me].on = on;
    yield_to_another_thread(me);
    scheduler.threads[me].wait = RUNS;
}

/* A point where a job may be preempted. */
static void pause_here(void)
{
    __real_pthread_mutex_lock(&scheduler.lock);
    wait_for(RUNS, NULL);
    __real_pthread_mutex_unlock(&scheduler.lock);
}

static void take_lock(pthread_mutex_t *m)
{
    while (scheduler.held)
        wait_for(WAITS_FOR_LOCK, m);
    scheduler.held = m;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *m)
{
    __real_pthread_mutex_lock(&scheduler.lock);
    wait_for(RUNS, NULL);
    take_lock(m);
    __real_pthread_mutex_unlock(&scheduler.lock);
    return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *m)
{
    __real_pthread_mutex_lock(&scheduler.lock);
    assert(scheduler.held == m);
    scheduler.held = NULL;
    wait_for(RUNS, NULL);
    __real_pthread_mutex_unlock(&scheduler.lock);
    return 0;
}

int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    __real_pthread_mutex_lock(&scheduler.lock);
    assert(scheduler.held == m);
    scheduler.held = NULL;
    wait_for(WAITS_FOR_SIGNAL, c);
    take_lock(m);
    __real_pthread_mutex_unlock(&scheduler.lock);
    return 0;
}

int __wrap_pthread_cond_signal(pthread_cond_t *c)
{
    __real_pthread_mutex_lock(&scheduler.lock);
    for (int i = 0; i < scheduler.n; i++)
        if (scheduler.threads[i].wait == WAITS_FOR_SIGNAL && scheduler.threads[i].on == c)
            scheduler.threads[i].wait = RUNS;
    wait_for(RUNS, NULL);
    __real_pthread_mutex_unlock(&scheduler.lock);
    return 0;
}

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    assert(n == 1 && timeout_ms < 0);
    __real_pthread_mutex_lock(&scheduler.lock);
    wait_for(RUNS, NULL);
    wait_for(WAITS_FOR_FILE, fds);
    __real_pthread_mutex_unlock(&scheduler.lock);
    return __real_poll(fds, n, 0);
}

static void *run_thread(void *arg)
{
    struct scheduled *t = arg;
    const int me = (int)(t - scheduler.threads);
    void *result;

    __real_pthread_mutex_lock(&scheduler.lock);
    while (scheduler.current != me)
        __real_pthread_cond_wait(&t->turn, &scheduler.lock);
    __real_pthread_mutex_unlock(&scheduler.lock);
    result = t->run(t->arg);
    __real_pthread_mutex_lock(&scheduler.lock);
    t->wait = ENDED;
    yield_to_another_thread(me);
    __real_pthread_mutex_unlock(&scheduler.lock);
    return result;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    struct scheduled *t;
    int failed;

    __real_pthread_mutex_lock(&scheduler.lock);
    t = &scheduler.threads[scheduler.n];
    *t = (struct scheduled){.wait = RUNS, .run = run, .arg = arg};
    pthread_cond_init(&t->turn, NULL);
    failed = __real_pthread_create(thread, attr, run_thread, t);
    assert(!failed);
    t->thread = *thread;
    scheduler.n++;
    wait_for(RUNS, NULL);
    __real_pthread_mutex_unlock(&scheduler.lock);
    return failed;
}

int __wrap_pthread_join(pthread_t thread, void **result)
{
    __real_pthread_mutex_lock(&scheduler.lock);
    for (int i = 0; i < scheduler.n; i++)
        if (i && pthread_equal(scheduler.threads[i].thread, thread))
            wait_for(WAITS_FOR_END, &scheduler.threads[i]);
    __real_pthread_mutex_unlock(&scheduler.lock);
    return __real_pthread_join(thread, result);
}

static void begin_schedule(uint64_t seed)
{
    static const uint32_t stays[] = {0, 8, 14};

    scheduler.n = 1;
    scheduler.current = 0;
    scheduler.seed = seed;
    scheduler.random = seed * 0x9e3779b97f4a7c15u + 1;
    scheduler.stays = stays[seed % 3];
    scheduler.threads[0] = (struct scheduled){.wait = RUNS};
    pthread_cond_init(&scheduler.threads[0].turn, NULL);
}

static void end_schedule(void)
{
    for (int i = 0; i < scheduler.n; i++)
        pthread_cond_destroy(&scheduler.threads[i].turn);
}

/* ---- requests to the worker */

struct request {
    int number;
    bool until_cancelled;
    uint32_t n_pauses;
    int *n_freed;
};

struct session {
    struct worker *worker;
    int n_made, n_freed;
    int newest[QUEUE_COUNT];  /* number of the job whose result must arrive; 0: none */
    bool endless[QUEUE_COUNT]; /* the job runs until it is cancelled */
};

static void *run(void *arg, struct cancel_mark cancel)
{
    struct request *r = arg;
    int *result = xmalloc(sizeof *result);

    for (uint32_t i = 0; i < r->n_pauses; i++)
        pause_here();
    while (r->until_cancelled && !cancel_asked(cancel))
        pause_here();
    *result = r->number;
    return result;
}

static void free_request(void *arg)
{
    struct request *r = arg;

    ++*r->n_freed;
    free(r);
}

static void submit(struct session *s, enum queue queue)
{
    struct request *r = xmalloc(sizeof *r);

    *r = (struct request){++s->n_made, below(4) == 0, below(4), &s->n_freed};
    s->newest[queue] = r->number;
    s->endless[queue] = r->until_cancelled;
    worker_submit(s->worker, queue, (struct job){r->number, run, r, free_request, free});
}

/* Takes a result and checks that it is from the newest job of a queue. */
static bool take(struct session *s)
{
    struct job_done done;

    if (!worker_take(s->worker, &done))
        return false;
    for (int queue = 0; queue < QUEUE_COUNT; queue++)
        if (s->newest[queue] == done.kind) {
            s->newest[queue] = 0;
            assert_int_equal(done.kind, *(int *)done.result);
            free(done.result);
            return true;
        }
    fail_msg("schedule %llu: the result of a replaced job", (unsigned long long)scheduler.seed);
    return false;
}

static bool result_is_due(const struct session *s)
{
    for (int queue = 0; queue < QUEUE_COUNT; queue++)
        if (s->newest[queue] && !s->endless[queue])
            return true;
    return false;
}

/* Like the screen: waits for the descriptor, then takes all results. */
static void wait_and_take(struct session *s)
{
    struct pollfd fd = {.fd = worker_fd(s->worker), .events = POLLIN};

    while (result_is_due(s)) {
        assert_int_equal(poll(&fd, 1, -1), 1);
        assert_true(take(s));
        while (take(s))
            ;
    }
}

static void cancel(struct session *s, enum queue queue)
{
    assert_int_equal(worker_cancel(s->worker, queue), s->newest[queue] != 0);
    s->newest[queue] = 0;
}

static void run_schedule(uint64_t seed)
{
    struct session s = {.worker = NULL};
    struct err err = {0};

    begin_schedule(seed);
    s.worker = worker_new(&err);
    assert_non_null(s.worker);
    for (int i = 0; i < N_OPERATIONS; i++) {
        const enum queue queue = (enum queue)below(QUEUE_COUNT);

        switch (below(6)) {
        case 0:
        case 1:
        case 2:
            submit(&s, queue);
            break;
        case 3:
            wait_and_take(&s);
            break;
        case 4:
            take(&s);
            break;
        default:
            cancel(&s, queue);
        }
        for (int l = 0; l < QUEUE_COUNT; l++)
            assert_int_equal(worker_busy(s.worker, (enum queue)l), s.newest[l] != 0);
    }
    if (below(2))
        wait_and_take(&s);
    worker_free(s.worker);
    assert_int_equal(s.n_freed, s.n_made);
    end_schedule();
}

static void no_wake_up_is_lost(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < N_SCHEDULES; seed++)
        run_schedule(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_wake_up_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
