/* glossary.c: the table of terms; tests/documents.sh compares doc/glossary.md with it. */
#include "cli/cli.h"

#include <stddef.h>

const struct glossary_term glossary[] = {
    {"baseline", "base, before, regression, compare", "the profile or step that a comparison compares with (diff BASELINE NOW, -diff_base, -diff_step)"},
    {"bottleneck", "verdict, diagnose", "the resource or cause that limits the speed: brief and advise list them"},
    {"breakdown", "anatomy", "how the time of steps and devices is divided: compute, communication, copies, idle"},
    {"busy", "utilization", "time in which a device runs at least one kernel or operation"},
    {"call stack", "stack, stack trace, line, source, python", "the list of source locations that led to an operation (code)"},
    {"capture", "", "a set of XPlane files of one profiling session"},
    {"critical path", "", "the longest chain of dependent work, which sets the step time; not computed: see gaps, ranks, breakdown"},
    {"device", "gpu, tpu, cuda, accelerator", "a processor that runs kernels or operations (-devices); figure accelerator_micros is the GPU time"},
    {"exit status", "return code, exit code", "0: success; 1: a file, a rule or an output failed; 2: wrong usage; 128+N: ended by signal N"},
    {"exposed communication", "overlap, nccl", "communication that does not overlap with computing (breakdown)"},
    {"flame graph", "flamegraph, icicle", "the picture of the tree, each cell as wide as its figure (key F, -output svg, folded)"},
    {"gap", "", "an interval in which a device is idle between two kernels (gaps, breakdown, -idle_gap)"},
    {"idle", "", "time in which a device runs nothing (breakdown, gaps, -idle_gap)"},
    {"input pipeline", "data loader, dataloader", "code that reads and prepares data; finding input-late: a device waits for it"},
    {"kernel", "", "a function that runs on a device (kernels, -kernels rows)"},
    {"language model", "llm, mcp, coding agent", "help agent prints a guide for coding agents"},
    {"launch latency", "launch delay", "the time between the launch of a kernel and its start on an empty queue"},
    {"launch-bound", "launch bound", "limited by launching: kernels take less time than their launches"},
    {"module", "layer", "a part of a model; rows of scope"},
    {"peak memory", "oom, out of memory, leak, allocator", "the maximum of memory in use; memory shows what is live then"},
    {"repeated layers", "twins", "sibling subtrees of equal structure, folded into one row (-fold_twins)"},
    {"roofline", "roof, mfu", "the highest rate at an operational intensity; roof_percent is the share achieved (key R, -peak_flops)"},
    {"running sum", "running", "in op: the figure of a row and of all later rows"},
    {"self time", "exclusive, exclusive time", "the time of a row without the rows below it: self"},
    {"step", "step time, iteration", "one training or inference step; -step chooses one"},
    {"straggler", "stragglers, slowest rank, slow rank, skew", "the rank or host that arrives last; the others wait for it (ranks, hosts, finding slow-rank)"},
    {"timeline", "lanes, perfetto", "the picture of tracks over time (key 7, -output timeline)"},
    {"total time", "inclusive, inclusive time, cumulative", "the time of a row with all rows below it: total"},
    {"trace", "recording", "a file in the Trace Event format"},
    {"track", "lane, thread, stream", "the events of one thread or stream"},
    {NULL, NULL, NULL},
};
