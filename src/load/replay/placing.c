/* placing.c: gives the work of joined replays the rows of the captured slices that launched it
 * (formats-trace.md section 11). */
#include "load/replay/placing.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "model/iteration.h"

#define PATH_UNKNOWN UINT32_MAX

/* ---- copies of strings, arguments and stacks of captures */

void placing_begin(struct trace_build *b)
{
    const struct trace_replays *r = b->replays;
    struct placing *p;
    bool any = false;

    for (size_t i = 0; i < r->list.n; i++)
        any |= r->list.data[i].capture != CAPTURE_NONE;
    if (!any)
        return;
    p = b->placing = xcalloc(1, sizeof *p);
    p->all = &r->state->files.all;
    p->category_of = xcalloc(p->all->log.categories.n + 1, sizeof *p->category_of);
    for (uint16_t i = 0; i < p->all->log.categories.n; i++)
        p->category_of[i] = log_copy_category(b->log, &p->all->log, i);
    vec_resize_zero(&p->args_of, p->all->log.args.n + 1);
    vec_resize_zero(&p->name_of, builder_profile(p->all->log.builder)->strings.n);
    vec_resize_zero(&p->stack_of, p->all->stack_ids.n);
    b->names.bytes_left += r->state->files.n_bytes;
    b->stack_bytes.bytes_left += r->state->files.n_bytes;
}

void placing_end(struct trace_build *b)
{
    struct placing *p = b->placing;

    if (!p)
        return;
    for (unsigned i = 0; i < CONTEXTS; i++)
        EACH(free, p->contexts[i].outer, p->contexts[i].inner);
    free(p->category_of);
    EACH(vec_done, &p->args_of, &p->name_of, &p->stack_of, &p->climb, &p->met, &p->noted, &p->runs);
    free(p);
    b->placing = NULL;
}

static strid name_of(struct trace_build *b, strid name)
{
    struct placing *p = b->placing;

    if (!p->name_of.data[name])
        p->name_of.data[name] = log_copy_string(b->log, &p->all->log, name);
    return p->name_of.data[name];
}

static uint32_t args_of(struct trace_build *b, uint32_t args)
{
    struct placing *p = b->placing;

    if (!p->args_of.data[args]) {
        p->args_of.data[args] = log_copy_args(b->log, &p->all->log, args) + 1;
        b->recording->has_calls_with_shapes |= trace_args_of(&p->all->log, args).dims != STRID_EMPTY;
    }
    return p->args_of.data[args] - 1;
}

/* The builder's stack for a captured stack. */
static uint32_t stack_of(struct trace_build *b, uint32_t captured)
{
    struct placing *p = b->placing;
    struct captured_stack stack;
    uint32_t caller = captured;

    p->climb.n = 0;
    while (caller && !p->stack_of.data[caller]) {
        vec_push(&p->climb, caller);
        memcpy(&stack, intern_text(&p->all->stack_ids, caller), sizeof stack);
        caller = stack.caller;
    }
    while (p->climb.n) {
        const uint32_t at = p->climb.data[--p->climb.n];

        memcpy(&stack, intern_text(&p->all->stack_ids, at), sizeof stack);
        p->stack_of.data[at] =
            stack_child(b, p->stack_of.data[stack.caller], name_of(b, stack.name));
    }
    return p->stack_of.data[captured];
}

/* ---- paths */

static const struct captured_file *capture_of(const struct trace_build *b, const struct graph_launch *replay)
{
    return &b->placing->all->list.data[replay->capture];
}

static uint32_t *new_paths(size_t n)
{
    uint32_t *paths = xreallocarray(NULL, n + 1, sizeof *paths);

    memset(paths, 0xff, (n + 1) * sizeof *paths);
    return paths;
}

/* The paths of REPLAY's capture below the annotations around its launch; cached. */
static struct placing_context *context_of(struct trace_build *b, const struct graph_launch *replay)
{
    struct placing *p = b->placing;
    const struct captured_file *c = capture_of(b, replay);
    const uint32_t base = c->has_modules ? replay->path : replay->path_with_modules;
    struct placing_context *context;

    for (unsigned i = 0; i < CONTEXTS; i++)
        if (p->contexts[i].inner && p->contexts[i].capture == replay->capture &&
            p->contexts[i].base == base)
            return &p->contexts[i];
    context = &p->contexts[p->next_context++ % CONTEXTS];
    EACH(free, context->outer, context->inner);
    *context = (struct placing_context){replay->capture, base, new_paths(c->slices.n),
                                        new_paths(c->slices.n)};
    return context;
}

/* The path of captured slice S below PARENT.  The first path below PARENT that the trace lacks
 * depends on the launch of REPLAY. */
