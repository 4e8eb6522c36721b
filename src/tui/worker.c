/* worker.c: one thread beside the screen that loads and aggregates. */
#include "tui/worker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/xalloc.h"

/* All fields below `lock` are read and written under it.  The token is asked
 * under it as well, so whether a finished run is still wanted is decided at
 * one moment. */
struct worker {
    pthread_t thread;
    int news_fd; /* eventfd: readable while a result waits */
    struct cancel token;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a job waits, or it is time to end */
    bool quit;
    bool running; /* a job that nobody asked to stop */
    bool has_waiting;
    struct job waiting;
    bool has_done;
    struct job done_job;
    void *result;
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

static void signal_news(struct worker *w)
{
    const uint64_t one = 1;
    ssize_t written = write(w->news_fd, &one, sizeof one);

    (void)written; /* the counter cannot overflow: it is read at every take */
}

static void clear_news(struct worker *w)
{
    uint64_t count;
    ssize_t got = read(w->news_fd, &count, sizeof count);

    (void)got; /* nothing there is fine */
}

/* Runs JOB with the lock released and keeps or drops what it made. */
static void run_job(struct worker *w, struct job job)
{
    struct cancel_mark mark = cancel_mark_now(&w->token);
    void *result;

    w->running = true;
    pthread_mutex_unlock(&w->lock);
    result = job.run(job.arg, mark);
    free_arg(&job);
    pthread_mutex_lock(&w->lock);
    if (cancel_asked(mark)) {
        free_result(&job, result);
        return;
    }
    w->running = false;
    w->has_done = true;
    w->done_job = job;
    w->result = result;
    signal_news(w);
}

static void *worker_main(void *arg)
{
    struct worker *w = arg;

    pthread_mutex_lock(&w->lock);
    while (!w->quit) {
        if (w->has_waiting) {
            w->has_waiting = false;
            run_job(w, w->waiting);
        } else {
            pthread_cond_wait(&w->changed, &w->lock);
        }
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void free_parts(struct worker *w)
{
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    if (w->news_fd >= 0)
        close(w->news_fd);
    free(w);
}

struct worker *worker_new(struct err *err)
{
    struct worker *w = xcalloc(1, sizeof *w);
    sigset_t all, before;
    int failed;

    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    w->news_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    failed = w->news_fd < 0 ? errno : 0;
    if (!failed) {
        /* A signal that this thread took would be lost for the screen. */
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        failed = pthread_create(&w->thread, NULL, worker_main, w);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (!failed)
        return w;
    err_set(err, ERR_INPUT, "cannot start a thread: %s", strerror(failed));
    free_parts(w);
    return NULL;
}

/* Asks the running job to stop and forgets the waiting one and the result;
 * true when there was any of them. */
static bool drop_all(struct worker *w)
{
    bool had_job = w->running || w->has_waiting || w->has_done;

    cancel_ask(&w->token);
    w->running = false;
    if (w->has_waiting)
        free_arg(&w->waiting);
    w->has_waiting = false;
    if (w->has_done)
        free_result(&w->done_job, w->result);
    w->has_done = false;
    clear_news(w);
    return had_job;
}

void worker_free(struct worker *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    drop_all(w);
    w->quit = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    free_parts(w);
}

int worker_fd(const struct worker *w)
{
    return w->news_fd;
}

void worker_submit(struct worker *w, struct job job)
{
    pthread_mutex_lock(&w->lock);
    drop_all(w);
    w->waiting = job;
    w->has_waiting = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

bool worker_cancel(struct worker *w)
{
    bool had_job;

    pthread_mutex_lock(&w->lock);
    had_job = drop_all(w);
    pthread_mutex_unlock(&w->lock);
    return had_job;
}

bool worker_take(struct worker *w, struct job_done *done)
{
    bool taken;

    pthread_mutex_lock(&w->lock);
    taken = w->has_done;
    if (taken) {
        done->kind = w->done_job.kind;
        done->result = w->result;
        w->has_done = false;
    }
    clear_news(w);
    pthread_mutex_unlock(&w->lock);
    return taken;
}

bool worker_busy(struct worker *w)
{
    bool busy;

    pthread_mutex_lock(&w->lock);
    busy = w->running || w->has_waiting || w->has_done;
    pthread_mutex_unlock(&w->lock);
    return busy;
}
