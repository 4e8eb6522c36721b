/* test_trace_threads.c: the loaded trace depends neither on the number of threads nor on the batch
 * boundaries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/sanitize.h"
#include "base/strbuf.h"
#include "fixtures/load_fixture.h"
#include "fixtures/load_with.h"
#include "fixtures/same_profile.h"
#include "model/recorder.h"

/* Large enough for several threads, and for many batches. */
enum { N_EVENTS = 40000, SHARED_FROM_BYTES = 4 << 20 };

/* Kinds of damage of a file. */
enum damage {
    WHOLE = 0,
    QUOTES = 1,    /* bare quotes in some names */
    SKIPPED = 2,   /* unreadable events */
    OTHERS = 4,    /* elements that are not events, and times that are not numbers */
    CUT = 8,       /* the file ends within an event */
    LIKELY = 16,   /* positions inside events that look like starts of events */
    LONG = 32,     /* events longer than a batch */
};

static unsigned next_random(uint32_t *state, unsigned n)
{
    *state = *state * 1664525 + 1013904223;
    return (*state >> 8) % n;
}

/* ---- files */

static void add_damage(struct strbuf *sb, unsigned damage, unsigned i)
{
    if (damage & QUOTES && i % 97 == 0)
        sb_addf(sb, "{\"ph\":\"X\",\"name\":\"a \"quoted\" name %u\",\"ts\":%u,\"dur\":1},\n", i % 7, i);
    if (damage & SKIPPED && i % 1013 == 0)
        sb_addf(sb, "{\"ph\":\"X\",\"name\" \"%u\"},{\"ph\":[}],\n", i);
    if (damage & OTHERS && i % 331 == 0)
        sb_addf(sb, "%u,{},{\"name\":\"no phase\"},{\"ph\":\"X\",\"ts\":\"x\"},null,,\n", i);
    if (damage & OTHERS && i % 777 == 0)
        sb_addf(sb, "{\"ph\":\"X\",\"name\":\"a\001b\",\"ts\":%u},{\"ph\":\"E\",\"ts\":1},\n", i);
    if (damage & LIKELY && i % 3 == 0)
        sb_addf(sb, "{\"ph\":\"X\",\"name\":\"list\",\"ts\":%u,\"dur\":2,\"args\":{\"list\":[{\"ph\":1},"
                    "{\"ph\":\"X\",\"name\":\"inner\",\"ts\":1},{\"ts\":2},{\"cat\":[]}]}},\n", i);
    if (damage & LONG && i % 15000 == 0) {
        sb_addf(sb, "{\"ph\":\"X\",\"name\":\"");
        sb_pad(sb, 'l', 300000);
        sb_addf(sb, "\",\"ts\":%u,\"dur\":3},\n", i);
    }
}

static void add_event(struct strbuf *sb, uint32_t *state, unsigned i)
{
    const unsigned tid = next_random(state, 5);

    switch (next_random(state, 8)) {
    case 0:
        sb_addf(sb, "{\"ph\":\"B\",\"name\":\"open %u\",\"pid\":1,\"tid\":%u,\"ts\":%u},\n", i % 11, tid, i);
        break;
    case 1:
        sb_addf(sb, "{\"ph\":\"E\",\"pid\":1,\"tid\":%u,\"ts\":%u.125},\n", tid, i);
        break;
    case 2:
        sb_addf(sb, "{\"ph\":\"i\",\"name\":\"[memory]\",\"pid\":1,\"tid\":%u,\"ts\":%u,\"args\":{\"Bytes\":"
                    "%d,\"Addr\":%u,\"Device Type\":1,\"Device Id\":0}},\n", tid, i,
                i % 3 ? 64 : -64, i % 100);
        break;
    case 3:
        sb_addf(sb, "{\"ph\":\"%c\",\"name\":\"f\",\"cat\":\"%s\",\"id\":%u,\"pid\":1,\"tid\":%u,\"ts\":%u},\n",
                i % 2 ? 's' : 'f', i % 5 ? "ac2g" : "fwdbwd", i / 2, tid, i);
        break;
    case 4:
        sb_addf(sb, "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k_%u\",\"pid\":0,\"tid\":7,\"ts\":%u.5,"
                    "\"dur\":0.250,\"args\":{\"stream\":7,\"device\":0,\"correlation\":%u,"
                    "\"External id\":%u,\"grid\":[%u,1,1],\"block\":[128,1,1]}},\n", i % 13, i, i,
                i, i % 4);
        break;
    case 5:
        sb_addf(sb, "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,"
                    "\"tid\":%u,\"ts\":%u,\"dur\":0.1,\"args\":{\"correlation\":%u}},\n", tid, i, i + 1);
        break;
    default:
        sb_addf(sb, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::op_%u \\u00e9\\\"},{\\\"ph\",\"pid\":1,"
                    "\"tid\":%u,\"ts\":%u,\"dur\":0.9,\"args\":{\"Sequence number\":%u,\"Input Dims\":"
                    "[[%u,2],[]],\"External id\":%u}},\n", i % 50, tid, i, i, i % 6, i);
    }
}

