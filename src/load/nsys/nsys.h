/* nsys.h: state and functions shared by the files of the Nsight Systems reader. */
#pragma once

#include "load/nsys/nsys_db.h"
#include "load/trace/trace_build.h"

/* Categories of slices; the names are those of PyTorch. */
enum category { NVTX, RUNTIME, DRIVER, KERNEL, MEMCPY, MEMSET, OVERHEAD, N_CATEGORIES };

/* Three numbers and their text; caches the previous row, since most rows are equal. */
struct triple {
    int64_t number[3];
    strid text; /* STRID_EMPTY: not formatted yet */
};

/* Ranges of a domain, by its id in the log's keys. */
struct domain {
    uint64_t n_ranges, n_payloads; /* ranges with a readable payload */
};

struct process {
    int64_t global_pid;
    bool has_shapes; /* some operators have input shapes */
    struct trace_log log;
    struct idmap graph_launches; /* correlations of graph launches whose kernels are recorded */
    VEC(struct domain) domains;
};

/* A device of CUDA, which a process numbers in its own way. */
struct cuda_device {
    int64_t gpu, number;
    int64_t pid;   /* -1: of all processes */
    uint32_t next; /* of the process, in the order of the export; IDMAP_NONE: none */
};

struct nsys {
    struct loader *l;
    struct nsys_db *db;
    struct triple grid, block; /* of the previous kernel */
    struct idmap strings;        /* StringIds: id -> strid */
    struct idmap numbers;        /* a number -> strid of its digits */
    struct idmap thread_names;   /* globalTid -> strid */
    struct idmap process_names;  /* globalPid -> strid */
    VEC(struct process *) processes; /* processes with device work, by globalPid */
    VEC(int64_t) seen;           /* globalPid of processes with device work */
    VEC(struct device_name) gpus;
    VEC(struct cuda_device) cuda_devices;
    struct idmap gpu_by_id, device_by_pid; /* the first of each */
    uint64_t n_open_ranges, n_ranges, n_steps; /* of ranks that were read */
    int64_t base_ns;
};

/* The globalPid of a globalTid. */
#define PID_OF(global_tid) ((int64_t)((uint64_t)(global_tid) & ~UINT64_C(0xffffff)))

/* The string of StringIds whose id is in COLUMN; STRID_EMPTY if none. */
strid nsys_string(const struct nsys *x, const struct nsys_rows *rows, int column);
strid nsys_put(const struct nsys *x, struct span text);
struct text nsys_name(const struct nsys *x, strid id);
/* The process GLOBAL_PID, or the first process if it has no device work. */
struct process *nsys_process(const struct nsys *x, int64_t global_pid);

/* The process number of GLOBAL_PID. */
static inline int64_t pid_number(int64_t global_pid)
{
    return (int64_t)((uint64_t)global_pid >> 24 & 0xffffff);
}

/* nsys_rows.c: each adds one row of a table; KIND is the category of its slices. */
void nsys_add_kernel(struct nsys *x, const struct nsys_rows *rows, int kind);
void nsys_add_copy(struct nsys *x, const struct nsys_rows *rows, int kind);
void nsys_add_graph(struct nsys *x, const struct nsys_rows *rows, int kind);
void nsys_add_call(struct nsys *x, const struct nsys_rows *rows, int kind);
void nsys_add_nvtx(struct nsys *x, const struct nsys_rows *rows, int kind);
void nsys_add_overhead(struct nsys *x, const struct nsys_rows *rows, int kind);
void nsys_skip_row(struct nsys *x, const struct nsys_rows *rows, int kind);