static uint32_t path_of_captured(struct trace_build *b, const struct graph_launch *replay, uint32_t parent,
                                 const struct captured_slice *s)
{
    const struct trace_slice slice = {.name = name_of(b, s->name),
                                      .category = b->placing->category_of[s->category],
                                      .link = NUMBER_NONE};
    const size_t n_before = b->paths.n;
    const uint32_t at = path_of_slice(b, parent, &slice);
    const bool is_outermost = !b->paths.data[parent].is_captured;

    if (b->paths.n > n_before) {
        b->paths.data[at].is_captured = true;
        if (is_outermost)
            b->paths.data[at].source = replay->own_path;
    } else if (b->paths.data[at].is_captured && is_outermost) {
        add_dependence(b, at, replay->own_path);
    }
    return at;
}

/* The path of the modules around slice AT, which includes AT if it is a module. */
static uint32_t outer_path(struct trace_build *b, const struct graph_launch *replay,
                           struct placing_context *context, uint32_t at)
{
    const struct captured_file *c = capture_of(b, replay);
    struct placing *p = b->placing;
    uint32_t path = context->base;

    p->climb.n = 0;
    for (; at != SLICE_NONE && context->outer[at] == PATH_UNKNOWN; at = c->slices.data[at].parent)
        vec_push(&p->climb, at);
    if (at != SLICE_NONE)
        path = context->outer[at];
    while (p->climb.n) {
        const uint32_t next = p->climb.data[--p->climb.n];
        const struct captured_slice *s = &c->slices.data[next];

        path = s->is_module ? path_of_captured(b, replay, path, s) : path;
        context->outer[next] = path;
    }
    return path;
}

/* The path of slice AT within its graph. */
static uint32_t inner_path(struct trace_build *b, const struct graph_launch *replay,
                           struct placing_context *context, uint32_t at)
{
    const struct captured_file *c = capture_of(b, replay);
    const uint32_t graph = c->slices.data[at].graph;
    VEC(uint32_t) climb = {0};
    uint32_t path;

    for (; at != SLICE_NONE && c->slices.data[at].graph == graph &&
           context->inner[at] == PATH_UNKNOWN; at = c->slices.data[at].parent)
        vec_push(&climb, at);
    path = at != SLICE_NONE && c->slices.data[at].graph == graph
               ? context->inner[at]
               : outer_path(b, replay, context, at);
    while (climb.n) {
        const uint32_t next = climb.data[--climb.n];

        path = context->inner[next] = path_of_captured(b, replay, path, &c->slices.data[next]);
    }
    vec_done(&climb);
    return path;
}

/* ---- attention */

/* Appends the element size in bytes of TYPES[INDEX], a JSON list, as ,"2"; ,"" if unknown. */
static void add_type_bytes(struct strbuf *sb, struct text types, unsigned index)
{
    struct json_in in = json_again((struct json_value){.at = (const uint8_t *)types.bytes,
                                                       .len = types.len,
                                                       .type = JSON_ARRAY}, false);
    struct json_value type;
    int64_t bytes = 0;

    for (unsigned i = 0; types.len && i <= index && json_element(&in, &type); i++)
        bytes = i == index && type.type == JSON_STRING ? element_bytes((const char *)type.at, type.len) : 0;
    sb_addf(sb, bytes ? ",\"%" PRId64 "\"" : ",\"\"", bytes);
}

uint32_t attention_args(struct trace_build *b, strid name, uint32_t args,
                        const struct iteration_counts *n)
{
    struct trace_args copy = trace_args_of(b->log, args);
    struct strbuf sb = {0};
    unsigned first;

    if (!n->has_sums || !copy.dims || !attention_inputs(trace_text(b, name), &first))
        return args;
    sb_addf(&sb,
            "[\"[%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "]\"",
            n->context.tokens, n->generation.tokens, n->context.sk, n->generation.sk, n->context.sqsq,
            n->context.sqsk, n->generation.sqsk);
    add_type_bytes(&sb, trace_text(b, copy.types), first);
    add_type_bytes(&sb, trace_text(b, copy.types), first + 1);
    sb_addc(&sb, ']');
    b->recording->has_attention = true;
    copy.values = builder_str(b->builder, sb.data, sb.len);
    sb_done(&sb);
    return intern_put(&b->log->args, &copy, sizeof copy);
}

/* The arguments of captured slice S in REPLAY. */
static uint32_t args_in(struct trace_build *b, const struct graph_launch *replay,
                        const struct captured_slice *s)
{
    const uint32_t args = args_of(b, s->args);

    if (!b->has_iterations || replay->mark == MARK_NONE || !args || s->kind != KIND_CALL)
        return args;
    return attention_args(b, name_of(b, s->name), args,
                          &b->replays->marks.data[replay->mark].iteration.counts);
}

/* ---- work */

