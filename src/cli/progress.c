/* progress.c: a line on the terminal while a slow load runs. */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "base/strbuf.h"
#include "base/system/thread.h"
#include "base/xalloc.h"
#include "cli/report.h"

enum { FIRST_MS = 500, NEXT_MS = 100 };

struct progress_line {
    const struct load_progress *progress;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t stopped;
    bool stop;
    bool drawn;
};

static void draw(struct progress_line *line)
{
    const struct load_progress *p = line->progress;
    const char *what = atomic_load(&p->what);
    const uint64_t total = atomic_load(&p->bytes_total);

    struct strbuf of = {0};

    if (total)
        sb_addf(&of, " of %.1f", (double)total / 1e6);
    report_progress("reading %s%s%.1f%s MB, %" PRIuFAST32 " nodes", what ? what : "",
                    what ? ", " : "", (double)atomic_load(&p->bytes_done) / 1e6, sb_text(&of),
                    atomic_load(&p->n_nodes));
    sb_done(&of);
    line->drawn = true;
}

static void add_ms(struct timespec *t, long ms)
{
    t->tv_nsec += ms * 1000000;
    t->tv_sec += t->tv_nsec / 1000000000;
    t->tv_nsec %= 1000000000;
}

static void *watch(void *arg)
{
    struct progress_line *line = arg;
    struct timespec next;

    clock_gettime(CLOCK_REALTIME, &next);
    add_ms(&next, FIRST_MS);
    pthread_mutex_lock(&line->mutex);
    while (!line->stop) {
        if (pthread_cond_timedwait(&line->stopped, &line->mutex, &next) == 0)
            continue;
        draw(line);
        add_ms(&next, NEXT_MS);
    }
    pthread_mutex_unlock(&line->mutex);
    return NULL;
}

struct progress_line *progress_start(const struct load_progress *progress, bool quiet)
{
    struct progress_line *line;

    if (quiet || !stderr_is_terminal())
        return NULL;
    line = xcalloc(1, sizeof *line);
    line->progress = progress;
    pthread_mutex_init(&line->mutex, NULL);
    pthread_cond_init(&line->stopped, NULL);
    if (thread_start(&line->thread, "progress", watch, line) == 0)
        return line;
    pthread_cond_destroy(&line->stopped);
    pthread_mutex_destroy(&line->mutex);
    free(line);
    return NULL;
}

void progress_stop(struct progress_line *line)
{
    if (!line)
        return;
    pthread_mutex_lock(&line->mutex);
    line->stop = true;
    pthread_cond_signal(&line->stopped);
    pthread_mutex_unlock(&line->mutex);
    pthread_join(line->thread, NULL);
    if (line->drawn)
        report_progress_end();
    pthread_cond_destroy(&line->stopped);
    pthread_mutex_destroy(&line->mutex);
    free(line);
}
