/* stragglers_parts.c: reads the parts of participants in collectives. */
#include "activity/stragglers_parts.h"

#include <string.h>

#include "activity/breakdown_sums.h"

/* ---- what participants did */

static strid name_of(const struct arrivals *m, const struct event_kind *kind)
{
    return kind->name != STRID_EMPTY || kind->id == NODE_NONE
               ? kind->name
               : m->sel->p->op[profile_node_of_part(m->sel->p, kind->id)];
}

static uint32_t key_of(struct arrivals *m, const struct event_kind *kind, strid track_name,
                       uint32_t step)
{
    struct match_key key;

    memset(&key, 0, sizeof key);
    if (!m->s->by_rank && kind->id != NODE_NONE) {
        key.node = profile_node_of_part(m->sel->p, kind->id);
        key.step = step;
        key.collective.name = m->sel->p->name[key.node];
    } else if (kind->detail) {
        key.collective = m->store->collectives.data[kind->detail - 1];
    } else {
        key.collective.name = name_of(m, kind);
        key.collective.group_name = track_name;
    }
    return intern_put(&m->keys, &key, sizeof key);
}

struct match_key stragglers_key(const struct arrivals *m, uint32_t id)
{
    struct match_key key;

    memcpy(&key, intern_text(&m->keys, id), sizeof key);
    return key;
}

/* Adds an event; one that continues an execution extends the last part of its key. */
static void add_part(struct arrivals *m, const struct part *part, bool begins)
{
    struct part *last = m->parts.n ? &m->parts.data[m->parts.n - 1] : NULL;

    if (begins || !last || last->key != part->key || last->participant != part->participant)
        vec_push(&m->parts, *part);
    else if (part->end_ps > last->end_ps)
        last->end_ps = part->end_ps;
}

static void read_work(struct arrivals *m, uint32_t device, struct straggler_row *row,
                      const struct work *w)
{
    const struct event_kind *kind = &m->store->kinds[w->kind];
    struct part part = {.row = (uint32_t)(row - m->s->rows.data), .step = w->step, .device = device,
                        .ref = w->ref, .start_ps = w->start_ps, .end_ps = w->end_ps,
                        .input_bytes = kind->input_bytes};

    if (kind->event_class != EVENT_COMMUNICATION) {
        if (!m->s->by_rank)
            row->work_ps = clamp_add(row->work_ps, w->self_ps);
        return;
    }
    row->communication_ps = clamp_add(row->communication_ps, w->self_ps);
    part.participant = m->s->by_rank ? part.row : device;
    part.key = key_of(m, kind, m->store->tracks.data[w->ref.track].name, w->step);
    add_part(m, &part, kind->count > 0 || m->s->by_rank);
}

static void read_device(struct arrivals *m, uint32_t device)
{
    const uint32_t rank = m->store->devices.data[device].rank;
    struct straggler_row *row = &m->s->rows.data[m->row_of[m->s->by_rank ? rank : device]];
    struct work_reader r;
    struct sums sums;

    sums_init(&sums);
    work_begin(&r, m->sel, device);
    while (work_next(&r)) {
        sums_add(&sums, &r.work, (enum event_class)m->store->kinds[r.work.kind].event_class, false,
                 0);
        read_work(m, device, row, &r.work);
    }
    work_end(&r);
    sums_end(&sums);
    if (m->s->by_rank)
        row->work_ps =
            clamp_add(row->work_ps, clamp_add(sums.row.compute_ps, sums.row.exposed_memory_ps));
}

/* Reads collectives that host threads execute, such as those of Gloo. */
static void read_thread(struct arrivals *m, uint32_t track)
{
    const struct event_track *t = &m->store->tracks.data[track];
    const uint32_t row = m->row_of[m->store->devices.data[t->device].rank];
    struct event_reader r = event_reader_of(m->store, track);

    while (event_next(&r)) {
        const struct event *e = &r.event;
        const struct event_kind *kind = &m->store->kinds[e->kind];
        const int64_t start_ps = selection_instant(m->sel, track, e->start_ps);

        if (kind->is_work || kind->event_class != EVENT_COMMUNICATION || !m->sel->steps[e->step] ||
            (m->sel->has_range && (start_ps < m->sel->from_ps || start_ps >= m->sel->to_ps)))
            continue;
        vec_push(&m->parts, ((struct part){
                                .key = key_of(m, kind, STRID_EMPTY, e->step),
                                .participant = row,
                                .row = row,
                                .step = e->step,
                                .ref = {TRACK_NONE, 0},
                                .start_ps = start_ps,
                                .end_ps = selection_instant(m->sel, track, event_end_ps(e)),
                                .input_bytes = kind->input_bytes}));
    }
}

static bool has_host_collectives(const struct event_store *s)
{
    for (uint32_t i = 0; i < s->n_kinds; i++)
        if (!s->kinds[i].is_work && s->kinds[i].event_class == EVENT_COMMUNICATION)
            return true;
    return false;
}

void stragglers_read(struct arrivals *m)
{
    for (uint32_t d = 0; d < m->store->devices.n; d++)
        if (m->sel->devices[d] && m->sel->track_begin[d] < m->sel->track_begin[d + 1]) {
            read_device(m, d);
            m->n_participants += !m->s->by_rank;
        }
    if (!m->s->by_rank || !has_host_collectives(m->store))
        return;
    for (uint32_t t = 0; t < m->store->tracks.n; t++)
        if (m->sel->tracks[t] && m->store->tracks.data[t].kind == TRACK_THREAD)
            read_thread(m, t);
}
