/* test_events.c: packed events are unpacked unchanged, by position, by time and by link. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "fixtures/random_options.h"
#include "model/events.h"

typedef VEC(struct event_record) records;

/* A store with one clock, one device and N tracks. */
static struct event_store *store_of(int64_t tick_ps, int64_t origin_ticks, uint32_t n_tracks)
{
    struct event_store *s = event_store_new();
    const struct profile_clock clock = {.tick_ps = tick_ps, .origin_ticks = origin_ticks};
    const struct event_track track = {.kind = TRACK_THREAD};

    vec_push(&s->clocks, clock);
    event_store_device(s, &(struct profile_device){.name = 1});
    for (uint32_t i = 0; i < n_tracks; i++)
        event_store_track(s, &track);
    return s;
}

static void pack(struct event_store *s, uint32_t track, const records *from)
{
    struct event_packer p;

    event_packer_begin(&p, s, track);
    for (size_t i = 0; i < from->n; i++)
        assert_int_equal(event_packer_add(&p, &from->data[i]), i);
    event_packer_end(&p);
    assert_int_equal(s->tracks.data[track].n_events, from->n);
}

static int by_order(const void *x, const void *y)
{
    return event_record_compare(x, y);
}

/* Draws N nested, overlapping and repeated events, sorted by start. */
static void draw(records *to, uint32_t n, int64_t origin_ticks, uint64_t *random)
{
    int64_t start = origin_ticks - (int64_t)random_below(random, 1000);

    to->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct event_record r = {.start_ticks = start,
                                 .dur_ticks = random_below(random, random_below(random, 50) ? 100 : 100000),
                                 .kind = random_below(random, 3000),
                                 .step = random_below(random, 10) ? 3 : random_below(random, 100000),
                                 .link = {TRACK_NONE, 0}};

        r.self_ticks = random_below(random, 2) ? r.dur_ticks : (int64_t)random_below(random, 100) - 10;
        if (random_below(random, 2))
            r.link = (struct event_ref){random_below(random, 4), (uint32_t)random_next(random)};
        vec_push(to, r);
        start += random_below(random, random_below(random, 9) ? 50 : 100000);
    }
    vec_sort(to, by_order);
}

static void assert_event(const struct event *e, const records *from, uint32_t position,
                         int64_t tick_ps, int64_t origin_ticks)
{
    const struct event_record *r = &from->data[position];

    assert_int_equal(e->position, position);
    assert_true(e->start_ps == (r->start_ticks - origin_ticks) * tick_ps);
    assert_true(e->dur_ps == r->dur_ticks * tick_ps);
    assert_true(e->self_ps == r->self_ticks * tick_ps);
    assert_int_equal(e->kind, r->kind);
    assert_int_equal(e->step, r->step);
    assert_int_equal(e->link.track, r->link.track);
    if (r->link.track != TRACK_NONE)
        assert_int_equal(e->link.position, r->link.position);
}

static void assert_range(const struct event_store *s, const records *from, int64_t tick_ps,
                         int64_t origin_ticks, int64_t from_ps, int64_t to_ps)
{
    struct event_reader r = event_reader_in(s, 0, from_ps, to_ps);

    for (uint32_t i = 0; i < from->n; i++) {
        const int64_t start = (from->data[i].start_ticks - origin_ticks) * tick_ps;
        const int64_t end = start + from->data[i].dur_ticks * tick_ps;

        if (start >= to_ps || (end <= from_ps && start < from_ps))
            continue;
        assert_true(event_next(&r));
        assert_event(&r.event, from, i, tick_ps, origin_ticks);
    }
    assert_false(event_next(&r));
    assert_false(event_next(&r));
}

static void packed_events_are_unpacked(void **state)
{
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, 1000, 64 * 64, 10000};
    static const int64_t ticks[] = {1, 1000, 1000000};
    uint64_t random = 1;
    records from = {0};

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int64_t tick_ps = ticks[k % 3], origin = k % 2 ? INT64_C(1712195495502094533) : 0;
        struct event_store *s = store_of(tick_ps, origin, 1);
        struct event_cache cache;
        struct event_reader r;

        draw(&from, sizes[k], origin, &random);
        pack(s, 0, &from);
        event_store_finish(s, NULL);
        r = event_reader_of(s, 0);
        for (uint32_t i = 0; i < from.n; i++) {
            assert_true(event_next(&r));
            assert_event(&r.event, &from, i, tick_ps, origin);
        }
        assert_false(event_next(&r));
        event_cache_init(&cache, s);
        for (uint32_t i = 0; i < from.n && i < 200; i++) {
            const uint32_t position = random_below(&random, (uint32_t)from.n);

            assert_event(event_cache_at(&cache, (struct event_ref){0, position}), &from, position,
                         tick_ps, origin);
        }
        event_cache_done(&cache);
        event_store_free(s);
    }
    vec_done(&from);
}

