/* profile_scratch.h: what is read of a stored node before it goes to the builder. */
#ifndef TFPROF_LOAD_RUN_PROFILE_SCRATCH_H
#define TFPROF_LOAD_RUN_PROFILE_SCRATCH_H

#include "load/loader.h"

/* Which output of a producer a profile's node takes. */
struct source_index {
    int64_t id; /* of the producer */
    int32_t index;
};

/* A stored execution record, still in wire form. */
struct step_record {
    int64_t step;
    struct span record;
};

/* The times of a stored record on one device, an ExecTime. */
struct device_times {
    strid device;
    struct span times;
};

/* Kept between nodes. */
struct profile_scratch {
    VEC(struct wire_field) fields; /* of the node in work */
    VEC(strid) types;
    VEC(struct source_index) source_indexes;
    VEC(struct source_index) input_indexes; /* by position in place of producer */
    VEC(struct step_record) step_records;
    VEC(int64_t) scalars; /* outputs of the node whose shape [1] is a scalar's */
    VEC(uint8_t) states;  /* of counts, by node */

    /* of the execution record in work */
    VEC(struct wire_field) exec_fields;
    VEC(struct device_times) device_times;
    VEC(struct exec_memory) memories;
    VEC(struct output_buffer) buffers;
    VEC(struct allocation) allocations;
    VEC(strid) devices;
};

#endif
