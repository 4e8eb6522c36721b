/* worker.c: two threads, one for reading and one for queries. */
#include "tui/worker.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/system/thread.h"
#include "base/xalloc.h"

/* A thread and its jobs. Members after `thread` are guarded by the worker's lock. The cancel token
 * is also read under it, so that keeping or dropping a finished job is atomic. */
struct queue_state {
    struct worker *worker;
    pthread_t thread;
    struct cancel token;
    pthread_cond_t changed; /* signalled when a job waits or the thread must end */
    bool running; /* a job runs and has not been cancelled */
    bool has_waiting;
    struct job waiting;
    bool has_done;
    struct job done_job;
    void *result;
};

struct worker {
    int news_fd; /* eventfd: readable while a result waits */
    pthread_mutex_t lock;
    bool quit;
    int n_started; /* number of queues whose thread has started */
    struct queue_state queues[QUEUE_COUNT];
};

static void free_arg(const struct job *job)
{
    if (job->free_arg)
        job->free_arg(job->arg);
}

static void free_result(const struct job *job, void *result)
{
    if (result && job->free_result)
        job->free_result(result);
}

static void wake_main(struct worker *w)
{
    const uint64_t one = 1;
    ssize_t written = write(w->news_fd, &one, sizeof one);

    (void)written; /* cannot overflow: every take resets it */
}

/* Resets the descriptor when no queue has a result. */
static void clear_wakeup(struct worker *w)
{
    uint64_t count;
    ssize_t got;

    for (int i = 0; i < QUEUE_COUNT; i++)
        if (w->queues[i].has_done)
            return;
    got = read(w->news_fd, &count, sizeof count);
    (void)got; /* may be empty */
}

/* Runs JOB with the lock released, and keeps its result unless it was cancelled. */
static void run_job(struct queue_state *l, struct job job)
{
    struct cancel_mark mark = cancel_mark_now(&l->token);
    void *result;

    l->running = true;
    pthread_mutex_unlock(&l->worker->lock);
    result = job.run(job.arg, mark);
    free_arg(&job);
    pthread_mutex_lock(&l->worker->lock);
    if (cancel_asked(mark)) {
        free_result(&job, result);
        return;
    }
    l->running = false;
    l->has_done = true;
    l->done_job = job;
    l->result = result;
    wake_main(l->worker);
}

static void *queue_main(void *arg)
{
    struct queue_state *l = arg;
    struct worker *w = l->worker;

    pthread_mutex_lock(&w->lock);
    while (!w->quit) {
        if (l->has_waiting) {
            l->has_waiting = false;
            run_job(l, l->waiting);
        } else {
            pthread_cond_wait(&l->changed, &w->lock);
        }
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Cancels the running job and drops the waiting one and the result. True if there was any. */
static bool drop_all(struct queue_state *l)
{
    bool had_job = l->running || l->has_waiting || l->has_done;

    cancel_ask(&l->token);
    l->running = false;
    if (l->has_waiting)
        free_arg(&l->waiting);
    l->has_waiting = false;
    if (l->has_done)
        free_result(&l->done_job, l->result);
    l->has_done = false;
    clear_wakeup(l->worker);
    return had_job;
}

void worker_free(struct worker *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->quit = true;
    for (int i = 0; i < w->n_started; i++) {
        drop_all(&w->queues[i]);
        pthread_cond_signal(&w->queues[i].changed);
    }
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < w->n_started; i++)
        pthread_join(w->queues[i].thread, NULL);
    for (int i = 0; i < QUEUE_COUNT; i++)
        pthread_cond_destroy(&w->queues[i].changed);
    pthread_mutex_destroy(&w->lock);
    if (w->news_fd >= 0)
        close(w->news_fd);
    free(w);
}

/* Starts the threads. Returns the result of thread_start(). */
static int start_queues(struct worker *w)
{
    static const char *const names[QUEUE_COUNT] = {[QUEUE_QUERY] = "query", [QUEUE_READ] = "read"};
    int failed = 0;

    for (int i = 0; i < QUEUE_COUNT && !failed; i++) {
        failed = thread_start(&w->queues[i].thread, names[i], queue_main, &w->queues[i]);
        w->n_started += !failed;
    }
    return failed;
}

struct worker *worker_new(struct err *err)
{
    struct worker *w = xcalloc(1, sizeof *w);
    int failed;

    pthread_mutex_init(&w->lock, NULL);
    for (int i = 0; i < QUEUE_COUNT; i++) {
        w->queues[i].worker = w;
        pthread_cond_init(&w->queues[i].changed, NULL);
    }
    w->news_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    failed = w->news_fd < 0 ? errno : start_queues(w);
    if (!failed)
        return w;
    err_set(err, ERR_INPUT, "cannot start a thread: %s", strerror(failed));
    worker_free(w);
    return NULL;
}

int worker_fd(const struct worker *w)
{
    return w->news_fd;
}

void worker_submit(struct worker *w, enum queue queue, struct job job)
{
    struct queue_state *l = &w->queues[queue];

    pthread_mutex_lock(&w->lock);
    drop_all(l);
    l->waiting = job;
    l->has_waiting = true;
    pthread_cond_signal(&l->changed);
    pthread_mutex_unlock(&w->lock);
}

bool worker_cancel(struct worker *w, enum queue queue)
{
    bool had_job;

    pthread_mutex_lock(&w->lock);
    had_job = drop_all(&w->queues[queue]);
    pthread_mutex_unlock(&w->lock);
    return had_job;
}

bool worker_take(struct worker *w, struct job_done *done)
{
    bool taken = false;

    pthread_mutex_lock(&w->lock);
    for (int i = 0; i < QUEUE_COUNT && !taken; i++) {
        struct queue_state *l = &w->queues[i];

        taken = l->has_done;
        if (taken) {
            done->kind = l->done_job.kind;
            done->result = l->result;
            l->has_done = false;
        }
    }
    clear_wakeup(w);
    pthread_mutex_unlock(&w->lock);
    return taken;
}

bool worker_busy(struct worker *w, enum queue queue)
{
    const struct queue_state *l = &w->queues[queue];
    bool busy;

    pthread_mutex_lock(&w->lock);
    busy = l->running || l->has_waiting || l->has_done;
    pthread_mutex_unlock(&w->lock);
    return busy;
}
