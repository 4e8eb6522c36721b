/* test_fuzz_keys.c: random keys, pastes, mouse events and resizes.  After each of them the screen
 * is consistent, nothing was written to standard error and parsing the displayed command line gives
 * the same options; after undoing everything the first screen is back.  TFPROF_FUZZ_SEED sets the
 * seed (printed on failure), TFPROF_FUZZ_SECONDS the duration; without it the number of steps is
 * fixed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

#include "fixtures/random_keys.h"
#include "session/session.h"
#include "term/canvas.h"
#include "tfprof.h"

enum { STEPS = 2000, STEPS_A_RUN = 200, MAX_UNDO = 2 * STEPS_A_RUN, LOG_KEYS = 12 };

struct fuzz {
    uint64_t seed, run_seed; /* current, and at the start of this run */
    struct pty *p;
    struct strbuf log; /* events sent in this run, as macros */
};

static uint32_t pick(struct fuzz *f, uint32_t n)
{
    return random_below(&f->seed, n);
}

static void send_key(struct fuzz *f)
{
    struct strbuf key = {0};

    random_key(&key, &f->seed);
    pty_keys(f->p, sb_text(&key));
    sb_add(&f->log, sb_text(&key), key.len);
    sb_done(&key);
}

static void send_mouse(struct fuzz *f)
{
    char bytes[64];
    const uint32_t button = (uint32_t[]){0, 0, 0, 2, 64, 65}[pick(f, 6)];
    int len = snprintf(bytes, sizeof bytes, "\033[<%u;%u;%u%c", button, pick(f, 130), pick(f, 40),
                       pick(f, 4) ? 'M' : 'm');

    pty_bytes(f->p, bytes, (size_t)len);
    sb_addf(&f->log, "{mouse %s}", bytes + 2);
}

static void send_paste(struct fuzz *f)
{
    static const char *const texts[] = {
        "q", "q\nq\n", "scope -max_depth 3\n", "\033[A\033[31m", "\xff\xfe", "",
        ".*conv.*,unit_[0-9]", "\xe4\xb8\xad\xe6\x96\x87",
    };
    struct strbuf paste = {0};

    /* In one write: a paste whose end arrives late ends early, and the rest is read as keys. */
    sb_addf(&paste, "\033[200~%s\033[201~", texts[pick(f, sizeof texts / sizeof *texts)]);
    pty_bytes(f->p, sb_text(&paste), paste.len);
    sb_addf(&f->log, "{paste %s}", sb_text(&paste) + 6);
    sb_done(&paste);
}

static void send_resize(struct fuzz *f)
{
    static const int rows[] = {24, 36, 20, 5, 1, 50, 3}, cols[] = {80, 120, 60, 20, 1, 200, 100};
    int row = rows[pick(f, 7)], col = cols[pick(f, 7)];

    pty_resize(f->p, row, col);
    sb_addf(&f->log, "{%dx%d}", col, row);
}

static void send_something(struct fuzz *f)
{
    const uint32_t what = pick(f, 100);

    if (what < 4)
        send_resize(f);
    else if (what < 8)
        send_mouse(f);
    else if (what < 10)
        send_paste(f);
    else
        for (uint32_t n = what < 14 ? pick(f, 20) : 0; n + 1 > 0; n--)
            send_key(f);
}

/* Appends the line that reproduces CL; the line of a table has the options of VIEW, which the table covers. */
static void print_line(struct strbuf *sb, struct command_line *cl, enum view_id view)
{
    const struct session session = {.files = cl->files};

    sb_clear(sb);
    if (cl->options.order_by == ORDER_TOTAL) /* the default of tables is not displayed */
        cl->options.order_by = ORDER_NAME;
    if (cl->command->table)
        session_print_table_command(sb, &session, cl->command->table, NULL, view, &cl->options);
    else
        session_print_command(sb, &session, cl->command->view, &cl->options);
}

/* A command line behind the name of the command. */
static const char *tail(const char *line)
{
    return strchr(line + strlen("tfprof "), ' ');
}

/* Parsing LINE and printing the options gives LINE again. */
static void assert_reads_back(const char *line)
{
    struct command_line cl;
    struct strbuf again = {0};
    struct err err = {0};

    if (!*line)
        return; /* still loading */
    assert_int_equal(strncmp(line, "tfprof ", 7), 0);
    if (!command_line_parse_text(&cl, line + 7, AT_PROGRAM, NULL, &err))
        fail_msg("%s: %s", line, err_text(&err));
    sb_adds(&again, "tfprof none ");
    for (int view = VIEW_COUNT - 1; view >= 0 && strcmp(tail(sb_text(&again)), tail(line)) != 0; view--)
        print_line(&again, &cl, (enum view_id)view);
    assert_string_equal(tail(sb_text(&again)), tail(line));
    sb_done(&again);
    command_line_done(&cl);
}

