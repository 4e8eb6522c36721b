/* events.h: what ran where and when: packed events by track, and the clocks, hosts, ranks, devices and
 * steps that they belong to.
 *
 * An instant is picoseconds since the origin of its track's clock.  64 bits of picoseconds are 106
 * days, so instants since 1970 do not fit.  Instants and durations beyond EVENT_FARTHEST_PS are
 * clamped, so that sums and differences of two of them cannot overflow.
 *
 * A store is immutable once its profile is finished: any thread may read it. */
#ifndef TFPROF_MODEL_EVENTS_H
#define TFPROF_MODEL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"
#include "model/clock.h"
#include "model/recording.h"

#define EVENT_FARTHEST_PS (INT64_C(1) << 61)

/* ---- dimensions: tables, whose indexes are ids */

#define UNIX_NS_UNKNOWN INT64_MIN
#define DIMENSION_NONE UINT32_MAX /* an id of no row */

struct profile_clock {
    int64_t tick_ps;      /* picoseconds of a tick of the file, above 0 */
    int64_t origin_ticks; /* instant 0, in ticks of the file and of executions (exec.h) */
    int64_t unix_ns;      /* Unix time of instant 0; UNIX_NS_UNKNOWN */
    int64_t shift_ps;     /* to be added to instants to compare them with those of other clocks */
};

struct profile_host {
    strid name;    /* STRID_EMPTY: not known */
    uint32_t file; /* in profile.files */
};

struct profile_rank {
    int64_t number, world_size; /* -1: not known */
    uint32_t host, clock;
};

enum device_kind { DEVICE_CPU, DEVICE_GPU, DEVICE_TPU, DEVICE_OTHER };

struct profile_device {
    strid name; /* "/host:h/device:GPU:0", "/gpu:0" */
    uint32_t host, rank;
    int64_t number;   /* 0 of "/gpu:0"; -1: not known */
    strid model_name; /* "NVIDIA H100"; STRID_EMPTY: not known */
    double peak_flops, peak_bytes_per_s; /* per second; 0: not known */
    uint8_t kind;                        /* enum device_kind */
    bool is_accelerator; /* its tracks are accelerator time */
    bool is_silent;      /* the file has a plane for it, without events */
};

/* A step of a rank; each pair is there once.  Steps are in no order. */
struct profile_step {
    uint32_t rank;
    int64_t number; /* STEP_OUTSIDE: outside of all steps */
};

/* Where a step begins and ends by the user's mark; a step may have several.  Instants are those of
 * the clock of its rank. */
struct profile_mark {
    uint32_t step, host;
    int64_t start_ps, end_ps;
};

/* ---- kinds */

enum event_class {
    EVENT_COMPUTE,
    EVENT_COMMUNICATION, /* collectives and other transfers between devices of a job */
    EVENT_COPY,
    EVENT_MEMSET,
    EVENT_LAUNCH, /* a call that starts work on a device */
    EVENT_SYNC,   /* a call that waits for a device */
    EVENT_INPUT,  /* reading what is trained on */
    EVENT_CONTROL, /* loop, branch, call: the events of its body are counted, too */
    EVENT_HOST,   /* anything else on a thread */
    EVENT_ANNOTATION,
    EVENT_CLASSES
};

/* "compute": static text. */
const char *event_class_name(enum event_class event_class);

/* What events have in common that differ in time only; each is there once. */
struct event_kind {
    uint32_t id;     /* node, or part of a node (profile_whole()); NODE_NONE: no row explains it */
    strid name;      /* as the file has it; STRID_EMPTY: the last component of the node's name */
    uint32_t detail; /* of EVENT_COMMUNICATION: index + 1 in collectives; 0: none */
    uint32_t config; /* how work is launched: index + 1 in configs; 0: not known */
    uint32_t count;  /* executions of the node that begin with it: usually 1; 0: it continues one */
    uint8_t event_class; /* enum event_class */
    bool is_work;        /* work of a device: busy time, breakdown, kernels */
    uint8_t zero[2];     /* kinds are compared by their bytes */
};

