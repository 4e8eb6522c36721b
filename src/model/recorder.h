/* recorder.h: data of an event file other than nodes: marks, totals, errors, and repairs
 * (formats-trace.md sections 1, 5 and 10). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "model/iteration.h"

/* X(ID, key, singular, plural) for each repaired defect of a trace: its key in `summary` and the
 * words of its note. */
#define REPAIR_LIST(X)                                                                         \
    X(QUOTES, "quotes", "name with bare quotes", "names with bare quotes")                     \
    X(CONTROL_CHARACTERS, "control_characters", "control character in a name",                 \
      "control characters in names")                                                           \
    X(SKIPPED, "skipped", "event skipped", "events skipped")                                   \
    X(NOT_AN_EVENT, "not_an_event", "element that is no event", "elements that are no events") \
    X(NO_PHASE, "no_phase", "event without a phase", "events without a phase")                 \
    X(NO_TIME, "no_time", "event without a time", "events without a time")                     \
    X(NO_DURATION, "no_duration", "slice without a duration", "slices without a duration")     \
    X(NEGATIVE_DURATION, "negative_duration", "negative duration taken as 0",                  \
      "negative durations taken as 0")                                                         \
    X(END_WITHOUT_BEGIN, "end_without_begin", "end without a begin", "ends without a begin")   \
    X(BEGIN_WITHOUT_END, "begin_without_end", "begin without an end", "begins without an end") \
    X(GZIP_TRUNCATED, "gzip_truncated", "gzip stream that ends early or is damaged",           \
      "gzip streams that end early or are damaged")                                            \
    X(TRUNCATED, "truncated", "end of file within the events", "ends of file within the events")

#define REPAIR_ID(id, key, one, many) REPAIR_##id,
enum repair { REPAIR_LIST(REPAIR_ID) REPAIR_COUNT };
#undef REPAIR_ID

/* The key in `summary`: static text. */
const char *repair_key(enum repair repair);
/* The words after the number in "3 events skipped". */
const char *repair_words(enum repair repair, uint64_t n);

/* X(ID, key, words) for each kind of wait: its key in `summary`, and its words in text. */
#define WAIT_LIST(X)                                        \
    X(BLOCKING_CALL, "blocking_call", "blocking calls")     \
    X(SLEEPING_FRAME, "sleeping_frame", "sleeping frames")  \
    X(AUTOGRAD, "autograd", "autograd thread")              \
    X(NOT_RECORDED, "not_recorded", "nothing recorded")

#define WAIT_ID(id, key, words) WAIT_##id,
enum wait_kind { WAIT_NONE, WAIT_LIST(WAIT_ID) WAIT_KINDS };
#undef WAIT_ID

/* "blocking_call", "blocking calls": static text. Not for WAIT_NONE. */
const char *wait_key(enum wait_kind kind);
const char *wait_words(enum wait_kind kind);
/* True for calls that return only when device work is done, and for copies not named "...Async". */
bool call_waits(const char *name);

/* Relation of device work to the backward pass of autograd. */
enum backward_pass {
    PASS_FORWARD,    /* not part of it */
    PASS_PLACED,     /* part of it; forward operator known */
    PASS_UNPLACED,   /* part of it; forward operator unknown */
    PASS_RECOMPUTED, /* repeats part of the forward pass */
    PASS_COUNT
};

/* Device time per enum backward_pass, summed over devices. */
struct backward_times {
    bool is_recorded; /* there are autograd slices */
    int64_t pass_ns[PASS_COUNT], all_ns;
    int64_t with_line_ns;     /* time of work with a call stack in the code view */
    strid unplaced_name; /* the autograd node with most device time without a forward operator */
    int64_t unplaced_name_ns; /* its time */
};

enum dialect { DIALECT_GENERIC, DIALECT_KINETO, DIALECT_XPROF, DIALECT_TF_TIMELINE,
               DIALECT_ONNXRUNTIME, DIALECT_NSYS };

/* "kineto": static text. */
const char *dialect_name(enum dialect dialect);
/* "PyTorch": the program that wrote the trace; static text. */
const char *dialect_framework(enum dialect dialect);

/* Special step values. */
#define STEP_AVERAGE (-1)
#define STEP_ALL INT64_MIN
#define STEP_OUTSIDE (INT64_MIN + 1)
/* For options only: the longest step, and the step of median time. */
#define STEP_WORST (INT64_MIN + 3)
#define STEP_MEDIAN (INT64_MIN + 4)
/* For options only: the step whose mark has this name. */
#define STEP_NAMED (INT64_MIN + 5)
/* The lowest number that an option accepts. */
#define STEP_MIN (STEP_NAMED + 1)

