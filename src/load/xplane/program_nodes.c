/* program_nodes.c: makes nodes of the instructions of compiled programs (formats-xplane.md section
 * 8). */
#include "load/xplane/program_nodes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "hlo/attributes.h"
#include "hlo/names.h"
#include "hlo/opcode.h"

void nodes_free(struct nodes *n)
{
    for (size_t i = 0; i < n->modules.n; i++) {
        hlo_memory_free(n->modules.data[i].memory);
        hlo_costs_free(n->modules.data[i].costs);
        hlo_module_free(n->modules.data[i].module);
    }
    for (size_t i = 0; i < n->lists.n; i++)
        free(n->lists.data[i].of_instruction);
    EACH(vec_done, &n->modules, &n->lists);
    lookup_done(&n->list_by_module);
    EACH(vec_done, &n->costs, &n->origins, &n->n_paths);
    EACH(free, n->labels, n->module_of, n);
}

void nodes_keep(struct nodes *n, node_id node, const struct program_cost *cost,
                struct node_origin origin)
{
    const struct node_origin none = {.module = UINT32_MAX};

    while (n->costs.n <= node) {
        vec_push(&n->costs, (struct program_cost){0});
        vec_push(&n->origins, none);
    }
    if (n->costs.data[node].count != PROGRAM_NO_NODE)
        return;
    n->costs.data[node] = *cost;
    n->origins.data[node] = origin;
}

struct node_origin nodes_origin(const struct nodes *n, node_id node)
{
    return node < n->origins.n ? n->origins.data[node] : (struct node_origin){.module = UINT32_MAX};
}

void nodes_prefix(const struct nodes *n, const struct run *r, const struct loader *l,
                  uint32_t device, struct strbuf *name)
{
    static const char begin[] = "/host:", middle[] = "/device:";
    const char *text, *at;

    if (!n->split || device == DEVICE_NONE)
        return;
    text = intern_text(&builder_profile(l->builder)->strings, r->devices.data[device].name);
    at = strstr(text, middle);
    sb_add(name, text + sizeof begin - 1, (size_t)(at - text) - (sizeof begin - 1));
    sb_addc(name, ':');
    sb_adds(name, at + sizeof middle - 1);
    sb_addc(name, '/');
}

int64_t program_output_bytes(const struct hlo_module *m, uint32_t i)
{
    switch (m->instructions[i].opcode) {
    case HLO_PARAMETER:
    case HLO_CONSTANT:
    case HLO_TUPLE:
    case HLO_GET_TUPLE_ELEMENT:
    case HLO_BITCAST:
    case HLO_WHILE:
    case HLO_CONDITIONAL:
    case HLO_CALL:
        return 0;
    default:
        return hlo_shape_bytes(m, i);
    }
}

/* ---- labels */

static struct text program_name(const struct intern *strings, const struct run_program *p)
{
    static const char unknown[] = "(unknown module)";

    if (!p->name)
        return (struct text){unknown, sizeof unknown - 1};
    return intern_string(strings, p->name);
}

/* Limits memory: all names of nodes contain a label. */
enum { MAX_LABEL_BYTES = 256 };

/* The first MAX_LABEL_BYTES bytes of the name of P. */
static struct text label_text(const struct intern *strings, const struct run_program *p)
{
    struct text name = program_name(strings, p);

    name.len = name.len < MAX_LABEL_BYTES ? name.len : MAX_LABEL_BYTES;
    return name;
}

/* Puts into SHARED the labels that two programs of one host have. */
static void find_shared_names(const struct run *r, struct intern *shared, struct loader *l)
{
    const struct intern *strings = &builder_profile(l->builder)->strings;
    struct strbuf key = {0};
    struct intern seen;

    intern_init(&seen);
    vec_each(const struct run_program, p, &r->programs) {
        const struct text name = label_text(strings, p);
        const size_t before = seen.n;

        sb_clear(&key);
        sb_addf(&key, "%" PRIu32 "/", p->host);
        sb_add(&key, name.bytes, name.len);
        if (p->ran && intern_put(&seen, sb_text(&key), key.len) < before)
            intern_put(shared, name.bytes, name.len);
    }
    sb_done(&key);
    intern_done(&seen);
}