static void events_are_found_by_time(void **state)
{
    static const uint32_t sizes[] = {0, 1, 64, 1000, 20000};
    const int64_t tick_ps = 1000, origin = 77;
    uint64_t random = 2;
    records from = {0};

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct event_store *s = store_of(tick_ps, origin, 1);
        int64_t first, last;

        draw(&from, sizes[k], origin, &random);
        pack(s, 0, &from);
        event_store_finish(s, NULL);
        first = from.n ? from.data[0].start_ticks - origin : 0;
        last = from.n ? from.data[from.n - 1].start_ticks - origin + 200000 : 100;
        assert_range(s, &from, tick_ps, origin, INT64_MIN, INT64_MAX);
        for (int i = 0; i < 200; i++) {
            const uint32_t i_event = from.n ? random_below(&random, (uint32_t)from.n) : 0;
            int64_t at = (first + (int64_t)(random_next(&random) % (uint64_t)(last - first))) * tick_ps;
            const int64_t length = (int64_t)random_below(&random, i % 2 ? 3000 : 30000000);

            if (i % 3 == 0 && from.n) /* event boundaries */
                at = (from.data[i_event].start_ticks - origin +
                      (i % 2 ? from.data[i_event].dur_ticks : 0)) * tick_ps;
            assert_range(s, &from, tick_ps, origin, at, at + length);
        }
        event_store_free(s);
    }
    vec_done(&from);
}

static void links_are_followed_in_any_order(void **state)
{
    uint64_t random = 3;
    records from[3] = {0};
    struct event_store *s = store_of(1, 0, 3);
    struct event_cache cache;

    (void)state;
    for (uint32_t t = 0; t < 3; t++) {
        draw(&from[t], 1000, 0, &random);
        pack(s, t, &from[t]);
    }
    event_store_finish(s, NULL);
    event_cache_init(&cache, s);
    assert_null(event_cache_at(&cache, (struct event_ref){TRACK_NONE, 0}));
    for (int i = 0; i < 5000; i++) {
        const struct event_ref ref = {random_below(&random, 3),
                                      i % 2 ? (uint32_t)i / 5 : random_below(&random, 1000)};

        assert_event(event_cache_at(&cache, ref), &from[ref.track], ref.position, 1, 0);
    }
    event_cache_done(&cache);
    event_store_free(s);
    for (int t = 0; t < 3; t++)
        vec_done(&from[t]);
}

/* Instants more than 26 days from the origin are clamped, for any tick. */
static void hostile_instants_are_clamped(void **state)
{
    static const int64_t ticks[] = {1, 1000, 1000000};

    (void)state;
    for (int k = 0; k < 3; k++) {
        struct event_store *s = store_of(ticks[k], k ? INT64_MAX : INT64_MIN, 1);
        const struct event_ref none = {TRACK_NONE, 0};
        const struct event_record hostile[] = {
            {INT64_MIN, INT64_MAX, INT64_MIN, UINT32_MAX, UINT32_MAX, {UINT32_MAX - 1, UINT32_MAX}},
            {INT64_MIN, INT64_MIN, 0, 0, 0, none},
            {0, -5, 0, UINT32_MAX, 0, {0, 0}},
            {INT64_MAX, INT64_MAX, INT64_MAX, 0, UINT32_MAX, none},
        };
        struct event_packer p;
        struct event_reader r;
        uint32_t n = 0;

        event_packer_begin(&p, s, 0);
        for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++)
            event_packer_add(&p, &hostile[i]);
        event_packer_end(&p);
        r = event_reader_of(s, 0);
        for (; event_next(&r); n++) {
            assert_true(r.event.start_ps >= -EVENT_FARTHEST_PS);
            assert_true(r.event.start_ps <= EVENT_FARTHEST_PS);
            assert_true(r.event.dur_ps >= 0);
            assert_true(event_end_ps(&r.event) >= r.event.start_ps);
            assert_int_equal(r.event.kind, hostile[n].kind);
            assert_int_equal(r.event.step, hostile[n].step);
            assert_int_equal(r.event.link.track, hostile[n].link.track);
        }
        assert_int_equal(n, sizeof hostile / sizeof *hostile);
        event_store_free(s);
    }
}

