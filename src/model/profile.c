/* profile.c: look-ups in a profile and its compiled programs. */
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "model/events.h"
#include "model/memory_records.h"
#include "model/programs.h"

static void release_files(struct source_file *files, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (files[i].release)
            files[i].release(&files[i]);
}

/* Drops a reference to BASE and frees it with the last one; BASE may be NULL. */
static void profile_base_unref(struct profile_base *base)
{
    if (!base || atomic_fetch_sub(&base->refs, 1) != 1)
        return;
    if (base->functions.release)
        base->functions.release(base->functions.context);
    release_files(base->files, 0, base->n_files);
    free(base->files);
    arena_done(&base->arena);
    free(base);
}

static void free_files(struct profile *p)
{
    release_files(p->files, p->base ? p->base->n_files : 0, p->n_files);
    for (size_t i = 0; i < p->n_files; i++)
        EACH(free, p->files[i].path, p->files[i].fault);
    free(p->files);
}

/* Frees C and CONTEXT; C may be NULL. */
static void programs_free(struct programs *c)
{
    if (!c)
        return;
    if (c->release)
        c->release(c->context);
    arena_done(&c->arena);
    free(c);
}

void profile_free(struct profile *p)
{
    if (!p)
        return;
    free_files(p);
    programs_free(p->programs);
    memory_records_free(p->records);
    free(p->recorders);
    memory_log_free(p->memory);
    vec_done(&p->sample_files);
    event_store_free(p->events);
    if (p->checkpoint)
        p->checkpoint_close(p->checkpoint);
    if (p->functions.release)
        p->functions.release(p->functions.context);
    notes_done(&p->notes);
    intern_done(&p->strings);
    arena_done(&p->arena);
    profile_base_unref(p->base);
    free(p);
}

void profile_add_known_figures(struct profile *p, uint32_t figures, const char *why_unknown)
{
    p->known_figures |= figures;
    p->n_files_of_known++;
    p->why_unknown = why_unknown;
}

bool profile_call_is_cut(const struct profile *p, node_id node)
{
    size_t at = 0;

    LOWER_BOUND(at, p->n_cut_calls, i, p->cut_calls[i] < node);
    return at < p->n_cut_calls && p->cut_calls[at] == node;
}

uint64_t profile_input_bytes(const struct profile *p)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < p->n_files; i++)
        bytes += p->files[i].size_bytes;
    return bytes;
}

const struct call_site *profile_call_site_of(const struct profile *p, node_id node)
{
    const struct call_site *sites = p->call_sites;
    size_t at = 0;

    LOWER_BOUND(at, p->n_call_sites, i,
                node >= sites[i].first && node - sites[i].first >= sites[i].n_nodes);
    return at < p->n_call_sites && node >= sites[at].first ? &sites[at] : NULL;
}

node_id profile_node_of(const struct profile *p, strid id)
{
    return id < p->n_node_of_string ? p->node_of_string[id] : NODE_NONE;
}

node_id profile_find(const struct profile *p, const char *name, size_t len)
{
    strid id = intern_find(&p->strings, name, len);

    return id == STRID_NONE ? NODE_NONE : profile_node_of(p, id);
}

int64_t profile_record_step(const struct profile *p, uint32_t position)
{
    return exec_step(profile_record(p, position));
}

bool exec_next_checked(struct exec_walk *walk, struct exec *e, bool *saturated)
{
    const struct profile *p = walk->profile;

    if (walk->at == walk->end)
        return false;
    *e = (struct exec){.step = profile_record_step(p, p->exec_positions[walk->at]),
                       .first_record = walk->at};
    do
        exec_add(e, profile_record(p, p->exec_positions[walk->at++]), p->clock, saturated);
    while (walk->at < walk->end && profile_record_step(p, p->exec_positions[walk->at]) == e->step);
    e->n_records = walk->at - e->first_record;
    return true;
}

bool exec_next_on(struct exec_walk *walk, const uint8_t *counted, struct exec *e)
{
    const struct profile *p = walk->profile;
    bool found = false, saturated = false;

    for (; walk->at < walk->end; walk->at++) {
        const struct packed_exec record = profile_record(p, p->exec_positions[walk->at]);

        if (found && exec_step(record) != e->step)
            break;
        if (!counted[exec_device(record)])
            continue;
        if (!found)
            *e = (struct exec){.step = exec_step(record), .first_record = walk->at};
        found = true;
        exec_add(e, record, p->clock, &saturated);
    }
    if (found)
        e->n_records = walk->at - e->first_record;
    return found;
}

void profile_exec_total(const struct profile *p, node_id node, const uint8_t *counted, int64_t *run_count,
                        int64_t *time_ps)
{
    struct exec_walk walk = profile_execs(p, node);
    struct exec e;

    *run_count = *time_ps = 0;
    while (counted ? exec_next_on(&walk, counted, &e) : exec_next(&walk, &e)) {
        *run_count = clamp_add(*run_count, e.run_count);
        *time_ps = clamp_add(*time_ps, clamp_add(e.accelerator_ps, e.cpu_ps));
    }
}