static void label_programs(struct nodes *n, const struct run *r, struct loader *l)
{
    const struct intern *strings = &builder_profile(l->builder)->strings;
    struct intern shared;

    intern_init(&shared);
    find_shared_names(r, &shared, l);
    n->labels = xcalloc(r->programs.n + 1, sizeof *n->labels);
    for (size_t i = 0; i < r->programs.n; i++) {
        const struct run_program *p = &r->programs.data[i];
        const struct text name = label_text(strings, p);
        struct strbuf label = {0};

        sb_add(&label, name.bytes, name.len);
        if (intern_find(&shared, name.bytes, name.len) != STRID_NONE)
            sb_addf(&label, "(%" PRIu64 ")", p->id);
        n->labels[i] = builder_str(l->builder, sb_text(&label), label.len);
        sb_done(&label);
    }
    intern_done(&shared);
}

/* ---- modules */

static bool same_bytes(struct span a, struct span b)
{
    return a.len == b.len && memcmp(a.bytes, b.bytes, a.len) == 0;
}

/* The module of an earlier program with the same label and bytes, UINT32_MAX if none.  *DIFFERS is
 * set if only the label is equal. */
static uint32_t find_module(const struct nodes *n, const struct run *r, const uint32_t *first,
                            size_t program, bool *differs)
{
    const uint32_t other = first[n->labels[program]];

    *differs = false;
    if (other == UINT32_MAX || n->module_of[other] == UINT32_MAX)
        return UINT32_MAX;
    *differs = !same_bytes(r->programs.data[other].proto, r->programs.data[program].proto);
    return *differs ? UINT32_MAX : n->module_of[other];
}

static void read_module(struct nodes *n, struct run *r, struct loader *l, uint32_t program)
{
    struct run_program *p = &r->programs.data[program];
    struct notes *notes = &builder_profile(l->builder)->notes;
    struct program_module m = {.program = program};
    struct err err = {0};

    m.module = p->module ? p->module : hlo_module_new(p->proto.bytes, p->proto.len, &err);
    p->module = NULL;
    if (!m.module) {
        note_add_kind(notes, NOTE_REPAIR, "%s: its HLO cannot be read: %s",
                 intern_text(&builder_profile(l->builder)->strings, n->labels[program]),
                 err_text(&err));
        err_done(&err);
        return;
    }
    m.costs = hlo_costs_new(m.module);
    m.memory = hlo_memory_new(m.module, &err);
    if (!m.memory)
        note_add_kind(notes, NOTE_REPAIR, "%s: its memory plan cannot be read: %s",
                 intern_text(&builder_profile(l->builder)->strings, n->labels[program]),
                 err_text(&err));
    err_done(&err);
    n->module_of[program] = (uint32_t)n->modules.n;
    vec_push(&n->modules, m);
}

bool nodes_read_programs(struct nodes *n, struct run *r, struct loader *l, struct err *err)
{
    enum { SHARE_OF_FRAMES = 2 }; /* divisor of a load's frame limit */
    struct profile *p = builder_profile(l->builder);
    uint32_t *first;
    bool any_ran = false, differs;

    n->frames = budget_share(budget_of(profile_input_bytes(p), l->cancel), SHARE_OF_FRAMES);
    label_programs(n, r, l);
    first = xreallocarray(NULL, p->strings.n, sizeof *first);
    memset(first, 0xff, p->strings.n * sizeof *first);
    n->module_of = xreallocarray(NULL, r->programs.n + 1, sizeof *n->module_of);
    for (size_t i = 0; i < r->programs.n; i++)
        any_ran |= r->programs.data[i].ran;
    for (uint32_t i = 0; i < r->programs.n; i++) {
        n->module_of[i] = UINT32_MAX;
        if (cancel_asked(l->cancel))
            break;
        if (!r->programs.data[i].proto.bytes || (any_ran && !r->programs.data[i].ran))
            continue;
        n->module_of[i] = find_module(n, r, first, i, &differs);
        if (differs)
            note_add(&p->notes, "%s: its HLO on host %s differs from that on host %s, which gives shapes "
                     "and counts of equal names", profile_text(p, n->labels[i]),
                     profile_text(p, r->hosts.data[r->programs.data[i].host].name),
                     profile_text(p, r->hosts.data[r->programs.data[first[n->labels[i]]].host].name));
        if (n->module_of[i] == UINT32_MAX)
            read_module(n, r, l, i);
        if (first[n->labels[i]] == UINT32_MAX)
            first[n->labels[i]] = i;
    }
    free(first);
    return !cancel_asked(l->cancel) || err_set(err, ERR_CANCELLED, "cancelled");
}

