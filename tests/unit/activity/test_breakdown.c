/* test_breakdown.c: work of a device by class and idle time by cause, by step and by time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "activity/breakdown.h"
#include "model/builder.h"

enum { COMPUTE, COLLECTIVE, COPY, CALL, KINDS };

/* An event on a track; times in nanoseconds. */
struct made {
    uint32_t kind, step;
    int64_t start, dur;
    uint32_t launch; /* index of the launch on the thread; UINT32_MAX: none */
};

static const uint32_t none = UINT32_MAX;

static strid str(struct builder *b, const char *text)
{
    return builder_str(b, text, strlen(text));
}

static uint32_t pack(struct event_store *s, const struct event_track *like, const struct made *made,
                     size_t n)
{
    const uint32_t track = event_store_track(s, like);
    struct event_packer packer;

    event_packer_begin(&packer, s, track);
    for (size_t i = 0; i < n; i++)
        event_packer_add(&packer, &(struct event_record){
                                      .start_ticks = made[i].start,
                                      .dur_ticks = made[i].dur,
                                      .self_ticks = made[i].dur,
                                      .kind = made[i].kind,
                                      .step = made[i].step,
                                      .link = {made[i].launch == none ? TRACK_NONE : 0,
                                               made[i].launch == none ? 0 : made[i].launch}});
    event_packer_end(&packer);
    return track;
}

/* A launching thread and two streams of a GPU, in steps 5 and 6. */
static struct profile *make_profile(void)
{
    static const struct made calls[] = {{CALL, 0, 0, 30, none}, {CALL, 0, 100, 200, none},
                                        {CALL, 0, 320, 10, none}, {CALL, 1, 2000, 10, none}};
    static const struct made first[] = {{COMPUTE, 0, 10, 90, 0}, {COMPUTE, 0, 300, 100, 1},
                                        {COPY, 0, 420, 0, 2}, {COMPUTE, 1, 2100, 50, none}};
    static const struct made second[] = {{COLLECTIVE, 0, 350, 150, 2}, {COPY, 1, 2140, 20, 3}};
    static const char *const names[] = {"compute", "communication", "memcpy", "launch"};
    static const uint8_t classes[KINDS] = {EVENT_COMPUTE, EVENT_COMMUNICATION, EVENT_COPY,
                                           EVENT_LAUNCH};
    struct builder *b = builder_new();
    struct event_store *s = builder_events(b);

    vec_push(&s->clocks, ((struct profile_clock){.tick_ps = 1000}));
    vec_push(&s->hosts, ((struct profile_host){.file = 0}));
    vec_push(&s->ranks, ((struct profile_rank){.number = 3, .world_size = 4}));
    event_store_device(s, &(struct profile_device){.name = str(b, "/cpu:0")});
    event_store_device(s, &(struct profile_device){.name = str(b, "/gpu:0"), .is_accelerator = true});
    event_store_step(s, 0, 5);
    event_store_step(s, 0, 6);
    vec_push(&s->marks, ((struct profile_mark){.step = 0, .start_ps = 0, .end_ps = 600000}));
    vec_push(&s->marks, ((struct profile_mark){.step = 0, .start_ps = 700000, .end_ps = 800000}));
    for (uint32_t i = 0; i < KINDS; i++)
        event_store_kind(s, &(struct event_kind){.id = NODE_NONE,
                                                 .name = str(b, names[i]),
                                                 .event_class = classes[i],
                                                 .is_work = i != CALL});
    pack(s, &(struct event_track){.device = 0}, calls, 4);
    pack(s, &(struct event_track){.device = 1, .kind = TRACK_STREAM, .name = str(b, "7")}, first, 4);
    pack(s, &(struct event_track){.device = 1, .kind = TRACK_STREAM, .name = str(b, "8")}, second, 2);
    return builder_finish(b);
}

static void make(breakdown_rows *rows, const struct profile *p,
                 const struct selection_request *wanted, bool by_stream)
{
    struct selection sel;
    struct err err = {0};

    assert_true(selection_open(&sel, p, wanted, (struct cancel_mark){NULL, 0}, &err));
    breakdown_make(&sel, &(struct breakdown_request){.by_stream = by_stream}, rows);
    selection_done(&sel);
}

