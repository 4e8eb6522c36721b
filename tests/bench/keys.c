/* keys.c: how long a key takes to the drawn screen, and how long the program
 * takes to its first one.  Through a pseudo-terminal, as a person has it; what
 * is measured ends when the program says that nothing is left to draw and the
 * last byte has arrived.
 *
 *     keys PROGRAM ROUNDS FILE...
 *
 * Every key of the screen in turn; then, in each view with all rows open, the
 * keys that move and fold, and those that show the same view another way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../tui/pty.h"
#include "base/vec.h"
#include "base/xalloc.h"

/* Each group goes on from the state that the one before left; all that opens
 * something closes it.  What stands before a blank is typed first and not
 * measured. */
static const char *const every_key[] = {
    "j", "k", "<pgdn>", "<pgup>", "G", "g", "l", "l", "j", "h", "<ret>", "<ret>", "*", "-", "+",
    "zR", "<pgdn>", "G", "zM", "z2", "zr", "zm", "<tab>", "<s-tab>", "2", "3", "4", "1", "/", "c",
    "o", "n", "v", "<ret>", "n", "N", "<esc>", "f", "c", "o", "n", "v", "<ret>", "u", "<c-r>", "u",
    "H", "u", "K", "u", "s", "<esc>", ">", ">", "<lt>", "<lt>", "I", "I", "S", "<esc>", "o", "<esc>",
    "]", "[", "0", "x", "<esc>", "i", "<esc>", "m", "a", "'", "a", "<space>", "<space>", "<c-o>",
    "e", "<esc>", "y", "Y", ":", "<esc>", "U", "<esc>", "<c-l>", "?", "<pgdn>", "<esc>", "<c-c>",
    NULL,
};

static const char *const moves[] = {
    "j", "j", "j", "<pgdn>", "<pgdn>", "j", "k", "<pgup>", "<c-d>", "<c-d>", "<c-u>", "G", "k",
    "k", "<pgup>", "<pgup>", "h", "g", "j", "h", "l", "j", "h", "l", "<pgdn>", "h", "h", "l", "l",
    "g", "-", "+", "j", "*", "*", "<pgdn>", "<pgdn>", "<ret>", "<esc>", "<tab>", "<s-tab>", "g", NULL,
};

static const char *const changes[] = {
    ">", ">", "<lt>", "<lt>", "I", "I",
    ":set<space>-max_depth<space>6 <ret>", ":set<space>-max_depth<space>5 <ret>", "u", "u",
    ":set<space>-min_float_ops<space>2 <ret>", ":set<space>-min_float_ops<space>1000 <ret>", "u",
    "u", ":set<space>-min_micros<space>5 <ret>", "u",
    ":set<space>-select<space>bytes,params,float_ops <ret>", "u",
    ":set<space>-order_by<space>bytes <ret>", "u", NULL,
};

struct group {
    const char *name;
    const char *before; /* keys that are not measured; NULL: none */
    const char *const *keys;
};

#define IN_VIEW(key, name)                                                                         \
    {"move, scroll, fold: " name, key ":set<space>-max_depth<space>1000000<ret>zR", moves},        \
        {"order, depth, threshold, field: " name, NULL, changes}

static const struct group groups[] = {
    {"key to drawn screen", NULL, every_key},
    IN_VIEW("", "scope"),
    IN_VIEW("2", "graph"),
    IN_VIEW("3", "code"),
    IN_VIEW("4", "op"),
};

struct times {
    VEC(double) all_ms;
    double worst_ms[128]; /* by key */
};

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double percentile(const struct times *t, double part)
{
    size_t at = (size_t)(part * (double)(t->all_ms.n - 1) + 0.5);

    return t->all_ms.data[at];
}

static void must_sync(struct pty *p, const char *key)
{
    if (pty_sync(p))
        return;
    fprintf(stderr, "keys: the program ended at %s: %s\n", key, sb_text(&p->errors));
    exit(1);
}

/* Types KEY, all but what stands behind its blank unmeasured. */
static double time_key(struct pty *p, const char *key)
{
    const char *blank = strchr(key, ' ');
    double start;

    if (blank) {
        char *first = xmemdupz(key, (size_t)(blank - key));

        pty_keys(p, first);
        must_sync(p, first);
        free(first);
        key = blank + 1;
    }
    start = now_ms();
    pty_keys(p, key);
    must_sync(p, key);
    return now_ms() - start;
}

static void one_round(struct pty *p, const struct group *g, struct times *t)
{
    for (size_t i = 0; g->keys[i]; i++) {
        const double took = time_key(p, g->keys[i]);

        vec_push(&t->all_ms, took);
        if (took > t->worst_ms[i])
            t->worst_ms[i] = took;
    }
}

static void print_worst(const struct group *g, struct times *t)
{
    for (int n = 0; n < 5; n++) {
        size_t worst = 0;

        for (size_t i = 0; g->keys[i]; i++)
            if (t->worst_ms[i] > t->worst_ms[worst])
                worst = i;
        printf("  slowest: %-8s (key %zu) %7.2f ms\n", g->keys[worst], worst, t->worst_ms[worst]);
        t->worst_ms[worst] = 0;
    }
}

static void time_group(struct pty *p, const struct group *g, int rounds)
{
    struct times t = {0};

    if (g->before) {
        pty_keys(p, g->before);
        must_sync(p, g->before);
    }
    for (int round = 0; round < rounds; round++)
        one_round(p, g, &t);
    qsort(t.all_ms.data, t.all_ms.n, sizeof *t.all_ms.data, compare);
    printf("%s, %zu keys: 50%% %.2f ms, 90%% %.2f, 99%% %.2f, worst %.2f\n", g->name, t.all_ms.n,
           percentile(&t, 0.5), percentile(&t, 0.9), percentile(&t, 0.99), percentile(&t, 1));
    print_worst(g, &t);
    fflush(stdout);
    vec_done(&t.all_ms);
}

int main(int argc, char **argv)
{
    struct pty_setup setup = {.rows = 36, .cols = 120};
    const char **program;
    double open_ms = 1e9;

    if (argc < 4) {
        fputs("usage: keys PROGRAM ROUNDS FILE...\n", stderr);
        return 2;
    }
    program = xcalloc((size_t)argc, sizeof *program);
    program[0] = argv[1];
    for (int i = 3; i < argc; i++)
        program[i - 2] = argv[i];
    setup.argv = program;
    for (int i = 0; i < 5; i++) {
        const double start = now_ms();
        struct pty *p = pty_start(&setup);

        if (now_ms() - start < open_ms)
            open_ms = now_ms() - start;
        for (size_t g = 0; i == 4 && g < sizeof groups / sizeof *groups; g++)
            time_group(p, &groups[g], atoi(argv[2]));
        pty_free(p);
    }
    printf("open to drawn screen, best of 5      %7.2f ms\n", open_ms);
    free(program);
    return 0;
}
