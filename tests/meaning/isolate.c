/* isolate.c: runs cases in child processes and collects their messages, exit status and time. */
#include "meaning/isolate.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sanitize.h"
#include "fuzz/scratch.h"
#include "meaning/run_case.h"
#include "meaning/generators.h"

/* CPU time limit of a case.  A process that waits without using CPU time is ended after
 * WALL_SECONDS, long enough for a busy machine. */
#if SANITIZE_ADDRESS || SANITIZE_THREAD
enum { CASE_SECONDS = 15 };
#else
enum { CASE_SECONDS = 5 };
#endif
enum { WALL_SECONDS = 1800 };

void outcome_done(struct outcome *o)
{
    sb_done(&o->cause);
    sb_done(&o->errors);
}

/* Memory shared with the child, updated while it runs. */
struct progress {
    volatile uint64_t number, n_loaded;
};

/* ---- the child */

static void limit_time(void)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = CASE_SECONDS}}, NULL);
    alarm(WALL_SECONDS);
}

static void run(const struct case_mode *mode, const struct case_tree *t, uint64_t number,
                struct progress *progress)
{
    limit_time();
    if (mode->kind == MODE_VIEWS ? run_case_views(t) : run_case_keys(t, number, mode->n_keys))
        progress->n_loaded++;
    fuzz_folder_empty();
}

/* Never returns. */
static void child(const struct case_mode *mode, uint64_t first, uint64_t end, uint64_t step,
                  const struct case_tree *alone, struct progress *progress)
{
    if (alone)
        run(mode, alone, first, progress);
    for (uint64_t number = first; !alone && number < end; number += step) {
        struct case_tree t;

        progress->number = number;
        t = generate_case(number);
        run(mode, &t, number, progress);
        case_tree_done(&t);
    }
    exit(0);
}

/* ---- the parent */

/* The line of TEXT that names a cause without addresses: a sanitizer's summary, an error of UBSan,
 * a failed condition. */
static bool find_cause(const char *text, struct strbuf *cause)
{
    static const char *const marks[] = {"SUMMARY: ", "runtime error: ", "does not hold: ", "has no field"};

    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
        const char *at = strstr(text, marks[m]);

        if (!at)
            continue;
        while (at > text && at[-1] != '\n')
            at--;
        sb_add(cause, at, strcspn(at, "\n"));
        return true;
    }
    return false;
}

static void judge(struct outcome *o, int status)
{
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    o->failed = status != 0;
    if (!o->failed)
        return;
    if (signal == SIGPROF)
        sb_addf(&o->cause, "it takes more than %d s", CASE_SECONDS);
    else if (signal == SIGALRM)
        sb_adds(&o->cause, "it waits for ever");
    else if (find_cause(sb_text(&o->errors), &o->cause))
        ;
    else if (signal)
        sb_adds(&o->cause, strsignal(signal));
    else
        sb_addf(&o->cause, "exit status %d", WEXITSTATUS(status));
}

static void read_all(int fd, struct strbuf *sb)
{
    char bytes[4096];
    ssize_t n;

    for (off_t at = 0; (n = pread(fd, bytes, sizeof bytes, at)) > 0; at += n)
        sb_add(sb, bytes, (size_t)n);
}

static struct outcome run_child(const struct case_mode *mode, uint64_t first, uint64_t end,
                                uint64_t step, const struct case_tree *alone)
{
    struct outcome o = {0};
    struct progress *progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
                                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const int errors = memfd_create("errors", MFD_CLOEXEC);
    pid_t pid;
    int status = 0;

    FUZZ_REQUIRE(progress != MAP_FAILED && errors >= 0);
    progress->number = first;
    fuzz_folder(); /* created here, because the child fills it and may end without removing it */
    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        dup2(errors, STDERR_FILENO);
        child(mode, first, end, step, alone, progress);
    }
    FUZZ_REQUIRE(pid > 0 && waitpid(pid, &status, 0) == pid);
    fuzz_folder_remove();
    o.number = progress->number;
    o.n_loaded = progress->n_loaded;
    read_all(errors, &o.errors);
    judge(&o, status);
    close(errors);
    munmap(progress, sizeof *progress);
    return o;
}

struct outcome isolated_run(const struct case_mode *mode, uint64_t first, uint64_t end, uint64_t step)
{
    return run_child(mode, first, end, step, NULL);
}

struct outcome isolated_run_one(const struct case_mode *mode, const struct case_tree *t, uint64_t number)
{
    return run_child(mode, number, number + 1, 1, t);
}