static const struct selection_request all = {.step = STEP_ALL, .rank = RANK_ALL};

static void work_is_divided_by_class_and_step(void **state)
{
    struct profile *p = make_profile();
    breakdown_rows rows = {0};
    const struct breakdown_row *row;

    (void)state;
    make(&rows, p, &all, false);
    assert_int_equal(rows.n, 3);
    row = &rows.data[0];
    assert_int_equal(row->rank, 3);
    assert_int_equal(row->step, 5);
    assert_int_equal(row->wall_ps, 700000);
    assert_int_equal(row->span_ps, 490000);
    assert_int_equal(row->busy_ps, 290000);
    assert_int_equal(row->compute_ps, 190000);
    assert_int_equal(row->communication_ps, 150000);
    assert_int_equal(row->exposed_communication_ps, 100000);
    assert_int_equal(row->overlap_ps, 50000);
    assert_int_equal(row->memory_ps, 0);
    assert_int_equal(row->idle_ps, 200000);
    assert_int_equal(row->idle_by_cause_ps[IDLE_LAUNCH], 200000);
    assert_int_equal(row->n_works, 3);
    assert_int_equal(row->n_short, 1);
    row = &rows.data[1];
    assert_int_equal(row->step, 6);
    assert_true(row->wall_ps == INT64_MIN);
    assert_int_equal(row->exposed_memory_ps, 10000);
    row = &rows.data[2];
    assert_true(row->step == STEP_ALL);
    assert_int_equal(row->span_ps, 2150000);
    assert_int_equal(row->idle_by_cause_ps[IDLE_UNKNOWN], 1600000);
    assert_int_equal(row->compute_ps + row->exposed_communication_ps + row->exposed_memory_ps +
                         row->idle_ps,
                     row->span_ps);
    vec_done(&rows);
    profile_free(p);
}

static void options_select_steps_ranks_devices_and_time(void **state)
{
    struct profile *p = make_profile();
    struct selection_request wanted = {.step = 6, .rank = RANK_ALL};
    breakdown_rows rows = {0};

    (void)state;
    make(&rows, p, &wanted, false);
    assert_int_equal(rows.n, 2);
    assert_int_equal(rows.data[1].span_ps, 60000);
    rows.n = 0;
    wanted = (struct selection_request){.step = STEP_ALL, .rank = 1};
    make(&rows, p, &wanted, false);
    assert_int_equal(rows.n, 0);
    wanted = (struct selection_request){.step = STEP_ALL, .rank = 3, .device_regexes = "/cpu.*"};
    make(&rows, p, &wanted, false);
    assert_int_equal(rows.n, 0);
    /* the first event starts at 0 */
    wanted = (struct selection_request){.step = STEP_ALL, .rank = 3, .range = {50000, 320000}};
    make(&rows, p, &wanted, false);
    assert_int_equal(rows.n, 2);
    assert_int_equal(rows.data[1].compute_ps, 70000);
    assert_int_equal(rows.data[1].span_ps, 270000);
    assert_int_equal(rows.data[0].wall_ps, 270000);
    vec_done(&rows);
    profile_free(p);
}

static void streams_have_queues(void **state)
{
    struct profile *p = make_profile();
    breakdown_rows rows = {0};

    (void)state;
    make(&rows, p, &all, true);
    assert_int_equal(rows.n, 2);
    assert_string_equal(profile_text(p, rows.data[0].stream), "7");
    assert_int_equal(rows.data[0].queue_max, 1);
    assert_int_equal(rows.data[0].queue_area_ps, 210000);
    assert_int_equal(rows.data[0].n_negative_queue, 0);
    assert_int_equal(rows.data[1].n_works, 2);
    vec_done(&rows);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_divided_by_class_and_step),
        cmocka_unit_test(options_select_steps_ranks_devices_and_time),
        cmocka_unit_test(streams_have_queues),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