static void assert_whole(struct fuzz *f)
{
    const struct canvas *c = &f->p->canvas;

    assert_in_range(c->cursor_row, 0, c->rows - 1);
    assert_in_range(c->cursor_col, 0, c->cols - 1);
    assert_string_equal(sb_text(&f->p->errors), "");
    assert_reads_back(sb_text(&f->p->state));
}

/* The tree pane without the parts that undo does not restore: messages, footer, and the first
 * column with cursor and marks. */
static char *rows_of_screen(struct pty *p)
{
    struct strbuf sb = {0};

    for (int row = 2; row < 18; row++) {
        canvas_dump_row(&sb, &p->canvas, row);
        if (sb.data[sb.len - 1] != '\n')
            *(strrchr(sb.data, '\n') ? strrchr(sb.data, '\n') + 1 : sb.data) = ' ';
        sb_addc(&sb, '\n');
    }
    return sb_take(&sb);
}

static void normal(struct fuzz *f)
{
    pty_resize(f->p, 24, 80);
    for (int i = 0; i < 40; i++) /* many nested help windows */
        pty_keys(f->p, "<esc>");
    pty_keys(f->p, "<c-w>h");
}

/* True when two command lines name the same files, before their options. */
static bool have_same_files(const char *a, const char *b)
{
    const size_t n = strcspn(tail(a), "-");

    return n == strcspn(tail(b), "-") && strncmp(tail(a), tail(b), n) == 0;
}

static void assert_undone(struct fuzz *f, const char *first, const char *first_state)
{
    char *now;

    normal(f);
    for (int i = 0; i < MAX_UNDO; i++)
        pty_keys(f->p, "u");
    /* The last undo restores the cursor position, then it may move. */
    if (!pty_sync(f->p))
        return;
    pty_keys(f->p, "g");
    if (!pty_sync(f->p))
        return;
    if (!have_same_files(sb_text(&f->p->state), first_state) || pty_shows(f->p, " DELTA"))
        return; /* undo does not change the files and the baseline */
    assert_string_equal(sb_text(&f->p->state), first_state);
    now = rows_of_screen(f->p);
    if (strcmp(now, first) != 0)
        printf("# first:\n%s# now:\n%s", first, now);
    assert_true(!strcmp(now, first));
    free(now);
}

static void start_program(struct fuzz *f)
{
    static const char *const env[] = {"SHELL=/bin/true", "VISUAL=/bin/true", NULL};
    char profile[512];
    const char *args[] = {profile, NULL};
    const char *given = getenv("TFPROF_FUZZ_PROFILE");

    snprintf(profile, sizeof profile, "%s/data/resnet32.pb.gz", getenv("top_srcdir"));
    if (given)
        args[0] = given;
    sb_clear(&f->log);
    f->run_seed = f->seed;
    f->p = tfprof_start((struct pty_setup){.env = env, .in_home = true}, args);
    assert_false(f->p->ended);
}

/* Sends random events until the program quits or the run is long enough. */
static int one_run(struct fuzz *f)
{
    char *first, *first_state;
    int steps = 0;

    start_program(f);
    pty_type(f->p, "g");
    first = rows_of_screen(f->p);
    first_state = strdup(sb_text(&f->p->state));
    for (; steps < STEPS_A_RUN; steps++) {
        send_something(f);
        if (!pty_sync(f->p))
            break;
        assert_whole(f);
    }
    if (!f->p->ended)
        assert_undone(f, first, first_state);
    if (!f->p->ended) {
        pty_keys(f->p, "Q");
        pty_wait_end(f->p);
    }
    assert_string_equal(sb_text(&f->p->errors), "");
    assert_true(WIFEXITED(f->p->status));
    pty_assert_restored(f->p);
    pty_free(f->p);
    f->p = NULL;
    free(first);
    free(first_state);
    return steps;
}

static struct fuzz the_fuzz; /* printed by the teardown after a failure */

static void random_keys_break_nothing(void **state)
{
    struct fuzz *f = &the_fuzz;
    const char *seconds = getenv("TFPROF_FUZZ_SECONDS");
    const char *seed = getenv("TFPROF_FUZZ_SEED");
    time_t end = seconds ? time(NULL) + atoi(seconds) : 0;

    (void)state;
    f->seed = seed ? strtoull(seed, NULL, 10) : 1;
    for (int steps = 0; end ? time(NULL) < end : steps < STEPS;)
        steps += one_run(f) + 1;
}

static int print_sent_events(void **state)
{
    (void)state;
    if (the_fuzz.p) {
        char *dump = pty_dump(the_fuzz.p);

        fprintf(stderr, "# TFPROF_FUZZ_SEED=%llu repeats this\n# sent: %s\n# errors: %s\n%s",
                (unsigned long long)the_fuzz.run_seed, sb_text(&the_fuzz.log),
                sb_text(&the_fuzz.p->errors), dump);
        free(dump);
        pty_free(the_fuzz.p);
    }
    sb_done(&the_fuzz.log);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(random_keys_break_nothing, print_sent_events),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
