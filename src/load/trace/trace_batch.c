/* trace_batch.c: decodes events of a trace independently of the log that they are added to. */
#include "load/trace/trace_batch.h"

#include "model/iteration.h"

void trace_batch_done(void *of)
{
    struct trace_batch *batch = of;

    EACH(vec_done, &batch->events, &batch->values, &batch->numbers, &batch->text_ids,
         &batch->category_ids, &batch->track_ids, &batch->arg_ids);
    EACH(intern_done, &batch->texts, &batch->tracks, &batch->args);
    sb_done(&batch->scratch);
}

void trace_batch_clear(void *of)
{
    struct trace_batch *batch = of;

    batch->events.n = batch->values.n = batch->numbers.n = 0;
    EACH(intern_clear, &batch->texts, &batch->tracks, &batch->args);
    batch->text_ids.n = batch->category_ids.n = batch->track_ids.n = batch->arg_ids.n = 0;
}

/* ---- texts */

static uint32_t text_of(struct trace_batch *batch, struct json_value value)
{
    if (!value.is_escaped)
        return intern_put(&batch->texts, value.at, value.len);
    sb_clear(&batch->scratch);
    json_unescape(&batch->scratch, value);
    return intern_put(&batch->texts, batch->scratch.data, batch->scratch.len);
}

static uint32_t arg_text(struct trace_batch *batch, const struct trace_event *e,
                         enum event_arg arg)
{
    return event_has(e, arg) ? text_of(batch, e->arg[arg]) : STRID_EMPTY;
}

/* The dimensions of a list of typed shapes, [{"float":[1,3]}], without the types: [[1,3]]. */
static uint32_t dims_text(struct trace_batch *batch, const struct trace_event *e,
                          enum event_arg arg)
{
    struct json_value typed, type, dims;
    struct strbuf *text = &batch->scratch;
    struct json_in in;

    if (!event_has(e, arg) || e->arg[arg].type != JSON_ARRAY)
        return STRID_EMPTY;
    in = json_again(e->arg[arg], false);
    sb_clear(text);
    sb_addc(text, '[');
    while (json_element(&in, &typed)) {
        struct json_in member = json_again(typed, false);

        sb_adds(text, text->len > 1 ? "," : "");
        if (typed.type == JSON_OBJECT && json_open(&member) && json_key(&member, &type) &&
            json_value(&member, &dims) && dims.type == JSON_ARRAY)
            sb_add(text, dims.at, dims.len);
        else
            sb_adds(text, "[-1]");
    }
    sb_addc(text, ']');
    return intern_put(&batch->texts, text->data, text->len);
}

static uint32_t track_of(struct trace_batch *batch, const struct trace_event *e)
{
    const struct batch_track track = {
        .pid = event_lacks(e->pid) ? BATCH_TEXT_NONE : text_of(batch, e->pid),
        .tid = event_lacks(e->tid) ? BATCH_TEXT_NONE : text_of(batch, e->tid),
    };

    return intern_put(&batch->tracks, &track, sizeof track);
}

/* ---- arguments */

/* Bit mask of the arguments that struct trace_args stores. */
#define BIT(arg) (UINT64_C(1) << ARG_##arg)
static const uint64_t kept_args =
    BIT(DIMS) | BIT(VALUES) | BIT(CALL_STACK) | BIT(DEVICE) | BIT(STREAM) | BIT(NAME) | BIT(OP) |
    BIT(HLO_OP) | BIT(HLO_MODULE) | BIT(TF_OP) | BIT(GROUP_ID) | BIT(STEP_NUMBER) |
    BIT(COLLECTIVE) | BIT(INPUT) | BIT(GRID) | BIT(NODE_OP) | BIT(KERNEL) | BIT(PARENT_NAME);
#undef BIT

static struct kernel_config config_of(struct trace_batch *batch, const struct trace_event *e)
{
    return (struct kernel_config){
        .grid = arg_text(batch, e, ARG_GRID),
        .block = arg_text(batch, e, ARG_BLOCK),
        .registers = arg_text(batch, e, ARG_REGISTERS),
        .shared_memory = arg_text(batch, e, ARG_SHARED_MEMORY),
        .blocks_per_sm = arg_text(batch, e, ARG_BLOCKS_PER_SM),
        .warps_per_sm = arg_text(batch, e, ARG_WARPS_PER_SM),
        .occupancy_percent = arg_text(batch, e, ARG_OCCUPANCY),
    };
}

static bool is_attention(const struct trace_event *e)
{
    unsigned first;

    return e->name.len && attention_inputs((struct text){(const char *)e->name.at,
                                                         (uint32_t)e->name.len}, &first);
}