/* ---- events */

#define TRACK_NONE UINT32_MAX

/* An event: a track, and its position in the order of that track. */
struct event_ref {
    uint32_t track, position;
};

struct event {
    int64_t start_ps, dur_ps; /* since the origin of the track's clock; dur_ps is 0 or more */
    int64_t self_ps;          /* exclusive time of the whole event */
    uint32_t kind, step;      /* in kinds, in steps */
    struct event_ref link;    /* launch of device work; track TRACK_NONE: none is known */
    uint32_t position;        /* on its track */
};

static inline int64_t event_end_ps(const struct event *e)
{
    return e->start_ps + e->dur_ps; /* both are at most EVENT_FARTHEST_PS */
}

enum track_kind {
    TRACK_THREAD,
    TRACK_STREAM,   /* of an accelerator */
    TRACK_LAUNCHES, /* launches only, targets of links: not shown as a thread */
    TRACK_INPUT,    /* input pipelines and frames of Python that other tracks count: self time 0 */
};

enum { EVENT_BLOCK = 64, EVENT_BLOCKS = 64 }; /* events of a block, blocks of a group of blocks */

/* Index of a block of packed events.  Ticks are those of the clock, since its origin. */
struct event_block {
    int64_t start_ticks; /* of its first event */
    int64_t max_end_ticks;
    uint64_t at; /* in the packed bytes */
};

/* Events of a thread or a stream, by start, the longer one first, then as recorded. */
struct event_track {
    uint32_t device, clock;
    uint8_t kind;  /* enum track_kind */
    strid name;    /* "Stream #7"; STRID_EMPTY: the file has none */
    bool name_is_number; /* the name is the number of a stream alone: "7" */
    uint32_t thread; /* of a track without a name: which of its device, from 0 */
    uint32_t n_events;
    /* The following are private to events.c, event_pack.c and event_read.c. */
    struct event_block *blocks;   /* heap */
    int64_t *group_max_end_ticks; /* heap: of EVENT_BLOCKS blocks each */
    uint8_t *packed;              /* heap: packed events, or struct plain_event */
    size_t packed_bytes;
    bool is_plain;
};

/* ---- the store */

struct event_store {
    VEC(struct profile_clock) clocks;
    VEC(struct profile_host) hosts;
    VEC(struct profile_rank) ranks;
    VEC(struct profile_device) devices;
    VEC(struct profile_step) steps;
    VEC(struct profile_mark) marks; /* by step, then start */
    VEC(struct event_track) tracks;
    VEC(struct collective) collectives; /* of all files, each once */
    VEC(struct kernel_config) configs;  /* the same */
    struct event_kind *kinds; /* heap; once the store is finished */
    uint32_t n_kinds;
    struct event_interning *interning; /* private; NULL once the store is finished */
};

/* ---- building: one thread, but for packing */

/* An empty store, of the caller. */
struct event_store *event_store_new(void);
void event_store_free(struct event_store *s); /* NULL is fine */

/* Ids of the kind, step, collective or configuration of a kernel; added when it is new. */
uint32_t event_store_kind(struct event_store *s, const struct event_kind *kind);
uint32_t event_store_step(struct event_store *s, uint32_t rank, int64_t number);
uint32_t event_store_collective(struct event_store *s, const struct collective *collective);
uint32_t event_store_config(struct event_store *s, const struct kernel_config *config);
/* The device of that name, host and rank; LIKE is added when it is new. */
uint32_t event_store_device(struct event_store *s, const struct profile_device *like);
/* Adds a track without events; returns its id. */
uint32_t event_store_track(struct event_store *s, const struct event_track *like);

/* The id that a kind has until its store is finished when it is of a part (builder_part()). */
#define EVENT_PART UINT32_C(0x80000000)

/* No more is added.  Ids of kinds with EVENT_PART become ID_OF_PART[part]. */
void event_store_finish(struct event_store *s, const uint32_t *id_of_part);

