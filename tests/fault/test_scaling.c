/* test_scaling.c: runs the program on each hostile input at two sizes, one four times the other.
 * Fails when processor time or memory grows more than 2.3 times per doubling, beyond the cost of an
 * empty graph; when a run exceeds the memory limit of a load (base/budget.h); or when it does not
 * exit in order.  The stack is small, because nothing nested in a file may need it.
 *
 *   SCALING_TABLE   a file for the table of doc/faults.md
 *   SCALING_SHAPES  only shapes whose names contain this */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "base/wire_out.h"
#include "hostile.h"

enum { SIZES = 2, MAX_TRIES = 100, STACK_BYTES = 256 << 10 };
#define MEMORY_BYTES ((rlim_t)2 << 30) /* less than the memory of the machine */
/* Smaller costs are too noisy to judge growth. */
enum { MIN_CPU_US = 30000, MIN_KB = 4096 };

struct cost {
    double cpu_us;
    double kb;
    size_t file_bytes;
};

struct run {
    const struct hostile_shape *shape;
    char path[HOSTILE_FILES][300];
    bool in_order;
    int status;
};

static char folder[256];
static struct cost nothing; /* an empty graph: the minimum measured */

static bool write_file(const char *path, const struct strbuf *bytes, bool is_packed)
{
    gzFile out = gzopen(path, is_packed ? "wb6" : "wbT");
    const bool ok = out && (bytes->len == 0 ||
                            gzwrite(out, sb_text(bytes), (unsigned)bytes->len) == (int)bytes->len);

    return out && gzclose(out) == Z_OK && ok;
}

static void child(const struct run *r)
{
    const char *program = getenv("TFPROF");
    const struct rlimit stack = {STACK_BYTES, STACK_BYTES}, memory = {MEMORY_BYTES, MEMORY_BYTES};
    char *words[HOSTILE_WORDS + 2];
    const int null = open("/dev/null", O_RDWR);
    unsigned n = 0;

    words[n++] = (char *)(program ? program : "./tfprof");
    for (const char *const *w = r->shape->words; *w; w++)
        words[n++] = (char *)(**w == '@' ? r->path[(*w)[1] - '0'] : *w);
    words[n] = NULL;
    dup2(null, 0);
    dup2(null, 1);
    dup2(null, 2);
    setenv("TFPROF_THREADS", "1", 1);
    setrlimit(RLIMIT_STACK, &stack);
    setrlimit(RLIMIT_AS, &memory);
    execv(words[0], words);
    _exit(127);
}

/* Writes the files of size N; frees them before children start. */
static size_t write_files(struct run *r, unsigned n)
{
    struct hostile_files f = {0};
    size_t bytes = 0;

    r->shape->make(&f, n);
    for (unsigned i = 0; i < HOSTILE_FILES && r->shape->suffixes[i]; i++) {
        snprintf(r->path[i], sizeof r->path[i], "%s/%s", folder, r->shape->suffixes[i]);
        bytes += f.file[i].len;
        r->in_order &= write_file(r->path[i], &f.file[i], i == 0 && r->shape->is_packed);
    }
    for (unsigned i = 0; i < HOSTILE_FILES; i++)
        sb_done(&f.file[i]);
    return bytes;
}

static void empty(struct hostile_files *f, unsigned n)
{
    (void)n;
    wire_end(&f->file[0], hostile_node(&f->file[0], 1, "X", "", "n"));
}

static const struct hostile_shape empty_graph = {
    "nothing", empty, 1, {"scope", "@0", "-flops", "full"}, {"g.pb"}, false};

static struct cost measure(struct run *r, unsigned n)
{
    struct cost cost = {.file_bytes = write_files(r, n)};
    struct rusage used;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid == 0)
        child(r);
    while (wait4(pid, &r->status, 0, &used) < 0 && errno == EINTR)
        ;
    r->in_order &= WIFEXITED(r->status) && WEXITSTATUS(r->status) <= 1;
    cost.cpu_us = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
                  (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    cost.kb = (double)used.ru_maxrss;
    for (unsigned i = 0; i < HOSTILE_FILES && r->shape->suffixes[i]; i++)
        unlink(r->path[i]);
    return cost;
}

/* 64 times the decompressed bytes, and 32 MB for the program. */
static bool is_within_bound(const struct cost costs[SIZES])
{
    for (unsigned i = 0; i < SIZES; i++)
        if (costs[i].kb > 64 * (double)costs[i].file_bytes / 1024 + 32768)
            return false;
    return true;
}