/* ---- nodes */

/* State of making the nodes of one module. */
struct making {
    struct loader *l;
    const struct program_module *of;
    const struct hlo_module *m;
    strid *names; /* by instruction; STRID_EMPTY: no node */
    struct strbuf text;
    VEC(struct hlo_source_location) places;
    stack_id *stack_of_frame; /* [n_frames] STACK_NONE: not made yet */
    size_t frames_left;       /* frame limit of call stacks that is left */
    bool has_cut_stacks;
};

/* Limits frames of call stacks to one for each BYTES_A_FRAME bytes of a program; real programs need
 * far fewer. */
enum { BYTES_A_FRAME = 8, MIN_FRAMES = 4096 };

static strid str(struct making *k, struct text text)
{
    return builder_str(k->l->builder, text.bytes, text.len);
}

static void add_type(struct making *k, node_id node, struct text type)
{
    if (type.bytes && type.len)
        builder_add_type(k->l->builder, node, str(k, type));
}

/* Sets k->text to PREFIX LABEL/SCOPE.../INSTRUCTION; returns the primitive in it. */
static struct text make_name(struct making *k, struct text prefix, uint32_t i,
                             const struct hlo_metadata *metadata)
{
    const struct text name = hlo_name(k->m, i);
    size_t primitive, len;

    sb_clear(&k->text);
    sb_add(&k->text, prefix.bytes, prefix.len);
    sb_addc(&k->text, '/');
    primitive = hlo_scope(&k->text, metadata->op_name);
    len = k->text.len - primitive;
    if (k->text.len > (size_t)prefix.len + 1)
        sb_addc(&k->text, '/');
    sb_add(&k->text, name.bytes, name.len);
    return (struct text){k->text.data + primitive, (uint32_t)len};
}

static stack_id make_stack(struct making *k, const struct hlo_metadata *metadata, uint32_t depth)
{
    VEC(struct frame) frames = {0};
    stack_id stack;

    k->places.n = 0;
    vec_resize_zero(&k->places, depth);
    hlo_stack(k->m, metadata, k->places.data);
    for (uint32_t i = 0; i < depth; i++) {
        const struct hlo_source_location *place = &k->places.data[i];
        struct frame frame = {str(k, place->file), str(k, place->function), STRID_EMPTY,
                              place->line > 0 ? place->line : -1, -1};

        vec_push(&frames, frame);
    }
    stack = builder_stack(k->l->builder, frames.data, frames.n);
    vec_done(&frames);
    return stack;
}

/* Sets the call stack; false if the file has no source location of the instruction. */
static bool set_stack(struct making *k, node_id node, const struct hlo_metadata *metadata)
{
    const uint32_t depth = hlo_stack_depth(k->m, metadata);
    stack_id stack = k->stack_of_frame[metadata->stack_frame];

    if (!depth)
        return false;
    if (stack == STACK_NONE) {
        k->has_cut_stacks |= depth > k->frames_left;
        if (depth > k->frames_left)
            return false;
        k->frames_left -= depth;
        stack = make_stack(k, metadata, depth);
        if (metadata->stack_frame)
            k->stack_of_frame[metadata->stack_frame] = stack;
    }
    builder_profile(k->l->builder)->has_stacks = true;
    builder_set_stack(k->l->builder, node, stack);
    return true;
}

