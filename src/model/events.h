/* events.h: events by track, in packed form, with the clocks, hosts, ranks, devices and steps that
 * they refer to.
 *
 * An instant is picoseconds since the origin of its track's clock, because 64 bits of picoseconds
 * since 1970 would end after 106 days.  Instants and durations beyond EVENT_FARTHEST_PS are
 * clamped, so sums and differences of two of them cannot overflow.  A store is immutable once its
 * profile is finished: any thread may read it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/intern.h"
#include "base/vec.h"
#include "model/clock.h"
#include "model/profile.h"
#include "model/recorder.h"

#define EVENT_FARTHEST_PS (INT64_C(1) << 61)

/* ---- dimensions: tables, whose indexes are ids */

#define UNIX_NS_UNKNOWN INT64_MIN

struct profile_clock {
    int64_t tick_ps;      /* length of a tick of the file in picoseconds, > 0 */
    int64_t origin_ticks; /* instant 0 in ticks of the file and of executions (exec.h) */
    int64_t unix_ns;      /* Unix time of instant 0; UNIX_NS_UNKNOWN */
    int64_t shift_ps;     /* added to instants to compare them between clocks */
};

struct profile_host {
    strid name;    /* STRID_EMPTY: unknown */
    uint32_t file; /* in profile.files */
};

struct profile_rank {
    int64_t number, world_size; /* -1: unknown */
    uint32_t host, clock;
};

enum device_kind { DEVICE_CPU, DEVICE_GPU, DEVICE_TPU, DEVICE_OTHER };

struct profile_device {
    strid name; /* "/host:h/device:GPU:0", "/gpu:0" */
    uint32_t host, rank;
    int64_t number;   /* 0 for "/gpu:0"; -1: unknown */
    strid model_name; /* "NVIDIA H100"; STRID_EMPTY: unknown */
    double peak_flops, peak_bytes_per_s; /* per second; 0: unknown */
    uint8_t kind;                        /* enum device_kind */
    int32_t compute_major; /* compute capability of CUDA: 8 of 8.6; 0: unknown */
    bool is_accelerator; /* its tracks count as accelerator time */
    bool is_silent;      /* the file has an empty plane for it */
};

/* A step of a rank; each pair exists once.  Unsorted. */
struct profile_step {
    uint32_t rank;
    int64_t number; /* STEP_OUTSIDE: events outside of all steps */
};

/* Begin and end of a step by the user's mark; a step may have several marks.  Instants are in the
 * clock of its rank. */
struct profile_mark {
    uint32_t step, host;
    int64_t start_ps, end_ps;
    int64_t compile_ps; /* part in which the host compiled a program */
};

/* ---- kinds */

enum event_class {
    EVENT_COMPUTE,
    EVENT_COMMUNICATION, /* collectives and other transfers between devices of a job */
    EVENT_COPY,
    EVENT_MEMSET,
    EVENT_LAUNCH, /* a call that starts device work */
    EVENT_SYNC,   /* a call that waits for a device */
    EVENT_INPUT,  /* reading training data */
    EVENT_CONTROL, /* loop, branch, call: events in its body also count */
    EVENT_HOST,   /* any other event of a thread */
    EVENT_ANNOTATION,
    EVENT_CLASSES
};

/* Properties of events other than times; each kind exists once. */
struct event_kind {
    uint32_t id;     /* node, or part of a node (profile_node_of_part()); NODE_NONE: no row */
    strid name;      /* as in the file; STRID_EMPTY: the last component of the node's name */
    uint32_t detail; /* of EVENT_COMMUNICATION: index + 1 in collectives; 0: none */
    uint32_t config; /* launch configuration: index + 1 in configs; 0: unknown */
    uint32_t count;  /* executions that begin with the event: usually 1; 0: it continues one */
    int64_t input_bytes; /* of EVENT_COMMUNICATION: size of its input; 0: unknown */
    uint8_t event_class; /* enum event_class */
    bool is_work;        /* device work: part of busy time, breakdown and kernels */
    bool is_operator;    /* a call of an operator that may launch work */
    uint8_t zero[5];     /* padding; kinds are compared by their bytes */
};

