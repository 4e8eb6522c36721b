/* plane.c: reads a plane and its metadata of events and stats (formats-xplane.md section 4). */
#include "load/xplane/plane.h"

#include <stdlib.h>

#include "base/xalloc.h"

static void malformed(struct plane *p, const struct wire_in *in)
{
    if (in->why && !p->why) {
        p->why = in->why;
        p->why_at = in->at;
    }
}

bool plane_name(struct plane *p, struct span message)
{
    struct wire_in in = span_walk(message);
    struct wire_field f;

    p->message = message;
    while (wire_next_len(&in, &f, XPLANE_NAME))
        p->name = field_span(&f);
    malformed(p, &in);
    p->kind = plane_kind_of(p->name);
    return !p->why;
}

/* Reads the key and value of a map entry. */
static bool read_entry(struct plane *p, struct span message, int64_t *id, struct span *value)
{
    struct wire_in in = span_walk(message);
    struct wire_field f;

    *id = 0;
    *value = (struct span){message.bytes, 0};
    while (wire_next(&in, &f)) {
        if (f.number == 1 && f.type == WIRE_VARINT)
            *id = (int64_t)f.value;
        else if (f.number == 2 && f.type == WIRE_LEN)
            *value = field_span(&f);
    }
    malformed(p, &in);
    return !p->why;
}

static void add_stat_name(struct plane *p, struct span message)
{
    struct stat_name name = {.text = {message.bytes, 0}};
    struct span value;
    int64_t id;

    if (!read_entry(p, message, &id, &value) || p->stats.names.n == UINT32_MAX - 1)
        return;
    name.text = span_part(value, XMETADATA_NAME);
    name.stat = stat_find(name.text);
    idmap_put(&p->stats.index.by_id, id, (uint32_t)p->stats.names.n, 0);
    vec_push(&p->stats.names, name);
}

static void add_kind(struct plane *p, struct span message)
{
    struct event_metadata kind = {.message = message};
    struct stat_values stats;
    struct event_pairs pairs;
    struct span value, key;
    struct wire_in in;
    struct wire_field f;

    if (!read_entry(p, message, &kind.id, &value) || p->kinds.n == UINT32_MAX - 1)
        return;
    stats.has = 0;
    kind.name = kind.display_name = (struct span){message.bytes, 0};
    in = span_walk(value);
    while (wire_next(&in, &f)) {
        if (f.type != WIRE_LEN)
            continue;
        if (f.number == XMETADATA_NAME)
            kind.name = field_span(&f);
        else if (f.number == XMETADATA_DISPLAY_NAME)
            kind.display_name = field_span(&f);
        else if (f.number == XMETADATA_STATS)
            stat_add(&stats, field_span(&f), &p->stats);
    }
    malformed(p, &in);
    kind.name = event_name_trim(kind.name, &pairs);
    while (event_pairs_next(&pairs, &key, &value)) /* pairs count as stats of the events */
        stat_add_pair(&stats, key, value);
    kind.stats = stat_list_new(&p->kind_stats, &stats);
    kind.parsed = event_name_parse(kind.name);
    if (p->kind == PLANE_HOST)
        kind.call = (uint8_t)event_name_call(kind.name, kind.parsed.kind);
    idmap_put(&p->kind_index.by_id, kind.id, (uint32_t)p->kinds.n, 0);
    vec_push(&p->kinds, kind);
}

/* Stat names are read first, as event metadata contains stats. */
void plane_read(struct plane *p)
{
    struct wire_in in = span_walk(p->message);
    VEC(struct span) kinds = {0};
    VEC(struct span) stats = {0};
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.type != WIRE_LEN)
            continue;
        if (f.number == XPLANE_LINES)
            vec_push(&p->lines, field_span(&f));
        else if (f.number == XPLANE_STAT_METADATA)
            add_stat_name(p, field_span(&f));
        else if (f.number == XPLANE_EVENT_METADATA)
            vec_push(&kinds, field_span(&f));
        else if (f.number == XPLANE_STATS)
            vec_push(&stats, field_span(&f));
    }
    malformed(p, &in);
    metadata_index_fill(&p->stats.index);
    for (size_t i = 0; i < kinds.n; i++)
        add_kind(p, kinds.data[i]);
    metadata_index_fill(&p->kind_index);
    for (size_t i = 0; i < stats.n; i++) {
        if (!p->own)
            p->own = xcalloc(1, sizeof *p->own);
        stat_add(p->own, stats.data[i], &p->stats);
    }
    EACH(vec_done, &kinds, &stats);
}

const struct event_metadata *plane_event_kind(const struct plane *p, uint64_t id)
{
    const uint32_t at = metadata_index_get(&p->kind_index, id);

    return at == IDMAP_NONE ? NULL : &p->kinds.data[at];
}

void plane_done(struct plane *p)
{
    vec_done(&p->kinds);
    arena_done(&p->kind_stats);
    vec_done(&p->lines);
    vec_done(&p->stats.names);
    EACH(metadata_index_done, &p->stats.index, &p->kind_index);
    free(p->own);
}