static uint32_t args_of(struct trace_batch *batch, const struct trace_event *e)
{
    struct batch_args set = {.has_config = event_has(e, ARG_GRID)};
    struct trace_args *args = &set.args;

    set.has_shapes = event_has(e, ARG_DIMS) || event_has(e, ARG_TYPED_INPUTS);
    args->dims = arg_text(batch, e, ARG_DIMS);
    args->values = arg_text(batch, e, ARG_VALUES);
    args->call_stack = arg_text(batch, e, ARG_CALL_STACK);
    args->device = arg_text(batch, e, ARG_DEVICE);
    args->stream = arg_text(batch, e, ARG_STREAM);
    args->name = arg_text(batch, e, ARG_NAME);
    args->op = arg_text(batch, e, ARG_OP);
    if (event_has(e, ARG_INPUT) && args->op)
        args->inputs = text_of(batch, e->args);
    args->hlo_op = arg_text(batch, e, ARG_HLO_OP);
    args->hlo_module = arg_text(batch, e, ARG_HLO_MODULE);
    args->tf_op = arg_text(batch, e, ARG_TF_OP);
    args->group = arg_text(batch, e, ARG_GROUP_ID);
    args->step = arg_text(batch, e, ARG_STEP_NUMBER);
    if (set.has_config)
        set.config = config_of(batch, e);
    args->kernel = arg_text(batch, e, ARG_KERNEL);
    if (event_has(e, ARG_TYPES) && is_attention(e))
        args->types = arg_text(batch, e, ARG_TYPES);
    args->node_op = arg_text(batch, e, ARG_NODE_OP);
    if (args->node_op) {
        args->provider = arg_text(batch, e, ARG_PROVIDER);
        args->dims = dims_text(batch, e, ARG_TYPED_INPUTS);
        args->values = dims_text(batch, e, ARG_TYPED_OUTPUTS);
        args->bytes = arg_text(batch, e, ARG_OUTPUT_SIZE);
    }
    args->parent = arg_text(batch, e, ARG_PARENT_NAME);
    args->collective = arg_text(batch, e, ARG_COLLECTIVE);
    if (args->collective) {
        args->group_name = arg_text(batch, e, ARG_GROUP_NAME);
        args->group_ranks = arg_text(batch, e, ARG_GROUP_RANKS);
        args->seq = arg_text(batch, e, ARG_SEQ);
        args->elements = arg_text(batch, e, ARG_ELEMENTS);
        args->type = arg_text(batch, e, ARG_TYPE);
    }
    return intern_put(&batch->args, &set, sizeof set);
}

static int64_t link_of(const struct trace_event *e)
{
    int64_t number, parent;

    if (event_has(e, ARG_PYTHON_ID)) {
        number = event_number(e, ARG_PYTHON_ID);
        parent = event_number(e, ARG_PYTHON_PARENT);
        if (number < 0 || number >= FRAME_NONE)
            return NUMBER_NONE;
        return frame_link((uint32_t)number,
                          parent >= 0 && parent < FRAME_NONE ? (uint32_t)parent : FRAME_NONE);
    }
    if (event_has(e, ARG_SELF) && json_decimal(e->arg[ARG_SELF], 3, &number) && number >= 0 &&
        number < INT64_MAX / 4)
        return number;
    number = event_number(e, ARG_CORRELATION);
    return number == NUMBER_NONE ? event_number(e, ARG_EXTERNAL_ID) : number;
}

/* ---- events */

static bool is_of_session(const struct trace_event *e)
{
    return event_has(e, ARG_NODE_OP) || event_has(e, ARG_THREAD_STATS);
}

static bool has_numbers(const struct trace_event *e)
{
    return is_of_session(e) || event_has(e, ARG_SEQUENCE) || event_has(e, ARG_GRAPH_NODE) ||
           (event_has(e, ARG_STREAM) && event_has(e, ARG_CORRELATION));
}

static void add_numbers(struct trace_batch *batch, const struct trace_event *e,
                        struct decoded_event *event)
{
    const bool is_work = event_has(e, ARG_STREAM) && event_has(e, ARG_CORRELATION);
    const struct batch_numbers numbers = {
        .sequence = event_number(e, ARG_SEQUENCE),
        .forward_thread = event_number(e, ARG_FORWARD_THREAD),
        .graph_node = event_number(e, ARG_GRAPH_NODE),
        .external = is_work ? event_number(e, ARG_EXTERNAL_ID) : NUMBER_NONE,
        .recorded = is_of_session(e) ? e->args : (struct json_value){.at = NULL},
    };