/* An event as its file has it: instants are ticks of the file. */
struct event_record {
    int64_t start_ticks, dur_ticks; /* a duration below 0 is taken as 0 */
    int64_t self_ticks;
    uint32_t kind, step;
    struct event_ref link; /* track TRACK_NONE: none */
};

/* Order of the events of a track: below 0 when A stands before B; 0: as they were recorded. */
int event_record_compare(const struct event_record *a, const struct event_record *b);

/* Packs the events of one track.  Several tracks may be packed at once, also on several threads, as
 * long as these add no track to the store. */
struct event_packer {
    /* All members are private. */
    struct event_store *store;
    uint32_t track;
    int64_t origin_ticks, farthest_ticks;
    struct event_record last; /* link.track is that of the last link of the block */
    VEC(uint8_t) packed;
    VEC(struct event_block) blocks;
    uint32_t n;
};

void event_packer_begin(struct event_packer *p, struct event_store *s, uint32_t track);
/* Appends R, which must not stand before the record added last (event_record_compare()); returns its
 * position.  More than 2^32 - 1 events end the program as lack of memory. */
uint32_t event_packer_add(struct event_packer *p, const struct event_record *r);
/* Gives the events to the track. */
void event_packer_end(struct event_packer *p);

/* An event of a profile whose events are made when they are needed: of the first step, without a link,
 * all of it exclusive. */
struct plain_event {
    int64_t start_ticks, dur_ticks; /* dur_ticks is 0 or more */
    uint32_t kind;
    uint32_t thread; /* scratch of the caller */
};

/* Gives TRACK the N EVENTS, heap memory that it takes over, in their order.  N is above 0. */
void event_store_set_plain(struct event_store *s, uint32_t track, struct plain_event *events,
                           uint32_t n);
/* As event_store_finish() with the N KINDS, heap memory that it takes over, instead of those that were
 * added. */
void event_store_finish_with(struct event_store *s, struct event_kind *kinds, uint32_t n);

/* ---- reading */

/* Events of a track by position:
 *
 *     struct event_reader r = event_reader_of(store, track);
 *     while (event_next(&r)) ... r.event ... */
struct event_reader {
    struct event event;             /* the current one */
    int64_t start_ticks, dur_ticks; /* its times as the track has them: ticks since its origin */
    /* The following are private. */
    const struct event_track *track;
    const uint8_t *at;
    int64_t tick_ps, from_ps, to_ps;
    struct event_ref last_link;
    uint32_t next;
};

/* All events of TRACK. */
struct event_reader event_reader_of(const struct event_store *s, uint32_t track);
/* Those that overlap [FROM_PS, TO_PS); an event without a length overlaps when it is in it. */
struct event_reader event_reader_in(const struct event_store *s, uint32_t track, int64_t from_ps,
                                    int64_t to_ps);
bool event_next(struct event_reader *r);

/* The event at REF, which must exist; decodes up to EVENT_BLOCK events. */
struct event event_at(const struct event_store *s, struct event_ref ref);

/* Events in any order, nearly ascending for each track, as links of a stream are: the last block of
 * each track is kept decoded. */
struct event_cache {
    /* All members are private. */
    const struct event_store *store;
    struct event_cached_block **by_track;
};

void event_cache_init(struct event_cache *c, const struct event_store *s);
/* The event at REF, valid until the next call; NULL when REF's track is TRACK_NONE. */
const struct event *event_cache_at(struct event_cache *c, struct event_ref ref);
void event_cache_done(struct event_cache *c);

/* Bytes of S on the heap: packed events with their index, and kinds. */
size_t event_store_bytes(const struct event_store *s);

/* Instant PS of a clock in ticks of its file, as executions have it. */
static inline int64_t clock_ticks_of(const struct profile_clock *clock, int64_t ps)
{
    return clamp_add(clock->origin_ticks, ps / clock->tick_ps);
}

#endif
