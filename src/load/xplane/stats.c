/* stats.c: stats of events and planes that are used (formats-xplane.md section 5). */
#include "load/xplane/stats.h"

#include <string.h>

#include "base/satmath.h"
#include "load/xplane/xspace.h"

static const struct {
    const char *name;
    enum xstat stat;
} known[] = {
    {"hlo_op", STAT_HLO_OP},
    {"hlo_module", STAT_HLO_MODULE},
    {"Hlo Proto", STAT_HLO_PROTO},
    {"HLO Proto", STAT_HLO_PROTO},
    {"hlo_proto", STAT_HLO_PROTO},
    {"hlo_category", STAT_HLO_CATEGORY},
    {"program_id", STAT_PROGRAM_ID},
    {"run_id", STAT_RUN_ID},
    {"device_ordinal", STAT_DEVICE_ORDINAL},
    {"correlation_id", STAT_CORRELATION_ID},
    {"tf_op", STAT_TF_OP},
    {"level 0", STAT_TF_OP},
    {"kernel_details", STAT_KERNEL_DETAILS},
    {"memcpy_details", STAT_MEMCPY_DETAILS},
    {"step_num", STAT_STEP_NUM},
    {"_r", STAT_IS_ROOT},
    {"eager_op", STAT_EAGER_OP},
    {"is_func", STAT_IS_FUNC},
    {"device_offset_ps", STAT_DEVICE_OFFSET_PS},
    {"device_duration_ps", STAT_DEVICE_DURATION_PS},
    {"flops", STAT_FLOPS},
    {"model_flops", STAT_MODEL_FLOPS},
    {"bytes_accessed", STAT_BYTES_ACCESSED},
    {"source", STAT_SOURCE},
    {"source_stack", STAT_SOURCE_STACK},
    {"allocator_name", STAT_ALLOCATOR_NAME},
    {"bytes_allocated", STAT_BYTES_ALLOCATED},
    {"bytes_reserved", STAT_BYTES_RESERVED},
    {"bytes_available", STAT_BYTES_AVAILABLE},
    {"peak_bytes_in_use", STAT_PEAK_BYTES_IN_USE},
    {"fragmentation", STAT_FRAGMENTATION},
    {"addr", STAT_ADDRESS},
    {"allocation_bytes", STAT_ALLOCATION_BYTES},
    {"clock_rate", STAT_CLOCK_RATE},
    {"core_count", STAT_CORE_COUNT},
    {"memory_bandwidth", STAT_MEMORY_BANDWIDTH},
    {"compute_cap_major", STAT_COMPUTE_CAP_MAJOR},
    {"compute_cap_minor", STAT_COMPUTE_CAP_MINOR},
    {"device_vendor", STAT_DEVICE_VENDOR},
    {"gpu_device_name", STAT_GPU_DEVICE_NAME},
    {"peak_teraflops_per_second", STAT_PEAK_TERAFLOPS},
    {"peak_hbm_bw_gigabytes_per_second", STAT_PEAK_HBM_BANDWIDTH},
    {"dropped_traces", STAT_DROPPED_TRACES},
};

_Static_assert(STAT_COUNT <= 64, "stat_values.has has a bit for each");

enum xstat stat_find(struct span name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == name.len && memcmp(known[i].name, name.bytes, name.len) == 0)
            return known[i].stat;
    return STAT_OTHER;
}

/* ---- names */

enum { SMALL_IDS = 1 << 16 };

/* The entry of ID, or NULL. */
static const struct stat_name *stat_name_get(const struct stat_names *names, uint64_t id)
{
    uint32_t at;

    if (id < names->small.n)
        return names->small.data[id] ? &names->names.data[names->small.data[id] - 1] : NULL;
    at = idmap_get(&names->by_id, (int64_t)id);
    return at == IDMAP_NONE ? NULL : &names->names.data[at];
}

void stat_names_index(struct stat_names *names)
{
    const size_t n = 2 * names->names.n < SMALL_IDS ? 2 * names->names.n : SMALL_IDS;

    names->small.n = 0;
    vec_resize_zero(&names->small, n);
    for (size_t id = 0; id < n; id++) {
        const uint32_t at = idmap_get(&names->by_id, (int64_t)id);

        names->small.data[id] = at == IDMAP_NONE ? 0 : at + 1;
    }
}

void stat_names_done(struct stat_names *names)
{
    vec_done(&names->names);
    idmap_done(&names->by_id);
    vec_done(&names->small);
}

/* ---- values */

struct span stat_text(const struct stat_values *s, enum xstat stat)
{
    static const char none[] = "(null)";
    const struct span text = stat_has(s, stat) ? s->values[stat].text : (struct span){0};

    if (text.len == sizeof none - 1 && memcmp(text.bytes, none, text.len) == 0)
        return (struct span){0};
    return text;
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
