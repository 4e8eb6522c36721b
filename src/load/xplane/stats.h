/* stats.h: stats of events and planes that are used, identified by name (formats-xplane.md section
 * 5). */
#pragma once

#include "load/loader.h"

/* X(ID, name) of every stat that is read. */
#define STAT_LIST(X)                                                                             \
    X(HLO_OP, "hlo_op") X(HLO_MODULE, "hlo_module") X(HLO_PROTO, "Hlo Proto")                    \
    X(HLO_CATEGORY, "hlo_category") X(PROGRAM_ID, "program_id") X(RUN_ID, "run_id")              \
    X(DEVICE_ORDINAL, "device_ordinal") X(CORRELATION_ID, "correlation_id") X(TF_OP, "tf_op")    \
    X(KERNEL_DETAILS, "kernel_details") X(MEMCPY_DETAILS, "memcpy_details")                      \
    X(STEP_NUM, "step_num") X(IS_ROOT, "_r") X(EAGER_OP, "eager_op") X(IS_FUNC, "is_func")       \
    X(DEVICE_OFFSET_PS, "device_offset_ps") X(DEVICE_DURATION_PS, "device_duration_ps")          \
    X(FLOPS, "flops") X(MODEL_FLOPS, "model_flops") X(BYTES_ACCESSED, "bytes_accessed")          \
    X(SOURCE, "source") X(SOURCE_STACK, "source_stack") X(ALLOCATOR_NAME, "allocator_name")      \
    X(BYTES_ALLOCATED, "bytes_allocated") X(BYTES_RESERVED, "bytes_reserved")                    \
    X(BYTES_AVAILABLE, "bytes_available") X(PEAK_BYTES_IN_USE, "peak_bytes_in_use")              \
    X(FRAGMENTATION, "fragmentation") X(ADDRESS, "addr") X(ALLOCATION_BYTES, "allocation_bytes") \
    X(CLOCK_RATE, "clock_rate") X(CORE_COUNT, "core_count")                                      \
    X(MEMORY_BANDWIDTH, "memory_bandwidth") X(COMPUTE_CAP_MAJOR, "compute_cap_major")            \
    X(COMPUTE_CAP_MINOR, "compute_cap_minor") X(DEVICE_VENDOR, "device_vendor")                  \
    X(GPU_DEVICE_NAME, "gpu_device_name") X(PEAK_TERAFLOPS, "peak_teraflops_per_second")         \
    X(PEAK_HBM_BANDWIDTH, "peak_hbm_bw_gigabytes_per_second")                                    \
    X(DROPPED_TRACES, "dropped_traces")

#define STAT_ID(id, name) STAT_##id,
enum xstat { STAT_OTHER, STAT_LIST(STAT_ID) STAT_COUNT }; /* STAT_OTHER: not read */
#undef STAT_ID

/* The stat with NAME, or STAT_OTHER. */
enum xstat stat_find(struct span name);

/* An entry of stat_metadata: the name of a stat, or a text that stats refer to. */
struct stat_name {
    struct span text;
    enum xstat stat;
};

/* Indexes of metadata by id. */
struct metadata_index {
    struct idmap by_id;
    VEC(uint32_t) small; /* by small id: index, IDMAP_NONE if none */
};

/* Fills `small` from `by_id`, after all entries were added. */
void metadata_index_fill(struct metadata_index *m);
void metadata_index_done(struct metadata_index *m);

/* The index of ID, or IDMAP_NONE. */
static inline uint32_t metadata_index_get(const struct metadata_index *m, uint64_t id)
{
    return id < m->small.n ? m->small.data[id] : idmap_get(&m->by_id, (int64_t)id);
}

/* The stat_metadata of a piece of a plane. */
struct stat_names {
    VEC(struct stat_name) names;
    struct metadata_index index;
};

/* A stat value.  Text is not converted: `number` is 0 for text, and `text` is empty for numbers. */
struct stat_value {
    struct span text;
    uint64_t number; /* integers: the bits */
    double real;
};

/* The known stats of an event or plane.  values[STAT] is valid if bit STAT of `has` is set. */
struct stat_values {
    uint64_t has;
    struct stat_value values[STAT_COUNT];
};

static inline bool stat_has(const struct stat_values *s, enum xstat stat)
{
    return s->has >> stat & 1;
}

/* The value, or 0 if it is missing. */
static inline uint64_t stat_number(const struct stat_values *s, enum xstat stat)
{
    return stat_has(s, stat) ? s->values[stat].number : 0;
}

/* Stats shared by many events: the values of the set bits, in bit order. */
struct stat_list {
    uint64_t has;
    struct stat_value values[];
};

/* Copies the stats of S to ARENA; NULL if there are none. */
const struct stat_list *stat_list_new(struct arena *arena, const struct stat_values *s);
/* Adds the stats of LIST that S does not have; LIST may be NULL. */
void stat_list_add_to(const struct stat_list *list, struct stat_values *s);

/* The text; empty if it is missing or "(null)". */
struct span stat_text(const struct stat_values *s, enum xstat stat);

/* Adds the XStat in MESSAGE and overwrites an earlier value.  Unknown stats are ignored. */
void stat_add(struct stat_values *s, struct span message, const struct stat_names *names);
/* Adds a pair KEY=VALUE of an event name. */
void stat_add_pair(struct stat_values *s, struct span key, struct span value);

/* Peak FLOP/s of a device with stats ABOUT, for 16-bit types in matrix units if it has them; 0 if
 * unknown. */
double peak_flops(const struct stat_values *about);
/* Peak memory bandwidth in bytes per second; 0 if unknown. */
double peak_bytes_per_s(const struct stat_values *about);
