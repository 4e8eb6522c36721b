/* find_kernels.c: kernels that could be faster: without TF32, or slower than equal kernels. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/intern.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "view/findings/findings_priv.h"

static bool holds_any(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (strstr(name, *words))
            return true;
    return false;
}

/* True for the names of kernels that multiply in float32 without TF32. */
static bool is_float32(const char *name)
{
    static const char *const plain[] = {"sgemm", "simt_s", "_f32f32_f32f32", "gemm_f32_", NULL};
    static const char *const fast[] = {"tf32", "s1688", "tensorop", NULL};

    return holds_any(name, plain) && !holds_any(name, fast);
}

static void find_float32(struct find_device *d, const struct finding_rule *rule)
{
    struct node_times *nodes;
    struct finding f = finding_new(d, rule, 0);
    struct strbuf claim = {0};
    int64_t sum_ps = 0;

    if (d->device == DEVICE_NONE || d->s->devices.data[d->device].compute_major < 8)
        return;
    nodes = node_times_new();
    f.count = 0;
    for (size_t i = 0; i < d->works.n; i++) {
        const struct event_kind *kind = &d->s->kinds[d->works.data[i].kind];
        const int64_t dur_ps = d->works.data[i].end_ps - d->works.data[i].start_ps;

        if (kind->event_class != EVENT_COMPUTE ||
            !is_float32(profile_text(d->run->p, kind_name(d->run, kind))))
            continue;
        sum_ps = clamp_add(sum_ps, dur_ps);
        f.count++;
        if (kind->id != NODE_NONE)
            node_times_add(nodes, kind->id, dur_ps);
    }
    f.lost_ps = f.part = sum_ps / 2;
    if (is_share(f.lost_ps, d->total_ps, 10)) {
        finding_set_row(d, &f, node_times_heaviest(nodes, d->run->p, true));
        sb_addf(&claim, "%" PRIu64 " kernels multiply in float32 without TF32 for ", f.count);
        format_time_apart(&claim, sum_ps);
        finding_add(d, f, &claim);
    }
    node_times_free(nodes);
}

const struct finding_rule finding_float32_compute = {
    .id = "float32-compute",
    .checker = "PrecisionChecker",
    .condition = "half the time of float32 kernels without TF32 is at least 10 % of the step time, on a "
                 "device with compute capability 8 or more",
    .fix = "allow TF32 or train with bfloat16",
    .command = "kernels",
    .find = find_float32,
};

/* ---- siblings */

/* Executions with equal keys are siblings; in each step they are numbered by start. */
struct sibling_key {
    strid kernel, grid, op, dims;
};

struct sibling {
    uint32_t key, step; /* in the store */
    uint32_t number;
    uint32_t id; /* node or part */
    int64_t start_ps, dur_ps;
};

typedef VEC(struct sibling) sibling_list;

/* Median duration of the siblings with one number over the steps. */
struct numbered {
    const struct sibling *first; /* N siblings with that number */
    size_t n;
    int64_t median_ps;
};

COMPARE_CHAIN(by_step_and_start, struct sibling, UP(key) || UP(step) || UP(start_ps))

COMPARE_CHAIN(by_number, struct sibling, UP(key) || UP(number) || UP(start_ps))

static void read_siblings(const struct find_device *d, sibling_list *list)
{
    const struct profile *p = d->run->p;
    struct intern keys;

    intern_init(&keys);
    vec_each(const struct work, w, &d->works) {
        const struct event_kind *kind = &d->s->kinds[w->kind];
        struct sibling_key key;

        if (kind->event_class != EVENT_COMPUTE || kind->id == NODE_NONE)
            continue;
        memset(&key, 0, sizeof key);
        key.kernel = kind_name(d->run, kind);
        key.grid = kind->config ? d->s->configs.data[kind->config - 1].grid : STRID_EMPTY;
        key.op = p->op[kind->id];
        key.dims = kind->id >= p->n_nodes ? p->call_dims[kind->id - p->n_nodes] : STRID_EMPTY;
        vec_push(list, ((struct sibling){.key = intern_put(&keys, &key, sizeof key),
                                         .step = w->step,
                                         .id = kind->id,
                                         .start_ps = w->start_ps,
                                         .dur_ps = w->end_ps - w->start_ps}));
    }
    intern_done(&keys);
    vec_sort(list, by_step_and_start);
    for (size_t i = 1; i < list->n; i++)
        if (list->data[i].key == list->data[i - 1].key && list->data[i].step == list->data[i - 1].step)
            list->data[i].number = list->data[i - 1].number + 1;
    vec_sort(list, by_number);
}

