/* stats.h: stats of events and planes that are used, identified by name (formats-xplane.md section
 * 5). */
#ifndef TFPROF_LOAD_XPLANE_STATS_H
#define TFPROF_LOAD_XPLANE_STATS_H

#include "load/loader.h"

enum xstat {
    STAT_OTHER, /* not read */
    STAT_HLO_OP,
    STAT_HLO_MODULE,
    STAT_HLO_PROTO,
    STAT_HLO_CATEGORY,
    STAT_PROGRAM_ID,
    STAT_RUN_ID,
    STAT_DEVICE_ORDINAL,
    STAT_CORRELATION_ID,
    STAT_TF_OP,
    STAT_KERNEL_DETAILS,
    STAT_MEMCPY_DETAILS,
    STAT_STEP_NUM,
    STAT_IS_ROOT,
    STAT_EAGER_OP,
    STAT_IS_FUNC,
    STAT_DEVICE_OFFSET_PS,
    STAT_DEVICE_DURATION_PS,
    STAT_FLOPS,
    STAT_MODEL_FLOPS,
    STAT_BYTES_ACCESSED,
    STAT_SOURCE,
    STAT_SOURCE_STACK,
    STAT_ALLOCATOR_NAME,
    STAT_BYTES_ALLOCATED,
    STAT_BYTES_RESERVED,
    STAT_BYTES_AVAILABLE,
    STAT_PEAK_BYTES_IN_USE,
    STAT_FRAGMENTATION,
    STAT_ADDRESS,
    STAT_ALLOCATION_BYTES,
    STAT_CLOCK_RATE,
    STAT_CORE_COUNT,
    STAT_MEMORY_BANDWIDTH,
    STAT_COMPUTE_CAP_MAJOR,
    STAT_COMPUTE_CAP_MINOR,
    STAT_DEVICE_VENDOR,
    STAT_GPU_DEVICE_NAME,
    STAT_PEAK_TERAFLOPS,
    STAT_PEAK_HBM_BANDWIDTH,
    STAT_DROPPED_TRACES,
    STAT_COUNT
};

/* The stat with NAME, or STAT_OTHER. */
enum xstat stat_find(struct span name);

/* An entry of stat_metadata: the name of a stat, or a text that stats refer to. */
struct stat_name {
    struct span text;
    enum xstat stat;
};

/* The stat_metadata of a piece of a plane, by id. */
struct stat_names {
    VEC(struct stat_name) names;
    struct idmap by_id;
    VEC(uint32_t) small; /* by small id: index + 1, 0 if none */
};

/* Builds the index of small ids, after all entries were added. */
void stat_names_index(struct stat_names *names);
void stat_names_done(struct stat_names *names);

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

#endif
