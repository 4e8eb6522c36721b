/* trace_steps.c: the steps of a trace (formats-trace.md section 4.4). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/regex/regexes.h"
#include "load/trace/trace_build.h"

static const char step_prefix[] = "ProfilerStep#";

bool is_step_name(const char *name, size_t len)
{
    const size_t n = sizeof step_prefix - 1;

    return len > n && memcmp(name, step_prefix, n) == 0;
}

bool is_step_range(struct trace_build *b, strid name, uint32_t *at, uint32_t *n)
{
    enum { UNKNOWN, NO, YES };
    const struct text text = trace_text(b, name);
    uint32_t end = text.len;

    if (name >= b->step_names.n)
        vec_resize_zero(&b->step_names, (size_t)name + 1 + name / 2);
    if (b->step_names.data[name] == UNKNOWN)
        b->step_names.data[name] =
            regexes_match(b->step_regexes, text.bytes, text.len) >= 0 ? YES : NO;
    while (end && (text.bytes[end - 1] < '0' || text.bytes[end - 1] > '9'))
        end--;
    *at = end;
    while (*at && text.bytes[*at - 1] >= '0' && text.bytes[*at - 1] <= '9')
        --*at;
    *n = end - *at;
    return b->step_names.data[name] == YES && *n;
}

static struct json_value text_of(const struct trace_build *b, strid id, size_t skip)
{
    const struct profile *p = builder_profile(b->builder);

    return (struct json_value){.at = (const uint8_t *)profile_text(p, id) + skip,
                               .len = intern_len(&p->strings, id) - skip,
                               .type = JSON_STRING};
}

/* The step that SLICE marks; false: it marks none. */
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

/* The last mark that starts at an instant or before, or NULL. */
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

int64_t next_step_border(const struct trace_build *b, int64_t ns)
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
