/* test_kernels.c: kernel calls by configuration, stream and launching operator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "activity/kernels.h"
#include "model/builder.h"
#include "model/events.h"

enum { STREAMS = 3 };

static strid str(struct builder *b, const char *text)
{
    return builder_str(b, text, strlen(text));
}

/* Adds events to a track: kind, step, length; each begins at the end of the previous one. */
static void pack(struct event_store *s, uint32_t track, const uint32_t (*events)[3], size_t n)
{
    struct event_packer packer;
    int64_t start = 0;

    event_packer_begin(&packer, s, track);
    for (size_t i = 0; i < n; i++) {
        event_packer_add(&packer, &(struct event_record){.start_ticks = start,
                                                         .dur_ticks = events[i][2],
                                                         .self_ticks = events[i][2],
                                                         .kind = events[i][0],
                                                         .step = events[i][1],
                                                         .link = {TRACK_NONE, 0}});
        start += events[i][2];
    }
    event_packer_end(&packer);
}

/* Two streams of a device of rank 0 and one of rank 1; kinds: a kernel with two launch
 * configurations, and a host call. */
static struct profile *make_profile(void)
{
    static const uint32_t first[][3] = {{0, 0, 30}, {0, 0, 10}, {1, 0, 5}, {2, 0, 500},
                                        {0, 1, 21}, {0, 1, 20}};
    static const uint32_t second[][3] = {{0, 0, 7}}, third[][3] = {{0, 2, 1}};
    struct builder *b = builder_new();
    struct event_store *s = builder_events(b);
    struct event_track track = {.kind = TRACK_STREAM, .name_is_number = true};
    struct event_kind kind = {.id = NODE_NONE, .event_class = EVENT_COMPUTE, .is_work = true};
    struct kernel_config config = {.grid = str(b, "[18, 25,\n 32]"), .block = str(b, "grid:16,1,1"),
                                   .registers = str(b, "64"), .shared_memory = str(b, "0"),
                                   .occupancy_percent = str(b, "0")};

    vec_push(&s->clocks, ((struct profile_clock){.tick_ps = 1000}));
    vec_push(&s->hosts, ((struct profile_host){.file = 0}));
    for (int64_t rank = 0; rank < 2; rank++) {
        vec_push(&s->ranks, ((struct profile_rank){.number = rank, .world_size = 2}));
        event_store_device(s, &(struct profile_device){.name = str(b, "/gpu:0"),
                                                       .rank = (uint32_t)rank});
    }
    event_store_step(s, 0, 1);
    event_store_step(s, 0, STEP_OUTSIDE);
    event_store_step(s, 1, 1);
    kind.name = str(b, "void ns::add<float>(float*)");
    kind.config = event_store_config(s, &config) + 1;
    event_store_kind(s, &kind);
    config.grid = STRID_EMPTY;
    config.occupancy_percent = str(b, "37.5");
    kind.config = event_store_config(s, &config) + 1;
    event_store_kind(s, &kind);
    event_store_kind(s, &(struct event_kind){.id = NODE_NONE, .name = str(b, "call"),
                                             .event_class = EVENT_HOST});
    for (uint32_t i = 0; i < STREAMS; i++) {
        track.device = i / 2;
        track.name = str(b, i % 2 ? "20" : "7");
        event_store_track(s, &track);
    }
    pack(s, 0, first, sizeof first / sizeof *first);
    pack(s, 1, second, 1);
    pack(s, 2, third, 1);
    return builder_finish(b);
}

static void make_of(struct kernels *k, const struct profile *p, const struct selection_request *wanted)
{
    struct selection sel;
    struct err err = {0};

    assert_true(selection_open(&sel, p, wanted, (struct cancel_mark){NULL, 0}, &err));
    assert_true(kernels_make(k, &sel, false, &err));
    assert_true(k->has_work);
    selection_done(&sel);
}

static void make(struct kernels *k, const struct profile *p, int64_t step, int64_t rank,
                 const char *devices)
{
    make_of(k, p, &(struct selection_request){.step = step, .rank = rank, .device_regexes = devices});
}

static void assert_text(const struct kernels *k, strid id, const char *wanted)
{
    assert_string_equal(intern_text(&k->texts, id), wanted);
}

static void calls_are_counted_by_configuration_and_stream(void **state)
{
    struct profile *p = make_profile();
    struct kernels k;
    const struct kernel_row *row;

    (void)state;
    make(&k, p, STEP_ALL, RANK_AVERAGE, ".*");
    assert_int_equal(k.rows.n, 4);
    assert_int_equal(k.n_devices, 2);
    assert_int_equal(k.sum_ps, 94000);
    row = &k.rows.data[0];
    assert_text(&k, row->name, "add");
    assert_text(&k, row->key.grid, "18x25x32");
    assert_text(&k, row->key.block, "16x1x1");
    assert_int_equal(row->key.registers, 64);
    assert_int_equal(row->key.shared_memory, 0);
    assert_true(row->occupancy == 0);
    assert_int_equal(row->calls, 4);
    assert_int_equal(row->total_ps, 81000);
    assert_int_equal(row->avg_ps, 20000);
    assert_int_equal(row->min_ps, 10000);
    assert_int_equal(row->median_ps, 20000);
    assert_int_equal(row->max_ps, 30000);
    assert_int_equal(row->percent_hundredths, 8617);
    assert_int_equal(k.rows.data[1].total_ps, 7000);
    assert_text(&k, k.rows.data[2].key.grid, "");
    assert_true(k.rows.data[2].occupancy == 37.5);
    assert_int_equal(k.rows.data[3].rank, 1);
    kernels_done(&k);
    profile_free(p);
}

static void options_select(void **state)
{
    struct profile *p = make_profile();
    struct kernels k;

    (void)state;
    make(&k, p, 1, RANK_AVERAGE, ".*");
    assert_int_equal(k.sum_ps, 53000);
    kernels_done(&k);
    make(&k, p, STEP_OUTSIDE, RANK_AVERAGE, ".*");
    assert_int_equal(k.sum_ps, 41000);
    kernels_done(&k);
    make(&k, p, STEP_ALL, 1, ".*");
    assert_int_equal(k.sum_ps, 1000);
    kernels_done(&k);
    make(&k, p, STEP_ALL, RANK_AVERAGE, ".*stream:20");
    assert_int_equal(k.sum_ps, 7000);
    kernels_done(&k);
    make(&k, p, STEP_ALL, RANK_AVERAGE, "nothing");
    assert_int_equal(k.rows.n, 0);
    kernels_done(&k);
    profile_free(p);
}

static void calls_are_clipped_to_the_time(void **state)
{
    struct profile *p = make_profile();
    struct selection_request wanted = {.step = STEP_ALL, .rank = RANK_ALL, .range = {35000, 43000}};
    struct kernels k;

    (void)state;
    make_of(&k, p, &wanted);
    assert_int_equal(k.rows.n, 2);
    assert_int_equal(k.sum_ps, 8000);
    assert_int_equal(k.rows.data[0].calls, 1);
    assert_int_equal(k.rows.data[0].max_ps, 5000);
    kernels_done(&k);
    wanted.range = (struct time_range){600000, TIME_RANGE_OPEN};
    make_of(&k, p, &wanted);
    assert_int_equal(k.rows.n, 0);
    kernels_done(&k);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_counted_by_configuration_and_stream),
        cmocka_unit_test(options_select),
        cmocka_unit_test(calls_are_clipped_to_the_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
