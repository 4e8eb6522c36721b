/* test_trace_cuts.c: a trace truncated at any byte has every event before its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "fixtures/load_with.h"

static void read_sample(struct strbuf *bytes)
{
    char path[4096], block[4096];
    FILE *file;
    size_t n;

    snprintf(path, sizeof path, "%s/tests/traces/rank_0.json", getenv("top_srcdir"));
    file = fopen(path, "rb");
    assert_non_null(file);
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        sb_add(bytes, block, n);
    fclose(file);
}

/* Stores the end offsets of all events in ENDS and returns their number.  The sample has one
 * event per line. */
static size_t ends_of_events(const struct strbuf *bytes, size_t *ends, size_t capacity)
{
    size_t n = 0;

    for (size_t i = 2; i < bytes->len; i++) {
        const char *line_end = bytes->data + i - 2;

        if (bytes->data[i] != '\n' || line_end[1] == '[' || line_end[0] == ']')
            continue;
        assert_true(n < capacity);
        ends[n++] = line_end[1] == ',' ? i - 1 : i;
    }
    return n;
}

static void events_before_the_truncation_are_loaded(void **state)
{
    enum { EVENTS_MAX = 200, STRIDE = 3 };
    char path[] = "/tmp/tfprof-cut-XXXXXX";
    const int fd = mkstemp(path);
    struct strbuf bytes = {0};
    size_t ends[EVENTS_MAX], n_ends, n_loaded = 0;

    (void)state;
    assert_true(fd >= 0);
    read_sample(&bytes);
    n_ends = ends_of_events(&bytes, ends, EVENTS_MAX);
    assert_true(n_ends > 20);
    for (size_t len = 1; len < bytes.len; len += STRIDE) {
        struct err err = {0};
        struct profile *p;
        size_t expected = 0;

        while (expected < n_ends && ends[expected] <= len)
            expected++;
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, bytes.data, len, 0), (ssize_t)len);
        p = load_with(SETTINGS("step", "all"), path, &err);
        if (!p) {
            assert_int_equal(expected, 0);
            err_done(&err);
            continue;
        }
        n_loaded++;
        assert_int_equal(p->n_recorders, 1);
        assert_int_equal(p->recorders[0].n_events, expected);
        if (expected < n_ends)
            assert_int_equal(p->recorders[0].repairs[REPAIR_TRUNCATED], 1);
        profile_free(p);
    }
    assert_true(n_loaded > 100);
    sb_done(&bytes);
    close(fd);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_before_the_truncation_are_loaded),
    };

    return cmocka_run_group_tests_name("load/trace cuts", tests, NULL, NULL);
}
