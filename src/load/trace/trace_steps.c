/* trace_steps.c: the steps of a trace (formats-trace.md section 4.4). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/regex/regexes.h"
#include "load/trace/trace_build.h"
#include "model/host.h"

static const char step_prefix[] = "ProfilerStep#";

bool is_step_name(const char *name, size_t len)
{
    const size_t n = sizeof step_prefix - 1;

    return len > n && memcmp(name, step_prefix, n) == 0;
}

/* The number of a step in TEXT, which regex ITEM matches: its group 1; without a group the last
 * number. */
static struct text step_number(const struct trace_build *b, size_t item, struct text text)
{
    uint32_t begin, end = text.len;
    size_t at, n;

    if (regexes_group(b->step_regexes, item, text.bytes, text.len, &at, &n))
        return (struct text){text.bytes + at, (uint32_t)n};
    while (end && (text.bytes[end - 1] < '0' || text.bytes[end - 1] > '9'))
        end--;
    for (begin = end; begin && text.bytes[begin - 1] >= '0' && text.bytes[begin - 1] <= '9';)
        begin--;
    return (struct text){text.bytes + begin, end - begin};
}

bool is_step_range(struct trace_build *b, strid name, uint32_t *at, uint32_t *n)
{
    const struct text text = trace_text(b, name);
    struct text number;
    int item = -1;

    if (name >= b->step_names.n)
        vec_resize_zero(&b->step_names, (size_t)name + 1 + name / 2);
    if (!b->step_names.data[name])
        item = regexes_match(b->step_regexes, text.bytes, text.len);
    b->step_names.data[name] = item < 0;
    if (item < 0)
        return false;
    number = step_number(b, (size_t)item, text);
    *at = (uint32_t)(number.bytes - text.bytes);
    *n = number.len;
    for (uint32_t i = 0; i < number.len; i++)
        if (number.bytes[i] < '0' || number.bytes[i] > '9')
            return false;
    return number.len > 0;
}

static struct json_value text_of(const struct trace_build *b, strid id, size_t skip)
{
    const struct profile *p = builder_profile(b->builder);

    return (struct json_value){.at = (const uint8_t *)profile_text(p, id) + skip,
                               .len = intern_len(&p->strings, id) - skip,
                               .type = JSON_STRING};
}

/* Sets *MARK if SLICE marks a step, else returns false. */
static bool marked_step(struct trace_build *b, const struct trace_slice *slice,
                        int64_t *step)
{
    const struct profile *p = builder_profile(b->builder);
    const enum category_kind kind = kind_of(b, slice);
    struct json_value number;

    if (b->dialect == DIALECT_XPROF) {
        const strid given = trace_args_of(b->log, slice->args).step;

        if (kind != KIND_OTHER || !given)
            return false;
        number = text_of(b, given, 0);
    } else if (b->dialect == DIALECT_NSYS) {
        uint32_t at, n;

        if (kind != KIND_CALL || !is_step_range(b, slice->name, &at, &n))
            return false;
        number = text_of(b, slice->name, at);
        number.len = n;
    } else {
        if ((kind != KIND_ANNOTATION && kind != KIND_CALL) ||
            !is_step_name(profile_text(p, slice->name), intern_len(&p->strings, slice->name)))
            return false;
        number = text_of(b, slice->name, sizeof step_prefix - 1);
    }
    return json_integer(number, step) && *step >= 0 && *step < STEP_LIMIT;
}

COMPARE_BY_TWO(by_start, struct step_mark, start_ns, end_ns)

void trace_steps(struct trace_build *b)
{
    if (b->dialect == DIALECT_ONNXRUNTIME) {
        session_steps(b);
        vec_sort(&b->steps, by_start);
        for (size_t i = 0; i < b->steps.n; i++)
            b->steps.data[i].step = (int64_t)i;
    }
    if (b->dialect != DIALECT_KINETO && b->dialect != DIALECT_XPROF && b->dialect != DIALECT_NSYS)
        return;
    for (size_t i = 0; i < b->log->slices.n; i++) {
        const struct trace_slice *slice = &b->log->slices.data[i];
        struct step_mark mark = {.start_ns = slice->start_ns,
                                 .end_ns = slice->start_ns + slice->dur_ns};

        if (!marked_step(b, slice, &mark.step))
            continue;
        vec_push(&b->steps, mark);
        if (b->dialect == DIALECT_XPROF) {
            const strid group = trace_args_of(b->log, slice->args).group;

            if (group && mark.step <= UINT32_MAX - 1)
                idmap_put(&b->group_steps, group, (uint32_t)mark.step, 0);
        }
    }
    if (!b->steps.n && b->has_iterations)
        replay_steps(b);
    vec_sort(&b->steps, by_start);
}

/* The last mark that starts at or before NS, or NULL. */
static const struct step_mark *mark_before(const struct trace_build *b, int64_t ns)
{
    size_t after = 0;

    LOWER_BOUND(after, b->steps.n, i, b->steps.data[i].start_ns <= ns);
    return after ? &b->steps.data[after - 1] : NULL;
}

