/* pprof.h: a profile of pprof while it is read; private to pprof*.c. */
#pragma once

#include "load/loader.h"
#include "model/memory_log.h"

/* A function; names are those of the profile under construction. */
struct pprof_function {
    strid name, file; /* STRID_EMPTY: not known */
};

/* A line of a location, the innermost inlined call first. */
struct pprof_line {
    uint32_t function; /* in functions; UINT32_MAX: none */
    int32_t line;
};

struct pprof_location {
    uint64_t address;
    uint32_t first, n; /* in lines */
};

/* Sums over the samples of a part of a node. */
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
    int64_t default_type; /* a string; 0: none */
    /* indexes of sample types; -1: there is none */
    int32_t selected, standard, live, allocated, counted, timed;
    int64_t ticks_per_value; /* of the timed type */
    uint64_t n_samples;
    VEC(struct value_type) types;
    VEC(struct pprof_sums) sums; /* by part */
    /* the sample in work */
    VEC(uint64_t) location_ids;
    VEC(int64_t) values;
    struct text device, kind; /* labels; empty: none */
    strid leaf;               /* function that took the sample */
    struct budget budget;     /* what names and stacks may take */
    VEC(struct memory_allocator) allocators; /* by device */
    struct intern devices;    /* ids are places in it */
    struct strbuf text;
};

/* pprof_tables.c: strings, functions, locations, sample types. False with ERR. */
bool pprof_tables(struct pprof_read *r, struct err *err);
void pprof_tables_done(struct pprof_read *r);
/* False with ERR when there is no string INDEX; AT is the message that has it. */
bool pprof_string(struct pprof_read *r, uint64_t index, const uint8_t *at, struct text *text,
                  struct err *err);

/* pprof_samples.c: samples as nodes, figures and live memory. */
bool pprof_samples(struct pprof_read *r, struct err *err);
void pprof_samples_done(struct pprof_read *r);
