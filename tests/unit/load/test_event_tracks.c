/* test_event_tracks.c: the tracks of captures and traces agree with their executions. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xalloc.h"
#include "fixtures/capture_text.h"
#include "fixtures/load_fixture.h"
#include "fixtures/load_with.h"
#include "load/slices/work_names.h"
#include "model/programs.h"
#include "model/events.h"

/* ---- traces */

/* Streams contain the counted work, all of it exclusive. */
static void assert_streams(const struct profile *p)
{
    const struct event_store *s = p->events;
    uint64_t n_works = 0, n_events = 0;

    for (uint32_t i = 0; i < p->n_recorders; i++)
        n_works += p->recorders[i].n_works;
    for (uint32_t t = 0; t < s->tracks.n; t++) {
        struct event_reader r = event_reader_of(s, t);

        if (!s->tracks.data[t].name_is_number)
            continue;
        while (event_next(&r)) {
            n_events++;
            assert_true(s->kinds[r.event.kind].is_work);
            assert_true(r.event.self_ps == r.event.dur_ps);
        }
    }
    assert_int_equal(n_events, n_works);
}

/* ---- links */

/* Work begins no earlier than its launch, in files of real profilers. */
static uint64_t count_links(const struct event_store *s, bool in_order)
{
    struct event_cache cache;
    uint64_t n = 0;

    event_cache_init(&cache, s);
    for (uint32_t t = 0; t < s->tracks.n; t++) {
        struct event_reader r = event_reader_of(s, t);

        while (event_next(&r)) {
            const struct event *launch = event_cache_at(&cache, r.event.link);

            if (!launch)
                continue;
            n++;
            assert_true(s->kinds[r.event.kind].is_work);
            if (in_order)
                assert_true(launch->start_ps <= r.event.start_ps);
        }
    }
    event_cache_done(&cache);
    return n;
}

/* ---- executions */

/* The exclusive times of a node are those of its executions. */
static void assert_self_times(const struct profile *p)
{
    int64_t *self_ps = xcalloc(p->n_nodes, sizeof *self_ps);

    for (uint32_t t = 0; t < p->events->tracks.n; t++) {
        struct event_reader r = event_reader_of(p->events, t);

        while (event_next(&r)) {
            const uint32_t id = p->events->kinds[r.event.kind].id;

            if (id != NODE_NONE)
                self_ps[profile_node_of_part(p, id)] += r.event.self_ps;
        }
    }
    for (node_id node = 0; node < p->n_nodes; node++) {
        struct exec_walk walk = profile_execs(p, node);
        struct exec e = {0};
        int64_t time_ps = 0;

        while (exec_next(&walk, &e))
            time_ps += e.accelerator_ps + e.cpu_ps;
        assert_true(time_ps == self_ps[node]);
    }
    free(self_ps);
}

/* ---- classes */

static void names_give_classes(void **state)
{
    static const struct {
        const char *name;
        bool is_communication, is_copy, is_memset, is_sync, is_launch, is_input;
    } rows[] = {
        {.name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL", .is_communication = true},
        {.name = "void mscclpp::allreduce(int)", .is_communication = true},
        {.name = "MemcpyD2D", .is_copy = true, .is_launch = true},
        {.name = "CopyHostToDevice", .is_copy = true},
        {.name = "Memset (Device)", .is_memset = true, .is_launch = true},
        {.name = "cudaStreamSynchronize", .is_sync = true},
        {.name = "cudaLaunchKernel", .is_launch = true},
        {.name = "cudaMalloc"},
        {.name = "torch/utils/data/dataloader.py(1): __next__", .is_input = true},
        {.name = "Iterator::Root::Prefetch", .is_input = true},
        {.name = "_prefetch_next", .is_input = true},
        {.name = "unprefetched"},
        {.name = "prefetc"},
        {.name = ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *name = rows[i].name;
        const size_t len = strlen(name);

        assert_int_equal(work_name_is_communication(name, len), rows[i].is_communication);
        assert_int_equal(work_name_is_copy(name, len), rows[i].is_copy);
        assert_int_equal(work_name_is_memset(name, len), rows[i].is_memset);
        assert_int_equal(call_name_is_sync(name, len), rows[i].is_sync);
        assert_int_equal(call_name_is_launch(name, len), rows[i].is_launch);
        assert_int_equal(name_is_input(name, len), rows[i].is_input);
    }
}

/* ---- files */

static struct profile *load(const char *path, bool must)
{
    struct err err = {0};
    struct profile *p = load_with(SETTINGS("host_events", "all"), path, &err);

    if (must)
        assert_string_equal(err_text(&err), "");
    err_done(&err);
    return p;
}

static const char *source(const char *name)
{
    static char path[4096];
    const char *top = getenv("top_srcdir");

    snprintf(path, sizeof path, "%s/%s", top ? top : ".", name);
    return path;
}

/* Loads the capture whose text form is in NAME. */
static struct profile *load_capture(const char *name)
{
    FILE *file = fopen(source(name), "r");
    struct strbuf text = {0}, bytes = {0};
    char line[4096];

    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        sb_adds(&text, line);
    fclose(file);
    capture_text(&bytes, sb_text(&text));
    fixture_write("golden.xplane.pb", bytes.data, bytes.len);
    sb_done(&text);
    sb_done(&bytes);
    return load(fixture_path("golden.xplane.pb"), true);
}

static void captures_have_tracks(void **state)
{
    static const char *const names[] = {"tests/golden/captures/training.txt",
                                        "tests/golden/captures/tensorflow.txt",
                                        "tests/golden/captures/two_hosts_a.txt"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct profile *p = load_capture(names[i]);

        if (i != 1) /* it has events that summarise several executions */
            assert_self_times(p);
        assert_int_equal(count_links(p->events, true) > 0, i == 0);
        profile_free(p);
    }
}

/* Damaged and hostile files, whatever they contain. */
static void loaded_files_have_tracks(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    char path[8192];

    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        struct profile *p;

        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        p = *entry->d_name == '.' ? NULL : load(path, false);
        if (p && p->events) {
            assert_streams(p);
            count_links(p->events, false);
        }
        profile_free(p);
    }
    closedir(dir);
}

static void hostile_files_have_tracks(void **state)
{
    (void)state;
    loaded_files_have_tracks(source("tests/fuzz/corpus/capture"));
    loaded_files_have_tracks(source("tests/fuzz/corpus/trace"));
}

static void traces_have_tracks(void **state)
{
    static const char *const names[] = {"tests/traces/rank_0.json", "tests/traces/rank_1.json",
                                        "data/training.pt.trace.json.gz"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct profile *p = load(source(names[i]), true);

        assert_streams(p);
        assert_self_times(p);
        assert_true(count_links(p->events, true) > 0);
        profile_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_give_classes),
        cmocka_unit_test(captures_have_tracks),
        cmocka_unit_test(traces_have_tracks),
        cmocka_unit_test(hostile_files_have_tracks),
    };

    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