/* ---- events */

#define TRACK_NONE UINT32_MAX

/* Identifies an event: a track, and its position in that track's order. */
struct event_ref {
    uint32_t track, position;
};

struct event {
    int64_t start_ps, dur_ps; /* since the origin of the track's clock; dur_ps >= 0 */
    int64_t self_ps;          /* exclusive time of the whole event */
    uint32_t kind, step;      /* indexes in kinds, in steps */
    struct event_ref link;    /* launch of device work; track TRACK_NONE: unknown */
    uint32_t position;        /* on its track */
};

static inline int64_t event_end_ps(const struct event *e)
{
    return e->start_ps + e->dur_ps; /* cannot overflow: both are at most EVENT_FARTHEST_PS */
}

enum track_kind {
    TRACK_THREAD,
    TRACK_STREAM,   /* of an accelerator */
    TRACK_LAUNCHES, /* targets of links only; not displayed as a thread */
    TRACK_INPUT,    /* input pipelines, Python frames that count on other tracks; self time is 0 */
};

enum { EVENT_BLOCK = 64, EVENT_BLOCKS = 64 }; /* events of a block; blocks of a group */

/* Index entry of a block of packed events.  Ticks are in the clock, relative to its origin. */
struct event_block {
    int64_t start_ticks; /* of its first event */
    int64_t max_end_ticks;
    uint64_t at; /* offset in the packed bytes */
};

/* Events of a thread or a stream, sorted by start, longer first, then in recorded order. */
struct event_track {
    uint32_t device, clock;
    uint8_t kind;  /* enum track_kind */
    strid name;    /* "Stream #7"; STRID_EMPTY: none in the file */
    bool name_is_number; /* the name is a bare stream number: "7" */
    uint32_t thread; /* of a track without a name: its index on the device, from 0 */
    uint32_t n_events;
    /* Private to events.c, event_pack.c and event_read.c. */
    struct event_block *blocks;   /* heap */
    int64_t *group_max_end_ticks; /* heap; for groups of EVENT_BLOCKS blocks */
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
    VEC(struct profile_mark) marks; /* sorted by step, then start */
    VEC(struct event_track) tracks;
    VEC(struct collective) collectives; /* of all files, without duplicates */
    VEC(struct kernel_config) configs;  /* likewise */
    struct event_kind *kinds; /* heap; set when the store is finished */
    uint32_t n_kinds;
    struct event_interning *interning; /* private; NULL when the store is finished */
};

/* ---- building: on one thread, except for packing */

/* A new, empty store; the caller owns it. */
struct event_store *event_store_new(void);
void event_store_free(struct event_store *s); /* S may be NULL */

/* The id of the kind, step, collective or kernel configuration; added when it is new. */
uint32_t event_store_kind(struct event_store *s, const struct event_kind *kind);
uint32_t event_store_step(struct event_store *s, uint32_t rank, int64_t number);
uint32_t event_store_collective(struct event_store *s, const struct collective *collective);
uint32_t event_store_config(struct event_store *s, const struct kernel_config *config);
/* The device with the same name, host and rank as LIKE; added when it is new. */
uint32_t event_store_device(struct event_store *s, const struct profile_device *like);
/* Adds an empty track; returns its id. */
uint32_t event_store_track(struct event_store *s, const struct event_track *like);

/* Flag of a kind's id that refers to a part (builder_part()) until the store is finished. */
#define EVENT_PART UINT32_C(0x80000000)

/* Ends building.  Ids of kinds with EVENT_PART become ID_OF_PART[part]. */
void event_store_finish(struct event_store *s, const uint32_t *id_of_part);

/* An event as in its file: instants are ticks of the file. */
struct event_record {
    int64_t start_ticks, dur_ticks; /* a negative duration counts as 0 */
    int64_t self_ticks;
    uint32_t kind, step;
    struct event_ref link; /* track TRACK_NONE: none */
};

