/* pprof.h: state of the pprof reader; private to pprof*.c. */
#pragma once

#include "load/loader.h"
#include "model/memory_log.h"

/* A function; the strings belong to the profile. */
struct pprof_function {
    strid name, file; /* STRID_EMPTY: unknown */
};

/* A line of a location; inlined calls come first. */
struct pprof_line {
    uint32_t function; /* index in functions, or UINT32_MAX */
    int32_t line;
};

struct pprof_location {
    uint64_t address;
    uint32_t first, n; /* range in lines */
};

/* Sums over the samples of one part of a node. */
struct pprof_sums {
    int64_t value, residual_bytes, bytes, n, time;
};

struct pprof_read {
    struct loader *l;
    struct builder *builder;
    bool has_overflow;
    VEC(struct span) strings;
    VEC(struct pprof_function) functions;
    VEC(struct pprof_location) locations;
    VEC(struct pprof_line) lines;
    struct idmap function_of_id, location_of_id;
    int64_t default_type; /* string index; 0: none */
    /* indexes of sample types; -1: none */
    int32_t selected, standard, live, allocated, counted, timed;
    int64_t ticks_per_value; /* nanoseconds per unit of the timed type */
    uint64_t n_samples;
    VEC(struct value_type) types;
    VEC(struct pprof_sums) sums; /* by part */
    /* state of the current sample */
    VEC(uint64_t) location_ids;
    VEC(int64_t) values;
    struct text device, kind; /* labels; empty if missing */
    strid leaf;               /* innermost function of the stack */
    struct budget budget;     /* for names and stacks */
    VEC(struct memory_allocator) allocators; /* by device */
    struct intern devices;    /* ids are indexes in allocators */
    struct strbuf text;
};

/* pprof_tables.c: reads strings, functions, locations and sample types.  False with ERR. */
bool pprof_tables(struct pprof_read *r, struct err *err);
void pprof_tables_done(struct pprof_read *r);
/* False with ERR when string INDEX does not exist; AT is the message that refers to it. */
bool pprof_string(struct pprof_read *r, uint64_t index, const uint8_t *at, struct text *text,
                  struct err *err);