/* Sets shape, element size and type of a parameter of the program. */
static void set_params(struct making *k, node_id node, uint32_t i)
{
    const struct hlo_instruction *in = &k->m->instructions[i];
    const struct hlo_leaf *leaf = hlo_leaf(k->m, i, 0);
    const uint32_t first_bits = in->n_leaves ? hlo_type_bits(leaf->type) : 0;
    uint8_t bits = first_bits <= UINT8_MAX ? (uint8_t)first_bits : 0;
    int64_t total = 0;

    for (uint32_t j = 0; j < in->n_leaves; j++) {
        if (hlo_leaf(k->m, i, j)->type != leaf->type)
            bits = 0; /* tuple elements of different types have no common size */
        total = clamp_add(total, hlo_leaf(k->m, i, j)->elements > 0
                                     ? hlo_leaf(k->m, i, j)->elements : 0);
    }
    if (in->n_leaves == 1 && leaf->n_dims)
        builder_set_shape(k->l->builder, node,
                          builder_shape(k->l->builder, k->m->dims + leaf->first_dim, leaf->n_dims));
    else if (in->n_leaves == 1 && leaf->elements == 1)
        builder_set_shape(k->l->builder, node, SHAPE_SCALAR);
    else if (total > 0)
        builder_set_shape(k->l->builder, node, builder_shape(k->l->builder, &total, 1));
    builder_set_element_bits(k->l->builder, node, bits);
    builder_add_type(k->l->builder, node,
                     builder_str(k->l->builder, "_entry_parameter", 16));
}

static void add_outputs(struct making *k, node_id node, uint32_t i)
{
    const struct hlo_instruction *in = &k->m->instructions[i];

    for (uint32_t j = 0; j < in->n_leaves && j < INT32_MAX; j++) {
        const struct hlo_leaf *leaf = hlo_leaf(k->m, i, j);
        shape_id shape = leaf->elements == 1 ? SHAPE_SCALAR : SHAPE_UNKNOWN;

        if (leaf->n_dims)
            shape = builder_shape(k->l->builder, k->m->dims + leaf->first_dim, leaf->n_dims);
        builder_add_output(k->l->builder, node, (int32_t)j, shape);
    }
}

static void add_input(struct making *k, node_id node, int32_t *position, uint32_t source,
                      int32_t index)
{
    if (source == HLO_NONE || k->names[source] == STRID_EMPTY)
        return;
    builder_add_input(k->l->builder, node, *position, k->names[source],
                      index == INPUT_CONTROL ? 0 : index, index);
    ++*position;
}

/* Adds operands, then roots of called computations, then control dependencies. */
static void add_inputs(struct making *k, node_id node, uint32_t i)
{
    const struct hlo_instruction *in = &k->m->instructions[i];
    const int64_t index = in->opcode == HLO_GET_TUPLE_ELEMENT ? hlo_tuple_index(k->m, i) : 0;
    const int32_t own = index > 0 && index < INT32_MAX ? (int32_t)index : 0;
    int32_t position = 0;

    for (uint32_t j = 0; j < in->n_operands; j++)
        add_input(k, node, &position, hlo_operand(k->m, i, j), own);
    for (uint32_t j = 0; j < in->n_called; j++) {
        const uint32_t c = hlo_called(k->m, i, j);

        if (c != HLO_NONE && k->m->computations[c].is_executed)
            add_input(k, node, &position, k->m->computations[c].root, 0);
    }
    for (uint32_t j = 0; j < in->n_controls; j++)
        add_input(k, node, &position, k->m->operands[in->first_operand + in->n_operands + j],
                  INPUT_CONTROL);
}

static struct program_cost cost_of(const struct nodes *n, const struct making *k, uint32_t i)
{
    static const uint8_t counts[] = {
        [HLO_COUNTED] = PROGRAM_COUNTED,
        [HLO_NO_COMPUTE] = PROGRAM_NO_COMPUTE,
        [HLO_NO_RULE] = PROGRAM_NO_RULE,
    };
    const struct hlo_cost cost =
        n->has_no_run ? hlo_whole_run_cost(k->of->costs, i) : hlo_cost(k->of->costs, i);

    return (struct program_cost){
        .operations = cost.operations,
        .multiply_adds = cost.multiply_adds,
        .divisions = cost.divisions,
        .transcendentals = cost.transcendentals,
        .bytes_accessed = clamp_add(cost.bytes_read, cost.bytes_written),
        .count = counts[cost.state],
        .per_trip = k->m->computations[k->m->instructions[i].computation].is_in_loop,
    };
}

