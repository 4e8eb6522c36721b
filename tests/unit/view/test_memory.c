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

/* The live allocations at instant AT of A sum to the memory in use. */
static void assert_live(const struct profile *p, const struct memory_allocator *a, uint32_t at)
{
    const struct live_rows_request q = {.allocator = a, .at = at, .by = GROUPING_NODE};
    struct live_rows live;
    int64_t sum = 0;

    live_rows_make(&live, p, &q);
    for (size_t i = 0; i < live.rows.n; i++) {
        const struct live_row *row = &live.rows.data[i];

        sum += row->bytes;
        assert_true(!row->n_blocks || memory_is_live(&a->allocations.data[row->allocation], at));
        assert_true(!i || row[-1].bytes >= row->bytes);
    }
    assert_int_equal(sum, memory_in_use(a, at));
    live_rows_done(&live);
}

static void assert_curve(const struct profile *p, const char *file)
{
    const struct memory_log *log = profile_memory(p);
    const struct memory_allocator *a = memory_highest(log);
    record_list records = {0};
    int64_t in_use = 0, peak = 0;

    read_records(&records, file);
    assert_int_equal(log->allocators.n, 1);
    assert_int_equal(a->n_events, records.n);
    assert_int_equal(a->points.n, records.n);
    for (size_t i = 0; i < records.n; i++) {
        in_use += records.data[i].bytes;
        peak = in_use > peak ? in_use : peak;
        assert_int_equal(a->first_ticks + a->ticks[i], records.data[i].at_us);
        if (i + 1 == records.n || records.data[i + 1].at_us > records.data[i].at_us)
            assert_int_equal(a->points.data[i].in_use_bytes, in_use);
    }
    assert_int_equal(a->peak_bytes, peak);
    assert_int_equal(memory_in_use(a, a->peak), peak);
    for (uint32_t i = 0; i < a->n_events; i += a->n_events / 7 + 1)
        assert_live(p, a, i);
    assert_live(p, a, a->peak);
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

static void curves_equal_a_simple_walk(void **state)
{
    static const char *const models[] = {"resnet32", "mobilenet", "seq2seq"};

    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        const struct memory_request q = {.step = 77, .n_slices = 1, .since = -1, .by = GROUPING_NODE};
        struct strbuf run = {0};
        struct profile *p = load_model(models[i], &run);
        struct memory_picture *m = memory_picture_new(p, NULL, &q, NULL, (struct cancel_mark){0});

        assert_curve(p, sb_text(&run));
        assert_null(m->allocator);
        memory_picture_free(m);
        profile_free(p);
        sb_done(&run);
    }
}

/* The peak of the step of ResNet-32 is an eighth of the sum of the peaks of its operations. */
static void peak_is_not_the_sum_of_peaks(void **state)
{
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    const struct memory_allocator *a = memory_highest(profile_memory(p));

    (void)state;
    assert_int_equal(a->peak_bytes, 365178112);
    assert_int_equal(memory_sum_of_peaks(p, a->step), 3000962768);
    profile_free(p);
    sb_done(&run);
}

/* Highest memory in use in slice AT of N, by a plain walk. */
static int64_t most_of_slice(const struct memory_allocator *a, int64_t at, int64_t n)
{
    int64_t most = 0;

    for (size_t i = 0; i < a->n_events; i++) {
        const int64_t slice = a->ticks[i] * n / a->ticks[a->n_events - 1];
        const bool is_last = i + 1 == a->n_events ||
                             a->ticks[i + 1] * n / a->ticks[a->n_events - 1] >= at;

        if ((slice < at && is_last) || (slice == at && a->points.data[i].in_use_bytes > most))
            most = a->points.data[i].in_use_bytes;
    }
    return most;
}

/* Slices have the maximum of their time range, and rows sum to the memory in use for any
 * grouping. */
static void slices_and_rows_are_those_of_the_events(void **state)
{
    struct memory_request q = {.step = -1, .allocator = SIZE_MAX, .n_slices = 70, .since = -1};
    struct memory_source *kept = NULL;
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run);
    const struct memory_allocator *a = memory_highest(profile_memory(p));

    (void)state;
    for (q.at = MEMORY_AT_PEAK; q.at < q.n_slices; q.at += 7) {
        struct memory_picture *m;
        int64_t sum = 0;

        q.by = (enum memory_grouping)(q.by % (GROUPING_COUNT - 1) + 1);
        m = memory_picture_new(p, NULL, &q, kept, (struct cancel_mark){0});
        for (size_t i = 0; i < m->rows.rows.n; i++)
            sum += m->rows.rows.data[i].bytes;
        assert_int_equal(sum, m->at_bytes);
        if (q.at == MEMORY_AT_PEAK)
            assert_int_equal(sum, a->peak_bytes);
        assert_int_equal(m->slices[m->slice].most_bytes, most_of_slice(a, m->slice, q.n_slices));
        assert_true(!kept || m->source == kept);
        kept = kept ? kept : memory_source_ref(m->source);
        memory_picture_free(m);
    }
    memory_source_unref(kept);
    profile_free(p);
    sb_done(&run);
}

/* Compared with another step, rows have both sides, and the chart covers the longer one. */
static void a_baseline_has_its_curve_and_rows(void **state)
{
    const struct memory_request q = {.step = -1, .allocator = SIZE_MAX, .n_slices = 70, .since = -1,
                                      .at = MEMORY_AT_PEAK, .by = GROUPING_TYPE};
    struct strbuf run = {0};
    struct profile *p = load_model("resnet32", &run), *base = load_model("resnet32", &run);
    struct memory_picture *m = memory_picture_new(p, base, &q, NULL, (struct cancel_mark){0});

    (void)state;
    assert_non_null(m->base);
    assert_int_equal(m->pairs.n, 0);
    for (int i = 0; i < q.n_slices; i++)
        assert_int_equal(m->slices[i].base_bytes, m->slices[i].most_bytes);
    memory_picture_free(m);
    profile_free(base);
    base = load_model("mobilenet", &run);
    m = memory_picture_new(p, base, &q, NULL, (struct cancel_mark){0});
    assert_non_null(m->base);
    assert_true(m->pairs.n > 0);
    for (size_t i = 1; i < m->pairs.n; i++)
        assert_true(m->pairs.data[i - 1].bytes - m->pairs.data[i - 1].base_bytes >=
                    m->pairs.data[i].bytes - m->pairs.data[i].base_bytes);
    memory_picture_free(m);
    profile_free(base);
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
        cmocka_unit_test(curves_equal_a_simple_walk),
        cmocka_unit_test(peak_is_not_the_sum_of_peaks),
        cmocka_unit_test(slices_and_rows_are_those_of_the_events),
        cmocka_unit_test(a_baseline_has_its_curve_and_rows),
        cmocka_unit_test(advice_names_the_largest_at_the_peak),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
