/* snapshot_stacks.c: call stack, type and category of an allocation from its list of frames
 * (formats-snapshot.md section 3). */
#include <string.h>

#include "base/text.h"
#include "load/snapshot/snapshot.h"

static bool is_python(struct text file)
{
    return text_begins(file, "<") || text_ends(file, ".py");
}

/* Sets *NAME for at::_ops::NAME::call and at::_ops::NAME::redispatch; false for other functions. */
static bool operator_name(struct text text, struct text *name)
{
    static const char prefix[] = "at::_ops::";
    static const char *const calls[] = {"::call", "::redispatch"};
    const char *at = text.bytes + sizeof prefix - 1, *end = text.bytes + text.len, *begin = at;

    if (!text_begins(text, prefix))
        return false;
    while (at < end && is_word_char(*at))
        at++;
    *name = (struct text){begin, (uint32_t)(at - begin)};
    for (size_t i = 0; i < sizeof calls / sizeof *calls && at > begin; i++) {
        const struct text rest = {at, (uint32_t)(end - at)};
        const size_t len = strlen(calls[i]);

        if (text_begins(rest, calls[i]) && (rest.len == len || !is_word_char(at[len])))
            return true;
    }
    return false;
}

/* One frame of a list. */
struct snapshot_frame {
    struct text file, name;
    pickle_value file_value, name_value;
    int32_t line;
};

static bool read_frame(struct snapshot_build *s, pickle_value v, struct snapshot_frame *f)
{
    struct pickle *p = &s->pickle;
    int64_t line;

    if (pickle_kind(v) != PICKLE_DICT || pickle_is_incomplete(p, v))
        return false;
    pickle_open_dict(p, v);
    f->file_value = pickle_field(p, KEY_FILENAME);
    f->name_value = pickle_field(p, KEY_NAME);
    if (pickle_kind(f->file_value) != PICKLE_TEXT || pickle_kind(f->name_value) != PICKLE_TEXT)
        return false;
    f->file = pickle_text(p, f->file_value);
    f->name = pickle_text(p, f->name_value);
    f->line = pickle_time(p, pickle_field(p, KEY_LINE), &line) && line > -INT64_C(0x80000000) &&
                      line < INT64_C(0x80000000)
                  ? (int32_t)line
                  : 0;
    return true;
}

/* Facts collected from the frames of a stack, which are visited innermost first. */
struct stack_facts {
    struct text operator, python, innermost;
    bool has_operator, has_python, has_frame;
    bool is_optimizer, is_backward, is_forward;
};

static void learn(struct stack_facts *facts, const struct snapshot_frame *f)
{
    if (!facts->has_frame)
        facts->innermost = f->name;
    facts->has_frame = true;
    if (!facts->has_operator)
        facts->has_operator = operator_name(f->name, &facts->operator);
    if (!facts->has_python && is_python(f->file)) {
        facts->python = f->name;
        facts->has_python = true;
    }
    facts->is_optimizer |=
        text_has(f->file, "torch/optim/") || text_has(f->file, "torch/distributed/optim/");
    facts->is_backward |= text_has(f->name, "torch::autograd::Engine::") ||
                          text_is(f->name, "_engine_run_backward") ||
                          (text_is(f->name, "backward") && text_has(f->file, "torch/"));
    facts->is_forward |= text_is(f->name, "_call_impl") || text_is(f->name, "forward");
}

static strid type_of(struct snapshot_build *s, const struct stack_facts *facts)
{
    const struct text *name = facts->has_python ? &facts->python : &facts->innermost;

    if (!facts->has_operator)
        return builder_str(s->builder, name->bytes, name->len);
    sb_clear(&s->text);
    sb_adds(&s->text, "aten::");
    sb_add(&s->text, facts->operator.bytes, facts->operator.len);
    return builder_str(s->builder, s->text.data, s->text.len);
}

/* Adds a Python frame to the stack. */
static void add_frame(struct snapshot_build *s, const struct snapshot_frame *f)
{
    struct loader *l = s->l;
    const struct frame frame = {.file = builder_str(s->builder, f->file.bytes, f->file.len),
                                .function = builder_str(s->builder, f->name.bytes, f->name.len),
                                .lineno = f->line, .func_start_line = -1};

    if (!l->frames.n || budget_take(&s->frames, FRAME_MAX_BYTES, 0))
        vec_push(&l->frames, frame);
}

static stack_id end_stack(struct snapshot_build *s)
{
    struct loader *l = s->l;

    for (size_t i = 0, k = l->frames.n; i + 1 < k; i++) {
        const struct frame frame = l->frames.data[i];

        l->frames.data[i] = l->frames.data[--k];
        l->frames.data[k] = frame;
    }
    return l->frames.n ? builder_stack(s->builder, l->frames.data, l->frames.n) : STACK_NONE;
}

static struct snapshot_stack read_stack(struct snapshot_build *s, pickle_value frames)
{
    uint32_t n;
    const uint32_t first = pickle_object(&s->pickle, frames)->first;
    struct stack_facts facts = {.has_frame = false};
    struct snapshot_stack stack = {.stack = STACK_NONE};

    pickle_elements(&s->pickle, frames, &n);
    s->l->frames.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct snapshot_frame f;

        if (!read_frame(s, s->pickle.cells.data[first + i], &f)) {
            s->repairs[SNAPSHOT_bad_frame]++;
            continue;
        }
        learn(&facts, &f);
        if (is_python(f.file))
            add_frame(s, &f);
    }
    stack.has_frames = facts.has_frame;
    stack.stack = end_stack(s);
    if (facts.has_frame)
        stack.type = type_of(s, &facts);
    stack.category = !facts.has_frame       ? "no stack"
                     : facts.is_optimizer ? "optimizer"
                     : facts.is_backward  ? "backward"
                     : facts.is_forward   ? "forward"
                                          : "other";
    return stack;
}

uint32_t snapshot_stack(struct snapshot_build *s, pickle_value frames)
{
    const struct snapshot_stack unread = {.frames = frames};
    const struct pickle_object *o;
    int64_t key;
    uint32_t at;

    if (pickle_kind(frames) != PICKLE_LIST)
        return 0;
    pickle_watch(&s->pickle, frames);
    o = pickle_object(&s->pickle, frames);
    key = (int64_t)((uint64_t)o->first << 32 | o->n); /* lists that share cells have equal frames */
    at = idmap_get(&s->stack_of_cells, key);
    if (at == IDMAP_NONE) {
        at = (uint32_t)s->stacks.n;
        vec_push(&s->stacks, unread);
        idmap_put(&s->stack_of_cells, key, at, 0);
    }
    return at;
}

struct snapshot_stack *snapshot_stack_at(struct snapshot_build *s, uint32_t number)
{
    struct snapshot_stack *stack = &s->stacks.data[number];

    if (!stack->category)
        *stack = read_stack(s, stack->frames);
    return stack;
}
