/* test_memory.c: the memory in use over time equals that of a simple walk through the run metadata
 * of three models, and the live allocations at any time sum to the memory in use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/wire_in.h"
#include "fixtures/load_with.h"
#include "fixtures/packed_file.h"
#include "view/advise/advise.h"
#include "view/pictures/memory_picture.h"

/* One allocation record, in the order of the file. */
struct record {
    int64_t at_us, bytes;
    size_t order;
};
typedef VEC(struct record) record_list;

/* Field numbers from RunMetadata to the records: step_stats, dev_stats, node_stats, memory,
 * allocation_records (formats-runmeta.md sections 2 and 3). */
static const uint32_t path[] = {1, 1, 2, 6, 6};
enum { DEPTH = sizeof path / sizeof *path };

static void walk(record_list *records, struct wire_in in, int depth)
{
    struct record r = {0, 0, records->n};
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (depth < DEPTH && f.number == path[depth] && f.type == WIRE_LEN)
            walk(records, wire_in_field(&f), depth + 1);
        else if (depth == DEPTH && f.type == WIRE_VARINT)
            *(f.number == 1 ? &r.at_us : &r.bytes) = (int64_t)f.value;
    }
    if (depth == DEPTH && r.bytes)
        vec_push(records, r);
}

static int by_time(const void *a, const void *b)
{
    const struct record *x = a, *y = b;

    if (x->at_us != y->at_us)
        return x->at_us < y->at_us ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* Fills RECORDS with those of the gzip'd RunMetadata PATH, by time. */
static void read_records(record_list *records, const char *file)
{
    struct strbuf bytes = {0};

    assert_true(packed_file_read(file, &bytes));
    walk(records, wire_in_of(bytes.data, bytes.len), 0);
    vec_sort(records, by_time);
    sb_done(&bytes);
}

static void assert_live(const struct memory *m, const struct memory_curve *c, size_t at)
{
    const struct memory_event *e = &memory_events(m, c)[at];
    memory_live_list live = {0};
    int64_t sum = 0;

    memory_live_at(m, c, at, &live);
    for (size_t i = 0; i < live.n; i++) {
        sum += live.data[i].bytes;
        assert_true(live.data[i].from_ticks <= e->at_ticks);
        assert_true(live.data[i].to_ticks >= e->at_ticks);
        assert_true(!i || live.data[i - 1].bytes >= live.data[i].bytes);
    }
    assert_int_equal(sum, e->in_use_bytes);
    vec_done(&live);
}

static void assert_curve(const struct memory *m, const char *file)
{
    const struct memory_curve *c = memory_highest(m);
    const struct memory_event *events = memory_events(m, c);
    record_list records = {0};
    int64_t in_use = 0, peak = 0;

    read_records(&records, file);
    assert_int_equal(m->curves.n, 1);
    assert_int_equal(c->n, records.n);
    for (size_t i = 0; i < records.n; i++) {
        in_use += records.data[i].bytes;
        peak = in_use > peak ? in_use : peak;
        assert_int_equal(events[i].at_ticks, records.data[i].at_us);
        if (i + 1 == records.n || records.data[i + 1].at_us > records.data[i].at_us)
            assert_int_equal(events[i].in_use_bytes, in_use);
    }
    assert_int_equal(c->peak_bytes, peak);
    assert_int_equal(events[c->peak].in_use_bytes, peak);
    for (size_t i = 0; i < c->n; i += c->n / 7 + 1)
        assert_live(m, c, i);
    assert_live(m, c, c->peak);
    vec_done(&records);
}

/* The model with its step 1, and WITH_CODE with the lines of its op log; RUN: the path of the step. */
static struct profile *load_model_of(const char *name, bool with_code, struct strbuf *run)
{
    const char *top = getenv("top_srcdir");
    struct strbuf graph = {0}, log = {0};
    struct err err = {0};
    struct profile *p;

    sb_clear(run);
    sb_addf(&graph, "%s/tests/golden/models/%s/graph.pb.gz", top ? top : ".", name);
    sb_addf(run, "%s/tests/golden/models/%s/run_meta_1.pb.gz", top ? top : ".", name);
    sb_addf(&log, "%s/tests/golden/models/%s/tfprof_log.pb.gz", top ? top : ".", name);
    p = load_with((const char *const[]){"graph_path", sb_text(&graph), "run_meta_path",
                                        sb_text(run), with_code ? "op_log_path" : NULL, sb_text(&log), NULL},
                  NULL, &err);
    if (!p)
        fail_msg("%s", err_text(&err));
    sb_done(&graph);
    sb_done(&log);
    return p;
}

static struct profile *load_model(const char *name, struct strbuf *run)
{
    return load_model_of(name, false, run);
}

static void curves_are_those_of_a_plain_walk(void **state)
{
    static const char *const models[] = {"resnet32", "mobilenet", "seq2seq"};

    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        struct strbuf run = {0};
        struct profile *p = load_model(models[i], &run);
        struct memory m;

        memory_make(&m, p, -1);
        assert_curve(&m, sb_text(&run));
        memory_done(&m);
        memory_make(&m, p, 77);
        assert_null(memory_highest(&m));
        memory_done(&m);
        profile_free(p);
        sb_done(&run);
    }
}

