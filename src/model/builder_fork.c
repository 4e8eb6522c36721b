/* builder_fork.c: two profiles that share a graph: one is displayed while the other grows. */
#include <string.h>

#include "base/xalloc.h"
#include "model/builder_priv.h"

static bool is_graph_alone(const struct builder *b)
{
    const struct profile *p = b->profile;

    return !b->steps.n && !b->records.bytes.n && b->parts.n <= 1 && !p->has_stacks &&
           !p->has_runtime && !p->programs && !p->checkpoint && !p->n_recorders && !p->events && !p->memory && !p->records &&
           !p->stored_rules && !p->base;
}

/* Moves what P owns outside of its arenas to a base shared by P and COPY. */
static void share(struct profile *p, struct profile *copy)
{
    struct profile_base *base = xcalloc(1, sizeof *base);

    atomic_init(&base->refs, 2);
    base->n_files = p->n_files;
    base->files = xreallocarray(NULL, p->n_files, sizeof *base->files);
    memcpy(base->files, p->files, p->n_files * sizeof *base->files);
    base->functions = p->functions;
    p->functions.release = NULL;
    arena_move(&base->arena, &p->arena);
    p->base = base;
    *copy = *p;
    intern_fork(&p->strings, &copy->strings, &base->arena);
}

static struct profile *fork_profile(struct profile *p)
{
    struct profile *copy = xcalloc(1, sizeof *copy);

    share(p, copy);
    copy->files = xreallocarray(NULL, p->n_files, sizeof *copy->files);
    for (size_t i = 0; i < p->n_files; i++) {
        copy->files[i] = p->files[i];
        copy->files[i].path = xstrdup(p->files[i].path);
        copy->files[i].fault = p->files[i].fault ? xstrdup(p->files[i].fault) : NULL;
    }
    copy->notes = (struct notes){.data = NULL};
    notes_add_all(&copy->notes, &p->notes, "");
    return copy;
}

static void copy_columns(const struct builder *b, struct builder *copy)
{
    builder_columns_copy(copy, b);
    vec_copy(&copy->types_given, &b->types_given);
    vec_copy(&copy->run_span, &b->run_span);
    vec_copy(&copy->node_of_string, &b->node_of_string);
}

struct builder *builder_fork(struct builder *b)
{
    struct builder *copy;

    if (!is_graph_alone(b))
        return NULL;
    copy = xcalloc(1, sizeof *copy);
    copy->profile = fork_profile(b->profile);
    intern_fork(&b->shapes, &copy->shapes, &copy->profile->base->arena);
    stack_builder_init(&copy->stacks);
    copy_columns(b, copy);
    owned_copy(&copy->types, &b->types);
    owned_copy(&copy->inputs, &b->inputs);
    owned_copy(&copy->outputs, &b->outputs);
    vec_copy(&copy->run_outputs, &b->run_outputs);
    vec_copy(&copy->signature_ends, &b->signature_ends);
    vec_copy(&copy->free_tensors, &b->free_tensors);
    vec_copy(&copy->file_facts, &b->file_facts);
    builder_init_parts(copy);
    copy->saturated_node = b->saturated_node;
    return copy;
}