/* Special rank numbers. */
#define RANK_AVERAGE (-1)
#define RANK_ALL (-2)

/* Executions of traces combine step and rank in one number: the step for the first rank. */
enum { STEP_BITS = 40 };
#define STEP_LIMIT (INT64_C(1) << STEP_BITS)

static inline int64_t ranked_step(uint32_t rank_index, int64_t step)
{
    return step == STEP_OUTSIDE ? STEP_OUTSIDE + (int64_t)rank_index
                                : ((int64_t)rank_index << STEP_BITS) + step;
}

static inline int64_t step_of_ranked(int64_t ranked)
{
    return ranked < 0 ? STEP_OUTSIDE : ranked % STEP_LIMIT;
}

static inline uint32_t rank_of_ranked(int64_t ranked)
{
    return (uint32_t)(ranked < 0 ? ranked - STEP_OUTSIDE : ranked >> STEP_BITS);
}

enum work_class { WORK_COMPUTE, WORK_COMMUNICATION, WORK_MEMCPY, WORK_MEMSET, WORK_CLASSES };

/* "compute": static text. */
const char *work_class_name(enum work_class work_class);

/* Identity of a collective operation: values that are equal on all its ranks. */
struct collective {
    strid name, group_name, group_ranks, seq;
};

/* Launch configuration of a kernel, as text of the trace; STRID_EMPTY: unknown. */
struct kernel_config {
    strid grid, block;              /* "[512,1,1]" */
    strid registers, shared_memory; /* per thread; bytes per block */
    strid blocks_per_sm, warps_per_sm, occupancy_percent;
    strid context; /* of CUDA */
};

struct step_mark {
    int64_t step, start_ns, end_ns;
};

struct device_name {
    int64_t number; /* 0 for "/gpu:0" */
    strid name;     /* "NVIDIA H100" */
    int64_t compute_major; /* compute capability; 0: unknown */
};

struct thread_time {
    strid process, thread, name; /* name STRID_EMPTY: the file has none */
    int64_t cpu_ns, wait_ns;     /* wait_ns: part of cpu_ns */
};

struct event_count {
    strid name; /* a phase or a category */
    uint64_t n;
};

/* A file with events of threads and devices: a trace, or another format that is read as one. */
struct recorder {
    uint16_t file; /* in profile.files */
    uint8_t dialect;
    int64_t rank, world_size; /* -1: unknown */
    int64_t pid;              /* of the only process; 0: several, or unknown */
    strid process;            /* its name; STRID_EMPTY: unknown */
    uint32_t event_host;      /* index in event_store.hosts */
    uint32_t event_rank;      /* index in event_store.ranks */
    bool has_event_host;
    uint32_t rank_index;      /* index of the first trace of this rank */
    uint32_t place; /* position among the given traces, including those of excluded ranks */
    int64_t base_ns;          /* Unix time of instant 0; 0: unknown */
    bool has_shapes, has_stacks; /* options of the profiler, stated in the file */
    bool has_runtime;                        /* has launch calls */
    bool has_attention; /* has attention in iterations that state their token counts */
    bool has_messages;  /* sizes of collective operations */
    bool has_calls_with_shapes, has_allocations, has_tensors, has_samples; /* present in the file */
    uint64_t n_events;
    struct event_count *phases, *categories;
    uint32_t n_phases, n_categories;
    uint64_t repairs[REPAIR_COUNT];
    struct step_mark *steps; /* sorted by start */
    uint32_t n_steps;
    uint64_t n_unlaunched, n_partial_overlaps;
    int64_t unlaunched_ns; /* part of accelerator_ns */
    uint32_t n_threads;
    int64_t cpu_ns, accelerator_ns;                 /* over all steps, and outside of them */
    int64_t outside_cpu_ns, outside_accelerator_ns;
    struct backward_times backward;
    uint32_t n_works; /* number of device events */
    int64_t wait_ns[WAIT_KINDS]; /* by enum wait_kind; part of cpu_ns; [WAIT_NONE] is 0 */
    struct thread_time *thread_times; /* CPU threads with slices */
    uint32_t n_thread_times;
    struct iteration *iterations; /* of an LLM server, sorted by start */
    uint32_t n_iterations;
    strid *errors; /* error messages of the recorder */
    uint32_t n_errors;
};

/* Total wait time of all threads. */
int64_t recorder_wait_ns(const struct recorder *r);
/* Returns the earliest base_ns of N traces, the origin of the common clock; 0: any is unknown. */
int64_t recorders_first_base_ns(const struct recorder *recorders, uint32_t n);
