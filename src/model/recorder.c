/* recorder.c: names of the constants in recorder.h, and sums. */
#include "model/recorder.h"

#include <string.h>

#include "base/satmath.h"

struct repair_row {
    const char *key, *one, *many;
};

#define REPAIR_ROW(id, key, one, many) [REPAIR_##id] = {key, one, many},
static const struct repair_row repairs[REPAIR_COUNT] = {REPAIR_LIST(REPAIR_ROW)};
#undef REPAIR_ROW

const char *repair_key(enum repair repair)
{
    return repairs[repair].key;
}

const char *repair_words(enum repair repair, uint64_t n)
{
    return n == 1 ? repairs[repair].one : repairs[repair].many;
}

const char *dialect_name(enum dialect dialect)
{
    static const char *const names[] = {
        [DIALECT_GENERIC] = "generic",
        [DIALECT_KINETO] = "kineto",
        [DIALECT_XPROF] = "xprof",
        [DIALECT_TF_TIMELINE] = "tf_timeline",
        [DIALECT_ONNXRUNTIME] = "onnxruntime",
        [DIALECT_NSYS] = "nsys",
    };

    return names[dialect];
}

const char *dialect_framework(enum dialect dialect)
{
    static const char *const names[] = {
        [DIALECT_GENERIC] = "trace",
        [DIALECT_KINETO] = "PyTorch",
        [DIALECT_XPROF] = "JAX",
        [DIALECT_TF_TIMELINE] = "TensorFlow",
        [DIALECT_ONNXRUNTIME] = "ONNX Runtime",
        [DIALECT_NSYS] = "Nsight Systems",
    };

    return names[dialect];
}

const char *work_class_name(enum work_class work_class)
{
    static const char *const names[WORK_CLASSES] = {
        [WORK_COMPUTE] = "compute",
        [WORK_COMMUNICATION] = "communication",
        [WORK_MEMCPY] = "memcpy",
        [WORK_MEMSET] = "memset",
    };

    return names[work_class];
}

int64_t recorder_wait_ns(const struct recorder *r)
{
    int64_t sum_ns = 0;

    for (int i = 0; i < WAIT_KINDS; i++)
        sum_ns = clamp_add(sum_ns, r->wait_ns[i]);
    return sum_ns;
}

int64_t recorders_first_base_ns(const struct recorder *recorders, uint32_t n)
{
    int64_t first = n ? INT64_MAX : 0;

    for (uint32_t i = 0; i < n; i++)
        if (!recorders[i].base_ns)
            return 0;
        else if (recorders[i].base_ns < first)
            first = recorders[i].base_ns;
    return first;
}

#define WAIT_KEY(id, key, words) [WAIT_##id] = (key),
#define WAIT_WORDS(id, key, words) [WAIT_##id] = (words),

const char *wait_key(enum wait_kind kind)
{
    static const char *const keys[WAIT_KINDS] = {WAIT_LIST(WAIT_KEY)};

    return keys[kind];
}

const char *wait_words(enum wait_kind kind)
{
    static const char *const words[WAIT_KINDS] = {WAIT_LIST(WAIT_WORDS)};

    return words[kind];
}

bool call_waits(const char *name)
{
    static const char *const calls[] = {
        "cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cuCtxSynchronize",
        "cuStreamSynchronize",   "cuEventSynchronize",    "cudaMemcpy",           "cudaMemcpy2D",
        "cudaFree",              "hipDeviceSynchronize",  "hipStreamSynchronize", "hipEventSynchronize",
        "hipMemcpy",             "hipMemcpyWithStream",   "hipFree",              "zeEventHostSynchronize",
        "zeFenceHostSynchronize", "zeCommandQueueSynchronize",
    };

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(name, calls[i]) == 0)
            return true;
    return false;
}