static void kinds_steps_and_configurations_are_kept_once(void **state)
{
    static const uint32_t id_of_part[] = {40, 41};
    struct event_store *s = event_store_new();
    const struct event_kind node = {.id = 7, .count = 1, .event_class = EVENT_COMPUTE};
    const struct event_kind part = {.id = EVENT_PART | 1, .name = 3};
    const struct event_kind none = {.id = UINT32_MAX};
    const struct collective collective = {.name = 4};
    const struct kernel_config config = {.grid = 5};

    (void)state;
    assert_int_equal(event_store_kind(s, &node), 0);
    assert_int_equal(event_store_kind(s, &part), 1);
    assert_int_equal(event_store_kind(s, &none), 2);
    assert_int_equal(event_store_kind(s, &node), 0);
    assert_int_equal(event_store_step(s, 0, 5), 0);
    assert_int_equal(event_store_step(s, 1, 5), 1);
    assert_int_equal(event_store_step(s, 0, STEP_OUTSIDE), 2);
    assert_int_equal(event_store_step(s, 1, 5), 1);
    assert_int_equal(event_store_collective(s, &collective), 0);
    assert_int_equal(event_store_collective(s, &collective), 0);
    assert_int_equal(event_store_config(s, &config), 0);
    assert_int_equal(event_store_device(s, &(struct profile_device){.name = 8}), 0);
    assert_int_equal(event_store_device(s, &(struct profile_device){.name = 8, .rank = 1}), 1);
    assert_int_equal(event_store_device(s, &(struct profile_device){.name = 8}), 0);
    event_store_finish(s, id_of_part);
    assert_int_equal(s->n_kinds, 3);
    assert_int_equal(s->kinds[0].id, 7);
    assert_int_equal(s->kinds[1].id, 41);
    assert_int_equal(s->kinds[1].name, 3);
    assert_int_equal(s->kinds[2].id, UINT32_MAX);
    assert_int_equal(s->steps.n, 3);
    assert_int_equal(s->steps.data[1].rank, 1);
    assert_int_equal(s->collectives.n, 1);
    assert_int_equal(s->configs.n, 1);
    event_store_free(s);
}

/* Clocks with a Unix start time are aligned by it; the others share one origin. */
static void clocks_are_aligned(void **state)
{
    (void)state;
    for (int known = 0; known < 2; known++) {
        struct event_store *s = event_store_new();
        /* The origin of the second clock is 500 ns later in ticks; its tick 0 is 2,000 ns earlier. */
        const struct profile_clock clocks[] = {
            {.tick_ps = 1000, .origin_ticks = 100, .unix_ns = 5100},
            {.tick_ps = 1000, .origin_ticks = 600, .unix_ns = known ? 3600 : UNIX_NS_UNKNOWN},
        };

        vec_push(&s->clocks, clocks[0]);
        vec_push(&s->clocks, clocks[1]);
        event_store_finish(s, NULL);
        if (known)
            assert_int_equal(s->clocks.data[1].shift_ps - s->clocks.data[0].shift_ps, -1500000);
        else
            assert_int_equal(s->clocks.data[1].shift_ps - s->clocks.data[0].shift_ps, 500000);
        event_store_free(s);
    }
}

/* Heap bytes of track 0 with its index, and of the event kinds. */
static size_t packed_bytes(const struct event_store *s)
{
    const struct event_track *t = &s->tracks.data[0];
    const size_t n_blocks = ((size_t)t->n_events + EVENT_BLOCK - 1) / EVENT_BLOCK;

    return s->n_kinds * sizeof *s->kinds + t->packed_bytes + n_blocks * sizeof *t->blocks +
           (n_blocks + EVENT_BLOCKS - 1) / EVENT_BLOCKS * sizeof *t->group_max_end_ticks;
}

static void an_event_takes_few_bytes(void **state)
{
    static const int64_t units[] = {1, 1000};

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct event_store *s = store_of(1, 0, 2);
        records from = {0};

        for (uint32_t i = 0; i < 10000; i++)
            vec_push(&from, ((struct event_record){.start_ticks = i * 8000 * units[k],
                                                   .dur_ticks = (5000 + i % 1000) * units[k],
                                                   .self_ticks = (5000 + i % 1000) * units[k],
                                                   .kind = 60 + i * 7 % 300,
                                                   .link = {1, 2 * i}}));
        pack(s, 0, &from);
        event_store_finish(s, NULL);
        assert_true(packed_bytes(s) <= 12 * from.n);
        vec_done(&from);
        event_store_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_events_are_unpacked),
        cmocka_unit_test(events_are_found_by_time),
        cmocka_unit_test(links_are_followed_in_any_order),
        cmocka_unit_test(hostile_instants_are_clamped),
        cmocka_unit_test(kinds_steps_and_configurations_are_kept_once),
        cmocka_unit_test(clocks_are_aligned),
        cmocka_unit_test(an_event_takes_few_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
