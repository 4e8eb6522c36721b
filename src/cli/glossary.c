/* glossary.c: the table of terms; tests/documents.sh compares doc/glossary.md with it. */
#include "cli/cli.h"

#include <stddef.h>

const struct glossary_term glossary[] = {
    {"baseline", "base", "the profile or step that a comparison compares with (-diff_base, -diff_step)"},
    {"bottleneck", "", "the resource or cause that limits the speed; advise lists them"},
    {"breakdown", "anatomy", "how the time of steps and devices is divided: compute, communication, copies, idle"},
    {"busy", "utilization", "time in which a device runs at least one kernel or operation"},
    {"call stack", "stack, stack trace", "the list of source locations that led to an operation"},
    {"capture", "", "a set of XPlane files of one profiling session"},
    {"critical path", "", "the longest chain of dependent work, which sets the step time; not computed: see gaps, ranks, breakdown"},
    {"device", "gpu, tpu, accelerator", "a processor that runs kernels or operations; figure accelerator_micros is the GPU time"},
    {"exit status", "return code, exit code", "0: success; 1: a file, a rule or an output failed; 2: wrong usage; 128+N: ended by signal N"},
    {"exposed communication", "", "communication that does not overlap with computing"},
    {"flame graph", "flamegraph, icicle", "the picture of the tree, each cell as wide as its figure (key F, -output svg)"},
    {"gap", "", "an interval in which a device is idle between two kernels (command gaps)"},
    {"idle", "", "time in which a device runs nothing"},
    {"kernel", "", "a function that runs on a device"},
    {"launch latency", "launch delay", "the time between the launch of a kernel and its start on an empty queue"},
    {"launch-bound", "launch bound", "limited by launching: kernels take less time than their launches"},
    {"repeated layers", "twins", "sibling subtrees of equal structure, folded into one row (-fold_twins)"},
    {"roofline", "roof", "the highest rate at an operational intensity; roof_percent is the share achieved (key R)"},
    {"self time", "exclusive, exclusive time", "the time of a row without the rows below it"},
    {"step", "step time, iteration", "one training or inference step; -step chooses one"},
    {"straggler", "stragglers, slowest rank", "the rank or host that arrives last; the others wait for it (ranks, hosts)"},
    {"timeline", "lanes", "the picture of tracks over time (key 7)"},
    {"total time", "inclusive, inclusive time", "the time of a row with all rows below it"},
    {"trace", "recording", "a file in the Trace Event format"},
    {"track", "lane, thread, stream", "the events of one thread or stream"},
    {NULL, NULL, NULL},
};
