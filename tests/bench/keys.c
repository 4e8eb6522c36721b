/* keys.c: measures the time from a key to the drawn screen, and from the start to the first screen.
 * Uses a pseudo-terminal.  A measure ends when the program reports that everything that the key
 * requested is drawn and the last byte has arrived; metrics for the details are computed
 * afterwards.
 *
 *     keys PROGRAM ROUNDS STARTS FILE...
 *     keys PROGRAM ROUNDS STARTS pictures|devices|kinds FILE...
 *
 * Measures regexes of all kinds as filters; every key of the screen in turn; then, in each view
 * with all rows open, keys that move and fold, and keys that change the presentation.  For
 * pictures: first frames, moves in time, and a time range applied to every view. For devices: the
 * timeline and the tables of a trace. For kinds: the first rows of each view, once for each start,
 * and each kind of change with all rows open. Processor time is that of the program until it has
 * drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tui/pty.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "timing.h"

/* Each group starts in the state that the previous one left; everything that opens is closed again.
 * Keys before a blank are typed first and not measured. */
static const char *const every_key[] = {
    "j", "k", "<pgdn>", "<pgup>", "G", "g", "l", "l", "j", "h", "<ret>", "<ret>", "*", "-", "+",
    "zR", "<pgdn>", "G", "zM", "z2", "zr", "zm", "<tab>", "<s-tab>", "2", "3", "4", "1", "/", "c",
    "o", "n", "v", "<ret>", "n", "N", "<esc>", "f", "c", "o", "n", "v", "<ret>", "u", "<c-r>", "u",
    "H", "u", "K", "u", "s", "<esc>", ">", ">", "<lt>", "<lt>", "I", "I", "S", "<esc>", "o", "<esc>",
    "]", "[", "A", "x", "<esc>", "i", "<esc>", "m", "a", "'", "a", "<space>", "<space>", "<c-o>",
    "e", "<esc>", "y", "Y", ":", "<esc>", "U", "<esc>", "<c-l>", "?", "<pgdn>", "<esc>", "<c-c>",
    NULL,
};

/* First frame, moves, zooms, search, and back to the tree. */
static const char *const flame_graph[] = {
    "F", "j", "l", "l", "h", "j", "j", "k", "<ret>", "j", "l", "<bs>", "<pgdn>", "<pgup>", "G", "g",
    "F", NULL,
};

/* Closes the picture unmeasured and opens it again. */
static const char *const flame_frame[] = {"F F", NULL};
static const char *const timeline_frame[] = {"7 7", NULL};
static const char *const memory_frame[] = {"6 6", NULL};
static const char *const roofline_frame[] = {"R R", NULL};

static const char *const timeline_moves[] = {
    "l", "l", "l", "+", "l", "+", "+", "h", "h", "}", "}", "{", "+", "+", "l", "l", "-", "-", "j",
    "<pgdn>", "k", "l", "h", "-", "}", "{", "+", "+", "+", "+", "l", "l", "l", "l", "h", "=", NULL,
};

/* Each closes the table unmeasured and opens it again; it was computed before. */
static const char *const table_frames[] = {"9 9", "8 8", NULL};

/* The table of kernels and its details. */
static const char *const table_moves[] = {
    "j", "j", "j", "k", "<pgdn>", "<pgup>", "G", "k", "g", ">", ">", "<lt>", "<lt>", "I", "I", NULL,
};

static const char *const roofline_moves[] = {
    "h", "h", "h", "l", "j", "j", "k", "<pgdn>", "<pgup>", "G", "g", NULL,
};

static const char *const memory_moves[] = {
    "l", "l", "l", "h", "P", "h", "h", "j", "j", "<pgdn>", "<pgup>", "s", "s", "s", "s", NULL,
};