static node_id make_node(struct nodes *n, struct making *k, struct text prefix, uint32_t module,
                         uint32_t i)
{
    struct builder *b = k->l->builder;
    const struct hlo_metadata metadata = hlo_metadata(k->m, i);
    const struct hlo_computation *c = &k->m->computations[k->m->instructions[i].computation];
    const bool is_parameter = k->m->instructions[i].opcode == HLO_PARAMETER;
    const struct text primitive = make_name(k, prefix, i, &metadata);
    struct node_origin origin = {module, i, (uint32_t)n->lists.n, false};
    struct program_cost cost;
    node_id node;
    bool added;

    k->names[i] = builder_str(b, k->text.data, k->text.len);
    node = builder_node(b, k->names[i], str(k, hlo_category(k->m, i)), &added);
    if (!added)
        return node;
    add_type(k, node, hlo_opcode_name(k->m, i));
    add_type(k, node, hlo_custom_call_target(k->m, i));
    if (!is_parameter)
        add_type(k, node, primitive);
    add_type(k, node, metadata.op_type);
    if (is_parameter && c == &k->m->computations[k->m->entry])
        set_params(k, node, i);
    add_outputs(k, node, i);
    origin.has_stack = set_stack(k, node, &metadata);
    cost = cost_of(n, k, i);
    builder_set_static_float_ops(b, node, cost.operations);
    nodes_keep(n, node, &cost, origin);
    return node;
}

/* Makes all nodes of MODULE, whose names begin with PREFIX. */
static node_id *make_nodes(struct nodes *n, struct loader *l, uint32_t module, struct text prefix)
{
    struct making k = {.l = l, .of = &n->modules.data[module], .m = n->modules.data[module].module};
    node_id *nodes = xreallocarray(NULL, (size_t)k.m->n_instructions + 1, sizeof *nodes);
    const uint32_t n_before = builder_n_nodes(l->builder);

    k.names = xcalloc((size_t)k.m->n_instructions + 1, sizeof *k.names);
    k.stack_of_frame = xcalloc(k.m->n_frames, sizeof *k.stack_of_frame);
    k.frames_left = k.m->n_bytes / BYTES_A_FRAME + MIN_FRAMES;
    for (uint32_t i = 0; i < k.m->n_instructions; i++) {
        nodes[i] = NODE_NONE;
        if (k.m->computations[k.m->instructions[i].computation].is_executed)
            nodes[i] = make_node(n, &k, prefix, module, i);
    }
    for (uint32_t i = 0; i < k.m->n_instructions; i++)
        if (nodes[i] != NODE_NONE && nodes[i] >= n_before)
            add_inputs(&k, nodes[i], i);
    if (k.has_cut_stacks)
        note_add(&builder_profile(l->builder)->notes,
                 "%s: too many or too deep call stacks: some are missing", prefix.bytes);
    sb_done(&k.text);
    vec_done(&k.places);
    EACH(free, k.stack_of_frame, k.names);
    return nodes;
}

const struct module_nodes *nodes_of_program(struct nodes *n, struct run *r, struct loader *l,
                                            uint32_t program, uint32_t device)
{
    const uint32_t module = n->module_of[program];
    const uint32_t of_device = n->split ? device : DEVICE_NONE;
    const uint64_t hash = hash_pair(module, of_device);
    size_t probe = lookup_begin(&n->list_by_module, hash);
    struct strbuf prefix = {0};
    struct module_nodes list = {.module = module, .device = of_device};
    struct text label;
    uint32_t i;

    if (module == UINT32_MAX)
        return NULL;
    while ((i = lookup_next(&n->list_by_module, hash, &probe)) != SLOTS_NONE)
        if (n->lists.data[i].module == module && n->lists.data[i].device == of_device)
            return &n->lists.data[i];
    nodes_prefix(n, r, l, of_device, &prefix);
    label = intern_string(&builder_profile(l->builder)->strings, n->labels[program]);
    sb_add(&prefix, label.bytes, label.len);
    list.of_instruction = make_nodes(
        n, l, module, (struct text){sb_text(&prefix), (uint32_t)prefix.len});
    sb_done(&prefix);
    lookup_add(&n->list_by_module, hash);
    vec_push(&n->lists, list);
    return &n->lists.data[n->lists.n - 1];
}
