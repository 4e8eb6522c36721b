/* profile_kind.c: determines kind and framework of a profile's inputs. */
#include "model/profile_kind.h"

#include <string.h>

#include "base/satmath.h"
#include "model/programs.h"
#include "model/events.h"
#include "model/recorder.h"

static enum profile_kind kind_of_trace(const struct recorder *r)
{
    if (r->dialect == DIALECT_TF_TIMELINE)
        return PROFILE_GRAPH;
    return r->accelerator_ns > 0 ? PROFILE_DEVICE : PROFILE_TRACE;
}

static enum profile_kind kind_of_programs(const struct programs *c)
{
    if (!c->n_devices)
        return PROFILE_GRAPH; /* compiled programs without a run */
    for (size_t i = 0; i < c->n_devices; i++)
        if (c->devices[i].is_accelerator && c->devices[i].covered_ps > 0)
            return PROFILE_DEVICE;
    return PROFILE_CAPTURE;
}

enum profile_kind profile_kind_find(const struct profile *p)
{
    enum profile_kind kind = p->programs ? kind_of_programs(p->programs) : PROFILE_GRAPH;

    for (uint32_t i = 0; i < p->n_recorders; i++)
        if (kind_of_trace(&p->recorders[i]) > kind)
            kind = kind_of_trace(&p->recorders[i]);
    return kind;
}

bool profile_has_definitions(const struct profile *p)
{
    for (node_id node = 0; node < p->n_nodes; node++)
        if (p->def[node].form != NODE_FORM_NONE)
            return true;
    return false;
}

bool profile_has_metric(const struct profile *p, enum metric_id metric)
{
    if (metric != METRIC_WORK_MICROS && metric != METRIC_WAIT_MICROS && metric != METRIC_STEP_PERCENT)
        return true;
    return p->kind >= PROFILE_TRACE ||
           (p->kind == PROFILE_CAPTURE && !metric_is_zero(p, METRIC_WAIT_MICROS));
}

bool profile_check_metrics(const struct profile *p, uint32_t figures, struct err *err)
{
    for (enum metric_id m = 0; m < METRIC_COUNT; m++)
        if (figures >> m & 1 && !profile_has_metric(p, m))
            return err_set(err, ERR_USAGE, "%s: this input has no %s", metrics[m].name,
                           m == METRIC_STEP_PERCENT ? "device work" : "threads to wait");
    return true;
}

struct recorders profile_recorders(const struct profile *p)
{
    struct recorders all = {0};

    array_each(const struct recorder, r, p->recorders, p->n_recorders) {
        all.has_threads |= r->dialect != DIALECT_TF_TIMELINE;
        all.is_torch |= r->dialect == DIALECT_KINETO;
        all.has_steps |= r->n_steps > 0;
        all.has_work |= r->n_works > 0;
        all.has_work_outside |= r->n_steps && r->outside_accelerator_ns > 0;
        all.has_runtime |= r->has_runtime;
        all.has_shapes |= r->has_shapes;
        all.has_attention |= r->has_attention;
        all.cpu_ps = clamp_add(all.cpu_ps, clamp_mul(r->cpu_ns, PS_PER_NS));
        all.accelerator_ps = clamp_add(all.accelerator_ps, clamp_mul(r->accelerator_ns, PS_PER_NS));
    }
    return all;
}

bool profile_ran_programs(const struct profile *p)
{
    return p->programs && !p->programs->plans;
}

bool profile_has_rank(const struct profile *p, int64_t number)
{
    for (uint32_t i = 0; i < p->n_recorders; i++)
        if (p->recorders[i].rank == number)
            return true;
    return false;
}

int64_t profile_rank_number(const struct profile *p, uint32_t index)
{
    return index < p->n_recorders && p->recorders[index].rank_index == index ? p->recorders[index].rank
                                                                             : INT64_MIN;
}

const char *profile_device_word(const struct profile *p)
{
    unsigned kinds = 0;

    for (size_t i = 0; p->events && i < p->events->devices.n; i++)
        if (p->events->devices.data[i].is_accelerator && !p->events->devices.data[i].is_silent)
            kinds |= 1U << p->events->devices.data[i].kind;
    return kinds == 1U << DEVICE_TPU             ? "TPU"
           : kinds == 0 || kinds == 1U << DEVICE_GPU ? "GPU"
                                                 : "device";
}

