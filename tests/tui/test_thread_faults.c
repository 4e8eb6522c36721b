/* test_thread_faults.c: a fault in any thread restores the terminal, and a lost page of a mapped
 * file reads as zeros in every thread. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "base/wire_out.h"
#include "tfprof.h"

/* Large enough for separate threads that decode, sort and decompress. */
enum { N_NODES = 25000, DEVICE_BYTES = 160 };
enum { FIELD_NODE = 1, FIELD_NAME = 1, FIELD_OP = 2, FIELD_DEVICE = 4, FIELD_ATTR = 5 };

static const int fatal[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGSYS, SIGTRAP,
                            SIGABRT, SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2};
enum { N_FATAL = sizeof fatal / sizeof *fatal };

/* Every name passed to thread_start() while the screen is displayed, with an input that starts the
 * thread. */
static const struct {
    const char *thread;
    bool packed;
} threads[] = {{"query", false},  {"read", false},       {"share", false},
               {"decode", false}, {"sort names", false}, {"unpack", true}};
enum { N_THREADS = sizeof threads / sizeof *threads };

struct world {
    char *home;
    char plain[512], packed[512], order[512];
    int order_fd; /* open for reading and writing, so that opening the FIFO never blocks */
};

/* ---- inputs */

/* An attribute; it is left in the file and decoded when it is displayed. */
static void add_shape(struct strbuf *node)
{
    /* key: "shape" value { shape { dim { size: 2 } } } */
    static const char shape[] = "\n\5shape\22\6\72\4\22\2\10\2";

    wire_bytes(node, FIELD_ATTR, shape, sizeof shape - 1);
}

static void add_node(struct strbuf *graph, uint32_t number)
{
    struct strbuf node = {0};
    char name[32], device[DEVICE_BYTES + 1];
    uint32_t random = number * 2654435761u + 1;

    for (size_t i = 0; i < DEVICE_BYTES; i++) {
        random = random * 1664525u + 1013904223u;
        device[i] = "0123456789abcdef"[random >> 28];
    }
    device[DEVICE_BYTES] = '\0';
    snprintf(name, sizeof name, "a/n%u", number);
    wire_bytes(&node, FIELD_NAME, name, strlen(name));
    wire_bytes(&node, FIELD_OP, "Placeholder", 11);
    wire_bytes(&node, FIELD_DEVICE, device, DEVICE_BYTES);
    add_shape(&node);
    wire_bytes(graph, FIELD_NODE, sb_text(&node), node.len);
    sb_done(&node);
}

static void write_inputs(const struct world *w)
{
    struct strbuf graph = {0};
    FILE *plain = fopen(w->plain, "w");
    gzFile packed = gzopen(w->packed, "w1");

    for (uint32_t i = 0; i < N_NODES; i++)
        add_node(&graph, i);
    assert_non_null(plain);
    assert_int_equal(fwrite(graph.data, 1, graph.len, plain), graph.len);
    assert_int_equal(fclose(plain), 0);
    assert_int_equal(gzwrite(packed, graph.data, (unsigned)graph.len), (int)graph.len);
    assert_int_equal(gzclose(packed), Z_OK);
    sb_done(&graph);
}

static int make_world(void **state)
{
    struct world *w = calloc(1, sizeof *w);

    w->home = strdup("/tmp/tfprof-test-XXXXXX");
    assert_non_null(mkdtemp(w->home));
    snprintf(w->plain, sizeof w->plain, "%s/big.pb", w->home);
    snprintf(w->packed, sizeof w->packed, "%s/big.pb.gz", w->home);
    snprintf(w->order, sizeof w->order, "%s/order", w->home);
    write_inputs(w);
    assert_int_equal(mkfifo(w->order, 0600), 0);
    w->order_fd = open(w->order, O_RDWR | O_CLOEXEC);
    assert_true(w->order_fd >= 0);
    *state = w;
    return 0;
}

static int world_free(void **state)
{
    struct world *w = *state;
    char command[600];

    close(w->order_fd);
    snprintf(command, sizeof command, "rm -rf '%s'", w->home);
    assert_int_equal(system(command), 0);
    free(w->home);
    free(w);
    return 0;
}

/* ---- a program with one waiting thread */

static struct pty *start_held(const struct world *w, size_t thread)
{
    char program[512], held[64], order[600];
    const char *const argv[] = {program, threads[thread].packed ? w->packed : w->plain, NULL};
    const char *const env[] = {held, order, "TFPROF_THREADS=2", NULL};
    const struct pty_setup setup = {.argv = argv, .env = env, .unsynced = true};
    struct pty *p;