static int64_t median_duration(const struct sibling *siblings, size_t n)
{
    int64_t *durations = xreallocarray(NULL, n, sizeof *durations), median_ps;

    for (size_t i = 0; i < n; i++)
        durations[i] = siblings[i].dur_ps;
    median_ps = lower_median(durations, n);
    free(durations);
    return median_ps;
}

COMPARE_BY_TWO(by_median, struct numbered, median_ps, first->number)

/* Time by which number AT of N exceeds the median of the others; 0: it is not slow. */
static int64_t lost_of(const struct numbered *numbers, size_t n, size_t at)
{
    /* The lower median of the n - 1 others. */
    const size_t middle = (n - 2) / 2;
    const int64_t o_ps = numbers[middle < at ? middle : middle + 1].median_ps;
    const struct numbered *of = &numbers[at];
    int64_t lost_ps = 0;

    if (of->median_ps < clamp_mul(2, o_ps) || of->median_ps - o_ps < 5 * PS_PER_US)
        return 0;
    for (size_t i = 0; i < of->n; i++)
        lost_ps = clamp_add(lost_ps, of->first[i].dur_ps - o_ps);
    return lost_ps;
}

/* Compares the siblings of one key; keeps the slowest number in *WORST, and its loss in
 * *WORST_PS. */
static void compare_siblings(const struct find_device *d, const struct sibling *list, size_t n,
                             struct numbered *worst, int64_t *worst_ps)
{
    VEC(struct numbered) numbers = {0};

    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && list[to].number == list[from].number; to++)
            continue;
        if (2 * (to - from) > d->steps.n)
            vec_push(&numbers, ((struct numbered){list + from, to - from,
                                                  median_duration(list + from, to - from)}));
    }
    vec_sort(&numbers, by_median);
    for (size_t i = 0; i < numbers.n && numbers.n >= 4; i++) {
        const int64_t lost_ps = lost_of(numbers.data, numbers.n, i);

        if (lost_ps > *worst_ps) {
            *worst_ps = lost_ps;
            *worst = numbers.data[i];
        }
    }
    vec_done(&numbers);
}

static void find_sibling(struct find_device *d, const struct finding_rule *rule)
{
    sibling_list list = {0};
    struct numbered worst = {0};
    struct strbuf claim = {0};
    int64_t worst_ps = 0;

    read_siblings(d, &list);
    for (size_t from = 0, to; from < list.n; from = to) {
        for (to = from; to < list.n && list.data[to].key == list.data[from].key; to++)
            continue;
        compare_siblings(d, list.data + from, to - from, &worst, &worst_ps);
    }
    if (worst_ps > 0 && is_share(worst_ps, d->total_ps, 1)) {
        struct finding f = finding_new(d, rule, worst_ps);

        f.count = worst.n;
        finding_set_row(d, &f, worst.first->id);
        sb_adds(&claim, "a kernel takes ");
        format_time_apart(&claim, worst.median_ps);
        sb_adds(&claim, ", at least twice as long as the same kernel elsewhere");
        finding_add(d, f, &claim);
    }
    vec_done(&list);
}

const struct finding_rule finding_slow_sibling = {
    .id = "slow-sibling",
    .checker = "SiblingChecker",
    .condition = "a kernel takes at least twice as long as the median of the same kernel with the same "
                 "shapes, and that is at least 1 % of the step time",
    .fix = "look for another layout, alignment or concurrent work of this layer",
    .command = "kernels",
    .find = find_sibling,
};
