/* test_stragglers.c: last arrivals at collectives: ranks by their clocks, hosts by durations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "activity/stragglers.h"
#include "model/builder.h"

enum { COMPUTE, COLLECTIVE, ON_HOST, KINDS };

/* An event; times in nanoseconds. */
struct made {
    uint32_t kind, step;
    int64_t start, dur;
};

static strid str(struct builder *b, const char *text)
{
    return builder_str(b, text, strlen(text));
}

static void pack(struct event_store *s, uint32_t device, uint8_t kind, uint32_t clock,
                 const struct made *made, size_t n)
{
    const struct event_track like = {.device = device, .clock = clock, .kind = kind};
    struct event_packer packer;

    event_packer_begin(&packer, s, event_store_track(s, &like));
    for (size_t i = 0; i < n; i++)
        event_packer_add(&packer, &(struct event_record){.start_ticks = made[i].start,
                                                         .dur_ticks = made[i].dur,
                                                         .self_ticks = made[i].dur,
                                                         .kind = made[i].kind,
                                                         .step = made[i].step,
                                                         .link = {TRACK_NONE, 0}});
    event_packer_end(&packer);
}

static void add_kinds(struct builder *b, struct event_store *s)
{
    static const char *const names[KINDS] = {"gemm", "AllReduce", "gloo:all_reduce"};

    for (uint32_t i = 0; i < KINDS; i++)
        event_store_kind(s, &(struct event_kind){
                                .id = NODE_NONE,
                                .name = str(b, names[i]),
                                .count = 1,
                                .event_class = i == COMPUTE ? EVENT_COMPUTE : EVENT_COMMUNICATION,
                                .is_work = i != ON_HOST});
}

static void make(struct stragglers *s, const struct profile *p)
{
    struct selection sel;

    selection_open_all(&sel, p, (struct cancel_mark){NULL, 0});
    stragglers_make(s, &sel, false);
    selection_done(&sel);
}

static void ranks_are_compared_by_start(void **state)
{
    /* Rank 7 is late by 100 ns and rank 0 by 0 on the device, rank 2 by 30 ns on the host. */
    static const struct made first[] = {{COLLECTIVE, 0, 1000, 300}, {COMPUTE, 0, 1300, 50},
                                        {COLLECTIVE, 0, 2000, 100}};
    static const struct made first_host[] = {{ON_HOST, 0, 3030, 70}};
    static const struct made second[] = {{COLLECTIVE, 1, 1100, 200}, {COLLECTIVE, 1, 2000, 100}};
    static const struct made second_host[] = {{ON_HOST, 1, 3000, 100}};
    struct builder *b = builder_new();
    struct event_store *store = builder_events(b);
    struct stragglers s;
    struct profile *p;

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        vec_push(&store->clocks, ((struct profile_clock){.tick_ps = 1000,
                                                         .unix_ns = UNIX_NS_UNKNOWN}));
        vec_push(&store->hosts, ((struct profile_host){.file = (uint32_t)i}));
        vec_push(&store->ranks,
                 ((struct profile_rank){.number = i ? 7 : 2, .host = i, .clock = i}));
        event_store_step(store, i, 4);
        event_store_device(store, &(struct profile_device){.name = str(b, "/gpu:0"), .host = i,
                                                           .rank = i, .is_accelerator = true});
        event_store_device(store, &(struct profile_device){.name = str(b, "/cpu:0"), .host = i,
                                                           .rank = i});
    }
    add_kinds(b, store);
    pack(store, 0, TRACK_STREAM, 0, first, 3);
    pack(store, 1, TRACK_THREAD, 0, first_host, 1);
    pack(store, 2, TRACK_STREAM, 1, second, 2);
    pack(store, 3, TRACK_THREAD, 1, second_host, 1);
    p = builder_finish(b);
    make(&s, p);
    assert_true(s.by_rank);
    assert_int_equal(s.n_matched, 3);
    assert_int_equal(s.rows.n, 2);
    assert_int_equal(s.culprit, 0);
    assert_int_equal(s.rows.data[0].rank, 7);
    assert_int_equal(s.rows.data[0].n_last, 2); /* at equal starts the highest rank is last */
    assert_int_equal(s.rows.data[0].made_wait_ps, 100000);
    assert_int_equal(s.rows.data[1].made_wait_ps, 30000);
    assert_int_equal(s.rows.data[1].waited_ps, 100000);
    assert_int_equal(s.rows.data[1].work_ps, 50000);
    assert_int_equal(s.collectives.data[0].last, 0);
    stragglers_done(&s);
    profile_free(p);
}

static void hosts_are_compared_by_duration(void **state)
{
    static const struct made early[] = {{COMPUTE, 0, 0, 10}, {COLLECTIVE, 0, 10, 90}};
    static const struct made late[] = {{COMPUTE, 0, 5000, 70}, {COLLECTIVE, 0, 5070, 30}};
    struct builder *b = builder_new();
    struct event_store *store = builder_events(b);
    struct stragglers s;
    char buffer[HOST_OF_RANK_BYTES];
    struct profile *p;

    (void)state;
    vec_push(&store->clocks, ((struct profile_clock){.tick_ps = 1000}));
    vec_push(&store->ranks, ((struct profile_rank){.number = -1}));
    vec_push(&store->hosts, ((struct profile_host){.name = str(b, "w1")}));
    vec_push(&store->hosts, ((struct profile_host){.name = str(b, "w2")}));
    event_store_step(store, 0, 0);
    for (uint32_t i = 0; i < 2; i++)
        event_store_device(store, &(struct profile_device){.name = str(b, i ? "/b" : "/a"),
                                                           .host = i, .is_accelerator = true});
    add_kinds(b, store);
    pack(store, 0, TRACK_STREAM, 0, early, 2);
    pack(store, 1, TRACK_STREAM, 0, late, 2);
    p = builder_finish(b);
    make(&s, p);
    assert_false(s.by_rank);
    assert_int_equal(s.n_matched, 1);
    assert_int_equal(s.culprit, 0);
    assert_string_equal(straggler_name(&s, &s.rows.data[0], buffer).bytes, "w2");
    assert_int_equal(s.rows.data[0].made_wait_ps, 60000);
    assert_int_equal(s.rows.data[0].work_ps, 70000);
    assert_int_equal(s.rows.data[1].waited_ps, 60000);
    assert_int_equal(s.rows.data[1].communication_ps, 90000);
    assert_int_equal(stragglers_median_work(&s), 10000);
    stragglers_done(&s);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_compared_by_start),
        cmocka_unit_test(hosts_are_compared_by_duration),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
