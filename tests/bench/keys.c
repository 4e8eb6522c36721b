/* keys.c: how long a key takes to the drawn screen, for every key of the
 * screen, and how long the program takes to its first one.  Through a
 * pseudo-terminal, as a person has it; what is measured ends when the program
 * says that nothing is left to draw and the last byte has arrived.
 *
 *     keys PROGRAM PROFILE [ROUNDS] */
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

/* Keys that are pressed in turn, each group from the state that the one
 * before left; all that opens something closes it. */
static const char *const script[] = {
    "j", "k", "<pgdn>", "<pgup>", "G", "g", "l", "l", "j", "h", "<ret>", "<ret>", "*", "-", "+",
    "zR", "<pgdn>", "G", "zM", "z2", "zr", "zm", "<tab>", "<s-tab>", "2", "3", "4", "1", "/", "c",
    "o", "n", "v", "<ret>", "n", "N", "<esc>", "f", "c", "o", "n", "v", "<ret>", "u", "<c-r>", "u",
    "H", "u", "K", "u", "s", "<esc>", ">", ">", "<lt>", "<lt>", "I", "I", "S", "<esc>", "o", "<esc>",
    "]", "[", "0", "x", "<esc>", "m", "a", "'", "a", "<space>", "<space>", "<c-o>", "e", "<esc>",
    "y", "Y", ":", "<esc>", "U", "<esc>", "<c-l>", "?", "<pgdn>", "<esc>", "<c-c>",
};

enum { N_SCRIPT = sizeof script / sizeof *script };

struct times {
    VEC(double) all_ms;
    double worst_ms[N_SCRIPT];
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

static void one_round(struct pty *p, struct times *t)
{
    for (size_t i = 0; i < N_SCRIPT; i++) {
        double start = now_ms(), took;

        pty_keys(p, script[i]);
        if (!pty_sync(p)) {
            fprintf(stderr, "keys: the program ended at %s: %s\n", script[i], sb_text(&p->errors));
            exit(1);
        }
        took = now_ms() - start;
        vec_push(&t->all_ms, took);
        if (took > t->worst_ms[i])
            t->worst_ms[i] = took;
    }
}

static void print_worst(const struct times *t)
{
    for (int n = 0; n < 5; n++) {
        size_t worst = 0;
        static bool told[N_SCRIPT];

        for (size_t i = 0; i < N_SCRIPT; i++)
            if (told[worst] || (!told[i] && t->worst_ms[i] > t->worst_ms[worst]))
                worst = i;
        told[worst] = true;
        printf("  slowest: %-8s (key %zu) %7.2f ms\n", script[worst], worst, t->worst_ms[worst]);
    }
}

int main(int argc, char **argv)
{
    struct times t = {0};
    struct pty_setup setup = {.rows = 36, .cols = 120};
    int rounds = argc > 3 ? atoi(argv[3]) : 20;
    double start, open_ms = 1e9;

    if (argc < 3) {
        fputs("usage: keys PROGRAM PROFILE [ROUNDS]\n", stderr);
        return 2;
    }
    setup.argv = (const char *[]){argv[1], argv[2], NULL};
    for (int i = 0; i < 5; i++) {
        struct pty *p;

        start = now_ms();
        p = pty_start(&setup);
        if (now_ms() - start < open_ms)
            open_ms = now_ms() - start;
        for (int round = 0; i == 4 && round < rounds; round++)
            one_round(p, &t);
        pty_free(p);
    }
    qsort(t.all_ms.data, t.all_ms.n, sizeof *t.all_ms.data, compare);
    printf("open to drawn screen, best of 5      %7.2f ms\n", open_ms);
    printf("key to drawn screen, %5zu keys: 50%% %7.2f ms, 90%% %.2f, 99%% %.2f, worst %.2f\n",
           t.all_ms.n, percentile(&t, 0.5), percentile(&t, 0.9), percentile(&t, 0.99),
           percentile(&t, 1));
    print_worst(&t);
    vec_done(&t.all_ms);
    return 0;
}