/* The step of ResNet-32 holds an eighth of what the peaks of its operations sum to. */
static void peak_is_not_the_sum_of_peaks(void **state)
{
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    struct memory m;

    (void)state;
    memory_make(&m, p, -1);
    assert_int_equal(memory_highest(&m)->peak_bytes, 365178112);
    assert_int_equal(memory_sum_of_peaks(p, memory_highest(&m)->step), 3000962768);
    memory_done(&m);
    profile_free(p);
    sb_done(&run);
}

/* Slices have the maximum of their time, and rows sum to the memory in use, however they are
 * grouped. */
static void slices_and_rows_are_those_of_the_events(void **state)
{
    struct memory_question q = {.step = -1, .curve = SIZE_MAX, .n_slices = 70, .since = -1};
    struct memory_source *kept = NULL;
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    struct memory all;
    const struct memory_curve *c;
    const struct memory_event *events;

    (void)state;
    memory_make(&all, p, -1);
    c = memory_highest(&all);
    events = memory_events(&all, c);
    for (q.at = MEMORY_AT_PEAK; q.at < q.n_slices; q.at += 10) {
        struct memory_picture *m = memory_picture_new(p, &q, kept, (struct cancel_mark){0});
        const int64_t length = events[c->n - 1].at_ticks - events[0].at_ticks;
        int64_t sum = 0, most = 0;

        q.by = (enum memory_group)((q.by + 1) % MEMORY_GROUP_COUNT);
        for (size_t i = 0; i < m->rows.n; i++)
            sum += m->rows.data[i].bytes;
        assert_int_equal(sum, m->at_bytes);
        if (q.at == MEMORY_AT_PEAK)
            assert_int_equal(sum, c->peak_bytes);
        for (size_t i = 0; i < c->n; i++) {
            const int64_t slice = (events[i].at_ticks - events[0].at_ticks) * q.n_slices / length;
            const bool ends = i + 1 == c->n || /* what stays is in use when the slice begins */
                              (events[i + 1].at_ticks - events[0].at_ticks) * q.n_slices / length >=
                                  m->at;

            if ((slice < m->at && ends) || (slice == m->at && events[i].in_use_bytes > most))
                most = events[i].in_use_bytes;
        }
        assert_int_equal(m->slices[m->at].most_bytes, most);
        assert_true(!kept || m->source == kept);
        kept = kept ? kept : memory_source_ref(m->source);
        memory_picture_free(m);
    }
    memory_source_unref(kept);
    memory_done(&all);
    profile_free(p);
    sb_done(&run);
}

static void assert_line(const struct advice_report *r, size_t line, const char *expected)
{
    assert_true(line < r->n_lines);
    assert_string_equal(r->lines[line].bytes, expected);
}

/* The largest allocations are printed with their lines of code; the advice of the original has no
 * such section. */
static void advice_names_the_largest_at_the_peak(void **state)
{
    struct strbuf run = {0};
    struct profile *p = load_model_of("resnet32", true, &run);
    struct query *q = query_new(p);
    struct err err = {0};
    struct advice *a = advise_run(p, q, NULL, true, (struct cancel_mark){0}, &err);
    const struct checker_advice *last = &a->sections[a->n_sections - 1];

    (void)state;
    assert_string_equal(last->checker->name, "PeakMemoryChecker");
    assert_int_equal(last->n_reports, 1);
    assert_int_equal(last->reports[0].n_lines, 6);
    assert_line(&last->reports[0], 0,
                "step 0 of cpu: 215 nodes hold memory at its peak of 365.18MB; the largest:");
    assert_line(&last->reports[0], 1,
                "15.19MB (4.2 %) of gradients/unit_3_4/sub2/conv2/Conv2D_grad/Conv2DBackpropFilter, "
                "made by resnet_model.py:79:_build_train_op");
    advice_free(a);
    a = advise_run(p, q, NULL, false, (struct cancel_mark){0}, &err);
    assert_string_equal(a->sections[a->n_sections - 1].checker->name, "ExpensiveOperationChecker");
    advice_free(a);
    query_free(q);
    profile_free(p);
    sb_done(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_those_of_a_plain_walk),
        cmocka_unit_test(peak_is_not_the_sum_of_peaks),
        cmocka_unit_test(slices_and_rows_are_those_of_the_events),
        cmocka_unit_test(advice_names_the_largest_at_the_peak),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