void replay_launched(struct trace_build *b, const struct trace_slice *slice, struct replay_base base,
                     uint32_t own_path, int64_t step)
{
    struct trace_replays *r = b->replays;
    const uint32_t at = idmap_get(&r->by_correlation, slice->link);
    struct graph_launch *replay;

    if (at == IDMAP_NONE)
        return;
    replay = &r->list.data[at];
    if (slice->start_ns != replay->start_ns || slice->name != replay->launch)
        return;
    replay->path = base.annotations;
    replay->path_with_modules = base.modules;
    replay->own_path = own_path;
    replay->step = step;
    if (replay->capture == CAPTURE_NONE)
        replay_note_node(r->state, node_of(b, own_path), replay->row);
}

bool replay_place(struct trace_build *b, const struct trace_slice *slice, struct placed_work *placed)
{
    const struct trace_replays *r = b->replays;
    const size_t place = (size_t)(slice - b->log->slices.data);
    const struct captured_launch *launch;
    const struct graph_launch *replay;
    const struct captured_file *c;

    if (place >= r->launch_of_place.n || !r->launch_of_place.data[place])
        return false;
    replay = &r->list.data[idmap_get(&r->by_correlation, slice->link)];
    c = capture_of(b, replay);
    launch = &c->launches.data[c->graphs.data[replay->graph].first_launch +
                               r->launch_of_place.data[place] - 1];
    placed->path = inner_path(b, replay, context_of(b, replay), launch->owner);
    placed->stack = stack_of(b, c->slices.data[launch->slice].stack);
    placed->args = args_in(b, replay, &c->slices.data[launch->owner]);
    return true;
}

/* Records once per replay that operator AT owns work of REPLAY. */
static void note_owner(struct trace_build *b, uint32_t replay, struct placing_context *context,
                       uint32_t at)
{
    struct graph_launch *of = &b->replays->list.data[replay];
    const uint32_t node = node_of(b, inner_path(b, of, context, at));

    if (node >= b->placing->noted.n)
        vec_resize_zero(&b->placing->noted, (size_t)node + 1 + node / 2);
    if (b->placing->noted.data[node] == replay + 1)
        return;
    b->placing->noted.data[node] = replay + 1;
    replay_note_node(b->replays->state, node, of->row);
}

/* Counts a run of slice AT and of the slices around it in the graph, once per replay. */
static void count_runs(struct trace_build *b, uint32_t replay, struct placing_context *context,
                       uint32_t at)
{
    struct placing *p = b->placing;
    const struct graph_launch *of = &b->replays->list.data[replay];
    const struct captured_file *c = capture_of(b, of);
    const uint32_t graph = c->graphs.data[of->graph].id;

    for (; at != SLICE_NONE && c->slices.data[at].graph == graph && p->met.data[at] != replay + 1;
         at = c->slices.data[at].parent) {
        const struct captured_slice *s = &c->slices.data[at];

        p->met.data[at] = replay + 1;
        if (!has_work_rows(b, name_of(b, s->name)))
            vec_push(&p->runs, ((struct part_runs){part_of(b, inner_path(b, of, context, at),
                                                           stack_of(b, s->stack), args_in(b, of, s)),
                                                   1}));
    }
}

COMPARE_BY(by_part, struct part_runs, part)

/* Adds the counted runs as segments. */
static void add_runs(struct trace_build *b, const struct graph_launch *replay)
{
    struct placing *p = b->placing;

    vec_sort(&p->runs, by_part);
    vec_merge(&p->runs, last, next, last->part == next->part, last->n += next->n);
    vec_each(struct part_runs, run, &p->runs)
        add_segment(b, (struct segment){.start_ns = replay->start_ns, .step = replay->step,
                                        .part = run->part, .n_runs = run->n});
    p->runs.n = 0;
}

void replay_runs(struct trace_build *b)
{
    struct trace_replays *r = b->replays;

    for (uint32_t i = 0; i < r->list.n; i++) {
        const struct graph_launch *replay = &r->list.data[i];
        const struct captured_file *c;
        struct placing_context *context;

        if (replay->capture == CAPTURE_NONE)
            continue;
        c = capture_of(b, replay);
        context = context_of(b, replay);
        if (b->placing->met.n < c->slices.n)
            vec_resize_zero(&b->placing->met, c->slices.n);
        for (uint32_t k = 0; k < replay->n_works; k++) {
            const uint32_t placed = r->placed.data[replay->first_work + k];
            uint32_t owner;

            if (placed >= ALIGN_AMBIGUOUS)
                continue;
            owner = c->launches.data[c->graphs.data[replay->graph].first_launch + placed].owner;
            note_owner(b, i, context, owner);
            count_runs(b, i, context, owner);
        }
        add_runs(b, replay);
    }
}