int64_t step_at(const struct trace_build *b, int64_t ns)
{
    const struct step_mark *mark;

    if (!b->steps.n)
        return 0;
    mark = mark_before(b, ns);
    return mark && ns < mark->end_ns ? mark->step : STEP_OUTSIDE;
}

int64_t step_of_slice(const struct trace_build *b, const struct trace_slice *slice)
{
    if (b->dialect == DIALECT_XPROF && slice->args) {
        const strid group = trace_args_of(b->log, slice->args).group;
        const uint32_t step = group ? idmap_get(&b->group_steps, group) : IDMAP_NONE;

        if (step != IDMAP_NONE)
            return step;
    }
    return step_at(b, slice->start_ns);
}

int64_t next_step_boundary(const struct trace_build *b, int64_t ns)
{
    const struct step_mark *mark;

    if (!b->steps.n)
        return INT64_MAX;
    mark = mark_before(b, ns);
    if (mark && ns < mark->end_ns) {
        const struct step_mark *next = mark + 1;

        return next < b->steps.data + b->steps.n && next->start_ns < mark->end_ns ? next->start_ns
                                                                                  : mark->end_ns;
    }
    mark = mark ? mark + 1 : b->steps.data;
    return mark < b->steps.data + b->steps.n ? mark->start_ns : INT64_MAX;
}

/* ---- ranks of a job (formats-trace.md section 8) */

int64_t rank_in_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    int64_t rank = -1;

    for (const char *at = slash ? slash + 1 : path; (at = strstr(at, "rank")) != NULL; at++) {
        const char *digits = at + 4 + (at[4] == '-' || at[4] == '_');
        int64_t number = 0;

        if (*digits < '0' || *digits > '9')
            continue;
        for (; *digits >= '0' && *digits <= '9' && number < INT32_MAX / 10; digits++)
            number = number * 10 + (*digits - '0');
        rank = number;
    }
    return rank;
}

static const char *path_of(const struct profile *p, const struct recorder *r)
{
    return p->files[r->file].path;
}

/* Sets the rank of a trace that records none: the number in its file name, else its index. */
static void name_rank(struct profile *p, struct recorder *r)
{
    if (r->rank >= 0)
        return;
    r->rank = rank_in_name(path_of(p, r));
    if (r->rank >= 0)
        return;
    r->rank = r->place;
    note_add(&p->notes, "%s: records no rank: using rank %u", path_of(p, r),
             (unsigned)r->place);
}

static bool is_wanted_rank(struct loader *l, int64_t rank)
{
    char name[HOST_OF_RANK_BYTES];

    return host_is_wanted(&l->hosts, host_of_rank(name, rank));
}

bool trace_ranks(struct loader *l, bool *is_wanted, struct err *err)
{
    struct profile *p = builder_profile(l->builder);
    struct recorder *last = &p->recorders[p->n_recorders - 1];

    last->place = l->n_traces++;
    if (l->hosts.regexes)
        name_rank(p, last);
    *is_wanted = is_wanted_rank(l, last->rank);
    if (!*is_wanted) {
        p->n_recorders--;
        return true;
    }
    last->rank_index = p->n_recorders - 1;
    if (p->n_recorders < 2)
        return true;
    for (uint32_t i = 0; i < p->n_recorders; i++)
        name_rank(p, &p->recorders[i]);
    for (uint32_t i = 0; i + 1 < p->n_recorders; i++) {
        const struct recorder *r = &p->recorders[i];

        if (r->world_size >= 0 && last->world_size >= 0 && r->world_size != last->world_size)
            return err_set(err, ERR_USAGE, "%s and %s belong to jobs with different world_size",
                           path_of(p, r), path_of(p, last));
        if (r->rank == last->rank && r->rank_index < last->rank_index)
            last->rank_index = r->rank_index;
    }
    return true;
}

static bool share_a_step(const struct recorder *a, const struct step_mark *marks, size_t n_marks)
{
    if (!a->n_steps || !n_marks)
        return true; /* without marks the trace is step 0 */
    for (uint32_t i = 0; i < a->n_steps; i++)
        for (size_t k = 0; k < n_marks; k++)
            if (a->steps[i].step == marks[k].step)
                return true;
    return false;
}

bool trace_rank_steps(const struct trace_build *b, struct err *err)
{
    const struct profile *p = builder_profile(b->builder);
    const struct recorder *last = b->recording;

    for (uint32_t i = 0; i + 1 < p->n_recorders; i++) {
        const struct recorder *r = &p->recorders[i];

        if (r->rank == last->rank && share_a_step(r, b->steps.data, b->steps.n))
            return err_set(err, ERR_USAGE, "%s and %s have the same steps of rank %lld",
                           path_of(p, r), path_of(p, last), (long long)r->rank);
    }
    return true;
}
