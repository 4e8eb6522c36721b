/* stats.c: stats of events and planes that are used (formats-xplane.md section 5). */
#include "load/xplane/stats.h"

#include <string.h>

#include "base/satmath.h"
#include "load/xplane/xspace.h"

#define STAT_ROW(id, name) {name, STAT_##id},
static const struct {
    const char *name;
    enum xstat stat;
} known[] = {
    STAT_LIST(STAT_ROW)
    {"HLO Proto", STAT_HLO_PROTO}, {"hlo_proto", STAT_HLO_PROTO}, {"level 0", STAT_TF_OP},
};

_Static_assert(STAT_COUNT <= 64, "stat_values.has has a bit for each");

enum xstat stat_find(struct span name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (span_is(name, known[i].name))
            return known[i].stat;
    return STAT_OTHER;
}

/* ---- names */

enum { SMALL_IDS = 1 << 16 };

/* The entry of ID, or NULL. */
static const struct stat_name *stat_name_get(const struct stat_names *names, uint64_t id)
{
    const uint32_t at = metadata_index_get(&names->index, id);

    return at == IDMAP_NONE ? NULL : &names->names.data[at];
}

void metadata_index_fill(struct metadata_index *m)
{
    const size_t n = 2 * m->by_id.n < SMALL_IDS ? 2 * m->by_id.n : SMALL_IDS;

    for (size_t id = 0; id < n; id++)
        vec_push(&m->small, idmap_get(&m->by_id, (int64_t)id));
}

void metadata_index_done(struct metadata_index *m)
{
    idmap_done(&m->by_id);
    vec_done(&m->small);
}

/* ---- values */

struct span stat_text(const struct stat_values *s, enum xstat stat)
{
    const struct span text = stat_has(s, stat) ? s->values[stat].text : (struct span){0};

    return span_is(text, "(null)") ? (struct span){0} : text;
}

const struct stat_list *stat_list_new(struct arena *arena, const struct stat_values *s)
{
    const size_t n = (size_t)__builtin_popcountll(s->has);
    struct stat_list *list;
    size_t at = 0;

    if (!n)
        return NULL;
    list = arena_alloc(arena, 1, sizeof *list + n * sizeof list->values[0]);
    list->has = s->has;
    for (uint64_t left = s->has; left; left &= left - 1)
        list->values[at++] = s->values[__builtin_ctzll(left)];
    return list;
}

void stat_list_add_to(const struct stat_list *list, struct stat_values *s)
{
    const uint64_t missing = list ? list->has & ~s->has : 0;

    for (uint64_t left = missing; left; left &= left - 1) {
        const uint64_t bit = left & -left;

        s->values[__builtin_ctzll(bit)] = list->values[__builtin_popcountll(list->has & (bit - 1))];
    }
    s->has |= missing;
}

void stat_add(struct stat_values *s, struct span message, const struct stat_names *names)
{
    struct wire_in in = span_walk(message);
    const struct stat_name *name = NULL, *ref;
    struct stat_value value = {0};
    struct wire_field f;

    while (wire_next(&in, &f)) {
        switch (f.number) {
        case XSTAT_METADATA_ID:
            name = stat_name_get(names, f.value);
            if (!name || name->stat == STAT_OTHER)
                return; /* the id comes first in all known files */
            break;
        case XSTAT_DOUBLE:
            value.real = f.type == WIRE_I64 ? wire_double(f.value) : 0;
            break;
        case XSTAT_UINT64:
        case XSTAT_INT64:
            value.number = f.type == WIRE_VARINT ? f.value : 0;
            break;
        case XSTAT_STR:
        case XSTAT_BYTES:
            if (f.type == WIRE_LEN)
                value.text = field_span(&f);
            break;
        case XSTAT_REF:
            ref = f.type == WIRE_VARINT ? stat_name_get(names, f.value) : NULL;
            value.text = ref ? ref->text : (struct span){0};
            break;
        default:
            break;
        }
    }
    if (!name)
        return;
    s->values[name->stat] = value;
    s->has |= UINT64_C(1) << name->stat;
}

void stat_add_pair(struct stat_values *s, struct span key, struct span value)
{
    const enum xstat stat = stat_find(key);
    int64_t number = 0;

    if (stat == STAT_OTHER)
        return;
    for (size_t i = 0; i < value.len; i++) {
        const uint8_t c = value.bytes[i];

        if (c < '0' || c > '9' || !append_digit(&number, (char)c)) {
            number = 0;
            break;
        }
    }
    s->values[stat] = (struct stat_value){.text = value, .number = (uint64_t)number};
    s->has |= UINT64_C(1) << stat;
}
