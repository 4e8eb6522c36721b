/* snapshot_events.c: reads events of traces (formats-snapshot.md section 3). */
#include "load/snapshot/snapshot.h"

enum { NO_ACTION = MEMORY_ACTION_COUNT };

static unsigned action_of(const struct snapshot_build *s, pickle_value text)
{
    for (unsigned i = 0; i < MEMORY_ACTION_COUNT; i++)
        if (i != MEMORY_FREE && s->action_texts[i] == pickle_index(text))
            return i;
    return NO_ACTION;
}

/* Opens the I-th element of TRACE; returns its action, or PICKLE_ABSENT if it is not an event. */
static pickle_value open_event(struct snapshot_build *s, pickle_value trace, uint32_t i)
{
    struct pickle *p = &s->pickle;
    const pickle_value v = p->cells.data[pickle_object(p, trace)->first + i];
    pickle_value action;

    if (pickle_kind(v) != PICKLE_DICT || pickle_is_incomplete(p, v))
        return PICKLE_ABSENT;
    pickle_open_dict(p, v);
    pickle_watch(p, v);
    action = pickle_field(p, KEY_ACTION);
    return pickle_kind(action) == PICKLE_TEXT ? action : PICKLE_ABSENT;
}

enum memory_frees survey_events(struct snapshot_reader *r, pickle_value trace)
{
    const struct pickle *p = &r->s->pickle;
    bool has_requests = false, has_frees = false;
    uint32_t n;

    pickle_elements(p, trace, &n);
    for (uint32_t i = 0; i < n && !(has_frees && r->has_times); i++) {
        const pickle_value text = open_event(r->s, trace, i);
        const unsigned action = action_of(r->s, text);

        if (text == PICKLE_ABSENT)
            continue;
        has_requests |= action == MEMORY_FREE_REQUESTED;
        has_frees |= action == MEMORY_FREE_COMPLETED;
        if (!r->has_times)
            r->has_times = pickle_time(p, pickle_field(p, KEY_TIME_US), &r->first_us);
    }
    r->last_us = r->first_us;
    return has_requests && !has_frees ? MEMORY_FREES_REQUESTED : MEMORY_FREES_COMPLETED;
}

/* The time of an event from its value V, at least the time of the previous event. */
static int64_t read_time(struct snapshot_reader *r, pickle_value v)
{
    int64_t us = r->last_us;

    if (v != PICKLE_ABSENT && !pickle_time(&r->s->pickle, v, &us))
        r->repairs[SNAPSHOT_bad_number]++;
    if (us < r->last_us)
        r->repairs[SNAPSHOT_out_of_order]++;
    else
        r->last_us = us;
    return r->last_us;
}

bool read_event(struct snapshot_reader *r, pickle_value trace, uint32_t i, struct snapshot_event *e)
{
    const struct pickle *p = &r->s->pickle;
    const pickle_value text = open_event(r->s, trace, i);

    if (text == PICKLE_ABSENT) {
        r->repairs[SNAPSHOT_bad_event]++;
        return false;
    }
    *e = (struct snapshot_event){.action = action_of(r->s, text), .device_free_bytes = MEMORY_UNKNOWN};
    if (e->action == NO_ACTION)
        r->repairs[SNAPSHOT_unknown_action]++;
    else
        r->counts[e->action]++;
    e->has_address = pickle_address(p, pickle_field(p, KEY_ADDR), &e->address);
    e->has_size = pickle_size(p, pickle_field(p, KEY_SIZE), &e->bytes);
    if (!pickle_time(p, pickle_field(p, KEY_STREAM), &e->site.stream))
        e->site.stream = 0;
    if (!pickle_size(p, pickle_field(p, KEY_DEVICE_FREE), &e->device_free_bytes))
        e->device_free_bytes = MEMORY_UNKNOWN;
    e->site.metadata = pickle_field(p, KEY_USER_METADATA);
    e->site.category = pickle_field(p, KEY_CATEGORY);
    e->us = read_time(r, pickle_field(p, KEY_TIME_US));
    if (e->action == MEMORY_ALLOC || e->action == MEMORY_OOM)
        e->site.stack = snapshot_stack(r->s, pickle_field(p, KEY_FRAMES));
    r->n_events++;
    return true;
}
