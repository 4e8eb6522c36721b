/* profile.c: looking things up in a profile. */
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

void profile_free(struct profile *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n_files; i++) {
        if (p->files[i].release)
            p->files[i].release(&p->files[i]);
        free(p->files[i].path);
    }
    free(p->files);
    if (p->checkpoint)
        p->checkpoint_close(p->checkpoint);
    if (p->functions.release)
        p->functions.release(p->functions.context);
    notes_done(&p->notes);
    intern_done(&p->strings);
    arena_done(&p->arena);
    free(p);
}

const struct call_site *profile_call_site_of(const struct profile *p, node_id node)
{
    uint32_t low = 0;
    uint32_t high = p->n_call_sites;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct call_site *site = &p->call_sites[middle];

        if (node < site->first)
            high = middle;
        else if (node - site->first >= site->n_nodes)
            low = middle + 1;
        else
            return site;
    }
    return NULL;
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

const struct exec *profile_exec(const struct profile *p, node_id node, int64_t step)
{
    uint32_t low = p->exec_begin[node];
    uint32_t high = p->exec_begin[node + 1];

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (p->execs[middle].step == step)
            return &p->execs[middle];
        if (p->execs[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool profile_has_step(const struct profile *p, int64_t step)
{
    uint32_t low = 0, high = p->n_steps;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (p->steps[middle] < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->n_steps && p->steps[low] == step;
}

shape_id profile_output_shape(const struct profile *p, node_id node, int32_t index)
{
    uint32_t low = p->output_begin[node];
    uint32_t high = p->output_begin[node + 1];

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (p->outputs[middle].index == index)
            return p->outputs[middle].shape;
        if (p->outputs[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return SHAPE_UNKNOWN;
}

shape_id profile_input_shape(const struct profile *p, const struct node_input *input)
{
    if (input->source == NODE_NONE)
        return SHAPE_UNKNOWN;
    return profile_output_shape(p, input->source, input->output_index);
}

bool profile_on_accelerator(const struct profile *p, node_id node)
{
    const char *device = profile_text(p, p->device[node]);

    return strstr(device, "gpu") != NULL || strstr(device, "sycl") != NULL;
}