static const char *framework_of_programs(const struct profile *p, const struct programs *c)
{
    static const struct {
        const char *prefix, *framework;
    } rows[] = {{"jit_", "JAX"}, {"pmap_", "JAX"}, {"SyncTensorsGraph", "PyTorch"}};

    for (size_t i = 0; i < c->n_compiled; i++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            if (strncmp(profile_text(p, c->compiled[i].label), rows[k].prefix,
                        strlen(rows[k].prefix)) == 0)
                return rows[k].framework;
    return profile_ran_programs(p) ? "TensorFlow" : "XLA";
}

const char *profile_framework(const struct profile *p)
{
    if (p->sample_files.n)
        return "unknown"; /* pprof is written by many */
    if (p->n_recorders)
        return dialect_framework((enum dialect)p->recorders[0].dialect);
    if (p->programs)
        return framework_of_programs(p, p->programs);
    if (p->memory)
        return "PyTorch";
    return p->n_nodes && !profile_has_op_set(p) ? "TensorFlow" : "unknown";
}

const char *profile_needs(const struct profile *p, const char *otherwise)
{
    return profile_has_op_set(p) && !p->n_steps
               ? "needs a run: SessionOptions.enable_profiling of onnxruntime, nsys export --type "
                 "sqlite, or benchmark_model --enable_op_profiling"
               : otherwise;
}

/* ---- what to record */

#define NO_WORK "no device work in this input: "
#define NO_STEPS "no steps in this input: "

/* What inputs without a run lack, and what has it. */
enum without_run { SAMPLES_ALONE, SNAPSHOT_ALONE, PROGRAMS_ALONE, GRAPH_ALONE };

#define LACKS(hint) {NO_WORK hint, NO_STEPS hint}
static const struct {
    const char *work, *steps;
} without_run[] = {
    [SAMPLES_ALONE] = LACKS("profiles of pprof have samples only: open a trace or a capture"),
    [SNAPSHOT_ALONE] = LACKS("a memory snapshot has no times: torch.profiler.profile() records them"),
    [PROGRAMS_ALONE] = LACKS("jax.profiler.start_trace() records a run of the program"),
    [GRAPH_ALONE] = LACKS("add a run (-run_meta_path), or open a trace or a capture"),
};
#undef LACKS

static enum without_run missing_run(const struct profile *p)
{
    return p->sample_files.n ? SAMPLES_ALONE
           : p->programs     ? PROGRAMS_ALONE
           : p->memory       ? SNAPSHOT_ALONE
                             : GRAPH_ALONE;
}

/* What a trace lacks, by the program that wrote it. */
static const struct {
    const char *work, *memory;
} by_dialect[] = {
    [DIALECT_GENERIC] = {NO_WORK "the trace has calls of threads only",
                         "no allocations: events of memory are read from traces of PyTorch"},
    [DIALECT_KINETO] =
        {NO_WORK "record with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]",
         "no [memory] events: record with torch.profiler.profile(profile_memory=True)"},
    [DIALECT_XPROF] = {NO_WORK "the run used no accelerator, or device_tracer_level was 0",
                       "no allocations: open the .xplane.pb, which has those of the allocators"},
    [DIALECT_TF_TIMELINE] =
        {NO_WORK "the run used no accelerator",
         "no allocations: open the RunMetadata (trace_level=FULL_TRACE), which has them"},
    [DIALECT_ONNXRUNTIME] = {NO_WORK "the session ran on CPUs, without another execution provider",
                             "no allocations: profiles of ONNX Runtime do not record them"},
    [DIALECT_NSYS] = {NO_WORK "record with nsys profile --trace=cuda,nvtx",
                      "no allocations are read from exports of Nsight Systems: "
                      "torch.cuda.memory._dump_snapshot() writes those of PyTorch"},
};

const char *profile_needs_work(const struct profile *p)
{
    const enum without_run missing = missing_run(p);

    if (p->n_recorders)
        return by_dialect[p->recorders[0].dialect].work;
    if (profile_ran_programs(p))
        return by_dialect[DIALECT_XPROF].work;
    if (missing == GRAPH_ALONE && p->n_steps)
        return NO_WORK "the run used no accelerator";
    return profile_needs(p, without_run[missing].work);
}

const char *profile_needs_steps(const struct profile *p)
{
    return profile_needs(p, without_run[missing_run(p)].steps);
}

const char *profile_needs_memory(const struct profile *p)
{
    return by_dialect[p->recorders[0].dialect].memory;
}