    event->first = (uint32_t)batch->numbers.n;
    event->n = 1;
    vec_push(&batch->numbers, numbers);
}

static void add_slice(struct trace_batch *batch, const struct trace_event *e,
                      struct decoded_event *event)
{
    event->category = intern_put(&batch->texts, e->category.at, e->category.len);
    event->has_time = event_time(e->ts, &event->ts_ns);
    if (!event->has_time)
        return;
    event->duration = event_lacks(e->dur)                ? DURATION_ABSENT
                      : event_time(e->dur, &event->dur_ns) ? DURATION_FINE
                                                           : DURATION_BAD;
    event->track = track_of(batch, e);
    event->has_kept_args = (e->has_arg & kept_args) != 0;
    if (event->has_kept_args)
        event->args = args_of(batch, e);
    if (event->phase == 'E')
        return;
    event->name = text_of(batch, e->name);
    event->link = link_of(e);
    if (has_numbers(e))
        add_numbers(batch, e, event);
}

static void add_value(struct trace_batch *batch, unsigned field, struct json_value value)
{
    const struct batch_value kept = {.at = value.at,
                                     .len = (uint32_t)value.len,
                                     .type = value.type,
                                     .is_escaped = value.is_escaped,
                                     .field = (uint8_t)field};

    vec_push(&batch->values, kept);
}

static void add_values(struct trace_batch *batch, const struct trace_event *e,
                       struct decoded_event *event)
{
    event->first = (uint32_t)batch->values.n;
    for (unsigned i = 0; i < EVENT_FIELDS; i++)
        if (e->fields[i].type != JSON_ABSENT)
            add_value(batch, i, e->fields[i]);
    for (uint64_t left = e->has_arg; left; left &= left - 1) {
        const unsigned arg = (unsigned)__builtin_ctzll(left);

        add_value(batch, EVENT_FIELDS + arg, e->arg[arg]);
    }
    event->n = (uint32_t)batch->values.n - event->first;
}

static void add_event(struct trace_batch *batch, const struct trace_event *e)
{
    struct decoded_event event = {.at = e->at, .is_empty = e->is_empty,
                                .has_phase = e->phase.type != JSON_ABSENT};

    if (e->phase.len == 1 && e->phase.type == JSON_STRING)
        event.phase = e->phase.at[0];
    if (event.phase == 'X' || event.phase == 'B' || event.phase == 'E')
        add_slice(batch, e, &event);
    else if (trace_mark_counts(e, event.phase))
        add_values(batch, e, &event);
    vec_push(&batch->events, event);
}

/* Allocates the id maps for joining. */
static void end(struct trace_batch *batch)
{
    vec_resize_zero(&batch->text_ids, batch->texts.n);
    vec_resize_zero(&batch->category_ids, batch->texts.n);
    vec_resize_zero(&batch->track_ids, batch->tracks.n);
    vec_resize_zero(&batch->arg_ids, batch->args.n);
}

void trace_batch_of_one(struct trace_batch *batch, const struct trace_event *e)
{
    trace_batch_clear(batch);
    add_event(batch, e);
    end(batch);
}

/* Parses the object at IN; if that fails as JSON, retries with the rule for bare quotes.  False
 * also when the bytes end within the object. */
static bool read_one(struct json_in *in, struct trace_event *e, bool *bare_quotes)
{
    const struct json_in before = *in;

    *bare_quotes = false;
    if (event_read(in, e))
        return true;
    if (in->fault != JSON_BAD)
        return false;
    *in = before;
    *bare_quotes = in->bare_quotes = true;
    return event_read(in, e);
}

/* Decodes the event at IN; false at the end of the batch. */
static bool decode_one(struct trace_batch *batch, struct json_in *in, struct trace_event *e)
{
    struct decoded_event *added;
    bool bare_quotes;

    while (json_blanks(in) && *in->at == ',')
        in->at++;
    in->n_controls = 0;
    in->bare_quotes = false;
    if (in->fault != JSON_FINE || in->at >= batch->to || *in->at != '{' ||
        !read_one(in, e, &bare_quotes))
        return false;
    add_event(batch, e);
    added = &batch->events.data[batch->events.n - 1];
    added->end = in->at;
    added->bare_quotes = bare_quotes;
    added->n_controls = in->n_controls;
    added->first_control = in->first_control;
    return true;
}

void trace_batch_decode(struct trace_batch *batch)
{
    struct json_in in = {.at = batch->from, .end = batch->limit, .is_last = batch->is_last};
    struct trace_event event;

    do
        batch->end = in.at;
    while (decode_one(batch, &in, &event));
    end(batch);
}