/* Chooses a range unmeasured; then applies and removes it. */
static const char *const ranges[] = {
    "=vlllll v", "u", "+++vllllllll v", "vhhhhhhhhhhhhhhh v", "u", "u", "-vll <ret>", "V", NULL,
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

static const char *const filters[] = {
    ":set<space>-show_name_regexes<space>.*conv_1.* <ret>",
    ":set<space>-show_name_regexes<space>.*/bn_[0-9]+.* <ret>", "u", "u",
    ":set<space>-hide_name_regexes<space>.*conv_1.* <ret>", "u",
    ":set<space>-trim_name_regexes<space>.*conv_\\d+ <ret>", "u",
    ":set<space>-start_name_regexes<space>.*conv_2 <ret>", "u", NULL,
};

static const char *const accounts[] = {
    ":set<space>-account_type_regexes<space>Conv.* <ret>",
    ":set<space>-account_type_regexes<space>MatMul <ret>", "u", "u", NULL,
};

static const char *const steps_and_devices[] = {
    ":set<space>-step<space>0 <ret>", "u", ":set<space>-device_regexes<space>.*gpu:0.* <ret>",
    ":set<space>-device_regexes<space>.*cpu.* <ret>", "u", "u", NULL,
};

/* Each was on the screen before. */
static const char *const views[] = {"1", "2", "1", "4", "1", "3", "2", "4", "2", "3", "4", "3", NULL};

/* As users write them; names of gen.c are like "tower_0/conv_49/bn_3/Mul_868170". */
static const struct {
    const char *kind, *regex;
} regexes[] = {
    {"part", ".*conv_1.*"},
    {"parts", ".*tower_1/.*bn_2.*Add.*"},
    {"class at the end", ".*conv_\\d+"},
    {"class inside", ".*/bn_[0-9]+/.*"},
    {"alternatives", ".*/(conv|bn)_?[0-9]+/.*"},
    {"alternatives at the end", ".*(Add|Mul|Sub)_\\d+"},
    {"prefix", "tower_0/conv_\\d+/.*"},
    {"prefix by alternatives", "(tower|gradients)_?[0-2]/.*"},
    {"alternatives of all", ".*conv_1.*|.*bn_1.*"},
    {"alternatives and class at the end", ".*(conv|bn)_\\d+"},
    {"parts and class at the end", ".*conv_\\d/.*Mul_\\d+"},
    {"class alone", ".*_\\d+"},
    {"looking ahead", "(?!grad).*conv_1.*"},
    {"any case", "(?i).*CONV_1.*"},
    {"class first", "[a-z_0-9/]+Add_\\d+"},
    {"repeated group", "([a-z]+_\\d+/)+Mul.*"},
    {"too much work", ".*([a-z_0-9/]+)+x"},
};

struct group {
    const char *name;
    const char *before; /* keys that are not measured; NULL: none */
    const char *const *keys;
};

#define IN_VIEW(key, name)                                                                         \
    {"move, scroll, fold: " name, key ":set<space>-max_depth<space>1000000<ret>zR", moves},        \
        {"order, depth, threshold, field: " name, key, changes}, /* <ret> may have changed it */      \
        {"show, hide, trim, start: " name, key, filters}, {"account: " name, key, accounts}

static const struct group groups[] = {
    {"key to drawn screen", NULL, every_key},
    {"flame graph: scope", ":set<space>-max_depth<space>1000000<ret>", flame_graph},
    {"flame graph: graph", "2", flame_graph},
    {"flame graph: code", "3", flame_graph},
    IN_VIEW("1", "scope"),
    IN_VIEW("2", "graph"),
    IN_VIEW("3", "code"),
    IN_VIEW("4", "op"),
    {"view seen before", NULL, views},
    {"step, device: scope", "1", steps_and_devices},
};

static const struct group pictures[] = {
    {"flame graph: first frame", "1F", flame_frame},
    {"flame graph: moves", "F", flame_graph},
    {"tracks: first frame", "7", timeline_frame},
    {"tracks: pan, zoom, gaps", NULL, timeline_moves},
    {"tracks: count a range, scope", "1", ranges},
    {"tracks: count a range, graph", "2", ranges},
    {"tracks: count a range, op", "4", ranges},
    {"memory: first frame", "16", memory_frame},
    {"memory: moves", NULL, memory_moves},
    {"roofline: first frame", "1R", roofline_frame},
    {"roofline: moves", NULL, roofline_moves},
};

static const struct group devices[] = {
    {"timeline: first frame", "7", timeline_frame},
    {"timeline: pan, zoom, gaps", NULL, timeline_moves},
    {"tables: opened again", "89", table_frames},
    {"tables: move, sort", "9", table_moves},
};

/* Each view for the first time. */
static const struct group first_rows[] = {
    {"first rows: graph", NULL, (const char *const[]){"2", NULL}},
    {"first rows: op", NULL, (const char *const[]){"4", NULL}},
    {"first rows: code", NULL, (const char *const[]){"3", NULL}},
};

#define SET(option, value) ":set<space>-" option "<space>" value " <ret>"
#define EACH_KIND(view)                                                                            \
    {"move: " view, NULL, (const char *const[]){"j", "j", "<pgdn>", "G", "<pgup>", "k", "g", NULL}},   \
        {"order: " view, NULL, (const char *const[]){"I", ">", "<lt>", "I", NULL}},                 \
        {"depth: " view, NULL, (const char *const[]){SET("max_depth", "6"), "u", NULL}},            \
        {"threshold: " view, NULL, (const char *const[]){SET("min_micros", "5"), "u", NULL}},       \
        {"show: " view, NULL, (const char *const[]){SET("show_name_regexes", ".*conv_1.*"), NULL}}, \
        {"show, longer: " view, NULL,                                                              \
         (const char *const[]){SET("show_name_regexes", ".*conv_12.*"),                            \
                               SET("show_name_regexes", ".*conv_1.*"), NULL}},                     \
        {"show, other: " view, NULL,                                                               \
         (const char *const[]){SET("show_name_regexes", ".*/bn_[0-9]+.*"),                         \
                               SET("show_name_regexes", ".*conv_1.*"), NULL}},                     \
        {"show all: " view, NULL, (const char *const[]){SET("show_name_regexes", ".*"), NULL}},     \
        {"hide: " view, NULL,                                                                      \
         (const char *const[]){SET("hide_name_regexes", ".*conv_1.*"), "u", NULL}},                \
        {"trim: " view, NULL,                                                                      \
         (const char *const[]){SET("trim_name_regexes", ".*conv_\\d+"), "u", NULL}},               \
        {"start: " view, NULL,                                                                     \
         (const char *const[]){SET("start_name_regexes", ".*conv_2"), "u", NULL}},                 \
        {"account: " view, NULL, accounts}

static const struct group kinds[] = {
    {"open all rows", "1:set<space>-max_depth<space>1000000<ret>",
     (const char *const[]){"zR", "zM", "zR", NULL}},
    EACH_KIND("scope"),
    {"step: scope", NULL, (const char *const[]){SET("step", "0"), "u", NULL}},
    {"open all rows: graph", "2", (const char *const[]){"zR", "zM", "zR", NULL}},
    EACH_KIND("graph"),
    {"open all rows: code", "3", (const char *const[]){"zR", "zM", "zR", NULL}},
    EACH_KIND("code"),
    {"open all rows: op", "4", (const char *const[]){"zR", "zM", "zR", NULL}},
    EACH_KIND("op"),
};

static const struct {
    const char *name;
    const struct group *groups;
    size_t n;
    bool has_first_rows; /* also measures first_rows at each start */
} modes[] = {
    {"pictures", pictures, sizeof pictures / sizeof *pictures, false},
    {"devices", devices, sizeof devices / sizeof *devices, false},
    {"kinds", kinds, sizeof kinds / sizeof *kinds, true},
};

enum { N_MODES = sizeof modes / sizeof *modes, N_FIRST = sizeof first_rows / sizeof *first_rows };

struct times {
    VEC(double) all_ms;
    VEC(double) cpu_ms; /* processor time of the program */
    double worst_ms[128]; /* by key */
};

static void must_sync(struct pty *p, const char *key, bool (*sync)(struct pty *p))
{
    if (sync(p))
        return;
    fprintf(stderr, "keys: the program ended at %s: %s\n", key, sb_text(&p->errors));
    exit(1);
}

/* Types KEY when nothing is running; measures only the part after a blank. CPU_MS: processor time
 * of the program; may be NULL. */
static double time_key(struct pty *p, const char *key, double *cpu_ms)
{
    const char *blank = strchr(key, ' ');
    double start, cpu_start, took;
    clockid_t cpu = CLOCK_MONOTONIC;

    if (blank) {
        char *first = xmemdupz(key, (size_t)(blank - key));

        pty_keys(p, first);
        free(first);
        key = blank + 1;
    }
    must_sync(p, key, pty_sync);
    if (cpu_ms)
        clock_getcpuclockid(p->pid, &cpu);
    cpu_start = now_ms(cpu);
    start = now_ms(CLOCK_MONOTONIC);
    pty_keys(p, key);
    must_sync(p, key, pty_sync_early);
    took = now_ms(CLOCK_MONOTONIC) - start;
    if (cpu_ms)
        *cpu_ms = now_ms(cpu) - cpu_start;
    return took;
}

static void one_round(struct pty *p, const struct group *g, struct times *t)
{
    for (size_t i = 0; g->keys[i]; i++) {
        double cpu_ms;
        const double took = time_key(p, g->keys[i], &cpu_ms);

        vec_push(&t->all_ms, took);
        vec_push(&t->cpu_ms, cpu_ms);
        if (took > t->worst_ms[i])
            t->worst_ms[i] = took;
    }
}

static const char *slowest(const struct group *g, const struct times *t)
{
    size_t worst = 0;

    for (size_t i = 0; g->keys[i]; i++)
        if (t->worst_ms[i] > t->worst_ms[worst])
            worst = i;
    return g->keys[worst];
}

static void print_times(const struct group *g, struct times *t)
{
    static const struct {
        const char *name;
        double part;
    } parts[] = {{"least", 0}, {"50%", 0.5}, {"99%", 0.99}, {"worst", 1}};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        printf("%s, %s\t%.2f\tms\tprocessor %.2f, %zu keys, slowest %s\n", g->name, parts[i].name,
               percentile(t->all_ms.data, t->all_ms.n, parts[i].part),
               percentile(t->cpu_ms.data, t->cpu_ms.n, parts[i].part), t->all_ms.n, slowest(g, t));
    fflush(stdout);
    EACH(vec_done, &t->all_ms, &t->cpu_ms);
}

static void time_group(struct pty *p, const struct group *g, int rounds)
{
    struct times t = {0};

    if (g->before) {
        pty_keys(p, g->before);
        must_sync(p, g->before, pty_sync);
    }
    for (int round = 0; round < rounds; round++)
        one_round(p, g, &t);
    print_times(g, &t);
}

/* Sets the filter OPTION to each regex in turn, and clears it in between. */
static void time_regexes(struct pty *p, const char *option, int rounds)
{
    for (size_t i = 0; i < sizeof regexes / sizeof *regexes; i++) {
        struct strbuf key = {0};
        VEC(double) all_ms = {0};

        sb_addf(&key, ":set<space>-%s_name_regexes<space>%s <ret>", option, regexes[i].regex);
        for (int round = 0; round < rounds; round++) {
            const double took = time_key(p, sb_text(&key), NULL);

            vec_push(&all_ms, took);
            time_key(p, "u", NULL);
        }
        printf("%s by a regex: %s\t%.2f\tms\t%s\n", option, regexes[i].kind,
               percentile(all_ms.data, all_ms.n, 0.5), regexes[i].regex);
        fflush(stdout);
        vec_done(&all_ms);
        sb_done(&key);
    }
}

/* True if G is measured: always, or if its name contains the environment variable ONLY. */
static bool is_wanted(const struct group *g)
{
    const char *only = getenv("ONLY");

    return !only || strstr(g->name, only);
}

static void time_groups(struct pty *p, const struct group *list, size_t n, int rounds)
{
    for (size_t g = 0; g < n; g++)
        if (is_wanted(&list[g]))
            time_group(p, &list[g], rounds);
        else if (list[g].before)
            pty_keys(p, list[g].before);
}

/* The mode of NAME; N_MODES: a file. */
static int mode_of(const char *name)
{
    int mode = 0;

    while (mode < N_MODES && strcmp(name, modes[mode].name) != 0)
        mode++;
    return mode;
}

int main(int argc, char **argv)
{
    struct pty_setup setup = {.rows = 36, .cols = 120};
    const int rounds = argc > 4 ? atoi(argv[2]) : 0, starts = argc > 4 ? atoi(argv[3]) : 0;
    const int mode = argc > 5 ? mode_of(argv[4]) : N_MODES;
    const int first_file = mode < N_MODES ? 5 : 4;
    const char **program;
    VEC(double) open_ms = {0};
    struct times first[N_FIRST] = {0};
    struct pty *p = NULL;

    if (rounds < 1 || starts < 1) {
        fputs("usage: keys PROGRAM ROUNDS STARTS [pictures|devices|kinds] FILE...\n", stderr);
        return 2;
    }
    program = xcalloc((size_t)argc, sizeof *program);
    program[0] = argv[1];
    for (int i = first_file; i < argc; i++)
        program[i - first_file + 1] = argv[i];
    setup.argv = program;
    for (int i = 0; i < starts; i++) {
        const double start = now_ms(CLOCK_MONOTONIC);

        if (p)
            pty_free(p);
        p = pty_start(&setup);
        vec_push(&open_ms, now_ms(CLOCK_MONOTONIC) - start);
        for (size_t g = 0; mode < N_MODES && modes[mode].has_first_rows && g < N_FIRST; g++)
            one_round(p, &first_rows[g], &first[g]);
    }
    if (mode < N_MODES) {
        for (size_t g = 0; g < N_FIRST && first[g].all_ms.n; g++)
            print_times(&first_rows[g], &first[g]);
        time_groups(p, modes[mode].groups, modes[mode].n, rounds);
    } else {
        printf("open to drawn screen\t%.1f\tms\n", percentile(open_ms.data, open_ms.n, 0.5));
        time_regexes(p, "show", rounds);
        time_regexes(p, "trim", rounds);
        time_groups(p, groups, sizeof groups / sizeof *groups, rounds);
    }
    pty_free(p);
    vec_done(&open_ms);
    free(program);
    return 0;
}