/* Order of the events of a track: negative when A precedes B; 0: recorded order. */
int event_record_compare(const struct event_record *a, const struct event_record *b);

/* Packs the events of one track.  Several threads may pack different tracks at once, as long as
 * none adds a track to the store. */
struct event_packer {
    /* Private. */
    struct event_store *store;
    uint32_t track;
    int64_t origin_ticks, farthest_ticks;
    struct event_record last; /* link.track is that of the last link of the block */
    VEC(uint8_t) packed;
    VEC(struct event_block) blocks;
    uint32_t n;
};

void event_packer_begin(struct event_packer *p, struct event_store *s, uint32_t track);
/* Appends R, which must not precede the last record (event_record_compare()); returns its position.
 * More than 2^32 - 1 events end the program, as exhausted memory does. */
uint32_t event_packer_add(struct event_packer *p, const struct event_record *r);
/* Moves the events to the track. */
void event_packer_end(struct event_packer *p);

/* An event of a profile whose events are made on demand: in the first step, without a link, self
 * time equal to its duration. */
struct plain_event {
    int64_t start_ticks, dur_ticks; /* dur_ticks >= 0 */
    uint32_t kind;
    uint32_t thread; /* scratch of the caller */
};

/* Gives TRACK the N EVENTS in their order, and takes ownership of this heap memory.  N > 0. */
void event_store_set_plain(struct event_store *s, uint32_t track, struct plain_event *events,
                           uint32_t n);
/* As event_store_finish(), with N KINDS instead of those that were added; takes ownership of this
 * heap memory. */
void event_store_finish_with(struct event_store *s, struct event_kind *kinds, uint32_t n);

/* ---- reading */

/* Reads the events of a track by position:
 *
 *     struct event_reader r = event_reader_of(store, track);
 *     while (event_next(&r)) ... r.event ... */
struct event_reader {
    struct event event;             /* the current event */
    int64_t start_ticks, dur_ticks; /* its times as in the track: ticks since its origin */
    /* Private. */
    const struct event_track *track;
    const uint8_t *at;
    int64_t tick_ps, from_ps, to_ps;
    struct event_ref last_link;
    uint32_t next;
};

/* All events of TRACK. */
struct event_reader event_reader_of(const struct event_store *s, uint32_t track);
/* Events that overlap [FROM_PS, TO_PS); an event of length 0 overlaps when it is inside. */
struct event_reader event_reader_in(const struct event_store *s, uint32_t track, int64_t from_ps,
                                    int64_t to_ps);
bool event_next(struct event_reader *r);

/* Random access to events in nearly ascending order for each track, as links of a stream are:
 * caches the last decoded block of each track. */
struct event_cache {
    /* Private. */
    const struct event_store *store;
    struct event_cached_block **slots; /* hash table by track; heap */
    size_t n_slots, n_used;            /* n_slots is a power of two, or 0 */
};

void event_cache_init(struct event_cache *c, const struct event_store *s);
/* The event REF, valid until the next call; NULL when REF's track is TRACK_NONE. */
const struct event *event_cache_at(struct event_cache *c, struct event_ref ref);
void event_cache_done(struct event_cache *c);

/* Instant PS of a clock in ticks of its file, the unit of executions. */
static inline int64_t clock_ticks_of(const struct profile_clock *clock, int64_t ps)
{
    return clamp_add(clock->origin_ticks, ps / clock->tick_ps);
}

/* A new store with the executions of STEP of P, a RunMetadata profile, that started on a device;
 * the caller frees it (event_store_free()).  Overlapping executions of a device are on several
 * unnamed tracks, each on the first free one.  Streams of accelerators are device work; the
 * enqueuing device is not.  There are no launches.  Linear time, except for executions with equal
 * starts, and 24 bytes for each.  NULL when cancelled. */
struct event_store *step_events_new(const struct profile *p, int64_t step,
                                    struct cancel_mark cancel);