/* A trace of N events after PAD blanks. */
static void make_trace(struct strbuf *sb, unsigned n, unsigned damage, unsigned pad)
{
    uint32_t state = 1;

    sb_clear(sb);
    sb_adds(sb, "{\"schemaVersion\":1,\"traceEvents\":[\n");
    sb_pad(sb, ' ', pad);
    for (unsigned i = 0; i < n; i++) {
        add_event(sb, &state, i);
        add_damage(sb, damage, i);
    }
    assert_true(sb->len > SHARED_FROM_BYTES);
    if (damage & CUT)
        sb_truncate(sb, sb->len - 40);
    else
        sb_adds(sb, "{}],\"with_stack\":1}");
}

static void write_packed(const char *name, const struct strbuf *sb)
{
    gzFile file = gzopen(fixture_path(name), "wb1");

    assert_non_null(file);
    assert_int_equal(gzwrite(file, sb->data, (unsigned)sb->len), (int)sb->len);
    assert_int_equal(gzclose(file), Z_OK);
}

/* ---- comparing */

static struct profile *load(const char *name, const char *n_threads)
{
    struct err err = {0};
    struct profile *p;

    setenv("TFPROF_THREADS", n_threads, 1);
    p = load_with(SETTINGS("step", "all"), fixture_path(name), &err);
    unsetenv("TFPROF_THREADS");
    if (!p)
        fail_msg("%s", err_text(&err));
    return p;
}

static void assert_same_repairs(const struct profile *a, const struct profile *b)
{
    assert_int_equal(a->n_recorders, 1);
    assert_int_equal(a->recorders[0].n_events, b->recorders[0].n_events);
    assert_memory_equal(a->recorders[0].repairs, b->recorders[0].repairs,
                        sizeof a->recorders[0].repairs);
}

static const unsigned damages[] = {WHOLE, QUOTES | SKIPPED | OTHERS | CUT, LIKELY | OTHERS,
                                   QUOTES | LONG};

enum { N_DAMAGES = sizeof damages / sizeof *damages };

/* The next test compares 2 with 3 threads.  With the address sanitizer one number: it finds faults of memory, not
 * differences. */
static void any_number_of_threads_gives_the_same(void **state)
{
    static const char *const numbers[] = {"8", "2"};
    const size_t n_numbers = SANITIZE_ADDRESS ? 1 : 2;
    struct strbuf sb = {0};

    (void)state;
    for (unsigned d = 0; d < N_DAMAGES; d++) {
        const unsigned n = damages[d] ? N_EVENTS : N_EVENTS * 4; /* several batches of figures as well */
        struct profile *one;

        make_trace(&sb, n, damages[d], 0);
        fixture_write("t.json", sb.data, sb.len);
        one = load("t.json", "1");
        assert_in_range(one->recorders[0].n_events, n - n / 100, n * 3);
        for (size_t i = 0; i < n_numbers; i++) {
            struct profile *many = load("t.json", numbers[i]);

            assert_same_profile(one, many);
            assert_same_repairs(one, many);
            profile_free(many);
        }
        profile_free(one);
    }
    sb_done(&sb);
}

/* Blanks shift the batch boundaries and the chunks of decompressed data. */
static void results_do_not_depend_on_batch_boundaries(void **state)
{
    static const unsigned pads[] = {57, 262100};
    struct strbuf sb = {0};

    (void)state;
    for (unsigned d = 0; d < N_DAMAGES; d++) {
        struct profile *whole, *other;

        make_trace(&sb, N_EVENTS, damages[d], 0);
        fixture_write("t.json", sb.data, sb.len);
        write_packed("t.json.gz", &sb);
        whole = load("t.json", "3");
        other = load("t.json.gz", "3");
        assert_same_repairs(whole, other);
        assert_int_equal(whole->n_nodes, other->n_nodes);
        assert_int_equal(whole->exec_records_bytes, other->exec_records_bytes);
        assert_memory_equal(whole->exec_records, other->exec_records, whole->exec_records_bytes);
        profile_free(other);
        for (size_t i = 0; i < sizeof pads / sizeof *pads; i++) {
            make_trace(&sb, N_EVENTS, damages[d], pads[i]);
            fixture_write("t.json", sb.data, sb.len);
            other = load("t.json", "2");
            assert_same_repairs(whole, other);
            assert_int_equal(whole->n_nodes, other->n_nodes);
            assert_memory_equal(whole->exec_records, other->exec_records,
                                whole->exec_records_bytes);
            profile_free(other);
        }
        profile_free(whole);
    }
    sb_done(&sb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same),
        cmocka_unit_test(results_do_not_depend_on_batch_boundaries),
    };

    return cmocka_run_group_tests_name("load/trace threads", tests, fixture_setup,
                                       fixture_teardown);
}