/* The executions of NODE from STEP on. */
static struct exec_walk execs_from(const struct profile *p, node_id node, int64_t step)
{
    struct exec_walk walk = profile_execs(p, node);
    size_t at = walk.at;

    LOWER_BOUND(at, walk.end, i, profile_record_step(p, p->exec_positions[i]) < step);
    walk.at = (uint32_t)at;
    return walk;
}

bool profile_ran_at(const struct profile *p, node_id node, int64_t step)
{
    const struct exec_walk walk = execs_from(p, node, step);

    return walk.at < walk.end && profile_record_step(p, p->exec_positions[walk.at]) == step;
}

bool profile_exec(const struct profile *p, node_id node, int64_t step, struct exec *e)
{
    struct exec_walk walk = execs_from(p, node, step);

    return exec_next(&walk, e) && e->step == step;
}

COMPARE_WITH(compare_strings, strid, struct profile, THEN(intern_compare(&with->strings, *a, *b)))

void profile_exec_lists(const struct profile *p, const struct exec *e, struct exec_lists *lists)
{
    size_t kept = 0;

    exec_lists_clear(lists);
    for (uint32_t i = 0; i < e->n_records; i++)
        exec_lists_add(lists, profile_record(p, p->exec_positions[e->first_record + i]));
    if (lists->devices.n < 2)
        return;
    vec_sort_arg(&lists->devices, compare_strings, (void *)(uintptr_t)p);
    for (size_t i = 0; i < lists->devices.n; i++)
        if (!kept || lists->devices.data[kept - 1] != lists->devices.data[i])
            lists->devices.data[kept++] = lists->devices.data[i];
    lists->devices.n = kept;
}

bool profile_has_step(const struct profile *p, int64_t step)
{
    size_t at = 0;

    LOWER_BOUND(at, p->n_steps, i, p->steps[i] < step);
    return at < p->n_steps && p->steps[at] == step;
}

shape_id profile_output_shape(const struct profile *p, node_id node, int32_t index)
{
    const size_t end = p->output_begin[node + 1];
    size_t at = p->output_begin[node];

    LOWER_BOUND(at, end, i, p->outputs[i].index < index);
    return at < end && p->outputs[at].index == index ? p->outputs[at].shape : SHAPE_UNKNOWN;
}

/* The entry of input I; NULL: an ordinary input. */
static const struct odd_input *find_odd_input(const struct profile *p, uint32_t i)
{
    size_t at = 0;

    LOWER_BOUND(at, p->n_odd_inputs, k, p->odd_inputs[k].input < i);
    return at < p->n_odd_inputs && p->odd_inputs[at].input == i ? &p->odd_inputs[at] : NULL;
}

int32_t profile_input_position(const struct profile *p, node_id node, uint32_t i)
{
    const struct odd_input *odd = find_odd_input(p, i);

    return odd ? odd->position : (int32_t)(i - p->input_begin[node]);
}

strid profile_input_name(const struct profile *p, uint32_t i)
{
    const struct odd_input *odd = find_odd_input(p, i);

    return odd ? odd->source_name : p->name[p->inputs[i].source];
}

const struct free_tensor *profile_free_tensor(const struct profile *p, strid name)
{
    size_t at = 0;

    LOWER_BOUND(at, p->n_free_tensors, i, p->free_tensors[i].name < name);
    return at < p->n_free_tensors && p->free_tensors[at].name == name ? &p->free_tensors[at] : NULL;
}

shape_id profile_input_shape(const struct profile *p, const struct node_input *input)
{
    if (input->source == NODE_NONE)
        return SHAPE_UNKNOWN;
    return profile_output_shape(p, input->source, input->output_index);
}

strid profile_async_device(const struct profile *p)
{
    return intern_find(&p->strings, ASYNC_DEVICE, sizeof ASYNC_DEVICE - 1);
}

bool profile_is_async(const struct profile *p, node_id node)
{
    const struct text device = intern_string(&p->strings, p->device[node]);

    return device.len == sizeof ASYNC_DEVICE - 1 &&
           memcmp(device.bytes, ASYNC_DEVICE, device.len) == 0;
}

bool profile_on_accelerator(const struct profile *p, node_id node)
{
    const char *device = profile_text(p, p->device[node]);

    return strstr(device, "gpu") != NULL || strstr(device, "sycl") != NULL;
}

const strid *profile_devices(const struct profile *p, node_id node, uint32_t *n)
{
    const struct programs *c = p->programs;

    *n = 1;
    if (!c || node >= c->n_costs || c->device_begin[node] == c->device_begin[node + 1])
        return &p->device[node];
    *n = c->device_begin[node + 1] - c->device_begin[node];
    return c->node_devices + c->device_begin[node];
}

/* ---- compiled programs */

struct program_cost program_cost_of(const struct programs *c, uint32_t node)
{
    return c && node < c->n_costs ? c->costs[node] : (struct program_cost){0};
}

strid program_step_name(const struct programs *c, int64_t step)
{
    return c && step >= 0 && (uint64_t)step < c->n_step_names ? c->step_names[step] : STRID_EMPTY;
}
