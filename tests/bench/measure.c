/* measure.c: measures a command: the median of its times, and its memory.
 *
 *     measure ROUNDS COMMAND [ARGUMENT...]
 *
 * Prints wall-clock milliseconds, processor milliseconds and peak resident memory in KiB.  Discards
 * the command's standard output; its status must be 0. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "timing.h"

enum { MAX_ROUNDS = 100 };

static double spent_ms(const struct timeval *t)
{
    return (double)t->tv_sec * 1e3 + (double)t->tv_usec / 1e3;
}

static void become(char **argv)
{
    int null = open("/dev/null", O_WRONLY);

    if (null >= 0 && dup2(null, STDOUT_FILENO) >= 0)
        execvp(argv[0], argv);
    perror(argv[0]);
    _exit(127);
}

int main(int argc, char **argv)
{
    double wall_ms[MAX_ROUNDS], cpu_ms[MAX_ROUNDS];
    int rounds = argc > 2 ? atoi(argv[1]) : 0;
    long peak_kib = 0;

    if (rounds < 1 || rounds > MAX_ROUNDS) {
        fputs("usage: measure ROUNDS COMMAND [ARGUMENT...]\n", stderr);
        return 2;
    }
    for (int i = 0; i < rounds; i++) {
        double start = now_ms(CLOCK_MONOTONIC);
        struct rusage use;
        int status;
        pid_t child = fork();

        if (child == 0)
            become(argv + 2);
        if (child < 0 || wait4(child, &status, 0, &use) != child) {
            perror("measure");
            return 1;
        }
        wall_ms[i] = now_ms(CLOCK_MONOTONIC) - start;
        cpu_ms[i] = spent_ms(&use.ru_utime) + spent_ms(&use.ru_stime);
        if (use.ru_maxrss > peak_kib)
            peak_kib = use.ru_maxrss;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            fprintf(stderr, "measure: %s failed\n", argv[2]);
            return 1;
        }
    }
    printf("%.2f %.2f %ld\n", percentile(wall_ms, (size_t)rounds, 0.5),
           percentile(cpu_ms, (size_t)rounds, 0.5), peak_kib);
    return 0;
}
