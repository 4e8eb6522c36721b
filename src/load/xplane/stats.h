/* stats.h: the stats of a capture that mean something here: known by name, read from their messages
 * (formats-xplane.md section 5). */
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

/* The stat of a name. */
enum xstat stat_find(struct span name);

/* An entry of a plane's stat_metadata: a name of stats, or a text that stats refer to. */
struct stat_name {
    struct span text;
    enum xstat stat;
};

/* The stat_metadata of a piece of a plane, by id. */
struct stat_names {
    VEC(struct stat_name) names;
    struct idmap by_id;
    VEC(uint32_t) small; /* the same for ids that are small: place + 1, 0 for none */
};

/* The entry of ID, or NULL. */
const struct stat_name *stat_name_get(const struct stat_names *names, uint64_t id);
/* Builds what stat_name_get() asks for small ids, once all entries are there. */
void stat_names_index(struct stat_names *names);
void stat_names_done(struct stat_names *names);

/* A value, in the form in which the file has it; a text in numbers is 0, a number as text empty. */
struct stat_value {
    struct span text;
    uint64_t number; /* integers: the bits */
    double real;
};

/* The known stats of an event or plane.  values[STAT] counts where bit STAT of `has` is set. */
struct stat_values {
    uint64_t has;
    struct stat_value values[STAT_COUNT];
};

static inline bool stat_has(const struct stat_values *s, enum xstat stat)
{
    return s->has >> stat & 1;
}

/* 0 where there is none. */
static inline uint64_t stat_number(const struct stat_values *s, enum xstat stat)
{
    return stat_has(s, stat) ? s->values[stat].number : 0;
}

/* Empty where there is none, or "(null)", which stands for it. */
struct span stat_text(const struct stat_values *s, enum xstat stat);

/* Adds the XStat in MESSAGE, over a former value of the same; what is not known is passed over. */
void stat_add(struct stat_values *s, struct span message, const struct stat_names *names);
/* Adds what a name said, KEY=VALUE. */
void stat_add_pair(struct stat_values *s, struct span key, struct span value);

#endif