static double beyond(double value, double base)
{
    return value > base ? value - base : 0;
}

/* The growth factor per doubling, beyond BASE; 1 when costs are too small. */
static double growth(double smallest, double largest, double base, double min)
{
    const double from = beyond(smallest, base), to = beyond(largest, base);

    return to < min ? 1 : sqrt(to / (from > min / 8 ? from : min / 8));
}

struct growths {
    double cpu, kb;
};

static struct growths growths_of(const struct cost costs[SIZES])
{
    const struct cost *from = &costs[0], *to = &costs[SIZES - 1];

    return (struct growths){growth(from->cpu_us, to->cpu_us, nothing.cpu_us, MIN_CPU_US),
                            growth(from->kb, to->kb, nothing.kb, MIN_KB)};
}

static void lower(struct cost *least, const struct cost *cost, bool is_first)
{
    if (is_first || cost->cpu_us < least->cpu_us)
        least->cpu_us = cost->cpu_us;
    if (is_first || cost->kb < least->kb)
        least->kb = cost->kb;
    least->file_bytes = cost->file_bytes;
}

/* Measures the cost that is subtracted; too large a value would exaggerate growth. */
static void measure_nothing(bool is_first)
{
    struct run r = {.shape = &empty_graph, .in_order = true};
    const struct cost cost = measure(&r, 1);

    lower(&nothing, &cost, is_first);
}

/* Uses the minimum of several runs, because the machine may be busy. */
static bool scales(const struct hostile_shape *shape, FILE *table)
{
    struct run r = {.shape = shape, .in_order = true};
    struct cost costs[SIZES];
    const struct cost *const largest = &costs[SIZES - 1];
    struct growths g;

    for (unsigned tries = 0; tries < MAX_TRIES; tries++) {
        for (unsigned i = 0; i < SIZES; i++) {
            const struct cost cost = measure(&r, shape->n << 2 * i);

            lower(&costs[i], &cost, tries == 0);
        }
        measure_nothing(false);
        g = growths_of(costs);
        if (!r.in_order || (g.cpu <= 2.3 && g.kb <= 2.3 && is_within_bound(costs)))
            break;
    }
    if (!r.in_order)
        printf("# %s: ended with status %x\n", shape->name, (unsigned)r.status);
    printf("# %s: time %.2f, memory %.2f for twice the size; %.0f ms, %.1f MB for %.0f KB\n",
           shape->name, g.cpu, g.kb, largest->cpu_us / 1e3, largest->kb / 1024,
           (double)largest->file_bytes / 1024);
    if (table)
        fprintf(table, "| %s | %u | %.0f | %.0f | %.1f | %.2f | %.2f |\n", shape->name,
                shape->n << 2 * (SIZES - 1), (double)largest->file_bytes / 1024,
                largest->cpu_us / 1e3, largest->kb / 1024, g.cpu, g.kb);
    return r.in_order && g.cpu <= 2.3 && g.kb <= 2.3 && is_within_bound(costs);
}

/* ---- all shapes */

static unsigned n_tests, n_failed;

static void check_all(const struct hostile_shape *shapes, unsigned n, FILE *table)
{
    const char *only = getenv("SCALING_SHAPES");

    for (unsigned i = 0; i < n; i++) {
        bool ok;

        if (only && !strstr(shapes[i].name, only))
            continue;
        ok = scales(&shapes[i], table);
        n_failed += !ok;
        printf("%s %u - %s\n", ok ? "ok" : "not ok", ++n_tests, shapes[i].name);
    }
}

int main(void)
{
    const char *path = getenv("SCALING_TABLE"), *tmp = getenv("TMPDIR");
    const char *sanitized = getenv("sanitized");
    FILE *table;

    if (sanitized && strcmp(sanitized, "yes") == 0) {
        puts("1..0 # SKIP sanitizers have costs of their own");
        return 0;
    }
    table = path ? fopen(path, "w") : NULL;
    snprintf(folder, sizeof folder, "%s/scaling-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    measure_nothing(true);
    check_all(hostile_graphs, n_hostile_graphs, table);
    check_all(hostile_runs, n_hostile_runs, table);
    check_all(hostile_traces, n_hostile_traces, table);
    if (table)
        fclose(table);
    rmdir(folder);
    printf("1..%u\n", n_tests);
    return n_failed > 0;
}
