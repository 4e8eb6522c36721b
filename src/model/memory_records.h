/* memory_records.h: allocation records of RunMetadata (formats-runmeta.md section 8), which become a
 * memory log on first use. */
#pragma once

#include <stdatomic.h>

#include "model/exec.h"
#include "model/memory_log.h"

struct profile;

/* The records of one execution of a node with one allocator. */
struct memory_record_list {
    int64_t step;
    uint32_t node; /* node_id */
    uint32_t file; /* in profile.files */
    strid device, allocator;
    uint32_t n;
    size_t first; /* in memory_records.records */
};

/* In recorded order. */
struct memory_records {
    VEC(struct memory_record_list) lists;
    VEC(struct allocation) records;
    struct memory_log *_Atomic log; /* NULL: not made yet */
};

/* Adds LIST to the records of P; LIST.n is the number of RECORDS, and LIST.first is set here. */
void memory_records_add(struct profile *p, struct memory_record_list list, const struct allocation *records);
void memory_records_free(struct memory_records *r); /* accepts NULL */

/* Returns the memory log of P, or NULL. The first call for RunMetadata sorts its records: O(n log n).
 * Any thread may call it. */
const struct memory_log *profile_memory(const struct profile *p);
/* True if profile_memory() returns a log. */
bool profile_has_memory(const struct profile *p);

/* Sum of the peaks of the executions of STEP: the original's figure, which counts reused memory
 * several times. */
int64_t memory_sum_of_peaks(const struct profile *p, int64_t step);