    snprintf(program, sizeof program, "%s/tests/tui/held", getenv("top_builddir"));
    snprintf(held, sizeof held, "TFPROF_HELD_THREAD=%s", threads[thread].thread);
    snprintf(order, sizeof order, "TFPROF_HELD_ORDER=%s", w->order);
    p = pty_start(&setup);
    pty_wait_text(p, "\033[?1049h");
    return p;
}

/* Writes a command for the thread to read when it starts.  Does not wait, so that the program's
 * output is read meanwhile and its end is noticed. */
static void give_order(const struct world *w, const char *order)
{
    const ssize_t len = (ssize_t)strlen(order);

    assert_int_equal(write(w->order_fd, order, (size_t)len), len);
}

/* Waits for the end by SIGNAL, or by a sanitizer that catches it first. */
static void assert_dies_of(struct pty *p, int signal_number)
{
    pty_wait_end(p);
    if (WIFSIGNALED(p->status))
        assert_int_equal(WTERMSIG(p->status), signal_number);
    else
        assert_non_null(strstr(sb_text(&p->errors), "Sanitizer"));
    pty_assert_restored(p);
    pty_free(p);
}

static void every_fatal_signal_in_every_thread(void **state)
{
    const struct world *w = *state;

    for (size_t i = 0; i < N_THREADS; i++)
        for (size_t k = 0; k < N_FATAL; k++) {
            struct pty *p = start_held(w, i);
            char order[16];

            snprintf(order, sizeof order, "%d", fatal[k]);
            give_order(w, order);
            assert_dies_of(p, fatal[k]);
        }
}

static void every_fatal_signal_in_the_thread_of_the_screen(void **state)
{
    static const char *const args[] = {"data/resnet32.pb.gz", NULL};

    (void)state;
    for (size_t k = 0; k < N_FATAL; k++) {
        struct pty *p = tfprof_start((struct pty_setup){0}, args);

        assert_int_equal(syscall(SYS_tgkill, p->pid, p->pid, fatal[k]), 0);
        assert_dies_of(p, fatal[k]);
    }
}

static void memory_faults_in_every_thread(void **state)
{
    const struct world *w = *state;

    for (size_t i = 0; i < N_THREADS; i++) {
        struct pty *p = start_held(w, i);

        give_order(w, "write");
        assert_dies_of(p, SIGSEGV);
    }
}

static void stack_overflows_in_every_thread(void **state)
{
    const struct world *w = *state;

    for (size_t i = 0; i < N_THREADS; i++) {
        struct pty *p = start_held(w, i);

        give_order(w, "overflow");
        assert_dies_of(p, SIGSEGV);
    }
}

static void a_lost_page_reads_as_zeros_in_every_thread(void **state)
{
    const struct world *w = *state;

    for (size_t i = 0; i < N_THREADS; i++) {
        struct pty *p = start_held(w, i);

        give_order(w, "cut");
        assert_true(pty_sync(p));
        pty_keys(p, "Q");
        pty_wait_end(p);
        assert_true(WIFEXITED(p->status));
        assert_int_equal(WEXITSTATUS(p->status), 0);
        assert_string_equal(sb_text(&p->errors), "read 0, lost 1\n");
        pty_assert_restored(p);
        pty_free(p);
    }
}

/* Data read before the truncation stays; data decoded later is zeros. */
static void a_displayed_file_is_truncated(void **state)
{
    static const char *const views[] = {"2", "3", "4", "1", "G", "<ret>"};
    const struct world *w = *state;
    const char *const args[] = {w->plain, NULL};
    struct pty *p = tfprof_start((struct pty_setup){0}, args);

    assert_int_equal(truncate(w->plain, 0), 0);
    pty_type(p, ":set -select float_ops -flops compat<ret>");
    assert_true(pty_shows(p, "was truncated"));
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        pty_type(p, views[i]);
    tfprof_quit(p);
    write_inputs(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fatal_signal_in_every_thread),
        cmocka_unit_test(every_fatal_signal_in_the_thread_of_the_screen),
        cmocka_unit_test(memory_faults_in_every_thread),
        cmocka_unit_test(stack_overflows_in_every_thread),
        cmocka_unit_test(a_lost_page_reads_as_zeros_in_every_thread),
        cmocka_unit_test(a_displayed_file_is_truncated),
    };

    return cmocka_run_group_tests(tests, make_world, world_free);
}
