/* find_advice.c: findings for captures and runs of graphs: reports of the advice checkers. */
#include <stdlib.h>
#include <string.h>

#include "activity/verdict.h"
#include "view/advise/advise.h"
#include "view/findings/findings_priv.h"

#define ADVICE_RULE(member, name, checker_name, text, what, shown_by)                            \
    const struct finding_rule finding_##member = {.id = name,                                     \
                                                  .checker = checker_name,                        \
                                                  .condition = text,                              \
                                                  .fix = what,                                    \
                                                  .command = shown_by};

ADVICE_RULE(low_utilization, "low-utilization", "AcceleratorUtilizationChecker",
            "captures and runs of graphs: low utilization of accelerators",
            "place more operations on accelerators, or use a larger batch", "op")
ADVICE_RULE(slow_host, "slow-host", "DeviceChecker",
            "captures: a host is slower than the median by more than 10 %",
            "compare this host with the others: its machine, its input and its share of the work", "hosts")
ADVICE_RULE(slow_device, "slow-device", "DeviceChecker",
            "captures: a device is slower than the median by more than 10 %",
            "compare this device with the others: its clocks, its host and its share of the work", "breakdown")
ADVICE_RULE(far_from_peak, "far-from-peak", "RateChecker",
            "captures: operations are far below the peak of the device",
            "look for larger or fused operations, and for other layouts", "op")
ADVICE_RULE(memory_full, "memory-full", "MemoryChecker", "captures: the peak is near the size of the memory; snapshots: memory ran out",
            "reduce the batch size or recompute activations", "memory")
ADVICE_RULE(memory_fragmented, "memory-fragmented", "MemoryChecker", "captures: free memory is fragmented at the peak; snapshots: unused memory is reserved",
            "allocate large arrays first, or keep shapes the same", "memory")
ADVICE_RULE(operation_advice, "operation-advice", "OperationChecker", "an operation has a faster form",
            "use the form that the advice names", "advise")
ADVICE_RULE(expensive_op, "expensive-op", "ExpensiveOperationChecker", "the operations with the most time",
            "none: this finding is informational", "op")
ADVICE_RULE(peak_memory, "peak-memory", "PeakMemoryChecker", "the largest tensors at the memory peak",
            "none: this finding is informational", "memory")
ADVICE_RULE(coverage, "coverage", "CoverageChecker", "share of time with known operations and call stacks",
            "none: this finding is informational", "summary")

bool finding_is_fact(const struct finding_rule *rule)
{
    return rule == &finding_expensive_op || rule == &finding_peak_memory || rule == &finding_coverage;
}

/* Checkers whose reports become findings. */
static const struct {
    const char *checker;
    const struct finding_rule *rule;
} sources[] = {
    {"IdleChecker", &finding_host_bound},
    {"AcceleratorUtilizationChecker", &finding_low_utilization},
    {"InputChecker", &finding_input_late},
    {"LaunchChecker", &finding_launch_bound},
    {"DeviceChecker", &finding_slow_device},
    {"StepChecker", &finding_slow_step},
    {"RateChecker", &finding_far_from_peak},
    {"MemoryChecker", &finding_memory_fragmented},
    {"OperationChecker", &finding_operation_advice},
    {"ExpensiveOperationChecker", &finding_expensive_op},
    {"PeakMemoryChecker", &finding_peak_memory},
    {"CoverageChecker", &finding_coverage},
};

static const struct finding_rule *rule_of(const char *checker, const char *claim)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        if (strcmp(sources[i].checker, checker) != 0)
            continue;
        if (sources[i].rule == &finding_slow_device && strncmp(claim, "host ", 5) == 0)
            return &finding_slow_host;
        if (sources[i].rule == &finding_memory_fragmented)
            return strstr(claim, " grew in each of ") ? &finding_memory_growth
                   : strstr(claim, ": its peak is ") || strstr(claim, ": reduce the live memory")
                       ? &finding_memory_full
                       : sources[i].rule;
        return sources[i].rule;
    }
    return NULL;
}

static void add_report(struct findings *f, const struct advice *a, const struct checker *checker,
                       const struct advice_report *report, bool facts_alone)
{
    const int64_t window_ps = a->verdict->n_devices ? a->verdict->span_ps / a->verdict->n_devices : 0;
    const struct finding_rule *rule = rule_of(checker->name, report->lines[0].bytes);
    struct strbuf claim = {0};

    if (!rule || (facts_alone && !finding_is_fact(rule)))
        return;
    sb_add(&claim, report->lines[0].bytes, report->lines[0].len);
    sb_adds(&claim, "");
    vec_push(&f->list, ((struct finding){.rule = rule,
                                         .lost_ps = report->gain_ps,
                                         .part = report->gain_ps,
                                         .whole = window_ps > report->gain_ps ? window_ps : report->gain_ps,
                                         .rank = INT64_MIN,
                                         .step = INT64_MIN,
                                         .device = STRID_EMPTY,
                                         .op = STRID_EMPTY,
                                         .node = NODE_NONE,
                                         .count = 1,
                                         .claim = sb_take(&claim)}));
}

void findings_add_advice(struct findings *f, const struct advice *a, bool with_facts)
{
    for (size_t i = 0; i < a->n_sections; i++)
        for (size_t k = 0; k < a->sections[i].n_reports; k++)
            if (a->sections[i].reports[k].n_lines)
                add_report(f, a, a->sections[i].checker, &a->sections[i].reports[k], f->is_of_trace);
    for (size_t i = 0; i < f->list.n && !with_facts;)
        if (finding_is_fact(f->list.data[i].rule)) {
            free(f->list.data[i].claim);
            f->list.data[i] = f->list.data[--f->list.n];
        } else {
            i++;
        }
    findings_sort(f);
}
